/*
 * tsv.c - rows as lines with tabs between cells, read in pieces and written.
 *
 * A null is kept as an end with its highest bit set. Memory: that of the longest row, which is
 * bounded.
 */
#include "engines/tsv.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

enum { MAX_ROW = 1 << 28, MAX_ROW_CELLS = 1 << 16 };
static const size_t NULL_CELL = (size_t)1 << 63;

static bool end_cell(tacit__tsv *tsv)
{
    size_t end = tsv->row.len | (tsv->null ? NULL_CELL : 0);
    tsv->null = false;
    return tsv->count < MAX_ROW_CELLS && TACIT__PUSH(tsv->ends, tsv->capacity, tsv->count, end);
}

static tacit_status end_row(tacit__tsv *tsv, tacit_engine_row_fn row, void *context,
                            tacit_error *err)
{
    size_t from = 0, count = tsv->count;
    if (tsv->row.failed || !TACIT__RESERVE(tsv->views, tsv->view_capacity, count))
        return tacit__nomem(err);
    for (size_t i = 0; i < count; i++) {
        size_t end = tsv->ends[i] & ~NULL_CELL;
        tsv->views[i] = (tacit_strview){end > from ? tsv->row.bytes + from : "", end - from};
        if (tsv->ends[i] & NULL_CELL)
            tsv->views[i] = (tacit_strview){NULL, 0};
        from = end;
    }
    tsv->row.len = 0;
    tsv->count = 0;
    return row(context, tsv->views, (int32_t)count, err);
}

/* What stands for a character behind a backslash; any other stands for itself. */
static char unescaped(char byte)
{
    static const char PAIRS[] = "t\tn\nr\rb\bf\f0\0a\av\v";
    for (size_t i = 0; i + 1 < sizeof PAIRS; i += 2)
        if (PAIRS[i] == byte)
            return PAIRS[i + 1];
    return byte;
}

static void take_escaped(tacit__tsv *tsv, char byte)
{
    size_t start = tsv->count ? tsv->ends[tsv->count - 1] & ~NULL_CELL : 0;
    char stands_for = unescaped(byte);
    tsv->escaped = false;
    if (byte == 'N' && tsv->row.len == start)
        tsv->null = true;
    else
        tacit__strbuf_add(&tsv->row, &stands_for, 1);
}

static tacit_status take_end(tacit__tsv *tsv, char byte, tacit_engine_row_fn row, void *context,
                             tacit_error *err)
{
    if (byte == '\\') {
        tsv->escaped = true;
        return TACIT_OK;
    }
    if (!end_cell(tsv))
        return tacit__error(err, TACIT_LIMIT, "an answer of more than %d columns",
                            (int)MAX_ROW_CELLS);
    return byte == '\n' ? end_row(tsv, row, context, err) : TACIT_OK;
}

tacit_status tacit__tsv_read(tacit__tsv *tsv, const char *bytes, size_t len,
                             tacit_engine_row_fn row, void *context, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t at = 0; at < len && status == TACIT_OK;) {
        if (tsv->escaped) {
            take_escaped(tsv, bytes[at++]);
            continue;
        }
        size_t plain = at;
        while (plain < len && !strchr("\t\n\\", bytes[plain] ? bytes[plain] : ' '))
            plain++;
        if (plain > at)
            tacit__strbuf_add(&tsv->row, bytes + at, plain - at);
        if (tsv->row.len > MAX_ROW)
            return tacit__error(err, TACIT_LIMIT, "a row of an answer has more than %d bytes",
                                (int)MAX_ROW);
        at = plain;
        if (at < len)
            status = take_end(tsv, bytes[at++], row, context, err);
    }
    return status == TACIT_OK && tsv->row.failed ? tacit__nomem(err) : status;
}

bool tacit__tsv_ended(const tacit__tsv *tsv)
{
    return tsv->row.len == 0 && tsv->count == 0 && !tsv->escaped && !tsv->null;
}

void tacit__tsv_clear(tacit__tsv *tsv)
{
    tacit__strbuf_clear(&tsv->row);
    tacit__free(tsv->ends);
    tacit__free(tsv->views);
    *tsv = (tacit__tsv){0};
}

/* ---- writing ---- */

static void add_tsv_cell(tacit__strbuf *text, tacit_strview cell)
{
    if (!cell.bytes) {
        tacit__strbuf_add(text, "\\N", 2);
        return;
    }
    for (size_t i = 0; i < cell.len; i++) {
        char byte = cell.bytes[i];
        const char *special = byte ? strchr("\\\\\tt\nn\rr", byte) : NULL;
        if (special && (byte == '\\' || byte < ' ')) {
            const char pair[2] = {'\\', byte == '\\' ? '\\' : special[1]};
            tacit__strbuf_add(text, pair, 2);
        } else {
            tacit__strbuf_add(text, &byte, 1);
        }
    }
}

void tacit__tsv_add_row(tacit__strbuf *text, const tacit_strview *cells, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        if (i > 0)
            tacit__strbuf_add(text, "\t", 1);
        add_tsv_cell(text, cells[i]);
    }
    tacit__strbuf_add(text, "\n", 1);
}
