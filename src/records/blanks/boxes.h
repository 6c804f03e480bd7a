/*
 * boxes.h - rows released in boxes, for the stricter reading, in which a blank agrees with blanks
 * only (strict.c), and for ambiguation that holds both ways (both.c).
 *
 * Rows that are released with a set of blanks, a mask, and are the same in all that is left, are a
 * box. In the stricter reading released rows are the same or they do not agree, so every box that
 * is used has k rows or more.
 *
 * Both ways: a person fits a row where his values are those that the row shows. Promised is that k
 * people fit every row and that everybody fits k rows: (k,k)-anonymity of Gionis, Mazza and Tassa
 * (k-Anonymization Revisited, 2008), by suppression alone. The people who fit a row are all of its
 * box, whether their rows leave with the mask or not, so a box may be used where it could have k
 * rows; and a person fits the rows of every box that he is in. So a class of k rows or more keeps
 * both by itself, and a class in need, of fewer, has all of its rows in boxes of k people and is in
 * boxes of k rows.
 */
#ifndef TACIT_RECORDS_BLANKS_BOXES_H
#define TACIT_RECORDS_BLANKS_BOXES_H

#include "records/ambiguate/ambiguate.h"

/* All boxes of some masks. Entries for a mask and a class are at mask * classes + class. */
typedef struct tacit__strict {
    const tacit__tableau *tableau;
    const tacit_run *run;
    uint64_t *masks; /* ascending by their number of columns; the first is empty */
    int64_t mask_count;
    size_t mask_capacity;
    bool every;       /* they are all that limits allow */
    uint32_t *box_of; /* a mask and a class each */
    int64_t box_count;
    int64_t *total; /* a box each: rows that it could have */
    size_t total_capacity;
    uint32_t *take;     /* a mask and a class each: rows of the class that leave with the mask */
    int64_t *used;      /* a box each: rows that it has */
    int64_t column[64]; /* blanks in each */
    double bound;       /* no plan costs less; INFINITY: there is none */
} tacit__strict;

static inline int64_t tacit__strict_at(const tacit__strict *s, int64_t mask, int64_t class_index)
{
    return mask * s->tableau->classes + class_index;
}

/* The masks, boxes, and a bound: each row in its cheapest box.
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
bool tacit__strict_capacity(const tacit__strict *strict, int64_t mask, int64_t rows);

/* Where rows are, as a plan with its bound. */
tacit_status tacit__strict_write(tacit__blanking *plan, const tacit__strict *strict,
                                 tacit_error *err);

/* The integer program, for tables that are small enough, with what is there as a start if it
 * `keeps`, in the stricter reading or both ways; raises the bound. *nodes counts its search. */
tacit_status tacit__box_program(int64_t *nodes, bool keeps, bool both, tacit__strict *strict,
                                tacit_error *err);

static inline bool tacit__both_need(const tacit__tableau *t, int64_t class_index)
{
    return t->counts[class_index] < t->k;
}

/* The way: covering, or with EXACT the least cost, proven where it can be. `frame` and `options`
 * are those of the table, for what the stricter reading asks of other methods; frame may be
 * NULL. */
tacit_status tacit__ambiguate_both(tacit__blanking *plan, const tacit__tableau *tableau,
                                   const tacit_frame *frame, const tacit_records_options *options,
                                   const tacit_run *run, tacit_error *err);

#endif
