/*
 * draft.c - the dimensions of a table as hierarchy files and columns give them, values of columns
 * found among their codes, and the paper's standardized codes.
 *
 * A hierarchy file comes as a tree of levels (hierarchy/tree.h), in which a leaf of a short
 * branch is repeated down to the ground. Walked depth first from the top, a node that
 * repeats its parent's name as its only child is that parent; every other name must be
 * new: a code that stands twice would be counted twice. A column without a hierarchy is a
 * total and its values. Linear in the file.
 */
#include "cells/read/dimension.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <tacit/experimental/hierarchy.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/vector.h"
#include "cells/cells/inside.h"
#include "cells/read/columns.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/tree.h"

void tacit__draft_clear(tacit__draft *draft)
{
    for (int32_t i = 0; i < draft->tree_count; i++) {
        tacit__free(draft->trees[i].labels);
        tacit__free(draft->trees[i].depths);
    }
    tacit__names_clear(&draft->names);
    *draft = (tacit__draft){0};
}

/* A new tree; NULL where there are too many. */
static tacit__draft_tree *draft_begin(tacit__draft *draft, const char *file, tacit_error *err)
{
    if (draft->tree_count == TACIT_MAX_TREES) {
        tacit__error_at(err, TACIT_LIMIT, file, 0, 0, "more than %d hierarchies of one dimension",
                        TACIT_MAX_TREES);
        return NULL;
    }
    tacit__draft_tree *tree = &draft->trees[draft->tree_count++];
    tree->file = file;
    return tree;
}

/* The next name of the latest tree, depth first. */
static tacit_status draft_add(tacit__draft *draft, tacit_strview label, int32_t depth,
                              tacit_error *err)
{
    tacit__draft_tree *tree = &draft->trees[draft->tree_count - 1];
    bool added;
    uint32_t number = tacit__names_add(&draft->names, label, &added);
    size_t needed = (size_t)tree->count + 1;
    if (number == TACIT__NONE || !TACIT__RESERVE(tree->labels, tree->label_capacity, needed) ||
        !TACIT__RESERVE(tree->depths, tree->depth_capacity, needed))
        return tacit__nomem(err);
    if (draft->names.count > TACIT_MAX_CELLS)
        return tacit__error_at(err, TACIT_LIMIT, tree->file, 0, 0, "more than %d codes",
                               TACIT_MAX_CELLS);
    tree->labels[tree->count] = (int32_t)number;
    tree->depths[tree->count++] = depth;
    return TACIT_OK;
}

/* The walk from the top of a tree of levels: nodes of each level sorted by parent, which
 * keeps the order of the file among brothers. */
typedef struct walk {
    const tacit__tree *tree;
    uint32_t *starts[TACIT_MAX_LEVELS];   /* by node of the level above: its first child */
    uint32_t *children[TACIT_MAX_LEVELS]; /* of the level */
    uint32_t next[TACIT_MAX_LEVELS];      /* place in children, while walking */
    bool *seen;                           /* a name of the draft each */
    size_t seen_capacity;
    tacit__arena *arena;
} walk;

static void walk_clear(walk *w)
{
    for (int i = 0; i < TACIT_MAX_LEVELS; i++) {
        tacit__free(w->starts[i]);
        tacit__free(w->children[i]);
    }
    tacit__free(w->seen);
}

static tacit_status sort_children(walk *w, int level, tacit_error *err)
{
    const tacit__tree_level *at = &w->tree->levels[level];
    uint32_t parents = w->tree->levels[level + 1].names.count, count = at->names.count;
    uint32_t *starts = w->starts[level] = tacit__alloc_zeroed((size_t)parents + 2, sizeof *starts);
    uint32_t *children = w->children[level] = tacit__alloc_array(count, sizeof *children);
    if (!starts || !children)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < count; i++)
        starts[at->branches[i].parent + 2]++;
    for (uint32_t i = 0; i < parents; i++)
        starts[i + 2] += starts[i + 1];
    for (uint32_t i = 0; i < count; i++)
        children[starts[at->branches[i].parent + 1]++] = i;
    return TACIT_OK;
}

static tacit_strview name_at(const walk *w, int level, uint32_t node)
{
    return w->tree->levels[level].names.labels[node];
}

/* Whether the node repeats its parent, being its only child. */
static bool repeats(const walk *w, int level, uint32_t node)
{
    if (level + 1 == w->tree->level_count)
        return false;
    uint32_t parent = w->tree->levels[level].branches[node].parent;
    const uint32_t *starts = w->starts[level];
    return starts[parent + 1] - starts[parent] == 1 &&
           tacit_strview_equal(name_at(w, level, node), name_at(w, level + 1, parent));
}

static tacit_status visit(walk *w, tacit__draft *draft, int level, uint32_t node, int32_t depth,
                          tacit_error *err)
{
    const tacit__tree_level *at = &w->tree->levels[level];
    tacit_strview label = at->names.labels[node];
    uint32_t known = tacit__names_find(&draft->names, label);
    if (!label.len)
        return tacit__error_at(err, TACIT_PARSE, w->tree->file, at->branches[node].line, 0,
                               "a code is empty; write one");
    if (known != TACIT__NONE && known < w->seen_capacity && w->seen[known])
        return tacit__error_at(err, TACIT_PARSE, w->tree->file, at->branches[node].line, 0,
                               "%s stands twice in the hierarchy; a code has one parent",
                               tacit__show_value(err, label).text);
    tacit_strview copy = tacit__arena_copy(w->arena, label);
    if (!copy.bytes)
        return tacit__nomem(err);
    tacit_status status = draft_add(draft, copy, depth, err);
    size_t room = w->seen_capacity, needed = draft->names.count;
    if (status == TACIT_OK && !TACIT__RESERVE(w->seen, w->seen_capacity, needed))
        status = tacit__nomem(err);
    if (status != TACIT_OK)
        return status;
    if (w->seen_capacity > room)
        memset(w->seen + room, 0, (w->seen_capacity - room) * sizeof *w->seen);
    w->seen[known != TACIT__NONE ? known : draft->names.count - 1] = true;
    return TACIT_OK;
}

/* Depth first, without recursion: nodes[l] is the node that is open on level l. */
static tacit_status walk_down(walk *w, tacit__draft *draft, tacit_error *err)
{
    int top = w->tree->level_count - 1, level = top;
    uint32_t nodes[TACIT_MAX_LEVELS] = {0};
    int32_t depths[TACIT_MAX_LEVELS] = {0};
    tacit_status status = visit(w, draft, top, 0, 0, err);
    if (top > 0)
        w->next[top - 1] = 0;
    while (status == TACIT_OK && level <= top) {
        if (level == 0 || w->next[level - 1] == w->starts[level - 1][nodes[level] + 1]) {
            level++;
            continue;
        }
        uint32_t node = w->children[level - 1][w->next[level - 1]++];
        bool same = repeats(w, level - 1, node);
        level--;
        nodes[level] = node;
        depths[level] = depths[level + 1] + !same;
        if (!same)
            status = visit(w, draft, level, node, depths[level], err);
        if (level > 0)
            w->next[level - 1] = w->starts[level - 1][node];
    }
    return status;
}

/* The tree's names after the draft's, depth first. */
static tacit_status add_tree(tacit__draft *draft, const tacit__tree *tree, tacit__arena *arena,
                             tacit_error *err)
{
    walk w = {.tree = tree, .arena = arena};
    tacit_status status = draft_begin(draft, tree->file, err) ? TACIT_OK : TACIT_LIMIT;
    for (int level = 0; status == TACIT_OK && level + 1 < tree->level_count; level++)
        status = sort_children(&w, level, err);
    if (status == TACIT_OK)
        status = walk_down(&w, draft, err);
    walk_clear(&w);
    return status;
}

tacit_status tacit__draft_bytes(tacit__draft *draft, tacit_strview bytes, const char *name,
                                tacit__arena *arena, tacit_error *err)
{
    tacit__tree *tree = tacit__alloc_zeroed(1, sizeof *tree);
    tacit__rows rows = {0};
    if (!tree)
        return tacit__nomem(err);
    tree->file = name;
    tacit_status status = tacit__rows_init(&rows, bytes, name, err);
    if (status == TACIT_OK)
        status = tacit__tree_read(tree, &rows, err);
    if (status == TACIT_OK)
        status = add_tree(draft, tree, arena, err);
    tacit__tree_clear(tree);
    tacit__free(tree);
    tacit__rows_clear(&rows);
    return status;
}

/* A tree from a hierarchy file, names copied to the arena. */
static tacit_status draft_file(tacit__draft *draft, const char *path, tacit__arena *arena,
                               tacit_error *err)
{
    tacit__input input = {0};
    tacit_status status = tacit__input_open(&input, path, TACIT__MAX_HIERARCHY_BYTES, NULL, err);
    if (status == TACIT_OK)
        status =
            tacit__draft_bytes(draft, (tacit_strview){input.bytes, input.len}, path, arena, err);
    tacit__input_close(&input);
    return status;
}

/* A total and the column's values under it. */
static tacit_status draft_flat(tacit__draft *draft, const tacit_table *table, int32_t column,
                               const char *total, tacit__arena *arena, tacit_error *err)
{
    tacit_strview root = tacit__arena_copy(arena, tacit_strview_of(total ? total : "Total"));
    if (!root.bytes)
        return tacit__nomem(err);
    if (!draft_begin(draft, NULL, err))
        return TACIT_LIMIT;
    tacit_status status = draft_add(draft, root, 0, err);
    for (uint32_t code = 0; status == TACIT_OK && code < tacit_table_distinct(table, column);
         code++) {
        tacit_strview value = tacit_table_value(table, column, code);
        if (tacit_strview_equal(value, root))
            continue;
        tacit_strview copy = tacit__arena_copy(arena, value);
        status = copy.bytes ? draft_add(draft, copy, 1, err) : tacit__nomem(err);
    }
    return status;
}

/* A dimension as a specification says, for a coded column. */
static tacit_status draft_column(tacit__draft *draft, const tacit_table *table, int32_t column,
                                 const tacit_dimension_spec *spec, tacit__arena *arena,
                                 tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (!spec->hierarchy_count)
        return draft_flat(draft, table, column, spec->total, arena, err);
    for (int32_t i = 0; status == TACIT_OK && i < spec->hierarchy_count; i++)
        status = draft_file(draft, spec->hierarchies[i], arena, err);
    return status;
}

static tacit_status read_dimension(tacit_cells *cells, int32_t index, const tacit_table *table,
                                   int32_t column, const tacit_dimension_spec *spec,
                                   tacit_error *err)
{
    tacit__draft draft = {0};
    tacit__arena *arena = &cells->inside->arena;
    tacit_strview name = tacit__arena_copy(arena, tacit_strview_of(spec->column));
    tacit_status status = name.bytes ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = draft_column(&draft, table, column, spec, arena, err);
    if (status == TACIT_OK)
        status = tacit__dimension_init(&cells->dimensions[index], &draft, name, err);
    if (status == TACIT_OK)
        cells->dimension_count = index + 1;
    tacit__draft_clear(&draft);
    return status;
}

static tacit_status allocate_dimensions(tacit_cells *cells, int32_t count, tacit_error *err)
{
    cells->dimensions = tacit__alloc_zeroed((size_t)count, sizeof *cells->dimensions);
    return cells->dimensions ? TACIT_OK : tacit__nomem(err);
}

static tacit_status check_spec(const tacit_cells_spec *spec, tacit_error *err)
{
    if (spec->dimension_count < 1 || spec->dimension_count > TACIT_MAX_DIMENSIONS)
        return tacit__error(err, TACIT_INVALID, "%d dimensions; a table has from 1 to %d",
                            spec->dimension_count, TACIT_MAX_DIMENSIONS);
    for (int32_t i = 0; i < spec->dimension_count; i++)
        for (int32_t j = 0; j < i; j++)
            if (!strcmp(spec->dimensions[i].column, spec->dimensions[j].column))
                return tacit__error(err, TACIT_INVALID, "dimension \"%s\" is named twice",
                                    tacit__show(tacit_strview_of(spec->dimensions[i].column)).text);
    return TACIT_OK;
}

bool tacit__dimension_names(tacit__names *names, const tacit_dimension *dimension)
{
    for (int32_t i = 0; i < dimension->label_count; i++) {
        bool added;
        if (tacit__names_add(names, dimension->labels[i], &added) == TACIT__NONE)
            return false;
    }
    return true;
}

static tacit_status bind_values(int32_t *codes, const tacit_dimension *dimension,
                                const tacit__names *names, const tacit_table *table, int32_t column,
                                bool ground, tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    tacit__shown name = tacit__show(dimension->name);
    for (uint32_t i = 0; i < distinct; i++) {
        tacit_strview value = tacit_table_value(table, column, i);
        uint32_t label = tacit__names_find(names, value);
        if (label == TACIT__NONE)
            return tacit__column_error(table, column, i, TACIT_PARSE, err,
                                       "%s is not in the hierarchy of dimension \"%s\"; "
                                       "add it there",
                                       tacit__show_value(err, value).text, name.text);
        codes[i] = dimension->code_of[label];
        if (ground && dimension->inner[label])
            return tacit__column_error(table, column, i, TACIT_PARSE, err,
                                       "%s of dimension \"%s\" is a total; a record needs "
                                       "a code without parts",
                                       tacit__show_value(err, value).text, name.text);
    }
    if (tacit_table_has_missing(table, column))
        return tacit__column_error(table, column, distinct, TACIT_PARSE, err,
                                   "dimension \"%s\" has no code here; write one", name.text);
    return TACIT_OK;
}

static tacit_status bind(int32_t **out, const tacit_dimension *dimension, const tacit_table *table,
                         int32_t column, bool ground, tacit_error *err)
{
    tacit__names names = {0};
    int32_t *codes =
        tacit__alloc_array((size_t)tacit_table_distinct(table, column) + 1, sizeof *codes);
    tacit_status status = TACIT_OK;
    if (!codes || !tacit__dimension_names(&names, dimension))
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = bind_values(codes, dimension, &names, table, column, ground, err);
    tacit__names_clear(&names);
    if (status == TACIT_OK)
        *out = codes;
    else
        tacit__free(codes);
    return status;
}

void tacit__bound_clear(tacit__bound *bound)
{
    for (int32_t d = 0; d < TACIT_MAX_DIMENSIONS; d++)
        tacit__free(bound->codes[d]);
    *bound = (tacit__bound){0};
}

tacit_status tacit__bound_init(tacit__bound *bound, tacit_cells *cells, const tacit_table *table,
                               const tacit_cells_spec *spec, bool ground, tacit_error *err)
{
    tacit_status status = check_spec(spec, err);
    if (status != TACIT_OK)
        return status;
    bound->cells = cells;
    status = allocate_dimensions(cells, spec->dimension_count, err);
    for (int32_t i = 0; status == TACIT_OK && i < spec->dimension_count; i++) {
        int32_t column;
        status = tacit__column_find(&column, table, spec->dimensions[i].column, err);
        if (status == TACIT_OK)
            status = read_dimension(cells, i, table, column, &spec->dimensions[i], err);
        if (status == TACIT_OK)
            status = bind(&bound->codes[i], &cells->dimensions[i], table, column, ground, err);
        if (status == TACIT_OK)
            bound->views[i] = tacit_table_codes(table, column);
    }
    return status == TACIT_OK ? tacit__cells_lay_out(cells, err) : status;
}

/* Whether a column names a code that has parts. */
static tacit_status has_total(bool *out, const tacit_dimension *dimension, const tacit_table *table,
                              int32_t column, tacit_error *err)
{
    tacit__names names = {0};
    tacit_status status = tacit__dimension_names(&names, dimension) ? TACIT_OK : tacit__nomem(err);
    for (uint32_t i = 0; status == TACIT_OK && i < tacit_table_distinct(table, column); i++) {
        uint32_t label = tacit__names_find(&names, tacit_table_value(table, column, i));
        *out |= label != TACIT__NONE && dimension->inner[label];
    }
    tacit__names_clear(&names);
    return status;
}

tacit_status tacit_cells_is_table(bool *out, const tacit_table *table, const tacit_cells_spec *spec,
                                  tacit_error *err)
{
    bool found = spec->freq || tacit_table_find(table, tacit_strview_of("freq")) >= 0 ||
                 tacit_table_find(table, tacit_strview_of("status")) >= 0 ||
                 tacit_table_find(table, tacit_strview_of("max1")) >= 0;
    tacit_status status = check_spec(spec, err);
    tacit_cells *cells = NULL;
    if (status == TACIT_OK && !found)
        status = tacit__cells_new(&cells, NULL, err);
    if (status == TACIT_OK && !found)
        status = allocate_dimensions(cells, spec->dimension_count, err);
    for (int32_t i = 0; status == TACIT_OK && !found && i < spec->dimension_count; i++) {
        int32_t column;
        status = tacit__column_find(&column, table, spec->dimensions[i].column, err);
        if (status == TACIT_OK)
            status = read_dimension(cells, i, table, column, &spec->dimensions[i], err);
        if (status == TACIT_OK)
            status = has_total(&found, &cells->dimensions[i], table, column, err);
    }
    tacit_cells_free(cells);
    if (status == TACIT_OK)
        *out = found;
    return status;
}

static int digits_of(int32_t number)
{
    int digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* Which of its parent's parts a code is, from 1; the root: 0. */
static int32_t ordinal(const tacit_code_tree *tree, int32_t code)
{
    int32_t parent = tree->parent[code];
    if (parent < 0)
        return 0;
    int32_t at = tree->child_starts[parent];
    while (tree->children[at] != code)
        at++;
    return at - tree->child_starts[parent] + 1;
}

size_t tacit_dimension_standard(char *buffer, size_t size, const tacit_dimension *dimension,
                                int32_t code)
{
    const tacit_code_tree *tree = &dimension->trees[0];
    int widths[TACIT_MAX_LEVELS] = {1};
    int32_t numbers[TACIT_MAX_LEVELS] = {0};
    assert(tree->level[code] >= 0);
    for (int32_t c = 0; c < dimension->code_count; c++) {
        int32_t parts = tree->child_starts[c + 1] - tree->child_starts[c];
        if (parts && digits_of(parts) > widths[tree->level[c] + 1])
            widths[tree->level[c] + 1] = digits_of(parts);
    }
    for (int32_t c = code; c >= 0; c = tree->parent[c])
        numbers[tree->level[c]] = ordinal(tree, c);
    size_t len = 0;
    for (int32_t level = 0; level < tree->levels; level++) {
        char text[16];
        int wrote = snprintf(text, sizeof text, "%0*d", widths[level], numbers[level]);
        for (int i = 0; i < wrote; i++, len++)
            if (len + 1 < size)
                buffer[len] = text[i];
    }
    if (size)
        buffer[len < size ? len : size - 1] = '\0';
    return len;
}
