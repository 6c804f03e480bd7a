/*
 * reveal.h - what knowing that no blank could be left out tells about the blanks
 * (the disambiguation attack of the paper's discussion).
 *
 * The adversary sees the release, and knows k and which values each column has. Had a blank
 * the value v, and would every row keep k that it agrees with when the cell is filled with it
 * (all other blanks staying), then the blank would have been left out; so v is excluded. One
 * value left is revealed. None left says that the blank is there for something else, and
 * reveals nothing.
 *
 * More blanks exclude more, never less.
 */
#ifndef TACIT_RECORDS_AMBIGUATE_REVEAL_H
#define TACIT_RECORDS_AMBIGUATE_REVEAL_H

#include "records/ambiguate/state.h"

typedef struct tacit__reveal {
    tacit__state *state;           /* borrowed */
    const tacit__tableau *tableau; /* its */
    uint32_t values[64];           /* a column each: how many it has */
    uint32_t *numbers;             /* class by class: the values of each column from 0 */
    int64_t *tally;                /* a value each */
} tacit__reveal;

/* All rows of the state must agree with k, as they do in what was minimized. */
tacit_status tacit__reveal_init(tacit__reveal *reveal, tacit__state *state, tacit_error *err);
void tacit__reveal_clear(tacit__reveal *reveal);

static inline uint32_t tacit__reveal_value(const tacit__reveal *reveal, uint32_t class_index,
                                           int32_t column)
{
    return reveal->numbers[(int64_t)class_index * reveal->tableau->columns + column];
}

/* What is left of the values of a blank. */
typedef struct tacit__left {
    uint32_t values;
    uint32_t only; /* where that is 1 */
} tacit__left;

tacit_status tacit__reveal_cell(tacit__left *left, tacit__reveal *reveal, uint32_t item,
                                int32_t column, tacit_error *err);

/* The columns of an item that are revealed. */
tacit_status tacit__reveal_item(uint64_t *columns, tacit__reveal *reveal, uint32_t item,
                                tacit_error *err);

#endif
