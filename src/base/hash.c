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

tacit__hash128 tacit__hash_bytes128(const char *bytes, size_t len)
{
    XXH128_hash_t hash = XXH3_128bits(bytes, len);
    return (tacit__hash128){.low = hash.low64, .high = hash.high64};
}
