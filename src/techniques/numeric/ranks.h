/*
 * ranks.h - rows of a column in the order of their values.
 */
#ifndef TACIT_TECHNIQUES_NUMERIC_RANKS_H
#define TACIT_TECHNIQUES_NUMERIC_RANKS_H

#include "techniques/runner/technique.h"

typedef struct tacit__numeric_ranked {
    uint64_t key;
    uint32_t row;
} tacit__numeric_ranked;

/* A key in the order of the numbers, which are not NAN. */
uint64_t tacit__rank_of_number(double number);

/* The order of two texts' bytes, as memcmp says it. */
int tacit__compare_texts(tacit_strview a, tacit_strview b);

/* Sorts by key, equal ones as they stood; spare has room for as many. */
void tacit__rank_sort(tacit__numeric_ranked *list, tacit__numeric_ranked *spare, int64_t count);

/* How the values of a column are ordered. */
typedef struct tacit__ordering {
    const tacit__runner_value *order; /* given: the values, from the lowest to the highest */
    bool by_text;                     /* else by their bytes; else they are numbers, and loaded */
    bool keep_others; /* values that are not in `order` have no rank; else an error */
} tacit__ordering;

/* Rows of a column that has marks, with keys in its order, but for empty cells and those that have
 * no rank. list has room for all rows. */
tacit_status tacit__rank_keys(tacit__numeric_ranked *list, int64_t *count,
                              const tacit__sheet *sheet, int32_t column,
                              const tacit__ordering *ordering, const tacit__runner_call *call,
                              tacit_error *err);

#endif
