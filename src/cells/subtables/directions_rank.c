/*
 * directions_rank.c - how deep each direction of a table without dimensions is; see
 * directions.h.
 *
 * Where a cell is the total of one relation and a part of another, and the two do not cross, the
 * first sums up what is a code of the second: it is below. A direction's level is the longest
 * way up from it. Where relations go round in a circle there is none, and the level is what
 * was counted until there. Costs what pairs of relations at a cell there are, and a sort.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "cells/subtables/directions.h"

/* Pairs (above, below) at a cell. */
static tacit_status rank_cell(tacit__pairs *pairs, const tacit__directions *d,
                              const tacit__terms *t, int32_t cell, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t k = t->starts[cell]; k < t->starts[cell + 1]; k++) {
        int32_t below = d->of[t->relation[t->list[k]]];
        if (below < 0 || d->code[t->list[k]] != 0)
            continue;
        for (int32_t m = t->starts[cell]; m < t->starts[cell + 1] && status == TACIT_OK; m++) {
            int32_t above = d->of[t->relation[t->list[m]]];
            if (above >= 0 && d->code[t->list[m]] > 0 && above != below &&
                !tacit__directions_cross(d, above, below))
                status = tacit__pairs_add(pairs, above, below, err);
        }
    }
    return status;
}

/* Room for going through directions from the top. */
typedef struct descent {
    int64_t *starts;  /* of each direction's pairs, which are sorted by it */
    int32_t *waiting; /* directions above that were not looked at yet */
    int32_t *queue;
} descent;

static void descend(tacit__directions *d, const tacit__pairs *pairs, descent *down)
{
    int32_t queued = 0;
    for (int64_t i = 0; i < pairs->count; i++) {
        down->starts[(pairs->list[i] >> 32) + 1]++;
        down->waiting[(uint32_t)pairs->list[i]]++;
    }
    for (int32_t i = 0; i < d->count; i++) {
        down->starts[i + 1] += down->starts[i];
        d->level[i] = 0;
        if (down->waiting[i] == 0)
            down->queue[queued++] = i;
    }
    for (int32_t next = 0; next < queued; next++) {
        int32_t above = down->queue[next];
        for (int64_t i = down->starts[above]; i < down->starts[above + 1]; i++) {
            int32_t below = (int32_t)(uint32_t)pairs->list[i];
            if (d->level[below] <= d->level[above])
                d->level[below] = d->level[above] + 1;
            if (--down->waiting[below] == 0)
                down->queue[queued++] = below;
        }
    }
}

tacit_status tacit__directions_rank(tacit__directions *directions, const tacit_cells *cells,
                                    const tacit__terms *terms, tacit_error *err)
{
    size_t count = (size_t)directions->count;
    tacit__pairs pairs = {0};
    descent down = {.starts = tacit__alloc_zeroed(count + 1, sizeof *down.starts),
                    .waiting = tacit__alloc_zeroed(count, sizeof *down.waiting),
                    .queue = tacit__alloc_array(count, sizeof *down.queue)};
    tacit_status status = down.starts && down.waiting && down.queue ? TACIT_OK : tacit__nomem(err);
    for (int32_t i = 0; i < cells->count && status == TACIT_OK; i++)
        if (tacit__uses(terms, i) <= TACIT__MOST_USES)
            status = rank_cell(&pairs, directions, terms, i, err);
    if (status == TACIT_OK) {
        tacit__pairs_sort(&pairs);
        descend(directions, &pairs, &down);
    }
    tacit__free(pairs.list);
    tacit__free(down.starts);
    tacit__free(down.waiting);
    tacit__free(down.queue);
    return status;
}
