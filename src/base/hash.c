/*
 * hash.c - XXH3 compiled into one place.
 */
#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t tacit__hash_bytes(const char *bytes, size_t len)
{
    return XXH3_64bits(bytes, len);
}
