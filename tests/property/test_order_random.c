/*
 * test_order_random.c - the tests of row order beside every order there is, on small random
 * releases: means, variances, and what the join by place exposes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "random_cases.h"
#include "two_releases.h"

static uint64_t seed;

/* Sums over all orders of both measures. */
typedef struct orders {
    const two_case *c;
    int64_t rows, places;
    double mean[MAX_ROWS]; /* of the places a row can be; -1: none */
    bool used[MAX_ROWS];
    double count, agreeing, agreeing2, ranks, ranks2;
} orders;

/* The measures of an order: which row stands at each place. */
static void measure(const orders *o, const int64_t *at, double *agreeing, double *ranks)
{
    double rank = 0;
    *agreeing = *ranks = 0;
    for (int64_t place = 0; place < o->rows; place++) {
        if (place < o->places)
            *agreeing += agree(o->c, at[place], place);
        if (o->mean[at[place]] >= 0)
            *ranks += rank++ * o->mean[at[place]];
    }
}

static void each_order(orders *o, int64_t *at, int64_t place)
{
    double agreeing, ranks;
    if (place == o->rows) {
        measure(o, at, &agreeing, &ranks);
        o->count++;
        o->agreeing += agreeing;
        o->agreeing2 += agreeing * agreeing;
        o->ranks += ranks;
        o->ranks2 += ranks * ranks;
        return;
    }
    for (int64_t row = 0; row < o->rows; row++) {
        if (o->used[row])
            continue;
        o->used[row] = true;
        at[place] = row;
        each_order(o, at, place + 1);
        o->used[row] = false;
    }
}

static void find_means(orders *o)
{
    for (int64_t row = 0; row < o->rows; row++) {
        double sum = 0, count = 0;
        for (int64_t j = 0; j < o->c->two.before_rows; j++)
            if (agree(o->c, row, j)) {
                sum += (double)j;
                count++;
            }
        o->mean[row] = count > 0 ? sum / count : -1;
    }
}

static double off(double value, double sum, double squares, double count)
{
    double mean = sum / count, variance = squares / count - mean * mean;
    return variance > 1e-9 ? (value - mean) / sqrt(variance) : 0;
}

/* Rows whose joined box, or own where they do not agree, fewer than k share, or hold. */
static int64_t exposed_by_place(two_case *c, int64_t places)
{
    int64_t rows = c->two.now_rows, exposed = 0;
    uint32_t boxes[MAX_COLUMNS][MAX_ROWS];
    for (int64_t row = 0; row < rows; row++)
        for (int32_t i = 0; i < c->two.column_count; i++)
            boxes[i][row] = row < places && agree(c, row, row)
                                ? finer(c->now[i][row], c->before[i][row])
                                : c->now[i][row];
    for (int64_t row = 0; row < rows; row++) {
        bool below = false;
        for (int32_t s = 0; s < (c->two.sets ? c->two.set_count : 1); s++) {
            int64_t counted = 0;
            for (int64_t other = 0; other < rows; other++) {
                bool counts = true;
                for (int32_t i = 0; i < c->two.quasi_count; i++)
                    if (!c->two.sets || (c->sets[s] >> i & 1))
                        counts &=
                            c->two.by_candidates
                                ? tacit_lineage_holds(c->ends[i], boxes[i][other], boxes[i][row])
                                : boxes[i][other] == boxes[i][row];
                counted += counts;
            }
            below |= counted < c->two.k;
        }
        exposed += below;
    }
    return exposed;
}

static void test_orders(void **state)
{
    (void)state;
    for (seed = 1; seed <= many_cases(3000); seed++) {
        two_case c;
        tacit_order_verdict v;
        tacit_error err = {0};
        draw_case(&c, seed);
        if (c.two.now_rows == 0)
            continue;
        orders o = {.c = &c, .rows = c.two.now_rows};
        o.places = o.rows < c.two.before_rows ? o.rows : c.two.before_rows;
        int64_t at[MAX_ROWS], own[FEW_ROWS] = {0, 1, 2, 3, 4, 5};
        find_means(&o);
        each_order(&o, at, 0);
        double agreeing, ranks;
        measure(&o, own, &agreeing, &ranks);
        assert_int_equal(tacit_audit_order(&v, &c.two, NULL, &err), TACIT_OK);
        assert_int_equal(v.places, o.places);
        assert_int_equal(v.agreeing, (int64_t)agreeing);
        assert_true(fabs(v.expected - o.agreeing / o.count) < 1e-9);
        assert_true(fabs(v.places_z - off(agreeing, o.agreeing, o.agreeing2, o.count)) < 1e-5);
        assert_true(fabs(v.ranks_z - off(ranks, o.ranks, o.ranks2, o.count)) < 1e-5);
    }
    seed = 0;
}

static void test_places(void **state)
{
    (void)state;
    int64_t followed = 0;
    for (seed = 1; seed <= many_cases(3000); seed++) {
        two_case c;
        tacit_order_verdict v;
        draw_case_of(&c, seed, MAX_ROWS, true);
        assert_int_equal(tacit_audit_order(&v, &c.two, NULL, NULL), TACIT_OK);
        if (!v.follows)
            continue;
        assert_int_equal(v.exposed_rows, exposed_by_place(&c, v.places));
        followed++;
    }
    assert_true(followed > 20);
    seed = 0;
}

/* So few rows are hardly ever further off than chance allows; one column of many values is. */
static void test_same_order(void **state)
{
    (void)state;
    enum { ROWS = 40 };
    uint32_t ends[ROWS + 1], now[ROWS], before[ROWS];
    ends[0] = ROWS + 1;
    for (uint32_t i = 0; i < ROWS; i++) {
        ends[i + 1] = i + 2;
        now[i] = i % 4 == 0 ? 0 : i / 2 + 1;
        before[i] = i / 2 + 1;
    }
    tacit_joint_column column = {ends, ROWS + 1, {{now, 4}, NULL}, {{before, 4}, NULL}};
    tacit_two_releases two = {.columns = &column,
                              .column_count = 1,
                              .quasi_count = 1,
                              .now_rows = ROWS,
                              .before_rows = ROWS,
                              .k = 2};
    tacit_order_verdict v;
    assert_int_equal(tacit_audit_order(&v, &two, NULL, NULL), TACIT_OK);
    assert_true(v.tested && v.follows);
    assert_int_equal(v.agreeing, ROWS);
    assert_int_equal(v.finer_rows, ROWS / 4);
    assert_int_equal(v.exposed_rows, 0); /* every value twice */
    two.k = 3;
    assert_int_equal(tacit_audit_order(&v, &two, NULL, NULL), TACIT_OK);
    assert_int_equal(v.exposed_rows, ROWS);
    assert_int_equal(v.fewest, 2);
    for (int64_t i = 0; i + 3 < ROWS; i++) /* three rows left out: only ranks tell */
        now[i] = now[i + 3];
    two.now_rows = ROWS - 3;
    assert_int_equal(tacit_audit_order(&v, &two, NULL, NULL), TACIT_OK);
    assert_true(v.follows && v.ranks_z > TACIT_ORDER_RANKS && v.places_z < TACIT_ORDER_PLACES);
    two.max_pairs = 1;
    assert_int_equal(tacit_audit_order(&v, &two, NULL, NULL), TACIT_OK);
    assert_false(v.tested);
    assert_false(v.follows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        random_test(test_orders, &seed),
        random_test(test_places, &seed),
        cmocka_unit_test(test_same_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
