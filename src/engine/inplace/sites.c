/*
 * sites.c - where the rows of a table in an engine lie: in one place, or in shards that are each
 * connected to.
 *
 * What is asked of rows is asked at all sites at the same time, and added up here; no row goes from
 * one to another. Each site sees one state of its rows from the first statement to the commit.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "engine/inplace/inplace.h"

/* Connects, and looks for what runs have left that were killed. */
static tacit_status open_site(engine_site *site)
{
    const engine_inplace *in = site->in;
    const tacit_shard *shard = &in->shards.list[site - in->sites];
    tacit_place_name start = {shard->there.schema, tacit_strview_of(in->start)};
    tacit_status status =
        tacit_engine_open_shard(&site->engine, in->engine, shard, site->run, site->err);
    if (status == TACIT_OK)
        status = tacit_engine_claim(site->engine, site->made.name, site->run, site->err);
    return status == TACIT_OK
               ? tacit_engine_leftovers(&site->leftovers, site->engine, start, site->run, site->err)
               : status;
}

static bool is_listed(const tacit_engine_names *names, tacit_strview name)
{
    for (int32_t i = 0; i < names->count; i++)
        if (tacit_strview_equal(names->list[i], name))
            return true;
    return false;
}

/* Drops what was left, and sees the rows as they are from then on. */
static tacit_status clean_site(engine_site *site)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < site->leftovers.count && status == TACIT_OK; i++) {
        tacit_place_name left = {site->data.schema, site->leftovers.list[i]};
        if (!is_listed(&site->in->published, left.name))
            status = tacit_engine_drop(site->engine, left, site->run, site->err);
    }
    return status == TACIT_OK ? tacit_engine_renew(site->engine, site->run, site->err) : status;
}

/* What has been published is asked for when the rest is claimed, so nothing is dropped that another
 * run is publishing. */
static tacit_status open_shards(engine_inplace *in)
{
    const tacit_run *run = &in->session->run;
    tacit_error *err = &in->session->error;
    tacit_status status = engine_sites_each(in, open_site);
    if (status == TACIT_OK)
        status = tacit_engine_renew(in->engine, run, err);
    if (status == TACIT_OK)
        status = tacit_engine_published(&in->published, in->engine, tacit_strview_of(in->start),
                                        run, err);
    return status == TACIT_OK ? engine_sites_each(in, clean_site) : status;
}

/* Names that no other run has: of this database, this run, and the shard. */
static tacit_status name_shards(engine_inplace *in)
{
    enum { RUN = 16 }; /* what tells runs apart, at the end of a release's name */
    int64_t identity = 0;
    tacit_strview made = tacit_engine_made(in->engine).name;
    tacit_status status =
        tacit_engine_identity(&identity, in->engine, &in->session->run, &in->session->error);
    snprintf(in->start, sizeof in->start, "tacit release %016llx ", (unsigned long long)identity);
    for (int32_t i = 0; i < in->site_count; i++) {
        engine_site *site = &in->sites[i];
        tacit_place_name there = in->shards.list[i].there;
        *site = (engine_site){.in = in, .data = there, .made = {.schema = there.schema}};
        snprintf(site->name, sizeof site->name, "%s%s %d", in->start,
                 made.len > RUN ? made.bytes + made.len - RUN : "", (int)i);
        site->made.name = tacit_strview_of(site->name);
    }
    return status;
}

static bool is_kept(const engine_inplace *in, tacit_strview name)
{
    for (size_t i = 0; i < in->kept_count; i++)
        if (tacit_strview_equal(in->kept[i], name))
            return true;
    return false;
}

/* Whoever may read the release sees the shard of each row, and in it what decides on the shard. */
static tacit_status check_seen(engine_inplace *in)
{
    engine_session *session = in->session;
    tacit_engine_names columns = {0};
    if (in->release.policy->shards_hidden || in->site_count == 1)
        return TACIT_OK;
    tacit_status status = tacit_engine_shard_columns(
        &columns, in->engine, tacit_engine_table(in->engine), &session->run, &session->error);
    for (int32_t i = 0; i < columns.count && status == TACIT_OK; i++)
        if (!is_kept(in, columns.list[i]))
            status = tacit__error(
                &session->error, TACIT_INVALID,
                "the shard of a row says something of %s, which is not released as it is, and "
                "readers of the release see it; with `shards: hidden` nobody may read it but its "
                "owner, who hands on copies in random order",
                columns.list[i].len ? tacit__show(columns.list[i]).text
                                    : "what it is computed from");
    tacit_engine_names_clear(&columns);
    return status;
}

/* No shard of the data is the target. */
static tacit_status check_apart(engine_inplace *in)
{
    engine_session *session = in->session;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < in->site_count && status == TACIT_OK; i++) {
        bool same = true;
        status = tacit_engine_is_same(&same, in->engine, in->shards.list[i].here, in->target,
                                      &session->run, &session->error);
        if (status == TACIT_OK && same)
            status = tacit__error(&session->error, TACIT_INVALID,
                                  "the release would take the place of a part of the data; name "
                                  "another table");
    }
    return status;
}

tacit_status engine_sites_open(engine_inplace *in)
{
    engine_session *session = in->session;
    tacit_status status = tacit_engine_shards_of(
        &in->shards, in->engine, tacit_engine_table(in->engine), &session->run, &session->error);
    if (status != TACIT_OK)
        return status;
    in->site_count = in->shards.count ? in->shards.count : 1;
    in->sites = tacit__alloc_zeroed((size_t)in->site_count, sizeof *in->sites);
    if (!in->sites)
        return tacit__nomem(&session->error);
    if (in->shards.count == 0) {
        in->sites[0] = (engine_site){.in = in,
                                     .engine = in->engine,
                                     .data = tacit_engine_table(in->engine),
                                     .made = tacit_engine_made(in->engine)};
        return TACIT_OK;
    }
    status = check_apart(in);
    if (status == TACIT_OK)
        status = check_seen(in);
    if (status == TACIT_OK)
        status = name_shards(in);
    return status == TACIT_OK ? open_shards(in) : status;
}

void engine_sites_clear(engine_inplace *in)
{
    for (int32_t i = 0; in->sites && i < in->site_count; i++) {
        if (in->shards.count)
            tacit_engine_close(in->sites[i].engine);
        tacit_engine_names_clear(&in->sites[i].leftovers);
        tacit__free(in->sites[i].shares);
    }
    tacit__free(in->sites);
    tacit_engine_names_clear(&in->published);
    tacit_shards_clear(&in->shards);
}

/* ---- at all of them ---- */

typedef struct each {
    engine_inplace *in;
    tacit_status (*what)(engine_site *site);
} each;

static tacit_status do_one(void *context, int64_t task, const tacit_run *run, tacit_error *err)
{
    const each *e = context;
    engine_site *site = &e->in->sites[task];
    site->run = run;
    site->err = err;
    return e->what(site);
}

tacit_status engine_sites_each(engine_inplace *in, tacit_status (*what)(engine_site *site))
{
    each e = {in, what};
    engine_session *session = in->session;
    if (in->site_count == 1)
        return do_one(&e, 0, &session->run, &session->error);
    return tacit__waiting(&session->run, in->site_count, do_one, &e, &session->error);
}

static tacit_status hold(engine_site *site)
{
    tacit_status status = tacit_engine_hold(site->engine, &site->in->columns, site->run, site->err);
    if (status == TACIT_OK)
        site->data = tacit_engine_table(site->engine);
    return status;
}

tacit_status engine_sites_hold(engine_inplace *in)
{
    return engine_sites_each(in, hold);
}

/* ---- which rows of which site ---- */

int64_t engine_cell_number(tacit_strview cell)
{
    char text[24] = "";
    if (cell.len == 0 || cell.len >= sizeof text)
        return -1;
    memcpy(text, cell.bytes, cell.len);
    return strtoll(text, NULL, 10);
}

/* The first part of a class; they are in the order of classes. */
static size_t first_part(const engine_inplace *in, int64_t class)
{
    size_t low = 0, high = in->part_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (in->parts[middle].class < class)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

tacit_status engine_site_take_count(void *context, const tacit_strview *cells, int32_t count,
                                    tacit_error *err)
{
    engine_site *site = context;
    const engine_inplace *in = site->in;
    int64_t class = count == 2 ? engine_cell_number(cells[0]) : -1;
    size_t part = first_part(in, class);
    if (part == in->part_count || in->parts[part].class != class)
        return tacit__error(err, TACIT_IO, "the engine's answer is no class of the data");
    site->shares[part] = engine_cell_number(cells[1]);
    return TACIT_OK;
}

tacit_status engine_sites_shares(engine_inplace *in)
{
    for (int32_t i = 0; i < in->site_count; i++) {
        in->sites[i].shares = tacit__alloc_zeroed(in->part_count, sizeof *in->sites[i].shares);
        if (!in->sites[i].shares)
            return tacit__nomem(&in->session->error);
    }
    return TACIT_OK;
}

/* Takes a row of those left at the sites, each as likely as any other. */
static void draw_row(const engine_inplace *in, int64_t *left, int64_t all, size_t part,
                     tacit__random *random)
{
    int64_t at = tacit__random_below(random, (uint32_t)all);
    int32_t site = 0;
    while (at >= left[site])
        at -= left[site++];
    left[site]--;
    in->sites[site].shares[part]++;
}

/* Divides the parts of one class, from first on; each site has put its rows down at the first. */
static tacit_status divide_class(engine_inplace *in, size_t first, int64_t *left,
                                 tacit__random *random)
{
    int64_t all = 0, wanted = 0;
    size_t end = first;
    for (; end < in->part_count && in->parts[end].class == in->parts[first].class; end++)
        wanted += in->parts[end].rows;
    for (int32_t i = 0; i < in->site_count; i++) {
        all += left[i] = in->sites[i].shares[first];
        in->sites[i].shares[first] = 0;
    }
    if (all != wanted)
        return tacit__error(&in->session->error, TACIT_IO,
                            "the data changed while the release was made; run it again");
    for (size_t part = first; part + 1 < end; part++)
        for (int64_t row = 0; row < in->parts[part].rows; row++)
            draw_row(in, left, all--, part, random);
    for (int32_t i = 0; i < in->site_count; i++)
        in->sites[i].shares[end - 1] += left[i];
    return TACIT_OK;
}

tacit_status engine_sites_divide(engine_inplace *in)
{
    tacit__random random;
    tacit_status status = TACIT_OK;
    int64_t *left = tacit__alloc_zeroed((size_t)in->site_count, sizeof *left);
    if (!left)
        return tacit__nomem(&in->session->error);
    tacit__random_init(&random, &in->session->run, "site", 0);
    for (size_t i = 0; i < in->part_count && status == TACIT_OK; i++)
        if (i == 0 || in->parts[i].class != in->parts[i - 1].class)
            status = divide_class(in, i, left, &random);
    tacit__free(left);
    return status;
}
