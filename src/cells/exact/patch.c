/*
 * patch.c - some cells of a table and the relations among them; see patch.h.
 *
 * Deviations from the values are what programs are about (cells.h), so the right-hand sides
 * and any rounding of them drop out. Linear in cells and terms.
 */
#include "cells/exact/patch.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/cells/inside.h"

static tacit_status patch_allocate(tacit__patch *p, int32_t count, int32_t rows, int64_t terms,
                                   tacit_error *err)
{
    size_t n = (size_t)count;
    if (terms > INT32_MAX)
        return tacit__error(err, TACIT_LIMIT, "relations have more than %d terms", INT32_MAX);
    *p = (tacit__patch){.count = count, .rows = rows};
    p->cells = tacit__alloc_array(n, sizeof *p->cells);
    p->up = tacit__alloc_zeroed(n, sizeof *p->up);
    p->down = tacit__alloc_zeroed(n, sizeof *p->down);
    p->cost = tacit__alloc_array(n, sizeof *p->cost);
    p->suppressed = tacit__alloc_zeroed(n, sizeof *p->suppressed);
    p->need = tacit__alloc_zeroed(n, sizeof *p->need);
    p->starts = tacit__alloc_array((size_t)rows + 1, sizeof *p->starts);
    p->items = tacit__alloc_array((size_t)terms, sizeof *p->items);
    p->coefs = tacit__alloc_array((size_t)terms, sizeof *p->coefs);
    if (p->cells && p->up && p->down && p->cost && p->suppressed && p->need && p->starts &&
        p->items && p->coefs)
        return TACIT_OK;
    tacit__patch_clear(p);
    return tacit__nomem(err);
}

void tacit__patch_clear(tacit__patch *patch)
{
    tacit__free(patch->cells);
    tacit__free(patch->up);
    tacit__free(patch->down);
    tacit__free(patch->cost);
    tacit__free(patch->suppressed);
    tacit__free(patch->need);
    tacit__free(patch->starts);
    tacit__free(patch->items);
    tacit__free(patch->coefs);
    tacit__demands_clear(&patch->demands);
    *patch = (tacit__patch){0};
}

static void take_cells(tacit__patch *p, const tacit_cells *cells, const char *status,
                       double largest)
{
    for (int32_t i = 0; i < p->count; i++) {
        int32_t cell = p->cells[i];
        p->cost[i] = cells->cost[cell];
        if (status[cell] == TACIT_CELL_FIXED)
            continue;
        p->up[i] = cells->upper[cell] - cells->value[cell];
        p->down[i] = cells->value[cell] - cells->lower[cell];
        p->suppressed[i] = tacit__suppressed(status[cell]);
        if (p->suppressed[i])
            p->need[i] = tacit__need_of(cells, status, cell, largest);
    }
}

/* Relations along an axis: one for every combination of the others. */
static void take_axis(tacit__patch *p, const tacit__subtables_view *view, int32_t axis,
                      int32_t *row)
{
    int32_t stride = view->strides[axis], size = view->sizes[axis], at = p->starts[*row];
    for (int32_t base = 0; base < view->count; base++) {
        if (base / stride % size != 0)
            continue;
        for (int32_t k = 0; k < size; k++) {
            p->items[at] = base + k * stride;
            p->coefs[at++] = k == 0 ? -1 : 1;
        }
        p->starts[++*row] = at;
    }
}

static tacit_status patch_of_view(tacit__patch *out, const tacit_cells *cells, const char *status,
                                  const tacit__subtables_view *view, double largest,
                                  tacit_error *err)
{
    int32_t rows = 0, row = 0;
    for (int32_t a = 0; a < view->axes; a++)
        rows += view->count / view->sizes[a];
    tacit_status result =
        patch_allocate(out, view->count, rows, (int64_t)view->count * view->axes, err);
    if (result != TACIT_OK)
        return result;
    memcpy(out->cells, view->cells, (size_t)view->count * sizeof *out->cells);
    take_cells(out, cells, status, largest);
    out->starts[0] = 0;
    for (int32_t a = 0; a < view->axes; a++)
        take_axis(out, view, a, &row);
    return TACIT_OK;
}

/* A relation with the patch's own numbers of its cells, which are sorted. */
static void take_relation(tacit__patch *p, const tacit_relations *relations, int32_t relation,
                          int32_t row)
{
    int32_t at = p->starts[row];
    for (int64_t j = relations->starts[relation]; j < relations->starts[relation + 1]; j++) {
        const int32_t *found = bsearch(&relations->items[j], p->cells, (size_t)p->count,
                                       sizeof *p->cells, tacit__by_number);
        p->items[at] = (int32_t)(found - p->cells);
        p->coefs[at++] = relations->coefs[j];
    }
    p->starts[row + 1] = at;
}

static tacit_status patch_of_grid(tacit__patch *out, const tacit_cells *cells, const char *status,
                                  const tacit__grids *grids, int32_t index, double largest,
                                  tacit_error *err)
{
    const tacit__subtables_grid *grid = &grids->list[index];
    const int32_t *relations = grids->relations + grid->relations;
    const tacit_relations *all = &cells->relations;
    int64_t terms = 0;
    for (int32_t r = 0; r < grid->relation_count; r++)
        terms += all->starts[relations[r] + 1] - all->starts[relations[r]];
    tacit_status result = patch_allocate(out, grid->cell_count, grid->relation_count, terms, err);
    if (result != TACIT_OK)
        return result;
    memcpy(out->cells, grids->cells + grid->cells, (size_t)grid->cell_count * sizeof *out->cells);
    take_cells(out, cells, status, largest);
    out->starts[0] = 0;
    for (int32_t r = 0; r < grid->relation_count; r++)
        take_relation(out, all, relations[r], r);
    return TACIT_OK;
}

tacit_status tacit__patch_of_subtable(tacit__patch *out, const tacit__subtables *subtables,
                                      int32_t index, const char *status,
                                      tacit__subtables_view *view, double largest, tacit_error *err)
{
    if (subtables->grids)
        return patch_of_grid(out, subtables->cells, status, subtables->grids, index, largest, err);
    tacit__view_fill(view, subtables, index);
    return patch_of_view(out, subtables->cells, status, view, largest, err);
}

tacit_status tacit__patch_of_all(tacit__patch *out, const tacit_cells *cells, const char *status,
                                 double largest, tacit_error *err)
{
    const tacit_relations *relations = &cells->relations;
    int64_t terms = relations->count ? relations->starts[relations->count] : 0;
    tacit_status result = patch_allocate(out, cells->count, relations->count, terms, err);
    if (result != TACIT_OK)
        return result;
    for (int32_t i = 0; i < cells->count; i++)
        out->cells[i] = i;
    take_cells(out, cells, status, largest);
    out->starts[0] = 0;
    for (int32_t r = 0; r < relations->count; r++)
        out->starts[r + 1] = (int32_t)relations->starts[r + 1];
    memcpy(out->items, relations->items, (size_t)terms * sizeof *out->items);
    memcpy(out->coefs, relations->coefs, (size_t)terms * sizeof *out->coefs);
    return TACIT_OK;
}

/* Cells that are chosen get numbers; returns how many. */
static int32_t number_chosen(int32_t *number, const tacit__patch *from, const bool *chosen)
{
    int32_t count = 0;
    for (int32_t i = 0; i < from->count; i++)
        number[i] = chosen[i] && from->up[i] + from->down[i] > 0 ? count++ : -1;
    return count;
}

static void take_chosen(tacit__patch *to, const tacit__patch *from, const int32_t *number)
{
    int32_t at = 0;
    for (int32_t i = 0; i < from->count; i++) {
        if (number[i] < 0)
            continue;
        to->cells[number[i]] = i;
        to->up[number[i]] = from->up[i];
        to->down[number[i]] = from->down[i];
        to->cost[number[i]] = from->cost[i];
        to->suppressed[number[i]] = true;
        to->need[number[i]] = from->need[i];
    }
    to->rows = 0;
    to->starts[0] = 0;
    for (int32_t r = 0; r < from->rows; r++) {
        for (int32_t j = from->starts[r]; j < from->starts[r + 1]; j++)
            if (number[from->items[j]] >= 0) {
                to->items[at] = number[from->items[j]];
                to->coefs[at++] = from->coefs[j];
            }
        if (at > to->starts[to->rows])
            to->starts[++to->rows] = at;
    }
}

tacit_status tacit__patch_of_chosen(tacit__patch *out, const tacit__patch *patch,
                                    const bool *chosen, tacit_error *err)
{
    int32_t *number = tacit__alloc_array((size_t)patch->count, sizeof *number);
    if (!number)
        return tacit__nomem(err);
    int32_t count = number_chosen(number, patch, chosen), rows = 0;
    int64_t terms = 0;
    for (int32_t r = 0; r < patch->rows; r++) {
        int64_t before = terms;
        for (int32_t j = patch->starts[r]; j < patch->starts[r + 1]; j++)
            terms += number[patch->items[j]] >= 0;
        rows += terms > before;
    }
    tacit_status status = patch_allocate(out, count, rows, terms, err);
    if (status == TACIT_OK)
        take_chosen(out, patch, number);
    tacit__free(number);
    return status;
}

/* Numbers the relations that hold some of the cells, in the order in which they are met. Returns
 * how many, and how many terms they have among these cells. */
static int32_t number_rows(int64_t *terms_of, const int32_t *list, int32_t count,
                           const tacit__terms *terms, int32_t *number_of)
{
    int32_t rows = 0;
    *terms_of = 0;
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = terms->starts[list[i]]; k < terms->starts[list[i] + 1]; k++) {
            int32_t *row = &number_of[terms->relation[terms->list[k]]];
            if (*row < 0)
                *row = rows++;
            ++*terms_of;
        }
    return rows;
}

/* Terms by rows, counted first. */
static void take_terms(tacit__patch *p, const tacit_relations *relations, const tacit__terms *terms,
                       const int32_t *number_of)
{
    memset(p->starts, 0, ((size_t)p->rows + 1) * sizeof *p->starts);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < p->count; i++)
            for (int32_t k = terms->starts[p->cells[i]]; k < terms->starts[p->cells[i] + 1]; k++) {
                int32_t term = terms->list[k], row = number_of[terms->relation[term]];
                if (pass == 0) {
                    p->starts[row]++;
                    continue;
                }
                p->items[--p->starts[row]] = i;
                p->coefs[p->starts[row]] = relations->coefs[term];
            }
        for (int32_t r = 0; r < p->rows && pass == 0; r++)
            p->starts[r + 1] += p->starts[r];
    }
}

static void forget_numbers(const int32_t *list, int32_t count, const tacit__terms *terms,
                           int32_t *number_of)
{
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = terms->starts[list[i]]; k < terms->starts[list[i] + 1]; k++)
            number_of[terms->relation[terms->list[k]]] = -1;
}

tacit_status tacit__patch_of_cells(tacit__patch *out, const tacit_cells *cells, const char *status,
                                   const int32_t *list, int32_t count, const tacit__terms *terms,
                                   int32_t *number_of, double largest, tacit_error *err)
{
    int64_t items;
    int32_t rows = number_rows(&items, list, count, terms, number_of);
    tacit_status result = patch_allocate(out, count, rows, items, err);
    if (result == TACIT_OK) {
        memcpy(out->cells, list, (size_t)count * sizeof *out->cells);
        take_cells(out, cells, status, largest);
        take_terms(out, &cells->relations, terms, number_of);
    }
    forget_numbers(list, count, terms, number_of);
    return result;
}

tacit_status tacit__seen_init(tacit__exact_seen *seen, const tacit__patch *patch, tacit_error *err)
{
    *seen = (tacit__exact_seen){.count = tacit__patch_wishes(patch)};
    seen->high = tacit__alloc_zeroed((size_t)seen->count, sizeof *seen->high);
    seen->low = tacit__alloc_zeroed((size_t)seen->count, sizeof *seen->low);
    return seen->high && seen->low ? TACIT_OK : tacit__nomem(err);
}

static bool lengthen(double **list, int32_t from, int32_t to)
{
    double *longer = tacit__resize_array(*list, (size_t)to, sizeof *longer);
    for (int32_t i = from; longer && i < to; i++)
        longer[i] = 0;
    *list = longer ? longer : *list;
    return longer;
}

tacit_status tacit__seen_fit(tacit__exact_seen *seen, const tacit__patch *patch, tacit_error *err)
{
    int32_t count = tacit__patch_wishes(patch);
    if (count == seen->count)
        return TACIT_OK;
    if (!lengthen(&seen->high, seen->count, count) || !lengthen(&seen->low, seen->count, count))
        return tacit__nomem(err);
    seen->count = count;
    return TACIT_OK;
}

void tacit__seen_clear(tacit__exact_seen *seen)
{
    tacit__free(seen->high);
    tacit__free(seen->low);
}

void tacit__seen_reset(tacit__exact_seen *seen, const tacit__patch *patch)
{
    assert(seen->count >= patch->count);
    (void)patch;
    for (int32_t i = 0; i < seen->count; i++)
        seen->high[i] = seen->low[i] = 0;
}

void tacit__seen_copy(tacit__exact_seen *to, const tacit__exact_seen *from,
                      const tacit__patch *patch)
{
    int32_t both = from->count < to->count ? from->count : to->count;
    tacit__seen_reset(to, patch);
    memcpy(to->high, from->high, (size_t)both * sizeof *to->high);
    memcpy(to->low, from->low, (size_t)both * sizeof *to->low);
}

double tacit__way_back(const tacit__patch *patch, const double *values, double unit, double noise,
                       const double *pattern)
{
    double share = 1;
    for (int32_t i = 0; i < patch->count; i++) {
        if (fabs(values[i]) <= noise)
            continue;
        double room = (values[i] > 0 ? patch->down[i] : patch->up[i]) * (pattern ? pattern[i] : 1);
        share = fmin(share, room / (fabs(values[i]) * unit));
    }
    return share;
}

void tacit__seen_take(tacit__exact_seen *seen, const tacit__patch *patch, const double *values,
                      double unit, double noise, const double *pattern)
{
    double back = tacit__way_back(patch, values, unit, noise, pattern);
    for (int32_t i = 0; i < patch->count; i++) {
        if (fabs(values[i]) <= noise)
            continue;
        double moved = values[i] * unit;
        seen->high[i] = fmax(seen->high[i], fmax(moved, -moved * back));
        seen->low[i] = fmax(seen->low[i], fmax(-moved, moved * back));
    }
    for (int32_t i = patch->count; i < seen->count; i++) {
        tacit__moved moved = tacit__demand_moved(&patch->demands.list[i - patch->count], values,
                                                 unit, noise, back, pattern);
        seen->high[i] = fmax(seen->high[i], moved.high);
        seen->low[i] = fmax(seen->low[i], moved.low);
    }
}
