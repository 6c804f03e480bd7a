/*
 * match.c - an earlier release matched to the data it may have come from.
 *
 * A row of the release can be a row of the data if each of its labels is what the data's value
 * becomes on some level, and if linked columns say the same. Rows of the data
 * that agree in all of this are one giver, rows of the release that agree one taker
 * (transport.h), and as many as possible are matched, finer labels first.
 *
 * Which takers a giver can give to is found without looking at pairs: the release's distinct
 * combinations are a trie, an attribute a depth, which starts from what links say; a
 * giver goes down along the labels of its value's levels that are there. That costs the
 * prefixes that it fits, at most the levels of a value for each.
 *
 * Memory: some 40 bytes a row of
 * either table, 20 for each pair of giver and taker that fit, of which there may be as many as
 * most_pairs (previous.h).
 */
#include <string.h>
#include <tacit/experimental/hierarchy.h>
#include <tacit/experimental/previous.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/map.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "hierarchy/names.h"
#include "records/classes/classes.h"
#include "records/previous/transport.h"

/* The labels of an attribute's values on each level, looked up once among those
 * of an earlier release: a walk down its combinations then compares numbers only. Cost: a look for
 * each value of each level, 4 bytes for it. */

/* One shown attribute: the release's code of each value of each level. */
typedef struct rungs {
    int32_t attribute;
    const tacit_hierarchy *hierarchy;
    tacit_codes_view here, there;
    uint32_t *codes; /* level by level, missing as the last of each; TACIT__NONE: not there */
    size_t offsets[TACIT_MAX_LEVELS];
    tacit__numbering children; /* (node of the trie, code) -> node */
} rungs;

/* The release's code of what a value becomes on a level. */
static inline uint32_t rungs_code(const rungs *l, int level, uint32_t code)
{
    return l->codes[l->offsets[level] + tacit_hierarchy_map(l->hierarchy, level)[code]];
}

/* Numbers the values of a column by their codes; false when out of memory. */
static bool values_index(tacit__names *names, const tacit_table *table, int32_t column)
{
    bool added;
    for (uint32_t code = 0; code < tacit_table_distinct(table, column); code++)
        if (tacit__names_add(names, tacit_table_value(table, column, code), &added) == TACIT__NONE)
            return false;
    return true;
}

static bool fill(rungs *l, const tacit__names *names, uint32_t missing)
{
    const tacit_hierarchy *hierarchy = l->hierarchy;
    size_t all = 0;
    for (int level = 0; level <= tacit_hierarchy_height(hierarchy); level++) {
        l->offsets[level] = all;
        all += (size_t)tacit_hierarchy_count(hierarchy, level) + 1;
    }
    l->codes = tacit__alloc_array(all, sizeof *l->codes);
    if (!l->codes)
        return false;
    for (int level = 0; level <= tacit_hierarchy_height(hierarchy); level++) {
        uint32_t count = tacit_hierarchy_count(hierarchy, level);
        uint32_t *codes = l->codes + l->offsets[level];
        for (uint32_t i = 0; i < count; i++)
            codes[i] = tacit__names_find(names, tacit_hierarchy_label(hierarchy, level, i));
        codes[count] = missing;
    }
    return true;
}

/* Fills in hierarchy, there, codes and offsets for a column of the release; false when out of
 * memory. Cleared in any case. */
static bool rungs_init(rungs *l, const tacit_hierarchy *hierarchy, const tacit_table *release,
                       int32_t column)
{
    tacit__names names = {0};
    l->hierarchy = hierarchy;
    l->there = tacit_table_codes(release, column);
    bool whole = values_index(&names, release, column) &&
                 fill(l, &names, tacit_table_distinct(release, column));
    tacit__names_clear(&names);
    return whole;
}

static void rungs_clear(rungs *l)
{
    tacit__free(l->codes);
    tacit__numbering_clear(&l->children);
}

static uint32_t leaves_on(const rungs *l, int level, uint32_t code)
{
    uint32_t number = tacit_hierarchy_map(l->hierarchy, level)[code];
    return number < tacit_hierarchy_count(l->hierarchy, level)
               ? tacit_hierarchy_leaves_under(l->hierarchy, level, number)
               : 1;
}

/* The level of a label that a value has: where it stands on several, the lowest on which it means
 * as much as on the highest. */
static uint8_t rungs_level(const rungs *l, uint32_t code, uint32_t label)
{
    int level = tacit_hierarchy_height(l->hierarchy);
    while (rungs_code(l, level, code) != label)
        level--;
    for (int lower = level - 1; lower >= 0; lower--)
        if (rungs_code(l, lower, code) == label &&
            leaves_on(l, lower, code) == leaves_on(l, level, code))
            level = lower;
    return (uint8_t)level;
}

/* ---- */

enum { LONGEST_REWRITE = TACIT_MAX_REWRITE };

typedef struct matching {
    const tacit_frame *frame;
    const tacit_previous_shown *shown;
    const tacit_run *run;
    tacit_previous *out;
    int64_t rows; /* of the data */
    rungs *ladders;
    int32_t depth;
    uint32_t *giver_of, *taker_of; /* a row each */
    uint32_t *first;               /* a giver each: its first row */
    uint32_t givers, takers;
    uint32_t *supply, *demand;
    int64_t *starts;
    uint32_t *edges;
    size_t edge_capacity;
    int64_t most; /* edges */
    uint32_t *flow;
} matching;

static void matching_clear(matching *m)
{
    for (int32_t i = 0; m->ladders && i < m->depth; i++)
        rungs_clear(&m->ladders[i]);
    tacit__free(m->ladders);
    tacit__free(m->giver_of);
    tacit__free(m->taker_of);
    tacit__free(m->first);
    tacit__free(m->supply);
    tacit__free(m->demand);
    tacit__free(m->starts);
    tacit__free(m->edges);
    tacit__free(m->flow);
}

static tacit_status matching_init(matching *m, tacit_error *err)
{
    size_t attributes = (size_t)m->frame->attribute_count, rows = (size_t)m->rows,
           old = (size_t)tacit_table_rows(m->shown->table);
    tacit_previous *out = m->out;
    m->ladders = tacit__alloc_zeroed(attributes, sizeof *m->ladders);
    m->giver_of = tacit__alloc_array(rows, sizeof *m->giver_of);
    m->taker_of = tacit__alloc_zeroed(old, sizeof *m->taker_of);
    out->old_of = tacit__alloc_array(rows, sizeof *out->old_of);
    out->levels = tacit__alloc_array(rows, attributes);
    out->class_of = tacit__alloc_zeroed(old, sizeof *out->class_of);
    out->linked = tacit__alloc_zeroed(rows, sizeof *out->linked);
    if (!m->ladders || !m->giver_of || !m->taker_of || !out->old_of || !out->levels ||
        !out->class_of || !out->linked)
        return tacit__nomem(err);
    memset(out->levels, TACIT_NOT_SHOWN, rows * attributes);
    memset(out->old_of, 0xff, rows * sizeof *out->old_of);
    out->rows = (int64_t)old;
    out->attributes = m->frame->attribute_count;
    return TACIT_OK;
}

static bool is_quasi_identifier(const matching *m, int32_t attribute)
{
    return m->out->quasi >> attribute & 1;
}

static tacit_status add_ladder(matching *m, int32_t attribute, tacit_error *err)
{
    const tacit_attribute *at = &m->frame->attributes[attribute];
    rungs *l = &m->ladders[m->depth++];
    l->attribute = attribute;
    l->here = tacit_table_codes(m->frame->table, at->column);
    return rungs_init(l, at->hierarchy, m->shown->table, m->shown->columns[attribute])
               ? TACIT_OK
               : tacit__nomem(err);
}

/* ---- linked columns ---- */

/* The data's values as the release shows them. */
static bool index_shown(tacit__names *names, tacit__arena *arena, const tacit_table *table,
                        const tacit_previous_link *link)
{
    if (!link->rewrite)
        return values_index(names, table, link->here);
    char text[LONGEST_REWRITE];
    bool added, whole = true;
    for (uint32_t code = 0; whole && code < tacit_table_distinct(table, link->here); code++) {
        tacit_strview value = tacit_table_value(table, link->here, code);
        tacit_strview shown = {text, link->rewrite(value, text, sizeof text, link->payload)};
        shown = tacit__arena_copy(arena, shown);
        whole = shown.bytes && tacit__names_add(names, shown, &added) != TACIT__NONE;
    }
    return whole;
}

/* The data's code behind each code of the release, missing last; TACIT__NONE: there is none. */
static uint32_t *translate(const matching *m, const tacit_previous_link *link)
{
    const tacit_table *old = m->shown->table;
    uint32_t count = tacit_table_distinct(old, link->there);
    uint32_t *codes = tacit__alloc_array((size_t)count + 1, sizeof *codes);
    tacit__names names = {0};
    tacit__arena arena = {0};
    bool whole = codes && index_shown(&names, &arena, m->frame->table, link);
    for (uint32_t code = 0; whole && code < count; code++)
        codes[code] = tacit__names_find(&names, tacit_table_value(old, link->there, code));
    if (whole)
        codes[count] = tacit_table_distinct(m->frame->table, link->here);
    tacit__names_clear(&names);
    tacit__arena_clear(&arena);
    if (!whole)
        tacit__free(codes);
    return whole ? codes : NULL;
}

/* Whether pseudonyms were made with another key: then nobody can join rows by them, and they say
 * nothing of who a row is. */
static bool made_anew(const matching *m, const tacit_previous_link *link, const uint32_t *codes)
{
    uint32_t count = tacit_table_distinct(m->shown->table, link->there);
    for (uint32_t code = 0; code < count; code++)
        if (codes[code] != TACIT__NONE)
            return false;
    return link->rewrite && count > 0;
}

/* Splits the numbers of both sides by one more column. */
static bool link_column(matching *m, const tacit_previous_link *link)
{
    tacit_previous *out = m->out;
    tacit_codes_view here = tacit_table_codes(m->frame->table, link->here);
    tacit_codes_view there = tacit_table_codes(m->shown->table, link->there);
    tacit__numbering pairing = {0};
    uint32_t *codes = translate(m, link);
    bool whole = codes != NULL;
    if (whole && made_anew(m, link, codes)) {
        tacit__free(codes);
        return true;
    }
    for (int64_t row = 0; whole && row < m->rows; row++) {
        out->linked[row] = tacit__numbering_add(
            &pairing, tacit__pair_key(out->linked[row], tacit_codes_at(here, row)));
        whole = out->linked[row] != TACIT__NONE;
    }
    for (int64_t row = 0; whole && row < out->rows; row++) {
        uint32_t code = codes[tacit_codes_at(there, row)], *linked = &m->taker_of[row];
        if (*linked != TACIT_NO_ROW)
            *linked = code == TACIT__NONE
                          ? TACIT_NO_ROW
                          : tacit__numbering_find(&pairing, tacit__pair_key(*linked, code));
    }
    tacit__free(codes);
    tacit__numbering_clear(&pairing);
    return whole;
}

/* ---- givers and takers ---- */

/* Puts the release's rows into classes and, within their links, into the trie. */
static bool plant(matching *m)
{
    tacit_previous *out = m->out;
    bool whole = true;
    for (int32_t d = 0; d < m->depth && whole; d++) {
        rungs *l = &m->ladders[d];
        tacit__numbering classes = {0};
        bool quasi = is_quasi_identifier(m, l->attribute);
        for (int64_t row = 0; row < out->rows && whole; row++) {
            uint32_t code = tacit_codes_at(l->there, row);
            if (quasi)
                out->class_of[row] =
                    tacit__numbering_add(&classes, tacit__pair_key(out->class_of[row], code));
            whole = out->class_of[row] != TACIT__NONE;
            if (whole && m->taker_of[row] != TACIT_NO_ROW) {
                m->taker_of[row] =
                    tacit__numbering_add(&l->children, tacit__pair_key(m->taker_of[row], code));
                whole = m->taker_of[row] != TACIT__NONE;
            }
        }
        if (quasi)
            out->class_count = classes.count;
        m->takers = l->children.count;
        tacit__numbering_clear(&classes);
    }
    return whole;
}

static bool gather_givers(matching *m)
{
    uint32_t *second = tacit__alloc_array((size_t)m->rows, sizeof *second);
    bool whole = second != NULL;
    memcpy(m->giver_of, m->out->linked, (size_t)m->rows * sizeof *m->giver_of);
    for (int32_t d = 0; d < m->depth && whole; d++) {
        for (int64_t row = 0; row < m->rows; row++)
            second[row] = tacit_codes_at(m->ladders[d].here, row);
        whole = tacit__numbering_pairs(m->giver_of, &m->givers, second, m->rows);
    }
    tacit__free(second);
    return whole;
}

static bool count_both(matching *m)
{
    m->supply = tacit__alloc_zeroed(m->givers, sizeof *m->supply);
    m->demand = tacit__alloc_zeroed(m->takers, sizeof *m->demand);
    m->first = tacit__alloc_array(m->givers, sizeof *m->first);
    m->starts = tacit__alloc_zeroed((size_t)m->givers + 1, sizeof *m->starts);
    if (!m->supply || !m->demand || !m->first || !m->starts)
        return false;
    for (int64_t row = m->rows; row-- > 0;) {
        m->supply[m->giver_of[row]]++;
        m->first[m->giver_of[row]] = (uint32_t)row;
    }
    for (int64_t row = 0; row < m->out->rows; row++)
        if (m->taker_of[row] != TACIT_NO_ROW)
            m->demand[m->taker_of[row]]++;
    return true;
}

/* ---- edges ---- */

/* Where a walk down the trie is at each depth. */
typedef struct walk {
    uint32_t node[TACIT_MAX_ATTRIBUTES + 1];
    int next[TACIT_MAX_ATTRIBUTES]; /* the level to try next */
} walk;

/* The next child along a level of the value that was not tried yet; a label that stands on
 * several levels is taken once. */
static bool go_down(walk *w, const rungs *l, int32_t depth, uint32_t code)
{
    int height = tacit_hierarchy_height(l->hierarchy);
    while (w->next[depth] <= height) {
        int level = w->next[depth]++;
        uint32_t label = rungs_code(l, level, code);
        if (label == TACIT__NONE || (level > 0 && rungs_code(l, level - 1, code) == label))
            continue;
        uint32_t child =
            tacit__numbering_find(&l->children, tacit__pair_key(w->node[depth], label));
        if (child == TACIT__NONE)
            continue;
        w->node[depth + 1] = child;
        return true;
    }
    return false;
}

static tacit_status too_many(const matching *m, tacit_error *err)
{
    return tacit__error_at(err, TACIT_LIMIT, tacit_table_file(m->shown->table), 0, 0,
                           "its rows can be rows of the data in too many ways: more than %lld "
                           "pairs of combinations of values fit together; leave it out and audit "
                           "the release with --previous, or link both by a column that tells "
                           "whose row it is (person, or an identifier kept or made a pseudonym)",
                           (long long)m->most);
}

static tacit_status add_edges(matching *m, uint32_t giver, tacit_error *err)
{
    walk w;
    int32_t depth = 0;
    int64_t row = m->first[giver], count = m->starts[giver];
    w.node[0] = m->out->linked[row];
    w.next[0] = 0;
    while (depth >= 0) {
        const rungs *l = &m->ladders[depth];
        if (!go_down(&w, l, depth, tacit_codes_at(l->here, row))) {
            depth--;
        } else if (depth + 1 < m->depth) {
            w.next[++depth] = 0;
        } else if (count == m->most) {
            return too_many(m, err);
        } else {
            if (!TACIT__RESERVE_ONE(m->edges, m->edge_capacity, count))
                return tacit__nomem(err);
            m->edges[count++] = w.node[depth + 1];
        }
    }
    m->starts[giver + 1] = count;
    return TACIT_OK;
}

static tacit_status find_edges(matching *m, tacit_error *err)
{
    enum { BLOCK = 1 << 14 };
    tacit_status status = TACIT_OK;
    m->most = m->shown->max_pairs > 0 ? m->shown->max_pairs : TACIT_PREVIOUS_PAIRS;
    for (uint32_t g = 0; g < m->givers && status == TACIT_OK; g++) {
        status = add_edges(m, g, err);
        if (status == TACIT_OK && g % BLOCK == 0)
            status = tacit__progress(m->run, "matching", g, m->givers, err);
    }
    return status;
}

/* ---- rows ---- */

/* Rows of each number, one list after the other; *starts has one entry more. */
static bool list_rows(uint32_t **rows, int64_t **starts, const uint32_t *number_of, int64_t count,
                      uint32_t numbers)
{
    *rows = tacit__alloc_array((size_t)count, sizeof **rows);
    *starts = tacit__alloc_zeroed((size_t)numbers + 2, sizeof **starts);
    if (!*rows || !*starts)
        return false;
    for (int64_t i = 0; i < count; i++)
        if (number_of[i] != TACIT_NO_ROW)
            (*starts)[number_of[i] + 2]++;
    for (uint32_t i = 0; i < numbers; i++)
        (*starts)[i + 2] += (*starts)[i + 1];
    for (int64_t i = 0; i < count; i++)
        if (number_of[i] != TACIT_NO_ROW)
            (*rows)[(*starts)[number_of[i] + 1]++] = (uint32_t)i;
    return true;
}

static void join(matching *m, uint32_t row, uint32_t old)
{
    uint8_t *levels = m->out->levels + (size_t)row * (size_t)m->out->attributes;
    m->out->old_of[row] = old;
    m->out->matched++;
    for (int32_t d = 0; d < m->depth; d++) {
        const rungs *l = &m->ladders[d];
        levels[l->attribute] =
            rungs_level(l, tacit_codes_at(l->here, row), tacit_codes_at(l->there, old));
    }
}

/* Gives the rows of each giver to rows of its takers, as much as goes along each edge. */
static tacit_status deal(matching *m, tacit_error *err)
{
    uint32_t *rows = NULL, *old = NULL;
    int64_t *starts = NULL, *old_starts = NULL;
    bool whole = list_rows(&rows, &starts, m->giver_of, m->rows, m->givers) &&
                 list_rows(&old, &old_starts, m->taker_of, m->out->rows, m->takers);
    for (uint32_t g = 0; whole && g < m->givers; g++)
        for (int64_t e = m->starts[g]; e < m->starts[g + 1]; e++)
            for (uint32_t n = 0; n < m->flow[e]; n++)
                join(m, rows[starts[g]++], old[old_starts[m->edges[e]]++]);
    m->out->added = m->rows - m->out->matched;
    m->out->removed = m->out->rows - m->out->matched;
    tacit__free(rows);
    tacit__free(old);
    tacit__free(starts);
    tacit__free(old_starts);
    return whole ? TACIT_OK : tacit__nomem(err);
}

/* Columns outside the quasi-identifier first: they tell most rows apart. */
static tacit_status add_ladders(matching *m, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    int32_t before = 0;
    for (int quasi = 0; quasi < 2; quasi++) {
        before = m->depth;
        for (int32_t a = 0; status == TACIT_OK && a < m->frame->attribute_count; a++)
            if (m->shown->columns[a] >= 0 && is_quasi_identifier(m, a) == (quasi == 1))
                status = add_ladder(m, a, err);
    }
    if (status == TACIT_OK && m->depth == before)
        status = tacit__error_at(err, TACIT_INVALID, tacit_table_file(m->shown->table), 0, 0,
                                 "has no column of the quasi-identifier; an earlier release of "
                                 "the data shares columns with it");
    return status;
}

static tacit_status match(matching *m, tacit_error *err)
{
    tacit_status status = matching_init(m, err);
    if (status == TACIT_OK)
        status = add_ladders(m, err);
    for (int32_t i = 0; status == TACIT_OK && i < m->shown->link_count; i++)
        if (!link_column(m, &m->shown->links[i]))
            status = tacit__nomem(err);
    if (status == TACIT_OK && !(plant(m) && gather_givers(m) && count_both(m)))
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = find_edges(m, err);
    if (status != TACIT_OK)
        return status;
    m->flow = tacit__alloc_array((size_t)m->starts[m->givers], sizeof *m->flow);
    if (!m->flow)
        return tacit__nomem(err);
    const tacit__transport problem = {m->givers, m->takers, m->starts,
                                      m->edges,  m->supply, m->demand};
    status = tacit__transport_solve(m->flow, &problem, m->run, err);
    return status == TACIT_OK ? deal(m, err) : status;
}

tacit_status tacit_previous_new(tacit_previous **out, const tacit_frame *frame, uint64_t quasi,
                                const tacit_previous_shown *shown, const tacit_run *run,
                                tacit_error *err)
{
    tacit_status status = tacit__frame_masked(frame, "earlier releases are matched by", err);
    if (status != TACIT_OK)
        return status;
    tacit_previous *previous = tacit__alloc_zeroed(1, sizeof *previous);
    if (!previous)
        return tacit__nomem(err);
    previous->quasi = quasi;
    matching m = {.frame = frame,
                  .shown = shown,
                  .run = run,
                  .out = previous,
                  .rows = tacit_table_rows(frame->table)};
    status = match(&m, err);
    if (status == TACIT_OK && previous->matched == 0 && previous->rows > 0)
        status = tacit__error_at(err, TACIT_INVALID, tacit_table_file(shown->table), 0, 0,
                                 "no row of it can be a row of the data: its values are not what "
                                 "the data's become on any level, or its other columns say "
                                 "something else; was it made from other data or with other "
                                 "hierarchies?");
    matching_clear(&m);
    if (status == TACIT_OK)
        *out = previous;
    else
        tacit_previous_free(previous);
    return status;
}

void tacit_previous_free(tacit_previous *previous)
{
    if (!previous)
        return;
    tacit__free(previous->old_of);
    tacit__free(previous->levels);
    tacit__free(previous->class_of);
    tacit__free(previous->linked);
    tacit__free(previous);
}
