/*
 * rule_date.c - dates generalize to month, year, five years and ten years.
 *
 * The levels are those of Sweeney's birth dates (Computational Disclosure
 * Control, Figures 32 and 33): the date as it is written, `1965-09`, `1965`,
 * `1965-1969`, `1960-1969`, and suppressed. Each value is read by its own
 * written form (see date.c), those with slashes in the order that is declared or
 * that the whole column tells, so one date written in two ways is two values that
 * meet on level 1. A month and year meets full dates on level 1 too; a year
 * alone is not more than a year, so it stays itself there and meets the others
 * on level 2. Two passes over the column's values, then see keyed.c.
 */
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "hierarchy/date.h"
#include "hierarchy/keyed.h"

enum { MONTHS = 1, YEARS = 2, FIVE_YEARS = 3, TEN_YEARS = 4 };

/* On level MONTHS a key is year * 16 + month, month 0 for a year alone; above
 * it the first year. */
enum { MONTH_SLOTS = 16 };

static int64_t key_above(const void *context, int level, int64_t key)
{
    (void)context;
    if (level == YEARS)
        return key / MONTH_SLOTS;
    return key - key % (level == FIVE_YEARS ? 5 : 10);
}

static size_t write_label(char *buffer, const void *context, int level, int64_t key)
{
    (void)context;
    int len, number = (int)key;
    if (level == MONTHS && number % MONTH_SLOTS)
        len = snprintf(buffer, TACIT__LABEL_SIZE, "%04d-%02d", number / MONTH_SLOTS,
                       number % MONTH_SLOTS);
    else if (level == MONTHS)
        len = snprintf(buffer, TACIT__LABEL_SIZE, "%04d", number / MONTH_SLOTS);
    else if (level == YEARS)
        len = snprintf(buffer, TACIT__LABEL_SIZE, "%04d", number);
    else
        len = snprintf(buffer, TACIT__LABEL_SIZE, "%04d-%04d", number,
                       number + (level == FIVE_YEARS ? 4 : 9));
    return (size_t)len;
}

static tacit_status refuse(const tacit_hierarchy *hierarchy, uint32_t code, tacit__date_result why,
                           tacit_error *err)
{
    switch (why) {
    case TACIT__DATE_ORDER:
        return tacit__value_error(
            hierarchy, code, TACIT_PARSE, err,
            "has the day and the month the other way round: declare the other order where there "
            "are slashes (with dots the day comes first), or write it as 1965-09-20");
    case TACIT__DATE_MONTH:
        return tacit__value_error(hierarchy, code, TACIT_PARSE, err,
                                  "names a month that there is not; months are 1 to 12");
    case TACIT__DATE_DAY:
        return tacit__value_error(hierarchy, code, TACIT_PARSE, err,
                                  "is not in the calendar: its month has fewer days");
    default:
        return tacit__value_error(hierarchy, code, TACIT_PARSE, err,
                                  "is not a date of a known form; write it as 1965-09-20, "
                                  "9/20/1965, 20.9.1965, 20 Sep 1965, 1965-09 or 1965, or leave "
                                  "the field empty where there is none");
    }
}

/* A column that says both, or that does not say it, is not read by chance. */
static tacit_status tell_order(tacit_date_order *order, const tacit_hierarchy *hierarchy,
                               tacit_error *err)
{
    tacit__date_signs signs = {0};
    for (uint32_t code = 0; code < hierarchy->distinct; code++)
        tacit__date_signs_add(&signs, code, tacit__ground(hierarchy, code));
    if (tacit__date_signs_clash(&signs)) {
        bool later = signs.day_first > signs.month_first;
        return tacit__value_error(
            hierarchy, (later ? signs.day_first : signs.month_first) - 1, TACIT_PARSE, err,
            "can only have the %s first, and a date before it the %s: write all of them in one "
            "order, or as 1965-09-20",
            later ? "day" : "month", later ? "month" : "day");
    }
    if (tacit__date_signs_silent(&signs))
        return tacit__value_error(
            hierarchy, signs.either - 1, TACIT_INVALID, err,
            "can be read with the day or with the month first, and no date of the column tells: "
            "say it in the policy, hierarchy: {date: {order: day-first}} or month-first, or with "
            "--hierarchy NAME=date:day-first");
    *order = tacit__date_signs_order(&signs);
    return TACIT_OK;
}

static tacit_status grow_date(tacit_hierarchy *hierarchy, const tacit_hierarchy_spec *spec,
                              tacit_error *err)
{
    hierarchy->order = spec->order;
    tacit_status status =
        spec->order == TACIT_DATES_TELL ? tell_order(&hierarchy->order, hierarchy, err) : TACIT_OK;
    if (status != TACIT_OK)
        return status;
    int64_t *keys = tacit__alloc_array(hierarchy->distinct, sizeof *keys);
    if (!keys)
        return tacit__nomem(err);
    for (uint32_t code = 0; status == TACIT_OK && code < hierarchy->distinct; code++) {
        tacit__hierarchy_date date = {0};
        tacit__date_result result =
            tacit__date_parse(&date, tacit__ground(hierarchy, code), hierarchy->order);
        if (result != TACIT__DATE_OK)
            status = refuse(hierarchy, code, result, err);
        else
            keys[code] = (int64_t)date.year * MONTH_SLOTS + date.month;
    }
    const tacit__hierarchy_keyed keyed = {TEN_YEARS, key_above, write_label, NULL};
    if (status == TACIT_OK)
        status = tacit__keyed_grow(hierarchy, &keyed, keys, err);
    tacit__free(keys);
    return status;
}

const tacit__source tacit__source_date = {TACIT_HIERARCHY_DATE, grow_date};
