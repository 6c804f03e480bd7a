/*
 * boxes.c - how many rows are candidates of each possible box.
 *
 * A box is a node in each of some columns; its candidates are the rows that have a possible box
 * which holds it. Most boxes have k rows that have the very same box, or belong to a kind with k
 * rows, and need no further look. First those are found: the boxes of small kinds are sorted by a
 * hash of 64 bits, in rounds of at most ROUND boxes, and the rows behind each are added up. What is
 * left, the thin boxes, are sorted by their nodes, and every possible box of every kind is walked
 * down in them: values under a node are a stretch of numbers. Each thin box that it holds gains the
 * kind's rows, and is put away when it has k; so no thin box is met by more than k kinds. The
 * columns with the fewest values come first, where stretches split least.
 *
 * Cost: a sort of the boxes of small kinds, 32 bytes for each of a round; for thin boxes 4 bytes a
 * column, 16 more, and k visits each. Two different boxes count as the same if their hashes are,
 * one pair in 2^64.
 */
#include <string.h>

#include "audit/previous/previous.h"
#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/vector.h"

enum { ROUND = 1 << 19 };

#define NOT_THIN UINT32_MAX

/* One box of one kind: its own, or that of a pair. */
typedef struct box {
    uint32_t kind;
    uint32_t partner; /* its own kind where the box is its own */
    uint32_t rows;    /* that share it, of those kept as thin */
} box;

/* Thin boxes, sorted. */
typedef struct thin {
    uint32_t count;
    box *boxes; /* while they are gathered */
    size_t box_count, room;
    uint32_t **nodes;     /* a column each */
    uint32_t *sharing;    /* rows with the same box, up to k */
    uint32_t *candidates; /* up to k */
    uint32_t *next;       /* the next that is not put away, by halving paths; itself if it is not */
    uint32_t *stamp;      /* the last kind that was counted, plus 1 */
} thin;

typedef struct stretch {
    uint32_t from, end;
    int32_t column;
} stretch;

typedef struct counting {
    const tacit__row_boxes *boxes;
    int32_t columns[64]; /* of the kinds, fewest values first */
    int32_t column_count;
    uint32_t k;
    const tacit_run *run;
    thin thin;
    stretch *stretches;
    size_t stretch_capacity;
} counting;

static uint32_t node_of(const counting *c, box b, int32_t column)
{
    tacit__previous_nodes nodes = c->boxes->columns[c->columns[column]].nodes;
    uint32_t own = tacit__node_at(nodes, b.kind), other = tacit__node_at(nodes, b.partner);
    return own > other ? own : other; /* they agree, and the finer is the larger */
}

static uint64_t hash_of(const counting *c, box b)
{
    uint64_t hash = 0;
    for (int32_t i = 0; i < c->column_count; i++)
        hash = tacit__mix(hash + node_of(c, b, i) + 1);
    return hash;
}

/* Goes through the boxes of a kind: *at is 0 at first; false when there is no more. */
static bool next_box(box *out, const tacit__row_boxes *boxes, uint32_t kind, uint32_t *at)
{
    uint32_t pairs = boxes->pairs ? tacit__partner_count(boxes->pairs, kind) : 0;
    for (; *at < pairs; ++*at)
        if (tacit__bit_get(boxes->worlds->possible, boxes->pairs->starts[kind] + *at)) {
            *out = (box){kind, tacit__partners(boxes->pairs, kind)[(*at)++], 0};
            return true;
        }
    *out = (box){kind, kind, 0};
    return (*at)++ == pairs && (!boxes->pairs || tacit__bit_get(boxes->worlds->fresh, kind));
}

static bool is_small(const counting *c, uint32_t kind)
{
    return c->boxes->rows[kind] > 0 && c->boxes->rows[kind] < c->k;
}

static int64_t count_boxes(const counting *c)
{
    int64_t count = 0;
    for (uint32_t i = 0; i < c->boxes->count; i++) {
        box b;
        for (uint32_t at = 0; is_small(c, i) && next_box(&b, c->boxes, i, &at);)
            count++;
    }
    return count;
}

/* The boxes whose hashes fall to a round, or their number where `into` is NULL. */
static int64_t gather_round(const counting *c, uint64_t round, uint64_t rounds, tacit__sorter *into)
{
    int64_t count = 0;
    for (uint32_t i = 0; i < c->boxes->count; i++) {
        box b;
        for (uint32_t at = 0; is_small(c, i) && next_box(&b, c->boxes, i, &at);) {
            uint64_t hash = hash_of(c, b);
            if (rounds > 1 && hash % rounds != round)
                continue;
            if (into) {
                into->keys[count] = hash;
                into->values[count] = (uint64_t)b.kind << 32 | b.partner;
            }
            count++;
        }
    }
    return count;
}

/* Adds up the rows of each box, and keeps those with fewer than k. Boxes of a kind were
 * put in together and are still together. */
static bool keep_thin(counting *c, const tacit__sorter *sorted)
{
    thin *t = &c->thin;
    for (int64_t i = 0, end; i < sorted->count; i = end) {
        uint64_t rows = 0;
        for (end = i; end < sorted->count && sorted->keys[end] == sorted->keys[i]; end++)
            if (end == i || sorted->values[end] >> 32 != sorted->values[end - 1] >> 32)
                rows += c->boxes->rows[sorted->values[end] >> 32];
        if (rows >= c->k)
            continue;
        if (!TACIT__RESERVE_ONE(t->boxes, t->room, t->box_count))
            return false;
        t->boxes[t->box_count++] =
            (box){(uint32_t)(sorted->values[i] >> 32), (uint32_t)sorted->values[i], (uint32_t)rows};
    }
    return true;
}

static tacit_status find_thin(counting *c, tacit_error *err)
{
    int64_t count = count_boxes(c);
    uint64_t rounds = (uint64_t)(count / ROUND) + 1;
    tacit_status status = TACIT_OK;
    for (uint64_t round = 0; round < rounds && status == TACIT_OK; round++) {
        tacit__sorter sorter = {0};
        int64_t here = rounds > 1 ? gather_round(c, round, rounds, NULL) : count;
        status = tacit__sorter_init(&sorter, here, 64, true, err);
        if (status != TACIT_OK)
            return status;
        gather_round(c, round, rounds, &sorter);
        status = tacit__sorter_sort(&sorter, c->run, err);
        if (status == TACIT_OK && !keep_thin(c, &sorter))
            status = tacit__nomem(err);
        tacit__sorter_clear(&sorter);
    }
    return status;
}

/* Thin boxes by columns, sorted; each stands there once. */
static tacit_status lay_thin(counting *c, const tacit__partition *sorted, tacit_error *err)
{
    thin *t = &c->thin;
    t->count = (uint32_t)sorted->count;
    t->nodes = tacit__alloc_zeroed((size_t)c->column_count, sizeof *t->nodes);
    t->sharing = tacit__alloc_array(t->count, sizeof *t->sharing);
    t->candidates = tacit__alloc_zeroed(t->count, sizeof *t->candidates);
    t->next = tacit__alloc_array((size_t)t->count + 1, sizeof *t->next);
    t->stamp = tacit__alloc_zeroed(t->count, sizeof *t->stamp);
    bool whole = t->nodes && t->sharing && t->candidates && t->next && t->stamp;
    for (int32_t i = 0; i < c->column_count && whole; i++) {
        t->nodes[i] = tacit__alloc_array(t->count, sizeof **t->nodes);
        whole = t->nodes[i] != NULL;
        for (uint32_t j = 0; j < t->count && whole; j++)
            t->nodes[i][j] = node_of(c, t->boxes[sorted->first[j]], i);
    }
    for (uint32_t i = 0; whole && i <= t->count; i++)
        t->next[i] = i;
    for (uint32_t i = 0; whole && i < t->count; i++)
        t->sharing[i] = t->boxes[sorted->first[i]].rows;
    return whole ? TACIT_OK : tacit__nomem(err);
}

static tacit_status sort_thin(counting *c, tacit_error *err)
{
    thin *t = &c->thin;
    tacit__keys keys = {.rows = (int64_t)t->box_count, .run = c->run};
    tacit__partition sorted = {0};
    tacit_status status = TACIT_OK;
    uint32_t *columns = tacit__alloc_array(t->box_count * (size_t)c->column_count, sizeof *columns);
    if (!columns)
        return tacit__nomem(err);
    for (int32_t i = 0; i < c->column_count && status == TACIT_OK; i++) {
        uint32_t *nodes = columns + t->box_count * (size_t)i, most = 0;
        for (size_t j = 0; j < t->box_count; j++) {
            nodes[j] = node_of(c, t->boxes[j], i);
            most = nodes[j] > most ? nodes[j] : most;
        }
        if (most > 0)
            status = tacit__keys_add(&keys, (tacit_codes_view){nodes, 4}, most, err);
    }
    if (status == TACIT_OK)
        status = tacit__partition_of(&sorted, &keys, err);
    tacit__keys_clear(&keys);
    tacit__free(columns);
    if (status == TACIT_OK)
        status = lay_thin(c, &sorted, err);
    tacit__partition_clear(&sorted);
    return status;
}

/* The first of nodes[from..end) that is not below a node. */
static uint32_t place(const uint32_t *nodes, uint32_t from, uint32_t end, uint32_t node)
{
    TACIT__BISECT(from, end, middle, nodes[middle] < node);
    return from;
}

/* The first from a place on that is not put away. */
static uint32_t left_from(thin *t, uint32_t at)
{
    while (t->next[at] != at)
        at = t->next[at] = t->next[t->next[at]];
    return at;
}

static void gain(counting *c, uint32_t at, uint32_t kind)
{
    thin *t = &c->thin;
    if (t->stamp[at] == kind + 1)
        return;
    t->stamp[at] = kind + 1;
    uint32_t missing = c->k - t->candidates[at], rows = c->boxes->rows[kind];
    t->candidates[at] += rows < missing ? rows : missing;
    if (t->candidates[at] == c->k)
        t->next[at] = at + 1;
}

/* Parts of a stretch whose values lie under a node, those that are put away left out. */
static bool push_under(counting *c, size_t *count, stretch s, uint32_t node, uint32_t end)
{
    thin *t = &c->thin;
    const uint32_t *nodes = t->nodes[s.column];
    uint32_t at = left_from(t, place(nodes, s.from, s.end, node));
    while (at < s.end && nodes[at] < end) {
        uint32_t next = place(nodes, at, s.end, nodes[at] + 1);
        if (!TACIT__RESERVE(c->stretches, c->stretch_capacity, *count + 1))
            return false;
        c->stretches[(*count)++] = (stretch){at, next, s.column + 1};
        at = left_from(t, next);
    }
    return true;
}

/* Every thin box that a box holds gains its kind's rows. */
static bool gain_under(counting *c, box b)
{
    size_t count = 0;
    stretch s = {0, c->thin.count, 0};
    for (;; s = c->stretches[--count]) {
        if (s.column == c->column_count) {
            gain(c, s.from, b.kind);
        } else {
            uint32_t node = node_of(c, b, s.column);
            uint32_t end = c->boxes->columns[c->columns[s.column]].ends[node];
            if (!push_under(c, &count, s, node, end))
                return false;
        }
        if (count == 0)
            return true;
    }
}

static tacit_status count_thin(counting *c, tacit_error *err)
{
    for (uint32_t i = 0; i < c->boxes->count; i++) {
        box b;
        for (uint32_t at = 0; c->boxes->rows[i] && next_box(&b, c->boxes, i, &at);)
            if (!gain_under(c, b))
                return tacit__nomem(err);
        if ((i & ((1 << 14) - 1)) == 0) {
            tacit_status status = tacit__progress(c->run, "joining", i, c->boxes->count, err);
            if (status != TACIT_OK)
                return status;
        }
    }
    return TACIT_OK;
}

/* The thin box that is the same, or NOT_THIN. */
static uint32_t find_thin_box(const counting *c, box b)
{
    const thin *t = &c->thin;
    uint32_t from = 0, end = t->count;
    for (int32_t i = 0; i < c->column_count; i++) {
        uint32_t node = node_of(c, b, i);
        from = place(t->nodes[i], from, end, node);
        end = place(t->nodes[i], from, end, node + 1);
        if (from == end)
            return NOT_THIN;
    }
    return from;
}

/* Boxes that a kind of k rows has were only thin as long as nobody asked such kinds. */
static void share_large(counting *c)
{
    for (uint32_t i = 0; i < c->boxes->count; i++) {
        box b;
        for (uint32_t at = 0; c->boxes->rows[i] >= c->k && next_box(&b, c->boxes, i, &at);) {
            uint32_t same = find_thin_box(c, b);
            if (same != NOT_THIN)
                c->thin.sharing[same] = c->k;
        }
    }
}

static void tell_kind(tacit__row_counts *counts, const counting *c, uint32_t kind)
{
    const thin *t = &c->thin;
    bool all = true, any = false;
    box b;
    for (uint32_t at = 0; next_box(&b, c->boxes, kind, &at);) {
        uint32_t same = find_thin_box(c, b);
        uint32_t sharing = same == NOT_THIN ? c->k : t->sharing[same],
                 candidates = same == NOT_THIN ? c->k : t->candidates[same];
        if (sharing < counts->sharing[kind])
            counts->sharing[kind] = sharing;
        if (candidates < counts->candidates[kind])
            counts->candidates[kind] = candidates;
        all &= (counts->by_candidates ? candidates : sharing) < c->k;
        any = true;
    }
    counts->sure[kind] |= any && all;
}

/* Fewest values first. */
static void order_columns(counting *c, const int32_t *columns, int32_t count)
{
    uint32_t values[64];
    for (int32_t i = 0; i < count; i++) {
        uint32_t most = c->boxes->columns[columns[i]].most;
        int32_t at = i;
        for (; at > 0 && most < values[at - 1]; at--) {
            values[at] = values[at - 1];
            c->columns[at] = c->columns[at - 1];
        }
        values[at] = most;
        c->columns[at] = columns[i];
    }
    c->column_count = count;
}

static void counting_clear(counting *c)
{
    for (int32_t i = 0; c->thin.nodes && i < c->column_count; i++)
        tacit__free(c->thin.nodes[i]);
    tacit__free(c->thin.nodes);
    tacit__free(c->thin.boxes);
    tacit__free(c->thin.sharing);
    tacit__free(c->thin.candidates);
    tacit__free(c->thin.next);
    tacit__free(c->thin.stamp);
    tacit__free(c->stretches);
}

tacit_status tacit__count_boxes(tacit__row_counts *counts, const tacit__row_boxes *boxes,
                                const int32_t *columns, int32_t column_count, uint32_t k,
                                const tacit_run *run, tacit_error *err)
{
    counting c = {.boxes = boxes, .k = k, .run = run};
    order_columns(&c, columns, column_count);
    tacit_status status = find_thin(&c, err);
    if (status == TACIT_OK && c.thin.box_count > 0)
        status = sort_thin(&c, err);
    if (status == TACIT_OK && c.thin.count > 0)
        status = count_thin(&c, err);
    if (status == TACIT_OK && c.thin.count > 0) {
        share_large(&c);
        for (uint32_t i = 0; i < boxes->count; i++)
            if (is_small(&c, i))
                tell_kind(counts, &c, i);
    }
    counting_clear(&c);
    return status;
}

tacit_status tacit__row_counts_init(tacit__row_counts *counts, uint32_t kinds,
                                    const tacit_two_releases *two, tacit_error *err)
{
    tacit__row_counts made = {.by_candidates = two->by_candidates};
    uint32_t k = two->k < UINT32_MAX ? (uint32_t)two->k : UINT32_MAX;
    made.sharing = tacit__alloc_array(kinds, sizeof *made.sharing);
    made.candidates = tacit__alloc_array(kinds, sizeof *made.candidates);
    made.sure = tacit__alloc_zeroed(kinds, sizeof *made.sure);
    if (!made.sharing || !made.candidates || !made.sure) {
        tacit__row_counts_clear(&made);
        return tacit__nomem(err);
    }
    for (uint32_t i = 0; i < kinds; i++)
        made.sharing[i] = made.candidates[i] = k;
    *counts = made;
    return TACIT_OK;
}

void tacit__row_counts_clear(tacit__row_counts *counts)
{
    tacit__free(counts->sharing);
    tacit__free(counts->candidates);
    tacit__free(counts->sure);
    *counts = (tacit__row_counts){0};
}
