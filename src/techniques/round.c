/*
 * round.c - rounding of numbers to a base (Figure 17, "rounding"): to the nearest multiple, or up
 * or down by chance such that the mean of what could have come out is the number itself.
 *
 * A pass over the rows; numbers that are multiples already are left alone.
 */
#include <math.h>
#include <stdatomic.h>

#include "techniques/technique.h"

enum { COLUMNS, BASE, WAY };

static const char *const WAYS[] = {"nearest", "random", NULL};

static const tacit_technique_option OPTIONS[] = {
    [COLUMNS] = {.name = "columns",
                 .sort = TACIT_TECHNIQUE_COLUMNS,
                 .help = "columns of numbers",
                 .required = true},
    [BASE] = {.name = "base",
              .sort = TACIT_TECHNIQUE_NUMBER,
              .help = "what released numbers are multiples of",
              .required = true,
              .least = 1e-15,
              .most = 1e15},
    [WAY] = {.name = "way",
             .sort = TACIT_TECHNIQUE_CHOICE,
             .help =
                 "to the nearest multiple, or to one of the two around it at random, without bias",
             .choices = WAYS},
    {.name = NULL},
};

typedef struct rounding {
    const tacit__call *call;
    tacit__sheet_column *column;
    uint8_t place; /* of the column among those of the step */
    double base;
    bool random;
    atomic_int_fast64_t changed;
} rounding;

static double rounded(double number, const rounding *r, tacit__random *random)
{
    double units = number / r->base, down = floor(units);
    if (!r->random)
        return round(units) * r->base;
    return (down + (tacit__random_unit(random) < units - down)) * r->base;
}

static tacit_status round_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                  int worker, tacit_error *err)
{
    rounding *r = context;
    tacit__random random;
    int64_t changed = 0;
    (void)worker, (void)err;
    tacit__call_random(&random, r->call, r->place, (uint32_t)stretch);
    for (int64_t row = from; row < to; row++) {
        double number = r->column->numbers[row];
        if (!isnan(number))
            changed += tacit__cell_put_number(r->column, row, rounded(number, r, &random));
    }
    atomic_fetch_add(&r->changed, changed);
    return TACIT_OK;
}

static tacit_status apply(tacit__sheet *sheet, const tacit__call *call, tacit_error *err)
{
    const tacit__value *columns = &call->values[COLUMNS];
    double base = call->values[BASE].number;
    bool random = call->values[WAY].choice == 1;
    tacit_status status = tacit__call_numbers(sheet, call, columns, err);
    for (size_t i = 0; status == TACIT_OK && i < columns->text_count; i++) {
        rounding r = {call, &sheet->columns[columns->columns[i]], (uint8_t)i, base, random, 0};
        status = tacit__stretches(sheet, "rounding", round_stretch, &r, err);
        if (status == TACIT_OK)
            status = tacit__note(call, "cells_changed", (double)r.changed, err);
    }
    if (status == TACIT_OK)
        status = tacit__claim(
            call, (tacit_kept){.kind = TACIT_KEPT_NEAR, .amount = random ? base : base / 2},
            columns, NULL, err);
    return status;
}

const tacit_technique tacit__round = {
    .name = "round",
    .summary = "numbers rounded to a base",
    .options = OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply},
};
