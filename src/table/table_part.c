/*
 * table_part.c - some rows of a table as a table of their own.
 *
 * What methods count is codes, so that is all such a table has: the codes of its
 * rows, and the values of the table it came from, borrowed. As many bytes as its rows' codes have.
 */
#include "table/table_part.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "table/table.h"

static void gather(void *out, const void *codes, int width, const uint32_t *rows, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (width == 1)
            ((uint8_t *)out)[i] = ((const uint8_t *)codes)[rows[i]];
        else if (width == 2)
            ((uint16_t *)out)[i] = ((const uint16_t *)codes)[rows[i]];
        else
            ((uint32_t *)out)[i] = ((const uint32_t *)codes)[rows[i]];
}

static bool copy_column(tacit__column *out, const tacit__column *from, const uint32_t *rows,
                        int64_t count)
{
    *out = (tacit__column){.name = from->name, .coded = from->coded};
    if (!from->coded)
        return true;
    out->has_missing = from->has_missing;
    out->width = from->width;
    out->distinct = from->distinct;
    out->codes = tacit__alloc_array((size_t)count, (size_t)from->width);
    out->values = tacit__alloc_array(from->distinct, sizeof *out->values);
    if (!out->codes || !out->values)
        return false;
    memcpy(out->values, from->values, from->distinct * sizeof *out->values);
    gather(out->codes, from->codes, from->width, rows, count);
    return true;
}

tacit_status tacit__table_part(tacit_table **out, const tacit_table *from, const uint32_t *rows,
                               int64_t count, tacit_error *err)
{
    tacit_table *table = tacit__alloc_zeroed(1, sizeof *table);
    if (!table)
        return tacit__nomem(err);
    table->delimiter = from->delimiter;
    table->has_header = from->has_header;
    table->rows = count;
    table->file = tacit__copy_bytes(from->file, strlen(from->file));
    table->columns = tacit__alloc_zeroed((size_t)from->column_count, sizeof *table->columns);
    bool whole = table->file && table->columns;
    for (int32_t i = 0; whole && i < from->column_count; i++) {
        table->column_count = i + 1;
        whole = copy_column(&table->columns[i], &from->columns[i], rows, count);
    }
    if (!whole) {
        tacit_table_free(table);
        return tacit__nomem(err);
    }
    *out = table;
    return TACIT_OK;
}

void tacit__table_recode(tacit_table *table, int32_t column, uint32_t *codes, tacit_strview *values,
                         uint32_t distinct)
{
    tacit__column *at = &table->columns[column];
    tacit__free(at->codes);
    tacit__free(at->values);
    at->codes = codes;
    at->values = values;
    at->width = sizeof *codes;
    at->distinct = distinct;
    at->has_missing = false;
    for (int64_t row = 0; row < table->rows && !at->has_missing; row++)
        at->has_missing = codes[row] == distinct;
}
