/*
 * classes.h - a file of values and the equivalence class of each.
 */
#ifndef TACIT_TECHNIQUES_CATEGORIES_CLASSES_H
#define TACIT_TECHNIQUES_CATEGORIES_CLASSES_H

#include "techniques/runner/technique.h"

typedef struct tacit__classed {
    tacit_strview value; /* borrowed from the file */
    uint32_t class;
} tacit__classed;

typedef struct tacit__value_classes {
    tacit_table *table;   /* the file */
    tacit__classed *list; /* in the order of their bytes, each value once */
    uint32_t count;
    uint32_t class_count;
} tacit__value_classes;

/* Reads "value;class" lines, without a header; the delimiter may be another. */
tacit_status tacit__value_classes_read(tacit__value_classes *classes,
                                       const tacit__runner_call *call,
                                       const tacit__runner_value *file, tacit_error *err);
void tacit__value_classes_clear(tacit__value_classes *classes);

/* The value's place in the list, or UINT32_MAX. */
uint32_t tacit__value_classes_find(const tacit__value_classes *classes, tacit_strview value);

#endif
