/*
 * statistical_write.c - releases as files of Stata, SPSS and SAS, by ReadStat.
 *
 * A column of integers gets the smallest type of the program that holds them, dates the program's
 * count of days, and text what it needs; what a program cannot hold as a number (integers beyond
 * 2^53, times where it has none) is text. Labels, codes of missing values and how a column is shown
 * are written for columns that are still of their type; the label of the file is not. The time in
 * the file is always the same, so that the same release has the same bytes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "formats/statistical.h"
#include "formats/values.h"

enum { BUFFERED = 1 << 16, NOON = 43200 };
static const int64_t EXACT = INT64_C(1) << 53;

typedef struct written_column {
    readstat_variable_t *variable;
    readstat_type_t type;
    const tacit__clock *clock; /* NULL: no time */
} written_column;

typedef struct writing {
    const tacit__program *program;
    const tacit__format_release *release;
    readstat_writer_t *writer;
    written_column *columns;
    readstat_label_set_t **label_sets; /* by number; NULL: not written yet */
    char *name;                        /* terminated texts for ReadStat */
    size_t name_size;
    char buffer[BUFFERED];
    size_t used;
    int64_t written;
    tacit_status status;
    tacit_error *err;
} writing;

static bool flush_writing(writing *w)
{
    if (w->status == TACIT_OK)
        w->status = tacit__write_at(w->release->fd, w->release->name, w->buffer, w->used,
                                    w->written, w->err);
    w->written += (int64_t)w->used;
    w->used = 0;
    return w->status == TACIT_OK;
}

static ssize_t put_bytes(const void *data, size_t len, void *context)
{
    writing *w = context;
    const char *at = data;
    for (size_t left = len; left > 0;) {
        size_t part = BUFFERED - w->used < left ? BUFFERED - w->used : left;
        memcpy(w->buffer + w->used, at, part);
        w->used += part;
        at += part;
        left -= part;
        if (w->used == BUFFERED && !flush_writing(w))
            return -1;
    }
    return (ssize_t)len;
}

/* The text with an end, until the next one; NULL: no memory. */
static const char *terminated(writing *w, tacit_strview text)
{
    if (!tacit__reserve((void **)&w->name, &w->name_size, text.len + 1, 1)) {
        w->status = tacit__nomem(w->err);
        return NULL;
    }
    memcpy(w->name, text.len ? text.bytes : "", text.len);
    w->name[text.len] = '\0';
    return w->name;
}

/* ---- columns ---- */

const tacit__clock *tacit__clock_for(const tacit__program *program, tacit__type type)
{
    for (const tacit__clock *clock = program->clocks; clock->formats; clock++)
        if (clock->type == type)
            return clock;
    return NULL;
}

/* The smallest type; Stata keeps its largest numbers for missing values. */
static readstat_type_t integer_type(const tacit__program *program,
                                    const tacit__schema_column *column)
{
    if (column->least < -EXACT || column->most > EXACT)
        return READSTAT_TYPE_STRING;
    if (!program->integers || column->least < -2147483647 || column->most > 2147483620)
        return READSTAT_TYPE_DOUBLE;
    if (column->least < -32767 || column->most > 32740)
        return READSTAT_TYPE_INT32;
    return column->least < -127 || column->most > 100 ? READSTAT_TYPE_INT16 : READSTAT_TYPE_INT8;
}

static readstat_type_t type_for(const tacit__program *program, const tacit__schema_column *column,
                                const tacit__clock *clock)
{
    switch (column->type) {
    case TACIT__TYPE_INTEGER: return integer_type(program, column);
    case TACIT__TYPE_REAL:
        return column->bytes == 4 && program->integers ? READSTAT_TYPE_FLOAT : READSTAT_TYPE_DOUBLE;
    case TACIT__TYPE_DATE:
    case TACIT__TYPE_TIME:
    case TACIT__TYPE_MOMENT: return clock ? READSTAT_TYPE_DOUBLE : READSTAT_TYPE_STRING;
    case TACIT__TYPE_DECIMAL:
    case TACIT__TYPE_BOOLEAN:
    case TACIT__TYPE_TEXT: break;
    }
    return READSTAT_TYPE_STRING;
}

static tacit_status check_length(writing *w, const tacit__schema_column *column)
{
    if ((size_t)column->width <= w->program->longest)
        return TACIT_OK;
    return tacit__error_at(w->err, TACIT_INVALID, w->release->name, 0, 0,
                           "column \"%s\" has a text of %d bytes, and this format takes %zu: write "
                           "the release as CSV, or drop the column",
                           tacit__show(column->name).text, column->width, w->program->longest);
}

static void add_label(writing *w, readstat_label_set_t *set, const tacit__label_set *from,
                      const tacit__label *label)
{
    char text[512];
    double number = 0;
    size_t len = label->text.len < sizeof text ? label->text.len : sizeof text - 1;
    memcpy(text, label->text.bytes, len);
    text[len] = '\0';
    if (from->of_text) {
        const char *value = terminated(w, label->value);
        if (value)
            readstat_label_string_value(set, value, text);
    } else if (tacit__is_tag(label->value)) {
        readstat_label_tagged_value(set, label->value.bytes[1], text);
    } else if (tacit__real_of(&number, label->value)) {
        if (!w->program->integers)
            readstat_label_double_value(set, number, text);
        else if (number == floor(number) && fabs(number) < 2147483648.0)
            readstat_label_int32_value(set, (int32_t)number, text);
    }
}

static void attach_labels(writing *w, const tacit__schema_column *column, written_column *made)
{
    const tacit_schema *schema = w->release->schema;
    bool text = made->type == READSTAT_TYPE_STRING;
    if (column->label_set < 0 || schema->label_sets[column->label_set].of_text != text)
        return;
    const tacit__label_set *from = &schema->label_sets[column->label_set];
    if (from->count == 0) /* such as SAS's formats, whose labels are in another file */
        return;
    readstat_label_set_t **set = &w->label_sets[column->label_set];
    if (!*set) {
        const char *name = terminated(w, from->name);
        readstat_type_t type = text                   ? READSTAT_TYPE_STRING
                               : w->program->integers ? READSTAT_TYPE_INT32
                                                      : READSTAT_TYPE_DOUBLE;
        if (!name || !(*set = readstat_add_label_set(w->writer, type, name)))
            return;
        for (size_t i = 0; i < from->count; i++)
            add_label(w, *set, from, &from->labels[i]);
    }
    readstat_variable_set_label_set(made->variable, *set);
}

static void describe(writing *w, const tacit__schema_column *column, written_column *made)
{
    const char *format = made->clock ? made->clock->written : NULL;
    bool number = made->type != READSTAT_TYPE_STRING;
    if (column->label.len)
        readstat_variable_set_label(made->variable, terminated(w, column->label));
    if (number && column->format.len &&
        !(made->clock && !tacit__clock_of(w->program, terminated(w, column->format))))
        format = terminated(w, column->format);
    if (number && format)
        readstat_variable_set_format(made->variable, format);
    readstat_variable_set_measure(made->variable, (readstat_measure_t)column->measure);
    if (number)
        readstat_variable_set_alignment(made->variable, (readstat_alignment_t)column->alignment);
    for (int i = 0; i < column->missing_count && number; i++) {
        const double *range = column->missing[i];
        if (range[0] == range[1])
            readstat_variable_add_missing_double_value(made->variable, range[0]);
        else
            readstat_variable_add_missing_double_range(made->variable, range[0], range[1]);
    }
    attach_labels(w, column, made);
}

/* Of a text in pieces that fills its width, ReadStat loses the last byte at some lengths: it gets
 * room to spare. */
static size_t width_of(const tacit__program *program, const tacit__schema_column *column)
{
    size_t width = column->width > 0 ? (size_t)column->width : 1;
    if (program->piece && width > 255)
        width = (width / program->piece + 1) * program->piece;
    return width <= program->longest ? width : program->longest + 1;
}

static tacit_status add_written_column(writing *w, size_t at)
{
    const tacit__schema_column *column = &w->release->schema->columns[at];
    written_column *made = &w->columns[at];
    made->clock = tacit__clock_for(w->program, column->type);
    made->type = type_for(w->program, column, made->clock);
    size_t width = width_of(w->program, column);
    if (made->type == READSTAT_TYPE_STRING && check_length(w, column) != TACIT_OK)
        return TACIT_INVALID;
    if (column->name.len == 0)
        return tacit__error_at(w->err, TACIT_INVALID, w->release->name, 0, 0,
                               "column %zu has no name, which this format does not take", at + 1);
    const char *name = terminated(w, column->name);
    if (!name)
        return TACIT_NOMEM;
    made->variable = readstat_add_variable(w->writer, name, made->type,
                                           made->type == READSTAT_TYPE_STRING ? width : 0);
    if (!made->variable)
        return tacit__nomem(w->err);
    describe(w, column, made);
    return w->status;
}

/* ---- cells ---- */

static double number_of(const writing *w, const tacit__schema_column *column,
                        const tacit__clock *clock, tacit_strview cell)
{
    int64_t whole = 0, nanoseconds = 0;
    double number = 0;
    bool utc = false;
    switch (column->type) {
    case TACIT__TYPE_DATE:
        tacit__date_of(&whole, cell);
        return (double)((whole - w->program->epoch) * TACIT__SECONDS_A_DAY) / clock->unit;
    case TACIT__TYPE_MOMENT:
        tacit__moment_of(&whole, &nanoseconds, &utc, cell);
        whole -= w->program->epoch * TACIT__SECONDS_A_DAY;
        return clock->unit < 1 ? (double)(whole * 1000) + (double)nanoseconds / 1e6
                               : (double)whole + (double)nanoseconds / 1e9;
    case TACIT__TYPE_TIME:
        tacit__time_of(&nanoseconds, cell);
        return (double)nanoseconds / 1e9 / clock->unit;
    default: tacit__real_of(&number, cell);
    }
    return number;
}

static char tag_written(const writing *w, tacit_strview cell)
{
    return (char)(w->program->capital_tags ? cell.bytes[1] - 'a' + 'A' : cell.bytes[1]);
}

static readstat_error_t put_cell(writing *w, size_t at, tacit_strview cell)
{
    const tacit__schema_column *column = &w->release->schema->columns[at];
    const written_column *made = &w->columns[at];
    if (cell.len == 0)
        return readstat_insert_missing_value(w->writer, made->variable);
    if (made->type == READSTAT_TYPE_STRING) {
        const char *text = terminated(w, cell);
        return text ? readstat_insert_string_value(w->writer, made->variable, text)
                    : READSTAT_ERROR_MALLOC;
    }
    if (column->tagged && tacit__is_tag(cell))
        return readstat_insert_tagged_missing_value(w->writer, made->variable,
                                                    tag_written(w, cell));
    double number = number_of(w, column, made->clock, cell);
    if (number != 0 && (fabs(number) < w->program->least || fabs(number) > w->program->most))
        return READSTAT_ERROR_NUMERIC_VALUE_IS_OUT_OF_RANGE;
    switch (made->type) {
    case READSTAT_TYPE_INT8:
        return readstat_insert_int8_value(w->writer, made->variable, (int8_t)number);
    case READSTAT_TYPE_INT16:
        return readstat_insert_int16_value(w->writer, made->variable, (int16_t)number);
    case READSTAT_TYPE_INT32:
        return readstat_insert_int32_value(w->writer, made->variable, (int32_t)number);
    case READSTAT_TYPE_FLOAT:
        return readstat_insert_float_value(w->writer, made->variable, (float)number);
    default: return readstat_insert_double_value(w->writer, made->variable, number);
    }
}

static tacit_status explain_writing(writing *w, readstat_error_t error,
                                    const tacit__schema_column *column)
{
    if (error == READSTAT_OK || w->status != TACIT_OK)
        return w->status;
    if (error == READSTAT_ERROR_MALLOC)
        return tacit__nomem(w->err);
    return tacit__error_at(w->err, TACIT_INVALID, w->release->name, 0, 0,
                           "%s%s%scannot be written in this format: %s; write the release as CSV",
                           column ? "column \"" : "", column ? tacit__show(column->name).text : "",
                           column ? "\" " : "", readstat_error_message(error));
}

/* Begins the file, once each column is one that the format takes. */
static tacit_status begin_writing(writing *w)
{
    const tacit_schema *schema = w->release->schema;
    readstat_error_t error =
        w->program->begin(w->writer, w, (long)tacit_table_rows(w->release->table));
    tacit_status status = explain_writing(w, error, NULL);
    for (size_t i = 0; i < schema->count && status == TACIT_OK; i++)
        status = explain_writing(w, readstat_validate_variable(w->writer, w->columns[i].variable),
                                 &schema->columns[i]);
    return status;
}

/* These programs fill texts up with blanks, and do not know them from others. */
static tacit_status check_end(writing *w, size_t at, int64_t row, tacit_strview cell)
{
    if (w->columns[at].type != READSTAT_TYPE_STRING || cell.len == 0 ||
        cell.bytes[cell.len - 1] != ' ')
        return TACIT_OK;
    return tacit__error_at(w->err, TACIT_INVALID, w->release->name, 0, 0,
                           "column \"%s\" has a text that ends in a blank, in row %lld, which this "
                           "format cannot hold; write the release as CSV",
                           tacit__show(w->release->schema->columns[at].name).text,
                           (long long)row + 1);
}

static tacit_status put_row(writing *w, int64_t number, const tacit__format_row *row)
{
    const tacit_schema *schema = w->release->schema;
    readstat_error_t error = readstat_begin_row(w->writer);
    for (size_t i = 0; i < schema->count && error == READSTAT_OK; i++) {
        tacit_status status = check_end(w, i, number, row->cells[i]);
        if (status != TACIT_OK)
            return status;
        error = put_cell(w, i, row->cells[i]);
        if (error != READSTAT_OK)
            return explain_writing(w, error, &schema->columns[i]);
    }
    if (error == READSTAT_OK)
        error = readstat_end_row(w->writer);
    return explain_writing(w, error, NULL);
}

static tacit_status put_rows(writing *w)
{
    enum { BATCH = 1 << 12 };
    tacit__format_row row;
    int64_t rows = tacit_table_rows(w->release->table);
    tacit_status status = tacit__format_row_new(&row, w->release->table, w->err);
    for (int64_t at = 0; at < rows && status == TACIT_OK; at++) {
        status = tacit__format_row_at(&row, at, w->err);
        if (status == TACIT_OK)
            status = put_row(w, at, &row);
        if (status == TACIT_OK && at % BATCH == 0)
            status = tacit__progress(w->release->run, "writing", at, rows, w->err);
    }
    tacit__format_row_clear(&row);
    return status;
}

static tacit_status write_all(writing *w)
{
    readstat_set_data_writer(w->writer, put_bytes);
    readstat_writer_set_file_timestamp(w->writer, NOON);
    if (w->program->version)
        readstat_writer_set_file_format_version(w->writer, (uint8_t)w->program->version);
    readstat_writer_set_compression(w->writer, w->program->compression);
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < w->release->schema->count && status == TACIT_OK; i++)
        status = add_written_column(w, i);
    if (status == TACIT_OK)
        status = begin_writing(w);
    if (status == TACIT_OK)
        status = put_rows(w);
    if (status == TACIT_OK)
        status = explain_writing(w, readstat_end_writing(w->writer), NULL);
    if (status == TACIT_OK && !flush_writing(w))
        status = w->status;
    return status;
}

tacit_status tacit__statistical_write(const tacit__program *program,
                                      const tacit__format_release *release, tacit_error *err)
{
    const tacit_schema *schema = release->schema;
    writing *w = tacit__alloc_zeroed(1, sizeof *w);
    if (!w)
        return tacit__nomem(err);
    w->program = program;
    w->release = release;
    w->err = err;
    w->writer = readstat_writer_init();
    w->columns = tacit__alloc_zeroed(schema->count, sizeof *w->columns);
    w->label_sets = tacit__alloc_zeroed(schema->label_set_count + 1, sizeof *w->label_sets);
    tacit_status status =
        w->writer && w->columns && w->label_sets ? write_all(w) : tacit__nomem(err);
    if (w->writer)
        readstat_writer_free(w->writer);
    tacit__free(w->columns);
    tacit__free(w->label_sets);
    tacit__free(w->name);
    tacit__free(w);
    return status;
}
