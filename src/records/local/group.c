/*
 * group.c - groups of shares, and going through their boxes, depth first.
 *
 * Attributes of which all members have the same value are left out, and so are levels on which no
 * two values become one: a box of a higher level that holds the same members costs no less. What is
 * left is numbered from 0, so that few members make small tables however large the hierarchies are.
 *
 * Linear in members times levels that are left.
 *
 * The walk: one axis after the other the members are divided by their values, on each rung in turn;
 * what is left at the end are the members of a box. A part with fewer than k people has no box with
 * more, and one that `enter` is not interested in is left alone: so most of the lattice is never
 * seen. On a rung where a part is the same as on the rung below, its boxes are the same too and
 * cost more.
 *
 * Members keep their order, so that a list in descending order of something stays so. Memory is
 * three lists and two tables for each axis.
 */
#include "records/local/group.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

tacit_status tacit__group_init(tacit__local_group *group, const tacit__local *local,
                               tacit_error *err)
{
    *group = (tacit__local_group){.local = local};
    group->axis = tacit__alloc_array((size_t)local->attributes, sizeof *group->axis);
    group->place_of = tacit__alloc_zeroed(local->values, sizeof *group->place_of);
    group->numbers = tacit__alloc_array(2 * (TACIT__GROUP_MEMBERS + 1), sizeof *group->numbers);
    if (group->axis && group->place_of && group->numbers)
        return TACIT_OK;
    tacit__group_clear(group);
    return tacit__nomem(err);
}

void tacit__group_clear(tacit__local_group *group)
{
    tacit__free(group->members);
    tacit__free(group->axis);
    tacit__free(group->rest);
    tacit__free(group->values);
    tacit__free(group->costs);
    tacit__free(group->place_of);
    tacit__free(group->numbers);
    *group = (tacit__local_group){0};
}

void tacit__group_empty(tacit__local_group *group)
{
    group->count = 0;
    group->people = 0;
    group->rows = 0;
}

tacit_status tacit__group_add(tacit__local_group *group, tacit__share share, tacit_error *err)
{
    if (!TACIT__PUSH(group->members, group->member_capacity, group->count, share))
        return tacit__nomem(err);
    group->people += share.people;
    group->rows += tacit__share_rows(group->local, share);
    return TACIT_OK;
}

/* Numbers of the floor that members have, densely: the values of the lowest rung. Returns
 * how many there are; numbers says what they stand for. */
static uint32_t number_floor(uint16_t *values, tacit__local_group *group, int32_t attribute)
{
    uint32_t count = 0;
    for (int32_t i = 0; i < group->count; i++) {
        uint32_t code = tacit__local_code(group->local, group->members[i].class_index, attribute);
        if (group->place_of[code] == 0) {
            group->numbers[count] = code;
            group->place_of[code] = ++count;
        }
        values[i] = (uint16_t)(group->place_of[code] - 1);
    }
    for (uint32_t v = 0; v < count; v++)
        group->place_of[group->numbers[v]] = 0;
    return count;
}

/* Numbers of a level under which values of the rung below lie. becomes says which value
 * of the new rung each of them is; numbers are floor numbers that stand for it. */
static uint32_t number_level(uint32_t *becomes, tacit__local_group *group, int32_t attribute,
                             int level, uint32_t values)
{
    const uint32_t *up = group->local->up[attribute][level];
    uint32_t count = 0;
    for (uint32_t v = 0; v < values; v++) {
        uint32_t number = up[group->numbers[v]];
        if (group->place_of[number] == 0)
            group->place_of[number] = ++count;
        becomes[v] = group->place_of[number] - 1;
    }
    for (uint32_t v = 0; v < values; v++)
        group->place_of[up[group->numbers[v]]] = 0;
    return count;
}

/* The first floor number of each value of a rung stands for it from now on. */
static void take_first(tacit__local_group *group, const uint32_t *becomes, uint32_t values)
{
    uint32_t seen = 0;
    for (uint32_t v = 0; v < values; v++)
        if (becomes[v] == seen)
            group->numbers[seen++] = group->numbers[v];
}

/* Room for one more rung; places are kept as offsets until all are there. */
static tacit_status add_rung(tacit__axis *axis, size_t *value_at, size_t *cost_at,
                             tacit__local_group *group, int level, uint32_t values,
                             tacit_error *err)
{
    size_t members = (size_t)group->count;
    if (!TACIT__RESERVE(group->values, group->value_capacity, *value_at + members) ||
        !TACIT__RESERVE(group->costs, group->cost_capacity, *cost_at + values))
        return tacit__nomem(err);
    axis->rung[axis->rungs++] = (tacit__rung){.level = (uint8_t)level, .values = values};
    *value_at += members;
    *cost_at += values;
    return TACIT_OK;
}

static void fill_costs(double *costs, const tacit__local_group *group, int32_t attribute, int level,
                       uint32_t values)
{
    const tacit__local *local = group->local;
    for (uint32_t v = 0; v < values; v++)
        costs[v] =
            local->costs.of[attribute][level][local->up[attribute][level][group->numbers[v]]];
}

/* Adds the rungs above the floor on which values become fewer. */
static tacit_status climb(tacit__axis *axis, size_t *value_at, size_t *cost_at,
                          tacit__local_group *group, tacit_error *err)
{
    int32_t attribute = axis->attribute;
    uint32_t values = axis->rung[0].values, *becomes = group->numbers + TACIT__GROUP_MEMBERS + 1;
    for (int level = group->local->floor[attribute] + 1; values > 1; level++) {
        uint32_t count = number_level(becomes, group, attribute, level, values);
        if (count == values)
            continue;
        tacit_status status = add_rung(axis, value_at, cost_at, group, level, count, err);
        if (status != TACIT_OK)
            return status;
        take_first(group, becomes, values);
        fill_costs(group->costs + *cost_at - count, group, attribute, level, count);
        uint16_t *here = group->values + *value_at - group->count, *below = here - group->count;
        for (int32_t i = 0; i < group->count; i++)
            here[i] = (uint16_t)becomes[below[i]];
        values = count;
    }
    return TACIT_OK;
}

/* Costs above what is paid in any case. */
static void take_base(tacit__axis *axis, double *costs, size_t count)
{
    axis->base = costs[0];
    for (uint32_t v = 1; v < axis->rung[0].values; v++)
        axis->base = costs[v] < axis->base ? costs[v] : axis->base;
    for (size_t i = 0; i < count; i++)
        costs[i] -= axis->base;
}

/* Looks at one attribute; the axis is dropped again where there is one value only. */
static tacit_status add_axis(tacit__local_group *group, int32_t attribute, size_t *value_at,
                             size_t *cost_at, tacit_error *err)
{
    tacit__axis *axis = &group->axis[group->axes];
    size_t value_from = *value_at, cost_from = *cost_at;
    int floor = group->local->floor[attribute];
    axis->attribute = attribute;
    axis->rungs = 0;
    if (!TACIT__RESERVE(group->values, group->value_capacity, *value_at + (size_t)group->count))
        return tacit__nomem(err);
    uint32_t values = number_floor(group->values + *value_at, group, attribute);
    tacit_status status = add_rung(axis, value_at, cost_at, group, floor, values, err);
    if (status != TACIT_OK)
        return status;
    fill_costs(group->costs + cost_from, group, attribute, floor, values);
    status = climb(axis, value_at, cost_at, group, err);
    if (status != TACIT_OK)
        return status;
    take_base(axis, group->costs + cost_from, *cost_at - cost_from);
    group->base += axis->base;
    if (values == 1) {
        *value_at = value_from;
        *cost_at = cost_from;
    } else {
        group->axes++;
    }
    return TACIT_OK;
}

/* Now that nothing moves any more. */
static void set_pointers(tacit__local_group *group)
{
    const uint16_t *values = group->values;
    const double *costs = group->costs;
    for (int32_t d = 0; d < group->axes; d++)
        for (int r = 0; r < group->axis[d].rungs; r++) {
            tacit__rung *rung = &group->axis[d].rung[r];
            rung->value = values;
            rung->cost = costs;
            rung->least = costs[0];
            for (uint32_t v = 1; v < rung->values; v++)
                rung->least = costs[v] < rung->least ? costs[v] : rung->least;
            values += group->count;
            costs += rung->values;
        }
}

static int by_values(const void *a, const void *b)
{
    const tacit__axis *x = a, *y = b;
    if (x->rung[0].values != y->rung[0].values)
        return x->rung[0].values < y->rung[0].values ? -1 : 1;
    return x->attribute < y->attribute ? -1 : 1;
}

/* What members cost at least from each axis on, if they do not all cost nothing. */
static tacit_status fill_rest(tacit__local_group *group, tacit_error *err)
{
    size_t count = (size_t)group->count;
    bool any = false;
    for (int32_t d = 0; d < group->axes; d++)
        for (uint32_t v = 0; v < group->axis[d].rung[0].values; v++)
            any |= group->axis[d].rung[0].cost[v] > 0;
    if (!any) {
        tacit__free(group->rest);
        group->rest = NULL;
        group->rest_capacity = 0;
        return TACIT_OK;
    }
    if (!TACIT__RESERVE(group->rest, group->rest_capacity, (size_t)(group->axes + 1) * count))
        return tacit__nomem(err);
    double *behind = group->rest + (size_t)group->axes * count;
    memset(behind, 0, count * sizeof *behind);
    for (int32_t d = group->axes - 1; d >= 0; d--, behind -= count) {
        const tacit__rung *ground = &group->axis[d].rung[0];
        for (size_t i = 0; i < count; i++)
            (behind - count)[i] = behind[i] + ground->cost[ground->value[i]];
    }
    return TACIT_OK;
}

tacit_status tacit__group_close(tacit__local_group *group, tacit_error *err)
{
    size_t value_at = 0, cost_at = 0;
    group->axes = 0;
    group->base = 0;
    for (int32_t a = 0; a < group->local->attributes; a++) {
        tacit_status status = add_axis(group, a, &value_at, &cost_at, err);
        if (status != TACIT_OK)
            return status;
    }
    set_pointers(group);
    qsort(group->axis, (size_t)group->axes, sizeof *group->axis, by_values);
    return fill_rest(group, err);
}

static int by_key(const void *a, const void *b)
{
    const tacit__local_ranked *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

void tacit__local_rank(tacit__local_ranked *order, int64_t count)
{
    qsort(order, (size_t)count, sizeof *order, by_key);
}

double tacit__group_span(uint8_t *levels, const tacit__local_group *group, const uint16_t *list,
                         int64_t count)
{
    double cost = group->base;
    for (int32_t a = 0; a < group->local->attributes; a++)
        levels[a] = (uint8_t)group->local->floor[a];
    for (int32_t d = 0; d < group->axes; d++) {
        const tacit__rung *rung = group->axis[d].rung;
        for (int64_t i = 1; i < count; i++)
            while (rung->value[list[i]] != rung->value[list[0]])
                rung++;
        levels[group->axis[d].attribute] = rung->level;
        cost += rung->cost[rung->value[list[0]]];
    }
    return cost;
}

/* ---- the walk ---- */

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
    if (!TACIT__RESERVE(walk->levels, walk->level_capacity, axes) ||
        !TACIT__RESERVE(walk->lists, walk->list_capacity, 3 * axes * members) ||
        !TACIT__RESERVE(walk->slots, walk->slot_capacity, slots))
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
