/*
 * test_round.c - rounding on small tables: nearest and random multiples, bases with decimals,
 * signs, what is refused, tables without a rounding next to their values, and work that is stopped.
 */
#include "tables.h"

#include "rounding.h"

static tacit_alter_options base_of(double base)
{
    tacit_alter_options options;
    tacit_alter_options_init(&options);
    options.base = base;
    return options;
}

/* One dimension: the total, then the parts. */
static tacit_cells *column_of(const char *values, bool negative)
{
    static char text[4096];
    char *copy = strdup(values), *rest = copy, *save = NULL;
    int at = sprintf(text, "d,value\n"), row = 0;
    for (char *word; (word = strtok_r(rest, " ", &save)); rest = NULL)
        at += sprintf(text + at, "r%d,%s\n", row++, word);
    free(copy);
    table_spec *spec = spec_of("d");
    spec->spec.value = "value";
    spec->spec.negative = negative;
    return cells_of(text, &spec->spec, tacit_cells_from_table);
}

static void check_column(const char *values, double base, bool negative, const char *method,
                         const char *expected)
{
    tacit_cells *cells = column_of(values, negative);
    tacit_alter_options options = base_of(base);
    tacit_altered altered = altered_by(cells, method, &options, 1, 1);
    char text[1024];
    int at = 0;
    for (int32_t i = 0; i < cells->count; i++)
        at += sprintf(text + at, "%s%.17g", i ? " " : "", altered.value[i]);
    assert_string_equal(text, expected);
    check_rounded(cells, &altered, &options);
    tacit_altered_clear(&altered);
    tacit_cells_free(cells);
}

static void test_nearest(void **state)
{
    (void)state;
    check_column("1 2 3 4 5", 5, false, "round", "15 0 0 5 5 5");
    /* halves go away from 0 */
    check_column("5 15 1", 10, false, "round", "20 10 20 0");
    check_column("-5 -15 1", 10, true, "round", "-20 -10 -20 0");
    /* decimals are written as they should be, and what is a multiple stays */
    check_column("0.1 0.2 0.31", 0.1, false, "round",
                 "0.59999999999999998 0.10000000000000001 "
                 "0.20000000000000001 0.29999999999999999");
    check_column("0.3 0.6", 0.3, false, "round",
                 "0.90000000000000002 0.29999999999999999 0.59999999999999998");
    /* remainders of large values are exact */
    check_column("10000000003 1", 5, false, "round", "10000000005 10000000005 0");
    check_column("1.2 3.9", 2.5, false, "round", "5 0 5");
}

static void test_counts(void **state)
{
    (void)state;
    tacit_cells *cells = column_of("1 1 1 5", false);
    tacit_alter_options options = base_of(5);
    tacit_altered altered = altered_by(cells, "round", &options, 1, 1);
    assert_int_equal(altered.changed, 4); /* 8 to 10, three to 0 */
    assert_int_equal(altered.broken, 1);
    assert_int_equal(altered.far, 0);
    assert_true(fabs(altered.distance - 5) < 1e-9 && altered.proven);
    assert_true(altered.reach == 2.5 && !altered.within);
    tacit_altered_clear(&altered);
    tacit_cells_free(cells);
}

static void test_controlled(void **state)
{
    (void)state;
    check_column("1 1 1 5", 5, false, "round-controlled", "5 0 0 0 5");
    check_column("2 2 3", 5, false, "round-controlled", "5 0 0 5");
    check_column("-2 -2 -3 10", 5, true, "round-controlled", "5 0 0 -5 10");
    check_column("5 10 0", 5, false, "round-controlled", "15 5 10 0");
    check_column("0.2 0.2 0.3", 0.5, false, "round-controlled", "0.5 0 0 0.5");
}

static void refused_by(const char *method, double base, const char *values, const char *message)
{
    tacit_cells *cells = column_of(values, false);
    tacit_alter_options options = base_of(base);
    tacit_altered altered = {.changed = -7};
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(
        tacit_alter(&altered, cells, tacit_alter_method_find(method), &options, &run, &err),
        TACIT_INVALID);
    assert_string_equal(err.message, message);
    assert_int_equal(altered.changed, -7);
    tacit_cells_free(cells);
}

/* Values below 1 weigh as much as others: 0.3 + 0.4 + 0.2 + 0.6 of the parts, 0.3 + 0.1 + 0.2 +
 * 0.1 + 0.4 of the sums. */
static void test_small_values(void **state)
{
    (void)state;
    table_spec *spec = spec_of("r c");
    spec->spec.value = "v";
    tacit_cells *cells = cells_of("r,c,v\na,x,0.7\na,y,3.4\nb,x,2.2\nb,y,0.4\n", &spec->spec,
                                  tacit_cells_from_table);
    tacit_alter_options options = base_of(1);
    tacit_altered altered = altered_by(cells, "round-controlled", &options, 1, 1);
    assert_true(altered.proven);
    assert_true(fabs(altered.distance - 2.6) < 1e-12);
    tacit_altered_clear(&altered);
    tacit_cells_free(cells);
}

static void test_refused(void **state)
{
    (void)state;
    for (const tacit_alter_method *m = tacit_alter_methods(); m->name; m++) {
        if (!m->rounds)
            continue;
        refused_by(m->name, 0, "1 2", "the base to round to must be above 0");
        refused_by(m->name, NAN, "1 2", "the base to round to must be above 0");
        refused_by(m->name, INFINITY, "1 2", "the base to round to must be above 0");
        refused_by(m->name, 1e-12, "1 2", "the base to round to has more than 9 decimals");
        refused_by(m->name, 0.001, "1e15 2",
                   "Total: its value is too large to be rounded to this "
                   "base");
    }
    assert_null(tacit_alter_method_find("hitas"));
}

/* Over many seeds every cell keeps its value on average: five standard deviations. */
static void test_unbiased(void **state)
{
    (void)state;
    enum { SEEDS = 4000 };
    tacit_cells *cells = column_of("0 1 2.5 3 4 5 17", false);
    tacit_alter_options options = base_of(5);
    double sums[8] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        tacit_altered altered = altered_by(cells, "round-random", &options, seed, 1);
        check_rounded(cells, &altered, &options);
        for (int32_t i = 0; i < cells->count; i++)
            sums[i] += altered.value[i];
        tacit_altered_clear(&altered);
    }
    for (int32_t i = 0; i < cells->count; i++)
        assert_true(fabs(sums[i] / SEEDS - cells->value[i]) <= 5 * 2.5 / sqrt(SEEDS));
    assert_true(sums[1] == 0 && sums[6] == 5.0 * SEEDS);
    tacit_cells_free(cells);
}

/* More cells than one stream of random numbers has. */
static void test_threads(void **state)
{
    (void)state;
    enum { SIDE = 300 };
    char *text = malloc(SIDE * SIDE * 16 + 64);
    int at = sprintf(text, "a,b,freq\n");
    for (int i = 0; i < SIDE * SIDE; i++)
        at += sprintf(text + at, "%d,%d,%d\n", i / SIDE, i % SIDE, i * 7 % 23);
    tacit_cells *cells = cells_of(text, &spec_of("a b")->spec, tacit_cells_from_table);
    tacit_alter_options options = base_of(5);
    tacit_altered one = altered_by(cells, "round-random", &options, 5, 1);
    tacit_altered three = altered_by(cells, "round-random", &options, 5, 3);
    tacit_altered other = altered_by(cells, "round-random", &options, 6, 1);
    size_t bytes = (size_t)cells->count * sizeof *one.value;
    assert_memory_equal(one.value, three.value, bytes);
    assert_memory_not_equal(one.value, other.value, bytes);
    tacit_altered_clear(&one);
    tacit_altered_clear(&three);
    tacit_altered_clear(&other);
    tacit_cells_free(cells);
    free(text);
}

/* ---- .jj ---- */

/* x = 2y, and x + z = 10: coefficients and a right-hand side. */
static void test_relations(void **state)
{
    (void)state;
    tacit_cells *cells = jj_of("0\n3\n0 8 8 s 0 20 0 0 0\n1 4 4 s 0 20 0 0 0\n2 2 2 s 0 20 0 0 0\n"
                               "2\n0 2 : 0 (1) 1 (-2)\n10 2 : 0 (1) 2 (1)\n");
    tacit_alter_options options = base_of(5);
    tacit_altered altered = altered_by(cells, "round-controlled", &options, 1, 1);
    assert_true(altered.value[0] == 10 && altered.value[1] == 5 && altered.value[2] == 0);
    assert_int_equal(altered.broken, 0);
    tacit_altered_clear(&altered);
    tacit_cells_free(cells);
}

/* No multiples of 5 add up to 12. */
static void test_impossible(void **state)
{
    (void)state;
    tacit_cells *cells =
        jj_of("0\n2\n0 8 8 s 0 20 0 0 0\n1 4 4 s 0 20 0 0 0\n1\n12 2 : 0 (1) 1 (1)\n");
    tacit_alter_options options = base_of(5);
    tacit_altered altered = {.changed = -7};
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(tacit_alter(&altered, cells, tacit_alter_method_find("round-controlled"),
                                 &options, &run, &err),
                     TACIT_INFEASIBLE);
    assert_int_equal(altered.changed, -7);
    tacit_cells_free(cells);
}

/* x = 3 y, which no multiples next to 6 and 2 keep: only 0 and 0, one base further, do. */
static void test_further(void **state)
{
    (void)state;
    tacit_cells *cells =
        jj_of("0\n2\n0 6 6 s 0 20 0 0 0\n1 2 2 s 0 20 0 0 0\n1\n0 2 : 0 (1) 1 (-3)\n");
    tacit_alter_options options = base_of(5);
    tacit_altered altered = altered_by(cells, "round-controlled", &options, 1, 1);
    assert_true(altered.value[0] == 0 && altered.value[1] == 0);
    assert_true(altered.reach == 10 && altered.proven);
    tacit_altered_clear(&altered);
    tacit_cells_free(cells);
}

/* ---- stopping ---- */

static bool count_down(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total;
    return --*(int *)payload > 0;
}

/* Wherever the callback says stop: the best so far, which adds up, or nothing. */
static void test_stopped(void **state)
{
    (void)state;
    char text[4096];
    int at = sprintf(text, "a,b,c,freq\n"), stopped = 0, cancelled = 0;
    for (int i = 0; i < 125; i++)
        at += sprintf(text + at, "%d,%d,%d,%d\n", i / 25, i / 5 % 5, i % 5, i * i * 7 % 23);
    tacit_cells *cells = cells_of(text, &spec_of("a b c")->spec, tacit_cells_from_table);
    tacit_alter_options options = base_of(5);
    for (int calls = 1; calls < 40; calls++) {
        int left = calls;
        tacit_altered altered = {0};
        tacit_run run;
        tacit_run_init(&run);
        run.threads = 1;
        run.progress = count_down;
        run.payload = &left;
        tacit_status status = tacit_alter(
            &altered, cells, tacit_alter_method_find("round-controlled"), &options, &run, NULL);
        assert_true(status == TACIT_OK || status == TACIT_CANCELLED);
        cancelled += status == TACIT_CANCELLED;
        if (status == TACIT_OK) {
            check_rounded(cells, &altered, &options);
            assert_int_equal(altered.broken, 0);
            stopped += altered.stopped;
        }
        tacit_altered_clear(&altered);
    }
    assert_true(cancelled > 0 && stopped > 0);
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest),      cmocka_unit_test(test_counts),
        cmocka_unit_test(test_controlled),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_unbiased),     cmocka_unit_test(test_threads),
        cmocka_unit_test(test_relations),    cmocka_unit_test(test_impossible),
        cmocka_unit_test(test_further),      cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_small_values),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
