/*
 * bars.c - the distribution of an attribute before and after, as bars that
 * single nobody out.
 *
 * Numbers are grouped between round edges, about a dozen to the middle 98 %, or
 * less where that leaves few records outside; beyond, the outer groups are open:
 * no edge is anybody's value. Other attributes have a bar for each of their most
 * frequent values and one for the rest, or only one for all where the frequent
 * values are those of fewer than half. Missing values and labels that only the
 * release has, which its reader sees anyway, follow. A group with fewer than `few`
 * records of the original, but some, goes together with a neighbour.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "loss/loss.h"

enum { RANGES = 16, VALUES = 12, LABELS = 6, NAME = 200, SHOWN = 60 };

_Static_assert(VALUES + LABELS + 3 <= TACIT_LOSS_BARS && RANGES + LABELS + 2 <= TACIT_LOSS_BARS,
               "every group has a bar");

/* Beyond these, edges could not be computed with; everything is then in the outer groups. */
static const double smallest_step = 1e-200, largest_step = 1e200;

typedef struct group {
    double before, after;
    bool is_range;
    double low, high; /* of a range: its edges, in steps; infinite: open */
    char name[NAME];
} group;

typedef struct groups {
    const tacit__loss_frame *frame;
    const tacit__loss_column *column;
    double *amounts[2]; /* by category */
    double step;        /* of ranges */
    bool whole;         /* all numbers are */
    group groups[TACIT_LOSS_BARS];
    int count;
} groups;

/* ---- ranges of numbers ---- */

/* The number that a share of the original's records is at or below. */
static double quantile(const tacit__loss_side *side, double share)
{
    double so_far = 0;
    uint32_t i = 0;
    for (; i + 1 < side->number_count; i++) {
        so_far += side->amounts[side->order[i]];
        if (so_far >= share * side->rows)
            break;
    }
    return side->numbers[side->order[i]];
}

/* The smallest of 1, 2, 5 times a power of ten that is not below value. */
static double round_step(double value)
{
    double power = pow(10, floor(log10(value)));
    return power * (value <= power ? 1 : value <= 2 * power ? 2 : value <= 5 * power ? 5 : 10);
}

static bool all_whole(const tacit__loss_side *side)
{
    for (uint32_t i = 0; i < side->number_count; i++) {
        double number = side->numbers[side->order[i]];
        if (number != floor(number))
            return false;
    }
    return true;
}

static double steps_of(const groups *g, double number)
{
    return floor(number / g->step + 1e-9);
}

/* Counts a side's numbers into ranges from `lowest` on; the outer ones take what is beyond. */
static void add_numbers(groups *g, int which, double lowest)
{
    const tacit__loss_side *side = &g->column->sides[which];
    for (uint32_t i = 0; i < side->number_count; i++) {
        uint32_t code = side->order[i];
        double at = steps_of(g, side->numbers[code]) - lowest, last = g->count - 1;
        group *to = &g->groups[(int)fmin(fmax(at, 0), last)];
        if (at < 0)
            to->low = -INFINITY;
        if (at > last)
            to->high = INFINITY;
        *(which == TACIT__ORIGINAL ? &to->before : &to->after) += side->amounts[code];
    }
}

static void add_ranges(groups *g)
{
    const tacit__loss_side *original = &g->column->sides[TACIT__ORIGINAL];
    double outer = fmin(fmax(0.01, (double)g->frame->options->few / original->rows), 0.5);
    double low = quantile(original, outer), high = quantile(original, 1 - outer);
    g->whole = all_whole(original);
    g->step = high > low ? round_step((high - low) / 12) : 1;
    if (g->step < smallest_step || g->step > largest_step || (g->whole && g->step < 1))
        g->step = 1;
    double lowest = steps_of(g, low), highest = steps_of(g, high);
    for (double at = lowest; at <= highest && g->count < RANGES; at++)
        g->groups[g->count++] = (group){.is_range = true, .low = at, .high = at + 1};
    for (int which = 0; which < 2; which++)
        add_numbers(g, which, lowest);
}

static const char *edge(char *text, const groups *g, double steps)
{
    double scale = g->step < 1 ? round(1 / g->step * 10) : 1;
    tacit__decimal_write(text, round(steps * g->step * scale) / scale);
    return text;
}

/* Whole numbers are named by the first and the last, others by the edges. */
static void name_range(group *to, const groups *g)
{
    char low[TACIT__DECIMAL_SIZE] = "", high[TACIT__DECIMAL_SIZE] = "";
    double last = g->whole ? to->high - 1 / g->step : to->high;
    if (isfinite(to->low))
        edge(low, g, to->low);
    if (isfinite(to->high))
        edge(high, g, isfinite(to->low) ? last : to->high);
    if (!isfinite(to->low) && !isfinite(to->high))
        snprintf(to->name, NAME, "any number");
    else if (!isfinite(to->low))
        snprintf(to->name, NAME, "below %s", high);
    else if (!isfinite(to->high))
        snprintf(to->name, NAME, "%s or more", low);
    else if (g->whole && last <= to->low)
        snprintf(to->name, NAME, "%s", low);
    else
        snprintf(to->name, NAME, "%s to %s", low, high);
}

/* ---- values and labels ---- */

static void add_group(groups *g, double before, double after, tacit_strview name)
{
    group *to = &g->groups[g->count++];
    bool cut = name.len > SHOWN;
    size_t len = cut ? SHOWN : name.len;
    while (cut && len > 0 && ((unsigned char)name.bytes[len] & 0xC0) == 0x80)
        len--;
    *to = (group){.before = before, .after = after};
    snprintf(to->name, NAME, "%.*s%s", (int)len, name.bytes, cut ? "\xE2\x80\xA6" : "");
}

/* The category with the largest amount of at least `least` among those not taken yet, or -1. */
static int64_t largest(const double *amounts, const bool *taken, uint32_t from, uint32_t to,
                       double least)
{
    int64_t best = -1;
    for (uint32_t i = from; i < to; i++)
        if (!taken[i] && amounts[i] >= least && (best < 0 || amounts[i] > amounts[best]))
            best = i;
    return best;
}

/* Takes the most frequent values. Where most records have others, as of names, these say little
 * of the distribution and much of those who have them: then none is taken. */
static int take_values(const groups *g, bool *taken, int64_t *values)
{
    const tacit__loss_column *column = g->column;
    double records = 0;
    int count = 0;
    for (; count < VALUES; count++) {
        values[count] =
            largest(g->amounts[0], taken, 0, column->domain, (double)g->frame->options->few);
        if (values[count] < 0)
            break;
        taken[values[count]] = true;
        records += g->amounts[0][values[count]];
    }
    if (2 * records >= g->frame->totals[0])
        return count;
    for (int i = 0; i < count; i++)
        taken[values[i]] = false;
    return 0;
}

static void add_values(groups *g, bool *taken)
{
    const tacit__loss_column *column = g->column;
    int64_t values[VALUES];
    double before = 0, after = 0;
    int count = take_values(g, taken, values);
    for (int i = 0; i < count; i++) {
        int64_t next = values[i];
        add_group(
            g, g->amounts[0][next], g->amounts[1][next],
            tacit_table_value(g->frame->c->original, column->sides[0].column, (uint32_t)next));
    }
    for (uint32_t i = 0; i < column->domain; i++) {
        before += taken[i] ? 0 : g->amounts[0][i];
        after += taken[i] ? 0 : g->amounts[1][i];
    }
    if (before > 0 || after > 0)
        add_group(g, before, after, tacit_strview_of("other values"));
}

/* Before labels: where they are few, they go together with values. */
static void add_missing(groups *g)
{
    const tacit__loss_column *column = g->column;
    if (g->amounts[0][column->domain] > 0 || g->amounts[1][column->domain] > 0)
        add_group(g, g->amounts[0][column->domain], g->amounts[1][column->domain],
                  tacit_strview_of("(missing)"));
}

static void add_labels(groups *g, bool *taken)
{
    const tacit__loss_column *column = g->column;
    double others = 0;
    for (int i = 0; i < LABELS; i++) {
        int64_t next =
            largest(g->amounts[1], taken, column->domain + 1, column->categories, 1e-300);
        if (next < 0)
            break;
        taken[next] = true;
        add_group(g, 0, g->amounts[1][next],
                  tacit_table_value(g->frame->c->release, column->sides[1].column,
                                    column->first_codes[next - column->domain - 1]));
    }
    for (uint32_t i = column->domain + 1; i < column->categories; i++)
        others += taken[i] ? 0 : g->amounts[1][i];
    if (others > 0)
        add_group(g, 0, others, tacit_strview_of("other labels"));
}

/* ---- few records ---- */

/* Puts a group and the one after it together. */
static void merge(groups *g, int at)
{
    group *a = &g->groups[at], *b = a + 1;
    a->before += b->before;
    a->after += b->after;
    if (a->is_range && b->is_range) {
        a->high = b->high;
    } else {
        char name[2 * NAME + 8];
        snprintf(name, sizeof name, "%s or %s", a->name, b->name);
        snprintf(a->name, NAME, "%.*s", NAME - 1, name);
        a->is_range = false;
    }
    memmove(b, b + 1, (size_t)(--g->count - at - 1) * sizeof *b);
}

/* Ranges are put together before they are named, all others after. */
static void merge_few(groups *g, bool ranges)
{
    for (int i = 0; i < g->count;) {
        const group *at = &g->groups[i];
        bool is_few = at->before > 0 && at->before < (double)g->frame->options->few;
        if (!is_few || g->count < 2 || (ranges && !at->is_range)) {
            i++;
            continue;
        }
        bool next = i + 1 < g->count && (!ranges || g->groups[i + 1].is_range);
        if (!next && ranges && i == 0) {
            i++;
            continue;
        }
        i = next && (i == 0 || at->is_range) ? i : i - 1;
        merge(g, i);
    }
}

/* ---- bars ---- */

static void add_amounts(groups *g)
{
    for (int which = 0; which < 2; which++) {
        const tacit__loss_side *side = &g->column->sides[which];
        for (uint32_t code = 0; code <= side->missing; code++)
            g->amounts[which][side->categories[code]] += side->amounts[code];
    }
}

static tacit_status make_bars(const groups *g, tacit_error *err)
{
    tacit_loss_attribute *out = g->column->out;
    out->bars = tacit__alloc_array((size_t)g->count, sizeof *out->bars);
    if (!out->bars)
        return tacit__nomem(err);
    for (int i = 0; i < g->count; i++) {
        const group *from = &g->groups[i];
        char *name = tacit__copy_text(from->name);
        if (!name)
            return tacit__nomem(err);
        out->bars[out->bar_count++] = (tacit_loss_bar){name, from->before / g->frame->totals[0],
                                                       from->after / g->frame->totals[1]};
    }
    return TACIT_OK;
}

static void find_groups(groups *g, bool *taken)
{
    add_amounts(g);
    if (g->column->out->numeric) {
        add_ranges(g);
        merge_few(g, true);
        for (int i = 0; i < g->count; i++)
            name_range(&g->groups[i], g);
    } else {
        add_values(g, taken);
    }
    add_missing(g);
    add_labels(g, taken);
    merge_few(g, false);
}

/* Whether what could not be put together is too few to be shown. */
static bool may_be_shown(const groups *g)
{
    for (int i = 0; i < g->count; i++)
        if (g->groups[i].before > 0 && g->groups[i].before < (double)g->frame->options->few)
            return false;
    return g->count > 1;
}

tacit_status tacit__loss_bars(tacit__loss_frame *frame, int32_t index, tacit_error *err)
{
    groups g = {.frame = frame, .column = &frame->columns[index]};
    size_t categories = g.column->categories;
    tacit_status status = TACIT_OK;
    if (!tacit__loss_readable(g.column) || frame->totals[0] <= 0 || frame->totals[1] <= 0)
        return TACIT_OK;
    bool *taken = tacit__alloc_zeroed(categories, sizeof *taken);
    for (int which = 0; which < 2; which++)
        g.amounts[which] = tacit__alloc_zeroed(categories, sizeof(double));
    if (!taken || !g.amounts[0] || !g.amounts[1]) {
        status = tacit__nomem(err);
    } else {
        find_groups(&g, taken);
        if (may_be_shown(&g))
            status = make_bars(&g, err);
    }
    tacit__free(taken);
    tacit__free(g.amounts[0]);
    tacit__free(g.amounts[1]);
    return status;
}
