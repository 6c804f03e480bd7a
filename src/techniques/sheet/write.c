/*
 * write.c - a masked table as CSV: cells that were not changed byte for byte, the others quoted
 * where they must be.
 *
 * Batches of rows are formatted by all cores, as many at a time as there are, and written in
 * order, so the bytes do not depend on threads. What is carried along of a row is copied as one
 * run where no column within it has been loaded.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "table/csv_row.h"
#include "techniques/runner/masking.h"
#include "techniques/sheet/sheet.h"

enum { BATCH = 2048, AHEAD = 12 };

/* What is written of a batch. */
typedef struct sheaf {
    char *bytes;
    size_t len, capacity;
    tacit_strview *cells; /* of a row of the file */
} sheaf;

typedef struct writing {
    const tacit__sheet *sheet;
    int64_t first; /* batch of the round */
    sheaf *sheaves;
    tacit_strview line_end;
} writing;

static char *room_for(sheaf *s, size_t len)
{
    return tacit__reserve((void **)&s->bytes, &s->capacity, s->len + len, 1) ? s->bytes + s->len
                                                                             : NULL;
}

static bool put(sheaf *s, tacit_strview text)
{
    char *at = room_for(s, text.len);
    if (!at)
        return false;
    if (text.len)
        memcpy(at, text.bytes, text.len);
    s->len += text.len;
    return true;
}

static bool put_quoted(sheaf *s, tacit_strview text, char delimiter)
{
    char *at = room_for(s, text.len * 2 + 2);
    if (at)
        s->len += tacit__csv_quote(text, delimiter, at);
    return at;
}

static bool put_number(sheaf *s, const tacit__sheet_column *column, int64_t row)
{
    char *at = room_for(s, TACIT__FIXED_SIZE);
    if (at)
        s->len += tacit__fixed_write(at, column->numbers[row], column->decimals);
    return at;
}

static bool put_cell(sheaf *s, const tacit__sheet *sheet, int32_t index, int64_t row)
{
    const tacit__sheet_column *column = &sheet->columns[index];
    if (!column->marks)
        return sheet->origin[row] == TACIT__NO_ORIGIN || put(s, s->cells[index]);
    tacit__mark mark = column->marks[row];
    switch (tacit__mark_kind(mark)) {
    case TACIT__MARK_NUMBER: return put_number(s, column, row);
    case TACIT__MARK_TEXT:
        return put_quoted(s, column->texts[tacit__mark_text(mark)], sheet->table->delimiter);
    default: return put(s, tacit__mark_bytes(sheet->table, mark));
    }
}

/* Moved cells and rows stand anywhere in the file: those of a later row are asked for before they
 * are needed, or waiting for memory would be most of the work. */
static bool put_row(sheaf *s, const writing *w, int64_t row)
{
    const tacit__sheet *sheet = w->sheet;
    const tacit_strview delimiter = {&sheet->table->delimiter, 1};
    int64_t later = row + AHEAD < sheet->rows ? row + AHEAD : row;
    if (sheet->origin[later] != TACIT__NO_ORIGIN)
        __builtin_prefetch(sheet->table->bytes +
                           tacit__row_start(sheet->table, sheet->origin[later]));
    if (sheet->origin[row] != TACIT__NO_ORIGIN)
        tacit_table_row(sheet->table, sheet->origin[row], s->cells);
    size_t start = s->len;
    for (int32_t i = 0; i < sheet->column_count; i++) {
        const tacit__mark *marks = sheet->columns[i].marks;
        if (marks && tacit__mark_kind(marks[later]) == TACIT__MARK_RAW)
            __builtin_prefetch(tacit__mark_bytes(sheet->table, marks[later]).bytes);
        if ((i > 0 && !put(s, delimiter)) || !put_cell(s, sheet, i, row))
            return false;
    }
    /* an empty line would be no row */
    if (s->len == start && !put(s, (tacit_strview){"\"\"", 2}))
        return false;
    return put(s, w->line_end);
}

static tacit_status write_batch(void *context, int64_t task, int worker, tacit_error *err)
{
    const writing *w = context;
    sheaf *s = &w->sheaves[task];
    int64_t from = (w->first + task) * BATCH, to = from + BATCH;
    (void)worker;
    s->len = 0;
    for (int64_t row = from; row < to && row < w->sheet->rows; row++)
        if (!put_row(s, w, row))
            return tacit__nomem(err);
    return TACIT_OK;
}

static tacit_status put_header(sheaf *s, const writing *w, tacit_error *err)
{
    const tacit__sheet *sheet = w->sheet;
    const tacit_table *table = sheet->table;
    bool whole = true;
    s->len = 0;
    if (!table->has_header)
        return TACIT_OK;
    for (int32_t i = 0; whole && i < sheet->column_count; i++)
        whole = (i == 0 || put(s, (tacit_strview){&table->delimiter, 1})) &&
                put_quoted(s, tacit_strview_of(sheet->columns[i].name), table->delimiter);
    whole = whole && put(s, w->line_end);
    return whole ? TACIT_OK : tacit__nomem(err);
}

static tacit_status flush(const sheaf *s, int fd, const char *name, int64_t *offset,
                          tacit_error *err)
{
    const tacit_strview text = {s->bytes, s->len};
    const tacit_strview mark =
        *offset == 0 ? tacit__csv_mark_before(text) : (tacit_strview){.len = 0};
    tacit_status status = tacit__write_at(fd, name, mark.bytes, mark.len, *offset, err);
    *offset += (int64_t)mark.len;
    if (status == TACIT_OK)
        status = tacit__write_at(fd, name, text.bytes, text.len, *offset, err);
    *offset += (int64_t)text.len;
    return status;
}

static tacit_status write_rounds(writing *w, int64_t width, int fd, const char *name,
                                 int64_t *offset, const tacit_run *run, tacit_error *err)
{
    int64_t batches = (w->sheet->rows + BATCH - 1) / BATCH;
    tacit_status status = put_header(&w->sheaves[0], w, err);
    if (status == TACIT_OK)
        status = flush(&w->sheaves[0], fd, name, offset, err);
    for (; status == TACIT_OK && w->first < batches; w->first += width) {
        int64_t count = batches - w->first < width ? batches - w->first : width;
        status = tacit__parallel(run, NULL, count, write_batch, w, err);
        for (int64_t i = 0; status == TACIT_OK && i < count; i++)
            status = flush(&w->sheaves[i], fd, name, offset, err);
        if (status == TACIT_OK)
            status = tacit__progress(run, "writing", w->first, batches, err);
    }
    return status;
}

static void clear(sheaf *sheaves, int64_t count)
{
    for (int64_t i = 0; sheaves && i < count; i++) {
        tacit__free(sheaves[i].bytes);
        tacit__free(sheaves[i].cells);
    }
    tacit__free(sheaves);
}

tacit_status tacit_masked_write(int fd, const char *name, int64_t *bytes,
                                const tacit_masked *masked, const tacit_run *run, tacit_error *err)
{
    const tacit__sheet *sheet = &masked->sheet;
    int64_t width = 8 * (int64_t)tacit__threads(run), offset = 0;
    writing w = {.sheet = sheet, .line_end = tacit_strview_of(sheet->table->crlf ? "\r\n" : "\n")};
    w.sheaves = tacit__alloc_zeroed((size_t)width, sizeof *w.sheaves);
    tacit_status status = w.sheaves ? TACIT_OK : tacit__nomem(err);
    for (int64_t i = 0; status == TACIT_OK && i < width; i++) {
        w.sheaves[i].cells = tacit__alloc_array((size_t)tacit_table_columns(sheet->table) + 1,
                                                sizeof *w.sheaves[i].cells);
        status = w.sheaves[i].cells ? TACIT_OK : tacit__nomem(err);
    }
    if (status == TACIT_OK)
        status = write_rounds(&w, width, fd, name, &offset, run, err);
    clear(w.sheaves, width);
    if (status == TACIT_OK && bytes)
        *bytes = offset;
    return status;
}
