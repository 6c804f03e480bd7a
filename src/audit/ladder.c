/*
 * ladder.c - binding hierarchies to the original, and to the release's words.
 *
 * The hierarchy is taken from the promise's specification, not from whoever
 * made the release. It is then looked at closely: every number lies in its
 * level, and what is one value on a level is one value on all levels above.
 * Labels meet the release's dictionary through its sorted hashes, compared byte
 * by byte. An empty label reads back as missing.
 *
 * Cost: one look-up for each value of each level.
 */
#include "audit/ladder.h"

#include <assert.h>

#include "audit/sort.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

/* The release's values by hash. */
typedef struct dictionary {
    const tacit_table *table;
    int32_t column;
    tacit__sorter sorted; /* hash, code */
    uint32_t missing;     /* its code, or TACIT__NOWHERE */
} dictionary;

static tacit_status dictionary_init(dictionary *d, const tacit_table *table, int32_t column,
                                    tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    *d = (dictionary){.table = table, .column = column, .missing = TACIT__NOWHERE};
    if (tacit_table_has_missing(table, column))
        d->missing = distinct;
    tacit_status status = tacit__sorter_init(&d->sorted, distinct, 64, true, err);
    if (status != TACIT_OK)
        return status;
    for (uint32_t i = 0; i < distinct; i++) {
        tacit_strview value = tacit_table_value(table, column, i);
        d->sorted.keys[i] = tacit__hash_bytes(value.bytes, value.len);
        d->sorted.values[i] = i;
    }
    return tacit__sorter_sort(&d->sorted, NULL, err); /* one of several tasks: alone */
}

static uint32_t look_up(const dictionary *d, tacit_strview label)
{
    if (label.len == 0)
        return d->missing;
    const tacit__sorter *s = &d->sorted;
    uint64_t hash = tacit__hash_bytes(label.bytes, label.len);
    int64_t at = tacit__sorter_place(s, hash);
    for (; at < s->count && s->keys[at] == hash; at++) {
        uint32_t code = (uint32_t)s->values[at];
        if (tacit_strview_equal(tacit_table_value(d->table, d->column, code), label))
            return code;
    }
    return TACIT__NOWHERE;
}

static tacit_status build_level(tacit__ladder *ladder, int level, const dictionary *d,
                                tacit_error *err)
{
    uint32_t count = tacit_hierarchy_count(ladder->hierarchy, level);
    uint32_t *codes = tacit__alloc_array((size_t)count + 1, sizeof *codes);
    ladder->codes[level] = codes;
    if (!codes)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < count; i++)
        codes[i] = look_up(d, tacit_hierarchy_label(ladder->hierarchy, level, i));
    codes[count] = d->missing;
    return TACIT_OK;
}

/* Which value of the next level each value lies under: the same for all ground
 * values below it, or the hierarchy is none. */
static tacit_status link_level(tacit__ladder *ladder, int level, tacit_error *err)
{
    const tacit_hierarchy *h = ladder->hierarchy;
    uint32_t count = tacit_hierarchy_count(h, level), above = tacit_hierarchy_count(h, level + 1);
    uint32_t *parents = tacit__alloc_array((size_t)count + 1, sizeof *parents);
    ladder->parents[level] = parents;
    if (!parents)
        return tacit__nomem(err);
    for (uint32_t i = 0; i <= count; i++)
        parents[i] = TACIT__NOWHERE;
    const uint32_t *from = tacit_hierarchy_map(h, level), *to = tacit_hierarchy_map(h, level + 1);
    for (uint32_t i = 0; i <= ladder->ground; i++) {
        bool known = from[i] <= count && to[i] <= above;
        if (!known || (parents[from[i]] != TACIT__NOWHERE && parents[from[i]] != to[i]))
            return tacit__error(err, TACIT_INVALID,
                                "the hierarchy is not a tree between levels %d and %d", level,
                                level + 1);
        parents[from[i]] = to[i];
    }
    return TACIT_OK;
}

static tacit_status build(tacit__ladder *ladder, const dictionary *d, tacit_error *err)
{
    ladder->height = tacit_hierarchy_height(ladder->hierarchy);
    if (ladder->height < 0 || ladder->height > TACIT_MAX_LEVELS)
        return tacit__error(err, TACIT_INVALID, "a hierarchy of height %d cannot be judged",
                            ladder->height);
    tacit_status status = TACIT_OK;
    for (int level = 0; level <= ladder->height && status == TACIT_OK; level++) {
        status = build_level(ladder, level, d, err);
        if (status == TACIT_OK && level < ladder->height)
            status = link_level(ladder, level, err);
    }
    return status;
}

typedef struct building {
    tacit__judge *judge;
    tacit__ladder *ladders;
} building;

static tacit_status build_ladder(void *context, int64_t attribute, int worker, tacit_error *err)
{
    (void)worker;
    const building *b = context;
    const tacit__judge *judge = b->judge;
    tacit__ladder *ladder = &b->ladders[attribute];
    int32_t column = judge->ground[attribute];
    dictionary d = {0};
    ladder->ground = tacit_table_distinct(judge->original, column);
    tacit_status status =
        tacit_hierarchy_new(&ladder->hierarchy, judge->promise->attributes[attribute].hierarchy,
                            judge->original, column, err);
    if (status == TACIT_OK)
        status = dictionary_init(&d, judge->release, judge->attribute[attribute], err);
    if (status == TACIT_OK)
        status = build(ladder, &d, err);
    tacit__sorter_clear(&d.sorted);
    return status;
}

tacit_status tacit__ladders_new(tacit__ladder **out, tacit__judge *judge, tacit_error *err)
{
    assert(judge->attributes_known);
    int32_t count = judge->promise->attribute_count;
    building b = {.judge = judge, .ladders = tacit__alloc_zeroed((size_t)count, sizeof *b.ladders)};
    if (!b.ladders)
        return tacit__nomem(err);
    tacit_status status = tacit__parallel(judge->run, "judging", count, build_ladder, &b, err);
    if (status == TACIT_OK)
        *out = b.ladders;
    else
        tacit__ladders_free(b.ladders, count);
    return status;
}

void tacit__ladders_free(tacit__ladder *ladders, int32_t count)
{
    for (int32_t i = 0; ladders && i < count; i++) {
        for (int level = 0; level <= TACIT_MAX_LEVELS; level++) {
            tacit__free(ladders[i].codes[level]);
            tacit__free(ladders[i].parents[level]);
        }
        tacit_hierarchy_free(ladders[i].hierarchy);
    }
    tacit__free(ladders);
}
