/*
 * rules.c - which cells are confidential, and how much of them is to be hidden.
 *
 * X is the cell's total and x1 >= x2 >= ... its contributions, sizes without sign
 * (cells->gross and cells->top). Levels follow from the rule: a user of the table may
 * not come so near to a contribution that the rule, applied to his estimate, would find
 * it (Handbook on Statistical Disclosure Control, 4.2.2; Loeve 2001):
 *
 *     (n,k)-dominance   x1 + ... + xn > k/100 X     level  100/k (x1 + ... + xn) - X
 *     p%                X - x1 - x2 < p/100 x1      level  p/100 x1 - (X - x1 - x2)
 *     pq                X - x1 - x2 < p/q x1        level  p/q x1 - (X - x1 - x2)
 *
 * A total of 0 to which somebody has contributed is judged like any other: contributions of both
 * signs add up to it.
 *
 * Frequency and request say nothing of distances, so a margin does. Where a shadow variable
 * decided, levels are scaled to the value. None reaches beyond bounds that are known: what
 * everybody knows cannot be hidden. A pass over the cells.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cells/cells/inside.h"

void tacit_rules_options_init(tacit_rules_options *options)
{
    *options = (tacit_rules_options){.zero = TACIT_CELL_FIXED,
                                     .empty = TACIT_CELL_FIXED,
                                     .margin = {.margin = 10, .least = NAN}};
}

static double total_of(const tacit_cells *cells, int32_t cell)
{
    return cells->gross ? cells->gross[cell] : fabs(cells->value[cell]);
}

static double largest_of(const tacit_cells *cells, int32_t cell, int32_t count)
{
    double sum = 0;
    for (int32_t i = 0; i < count && i < cells->top_count; i++)
        sum += cells->top[(int64_t)cell * cells->top_count + i];
    return sum;
}

/* How far the rest of the cell, beyond its two largest, falls short of a share of the
 * largest. */
static double shortfall(const tacit_cells *cells, int32_t cell, double share)
{
    double rest = total_of(cells, cell) - largest_of(cells, cell, 2);
    return share * largest_of(cells, cell, 1) - rest;
}

/* What a rule finds: a level above 0, 0 for safe; NAN: unsafe, and the margin says how far. */
static double find(const tacit_cells *cells, int32_t cell, const tacit_rule *rule)
{
    double total, level = 0;
    switch (rule->kind) {
    case TACIT_RULE_FREQ: return cells->freq[cell] > 0 && cells->freq[cell] <= rule->n ? NAN : 0;
    case TACIT_RULE_REQUEST:
        total = total_of(cells, cell);
        return cells->asked[cell] && largest_of(cells, cell, 1) > rule->p / 100 * total ? NAN : 0;
    case TACIT_RULE_DOMINANCE:
        level = 100 / rule->p * largest_of(cells, cell, rule->n) - total_of(cells, cell);
        break;
    case TACIT_RULE_P: level = shortfall(cells, cell, rule->p / 100); break;
    case TACIT_RULE_PQ: level = shortfall(cells, cell, rule->p / rule->q); break;
    }
    /* sums of decimals that are equal but for rounding are no reason to suppress */
    return level > TACIT_CELLS_EQUAL * total_of(cells, cell) ? level : 0;
}

/* A level in units of the value. */
static double scaled(const tacit_cells *cells, int32_t cell, double level)
{
    double total = total_of(cells, cell);
    return cells->shadow && total > 0 ? level * fabs(cells->value[cell]) / total : level;
}

/* Raises the cell's levels to a level on the sides asked for, within the bounds. */
static void raise(tacit_cells *cells, int32_t cell, double level, tacit_level_side side)
{
    tacit__room room = tacit__room_for(cells, cell, level);
    if (side == TACIT_LEVEL_BOTH || side == TACIT_LEVEL_LOWER)
        cells->lpl[cell] = fmax(cells->lpl[cell], fmin(level, room.below));
    if (side == TACIT_LEVEL_BOTH || side == TACIT_LEVEL_UPPER)
        cells->upl[cell] = fmax(cells->upl[cell], fmin(level, room.above));
    if (side == TACIT_LEVEL_SLIDING)
        cells->spl[cell] = fmax(cells->spl[cell], fmin(2 * level, room.below + room.above));
}

static void judge(tacit_cells *cells, int32_t cell, const tacit_rule *rules, int32_t count,
                  const tacit_rules_options *options)
{
    double margin = tacit__margin_level(cells, cell, &options->margin);
    for (int32_t i = 0; i < count; i++) {
        double level = find(cells, cell, &rules[i]);
        if (level == 0)
            continue;
        cells->status[cell] = TACIT_CELL_PRIMARY;
        if (isnan(level))
            raise(cells, cell, margin, TACIT_LEVEL_BOTH);
        else
            raise(cells, cell, scaled(cells, cell, level), options->side);
    }
}

/* Zero and empty cells go by the choice alone, not by rules. */
static void set_zero(tacit_cells *cells, int32_t cell, const tacit_rules_options *options)
{
    bool empty = cells->freq ? cells->freq[cell] == 0 : cells->counts;
    cells->status[cell] = (char)(empty ? options->empty : options->zero);
    if (cells->status[cell] == TACIT_CELL_PRIMARY)
        raise(cells, cell, tacit__margin_level(cells, cell, &options->margin), TACIT_LEVEL_BOTH);
}

static tacit_status check_rule(const tacit_cells *cells, const tacit_rule *rule, tacit_error *err)
{
    bool sizes = rule->kind != TACIT_RULE_FREQ;
    int32_t needed = !sizes                               ? 0
                     : rule->kind == TACIT_RULE_DOMINANCE ? rule->n
                     : rule->kind == TACIT_RULE_REQUEST   ? 1
                                                          : 2;
    if (!sizes && !cells->freq)
        return tacit__error_at(
            err, TACIT_INVALID, cells->file, 0, 0,
            "the frequency rule needs the number of contributors: a column freq, or "
            "--freq COLUMN, the column of values itself where they are counts");
    if (needed > cells->top_count)
        return tacit__error_at(err, TACIT_INVALID, cells->file, 0, 0,
                               "the rule needs the %d largest contributors of every cell, columns "
                               "max1 to max%d; %d are known",
                               needed, needed, cells->top_count);
    if (rule->kind == TACIT_RULE_REQUEST && !cells->asked)
        return tacit__error_at(err, TACIT_INVALID, cells->file, 0, 0,
                               "the request rule needs a column that says who asked");
    return TACIT_OK;
}

/* Without sums of sizes, a total of which parts are negative says nothing of its
 * contributors. */
static tacit_status check_sign(const tacit_cells *cells, const tacit_rule *rule, tacit_error *err)
{
    for (int32_t i = 0; rule->kind != TACIT_RULE_FREQ && !cells->gross && i < cells->count; i++)
        if (cells->value[i] < 0)
            return tacit__cell_error(cells, i, TACIT_INVALID, err,
                                     "the rule compares contributions with the total and needs "
                                     "values that are not negative; make the table from records");
    return TACIT_OK;
}

tacit_status tacit_cells_apply_rules(tacit_cells *cells, const tacit_rule *rules, int32_t count,
                                     const tacit_rules_options *options, tacit_error *err)
{
    assert(memchr("szu", options->zero, 3) && memchr("szu", options->empty, 3));
    tacit_status status = tacit__cells_known(cells, err);
    for (int32_t i = 0; status == TACIT_OK && i < count; i++) {
        status = check_rule(cells, &rules[i], err);
        if (status == TACIT_OK)
            status = check_sign(cells, &rules[i], err);
    }
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < cells->count; i++) {
        bool nothing = cells->value[i] == 0 && (!cells->gross || cells->gross[i] == 0) &&
                       largest_of(cells, i, 1) == 0;
        if (cells->status[i] != TACIT_CELL_FREE)
            continue;
        if (nothing)
            set_zero(cells, i, options);
        else
            judge(cells, i, rules, count, options);
    }
    return TACIT_OK;
}
