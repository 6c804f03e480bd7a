/*
 * pairs.c - which kinds of rows of an earlier release a kind of rows can be.
 *
 * Kinds are sorted by their nodes, so those that begin with the same values are a stretch. From a
 * stretch the walk goes on to the parts of it whose next value agrees: values under the
 * kind's own are again a stretch, and those above it are found one by one, by bisection.
 * Stretches without rows of the earlier release are passed over, and short ones are looked
 * at kind by kind. The columns that tell most come first, so a walk seldom ends in nothing.
 *
 * Cost: a bisection for each stretch that is visited; of all pairs, 4 bytes each and 4 a kind.
 */
#include <stdatomic.h>

#include "audit/previous/previous.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

/* Kinds from..end begin with values that agree, as far as columns before `column` go. */
struct tacit__kind_stretch {
    uint32_t from, end;
    int32_t column;
};

enum { SHORT = 8 };

void tacit__partner_walk_clear(tacit__partner_walk *walk)
{
    tacit__free(walk->stretches);
    *walk = (tacit__partner_walk){0};
}

/* The first of nodes[from..end) that is not below a node. Nearly always close to `from`, so steps
 * grow from there. */
static uint32_t place(tacit__previous_nodes nodes, uint32_t from, uint32_t end, uint32_t node)
{
    uint32_t step = 1, low = from;
    while (low < end && tacit__node_at(nodes, low) < node) {
        from = low + 1;
        low = end - low > step ? low + step : end;
        step *= 2;
    }
    uint32_t high = low;
    while (from < high) {
        uint32_t middle = from + (high - from) / 2;
        if (tacit__node_at(nodes, middle) < node)
            from = middle + 1;
        else
            high = middle;
    }
    return from;
}

static bool push(tacit__partner_walk *walk, const tacit__row_kinds *kinds, uint32_t from,
                 uint32_t end, int32_t column)
{
    if (kinds->olds[from] == kinds->olds[end])
        return true;
    if (!TACIT__PUSH(walk->stretches, walk->room, walk->count,
                     (struct tacit__kind_stretch){from, end, column}))
        return false;
    return true;
}

/* The parts of a stretch, one for each value from `low` on and before `high`. */
static bool push_parts(tacit__partner_walk *walk, const tacit__row_kinds *kinds,
                       struct tacit__kind_stretch s, uint32_t low, uint32_t high)
{
    tacit__previous_nodes nodes = kinds->columns[s.column].nodes;
    uint32_t at = place(nodes, s.from, s.end, low);
    while (at < s.end && tacit__node_at(nodes, at) < high) {
        uint32_t end = place(nodes, at, s.end, tacit__node_at(nodes, at) + 1);
        if (!push(walk, kinds, at, end, s.column + 1))
            return false;
        at = end;
    }
    return true;
}

static bool push_agreeing(tacit__partner_walk *walk, const tacit__row_kinds *kinds,
                          struct tacit__kind_stretch s, uint32_t kind)
{
    const tacit__kind_column *column = &kinds->columns[s.column];
    uint32_t node = tacit__node_at(column->nodes, kind);
    if (!push_parts(walk, kinds, s, node, column->flat ? node + 1 : column->ends[node]))
        return false;
    while (!column->flat && node > 0 && tacit__node_at(column->nodes, s.from) < node) {
        node = column->parents[node];
        if (!push_parts(walk, kinds, s, node, node + 1))
            return false;
    }
    return true;
}

bool tacit__each_partner(tacit__partner_walk *walk, const tacit__row_kinds *kinds, uint32_t kind,
                         bool (*found)(void *context, uint32_t partner), void *context)
{
    walk->count = 0;
    if (kinds->count > 0 && !push(walk, kinds, 0, kinds->count, 0))
        return false;
    while (walk->count > 0) {
        struct tacit__kind_stretch s = walk->stretches[--walk->count];
        if (s.end - s.from > SHORT && s.column < kinds->column_count) {
            if (!push_agreeing(walk, kinds, s, kind))
                return false;
            continue;
        }
        for (uint32_t i = s.from; i < s.end; i++)
            if (kinds->before[i] && tacit__row_kinds_agree(kinds, kind, i, s.column) &&
                !found(context, i))
                return true;
    }
    return true;
}

/* Partners of the kinds of a block. */
typedef struct list {
    uint32_t *partners;
    size_t count, room;
    bool failed;
} list;

typedef struct pairing {
    const tacit__row_kinds *kinds;
    tacit__row_pairs *pairs;
    tacit__partner_walk *walks; /* a worker each */
    int64_t most;
    atomic_llong count;
} pairing;

static bool note(void *context, uint32_t partner)
{
    list *l = context;
    l->failed = !TACIT__RESERVE_ONE(l->partners, l->room, l->count);
    if (!l->failed)
        l->partners[l->count++] = partner;
    return !l->failed;
}

static tacit_status pair_block(void *context, int64_t block, int worker, tacit_error *err)
{
    pairing *p = context;
    const tacit__row_kinds *kinds = p->kinds;
    uint32_t first = (uint32_t)block * TACIT__PAIR_BLOCK;
    list l = {0};
    for (uint32_t i = 0; i < TACIT__PAIR_BLOCK && i < kinds->count - first; i++) {
        size_t before = l.count;
        if (l.failed || atomic_load(&p->count) > p->most)
            break; /* too many already */
        if (kinds->now[first + i] &&
            !tacit__each_partner(&p->walks[worker], kinds, first + i, note, &l))
            l.failed = true;
        p->pairs->starts[first + i + 1] = (uint32_t)(l.count - before);
        atomic_fetch_add(&p->count, (long long)(l.count - before));
    }
    void *fitting = l.failed ? NULL : tacit__resize_array(l.partners, l.count, sizeof *l.partners);
    p->pairs->blocks[block] = fitting ? fitting : l.partners;
    return fitting ? TACIT_OK : tacit__nomem(err);
}

static void number_pairs(tacit__row_pairs *pairs, uint32_t kinds)
{
    pairs->starts[0] = 0;
    for (uint32_t i = 0; i < kinds; i++)
        pairs->starts[i + 1] += pairs->starts[i];
    pairs->count = pairs->starts[kinds];
}

tacit_status tacit__row_pairs_init(tacit__row_pairs *pairs, bool *too_many,
                                   const tacit__row_kinds *kinds, int64_t most,
                                   const tacit_run *run, tacit_error *err)
{
    int workers = tacit__threads(run);
    size_t blocks = ((size_t)kinds->count + TACIT__PAIR_BLOCK - 1) / TACIT__PAIR_BLOCK;
    tacit__row_pairs made = {.block_count = (int64_t)blocks};
    pairing p = {.kinds = kinds, .pairs = &made, .most = most};
    made.starts = tacit__alloc_zeroed((size_t)kinds->count + 1, sizeof *made.starts);
    made.blocks = tacit__alloc_zeroed(blocks, sizeof *made.blocks);
    p.walks = tacit__alloc_zeroed((size_t)workers, sizeof *p.walks);
    tacit_status status = TACIT_OK;
    if (made.starts && made.blocks && p.walks)
        status = tacit__parallel(run, "joining", (int64_t)blocks, pair_block, &p, err);
    else
        status = tacit__nomem(err);
    for (int i = 0; p.walks && i < workers; i++)
        tacit__partner_walk_clear(&p.walks[i]);
    tacit__free(p.walks);
    *too_many = status == TACIT_OK && atomic_load(&p.count) > most;
    if (status == TACIT_OK && !*too_many) {
        number_pairs(&made, kinds->count);
        *pairs = made;
    } else {
        tacit__row_pairs_clear(&made);
    }
    return status;
}

void tacit__row_pairs_clear(tacit__row_pairs *pairs)
{
    for (int64_t i = 0; pairs->blocks && i < pairs->block_count; i++)
        tacit__free(pairs->blocks[i]);
    tacit__free(pairs->blocks);
    tacit__free(pairs->starts);
    *pairs = (tacit__row_pairs){0};
}
