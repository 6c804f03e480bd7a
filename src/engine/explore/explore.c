/*
 * explore.c - solves for every point of the plan, and measures what is found.
 *
 * The data is read and its hierarchies are bound once. Each point is a method's
 * search over the same frame, which keeps what has been counted for the points
 * before; a solution is measured by its classes alone, without a look at the
 * rows, and thrown away. Nothing is judged, because nothing is released.
 *
 * Under --time, a method that can be stopped gets an even share of what is left
 * for every point of its kind that is still to come, and what a point does not
 * need goes to the later ones. So a hard search leaves its best and its bound
 * instead of taking the time of all others. When the time is over, or at a
 * signal, what is known so far is shown.
 */
#include "engine/explore/explore.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/records/wanted.h"

/* The work on one point, as the progress callback sees it. */
typedef struct point_work {
    engine_explore *explore;
    double deadline;
} point_work;

static bool go_on(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total; /* of one point */
    const point_work *work = payload;
    const engine_explore *explore = work->explore;
    const tacit_run *run = &explore->release->session->run;
    return run->progress("exploring", explore->done, explore->all, run->payload) &&
           engine_now() < work->deadline;
}

static bool is_searched(const engine_series *series)
{
    return series->method->features & TACIT_METHOD_SEARCHES;
}

static double deadline_of(const engine_explore *explore, const engine_series *series)
{
    const engine_session *session = explore->release->session;
    double now = engine_now(), left = session->start + session->limit - now;
    int points = 0;
    if (!is_searched(series) || !isfinite(left))
        return INFINITY;
    for (int i = 0; i < explore->series_count; i++)
        for (int k = 0; is_searched(&explore->series[i]) && k < explore->k_count; k++)
            points += explore->series[i].points[k].state == ENGINE_POINT_UNREACHED;
    return now + left / (points > 0 ? points : 1);
}

static void keep(engine_point *point, const tacit_solution *solution)
{
    const tacit_search *search = &solution->search;
    point->state = ENGINE_POINT_KNOWN;
    point->lower_bound = search->nodes > 0 ? search->lower_bound : NAN;
    point->proven = search->proven;
    point->stopped = search->stopped;
}

/* Whether a status says something about the point, and not about the run. */
static bool is_answer(tacit_status status)
{
    return status == TACIT_INFEASIBLE || status == TACIT_INVALID || status == TACIT_LIMIT;
}

static tacit_status solve(engine_explore *explore, engine_series *series, int k)
{
    engine_release *release = explore->release;
    engine_point *point = &series->points[k];
    point_work work = {explore, deadline_of(explore, series)};
    tacit_run run = release->session->run;
    tacit_records_options wanted = release->wanted;
    tacit_solution *solution = NULL;
    tacit_error err = {0};
    run.progress = go_on;
    run.payload = &work;
    wanted.k = explore->ks[k];
    wanted.most_suppressed =
        isnan(series->loss) ? 0 : engine_share_of(series->loss, tacit_table_rows(release->table));
    wanted.all_minimal = false;
    tacit_status status = series->method->solve(&solution, &release->frame, &wanted, &run, &err);
    if (status == TACIT_OK)
        status = tacit_metrics_of(&point->metrics, solution, NULL, &release->frame, &wanted,
                                  &release->session->run, &err);
    if (status == TACIT_OK)
        keep(point, solution);
    else if (is_answer(status))
        point->state = ENGINE_POINT_NONE;
    tacit_solution_free(solution);
    if (status != TACIT_OK && status != TACIT_CANCELLED && !release->session->error.message[0])
        release->session->error = err; /* of the first point without an answer */
    return is_answer(status) ? TACIT_OK : status;
}

/* A point that its own share of the time ended is left unknown; the others go on. */
static tacit_status visit(engine_explore *explore, engine_series *series, int k)
{
    double start = engine_now();
    tacit_status status = solve(explore, series, k);
    series->points[k].seconds = engine_now() - start;
    explore->seconds += series->points[k].seconds;
    explore->done++;
    if (status == TACIT_CANCELLED)
        status = engine_session_check(explore->release->session);
    return status;
}

/* The losses in the order in which they are explored: the policy's own first, in
 * case there is no time for all. Cell-level series come last, for they make the
 * most of the time that others leave. */
static bool is_turn(const engine_explore *explore, const engine_series *series, int turn)
{
    bool cells = turn == explore->loss_count + 1;
    if (cells || isnan(series->loss))
        return cells && isnan(series->loss);
    bool own = series->loss == explore->own_loss;
    return turn == 0 ? own : !own && series->loss == explore->losses[turn - 1];
}

static tacit_status visit_all(engine_explore *explore)
{
    tacit_status status = TACIT_OK;
    for (int turn = 0; turn <= explore->loss_count + 1; turn++)
        for (int k = 0; k < explore->k_count; k++)
            for (int i = 0; i < explore->series_count; i++) {
                if (!is_turn(explore, &explore->series[i], turn))
                    continue;
                status = engine_session_check(explore->release->session);
                if (status == TACIT_OK)
                    status = visit(explore, &explore->series[i], k);
                if (status != TACIT_OK)
                    return status;
            }
    return status;
}

static int count_state(const engine_explore *explore, engine_point_state state)
{
    int count = 0;
    for (int i = 0; i < explore->series_count; i++)
        for (int k = 0; k < explore->k_count; k++)
            count += explore->series[i].points[k].state == state;
    return count;
}

tacit_status engine_explore_run(engine_release *release)
{
    engine_explore *explore = release->explore;
    engine_session *session = release->session;
    tacit_run_seed_number(&session->run, 0); /* nothing is released that a seed could undo */
    engine_explore_fit(explore);
    tacit_status status = tacit_counted_new(&release->frame.counted, &session->error);
    if (status == TACIT_OK)
        status = visit_all(explore);
    tacit_counted_free(release->frame.counted);
    release->frame.counted = NULL;
    int known = count_state(explore, ENGINE_POINT_KNOWN);
    if (status == TACIT_CANCELLED && known > 0) {
        explore->stopped = engine_session_forgive(session);
        status = TACIT_OK;
    }
    if (status != TACIT_OK)
        return status;
    if (known == 0)
        return session->error.status ? session->error.status : TACIT_CANCELLED;
    engine_session_clear_error(session);
    return TACIT_OK;
}
