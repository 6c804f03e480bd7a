/*
 * test_mingen_figures.c - k-minimal generalizations and distortions of Figure 27 of
 * Sweeney, Computational Disclosure Control (5.3 and 5.4), and the best nodes of the
 * adult data that other programs have found.
 */
#include "adult.h"
#include "figures.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void solve(outcome *o, const fixture *f, const tacit_records_options *options)
{
    tacit_error err = {0};
    tacit_apply_options apply = {.keep_order = true};
    if (solve_by(o, f, "mingen", options, &apply, 1, 2, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    assert_true(o->solution->search.proven);
    assert_float_equal(o->solution->search.lower_bound,
                       tacit_metrics_cost(&o->metrics, options->metric), 1e-9);
}

static void check_levels(const int *levels, const char *expected)
{
    for (int32_t a = 0; expected[a]; a++)
        assert_int_equal(levels[a], expected[a] - '0');
}

/* ---- Figure 27 ---- */

typedef struct figure_case {
    int64_t k;
    tacit_metric metric;
    tacit_preference prefer;
    const char *best;
    double value;
    const char *minimal[2];
    double values[2];
} figure_case;

/* Both minimal generalizations weigh the same by Equation 3; then GT[0,1] has the more
 * distinct tuples, and GT[0,1] comes first in the order of attributes, too. */
static const figure_case FIGURE_27[] = {
    {2, TACIT_METRIC_PREC, TACIT_PREFER_LEVELS, "01", 0.8333, {"01", "10"}, {0.8333, 0.75}},
    {3, TACIT_METRIC_PREC, TACIT_PREFER_LEVELS, "10", 0.75, {"02", "10"}, {0.6667, 0.75}},
    {2, TACIT_METRIC_WEIGHTED, TACIT_PREFER_LEVELS, "01", 0.8, {"01", "10"}, {0.8, 0.8}},
    {2, TACIT_METRIC_WEIGHTED, TACIT_PREFER_DISTINCT, "01", 0.8, {"01", "10"}, {0.8, 0.8}},
    {2, TACIT_METRIC_WEIGHTED, TACIT_PREFER_ORDER, "01", 0.8, {"01", "10"}, {0.8, 0.8}},
    {3, TACIT_METRIC_WEIGHTED, TACIT_PREFER_LEVELS, "10", 0.8, {"02", "10"}, {0.6, 0.8}},
};

static void check_figure(const fixture *f, const figure_case *c)
{
    outcome o;
    const tacit_records_options options = {
        .k = c->k, .metric = c->metric, .prefer = c->prefer, .all_minimal = true};
    solve(&o, f, &options);
    const tacit_search *search = &o.solution->search;
    check_levels(o.solution->levels, c->best);
    assert_float_equal(tacit_metrics_value(&o.metrics, c->metric), c->value, 1e-4);
    assert_int_equal(o.solution->suppressed_rows, 0);
    assert_int_equal(search->minimal_count, COUNT(c->minimal));
    for (size_t i = 0; i < COUNT(c->minimal); i++) {
        check_levels(search->minimal + 2 * i, c->minimal[i]);
        assert_float_equal(1 - search->minimal_costs[i], c->values[i], 1e-4);
    }
    assert_true(search->nodes == 12);
    outcome_clear(&o);
}

static void test_figure_27(void **state)
{
    (void)state;
    fixture f;
    figure_27(&f);
    for (size_t i = 0; i < COUNT(FIGURE_27); i++)
        check_figure(&f, &FIGURE_27[i]);
    fixture_close(&f);
}

typedef struct levels_case {
    int64_t k, max_suppressed;
    const char *levels;
    int64_t suppressed;
    double precision;
} levels_case;

/* Datafly suppresses two tuples of Figure 34, which leaves Prec 0.750 (Figure 43); by
 * attribute nothing is better, however many may be suppressed. */
static const levels_case FIGURE_34[] = {
    {2, 0, "1201", 0, 0.691667}, {2, 2, "0200", 2, 0.75},     {2, 12, "0200", 2, 0.75},
    {3, 0, "0412", 0, 0.508333}, {3, 3, "0401", 3, 0.537500},
};

static void test_figure_34(void **state)
{
    (void)state;
    fixture f;
    figure_34(&f);
    for (size_t i = 0; i < COUNT(FIGURE_34); i++) {
        const levels_case *c = &FIGURE_34[i];
        outcome o;
        solve(&o, &f, &(tacit_records_options){.k = c->k, .max_suppressed = c->max_suppressed});
        check_levels(o.solution->levels, c->levels);
        assert_int_equal(o.solution->suppressed_rows, c->suppressed);
        assert_float_equal(o.metrics.precision, c->precision, 1e-6);
        outcome_clear(&o);
    }
    fixture_close(&f);
}

/* ---- adult ---- */

typedef struct adult_case {
    int64_t max_suppressed;
    const char *levels;
    int64_t suppressed;
    double loss;
    int64_t most_checked;
} adult_case;

static const adult_case ADULT[] = {
    {0, "041132210", 0, 0.573151, 400},
    {1508, "030021120", 1346, 0.241932, 800},
};

static void test_adult(void **state)
{
    (void)state;
    fixture f;
    adult_open(&f);
    for (size_t i = 0; i < COUNT(ADULT); i++) {
        outcome o;
        solve(&o, &f,
              &(tacit_records_options){
                  .k = 5, .max_suppressed = ADULT[i].max_suppressed, .metric = TACIT_METRIC_LOSS});
        check_levels(o.solution->levels, ADULT[i].levels);
        assert_int_equal(o.metrics.suppressed_rows, ADULT[i].suppressed);
        assert_float_equal(o.metrics.loss, ADULT[i].loss, 5e-7);
        assert_true(o.solution->search.nodes == 12960);
        assert_true(o.solution->search.nodes_checked < ADULT[i].most_checked);
        outcome_clear(&o);
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_27),
        cmocka_unit_test(test_figure_34),
        cmocka_unit_test(test_adult),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
