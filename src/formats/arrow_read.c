/*
 * arrow_read.c - an Arrow stream as a CSV.
 *
 * Each batch is written as rows of text by all threads, part by part, in order. A cell says what
 * tacit reads and writes for a value of its type (values.h), so a column that a release leaves
 * alone can become what it was. Costs a text as long as the CSV of the data, and the time to write
 * it; nothing of the stream is kept.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "formats/arrow.h"

enum { PART = 1 << 13, PARTS_AT_ONCE = 64 };

/* Entries of a dictionary as cells, in quotes where they need them: those before the first that is
 * null or damaged. None where there are as many as rows. */
typedef struct entry_cells {
    tacit__format_text text;
    size_t *ends, capacity, count;
} entry_cells;

typedef struct arrow_reader {
    struct ArrowArrayStream *stream;
    struct ArrowSchema about;
    tacit_schema *schema;
    tacit__arrow_type *types;      /* of values: of a dictionary's, where there is one */
    tacit__arrow_type *numbers;    /* of the numbers of its entries */
    tacit__arrow_view *views;      /* of the batch */
    tacit__arrow_view *dictionary; /* the same */
    entry_cells *entries;          /* the same */
    tacit__format_text texts[PARTS_AT_ONCE];
    int64_t first, rows; /* of the batch: of these parts, and all */
    int64_t done;        /* rows of the batches before */
    int fd;
    int64_t written;
    const tacit_run *run;
} arrow_reader;

static tacit_status stream_failed(const arrow_reader *r, tacit_error *err)
{
    const char *why = r->stream->get_last_error ? r->stream->get_last_error(r->stream) : NULL;
    return tacit__error(err, TACIT_IO, "the Arrow stream failed%s%.200s", why ? ": " : "",
                        why ? why : "");
}

/* ---- columns ---- */

static tacit_status add_type(arrow_reader *r, size_t i, tacit_error *err)
{
    const struct ArrowSchema *child = r->about.children[i];
    const struct ArrowSchema *values = child->dictionary ? child->dictionary : child;
    const char *name = child->name ? child->name : "";
    tacit__arrow_type *number = &r->numbers[i];
    bool known = tacit__arrow_type_of(&r->types[i], values->format) && !values->dictionary;
    if (child->dictionary)
        known = known && tacit__arrow_type_of(number, child->format) &&
                tacit__arrow_type_name(number) == TACIT__TYPE_INTEGER;
    if (!known)
        return tacit__error(err, TACIT_INVALID,
                            "column \"%.80s\" has the Arrow type \"%.40s\", of which no table is "
                            "made: give it as text or numbers, or leave it out",
                            name, values->format);
    tacit__schema_column *column = tacit__schema_add(r->schema, tacit_strview_of(name));
    if (!column)
        return tacit__nomem(err);
    column->format = tacit__arena_copy(&r->schema->arena, tacit_strview_of(values->format));
    column->type = tacit__arrow_type_name(&r->types[i]);
    column->bytes = column->type == TACIT__TYPE_REAL ? r->types[i].bytes : 8;
    column->scale = r->types[i].scale;
    column->categories = child->dictionary != NULL;
    return column->format.bytes ? TACIT_OK : tacit__nomem(err);
}

static tacit_status read_schema(arrow_reader *r, tacit_error *err)
{
    if (r->stream->get_schema(r->stream, &r->about) != 0)
        return stream_failed(r, err);
    const struct ArrowSchema *about = &r->about;
    if (strcmp(about->format, "+s") != 0 || about->n_children < 1)
        return tacit__error(err, TACIT_INVALID, "the Arrow stream is no table with columns");
    if (about->n_children > TACIT_MAX_COLUMNS)
        return tacit__error(err, TACIT_LIMIT, "%lld columns; at most %d are read",
                            (long long)about->n_children, (int)TACIT_MAX_COLUMNS);
    size_t count = (size_t)about->n_children;
    r->types = tacit__alloc_zeroed(count, sizeof *r->types);
    r->numbers = tacit__alloc_zeroed(count, sizeof *r->numbers);
    r->views = tacit__alloc_zeroed(count, sizeof *r->views);
    r->dictionary = tacit__alloc_zeroed(count, sizeof *r->dictionary);
    r->entries = tacit__alloc_zeroed(count, sizeof *r->entries);
    if (!r->types || !r->numbers || !r->views || !r->dictionary || !r->entries)
        return tacit__nomem(err);
    tacit_status status = tacit__schema_new(&r->schema, NULL, err);
    for (size_t i = 0; i < count && status == TACIT_OK; i++)
        status = add_type(r, i, err);
    return status;
}

/* ---- rows ---- */

static tacit_status damaged_column(const arrow_reader *r, size_t column, tacit_error *err)
{
    return tacit__error(err, TACIT_INVALID, "column \"%.80s\" of the Arrow stream is damaged",
                        r->about.children[column]->name);
}

static tacit_status quote_entries(entry_cells *entries, const tacit__arrow_view *dictionary,
                                  int64_t rows, tacit_error *err)
{
    tacit__arrow_cell cell = {0};
    entries->count = 0;
    entries->text.csv.len = 0;
    entries->text.columns = 2; /* no row ends */
    for (int64_t at = 0; at < dictionary->array->length && dictionary->array->length < rows; at++) {
        tacit__arrow_cell_at(&cell, dictionary, at);
        if (cell.null || cell.damaged)
            return TACIT_OK;
        entries->text.at = 0;
        tacit__format_cell(&entries->text, cell.text);
        if (entries->text.csv.failed ||
            !TACIT__PUSH(entries->ends, entries->capacity, entries->count, entries->text.csv.len))
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

static tacit_status open_batch(arrow_reader *r, const struct ArrowArray *batch, tacit_error *err)
{
    if (batch->n_children != r->about.n_children || batch->length < 0 || batch->offset < 0 ||
        batch->null_count > 0)
        return tacit__error(err, TACIT_INVALID, "a batch of the Arrow stream is damaged");
    for (size_t i = 0; i < r->schema->count; i++) {
        const struct ArrowArray *child = batch->children[i];
        const tacit__arrow_view *entries = child->dictionary ? &r->dictionary[i] : NULL;
        bool fits = !entries || tacit__arrow_view_of(&r->dictionary[i], &r->types[i],
                                                     child->dictionary, 0, NULL);
        fits = fits &&
               tacit__arrow_view_of(&r->views[i], entries ? &r->numbers[i] : &r->types[i], child,
                                    batch->offset, entries) &&
               child->length - batch->offset >= batch->length &&
               (entries != NULL) == r->schema->columns[i].categories;
        if (!fits)
            return damaged_column(r, i, err);
        tacit_status status =
            entries ? quote_entries(&r->entries[i], entries, batch->length, err) : TACIT_OK;
        if (status != TACIT_OK)
            return status;
    }
    if (batch->length > TACIT_MAX_ROWS - r->done)
        return tacit__error(err, TACIT_LIMIT, "the Arrow stream has too many rows");
    r->rows = batch->length;
    return TACIT_OK;
}

/* Whether the cell is an entry that was quoted, which is written. */
static bool write_entry(tacit__format_text *text, const entry_cells *entries,
                        const tacit__arrow_view *view, int64_t row)
{
    uint64_t entry = entries->count ? tacit__arrow_entry_at(view, row) : UINT64_MAX;
    if (entry >= entries->count)
        return false;
    size_t from = entry ? entries->ends[entry - 1] : 0;
    tacit__format_quoted(
        text, (tacit_strview){entries->text.csv.bytes + from, entries->ends[entry] - from});
    return true;
}

/* A part of the batch as text. */
static tacit_status write_part(void *context, int64_t part, int worker, tacit_error *err)
{
    arrow_reader *r = context;
    tacit__format_text *text = &r->texts[part];
    int64_t from = r->first + part * PART;
    int64_t to = from + PART < r->rows ? from + PART : r->rows;
    tacit__arrow_cell cell;
    (void)worker;
    text->columns = (int32_t)r->schema->count;
    for (int64_t row = from; row < to; row++)
        for (size_t i = 0; i < r->schema->count; i++) {
            if (write_entry(text, &r->entries[i], &r->views[i], row))
                continue;
            tacit__arrow_cell_at(&cell, &r->views[i], row);
            if (cell.damaged)
                return damaged_column(r, i, err);
            if (cell.null)
                tacit__format_null(text);
            else
                tacit__format_cell(text, cell.text);
        }
    return text->csv.failed ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status keep_text(arrow_reader *r, tacit__format_text *text, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (text->csv.failed)
        return tacit__nomem(err);
    if (text->csv.len)
        status = tacit__write_at(r->fd, "memory", text->csv.bytes, text->csv.len, r->written, err);
    r->written += (int64_t)text->csv.len;
    text->csv.len = 0;
    return status;
}

static tacit_status write_batch(arrow_reader *r, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (r->first = 0; r->first < r->rows && status == TACIT_OK;
         r->first += (int64_t)PART * PARTS_AT_ONCE) {
        int64_t left = (r->rows - r->first + PART - 1) / PART;
        int64_t parts = left < PARTS_AT_ONCE ? left : PARTS_AT_ONCE;
        status = tacit__progress(r->run, "reading", r->done + r->first, 0, err);
        if (status == TACIT_OK)
            status = tacit__parallel(r->run, NULL, parts, write_part, r, err);
        for (int64_t i = 0; i < parts && status == TACIT_OK; i++)
            status = keep_text(r, &r->texts[i], err);
    }
    r->done += r->rows;
    return status;
}

static tacit_status write_header(arrow_reader *r, tacit_error *err)
{
    tacit__format_header(&r->texts[0], r->schema);
    return keep_text(r, &r->texts[0], err);
}

static tacit_status read_batches(arrow_reader *r, tacit_error *err)
{
    tacit_status status = write_header(r, err);
    for (bool more = true; more && status == TACIT_OK;) {
        struct ArrowArray batch = {0};
        if (r->stream->get_next(r->stream, &batch) != 0)
            return stream_failed(r, err);
        more = batch.release;
        if (!more)
            break;
        status = open_batch(r, &batch, err);
        if (status == TACIT_OK)
            status = write_batch(r, err);
        batch.release(&batch);
    }
    return status;
}

tacit_status tacit_arrow_read(int fd, tacit_schema **out, struct ArrowArrayStream *stream,
                              const tacit_run *run, tacit_error *err)
{
    arrow_reader r = {.stream = stream, .fd = fd, .run = run};
    if (!stream->release)
        return tacit__error(err, TACIT_INVALID, "the Arrow stream was used up already");
    tacit_status status = read_schema(&r, err);
    if (status == TACIT_OK)
        status = read_batches(&r, err);
    if (status == TACIT_OK)
        *out = r.schema;
    else
        tacit_schema_free(r.schema);
    for (int i = 0; i < PARTS_AT_ONCE; i++)
        tacit__strbuf_clear(&r.texts[i].csv);
    for (int64_t i = 0; r.entries && i < r.about.n_children; i++) {
        tacit__strbuf_clear(&r.entries[i].text.csv);
        tacit__free(r.entries[i].ends);
    }
    if (r.about.release)
        r.about.release(&r.about);
    stream->release(stream);
    tacit__free(r.types);
    tacit__free(r.numbers);
    tacit__free(r.views);
    tacit__free(r.dictionary);
    tacit__free(r.entries);
    return status;
}
