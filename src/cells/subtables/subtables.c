/*
 * subtables.c - a table cut into parts without hierarchy; see subtables.h.
 *
 * Every code with parts is a family, once for every tree that gives it other parts. The
 * subtables of a table are all combinations of a family for each dimension, so together they
 * have about as many places as the table has relations' terms. They are sorted once; the cells
 * of one are listed when they are asked for.
 *
 * Grids come sorted. One after the other goes to the same batch, as long as their levels are the
 * same and they share no cell.
 */
#include "cells/subtables/subtables.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* ---- families ---- */

static bool same_parts(const tacit__family *family, const tacit_code_tree *tree)
{
    int32_t first = tree->child_starts[family->code];
    int32_t count = tree->child_starts[family->code + 1] - first;
    return count == family->part_count &&
           !memcmp(tree->children + first, family->parts, (size_t)count * sizeof *family->parts);
}

/* Whether an earlier tree of the dimension gives the code these parts already. */
static bool seen(const tacit_dimension *dimension, const tacit__family *family)
{
    for (int32_t t = 0; t < family->tree; t++)
        if (dimension->trees[t].level[family->code] >= 0 &&
            same_parts(family, &dimension->trees[t]))
            return true;
    return false;
}

static tacit__family family_of(const tacit_dimension *dimension, int32_t d, int32_t t, int32_t code)
{
    const tacit_code_tree *tree = &dimension->trees[t];
    int32_t first = tree->child_starts[code];
    return (tacit__family){.dimension = d,
                           .tree = t,
                           .level = tree->level[code],
                           .code = code,
                           .part_count = tree->child_starts[code + 1] - first,
                           .parts = tree->children + first};
}

/* Families of a dimension, to `to` unless it is NULL. Returns their number. */
static int32_t list_families(tacit__family *to, const tacit_cells *cells, int32_t d)
{
    const tacit_dimension *dimension = &cells->dimensions[d];
    int32_t count = 0;
    for (int32_t t = 0; t < dimension->tree_count; t++)
        for (int32_t code = 0; code < dimension->code_count; code++) {
            tacit__family family = family_of(dimension, d, t, code);
            bool wanted = family.part_count > 0 || dimension->code_count == 1;
            if (!wanted || seen(dimension, &family))
                continue;
            if (to)
                to[count] = family;
            count++;
        }
    return count;
}

/* ---- combinations ---- */

static int64_t combinations(const tacit_cells *cells, const int32_t *starts, int32_t t)
{
    const tacit_cells_table *table = &cells->tables[t];
    int64_t many = 1;
    for (int32_t i = 0; i < table->dimension_count && many <= INT32_MAX; i++) {
        int32_t d = table->dimensions[i];
        many *= starts[d + 1] - starts[d];
    }
    return many;
}

static void list_combinations(tacit__subtables *s, const int32_t *starts, int32_t t, int64_t many)
{
    const tacit_cells_table *table = &s->cells->tables[t];
    for (int64_t k = 0; k < many; k++) {
        tacit__subtable *to = &s->list[s->count++];
        int64_t rest = k;
        int64_t places = 1;
        *to = (tacit__subtable){.table = t};
        for (int32_t i = table->dimension_count - 1; i >= 0; i--) {
            int32_t d = table->dimensions[i], choices = starts[d + 1] - starts[d];
            to->families[i] = starts[d] + (int32_t)(rest % choices);
            rest /= choices;
            to->layer += s->families[to->families[i]].level;
            places *= s->families[to->families[i]].part_count + 1;
        }
        s->most = places > s->most ? (int32_t)places : s->most;
    }
}

/* ---- order ---- */

/* A subtable with what it is sorted by; where it was comes last, which keeps the order. */
typedef struct ranked {
    int32_t keys[2 * TACIT_MAX_DIMENSIONS + 2];
    int32_t was;
} ranked;

static int by_keys(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    for (size_t i = 0; i < sizeof a->keys / sizeof *a->keys; i++)
        if (a->keys[i] != b->keys[i])
            return a->keys[i] < b->keys[i] ? -1 : 1;
    return a->was < b->was ? -1 : a->was > b->was;
}

static ranked rank(const tacit__subtables *s, int32_t index)
{
    const tacit__subtable *subtable = &s->list[index];
    ranked r = {.keys = {subtable->layer, subtable->table}, .was = index};
    int32_t dimensions = s->cells->tables[subtable->table].dimension_count;
    for (int32_t i = 0; i < dimensions; i++) {
        r.keys[2 + 2 * i] = s->families[subtable->families[i]].level;
        r.keys[3 + 2 * i] = s->families[subtable->families[i]].tree;
    }
    return r;
}

static void take_order(tacit__subtables *s, const ranked *order, tacit__subtable *sorted)
{
    for (int32_t i = 0; i < s->count; i++) {
        sorted[i] = s->list[order[i].was];
        if (i == 0 || memcmp(order[i].keys, order[i - 1].keys, sizeof order->keys) != 0)
            s->batch_starts[s->batch_count++] = i;
    }
    s->batch_starts[s->batch_count] = s->count;
}

static tacit_status sort(tacit__subtables *s, tacit_error *err)
{
    size_t count = (size_t)s->count;
    ranked *order = tacit__alloc_array(count, sizeof *order);
    tacit__subtable *sorted = tacit__alloc_array(count, sizeof *sorted);
    s->batch_starts = tacit__alloc_array(count + 1, sizeof *s->batch_starts);
    if (!order || !sorted || !s->batch_starts) {
        tacit__free(order);
        tacit__free(sorted);
        return tacit__nomem(err);
    }
    for (int32_t i = 0; i < s->count; i++)
        order[i] = rank(s, i);
    qsort(order, count, sizeof *order, by_keys);
    take_order(s, order, sorted);
    tacit__free(order);
    tacit__free(s->list);
    s->list = sorted;
    return TACIT_OK;
}

/* ---- building ---- */

static tacit_status make_families(tacit__subtables *s, int32_t *starts, tacit_error *err)
{
    int32_t dimensions = s->cells->dimension_count;
    for (int32_t d = 0; d < dimensions; d++)
        starts[d + 1] = starts[d] + list_families(NULL, s->cells, d);
    s->family_count = starts[dimensions];
    s->families = tacit__alloc_array((size_t)s->family_count, sizeof *s->families);
    if (!s->families)
        return tacit__nomem(err);
    for (int32_t d = 0; d < dimensions; d++)
        list_families(s->families + starts[d], s->cells, d);
    return TACIT_OK;
}

static tacit_status make_list(tacit__subtables *s, const int32_t *starts, tacit_error *err)
{
    int64_t many = 0;
    for (int32_t t = 0; t < s->cells->table_count; t++) {
        many += combinations(s->cells, starts, t);
        if (many > INT32_MAX)
            return tacit__error(err, TACIT_LIMIT, "the table has more than %d subtables",
                                INT32_MAX);
    }
    s->list = tacit__alloc_array((size_t)many, sizeof *s->list);
    if (!s->list)
        return tacit__nomem(err);
    for (int32_t t = 0; t < s->cells->table_count; t++)
        list_combinations(s, starts, t, combinations(s->cells, starts, t));
    return TACIT_OK;
}

static int32_t most_axes(const tacit_cells *cells)
{
    int32_t most = 0;
    for (int32_t t = 0; t < cells->table_count; t++)
        if (cells->tables[t].dimension_count > most)
            most = cells->tables[t].dimension_count;
    return most;
}

static tacit_status cut_dimensions(tacit__subtables *s, tacit_error *err)
{
    int32_t *starts = tacit__alloc_zeroed((size_t)s->cells->dimension_count + 1, sizeof *starts);
    tacit_status status = starts ? make_families(s, starts, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = make_list(s, starts, err);
    if (status == TACIT_OK)
        status = sort(s, err);
    s->most_axes = most_axes(s->cells);
    tacit__free(starts);
    return status;
}

/* ---- grids ---- */

/* Whether a cell of the grid is in the batch already; if not, they all are now. */
static bool shares_cells(const tacit__grids *g, int32_t index, int32_t *batch_of, int32_t batch)
{
    const tacit__subtables_grid *grid = &g->list[index];
    for (int32_t i = 0; i < grid->cell_count; i++)
        if (batch_of[g->cells[grid->cells + i]] == batch)
            return true;
    for (int32_t i = 0; i < grid->cell_count; i++)
        batch_of[g->cells[grid->cells + i]] = batch;
    return false;
}

static bool same_levels(const tacit__subtables_grid *a, const tacit__subtables_grid *b)
{
    return a->axes == b->axes && memcmp(a->levels, b->levels, sizeof a->levels) == 0;
}

static void make_batches(tacit__subtables *s, int32_t *batch_of)
{
    const tacit__grids *g = s->grids;
    for (int32_t i = 0; i < s->count; i++) {
        bool joins = i > 0 && same_levels(&g->list[i - 1], &g->list[i]);
        if (!joins || shares_cells(g, i, batch_of, s->batch_count)) {
            s->batch_starts[s->batch_count++] = i;
            shares_cells(g, i, batch_of, s->batch_count);
        }
        s->most = g->list[i].place_count > s->most ? g->list[i].place_count : s->most;
        s->most_axes = g->list[i].axes > s->most_axes ? g->list[i].axes : s->most_axes;
    }
    s->batch_starts[s->batch_count] = s->count;
}

static tacit_status cut_relations(tacit__subtables *s, tacit_error *err)
{
    tacit_status status = tacit__grids_new(&s->grids, s->cells, err);
    if (status != TACIT_OK)
        return status;
    s->count = s->grids->count;
    s->batch_starts = tacit__alloc_array((size_t)s->count + 1, sizeof *s->batch_starts);
    int32_t *batch_of = tacit__alloc_zeroed((size_t)s->cells->count, sizeof *batch_of);
    if (s->batch_starts && batch_of)
        make_batches(s, batch_of);
    else
        status = tacit__nomem(err);
    tacit__free(batch_of);
    return status;
}

tacit_status tacit__subtables_new(tacit__subtables **out, const tacit_cells *cells,
                                  tacit_error *err)
{
    tacit__subtables *s = tacit__alloc_zeroed(1, sizeof *s);
    if (!s)
        return tacit__nomem(err);
    s->cells = cells;
    tacit_status status = cells->table_count > 0 ? cut_dimensions(s, err) : cut_relations(s, err);
    if (status == TACIT_OK)
        *out = s;
    else
        tacit__subtables_free(s);
    return status;
}

void tacit__subtables_free(tacit__subtables *subtables)
{
    if (!subtables)
        return;
    tacit__free(subtables->families);
    tacit__free(subtables->list);
    tacit__grids_free(subtables->grids);
    tacit__free(subtables->batch_starts);
    tacit__free(subtables);
}

/* ---- views ---- */

tacit_status tacit__views_new(tacit__subtables_view **out, const tacit__subtables *subtables,
                              int workers, tacit_error *err)
{
    tacit__subtables_view *views = tacit__alloc_zeroed((size_t)workers, sizeof *views);
    bool ready = views != NULL;
    for (int w = 0; w < workers && ready; w++) {
        views[w].cells = tacit__alloc_array((size_t)subtables->most, sizeof *views[w].cells);
        ready = views[w].cells != NULL;
    }
    if (!ready) {
        tacit__views_free(views, workers);
        return tacit__nomem(err);
    }
    *out = views;
    return TACIT_OK;
}

void tacit__views_free(tacit__subtables_view *views, int workers)
{
    for (int w = 0; w < workers && views; w++)
        tacit__free(views[w].cells);
    tacit__free(views);
}

static void set_axes(tacit__subtables_view *view, const tacit__family **axis_family,
                     int32_t *axis_of, const tacit__subtables *s, const tacit__subtable *subtable)
{
    int32_t dimensions = s->cells->tables[subtable->table].dimension_count;
    view->axes = 0;
    view->count = 1;
    for (int32_t i = 0; i < dimensions; i++) {
        const tacit__family *family = &s->families[subtable->families[i]];
        if (family->part_count == 0)
            continue;
        axis_family[view->axes] = family;
        axis_of[view->axes] = i;
        view->sizes[view->axes++] = family->part_count + 1;
    }
    for (int32_t a = view->axes - 1; a >= 0; a--) {
        view->strides[a] = view->count;
        view->count *= view->sizes[a];
    }
}

static void fill_from_grid(tacit__subtables_view *view, const tacit__grids *g, int32_t index)
{
    const tacit__subtables_grid *grid = &g->list[index];
    int32_t stride = 1;
    view->axes = grid->axes;
    view->count = grid->place_count;
    for (int32_t a = grid->axes - 1; a >= 0; a--) {
        view->sizes[a] = grid->sizes[a];
        view->strides[a] = stride;
        stride *= view->count > 0 ? grid->sizes[a] : 1;
    }
    for (int32_t i = 0; i < view->count; i++)
        view->cells[i] = -1;
    for (int64_t i = grid->cells; i < grid->cells + grid->cell_count; i++)
        if (g->places[i] >= 0)
            view->cells[g->places[i]] = g->cells[i];
}

/* Axis by axis: what was listed for the axes before is repeated for each further code. */
static void fill_from_families(tacit__subtables_view *view, const tacit__subtables *subtables,
                               int32_t index)
{
    const tacit__subtable *subtable = &subtables->list[index];
    const tacit_cells_table *table = &subtables->cells->tables[subtable->table];
    const tacit__family *family[TACIT_MAX_DIMENSIONS];
    int32_t axis_of[TACIT_MAX_DIMENSIONS];
    set_axes(view, family, axis_of, subtables, subtable);
    view->cells[0] = 0; /* a dimension of one code adds nothing */
    int32_t done = 1;
    for (int32_t a = view->axes - 1; a >= 0; a--) {
        int64_t stride = table->strides[axis_of[a]];
        for (int32_t k = view->sizes[a] - 1; k >= 0; k--) {
            int64_t code = k == 0 ? family[a]->code : family[a]->parts[k - 1];
            for (int32_t j = 0; j < done; j++)
                view->cells[k * done + j] = (int32_t)(view->cells[j] + code * stride);
        }
        done *= view->sizes[a];
    }
    if (table->cells)
        for (int32_t j = 0; j < view->count; j++)
            view->cells[j] = table->cells[view->cells[j]];
}

void tacit__view_fill(tacit__subtables_view *view, const tacit__subtables *subtables, int32_t index)
{
    if (subtables->grids)
        fill_from_grid(view, subtables->grids, index);
    else
        fill_from_families(view, subtables, index);
}

int32_t tacit__subtable_cells(const int32_t **out, tacit__subtables_view *view,
                              const tacit__subtables *subtables, int32_t index)
{
    const tacit__grids *g = subtables->grids;
    if (!g) {
        fill_from_families(view, subtables, index);
        *out = view->cells;
        return view->count;
    }
    *out = g->cells + g->list[index].cells;
    return g->list[index].cell_count;
}
