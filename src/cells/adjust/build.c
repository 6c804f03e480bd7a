/*
 * build.c - the linear program of controlled adjustment, made of a table (Castro 2006;
 * Dandekar and Cox 2002): what its columns and rows mean is said in program.c, which solves
 * it.
 *
 * Changes are counted in units, of which all values are multiples; rooms are taken down to units
 * and levels up.
 *
 * Cost: two or three columns a cell, one more for squares, and a row a relation.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/adjust/adjust.h"

enum { MOST_DECIMALS = 6 };

/* Numbers of units beyond this are not counted on. */
#define MOST_UNITS 1e15

bool tacit__can_go(const tacit__mover *mover, int way)
{
    return way > 0 ? mover->most_up >= mover->up : mover->most_down >= mover->down;
}

int tacit__only_way(const tacit__mover *mover)
{
    bool up = tacit__can_go(mover, 1), down = tacit__can_go(mover, -1);
    return up == down ? TACIT__OPEN : up ? TACIT__UP : TACIT__DOWN;
}

/* ---- units ---- */

static bool all_multiples(const tacit_cells *cells, double per_unit)
{
    bool all = true;
    for (int32_t i = 0; i < cells->count && all; i++) {
        double units = cells->value[i] * per_unit;
        all = fabs(units) < MOST_UNITS &&
              fabs(units - nearbyint(units)) <= 1e-12 * fmax(1, fabs(units));
    }
    return all;
}

static void find_unit(tacit__adjust *a)
{
    double per_unit = 1;
    int decimals = 0;
    while (decimals <= MOST_DECIMALS && !all_multiples(a->cells, per_unit)) {
        per_unit *= 10;
        decimals++;
    }
    a->whole = decimals <= MOST_DECIMALS;
    a->unit = a->whole ? 1 / per_unit : 1;
}

/* Rooms are taken down to units and levels up. */
static double room_of(const tacit__adjust *a, double room)
{
    double units = room / a->unit;
    return fmax(0, a->whole ? floor(units + TACIT__UNIT_CLOSE) : units);
}

static double level_of(const tacit__adjust *a, double level)
{
    double units = level / a->unit;
    return a->whole ? ceil(units - TACIT__UNIT_CLOSE) : units;
}

/* ---- cells ---- */

/* What a primary cell must go: see audit_altered.h for levels of 0 and sliding ones. Whoever knows
 * the levels knows which way it went if bounds leave no room for the other: so there must be
 * as much left, on the sides where something is to be hidden. */
static tacit__mover mover_of(const tacit__adjust *a, int32_t cell, int barred)
{
    const tacit_cells *cells = a->cells;
    double upl = cells->upl[cell], lpl = cells->lpl[cell], spl = cells->spl[cell];
    double up = upl > 0 ? upl : lpl, down = lpl > 0 ? lpl : upl;
    double lack = fmax(0, (spl - up - down) / 2);
    tacit__mover m = {.cell = cell, .up = level_of(a, up + lack), .down = level_of(a, down + lack)};
    m.most_up = a->room_up[cell] - (upl > 0 || spl > 0 ? m.down : 0);
    m.most_down = a->room_down[cell] - (lpl > 0 || spl > 0 ? m.up : 0);
    if (barred & TACIT_BAR_UP)
        m.most_up = -1;
    if (barred & TACIT_BAR_DOWN)
        m.most_down = -1;
    return m;
}

static bool is_mover(const tacit_cells *cells, int32_t cell)
{
    return cells->status[cell] == TACIT_CELL_PRIMARY &&
           cells->upl[cell] + cells->lpl[cell] + cells->spl[cell] > 0;
}

/* Cells that must be published stay, and zeros. */
static bool stays(const tacit_cells *cells, int32_t cell)
{
    return cells->status[cell] == TACIT_CELL_FIXED ||
           (cells->value[cell] == 0 && !is_mover(cells, cell));
}

/* Bounds alone prove it; that ways were barred proves nothing of other tables. */
static tacit_status name_hopeless(const tacit_cells *cells, int32_t cell, int barred,
                                  tacit_error *err)
{
    char name[160];
    int64_t line = cells->line ? cells->line[cell] : 0;
    tacit_cells_describe(cells, cell, name, sizeof name);
    if (barred)
        return tacit__error_at(
            err, TACIT_INFEASIBLE, cells->file, line, 0,
            "no table was found in which cell %s is moved by its levels and sums "
            "do not tell which way",
            name);
    return tacit__error_at(err, TACIT_INFEASIBLE, cells->file, line, 0,
                           "cell %s cannot be moved by its levels without telling which way: its "
                           "bounds leave no room for what it would have been otherwise",
                           name);
}

static tacit_status fill_cells(tacit__adjust *a, const tacit_alter_options *options,
                               tacit_error *err)
{
    const tacit_cells *cells = a->cells;
    a->columns = 0;
    tacit__alter_weights(a->weight, cells, options->weight);
    for (int32_t i = 0; i < cells->count; i++) {
        a->weight[i] *= a->unit * (a->squares ? a->unit : 1);
        a->room_up[i] = stays(cells, i) ? 0 : room_of(a, cells->upper[i] - cells->value[i]);
        a->room_down[i] = stays(cells, i) ? 0 : room_of(a, cells->value[i] - cells->lower[i]);
        a->column[i] = a->mover_of[i] = -1;
        if (is_mover(cells, i)) {
            int barred = options->barred ? options->barred[i] : 0;
            tacit__mover m = mover_of(a, i, barred);
            if (!tacit__can_go(&m, 1) && !tacit__can_go(&m, -1))
                return name_hopeless(cells, i, barred, err);
            a->mover_of[i] = a->count;
            a->movers[a->count++] = m;
        }
        if (a->mover_of[i] < 0 && a->room_up[i] == 0 && a->room_down[i] == 0)
            continue;
        a->column[i] = a->columns;
        a->columns += 2 + (a->mover_of[i] >= 0) + a->squares;
    }
    return TACIT_OK;
}

/* ---- columns ---- */

typedef struct lines {
    double *lower, *upper, *costs;
    bool *integers;
} lines;

static void add_column(lines *l, int32_t column, double lower, double upper, double cost)
{
    l->lower[column] = lower;
    l->upper[column] = upper;
    l->costs[column] = cost;
    l->integers[column] = false;
}

static void fill_mover(lines *l, tacit__adjust *a, const tacit__mover *m)
{
    int32_t first = a->column[m->cell];
    double weight = a->weight[m->cell];
    double low = a->squares ? m->down * m->down : m->down;
    double rise = tacit__rise_of(a, m);
    a->constant += weight * low + rise * m->down;
    add_column(l, first + TACIT__PLUS, 0, fmax(0, m->most_up - m->up),
               weight * (a->squares ? 2 * m->up : 1));
    add_column(l, first + TACIT__MINUS, 0, fmax(0, m->most_down - m->down),
               weight * (a->squares ? 2 * m->down : 1));
    add_column(l, first + TACIT__TURN, -m->down, m->up, rise);
}

static void fill_columns(lines *l, tacit__adjust *a)
{
    for (int32_t i = 0; i < a->cells->count; i++) {
        int32_t first = a->column[i];
        double cost = a->squares ? 0 : a->weight[i];
        if (first < 0)
            continue;
        if (a->mover_of[i] >= 0) {
            fill_mover(l, a, &a->movers[a->mover_of[i]]);
        } else {
            add_column(l, first + TACIT__PLUS, 0, a->room_up[i], cost);
            add_column(l, first + TACIT__MINUS, 0, a->room_down[i], cost);
        }
        l->integers[first + TACIT__PLUS] = l->integers[first + TACIT__MINUS] = a->whole;
        if (a->squares)
            add_column(l, tacit__square_of(a, i), 0, INFINITY, 1);
    }
}

static tacit_status add_columns(tacit__adjust *a, tacit_error *err)
{
    size_t n = (size_t)a->columns;
    lines l = {tacit__alloc_array(n, sizeof(double)), tacit__alloc_array(n, sizeof(double)),
               tacit__alloc_array(n, sizeof(double)), tacit__alloc_array(n, sizeof(bool))};
    bool all = l.lower && l.upper && l.costs && l.integers;
    tacit_status status = all ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        fill_columns(&l, a);
        tacit__solver_lines columns = {.count = a->columns,
                                       .lower = l.lower,
                                       .upper = l.upper,
                                       .costs = l.costs,
                                       .integers = l.integers};
        status = tacit__solver_add_columns(a->solver, &columns, err);
    }
    tacit__free(l.lower);
    tacit__free(l.upper);
    tacit__free(l.costs);
    tacit__free(l.integers);
    return status;
}

/* ---- rows ---- */

typedef struct terms {
    int32_t *starts, *items;
    double *values, *zeros;
    int32_t rows;
} terms;

static void fill_rows(terms *t, const tacit__adjust *a)
{
    const tacit_relations *all = &a->cells->relations;
    int32_t at = 0;
    t->starts[0] = 0;
    for (int32_t r = 0; r < all->count; r++) {
        for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++) {
            int32_t cell = all->items[j], first = a->column[cell];
            if (first < 0 || all->coefs[j] == 0)
                continue;
            for (int32_t k = 0; k < (a->mover_of[cell] >= 0 ? 3 : 2); k++) {
                t->items[at] = first + k;
                t->values[at++] = k == TACIT__MINUS ? -all->coefs[j] : all->coefs[j];
            }
        }
        if (at > t->starts[t->rows]) {
            t->zeros[t->rows] = 0;
            t->starts[++t->rows] = at;
        }
    }
}

static tacit_status add_rows(tacit__adjust *a, tacit_error *err)
{
    const tacit_relations *all = &a->cells->relations;
    int64_t most = 3 * all->starts[all->count];
    if (most > INT32_MAX)
        return tacit__error(err, TACIT_LIMIT, "the table is too large to be adjusted");
    size_t rows = (size_t)all->count;
    terms t = {.starts = tacit__alloc_array(rows + 1, sizeof(int32_t)),
               .items = tacit__alloc_array((size_t)most, sizeof(int32_t)),
               .values = tacit__alloc_array((size_t)most, sizeof(double)),
               .zeros = tacit__alloc_array(rows, sizeof(double))};
    tacit_status status = t.starts && t.items && t.values && t.zeros ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        fill_rows(&t, a);
        tacit__solver_lines rows_of = {.count = t.rows,
                                       .lower = t.zeros,
                                       .upper = t.zeros,
                                       .starts = t.starts,
                                       .items = t.items,
                                       .values = t.values};
        status = tacit__solver_add_rows(a->solver, &rows_of, err);
        a->rows = t.rows;
    }
    tacit__free(t.starts);
    tacit__free(t.items);
    tacit__free(t.values);
    tacit__free(t.zeros);
    return status;
}

/* ---- building ---- */

static tacit_status make_room(tacit__adjust *a, tacit_error *err)
{
    size_t n = (size_t)a->cells->count;
    a->weight = tacit__alloc_array(n, sizeof *a->weight);
    a->room_up = tacit__alloc_array(n, sizeof *a->room_up);
    a->room_down = tacit__alloc_array(n, sizeof *a->room_down);
    a->column = tacit__alloc_array(n, sizeof *a->column);
    a->mover_of = tacit__alloc_array(n, sizeof *a->mover_of);
    a->movers = tacit__alloc_array(n, sizeof *a->movers);
    a->ways = tacit__alloc_zeroed(n, sizeof *a->ways);
    a->change = tacit__alloc_zeroed(n, sizeof *a->change);
    a->slope = tacit__alloc_zeroed(n, sizeof *a->slope);
    bool all = a->weight && a->room_up && a->room_down && a->column && a->mover_of && a->movers &&
               a->ways && a->change && a->slope;
    return all ? TACIT_OK : tacit__nomem(err);
}

tacit_status tacit__adjust_init(tacit__adjust *adjust, const tacit_cells *cells,
                                const tacit_alter_options *options, const tacit_run *run,
                                tacit_error *err)
{
    *adjust = (tacit__adjust){
        .cells = cells, .run = run, .squares = options->distance == TACIT_DISTANCE_TWO};
    find_unit(adjust);
    tacit_status status = make_room(adjust, err);
    if (status == TACIT_OK)
        status = fill_cells(adjust, options, err);
    if (status == TACIT_OK)
        status = tacit__solver_new(&adjust->solver, NULL, err);
    if (status == TACIT_OK && adjust->columns > 0)
        status = add_columns(adjust, err);
    if (status == TACIT_OK && adjust->columns > 0)
        status = add_rows(adjust, err);
    return status;
}

void tacit__adjust_clear(tacit__adjust *adjust)
{
    tacit__solver_free(adjust->solver);
    tacit__free(adjust->weight);
    tacit__free(adjust->room_up);
    tacit__free(adjust->room_down);
    tacit__free(adjust->column);
    tacit__free(adjust->mover_of);
    tacit__free(adjust->movers);
    tacit__free(adjust->ways);
    tacit__free(adjust->change);
    tacit__free(adjust->slope);
    tacit__free(adjust->basis);
}
