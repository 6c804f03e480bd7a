/*
 * perturb.c - numbers moved such that their sums stay (Markov perturbation, section 3.1): what one
 * row loses another gains, or two others gain halves of, or the other way round.
 *
 * Rows are drawn and joined in pairs and triples at random, in each combination of `within` by
 * itself; every row is in one of them, so that no two moves of a row can cancel out. Amounts are
 * whole units of the column's last decimal, computed as integers: sums are kept exactly. A row that
 * can only rise, as a 0 that must not become negative, is joined with one that can do both; where
 * there are none left it stays as it is.
 *
 * A shuffle and a pass for each column.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "techniques/numeric/numeric.h"
#include "techniques/runner/technique.h"

enum {
    PERTURB_COLUMNS,
    PERTURB_SIZE,
    PERTURB_IN,
    PERTURB_SHARE,
    PERTURB_WITHIN,
    PERTURB_LEAST,
    PERTURB_MAX
};

static const char *const MEASURES[] = {"units", "deviations", NULL};

static const tacit_technique_option PERTURB_OPTIONS[] = {
    [PERTURB_COLUMNS] = {"columns", TACIT_TECHNIQUE_COLUMNS, .help = "columns of numbers",
                         .required = true},
    [PERTURB_SIZE] = {"size", TACIT_TECHNIQUE_NUMBER,
                      .help = "by how much a number is moved at most", .required = true,
                      .least = 1e-15, .most = 1e15},
    [PERTURB_IN] = {"in", TACIT_TECHNIQUE_CHOICE,
                    .help = "what size is in: the column's own units, or its standard deviations",
                    .choices = MEASURES},
    [PERTURB_SHARE] = {"share", TACIT_TECHNIQUE_NUMBER, .help = "share of the rows that is moved",
                       .most = 1, .usual = 1},
    [PERTURB_WITHIN] = {"within", TACIT_TECHNIQUE_COLUMNS,
                        .help = "columns in each of whose combinations sums are kept"},
    [PERTURB_LEAST] = {"least", TACIT_TECHNIQUE_NUMBER,
                       .help =
                           "no number is moved below it; without least and most, no number changes "
                           "its sign",
                       .least = -1e15, .most = 1e15},
    [PERTURB_MAX] = {"most", TACIT_TECHNIQUE_NUMBER, .help = "no number is moved above it",
                     .least = -1e15, .most = 1e15},
    {.name = NULL},
};

enum { OFTEN = 1 << 16 };

/* Integers that doubles are exact for. */
static const int64_t EXACT = INT64_C(1) << 53;

typedef struct entry {
    int64_t value; /* in units of the last decimal */
    uint32_t row;
} entry;

typedef struct perturbing {
    const tacit__runner_call *call;
    tacit__sheet_column *column;
    tacit__random random;
    double units;            /* in 1 */
    int64_t size;            /* in units */
    int64_t lowest, highest; /* of numbers; a range without end where signs are kept */
    bool signs;
    entry *entries, *sorted; /* of a group; room for all rows */
    int64_t changed, stuck;
} perturbing;

/* ---- how far a number can go ---- */

static int64_t within_size(const perturbing *w, int64_t reach)
{
    return reach < 0 ? 0 : reach < w->size ? reach : w->size;
}

static int64_t can_fall(const perturbing *w, const entry *e)
{
    return within_size(w, e->value - (w->signs && e->value >= 0 ? 0 : w->lowest));
}

static int64_t can_rise(const perturbing *w, const entry *e)
{
    return within_size(w, (w->signs && e->value < 0 ? 0 : w->highest) - e->value);
}

static void move(perturbing *w, const entry *e, int64_t by)
{
    w->changed += tacit__cell_put_number(w->column, e->row, (double)(e->value + by) / w->units);
}

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* 1 to most. */
static int64_t draw_amount(perturbing *w, int64_t most)
{
    return 1 + (int64_t)tacit__random_below64(&w->random, (uint64_t)most);
}

/* One of a pair loses what the other gains; which one is drawn, if it can. */
static bool move_pair(perturbing *w, const entry *a, const entry *b)
{
    bool turned = tacit__random_below(&w->random, 2);
    for (int i = 0; i < 2; i++, turned = !turned) {
        const entry *loser = turned ? b : a, *winner = turned ? a : b;
        int64_t most = least_of(can_fall(w, loser), can_rise(w, winner));
        if (most > 0) {
            int64_t amount = draw_amount(w, most);
            move(w, loser, -amount);
            move(w, winner, amount);
            return true;
        }
    }
    return false;
}

/* One of a triple loses what two others gain halves of, or gains what they lose. */
static bool move_triple(perturbing *w, const entry *one, const entry *a, const entry *b)
{
    bool falls = tacit__random_below(&w->random, 2);
    for (int i = 0; i < 2; i++, falls = !falls) {
        int64_t own = falls ? can_fall(w, one) : can_rise(w, one);
        int64_t others = falls ? least_of(can_rise(w, a), can_rise(w, b))
                               : least_of(can_fall(w, a), can_fall(w, b));
        int64_t most = least_of(own, 2 * others);
        if (most > 1) {
            int64_t amount = 1 + draw_amount(w, most - 1), half = amount / 2;
            move(w, one, falls ? -amount : amount);
            move(w, a, falls ? half : -half);
            move(w, b, falls ? amount - half : half - amount);
            return true;
        }
    }
    return false;
}

/* ---- a group ---- */

/* The rows of a group whose numbers are whole in units and small enough to be moved exactly. */
static size_t list_entries(perturbing *w, const uint32_t *rows, int64_t count)
{
    size_t listed = 0;
    for (int64_t i = 0; i < count; i++) {
        double number = w->column->numbers[rows[i]], scaled = round(number * w->units);
        if (fabs(scaled) < (double)(EXACT - w->size) && scaled / w->units == number)
            w->entries[listed++] = (entry){(int64_t)scaled, rows[i]};
        else
            w->stuck += !isnan(number);
    }
    return listed;
}

/* Draws so many of the entries to the front, in random order. */
static void draw_entries(perturbing *w, size_t count, size_t drawn)
{
    for (size_t i = 0; i < drawn; i++) {
        size_t other = i + (size_t)tacit__random_below64(&w->random, count - i);
        entry kept = w->entries[i];
        w->entries[i] = w->entries[other];
        w->entries[other] = kept;
    }
}

/* Those that can go both ways before those that cannot, otherwise in their order. */
static void sort_entries(perturbing *w, size_t count)
{
    size_t free = 0, bound = 0;
    for (size_t i = 0; i < count; i++) {
        const entry *e = &w->entries[i];
        if (can_fall(w, e) && can_rise(w, e))
            w->sorted[free++] = *e;
        else
            w->entries[bound++] = *e;
    }
    memcpy(w->sorted + free, w->entries, bound * sizeof *w->sorted);
}

/* Joins from both ends, so that one that is bound meets one that is free. */
static tacit_status move_all(perturbing *w, size_t count, tacit_error *err)
{
    const entry *first = w->sorted, *end = w->sorted + count;
    tacit_status status = TACIT_OK;
    for (size_t joined = 1; status == TACIT_OK && end - first >= 2; joined++) {
        int64_t left = end - first;
        bool three = w->size > 1 && left != 2 && left != 4 &&
                     (left == 3 || tacit__random_below(&w->random, 2));
        three = three && move_triple(w, first, end - 1, end - 2);
        if (!three && !move_pair(w, first, end - 1))
            w->stuck += 2;
        first++;
        end -= three ? 2 : 1;
        if (joined % OFTEN == 0)
            status = tacit__progress(w->call->run, "perturbing", w->changed, 0, err);
    }
    w->stuck += end - first;
    return status;
}

static tacit_status perturb_group(perturbing *w, const uint32_t *rows, int64_t count,
                                  tacit_error *err)
{
    size_t listed = list_entries(w, rows, count);
    size_t drawn = (size_t)floor((double)listed * w->call->values[PERTURB_SHARE].number + 0.5);
    draw_entries(w, listed, drawn);
    sort_entries(w, drawn);
    return move_all(w, drawn, err);
}

/* ---- a column ---- */

/* A bound in units; what rounding of the product leaves is not taken for a part of one. */
static int64_t bound_of(const perturbing *w, int option, bool upper, int64_t none)
{
    const tacit__runner_value *value = &w->call->values[option];
    double scaled = value->number * w->units, whole = round(scaled);
    if (!value->given || fabs(scaled) >= (double)EXACT)
        return none;
    if (fabs(scaled - whole) > 1e-9 * fabs(scaled))
        whole = upper ? floor(scaled) : ceil(scaled);
    return (int64_t)whole;
}

static tacit_status set_size(perturbing *w, const tacit__numeric_spread *s, tacit_error *err)
{
    const tacit__runner_value *size = &w->call->values[PERTURB_SIZE];
    bool deviations = w->call->values[PERTURB_IN].choice == 1;
    double most = size->number * (deviations ? s->deviation : 1) * w->units * (1 + 1e-12);
    w->size = most < (double)(EXACT / 2) ? (int64_t)most : EXACT / 2;
    if (w->size > 0 || (deviations && s->deviation == 0))
        return TACIT_OK;
    return tacit__call_error(w->call, size, err,
                             "size is less than a unit of the last decimal of column %.64s; give "
                             "a larger one, or more `decimals`",
                             w->column->name);
}

static tacit_status perturb_column(perturbing *w, const tacit__sheet *sheet, size_t place,
                                   const tacit__row_groups *groups, tacit_error *err)
{
    const tacit__runner_value *columns = &w->call->values[PERTURB_COLUMNS];
    tacit__runner_value one = {.texts = columns->texts + place, .text_count = 1};
    w->column = &sheet->columns[columns->columns[place]];
    w->units = pow(10, w->column->decimals);
    w->lowest = bound_of(w, PERTURB_LEAST, false, -EXACT);
    w->highest = bound_of(w, PERTURB_MAX, true, EXACT);
    tacit__numeric_spread s = tacit__spread_of(w->column, sheet->rows);
    tacit_status status = set_size(w, &s, err);
    for (uint32_t i = 0; status == TACIT_OK && w->size > 0 && i < groups->count; i++) {
        tacit__call_random(&w->random, w->call, (uint8_t)place, i);
        status = perturb_group(w, groups->rows + groups->starts[i],
                               groups->starts[i + 1] - groups->starts[i], err);
    }
    if (status == TACIT_OK) {
        double amount = (double)w->size / w->units + s.largest * 0x1p-50;
        status = tacit__claim(w->call, (tacit_kept){.kind = TACIT_KEPT_NEAR, .amount = amount},
                              &one, NULL, err);
    }
    return status;
}

static tacit_status perturb_columns(perturbing *w, tacit__sheet *sheet, tacit_error *err)
{
    const tacit__runner_value *columns = &w->call->values[PERTURB_COLUMNS],
                              *within = &w->call->values[PERTURB_WITHIN];
    tacit__row_groups groups;
    tacit_status status =
        tacit__row_groups_init(&groups, sheet, within->columns, within->text_count, err);
    if (status != TACIT_OK)
        return status;
    w->entries = tacit__alloc_array((size_t)sheet->rows, sizeof *w->entries);
    w->sorted = tacit__alloc_array((size_t)sheet->rows, sizeof *w->sorted);
    if (!w->entries || !w->sorted)
        status = tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < columns->text_count; i++)
        status = perturb_column(w, sheet, i, &groups, err);
    tacit__free(w->entries);
    tacit__free(w->sorted);
    tacit__row_groups_clear(&groups);
    return status;
}

static tacit_status apply_perturb(tacit__sheet *sheet, const tacit__runner_call *call,
                                  tacit_error *err)
{
    perturbing w = {.call = call,
                    .signs =
                        !call->values[PERTURB_LEAST].given && !call->values[PERTURB_MAX].given};
    tacit_status status = tacit__call_numbers(sheet, call, &call->values[PERTURB_COLUMNS], err);
    if (status == TACIT_OK)
        status = perturb_columns(&w, sheet, err);
    if (status == TACIT_OK)
        status = tacit__note(call, "cells_changed", (double)w.changed, err);
    if (status == TACIT_OK)
        status = tacit__note(call, "cells_stuck", (double)w.stuck, err);
    if (status == TACIT_OK)
        status = tacit__claim(call, (tacit_kept){.kind = TACIT_KEPT_SUM},
                              &call->values[PERTURB_COLUMNS], &call->values[PERTURB_WITHIN], err);
    return status;
}

static tacit_status check_perturb(const tacit__runner_call *call, tacit_error *err)
{
    const tacit__runner_value *values = call->values;
    if (values[PERTURB_LEAST].given && values[PERTURB_MAX].given &&
        values[PERTURB_LEAST].number > values[PERTURB_MAX].number)
        return tacit__call_error(call, &values[PERTURB_LEAST], err, "least is above most");
    return tacit__call_apart(call, PERTURB_COLUMNS, PERTURB_WITHIN, err);
}

const tacit_technique tacit__technique_perturb = {
    .name = "perturb",
    .summary = "numbers moved at random such that sums stay unchanged",
    .effect =
        "sums are those of the data, single numbers are not; variances and correlations may differ",
    .options = PERTURB_OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply_perturb, .check = check_perturb},
};
