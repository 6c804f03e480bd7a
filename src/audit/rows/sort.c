/*
 * sort.c - parallel radix sort, least significant digit first.
 *
 * Each pass cuts the keys into blocks, counts every block's digits, turns the
 * counts into places (digit first, block second, so that the order of equal
 * digits is kept) and moves every block's keys to its places. Blocks follow
 * from the number of keys alone, so the result does not depend on threads.
 *
 * Cost: bits / 11 passes of two sequential reads and one scattered write; 8 bytes
 * a key of up to 32 bits, else 16, and 16 more with values. A pass whose digit is the same
 * everywhere moves nothing.
 */
#include "audit/rows/sort.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum {
    DIGIT_BITS = 11,
    DIGITS = 1 << DIGIT_BITS,
    MIN_BLOCK = 1 << 17,
    MAX_BLOCKS = 256,
    NARROW_BITS = 32
};

typedef struct pass {
    tacit__sorter *sorter;
    int64_t block; /* keys in a block */
    int shift;
    uint64_t mask;
    int64_t *places; /* DIGITS entries a block: counts, then where the next key goes */
} pass;

static int64_t block_end(const pass *p, int64_t block)
{
    int64_t end = (block + 1) * p->block;
    return end < p->sorter->count ? end : p->sorter->count;
}

static tacit_status count_digits(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const pass *p = context;
    int64_t *counts = p->places + block * DIGITS;
    memset(counts, 0, DIGITS * sizeof *counts);
    for (int64_t i = block * p->block, end = block_end(p, block); i < end; i++)
        counts[tacit__sorter_key(p->sorter, i) >> p->shift & p->mask]++;
    return TACIT_OK;
}

/* Counts become places; false when every key has the same digit. */
static bool place_digits(const pass *p, int64_t blocks)
{
    int64_t at = 0;
    for (int64_t digit = 0; digit < DIGITS; digit++) {
        int64_t start = at;
        for (int64_t block = 0; block < blocks; block++) {
            int64_t *place = &p->places[block * DIGITS + digit];
            int64_t count = *place;
            *place = at;
            at += count;
        }
        if (start == 0 && at == p->sorter->count)
            return false;
    }
    return true;
}

static tacit_status move_keys(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const pass *p = context;
    const tacit__sorter *s = p->sorter;
    int64_t *places = p->places + block * DIGITS;
    for (int64_t i = block * p->block, end = block_end(p, block); i < end; i++) {
        uint64_t key = tacit__sorter_key(s, i);
        int64_t to = places[key >> p->shift & p->mask]++;
        if (s->narrow)
            ((uint32_t *)s->spare_keys)[to] = (uint32_t)key;
        else
            ((uint64_t *)s->spare_keys)[to] = key;
        if (s->values)
            s->spare_values[to] = s->values[i];
    }
    return TACIT_OK;
}

static void swap_spare(tacit__sorter *sorter)
{
    void *keys = sorter->narrow ? (void *)sorter->narrow : (void *)sorter->keys;
    uint64_t *values = sorter->values;
    if (sorter->narrow)
        sorter->narrow = sorter->spare_keys;
    else
        sorter->keys = sorter->spare_keys;
    sorter->values = sorter->spare_values;
    sorter->spare_keys = keys;
    sorter->spare_values = values;
}

tacit_status tacit__sorter_init(tacit__sorter *sorter, int64_t count, int bits, bool with_values,
                                tacit_error *err)
{
    assert(count >= 0 && bits >= 0 && bits <= 64);
    tacit__sorter made = {.count = count, .bits = bits};
    size_t n = (size_t)count;
    if (bits <= NARROW_BITS)
        made.narrow = tacit__alloc_array(n, sizeof *made.narrow);
    else
        made.keys = tacit__alloc_array(n, sizeof *made.keys);
    made.spare_keys = tacit__alloc_array(n, made.narrow ? sizeof *made.narrow : sizeof *made.keys);
    if (with_values) {
        made.values = tacit__alloc_array(n, sizeof *made.values);
        made.spare_values = tacit__alloc_array(n, sizeof *made.values);
    }
    if (!(made.narrow || made.keys) || !made.spare_keys ||
        (with_values && (!made.values || !made.spare_values))) {
        tacit__sorter_clear(&made);
        return tacit__nomem(err);
    }
    *sorter = made;
    return TACIT_OK;
}

tacit_status tacit__sorter_sort(tacit__sorter *sorter, const tacit_run *run, tacit_error *err)
{
    assert(sorter->spare_keys);
    int bits = sorter->bits;
    if (bits == 0 || sorter->count < 2)
        return TACIT_OK;
    int passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
    int width = (bits + passes - 1) / passes; /* even digits, so that no pass is wasted */
    pass p = {.sorter = sorter, .mask = (UINT64_C(1) << width) - 1};
    p.block = (sorter->count + MAX_BLOCKS - 1) / MAX_BLOCKS;
    if (p.block < MIN_BLOCK)
        p.block = MIN_BLOCK;
    int64_t blocks = (sorter->count + p.block - 1) / p.block;
    p.places = tacit__alloc_array((size_t)blocks, DIGITS * sizeof *p.places);
    if (!p.places)
        return tacit__nomem(err);
    tacit_status status = TACIT_OK;
    for (p.shift = 0; p.shift < bits && status == TACIT_OK; p.shift += width) {
        status = tacit__parallel(run, "judging", blocks, count_digits, &p, err);
        if (status != TACIT_OK || !place_digits(&p, blocks))
            continue;
        status = tacit__parallel(run, "judging", blocks, move_keys, &p, err);
        swap_spare(sorter);
    }
    tacit__free(p.places);
    return status;
}

void tacit__sorter_trim(tacit__sorter *sorter)
{
    tacit__free(sorter->spare_keys);
    tacit__free(sorter->spare_values);
    sorter->spare_keys = NULL;
    sorter->spare_values = NULL;
}

void tacit__sorter_clear(tacit__sorter *sorter)
{
    tacit__sorter_trim(sorter);
    tacit__free(sorter->keys);
    tacit__free(sorter->narrow);
    tacit__free(sorter->values);
    *sorter = (tacit__sorter){0};
}

int64_t tacit__sorter_distinct(const tacit__sorter *sorter)
{
    int64_t distinct = sorter->count > 0;
    for (int64_t i = 1; i < sorter->count; i++)
        distinct += tacit__sorter_key(sorter, i) != tacit__sorter_key(sorter, i - 1);
    return distinct;
}

int64_t tacit__sorter_place(const tacit__sorter *sorter, uint64_t key)
{
    int64_t from = 0, count = sorter->count;
    while (count > 0) {
        int64_t half = count / 2;
        if (tacit__sorter_key(sorter, from + half) < key) {
            from += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return from;
}
