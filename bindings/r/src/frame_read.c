/*
 * frame_read.c - an Arrow C stream as vectors of R.
 *
 * All batches are read first, because R wants to know how many rows there are; they belong to the
 * caller's frame_batches, so that an error of R, which is a longjmp, loses nothing. Then each
 * column is one vector: logical, integer, double or character, or integer with an attribute "words"
 * where texts are numbered. What is more than that (dates, factors, labels) is put back by
 * R/frame.R, which knows what the column was.
 */
#include "frame.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const int64_t EXACT = (int64_t)1 << 53; /* whole numbers up to here are doubles */

void frame_batches_clear(frame_batches *batches)
{
    for (size_t i = 0; i < batches->count; i++)
        if (batches->arrays[i].release)
            batches->arrays[i].release(&batches->arrays[i]);
    free(batches->arrays);
    if (batches->schema.release)
        batches->schema.release(&batches->schema);
    memset(batches, 0, sizeof *batches);
}

static const char *collect(frame_batches *batches, struct ArrowArrayStream *stream)
{
    if (stream->get_schema(stream, &batches->schema) != 0)
        return "the schema of the result cannot be read";
    for (;;) {
        if (batches->count == batches->capacity) {
            size_t capacity = batches->capacity * 2 + 4;
            void *larger = realloc(batches->arrays, capacity * sizeof *batches->arrays);
            if (!larger)
                return "out of memory";
            batches->arrays = larger;
            batches->capacity = capacity;
        }
        struct ArrowArray *array = &batches->arrays[batches->count];
        memset(array, 0, sizeof *array);
        if (stream->get_next(stream, array) != 0)
            return "the rows of the result cannot be read";
        if (!array->release)
            return NULL;
        batches->count++;
    }
}

/* A column of one batch. */
typedef struct piece {
    const struct ArrowArray *array;
    int64_t from;   /* its first row */
    int64_t length; /* of the batch */
    const uint8_t *valid;
} piece;

static piece piece_of(const frame_batches *batches, size_t batch, int64_t column)
{
    const struct ArrowArray *whole = &batches->arrays[batch];
    const struct ArrowArray *array = whole->children[column];
    return (piece){array, array->offset + whole->offset, whole->length,
                   array->n_buffers > 0 && array->null_count != 0 ? array->buffers[0] : NULL};
}

static bool has(const piece *p, int64_t row)
{
    int64_t at = p->from + row;
    return !p->valid || (p->valid[at / 8] >> (at % 8) & 1);
}

static int64_t whole_at(const void *values, char format, int64_t at)
{
    switch (format) {
    case 'c': return ((const int8_t *)values)[at];
    case 'C': return ((const uint8_t *)values)[at];
    case 's': return ((const int16_t *)values)[at];
    case 'S': return ((const uint16_t *)values)[at];
    case 'i': return ((const int32_t *)values)[at];
    case 'I': return ((const uint32_t *)values)[at];
    default: return ((const int64_t *)values)[at];
    }
}

/* Two's complement of 128 bits over a power of ten. */
static double decimal_at(const void *values, const char *format, int64_t at)
{
    const uint64_t *words = (const uint64_t *)values + 2 * at;
    const char *comma = strchr(format, ',');
    double number = (double)(int64_t)words[1] * 18446744073709551616.0 + (double)words[0];
    return number / pow(10, comma ? atoi(comma + 1) : 0);
}

static double number_at(const void *values, const char *format, int64_t at)
{
    switch (format[0]) {
    case 'f': return (double)((const float *)values)[at];
    case 'g': return ((const double *)values)[at];
    case 'd': return decimal_at(values, format, at);
    case 'L': return (double)((const uint64_t *)values)[at];
    default: return (double)whole_at(values, format[0], at);
    }
}

/* How many make a second, or a day, and how wide each is. */
static char unit_of(const char *format, double *unit)
{
    if (format[1] == 'd') {
        *unit = format[2] == 'm' ? 86400000 : 1;
        return format[2] == 'm' ? 'l' : 'i';
    }
    *unit = format[2] == 's' ? 1 : format[2] == 'm' ? 1e3 : format[2] == 'u' ? 1e6 : 1e9;
    return format[1] == 't' && (format[2] == 's' || format[2] == 'm') ? 'i' : 'l';
}

/* ---- vectors ---- */

static void read_logicals(int *out, const piece *p)
{
    const uint8_t *bits = p->array->buffers[1];
    for (int64_t row = 0; row < p->length; row++) {
        int64_t at = p->from + row;
        out[row] = has(p, row) ? bits[at / 8] >> (at % 8) & 1 : NA_LOGICAL;
    }
}

static void read_integers(int *out, const piece *p, char format)
{
    for (int64_t row = 0; row < p->length; row++)
        out[row] =
            has(p, row) ? (int)whole_at(p->array->buffers[1], format, p->from + row) : NA_INTEGER;
}

static void read_doubles(double *out, const piece *p, const char *format)
{
    for (int64_t row = 0; row < p->length; row++)
        out[row] = has(p, row) ? number_at(p->array->buffers[1], format, p->from + row) : NA_REAL;
}

static void read_wide(double *out, const piece *p)
{
    for (int64_t row = 0; row < p->length; row++) {
        int64_t value =
            has(p, row) ? ((const int64_t *)p->array->buffers[1])[p->from + row] : INT64_MIN;
        memcpy(&out[row], &value, sizeof value);
    }
}

static void read_times(double *out, const piece *p, const char *format)
{
    double unit = 1;
    char width = unit_of(format, &unit);
    for (int64_t row = 0; row < p->length; row++)
        out[row] = has(p, row) ? (double)whole_at(p->array->buffers[1], width, p->from + row) / unit
                               : NA_REAL;
}

static SEXP text_at(const struct ArrowArray *array, bool wide, int64_t at)
{
    const char *bytes = array->buffers[2];
    const void *offsets = array->buffers[1];
    int64_t from = wide ? ((const int64_t *)offsets)[at] : ((const int32_t *)offsets)[at];
    int64_t to = wide ? ((const int64_t *)offsets)[at + 1] : ((const int32_t *)offsets)[at + 1];
    if (to - from > INT32_MAX)
        Rf_error("a cell of the result is too long for R");
    return to == from ? R_BlankString : Rf_mkCharLenCE(bytes + from, (int)(to - from), CE_UTF8);
}

static void read_texts(SEXP out, int64_t first, const piece *p, bool wide)
{
    for (int64_t row = 0; row < p->length; row++)
        SET_STRING_ELT(out, first + row,
                       has(p, row) ? text_at(p->array, wide, p->from + row) : NA_STRING);
}

/* Each text of the dictionary is made once. */
static void read_coded(SEXP out, int64_t first, const piece *p, const struct ArrowSchema *schema)
{
    const struct ArrowArray *words = p->array->dictionary;
    bool wide = schema->dictionary->format[0] == 'U';
    SEXP levels = PROTECT(Rf_allocVector(STRSXP, words->length));
    piece all = {words, words->offset, words->length,
                 words->null_count != 0 ? words->buffers[0] : NULL};
    read_texts(levels, 0, &all, wide);
    for (int64_t row = 0; row < p->length; row++) {
        int64_t code =
            has(p, row) ? whole_at(p->array->buffers[1], schema->format[0], p->from + row) : -1;
        SET_STRING_ELT(out, first + row,
                       code >= 0 && code < words->length ? STRING_ELT(levels, code) : NA_STRING);
    }
    UNPROTECT(1);
}

/* The words of the one batch as levels, and their numbers from 1 on: what a factor is. */
static SEXP read_factor(const piece *p, const struct ArrowSchema *schema)
{
    const struct ArrowArray *words = p->array->dictionary;
    piece all = {words, words->offset, words->length,
                 words->null_count != 0 ? words->buffers[0] : NULL};
    SEXP out = PROTECT(Rf_allocVector(INTSXP, p->length));
    SEXP levels = PROTECT(Rf_allocVector(STRSXP, words->length));
    read_texts(levels, 0, &all, schema->dictionary->format[0] == 'U');
    int *codes = INTEGER(out);
    for (int64_t row = 0; row < p->length; row++) {
        int64_t code =
            has(p, row) ? whole_at(p->array->buffers[1], schema->format[0], p->from + row) : -1;
        codes[row] = code >= 0 && code < words->length ? (int)code + 1 : NA_INTEGER;
    }
    Rf_setAttrib(out, Rf_install("words"), levels);
    UNPROTECT(2);
    return out;
}

/* Coded numbers are numbers. */
static void read_coded_numbers(double *out, const piece *p, const struct ArrowSchema *schema)
{
    const struct ArrowArray *words = p->array->dictionary;
    for (int64_t row = 0; row < p->length; row++) {
        int64_t code =
            has(p, row) ? whole_at(p->array->buffers[1], schema->format[0], p->from + row) : -1;
        out[row] =
            code >= 0 && code < words->length
                ? number_at(words->buffers[1], schema->dictionary->format, words->offset + code)
                : NA_REAL;
    }
}

static bool is_text(const char *format)
{
    return format[0] == 'u' || format[0] == 'U';
}

static SEXPTYPE type_of(const struct ArrowSchema *schema)
{
    const char *format = schema->dictionary ? schema->dictionary->format : schema->format;
    if (is_text(format))
        return STRSXP;
    if (schema->dictionary || format[0] == 't')
        return REALSXP;
    return strchr("nb", format[0]) ? LGLSXP : strchr("cCsSi", format[0]) ? INTSXP : REALSXP;
}

static void read_piece(SEXP out, int64_t first, const piece *p, const struct ArrowSchema *schema,
                       bool wide)
{
    const char *format = schema->format;
    if (schema->dictionary && TYPEOF(out) == STRSXP)
        read_coded(out, first, p, schema);
    else if (schema->dictionary)
        read_coded_numbers(REAL(out) + first, p, schema);
    else if (TYPEOF(out) == STRSXP)
        read_texts(out, first, p, format[0] == 'U');
    else if (format[0] == 'n')
        for (int64_t row = 0; row < p->length; row++)
            LOGICAL(out)[first + row] = NA_LOGICAL;
    else if (format[0] == 'b')
        read_logicals(LOGICAL(out) + first, p);
    else if (TYPEOF(out) == INTSXP)
        read_integers(INTEGER(out) + first, p, format[0]);
    else if (format[0] == 't')
        read_times(REAL(out) + first, p, format);
    else if (wide)
        read_wide(REAL(out) + first, p);
    else
        read_doubles(REAL(out) + first, p, format);
}

/* Whole numbers of 64 bits that doubles cannot say are texts, unless integer64 was asked for. */
static bool too_wide(const frame_batches *batches, int64_t column, const char *format)
{
    if (format[0] != 'l' && format[0] != 'L')
        return false;
    for (size_t batch = 0; batch < batches->count; batch++) {
        piece p = piece_of(batches, batch, column);
        for (int64_t row = 0; row < p.length; row++) {
            int64_t value = has(&p, row) ? whole_at(p.array->buffers[1], 'l', p.from + row) : 0;
            if (value > EXACT || value < -EXACT)
                return true;
        }
    }
    return false;
}

static SEXP digits(const frame_batches *batches, int64_t column, const char *format, int64_t rows)
{
    SEXP out = PROTECT(Rf_allocVector(STRSXP, rows));
    int64_t first = 0;
    for (size_t batch = 0; batch < batches->count; batch++) {
        piece p = piece_of(batches, batch, column);
        for (int64_t row = 0; row < p.length; row++) {
            char text[32];
            int64_t value = has(&p, row) ? whole_at(p.array->buffers[1], 'l', p.from + row) : 0;
            snprintf(text, sizeof text, format[0] == 'L' ? "%llu" : "%lld", (long long)value);
            SET_STRING_ELT(out, first + row, has(&p, row) ? Rf_mkChar(text) : NA_STRING);
        }
        first += p.length;
    }
    UNPROTECT(1);
    return out;
}

/* A vector of all rows, of every batch. */
static SEXP read_rows(const frame_batches *batches, int64_t column, int64_t rows, bool wide)
{
    const struct ArrowSchema *schema = batches->schema.children[column];
    SEXP out = PROTECT(Rf_allocVector(type_of(schema), rows));
    int64_t first = 0;
    for (size_t batch = 0; batch < batches->count; batch++) {
        piece p = piece_of(batches, batch, column);
        read_piece(out, first, &p, schema, wide && schema->format[0] == 'l');
        first += p.length;
    }
    UNPROTECT(1);
    return out;
}

static SEXP read_column(const frame_batches *batches, int64_t column, int64_t rows, bool wide)
{
    const struct ArrowSchema *schema = batches->schema.children[column];
    SEXP out = R_NilValue;
    if (schema->dictionary && is_text(schema->dictionary->format) && batches->count == 1) {
        piece p = piece_of(batches, 0, column);
        out = read_factor(&p, schema);
    } else if (!wide && !schema->dictionary && too_wide(batches, column, schema->format)) {
        out = digits(batches, column, schema->format, rows);
    } else {
        out = read_rows(batches, column, rows, wide);
    }
    PROTECT(out);
    Rf_setAttrib(out, Rf_install("format"), Rf_mkString(schema->format));
    UNPROTECT(1);
    return out;
}

static bool is_named(SEXP names, const char *name)
{
    for (R_xlen_t i = 0; i < Rf_xlength(names); i++)
        if (strcmp(CHAR(STRING_ELT(names, i)), name) == 0)
            return true;
    return false;
}

SEXP frame_read(frame_batches *batches, struct ArrowArrayStream *stream, SEXP wide)
{
    const char *wrong = collect(batches, stream);
    stream->release(stream);
    if (wrong)
        Rf_error("%s", wrong);
    int64_t rows = 0;
    for (size_t i = 0; i < batches->count; i++)
        rows += batches->arrays[i].length;
    int64_t count = batches->schema.n_children;
    SEXP out = PROTECT(Rf_allocVector(VECSXP, count));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, count));
    for (int64_t i = 0; i < count; i++) {
        const char *name = batches->schema.children[i]->name;
        SET_STRING_ELT(names, i, Rf_mkCharCE(name ? name : "", CE_UTF8));
        SET_VECTOR_ELT(out, i, read_column(batches, i, rows, is_named(wide, name ? name : "")));
    }
    Rf_setAttrib(out, R_NamesSymbol, names);
    Rf_setAttrib(out, Rf_install("rows"), Rf_ScalarReal((double)rows));
    UNPROTECT(2);
    return out;
}
