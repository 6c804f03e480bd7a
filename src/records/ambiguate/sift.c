/*
 * sift.c - items by what they let through (kinds.h): bitmaps of a few buckets
 * a column. Two bytes an item and column; noting an item touches a word a bucket for each of its
 * blanks and one for each value; a look is some operations on words for every 64 items.
 */
#include "records/ambiguate/kinds.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

enum { BUCKETS = 16 };

static int field_width(const tacit__sift *sift, int32_t column)
{
    return __builtin_popcountll(sift->packed->field[column]);
}

/* Values of four bits have a bucket each; of others some share one. */
static size_t bucket_of(const tacit__sift *sift, int32_t column, uint32_t class_index)
{
    const tacit__packed *packed = sift->packed;
    uint64_t field = packed->field[column];
    if (!field)
        return 0;
    uint64_t code = (tacit__packed_bits(packed, class_index)[packed->word[column]] & field) >>
                    __builtin_ctzll(field);
    return (size_t)(code < BUCKETS ? code : tacit__mix(code)) % BUCKETS;
}

static uint64_t *bits_of(const tacit__sift *sift, int32_t column, size_t bucket)
{
    return sift->bits + ((size_t)column * BUCKETS + bucket) * sift->words;
}

static void order_columns(tacit__sift *sift)
{
    for (int32_t c = 0; c < sift->packed->columns; c++) {
        int32_t at = c;
        for (; at > 0 && field_width(sift, c) > field_width(sift, sift->order[at - 1]); at--)
            sift->order[at] = sift->order[at - 1];
        sift->order[at] = c;
    }
}

tacit_status tacit__sift_init(tacit__sift *sift, const tacit__packed *packed, size_t items,
                              tacit_error *err)
{
    *sift = (tacit__sift){.packed = packed};
    order_columns(sift);
    tacit_status status = tacit__sift_reserve(sift, items, err);
    if (status != TACIT_OK)
        *sift = (tacit__sift){0};
    return status;
}

void tacit__sift_clear(tacit__sift *sift)
{
    tacit__free(sift->bits);
    tacit__free(sift->live);
    *sift = (tacit__sift){0};
}

tacit_status tacit__sift_reserve(tacit__sift *sift, size_t items, tacit_error *err)
{
    size_t rows = (size_t)sift->packed->columns * BUCKETS, words = items / 64 + 1;
    if (words <= sift->words)
        return TACIT_OK;
    words += words / 4;
    words += TACIT__SIFT_WORDS - words % TACIT__SIFT_WORDS;
    uint64_t *bits = tacit__alloc_zeroed(rows, words * sizeof *bits);
    uint64_t *live = tacit__alloc_zeroed(words, sizeof *live);
    if (!bits || !live) {
        tacit__free(bits);
        tacit__free(live);
        return tacit__nomem(err);
    }
    for (size_t i = 0; sift->bits && i < rows; i++)
        memcpy(bits + i * words, sift->bits + i * sift->words, sift->words * sizeof *bits);
    if (sift->live)
        memcpy(live, sift->live, sift->words * sizeof *live);
    tacit__free(sift->bits);
    tacit__free(sift->live);
    sift->bits = bits;
    sift->live = live;
    sift->words = words;
    return TACIT_OK;
}

void tacit__sift_put(tacit__sift *sift, uint32_t item, uint32_t class_index, uint64_t mask)
{
    uint64_t bit = UINT64_C(1) << item % 64;
    for (int32_t c = 0; c < sift->packed->columns; c++) {
        bool blank = mask >> c & 1;
        size_t from = blank ? 0 : bucket_of(sift, c, class_index);
        for (size_t b = from; b < (blank ? BUCKETS : from + 1); b++)
            bits_of(sift, c, b)[item / 64] |= bit;
    }
}

void tacit__sift_live(tacit__sift *sift, uint32_t item, bool live)
{
    uint64_t bit = UINT64_C(1) << item % 64;
    if (live)
        sift->live[item / 64] |= bit;
    else
        sift->live[item / 64] &= ~bit;
}

void tacit__sift_aim_at(tacit__sift_aim *aim, const tacit__sift *sift, uint32_t class_index,
                        uint64_t mask)
{
    aim->count = 0;
    for (int32_t i = 0; i < sift->packed->columns; i++) {
        int32_t c = sift->order[i];
        if (!(mask >> c & 1))
            aim->bits[aim->count++] = bits_of(sift, c, bucket_of(sift, c, class_index));
    }
}

void tacit__sift_look(uint64_t *out, const tacit__sift *sift, const tacit__sift_aim *aim,
                      size_t word)
{
    uint64_t any = 1;
    memcpy(out, sift->live + word, TACIT__SIFT_WORDS * sizeof *out);
    for (int32_t i = 0; any && i < aim->count; i++) {
        const uint64_t *bits = aim->bits[i] + word;
        any = 0;
        for (int w = 0; w < TACIT__SIFT_WORDS; w++)
            any |= out[w] &= bits[w];
    }
}
