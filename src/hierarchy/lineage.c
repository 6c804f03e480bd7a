/*
 * lineage.c - the values of several columns as one tree.
 *
 * Every value becomes an extent (lineage_extent.c), extents are sorted so that what holds others
 * comes before them, and one pass with the values that are still open above it, innermost last,
 * gives each its parent. "*" is the root; missing, and values that the hierarchy does not know
 * where those are let in, follow last, directly under it.
 *
 * Two values that overlap without one holding the other would make "the finer of the two" mean
 * nothing. Within one hierarchy that cannot be; it says that the files were made with different
 * ones, and is an error.
 *
 * Dates with slashes have the day or the month first. Where that is not declared, each source tells
 * it by itself; one in which nothing tells is read as the others are, for a release has fewer dates
 * than what it was made from.
 *
 * Cost: a sort of the values; 24 bytes a node, with the view of its label, and 4 bytes a code.
 */
#include "hierarchy/lineage.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/formula.h"
#include "hierarchy/names.h"
#include "hierarchy/written.h"

enum { WHICH = 40 }; /* bytes to say which value something is about */

/* A value of a source. */
typedef struct entry {
    tacit__hierarchy_extent extent;
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
    tacit__extents extents;
    entry *entries; /* the values that the hierarchy knows */
    size_t count, room;
    entry *foreign; /* and those that it does not */
    size_t foreign_count, foreign_room;
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
static void tell_which(char *text, size_t size, const tacit_lineage_source *source, uint32_t code)
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
    tell_which(which, sizeof which, source, e->code);
    return tacit__error_at(err, status, source_file(source), first_line(source, e->code), 0,
                           "%s in column \"%s\" %s", which, source_name(source).text, reason);
}

static tacit_status overlap_error(const growth *g, const entry *a, const entry *b, tacit_error *err)
{
    const tacit_lineage_source *of_a = &g->sources[a->source], *of_b = &g->sources[b->source];
    const char *file = source_file(of_a);
    char which_a[WHICH], which_b[WHICH], line[WHICH] = "";
    tell_which(which_a, sizeof which_a, of_a, a->code);
    tell_which(which_b, sizeof which_b, of_b, b->code);
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
    default: return "is neither a date nor a generalized one such as 1965-09, 1965 or 1965-1969";
    }
}

static bool add_entry(entry **list, size_t *count, size_t *room, const entry *e)
{
    if (!tacit__reserve((void **)list, room, *count + 1, sizeof *e))
        return false;
    (*list)[(*count)++] = *e;
    return true;
}

static tacit_status place(growth *g, entry *e, tacit_error *err)
{
    const tacit_table *table = g->sources[e->source].table;
    tacit__extent_result result = tacit__extent_of(&e->extent, &g->extents, e->label);
    bool kept = true;
    if (result == TACIT__EXTENT_UNKNOWN && table && tacit_table_guard(table))
        result = tacit__extent_of(&e->extent, &g->extents, tacit__unguarded(e->label));
    if (result == TACIT__EXTENT_TWICE)
        return value_error(g, e, TACIT_PARSE, err,
                           "stands for two values of the hierarchy, on different levels; "
                           "name one of them otherwise");
    if (result == TACIT__EXTENT_UNKNOWN && !g->sources[e->source].open)
        return value_error(g, e, TACIT_PARSE, err, unknown_reason(g->spec));
    if (result == TACIT__EXTENT_OK)
        kept = add_entry(&g->entries, &g->count, &g->room, e);
    else if (result == TACIT__EXTENT_UNKNOWN)
        kept = add_entry(&g->foreign, &g->foreign_count, &g->foreign_room, e);
    return kept && result != TACIT__EXTENT_NOMEM ? TACIT_OK : tacit__nomem(err);
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
    bool known = tacit__extents_know_missing(&g->extents);
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
            status = add_entry(&g->foreign, &g->foreign_count, &g->foreign_room, &e)
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
        return value_error(g, &e, TACIT_INVALID, err,
                           "can be read with the day or with the month first, and no date tells: "
                           "say it in the policy, hierarchy: {date: {order: day-first}} or "
                           "month-first");
    *order = silent ? common : tacit__date_signs_order(&signs);
    return TACIT_OK;
}

/* ---- the tree ---- */

static int compare_entries(const void *a, const void *b, void *spec)
{
    const entry *x = a, *y = b;
    int order = tacit__extent_compare(&x->extent, &y->extent, spec);
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

static void add_node(tacit_lineage *lineage, tacit_strview label, uint32_t parent)
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
    add_node(lineage, tacit_hierarchy_suppressed(), 0);
    for (size_t i = 0; i < g->count && status == TACIT_OK; i++) {
        const entry *e = &g->entries[i];
        bool same = i && tacit__extent_compare(&e->extent, &e[-1].extent, g->spec) == 0;
        for (; !same && open && !tacit__extent_holds(&of[open]->extent, &e->extent, g->spec);
             open = lineage->parents[open])
            if (tacit__extent_overlaps(&of[open]->extent, &e->extent, g->spec))
                status = overlap_error(g, of[open], e, err);
        if (status == TACIT_OK && !same) {
            of[lineage->count] = e;
            add_node(lineage, e->label, open);
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
            add_node(lineage, e->label, 0);
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

static tacit_status grow(growth *g, int32_t source_count, tacit_error *err)
{
    tacit_date_order common = TACIT_DATES_TELL;
    bool asked = g->spec->kind == TACIT_HIERARCHY_DATE && g->spec->order == TACIT_DATES_TELL;
    tacit_status status = tacit__extents_init(&g->extents, g->spec, err);
    if (status == TACIT_OK && asked)
        status = common_order(&common, g, source_count, err);
    for (int32_t i = 0; i < source_count && status == TACIT_OK; i++) {
        if (asked)
            status = source_order(&g->extents.order, g, i, common, err);
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
    tacit__extents_clear(&g.extents);
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
