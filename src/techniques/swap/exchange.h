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

/* A uniformly random order of one cycle, Sattolo's: nothing stays in its place where there are two
 * or more, and every other place is as likely. */
void tacit__cycle_list(uint32_t *list, int64_t count, tacit__random *random);

/* Brings so many of a list to its front, drawn without replacement, in random order. */
void tacit__draw_front(uint32_t *list, int64_t size, int64_t count, tacit__random *random);

/* A number with that mean that is one of the two whole numbers around it. */
int64_t tacit__round_randomly(double mean, tacit__random *random);

/* Rows that exchange cells among themselves, segment by segment. */
typedef struct tacit__movers {
    uint32_t *rows;
    int64_t *starts; /* segments + 1 */
    uint32_t segments;
    int64_t alone; /* rows whose group has no other */
} tacit__movers;

/* A share of the rows of each group that agrees in the columns of within (NULL or not given: all
 * rows are one group). A segment never has one row only. */
tacit_status tacit__movers_init(tacit__movers *pool, tacit__sheet *sheet,
                                const tacit__runner_value *within, double share,
                                tacit__random *random, tacit_error *err);
void tacit__movers_clear(tacit__movers *pool);

static inline int64_t tacit__movers_size(const tacit__movers *pool)
{
    return pool->starts[pool->segments];
}

/* Puts into row to[i] of a column the cell of its row from[i], all at once. Rows of `to` are
 * different ones. buffer has room for count cells. */
void tacit__cells_move(tacit__sheet_column *column, const uint32_t *to, const uint32_t *from,
                       int64_t count, uint64_t *buffer);

#endif
