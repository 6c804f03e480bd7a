/*
 * parts.c - rows by their blanks.
 *
 * A blank agrees with anything, so that agreeing is not a relation by which rows could be
 * grouped. But of two rows of which one has the blanks A and the other the blanks B all that
 * counts is whether they are the same in the columns outside of both: for each pair of sets of
 * blanks that occur, rows can be grouped by these. Rows with blanks are few, and their sets fewer.
 *
 * Linear in the rows, and a sort of those with blanks; 4 bytes a row, 12 a set.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/dependencies/dependencies.h"

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
