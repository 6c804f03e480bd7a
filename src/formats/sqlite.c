/*
 * sqlite.c - databases of SQLite, .sqlite: the format, and a connection that asks nothing of a file
 * but its tables.
 */
#include "formats/sqlite.h"

#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"

static bool words_have(tacit_strview words, const char *part)
{
    size_t len = strlen(part);
    for (size_t i = 0; i + len <= words.len; i++)
        if (strncasecmp(words.bytes + i, part, len) == 0)
            return true;
    return false;
}

tacit__affinity tacit__affinity_of(tacit_strview words)
{
    if (words_have(words, "INT"))
        return TACIT__AFFINITY_INTEGER;
    if (words_have(words, "CHAR") || words_have(words, "CLOB") || words_have(words, "TEXT"))
        return TACIT__AFFINITY_TEXT;
    if (words.len == 0 || words_have(words, "BLOB"))
        return TACIT__AFFINITY_BLOB;
    if (words_have(words, "REAL") || words_have(words, "FLOA") || words_have(words, "DOUB"))
        return TACIT__AFFINITY_REAL;
    return TACIT__AFFINITY_NUMERIC;
}

/* A file may come from anybody: no triggers, views, extensions or functions that its schema names,
 * and bounds of what a statement may become. */
tacit_status tacit__sqlite_open(sqlite3 **db, tacit_error *err)
{
    static const struct {
        int what, most;
    } limits[] = {
        {SQLITE_LIMIT_LENGTH, 1 << 26},    {SQLITE_LIMIT_SQL_LENGTH, 1 << 22},
        {SQLITE_LIMIT_EXPR_DEPTH, 64},     {SQLITE_LIMIT_VDBE_OP, 1 << 20},
        {SQLITE_LIMIT_ATTACHED, 0},        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 1},   {SQLITE_LIMIT_WORKER_THREADS, 0},
        {SQLITE_LIMIT_COMPOUND_SELECT, 4},
    };
    static const struct {
        int what, on;
    } settings[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
        {SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
    };
    if (sqlite3_open_v2(":memory:", db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK)
        return tacit__nomem(err);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(*db, limits[i].what, limits[i].most);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        sqlite3_db_config(*db, settings[i].what, settings[i].on, NULL);
    sqlite3_exec(*db, "PRAGMA mmap_size=0; PRAGMA cell_size_check=1", NULL, NULL, NULL);
    return TACIT_OK;
}

void tacit__sqlite_name(tacit__strbuf *sql, tacit_strview name)
{
    tacit__strbuf_add(sql, "\"", 1);
    for (size_t i = 0; i < name.len; i++) {
        tacit__strbuf_add(sql, name.bytes + i, 1);
        if (name.bytes[i] == '"')
            tacit__strbuf_add(sql, "\"", 1);
    }
    tacit__strbuf_add(sql, "\"", 1);
}

tacit_status tacit__sqlite_check(int result, sqlite3 *db, const char *file, tacit_error *err)
{
    if (result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE)
        return TACIT_OK;
    if (result == SQLITE_NOMEM)
        return tacit__nomem(err);
    bool damaged = result == SQLITE_CORRUPT || result == SQLITE_NOTADB;
    return tacit__error_at(err, damaged ? TACIT_PARSE : TACIT_INVALID, file, 0, 0,
                           damaged ? "is damaged: %s" : "SQLite does not take it: %s",
                           tacit__show(tacit_strview_of(sqlite3_errmsg(db))).text);
}

tacit_status tacit__sqlite_prepare(sqlite3_stmt **statement, sqlite3 *db, const tacit__strbuf *sql,
                                   const char *file, tacit_error *err)
{
    if (sql->failed)
        return tacit__nomem(err);
    return tacit__sqlite_check(sqlite3_prepare_v2(db, sql->bytes, (int)sql->len, statement, NULL),
                               db, file, err);
}

static bool is_sqlite(tacit_strview bytes)
{
    static const char mark[] = "SQLite format 3";
    return bytes.len >= sizeof mark && memcmp(bytes.bytes, mark, sizeof mark) == 0;
}

const tacit_format tacit__format_sqlite = {.name = "SQLite",
                                           .endings = ".sqlite .sqlite3 .db",
                                           .is = is_sqlite,
                                           .read = tacit__sqlite_read,
                                           .write = tacit__sqlite_write,
                                           .parts = true,
                                           .tags = true};
