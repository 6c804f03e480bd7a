/*
 * exact_program.c - which cells are blank, as a program.
 *
 *     minimize the cost of blank cells b,
 *     sum of x[i,j] over helpers j  >=  need of i,                    for i in need
 *     x[i,j]  <=  own[i,j,c] + b[j,c],                                for c where they differ
 *     sum of own[i,j,c] over j  <=  need of i times b[i,c],  own[i,j,c]  <=  b[i,c],
 *     0 <= x[i,j] <= 1,  b from 0 to 1 (or integer), and the limits.
 *
 * x[i,j] is the help that i takes from a unit j; it need not be integer once b is. For every
 * cell that they differ in, that rests on a blank of i (own) or of j. A class that helps gives
 * all that i needs, and rests on i's blanks alone: its x is its own. The sum over j is what
 * makes the program worth solving: i takes help from as many rows as it needs and no
 * more, so that a cell in which all its helpers differ from it must be blank as a whole,
 * where one by one a fraction would do for each of them.
 *
 * Where rows have a limit, a helper has so many blanks and no more, and the rest of what they
 * differ in must be blank in i: sum of own[i,j,c] over c  >=  (how many those are - limit) x[i,j].
 *
 * Rows of a class are interchangeable: those that come before others have at least as many blanks.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "records/blanks/exact.h"

/* ---- lines ---- */

/* A line without entries so far. That memory ran out is noted, and said when lines are flushed. */
static void open_line(tacit__lines *l, double lower, double upper, double cost, bool integer)
{
    size_t n = (size_t)l->count + 2;
    l->failed = l->failed || !TACIT__RESERVE(l->lower, l->lower_capacity, n) ||
                !TACIT__RESERVE(l->upper, l->upper_capacity, n) ||
                !TACIT__RESERVE(l->costs, l->cost_capacity, n) ||
                !TACIT__RESERVE(l->integers, l->integer_capacity, n) ||
                !TACIT__RESERVE(l->starts, l->start_capacity, n);
    if (l->failed)
        return;
    l->lower[l->count] = lower;
    l->upper[l->count] = upper;
    l->costs[l->count] = cost;
    l->integers[l->count] = integer;
    if (l->count == 0)
        l->starts[0] = 0;
    l->starts[l->count + 1] = l->starts[l->count];
    l->count++;
}

/* An entry of the line opened last; -1 is what is not in the program. */
static void add_entry(tacit__lines *l, int32_t item, double value)
{
    if (item < 0 || l->failed)
        return;
    int32_t *end = &l->starts[l->count];
    size_t n = (size_t)*end + 1;
    l->failed = !TACIT__RESERVE(l->items, l->item_capacity, n) ||
                !TACIT__RESERVE(l->values, l->value_capacity, n);
    if (l->failed)
        return;
    l->items[*end] = item;
    l->values[*end] = value;
    ++*end;
}

static void lines_clear(tacit__lines *l)
{
    tacit__free(l->lower);
    tacit__free(l->upper);
    tacit__free(l->costs);
    tacit__free(l->values);
    tacit__free(l->integers);
    tacit__free(l->starts);
    tacit__free(l->items);
}

static void open_row(tacit__help *h, double lower, double upper)
{
    open_line(&h->rows, lower, upper, 0, false);
}

/* Where the next column will be. */
static int32_t next_column(const tacit__help *h)
{
    return tacit__solver_columns(h->solver) + h->columns.count;
}

/* Puts columns, whose entries are in rows that are there, and then rows into the program. */
static tacit_status flush(tacit__help *h, tacit_error *err)
{
    const tacit__lines *l = &h->columns, *r = &h->rows;
    tacit__solver_lines columns = {l->count,    l->lower,  l->upper, l->costs,
                                   l->integers, l->starts, l->items, l->values};
    tacit__solver_lines rows = {r->count, r->lower,  r->upper, NULL,
                                NULL,     r->starts, r->items, r->values};
    tacit_status status = l->failed || r->failed ? tacit__nomem(err) : TACIT_OK;
    if (status == TACIT_OK && columns.count > 0)
        status = tacit__solver_add_columns(h->solver, &columns, err);
    if (status == TACIT_OK && rows.count > 0)
        status = tacit__solver_add_rows(h->solver, &rows, err);
    h->columns.count = h->rows.count = 0;
    return status;
}

/* ---- units ---- */

static bool column_limit(const tacit__tableau *t)
{
    return t->most_column < t->rows;
}

static int32_t *cells_of(const tacit__help *h, int32_t unit)
{
    return h->cell + (int64_t)unit * h->exact->tableau->columns;
}

/* Cells; rows 0, 1 ... are the limits of columns, where there are any. */
static void add_cells(tacit__help *h, int32_t unit, uint64_t cells)
{
    const tacit__tableau *t = h->exact->tableau;
    for (int32_t c = 0; c < t->columns; c++) {
        int32_t *cell = cells_of(h, unit) + c;
        *cell = cells >> c & 1 ? next_column(h) : -1;
        if (*cell < 0)
            continue;
        open_line(&h->columns, 0, 1, tacit__exact_cost(h->exact, unit, c), true);
        if (column_limit(t))
            add_entry(&h->columns, c, 1);
    }
}

/* All cells of a unit, in the row opened last. */
static void add_sum(tacit__help *h, int32_t unit, double value)
{
    for (int32_t c = 0; c < h->exact->tableau->columns; c++)
        add_entry(&h->rows, cells_of(h, unit)[c], value);
}

/* The limit of a unit's blanks, and its place among those of its class. */
static void add_limits(tacit__help *h, int32_t unit)
{
    const tacit__tableau *t = h->exact->tableau;
    int32_t before = h->exact->units[unit].before;
    if (t->most_row < t->columns) {
        open_row(h, -INFINITY, t->most_row);
        add_sum(h, unit, 1);
    }
    if (before >= 0) {
        open_row(h, -INFINITY, 0);
        add_sum(h, unit, 1);
        add_sum(h, before, -1);
    }
}

static void add_need(tacit__help *h, int32_t unit)
{
    double need = h->exact->units[unit].need;
    h->row[unit] = tacit__solver_rows(h->solver) + h->rows.count;
    open_row(h, need, INFINITY);
    for (int32_t c = 0; c < h->exact->tableau->columns; c++) {
        open_row(h, 0, INFINITY);
        add_entry(&h->rows, cells_of(h, unit)[c], need);
    }
}

tacit_status tacit__help_add_units(tacit__help *h, int32_t count, const int32_t *units,
                                   const uint64_t *cells, tacit_error *err)
{
    size_t all = (size_t)h->exact->unit_count + 1;
    if (!TACIT__RESERVE(h->cell, h->cell_capacity, all * (size_t)h->exact->tableau->columns) ||
        !TACIT__RESERVE(h->row, h->unit_capacity, all))
        return tacit__nomem(err);
    for (int32_t i = 0; i < count; i++)
        add_cells(h, units[i], cells ? cells[i] : UINT64_MAX);
    for (int32_t i = 0; i < count; i++) {
        add_limits(h, units[i]);
        if (h->exact->units[units[i]].need)
            add_need(h, units[i]);
    }
    return flush(h, err);
}

/* ---- links ---- */

/* Help by a class: what it rests on is the unit's alone. */
static void add_class_help(tacit__help *h, const tacit__link *link)
{
    int32_t row = h->row[link->unit];
    open_line(&h->columns, 0, INFINITY, 0, false);
    add_entry(&h->columns, row, 1);
    for (uint64_t left = link->differ; left; left &= left - 1)
        add_entry(&h->columns, row + 1 + __builtin_ctzll(left), -1);
}

/* What help by a unit rests on at a cell. */
static void add_at_cell(tacit__help *h, const tacit__link *link, int32_t help, int c)
{
    int32_t own_cell = cells_of(h, link->unit)[c], own = own_cell < 0 ? -1 : next_column(h);
    if (own >= 0) {
        open_line(&h->columns, 0, 1, 0, false);
        add_entry(&h->columns, h->row[link->unit] + 1 + c, -1);
    }
    open_row(h, 0, INFINITY);
    add_entry(&h->rows, help, -1);
    add_entry(&h->rows, own, 1);
    add_entry(&h->rows, cells_of(h, link->helper)[c], 1);
    if (own < 0 || h->exact->units[link->unit].need < 2)
        return;
    open_row(h, 0, INFINITY);
    add_entry(&h->rows, own_cell, 1);
    add_entry(&h->rows, own, -1);
}

/* What help rests on beyond the blanks that a helper may have; own come behind its column. */
static void add_beyond(tacit__help *h, const tacit__link *link, int32_t help)
{
    int beyond = __builtin_popcountll(link->differ) - h->exact->tableau->most_row;
    if (beyond <= 0)
        return;
    open_row(h, 0, INFINITY);
    add_entry(&h->rows, help, -beyond);
    for (int32_t own = help + 1; own < next_column(h); own++)
        add_entry(&h->rows, own, 1);
}

static void add_unit_help(tacit__help *h, const tacit__link *link)
{
    int32_t help = next_column(h);
    open_line(&h->columns, 0, 1, 0, false);
    add_entry(&h->columns, h->row[link->unit], 1);
    for (uint64_t left = link->differ; left; left &= left - 1)
        add_at_cell(h, link, help, __builtin_ctzll(left));
    add_beyond(h, link, help);
}

tacit_status tacit__help_add_links(tacit__help *h, int32_t count, const int32_t *links,
                                   tacit_error *err)
{
    if (!TACIT__RESERVE_ONE(h->link, h->link_capacity, h->exact->link_count))
        return tacit__nomem(err);
    for (int32_t i = 0; i < count; i++) {
        const tacit__link *link = &h->exact->links[links[i]];
        h->link[links[i]] = next_column(h);
        if (link->helper < 0)
            add_class_help(h, link);
        else
            add_unit_help(h, link);
    }
    return flush(h, err);
}

tacit_status tacit__help_init(tacit__help *h, const tacit__exact *e, tacit_error *err)
{
    const tacit__tableau *t = e->tableau;
    *h = (tacit__help){.exact = e};
    tacit_status status = tacit__solver_new(&h->solver, NULL, err);
    for (int32_t c = 0; column_limit(t) && c < t->columns; c++)
        open_row(h, -INFINITY, (double)t->most_column);
    if (status == TACIT_OK)
        status = flush(h, err);
    if (status != TACIT_OK)
        tacit__help_clear(h);
    return status;
}

void tacit__help_clear(tacit__help *h)
{
    tacit__solver_free(h->solver);
    tacit__free(h->cell);
    tacit__free(h->row);
    tacit__free(h->link);
    lines_clear(&h->columns);
    lines_clear(&h->rows);
    *h = (tacit__help){0};
}
