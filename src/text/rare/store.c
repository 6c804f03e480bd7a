/*
 * store.c - facts by key with exact counts, in bounded memory (see text/rare/rare.h for why
 * they are exact). A table of open addresses over an array of entries, which grows up to
 * twice what is to be kept; then the lower half by rank goes.
 *
 * Cost: a fact is found in about one step and dropped at most once; a cut takes a selection
 * of the edge and one pass, and comes at most once in `keep` new facts.
 */
#include "text/rare/rare.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

enum { FIRST_ROOM = 256 };

tacit_status tacit__rare_store_init(tacit__rare_store *store, size_t keep, tacit_error *err)
{
    uint32_t *slots = tacit__alloc_zeroed((size_t)2 * FIRST_ROOM, sizeof *slots);
    tacit__rare_entry *entries = tacit__alloc_array(FIRST_ROOM, sizeof *entries);
    if (!slots || !entries) {
        tacit__free(slots);
        tacit__free(entries);
        return tacit__nomem(err);
    }
    *store = (tacit__rare_store){.entries = entries,
                                 .room = FIRST_ROOM,
                                 .slots = slots,
                                 .slot_count = (size_t)2 * FIRST_ROOM,
                                 .keep = keep};
    return TACIT_OK;
}

void tacit__rare_store_clear(tacit__rare_store *store)
{
    tacit__free(store->entries);
    tacit__free(store->slots);
    *store = (tacit__rare_store){0};
}

/* The slot of the key, or the empty one where it would be. */
static uint32_t *slot_of(const tacit__rare_store *store, uint64_t key)
{
    size_t mask = store->slot_count - 1, at = (size_t)key & mask;
    while (store->slots[at] != 0 && store->entries[store->slots[at] - 1].key != key)
        at = (at + 1) & mask;
    return &store->slots[at];
}

tacit__rare_entry *tacit__rare_store_find(const tacit__rare_store *store, uint64_t key)
{
    uint32_t number = *slot_of(store, key);
    return number ? &store->entries[number - 1] : NULL;
}

static void index_all(tacit__rare_store *store)
{
    memset(store->slots, 0, store->slot_count * sizeof *store->slots);
    for (size_t i = 0; i < store->count; i++)
        *slot_of(store, store->entries[i].key) = (uint32_t)i + 1;
}

static tacit_status grow(tacit__rare_store *store, tacit_error *err)
{
    size_t room = 2 * store->room;
    uint32_t *slots = tacit__alloc_array(2 * room, sizeof *slots);
    tacit__rare_entry *entries =
        slots ? tacit__resize_array(store->entries, room, sizeof *entries) : NULL;
    if (!entries) {
        tacit__free(slots);
        return tacit__nomem(err);
    }
    tacit__free(store->slots);
    store->entries = entries;
    store->room = room;
    store->slots = slots;
    store->slot_count = 2 * room;
    index_all(store);
    return TACIT_OK;
}

void tacit__rare_store_cut(tacit__rare_store *store, uint64_t cut)
{
    size_t kept = 0;
    if (cut <= store->cut)
        return;
    store->cut = cut;
    for (size_t i = 0; i < store->count; i++)
        if (store->entries[i].rank >= cut)
            store->entries[kept++] = store->entries[i];
    store->count = kept;
    index_all(store);
}

/* Puts ranks that are not below the pivot in front; returns how many. */
static size_t part(uint64_t *ranks, size_t count, uint64_t pivot)
{
    size_t front = 0;
    for (size_t i = 0; i < count; i++)
        if (ranks[i] >= pivot) {
            uint64_t rank = ranks[i];
            ranks[i] = ranks[front];
            ranks[front++] = rank;
        }
    return front;
}

/* The highest rank that at least `keep` have: found bit by bit, so that no order of ranks
 * makes it slow. */
tacit_status tacit__rare_store_edge(uint64_t *edge, const tacit__rare_store *store,
                                    tacit_error *err)
{
    if (store->count <= store->keep) {
        *edge = store->cut;
        return TACIT_OK;
    }
    uint64_t *ranks = tacit__alloc_array(store->count, sizeof *ranks);
    if (!ranks)
        return tacit__nomem(err);
    for (size_t i = 0; i < store->count; i++)
        ranks[i] = store->entries[i].rank;
    uint64_t found = 0;
    size_t above = 0, left = store->count, start = 0;
    for (int bit = 63; bit >= 0 && left > 0; bit--) {
        size_t front = part(ranks + start, left, found | UINT64_C(1) << bit);
        if (above + front >= store->keep) {
            found |= UINT64_C(1) << bit;
            left = front;
        } else {
            above += front;
            start += front;
            left -= front;
        }
    }
    tacit__free(ranks);
    *edge = found;
    return TACIT_OK;
}

/* Room for one more: by growing, or by dropping what ranks low. */
static tacit_status make_room(tacit__rare_store *store, tacit_error *err)
{
    uint64_t edge;
    if (store->count < store->room && store->count < 2 * store->keep)
        return TACIT_OK;
    if (store->count < 2 * store->keep)
        return grow(store, err);
    tacit_status status = tacit__rare_store_edge(&edge, store, err);
    if (status == TACIT_OK)
        tacit__rare_store_cut(store, edge);
    return status;
}

tacit_status tacit__rare_store_add(tacit__rare_store *store, const tacit__rare_entry *fact,
                                   tacit_error *err)
{
    tacit_status status = make_room(store, err);
    if (status != TACIT_OK || fact->rank < store->cut)
        return status;
    store->entries[store->count++] = *fact;
    *slot_of(store, fact->key) = (uint32_t)store->count;
    return TACIT_OK;
}
