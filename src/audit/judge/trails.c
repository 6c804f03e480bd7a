/*
 * trails.c - rows that stay linkable, judged together.
 *
 * Where a column of the release has the same value in all rows of a person (a pseudonym, an
 * identifier that is kept, the person column), or tells people apart without being called so
 * (disguised.c), whoever knows some of the person's rows finds all of them, though every row by
 * itself is shared by k. So the unit is the value of that column: its trail is the multiset of the
 * combinations of its rows, their number included, and k must share it. That is enough for any part
 * of the rows an adversary may know: who shares the whole shares the part. (Sweeney 6.2: the number
 * of occurrences and what several tuples say together reveal.) A row without a value is nobody's
 * but its own.
 *
 * Households are units, too, where they are promised: who knows one knows all of its members. They
 * are counted by the original's column, whether or not the release has it.
 *
 * Units are told apart class by class: rows are sorted by unit and class, and in round j units
 * that agreed so far are ranked by their class j. A unit that is alone has a trail of its own, and
 * is done. So nothing is compared by hash, and the answer is exact. Those who share a trail are
 * counted as units, and as people where more is known of them: the fewer count.
 *
 * Cost: a sort of the rows for the classes, one for the units, one a round of the units that are
 * left, and one for people; 40 bytes a row.
 */
#include <string.h>

#include "audit/judge/disguised.h"
#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/error.h"

typedef struct trails {
    tacit__judge *judge;
    int32_t column; /* that links; -1: households */
    tacit_codes_view codes;
    uint32_t missing; /* the code of rows that it says nothing of */
    const uint64_t *set;
    int64_t rows, units, trails;
    tacit__partition classes;
    uint32_t *unit_of;  /* a row each */
    tacit__sorter path; /* units and classes of all rows, sorted */
    int64_t *start;     /* a unit each, and one more: its first place of the path */
    uint32_t *trail_of; /* a unit each */
    uint32_t *sharing;  /* a trail each: who share it */
} trails;

static int class_bits(const trails *t)
{
    return tacit__bits_for(t->classes.count ? (uint64_t)t->classes.count - 1 : 0);
}

static int64_t length_of(const trails *t, uint32_t unit)
{
    return t->start[unit + 1] - t->start[unit];
}

static void trails_clear(trails *t)
{
    tacit__partition_clear(&t->classes);
    tacit__sorter_clear(&t->path);
    tacit__free(t->unit_of);
    tacit__free(t->start);
    tacit__free(t->trail_of);
    tacit__free(t->sharing);
}

/* ---- units ---- */

static tacit_status find_classes(trails *t, tacit_error *err)
{
    int32_t columns[TACIT__MAX_PROMISED], count = 0;
    for (int32_t a = 0; a < t->judge->promise->attribute_count; a++)
        if (tacit__set_has(t->set, a))
            columns[count++] = t->judge->attribute[a];
    return tacit__partition_init(&t->classes, t->judge->release, columns, count, t->judge->run,
                                 err);
}

/* Values that stand in some row are units, as they are met; a row without one is a unit of its
 * own. Of a household nothing may be released. */
static tacit_status find_units(trails *t, tacit_error *err)
{
    uint32_t *unit_of_code = tacit__alloc_array((size_t)t->missing + 1, sizeof *unit_of_code);
    t->unit_of = tacit__alloc_array((size_t)t->rows, sizeof *t->unit_of);
    if (!unit_of_code || !t->unit_of) {
        tacit__free(unit_of_code);
        return tacit__nomem(err);
    }
    memset(unit_of_code, 0xFF, ((size_t)t->missing + 1) * sizeof *unit_of_code);
    for (int64_t row = 0; row < t->rows; row++) {
        uint32_t code = tacit_codes_at(t->codes, row);
        if (code == t->missing || unit_of_code[code] == UINT32_MAX)
            unit_of_code[code] = (uint32_t)t->units++;
        t->unit_of[row] = unit_of_code[code];
    }
    tacit__free(unit_of_code);
    return TACIT_OK;
}

static tacit_status sort_path(trails *t, tacit_error *err)
{
    int shift = class_bits(t);
    tacit_status status = tacit__sorter_init(
        &t->path, t->rows, shift + tacit__bits_for(t->units ? (uint64_t)t->units - 1 : 0), false,
        err);
    for (int64_t row = 0; status == TACIT_OK && row < t->rows; row++)
        tacit__sorter_put(&t->path, row,
                          (uint64_t)t->unit_of[row] << shift | t->classes.class_of[row]);
    return status == TACIT_OK ? tacit__sorter_sort(&t->path, t->judge->run, err) : status;
}

static tacit_status find_paths(trails *t, tacit_error *err)
{
    tacit_status status = sort_path(t, err);
    t->start = tacit__alloc_zeroed((size_t)t->units + 1, sizeof *t->start);
    if (status == TACIT_OK && !t->start)
        status = tacit__nomem(err);
    if (status != TACIT_OK)
        return status;
    for (int64_t row = 0; row < t->rows; row++)
        t->start[t->unit_of[row] + 1]++;
    for (int64_t u = 0; u < t->units; u++)
        t->start[u + 1] += t->start[u];
    return TACIT_OK;
}

/* ---- trails ---- */

/* Units that agree in the first classes of their paths. */
typedef struct rounds {
    uint32_t *units; /* that are not done */
    int64_t count;
    uint32_t *agreeing; /* a unit each: those with the same number agree */
} rounds;

static tacit_status sort_round(tacit__sorter *sorter, const trails *t, const rounds *r,
                               int64_t round, tacit_error *err)
{
    int shift = class_bits(t);
    uint64_t mask = (UINT64_C(1) << shift) - 1;
    tacit_status status = tacit__sorter_init(
        sorter, r->count, shift + tacit__bits_for((uint64_t)r->count), true, err);
    for (int64_t i = 0; status == TACIT_OK && i < r->count; i++) {
        uint32_t unit = r->units[i];
        uint64_t class = tacit__sorter_key(&t->path, t->start[unit] + round) & mask;
        tacit__sorter_put(sorter, i, (uint64_t)r->agreeing[unit] << shift | class);
        sorter->values[i] = unit;
    }
    return status == TACIT_OK ? tacit__sorter_sort(sorter, t->judge->run, err) : status;
}

/* Numbers those who agree, and settles those who are alone or at the end of their path. */
static void settle_round(trails *t, rounds *r, const tacit__sorter *sorted, int64_t round)
{
    uint32_t number = 0;
    r->count = 0;
    for (int64_t from = 0, end; from < sorted->count; from = end) {
        uint64_t key = tacit__sorter_key(sorted, from);
        for (end = from + 1; end < sorted->count && tacit__sorter_key(sorted, end) == key;)
            end++;
        int64_t ended = -1, before = r->count;
        for (int64_t i = from; i < end; i++) {
            uint32_t unit = (uint32_t)sorted->values[i];
            if (end - from == 1 || length_of(t, unit) == round + 1) {
                ended = ended < 0 ? t->trails++ : ended;
                t->trail_of[unit] = (uint32_t)ended;
            } else {
                r->agreeing[unit] = number;
                r->units[r->count++] = unit;
            }
        }
        number += r->count > before; /* so numbers stay below the count, whose bits are sorted */
    }
}

static tacit_status tell_apart(trails *t, tacit_error *err)
{
    rounds r = {.count = t->units};
    tacit_status status = TACIT_OK;
    t->trail_of = tacit__alloc_array((size_t)t->units, sizeof *t->trail_of);
    r.units = tacit__alloc_array((size_t)t->units, sizeof *r.units);
    r.agreeing = tacit__alloc_zeroed((size_t)t->units, sizeof *r.agreeing);
    if (!t->trail_of || !r.units || !r.agreeing)
        status = tacit__nomem(err);
    for (uint32_t unit = 0; status == TACIT_OK && unit < t->units; unit++)
        r.units[unit] = unit;
    for (int64_t round = 0; status == TACIT_OK && r.count > 0; round++) {
        tacit__sorter sorter = {0};
        status = sort_round(&sorter, t, &r, round, err);
        if (status == TACIT_OK)
            settle_round(t, &r, &sorter, round);
        tacit__sorter_clear(&sorter);
    }
    tacit__free(r.units);
    tacit__free(r.agreeing);
    return status;
}

/* ---- who share them ---- */

/* Lowers what a trail is shared by to its people, where those are fewer than its units. */
static tacit_status count_people_of_trails(trails *t, tacit_error *err)
{
    tacit__judge *judge = t->judge;
    tacit__keys keys = {.rows = t->rows, .run = judge->run};
    uint32_t *people = tacit__alloc_zeroed((size_t)t->trails, sizeof *people);
    uint32_t *trail_of_row = tacit__alloc_array((size_t)t->rows, sizeof *trail_of_row);
    tacit_status status = people && trail_of_row ? TACIT_OK : tacit__nomem(err);
    for (int64_t row = 0; status == TACIT_OK && row < t->rows; row++)
        trail_of_row[row] = t->trail_of[t->unit_of[row]];
    if (status == TACIT_OK)
        status = tacit__keys_add(&keys, (tacit_codes_view){trail_of_row, 4},
                                 (uint32_t)(t->trails - 1), err);
    if (status == TACIT_OK)
        status = tacit__keys_add(&keys, judge->people, judge->people_max, err);
    if (status == TACIT_OK)
        status = tacit__keys_sort(&keys, err);
    if (status == TACIT_OK)
        tacit__keys_compact(&keys, NULL);
    int shift = tacit__bits_for(judge->people_max);
    for (int64_t i = 0; status == TACIT_OK && i < keys.sorter.count; i++)
        people[tacit__sorter_key(&keys.sorter, i) >> shift]++;
    for (int64_t i = 0; status == TACIT_OK && i < t->trails; i++)
        t->sharing[i] = people[i] < t->sharing[i] ? people[i] : t->sharing[i];
    tacit__keys_clear(&keys);
    tacit__free(people);
    tacit__free(trail_of_row);
    return status;
}

static tacit_status count_sharing(trails *t, tacit_error *err)
{
    t->sharing = tacit__alloc_zeroed((size_t)t->trails, sizeof *t->sharing);
    if (!t->sharing)
        return tacit__nomem(err);
    for (int64_t u = 0; u < t->units; u++)
        t->sharing[t->trail_of[u]]++;
    return t->judge->by_person ? count_people_of_trails(t, err) : TACIT_OK;
}

static tacit_trail_verdict measure(const trails *t)
{
    int64_t k = t->judge->promise->k;
    tacit_trail_verdict v = {.checked = true,
                             .column = t->column,
                             .people = t->units,
                             .trails = t->trails,
                             .smallest = t->units};
    for (uint32_t u = 0; u < t->units; u++) {
        int64_t sharing = t->sharing[t->trail_of[u]], rows = length_of(t, u);
        v.smallest = sharing < v.smallest ? sharing : v.smallest;
        v.most_rows = rows > v.most_rows ? rows : v.most_rows;
        v.alone += sharing < 2;
        v.below += sharing < k;
        v.rows_below += sharing < k ? rows : 0;
    }
    return v;
}

static void report_household_trails(const trails *t, const tacit_trail_verdict *v, int64_t row,
                                    const char *names)
{
    tacit__find(t->judge, TACIT_FINDING_TRAIL, row + 1, v->rows_below,
                "%lld of %lld households have members whose rows, taken together, fewer than "
                "k = %lld households have on %s; the first is that of row %lld (line %lld)",
                (long long)v->below, (long long)v->people, (long long)t->judge->promise->k, names,
                (long long)(row + 1), (long long)tacit_table_line(t->judge->release, row));
}

static void report_trails(const trails *t, const tacit_trail_verdict *v)
{
    tacit__judge *judge = t->judge;
    char names[128];
    int64_t row = 0;
    while (t->sharing[t->trail_of[t->unit_of[row]]] >= judge->promise->k)
        row++;
    tacit__name_set(names, sizeof names, judge, t->set);
    if (t->column < 0) {
        report_household_trails(t, v, row, names);
        return;
    }
    tacit__find(judge, TACIT_FINDING_TRAIL, row + 1, v->rows_below,
                "column \"%s\" links the rows of %lld people, and %lld of them have rows that "
                "together fewer than k = %lld share on %s; the first is that of row %lld "
                "(line %lld)",
                tacit__show(judge->columns[t->column].name).text, (long long)v->people,
                (long long)v->below, (long long)judge->promise->k, names, (long long)(row + 1),
                (long long)tacit_table_line(judge->release, row));
}

/* ---- the columns ---- */

static bool is_linking(const tacit__judge *judge, int32_t column)
{
    const tacit__release_column *c = &judge->columns[column];
    if (c->role == TACIT__ATTRIBUTE || c->role == TACIT__REFUSED || c->per_row)
        return false;
    if (c->role == TACIT__PSEUDONYM || column == judge->person_released)
        return true;
    for (int32_t i = 0; i < judge->promise->linking_count; i++)
        if (tacit_strview_equal(c->name, tacit_strview_of(judge->promise->linking[i])))
            return true;
    return false;
}

/* Whether a value stands in several rows. */
static bool repeats(const tacit_table *table, int32_t column)
{
    int64_t rows = tacit_table_rows(table), said = rows;
    uint32_t missing = tacit_table_distinct(table, column);
    tacit_codes_view codes = tacit_table_codes(table, column);
    for (int64_t row = 0; tacit_table_has_missing(table, column) && row < rows; row++)
        said -= tacit_codes_at(codes, row) == missing;
    return said > missing;
}

/* Goes into `worst` where it is worse. */
static tacit_status judge_trails_on(tacit_trail_verdict *worst, trails t, tacit_error *err)
{
    t.rows = tacit_table_rows(t.judge->release);
    tacit_status status = find_classes(&t, err);
    if (status == TACIT_OK)
        status = find_units(&t, err);
    if (status == TACIT_OK)
        status = find_paths(&t, err);
    if (status == TACIT_OK)
        status = tell_apart(&t, err);
    if (status == TACIT_OK)
        status = count_sharing(&t, err);
    if (status == TACIT_OK) {
        tacit_trail_verdict v = measure(&t);
        if (v.below > 0)
            report_trails(&t, &v);
        if (!worst->checked || v.smallest < worst->smallest ||
            (v.smallest == worst->smallest && v.below > worst->below))
            *worst = v;
    }
    trails_clear(&t);
    return status;
}

/* A suppressed cell that agrees with anything leaves no trail that could be counted. */
static void refuse_ambiguous(tacit__judge *judge, int32_t column)
{
    tacit__find(judge, TACIT_FINDING_TRAIL, 0, tacit_table_rows(judge->release),
                "column \"%s\" links rows of one person, and which people they could be together "
                "cannot be told where suppressed cells agree with anything",
                tacit__show(judge->columns[column].name).text);
}

/* Which rows of a household are one person's may tell more than the rows of all its members
 * together, and is not counted. */
static void refuse_within(tacit__judge *judge, int32_t column)
{
    tacit__find(judge, TACIT_FINDING_TRAIL, 0, tacit_table_rows(judge->release),
                "column \"%s\" links some rows of a household, and how its rows fall to its "
                "members is not counted together with the household",
                tacit__show(judge->columns[column].name).text);
}

/* The trails of a column whose values are these codes, in each quasi-identifier. */
static tacit_status judge_column(tacit__judge *judge, int32_t column, tacit_codes_view codes,
                                 uint32_t missing, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (judge->promise->ambiguous && judge->promise->k > 1)
        refuse_ambiguous(judge, column);
    if (judge->promise->household && column != judge->person_released)
        refuse_within(judge, column);
    for (int32_t s = 0; s < judge->verdict->set_count && !judge->promise->ambiguous; s++) {
        trails t = {.judge = judge,
                    .column = column,
                    .codes = codes,
                    .missing = missing,
                    .set = tacit__set_of(judge, s)};
        if (status == TACIT_OK)
            status = judge_trails_on(&judge->verdict->trails, t, err);
    }
    return status;
}

static tacit_status judge_linking(tacit__judge *judge, int32_t column, tacit_error *err)
{
    const tacit_table *release = judge->release;
    if (!tacit_table_is_coded(release, column))
        return tacit__error_at(err, TACIT_INVALID, tacit_table_file(release), 0, 0,
                               "column \"%s\" must be coded to be judged",
                               tacit__show(judge->columns[column].name).text);
    return repeats(release, column)
               ? judge_column(judge, column, tacit_table_codes(release, column),
                              tacit_table_distinct(release, column), err)
               : TACIT_OK;
}

static tacit_status judge_disguised(tacit__judge *judge, int32_t column, tacit_error *err)
{
    tacit__disguised found;
    tacit_status status = tacit__disguised_find(&found, judge, column, err);
    if (status == TACIT_OK && found.codes)
        status = judge_column(judge, column, (tacit_codes_view){found.codes, 4}, found.values, err);
    tacit__free(found.codes);
    return status;
}

tacit_status tacit__judge_trails(tacit__judge *judge, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < tacit_table_columns(judge->release) && status == TACIT_OK; i++)
        status =
            is_linking(judge, i) ? judge_linking(judge, i, err) : judge_disguised(judge, i, err);
    return status;
}

tacit_status tacit__judge_household_trails(tacit__judge *judge, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (!judge->promise->household || !judge->by_person || tacit_table_rows(judge->release) == 0)
        return TACIT_OK;
    for (int32_t s = 0; s < judge->verdict->set_count && status == TACIT_OK; s++) {
        trails t = {.judge = judge,
                    .column = -1,
                    .codes = judge->people,
                    .missing = judge->people_missing,
                    .set = tacit__set_of(judge, s)};
        status = judge_trails_on(&judge->verdict->households, t, err);
    }
    return status;
}
