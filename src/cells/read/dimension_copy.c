/*
 * dimension_copy.c - a dimension with names of its own.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/read/dimension.h"

static int32_t *copy_numbers(const int32_t *from, int32_t count)
{
    int32_t *to = tacit__alloc_array((size_t)count, sizeof *to);
    if (to)
        memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

static tacit_strview *copy_names(const tacit_strview *from, int32_t count, tacit__arena *arena)
{
    tacit_strview *to = tacit__alloc_array((size_t)count, sizeof *to);
    for (int32_t i = 0; to && i < count; i++) {
        to[i] = tacit__arena_copy(arena, from[i]);
        if (!to[i].bytes) {
            tacit__free(to);
            return NULL;
        }
    }
    return to;
}

static bool copy_tree(tacit_code_tree *to, const tacit_code_tree *from, int32_t codes)
{
    to->root = from->root;
    to->levels = from->levels;
    to->parent = copy_numbers(from->parent, codes);
    to->level = copy_numbers(from->level, codes);
    to->child_starts = copy_numbers(from->child_starts, codes + 1);
    to->children =
        to->child_starts ? copy_numbers(from->children, from->child_starts[codes]) : NULL;
    return to->parent && to->level && to->child_starts && to->children;
}

static bool copy(tacit_dimension *to, const tacit_dimension *from, tacit__arena *arena)
{
    to->name = tacit__arena_copy(arena, from->name);
    to->code_count = from->code_count;
    to->label_count = from->label_count;
    to->tree_count = from->tree_count;
    to->codes = copy_names(from->codes, from->code_count, arena);
    to->labels = copy_names(from->labels, from->label_count, arena);
    to->code_of = copy_numbers(from->code_of, from->label_count);
    to->inner = tacit__alloc_array((size_t)from->label_count, sizeof *to->inner);
    if (to->inner)
        memcpy(to->inner, from->inner, (size_t)from->label_count * sizeof *to->inner);
    to->order = copy_numbers(from->order, from->code_count);
    to->definition = copy_numbers(from->definition, from->code_count);
    to->trees = tacit__alloc_zeroed((size_t)from->tree_count, sizeof *to->trees);
    bool all = to->name.bytes && to->codes && to->labels && to->code_of && to->inner && to->order &&
               to->definition && to->trees;
    for (int32_t t = 0; all && t < from->tree_count; t++)
        all = copy_tree(&to->trees[t], &from->trees[t], from->code_count);
    return all;
}

tacit_status tacit__dimension_copy(tacit_dimension *to, const tacit_dimension *from,
                                   tacit__arena *arena, tacit_error *err)
{
    tacit_dimension made = {0};
    if (!copy(&made, from, arena)) {
        tacit__dimension_clear(&made);
        return tacit__nomem(err);
    }
    *to = made;
    return TACIT_OK;
}
