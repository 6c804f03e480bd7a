/*
 * formats.c - the list of formats; files to CSV, and releases from it.
 *
 * A file's format is told by how its bytes start, so a wrong name does no harm; text that another
 * file describes, by that one. The format of a file to be written is told by its name.
 *
 * A release is written from the CSV that was judged. Which columns are still what they were follows
 * from their cells, in one pass: a column of dates in which one cell has become "1960-1969" is
 * text. What was written is then read by the format's own reader and compared with the release,
 * cell by cell, so a mistake in a writer, in a reader or in the library below them costs a release
 * and changes none. Both take the time of a reading and the memory of a text; cells are gone
 * through by all threads.
 */
#include <stdatomic.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "formats/packed.h"
#include "formats/values.h"

#define FORMATS(each)                                                                            \
    each(gzip) each(zstd) each(stata) each(spss) each(spss_packed) each(spss_portable) each(sas) \
        each(sas_transport) each(xlsx) each(px) each(sqlite) each(parquet) each(fixed_width)

#define DECLARE(name) extern const tacit_format tacit__format_##name;
FORMATS(DECLARE)
#undef DECLARE

#define ADDRESS(name) &tacit__format_##name,
static const tacit_format *const formats[] = {FORMATS(ADDRESS) NULL};
#undef ADDRESS

const tacit_format *tacit_format_at(size_t index)
{
    return index < sizeof formats / sizeof *formats ? formats[index] : NULL;
}

const char *tacit_format_name(const tacit_format *format)
{
    return format->name;
}

const char *tacit_format_endings(const tacit_format *format)
{
    return format->endings;
}

bool tacit_format_is_read(const tacit_format *format)
{
    return format->read;
}

bool tacit_format_is_written(const tacit_format *format)
{
    return format->write;
}

static bool ends_in(const char *path, const char *ending, size_t len)
{
    size_t whole = strlen(path);
    return whole > len && strncasecmp(path + whole - len, ending, len) == 0;
}

const tacit_format *tacit_format_of_name(const char *path)
{
    for (size_t i = 0; formats[i]; i++)
        for (const char *at = formats[i]->endings; *at;) {
            size_t len = strcspn(at, " ");
            if (ends_in(path, at, len))
                return formats[i];
            at += len + (at[len] == ' ');
        }
    return NULL;
}

static const tacit_format *format_of_input(const tacit__format_input *input)
{
    for (size_t i = 0; formats[i]; i++)
        if (formats[i]->is(input->bytes))
            return formats[i];
    for (size_t i = 0; formats[i]; i++)
        if (formats[i]->is_file && formats[i]->is_file(input))
            return formats[i];
    return NULL;
}

/* Reads a file of the format into a text and the schema. */
static tacit_status read_format(tacit__format_text *text, tacit_schema **schema,
                                const tacit_format *format, const tacit__format_input *input,
                                tacit_error *err)
{
    if (!format->read)
        return tacit__error_at(err, TACIT_INVALID, input->name, 0, 0,
                               "is written, not read, in the format %s", format->name);
    tacit_status status = tacit__schema_new(schema, format, err);
    if (status == TACIT_OK)
        status = format->read(text, *schema, input, err);
    if (text->too_long) { /* which the reader took for want of memory */
        if (err)
            err->status = TACIT_OK;
        return tacit__too_long(input, err);
    }
    if (status == TACIT_OK && text->csv.failed)
        status = tacit__nomem(err);
    return status;
}

static void forget_schema(void *schema)
{
    tacit_schema_free(schema);
}

static bool words_of(const void *origin, tacit_strview name, int64_t index, tacit_strview *value,
                     tacit_strview *text)
{
    const tacit_schema *schema = origin;
    const tacit__schema_column *column = tacit__schema_find(schema, name);
    *value = *text = (tacit_strview){"", 0};
    if (!column || (index >= 0 && column->label_set < 0))
        return false;
    if (index < 0) {
        *text = column->label;
        return text->len > 0;
    }
    const tacit__label_set *set = &schema->label_sets[column->label_set];
    if ((uint64_t)index >= set->count)
        return false;
    *value = set->labels[index].value;
    *text = set->labels[index].text;
    return true;
}

tacit_status tacit_formats_convert(tacit_conversion *out, const tacit_convert_input *input,
                                   tacit_error *err)
{
    const tacit_format *format = format_of_input(input);
    tacit__format_text text = {.most = tacit__unpacked_most(input)};
    tacit_schema *schema = NULL;
    if (input->part && !(format && format->parts))
        return tacit__error_at(err, TACIT_INVALID, input->name, 0, 0,
                               "the file is one table, in the format %s: leave out # and what "
                               "follows it",
                               format ? format->name : "CSV");
    if (!format)
        return TACIT_OK;
    tacit_status status = read_format(&text, &schema, format, input, err);
    if (status == TACIT_OK && !text.csv.bytes)
        tacit__strbuf_text(&text.csv, ""); /* an empty file is one, too */
    if (status == TACIT_OK && text.csv.failed)
        status = tacit__nomem(err);
    if (status != TACIT_OK) {
        tacit__strbuf_clear(&text.csv);
        tacit_schema_free(schema);
        return status;
    }
    *out = (tacit_conversion){.text = text.csv.bytes,
                              .len = text.csv.len,
                              .written_anew = !format->wraps,
                              .origin = schema,
                              .free_origin = forget_schema,
                              .words = words_of};
    return TACIT_OK;
}

const tacit_schema *tacit_table_schema(const tacit_table *table)
{
    return tacit_table_origin(table);
}

/* ---- writing ---- */

/* A column of the release is what it was, until its cells say otherwise. */
static tacit_status add_column(tacit_schema *out, const tacit_schema *from, tacit_strview name,
                               tacit_error *err)
{
    const tacit__schema_column *was = from ? tacit__schema_find(from, name) : NULL;
    tacit__schema_column *column = tacit__schema_add(out, name);
    if (!column)
        return tacit__nomem(err);
    name = column->name;
    if (was) {
        *column = *was; /* its texts are the source's, which outlives this */
        column->name = name;
        if (from->format != out->format)
            column->format = (tacit_strview){0}; /* other programs' words */
        if (out->format && !out->format->tags)
            column->tagged = false;
    }
    return TACIT_OK;
}

#define BIT(type) (1u << (type))

/* The types that a column may have: what it was; of integers, also other numbers; of a column that
 * nothing is known of, what its cells look like. */
static unsigned types_before(const tacit_schema *from, const tacit__schema_column *column)
{
    if (!from)
        return BIT(TACIT__TYPE_INTEGER) | BIT(TACIT__TYPE_REAL) | BIT(TACIT__TYPE_DATE) |
               BIT(TACIT__TYPE_MOMENT);
    return BIT(column->type) | (column->type == TACIT__TYPE_INTEGER ? BIT(TACIT__TYPE_REAL) : 0);
}

/* What is left of them after this cell. */
static unsigned types_after(unsigned types, tacit__schema_column *column, tacit_strview cell)
{
    int64_t value = 0;
    double number = 0;
    if (cell.len > (size_t)column->width)
        column->width = (int)cell.len;
    if (column->tagged && tacit__is_tag(cell))
        return types;
    for (unsigned type = 0, bits = types; bits >> type; type++)
        if ((bits & BIT(type)) && !tacit__is_value((tacit__type)type, column->scale, cell))
            types &= ~BIT(type);
    if (column->bytes == 4 && tacit__real_of(&number, cell) &&
        tacit__single_of((float)number) != number)
        column->bytes = 8;
    if ((types & BIT(TACIT__TYPE_INTEGER)) && tacit__integer_of(&value, cell)) {
        column->least = value < column->least ? value : column->least;
        column->most = value > column->most ? value : column->most;
    }
    return types;
}

/* The first of the types that is left, in their order; a column without any value stays what it
 * was. */
static void settle(const tacit_schema *from, tacit__schema_column *column, unsigned types)
{
    if (!from && types == types_before(from, column))
        types = 0;
    column->type = TACIT__TYPE_TEXT;
    while (types && !(types & BIT(column->type)))
        column->type++;
}

/* What is known of the columns after the rows that a worker has seen. */
typedef struct seen_cells {
    unsigned *types;
    tacit__schema_column *columns;
} seen_cells;

typedef struct type_search {
    size_t count;
    seen_cells *seen; /* a worker each */
} type_search;

static tacit_status see_part(void *context, tacit__format_row *row, int64_t from, int64_t to,
                             int worker, tacit_error *err)
{
    const type_search *search = context;
    const seen_cells *seen = &search->seen[worker];
    tacit_status status = TACIT_OK;
    for (int64_t at = from; at < to && status == TACIT_OK; at++) {
        status = tacit__format_row_at(row, at, err);
        for (size_t i = 0; i < search->count && status == TACIT_OK; i++)
            if (row->cells[i].len)
                seen->types[i] = types_after(seen->types[i], &seen->columns[i], row->cells[i]);
    }
    return status;
}

/* What one worker has seen, beside what the schema says already. */
static void merge_seen(tacit_schema *schema, unsigned *types, const seen_cells *seen)
{
    for (size_t i = 0; i < schema->count; i++) {
        tacit__schema_column *column = &schema->columns[i];
        const tacit__schema_column *more = &seen->columns[i];
        types[i] &= seen->types[i];
        column->width = more->width > column->width ? more->width : column->width;
        column->bytes = more->bytes > column->bytes ? more->bytes : column->bytes;
        column->least = more->least < column->least ? more->least : column->least;
        column->most = more->most > column->most ? more->most : column->most;
    }
}

static tacit_status search_new(type_search *search, int workers, const tacit_schema *schema,
                               const unsigned *types, tacit_error *err)
{
    size_t count = schema->count;
    search->count = count;
    search->seen = tacit__alloc_zeroed((size_t)workers, sizeof *search->seen);
    for (int i = 0; search->seen && i < workers; i++) {
        seen_cells *seen = &search->seen[i];
        seen->types = tacit__alloc_array(count, sizeof *seen->types);
        seen->columns = tacit__alloc_array(count, sizeof *seen->columns);
        if (!seen->types || !seen->columns)
            return tacit__nomem(err);
        memcpy(seen->types, types, count * sizeof *seen->types);
        memcpy(seen->columns, schema->columns, count * sizeof *seen->columns);
    }
    return search->seen ? TACIT_OK : tacit__nomem(err);
}

static void search_clear(type_search *search, int workers)
{
    for (int i = 0; search->seen && i < workers; i++) {
        tacit__free(search->seen[i].types);
        tacit__free(search->seen[i].columns);
    }
    tacit__free(search->seen);
}

/* Goes through all cells, so that each column has the type that all of them have. */
static tacit_status go_through(tacit_schema *schema, unsigned *types, const tacit_table *release,
                               const tacit_run *run, tacit_error *err)
{
    int workers = tacit__threads(run);
    type_search search = {0};
    tacit_status status = search_new(&search, workers, schema, types, err);
    if (status == TACIT_OK)
        status = tacit__format_parts(release, "writing", see_part, &search, run, err);
    for (int i = 0; i < workers && status == TACIT_OK; i++)
        merge_seen(schema, types, &search.seen[i]);
    search_clear(&search, workers);
    return status;
}

static tacit_status keep_types(tacit_schema *schema, const tacit_schema *from,
                               const tacit_table *release, const tacit_run *run, tacit_error *err)
{
    unsigned *types = tacit__alloc_array(schema->count, sizeof *types);
    if (!types)
        return tacit__nomem(err);
    for (size_t i = 0; i < schema->count; i++) {
        types[i] = types_before(from, &schema->columns[i]);
        schema->columns[i].width = 0;
    }
    tacit_status status = go_through(schema, types, release, run, err);
    for (size_t i = 0; i < schema->count && status == TACIT_OK; i++)
        settle(from, &schema->columns[i], types[i]);
    tacit__free(types);
    return status;
}

/* What the columns of a release are in a file of that format. */
tacit_status tacit__release_schema(tacit_schema **out, const tacit_format *format,
                                   const tacit_schema *from, const tacit_table *release,
                                   const tacit_run *run, tacit_error *err)
{
    tacit_schema *schema = NULL;
    tacit_status status = tacit__schema_new(&schema, format, err);
    for (int32_t i = 0; i < tacit_table_columns(release) && status == TACIT_OK; i++)
        status = add_column(schema, from, tacit_table_name(release, i), err);
    if (status == TACIT_OK && from && from->format == format)
        schema->detail = from->detail;
    if (status == TACIT_OK)
        status = keep_types(schema, from, release, run, err);
    if (status == TACIT_OK)
        status = tacit__release_labels(schema, from, release, run, err);
    *out = schema;
    return status;
}

static tacit_status differs(const char *name, const tacit_format *format, tacit_error *err)
{
    return tacit__error_at(
        err, TACIT_IO, name, 0, 0,
        "read back from %s the release says something else than what was judged: "
        "the format cannot hold all of it, so nothing is written; write it as CSV",
        format->name);
}

typedef struct comparison {
    tacit__format_row *rows; /* of what was written, a worker each */
    atomic_bool differs;
} comparison;

static tacit_status compare_part(void *context, tacit__format_row *row, int64_t from, int64_t to,
                                 int worker, tacit_error *err)
{
    comparison *c = context;
    tacit__format_row *written = &c->rows[worker];
    int32_t columns = tacit_table_columns(row->table);
    tacit_status status = TACIT_OK;
    for (int64_t at = from; at < to && status == TACIT_OK; at++) {
        status = tacit__format_row_at(row, at, err);
        if (status == TACIT_OK)
            status = tacit__format_row_at(written, at, err);
        for (int32_t i = 0; i < columns && status == TACIT_OK; i++)
            if (!tacit_strview_equal(written->cells[i], row->cells[i]))
                c->differs = true;
    }
    return status;
}

static tacit_status compare_cells(comparison *c, const tacit_table *written,
                                  const tacit_table *release, const tacit_run *run,
                                  tacit_error *err)
{
    int workers = tacit__threads(run);
    tacit_status status = TACIT_OK;
    c->rows = tacit__alloc_zeroed((size_t)workers, sizeof *c->rows);
    if (!c->rows)
        return tacit__nomem(err);
    for (int i = 0; i < workers && status == TACIT_OK; i++)
        status = tacit__format_row_new(&c->rows[i], written, err);
    if (status == TACIT_OK)
        status = tacit__format_parts(release, "checking", compare_part, c, run, err);
    for (int i = 0; i < workers; i++)
        tacit__format_row_clear(&c->rows[i]);
    tacit__free(c->rows);
    return status;
}

/* Whether both tables say the same in each cell, an empty one as a missing one. */
static tacit_status compare(const tacit_table *written, const tacit_table *release, bool *same,
                            const tacit_run *run, tacit_error *err)
{
    comparison c = {.rows = NULL};
    int32_t columns = tacit_table_columns(release);
    *same = tacit_table_columns(written) == columns &&
            tacit_table_rows(written) == tacit_table_rows(release);
    for (int32_t i = 0; i < columns && *same; i++)
        *same = tacit_strview_equal(tacit_table_name(written, i), tacit_table_name(release, i));
    tacit_status status = *same ? compare_cells(&c, written, release, run, err) : TACIT_OK;
    *same = *same && !c.differs;
    return status;
}

static tacit_status read_back(int fd, const char *name, const tacit_format *format,
                              const tacit_table *release, const tacit_run *run, tacit_error *err)
{
    tacit_csv_options options;
    tacit_table *written = NULL;
    bool same = false;
    tacit_csv_options_init(&options);
    options.code_none = true;
    options.convert = tacit_formats_convert;
    if (format->wraps) {
        options.delimiter = tacit_table_delimiter(release);
        options.no_header = !tacit_table_has_header(release);
    }
    if (lseek(fd, 0, SEEK_SET) < 0)
        return tacit__error_at(err, TACIT_IO, name, 0, 0, "cannot be read back");
    tacit_status status = tacit_table_read_fd(&written, fd, name, &options, run, err);
    if (status == TACIT_OK)
        status = compare(written, release, &same, run, err);
    tacit_table_free(written);
    return status == TACIT_OK && !same ? differs(name, format, err) : status;
}

static tacit_status write_checked(int fd, const char *name, const tacit_format *format,
                                  const tacit_schema *from, const char *shades,
                                  const tacit_table *release, const tacit_run *run,
                                  tacit_error *err)
{
    tacit_schema *schema = NULL;
    if (!format->write)
        return tacit__error_at(err, TACIT_INVALID, name, 0, 0,
                               "%s is read, not written; give the release another name",
                               format->name);
    tacit_status status = tacit__release_schema(&schema, format, from, release, run, err);
    const tacit__format_release what = {fd, name, schema, release, run};
    if (status == TACIT_OK && shades)
        schema->shades = tacit_strview_of(shades);
    if (status == TACIT_OK)
        status = format->write(&what, err);
    tacit_schema_free(schema);
    return status == TACIT_OK && format->read ? read_back(fd, name, format, release, run, err)
                                              : status;
}

tacit_status tacit_format_write(int fd, const char *name, const tacit_format *format,
                                const tacit_schema *from, const tacit_table *release,
                                const tacit_run *run, tacit_error *err)
{
    return write_checked(fd, name, format, from, NULL, release, run, err);
}

tacit_status tacit_format_write_shaded(int fd, const char *name, const tacit_format *format,
                                       const char *letters, const tacit_table *release,
                                       const tacit_run *run, tacit_error *err)
{
    return write_checked(fd, name, format, NULL, letters, release, run, err);
}
