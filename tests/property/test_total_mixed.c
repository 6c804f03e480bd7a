/*
 * test_total_mixed.c - total protection of tables with cells on their bounds, cells that must be
 * published, and costs, against brute force over all sets of published cells; the judge is that of
 * flat.h. Trees of least cost likewise, and the heuristic against its bound.
 */
#include "tables.h"

#include "cells/total/total.h"
#include "flat.h"
#include "random_cases.h"

static uint64_t seed;

typedef struct mixture {
    int most_rows, max_columns;
    int hidden, bounded, fixed; /* percent */
    int dearest;                /* cost */
} mixture;

static flat draw(const mixture *m)
{
    flat f = flat_of(2 + random_below(m->most_rows - 1), 2 + random_below(m->max_columns - 1));
    int of_these = random_below(2) ? 100 : random_below(100);
    for (int i = 0; i < flat_cells(&f); i++) {
        if (random_below(100) < m->bounded)
            *(random_below(2) ? &f.lower[i] : &f.upper[i]) = f.value[i];
        f.cost[i] = 1 + random_below(m->dearest);
        if (random_below(100) < m->hidden) {
            f.status[i] = random_below(100) < of_these ? 'u' : 'x';
            f.secret[i] = f.status[i] == 'u';
        } else if (random_below(100) < m->fixed) {
            f.status[i] = 'z';
        }
    }
    return f;
}

static bool is_kept(const flat *f)
{
    static changes c;
    find_changes(&c, f);
    return judge_leaks(&c) == 0;
}

/* What the cheapest set of cells costs; INFINITY: none protects Q. */
static double best_of(const flat *f)
{
    int offers[FLAT_MAX], count = 0;
    double best = INFINITY;
    for (int i = 0; i < flat_cells(f); i++)
        if (f->status[i] == 's')
            offers[count++] = i;
    for (uint32_t set = 0; set < UINT32_C(1) << count; set++) {
        flat g = *f;
        double cost = 0;
        for (int k = 0; k < count; k++)
            if (set >> k & 1) {
                g.status[offers[k]] = 'x';
                cost += f->cost[offers[k]];
            }
        if (cost < best && is_kept(&g))
            best = cost;
    }
    return best;
}

/* The cost, INFINITY where there is no solution. The cells may be suppressed and protect Q. plan
 * keeps its numbers only. */
static double protect(const flat *f, tacit_total_plan *plan, const tacit_total_options *options)
{
    flat g = *f;
    tacit_flat_view view = flat_view(f);
    tacit_error err = {0};
    double cost = 0;
    *plan = (tacit_total_plan){0};
    tacit_status status = tacit_total_protect(plan, &view, options, NULL, &err);
    if (status == TACIT_INFEASIBLE) {
        assert_string_not_equal(err.message, "");
        return INFINITY;
    }
    if (status != TACIT_OK)
        fail_msg("%s", err.message);
    for (int k = 0; k < plan->count; k++) {
        int cell = plan->row[k] * f->columns + plan->column[k];
        assert_int_equal(g.status[cell], 's');
        g.status[cell] = 'x';
        cost += f->cost[cell];
    }
    assert_true(is_kept(&g));
    assert_true(cost == plan->cost && plan->lower_bound <= cost);
    tacit_total_plan numbers = *plan;
    tacit_total_plan_clear(plan);
    *plan = numbers;
    return cost;
}

/* Cases without a solution, and solved by each way. */
typedef struct tally {
    int never, ways[4];
    int rough, solved; /* heuristic answers that are not the best; all */
} tally;

/* The best answer, and the heuristic's. */
static void check_one(tally *t, const flat *f)
{
    const tacit_total_options quick = {.quick = true};
    tacit_total_plan plan;
    double best = best_of(f), cost = protect(f, &plan, NULL);
    if (cost != best)
        fail_msg("%g instead of %g", cost, best);
    t->never += best == INFINITY;
    if (best == INFINITY)
        return;
    assert_true(plan.optimal && plan.lower_bound == best && !plan.stopped);
    t->ways[plan.way]++;
    t->solved++;
    t->rough += protect(f, &plan, &quick) > best;
    assert_true(plan.lower_bound <= best && (!plan.optimal || plan.cost == best));
}

static tally check_many(const mixture *m, uint64_t cases)
{
    tally t = {0};
    for (uint64_t i = 1; i <= cases; i++) {
        random_start(seed = i);
        flat f = draw(m);
        check_one(&t, &f);
    }
    assert_true(t.never > 0 && t.ways[TACIT_TOTAL_SEARCH] > 0 && t.rough < t.solved / 10);
    seed = 0;
    return t;
}

/* Each cell published, suppressed or in Q, and undirected or directed either way. */
static void check_every(int rows, int columns)
{
    flat f = flat_of(rows, columns);
    tally t = {0};
    uint32_t all = 1;
    for (int i = 0; i < flat_cells(&f); i++)
        all *= 9;
    for (uint32_t state = 0; state < all; state++) {
        for (uint32_t i = 0, left = state; i < (uint32_t)flat_cells(&f); i++, left /= 9) {
            f.status[i] = "sxu"[left % 3];
            f.secret[i] = left % 3 == 2;
            f.lower[i] = left % 9 / 3 == 1 ? f.value[i] : 0;
            f.upper[i] = left % 9 / 3 == 2 ? f.value[i] : 2;
        }
        check_one(&t, &f);
    }
    assert_true(t.never > 0 && t.solved > 0);
}

static void test_every_table(void **state)
{
    (void)state;
    check_every(2, 2);
    check_every(1, 3);
    if (getenv("TACIT_LONG"))
        check_every(2, 3);
}

/* Large tables are answered without a search, if at all. */
static void test_large(void **state)
{
    (void)state;
    const mixture m = {3, 4, 50, 15, 5, 3};
    int served = 0, best_too = 0;
    for (uint64_t i = 1, cases = many_cases(1000); i <= cases; i++) {
        random_start(seed = i);
        flat f = draw(&m), g = f;
        tacit_flat_view view = flat_view(&f);
        tacit__graph *graph = NULL;
        tacit__places added = {0};
        tacit_total_plan plan = {0};
        double best = best_of(&f);
        assert_int_equal(tacit__graph_new(&graph, &view, NULL), TACIT_OK);
        tacit_status status = tacit__total_large(&plan, &added, &view, graph, NULL, NULL);
        assert_true(status == TACIT_OK || status == TACIT_LIMIT ||
                    (status == TACIT_INFEASIBLE && best == INFINITY));
        for (int k = 0; k < added.count && status == TACIT_OK; k++) {
            assert_int_equal(g.status[added.row[k] * f.columns + added.column[k]], 's');
            g.status[added.row[k] * f.columns + added.column[k]] = 'x';
        }
        if (status == TACIT_OK) {
            assert_true(is_kept(&g) && plan.cost >= best && plan.lower_bound <= best);
            assert_true(!plan.optimal || plan.cost == best);
            served++;
            best_too += plan.cost == best;
        }
        tacit__graph_free(graph);
        tacit__places_clear(&added);
    }
    if (served < 100 || best_too < 20)
        fail_msg("%d served, %d by the best", served, best_too);
    seed = 0;
}

static void test_directed(void **state)
{
    (void)state;
    check_many(&(mixture){3, 3, 40, 35, 0, 1}, many_cases(1000));
}

static void test_fixed(void **state)
{
    (void)state;
    tally t = check_many(&(mixture){3, 4, 50, 0, 15, 1}, many_cases(1000));
    assert_true(t.ways[TACIT_TOTAL_TREE] > 0 && t.ways[TACIT_TOTAL_COUNT] > 0);
}

static void test_costs(void **state)
{
    (void)state;
    tally t = check_many(&(mixture){3, 4, 50, 0, 0, 9}, many_cases(1000));
    assert_true(t.ways[TACIT_TOTAL_TREE] > 0);
}

static void test_everything(void **state)
{
    (void)state;
    check_many(&(mixture){3, 3, 45, 25, 10, 5}, many_cases(1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_table), random_test(test_large, &seed),
        random_test(test_directed, &seed),  random_test(test_fixed, &seed),
        random_test(test_costs, &seed),     random_test(test_everything, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
