/*
 * compare.c - how alike a released value and a person's are.
 *
 * They are the same where the lineage says that they can be one. Of two ground values that are not,
 * texts are nearly the same by Jaro's and Winkler's measure (W. E. Winkler, String comparator
 * metrics and enhanced decision rules in the Fellegi-Sunter model of record linkage, 1990), dates
 * where they are some days apart or agree in two of year, month and day, also with day and month
 * exchanged, numbers within a share of the standard deviation. What all known values of a column
 * are, decides which of these it is. Missing and "*" say nothing.
 *
 * Levels of pairs of codes are kept where they are no more than MAX_LEVELS_KEPT. People are sorted
 * by node, so that those who can have a value are a few stretches.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tacit/experimental/lineage.h>

#include "audit/probable/probable.h"
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/decimal.h"
#include "base/error.h"
#include "hierarchy/written.h"

enum { RELEASED, KNOWN, SIDES };
enum { MAX_LEVELS_KEPT = 1 << 24, MAX_ESTIMATED = 1 << 22 };

/* ---- texts ---- */

static double jaro(const char *a, int a_len, const char *b, int b_len)
{
    bool used[TACIT_LIKENESS_BYTES] = {false};
    char common[TACIT_LIKENESS_BYTES];
    int longer = a_len > b_len ? a_len : b_len, window = longer > 3 ? longer / 2 - 1 : 0;
    int matches = 0, moved = 0;
    for (int i = 0; i < a_len; i++)
        for (int j = i > window ? i - window : 0; j < b_len && j <= i + window; j++)
            if (!used[j] && a[i] == b[j]) {
                used[j] = true;
                common[matches++] = a[i];
                break;
            }
    if (matches == 0)
        return 0;
    for (int j = 0, at = 0; j < b_len; j++)
        if (used[j])
            moved += b[j] != common[at++];
    double m = matches;
    return (m / a_len + m / b_len + (m - moved / 2) / m) / 3;
}

static int lower(char *out, tacit_strview text)
{
    size_t len = text.len < TACIT_LIKENESS_BYTES ? text.len : TACIT_LIKENESS_BYTES;
    for (size_t i = 0; i < len; i++)
        out[i] = tacit__to_lower(text.bytes[i]);
    return (int)len;
}

double tacit_likeness(tacit_strview a, tacit_strview b)
{
    char x[TACIT_LIKENESS_BYTES], y[TACIT_LIKENESS_BYTES];
    int x_len = lower(x, a), y_len = lower(y, b), prefix = 0;
    if (x_len == 0 || y_len == 0)
        return x_len == y_len;
    double alike = jaro(x, x_len, y, y_len);
    while (prefix < 4 && prefix < x_len && prefix < y_len && x[prefix] == y[prefix])
        prefix++;
    return alike + prefix * 0.1 * (1 - alike);
}

/* ---- dates ---- */

/* Days since a day long ago, by the calendar that is used now. */
static int32_t day_number(int year, int month, int day)
{
    int y = month > 2 ? year : year - 1, m = (month + 9) % 12;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day;
}

static tacit__probable_date make_date(int year, int month, int day)
{
    return (tacit__probable_date){(int16_t)year, (int8_t)month, (int8_t)day,
                                  day_number(year, month, day)};
}

static bool near_dates(const tacit__probable_date *a, const tacit__probable_date *b, int32_t days)
{
    if (a->year == 0 || b->year == 0)
        return false;
    bool exchanged = a->year == b->year && a->month == b->day && a->day == b->month;
    int parts = (a->year == b->year) + (a->month == b->month) + (a->day == b->day);
    return exchanged || parts >= 2 || abs(a->number - b->number) <= days;
}

/* ---- what a column is ---- */

static tacit_strview text_of(const tacit__probable_column *column, int side, uint32_t code)
{
    return tacit_table_value(column->tables[side], column->places[side], code);
}

static bool is_leaf(const tacit_link_column *link, uint32_t node)
{
    return link->ends[node] == node + 1;
}

static const uint32_t *nodes_of(const tacit__probable_column *column, int side)
{
    return side == RELEASED ? column->link->released_nodes : column->link->known_nodes;
}

static tacit_codes_view codes_of(const tacit__probable_column *column, int side)
{
    return side == RELEASED ? column->link->released : column->link->known;
}

/* Whether a value says anything. */
static bool says(const tacit__probable_column *column, int side, uint32_t code)
{
    return code < column->distinct[side] && nodes_of(column, side)[code] != 0;
}

/* Reads a side as dates; false where a ground value of it is none. */
static bool read_dates(tacit__probable_column *column, int side, tacit_date_order order)
{
    bool all = true;
    for (uint32_t code = 0; code < column->distinct[side]; code++) {
        tacit__hierarchy_date date = {0};
        bool is_date =
            tacit__date_parse(&date, text_of(column, side, code), order) == TACIT__DATE_OK &&
            date.day > 0;
        column->dates[side][code] =
            is_date ? make_date(date.year, date.month, date.day) : (tacit__probable_date){0};
        all &= is_date || !is_leaf(column->link, nodes_of(column, side)[code]);
    }
    return all;
}

static bool are_dates(tacit__probable_column *column)
{
    tacit__date_signs signs = {0};
    for (int side = 0; side < SIDES; side++)
        for (uint32_t code = 0; code < column->distinct[side]; code++)
            tacit__date_signs_add(&signs, code, text_of(column, side, code));
    tacit_date_order order =
        tacit__date_signs_clash(&signs) ? TACIT_DATES_TELL : tacit__date_signs_order(&signs);
    read_dates(column, RELEASED, order); /* which may have misspelled some */
    return column->distinct[KNOWN] > 0 && read_dates(column, KNOWN, order);
}

/* 02138 is no number. */
static bool read_numbers(tacit__probable_column *column, int side)
{
    bool all = true;
    for (uint32_t code = 0; code < column->distinct[side]; code++) {
        tacit_strview text = text_of(column, side, code);
        bool name = text.len > 1 && text.bytes[0] == '0' && text.bytes[1] != '.';
        double number = name ? NAN : tacit__decimal_read(text);
        column->numbers[side][code] = number;
        all &= !isnan(number) || !is_leaf(column->link, nodes_of(column, side)[code]);
    }
    return all && column->distinct[side] > 0;
}

/* How far apart numbers may be, by the standard deviation of the people's. */
static double measure_close(const tacit__probable_column *column, int64_t people)
{
    double sum = 0, squares = 0, count = 0;
    for (int64_t i = 0; i < people; i++) {
        uint32_t code = tacit_codes_at(column->link->known, i);
        double number = code < column->distinct[KNOWN] ? column->numbers[KNOWN][code] : NAN;
        if (isnan(number))
            continue;
        count++;
        double from_mean = number - sum;
        sum += from_mean / count; /* the mean so far */
        squares += from_mean * (number - sum);
    }
    return count > 0 ? column->options->near * sqrt(squares / count) : 0;
}

static tacit_status find_kind(tacit__probable_column *column, int64_t people, bool names,
                              tacit_error *err)
{
    for (int side = 0; side < SIDES; side++) {
        column->dates[side] =
            tacit__alloc_zeroed((size_t)column->distinct[side] + 1, sizeof *column->dates[side]);
        column->numbers[side] =
            tacit__alloc_array((size_t)column->distinct[side] + 1, sizeof *column->numbers[side]);
        if (!column->dates[side] || !column->numbers[side])
            return tacit__nomem(err);
    }
    read_numbers(column, RELEASED);
    if (are_dates(column))
        column->kind = TACIT__PROBABLE_DATE;
    else if (read_numbers(column, KNOWN) && !names)
        column->kind = TACIT__PROBABLE_NUMBER;
    if (column->kind == TACIT__PROBABLE_NUMBER)
        column->close = measure_close(column, people);
    return TACIT_OK;
}

/* ---- levels ---- */

static bool is_near(const tacit__probable_column *column, uint32_t released, uint32_t known)
{
    if (column->kind == TACIT__PROBABLE_DATE)
        return near_dates(&column->dates[RELEASED][released], &column->dates[KNOWN][known],
                          column->options->days);
    if (column->kind == TACIT__PROBABLE_NUMBER)
        return fabs(column->numbers[RELEASED][released] - column->numbers[KNOWN][known]) <=
               column->close;
    tacit_strview a = text_of(column, RELEASED, released), b = text_of(column, KNOWN, known);
    bool masked = memchr(a.bytes, '*', a.len) || memchr(b.bytes, '*', b.len); /* of nobody here */
    return !masked && tacit_likeness(a, b) >= column->options->likeness;
}

static tacit_probable_level find_level(const tacit__probable_column *column, uint32_t released,
                                       uint32_t known)
{
    const tacit_link_column *link = column->link;
    if (!says(column, RELEASED, released) || !says(column, KNOWN, known))
        return TACIT_PROBABLE_LEVELS;
    uint32_t a = link->released_nodes[released], b = link->known_nodes[known];
    if (tacit_lineage_agree(link->ends, a, b))
        return TACIT_PROBABLE_SAME;
    bool ground = is_leaf(link, a) && is_leaf(link, b);
    return ground && is_near(column, released, known) ? TACIT_PROBABLE_NEAR : TACIT_PROBABLE_APART;
}

tacit_probable_level tacit__probable_level(tacit__probable_column *column, uint32_t released,
                                           uint32_t known)
{
    if (!column->levels)
        return find_level(column, released, known);
    size_t at = (size_t)released * ((size_t)column->distinct[KNOWN] + 1) + known;
    if (released > column->distinct[RELEASED] || known > column->distinct[KNOWN])
        return TACIT_PROBABLE_LEVELS;
    if (!column->levels[at])
        column->levels[at] = (uint8_t)(1 + find_level(column, released, known));
    return (tacit_probable_level)(column->levels[at] - 1);
}

/* ---- the register ---- */

static tacit_status sort_people(tacit__probable_column *column, int64_t people, tacit_error *err)
{
    const tacit_link_column *link = column->link;
    column->starts = tacit__alloc_zeroed((size_t)link->nodes + 2, sizeof *column->starts);
    column->order = tacit__alloc_array((size_t)people + 1, sizeof *column->order);
    if (!column->starts || !column->order)
        return tacit__nomem(err);
    uint32_t *starts = column->starts + 1; /* while they are filled, one behind */
    for (int64_t i = 0; i < people; i++) {
        uint32_t code = tacit_codes_at(link->known, i);
        if (says(column, KNOWN, code))
            starts[link->known_nodes[code] + 1]++;
    }
    for (uint32_t node = 0; node < link->nodes; node++)
        starts[node + 1] += starts[node];
    for (int64_t i = 0; i < people; i++) {
        uint32_t code = tacit_codes_at(link->known, i);
        if (says(column, KNOWN, code))
            column->order[starts[link->known_nodes[code]]++] = (uint32_t)i;
    }
    column->known = column->starts[link->nodes];
    return TACIT_OK;
}

double tacit__probable_compatible(const tacit__probable_column *column, uint32_t released)
{
    const tacit_link_column *link = column->link;
    if (!says(column, RELEASED, released))
        return column->known;
    uint32_t node = link->released_nodes[released];
    double count = column->starts[link->ends[node]] - column->starts[node];
    while ((node = link->parents[node]) != 0)
        count += column->starts[node + 1] - column->starts[node];
    return count;
}

/* ---- nearly the same by chance ---- */

static double *frequencies(const tacit__probable_column *column, int side, int64_t rows)
{
    double *count = tacit__alloc_zeroed((size_t)column->distinct[side] + 1, sizeof *count);
    for (int64_t i = 0; count && i < rows; i++) {
        uint32_t code = tacit_codes_at(codes_of(column, side), i);
        count[code < column->distinct[side] ? code : column->distinct[side]]++;
    }
    return count;
}

/* Over all pairs of values, or of every n-th of both where there are too many; as if one more pair
 * had been half of it. */
static tacit_status estimate_near(tacit__probable_column *column, const tacit_link_case *link,
                                  tacit_error *err)
{
    double *released = frequencies(column, RELEASED, link->records);
    double *known = frequencies(column, KNOWN, link->people);
    double near = 0.5, apart = 0.5;
    uint32_t step = 1;
    while ((double)column->distinct[RELEASED] / step * column->distinct[KNOWN] / step >
           MAX_ESTIMATED)
        step++;
    for (uint32_t r = 0; released && known && r < column->distinct[RELEASED]; r += step)
        for (uint32_t k = 0; k < column->distinct[KNOWN]; k += step) {
            tacit_probable_level level = tacit__probable_level(column, r, k);
            near += level == TACIT_PROBABLE_NEAR ? released[r] * known[k] : 0;
            apart += level == TACIT_PROBABLE_APART ? released[r] * known[k] : 0;
        }
    column->near = near / (near + apart);
    tacit_status status = released && known ? TACIT_OK : tacit__nomem(err);
    tacit__free(released);
    tacit__free(known);
    return status;
}

void tacit__probable_column_clear(tacit__probable_column *column)
{
    for (int side = 0; side < SIDES; side++) {
        tacit__free(column->dates[side]);
        tacit__free(column->numbers[side]);
    }
    tacit__free(column->levels);
    tacit__free(column->starts);
    tacit__free(column->order);
}

tacit_status tacit__probable_column_init(tacit__probable_column *column,
                                         const tacit_probable_case *c, int32_t index,
                                         const tacit_probable_options *options, tacit_error *err)
{
    *column = (tacit__probable_column){
        .link = &c->link->columns[index],
        .tables = {c->release, c->people},
        .places = {c->released[index], c->known[index]},
        .options = options,
    };
    for (int side = 0; side < SIDES; side++)
        column->distinct[side] = tacit_table_distinct(column->tables[side], column->places[side]);
    size_t pairs = ((size_t)column->distinct[RELEASED] + 1) * ((size_t)column->distinct[KNOWN] + 1);
    if (pairs <= MAX_LEVELS_KEPT) {
        column->levels = tacit__alloc_zeroed(pairs, 1);
        if (!column->levels)
            return tacit__nomem(err);
    }
    tacit_status status = find_kind(column, c->link->people, c->names && c->names[index], err);
    if (status == TACIT_OK)
        status = sort_people(column, c->link->people, err);
    return status == TACIT_OK ? estimate_near(column, c->link, err) : status;
}
