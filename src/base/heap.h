/*
 * heap.h - a binary heap in an array of the caller's, whatever its items are.
 *
 * The size and the comparison are known where a heap is used, and all of it is compiled there, so
 * that items move as they would by assignment. Items that none comes before of another come out in
 * an order that follows from how they went in; a comparison that is never in doubt says more.
 */
#ifndef TACIT_SRC_BASE_HEAP_H
#define TACIT_SRC_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define TACIT__HEAP static inline __attribute__((always_inline))

/* Whether an item comes out before another; both are given by where they are. */
typedef bool tacit__heap_before(const void *a, const void *b);

/* Adds an item to *count others, behind which there is room. */
TACIT__HEAP void tacit__heap_push(void *items, size_t *count, const void *item, size_t size,
                                  tacit__heap_before *before)
{
    char *heap = items;
    size_t at = (*count)++;
    for (; at > 0 && before(item, heap + (at - 1) / 2 * size); at = (at - 1) / 2)
        memcpy(heap + at * size, heap + (at - 1) / 2 * size, size);
    memcpy(heap + at * size, item, size);
}

/* Takes the first of *count items out. */
TACIT__HEAP void tacit__heap_pop(void *out, void *items, size_t *count, size_t size,
                                 tacit__heap_before *before)
{
    char *heap = items, *last = heap + --*count * size;
    size_t at = 0, child;
    memcpy(out, heap, size);
    for (; (child = 2 * at + 1) < *count; at = child) {
        child += child + 1 < *count && before(heap + (child + 1) * size, heap + child * size);
        if (!before(heap + child * size, last))
            break;
        memcpy(heap + at * size, heap + child * size, size);
    }
    memmove(heap + at * size, last, size);
}

#endif
