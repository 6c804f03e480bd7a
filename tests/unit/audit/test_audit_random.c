/*
 * test_audit_random.c - the judge against definitions, on thousands of small
 * random tables and releases, honest and tampered with.
 *
 * The other side of the comparison works on text alone: classes are found by
 * comparing every row with every other, generalizations by going through the
 * hierarchy's levels, and whether a release can come from the original at all
 * by looking for a perfect matching of rows (augmenting paths).
 *
 * Where rows correspond, the judge must find exactly the kinds that the
 * definitions say. Where they do not, it must find nothing in whatever has a
 * matching; what it calls matched must have one; and where every attribute is
 * on one level, whatever has none must be found.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit_case.h"
#include "random_cases.h"

#define KIND(k) (1u << TACIT_FINDING_##k)

enum { MAX_ROWS = 14, MAX_ATTRIBUTES = 3, CELL = 8, CASES = 1000 };

typedef struct row {
    char person[CELL];
    char attribute[MAX_ATTRIBUTES][CELL];
    char carried[CELL];
} row;

typedef struct world {
    uint64_t random;
    int attributes;
    int rows, released;
    row original[MAX_ROWS], release[MAX_ROWS + 1];
    uint32_t order[MAX_ROWS + 1];
    bool masked[MAX_ATTRIBUTES];
    bool with_person, rows_are_people, person_released, dropped;
    int64_t k;
    uint64_t sets[2];
    int set_count;
    char original_csv[4096], release_csv[4096];
    tacit_table *table; /* the original, for hierarchies */
    tacit_hierarchy *hierarchies[MAX_ATTRIBUTES];
} world;

static const char *const NAMES[] = {"a", "b", "c"};

static uint32_t draw(world *w, uint32_t below)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (uint32_t)(w->random >> 33) % below;
}

static const char *label(const world *w, int attribute, const char *value, int level)
{
    static char out[64];
    const tacit_hierarchy *h = w->hierarchies[attribute];
    int32_t column = tacit_table_find(w->table, tacit_strview_of(NAMES[attribute]));
    uint32_t code = 0, distinct = tacit_table_distinct(w->table, column);
    while (code < distinct &&
           !tacit_strview_equal(tacit_table_value(w->table, column, code), tacit_strview_of(value)))
        code++;
    uint32_t number = tacit_hierarchy_map(h, level)[code];
    if (number == tacit_hierarchy_count(h, level))
        return "";
    tacit_strview text = tacit_hierarchy_label(h, level, number);
    snprintf(out, sizeof out, "%.*s", (int)text.len, text.bytes);
    return out;
}

static int height(const world *w, int attribute)
{
    return tacit_hierarchy_height(w->hierarchies[attribute]);
}

/* ---- making worlds ---- */

static void random_value(world *w, int attribute, char *out)
{
    static const char *const plain[] = {"u", "v", "*", ""};
    static const char *const digits[] = {"11", "12", "21", "1", "1*", ""};
    if (w->masked[attribute])
        strcpy(out, digits[draw(w, 6)]);
    else
        strcpy(out, plain[draw(w, 8) < 6 ? draw(w, 2) : 2 + draw(w, 2)]);
}

static void random_carried(world *w, char *out)
{
    static const char *const values[] = {"x", "y", "\"x\"", ""};
    strcpy(out, values[draw(w, 4)]);
}

static void print_csv(const world *w, char *out, const row *rows, int count, bool person)
{
    char *at = out + sprintf(out, "%s", person ? "p," : "");
    for (int a = 0; a < w->attributes; a++)
        at += sprintf(at, "%s,", NAMES[a]);
    at += sprintf(at, "n\n");
    for (int i = 0; i < count; i++) {
        if (person)
            at += sprintf(at, "%s,", rows[i].person);
        for (int a = 0; a < w->attributes; a++)
            at += sprintf(at, "%s,", rows[i].attribute[a]);
        at += sprintf(at, "%s\n", rows[i].carried);
    }
}

static void make_original(world *w)
{
    w->attributes = 1 + (int)draw(w, MAX_ATTRIBUTES);
    w->rows = (int)draw(w, MAX_ROWS + 1);
    w->with_person = draw(w, 2);
    w->rows_are_people = !w->with_person && draw(w, 2);
    w->person_released = w->with_person && draw(w, 2);
    w->dropped = draw(w, 2);
    w->k = 1 + draw(w, 3);
    w->set_count = (int)draw(w, 3);
    for (int i = 0; i < w->set_count; i++)
        w->sets[i] = 1 + draw(w, (1u << w->attributes) - 1);
    for (int a = 0; a < w->attributes; a++)
        w->masked[a] = draw(w, 2);
    for (int i = 0; i < w->rows; i++) {
        sprintf(w->original[i].person, "%c", "0123456"[draw(w, 7)]);
        for (int a = 0; a < w->attributes; a++)
            random_value(w, a, w->original[i].attribute[a]);
        random_carried(w, w->original[i].carried);
    }
    print_csv(w, w->original_csv, w->original, w->rows, true);
    w->table = case_table(&(audit_case){0}, w->original_csv);
    for (int a = 0; a < w->attributes; a++)
        assert_int_equal(tacit_hierarchy_new(
                             &w->hierarchies[a], w->masked[a] ? &CASE_MASK : &CASE_NONE, w->table,
                             tacit_table_find(w->table, tacit_strview_of(NAMES[a])), NULL),
                         TACIT_OK);
}

static bool suppressed(const world *w, const row *r)
{
    for (int a = 0; a < w->attributes; a++)
        if (strcmp(r->attribute[a], "*") != 0)
            return false;
    return true;
}

static void shuffle(world *w)
{
    for (int i = w->released - 1; i > 0; i--) {
        int j = (int)draw(w, (uint32_t)i + 1);
        row r = w->release[i];
        uint32_t o = w->order[i];
        w->release[i] = w->release[j];
        w->order[i] = w->order[j];
        w->release[j] = r;
        w->order[j] = o;
    }
}

/* A release with one level for each attribute, or one for each cell. */
static void make_release(world *w)
{
    int levels[MAX_ATTRIBUTES];
    bool by_cell = draw(w, 4) == 0;
    uint32_t lost = draw(w, 3);
    for (int a = 0; a < w->attributes; a++)
        levels[a] = (int)draw(w, (uint32_t)height(w, a) + 1);
    for (int i = 0; i < w->rows; i++) {
        row r = w->original[i];
        bool gone = lost && draw(w, 4) < lost;
        if (gone && w->dropped)
            continue;
        for (int a = 0; a < w->attributes; a++) {
            int level = by_cell ? (int)draw(w, (uint32_t)height(w, a) + 1) : levels[a];
            strcpy(r.attribute[a], gone ? "*" : label(w, a, w->original[i].attribute[a], level));
        }
        w->order[w->released] = (uint32_t)i;
        w->release[w->released++] = r;
    }
    if (draw(w, 2))
        shuffle(w);
}

static void tamper(world *w)
{
    if (!w->released)
        return;
    row *r = &w->release[draw(w, (uint32_t)w->released)];
    row *other = &w->release[draw(w, (uint32_t)w->released)];
    int a = (int)draw(w, (uint32_t)w->attributes);
    switch (draw(w, 8)) {
    case 0: random_value(w, a, r->attribute[a]); break;
    case 1: memmove(r->attribute[a], other->attribute[a], CELL); break;
    case 2: strcpy(r->attribute[a], "*"); break;
    case 3: random_carried(w, r->carried); break;
    case 4: {
        char kept[CELL];
        strcpy(kept, r->carried);
        memmove(r->carried, other->carried, CELL);
        strcpy(other->carried, kept);
        break;
    }
    case 5: w->released--; break;
    case 6:
        w->order[w->released] = draw(w, MAX_ROWS);
        w->release[w->released++] = *other;
        break;
    case 7: w->order[r - w->release] = w->order[other - w->release]; break;
    }
}

/* ---- the definitions ---- */

static const char *text(const char *cell, char *out)
{
    size_t len = strlen(cell);
    if (len >= 2 && cell[0] == '"')
        snprintf(out, CELL, "%.*s", (int)len - 2, cell + 1);
    else
        snprintf(out, CELL, "%s", cell);
    return out;
}

static bool same_carried(const row *a, const row *b)
{
    char left[CELL], right[CELL];
    return strcmp(text(a->carried, left), text(b->carried, right)) == 0;
}

static bool may_be(const world *w, int attribute, const char *value, const char *released)
{
    for (int level = 0; level <= height(w, attribute); level++)
        if (strcmp(label(w, attribute, value, level), released) == 0)
            return true;
    return false;
}

static bool values_fit(const world *w, const row *original, const row *released)
{
    if (suppressed(w, released))
        return true;
    for (int a = 0; a < w->attributes; a++)
        if (!may_be(w, a, original->attribute[a], released->attribute[a]))
            return false;
    return true;
}

static bool valid_order(const world *w)
{
    for (int i = 0; i < w->released; i++) {
        if (w->order[i] >= (uint32_t)w->rows)
            return false;
        for (int j = 0; j < i; j++)
            if (w->order[i] == w->order[j])
                return false;
    }
    return true;
}

/* Different people (or all rows) among those marked. */
static int people(const world *w, const char *const *person, const bool *marked, int count)
{
    int found = 0;
    for (int i = 0; i < count; i++) {
        bool seen = false;
        for (int j = 0; j < i && w->with_person && person; j++)
            seen |= marked[j] && strcmp(person[i], person[j]) == 0;
        found += marked[i] && !seen;
    }
    return found;
}

static bool same_on(const world *w, const row *a, const row *b, uint64_t set)
{
    for (int i = 0; i < w->attributes; i++)
        if ((set >> i & 1) && strcmp(a->attribute[i], b->attribute[i]) != 0)
            return false;
    return true;
}

typedef struct expected {
    unsigned kinds;
    int64_t smallest[2], below[2], classes[2];
} expected;

/* Whether two rows of the release are linked by the person column. */
static bool linked(const world *w, int i, int j)
{
    return i == j || strcmp(w->release[i].person, w->release[j].person) == 0;
}

/* How many rows that are linked to row i say the same as a row. */
static int occurrences(const world *w, int i, const row *said, uint64_t set)
{
    int count = 0;
    for (int j = 0; j < w->released; j++)
        count += linked(w, i, j) && same_on(w, &w->release[j], said, set);
    return count;
}

/* Whether those who are linked to two rows say the same together. */
static bool same_trail(const world *w, int i, int j, uint64_t set)
{
    for (int r = 0; r < w->released; r++)
        if ((linked(w, i, r) || linked(w, j, r)) &&
            occurrences(w, i, &w->release[r], set) != occurrences(w, j, &w->release[r], set))
            return false;
    return true;
}

/* Rows that are linked, on one quasi-identifier: fewer than k values of the column, or people. */
static void expect_trails(const world *w, const char *const *person, uint64_t set, expected *e)
{
    bool repeated = false;
    for (int i = 0; i < w->released; i++)
        for (int j = 0; j < i; j++)
            repeated |= linked(w, i, j);
    for (int i = 0; i < w->released && repeated; i++) {
        bool same[MAX_ROWS + 1];
        int units = 0;
        for (int j = 0; j < w->released; j++) {
            bool first = true;
            same[j] = same_trail(w, i, j, set);
            for (int h = 0; h < j; h++)
                first &= !linked(w, h, j);
            units += same[j] && first;
        }
        if (units < w->k || people(w, person, same, w->released) < w->k)
            e->kinds |= KIND(TRAIL);
    }
}

/* k and suppressed rows, with people as given (NULL: rows). */
static void expect_classes(const world *w, const char *const *person, expected *e)
{
    bool hidden[MAX_ROWS + 1];
    int lost = 0;
    for (int i = 0; i < w->released; i++)
        lost += hidden[i] = suppressed(w, &w->release[i]);
    if (lost && people(w, person, hidden, w->released) < w->k)
        e->kinds |= KIND(SUPPRESSED);
    uint64_t all = (1u << w->attributes) - 1;
    for (int s = 0; s < (w->set_count ? w->set_count : 1); s++) {
        uint64_t set = w->set_count ? w->sets[s] : all;
        if (w->person_released)
            expect_trails(w, person, set, e);
        for (int i = 0; i < w->released; i++) {
            bool class[MAX_ROWS + 1], first = true, only_hidden = true;
            for (int j = 0; j < w->released; j++) {
                class[j] = same_on(w, &w->release[i], &w->release[j], set);
                first &= !(class[j] && j < i);
                only_hidden &= !class[j] || hidden[j];
            }
            int size = people(w, person, class, w->released);
            e->classes[s] += first;
            if (first && (e->smallest[s] == 0 || size < e->smallest[s]))
                e->smallest[s] = size;
            e->below[s] += size < w->k;
            if (size < w->k && !only_hidden)
                e->kinds |= KIND(K);
        }
    }
}

/* Where nobody says whose the rows are, k different values of what was dropped in every class of k
 * rows; unless every row is a person whatever it says. */
static void expect_values(const world *w, expected *e)
{
    uint64_t all = (1u << w->attributes) - 1;
    for (int s = 0; s < (w->set_count ? w->set_count : 1); s++)
        for (int i = 0; i < w->released; i++) {
            int size = 0, values = 0;
            for (int j = 0; j < w->released; j++) {
                uint64_t set = w->set_count ? w->sets[s] : all;
                bool same = same_on(w, &w->release[i], &w->release[j], set), first = same;
                for (int h = 0; h < j; h++)
                    first &= !same_on(w, &w->release[i], &w->release[h], set) ||
                             strcmp(w->original[w->order[h]].person,
                                    w->original[w->order[j]].person) != 0;
                size += same;
                values += first;
            }
            if (size >= w->k && values < w->k)
                e->kinds |= KIND(PERSON);
        }
}

static void expect_rows(const world *w, bool corresponds, expected *e)
{
    if (w->released > w->rows)
        e->kinds |= KIND(ROWS);
    if (w->released >= w->rows)
        return;
    if (!w->dropped) {
        e->kinds |= KIND(ROWS);
        return;
    }
    const char *person[MAX_ROWS];
    bool left[MAX_ROWS];
    for (int i = 0; i < w->rows; i++) {
        person[i] = w->original[i].person;
        left[i] = true;
    }
    for (int i = 0; corresponds && i < w->released; i++)
        left[w->order[i]] = false;
    int out = corresponds ? people(w, person, left, w->rows) : w->rows - w->released;
    if (out < w->k)
        e->kinds |= KIND(SUPPRESSED);
}

static bool augment(const world *w, int i, bool *visited, int *owner)
{
    for (int o = 0; o < w->rows; o++) {
        if (visited[o] || !same_carried(&w->original[o], &w->release[i]) ||
            !values_fit(w, &w->original[o], &w->release[i]))
            continue;
        visited[o] = true;
        if (owner[o] < 0 || augment(w, owner[o], visited, owner)) {
            owner[o] = i;
            return true;
        }
    }
    return false;
}

static bool has_matching(const world *w)
{
    int owner[MAX_ROWS];
    for (int o = 0; o < w->rows; o++)
        owner[o] = -1;
    for (int i = 0; i < w->released; i++) {
        bool visited[MAX_ROWS] = {false};
        if (!augment(w, i, visited, owner))
            return false;
    }
    return true;
}

/* Whether some level has every released value that is not suppressed, and no
 * value of the original becomes one of them on other levels only. */
static bool on_one_level(const world *w, int a)
{
    for (int level = 0; level <= height(w, a); level++) {
        bool all = true;
        for (int i = 0; i < w->released; i++) {
            const char *value = w->release[i].attribute[a];
            bool hidden = suppressed(w, &w->release[i]), there = hidden;
            for (int o = 0; o < w->rows; o++) {
                const char *ground = w->original[o].attribute[a];
                bool here = strcmp(label(w, a, ground, level), value) == 0;
                there |= here;
                all &= hidden || here || !may_be(w, a, ground, value);
            }
            all &= there;
        }
        if (all)
            return true;
    }
    return false;
}

/* ---- the comparison ---- */

static audit_case case_of(world *w)
{
    audit_case c = {.promise = {.k = w->k, .suppressed_dropped = w->dropped}};
    c.promise.person = w->with_person ? "p" : NULL;
    c.promise.rows_are_people = w->rows_are_people;
    c.promise.sets = w->set_count ? w->sets : NULL;
    c.promise.set_count = w->set_count;
    c.original = w->original_csv;
    c.release = w->release_csv;
    return c;
}

static void promise(audit_case *c, const world *w)
{
    for (int a = 0; a < w->attributes; a++)
        case_attribute(c, NAMES[a], w->masked[a] ? &CASE_MASK : &CASE_NONE);
    if (!w->person_released)
        case_identifier(c, "p", false);
}

static void compare_sets(const tacit_verdict *v, const expected *e)
{
    for (int s = 0; s < v->set_count; s++) {
        assert_int_equal(v->sets[s].classes, e->classes[s]);
        assert_int_equal(v->sets[s].smallest, e->smallest[s]);
        assert_int_equal(v->sets[s].rows_below, e->below[s]);
    }
}

static void check_known(world *w)
{
    audit_case c = case_of(w);
    promise(&c, w);
    c.order = w->order;
    bool valid = valid_order(w) && w->released <= w->rows;
    tacit_verdict *v = case_judge(&c);
    if (!valid) {
        assert_true(verdict_kinds(v) & KIND(ROWS));
        assert_false(v->rows_matched);
        tacit_verdict_free(v);
        return;
    }
    expected e = {0};
    const char *person[MAX_ROWS + 1];
    for (int i = 0; i < w->released; i++) {
        const row *original = &w->original[w->order[i]];
        person[i] = original->person;
        if (!values_fit(w, original, &w->release[i]))
            e.kinds |= KIND(VALUE);
        if (!same_carried(original, &w->release[i]) ||
            (w->person_released && strcmp(original->person, w->release[i].person) != 0))
            e.kinds |= KIND(CHANGED);
    }
    expect_classes(w, w->with_person ? person : NULL, &e);
    if (!w->with_person && !w->rows_are_people && w->k > 1)
        expect_values(w, &e);
    expect_rows(w, true, &e);
    assert_int_equal(verdict_kinds(v), e.kinds);
    assert_int_equal(v->people_counted, w->with_person);
    assert_int_equal(v->rows_matched, !(e.kinds & (KIND(VALUE) | KIND(ROWS) | KIND(CHANGED))));
    compare_sets(v, &e);
    tacit_verdict_free(v);
}

static void check_unknown(world *w)
{
    audit_case c = case_of(w);
    promise(&c, w);
    expected e = {0};
    const char *person[MAX_ROWS + 1];
    for (int i = 0; i < w->released; i++)
        person[i] = w->release[i].person;
    expect_classes(w, w->with_person && w->person_released ? person : NULL, &e);
    expect_rows(w, false, &e);
    tacit_verdict *v = case_judge(&c);
    unsigned about_rows = KIND(VALUE) | KIND(ROWS) | KIND(CHANGED);
    unsigned kinds = verdict_kinds(v);
    assert_int_equal(kinds & ~about_rows, e.kinds & ~about_rows);
    assert_int_equal(v->people_counted, w->with_person && w->person_released);
    compare_sets(v, &e);
    if (w->person_released) { /* carried too, which the matching below does not look at */
        tacit_verdict_free(v);
        return;
    }
    bool level = true, matching = has_matching(w);
    for (int a = 0; a < w->attributes; a++)
        level &= on_one_level(w, a);
    if (matching)
        assert_int_equal(kinds & about_rows, e.kinds & about_rows);
    if (matching && level && !(e.kinds & KIND(ROWS)))
        assert_true(v->rows_matched);
    if (v->rows_matched)
        assert_true(matching);
    if (!matching && level)
        assert_true(kinds & about_rows);
    tacit_verdict_free(v);
}

static void clear(world *w)
{
    for (int a = 0; a < w->attributes; a++)
        tacit_hierarchy_free(w->hierarchies[a]);
    tacit_table_free(w->table);
}

static void test_against_definitions(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= many_cases(CASES); seed++) {
        world w = {.random = seed * UINT64_C(0x9E3779B97F4A7C15)};
        make_original(&w);
        make_release(&w);
        for (uint32_t times = draw(&w, 3); times > 0 && w.released <= MAX_ROWS; times--)
            tamper(&w);
        print_csv(&w, w.release_csv, w.release, w.released, w.person_released);
        check_known(&w);
        check_unknown(&w);
        clear(&w);
    }
}

static void test_threads(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 7};
    for (uint64_t seed = 1; seed <= many_cases(200); seed++) {
        world w = {.random = seed * UINT64_C(0xD1342543DE82EF95)};
        make_original(&w);
        make_release(&w);
        tamper(&w);
        print_csv(&w, w.release_csv, w.release, w.released, w.person_released);
        tacit_verdict *verdicts[3];
        for (int t = 0; t < 3; t++) {
            audit_case c = case_of(&w);
            promise(&c, &w);
            c.order = seed % 2 ? w.order : NULL;
            c.threads = threads[t];
            verdicts[t] = case_judge(&c);
        }
        for (int t = 1; t < 3; t++) {
            assert_int_equal(verdicts[t]->finding_count, verdicts[0]->finding_count);
            assert_memory_equal(verdicts[t]->findings, verdicts[0]->findings,
                                sizeof verdicts[0]->findings);
            assert_memory_equal(verdicts[t]->sets, verdicts[0]->sets,
                                (size_t)verdicts[0]->set_count * sizeof *verdicts[0]->sets);
        }
        for (int t = 0; t < 3; t++)
            tacit_verdict_free(verdicts[t]);
        clear(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_definitions),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
