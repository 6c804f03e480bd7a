/*
 * ambiguate.h - tableaux for the tests of ambiguation: the paper's, random ones, and alpha
 * counted row against row.
 *
 * Include cmocka.h, or a header that does, first.
 */
#ifndef TACIT_TESTS_SUPPORT_AMBIGUATE_H
#define TACIT_TESTS_SUPPORT_AMBIGUATE_H

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "naive_csv.h" /* draw */
#include "records/ambiguate/ambiguate.h"

enum { AMBIGUATE_ROWS = 256 };

/* A table by hand: rows of codes. */
typedef struct golden_table {
    int rows, columns;
    uint32_t codes[10][5];
} golden_table;

/* Tables 3 to 5 of the paper, values numbered as they occur. */
static const golden_table T1 = {4, 3, {{0, 0, 0}, {1, 0, 1}, {1, 1, 0}, {0, 0, 0}}};
static const golden_table T2 = {
    5, 5, {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 1}, {0, 0, 0, 1, 1}, {1, 0, 1, 0, 1}, {1, 1, 1, 0, 0}}};
static const golden_table T3 = {10,
                                4,
                                {{0, 0, 0, 0},
                                 {0, 1, 0, 1},
                                 {1, 0, 1, 2},
                                 {2, 1, 2, 3},
                                 {3, 1, 1, 4},
                                 {1, 0, 1, 2},
                                 {0, 1, 0, 1},
                                 {3, 1, 2, 0},
                                 {2, 1, 2, 3},
                                 {0, 0, 0, 3}}};
/* The two rows of the discussion. */
static const golden_table TWO_ROWS = {2, 1, {{0}, {1}}};

static inline void *ambiguate_block(size_t count, size_t size)
{
    void *block = tacit__alloc_zeroed(count, size);
    assert_non_null(block);
    return block;
}

/* An empty tableau with room for so many classes; costs are 1, there are no limits. */
static inline void tableau_start(tacit__tableau *t, int32_t columns, int64_t room, int64_t k)
{
    size_t cells = (size_t)room * (size_t)columns;
    *t = (tacit__tableau){.columns = columns, .k = k, .most_row = columns, .unit = true};
    t->codes = ambiguate_block(cells, sizeof *t->codes);
    t->costs = ambiguate_block(cells, sizeof *t->costs);
    t->counts = ambiguate_block((size_t)room, sizeof *t->counts);
    t->index = ambiguate_block((size_t)room, sizeof *t->index);
    t->domain = ambiguate_block((size_t)columns, sizeof *t->domain);
    for (size_t i = 0; i < cells; i++)
        t->costs[i] = 1;
}

/* Adds a row, which may be one of a class that is there. */
static inline void tableau_row(tacit__tableau *t, const uint32_t *codes)
{
    size_t width = (size_t)t->columns * sizeof *codes;
    int64_t i = 0;
    while (i < t->classes && memcmp(tacit__tableau_codes(t, i), codes, width) != 0)
        i++;
    if (i == t->classes) {
        memcpy(t->codes + i * t->columns, codes, width);
        t->index[i] = (uint32_t)t->classes++;
    }
    for (int32_t c = 0; c < t->columns; c++)
        if (codes[c] >= t->domain[c])
            t->domain[c] = codes[c] + 1;
    t->counts[i]++;
    t->most_column = ++t->rows;
}

/* A table by hand, folded; tacit__tableau_clear ends it. Class i of T2 is row i; T1's last row
 * is of class 0; T3's classes are its rows 0, 1, 2, 3, 4, 7 and 9. */
static inline void tableau_golden(tacit__tableau *t, const golden_table *table, int64_t k)
{
    tableau_start(t, table->columns, table->rows, k);
    for (int i = 0; i < table->rows; i++)
        tableau_row(t, table->codes[i]);
}

/* Up to so many rows and columns (at most 64 of them), with few values each; sometimes rows
 * are there several times, and sometimes (`costs`) blanks have costs of their own. k is from 1
 * to the number of rows, at most `most_k`. `random` may be a small number: it is stirred. */
static inline void tableau_random(tacit__tableau *t, uint64_t *random, int most_rows,
                                  int max_columns, int most_k, bool costs)
{
    *random = *random * UINT64_C(0x9E3779B97F4A7C15) | 1;
    int rows = 1 + (int)draw(random, (uint32_t)most_rows);
    int columns = 1 + (int)draw(random, (uint32_t)max_columns);
    uint32_t values[64], codes[64];
    bool copies = draw(random, 2), priced = costs && draw(random, 2);
    tableau_start(t, columns, rows, 1 + draw(random, (uint32_t)(most_k < rows ? most_k : rows)));
    for (int c = 0; c < columns; c++)
        values[c] = 1 + draw(random, 4);
    for (int i = 0; i < rows; i++) {
        if (i == 0 || !copies || draw(random, 3) > 0)
            for (int c = 0; c < columns; c++)
                codes[c] = draw(random, values[c]);
        tableau_row(t, codes);
    }
    for (int64_t cell = 0; priced && cell < t->classes * t->columns; cell++) {
        t->costs[cell] = 0.25 * (1 + draw(random, 12));
        t->unit &= t->costs[cell] == 1;
    }
}

/* So many rows and columns of so many values each, all as likely. */
static inline void tableau_even(tacit__tableau *t, uint64_t *random, int rows, int columns,
                                uint32_t values, int64_t k)
{
    uint32_t codes[64];
    *random = *random * UINT64_C(0x9E3779B97F4A7C15) | 1;
    tableau_start(t, columns, rows, k);
    for (int i = 0; i < rows; i++) {
        for (int c = 0; c < columns; c++)
            codes[c] = draw(random, values);
        tableau_row(t, codes);
    }
}

/* Random blanks for some rows, each cell with a chance of one in `of`; some of them fixed where
 * asked for. */
static inline void plan_random(tacit__blanking *plan, const tacit__tableau *t, uint64_t *random,
                               uint32_t of, bool fix)
{
    *plan = (tacit__blanking){0};
    for (int64_t i = 0; i < t->classes; i++)
        for (int64_t row = 0; row < t->counts[i]; row++) {
            tacit__blank blank = {.class_index = (uint32_t)i, .rows = 1};
            for (int32_t c = 0; c < t->columns; c++)
                blank.mask |= (uint64_t)(draw(random, of) == 0) << c;
            for (int32_t c = 0; fix && c < t->columns; c++)
                blank.fixed |= (uint64_t)(draw(random, 4) == 0) << c;
            blank.fixed &= blank.mask;
            assert_int_equal(tacit__blanking_add(plan, blank, NULL), TACIT_OK);
        }
    tacit__blanking_tidy(plan);
}

/* Row by row: class after class, of each the rows with blanks first, in the order of the plan. */
typedef struct naive_rows {
    const tacit__tableau *t;
    int count;
    uint32_t class_of[AMBIGUATE_ROWS];
    uint64_t mask[AMBIGUATE_ROWS], fixed[AMBIGUATE_ROWS];
    int64_t alpha[AMBIGUATE_ROWS];
} naive_rows;

static inline void naive_add(naive_rows *n, int64_t class_index, uint64_t mask, uint64_t fixed)
{
    assert_true(n->count < AMBIGUATE_ROWS);
    n->class_of[n->count] = (uint32_t)class_index;
    n->mask[n->count] = mask;
    n->fixed[n->count++] = fixed;
}

static inline bool naive_agree(const naive_rows *n, int i, int j)
{
    return !(tacit__tableau_differ(n->t, n->class_of[i], n->class_of[j]) &
             ~(n->mask[i] | n->mask[j]));
}

/* Counts alpha of every row; returns the smallest. */
static inline int64_t naive_alpha(naive_rows *n)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < n->count; i++) {
        n->alpha[i] = 0;
        for (int j = 0; j < n->count; j++)
            n->alpha[i] += naive_agree(n, i, j);
        least = n->alpha[i] < least ? n->alpha[i] : least;
    }
    return least;
}

/* The rows of a tableau with a plan's blanks (NULL: none). A plan that blanks more rows than
 * there are, or cells that are not, or fixes what is not blank, fails the test. */
static inline void naive_start(naive_rows *n, const tacit__tableau *t, const tacit__blanking *plan)
{
    *n = (naive_rows){.t = t};
    for (int64_t i = 0; i < t->classes; i++) {
        int64_t left = t->counts[i];
        for (int64_t b = 0; plan && b < plan->count; b++) {
            const tacit__blank *blank = &plan->blanks[b];
            if (blank->class_index != i)
                continue;
            assert_true(blank->rows >= 1 && blank->rows <= left);
            assert_true(t->columns == 64 || blank->mask >> t->columns == 0);
            assert_true((blank->fixed & ~blank->mask) == 0);
            left -= blank->rows;
            for (int64_t row = 0; row < blank->rows; row++)
                naive_add(n, i, blank->mask, blank->fixed);
        }
        for (; left > 0; left--)
            naive_add(n, i, 0, 0);
    }
    assert_int_equal(n->count, t->rows);
    naive_alpha(n);
}

/* The smallest alpha that a plan leaves. */
static inline int64_t naive_least(const tacit__tableau *t, const tacit__blanking *plan)
{
    naive_rows n;
    naive_start(&n, t, plan);
    return naive_alpha(&n);
}

/* The mean of alpha. */
static inline double naive_mean(const naive_rows *n)
{
    double sum = 0;
    for (int i = 0; i < n->count; i++)
        sum += (double)n->alpha[i];
    return sum / n->count;
}

static inline void assert_same_plan(const tacit__blanking *a, const tacit__blanking *b)
{
    assert_int_equal(a->count, b->count);
    for (int64_t i = 0; i < a->count; i++) {
        const tacit__blank *x = &a->blanks[i], *y = &b->blanks[i];
        assert_int_equal(x->class_index, y->class_index);
        assert_int_equal(x->rows, y->rows);
        assert_true(x->mask == y->mask && x->fixed == y->fixed);
    }
}

static inline int64_t naive_cells(const tacit__blanking *plan)
{
    int64_t cells = 0;
    for (int64_t b = 0; b < plan->count; b++)
        cells += plan->blanks[b].rows * __builtin_popcountll(plan->blanks[b].mask);
    return cells;
}

static inline double naive_cost(const tacit__tableau *t, const tacit__blanking *plan)
{
    double cost = 0;
    for (int64_t b = 0; b < plan->count; b++)
        cost += (double)plan->blanks[b].rows *
                tacit__tableau_cost(t, plan->blanks[b].class_index, plan->blanks[b].mask);
    return cost;
}

/* Whether a plan keeps the tableau's limits on blanks of a row and of a column. */
static inline bool naive_limits(const tacit__tableau *t, const tacit__blanking *plan)
{
    int64_t column[64] = {0};
    bool kept = true;
    for (int64_t b = 0; b < plan->count; b++) {
        kept &= __builtin_popcountll(plan->blanks[b].mask) <= t->most_row;
        for (int32_t c = 0; c < t->columns; c++)
            column[c] += (plan->blanks[b].mask >> c & 1) * plan->blanks[b].rows;
    }
    for (int32_t c = 0; c < t->columns; c++)
        kept &= column[c] <= t->most_column;
    return kept;
}

#endif
