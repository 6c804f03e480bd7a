/*
 * sparse.c - a sparse table from a coded file with a row a cell.
 *
 * The codes of the two columns that say where a cell is are its row and column. Texts of the other
 * columns are read once each (read/columns.h), and a pass over the file fills the arrays that
 * differ from what the view assumes without them. Everything that the graph would refuse is refused
 * here, where its line is known.
 *
 * A cell that is given twice: cells are taken row by row, after a counting sort unless the file
 * is in such an order, and each column remembers its last cell; if that is of the same row, there
 * it is. Linear; 4 bytes a cell for the sort, and 4 a line, until it is done.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cells/read/columns.h"
#include "cells/total/total.h"

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

/* The arrays behind the view, which only reads them. */
typedef struct arrays {
    int32_t *row, *column;
    char *status;
    double *value, *lower, *upper, *cost;
} arrays;

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
static tacit_status allocate(tacit_flat_table *flat, arrays *a, const reading *r, tacit_error *err)
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

static tacit_status fill(const arrays *a, const reading *r, int32_t count, tacit_error *err)
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
static tacit_strview name_line(const void *named, bool row, int32_t number)
{
    const tacit_flat_table *flat = named;
    return tacit_table_value(flat->source, flat->source_columns[row ? 0 : 1], (uint32_t)number);
}

static void set_names(tacit_flat_table *flat, const reading *r)
{
    flat->source = r->table;
    flat->source_columns[0] = r->row;
    flat->source_columns[1] = r->column;
    flat->view.name = name_line;
    flat->view.named = flat;
}

static tacit_status make(tacit_flat_table **out, const reading *r, tacit_error *err)
{
    arrays a = {0};
    tacit_table_let_go(r->table);
    tacit__give_back();
    tacit_flat_table *flat = tacit__alloc_zeroed(1, sizeof *flat);
    tacit_status status = flat ? allocate(flat, &a, r, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = fill(&a, r, flat->view.count, err);
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
