/*
 * weights.c - sampling weights from a column of numbers.
 *
 * Each distinct value is read once: digits with a point, a sign and an exponent,
 * whatever the locale. A weight is above 0.
 */
#define _GNU_SOURCE /* strtod_l */
#include <assert.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "uniques/distinct.h"

enum { LONGEST = 63 };

static double number_of(tacit_strview value, locale_t plain)
{
    char text[LONGEST + 1], *end = text;
    if (value.len == 0 || value.len > LONGEST || memchr(value.bytes, 'x', value.len) ||
        memchr(value.bytes, 'X', value.len))
        return NAN;
    memcpy(text, value.bytes, value.len);
    text[value.len] = '\0';
    double number = strtod_l(text, &end, plain);
    return *end || !isfinite(number) ? NAN : number;
}

/* The first row that has a code. */
static int64_t first_row(const tacit_table *table, int32_t column, uint32_t code)
{
    tacit_codes_view codes = tacit_table_codes(table, column);
    int64_t row = 0;
    while (tacit_codes_at(codes, row) != code)
        row++;
    return row;
}

static tacit_status read_numbers(double *numbers, const tacit_table *table, int32_t column,
                                 locale_t plain, tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    for (uint32_t code = 0; code <= distinct; code++) {
        bool missing = code == distinct;
        if (missing && !tacit_table_has_missing(table, column))
            break;
        numbers[code] = missing ? NAN : number_of(tacit_table_value(table, column, code), plain);
        if (!(numbers[code] > 0))
            return tacit__error_at(err, TACIT_PARSE, tacit_table_file(table),
                                   tacit_table_line(table, first_row(table, column, code)),
                                   column + 1, "a weight must be a number above 0");
    }
    return TACIT_OK;
}

tacit_status tacit_weights_new(double **out, const tacit_table *table, int32_t column,
                               tacit_error *err)
{
    assert(tacit_table_is_coded(table, column));
    int64_t rows = tacit_table_rows(table);
    tacit_codes_view codes = tacit_table_codes(table, column);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double *weights = tacit__alloc_array((size_t)rows, sizeof *weights);
    double *numbers =
        tacit__alloc_array((size_t)tacit_table_distinct(table, column) + 1, sizeof *numbers);
    tacit_status status = TACIT_OK;
    if (!plain || !weights || !numbers)
        status = tacit__nomem(err);
    else
        status = read_numbers(numbers, table, column, plain, err);
    for (int64_t row = 0; status == TACIT_OK && row < rows; row++)
        weights[row] = numbers[tacit_codes_at(codes, row)];
    if (status == TACIT_OK)
        *out = weights;
    else
        tacit__free(weights);
    tacit__free(numbers);
    if (plain)
        freelocale(plain);
    return status;
}

void tacit_weights_free(double *weights)
{
    tacit__free(weights);
}
