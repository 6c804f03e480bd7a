/*
 * test_total_small.c - the fewest suppressions for total protection against brute force: every
 * table up to 3 x 4 with every set of suppressed cells and every Q, and random tables up to
 * 4 x 5. The judge is linear algebra over two elements: a sum over Q is known iff some
 * combination of rows and columns has all its suppressed cells in Q, that is, iff a cell of Q is no
 * combination of the suppressed cells outside Q. (The matrix is totally unimodular, so it has the
 * same rank over any field.)
 */
#include "tables.h"

#include "flat.h"
#include "random_cases.h"

static uint64_t seed;

/* Cells as bits: row r, column c of a table with `columns` columns is bit r * columns + c. */
typedef struct shape {
    int rows, columns, cells;
    uint32_t vector[32]; /* a cell's column of the matrix of sums */
} shape;

static shape shape_of(int rows, int columns)
{
    shape s = {rows, columns, rows * columns, {0}};
    for (int i = 0; i < s.cells; i++)
        s.vector[i] = UINT32_C(1) << (i / columns) | UINT32_C(1) << (rows + i % columns);
    return s;
}

/* Reduces a vector by a basis, indexed by leading bits. */
static uint32_t reduce(const uint32_t *basis, uint32_t v)
{
    while (v && basis[31 - __builtin_clz(v)])
        v ^= basis[31 - __builtin_clz(v)];
    return v;
}

static bool is_protected(const shape *s, uint32_t hidden, uint32_t secret)
{
    uint32_t basis[32] = {0};
    for (uint32_t left = hidden & ~secret; left; left &= left - 1) {
        uint32_t v = reduce(basis, s->vector[__builtin_ctz(left)]);
        if (v)
            basis[31 - __builtin_clz(v)] = v;
    }
    for (uint32_t left = secret; left; left &= left - 1)
        if (reduce(basis, s->vector[__builtin_ctz(left)]))
            return false;
    return true;
}

enum { NEVER = 100 };

/* best[E]: the fewest cells to add to E, which holds Q; sets without it are not looked at. */
static void find_best(uint8_t *best, const shape *s, uint32_t secret)
{
    uint32_t all = (UINT32_C(1) << s->cells) - 1;
    for (uint32_t hidden = all;; hidden--) {
        if ((hidden & secret) == secret) {
            best[hidden] = is_protected(s, hidden, secret) ? 0 : NEVER;
            for (uint32_t more = all & ~hidden; more && best[hidden]; more &= more - 1) {
                uint8_t next = best[hidden | (more & -more)];
                if (next < NEVER && next + 1 < best[hidden])
                    best[hidden] = next + 1;
            }
        }
        if (!hidden)
            return;
    }
}

/* What the library adds, NEVER where it says that there is no solution. */
static int protect(uint32_t *added, const shape *s, uint32_t hidden, uint32_t secret,
                   const tacit_total_options *options)
{
    int32_t row[32], column[32];
    char status[32];
    tacit_flat_view view = {.rows = s->rows, .columns = s->columns};
    tacit_total_plan plan = {0};
    tacit_error err = {0};
    for (int i = 0; i < s->cells; i++)
        if (hidden >> i & 1) {
            row[view.count] = i / s->columns;
            column[view.count] = i % s->columns;
            status[view.count++] = secret >> i & 1 ? 'u' : 'x';
        }
    view.row = row, view.column = column, view.status = status;
    tacit_status result = tacit_total_protect(&plan, &view, options, NULL, &err);
    if (result == TACIT_INFEASIBLE)
        return NEVER;
    assert_int_equal(result, TACIT_OK);
    *added = 0;
    for (int k = 0; k < plan.count; k++)
        *added |= UINT32_C(1) << (plan.row[k] * s->columns + plan.column[k]);
    int count = plan.count;
    assert_true(options || (plan.optimal && plan.lower_bound == count));
    assert_int_equal(__builtin_popcount(*added), count);
    assert_int_equal(*added & hidden, 0);
    tacit_total_plan_clear(&plan);
    return count;
}

static void check(const shape *s, uint32_t hidden, uint32_t secret, int expected)
{
    uint32_t added = 0;
    int count = protect(&added, s, hidden, secret, NULL);
    if (count != expected || (count < NEVER && !is_protected(s, hidden | added, secret)))
        fail_msg("%d x %d, hidden %x, Q %x: %d instead of %d", s->rows, s->columns, hidden, secret,
                 count, expected);
}

static void check_all(int rows, int columns)
{
    shape s = shape_of(rows, columns);
    uint8_t *best = malloc((size_t)1 << s.cells);
    uint32_t all = (UINT32_C(1) << s.cells) - 1;
    for (uint32_t secret = 0; secret <= all; secret++) {
        find_best(best, &s, secret);
        for (uint32_t hidden = secret; hidden <= all; hidden = (hidden + 1) | secret)
            check(&s, hidden, secret, best[hidden]);
    }
    free(best);
}

static void test_every_table(void **state)
{
    (void)state;
    for (int rows = 1; rows <= 3; rows++)
        for (int columns = 1; columns <= 4; columns++)
            if (ONE_CASE_OF == 1 || rows * columns < 12)
                check_all(rows, columns);
    if (getenv("TACIT_LONG")) {
        check_all(4, 3);
        check_all(2, 6);
        check_all(1, 12);
    }
}

/* The best for one set only: over all sets that hold it. */
static int best_of(const shape *s, uint32_t hidden, uint32_t secret)
{
    int best = NEVER;
    uint32_t open = ((UINT32_C(1) << s->cells) - 1) & ~hidden;
    for (uint32_t more = open;; more = (more - 1) & open) {
        if (__builtin_popcount(more) < best && is_protected(s, hidden | more, secret))
            best = __builtin_popcount(more);
        if (!more)
            return best;
    }
}

static void test_random_tables(void **state)
{
    (void)state;
    int solved = 0, never = 0, most = 0;
    for (uint64_t i = 1, cases = many_cases(3000); i <= cases; i++) {
        random_start(seed = i);
        shape s = shape_of(3 + random_below(2), 4 + random_below(2));
        uint32_t hidden = 0, secret = 0;
        int share = 25 + random_below(70), of_these = random_below(3) ? random_below(100) : 100;
        for (int k = 0; k < s.cells; k++)
            if (random_below(100) < share || (hidden == 0 && k + 12 > s.cells && s.cells > 16)) {
                hidden |= UINT32_C(1) << k;
                secret |= (uint32_t)(random_below(100) < of_these) << k;
            }
        if (s.cells - __builtin_popcount(hidden) > 14)
            continue;
        int expected = best_of(&s, hidden, secret);
        check(&s, hidden, secret, expected);
        solved += expected < NEVER;
        never += expected == NEVER;
        most = expected < NEVER && expected > most ? expected : most;
    }
    if (solved < 100 || never < 10 || most < 7)
        fail_msg("%d solved, %d never, %d most", solved, never, most);
    seed = 0;
}

/* As the paper has it: never better, and protects what it finds a solution for. */
static void test_as_published(void **state)
{
    (void)state;
    const tacit_total_options options = {.as_published = true};
    shape s = shape_of(3, 3);
    uint8_t best[1 << 9];
    int never = 0;
    for (uint32_t secret = 0; secret < 1 << 9; secret++) {
        find_best(best, &s, secret);
        for (uint32_t hidden = secret; hidden < 1 << 9; hidden = (hidden + 1) | secret) {
            uint32_t added = 0;
            int count = protect(&added, &s, hidden, secret, &options);
            assert_true(count == best[hidden] || count == NEVER);
            assert_true(count == NEVER || is_protected(&s, hidden | added, secret));
            never += count > best[hidden];
        }
    }
    assert_int_equal(never, 96);
}

/* Whether Q is protected when the plan's cells are appended to the list. */
static void check_plan(const tacit_flat_view *view, const tacit_total_plan *plan)
{
    int32_t row[64], column[64];
    char status[64];
    tacit_flat_view more = *view;
    tacit_total_audit *audit = NULL;
    assert_true(view->count + plan->count <= 64);
    memcpy(row, view->row, sizeof *row * view->count);
    memcpy(column, view->column, sizeof *column * view->count);
    memcpy(status, view->status, view->count);
    for (int k = 0; k < plan->count; k++) {
        row[more.count] = plan->row[k];
        column[more.count] = plan->column[k];
        status[more.count++] = 'x';
    }
    more.row = row, more.column = column, more.status = status;
    assert_int_equal(tacit_audit_total(&audit, &more, NULL, NULL, NULL), TACIT_OK);
    assert_true(audit->total && audit->secret > 0);
    tacit_total_audit_free(audit);
}

/* Where the paper is wrong (docs/methods/total.md). Good components are two cells of a column, one
 * of them not in Q; bad ones a cell of Q alone. Each has rows and columns of its own, further ones
 * have nothing suppressed. free_cells: components of a cell outside Q, which are helpers with both.
 */
typedef struct erratum {
    int good, bad, free_cells, more_rows, more_columns;
    int published, best;
} erratum;

static const erratum errata[] = {
    {0, 1, 0, 1, 1, NEVER, 3}, /* a row and a column help one */
    {0, 2, 0, 1, 0, NEVER, 4}, /* either helps two */
    {0, 2, 0, 0, 1, NEVER, 4}, {0, 2, 0, 0, 0, NEVER, NEVER},
    {0, 3, 0, 0, 0, NEVER, 5},                        /* three help each other, */
    {0, 3, 1, 0, 0, 6, 5},                            /* better than another does */
    {0, 6, 1, 0, 0, 12, 10},   {1, 3, 0, 0, 0, 7, 7}, /* a good one is in the first group */
    {1, 4, 0, 0, 0, 9, 8},     {2, 5, 0, 0, 0, 12, 11},
    {3, 1, 0, 0, 0, 6, 6},
};

static void test_errata(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof errata / sizeof *errata; i++) {
        const erratum *e = &errata[i];
        int32_t row[32], column[32];
        char status[32];
        tacit_flat_view view = {.row = row, .column = column, .status = status};
        for (int k = 0; k < e->good + e->bad + e->free_cells; k++, view.columns++)
            for (int cell = 0; cell < (k < e->good ? 2 : 1); cell++) {
                row[view.count] = view.rows++;
                column[view.count] = view.columns;
                status[view.count++] = cell || k >= e->good + e->bad ? 'x' : 'u';
            }
        view.rows += e->more_rows;
        view.columns += e->more_columns;
        for (int published = 0; published < 2; published++) {
            tacit_total_options options = {.as_published = published};
            tacit_total_plan plan = {.count = NEVER};
            tacit_status expected = TACIT_OK;
            if ((published ? e->published : e->best) == NEVER)
                expected = TACIT_INFEASIBLE;
            assert_int_equal(tacit_total_protect(&plan, &view, &options, NULL, NULL), expected);
            assert_int_equal(plan.count, published ? e->published : e->best);
            if (expected == TACIT_OK) {
                assert_true(plan.lower_bound == e->best && plan.optimal == (plan.count == e->best));
                assert_true(plan.good == e->good && plan.bad == e->bad);
                check_plan(&view, &plan);
                tacit_total_plan_clear(&plan);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_table),
        random_test(test_random_tables, &seed),
        cmocka_unit_test(test_as_published),
        cmocka_unit_test(test_errata),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
