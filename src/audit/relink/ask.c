/*
 * ask.c - questions to the tree of people, asked in rounds.
 *
 * A question is what a released record says: who costs least, how many cost that, and is
 * anybody else close? Two searches answer it, the first for the cost, the second for the
 * counts, so that answers do not depend on the order in which points are seen. Costs that differ by
 * less than what rounding can do are one cost. Questions of a round are answered in parallel, each
 * into a place of its own; steps are added up by chunks, so that where work ends does not depend
 * on threads.
 */
#include <math.h>

#include "audit/relink/relink.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum { CHUNK = 32, CHUNKS = TACIT__RELINK_ROUND / CHUNK };

static const double ROUNDING = 1e-9; /* relative */

typedef struct batch {
    tacit__relink_asker *asker;
    uint32_t questions[TACIT__RELINK_ROUND]; /* of the scene's records */
    int64_t count;
    int64_t steps[CHUNKS];
} batch;

static double limit_of(const tacit__relink_asker *asker, double least)
{
    return asker->compatible ? 0 : least * (1 + ROUNDING);
}

static int64_t answer(tacit__relink_answer *out, const tacit__relink_asker *asker, int64_t row)
{
    tacit__relink_stretch query[TACIT_MAX_RELINK_COLUMNS];
    tacit__relink_search search = {
        .tree = asker->tree, .costs = asker->costs, .query = query, .least = 0};
    tacit__relink_query(query, asker->view, row);
    if (!asker->compatible)
        tacit__relink_nearest(&search);
    search.limit = limit_of(asker, search.least);
    search.reach = fmax(search.limit, search.least * asker->reach);
    tacit__relink_count(&search);
    *out = (tacit__relink_answer){search.least, (uint32_t)search.people, (uint32_t)search.subjects,
                                  search.others, true};
    return search.steps;
}

static tacit_status answer_chunk(void *context, int64_t chunk, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    batch *r = context;
    tacit__relink_asker *asker = r->asker;
    int64_t end = (chunk + 1) * CHUNK < r->count ? (chunk + 1) * CHUNK : r->count;
    r->steps[chunk] = 0;
    for (int64_t i = chunk * CHUNK; i < end; i++) {
        uint32_t question = r->questions[i];
        r->steps[chunk] +=
            answer(&asker->answers[question], asker, asker->view->scene->records.first[question]);
    }
    return TACIT_OK;
}

tacit_status tacit__relink_asker_init(tacit__relink_asker *asker, tacit_error *err)
{
    asker->steps = 0;
    asker->answers =
        tacit__alloc_zeroed((size_t)asker->view->scene->records.count, sizeof *asker->answers);
    return asker->answers ? TACIT_OK : tacit__nomem(err);
}

void tacit__relink_asker_clear(tacit__relink_asker *asker)
{
    tacit__free(asker->answers);
}

tacit_status tacit__relink_ask(tacit__relink_asker *asker, int64_t from, int64_t to,
                               tacit_error *err)
{
    const tacit__relink_scene *scene = asker->view->scene;
    batch r = {.asker = asker};
    for (int64_t at = from; at < to; at++) {
        uint32_t question = scene->records.class_of[tacit__relink_row(asker, at)];
        if (asker->answers[question].asked)
            continue;
        asker->answers[question].asked = true;
        r.questions[r.count++] = question;
    }
    int64_t chunks = (r.count + CHUNK - 1) / CHUNK;
    tacit_status status = tacit__parallel(scene->run, NULL, chunks, answer_chunk, &r, err);
    for (int64_t chunk = 0; chunk < chunks && status == TACIT_OK; chunk++)
        asker->steps += r.steps[chunk];
    if (status == TACIT_OK)
        status = tacit__progress(scene->run, "re-linking", to, asker->total, err);
    return status;
}

const tacit__relink_answer *tacit__relink_answer_of(bool *own, tacit__relink_stretch *query,
                                                    const tacit__relink_asker *asker, int64_t row)
{
    const tacit__relink_scene *scene = asker->view->scene;
    const tacit__relink_answer *a = &asker->answers[scene->records.class_of[row]];
    uint32_t origin = tacit__relink_origin(scene, row);
    tacit__relink_search search = {.tree = asker->tree, .costs = asker->costs, .query = query};
    tacit__relink_query(query, asker->view, row);
    *own =
        origin != TACIT_RELINK_MADE_UP &&
        tacit__relink_cost_of(&search, scene->people.class_of[origin]) <= limit_of(asker, a->least);
    return a;
}
