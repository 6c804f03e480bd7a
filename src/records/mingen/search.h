/*
 * search.h - the search for the best node, and for all minimal ones.
 */
#ifndef TACIT_RECORDS_MINGEN_SEARCH_H
#define TACIT_RECORDS_MINGEN_SEARCH_H

#include "records/mingen/box.h"

/* What a search has come to. */
typedef struct tacit__found {
    const tacit__node *best; /* NULL: nothing yet */
    double bound;            /* no node costs less */
} tacit__found;

/* Whether node a is a better answer than b, which may be NULL. */
bool tacit__node_before(const tacit__node *a, const tacit__node *b, const tacit__mingen *g);

/* A feasible node to start from, if one is easily found: *root is the list of the lowest node, if
 * that is much shorter than the table, and the caller's. */
tacit_status tacit__mingen_start(tacit__found *found, tacit__list **root, tacit__counter *counter,
                                 tacit_error *err);

/* Looks around the best node for a better one. */
tacit_status tacit__mingen_polish(tacit__found *found, tacit__counter *counter, tacit__list *root,
                                  tacit_error *err);

/* Finds the best node. Cancelled, it says how far it came. */
tacit_status tacit__mingen_search(tacit__found *found, tacit__counter *counter, tacit__list *root,
                                  tacit_error *err);

/* The k-minimal generalizations, in ascending order. best stays known. */
typedef struct tacit__minimal {
    const tacit__node **nodes;
    int64_t count;
} tacit__minimal;

tacit_status tacit__mingen_minimal(tacit__minimal *out, const tacit__node *best,
                                   tacit__counter *counter, tacit__list *root, tacit_error *err);

#endif
