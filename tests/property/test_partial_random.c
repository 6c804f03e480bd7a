/*
 * test_partial_random.c - partial suppression on random small tables, against one plain linear
 * program with a table of its own for every side of every primary cell.
 */
#include "tables.h"

#include "cells/suppress/methods.h"
#include "random_cases.h"
#include "suppress.h"

/* The plain program: columns of intervals first (up, down for every cell), then those of tables. */
typedef struct plain {
    const tacit_cells *cells;
    tacit__solver *solver;
    const double *weights;
} plain;

static int32_t add_column(plain *p, double lower, double upper, double cost)
{
    tacit__solver_lines lines = {.count = 1, .lower = &lower, .upper = &upper, .costs = &cost};
    assert_int_equal(tacit__solver_add_columns(p->solver, &lines, NULL), TACIT_OK);
    return tacit__solver_columns(p->solver) - 1;
}

static void add_row(plain *p, double lower, double upper, int32_t count, const int32_t *items,
                    const double *values)
{
    int32_t starts[] = {0, count};
    tacit__solver_lines lines = {1, &lower, &upper, NULL, NULL, starts, items, values};
    assert_int_equal(tacit__solver_add_rows(p->solver, &lines, NULL), TACIT_OK);
}

/* A table within the intervals; returns the column of its first cell. */
static int32_t add_table(plain *p)
{
    const tacit_cells *cells = p->cells;
    const tacit_relations *all = &cells->relations;
    int32_t first = tacit__solver_columns(p->solver), items[256];
    for (int32_t i = 0; i < cells->count; i++)
        add_column(p, -INFINITY, INFINITY, 0);
    for (int32_t i = 0; i < cells->count; i++) {
        const int32_t above[] = {2 * i, first + i}, below[] = {2 * i + 1, first + i};
        add_row(p, 0, INFINITY, 2, above, (const double[]){1, -1});
        add_row(p, 0, INFINITY, 2, below, (const double[]){1, 1});
    }
    for (int32_t r = 0; r < all->count; r++) {
        int32_t count = (int32_t)(all->starts[r + 1] - all->starts[r]);
        for (int32_t j = 0; j < count; j++)
            items[j] = first + all->items[all->starts[r] + j];
        add_row(p, 0, 0, count, items, all->coefs + all->starts[r]);
    }
    return first;
}

static double largest_need(const tacit_cells *cells)
{
    double most = 0;
    for (int32_t i = 0; i < cells->count; i++)
        if (cells->status[i] == 'u')
            most = fmax(most, fmax(cells->spl[i], fmax(cells->upl[i], cells->lpl[i])));
    return most;
}

/* The least loss of all intervals that hide all primary cells; INFINITY: there are none. */
static double least_loss(const tacit_cells *cells, const double *weights)
{
    plain p = {.cells = cells, .weights = weights};
    tacit__solver_options options = {0};
    tacit__solver_answer answer;
    assert_int_equal(tacit__solver_new(&p.solver, NULL, NULL), TACIT_OK);
    for (int32_t i = 0; i < cells->count; i++) {
        bool may = cells->status[i] != 'z';
        add_column(&p, 0, may ? cells->upper[i] - cells->value[i] : 0, weights[i]);
        add_column(&p, 0, may ? cells->value[i] - cells->lower[i] : 0, weights[i]);
    }
    for (int32_t i = 0; i < cells->count; i++) {
        tacit__need need = tacit__need_of(cells, cells->status, i, tacit__largest_value(cells));
        if (cells->status[i] != 'u')
            continue;
        need.spread = fmax(need.spread, 1e-4 * largest_need(cells));
        int32_t up = add_table(&p) + i, down = add_table(&p) + i, ends[] = {up, down};
        add_row(&p, need.up, INFINITY, 1, &up, (const double[]){1});
        add_row(&p, need.down, INFINITY, 1, &down, (const double[]){-1});
        add_row(&p, need.spread, INFINITY, 2, ends, (const double[]){1, -1});
    }
    assert_int_equal(tacit__solver_solve(&answer, p.solver, &options, NULL, NULL), TACIT_OK);
    double loss = answer.result == TACIT__SOLVER_OPTIMAL ? answer.cost : INFINITY;
    assert_true(answer.result == TACIT__SOLVER_OPTIMAL ||
                answer.result == TACIT__SOLVER_INFEASIBLE);
    tacit__solver_free(p.solver);
    return loss;
}

/* Levels, costs and letters of all kinds. */
static void vary(tacit_cells *cells)
{
    for (int32_t i = 0; i < cells->count; i++) {
        cells->cost[i] = random_below(3) ? cells->value[i] : random_below(40);
        if (cells->status[i] == 's' && random_below(12) == 0)
            cells->status[i] = 'z';
        if (cells->status[i] != 'u' || random_below(2))
            continue;
        cells->upl[i] = random_below(4);
        cells->lpl[i] = random_below(2) ? fmin(cells->value[i], random_below(6)) : 0;
        cells->spl[i] = random_below(3) ? 0 : random_below(8);
    }
}

/* What is published holds the value, has whole numbers, and is nothing of published cells. */
static void check_intervals(const tacit_cells *cells, const tacit_pattern *pattern)
{
    for (int32_t i = 0; i < cells->count; i++) {
        double low = pattern->intervals.low[i], high = pattern->intervals.high[i];
        bool hidden = slow_suppressed(pattern->status[i]);
        assert_true(hidden ? low <= cells->value[i] && cells->value[i] <= high
                           : isnan(low) && isnan(high));
        assert_true(!hidden || (low >= 0 && low == floor(low) && high == ceil(high)));
        assert_true(pattern->status[i] == cells->status[i] ||
                    (pattern->status[i] == 'x' && cells->status[i] == 's'));
    }
}

static tacit_status solve_partial(tacit_pattern *out, const tacit_cells *cells, double wider,
                                  int threads)
{
    const tacit_suppress_options options = {.wider = wider};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    return tacit_suppress(out, cells, tacit_suppress_method_find("partial"), &options,
                          slow_judge_all, NULL, &run, NULL);
}

static tacit_cells *some_cells(void)
{
    int dimensions = 1 + random_below(3);
    table_shape shape = {dimensions, dimensions < 3 && random_below(2), 9 + random_below(60),
                         5 + random_below(20), random_below(3) ? 0 : random_below(40)};
    tacit_cells *cells = random_cells(&shape);
    vary(cells);
    return cells;
}

/* The loss is the least there is, and the judge is content with what is published. */
static void test_least(void **state)
{
    uint64_t *seed = *state;
    int hidden = 0;
    for (*seed = 1; *seed <= many_cases(300); ++*seed) {
        tacit_pattern pattern;
        random_start(*seed);
        tacit_cells *cells = some_cells();
        double weights[1024];
        tacit_intervals_weights(weights, cells);
        double least = cells->count < 200 ? least_loss(cells, weights) : NAN;
        tacit_status status = solve_partial(&pattern, cells, 0, 1);
        if (status != TACIT_OK) {
            assert_int_equal(status, TACIT_INFEASIBLE);
            assert_true(least == INFINITY || hopeless(cells) || tacit_cells_check(cells, NULL));
        } else {
            assert_true(isnan(least) || fabs(pattern.cost - least) <= 1e-4 * (1 + least));
            assert_true(pattern.proven && pattern.lower_bound <= pattern.cost);
            assert_true(tacit_intervals_loss(&pattern.intervals, cells) >= pattern.cost - 1e-4);
            check_intervals(cells, &pattern);
            hidden += pattern.secondary > 0;
            tacit_pattern_clear(&pattern);
        }
        tacit_cells_free(cells);
    }
    assert_true(hidden >= 10);
    *seed = 0;
}

/* Made wider they are as safe, and as wide as was asked for; threads make no difference. */
static void test_wider(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(40); ++*seed) {
        tacit_pattern narrow, wide, again;
        random_start(*seed);
        tacit_cells *cells = some_cells();
        if (solve_partial(&narrow, cells, 0, 1) == TACIT_OK) {
            assert_int_equal(solve_partial(&wide, cells, 100, 1), TACIT_OK);
            assert_int_equal(solve_partial(&again, cells, 100, 7), TACIT_OK);
            size_t bytes = (size_t)cells->count * sizeof(double);
            assert_memory_equal(wide.status, again.status, (size_t)cells->count);
            assert_memory_equal(wide.intervals.low, again.intervals.low, bytes);
            assert_memory_equal(wide.intervals.high, again.intervals.high, bytes);
            check_intervals(cells, &wide);
            for (int32_t i = 0; i < cells->count; i++)
                assert_true(isnan(wide.intervals.low[i]) ||
                            (wide.intervals.low[i] <= narrow.intervals.low[i] + 1 &&
                             wide.intervals.high[i] >= narrow.intervals.high[i] - 1));
            tacit_pattern_clear(&narrow);
            tacit_pattern_clear(&wide);
            tacit_pattern_clear(&again);
        }
        tacit_cells_free(cells);
    }
    *seed = 0;
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(test_least, &seed),
        random_test(test_wider, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
