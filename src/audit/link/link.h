/*
 * link.h - what the files of linking share (audit_link.h).
 *
 * Columns stand in an order of their own, the depth of the trees: those with few values first, and
 * those of which the register does not know everybody's value last. In the tree of classes
 * codes are nodes of the lineages. In the tree of people codes are marks (values.c): two
 * values that meet the same released values have one mark, so that people whom the release
 * cannot tell apart are one bundle.
 */
#ifndef TACIT_AUDIT_LINK_LINK_H
#define TACIT_AUDIT_LINK_LINK_H

#include <tacit/experimental/audit_link.h>

#include "audit/link/trees.h"

/* What a column's values in the register meet in the release. */
typedef struct tacit__link_marks {
    uint32_t *of_code; /* code of the register -> mark */
    uint32_t count;
    size_t *start; /* as in tacit__meets, by mark */
    uint32_t *list;
    uint32_t *from, *to;
    bool unknown; /* somebody's value is not known */
    bool agrees, says;
} tacit__link_marks;

tacit_status tacit__link_marks_init(tacit__link_marks *marks, const tacit_link_column *column,
                                    tacit_error *err);
void tacit__link_marks_clear(tacit__link_marks *marks);

typedef struct tacit__linking {
    const tacit_link_case *c;
    const tacit_run *run;
    tacit_link *link;
    int32_t depth;
    int32_t order[TACIT_MAX_LINK_COLUMNS];           /* depth -> column */
    tacit__link_marks marks[TACIT_MAX_LINK_COLUMNS]; /* by column */
    tacit__meets meets[TACIT_MAX_LINK_COLUMNS];      /* by depth */
    tacit__bundles classes, people;
    tacit__code_tree class_tree, people_tree;
    uint32_t *before;   /* a class each, and one more: records of the classes before it */
    uint32_t *could_be; /* a bundle of people each: records */
    uint32_t *could_of; /* a person each where people have several rows: records */
    uint32_t *changes;  /* a class each, and one more: people, as differences to the class before */
    uint64_t *sums;     /* the same of the sum of their bundles: who it is where it is one */
} tacit__linking;

/* people.c: the rows of a person in the register. */
typedef struct tacit__link_rows {
    int64_t from, to;
} tacit__link_rows;
tacit__link_rows tacit__link_rows_of(const tacit_link_case *c, int64_t person);

/* Takes back from the counts that people with several rows were counted for several, and fills
 * in could_of. */
tacit_status tacit__link_repeats(tacit__linking *l, tacit_error *err);

/* Fills in `only`, once maps_to is there and sums are whole. */
tacit_status tacit__link_names(tacit__linking *l, tacit_error *err);

/* truth.c: what the truth shows. */
tacit_status tacit__link_judge_truth(tacit__linking *l, tacit_error *err);

/* How many of some people every class maps to, and the sum of their numbers, as differences: both
 * arrays have an entry a class and one more, and start with zeros. */
tacit_status tacit__link_count(uint32_t *changes, uint64_t *sums, tacit__linking *l,
                               const uint32_t *persons, int64_t count, tacit_error *err);

#endif
