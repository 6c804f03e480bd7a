/*
 * tables.c - the tables of a run: the data, held as they were; tables that are gone with it; the
 * release, which takes the place of its target in one step.
 *
 * Where an engine has a schema that nobody else sees (temporary tables), and transactions, whatever
 * ends the run leaves nothing. Elsewhere tables of a run stand beside the target and are called
 * "tacit staged 0123456789abcdef fedcba9876543210": which target the run makes, and which run it
 * is. They are dropped when the engine is closed; those of a run that was killed, by the next one
 * with that target. No two runs have the same names, so a run whose tables were dropped under it
 * fails.
 */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "base/vector.h"
#include "engines/engines.h"

static tacit_place_name name_of(const tacit__place *place)
{
    return (tacit_place_name){tacit_strview_of(place->schema), tacit_strview_of(place->table)};
}

tacit_place_name tacit_engine_source(const tacit_engine *engine)
{
    return name_of(&engine->place);
}

tacit_place_name tacit_engine_table(const tacit_engine *engine)
{
    return engine->held.name.len ? engine->held : name_of(&engine->place);
}

/* A name with the run behind it. Without memory it is none that there is. */
static tacit_place_name name_in(tacit_engine *engine, tacit_strview schema, const char *name)
{
    char text[64];
    int len = snprintf(text, sizeof text, "%s%s", name, engine->run);
    return (tacit_place_name){
        schema, tacit__arena_copy(&engine->names, (tacit_strview){text, (size_t)len})};
}

tacit_place_name tacit_engine_own(tacit_engine *engine, const char *name)
{
    if (engine->driver->own)
        return (tacit_place_name){tacit_strview_of(engine->driver->own), tacit_strview_of(name)};
    return name_in(engine, tacit_strview_of(engine->target.schema), name);
}

tacit_place_name tacit_engine_made(tacit_engine *engine)
{
    if (engine->target.is_file)
        return tacit_engine_own(engine, "tacit release");
    return name_in(engine, tacit_strview_of(engine->target.schema), "tacit release");
}

/* ---- what is left of runs ---- */

typedef struct name_list {
    tacit_engine *engine;
    tacit_strview *names;
    size_t count, capacity;
} name_list;

static tacit_status take_name(void *context, const tacit_strview *cells, int32_t count,
                              tacit_error *err)
{
    name_list *list = context;
    (void)count;
    tacit_strview copy = tacit__arena_copy(&list->engine->names, cells[0]);
    return copy.bytes && TACIT__PUSH(list->names, list->capacity, list->count, copy)
               ? TACIT_OK
               : tacit__nomem(err);
}

tacit_status tacit_engine_drop(tacit_engine *engine, tacit_place_name table, const tacit_run *run,
                               tacit_error *err)
{
    tacit_sql sql = {0};
    tacit_sql_add(&sql, engine, engine->driver->drop, table);
    tacit_status status = tacit_engine_query(engine, &sql, NULL, NULL, run, err);
    tacit_sql_clear(&sql);
    return status;
}

/* Drops the tables of runs beside the target whose names hold a text: a pattern of LIKE. */
static tacit_status drop_like(tacit_engine *engine, const char *pattern, const tacit_run *run,
                              tacit_error *err)
{
    name_list list = {.engine = engine};
    tacit_sql sql = {0};
    tacit_strview schema = tacit_strview_of(engine->target.schema);
    tacit_sql_add(&sql, engine, engine->driver->leftovers, tacit_strview_of(pattern), schema,
                  schema);
    tacit_status status = tacit_engine_query(engine, &sql, take_name, &list, run, err);
    for (size_t i = 0; i < list.count && status == TACIT_OK; i++)
        status = tacit_engine_drop(engine, (tacit_place_name){schema, list.names[i]}, run, err);
    tacit__free(list.names);
    tacit_sql_clear(&sql);
    return status;
}

void tacit__engine_drop_own(tacit_engine *engine)
{
    char pattern[64];
    if (!engine->driver->leftovers || !engine->run[0])
        return;
    snprintf(pattern, sizeof pattern, "tacit %%%s", engine->run);
    (void)drop_like(engine, pattern, NULL, NULL); /* what is left is the next run's */
}

/* ---- the target ---- */

/* Says whose the tables of the run are: the target's hash, and a number of the run's own. */
static tacit_status name_run(tacit_engine *engine, const tacit_run *run, tacit_error *err)
{
    tacit_sql target = {0};
    unsigned char random[16];
    char pattern[64];
    tacit_sql_add(&target, engine, "%p", name_of(&engine->target));
    if (target.failed || sodium_init() < 0) {
        tacit_sql_clear(&target);
        return tacit__nomem(err);
    }
    unsigned long long hash = tacit__hash_bytes(target.text, target.len);
    tacit_sql_clear(&target);
    randombytes_buf(random, sizeof random);
    sodium_bin2hex(engine->secret, sizeof engine->secret, random, sizeof random);
    snprintf(pattern, sizeof pattern, "tacit %% %016llx ________________", hash);
    randombytes_buf(random, sizeof random);
    int at = snprintf(engine->run, sizeof engine->run, " %016llx ", hash);
    sodium_bin2hex(engine->run + at, sizeof engine->run - (size_t)at, random, 8);
    return engine->driver->leftovers ? drop_like(engine, pattern, run, err) : TACIT_OK;
}

static bool equal_any_case(const char *a, const char *b)
{
    for (; *a && tacit__to_lower(*a) == tacit__to_lower(*b); a++)
        b++;
    return *a == *b;
}

/* Whether two names can be one table's: a schema that is not said may be any. */
static bool may_be_same(const tacit__place *a, const tacit__place *b)
{
    return equal_any_case(a->table, b->table) &&
           (!*a->schema || !*b->schema || equal_any_case(a->schema, b->schema));
}

tacit_status tacit_engine_is_same(bool *out, tacit_engine *engine, tacit_place_name left,
                                  tacit_place_name right, const tacit_run *run, tacit_error *err)
{
    tacit_sql sql = {0};
    int64_t same = 1;
    tacit_sql_add(&sql, engine, engine->driver->same_table, left, right);
    tacit_status status = tacit_engine_number(&same, engine, &sql, run, err);
    tacit_sql_clear(&sql);
    *out = same != 0;
    return status;
}

/* The release must not take the place of the data, whatever both are called. */
static tacit_status check_apart(tacit_engine *engine, const tacit_run *run, tacit_error *err)
{
    bool same = may_be_same(&engine->place, &engine->target);
    tacit_status status = TACIT_OK;
    if (engine->driver->same_table)
        status = tacit_engine_is_same(&same, engine, name_of(&engine->place),
                                      name_of(&engine->target), run, err);
    if (status == TACIT_OK && same)
        status = tacit__error(err, TACIT_INVALID,
                              "the release would take the place of the data; name another table");
    return status;
}

static bool is_word(char c)
{
    return tacit__is_alphanumeric(c) || c == '_';
}

/* The release must not take the place of what the query reads. */
static tacit_status check_query(const tacit_engine *engine, tacit_error *err)
{
    const char *name = engine->target.table, *at = engine->query;
    size_t len = strlen(name);
    while ((at = strcasestr(at, name)) &&
           ((at > engine->query && is_word(at[-1])) || is_word(at[len])))
        at++;
    if (!at)
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID,
                        "the query names the table that the release is to be; name another table");
}

/* A release that is a file: the table of the run that says what it says. */
static tacit_status target_file(tacit_place_name *out, tacit_engine *engine, const char *path,
                                const tacit_run *run, tacit_error *err)
{
    tacit_status status = engine->driver->files->open(engine->connection, path, err);
    engine->target.is_file = status == TACIT_OK;
    if (status == TACIT_OK)
        status = name_run(engine, run, err);
    if (status == TACIT_OK)
        *out = tacit_engine_made(engine);
    return status;
}

/* What stands behind the scheme of a place: the path of a file. */
static const char *path_of(const char *place)
{
    return place + strcspn(place, ":") + 1;
}

/* What would be gone when the run is over is no release. */
static tacit_status check_stays(const tacit_driver *driver, const tacit__place *target,
                                tacit_error *err)
{
    if (tacit__is_file_of(driver, path_of(target->server)))
        return tacit__error(err, TACIT_INVALID,
                            "a file is one table: leave out ?table= and what follows it");
    if (driver->own && equal_any_case(target->schema, driver->own))
        return tacit__error(err, TACIT_INVALID,
                            "the tables of %s are gone when the run is over; name another schema",
                            driver->own);
    return TACIT_OK;
}

tacit_status tacit_engine_target(tacit_place_name *out, tacit_engine *engine, const char *place,
                                 const tacit_run *run, tacit_error *err)
{
    tacit__place target;
    if (tacit__is_file_of(engine->driver, place))
        return target_file(out, engine, tacit_is_place(place) ? path_of(place) : place, run, err);
    tacit_status status = tacit__place_read(&target, place, false, err);
    if (status != TACIT_OK)
        return status;
    if (strcmp(target.server, engine->place.server) != 0)
        status = tacit__error(err, TACIT_INVALID,
                              "the release goes to another database than the data is in; it is "
                              "made inside the database, so name the same one");
    else
        status = check_stays(engine->driver, &target, err);
    if (status != TACIT_OK) {
        tacit__place_clear(&target);
        return status;
    }
    tacit__place_clear(&engine->target);
    engine->target = target; /* the names are the engine's, which outlives them */
    *out = name_of(&engine->target);
    status = engine->query ? check_query(engine, err) : check_apart(engine, run, err);
    return status == TACIT_OK ? name_run(engine, run, err) : status;
}

tacit_status tacit_engine_open_target(tacit_engine **out, tacit_place_name *table,
                                      const char *place, const tacit_run *run, tacit_error *err)
{
    tacit_engine *engine = NULL;
    tacit__place target, server;
    tacit_status status = tacit__place_read(&target, place, false, err);
    if (status != TACIT_OK)
        return status;
    server = (tacit__place){tacit__copy_text(target.server), NULL, NULL, false};
    status = tacit__engine_connect(&engine, tacit__driver_of(place), &server, run, err);
    if (status != TACIT_OK) {
        tacit__place_clear(&target);
        return status;
    }
    engine->target = target;
    status = name_run(engine, run, err);
    if (status == TACIT_OK) {
        *table = name_of(&engine->target);
        *out = engine;
    } else {
        tacit_engine_close(engine);
    }
    return status;
}

/* ---- queries ---- */

/* Its name in place of the one that the place had. */
static bool name_answer(tacit__place *place, tacit_place_name table)
{
    tacit__free(place->schema);
    tacit__free(place->table);
    place->schema = tacit__copy_bytes(table.schema.bytes, table.schema.len);
    place->table = tacit__copy_bytes(table.name.bytes, table.name.len);
    return place->schema && place->table;
}

/* The answer of a query as a table of the run. In brackets, so that it is one statement that only
 * reads, on lines of its own, so that a comment in it ends. */
static tacit_status keep_answer(tacit_engine *engine, const tacit_run *run, tacit_error *err)
{
    const tacit_dialect *dialect = &engine->driver->dialect;
    tacit_sql sql = {0};
    tacit_place_name table = tacit_engine_own(engine, "tacit query");
    if (!name_answer(&engine->place, table))
        return tacit__nomem(err);
    tacit_sql_add(&sql, engine, "%s %p%s AS SELECT * FROM (\n%s\n) q", dialect->create_own, table,
                  dialect->storage, engine->query);
    tacit_status status = tacit_engine_query(engine, &sql, NULL, NULL, run, err);
    if (status == TACIT_OK && dialect->analyze) {
        tacit_sql_add(&sql, engine, dialect->analyze, table);
        status = tacit_engine_query(engine, &sql, NULL, NULL, run, err);
    }
    tacit_sql_clear(&sql);
    return status;
}

/* Without the end of a statement, which brackets would not take. */
static tacit_status copy_query(tacit_engine *engine, tacit_strview query, tacit_error *err)
{
    while (query.len > 0 && strchr(" \t\r\n;", query.bytes[query.len - 1]))
        query.len--;
    if (query.len == 0 || memchr(query.bytes, '\0', query.len))
        return tacit__error(err, TACIT_INVALID, "the query is empty, or no text");
    if (!engine->driver->own)
        return tacit__error(err, TACIT_INVALID,
                            "%s has no tables of a run: make a view of the query, and name that",
                            engine->driver->name);
    engine->query = tacit__copy_bytes(query.bytes, query.len);
    return engine->query ? TACIT_OK : tacit__nomem(err);
}

tacit_status tacit_engine_open_query(tacit_engine **out, const char *place, tacit_strview query,
                                     const tacit_run *run, tacit_error *err)
{
    tacit_engine *engine = NULL;
    tacit__place taken;
    tacit_status status = tacit__place_read(&taken, place, true, err);
    if (status == TACIT_OK)
        status = tacit__engine_connect(&engine, tacit__driver_of(place), &taken, run, err);
    if (status == TACIT_OK)
        status = copy_query(engine, query, err);
    if (status == TACIT_OK)
        status = keep_answer(engine, run, err);
    if (status == TACIT_OK)
        *out = engine;
    else
        tacit_engine_close(engine);
    return status;
}

/* ---- the data ---- */

bool tacit_engine_has_keys(const tacit_engine *engine)
{
    return !engine->driver->number;
}

tacit_status tacit_engine_hold(tacit_engine *engine, const tacit_engine_columns *columns,
                               const tacit_run *run, tacit_error *err)
{
    const tacit_driver *driver = engine->driver;
    tacit_sql sql = {0};
    if (!driver->number)
        return TACIT_OK;
    tacit_place_name copy = tacit_engine_own(engine, "tacit data");
    tacit_sql_add(&sql, engine, "CREATE TABLE %p%s AS SELECT %s AS %s", copy,
                  driver->dialect.storage, driver->number, driver->dialect.row_key);
    for (int32_t i = 0; i < columns->count; i++)
        tacit_sql_add(&sql, engine, ", %n", columns->list[i].name);
    tacit_sql_add(&sql, engine, " FROM %p", tacit_engine_source(engine));
    tacit_status status = tacit_engine_query(engine, &sql, NULL, NULL, run, err);
    tacit_sql_clear(&sql);
    if (status == TACIT_OK)
        engine->held = copy;
    return status;
}

/* ---- the release ---- */

tacit_status tacit_engine_make(tacit_engine *engine, tacit_place_name made, tacit_sql *select,
                               const tacit_run *run, tacit_error *err)
{
    const tacit_driver *driver = engine->driver;
    tacit_sql sql = {0};
    tacit_status status;
    if (select->failed || !select->text) {
        status = tacit__nomem(err);
    } else if (engine->target.is_file) {
        status = driver->files->make(engine->connection, made, select->text, run, err);
    } else {
        tacit_sql_add(&sql, engine, "CREATE TABLE %p%s AS %s", made, driver->dialect.storage,
                      select->text);
        status = tacit_engine_query(engine, &sql, NULL, NULL, run, err);
    }
    tacit_sql_clear(&sql);
    select->len = 0;
    return status;
}

/* In one step, and what the target was is dropped then. */
static tacit_status exchange(tacit_engine *engine, tacit_place_name table, tacit_place_name by,
                             const tacit_run *run, tacit_error *err)
{
    tacit_sql sql = {0};
    tacit_place_name old = name_in(engine, table.schema, "tacit replaced");
    tacit_sql_add(&sql, engine, engine->driver->exchange, table, old, by, table);
    tacit_status status = tacit_engine_query(engine, &sql, NULL, NULL, run, err);
    tacit_sql_clear(&sql);
    return status;
}

tacit_status tacit_engine_replace(tacit_engine *engine, tacit_place_name table, tacit_place_name by,
                                  const tacit_run *run, tacit_error *err)
{
    tacit_sql sql = {0};
    int64_t there = 0;
    tacit_status status = TACIT_OK;
    if (engine->target.is_file)
        return TACIT_OK;
    if (!engine->driver->exchange) {
        status = tacit_engine_drop(engine, table, run, err);
    } else {
        tacit_sql_add(&sql, engine, engine->driver->exists, table);
        status = tacit_engine_number(&there, engine, &sql, run, err);
    }
    if (status == TACIT_OK && there)
        return exchange(engine, table, by, run, err);
    tacit_sql_add(&sql, engine, engine->driver->rename, by, table);
    if (status == TACIT_OK)
        status = tacit_engine_query(engine, &sql, NULL, NULL, run, err);
    tacit_sql_clear(&sql);
    return status;
}
