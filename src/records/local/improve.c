/*
 * improve.c - a layout made better, window by window.
 *
 * A window is a few boxes close to each other (windows.c). Its people are packed anew
 * (pack.c), and the new boxes are taken unless they cost more: those that cost the
 * same are a new start for later rounds. Which boxes come to lie in one window changes
 * from round to round; and so does what packing prefers, because within a window costs of
 * attributes are weighed by chance, and who is served first is drawn, too. Windows do not
 * share boxes, so all of them are looked at in parallel, and a round's result does not
 * depend on threads.
 *
 * The first round is different: its windows are as large as groups can be, in the order in
 * which the boxes were found, and nothing is left to chance.
 *
 * Linear in the classes for each round, times what a walk through a window takes.
 */
#include "records/local/improve.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "records/local/pack.h"
#include "records/local/windows.h"

enum {
    BATCH = 16,          /* windows that one task looks at, unless they are large */
    WAVE = 64,           /* batches after which work is added up ... */
    LARGE_WAVE = 4,      /* and of large windows */
    WORK_A_SHARE = 10000 /* members that walks may look at for each share of a window */
};

/* What became of a batch of windows. */
typedef struct batch {
    tacit__layout layout;
    double saved;
    int64_t work;
    bool changed;
    bool done;
} batch;

typedef struct turn {
    const tacit__local *local;
    uint64_t seed; /* 0: windows are large, and nothing is left to chance */
    tacit__windows windows;
    int64_t batch_size; /* windows */
    batch *batches;
    int64_t batch_count;
    int64_t first;          /* batch of the wave */
    tacit__packer *packers; /* a worker each */
} turn;

/* What the people of a group cost at least. */
static double least_cost(const tacit__group *group)
{
    double least = group->base * group->rows;
    for (int32_t i = 0; group->rest && i < group->count; i++)
        least += group->rest[i] * tacit__share_rows(group->local, group->members[i]);
    return least;
}

/* What packing prefers in a window: costs are weighed, and in two of three windows one of
 * the four hardest to place is served first. */
static void draw_taste(tacit__packer *packer, double *weights, const turn *r, int64_t window)
{
    uint64_t state = tacit__mix(r->seed) + (uint64_t)window;
    packer->hardest = -1;
    packer->offers.walk.weights = NULL;
    if (r->seed == 0)
        return;
    for (int32_t a = 0; a < r->local->attributes; a++)
        weights[a] = 0.5 + tacit__draw_share(&state);
    packer->offers.walk.weights = weights;
    int64_t drawn = (int64_t)(tacit__draw(&state) % 6);
    packer->hardest = drawn < 4 ? drawn : -1;
}

/* Packs the group of a window anew if it could cost less than it does. */
static tacit_status pack_anew(bool *better, double *cost, tacit__packer *packer, const turn *r,
                              int64_t window, double old, tacit_error *err)
{
    double weights[TACIT_MAX_ATTRIBUTES], tie = 1e-9 * packer->group.rows;
    *better = false;
    packer->offers.work = 0;
    if (old <= least_cost(&packer->group) + tie)
        return TACIT_OK;
    draw_taste(packer, weights, r, window);
    packer->offers.limit = (int64_t)WORK_A_SHARE * packer->group.count;
    tacit_status status = tacit__pack(better, cost, packer, err);
    *better &= *cost <= old * (1 + 1e-13);
    return status;
}

/* Looks at a window; its boxes, new or old, go to the batch. */
static tacit_status look_at(batch *out, tacit__packer *packer, const turn *r, int64_t window,
                            tacit_error *err)
{
    double old = tacit__windows_cost(&r->windows, window), cost = 0;
    bool better = false;
    if (old < 0)
        return tacit__windows_keep(&out->layout, &r->windows, window, err);
    tacit_status status = tacit__windows_gather(&packer->group, &r->windows, window, err);
    if (status == TACIT_OK)
        status = pack_anew(&better, &cost, packer, r, window, old, err);
    if (status != TACIT_OK)
        return status;
    out->work += packer->offers.work;
    if (!better)
        return tacit__windows_keep(&out->layout, &r->windows, window, err);
    out->saved += cost < old - 1e-9 * packer->group.rows ? old - cost : 0;
    out->changed = true;
    return tacit__pack_give(&out->layout, packer, err);
}

static tacit_status batch_task(void *context, int64_t task, int worker, tacit_error *err)
{
    turn *r = context;
    int64_t index = r->first + task, from = index * r->batch_size, to = from + r->batch_size;
    batch *out = &r->batches[index];
    tacit_status status = TACIT_OK;
    for (int64_t w = from; status == TACIT_OK && w < to && w < r->windows.count; w++)
        status = look_at(out, &r->packers[worker], r, w, err);
    out->done = status == TACIT_OK;
    return status;
}

static tacit_status turn_init(turn *r, const tacit__layout *layout, tacit_error *err)
{
    tacit_status status = tacit__windows_init(&r->windows, r->local, layout, r->seed, err);
    if (status != TACIT_OK)
        return status;
    r->batch_size = r->seed ? BATCH : 1;
    int64_t batches = (r->windows.count + r->batch_size - 1) / r->batch_size;
    r->batches = tacit__alloc_zeroed((size_t)batches, sizeof *r->batches);
    if (!r->batches)
        return tacit__nomem(err);
    r->batch_count = batches;
    return TACIT_OK;
}

static void turn_clear(turn *r)
{
    for (int64_t b = 0; b < r->batch_count; b++)
        tacit__layout_clear(&r->batches[b].layout);
    tacit__windows_clear(&r->windows);
    tacit__free(r->batches);
}

/* Looks at the windows, a wave at a time, while there is work left. */
static tacit_status look_at_all(turn *r, tacit__improving *improving, tacit_error *err)
{
    int64_t usual = improving->limit == INT64_MAX ? INT64_MAX : r->seed ? WAVE : LARGE_WAVE;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && r->first < r->batch_count && improving->work < improving->limit) {
        int64_t left = r->batch_count - r->first, wave = left < usual ? left : usual;
        status = tacit__parallel(r->local->run, "improving", wave, batch_task, r, err);
        for (int64_t i = 0; i < wave; i++)
            improving->work += r->batches[r->first + i].work;
        r->first += wave;
    }
    improving->boxes = 0;
    for (int w = 0; w < improving->workers; w++)
        improving->boxes += improving->packers[w].offers.walk.boxes;
    return status;
}

/* Leaves a batch that was not finished as it was. */
static tacit_status keep_batch(turn *r, int64_t index, tacit_error *err)
{
    batch *b = &r->batches[index];
    tacit_status status = TACIT_OK;
    tacit__layout_clear(&b->layout);
    b->saved = 0;
    int64_t from = index * r->batch_size, to = from + r->batch_size;
    for (int64_t w = from; status == TACIT_OK && w < to && w < r->windows.count; w++)
        status = tacit__windows_keep(&b->layout, &r->windows, w, err);
    return status;
}

/* Puts the batches together in place of the layout. */
static tacit_status join_batches(tacit__layout *layout, turn *r, tacit_error *err)
{
    tacit__layout joined = {0};
    tacit_status status = TACIT_OK;
    for (int64_t b = 0; status == TACIT_OK && b < r->batch_count; b++) {
        if (!r->batches[b].done)
            status = keep_batch(r, b, err);
        if (status == TACIT_OK)
            status =
                tacit__layout_append(&joined, &r->batches[b].layout, r->local->attributes, err);
        tacit__layout_clear(&r->batches[b].layout);
    }
    if (status != TACIT_OK) {
        tacit__layout_clear(&joined);
        return status;
    }
    tacit__layout_clear(layout);
    *layout = joined;
    return TACIT_OK;
}

/* Whether anything was saved, and whether anything is different. */
static void sum_up(bool *better, bool *changed, const turn *r)
{
    *better = *changed = false;
    for (int64_t b = 0; b < r->batch_count; b++) {
        *better |= r->batches[b].done && r->batches[b].saved > 0;
        *changed |= r->batches[b].done && r->batches[b].changed;
    }
}

tacit_status tacit__improving_init(tacit__improving *improving, const tacit__local *local,
                                   tacit_error *err)
{
    int workers = tacit__threads(local->run);
    tacit__improving i = {.local = local, .limit = INT64_MAX};
    i.packers = tacit__alloc_zeroed((size_t)workers, sizeof *i.packers);
    tacit_status status = i.packers ? TACIT_OK : tacit__nomem(err);
    while (status == TACIT_OK && i.workers < workers) {
        tacit__packer *packer = &i.packers[i.workers];
        status = tacit__packer_init(packer, local, err);
        packer->offers.walk.run = local->run;
        packer->offers.walk.phase = "packing";
        i.workers += status == TACIT_OK;
    }
    if (status == TACIT_OK)
        *improving = i;
    else
        tacit__improving_clear(&i);
    return status;
}

void tacit__improving_clear(tacit__improving *improving)
{
    for (int w = 0; w < improving->workers; w++)
        tacit__packer_clear(&improving->packers[w]);
    tacit__free(improving->packers);
    *improving = (tacit__improving){0};
}

tacit_status tacit__local_improve(tacit__layout *layout, tacit__improving *improving,
                                  tacit_error *err)
{
    turn r = {.local = improving->local,
              .seed = (uint64_t)improving->rounds,
              .packers = improving->packers};
    tacit_error stop = {0};
    tacit_status status = turn_init(&r, layout, err), kept = TACIT_OK;
    if (status == TACIT_OK)
        status = look_at_all(&r, improving, &stop);
    bool better, changed;
    sum_up(&better, &changed, &r);
    if ((status == TACIT_OK || status == TACIT_CANCELLED) && changed)
        kept = join_batches(layout, &r, err);
    turn_clear(&r);
    improving->rounds++;
    improving->stale = better ? 0 : improving->stale + 1;
    if (kept == TACIT_OK && err && err->status == TACIT_OK)
        *err = stop;
    return kept != TACIT_OK ? kept : status;
}
