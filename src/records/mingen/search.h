/*
 * search.h - the search for the best node, and for all minimal ones.
 */
#ifndef TACIT_RECORDS_MINGEN_SEARCH_H
#define TACIT_RECORDS_MINGEN_SEARCH_H

#include "records/mingen/mingen.h"

/* ---- counting nodes of the lattice, each at most once ---- */

typedef struct tacit__counter {
    const tacit__mingen *g;
    tacit__mingen_node *nodes;  /* all that are kept */
    tacit__mingen_node **slots; /* the same by levels; open addressing */
    size_t slot_count;
    int64_t kept;
    int64_t most;       /* nodes that may be kept before some should be forgotten */
    int64_t least_kept; /* that many may be kept in any case */
    size_t most_boxes;  /* that wait in order; beyond it the newest are taken first */
    int64_t checked;    /* nodes counted */
    tacit__desk *desks; /* two for each worker */
    int workers;
} tacit__counter;

tacit_status tacit__counter_init(tacit__counter *counter, const tacit__mingen *g, tacit_error *err);
void tacit__counter_clear(tacit__counter *counter);

/* A node to be looked at. */
typedef struct tacit__job {
    const uint8_t *levels;
    tacit__list *source; /* a list below it, or NULL: the rows */
    bool keep;           /* whether its own list is wanted */
    const tacit__mingen_node *node;
    tacit__list *list; /* the caller's, if it was wanted */
} tacit__job;

/* Does all of them, on all cores. After failure no job holds a list. */
tacit_status tacit__count_nodes(tacit__counter *counter, tacit__job *jobs, int64_t count,
                                tacit_error *err);

/* The node, if it has been counted and not forgotten, or NULL. */
const tacit__mingen_node *tacit__node_find(const tacit__counter *counter, const uint8_t *levels);

/* Whether so many nodes are kept that those nobody needs should go: mark those that are
 * needed, then forget the rest. */
bool tacit__counter_is_full(const tacit__counter *counter);
void tacit__node_mark(const tacit__counter *counter, const tacit__mingen_node *node);
void tacit__counter_forget(tacit__counter *counter);

/* ---- stretches of the lattice: all nodes between a lowest and a highest ---- */

typedef struct tacit__box {
    double bound; /* no node of it costs less */
    double known; /* the part of the bound that stems from counts of low nodes */
    int64_t age;
    const tacit__mingen_node *ceiling; /* counted; nowhere below the highest node */
    tacit__list *source;               /* nowhere above the lowest node; NULL: the rows */
    uint8_t *high;                     /* levels of the highest node */
    uint8_t low[];                     /* of the lowest, and then of the highest */
} tacit__box;

/* Where boxes are made. Zero-initialized but for the counter. */
typedef struct tacit__yard {
    tacit__counter *counter;
    int64_t made;
    size_t bytes; /* of the lists that boxes hold */
} tacit__yard;

/* The whole lattice. root is held, not taken. */
tacit_status tacit__box_first(tacit__box **out, tacit__yard *yard, tacit__list *root,
                              const tacit__mingen_node *top, tacit_error *err);
void tacit__box_free(tacit__yard *yard, tacit__box *box);

bool tacit__box_is_single(const tacit__yard *yard, const tacit__box *box);

/* Raises the bound to what is known: its ceiling, and its lowest node if it was
 * counted. */
void tacit__box_rate(const tacit__yard *yard, tacit__box *box, const tacit__mingen_node *low);

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
tacit_status tacit__box_list(tacit__yard *yard, tacit__box **boxes,
                             const tacit__mingen_node **nodes, int count, tacit_error *err);

/* Counts the highest nodes; nodes has an entry a box. */
tacit_status tacit__box_count(tacit__yard *yard, tacit__box **boxes,
                              const tacit__mingen_node **nodes, int count, tacit_error *err);

/* ---- */

/* What a search has come to. */
typedef struct tacit__mingen_found {
    const tacit__mingen_node *best; /* NULL: nothing yet */
    double bound;                   /* no node costs less */
} tacit__mingen_found;

/* Whether node a is a better answer than b, which may be NULL. */
bool tacit__node_before(const tacit__mingen_node *a, const tacit__mingen_node *b,
                        const tacit__mingen *g);

/* A feasible node to start from, if one is easily found: *root is the list of the lowest node, if
 * that is much shorter than the table, and the caller's. */
tacit_status tacit__mingen_start(tacit__mingen_found *found, tacit__list **root,
                                 tacit__counter *counter, tacit_error *err);

/* Looks around the best node for a better one. */
tacit_status tacit__mingen_polish(tacit__mingen_found *found, tacit__counter *counter,
                                  tacit__list *root, tacit_error *err);

/* Finds the best node. Cancelled, it says how far it came. */
tacit_status tacit__mingen_search(tacit__mingen_found *found, tacit__counter *counter,
                                  tacit__list *root, tacit_error *err);

/* The k-minimal generalizations, in ascending order. best stays known. */
typedef struct tacit__minimal {
    const tacit__mingen_node **nodes;
    int64_t count;
} tacit__minimal;

tacit_status tacit__mingen_minimal(tacit__minimal *out, const tacit__mingen_node *best,
                                   tacit__counter *counter, tacit__list *root, tacit_error *err);

#endif
