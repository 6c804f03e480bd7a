/*
 * knowing_trees.c - the values of a column as a tree in plain arrays, from what is at hand.
 *
 * With the original: the promise's hierarchy on its values (rows/ladder.c), level by level from the
 * level that values were on before the method began; so a value's children are those that the
 * method could have released instead. Without it: the values of the release in their lineage;
 * since the original may have had others, each that has any under it gets one more, unseen.
 *
 * Cost: linear in the values of all levels; the way down recurses once a level.
 */
#include <math.h>

#include <tacit/experimental/lineage.h>

#include "audit/method/knowing.h"
#include "base/alloc.h"
#include "base/error.h"

void tacit__known_column_clear(tacit__known_column *column)
{
    tacit__known_tree_clear(&column->tree);
    tacit__free(column->node_of);
    *column = (tacit__known_column){0};
}

/* Codes of the release, missing as the last of them, each nowhere. */
static tacit_status room_for_codes(tacit__known_column *column, tacit__rows_place released,
                                   tacit_error *err)
{
    uint32_t codes = tacit_table_distinct(released.table, released.column) + 1;
    column->node_of = tacit__alloc_array(codes, sizeof *column->node_of);
    if (!column->node_of)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < codes; i++)
        column->node_of[i] = TACIT__NOWHERE;
    return TACIT_OK;
}

/* What no node is for is a ground value by itself, outside of the tree. */
static void place_strangers(tacit__known_column *column, tacit__rows_place released)
{
    uint32_t codes = tacit_table_distinct(released.table, released.column) + 1;
    uint32_t stranger = column->tree.count - 1;
    column->tree.ends[stranger] = stranger + 1;
    for (uint32_t i = 0; i < codes; i++)
        if (column->node_of[i] == TACIT__NOWHERE)
            column->node_of[i] = stranger;
}

/* ---- with the original ---- */

/* Growing a tree along a ladder. */
typedef struct growth {
    tacit__known_column *column;
    const tacit__ladder *ladder;
    tacit_known_cost cost;
    int floor;
    bool missing;                          /* the original has rows without a value */
    uint32_t *first[TACIT_MAX_LEVELS + 1]; /* number on a level -> first of those below it ... */
    uint32_t *next[TACIT_MAX_LEVELS + 1];  /* number on a level -> next one under the same */
    uint32_t nodes;
} growth;

/* Numbers that a level has, one for missing where that stays missing on it. */
static uint32_t numbers_on(const growth *g, int level)
{
    return tacit_hierarchy_count(g->ladder->hierarchy, level) + g->missing;
}

/* Links what lies under each value of a level, ascending. */
static tacit_status link_below(growth *g, int level, tacit_error *err)
{
    uint32_t count = numbers_on(g, level), below = numbers_on(g, level - 1);
    g->first[level] = tacit__alloc_array(count, sizeof **g->first);
    g->next[level - 1] = tacit__alloc_array(below, sizeof **g->next);
    if (!g->first[level] || !g->next[level - 1])
        return tacit__nomem(err);
    for (uint32_t i = 0; i < count; i++)
        g->first[level][i] = TACIT__NOWHERE;
    for (uint32_t i = below; i-- > 0;) {
        uint32_t parent = g->ladder->parents[level - 1][i];
        g->next[level - 1][i] = TACIT__NOWHERE;
        if (parent >= count)
            continue;
        g->next[level - 1][i] = g->first[level][parent];
        g->first[level][parent] = i;
    }
    return TACIT_OK;
}

static double cost_of(const growth *g, int level, uint32_t number)
{
    const tacit_hierarchy *h = g->ladder->hierarchy;
    double all = tacit_hierarchy_leaves(h);
    if (g->cost == TACIT_KNOWN_COST_LEVEL)
        return (double)level / g->ladder->height;
    if (g->cost == TACIT_KNOWN_COST_NONE)
        return NAN;
    if (level == 0 || number >= tacit_hierarchy_count(h, level) || all <= 1)
        return 0;
    return (tacit_hierarchy_leaves_under(h, level, number) - 1) / (all - 1);
}

/* Puts a value and all under it into the tree. The lowest of a name has its code. */
static void plant(growth *g, int level, uint32_t number)
{
    tacit__known_tree *tree = &g->column->tree;
    uint32_t node = g->nodes++, code = g->ladder->codes[level][number];
    tree->costs[node] = cost_of(g, level, number);
    if (code != TACIT__NOWHERE)
        g->column->node_of[code] = node;
    if (level > g->floor)
        for (uint32_t below = g->first[level][number]; below != TACIT__NOWHERE;
             below = g->next[level - 1][below])
            plant(g, level - 1, below);
    tree->ends[node] = g->nodes;
}

static tacit_status grow(growth *g, tacit__rows_place released, tacit_error *err)
{
    uint32_t nodes = 2; /* the top, and a stranger */
    tacit_status status = TACIT_OK;
    int height = g->ladder->height;
    g->floor = g->floor > height ? height : g->floor;
    for (int level = height; level > g->floor && status == TACIT_OK; level--) {
        status = link_below(g, level, err);
        nodes += numbers_on(g, level - 1);
    }
    if (status == TACIT_OK)
        status = tacit__known_tree_init(&g->column->tree, nodes, err);
    if (status == TACIT_OK) {
        plant(g, height, 0);
        g->column->tree.count = g->nodes + 1;
        place_strangers(g->column, released);
    }
    for (int level = 0; level <= TACIT_MAX_LEVELS; level++) {
        tacit__free(g->first[level]);
        tacit__free(g->next[level]);
    }
    return status;
}

static tacit_status grow_from_original(tacit__known_column *column,
                                       const tacit_hierarchy_spec *spec, tacit__rows_place ground,
                                       tacit__rows_place released, int floor, tacit_known_cost cost,
                                       tacit_error *err)
{
    tacit__ladder ladder = {0};
    growth g = {.column = column,
                .ladder = &ladder,
                .floor = floor,
                .cost = cost,
                .missing = tacit_table_has_missing(ground.table, ground.column)};
    tacit_status status = tacit__ladder_init(&ladder, spec, ground, released, err);
    if (status == TACIT_OK)
        status = grow(&g, released, err);
    tacit__ladder_clear(&ladder);
    return status;
}

/* ---- without it ---- */

/* Where each node of a lineage comes to stand, and the end of all: an unseen value follows each
 * that has any under it. Returns how many there are. */
static uint32_t spread_nodes(uint32_t *place, const uint32_t *ends, uint32_t count)
{
    uint32_t unseen = 0;
    for (uint32_t node = 0; node < count; node++) {
        place[node] = node + unseen;
        unseen += ends[node] > node + 1;
    }
    place[count] = count + unseen;
    return place[count];
}

static void copy_nodes(tacit__known_tree *tree, const uint32_t *place, const uint32_t *ends,
                       uint32_t count)
{
    for (uint32_t node = 0; node < count; node++) {
        tree->ends[place[node]] = place[ends[node]];
        if (ends[node] > node + 1)
            tree->ends[place[node] + 1] = place[node] + 2;
    }
}

static tacit_status copy_lineage(tacit__known_column *column, const tacit_lineage *lineage,
                                 tacit__rows_place released, tacit_error *err)
{
    uint32_t count = tacit_lineage_count(lineage);
    uint32_t codes = tacit_table_distinct(released.table, released.column) +
                     tacit_table_has_missing(released.table, released.column);
    const uint32_t *of = tacit_lineage_nodes(lineage, 0), *ends = tacit_lineage_ends(lineage);
    uint32_t *place = tacit__alloc_array((size_t)count + 1, sizeof *place);
    if (!place)
        return tacit__nomem(err);
    uint32_t nodes = spread_nodes(place, ends, count);
    tacit_status status = tacit__known_tree_init(&column->tree, nodes + 1, err);
    if (status == TACIT_OK) {
        copy_nodes(&column->tree, place, ends, count);
        for (uint32_t i = 0; i < codes; i++)
            column->node_of[i] = place[of[i]];
        place_strangers(column, released);
    }
    tacit__free(place);
    return status;
}

/* Values that the hierarchy does not know are the judge's business: then nothing is known. */
static tacit_status grow_from_release(tacit__known_column *column, const tacit_hierarchy_spec *spec,
                                      tacit__rows_place released, tacit_error *err)
{
    tacit_lineage *lineage = NULL;
    tacit_error reason = {0};
    tacit_lineage_source source = {.table = released.table, .column = released.column};
    tacit_status status = tacit_lineage_new(&lineage, spec, &source, 1, &reason);
    if (status == TACIT_OK) {
        status = copy_lineage(column, lineage, released, err);
    } else if (status == TACIT_PARSE) {
        status = tacit__known_tree_init(&column->tree, 1, err);
        if (status == TACIT_OK)
            place_strangers(column, released);
    } else if (err) {
        *err = reason;
    }
    tacit_lineage_free(lineage);
    return status;
}

tacit_status tacit__known_column_init(tacit__known_column *column, const tacit_hierarchy_spec *spec,
                                      tacit__rows_place ground, tacit__rows_place released,
                                      int floor, tacit_known_cost cost, tacit_error *err)
{
    tacit__known_column made = {0};
    tacit_status status = room_for_codes(&made, released, err);
    if (status == TACIT_OK)
        status = ground.table ? grow_from_original(&made, spec, ground, released, floor, cost, err)
                              : grow_from_release(&made, spec, released, err);
    if (status != TACIT_OK) {
        tacit__known_column_clear(&made);
        return status;
    }
    tacit__known_tree_close(&made.tree);
    *column = made;
    return TACIT_OK;
}
