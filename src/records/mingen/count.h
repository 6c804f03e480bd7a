/*
 * count.h - counting nodes of the lattice, each at most once.
 */
#ifndef TACIT_RECORDS_MINGEN_COUNT_H
#define TACIT_RECORDS_MINGEN_COUNT_H

#include "records/mingen/mingen.h"

typedef struct tacit__counter {
    const tacit__mingen *g;
    tacit__node *nodes;  /* all that are kept */
    tacit__node **slots; /* the same by levels; open addressing */
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
    const tacit__node *node;
    tacit__list *list; /* the caller's, if it was wanted */
} tacit__job;

/* Does all of them, on all cores. After failure no job holds a list. */
tacit_status tacit__count_nodes(tacit__counter *counter, tacit__job *jobs, int64_t count,
                                tacit_error *err);

/* The node, if it has been counted and not forgotten, or NULL. */
const tacit__node *tacit__node_find(const tacit__counter *counter, const uint8_t *levels);

/* Whether so many nodes are kept that those nobody needs should go: mark those that are
 * needed, then forget the rest. */
bool tacit__counter_is_full(const tacit__counter *counter);
void tacit__node_mark(const tacit__counter *counter, const tacit__node *node);
void tacit__counter_forget(tacit__counter *counter);

#endif
