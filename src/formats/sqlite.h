/*
 * sqlite.h - what reading and writing databases of SQLite have in common.
 */
#ifndef TACIT_SRC_FORMATS_SQLITE_H
#define TACIT_SRC_FORMATS_SQLITE_H

#include <sqlite3.h>

#include "formats/formats.h"

/* What a column stores its values as, by the words of its type (https://www.sqlite.org/datatype3,
 * 3.1). */
typedef enum tacit__affinity {
    TACIT__AFFINITY_BLOB = 0, /* whatever they are */
    TACIT__AFFINITY_TEXT,
    TACIT__AFFINITY_INTEGER,
    TACIT__AFFINITY_REAL,
    TACIT__AFFINITY_NUMERIC,
} tacit__affinity;

tacit__affinity tacit__affinity_of(tacit_strview words);

/* A database in memory, without anything in it; whatever this gives is to be closed. */
tacit_status tacit__sqlite_open(sqlite3 **db, tacit_error *err);

/* `"name"` for a statement. */
void tacit__sqlite_name(tacit__strbuf *sql, tacit_strview name);

tacit_status tacit__sqlite_prepare(sqlite3_stmt **statement, sqlite3 *db, const tacit__strbuf *sql,
                                   const char *file, tacit_error *err);

/* TACIT_OK of a result that is none of the errors. */
tacit_status tacit__sqlite_check(int result, sqlite3 *db, const char *file, tacit_error *err);

tacit_status tacit__sqlite_read(tacit__format_text *text, tacit_schema *schema,
                                const tacit__format_input *input, tacit_error *err);
tacit_status tacit__sqlite_write(const tacit__format_release *release, tacit_error *err);

#endif
