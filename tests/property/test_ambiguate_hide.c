/*
 * test_ambiguate_hide.c - hiding dependencies in random tableaux with random blanks: the blanks
 * added are the cheapest there are, by all pairs of rows and all ways to blank them.
 */
#include "records.h"

#include <math.h>

#include "ambiguate.h"
#include "random_cases.h"
#include "records/ambiguate/state.h"

typedef struct hide_case {
    tacit__tableau t;
    tacit__blanking plan;
    naive_rows rows;
    uint64_t left;
    int32_t right; /* a column, or -1 */
    uint32_t values[AMBIGUATE_ROWS];
} hide_case;

static void draw_case(hide_case *c, uint64_t *random, bool costs)
{
    tableau_random(&c->t, random, 5, 5, 3, costs);
    plan_random(&c->plan, &c->t, random, 2 + draw(random, 30), true);
    uint32_t all = (1u << c->t.columns) - 1;
    c->left = draw(random, 3) ? all : draw(random, all + 1);
    c->right = draw(random, 2) ? (int32_t)draw(random, (uint32_t)c->t.columns) : -1;
    uint32_t values = 1 + draw(random, 8);
    for (int64_t i = 0; i < c->t.classes; i++)
        c->values[i] =
            c->right < 0 ? draw(random, values) : c->t.codes[i * c->t.columns + c->right];
    if (c->right >= 0)
        c->left &= ~(UINT64_C(1) << c->right);
    if (draw(random, 3) == 0)
        c->t.most_row = 1 + (int32_t)draw(random, 3);
    if (draw(random, 3) == 0)
        c->t.most_column = 1 + draw(random, 4);
    naive_start(&c->rows, &c->t, &c->plan);
}

/* Blanks that each row has, as long as they keep the limits; rows that break one already may
 * have no more. */
static bool within_limits(const hide_case *c, int i, int j, uint64_t more_i, uint64_t more_j)
{
    int64_t column[64] = {0};
    for (int r = 0; r < c->rows.count; r++)
        for (int32_t k = 0; k < c->t.columns; k++)
            column[k] += c->rows.mask[r] >> k & 1;
    for (int32_t k = 0; k < c->t.columns; k++)
        if (((more_i | more_j) >> k & 1) &&
            column[k] + (int64_t)(more_i >> k & 1) + (int64_t)(more_j >> k & 1) > c->t.most_column)
            return false;
    return (!more_i || __builtin_popcountll(c->rows.mask[i] | more_i) <= c->t.most_row) &&
           (!more_j || __builtin_popcountll(c->rows.mask[j] | more_j) <= c->t.most_row);
}

/* Whether two rows differ in the right, or may because one of these blanks is there. */
static bool differ(const hide_case *c, int i, int j, uint64_t blanks)
{
    if (c->right >= 0 && (blanks >> c->right & 1))
        return true;
    return c->values[c->rows.class_of[i]] != c->values[c->rows.class_of[j]];
}

/* The cheapest blanks that make two rows agree in the left and differ in the right. */
static double cheapest_of(const hide_case *c, int i, int j)
{
    const naive_rows *n = &c->rows;
    uint64_t unlike = tacit__tableau_differ(&c->t, n->class_of[i], n->class_of[j]) & c->left;
    uint64_t cells = UINT64_C(1) << c->t.columns;
    uint64_t may = c->left | (c->right >= 0 ? UINT64_C(1) << c->right : 0);
    double best = INFINITY;
    for (uint64_t x = 0; x < cells; x++)
        for (uint64_t y = 0; y < cells; y++) {
            uint64_t all = n->mask[i] | n->mask[j] | x | y;
            if ((x & (n->mask[i] | ~may)) || (y & (n->mask[j] | ~may)) || (unlike & ~all) ||
                !differ(c, i, j, all) || !within_limits(c, i, j, x, y))
                continue;
            double cost = tacit__tableau_cost(&c->t, n->class_of[i], x) +
                          tacit__tableau_cost(&c->t, n->class_of[j], y);
            best = cost < best ? cost : best;
        }
    return best;
}

static double cheapest(const hide_case *c)
{
    double best = INFINITY;
    for (int i = 0; i < c->rows.count; i++)
        for (int j = 0; j < i; j++)
            best = fmin(best, cheapest_of(c, i, j));
    return best;
}

/* Whether two rows speak against the dependency by blanks that are fixed, or without. */
static bool is_hidden(const hide_case *c, const tacit__blanking *plan)
{
    naive_rows n;
    naive_start(&n, &c->t, plan);
    for (int i = 0; i < n.count; i++)
        for (int j = 0; j < i; j++) {
            uint64_t unlike = tacit__tableau_differ(&c->t, n.class_of[i], n.class_of[j]) & c->left;
            uint64_t fixed = n.fixed[i] | n.fixed[j];
            if (differ(c, i, j, fixed) && !(unlike & ~fixed))
                return true;
        }
    return false;
}

static void check_hidden(const hide_case *c, const tacit__state *state, int64_t added, double cost)
{
    tacit__blanking after = {0};
    tacit__blanking before = c->plan;
    assert_int_equal(tacit__state_plan(&after, state, NULL), TACIT_OK);
    assert_int_equal(naive_cells(&after) - naive_cells(&before), added);
    assert_true(fabs(naive_cost(&c->t, &after) - naive_cost(&c->t, &before) - cost) < 1e-9);
    assert_true(is_hidden(c, &after));
    tacit__blanking_clear(&after);
}

/* What is filled again afterwards leaves it hidden. */
static void check_filled(const hide_case *c, tacit__state *state)
{
    tacit__blanking after = {0};
    int64_t removed = 0;
    assert_int_equal(tacit__state_minimize(&removed, state, false, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit__state_plan(&after, state, NULL), TACIT_OK);
    assert_true(is_hidden(c, &after));
    tacit__blanking_clear(&after);
}

/* Returns the blanks added, or -1 where it cannot be done. */
static int64_t compare(const hide_case *c)
{
    tacit__state *state = NULL;
    bool found = false;
    int64_t added = -1;
    double cost = cheapest(c);
    assert_int_equal(tacit__state_new(&state, &c->t, &c->plan, NULL, NULL), TACIT_OK);
    assert_int_equal(
        tacit__state_hide(&found, &added, state, c->left, c->right, c->values, NULL, NULL),
        TACIT_OK);
    assert_int_equal(found, cost < INFINITY);
    if (found)
        check_hidden(c, state, added, cost);
    if (found && c->t.unit)
        assert_int_equal(added, (int64_t)cost);
    if (found)
        check_filled(c, state);
    tacit__state_free(state);
    return found ? added : -1;
}

static void compare_cases(uint64_t *seed, uint64_t cases, bool costs)
{
    int64_t none = 0, one = 0, more = 0, never = 0;
    for (*seed = 1; *seed <= many_cases(cases); (*seed)++) {
        uint64_t random = *seed;
        hide_case c;
        draw_case(&c, &random, costs);
        int64_t added = compare(&c);
        none += added == 0;
        one += added == 1;
        more += added > 1;
        never += added < 0;
        tacit__blanking_clear(&c.plan);
        tacit__tableau_clear(&c.t);
    }
    assert_true(none > 20 && one > 20 && more > 20 && never > 20);
    *seed = 0;
}

static void fewest(void **state)
{
    compare_cases(*state, 6000, false);
}

static void with_costs(void **state)
{
    compare_cases(*state, 6000, true);
}

int main(void)
{
    uint64_t seed = 0;
    const struct CMUnitTest tests[] = {
        random_test(fewest, &seed),
        random_test(with_costs, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
