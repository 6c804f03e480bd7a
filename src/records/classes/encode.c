/*
 * encode.c - items put together where their numbers agree, by keys that stand for combinations.
 *
 * What a grouping is made from, its feed, is rows of the table on given levels, or groups made
 * before, raised to higher levels or seen through fewer columns.
 *
 * A block of items is encoded column by column: each adds its part of the key to a buffer that
 * stays in the first cache, so the inner loops are a load from the codes, a load from a small
 * table and an addition, without branches. A column that is not mapped needs no table, only a
 * multiplication, which matters for a person column with as many values as the table has rows.
 *
 * Items are put together stage by stage of the coder. Usually there is one stage and one counting.
 * Where keys do not fit in 64 bits, each stage but the last is counted only to number the
 * combinations that occur. Making the look-up from a key to its place is linear in the number of
 * keys; it takes eight to sixteen bytes a key.
 */
#include "records/classes/classes.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

void tacit__key_slots_fill(uint32_t *slots, uint64_t size, const uint64_t *keys, int64_t count)
{
    memset(slots, 0xff, size * sizeof *slots);
    for (int64_t i = 0; i < count; i++) {
        uint64_t slot = tacit__mix(keys[i]) & (size - 1);
        while (slots[slot] != TACIT__NO_PLACE)
            slot = (slot + 1) & (size - 1);
        slots[slot] = (uint32_t)i;
    }
}

tacit_status tacit__key_index_build(tacit__key_index *index, const uint64_t *keys, int64_t count,
                                    tacit_error *err)
{
    uint64_t size = 8;
    while (size < 2 * (uint64_t)count)
        size *= 2;
    uint32_t *slots = tacit__alloc_array(size, sizeof *slots);
    if (!slots)
        return tacit__nomem(err);
    tacit__key_slots_fill(slots, size, keys, count);
    *index = (tacit__key_index){.slots = slots, .mask = size - 1, .keys = keys};
    return TACIT_OK;
}

void tacit__key_index_clear(tacit__key_index *index)
{
    tacit__free(index->slots);
    *index = (tacit__key_index){0};
}

void tacit__feed_clear(tacit__feed *feed)
{
    for (int32_t i = 0; i < feed->columns; i++)
        tacit__free(feed->column[i].owned);
    tacit__free(feed->column);
    *feed = (tacit__feed){0};
}

/* Lays out the next stage of a coder for as many columns as it holds. groups is
 * the number of distinct keys of the stage before. *more: columns are left over. */
static tacit_status coder_extend(bool *more, tacit__coder *coder, const tacit__feed *feed,
                                 int64_t groups, tacit_error *err)
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
    tacit__stage stage = {.first = first, .stride = stride, .domain = domain};
    if (!TACIT__PUSH(coder->stage, coder->stage_capacity, coder->stages, stage))
        return tacit__nomem(err);
    coder->columns = end;
    *more = end < feed->columns;
    return TACIT_OK;
}

tacit_status tacit__coder_init(tacit__coder *coder, int32_t columns, tacit_error *err)
{
    *coder = (tacit__coder){.domain = tacit__alloc_array(2 * (size_t)columns, sizeof(uint64_t))};
    if (!coder->domain)
        return tacit__nomem(err);
    coder->stride = coder->domain + columns;
    return TACIT_OK;
}

void tacit__coder_clear(tacit__coder *coder)
{
    for (int32_t i = 0; i < coder->stages; i++) {
        tacit__key_index_clear(&coder->stage[i].index);
        tacit__free(coder->stage[i].keys);
    }
    tacit__free(coder->stage);
    tacit__free(coder->domain);
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

void tacit__coder_decode_all(uint32_t *numbers, const tacit__coder *coder, uint64_t key)
{
    int32_t end = coder->columns;
    for (int32_t s = coder->stages - 1; s >= 0; s--) {
        const tacit__stage *stage = &coder->stage[s];
        for (int32_t i = stage->first; i < end; i++)
            numbers[i] = (uint32_t)(key / coder->stride[i] % coder->domain[i]);
        end = stage->first;
        if (s > 0)
            key = coder->stage[s - 1].keys[key / stage->stride];
    }
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
    *encoder = (tacit__encoder){
        .coder = coder,
        .feed = feed,
        .terms = tacit__alloc_zeroed((size_t)coder->columns, sizeof *encoder->terms)};
    if (!encoder->terms)
        return tacit__nomem(err);
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
    for (int32_t i = 0; encoder->terms && i < encoder->coder->columns; i++)
        tacit__free(encoder->terms[i]);
    tacit__free(encoder->terms);
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

/* The key of one group whose own key has several stages: taken apart once for all columns, since
 * a column at a time would go through the stages each time. */
static uint64_t encode_group(const tacit__encoder *encoder, int64_t group)
{
    const tacit__coder *coder = encoder->coder;
    const tacit__grouping *from = encoder->feed->from;
    uint32_t numbers[TACIT__MAX_DIGITS];
    uint64_t key = 0;
    tacit__coder_decode_all(numbers, &from->coder, from->keys[group]);
    for (int32_t s = 0; s < coder->stages; s++) {
        int32_t end = s + 1 < coder->stages ? coder->stage[s + 1].first : coder->columns;
        if (s > 0)
            fold(&coder->stage[s - 1], coder->stage[s].stride, 1, &key);
        for (int32_t i = coder->stage[s].first; i < end; i++)
            if (coder->domain[i] > 1)
                key += encoder->terms[i] ? encoder->terms[i][numbers[i]]
                                         : numbers[i] * coder->stride[i];
    }
    return key;
}

void tacit__encode(const void *context, int64_t from, int64_t count, uint64_t *keys)
{
    const tacit__encoder *encoder = context;
    const tacit__coder *coder = encoder->coder;
    if (encoder->feed->from && encoder->feed->from->coder.stages > 1) {
        for (int64_t i = 0; i < count; i++)
            keys[i] = encode_group(encoder, from + i);
        return;
    }
    memset(keys, 0, (size_t)count * sizeof *keys);
    for (int32_t s = 0; s < coder->stages; s++) {
        int32_t end = s + 1 < coder->stages ? coder->stage[s + 1].first : coder->columns;
        if (s > 0)
            fold(&coder->stage[s - 1], coder->stage[s].stride, count, keys);
        for (int32_t column = coder->stage[s].first; column < end; column++)
            add_column(encoder, column, from, count, keys);
    }
}

/* Codes of a column; missing is one past the last value. */
static uint64_t code_count(const tacit_table *table, int32_t column)
{
    return (uint64_t)tacit_table_distinct(table, column) + 1;
}

uint32_t tacit__distinct_on(const tacit_frame *frame, int32_t attribute, int level)
{
    const tacit_attribute *a = &frame->attributes[attribute];
    uint32_t count = tacit_hierarchy_count(a->hierarchy, level);
    uint32_t missing = tacit_table_distinct(frame->table, a->column);
    if (tacit_table_has_missing(frame->table, a->column) &&
        tacit_hierarchy_map(a->hierarchy, level)[missing] >= count)
        count++;
    return count > 0 ? count : 1; /* an empty column, too, takes up a place */
}

/* Whether a value's number on that level is its code, missing included. */
static bool is_identity(const tacit_frame *frame, const tacit_attribute *a, int level)
{
    uint32_t missing = tacit_table_distinct(frame->table, a->column);
    return level == 0 && (!tacit_table_has_missing(frame->table, a->column) ||
                          tacit_hierarchy_map(a->hierarchy, 0)[missing] == missing);
}

static tacit_status feed_init(tacit__feed *feed, int64_t count, int32_t columns, tacit_error *err)
{
    *feed = (tacit__feed){.count = count, .columns = columns};
    feed->column = tacit__alloc_zeroed((size_t)columns, sizeof *feed->column);
    if (feed->column)
        return TACIT_OK;
    *feed = (tacit__feed){0};
    return tacit__nomem(err);
}

tacit_status tacit__feed_rows(tacit__feed *feed, const tacit_frame *frame, const int *levels,
                              bool person, tacit_error *err)
{
    tacit_status status = feed_init(feed, tacit_table_rows(frame->table),
                                    frame->attribute_count + (person ? 1 : 0), err);
    if (status != TACIT_OK)
        return status;
    feed->repeats = frame->repeats;
    for (int32_t i = 0; i < frame->attribute_count; i++) {
        const tacit_attribute *a = &frame->attributes[i];
        feed->column[i] = (tacit__feed_column){
            .codes = tacit_table_codes(frame->table, a->column),
            .map = is_identity(frame, a, levels[i]) ? NULL
                                                    : tacit_hierarchy_map(a->hierarchy, levels[i]),
            .entries = code_count(frame->table, a->column),
            .domain = tacit__distinct_on(frame, i, levels[i])};
    }
    if (person)
        feed->column[frame->attribute_count] =
            (tacit__feed_column){.codes = tacit_table_codes(frame->table, frame->person),
                                 .entries = code_count(frame->table, frame->person),
                                 .domain = code_count(frame->table, frame->person)};
    return TACIT_OK;
}

/* Numbers of level `from` -> numbers of level `to`, by way of the values that
 * have them. */
static tacit_status make_map(tacit__feed_column *column, const tacit_frame *frame,
                             int32_t attribute, int from, int to, tacit_error *err)
{
    const tacit_attribute *a = &frame->attributes[attribute];
    const uint32_t *low = tacit_hierarchy_map(a->hierarchy, from);
    const uint32_t *high = tacit_hierarchy_map(a->hierarchy, to);
    uint64_t codes = code_count(frame->table, a->column);
    if (!tacit_table_has_missing(frame->table, a->column))
        codes--;
    column->owned = tacit__alloc_zeroed(column->entries, sizeof *column->owned);
    if (!column->owned)
        return tacit__nomem(err);
    for (uint64_t code = 0; code < codes; code++)
        column->owned[low[code]] = high[code];
    column->map = column->owned;
    return TACIT_OK;
}

tacit_status tacit__feed_raised(tacit__feed *feed, const tacit__grouping *grouping,
                                const tacit_frame *frame, const int *from, const int *to,
                                tacit_error *err)
{
    tacit_status status =
        tacit__feed_projected(feed, grouping, NULL, frame->attribute_count, true, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < frame->attribute_count; i++) {
        assert(from[i] <= to[i]);
        if (from[i] == to[i])
            continue;
        status = make_map(&feed->column[i], frame, i, from[i], to[i], err);
        if (status != TACIT_OK) {
            tacit__feed_clear(feed);
            return status;
        }
        feed->column[i].domain = tacit__distinct_on(frame, i, to[i]);
    }
    return TACIT_OK;
}

tacit_status tacit__feed_projected(tacit__feed *feed, const tacit__grouping *grouping,
                                   const uint64_t *columns, int32_t attributes, bool last,
                                   tacit_error *err)
{
    tacit_status status =
        feed_init(feed, grouping->count, last ? grouping->coder.columns : attributes, err);
    if (status != TACIT_OK)
        return status;
    feed->from = grouping;
    for (int32_t i = 0; i < feed->columns; i++) {
        bool counts = i >= attributes || tacit__in_set(columns, i);
        feed->column[i] = (tacit__feed_column){.entries = grouping->coder.domain[i],
                                               .domain = counts ? grouping->coder.domain[i] : 1};
    }
    return TACIT_OK;
}

/* Counts the keys of the coder's last stage. */
static tacit_status count_stage(tacit__counts *out, const tacit__coder *coder,
                                const tacit__feed *feed, bool members, const tacit_run *run,
                                tacit_error *err)
{
    tacit__encoder encoder;
    tacit_status status = tacit__encoder_init(&encoder, coder, feed, err);
    if (status != TACIT_OK)
        return status;
    tacit__items items = {.count = feed->count,
                          .domain = coder->stage[coder->stages - 1].domain,
                          .keys = tacit__encode,
                          .context = &encoder,
                          .weights = feed->from ? feed->from->rows : feed->repeats,
                          .tally = members};
    status = tacit__count(out, &items, run, err);
    tacit__encoder_clear(&encoder);
    return status;
}

/* Numbers the combinations of the stages so far, so that another can follow. */
static tacit_status close_stage(tacit__coder *coder, int64_t *groups, const tacit__feed *feed,
                                const tacit_run *run, tacit_error *err)
{
    tacit__counts counts = {0};
    tacit__stage *stage = &coder->stage[coder->stages - 1];
    tacit_status status = count_stage(&counts, coder, feed, false, run, err);
    if (status == TACIT_OK)
        status = tacit__key_index_build(&stage->index, counts.keys, counts.count, err);
    if (status == TACIT_OK) {
        *groups = counts.count;
        stage->keys = counts.keys;
        counts.keys = NULL;
    }
    tacit__counts_clear(&counts);
    return status;
}

tacit_status tacit__grouping_init(tacit__grouping *grouping, const tacit__feed *feed, bool members,
                                  const tacit_run *run, tacit_error *err)
{
    tacit__grouping g = {0};
    tacit__counts counts = {0};
    tacit_status status = tacit__coder_init(&g.coder, feed->columns, err);
    int64_t groups = 0;
    for (bool more = true; status == TACIT_OK && more;) {
        status = coder_extend(&more, &g.coder, feed, groups, err);
        if (status == TACIT_OK && more)
            status = close_stage(&g.coder, &groups, feed, run, err);
    }
    if (status == TACIT_OK)
        status = count_stage(&counts, &g.coder, feed, members, run, err);
    if (status != TACIT_OK) {
        tacit__grouping_clear(&g);
        return status;
    }
    g.count = counts.count;
    g.keys = counts.keys;
    g.rows = counts.sums;
    g.members = counts.tallies;
    *grouping = g;
    return TACIT_OK;
}

void tacit__grouping_clear(tacit__grouping *grouping)
{
    tacit__coder_clear(&grouping->coder);
    tacit__free(grouping->keys);
    tacit__free(grouping->rows);
    tacit__free(grouping->members);
    *grouping = (tacit__grouping){0};
}

typedef struct assignment {
    const tacit__encoder *encoder;
    const tacit__key_index *index;
    uint32_t *group_of;
} assignment;

static tacit_status assign_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    const assignment *a = context;
    int64_t items = a->encoder->feed->count, size = tacit__task_items(items);
    int64_t from = task * size, end = from + size < items ? from + size : items;
    uint64_t keys[TACIT__ENCODE_BLOCK];
    for (; from < end; from += TACIT__ENCODE_BLOCK) {
        int64_t count = end - from < TACIT__ENCODE_BLOCK ? end - from : TACIT__ENCODE_BLOCK;
        tacit__encode(a->encoder, from, count, keys);
        for (int64_t i = 0; i < count; i++)
            a->group_of[from + i] = tacit__key_index_find(a->index, keys[i]);
    }
    return TACIT_OK;
}

tacit_status tacit__grouping_assign(const tacit__grouping *grouping, const tacit__feed *feed,
                                    uint32_t *group_of, const tacit_run *run, tacit_error *err)
{
    tacit__encoder encoder = {0};
    tacit__key_index index = {0};
    assignment a = {.encoder = &encoder, .index = &index, .group_of = group_of};
    tacit_status status = tacit__encoder_init(&encoder, &grouping->coder, feed, err);
    if (status == TACIT_OK)
        status = tacit__key_index_build(&index, grouping->keys, grouping->count, err);
    if (status == TACIT_OK)
        status = tacit__parallel(run, NULL, tacit__tasks(feed->count), assign_task, &a, err);
    tacit__key_index_clear(&index);
    tacit__encoder_clear(&encoder);
    return status;
}
