/*
 * complete.c - values for the cells of a release that keeps some to itself.
 *
 * The adversary's programs speak of deviations from a table that fits what is published, and
 * what they find does not depend on which (cells.h). So any such table will do. A relation of
 * which one value is not known says what it is; that may leave others with one, until nothing
 * changes. Subtotals that the release does not list are nobody's secret: where they follow, they
 * are known as if they stood there.
 *
 * What is left is fitted by linear programs. Cells that share a relation, over other such cells
 * too, are a block with a program of its own: the relations, less what is known in them, over the
 * cells' bounds. It makes values small, so that most end at a bound and numbers stay in sight.
 * Values must be right to rounding, not to the solver's tolerance: a cell that should be at its
 * bound and is a millionth above it would seem to have room. So a program speaks of what is missing
 * yet, in units of it: from a start at the bounds all is missing, and each further one repairs what
 * the last one left. Values that have no more decimals than the published ones and fit exactly, as
 * in nearly all tables, end that at once. Where nothing fits, a second program says which relation
 * misses most.
 *
 * Linear in the terms of relations, but for the programs.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "cells/cells/inside.h"
#include "solver/solver.h"

/* What values are to be fitted to. */
typedef struct fit_task {
    const tacit_cell_uses *uses;
    const int32_t *gaps; /* a relation each: values that are NAN; none has one only */
    int decimals;        /* of published values */
    double tolerance;
    const tacit__solver_backend *backend;
} fit_task;

/* Programs for a block. */
enum { MAX_ROUNDS = 6 };

/* Iterations after which a program is given up: so many for every row and column. */
enum { ITERATIONS_EACH = 100, ITERATIONS_LEAST = 100000 };

/* What rounding leaves of a relation's sizes, and what is not worth another program. */
#define ROUNDING 1e-13
#define ENOUGH   1e-10

typedef struct block {
    int32_t count, rows;
    int32_t *cells;     /* of the table */
    int32_t *relations; /* the same */
    int32_t *starts, *items;
    double *coefs;
    double *wanted; /* a row each: what its cells must come to */
    double *sizes;  /* of what that was computed from */
    double *value;  /* a cell each */
    double *lower, *upper;
    double *rest; /* a row each: what is missing */
} block;

typedef struct fitting {
    tacit_cells *cells;
    const fit_task *to;
    const tacit_run *run;
    int32_t *place; /* a cell each: its number in the block, from 1; 0: not met yet */
    bool *met;      /* a relation each */
    int32_t *list;  /* cells of the block in hand */
    int32_t *rows;  /* its relations */
} fitting;

/* ---- blocks ---- */

/* A release that contradicts itself, said at a relation. */
static tacit_status contradiction(const tacit_cells *cells, int32_t relation, tacit_error *err)
{
    return tacit__cell_error(cells, cells->relations.items[cells->relations.starts[relation]],
                             TACIT_INVALID, err,
                             "no values of the suppressed cells add up to it and keep their "
                             "bounds; the release contradicts itself");
}

static void block_clear(block *b)
{
    void *const blocks[] = {b->cells, b->relations, b->starts, b->items, b->coefs, b->wanted,
                            b->sizes, b->value,     b->lower,  b->upper, b->rest};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        tacit__free(blocks[i]);
}

/* All that hangs together with a cell. Returns the terms. */
static int64_t gather(fitting *f, int32_t first, int32_t *count, int32_t *rows)
{
    const tacit_relations *all = &f->cells->relations;
    int64_t terms = 0;
    *rows = 0;
    *count = 1;
    f->list[0] = first;
    f->place[first] = 1;
    for (int32_t at = 0; at < *count; at++)
        for (int64_t u = f->to->uses->starts[f->list[at]]; u < f->to->uses->starts[f->list[at] + 1];
             u++) {
            int32_t r = f->to->uses->relations[u];
            if (f->met[r])
                continue;
            f->met[r] = true;
            f->rows[(*rows)++] = r;
            terms += f->to->gaps[r];
            for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++) {
                int32_t cell = all->items[j];
                if (!isnan(f->cells->value[cell]) || f->place[cell])
                    continue;
                f->list[(*count)++] = cell;
                f->place[cell] = *count;
            }
        }
    return terms;
}

static tacit_status allocate(block *b, int64_t terms, tacit_error *err)
{
    size_t n = (size_t)b->count, m = (size_t)b->rows;
    if (terms > INT32_MAX)
        return tacit__error(err, TACIT_LIMIT, "relations have more than %d terms", INT32_MAX);
    b->cells = tacit__alloc_array(n, sizeof *b->cells);
    b->relations = tacit__alloc_array(m, sizeof *b->relations);
    b->starts = tacit__alloc_array(m + 1, sizeof *b->starts);
    b->items = tacit__alloc_array((size_t)terms, sizeof *b->items);
    b->coefs = tacit__alloc_array((size_t)terms, sizeof *b->coefs);
    b->wanted = tacit__alloc_array(m, sizeof *b->wanted);
    b->sizes = tacit__alloc_array(m, sizeof *b->sizes);
    b->rest = tacit__alloc_array(m, sizeof *b->rest);
    b->value = tacit__alloc_array(n, sizeof *b->value);
    b->lower = tacit__alloc_array(n, sizeof *b->lower);
    b->upper = tacit__alloc_array(n, sizeof *b->upper);
    bool all = b->cells && b->relations && b->starts && b->items && b->coefs && b->wanted &&
               b->sizes && b->rest && b->value && b->lower && b->upper;
    return all ? TACIT_OK : tacit__nomem(err);
}

static void fill_row(block *b, const fitting *f, int32_t row)
{
    const tacit_relations *all = &f->cells->relations;
    int32_t r = b->relations[row], at = b->starts[row];
    b->wanted[row] = all->rhs[r];
    b->sizes[row] = fabs(all->rhs[r]);
    for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++) {
        double value = f->cells->value[all->items[j]];
        if (isnan(value)) {
            b->items[at] = f->place[all->items[j]] - 1;
            b->coefs[at++] = all->coefs[j];
            continue;
        }
        b->wanted[row] -= all->coefs[j] * value;
        b->sizes[row] += fabs(all->coefs[j] * value);
    }
    b->starts[row + 1] = at;
}

/* From the bound that is nearest to 0 where there is one. */
static double start_of(double lower, double upper)
{
    return lower > 0 || (isfinite(lower) && upper >= 0) ? lower : isfinite(upper) ? upper : 0;
}

static tacit_status take_block(block *b, fitting *f, int32_t first, tacit_error *err)
{
    int64_t terms = gather(f, first, &b->count, &b->rows);
    tacit_status status = allocate(b, terms, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < b->count; i++) {
        int32_t cell = b->cells[i] = f->list[i];
        b->lower[i] = f->cells->lower[cell];
        b->upper[i] = f->cells->upper[cell];
        b->value[i] = start_of(b->lower[i], b->upper[i]);
    }
    b->starts[0] = 0;
    for (int32_t row = 0; row < b->rows; row++) {
        b->relations[row] = f->rows[row];
        fill_row(b, f, row);
    }
    return TACIT_OK;
}

/* ---- how well values fit ---- */

static double size_of(const block *b, const double *value, int32_t row)
{
    double size = b->sizes[row];
    for (int32_t j = b->starts[row]; j < b->starts[row + 1]; j++)
        size += fabs(b->coefs[j] * value[b->items[j]]);
    return size;
}

static double missing(const block *b, const double *value, int32_t row)
{
    double rest = b->wanted[row];
    for (int32_t j = b->starts[row]; j < b->starts[row + 1]; j++)
        rest -= b->coefs[j] * value[b->items[j]];
    return rest;
}

/* The most that any row misses beyond rounding, infinite where sums are no numbers; fills in what
 * each misses. */
static double worst_of(block *b, double tolerance)
{
    double worst = 0;
    for (int32_t row = 0; row < b->rows; row++) {
        b->rest[row] = missing(b, b->value, row);
        double enough = tolerance + fmax(ENOUGH, ROUNDING * size_of(b, b->value, row));
        if (!(fabs(b->rest[row]) <= enough))
            worst = isfinite(b->rest[row]) ? fmax(worst, fabs(b->rest[row])) : INFINITY;
    }
    return worst;
}

/* What a program's 1 stands for, a power of two, when so much is missing. Below some size rounding
 * of what is missing would be more than its tolerance. */
static double scale_of(const block *b, double worst)
{
    double largest = 0;
    int exponent;
    for (int32_t row = 0; row < b->rows; row++)
        largest = fmax(largest, size_of(b, b->value, row));
    double scale = fmax(worst, ROUNDING / TACIT__SOLVER_FEASIBLE * largest);
    if (!isfinite(scale))
        return INFINITY;
    frexp(scale, &exponent);
    return ldexp(1, exponent);
}

static bool fits(const block *b, double tolerance)
{
    for (int32_t row = 0; row < b->rows; row++)
        if (!tacit__within(missing(b, b->value, row), size_of(b, b->value, row), tolerance))
            return false;
    return true;
}

/* Takes values rounded to the decimals of the published ones, where those fit exactly. */
static bool take_rounded(block *b, int decimals, double *room)
{
    memcpy(room, b->value, (size_t)b->count * sizeof *room);
    tacit__round_to(room, (size_t)b->count, decimals);
    for (int32_t i = 0; i < b->count; i++)
        if (room[i] < b->lower[i] || room[i] > b->upper[i])
            return false;
    for (int32_t row = 0; row < b->rows; row++)
        if (!(fabs(missing(b, room, row)) <= ROUNDING * size_of(b, room, row)))
            return false;
    memcpy(b->value, room, (size_t)b->count * sizeof *room);
    return true;
}

/* ---- programs ---- */

typedef struct program {
    tacit__solver *solver;
    double scale; /* what its 1 stands for */
} program;

/* What is missing, as a program over what is to be added. */
static tacit_status program_init(program *p, const block *b, double scale, const fit_task *to,
                                 tacit_error *err)
{
    tacit__line_list columns = {0}, rows = {0};
    *p = (program){.scale = scale};
    for (int32_t i = 0; i < b->count; i++) {
        double lower = (b->lower[i] - b->value[i]) / scale;
        double upper = (b->upper[i] - b->value[i]) / scale;
        double cost = isfinite(lower) ? 1 : isfinite(upper) ? -1 : 0;
        tacit__lines_end_column(&columns, lower, upper, cost, false);
    }
    for (int32_t row = 0; row < b->rows; row++) {
        for (int32_t j = b->starts[row]; j < b->starts[row + 1]; j++)
            tacit__lines_put(&rows, b->items[j], b->coefs[j]);
        tacit__lines_end_row(&rows, (b->rest[row] - to->tolerance) / scale,
                             (b->rest[row] + to->tolerance) / scale);
    }
    tacit_status status = tacit__solver_new(&p->solver, to->backend, err);
    if (status == TACIT_OK)
        status = tacit__solver_take_columns(p->solver, &columns, err);
    if (status == TACIT_OK)
        status = tacit__solver_take_rows(p->solver, &rows, err);
    tacit__lines_clear(&columns);
    tacit__lines_clear(&rows);
    return status;
}

static tacit_status solve(tacit__solver_answer *answer, const program *p, const block *b,
                          const tacit_run *run, tacit_error *err)
{
    tacit__solver_options options = {.phase = "completing the table"};
    options.iterations =
        ITERATIONS_LEAST + ITERATIONS_EACH * ((int64_t)b->rows + (int64_t)b->count);
    return tacit__solver_solve(answer, p->solver, &options, run, err);
}

/* Adds what a program found; what comes to a bound, as far as programs can tell, is there. */
static void move(block *b, const program *p, const double *by)
{
    double close = TACIT__SOLVER_FEASIBLE * p->scale;
    for (int32_t i = 0; i < b->count; i++) {
        double value = b->value[i] + by[i] * p->scale;
        if (value <= b->lower[i] + close)
            value = b->lower[i];
        else if (value >= b->upper[i] - close)
            value = b->upper[i];
        b->value[i] = value;
    }
}

/* ---- where nothing fits ---- */

/* A slack for more and one for less in every row, each at its price, and all else for nothing. */
static tacit_status loosen(program *p, const block *b, tacit_error *err)
{
    tacit__line_list slacks = {0};
    for (int32_t k = 0; k < 2 * b->rows; k++) {
        tacit__lines_put(&slacks, k / 2, k % 2 ? -1 : 1);
        tacit__lines_end_column(&slacks, 0, INFINITY, 1, false);
    }
    for (int32_t i = 0; i < b->count; i++)
        tacit__solver_set_cost(p->solver, i, 0);
    tacit_status status = tacit__solver_take_columns(p->solver, &slacks, err);
    tacit__lines_clear(&slacks);
    return status;
}

/* Names the relation that misses most in the values that miss least in all. */
static tacit_status accuse(const fitting *f, program *p, const block *b, tacit_error *err)
{
    tacit__solver_answer answer = {0};
    int32_t worst = 0;
    tacit_status status = loosen(p, b, err);
    if (status == TACIT_OK)
        status = solve(&answer, p, b, f->run, err);
    if (status != TACIT_OK)
        return status;
    const double *slack = answer.values ? answer.values + b->count : NULL;
    for (int32_t row = 1; slack && row < b->rows; row++)
        if (slack[2 * row] + slack[2 * row + 1] > slack[2 * worst] + slack[2 * worst + 1])
            worst = row;
    return contradiction(f->cells, b->relations[worst], err);
}

/* ---- the whole ---- */

static tacit_status trouble(const fitting *f, const block *b, tacit_error *err)
{
    return tacit__cell_error(f->cells, b->cells[0], TACIT_LIMIT, err,
                             "no values that fit were found, nor that there are none; its "
                             "numbers are too large, or too far apart");
}

/* One program. *more: whether another could help. Values that fit are enough, proven to be the
 * least or not. One that nothing fits may only say that what is missing is rounding. */
static tacit_status improve(bool *more, fitting *f, block *b, double worst, tacit_error *err)
{
    program p;
    tacit__solver_answer answer = {0};
    double scale = scale_of(b, worst);
    if (!isfinite(scale))
        return trouble(f, b, err);
    tacit_status status = program_init(&p, b, scale, f->to, err);
    if (status == TACIT_OK)
        status = solve(&answer, &p, b, f->run, err);
    *more = status == TACIT_OK && answer.values;
    if (*more)
        move(b, &p, answer.values);
    else if (status == TACIT_OK && !fits(b, f->to->tolerance))
        status =
            answer.result == TACIT__SOLVER_INFEASIBLE ? accuse(f, &p, b, err) : trouble(f, b, err);
    tacit__solver_free(p.solver);
    return status;
}

static tacit_status fit(fitting *f, block *b, tacit_error *err)
{
    double *room = tacit__alloc_array((size_t)b->count, sizeof *room);
    tacit_status status = room ? TACIT_OK : tacit__nomem(err);
    bool more = true;
    for (int round = 0; status == TACIT_OK && more && round < MAX_ROUNDS; round++) {
        double worst = worst_of(b, f->to->tolerance);
        if (take_rounded(b, f->to->decimals, room) || worst == 0)
            break;
        status = improve(&more, f, b, worst, err);
    }
    if (status == TACIT_OK && !fits(b, f->to->tolerance))
        status = trouble(f, b, err);
    for (int32_t i = 0; status == TACIT_OK && i < b->count; i++)
        f->cells->value[b->cells[i]] = b->value[i];
    tacit__free(room);
    return status;
}

static tacit_status fit_all(fitting *f, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; status == TACIT_OK && i < f->cells->count; i++) {
        block b = {0};
        if (!isnan(f->cells->value[i]))
            continue;
        status = take_block(&b, f, i, err);
        if (status == TACIT_OK)
            status = fit(f, &b, err);
        block_clear(&b);
    }
    return status;
}

/* Values for all cells that are NAN, block by block. */
static tacit_status fit_blocks(tacit_cells *cells, const fit_task *to, const tacit_run *run,
                               tacit_error *err)
{
    fitting f = {.cells = cells, .to = to, .run = run};
    size_t n = (size_t)cells->count, m = (size_t)cells->relations.count;
    f.place = tacit__alloc_zeroed(n, sizeof *f.place);
    f.list = tacit__alloc_array(n, sizeof *f.list);
    f.met = tacit__alloc_zeroed(m, sizeof *f.met);
    f.rows = tacit__alloc_array(m, sizeof *f.rows);
    tacit_status status =
        f.place && f.list && f.met && f.rows ? fit_all(&f, err) : tacit__nomem(err);
    tacit__free(f.place);
    tacit__free(f.list);
    tacit__free(f.met);
    tacit__free(f.rows);
    return status;
}

typedef struct completion {
    tacit_cells *cells;
    double tolerance;
    int decimals; /* of published values */
    tacit_cell_uses *uses;
    int32_t *gaps; /* a relation each: values in it that are not known */
    int32_t *queue;
    int32_t waiting;
    tacit__off *off;
    size_t off_capacity;
    int64_t off_count;
} completion;

/* What the known values of a relation come to, and the gap last met. */
typedef struct known {
    double sum, size;
    int64_t gap; /* -1: none */
} known;

static known known_of(const tacit_cells *cells, int32_t relation)
{
    const tacit_relations *all = &cells->relations;
    known k = {.sum = -all->rhs[relation], .size = fabs(all->rhs[relation]), .gap = -1};
    for (int64_t j = all->starts[relation]; j < all->starts[relation + 1]; j++) {
        double value = cells->value[all->items[j]];
        if (isnan(value)) {
            k.gap = j;
            continue;
        }
        k.sum += all->coefs[j] * value;
        k.size += fabs(all->coefs[j] * value);
    }
    return k;
}

/* ---- what is published ---- */

/* The line to name for a relation: its total's, or the first that has one. */
static int64_t line_of(const tacit_cells *cells, int32_t relation)
{
    const tacit_relations *all = &cells->relations;
    int64_t j = all->starts[relation];
    while (j + 1 < all->starts[relation + 1] && !cells->line[all->items[j]])
        j++;
    return cells->line[all->items[j]];
}

static tacit_status check_published(completion *c, int32_t relation, tacit_error *err)
{
    known k = known_of(c->cells, relation);
    if (tacit__within(k.sum, k.size, c->tolerance))
        return TACIT_OK;
    return TACIT__PUSH(c->off, c->off_capacity, c->off_count,
                       tacit__off_of(k.sum, line_of(c->cells, relation)))
               ? TACIT_OK
               : tacit__nomem(err);
}

static tacit_status count_gaps(completion *c, tacit_error *err)
{
    const tacit_relations *all = &c->cells->relations;
    tacit_status status = TACIT_OK;
    for (int32_t r = 0; status == TACIT_OK && r < all->count; r++) {
        c->gaps[r] = 0;
        for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++)
            c->gaps[r] += isnan(c->cells->value[all->items[j]]);
        if (c->gaps[r] == 0)
            status = check_published(c, r, err);
        if (c->gaps[r] == 1)
            c->queue[c->waiting++] = r;
    }
    if (status == TACIT_OK && c->off_count)
        status =
            tacit__off_error(c->off, c->off_count, c->cells->file, "subtotals do not add up", err);
    return status;
}

/* ---- what follows ---- */

/* A value that is a bound but for rounding is that bound. False: it is beyond. */
static bool settle(double *value, const tacit_cells *cells, int32_t cell, double size,
                   double tolerance)
{
    const double bounds[] = {cells->lower[cell], cells->upper[cell]};
    for (int i = 0; i < 2; i++)
        if (tacit__within(*value - bounds[i], size, 0)) {
            *value = bounds[i];
            return true;
        }
    double inside = fmin(fmax(*value, bounds[0]), bounds[1]);
    if (!tacit__within(inside - *value, size, tolerance))
        return false;
    *value = inside;
    return true;
}

/* A cell is known now: relations that are left with one gap say more, with none must hold. */
static tacit_status spread(completion *c, int32_t cell, tacit_error *err)
{
    for (int64_t u = c->uses->starts[cell]; u < c->uses->starts[cell + 1]; u++) {
        int32_t r = c->uses->relations[u];
        c->gaps[r]--;
        if (c->gaps[r] == 1)
            c->queue[c->waiting++] = r;
        if (c->gaps[r] > 0)
            continue;
        known k = known_of(c->cells, r);
        if (!tacit__within(k.sum, k.size, c->tolerance))
            return contradiction(c->cells, r, err);
    }
    return TACIT_OK;
}

/* A difference with the decimals of what it was computed from, as far as that is rounding. */
static double neat(const completion *c, double value, double size)
{
    double rounded = value;
    tacit__round_to(&rounded, 1, c->decimals);
    return tacit__within(rounded - value, size, 0) ? rounded : value;
}

static tacit_status deduce(completion *c, tacit_error *err)
{
    const tacit_relations *all = &c->cells->relations;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && c->waiting > 0) {
        int32_t r = c->queue[--c->waiting];
        known k = known_of(c->cells, r);
        if (k.gap < 0)
            continue;
        int32_t cell = all->items[k.gap];
        double size = k.size / fabs(all->coefs[k.gap]),
               value = neat(c, -k.sum / all->coefs[k.gap], size);
        if (!settle(&value, c->cells, cell, size, c->tolerance))
            return contradiction(c->cells, r, err);
        c->cells->value[cell] = value;
        status = spread(c, cell, err);
    }
    return status;
}

/* ---- the whole ---- */

/* Subtotals that are not listed and do not follow. */
static void mark_rest(tacit_cells *cells)
{
    for (int32_t i = 0; i < cells->count; i++)
        if (isnan(cells->value[i]) && !cells->unknown[i]) {
            cells->unknown[i] = true;
            cells->status[i] = TACIT_CELL_SECONDARY;
        }
}

static tacit_status complete(completion *c, const tacit__solver_backend *backend,
                             const tacit_run *run, tacit_error *err)
{
    size_t relations = (size_t)c->cells->relations.count;
    tacit_status status = tacit_cell_uses_new(&c->uses, c->cells, err);
    if (status != TACIT_OK)
        return status;
    c->gaps = tacit__alloc_array(relations, sizeof *c->gaps);
    c->queue = tacit__alloc_array(relations, sizeof *c->queue);
    if (!c->gaps || !c->queue)
        return tacit__nomem(err);
    status = count_gaps(c, err);
    if (status == TACIT_OK)
        status = deduce(c, err);
    if (status != TACIT_OK)
        return status;
    mark_rest(c->cells);
    fit_task to = {.uses = c->uses,
                   .gaps = c->gaps,
                   .decimals = c->decimals,
                   .tolerance = c->tolerance,
                   .backend = backend};
    return fit_blocks(c->cells, &to, run, err);
}

tacit_status tacit__cells_complete(tacit_cells *cells, double tolerance,
                                   const tacit__solver_backend *backend, const tacit_run *run,
                                   tacit_error *err)
{
    completion c = {.cells = cells,
                    .tolerance = tolerance,
                    .decimals = tacit__decimals_of(cells->value, (size_t)cells->count)};
    tacit_status status = complete(&c, backend, run, err);
    tacit_cell_uses_free(c.uses);
    tacit__free(c.gaps);
    tacit__free(c.queue);
    tacit__free(c.off);
    return status;
}
