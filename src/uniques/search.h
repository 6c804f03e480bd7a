/*
 * search.h - the search for all sets on which at most k rows match an item.
 */
#ifndef TACIT_SRC_UNIQUES_SEARCH_H
#define TACIT_SRC_UNIQUES_SEARCH_H

#include "uniques/found.h"
#include "uniques/ground.h"

/* How far a search has come. */
typedef struct tacit__uniques_reach {
    int complete;     /* sets of up to so many columns are all there */
    tacit_status end; /* OK: all that was asked for; LIMIT or CANCELLED otherwise */
} tacit__uniques_reach;

/* Collects in found, whose bound is the size of the largest sets wanted, every
 * prime set of every item and others that hold one of them. A search that is
 * stopped leaves what it has reached. Once it has looked at more than `budget`
 * cells it goes size by size. */
tacit_status tacit__search(tacit__uniques_reach *reach, const tacit__ground *ground,
                           tacit__uniques_found *found, int64_t budget, const tacit_run *run,
                           tacit_error *err);

#endif
