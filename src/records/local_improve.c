/*
 * local_improve.c - a layout made better, window by window.
 *
 * A window is a few boxes close to each other. Its people are packed anew
 * (local_pack.c), and the new boxes are taken unless they cost more: those that cost the
 * same are a new start for later rounds. Boxes are close in an order
 * that is drawn for each round: the levels of all attributes, from the top down, in a
 * random sequence in which dear steps tend to come first, and boxes sorted by their values
 * in it. Which boxes come to lie side by side, and in which way they differ, therefore
 * changes from round to round; and so does what packing prefers, because within a window
 * costs of attributes are weighed by chance, and who is served first is drawn, too.
 * Windows do not share boxes, so all of them are looked at in parallel, and a round's
 * result does not depend on threads.
 *
 * The first round is different: its windows are as large as groups can be, in the order in
 * which the boxes were found, and nothing is left to chance.
 *
 * Linear in the classes for each round, times what a walk through a window takes.
 */
#include "records/local_improve.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

enum {
    LEAST_BOXES = 3, /* of a window; at most 7 more */
    WINDOW_SHARES = 128,
    LARGE_SHARES = 32768,
    BATCH = 16,          /* windows that one task looks at, unless they are large */
    WAVE = 64,           /* batches after which work is added up ... */
    LARGE_WAVE = 4,      /* and of large windows */
    WORK_A_SHARE = 10000 /* members that walks may look at for each share of a window */
};

/* Draws numbers that depend on what they are for. */
static uint64_t draw(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    return tacit__mix(*state);
}

/* One level of one attribute, by which boxes are sorted. */
typedef struct stair {
    int32_t attribute;
    int level;
} stair;

typedef struct ranked {
    uint64_t key;
    int64_t box;
} ranked;

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
    const tacit__layout *layout;
    uint64_t seed;    /* 0: windows are large, and nothing is left to chance */
    ranked *order;    /* boxes as they lie side by side */
    int64_t *windows; /* where they begin in it, and the end */
    int64_t window_count;
    int64_t batch_size; /* windows */
    batch *batches;
    int64_t batch_count;
    int64_t first;          /* batch of the wave */
    tacit__packer *packers; /* a worker each */
    int workers;
} turn;

/* What the next step of an attribute down from a level costs; 0 on the floor. */
static double step_cost(const tacit__local *local, int32_t attribute, int level)
{
    const double *costs = local->level_cost[attribute];
    return level == local->floor[attribute] ? 0 : costs[level] - costs[level - 1] + 1e-6;
}

/* The attribute of the next step, the likelier the more it costs; -1: all are on their floor. */
static int32_t draw_attribute(const tacit__local *local, const int *level, uint64_t *state)
{
    double sum = 0, at = 0;
    int32_t last = -1;
    for (int32_t a = 0; a < local->attributes; a++)
        sum += step_cost(local, a, level[a]);
    double drawn = sum * ((double)(draw(state) >> 32) / 4294967296.0);
    for (int32_t a = 0; a < local->attributes && (last < 0 || at <= drawn); a++) {
        double cost = step_cost(local, a, level[a]);
        at += cost;
        last = cost > 0 ? a : last;
    }
    return last;
}

/* Goes down from the top, an attribute at a time. Returns the steps. */
static int64_t draw_stairs(stair *stairs, const tacit__local *local, uint64_t *state)
{
    int level[TACIT_MAX_ATTRIBUTES];
    int64_t count = 0;
    memcpy(level, local->height, sizeof level);
    for (int32_t a; (a = draw_attribute(local, level, state)) >= 0;)
        stairs[count++] = (stair){a, --level[a]};
    return count;
}

/* The values of a box down the stairs, as many as fit a number. */
static uint64_t key_of(const tacit__local *local, uint32_t class_index, const stair *stairs,
                       int64_t count)
{
    uint64_t key = 0, room = 1;
    for (int64_t s = 0; s < count; s++) {
        const stair *step = &stairs[s];
        uint64_t values = tacit__distinct_on(local->frame, step->attribute, step->level);
        if (__builtin_mul_overflow(room, values, &room))
            break;
        key = key * values + tacit__local_number(local, class_index, step->attribute, step->level);
    }
    return key;
}

static int by_key(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->box < y->box ? -1 : x->box > y->box;
}

/* Boxes in a random order by their values, or as they are. */
static void sort_boxes(turn *r)
{
    stair stairs[TACIT_MAX_ATTRIBUTES * TACIT_MAX_LEVELS];
    uint64_t state = r->seed;
    int64_t steps = r->seed ? draw_stairs(stairs, r->local, &state) : 0;
    for (int64_t b = 0; b < r->layout->boxes; b++) {
        uint32_t first = r->layout->shares[r->layout->starts[b]].class_index;
        r->order[b] = (ranked){key_of(r->local, first, stairs, steps), b};
    }
    if (r->seed)
        qsort(r->order, (size_t)r->layout->boxes, sizeof *r->order, by_key);
}

/* Cuts the order into windows. */
static void cut_windows(turn *r)
{
    const int64_t *starts = r->layout->starts;
    int64_t shares = 0, most_shares = r->seed ? WINDOW_SHARES : LARGE_SHARES;
    int64_t boxes = 0, most_boxes = r->seed ? LEAST_BOXES + (int64_t)(r->seed * 5 % 8) : INT64_MAX;
    for (int64_t i = 0; i < r->layout->boxes; i++) {
        int64_t more = starts[r->order[i].box + 1] - starts[r->order[i].box];
        if (i == 0 || boxes == most_boxes || (boxes > 1 && shares + more > most_shares)) {
            r->windows[r->window_count++] = i;
            shares = boxes = 0;
        }
        shares += more;
        boxes++;
    }
    r->windows[r->window_count] = r->layout->boxes;
}

static int by_class(const void *a, const void *b)
{
    const tacit__share *x = a, *y = b;
    return x->class_index < y->class_index ? -1 : x->class_index > y->class_index;
}

/* Shares of one class are one member. */
static void join_shares(tacit__group *group)
{
    int32_t kept = 0;
    qsort(group->members, (size_t)group->count, sizeof *group->members, by_class);
    for (int32_t i = 0; i < group->count; i++) {
        if (kept > 0 && group->members[kept - 1].class_index == group->members[i].class_index)
            group->members[kept - 1].people += group->members[i].people;
        else
            group->members[kept++] = group->members[i];
    }
    group->count = kept;
}

/* What a window costs; -1 where it cannot be looked at. */
static double cost_of(const turn *r, int64_t window)
{
    int64_t shares = 0;
    double cost = 0;
    for (int64_t i = r->windows[window]; i < r->windows[window + 1]; i++) {
        int64_t box = r->order[i].box;
        shares += r->layout->starts[box + 1] - r->layout->starts[box];
        cost += tacit__layout_cost(r->layout, r->local, box, box + 1);
    }
    return shares <= TACIT__GROUP_MEMBERS ? cost : -1;
}

/* Gathers the people of a window. */
static tacit_status gather(tacit__group *group, const turn *r, int64_t window, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    tacit__group_empty(group);
    for (int64_t i = r->windows[window]; i < r->windows[window + 1]; i++) {
        int64_t box = r->order[i].box;
        for (int64_t s = r->layout->starts[box];
             status == TACIT_OK && s < r->layout->starts[box + 1]; s++)
            status = tacit__group_add(group, r->layout->shares[s], err);
    }
    if (status == TACIT_OK && !r->local->whole)
        join_shares(group);
    return status == TACIT_OK ? tacit__group_close(group, err) : status;
}

/* What the people of a group cost at least. */
static double least_cost(const tacit__group *group)
{
    double least = group->base * group->rows;
    for (int32_t i = 0; group->rest && i < group->count; i++)
        least += group->rest[i] * tacit__share_rows(group->local, group->members[i]);
    return least;
}

/* Leaves a window as it is. */
static tacit_status keep(tacit__layout *out, const turn *r, int64_t window, tacit_error *err)
{
    for (int64_t i = r->windows[window]; i < r->windows[window + 1]; i++) {
        int64_t box = r->order[i].box;
        tacit_status status = tacit__layout_open(
            out, r->layout->levels + box * r->local->attributes, r->local->attributes, err);
        for (int64_t s = r->layout->starts[box];
             status == TACIT_OK && s < r->layout->starts[box + 1]; s++)
            status = tacit__layout_add(out, r->layout->shares[s], err);
        if (status != TACIT_OK)
            return status;
    }
    return TACIT_OK;
}

/* What packing prefers in a window: costs are weighed, and in two of three windows one of
 * the four hardest to place is served first. */
static void draw_taste(tacit__packer *packer, double *weights, const turn *r, int64_t window)
{
    uint64_t state = tacit__mix(r->seed) + (uint64_t)window;
    packer->hardest = -1;
    packer->walk.weights = NULL;
    if (r->seed == 0)
        return;
    for (int32_t a = 0; a < r->local->attributes; a++)
        weights[a] = 0.5 + (double)(draw(&state) >> 32) / 4294967296.0;
    packer->walk.weights = weights;
    int64_t drawn = (int64_t)(draw(&state) % 6);
    packer->hardest = drawn < 4 ? drawn : -1;
}

/* Packs the group of a window anew if it could cost less than it does. */
static tacit_status pack_anew(bool *better, double *cost, tacit__packer *packer, const turn *r,
                              int64_t window, double old, tacit_error *err)
{
    double weights[TACIT_MAX_ATTRIBUTES], tie = 1e-9 * packer->group.rows;
    *better = false;
    packer->work = 0;
    if (old <= least_cost(&packer->group) + tie)
        return TACIT_OK;
    draw_taste(packer, weights, r, window);
    packer->limit = (int64_t)WORK_A_SHARE * packer->group.count;
    tacit_status status = tacit__pack(better, cost, packer, err);
    *better &= *cost <= old * (1 + 1e-13);
    return status;
}

/* Looks at a window; its boxes, new or old, go to the batch. */
static tacit_status look_at(batch *out, tacit__packer *packer, const turn *r, int64_t window,
                            tacit_error *err)
{
    double old = cost_of(r, window), cost = 0;
    bool better = false;
    if (old < 0)
        return keep(&out->layout, r, window, err);
    tacit_status status = gather(&packer->group, r, window, err);
    if (status == TACIT_OK)
        status = pack_anew(&better, &cost, packer, r, window, old, err);
    if (status != TACIT_OK)
        return status;
    out->work += packer->work;
    if (!better)
        return keep(&out->layout, r, window, err);
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
    for (int64_t w = from; status == TACIT_OK && w < to && w < r->window_count; w++)
        status = look_at(out, &r->packers[worker], r, w, err);
    out->done = status == TACIT_OK;
    return status;
}

static tacit_status round_init(turn *r, tacit_error *err)
{
    size_t boxes = (size_t)r->layout->boxes;
    r->order = tacit__alloc_array(boxes, sizeof *r->order);
    r->windows = tacit__alloc_array(boxes + 1, sizeof *r->windows);
    if (!r->order || !r->windows)
        return tacit__nomem(err);
    sort_boxes(r);
    cut_windows(r);
    r->batch_size = r->seed ? BATCH : 1;
    r->batch_count = (r->window_count + r->batch_size - 1) / r->batch_size;
    r->batches = tacit__alloc_zeroed((size_t)r->batch_count, sizeof *r->batches);
    r->workers = tacit__threads(r->local->run);
    r->packers = tacit__alloc_zeroed((size_t)r->workers, sizeof *r->packers);
    tacit_status status = r->batches && r->packers ? TACIT_OK : tacit__nomem(err);
    for (int w = 0; status == TACIT_OK && w < r->workers; w++)
        status = tacit__packer_init(&r->packers[w], r->local, err);
    for (int w = 0; status == TACIT_OK && w < r->workers; w++) {
        r->packers[w].walk.run = r->local->run;
        r->packers[w].walk.phase = "packing";
    }
    return status;
}

static void round_clear(turn *r)
{
    for (int64_t b = 0; r->batches && b < r->batch_count; b++)
        tacit__layout_clear(&r->batches[b].layout);
    for (int w = 0; r->packers && w < r->workers; w++)
        tacit__packer_clear(&r->packers[w]);
    tacit__free(r->order);
    tacit__free(r->windows);
    tacit__free(r->batches);
    tacit__free(r->packers);
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
    for (int w = 0; w < r->workers; w++)
        improving->boxes += r->packers[w].walk.boxes;
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
    for (int64_t w = from; status == TACIT_OK && w < to && w < r->window_count; w++)
        status = keep(&b->layout, r, w, err);
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

tacit_status tacit__local_improve(tacit__layout *layout, tacit__improving *improving,
                                  const tacit__local *local, tacit_error *err)
{
    turn r = {.local = local, .layout = layout, .seed = (uint64_t)improving->rounds};
    tacit_error stop = {0};
    tacit_status status = round_init(&r, err), kept = TACIT_OK;
    if (status == TACIT_OK)
        status = look_at_all(&r, improving, &stop);
    bool better, changed;
    sum_up(&better, &changed, &r);
    if ((status == TACIT_OK || status == TACIT_CANCELLED) && changed)
        kept = join_batches(layout, &r, err);
    round_clear(&r);
    improving->rounds++;
    improving->stale = better ? 0 : improving->stale + 1;
    if (kept == TACIT_OK && err && err->status == TACIT_OK)
        *err = stop;
    return kept != TACIT_OK ? kept : status;
}
