/*
 * csv_guard.c - an apostrophe before every cell that a spreadsheet may run as a formula.
 *
 * This is done to the bytes before anything is read from them, so that whatever works on the table,
 * a method, the judge or an attack, has the same cells before it, and what is released is compared
 * with what was read byte for byte as ever. Names of columns stay: a policy goes by them.
 *
 * One pass. A file without such cells stays where it is; of another one a copy is in memory. Bytes
 * of a mapped file can change meanwhile, so nothing that was found in them is looked at twice, and
 * the file is asked for changes before it is let go. What is not well formed is left to the
 * reader, who says so.
 */
#include "table/csv_guard.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/formula.h"
#include "base/strbuf.h"
#include "table/csv_dialect.h"

typedef struct walk {
    const char *at, *end; /* from here on nothing was looked at */
    const char *copied;   /* up to here it was copied */
    char delimiter;
    const bool *skipped; /* a column each: stays as it is */
    int32_t columns;
    tacit__strbuf out;
} walk;

/* The end of what is quoted: its closing quote, or the file's end. */
static const char *quoted_end(const char *at, const char *end)
{
    while (at < end) {
        const char *quote = memchr(at, '"', (size_t)(end - at));
        if (!quote || quote + 1 == end || quote[1] != '"')
            return quote ? quote : end;
        at = quote + 2;
    }
    return end;
}

/* What the next cell says, doubled quotes as they are, and moves behind it. */
static tacit_strview next_cell(walk *w)
{
    const char *from = w->at, *to = NULL;
    if (from < w->end && *from == '"') {
        from++;
        to = quoted_end(from, w->end);
        w->at = to;
    }
    while (w->at < w->end && *w->at != w->delimiter && *w->at != '\n')
        w->at++;
    if (!to) {
        bool line = w->at == w->end || *w->at != w->delimiter;
        to = w->at - (line && w->at > from && w->at[-1] == '\r');
    }
    return (tacit_strview){from, (size_t)(to - from)};
}

static void guard(walk *w, const char *cell)
{
    static const char mark[] = {TACIT__GUARD};
    tacit__strbuf_add(&w->out, w->copied, (size_t)(cell - w->copied));
    tacit__strbuf_add(&w->out, mark, sizeof mark);
    w->copied = cell;
}

static void guard_rows(walk *w)
{
    int32_t column = 0;
    while (w->at < w->end && !w->out.failed) {
        tacit_strview cell = next_cell(w);
        bool skipped = column < w->columns && w->skipped[column];
        if (!skipped && tacit__is_formula(cell))
            guard(w, cell.bytes);
        column++;
        if (w->at < w->end && *w->at == '\n')
            column = 0;
        w->at += w->at < w->end;
    }
    if (w->out.len)
        tacit__strbuf_add(&w->out, w->copied, (size_t)(w->end - w->copied));
}

/* The guarded text takes the place of the file. */
static tacit_status replace(tacit__input *input, const char *name, tacit__strbuf *out,
                            tacit_error *err)
{
    if (out->failed)
        return tacit__nomem(err);
    tacit_status status = tacit__input_check(input, name, err);
    if (status != TACIT_OK || !out->len)
        return status;
    tacit__input_close(input);
    *input = (tacit__input){.bytes = out->bytes, .len = out->len, .owned = out->bytes};
    *out = (tacit__strbuf){0};
    return TACIT_OK;
}

static tacit_status guard_table(tacit__input *input, const tacit_table *probe,
                                const tacit_csv_options *options, tacit_error *err)
{
    bool *skipped = tacit__alloc_zeroed((size_t)probe->column_count, sizeof *skipped);
    if (!skipped)
        return tacit__nomem(err);
    for (int32_t i = 0; options->unguarded && i < probe->column_count; i++)
        skipped[i] = options->unguarded(probe->columns[i].name, options->unguarded_context);
    walk w = {.at = probe->bytes + probe->data_start,
              .end = input->bytes + input->len,
              .copied = probe->bytes,
              .delimiter = probe->delimiter,
              .skipped = skipped,
              .columns = probe->column_count};
    guard_rows(&w);
    tacit_status status = replace(input, probe->file, &w.out, err);
    tacit__strbuf_clear(&w.out);
    tacit__free(skipped);
    return status;
}

tacit_status tacit__csv_guard(tacit__input *input, char *delimiter, const char *name,
                              const tacit_csv_options *options, size_t max_field, tacit_error *err)
{
    tacit_table *probe = tacit__alloc_zeroed(1, sizeof *probe);
    if (!probe)
        return tacit__nomem(err);
    probe->bytes = input->bytes;
    probe->len = input->len;
    probe->file = tacit__copy_bytes(name, strlen(name));
    tacit_status status =
        probe->file ? tacit__csv_dialect(probe, options, max_field, err) : tacit__nomem(err);
    *delimiter = probe->delimiter;
    if (status == TACIT_OK)
        status = guard_table(input, probe, options, err);
    tacit_table_free(probe);
    return status;
}
