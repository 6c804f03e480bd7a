/*
 * classes.h - the inside of classes, for the methods' shared work.
 */
#ifndef TACIT_RECORDS_CLASSES_CLASSES_H
#define TACIT_RECORDS_CLASSES_CLASSES_H

#include <tacit/experimental/records.h>

#include "records/classes/grouping.h"

struct tacit_classes {
    tacit__grouping
        groups;            /* a class each; its members are people where there is a person column */
    tacit__grouping pairs; /* distinct (class, person); empty without a person column */
    int64_t rows;
    int levels[TACIT_MAX_ATTRIBUTES];
    int sharers; /* who may free them, but for one */
};

/* The same classes for one more to free. */
tacit_classes *tacit__classes_share(tacit_classes *classes);

/* What rolling up goes through: classes, or pairs of class and person. */
static inline int64_t tacit__classes_items(const tacit_classes *classes)
{
    return classes->pairs.count > 0 ? classes->pairs.count : classes->groups.count;
}

/* Whether rolling up is cheaper than counting rows: taking a class's key apart
 * costs several times as much as making a row's. */
static inline bool tacit__worth_rolling_up(const tacit_classes *classes)
{
    return tacit__classes_items(classes) < classes->rows / 8;
}

/* Refuses a quasi-identifier of too few or too many attributes. */
tacit_status tacit__frame_check(const tacit_frame *frame, tacit_error *err);

/* Distinct values of an attribute on a level; missing is one while it stays
 * missing. Never 0. */
uint32_t tacit__distinct_on(const tacit_frame *frame, int32_t attribute, int level);

/* People in the whole table. Rows without a person count as one person's: they
 * could be, and k must hold in any case. */
int64_t tacit__people_of(const tacit_frame *frame);

/* The pairs of each class: list[starts[c]] up to list[starts[c + 1]]. */
typedef struct tacit__lists {
    int64_t *starts;
    uint32_t *list;
} tacit__lists;

/* Inverts item -> group. */
tacit_status tacit__lists_init(tacit__lists *lists, const uint32_t *group_of, int64_t items,
                               int64_t groups, tacit_error *err);
void tacit__lists_clear(tacit__lists *lists);

/* Class -> its pairs. Only with a person column. */
tacit_status tacit__classes_pairs(tacit__lists *lists, const tacit_classes *classes,
                                  const tacit_run *run, tacit_error *err);

/* The person of a pair, as the person column is coded. */
static inline uint32_t tacit__pair_person(const tacit_classes *classes, uint32_t pair)
{
    const tacit__coder *coder = &classes->pairs.coder;
    return (uint32_t)tacit__coder_decode(coder, classes->pairs.keys[pair], coder->columns - 1);
}

/* Compares two classes by their values, the first attribute first. */
int tacit__classes_compare(const tacit_classes *classes, int64_t a, int64_t b);

#endif
