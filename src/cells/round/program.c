/*
 * program.c - controlled rounding of a table, or of a piece of one, as an integer program.
 *
 * With k the number of the multiple below a cell, it is published as k + y - m + p: y, 0 or 1, is
 * the choice between the two multiples next to it, and m and p, where cells may go further, are
 * bases beyond these. The distance grows by less for y than for m and p, so the sum is convex and
 * the program takes y first by itself. Relations hold in numbers of multiples:
 *
 *     minimize  sum of w (1 - 2 part) y + w (m + p),   M (y - m + p) = b - M k.
 *
 * Cells at a multiple have no y, and no column at all where they stay. Of a table in which all
 * cells are sums of ground cells one relation a sum is enough, the others follow. In two dimensions
 * of which one is flat M is a network matrix: the linear program ends in integers, whatever the
 * size. In others it gives the bound, and branching closes what is left (solver/branch.c).
 *
 * L. H. Cox, A constructive procedure for unbiased controlled rounding, JASA 82, 1987; J. J.
 * Salazar, Controlled rounding and cell perturbation, Mathematical Programming 105, 2006.
 */
#include "cells/round/round.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "solver/solver.h"

/* An iteration is never less work than with so many columns. */
enum { LEAST_COLUMNS = 500 };

/* The columns of a cell. */
typedef enum column_kind { NEXT = 0, BELOW, ABOVE, KINDS } column_kind;

typedef struct building {
    const tacit__round_task *task;
    const tacit__round_piece *piece; /* NULL: all cells */
    const double *number;
    int32_t count; /* of cells */
    tacit__solver *solver;
    int32_t *first;         /* a cell each, and one more: its columns */
    int32_t *place;         /* a column each: of its cell */
    uint8_t *kind;          /* the same */
    tacit__line_list lines; /* columns, and then rows, in the making */
    double constant;        /* distance of the multiples below */
} building;

/* ---- what a cell may be ---- */

static bool stays(const tacit__round_task *task, int32_t cell)
{
    const tacit__multiples *m = task->multiples;
    return m->part[cell] == 0 && (task->steps == 1 || m->low[cell] == 0);
}

/* A zero stays one, so what is published as another number was none. A primary cell for which 0
 * must not be ruled out is published as 0 if that is next to it. */
static bool must_fall(const tacit__round_task *task, int32_t cell)
{
    const tacit__multiples *m = task->multiples;
    const tacit_cells *cells = m->cells;
    return task->fall && cells->status[cell] == TACIT_CELL_PRIMARY && m->low[cell] == 0 &&
           cells->lpl[cell] > 0 && cells->value[cell] - cells->lpl[cell] <= 0;
}

/* Values that are not below 0 stay so, and those that are not above it do too. */
double tacit__round_least(const tacit__round_task *task, int32_t cell)
{
    const tacit__multiples *m = task->multiples;
    if (stays(task, cell))
        return m->low[cell];
    double least = m->low[cell] - (task->steps - 1);
    return m->low[cell] >= 0 ? fmax(least, 0) : least;
}

double tacit__round_most(const tacit__round_task *task, int32_t cell)
{
    const tacit__multiples *m = task->multiples;
    if (stays(task, cell))
        return m->low[cell];
    double most = m->low[cell] + (task->steps - 1) + (m->part[cell] > 0 ? 1 : 0);
    return m->low[cell] < 0 || must_fall(task, cell) ? fmin(most, 0) : most;
}

double tacit__round_beyond(const tacit__round_task *task, int32_t cell, double number)
{
    double least = tacit__round_least(task, cell), most = tacit__round_most(task, cell);
    return number < least ? least - number : number > most ? number - most : 0;
}

double tacit__round_largest_weight(const tacit__round_task *task)
{
    double most = 0;
    for (int32_t i = 0; i < task->multiples->cells->count; i++)
        most = fmax(most, task->weight[i]);
    return most > 0 ? most : 1;
}

/* ---- columns ---- */

static int32_t cell_at(const building *b, int32_t place)
{
    return b->piece ? b->piece->cells[place] : place;
}

static int32_t place_of(const building *b, int32_t cell)
{
    return b->piece ? b->piece->place[cell] : cell;
}

static void add_column(building *b, int32_t place, column_kind kind, double most, double cost)
{
    if (most <= 0)
        return;
    b->place[b->lines.count] = place;
    b->kind[b->lines.count] = (uint8_t)kind;
    tacit__lines_end_column(&b->lines, 0, most, cost, true);
}

/* Whether the multiple above is one of the two next to a cell, 1 or 0. */
static double next_of(const building *b, int32_t cell)
{
    double above = tacit__round_most(b->task, cell) - b->task->multiples->low[cell];
    return above > 0 && b->task->multiples->part[cell] > 0 ? 1 : 0;
}

/* Beyond the two next multiples: as far as steps say, or as the cell is already. */
static void add_further(building *b, int32_t place, double next)
{
    const tacit__round_task *task = b->task;
    int32_t cell = cell_at(b, place);
    double low = task->multiples->low[cell], cost = task->weight[cell] + task->penalty;
    double least = tacit__round_least(task, cell), most = tacit__round_most(task, cell);
    if (task->penalty > 0) {
        least = fmin(least, b->number[cell]);
        most = fmax(most, b->number[cell]);
    }
    add_column(b, place, BELOW, low - least, cost);
    add_column(b, place, ABOVE, most - low - next, cost);
}

static void make_columns(building *b)
{
    const tacit__multiples *m = b->task->multiples;
    for (int32_t i = 0; i < b->count; i++) {
        int32_t cell = cell_at(b, i);
        double weight = b->task->weight[cell], part = m->part[cell], next = next_of(b, cell);
        b->first[i] = b->lines.count;
        b->constant += weight * part;
        add_column(b, i, NEXT, next, weight * (1 - 2 * part));
        add_further(b, i, next);
    }
    b->first[b->count] = b->lines.count;
}

static tacit_status add_columns(building *b, tacit_error *err)
{
    size_t cells = (size_t)b->count, most = KINDS * cells;
    if (most > INT32_MAX)
        return tacit__error(err, TACIT_LIMIT, "the table is too large for one program");
    b->first = tacit__alloc_array(cells + 1, sizeof *b->first);
    b->place = tacit__alloc_array(most, sizeof *b->place);
    b->kind = tacit__alloc_array(most, sizeof *b->kind);
    if (!b->first || !b->place || !b->kind)
        return tacit__nomem(err);
    make_columns(b);
    return tacit__solver_take_columns(b->solver, &b->lines, err);
}

/* ---- relations ---- */

/* How many relations there are to keep, and which. */
static int32_t relation_count(const building *b)
{
    const tacit_cells *cells = b->task->multiples->cells;
    return b->piece        ? b->piece->relation_count
           : b->task->nest ? cells->count
                           : cells->relations.count;
}

/* -1: none. */
static int32_t relation_at(const building *b, int32_t i)
{
    return b->piece ? b->piece->relations[i] : b->task->nest ? b->task->nest->defining[i] : i;
}

/* The columns of a term; returns what stands in their place without them. */
static double add_term(building *b, int32_t cell, double coef)
{
    int32_t place = place_of(b, cell);
    if (place < 0)
        return coef * b->number[cell];
    for (int32_t c = b->first[place]; c < b->first[place + 1]; c++)
        tacit__lines_put(&b->lines, c, b->kind[c] == BELOW ? -coef : coef);
    return coef * b->task->multiples->low[cell];
}

/* A relation without columns is no row: it holds, or nothing can be done. Returns which. */
static bool add_row(building *b, int32_t r)
{
    const tacit__multiples *m = b->task->multiples;
    const tacit_relations *relations = &m->cells->relations;
    int32_t before = b->lines.item_count;
    double rest = relations->rhs[r] * m->base.scale / m->base.whole, size = fabs(rest);
    for (int64_t j = relations->starts[r]; j < relations->starts[r + 1]; j++) {
        double stands = add_term(b, relations->items[j], relations->coefs[j]);
        rest -= stands;
        size += fabs(stands);
    }
    if (b->lines.item_count == before && !b->lines.failed)
        return fabs(rest) <= TACIT_CELLS_EQUAL * fmax(1, size);
    tacit__lines_end_row(&b->lines, rest, rest);
    return true;
}

/* possible: whether no relation is broken already. */
static tacit_status add_rows(bool *possible, building *b, tacit_error *err)
{
    const int64_t *starts = b->task->multiples->cells->relations.starts;
    size_t terms = 0;
    *possible = true;
    for (int32_t i = 0; i < relation_count(b); i++) {
        int32_t r = relation_at(b, i);
        terms += r >= 0 ? (size_t)(starts[r + 1] - starts[r]) : 0;
    }
    if (terms > INT32_MAX / KINDS)
        return tacit__error(err, TACIT_LIMIT, "the table is too large for one program");
    for (int32_t i = 0; i < relation_count(b); i++)
        *possible &= relation_at(b, i) < 0 || add_row(b, relation_at(b, i));
    return *possible ? tacit__solver_take_rows(b->solver, &b->lines, err) : TACIT_OK;
}

/* ---- numbers in and out ---- */

static void take_values(double *number, const building *b, const double *values)
{
    for (int32_t i = 0; i < b->count; i++) {
        int32_t cell = cell_at(b, i);
        number[cell] = b->task->multiples->low[cell];
        for (int32_t c = b->first[i]; c < b->first[i + 1]; c++)
            number[cell] += b->kind[c] == BELOW ? -values[c] : values[c];
    }
}

static void make_start(double *start, const building *b)
{
    const tacit__multiples *m = b->task->multiples;
    for (int32_t c = 0; c < b->first[b->count]; c++) {
        int32_t cell = cell_at(b, b->place[c]);
        double up = b->number[cell] - m->low[cell], next = next_of(b, cell);
        start[c] = b->kind[c] == NEXT    ? (up >= 1 ? 1 : 0)
                   : b->kind[c] == BELOW ? fmax(0, -up)
                                         : fmax(0, up - next);
    }
}

static tacit__round_result result_of(const tacit__solver_answer *answer, bool started)
{
    switch (answer->result) {
    case TACIT__SOLVER_INFEASIBLE: return TACIT__ROUND_NONE;
    case TACIT__SOLVER_OPTIMAL: return TACIT__ROUND_PROVEN;
    default: return answer->values || started ? TACIT__ROUND_FOUND : TACIT__ROUND_UNKNOWN;
    }
}

static tacit_status ask(tacit__round_result *out, double *number, double *bound, int64_t *work,
                        building *b, bool started, const tacit_run *run, tacit_error *err)
{
    int32_t columns = tacit__solver_columns(b->solver);
    double *start = started ? tacit__alloc_array((size_t)columns, sizeof *start) : NULL;
    tacit__solver_answer answer;
    tacit__solver_options options = {.phase = "rounding", .start = start};
    if (started && !start)
        return tacit__nomem(err);
    if (started)
        make_start(start, b);
    options.iterations = 1 + *work / (columns + LEAST_COLUMNS);
    tacit_status status = tacit__solver_solve(&answer, b->solver, &options, run, err);
    tacit__free(start);
    if (status != TACIT_OK)
        return status;
    *work -= answer.iterations * (columns + LEAST_COLUMNS);
    if (answer.values)
        take_values(number, b, answer.values);
    if (answer.bound > -INFINITY && answer.result != TACIT__SOLVER_INFEASIBLE)
        *bound = answer.bound + b->constant;
    *out = result_of(&answer, started);
    return TACIT_OK;
}

static void building_clear(building *b)
{
    tacit__solver_free(b->solver);
    tacit__free(b->first);
    tacit__free(b->place);
    tacit__free(b->kind);
    tacit__lines_clear(&b->lines);
}

tacit_status tacit__round_program(tacit__round_result *out, double *number, double *bound,
                                  int64_t *work, const tacit__round_task *task,
                                  const tacit__round_piece *piece, bool started,
                                  const tacit_run *run, tacit_error *err)
{
    building b = {.task = task, .piece = piece, .number = number};
    bool possible = false;
    b.count = piece ? piece->count : task->multiples->cells->count;
    tacit_status status = tacit__solver_new(&b.solver, NULL, err);
    if (status == TACIT_OK)
        status = add_columns(&b, err);
    if (status == TACIT_OK)
        status = add_rows(&possible, &b, err);
    if (status == TACIT_OK && possible)
        status = ask(out, number, bound, work, &b, started, run, err);
    else if (status == TACIT_OK)
        *out = TACIT__ROUND_NONE;
    building_clear(&b);
    return status;
}
