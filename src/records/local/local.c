/*
 * local.c - cell-level generalization for large tables: every few people get a box of
 * values of their own, as small as k lets it be.
 *
 * Putting people into boxes so that each box has k of them and cells lose as little as
 * possible is a location problem without opening costs and with a lower bound on
 * customers, far too large to solve. So:
 *   1. everybody is divided into boxes from the top downwards (split.c); this is
 *      all that is done for millions of classes, unless more time is granted;
 *   2. they are packed anew, the cheapest boxes first, in groups as large as can be
 *      (improve.c, offers.c);
 *   3. windows of a few neighbouring boxes are packed anew again and again, and what got
 *      better is kept (improve.c); at the same time
 *   4. a lower bound is found (bound.c).
 * In wide tables dividing goes by a few attributes, and there are too many boxes to pack them well.
 * There boxes are made of near records as well (clusters.c), whose members are exchanged
 * (exchange.c), and the cheaper of both layouts is taken.
 * Boxes may overlap, and people of one class may leave in several boxes, unless there is a
 * person column or a model that could tell.
 *
 * How long steps 2 to 4 go on is counted in members looked at, not in seconds, so that the
 * result is the same on any machine with any number of threads. Where it is asked to
 * improve until it is stopped, step 3 goes on until then, or until it has long been
 * of no use. Stopped at any time after step 1, the method gives what it has.
 */
#include "records/local/local.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/apply/boxes.h"
#include "records/apply/holdout.h"
#include "records/local/wide.h"
#include "records/methods/methods.h"
#include "records/metrics/costs.h"
#include "records/models/risks.h"

/* ---- a layout as a solution ---- */

/* A class leaves in the box of its first share, and parts of it in others. */
static void place_shares(tacit_boxes *boxes, const tacit__share *shares, int64_t count,
                         uint32_t box)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t *home = &boxes->box_of[shares[i].class_index];
        if (*home == UINT32_MAX)
            *home = box;
        else
            boxes->parts[boxes->part_count++] =
                (tacit_part){shares[i].class_index, box, shares[i].people};
    }
}

static tacit_status add_box(uint32_t *index, tacit__box_list *list, const tacit__local *local,
                            const tacit__local_layout *layout, int64_t box, tacit_error *err)
{
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    const uint8_t *levels = layout->levels + box * local->attributes;
    uint32_t first = layout->shares[layout->starts[box]].class_index;
    for (int32_t a = 0; a < local->attributes; a++)
        numbers[a] = tacit__local_number(local, first, a, levels[a]);
    return tacit__box_list_add(index, list, levels, numbers, err);
}

static tacit_status place_all(tacit_boxes *boxes, const tacit__local *local,
                              const tacit__local_layout *layout, tacit_error *err)
{
    tacit__box_list list = {.attributes = local->attributes};
    tacit_status status = TACIT_OK;
    memset(boxes->box_of, 0xff, (size_t)local->classes->groups.count * sizeof *boxes->box_of);
    for (int64_t b = 0; status == TACIT_OK && b < layout->boxes; b++) {
        uint32_t index = 0;
        status = add_box(&index, &list, local, layout, b, err);
        if (status == TACIT_OK)
            place_shares(boxes, layout->shares + layout->starts[b],
                         layout->starts[b + 1] - layout->starts[b], index);
    }
    if (status == TACIT_OK)
        tacit__box_list_give(boxes, &list);
    tacit__box_list_clear(&list);
    tacit__cells_tidy_parts(boxes);
    return status;
}

/* The solution that a layout is, without its classes and what a search says of it. */
static tacit_status solution_of(tacit_solution **out, const tacit__local *local,
                                const tacit__local_layout *layout, tacit_error *err)
{
    tacit_solution *solution = NULL;
    int64_t parts = layout->share_count - local->classes->groups.count;
    tacit_status status =
        tacit__cells_solution_new(&solution, local->frame, local->classes, parts, err);
    if (status == TACIT_OK)
        status = place_all(solution->boxes, local, layout, err);
    if (status == TACIT_OK)
        *out = solution;
    else
        tacit_solution_free(solution);
    return status;
}

/* ---- the search ---- */

enum {
    PACK_WORK = 500000000,    /* of walks, in the first round ... */
    PACK_A_CLASS = 1500,      /* of which this is usual for each class */
    IMPROVE_WORK = 100000000, /* and in the others */
    IMPROVE_A_CLASS = 150,
    STALE_ROUNDS = 100,   /* in which nothing got better, and hardly anything more will ... */
    GRANTED_ROUNDS = 500, /* and where as much time was granted as it takes */
};

/* Lets several threads ask whether to go on, one at a time. */
typedef struct guard {
    pthread_mutex_t lock;
    const tacit_run *run;
    bool stopped;
} guard;

static bool ask_guard(const char *phase, int64_t done, int64_t total, void *payload)
{
    guard *g = payload;
    pthread_mutex_lock(&g->lock);
    if (!g->stopped && g->run->progress)
        g->stopped = !g->run->progress(phase, done, total, g->run->payload);
    bool goes_on = !g->stopped;
    pthread_mutex_unlock(&g->lock);
    return goes_on;
}

/* The search, once there is a layout. */
typedef struct search {
    const tacit__local *local;
    tacit__local_found *found;
    tacit__improving improving;
    int64_t bound_boxes;
    tacit__local_layout clusters; /* another layout; empty: there is none */
    tacit_status status[2];
    tacit_error errors[2];
} search;

static bool goes_on(const search *s)
{
    const tacit__improving *i = &s->improving;
    int64_t stale = s->local->options->until_stopped ? GRANTED_ROUNDS : STALE_ROUNDS;
    /* a division counts some people in too few places, and may have stopped at once for that */
    bool several = s->found->layout.boxes > 1 || s->local->frame->person >= 0;
    return several && i->work < i->limit && i->stale < stale;
}

/* Limits of work, unless it is to go on until it is stopped. */
static int64_t limit_of(const search *s, int64_t work, int64_t a_class)
{
    const tacit__local *local = s->local;
    if (local->apart)
        return 0;
    if (local->options->until_stopped && local->run->progress)
        return INT64_MAX;
    return local->classes->groups.count > work / a_class ? 0 : work;
}

static tacit_status improve(search *s, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    s->improving.work = 0;
    s->improving.limit = limit_of(s, IMPROVE_WORK, IMPROVE_A_CLASS);
    while (status == TACIT_OK && goes_on(s))
        status = tacit__local_improve(&s->found->layout, &s->improving, err);
    return status;
}

static tacit_status search_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    search *s = context;
    tacit_error *error = &s->errors[task];
    s->status[task] = task == 0
                          ? tacit__local_bound(&s->found->bound, &s->bound_boxes, s->local, error)
                          : improve(s, error);
    return TACIT_OK; /* what one says does not end the other */
}

/* Another layout, of clusters. */
static tacit_status cluster(search *s, tacit_error *err)
{
    bool made = false;
    tacit_status status = tacit__local_clusters(&made, &s->clusters, s->local, err);
    return status == TACIT_OK && made ? tacit__local_exchange(&s->clusters, s->local, err) : status;
}

/* Takes the cheaper layout; the one found by dividing where there is no other. */
static void take_cheaper(search *s)
{
    tacit__local_layout *found = &s->found->layout, other = s->clusters;
    bool better = other.boxes > 0 && tacit__layout_cost(&other, s->local, 0, other.boxes) <
                                         tacit__layout_cost(found, s->local, 0, found->boxes);
    if (better) {
        s->clusters = *found;
        *found = other;
    }
    tacit__layout_clear(&s->clusters);
}

/* Steps 2 to 4. TACIT_CANCELLED where they were stopped. */
static tacit_status look_further(search *s, tacit_error *err)
{
    tacit_status status = tacit__improving_init(&s->improving, s->local, err);
    if (status != TACIT_OK)
        return status;
    s->improving.limit = limit_of(s, PACK_WORK, PACK_A_CLASS);
    if (goes_on(s))
        status = tacit__local_improve(&s->found->layout, &s->improving, err);
    else
        s->improving.rounds++;
    if (status == TACIT_OK && tacit__local_is_wide(s->local))
        status = cluster(s, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__parallel(s->local->run, NULL, 2, search_task, s, err);
    for (int i = 0; i < 2; i++)
        if (status == TACIT_OK || (status == TACIT_CANCELLED && s->status[i] != TACIT_OK)) {
            status = s->status[i]; /* a failure counts for more than that it was stopped */
            *err = s->errors[i];
        }
    return status;
}

/* Whether the most general box, with everybody in it, keeps the models. */
static tacit_status check_models(const tacit__local *local, tacit_error *err)
{
    uint64_t fails = 0;
    if (!local->models)
        return TACIT_OK;
    uint32_t *group_of =
        tacit__alloc_zeroed((size_t)local->classes->groups.count, sizeof *group_of);
    if (!group_of)
        return tacit__nomem(err);
    const tacit__models_question all = {
        .group_of = group_of, .groups = 1, .levels = local->height, .most = INT64_MAX};
    tacit_status status = tacit__models_failing(&fails, local->models, &all, local->run, err);
    tacit__free(group_of);
    if (status == TACIT_OK && fails)
        return tacit__error(err, TACIT_INFEASIBLE,
                            "not even one class of all rows keeps what is promised beyond k, so no "
                            "release can; ask for less");
    return status;
}

/* Lets the parts of the search, which run side by side, ask one after the other. */
static tacit_status look_guarded(tacit__local_found *found, tacit__local *local, tacit_error *err)
{
    guard g = {.run = local->run};
    tacit_run guarded = *local->run;
    search s = {.local = local, .found = found};
    guarded.progress = g.run->progress ? ask_guard : NULL;
    guarded.payload = &g;
    pthread_mutex_init(&g.lock, NULL);
    local->run = &guarded;
    tacit_status status = look_further(&s, err);
    take_cheaper(&s);
    found->boxes = found->layout.boxes + s.improving.boxes + s.bound_boxes;
    tacit__improving_clear(&s.improving);
    local->run = g.run;
    pthread_mutex_destroy(&g.lock);
    return status;
}

tacit_status tacit__local_search(tacit__local_found *out, tacit__local *local, tacit_error *err)
{
    tacit__local_found found = {.bound = NAN};
    tacit_error stop = {0};
    tacit_status status = check_models(local, err);
    if (status == TACIT_OK)
        status = tacit__local_split(&found.layout, local, err);
    if (status != TACIT_OK)
        return status;
    found.boxes = found.layout.boxes;
    if (!local->options->quick)
        status = look_guarded(&found, local, &stop);
    found.stopped = status == TACIT_CANCELLED;
    if (status == TACIT_OK || status == TACIT_CANCELLED) {
        *out = found;
        return TACIT_OK;
    }
    if (err)
        *err = stop;
    tacit__layout_clear(&found.layout);
    return status;
}

static void describe(tacit_solution *solution, const tacit__local_found *found,
                     const tacit__local *local)
{
    double rows = (double)local->classes->rows, boxes = 1;
    double bound = found->bound / rows - local->costs.offset - 1e-12;
    double cost = tacit__layout_cost(&found->layout, local, 0, found->layout.boxes);
    for (int32_t a = 0; a < local->attributes; a++) {
        double values = 0;
        for (int level = local->floor[a]; level <= local->height[a]; level++)
            values += tacit__distinct_on(local->frame, a, level);
        boxes *= values;
    }
    if (local->options->metric == TACIT_METRIC_LOSS)
        bound = tacit__costs_loss_bound(bound, local->attributes);
    solution->search.lower_bound = bound < 0 ? 0 : bound;
    /* least loss is not where the sum of its costs is least */
    solution->search.proven =
        local->options->metric != TACIT_METRIC_LOSS && found->bound >= cost - 1e-9 * rows;
    solution->search.stopped = found->stopped;
    solution->search.nodes = boxes;
    solution->search.nodes_checked = found->boxes;
}

tacit_status tacit__local_conclude(tacit_solution **out, const tacit__local_found *found,
                                   tacit__local *local, tacit_error *err)
{
    tacit_solution *solution = NULL;
    tacit_status status = solution_of(&solution, local, &found->layout, err);
    if (status != TACIT_OK)
        return status;
    describe(solution, found, local);
    solution->classes = local->classes;
    local->classes = NULL;
    *out = solution;
    return TACIT_OK;
}

static tacit_status solve_for_k(tacit_solution **out, const tacit_frame *frame,
                                const tacit_records_options *options, const tacit_run *run,
                                tacit_error *err)
{
    if (options->resist_minimality)
        return tacit__holdout_solve(out, frame, options, run, err);
    tacit__local local;
    tacit__local_found found = {0};
    tacit_status status = tacit__request_check(frame, options, err);
    if (status == TACIT_OK)
        status = tacit__local_init(&local, frame, options, run, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__local_search(&found, &local, err);
    if (status == TACIT_OK)
        status = tacit__local_conclude(out, &found, &local, err);
    tacit__layout_clear(&found.layout);
    tacit__local_clear(&local);
    return status;
}

static tacit_status local_solve(tacit_solution **out, const tacit_frame *frame,
                                const tacit_records_options *options, const tacit_run *run,
                                tacit_error *err)
{
    return tacit__risks_solve(out, solve_for_k, frame, options, run, err);
}

const tacit_method tacit__method_local = {
    .name = "local",
    .summary = "generalize cell by cell: more detail, but a column's values are on different "
               "levels, which "
               "is harder to analyse, and what is kept says something of what is not",
    .solve = local_solve,
    .features = TACIT_METHOD_MODELS | TACIT_METHOD_CELLS | TACIT_METHOD_SEARCHES |
                TACIT_METHOD_EXPLORED | TACIT_METHOD_RESISTS | TACIT_METHOD_COUNTS,
    .metrics = TACIT__CELL_METRICS,
};
