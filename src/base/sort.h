/*
 * sort.h - orders for qsort, of numbers by themselves and of what is compared field by field; and
 * sorting in linear time by keys of 64 bits, with numbers as such keys.
 */
#ifndef TACIT_SRC_BASE_SORT_H
#define TACIT_SRC_BASE_SORT_H

#include <stdint.h>

/* -1, 0 or 1: x comes before y, is equal, comes behind it. */
#define TACIT__ORDER(x, y) (((x) > (y)) - ((x) < (y)))

#define TACIT__ORDER_OF(name, type)                      \
    static inline int name(const void *a, const void *b) \
    {                                                    \
        const type *x = a, *y = b;                       \
        return TACIT__ORDER(*x, *y);                     \
    }

TACIT__ORDER_OF(tacit__by_int32, int32_t)
TACIT__ORDER_OF(tacit__by_uint32, uint32_t)
TACIT__ORDER_OF(tacit__by_int64, int64_t)
TACIT__ORDER_OF(tacit__by_uint64, uint64_t)
TACIT__ORDER_OF(tacit__by_double, double)

typedef struct tacit__ranked {
    uint64_t key;
    uint32_t row; /* or what else it is that is sorted */
} tacit__ranked;

/* A key in the order of the numbers, which are not NAN. */
uint64_t tacit__rank_of_number(double number);

/* Sorts by key, equal ones as they stood; spare has capacity for as many. */
void tacit__rank_sort(tacit__ranked *list, tacit__ranked *spare, int64_t count);

#endif
