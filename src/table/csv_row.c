/*
 * csv_row.c - the raw cells of a row, found again in the file, and quoting.
 *
 * Rows of a file without quotes are cut with the block masks; others by the
 * exact walk.
 */
#include <assert.h>
#include <string.h>

#include "base/cpu.h"
#include "table/csv.h"
#include "table/csv_row.h"
#include "table/csv_scan.h"

/* Cells of an unquoted row. Narrow steps: reading beyond the row would fetch a cache line that
 * nobody needs. */
static inline void cut_plain(const tacit_table *t, size_t at, size_t next, tacit_strview *cells,
                             int32_t columns)
{
    size_t start = at;
    int32_t column = 0;
    for (; at < next && at + TACIT__STEP <= t->len; at += TACIT__STEP) {
        for (uint32_t ends = tacit__find_ends(t->bytes + at, t->delimiter); ends;
             ends &= ends - 1) {
            size_t end = at + (size_t)__builtin_ctz(ends);
            if (end >= next)
                break;
            cells[column++] = (tacit_strview){t->bytes + start, end - start};
            start = end + 1;
            if (column == columns)
                return;
        }
    }
    for (; at < next && column < columns; at++)
        if (t->bytes[at] == t->delimiter || t->bytes[at] == '\n') {
            cells[column++] = (tacit_strview){t->bytes + start, at - start};
            start = at + 1;
        }
    /* the last cell of the file, whose line end may be lacking */
    for (; column < columns; start = next)
        cells[column++] = (tacit_strview){t->bytes + start, next - start};
}

/* The same by the exact walk. */
static void cut_quoted(const tacit_table *t, size_t start, size_t next, tacit_strview *cells,
                       int32_t columns)
{
    int32_t found;
    tacit__csv_cut(t, start, next, cells, columns, &found);
    for (int32_t i = found; i < columns; i++)
        cells[i] = (tacit_strview){t->bytes + next, 0};
}

TACIT__HOT
void tacit__row_at(const tacit_table *table, size_t start, size_t next, tacit_strview *cells,
                   int32_t columns)
{
    if (table->quoted) {
        cut_quoted(table, start, next, cells, columns);
        return;
    }
    cut_plain(table, start, next, cells, columns);
    tacit_strview *last = &cells[table->column_count - 1];
    if (columns == table->column_count && last->len && last->bytes[last->len - 1] == '\r')
        last->len--;
}

void tacit_table_row(const tacit_table *table, int64_t row, tacit_strview *cells)
{
    assert(row >= 0 && row < table->rows);
    tacit__row_at(table, tacit__row_start(table, row), tacit__row_start(table, row + 1), cells,
                  table->column_count);
}

void tacit__let_go_rows(const tacit_table *table, int64_t from, int64_t to)
{
    tacit__input_release(&table->input, tacit__row_start(table, from), tacit__row_start(table, to));
}

size_t tacit_csv_unquote(tacit_strview cell, char *buffer, size_t size)
{
    if (cell.len < 2 || cell.bytes[0] != '"') {
        size_t len = cell.len < size ? cell.len : size;
        if (len)
            memcpy(buffer, cell.bytes, len);
        return cell.len;
    }
    size_t len = 0;
    for (size_t i = 1; i + 1 < cell.len; i++) {
        if (len < size)
            buffer[len] = cell.bytes[i];
        len++;
        if (cell.bytes[i] == '"')
            i++; /* the second of a pair */
    }
    return len;
}

static bool needs_quotes(tacit_strview text, char delimiter)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.bytes[i] == delimiter || text.bytes[i] == '"' || text.bytes[i] == '\n' ||
            text.bytes[i] == '\r')
            return true;
    return false;
}

size_t tacit__csv_quote(tacit_strview text, char delimiter, char *out)
{
    char *at = out;
    bool quoted = needs_quotes(text, delimiter);
    if (quoted)
        *at++ = '"';
    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] == '"')
            *at++ = '"';
        *at++ = text.bytes[i];
    }
    if (quoted)
        *at++ = '"';
    return (size_t)(at - out);
}

tacit_strview tacit__csv_mark_before(tacit_strview text)
{
    static const char MARK[] = {'\xEF', '\xBB', '\xBF'};
    bool marked = text.len >= sizeof MARK && memcmp(text.bytes, MARK, sizeof MARK) == 0;
    return (tacit_strview){MARK, marked ? sizeof MARK : 0};
}
