/*
 * windows.c - a layout cut into windows.
 *
 * Boxes are close in an order that is drawn: the levels of all attributes, from the top
 * down, in a random sequence in which dear steps tend to come first, and boxes sorted by
 * their values in it. Which boxes come to lie side by side, and in which way they differ,
 * therefore changes with the seed. How many boxes make a window does, too.
 *
 * Costs sorting the boxes.
 */
#include "records/local/improve.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

enum {
    LEAST_BOXES = 3, /* of a window; at most 7 more */
    WINDOW_SHARES = 128,
    LARGE_SHARES = 32768
};

uint64_t tacit__draw(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    return tacit__mix(*state);
}

double tacit__draw_share(uint64_t *state)
{
    return (double)(tacit__draw(state) >> 32) / 4294967296.0;
}

/* One level of one attribute, by which boxes are sorted. */
typedef struct stair {
    int32_t attribute;
    int level;
} stair;

typedef struct keyed_box {
    uint64_t key;
    int64_t box;
} keyed_box;

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
    double drawn = sum * tacit__draw_share(state);
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

static int by_box_key(const void *a, const void *b)
{
    const keyed_box *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->box < y->box ? -1 : x->box > y->box;
}

/* Boxes in a random order by their values. */
static tacit_status sort_boxes(tacit__windows *w, uint64_t seed, tacit_error *err)
{
    int64_t count = w->layout->boxes, steps = 0;
    for (int32_t a = 0; a < w->local->attributes; a++)
        steps += w->local->height[a] - w->local->floor[a];
    stair *stairs = tacit__alloc_array((size_t)steps, sizeof *stairs);
    keyed_box *order = tacit__alloc_array((size_t)count, sizeof *order);
    if (!order || !stairs) {
        tacit__free(stairs);
        tacit__free(order);
        return tacit__nomem(err);
    }
    steps = draw_stairs(stairs, w->local, &seed);
    for (int64_t b = 0; b < count; b++) {
        uint32_t first = w->layout->shares[w->layout->starts[b]].class_index;
        order[b] = (keyed_box){key_of(w->local, first, stairs, steps), b};
    }
    qsort(order, (size_t)count, sizeof *order, by_box_key);
    for (int64_t b = 0; b < count; b++)
        w->boxes[b] = order[b].box;
    tacit__free(stairs);
    tacit__free(order);
    return TACIT_OK;
}

static int64_t shares_in(const tacit__windows *w, int64_t box)
{
    return w->layout->starts[box + 1] - w->layout->starts[box];
}

/* Windows of so many boxes, or of fewer where these have more shares. */
static void cut(tacit__windows *w, int64_t max_boxes, int64_t most_shares)
{
    int64_t shares = 0, boxes = 0;
    for (int64_t i = 0; i < w->layout->boxes; i++) {
        int64_t more = shares_in(w, w->boxes[i]);
        if (i == 0 || boxes == max_boxes || (boxes > 1 && shares + more > most_shares)) {
            w->starts[w->count++] = i;
            shares = boxes = 0;
        }
        shares += more;
        boxes++;
    }
    w->starts[w->count] = w->layout->boxes;
}

tacit_status tacit__windows_init(tacit__windows *windows, const tacit__local *local,
                                 const tacit__local_layout *layout, uint64_t seed, tacit_error *err)
{
    tacit__windows w = {.local = local, .layout = layout};
    w.boxes = tacit__alloc_array((size_t)layout->boxes, sizeof *w.boxes);
    w.starts = tacit__alloc_array((size_t)layout->boxes + 1, sizeof *w.starts);
    tacit_status status = w.boxes && w.starts ? TACIT_OK : tacit__nomem(err);
    for (int64_t b = 0; status == TACIT_OK && b < layout->boxes; b++)
        w.boxes[b] = b;
    if (status == TACIT_OK && seed != 0)
        status = sort_boxes(&w, seed, err);
    if (status != TACIT_OK) {
        tacit__windows_clear(&w);
        return status;
    }
    if (seed == 0)
        cut(&w, INT64_MAX, LARGE_SHARES);
    else
        cut(&w, LEAST_BOXES + (int64_t)(seed * 5 % 8), WINDOW_SHARES);
    *windows = w;
    return TACIT_OK;
}

void tacit__windows_clear(tacit__windows *windows)
{
    tacit__free(windows->boxes);
    tacit__free(windows->starts);
    *windows = (tacit__windows){0};
}

double tacit__windows_cost(const tacit__windows *windows, int64_t window)
{
    int64_t shares = 0;
    double cost = 0;
    for (int64_t i = windows->starts[window]; i < windows->starts[window + 1]; i++) {
        int64_t box = windows->boxes[i];
        shares += shares_in(windows, box);
        cost += tacit__layout_cost(windows->layout, windows->local, box, box + 1);
    }
    return shares <= TACIT__GROUP_MEMBERS ? cost : -1;
}

static int by_class(const void *a, const void *b)
{
    const tacit__share *x = a, *y = b;
    return x->class_index < y->class_index ? -1 : x->class_index > y->class_index;
}

/* Shares of one class are one member. */
static void join_shares(tacit__local_group *group)
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

/* A class that leaves whole is the people who are in it, wherever else they are counted. */
static tacit__share share_of(const tacit__windows *w, int64_t index)
{
    tacit__share share = w->layout->shares[index];
    if (w->local->whole)
        share.people = (uint32_t)tacit_classes_people(w->local->classes, share.class_index);
    return share;
}

tacit_status tacit__windows_gather(tacit__local_group *group, const tacit__windows *windows,
                                   int64_t window, tacit_error *err)
{
    const tacit__local_layout *layout = windows->layout;
    tacit_status status = TACIT_OK;
    tacit__group_empty(group);
    for (int64_t i = windows->starts[window]; i < windows->starts[window + 1]; i++) {
        int64_t box = windows->boxes[i];
        for (int64_t s = layout->starts[box]; status == TACIT_OK && s < layout->starts[box + 1];
             s++)
            status = tacit__group_add(group, share_of(windows, s), err);
    }
    if (status == TACIT_OK && !windows->local->whole)
        join_shares(group);
    return status == TACIT_OK ? tacit__group_close(group, err) : status;
}

tacit_status tacit__windows_keep(tacit__local_layout *out, const tacit__windows *windows,
                                 int64_t window, tacit_error *err)
{
    const tacit__local_layout *layout = windows->layout;
    int32_t attributes = windows->local->attributes;
    for (int64_t i = windows->starts[window]; i < windows->starts[window + 1]; i++) {
        int64_t box = windows->boxes[i];
        tacit_status status =
            tacit__layout_open(out, layout->levels + box * attributes, attributes, err);
        for (int64_t s = layout->starts[box]; status == TACIT_OK && s < layout->starts[box + 1];
             s++)
            status = tacit__layout_add(out, layout->shares[s], err);
        if (status != TACIT_OK)
            return status;
    }
    return TACIT_OK;
}
