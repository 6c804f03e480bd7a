/*
 * table.c - reading from a table that has been built. Nothing here changes it.
 */
#include "table/table.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"

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
