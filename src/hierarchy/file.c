/*
 * file.c - hierarchy files: which form a file has, the tree of values that it says, and the values
 * of a column found in it.
 *
 * Three forms are told apart by content:
 *   - ancestors: a row a ground value, then its ancestors in order, all rows equally long and
 * ending in one common value (`02138;0213*;021**;*`). A row that starts with an empty value says
 * what missing generalizes to. Identical rows are one.
 *   - .hrc, the files of tau-Argus and sdcTable: a line a code, depth first, indented by leading @
 *     characters, with a delimiter between the indentation and the code (`@@;a101`) or without
 *     (`@a101`, codes of the first depth bare). The first line's indentation is the first depth;
 *     each line may go one deeper than the line before it. Several codes of the first depth imply a
 *     root, `Total`.
 *   - a list of two columns, code and parent, in any order. A root has an empty parent, or is a
 *     parent that is never a code. A row with an empty code says what missing generalizes to. A
 * file of two columns may also be values, each with its one ancestor (`Male;*`). It is a list if
 * its first row is `code,parent` in any case, or if its second column holds several values and one
 *     of them is also in the first column. In all other cases both readings agree, or both are
 *     errors.
 * Codes that nothing stands under are the ground values; where branches differ in depth, a short
 * branch's code stays itself on the lower levels until its parent's.
 *
 * In the tree each level has its own name space: a value may stand on several levels (a code that
 * stays itself while others are generalized), but on one level it has one parent. Adding a path
 * costs a look-up for each value that is new and one more; from there on the path is compared with
 * what the tree holds, which finds a second parent on any level. Numbering names, finding cycles
 * and depths are each linear in the file.
 *
 * Every code of the column is then looked up once, on the tree's ground level. From there on each
 * level walks the values that the column has on the level below, in their order, so numbers follow
 * first appearance; a level costs its own size in the file plus the column's. Only labels that the
 * column reaches are kept. Missing follows the row of the empty value, where there is one and the
 * column misses anything: it comes after all codes, so a value that only missing reaches is
 * numbered last.
 */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/formula.h"
#include "base/vector.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/tree.h"

/* A tree as parents: what .hrc files and lists of code and parent say. */
typedef struct tree_entry {
    tacit_strview label;
    uint32_t parent; /* an entry, or TACIT__NONE */
    uint32_t line;
    int32_t depth; /* of roots: 0 */
    bool inner;    /* somebody's parent */
} tree_entry;

static tacit_strview label_at(const tacit__tree *tree, int level, uint32_t node)
{
    return tree->levels[level].names.labels[node];
}

static uint32_t add_node(tacit__tree *tree, int level, tacit_strview label, int64_t line,
                         bool *added)
{
    tacit__tree_level *at = &tree->levels[level];
    if (!TACIT__RESERVE_ONE(at->branches, at->capacity, at->names.count))
        return TACIT__NONE;
    uint32_t node = tacit__names_add(&at->names, label, added);
    if (node != TACIT__NONE && *added)
        at->branches[node] = (tacit__hierarchy_branch){TACIT__NONE, (uint32_t)line};
    return node;
}

static tacit_status two_parents(const tacit__tree *tree, int level, uint32_t node, int64_t line,
                                tacit_error *err)
{
    tacit__shown value = tacit__show_value(err, label_at(tree, level, node));
    return tacit__error_at(err, TACIT_PARSE, tree->file, line, 0,
                           "%s on level %d has two parents, one here and one on line %u; keep "
                           "one of them",
                           value.text, level, tree->levels[level].branches[node].line);
}

/* Compares the rest of a path, from a node that the tree has. */
static tacit_status check_above(const tacit__tree *tree, int level, uint32_t node,
                                const tacit_strview *labels, int64_t line, tacit_error *err)
{
    for (; level + 1 < tree->level_count; level++) {
        uint32_t parent = tree->levels[level].branches[node].parent;
        if (!tacit_strview_equal(label_at(tree, level + 1, parent), labels[level + 1]))
            return two_parents(tree, level, node, line, err);
        node = parent;
    }
    return TACIT_OK;
}

static tacit_status several_roots(const char *file, int64_t line, uint32_t first_line,
                                  tacit_strview second, tacit_error *err)
{
    tacit__shown latter = tacit__show_value(err, second);
    return tacit__error_at(err, TACIT_PARSE, file, line, 0,
                           "several roots, %s here and another on line %u; put one most general "
                           "value, such as *, above them",
                           latter.text, first_line);
}

tacit_status tacit__tree_add(tacit__tree *tree, const tacit_strview *labels, int64_t line,
                             tacit_error *err)
{
    int top = tree->level_count - 1;
    uint32_t below = TACIT__NONE;
    for (int level = 0; level <= top; level++) {
        bool added;
        uint32_t node = add_node(tree, level, labels[level], line, &added);
        if (node == TACIT__NONE)
            return tacit__nomem(err);
        if (level > 0)
            tree->levels[level - 1].branches[below].parent = node;
        if (!added)
            return check_above(tree, level, node, labels, line, err);
        below = node;
    }
    if (below > 0)
        return several_roots(tree->file, line, tree->levels[top].branches[0].line, labels[top],
                             err);
    return TACIT_OK;
}

void tacit__tree_clear(tacit__tree *tree)
{
    for (int i = 0; i < TACIT_MAX_LEVELS; i++) {
        tacit__names_clear(&tree->levels[i].names);
        tacit__free(tree->levels[i].branches);
    }
    *tree = (tacit__tree){0};
}

/* What the entries are like as a whole. */
typedef struct shape {
    int32_t deepest;
    uint32_t roots;
    uint32_t first_root, second_root;
} shape;

static shape measure(const tree_entry *entries, uint32_t count)
{
    shape of = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (entries[i].depth > of.deepest)
            of.deepest = entries[i].depth;
        if (entries[i].parent != TACIT__NONE)
            continue;
        if (of.roots == 0)
            of.first_root = i;
        else if (of.roots == 1)
            of.second_root = i;
        of.roots++;
    }
    return of;
}

/* The labels of a leaf from level 0 up to its root. */
static int fill_path(tacit_strview *labels, const tree_entry *entries, uint32_t leaf,
                     int32_t deepest)
{
    int level = 0;
    for (int32_t pad = deepest - entries[leaf].depth; pad > 0; pad--)
        labels[level++] = entries[leaf].label;
    for (uint32_t at = leaf; at != TACIT__NONE; at = entries[at].parent)
        labels[level++] = entries[at].label;
    return level;
}

/* Adds every leaf of the entries. Leaves above the deepest stay themselves on
 * the levels that their branch does not have. root is put above several roots;
 * with its bytes NULL they are an error. Sets tree->level_count. */
static tacit_status add_entries(tacit__tree *tree, const tree_entry *entries, uint32_t count,
                                tacit_strview root, tacit_error *err)
{
    shape of = measure(entries, count);
    if (of.roots > 1 && !root.bytes)
        return several_roots(tree->file, entries[of.second_root].line, entries[of.first_root].line,
                             entries[of.second_root].label, err);
    if (of.deepest + 1 + (of.roots > 1) > TACIT_MAX_LEVELS)
        return tacit__error_at(err, TACIT_LIMIT, tree->file, 0, 0, "more than %d levels",
                               TACIT_MAX_LEVELS);
    tree->level_count = of.deepest + 1 + (of.roots > 1);
    tacit_strview labels[TACIT_MAX_LEVELS];
    for (uint32_t i = 0; i < count; i++) {
        if (entries[i].inner)
            continue;
        int level = fill_path(labels, entries, i, of.deepest);
        if (of.roots > 1)
            labels[level] = root;
        tacit_status status = tacit__tree_add(tree, labels, entries[i].line, err);
        if (status != TACIT_OK)
            return status;
    }
    return TACIT_OK;
}

static const char indent = '@';

typedef struct lines {
    tree_entry *entries;
    size_t capacity;
    uint32_t count;
    uint32_t open[TACIT_MAX_LEVELS]; /* the latest entry of each depth */
    size_t first;                    /* indentation of the first line */
} lines;

static size_t indentation(tacit_strview text)
{
    size_t count = 0;
    while (count < text.len && text.bytes[count] == indent)
        count++;
    return count;
}

/* Takes a line apart. */
static tacit_status read_line(size_t *depth, tacit_strview *code, const tacit__rows *rows,
                              tacit_error *err)
{
    tacit_strview first = rows->fields[0];
    *depth = indentation(first);
    if (rows->delimiter && (rows->count != 2 || *depth != first.len))
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "a line of a .hrc file is its indentation, %c and a code, as in "
                               "@@%ca101",
                               rows->delimiter, rows->delimiter);
    *code = rows->delimiter ? rows->fields[1]
                            : (tacit_strview){first.bytes + *depth, first.len - *depth};
    if (!code->len)
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "the code is empty; write one after the indentation");
    return TACIT_OK;
}

static tacit_status check_depth(const lines *so_far, size_t depth, tacit_strview code,
                                const tacit__rows *rows, tacit_error *err)
{
    tacit__shown shown = tacit__show_value(err, code);
    if (depth < so_far->first)
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "%s is indented less than the first line; start with the top",
                               shown.text);
    size_t below = depth - so_far->first;
    size_t deepest = so_far->count ? (size_t)so_far->entries[so_far->count - 1].depth + 1 : 0;
    if (below > deepest)
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "%s is more than one %c deeper than the line before it; its parent "
                               "is missing",
                               shown.text, indent);
    if (below >= TACIT_MAX_LEVELS)
        return tacit__error_at(err, TACIT_LIMIT, rows->file, rows->line, 0,
                               "%s makes more than %d levels", shown.text, TACIT_MAX_LEVELS);
    return TACIT_OK;
}

static tacit_status add_line(lines *to, const tacit__rows *rows, tacit_error *err)
{
    size_t depth;
    tacit_strview code;
    tacit_status status = read_line(&depth, &code, rows, err);
    if (status != TACIT_OK)
        return status;
    if (!to->count)
        to->first = depth;
    if ((status = check_depth(to, depth, code, rows, err)) != TACIT_OK)
        return status;
    if (!TACIT__RESERVE_ONE(to->entries, to->capacity, to->count))
        return tacit__nomem(err);
    depth -= to->first;
    uint32_t parent = depth ? to->open[depth - 1] : TACIT__NONE;
    if (parent != TACIT__NONE)
        to->entries[parent].inner = true;
    to->open[depth] = to->count;
    to->entries[to->count++] = (tree_entry){
        .label = code, .parent = parent, .line = (uint32_t)rows->line, .depth = (int32_t)depth};
    return TACIT_OK;
}

/* Whether the rows are a .hrc file; expects the first row to be read. */
static bool recognize_hrc(const tacit__rows *rows)
{
    tacit_strview first = rows->fields[0];
    if (rows->delimiter)
        return rows->count == 2 && first.len && indentation(first) == first.len;
    return tacit__rows_line_starts(rows, indent);
}

static tacit_status read_hrc(tacit__tree *tree, tacit__rows *rows, tacit_error *err)
{
    lines all = {0};
    tacit_status status;
    while ((status = tacit__rows_next(rows, err)) == TACIT_OK && rows->count)
        if ((status = add_line(&all, rows, err)) != TACIT_OK)
            break;
    if (status == TACIT_OK)
        status = add_entries(tree, all.entries, all.count, tacit_strview_of("Total"), err);
    tacit__free(all.entries);
    return status;
}

enum { UNKNOWN = -1, WALKING = -2 }; /* depths not found yet */

typedef struct code_list {
    tacit__names names;
    tree_entry *entries; /* a name each */
    bool *given;         /* whether the name has a row of its own */
    size_t entry_capacity, given_capacity;
} code_list;

static bool is_header(const tacit__rows *rows)
{
    return rows->count == 2 && rows->fields[0].len == 4 && rows->fields[1].len == 6 &&
           tacit__spells(rows->fields[0].bytes, "code", 4) &&
           tacit__spells(rows->fields[1].bytes, "parent", 6);
}

/* The entry of a name, a new one where it is new; TACIT__NONE: out of memory. */
static uint32_t entry_of(code_list *to, tacit_strview name, int64_t line)
{
    bool added;
    uint32_t id = tacit__names_add(&to->names, name, &added);
    if (id == TACIT__NONE || !added)
        return id;
    if (!TACIT__RESERVE_ONE(to->entries, to->entry_capacity, id) ||
        !TACIT__RESERVE_ONE(to->given, to->given_capacity, id))
        return TACIT__NONE;
    to->entries[id] = (tree_entry){
        .label = name, .parent = TACIT__NONE, .line = (uint32_t)line, .depth = UNKNOWN};
    to->given[id] = false;
    return id;
}

static tacit_status listed_twice(const code_list *of, uint32_t code, const tacit__rows *rows,
                                 tacit_error *err)
{
    const tree_entry *entry = &of->entries[code];
    tacit__shown value = tacit__show_value(err, entry->label);
    return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                           "%s has two parents, one here and one on line %u; keep one of them",
                           value.text, entry->line);
}

static tacit_status add_row(code_list *to, const tacit__rows *rows, tacit_error *err)
{
    tacit_strview code_name = rows->fields[0], parent_name = rows->fields[1];
    if (rows->count != 2)
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "a list of code and parent has 2 fields a row, this row has %d",
                               rows->count);
    if (!code_name.len && !parent_name.len)
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "both code and parent are empty; remove the row");
    uint32_t code = entry_of(to, code_name, rows->line);
    uint32_t parent = TACIT__NONE;
    if (code == TACIT__NONE)
        return tacit__nomem(err);
    if (parent_name.len) {
        parent = entry_of(to, parent_name, rows->line);
        if (parent == TACIT__NONE)
            return tacit__nomem(err);
        to->entries[parent].inner = true;
    }
    if (to->given[code] && to->entries[code].parent != parent)
        return listed_twice(to, code, rows, err);
    if (!to->given[code])
        to->entries[code].line = (uint32_t)rows->line;
    to->given[code] = true;
    to->entries[code].parent = parent;
    return TACIT_OK;
}

/* Notes in which columns the names of a row stand; false: out of memory. */
static bool note_row(code_list *to, const tacit__rows *rows)
{
    uint32_t code = entry_of(to, rows->fields[0], rows->line);
    uint32_t parent = code == TACIT__NONE ? code : entry_of(to, rows->fields[1], rows->line);
    if (parent == TACIT__NONE)
        return false;
    to->given[code] = true;
    to->entries[parent].inner = true;
    return true;
}

/* Whether the second column holds several values, one of them also a code. */
static bool says_parents(const code_list *of)
{
    uint32_t parents = 0, codes_too = 0;
    for (uint32_t i = 0; i < of->names.count; i++) {
        parents += of->entries[i].inner;
        codes_too += of->entries[i].inner && of->given[i] && of->entries[i].label.len;
    }
    return parents > 1 && codes_too;
}

static tacit_status cycle(const code_list *of, uint32_t at, const char *file, tacit_error *err)
{
    const tree_entry *entry = &of->entries[at];
    tacit__shown value = tacit__show_value(err, entry->label);
    return tacit__error_at(
        err, TACIT_PARSE, file, entry->line, 0,
        "a cycle: %s is its own ancestor; give it or an ancestor of it another parent", value.text);
}

/* Walks up from every entry to one of known depth, twice: marking, then
 * counting down. Every entry is marked once. */
static tacit_status find_depths(code_list *of, const char *file, tacit_error *err)
{
    tree_entry *entries = of->entries;
    for (uint32_t i = 0; i < of->names.count; i++) {
        int32_t steps = 0;
        uint32_t at = i;
        for (; at != TACIT__NONE && entries[at].depth == UNKNOWN; at = entries[at].parent) {
            entries[at].depth = WALKING;
            steps++;
        }
        if (at != TACIT__NONE && entries[at].depth == WALKING)
            return cycle(of, at, file, err);
        int32_t depth = at == TACIT__NONE ? -1 : entries[at].depth;
        for (at = i; steps > 0; at = entries[at].parent)
            entries[at].depth = depth + steps--;
    }
    return TACIT_OK;
}

static void clear(code_list *of)
{
    tacit__names_clear(&of->names);
    tacit__free(of->entries);
    tacit__free(of->given);
}

/* Whether rows of two fields are codes and parents rather than values and
 * their one ancestor. */
static tacit_status recognize_list(bool *out, tacit__rows *rows, tacit_error *err)
{
    code_list of = {0};
    bool header = false;
    tacit_status status;
    for (bool first = true; (status = tacit__rows_next(rows, err)) == TACIT_OK && rows->count;
         first = false) {
        header = first && is_header(rows);
        if (header || rows->count != 2)
            break; /* whoever reads the rows reports those of another length */
        if (!note_row(&of, rows)) {
            status = tacit__nomem(err);
            break;
        }
    }
    if (status == TACIT_OK)
        *out = header || says_parents(&of);
    clear(&of);
    return status;
}

/* The forms of files that say parents. Each fills an empty tree from rows that
 * are rewound. */
static tacit_status read_list(tacit__tree *tree, tacit__rows *rows, tacit_error *err)
{
    code_list of = {0};
    tacit_status status;
    for (bool first = true; (status = tacit__rows_next(rows, err)) == TACIT_OK && rows->count;
         first = false) {
        if (first && is_header(rows))
            continue;
        if ((status = add_row(&of, rows, err)) != TACIT_OK)
            break;
    }
    if (status == TACIT_OK && !of.names.count)
        status = tacit__error_at(err, TACIT_PARSE, rows->file, 1, 0,
                                 "the hierarchy is empty; write a code and its parent a row");
    if (status == TACIT_OK)
        status = find_depths(&of, rows->file, err);
    if (status == TACIT_OK)
        status = add_entries(tree, of.entries, of.names.count, (tacit_strview){NULL, 0}, err);
    clear(&of);
    return status;
}

/* How far the climb is: for each number on the present level the tree's node,
 * missing's node, and the ground values under each node of the tree. */
typedef struct climb {
    uint32_t *nodes;
    uint32_t missing; /* TACIT__NONE: it stays missing */
    uint32_t *under;
} climb;

static tacit_status unknown_value(const tacit_hierarchy *hierarchy, const tacit__tree *tree,
                                  uint32_t code, tacit_error *err)
{
    for (int level = 1; level < tree->level_count; level++)
        if (tacit__names_find(&tree->levels[level].names, tacit__ground(hierarchy, code)) !=
            TACIT__NONE)
            return tacit__value_error(hierarchy, code, TACIT_PARSE, err,
                                      "stands in the hierarchy %s only above other values; add a "
                                      "row that starts with it",
                                      tree->file);
    return tacit__value_error(hierarchy, code, TACIT_PARSE, err,
                              "is not in the hierarchy %s; add a row for it there", tree->file);
}

/* The value's place on the ground level. The file has it as the data had it, before its apostrophe.
 */
static uint32_t ground_node(const tacit_hierarchy *hierarchy, const tacit__names *ground,
                            uint32_t code)
{
    tacit_strview value = tacit__ground(hierarchy, code);
    uint32_t node = tacit__names_find(ground, value);
    if (node == TACIT__NONE && tacit_table_guard(hierarchy->table))
        node = tacit__names_find(ground, tacit__unguarded(value));
    return node;
}

static tacit_status find_ground(climb *at, const tacit_hierarchy *hierarchy,
                                const tacit__tree *tree, tacit_error *err)
{
    const tacit__names *ground = &tree->levels[0].names;
    at->nodes = tacit__alloc_array((size_t)hierarchy->distinct + 1, sizeof *at->nodes);
    at->under = tacit__alloc_array(ground->count, sizeof *at->under);
    if (!at->nodes || !at->under)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < ground->count; i++)
        at->under[i] = 1;
    for (uint32_t code = 0; code < hierarchy->distinct; code++) {
        at->nodes[code] = ground_node(hierarchy, ground, code);
        if (at->nodes[code] == TACIT__NONE)
            return unknown_value(hierarchy, tree, code, err);
    }
    at->missing = tacit_table_has_missing(hierarchy->table, hierarchy->column)
                      ? tacit__names_find(ground, (tacit_strview){"", 0})
                      : TACIT__NONE;
    return TACIT_OK;
}

static bool count_under_nodes(climb *at, const tacit__tree *tree, int level)
{
    const tacit__tree_level *below = &tree->levels[level - 1];
    uint32_t *under = tacit__alloc_zeroed(tree->levels[level].names.count, sizeof *under);
    if (!under)
        return false;
    for (uint32_t i = 0; i < below->names.count; i++)
        under[below->branches[i].parent] += at->under[i];
    tacit__free(at->under);
    at->under = under;
    return true;
}

/* The number of a node above, with a copy of its label where it is new. The
 * node takes its place among those of the level, never ahead of the walk. */
static bool number_node(uint32_t *out, climb *at, tacit__rise *rise, uint32_t *numbers,
                        uint32_t node, tacit_strview label, tacit__arena *arena)
{
    if (numbers[node] == TACIT__NONE) {
        tacit_strview copy = tacit__arena_copy(arena, label);
        numbers[node] = rise->count;
        at->nodes[rise->count] = node;
        if (!copy.bytes || !tacit__rise_label(rise, copy))
            return false;
    }
    *out = numbers[node];
    return true;
}

/* Numbers what the column reaches on a level, missing last, and on the highest
 * level the root in any case. */
static bool number_tree_level(climb *at, tacit__rise *rise, uint32_t *numbers,
                              tacit_hierarchy *hierarchy, const tacit__tree *tree, int level)
{
    const tacit__tree_level *below = &tree->levels[level - 1];
    const tacit_strview *labels = tree->levels[level].names.labels;
    uint32_t count = hierarchy->levels[level - 1].count, ignored;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = below->branches[at->nodes[i]].parent;
        if (!number_node(&rise->up[i], at, rise, numbers, node, labels[node], &hierarchy->arena))
            return false;
    }
    if (at->missing != TACIT__NONE) {
        uint32_t node = at->missing = below->branches[at->missing].parent;
        if (labels[node].len &&
            !number_node(&rise->missing, at, rise, numbers, node, labels[node], &hierarchy->arena))
            return false;
    }
    return level + 1 < tree->level_count ||
           number_node(&ignored, at, rise, numbers, 0, labels[0], &hierarchy->arena);
}

static bool keep_under(tacit__rise *rise, const climb *at)
{
    rise->under = tacit__alloc_array(rise->count, sizeof *rise->under);
    for (uint32_t i = 0; rise->under && i < rise->count; i++)
        rise->under[i] = at->under[at->nodes[i]];
    return rise->under != NULL;
}

static tacit_status climb_level(climb *at, tacit_hierarchy *hierarchy, const tacit__tree *tree,
                                int level, tacit_error *err)
{
    tacit__rise rise = {0};
    uint32_t above = tree->levels[level].names.count;
    uint32_t *numbers = tacit__alloc_array(above, sizeof *numbers);
    tacit_status status = tacit__rise_begin(&rise, hierarchy, err);
    if (status != TACIT_OK)
        goto cleanup;
    if (numbers)
        memset(numbers, 0xFF, above * sizeof *numbers); /* TACIT__NONE each */
    if (!numbers || !count_under_nodes(at, tree, level) ||
        !number_tree_level(at, &rise, numbers, hierarchy, tree, level) || !keep_under(&rise, at)) {
        status = tacit__nomem(err);
        goto cleanup;
    }
    status = tacit__hierarchy_raise(hierarchy, &rise, err);

cleanup:
    tacit__free(numbers);
    tacit__rise_clear(&rise);
    return status;
}

tacit_status tacit__tree_bind(tacit_hierarchy *hierarchy, const tacit__tree *tree, tacit_error *err)
{
    climb at = {0};
    tacit_status status = find_ground(&at, hierarchy, tree, err);
    hierarchy->leaves = tree->levels[0].names.count;
    for (int level = 1; status == TACIT_OK && level < tree->level_count; level++)
        status = climb_level(&at, hierarchy, tree, level, err);
    tacit__free(at.nodes);
    tacit__free(at.under);
    return status;
}

static tacit_status check_row(const tacit__rows *rows, int columns, tacit_error *err)
{
    tacit__shown value = tacit__show_value(err, rows->fields[0]);
    if (rows->count != columns)
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "the row of %s has %d fields where the first row has %d; repeat a "
                               "value on the levels it does not have",
                               value.text, rows->count, columns);
    for (int i = 1; i < columns; i++)
        if (!rows->fields[i].len)
            return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                                   "the row of %s has no value on level %d; write one in "
                                   "field %d",
                                   value.text, i, i + 1);
    return TACIT_OK;
}

static tacit_status read_ancestors(tacit__tree *tree, tacit__rows *rows, tacit_error *err)
{
    tacit_status status;
    while ((status = tacit__rows_next(rows, err)) == TACIT_OK && rows->count) {
        if (!tree->level_count)
            tree->level_count = rows->count;
        status = check_row(rows, tree->level_count, err);
        if (status == TACIT_OK)
            status = tacit__tree_add(tree, rows->fields, rows->line, err);
        if (status != TACIT_OK)
            break;
    }
    return status;
}

tacit_status tacit__tree_form_of(tacit__tree_form *out, tacit__rows *rows, tacit_error *err)
{
    tacit_status status = tacit__rows_next(rows, err);
    bool list = false;
    if (status != TACIT_OK)
        return status;
    int columns = rows->count;
    bool hrc = recognize_hrc(rows);
    if (!hrc && columns == 1)
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "one field only; write a value and its ancestors with ; or , "
                               "between them");
    tacit__rows_rewind(rows);
    if (columns == 2 && !hrc)
        status = recognize_list(&list, rows, err);
    if (status != TACIT_OK)
        return status;
    tacit__rows_rewind(rows);
    *out = hrc ? TACIT__FORM_HRC : list ? TACIT__FORM_LIST : TACIT__FORM_ANCESTORS;
    return TACIT_OK;
}

tacit_status tacit__tree_read(tacit__tree *tree, tacit__rows *rows, tacit_error *err)
{
    tacit__tree_form form = TACIT__FORM_ANCESTORS;
    tacit_status status = tacit__tree_form_of(&form, rows, err);
    if (status != TACIT_OK)
        return status;
    return form == TACIT__FORM_HRC    ? read_hrc(tree, rows, err)
           : form == TACIT__FORM_LIST ? read_list(tree, rows, err)
                                      : read_ancestors(tree, rows, err);
}

static tacit_status read_bytes(tacit__tree_file *file, tacit_strview bytes, const char *name,
                               tacit_error *err)
{
    file->tree.file = name;
    tacit_status status = tacit__rows_init(&file->rows, bytes, name, err);
    return status == TACIT_OK ? tacit__tree_read(&file->tree, &file->rows, err) : status;
}

tacit_status tacit__tree_open(tacit__tree_file *file, const char *path, tacit_error *err)
{
    tacit_status status =
        tacit__input_open(&file->input, path, TACIT__MAX_HIERARCHY_BYTES, NULL, err);
    if (status == TACIT_OK)
        status = read_bytes(file, (tacit_strview){file->input.bytes, file->input.len}, path, err);
    return status;
}

void tacit__tree_close(tacit__tree_file *file)
{
    tacit__tree_clear(&file->tree);
    tacit__rows_clear(&file->rows);
    tacit__input_close(&file->input);
    *file = (tacit__tree_file){0};
}

static tacit_status grow_file(tacit_hierarchy *hierarchy, const tacit_hierarchy_spec *spec,
                              tacit_error *err)
{
    assert(spec->path);
    tacit__tree_file file = {0};
    tacit_status status = tacit__tree_open(&file, spec->path, err);
    if (status == TACIT_OK)
        status = tacit__tree_bind(hierarchy, &file.tree, err);
    tacit__tree_close(&file);
    return status;
}

const tacit__source tacit__source_file = {TACIT_HIERARCHY_FILE, grow_file};

tacit_status tacit__file_grow(tacit_hierarchy *hierarchy, tacit_strview bytes, const char *name,
                              tacit_error *err)
{
    tacit__tree_file file = {0};
    tacit_status status = read_bytes(&file, bytes, name, err);
    if (status == TACIT_OK)
        status = tacit__tree_bind(hierarchy, &file.tree, err);
    tacit__tree_close(&file);
    return status;
}
