/*
 * beyond.c - promises beyond k at a node of the lattice.
 *
 * Models are asked of the classes on all attributes together. Groups of one
 * quasi-identifier among several are made of such classes, and what these keep, they
 * keep when they are joined. A class that breaks a model is suppressed whole. The
 * suppressed rows are a class as well: while they break a model, or are fewer than k
 * people, the smallest (or largest) class that is left follows, whole, too. All rows
 * together are the last resort.
 *
 * Sensitive values are counted once, for the classes of the lowest node; a node costs
 * one look-up for each of these, and what the models make of their values.
 */
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "records/classes/classes.h"
#include "records/mingen/mingen.h"

tacit_status tacit__beyond_init(tacit__beyond *beyond, const tacit__mingen *g, tacit_error *err)
{
    int levels[TACIT_MAX_ATTRIBUTES];
    if (g->frame->model_count == 0)
        return TACIT_OK;
    beyond->like_k = true;
    for (int32_t i = 0; i < g->frame->model_count; i++)
        beyond->like_k &= g->frame->models[i].bound.kind == TACIT_MODEL_DISTINCT ||
                          g->frame->models[i].bound.kind == TACIT_MODEL_MAP;
    for (int32_t a = 0; a < g->frame->attribute_count; a++)
        levels[a] = g->low[a];
    tacit_status status = tacit_classes_new(&beyond->base, g->frame, levels, g->run, err);
    if (status == TACIT_OK)
        status = tacit__models_new(&beyond->models, g->frame, beyond->base, g->run, err);
    return status;
}

void tacit__beyond_clear(tacit__beyond *beyond)
{
    tacit__models_free(beyond->models);
    tacit_classes_free(beyond->base);
    *beyond = (tacit__beyond){0};
}

/* Base class -> class of the node. The caller frees it. */
static tacit_status find_classes(uint32_t **out, const tacit__mingen *g,
                                 const tacit_classes *classes, const tacit_run *run,
                                 tacit_error *err)
{
    const tacit_classes *base = g->beyond.base;
    tacit__feed feed;
    uint32_t *class_of = tacit__alloc_array((size_t)base->groups.count, sizeof *class_of);
    tacit_status status = class_of ? tacit__feed_raised(&feed, &base->groups, g->frame,
                                                        base->levels, classes->levels, err)
                                   : tacit__nomem(err);
    if (status == TACIT_OK) {
        status = tacit__grouping_assign(&classes->groups, &feed, class_of, run, err);
        tacit__feed_clear(&feed);
    }
    if (status == TACIT_OK)
        *out = class_of;
    else
        tacit__free(class_of);
    return status;
}

static tacit_status cut_failing(tacit__cut *cut, const tacit__mingen *g, const uint32_t *class_of,
                                const tacit_run *run, tacit_error *err)
{
    int64_t classes = cut->classes->groups.count;
    uint64_t *fails = tacit__alloc_zeroed(tacit__bitset_words(classes), sizeof *fails);
    if (!fails)
        return tacit__nomem(err);
    tacit_status status = tacit__models_failing(fails, g->beyond.models, class_of, classes,
                                                cut->classes->levels, run, err);
    for (int64_t c = 0; status == TACIT_OK && c < classes; c++)
        if (tacit__bit_get(fails, c) && !tacit__bit_get(cut->gone, c))
            tacit__cut_take(cut, c);
    tacit__free(fails);
    return status;
}

tacit_status tacit__beyond_cut(tacit__cut *cut, const tacit__mingen *g, const tacit_run *run,
                               tacit_error *err)
{
    uint32_t *class_of = NULL;
    if (!g->beyond.models)
        return TACIT_OK;
    tacit_status status = find_classes(&class_of, g, cut->classes, run, err);
    if (status == TACIT_OK)
        status = cut_failing(cut, g, class_of, run, err);
    tacit__free(class_of);
    return status;
}

/* Whether the rows gone keep the models, as the class of suppressed rows. */
static tacit_status gone_hold(bool *hold, uint32_t *members, const tacit__cut *cut,
                              const tacit__mingen *g, const uint32_t *class_of, tacit_error *err)
{
    static const uint32_t numbers[TACIT_MAX_ATTRIBUTES] = {0};
    int64_t count = 0;
    for (int64_t b = 0; b < g->beyond.base->groups.count; b++)
        if (tacit__bit_get(cut->gone, class_of[b]))
            members[count++] = (uint32_t)b;
    return tacit__models_hold(hold, g->beyond.models, members, count, g->high, numbers, err);
}

/* Classes follow until the rows gone keep k and the models. */
static tacit_status complement(bool *kept, tacit__cut *cut, const tacit__mingen *g,
                               const uint32_t *class_of, tacit_error *err)
{
    uint32_t *members = tacit__alloc_array((size_t)g->beyond.base->groups.count, sizeof *members);
    tacit_status status = members ? TACIT_OK : tacit__nomem(err);
    while (status == TACIT_OK && !*kept) {
        if (cut->people >= g->options->k)
            status = gone_hold(kept, members, cut, g, class_of, err);
        if (status != TACIT_OK || *kept || cut->rows > g->limit ||
            !tacit__cut_more(cut, g->options->complement_largest))
            break;
    }
    tacit__free(members);
    return status;
}

tacit_status tacit__beyond_complement(bool *kept, tacit__cut *cut, const tacit__mingen *g,
                                      const tacit_run *run, tacit_error *err)
{
    uint32_t *class_of = NULL;
    if (!g->beyond.models) {
        *kept = true;
        return tacit__cut_complement(cut, g->options->complement_largest, err);
    }
    *kept = cut->rows == 0;
    if (*kept)
        return TACIT_OK;
    tacit_status status = find_classes(&class_of, g, cut->classes, run, err);
    if (status == TACIT_OK)
        status = complement(kept, cut, g, class_of, err);
    tacit__free(class_of);
    return status;
}
