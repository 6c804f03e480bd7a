/*
 * flat.c - two-dimensional tables as total protection takes them: of a tacit_cells, or sparse ones
 * from a coded file with a row a cell; and the release of a sparse table in the form that it is
 * read from.
 *
 * Of cells: rows are the ground codes of the first dimension, columns those of the second, in the
 * order of codes; every ground cell is listed, row by row. The margins are what everybody knows.
 *
 * Of a file: the codes of the two columns that say where a cell is are its row and column. Texts of
 * the other columns are read once each (read/columns.h), and a pass over the file fills the arrays
 * that differ from what the view assumes without them. Everything that the graph would refuse is
 * refused here, where its line is known. A cell that is given twice: cells are taken row by row,
 * after a counting sort unless the file is in such an order, and each column remembers its last
 * cell; if that is of the same row, there it is. Linear; 4 bytes a cell for the sort, and 4 a line,
 * until it is done.
 *
 * Writing: the listed cells in their order, then those that a plan adds to the list. A plan is by
 * row, so that an entry a row says where its cells start, and within a row it is searched by
 * column. Linear but for that; 4 bytes a row and a bit an added cell. No bounds, costs or levels:
 * they would tell of suppressed cells what the value does not.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cells/cells/inside.h"
#include "cells/read/columns.h"
#include "cells/suppress/methods.h"
#include "cells/total/total.h"
#include "cells/write/write.h"

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

enum { CELLS_A_STEP = 1 << 16 };

/* As the graph has it: what is off by no more is the same, relative to itself or to 1. */
#define EQUAL 1e-9

typedef struct reading {
    const tacit_table *table;
    const tacit_flat_spec *spec;
    const tacit_run *run;
    int32_t row, column; /* of the file, as the next */
    int32_t status;      /* -1: none */
    char *letters;       /* by code */
    tacit__numbers value, lower, upper, cost;
    double least; /* the lower bound where none is given */
} reading;

static void clear(reading *r)
{
    tacit__free(r->letters);
    tacit__numbers_clear(&r->value);
    tacit__numbers_clear(&r->lower);
    tacit__numbers_clear(&r->upper);
    tacit__numbers_clear(&r->cost);
}

/* ---- columns ---- */

static tacit_status check_names(const tacit_flat_spec *spec, tacit_error *err)
{
    if (!spec->row || !spec->column)
        return tacit__error(err, TACIT_INVALID,
                            "a file of cells needs a column for rows and one "
                            "for columns; name both");
    bool same =
        !strcmp(spec->row, spec->column) ||
        (spec->value && (!strcmp(spec->value, spec->row) || !strcmp(spec->value, spec->column)));
    return same ? tacit__error(err, TACIT_INVALID,
                               "rows, columns and values must be three columns of the file")
                : TACIT_OK;
}

/* A column of codes, each of which is a line of the table. */
static tacit_status find_lines(int32_t *out, const tacit_table *table, const char *name,
                               tacit_error *err)
{
    int32_t column;
    tacit_status status = tacit__column_find(&column, table, name, err);
    if (status != TACIT_OK)
        return status;
    if (tacit_table_has_missing(table, column))
        return tacit__column_error(table, column, tacit_table_distinct(table, column), TACIT_PARSE,
                                   err, "\"%s\" is missing; every cell needs a row and a column",
                                   tacit__show(tacit_strview_of(name)).text);
    *out = column;
    return TACIT_OK;
}

static tacit_status check_size(const reading *r, tacit_error *err)
{
    int64_t cells = tacit_table_rows(r->table);
    int64_t rows = tacit_table_distinct(r->table, r->row);
    int64_t columns = tacit_table_distinct(r->table, r->column);
    if (cells <= TACIT_MAX_FLAT_CELLS && rows + columns <= TACIT_MAX_FLAT_LINES)
        return TACIT_OK;
    return tacit__error_at(err, TACIT_LIMIT, tacit_table_file(r->table), 0, 0,
                           "%lld rows, %lld columns and %lld cells are more than the %d lines and "
                           "%d cells that a table can have; divide it",
                           (long long)rows, (long long)columns, (long long)cells,
                           TACIT_MAX_FLAT_LINES, TACIT_MAX_FLAT_CELLS);
}

/* The name where the file has such a coded column that is nothing else, else NULL. */
static const char *present(const reading *r, const char *name)
{
    int32_t column = tacit_table_find(r->table, tacit_strview_of(name));
    bool taken = column < 0 || column == r->row || column == r->column ||
                 (r->spec->value && !strcmp(r->spec->value, name));
    return taken || !tacit_table_is_coded(r->table, column) ? NULL : name;
}

static tacit_status read_columns(reading *r, tacit_error *err)
{
    const tacit_flat_spec *spec = r->spec;
    tacit__number_kind kind = spec->negative ? TACIT__NUMBER_ANY : TACIT__NUMBER_SIZE_ONLY;
    tacit_status status = find_lines(&r->row, r->table, spec->row, err);
    if (status == TACIT_OK)
        status = find_lines(&r->column, r->table, spec->column, err);
    if (status == TACIT_OK)
        status = check_size(r, err);
    if (status == TACIT_OK)
        status = tacit__numbers_init(&r->value, r->table, spec->value, kind, true, err);
    if (status == TACIT_OK)
        status = tacit__numbers_init(&r->lower, r->table, present(r, "lower"), TACIT__NUMBER_ANY,
                                     true, err);
    if (status == TACIT_OK)
        status = tacit__numbers_init(&r->upper, r->table, present(r, "upper"), TACIT__NUMBER_ANY,
                                     true, err);
    if (status == TACIT_OK)
        status = tacit__numbers_init(&r->cost, r->table, present(r, "weight"),
                                     TACIT__NUMBER_SIZE_ONLY, true, err);
    r->status = present(r, "status") ? tacit_table_find(r->table, tacit_strview_of("status")) : -1;
    if (status == TACIT_OK && r->status >= 0)
        status = tacit__letters_new(&r->letters, r->table, r->status, err);
    return status;
}

/* ---- arrays ---- */

static bool all_secret(const reading *r)
{
    if (r->status < 0)
        return true;
    uint32_t last = tacit_table_distinct(r->table, r->status);
    for (uint32_t code = 0; code < last; code++)
        if (r->letters[code] != TACIT_CELL_PRIMARY)
            return false;
    return !tacit_table_has_missing(r->table, r->status);
}

static bool differs(const tacit__numbers *numbers, double usual)
{
    for (uint32_t code = 0; code < numbers->count; code++)
        if (numbers->by_code[code] != usual)
            return true;
    return false;
}

/* NULL is in order where the array is not wanted. */
static void *some(bool wanted, size_t count, size_t size, bool *room)
{
    void *block = wanted ? tacit__alloc_array(count, size) : NULL;
    *room &= block || !wanted;
    return block;
}

/* Bounds say nothing of cells whose values nobody gave. */
static tacit_status allocate_sparse(tacit_flat_table *flat, arrays *a, const reading *r,
                                    tacit_error *err)
{
    tacit_flat_view *view = &flat->view;
    size_t n = (size_t)tacit_table_rows(r->table);
    bool room = true, values = r->value.count > 0;
    view->rows = (int32_t)tacit_table_distinct(r->table, r->row);
    view->columns = (int32_t)tacit_table_distinct(r->table, r->column);
    view->count = (int32_t)n;
    view->rest = r->spec->rest;
    view->row = a->row = some(true, n, sizeof *a->row, &room);
    view->column = a->column = some(true, n, sizeof *a->column, &room);
    view->status = a->status = some(!all_secret(r), n, sizeof *a->status, &room);
    view->value = a->value = some(values, n, sizeof *a->value, &room);
    view->lower = a->lower =
        some(values && (r->spec->negative || differs(&r->lower, 0)), n, sizeof *a->lower, &room);
    view->upper = a->upper = some(values && r->upper.count, n, sizeof *a->upper, &room);
    view->cost = a->cost = some(differs(&r->cost, 1), n, sizeof *a->cost, &room);
    return room ? TACIT_OK : tacit__nomem(err);
}

static double at(const tacit__numbers *numbers, int64_t cell, double usual)
{
    double number = numbers->by_code ? tacit__numbers_at(numbers, cell) : NAN;
    return isnan(number) ? usual : number;
}

static tacit_status wrong(const reading *r, int64_t cell, const char *name, tacit_error *err,
                          const char *what)
{
    int32_t column = tacit_table_find(r->table, tacit_strview_of(name));
    return tacit__error_at(err, TACIT_PARSE, tacit_table_file(r->table),
                           tacit_table_line(r->table, cell), column + 1, "%s", what);
}

static tacit_status check_cell(const reading *r, int64_t cell, char letter, tacit_error *err)
{
    double lower = at(&r->lower, cell, r->least), upper = at(&r->upper, cell, INFINITY);
    double value = at(&r->value, cell, NAN), noise = EQUAL * fmax(1, fabs(value));
    bool hidden = letter == TACIT_CELL_PRIMARY || letter == TACIT_CELL_SECONDARY;
    const char *bound = r->upper.by_code ? "upper" : "lower";
    if (!(upper > lower))
        return wrong(r, cell, bound, err,
                     "the upper bound is not above the lower one; correct one of them");
    if (!r->value.by_code || (isnan(value) && hidden))
        return TACIT_OK;
    if (isnan(value))
        return wrong(r, cell, r->spec->value, err,
                     "a published cell has no value; write it, or a status of u or x");
    if (value < lower - noise || value > upper + noise)
        return wrong(r, cell, r->spec->value, err,
                     "the value is outside its bounds; correct it, or them");
    if (value - lower <= noise && upper - value <= noise)
        return wrong(r, cell, bound, err, "the bounds are no further apart than rounding");
    return TACIT_OK;
}

static void fill_cell(const arrays *a, const reading *r, int32_t cell, char letter)
{
    if (a->status)
        a->status[cell] = letter;
    if (a->value)
        a->value[cell] = at(&r->value, cell, NAN);
    if (a->lower)
        a->lower[cell] = at(&r->lower, cell, r->least);
    if (a->upper)
        a->upper[cell] = at(&r->upper, cell, INFINITY);
    if (a->cost)
        a->cost[cell] = at(&r->cost, cell, 1);
}

static tacit_status fill_sparse(const arrays *a, const reading *r, int32_t count, tacit_error *err)
{
    tacit_codes_view rows = tacit_table_codes(r->table, r->row);
    tacit_codes_view columns = tacit_table_codes(r->table, r->column);
    tacit_codes_view statuses = {0};
    tacit_status status = TACIT_OK;
    if (r->status >= 0)
        statuses = tacit_table_codes(r->table, r->status);
    for (int32_t i = 0; status == TACIT_OK && i < count; i++) {
        char letter =
            r->letters ? r->letters[tacit_codes_at(statuses, i)] : (char)TACIT_CELL_PRIMARY;
        a->row[i] = (int32_t)tacit_codes_at(rows, i);
        a->column[i] = (int32_t)tacit_codes_at(columns, i);
        fill_cell(a, r, i, letter);
        status = check_cell(r, i, letter, err);
        if (status == TACIT_OK && i % CELLS_A_STEP == 0)
            status = tacit__progress(r->run, "listing cells", i, count, err);
    }
    return status;
}

/* ---- cells that are given twice ---- */

static bool is_by_row(const tacit_flat_view *view)
{
    for (int32_t i = 1; i < view->count; i++)
        if (view->row[i - 1] > view->row[i])
            return false;
    return true;
}

/* Cells by row, those of a row as they stand in the file. */
static void sort_by_row(int32_t *order, int32_t *starts, const tacit_flat_view *view)
{
    for (int32_t i = 0; i < view->count; i++)
        starts[view->row[i] + 1]++;
    for (int32_t row = 0; row < view->rows; row++)
        starts[row + 1] += starts[row];
    for (int32_t i = 0; i < view->count; i++)
        order[starts[view->row[i]]++] = i;
}

/* The first cell that was given before, and where; last has an entry a column, from 1. */
static int32_t search_twice(int32_t *before, int32_t *last, const int32_t *order,
                            const tacit_flat_view *view)
{
    int32_t twice = -1;
    for (int32_t k = 0; k < view->count; k++) {
        int32_t cell = order ? order[k] : k, other = last[view->column[cell]] - 1;
        if (other >= 0 && view->row[other] == view->row[cell] && (twice < 0 || cell < twice)) {
            twice = cell;
            *before = other;
        }
        last[view->column[cell]] = cell + 1;
    }
    return twice;
}

static tacit_status find_twice(const reading *r, const tacit_flat_view *view, tacit_error *err)
{
    bool room = true, sorted = is_by_row(view);
    int32_t *order = some(!sorted, (size_t)view->count, sizeof *order, &room), before = 0;
    int32_t *starts = sorted ? NULL : tacit__alloc_zeroed((size_t)view->rows + 1, sizeof *starts);
    int32_t *last = tacit__alloc_zeroed((size_t)view->columns, sizeof *last);
    tacit_status status = TACIT_OK;
    if (!room || !last || (!sorted && !starts)) {
        status = tacit__nomem(err);
    } else {
        if (!sorted)
            sort_by_row(order, starts, view);
        int32_t twice = search_twice(&before, last, order, view);
        if (twice >= 0)
            status = tacit__error_at(
                err, TACIT_PARSE, tacit_table_file(r->table), tacit_table_line(r->table, twice),
                r->row + 1, "the cell stands on line %lld already; leave one of the two out",
                (long long)tacit_table_line(r->table, before));
    }
    tacit__free(order);
    tacit__free(starts);
    tacit__free(last);
    return status;
}

/* ---- */

/* The texts have been read, and so has the file: what that took is let go before arrays are made.
 */
static tacit_strview name_code_line(const void *named, bool row, int32_t number)
{
    const tacit_flat_table *flat = named;
    return tacit_table_value(flat->source, flat->source_columns[row ? 0 : 1], (uint32_t)number);
}

static void set_names(tacit_flat_table *flat, const reading *r)
{
    flat->source = r->table;
    flat->source_columns[0] = r->row;
    flat->source_columns[1] = r->column;
    flat->view.name = name_code_line;
    flat->view.named = flat;
}

static tacit_status make(tacit_flat_table **out, const reading *r, tacit_error *err)
{
    arrays a = {0};
    tacit_table_let_go(r->table);
    tacit__give_back();
    tacit_flat_table *flat = tacit__alloc_zeroed(1, sizeof *flat);
    tacit_status status = flat ? allocate_sparse(flat, &a, r, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = fill_sparse(&a, r, flat->view.count, err);
    if (status == TACIT_OK)
        status = find_twice(r, &flat->view, err);
    if (status == TACIT_OK) {
        set_names(flat, r);
        *out = flat;
    } else {
        tacit_flat_table_free(flat);
    }
    return status;
}

tacit_status tacit_flat_from_table(tacit_flat_table **out, const tacit_table *table,
                                   const tacit_flat_spec *spec, const tacit_run *run,
                                   tacit_error *err)
{
    reading r = {.table = table, .spec = spec, .run = run, .least = spec->negative ? -INFINITY : 0};
    tacit_status status = check_names(spec, err);
    if (status == TACIT_OK)
        status = read_columns(&r, err);
    if (status == TACIT_OK)
        status = make(out, &r, err);
    clear(&r);
    return status;
}

typedef struct writing {
    tacit__sink sink;
    const tacit_table *table;
    const tacit_flat_view *view;
    const tacit_total_plan *plan;
    int32_t row, column; /* of the table */
    bool values;         /* a column of their own */
    char delimiter;
    int32_t *starts;  /* a row each, and the end: its first cell in the plan */
    uint64_t *listed; /* bit a cell of the plan: it is among the listed */
} writing;

/* ---- the plan ---- */

static tacit_status foreign(tacit_error *err)
{
    return tacit__error(err, TACIT_INVALID, "what is to be added was not found for this table");
}

static tacit_status index_plan(writing *w, tacit_error *err)
{
    const tacit_total_plan *plan = w->plan;
    w->starts = tacit__alloc_zeroed((size_t)w->view->rows + 1, sizeof *w->starts);
    w->listed = tacit__alloc_zeroed(tacit__bitset_words(plan->count), sizeof *w->listed);
    if (!w->starts || !w->listed)
        return tacit__nomem(err);
    for (int32_t k = 0; k < plan->count; k++) {
        bool inside = plan->row[k] >= 0 && plan->row[k] < w->view->rows && plan->column[k] >= 0 &&
                      plan->column[k] < w->view->columns;
        bool after = k == 0 || plan->row[k - 1] < plan->row[k] ||
                     (plan->row[k - 1] == plan->row[k] && plan->column[k - 1] < plan->column[k]);
        if (!inside || !after)
            return foreign(err);
        w->starts[plan->row[k] + 1]++;
    }
    for (int32_t row = 0; row < w->view->rows; row++)
        w->starts[row + 1] += w->starts[row];
    return TACIT_OK;
}

/* The place of a cell in the plan; -1: it is not in it. */
static int32_t find_added(const writing *w, int32_t row, int32_t column)
{
    int32_t low = w->starts[row], high = w->starts[row + 1];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (w->plan->column[middle] == column)
            return middle;
        if (w->plan->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

static char letter_of(const writing *w, int32_t cell)
{
    return w->view->status ? w->view->status[cell] : (char)TACIT_CELL_PRIMARY;
}

/* Which cells of the plan are listed: they must be free. */
static tacit_status match_plan(writing *w, tacit_error *err)
{
    tacit_status status = index_plan(w, err);
    for (int32_t i = 0; status == TACIT_OK && w->plan->count && i < w->view->count; i++) {
        int32_t added = find_added(w, w->view->row[i], w->view->column[i]);
        if (added < 0)
            continue;
        if (letter_of(w, i) != TACIT_CELL_FREE)
            return foreign(err);
        tacit__bit_set(w->listed, added);
    }
    return status;
}

/* ---- writing ---- */

static void write_name(writing *w, tacit_strview name)
{
    tacit__sink_cell(&w->sink, name, w->delimiter);
    tacit__sink_char(&w->sink, w->delimiter);
}

static void write_header(writing *w, const tacit_flat_spec *spec)
{
    write_name(w, tacit_strview_of(spec->row));
    write_name(w, tacit_strview_of(spec->column));
    if (w->values)
        write_name(w, tacit_strview_of(spec->value));
    tacit__sink_cell(&w->sink, tacit_strview_of("status"), w->delimiter);
    tacit__sink_line(&w->sink);
}

/* value NAN: none is shown. */
static void write_cell(writing *w, int32_t row, int32_t column, double value, char letter)
{
    write_name(w, tacit_table_value(w->table, w->row, (uint32_t)row));
    write_name(w, tacit_table_value(w->table, w->column, (uint32_t)column));
    if (w->values) {
        if (!isnan(value))
            tacit__sink_number(&w->sink, value);
        tacit__sink_char(&w->sink, w->delimiter);
    }
    tacit__sink_char(&w->sink, letter);
    tacit__sink_line(&w->sink);
}

static void write_listed(writing *w)
{
    const tacit_flat_view *view = w->view;
    for (int32_t i = 0; i < view->count && w->sink.status == TACIT_OK; i++) {
        char letter = letter_of(w, i);
        if (letter == TACIT_CELL_FREE && w->plan->count &&
            find_added(w, view->row[i], view->column[i]) >= 0)
            letter = TACIT_CELL_SECONDARY;
        bool hidden = letter == TACIT_CELL_PRIMARY || letter == TACIT_CELL_SECONDARY;
        write_cell(w, view->row[i], view->column[i], hidden || !view->value ? NAN : view->value[i],
                   letter);
    }
}

static void write_added(writing *w)
{
    const tacit_total_plan *plan = w->plan;
    for (int32_t k = 0; k < plan->count && w->sink.status == TACIT_OK; k++)
        if (!tacit__bit_get(w->listed, k))
            write_cell(w, plan->row[k], plan->column[k], NAN, TACIT_CELL_SECONDARY);
}

/* ---- */

/* The table that the list was read from, and names that can be told from another. */
static tacit_status check(writing *w, const tacit_flat_spec *spec, tacit_error *err)
{
    tacit_status status = tacit__column_find(&w->row, w->table, spec->row, err);
    if (status == TACIT_OK)
        status = tacit__column_find(&w->column, w->table, spec->column, err);
    if (status != TACIT_OK)
        return status;
    if (tacit_table_rows(w->table) != w->view->count ||
        tacit_table_distinct(w->table, w->row) != (uint32_t)w->view->rows ||
        tacit_table_distinct(w->table, w->column) != (uint32_t)w->view->columns)
        return tacit__error(err, TACIT_INVALID, "the list of cells was not read from this file");
    if (!strcmp(spec->row, "status") || !strcmp(spec->column, "status") ||
        (spec->value && !strcmp(spec->value, "status")))
        return tacit__error(err, TACIT_INVALID,
                            "a column is named \"status\", as another of what is written; rename "
                            "it");
    return TACIT_OK;
}

tacit_status tacit_flat_write(int fd, const char *name, const tacit_table *table,
                              const tacit_flat_table *flat, const tacit_total_plan *plan,
                              const tacit_flat_spec *spec, char delimiter, tacit_error *err)
{
    static const tacit_total_plan NOTHING = {0};
    writing w = {.sink = {.fd = fd, .name = name, .err = err},
                 .table = table,
                 .view = &flat->view,
                 .plan = plan ? plan : &NOTHING,
                 .values = spec->value != NULL,
                 .delimiter = delimiter ? delimiter : ';'};
    tacit_status status = check(&w, spec, err);
    if (status == TACIT_OK)
        status = match_plan(&w, err);
    if (status == TACIT_OK) {
        write_header(&w, spec);
        write_listed(&w);
        write_added(&w);
        status = tacit__sink_close(&w.sink);
    }
    tacit__free(w.starts);
    tacit__free(w.listed);
    return status;
}
