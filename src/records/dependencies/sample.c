/*
 * sample.c - sets of columns in which pairs of rows differ.
 *
 * Every such set rules dependencies out, the small ones most. In a small table all pairs are
 * looked at. In a larger one rows are sorted by each column in turn and by those that follow it
 * (at most KEYS), and each row is compared with the next few: neighbours then differ in few
 * columns. What is not seen here is found when dependencies are tested; the more is seen, the
 * fewer tests fail. Linear in rows times columns squared; 16 bytes or so a distinct set.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "records/dependencies/dependencies.h"

enum { ALL_PAIRS = 1 << 20, KEYS = 8, NEIGHBOURS = 4, MOST_SETS = 1 << 20 };

static const char PHASE[] = "pairs of rows";

void tacit__unlike_clear(tacit__unlike *unlike)
{
    tacit__free(unlike->sets);
    tacit__free(unlike->slots);
    *unlike = (tacit__unlike){0};
}

/* The slot that holds a set, or the free one where it belongs. */
static size_t slot_of(const tacit__unlike *unlike, uint64_t differ)
{
    size_t slot = tacit__mix(differ) & (unlike->slot_count - 1);
    while (unlike->slots[slot] && unlike->slots[slot] != differ)
        slot = (slot + 1) & (unlike->slot_count - 1);
    return slot;
}

static tacit_status grow(tacit__unlike *unlike, tacit_error *err)
{
    tacit__unlike larger = *unlike;
    larger.slot_count = unlike->slot_count ? 2 * unlike->slot_count : 64;
    larger.slots = tacit__alloc_zeroed(larger.slot_count, sizeof *larger.slots);
    if (!larger.slots)
        return tacit__nomem(err);
    for (size_t i = 0; i < larger.count; i++)
        larger.slots[slot_of(&larger, larger.sets[i])] = larger.sets[i];
    tacit__free(unlike->slots);
    *unlike = larger;
    return TACIT_OK;
}

tacit_status tacit__unlike_add(tacit__unlike *unlike, uint64_t differ, bool *added,
                               tacit_error *err)
{
    if (2 * (unlike->count + 1) > unlike->slot_count) {
        tacit_status status = grow(unlike, err);
        if (status != TACIT_OK)
            return status;
    }
    size_t slot = slot_of(unlike, differ);
    bool is_new = !unlike->slots[slot];
    if (is_new) {
        void *sets = unlike->sets;
        bool fits = tacit__reserve(&sets, &unlike->room, unlike->count + 1, sizeof *unlike->sets);
        unlike->sets = sets;
        if (!fits)
            return tacit__nomem(err);
        unlike->slots[slot] = unlike->sets[unlike->count++] = differ;
    }
    if (added)
        *added = is_new;
    return TACIT_OK;
}

static tacit_status compare_all(tacit__unlike *unlike, const tacit__grid *grid, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; i < grid->rows; i++)
        for (uint32_t j = 0; status == TACIT_OK && j < i; j++)
            status = tacit__unlike_add(unlike, tacit__grid_differ(grid, i, j), NULL, err);
    return status;
}

/* Sorts rows by a column. Stable. */
static void sort_rows(uint32_t *to, const uint32_t *from, const tacit__grid *grid, int32_t column)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < grid->rows; i++)
        grid->counts[tacit__grid_row(grid, from[i])[column]]++;
    for (uint32_t code = 0; code < grid->domain[column]; code++) {
        uint32_t size = grid->counts[code];
        grid->counts[code] = at;
        at += size;
    }
    for (uint32_t i = 0; i < grid->rows; i++)
        to[grid->counts[tacit__grid_row(grid, from[i])[column]]++] = from[i];
    memset(grid->counts, 0, grid->domain[column] * sizeof *grid->counts);
}

/* Rows by a column and those that follow it, the first one again after the last. *order and
 * *spare may change places. */
static void sort_from(uint32_t **order, uint32_t **spare, const tacit__grid *grid, int32_t first)
{
    int32_t keys = grid->columns < KEYS ? grid->columns : KEYS;
    for (int32_t k = keys - 1; k >= 0; k--) {
        sort_rows(*spare, *order, grid, (first + k) % grid->columns);
        uint32_t *kept = *order;
        *order = *spare;
        *spare = kept;
    }
}

static tacit_status compare_neighbours(tacit__unlike *unlike, const tacit__grid *grid,
                                       const uint32_t *order, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = 1; i < grid->rows; i++)
        for (uint32_t d = 1; status == TACIT_OK && d <= NEIGHBOURS && d <= i; d++)
            if (unlike->count < MOST_SETS)
                status = tacit__unlike_add(unlike, tacit__grid_differ(grid, order[i], order[i - d]),
                                           NULL, err);
    return status;
}

static tacit_status compare_sorted(tacit__unlike *unlike, const tacit__grid *grid,
                                   const tacit_run *run, tacit_error *err)
{
    uint32_t *order = tacit__alloc_array(grid->rows, sizeof *order);
    uint32_t *spare = tacit__alloc_array(grid->rows, sizeof *spare);
    tacit_status status = order && spare ? TACIT_OK : tacit__nomem(err);
    for (uint32_t i = 0; status == TACIT_OK && i < grid->rows; i++)
        order[i] = i;
    for (int32_t c = 0; status == TACIT_OK && c < grid->columns; c++) {
        sort_from(&order, &spare, grid, c);
        status = compare_neighbours(unlike, grid, order, err);
        if (status == TACIT_OK)
            status = tacit__progress(run, PHASE, c + 1, grid->columns, err);
    }
    tacit__free(order);
    tacit__free(spare);
    return status;
}

tacit_status tacit__unlike_sample(tacit__unlike *unlike, const tacit__grid *grid,
                                  const tacit_run *run, tacit_error *err)
{
    if ((uint64_t)grid->rows * grid->rows / 2 <= ALL_PAIRS)
        return compare_all(unlike, grid, err);
    return compare_sorted(unlike, grid, run, err);
}
