/*
 * statistical_read.c - files of Stata, SPSS and SAS as text, by ReadStat.
 *
 * Numbers are written with as few digits as read back the same, of a single-precision number as a
 * single-precision one. Columns that are displayed as dates become dates; a number in one that is
 * no whole day within the calendar stays a number. Codes stay codes: what they stand for is in the
 * schema. Missing is an empty cell, .a to .z where the file says why; values that the file only
 * declares to be missing stay themselves.
 *
 * ReadStat gets bytes through functions of ours that never read beyond the file, and cells one by
 * one; what it says of a damaged file becomes an error.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/ascii.h"
#include "base/error.h"
#include "base/parallel.h"
#include "formats/statistical.h"
#include "formats/values.h"

enum { MAX_LABELS = 1 << 20, MAX_LABEL_SETS = 1 << 15 };

typedef struct survey {
    const tacit__program *program;
    tacit__format_text *text;
    tacit_schema *schema;
    const tacit__format_input *input;
    tacit_error *err;
    tacit_status status;
    size_t at; /* of the bytes */
    size_t labels;
    bool begun; /* the header is there */
} survey;

static int stop_reading(survey *s, tacit_status status)
{
    s->status = status;
    return READSTAT_HANDLER_ABORT;
}

static tacit_strview view_of(const char *text)
{
    return text ? tacit_strview_of(text) : (tacit_strview){"", 0};
}

/* ---- bytes ---- */

static int open_bytes(const char *path, void *context)
{
    (void)path, (void)context;
    return 0;
}

static int close_bytes(void *context)
{
    (void)context;
    return 0;
}

static readstat_off_t seek_bytes(readstat_off_t offset, readstat_io_flags_t whence, void *context)
{
    survey *s = context;
    const readstat_off_t len = (readstat_off_t)s->input->bytes.len;
    readstat_off_t from = whence == READSTAT_SEEK_SET   ? 0
                          : whence == READSTAT_SEEK_CUR ? (readstat_off_t)s->at
                                                        : len;
    readstat_off_t to = 0;
    if (__builtin_add_overflow(from, offset, &to) || to < 0 || to > len)
        return -1;
    s->at = (size_t)to;
    return to;
}

static ssize_t read_bytes(void *buffer, size_t count, void *context)
{
    survey *s = context;
    size_t left = s->input->bytes.len - s->at;
    count = count < left ? count : left;
    if (count > 0)
        memcpy(buffer, s->input->bytes.bytes + s->at, count);
    s->at += count;
    return (ssize_t)count;
}

static readstat_error_t update(long size, readstat_progress_handler progress, void *user,
                               void *context)
{
    survey *s = context;
    (void)progress, (void)user, (void)size;
    s->status = tacit__progress(s->input->run, "reading", (int64_t)s->at,
                                (int64_t)s->input->bytes.len, s->err);
    return s->status == TACIT_OK ? READSTAT_OK : READSTAT_ERROR_USER_ABORT;
}

/* ---- columns ---- */

/* Whether a format is this word: of Stata's, anything may follow; of the others', a separator and a
 * width. Formats of a user's own may begin alike, and say nothing of time. */
static bool is_word(const char *format, const char *word, size_t len)
{
    if (word[0] == '%')
        return strncmp(format, word, len) == 0;
    if (strncasecmp(format, word, len) != 0)
        return false;
    const char *rest = format + len;
    bool separated = word[len - 1] == 'Y' || word[len - 1] == 'D';
    rest += separated && *rest && strchr("BCDNPSbcdnps", *rest) ? 1 : 0;
    return rest[strspn(rest, "0123456789.")] == '\0';
}

const tacit__clock *tacit__clock_of(const tacit__program *program, const char *format)
{
    for (const tacit__clock *clock = program->clocks; format && clock->formats; clock++)
        for (const char *at = clock->formats; *at;) {
            size_t len = strcspn(at, " ");
            if (is_word(format, at, len))
                return clock;
            at += len + (at[len] == ' ');
        }
    return NULL;
}

static tacit__type type_of(const tacit__program *program, readstat_variable_t *variable)
{
    const tacit__clock *clock = tacit__clock_of(program, readstat_variable_get_format(variable));
    switch (readstat_variable_get_type(variable)) {
    case READSTAT_TYPE_STRING:
    case READSTAT_TYPE_STRING_REF: return TACIT__TYPE_TEXT;
    case READSTAT_TYPE_INT8:
    case READSTAT_TYPE_INT16:
    case READSTAT_TYPE_INT32: return clock ? clock->type : TACIT__TYPE_INTEGER;
    case READSTAT_TYPE_FLOAT:
    case READSTAT_TYPE_DOUBLE: break;
    }
    return clock ? clock->type : TACIT__TYPE_REAL;
}

static tacit_strview kept(survey *s, const char *text)
{
    tacit_strview copy = tacit__arena_copy(&s->schema->arena, view_of(text));
    if (!copy.bytes)
        s->status = tacit__nomem(s->err);
    return copy;
}

static void note_missing(tacit__schema_column *column, const readstat_variable_t *variable)
{
    int count = readstat_variable_get_missing_ranges_count(variable);
    for (int i = 0; i < count && column->missing_count < 3; i++) {
        double *range = column->missing[column->missing_count++];
        range[0] = readstat_double_value(readstat_variable_get_missing_range_lo(variable, i));
        range[1] = readstat_double_value(readstat_variable_get_missing_range_hi(variable, i));
    }
}

static int on_variable(int index, readstat_variable_t *variable, const char *labels, void *context)
{
    survey *s = context;
    (void)index;
    tacit__schema_column *column =
        tacit__schema_add(s->schema, view_of(readstat_variable_get_name(variable)));
    if (!column)
        return stop_reading(s, tacit__nomem(s->err));
    column->type = type_of(s->program, variable);
    column->bytes = readstat_variable_get_type(variable) == READSTAT_TYPE_FLOAT ? 4 : 8;
    column->tagged = s->program->tags && column->type != TACIT__TYPE_TEXT;
    column->label = kept(s, readstat_variable_get_label(variable));
    column->format = kept(s, readstat_variable_get_format(variable));
    column->measure = (int)readstat_variable_get_measure(variable);
    column->alignment = (int)readstat_variable_get_alignment(variable);
    column->display_width = readstat_variable_get_display_width(variable);
    if (column->type != TACIT__TYPE_TEXT)
        note_missing(column, variable);
    if (labels && labels[0] &&
        (column->label_set = tacit__schema_label_set(s->schema, view_of(labels))) < 0)
        s->status = tacit__nomem(s->err);
    return s->status == TACIT_OK ? READSTAT_HANDLER_OK : READSTAT_HANDLER_ABORT;
}

static int on_metadata(readstat_metadata_t *metadata, void *context)
{
    survey *s = context;
    int columns = readstat_get_var_count(metadata);
    s->schema->label = kept(s, readstat_get_file_label(metadata));
    if (columns > TACIT_MAX_COLUMNS)
        return stop_reading(s, tacit__error_at(s->err, TACIT_LIMIT, s->input->name, 0, 0,
                                               "%d columns; at most %d are read", columns,
                                               (int)TACIT_MAX_COLUMNS));
    return s->status == TACIT_OK ? READSTAT_HANDLER_OK : READSTAT_HANDLER_ABORT;
}

/* ---- cells ---- */

static double number_in(readstat_value_t value)
{
    switch (readstat_value_type(value)) {
    case READSTAT_TYPE_INT8: return readstat_int8_value(value);
    case READSTAT_TYPE_INT16: return readstat_int16_value(value);
    case READSTAT_TYPE_INT32: return readstat_int32_value(value);
    case READSTAT_TYPE_FLOAT: return (double)readstat_float_value(value);
    case READSTAT_TYPE_DOUBLE: return readstat_double_value(value);
    case READSTAT_TYPE_STRING:
    case READSTAT_TYPE_STRING_REF: break;
    }
    return NAN;
}

/* A number as time, by the clock of its column; empty where it is none. */
static tacit__value_text time_text(const survey *s, const tacit__clock *clock, double number)
{
    const double limit = 4e11; /* seconds: beyond year 9999 in any calendar here */
    tacit__value_text none = {.len = 0};
    double seconds = floor(number * clock->unit);
    double nanoseconds = round((number * clock->unit - seconds) * 1e6) * 1e3;
    if (!(fabs(seconds) < limit) || nanoseconds >= 1e9)
        return none;
    if (clock->type == TACIT__TYPE_TIME)
        return tacit__time_text((int64_t)seconds * 1000000000 + (int64_t)nanoseconds);
    int64_t whole = (int64_t)seconds + s->program->epoch * TACIT__SECONDS_A_DAY;
    if (clock->type == TACIT__TYPE_MOMENT)
        return tacit__moment_text(whole, (int64_t)nanoseconds, false);
    if (whole % TACIT__SECONDS_A_DAY != 0 || nanoseconds != 0)
        return none;
    return tacit__date_text(whole / TACIT__SECONDS_A_DAY);
}

static tacit__value_text number_text(const survey *s, const tacit__clock *clock,
                                     readstat_value_t value)
{
    double number = number_in(value);
    tacit__value_text text = {.len = 0};
    if (!isfinite(number))
        return text;
    if (clock)
        text = time_text(s, clock, number);
    if (text.len)
        return text;
    return tacit__real_text(readstat_value_type(value) == READSTAT_TYPE_FLOAT
                                ? tacit__single_of(readstat_float_value(value))
                                : number);
}

static void add_value(survey *s, readstat_variable_t *variable, readstat_value_t value)
{
    const char tag[2] = {'.', tacit__to_lower(readstat_value_tag(value))}; /* capitals in SAS */
    if (readstat_value_type_class(value) == READSTAT_TYPE_CLASS_STRING) {
        tacit_strview cell = view_of(readstat_string_value(value));
        if (cell.len)
            tacit__format_cell(s->text, cell);
        else
            tacit__format_null(s->text);
        return;
    }
    if (readstat_value_is_tagged_missing(value) && tacit__is_tag((tacit_strview){tag, 2})) {
        tacit__format_cell(s->text, (tacit_strview){tag, 2});
        return;
    }
    const tacit__clock *clock = tacit__clock_of(s->program, readstat_variable_get_format(variable));
    tacit__value_text text = {.len = 0};
    if (!readstat_value_is_system_missing(value))
        text = number_text(s, clock, value);
    if (text.len)
        tacit__format_cell(s->text, (tacit_strview){text.bytes, text.len});
    else
        tacit__format_null(s->text);
}

static void begin_text(survey *s)
{
    if (!s->begun)
        tacit__format_header(s->text, s->schema);
    s->begun = true;
}

static int on_value(int row, readstat_variable_t *variable, readstat_value_t value, void *context)
{
    survey *s = context;
    (void)row;
    begin_text(s);
    if (!s->input->header_only)
        add_value(s, variable, value);
    return s->text->csv.failed ? stop_reading(s, tacit__nomem(s->err)) : READSTAT_HANDLER_OK;
}

static int on_label(const char *labels, readstat_value_t value, const char *label, void *context)
{
    survey *s = context;
    int32_t set = tacit__schema_label_set(s->schema, view_of(labels));
    tacit__value_text number = {.len = 0};
    const char tag[2] = {'.', tacit__to_lower(readstat_value_tag(value))};
    tacit_strview code = {tag, 2};
    if (++s->labels > MAX_LABELS || s->schema->label_set_count > MAX_LABEL_SETS)
        return stop_reading(s, tacit__error_at(s->err, TACIT_LIMIT, s->input->name, 0, 0,
                                               "has more than %d labels of values, or %d sets of "
                                               "them",
                                               (int)MAX_LABELS, (int)MAX_LABEL_SETS));
    if (readstat_value_type_class(value) == READSTAT_TYPE_CLASS_STRING) {
        code = view_of(readstat_string_value(value));
        if (set >= 0)
            s->schema->label_sets[set].of_text = true;
    } else if (!readstat_value_is_tagged_missing(value)) {
        number = number_text(s, NULL, value);
        code = (tacit_strview){number.bytes, number.len};
    }
    if (set < 0 || !tacit__schema_label(s->schema, set, code, view_of(label)))
        return stop_reading(s, tacit__nomem(s->err));
    return READSTAT_HANDLER_OK;
}

static tacit_status explain_reading(survey *s, readstat_error_t error)
{
    if (s->status != TACIT_OK)
        return s->status;
    if (error == READSTAT_ERROR_MALLOC)
        return tacit__nomem(s->err);
    return tacit__error_at(s->err, TACIT_PARSE, s->input->name, 0, 0, "cannot be read: %s",
                           readstat_error_message(error));
}

static void listen(readstat_parser_t *parser, survey *s)
{
    readstat_set_open_handler(parser, open_bytes);
    readstat_set_close_handler(parser, close_bytes);
    readstat_set_seek_handler(parser, seek_bytes);
    readstat_set_read_handler(parser, read_bytes);
    readstat_set_update_handler(parser, update);
    readstat_set_io_ctx(parser, s);
    readstat_set_metadata_handler(parser, on_metadata);
    readstat_set_variable_handler(parser, on_variable);
    readstat_set_value_handler(parser, on_value);
    readstat_set_value_label_handler(parser, on_label);
    if (s->input->header_only)
        readstat_set_row_limit(parser, 1);
}

tacit_status tacit__statistical_read(tacit__format_text *text, tacit_schema *schema,
                                     const tacit__program *program,
                                     const tacit__format_input *input, tacit_error *err)
{
    survey s = {.program = program, .text = text, .schema = schema, .input = input, .err = err};
    readstat_parser_t *parser = readstat_parser_init();
    if (!parser)
        return tacit__nomem(err);
    listen(parser, &s);
    readstat_error_t error = program->parse(parser, "", &s);
    readstat_parser_free(parser);
    if (error != READSTAT_OK || s.status != TACIT_OK)
        return explain_reading(&s, error);
    if (schema->count == 0)
        return tacit__error_at(err, TACIT_PARSE, input->name, 0, 0, "has no columns");
    begin_text(&s);
    return text->at == 0 ? TACIT_OK
                         : tacit__error_at(err, TACIT_PARSE, input->name, 0, 0,
                                           "ends in the middle of a row");
}
