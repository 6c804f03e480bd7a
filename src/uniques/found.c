/*
 * found.c - chunks of finds by worker and size; see found.h.
 *
 * While the search runs only full chunks are counted, so the bound falls when
 * there are too many beyond doubt; at its end all are counted. Whichever way it
 * falls, what is left is the largest size up to which everything fits.
 */
#include "uniques/found.h"

#include "base/alloc.h"
#include "base/error.h"

static void free_chunks(tacit__finds **chunks)
{
    while (*chunks) {
        tacit__finds *next = (*chunks)->next;
        tacit__free(*chunks);
        *chunks = next;
    }
}

tacit_status tacit__found_init(tacit__uniques_found *found, int workers, size_t most, int bound,
                               tacit_error *err)
{
    *found = (tacit__uniques_found){.bound = bound, .most = most, .worker_count = workers};
    found->workers = tacit__alloc_zeroed((size_t)workers, sizeof *found->workers);
    return found->workers ? TACIT_OK : tacit__nomem(err);
}

void tacit__found_clear(tacit__uniques_found *found)
{
    if (found->workers)
        tacit__found_drop(found, -1);
    tacit__free(found->workers);
}

void tacit__found_drop(tacit__uniques_found *found, int size)
{
    for (int worker = 0; worker < found->worker_count; worker++)
        for (int s = size + 1; s < TACIT__SET_SIZES; s++)
            free_chunks(&found->workers[worker][s]);
    for (int s = size + 1; s < TACIT__SET_SIZES; s++)
        atomic_store(&found->full[s], 0);
}

size_t tacit__found_count(const tacit__uniques_found *found, int size)
{
    size_t count = 0;
    for (int worker = 0; worker < found->worker_count; worker++)
        for (const tacit__finds *chunk = found->workers[worker][size]; chunk; chunk = chunk->next)
            count += chunk->count;
    return count;
}

void tacit__found_settle(tacit__uniques_found *found)
{
    size_t total = 0;
    int size = 0, bound = atomic_load(&found->bound);
    for (; size <= bound; size++) {
        total += tacit__found_count(found, size);
        if (total > found->most)
            break;
    }
    atomic_store(&found->bound, size - 1);
    tacit__found_drop(found, size - 1);
}

/* Lets the bound fall to the largest size whose full chunks fit. */
static void lower_bound(tacit__uniques_found *found)
{
    int bound = atomic_load(&found->bound), size = 0;
    size_t total = 0;
    for (; size <= bound; size++) {
        total += atomic_load(&found->full[size]);
        if (total > found->most)
            break;
    }
    while (bound > size - 1 && !atomic_compare_exchange_weak(&found->bound, &bound, size - 1))
        continue;
}

bool tacit__found_grow(tacit__uniques_found *found, int worker, int size)
{
    tacit__finds **chunks = found->workers[worker];
    if (chunks[size])
        atomic_fetch_add(&found->full[size], TACIT__FIND_CHUNK);
    lower_bound(found);
    int bound = atomic_load(&found->bound);
    for (int s = bound + 1; s < TACIT__SET_SIZES; s++)
        free_chunks(&chunks[s]);
    if (size > bound)
        return true;
    tacit__finds *chunk = tacit__alloc(sizeof *chunk);
    if (!chunk)
        return false;
    chunk->next = chunks[size];
    chunk->count = 0;
    chunks[size] = chunk;
    return true;
}
