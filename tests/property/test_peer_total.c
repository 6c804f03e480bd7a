/*
 * test_peer_total.c - total protection against an integer program of flows, solved by GLPK. Every
 * cell is strictly between its bounds, so that a set Q is protected where the row and the column of
 * each of its cells are connected by suppressed cells outside Q (docs/methods/total.md): a unit
 * flows from the one to the other for each cell of Q, over cells that are suppressed or bought.
 */
#include "tables.h"

#include "flat.h"
#include "random_cases.h"

#include "peer.h"

/* Some cells suppressed, most of them in Q, some that must be published, and costs or none. */
static flat some_flat(void)
{
    flat f = flat_of(2 + random_below(4), 2 + random_below(4));
    int hidden = 10 + random_below(35), fixed = random_below(3) ? 0 : 20;
    bool costs = random_below(2);
    for (int i = 0; i < flat_cells(&f); i++) {
        bool hide = random_below(100) < hidden;
        f.secret[i] = hide && random_below(3);
        f.status[i] = f.secret[i] ? 'u' : hide ? 'x' : random_below(100) < fixed ? 'z' : 's';
        f.cost[i] = costs ? 1 + random_below(9) : 1;
    }
    return f;
}

/* A unit from the row of cell q to its column; bought: a column each cell, -1: suppressed already
 * (or 0 where it is no way). */
static void add_flow(peer *p, const flat *f, int q, const int *bought)
{
    int there[FLAT_MAX], back[FLAT_MAX];
    for (int i = 0; i < flat_cells(f); i++) {
        bool way = !f->secret[i] && f->status[i] != 'z';
        there[i] = peer_column(p, 0, 0, way ? 1 : 0, false);
        back[i] = peer_column(p, 0, 0, way ? 1 : 0, false);
        if (bought[i] < 0)
            continue;
        peer_term(p, there[i], 1);
        peer_term(p, back[i], 1);
        peer_term(p, bought[i], -1);
        peer_row(p, -INFINITY, 0);
    }
    for (int place = 0; place < f->rows + f->columns; place++) {
        bool is_row = place < f->rows;
        for (int i = 0; i < flat_cells(f); i++) {
            if (is_row ? f->row[i] != place : f->column[i] != place - f->rows)
                continue;
            peer_term(p, there[i], is_row ? 1 : -1);
            peer_term(p, back[i], is_row ? -1 : 1);
        }
        bool start = is_row && f->row[q] == place, end = !is_row && f->column[q] == place - f->rows;
        double out = start ? 1 : end ? -1 : 0;
        peer_row(p, out, out);
    }
}

static peer_result least_cost(double *cost, const flat *f)
{
    int bought[FLAT_MAX];
    peer *p = peer_new();
    for (int i = 0; i < flat_cells(f); i++)
        bought[i] = f->status[i] == 's' ? peer_column(p, f->cost[i], 0, 1, true) : -1;
    for (int i = 0; i < flat_cells(f); i++)
        if (f->secret[i])
            add_flow(p, f, i, bought);
    return peer_solve(cost, p);
}

static void test_total(void **state)
{
    uint64_t *seed = *state;
    int proven = 0, none = 0, ways[4] = {0};
    if (!peer_is_there())
        skip();
    for (*seed = 1; *seed <= many_cases(80); ++*seed) {
        random_start(*seed);
        flat f = some_flat();
        tacit_flat_view view = flat_view(&f);
        tacit_total_options options = {0};
        tacit_total_plan plan = {0};
        tacit_error err = {0};
        double least = NAN;
        bool any = false;
        for (int i = 0; i < flat_cells(&f); i++)
            any |= f.secret[i];
        if (!any)
            continue;
        tacit_status status = tacit_total_protect(&plan, &view, &options, NULL, &err);
        peer_result result = least_cost(&least, &f);
        if (result != PEER_UNDECIDED && (result == PEER_LEAST) != (status == TACIT_OK))
            fail_msg("%g: %s", least, err.message);
        if (result == PEER_LEAST && (plan.cost < least - 1e-6 || plan.lower_bound > least + 1e-6 ||
                                     (plan.optimal && plan.cost > least + 1e-6)))
            fail_msg("%g and a bound of %g; the least is %g", plan.cost, plan.lower_bound, least);
        if (status == TACIT_OK)
            ways[plan.way]++;
        proven += status == TACIT_OK && plan.optimal && result == PEER_LEAST;
        none += result == PEER_NONE;
        tacit_total_plan_clear(&plan);
    }
    assert_true(SANITIZED || (proven > 20 && none > 0));
    assert_true(SANITIZED || (ways[TACIT_TOTAL_COUNT] > 0 && ways[TACIT_TOTAL_SEARCH] > 0));
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_total, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
