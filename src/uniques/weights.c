/*
 * weights.c - sampling weights from a column of numbers.
 *
 * Each distinct value is read once: digits with a point, a sign and an exponent,
 * whatever the locale. A weight is above 0.
 */
#include <assert.h>
#include <math.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "uniques/distinct.h"

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
                                 tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    for (uint32_t code = 0; code <= distinct; code++) {
        bool missing = code == distinct;
        if (missing && !tacit_table_has_missing(table, column))
            break;
        numbers[code] = missing ? NAN : tacit__decimal_read(tacit_table_value(table, column, code));
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
    double *weights = tacit__alloc_array((size_t)rows, sizeof *weights);
    double *numbers =
        tacit__alloc_array((size_t)tacit_table_distinct(table, column) + 1, sizeof *numbers);
    tacit_status status = TACIT_OK;
    if (!weights || !numbers)
        status = tacit__nomem(err);
    else
        status = read_numbers(numbers, table, column, err);
    for (int64_t row = 0; status == TACIT_OK && row < rows; row++)
        weights[row] = numbers[tacit_codes_at(codes, row)];
    if (status == TACIT_OK)
        *out = weights;
    else
        tacit__free(weights);
    tacit__free(numbers);
    return status;
}

void tacit_weights_free(double *weights)
{
    tacit__free(weights);
}
