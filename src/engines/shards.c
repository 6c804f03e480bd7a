/*
 * shards.c - tables whose rows lie on several servers: which ones, connections to them, and
 * releases made of such tables.
 *
 * The engine's catalog says where the shards are and as whom it goes there. They are connected to
 * from here, not through the engine: what is done to a shard's rows is done by its own server, in a
 * transaction that sees one state of them. Passwords are not asked of the catalog; they come from
 * where those of the engine come from.
 *
 * No transaction spans several servers. So shards of a release are committed first, each under a
 * name that only its run knows, and the engine's table of them appears in one transaction. A run
 * claims the names it uses for as long as it is connected; what bears such a name, is claimed by
 * nobody and is a shard of nothing was left by a run that was killed.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/vector.h"
#include "engines/engines.h"

enum { HERE_SCHEMA, HERE, THERE_SCHEMA, THERE, SERVER, FOREIGN, REFUSED, CELLS, MAX_SHARDS = 250 };

/* ---- which ones ---- */

typedef struct shard_list {
    tacit_shards shards;
    size_t capacity, text_capacity;
    tacit_strview start; /* of names there; with one, shards of others are passed over */
} shard_list;

/* A copy of a cell; NULL for null, or if memory ran out. */
static const char *keep(shard_list *list, tacit_strview cell, bool *failed)
{
    if (!cell.bytes)
        return NULL;
    char *copy = tacit__copy_bytes(cell.bytes, cell.len);
    tacit_shards *shards = &list->shards;
    if (copy && TACIT__PUSH(shards->texts, list->text_capacity, shards->text_count, copy))
        return copy;
    tacit__free(copy);
    *failed = true;
    return NULL;
}

static tacit_place_name keep_name(shard_list *list, const tacit_strview *cells, bool *failed)
{
    const char *schema = keep(list, cells[0], failed), *name = keep(list, cells[1], failed);
    return (tacit_place_name){tacit_strview_of(schema ? schema : ""),
                              tacit_strview_of(name ? name : "")};
}

static tacit_status take_shard(void *context, const tacit_strview *cells, int32_t count,
                               tacit_error *err)
{
    shard_list *list = context;
    bool failed = false;
    if (count != CELLS)
        return tacit__error(err, TACIT_IO, "the engine's answer is no list of shards");
    if (list->start.len && (cells[THERE].len < list->start.len ||
                            memcmp(cells[THERE].bytes, list->start.bytes, list->start.len) != 0))
        return TACIT_OK;
    tacit_shard shard = {.here = keep_name(list, cells + HERE_SCHEMA, &failed),
                         .there = keep_name(list, cells + THERE_SCHEMA, &failed),
                         .server = keep(list, cells[SERVER], &failed),
                         .foreign = keep(list, cells[FOREIGN], &failed)};
    const char *why = keep(list, cells[REFUSED], &failed);
    if (failed || !TACIT__PUSH(list->shards.list, list->capacity, list->shards.count, shard))
        return tacit__nomem(err);
    if (why)
        return tacit__error(err, TACIT_INVALID, "the rows of %s cannot be reached: %s",
                            tacit__show(shard.here.name).text, why);
    if (list->shards.count > MAX_SHARDS)
        return tacit__error(err, TACIT_LIMIT, "a table of more than %d shards", (int)MAX_SHARDS);
    return TACIT_OK;
}

tacit_status tacit_engine_joined(tacit_shards *out, tacit_engine *engine, tacit_place_name table,
                                 tacit_strview start, const tacit_run *run, tacit_error *err)
{
    shard_list list = {.start = start};
    tacit_sql sql = {0};
    *out = (tacit_shards){0};
    if (!engine->driver->shards)
        return TACIT_OK;
    tacit_sql_add(&sql, engine, engine->driver->shards->shards_of, table);
    tacit_status status = tacit_engine_query(engine, &sql, take_shard, &list, run, err);
    if (status == TACIT_OK)
        *out = list.shards;
    else
        tacit_shards_clear(&list.shards);
    tacit_sql_clear(&sql);
    return status;
}

tacit_status tacit_engine_shards_of(tacit_shards *out, tacit_engine *engine, tacit_place_name table,
                                    const tacit_run *run, tacit_error *err)
{
    return tacit_engine_joined(out, engine, table, (tacit_strview){"", 0}, run, err);
}

void tacit_shards_clear(tacit_shards *shards)
{
    for (size_t i = 0; i < shards->text_count; i++)
        tacit__free(shards->texts[i]);
    tacit__free(shards->texts);
    tacit__free(shards->list);
    *shards = (tacit_shards){0};
}

tacit_status tacit_engine_open_shard(tacit_engine **out, const tacit_engine *engine,
                                     const tacit_shard *shard, const tacit_run *run,
                                     tacit_error *err)
{
    tacit__place place = {
        .server = tacit__copy_text(shard->server ? shard->server : engine->place.server),
        .schema = tacit__copy_bytes(shard->there.schema.bytes, shard->there.schema.len),
        .table = tacit__copy_bytes(shard->there.name.bytes, shard->there.name.len)};
    if (!place.server || !place.schema || !place.table) {
        tacit__place_clear(&place);
        return tacit__nomem(err);
    }
    tacit_status status = tacit__engine_connect(out, engine->driver, &place, run, err);
    if (status != TACIT_OK)
        return status;
    memcpy((*out)->run, engine->run, sizeof engine->run);
    memcpy((*out)->secret, engine->secret, sizeof engine->secret);
    (*out)->target.schema = tacit__copy_text((*out)->place.schema);
    return (*out)->target.schema ? TACIT_OK : tacit__nomem(err);
}

/* ---- names ---- */

typedef struct listed_names {
    tacit__strbuf text; /* each with a byte 0 behind it */
    int32_t count;
} listed_names;

static tacit_status take_listed(void *context, const tacit_strview *cells, int32_t count,
                                tacit_error *err)
{
    listed_names *list = context;
    if (count != 1 || !cells[0].bytes)
        return tacit__error(err, TACIT_IO, "the engine's answer is no list of names");
    tacit__strbuf_add(&list->text, cells[0].bytes, cells[0].len);
    tacit__strbuf_add(&list->text, "", 1);
    list->count++;
    return list->text.failed ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status cut_names(tacit_engine_names *out, listed_names *list, tacit_error *err)
{
    tacit_strview *names = tacit__alloc_array((size_t)list->count + 1, sizeof *names);
    if (!names)
        return tacit__nomem(err);
    const char *at = list->text.bytes;
    for (int32_t i = 0; i < list->count; i++) {
        names[i] = tacit_strview_of(at);
        at += names[i].len + 1;
    }
    *out = (tacit_engine_names){names, list->count, list->text.bytes};
    list->text = (tacit__strbuf){0};
    return TACIT_OK;
}

static tacit_status list_names(tacit_engine_names *out, tacit_engine *engine, tacit_sql *sql,
                               const tacit_run *run, tacit_error *err)
{
    listed_names list = {.count = 0};
    tacit_status status = tacit_engine_query(engine, sql, take_listed, &list, run, err);
    if (status == TACIT_OK)
        status = cut_names(out, &list, err);
    tacit__strbuf_clear(&list.text);
    tacit_sql_clear(sql);
    return status;
}

void tacit_engine_names_clear(tacit_engine_names *names)
{
    tacit__free(names->list);
    tacit__free(names->text);
    *names = (tacit_engine_names){0};
}

tacit_status tacit_engine_shard_columns(tacit_engine_names *out, tacit_engine *engine,
                                        tacit_place_name table, const tacit_run *run,
                                        tacit_error *err)
{
    tacit_sql sql = {0};
    tacit_sql_add(&sql, engine, engine->driver->shards->columns_of, table);
    return list_names(out, engine, &sql, run, err);
}

tacit_status tacit_engine_leftovers(tacit_engine_names *out, tacit_engine *engine,
                                    tacit_place_name start, const tacit_run *run, tacit_error *err)
{
    tacit_sql sql = {0};
    tacit_sql_add(&sql, engine, engine->driver->shards->leftovers, start.schema, start.name);
    return list_names(out, engine, &sql, run, err);
}

tacit_status tacit_engine_published(tacit_engine_names *out, tacit_engine *engine,
                                    tacit_strview start, const tacit_run *run, tacit_error *err)
{
    tacit_sql sql = {0};
    tacit_sql_add(&sql, engine, engine->driver->shards->published, start, start);
    return list_names(out, engine, &sql, run, err);
}

/* ---- one statement each ---- */

static tacit_status run_and_clear(tacit_engine *engine, tacit_sql *sql, const tacit_run *run,
                                  tacit_error *err)
{
    tacit_status status = tacit_engine_query(engine, sql, NULL, NULL, run, err);
    tacit_sql_clear(sql);
    return status;
}

tacit_status tacit_engine_identity(int64_t *out, tacit_engine *engine, const tacit_run *run,
                                   tacit_error *err)
{
    tacit_sql sql = {0};
    tacit_sql_add(&sql, engine, "%s", engine->driver->shards->identity);
    tacit_status status = tacit_engine_number(out, engine, &sql, run, err);
    tacit_sql_clear(&sql);
    return status;
}

tacit_status tacit_engine_claim(tacit_engine *engine, tacit_strview name, const tacit_run *run,
                                tacit_error *err)
{
    tacit_sql sql = {0};
    tacit_sql_add(&sql, engine, engine->driver->shards->claim, name);
    return run_and_clear(engine, &sql, run, err);
}

tacit_status tacit_engine_join(tacit_engine *engine, tacit_place_name table,
                               const tacit_shard *shard, const tacit_run *run, tacit_error *err)
{
    const tacit_shard_driver *driver = engine->driver->shards;
    tacit_sql sql = {0};
    if (shard->foreign)
        tacit_sql_add(&sql, engine, driver->join_foreign, shard->here, table,
                      tacit_strview_of(shard->foreign), shard->there.schema, shard->there.name);
    else
        tacit_sql_add(&sql, engine, driver->join_own, shard->there, table);
    return run_and_clear(engine, &sql, run, err);
}

tacit_status tacit_engine_part(tacit_engine *engine, const tacit_shard *shard, const tacit_run *run,
                               tacit_error *err)
{
    tacit_sql sql = {0};
    tacit_sql_add(&sql, engine,
                  shard->foreign ? engine->driver->shards->drop_foreign : engine->driver->drop,
                  shard->here);
    return run_and_clear(engine, &sql, run, err);
}

tacit_status tacit_engine_is_private(bool *out, tacit_engine *engine, tacit_place_name table,
                                     const tacit_run *run, tacit_error *err)
{
    tacit_sql sql = {0};
    int64_t granted = 1;
    tacit_sql_add(&sql, engine, engine->driver->shards->granted, table);
    tacit_status status = tacit_engine_number(&granted, engine, &sql, run, err);
    *out = status == TACIT_OK && granted == 0;
    tacit_sql_clear(&sql);
    return status;
}
