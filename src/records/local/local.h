/*
 * local.h - the inside of the method `local`; local.c says how the parts work together.
 *
 * Costs in here are those of tacit__costs, a row's or summed over rows, without the offset.
 */
#ifndef TACIT_RECORDS_LOCAL_LOCAL_H
#define TACIT_RECORDS_LOCAL_LOCAL_H

#include "records/classes/classes.h"
#include "records/metrics/costs.h"
#include "records/models/models.h"

/* What is to be released, and as what. */
typedef struct tacit__local {
    const tacit_frame *frame;
    const tacit_records_options *options;
    const tacit_run *run;
    tacit_classes *classes; /* on their lowest levels */
    int32_t attributes;
    int64_t k;
    int floor[TACIT_MAX_ATTRIBUTES]; /* the levels that classes are on */
    int height[TACIT_MAX_ATTRIBUTES];
    uint32_t *(*up)[TACIT_MAX_LEVELS]; /* an attribute each: number on the floor -> on a level */
    uint32_t *up_memory;
    uint32_t values;        /* the most that an attribute has on a level */
    uint32_t *codes;        /* class by class, an attribute each, where they are not too many */
    const uint32_t *rows;   /* a class each */
    const uint32_t *people; /* a class each: those counted in it, everybody once */
    uint32_t *homes;        /* where that is not the rows */
    tacit__costs costs;
    double (*level_cost)[TACIT_MAX_LEVELS]; /* an attribute each: above the floor, on average over
                                               its values */
    tacit__models *models;                  /* NULL: nothing is promised beyond k */
    bool whole;                             /* a class leaves in one box */
    bool apart;                             /* boxes must not overlap */
    bool covers;                            /* and hold everybody of the register */
} tacit__local;

tacit_status tacit__local_init(tacit__local *local, const tacit_frame *frame,
                               const tacit_records_options *options, const tacit_run *run,
                               tacit_error *err);
void tacit__local_clear(tacit__local *local);

/* An attribute's value of a class on its floor, and on a level. */
static inline uint32_t tacit__local_code(const tacit__local *local, uint32_t class_index,
                                         int32_t attribute)
{
    if (local->codes)
        return local->codes[(size_t)class_index * (size_t)local->attributes + (size_t)attribute];
    return tacit_classes_code(local->classes, class_index, attribute);
}

static inline uint32_t tacit__local_number(const tacit__local *local, uint32_t class_index,
                                           int32_t attribute, int level)
{
    return local->up[attribute][level][tacit__local_code(local, class_index, attribute)];
}

/* What a row costs in the box of these levels that holds a class. */
double tacit__local_cost(const tacit__local *local, uint32_t class_index, const uint8_t *levels);

/* People of a class who leave in one box: all, unless classes may be divided. */
typedef struct tacit__share {
    uint32_t class_index;
    uint32_t people;
} tacit__share;

/* Rows of a share. */
static inline uint32_t tacit__share_rows(const tacit__local *local, tacit__share share)
{
    return local->whole ? local->rows[share.class_index] : share.people;
}

/* Who leaves in which box. Zero-initialized is empty. */
typedef struct tacit__local_layout {
    int64_t boxes;
    int64_t share_count;
    int64_t *starts; /* of each box's shares, and the end */
    tacit__share *shares;
    uint8_t *levels; /* box by box, an attribute each; values are those of the shares */
    size_t start_capacity, share_capacity, level_capacity;
} tacit__local_layout;

/* Adds a box without shares, and shares to the last box. */
tacit_status tacit__layout_open(tacit__local_layout *layout, const uint8_t *levels,
                                int32_t attributes, tacit_error *err);
tacit_status tacit__layout_add(tacit__local_layout *layout, tacit__share share, tacit_error *err);

/* Adds all boxes of another layout. */
tacit_status tacit__layout_append(tacit__local_layout *layout, const tacit__local_layout *other,
                                  int32_t attributes, tacit_error *err);
void tacit__layout_clear(tacit__local_layout *layout);

/* Sum of costs over the rows of boxes from, from + 1 ... to - 1. */
double tacit__layout_cost(const tacit__local_layout *layout, const tacit__local *local,
                          int64_t from, int64_t to);

/* What a search has found. Zero-initialized is nothing. */
typedef struct tacit__local_found {
    tacit__local_layout layout;
    double bound;  /* no layout costs less; NAN: nothing is known */
    int64_t boxes; /* that were looked at */
    bool stopped;  /* by the progress callback; this is the best so far */
} tacit__local_found;

/* The whole search of this method, and the solution that something found is, which takes
 * the classes over (local.c). */
tacit_status tacit__local_search(tacit__local_found *out, tacit__local *local, tacit_error *err);
tacit_status tacit__local_conclude(tacit_solution **out, const tacit__local_found *found,
                                   tacit__local *local, tacit_error *err);

/* Everybody in boxes, found from the top downwards (split.c). */
tacit_status tacit__local_split(tacit__local_layout *out, const tacit__local *local,
                                tacit_error *err);

/* What the rows of any layout cost together, at least; NAN before anything is known. Stopped
 * by the progress callback it returns TACIT_CANCELLED, and the bound is what is known.
 * *boxes is how many were looked at. */
tacit_status tacit__local_bound(double *bound, int64_t *boxes, const tacit__local *local,
                                tacit_error *err);

/* What a row of each class costs at least, by the classes nearest to it; those that are not looked
 * at are left as they are (neighbours.c). */
tacit_status tacit__neighbour_costs(double *least, const tacit__local *local, tacit_error *err);

/* The same as tacit__local_bound from a few nodes of the lattice, and from neighbours, for any
 * number of classes. */
tacit_status tacit__bound_by_nodes(double *bound, const tacit__local *local, tacit_error *err);

#endif
