/*
 * repair.h - records that stand out, on their way into groups of k.
 */
#ifndef TACIT_RECORDS_ARGUS_REPAIR_H
#define TACIT_RECORDS_ARGUS_REPAIR_H

#include "records/argus/argus.h"

/* Attributes that are suppressed together. */
typedef struct tacit__argus_pattern {
    uint64_t stars;
    int32_t size;   /* how many they are */
    bool looked_at; /* since the start */
    double loss;    /* what they cost in Prec, a row */
    int64_t price;  /* of the cheapest group under it when it was last looked at */
} tacit__argus_pattern;

/* What is where. A class is open while it has fewer than k people and no group;
 * a donor is one that has k people and is released as it is, or what is left of
 * it. */
typedef struct tacit__argus_repairs {
    const tacit__argus_view *view;
    tacit__argus_plan *plan;
    bool split;                     /* classes can be split */
    tacit__argus_pattern *patterns; /* by size, then loss, then attributes */
    int64_t pattern_count;
    uint32_t *open; /* classes, ascending */
    int64_t open_count;
    uint32_t *donors; /* the same */
    int64_t donor_count;
    uint32_t *left;   /* a class each: people of a donor who are still there */
    uint32_t *all;    /* every class, where covers are wanted; otherwise NULL */
    uint32_t *covers; /* a class each: the smallest pattern that leaves it k people */
} tacit__argus_repairs;

/* One group under a pattern. */
typedef struct tacit__argus_group {
    uint32_t rows, people; /* of open classes */
    uint32_t everybody;    /* people of all classes; only where asked for */
    uint32_t spare;        /* people that donors can do without */
    uint32_t donor;        /* the smallest, or TACIT__NO_GROUP */
} tacit__argus_group;

/* What one worker needs for a look. */
typedef struct tacit__argus_look {
    tacit__argus_groups groups;
    tacit__argus_group *list;
    uint32_t *open_in;  /* an open class each: its group */
    uint32_t *donor_in; /* a donor each: its group, or none */
} tacit__argus_look;

tacit_status tacit__argus_look_init(tacit__argus_look *look, const tacit__argus_repairs *r,
                                    tacit_error *err);
void tacit__argus_look_clear(tacit__argus_look *look);

/* Groups the open classes under a pattern, and finds who could join them. */
void tacit__argus_look_at(tacit__argus_look *look, const tacit__argus_repairs *r,
                          const tacit__argus_pattern *pattern);

/* Counts everybody into the groups of the last look. */
void tacit__argus_look_around(tacit__argus_look *look, const tacit__argus_repairs *r);

/* The cells that a group would cost for each row that it saves, in eighths, and
 * odd where it needs donors, so that one that does not comes first;
 * TACIT__ARGUS_DEAR where there are not enough. */
#define TACIT__ARGUS_DEAR INT64_MAX
int64_t tacit__argus_price(const tacit__argus_repairs *r, const tacit__argus_pattern *pattern,
                           const tacit__argus_group *group);

/* Closes the groups under a pattern that cost no more than the price; the pattern
 * gets the price of the cheapest that is left. */
tacit_status tacit__argus_take(tacit__argus_repairs *r, tacit__argus_look *look,
                               tacit__argus_pattern *pattern, int64_t price, tacit_error *err);

/* Puts each class that is still open, where there are no donors, into the group
 * that this costs least. */
tacit_status tacit__argus_merge(tacit__argus_repairs *r, tacit_error *err);

#endif
