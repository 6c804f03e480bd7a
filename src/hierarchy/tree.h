/*
 * tree.h - a whole hierarchy file as a tree of values on levels, before it is
 * bound to a column.
 */
#ifndef TACIT_SRC_HIERARCHY_TREE_H
#define TACIT_SRC_HIERARCHY_TREE_H

#include <tacit/experimental/hierarchy.h>

#include "hierarchy/names.h"
#include "hierarchy/rows.h"

typedef struct tacit__hierarchy_branch {
    uint32_t parent; /* on the level above */
    uint32_t line;   /* where the value was first met */
} tacit__hierarchy_branch;

typedef struct tacit__tree_level {
    tacit__names names;
    tacit__hierarchy_branch *branches; /* a name each */
    size_t capacity;
} tacit__tree_level;

/* Labels are borrowed. Zero-initialized but for file and level_count. */
typedef struct tacit__tree {
    const char *file;
    int level_count;
    tacit__tree_level levels[TACIT_MAX_LEVELS];
} tacit__tree;

/* Adds a ground value with its ancestors, a label a level. What is there
 * already must agree. An empty ground value stands for missing. */
tacit_status tacit__tree_add(tacit__tree *tree, const tacit_strview *labels, int64_t line,
                             tacit_error *err);
void tacit__tree_clear(tacit__tree *tree);

/* A tree as parents: what .hrc files and lists of code and parent say. */
typedef struct tacit__hierarchy_entry {
    tacit_strview label;
    uint32_t parent; /* an entry, or TACIT__NONE */
    uint32_t line;
    int32_t depth; /* of roots: 0 */
    bool inner;    /* somebody's parent */
} tacit__hierarchy_entry;

/* Adds every leaf of the entries. Leaves above the deepest stay themselves on
 * the levels that their branch does not have. root is put above several roots;
 * with its bytes NULL they are an error. Sets tree->level_count. */
tacit_status tacit__tree_add_entries(tacit__tree *tree, const tacit__hierarchy_entry *entries,
                                     uint32_t count, tacit_strview root, tacit_error *err);

/* Fills an empty tree from rows of any form, see file.c. */
tacit_status tacit__tree_read(tacit__tree *tree, tacit__rows *rows, tacit_error *err);

/* The forms of files that say parents. Each fills an empty tree from rows that
 * are rewound. */
tacit_status tacit__list_read(tacit__tree *tree, tacit__rows *rows, tacit_error *err);
tacit_status tacit__hrc_read(tacit__tree *tree, tacit__rows *rows, tacit_error *err);

/* Whether rows of two fields are codes and parents rather than values and
 * their one ancestor. */
tacit_status tacit__list_recognize(bool *out, tacit__rows *rows, tacit_error *err);

/* Whether the rows are a .hrc file; expects the first row to be read. */
bool tacit__hrc_recognize(const tacit__rows *rows);

#endif
