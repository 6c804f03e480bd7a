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
 * Amounts differ by orders of magnitude from one cell to the other, so programs are in units of
 * the amount, and no cell is let move by more than MOST of them.
 */
#include "cells/flow.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

/* Units that a cell may move by, and those below which a movement is noise. */
#define MOST  1e5
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
    unsigned char *basis; /* where no cell moves */
    tacit__seen seen;
    double *moved; /* a cell each */
};

static tacit_status add_columns(tacit__flow *flow, tacit_error *err)
{
    size_t columns = 2 * (size_t)flow->patch->count;
    double *zeros = tacit__alloc_zeroed(columns, sizeof *zeros);
    tacit_status status = zeros ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        tacit__solver_lines lines = {.count = (int32_t)columns, .lower = zeros, .upper = zeros};
        status = tacit__solver_add_columns(flow->solver, &lines, err);
    }
    tacit__free(zeros);
    return status;
}

/* Each relation with every cell twice: f with its coefficient, g against it. */
static void write_rows(const tacit__patch *p, int32_t *starts, int32_t *items, double *coefs)
{
    for (int32_t r = 0; r <= p->rows; r++)
        starts[r] = 2 * p->starts[r];
    for (int32_t j = 0; j < p->starts[p->rows]; j++) {
        items[2 * j] = 2 * p->items[j];
        items[2 * j + 1] = 2 * p->items[j] + 1;
        coefs[2 * j] = p->coefs[j];
        coefs[2 * j + 1] = -p->coefs[j];
    }
}

static tacit_status add_rows(tacit__flow *flow, tacit_error *err)
{
    const tacit__patch *p = flow->patch;
    size_t rows = (size_t)p->rows, terms = 2 * (size_t)p->starts[p->rows];
    double *zeros = tacit__alloc_zeroed(rows, sizeof *zeros);
    int32_t *starts = tacit__alloc_array(rows + 1, sizeof *starts);
    int32_t *items = tacit__alloc_array(terms, sizeof *items);
    double *coefs = tacit__alloc_array(terms, sizeof *coefs);
    tacit_status status = zeros && starts && items && coefs ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        write_rows(p, starts, items, coefs);
        tacit__solver_lines lines = {.count = p->rows,
                                     .lower = zeros,
                                     .upper = zeros,
                                     .starts = starts,
                                     .items = items,
                                     .values = coefs};
        status = tacit__solver_add_rows(flow->solver, &lines, err);
    }
    tacit__free(zeros);
    tacit__free(starts);
    tacit__free(items);
    tacit__free(coefs);
    return status;
}

static tacit_status finish(tacit__flow *flow, tacit_error *err)
{
    size_t bytes = 2 * (size_t)flow->patch->count + (size_t)flow->patch->rows;
    flow->basis = tacit__alloc(bytes);
    flow->moved = tacit__alloc_array((size_t)flow->patch->count, sizeof *flow->moved);
    if (!flow->basis || !flow->moved)
        return tacit__nomem(err);
    tacit__solver_save(flow->solver, flow->basis);
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
        status = add_columns(flow, err);
    if (status == TACIT_OK)
        status = add_rows(flow, err);
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

void tacit__flow_forget(tacit__flow *flow, const tacit__seen *known)
{
    if (known)
        tacit__seen_copy(&flow->seen, known, flow->patch);
    else
        tacit__seen_reset(&flow->seen, flow->patch);
}

static double mean_weight(const tacit__patch *p, const double *weights)
{
    double sum = 0;
    for (int32_t i = 0; i < p->count; i++)
        sum += weights[i];
    return p->count > 0 && sum > 0 ? sum / p->count : 1;
}

/* Bounds and weights in units of the amount, which is below 0 for a deviation downwards. */
static void pose(tacit__flow *flow, int32_t p, double amount, const bool *chosen,
                 const double *weights)
{
    const tacit__patch *patch = flow->patch;
    double unit = fabs(amount), mean = mean_weight(patch, weights);
    for (int32_t i = 0; i < patch->count; i++) {
        double weight = chosen[i] ? 0 : weights[i] / mean;
        double up = fmin(patch->up[i] / unit, MOST), down = fmin(patch->down[i] / unit, MOST);
        tacit__solver_set_cost(flow->solver, 2 * i, weight + flow->step);
        tacit__solver_set_cost(flow->solver, 2 * i + 1, weight + flow->step);
        tacit__solver_set_column(flow->solver, 2 * i, 0, i == p ? 0 : up);
        tacit__solver_set_column(flow->solver, 2 * i + 1, 0, i == p ? 0 : down);
    }
    int32_t moved = 2 * p + (amount < 0);
    tacit__solver_set_column(flow->solver, moved, 1, 1);
    tacit__solver_restore(flow->solver, flow->basis);
}

/* What moves is suppressed, and seen to move. */
static void take(tacit__flow *flow, const double *values, double unit, bool *chosen)
{
    for (int32_t i = 0; i < flow->patch->count; i++) {
        flow->moved[i] = values[2 * i] - values[2 * i + 1];
        chosen[i] |= fabs(flow->moved[i]) > NOISE;
    }
    tacit__seen_take(&flow->seen, flow->patch, flow->moved, unit, NOISE, NULL);
}

tacit_status tacit__flow_hide(tacit__flow_answer *out, tacit__flow *flow, int32_t p, double amount,
                              bool *chosen, const double *weights, const tacit_run *run,
                              tacit_error *err)
{
    const tacit__patch *patch = flow->patch;
    double room = amount < 0 ? patch->down[p] : patch->up[p];
    tacit__solver_options options = {.phase = run ? "protecting cells" : NULL};
    tacit__solver_answer answer;
    if (room < fabs(amount) * (1 - NOISE)) {
        out->found = false;
        return TACIT_OK;
    }
    pose(flow, p, amount, chosen, weights);
    tacit_status status = tacit__solver_solve(&answer, flow->solver, &options, run, err);
    if (status != TACIT_OK)
        return status;
    out->iterations += answer.iterations + TACIT__PROGRAM_WORK;
    out->found = answer.values != NULL;
    if (out->found)
        take(flow, answer.values, fabs(amount), chosen);
    return TACIT_OK;
}

/* How far up the cell can be moved at all, up to the amount. */
static tacit_status reach(double *out, tacit__flow_answer *spent, tacit__flow *flow, int32_t p,
                          double amount, const tacit_run *run, tacit_error *err)
{
    tacit__solver_answer answer;
    tacit__solver_options options = {.phase = run ? "protecting cells" : NULL};
    for (int32_t i = 0; i < 2 * flow->patch->count; i++)
        tacit__solver_set_cost(flow->solver, i, i == 2 * p ? -1 : 0);
    tacit__solver_set_column(flow->solver, 2 * p, 0, fmin(flow->patch->up[p] / amount, 1));
    tacit_status status = tacit__solver_solve(&answer, flow->solver, &options, run, err);
    if (status != TACIT_OK)
        return status;
    spent->iterations += answer.iterations + TACIT__PROGRAM_WORK;
    *out = answer.values ? answer.values[2 * p] * amount : 0;
    return TACIT_OK;
}

/* A spread is had on one side or, where that does not do, as much above as can be and the rest
 * below. */
static tacit_status protect_spread(tacit__flow_answer *out, tacit__flow *flow, int32_t p,
                                   bool *chosen, const double *weights, const tacit_run *run,
                                   tacit_error *err)
{
    double spread = flow->patch->need[p].spread, above = 0;
    tacit_status status = tacit__flow_hide(out, flow, p, spread, chosen, weights, run, err);
    if (status == TACIT_OK && !out->found)
        status = tacit__flow_hide(out, flow, p, -spread, chosen, weights, run, err);
    if (status != TACIT_OK || out->found)
        return status;
    pose(flow, p, spread, chosen, weights);
    status = reach(&above, out, flow, p, spread, run, err);
    if (status == TACIT_OK && above > NOISE * spread)
        status = tacit__flow_hide(out, flow, p, above, chosen, weights, run, err);
    if (status == TACIT_OK && out->found)
        status = tacit__flow_hide(out, flow, p, above - spread, chosen, weights, run, err);
    return status;
}

tacit_status tacit__flow_protect(tacit__flow_answer *out, tacit__flow *flow, int32_t p,
                                 bool *chosen, const double *weights, const tacit_run *run,
                                 tacit_error *err)
{
    tacit__need need = flow->patch->need[p];
    tacit_status status = TACIT_OK;
    chosen[p] = out->found = true;
    if (flow->seen.high[p] < need.up * (1 - NOISE))
        status = tacit__flow_hide(out, flow, p, need.up, chosen, weights, run, err);
    if (status == TACIT_OK && out->found && flow->seen.low[p] < need.down * (1 - NOISE))
        status = tacit__flow_hide(out, flow, p, -need.down, chosen, weights, run, err);
    double spread = flow->seen.high[p] + flow->seen.low[p];
    if (status == TACIT_OK && out->found && spread < need.spread * (1 - NOISE))
        status = protect_spread(out, flow, p, chosen, weights, run, err);
    return status;
}
