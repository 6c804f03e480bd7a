/*
 * names.c - numbers for distinct texts: open addressing with linear probing, at
 * most half full. A slot keeps 32 bits of the hash, so growing reads no text
 * and a probe compares bytes only where those bits agree. Expected cost of a
 * look-up: one hash of the text and about one comparison.
 */
#include "hierarchy/names.h"

#include "base/alloc.h"
#include "base/hash.h"

enum { FIRST_SLOTS = 64 };

static void place(uint64_t *slots, size_t mask, uint64_t slot)
{
    size_t at = (size_t)(slot >> 32);
    while (slots[at & mask])
        at++;
    slots[at & mask] = slot;
}

static bool grow(tacit__hash_index *index)
{
    size_t capacity = FIRST_SLOTS;
    if (index->capacity && !tacit__multiply(index->capacity, 2, &capacity))
        return false;
    uint64_t *slots = tacit__alloc_zeroed(capacity, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < index->capacity; i++)
        if (index->slots[i])
            place(slots, capacity - 1, index->slots[i]);
    tacit__free(index->slots);
    index->slots = slots;
    index->capacity = capacity;
    return true;
}

static uint32_t hash_of(tacit_strview label)
{
    return (uint32_t)(tacit__hash_bytes(label.bytes, label.len) >> 32);
}

static uint32_t find(const tacit__names *names, tacit_strview label, uint32_t hash)
{
    size_t probe = hash;
    uint32_t number;
    while ((number = tacit__hash_index_next(&names->index, hash, &probe)) != TACIT__NONE)
        if (tacit_strview_equal(names->labels[number], label))
            break;
    return number;
}

bool tacit__hash_index_add(tacit__hash_index *index, uint32_t hash, uint32_t number)
{
    if (index->count >= index->capacity / 2 && !grow(index))
        return false;
    place(index->slots, index->capacity - 1, (uint64_t)hash << 32 | (number + 1));
    index->count++;
    return true;
}

void tacit__hash_index_clear(tacit__hash_index *index)
{
    tacit__free(index->slots);
    *index = (tacit__hash_index){0};
}

uint32_t tacit__names_find(const tacit__names *names, tacit_strview label)
{
    return find(names, label, hash_of(label));
}

uint32_t tacit__names_add(tacit__names *names, tacit_strview label, bool *added)
{
    uint32_t hash = hash_of(label);
    uint32_t number = find(names, label, hash);
    *added = number == TACIT__NONE;
    if (!*added)
        return number;
    number = names->count;
    if (!tacit__reserve((void **)&names->labels, &names->capacity, (size_t)number + 1,
                        sizeof *names->labels) ||
        !tacit__hash_index_add(&names->index, hash, number))
        return TACIT__NONE;
    names->labels[number] = label;
    names->count++;
    return number;
}

void tacit__names_clear(tacit__names *names)
{
    tacit__free(names->labels);
    tacit__hash_index_clear(&names->index);
    *names = (tacit__names){0};
}
