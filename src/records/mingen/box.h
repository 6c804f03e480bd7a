/*
 * box.h - stretches of the lattice: all nodes between a lowest and a highest.
 */
#ifndef TACIT_RECORDS_MINGEN_BOX_H
#define TACIT_RECORDS_MINGEN_BOX_H

#include "records/mingen/count.h"

typedef struct tacit__box {
    double bound; /* no node of it costs less */
    double known; /* the part of the bound that stems from counts of low nodes */
    int64_t age;
    const tacit__node *ceiling; /* counted; nowhere below the highest node */
    tacit__list *source;        /* nowhere above the lowest node; NULL: the rows */
    uint8_t *high;              /* levels of the highest node */
    uint8_t low[];              /* of the lowest, and then of the highest */
} tacit__box;

/* Where boxes are made. Zero-initialized but for the counter. */
typedef struct tacit__yard {
    tacit__counter *counter;
    int64_t made;
    size_t bytes; /* of the lists that boxes hold */
} tacit__yard;

/* The whole lattice. root is held, not taken. */
tacit_status tacit__box_first(tacit__box **out, tacit__yard *yard, tacit__list *root,
                              const tacit__node *top, tacit_error *err);
void tacit__box_free(tacit__yard *yard, tacit__box *box);

bool tacit__box_is_single(const tacit__yard *yard, const tacit__box *box);

/* Raises the bound to what is known: its ceiling, and its lowest node if it was
 * counted. */
void tacit__box_rate(const tacit__yard *yard, tacit__box *box, const tacit__node *low);

/* Cuts a box in two: *lower is new, the box itself becomes the upper part. */
tacit_status tacit__box_split(tacit__box **lower, tacit__yard *yard, tacit__box *box,
                              tacit_error *err);

/* Whether a list of the rows on these levels would be much shorter than the table,
 * going by the first of them. */
tacit_status tacit__is_worth_listing(bool *worth, const tacit__mingen *g, const uint8_t *levels,
                                     tacit_error *err);

/* Boxes that are worked on at once. It does not depend on threads, or the search
 * would. */
enum { TACIT__BATCH = 16 };

/* Counts the lowest nodes of boxes where that pays, because nodes of the box are then
 * rolled up from shorter lists. nodes has an entry a box; NULL where its lowest node is
 * not known. */
tacit_status tacit__box_list(tacit__yard *yard, tacit__box **boxes, const tacit__node **nodes,
                             int count, tacit_error *err);

/* Counts the highest nodes; nodes has an entry a box. */
tacit_status tacit__box_count(tacit__yard *yard, tacit__box **boxes, const tacit__node **nodes,
                              int count, tacit_error *err);

#endif
