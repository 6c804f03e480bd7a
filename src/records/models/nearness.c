/*
 * nearness.c - numbers that are too near each other to count as different.
 *
 * Five salaries within five cents are one salary to who learns them. The line of numbers is
 * therefore cut into stretches of twice the spread, once from 0 and once from the spread: of two
 * numbers that are no further apart than it, no border of one of the two grids lies between them.
 * A model is asked of the stretches of both grids in place of the values. So all numbers of a
 * class that lie within one spread are one value on one of the grids, and count as that.
 *
 * A grid is a fixed recoding of values, so what keep.c shows of joined groups holds for
 * each grid, and for both together. (What is near goes back to Q. Zhang, N. Koudas, D. Srivastava,
 * T. Yu, Aggregate Query Answering on Anonymized Tables, ICDE 2007, and J. Li, Y. Tao, X. Xiao,
 * Preservation of Proximity Privacy in Publishing Numerical Sensitive Data, SIGMOD 2008, who look
 * at windows around each value.)
 *
 * Values that are no numbers are only like themselves, and so is missing. Digits after a leading 0
 * are a code, not a number. Cost: a sort of the column's distinct values a grid.
 */
#include "records/models/nearness.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/decimal.h"
#include "base/error.h"

/* Spreads are a little wider than they say, so that rounding parts nobody. */
static const double WIDER = 1 + 1e-9;

/* A code and the stretch that it lies in; NAN: it is no number. */
typedef struct placed {
    double stretch;
    uint32_t code;
} placed;

/* The number that a value is, or NAN. */
static double number_of(const tacit_table *table, int32_t column, uint32_t code)
{
    tacit_strview text = tacit_table_value(table, column, code);
    bool coded = text.len > 1 && text.bytes[0] == '0' && tacit__is_digit(text.bytes[1]);
    return coded ? NAN : tacit__decimal_read(text);
}

bool tacit__model_is_near(const tacit_model *model, const tacit_table *table)
{
    if (!tacit_model_counts_values(model->bound.kind) || model->spread.amount <= 0)
        return false;
    uint32_t code = 0, distinct = tacit_table_distinct(table, model->column);
    while (code < distinct && isnan(number_of(table, model->column, code)))
        code++;
    return code < distinct;
}

/* How near numbers have to be; 0 where they are all the same. */
static double reach_of(const tacit_table *table, const tacit_model *model)
{
    double low = INFINITY, high = -INFINITY;
    if (!model->spread.share)
        return model->spread.amount * WIDER;
    for (uint32_t code = 0; code < tacit_table_distinct(table, model->column); code++) {
        double number = number_of(table, model->column, code);
        if (isnan(number))
            continue;
        low = number < low ? number : low;
        high = number > high ? number : high;
    }
    return model->spread.amount * (high - low) * WIDER;
}

static int by_stretch(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (isnan(x->stretch) || isnan(y->stretch))
        return isnan(x->stretch) - isnan(y->stretch);
    return (x->stretch > y->stretch) - (x->stretch < y->stretch);
}

tacit_status tacit__nearness_map(uint32_t **map, uint32_t *count, const tacit_table *table,
                                 const tacit_model *model, int grid, tacit_error *err)
{
    uint32_t codes = tacit_table_distinct(table, model->column) + 1, last = 0;
    double reach = reach_of(table, model);
    placed *places = tacit__alloc_array(codes, sizeof *places);
    uint32_t *made = tacit__alloc_array(codes, sizeof *made);
    if (!places || !made) {
        tacit__free(places);
        tacit__free(made);
        return tacit__nomem(err);
    }
    for (uint32_t code = 0; code < codes; code++) {
        double number = code + 1 < codes ? number_of(table, model->column, code) : NAN;
        double stretch = reach > 0 ? floor((number / reach + grid) / 2) : number;
        places[code] = (placed){stretch, code};
    }
    qsort(places, codes, sizeof *places, by_stretch);
    for (uint32_t i = 0; i < codes; i++) {
        last += i > 0 && !(places[i].stretch == places[i - 1].stretch); /* a NAN is like none */
        made[places[i].code] = last;
    }
    tacit__free(places);
    *map = made;
    *count = last + 1;
    return TACIT_OK;
}
