/*
 * test_peer_suppress.c - optimal, auto and hitas against the integer program of
 * docs/methods/suppress-optimal.md, written here once more with a table of its own for each side of
 * each confidential cell, and solved by GLPK: what is said to be proven is, no bound is above the
 * least cost, and nothing is cheaper than it.
 */
#include "tables.h"

#include "random_cases.h"
#include "suppress.h"

#include "peer_tables.h"

enum { MAX_CELLS = 256 };

/* Confidential cells without levels must not be known exactly: by how much does not matter. */
#define HARDLY 0.01

/* Deviations of a table that the adversary cannot rule out: none where a cell is published. */
static void add_table(int *deviation, peer *p, const tacit_cells *cells, const int *hidden)
{
    for (int32_t i = 0; i < cells->count; i++) {
        double up = cells->upper[i] - cells->value[i], down = cells->value[i] - cells->lower[i];
        deviation[i] = hidden[i] < 0 ? -1 : peer_column(p, 0, -down, up, false);
        if (hidden[i] < 0)
            continue;
        peer_term(p, deviation[i], 1);
        peer_term(p, hidden[i], -up);
        peer_row(p, -INFINITY, 0);
        peer_term(p, deviation[i], 1);
        peer_term(p, hidden[i], down);
        peer_row(p, 0, INFINITY);
    }
    peer_relations(p, cells, deviation, NULL);
}

static void hide(peer *p, const tacit_cells *cells, int32_t i, const int *hidden)
{
    static int high[MAX_CELLS], low[MAX_CELLS];
    add_table(high, p, cells, hidden);
    add_table(low, p, cells, hidden);
    peer_term(p, high[i], 1);
    peer_row(p, cells->upl[i], INFINITY);
    peer_term(p, low[i], 1);
    peer_row(p, -INFINITY, -cells->lpl[i]);
    peer_term(p, high[i], 1);
    peer_term(p, low[i], -1);
    peer_row(p, fmax(HARDLY, cells->spl[i]), INFINITY);
}

/* Of all patterns, or of one whose letters are given. */
static peer_result least_cost(double *cost, const tacit_cells *cells, const char *letters)
{
    static int hidden[MAX_CELLS];
    peer *p = peer_new();
    for (int32_t i = 0; i < cells->count; i++) {
        bool least = letters ? slow_suppressed(letters[i]) : cells->status[i] != 's';
        bool most = letters ? least : true;
        double price = cells->status[i] == 'u' ? 0 : cells->cost[i];
        hidden[i] = cells->status[i] == 'z' ? -1 : peer_column(p, price, least, most, !letters);
    }
    for (int32_t i = 0; i < cells->count; i++)
        if (cells->status[i] == 'u' || cells->status[i] == 'x')
            hide(p, cells, i, hidden);
    return peer_solve(cost, p);
}

/* At most so many confidential cells, or programs grow too large; sometimes one that was suppressed
 * before, which must not be known exactly. */
static int keep_primaries(tacit_cells *cells, int most)
{
    int count = 0;
    int32_t other = random_below(cells->count);
    if (random_below(3) == 0 && cells->status[other] == 's' && cells->value[other] > 0)
        cells->status[other] = 'x';
    for (int32_t i = 0; i < cells->count; i++)
        if (cells->status[i] == 'u' && ++count > most) {
            cells->status[i] = 's';
            cells->upl[i] = cells->lpl[i] = cells->spl[i] = 0;
        }
    return count;
}

static bool compare(const tacit_cells *cells, const char *method, peer_result result, double least)
{
    tacit_pattern pattern = {0};
    tacit_error err = {0};
    tacit_status status = suppressed_fully(&pattern, cells, method, &err);
    double close = 2e-5 * fmax(1, least);
    bool proven = status == TACIT_OK && pattern.proven;
    if (result == PEER_LEAST && status != TACIT_OK)
        fail_msg("%s: %s, but there is a pattern of %g", method, err.message, least);
    /* GLPK 5.0 says so of some integer programs that have a solution, whatever its options: without
     * integers it finds that the pattern keeps everything. */
    double cost;
    if (result == PEER_NONE && status == TACIT_OK &&
        least_cost(&cost, cells, pattern.status) != PEER_LEAST)
        fail_msg("%s: %g, but there is no pattern", method, pattern.cost);
    if (result == PEER_LEAST &&
        (pattern.cost < least - close || pattern.lower_bound > least + close ||
         (proven && pattern.cost > least + close)))
        fail_msg("%s: %.10g and a bound of %.10g, %s; the least is %.10g", method, pattern.cost,
                 pattern.lower_bound, proven ? "proven" : "open", least);
    tacit_pattern_clear(&pattern);
    return proven;
}

static void test_suppress(void **state)
{
    static const char *const METHODS[] = {"optimal", "auto", "hitas"};
    uint64_t *seed = *state;
    int proven[3] = {0}, undecided = 0;
    if (!peer_is_there())
        skip();
    for (*seed = 1; *seed <= many_cases(30); ++*seed) {
        random_start(*seed);
        peer_shape shape = {.dimensions = peer_between_ints(2, 3),
                            .decimals = random_below(3),
                            .largest = (const int[]){2, 40, 500}[random_below(3)],
                            .primaries = peer_between_ints(4, 15),
                            .zeros = random_below(2) ? 0 : 20,
                            .most = 28};
        tacit_cells *cells = peer_cells(&shape);
        int primaries = keep_primaries(cells, 3);
        if (primaries > 0 && tacit_cells_check(cells, NULL) == TACIT_OK) {
            double least;
            peer_result result = least_cost(&least, cells, NULL);
            for (int m = 0; m < 3; m++)
                proven[m] += compare(cells, METHODS[m], result, least) && result == PEER_LEAST;
            undecided += result == PEER_UNDECIDED;
        }
        tacit_cells_free(cells);
    }
    assert_true(SANITIZED || (proven[0] > 5 && proven[1] > 5 && proven[2] > 0));
    assert_true(undecided < proven[0]);
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_suppress, &seed)};
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
