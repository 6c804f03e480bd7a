/*
 * rules.c - hierarchies that are computed: dates, intervals and masks.
 *
 * Dates generalize to month, year, five years and ten years. The levels are those of Sweeney's
 * birth dates (Computational Disclosure Control, Figures 32 and 33): the date as it is written,
 * `1965-09`, `1965`, `1965-1969`, `1960-1969`, and suppressed. Or they generalize to windows of
 * months that are declared, as in her Figure 38: `1965-09 to 1965-10` for 2 of them, `1964-1965`
 * for
 * 24. Where values have a time of day, its units come first: `1965-09-20T05:06`, `1965-09-20T05`,
 * `1965-09-20`. Each value is read by its own
 * written form (see written.c), those with slashes in the order that is declared or that the whole
 * column tells, so one date written in two ways is two values that meet on level 1. A month and
 * year meets full dates on level 1 too; a year alone is not more than a year, so it stays itself
 * there and meets the others where years do. Three passes over the column's values.
 *
 * Numbers generalize to intervals of given widths. Intervals of width w start at origin + i * w for
 * every whole i and hold their lower end, not their upper. Each width is a multiple of the one
 * before, so intervals nest. Arithmetic is on whole multiples of the finest decimal that origin and
 * widths have, so edges are exact (see written.c). Labels: where origin, widths and every value of
 * the column are whole, the first and the last number that the interval holds, `20-24`, or `-5 to
 * -1` where one is negative, or the number alone for width 1. Otherwise both ends, `[20.5, 21)`.
 * One pass over the column's values.
 *
 * In both a value above is a number first (a month, the index of an interval), its key, and gets
 * its label once. On each level the keys of the values below are raised and numbered as they are
 * met. The keys of a level overwrite those below it in place, since a number never runs ahead of
 * the walk. Level 1 costs a look-up a distinct value of the column, higher levels one for each
 * value of the level below.
 *
 * Masks: characters give way to `*`, one a level, from the right or the left. With n characters in
 * the column's longest value, level h keeps the first (last) n - h places: 02138, 0213*, 021**, and
 * so on to level n, where nothing is kept and the one value is `*`, which also serves as the
 * suppressed value. A shorter value counts as filled up with blanks on the masked side: it stays
 * itself while only its blanks are masked, and joins the others where the mask reaches it, so 02138
 * and 02138-1234 meet in 02138*****. What is kept on a level determines what is kept on the next,
 * which makes levels nest. Characters are those of UTF-8. A level costs a hash for each value of
 * the level below, and a label for each value of its own.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/written.h"

enum { LABEL_SIZE = 128 };

typedef struct keyed_rule {
    int levels; /* above the ground */
    /* The key on a level (2 or higher) of what has this key on the level below. */
    int64_t (*above)(const void *context, int level, int64_t key);
    /* Writes at most LABEL_SIZE bytes; returns the length. */
    size_t (*label)(char *buffer, const void *context, int level, int64_t key);
    const void *context;
} keyed_rule;

static uint32_t find_key(const tacit__map *map, const int64_t *keys, int64_t key, uint64_t hash)
{
    size_t probe = 0;
    uint32_t number;
    while ((number = tacit__map_next(map, hash, &probe)) != TACIT__NONE)
        if (keys[number] == key)
            break;
    return number;
}

/* Numbers keys[0..below) and keeps the distinct ones in keys[0..rise->count). */
static bool number_keys(tacit__rise *rise, tacit_hierarchy *hierarchy, const keyed_rule *rule,
                        int64_t *keys, tacit__map *map)
{
    int level = hierarchy->level_count;
    uint32_t below = hierarchy->levels[level - 1].count;
    for (uint32_t i = 0; i < below; i++) {
        int64_t key = level > 1 ? rule->above(rule->context, level, keys[i]) : keys[i];
        uint64_t hash = tacit__mix((uint64_t)key);
        uint32_t number = find_key(map, keys, key, hash);
        if (number == TACIT__NONE) {
            char text[LABEL_SIZE];
            size_t len = rule->label(text, rule->context, level, key);
            tacit_strview label = tacit__arena_copy(&hierarchy->arena, (tacit_strview){text, len});
            number = rise->count;
            if (!label.bytes || !tacit__map_add(map, hash) || !tacit__rise_label(rise, label))
                return false;
            keys[number] = key;
        }
        rise->up[i] = number;
    }
    return true;
}

/* Adds the levels. keys holds the key on level 1 of every code of the column,
 * and is used up. */
static tacit_status grow_keyed(tacit_hierarchy *hierarchy, const keyed_rule *rule, int64_t *keys,
                               tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int i = 0; status == TACIT_OK && i < rule->levels; i++) {
        tacit__rise rise = {0};
        tacit__map map = {0};
        status = tacit__rise_begin(&rise, hierarchy, err);
        if (status == TACIT_OK && !number_keys(&rise, hierarchy, rule, keys, &map))
            status = tacit__nomem(err);
        if (status == TACIT_OK)
            status = tacit__hierarchy_raise(hierarchy, &rise, err);
        tacit__map_clear(&map);
        tacit__rise_clear(&rise);
    }
    return status;
}

/* The levels of dates: on each, what a value has on it. A window is some months from the beginning
 * of a year on, or some years from a year that their number divides, so windows of one length do
 * not overlap and those that nest do so from their beginnings on. */
typedef struct date_level {
    tacit__date_unit unit; /* windows of whole years are years, other windows months */
    int64_t length;        /* in seconds of dates, see tacit__date_start */
} date_level;

typedef struct date_levels {
    date_level levels[TACIT__UNIT_DAY + TACIT_MAX_WIDTHS]; /* from level 1 on */
    int count;
} date_levels;

/* A key is the first second of what it stands for and, in its last digits, the unit: a value that
 * is less precise than its level stays itself. */
enum { UNIT_SLOTS = 8 };

static int64_t date_above(const void *context, int level, int64_t key)
{
    const date_level *step = &((const date_levels *)context)->levels[level - 1];
    int64_t start = key / UNIT_SLOTS;
    if (key % UNIT_SLOTS > (int64_t)step->unit)
        return key;
    return (start - start % step->length) * UNIT_SLOTS + step->unit;
}

static size_t write_window(char *buffer, tacit__date_unit unit, int year, int month, int months)
{
    if (unit == TACIT__UNIT_YEAR)
        return (size_t)snprintf(buffer, LABEL_SIZE, "%04d-%04d", year, year + months / 12 - 1);
    return (size_t)snprintf(buffer, LABEL_SIZE, "%04d-%02d to %04d-%02d", year, month, year,
                            month + months - 1);
}

static size_t write_date(char *buffer, const void *context, int level, int64_t key)
{
    const date_level *step = &((const date_levels *)context)->levels[level - 1];
    tacit__date_unit unit = (tacit__date_unit)(key % UNIT_SLOTS);
    int64_t start = key / UNIT_SLOTS, day = start / TACIT__DAY_SECONDS;
    int clock = (int)(start % TACIT__DAY_SECONDS), month = (int)(day / TACIT__MONTH_DAYS);
    int months = (int)(step->length / TACIT__MONTH_SECONDS), year = month / 12;
    month = month % 12 + 1;
    if (unit == step->unit && step->length > tacit__date_length(unit))
        return write_window(buffer, unit, year, month, months);
    char text[LABEL_SIZE];
    snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d", year, month,
             (int)(day % TACIT__MONTH_DAYS) + 1, clock / 3600, clock / 60 % 60, clock % 60);
    static const size_t lengths[] = {
        [TACIT__UNIT_SECOND] = sizeof "1965-09-20T05:06:07" - 1,
        [TACIT__UNIT_MINUTE] = sizeof "1965-09-20T05:06" - 1,
        [TACIT__UNIT_HOUR] = sizeof "1965-09-20T05" - 1,
        [TACIT__UNIT_DAY] = sizeof "1965-09-20" - 1,
        [TACIT__UNIT_MONTH] = sizeof "1965-09" - 1,
        [TACIT__UNIT_YEAR] = sizeof "1965" - 1,
    };
    memcpy(buffer, text, lengths[unit]);
    return lengths[unit];
}

/* Above values as precise as the finest come the units of times up to the day, then the windows;
 * a day is a level only where there are times. */
static void find_date_levels(date_levels *out, const tacit_hierarchy_spec *spec,
                             tacit__date_unit finest)
{
    static const double usual[] = {1, 12, 60, 120};
    bool declared = spec->width_count > 0;
    const double *windows = declared ? spec->widths : usual;
    int count = declared ? spec->width_count : (int)(sizeof usual / sizeof *usual);
    out->count = 0;
    for (int unit = (int)finest + 1; unit <= TACIT__UNIT_DAY; unit++)
        out->levels[out->count++] =
            (date_level){(tacit__date_unit)unit, tacit__date_length((tacit__date_unit)unit)};
    for (int i = 0; i < count; i++)
        out->levels[out->count++] =
            (date_level){windows[i] < 12 ? TACIT__UNIT_MONTH : TACIT__UNIT_YEAR,
                         (int64_t)windows[i] * TACIT__MONTH_SECONDS};
}

tacit_status tacit__windows_check(const tacit_hierarchy_spec *spec, tacit_error *err)
{
    enum { LONGEST = 12000 };
    for (int i = 0; i < spec->width_count; i++) {
        double window = spec->widths[i];
        bool in_range = window >= 1 && window <= LONGEST && window == floor(window);
        if (!in_range || (12 % (int)window && (int)window % 12))
            return tacit__error(
                err, TACIT_INVALID,
                "date: a window of %g months is not possible; 1, 2, 3, 4 and 6 are, "
                "and whole years up to %d months",
                window, LONGEST);
        if (i && (window <= spec->widths[i - 1] || (int)window % (int)spec->widths[i - 1]))
            return tacit__error(err, TACIT_INVALID,
                                "date: windows must ascend, each a multiple of the one before, "
                                "which %g after %g is not",
                                window, spec->widths[i - 1]);
    }
    return TACIT_OK;
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
    case TACIT__DATE_TIME:
        return tacit__value_error(hierarchy, code, TACIT_PARSE, err,
                                  "names a time of day that there is not; hours are 0 to 23, or 1 "
                                  "to 12 with AM or PM, minutes and seconds 0 to 59");
    default:
        return tacit__value_error(
            hierarchy, code, TACIT_PARSE, err,
            "is not a date of a known form; write it as 1965-09-20, "
            "9/20/1965, 20.9.1965, 20 Sep 1965, 1965-09 or 1965, a time as in "
            "1965-09-20 05:06:07, or leave the field empty where there is "
            "none");
    }
}

/* A column that says both, or that does not say it, is not read by chance. */
static tacit_status find_date_order(tacit_date_order *order, const tacit_hierarchy *hierarchy,
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
            "can be read with the day or the month first, and no date of the column shows which: "
            "declare it in the policy, hierarchy: {date: {order: day-first}} or month-first, or "
            "with --hierarchy NAME=date:day-first");
    *order = tacit__date_signs_order(&signs);
    return TACIT_OK;
}

/* The ground's keys, and the unit of the most precise value; a day where none has a time. */
static tacit_status read_dates(int64_t *keys, tacit__date_unit *finest,
                               const tacit_hierarchy *hierarchy, tacit_error *err)
{
    *finest = TACIT__UNIT_DAY;
    for (uint32_t code = 0; code < hierarchy->distinct; code++) {
        tacit__hierarchy_date date = {0};
        tacit__date_result result =
            tacit__date_parse(&date, tacit__ground(hierarchy, code), hierarchy->order);
        if (result != TACIT__DATE_OK)
            return refuse(hierarchy, code, result, err);
        keys[code] = tacit__date_start(&date) * UNIT_SLOTS + date.unit;
        *finest = date.unit < *finest ? date.unit : *finest;
    }
    return TACIT_OK;
}

static tacit_status grow_date(tacit_hierarchy *hierarchy, const tacit_hierarchy_spec *spec,
                              tacit_error *err)
{
    hierarchy->order = spec->order;
    tacit__date_unit finest;
    tacit_status status = tacit__windows_check(spec, err);
    if (status == TACIT_OK && spec->order == TACIT_DATES_TELL)
        status = find_date_order(&hierarchy->order, hierarchy, err);
    if (status != TACIT_OK)
        return status;
    int64_t *keys = tacit__alloc_array(hierarchy->distinct, sizeof *keys);
    if (!keys)
        return tacit__nomem(err);
    status = read_dates(keys, &finest, hierarchy, err);
    if (status == TACIT_OK) {
        date_levels levels;
        find_date_levels(&levels, spec, finest);
        for (uint32_t code = 0; code < hierarchy->distinct; code++)
            keys[code] = date_above(&levels, 1, keys[code]);
        const keyed_rule keyed = {levels.count, date_above, write_date, &levels};
        status = grow_keyed(hierarchy, &keyed, keys, err);
    }
    tacit__free(keys);
    return status;
}

const tacit__source tacit__source_date = {TACIT_HIERARCHY_DATE, grow_date};

enum { MAX_SCALE = 9 };

typedef struct intervals {
    tacit__interval numbers;
    bool whole; /* labels name the first and last whole number */
    char point; /* before decimals */
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
        if (tacit__number_floor(&number, &exact, view, scale, '.') != TACIT__NUMBER_OK)
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
    if (tacit__number_floor(out, &exact, view, scale, '.') == TACIT__NUMBER_OK)
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

static int64_t interval_above(const void *context, int level, int64_t key)
{
    const int64_t *widths = ((const intervals *)context)->numbers.widths;
    return floor_divide(key, widths[level - 1] / widths[level - 2]);
}

static size_t write_interval(char *buffer, const void *context, int level, int64_t key)
{
    const intervals *rule = context;
    int64_t width = rule->numbers.widths[level - 1];
    int64_t low = rule->numbers.origin + key * width, high = low + width - rule->whole;
    char from[TACIT__NUMBER_SIZE], to[TACIT__NUMBER_SIZE];
    size_t from_len = tacit__number_write(from, low, rule->numbers.scale, rule->point);
    tacit__number_write(to, high, rule->numbers.scale, rule->point);
    if (rule->whole && low == high) {
        memcpy(buffer, from, from_len);
        return from_len;
    }
    const char *format = !rule->whole ? "[%s, %s)" : low < 0 ? "%s to %s" : "%s-%s";
    if (!rule->whole && rule->point == ',')
        format = "[%s; %s)";
    return (size_t)snprintf(buffer, LABEL_SIZE, format, from, to);
}

/* Whether the ends of what a value becomes, up to the last level, can be read back. */
static bool in_reach(const tacit__interval *numbers, int64_t value)
{
    int64_t width = numbers->widths[numbers->count - 1];
    int64_t low = numbers->origin + floor_divide(value - numbers->origin, width) * width;
    return low >= -TACIT__MAX_NUMBER && low <= TACIT__MAX_NUMBER - width;
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
        tacit__number_result result = tacit__number_floor(
            &value, &exact, tacit__ground(hierarchy, code), numbers->scale, rule->point);
        if (result == TACIT__NUMBER_NONE)
            return tacit__value_error(hierarchy, code, TACIT_PARSE, err,
                                      "is not a number; intervals need numbers such as 20, -3.5 "
                                      "or 1e3, or an empty field where there is none");
        if (result == TACIT__NUMBER_LARGE || !in_reach(numbers, value))
            return tacit__value_error(hierarchy, code, TACIT_PARSE, err,
                                      "is too large a number for intervals");
        rule->whole &= exact;
        keys[code] = floor_divide(value - numbers->origin, numbers->widths[0]);
    }
    return TACIT_OK;
}

/* What stands before decimals; a column that says both, or that does not say it, is not read by
 * chance. */
static tacit_status find_point(char *point, const tacit_hierarchy *hierarchy,
                               const tacit_hierarchy_spec *spec, tacit_error *err)
{
    tacit__number_signs signs = {0};
    *point = spec->decimal == TACIT_DECIMAL_COMMA ? ',' : '.';
    if (spec->decimal != TACIT_MARKS_TELL)
        return TACIT_OK;
    for (uint32_t code = 0; code < hierarchy->distinct; code++)
        tacit__number_signs_add(&signs, code, tacit__ground(hierarchy, code));
    if (tacit__number_signs_clash(&signs)) {
        bool later = signs.comma > signs.point;
        return tacit__value_error(
            hierarchy, (later ? signs.comma : signs.point) - 1, TACIT_PARSE, err,
            "has %s, and a number before it %s: write all of them in one way",
            later ? "a comma before decimals" : "no comma before decimals", later ? "none" : "one");
    }
    if (tacit__number_signs_silent(&signs))
        return tacit__value_error(
            hierarchy, signs.either - 1, TACIT_INVALID, err,
            "has a comma before decimals or before thousands, and no number of the column shows "
            "which: declare decimals in the policy, hierarchy: {interval: {decimal: comma, widths: "
            "...}}, or with --hierarchy NAME=interval:0/WIDTHS/comma, or write thousands without "
            "commas");
    *point = tacit__number_signs_point(&signs);
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
    status = find_point(&rule.point, hierarchy, spec, err);
    if (status != TACIT_OK)
        goto cleanup;
    hierarchy->point = rule.point;
    status = find_keys(keys, &rule, hierarchy, err);
    if (status != TACIT_OK)
        goto cleanup;
    const keyed_rule keyed = {rule.numbers.count, interval_above, write_interval, &rule};
    status = grow_keyed(hierarchy, &keyed, keys, err);

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

/* What is kept of a value. */
typedef struct kept {
    tacit_strview text;
    uint32_t characters;
} kept;

typedef struct mask {
    bool left;
    uint32_t longest; /* in characters */
    kept *values;     /* for each value of the present level */
} mask;

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

static size_t count_characters(tacit_strview text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++)
        count += i == 0 || !continues(text.bytes[i]);
    return count;
}

/* Without its last, or first, character. */
static kept drop_one(kept value, bool left)
{
    const char *from = value.text.bytes, *to = from + value.text.len;
    if (left) {
        do
            from++;
        while (from < to && continues(*from));
    } else {
        do
            to--;
        while (to > from && continues(*to));
    }
    return (kept){{from, (size_t)(to - from)}, value.characters - 1};
}

/* The value as it reads with this many places masked. */
static tacit_strview write_mask(tacit__arena *arena, const mask *rule, kept value, uint32_t masked)
{
    if (masked == rule->longest)
        return tacit_hierarchy_suppressed();
    if (value.characters + masked < rule->longest)
        return value.text; /* only blanks are masked so far */
    char *text = tacit__arena_alloc(arena, value.text.len + masked);
    if (!text)
        return (tacit_strview){NULL, 0};
    memset(text, '*', value.text.len + masked);
    memcpy(text + (rule->left ? masked : 0), value.text.bytes, value.text.len);
    return (tacit_strview){text, value.text.len + masked};
}

static tacit_status measure_values(mask *rule, const tacit_hierarchy *hierarchy, tacit_error *err)
{
    rule->longest = 1;
    for (uint32_t code = 0; code < hierarchy->distinct; code++) {
        tacit_strview text = tacit__ground(hierarchy, code);
        size_t characters = count_characters(text);
        if (characters >= TACIT_MAX_LEVELS)
            return tacit__value_error(hierarchy, code, TACIT_LIMIT, err,
                                      "has %zu characters, and a mask at most %d; use a hierarchy "
                                      "file or no hierarchy",
                                      characters, TACIT_MAX_LEVELS - 1);
        rule->values[code] = (kept){text, (uint32_t)characters};
        if (characters > rule->longest)
            rule->longest = (uint32_t)characters;
    }
    return TACIT_OK;
}

/* Masks one more place of every value and numbers what is left of them. */
static bool number_mask_level(tacit__rise *rise, mask *rule, tacit__names *names,
                              tacit_hierarchy *hierarchy)
{
    uint32_t masked = (uint32_t)hierarchy->level_count;
    uint32_t below = hierarchy->levels[hierarchy->level_count - 1].count;
    for (uint32_t i = 0; i < below; i++) {
        kept value = rule->values[i];
        if (value.characters + masked > rule->longest)
            value = drop_one(value, rule->left);
        bool added;
        rise->up[i] = tacit__names_add(names, value.text, &added);
        if (rise->up[i] == TACIT__NONE)
            return false;
        if (!added)
            continue;
        tacit_strview label = write_mask(&hierarchy->arena, rule, value, masked);
        rule->values[rise->up[i]] = value;
        if (!label.bytes || !tacit__rise_label(rise, label))
            return false;
    }
    /* a column without values has a highest value all the same */
    return rise->count || tacit__rise_label(rise, tacit_hierarchy_suppressed());
}

static tacit_status mask_one(mask *rule, tacit_hierarchy *hierarchy, tacit_error *err)
{
    tacit__rise rise = {0};
    tacit__names names = {0};
    tacit_status status = tacit__rise_begin(&rise, hierarchy, err);
    if (status == TACIT_OK && !number_mask_level(&rise, rule, &names, hierarchy))
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__hierarchy_raise(hierarchy, &rise, err);
    tacit__names_clear(&names);
    tacit__rise_clear(&rise);
    return status;
}

static tacit_status grow_mask(tacit_hierarchy *hierarchy, const tacit_hierarchy_spec *spec,
                              tacit_error *err)
{
    mask rule = {.left = spec->mask_left};
    rule.values = tacit__alloc_array(hierarchy->distinct, sizeof *rule.values);
    if (!rule.values)
        return tacit__nomem(err);
    tacit_status status = measure_values(&rule, hierarchy, err);
    for (uint32_t i = 0; status == TACIT_OK && i < rule.longest; i++)
        status = mask_one(&rule, hierarchy, err);
    tacit__free(rule.values);
    return status;
}

const tacit__source tacit__source_mask = {TACIT_HIERARCHY_MASK, grow_mask};
