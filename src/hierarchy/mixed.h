/*
 * mixed.h - a hierarchy over a column whose values are on several levels already.
 */
#ifndef TACIT_SRC_HIERARCHY_MIXED_H
#define TACIT_SRC_HIERARCHY_MIXED_H

#include <tacit/experimental/hierarchy.h>

/* A value of a hierarchy: its level and its number there. */
typedef struct tacit__mixed_value {
    int level;
    uint32_t number;
} tacit__mixed_value;

/* Binds a coded column whose code c stands for values[c] of `base`, no two for the same. Both
 * outlive the hierarchy, which has the levels of base: a value of level l stays itself
 * below l and generalizes from there on as base does, missing as base's missing. What lies
 * under a value is what lies under it in base. */
tacit_status tacit__hierarchy_mixed(tacit_hierarchy **out, const tacit_hierarchy *base,
                                    const tacit__mixed_value *values, const tacit_table *table,
                                    int32_t column, tacit_error *err);

#endif
