/*
 * publish.c - a release of shards appears.
 *
 * No transaction spans servers. Each shard's rows, judged already, are committed on their server
 * under a name that nothing refers to and nobody has rights to but its owner, unless the server
 * gives rights to every new table. Then the engine that knows the shards gets, in one transaction,
 * a table that they are the parts of, in place of the one of that name; the judge looks through it
 * before it is committed. Killed before, shards are left that belong to nothing, and the next run
 * drops them (sites.c); killed after, those of the release that was replaced.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "engine/inplace/inplace.h"

static tacit_status commit_site(engine_site *site)
{
    bool is_private = true;
    tacit_status status = TACIT_OK;
    if (site->in->release.policy->shards_hidden)
        status =
            tacit_engine_is_private(&is_private, site->engine, site->made, site->run, site->err);
    if (status == TACIT_OK && !is_private)
        return tacit__error(site->err, TACIT_INVALID,
                            "shards are hidden, but a server lets others read every new table; "
                            "change its default privileges");
    return status == TACIT_OK ? tacit_engine_renew(site->engine, site->run, site->err) : status;
}

/* What was committed is no release after all. */
static tacit_status drop_site(engine_site *site)
{
    tacit_status status = tacit_engine_drop(site->engine, site->made, site->run, site->err);
    return status == TACIT_OK ? tacit_engine_commit(site->engine, site->run, site->err) : status;
}

/* ---- the release that is replaced ---- */

static tacit_status part_old(engine_inplace *in, const tacit_shards *old)
{
    engine_session *session = in->session;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < old->count && status == TACIT_OK; i++)
        status = tacit_engine_part(in->engine, &old->list[i], &session->run, &session->error);
    return status == TACIT_OK
               ? tacit_engine_drop(in->engine, in->target, &session->run, &session->error)
               : status;
}

/* Its rows on the servers, once nothing refers to them. What cannot be dropped now is a leftover of
 * the next run. */
static void drop_old(engine_inplace *in, const tacit_shards *old)
{
    const tacit_run *run = &in->session->run;
    for (int32_t i = 0; i < old->count; i++) {
        tacit_engine *engine = NULL;
        tacit_error ignored = {0};
        if (!old->list[i].foreign)
            continue;
        tacit_status status =
            tacit_engine_open_shard(&engine, in->engine, &old->list[i], run, &ignored);
        if (status == TACIT_OK)
            status = tacit_engine_drop(engine, old->list[i].there, run, &ignored);
        if (status == TACIT_OK)
            status = tacit_engine_commit(engine, run, &ignored);
        if (status != TACIT_OK)
            engine_warn(in->session, "a shard of the release that was replaced is still there: %s",
                        ignored.message);
        tacit_engine_close(engine);
    }
}

/* ---- the new one ---- */

static tacit_status make_whole(engine_inplace *in)
{
    engine_session *session = in->session;
    tacit_sql_add(&in->shape, in->engine, " FROM %p WHERE 1 = 0", tacit_engine_table(in->engine));
    return tacit_engine_make(in->engine, in->target, &in->shape, &session->run, &session->error);
}

/* What a shard of the release is called at the engine. */
static tacit_shard shard_of(const engine_inplace *in, int32_t i)
{
    const engine_site *site = &in->sites[i];
    tacit_shard shard = in->shards.list[i];
    shard.there = site->made;
    shard.here = site->made;
    if (shard.foreign)
        shard.here.schema = in->target.schema;
    return shard;
}

static tacit_status join_sites(engine_inplace *in)
{
    engine_session *session = in->session;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < in->site_count && status == TACIT_OK; i++) {
        tacit_shard shard = shard_of(in, i);
        status = tacit_engine_join(in->engine, in->target, &shard, &session->run, &session->error);
    }
    return status;
}

static tacit_status check_private(engine_inplace *in)
{
    engine_session *session = in->session;
    bool is_private = true;
    tacit_status status = TACIT_OK;
    for (int32_t i = -1; i < in->site_count && status == TACIT_OK && is_private; i++)
        status = tacit_engine_is_private(&is_private, in->engine,
                                         i < 0 ? in->target : shard_of(in, i).here, &session->run,
                                         &session->error);
    if (status == TACIT_OK && !is_private)
        status = tacit__error(&session->error, TACIT_INVALID,
                              "shards are hidden, but the database lets others read every new "
                              "table; change its default privileges");
    return status;
}

/* The judge looks at the shards as the engine has them now. */
static tacit_status look(engine_inplace *in)
{
    tacit_place_name *names = tacit__alloc_array((size_t)in->site_count, sizeof *names);
    if (!names)
        return tacit__nomem(&in->session->error);
    for (int32_t i = 0; i < in->site_count; i++)
        names[i] = shard_of(in, i).here;
    tacit_status status = engine_inplace_look(in, names);
    tacit__free(names);
    return status;
}

/* All of it appears with the commit of the engine, or nothing. */
static tacit_status appear(engine_inplace *in, const tacit_shards *old)
{
    engine_session *session = in->session;
    tacit_status status = part_old(in, old);
    if (status == TACIT_OK)
        status = make_whole(in);
    if (status == TACIT_OK)
        status = join_sites(in);
    if (status == TACIT_OK && in->release.policy->shards_hidden)
        status = check_private(in);
    if (status == TACIT_OK)
        status = look(in);
    in->commits = status == TACIT_OK;
    return status == TACIT_OK ? tacit_engine_commit(in->engine, &session->run, &session->error)
                              : status;
}

static tacit_status publish(engine_inplace *in)
{
    engine_session *session = in->session;
    tacit_shards old = {0};
    tacit_status status = tacit_engine_renew(in->engine, &session->run, &session->error);
    if (status == TACIT_OK)
        status = tacit_engine_joined(&old, in->engine, in->target, tacit_strview_of(in->start),
                                     &session->run, &session->error);
    if (status == TACIT_OK)
        status = appear(in, &old);
    if (status == TACIT_OK)
        drop_old(in, &old);
    tacit_shards_clear(&old);
    return status;
}

tacit_status engine_sites_publish(engine_inplace *in)
{
    tacit_status status = engine_sites_each(in, commit_site);
    if (status == TACIT_OK)
        status = publish(in);
    /* The error is the first one. An answer to the commit may be lost while the release is there:
     * what is left over otherwise is the next run's to drop. */
    if (status != TACIT_OK && !in->commits)
        engine_sites_each(in, drop_site);
    return status;
}
