/*
 * near.c - which classes are near to each other: the less the smallest box around both costs, the
 * nearer they are.
 *
 * What a value of each attribute costs together with a box is looked up in a table that is made for
 * the box, so that a class takes one addition an attribute. An order in which near classes are side
 * by side comes from halving: two classes are drawn, the second as far from the first as any, and
 * those nearer to the first come before those nearer to the second; and so on in both halves.
 *
 * Costs an addition an attribute for each class and table, and the hierarchies' values for each
 * table; an order, twice that for each halving.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/local/wide.h"

tacit_status tacit__joined_init(tacit__joined *joined, const tacit__local *local, tacit_error *err)
{
    size_t attributes = (size_t)local->attributes;
    *joined = (tacit__joined){.local = local};
    joined->starts = tacit__alloc_array(attributes + 1, sizeof *joined->starts);
    if (!joined->starts)
        return tacit__nomem(err);
    joined->starts[0] = 0;
    for (int32_t a = 0; a < local->attributes; a++)
        joined->starts[a + 1] =
            joined->starts[a] + tacit__distinct_on(local->frame, a, local->floor[a]);
    joined->costs = tacit__alloc_array(joined->starts[attributes], sizeof *joined->costs);
    if (joined->costs)
        return TACIT_OK;
    tacit__joined_clear(joined);
    return tacit__nomem(err);
}

void tacit__joined_clear(tacit__joined *joined)
{
    tacit__free(joined->starts);
    tacit__free(joined->costs);
    joined->starts = NULL;
    joined->costs = NULL;
}

/* What each value of an attribute costs on the lowest level where it is the box's. */
static void look_up(tacit__joined *j, int32_t a)
{
    const tacit__local *local = j->local;
    uint32_t own = tacit__local_code(local, j->first, a);
    double *costs = j->costs + j->starts[a];
    for (size_t v = 0; v < j->starts[a + 1] - j->starts[a]; v++) {
        int level = j->levels[a];
        while (level < local->height[a] && local->up[a][level][v] != local->up[a][level][own])
            level++;
        costs[v] = local->costs.of[a][level][local->up[a][level][own]];
    }
}

void tacit__joined_start(tacit__joined *joined, uint32_t class_index)
{
    joined->first = class_index;
    for (int32_t a = 0; a < joined->local->attributes; a++) {
        joined->levels[a] = (uint8_t)joined->local->floor[a];
        look_up(joined, a);
    }
}

void tacit__joined_take(tacit__joined *joined, uint32_t class_index)
{
    const tacit__local *local = joined->local;
    for (int32_t a = 0; a < local->attributes; a++) {
        uint8_t before = joined->levels[a];
        while (tacit__local_number(local, joined->first, a, joined->levels[a]) !=
               tacit__local_number(local, class_index, a, joined->levels[a]))
            joined->levels[a]++;
        if (joined->levels[a] != before)
            look_up(joined, a);
    }
}

double tacit__joined_cost(const tacit__joined *joined, uint32_t class_index, double limit)
{
    enum { STRETCH = 8 };
    int32_t attributes = joined->local->attributes;
    const uint32_t *codes = joined->local->codes + (size_t)class_index * (size_t)attributes;
    double cost = 0;
    for (int32_t a = 0; a < attributes && cost < limit;) {
        int32_t end = attributes - a < STRETCH ? attributes : a + STRETCH;
        for (; a < end; a++)
            cost += joined->costs[joined->starts[a] + codes[a]];
    }
    return cost;
}

static int by_near_key(const void *a, const void *b)
{
    const tacit__near *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->item < y->item ? -1 : x->item > y->item;
}

static void bisect(tacit__near *items, int64_t count, int64_t size, uint64_t *state,
                   tacit__joined *joined)
{
    int64_t parts = (count + size - 1) / size;
    if (parts < 2)
        return;
    uint32_t one = items[tacit__draw(state) % (uint64_t)count].class_index, other = one;
    double most = -1;
    tacit__joined_start(joined, one);
    for (int64_t i = 0; i < count; i++) {
        items[i].key = tacit__joined_cost(joined, items[i].class_index, INFINITY);
        if (items[i].key > most) {
            most = items[i].key;
            other = items[i].class_index;
        }
    }
    tacit__joined_start(joined, other);
    for (int64_t i = 0; i < count; i++)
        items[i].key -= tacit__joined_cost(joined, items[i].class_index, INFINITY);
    qsort(items, (size_t)count, sizeof *items, by_near_key);
    int64_t half = parts / 2 * size;
    bisect(items, half, size, state, joined);
    bisect(items + half, count - half, size, state, joined);
}

void tacit__near_order(tacit__near *items, int64_t count, int64_t size, uint64_t seed,
                       tacit__joined *joined)
{
    uint64_t state = seed;
    bisect(items, count, size, &state, joined);
}
