/*
 * argus.h - the parts of mu-argus: which combinations are outliers, and what is
 * suppressed because of them. Chapter 7 of Sweeney, Computational Disclosure
 * Control; see argus.c.
 */
#ifndef TACIT_RECORDS_ARGUS_ARGUS_H
#define TACIT_RECORDS_ARGUS_ARGUS_H

#include <tacit/experimental/argus.h>
#include <tacit/experimental/records.h>

#include "records/apply/boxes.h"

/* Classes as mu-argus looks at them: through any combination of
 * their attributes, one after the other, thousands of times. */

/* Zero-initialized is none. */
typedef struct tacit__argus_view {
    const tacit_frame *frame;
    const tacit_classes *classes;
    int64_t k;
    int64_t count; /* classes */
    int32_t attributes;
    uint64_t below;       /* attributes below their highest level */
    uint64_t free;        /* of them, those with several values: what suppressing can change */
    const uint32_t *rows; /* a class each */
    uint32_t *people;     /* a class each; every person is counted in one class only */
    uint32_t *codes;      /* class by class, an attribute each */
    uint64_t *hashes;     /* a class each: the sum of the terms of its values */
    uint64_t *terms[TACIT_MAX_MASKED]; /* value -> its part of a hash */
    uint64_t *memory;                  /* that the terms lie in */
} tacit__argus_view;

/* The classes must outlive the view. */
tacit_status tacit__argus_view_init(tacit__argus_view *view, const tacit_frame *frame,
                                    const tacit_classes *classes, int64_t k, const tacit_run *run,
                                    tacit_error *err);
void tacit__argus_view_clear(tacit__argus_view *view);

/* A place of the hash table. */
typedef struct tacit__argus_slot {
    uint64_t key;   /* hash of the group's values */
    uint32_t group; /* + 1; 0: free */
} tacit__argus_slot;

/* Classes put together where they agree in some attributes: a hash table that is
 * used again for every combination. A sum of random terms is compared first, then
 * the values themselves, so that a group is a group. */
typedef struct tacit__argus_groups {
    const tacit__argus_view *view;
    int32_t kept[TACIT_MAX_MASKED]; /* attributes that count */
    int32_t kept_count;
    int32_t dropped[TACIT_MAX_MASKED];
    int32_t dropped_count;
    tacit__argus_slot *slots;
    uint64_t mask;
    uint32_t *first; /* a group each: the class it was added with */
    int64_t count;
} tacit__argus_groups;

#define TACIT__NO_GROUP UINT32_MAX

/* Room for `most` groups. */
tacit_status tacit__argus_groups_init(tacit__argus_groups *groups, const tacit__argus_view *view,
                                      int64_t most, tacit_error *err);
void tacit__argus_groups_clear(tacit__argus_groups *groups);

/* Forgets the groups; from now on these attributes count. At most `most` groups,
 * no more than there is room for, will be added. */
void tacit__argus_groups_start(tacit__argus_groups *groups, uint64_t attributes, int64_t most);

/* The groups of some classes, an entry each; those that are not there yet are
 * added, in the order of the classes. */
void tacit__argus_groups_add(uint32_t *group_of, tacit__argus_groups *groups,
                             const uint32_t *classes, int64_t count);

/* The same of classes that add no groups: TACIT__NO_GROUP where there is none. */
void tacit__argus_groups_find(uint32_t *group_of, const tacit__argus_groups *groups,
                              const uint32_t *classes, int64_t count);

/* ---- */

/* Every combination of more attributes than this is too many. */
enum { TACIT__ARGUS_ATTRIBUTES = 16 };

/* Zero-initialized is empty. */
typedef struct tacit__argus_outliers {
    tacit_argus_outlier *list; /* by class, then number of attributes, then attributes */
    int64_t count;
    size_t capacity;
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
    size_t part_capacity;
    int64_t least_cells; /* as in tacit_argus_report */
} tacit__argus_plan;

/* Suppression that keeps k. covers: least_cells is wanted. */
tacit_status tacit__argus_repair(tacit__argus_plan *plan, const tacit__argus_view *view,
                                 bool covers, const tacit_run *run, tacit_error *err);
void tacit__argus_plan_clear(tacit__argus_plan *plan);

/* What a class is released as with some attributes suppressed: the index of its
 * box in the list. */
tacit_status tacit__argus_box(uint32_t *box, tacit__box_list *list, const tacit__argus_view *view,
                              uint32_t class_index, uint64_t stars, tacit_error *err);

#endif
