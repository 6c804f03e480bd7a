/*
 * argus.h - the parts of mu-argus: which combinations are outliers, and what is
 * suppressed because of them. Chapter 7 of Sweeney, Computational Disclosure
 * Control; see argus.c.
 */
#ifndef TACIT_RECORDS_ARGUS_ARGUS_H
#define TACIT_RECORDS_ARGUS_ARGUS_H

#include <tacit/argus.h>

#include "records/argus/view.h"

/* Every combination of more attributes than this is too many. */
enum { TACIT__ARGUS_ATTRIBUTES = 16 };

/* Zero-initialized is empty. */
typedef struct tacit__argus_outliers {
    tacit_argus_outlier *list; /* by class, then number of attributes, then attributes */
    int64_t count;
    size_t room;
} tacit__argus_outliers;

/* Whether mu-argus tests a combination: Figure 49, by how many attributes of each
 * rating are in it and whether there is an identifying one at all. */
bool tacit__argus_tests(int identifying, int more, int most, bool has_identifying);

/* The outliers among the combinations that mu-argus tests (CombinationTest, Figure
 * 56). Attributes on their highest level are not in any. */
tacit_status tacit__argus_tested(tacit__argus_outliers *outliers, const tacit__argus_view *view,
                                 const tacit_run *run, tacit_error *err);

/* The outliers among all combinations that have no smaller one in them. */
tacit_status tacit__argus_minimal(tacit__argus_outliers *outliers, const tacit__argus_view *view,
                                  const tacit_run *run, tacit_error *err);
void tacit__argus_outliers_clear(tacit__argus_outliers *outliers);

/* People of a class that leave with other cells suppressed than the rest of it. */
typedef struct tacit__argus_part {
    uint32_t class_index;
    uint64_t stars;
    int64_t people;
} tacit__argus_part;

/* Which cells are suppressed. Zero-initialized is none. */
typedef struct tacit__argus_plan {
    uint64_t *stars; /* a class each: attributes, a bit each */
    tacit__argus_part *parts;
    int64_t part_count;
    size_t part_room;
    int64_t least_cells; /* as in tacit_argus_report */
} tacit__argus_plan;

/* SuppressOutliers (Figure 62), where a value is suppressed while it is in more
 * than `spared` outliers of its record. */
tacit_status tacit__argus_greedy(tacit__argus_plan *plan, const tacit__argus_view *view,
                                 const tacit__argus_outliers *outliers, int spared,
                                 tacit_error *err);

/* Suppression that keeps k. covers: least_cells is wanted. */
tacit_status tacit__argus_repair(tacit__argus_plan *plan, const tacit__argus_view *view,
                                 bool covers, const tacit_run *run, tacit_error *err);
void tacit__argus_plan_clear(tacit__argus_plan *plan);

/* What the plan leads to. */
tacit_argus_effect tacit__argus_effect_of(const tacit__argus_plan *plan,
                                          const tacit__argus_view *view);

#endif
