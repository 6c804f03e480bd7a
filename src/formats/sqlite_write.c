/*
 * sqlite_write.c - a release as a database of one table, made in memory and written as a whole.
 *
 * Whole numbers and real ones are stored as such, everything else as text. A column keeps the words
 * of its type where these do not make something else of its values, as DATE would of 2020.
 */
#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/file.h"
#include "base/parallel.h"
#include "formats/sqlite.h"
#include "formats/values.h"

typedef struct base_writing {
    const tacit__format_release *release;
    sqlite3 *db;
    tacit_error *err;
} base_writing;

static tacit_status written(const base_writing *w, int result)
{
    return tacit__sqlite_check(result, w->db, w->release->name, w->err);
}

static bool are_plain(tacit_strview words)
{
    for (size_t i = 0; i < words.len; i++)
        if (!tacit__is_alphanumeric(words.bytes[i]) && !strchr(" (),_", words.bytes[i]))
            return false;
    return words.len > 0 && words.len <= 64;
}

/* The words of a column's type. */
static tacit_strview type_words(const tacit__schema_column *column)
{
    tacit__affinity affinity = tacit__affinity_of(column->format);
    bool kept = are_plain(column->format);
    switch (column->type) {
    case TACIT__TYPE_INTEGER:
        return kept && (affinity == TACIT__AFFINITY_INTEGER || affinity == TACIT__AFFINITY_NUMERIC)
                   ? column->format
                   : tacit_strview_of("INTEGER");
    case TACIT__TYPE_REAL:
        return kept && (affinity == TACIT__AFFINITY_REAL || affinity == TACIT__AFFINITY_NUMERIC)
                   ? column->format
                   : tacit_strview_of("REAL");
    default:
        return kept && affinity == TACIT__AFFINITY_TEXT ? column->format : tacit_strview_of("TEXT");
    }
}

static void add_table_name(tacit__strbuf *sql, const tacit_schema *schema)
{
    tacit__sqlite_name(sql, schema->detail.len ? schema->detail : tacit_strview_of("data"));
}

static tacit_status create_table(const base_writing *w, tacit__strbuf *sql)
{
    const tacit_schema *schema = w->release->schema;
    sqlite3_stmt *create = NULL;
    tacit__strbuf_text(sql, "CREATE TABLE ");
    add_table_name(sql, schema);
    for (size_t i = 0; i < schema->count; i++) {
        tacit_strview words = type_words(&schema->columns[i]);
        tacit__strbuf_text(sql, i ? ", " : " (");
        tacit__sqlite_name(sql, schema->columns[i].name);
        tacit__strbuf_text(sql, " ");
        tacit__strbuf_add(sql, words.bytes, words.len);
    }
    tacit__strbuf_text(sql, ")");
    tacit_status status = tacit__sqlite_prepare(&create, w->db, sql, w->release->name, w->err);
    if (status == TACIT_OK)
        status = written(w, sqlite3_step(create));
    sqlite3_finalize(create);
    sql->len = 0;
    return status;
}

static tacit_status prepare_insert(const base_writing *w, sqlite3_stmt **insert, tacit__strbuf *sql)
{
    tacit__strbuf_text(sql, "INSERT INTO ");
    add_table_name(sql, w->release->schema);
    for (size_t i = 0; i < w->release->schema->count; i++)
        tacit__strbuf_text(sql, i ? ",?" : " VALUES (?");
    tacit__strbuf_text(sql, ")");
    return tacit__sqlite_prepare(insert, w->db, sql, w->release->name, w->err);
}

static int bind_cell(sqlite3_stmt *insert, int at, tacit__type type, tacit_strview cell, bool null)
{
    int64_t whole = 0;
    double number = 0;
    if (null)
        return sqlite3_bind_null(insert, at);
    if (type == TACIT__TYPE_INTEGER && tacit__integer_of(&whole, cell))
        return sqlite3_bind_int64(insert, at, whole);
    if (type == TACIT__TYPE_REAL && tacit__real_of(&number, cell))
        return sqlite3_bind_double(insert, at, number);
    return sqlite3_bind_text64(insert, at, cell.len ? cell.bytes : "", cell.len, SQLITE_STATIC,
                               SQLITE_UTF8);
}

static tacit_status insert_row(const base_writing *w, sqlite3_stmt *insert,
                               const tacit__format_row *row)
{
    const tacit_schema *schema = w->release->schema;
    int result = sqlite3_reset(insert);
    for (size_t i = 0; i < schema->count && result == SQLITE_OK; i++)
        result =
            bind_cell(insert, (int)i + 1, schema->columns[i].type, row->cells[i], row->null[i]);
    return written(w, result == SQLITE_OK ? sqlite3_step(insert) : result);
}

static tacit_status insert_rows(const base_writing *w, sqlite3_stmt *insert)
{
    enum { BATCH = 1 << 12 };
    tacit__format_row row;
    int64_t rows = tacit_table_rows(w->release->table);
    tacit_status status = tacit__format_row_new(&row, w->release->table, w->err);
    for (int64_t at = 0; at < rows && status == TACIT_OK; at++) {
        status = tacit__format_row_at(&row, at, w->err);
        if (status == TACIT_OK)
            status = insert_row(w, insert, &row);
        if (status == TACIT_OK && at % BATCH == 0)
            status = tacit__progress(w->release->run, "writing", at, rows, w->err);
    }
    tacit__format_row_clear(&row);
    return status;
}

static tacit_status fill_table(const base_writing *w)
{
    tacit__strbuf sql = {0};
    sqlite3_stmt *insert = NULL;
    tacit_status status = written(w, sqlite3_exec(w->db, "BEGIN", NULL, NULL, NULL));
    if (status == TACIT_OK)
        status = create_table(w, &sql);
    if (status == TACIT_OK)
        status = prepare_insert(w, &insert, &sql);
    if (status == TACIT_OK)
        status = insert_rows(w, insert);
    sqlite3_finalize(insert);
    if (status == TACIT_OK)
        status = written(w, sqlite3_exec(w->db, "COMMIT", NULL, NULL, NULL));
    tacit__strbuf_clear(&sql);
    return status;
}

static tacit_status put_database(const base_writing *w)
{
    sqlite3_int64 len = 0;
    unsigned char *bytes = sqlite3_serialize(w->db, "main", &len, 0);
    if (!bytes)
        return tacit__nomem(w->err);
    tacit_status status = tacit__write_at(w->release->fd, w->release->name, (const char *)bytes,
                                          (size_t)len, 0, w->err);
    sqlite3_free(bytes);
    return status;
}

tacit_status tacit__sqlite_write(const tacit__format_release *release, tacit_error *err)
{
    base_writing w = {.release = release, .err = err};
    tacit_status status = tacit__sqlite_open(&w.db, err);
    if (status == TACIT_OK)
        status = fill_table(&w);
    if (status == TACIT_OK)
        status = put_database(&w);
    sqlite3_close(w.db);
    return status;
}
