/*
 * fits.c - how many people fit every released row, and how many rows everybody fits.
 *
 * Ambiguity that is promised both ways: alpha (alpha.c) compares released rows with each other,
 * "*" with anything, and says nothing of somebody who knows a person's own values. He looks for
 * the rows that show no other values; of five rows a1,b1 and one a1,* the person (a1,b2) fits one
 * only, though alpha of each is five. So people, the rows of the original, are folded and put on
 * the levels that the release is on, and for each group of patterns with the same "*" everybody
 * looks his pattern up.
 *
 * Without the original the people are the released rows, of whom nothing is known where they have
 * "*": one fits a row for sure that shows nothing but what his own row shows. What is counted then
 * is sure whatever "*" hides, and all that alpha can add is what is not even possible.
 *
 * A value that was not released, and "*" of the original's own, fits "*" only.
 *
 * Cost: a search by bisection for every person, folded, and group; 24 bytes a person and 8 for
 * every 64 bits of codes.
 */
#include <string.h>

#include "audit/ambiguity/ambiguity.h"
#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

/* The values that an attribute can have, as an adversary would guess them.
 *
 * Those of the release, "*" aside and missing among them. Where the original is at hand and the
 * column stands on one level of its hierarchy, as it does where it was not generalized at all, all
 * values of the original belong to it as they are on that level: an adversary may know them from
 * elsewhere. The lowest level that has every released value is taken for it, and, where rows
 * correspond, that has each in its own row.
 *
 * Cost: a look-up for every value of every level (rows/ladder.c). */

/* Different values of a column, "*" aside. */
static int64_t value_count(const tacit_table *table, int32_t column)
{
    return (int64_t)tacit_table_distinct(table, column) + tacit_table_has_missing(table, column) -
           (tacit__suppressed_code(table, column) != UINT32_MAX);
}

/* What looking for the level needs. */
typedef struct level_search {
    const tacit__judge *judge;
    int32_t attribute;
    tacit__ladder ladder;
    uint32_t codes;  /* of the original: missing is the last, if there is any */
    uint32_t star;   /* in the release */
    uint8_t *marked; /* number on a level -> met before */
    size_t numbers;  /* that any level has, missing among them */
} level_search;

/* The original's values on a level, "*" aside; *released counts those that the release has. */
static int64_t values_on(int64_t *released, const level_search *s, int level)
{
    const uint32_t *numbers = tacit_hierarchy_map(s->ladder.hierarchy, level);
    int64_t values = 0;
    *released = 0;
    memset(s->marked, 0, s->numbers);
    for (uint32_t value = 0; value < s->codes; value++) {
        uint32_t number = numbers[value], code = s->ladder.codes[level][number];
        if (s->marked[number] || code == s->star)
            continue;
        s->marked[number] = 1;
        values++;
        *released += code != TACIT__NOWHERE;
    }
    return values;
}

static tacit_status take_level(tacit__domain *domain, const level_search *s, int level,
                               int64_t values, tacit_error *err)
{
    domain->released = tacit__alloc_array((size_t)s->codes, sizeof *domain->released);
    if (!domain->released)
        return tacit__nomem(err);
    for (uint32_t value = 0; value < s->codes; value++)
        domain->released[value] = tacit__image(&s->ladder, level, value);
    domain->values = values;
    return TACIT_OK;
}

/* Whether rows that correspond have their own values of a level, or "*". */
static bool rows_say(const level_search *s, int level)
{
    const tacit__judge *judge = s->judge;
    int64_t rows = judge->corresponds ? tacit_table_rows(judge->release) : 0;
    tacit_codes_view released = tacit_table_codes(judge->release, judge->attribute[s->attribute]);
    tacit_codes_view ground = tacit_table_codes(judge->original, judge->ground[s->attribute]);
    for (int64_t row = 0; row < rows; row++) {
        uint32_t code = tacit_codes_at(released, row);
        uint32_t own = tacit_codes_at(ground, tacit__behind(judge, row));
        if (code != s->star && code != tacit__image(&s->ladder, level, own))
            return false;
    }
    return true;
}

static tacit_status search_level(tacit__domain *domain, level_search *s, tacit_error *err)
{
    const tacit__judge *judge = s->judge;
    tacit__rows_place ground = {judge->original, judge->ground[s->attribute]};
    tacit__rows_place release = {judge->release, judge->attribute[s->attribute]};
    tacit_status status = tacit__ladder_init(
        &s->ladder, judge->promise->attributes[s->attribute].hierarchy, ground, release, err);
    if (status != TACIT_OK)
        return status;
    s->codes = s->ladder.ground + tacit_table_has_missing(ground.table, ground.column);
    s->star = tacit__suppressed_code(release.table, release.column);
    for (int level = 0; level <= s->ladder.height; level++) {
        size_t numbers = (size_t)tacit_hierarchy_count(s->ladder.hierarchy, level) + 1;
        s->numbers = numbers > s->numbers ? numbers : s->numbers;
    }
    s->marked = tacit__alloc_array(s->numbers, sizeof *s->marked);
    if (!s->marked)
        return tacit__nomem(err);
    for (int level = 0; level <= s->ladder.height; level++) {
        int64_t released, values = values_on(&released, s, level);
        if (released == domain->values && rows_say(s, level))
            return take_level(domain, s, level, values, err);
    }
    return TACIT_OK;
}

tacit_status tacit__domain_init(tacit__domain *domain, const tacit__judge *judge, int32_t attribute,
                                tacit_error *err)
{
    tacit__domain made = {.values = value_count(judge->release, judge->attribute[attribute])};
    level_search s = {.judge = judge, .attribute = attribute};
    tacit_status status = TACIT_OK;
    if (judge->original && judge->ground[attribute] >= 0)
        status = search_level(&made, &s, err);
    tacit__ladder_clear(&s.ladder);
    tacit__free(s.marked);
    if (status == TACIT_OK)
        *domain = made;
    return status;
}

void tacit__domain_clear(tacit__domain *domain)
{
    tacit__free(domain->released);
    *domain = (tacit__domain){0};
}

void tacit__people_clear(tacit__ambiguity_people *people)
{
    tacit__free(people->owned);
    tacit__free(people->absent);
    tacit__free(people->sizes);
    tacit__free(people->rows);
    tacit__partition_clear(&people->classes);
    *people = (tacit__ambiguity_people){0};
}

/* ---- looking up ---- */

typedef struct lookup {
    const tacit__patterns *p;
    tacit__ambiguity_people *people;
    int64_t *fitting; /* a pattern each */
} lookup;

static int compare_masked(const uint64_t *a, const uint64_t *b, const uint64_t *covers, int words)
{
    for (int w = 0; w < words; w++) {
        uint64_t x = a[w] & ~covers[w], y = b[w] & ~covers[w];
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* The pattern of a group that a person fits, or -1. Patterns of a group ascend, and are the same
 * where they have "*". */
static int64_t find(const tacit__patterns *p, int64_t g, const uint64_t *codes)
{
    int64_t from = p->groups[g].from, to = p->groups[g].to;
    const uint64_t *covers = p->covers + g * p->words;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        int order = compare_masked(tacit__pattern(p, middle), codes, covers, p->words);
        if (order < 0)
            from = middle + 1;
        else if (order > 0)
            to = middle;
        else
            return middle;
    }
    return -1;
}

static tacit_status look_up_group(void *context, int64_t g, int worker, tacit_error *err)
{
    (void)worker;
    (void)err;
    lookup *l = context;
    tacit__ambiguity_people *people = l->people;
    uint64_t shown = ~l->p->groups[g].stars;
    for (int64_t i = 0; i < people->count; i++) {
        if (people->absent[i] & shown)
            continue;
        int64_t pattern = find(l->p, g, people->codes + i * l->p->words);
        if (pattern < 0)
            continue;
        l->fitting[pattern] += people->sizes[i];
        __atomic_fetch_add(&people->rows[i], l->p->rows[pattern], __ATOMIC_RELAXED);
    }
    return TACIT_OK;
}

/* The people who fit a row of each pattern, and the rows that each of them fits. */
static tacit_status people_count(int64_t *fitting, tacit__ambiguity_people *people,
                                 const tacit__patterns *p, const tacit_run *run, tacit_error *err)
{
    lookup l = {.p = p, .people = people, .fitting = fitting};
    memset(fitting, 0, (size_t)p->count * sizeof *fitting);
    memset(people->rows, 0, (size_t)people->count * sizeof *people->rows);
    return tacit__parallel(run, "judging", p->group_count, look_up_group, &l, err);
}

/* ---- who the people are ---- */

static tacit_status make_room(tacit__ambiguity_people *people, tacit_error *err)
{
    size_t count = (size_t)people->count;
    people->absent = tacit__alloc_zeroed(count, sizeof *people->absent);
    people->sizes = tacit__alloc_array(count, sizeof *people->sizes);
    people->rows = tacit__alloc_array(count, sizeof *people->rows);
    return people->absent && people->sizes && people->rows ? TACIT_OK : tacit__nomem(err);
}

static tacit_status people_released(tacit__ambiguity_people *people, const tacit__patterns *p,
                                    tacit_error *err)
{
    *people = (tacit__ambiguity_people){.count = p->count, .codes = p->codes};
    tacit_status status = make_room(people, err);
    for (int64_t g = 0; status == TACIT_OK && g < p->group_count; g++)
        for (int64_t i = p->groups[g].from; i < p->groups[g].to; i++) {
            people->absent[i] = p->groups[g].stars;
            people->sizes[i] = p->rows[i];
        }
    if (status != TACIT_OK)
        tacit__people_clear(people);
    return status;
}

/* What everybody has in a place, as the release codes it. */
static void read_place(tacit__ambiguity_people *people, const tacit__patterns *p,
                       const tacit__judge *judge, int place, const uint32_t *released)
{
    const tacit__field *field = &p->field[place];
    tacit_codes_view codes = tacit_table_codes(judge->original, judge->ground[p->column[place]]);
    for (int64_t i = 0; i < people->count; i++) {
        uint32_t code = released[tacit_codes_at(codes, people->classes.first[i])];
        if (code == TACIT__NOWHERE || code == p->star[place])
            people->absent[i] |= UINT64_C(1) << place;
        else
            people->owned[i * p->words + field->word] |= (uint64_t)code << field->shift;
    }
}

/* *told is false where a column is on several levels; a finding says so. */
static tacit_status read_places(bool *told, tacit__ambiguity_people *people,
                                const tacit__patterns *p, tacit__judge *judge, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int place = 0; status == TACIT_OK && *told && place < p->columns; place++) {
        tacit__domain domain = {0};
        status = tacit__domain_init(&domain, judge, p->column[place], err);
        *told = status == TACIT_OK && domain.released;
        if (*told)
            read_place(people, p, judge, place, domain.released);
        else if (status == TACIT_OK && judge->promise->both_ways)
            tacit__find(
                judge, TACIT_FINDING_FITS, 0, 0,
                "attribute \"%s\" is not on one level of its hierarchy, so the people who fit a "
                "row cannot be counted",
                tacit__show(tacit_strview_of(judge->promise->attributes[p->column[place]].name))
                    .text);
        tacit__domain_clear(&domain);
    }
    return status;
}

/* The original's rows, folded. */
static tacit_status people_known(bool *told, tacit__ambiguity_people *people,
                                 const tacit__patterns *p, tacit__judge *judge, tacit_error *err)
{
    *people = (tacit__ambiguity_people){0};
    *told = true;
    tacit_status status = tacit__partition_init(&people->classes, judge->original, judge->ground,
                                                judge->promise->attribute_count, judge->run, err);
    if (status != TACIT_OK)
        return status;
    people->count = people->classes.count;
    people->owned =
        tacit__alloc_zeroed((size_t)people->count, (size_t)p->words * sizeof *people->owned);
    people->codes = people->owned;
    status = people->owned ? make_room(people, err) : tacit__nomem(err);
    for (int64_t i = 0; status == TACIT_OK && i < people->count; i++)
        people->sizes[i] = people->classes.sizes[i];
    if (status == TACIT_OK)
        status = read_places(told, people, p, judge, err);
    if (status != TACIT_OK)
        tacit__people_clear(people);
    return status;
}

/* ---- what is said ---- */

static void sum_up(tacit_fits_verdict *v, const tacit__ambiguity *a, const int64_t *fitting,
                   const tacit__ambiguity_people *people)
{
    const tacit__patterns *p = &a->patterns;
    int64_t k = a->judge->promise->k;
    for (int64_t i = 0; i < p->count; i++) {
        v->least_people = i == 0 || fitting[i] < v->least_people ? fitting[i] : v->least_people;
        v->rows_below += fitting[i] < k ? p->rows[i] : 0;
    }
    for (int64_t i = 0; i < people->count; i++) {
        int64_t rows = people->rows[i];
        v->least_rows = i == 0 || rows < v->least_rows ? rows : v->least_rows;
        v->people_below += rows < k ? people->sizes[i] : 0;
        v->people_with_one += rows == 1 ? people->sizes[i] : 0;
    }
}

static void report_unfit_rows(const tacit__ambiguity *a, const int64_t *fitting)
{
    tacit__judge *judge = a->judge;
    long long below = judge->verdict->fits.rows_below, k = judge->promise->k;
    int64_t row = 0;
    if (below == 0)
        return;
    while (fitting[a->patterns.of_row[row]] >= k)
        row++;
    tacit__find(judge, TACIT_FINDING_FITS, row + 1, below,
                "fewer than k = %lld people of the original fit %lld %s; the first is row %lld "
                "(line %lld)",
                k, below, below == 1 ? "row" : "rows", (long long)(row + 1),
                (long long)tacit_table_line(judge->release, row));
}

static void report_people(const tacit__ambiguity *a, const tacit__ambiguity_people *people)
{
    tacit__judge *judge = a->judge;
    long long below = judge->verdict->fits.people_below, k = judge->promise->k;
    int64_t row = 0;
    if (below == 0)
        return;
    while (people->rows[people->classes.class_of[row]] >= k)
        row++;
    tacit__find(judge, TACIT_FINDING_FITS, 0, below,
                "%lld %s of the original %s fewer than k = %lld rows of the release, %lld of them "
                "one only; the first is row %lld (line %lld) of the original",
                below, below == 1 ? "person" : "people", below == 1 ? "fits" : "fit", k,
                (long long)judge->verdict->fits.people_with_one, (long long)(row + 1),
                (long long)tacit_table_line(judge->original, row));
}

static tacit_status judge_known(const tacit__ambiguity *a, int64_t *fitting, tacit_error *err)
{
    tacit__ambiguity_people people;
    tacit_fits_verdict *v = &a->judge->verdict->fits;
    bool told = false;
    tacit_status status = people_known(&told, &people, &a->patterns, a->judge, err);
    if (status != TACIT_OK)
        return status;
    if (told)
        status = people_count(fitting, &people, &a->patterns, a->judge->run, err);
    v->exact = told;
    if (status == TACIT_OK && told)
        sum_up(v, a, fitting, &people);
    if (status == TACIT_OK && told && a->judge->promise->both_ways) {
        report_unfit_rows(a, fitting);
        report_people(a, &people);
    }
    tacit__people_clear(&people);
    return status;
}

/* What is sure of the rows whatever "*" hides; nothing is found by it. */
static tacit_status judge_sure(tacit__ambiguity *a, int64_t *fitting, tacit_error *err)
{
    const tacit__patterns *p = &a->patterns;
    tacit_fits_verdict *v = &a->judge->verdict->fits;
    int64_t k = a->judge->promise->k;
    tacit_status status = people_released(&a->sure, p, err);
    if (status == TACIT_OK)
        status = people_count(fitting, &a->sure, p, a->judge->run, err);
    for (int64_t i = 0; status == TACIT_OK && i < p->count; i++) {
        v->rows_sure += fitting[i] >= k ? p->rows[i] : 0;
        v->people_sure += a->sure.rows[i] >= k ? p->rows[i] : 0;
    }
    return status;
}

tacit_status tacit__judge_fits(tacit__ambiguity *a, tacit_error *err)
{
    tacit__judge *judge = a->judge;
    int64_t *fitting = tacit__alloc_array((size_t)a->patterns.count, sizeof *fitting);
    tacit_status status = fitting ? TACIT_OK : tacit__nomem(err);
    judge->verdict->fits.checked = judge->promise->both_ways;
    if (status == TACIT_OK && judge->promise->both_ways)
        status = judge_sure(a, fitting, err);
    if (status == TACIT_OK && judge->original && judge->attributes_known)
        status = judge_known(a, fitting, err);
    tacit__free(fitting);
    return status;
}
