/*
 * flat.h - small two-dimensional tables for the tests of total protection, and a judge that
 * knows no graph: he goes through all changes of the suppressed cells by -1, 0 and 1 that keep
 * every sum and no bound stands against. These span all changes that an adversary cannot rule out,
 * for the matrix of row and column sums is totally unimodular; the rest is rank.
 *
 * Include tables.h first.
 */
#ifndef TACIT_TESTS_SUPPORT_FLAT_H
#define TACIT_TESTS_SUPPORT_FLAT_H

#include <tacit/experimental/audit_total.h>
#include <tacit/experimental/total.h>

enum { FLAT_MAX = 64 };

/* All cells, row by row. */
typedef struct flat {
    int rows, columns;
    int32_t row[FLAT_MAX], column[FLAT_MAX];
    char status[FLAT_MAX];
    double value[FLAT_MAX], lower[FLAT_MAX], upper[FLAT_MAX], cost[FLAT_MAX];
    bool secret[FLAT_MAX];
} flat;

static inline int flat_cells(const flat *f)
{
    return f->rows * f->columns;
}

/* Everything published, value 1 between 0 and 2, cost 1. */
static inline flat flat_of(int rows, int columns)
{
    flat f = {.rows = rows, .columns = columns};
    assert_true(flat_cells(&f) <= FLAT_MAX);
    for (int i = 0; i < flat_cells(&f); i++) {
        f.row[i] = i / columns;
        f.column[i] = i % columns;
        f.status[i] = 's';
        f.value[i] = 1;
        f.upper[i] = 2;
        f.cost[i] = 1;
    }
    return f;
}

static inline tacit_flat_view flat_view(const flat *f)
{
    return (tacit_flat_view){.rows = f->rows,
                             .columns = f->columns,
                             .count = flat_cells(f),
                             .row = f->row,
                             .column = f->column,
                             .status = f->status,
                             .value = f->value,
                             .lower = f->lower,
                             .upper = f->upper,
                             .cost = f->cost,
                             .secret = f->secret};
}

static inline bool flat_hidden(const flat *f, int cell)
{
    return f->status[cell] == 'u' || f->status[cell] == 'x';
}

/* ---- the judge ---- */

/* The changes found so far, reduced to a basis modulo a prime: row r begins at column lead[r]. */
typedef struct changes {
    const flat *table;
    int count; /* suppressed cells, */
    int cell[FLAT_MAX];
    int change[FLAT_MAX]; /* how each moves, for now */
    int row_sum[FLAT_MAX], column_sum[FLAT_MAX];
    int rank;
    int64_t basis[FLAT_MAX][FLAT_MAX]; /* over cells of the table */
    int lead[FLAT_MAX];
} changes;

enum { PRIME = 1000003 };

static inline int64_t inverse(int64_t x)
{
    int64_t result = 1;
    for (int64_t power = PRIME - 2; power; power >>= 1, x = x * x % PRIME)
        if (power & 1)
            result = result * x % PRIME;
    return result;
}

/* Adds a vector to a basis; whether it was independent. */
static inline bool extend(int64_t basis[][FLAT_MAX], int *lead, int *rank, const int64_t *vector,
                          int size)
{
    int64_t v[FLAT_MAX];
    for (int i = 0; i < size; i++)
        v[i] = (vector[i] % PRIME + PRIME) % PRIME;
    for (int r = 0; r < *rank; r++) {
        int64_t times = v[lead[r]];
        for (int i = 0; i < size && times; i++)
            v[i] = (v[i] + (PRIME - times) * basis[r][i]) % PRIME;
    }
    for (int i = 0; i < size; i++) {
        if (!v[i])
            continue;
        int64_t scale = inverse(v[i]);
        for (int j = 0; j < size; j++)
            basis[*rank][j] = v[j] * scale % PRIME;
        lead[(*rank)++] = i;
        return true;
    }
    return false;
}

static inline void keep_change(changes *c)
{
    int64_t vector[FLAT_MAX] = {0};
    for (int k = 0; k < c->count; k++)
        vector[c->cell[k]] = c->change[k];
    extend(c->basis, c->lead, &c->rank, vector, flat_cells(c->table));
}

/* Whether the sums that no later cell can change are 0. */
static inline bool settled(const changes *c, int k)
{
    const flat *f = c->table;
    bool row_over = true, column_over = true;
    for (int later = k + 1; later < c->count; later++) {
        row_over &= f->row[c->cell[later]] != f->row[c->cell[k]];
        column_over &= f->column[c->cell[later]] != f->column[c->cell[k]];
    }
    return (!row_over || !c->row_sum[f->row[c->cell[k]]]) &&
           (!column_over || !c->column_sum[f->column[c->cell[k]]]);
}

static inline void try_changes(changes *c, int k)
{
    if (k == c->count) {
        keep_change(c);
        return;
    }
    const flat *f = c->table;
    int cell = c->cell[k];
    for (int move = -1; move <= 1; move++) {
        if ((move < 0 && f->value[cell] == f->lower[cell]) ||
            (move > 0 && f->value[cell] == f->upper[cell]))
            continue;
        c->change[k] = move;
        c->row_sum[f->row[cell]] += move;
        c->column_sum[f->column[cell]] += move;
        if (settled(c, k))
            try_changes(c, k + 1);
        c->row_sum[f->row[cell]] -= move;
        c->column_sum[f->column[cell]] -= move;
    }
}

static inline void find_changes(changes *c, const flat *f)
{
    *c = (changes){.table = f};
    for (int i = 0; i < flat_cells(f); i++)
        if (flat_hidden(f, i))
            c->cell[c->count++] = i;
    try_changes(c, 0);
}

/* In how many independent ways some cells can change. */
static inline int free_ways(const changes *c, const int *cells, int count)
{
    static int64_t basis[FLAT_MAX][FLAT_MAX];
    int lead[FLAT_MAX], rank = 0;
    for (int r = 0; r < c->rank; r++) {
        int64_t vector[FLAT_MAX];
        for (int i = 0; i < count; i++)
            vector[i] = c->basis[r][cells[i]];
        extend(basis, lead, &rank, vector, count);
    }
    return rank;
}

/* Independent sums over Q alone that are known. */
static inline int judge_leaks(const changes *c)
{
    int cells[FLAT_MAX], count = 0;
    for (int i = 0; i < flat_cells(c->table); i++)
        if (c->table->secret[i])
            cells[count++] = i;
    return count - free_ways(c, cells, count);
}

#endif
