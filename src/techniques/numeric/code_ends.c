/*
 * code_ends.c - top and bottom coding: numbers beyond a threshold, by which their bearers could be
 * told, are replaced by the threshold or by what is usual beyond it.
 *
 * The threshold is given (`at`), or such that a share of the numbers at most lies beyond it
 * (`share`): then it is one of the numbers. A mean or median is of those beyond; of few it would
 * tell what they are, so that is refused. A share and a median take six passes each to find (see
 * numbers.c), the rest one or two.
 */
#include <math.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "base/error.h"
#include "techniques/numeric/numeric.h"
#include "techniques/runner/technique.h"
#include "techniques/sheet/sheet.h"

enum { ENDS_COLUMNS, ENDS_AT, ENDS_SHARE, ENDS_BY, ENDS_LEAST };

enum { BY_THRESHOLD, BY_MEAN, BY_MEDIAN };

static const char *const REPLACEMENTS[] = {"threshold", "mean", "median", NULL};

static const tacit_technique_option ENDS_OPTIONS[] = {
    [ENDS_COLUMNS] = {"columns", TACIT_TECHNIQUE_COLUMNS, .help = "columns of numbers",
                      .required = true},
    [ENDS_AT] = {"at", TACIT_TECHNIQUE_NUMBER, .help = "the threshold, in the columns' units",
                 .least = -1e15, .most = 1e15},
    [ENDS_SHARE] = {"share", TACIT_TECHNIQUE_NUMBER,
                    .help = "in place of a threshold: the share of a column's numbers that may lie "
                            "beyond it",
                    .least = 0, .most = 0.5},
    [ENDS_BY] = {"by", TACIT_TECHNIQUE_CHOICE,
                 .help =
                     "what numbers beyond the threshold become: the threshold, their mean or their "
                     "median",
                 .choices = REPLACEMENTS},
    [ENDS_LEAST] = {"least", TACIT_TECHNIQUE_INTEGER,
                    .help = "the fewest numbers that a mean or median is taken of", .least = 1,
                    .most = 1e9, .usual = 3},
    {.name = NULL},
};

static tacit_status check_code_ends(const tacit__runner_call *call, tacit_error *err)
{
    if (call->values[ENDS_AT].given == call->values[ENDS_SHARE].given)
        return tacit__call_error(call, &call->values[ENDS_SHARE], err,
                                 "it takes a threshold: either at or share");
    return TACIT_OK;
}

/* What lies beyond the threshold in a stretch. */
typedef struct beyond {
    int64_t count;
    double sum;
} beyond;

typedef struct coding {
    const tacit__runner_call *call;
    const tacit__sheet *sheet;
    tacit__sheet_column *column;
    const char *name;
    bool top;
    int64_t numbers;
    double threshold, replacement;
    beyond *stretches;
    beyond all;
    atomic_int_fast64_t changed;
} coding;

static bool is_beyond(const coding *c, double number)
{
    return c->top ? number > c->threshold : number < c->threshold; /* no comparison holds of NAN */
}

static tacit_status sum_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                int worker, tacit_error *err)
{
    const coding *c = context;
    beyond found = {0};
    (void)worker, (void)err;
    for (int64_t row = from; row < to; row++)
        if (is_beyond(c, c->column->numbers[row])) {
            found.count++;
            found.sum += c->column->numbers[row];
        }
    c->stretches[stretch] = found;
    return TACIT_OK;
}

static tacit_status sum_beyond(coding *c, tacit_error *err)
{
    int64_t stretches = (c->sheet->rows + TACIT__STRETCH - 1) / TACIT__STRETCH;
    c->stretches = tacit__alloc_array((size_t)stretches, sizeof *c->stretches);
    if (!c->stretches)
        return tacit__nomem(err);
    tacit_status status = tacit__stretches(c->sheet, "looking beyond", sum_stretch, c, err);
    for (int64_t i = 0; status == TACIT_OK && i < stretches; i++) {
        c->all.count += c->stretches[i].count;
        c->all.sum += c->stretches[i].sum;
    }
    tacit__free(c->stretches);
    return status;
}

static tacit_status put_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                int worker, tacit_error *err)
{
    coding *c = context;
    int64_t changed = 0;
    (void)stretch, (void)worker, (void)err;
    for (int64_t row = from; row < to; row++)
        if (is_beyond(c, c->column->numbers[row]))
            changed += tacit__cell_put_number(c->column, row, c->replacement);
    atomic_fetch_add(&c->changed, changed);
    return TACIT_OK;
}

/* ---- threshold and replacement ---- */

static tacit_status find_threshold(coding *c, tacit_error *err)
{
    const tacit__runner_value *values = c->call->values;
    if (values[ENDS_AT].given) {
        int needed = tacit__fixed_needed(values[ENDS_AT].number);
        c->threshold = values[ENDS_AT].number;
        if (c->call->decimals < 0 && values[ENDS_BY].choice == BY_THRESHOLD &&
            needed > c->column->decimals)
            tacit__sheet_decimals(c->column, needed); /* else it could not be written */
        return TACIT_OK;
    }
    /* 0.3 of 10 are 3, though 0.3 * 10 may be a little less */
    int64_t most = (int64_t)floor(values[ENDS_SHARE].number * (double)c->numbers * (1 + 1e-12));
    return tacit__rank_find(&c->threshold, c->sheet, c->column->numbers,
                            c->top ? c->numbers - 1 - most : most, err);
}

/* The median of those beyond, which are the last, or the first, of all in order. */
static tacit_status find_median(coding *c, tacit_error *err)
{
    int64_t first = c->top ? c->numbers - c->all.count : 0;
    double low = 0, high = 0;
    tacit_status status =
        tacit__rank_find(&low, c->sheet, c->column->numbers, first + (c->all.count - 1) / 2, err);
    if (status == TACIT_OK)
        status =
            tacit__rank_find(&high, c->sheet, c->column->numbers, first + c->all.count / 2, err);
    c->replacement = low + (high - low) / 2;
    return status;
}

static tacit_status find_replacement(coding *c, tacit_error *err)
{
    int by = c->call->values[ENDS_BY].choice;
    c->replacement = c->threshold;
    if (by == BY_THRESHOLD)
        return TACIT_OK;
    tacit_status status = sum_beyond(c, err);
    if (status != TACIT_OK || c->all.count == 0)
        return status;
    if ((double)c->all.count < c->call->values[ENDS_LEAST].number)
        return tacit__call_error(c->call, &c->call->values[ENDS_BY], err,
                                 "%lld numbers of column %.64s lie beyond the threshold, too few "
                                 "for their %s to hide them; move it, or take by: threshold",
                                 (long long)c->all.count, c->name, REPLACEMENTS[by]);
    c->replacement = c->all.sum / (double)c->all.count;
    return by == BY_MEDIAN ? find_median(c, err) : TACIT_OK;
}

static tacit_status claim_range(const coding *c, const tacit__runner_value *one, tacit_error *err)
{
    double written = tacit__sheet_round(c->column, c->replacement);
    tacit_kept kept = {.kind = TACIT_KEPT_RANGE, .low = -INFINITY, .high = INFINITY};
    if (c->top)
        kept.high = fmax(c->threshold, written);
    else
        kept.low = fmin(c->threshold, written);
    return tacit__claim(c->call, kept, one, NULL, err);
}

static tacit_status code_column(coding *c, const tacit__runner_value *one, tacit_error *err)
{
    c->numbers = tacit__rank_count(c->sheet, c->column->numbers);
    if (c->numbers == 0)
        return TACIT_OK;
    tacit_status status = find_threshold(c, err);
    if (status == TACIT_OK)
        status = find_replacement(c, err);
    if (status == TACIT_OK)
        status = tacit__stretches(c->sheet, "coding ends", put_stretch, c, err);
    if (status == TACIT_OK)
        status = claim_range(c, one, err);
    return status;
}

static tacit_status apply(tacit__sheet *sheet, const tacit__runner_call *call, bool top,
                          tacit_error *err)
{
    const tacit__runner_value *columns = &call->values[ENDS_COLUMNS];
    tacit_status status = tacit__call_numbers(sheet, call, columns, err);
    for (size_t i = 0; status == TACIT_OK && i < columns->text_count; i++) {
        tacit__runner_value one = {.texts = columns->texts + i, .text_count = 1};
        coding c = {.call = call,
                    .sheet = sheet,
                    .column = &sheet->columns[columns->columns[i]],
                    .name = columns->texts[i],
                    .top = top};
        status = code_column(&c, &one, err);
        if (status == TACIT_OK)
            status = tacit__note(call, "cells_changed", (double)c.changed, err);
    }
    return status;
}

static tacit_status apply_top(tacit__sheet *sheet, const tacit__runner_call *call, tacit_error *err)
{
    return apply(sheet, call, true, err);
}

static tacit_status apply_bottom(tacit__sheet *sheet, const tacit__runner_call *call,
                                 tacit_error *err)
{
    return apply(sheet, call, false, err);
}

const tacit_technique tacit__technique_top_code = {
    .name = "top-code",
    .summary = "numbers above a threshold brought down to it, or to what is usual there",
    .effect = "large numbers are not told apart: extremes and variances are too small, and means "
              "may be biased",
    .options = ENDS_OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply_top, .check = check_code_ends},
};

const tacit_technique tacit__technique_bottom_code = {
    .name = "bottom-code",
    .summary = "numbers below a threshold brought up to it, or to what is usual there",
    .effect = "small numbers are not told apart: extremes and variances are too small, and means "
              "may be biased",
    .options = ENDS_OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply_bottom, .check = check_code_ends},
};
