/*
 * pram.h - post-randomization of one column in the making: what pram.c and pram_draw.c share.
 */
#ifndef TACIT_TECHNIQUES_CATEGORIES_PRAM_H
#define TACIT_TECHNIQUES_CATEGORIES_PRAM_H

#include <stdatomic.h>

#include "techniques/categories/transition.h"
#include "techniques/runner/technique.h"

typedef enum tacit__pram_way {
    TACIT__PRAM_PLAIN,     /* as the matrix says */
    TACIT__PRAM_INVARIANT, /* such that the distribution is expected to stay */
    TACIT__PRAM_EXACT      /* such that it stays */
} tacit__pram_way;

#define TACIT__PRAM_EMPTY UINT32_MAX

/* The states that a group's rows have, and how many rows up to and including each. */
typedef struct tacit__pram_list {
    int64_t *starts; /* of each group, one more than there are */
    uint32_t *states;
    int64_t *upto;
} tacit__pram_list;

/* A column's cells as states: places in the matrix where there is one, else codes. */
typedef struct tacit__pram {
    const tacit__runner_call *call;
    const tacit__sheet *sheet;
    tacit__sheet_column *column;
    uint32_t place; /* of the column among those of the step */
    tacit__pram_way way;
    double keep;
    const tacit__transition *matrix; /* NULL: as keep says */
    const double *sums;              /* of the matrix's rows, up to and including each entry */
    const tacit__row_groups *groups;
    uint32_t *states; /* a row each, as they were; TACIT__PRAM_EMPTY: no value */
    uint32_t state_count;
    tacit__cell *cells; /* of each state */
    tacit__pram_list list;
    atomic_int_fast64_t changed;
} tacit__pram;

/* Draws anew and writes what has changed. */
tacit_status tacit__pram_draw(tacit__pram *pram, tacit_error *err);

#endif
