/*
 * test_households_random.c - households on thousands of small random releases, against the
 * definitions, every two households compared row by row: what the judge finds, whether or not the
 * release was made to keep its promise; that what is the household's is raised to the highest level
 * of its members and no further; and that nothing is found once households are kept.
 */
#include "audit_case.h"
#include "records.h"

#include <tacit/experimental/trails.h>

#include "random_cases.h"

enum { MAX_ROWS = 14, ATTRIBUTES = 3, CASES = 4000 };

static const uint64_t OF_HOUSEHOLD = 1; /* bits: the first */

typedef struct world {
    fixture f;
    tacit_rowwise *release;
    tacit_records_options options;
    int rows;
    int household[MAX_ROWS], person[MAX_ROWS]; /* -1: none */
    int values[MAX_ROWS][ATTRIBUTES];
    char original[2048];
} world;

static void draw_rows(world *w, uint64_t *state)
{
    uint32_t households = 1 + next_number(state, 6), values = 1 + next_number(state, 2);
    bool stray = next_number(state, 9) == 0; /* somebody in two households */
    char *at = w->original + sprintf(w->original, "h,p,a,b,c\n");
    for (int i = 0; i < w->rows; i++) {
        int home = w->household[i] = (int)next_number(state, households);
        w->person[i] = (int)next_number(state, 3) + (stray ? 0 : 3 * home);
        w->values[i][0] = home % 2;
        for (int a = 1; a < ATTRIBUTES; a++)
            w->values[i][a] = (int)next_number(state, values);
        if (next_number(state, 20) == 0)
            w->household[i] = w->person[i] = -1;
        at +=
            home == w->household[i] ? sprintf(at, "h%d,p%d", home, w->person[i]) : sprintf(at, ",");
        for (int a = 0; a < ATTRIBUTES; a++)
            at += sprintf(at, ",v%d", w->values[i][a]);
        at += sprintf(at, "\n");
    }
}

static void open_world(world *w, uint64_t seed)
{
    uint64_t state = seed * UINT64_C(0x9E3779B97F4A7C15);
    static const int GROUND[ATTRIBUTES];
    w->rows = 1 + (int)next_number(&state, MAX_ROWS);
    draw_rows(w, &state);
    fixture_open(&w->f, w->original);
    fixture_none(&w->f, "a");
    fixture_none(&w->f, "b");
    fixture_none(&w->f, "c");
    w->f.frame.person = 0;
    w->f.frame.households = true;
    w->options = (tacit_records_options){.k = 2 + next_number(&state, 2),
                                         .max_suppressed = w->rows,
                                         .drop_suppressed = next_number(&state, 2)};
    tacit_solution solution = {.attribute_count = ATTRIBUTES, .levels = (int *)GROUND};
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(tacit_classes_new(&solution.classes, &w->f.frame, GROUND, &run, NULL),
                     TACIT_OK);
    solution.suppressed = calloc((size_t)tacit_classes_count(solution.classes) + 1, 8);
    assert_int_equal(tacit_rowwise_of(&w->release, &solution, &w->f.frame, &run, NULL), TACIT_OK);
    tacit_classes_free(solution.classes);
    free(solution.suppressed);
    uint32_t coarse = 1 + next_number(&state, 4);
    for (int i = 0; i < w->rows; i++) {
        uint8_t *levels = w->release->levels + i * ATTRIBUTES;
        for (int a = 0; a < ATTRIBUTES; a++)
            levels[a] = next_number(&state, 4) < coarse;
        if (levels[0] && levels[1] && levels[2])
            w->release->suppressed[0] |= UINT64_C(1) << i;
    }
}

static void close_world(world *w)
{
    tacit_rowwise_free(w->release);
    fixture_close(&w->f);
}

/* ---- the definitions ---- */

static bool suppressed(const world *w, int row)
{
    return w->release->suppressed[0] >> row & 1;
}

static bool shown(const world *w, int row)
{
    return !w->options.drop_suppressed || !suppressed(w, row);
}

/* What the release says of an attribute: -1 where it is suppressed. */
static int said(const world *w, int row, int a)
{
    return w->release->levels[row * ATTRIBUTES + a] ? -1 : w->values[row][a];
}

static bool same_row(const world *w, int i, int j)
{
    for (int a = 0; a < ATTRIBUTES; a++)
        if (said(w, i, a) != said(w, j, a))
            return false;
    return true;
}

static bool linked(const world *w, int i, int j)
{
    return i == j || (w->household[i] >= 0 && w->household[i] == w->household[j]);
}

static int occurrences(const world *w, int of, int row)
{
    int count = 0;
    for (int i = 0; i < w->rows; i++)
        count += shown(w, i) && linked(w, of, i) && same_row(w, i, row);
    return count;
}

static bool same_trail(const world *w, int i, int j)
{
    for (int row = 0; row < w->rows; row++)
        if (shown(w, row) && occurrences(w, i, row) != occurrences(w, j, row))
            return false;
    return true;
}

/* Households of marked rows; those of rows without one are one. */
static int households(const world *w, const bool *marked)
{
    int count = 0;
    for (int i = 0; i < w->rows; i++) {
        bool first = marked[i];
        for (int j = 0; j < i; j++)
            first &= !marked[j] || w->household[j] != w->household[i];
        count += first;
    }
    return count;
}

static bool any_class_below(const world *w, bool (*same)(const world *, int, int), bool blank)
{
    for (int i = 0; i < w->rows; i++) {
        bool marked[MAX_ROWS];
        if (!shown(w, i) || (blank && suppressed(w, i)))
            continue;
        for (int j = 0; j < w->rows; j++)
            marked[j] = shown(w, j) && same(w, i, j);
        if (households(w, marked) < w->options.k)
            return true;
    }
    return false;
}

/* Rows of which everything is suppressed, released or not. */
static bool suppressed_below(const world *w)
{
    bool marked[MAX_ROWS], any = false;
    for (int i = 0; i < w->rows; i++)
        any |= marked[i] = suppressed(w, i);
    return any && households(w, marked) < w->options.k;
}

static bool differs_within(const world *w)
{
    for (int i = 0; i < w->rows; i++)
        for (int j = 0; j < i; j++)
            if (linked(w, i, j) && !suppressed(w, i) && !suppressed(w, j) &&
                said(w, i, 0) != said(w, j, 0))
                return true;
    return false;
}

static bool is_stray(const world *w)
{
    for (int i = 0; i < w->rows; i++)
        for (int j = 0; j < i; j++)
            if (w->person[i] >= 0 && w->person[i] == w->person[j] &&
                w->household[i] != w->household[j])
                return true;
    return false;
}

static unsigned expected_kinds(const world *w)
{
    return (unsigned)any_class_below(w, same_row, true) << TACIT_FINDING_K |
           (unsigned)suppressed_below(w) << TACIT_FINDING_SUPPRESSED |
           (unsigned)any_class_below(w, same_trail, false) << TACIT_FINDING_TRAIL |
           (unsigned)differs_within(w) << TACIT_FINDING_HOUSEHOLD |
           (unsigned)is_stray(w) << TACIT_FINDING_PERSON;
}

/* ---- the judge ---- */

static unsigned judged_kinds(const world *w)
{
    char release[1024], *at = release + sprintf(release, "a,b,c\n");
    uint32_t order[MAX_ROWS], count = 0;
    audit_case c = {.promise = {.k = w->options.k,
                                .household = "h",
                                .person = "p",
                                .of_household = &OF_HOUSEHOLD,
                                .suppressed_dropped = w->options.drop_suppressed},
                    .original = w->original,
                    .release = release,
                    .order = order};
    case_attribute(&c, "a", &CASE_NONE);
    case_attribute(&c, "b", &CASE_NONE);
    case_attribute(&c, "c", &CASE_NONE);
    case_identifier(&c, "h", false);
    case_identifier(&c, "p", false);
    for (int i = w->rows; i-- > 0;) { /* backwards: the order is to be followed */
        if (!shown(w, i))
            continue;
        order[count++] = (uint32_t)i;
        for (int a = 0; a < ATTRIBUTES; a++)
            at += said(w, i, a) < 0 ? sprintf(at, "%s*", a ? "," : "")
                                    : sprintf(at, "%sv%d", a ? "," : "", said(w, i, a));
        at += sprintf(at, "\n");
    }
    return count > 0 ? case_kinds(&c) : expected_kinds(w);
}

static void test_judged(void **state)
{
    uint64_t *seed = *state;
    int held = 0, broken = 0;
    for (*seed = 1; *seed <= many_cases(CASES); ++*seed) {
        world w = {0};
        open_world(&w, *seed);
        unsigned expected = expected_kinds(&w);
        assert_int_equal(judged_kinds(&w), expected);
        held += expected == 0;
        broken += expected != 0;
        close_world(&w);
    }
    assert_true(held > 0 && broken > 0);
    *seed = 0;
}

/* ---- the method ---- */

/* Of members that are not suppressed, the highest level that any of them had. */
static int highest(const world *w, const uint8_t *before, const uint64_t gone, int row)
{
    int level = 0;
    for (int i = 0; i < w->rows; i++)
        if (linked(w, row, i) && !(gone >> i & 1) && before[i * ATTRIBUTES] > level)
            level = before[i * ATTRIBUTES];
    return level;
}

static void check_aligned(world *w)
{
    uint8_t before[MAX_ROWS * ATTRIBUTES];
    uint64_t gone = w->release->suppressed[0];
    memcpy(before, w->release->levels, (size_t)w->rows * ATTRIBUTES);
    assert_int_equal(tacit_households_align(w->release, &w->f.frame, &OF_HOUSEHOLD, NULL),
                     TACIT_OK);
    assert_false(differs_within(w));
    for (int i = 0; i < w->rows; i++)
        if (!(gone >> i & 1)) {
            const uint8_t *now = w->release->levels + i * ATTRIBUTES;
            assert_int_equal(now[0], highest(w, before, gone, i));
            assert_memory_equal(now + 1, before + i * ATTRIBUTES + 1, ATTRIBUTES - 1);
            assert_int_equal(suppressed(w, i), now[0] && now[1] && now[2]);
        }
}

static void test_kept(void **state)
{
    uint64_t *seed = *state;
    int kept = 0;
    for (*seed = 1; *seed <= many_cases(CASES); ++*seed) {
        world w = {0};
        tacit_error err = {0};
        open_world(&w, *seed);
        tacit_status status = tacit_households_check(&w.f.frame, 1, &OF_HOUSEHOLD, &err);
        assert_int_equal(status, is_stray(&w) ? TACIT_INVALID : TACIT_OK);
        check_aligned(&w);
        status = tacit_trails_keep(w.release, NULL, &w.f.frame, &w.options, &err);
        if (status == TACIT_OK && !is_stray(&w)) {
            kept++;
            assert_int_equal(expected_kinds(&w), 0);
            assert_int_equal(judged_kinds(&w), 0);
        }
        close_world(&w);
    }
    assert_true(kept > 0);
    *seed = 0;
}

/* What is said to be the household's and is not, with its line. */
static void test_checked(void **state)
{
    (void)state;
    fixture f;
    tacit_error err = {0};
    fixture_open(&f, "h,a\n1,x\n2,y\n1,x\n2,z\n");
    fixture_none(&f, "a");
    f.frame.person = 0;
    assert_int_equal(tacit_households_check(&f.frame, -1, NULL, &err), TACIT_OK);
    assert_int_equal(tacit_households_check(&f.frame, -1, &(uint64_t){1}, &err), TACIT_INVALID);
    assert_int_equal(err.line, 5);
    fixture_close(&f);
}

int main(void)
{
    static uint64_t judged, made;
    const struct CMUnitTest tests[] = {
        random_test(test_judged, &judged),
        random_test(test_kept, &made),
        cmocka_unit_test(test_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
