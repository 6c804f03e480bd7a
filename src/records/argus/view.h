/*
 * view.h - classes as mu-argus looks at them: through any combination of
 * their attributes, one after the other, thousands of times.
 */
#ifndef TACIT_RECORDS_ARGUS_VIEW_H
#define TACIT_RECORDS_ARGUS_VIEW_H

#include <tacit/records.h>

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
    uint64_t *terms[TACIT_MAX_ATTRIBUTES]; /* value -> its part of a hash */
    uint64_t *memory;                      /* that the terms lie in */
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
    int32_t kept[TACIT_MAX_ATTRIBUTES]; /* attributes that count */
    int32_t kept_count;
    int32_t dropped[TACIT_MAX_ATTRIBUTES];
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

#endif
