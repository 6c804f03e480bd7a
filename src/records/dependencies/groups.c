/*
 * groups.c - rows as codes, their groups (stripped partitions), and rows by their blanks.
 *
 * Groups are refined by a column with two passes over their rows, one that counts the codes of a
 * group and one that puts its rows where they belong, so that a refinement is linear in the rows
 * that are in groups at all. A row that is alone says nothing of a dependency and is left out; so
 * groups shrink fast. A grid costs 4 bytes a cell, groups at most 6 bytes a row.
 *
 * A blank agrees with anything, so that agreeing is not a relation by which rows could be grouped.
 * But of two rows of which one has the blanks A and the other the blanks B all that counts is
 * whether they are the same in the columns outside of both: for each pair of sets of blanks that
 * occur, rows can be grouped by these. Rows with blanks are few, and their sets fewer. Linear in
 * the rows, and a sort of those with blanks; 4 bytes a row, 12 a set.
 */
#include "records/dependencies/dependencies.h"

#include <assert.h>
#include <stdlib.h>
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
static tacit_status reserve_rows(tacit__alike *groups, uint32_t rows, tacit_error *err)
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
    tacit_status status = reserve_rows(groups, count, err);
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
    tacit_status status = reserve_rows(out, tacit__alike_rows(from), err);
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

typedef struct blanked {
    uint64_t mask;
    uint32_t row;
} blanked;

void tacit__blanked_clear(tacit__blanked *parts)
{
    tacit__free(parts->rows);
    tacit__free(parts->masks);
    tacit__free(parts->starts);
    *parts = (tacit__blanked){0};
}

static int by_mask(const void *left, const void *right)
{
    const blanked *a = left, *b = right;
    if (a->mask != b->mask)
        return a->mask < b->mask ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

/* Rows without blanks go to parts->rows, the others to `rest`. */
static void deal(tacit__blanked *parts, blanked *rest, uint32_t *plain, uint32_t *count,
                 const uint64_t *blanks, const bool *leave_out, uint32_t rows, uint64_t columns)
{
    for (uint32_t row = 0; row < rows; row++) {
        if (leave_out && leave_out[row])
            continue;
        if (blanks[row] & columns)
            rest[(*count)++] = (blanked){blanks[row] & columns, row};
        else
            parts->rows[(*plain)++] = row;
    }
}

static uint32_t count_blanked(const uint64_t *blanks, uint32_t rows, uint64_t columns)
{
    uint32_t count = 0;
    for (uint32_t row = 0; row < rows; row++)
        count += (blanks[row] & columns) != 0;
    return count;
}

static void open_part(tacit__blanked *parts, uint64_t mask, uint32_t start)
{
    parts->masks[parts->count] = mask;
    parts->starts[parts->count++] = start;
}

tacit_status tacit__blanked_init(tacit__blanked *parts, const uint64_t *blanks,
                                 const bool *leave_out, uint32_t rows, uint64_t columns,
                                 tacit_error *err)
{
    uint32_t most = count_blanked(blanks, rows, columns), plain = 0, count = 0;
    blanked *rest = tacit__alloc_array(most, sizeof *rest);
    *parts =
        (tacit__blanked){.rows = tacit__alloc_array(rows, sizeof *parts->rows),
                         .masks = tacit__alloc_array((size_t)most + 1, sizeof *parts->masks),
                         .starts = tacit__alloc_array((size_t)most + 2, sizeof *parts->starts)};
    if (!rest || !parts->rows || !parts->masks || !parts->starts) {
        tacit__free(rest);
        tacit__blanked_clear(parts);
        return tacit__nomem(err);
    }
    deal(parts, rest, &plain, &count, blanks, leave_out, rows, columns);
    if (count)
        qsort(rest, count, sizeof *rest, by_mask);
    if (plain)
        open_part(parts, 0, 0);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || rest[i].mask != rest[i - 1].mask)
            open_part(parts, rest[i].mask, plain + i);
        parts->rows[plain + i] = rest[i].row;
    }
    parts->starts[parts->count] = plain + count;
    tacit__free(rest);
    return TACIT_OK;
}

tacit_status tacit__blanked_group(tacit__alike *groups, const tacit__blanked *parts, uint32_t a,
                                  uint32_t b, tacit_error *err)
{
    const uint32_t *first = parts->rows + parts->starts[a],
                   *second = parts->rows + parts->starts[b];
    uint32_t size = parts->starts[a + 1] - parts->starts[a],
             more = a == b ? 0 : parts->starts[b + 1] - parts->starts[b];
    if (more == 0)
        return tacit__alike_whole(groups, first, size, err);
    uint32_t *both = tacit__alloc_array((size_t)size + more, sizeof *both);
    if (!both)
        return tacit__nomem(err);
    memcpy(both, first, size * sizeof *both);
    memcpy(both + size, second, more * sizeof *both);
    tacit_status status = tacit__alike_whole(groups, both, size + more, err);
    tacit__free(both);
    return status;
}
