/*
 * odbc.c - every other engine, by unixODBC, which is loaded when a place of it is first named, and
 * the driver that the data source names.
 *
 * What the driver says it is connected to chooses the words: a row of the table at the end. Engines
 * that are not in it are refused, since nobody has tried them. The data source (odbc.ini) holds the
 * server, the user and, where it has to be, the password; the driver's own files and environment
 * may hold it, too. Rows are loaded by INSERT with quoted texts. What the engine says went wrong
 * can hold values of the data: only its five-letter code is shown, in words, and its own words
 * where values may be shown. A statement that runs cannot be interrupted; the run ends behind it.
 */
#include <dlfcn.h>
#include <sql.h>
#include <sqlext.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/strbuf.h"
#include "engines/engines.h"

#define ODBC_FUNCTIONS(each)                                                            \
    each(SQLAllocHandle) each(SQLSetEnvAttr) each(SQLDriverConnect) each(SQLDisconnect) \
        each(SQLFreeHandle) each(SQLExecDirect) each(SQLNumResultCols) each(SQLFetch)   \
            each(SQLGetData) each(SQLGetDiagRec) each(SQLGetInfo)

#define ODBC_MEMBER(name) __typeof__(name) *name;
typedef struct unixodbc {
    void *library;
    ODBC_FUNCTIONS(ODBC_MEMBER)
} unixodbc;
#undef ODBC_MEMBER

typedef struct odbc {
    unixodbc lib;
    SQLHENV environment;
    SQLHDBC session;
    bool connected;
    tacit_driver words; /* of the database */
    char *insert;       /* of a load: "INSERT INTO t VALUES " */
    tacit__strbuf rows; /* of a load, not sent yet */
    bool failed;
    const tacit_run *run_of_load;
} odbc;

static tacit_status load_odbc(unixodbc *lib, tacit_error *err)
{
    lib->library = dlopen("libodbc.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!lib->library)
        return tacit__error(
            err, TACIT_INVALID,
            "ODBC needs the library libodbc.so.2, which is not installed; on Debian "
            "it is in the package libodbc2");
    bool whole = true;
#define ODBC_FIND(name)                                                    \
    lib->name = (__typeof__(name) *)(uintptr_t)dlsym(lib->library, #name); \
    whole = whole && lib->name;
    ODBC_FUNCTIONS(ODBC_FIND)
#undef ODBC_FIND
    return whole ? TACIT_OK : tacit__error(err, TACIT_INVALID, "libodbc.so.2 is too old");
}

/* ---- what went wrong ---- */

static const struct {
    const char *state; /* or how it starts */
    tacit_status status;
    const char *words;
} STATES[] = {
    {"42501", TACIT_INVALID, "this user has not the right to do that"},
    {"42S02", TACIT_INVALID, "there is no such table"},
    {"42P01", TACIT_INVALID, "there is no such table"},
    {"28", TACIT_INVALID, "the server does not let this user in"},
    {"IM002", TACIT_INVALID, "there is no such data source in odbc.ini"},
    {"IM003", TACIT_INVALID, "the driver of the data source is not installed"},
    {"08", TACIT_IO, "the connection was lost, or there was none"},
    {"40", TACIT_IO, "the data changed under the run"},
    {"53", TACIT_LIMIT, "the server has run out of memory, connections or disk"},
};

static tacit_status odbc_refused(const odbc *o, SQLSMALLINT type, SQLHANDLE handle,
                                 tacit_error *err)
{
    SQLCHAR state[6] = "HY000", said[400] = "";
    SQLINTEGER native = 0;
    SQLSMALLINT len = 0;
    tacit_status status = TACIT_IO;
    const char *words = "the statement failed";
    o->lib.SQLGetDiagRec(type, handle, 1, state, &native, said, sizeof said, &len);
    for (size_t i = 0; i < sizeof STATES / sizeof *STATES; i++)
        if (strncmp((char *)state, STATES[i].state, strlen(STATES[i].state)) == 0) {
            status = STATES[i].status;
            words = STATES[i].words;
            break;
        }
    bool shown = err && err->show_values;
    return tacit__error(err, status, "ODBC: %s (%.5s, %d)%s%.300s", words, (char *)state,
                        (int)native, shown ? ": " : "", shown ? (char *)said : "");
}

/* ---- asking ---- */

enum { ODBC_CELLS = 4096, ODBC_PIECE = 4096, ODBC_ROW = 1 << 28 };

/* The cells of a row, one behind the other; lengths are known before they are pointed to. */
typedef struct odbc_row {
    tacit__strbuf text;
    size_t ends[ODBC_CELLS];
    bool nulls[ODBC_CELLS];
    tacit_strview cells[ODBC_CELLS];
} odbc_row;

static tacit_status read_cell(const odbc *o, SQLHSTMT statement, odbc_row *row, int32_t at,
                              tacit_error *err)
{
    char piece[ODBC_PIECE];
    SQLRETURN got;
    row->nulls[at] = false;
    do {
        SQLLEN len = 0;
        got = o->lib.SQLGetData(statement, (SQLUSMALLINT)(at + 1), SQL_C_CHAR, piece, sizeof piece,
                                &len);
        if (got == SQL_NO_DATA)
            break;
        if (!SQL_SUCCEEDED(got))
            return odbc_refused(o, SQL_HANDLE_STMT, statement, err);
        row->nulls[at] = len == SQL_NULL_DATA;
        bool cut = len == SQL_NO_TOTAL || len >= (SQLLEN)sizeof piece;
        if (len != SQL_NULL_DATA)
            tacit__strbuf_add(&row->text, piece, cut ? sizeof piece - 1 : (size_t)len);
        if (!cut)
            break;
    } while (row->text.len < ODBC_ROW);
    row->ends[at] = row->text.len;
    if (row->text.len >= ODBC_ROW)
        return tacit__error(err, TACIT_LIMIT, "a row of an answer has more than %d bytes",
                            (int)ODBC_ROW);
    return row->text.failed ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status read_row(const odbc *o, SQLHSTMT statement, odbc_row *row, int32_t count,
                             tacit_error *err)
{
    tacit_status status = TACIT_OK;
    row->text.len = 0;
    for (int32_t i = 0; i < count && status == TACIT_OK; i++)
        status = read_cell(o, statement, row, i, err);
    for (int32_t i = 0; i < count && status == TACIT_OK; i++) {
        size_t from = i ? row->ends[i - 1] : 0;
        const char *bytes = row->ends[i] > from ? row->text.bytes + from : "";
        row->cells[i] = (tacit_strview){row->nulls[i] ? NULL : bytes, row->ends[i] - from};
    }
    return status;
}

static tacit_status read_answer(const odbc *o, SQLHSTMT statement, tacit_engine_row_fn take,
                                void *context, const tacit_run *run, tacit_error *err)
{
    SQLSMALLINT count = 0;
    tacit_status status = TACIT_OK;
    if (!SQL_SUCCEEDED(o->lib.SQLNumResultCols(statement, &count)))
        return odbc_refused(o, SQL_HANDLE_STMT, statement, err);
    if (count == 0 || !take)
        return TACIT_OK;
    if (count > ODBC_CELLS)
        return tacit__error(err, TACIT_LIMIT, "%d columns; at most %d are read", (int)count,
                            (int)ODBC_CELLS);
    odbc_row *row = tacit__alloc_zeroed(1, sizeof *row);
    if (!row)
        return tacit__nomem(err);
    while (status == TACIT_OK &&
           (status = tacit__progress(run, "database", 0, 0, err)) == TACIT_OK) {
        SQLRETURN got = o->lib.SQLFetch(statement);
        if (got == SQL_NO_DATA)
            break;
        status = SQL_SUCCEEDED(got) ? read_row(o, statement, row, count, err)
                                    : odbc_refused(o, SQL_HANDLE_STMT, statement, err);
        if (status == TACIT_OK)
            status = take(context, row->cells, count, err);
    }
    tacit__strbuf_clear(&row->text);
    tacit__free(row);
    return status;
}

static tacit_status query_odbc(void *connection, const char *sql, tacit_engine_row_fn row,
                               void *context, const tacit_run *run, tacit_error *err)
{
    const odbc *o = connection;
    SQLHSTMT statement = NULL;
    tacit_status status = tacit__progress(run, "database", 0, 0, err);
    if (status != TACIT_OK)
        return status;
    if (!SQL_SUCCEEDED(o->lib.SQLAllocHandle(SQL_HANDLE_STMT, o->session, &statement)))
        return odbc_refused(o, SQL_HANDLE_DBC, o->session, err);
    SQLRETURN got = o->lib.SQLExecDirect(statement, (SQLCHAR *)(uintptr_t)sql, SQL_NTS);
    if (SQL_SUCCEEDED(got))
        status = read_answer(o, statement, row, context, run, err);
    else if (got != SQL_NO_DATA) /* which is what a statement says that changed nothing */
        status = odbc_refused(o, SQL_HANDLE_STMT, statement, err);
    o->lib.SQLFreeHandle(SQL_HANDLE_STMT, statement);
    return status;
}

/* ---- connecting ---- */

static void close_odbc(void *connection)
{
    odbc *o = connection;
    if (o->connected)
        o->lib.SQLDisconnect(o->session);
    if (o->session)
        o->lib.SQLFreeHandle(SQL_HANDLE_DBC, o->session);
    if (o->environment)
        o->lib.SQLFreeHandle(SQL_HANDLE_ENV, o->environment);
    tacit__free(o->insert);
    tacit__strbuf_clear(&o->rows);
    if (o->lib.library)
        dlclose(o->lib.library);
    tacit__free(o);
}

static tacit_status connect_odbc(void **connection, const char *server, const tacit_run *run,
                                 tacit_error *err)
{
    (void)run;
    odbc *o = tacit__alloc_zeroed(1, sizeof *o);
    if (!o)
        return tacit__nomem(err);
    tacit_status status = load_odbc(&o->lib, err);
    if (status == TACIT_OK &&
        (!SQL_SUCCEEDED(o->lib.SQLAllocHandle(SQL_HANDLE_ENV, SQL_NULL_HANDLE, &o->environment)) ||
         !SQL_SUCCEEDED(o->lib.SQLSetEnvAttr(o->environment, SQL_ATTR_ODBC_VERSION,
                                             (SQLPOINTER)SQL_OV_ODBC3, 0)) ||
         !SQL_SUCCEEDED(o->lib.SQLAllocHandle(SQL_HANDLE_DBC, o->environment, &o->session))))
        status = tacit__error(err, TACIT_IO, "unixODBC cannot be used");
    if (status == TACIT_OK) {
        const char *text = server + strcspn(server, ":") + 1;
        o->connected =
            SQL_SUCCEEDED(o->lib.SQLDriverConnect(o->session, NULL, (SQLCHAR *)(uintptr_t)text,
                                                  SQL_NTS, NULL, 0, NULL, SQL_DRIVER_NOPROMPT));
        if (!o->connected)
            status = odbc_refused(o, SQL_HANDLE_DBC, o->session, err);
    }
    if (status == TACIT_OK)
        *connection = o;
    else
        close_odbc(o);
    return status;
}

/* ---- loading ---- */

enum { SEND_TEXT = 1 << 16 };

static tacit_status begin_insert(void *connection, tacit_place_name table, const char *quoted,
                                 const tacit_run *run, tacit_error *err)
{
    odbc *o = connection;
    tacit__strbuf insert = {0};
    (void)table;
    tacit__strbuf_format(&insert, "INSERT INTO %s VALUES ", quoted);
    tacit__free(o->insert);
    o->insert = insert.bytes;
    o->rows.len = 0;
    o->failed = insert.failed;
    o->run_of_load = run;
    return insert.failed ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status send_inserts(odbc *o, tacit_error *err)
{
    if (o->rows.failed)
        return tacit__nomem(err);
    tacit_status status =
        o->rows.len ? query_odbc(o, o->rows.bytes, NULL, NULL, o->run_of_load, err) : TACIT_OK;
    o->rows.len = 0;
    return status;
}

/* A text in quotes, each doubled within: all that the engines of the table below ask for. */
static void add_literal(tacit__strbuf *rows, tacit_strview cell)
{
    if (!cell.bytes) {
        tacit__strbuf_add(rows, "NULL", 4);
        return;
    }
    tacit__strbuf_add(rows, "'", 1);
    for (size_t i = 0; i < cell.len; i++)
        tacit__strbuf_add(rows, cell.bytes[i] == '\'' ? "''" : cell.bytes + i,
                          cell.bytes[i] == '\'' ? 2 : 1);
    tacit__strbuf_add(rows, "'", 1);
}

static tacit_status insert_row(void *connection, const tacit_strview *cells, int32_t count,
                               tacit_error *err)
{
    odbc *o = connection;
    tacit_status status = TACIT_OK;
    tacit__strbuf_text(&o->rows, o->rows.len ? ", (" : o->insert);
    if (o->rows.len == strlen(o->insert))
        tacit__strbuf_text(&o->rows, "(");
    for (int32_t i = 0; i < count && status == TACIT_OK; i++) {
        if (cells[i].bytes && memchr(cells[i].bytes, '\0', cells[i].len))
            status = tacit__error(err, TACIT_INVALID,
                                  "a text has a byte 0 in it, which ODBC cannot "
                                  "load");
        tacit__strbuf_add(&o->rows, ", ", i ? 2 : 0);
        add_literal(&o->rows, cells[i]);
    }
    tacit__strbuf_text(&o->rows, ")");
    if (status == TACIT_OK && (o->rows.len >= SEND_TEXT || o->rows.failed))
        status = send_inserts(o, err);
    o->failed = status != TACIT_OK;
    return status;
}

static tacit_status end_insert(void *connection, const tacit_run *run, tacit_error *err)
{
    odbc *o = connection;
    (void)run;
    tacit_status status = o->failed ? TACIT_OK : send_inserts(o, err);
    o->failed = false;
    return status;
}

/* ---- engines ---- */

/* MariaDB: what makes and drops tables commits there, so there are no transactions to speak of, and
 * the data are held in a copy. Texts are compared byte by byte, blanks at the end too. Tables of
 * the run have no index: they are joined by hashing. */
static const tacit_driver mariadb = {
    .dialect = {.row_key = "`tacit key`",
                .differ = "<>",
                .cell = "COALESCE(CONCAT('v', HEX(",
                .cell_end = ")), 'n')",
                .draw = "ROW_NUMBER() OVER (ORDER BY y.class, y.chance)",
                .create_own = "CREATE TABLE",
                .text_type = "VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin",
                .number_type = "BIGINT",
                .windows = true,
                .unique = " PRIMARY KEY",
                .present = " NOT NULL",
                .storage = "",
                .hash = "SUM(CAST(CONV(LEFT(SHA2(CONCAT_WS(',', ",
                .hash_end = "), 256), 15), 16, 10) AS DECIMAL(30)))"},
    .quote = '`',
    .in_text = "CONVERT(",
    .as_text = " USING utf8mb4) COLLATE utf8mb4_nopad_bin",
    .number = "ROW_NUMBER() OVER ()",
    .random = "SHA2(CONCAT(%v, RAND(), UUID()), 256)",
    .columns_of = "SHOW COLUMNS FROM %p",
    .begin = "SET sql_mode = 'NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES', "
             "collation_connection = 'utf8mb4_nopad_bin', time_zone = '+00:00', "
             "max_statement_time = 0, join_cache_level = 4, join_buffer_size = 67108864, "
             "join_buffer_space_limit = 268435456, optimizer_switch = 'join_cache_hashed=on'",
    .drop = "DROP TABLE IF EXISTS %p",
    .rename = "RENAME TABLE %p TO %p",
    .exists = "SELECT COUNT(*) FROM information_schema.tables WHERE %q IN "
              "(CONCAT('`', REPLACE(table_schema, '`', '``'), '`.`', REPLACE(table_name, '`', "
              "'``'), '`'), IF(table_schema = DATABASE(), CONCAT('`', REPLACE(table_name, '`', "
              "'``'), '`'), NULL))",
    .exchange = "RENAME TABLE %p TO %p, %p TO %p",
    .leftovers = "SELECT table_name FROM information_schema.tables WHERE table_name LIKE %v AND "
                 "table_schema = IF(%v = '', DATABASE(), %v)",
};

extern const tacit_driver tacit__driver_postgres;

/* What a driver calls the database that it is connected to. */
static const struct {
    const char *database;
    const tacit_driver *words;
} DATABASES[] = {{"PostgreSQL", &tacit__driver_postgres}, {"MariaDB", &mariadb}};

/* The words of the database, with what is done by ODBC. */
static tacit_status choose_words(void *connection, const tacit_driver **out, tacit_error *err)
{
    odbc *o = connection;
    char name[100] = "";
    SQLSMALLINT len = 0;
    o->lib.SQLGetInfo(o->session, SQL_DBMS_NAME, name, sizeof name, &len);
    for (size_t i = 0; i < sizeof DATABASES / sizeof *DATABASES; i++)
        if (strcasecmp(name, DATABASES[i].database) == 0) {
            const tacit_driver *by_odbc = *out;
            o->words = *DATABASES[i].words;
            o->words.name = DATABASES[i].database;
            o->words.schemes = by_odbc->schemes;
            o->words.connect = by_odbc->connect;
            o->words.close = by_odbc->close;
            o->words.query = by_odbc->query;
            o->words.load_begin = by_odbc->load_begin;
            o->words.load_row = by_odbc->load_row;
            o->words.load_end = by_odbc->load_end;
            o->words.shards = NULL;
            *out = &o->words;
            return TACIT_OK;
        }
    return tacit__error(err, TACIT_INVALID,
                        "releases inside %.60s by ODBC have not been tried; export the rows",
                        *name ? name : "that database");
}

const tacit_driver tacit__driver_odbc = {
    .name = "ODBC",
    .schemes = "odbc:",
    .connect = connect_odbc,
    .close = close_odbc,
    .choose = choose_words,
    .query = query_odbc,
    .load_begin = begin_insert,
    .load_row = insert_row,
    .load_end = end_insert,
};
