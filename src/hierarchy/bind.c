/*
 * bind.c - the values of a column found in a hierarchy file's tree.
 *
 * Every code is looked up once, on the tree's ground level. From there on each
 * level walks the values that the column has on the level below, in their
 * order, so numbers follow first appearance; a level costs its own size in the
 * file plus the column's. Only labels that the column reaches are kept.
 *
 * Missing follows the row of the empty value, where there is one and the
 * column misses anything: it comes after all codes, so a value that only
 * missing reaches is numbered last.
 */
#include "hierarchy/bind.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/formula.h"

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

static bool count_under(climb *at, const tacit__tree *tree, int level)
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
static bool number_level(climb *at, tacit__rise *rise, uint32_t *numbers,
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
    if (!numbers || !count_under(at, tree, level) ||
        !number_level(at, &rise, numbers, hierarchy, tree, level) || !keep_under(&rise, at)) {
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
