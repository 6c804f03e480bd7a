/*
 * pairing.c - numbers for pairs of numbers. Open addressing, at most half full: a
 * look-up costs about one miss, a pair 24 to 48 bytes.
 */
#include "records/classes/pairing.h"

#include "base/alloc.h"
#include "base/hash.h"

/* The slot of a key, or the free one where it belongs. */
static size_t slot_of(const tacit__pairing *pairing, uint64_t key)
{
    size_t mask = pairing->capacity - 1, slot = (size_t)tacit__mix(key) & mask;
    while (pairing->numbers[slot] != TACIT__NO_PAIR && pairing->keys[slot] != key)
        slot = (slot + 1) & mask;
    return slot;
}

static bool grow(tacit__pairing *pairing)
{
    tacit__pairing larger = {.capacity = pairing->capacity ? 2 * pairing->capacity : 64,
                             .count = pairing->count};
    larger.keys = tacit__alloc_array(larger.capacity, sizeof *larger.keys);
    larger.numbers = tacit__alloc_array(larger.capacity, sizeof *larger.numbers);
    if (!larger.keys || !larger.numbers) {
        tacit__pairing_clear(&larger);
        return false;
    }
    for (size_t i = 0; i < larger.capacity; i++)
        larger.numbers[i] = TACIT__NO_PAIR;
    for (size_t i = 0; i < pairing->capacity; i++)
        if (pairing->numbers[i] != TACIT__NO_PAIR) {
            size_t slot = slot_of(&larger, pairing->keys[i]);
            larger.keys[slot] = pairing->keys[i];
            larger.numbers[slot] = pairing->numbers[i];
        }
    tacit__pairing_clear(pairing);
    *pairing = larger;
    return true;
}

uint32_t tacit__pairing_add(tacit__pairing *pairing, uint32_t first, uint32_t second)
{
    if (2 * (size_t)pairing->count >= pairing->capacity && !grow(pairing))
        return TACIT__NO_PAIR;
    uint64_t key = (uint64_t)first << 32 | second;
    size_t slot = slot_of(pairing, key);
    if (pairing->numbers[slot] == TACIT__NO_PAIR) {
        pairing->keys[slot] = key;
        pairing->numbers[slot] = pairing->count++;
    }
    return pairing->numbers[slot];
}

uint32_t tacit__pairing_find(const tacit__pairing *pairing, uint32_t first, uint32_t second)
{
    if (pairing->capacity == 0)
        return TACIT__NO_PAIR;
    return pairing->numbers[slot_of(pairing, (uint64_t)first << 32 | second)];
}

bool tacit__pairing_number(uint32_t *group, uint32_t *count, const uint32_t *second, int64_t items)
{
    tacit__pairing pairing = {0};
    bool whole = true;
    for (int64_t i = 0; i < items && whole; i++) {
        group[i] = tacit__pairing_add(&pairing, group[i], second[i]);
        whole = group[i] != TACIT__NO_PAIR;
    }
    *count = pairing.count;
    tacit__pairing_clear(&pairing);
    return whole;
}

void tacit__pairing_clear(tacit__pairing *pairing)
{
    tacit__free(pairing->keys);
    tacit__free(pairing->numbers);
    *pairing = (tacit__pairing){0};
}
