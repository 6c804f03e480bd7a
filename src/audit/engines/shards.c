/*
 * shards.c - the judge of a release in shards: each shard's server answers for its own rows, and
 * what is promised of all rows is added up at the engine that knows the shards.
 *
 * A shard says what its classes are with their rows. Of people, and of other values that are
 * counted, it says as many as it has where these are k or more, and which ones where they are
 * fewer: one may have rows in several shards, and is one there, too. So fewer than k values of a
 * class leave a shard, and a class is never taken for larger than it is.
 *
 * The shard of a row can be seen by whoever may ask the engine for it. It must say nothing that the
 * row does not say: what decides on it is released as it is, or the shards are hidden.
 *
 * Statements of all shards run at the same time. Costs, beside those of the shards: the classes of
 * each, loaded and grouped once a set.
 */
#include <pthread.h>
#include <string.h>

#include "audit/engines/case.h"
#include "base/alloc.h"
#include "base/parallel.h"

/* ---- classes of all shards ---- */

#define JUDGED "tacit judged"

/* The classes of a set on their way from the shards into one table. */
typedef struct gathering {
    engine_case *whole;
    int32_t set;
    tacit_strview by;
    pthread_mutex_t lock; /* of the table that is loaded */
} gathering;

/* The names of a set's columns: before c0, between, and after the last. */
static void add_columns(engine_case *c, int32_t set, const char *before, const char *behind)
{
    int64_t count = 0;
    for (int32_t i = 0; (i = tacit__engine_next(c->promise, set, i)) >= 0; i++) {
        ADD(c, "%sc%d", count ? ", " : before, count);
        ADD(c, "%s", behind);
        count++;
    }
}

static void add_labels(engine_case *c, int32_t set, const char *before)
{
    int64_t count = 0;
    for (int32_t i = 0; (i = tacit__engine_next(c->promise, set, i)) >= 0; i++) {
        ADD(c, "%s%u AS c%d", count ? ", " : before, c->promise->attributes[i].name, count);
        count++;
    }
}

static void select_rows(engine_case *c, int32_t set)
{
    add_columns(c, set, "SELECT ", "");
    ADD(c, ", NULL, COUNT(*) FROM (");
    add_labels(c, set, "SELECT ");
    ADD(c, " FROM %p s) x", c->promise->release);
    add_columns(c, set, " GROUP BY ", "");
}

/* A class with k values or more: how many. One with fewer: each of them. */
static void select_values(engine_case *c, int32_t set, tacit_strview by)
{
    add_columns(c, set, "SELECT ", "");
    ADD(c, ", CASE WHEN n < %d THEN who END, CASE WHEN n < %d THEN 0 ELSE n END FROM (",
        c->promise->k, c->promise->k);
    add_columns(c, set, "SELECT ", "");
    ADD(c, ", who, COUNT(*) OVER (PARTITION BY ");
    add_columns(c, set, "", "");
    ADD(c, ") AS n, ROW_NUMBER() OVER (PARTITION BY ");
    add_columns(c, set, "", "");
    ADD(c, ") AS i FROM (");
    add_labels(c, set, "SELECT DISTINCT ");
    ADD(c, ", NULLIF(%t, '') AS who", by);
    tacit__engine_joined(c);
    ADD(c, ") y) x WHERE n < %d OR i = 1", c->promise->k);
}

static tacit_status take_class(void *context, const tacit_strview *cells, int32_t count,
                               tacit_error *err)
{
    gathering *g = context;
    pthread_mutex_lock(&g->lock);
    tacit_status status = tacit_engine_load_row(g->whole->engine, cells, count, err);
    pthread_mutex_unlock(&g->lock);
    return status;
}

/* The case of one shard. The promise is a copy with the names of its tables. */
static engine_case case_of_shard(const engine_case *whole, int64_t i, tacit_engine_promise *promise,
                                 tacit_engine_verdict *verdict, const tacit_run *run,
                                 tacit_error *err)
{
    const tacit_engine_shard *shard = &whole->shards[i];
    *promise = *whole->promise;
    promise->source = promise->original = shard->original;
    promise->staged = shard->staged;
    promise->release = shard->release;
    *verdict = (tacit_engine_verdict){.holds = true};
    return (engine_case){
        .engine = shard->engine, .promise = promise, .verdict = verdict, .run = run, .err = err};
}

static tacit_status gather_shard(void *context, int64_t i, const tacit_run *run, tacit_error *err)
{
    gathering *g = context;
    tacit_engine_promise promise;
    tacit_engine_verdict verdict;
    engine_case c = case_of_shard(g->whole, i, &promise, &verdict, run, err);
    if (g->by.len)
        select_values(&c, g->set, g->by);
    else
        select_rows(&c, g->set);
    tacit_status status = tacit_engine_query(c.engine, &c.sql, take_class, g, run, err);
    tacit_sql_clear(&c.sql);
    return status;
}

static tacit_status gather(engine_case *whole, int32_t set, tacit_strview by)
{
    const tacit_dialect *dialect = tacit_engine_dialect(whole->engine);
    tacit_place_name table = tacit_engine_own(whole->engine, JUDGED);
    gathering g = {.whole = whole, .set = set, .by = by};
    char typed[80] = " ";
    strncat(typed, dialect->text_type, sizeof typed - 2);
    ADD(whole, "%s %p ", dialect->create_own, table);
    add_columns(whole, set, "(", typed);
    ADD(whole, ", who %s, n bigint)", dialect->text_type);
    tacit_status status =
        tacit_engine_query(whole->engine, &whole->sql, NULL, NULL, whole->run, whole->err);
    if (status == TACIT_OK)
        status = tacit_engine_load_begin(whole->engine, table, whole->run, whole->err);
    if (status != TACIT_OK)
        return status;
    pthread_mutex_init(&g.lock, NULL);
    status = tacit__waiting(whole->run, whole->shard_count, gather_shard, &g, whole->err);
    pthread_mutex_destroy(&g.lock);
    tacit_status end = tacit_engine_load_end(whole->engine, whole->run, whole->err);
    return status == TACIT_OK ? end : status;
}

tacit_status tacit__engine_smallest(int64_t *classes, int64_t *smallest, engine_case *whole,
                                    int32_t set, tacit_strview by)
{
    tacit_place_name table = tacit_engine_own(whole->engine, JUDGED);
    int64_t found[2] = {0, 0};
    tacit_status status = gather(whole, set, by);
    if (status != TACIT_OK)
        return status;
    ADD(whole, "SELECT COUNT(*), COALESCE(MIN(n), 0) FROM (SELECT %s AS n FROM %p",
        by.len ? "GREATEST(MAX(n), COUNT(DISTINCT who) + "
                 "MAX(CASE WHEN who IS NULL AND n = 0 THEN 1 ELSE 0 END))"
               : "SUM(n)",
        table);
    add_columns(whole, set, " GROUP BY ", "");
    ADD(whole, ") x");
    status = tacit__engine_numbers(found, 2, whole);
    *classes = found[0];
    *smallest = found[1];
    return status == TACIT_OK ? tacit_engine_drop(whole->engine, table, whole->run, whole->err)
                              : status;
}

/* ---- what shards say of rows ---- */

static bool is_kept(const tacit_engine_promise *p, tacit_strview name)
{
    for (size_t i = 0; i < p->kept_count; i++)
        if (tacit_strview_equal(p->kept[i], name))
            return true;
    return false;
}

static tacit_status check_hidden(engine_case *c)
{
    tacit_engine_names columns = {0};
    if (c->promise->shards_hidden || c->shard_count == 1)
        return TACIT_OK;
    tacit_status status =
        tacit_engine_shard_columns(&columns, c->engine, c->promise->original, c->run, c->err);
    for (int32_t i = 0; i < columns.count; i++)
        if (!is_kept(c->promise, columns.list[i]))
            tacit__engine_problem(c, "the shard of a row says something of %s",
                                  columns.list[i].len ? tacit__show(columns.list[i]).text
                                                      : "what shards are computed from");
    if (status == TACIT_OK && columns.count == 0)
        tacit__engine_problem(c, "nothing says what the shard of a row depends on");
    tacit_engine_names_clear(&columns);
    return status;
}

/* ---- all shards ---- */

typedef struct rows_of_shards {
    const engine_case *whole;
    tacit_engine_verdict *verdicts;
} rows_of_shards;

static tacit_status judge_shard(void *context, int64_t i, const tacit_run *run, tacit_error *err)
{
    const rows_of_shards *r = context;
    tacit_engine_promise promise;
    engine_case c = case_of_shard(r->whole, i, &promise, &r->verdicts[i], run, err);
    return tacit__engine_check_rows(&c);
}

static void add_verdict(engine_case *whole, const tacit_engine_verdict *shard)
{
    tacit_engine_verdict *all = whole->verdict;
    all->rows += shard->rows;
    all->released += shard->released;
    all->values += shard->values;
    all->holds = all->holds && shard->holds;
    for (int i = 0; i < shard->problem_count; i++)
        tacit__engine_problem(whole, "%s", shard->problems[i]);
}

tacit_status tacit_audit_shards(tacit_engine_verdict *out, const tacit_engine_shard *shards,
                                int32_t count, tacit_engine *engine,
                                const tacit_engine_promise *promise, const tacit_run *run,
                                tacit_error *err)
{
    engine_case whole = {.engine = engine,
                         .promise = promise,
                         .verdict = out,
                         .run = run,
                         .err = err,
                         .shards = shards,
                         .shard_count = count};
    rows_of_shards rows = {&whole, tacit__alloc_zeroed((size_t)count, sizeof *rows.verdicts)};
    *out = (tacit_engine_verdict){.holds = true};
    tacit_status status =
        rows.verdicts ? tacit__waiting(run, count, judge_shard, &rows, err) : tacit__nomem(err);
    for (int32_t i = 0; i < count && rows.verdicts; i++)
        add_verdict(&whole, &rows.verdicts[i]);
    if (status == TACIT_OK)
        status = check_hidden(&whole);
    if (status == TACIT_OK)
        status = tacit__engine_check_all(&whole);
    out->holds = out->holds && status == TACIT_OK;
    tacit__free(rows.verdicts);
    tacit_sql_clear(&whole.sql);
    return status;
}

/* ---- through the engine ---- */

static void add_names(engine_case *c, int32_t set, const char *before)
{
    for (int32_t i = 0; (i = tacit__engine_next(c->promise, set, i)) >= 0; i++) {
        ADD(c, "%s%n", before, c->promise->attributes[i].name);
        before = ", ";
    }
}

/* The rows of all classes, and of the smallest: each shard groups its own, all at once. The number
 * comes first there as it does above, without which PostgreSQL asks one shard after the other. */
static void add_published(engine_case *c, const tacit_place_name *shards, int32_t count,
                          int32_t set)
{
    ADD(c, "SELECT COALESCE(SUM(n), 0), COALESCE(MIN(n), 0) FROM (SELECT SUM(n) AS n FROM (");
    for (int32_t s = 0; s < count; s++) {
        ADD(c, s ? " UNION ALL SELECT COUNT(*) AS n" : "SELECT COUNT(*) AS n");
        add_names(c, set, ", ");
        ADD(c, " FROM %p", shards[s]);
        add_names(c, set, " GROUP BY ");
    }
    ADD(c, ") x");
    add_names(c, set, " GROUP BY ");
    ADD(c, ") y");
}

tacit_status tacit_audit_published(tacit_engine_verdict *verdict, tacit_engine *engine,
                                   const tacit_place_name *shards, int32_t count,
                                   const tacit_engine_promise *promise, const tacit_run *run,
                                   tacit_error *err)
{
    engine_case c = {
        .engine = engine, .promise = promise, .verdict = verdict, .run = run, .err = err};
    tacit_status status = TACIT_OK;
    for (int32_t set = 0; set < tacit__engine_sets(promise) && status == TACIT_OK; set++) {
        int64_t found[2] = {0, 0};
        add_published(&c, shards, count, set);
        status = tacit__engine_numbers(found, 2, &c);
        if (status == TACIT_OK && found[0] != verdict->released)
            tacit__engine_problem(&c, "the shards have not the rows that were judged");
        if (status == TACIT_OK && found[0] > 0 && found[1] < promise->k)
            tacit__engine_problem(&c, "a combination of released values has %lld rows",
                                  (long long)found[1]);
    }
    tacit_sql_clear(&c.sql);
    verdict->holds = verdict->holds && status == TACIT_OK;
    return status;
}
