/*
 * sqlite_read.c - a table of a database as text, in the order in which it is kept.
 *
 * The database is the bytes in memory; SQLite opens no file and cannot write. Its table is checked
 * before it is read, since the pages of a damaged one may name each other without end. Values
 * have types of their own whatever their column is called: a column has the type that all of them
 * have.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "formats/formats.h"
#include "formats/sqlite.h"
#include "formats/values.h"

enum { STEPS = 1 << 16, WAL_AT = 18 };

typedef struct base_reading {
    tacit__format_text *text;
    tacit_schema *schema;
    const tacit__format_input *input;
    sqlite3 *db;
    unsigned *types; /* that the values of a column have */
    int64_t rows;
    tacit_status status;
    tacit_error *err;
} base_reading;

/* Asked now and then, also within a statement. */
static int ask_to_go_on(void *context)
{
    base_reading *b = context;
    if (b->status == TACIT_OK)
        b->status = tacit__progress(b->input->run, "reading", b->rows, 0, b->err);
    return b->status != TACIT_OK;
}

static tacit_status checked(base_reading *b, int result)
{
    if (b->status == TACIT_OK)
        b->status = tacit__sqlite_check(result, b->db, b->input->name, b->err);
    return b->status;
}

/* ---- the file ---- */

/* Changes that a program has not yet brought into the file stand in one beside it. */
static tacit_status check_beside(const tacit__format_input *input, tacit_error *err)
{
    static const char *const endings[] = {"-wal", "-journal"};
    struct stat about;
    char path[4096];
    for (size_t i = 0; input->path && i < sizeof endings / sizeof *endings; i++) {
        int len = snprintf(path, sizeof path, "%s%s", input->path, endings[i]);
        if (len <= 0 || (size_t)len >= sizeof path || stat(path, &about) != 0 || about.st_size == 0)
            continue;
        return tacit__error_at(err, TACIT_INVALID, input->name, 0, 0,
                               "changes to it stand in a file beside it that ends in %s: close the "
                               "program that uses the database, or copy it by sqlite3's .backup",
                               endings[i]);
    }
    return TACIT_OK;
}

/* A file that is to have changes beside it, without any, as one that is not; this takes a copy. */
static tacit_status plain_bytes(char **copy, tacit_strview *bytes, tacit_error *err)
{
    if (bytes->len < WAL_AT + 2 || (bytes->bytes[WAL_AT] != 2 && bytes->bytes[WAL_AT + 1] != 2))
        return TACIT_OK;
    *copy = tacit__copy_bytes(bytes->bytes, bytes->len);
    if (!*copy)
        return tacit__nomem(err);
    (*copy)[WAL_AT] = (*copy)[WAL_AT + 1] = 1;
    bytes->bytes = *copy;
    return TACIT_OK;
}

/* ---- which table ---- */

static tacit_status unlike_one(base_reading *b, const tacit__strbuf *names, int64_t count)
{
    if (count == 0)
        return tacit__error_at(b->err, TACIT_INVALID, b->input->name, 0, 0, "has no tables");
    return tacit__error_at(
        b->err, TACIT_INVALID, b->input->name, 0, 0, "%s; its tables are %s: name one behind #",
        b->input->part ? "has no table of that name" : "has several tables", names->bytes);
}

#define TABLES "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND "

/* Goes through the tables that a user made. The only one is the one that is read. */
static tacit_status list_tables(base_reading *b, sqlite3_stmt *tables)
{
    enum { SHOWN = 8 };
    tacit__strbuf names = {0};
    int64_t count = 0;
    int result = 0;
    while ((result = sqlite3_step(tables)) == SQLITE_ROW) {
        tacit_strview name = tacit_strview_of((const char *)sqlite3_column_text(tables, 0));
        if (count++ == 0)
            b->schema->detail = tacit__arena_copy(&b->schema->arena, name);
        if (count <= SHOWN)
            tacit__strbuf_format(&names, "%s\"%s\"", count > 1 ? ", " : "", tacit__show(name).text);
        else if (count == SHOWN + 1)
            tacit__strbuf_text(&names, " and more");
    }
    tacit_status status = checked(b, result);
    if (status == TACIT_OK && names.failed)
        status = tacit__nomem(b->err);
    if (status == TACIT_OK && (count != 1 || b->input->part))
        status = unlike_one(b, &names, count);
    tacit__strbuf_clear(&names);
    return status;
}

/* The table of the name that was asked for. What a database does on being asked, views and virtual
 * tables, is not read. */
static tacit_status find_table(base_reading *b, sqlite3_stmt *tables, bool *found)
{
    sqlite3_bind_text(tables, 1, b->input->part, -1, SQLITE_STATIC);
    int result = sqlite3_step(tables);
    tacit_status status = checked(b, result);
    if (status != TACIT_OK || !(*found = result == SQLITE_ROW))
        return status;
    tacit_strview name = tacit_strview_of((const char *)sqlite3_column_text(tables, 0));
    const char *type = (const char *)sqlite3_column_text(tables, 1);
    if (!type || strcmp(type, "table") != 0)
        return tacit__error_at(b->err, TACIT_INVALID, b->input->name, 0, 0,
                               "is a %s, not a table; make a table of it (CREATE TABLE ... AS "
                               "SELECT)",
                               type && strcmp(type, "view") == 0 ? "view" : "virtual table");
    b->schema->detail = tacit__arena_copy(&b->schema->arena, name);
    return TACIT_OK;
}

static tacit_status ask_tables(base_reading *b, const char *sql, bool *found)
{
    sqlite3_stmt *tables = NULL;
    tacit_status status = checked(b, sqlite3_prepare_v2(b->db, sql, -1, &tables, NULL));
    if (status == TACIT_OK)
        status = found ? find_table(b, tables, found) : list_tables(b, tables);
    sqlite3_finalize(tables);
    return status;
}

static tacit_status choose_table(base_reading *b)
{
    bool found = false;
    tacit_status status = TACIT_OK;
    if (b->input->part)
        status = ask_tables(b, TABLES "name = ?1 COLLATE NOCASE", &found);
    if (status == TACIT_OK && !found)
        status = ask_tables(b,
                            TABLES "type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' "
                                   "ORDER BY name",
                            NULL);
    return status == TACIT_OK && !b->schema->detail.bytes ? tacit__nomem(b->err) : status;
}

/* ---- cells ---- */

static void number_cell(base_reading *b, size_t at, sqlite3_value *value)
{
    double number = sqlite3_value_double(value);
    tacit__value_text text = tacit__real_text(number);
    if (sqlite3_value_type(value) == SQLITE_INTEGER) {
        text = tacit__integer_text(sqlite3_value_int64(value));
        b->types[at] |= 1u << TACIT__TYPE_INTEGER;
    } else if (isfinite(number)) {
        b->types[at] |= 1u << TACIT__TYPE_REAL;
    } else {
        b->types[at] |= 1u << TACIT__TYPE_TEXT;
        tacit__format_cell(b->text, tacit_strview_of(number > 0 ? "Inf" : "-Inf"));
        return;
    }
    tacit__format_cell(b->text, (tacit_strview){text.bytes, text.len});
}

/* Bytes that are no text, as hexadecimal digits. */
static void blob_cell(base_reading *b, tacit_strview bytes)
{
    tacit__strbuf digits = {0};
    for (size_t i = 0; i < bytes.len; i++)
        tacit__strbuf_format(&digits, "%02X", (unsigned char)bytes.bytes[i]);
    b->text->csv.failed |= digits.failed;
    tacit__format_cell(b->text, (tacit_strview){digits.bytes, digits.len});
    tacit__strbuf_clear(&digits);
}

static tacit_status text_cell(base_reading *b, size_t at, sqlite3_value *value)
{
    const char *bytes = (const char *)sqlite3_value_text(value);
    size_t len = (size_t)sqlite3_value_bytes(value);
    b->types[at] |= 1u << TACIT__TYPE_TEXT;
    if (!bytes)
        return tacit__nomem(b->err);
    if (tacit__utf8_valid(bytes, len) != len)
        return tacit__error_at(b->err, TACIT_PARSE, b->input->name, 0, 0,
                               "column \"%s\" has a text that is not UTF-8, in row %lld",
                               tacit__show(b->schema->columns[at].name).text,
                               (long long)b->rows + 1);
    tacit__format_cell(b->text, (tacit_strview){bytes, len});
    return TACIT_OK;
}

static tacit_status add_value_cell(base_reading *b, size_t at, sqlite3_value *value)
{
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
    case SQLITE_FLOAT: number_cell(b, at, value); break;
    case SQLITE_TEXT: return text_cell(b, at, value);
    case SQLITE_BLOB: {
        const char *bytes = sqlite3_value_blob(value);
        b->types[at] |= 1u << TACIT__TYPE_TEXT;
        blob_cell(b, (tacit_strview){bytes, bytes ? (size_t)sqlite3_value_bytes(value) : 0});
        break;
    }
    default: tacit__format_null(b->text);
    }
    return TACIT_OK;
}

static tacit_status read_base_rows(base_reading *b, sqlite3_stmt *rows)
{
    int result = 0;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && (result = sqlite3_step(rows)) == SQLITE_ROW) {
        for (size_t i = 0; i < b->schema->count && status == TACIT_OK; i++)
            status = add_value_cell(b, i, sqlite3_column_value(rows, (int)i));
        if (status == TACIT_OK && b->text->csv.failed)
            status = tacit__nomem(b->err);
        b->rows++;
    }
    return status == TACIT_OK ? checked(b, result) : status;
}

/* ---- the table ---- */

static tacit__type type_of_values(unsigned types)
{
    if (types == 1u << TACIT__TYPE_INTEGER)
        return TACIT__TYPE_INTEGER;
    return types && !(types & 1u << TACIT__TYPE_TEXT) ? TACIT__TYPE_REAL : TACIT__TYPE_TEXT;
}

static tacit_status add_base_columns(base_reading *b, sqlite3_stmt *rows)
{
    int count = sqlite3_column_count(rows);
    for (int i = 0; i < count && i < TACIT_MAX_COLUMNS; i++) {
        const char *name = sqlite3_column_name(rows, i), *words = sqlite3_column_decltype(rows, i);
        tacit__schema_column *column =
            name ? tacit__schema_add(b->schema, tacit_strview_of(name)) : NULL;
        if (!column)
            return tacit__nomem(b->err);
        column->format = tacit__arena_copy(&b->schema->arena, tacit_strview_of(words ? words : ""));
        if (!column->format.bytes)
            return tacit__nomem(b->err);
    }
    b->types = tacit__alloc_zeroed(b->schema->count + 1, sizeof *b->types);
    return b->types ? TACIT_OK : tacit__nomem(b->err);
}

static tacit_status read_all_of(base_reading *b, sqlite3_stmt *rows)
{
    tacit_status status = add_base_columns(b, rows);
    if (status != TACIT_OK)
        return status;
    tacit__format_header(b->text, b->schema);
    if (!b->input->header_only)
        status = read_base_rows(b, rows);
    for (size_t i = 0; i < b->schema->count; i++)
        b->schema->columns[i].type = type_of_values(b->types[i]);
    return status;
}

/* "ok", or what is damaged first. */
static tacit_status check_pages(base_reading *b, tacit__strbuf *sql)
{
    sqlite3_stmt *check = NULL;
    tacit__strbuf_text(sql, "PRAGMA quick_check(");
    tacit__sqlite_name(sql, b->schema->detail);
    tacit__strbuf_text(sql, ")");
    tacit_status status = tacit__sqlite_prepare(&check, b->db, sql, b->input->name, b->err);
    int result = status == TACIT_OK ? sqlite3_step(check) : SQLITE_OK;
    if (status == TACIT_OK)
        status = checked(b, result);
    const char *said = result == SQLITE_ROW ? (const char *)sqlite3_column_text(check, 0) : NULL;
    if (status == TACIT_OK && (!said || strcmp(said, "ok") != 0))
        status = tacit__error_at(b->err, TACIT_PARSE, b->input->name, 0, 0,
                                 "is damaged: sqlite3's PRAGMA integrity_check says where");
    sqlite3_finalize(check);
    sql->len = 0;
    return status;
}

/* Columns that are computed may each be as long as a value may be, all of them in one row: together
 * they are no longer than the text. */
static tacit_status bound_computed(base_reading *b)
{
    static const char sql[] = "SELECT count(*) FROM pragma_table_xinfo(?1) WHERE hidden = 2";
    sqlite3_stmt *computed = NULL;
    tacit_status status = checked(b, sqlite3_prepare_v2(b->db, sql, -1, &computed, NULL));
    if (status == TACIT_OK) {
        sqlite3_bind_text(computed, 1, b->schema->detail.bytes, (int)b->schema->detail.len,
                          SQLITE_STATIC);
        status = checked(b, sqlite3_step(computed));
    }
    int64_t columns = status == TACIT_OK ? sqlite3_column_int64(computed, 0) : 0;
    sqlite3_finalize(computed);
    int now = sqlite3_limit(b->db, SQLITE_LIMIT_LENGTH, -1);
    if (columns > 0 && b->text->most > 0 && b->text->most / (uint64_t)columns < (uint64_t)now)
        sqlite3_limit(b->db, SQLITE_LIMIT_LENGTH, (int)(b->text->most / (uint64_t)columns));
    return status;
}

static tacit_status read_table(base_reading *b)
{
    tacit__strbuf sql = {0};
    sqlite3_stmt *rows = NULL;
    tacit_status status = choose_table(b);
    if (status == TACIT_OK && !b->input->header_only)
        status = check_pages(b, &sql);
    if (status == TACIT_OK)
        status = bound_computed(b);
    tacit__strbuf_text(&sql, "SELECT * FROM main.");
    tacit__sqlite_name(&sql, b->schema->detail);
    if (status == TACIT_OK)
        status = tacit__sqlite_prepare(&rows, b->db, &sql, b->input->name, b->err);
    if (status == TACIT_OK)
        status = read_all_of(b, rows);
    sqlite3_finalize(rows);
    tacit__strbuf_clear(&sql);
    return status;
}

tacit_status tacit__sqlite_read(tacit__format_text *text, tacit_schema *schema,
                                const tacit__format_input *input, tacit_error *err)
{
    base_reading b = {.text = text, .schema = schema, .input = input, .err = err};
    tacit_strview bytes = input->bytes;
    char *copy = NULL;
    tacit_status status = check_beside(input, err);
    if (status == TACIT_OK)
        status = plain_bytes(&copy, &bytes, err);
    if (status == TACIT_OK)
        status = tacit__sqlite_open(&b.db, err);
    if (status == TACIT_OK) {
        int result = sqlite3_deserialize(b.db, "main", (unsigned char *)(uintptr_t)bytes.bytes,
                                         (sqlite3_int64)bytes.len, (sqlite3_int64)bytes.len,
                                         SQLITE_DESERIALIZE_READONLY);
        sqlite3_progress_handler(b.db, STEPS, ask_to_go_on, &b);
        status = checked(&b, result);
    }
    if (status == TACIT_OK)
        status = read_table(&b);
    sqlite3_close(b.db);
    tacit__free(b.types);
    tacit__free(copy);
    return status;
}
