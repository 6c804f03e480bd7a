/*
 * interval.h - the interval rule's numbers, checked.
 */
#ifndef TACIT_SRC_HIERARCHY_INTERVAL_H
#define TACIT_SRC_HIERARCHY_INTERVAL_H

#include <tacit/experimental/hierarchy.h>

/* Origin and widths as multiples of 10^-scale. */
typedef struct tacit__interval {
    int scale;
    int64_t origin;
    int64_t widths[TACIT_MAX_WIDTHS];
    int count;
} tacit__interval;

/* Widths must be positive and ascend, each a multiple of the one before. */
tacit_status tacit__interval_check(tacit__interval *out, const tacit_hierarchy_spec *spec,
                                   tacit_error *err);

#endif
