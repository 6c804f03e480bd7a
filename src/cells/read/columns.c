/*
 * columns.c - columns of numbers and of letters in a coded table: each distinct text is read once.
 */
#include "cells/read/columns.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/strbuf.h"

enum { NAMED = 12 };

/* What there is, for whoever misspelt a name. */
static tacit_status no_column(const tacit_table *table, const char *name, tacit_error *err)
{
    tacit__strbuf names = {0};
    for (int32_t i = 0; i < tacit_table_columns(table) && i < NAMED; i++)
        tacit__strbuf_format(&names, "%s%s", i ? ", " : "",
                             tacit__show(tacit_table_name(table, i)).text);
    tacit_status status =
        names.failed ? tacit__nomem(err)
                     : tacit__error_at(err, TACIT_INVALID, tacit_table_file(table), 0, 0,
                                       "there is no column \"%s\"; there are %s%s",
                                       tacit__show(tacit_strview_of(name)).text, names.bytes,
                                       tacit_table_columns(table) > NAMED ? ", ..." : "");
    tacit__strbuf_clear(&names);
    return status;
}

tacit_status tacit__column_find(int32_t *out, const tacit_table *table, const char *name,
                                tacit_error *err)
{
    int32_t column = tacit_table_find(table, tacit_strview_of(name));
    if (column < 0)
        return no_column(table, name, err);
    if (!tacit_table_is_coded(table, column))
        return tacit__error_at(err, TACIT_INVALID, tacit_table_file(table), 0, 0,
                               "column \"%s\" was not read as codes",
                               tacit__show(tacit_strview_of(name)).text);
    *out = column;
    return TACIT_OK;
}

tacit_status tacit__column_error(const tacit_table *table, int32_t column, uint32_t code,
                                 tacit_status status, tacit_error *err, const char *format, ...)
{
    char text[sizeof err->message];
    va_list arguments;
    tacit_codes_view codes = tacit_table_codes(table, column);
    int64_t row = 0;
    while (row + 1 < tacit_table_rows(table) && tacit_codes_at(codes, row) != code)
        row++;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return tacit__error_at(err, status, tacit_table_file(table), tacit_table_line(table, row),
                           column + 1, "%s", text);
}

/* What is wrong with a number, or NULL. */
static const char *problem(double number, tacit__number_kind kind)
{
    if (isnan(number))
        return "is not a number; write digits with a point, a sign and an exponent";
    if (kind == TACIT__NUMBER_POSITIVE && number <= 0)
        return "must be above 0";
    if (kind != TACIT__NUMBER_ANY && number < 0)
        return "must not be negative";
    if (kind == TACIT__NUMBER_WHOLE && (number != floor(number) || number > 9e15))
        return "must be a whole number";
    return NULL;
}

/* What statistical offices write in place of a value that they keep to themselves. */
static bool is_mark(tacit_strview text)
{
    static const char *const marks[] = {"x", "X", "c", "C", ".", "..", "...", "-", "*", ":"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (tacit_strview_equal(text, tacit_strview_of(marks[i])))
            return true;
    return false;
}

/* What may stand in place of a number. */
typedef enum gaps { NO_GAPS = 0, EMPTY, EMPTY_OR_MARK } gaps;

static tacit_status read_numbers(double *by_code, const tacit_table *table, int32_t column,
                                 tacit__number_kind kind, gaps may_be, tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    tacit__shown name = tacit__show(tacit_table_name(table, column));
    for (uint32_t code = 0; code < distinct; code++) {
        tacit_strview text = tacit_table_value(table, column, code);
        by_code[code] = tacit__decimal_read(text);
        const char *wrong =
            may_be == EMPTY_OR_MARK && is_mark(text) ? NULL : problem(by_code[code], kind);
        if (wrong)
            return tacit__column_error(table, column, code, TACIT_PARSE, err, "\"%s\" %s",
                                       name.text, wrong);
    }
    by_code[distinct] = NAN;
    if (may_be == NO_GAPS && tacit_table_has_missing(table, column))
        return tacit__column_error(table, column, distinct, TACIT_PARSE, err,
                                   "\"%s\" is missing; write a number", name.text);
    return TACIT_OK;
}

static tacit_status init(tacit__numbers *numbers, const tacit_table *table, const char *name,
                         tacit__number_kind kind, gaps may_be, tacit_error *err)
{
    int32_t column;
    *numbers = (tacit__numbers){0};
    tacit_status status = tacit__column_find(&column, table, name, err);
    if (status != TACIT_OK)
        return status;
    double *by_code =
        tacit__alloc_array((size_t)tacit_table_distinct(table, column) + 1, sizeof *by_code);
    if (!by_code)
        return tacit__nomem(err);
    status = read_numbers(by_code, table, column, kind, may_be, err);
    if (status != TACIT_OK) {
        tacit__free(by_code);
        return status;
    }
    *numbers = (tacit__numbers){.codes = tacit_table_codes(table, column),
                                .by_code = by_code,
                                .count = tacit_table_distinct(table, column)};
    return TACIT_OK;
}

tacit_status tacit__numbers_init(tacit__numbers *numbers, const tacit_table *table,
                                 const char *name, tacit__number_kind kind, bool may_miss,
                                 tacit_error *err)
{
    *numbers = (tacit__numbers){0};
    return name ? init(numbers, table, name, kind, may_miss ? EMPTY : NO_GAPS, err) : TACIT_OK;
}

tacit_status tacit__numbers_init_open(tacit__numbers *numbers, bool *any, const tacit_table *table,
                                      const char *name, tacit__number_kind kind, tacit_error *err)
{
    tacit_status status = init(numbers, table, name, kind, EMPTY_OR_MARK, err);
    if (status != TACIT_OK)
        return status;
    int32_t column = tacit_table_find(table, tacit_strview_of(name));
    *any = tacit_table_has_missing(table, column);
    for (uint32_t code = 0; code < tacit_table_distinct(table, column); code++)
        *any |= isnan(numbers->by_code[code]);
    return TACIT_OK;
}

void tacit__numbers_clear(tacit__numbers *numbers)
{
    tacit__free(numbers->by_code);
    *numbers = (tacit__numbers){0};
}

static tacit_status read_letters(char *by_code, const tacit_table *table, int32_t column,
                                 tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    for (uint32_t code = 0; code < distinct; code++) {
        tacit_strview text = tacit_table_value(table, column, code);
        if (text.len != 1 || !memchr("suxz", text.bytes[0], 4))
            return tacit__column_error(table, column, code, TACIT_PARSE, err,
                                       "status: %s is no status; write s, u, x or z",
                                       tacit__show_value(err, text).text);
        by_code[code] = text.bytes[0];
    }
    by_code[distinct] = TACIT_CELL_FREE;
    return TACIT_OK;
}

tacit_status tacit__letters_new(char **out, const tacit_table *table, int32_t column,
                                tacit_error *err)
{
    char *by_code =
        tacit__alloc_array((size_t)tacit_table_distinct(table, column) + 1, sizeof *by_code);
    tacit_status status = by_code ? read_letters(by_code, table, column, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        *out = by_code;
    else
        tacit__free(by_code);
    return status;
}
