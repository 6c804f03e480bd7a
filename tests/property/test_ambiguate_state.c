/*
 * test_ambiguate_state.c - the state of ambiguation against alpha counted row by row: made
 * from random plans, and after every one of many random changes. Tables are large enough
 * for look-up lists to be made, kept and dropped, and codes sometimes so large that a class
 * takes several words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "ambiguate.h"
#include "random_cases.h"
#include "records/ambiguate/kinds.h"
#include "records/ambiguate/state.h"

static uint64_t seed;

/* Codes far apart are the same table. */
static void spread(tacit__tableau *t)
{
    const uint32_t STEP = 1000000007;
    for (int64_t cell = 0; cell < t->classes * t->columns; cell++)
        t->codes[cell] *= STEP;
    for (int32_t c = 0; c < t->columns; c++)
        t->domain[c] = (t->domain[c] - 1) * STEP + 1;
}

static tacit__state *state_of(const tacit__tableau *t, const tacit__blanking *plan)
{
    tacit__state *state = NULL;
    tacit_error err = {0};
    if (tacit__state_new(&state, t, plan, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return state;
}

/* Row by row what the state holds; item_of says of each which it is in. */
static void rows_of(naive_rows *n, int64_t *item_of, const tacit__tableau *t,
                    const tacit__state *state)
{
    *n = (naive_rows){.t = t};
    for (int64_t i = 0; i < tacit__state_count(state); i++) {
        const tacit__item *item = tacit__state_item(state, i);
        if (i < t->classes)
            assert_true(item->class_index == i && item->mask == 0);
        for (int64_t row = 0; row < item->rows; row++) {
            item_of[n->count] = i;
            naive_add(n, item->class_index, item->mask, item->fixed);
        }
    }
    assert_int_equal(n->count, t->rows);
    naive_alpha(n);
}

static void check(const tacit__tableau *t, tacit__state *state)
{
    naive_rows n;
    int64_t item_of[AMBIGUATE_ROWS], least, below = 0, cells = 0, blanked = 0;
    tacit__state_sums sums;
    double cost = 0;
    rows_of(&n, item_of, t, state);
    least = naive_alpha(&n);
    for (int i = 0; i < n.count; i++) {
        assert_int_equal(tacit__state_item(state, item_of[i])->alpha, n.alpha[i]);
        below += n.alpha[i] < t->k;
        cells += __builtin_popcountll(n.mask[i]);
        blanked += n.mask[i] != 0;
        cost += tacit__tableau_cost(t, n.class_of[i], n.mask[i]);
    }
    tacit__state_sum(&sums, state);
    assert_int_equal(sums.least, least);
    assert_int_equal(sums.below, below);
    assert_int_equal(sums.cells, cells);
    assert_int_equal(sums.rows, blanked);
    assert_true(fabs(sums.mean - naive_mean(&n)) < 1e-9);
    assert_true(fabs(sums.cost - cost) < 1e-9);
}

/* Of one item: those that agree with it do, each is there once, and they are as many as alpha
 * says. */
static void check_agreeing(const tacit__tableau *t, tacit__state *state, int64_t index)
{
    const tacit__item *item = tacit__state_item(state, index);
    bool seen[AMBIGUATE_ROWS * 64] = {false};
    const uint32_t *found;
    int64_t count, rows = 0;
    assert_true(tacit__state_count(state) <= (int64_t)(sizeof seen / sizeof seen[0]));
    assert_int_equal(tacit__state_look(&found, &count, state, item->class_index, item->mask, NULL),
                     TACIT_OK);
    for (int64_t i = 0; i < count; i++) {
        const tacit__item *other = tacit__state_item(state, found[i]);
        assert_true(other->rows > 0 && !seen[found[i]]);
        assert_true((tacit__tableau_differ(t, item->class_index, other->class_index) &
                     ~(item->mask | other->mask)) == 0);
        seen[found[i]] = true;
        rows += other->rows;
    }
    if (item->rows > 0)
        assert_int_equal(rows, item->alpha);
}

/* One random change; returns the item that was changed. */
static int64_t change(const tacit__tableau *t, tacit__state *state, uint64_t *random,
                      uint32_t blank_of)
{
    int64_t index, to = -1;
    uint64_t mask = 0, fixed = 0;
    do
        index = draw(random, (uint32_t)tacit__state_count(state));
    while (tacit__state_item(state, index)->rows == 0);
    tacit__item before = *tacit__state_item(state, index);
    int64_t rows = 1 + draw(random, (uint32_t)before.rows);
    for (int32_t c = 0; c < t->columns; c++)
        mask |= (uint64_t)(draw(random, blank_of) == 0) << c;
    if (draw(random, 3) > 0) /* one cell */
        mask = before.mask ^ UINT64_C(1) << draw(random, (uint32_t)t->columns);
    if (draw(random, 4) == 0)
        fixed = mask & -mask;
    assert_int_equal(tacit__state_change(&to, state, index, rows, mask, fixed, NULL), TACIT_OK);
    const tacit__item *after = tacit__state_item(state, to);
    assert_true(after->class_index == before.class_index && after->mask == mask &&
                after->fixed == fixed && after->rows >= rows);
    return to;
}

/* Every row gets one of two sets of blanks: kinds of many items. */
static void plan_two(tacit__blanking *plan, const tacit__tableau *t, uint64_t *random)
{
    uint64_t masks[2];
    *plan = (tacit__blanking){0};
    for (int i = 0; i < 2; i++)
        masks[i] = draw(random, 3) > 0 ? UINT64_C(1) << draw(random, (uint32_t)t->columns) : 0;
    for (int64_t i = 0; i < t->classes; i++)
        for (int64_t row = 0; row < t->counts[i]; row++)
            assert_int_equal(
                tacit__blanking_add(
                    plan, (tacit__blank){(uint32_t)i, 1, masks[draw(random, 8) == 0], 0}, NULL),
                TACIT_OK);
    tacit__blanking_tidy(plan);
}

static void test_state(void **state)
{
    (void)state;
    for (seed = 1; seed <= many_cases(300); seed++) {
        uint64_t random = seed;
        tacit__tableau t;
        tacit__blanking plan, back = {0};
        bool small = seed % 3 == 0;
        if (small)
            tableau_random(&t, &random, 8, 6, 4, true);
        else
            tableau_even(&t, &random, 250, 3 + (int)draw(&random, 2), 4, 3);
        if (draw(&random, 2))
            spread(&t);
        if (draw(&random, 2))
            plan_two(&plan, &t, &random);
        else
            plan_random(&plan, &t, &random, 2 + draw(&random, 4), draw(&random, 2));
        tacit__state *s = state_of(&t, &plan);
        assert_int_equal(tacit__state_plan(&back, s, NULL), TACIT_OK);
        assert_same_plan(&back, &plan);
        check(&t, s);
        for (int i = 0; i < (small ? 30 : 60); i++) {
            int64_t to = change(&t, s, &random, 2 + draw(&random, 3));
            if (small || i % 10 == 9)
                check(&t, s);
            check_agreeing(&t, s, to);
        }
        tacit__state_free(s);
        tacit__blanking_clear(&plan);
        tacit__blanking_clear(&back);
        tacit__tableau_clear(&t);
    }
    seed = 0;
}

/* Many changes of few rows put items to sleep and wake them up. */
static void test_sleepers(void **state)
{
    (void)state;
    for (seed = 1; seed <= many_cases(6); seed++) {
        uint64_t random = seed;
        tacit__tableau t;
        tableau_even(&t, &random, 120, 3, 6, 2);
        tacit__state *s = state_of(&t, NULL);
        for (int i = 0; i < 3000; i++) {
            change(&t, s, &random, 1 + draw(&random, 3));
            if (i % 100 == 0)
                check(&t, s);
        }
        check(&t, s);
        tacit__state_free(s);
        tacit__tableau_clear(&t);
    }
    seed = 0;
}

/* Wide tables, where nearly every row has blanks of its own: items are sifted. Values are so many
 * that some share a bucket. */
static void test_sifted(void **state)
{
    (void)state;
    for (seed = 1; seed <= many_cases(4); seed++) {
        uint64_t random = seed;
        tacit__tableau t;
        tableau_even(&t, &random, 250, 5 + (int32_t)draw(&random, 8), seed % 2 ? 3 : 40, 2);
        tacit__state *s = state_of(&t, NULL);
        for (int i = 0; i < 900; i++) {
            change(&t, s, &random, 1 + draw(&random, 3));
            if (i % 300 == 299)
                check(&t, s);
        }
        tacit__blanking plan = {0};
        assert_int_equal(tacit__state_plan(&plan, s, NULL), TACIT_OK);
        tacit__state_free(s);
        s = state_of(&t, &plan); /* counted at once */
        check(&t, s);
        tacit__blanking_clear(&plan);
        tacit__state_free(s);
        tacit__tableau_clear(&t);
    }
    seed = 0;
}

/* A look finds the same whether there is room for lists or not. */
static void test_capacity(void **state)
{
    (void)state;
    for (seed = 1; seed <= many_cases(20); seed++) {
        uint64_t random = seed;
        tacit__tableau t;
        tacit__packed packed;
        tacit__kinds kinds;
        tableau_even(&t, &random, 200, 6, 2 + draw(&random, 2), 2);
        assert_int_equal(tacit__packed_init(&packed, &t, NULL), TACIT_OK);
        assert_int_equal(tacit__kinds_init(&kinds, &packed, t.classes, NULL), TACIT_OK);
        kinds.max_listed = 3 * t.classes; /* of some thirty lists that are asked for */
        for (int64_t i = 0; i < t.classes; i++)
            tacit__kinds_rows(&kinds, (uint32_t)i, t.counts[i]);
        for (int i = 0; i < 4000; i++) {
            uint32_t own = draw(&random, (uint32_t)t.classes);
            uint64_t mask = draw(&random, UINT32_C(1) << t.columns);
            int64_t expected = 0;
            for (int64_t j = 0; j < t.classes; j++)
                expected += !(tacit__tableau_differ(&t, own, j) & ~mask);
            assert_int_equal(tacit__kinds_look(&kinds, own, mask, NULL), TACIT_OK);
            assert_int_equal(kinds.found_count, expected);
            assert_true(kinds.listed <= kinds.max_listed);
        }
        tacit__kinds_clear(&kinds);
        tacit__packed_clear(&packed);
        tacit__tableau_clear(&t);
    }
    seed = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(test_state, &seed),
        random_test(test_sleepers, &seed),
        random_test(test_sifted, &seed),
        random_test(test_capacity, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
