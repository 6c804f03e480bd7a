/*
 * engines.c - the list of drivers, and what is the same for all: connecting, asking, loading,
 * committing.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/vector.h"
#include "engines/engines.h"

#define DRIVERS(each) each(postgres) each(duckdb) each(clickhouse) each(odbc)

#define DECLARE(name) extern const tacit_driver tacit__driver_##name;
DRIVERS(DECLARE)
#undef DECLARE

#define ADDRESS(name) &tacit__driver_##name,
static const tacit_driver *const drivers[] = {DRIVERS(ADDRESS) NULL};
#undef ADDRESS

const tacit_driver *tacit__driver_of(const char *place)
{
    for (size_t i = 0; drivers[i]; i++)
        for (const char *at = drivers[i]->schemes; *at;) {
            size_t len = strcspn(at, " ");
            if (strncmp(place, at, len) == 0)
                return drivers[i];
            at += len + (at[len] == ' ');
        }
    return NULL;
}

bool tacit_is_place(const char *path)
{
    return tacit__driver_of(path) != NULL;
}

bool tacit__is_file_of(const tacit_driver *driver, const char *path)
{
    size_t len = driver->files ? strlen(driver->files->ending) : 0, whole = strlen(path);
    return len && whole > len && strcasecmp(path + whole - len, driver->files->ending) == 0;
}

bool tacit_engine_takes(const char *place, const char *output)
{
    const tacit_driver *driver = tacit__driver_of(place);
    return driver && (tacit_is_place(output) || tacit__is_file_of(driver, output));
}

/* A statement without an answer. */
static tacit_status run_statement(tacit_engine *engine, const char *text, const tacit_run *run,
                                  tacit_error *err)
{
    return text ? engine->driver->query(engine->connection, text, NULL, NULL, run, err) : TACIT_OK;
}

tacit_status tacit__engine_connect(tacit_engine **out, const tacit_driver *driver,
                                   tacit__place *place, const tacit_run *run, tacit_error *err)
{
    tacit_engine *engine = tacit__alloc_zeroed(1, sizeof *engine);
    if (!engine) {
        tacit__place_clear(place);
        return tacit__nomem(err);
    }
    engine->driver = driver;
    engine->place = *place;
    tacit_status status = driver->connect(&engine->connection, engine->place.server, run, err);
    if (status == TACIT_OK && driver->choose)
        status = driver->choose(engine->connection, &engine->driver, err);
    if (status == TACIT_OK)
        status = run_statement(engine, engine->driver->begin, run, err);
    if (status == TACIT_OK)
        *out = engine;
    else
        tacit_engine_close(engine);
    return status;
}

tacit_status tacit_engine_open(tacit_engine **out, const char *place, const tacit_run *run,
                               tacit_error *err)
{
    const tacit_driver *driver = tacit__driver_of(place);
    tacit__place taken;
    assert(driver);
    tacit_status status = tacit__place_read(&taken, place, driver->files != NULL, err);
    tacit_engine *engine = NULL;
    if (status == TACIT_OK)
        status = tacit__engine_connect(&engine, driver, &taken, run, err);
    if (status == TACIT_OK && driver->settle)
        status = driver->settle(engine->connection, &engine->place, run, err);
    if (status == TACIT_OK)
        *out = engine;
    else
        tacit_engine_close(engine);
    return status;
}

bool tacit_engine_serves(const tacit_engine *engine, const char *place)
{
    tacit__place other;
    if (tacit__driver_of(place) != engine->driver ||
        tacit__place_read(&other, place, true, NULL) != TACIT_OK)
        return false;
    bool same = strcmp(other.server, engine->place.server) == 0;
    tacit__place_clear(&other);
    return same;
}

void tacit_engine_close(tacit_engine *engine)
{
    if (!engine)
        return;
    if (engine->connection) {
        tacit__engine_drop_own(engine);
        engine->driver->close(engine->connection);
    }
    tacit__arena_clear(&engine->names);
    tacit__place_clear(&engine->place);
    tacit__place_clear(&engine->target);
    tacit__free(engine->query);
    tacit__free(engine);
}

tacit_status tacit_engine_renew(tacit_engine *engine, const tacit_run *run, tacit_error *err)
{
    tacit_status status = run_statement(engine, engine->driver->commit, run, err);
    return status == TACIT_OK ? run_statement(engine, engine->driver->begin, run, err) : status;
}

tacit_status tacit_engine_commit(tacit_engine *engine, const tacit_run *run, tacit_error *err)
{
    tacit_status status = run_statement(engine, engine->driver->commit, run, err);
    if (status == TACIT_OK && engine->target.is_file)
        status = engine->driver->files->appear(engine->connection, err);
    return status;
}

const char *tacit_engine_name(const tacit_engine *engine)
{
    return engine->driver->name;
}

const tacit_dialect *tacit_engine_dialect(const tacit_engine *engine)
{
    return &engine->driver->dialect;
}

tacit_status tacit_engine_query(tacit_engine *engine, tacit_sql *sql, tacit_engine_row_fn row,
                                void *context, const tacit_run *run, tacit_error *err)
{
    tacit_status status =
        sql->failed || !sql->text
            ? tacit__nomem(err)
            : engine->driver->query(engine->connection, sql->text, row, context, run, err);
    sql->len = 0;
    engine->statements++;
    return status;
}

int64_t tacit_engine_statements(const tacit_engine *engine)
{
    return engine->statements;
}

static tacit_status take_number(void *context, const tacit_strview *cells, int32_t count,
                                tacit_error *err)
{
    char text[32];
    if (count != 1 || !cells[0].bytes || cells[0].len >= sizeof text)
        return tacit__error(err, TACIT_IO, "the engine's answer is no number");
    memcpy(text, cells[0].bytes, cells[0].len);
    text[cells[0].len] = '\0';
    *(int64_t *)context = strtoll(text, NULL, 10);
    return TACIT_OK;
}

tacit_status tacit_engine_number(int64_t *out, tacit_engine *engine, tacit_sql *sql,
                                 const tacit_run *run, tacit_error *err)
{
    int64_t number = -1;
    tacit_status status = tacit_engine_query(engine, sql, take_number, &number, run, err);
    if (status == TACIT_OK && number < 0)
        status = tacit__error(err, TACIT_IO, "the engine gave no answer");
    if (status == TACIT_OK)
        *out = number;
    return status;
}

/* ---- columns ---- */

typedef struct column_list {
    tacit__strbuf text; /* names and types, each with a byte 0 behind it */
    int32_t count;
} column_list;

static tacit_status take_column(void *context, const tacit_strview *cells, int32_t count,
                                tacit_error *err)
{
    column_list *list = context;
    for (int32_t i = 0; i < 2 && i < count; i++) {
        if (cells[i].len)
            tacit__strbuf_add(&list->text, cells[i].bytes, cells[i].len);
        tacit__strbuf_add(&list->text, "", 1);
    }
    list->count++;
    return list->text.failed ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status cut_columns(tacit_engine_columns *out, column_list *list, tacit_error *err)
{
    out->list = tacit__alloc_array((size_t)list->count, sizeof *out->list);
    if (!out->list)
        return tacit__nomem(err);
    const char *at = list->text.bytes;
    for (int32_t i = 0; i < list->count; i++) {
        out->list[i].name = tacit_strview_of(at);
        at += out->list[i].name.len + 1;
        out->list[i].type = tacit_strview_of(at);
        at += out->list[i].type.len + 1;
    }
    out->count = list->count;
    out->text = list->text.bytes;
    list->text = (tacit__strbuf){0};
    return TACIT_OK;
}

tacit_status tacit_engine_columns_of(tacit_engine_columns *out, tacit_engine *engine,
                                     tacit_place_name table, const tacit_run *run, tacit_error *err)
{
    column_list list = {.count = 0};
    tacit_sql sql = {0};
    tacit_sql_add(&sql, engine, engine->driver->columns_of, table);
    tacit_status status = tacit_engine_query(engine, &sql, take_column, &list, run, err);
    if (status == TACIT_OK && list.count == 0)
        status = tacit__error(err, TACIT_INVALID, "there is no table %.200s, or it has no columns",
                              tacit__show(table.name).text);
    if (status == TACIT_OK)
        status = cut_columns(out, &list, err);
    tacit__strbuf_clear(&list.text);
    tacit_sql_clear(&sql);
    return status;
}

void tacit_engine_columns_clear(tacit_engine_columns *columns)
{
    tacit__free(columns->list);
    tacit__free(columns->text);
    *columns = (tacit_engine_columns){0};
}

/* ---- loading ---- */

tacit_status tacit_engine_load_begin(tacit_engine *engine, tacit_place_name table,
                                     const tacit_run *run, tacit_error *err)
{
    tacit_sql sql = {0};
    tacit_sql_add(&sql, engine, "%p", table);
    tacit_status status =
        sql.failed ? tacit__nomem(err)
                   : engine->driver->load_begin(engine->connection, table, sql.text, run, err);
    tacit_sql_clear(&sql);
    return status;
}

tacit_status tacit_engine_load_row(tacit_engine *engine, const tacit_strview *cells, int32_t count,
                                   tacit_error *err)
{
    return engine->driver->load_row(engine->connection, cells, count, err);
}

tacit_status tacit_engine_load_end(tacit_engine *engine, const tacit_run *run, tacit_error *err)
{
    return engine->driver->load_end(engine->connection, run, err);
}
