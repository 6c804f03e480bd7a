/*
 * bind.h - the values of a column found in a tree.
 */
#ifndef TACIT_SRC_HIERARCHY_BIND_H
#define TACIT_SRC_HIERARCHY_BIND_H

#include "hierarchy/hierarchy.h"
#include "hierarchy/tree.h"

/* Adds the tree's levels to a hierarchy that has its ground only. */
tacit_status tacit__tree_bind(tacit_hierarchy *hierarchy, const tacit__tree *tree,
                              tacit_error *err);

#endif
