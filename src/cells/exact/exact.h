/*
 * exact.h - the cheapest pattern that protects a patch.
 */
#ifndef TACIT_CELLS_EXACT_EXACT_H
#define TACIT_CELLS_EXACT_EXACT_H

#include "cells/exact/patch.h"

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

#endif
