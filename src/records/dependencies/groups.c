/*
 * groups.c - rows as codes, and their groups: stripped partitions.
 *
 * Groups are refined by a column with two passes over their rows, one that counts the codes of
 * a group and one that puts its rows where they belong, so that a refinement is linear in the
 * rows that are in groups at all. A row that is alone says nothing of a dependency and is left
 * out; so groups shrink fast. A grid costs 4 bytes a cell, groups at most 6 bytes a row.
 */
#include "records/dependencies/dependencies.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

tacit_status tacit__grid_init(tacit__dependencies_grid *grid, uint32_t rows, int32_t columns,
                              tacit_error *err)
{
    *grid = (tacit__dependencies_grid){.columns = columns, .rows = rows};
    grid->codes = tacit__alloc_array(rows, (size_t)columns * sizeof *grid->codes);
    grid->domain = tacit__alloc_zeroed((size_t)columns, sizeof *grid->domain);
    if (grid->codes && grid->domain)
        return TACIT_OK;
    tacit__grid_clear(grid);
    return tacit__nomem(err);
}

tacit_status tacit__grid_ready(tacit__dependencies_grid *grid, tacit_error *err)
{
    uint32_t largest = 1;
    for (int32_t c = 0; c < grid->columns; c++)
        largest = grid->domain[c] > largest ? grid->domain[c] : largest;
    grid->counts = tacit__alloc_zeroed(largest, sizeof *grid->counts);
    grid->places = tacit__alloc_zeroed(largest, sizeof *grid->places);
    if (grid->counts && grid->places)
        return TACIT_OK;
    tacit__grid_clear(grid);
    return tacit__nomem(err);
}

void tacit__grid_clear(tacit__dependencies_grid *grid)
{
    tacit__free(grid->codes);
    tacit__free(grid->domain);
    tacit__free(grid->counts);
    tacit__free(grid->places);
    *grid = (tacit__dependencies_grid){0};
}

tacit_status tacit__grid_read(tacit__dependencies_grid *grid, const tacit_table *table,
                              const int32_t *columns, int32_t count, tacit_error *err)
{
    uint32_t rows = (uint32_t)tacit_table_rows(table);
    tacit_status status = tacit__grid_init(grid, rows, count, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t c = 0; c < count; c++) {
        bool there = columns[c] >= 0;
        tacit_codes_view codes = {0};
        if (there)
            codes = tacit_table_codes(table, columns[c]);
        grid->domain[c] = there ? tacit_table_distinct(table, columns[c]) + 1 : 1;
        for (uint32_t row = 0; row < rows; row++)
            grid->codes[(size_t)row * (size_t)count + (size_t)c] =
                there ? tacit_codes_at(codes, row) : 0;
    }
    return tacit__grid_ready(grid, err);
}

void tacit__alike_clear(tacit__alike *groups)
{
    tacit__free(groups->rows);
    tacit__free(groups->starts);
    *groups = (tacit__alike){0};
}

/* Room for groups of so many rows in all. */
static tacit_status make_room(tacit__alike *groups, uint32_t rows, tacit_error *err)
{
    *groups = (tacit__alike){0};
    groups->rows = tacit__alloc_array(rows, sizeof *groups->rows);
    groups->starts = tacit__alloc_array((size_t)rows / 2 + 1, sizeof *groups->starts);
    if (!groups->rows || !groups->starts) {
        tacit__alike_clear(groups);
        return tacit__nomem(err);
    }
    groups->starts[0] = 0;
    return TACIT_OK;
}

tacit_status tacit__alike_whole(tacit__alike *groups, const uint32_t *rows, uint32_t count,
                                tacit_error *err)
{
    tacit_status status = make_room(groups, count, err);
    if (status != TACIT_OK || count < 2)
        return status;
    for (uint32_t i = 0; i < count; i++)
        groups->rows[i] = rows ? rows[i] : i;
    groups->starts[++groups->count] = count;
    return TACIT_OK;
}

/* One group; counts and places are zeros again afterwards. */
static void refine_group(tacit__alike *out, const uint32_t *rows, uint32_t size,
                         const tacit__dependencies_grid *grid, int32_t column)
{
    const uint32_t *codes = grid->codes + column;
    size_t stride = (size_t)grid->columns;
    uint32_t end = out->starts[out->count];
    for (uint32_t i = 0; i < size; i++)
        grid->counts[codes[rows[i] * stride]]++;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t code = codes[rows[i] * stride], same = grid->counts[code];
        if (same < 2)
            continue;
        if (!grid->places[code]) { /* places count from 1: 0 is none yet */
            grid->places[code] = end + 1;
            end += same;
            out->starts[++out->count] = end;
        }
        out->rows[grid->places[code]++ - 1] = rows[i];
    }
    for (uint32_t i = 0; i < size; i++) {
        uint32_t code = codes[rows[i] * stride];
        grid->counts[code] = grid->places[code] = 0;
    }
}

tacit_status tacit__alike_refine(tacit__alike *out, const tacit__alike *from,
                                 tacit__dependencies_grid *grid, int32_t column, tacit_error *err)
{
    tacit_status status = make_room(out, tacit__alike_rows(from), err);
    for (uint32_t g = 0; status == TACIT_OK && g < from->count; g++)
        refine_group(out, from->rows + from->starts[g], from->starts[g + 1] - from->starts[g], grid,
                     column);
    return status;
}

tacit_status tacit__alike_refine_all(tacit__alike *groups, tacit__dependencies_grid *grid,
                                     uint64_t columns, tacit_error *err)
{
    for (; columns && groups->count; columns &= columns - 1) {
        tacit__alike finer;
        tacit_status status =
            tacit__alike_refine(&finer, groups, grid, __builtin_ctzll(columns), err);
        if (status != TACIT_OK)
            return status;
        tacit__alike_clear(groups);
        *groups = finer;
    }
    return TACIT_OK;
}

tacit_status tacit__dependency_columns(const tacit_table *table, const int32_t *columns,
                                       int32_t count, tacit_error *err)
{
    if (count < 1 || count > TACIT_DEPENDENCY_COLUMNS)
        return tacit__error(err, TACIT_INVALID, "%d columns; dependencies are among 1 to %d", count,
                            TACIT_DEPENDENCY_COLUMNS);
    for (int32_t i = 0; i < count; i++) {
        if (columns[i] < 0)
            continue;
        assert(columns[i] < tacit_table_columns(table));
        tacit__shown name = tacit__show(tacit_table_name(table, columns[i]));
        if (!tacit_table_is_coded(table, columns[i]))
            return tacit__error(err, TACIT_INVALID, "column %s is not coded", name.text);
        for (int32_t j = 0; j < i; j++)
            if (columns[j] == columns[i])
                return tacit__error(err, TACIT_INVALID, "column %s is named twice", name.text);
    }
    return TACIT_OK;
}
