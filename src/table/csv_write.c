/* interim writer */
#include "table/table.h"
#include <string.h>
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/strbuf.h"

static void put(tacit__strbuf *b, tacit_strview v, char d)
{
    bool q = false;
    for (size_t i = 0; i < v.len; i++) q |= v.bytes[i] == d || v.bytes[i] == '"' || v.bytes[i] == '\n' || v.bytes[i] == '\r';
    if (!q) { tacit__strbuf_add(b, v.bytes, v.len); return; }
    tacit__strbuf_add(b, "\"", 1);
    for (size_t i = 0; i < v.len; i++) { if (v.bytes[i] == '"') tacit__strbuf_add(b, "\"", 1); tacit__strbuf_add(b, v.bytes + i, 1); }
    tacit__strbuf_add(b, "\"", 1);
}
tacit_status tacit_table_write(int fd, const char *name, int64_t *bytes, const tacit_table *t, const tacit_csv_layout *l, const tacit_run *run, tacit_error *err)
{
    (void)run;
    tacit__strbuf b = {0};
    tacit_strview *cells = tacit__alloc_array((size_t)t->column_count, sizeof *cells);
    if (t->has_header) for (int32_t c = 0; c < l->column_count; c++) { if (c) tacit__strbuf_add(&b, &t->delimiter, 1); put(&b, t->columns[l->columns[c].source].name, t->delimiter); if (c + 1 == l->column_count) tacit__strbuf_add(&b, "\n", 1); }
    for (int64_t i = 0; i < l->row_count; i++) {
        int64_t r = l->order ? l->order[i] : i;
        tacit_table_row(t, r, cells);
        for (int32_t c = 0; c < l->column_count; c++) {
            const tacit_csv_column *k = &l->columns[c];
            if (c) tacit__strbuf_add(&b, &t->delimiter, 1);
            tacit_strview cell = cells[k->source];
            if (k->blanked && l->suppressed && tacit__bit_get(l->suppressed, r)) put(&b, l->suppressed_label, t->delimiter);
            else if (k->relabelled && k->labels[tacit_codes_at(k->codes, r)].bytes) put(&b, k->labels[tacit_codes_at(k->codes, r)], t->delimiter);
            else if (k->rewrite) { char v[4096], w[TACIT_MAX_REWRITE]; size_t n = tacit_csv_unquote(cell, v, sizeof v); n = k->rewrite((tacit_strview){v, n}, w, sizeof w, k->payload); put(&b, (tacit_strview){w, n}, t->delimiter); }
            else tacit__strbuf_add(&b, cell.bytes, cell.len);
        }
        tacit__strbuf_add(&b, "\n", 1);
    }
    tacit__free(cells);
    tacit_status s = tacit__write_at(fd, name, b.bytes, b.len, 0, err);
    if (bytes) *bytes = (int64_t)b.len;
    tacit__strbuf_clear(&b);
    return s;
}
