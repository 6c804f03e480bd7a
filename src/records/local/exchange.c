/*
 * exchange.c - members exchanged between boxes that lie near to each other.
 *
 * The boxes of wide tables are too many to be gone through as improve.c does. Here two members of
 * different boxes change places, or one leaves a box that can spare it, if the boxes cost less
 * afterwards; or, with a chance that falls with what it costs and from round to round, although
 * they cost more (simulated annealing; Kirkpatrick, Gelatt and Vecchi 1983). Which boxes lie in one
 * window changes from round to round, and windows share no boxes: so all of them are gone through
 * in parallel, and what comes out depends on the rounds alone. In the last rounds nothing may cost
 * more. If all of it did not help in the end, the layout stays as it was.
 *
 * What a box costs with one member in another's place: for each member the box without it is kept,
 * of which only the axes matter that are not on their highest rung yet. The rung on which two
 * values are one is looked up. So a try costs a look at a few axes, and only one that succeeds goes
 * through the members of two boxes.
 *
 * Costs up to MOST_WORK such looks, of which each window has its share.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/local/wide.h"

enum {
    HEATED_ROUNDS = 40,
    COLD_ROUNDS = 3,     /* at last, in which nothing may cost more */
    NEAR_MEMBERS = 128,  /* of a window */
    MOST_MEMBERS = 4096, /* of one that is gone through at all */
    WORK_A_MEMBER = 200000,
    A_TRY = 8 /* looks that a try costs in any case */
};
#define MOST_WORK INT64_C(200000000)

/* Of what k rows cost on the highest level of one attribute, times the root of the attributes. */
static const double FIRST_HEAT = 0.032, LAST_HEAT = 0.008;

/* A box of a window. */
typedef struct swap_box {
    int64_t people;
    double rows, cost; /* a row */
    int32_t count;
    uint16_t *members;
} swap_box;

/* A box without one of its members: an axis on which it is not on the highest rung. */
typedef struct open_axis {
    uint16_t axis, rung;
    uint32_t meets, costs; /* where those of its value begin */
} open_axis;

typedef struct remains {
    double flat;  /* what the other axes cost, and the group's base */
    double cost;  /* of all axes */
    int32_t open; /* axes; -1: nobody is left */
} remains;

typedef struct axis_place {
    uint32_t values, rungs, meets, costs;
} axis_place;

/* A worker's room. */
typedef struct swapper {
    tacit__local_group group;
    int64_t k, work, limit;
    uint64_t state; /* of chance */
    swap_box *boxes;
    int32_t box_count;
    uint16_t *lists; /* the boxes' members: room for all in each */
    uint16_t *home;  /* a member each: its box */
    double *rows;
    uint16_t *values;   /* a member each, an axis each */
    axis_place *places; /* an axis each */
    uint8_t *meets;     /* an axis each, a value, another: the rung on which they are one */
    double *costs;      /* an axis each, a value: what it costs on each rung */
    remains *remains;   /* a member each */
    open_axis *open;    /* a member each, as many as there are axes */
    uint8_t *rungs, *highest, *second; /* an axis each */
    size_t box_capacity, list_capacity, home_capacity, row_capacity, value_capacity, place_capacity,
        meet_capacity, cost_capacity, remain_capacity, open_capacity, rung_capacity,
        highest_capacity, second_capacity;
} swapper;

static void swapper_clear(swapper *s)
{
    void *blocks[] = {s->boxes, s->lists,   s->home, s->rows,  s->values,  s->places, s->meets,
                      s->costs, s->remains, s->open, s->rungs, s->highest, s->second};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        tacit__free(blocks[i]);
    tacit__group_clear(&s->group);
}

static const uint16_t *values_of(const swapper *s, int32_t member)
{
    return s->values + (size_t)member * (size_t)s->group.axes;
}

/* The rung of an axis on which two members are one. */
static uint8_t meeting_rung(const swapper *s, int32_t d, const uint16_t *one, const uint16_t *other)
{
    const axis_place *p = &s->places[d];
    return s->meets[p->meets + one[d] * p->values + other[d]];
}

static double cost_on(const swapper *s, int32_t d, const uint16_t *values, uint8_t rung)
{
    const axis_place *p = &s->places[d];
    return s->costs[p->costs + values[d] * p->rungs + rung];
}

/* What a row costs that is alone in its box. */
static double cost_alone(const swapper *s, int32_t member)
{
    double cost = s->group.base;
    for (int32_t d = 0; d < s->group.axes; d++)
        cost += cost_on(s, d, values_of(s, member), 0);
    return cost;
}

/* Notes a box on s->rungs as what is left of a member's; `other` is one of those left. */
static void note_remains(swapper *s, int32_t member, int32_t other)
{
    remains *r = &s->remains[member];
    open_axis *open = s->open + (size_t)member * (size_t)s->group.axes;
    const uint16_t *values = values_of(s, other);
    double cost = 0;
    *r = (remains){.flat = s->group.base};
    for (int32_t d = 0; d < s->group.axes; d++) {
        const axis_place *p = &s->places[d];
        double here = cost_on(s, d, values, s->rungs[d]);
        if (s->rungs[d] + 1u == p->rungs) {
            r->flat += here;
            continue;
        }
        open[r->open++] = (open_axis){.axis = (uint16_t)d,
                                      .rung = s->rungs[d],
                                      .meets = p->meets + values[d] * p->values,
                                      .costs = p->costs + values[d] * p->rungs};
        cost += here;
    }
    r->cost = r->flat + cost;
}

/* The highest rungs on which members of a list meet the one at `first`, and the second highest. */
static void find_highest(swapper *s, const swap_box *box, int32_t first)
{
    size_t axes = (size_t)s->group.axes;
    memset(s->highest, 0, axes);
    memset(s->second, 0, axes);
    const uint16_t *own = values_of(s, box->members[first]);
    for (int32_t i = first + 1; i < box->count; i++) {
        const uint16_t *values = values_of(s, box->members[i]);
        for (int32_t d = 0; d < s->group.axes; d++) {
            uint8_t rung = meeting_rung(s, d, own, values), highest = s->highest[d];
            s->second[d] = rung > highest ? highest : rung > s->second[d] ? rung : s->second[d];
            s->highest[d] = rung > highest ? rung : highest;
        }
    }
}

/* What a box costs, and what is left of it without each of its members. */
static void refresh(swapper *s, swap_box *box)
{
    int32_t axes = s->group.axes;
    if (box->count < 2) {
        s->remains[box->members[0]] = (remains){.open = -1};
        box->cost = box->count > 0 ? cost_alone(s, box->members[0]) : 0;
        return;
    }
    find_highest(s, box, 0);
    const uint16_t *own = values_of(s, box->members[0]);
    box->cost = s->group.base;
    for (int32_t d = 0; d < axes; d++)
        box->cost += cost_on(s, d, own, s->highest[d]);
    for (int32_t i = 1; i < box->count; i++) {
        const uint16_t *values = values_of(s, box->members[i]);
        for (int32_t d = 0; d < axes; d++) {
            bool sets = meeting_rung(s, d, own, values) == s->highest[d];
            s->rungs[d] = sets ? s->second[d] : s->highest[d];
        }
        note_remains(s, box->members[i], box->members[0]);
    }
    find_highest(s, box, 1);
    memcpy(s->rungs, s->highest, (size_t)axes);
    note_remains(s, box->members[0], box->members[1]);
    s->work += (int64_t)4 * axes * box->count;
}

/* What a row costs in the box of a member, with another in its place; at `limit` or above, that. */
static double cost_with(swapper *s, int32_t out, int32_t in, double limit)
{
    const remains *r = &s->remains[out];
    const open_axis *open = s->open + (size_t)out * (size_t)s->group.axes;
    const uint16_t *values = values_of(s, in);
    double cost = r->flat;
    int32_t i = 0;
    if (r->open < 0)
        return cost_alone(s, in);
    for (; i < r->open && cost < limit; i++) {
        uint8_t rung = s->meets[open[i].meets + values[open[i].axis]];
        cost += s->costs[open[i].costs + (rung > open[i].rung ? rung : open[i].rung)];
    }
    s->work += i;
    return cost;
}

/* What a row costs in a box with one member more. */
static double cost_joined(swapper *s, const swap_box *box, int32_t in)
{
    const uint16_t *own = values_of(s, box->members[0]), *values = values_of(s, in);
    double cost = s->group.base;
    for (int32_t d = 0; d < s->group.axes; d++) {
        uint8_t highest = meeting_rung(s, d, own, values);
        for (int32_t i = 1; i < box->count; i++) {
            uint8_t rung = meeting_rung(s, d, own, values_of(s, box->members[i]));
            highest = rung > highest ? rung : highest;
        }
        cost += cost_on(s, d, own, highest);
    }
    s->work += (int64_t)s->group.axes * box->count;
    return cost;
}

static void move(swapper *s, uint16_t member, uint16_t to)
{
    swap_box *from = &s->boxes[s->home[member]], *box = &s->boxes[to];
    int64_t people = s->group.members[member].people;
    int32_t at = 0;
    while (from->members[at] != member)
        at++;
    from->members[at] = from->members[--from->count];
    from->people -= people;
    from->rows -= s->rows[member];
    box->members[box->count++] = member;
    box->people += people;
    box->rows += s->rows[member];
    s->home[member] = to;
}

/* Exchanges members of different boxes if these keep k people and cost less than `most` more. */
static bool try_exchange(swapper *s, uint16_t i, uint16_t j, double most)
{
    uint16_t a = s->home[i], b = s->home[j];
    swap_box *one = &s->boxes[a], *other = &s->boxes[b];
    const tacit__share *members = s->group.members;
    int64_t more = (int64_t)members[j].people - (int64_t)members[i].people;
    s->work += A_TRY;
    if (one->people + more < s->k || other->people - more < s->k)
        return false;
    double rows = one->rows + s->rows[j] - s->rows[i];
    double other_rows = other->rows - s->rows[j] + s->rows[i];
    double least = other_rows * s->remains[j].cost;
    double left = most + one->rows * one->cost + other->rows * other->cost;
    left -= rows * cost_with(s, i, j, (left - least) / rows);
    if (left <= least || left <= other_rows * cost_with(s, j, i, left / other_rows))
        return false;
    move(s, i, b);
    move(s, j, a);
    refresh(s, one);
    refresh(s, other);
    return true;
}

/* Moves a member over from a box that can spare it, or where it is alone. */
static bool try_move(swapper *s, uint16_t i, uint16_t to, double most)
{
    uint16_t from = s->home[i];
    swap_box *one = &s->boxes[from], *other = &s->boxes[to];
    int64_t people = s->group.members[i].people;
    s->work += A_TRY;
    if (from == to || other->count == 0 || (one->people - people < s->k && one->count > 1))
        return false;
    double before = one->rows * one->cost + other->rows * other->cost;
    double stays = one->count > 1 ? (one->rows - s->rows[i]) * s->remains[i].cost : 0;
    double joins = other->rows + s->rows[i];
    if (joins * other->cost + stays - before >= most ||
        joins * cost_joined(s, other, i) + stays - before >= most)
        return false;
    move(s, i, to);
    if (one->count > 0)
        refresh(s, one);
    refresh(s, other);
    return true;
}

/* Tries by chance until the work is done. */
static void anneal(swapper *s, double heat)
{
    uint64_t count = (uint64_t)s->group.count;
    while (s->work < s->limit) {
        uint64_t drawn = tacit__draw(&s->state);
        uint16_t i = (uint16_t)((drawn & 0xFFFFFF) % count);
        uint16_t j = (uint16_t)((drawn >> 24 & 0xFFFFFF) % count);
        double most = -heat * log(((double)(drawn >> 48) + 1) / 65537);
        bool spare = s->boxes[s->home[i]].people - s->group.members[i].people >= s->k;
        if (s->home[i] == s->home[j])
            s->work += A_TRY;
        else if (spare && (drawn >> 23 & 1))
            try_move(s, i, s->home[j], most);
        else
            try_exchange(s, i, j, most);
    }
}

/* Tries everything until nothing gets better, or the work is done. */
static void descend(swapper *s)
{
    int32_t count = s->group.count, since = 0;
    double least = -1e-9 * s->group.rows;
    for (int32_t i = 0; since < count && s->work < s->limit; i = i + 1 < count ? i + 1 : 0) {
        bool any = false;
        for (int32_t b = 0; b < s->box_count; b++)
            any |= try_move(s, (uint16_t)i, (uint16_t)b, least);
        for (int32_t j = 0; j < count; j++)
            if (s->home[i] != s->home[j])
                any |= try_exchange(s, (uint16_t)i, (uint16_t)j, least);
        since = any ? 0 : since + 1;
    }
}

/* ---- windows ---- */

static tacit_status reserve_room(swapper *s, int64_t boxes, tacit_error *err)
{
    const tacit__local_group *g = &s->group;
    size_t count = (size_t)g->count, axes = (size_t)g->axes, meets = 0, costs = 0;
    if (!TACIT__RESERVE(s->places, s->place_capacity, axes))
        return tacit__nomem(err);
    for (size_t d = 0; d < axes; d++) {
        size_t values = g->axis[d].rung[0].values, rungs = (size_t)g->axis[d].rungs;
        s->places[d] =
            (axis_place){(uint32_t)values, (uint32_t)rungs, (uint32_t)meets, (uint32_t)costs};
        meets += values * values;
        costs += values * rungs;
    }
    if (!TACIT__RESERVE(s->boxes, s->box_capacity, boxes) ||
        !TACIT__RESERVE(s->lists, s->list_capacity, (size_t)boxes * count) ||
        !TACIT__RESERVE(s->home, s->home_capacity, count) ||
        !TACIT__RESERVE(s->rows, s->row_capacity, count) ||
        !TACIT__RESERVE(s->values, s->value_capacity, count * axes) ||
        !TACIT__RESERVE(s->meets, s->meet_capacity, meets) ||
        !TACIT__RESERVE(s->costs, s->cost_capacity, costs) ||
        !TACIT__RESERVE(s->remains, s->remain_capacity, count) ||
        !TACIT__RESERVE(s->open, s->open_capacity, count * axes) ||
        !TACIT__RESERVE(s->rungs, s->rung_capacity, axes) ||
        !TACIT__RESERVE(s->highest, s->highest_capacity, axes) ||
        !TACIT__RESERVE(s->second, s->second_capacity, axes))
        return tacit__nomem(err);
    return TACIT_OK;
}

/* Looks values of an axis up, on each rung and against each other. */
static void fill_axis(swapper *s, int32_t d)
{
    const axis_place *p = &s->places[d];
    const tacit__rung *rung = s->group.axis[d].rung;
    uint16_t *stands = s->home; /* a value each: a member that has it; homes come later */
    for (int32_t i = s->group.count - 1; i >= 0; i--) {
        stands[rung->value[i]] = (uint16_t)i;
        s->values[(size_t)i * (size_t)s->group.axes + (size_t)d] = rung->value[i];
    }
    for (uint32_t v = 0; v < p->values; v++) {
        for (uint32_t r = 0; r < p->rungs; r++)
            s->costs[p->costs + v * p->rungs + r] = rung[r].cost[rung[r].value[stands[v]]];
        for (uint32_t u = 0; u < p->values; u++) {
            uint8_t r = 0;
            while (rung[r].value[stands[u]] != rung[r].value[stands[v]])
                r++;
            s->meets[p->meets + v * p->values + u] = r;
        }
    }
}

typedef struct exchanging {
    const tacit__local *local;
    tacit__windows windows;       /* of the round */
    tacit__local_layout *layouts; /* a window each */
    swapper *swappers;            /* a worker each */
    int workers;
    int64_t work; /* of all rounds that are not cold */
    double heat;
    uint64_t round;
} exchanging;

static tacit_status add_shares(swapper *s, const tacit__windows *windows, int64_t window,
                               tacit_error *err)
{
    const tacit__local_layout *layout = windows->layout;
    tacit_status status = TACIT_OK;
    tacit__group_empty(&s->group);
    for (int64_t w = windows->starts[window]; w < windows->starts[window + 1]; w++)
        for (int64_t i = layout->starts[windows->boxes[w]];
             status == TACIT_OK && i < layout->starts[windows->boxes[w] + 1]; i++)
            status = tacit__group_add(&s->group, layout->shares[i], err);
    return status;
}

/* Puts the members into the boxes where they are, in the order in which they were added. */
static void fill_boxes(swapper *s, const tacit__windows *windows, int64_t window)
{
    const int64_t *starts = windows->layout->starts, from = windows->starts[window];
    int32_t member = 0;
    s->box_count = (int32_t)(windows->starts[window + 1] - from);
    for (int32_t b = 0; b < s->box_count; b++) {
        int64_t item = windows->boxes[from + b];
        swap_box *box = &s->boxes[b];
        *box = (swap_box){.members = s->lists + (size_t)b * (size_t)s->group.count};
        for (int64_t i = starts[item]; i < starts[item + 1]; i++, member++) {
            s->home[member] = (uint16_t)b;
            s->rows[member] = tacit__share_rows(windows->local, s->group.members[member]);
            box->members[box->count++] = (uint16_t)member;
            box->people += s->group.members[member].people;
            box->rows += s->rows[member];
        }
        refresh(s, box);
    }
}

static tacit_status give_boxes(tacit__local_layout *out, const swapper *s, tacit_error *err)
{
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    tacit_status status = TACIT_OK;
    for (int32_t b = 0; b < s->box_count && status == TACIT_OK; b++) {
        const swap_box *box = &s->boxes[b];
        if (box->count == 0)
            continue;
        tacit__group_span(levels, &s->group, box->members, box->count);
        status = tacit__layout_open(out, levels, s->group.local->attributes, err);
        for (int32_t i = 0; i < box->count && status == TACIT_OK; i++)
            status = tacit__layout_add(out, s->group.members[box->members[i]], err);
    }
    return status;
}

static tacit_status window_task(void *context, int64_t task, int worker, tacit_error *err)
{
    exchanging *e = context;
    swapper *s = &e->swappers[worker];
    const tacit__windows *windows = &e->windows;
    tacit_status status = add_shares(s, windows, task, err);
    if (status == TACIT_OK && s->group.count > MOST_MEMBERS)
        return tacit__windows_keep(&e->layouts[task], windows, task, err);
    if (status == TACIT_OK)
        status = tacit__group_close(&s->group, err);
    if (status == TACIT_OK)
        status = reserve_room(s, windows->starts[task + 1] - windows->starts[task], err);
    if (status != TACIT_OK)
        return status;
    for (int32_t d = 0; d < s->group.axes; d++)
        fill_axis(s, d);
    fill_boxes(s, windows, task);
    s->k = e->local->k;
    s->work = 0;
    s->limit = e->work / HEATED_ROUNDS * s->group.count / windows->layout->share_count;
    s->state = tacit__mix(e->round) + (uint64_t)task;
    if (e->heat > 0)
        anneal(s, e->heat);
    else
        descend(s);
    return give_boxes(&e->layouts[task], s, err);
}

/* ---- rounds ---- */

/* Windows of near boxes. */
static tacit_status order_boxes(tacit__windows *w, uint64_t seed, tacit__joined *joined,
                                tacit_error *err)
{
    const tacit__local_layout *layout = w->layout;
    int64_t size = NEAR_MEMBERS * layout->boxes / layout->share_count;
    size = size < 2 ? 2 : size;
    tacit__near *items = tacit__alloc_array((size_t)layout->boxes, sizeof *items);
    w->boxes = tacit__alloc_array((size_t)layout->boxes, sizeof *w->boxes);
    w->starts = tacit__alloc_array((size_t)(layout->boxes / size) + 2, sizeof *w->starts);
    if (!items || !w->boxes || !w->starts) {
        tacit__free(items);
        return tacit__nomem(err);
    }
    for (int64_t b = 0; b < layout->boxes; b++)
        items[b] = (tacit__near){.class_index = layout->shares[layout->starts[b]].class_index,
                                 .item = (uint32_t)b};
    tacit__near_order(items, layout->boxes, size, seed, joined);
    for (int64_t b = 0; b < layout->boxes; b++)
        w->boxes[b] = items[b].item;
    for (int64_t b = 0; b < layout->boxes; b += size)
        w->starts[w->count++] = b;
    w->starts[w->count] = layout->boxes;
    tacit__free(items);
    return TACIT_OK;
}

/* One round: a layout in place of another. */
static tacit_status go_round(tacit__local_layout *layout, exchanging *e, tacit__joined *joined,
                             tacit_error *err)
{
    tacit__local_layout made = {0};
    e->windows = (tacit__windows){.local = e->local, .layout = layout};
    tacit_status status = order_boxes(&e->windows, e->round, joined, err);
    e->layouts = tacit__alloc_zeroed((size_t)e->windows.count, sizeof *e->layouts);
    if (status == TACIT_OK && !e->layouts)
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status =
            tacit__parallel(e->local->run, "exchanging", e->windows.count, window_task, e, err);
    for (int64_t w = 0; e->layouts && w < e->windows.count; w++) {
        if (status == TACIT_OK)
            status = tacit__layout_append(&made, &e->layouts[w], e->local->attributes, err);
        tacit__layout_clear(&e->layouts[w]);
    }
    tacit__free(e->layouts);
    tacit__windows_clear(&e->windows);
    tacit__layout_clear(status == TACIT_OK ? layout : &made);
    if (status == TACIT_OK)
        *layout = made;
    return status;
}

/* What may cost more in a round. */
static double heat_of(const tacit__local *local, int round)
{
    double top = 0;
    for (int32_t a = 0; a < local->attributes; a++)
        top += local->level_cost[a][local->height[a]];
    double unit = (double)local->k * top / sqrt(local->attributes);
    double share = (double)round / (HEATED_ROUNDS - 1);
    return round < HEATED_ROUNDS ? unit * FIRST_HEAT * pow(LAST_HEAT / FIRST_HEAT, share) : 0;
}

static tacit_status go_rounds(tacit__local_layout *layout, exchanging *e, tacit_error *err)
{
    tacit__joined joined;
    tacit_status status = tacit__joined_init(&joined, e->local, err);
    if (status != TACIT_OK)
        return status;
    for (int round = 0; status == TACIT_OK && round < HEATED_ROUNDS + COLD_ROUNDS; round++) {
        e->round = (uint64_t)round;
        e->heat = heat_of(e->local, round);
        status = go_round(layout, e, &joined, err);
    }
    tacit__joined_clear(&joined);
    return status;
}

static tacit_status init_swappers(exchanging *e, tacit_error *err)
{
    int workers = tacit__threads(e->local->run);
    e->swappers = tacit__alloc_zeroed((size_t)workers, sizeof *e->swappers);
    tacit_status status = e->swappers ? TACIT_OK : tacit__nomem(err);
    for (; status == TACIT_OK && e->workers < workers; e->workers += status == TACIT_OK)
        status = tacit__group_init(&e->swappers[e->workers].group, e->local, err);
    return status;
}

tacit_status tacit__local_exchange(tacit__local_layout *layout, const tacit__local *local,
                                   tacit_error *err)
{
    exchanging e = {.local = local};
    tacit__local_layout changed = {0};
    tacit_status status = init_swappers(&e, err);
    if (status == TACIT_OK)
        status = tacit__layout_append(&changed, layout, local->attributes, err);
    e.work = layout->share_count < MOST_WORK / WORK_A_MEMBER ? layout->share_count * WORK_A_MEMBER
                                                             : MOST_WORK;
    if (status == TACIT_OK && layout->boxes > 1)
        status = go_rounds(&changed, &e, err);
    if ((status == TACIT_OK || status == TACIT_CANCELLED) &&
        tacit__layout_cost(&changed, local, 0, changed.boxes) <
            tacit__layout_cost(layout, local, 0, layout->boxes)) {
        tacit__local_layout before = *layout;
        *layout = changed;
        changed = before;
    }
    tacit__layout_clear(&changed);
    for (int w = 0; w < e.workers; w++)
        swapper_clear(&e.swappers[w]);
    tacit__free(e.swappers);
    return status;
}
