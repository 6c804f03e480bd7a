/*
 * tree.h - a whole hierarchy file as a tree of values on levels, before it is
 * bound to a column.
 */
#ifndef TACIT_SRC_HIERARCHY_TREE_H
#define TACIT_SRC_HIERARCHY_TREE_H

#include <tacit/experimental/hierarchy.h>

#include "base/file.h"
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

void tacit__tree_clear(tacit__tree *tree);

/* Adds a ground value with its ancestors, a label a level, of which there are level_count. What is
 * there already must agree. An empty ground value stands for missing. */
tacit_status tacit__tree_add(tacit__tree *tree, const tacit_strview *labels, int64_t line,
                             tacit_error *err);

/* Adds the tree's levels to a hierarchy that has its ground only. */
tacit_status tacit__tree_bind(tacit_hierarchy *hierarchy, const tacit__tree *tree,
                              tacit_error *err);

/* How a file says its tree, see file.c. */
typedef enum tacit__tree_form {
    TACIT__FORM_ANCESTORS = 0,
    TACIT__FORM_LIST,
    TACIT__FORM_HRC
} tacit__tree_form;

/* Tells the form of rows that are at their first, and leaves them there. */
tacit_status tacit__tree_form_of(tacit__tree_form *out, tacit__rows *rows, tacit_error *err);

/* Fills an empty tree from rows of any form, see file.c. */
tacit_status tacit__tree_read(tacit__tree *tree, tacit__rows *rows, tacit_error *err);

/* A tree with the file that it borrows from. Zero-initialized; closed in any case. */
typedef struct tacit__tree_file {
    tacit__input input;
    tacit__rows rows;
    tacit__tree tree;
} tacit__tree_file;

tacit_status tacit__tree_open(tacit__tree_file *file, const char *path, tacit_error *err);
void tacit__tree_close(tacit__tree_file *file);

#endif
