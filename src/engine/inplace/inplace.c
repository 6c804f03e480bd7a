/*
 * inplace.c - `tacit anonymize` of a table in an engine: the release is made there, judged there by
 * statements of the judge's own, and takes its name in the moment of the commit.
 *
 * The steps are those of a file (release_make.c) on the table's combinations; methods and
 * hierarchies cannot tell. All of it is one transaction, so whatever ends the run before the commit
 * leaves nothing behind.
 */
#include "engine/inplace/inplace.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/job/kinds.h"
#include "engine/records/wanted.h"

bool engine_is_inplace(const engine_settings *settings)
{
    return settings->input_count > 0 && tacit_is_place(settings->inputs[0]);
}

static tacit_status solve(engine_inplace *in)
{
    engine_release *release = &in->release;
    tacit_status status = engine_release_bind(release);
    if (status != TACIT_OK)
        return status;
    if (in->stays)
        status = engine_tallies_count(in);
    if (status != TACIT_OK)
        return status;
    release->frame.repeats = in->repeats;
    release->frame.repeated = in->rows;
    release->wanted.max_suppressed =
        engine_max_suppressed(release->policy, release->wanted.k, in->rows);
    release->wanted.until_stopped = engine_has(in->session->settings, "time");
    return engine_release_solve(release);
}

/* ---- the judge ---- */

static tacit_engine_promise promise_of(engine_inplace *in)
{
    const engine_release *release = &in->release;
    const tacit_promise *promise = &release->promise.promise;
    const tacit_policy *policy = release->policy;
    for (int32_t i = 0; i < promise->attribute_count; i++)
        in->attributes[i] =
            (tacit_engine_attribute){tacit_strview_of(promise->attributes[i].name), release->table,
                                     release->attributes[i].column, release->hierarchies[i]};
    return (tacit_engine_promise){
        .source = tacit_engine_source(in->engine),
        .original = tacit_engine_table(in->engine),
        .staged = tacit_engine_own(in->engine, ENGINE_STAGED),
        .release = in->sites[0].made,
        .key = tacit_strview_of(ENGINE_STAGED_KEY),
        .k = release->wanted.k,
        .attributes = in->attributes,
        .attribute_count = promise->attribute_count,
        .sets = promise->sets,
        .set_count = promise->set_count,
        .person = policy->person ? tacit_strview_of(policy->person) : (tacit_strview){"", 0},
        .rows_are_people = policy->rows_are_people,
        .kept = in->kept,
        .kept_count = in->kept_count,
        .changed = in->changed,
        .changed_count = in->changed_count,
        .gone = in->gone,
        .gone_count = in->gone_count,
        .shards_hidden = policy->shards_hidden,
        .rows_may_go = policy->drop_suppressed,
        .max_gone = release->wanted.max_suppressed,
    };
}

static tacit_status judge_shards(engine_inplace *in, const tacit_engine_promise *promise)
{
    engine_session *session = in->session;
    tacit_engine_shard *shards = tacit__alloc_zeroed((size_t)in->site_count, sizeof *shards);
    if (!shards)
        return tacit__nomem(&session->error);
    for (int32_t i = 0; i < in->site_count; i++) {
        const engine_site *site = &in->sites[i];
        shards[i] = (tacit_engine_shard){site->engine, site->data,
                                         tacit_engine_own(site->engine, ENGINE_STAGED), site->made};
    }
    tacit_status status = tacit_audit_shards(&in->verdict, shards, in->site_count, in->engine,
                                             promise, &session->run, &session->error);
    tacit__free(shards);
    return status;
}

static tacit_status take_verdict(engine_inplace *in)
{
    engine_session *session = in->session;
    if (in->verdict.holds)
        return TACIT_OK;
    for (int i = 1; i < in->verdict.problem_count; i++)
        engine_warn(session, "the judge finds: %s", in->verdict.problems[i]);
    return tacit__error(&session->error, TACIT_INFEASIBLE,
                        "the judge refuses the release, and no table is made: %s",
                        in->verdict.problems[0]);
}

static tacit_status judge(engine_inplace *in)
{
    engine_session *session = in->session;
    const tacit_engine_promise promise = promise_of(in);
    tacit_status status = in->shards.count ? judge_shards(in, &promise)
                                           : tacit_audit_engine(&in->verdict, in->engine, &promise,
                                                                &session->run, &session->error);
    return status == TACIT_OK ? take_verdict(in) : status;
}

tacit_status engine_inplace_look(engine_inplace *in, const tacit_place_name *shards)
{
    engine_session *session = in->session;
    const tacit_engine_promise promise = promise_of(in);
    tacit_status status = tacit_audit_published(&in->verdict, in->engine, shards, in->site_count,
                                                &promise, &session->run, &session->error);
    return status == TACIT_OK ? take_verdict(in) : status;
}

/* ---- the job ---- */

static tacit_status measure(engine_inplace *in)
{
    tacit_status status = engine_inplace_mapping(in); /* classes are not kept beyond this */
    if (status != TACIT_OK)
        return status;
    return in->stays ? engine_tallies_measure(in) : engine_release_measure(&in->release);
}

static tacit_status run(void *state)
{
    static tacit_status (*const STEPS[])(engine_inplace *) = {engine_inplace_read, solve,
                                                              engine_inplace_make, measure, judge};
    engine_inplace *in = state;
    engine_release *release = &in->release;
    release->session = in->session;
    release->ledger = &in->ledger;
    const char *target = engine_value(in->session->settings, "output");
    if (!target || !tacit_engine_takes(in->session->settings->inputs[0], target))
        return tacit__error(&in->session->error, TACIT_INVALID,
                            "the release is made inside the database: name a table of it with -o, "
                            "as the data is named");
    release->target = target;
    tacit_status status = engine_release_prepare(release);
    if (status == TACIT_OK)
        status = engine_inplace_check(in);
    for (size_t i = 0; i < TACIT_COUNT_OF(STEPS) && status == TACIT_OK; i++) {
        double start = engine_now();
        status = STEPS[i](in);
        release->seconds[i] = engine_now() - start;
    }
    return status;
}

static tacit_status publish_table(engine_inplace *in)
{
    engine_session *session = in->session;
    tacit_status status = tacit_engine_replace(in->engine, in->target, in->sites[0].made,
                                               &session->run, &session->error);
    return status == TACIT_OK ? tacit_engine_commit(in->engine, &session->run, &session->error)
                              : status;
}

static tacit_status commit(void *state)
{
    engine_inplace *in = state;
    engine_session *session = in->session;
    tacit_status status = in->shards.count ? engine_sites_publish(in) : publish_table(in);
    if (status != TACIT_OK)
        return status;
    session->written++;
    in->release.total = engine_now() - session->start;
    status = engine_files_appear(session);
    if (status == TACIT_OK)
        status = engine_report_print(session, &engine_inplace_reports, in);
    if (status == TACIT_OK)
        status = engine_report(session, &engine_inplace_reports, in);
    return engine_report_failed(session, status);
}

static const engine_reports *reports(const void *state, const void **subject)
{
    *subject = state;
    return &engine_inplace_reports;
}

static void clear(void *state)
{
    engine_inplace *in = state;
    if (in->release.session)
        engine_release_clear(&in->release);
    engine_sites_clear(in);
    engine_tallies_clear(in);
    tacit_engine_close(in->engine);
    tacit_engine_columns_clear(&in->columns);
    tacit__strbuf_clear(&in->text);
    tacit_sql_clear(&in->shape);
    tacit__free(in->repeats);
    tacit__free(in->parts);
    tacit__free(in->kept);
    tacit__free(in->changed);
    tacit__free(in->gone);
}

const engine_kind engine_inplace_kind = {
    .name = "anonymize",
    .takes_places = true,
    .size = sizeof(engine_inplace),
    .run = run,
    .commit = commit,
    .reports = reports,
    .clear = clear,
};
