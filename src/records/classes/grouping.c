/*
 * grouping.c - putting items together, stage by stage of the coder.
 *
 * Usually there is one stage and one counting. Where keys do not fit in 64
 * bits, each stage but the last is counted only to number the combinations
 * that occur.
 */
#include "records/classes/grouping.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/classes/count.h"

static void encode_items(const void *context, int64_t from, int64_t count, uint64_t *keys)
{
    tacit__encode(context, from, count, keys);
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
                          .keys = encode_items,
                          .context = &encoder,
                          .weights = feed->from ? feed->from->rows : NULL,
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
    tacit_status status = TACIT_OK;
    int64_t groups = 0;
    while (status == TACIT_OK && tacit__coder_extend(&g.coder, feed, groups))
        status = close_stage(&g.coder, &groups, feed, run, err);
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
