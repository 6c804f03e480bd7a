/*
 * arena.c - a chain of blocks, each twice the one before up to 1 MiB, or as
 * large as the demand that opened it. Allocation is a pointer bump; clearing
 * frees the chain.
 */
#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

#include "base/alloc.h"

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

struct tacit__arena_block {
    tacit__arena_block *next;
    size_t capacity;
    alignas(max_align_t) unsigned char bytes[];
};

static bool open_block(tacit__arena *arena, size_t size)
{
    size_t capacity = arena->blocks ? arena->blocks->capacity * 2 : FIRST_BLOCK;
    if (capacity > LARGEST_BLOCK)
        capacity = LARGEST_BLOCK;
    if (capacity < size)
        capacity = size;
    size_t bytes;
    if (__builtin_add_overflow(capacity, sizeof(tacit__arena_block), &bytes))
        return false;
    tacit__arena_block *block = tacit__alloc(bytes);
    if (!block)
        return false;
    block->next = arena->blocks;
    block->capacity = capacity;
    arena->blocks = block;
    arena->used = 0;
    arena->capacity = capacity;
    return true;
}

void *tacit__arena_alloc(tacit__arena *arena, size_t size)
{
    const size_t mask = alignof(max_align_t) - 1;
    if (size > SIZE_MAX - mask)
        return NULL;
    size_t rounded = size ? (size + mask) & ~mask : mask + 1; /* NULL means no memory */
    if (arena->capacity - arena->used < rounded && !open_block(arena, rounded))
        return NULL;
    void *memory = arena->blocks->bytes + arena->used;
    arena->used += rounded;
    return memory;
}

tacit_strview tacit__arena_copy(tacit__arena *arena, tacit_strview text)
{
    char *copy = text.len < SIZE_MAX ? tacit__arena_alloc(arena, text.len + 1) : NULL;
    if (!copy)
        return (tacit_strview){NULL, 0};
    if (text.len)
        memcpy(copy, text.bytes, text.len);
    copy[text.len] = '\0';
    return (tacit_strview){copy, text.len};
}

void tacit__arena_clear(tacit__arena *arena)
{
    tacit__arena_block *block = arena->blocks;
    while (block) {
        tacit__arena_block *next = block->next;
        tacit__free(block);
        block = next;
    }
    *arena = (tacit__arena){0};
}
