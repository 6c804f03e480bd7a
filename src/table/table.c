/*
 * table.c - reading from a table that has been built, and some rows of one as a table of their own.
 *
 * What methods count is codes, so that is all that a part of a table has: the codes of its rows,
 * and the values of the table it came from, borrowed. As many bytes as its rows' codes have.
 */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "table/table.h"
#include "table/table_part.h"

static void gather_codes(void *out, const void *codes, int width, const uint32_t *rows,
                         int64_t count)
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
    gather_codes(out->codes, from->codes, from->width, rows, count);
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
    table->file = tacit__copy_text(from->file);
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

void tacit_table_free(tacit_table *table)
{
    if (!table)
        return;
    for (int32_t i = 0; table->columns && i < table->column_count; i++) {
        tacit__free(table->columns[i].codes);
        tacit__free(table->columns[i].values);
    }
    tacit__free(table->columns);
    tacit__free(table->starts.low);
    tacit__free(table->starts.turns);
    tacit__free(table->digests);
    tacit__free(table->sums);
    tacit__free(table->file);
    tacit__arena_clear(&table->arena);
    for (int i = 0; table->arenas && i < table->arena_count; i++)
        tacit__arena_clear(&table->arenas[i]);
    tacit__free(table->arenas);
    if (table->free_origin)
        table->free_origin(table->origin);
    tacit__input_close(&table->input);
    tacit__free(table);
}

void tacit_table_let_go(const tacit_table *table)
{
    tacit__input_release(&table->input, 0, table->len);
}

int64_t tacit_table_rows(const tacit_table *table)
{
    return table->rows;
}

int32_t tacit_table_columns(const tacit_table *table)
{
    return table->column_count;
}

char tacit_table_delimiter(const tacit_table *table)
{
    return table->delimiter;
}

bool tacit_table_has_header(const tacit_table *table)
{
    return table->has_header;
}

tacit_guard tacit_table_guard(const tacit_table *table)
{
    return table->guard;
}

bool tacit_table_words(const tacit_table *table, int32_t column, int64_t index,
                       tacit_strview *value, tacit_strview *text)
{
    return table->words &&
           table->words(table->origin, tacit_table_name(table, column), index, value, text);
}

const void *tacit_table_origin(const tacit_table *table)
{
    return table->origin;
}

tacit_encoding tacit_table_encoding(const tacit_table *table)
{
    return table->encoding;
}

bool tacit_table_stray_end(const tacit_table *table)
{
    return table->stray_end;
}

const char *tacit_table_file(const tacit_table *table)
{
    return table->file;
}

static const tacit__column *column_at(const tacit_table *table, int32_t column)
{
    assert(column >= 0 && column < table->column_count);
    return &table->columns[column];
}

tacit_strview tacit_table_name(const tacit_table *table, int32_t column)
{
    return column_at(table, column)->name;
}

int32_t tacit_table_find(const tacit_table *table, tacit_strview name)
{
    for (int32_t i = 0; i < table->column_count; i++)
        if (tacit_strview_equal(table->columns[i].name, name))
            return i;
    return -1;
}

int64_t tacit_table_line(const tacit_table *table, int64_t row)
{
    assert(row >= 0 && row < table->rows);
    int64_t line = 1;
    const char *at = table->bytes, *end = table->bytes + tacit__row_start(table, row);
    while ((at = memchr(at, '\n', (size_t)(end - at)))) {
        line++;
        at++;
    }
    return line;
}

bool tacit_table_is_coded(const tacit_table *table, int32_t column)
{
    return column_at(table, column)->coded;
}

uint32_t tacit_table_distinct(const tacit_table *table, int32_t column)
{
    assert(column_at(table, column)->coded);
    return column_at(table, column)->distinct;
}

bool tacit_table_has_missing(const tacit_table *table, int32_t column)
{
    assert(column_at(table, column)->coded);
    return column_at(table, column)->has_missing;
}

tacit_strview tacit_table_value(const tacit_table *table, int32_t column, uint32_t code)
{
    assert(code < tacit_table_distinct(table, column));
    return column_at(table, column)->values[code];
}

const uint64_t *tacit_table_digests(const tacit_table *table)
{
    return table->digests;
}

bool tacit_table_is_digested(const tacit_table *table, int32_t column)
{
    return column_at(table, column)->digested;
}

tacit_codes_view tacit_table_codes(const tacit_table *table, int32_t column)
{
    const tacit__column *c = column_at(table, column);
    assert(c->coded);
    return (tacit_codes_view){c->codes, c->width};
}

void tacit_csv_options_init_sized(tacit_csv_options *options, size_t size)
{
    memset(options, 0, size);
    options->size = size;
    options->max_field = 1 << 20;
}
