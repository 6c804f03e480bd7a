/*
 * gaps.c - all that keeps a hierarchy file from being a column's hierarchy, told at once.
 *
 * The reader (file.c) stops at the first fault, as it must. Here a file of values and ancestors is
 * walked to its end whatever its rows are like: on each level a value's first parent is kept, and
 * every row that says another is a gap. The values of the data are then looked up among the first
 * fields of all rows, sound or not. In .hrc files and lists of code and parent a fault changes what
 * the lines after it mean, so the reader's own first error is told. A file has no gap but unused
 * values exactly if the reader takes it. Linear in the file and the column.
 */
#include "hierarchy/gaps.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/tree.h"

typedef struct tacit_hierarchy_gaps_texts {
    tacit__arena arena;
} gap_texts;

/* The first row that a value of a level was met in. */
typedef struct first_met {
    tacit_strview parent;
    int64_t line;
} first_met;

typedef struct met_level {
    tacit__names names;
    first_met *firsts;
    size_t capacity;
} met_level;

typedef struct gap_search {
    tacit_hierarchy_gaps *gaps;
    const tacit_table *table;
    int32_t column;
    tacit__rows rows;
    tacit__tree tree;    /* of .hrc files and lists */
    tacit__names ground; /* first fields */
    int64_t *lines;      /* a ground value each */
    size_t line_capacity;
    met_level levels[TACIT_MAX_LEVELS];
    int level_count;
} gap_search;

/* ---- the list ---- */

static tacit_status add_gap(gap_search *s, tacit_hierarchy_gap gap, const char *about,
                            tacit_error *err)
{
    tacit_hierarchy_gaps *gaps = s->gaps;
    gap.value = tacit__arena_copy(&gaps->texts->arena, gap.value);
    gap.about = tacit__arena_copy(&gaps->texts->arena, tacit_strview_of(about)).bytes;
    if (!gap.value.bytes || !gap.about ||
        !TACIT__PUSH(gaps->items, gaps->capacity, gaps->count, gap))
        return tacit__nomem(err);
    gaps->of_kind[gap.kind]++;
    return TACIT_OK;
}

/* What the reader cannot go on after becomes a gap; want of memory stays an error. */
static tacit_status add_fault(gap_search *s, const tacit_error *fault, tacit_error *err)
{
    if (fault->status != TACIT_PARSE && fault->status != TACIT_LIMIT)
        return tacit__nomem(err);
    tacit_hierarchy_gap gap = {.kind = TACIT_GAP_FORM, .line = fault->line, .value = {"", 0}};
    return add_gap(s, gap, fault->message, err);
}

/* ---- rows of values and ancestors ---- */

static tacit_status note_ground(gap_search *s, tacit_error *err)
{
    bool added;
    uint32_t at = tacit__names_add(&s->ground, s->rows.fields[0], &added);
    if (at == TACIT__NONE || (added && !TACIT__RESERVE_ONE(s->lines, s->line_capacity, at)))
        return tacit__nomem(err);
    if (added)
        s->lines[at] = s->rows.line;
    return TACIT_OK;
}

static tacit_status note_parent(gap_search *s, int level, tacit_error *err)
{
    met_level *at = &s->levels[level];
    tacit_strview value = s->rows.fields[level], parent = s->rows.fields[level + 1];
    bool added;
    uint32_t node = tacit__names_add(&at->names, value, &added);
    if (node == TACIT__NONE || (added && !TACIT__RESERVE_ONE(at->firsts, at->capacity, node)))
        return tacit__nomem(err);
    if (added)
        at->firsts[node] = (first_met){parent, s->rows.line};
    if (tacit_strview_equal(at->firsts[node].parent, parent))
        return TACIT_OK;
    char about[600];
    tacit__shown former = tacit__show(at->firsts[node].parent), latter = tacit__show(parent);
    snprintf(about, sizeof about, "on level %d lies under \"%s\" (line %lld) and under \"%s\"",
             level, former.text, (long long)at->firsts[node].line, latter.text);
    return add_gap(s, (tacit_hierarchy_gap){TACIT_GAP_TWO_PARENTS, s->rows.line, 0, value, NULL},
                   about, err);
}

static tacit_status note_root(gap_search *s, tacit_error *err)
{
    met_level *top = &s->levels[s->level_count - 1];
    tacit_strview root = s->rows.fields[s->level_count - 1];
    bool added;
    if (tacit__names_add(&top->names, root, &added) == TACIT__NONE)
        return tacit__nomem(err);
    if (!added || top->names.count == 1)
        return TACIT_OK;
    return add_gap(s, (tacit_hierarchy_gap){TACIT_GAP_ROOTS, s->rows.line, 0, root, NULL},
                   "is another most general value than the first row's", err);
}

/* Level of the first field without a value; 0: all have one. */
static int empty_field(const tacit__rows *rows)
{
    for (int i = 1; i < rows->count; i++)
        if (!rows->fields[i].len)
            return i;
    return 0;
}

static tacit_status walk_row(gap_search *s, tacit_error *err)
{
    char about[120];
    const tacit__rows *rows = &s->rows;
    tacit_hierarchy_gap gap = {TACIT_GAP_LENGTH, rows->line, 0, rows->fields[0], NULL};
    if (!s->level_count)
        s->level_count = rows->count;
    tacit_status status = note_ground(s, err);
    if (status != TACIT_OK)
        return status;
    if (rows->count != s->level_count) {
        snprintf(about, sizeof about, "has %d fields where the first row has %d", rows->count,
                 s->level_count);
        return add_gap(s, gap, about, err);
    }
    int empty = empty_field(rows);
    if (empty) {
        gap.kind = TACIT_GAP_EMPTY;
        snprintf(about, sizeof about, "has nothing on level %d", empty);
        return add_gap(s, gap, about, err);
    }
    for (int level = 0; level + 1 < s->level_count && status == TACIT_OK; level++)
        status = note_parent(s, level, err);
    return status == TACIT_OK ? note_root(s, err) : status;
}

static tacit_status walk_rows(gap_search *s, tacit_error *err)
{
    tacit_error fault = {0};
    while (tacit__rows_next(&s->rows, &fault) == TACIT_OK && s->rows.count) {
        tacit_status status = walk_row(s, err);
        if (status != TACIT_OK)
            return status;
    }
    return fault.status == TACIT_OK ? TACIT_OK : add_fault(s, &fault, err);
}

/* ---- files of other forms ---- */

static tacit_status walk_tree(gap_search *s, tacit_error *err)
{
    tacit_error fault = {0};
    s->tree.file = s->rows.file;
    if (tacit__tree_read(&s->tree, &s->rows, &fault) != TACIT_OK)
        return add_fault(s, &fault, err);
    s->level_count = s->tree.level_count;
    for (int level = 0; level < s->level_count; level++) {
        const tacit__names *names = &s->tree.levels[level].names;
        for (uint32_t i = 0; i < names->count; i++) {
            bool added;
            uint32_t at = tacit__names_add(level ? &s->levels[level].names : &s->ground,
                                           names->labels[i], &added);
            if (at == TACIT__NONE ||
                (!level && !TACIT__RESERVE_ONE(s->lines, s->line_capacity, at)))
                return tacit__nomem(err);
            if (!level)
                s->lines[at] = s->tree.levels[0].branches[i].line;
        }
    }
    return TACIT_OK;
}

/* ---- the data's values ---- */

static bool is_above(const gap_search *s, tacit_strview value)
{
    for (int level = 1; level < s->level_count; level++)
        if (tacit__names_find(&s->levels[level].names, value) != TACIT__NONE)
            return true;
    return false;
}

static tacit_status compare_values(gap_search *s, const int64_t *rows, bool *used, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    uint32_t distinct = tacit_table_distinct(s->table, s->column);
    for (uint32_t code = 0; code < distinct && status == TACIT_OK; code++) {
        tacit_strview value = tacit_table_value(s->table, s->column, code);
        uint32_t at = tacit__names_find(&s->ground, value);
        if (at != TACIT__NONE) {
            used[at] = true;
            continue;
        }
        bool above = is_above(s, value);
        status = add_gap(s,
                         (tacit_hierarchy_gap){above ? TACIT_GAP_ABOVE : TACIT_GAP_LACKING, 0,
                                               rows[code], value, NULL},
                         above ? "stands only above other values; it needs a row of its own"
                               : "is in the data and not in the file",
                         err);
    }
    for (uint32_t i = 0; i < s->ground.count && status == TACIT_OK; i++)
        if (!used[i] && s->ground.labels[i].len)
            status = add_gap(
                s,
                (tacit_hierarchy_gap){TACIT_GAP_UNUSED, s->lines[i], 0, s->ground.labels[i], NULL},
                "is not in the data", err);
    return status;
}

static tacit_status look_up_values(gap_search *s, tacit_error *err)
{
    int64_t *rows = NULL;
    bool *used = tacit__alloc_zeroed((size_t)s->ground.count + 1, sizeof *used);
    tacit_status status =
        used ? tacit_hierarchy_rows(&rows, s->table, s->column, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = compare_values(s, rows, used, err);
    tacit_hierarchy_rows_free(rows);
    tacit__free(used);
    return status;
}

/* ---- a check ---- */

static tacit_status search_bytes(gap_search *s, tacit_strview bytes, const char *name,
                                 tacit_error *err)
{
    tacit_error fault = {0};
    tacit__tree_form form = TACIT__FORM_ANCESTORS;
    tacit_status status = tacit__rows_init(&s->rows, bytes, name, &fault);
    if (status == TACIT_OK)
        status = tacit__tree_form_of(&form, &s->rows, &fault);
    if (status != TACIT_OK)
        return add_fault(s, &fault, err);
    status = form == TACIT__FORM_ANCESTORS ? walk_rows(s, err) : walk_tree(s, err);
    if (status == TACIT_OK && !s->gaps->of_kind[TACIT_GAP_FORM])
        status = look_up_values(s, err);
    return status;
}

static void clear_search(gap_search *s)
{
    for (int level = 0; level < TACIT_MAX_LEVELS; level++) {
        tacit__names_clear(&s->levels[level].names);
        tacit__free(s->levels[level].firsts);
    }
    tacit__names_clear(&s->ground);
    tacit__free(s->lines);
    tacit__tree_clear(&s->tree);
    tacit__rows_clear(&s->rows);
    tacit__free(s);
}

tacit_status tacit__gaps_of_bytes(tacit_hierarchy_gaps **out, tacit_strview bytes, const char *name,
                                  const tacit_table *table, int32_t column, tacit_error *err)
{
    gap_search *s = tacit__alloc_zeroed(1, sizeof *s);
    tacit_hierarchy_gaps *gaps = tacit__alloc_zeroed(1, sizeof *gaps);
    if (gaps)
        gaps->texts = tacit__alloc_zeroed(1, sizeof *gaps->texts);
    tacit_status status = s && gaps && gaps->texts ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        s->gaps = gaps;
        s->table = table;
        s->column = column;
        status = search_bytes(s, bytes, name, err);
    }
    if (s)
        clear_search(s);
    if (status == TACIT_OK)
        *out = gaps;
    else
        tacit_hierarchy_gaps_free(gaps);
    return status;
}

void tacit_hierarchy_gaps_free(tacit_hierarchy_gaps *gaps)
{
    if (!gaps)
        return;
    if (gaps->texts)
        tacit__arena_clear(&gaps->texts->arena);
    tacit__free(gaps->texts);
    tacit__free(gaps->items);
    tacit__free(gaps);
}

tacit_status tacit_hierarchy_check(tacit_hierarchy_gaps **out, const char *path,
                                   const tacit_table *table, int32_t column, tacit_error *err)
{
    tacit__input input = {0};
    tacit_status status = tacit__input_open(&input, path, TACIT__MAX_HIERARCHY_BYTES, NULL, err);
    if (status == TACIT_OK)
        status = tacit__gaps_of_bytes(out, (tacit_strview){input.bytes, input.len}, path, table,
                                      column, err);
    tacit__input_close(&input);
    return status;
}
