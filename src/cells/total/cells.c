/*
 * cells.c - the two-dimensional table of a tacit_cells, as total protection takes it.
 *
 * Rows are the ground codes of the first dimension, columns those of the second, in the order of
 * codes; every ground cell is listed, row by row. The margins are what everybody knows.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/cells/inside.h"
#include "cells/suppress/methods.h"
#include "cells/total/total.h"

/* The arrays behind a view, which only reads them. */
typedef struct arrays {
    int32_t *row, *column;
    char *status;
    double *value, *lower, *upper, *cost;
} arrays;

static tacit_status check_shape(const tacit_cells *cells, tacit_error *err)
{
    if (cells->table_count != 1 || cells->tables[0].dimension_count != 2)
        return tacit__error(err, TACIT_INVALID,
                            "total protection is for one table of two dimensions");
    for (int32_t d = 0; d < 2; d++) {
        const tacit_dimension *dimension = &cells->dimensions[cells->tables[0].dimensions[d]];
        if (dimension->tree_count == 1 && dimension->trees[0].levels == 2)
            continue;
        return tacit__error(err, TACIT_INVALID,
                            "total protection is for dimensions of a total and its parts, without "
                            "further hierarchy: %s is none",
                            tacit__show(dimension->name).text);
    }
    return TACIT_OK;
}

/* The codes but the total. */
static int32_t *list_codes(const tacit_dimension *dimension)
{
    int32_t *codes = tacit__alloc_array((size_t)dimension->code_count, sizeof *codes), count = 0;
    for (int32_t code = 0; codes && code < dimension->code_count; code++)
        if (code != dimension->trees[0].root)
            codes[count++] = code;
    return codes;
}

static tacit_status check_margins(const tacit_cells *cells, const char *status, tacit_error *err)
{
    const tacit_cells_table *t = &cells->tables[0];
    const tacit_dimension *rows = &cells->dimensions[t->dimensions[0]];
    const tacit_dimension *columns = &cells->dimensions[t->dimensions[1]];
    for (int32_t place = 0; place < t->place_count; place++) {
        int32_t cell = t->cells ? t->cells[place] : place;
        bool margin = place / t->strides[0] == rows->trees[0].root ||
                      place % t->strides[0] == columns->trees[0].root;
        if (margin && tacit__suppressed(status[cell]))
            return tacit__cell_error(cells, cell, TACIT_INVALID, err,
                                     "total protection is for tables whose margins are published");
    }
    return TACIT_OK;
}

/* What the graph would refuse too, but could name by its numbers only. */
static tacit_status check_bounds(const tacit_cells *cells, tacit_error *err)
{
    for (int32_t i = 0; i < cells->count; i++) {
        double value = cells->value[i], noise = TACIT_CELLS_EQUAL * fmax(1, fabs(value));
        if (!(cells->upper[i] > cells->lower[i]))
            return tacit__cell_error(cells, i, TACIT_INVALID, err,
                                     "its upper bound is not above the lower one");
        if (value < cells->lower[i] - noise || value > cells->upper[i] + noise)
            return tacit__cell_error(cells, i, TACIT_INVALID, err,
                                     "its value lies outside its bounds; correct lower or upper");
    }
    return TACIT_OK;
}

static tacit_status allocate(tacit_flat_table *flat, arrays *a, const tacit_cells *cells,
                             bool costs, tacit_error *err)
{
    const tacit_cells_table *t = &cells->tables[0];
    const tacit_dimension *rows = &cells->dimensions[t->dimensions[0]];
    const tacit_dimension *columns = &cells->dimensions[t->dimensions[1]];
    tacit_flat_view *view = &flat->view;
    view->rows = rows->code_count - 1;
    view->columns = columns->code_count - 1;
    view->count = view->rows * view->columns;
    size_t n = (size_t)view->count;
    view->row = a->row = tacit__alloc_array(n, sizeof *a->row);
    view->column = a->column = tacit__alloc_array(n, sizeof *a->column);
    view->status = a->status = tacit__alloc_array(n, sizeof *a->status);
    view->value = a->value = tacit__alloc_array(n, sizeof *a->value);
    view->lower = a->lower = tacit__alloc_array(n, sizeof *a->lower);
    view->upper = a->upper = tacit__alloc_array(n, sizeof *a->upper);
    if (costs)
        view->cost = a->cost = tacit__alloc_array(n, sizeof *a->cost);
    flat->cells = tacit__alloc_array(n, sizeof *flat->cells);
    flat->row_code = list_codes(rows);
    flat->column_code = list_codes(columns);
    bool room = a->row && a->column && a->status && a->value && a->lower && a->upper &&
                (a->cost || !costs) && flat->cells && flat->row_code && flat->column_code;
    return room ? TACIT_OK : tacit__nomem(err);
}

static tacit_strview name_line(const void *named, bool row, int32_t number)
{
    const tacit_flat_table *flat = named;
    const tacit_cells *cells = flat->source;
    const tacit_dimension *dimension = &cells->dimensions[cells->tables[0].dimensions[row ? 0 : 1]];
    return dimension->codes[row ? flat->row_code[number] : flat->column_code[number]];
}

static void fill(tacit_flat_table *flat, const arrays *a, const tacit_cells *cells,
                 const char *status)
{
    const tacit_cells_table *t = &cells->tables[0];
    for (int32_t k = 0; k < flat->view.count; k++) {
        int32_t row = k / flat->view.columns, column = k % flat->view.columns;
        int64_t place = flat->row_code[row] * t->strides[0] + flat->column_code[column];
        int32_t cell = t->cells ? t->cells[place] : (int32_t)place;
        flat->cells[k] = cell;
        a->row[k] = row;
        a->column[k] = column;
        a->status[k] = status[cell];
        a->value[k] = cells->value[cell];
        a->lower[k] = cells->lower[cell];
        a->upper[k] = cells->upper[cell];
        if (a->cost)
            a->cost[k] = cells->cost[cell];
    }
}

tacit_status tacit_flat_from_cells(tacit_flat_table **out, const tacit_cells *cells,
                                   const char *status, bool costs, tacit_error *err)
{
    arrays a = {0};
    tacit_flat_table *flat = NULL;
    if (!status)
        status = cells->status;
    tacit_status result = tacit__cells_known(cells, err);
    if (result == TACIT_OK)
        result = check_shape(cells, err);
    if (result == TACIT_OK)
        result = check_margins(cells, status, err);
    if (result == TACIT_OK)
        result = check_bounds(cells, err);
    if (result != TACIT_OK)
        return result;
    flat = tacit__alloc_zeroed(1, sizeof *flat);
    result = flat ? allocate(flat, &a, cells, costs, err) : tacit__nomem(err);
    if (result != TACIT_OK) {
        tacit_flat_table_free(flat);
        return result;
    }
    fill(flat, &a, cells, status);
    flat->source = cells;
    flat->view.name = name_line;
    flat->view.named = flat;
    *out = flat;
    return TACIT_OK;
}

void tacit_flat_table_free(tacit_flat_table *table)
{
    if (!table)
        return;
    const tacit_flat_view *v = &table->view;
    const void *const blocks[] = {v->row,          v->column,         v->status, v->value,
                                  v->lower,        v->upper,          v->cost,   table->cells,
                                  table->row_code, table->column_code};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        tacit__free((void *)blocks[i]); /* the table's own, though its view only reads them */
    tacit__free(table);
}
