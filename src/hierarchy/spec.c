/*
 * spec.c - specifications as flags and policies write them.
 *
 * A rule is known by its first word (`mask`, `date`, `interval`, `standard`, `none`), with
 * what it needs after a colon; anything else is the name of a file. A file of
 * such a name is written with its folder, `./date`.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/standard.h"
#include "hierarchy/written.h"

enum { MAX_DECIMALS = 9 };

static bool is_word(tacit_strview text, const char *word)
{
    return tacit_strview_equal(text, tacit_strview_of(word));
}

/* The text before the first separator; *rest is what follows it, with bytes
 * NULL where there is none. */
static tacit_strview split(tacit_strview text, char separator, tacit_strview *rest)
{
    const char *at = text.len ? memchr(text.bytes, separator, text.len) : NULL;
    *rest = (tacit_strview){NULL, 0};
    if (!at)
        return text;
    size_t len = (size_t)(at - text.bytes);
    *rest = (tacit_strview){at + 1, text.len - len - 1};
    return (tacit_strview){text.bytes, len};
}

/* A decimal of few digits is a quotient of two exact doubles, so the division
 * rounds once and the result is the nearest double, in any locale. */
static tacit_status read_number(double *out, tacit_strview text, tacit_hierarchy_kind kind,
                                tacit_error *err)
{
    double unit = 1;
    for (int scale = 0; scale <= MAX_DECIMALS; scale++, unit *= 10) {
        int64_t number;
        bool exact;
        if (tacit__number_floor(&number, &exact, text, scale, '.') != TACIT__NUMBER_OK)
            break;
        if (!exact)
            continue;
        *out = (double)number / unit;
        return TACIT_OK;
    }
    return tacit__error(err, TACIT_INVALID, "%s: \"%s\" is not a number of at most %d decimals",
                        kind == TACIT_HIERARCHY_DATE ? "date" : "interval", tacit__show(text).text,
                        MAX_DECIMALS);
}

/* 5,10,20 */
static tacit_status read_widths(tacit_hierarchy_spec *spec, tacit_strview widths, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && widths.bytes) {
        tacit_strview width = split(widths, ',', &widths);
        if (spec->width_count == TACIT_MAX_WIDTHS)
            return tacit__error(err, TACIT_INVALID, "%s: more than %d widths",
                                spec->kind == TACIT_HIERARCHY_DATE ? "date" : "interval",
                                TACIT_MAX_WIDTHS);
        status = read_number(&spec->widths[spec->width_count++], width, spec->kind, err);
    }
    return status;
}

static tacit_status parse_interval(tacit_hierarchy_spec *spec, tacit_strview argument,
                                   tacit_error *err)
{
    tacit_strview widths, decimal = {NULL, 0};
    tacit_strview origin = split(argument, '/', &widths);
    if (!widths.bytes)
        return tacit__error(err, TACIT_INVALID,
                            "an interval is written interval:ORIGIN/WIDTH,WIDTH,..., as in "
                            "interval:0/5,10,20");
    widths = split(widths, '/', &decimal);
    spec->kind = TACIT_HIERARCHY_INTERVAL;
    if (is_word(decimal, "comma"))
        spec->decimal = TACIT_DECIMAL_COMMA;
    else if (is_word(decimal, "point"))
        spec->decimal = TACIT_DECIMAL_POINT;
    else if (decimal.bytes)
        return tacit__error(err, TACIT_INVALID,
                            "decimals are written with a comma or a point: interval:0/5,10/comma "
                            "or interval:0/5,10/point, not \"%s\"",
                            tacit__show(decimal).text);
    tacit_status status = read_number(&spec->origin, origin, spec->kind, err);
    if (status == TACIT_OK)
        status = read_widths(spec, widths, err);
    tacit__interval ignored;
    return status == TACIT_OK ? tacit__interval_check(&ignored, spec, err) : status;
}

static tacit_status parse_mask(tacit_hierarchy_spec *spec, tacit_strview argument, tacit_error *err)
{
    spec->kind = TACIT_HIERARCHY_MASK;
    spec->mask_left = is_word(argument, "left");
    if (!argument.bytes || spec->mask_left || is_word(argument, "right"))
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID,
                        "a mask goes from the right or the left: mask:right or mask:left, not "
                        "\"%s\"",
                        tacit__show(argument).text);
}

static bool starts_number(tacit_strview text)
{
    return text.len && (tacit__is_digit(text.bytes[0]) || text.bytes[0] == '-');
}

/* Nothing, an order, windows of months, or both: day-first/2,6,12. */
static tacit_status parse_date(tacit_hierarchy_spec *spec, tacit_strview argument, tacit_error *err)
{
    tacit_strview windows = argument, order = {NULL, 0};
    spec->kind = TACIT_HIERARCHY_DATE;
    if (!starts_number(argument))
        order = split(argument, '/', &windows);
    if (is_word(order, "day-first"))
        spec->order = TACIT_DAY_FIRST;
    else if (is_word(order, "month-first"))
        spec->order = TACIT_MONTH_FIRST;
    else if (order.bytes)
        return tacit__error(err, TACIT_INVALID,
                            "dates have the day or the month first, and windows of months: "
                            "date:day-first, date:month-first/2,6,12,24 or date:2,6,12,24, not "
                            "\"%s\"",
                            tacit__show(argument).text);
    tacit_status status = read_widths(spec, windows, err);
    return status == TACIT_OK ? tacit__windows_check(spec, err) : status;
}

static tacit_status parse_standard(tacit_hierarchy_spec *spec, tacit_strview argument,
                                   tacit_error *err)
{
    tacit__standard standard;
    tacit_strview name = argument.bytes ? argument : (tacit_strview){"", 0};
    tacit_status status = tacit__standard_open(&standard, name, err);
    if (status == TACIT_OK && name.len < sizeof spec->standard) {
        spec->kind = TACIT_HIERARCHY_STANDARD;
        memcpy(spec->standard, name.bytes, name.len);
    }
    tacit__standard_close(&standard);
    return status;
}

static tacit_status parse_path(tacit_hierarchy_spec *spec, tacit_strview text,
                               const char *directory, tacit_error *err)
{
    if (!text.len || is_word(text, "-"))
        return tacit__error(err, TACIT_INVALID,
                            "a hierarchy is a rule (mask:right, mask:left, date, "
                            "interval:0/5,10,20, standard:NAME, none) or the name of a file");
    size_t before = directory && text.bytes[0] != '/' ? strlen(directory) : 0;
    char *path = tacit__alloc(before + text.len + 2);
    if (!path)
        return tacit__nomem(err);
    size_t len = before;
    if (before)
        memcpy(path, directory, before);
    if (before && directory[before - 1] != '/')
        path[len++] = '/';
    memcpy(path + len, text.bytes, text.len);
    path[len + text.len] = '\0';
    spec->kind = TACIT_HIERARCHY_FILE;
    spec->path = path;
    return TACIT_OK;
}

void tacit_hierarchy_spec_clear(tacit_hierarchy_spec *spec)
{
    tacit__free(spec->path);
    *spec = (tacit_hierarchy_spec){0};
}

tacit_status tacit_hierarchy_spec_parse(tacit_hierarchy_spec *spec, const char *text,
                                        const char *directory, tacit_error *err)
{
    tacit_hierarchy_spec parsed = {.no_suppression = spec->no_suppression};
    tacit_strview whole = tacit_strview_of(text), argument;
    tacit_strview word = split(whole, ':', &argument);
    tacit_status status = TACIT_OK;
    if (is_word(word, "interval"))
        status = parse_interval(&parsed, argument, err);
    else if (is_word(word, "mask"))
        status = parse_mask(&parsed, argument, err);
    else if (is_word(word, "date"))
        status = parse_date(&parsed, argument, err);
    else if (is_word(word, "standard"))
        status = parse_standard(&parsed, argument, err);
    else if (!is_word(whole, "none"))
        status = parse_path(&parsed, whole, directory, err);
    if (status != TACIT_OK)
        return status;
    tacit_hierarchy_spec_clear(spec);
    *spec = parsed;
    return TACIT_OK;
}
