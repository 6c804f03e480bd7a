/*
 * alloc.c - the one door to the heap.
 *
 * Blocks of LARGE bytes or more are aligned to huge pages and marked for them:
 * one fault brings 2 MiB instead of 4 KiB, and random access into a column of
 * millions of codes misses the TLB far less. Everything else is malloc.
 */
#include "base/alloc.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20, LARGE = 4 << 20 };

bool tacit__multiply(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

static void *alloc_large(size_t size)
{
    size_t rounded;
    if (__builtin_add_overflow(size, (size_t)HUGE_PAGE - 1, &rounded))
        return NULL;
    rounded &= ~((size_t)HUGE_PAGE - 1);
    void *block = aligned_alloc(HUGE_PAGE, rounded);
    if (block)
        madvise(block, rounded, MADV_HUGEPAGE); /* advice only: failure changes nothing */
    return block;
}

void *tacit__alloc(size_t size)
{
    if (size >= LARGE)
        return alloc_large(size);
    return malloc(size ? size : 1);
}

void *tacit__alloc_array(size_t count, size_t size)
{
    size_t bytes;
    return tacit__multiply(count, size, &bytes) ? tacit__alloc(bytes) : NULL;
}

void *tacit__alloc_zeroed(size_t count, size_t size)
{
    size_t bytes;
    if (!tacit__multiply(count, size, &bytes))
        return NULL;
    if (bytes < LARGE)
        return calloc(1, bytes ? bytes : 1);
    void *block = alloc_large(bytes);
    if (block)
        memset(block, 0, bytes);
    return block;
}

void *tacit__resize_array(void *block, size_t count, size_t size)
{
    size_t bytes;
    if (!tacit__multiply(count, size, &bytes))
        return NULL;
    return realloc(block, bytes ? bytes : 1);
}

void tacit__free(void *block)
{
    free(block);
}

char *tacit__copy_bytes(const char *bytes, size_t len)
{
    char *copy = len < SIZE_MAX ? tacit__alloc(len + 1) : NULL;
    if (!copy)
        return NULL;
    if (len)
        memcpy(copy, bytes, len);
    copy[len] = '\0';
    return copy;
}

char *tacit__copy_text(const char *text)
{
    return tacit__copy_bytes(text, strlen(text));
}

bool tacit__reserve(void **block, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return true;
    size_t grown = *capacity + *capacity / 2;
    if (grown < needed)
        grown = needed;
    if (grown < 8)
        grown = 8;
    void *moved = tacit__resize_array(*block, grown, size);
    if (!moved)
        return false;
    *block = moved;
    *capacity = grown;
    return true;
}

void tacit__give_back(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
