/*
 * encode.c - keys of combinations of values, for blocks of items at a time.
 *
 * A block is encoded column by column: each adds its part of the key to a
 * buffer that stays in the first cache, so the inner loops are a load from the
 * codes, a load from a small table and an addition, without branches. A column
 * that is not mapped needs no table, only a multiplication, which matters for
 * a person column with as many values as the table has rows.
 */
#include "records/classes/encode.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/classes/grouping.h"

void tacit__feed_clear(tacit__feed *feed)
{
    for (int32_t i = 0; i < feed->columns; i++)
        tacit__free(feed->column[i].owned);
    *feed = (tacit__feed){0};
}

bool tacit__coder_extend(tacit__coder *coder, const tacit__feed *feed, int64_t groups)
{
    int32_t first = coder->columns, end = first;
    uint64_t domain = coder->stages ? (uint64_t)groups : 1;
    while (end < feed->columns &&
           !__builtin_mul_overflow(domain, feed->column[end].domain, &domain)) {
        coder->domain[end] = feed->column[end].domain;
        end++;
    }
    if (end < feed->columns) { /* an overflow has spoiled the product */
        domain = coder->stages ? (uint64_t)groups : 1;
        for (int32_t i = first; i < end; i++)
            domain *= coder->domain[i];
    }
    assert(end > first); /* neither groups nor values of a column reach 2^32 */
    uint64_t stride = 1;
    for (int32_t i = end - 1; i >= first; i--) {
        coder->stride[i] = stride;
        stride *= coder->domain[i];
    }
    coder->stage[coder->stages++] =
        (tacit__stage){.first = first, .stride = stride, .domain = domain};
    coder->columns = end;
    return end < feed->columns;
}

void tacit__coder_clear(tacit__coder *coder)
{
    for (int32_t i = 0; i < coder->stages; i++) {
        tacit__key_index_clear(&coder->stage[i].index);
        tacit__free(coder->stage[i].keys);
    }
    *coder = (tacit__coder){0};
}

uint64_t tacit__coder_decode(const tacit__coder *coder, uint64_t key, int32_t column)
{
    assert(column >= 0 && column < coder->columns);
    int32_t stage = coder->stages - 1;
    for (; column < coder->stage[stage].first; stage--)
        key = coder->stage[stage - 1].keys[key / coder->stage[stage].stride];
    return key / coder->stride[column] % coder->domain[column];
}

static uint64_t *make_terms(const tacit__feed_column *column, uint64_t stride)
{
    uint64_t *terms = tacit__alloc_array(column->entries, sizeof *terms);
    for (uint64_t i = 0; terms && i < column->entries; i++)
        terms[i] = column->map[i] * stride;
    return terms;
}

tacit_status tacit__encoder_init(tacit__encoder *encoder, const tacit__coder *coder,
                                 const tacit__feed *feed, tacit_error *err)
{
    *encoder = (tacit__encoder){.coder = coder, .feed = feed};
    for (int32_t i = 0; i < coder->columns; i++) {
        if (!feed->column[i].map || coder->domain[i] == 1)
            continue;
        encoder->terms[i] = make_terms(&feed->column[i], coder->stride[i]);
        if (!encoder->terms[i]) {
            tacit__encoder_clear(encoder);
            return tacit__nomem(err);
        }
    }
    return TACIT_OK;
}

void tacit__encoder_clear(tacit__encoder *encoder)
{
    for (int32_t i = 0; i < TACIT__MAX_DIGITS; i++)
        tacit__free(encoder->terms[i]);
    *encoder = (tacit__encoder){0};
}

static void add_terms(uint64_t *keys, tacit_codes_view codes, int64_t from, int64_t count,
                      const uint64_t *terms)
{
    const uint8_t *narrow = codes.data;
    const uint16_t *middle = codes.data;
    const uint32_t *wide = codes.data;
    if (codes.width == 1)
        for (int64_t i = 0; i < count; i++)
            keys[i] += terms[narrow[from + i]];
    else if (codes.width == 2)
        for (int64_t i = 0; i < count; i++)
            keys[i] += terms[middle[from + i]];
    else
        for (int64_t i = 0; i < count; i++)
            keys[i] += terms[wide[from + i]];
}

static void add_products(uint64_t *keys, tacit_codes_view codes, int64_t from, int64_t count,
                         uint64_t stride)
{
    const uint8_t *narrow = codes.data;
    const uint16_t *middle = codes.data;
    const uint32_t *wide = codes.data;
    if (codes.width == 1)
        for (int64_t i = 0; i < count; i++)
            keys[i] += narrow[from + i] * stride;
    else if (codes.width == 2)
        for (int64_t i = 0; i < count; i++)
            keys[i] += middle[from + i] * stride;
    else
        for (int64_t i = 0; i < count; i++)
            keys[i] += wide[from + i] * stride;
}

static void add_groups(uint64_t *keys, const tacit__grouping *groups, int32_t column, int64_t from,
                       int64_t count, const uint64_t *terms, uint64_t stride)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t number = tacit__coder_decode(&groups->coder, groups->keys[from + i], column);
        keys[i] += terms ? terms[number] : number * stride;
    }
}

static void add_column(const tacit__encoder *encoder, int32_t column, int64_t from, int64_t count,
                       uint64_t *keys)
{
    const tacit__feed *feed = encoder->feed;
    const uint64_t *terms = encoder->terms[column];
    uint64_t stride = encoder->coder->stride[column];
    if (encoder->coder->domain[column] == 1)
        return;
    if (feed->from)
        add_groups(keys, feed->from, column, from, count, terms, stride);
    else if (terms)
        add_terms(keys, feed->column[column].codes, from, count, terms);
    else
        add_products(keys, feed->column[column].codes, from, count, stride);
}

static void fold(const tacit__stage *done, uint64_t stride, int64_t count, uint64_t *keys)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t number = tacit__key_index_find(&done->index, keys[i]);
        assert(number != TACIT__NO_PLACE);
        keys[i] = number * stride;
    }
}

void tacit__encode(const tacit__encoder *encoder, int64_t from, int64_t count, uint64_t *keys)
{
    const tacit__coder *coder = encoder->coder;
    memset(keys, 0, (size_t)count * sizeof *keys);
    for (int32_t s = 0; s < coder->stages; s++) {
        int32_t end = s + 1 < coder->stages ? coder->stage[s + 1].first : coder->columns;
        if (s > 0)
            fold(&coder->stage[s - 1], coder->stage[s].stride, count, keys);
        for (int32_t column = coder->stage[s].first; column < end; column++)
            add_column(encoder, column, from, count, keys);
    }
}
