/*
 * test_peer_partial.c - partial suppression against the linear program of docs/methods/partial.md,
 * written here once more, with a table of its own for each side of each confidential cell, and
 * solved by GLPK: what is said to be proven is, and no bound is above the least loss.
 */
#include "tables.h"

#include <tacit/experimental/intervals.h>

#include "random_cases.h"
#include "suppress.h"

#include "peer_tables.h"

enum { MAX_CELLS = 512 };

/* The least weight beside the largest, the least spread beside the largest level, and how far a
 * cell's interval reaches at most, in largest levels. */
#define LEAST_WEIGHT 1e-4
#define LEAST_SPREAD 1e-4
#define MAX_LEVELS   1e5

static double weight_of(const tacit_cells *cells, int32_t i, double unit)
{
    if (cells->value[i] == 0 && cells->cost[i] == 0)
        return 1;
    return cells->cost[i] / fmax(cells->value[i], unit);
}

static double unit_of(const tacit_cells *cells)
{
    double scale = 1;
    for (int32_t i = 0; i < cells->count; i++)
        while (scale < 100 &&
               fabs(cells->value[i] * scale - nearbyint(cells->value[i] * scale)) > 1e-6)
            scale *= 10;
    return 1 / scale;
}

static double largest_weight(const tacit_cells *cells)
{
    double most = 0;
    for (int32_t i = 0; i < cells->count; i++)
        if (cells->status[i] != 'z')
            most = fmax(most, weight_of(cells, i, unit_of(cells)));
    return most;
}

static double largest_level(const tacit_cells *cells)
{
    double most = 0;
    for (int32_t i = 0; i < cells->count; i++)
        if (cells->status[i] == 'u')
            most = fmax(most, fmax(cells->spl[i], fmax(cells->upl[i], cells->lpl[i])));
    return most > 0 ? most : 1;
}

/* A table within the intervals: its deviation of each cell. */
static void add_table(int *deviation, peer *p, const tacit_cells *cells, const int *up,
                      const int *down)
{
    for (int32_t i = 0; i < cells->count; i++) {
        deviation[i] = up[i] < 0 ? -1 : peer_column(p, 0, -INFINITY, INFINITY, false);
        if (up[i] < 0)
            continue;
        peer_term(p, deviation[i], 1);
        peer_term(p, up[i], -1);
        peer_row(p, -INFINITY, 0);
        peer_term(p, deviation[i], 1);
        peer_term(p, down[i], 1);
        peer_row(p, 0, INFINITY);
    }
    peer_relations(p, cells, deviation, NULL);
}

static void hide(peer *p, const tacit_cells *cells, int32_t i, const int *up, const int *down,
                 double spread)
{
    static int high[MAX_CELLS], low[MAX_CELLS];
    add_table(high, p, cells, up, down);
    add_table(low, p, cells, up, down);
    peer_term(p, high[i], 1);
    peer_row(p, cells->upl[i], INFINITY);
    peer_term(p, low[i], 1);
    peer_row(p, -INFINITY, -cells->lpl[i]);
    peer_term(p, high[i], 1);
    peer_term(p, low[i], -1);
    peer_row(p, spread, INFINITY);
}

static peer_result least_loss(double *loss, const tacit_cells *cells)
{
    static int up[MAX_CELLS], down[MAX_CELLS];
    double heaviest = largest_weight(cells), level = largest_level(cells);
    peer *p = peer_new();
    for (int32_t i = 0; i < cells->count; i++) {
        double weight =
            heaviest > 0 ? fmax(weight_of(cells, i, unit_of(cells)), LEAST_WEIGHT * heaviest) : 1;
        double room = fmin(cells->upper[i] - cells->value[i], MAX_LEVELS * level);
        double floor_capacity = fmin(cells->value[i] - cells->lower[i], MAX_LEVELS * level);
        up[i] = down[i] = -1;
        if (cells->status[i] == 'z')
            continue;
        up[i] = peer_column(p, weight, 0, room, false);
        down[i] = peer_column(p, weight, 0, floor_capacity, false);
    }
    for (int32_t i = 0; i < cells->count; i++)
        if (cells->status[i] == 'u' || cells->status[i] == 'x') {
            double all = p->upper[up[i]] + p->upper[down[i]];
            double spread = fmax(cells->spl[i], fmin(LEAST_SPREAD * level, all));
            hide(p, cells, i, up, down, spread);
        }
    return peer_solve(loss, p);
}

static void test_partial(void **state)
{
    uint64_t *seed = *state;
    int proven = 0, none = 0, undecided = 0;
    if (!peer_is_there())
        skip();
    for (*seed = 1; *seed <= many_cases(40); ++*seed) {
        random_start(*seed);
        peer_shape shape = {.dimensions = peer_between_ints(2, 3),
                            .decimals = random_below(3),
                            .largest = (const int[]){1, 40, 500}[random_below(3)],
                            .primaries = peer_between_ints(3, 12),
                            .zeros = random_below(2) ? 0 : 20,
                            .most = 40};
        tacit_cells *cells = peer_cells(&shape);
        int32_t other = random_below(cells->count);
        if (random_below(3) == 0 && cells->status[other] == 's' && cells->value[other] > 0)
            cells->status[other] = 'x';
        const tacit_suppress_options options = {.wider = 0};
        tacit_pattern pattern = {0};
        tacit_error err = {0};
        tacit_run run;
        tacit_run_init(&run);
        run.threads = 1;
        tacit_status status = tacit_cells_check(cells, NULL);
        if (status == TACIT_OK) {
            double least;
            status = tacit_suppress_method_find("partial")->solve(&pattern, cells, cells->status,
                                                                  &options, &run, &err);
            peer_result result = least_loss(&least, cells);
            if (result == PEER_LEAST && status == TACIT_OK) {
                double close = 2e-6 * fmax(1, least);
                if (pattern.cost < least - close || pattern.lower_bound > least + close ||
                    (pattern.proven && pattern.cost > least + close))
                    fail_msg("%.10g and a bound of %.10g; the least is %.10g", pattern.cost,
                             pattern.lower_bound, least);
            }
            if (result != PEER_UNDECIDED && (result == PEER_LEAST) != (status == TACIT_OK))
                fail_msg("%g: %s", least, err.message);
            proven += status == TACIT_OK && pattern.proven && result == PEER_LEAST;
            none += result == PEER_NONE;
            undecided += result == PEER_UNDECIDED;
        }
        tacit_pattern_clear(&pattern);
        tacit_cells_free(cells);
    }
    assert_true(SANITIZED || (proven > 10 && none > 0 && undecided < proven));
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_partial, &seed)};
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
