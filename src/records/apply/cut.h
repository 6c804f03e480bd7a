/*
 * cut.h - which classes of a node have to go so that the rest, and what is
 * suppressed, keeps k.
 */
#ifndef TACIT_RECORDS_APPLY_CUT_H
#define TACIT_RECORDS_APPLY_CUT_H

#include "records/classes/classes.h"

/* The groups of one quasi-identifier among several. */
typedef struct tacit__cut_set {
    uint32_t *group_of;   /* a class each */
    tacit__lists classes; /* of each group */
    int64_t group_count;
    uint32_t *people;      /* a group each, of classes that are left */
    uint32_t *presence_of; /* a pair each: its (group, person); NULL without a person column */
    uint32_t *presences;   /* how many pairs that are left have it */
} tacit__cut_set;

typedef struct tacit__cut {
    const tacit_frame *frame;
    const tacit_classes *classes;
    int64_t k;
    uint64_t *gone; /* bit a class */
    int64_t rows;   /* in classes that are gone */
    int64_t people;
    int64_t part_of;       /* the class of which only some people go; -1: none */
    int64_t part_people;   /* how many of them */
    int64_t part_rows;     /* the most rows they can have */
    tacit__lists pairs;    /* of each class; empty without a person column */
    uint64_t *gone_people; /* bit a person; NULL without a person column */
    int32_t set_count;     /* 0 where one quasi-identifier holds every attribute */
    tacit__cut_set *sets;  /* NULL where they are too many to be kept: see tacit__cut_set_open */
    uint32_t *pending;     /* classes that are gone but still counted in the groups that are kept */
    int64_t pending_count;
    int64_t gone_count; /* classes */
    const tacit_run *run;
} tacit__cut;

/* Whether one quasi-identifier holds every attribute: then it implies the rest. */
bool tacit__frame_is_single(const tacit_frame *frame);

/* A cut that has taken nothing out. Keeps nothing of the sets. */
tacit_status tacit__cut_begin(tacit__cut *cut, const tacit_frame *frame,
                              const tacit_classes *classes, int64_t k, const tacit_run *run,
                              tacit_error *err);

/* The groups of one set, with the people who are left in them. */
tacit_status tacit__cut_set_open(tacit__cut_set *set, const tacit__cut *cut, int32_t index,
                                 tacit_error *err);
void tacit__cut_set_close(tacit__cut_set *set);

/* Takes out the fewest classes such that every group left has k people in every
 * quasi-identifier. */
tacit_status tacit__cut_init(tacit__cut *cut, const tacit_frame *frame,
                             const tacit_classes *classes, int64_t k, const tacit_run *run,
                             tacit_error *err);

/* Takes out more, so that the people gone are none or at least k. The table
 * must have k people. */
tacit_status tacit__cut_complement(tacit__cut *cut, bool largest, tacit_error *err);

/* Takes out the class that a complement would be taken from, all of it; *more is false when
 * nobody is left. */
tacit_status tacit__cut_more(bool *more, tacit__cut *cut, bool largest, tacit_error *err);

/* Takes out one class; and, after any number of them, what this has brought below k. */
void tacit__cut_take(tacit__cut *cut, int64_t class);
tacit_status tacit__cut_settle(tacit__cut *cut, tacit_error *err);

/* Fills in what of a solution follows from the cut: what is suppressed. outliers:
 * rows that were gone before the complement. */
void tacit__cut_describe(tacit_solution *solution, const tacit__cut *cut, int64_t outliers);

void tacit__cut_clear(tacit__cut *cut);

/* Rows in classes that tacit__cut_init would take out. */
tacit_status tacit__cut_rows(int64_t *rows, const tacit_frame *frame, const tacit_classes *classes,
                             int64_t k, const tacit_run *run, tacit_error *err);

#endif
