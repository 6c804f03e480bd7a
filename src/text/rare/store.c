/*
 * store.c - facts by key with exact counts, in bounded memory (see text/rare/rare.h for why
 * they are exact). A map over an array of entries, which grows up to
 * twice what is to be kept; then the lower half by rank goes.
 *
 * Cost: a fact is found in about one step and dropped at most once; a cut takes a selection
 * of the edge and one pass, and comes at most once in `keep` new facts.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "text/rare/rare.h"

void tacit__rare_store_init(tacit__rare_store *store, size_t keep)
{
    *store = (tacit__rare_store){.keep = keep};
}

void tacit__rare_store_clear(tacit__rare_store *store)
{
    tacit__free(store->entries);
    tacit__map_clear(&store->map);
    *store = (tacit__rare_store){0};
}

tacit__rare_entry *tacit__rare_store_find(const tacit__rare_store *store, uint64_t key)
{
    size_t probe = 0;
    uint32_t number;
    while ((number = tacit__map_next(&store->map, key, &probe)) != TACIT__NONE)
        if (store->entries[number].key == key)
            return &store->entries[number];
    return NULL;
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
    tacit__map_empty(&store->map);
    for (size_t i = 0; i < kept; i++)
        tacit__map_put(&store->map, store->entries[i].key);
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
    if (store->count < 2 * store->keep)
        return TACIT__RESERVE_ONE(store->entries, store->room, store->count) &&
                       tacit__map_reserve(&store->map, store->count + 1)
                   ? TACIT_OK
                   : tacit__nomem(err);
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
    tacit__map_put(&store->map, fact->key);
    return TACIT_OK;
}
