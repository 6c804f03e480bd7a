/*
 * hierarchy.h - the inside of a bound hierarchy, for the sources of this room.
 *
 * A hierarchy is built from the ground up. Level 0 is the column's dictionary;
 * a source then adds one level after the other by saying, for each value of the
 * highest level so far, which value above it belongs to. Levels therefore nest
 * by construction. Whoever walks the values below in order and numbers those
 * above as they are met numbers them by first appearance in the column.
 *
 * Layout: a level holds a map with an entry a code and one for missing, and a
 * label and a count of ground values for each value on it. Labels live in the
 * arena, in the table, or are constants.
 */
#ifndef TACIT_SRC_HIERARCHY_HIERARCHY_H
#define TACIT_SRC_HIERARCHY_HIERARCHY_H

#include <tacit/experimental/hierarchy.h>

#include "base/arena.h"
#include "hierarchy/names.h"

typedef struct tacit__level {
    uint32_t count;
    uint32_t *map;         /* distinct + 1 entries */
    tacit_strview *labels; /* NULL on level 0: the table has them */
    uint32_t *under;       /* ground values under each; NULL on level 0: one */
} tacit__level;

struct tacit_hierarchy {
    const tacit_table *table; /* borrowed */
    int32_t column;
    uint32_t distinct;
    uint32_t leaves;
    tacit_date_order order; /* of dates with slashes, declared or told by the column */
    char point;             /* of numbers, in intervals: a point or a comma, by the same */
    int level_count;        /* the height is one less */
    tacit__level levels[TACIT_MAX_LEVELS];
    tacit__arena arena;
};

/* A hierarchy that has its ground only. */
tacit_status tacit__hierarchy_start(tacit_hierarchy **out, const tacit_table *table, int32_t column,
                                    tacit_error *err);

/* Ends a hierarchy whose levels were added with a status: in a single value, or freed. */
tacit_status tacit__hierarchy_finish(tacit_hierarchy **out, tacit_hierarchy *hierarchy,
                                     tacit_status status, const tacit_hierarchy_spec *spec,
                                     tacit_error *err);

/* A level in the making. Zero-initialized, then begun, then given to
 * tacit__hierarchy_raise, which takes labels and under; cleared in any case. */
typedef struct tacit__rise {
    uint32_t *up;          /* for each value of the level below, its number above */
    tacit_strview *labels; /* for each value above */
    size_t capacity;
    uint32_t count;   /* values above */
    uint32_t *under;  /* ground values under each; NULL: summed from below */
    uint32_t missing; /* the number of missing; TACIT__NONE: it stays missing */
} tacit__rise;

tacit_status tacit__rise_begin(tacit__rise *rise, const tacit_hierarchy *hierarchy,
                               tacit_error *err);
/* A new value above; false when memory ran out. The label must outlive the
 * hierarchy. */
bool tacit__rise_label(tacit__rise *rise, tacit_strview label);
void tacit__rise_clear(tacit__rise *rise);
tacit_status tacit__hierarchy_raise(tacit_hierarchy *hierarchy, tacit__rise *rise,
                                    tacit_error *err);

/* Where generalizations come from: one file each, one line in the table of
 * sources in hierarchy.c. grow adds every level but the suppressed one. */
typedef struct tacit__source {
    tacit_hierarchy_kind kind;
    tacit_status (*grow)(tacit_hierarchy *hierarchy, const tacit_hierarchy_spec *spec,
                         tacit_error *err);
} tacit__source;

extern const tacit__source tacit__source_none;
extern const tacit__source tacit__source_file;
extern const tacit__source tacit__source_mask;
extern const tacit__source tacit__source_interval;
extern const tacit__source tacit__source_date;
extern const tacit__source tacit__source_standard;

/* Longest hierarchy file in bytes. */
enum { TACIT__MAX_HIERARCHY_BYTES = 64 << 20 };

/* The levels of a hierarchy file that is in memory already. */
tacit_status tacit__file_grow(tacit_hierarchy *hierarchy, tacit_strview bytes, const char *name,
                              tacit_error *err);

/* tacit_hierarchy_new for a file that is in memory already; spec says only
 * whether a suppressed level goes on top. */
tacit_status tacit__hierarchy_from_bytes(tacit_hierarchy **out, tacit_strview bytes,
                                         const char *name, const tacit_hierarchy_spec *spec,
                                         const tacit_table *table, int32_t column,
                                         tacit_error *err);

/* What is wrong with a value of the column: "VALUE" in column "NAME" and the
 * reason, at the line of the table where the value comes first. */
tacit_status tacit__value_error(const tacit_hierarchy *hierarchy, uint32_t code,
                                tacit_status status, tacit_error *err, const char *reason, ...)
    __attribute__((format(printf, 5, 6)));

static inline tacit_strview tacit__ground(const tacit_hierarchy *hierarchy, uint32_t code)
{
    return tacit_table_value(hierarchy->table, hierarchy->column, code);
}

/* The interval rule's numbers, checked: origin and widths as multiples of 10^-scale. */
typedef struct tacit__interval {
    int scale;
    int64_t origin;
    int64_t widths[TACIT_MAX_WIDTHS];
    int count;
} tacit__interval;

/* The windows of dates, in months: they divide a year or are whole years, and nest. */
tacit_status tacit__windows_check(const tacit_hierarchy_spec *spec, tacit_error *err);

/* Widths must be positive and ascend, each a multiple of the one before. */
tacit_status tacit__interval_check(tacit__interval *out, const tacit_hierarchy_spec *spec,
                                   tacit_error *err);

#endif
