/*
 * session.c - loading DuckDB, and sessions that are locked before anything of the data is in them.
 *
 * Left to itself DuckDB fetches extensions over the network when a statement names something that
 * it does not know, and reads any file that a statement names. Here both are off before the first
 * statement, and the configuration cannot be changed after it.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "duckdb/duckdb.h"

tacit_status tacit__duckdb_load(tacit__duckdb *duck, tacit_error *err)
{
    const char *named = secure_getenv("TACIT_DUCKDB");
    *duck = (tacit__duckdb){.library = NULL};
    /* it stays: its threads may still be about to end when the last session is closed */
    duck->library =
        dlopen(named && *named ? named : "libduckdb.so", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!duck->library)
        return tacit__error(err, TACIT_INVALID,
                            "this needs DuckDB's library libduckdb.so, which is not here: install "
                            "it where the system looks for libraries, or name it by the "
                            "environment variable TACIT_DUCKDB");
    bool whole = true;
#define FIND(type, name, arguments)                                                   \
    duck->name = (type(*) arguments)(uintptr_t)dlsym(duck->library, "duckdb_" #name); \
    whole = whole && duck->name;
    TACIT__DUCKDB_FUNCTIONS(FIND)
#undef FIND
    if (whole)
        return TACIT_OK;
    tacit__duckdb_close(duck);
    return tacit__error(err, TACIT_INVALID,
                        "DuckDB's library is of a version that tacit does not know; it needs 1.4 "
                        "or later");
}

void tacit__duckdb_close(tacit__duckdb *duck)
{
    if (duck->connection)
        duck->disconnect(&duck->connection);
    if (duck->database)
        duck->close(&duck->database);
    if (duck->library)
        dlclose(duck->library);
    *duck = (tacit__duckdb){.library = NULL};
}

static void add_quoted_text(tacit__strbuf *sql, const char *text)
{
    tacit__strbuf_text(sql, "'");
    for (; *text; text++)
        tacit__strbuf_add(sql, *text == '\'' ? "''" : text, *text == '\'' ? 2 : 1);
    tacit__strbuf_text(sql, "'");
}

/* Sets an option to what stands in the buffer, which is emptied. */
static tacit_status set_option(tacit__duckdb *duck, const char *name, tacit__strbuf *value,
                               tacit_error *err)
{
    tacit__strbuf sql = {0};
    tacit__strbuf_format(&sql, "SET %s = %s", name, value->bytes ? value->bytes : "");
    tacit_status status = sql.failed || value->failed
                              ? tacit__nomem(err)
                              : tacit__duckdb_query(duck, sql.bytes, NULL, NULL, NULL, err);
    tacit__strbuf_clear(&sql);
    tacit__strbuf_clear(value);
    return status;
}

/* What is set last forbids to set the others. */
static tacit_status lock(tacit__duckdb *duck, const tacit__duckdb_options *options,
                         tacit_error *err)
{
    static const char *const LAST[][2] = {{"enable_external_access", "false"},
                                          {"lock_configuration", "true"}};
    tacit__strbuf value = {0};
    tacit__strbuf_text(&value, "'UTC'");
    tacit_status status = set_option(duck, "TimeZone", &value, err);
    tacit__strbuf_text(&value, "[");
    for (size_t i = 0; i < options->file_count; i++) {
        tacit__strbuf_text(&value, i ? ", " : "");
        add_quoted_text(&value, options->files[i]);
    }
    tacit__strbuf_text(&value, "]");
    if (status == TACIT_OK)
        status = set_option(duck, "allowed_paths", &value, err);
    add_quoted_text(&value, options->spill ? options->spill : "");
    if (status == TACIT_OK)
        status = set_option(duck, "temp_directory", &value, err);
    for (size_t i = 0; i < sizeof LAST / sizeof *LAST && status == TACIT_OK; i++) {
        value.len = 0;
        tacit__strbuf_text(&value, LAST[i][1]);
        status = set_option(duck, LAST[i][0], &value, err);
    }
    tacit__strbuf_clear(&value);
    return status;
}

/* Opens the database: what a statement could have DuckDB fetch is off from the start. */
static tacit_status open_database(tacit__duckdb *duck, const tacit__duckdb_options *options,
                                  tacit_error *err)
{
    char threads[24] = "1", memory[32] = "0B";
    const char *const config[][2] = {{"autoinstall_known_extensions", "false"},
                                     {"autoload_known_extensions", "false"},
                                     {"allow_community_extensions", "false"},
                                     {"allow_unsigned_extensions", "false"},
                                     {"allow_persistent_secrets", "false"},
                                     {"temp_directory", ""},
                                     {"threads", threads},
                                     {"memory_limit", memory}};
    tacit__duckdb_handle settings = NULL;
    char *message = NULL;
    snprintf(threads, sizeof threads, "%d", options->threads > 0 ? options->threads : 1);
    snprintf(memory, sizeof memory, "%lldB", (long long)options->max_memory);
    size_t count = sizeof config / sizeof *config - (options->max_memory <= 0);
    int failed = duck->create_config(&settings);
    for (size_t i = 0; i < count && !failed; i++)
        failed = duck->set_config(settings, config[i][0], config[i][1]);
    tacit_status status = failed ? tacit__error(err, TACIT_INVALID,
                                                "this version of DuckDB cannot be locked; tacit "
                                                "needs 1.4 or later")
                                 : TACIT_OK;
    if (!failed && duck->open_ext(options->path ? options->path : ":memory:", &duck->database,
                                  settings, &message))
        status = tacit__duckdb_failed(message ? message : "", err);
    if (message)
        duck->free(message);
    duck->destroy_config(&settings);
    return status;
}

tacit_status tacit__duckdb_open(tacit__duckdb *duck, const tacit__duckdb_options *options,
                                tacit_error *err)
{
    tacit_status status = open_database(duck, options, err);
    if (status == TACIT_OK && duck->connect(duck->database, &duck->connection))
        status = tacit__error(err, TACIT_IO, "DuckDB: no connection");
    return status == TACIT_OK ? lock(duck, options, err) : status;
}
