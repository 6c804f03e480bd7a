/*
 * cells.c - cells into the text of a CSV, and out of a release's rows.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "formats/formats.h"

void tacit__format_bytes(tacit__format_text *text, const char *bytes, size_t len)
{
    if (tacit__format_fits(text, len))
        tacit__strbuf_add(&text->csv, bytes, len);
}

static void start_cell(tacit__format_text *text)
{
    if (text->at > 0)
        tacit__format_bytes(text, ",", 1);
}

static void end_cell(tacit__format_text *text)
{
    if (++text->at < text->columns)
        return;
    tacit__format_bytes(text, "\n", 1);
    text->at = 0;
}

/* A row that is one empty cell would be an empty line. */
void tacit__format_null(tacit__format_text *text)
{
    start_cell(text);
    if (text->columns == 1)
        tacit__format_bytes(text, "\"\"", 2);
    end_cell(text);
}

static bool needs_quotes(tacit_strview cell)
{
    for (size_t i = 0; i < cell.len; i++)
        if (cell.bytes[i] == ',' || cell.bytes[i] == '"' || cell.bytes[i] == '\n' ||
            cell.bytes[i] == '\r')
            return true;
    return cell.len == 0;
}

void tacit__format_quoted(tacit__format_text *text, tacit_strview cell)
{
    start_cell(text);
    tacit__format_bytes(text, cell.bytes, cell.len);
    end_cell(text);
}

void tacit__format_cell(tacit__format_text *text, tacit_strview cell)
{
    if (!needs_quotes(cell)) {
        tacit__format_quoted(text, cell);
        return;
    }
    start_cell(text);
    tacit__format_bytes(text, "\"", 1);
    for (size_t from = 0; from < cell.len;) {
        const char *quote = memchr(cell.bytes + from, '"', cell.len - from);
        size_t to = quote ? (size_t)(quote - cell.bytes) + 1 : cell.len;
        tacit__format_bytes(text, cell.bytes + from, to - from);
        if (quote)
            tacit__format_bytes(text, "\"", 1);
        from = to;
    }
    tacit__format_bytes(text, "\"", 1);
    end_cell(text);
}

void tacit__format_header(tacit__format_text *text, const tacit_schema *schema)
{
    text->columns = (int32_t)schema->count;
    for (size_t i = 0; i < schema->count; i++)
        tacit__format_cell(text, schema->columns[i].name);
}

tacit_status tacit__format_row_new(tacit__format_row *row, const tacit_table *table,
                                   tacit_error *err)
{
    size_t columns = (size_t)tacit_table_columns(table);
    *row = (tacit__format_row){.table = table,
                               .raw = tacit__alloc_array(columns, sizeof *row->raw),
                               .cells = tacit__alloc_array(columns, sizeof *row->cells),
                               .null = tacit__alloc_array(columns, sizeof *row->null)};
    if (row->raw && row->cells && row->null)
        return TACIT_OK;
    tacit__format_row_clear(row);
    return tacit__nomem(err);
}

void tacit__format_row_clear(tacit__format_row *row)
{
    tacit__free(row->raw);
    tacit__free(row->cells);
    tacit__free(row->null);
    tacit__free(row->buffer);
    *row = (tacit__format_row){0};
}

static bool is_quoted(tacit_strview raw)
{
    return raw.len > 0 && raw.bytes[0] == '"';
}

tacit_status tacit__format_row_at(tacit__format_row *row, int64_t number, tacit_error *err)
{
    int32_t columns = tacit_table_columns(row->table);
    size_t quoted = 0;
    tacit_table_row(row->table, number, row->raw);
    for (int32_t i = 0; i < columns; i++)
        quoted += is_quoted(row->raw[i]) ? row->raw[i].len : 0;
    if (!tacit__reserve((void **)&row->buffer, &row->buffer_size, quoted, 1))
        return tacit__nomem(err);
    char *at = row->buffer;
    for (int32_t i = 0; i < columns; i++) {
        row->null[i] = row->raw[i].len == 0;
        row->cells[i] = row->raw[i];
        if (!is_quoted(row->raw[i]))
            continue;
        size_t len = tacit_csv_unquote(row->raw[i], at, row->raw[i].len);
        row->cells[i] = (tacit_strview){at, len};
        at += len;
    }
    return TACIT_OK;
}

typedef struct row_parts {
    tacit__format_row *rows; /* a worker each */
    int64_t count;           /* of rows of the table */
    tacit__format_part_fn part;
    void *context;
} row_parts;

static tacit_status do_part(void *context, int64_t number, int worker, tacit_error *err)
{
    const row_parts *parts = context;
    int64_t from = number * TACIT__FORMAT_PART, to = from + TACIT__FORMAT_PART;
    return parts->part(parts->context, &parts->rows[worker], from,
                       to < parts->count ? to : parts->count, worker, err);
}

tacit_status tacit__format_parts(const tacit_table *table, const char *phase,
                                 tacit__format_part_fn part, void *context, const tacit_run *run,
                                 tacit_error *err)
{
    int workers = tacit__threads(run);
    row_parts parts = {.rows = tacit__alloc_zeroed((size_t)workers, sizeof *parts.rows),
                       .count = tacit_table_rows(table),
                       .part = part,
                       .context = context};
    if (!parts.rows)
        return tacit__nomem(err);
    tacit_status status = TACIT_OK;
    for (int i = 0; i < workers && status == TACIT_OK; i++)
        status = tacit__format_row_new(&parts.rows[i], table, err);
    if (status == TACIT_OK)
        status =
            tacit__parallel(run, phase, (parts.count + TACIT__FORMAT_PART - 1) / TACIT__FORMAT_PART,
                            do_part, &parts, err);
    for (int i = 0; i < workers; i++)
        tacit__format_row_clear(&parts.rows[i]);
    tacit__free(parts.rows);
    return status;
}
