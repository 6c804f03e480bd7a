/*
 * optimal.c - the true k-minimal distortion at cell level, with a proof.
 *
 * A release puts everybody into a box, a value for each attribute that covers his own, and
 * every box that is used has k people or more. What is lost depends on the boxes only: so the
 * least loss is the cheapest way to divide people into clusters of k or more, each released
 * as the smallest box around it. (Lower-bounded location over boxes; clusters
 * are its boxes with those who use them.) Clusters of 2k people or more need not be
 * considered: divided, they cost no more.
 *   1. `local` finds a layout and a bound; where boxes are too many to be listed, that is all;
 *   2. boxes with k people are listed (clusters.c);
 *   3. the linear relaxation over all clusters, priced on demand, and triples
 *      give a better bound (root.c), and layouts by rounding (round.c);
 *   4. clusters that a better layout could have are listed, and branch and bound over them
 *      ends in the optimum (branch.c).
 * Stopped at any time, or when the work that is usual has been done without a proof, the method
 * gives the best layout found and its bound. No bound rests on a solver's word: solver.h.
 *
 * Sweeney 2001, 4.3 and 5.4 define the distortion; she knows no way to find the least.
 */
#include <math.h>

#include "base/error.h"
#include "records/apply/aside.h"
#include "records/methods/methods.h"
#include "records/optimal/optimal.h"

enum {
    MOST_MEMBERS = 3000, /* for the linear program */
    ROOT_ROUNDS = 100,   /* of local's search on the root's layout */
    STEPS_OF_ONE = 20000 /* costs are looked at as fractions with denominators up to this */
};

static const int64_t USUAL_WORK = 150000000; /* of linear programs */

/* ---- the step of costs ---- */

static bool is_integer(double value)
{
    return fabs(value - round(value)) < 1e-9 * (1 + fabs(value));
}

/* Whether all that a cell can cost are multiples of 1 / denominator. */
static bool divides(const tacit__local *local, int denominator)
{
    for (int32_t a = 0; a < local->attributes; a++)
        for (int level = local->floor[a]; level <= local->height[a]; level++)
            for (uint32_t v = 0; v < tacit__distinct_on(local->frame, a, level); v++)
                if (!is_integer(local->costs.of[a][level][v] * denominator))
                    return false;
    return true;
}

/* Layouts cost multiples of this, so that a bound between two is as good as the higher one. */
static double find_step(const tacit__local *local)
{
    for (int denominator = 1; denominator <= STEPS_OF_ONE; denominator++)
        if (divides(local, denominator))
            return 1.0 / denominator;
    return 0;
}

/* ---- the search ---- */

static tacit_status gather(tacit__problem *problem, tacit_error *err)
{
    const tacit__local *local = problem->local;
    tacit_status status = tacit__group_init(&problem->group, local, err);
    for (int64_t c = 0; status == TACIT_OK && c < local->classes->groups.count; c++)
        status =
            tacit__group_add(&problem->group, (tacit__share){(uint32_t)c, local->people[c]}, err);
    return status == TACIT_OK ? tacit__group_close(&problem->group, err) : status;
}

static tacit_status prove(tacit__quest *quest, tacit_error *err)
{
    tacit__master root = {0};
    bool solved = false;
    tacit_status status = tacit__improving_init(&quest->improving, quest->problem->local, err);
    quest->improving.rounds = 1; /* the first one is for layouts that were never packed */
    if (status == TACIT_OK)
        status = tacit__master_init(&root, quest->problem, err);
    if (status == TACIT_OK)
        status = tacit__quest_root(&solved, quest, &root, err);
    if (status == TACIT_OK && solved)
        status = tacit__quest_round(quest, &root, ROOT_ROUNDS, err);
    if (status == TACIT_OK && solved && quest->work <= quest->limit &&
        quest->found->bound < tacit__quest_cutoff(quest))
        status = tacit__quest_branch(quest, &root, err);
    tacit__improving_clear(&quest->improving);
    tacit__master_clear(&root);
    return status;
}

tacit_status tacit__optimal_search(tacit__local_found *found, const tacit__local *local,
                                   bool until_stopped, tacit_error *err)
{
    tacit__problem problem = {.local = local, .step = find_step(local)};
    tacit__quest quest = {.problem = &problem,
                          .found = found,
                          .cost = tacit__layout_cost(&found->layout, local, 0, found->layout.boxes),
                          .limit = until_stopped ? INT64_MAX : USUAL_WORK};
    tacit__quest_raise(&quest, found->bound);
    if (found->bound >= tacit__quest_cutoff(&quest) || local->classes->groups.count > MOST_MEMBERS)
        return TACIT_OK;
    tacit_status status = gather(&problem, err);
    if (status == TACIT_OK)
        status = tacit__closed_init(&problem.closed, &found->boxes, &problem.group, err);
    if (status == TACIT_OK)
        status = prove(&quest, err);
    if (found->bound >= tacit__quest_cutoff(&quest))
        found->bound = quest.cost;
    found->boxes += quest.nodes;
    tacit__closed_clear(&problem.closed);
    tacit__group_clear(&problem.group);
    return status == TACIT_LIMIT ? TACIT_OK : status;
}

static tacit_status check(const tacit_frame *frame, const tacit_records_options *options,
                          tacit_error *err)
{
    tacit_status status = tacit__request_check(frame, options, err);
    if (status == TACIT_OK && frame->person >= 0)
        return tacit__error(err, TACIT_INVALID,
                            "optimal is for tables where every row is a person, because whose rows "
                            "lie where changes what is best; use local for this one");
    return status;
}

tacit_status tacit__optimal_solve(tacit_solution **out, const tacit_frame *frame,
                                  const tacit_records_options *options, const tacit_run *run,
                                  tacit_error *err)
{
    if (options->resist_minimality)
        return tacit__aside_solve(out, frame, options, run, err);
    tacit__local local;
    tacit__local_found found = {0};
    tacit_error stop = {0};
    tacit_records_options start = *options;
    tacit_status status = check(frame, options, err);
    start.until_stopped = false; /* what time there is goes into the proof */
    if (status == TACIT_OK)
        status = tacit__local_init(&local, frame, &start, run, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__local_search(&found, &local, err);
    if (status == TACIT_OK && !found.stopped) {
        status =
            tacit__optimal_search(&found, &local, options->until_stopped && run->progress, &stop);
        found.stopped = status == TACIT_CANCELLED;
        if (status == TACIT_CANCELLED)
            status = TACIT_OK;
        else if (status != TACIT_OK && err)
            *err = stop;
    }
    if (status == TACIT_OK)
        status = tacit__local_conclude(out, &found, &local, err);
    tacit__layout_clear(&found.layout);
    tacit__local_clear(&local);
    return status;
}
