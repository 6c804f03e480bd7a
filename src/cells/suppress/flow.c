/*
 * flow.c - the cheapest way to hide a cell; see flow.h.
 *
 * Castro's and Kelly's heuristic (notes: "protecting flow"): with f and g the movements of
 * every cell up and down,
 *
 *     minimize  sum of w_i (f_i + g_i),  M (f - g) = 0,  0 <= f_i <= up_i,  0 <= g_i <= down_i,
 *     f_p = amount, g_p = 0,
 *
 * and the cells that move are suppressed. All of them move in a table that an adversary cannot
 * rule out, so none of them is known exactly. One program for all cells of a patch. It starts from
 * where no cell moves, which no weights can make dual infeasible: on tables of many
 * relations that takes a tenth of the time of going on from the last flow.
 *
 * What a flow shows of other cells is kept, and saves their own.
 *
 * A demand (demands.h) of one cell is the same with less room for the cells of its facts; one of
 * several cells takes a row more.
 *
 * Amounts differ by orders of magnitude from one cell to the other, so programs are in units of
 * the amount, and no cell is let move by more than MOST of them.
 */
#include "cells/suppress/flow.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

/* Units that a cell may move by, and those below which a movement is noise. */
#define MAX   1e5
#define NOISE 1e-6

/* What moving any cell weighs beside its own weight, as a share of the mean of all. Ways through
 * cells that are suppressed already may be of any length, unless there are many relations: then a
 * program takes half a minute that takes a tenth of a second where short ways are preferred. */
#define ANY_STEP   1e-3
#define SHORT_STEP 1.0
enum { MANY_ROWS = 4096 };

struct tacit__flow {
    const tacit__patch *patch;
    tacit__solver *solver;
    double step;          /* see above */
    unsigned char *basis; /* where no cell moves, with a row to spare */
    tacit__exact_seen seen;
    double *moved; /* a cell each */
    tacit__shown_fn shown;
    void *context;
};

/* Every cell has two columns, f and g; each relation has f with its coefficient, g against it. */
static tacit_status add_lines(tacit__flow *flow, tacit_error *err)
{
    const tacit__patch *p = flow->patch;
    tacit__line_list columns = {0}, rows = {0};
    for (int32_t i = 0; i < 2 * p->count; i++)
        tacit__lines_end_column(&columns, 0, 0, 0, false);
    for (int32_t r = 0; r < p->rows; r++) {
        for (int32_t j = p->starts[r]; j < p->starts[r + 1]; j++) {
            tacit__lines_put(&rows, 2 * p->items[j], p->coefs[j]);
            tacit__lines_put(&rows, 2 * p->items[j] + 1, -p->coefs[j]);
        }
        tacit__lines_end_row(&rows, 0, 0);
    }
    tacit_status status = tacit__solver_take_columns(flow->solver, &columns, err);
    if (status == TACIT_OK)
        status = tacit__solver_take_rows(flow->solver, &rows, err);
    tacit__lines_clear(&columns);
    tacit__lines_clear(&rows);
    return status;
}

static tacit_status finish(tacit__flow *flow, tacit_error *err)
{
    size_t bytes = 2 * (size_t)flow->patch->count + (size_t)flow->patch->rows;
    flow->basis = tacit__alloc(bytes + 1);
    flow->moved = tacit__alloc_array((size_t)flow->patch->count, sizeof *flow->moved);
    if (!flow->basis || !flow->moved)
        return tacit__nomem(err);
    tacit__solver_save(flow->solver, flow->basis);
    flow->basis[bytes] = flow->patch->rows > 0 ? flow->basis[bytes - 1] : 0;
    return TACIT_OK;
}

tacit_status tacit__flow_new(tacit__flow **out, const tacit__patch *patch, tacit_error *err)
{
    tacit__flow *flow = tacit__alloc_zeroed(1, sizeof *flow);
    if (!flow)
        return tacit__nomem(err);
    flow->patch = patch;
    flow->step = patch->rows > MANY_ROWS ? SHORT_STEP : ANY_STEP;
    tacit_status status = patch->starts[patch->rows] <= INT32_MAX / 2
                              ? tacit__solver_new(&flow->solver, NULL, err)
                              : tacit__error(err, TACIT_LIMIT, "relations have too many terms");
    if (status == TACIT_OK)
        status = tacit__seen_init(&flow->seen, patch, err);
    if (status == TACIT_OK)
        status = add_lines(flow, err);
    if (status == TACIT_OK)
        status = finish(flow, err);
    if (status == TACIT_OK)
        *out = flow;
    else
        tacit__flow_free(flow);
    return status;
}

void tacit__flow_free(tacit__flow *flow)
{
    if (!flow)
        return;
    tacit__solver_free(flow->solver);
    tacit__seen_clear(&flow->seen);
    tacit__free(flow->basis);
    tacit__free(flow->moved);
    tacit__free(flow);
}

void tacit__flow_forget(tacit__flow *flow, const tacit__exact_seen *known)
{
    if (known)
        tacit__seen_copy(&flow->seen, known, flow->patch);
    else
        tacit__seen_reset(&flow->seen, flow->patch);
}

void tacit__flow_tell(tacit__flow *flow, tacit__shown_fn shown, void *context)
{
    flow->shown = shown;
    flow->context = context;
}

const tacit__exact_seen *tacit__flow_seen(const tacit__flow *flow)
{
    return &flow->seen;
}

static double mean_weight(const tacit__patch *p, const double *weights)
{
    double sum = 0;
    for (int32_t i = 0; i < p->count; i++)
        sum += weights[i];
    return p->count > 0 && sum > 0 ? sum / p->count : 1;
}

/* What is to be moved: one cell alone, or a sum, for somebody with facts. */
typedef struct target {
    int32_t cell; /* -1: a sum */
    const tacit__demand *demand;
    double above, below; /* room that it has */
} target;

static target target_of(const tacit__patch *patch, int32_t wish)
{
    if (wish < patch->count)
        return (target){.cell = wish, .above = patch->up[wish], .below = patch->down[wish]};
    const tacit__demand *demand = &patch->demands.list[wish - patch->count];
    if (demand->term_count > 1 || demand->terms->weight != 1)
        return (target){.cell = -1, .demand = demand, .above = INFINITY, .below = INFINITY};
    int32_t cell = demand->terms->cell;
    target to = {cell, demand, patch->up[cell], patch->down[cell]};
    for (int32_t f = 0; f < demand->fact_count; f++)
        if (demand->facts[f].cell == cell) {
            to.above = fmin(to.above, demand->facts[f].up);
            to.below = fmin(to.below, demand->facts[f].down);
        }
    return to;
}

/* No cell moves further than the facts have it. */
static void pose_facts(tacit__flow *flow, const tacit__demand *demand, double unit)
{
    const tacit__patch *patch = flow->patch;
    for (int32_t f = 0; f < demand->fact_count; f++) {
        const tacit__fact *fact = &demand->facts[f];
        double up = fmin(patch->up[fact->cell], fact->up);
        double down = fmin(patch->down[fact->cell], fact->down);
        tacit__solver_set_column(flow->solver, 2 * fact->cell, 0, fmin(up / unit, MAX));
        tacit__solver_set_column(flow->solver, 2 * fact->cell + 1, 0, fmin(down / unit, MAX));
    }
}

/* Bounds and weights in units of the amount, which is below 0 for a deviation downwards. */
static void pose(tacit__flow *flow, const target *p, double amount, const bool *chosen,
                 const double *weights)
{
    const tacit__patch *patch = flow->patch;
    double unit = fabs(amount), mean = mean_weight(patch, weights);
    for (int32_t i = 0; i < patch->count; i++) {
        double weight = chosen[i] ? 0 : weights[i] / mean;
        double up = fmin(patch->up[i] / unit, MAX), down = fmin(patch->down[i] / unit, MAX);
        tacit__solver_set_cost(flow->solver, 2 * i, weight + flow->step);
        tacit__solver_set_cost(flow->solver, 2 * i + 1, weight + flow->step);
        tacit__solver_set_column(flow->solver, 2 * i, 0, up);
        tacit__solver_set_column(flow->solver, 2 * i + 1, 0, down);
    }
    if (p->demand)
        pose_facts(flow, p->demand, unit);
    if (p->cell >= 0) {
        bool falls = amount < 0;
        tacit__solver_set_column(flow->solver, 2 * p->cell, !falls, !falls);
        tacit__solver_set_column(flow->solver, 2 * p->cell + 1, falls, falls);
    }
    tacit__solver_restore(flow->solver, flow->basis);
}

/* The row that a sum takes: between so many units, for as long as it is there. */
static tacit_status add_sum(tacit__flow *flow, const tacit__demand *demand, double low, double high,
                            tacit_error *err)
{
    tacit__line_list row = {0};
    for (int32_t j = 0; j < demand->term_count; j++) {
        const tacit__demand_term *term = &demand->terms[j];
        tacit__lines_put(&row, 2 * term->cell, term->weight);
        tacit__lines_put(&row, 2 * term->cell + 1, -term->weight);
    }
    tacit__lines_end_row(&row, low, high);
    tacit_status status = tacit__solver_take_rows(flow->solver, &row, err);
    if (status == TACIT_OK)
        tacit__solver_restore(flow->solver, flow->basis);
    tacit__lines_clear(&row);
    return status;
}

static tacit_status remove_sum(tacit__flow *flow, tacit_error *err)
{
    return tacit__solver_remove_rows(flow->solver, 1, &flow->patch->rows, err);
}

/* Solves what was posed, with the row of a sum that is to be `low` to `high`. */
static tacit_status solve(tacit__solver_answer *answer, int64_t *iterations, tacit__flow *flow,
                          const target *p, double low, double high, const tacit_run *run,
                          tacit_error *err)
{
    tacit__solver_options options = {.phase = run ? "protecting cells" : NULL};
    tacit_status status = p->cell < 0 ? add_sum(flow, p->demand, low, high, err) : TACIT_OK;
    if (status == TACIT_OK)
        status = tacit__solver_solve(answer, flow->solver, &options, run, err);
    if (status == TACIT_OK)
        *iterations += answer->iterations + TACIT__PROGRAM_WORK;
    return status;
}

/* What moves is suppressed, and seen to move. */
static tacit_status take_flow(tacit__flow *flow, const double *values, double unit, bool *chosen,
                              tacit_error *err)
{
    for (int32_t i = 0; i < flow->patch->count; i++) {
        flow->moved[i] = values[2 * i] - values[2 * i + 1];
        chosen[i] |= fabs(flow->moved[i]) > NOISE;
    }
    tacit__seen_take(&flow->seen, flow->patch, flow->moved, unit, NOISE, NULL);
    return flow->shown ? flow->shown(flow->context, flow->moved, unit, NOISE, err) : TACIT_OK;
}

/* Marks in chosen the cells that a deviation of p by at least amount (upwards or downwards)
 * has to move, at the least sum of weight times movement. Cells that are chosen already weigh
 * nothing. p is a cell or, beyond the cells, a demand. Adds to the iterations. */
static tacit_status hide_side(tacit__flow_answer *out, tacit__flow *flow, int32_t p, double amount,
                              bool *chosen, const double *weights, const tacit_run *run,
                              tacit_error *err)
{
    target to = target_of(flow->patch, p);
    double way = amount < 0 ? -1 : 1;
    tacit__solver_answer answer;
    if ((amount < 0 ? to.below : to.above) < fabs(amount) * (1 - NOISE)) {
        out->found = false;
        return TACIT_OK;
    }
    pose(flow, &to, amount, chosen, weights);
    tacit_status status = solve(&answer, &out->iterations, flow, &to, way, way, run, err);
    if (status != TACIT_OK)
        return status;
    out->found = answer.values != NULL;
    if (out->found)
        status = take_flow(flow, answer.values, fabs(amount), chosen, err);
    if (status == TACIT_OK && to.cell < 0)
        status = remove_sum(flow, err);
    return status;
}

/* Moving up is all that counts, up to the amount in hand. */
static void pose_reach(tacit__flow *flow, const target *p, double amount)
{
    const tacit__demand_term one = {p->cell, 1};
    int32_t terms = p->cell < 0 ? p->demand->term_count : 1;
    for (int32_t i = 0; i < 2 * flow->patch->count; i++)
        tacit__solver_set_cost(flow->solver, i, 0);
    for (int32_t t = 0; t < terms; t++) {
        const tacit__demand_term *term = p->cell < 0 ? &p->demand->terms[t] : &one;
        tacit__solver_set_cost(flow->solver, 2 * term->cell, -term->weight);
        tacit__solver_set_cost(flow->solver, 2 * term->cell + 1, term->weight);
    }
    if (p->cell >= 0)
        tacit__solver_set_column(flow->solver, 2 * p->cell, 0, fmin(p->above / amount, 1));
}

/* How far up it can be moved at all, up to the amount. */
static tacit_status reach(double *out, tacit__flow_answer *spent, tacit__flow *flow,
                          const target *p, double amount, const tacit_run *run, tacit_error *err)
{
    tacit__solver_answer answer;
    pose_reach(flow, p, amount);
    tacit_status status = solve(&answer, &spent->iterations, flow, p, 0, 1, run, err);
    if (status != TACIT_OK)
        return status;
    *out = answer.values ? -answer.cost * amount : 0;
    return p->cell < 0 ? remove_sum(flow, err) : TACIT_OK;
}

/* A spread is had on one side or, where that does not do, as much above as can be and the rest
 * below. */
static tacit_status protect_spread(tacit__flow_answer *out, tacit__flow *flow, int32_t p,
                                   bool *chosen, const double *weights, const tacit_run *run,
                                   tacit_error *err)
{
    double spread = tacit__patch_need(flow->patch, p).spread, above = 0;
    target to = target_of(flow->patch, p);
    tacit_status status = hide_side(out, flow, p, spread, chosen, weights, run, err);
    if (status == TACIT_OK && !out->found)
        status = hide_side(out, flow, p, -spread, chosen, weights, run, err);
    if (status != TACIT_OK || out->found)
        return status;
    pose(flow, &to, spread, chosen, weights);
    status = reach(&above, out, flow, &to, spread, run, err);
    if (status == TACIT_OK && above > NOISE * spread)
        status = hide_side(out, flow, p, above, chosen, weights, run, err);
    if (status == TACIT_OK && out->found)
        status = hide_side(out, flow, p, above - spread, chosen, weights, run, err);
    return status;
}

tacit_status tacit__flow_protect(tacit__flow_answer *out, tacit__flow *flow, int32_t p,
                                 bool *chosen, const double *weights, const tacit_run *run,
                                 tacit_error *err)
{
    tacit__need need = tacit__patch_need(flow->patch, p);
    tacit_status status = tacit__seen_fit(&flow->seen, flow->patch, err);
    if (status != TACIT_OK)
        return status;
    out->found = true;
    if (p < flow->patch->count)
        chosen[p] = true;
    if (flow->seen.high[p] < need.up * (1 - NOISE))
        status = hide_side(out, flow, p, need.up, chosen, weights, run, err);
    if (status == TACIT_OK && out->found && flow->seen.low[p] < need.down * (1 - NOISE))
        status = hide_side(out, flow, p, -need.down, chosen, weights, run, err);
    double spread = flow->seen.high[p] + flow->seen.low[p];
    if (status == TACIT_OK && out->found && spread < need.spread * (1 - NOISE))
        status = protect_spread(out, flow, p, chosen, weights, run, err);
    return status;
}
