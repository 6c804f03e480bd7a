/*
 * read.c - from a table in an engine to a frame: its columns against the policy, and its distinct
 * combinations of quasi-identifiers with the number of rows of each.
 *
 * The combinations become a small CSV, in the order of its bytes, so that the same data gives the
 * same numbers whatever order the engine has; and a table with them stands for the data (repeats of
 * tacit_frame). Shards count their own, and what several have is added up. An empty text and a
 * missing value are one here, as they are in a CSV; what is released unchanged keeps the
 * difference. Memory: that of the combinations.
 */
#include <stdlib.h>
#include <string.h>

#include <tacit/experimental/profile.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "engine/inplace/inplace.h"
#include "engine/job/csv.h"

/* ---- what is refused ---- */

static tacit_status refuse(const engine_inplace *in, const char *what)
{
    return tacit__error(&in->release.session->error, TACIT_INVALID,
                        "%s cannot be done inside a database; leave it out, or let the rows leave "
                        "with --fetch-rows",
                        what);
}

static const char *unfit_policy(const tacit_policy *policy)
{
    const struct {
        bool given;
        const char *what;
    } KEYS[] = {
        {tacit_policy_masks(policy), "a technique"},
        {policy->ledger != NULL, "ledger"},
        {policy->previous_count > 0, "previous"},
        {policy->population != NULL || policy->population_model_count > 0, "population"},
        {tacit_risk_bounds_any(&policy->risks), "a bound on the average or population risk"},
        {policy->household != NULL, "household"},
        {policy->trail, "trail"},
        {policy->km > 0, "km"},
        {policy->resist, "minimality: resist"},
        {policy->keep_order, "keep-order"},
        {policy->spreadsheet_safe, "spreadsheet-safe"},
        {policy->strict, "strict"},
        {tacit_policy_has_missing_codes(policy), "missing-codes"},
        {policy->encoding != NULL, "encoding"},
    };
    for (size_t i = 0; i < TACIT_COUNT_OF(KEYS); i++)
        if (KEYS[i].given)
            return KEYS[i].what;
    for (int32_t i = 0; i < policy->column_count; i++) {
        tacit_replace fate = engine_fate(&policy->columns[i]);
        if (policy->columns[i].model_count > 0)
            return "a promise about a sensitive column";
        if (fate == TACIT_REPLACE_SCRUB || fate == TACIT_REPLACE_ROW_PSEUDONYM)
            return "replace: scrub or row-pseudonym";
    }
    return NULL;
}

tacit_status engine_inplace_check(const engine_inplace *in)
{
    static const char *const SETTINGS[] = {"unsafe",   "ask",           "dependencies", "statement",
                                           "summary",  "accept-unread", "evaluate",     "target",
                                           "explore",  "explore-k",     "explore-loss", "delimiter",
                                           "no-header"};
    const engine_release *release = &in->release;
    const engine_settings *settings = in->session->settings;
    for (size_t i = 0; i < TACIT_COUNT_OF(SETTINGS); i++)
        if (engine_has(settings, SETTINGS[i])) {
            char option[40] = "--";
            engine_append(option, sizeof option, "%s", SETTINGS[i]);
            return refuse(in, option);
        }
    if (!(release->method->features & TACIT_METHOD_COUNTS))
        return refuse(in, release->method->name);
    const char *what = unfit_policy(release->policy);
    return what ? refuse(in, what) : TACIT_OK;
}

/* ---- the header ---- */

void engine_inplace_cell(tacit__strbuf *text, tacit_strview cell, bool first)
{
    if (!first)
        tacit__strbuf_add(text, ",", 1);
    engine_csv_cell(text, cell);
}

tacit_status engine_inplace_text(tacit_table **out, const tacit__strbuf *text, bool header_only,
                                 engine_inplace *in)
{
    engine_session *session = in->session;
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    options.header_only = header_only;
    if (text->failed)
        return tacit__nomem(&session->error);
    return tacit_table_read_memory(out, (tacit_strview){text->bytes, text->len}, in->release.data,
                                   &options, &session->run, &session->error);
}

static tacit_status check_header(engine_inplace *in)
{
    engine_release *release = &in->release;
    tacit__strbuf names = {0};
    for (int32_t i = 0; i < in->columns.count; i++)
        engine_inplace_cell(&names, in->columns.list[i].name, i == 0);
    tacit__strbuf_add(&names, "\n", 1);
    tacit_status status = engine_inplace_text(&release->table, &names, true, in);
    if (status == TACIT_OK)
        status = engine_release_check_policy(release);
    tacit_table_free(release->table);
    release->table = NULL;
    tacit__strbuf_clear(&names);
    return status;
}

/* ---- columns without a role ---- */

static tacit_status gather_row(void *context, const tacit_strview *cells, int32_t count,
                               tacit_error *err)
{
    tacit__strbuf *text = context;
    for (int32_t i = 0; i < count; i++)
        engine_inplace_cell(text, cells[i], i == 0);
    tacit__strbuf_add(text, "\n", 1);
    return text->failed ? tacit__nomem(err) : TACIT_OK;
}

/* Looks at some rows of the columns that the policy does not name, as of a file at all of them. */
static tacit_status check_unnamed(engine_inplace *in)
{
    enum { LOOKED_AT = 10000 };
    engine_release *release = &in->release;
    engine_session *session = in->session;
    tacit__strbuf text = {0};
    tacit_sql sql = {0};
    int unnamed = 0;
    for (int32_t i = 0; i < in->columns.count; i++) {
        tacit_strview name = in->columns.list[i].name;
        if (tacit_policy_find(release->policy, name))
            continue;
        tacit_sql_add(&sql, in->engine, unnamed ? ", %x" : "SELECT %x", name);
        engine_inplace_cell(&text, name, unnamed++ == 0);
    }
    tacit_status status = TACIT_OK;
    if (unnamed) {
        tacit__strbuf_add(&text, "\n", 1);
        tacit_sql_add(&sql, in->engine, " FROM %p LIMIT %d", tacit_engine_table(in->engine),
                      (int64_t)LOOKED_AT);
        status =
            tacit_engine_query(in->engine, &sql, gather_row, &text, &session->run, &session->error);
        if (status == TACIT_OK)
            status = engine_inplace_text(&release->table, &text, false, in);
        if (status == TACIT_OK)
            status = engine_release_check_unnamed(release);
        tacit_table_free(release->table);
        release->table = NULL;
    }
    tacit_sql_clear(&sql);
    tacit__strbuf_clear(&text);
    return status;
}

/* ---- combinations ---- */

/* The combinations of a site: rows of a CSV, and how often each stands. */
typedef struct gathered {
    tacit__strbuf text;
    size_t *ends;
    uint32_t *repeats;
    size_t count, end_capacity, repeat_capacity;
} gathered;

static void gathered_clear(gathered *g)
{
    tacit__strbuf_clear(&g->text);
    tacit__free(g->ends);
    tacit__free(g->repeats);
}

/* A combination: its cells, and behind them the number of its rows. */
static tacit_status gather_combination(void *context, const tacit_strview *cells, int32_t count,
                                       tacit_error *err)
{
    gathered *g = context;
    char number[24] = "";
    tacit_strview last = cells[count - 1];
    if (!last.bytes || last.len >= sizeof number)
        return tacit__error(err, TACIT_IO, "the engine's answer is no number");
    memcpy(number, last.bytes, last.len);
    long long rows = strtoll(number, NULL, 10);
    if (rows < 1 || rows > TACIT_MAX_ROWS)
        return tacit__error(err, TACIT_LIMIT, "at most %lld rows can be counted",
                            (long long)TACIT_MAX_ROWS);
    tacit_status status = gather_row(&g->text, cells, count - 1, err);
    if (status == TACIT_OK && (!TACIT__RESERVE_ONE(g->repeats, g->repeat_capacity, g->count) ||
                               !TACIT__PUSH(g->ends, g->end_capacity, g->count, g->text.len)))
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        g->repeats[g->count - 1] = (uint32_t)rows;
    return status;
}

/* A row of the text, and how often it stands. */
typedef struct combination {
    tacit_strview line;
    int64_t repeats;
} combination;

static int by_bytes(const void *left, const void *right)
{
    const combination *a = left, *b = right;
    size_t common = a->line.len < b->line.len ? a->line.len : b->line.len;
    int order = memcmp(a->line.bytes, b->line.bytes, common);
    return order ? order : (a->line.len > b->line.len) - (a->line.len < b->line.len);
}

/* Puts those of all sites in order, and adds up what several have. */
static size_t unite(combination *list, const gathered *sites, int32_t count)
{
    size_t all = 0, distinct = 0;
    for (int32_t s = 0; s < count; s++)
        for (size_t i = 0; i < sites[s].count; i++) {
            size_t from = i ? sites[s].ends[i - 1] : 0;
            list[all++] = (combination){{sites[s].text.bytes + from, sites[s].ends[i] - from},
                                        sites[s].repeats[i]};
        }
    qsort(list, all, sizeof *list, by_bytes);
    for (size_t i = 0; i < all; i++)
        if (distinct && by_bytes(&list[distinct - 1], &list[i]) == 0)
            list[distinct - 1].repeats += list[i].repeats;
        else
            list[distinct++] = list[i];
    return distinct;
}

/* Writes them behind the header of the text. */
static tacit_status keep_combinations(engine_inplace *in, const combination *list, size_t count)
{
    tacit_error *err = &in->session->error;
    in->repeats = tacit__alloc_array(count + 1, sizeof *in->repeats);
    if (!in->repeats)
        return tacit__nomem(err);
    for (size_t i = 0; i < count; i++) {
        in->rows += list[i].repeats;
        if (in->rows > TACIT_MAX_ROWS)
            return tacit__error(err, TACIT_LIMIT, "at most %lld rows can be counted",
                                (long long)TACIT_MAX_ROWS);
        in->repeats[i] = (uint32_t)list[i].repeats;
        tacit__strbuf_add(&in->text, list[i].line.bytes, list[i].line.len);
    }
    in->combinations = (int64_t)count;
    return count ? TACIT_OK : tacit__error(err, TACIT_INVALID, "the table has no rows");
}

tacit_strview engine_quasi_name(const engine_inplace *in, int32_t i)
{
    return tacit_strview_of(in->release.promise.attributes[i].name);
}

/* The quasi-identifiers, and the person behind them. */
static int32_t combined_count(const engine_inplace *in)
{
    return in->release.promise.promise.attribute_count + (in->release.policy->person ? 1 : 0);
}

static tacit_strview combined_name(const engine_inplace *in, int32_t i)
{
    const tacit_promise *promise = &in->release.promise.promise;
    return tacit_strview_of(i < promise->attribute_count ? promise->attributes[i].name
                                                         : in->release.policy->person);
}

/* SELECT the quasi-identifiers and the person, empty ones as missing, with the number of rows. */
static tacit_status count_at(engine_site *site)
{
    const engine_inplace *in = site->in;
    int32_t count = combined_count(in);
    tacit_sql sql = {0};
    for (int32_t i = 0; i < count; i++)
        tacit_sql_add(&sql, site->engine, i ? ", NULLIF(%x, '')" : "SELECT NULLIF(%x, '')",
                      combined_name(in, i));
    tacit_sql_add(&sql, site->engine, ", COUNT(*) FROM %p GROUP BY ", site->data);
    for (int32_t i = 0; i < count; i++)
        tacit_sql_add(&sql, site->engine, i ? ", NULLIF(%x, '')" : "NULLIF(%x, '')",
                      combined_name(in, i));
    tacit_status status = tacit_engine_query(site->engine, &sql, gather_combination,
                                             &in->gathered[site - in->sites], site->run, site->err);
    tacit_sql_clear(&sql);
    return status;
}

static tacit_status unite_sites(engine_inplace *in)
{
    size_t all = 1;
    for (int32_t s = 0; s < in->site_count; s++)
        all += in->gathered[s].count;
    combination *list = tacit__alloc_array(all, sizeof *list);
    if (!list)
        return tacit__nomem(&in->session->error);
    size_t count = unite(list, in->gathered, in->site_count);
    tacit_status status = keep_combinations(in, list, count);
    tacit__free(list);
    return status;
}

static tacit_status count_combinations(engine_inplace *in)
{
    for (int32_t i = 0; i < combined_count(in); i++)
        engine_inplace_cell(&in->text, combined_name(in, i), i == 0);
    tacit__strbuf_add(&in->text, "\n", 1);
    in->gathered = tacit__alloc_zeroed((size_t)in->site_count, sizeof *in->gathered);
    if (!in->gathered)
        return tacit__nomem(&in->session->error);
    tacit_status status = engine_sites_each(in, count_at);
    if (status == TACIT_OK)
        status = unite_sites(in);
    for (int32_t s = 0; s < in->site_count; s++)
        gathered_clear(&in->gathered[s]);
    tacit__free(in->gathered);
    in->gathered = NULL;
    if (status == TACIT_OK)
        status = engine_inplace_text(&in->release.table, &in->text, false, in);
    return status;
}

/* ---- what the columns become ---- */

tacit_replace engine_inplace_fate(const engine_inplace *in, tacit_strview name)
{
    return engine_fate(tacit_policy_find(in->release.policy, name));
}

static tacit_status sort_columns(engine_inplace *in)
{
    const engine_release *release = &in->release;
    size_t room = (size_t)in->columns.count + 1;
    in->kept = tacit__alloc_array(room, sizeof *in->kept);
    in->changed = tacit__alloc_array(room, sizeof *in->changed);
    in->gone = tacit__alloc_array(room, sizeof *in->gone);
    if (!in->kept || !in->changed || !in->gone)
        return tacit__nomem(&in->session->error);
    for (int32_t i = 0; i < in->columns.count; i++) {
        tacit_strview name = in->columns.list[i].name;
        const tacit_policy_column *column = tacit_policy_find(release->policy, name);
        tacit_replace fate = engine_fate(column);
        if (engine_attribute_of(&release->promise, release->policy, column) >= 0)
            continue;
        if (fate == TACIT_REPLACE_DROP || fate == TACIT_REPLACE_PSEUDONYM)
            in->gone[in->gone_count++] = name;
        if (fate == TACIT_REPLACE_PSEUDONYM)
            in->changed[in->changed_count++] = name;
        else if (fate != TACIT_REPLACE_DROP)
            in->kept[in->kept_count++] = name;
    }
    return TACIT_OK;
}

tacit_status engine_inplace_read(engine_inplace *in)
{
    engine_session *session = in->session;
    tacit_error *err = &session->error;
    tacit_status status = engine_places_open(&in->engine, in->release.data, session);
    if (status == TACIT_OK)
        status = tacit_engine_columns_of(&in->columns, in->engine, tacit_engine_table(in->engine),
                                         &session->run, err);
    if (status == TACIT_OK)
        status =
            tacit_engine_target(&in->target, in->engine, in->release.target, &session->run, err);
    if (status == TACIT_OK)
        status = check_header(in);
    if (status == TACIT_OK)
        status = sort_columns(in);
    if (status == TACIT_OK)
        status = engine_sites_open(in);
    if (status == TACIT_OK)
        status = engine_sites_hold(in);
    if (status == TACIT_OK)
        status = check_unnamed(in);
    if (status == TACIT_OK)
        status = engine_tallies_choose(in);
    if (status != TACIT_OK)
        return status;
    return in->stays ? engine_tallies_read(in) : count_combinations(in);
}
