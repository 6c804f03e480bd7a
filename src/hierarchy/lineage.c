/*
 * lineage.c - the values of several columns as one tree.
 *
 * Every value becomes an extent, what it holds. Numbers and dates hold what lies in them: a value
 * is a stretch of whole numbers, multiples of the finest decimal of the rule for intervals,
 * microseconds in months of equal length for dates. In a hierarchy file the ground values are
 * numbered so that those under any value stand together, and a value is the stretch of its ground
 * values; where two hold the same ones the level decides. Of a standard hierarchy the part that the
 * values have is such a file. A mask is what it keeps, and holds what starts (for masks on the
 * left: ends) so. Without a hierarchy every text is a number of its own. A label is read by its
 * form alone, so labels of any level, from any file, can be compared.
 *
 * Extents are sorted so that what holds others comes before them, and one pass with the values that
 * are still open above it, innermost last, gives each its parent. "*" is the root; missing, and
 * values that the hierarchy does not know where those are let in, follow last, directly under it.
 *
 * Two values that overlap without one holding the other would make "the finer of the two" mean
 * nothing. Within one hierarchy that cannot be; it says that the files were made with different
 * ones, and is an error.
 *
 * Dates with slashes have the day or the month first, and decimals follow a point or a comma. Where
 * that is not declared, each source tells it by itself; one in which nothing tells is read as the
 * others are, for a release has fewer values than what it was made from. Intervals tell by their
 * form: [20.5, 21) or [20,5; 21).
 *
 * Cost: reading a hierarchy file, a look-up on every level for a label, or its length, and a sort
 * of the values; 24 bytes a node, with the view of its label, and 4 bytes a code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental/lineage.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/formula.h"
#include "base/vector.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/names.h"
#include "hierarchy/standard.h"
#include "hierarchy/tree.h"
#include "hierarchy/written.h"

/* What a value holds. Of two extents with low, high, rank and text the same neither holds more
 * than the other, and they are one node. */
typedef struct value_extent {
    int64_t low, high;  /* whole numbers from low up to but not high; not of masks */
    int32_t rank;       /* 0: holds only itself; of two alike, the higher holds the other */
    tacit_strview text; /* of masks: what is kept; else what tells apart where numbers do not */
} value_extent;

/* How values of a hierarchy become extents. */
typedef struct extent_set {
    const tacit_hierarchy_spec *spec;
    tacit_date_order order; /* of dates with slashes; the source's that is read, see source_order */
    char point;             /* before decimals; the same, see source_point */
    tacit__interval numbers;          /* of intervals */
    tacit__tree_file file;            /* of hierarchy files */
    int64_t *low[TACIT_MAX_LEVELS];   /* a node each: the ground values under it are numbered */
    int64_t *under[TACIT_MAX_LEVELS]; /* from low on, and there are so many */
    tacit__arena arena;               /* of standards: names of the tree */
    tacit__names others;              /* texts by number, where there is no hierarchy */
} extent_set;

typedef enum extent_result {
    EXTENT_OK = 0,
    EXTENT_UNKNOWN, /* the hierarchy does not know the value */
    EXTENT_TWICE,   /* the value stands for two */
    EXTENT_NOMEM
} extent_result;

/* ---- hierarchy files ---- */

/* How many ground values lie under each node, level by level from below. */
static bool count_under_extents(extent_set *extents)
{
    const tacit__tree *tree = &extents->file.tree;
    for (int level = 0; level < tree->level_count; level++) {
        uint32_t count = tree->levels[level].names.count;
        extents->low[level] = tacit__alloc_zeroed(count, sizeof(int64_t));
        extents->under[level] = tacit__alloc_zeroed(count, sizeof(int64_t));
        if (!extents->low[level] || !extents->under[level])
            return false;
        if (level == 0)
            for (uint32_t i = 0; i < count; i++)
                extents->under[0][i] = 1;
        for (uint32_t i = 0; level > 0 && i < tree->levels[level - 1].names.count; i++)
            extents->under[level][tree->levels[level - 1].branches[i].parent] +=
                extents->under[level - 1][i];
    }
    return true;
}

/* Numbers ground values from above: each node takes what is left of its parent's stretch. */
static bool number_ground(extent_set *extents)
{
    const tacit__tree *tree = &extents->file.tree;
    for (int level = tree->level_count - 2; level >= 0; level--) {
        const tacit__tree_level *here = &tree->levels[level];
        uint32_t above = tree->levels[level + 1].names.count;
        int64_t *next = tacit__alloc_array(above, sizeof *next);
        if (!next)
            return false;
        memcpy(next, extents->low[level + 1], above * sizeof *next);
        for (uint32_t i = 0; i < here->names.count; i++) {
            int64_t *from = &next[here->branches[i].parent];
            extents->low[level][i] = *from;
            *from += extents->under[level][i];
        }
        tacit__free(next);
    }
    return true;
}

static tacit_status read_file(extent_set *extents, tacit_error *err)
{
    tacit_status status = tacit__tree_open(&extents->file, extents->spec->path, err);
    if (status == TACIT_OK && !(count_under_extents(extents) && number_ground(extents)))
        status = tacit__nomem(err);
    return status;
}

/* The lowest level that has the label. A code may stay itself on levels above, where it is its
 * own ancestor, but may not be somebody else's value there. */
static extent_result in_tree(value_extent *out, const extent_set *extents, tacit_strview label)
{
    const tacit__tree *tree = &extents->file.tree;
    bool found = false;
    uint32_t ancestor = TACIT__NONE;
    for (int level = 0; level < tree->level_count; level++) {
        const tacit__tree_level *here = &tree->levels[level];
        uint32_t node = tacit__names_find(&here->names, label);
        if (found && node != TACIT__NONE && node != ancestor)
            return EXTENT_TWICE;
        if (!found && node != TACIT__NONE) {
            int64_t low = extents->low[level][node];
            *out = (value_extent){low, low + extents->under[level][node], level, {0}};
            found = true;
            ancestor = node;
        }
        if (found && level + 1 < tree->level_count)
            ancestor = here->branches[ancestor].parent;
    }
    return found ? EXTENT_OK : EXTENT_UNKNOWN;
}

/* ---- intervals ---- */

static bool read_end(int64_t *out, bool *exact, const extent_set *extents, const char *from,
                     const char *to, char point)
{
    tacit_strview text = {from, (size_t)(to - from)};
    return tacit__number_floor(out, exact, text, extents->numbers.scale, point) == TACIT__NUMBER_OK;
}

/* Both ends of an interval, exact ones. */
static bool read_ends(value_extent *out, const extent_set *extents, const char *const ends[4],
                      char point)
{
    bool low = false, high = false;
    return read_end(&out->low, &low, extents, ends[0], ends[1], point) && low &&
           read_end(&out->high, &high, extents, ends[2], ends[3], point) && high;
}

static const char *find(tacit_strview text, size_t from, const char *word)
{
    size_t len = strlen(word);
    for (size_t i = from; i + len <= text.len; i++)
        if (memcmp(text.bytes + i, word, len) == 0)
            return text.bytes + i;
    return NULL;
}

/* `[20.5, 21)`, `[20,5; 21)`, `-5 to -1`, `20-24`. */
static bool read_interval(value_extent *out, const extent_set *extents, tacit_strview label)
{
    const char *start = label.bytes, *end = start + label.len, *at;
    if (label.len > 4 && *start == '[' && end[-1] == ')' &&
        ((at = find(label, 1, "; ")) || (at = find(label, 1, ", "))))
        return read_ends(out, extents, (const char *const[]){start + 1, at, at + 2, end - 1},
                         *at == ';' ? ',' : '.');
    bool whole = ((at = find(label, 1, " to ")) &&
                  read_ends(out, extents, (const char *const[]){start, at, at + 4, end}, '.')) ||
                 ((at = find(label, 1, "-")) &&
                  read_ends(out, extents, (const char *const[]){start, at, at + 1, end}, '.'));
    out->high++;
    return whole;
}

static extent_result in_numbers(value_extent *out, const extent_set *extents, tacit_strview label)
{
    int64_t number;
    bool exact;
    if (read_end(&number, &exact, extents, label.bytes, label.bytes + label.len, extents->point)) {
        *out = (value_extent){number, number + 1, 0, exact ? (tacit_strview){0} : label};
        return EXTENT_OK;
    }
    *out = (value_extent){.rank = 1};
    return read_interval(out, extents, label) && out->low < out->high ? EXTENT_OK : EXTENT_UNKNOWN;
}

/* ---- dates ---- */

/* Dates are microseconds in months of 31 days, see tacit__date_start. */
enum { MICROS = 1000000 };

/* The digits of a year up to the end; no more than five, which a window may end with. */
static bool read_year(int64_t *out, const char *at, const char *end)
{
    *out = 0;
    if (end - at < 4 || end - at > 5)
        return false;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9')
            return false;
        *out = *out * 10 + (*at - '0');
    }
    return true;
}

/* `1965-1969`. */
static bool read_years(value_extent *out, tacit_strview label)
{
    static const int64_t year = 12 * TACIT__MONTH_SECONDS * MICROS;
    int64_t first, last;
    const char *at = label.bytes, *end = at + label.len;
    if (label.len < 9 || at[4] != '-' || !read_year(&first, at, at + 4) ||
        !read_year(&last, at + 5, end) || first > last)
        return false;
    *out = (value_extent){first * year, (last + 1) * year, 1, {0}};
    return true;
}

static bool read_date(value_extent *out, tacit__date_unit *unit, tacit_strview label,
                      tacit_date_order order)
{
    tacit__hierarchy_date date;
    if (tacit__date_parse(&date, label, order) != TACIT__DATE_OK)
        return false;
    *unit = date.unit;
    int64_t low = tacit__date_start(&date) * MICROS + date.micro;
    bool part = date.unit == TACIT__UNIT_PART;
    *out =
        (value_extent){low, low + (part ? 1 : tacit__date_length(date.unit) * MICROS), !part, {0}};
    return true;
}

/* `1965-09 to 1965-10`. */
static bool read_months(value_extent *out, tacit_strview label, tacit_date_order order)
{
    const char *at = find(label, 1, " to "), *end = label.bytes + label.len;
    if (!at)
        return false;
    tacit_strview first = {label.bytes, (size_t)(at - label.bytes)};
    tacit_strview last = {at + 4, (size_t)(end - at - 4)};
    tacit__date_unit from = TACIT__UNIT_YEAR, to = TACIT__UNIT_YEAR;
    value_extent ending;
    if (!read_date(out, &from, first, order) || !read_date(&ending, &to, last, order))
        return false;
    out->high = ending.high;
    return from == TACIT__UNIT_MONTH && to == TACIT__UNIT_MONTH && out->low < out->high;
}

static extent_result in_calendar(value_extent *out, tacit_strview label, tacit_date_order order)
{
    tacit__date_unit unit;
    return read_years(out, label) || read_date(out, &unit, label, order) ||
                   read_months(out, label, order)
               ? EXTENT_OK
               : EXTENT_UNKNOWN;
}

/* ---- masks ---- */

static extent_result under_mask(value_extent *out, const extent_set *extents, tacit_strview label)
{
    size_t stars = 0;
    bool left = extents->spec->mask_left;
    while (stars < label.len && label.bytes[left ? stars : label.len - 1 - stars] == '*')
        stars++;
    *out = (value_extent){.rank = stars > 0,
                          .text = {label.bytes + (left ? stars : 0), label.len - stars}};
    return EXTENT_OK;
}

static unsigned char byte_at(tacit_strview text, size_t at, bool left)
{
    return (unsigned char)text.bytes[left ? text.len - 1 - at : at];
}

/* How many bytes two texts share, from the side that masks keep. */
static size_t shared(tacit_strview a, tacit_strview b, bool left)
{
    size_t at = 0;
    while (at < a.len && at < b.len && byte_at(a, at, left) == byte_at(b, at, left))
        at++;
    return at;
}

/* ---- all kinds ---- */

static extent_result by_itself(value_extent *out, extent_set *extents, tacit_strview label)
{
    bool added;
    uint32_t number = tacit__names_add(&extents->others, label, &added);
    *out = (value_extent){number, (int64_t)number + 1, 0, {0}};
    return number == TACIT__NONE ? EXTENT_NOMEM : EXTENT_OK;
}

static tacit_status init_extents(extent_set *extents, const tacit_hierarchy_spec *spec,
                                 tacit_error *err)
{
    *extents = (extent_set){.spec = spec,
                            .order = spec->order,
                            .point = spec->decimal == TACIT_DECIMAL_COMMA ? ',' : '.'};
    if (spec->kind == TACIT_HIERARCHY_FILE)
        return read_file(extents, err);
    if (spec->kind == TACIT_HIERARCHY_INTERVAL)
        return tacit__interval_check(&extents->numbers, spec, err);
    return TACIT_OK;
}

static void clear_extents(extent_set *extents)
{
    for (int level = 0; level < TACIT_MAX_LEVELS; level++) {
        tacit__free(extents->low[level]);
        tacit__free(extents->under[level]);
    }
    tacit__tree_close(&extents->file);
    tacit__arena_clear(&extents->arena);
    tacit__names_clear(&extents->others);
}

/* The extent of a label that is neither "*" nor, unless the hierarchy has a row for it, empty. */
static extent_result extent_of(value_extent *out, extent_set *extents, tacit_strview label)
{
    switch (extents->spec->kind) {
    case TACIT_HIERARCHY_FILE:
    case TACIT_HIERARCHY_STANDARD: return in_tree(out, extents, label);
    case TACIT_HIERARCHY_INTERVAL: return in_numbers(out, extents, label);
    case TACIT_HIERARCHY_DATE: return in_calendar(out, label, extents->order);
    case TACIT_HIERARCHY_MASK: return under_mask(out, extents, label);
    default: return by_itself(out, extents, label);
    }
}

/* Whether a hierarchy file says what missing generalizes to. */
static bool know_missing(const extent_set *extents)
{
    return extents->spec->kind == TACIT_HIERARCHY_FILE &&
           tacit__names_find(&extents->file.tree.levels[0].names, (tacit_strview){"", 0}) !=
               TACIT__NONE;
}

static int compare_masks(const value_extent *a, const value_extent *b, bool left)
{
    size_t at = shared(a->text, b->text, left);
    if (at < a->text.len && at < b->text.len)
        return byte_at(a->text, at, left) < byte_at(b->text, at, left) ? -1 : 1;
    if (a->text.len != b->text.len)
        return a->text.len < b->text.len ? -1 : 1;
    return b->rank - a->rank;
}

static int compare_text(tacit_strview a, tacit_strview b)
{
    size_t len = a.len < b.len ? a.len : b.len;
    int order = len ? memcmp(a.bytes, b.bytes, len) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

/* Below 0, 0 or above: so that what holds others comes before them. */
static int compare_extents(const value_extent *a, const value_extent *b,
                           const tacit_hierarchy_spec *spec)
{
    if (spec->kind == TACIT_HIERARCHY_MASK)
        return compare_masks(a, b, spec->mask_left);
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high > b->high ? -1 : 1;
    return a->rank != b->rank ? b->rank - a->rank : compare_text(a->text, b->text);
}

/* Of two in that order: whether the first holds the second, and whether they overlap. */
static bool extent_holds(const value_extent *a, const value_extent *b,
                         const tacit_hierarchy_spec *spec)
{
    if (spec->kind == TACIT_HIERARCHY_MASK)
        return a->rank && shared(a->text, b->text, spec->mask_left) == a->text.len;
    return a->rank && b->high <= a->high;
}

static bool extent_overlaps(const value_extent *a, const value_extent *b,
                            const tacit_hierarchy_spec *spec)
{
    return spec->kind != TACIT_HIERARCHY_MASK && a->rank && b->low < a->high;
}

enum { WHICH = 40 }; /* bytes to say which value something is about */

/* A value of a source. */
typedef struct entry {
    value_extent extent;
    tacit_strview label;
    int32_t source;
    uint32_t code;
} entry;

struct tacit_lineage {
    int32_t source_count;
    uint32_t **nodes; /* a source each */
    uint32_t count;
    uint32_t *ends;
    uint32_t *parents;
    tacit_strview *labels;
};

/* A lineage in the making. */
typedef struct growth {
    tacit_lineage *lineage;
    const tacit_hierarchy_spec *spec;
    const tacit_lineage_source *sources;
    extent_set extents;
    entry *entries; /* the values that the hierarchy knows */
    size_t count, capacity;
    entry *foreign; /* and those that it does not */
    size_t foreign_count, foreign_capacity;
} growth;

/* ---- sources ---- */

static uint32_t source_values(const tacit_lineage_source *source)
{
    return source->table ? tacit_table_distinct(source->table, source->column)
                         : source->label_count;
}

static tacit_strview source_label(const tacit_lineage_source *source, uint32_t code)
{
    return source->table ? tacit_table_value(source->table, source->column, code)
                         : source->labels[code];
}

/* The line of a file that has the value first; 0 where there is none. */
static int64_t first_line(const tacit_lineage_source *source, uint32_t code)
{
    if (!source->table)
        return 0;
    tacit_codes_view codes = tacit_table_codes(source->table, source->column);
    for (int64_t row = 0; row < tacit_table_rows(source->table); row++)
        if (tacit_codes_at(codes, row) == code)
            return tacit_table_line(source->table, row);
    return 0;
}

static tacit__shown source_name(const tacit_lineage_source *source)
{
    return tacit__show(source->table ? tacit_table_name(source->table, source->column)
                                     : tacit_strview_of(source->name ? source->name : ""));
}

static const char *source_file(const tacit_lineage_source *source)
{
    return source->table ? tacit_table_file(source->table) : source->name;
}

/* Which value it is, without the value, which may be a person's: in a file the line tells, in a
 * list its number. */
static void describe_value(char *text, size_t size, const tacit_lineage_source *source,
                           uint32_t code)
{
    if (source->table)
        snprintf(text, size, "the value");
    else
        snprintf(text, size, "value %lld", (long long)code + 1);
}

static tacit_status value_error(const growth *g, const entry *e, tacit_status status,
                                tacit_error *err, const char *reason)
{
    const tacit_lineage_source *source = &g->sources[e->source];
    char which[WHICH];
    describe_value(which, sizeof which, source, e->code);
    return tacit__error_at(err, status, source_file(source), first_line(source, e->code), 0,
                           "%s in column \"%s\" %s", which, source_name(source).text, reason);
}

static tacit_status overlap_error(const growth *g, const entry *a, const entry *b, tacit_error *err)
{
    const tacit_lineage_source *of_a = &g->sources[a->source], *of_b = &g->sources[b->source];
    const char *file = source_file(of_a);
    char which_a[WHICH], which_b[WHICH], line[WHICH] = "";
    describe_value(which_a, sizeof which_a, of_a, a->code);
    describe_value(which_b, sizeof which_b, of_b, b->code);
    if (of_a->table)
        snprintf(line, sizeof line, " in line %lld", (long long)first_line(of_a, a->code));
    return tacit__error_at(err, TACIT_PARSE, source_file(of_b), first_line(of_b, b->code), 0,
                           "%s in column \"%s\" and %s%s of %s overlap and neither holds the "
                           "other; were the files made with different hierarchies?",
                           which_b, source_name(of_b).text, which_a, line,
                           tacit__show(tacit_strview_of(file ? file : "a list")).text);
}

/* ---- values ---- */

static const char *unknown_reason(const tacit_hierarchy_spec *spec)
{
    switch (spec->kind) {
    case TACIT_HIERARCHY_FILE:
        return "is on no level of the hierarchy; add it there, or use the hierarchy that the file "
               "was made with";
    case TACIT_HIERARCHY_INTERVAL:
        return "is neither a number nor an interval such as 20-24 or [20.5, 21)";
    case TACIT_HIERARCHY_STANDARD:
        return "is neither a code of the standard hierarchy nor on a level above its codes";
    default: return "is neither a date nor a generalized one such as 1965-09, 1965 or 1965-1969";
    }
}

static tacit_status place(growth *g, entry *e, tacit_error *err)
{
    const tacit_table *table = g->sources[e->source].table;
    extent_result result = extent_of(&e->extent, &g->extents, e->label);
    bool kept = true;
    if (result == EXTENT_UNKNOWN && table && tacit_table_guard(table))
        result = extent_of(&e->extent, &g->extents, tacit__unguarded(e->label));
    if (result == EXTENT_TWICE)
        return value_error(g, e, TACIT_PARSE, err,
                           "stands for two values of the hierarchy, on different levels; "
                           "name one of them otherwise");
    if (result == EXTENT_UNKNOWN && !g->sources[e->source].open)
        return value_error(g, e, TACIT_PARSE, err, unknown_reason(g->spec));
    if (result == EXTENT_OK)
        kept = TACIT__PUSH(g->entries, g->capacity, g->count, *e);
    else if (result == EXTENT_UNKNOWN)
        kept = TACIT__PUSH(g->foreign, g->foreign_capacity, g->foreign_count, *e);
    return kept && result != EXTENT_NOMEM ? TACIT_OK : tacit__nomem(err);
}

/* Whether a label is the root's: "*", and masks that keep nothing. */
static bool is_root(const growth *g, tacit_strview label)
{
    size_t stars = 0;
    while (stars < label.len && label.bytes[stars] == '*')
        stars++;
    return stars == label.len && label.len > 0 &&
           (label.len == 1 || g->spec->kind == TACIT_HIERARCHY_MASK);
}

static tacit_status place_source(growth *g, int32_t index, tacit_error *err)
{
    const tacit_lineage_source *source = &g->sources[index];
    uint32_t values = source_values(source);
    bool missing = source->table && tacit_table_has_missing(source->table, source->column);
    bool known = know_missing(&g->extents);
    uint32_t *nodes = tacit__alloc_zeroed((size_t)values + 1, sizeof *nodes); /* the root */
    g->lineage->nodes[index] = nodes;
    if (!nodes)
        return tacit__nomem(err);
    tacit_status status = TACIT_OK;
    for (uint32_t code = 0; code < values + missing && status == TACIT_OK; code++) {
        entry e = {.source = index, .code = code, .label = {"", 0}};
        if (code < values)
            e.label = source_label(source, code);
        if (is_root(g, e.label))
            continue;
        if (e.label.len == 0 && !known)
            status = TACIT__PUSH(g->foreign, g->foreign_capacity, g->foreign_count, e)
                         ? TACIT_OK
                         : tacit__nomem(err);
        else
            status = place(g, &e, err);
    }
    return status;
}

/* ---- the order of dates ---- */

/* What the dates of a source say of their order; contradictions are an error. */
static tacit_status read_signs(tacit__date_signs *signs, const growth *g, int32_t source,
                               tacit_error *err)
{
    *signs = (tacit__date_signs){0};
    for (uint32_t code = 0; code < source_values(&g->sources[source]); code++)
        tacit__date_signs_add(signs, code, source_label(&g->sources[source], code));
    if (!tacit__date_signs_clash(signs))
        return TACIT_OK;
    const entry e = {.source = source, .code = signs->day_first - 1};
    return value_error(g, &e, TACIT_PARSE, err,
                       "can only have the day first, and another date the month: write all of "
                       "them in one order, or as 1965-09-20");
}

/* What the sources that tell say, all of them the same; otherwise nothing. */
static tacit_status common_order(tacit_date_order *common, const growth *g, int32_t source_count,
                                 tacit_error *err)
{
    bool told[] = {
        [TACIT_DATES_TELL] = false, [TACIT_DAY_FIRST] = false, [TACIT_MONTH_FIRST] = false};
    for (int32_t i = 0; i < source_count; i++) {
        tacit__date_signs signs;
        tacit_status status = read_signs(&signs, g, i, err);
        if (status != TACIT_OK)
            return status;
        told[tacit__date_signs_order(&signs)] = true;
    }
    if (told[TACIT_DAY_FIRST] != told[TACIT_MONTH_FIRST])
        *common = told[TACIT_DAY_FIRST] ? TACIT_DAY_FIRST : TACIT_MONTH_FIRST;
    return TACIT_OK;
}

/* The order in which a source is read. */
static tacit_status source_order(tacit_date_order *order, const growth *g, int32_t source,
                                 tacit_date_order common, tacit_error *err)
{
    tacit__date_signs signs;
    tacit_status status = read_signs(&signs, g, source, err);
    if (status != TACIT_OK)
        return status;
    bool silent = tacit__date_signs_silent(&signs);
    const entry e = {.source = source, .code = signs.either - 1};
    if (silent && common == TACIT_DATES_TELL)
        return value_error(
            g, &e, TACIT_INVALID, err,
            "can be read with the day or the month first, and no other date shows which: declare "
            "it in the policy, hierarchy: {date: {order: day-first}} or month-first");
    *order = silent ? common : tacit__date_signs_order(&signs);
    return TACIT_OK;
}

/* ---- decimals ---- */

static tacit__number_signs marks_of(const growth *g, int32_t source)
{
    tacit__number_signs signs = {0};
    for (uint32_t code = 0; code < source_values(&g->sources[source]); code++)
        tacit__number_signs_add(&signs, code, source_label(&g->sources[source], code));
    return signs;
}

/* What the sources that tell say, all of them the same; 0 otherwise. */
static char common_point(const growth *g, int32_t source_count)
{
    bool comma = false, point = false;
    for (int32_t i = 0; i < source_count; i++) {
        tacit__number_signs signs = marks_of(g, i);
        comma |= signs.comma > 0;
        point |= signs.point > 0;
    }
    return comma == point ? 0 : comma ? ',' : '.';
}

/* What stands before the decimals of a source. In one whose values need not be known, those that
 * cannot be read are foreign ones. */
static tacit_status source_point(char *point, const growth *g, int32_t source, char common,
                                 tacit_error *err)
{
    tacit__number_signs signs = marks_of(g, source);
    bool silent = tacit__number_signs_silent(&signs), open = g->sources[source].open;
    *point = silent && common ? common : tacit__number_signs_point(&signs);
    entry e = {.source = source, .code = signs.comma - 1};
    if (tacit__number_signs_clash(&signs) && !open)
        return value_error(g, &e, TACIT_PARSE, err,
                           "has a comma before decimals, and another number has none: write all of "
                           "them in one way");
    e.code = signs.either - 1;
    if (silent && !common && !open)
        return value_error(g, &e, TACIT_INVALID, err,
                           "has a comma before decimals or before thousands, and no other number "
                           "shows which: declare decimals in the policy, hierarchy: {interval: "
                           "{decimal: comma, widths: ...}}, or write thousands without commas");
    return TACIT_OK;
}

/* ---- the tree ---- */

static int compare_entries(const void *a, const void *b, void *spec)
{
    const entry *x = a, *y = b;
    int order = compare_extents(&x->extent, &y->extent, spec);
    if (order)
        return order;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return (x->code > y->code) - (x->code < y->code);
}

static tacit_status allocate_nodes(growth *g, tacit_error *err)
{
    tacit_lineage *lineage = g->lineage;
    size_t most = 1 + g->count + g->foreign_count;
    lineage->ends = tacit__alloc_array(most, sizeof *lineage->ends);
    lineage->parents = tacit__alloc_array(most, sizeof *lineage->parents);
    lineage->labels = tacit__alloc_array(most, sizeof *lineage->labels);
    return lineage->ends && lineage->parents && lineage->labels ? TACIT_OK : tacit__nomem(err);
}

static void add_lineage_node(tacit_lineage *lineage, tacit_strview label, uint32_t parent)
{
    uint32_t node = lineage->count++;
    lineage->parents[node] = parent;
    lineage->labels[node] = label;
    lineage->ends[node] = lineage->count;
}

/* Adds the values in their order. The open ones are the last and its ancestors. */
static tacit_status build(growth *g, tacit_error *err)
{
    tacit_lineage *lineage = g->lineage;
    const entry **of = tacit__alloc_array(g->count + 1, sizeof *of); /* node -> its first entry */
    tacit_status status = of ? TACIT_OK : tacit__nomem(err);
    uint32_t open = 0;
    add_lineage_node(lineage, tacit_hierarchy_suppressed(), 0);
    for (size_t i = 0; i < g->count && status == TACIT_OK; i++) {
        const entry *e = &g->entries[i];
        bool same = i && compare_extents(&e->extent, &e[-1].extent, g->spec) == 0;
        for (; !same && open && !extent_holds(&of[open]->extent, &e->extent, g->spec);
             open = lineage->parents[open])
            if (extent_overlaps(&of[open]->extent, &e->extent, g->spec))
                status = overlap_error(g, of[open], e, err);
        if (status == TACIT_OK && !same) {
            of[lineage->count] = e;
            add_lineage_node(lineage, e->label, open);
            open = lineage->count - 1;
        }
        lineage->nodes[e->source][e->code] = lineage->count - 1;
    }
    tacit__free(of);
    return status;
}

/* Missing and foreign values: a node for each text. */
static tacit_status add_foreign(growth *g, tacit_error *err)
{
    tacit_lineage *lineage = g->lineage;
    tacit__names names = {0};
    tacit_status status = TACIT_OK;
    uint32_t first = lineage->count;
    for (size_t i = 0; i < g->foreign_count; i++) {
        const entry *e = &g->foreign[i];
        bool added = false;
        uint32_t number = tacit__names_add(&names, e->label, &added);
        if (number == TACIT__NONE) {
            status = tacit__nomem(err);
            break;
        }
        if (added)
            add_lineage_node(lineage, e->label, 0);
        lineage->nodes[e->source][e->code] = first + number;
    }
    tacit__names_clear(&names);
    return status;
}

/* From the last on: what a node holds, its parent holds. */
static void find_ends(tacit_lineage *lineage)
{
    for (uint32_t i = lineage->count - 1; i > 0; i--) {
        uint32_t *end = &lineage->ends[lineage->parents[i]];
        *end = *end > lineage->ends[i] ? *end : lineage->ends[i];
    }
}

/* Of a standard hierarchy: the part that the sources have. */
static tacit_status plant_values(growth *g, int32_t source_count, tacit_error *err)
{
    tacit__standard standard;
    extent_set *extents = &g->extents;
    tacit_status status = tacit__standard_open(&standard, tacit_strview_of(g->spec->standard), err);
    for (int32_t i = 0; i < source_count; i++)
        for (uint32_t code = 0; status == TACIT_OK && code < source_values(&g->sources[i]); code++)
            status = tacit__standard_add(&extents->file.tree, &standard,
                                         source_label(&g->sources[i], code), &extents->arena, err);
    tacit__standard_close(&standard);
    if (status == TACIT_OK && !(count_under_extents(extents) && number_ground(extents)))
        status = tacit__nomem(err);
    return status;
}

static tacit_status grow(growth *g, int32_t source_count, tacit_error *err)
{
    tacit_date_order common = TACIT_DATES_TELL;
    bool asked = g->spec->kind == TACIT_HIERARCHY_DATE && g->spec->order == TACIT_DATES_TELL;
    bool marks = g->spec->kind == TACIT_HIERARCHY_INTERVAL && g->spec->decimal == TACIT_MARKS_TELL;
    char point = marks ? common_point(g, source_count) : 0;
    tacit_status status = init_extents(&g->extents, g->spec, err);
    if (status == TACIT_OK && g->spec->kind == TACIT_HIERARCHY_STANDARD)
        status = plant_values(g, source_count, err);
    if (status == TACIT_OK && asked)
        status = common_order(&common, g, source_count, err);
    for (int32_t i = 0; i < source_count && status == TACIT_OK; i++) {
        if (asked)
            status = source_order(&g->extents.order, g, i, common, err);
        if (marks)
            status = source_point(&g->extents.point, g, i, point, err);
        if (status == TACIT_OK)
            status = place_source(g, i, err);
    }
    if (status != TACIT_OK)
        return status;
    if (g->count)
        qsort_r(g->entries, g->count, sizeof *g->entries, compare_entries, (void *)g->spec);
    status = allocate_nodes(g, err);
    if (status == TACIT_OK)
        status = build(g, err);
    if (status == TACIT_OK)
        status = add_foreign(g, err);
    if (status == TACIT_OK)
        find_ends(g->lineage);
    return status;
}

tacit_status tacit_lineage_new(tacit_lineage **out, const tacit_hierarchy_spec *spec,
                               const tacit_lineage_source *sources, int32_t source_count,
                               tacit_error *err)
{
    growth g = {.spec = spec, .sources = sources};
    g.lineage = tacit__alloc_zeroed(1, sizeof *g.lineage);
    if (!g.lineage)
        return tacit__nomem(err);
    g.lineage->source_count = source_count;
    g.lineage->nodes = tacit__alloc_zeroed((size_t)source_count, sizeof *g.lineage->nodes);
    tacit_status status = g.lineage->nodes ? grow(&g, source_count, err) : tacit__nomem(err);
    clear_extents(&g.extents);
    tacit__free(g.entries);
    tacit__free(g.foreign);
    if (status == TACIT_OK)
        *out = g.lineage;
    else
        tacit_lineage_free(g.lineage);
    return status;
}

void tacit_lineage_free(tacit_lineage *lineage)
{
    if (!lineage)
        return;
    for (int32_t i = 0; lineage->nodes && i < lineage->source_count; i++)
        tacit__free(lineage->nodes[i]);
    tacit__free(lineage->nodes);
    tacit__free(lineage->ends);
    tacit__free(lineage->parents);
    tacit__free(lineage->labels);
    tacit__free(lineage);
}

uint32_t tacit_lineage_count(const tacit_lineage *lineage)
{
    return lineage->count;
}

const uint32_t *tacit_lineage_nodes(const tacit_lineage *lineage, int32_t source)
{
    return lineage->nodes[source];
}

const uint32_t *tacit_lineage_ends(const tacit_lineage *lineage)
{
    return lineage->ends;
}

const uint32_t *tacit_lineage_parents(const tacit_lineage *lineage)
{
    return lineage->parents;
}

tacit_strview tacit_lineage_label(const tacit_lineage *lineage, uint32_t node)
{
    return lineage->labels[node];
}
