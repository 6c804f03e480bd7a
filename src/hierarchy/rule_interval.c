/*
 * rule_interval.c - numbers generalize to intervals of given widths.
 *
 * Intervals of width w start at origin + i * w for every whole i and hold their
 * lower end, not their upper. Each width is a multiple of the one before, so
 * intervals nest. Arithmetic is on whole multiples of the finest decimal that
 * origin and widths have, so edges are exact (see number.c).
 *
 * Labels: where origin, widths and every value of the column are whole, the
 * first and the last number that the interval holds, `20-24`, or `-5 to -1`
 * where one is negative, or the number alone for width 1. Otherwise both ends,
 * `[20.5, 21)`. One pass over the column's values, then see keyed.c.
 */
#include "hierarchy/interval.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "hierarchy/keyed.h"
#include "hierarchy/number.h"

enum { MAX_SCALE = 9 };

typedef struct intervals {
    tacit__interval numbers;
    bool whole; /* labels name the first and last whole number */
} intervals;

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* A double as the shortest decimal that 15 digits can tell. */
static size_t write_double(char *text, size_t size, double value)
{
    int len = snprintf(text, size, "%.15g", value);
    for (char *at = text; *at; at++)
        if (*at == ',')
            *at = '.'; /* some locales write a comma */
    return (size_t)len;
}

/* The fewest decimals that write the number, or -1 where MAX_SCALE are too few. */
static int decimals(double value)
{
    char text[32];
    tacit_strview view = {text, write_double(text, sizeof text, value)};
    for (int scale = 0; scale <= MAX_SCALE; scale++) {
        int64_t number;
        bool exact;
        if (tacit__number_floor(&number, &exact, view, scale) != TACIT__NUMBER_OK)
            return -1;
        if (exact)
            return scale;
    }
    return -1;
}

static tacit_status scaled(int64_t *out, double value, int scale, tacit_error *err)
{
    char text[32];
    bool exact;
    tacit_strview view = {text, write_double(text, sizeof text, value)};
    if (tacit__number_floor(out, &exact, view, scale) == TACIT__NUMBER_OK)
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID, "interval: %s is too large for its decimals", text);
}

static tacit_status check_number(int *scale, double value, const char *what, tacit_error *err)
{
    int needed = isfinite(value) ? decimals(value) : -1;
    if (needed < 0)
        return tacit__error(err, TACIT_INVALID,
                            "interval: the %s %g must be a number of at most %d decimals", what,
                            value, MAX_SCALE);
    if (needed > *scale)
        *scale = needed;
    return TACIT_OK;
}

static tacit_status check_widths(const tacit__interval *interval, const tacit_hierarchy_spec *spec,
                                 tacit_error *err)
{
    for (int i = 0; i < interval->count; i++) {
        if (interval->widths[i] <= 0)
            return tacit__error(err, TACIT_INVALID, "interval: the width %g must be positive",
                                spec->widths[i]);
        if (i && (interval->widths[i] <= interval->widths[i - 1] ||
                  interval->widths[i] % interval->widths[i - 1]))
            return tacit__error(err, TACIT_INVALID,
                                "interval: widths must ascend, each a multiple of the one before, "
                                "which %g after %g is not",
                                spec->widths[i], spec->widths[i - 1]);
    }
    return TACIT_OK;
}

static int64_t key_above(const void *context, int level, int64_t key)
{
    const int64_t *widths = ((const intervals *)context)->numbers.widths;
    return floor_divide(key, widths[level - 1] / widths[level - 2]);
}

static size_t write_label(char *buffer, const void *context, int level, int64_t key)
{
    const intervals *rule = context;
    int64_t width = rule->numbers.widths[level - 1];
    int64_t low = rule->numbers.origin + key * width, high = low + width - rule->whole;
    char from[TACIT__NUMBER_SIZE], to[TACIT__NUMBER_SIZE];
    size_t from_len = tacit__number_write(from, low, rule->numbers.scale);
    tacit__number_write(to, high, rule->numbers.scale);
    if (rule->whole && low == high) {
        memcpy(buffer, from, from_len);
        return from_len;
    }
    const char *format = !rule->whole ? "[%s, %s)" : low < 0 ? "%s to %s" : "%s-%s";
    return (size_t)snprintf(buffer, TACIT__LABEL_SIZE, format, from, to);
}

/* The key of every code on level 1. */
static tacit_status find_keys(int64_t *keys, intervals *rule, const tacit_hierarchy *hierarchy,
                              tacit_error *err)
{
    const tacit__interval *numbers = &rule->numbers;
    rule->whole = numbers->scale == 0;
    for (uint32_t code = 0; code < hierarchy->distinct; code++) {
        int64_t value;
        bool exact;
        tacit__number_result result =
            tacit__number_floor(&value, &exact, tacit__ground(hierarchy, code), numbers->scale);
        if (result == TACIT__NUMBER_NONE)
            return tacit__value_error(hierarchy, code, TACIT_PARSE, err,
                                      "is not a number; intervals need numbers such as 20, -3.5 "
                                      "or 1e3, or an empty field where there is none");
        if (result == TACIT__NUMBER_LARGE)
            return tacit__value_error(hierarchy, code, TACIT_PARSE, err,
                                      "is too large a number for intervals");
        rule->whole &= exact;
        keys[code] = floor_divide(value - numbers->origin, numbers->widths[0]);
    }
    return TACIT_OK;
}

static tacit_status grow_interval(tacit_hierarchy *hierarchy, const tacit_hierarchy_spec *spec,
                                  tacit_error *err)
{
    intervals rule = {0};
    int64_t *keys = NULL;
    tacit_status status = tacit__interval_check(&rule.numbers, spec, err);
    if (status != TACIT_OK)
        goto cleanup;
    keys = tacit__alloc_array(hierarchy->distinct, sizeof *keys);
    if (!keys) {
        status = tacit__nomem(err);
        goto cleanup;
    }
    status = find_keys(keys, &rule, hierarchy, err);
    if (status != TACIT_OK)
        goto cleanup;
    const tacit__hierarchy_keyed keyed = {rule.numbers.count, key_above, write_label, &rule};
    status = tacit__keyed_grow(hierarchy, &keyed, keys, err);

cleanup:
    tacit__free(keys);
    return status;
}

const tacit__source tacit__source_interval = {TACIT_HIERARCHY_INTERVAL, grow_interval};

tacit_status tacit__interval_check(tacit__interval *out, const tacit_hierarchy_spec *spec,
                                   tacit_error *err)
{
    tacit__interval interval = {.count = spec->width_count};
    if (spec->width_count < 1 || spec->width_count > TACIT_MAX_WIDTHS)
        return tacit__error(err, TACIT_INVALID, "interval: give between 1 and %d widths",
                            TACIT_MAX_WIDTHS);
    tacit_status status = check_number(&interval.scale, spec->origin, "origin", err);
    for (int i = 0; status == TACIT_OK && i < spec->width_count; i++)
        status = check_number(&interval.scale, spec->widths[i], "width", err);
    if (status == TACIT_OK)
        status = scaled(&interval.origin, spec->origin, interval.scale, err);
    for (int i = 0; status == TACIT_OK && i < spec->width_count; i++)
        status = scaled(&interval.widths[i], spec->widths[i], interval.scale, err);
    if (status == TACIT_OK)
        status = check_widths(&interval, spec, err);
    if (status == TACIT_OK)
        *out = interval;
    return status;
}
