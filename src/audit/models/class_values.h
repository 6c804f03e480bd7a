/*
 * class_values.h - the values of a column in every class of a partition of the rows.
 *
 * A row's class and its code become one key; the keys are sorted, a class is a run of equal upper
 * bits, and the runs of equal keys in it are its values with their counts. A sort of the rows.
 */
#ifndef TACIT_AUDIT_MODELS_CLASS_VALUES_H
#define TACIT_AUDIT_MODELS_CLASS_VALUES_H

#include "audit/rows/group.h"

/* Zero-initialized is empty. */
typedef struct tacit__class_values {
    tacit__keys keys;
    int code_bits;
} tacit__class_values;

/* The column is coded. Cleared in any case. */
tacit_status tacit__class_values_init(tacit__class_values *values, const tacit_table *table,
                                      int32_t column, const tacit__partition *partition,
                                      const tacit_run *run, tacit_error *err);
void tacit__class_values_clear(tacit__class_values *values);

/* The class that a place of the sorted keys belongs to, and its code. */
static inline int64_t tacit__class_at(const tacit__class_values *values, int64_t at)
{
    return (int64_t)(tacit__sorter_key(&values->keys.sorter, at) >> values->code_bits);
}

static inline uint32_t tacit__class_code_at(const tacit__class_values *values, int64_t at)
{
    uint64_t mask = (UINT64_C(1) << values->code_bits) - 1;
    return (uint32_t)(tacit__sorter_key(&values->keys.sorter, at) & mask);
}

/* Where the run of equal keys that starts at a place ends. */
static inline int64_t tacit__class_value_end(const tacit__class_values *values, int64_t at)
{
    uint64_t key = tacit__sorter_key(&values->keys.sorter, at);
    do
        at++;
    while (at < values->keys.rows && tacit__sorter_key(&values->keys.sorter, at) == key);
    return at;
}

#endif
