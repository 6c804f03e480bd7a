/*
 * shuffle.c - a random order that no position gives away: released rows must
 * not be matched by where they stand (the unsorted matching attack, section
 * 5.5.1 of Sweeney, Computational Disclosure Control).
 *
 * Every row draws a bucket, rows go to their buckets in order, and each bucket
 * is shuffled by itself (Fisher and Yates). Each order of the rows is equally
 * likely: within a bucket by the second step, and across buckets because rows
 * draw independently of each other. A bucket fits the second cache, so there
 * is no random access to memory, and blocks of rows as well as buckets have
 * random streams of their own, so the order depends on the seed only.
 *
 * Linear; four bytes a row for the result and a histogram a block.
 */
#include "records/apply/apply.h"

#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "records/classes/classes.h"

enum { BUCKET_ROWS = 1 << 15, MAX_BITS = 12, DRAWS = 1024 };

typedef struct shuffle {
    const tacit_run *run;
    int64_t rows;
    const uint64_t *left_out;
    int bits;        /* of a bucket's number */
    int64_t *starts; /* of buckets, and the end */
    uint32_t *next;  /* a block's buckets each: rows in it, then where the next goes */
    uint32_t *order;
} shuffle;

/* The rows of a block, some at a time, each with the bucket it draws. */
typedef struct draws {
    tacit__random random;
    int64_t from; /* the first of the rows at hand */
    int64_t count;
    int64_t end; /* of the block */
    uint16_t buckets[DRAWS];
} draws;

static void draws_init(draws *d, const shuffle *s, int64_t block)
{
    int64_t size = tacit__task_items(s->rows);
    d->from = block * size;
    d->count = 0;
    d->end = d->from + size < s->rows ? d->from + size : s->rows;
    tacit__random_init(&d->random, s->run, "shuf", (uint32_t)block);
}

/* Goes on to the next rows; false at the end of the block. A random word serves
 * two rows. */
static bool draw_more(draws *d, const shuffle *s)
{
    int shift = 16 - s->bits;
    d->from += d->count;
    d->count = d->end - d->from < DRAWS ? d->end - d->from : DRAWS;
    for (int64_t i = 0; i < d->count; i += 2) {
        uint32_t word = tacit__random_word(&d->random);
        d->buckets[i] = (uint16_t)((word & 0xffff) >> shift);
        d->buckets[i + 1] = (uint16_t)((word >> 16) >> shift);
    }
    return d->count > 0;
}

static bool is_kept(const shuffle *s, int64_t row)
{
    return !s->left_out || !tacit__bit_get(s->left_out, row);
}

static tacit_status histogram_task(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    shuffle *s = context;
    uint32_t *counts = s->next + (block << s->bits);
    draws d;
    draws_init(&d, s, block);
    while (draw_more(&d, s))
        for (int64_t i = 0; i < d.count; i++)
            counts[d.buckets[i]] += is_kept(s, d.from + i);
    return TACIT_OK;
}

static tacit_status scatter_task(void *context, int64_t block, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    shuffle *s = context;
    uint32_t *next = s->next + (block << s->bits), *order = s->order;
    draws d;
    draws_init(&d, s, block);
    while (draw_more(&d, s))
        for (int64_t i = 0; i < d.count; i++)
            if (is_kept(s, d.from + i))
                order[next[d.buckets[i]]++] = (uint32_t)(d.from + i);
    return TACIT_OK;
}

static tacit_status bucket_task(void *context, int64_t bucket, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    shuffle *s = context;
    uint32_t *rows = s->order + s->starts[bucket];
    tacit__random random;
    tacit__random_init(&random, s->run, "fish", (uint32_t)bucket);
    for (int64_t left = s->starts[bucket + 1] - s->starts[bucket]; left > 1; left--) {
        uint32_t other = tacit__random_below(&random, (uint32_t)left), last = rows[left - 1];
        rows[left - 1] = rows[other];
        rows[other] = last;
    }
    return TACIT_OK;
}

/* Turns the histograms of blocks into the places where their rows go. */
static void lay_out(shuffle *s, int64_t blocks)
{
    int64_t at = 0, buckets = (int64_t)1 << s->bits;
    for (int64_t k = 0; k < buckets; k++) {
        s->starts[k] = at;
        for (int64_t b = 0; b < blocks; b++) {
            uint32_t count = s->next[(b << s->bits) + k];
            s->next[(b << s->bits) + k] = (uint32_t)at;
            at += count;
        }
    }
    s->starts[buckets] = at;
}

tacit_status tacit__shuffle(uint32_t **out, int64_t rows, const uint64_t *left_out, int64_t kept,
                            const tacit_run *run, tacit_error *err)
{
    shuffle s = {.run = run, .rows = rows, .left_out = left_out};
    int64_t blocks = tacit__tasks(rows);
    while (s.bits < MAX_BITS && rows >> s.bits > BUCKET_ROWS)
        s.bits++;
    size_t buckets = (size_t)1 << s.bits;
    s.starts = tacit__alloc_array(buckets + 1, sizeof *s.starts);
    s.next = tacit__alloc_zeroed((size_t)blocks * buckets, sizeof *s.next);
    s.order = tacit__alloc_array((size_t)kept, sizeof *s.order);
    tacit_status status = s.starts && s.next && s.order ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__parallel(run, "shuffling", blocks, histogram_task, &s, err);
    if (status == TACIT_OK) {
        lay_out(&s, blocks);
        status = tacit__parallel(run, "shuffling", blocks, scatter_task, &s, err);
    }
    if (status == TACIT_OK)
        status = tacit__parallel(run, "shuffling", (int64_t)buckets, bucket_task, &s, err);
    tacit__free(s.starts);
    tacit__free(s.next);
    if (status == TACIT_OK)
        *out = s.order;
    else
        tacit__free(s.order);
    return status;
}
