/*
 * test_mingen.c - mingen where enumeration does not reach: threads, stopping, long
 * tables, keys of several words, lattices beyond count, and what is refused. That it
 * finds the best node is shown by tests/property/test_mingen_random.c.
 */
#include "records.h"

#include <math.h>

typedef struct stop {
    int64_t left; /* calls until it says stop; -1: never */
    int64_t calls;
} stop;

static bool asked(const char *phase, int64_t done, int64_t total, void *payload)
{
    stop *s = payload;
    (void)phase, (void)done, (void)total;
    s->calls++;
    return s->left < 0 || s->left-- > 0;
}

static tacit_status solve(tacit_solution **out, const fixture *f,
                          const tacit_records_options *options, int threads, stop *when)
{
    tacit_run run;
    tacit_error err = {0};
    tacit_run_init(&run);
    run.threads = threads;
    run.progress = when ? asked : NULL;
    run.payload = when;
    tacit_status status = tacit_method_find("mingen")->solve(out, &f->frame, options, &run, &err);
    assert_int_equal(err.status, status);
    return status;
}

static double cost_of(const tacit_solution *solution, const fixture *f,
                      const tacit_records_options *options)
{
    tacit_application *application = NULL;
    tacit_apply_options apply = {.keep_order = true};
    tacit_metrics metrics;
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(tacit_solution_apply(&application, solution, &f->frame, &apply, &run, NULL),
                     TACIT_OK);
    assert_int_equal(
        tacit_metrics_of(&metrics, solution, application, &f->frame, options, &run, NULL),
        TACIT_OK);
    assert_true(metrics.suppressed_rows <= options->max_suppressed);
    assert_true(metrics.smallest_class >= options->k);
    tacit_application_free(application);
    return tacit_metrics_cost(&metrics, options->metric);
}

/* Columns of random numbers with as many digits, each with a mask; small ones are more
 * frequent. */
static void random_table(fixture *f, int rows, int columns, int digits, uint32_t values,
                         uint64_t seed)
{
    size_t size = (size_t)(rows + 1) * (size_t)columns * (size_t)(digits + 4);
    char *text = malloc(size), *at = text, name[16];
    *text = '\0';
    for (int c = 0; c < columns; c++)
        at += sprintf(at, "c%d%c", c, c + 1 < columns ? ',' : '\n');
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            uint32_t x = next_number(&seed, values), y = next_number(&seed, values);
            at += sprintf(at, "%0*u%c", digits, x * y / values, c + 1 < columns ? ',' : '\n');
        }
    fixture_open(f, text);
    free(text);
    for (int c = 0; c < columns; c++) {
        sprintf(name, "c%d", c);
        fixture_mask(f, name);
    }
}

/* ---- threads ---- */

static void check_same(const tacit_solution *a, const tacit_solution *b)
{
    size_t width = (size_t)a->attribute_count;
    assert_memory_equal(a->levels, b->levels, width * sizeof *a->levels);
    assert_int_equal(a->suppressed_rows, b->suppressed_rows);
    assert_int_equal(a->search.nodes_checked, b->search.nodes_checked);
    assert_true(a->search.lower_bound == b->search.lower_bound);
    assert_int_equal(a->search.minimal_count, b->search.minimal_count);
    assert_memory_equal(a->search.minimal, b->search.minimal,
                        (size_t)a->search.minimal_count * width * sizeof *a->search.minimal);
}

static void test_threads(void **state)
{
    (void)state;
    fixture f;
    random_table(&f, 3000, 5, 2, 100, 3);
    for (tacit_metric metric = 0; metric < tacit_metric_count(); metric++) {
        tacit_solution *one = NULL, *many = NULL;
        tacit_records_options options = {
            .k = 3, .max_suppressed = 100, .metric = metric, .all_minimal = metric % 4 == 0};
        assert_int_equal(solve(&one, &f, &options, 1, NULL), TACIT_OK);
        assert_int_equal(solve(&many, &f, &options, 5, NULL), TACIT_OK);
        assert_true(one->search.proven);
        assert_true((double)one->search.nodes_checked < one->search.nodes);
        check_same(one, many);
        tacit_solution_free(one);
        tacit_solution_free(many);
    }
    fixture_close(&f);
}

/* ---- stopping ---- */

/* Stopped after so many calls: the best so far, and a bound that holds. */
static bool check_stopped(const fixture *f, const tacit_records_options *options, int64_t calls,
                          double best)
{
    tacit_solution *solution = NULL;
    stop when = {.left = calls};
    tacit_status status = solve(&solution, f, options, 2, &when);
    if (status == TACIT_CANCELLED)
        return false;
    assert_int_equal(status, TACIT_OK);
    double cost = cost_of(solution, f, options), bound = solution->search.lower_bound;
    assert_true(cost >= best - 1e-9);
    assert_true(isnan(bound) || bound <= best + 1e-9);
    assert_true(solution->search.stopped || solution->search.proven);
    assert_true(!solution->search.proven || fabs(cost - best) < 1e-9);
    if (solution->search.stopped) /* a list that is not complete is none */
        assert_int_equal(solution->search.minimal_count, 0);
    tacit_solution_free(solution);
    return true;
}

static void test_stopping(void **state)
{
    (void)state;
    fixture f;
    stop never = {.left = -1};
    bool found = false;
    tacit_solution *solution = NULL;
    tacit_records_options options = {
        .k = 4, .max_suppressed = 60, .metric = TACIT_METRIC_LOSS, .all_minimal = true};
    random_table(&f, 2000, 5, 2, 100, 4);
    assert_int_equal(solve(&solution, &f, &options, 2, &never), TACIT_OK);
    double best = cost_of(solution, &f, &options);
    assert_false(solution->search.stopped);
    assert_true(solution->search.minimal_count > 0);
    assert_true(never.calls > 20);
    tacit_solution_free(solution);
    for (int64_t calls = 0; calls < never.calls; calls++) {
        bool any = check_stopped(&f, &options, calls, best);
        assert_true(any || !found); /* once there is something, there is always something */
        found |= any;
    }
    assert_true(found);
    fixture_close(&f);
}

/* ---- large and wide ---- */

/* Rows beyond what is rolled up on one core, looked at node by node. */
static void test_long_table(void **state)
{
    (void)state;
    fixture f;
    tacit_run run;
    double best = 1;
    int levels[3];
    tacit_solution *solution = NULL;
    tacit_records_options options = {.k = 5, .max_suppressed = 3000};
    tacit_run_init(&run);
    random_table(&f, 300000, 3, 3, 1000, 5);
    for (levels[0] = 0; levels[0] <= 3; levels[0]++)
        for (levels[1] = 0; levels[1] <= 3; levels[1]++)
            for (levels[2] = 0; levels[2] <= 3; levels[2]++) {
                tacit_classes *classes = NULL;
                int64_t out = 0;
                assert_int_equal(tacit_classes_new(&classes, &f.frame, levels, &run, NULL),
                                 TACIT_OK);
                for (int64_t c = 0; c < tacit_classes_count(classes); c++)
                    if (tacit_classes_size(classes, c) < options.k)
                        out += tacit_classes_size(classes, c);
                double mean = (levels[0] + levels[1] + levels[2]) / 9.0, gone = (double)out / 3e5;
                if (out <= options.max_suppressed && (out == 0 || out >= options.k))
                    best = fmin(best, mean * (1 - gone) + gone);
                tacit_classes_free(classes);
            }
    assert_int_equal(solve(&solution, &f, &options, 0, NULL), TACIT_OK);
    assert_float_equal(cost_of(solution, &f, &options), best, 1e-9);
    assert_true(solution->search.proven);
    tacit_solution_free(solution);
    fixture_close(&f);
}

/* Sixty-four attributes make keys of several words, and more nodes than can be counted.
 * Rows come in pairs but for two, which differ in the last attribute. */
static void open_wide(fixture *f)
{
    char text[1 << 15], *at = text, name[16];
    uint64_t seed = 6;
    for (int c = 0; c < 64; c++)
        at += sprintf(at, "c%d%c", c, c < 63 ? ',' : '\n');
    for (int r = 0; r < 60; r += 2) {
        const char *row = at;
        for (int c = 0; c < 64; c++)
            at += sprintf(at, "%u%c", next_number(&seed, 9), c < 63 ? ',' : '\n');
        size_t len = (size_t)(at - row);
        memcpy(at, row, len);
        at += len;
    }
    at[-2] = at[-2] == '1' ? '2' : '1';
    *at = '\0';
    fixture_open(f, text);
    for (int c = 0; c < 64; c++) {
        sprintf(name, "c%d", c);
        fixture_none(f, name);
    }
}

static void test_wide(void **state)
{
    (void)state;
    fixture f;
    uint64_t sets[] = {UINT64_C(0xffff) << 48 | 0xff, UINT64_MAX >> 8};
    open_wide(&f);
    for (int round = 0; round < 2; round++) {
        tacit_solution *solution = NULL;
        tacit_records_options options = {.k = 2};
        if (round == 1) { /* several quasi-identifiers with wide keys */
            f.frame.sets = sets;
            f.frame.set_count = 2;
        }
        assert_int_equal(solve(&solution, &f, &options, 1, NULL), TACIT_OK);
        for (int a = 0; a < 64; a++)
            assert_int_equal(solution->levels[a], a == 63);
        assert_true(solution->search.proven);
        assert_true(solution->search.nodes == ldexp(1, 64));
        tacit_solution_free(solution);
    }
    fixture_close(&f);
}

/* Nothing can be proven here, but there is an answer whenever it is asked for. */
static void test_beyond_count(void **state)
{
    (void)state;
    fixture f;
    tacit_solution *solution = NULL;
    tacit_records_options options = {.k = 3, .max_suppressed = 20};
    stop when = {.left = 200};
    random_table(&f, 1000, 30, 1, 3, 7);
    assert_int_equal(solve(&solution, &f, &options, 2, &when), TACIT_OK);
    double cost = cost_of(solution, &f, &options);
    assert_true(solution->search.stopped);
    assert_false(solution->search.proven);
    assert_true(solution->search.lower_bound > 0 && solution->search.lower_bound <= cost);
    assert_true(cost < 1);
    tacit_solution_free(solution);
    fixture_close(&f);
}

/* ---- what is asked, and refused ---- */

static void test_least_and_most(void **state)
{
    (void)state;
    fixture f;
    tacit_solution *solution = NULL;
    tacit_records_options options = {.k = 2, .max_suppressed = 30};
    random_table(&f, 500, 3, 2, 100, 8);
    f.attributes[1].least_level = 1;
    assert_int_equal(solve(&solution, &f, &options, 1, NULL), TACIT_OK);
    assert_true(solution->levels[1] >= 1);
    assert_true(solution->search.nodes == 3 * 2 * 3);
    tacit_solution_free(solution);
    options.most_general = true;
    assert_int_equal(solve(&solution, &f, &options, 1, NULL), TACIT_OK);
    for (int a = 0; a < 3; a++)
        assert_int_equal(solution->levels[a], 2);
    tacit_solution_free(solution);
    fixture_close(&f);
}

static void test_refused(void **state)
{
    (void)state;
    fixture f;
    tacit_solution *solution = NULL;
    fixture_open(&f, "a\n1\n2\n");
    fixture_none(&f, "a");
    assert_int_equal(solve(&solution, &f, &(tacit_records_options){.k = 0}, 1, NULL),
                     TACIT_INVALID);
    assert_int_equal(solve(&solution, &f, &(tacit_records_options){.k = 3}, 1, NULL),
                     TACIT_INFEASIBLE);
    /* both rows have the same sensitive value, so nothing makes them diverse */
    tacit_model model = {.bound = {.kind = TACIT_MODEL_DISTINCT, .bound = 3}};
    f.frame.models = &model;
    f.frame.model_count = 1;
    assert_int_equal(solve(&solution, &f, &(tacit_records_options){.k = 1}, 1, NULL),
                     TACIT_INFEASIBLE);
    assert_null(solution);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),      cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_long_table),   cmocka_unit_test(test_wide),
        cmocka_unit_test(test_beyond_count), cmocka_unit_test(test_least_and_most),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
