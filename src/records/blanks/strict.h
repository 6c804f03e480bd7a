/*
 * strict.h - the inside of the stricter reading, in which a blank agrees with blanks
 * only; strict.c says how the parts work together.
 *
 * Released rows are the same or they do not agree. So rows that are released with a set of
 * blanks, a mask, and are the same in all that is left, are a box, and every box that is used has
 * k rows or more. Ambiguation that holds both ways (both.h) has the same boxes, and asks
 * other things of them.
 */
#ifndef TACIT_RECORDS_BLANKS_STRICT_H
#define TACIT_RECORDS_BLANKS_STRICT_H

#include "records/ambiguate/ambiguate.h"

/* All boxes of some masks. Entries for a mask and a class are at mask * classes + class. */
typedef struct tacit__strict {
    const tacit__tableau *tableau;
    const tacit_run *run;
    uint64_t *masks; /* ascending by their number of columns; the first is empty */
    int64_t mask_count;
    size_t mask_room;
    bool every;       /* they are all that limits allow */
    uint32_t *box_of; /* a mask and a class each */
    int64_t box_count;
    int64_t *total; /* a box each: rows that it could have */
    size_t total_room;
    uint32_t *take;     /* a mask and a class each: rows of the class that leave with the mask */
    int64_t *used;      /* a box each: rows that it has */
    int64_t column[64]; /* blanks in each */
    double bound;       /* no plan costs less; INFINITY: there is none */
} tacit__strict;

static inline int64_t tacit__strict_at(const tacit__strict *s, int64_t mask, int64_t class_index)
{
    return mask * s->tableau->classes + class_index;
}

/* The masks, boxes, and a bound: each row in its cheapest box (strict_boxes.c).
 * TACIT_LIMIT where they are too many. */
tacit_status tacit__strict_init(tacit__strict *strict, const tacit__tableau *tableau,
                                const tacit_run *run, tacit_error *err);
void tacit__strict_clear(tacit__strict *strict);

/* Moves rows of a class from a mask to another. */
void tacit__strict_move(tacit__strict *strict, int64_t class_index, int64_t from, int64_t to,
                        int64_t rows);

/* The place of a mask in the list, or -1. */
int64_t tacit__strict_mask(const tacit__strict *strict, uint64_t mask);

/* Whether so many more rows can have a mask's blanks. */
bool tacit__strict_room(const tacit__strict *strict, int64_t mask, int64_t rows);

/* What limits leave of a plan: rows whose box has k by that leave as it says. */
void tacit__strict_take(tacit__strict *strict, const tacit__blanking *plan);

/* Whether limits and k are kept. */
bool tacit__strict_keeps(const tacit__strict *strict);
double tacit__strict_cost(const tacit__strict *strict);

/* Whether a box has the same rows with fewer blanks. */
bool tacit__strict_wasteful(const tacit__strict *strict, int64_t mask, int64_t class_index);

/* Puts rows where a program's solution has them: a column for a mask and a class each, or -1. */
void tacit__strict_place(tacit__strict *strict, const int32_t *column_of, const double *values);

/* Where rows are, as a plan with its bound. */
tacit_status tacit__strict_write(tacit__blanking *plan, const tacit__strict *strict,
                                 tacit_error *err);

/* Puts rows into boxes, the smallest masks first (strict_greedy.c). What is found may
 * not keep what is asked. */
tacit_status tacit__strict_greedy(tacit__strict *strict, tacit_error *err);

/* The integer program, for tables that are small enough, with what is there as a start if it
 * `keeps`, in the stricter reading or both ways (both.h); raises the bound. *nodes counts its
 * search (box_program.c). */
tacit_status tacit__box_program(int64_t *nodes, bool keeps, bool both, tacit__strict *strict,
                                tacit_error *err);

#endif
