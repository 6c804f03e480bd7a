/*
 * clusters.c - everybody in boxes, each made of records that are near to each other.
 *
 * Where there are many attributes, dividing from the top (split.c) chooses a few of them and gives
 * up the rest, although nearly every record has others that are near to it in many. So boxes are
 * made from below, as in greedy k-member clustering (Byun, Kamra, Bertino and Li 2007): the next
 * one starts with the class that is farthest from where the last one did, for those are the hardest
 * to place, and takes in what costs least with it until it has k people. Instead of one way to do
 * so, the best few are followed side by side (a beam), of which the best in the end is taken: the
 * nearest record is often not part of the best box. Members come from the classes nearest to the
 * first one. Fewer than k people who are left join the last box.
 *
 * Costs a look at a cell for each attribute and pair of a box and a class that is left, and for
 * each step of a beam and candidate. Where classes are too many for that, those that lie near to
 * each other are made blocks, in which boxes are made alone.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "records/local/wide.h"

enum {
    LEAST_WIDE = 10,  /* attributes */
    MOST_WAYS = 8,    /* that a beam follows */
    CANDIDATES = 512, /* nearest classes that a box may take in */
    LEAST_BLOCK = 16  /* boxes */
};
#define NOBODY     UINT32_MAX
#define GONE       UINT32_MAX
#define PAIRS_WORK INT64_C(3000000000) /* cells of pairs that may be looked at */

bool tacit__local_is_wide(const tacit__local *local)
{
    return local->codes && !local->models && !local->apart && local->attributes >= LEAST_WIDE;
}

/* A box that is being made, of candidates. */
typedef struct way {
    int32_t count; /* besides the first */
    int64_t people;
    double cost;
    uint64_t name; /* the same for the same candidates in any order */
    uint32_t *members;
} way;

/* A worker's room for a block. */
typedef struct maker {
    tacit__joined joined;
    uint32_t *left; /* classes that are in no box yet */
    int64_t left_count, people;
    tacit__local_ranked *nearest; /* places in `left`, by what they cost with the first */
    int64_t nearest_count;
    way room[2][MOST_WAYS];
    way *ways, *next; /* the cheapest first */
    int32_t way_count, next_count;
    uint32_t *members; /* of all ways */
} maker;

typedef struct making {
    const tacit__local *local;
    tacit__near *items;
    int64_t count, size; /* of classes, and of a block */
    int64_t people;
    bool nobody; /* is counted in some class: all of its people are in others */
    int64_t ways;
    maker *makers;
    tacit__local_layout *layouts; /* a block each */
} making;

static bool nearest_before(const void *a, const void *b)
{
    const tacit__local_ranked *x = a, *y = b; /* the worst comes out first */
    return x->key != y->key ? x->key > y->key : x->index > y->index;
}

/* Lists the classes nearest to the joined one as candidates, and returns the farthest. */
static uint32_t find_candidates(maker *m, size_t most)
{
    uint32_t farthest = m->left[0];
    size_t count = 0;
    double far = -1;
    for (int64_t i = 0; i < m->left_count; i++) {
        tacit__local_ranked one = {tacit__joined_cost(&m->joined, m->left[i], INFINITY),
                                   (uint32_t)i};
        if (one.key > far) {
            far = one.key;
            farthest = m->left[i];
        }
        if (count == most && one.key >= m->nearest[0].key)
            continue;
        if (count == most)
            tacit__heap_pop(&(tacit__local_ranked){0}, m->nearest, &count, sizeof one,
                            nearest_before);
        tacit__heap_push(m->nearest, &count, &one, sizeof one, nearest_before);
    }
    m->nearest_count = (int64_t)count;
    tacit__local_rank(m->nearest, m->nearest_count);
    return farthest;
}

static uint32_t candidate(const maker *m, uint32_t rank)
{
    return m->left[m->nearest[rank].index];
}

static bool has_member(const way *w, uint32_t rank)
{
    for (int32_t i = 0; i < w->count; i++)
        if (w->members[i] == rank)
            return true;
    return false;
}

/* Whether a way to the same box is among the next ones. */
static bool is_known(const maker *m, uint64_t name)
{
    for (int32_t i = 0; i < m->next_count; i++)
        if (m->next[i].name == name)
            return true;
    return false;
}

/* Puts a way, with a candidate more unless rank is NOBODY, among the next ones by its cost; the
 * last is dropped where there are too many. */
static void add_way(maker *m, const way *from, uint32_t rank, double cost, uint64_t name,
                    int32_t most)
{
    int32_t at = m->next_count < most ? m->next_count++ : most - 1;
    uint32_t *members = m->next[at].members; /* of the one that is dropped */
    for (; at > 0 && m->next[at - 1].cost > cost; at--)
        m->next[at] = m->next[at - 1];
    way *w = &m->next[at];
    *w = *from;
    w->members = members;
    w->cost = cost;
    w->name = name;
    memcpy(members, from->members, (size_t)from->count * sizeof *members);
    if (rank == NOBODY)
        return;
    members[w->count++] = rank;
    w->people += m->joined.local->people[candidate(m, rank)];
}

/* Goes on with a way by each candidate that is not too dear. */
static void extend(maker *m, const way *w, uint32_t first, int32_t most)
{
    tacit__joined_start(&m->joined, first);
    for (int32_t i = 0; i < w->count; i++)
        tacit__joined_take(&m->joined, candidate(m, w->members[i]));
    for (uint32_t rank = 0; rank < m->nearest_count; rank++) {
        double limit = m->next_count == most ? m->next[most - 1].cost : INFINITY;
        if (m->nearest[rank].key >= limit) /* a box costs no less than with the first alone */
            break;
        double cost = tacit__joined_cost(&m->joined, candidate(m, rank), limit);
        uint64_t name = w->name + tacit__mix(rank + 1);
        if (cost < limit && !has_member(w, rank) && !is_known(m, name))
            add_way(m, w, rank, cost, name, most);
    }
}

/* Follows the best ways until the best of them has k people. */
static void find_way(maker *m, uint32_t first, int32_t most)
{
    const tacit__local *local = m->joined.local;
    way *ways = m->ways;
    m->way_count = 1;
    ways[0] = (way){.people = local->people[first], .members = ways[0].members};
    while (m->ways[0].people < local->k) {
        m->next_count = 0;
        for (int32_t i = 0; i < m->way_count; i++)
            if (m->ways[i].people < local->k)
                extend(m, &m->ways[i], first, most);
            else if (m->next_count < most || m->ways[i].cost < m->next[most - 1].cost)
                add_way(m, &m->ways[i], NOBODY, m->ways[i].cost, m->ways[i].name, most);
        way *before = m->ways;
        m->ways = m->next;
        m->next = before;
        m->way_count = m->next_count;
    }
}

static tacit_status add_member(tacit__local_layout *out, maker *m, uint32_t class_index,
                               tacit_error *err)
{
    const tacit__local *local = m->joined.local;
    tacit__joined_take(&m->joined, class_index);
    m->people -= local->people[class_index];
    return tacit__layout_add(out, (tacit__share){class_index, local->people[class_index]}, err);
}

/* Takes a class out of those that are left. */
static void take_out(maker *m, uint32_t class_index)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < m->left_count; i++)
        if (m->left[i] != class_index)
            m->left[kept++] = m->left[i];
    m->left_count = kept;
}

/* Makes the box that begins with *first, and says with which the next one does. */
static tacit_status make_box(tacit__local_layout *out, maker *m, uint32_t *first, const making *w,
                             tacit_error *err)
{
    const tacit__local *local = w->local;
    uint32_t one = *first, most = CANDIDATES > 2 * local->k ? CANDIDATES : (uint32_t)(2 * local->k);
    take_out(m, one);
    tacit__joined_start(&m->joined, one);
    if (m->left_count > 0)
        *first = find_candidates(m, most);
    find_way(m, one, (int32_t)w->ways);
    tacit__joined_start(&m->joined, one);
    tacit_status status = tacit__layout_open(out, m->joined.levels, local->attributes, err);
    if (status == TACIT_OK)
        status = add_member(out, m, one, err);
    const way *best = &m->ways[0];
    for (int32_t i = 0; status == TACIT_OK && i < best->count; i++)
        status = add_member(out, m, candidate(m, best->members[i]), err);
    for (int32_t i = 0; i < best->count; i++)
        m->left[m->nearest[best->members[i]].index] = GONE;
    take_out(m, GONE);
    for (; status == TACIT_OK && m->people < local->k && m->left_count > 0; m->left_count--)
        status = add_member(out, m, m->left[m->left_count - 1], err);
    if (status == TACIT_OK)
        memcpy(out->levels + (out->boxes - 1) * local->attributes, m->joined.levels,
               (size_t)local->attributes);
    return status;
}

static bool is_left(const maker *m, uint32_t class_index)
{
    for (int64_t i = 0; i < m->left_count; i++)
        if (m->left[i] == class_index)
            return true;
    return false;
}

static tacit_status block_task(void *context, int64_t task, int worker, tacit_error *err)
{
    making *w = context;
    maker *m = &w->makers[worker];
    int64_t from = task * w->size, to = from + w->size < w->count ? from + w->size : w->count;
    tacit_status status = TACIT_OK;
    m->left_count = m->people = 0;
    for (int64_t i = from; i < to; i++) {
        m->left[m->left_count++] = w->items[i].class_index;
        m->people += w->local->people[w->items[i].class_index];
    }
    uint32_t first = m->left[0];
    while (status == TACIT_OK && m->left_count > 0) {
        status = make_box(&w->layouts[task], m, &first, w, err);
        if (!is_left(m, first) && m->left_count > 0)
            first = m->left[0];
    }
    return status;
}

static void maker_clear(maker *m)
{
    tacit__joined_clear(&m->joined);
    tacit__free(m->left);
    tacit__free(m->nearest);
    tacit__free(m->members);
}

static tacit_status maker_init(maker *m, const making *w, tacit_error *err)
{
    size_t k = (size_t)w->local->k;
    tacit_status status = tacit__joined_init(&m->joined, w->local, err);
    if (status != TACIT_OK)
        return status;
    m->left = tacit__alloc_array((size_t)w->size, sizeof *m->left);
    m->nearest = tacit__alloc_array(CANDIDATES + 2 * k + 1, sizeof *m->nearest);
    m->members = tacit__alloc_array(2 * MOST_WAYS * k, sizeof *m->members);
    if (!m->left || !m->nearest || !m->members)
        return tacit__nomem(err);
    m->ways = m->room[0];
    m->next = m->room[1];
    for (size_t i = 0; i < MOST_WAYS; i++) {
        m->ways[i].members = m->members + i * k;
        m->next[i].members = m->members + (MOST_WAYS + i) * k;
    }
    return TACIT_OK;
}

/* A class of k people has a box of its own; the others are put into blocks. */
static tacit_status sort_out(tacit__local_layout *out, making *w, tacit_error *err)
{
    const tacit__local *local = w->local;
    uint8_t floor[TACIT_MAX_ATTRIBUTES];
    tacit_status status = TACIT_OK;
    for (int32_t a = 0; a < local->attributes; a++)
        floor[a] = (uint8_t)local->floor[a];
    for (int64_t c = 0; status == TACIT_OK && c < local->classes->groups.count; c++) {
        uint32_t class = (uint32_t)c, people = local->people[c];
        w->nobody |= people == 0;
        if (people < local->k) {
            w->items[w->count++] = (tacit__near){.class_index = class, .item = class};
            w->people += people;
            continue;
        }
        status = tacit__layout_open(out, floor, local->attributes, err);
        if (status == TACIT_OK)
            status = tacit__layout_add(out, (tacit__share){class, people}, err);
    }
    return status;
}

/* Blocks as large as the work lets them be, all alike, and how many ways a beam follows. */
static void plan_blocks(making *w)
{
    int64_t cells = w->count * w->local->attributes, size = PAIRS_WORK / cells * 2 * w->local->k;
    int64_t least = LEAST_BLOCK * w->local->k;
    size = size > least ? size : least;
    int64_t blocks = (w->count + size - 1) / size;
    w->size = (w->count + blocks - 1) / blocks;
    w->ways = 2 * PAIRS_WORK / CANDIDATES / cells;
    w->ways = w->ways < 1 ? 1 : w->ways > MOST_WAYS ? MOST_WAYS : w->ways;
}

static tacit_status make_blocks(tacit__local_layout *out, making *w, int workers, tacit_error *err)
{
    int64_t blocks = (w->count + w->size - 1) / w->size;
    tacit_status status = TACIT_OK;
    w->makers = tacit__alloc_zeroed((size_t)workers, sizeof *w->makers);
    w->layouts = tacit__alloc_zeroed((size_t)blocks, sizeof *w->layouts);
    if (!w->makers || !w->layouts)
        status = tacit__nomem(err);
    for (int i = 0; status == TACIT_OK && i < workers; i++)
        status = maker_init(&w->makers[i], w, err);
    if (status == TACIT_OK) {
        tacit__near_order(w->items, w->count, w->size, 0, &w->makers[0].joined);
        status = tacit__parallel(w->local->run, "clusters", blocks, block_task, w, err);
    }
    for (int64_t b = 0; w->layouts && b < blocks; b++) {
        if (status == TACIT_OK)
            status = tacit__layout_append(out, &w->layouts[b], w->local->attributes, err);
        tacit__layout_clear(&w->layouts[b]);
    }
    for (int i = 0; w->makers && i < workers; i++)
        maker_clear(&w->makers[i]);
    tacit__free(w->makers);
    tacit__free(w->layouts);
    return status;
}

tacit_status tacit__local_clusters(bool *made, tacit__local_layout *out, const tacit__local *local,
                                   tacit_error *err)
{
    making w = {.local = local};
    tacit__local_layout layout = {0};
    w.items = tacit__alloc_array((size_t)local->classes->groups.count, sizeof *w.items);
    tacit_status status = w.items ? sort_out(&layout, &w, err) : tacit__nomem(err);
    bool can = !w.nobody && (w.count == 0 || w.people >= local->k);
    if (status == TACIT_OK && can && w.count > 0) {
        plan_blocks(&w);
        status = make_blocks(&layout, &w, tacit__threads(local->run), err);
    }
    tacit__free(w.items);
    if (status == TACIT_OK && can) {
        *out = layout;
        *made = true;
        return TACIT_OK;
    }
    tacit__layout_clear(&layout);
    *made = false;
    return status;
}
