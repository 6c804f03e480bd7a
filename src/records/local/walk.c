/*
 * walk.c - the boxes of a group, depth first.
 *
 * One axis after the other the members are divided by their values, on each rung
 * in turn; what is left at the end are the members of a box. A part with fewer
 * than k people has no box with more, and one that `enter` is not interested in is
 * left alone: so most of the lattice is never seen. On a rung where a part is the same as
 * on the rung below, its boxes are the same too and cost more.
 *
 * Members keep their order, so that a list in descending order of something stays so.
 * Memory is three lists and two tables for each axis.
 */
#include "records/local/walk.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

enum { ASK_EVERY = 1 << 20 };

/* Members of a list with one value. */
typedef struct tacit__walk_slot {
    uint32_t count;
    uint32_t people;
    uint32_t next; /* where the next of them goes */
} slot;

/* What one axis works with. */
typedef struct tacit__walk_level {
    uint16_t *list;    /* members, part by part */
    uint16_t *seen[2]; /* values that occur on a rung and the one below it */
    slot *slots[2];    /* a value each, on these; zeros between uses */
} level;

void tacit__walk_clear(tacit__walk *walk)
{
    tacit__free(walk->levels);
    tacit__free(walk->lists);
    tacit__free(walk->slots);
    *walk = (tacit__walk){0};
}

static tacit_status reserve_levels(tacit__walk *walk, int64_t count, tacit_error *err)
{
    const tacit__local_group *group = walk->group;
    size_t axes = (size_t)group->axes, members = (size_t)count, slots = 0, at = 0;
    for (int32_t d = 0; d < group->axes; d++)
        slots += 2 * (size_t)group->axis[d].rung[0].values;
    if (!TACIT__RESERVE(walk->levels, walk->level_room, axes) ||
        !TACIT__RESERVE(walk->lists, walk->list_room, 3 * axes * members) ||
        !TACIT__RESERVE(walk->slots, walk->slot_room, slots))
        return tacit__nomem(err);
    if (slots > 0)
        memset(walk->slots, 0, slots * sizeof *walk->slots);
    for (int32_t d = 0; d < group->axes; d++) {
        uint32_t values = group->axis[d].rung[0].values;
        uint16_t *lists = walk->lists + 3 * (size_t)d * members;
        walk->levels[d] = (level){.list = lists,
                                  .seen = {lists + members, lists + 2 * members},
                                  .slots = {walk->slots + at, walk->slots + at + values}};
        at += 2 * (size_t)values;
    }
    return TACIT_OK;
}

/* A rung of an axis for a list of members. */
typedef struct step {
    const tacit__rung *rung;
    const uint16_t *list;
    int64_t count;
    uint16_t *seen; /* values that occur; first those that are gone into */
    int64_t values; /* how many occur */
    int64_t going;  /* and are gone into */
    slot *slots;
    double cost;   /* of a box, without this axis */
    double weight; /* of costs on this axis */
    double below;  /* what boxes must cost less than */
} step;

/* Counts the members and people of each value. Whether one is new is added, not asked:
 * nobody could guess it. */
static void count_values(step *s, const uint32_t *people)
{
    const uint16_t *value_of = s->rung->value;
    int64_t values = 0;
    for (int64_t i = 0; i < s->count; i++) {
        uint16_t value = value_of[s->list[i]];
        slot *here = &s->slots[value];
        s->seen[values] = value;
        values += here->count == 0;
        here->count++;
        here->people += people[s->list[i]];
    }
    s->values = values;
}

/* Values that have k people and do not cost too much come first, and get places for their
 * members; the others behind them. */
static void lay_out_values(step *s, int64_t k)
{
    uint32_t at = 0;
    s->going = 0;
    for (int64_t i = 0; i < s->values; i++) {
        uint16_t value = s->seen[i];
        slot *here = &s->slots[value];
        if (here->people < k || s->cost + s->weight * s->rung->cost[value] >= s->below)
            continue;
        s->seen[i] = s->seen[s->going];
        s->seen[s->going++] = value;
        here->next = at;
        at += here->count;
    }
    for (int64_t i = s->going; i < s->values; i++) {
        s->slots[s->seen[i]].next = at;
        at += s->slots[s->seen[i]].count;
    }
}

static void place_members(uint16_t *list, const step *s)
{
    const uint16_t *value_of = s->rung->value;
    for (int64_t i = 0; i < s->count; i++)
        list[s->slots[value_of[s->list[i]]].next++] = s->list[i];
}

static void forget(const step *s)
{
    for (int64_t i = 0; i < s->values; i++)
        s->slots[s->seen[i]] = (slot){0};
}

/* Asks now and then whether to go on. */
static bool may_go_on(tacit__walk *walk, int64_t count)
{
    bool ask = walk->run && walk->work / ASK_EVERY != (walk->work + count) / ASK_EVERY;
    walk->work += count;
    if (walk->status == TACIT_OK && walk->work > walk->limit)
        walk->status = TACIT_LIMIT;
    if (walk->status == TACIT_OK && ask)
        walk->status = tacit__progress(walk->run, walk->phase, walk->work, 0, NULL);
    return walk->status == TACIT_OK;
}

static void go_down(tacit__walk *walk, const uint16_t *list, int64_t count, int32_t depth,
                    double cost, double below);

/* Goes into each part of a rung, unless it is the part of the rung below. */
static void enter_parts(tacit__walk *walk, const uint16_t *part, const step *s, const step *lower,
                        int32_t depth)
{
    for (int64_t i = 0; i < s->going && walk->status == TACIT_OK; i++) {
        int64_t members = s->slots[s->seen[i]].count;
        if (!lower || lower->slots[lower->rung->value[part[0]]].count != members) {
            double cost = s->cost + s->weight * s->rung->cost[s->seen[i]];
            double below = walk->enter(walk->context, walk, part, members, depth + 1, cost);
            if (depth + 1 == walk->group->axes)
                walk->boxes++;
            else if (cost < below)
                go_down(walk, part, members, depth + 1, cost, below);
        }
        part += members;
    }
}

static void go_down(tacit__walk *walk, const uint16_t *list, int64_t count, int32_t depth,
                    double cost, double below)
{
    const tacit__axis *axis = &walk->group->axis[depth];
    level *l = &walk->levels[depth];
    step steps[2] = {{.values = 0}, {.values = 0}};
    bool split = true;
    for (int r = 0; r < axis->rungs && split && may_go_on(walk, count); r++) {
        step *s = &steps[r & 1], *lower = &steps[~r & 1];
        *s = (step){.rung = &axis->rung[r],
                    .list = list,
                    .count = count,
                    .seen = l->seen[r & 1],
                    .slots = l->slots[r & 1],
                    .cost = cost,
                    .weight = walk->weights ? walk->weights[axis->attribute] : 1,
                    .below = below};
        if (cost + s->weight * s->rung->least >= below)
            break;
        walk->rung[depth] = (uint8_t)r;
        count_values(s, walk->people);
        lay_out_values(s, walk->k);
        if (s->going > 0) {
            place_members(l->list, s);
            enter_parts(walk, l->list, s, r > 0 ? lower : NULL, depth);
        }
        forget(lower);
        lower->values = 0;
        split = s->values > 1;
    }
    forget(&steps[0]);
    forget(&steps[1]);
}

tacit_status tacit__walk_boxes(tacit__walk *walk, const uint16_t *list, int64_t count,
                               tacit_error *err)
{
    int64_t people = 0;
    tacit_status status = reserve_levels(walk, count, err);
    if (status != TACIT_OK)
        return status;
    walk->work = 0;
    walk->status = TACIT_OK;
    for (int64_t i = 0; i < count; i++)
        people += walk->people[list[i]];
    if (people < walk->k)
        return TACIT_OK;
    double below = walk->enter(walk->context, walk, list, count, 0, 0);
    if (below > 0 && walk->group->axes > 0)
        go_down(walk, list, count, 0, 0, below);
    if (walk->status == TACIT_CANCELLED)
        return tacit__error(err, TACIT_CANCELLED, "stopped on request");
    return walk->status == TACIT_NOMEM ? tacit__nomem(err) : walk->status;
}
