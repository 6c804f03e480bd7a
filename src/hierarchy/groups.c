/*
 * groups.c - a hierarchy made of a column's own values: by the words they begin with, or by how
 * many rows have them.
 *
 * By name: on the level of n words a value becomes its first n words if another value begins with
 * the same ones, and stays what it was on the level below otherwise, from MAX_WORDS words down to
 * one. Values that were joined by n + 1 words share n of them, so levels nest; and a value that
 * reads like the name of a group begins with it, so it is in that group.
 *
 * By frequency: on the level of a number, values that fewer rows have are one group. The numbers
 * ascend, so groups only grow. A single rare value stays itself: a group of one would be another
 * name for it. After groups by name, it is these that are rare or not.
 *
 * A level that joins nothing anew, or everything, is left out. Each level costs a look-up for every
 * value of the column; counting rows, a pass over them.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/vector.h"
#include "hierarchy/hierarchy.h"

enum { MAX_WORDS = 8, MAX_NUMBERS = 16, MAX_NUMBER_DIGITS = 12 };

typedef struct grouping {
    bool by_name;                 /* before any numbers */
    int64_t numbers[MAX_NUMBERS]; /* by frequency, ascending */
    int number_count;
} grouping;

/* ---- what is asked for ---- */

static tacit_status refuse_grouping(const char *by, tacit_error *err)
{
    return tacit__error(err, TACIT_INVALID,
                        "groups are made by name, by frequency:N,N,... (numbers of rows above 1 "
                        "that ascend, at most %d) or by name+frequency:N,N,..., not by \"%s\"",
                        MAX_NUMBERS, tacit__show(tacit_strview_of(by)).text);
}

static bool read_number_of_rows(int64_t *out, const char **at)
{
    int digits = 0;
    *out = 0;
    for (; tacit__is_digit(**at) && digits <= MAX_NUMBER_DIGITS; ++*at, digits++)
        *out = *out * 10 + (**at - '0');
    return digits > 0 && digits <= MAX_NUMBER_DIGITS;
}

static tacit_status parse_grouping(grouping *g, const char *by, tacit_error *err)
{
    static const char NAME[] = "name", FREQUENCY[] = "frequency:";
    const char *at = by;
    int64_t last = 1;
    g->by_name = strncmp(by, NAME, sizeof NAME - 1) == 0;
    if (g->by_name)
        at += sizeof NAME - 1;
    if (g->by_name && !*at)
        return TACIT_OK;
    at += g->by_name && *at == '+';
    if (strncmp(at, FREQUENCY, sizeof FREQUENCY - 1) != 0 || (g->by_name && at[-1] != '+'))
        return refuse_grouping(by, err);
    at += sizeof FREQUENCY - 1;
    for (;; at++) {
        int64_t number;
        if (g->number_count == MAX_NUMBERS || !read_number_of_rows(&number, &at) || number <= last)
            return refuse_grouping(by, err);
        g->numbers[g->number_count++] = last = number;
        if (*at != ',')
            return *at ? refuse_grouping(by, err) : TACIT_OK;
    }
}

/* ---- a level ---- */

/* Numbers the labels of the values below in the order of their first code. A value below is at its
 * first code when its number is the next. */
static tacit_status number_labels(tacit__rise *rise, tacit__names *names, const tacit_hierarchy *h,
                                  const tacit_strview *labels, tacit_error *err)
{
    const uint32_t *below = h->levels[h->level_count - 1].map;
    uint32_t next = 0;
    for (uint32_t code = 0; code < h->distinct; code++) {
        bool added;
        if (below[code] != next)
            continue;
        uint32_t number = tacit__names_add(names, labels[code], &added);
        if (number == TACIT__NONE || (added && !tacit__rise_label(rise, labels[code])))
            return tacit__nomem(err);
        rise->up[next++] = number;
    }
    return TACIT_OK;
}

static tacit_status raise_labels(tacit_hierarchy *h, const tacit_strview *labels, tacit_error *err)
{
    tacit__rise rise = {0};
    tacit__names names = {0};
    tacit_status status = tacit__rise_begin(&rise, h, err);
    if (status == TACIT_OK)
        status = number_labels(&rise, &names, h, labels, err);
    if (status == TACIT_OK && rise.count > 1 && rise.count < h->levels[h->level_count - 1].count)
        status = tacit__hierarchy_raise(h, &rise, err);
    tacit__names_clear(&names);
    tacit__rise_clear(&rise);
    return status;
}

/* ---- by name ---- */

static bool is_of_word(char c)
{
    return (unsigned char)c >= 0x80 || tacit__is_alphanumeric(c);
}

/* Up to the end of the nth word; nothing where there are fewer. */
static tacit_strview first_words(tacit_strview value, int n)
{
    size_t at = 0;
    while (n-- > 0) {
        while (at < value.len && !is_of_word(value.bytes[at]))
            at++;
        if (at == value.len)
            return (tacit_strview){"", 0};
        while (at < value.len && is_of_word(value.bytes[at]))
            at++;
    }
    return (tacit_strview){value.bytes, at};
}

/* Labels of the level of n words, from those of the level below. */
static tacit_status label_by_words(tacit_strview *labels, const tacit_hierarchy *h, int n,
                                   tacit_error *err)
{
    tacit__names starts = {0};
    uint32_t *sharing = tacit__alloc_zeroed((size_t)h->distinct + 1, sizeof *sharing);
    tacit_status status = sharing ? TACIT_OK : tacit__nomem(err);
    for (uint32_t code = 0; status == TACIT_OK && code < h->distinct; code++) {
        bool added;
        uint32_t start = tacit__names_add(&starts, first_words(tacit__ground(h, code), n), &added);
        if (start == TACIT__NONE)
            status = tacit__nomem(err);
        else
            sharing[start]++;
    }
    for (uint32_t code = 0; status == TACIT_OK && code < h->distinct; code++) {
        tacit_strview start = first_words(tacit__ground(h, code), n);
        if (start.len && sharing[tacit__names_find(&starts, start)] > 1)
            labels[code] = start;
    }
    tacit__names_clear(&starts);
    tacit__free(sharing);
    return status;
}

static tacit_status grow_by_name(tacit_hierarchy *h, tacit_strview *labels, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int n = MAX_WORDS; n > 0 && status == TACIT_OK; n--) {
        status = label_by_words(labels, h, n, err);
        if (status == TACIT_OK)
            status = raise_labels(h, labels, err);
    }
    return status;
}

/* ---- by frequency ---- */

/* From the rows of values to those of their groups by name, where there are any. */
static tacit_status sum_groups(int64_t *rows, const tacit_hierarchy *h, tacit_error *err)
{
    const uint32_t *group = h->levels[h->level_count - 1].map;
    int64_t *sums = tacit__alloc_zeroed((size_t)h->distinct + 1, sizeof *sums);
    if (!sums)
        return tacit__nomem(err);
    for (uint32_t code = 0; code < h->distinct; code++)
        sums[group[code]] += rows[code];
    for (uint32_t code = 0; code < h->distinct; code++)
        rows[code] = sums[group[code]];
    tacit__free(sums);
    return TACIT_OK;
}

/* A group that is rare by itself stays what it is. */
static void label_rare(tacit_strview *labels, const int64_t *rows, int64_t number,
                       const tacit_hierarchy *h)
{
    tacit_strview first = {NULL, 0};
    bool several = false;
    for (uint32_t code = 0; code < h->distinct && !several; code++) {
        if (rows[code] >= number)
            continue;
        several = first.bytes && !tacit_strview_equal(first, labels[code]);
        first = labels[code];
    }
    for (uint32_t code = 0; code < h->distinct && several; code++)
        if (rows[code] < number)
            labels[code] = tacit_strview_of("other");
}

static tacit_status grow_by_frequency(tacit_hierarchy *h, tacit_strview *labels, const grouping *g,
                                      tacit_error *err)
{
    int64_t *rows = NULL;
    tacit_status status = tacit_hierarchy_rows(&rows, h->table, h->column, err);
    if (status == TACIT_OK)
        status = sum_groups(rows, h, err);
    for (int i = 0; i < g->number_count && status == TACIT_OK; i++) {
        label_rare(labels, rows, g->numbers[i], h);
        status = raise_labels(h, labels, err);
    }
    tacit_hierarchy_rows_free(rows);
    return status;
}

static tacit_status grow_groups(tacit_hierarchy *h, const grouping *g, tacit_error *err)
{
    tacit_strview *labels = tacit__alloc_array((size_t)h->distinct + 1, sizeof *labels);
    if (!labels)
        return tacit__nomem(err);
    for (uint32_t code = 0; code < h->distinct; code++)
        labels[code] = tacit__ground(h, code);
    tacit_status status = g->by_name ? grow_by_name(h, labels, err) : TACIT_OK;
    if (status == TACIT_OK && g->number_count)
        status = grow_by_frequency(h, labels, g, err);
    tacit__free(labels);
    return status;
}

tacit_status tacit_hierarchy_group(tacit_hierarchy **out, const char *by, const tacit_table *table,
                                   int32_t column, tacit_error *err)
{
    const tacit_hierarchy_spec spec = {0};
    grouping g = {0};
    tacit_hierarchy *hierarchy;
    tacit_status status = parse_grouping(&g, by, err);
    if (status == TACIT_OK)
        status = tacit__hierarchy_start(&hierarchy, table, column, err);
    if (status != TACIT_OK)
        return status;
    return tacit__hierarchy_finish(out, hierarchy, grow_groups(hierarchy, &g, err), &spec, err);
}

/* ---- rows of values ---- */

tacit_status tacit_hierarchy_rows(int64_t **out, const tacit_table *table, int32_t column,
                                  tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    tacit_codes_view codes = tacit_table_codes(table, column);
    int64_t *rows = tacit__alloc_zeroed((size_t)distinct + 1, sizeof *rows);
    if (!rows)
        return tacit__nomem(err);
    for (int64_t row = 0; row < tacit_table_rows(table); row++)
        rows[tacit_codes_at(codes, row)]++;
    *out = rows;
    return TACIT_OK;
}

void tacit_hierarchy_rows_free(int64_t *rows)
{
    tacit__free(rows);
}
