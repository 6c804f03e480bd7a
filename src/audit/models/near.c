/*
 * near.c - stretches of numbers that count as one value (near.h).
 *
 * The numbers of a column are sorted once a grid; a stretch begins where the border that the one
 * before ends at is reached. Cost: a sort of the column's distinct values.
 */
#include "audit/models/near.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"

/* Reaches are a little longer than they say, so that rounding parts nobody. */
static const double ROUNDING = 1 + 1e-9;

typedef struct numbered {
    double number;
    uint32_t code;
} numbered;

double tacit__near_number(tacit_strview text)
{
    if (text.len > 1 && text.bytes[0] == '0' && text.bytes[1] >= '0' && text.bytes[1] <= '9')
        return NAN;
    return tacit__decimal_read(text);
}

/* The least and the most number of a column; false: it has none. */
static bool range_of(double *least, double *most, const tacit_table *table, int32_t column)
{
    bool any = false;
    for (uint32_t code = 0; code < tacit_table_distinct(table, column); code++) {
        double number = tacit__near_number(tacit_table_value(table, column, code));
        if (isnan(number))
            continue;
        *least = any && *least < number ? *least : number;
        *most = any && *most > number ? *most : number;
        any = true;
    }
    return any;
}

bool tacit__near_applies(const tacit_table *table, int32_t column)
{
    double least, most;
    return range_of(&least, &most, table, column);
}

double tacit__near_reach(const tacit_table *table, int32_t column, tacit_spread spread)
{
    double least = 0, most = 0;
    if (!spread.share)
        return spread.amount * ROUNDING;
    range_of(&least, &most, table, column);
    return spread.amount * (most - least) * ROUNDING;
}

static int ascending(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static double stretch_of(double number, double reach, int grid)
{
    return floor((number / reach + grid) / 2);
}

static void join_stretches(uint32_t *codes, const numbered *sorted, uint32_t count, double reach,
                           int grid)
{
    for (uint32_t i = 1; i < count; i++)
        if (stretch_of(sorted[i].number, reach, grid) ==
            stretch_of(sorted[i - 1].number, reach, grid))
            codes[sorted[i].code] = codes[sorted[i - 1].code];
}

tacit_status tacit__near_codes(uint32_t **out, const tacit_table *table, int32_t column,
                               double reach, int grid, tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column), count = 0;
    uint32_t *codes = tacit__alloc_array((size_t)distinct + 1, sizeof *codes);
    numbered *sorted = tacit__alloc_array((size_t)distinct + 1, sizeof *sorted);
    if (!codes || !sorted) {
        tacit__free(codes);
        tacit__free(sorted);
        return tacit__nomem(err);
    }
    for (uint32_t code = 0; code <= distinct; code++)
        codes[code] = code;
    for (uint32_t code = 0; code < distinct; code++) {
        double number = tacit__near_number(tacit_table_value(table, column, code));
        if (!isnan(number))
            sorted[count++] = (numbered){number, code};
    }
    qsort(sorted, count, sizeof *sorted, ascending);
    if (reach > 0)
        join_stretches(codes, sorted, count, reach, grid);
    tacit__free(sorted);
    *out = codes;
    return TACIT_OK;
}
