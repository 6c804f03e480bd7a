/*
 * starve.c - malloc and its relatives as the tests of a room have them: each refuses when
 * starve.h says so, and counts the blocks that are not freed.
 */
#include "starve.h"

#include <errno.h>
#include <malloc.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_realpath(const char *path, char *resolved);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_realpath(const char *path, char *resolved);
void __wrap_free(void *block);

struct starving starving;

static bool starve_refuses(void)
{
    if (!starving.on)
        return false;
    long long left = atomic_fetch_sub(&starving.left, 1);
    bool refused = starving.way == STARVE_ONCE ? left == 0 : left <= 0;
    if (refused) {
        starving.refused = true;
        errno = ENOMEM;
    }
    return refused;
}

static void *starve_counted(void *block)
{
    if (block)
        starving.live++;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return starve_refuses() ? NULL : starve_counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return starve_refuses() ? NULL : starve_counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (starve_refuses()) {
        starving.shrinking |= block && malloc_usable_size(block) >= size;
        return NULL;
    }
    return block ? __real_realloc(block, size) : starve_counted(__real_realloc(NULL, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return starve_refuses() ? NULL : starve_counted(__real_aligned_alloc(alignment, size));
}

char *__wrap_realpath(const char *path, char *resolved)
{
    return starve_refuses() ? NULL : starve_counted(__real_realpath(path, resolved));
}

void __wrap_free(void *block)
{
    if (block)
        starving.live--;
    __real_free(block);
}
