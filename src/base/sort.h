/*
 * sort.h - sorting by keys of 64 bits, and numbers as such keys.
 */
#ifndef TACIT_SRC_BASE_SORT_H
#define TACIT_SRC_BASE_SORT_H

#include <stdint.h>

typedef struct tacit__ranked {
    uint64_t key;
    uint32_t row; /* or what else it is that is sorted */
} tacit__ranked;

/* A key in the order of the numbers, which are not NAN. */
uint64_t tacit__rank_of_number(double number);

/* Sorts by key, equal ones as they stood; spare has room for as many. */
void tacit__rank_sort(tacit__ranked *list, tacit__ranked *spare, int64_t count);

#endif
