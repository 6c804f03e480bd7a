/*
 * exchange.h - rows that exchange cells: which ones, by what permutation, and the moving itself.
 *
 * Swapping in all its forms moves marks of eight bytes; what a cell says is not looked at, so that
 * it comes out byte for byte.
 */
#ifndef TACIT_TECHNIQUES_SWAP_EXCHANGE_H
#define TACIT_TECHNIQUES_SWAP_EXCHANGE_H

#include "techniques/runner/technique.h"

static inline void tacit__trade(uint32_t *list, int64_t a, int64_t b)
{
    uint32_t kept = list[a];
    list[a] = list[b];
    list[b] = kept;
}

/* Uniformly random order, Fisher and Yates'. */
void tacit__shuffle_list(uint32_t *list, int64_t count, tacit__random *random);

/* Brings so many of a list to its front, drawn without replacement, in random order. */
void tacit__draw_front(uint32_t *list, int64_t size, int64_t count, tacit__random *random);

/* A number with that mean that is one of the two whole numbers around it. */
int64_t tacit__round_randomly(double mean, tacit__random *random);

/* Puts into row to[i] of a column the cell of its row from[i], all at once. Rows of `to` are
 * different ones. buffer has room for count cells. */
void tacit__cells_move(tacit__sheet_column *column, const uint32_t *to, const uint32_t *from,
                       int64_t count, uint64_t *buffer);

#endif
