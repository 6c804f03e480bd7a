/*
 * patch.h - some cells of a table and the relations among them, as methods give them to
 * linear programs: a subtable, or all of it.
 */
#ifndef TACIT_CELLS_EXACT_PATCH_H
#define TACIT_CELLS_EXACT_PATCH_H

#include "cells/cells/inside.h"
#include "cells/subtables/subtables.h"
#include "cells/suppress/demands.h"
#include "cells/suppress/methods.h"

/* What a program costs besides its iterations, in iterations, where work is counted. */
enum { TACIT__PROGRAM_WORK = 10 };

/* Cells have numbers of their own here. One can move by up and down; where both are 0 it is
 * published for good and takes no part. */
typedef struct tacit__patch {
    int32_t count;
    int32_t *cells; /* of the table */
    double *up;
    double *down;
    double *cost;
    bool *suppressed;
    tacit__need *need; /* of suppressed cells; zeros elsewhere */
    int32_t rows;      /* relations: sum of coefs * deviation is 0 */
    int32_t *starts;   /* rows + 1 */
    int32_t *items;
    double *coefs;
    tacit__demands demands; /* none at first */
} tacit__patch;

/* All that is to be hidden in a patch: its cells, and then its demands. */
static inline int32_t tacit__patch_wishes(const tacit__patch *patch)
{
    return patch->count + patch->demands.count;
}

/* The need of one of them. */
static inline tacit__need tacit__patch_need(const tacit__patch *patch, int32_t wish)
{
    return wish < patch->count ? patch->need[wish] : patch->demands.list[wish - patch->count].need;
}

/* Work on a patch: iterations of the simplex method times its size, beside what an iteration of the
 * smallest takes. A thousand million are some five seconds. */
enum { TACIT__ITERATION_WORK = 3000 };

static inline int64_t tacit__patch_size(const tacit__patch *patch)
{
    return (int64_t)patch->count + patch->rows;
}

static inline int64_t tacit__work_of(const tacit__patch *patch, int64_t iterations)
{
    return iterations * (TACIT__ITERATION_WORK + tacit__patch_size(patch));
}

/* The same as the exact search counts it. */
static inline int64_t tacit__exact_work(const tacit__patch *patch, int64_t work)
{
    return work / (TACIT__ITERATION_WORK + tacit__patch_size(patch)) * tacit__patch_size(patch);
}

/* A subtable with the letters of the moment; the view is for it to use. */
tacit_status tacit__patch_of_subtable(tacit__patch *out, const tacit__subtables *subtables,
                                      int32_t index, const char *status,
                                      tacit__subtables_view *view, double largest,
                                      tacit_error *err);

/* The whole table. */
tacit_status tacit__patch_of_all(tacit__patch *out, const tacit_cells *cells, const char *status,
                                 double largest, tacit_error *err);

/* The cells of a patch that a pattern suppresses, and the relations among them; without demands.
 * Its cells are numbers of that patch. */
tacit_status tacit__patch_of_chosen(tacit__patch *out, const tacit__patch *patch,
                                    const bool *chosen, tacit_error *err);

/* Some cells of the table, each once, and all relations that hold any of them: the others do not
 * move. number_of: scratch, a relation of the table each, -1 before and after. */
tacit_status tacit__patch_of_cells(tacit__patch *out, const tacit_cells *cells, const char *status,
                                   const int32_t *list, int32_t count, const tacit__terms *terms,
                                   int32_t *number_of, double largest, tacit_error *err);

void tacit__patch_clear(tacit__patch *patch);

/* Takes a table that the adversary cannot rule out: cells deviate by values[i] * unit, those
 * below noise not at all. */
typedef tacit_status (*tacit__shown_fn)(void *context, const double *values, double unit,
                                        double noise, tacit_error *err);

/* How far each cell of a patch was seen to move, up and down, in tables that an adversary
 * cannot rule out; and each demand, as far as there were any when it was made to fit. */
typedef struct tacit__exact_seen {
    double *high;
    double *low;
    int32_t count;
} tacit__exact_seen;

tacit_status tacit__seen_init(tacit__exact_seen *seen, const tacit__patch *patch, tacit_error *err);
void tacit__seen_clear(tacit__exact_seen *seen);

/* Room for the demands that the patch has now; of new ones nothing is seen. */
tacit_status tacit__seen_fit(tacit__exact_seen *seen, const tacit__patch *patch, tacit_error *err);

/* Nothing moves; or as in another. */
void tacit__seen_reset(tacit__exact_seen *seen, const tacit__patch *patch);
void tacit__seen_copy(tacit__exact_seen *to, const tacit__exact_seen *from,
                      const tacit__patch *patch);

/* A table in which cells deviate by values[i] * unit (by noise where no further than that), and
 * another in which they deviate the other way as far as each can. pattern: the share of its room
 * that a cell has; NULL: all of it. */
void tacit__seen_take(tacit__exact_seen *seen, const tacit__patch *patch, const double *values,
                      double unit, double noise, const double *pattern);

/* The share of such a deviation that is possible the other way round, 1 at most. */
double tacit__way_back(const tacit__patch *patch, const double *values, double unit, double noise,
                       const double *pattern);

#endif
