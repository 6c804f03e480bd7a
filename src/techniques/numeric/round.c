/*
 * round.c - rounding of numbers to a base (Figure 17, "rounding"): to the nearest multiple, or up
 * or down by chance such that the mean of what could have come out is the number itself.
 *
 * A pass over the rows; numbers that are multiples already are left alone.
 */
#include <math.h>
#include <stdatomic.h>

#include "techniques/runner/technique.h"
#include "techniques/sheet/sheet.h"

enum { ROUND_COLUMNS, ROUND_BASE, ROUND_WAY };

static const char *const ROUND_WAYS[] = {"nearest", "random", NULL};

static const tacit_technique_option ROUND_OPTIONS[] = {
    [ROUND_COLUMNS] = {"columns", TACIT_TECHNIQUE_COLUMNS, .help = "columns of numbers",
                       .required = true},
    [ROUND_BASE] = {"base", TACIT_TECHNIQUE_NUMBER,
                    .help = "what released numbers are multiples of", .required = true,
                    .least = 1e-15, .most = 1e15},
    [ROUND_WAY] =
        {"way", TACIT_TECHNIQUE_CHOICE,
         .help = "to the nearest multiple, or to one of the two around it at random, without bias",
         .choices = ROUND_WAYS},
    {.name = NULL},
};

typedef struct rounding {
    tacit__sheet *sheet;
    const tacit__runner_call *call;
    double base;
    bool random;
    atomic_int_fast64_t changed;
} rounding;

/* A multiple already, however its division comes out, is not drawn for. */
static double rounded(double number, const rounding *r, tacit__random *random)
{
    double units = number / r->base, nearest = round(units), down = floor(units);
    if (!r->random || fabs(units - nearest) <= 1e-12 * fabs(units))
        return nearest * r->base;
    return (down + (tacit__random_unit(random) < units - down)) * r->base;
}

/* All columns of a stretch draw from one stream, one after the other. */
static tacit_status round_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                  int worker, tacit_error *err)
{
    rounding *r = context;
    const tacit__runner_value *columns = &r->call->values[ROUND_COLUMNS];
    tacit__random random;
    int64_t changed = 0;
    (void)worker, (void)err;
    tacit__call_random(&random, r->call, 0, (uint32_t)stretch);
    for (size_t i = 0; i < columns->text_count; i++) {
        tacit__sheet_column *column = &r->sheet->columns[columns->columns[i]];
        for (int64_t row = from; row < to; row++) {
            double number = column->numbers[row];
            if (!isnan(number))
                changed += tacit__cell_put_number(column, row, rounded(number, r, &random));
        }
    }
    atomic_fetch_add(&r->changed, changed);
    return TACIT_OK;
}

/* What may be lost in writing, where fewer decimals are asked for than multiples have. */
static double loss_of_writing(const tacit__runner_call *call, double base)
{
    bool lossy = call->decimals >= 0 && call->decimals < tacit__fixed_needed(base);
    return lossy ? 0.5 * pow(10, -call->decimals) : 0;
}

/* Whole numbers rounded to a base of 2.5 are no longer whole. */
static void make_room(tacit__sheet *sheet, const tacit__runner_call *call, double base)
{
    const tacit__runner_value *columns = &call->values[ROUND_COLUMNS];
    int needed = tacit__fixed_needed(base);
    for (size_t i = 0; call->decimals < 0 && i < columns->text_count; i++) {
        tacit__sheet_column *column = &sheet->columns[columns->columns[i]];
        if (column->decimals < needed)
            tacit__sheet_decimals(column, needed);
    }
}

static tacit_status apply_round(tacit__sheet *sheet, const tacit__runner_call *call,
                                tacit_error *err)
{
    const tacit__runner_value *columns = &call->values[ROUND_COLUMNS];
    double base = call->values[ROUND_BASE].number;
    rounding r = {sheet, call, base, call->values[ROUND_WAY].choice == 1, 0};
    tacit_status status = tacit__call_numbers(sheet, call, columns, err);
    if (status != TACIT_OK)
        return status;
    make_room(sheet, call, base);
    status = tacit__stretches(sheet, "rounding", round_stretch, &r, err);
    if (status == TACIT_OK)
        status = tacit__note(call, "cells_changed", (double)r.changed, err);
    if (status != TACIT_OK)
        return status;
    double amount = (r.random ? base : base / 2) + loss_of_writing(call, base);
    return tacit__claim(call, (tacit_kept){.kind = TACIT_KEPT_NEAR, .amount = amount}, columns,
                        NULL, err);
}

const tacit_technique tacit__technique_round = {
    .name = "round",
    .summary = "numbers rounded to a base",
    .effect = "numbers are rounded: sums and means carry the rounding error",
    .options = ROUND_OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply_round},
};
