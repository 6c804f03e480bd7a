/*
 * test_local_random.c - local on random tables against definitions alone: every
 * released combination has k people, every value generalizes, no partition of a
 * tiny table costs less than the bound says, the same release for any number of
 * threads, and a search stopped at any point gives a release or nothing.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include "cells.h"
#include "random_cases.h"

#include <math.h>

#include "adult.h"
#include "records/local/local.h"
#include "records/metrics/costs.h"

enum { CASES = 20, TINY_CASES = 1000, MAX_ROWS = 40, TINY_ROWS = 7 };

static const tacit_metric CELL_METRICS[] = {TACIT_METRIC_PREC,        TACIT_METRIC_WEIGHTED,
                                            TACIT_METRIC_GRANULARITY, TACIT_METRIC_LOSS,
                                            TACIT_METRIC_ENTROPY,     TACIT_METRIC_LISTED};
enum { CELL_METRIC_COUNT = sizeof CELL_METRICS / sizeof CELL_METRICS[0] };

/* Masks, a tree, a flat column; missing values, and people in some tables. */
static void draw_table(fixture *f, uint64_t *random, uint32_t most_rows, bool people)
{
    static const char *const names[] = {"x", "y", "z", "w", ""};
    char text[4096] = "a,b,c,who\n";
    uint32_t rows = 1 + next_number(random, most_rows), values = 2 + next_number(random, 30);
    for (uint32_t i = 0; i < rows; i++)
        sprintf(text + strlen(text), "%02u,%s,%u,p%u\n", next_number(random, values),
                names[next_number(random, 5)], next_number(random, 3), next_number(random, 25));
    fixture_open(f, text);
    fixture_mask(f, "a");
    fixture_file(f, "b", "x;low;all\ny;low;all\nz;high;all\nw;high;all\nv;high;all\n");
    if (next_number(random, 2))
        fixture_none(f, "c");
    f->attributes[1].least_level = next_number(random, 8) == 0;
    if (people && next_number(random, 3) == 0)
        f->frame.person = tacit_table_find(f->table, tacit_strview_of("who"));
}

static tacit_records_options draw_options(uint64_t *random)
{
    return (tacit_records_options){.k = 1 + next_number(random, 5),
                                   .metric = CELL_METRICS[next_number(random, CELL_METRIC_COUNT)]};
}

static bool solve_local(outcome *o, const fixture *f, const tacit_records_options *options,
                        int threads)
{
    tacit_error err = {0};
    const tacit_apply_options apply = {.keep_order = true};
    tacit_status status = solve_by(o, f, "local", options, &apply, 1, threads, &err);
    if (status == TACIT_INFEASIBLE)
        return false;
    if (status != TACIT_OK)
        fail_msg("%s", err.message);
    return true;
}

/* The share of cells that leave as "*", by looking at each of them. */
static double starred_share(const outcome *o, const fixture *f)
{
    double stars = 0, cells = (double)tacit_table_rows(f->table) * f->frame.attribute_count;
    for (int64_t row = 0; row < tacit_table_rows(f->table); row++)
        for (int32_t a = 0; a < f->frame.attribute_count; a++)
            stars += tacit_strview_equal(released_cell(o, f, row, a), tacit_strview_of("*"));
    return stars / cells;
}

static void check_safe(const outcome *o, const fixture *f, const tacit_records_options *options)
{
    assert_true(fewest_people(o, f) >= options->k);
    check_generalizes(o, f);
    double cost = tacit_metrics_cost(&o->metrics, options->metric);
    assert_true(o->solution->search.lower_bound <= cost + 1e-9);
    assert_float_equal(tacit_metrics_value(&o->metrics, tacit_metric_find("suppression")),
                       starred_share(o, f), 1e-9);
}

static void test_safe(void **state)
{
    uint64_t *seed = *state;
    for (uint64_t i = 1; i <= many_cases(CASES); i++) {
        uint64_t random = *seed = i;
        fixture f;
        outcome one, seven;
        draw_table(&f, &random, MAX_ROWS, true);
        tacit_records_options options = draw_options(&random);
        if (solve_local(&one, &f, &options, 1)) {
            check_safe(&one, &f, &options);
            assert_true(solve_local(&seven, &f, &options, 7));
            for (int64_t row = 0; row < tacit_table_rows(f.table); row++)
                for (int32_t a = 0; a < f.frame.attribute_count; a++)
                    assert_true(tacit_strview_equal(released_cell(&one, &f, row, a),
                                                    released_cell(&seven, &f, row, a)));
            outcome_clear(&seven);
        }
        outcome_clear(&one);
        fixture_close(&f);
    }
    *seed = 0;
}

/* The cheapest way to put rows from `row` on into clusters, by trying them all. */
typedef struct partition {
    const fixture *f;
    tacit__costs costs;
    int64_t k;
    int cluster_of[TINY_ROWS];
    double best;
} partition;

static void price_partition(partition *p, int clusters)
{
    int64_t sizes[TINY_ROWS] = {0}, rows = tacit_table_rows(p->f->table);
    for (int64_t row = 0; row < rows; row++)
        sizes[p->cluster_of[row]]++;
    for (int c = 0; c < clusters; c++)
        if (sizes[c] < p->k)
            return;
    double sum = 0;
    int32_t attributes = p->f->frame.attribute_count;
    for (int64_t row = 0; row < rows; row++)
        for (int32_t a = 0; a < attributes; a++) {
            int level = p->f->attributes[a].least_level;
            for (int64_t other = 0; other < rows; other++)
                while (p->cluster_of[other] == p->cluster_of[row] &&
                       value_on(p->f, other, a, level) != value_on(p->f, row, a, level))
                    level++;
            sum += p->costs.of[a][level][value_on(p->f, row, a, level)];
        }
    double cost = sum / (double)rows - p->costs.offset;
    p->best = cost < p->best ? cost : p->best;
}

static void try_partitions(partition *p, int64_t row, int clusters)
{
    if (row == tacit_table_rows(p->f->table)) {
        price_partition(p, clusters);
        return;
    }
    for (int c = 0; c <= clusters; c++) {
        p->cluster_of[row] = c;
        try_partitions(p, row + 1, c == clusters ? clusters + 1 : clusters);
    }
}

/* The least that the metric of a release can come to. */
static double best_of_all(const fixture *f, const tacit_records_options *options)
{
    partition p = {.f = f, .k = options->k, .best = INFINITY};
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(tacit__costs_init(&p.costs, &f->frame, options->metric, &run, NULL), TACIT_OK);
    try_partitions(&p, 0, 0);
    tacit__costs_clear(&p.costs);
    return p.best;
}

/* The bound for tables with too many boxes, on one that has few. */
static double bound_by_nodes(const fixture *f, const tacit_records_options *options)
{
    tacit_run run;
    tacit__local local;
    double bound = NAN;
    tacit_run_init(&run);
    assert_int_equal(tacit__local_init(&local, &f->frame, options, &run, NULL), TACIT_OK);
    assert_int_equal(tacit__bound_by_nodes(&bound, &local, NULL), TACIT_OK);
    bound = bound / (double)tacit_table_rows(f->table) - local.costs.offset;
    tacit__local_clear(&local);
    return bound;
}

/* By every metric but loss, which is no sum over cells: all partitions into clusters. */
static void test_bound(void **state)
{
    uint64_t *seed = *state;
    for (uint64_t i = 1; i <= many_cases(TINY_CASES); i++) {
        uint64_t random = *seed = i;
        fixture f;
        outcome o;
        draw_table(&f, &random, TINY_ROWS, false);
        tacit_records_options options = draw_options(&random);
        if (options.metric == TACIT_METRIC_LOSS)
            options.metric = TACIT_METRIC_ENTROPY;
        if (solve_local(&o, &f, &options, 1)) {
            double best = best_of_all(&f, &options);
            double cost = tacit_metrics_cost(&o.metrics, options.metric);
            assert_true(cost >= best - 1e-9);
            assert_true(o.solution->search.lower_bound <= best + 1e-9);
            assert_true(bound_by_nodes(&f, &options) <= best + 1e-9);
            assert_true(!o.solution->search.proven || cost <= best + 1e-9);
        }
        outcome_clear(&o);
        fixture_close(&f);
    }
    *seed = 0;
}

/* A run that says stop when it has been asked so often. */
static bool stop_after(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total;
    int *left = payload;
    return (*left)-- > 0;
}

static void test_stopped(void **state)
{
    uint64_t *seed = *state, random = *seed = 5;
    const tacit_records_options options = {.k = 3, .until_stopped = true};
    const tacit_apply_options apply = {.keep_order = true};
    fixture f;
    draw_table(&f, &random, MAX_ROWS, false);
    int stopped = 0;
    for (int patience = 0; patience < 60; patience++) {
        int left = patience;
        tacit_run run;
        tacit_run_init(&run);
        run.threads = 1;
        outcome o = {0};
        run.progress = stop_after;
        run.payload = &left;
        tacit_status status =
            tacit_method_find("local")->solve(&o.solution, &f.frame, &options, &run, NULL);
        if (status == TACIT_OK) {
            stopped += o.solution->search.stopped;
            run.progress = NULL;
            assert_int_equal(
                tacit_solution_apply(&o.application, o.solution, &f.frame, &apply, &run, NULL),
                TACIT_OK);
            assert_true(fewest_people(&o, &f) >= options.k);
        } else {
            assert_int_equal(status, TACIT_CANCELLED);
            assert_null(o.solution);
        }
        outcome_clear(&o);
    }
    assert_true(stopped > 0);
    fixture_close(&f);
    *seed = 0;
}

/* Figure 34: no better than the optimum of the guide, and the bound below it. */
static void test_figure_34(void **state)
{
    (void)state;
    static const double OPTIMA[] = {0.8486, 0.7208, 0.65};
    fixture f;
    figure_34(&f);
    for (int64_t k = 2; k <= 4; k++) {
        outcome o;
        const tacit_records_options options = {.k = k};
        solve_cells(&o, &f, "local", &options);
        check_safe(&o, &f, &options);
        assert_true(o.metrics.precision <= OPTIMA[k - 2] + 5e-5);
        assert_true(1 - o.solution->search.lower_bound >= OPTIMA[k - 2] - 5e-5);
        outcome_clear(&o);
    }
    fixture_close(&f);
}

/* The local recoding of ARX reaches 0.9323. */
static void test_adult(void **state)
{
    (void)state;
    fixture f;
    outcome o;
    adult_open(&f);
    const tacit_records_options options = {.k = 5, .metric = TACIT_METRIC_GRANULARITY};
    solve_cells(&o, &f, "local", &options);
    assert_true(o.metrics.granularity > 0.9323);
    assert_true(o.metrics.smallest_class >= 5);
    outcome_clear(&o);
    fixture_close(&f);
}

/* Ten households of four members, one of each value: each value has ten of them, although a
 * household that is counted once counts for one value only. */
static void test_households(void **state)
{
    (void)state;
    char text[1024] = "a,who\n";
    for (int household = 0; household < 10; household++)
        for (int member = 0; member < 4; member++)
            sprintf(text + strlen(text), "%d,h%d\n", member, household);
    fixture f;
    outcome o;
    fixture_open(&f, text);
    fixture_none(&f, "a");
    f.frame.person = tacit_table_find(f.table, tacit_strview_of("who"));
    const tacit_records_options options = {.k = 10};
    assert_true(solve_local(&o, &f, &options, 1));
    check_safe(&o, &f, &options);
    assert_float_equal(o.metrics.precision, 1, 1e-9);
    outcome_clear(&o);
    fixture_close(&f);
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(test_safe, &seed),    random_test(test_bound, &seed),
        random_test(test_stopped, &seed), cmocka_unit_test(test_figure_34),
        cmocka_unit_test(test_adult),     cmocka_unit_test(test_households),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
