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
#include "base/map.h"
#include "base/parallel.h"
#include "records/dependencies/dependencies.h"

enum { ALL_PAIRS = 1 << 20, KEYS = 8, NEIGHBOURS = 4, MOST_SETS = 1 << 20 };

static const char PHASE[] = "pairs of rows";

static tacit_status note(tacit__numbering *unlike, uint64_t differ, tacit_error *err)
{
    return tacit__numbering_add(unlike, differ) == TACIT__NONE ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status compare_all(tacit__numbering *unlike, const tacit__dependencies_grid *grid,
                                tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; i < grid->rows; i++)
        for (uint32_t j = 0; status == TACIT_OK && j < i; j++)
            status = note(unlike, tacit__grid_differ(grid, i, j), err);
    return status;
}

/* Sorts rows by a column. Stable. */
static void sort_rows(uint32_t *to, const uint32_t *from, const tacit__dependencies_grid *grid,
                      int32_t column)
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
static void sort_from(uint32_t **order, uint32_t **spare, const tacit__dependencies_grid *grid,
                      int32_t first)
{
    int32_t keys = grid->columns < KEYS ? grid->columns : KEYS;
    for (int32_t k = keys - 1; k >= 0; k--) {
        sort_rows(*spare, *order, grid, (first + k) % grid->columns);
        uint32_t *kept = *order;
        *order = *spare;
        *spare = kept;
    }
}

static tacit_status compare_neighbours(tacit__numbering *unlike,
                                       const tacit__dependencies_grid *grid, const uint32_t *order,
                                       tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = 1; i < grid->rows; i++)
        for (uint32_t d = 1; status == TACIT_OK && d <= NEIGHBOURS && d <= i; d++)
            if (unlike->count < MOST_SETS)
                status = note(unlike, tacit__grid_differ(grid, order[i], order[i - d]), err);
    return status;
}

static tacit_status compare_sorted(tacit__numbering *unlike, const tacit__dependencies_grid *grid,
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

tacit_status tacit__unlike_sample(tacit__numbering *unlike, const tacit__dependencies_grid *grid,
                                  const tacit_run *run, tacit_error *err)
{
    if ((uint64_t)grid->rows * grid->rows / 2 <= ALL_PAIRS)
        return compare_all(unlike, grid, err);
    return compare_sorted(unlike, grid, run, err);
}
