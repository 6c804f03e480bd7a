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
 * everybody knows cannot be hidden.
 *
 * What is set for every cell besides: costs follow the usual family x^lambda, log(1 + x) standing
 * for lambda = 0. Bounds are what everybody knows; the default, from 0 to the largest value, is
 * what follows from values that are not negative and a published total. That total itself may be
 * suppressed, and then bounds nothing: it has room for twice its value, and for its levels.
 *
 * A pass over the cells each.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"
#include "cells/cells/inside.h"
#include "cells/rules/rules.h"

void tacit_cells_spec_init(tacit_cells_spec *spec)
{
    *spec = (tacit_cells_spec){.top = 2, .margin = {.margin = 10, .least = NAN}};
}

static double cost_of(const tacit_cells *cells, int32_t cell, tacit_cost_kind kind)
{
    switch (kind) {
    case TACIT_COST_COUNT: return 1;
    case TACIT_COST_FREQ: return (double)cells->freq[cell];
    case TACIT_COST_COLUMN: return fabs(cells->measure[cell]);
    default: return fabs(cells->value[cell]);
    }
}

tacit_status tacit_cells_set_costs(tacit_cells *cells, tacit_cost_kind kind, double lambda,
                                   tacit_error *err)
{
    if (!(lambda >= 0) || isinf(lambda))
        return tacit__error(err, TACIT_INVALID, "the power of costs must be 0 or more");
    if (kind == TACIT_COST_FREQ && !cells->freq)
        return tacit__error_at(err, TACIT_INVALID, cells->file, 0, 0,
                               "costs by frequency need a column freq");
    if (kind == TACIT_COST_COLUMN && !cells->measure)
        return tacit__error_at(err, TACIT_INVALID, cells->file, 0, 0,
                               "no column was named to take costs from");
    tacit_status status = tacit__cells_known(cells, err);
    for (int32_t i = 0; status == TACIT_OK && i < cells->count; i++) {
        double size = cost_of(cells, i, kind);
        cells->cost[i] = lambda == 0 ? log1p(size) : lambda == 1 ? size : pow(size, lambda);
        if (!isfinite(cells->cost[i]))
            return tacit__cell_error(cells, i, TACIT_INVALID, err,
                                     "its cost is too large to be a number; use a smaller power");
    }
    return status;
}

static double largest(const tacit_cells *cells)
{
    double most = 0;
    for (int32_t i = 0; i < cells->count; i++) {
        most = fmax(most, fabs(cells->value[i]));
        if (cells->gross && cells->negative && !cells->shadow)
            most = fmax(most, cells->gross[i]);
    }
    return most;
}

void tacit_cells_set_bounds(tacit_cells *cells, double q)
{
    double most = largest(cells);
    cells->assumed = !(q > 0);
    for (int32_t i = 0; i < cells->count; i++) {
        double value = cells->value[i], around = fabs(value) * q / 100;
        if (cells->unknown && cells->unknown[i])
            continue;
        double far = fabs(value) < most ? most : 2 * most;
        cells->lower[i] = q > 0 ? value - around : cells->negative ? 0 - far : 0;
        cells->upper[i] = q > 0 ? value + around : far;
    }
}

/* The level that a margin gives a cell, and the levels of a primary cell by it. */
static double margin_level(const tacit_cells *cells, int32_t cell, const tacit_margin *margin)
{
    double least = isnan(margin->least) ? (cells->counts ? 1 : 0) : margin->least;
    return fmax(least, margin->margin / 100 * fabs(cells->value[cell]));
}

/* Room for a level on both sides of a value: bounds that are assumed give way. */
typedef struct level_capacity {
    double below;
    double above;
} level_capacity;

static level_capacity room_for(tacit_cells *cells, int32_t cell, double level)
{
    double value = cells->value[cell];
    if (cells->assumed) {
        cells->upper[cell] = fmax(cells->upper[cell], value + level);
        if (cells->negative)
            cells->lower[cell] = fmin(cells->lower[cell], value - level);
    }
    return (level_capacity){.below = fmax(value - cells->lower[cell], 0),
                            .above = fmax(cells->upper[cell] - value, 0)};
}

void tacit__margin_apply(tacit_cells *cells, int32_t cell, const tacit_margin *margin)
{
    double level = margin_level(cells, cell, margin);
    level_capacity room = room_for(cells, cell, level);
    cells->lpl[cell] = fmin(level, room.below);
    cells->upl[cell] = fmin(level, room.above);
}

/* Rounding apart. */
static bool above(double a, double b)
{
    return a > b + TACIT_CELLS_EQUAL * fmax(1, fmax(fabs(a), fabs(b)));
}

tacit_status tacit_cells_check(const tacit_cells *cells, tacit_error *err)
{
    tacit_status status = tacit__cells_known(cells, err);
    for (int32_t i = 0; status == TACIT_OK && i < cells->count; i++) {
        double value = cells->value[i], lower = cells->lower[i], upper = cells->upper[i];
        if (above(lower, value) || above(value, upper))
            return tacit__cell_error(cells, i, TACIT_INVALID, err,
                                     "its value lies outside its bounds; correct lower or upper");
        if (cells->status[i] != TACIT_CELL_PRIMARY)
            continue;
        if (above(lower, value - cells->lpl[i]) || above(value + cells->upl[i], upper) ||
            above(cells->spl[i], upper - lower))
            return tacit__cell_error(cells, i, TACIT_INFEASIBLE, err,
                                     "its protection levels reach beyond its bounds, so nothing "
                                     "can protect it; lower the levels or widen the bounds");
    }
    return status;
}

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

bool tacit__rule_finds(const tacit_cells *cells, int32_t cell, const tacit_rule *rule)
{
    return find(cells, cell, rule) != 0;
}

double tacit__largest_percent(const tacit_cells *cells, int32_t cell, int32_t count)
{
    double total = total_of(cells, cell);
    return total > 0 ? 100 * largest_of(cells, cell, count) / total : 0;
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
    level_capacity room = room_for(cells, cell, level);
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
    double margin = margin_level(cells, cell, &options->margin);
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
        raise(cells, cell, margin_level(cells, cell, &options->margin), TACIT_LEVEL_BOTH);
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
                               "the request rule needs a column that says who requests protection");
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

/* A rule's word, how many numbers it takes, and what they may be. */
typedef struct form {
    const char *word;
    tacit_rule_kind kind;
    int numbers;
    const char *what;
} form;

static const form forms[] = {
    {"freq", TACIT_RULE_FREQ, 1, "freq:n, n contributors or fewer, n from 1 to 1000000"},
    {"nk", TACIT_RULE_DOMINANCE, 2, "nk:n,k, n contributors from 1 to 16 and k percent below 100"},
    {"p", TACIT_RULE_P, 1, "p:p, p percent above 0 and up to 100"},
    {"pq", TACIT_RULE_PQ, 2, "pq:p,q, 0 < p < q <= 100 percent"},
    {"request", TACIT_RULE_REQUEST, 1, "request:k, k percent from 0 to below 100"},
};

static const form *form_of(const char *text)
{
    size_t len = strcspn(text, ":");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strlen(forms[i].word) == len && !memcmp(forms[i].word, text, len))
            return &forms[i];
    return NULL;
}

static bool read_numbers(double *numbers, int count, const char *text)
{
    for (int i = 0; i < count; i++) {
        size_t len = strcspn(text, ",");
        numbers[i] = tacit__decimal_read((tacit_strview){text, len});
        bool last = i + 1 == count;
        if (isnan(numbers[i]) || (text[len] == '\0') != last)
            return false;
        text += len + 1;
    }
    return true;
}

static bool is_count(double number, double most)
{
    return number >= 1 && number <= most && number == floor(number);
}

static bool fill(tacit_rule *rule, const double *numbers)
{
    switch (rule->kind) {
    case TACIT_RULE_FREQ:
        rule->n = is_count(numbers[0], 1e6) ? (int32_t)numbers[0] : 0;
        return rule->n > 0;
    case TACIT_RULE_DOMINANCE:
        rule->n = is_count(numbers[0], TACIT_MAX_TOP) ? (int32_t)numbers[0] : 0;
        rule->p = numbers[1];
        return rule->n > 0 && rule->p > 0 && rule->p < 100;
    case TACIT_RULE_P: rule->p = numbers[0]; return rule->p > 0 && rule->p <= 100;
    case TACIT_RULE_PQ:
        rule->p = numbers[0];
        rule->q = numbers[1];
        return rule->p > 0 && rule->p < rule->q && rule->q <= 100;
    case TACIT_RULE_REQUEST: rule->p = numbers[0]; return rule->p >= 0 && rule->p < 100;
    }
    return false;
}

tacit_status tacit_rule_parse(tacit_rule *rule, const char *text, tacit_error *err)
{
    const form *found = form_of(text);
    double numbers[2];
    if (!found)
        return tacit__error(err, TACIT_INVALID,
                            "\"%s\" is no rule; write freq:n, nk:n,k, p:p, pq:p,q or request:k",
                            tacit__show(tacit_strview_of(text)).text);
    tacit_rule read = {.kind = found->kind};
    const char *rest = text + strlen(found->word);
    if (*rest != ':' || !read_numbers(numbers, found->numbers, rest + 1) || !fill(&read, numbers))
        return tacit__error(err, TACIT_INVALID, "\"%s\" is not written as %s",
                            tacit__show(tacit_strview_of(text)).text, found->what);
    *rule = read;
    return TACIT_OK;
}
