/*
 * program.c - the linear program of controlled adjustment (Castro 2006; Dandekar and Cox 2002),
 * made of a table and solved with directions decided for some primary cells or all.
 *
 * Changes are counted in units, of which all values are multiples; rooms are taken down to units
 * and levels up. A cell's change is p - n, p and n at least 0 and limited by its bounds, and costs
 * its weight times p + n. That of a primary cell is t + p - n: t goes from -down to up and costs
 * what a line from one end to the other does. A decision fixes t at its end and closes p or n.
 * While nothing is decided the line is the largest convex function below the true cost, so the
 * program's value is a bound on all tables with these decisions, and decisions change bounds only.
 *
 * Squares: each cell has a column more, above (p + n)^2 by inequalities that are added where the
 * solution breaks them: tangents, or where changes are whole numbers the lines through
 * neighbouring whole numbers, which are exact there. A primary cell that has gone its way pays
 * for the square of what it goes further, and twice the product. That ends within SQUARES_CLOSE.
 *
 * Whole numbers: in two dimensions solutions are whole by themselves (the relations are a
 * network). Elsewhere they need not be; then the program is solved once more over integers, as far
 * as NODES and WHOLE_WORK go.
 *
 * Cost: two or three columns a cell, one more for squares, a row a relation; and the programs.
 */
#include "cells/adjust/adjust.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

enum { MAX_DECIMALS = 6 };

/* Numbers of units beyond this are not counted on. */
#define MAX_UNITS 1e15

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
        all = fabs(units) < MAX_UNITS &&
              fabs(units - nearbyint(units)) <= 1e-12 * fmax(1, fabs(units));
    }
    return all;
}

static void find_unit(tacit__adjust *a)
{
    double per_unit = 1;
    int decimals = 0;
    while (decimals <= MAX_DECIMALS && !all_multiples(a->cells, per_unit)) {
        per_unit *= 10;
        decimals++;
    }
    a->whole = decimals <= MAX_DECIMALS;
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

/* ---- columns and rows ---- */

static void add_mover(tacit__line_list *columns, tacit__adjust *a, const tacit__mover *m)
{
    double weight = a->weight[m->cell];
    double low = a->squares ? m->down * m->down : m->down;
    double rise = tacit__rise_of(a, m);
    a->constant += weight * low + rise * m->down;
    tacit__lines_end_column(columns, 0, fmax(0, m->most_up - m->up),
                            weight * (a->squares ? 2 * m->up : 1), a->whole);
    tacit__lines_end_column(columns, 0, fmax(0, m->most_down - m->down),
                            weight * (a->squares ? 2 * m->down : 1), a->whole);
    tacit__lines_end_column(columns, -m->down, m->up, rise, false);
}

static tacit_status add_columns(tacit__adjust *a, tacit_error *err)
{
    tacit__line_list columns = {0};
    for (int32_t i = 0; i < a->cells->count; i++) {
        double cost = a->squares ? 0 : a->weight[i];
        if (a->column[i] < 0)
            continue;
        if (a->mover_of[i] >= 0) {
            add_mover(&columns, a, &a->movers[a->mover_of[i]]);
        } else {
            tacit__lines_end_column(&columns, 0, a->room_up[i], cost, a->whole);
            tacit__lines_end_column(&columns, 0, a->room_down[i], cost, a->whole);
        }
        if (a->squares)
            tacit__lines_end_column(&columns, 0, INFINITY, 1, false);
    }
    tacit_status status = tacit__solver_take_columns(a->solver, &columns, err);
    tacit__lines_clear(&columns);
    return status;
}

static tacit_status add_rows(tacit__adjust *a, tacit_error *err)
{
    const tacit_relations *all = &a->cells->relations;
    tacit__line_list rows = {0};
    if (3 * all->starts[all->count] > INT32_MAX)
        return tacit__error(err, TACIT_LIMIT, "the table is too large to be adjusted");
    for (int32_t r = 0; r < all->count; r++) {
        int32_t before = rows.item_count;
        for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++) {
            int32_t cell = all->items[j], first = a->column[cell];
            if (first < 0 || all->coefs[j] == 0)
                continue;
            for (int32_t k = 0; k < (a->mover_of[cell] >= 0 ? 3 : 2); k++)
                tacit__lines_put(&rows, first + k,
                                 k == TACIT__MINUS ? -all->coefs[j] : all->coefs[j]);
        }
        if (rows.item_count > before)
            tacit__lines_end_row(&rows, 0, 0);
    }
    a->rows = rows.count;
    tacit_status status = tacit__solver_take_rows(a->solver, &rows, err);
    tacit__lines_clear(&rows);
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

#define SQUARES_CLOSE 1e-7
enum { SQUARES_ROUNDS = 200, NODES = 300, ITERATIONS = 20000, MAX_COLUMNS = 5000 };

/* Iterations times columns that whole numbers are worth. */
#define WHOLE_WORK INT64_C(20000000)

static const char PHASE[] = "adjusting";

/* ---- decisions ---- */

static void decide(tacit__adjust *a, int32_t mover, int way)
{
    const tacit__mover *m = &a->movers[mover];
    int32_t first = a->column[m->cell];
    way = way == TACIT__OPEN ? tacit__only_way(m) : way;
    double more_up = fmax(0, m->most_up - m->up), more_down = fmax(0, m->most_down - m->down);
    if (a->ways[mover] == way)
        return;
    a->ways[mover] = (int8_t)way;
    tacit__solver_set_column(a->solver, first + TACIT__PLUS, 0, way < 0 ? 0 : more_up);
    tacit__solver_set_column(a->solver, first + TACIT__MINUS, 0, way > 0 ? 0 : more_down);
    tacit__solver_set_column(a->solver, first + TACIT__TURN, way > 0 ? m->up : -m->down,
                             way < 0 ? -m->down : m->up);
}

/* Whether all is open. */
static bool decide_all(tacit__adjust *a, const int8_t *ways)
{
    bool open = true;
    for (int32_t k = 0; k < a->count; k++) {
        open &= ways[k] == TACIT__OPEN;
        decide(a, k, ways[k]);
    }
    return open;
}

/* Back to where the program with all ways open ended: from elsewhere that can take a thousand
 * times as long. */
static void come_back(tacit__adjust *a)
{
    if (a->basis && a->basis_rows == tacit__solver_rows(a->solver))
        tacit__solver_restore(a->solver, a->basis);
}

static tacit_status stay(tacit__adjust *a, tacit_error *err)
{
    int32_t rows = tacit__solver_rows(a->solver);
    unsigned char *basis = tacit__alloc((size_t)a->columns + (size_t)rows);
    if (!basis)
        return tacit__nomem(err);
    tacit__solver_save(a->solver, basis);
    tacit__free(a->basis);
    a->basis = basis;
    a->basis_rows = rows;
    return TACIT_OK;
}

/* ---- squares ---- */

/* The inequality that is tight at a change of that size: the square is at least rise * size - off.
 */
static void line_at(double *rise, double *off, const tacit__adjust *a, double size)
{
    double at = a->whole ? floor(size + TACIT__UNIT_CLOSE) : size;
    *rise = a->whole ? 2 * at + 1 : 2 * at;
    *off = a->whole ? at * (at + 1) : at * at;
}

/* How much the program makes too little of the squares, and the inequalities that say so. */
static double find_cuts(tacit__line_list *cuts, const tacit__adjust *a, const double *x, double all)
{
    double missing = 0, rise, off;
    for (int32_t i = 0; i < a->cells->count; i++) {
        if (a->column[i] < 0)
            continue;
        int32_t plus = a->column[i] + TACIT__PLUS, minus = a->column[i] + TACIT__MINUS;
        double size = x[plus] + x[minus], weight = a->weight[i];
        line_at(&rise, &off, a, size);
        double lack = weight * (rise * size - off) - x[tacit__square_of(a, i)];
        if (lack <= SQUARES_CLOSE * all / a->cells->count)
            continue;
        missing += lack;
        tacit__lines_put(cuts, plus, -weight * rise);
        tacit__lines_put(cuts, minus, -weight * rise);
        tacit__lines_put(cuts, tacit__square_of(a, i), 1);
        tacit__lines_end_row(cuts, -weight * off, INFINITY);
    }
    return missing;
}

/* ---- solving ---- */

/* What an iteration counts for. In large tables most of them touch a small part only. */
static int64_t work_of(const tacit__adjust *a)
{
    return a->columns < MAX_COLUMNS ? a->columns : MAX_COLUMNS;
}

static tacit_status solve_once(tacit__solver_answer *answer, tacit__adjust *a, bool whole,
                               tacit_error *err)
{
    int64_t most = ITERATIONS + a->columns / 4;
    tacit__solver_options options = {.phase = PHASE,
                                     .relaxed = !whole,
                                     .nodes = NODES,
                                     .iterations = whole ? WHOLE_WORK / work_of(a) : most};
    tacit_status status = tacit__solver_solve(answer, a->solver, &options, a->run, err);
    if (status == TACIT_OK)
        a->work += (answer->iterations + 10) * work_of(a);
    return status;
}

static tacit_status solve_squares(tacit__solver_answer *answer, tacit__adjust *a, bool whole,
                                  tacit_error *err)
{
    tacit__line_list cuts = {0};
    tacit_status status = TACIT_OK;
    for (int round = 0; status == TACIT_OK; round++) {
        status = solve_once(answer, a, whole, err);
        if (status != TACIT_OK || !answer->values || round == SQUARES_ROUNDS)
            break;
        double all = fmax(1e-9, a->constant + answer->cost);
        if (find_cuts(&cuts, a, answer->values, all) <= SQUARES_CLOSE * all)
            break;
        status = tacit__solver_take_rows(a->solver, &cuts, err);
    }
    tacit__lines_clear(&cuts);
    return status;
}

static tacit_status solve_all(tacit__solver_answer *answer, tacit__adjust *a, bool whole,
                              tacit_error *err)
{
    return a->squares ? solve_squares(answer, a, whole, err) : solve_once(answer, a, whole, err);
}

static double change_of(const tacit__adjust *a, int32_t cell, const double *x)
{
    int32_t first = a->column[cell];
    double change = x[first + TACIT__PLUS] - x[first + TACIT__MINUS];
    return a->mover_of[cell] >= 0 ? change + x[first + TACIT__TURN] : change;
}

/* Whether a change can be published: a whole number of units, made so, and for a primary cell
 * on a side. */
static bool tidy(double *change, const tacit__adjust *a, int32_t cell)
{
    double near = nearbyint(*change);
    if (a->whole && fabs(*change - near) > 10 * TACIT__UNIT_CLOSE * fmax(1, fabs(near)))
        return false;
    if (a->whole)
        *change = near;
    if (a->mover_of[cell] < 0)
        return true;
    const tacit__mover *m = &a->movers[a->mover_of[cell]];
    double slack = TACIT__UNIT_CLOSE * fmax(1, fabs(*change));
    return (*change >= m->up - slack && *change <= m->most_up + slack) ||
           (*change <= -m->down + slack && *change >= -m->most_down - slack);
}

static void take_solution(tacit__adjust *a, const double *x)
{
    a->distance = 0;
    a->fits = true;
    for (int32_t i = 0; i < a->cells->count; i++) {
        double change = a->column[i] < 0 ? 0 : change_of(a, i, x);
        a->fits &= tidy(&change, a, i);
        a->change[i] = change;
        a->distance += a->weight[i] * (a->squares ? change * change : fabs(change));
    }
}

static void take_answer(tacit__adjust *a, const tacit__solver_answer *answer)
{
    a->found = answer->result == TACIT__SOLVER_OPTIMAL && answer->values;
    a->proven = answer->result == TACIT__SOLVER_INFEASIBLE;
    a->bound = a->found ? a->constant + answer->bound : a->proven ? INFINITY : -INFINITY;
    if (!a->found)
        return;
    take_solution(a, answer->values);
    for (int32_t k = 0; k < a->count; k++)
        a->slope[k] = answer->reduced[a->column[a->movers[k].cell] + TACIT__TURN];
}

tacit_status tacit__adjust_solve(tacit__adjust *adjust, const int8_t *ways, tacit_error *err)
{
    tacit__solver_answer answer;
    if (adjust->columns == 0) {
        adjust->found = adjust->fits = true;
        adjust->bound = adjust->distance = 0;
        return TACIT_OK;
    }
    bool open = decide_all(adjust, ways);
    if (open)
        come_back(adjust);
    tacit_status status = solve_all(&answer, adjust, false, err);
    if (status == TACIT_OK)
        take_answer(adjust, &answer);
    if (status == TACIT_OK && open && adjust->found)
        status = stay(adjust, err);
    return status;
}

tacit_status tacit__adjust_whole(tacit__adjust *adjust, tacit_error *err)
{
    tacit__solver_answer answer;
    tacit_status status = solve_all(&answer, adjust, true, err);
    if (status != TACIT_OK)
        return status;
    adjust->found = answer.values != NULL;
    adjust->proven = answer.result == TACIT__SOLVER_INFEASIBLE;
    adjust->bound =
        adjust->proven ? INFINITY : fmax(adjust->bound, adjust->constant + answer.bound);
    if (adjust->found)
        take_solution(adjust, answer.values);
    return TACIT_OK;
}

/* ---- ways that go together ---- */

/* What a unit away from the side given costs more, of the turn and of what goes back on it. */
static void pull(tacit__adjust *a, const int8_t *ways, const double *force, double scale)
{
    for (int32_t k = 0; k < a->count; k++) {
        const tacit__mover *m = &a->movers[k];
        int32_t first = a->column[m->cell];
        double weight = a->weight[m->cell], more = scale * force[k];
        double plus = weight * (a->squares ? 2 * m->up : 1);
        double minus = weight * (a->squares ? 2 * m->down : 1);
        tacit__solver_set_cost(a->solver, first + TACIT__TURN,
                               tacit__rise_of(a, m) - more * ways[k]);
        tacit__solver_set_cost(a->solver, first + TACIT__PLUS, plus + (ways[k] < 0 ? more : 0));
        tacit__solver_set_cost(a->solver, first + TACIT__MINUS, minus + (ways[k] > 0 ? more : 0));
    }
}

static double most_weight(const tacit__adjust *a)
{
    double most = 0;
    for (int32_t i = 0; i < a->cells->count; i++)
        most = fmax(most, a->weight[i]);
    return most;
}

tacit_status tacit__adjust_pull(double *parts, tacit__adjust *adjust, const int8_t *ways,
                                const double *force, tacit_error *err)
{
    tacit__solver_answer answer;
    pull(adjust, ways, force, most_weight(adjust));
    tacit_status status = solve_once(&answer, adjust, false, err);
    adjust->found = status == TACIT_OK && answer.values;
    for (int32_t k = 0; k < adjust->count && adjust->found; k++) {
        const tacit__mover *m = &adjust->movers[k];
        double part = (change_of(adjust, m->cell, answer.values) + m->down) / (m->up + m->down);
        parts[k] = fmin(1, fmax(0, part));
    }
    pull(adjust, ways, force, 0);
    return status;
}
