/*
 * frame_export.c - a data frame as an Arrow C stream of one batch.
 *
 * Each column comes from R as a list: name, kind, the vector x, and levels or a zone. All that
 * needs R (materializing ALTREP vectors) is done first, then memory is taken that only the stream
 * owns. Doubles, whole numbers and integer64 are not copied; a bitmap says which are missing, and
 * is left out where none is. Texts are copied, factors and dates become int32, times int64.
 */
#include "frame.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OWNED = 4 };

/* What one array owns. */
typedef struct array_memory {
    const void *buffers[3];
    void *owned[MAX_OWNED];
    int owned_count;
} array_memory;

typedef enum column_kind {
    KIND_LOGICAL,
    KIND_INTEGER,
    KIND_DOUBLE,
    KIND_WIDE, /* integer64 */
    KIND_DATE,
    KIND_TIME,
    KIND_TIMESTAMP,
    KIND_TEXT,
    KIND_FACTOR,
} column_kind;

static const char *const KINDS[] = {"logical", "integer",   "double", "integer64", "date",
                                    "time",    "timestamp", "text",   "factor",    NULL};

/* A column of the frame as R has it. */
typedef struct column {
    column_kind kind;
    const void *values; /* int, double or SEXP */
    const SEXP *levels;
    int64_t level_count;
    bool is_double;
    char *name;
    char format[96];
    bool wide_text, ordered;
} column;

typedef struct frame {
    column *columns;
    int64_t count, rows;
    struct ArrowArray array; /* handed over once */
} frame;

/* ---- arrays ---- */

static void array_release(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i] && array->children[i]->release)
            array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    free(array->children);
    if (array->dictionary) {
        if (array->dictionary->release)
            array->dictionary->release(array->dictionary);
        free(array->dictionary);
    }
    array_memory *memory = array->private_data;
    for (int i = 0; memory && i < memory->owned_count; i++)
        free(memory->owned[i]);
    free(memory);
    array->release = NULL;
}

static bool array_init(struct ArrowArray *array, int64_t length, int64_t buffers)
{
    memset(array, 0, sizeof *array);
    array_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return false;
    array->length = length;
    array->n_buffers = buffers;
    array->buffers = memory->buffers;
    array->private_data = memory;
    array->release = array_release;
    return true;
}

/* Memory of an array, zeroed; NULL: there is none. */
static void *array_take(struct ArrowArray *array, int64_t count, size_t size)
{
    array_memory *memory = array->private_data;
    void *taken = calloc(count > 0 ? (size_t)count : 1, size);
    if (taken)
        memory->owned[memory->owned_count++] = taken;
    return taken;
}

static void array_buffer(struct ArrowArray *array, int index, const void *bytes)
{
    ((array_memory *)array->private_data)->buffers[index] = bytes;
}

static bool is_missing(const column *c, int64_t row)
{
    if (c->kind == KIND_TEXT)
        return ((const SEXP *)c->values)[row] == R_NaString;
    if (c->kind == KIND_WIDE)
        return ((const int64_t *)c->values)[row] == INT64_MIN;
    if (c->is_double)
        return isnan(((const double *)c->values)[row]);
    return ((const int *)c->values)[row] == NA_INTEGER;
}

static bool fill_validity(struct ArrowArray *array, const column *c)
{
    uint8_t *bits = NULL;
    for (int64_t row = 0; row < array->length; row++) {
        if (!is_missing(c, row))
            continue;
        if (!bits) {
            bits = array_take(array, (array->length + 7) / 8, 1);
            if (!bits)
                return false;
            memset(bits, 0xff, (size_t)(array->length + 7) / 8);
            array_buffer(array, 0, bits);
        }
        bits[row / 8] = (uint8_t)(bits[row / 8] & ~(1u << (row % 8)));
        array->null_count++;
    }
    return true;
}

static double number_at(const column *c, int64_t row)
{
    return c->is_double ? ((const double *)c->values)[row] : ((const int *)c->values)[row];
}

static bool fill_bools(struct ArrowArray *array, const column *c)
{
    uint8_t *bits = array_take(array, (array->length + 7) / 8, 1);
    if (!bits)
        return false;
    for (int64_t row = 0; row < array->length; row++)
        if (((const int *)c->values)[row] == 1)
            bits[row / 8] = (uint8_t)(bits[row / 8] | 1u << (row % 8));
    array_buffer(array, 1, bits);
    return true;
}

/* Codes of factors count from 1 in R; a day is a day since 1970 in both. */
static bool fill_small(struct ArrowArray *array, const column *c)
{
    int32_t *small = array_take(array, array->length, sizeof *small);
    if (!small)
        return false;
    int32_t less = c->kind == KIND_FACTOR;
    for (int64_t row = 0; row < array->length; row++)
        if (!is_missing(c, row))
            small[row] = (int32_t)floor(number_at(c, row)) - less;
    array_buffer(array, 1, small);
    return true;
}

/* Seconds of R, as seconds or microseconds by the format's unit. */
static bool fill_times(struct ArrowArray *array, const column *c)
{
    int64_t *times = array_take(array, array->length, sizeof *times);
    if (!times)
        return false;
    double unit = c->format[2] == 'u' ? 1e6 : 1;
    for (int64_t row = 0; row < array->length; row++)
        if (!is_missing(c, row))
            times[row] = (int64_t)nearbyint(number_at(c, row) * unit);
    array_buffer(array, 1, times);
    return true;
}

static bool fill_texts(struct ArrowArray *array, const SEXP *texts, bool wide)
{
    size_t total = 0;
    for (int64_t row = 0; row < array->length; row++)
        total += texts[row] == R_NaString ? 0 : (size_t)LENGTH(texts[row]);
    void *offsets = array_take(array, array->length + 1, wide ? sizeof(int64_t) : sizeof(int32_t));
    char *bytes = array_take(array, (int64_t)total, 1);
    if (!offsets || !bytes)
        return false;
    size_t at = 0;
    for (int64_t row = 0; row < array->length; row++) {
        if (texts[row] != R_NaString) {
            memcpy(bytes + at, CHAR(texts[row]), (size_t)LENGTH(texts[row]));
            at += (size_t)LENGTH(texts[row]);
        }
        if (wide)
            ((int64_t *)offsets)[row + 1] = (int64_t)at;
        else
            ((int32_t *)offsets)[row + 1] = (int32_t)at;
    }
    array_buffer(array, 1, offsets);
    array_buffer(array, 2, bytes);
    return true;
}

static bool fill_levels(struct ArrowArray *array, const column *c)
{
    array->dictionary = calloc(1, sizeof *array->dictionary);
    return array->dictionary && array_init(array->dictionary, c->level_count, 3) &&
           fill_texts(array->dictionary, c->levels, false);
}

static bool fill_column(struct ArrowArray *array, const column *c, int64_t rows)
{
    if (!array_init(array, rows, c->kind == KIND_TEXT ? 3 : 2) || !fill_validity(array, c))
        return false;
    switch (c->kind) {
    case KIND_LOGICAL: return fill_bools(array, c);
    case KIND_DATE: return fill_small(array, c);
    case KIND_FACTOR: return fill_small(array, c) && fill_levels(array, c);
    case KIND_TIME:
    case KIND_TIMESTAMP: return fill_times(array, c);
    case KIND_TEXT: return fill_texts(array, c->values, c->wide_text);
    default: array_buffer(array, 1, c->values); return true;
    }
}

static bool fill_frame(frame *f)
{
    struct ArrowArray *array = &f->array;
    if (!array_init(array, f->rows, 1))
        return false;
    array->children = calloc(f->count > 0 ? (size_t)f->count : 1, sizeof *array->children);
    if (!array->children)
        return false;
    array->n_children = f->count;
    for (int64_t i = 0; i < f->count; i++) {
        array->children[i] = calloc(1, sizeof **array->children);
        if (!array->children[i] || !fill_column(array->children[i], &f->columns[i], f->rows))
            return false;
    }
    return true;
}

/* ---- schemas ---- */

static void schema_release(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i] && schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    free(schema->children);
    if (schema->dictionary) {
        if (schema->dictionary->release)
            schema->dictionary->release(schema->dictionary);
        free(schema->dictionary);
    }
    free(schema->private_data);
    schema->release = NULL;
}

/* Name and format are one piece of memory. */
static bool schema_init(struct ArrowSchema *schema, const char *name, const char *format)
{
    memset(schema, 0, sizeof *schema);
    size_t name_size = strlen(name) + 1, format_size = strlen(format) + 1;
    char *texts = malloc(name_size + format_size);
    if (!texts)
        return false;
    schema->name = memcpy(texts, name, name_size);
    schema->format = memcpy(texts + name_size, format, format_size);
    schema->private_data = texts;
    schema->flags = ARROW_FLAG_NULLABLE;
    schema->release = schema_release;
    return true;
}

static bool schema_column(struct ArrowSchema *schema, const column *c)
{
    if (!schema_init(schema, c->name, c->format))
        return false;
    if (c->kind != KIND_FACTOR)
        return true;
    if (c->ordered)
        schema->flags |= ARROW_FLAG_DICTIONARY_ORDERED;
    schema->dictionary = calloc(1, sizeof *schema->dictionary);
    return schema->dictionary && schema_init(schema->dictionary, "", "u");
}

static bool schema_frame(struct ArrowSchema *schema, const frame *f)
{
    if (!schema_init(schema, "", "+s"))
        return false;
    schema->children = calloc(f->count > 0 ? (size_t)f->count : 1, sizeof *schema->children);
    if (!schema->children)
        return false;
    schema->n_children = f->count;
    for (int64_t i = 0; i < f->count; i++) {
        schema->children[i] = calloc(1, sizeof **schema->children);
        if (!schema->children[i] || !schema_column(schema->children[i], &f->columns[i]))
            return false;
    }
    return true;
}

/* ---- the stream ---- */

static int stream_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    if (schema_frame(out, stream->private_data))
        return 0;
    if (out->release)
        out->release(out);
    return ENOMEM;
}

static int stream_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    frame *f = stream->private_data;
    *out = f->array;
    memset(&f->array, 0, sizeof f->array);
    return 0;
}

static const char *stream_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "out of memory";
}

static void stream_release(struct ArrowArrayStream *stream)
{
    frame *f = stream->private_data;
    if (f->array.release)
        f->array.release(&f->array);
    for (int64_t i = 0; f->columns && i < f->count; i++)
        free(f->columns[i].name);
    free(f->columns);
    free(f);
    stream->release = NULL;
}

/* ---- what R gives ---- */

static SEXP element(SEXP list, const char *name)
{
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    for (R_xlen_t i = 0; i < Rf_xlength(names); i++)
        if (strcmp(CHAR(STRING_ELT(names, i)), name) == 0)
            return VECTOR_ELT(list, i);
    return R_NilValue;
}

static bool all_whole(const column *c, int64_t rows)
{
    for (int64_t row = 0; row < rows; row++)
        if (!is_missing(c, row) && number_at(c, row) != floor(number_at(c, row)))
            return false;
    return true;
}

static bool is_long(const SEXP *texts, int64_t count)
{
    size_t total = 0;
    for (int64_t i = 0; i < count; i++)
        total += texts[i] == R_NaString ? 0 : (size_t)LENGTH(texts[i]);
    return total > INT32_MAX;
}

/* The type of a column in the words of Arrow's format strings. */
static void set_format(column *c, int64_t rows, const char *zone)
{
    static const char *const FORMATS[] = {"b", "i", "g", "l", "tdD", "", "", "u", "i"};
    snprintf(c->format, sizeof c->format, "%s", FORMATS[c->kind]);
    if (c->kind == KIND_TIME)
        snprintf(c->format, sizeof c->format, "ttu");
    if (c->kind == KIND_TIMESTAMP)
        snprintf(c->format, sizeof c->format, "ts%c:%s", all_whole(c, rows) ? 's' : 'u', zone);
    if (c->kind == KIND_TEXT) {
        c->wide_text = is_long(c->values, rows);
        c->format[0] = c->wide_text ? 'U' : 'u';
    }
}

/* Everything for which R may need memory of its own. */
static void look_at(column *c, SEXP list, int64_t rows)
{
    SEXP x = element(list, "x"), levels = element(list, "levels"), zone = element(list, "zone");
    const char *kind = CHAR(STRING_ELT(element(list, "kind"), 0));
    for (int i = 0; KINDS[i]; i++)
        if (strcmp(kind, KINDS[i]) == 0)
            c->kind = (column_kind)i;
    c->is_double = TYPEOF(x) == REALSXP;
    c->values = TYPEOF(x) == STRSXP ? (const void *)STRING_PTR_RO(x) : DATAPTR_RO(x);
    if (levels != R_NilValue) {
        c->levels = STRING_PTR_RO(levels);
        c->level_count = Rf_xlength(levels);
    }
    c->ordered = element(list, "ordered") != R_NilValue;
    set_format(c, rows, zone == R_NilValue ? "" : CHAR(STRING_ELT(zone, 0)));
}

static frame *frame_new(const column *seen, SEXP columns, int64_t count, int64_t rows)
{
    frame *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->count = count;
    f->rows = rows;
    f->columns = calloc(count > 0 ? (size_t)count : 1, sizeof *f->columns);
    for (int64_t i = 0; f->columns && i < count; i++) {
        f->columns[i] = seen[i];
        f->columns[i].name = strdup(CHAR(STRING_ELT(element(VECTOR_ELT(columns, i), "name"), 0)));
    }
    return f;
}

const char *frame_export(struct ArrowArrayStream *out, SEXP columns)
{
    int64_t count = Rf_xlength(columns);
    int64_t rows = count > 0 ? Rf_xlength(element(VECTOR_ELT(columns, 0), "x")) : 0;
    column *seen = (column *)R_alloc(count > 0 ? (size_t)count : 1, sizeof *seen);
    memset(seen, 0, (count > 0 ? (size_t)count : 1) * sizeof *seen);
    for (int64_t i = 0; i < count; i++) {
        if (Rf_xlength(element(VECTOR_ELT(columns, i), "x")) != rows)
            return "the columns of the data differ in length";
        look_at(&seen[i], VECTOR_ELT(columns, i), rows);
    }
    frame *f = frame_new(seen, columns, count, rows);
    if (!f)
        return "out of memory";
    *out = (struct ArrowArrayStream){.get_schema = stream_schema,
                                     .get_next = stream_next,
                                     .get_last_error = stream_error,
                                     .release = stream_release,
                                     .private_data = f};
    bool whole = f->columns != NULL;
    for (int64_t i = 0; whole && i < count; i++)
        whole = f->columns[i].name != NULL;
    if (whole && fill_frame(f))
        return NULL;
    out->release(out);
    return "out of memory";
}
