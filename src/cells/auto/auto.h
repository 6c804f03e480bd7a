/*
 * auto.h - a pattern under work, as the parts of the method auto share it: the letters of the
 * moment, and for every cell that has to be hidden the proof that it is.
 *
 * A proof is a set of suppressed cells that hide the cell by moving alone, all others being where
 * they are: what an adversary cannot rule out in that set he cannot rule out in the table. So a
 * cell can be published unless a proof uses it, and then only the cells that rest on such
 * proofs need others. A pattern is what the proofs use, and nothing else.
 */
#ifndef TACIT_CELLS_AUTO_AUTO_H
#define TACIT_CELLS_AUTO_AUTO_H

#include "base/random.h"
#include "cells/exact/patch.h"

/* Cells of the table, growing. */
typedef struct tacit__cell_list {
    int32_t *items;
    size_t room;
    int32_t count;
} tacit__cell_list;

/* A set of cells, and who rests on it. */
typedef struct tacit__proof {
    int32_t *cells;
    int32_t count;
    int32_t rests;           /* cells that do; 0: the proof is gone */
    tacit__cell_list hidden; /* cells that did once; see tacit__auto.proof_of */
} tacit__proof;

typedef struct tacit__auto {
    const tacit_cells *cells;
    const char *given; /* letters to begin with */
    const tacit_run *run;
    double largest;
    tacit__terms terms;
    int32_t *number_of;      /* scratch: a relation each, -1 */
    char *status;            /* letters of the moment */
    bool *may;               /* cells that can move, if suppressed */
    int32_t *in_row;         /* a relation each: suppressed cells that can move */
    int32_t *proof_of;       /* a cell each; -1: it has none */
    int32_t *uses;           /* a cell each: proofs that use it */
    tacit__cell_list *users; /* a cell each: proofs that do, and some that are gone */
    tacit__proof *proofs;
    size_t proof_capacity;
    int32_t proof_count;
    tacit__cell_list needy;  /* cells that have to be hidden, those that need most first */
    tacit__cell_list window; /* scratch: cells of a program */
    tacit_run own;           /* the run, where none was given */
    bool *marked;            /* scratch: a cell each, false */
    int32_t *row_count;      /* scratch: a relation each, 0 */
    tacit__random random;
    int64_t work; /* so far */
} tacit__auto;

static inline void tacit__auto_worked(tacit__auto *a, const tacit__patch *patch, int64_t iterations)
{
    a->work += tacit__work_of(patch, iterations);
}

tacit_status tacit__cell_list_add(tacit__cell_list *list, int32_t cell, tacit_error *err);
void tacit__cell_list_clear(tacit__cell_list *list);

/* Whether a cell is suppressed that was not to begin with. */
static inline bool tacit__auto_secondary(const tacit__auto *a, int32_t cell)
{
    return tacit__suppressed(a->status[cell]) && !tacit__suppressed(a->given[cell]);
}

tacit_status tacit__auto_init(tacit__auto *a, const tacit_cells *cells, const char *status,
                              const tacit_run *run, tacit_error *err);
void tacit__auto_clear(tacit__auto *a);

/* What the secondary cells cost. */
double tacit__auto_cost(const tacit__auto *a);

/* ---- proofs (proofs.c) ---- */

/* Suppresses a cell, or publishes it. */
void tacit__auto_suppress(tacit__auto *a, int32_t cell);
void tacit__auto_publish(tacit__auto *a, int32_t cell);

/* A set of cells that hides one, which rests on it from now on, and no longer on another. */
void tacit__auto_leave(tacit__auto *a, int32_t proof);

/* Lists the cells that rest on proofs which use one of some cells. */
tacit_status tacit__auto_affected(tacit__cell_list *out, tacit__auto *a,
                                  const tacit__cell_list *cells, tacit_error *err);

/* Forgets all proofs; the letters are those to begin with and these, if any. */
void tacit__auto_reset(tacit__auto *a, const char *status);

/* Publishes secondary cells that no proof uses. */
void tacit__auto_prune(tacit__auto *a);

/* Adds cells with which those of the list are likely to move, suppressed ones or, with free, any
 * that could be, until there are so many. *all: there are no more. */
tacit_status tacit__auto_grow(bool *all, tacit__auto *a, tacit__cell_list *list, int32_t most,
                              bool free, tacit_error *err);

/* Finds proofs for cells that have none, among the cells that are suppressed, in windows of at most
 * so many cells. *proven false: some has none there. */
tacit_status tacit__auto_prove(bool *proven, tacit__auto *a, const tacit__cell_list *cells,
                               int32_t most, tacit_error *err);

/* Proofs for all needy cells. Where one has none in windows of at most so many suppressed cells (0:
 * at once) more are suppressed, if wanted. *unprotected: a cell that nothing hides; -1: none;
 * TACIT__AUTO_UNFINISHED: a cell has no proof and more are not wanted, or there is work beyond
 * `enough`. */
enum { TACIT__AUTO_UNFINISHED = -2 };
tacit_status tacit__auto_protect(int32_t *unprotected, tacit__auto *a, int32_t most, bool more,
                                 int64_t enough, tacit_error *err);

/* ---- better patterns (improve.c) ---- */

/* Publishes cells again that turn out to be unnecessary, the dearest first, until so much work is
 * done. */
tacit_status tacit__auto_trim(tacit__auto *a, int64_t most, tacit_error *err);

/* Publishes cells, and what is known then, and suppresses others (or NULL): all or nothing. *done:
 * whether all needy cells are hidden then, for all that windows of at most so many cells tell. */
tacit_status tacit__auto_change(bool *done, tacit__auto *a, const tacit__cell_list *published,
                                const tacit__cell_list *suppressed, int32_t most, tacit_error *err);

/* Blocks of the table at the least cost, the rest being as it is. */
tacit_status tacit__auto_blocks(int32_t *rounds, tacit__auto *a, int64_t most, double bound,
                                tacit_error *err);

#endif
