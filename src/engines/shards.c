/*
 * shards.c - tables whose rows lie on several servers: which ones, and connections to them.
 *
 * The engine's catalog says where the shards are and as whom it goes there. They are connected to
 * from here, not through the engine: what is done to a shard's rows is done by its own server, in a
 * transaction that sees one state of them. Passwords are not asked of the catalog; they come from
 * where those of the engine come from.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"
#include "engines/engines.h"

enum { HERE_SCHEMA, HERE, THERE_SCHEMA, THERE, SERVER, FOREIGN, REFUSED, CELLS, MAX_SHARDS = 250 };

typedef struct shard_list {
    tacit_shards shards;
    size_t capacity, text_capacity;
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

tacit_status tacit_engine_shards_of(tacit_shards *out, tacit_engine *engine, tacit_place_name table,
                                    const tacit_run *run, tacit_error *err)
{
    shard_list list = {.capacity = 0};
    tacit_sql sql = {0};
    *out = (tacit_shards){0};
    if (!engine->driver->shards_of)
        return TACIT_OK;
    tacit_sql_add(&sql, engine, engine->driver->shards_of, table);
    tacit_status status = tacit_engine_query(engine, &sql, take_shard, &list, run, err);
    if (status == TACIT_OK)
        *out = list.shards;
    else
        tacit_shards_clear(&list.shards);
    tacit_sql_clear(&sql);
    return status;
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
