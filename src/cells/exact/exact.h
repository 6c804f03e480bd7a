/*
 * exact.h - the cheapest pattern that protects a patch or a whole table, and its parts: the
 * adversary (adversary.c), the program that chooses a pattern (chooser.c) and trimming (trim.c).
 */
#ifndef TACIT_CELLS_EXACT_EXACT_H
#define TACIT_CELLS_EXACT_EXACT_H

#include "cells/exact/patch.h"
#include "solver/solver.h"

/* When to be content with the best so far, deterministic; and what to begin with. */
typedef struct tacit__exact_limits {
    int64_t work; /* iterations of the simplex method, in all programs, times cells and relations */
    int64_t nodes;
    const bool *start; /* a pattern that nearly protects; NULL: none is known */
} tacit__exact_limits;

/* Both costs hold while the search goes on. */
typedef struct tacit__exact_result {
    double bound; /* no pattern's new cells cost less */
    double cost;  /* of the best so far; 0: there is none */
    bool proven;
    bool stopped; /* by the progress callback */
    int64_t nodes;
    int64_t cuts;
    int64_t iterations;
    int32_t unprotected; /* cell of the patch that nothing protects; -1: none */
} tacit__exact_result;

/* chosen has an entry for each cell of the patch: those that are suppressed, and those that should
 * be. A cell that nothing protects loses its needs in the patch, and so does a demand. */
tacit_status tacit__exact_solve(bool *chosen, tacit__exact_result *result, tacit__patch *patch,
                                const tacit__exact_limits *limits, const tacit_run *run,
                                tacit_error *err);

/* ---- whole tables (whole.c) ---- */

/* What the letters are worth that it begins with: nothing, nearly all primary cells are hidden, or
 * all of them are. */
typedef enum tacit__whole_start {
    TACIT__WHOLE_ANEW,
    TACIT__WHOLE_NEARLY,
    TACIT__WHOLE_SAFE
} tacit__whole_start;

/* pattern: letters to begin with; becomes what is found. The options may ask for more than single
 * cells. Work is that of tacit__work_of. */
tacit_status tacit__whole_solve(tacit_pattern *pattern, tacit__whole_start start,
                                const tacit_cells *cells, const char *status,
                                const tacit_suppress_options *options, int64_t work,
                                const tacit_run *run, tacit_error *err);

/* ---- the adversary ---- */

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

/* ---- trimming ---- */

/* What to trim, and how. */
typedef struct tacit__trimming {
    const tacit__patch *patch;
    tacit__exact_adversary *adversary; /* of that patch */
    const tacit__exact_seen
        *known;           /* what suppressed cells show of themselves, whatever is published */
    const int32_t *order; /* cells that may be published, in this order */
    int32_t count;
    double slack;       /* by which a need may be missed, as a share of it */
    int64_t iterations; /* of the simplex method, so far; */
    int64_t most;       /* and when to leave it at that */
} tacit__trimming;

/* Takes cells out of `chosen` without which every need is met as with them. */
tacit_status tacit__trim(bool *chosen, tacit__trimming *trimming, const tacit_run *run,
                         tacit_error *err);

/* ---- the chooser ---- */

/* The program that chooses the pattern: a column for every cell that may be
 * suppressed, and the inequalities found so far. */

typedef struct tacit__chooser {
    const tacit__patch *patch;
    tacit__solver *solver;
    int32_t columns;
    int32_t *column_of; /* a cell each; -1: it is suppressed, or never will be */
    int32_t *cell_of;   /* a column each */
    double *pattern;    /* a cell each: the last solution */
    double *reduced;    /* a column each */
    double step;        /* costs are multiples of it, but for the little that is added; or 0 */
    double cost;        /* of the last solution */
    double little;      /* added to the cost of every cell, so that fewer are better */
    double scale;       /* costs in the program are divided by it */
    bool trouble;       /* the last solve failed: nothing is known */
    int64_t cuts;
    tacit__line_list waiting; /* inequalities to be added */
    /* Scratch, a column each. */
    int32_t *order;
    double *share;
} tacit__chooser;

tacit_status tacit__chooser_init(tacit__chooser *chooser, const tacit__patch *patch,
                                 tacit_error *err);
void tacit__chooser_clear(tacit__chooser *chooser);

/* Takes sum of coefs[i] * x[i] >= rhs over all cells, strengthened, to be added with the next
 * solve if the pattern breaks it by more than `broken`; and a cover inequality that follows
 * from it likewise. */
tacit_status tacit__chooser_cut(tacit__chooser *chooser, const double *coefs, double rhs,
                                double broken, tacit_error *err);

/* Inequalities of single relations that the pattern breaks: a suppressed cell is not the only one,
 * and no other would be (bridge-less). */
tacit_status tacit__chooser_cut_relations(tacit__chooser *chooser, tacit_error *err);

/* Adds what waits, solves, and takes the solution over. feasible false: there is none. */
tacit_status tacit__chooser_solve(bool *feasible, int64_t *iterations, tacit__chooser *chooser,
                                  const tacit_run *run, tacit_error *err);

/* What the program costs with a column at 0 or 1, or a bound on it where that takes too many
 * iterations; INFINITY: nothing is feasible. The solution stays that of the last solve. */
tacit_status tacit__chooser_try(double *cost, int64_t *iterations, tacit__chooser *chooser,
                                int32_t column, int value, const tacit_run *run, tacit_error *err);

/* Bounds of a column: 0 or 1 for good or for now. */
void tacit__chooser_fix(tacit__chooser *chooser, int32_t column, double lower, double upper);

#endif
