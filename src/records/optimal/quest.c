/*
 * quest.c - what the search knows so far: the best layout, the bound on all, and how much
 * work that took.
 */
#include <math.h>

#include "records/optimal/optimal.h"

static const double SAME = 1e-9; /* costs of a row that differ by less are the same */

/* What a bound may be off by, relatively; steps are far larger. */
static const double ROUNDING = 1e-8;

double tacit__quest_cutoff(const tacit__quest *quest)
{
    double rows = (double)quest->problem->local->classes->rows;
    return quest->cost - (quest->problem->step > 0 ? quest->problem->step / 2 : SAME * rows);
}

void tacit__quest_raise(tacit__quest *quest, double bound)
{
    double step = quest->problem->step;
    if (step > 0 && isfinite(bound))
        bound = ceil((bound - ROUNDING * (1 + fabs(bound))) / step) * step;
    if (bound > quest->cost)
        bound = quest->cost;
    if (!(quest->found->bound >= bound))
        quest->found->bound = bound;
}

tacit_status tacit__quest_solve(bool *solved, tacit__quest *quest, tacit__master *master,
                                tacit_error *err)
{
    int64_t before = master->iterations;
    tacit_status status = tacit__master_solve(solved, master, err);
    quest->work += (master->iterations - before) * tacit__solver_rows(master->solver);
    return status;
}

void tacit__quest_keep(tacit__quest *quest, tacit__local_layout *layout)
{
    double cost = tacit__layout_cost(layout, quest->problem->local, 0, layout->boxes);
    if (cost >= quest->cost)
        return;
    tacit__local_layout old = quest->found->layout;
    quest->found->layout = *layout;
    quest->cost = cost;
    *layout = old;
}
