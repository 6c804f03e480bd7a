/*
 * explore.c - which methods, k and losses are explored, and a search for each of these points.
 *
 * Methods are those whose entry in the table says so, unless --method names one. The k and losses
 * are a few round numbers and the policy's own, unless the command line lists others. Of the round
 * k only those are taken for which a table can have two classes, for beyond, every release is one
 * class; and of losses that allow as many rows only one.
 *
 * The data is read and its hierarchies are bound once. Each point is a method's search over the
 * same frame, which keeps what has been counted for the points before; a solution is measured by
 * its classes alone, without a look at the rows, and thrown away. Nothing is judged, because
 * nothing is released.
 *
 * Under --time, a method that can be stopped gets an even share of what is left for every point of
 * its kind that is still to come, and what a point does not need goes to the later ones. So a hard
 * search leaves its best and its bound instead of taking the time of all others. When the time is
 * over, or at a signal, what is known so far is shown.
 */
#include "engine/explore/explore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/records/promise.h"
#include "engine/records/wanted.h"

/* ---- the plan ---- */

static const int64_t ROUND_KS[] = {2, 3, 5, 10, 20, 50, 100};
static const double ROUND_LOSSES[] = {0, 0.01, 0.02, 0.05, 0.1};

/* Flags that are about a release. */
static const char *const REFUSED[] = {
    "unsafe",   "ask",    "as-published",     "as-described", "all-minimal", "keep-order",
    "key-file", "strict", "spreadsheet-safe", "statement",    "target"};

static tacit_status refuse_flags(const engine_settings *settings, tacit_error *err)
{
    for (size_t i = 0; i < sizeof REFUSED / sizeof REFUSED[0]; i++)
        if (engine_has(settings, REFUSED[i]))
            return tacit__error(
                err, TACIT_INVALID,
                "--%s applies to a release, and --explore makes none; leave one of them out",
                REFUSED[i]);
    return TACIT_OK;
}

/* Puts a number into an ascending list, once; false where the list is full. */
static bool insert(double *list, int *count, int capacity, double value)
{
    int at = 0;
    while (at < *count && list[at] < value)
        at++;
    if (at < *count && list[at] == value)
        return true;
    if (*count == capacity)
        return false;
    memmove(list + at + 1, list + at, (size_t)(*count - at) * sizeof *list);
    list[at] = value;
    ++*count;
    return true;
}

/* What a list of numbers may hold. */
typedef struct list_rule {
    const char *option;
    const char *takes;
    double min, max;
    bool whole;
    int capacity;
} list_rule;

static const list_rule KS = {
    "explore-k", "whole numbers of 1 or more", 1, (double)TACIT_MAX_ROWS, true, ENGINE_EXPLORE_KS};
static const list_rule LOSSES = {"explore-loss", "shares from 0 to 1", 0, 1,
                                 false,          ENGINE_EXPLORE_LOSSES};

static bool fits(const list_rule *rule, double value)
{
    return value >= rule->min && value <= rule->max && (!rule->whole || value == floor(value));
}

/* Reads "2,5,10" into an ascending list. */
static tacit_status read_list(double *list, int *count, const list_rule *rule, const char *text,
                              tacit_error *err)
{
    for (const char *at = text; at; at = *at == ',' ? at + 1 : NULL) {
        char *end;
        double value = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !fits(rule, value))
            return tacit__error(err, TACIT_INVALID,
                                "--%s takes %s with commas between, not \"%.60s\"", rule->option,
                                rule->takes, text);
        if (!insert(list, count, rule->capacity, value))
            return tacit__error(err, TACIT_INVALID, "--%s takes at most %d numbers", rule->option,
                                rule->capacity);
        at = end;
    }
    return TACIT_OK;
}

static tacit_status plan_ks(engine_explore *explore, const engine_settings *settings,
                            tacit_error *err)
{
    double list[ENGINE_EXPLORE_KS];
    const char *text = engine_value(settings, KS.option);
    tacit_status status = TACIT_OK;
    explore->given_ks = text;
    if (text)
        status = read_list(list, &explore->k_count, &KS, text, err);
    for (size_t i = 0; !text && i < sizeof ROUND_KS / sizeof ROUND_KS[0]; i++)
        insert(list, &explore->k_count, ENGINE_EXPLORE_KS, (double)ROUND_KS[i]);
    for (int i = 0; i < explore->k_count; i++)
        explore->ks[i] = (int64_t)list[i];
    return status;
}

static tacit_status plan_losses(engine_explore *explore, const engine_settings *settings,
                                tacit_error *err)
{
    const char *text = engine_value(settings, LOSSES.option);
    const tacit_policy *policy = explore->release->policy;
    explore->own_loss = policy->has_loss ? policy->loss : NAN;
    explore->given_losses = text;
    if (text)
        return read_list(explore->losses, &explore->loss_count, &LOSSES, text, err);
    for (size_t i = 0; i < sizeof ROUND_LOSSES / sizeof ROUND_LOSSES[0]; i++)
        insert(explore->losses, &explore->loss_count, ENGINE_EXPLORE_LOSSES, ROUND_LOSSES[i]);
    if (policy->has_loss)
        insert(explore->losses, &explore->loss_count, ENGINE_EXPLORE_LOSSES, policy->loss);
    return TACIT_OK;
}

/* Whether a method can do what the policy wants. */
static bool is_able(const tacit_method *method, const tacit_policy *policy, tacit_metric metric)
{
    return (!engine_has_models(policy) || (method->features & TACIT_METHOD_MODELS)) &&
           (!method->metrics || (method->metrics & 1u << metric));
}

static tacit_status plan_methods(engine_explore *explore, const engine_settings *settings,
                                 tacit_error *err)
{
    const engine_release *release = explore->release;
    const tacit_method *named = NULL;
    if (engine_has(settings, "method")) {
        tacit_status status = engine_method_of(&named, release->policy, err);
        if (status == TACIT_OK && !tacit_policy_generalizes(release->policy))
            return tacit__error(
                err, TACIT_INVALID,
                "--explore compares what is generalized, which is nothing with %.40s",
                release->policy->method);
        if (status == TACIT_OK && (named->features & TACIT_METHOD_AMBIGUATES))
            return tacit__error(err, TACIT_INVALID,
                                "--explore compares classes of k, which %s does not make",
                                named->name);
        explore->methods[explore->method_count++] = named;
        return status;
    }
    for (const tacit_method *const *each = tacit_methods(); *each; each++)
        if (((*each)->features & TACIT_METHOD_EXPLORED) &&
            explore->method_count < ENGINE_EXPLORE_METHODS &&
            is_able(*each, release->policy, release->wanted.metric))
            explore->methods[explore->method_count++] = *each;
    if (explore->method_count == 0)
        return tacit__error(err, TACIT_INVALID,
                            "no method that is explored by default can do what the policy "
                            "requires; name one with --method");
    return TACIT_OK;
}

/* A policy needs no k to be explored, but one to be checked. */
static tacit_status plan_own_k(engine_explore *explore, tacit_error *err)
{
    tacit_policy *policy = explore->release->policy;
    if (policy->has_anonymity && policy->anonymity >= 1)
        return tacit__error(err, TACIT_INVALID,
                            "anonymity 1 means the most general release, whatever k is: there is "
                            "nothing to explore");
    if (policy->as_published || policy->as_described)
        return tacit__error(err, TACIT_INVALID,
                            "as-published and as-described do not keep k, so there is nothing to "
                            "explore");
    if (policy->k == 0 && !policy->has_anonymity)
        policy->k = explore->ks[0];
    else
        explore->own_k = -1; /* known once the policy has been checked */
    return TACIT_OK;
}

/* Rows that are suppressed for trails and households depend on all rows of each, which a point's
 * search does not see: what it measured would be better than any release. */
static tacit_status refuse_linked(const tacit_policy *policy, tacit_error *err)
{
    if (!engine_keeps_trails(policy))
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID,
                        "--explore compares classes of rows, and does not count what %s together "
                        "(%s), so a release would keep less than it shows; explore without it, or "
                        "compare releases with tacit anonymize --report",
                        policy->household ? "the rows of a household say"
                                          : "the rows of a person say",
                        policy->household ? "household" : "trail: k");
}

tacit_status engine_explore_open(engine_release *release)
{
    const engine_settings *settings = release->session->settings;
    tacit_error *err = &release->session->error;
    const char *const lists[] = {KS.option, LOSSES.option};
    if (engine_has(settings, "explore")) {
        release->explore = tacit__alloc_zeroed(1, sizeof *release->explore);
        return release->explore ? refuse_flags(settings, err) : tacit__nomem(err);
    }
    for (int i = 0; i < 2; i++)
        if (engine_has(settings, lists[i]))
            return tacit__error(err, TACIT_INVALID, "--%s is for --explore", lists[i]);
    return TACIT_OK;
}

tacit_status engine_explore_plan(engine_release *release)
{
    engine_explore *explore = release->explore;
    const engine_settings *settings = release->session->settings;
    tacit_error *err = &release->session->error;
    explore->release = release;
    tacit_status status = engine_blanks_refuse(release->policy, "--explore", release->session, err);
    if (status == TACIT_OK)
        status = refuse_linked(release->policy, err);
    if (status == TACIT_OK)
        status = plan_methods(explore, settings, err);
    if (status == TACIT_OK)
        status = plan_ks(explore, settings, err);
    if (status == TACIT_OK)
        status = plan_losses(explore, settings, err);
    if (status == TACIT_OK)
        status = plan_own_k(explore, err);
    return status;
}

static int64_t people_of(const tacit_frame *frame)
{
    if (frame->person < 0)
        return tacit_table_rows(frame->table);
    return (int64_t)tacit_table_distinct(frame->table, frame->person) +
           tacit_table_has_missing(frame->table, frame->person);
}

static void fit_ks(engine_explore *explore)
{
    double list[ENGINE_EXPLORE_KS + 1];
    int64_t max = people_of(&explore->release->frame) / 2;
    int count = 0;
    for (int i = 0; i < explore->k_count; i++)
        if (i == 0 || explore->ks[i] <= max)
            insert(list, &count, ENGINE_EXPLORE_KS, (double)explore->ks[i]);
    if (explore->own_k > 1)
        insert(list, &count, ENGINE_EXPLORE_KS, (double)explore->own_k);
    explore->k_count = count;
    for (int i = 0; i < count; i++)
        explore->ks[i] = (int64_t)list[i];
}

/* Of losses that are the same number of rows one is enough, the policy's own if it
 * is among them. */
static void fit_losses(engine_explore *explore)
{
    int64_t rows = tacit_table_rows(explore->release->table), last = -1;
    int count = 0;
    for (int i = 0; i < explore->loss_count; i++) {
        double loss = explore->losses[i];
        int64_t share = engine_share_of(loss, rows);
        if (share != last)
            explore->losses[count++] = loss;
        else if (loss == explore->own_loss)
            explore->losses[count - 1] = loss;
        last = share;
    }
    explore->loss_count = count;
}

/* Leaves out what makes no sense for the data. */
static void fit(engine_explore *explore)
{
    if (explore->own_k)
        explore->own_k = explore->release->wanted.k;
    if (!explore->given_ks)
        fit_ks(explore);
    if (!explore->given_losses)
        fit_losses(explore);
    for (int m = 0; m < explore->method_count; m++) {
        bool cells = explore->methods[m]->features & TACIT_METHOD_CELLS;
        for (int i = 0; i < (cells ? 1 : explore->loss_count); i++)
            explore->series[explore->series_count++] = (engine_series){
                .method = explore->methods[m], .loss = cells ? NAN : explore->losses[i]};
    }
    explore->all = explore->series_count * explore->k_count;
}

/* ---- the search ---- */

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
    wanted.max_suppressed =
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
    fit(explore);
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
