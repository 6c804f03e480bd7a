/*
 * tally.c - amounts by key. The hash table probes linearly and doubles when it
 * is half full; a cell costs 24 bytes. Up to DENSE keys an array is smaller and
 * stays in the cache.
 */
#include "loss/loss.h"

#include "base/alloc.h"
#include "base/hash.h"

enum { DENSE = 1 << 16, SMALLEST = 1 << 10 };

#define EMPTY UINT64_MAX

static bool make_table(tacit__loss_tally *tally, size_t capacity)
{
    *tally = (tacit__loss_tally){.capacity = capacity};
    tally->keys = tacit__alloc_array(capacity, sizeof *tally->keys);
    tally->amounts = tacit__alloc_zeroed(capacity, sizeof *tally->amounts);
    if (!tally->keys || !tally->amounts) {
        tacit__tally_clear(tally);
        return false;
    }
    for (size_t i = 0; i < capacity; i++)
        tally->keys[i] = EMPTY;
    return true;
}

bool tacit__tally_init(tacit__loss_tally *tally, uint64_t bound)
{
    if (bound > DENSE)
        return make_table(tally, SMALLEST);
    *tally = (tacit__loss_tally){.capacity = (size_t)bound};
    tally->amounts = tacit__alloc_zeroed(tally->capacity, sizeof *tally->amounts);
    return tally->amounts;
}

void tacit__tally_clear(tacit__loss_tally *tally)
{
    tacit__free(tally->keys);
    tacit__free(tally->amounts);
    *tally = (tacit__loss_tally){0};
}

static size_t place_of(const tacit__loss_tally *tally, uint64_t key)
{
    size_t mask = tally->capacity - 1, at = (size_t)tacit__mix(key) & mask;
    while (tally->keys[at] != EMPTY && tally->keys[at] != key)
        at = (at + 1) & mask;
    return at;
}

static bool grow(tacit__loss_tally *tally)
{
    tacit__loss_tally larger;
    if (!make_table(&larger, tally->capacity * 2))
        return false;
    for (size_t i = 0; i < tally->capacity; i++)
        if (tally->keys[i] != EMPTY) {
            size_t at = place_of(&larger, tally->keys[i]);
            larger.keys[at] = tally->keys[i];
            larger.amounts[at][0] = tally->amounts[i][0];
            larger.amounts[at][1] = tally->amounts[i][1];
        }
    larger.used = tally->used;
    tacit__tally_clear(tally);
    *tally = larger;
    return true;
}

double *tacit__tally_hashed(tacit__loss_tally *tally, uint64_t key)
{
    size_t at = place_of(tally, key);
    if (tally->keys[at] == EMPTY) {
        if (2 * (tally->used + 1) > tally->capacity) {
            if (!grow(tally))
                return NULL;
            at = place_of(tally, key);
        }
        tally->keys[at] = key;
        tally->used++;
    }
    return tally->amounts[at];
}
