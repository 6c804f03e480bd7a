/*
 * outliers.c - outliers to medians (Figure 17): values that are unusual in their column, or among
 * the rows that agree in `within`, become one that is common there.
 *
 * A number is unusual outside of two quantiles, further than some times the median absolute
 * deviation from the median, or further than some times the distance of the quartiles from them; it
 * becomes the median. Where the spread that a rule goes by is 0, since most values are equal, it
 * finds nothing unusual. A category is unusual in fewer than `least` rows, and becomes the most
 * common one, of equals the first.
 *
 * A sort for each column.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "techniques/numeric/numeric.h"
#include "techniques/runner/technique.h"

enum {
    OUTLIERS_COLUMNS,
    OUTLIERS_VALUES,
    OUTLIERS_RULE,
    OUTLIERS_LOW,
    OUTLIERS_HIGH,
    OUTLIERS_FENCE,
    OUTLIERS_LEAST,
    OUTLIERS_WITHIN
};

static const char *const SORTS[] = {"numbers", "categories", NULL};
enum { QUANTILE, MAD, IQR };
static const char *const RULES[] = {"quantile", "mad", "iqr", NULL};

static const tacit_technique_option OUTLIERS_OPTIONS[] = {
    [OUTLIERS_COLUMNS] = {"columns", TACIT_TECHNIQUE_COLUMNS,
                          .help = "columns of numbers, or of categories", .required = true},
    [OUTLIERS_VALUES] = {"values", TACIT_TECHNIQUE_CHOICE, .help = "what the columns hold",
                         .choices = SORTS},
    [OUTLIERS_RULE] =
        {"rule", TACIT_TECHNIQUE_CHOICE,
         .help = "numbers are unusual outside of two quantiles, or by their distance from the "
                 "median or the quartiles",
         .choices = RULES},
    [OUTLIERS_LOW] = {"low", TACIT_TECHNIQUE_NUMBER,
                      .help = "quantile below which a number is unusual", .most = 0.5,
                      .usual = 0.01},
    [OUTLIERS_HIGH] = {"high", TACIT_TECHNIQUE_NUMBER,
                       .help = "quantile above which a number is unusual", .least = 0.5, .most = 1,
                       .usual = 0.99},
    [OUTLIERS_FENCE] = {"fence", TACIT_TECHNIQUE_NUMBER,
                        .help = "how many deviations are unusual: 3.5 by mad, 1.5 by iqr",
                        .least = 0.1, .most = 1000},
    [OUTLIERS_LEAST] = {"least", TACIT_TECHNIQUE_INTEGER,
                        .help = "rows below which a category is unusual", .least = 2, .most = 1e9,
                        .usual = 5},
    [OUTLIERS_WITHIN] = {"within", TACIT_TECHNIQUE_COLUMNS,
                         .help = "columns in each of whose combinations values are compared"},
    {.name = NULL},
};

typedef struct outlying {
    tacit__sheet *sheet;
    const tacit__runner_call *call;
    tacit__row_groups groups;
    tacit__sheet_column *column;
    double *numbers;  /* of a group, room for all rows */
    double low, high; /* of all numbers that are released */
    int64_t changed;
    bool rare; /* a category is left that is not in enough rows */
} outlying;

/* ---- numbers ---- */

typedef struct fences {
    double low, median, high;
} fences;

static fences around(double middle, double below, double above, double spread)
{
    if (!(spread > 0))
        return (fences){-INFINITY, middle, INFINITY};
    return (fences){below - spread, middle, above + spread};
}

/* Leaves distances from the median in place of the numbers. */
static fences by_mad(double *numbers, size_t count, double median, double fence)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = fabs(numbers[i] - median);
    tacit__sort_numbers(numbers, count);
    /* so that it is the standard deviation where numbers are normal */
    double deviation = tacit__quantile(numbers, count, 0.5) * 1.4826;
    return around(median, median, median, fence * deviation);
}

static fences fences_of(const outlying *w, double *numbers, size_t count)
{
    const tacit__runner_value *values = w->call->values;
    int rule = values[OUTLIERS_RULE].choice;
    double fence = values[OUTLIERS_FENCE].given ? values[OUTLIERS_FENCE].number
                   : rule == MAD                ? 3.5
                                                : 1.5;
    tacit__sort_numbers(numbers, count);
    double median = tacit__quantile(numbers, count, 0.5);
    if (rule == MAD)
        return by_mad(numbers, count, median, fence);
    if (rule == IQR) {
        double first = tacit__quantile(numbers, count, 0.25),
               third = tacit__quantile(numbers, count, 0.75);
        return around(median, first, third, fence * (third - first));
    }
    return (fences){tacit__quantile(numbers, count, values[OUTLIERS_LOW].number), median,
                    tacit__quantile(numbers, count, values[OUTLIERS_HIGH].number)};
}

static void replace_numbers(outlying *w, const uint32_t *rows, int64_t count)
{
    size_t listed = 0;
    for (int64_t i = 0; i < count; i++)
        if (!isnan(w->column->numbers[rows[i]]))
            w->numbers[listed++] = w->column->numbers[rows[i]];
    if (listed == 0)
        return;
    fences f = fences_of(w, w->numbers, listed);
    for (int64_t i = 0; i < count; i++) {
        double number = w->column->numbers[rows[i]];
        if (isnan(number))
            continue;
        if (number < f.low || number > f.high)
            w->changed += tacit__cell_put_number(w->column, rows[i], f.median);
        number = w->column->numbers[rows[i]];
        w->low = number < w->low ? number : w->low;
        w->high = number > w->high ? number : w->high;
    }
}

/* ---- categories ---- */

/* Sizes of categories within a group are counted in `sizes` and put back to 0. */
static void replace_categories(outlying *w, const tacit__categories *categories, int64_t *sizes,
                               const uint32_t *rows, int64_t count)
{
    int64_t least = (int64_t)w->call->values[OUTLIERS_LEAST].number;
    uint32_t common = categories->count;
    for (int64_t i = 0; i < count; i++)
        sizes[categories->codes[rows[i]]]++;
    for (int64_t i = 0; i < count; i++) {
        uint32_t code = categories->codes[rows[i]];
        if (code < categories->count &&
            (common == categories->count || sizes[code] > sizes[common]))
            common = code;
    }
    for (int64_t i = 0; i < count; i++) {
        uint32_t code = categories->codes[rows[i]];
        if (code == categories->count || code == common || sizes[code] >= least)
            continue;
        tacit__cell_put(w->column, rows[i], categories->cells[common]);
        w->changed++;
        sizes[common]++;
    }
    int64_t empty = sizes[categories->count];
    w->rare |= (common < categories->count && sizes[common] < least) || (empty && empty < least);
    for (int64_t i = 0; i < count; i++)
        sizes[categories->codes[rows[i]]] = 0;
}

/* ---- a column ---- */

static tacit_status claim_column(const outlying *w, size_t place, tacit_error *err)
{
    const tacit__runner_value *values = w->call->values;
    tacit__runner_value one = {.texts = values[OUTLIERS_COLUMNS].texts + place, .text_count = 1};
    if (values[OUTLIERS_VALUES].choice == 0)
        return w->low > w->high
                   ? TACIT_OK
                   : tacit__claim(
                         w->call,
                         (tacit_kept){.kind = TACIT_KEPT_RANGE, .low = w->low, .high = w->high},
                         &one, NULL, err);
    if (w->rare)
        return TACIT_OK;
    return tacit__claim(
        w->call, (tacit_kept){.kind = TACIT_KEPT_GROUPS, .amount = values[OUTLIERS_LEAST].number},
        &one, &values[OUTLIERS_WITHIN], err);
}

static void each_number_group(outlying *w)
{
    for (uint32_t i = 0; i < w->groups.count; i++)
        replace_numbers(w, w->groups.rows + w->groups.starts[i],
                        w->groups.starts[i + 1] - w->groups.starts[i]);
}

static tacit_status each_category_group(outlying *w, int32_t index, tacit_error *err)
{
    tacit__categories categories;
    tacit_status status = tacit__categories_init(&categories, w->sheet, index, err);
    if (status != TACIT_OK)
        return status;
    int64_t *sizes = tacit__alloc_zeroed((size_t)categories.count + 1, sizeof *sizes);
    if (!sizes)
        status = tacit__nomem(err);
    for (uint32_t i = 0; sizes && i < w->groups.count; i++)
        replace_categories(w, &categories, sizes, w->groups.rows + w->groups.starts[i],
                           w->groups.starts[i + 1] - w->groups.starts[i]);
    tacit__free(sizes);
    tacit__categories_clear(&categories);
    return status;
}

static tacit_status replace_column(outlying *w, size_t place, tacit_error *err)
{
    int32_t index = w->call->values[OUTLIERS_COLUMNS].columns[place];
    tacit_status status = TACIT_OK;
    w->column = &w->sheet->columns[index];
    w->low = INFINITY;
    w->high = -INFINITY;
    w->rare = false;
    if (w->call->values[OUTLIERS_VALUES].choice == 0)
        each_number_group(w);
    else
        status = each_category_group(w, index, err);
    return status == TACIT_OK ? claim_column(w, place, err) : status;
}

static tacit_status apply_outliers(tacit__sheet *sheet, const tacit__runner_call *call,
                                   tacit_error *err)
{
    const tacit__runner_value *columns = &call->values[OUTLIERS_COLUMNS],
                              *within = &call->values[OUTLIERS_WITHIN];
    outlying w = {.sheet = sheet, .call = call};
    tacit_status status =
        call->values[OUTLIERS_VALUES].choice == 0
            ? tacit__call_numbers(sheet, call, columns, err)
            : tacit__sheet_load(sheet, columns->columns, columns->text_count, err);
    if (status == TACIT_OK)
        status = tacit__row_groups_init(&w.groups, sheet, within->columns, within->text_count, err);
    if (status != TACIT_OK)
        return status;
    w.numbers = tacit__alloc_array((size_t)sheet->rows, sizeof *w.numbers);
    if (!w.numbers)
        status = tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < columns->text_count; i++)
        status = replace_column(&w, i, err);
    if (status == TACIT_OK)
        status = tacit__note(call, "cells_changed", (double)w.changed, err);
    tacit__free(w.numbers);
    tacit__row_groups_clear(&w.groups);
    return status;
}

static tacit_status check_outliers(const tacit__runner_call *call, tacit_error *err)
{
    return tacit__call_apart(call, OUTLIERS_COLUMNS, OUTLIERS_WITHIN, err);
}

const tacit_technique tacit__technique_outliers = {
    .name = "outliers",
    .summary = "unusual values become the median, or the most common one",
    .effect = "unusual values are gone: extremes and variances are too small",
    .options = OUTLIERS_OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply_outliers, .check = check_outliers},
};
