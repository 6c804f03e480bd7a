/*
 * price.c - what it takes to hide one side of a cell beyond the intervals of the moment.
 *
 * With z the intervals and t the amount, the program for the upper side of cell p is
 *
 *     min sum of w_i (e_i + g_i) + B s
 *     over M d = 0,  d_i = f_i + e_i - g_i,  -z.down_i <= f_i <= z.up_i,  d_p = t - s,
 *          0 <= e_i <= room.up_i - z.up_i,  0 <= g_i <= room.down_i - z.down_i,  s >= 0:
 *
 * moving within the intervals is free, moving beyond them costs what the widths would. It is 0
 * where the intervals hide the side. Else d is a table that would, with f + e - g the intervals to
 * have for it; and the duals are a cut. With q_i the price of a unit of d_i, the value is
 * convex in z and t and falls by min(w_i, q_i+) for each unit of z.up_i and by min(w_i, q_i-)
 * for one of z.down_i, so that those who want it to be 0 have
 *
 *     sum of min(w_i, q_i+) z.up_i + min(w_i, q_i-) z.down_i >= value + the same sum of now.
 *
 * That is Benders' cut of the adversary's program (exact/adversary.c) among those with coefficients
 * up to the weights the deepest, and for a single side it proves the optimum at once.
 *
 * Few spots take part with e and g: those that a quick method suppresses, those that intervals were
 * ever open for, and where not even they hide the side those whose price is above their weight.
 * The others can move within their intervals only, so their coefficients in the cut are their
 * prices. It is as valid, the programs are small, and it is the master that opens more.
 *
 * A side goes on from where its last program ended; only bounds have changed, so that is the dual
 * simplex method's. Columns are three a spot; numbers are scaled by a power of 16 near the amount.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "cells/partial/partial.h"

/* The cost of what no table has, weights being 1 at most; and what is noise: of values and duals,
 * in units near the amount. */
#define SHORT       1e3
#define NOTHING     1e-7
#define STILL       1e-7
#define FAINT_PRICE 1e-10
#define SAVED       1e-9

/* Spots that are let in at a time. */
enum { MAX_NEW = 64 };

enum { FREE = 0, OVER, UNDER, A_SPOT };

struct tacit__pricer {
    const tacit__partial *partial;
    tacit__solver *solver;
    int64_t *starts; /* spots + 1: where a spot's relations start */
    int32_t *rows;
    double *coefs;
    int32_t columns;    /* sides first, for what they lack; then A_SPOT for each spot let in */
    int32_t *column_of; /* a spot each, its first; -1: not let in */
    const tacit__partial_reach *reach;
    double scale;      /* of the bounds that the solver has; 0: none of this reach */
    double *price;     /* a spot each, of the last solution */
    double *up, *down; /* the inequality in hand, a spot each */
    int32_t *spots;    /* scratch for a table */
    double *moves;
    unsigned char *basis; /* scratch */
    size_t basis_capacity;
};

/* ---- the program ---- */

/* Relations by spot. */
static tacit_status transpose(tacit__pricer *r, tacit_error *err)
{
    const tacit__partial *p = r->partial;
    const tacit__patch *patch = p->patch;
    int32_t terms = patch->starts[patch->rows];
    r->starts = tacit__alloc_zeroed((size_t)p->spots + 2, sizeof *r->starts);
    r->rows = tacit__alloc_array((size_t)terms, sizeof *r->rows);
    r->coefs = tacit__alloc_array((size_t)terms, sizeof *r->coefs);
    if (!r->starts || !r->rows || !r->coefs)
        return tacit__nomem(err);
    for (int32_t j = 0; j < terms; j++)
        if (p->spot_of[patch->items[j]] >= 0)
            r->starts[p->spot_of[patch->items[j]] + 2]++;
    for (int32_t i = 0; i < p->spots; i++)
        r->starts[i + 2] += r->starts[i + 1];
    for (int32_t row = 0; row < patch->rows; row++)
        for (int32_t j = patch->starts[row]; j < patch->starts[row + 1]; j++) {
            int32_t spot = p->spot_of[patch->items[j]];
            if (spot < 0)
                continue;
            r->rows[r->starts[spot + 1]] = row;
            r->coefs[r->starts[spot + 1]++] = patch->coefs[j];
        }
    return TACIT_OK;
}

/* A column that moves a spot by `way`, shut for now. */
static tacit_status add_column(tacit__pricer *r, int32_t spot, double way, double cost,
                               tacit_error *err)
{
    tacit__line_list line = {0};
    for (int64_t j = r->starts[spot]; j < r->starts[spot + 1]; j++)
        tacit__lines_put(&line, r->rows[j], way * r->coefs[j]);
    tacit__lines_end_column(&line, 0, 0, cost, false);
    tacit_status status = tacit__solver_take_columns(r->solver, &line, err);
    r->columns += status == TACIT_OK;
    tacit__lines_clear(&line);
    return status;
}

static tacit_status add_relations(tacit__pricer *r, tacit_error *err)
{
    tacit__line_list rows = {0};
    for (int32_t i = 0; i < r->partial->patch->rows; i++)
        tacit__lines_end_row(&rows, 0, 0);
    tacit_status status = tacit__solver_take_rows(r->solver, &rows, err);
    tacit__lines_clear(&rows);
    return status;
}

static tacit_status fill_pricer(tacit__pricer *r, tacit_error *err)
{
    const tacit__partial *p = r->partial;
    tacit_status status = tacit__solver_new(&r->solver, NULL, err);
    if (status == TACIT_OK)
        status = transpose(r, err);
    if (status == TACIT_OK)
        status = add_relations(r, err);
    for (int32_t k = 0; k < p->side_count && status == TACIT_OK; k++)
        status = add_column(r, p->sides[k].spot, -p->sides[k].sign, SHORT, err);
    return status;
}

tacit_status tacit__pricer_new(tacit__pricer **out, const tacit__partial *partial, tacit_error *err)
{
    size_t spots = (size_t)partial->spots;
    tacit__pricer *r = tacit__alloc_zeroed(1, sizeof *r);
    if (!r)
        return tacit__nomem(err);
    *r = (tacit__pricer){.partial = partial,
                         .column_of = tacit__alloc_array(spots, sizeof *r->column_of),
                         .price = tacit__alloc_array(spots, sizeof *r->price),
                         .up = tacit__alloc_zeroed(spots, sizeof *r->up),
                         .down = tacit__alloc_zeroed(spots, sizeof *r->down),
                         .spots = tacit__alloc_array(spots, sizeof *r->spots),
                         .moves = tacit__alloc_array(spots, sizeof *r->moves)};
    bool ready = r->column_of && r->price && r->up && r->down && r->spots && r->moves;
    for (size_t i = 0; i < spots && ready; i++)
        r->column_of[i] = -1;
    tacit_status status = ready ? fill_pricer(r, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        *out = r;
    else
        tacit__pricer_free(r);
    return status;
}

void tacit__pricer_free(tacit__pricer *pricer)
{
    if (!pricer)
        return;
    tacit__solver_free(pricer->solver);
    tacit__free(pricer->starts);
    tacit__free(pricer->rows);
    tacit__free(pricer->coefs);
    tacit__free(pricer->column_of);
    tacit__free(pricer->price);
    tacit__free(pricer->up);
    tacit__free(pricer->down);
    tacit__free(pricer->spots);
    tacit__free(pricer->moves);
    tacit__free(pricer->basis);
    tacit__free(pricer);
}

/* ---- one side ---- */

/* Bounds of a spot that takes part. */
static void set_spot(tacit__pricer *r, int32_t spot)
{
    const tacit__partial *p = r->partial;
    double up = r->reach->up[spot], down = r->reach->down[spot];
    int32_t column = r->column_of[spot];
    tacit__solver_set_column(r->solver, column + FREE, -down / r->scale, up / r->scale);
    tacit__solver_set_column(r->solver, column + OVER, 0,
                             fmax(p->room.up[spot] - up, 0) / r->scale);
    tacit__solver_set_column(r->solver, column + UNDER, 0,
                             fmax(p->room.down[spot] - down, 0) / r->scale);
}

static tacit_status let_spot_in(tacit__pricer *r, int32_t spot, tacit_error *err)
{
    double weight = r->partial->weight[spot];
    int32_t column = r->columns;
    tacit_status status = add_column(r, spot, 1, 0, err);
    if (status == TACIT_OK)
        status = add_column(r, spot, 1, weight, err);
    if (status == TACIT_OK)
        status = add_column(r, spot, -1, weight, err);
    if (status == TACIT_OK)
        r->column_of[spot] = column;
    return status;
}

tacit_status tacit__pricer_take(tacit__pricer *pricer, const tacit__partial_reach *reach,
                                tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < pricer->partial->spots && status == TACIT_OK; i++)
        if (pricer->column_of[i] < 0 && (reach->up[i] > 0 || reach->down[i] > 0))
            status = let_spot_in(pricer, i, err);
    pricer->reach = reach;
    pricer->scale = 0;
    return status;
}

static void set_scale(tacit__pricer *r, double amount)
{
    double scale = pow(16, floor(log2(amount) / 4));
    if (scale == r->scale)
        return;
    r->scale = scale;
    for (int32_t i = 0; i < r->partial->spots; i++)
        if (r->column_of[i] >= 0)
            set_spot(r, i);
}

static int32_t column_short(const tacit__pricer *r, const tacit__side *side)
{
    return (int32_t)(side - r->partial->sides);
}

/* The cell moves by the amount, but for what it lacks. */
static tacit_status set_side(tacit__pricer *r, const tacit__side *side, tacit_error *err)
{
    double amount = side->sign * side->amount / r->scale;
    tacit_status status = r->column_of[side->spot] < 0 ? let_spot_in(r, side->spot, err) : TACIT_OK;
    if (status != TACIT_OK)
        return status;
    int32_t column = r->column_of[side->spot];
    tacit__solver_set_column(r->solver, column + FREE, amount, amount);
    tacit__solver_set_column(r->solver, column + OVER, 0, 0);
    tacit__solver_set_column(r->solver, column + UNDER, 0, 0);
    tacit__solver_set_column(r->solver, column_short(r, side), 0, INFINITY);
    return TACIT_OK;
}

static void unset_side(tacit__pricer *r, const tacit__side *side)
{
    if (r->column_of[side->spot] >= 0)
        set_spot(r, side->spot);
    tacit__solver_set_column(r->solver, column_short(r, side), 0, 0);
}

/* What a spot would save beyond its weight; 0: it takes part, or there is nothing to save. */
static double saving(const tacit__pricer *r, int32_t spot)
{
    const tacit__partial *p = r->partial;
    double room = r->price[spot] > 0 ? p->room.up[spot] : p->room.down[spot];
    double more = fabs(r->price[spot]) - p->weight[spot];
    return r->column_of[spot] < 0 && room > 0 && more > 0 ? more : 0;
}

static void take_prices(tacit__pricer *r, const double *duals)
{
    for (int32_t i = 0; i < r->partial->spots; i++) {
        double price = 0;
        for (int64_t j = r->starts[i]; j < r->starts[i + 1]; j++)
            price += duals[r->rows[j]] * r->coefs[j];
        r->price[i] = price;
    }
}

/* Lets spots in that would save much; *count is 0 where none would save anything. */
static tacit_status let_more_in(int32_t *count, tacit__pricer *r, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    double most = 0;
    for (int32_t i = 0; i < r->partial->spots; i++)
        most = fmax(most, saving(r, i));
    *count = 0;
    for (int32_t i = 0; i < r->partial->spots && most > SAVED && *count < MAX_NEW; i++) {
        if (saving(r, i) < most / 2)
            continue;
        status = let_spot_in(r, i, err);
        if (status != TACIT_OK)
            break;
        set_spot(r, i);
        ++*count;
    }
    return status;
}

/* The table of a solution, kept with the side. */
static tacit_status keep_table(tacit__pricer *r, tacit__side *side, const double *values,
                               tacit_error *err)
{
    int32_t count = 0;
    for (int32_t i = 0; i < r->partial->spots; i++) {
        if (r->column_of[i] < 0)
            continue;
        const double *of = values + r->column_of[i];
        double move = of[FREE] + of[OVER] - of[UNDER];
        if (fabs(move) <= STILL)
            continue;
        r->spots[count] = i;
        r->moves[count++] = move * r->scale;
    }
    int32_t *spots = tacit__alloc_array((size_t)count, sizeof *spots);
    double *moves = tacit__alloc_array((size_t)count, sizeof *moves);
    if (!spots || !moves) {
        tacit__free(spots);
        tacit__free(moves);
        return tacit__nomem(err);
    }
    memcpy(spots, r->spots, (size_t)count * sizeof *spots);
    memcpy(moves, r->moves, (size_t)count * sizeof *moves);
    tacit__free(side->spots);
    tacit__free(side->moves);
    side->spots = spots;
    side->moves = moves;
    side->count = count;
    side->shown = side->amount;
    return TACIT_OK;
}

/* The inequality: what the value is, and would be with other intervals. */
static void take_side_cut(tacit__priced *out, tacit__pricer *r, const tacit__side *side,
                          double value)
{
    const tacit__partial *p = r->partial;
    out->rhs = value;
    for (int32_t i = 0; i < p->spots; i++) {
        double price = i == side->spot ? 0 : r->price[i];
        double most = r->column_of[i] < 0 ? fabs(price) : fmin(fabs(price), p->weight[i]);
        r->up[i] = price > FAINT_PRICE ? most : 0;
        r->down[i] = price < -FAINT_PRICE ? most : 0;
        out->rhs += r->up[i] * r->reach->up[i] + r->down[i] * r->reach->down[i];
    }
    out->up = r->up;
    out->down = r->down;
}

static tacit_status take_side(tacit__priced *out, tacit__pricer *r, tacit__side *side,
                              const tacit__solver_answer *answer, tacit_error *err)
{
    double lack = answer->values[column_short(r, side)];
    out->solved = true;
    out->lack = lack > NOTHING ? lack * r->scale : 0;
    out->extra = answer->cost > NOTHING ? answer->bound * r->scale : 0;
    if (out->extra > 0) {
        take_side_cut(out, r, side, answer->bound * r->scale);
        out->slope = side->sign * answer->reduced[r->column_of[side->spot] + FREE];
    }
    return out->lack > 0 ? TACIT_OK : keep_table(r, side, answer->values, err);
}

/* Goes back to where the side's last program ended; columns of later are at their lower bounds. */
static tacit_status restore_basis(tacit__pricer *r, const tacit__side *side, tacit_error *err)
{
    size_t rows = (size_t)r->partial->patch->rows, lines = (size_t)r->columns + rows;
    if (!side->basis)
        return TACIT_OK;
    if (!TACIT__RESERVE(r->basis, r->basis_capacity, lines))
        return tacit__nomem(err);
    memset(r->basis, TACIT__SOLVER_AT_LOWER, (size_t)r->columns);
    memcpy(r->basis, side->basis, (size_t)side->columns);
    memcpy(r->basis + r->columns, side->basis + side->columns, rows);
    tacit__solver_restore(r->solver, r->basis);
    return TACIT_OK;
}

static tacit_status save_basis(tacit__pricer *r, tacit__side *side, tacit_error *err)
{
    size_t lines = (size_t)r->columns + (size_t)r->partial->patch->rows;
    tacit__free(side->basis);
    side->basis = tacit__alloc_array(lines, sizeof *side->basis);
    if (!side->basis)
        return tacit__nomem(err);
    side->columns = r->columns;
    tacit__solver_save(r->solver, side->basis);
    return TACIT_OK;
}

/* Solves with more and more spots while the side lacks something. */
static tacit_status solve_side(tacit__priced *out, int64_t *iterations, tacit__pricer *r,
                               tacit__side *side, const tacit_run *run, tacit_error *err)
{
    const tacit__solver_options options = {.phase = run ? "intervals" : NULL};
    tacit__solver_answer answer;
    tacit_status status;
    int32_t more;
    do {
        status = tacit__solver_solve(&answer, r->solver, &options, run, err);
        if (status != TACIT_OK)
            return status;
        *iterations += answer.iterations + TACIT__PROGRAM_WORK;
        if (answer.result != TACIT__SOLVER_OPTIMAL)
            return TACIT_OK;
        take_prices(r, answer.duals);
        if (answer.values[column_short(r, side)] <= NOTHING)
            break;
        status = let_more_in(&more, r, err);
    } while (status == TACIT_OK && more > 0);
    return status == TACIT_OK ? take_side(out, r, side, &answer, err) : status;
}

tacit_status tacit__pricer_ask(tacit__priced *out, int64_t *iterations, tacit__pricer *pricer,
                               tacit__side *side, const tacit_run *run, tacit_error *err)
{
    *out = (tacit__priced){0};
    set_scale(pricer, side->amount);
    tacit_status status = set_side(pricer, side, err);
    if (status == TACIT_OK)
        status = restore_basis(pricer, side, err);
    if (status == TACIT_OK)
        status = solve_side(out, iterations, pricer, side, run, err);
    if (status == TACIT_OK)
        status = save_basis(pricer, side, err);
    unset_side(pricer, side);
    return status;
}
