/*
 * adversary.h - whether a pattern, whole or in fractions, hides the cells of a patch, and
 * if not, the inequality that says why.
 */
#ifndef TACIT_CELLS_EXACT_ADVERSARY_H
#define TACIT_CELLS_EXACT_ADVERSARY_H

#include "cells/exact/patch.h"
#include "solver/solver.h"

typedef struct tacit__exact_adversary tacit__exact_adversary;

tacit_status tacit__adversary_new(tacit__exact_adversary **out, const tacit__patch *patch,
                                  tacit_error *err);
void tacit__adversary_free(tacit__exact_adversary *adversary);

/* Takes an inequality that the pattern breaks and every good one keeps: sum of coefs[i] * x[i]
 * over all cells of the patch is 1 or more. coefs are 0 or more. */
typedef tacit_status (*tacit__cut_fn)(void *context, const double *coefs, tacit_error *err);

typedef struct tacit__question {
    const double *pattern; /* a share of being suppressed for each cell, 1 for those that are */
    double slack;          /* by which a need may be missed, as a share of it */
    bool modest;           /* no cell moves by more than is needed: finds stronger inequalities,
                              but may object where there is nothing to object to */
    bool first;            /* one that is not hidden is enough */
    const tacit__exact_seen *known; /* what cells are known to move by from the start; or NULL */
    const bool *asked;              /* about these cells and demands; NULL: about all that are
                                       suppressed, and all demands */
    bool *found;                    /* gets true for those that are not hidden; or NULL */
    tacit__cut_fn cut;              /* NULL: whether, not why */
    tacit__shown_fn shown;          /* or NULL */
    void *context;                  /* of both */
} tacit__question;

/* How many needs of suppressed cells and of demands the pattern fails; adds to the iterations. */
tacit_status tacit__adversary_ask(int32_t *failed, int64_t *iterations,
                                  tacit__exact_adversary *adversary,
                                  const tacit__question *question, const tacit_run *run,
                                  tacit_error *err);

/* Looks for tables in which as many cells as possible move as far as they need, a few programs
 * in all. What they show is seen; nothing is said of the others. Nothing is told to `shown`. */
tacit_status tacit__adversary_sweep(int64_t *iterations, tacit__exact_adversary *adversary,
                                    const tacit__question *question, const tacit_run *run,
                                    tacit_error *err);

/* How far cells moved in the programs of the last question: as far as those need that it did not
 * object to. */
const tacit__exact_seen *tacit__adversary_seen(const tacit__exact_adversary *adversary);

#endif
