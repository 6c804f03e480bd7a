/*
 * ladder.c - binding hierarchies to the original, and to the release's words.
 *
 * The hierarchy is taken from the promise's specification, not from whoever
 * made the release. It is then looked at closely: every number lies in its
 * level, and what is one value on a level is one value on all levels above.
 * Labels meet the release's dictionary by what they say (rows.c); an empty
 * label reads back as missing.
 *
 * Cost: one look-up for each value of each level.
 */
#include "audit/rows/rows.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

static tacit_status build_level(tacit__ladder *ladder, int level, const tacit__words *d,
                                tacit_error *err)
{
    uint32_t count = tacit_hierarchy_count(ladder->hierarchy, level);
    uint32_t *codes = tacit__alloc_array((size_t)count + 1, sizeof *codes);
    ladder->codes[level] = codes;
    if (!codes)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < count; i++)
        codes[i] = tacit__words_find(d, tacit_hierarchy_label(ladder->hierarchy, level, i));
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

static tacit_status build(tacit__ladder *ladder, const tacit__words *d, tacit_error *err)
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

tacit_status tacit__ladder_init(tacit__ladder *ladder, const tacit_hierarchy_spec *spec,
                                tacit__rows_place ground, tacit__rows_place released,
                                tacit_error *err)
{
    tacit__words d = {0};
    ladder->ground = tacit_table_distinct(ground.table, ground.column);
    tacit_status status =
        tacit_hierarchy_new(&ladder->hierarchy, spec, ground.table, ground.column, err);
    if (status == TACIT_OK)
        status = tacit__words_init(&d, released.table, released.column, err);
    if (status == TACIT_OK)
        status = build(ladder, &d, err);
    tacit__words_clear(&d);
    return status;
}

void tacit__ladder_clear(tacit__ladder *ladder)
{
    for (int level = 0; level <= TACIT_MAX_LEVELS; level++) {
        tacit__free(ladder->codes[level]);
        tacit__free(ladder->parents[level]);
    }
    tacit_hierarchy_free(ladder->hierarchy);
    *ladder = (tacit__ladder){0};
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
    return tacit__ladder_init(
        &b->ladders[attribute], judge->promise->attributes[attribute].hierarchy,
        (tacit__rows_place){judge->original, judge->ground[attribute]},
        (tacit__rows_place){judge->release, judge->attribute[attribute]}, err);
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
    for (int32_t i = 0; ladders && i < count; i++)
        tacit__ladder_clear(&ladders[i]);
    tacit__free(ladders);
}

static bool listed(const tacit__images *images, size_t start, size_t end, uint32_t code)
{
    for (size_t i = start; i < end; i++)
        if (images->list[i] == code)
            return true;
    return false;
}

bool tacit__images_have(const tacit__images *images, uint32_t value, uint32_t code)
{
    return listed(images, images->start[value], images->start[value + 1], code);
}

tacit_status tacit__images_init(tacit__images *images, const tacit__ladder *ladder, uint32_t also,
                                tacit_error *err)
{
    size_t values = (size_t)ladder->ground + 1, count = 0;
    images->first = tacit__alloc_array(values, sizeof *images->first);
    images->start = tacit__alloc_array(values + 1, sizeof *images->start);
    if (!images->first || !images->start)
        return tacit__nomem(err);
    for (uint32_t value = 0; value < values; value++) {
        size_t start = images->start[value] = count;
        if (!TACIT__RESERVE(images->list, images->capacity, count + (size_t)ladder->height + 2))
            return tacit__nomem(err);
        for (int level = 0; level <= ladder->height + 1; level++) {
            uint32_t code = level > ladder->height ? also : tacit__image(ladder, level, value);
            if (code != TACIT__NOWHERE && !listed(images, start, count, code))
                images->list[count++] = code;
        }
        images->first[value] = count > start ? images->list[start] : TACIT__NOWHERE;
    }
    images->start[values] = count;
    return TACIT_OK;
}

void tacit__images_clear(tacit__images *images)
{
    tacit__free(images->first);
    tacit__free(images->start);
    tacit__free(images->list);
    *images = (tacit__images){0};
}
