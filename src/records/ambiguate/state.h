/*
 * state.h - rows with their blanks, and how many rows each agrees with.
 *
 * Discernibility without a matrix. A state holds items: rows of a class with the same blanks, as in
 * a plan, and those without any. Two items agree where their classes differ only in columns that
 * one of them has blank. What agrees with an item is looked up by blocks of shared values: for each
 * set of blanks that occurs, the items that have it are kept by their values in the columns that
 * both have (kinds.h), and such a list is made when it is asked for.
 *
 * Item i is the rows of class i without blanks, as many as there are classes; those with blanks
 * follow. An item keeps its index for as long as the state lives, with or without rows.
 */
#ifndef TACIT_RECORDS_AMBIGUATE_STATE_H
#define TACIT_RECORDS_AMBIGUATE_STATE_H

#include "records/ambiguate/kinds.h"

typedef struct tacit__state tacit__state;

/* The rows of a tableau (which must outlive it) with a plan's blanks; alpha is counted. */
tacit_status tacit__state_new(tacit__state **out, const tacit__tableau *tableau,
                              const tacit__blanking *plan, const tacit_run *run, tacit_error *err);
void tacit__state_free(tacit__state *state);

typedef struct tacit__item {
    uint32_t class_index;
    int64_t rows;   /* 0: there is none any more */
    uint64_t mask;  /* blanks */
    uint64_t fixed; /* of those, not to be filled again */
    int64_t alpha;  /* rows that each of these agrees with, itself among them */
} tacit__item;

int64_t tacit__state_count(const tacit__state *state);
const tacit__item *tacit__state_item(const tacit__state *state, int64_t index);

/* Who fits a released row, and how many released rows each person fits. A person fits a row where
 * his values are those that the row shows. What is promised both ways (blanks/boxes.h) is counted
 * by this: the people who fit a row are those of its box in the table as it was, and a person's
 * rows are those of all classes whose boxes he is in. */
typedef struct tacit__fits tacit__fits;

/* NULL where k is not promised both ways. */
tacit__fits *tacit__state_fits(tacit__state *state);

/* Of how many rows of a class, `wanted` at most, a blank can be filled so that k people still
 * fit the row and all who fit it now still fit k rows. */
tacit_status tacit__fits_spare(int64_t *rows, tacit__fits *fits, uint32_t class_index,
                               uint64_t mask, int32_t column, int64_t wanted, tacit_error *err);

/* The people who fit a row of a class with these blanks. */
tacit_status tacit__fits_people(int64_t *people, tacit__fits *fits, uint32_t class_index,
                                uint64_t mask, tacit_error *err);

/* The fewest rows that anybody fits. */
int64_t tacit__fits_least_rows(const tacit__fits *fits);

/* All items that agree with a row of a class that had these blanks, whether there is one or not, in
 * an order that only the state's past decides. *found is valid until the next look or change. */
tacit_status tacit__state_look(const uint32_t **found, int64_t *count, tacit__state *state,
                               uint32_t class_index, uint64_t mask, tacit_error *err);

/* Gives `rows` rows of an item other blanks; alpha is counted anew where it changes. *to is
 * the item they are in then. Where it fails nothing has changed. */
tacit_status tacit__state_change(int64_t *to, tacit__state *state, int64_t index, int64_t rows,
                                 uint64_t mask, uint64_t fixed, tacit_error *err);

/* The smallest and the mean alpha of all rows, the rows below k, blanks in all, in each
 * column, and what they cost. */
typedef struct tacit__state_sums {
    int64_t least, below, cells, rows;
    double mean, cost;
    int64_t column[64];
} tacit__state_sums;
void tacit__state_sum(tacit__state_sums *sums, const tacit__state *state);

/* The state as a plan: its blanks take the place of those that the plan had. */
tacit_status tacit__state_plan(tacit__blanking *plan, const tacit__state *state, tacit_error *err);

const tacit__tableau *tacit__state_tableau(const tacit__state *state);

/* minimize.c: fills blanks again, the costliest first, as long as no alpha falls
 * below k (or, `mean`, the mean of alpha does not; or, where that is promised both ways, as long
 * as k people fit every row and everybody k rows), until none is left that could be filled.
 * *removed counts them. Where it fails or is stopped, the state is whole, and no worse for
 * the blanks that were filled. */
tacit_status tacit__state_minimize(int64_t *removed, tacit__state *state, bool mean,
                                   const tacit_run *run, tacit_error *err);

/* redundant.c: adds blanks until knowing that none could be left out reveals no value (4 of the
 * paper). *added counts them. TACIT_INFEASIBLE where limits forbid it; the blanks that were added
 * until then stay. While some alpha is below k no value can be excluded, and none is added. */
tacit_status tacit__state_redundant(int64_t *added, tacit__state *state, const tacit_run *run,
                                    tacit_error *err);

/* hide.c: adds the cheapest blanks by which two rows agree in a dependency's left and
 * differ in its right, or one of them is blank there; what that takes is fixed. *added counts
 * them, none where there are two such rows. TACIT_INFEASIBLE where the right is no attribute and
 * has one value only, or limits forbid it. */
tacit_status tacit__ambiguate_hide(int64_t *added, tacit__state *state,
                                   const tacit__tableau *tableau, const tacit_frame *frame,
                                   const tacit_classes *classes, const tacit_hidden *hidden,
                                   const tacit_run *run, tacit_error *err);

/* The same for values that each class has, right being one of the columns or -1. *found says
 * whether there is a pair; where there is none nothing has changed. */
tacit_status tacit__state_hide(bool *found, int64_t *added, tacit__state *state, uint64_t left,
                               int32_t right, const uint32_t *values, const tacit_run *run,
                               tacit_error *err);

/* closest.c: the fewest columns in which two rows differ that do; 0 where all
 * are the same, -1 where it would take too long to tell. */
tacit_status tacit__tableau_closest(int32_t *out, const tacit__tableau *tableau,
                                    const tacit_run *run, tacit_error *err);

#endif
