/*
 * nested.c - the counts behind the verdicts on protection models by the linking engine
 * (link/link.c), for releases that say too little for the tree of people: with many values
 * suppressed or generalized cell by cell, each search looks at much of the tree, while linking goes
 * down two trees at once and meets what is alike only once.
 *
 * The engine wants values as nodes of a tree of what holds what. Stretches of an axis make one
 * where any two are nested or apart, as labels of rules and hierarchies are; others cannot be told
 * this way. Node 0 is "*"; missing, and labels that nobody has, are nodes under it alone.
 *
 * Cost: a sort of each axis' values and labels, then link/link.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/relink/relink.h"
#include "base/alloc.h"
#include "base/error.h"

/* A stretch of an axis, and where its node number is to go. */
typedef struct piece {
    double low, high;
    uint32_t *node;
} piece;

typedef struct nest {
    piece *pieces;
    size_t count;
    uint32_t *known, *said; /* by code of the original and of the release: the node */
    uint32_t *ends, *parents;
    uint32_t nodes;
} nest;

static int outer_first(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x->high > y->high ? -1 : x->high < y->high;
}

static void list_pieces(nest *n, const tacit__relink_axis *axis)
{
    for (uint32_t code = 0; code < axis->place_count; code++)
        if (!isnan(axis->places[code]))
            n->pieces[n->count++] =
                (piece){axis->places[code], axis->places[code], &n->known[code]};
    for (uint32_t code = 0; code < axis->label_count; code++)
        if (axis->labels[code].kind == TACIT__READ_STRETCH)
            n->pieces[n->count++] =
                (piece){axis->labels[code].low, axis->labels[code].high, &n->said[code]};
    qsort(n->pieces, n->count, sizeof *n->pieces, outer_first);
}

static uint32_t add_node(nest *n, uint32_t parent)
{
    n->parents[n->nodes] = parent;
    n->ends[n->nodes] = n->nodes + 1;
    return n->nodes++;
}

/* Numbers the nodes from the top down; false where two stretches overlap. highs has the upper end
 * of each node. */
static bool number_nodes(nest *n, double *highs)
{
    uint32_t open = 0; /* the innermost node that may hold what comes next */
    highs[add_node(n, 0)] = INFINITY;
    for (size_t i = 0; i < n->count; i++) {
        const piece *at = &n->pieces[i];
        if (i > 0 && outer_first(at, at - 1) == 0) {
            *at->node = *(at - 1)->node;
            continue;
        }
        while (highs[open] < at->low)
            open = n->parents[open];
        if (highs[open] < at->high)
            return false;
        open = *at->node = add_node(n, open);
        highs[open] = at->high;
    }
    return true;
}

/* Values that have no place, and labels that say nothing. */
static void number_rest(nest *n, const tacit__relink_axis *axis)
{
    uint32_t missing = add_node(n, 0), foreign = add_node(n, 0);
    for (uint32_t code = 0; code < axis->place_count; code++)
        if (isnan(axis->places[code]))
            n->known[code] = missing;
    for (uint32_t code = 0; code < axis->label_count; code++) {
        tacit__reading kind = axis->labels[code].kind;
        if (kind != TACIT__READ_STRETCH)
            n->said[code] = kind == TACIT__READ_ANY       ? 0
                            : kind == TACIT__READ_MISSING ? missing
                                                          : foreign;
    }
    for (uint32_t node = n->nodes - 1; node > 0; node--)
        if (n->ends[n->parents[node]] < n->ends[node])
            n->ends[n->parents[node]] = n->ends[node];
}

static tacit_status nest_init(nest *n, bool *nested, const tacit__relink_axis *axis,
                              tacit_error *err)
{
    size_t most = (size_t)axis->place_count + axis->label_count + 3;
    double *highs = tacit__alloc_array(most, sizeof *highs);
    n->pieces = tacit__alloc_array(most, sizeof *n->pieces);
    n->known = tacit__alloc_array(axis->place_count, sizeof *n->known);
    n->said = tacit__alloc_array(axis->label_count, sizeof *n->said);
    n->ends = tacit__alloc_array(most, sizeof *n->ends);
    n->parents = tacit__alloc_array(most, sizeof *n->parents);
    bool made = highs && n->pieces && n->known && n->said && n->ends && n->parents;
    if (made) {
        list_pieces(n, axis);
        *nested = number_nodes(n, highs);
        if (*nested)
            number_rest(n, axis);
    }
    tacit__free(highs);
    return made ? TACIT_OK : tacit__nomem(err);
}

static void nest_clear(nest *n)
{
    tacit__free(n->pieces);
    tacit__free(n->known);
    tacit__free(n->said);
    tacit__free(n->ends);
    tacit__free(n->parents);
}

static tacit_link_column column_of(const nest *n, const tacit__relink_scene *scene, int32_t i)
{
    const tacit__relink_axis *axis = &scene->axes[i];
    return (tacit_link_column){.nodes = n->nodes,
                               .ends = n->ends,
                               .parents = n->parents,
                               .released = tacit_table_codes(scene->c->release, axis->release),
                               .released_nodes = n->said,
                               .released_codes = axis->label_count,
                               .known = tacit_table_codes(scene->c->original, axis->original),
                               .known_nodes = n->known,
                               .known_codes = axis->place_count};
}

static void keep_counts(tacit_relink_maps *maps, const tacit_link *link)
{
    maps->records = link->records;
    maps->smallest = link->smallest;
    maps->to_nobody = link->records_by_people[0];
    maps->to_subject = link->truth.to_subject;
    maps->to_one = link->truth.to_one_subject;
    maps->to_wrong = link->truth.to_wrong_subject;
    maps->to_own = link->truth.to_own;
}

static tacit_status link_columns(tacit_relink_maps *maps, const nest *nests,
                                 const tacit__relink_scene *scene, tacit_error *err)
{
    tacit_link_column columns[TACIT_MAX_RELINK_COLUMNS];
    int64_t rows = tacit_table_rows(scene->c->release);
    tacit_link *link = NULL;
    uint32_t *truth = tacit__alloc_array((size_t)rows, sizeof *truth);
    if (!truth)
        return tacit__nomem(err);
    for (int32_t i = 0; i < scene->columns; i++)
        columns[i] = column_of(&nests[i], scene, i);
    for (int64_t row = 0; row < rows; row++)
        truth[row] = tacit__relink_origin(scene, row);
    tacit_link_case c = {.columns = columns,
                         .column_count = scene->columns,
                         .records = rows,
                         .rows = tacit_table_rows(scene->c->original),
                         .people = tacit_table_rows(scene->c->original),
                         .truth = truth,
                         .k = scene->options->k};
    tacit_status status = tacit_link_new(&link, &c, scene->run, err);
    if (status == TACIT_OK)
        keep_counts(maps, link);
    tacit_link_free(link);
    tacit__free(truth);
    return status;
}

tacit_status tacit__relink_map_nested(tacit_relink_maps *maps, bool *done,
                                      const tacit__relink_scene *scene, tacit_error *err)
{
    nest nests[TACIT_MAX_RELINK_COLUMNS];
    bool nested = true;
    tacit_status status = TACIT_OK;
    memset(nests, 0, sizeof nests);
    for (int32_t i = 0; i < scene->columns && nested && status == TACIT_OK; i++)
        status = nest_init(&nests[i], &nested, &scene->axes[i], err);
    if (status == TACIT_OK && nested)
        status = link_columns(maps, nests, scene, err);
    for (int32_t i = 0; i < scene->columns; i++)
        nest_clear(&nests[i]);
    if (status == TACIT_OK)
        *done = nested;
    return status;
}
