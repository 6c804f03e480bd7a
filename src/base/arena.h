/*
 * arena.h - memory that lives and dies together. Blocks are never moved, so
 * views into an arena stay valid until it is cleared.
 */
#ifndef TACIT_SRC_BASE_ARENA_H
#define TACIT_SRC_BASE_ARENA_H

#include <tacit/base.h>

typedef struct tacit__arena_block tacit__arena_block;

/* Zero-initialized is empty. */
typedef struct tacit__arena {
    tacit__arena_block *blocks;
    size_t used;
    size_t capacity;
} tacit__arena;

/* size bytes (0 does no harm) aligned for any type, or NULL. */
void *tacit__arena_alloc(tacit__arena *arena, size_t size);

/* A terminated copy; bytes is NULL in the result when memory ran out. */
tacit_strview tacit__arena_copy(tacit__arena *arena, tacit_strview text);

void tacit__arena_clear(tacit__arena *arena);

#endif
