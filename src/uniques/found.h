/*
 * found.h - the sets that a search comes upon, before it is known which of them
 * are minimal.
 *
 * Each worker keeps its own, apart by size, in chunks that never move. Their
 * number is bounded: when there are too many, the largest size is given up,
 * everywhere and for good, so that what remains is every set up to some size,
 * whatever the number of threads.
 */
#ifndef TACIT_SRC_UNIQUES_FOUND_H
#define TACIT_SRC_UNIQUES_FOUND_H

#include <stdatomic.h>
#include <tacit/experimental/uniques.h>

/* A set on which at most k rows match an item, and is prime unless a smaller one is. */
typedef struct tacit__find {
    uint64_t set; /* in the ground's columns */
    uint32_t item;
    uint32_t records;
} tacit__find;

enum { TACIT__FIND_CHUNK = 2047 }; /* finds and a header in 32 KiB */

typedef struct tacit__finds {
    struct tacit__finds *next;
    uint32_t count;
    tacit__find finds[TACIT__FIND_CHUNK];
} tacit__finds;

enum { TACIT__SET_SIZES = TACIT_UNIQUES_COLUMNS + 1 };

typedef struct tacit__uniques_found {
    atomic_int bound;                           /* sizes above it are given up */
    int first;                                  /* sizes below it are not collected */
    size_t most;                                /* finds that may be kept */
    atomic_size_t full[TACIT__SET_SIZES];       /* finds in full chunks, by size */
    tacit__finds *(*workers)[TACIT__SET_SIZES]; /* a worker each: chunks by size, newest first */
    int worker_count;
} tacit__uniques_found;

tacit_status tacit__found_init(tacit__uniques_found *found, int workers, size_t most, int bound,
                               tacit_error *err);
void tacit__found_clear(tacit__uniques_found *found);

/* Makes room for another find of a size; false when out of memory. */
bool tacit__found_grow(tacit__uniques_found *found, int worker, int size);

/* Keeps a find, unless its size is not wanted. False when out of memory. */
static inline bool tacit__found_add(tacit__uniques_found *found, int worker, int size,
                                    tacit__find find)
{
    if (size < found->first)
        return true;
    tacit__finds *chunk = found->workers[worker][size];
    if (!chunk || chunk->count == TACIT__FIND_CHUNK) {
        if (size > atomic_load_explicit(&found->bound, memory_order_relaxed))
            return true;
        if (!tacit__found_grow(found, worker, size))
            return false;
        chunk = found->workers[worker][size];
        if (!chunk)
            return true;
    }
    chunk->finds[chunk->count++] = find;
    return true;
}

/* Drops sizes above size. Nobody searches meanwhile. */
void tacit__found_drop(tacit__uniques_found *found, int size);

/* Finds of a size. Nobody searches meanwhile. */
size_t tacit__found_count(const tacit__uniques_found *found, int size);

/* Gives up sizes until what is there fits. Nobody searches meanwhile. */
void tacit__found_settle(tacit__uniques_found *found);

#endif
