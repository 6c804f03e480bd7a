/*
 * order.c - in which order row-wise ways of ambiguation take the rows: that of the
 * file, its reverse, by how far a row is from the closest other, or by chance.
 *
 * Rows of a class follow each other. How far rows are takes a pass over all for each, on
 * all cores; the other orders are linear.
 */
#include "records/ambiguate/order.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/apply/apply.h"

enum { TASK = 64 };

typedef struct measuring {
    const tacit__blank_sheet *sheet;
    uint64_t **lines;   /* a worker each */
    uint64_t *distance; /* a class each */
} measuring;

static uint64_t closest(const uint64_t *line, int64_t count)
{
    int least = TACIT_MAX_ATTRIBUTES + 1;
    for (int64_t i = 0; i < count; i++) {
        int size = __builtin_popcountll(line[i]);
        least = size > 0 && size < least ? size : least;
    }
    return (uint64_t)least;
}

static tacit_status measure_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)err;
    measuring *m = context;
    const tacit__blank_sheet *sheet = m->sheet;
    for (int64_t i = task * TASK; i < (task + 1) * TASK && i < sheet->tableau->classes; i++) {
        tacit__blank_sheet_line(m->lines[worker], sheet, i);
        m->distance[i] = closest(m->lines[worker], sheet->items);
    }
    return TACIT_OK;
}

/* To the closest class, in columns, for each. */
static tacit_status measure(uint64_t *distance, const tacit__blank_sheet *sheet,
                            const tacit_run *run, tacit_error *err)
{
    int workers = tacit__threads(run);
    measuring m = {.sheet = sheet, .distance = distance};
    tacit_status status = TACIT_OK;
    m.lines = tacit__alloc_zeroed((size_t)workers, sizeof *m.lines);
    if (!m.lines)
        return tacit__nomem(err);
    for (int i = 0; status == TACIT_OK && i < workers; i++) {
        m.lines[i] = tacit__alloc_array((size_t)sheet->room, sizeof **m.lines);
        status = m.lines[i] ? TACIT_OK : tacit__nomem(err);
    }
    if (status == TACIT_OK)
        status = tacit__parallel(run, "comparing rows", (sheet->tableau->classes + TASK - 1) / TASK,
                                 measure_task, &m, err);
    for (int i = 0; i < workers; i++)
        tacit__free(m.lines[i]);
    tacit__free(m.lines);
    return status;
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

void tacit__ambiguate_sort(uint64_t *keys, int64_t count)
{
    if (count > 0)
        qsort(keys, (size_t)count, sizeof *keys, ascending);
}

/* Classes by their distances, those that are as far in the order of the file. */
static tacit_status by_distance(uint32_t *places, const tacit__blank_sheet *sheet, bool hardest,
                                const tacit_run *run, tacit_error *err)
{
    int64_t classes = sheet->tableau->classes;
    uint64_t *keys = tacit__alloc_array((size_t)classes, sizeof *keys);
    if (!keys)
        return tacit__nomem(err);
    tacit_status status = measure(keys, sheet, run, err);
    for (int64_t i = 0; status == TACIT_OK && i < classes; i++) {
        uint64_t key = hardest ? TACIT_MAX_ATTRIBUTES + 1 - keys[i] : keys[i];
        keys[i] = key << 32 | (uint64_t)i;
    }
    if (status == TACIT_OK)
        tacit__ambiguate_sort(keys, classes);
    for (int64_t i = 0; status == TACIT_OK && i < classes; i++)
        places[(uint32_t)keys[i]] = (uint32_t)i;
    tacit__free(keys);
    return status;
}

static tacit_status by_chance(uint32_t *places, int64_t classes, const tacit_run *run,
                              tacit_error *err)
{
    uint32_t *order = NULL;
    tacit_status status = tacit__shuffle(&order, classes, NULL, classes, run, err);
    for (int64_t i = 0; status == TACIT_OK && i < classes; i++)
        places[order[i]] = (uint32_t)i;
    tacit__free(order);
    return status;
}

static tacit_status fill(uint32_t *places, const tacit__blank_sheet *sheet,
                         tacit_ambiguate_order order, const tacit_run *run, tacit_error *err)
{
    int64_t classes = sheet->tableau->classes;
    if (order == TACIT_ORDER_RANDOM)
        return by_chance(places, classes, run, err);
    if (order == TACIT_ORDER_HARDEST || order == TACIT_ORDER_EASIEST)
        return by_distance(places, sheet, order == TACIT_ORDER_HARDEST, run, err);
    for (int64_t i = 0; i < classes; i++)
        places[i] = (uint32_t)(order == TACIT_ORDER_REVERSE ? classes - 1 - i : i);
    return TACIT_OK;
}

tacit_status tacit__ambiguate_places(uint32_t **out, const tacit__blank_sheet *sheet,
                                     tacit_ambiguate_order order, const tacit_run *run,
                                     tacit_error *err)
{
    uint32_t *places = tacit__alloc_array((size_t)sheet->tableau->classes, sizeof *places);
    if (!places)
        return tacit__nomem(err);
    tacit_status status = fill(places, sheet, order, run, err);
    if (status == TACIT_OK)
        *out = places;
    else
        tacit__free(places);
    return status;
}
