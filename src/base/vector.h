/*
 * vector.h - arrays that grow. An array is a pointer, its capacity and the number of its items,
 * which stay fields of whoever holds them.
 */
#ifndef TACIT_SRC_BASE_VECTOR_H
#define TACIT_SRC_BASE_VECTOR_H

#include "base/alloc.h"

/* Makes room for at least so many items, growing by half; false when out of memory, and the array
 * is as it was. Its items and its capacity, a size_t, are named as they are. */
#define TACIT__RESERVE(items, capacity, needed) \
    tacit__reserve((void **)&(items), &(capacity), (size_t)(needed), sizeof *(items))

/* Room for one more than so many, whatever the type of their number. */
#define TACIT__RESERVE_ONE(items, capacity, count) \
    TACIT__RESERVE(items, capacity, (size_t)(count) + 1)

/* Puts an item behind the last one; false when out of memory. */
#define TACIT__PUSH(items, capacity, count, ...) \
    (TACIT__RESERVE_ONE(items, capacity, count) && ((items)[(count)++] = __VA_ARGS__, true))

#endif
