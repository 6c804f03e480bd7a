/*
 * dictionary.c - open addressing with linear probing, at most half full.
 *
 * Short values (16 bytes or fewer: most codes, dates, postcodes, categories)
 * are compared as two integers without touching the file again. Long ones are
 * hashed with XXH3 and compared byte by byte on equal hashes. Merging costs the
 * sum of the dictionaries, plus sorting the result by first appearance.
 */
#include "table/dictionary.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

enum { FIRST_BITS = 6 };
static const uint32_t FREE = UINT32_MAX;

static tacit__short_entry *new_short(int bits)
{
    size_t size = (size_t)1 << bits;
    tacit__short_entry *entries = tacit__alloc_array(size, sizeof *entries);
    for (size_t i = 0; entries && i < size; i++)
        entries[i] = (tacit__short_entry){0, 0, FREE};
    return entries;
}

static tacit__long_entry *new_long(int bits)
{
    size_t size = (size_t)1 << bits;
    tacit__long_entry *entries = tacit__alloc_array(size, sizeof *entries);
    for (size_t i = 0; entries && i < size; i++)
        entries[i] = (tacit__long_entry){0, FREE};
    return entries;
}

bool tacit__dictionary_init(tacit__dictionary *dictionary)
{
    *dictionary = (tacit__dictionary){.short_shift = 64 - FIRST_BITS,
                                      .long_shift = 64 - FIRST_BITS,
                                      .short_entries = new_short(FIRST_BITS),
                                      .long_entries = new_long(FIRST_BITS)};
    if (!dictionary->short_entries || !dictionary->long_entries)
        return false;
    return tacit__dictionary_add_short(dictionary, 0, 0, (tacit__table_value){0}) ==
           0; /* missing */
}

void tacit__dictionary_seal(tacit__dictionary *dictionary)
{
    tacit__free(dictionary->short_entries);
    tacit__free(dictionary->long_entries);
    dictionary->short_entries = NULL;
    dictionary->long_entries = NULL;
}

void tacit__dictionary_clear(tacit__dictionary *dictionary)
{
    tacit__dictionary_seal(dictionary);
    tacit__free(dictionary->values);
    *dictionary = (tacit__dictionary){0};
}

static bool grow_short(tacit__dictionary *dictionary)
{
    int bits = 64 - dictionary->short_shift;
    tacit__short_entry *grown = new_short(bits + 1);
    if (!grown)
        return false;
    uint64_t mask = ((uint64_t)1 << (bits + 1)) - 1;
    for (size_t i = 0; i < (size_t)1 << bits; i++) {
        tacit__short_entry entry = dictionary->short_entries[i];
        if (entry.number == FREE)
            continue;
        uint64_t slot = tacit__short_hash(entry.low, entry.high) >> (dictionary->short_shift - 1);
        while (grown[slot].number != FREE)
            slot = (slot + 1) & mask;
        grown[slot] = entry;
    }
    tacit__free(dictionary->short_entries);
    dictionary->short_entries = grown;
    dictionary->short_shift--;
    return true;
}

static bool grow_long(tacit__dictionary *dictionary)
{
    int bits = 64 - dictionary->long_shift;
    tacit__long_entry *grown = new_long(bits + 1);
    if (!grown)
        return false;
    uint64_t mask = ((uint64_t)1 << (bits + 1)) - 1;
    for (size_t i = 0; i < (size_t)1 << bits; i++) {
        tacit__long_entry entry = dictionary->long_entries[i];
        if (entry.number == FREE)
            continue;
        uint64_t slot = entry.hash >> (dictionary->long_shift - 1);
        while (grown[slot].number != FREE)
            slot = (slot + 1) & mask;
        grown[slot] = entry;
    }
    tacit__free(dictionary->long_entries);
    dictionary->long_entries = grown;
    dictionary->long_shift--;
    return true;
}

static uint32_t append(tacit__dictionary *dictionary, tacit__table_value value)
{
    if (dictionary->count == FREE - 1 ||
        !tacit__reserve((void **)&dictionary->values, &dictionary->value_capacity,
                        (size_t)dictionary->count + 1, sizeof value))
        return FREE;
    dictionary->values[dictionary->count] = value;
    return dictionary->count++;
}

uint32_t tacit__dictionary_add_short(tacit__dictionary *dictionary, uint64_t low, uint64_t high,
                                     tacit__table_value value)
{
    int bits = 64 - dictionary->short_shift;
    if (2 * ((uint64_t)dictionary->short_used + 1) > (uint64_t)1 << bits) {
        if (!grow_short(dictionary))
            return FREE;
        bits++;
    }
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    uint64_t slot = tacit__short_hash(low, high) >> dictionary->short_shift;
    while (dictionary->short_entries[slot].number != FREE)
        slot = (slot + 1) & mask;
    uint32_t number = append(dictionary, value);
    if (number == FREE)
        return FREE;
    dictionary->short_entries[slot] = (tacit__short_entry){low, high, number};
    dictionary->short_used++;
    return number;
}

static bool same(tacit__table_value a, tacit__table_value b)
{
    return a.len == b.len && memcmp(a.bytes, b.bytes, a.len) == 0;
}

static uint32_t find_long(tacit__dictionary *dictionary, tacit__table_value value)
{
    int bits = 64 - dictionary->long_shift;
    if (2 * ((uint64_t)dictionary->long_used + 1) > (uint64_t)1 << bits) {
        if (!grow_long(dictionary))
            return FREE;
        bits++;
    }
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    uint64_t hash = tacit__hash_bytes(value.bytes, value.len);
    uint64_t slot = hash >> dictionary->long_shift;
    for (tacit__long_entry *e; (e = &dictionary->long_entries[slot])->number != FREE;
         slot = (slot + 1) & mask)
        if (e->hash == hash && same(dictionary->values[e->number], value))
            return e->number;
    uint32_t number = append(dictionary, value);
    if (number == FREE)
        return FREE;
    dictionary->long_entries[slot] = (tacit__long_entry){hash, number};
    dictionary->long_used++;
    return number;
}

uint32_t tacit__dictionary_find(tacit__dictionary *dictionary, tacit__table_value value)
{
    if (value.len > 16)
        return find_long(dictionary, value);
    char key[16] = {0};
    uint64_t low, high;
    if (value.len)
        memcpy(key, value.bytes, value.len);
    memcpy(&low, key, 8);
    memcpy(&high, key + 8, 8);
    uint32_t number =
        tacit__dictionary_short(dictionary->short_entries, dictionary->short_shift, low, high);
    return number != FREE ? number : tacit__dictionary_add_short(dictionary, low, high, value);
}

typedef struct placed {
    uint64_t offset;
    uint32_t number;
} placed;

static int by_offset(const void *a, const void *b)
{
    uint64_t x = ((const placed *)a)->offset, y = ((const placed *)b)->offset;
    return (x > y) - (x < y);
}

/* Everything into one dictionary, keeping the earliest offset; maps then hold
 * numbers of that dictionary. */
static bool collect(tacit__dictionary *all, tacit__dictionary *const *dictionaries,
                    uint32_t *const *maps, int count)
{
    for (int d = 0; d < count; d++)
        for (uint32_t i = 1; i < dictionaries[d]->count; i++) {
            tacit__table_value value = dictionaries[d]->values[i];
            uint32_t number = tacit__dictionary_find(all, value);
            if (number == FREE)
                return false;
            if (value.offset < all->values[number].offset)
                all->values[number] = value;
            maps[d][i] = number;
        }
    return true;
}

/* place[number] becomes the number's rank by first appearance, from 0. */
static bool rank_by_appearance(uint32_t *place, const tacit__dictionary *all)
{
    placed *order = tacit__alloc_array(all->count, sizeof *order);
    if (!order)
        return false;
    for (uint32_t i = 1; i < all->count; i++)
        order[i - 1] = (placed){all->values[i].offset, i};
    qsort(order, all->count - 1, sizeof *order, by_offset);
    for (uint32_t i = 1; i < all->count; i++)
        place[order[i - 1].number] = i - 1;
    place[0] = all->count - 1;
    tacit__free(order);
    return true;
}

tacit_status tacit__dictionaries_merge(tacit_strview **values, uint32_t *distinct,
                                       tacit__dictionary *const *dictionaries,
                                       uint32_t *const *maps, int count, tacit_error *err)
{
    tacit__dictionary all = {0};
    uint32_t *place = NULL;
    tacit_strview *list = NULL;
    tacit_status status = TACIT_NOMEM;
    if (!tacit__dictionary_init(&all) || !collect(&all, dictionaries, maps, count))
        goto cleanup;
    place = tacit__alloc_array(all.count, sizeof *place);
    list = tacit__alloc_array(all.count, sizeof *list);
    if (!place || !list || !rank_by_appearance(place, &all))
        goto cleanup;
    for (uint32_t i = 1; i < all.count; i++)
        list[place[i]] = (tacit_strview){all.values[i].bytes, all.values[i].len};
    for (int d = 0; d < count; d++) {
        maps[d][0] = all.count - 1;
        for (uint32_t i = 1; i < dictionaries[d]->count; i++)
            maps[d][i] = place[maps[d][i]];
    }
    *values = list;
    *distinct = all.count - 1;
    list = NULL;
    status = TACIT_OK;
cleanup:
    tacit__free(place);
    tacit__free(list);
    tacit__dictionary_clear(&all);
    return status == TACIT_OK ? TACIT_OK : tacit__nomem(err);
}
