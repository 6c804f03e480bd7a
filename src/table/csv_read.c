/* interim reader */
#include "table/table.h"
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"

static size_t field_end(const tacit_table *t, size_t at)
{
    if (at < t->len && t->bytes[at] == '"') {
        for (at++; at < t->len; at++) {
            if (t->bytes[at] == '"') {
                if (at + 1 < t->len && t->bytes[at + 1] == '"') at++;
                else return at + 1;
            }
        }
        return at;
    }
    while (at < t->len && t->bytes[at] != t->delimiter && t->bytes[at] != '\n' && t->bytes[at] != '\r') at++;
    return at;
}
size_t tacit_csv_unquote(tacit_strview cell, char *buffer, size_t size)
{
    if (cell.len < 2 || cell.bytes[0] != '"') {
        memcpy(buffer, cell.bytes, cell.len < size ? cell.len : size);
        return cell.len;
    }
    size_t n = 0;
    for (size_t i = 1; i + 1 < cell.len; i++) {
        if (n < size) buffer[n] = cell.bytes[i];
        n++;
        if (cell.bytes[i] == '"') i++;
    }
    return n;
}
void tacit_table_row(const tacit_table *t, int64_t row, tacit_strview *cells)
{
    size_t at = t->row_start[row];
    for (int32_t c = 0; c < t->column_count; c++) {
        size_t end = field_end(t, at);
        cells[c] = (tacit_strview){t->bytes + at, end - at};
        at = end + 1;
    }
}
static tacit_strview text_of(tacit_table *t, tacit_strview raw)
{
    if (raw.len < 2 || raw.bytes[0] != '"') return raw;
    char *b = tacit__arena_alloc(&t->arena, raw.len);
    return (tacit_strview){b, tacit_csv_unquote(raw, b, raw.len)};
}
tacit_status tacit_table_read_memory(tacit_table **out, tacit_strview bytes, const char *name, const tacit_csv_options *o, const tacit_run *run, tacit_error *err)
{
    (void)run;
    tacit_table *t = tacit__alloc_zeroed(1, sizeof *t);
    t->bytes = bytes.bytes; t->len = bytes.len; t->file = tacit__copy_bytes(name, strlen(name));
    t->has_header = !o->no_header;
    size_t first = 0;
    int best = 0;
    for (const char *d = ",;\t|"; *d; d++) {
        int n = 0;
        for (size_t i = 0; i < t->len && t->bytes[i] != '\n'; i++) n += t->bytes[i] == *d;
        if (n > best || d[0] == ',') { best = n; t->delimiter = *d; }
    }
    if (o->delimiter) t->delimiter = o->delimiter;
    size_t at = first, cap = 0, n = 0;
    while (at < t->len) {
        if (!tacit__reserve((void **)&t->row_start, &cap, n + 2, 8)) return tacit__nomem(err);
        t->row_start[n++] = at;
        int32_t cols = 0;
        for (;;) {
            size_t end = field_end(t, at);
            cols++;
            at = end;
            if (at < t->len && t->bytes[at] == t->delimiter) { at++; continue; }
            if (at < t->len && t->bytes[at] == '\r') at++;
            if (at < t->len) at++;
            break;
        }
        if (!t->column_count) t->column_count = cols;
        else if (cols != t->column_count) { tacit_table_free(t); return tacit__error_at(err, TACIT_PARSE, name, (int64_t)n, 1, "%d fields where the first row has %d", cols, t->column_count); }
    }
    if (!n) { tacit_table_free(t); return tacit__error_at(err, TACIT_PARSE, name, 1, 1, "the file is empty"); }
    t->row_start[n] = t->len;
    t->columns = tacit__alloc_zeroed((size_t)t->column_count, sizeof *t->columns);
    tacit_strview *cells = tacit__alloc_array((size_t)t->column_count, sizeof *cells);
    tacit_table_row(t, 0, cells);
    for (int32_t c = 0; c < t->column_count; c++) t->columns[c].name = text_of(t, cells[c]);
    if (t->has_header) { memmove(t->row_start, t->row_start + 1, n * 8); n--; }
    t->rows = (int64_t)n;
    for (size_t i = 0; i < o->coded_count; i++)
        if (tacit_table_find(t, tacit_strview_of(o->coded[i])) < 0) { tacit__free(cells); tacit__error_at(err, TACIT_INVALID, name, 0, 0, "no column \"%s\"", o->coded[i]); tacit_table_free(t); return TACIT_INVALID; }
    for (int32_t c = 0; c < t->column_count; c++) {
        tacit__column *k = &t->columns[c];
        k->coded = !o->code_none && !o->coded;
        for (size_t i = 0; i < o->coded_count; i++) k->coded |= tacit_strview_equal(k->name, tacit_strview_of(o->coded[i]));
        if (!k->coded) continue;
        k->width = 4; uint32_t *codes = k->codes = tacit__alloc_array(n + 1, 4); size_t vc = 0;
        for (size_t r = 0; r < n; r++) {
            tacit_table_row(t, (int64_t)r, cells);
            tacit_strview v = text_of(t, cells[c]);
            if (!v.len) { codes[r] = UINT32_MAX; k->has_missing = true; continue; }
            uint32_t j = 0;
            while (j < k->distinct && !tacit_strview_equal(k->values[j], v)) j++;
            if (j == k->distinct) { tacit__reserve((void **)&k->values, &vc, j + 1, sizeof v); k->values[k->distinct++] = v; }
            codes[r] = j;
        }
        for (size_t r = 0; r < n; r++) if (codes[r] == UINT32_MAX) codes[r] = k->distinct;
    }
    tacit__free(cells);
    *out = t;
    return TACIT_OK;
}
tacit_status tacit_table_read_fd(tacit_table **out, int fd, const char *name, const tacit_csv_options *o, const tacit_run *run, tacit_error *err)
{
    tacit__input in = {0};
    tacit_status s = tacit__input_open_fd(&in, fd, name, 0, err);
    if (s == TACIT_OK) s = tacit_table_read_memory(out, (tacit_strview){in.bytes, in.len}, name, o, run, err);
    if (s == TACIT_OK) (*out)->input = in; else tacit__input_close(&in);
    return s;
}
tacit_status tacit_table_read(tacit_table **out, const char *path, const tacit_csv_options *o, const tacit_run *run, tacit_error *err)
{
    tacit__input in = {0};
    tacit_status s = tacit__input_open(&in, path, 0, err);
    if (s == TACIT_OK) s = tacit_table_read_memory(out, (tacit_strview){in.bytes, in.len}, path, o, run, err);
    if (s == TACIT_OK) (*out)->input = in; else tacit__input_close(&in);
    return s;
}
