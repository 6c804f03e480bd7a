/*
 * tree.c - a hierarchy file as a tree of values on levels.
 *
 * Each level has its own name space: a value may stand on several levels (a
 * code that stays itself while others are generalized), but on one level it has
 * one parent. Adding a path costs a look-up for each value that is new and one
 * more; from there on the path is compared with what the tree holds, which
 * finds a second parent on any level. The whole file is linear in its size.
 */
#include "hierarchy/tree.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

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

static tacit_status two_parents(const tacit__tree *tree, int level, uint32_t node,
                                tacit_strview parent, int64_t line, tacit_error *err)
{
    tacit__hierarchy_branch branch = tree->levels[level].branches[node];
    tacit__shown value = tacit__show(label_at(tree, level, node));
    tacit__shown former = tacit__show(label_at(tree, level + 1, branch.parent));
    tacit__shown latter = tacit__show(parent);
    return tacit__error_at(err, TACIT_PARSE, tree->file, line, 0,
                           "\"%s\" on level %d has two parents, \"%s\" (line %u) and \"%s\"; keep "
                           "one of them",
                           value.text, level, former.text, branch.line, latter.text);
}

/* Compares the rest of a path, from a node that the tree has. */
static tacit_status check_above(const tacit__tree *tree, int level, uint32_t node,
                                const tacit_strview *labels, int64_t line, tacit_error *err)
{
    for (; level + 1 < tree->level_count; level++) {
        uint32_t parent = tree->levels[level].branches[node].parent;
        if (!tacit_strview_equal(label_at(tree, level + 1, parent), labels[level + 1]))
            return two_parents(tree, level, node, labels[level + 1], line, err);
        node = parent;
    }
    return TACIT_OK;
}

static tacit_status several_roots(const char *file, int64_t line, tacit_strview first,
                                  uint32_t first_line, tacit_strview second, tacit_error *err)
{
    tacit__shown former = tacit__show(first), latter = tacit__show(second);
    return tacit__error_at(err, TACIT_PARSE, file, line, 0,
                           "several roots, \"%s\" (line %u) and \"%s\"; put one most general "
                           "value, such as *, above them",
                           former.text, first_line, latter.text);
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
        return several_roots(tree->file, line, label_at(tree, top, 0),
                             tree->levels[top].branches[0].line, labels[top], err);
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

static shape measure(const tacit__hierarchy_entry *entries, uint32_t count)
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
static int fill_path(tacit_strview *labels, const tacit__hierarchy_entry *entries, uint32_t leaf,
                     int32_t deepest)
{
    int level = 0;
    for (int32_t pad = deepest - entries[leaf].depth; pad > 0; pad--)
        labels[level++] = entries[leaf].label;
    for (uint32_t at = leaf; at != TACIT__NONE; at = entries[at].parent)
        labels[level++] = entries[at].label;
    return level;
}

tacit_status tacit__tree_add_entries(tacit__tree *tree, const tacit__hierarchy_entry *entries,
                                     uint32_t count, tacit_strview root, tacit_error *err)
{
    shape of = measure(entries, count);
    if (of.roots > 1 && !root.bytes)
        return several_roots(tree->file, entries[of.second_root].line, entries[of.first_root].label,
                             entries[of.first_root].line, entries[of.second_root].label, err);
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
