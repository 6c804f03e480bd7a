/*
 * tally.h - amounts by key, on two sides: cells of a two-way table, whole rows.
 *
 * Keys below a stated bound that is small are places in an array; others are
 * hashed, in a table that grows. Sums are in the order of adding and the cells
 * are gone through in an order that follows from it, so results are the same
 * wherever they are computed.
 */
#ifndef TACIT_SRC_LOSS_TALLY_H
#define TACIT_SRC_LOSS_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tacit__loss_tally {
    uint64_t *keys; /* NULL: cells are in the order of their keys */
    double (*amounts)[2];
    size_t capacity;
    size_t used; /* of hashed ones */
} tacit__loss_tally;

/* Keys are below bound, and none is UINT64_MAX. False: no memory. */
bool tacit__tally_init(tacit__loss_tally *tally, uint64_t bound);
void tacit__tally_clear(tacit__loss_tally *tally);

/* The cell of a hashed key, made where it is new; NULL: no memory. */
double *tacit__tally_hashed(tacit__loss_tally *tally, uint64_t key);

static inline bool tacit__tally_add(tacit__loss_tally *tally, uint64_t key, int side, double amount)
{
    double *cell = tally->keys ? tacit__tally_hashed(tally, key) : tally->amounts[key];
    if (cell)
        cell[side] += amount;
    return cell;
}

/* The key of the i-th of `capacity` cells, those that nothing was added to among them. */
static inline uint64_t tacit__tally_key(const tacit__loss_tally *tally, size_t i)
{
    return tally->keys ? tally->keys[i] : i;
}

#endif
