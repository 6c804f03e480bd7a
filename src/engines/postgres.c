/*
 * postgres.c - PostgreSQL, and what speaks its protocol, by libpq, which is loaded when a place of
 * PostgreSQL is first named: who has no database needs no library of one.
 *
 * Everything happens in one transaction that sees one state of the data (repeatable read): the
 * tables of the run, the release and its publication. So whatever ends the run, at any moment, the
 * database has the old table or the new one, and nothing besides. Answers come row by row; waiting
 * for them can be cancelled, which is told to the server. What the server says went wrong can hold
 * values of the data: only its five-letter code is shown, in words, and its own words where values
 * may be shown.
 */
#include <dlfcn.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/parallel.h"
#include "engines/engines.h"
#include "engines/tsv.h"

#define FUNCTIONS(each)                                                                        \
    each(PQconnectStart) each(PQconnectPoll) each(PQsocket) each(PQstatus) each(PQfinish)      \
        each(PQerrorMessage) each(PQsendQuery) each(PQsetSingleRowMode) each(PQgetResult)      \
            each(PQresultStatus) each(PQresultErrorField) each(PQntuples) each(PQnfields)      \
                each(PQgetvalue) each(PQgetlength) each(PQgetisnull) each(PQclear)             \
                    each(PQconsumeInput) each(PQisBusy) each(PQputCopyData) each(PQputCopyEnd) \
                        each(PQgetCancel) each(PQcancel) each(PQfreeCancel)                    \
                            each(PQsetNoticeProcessor) each(PQexec)

#define MEMBER(name) __typeof__(name) *name;
typedef struct libpq {
    void *library;
    FUNCTIONS(MEMBER)
} libpq;
#undef MEMBER

typedef struct postgres {
    libpq pq;
    PGconn *session;
    tacit__strbuf rows; /* of a load, not sent yet */
    bool loading;
} postgres;

static tacit_status load_library(libpq *pq, tacit_error *err)
{
    pq->library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!pq->library)
        return tacit__error(err, TACIT_INVALID,
                            "PostgreSQL needs its library libpq.so.5, which is not installed; on "
                            "Debian it is in the package libpq5");
    bool whole = true;
#define FIND(name)                                                       \
    pq->name = (__typeof__(name) *)(uintptr_t)dlsym(pq->library, #name); \
    whole = whole && pq->name;
    FUNCTIONS(FIND)
#undef FIND
    return whole ? TACIT_OK : tacit__error(err, TACIT_INVALID, "libpq.so.5 is too old");
}

/* ---- what went wrong ---- */

static const struct {
    const char *code; /* or how it starts */
    tacit_status status;
    const char *words;
} CODES[] = {
    {"42501", TACIT_INVALID, "this user has not the right to do that"},
    {"42P01", TACIT_INVALID, "there is no such table"},
    {"3F000", TACIT_INVALID, "there is no such schema"},
    {"3D000", TACIT_INVALID, "there is no such database"},
    {"28", TACIT_INVALID, "the server does not let this user in"},
    {"53100", TACIT_IO, "the server's disk is full"},
    {"53", TACIT_LIMIT, "the server has run out of memory, connections or disk"},
    {"57014", TACIT_CANCELLED, "the statement was cancelled"},
    {"57", TACIT_IO, "the server is shutting down"},
    {"08", TACIT_IO, "the connection was lost"},
    {"40", TACIT_IO, "the data changed under the run"},
    {"2BP01", TACIT_INVALID,
     "other objects, such as views, depend on the table that the release "
     "is to take the place of: drop them, or name another table"},
    {"25006", TACIT_INVALID, "the database takes no changes (read only)"},
};

static tacit_status refused(const postgres *p, const PGresult *result, tacit_error *err)
{
    const char *code = p->pq.PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *message = p->pq.PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    tacit_status status = TACIT_IO;
    const char *words = "the statement failed";
    for (size_t i = 0; code && i < sizeof CODES / sizeof *CODES; i++)
        if (strncmp(code, CODES[i].code, strlen(CODES[i].code)) == 0) {
            status = CODES[i].status;
            words = CODES[i].words;
            break;
        }
    bool shown = message && err && err->show_values;
    return tacit__error(err, status, "PostgreSQL: %s (%s)%s%.300s", words, code ? code : "no code",
                        shown ? ": " : "", shown ? message : "");
}

/* Without a result the connection is what failed. */
static tacit_status lost(const postgres *p, const char *doing, tacit_error *err)
{
    if (p->pq.PQstatus(p->session) == CONNECTION_BAD)
        return tacit__error(err, TACIT_IO, "PostgreSQL: the connection was lost while %s", doing);
    return tacit__error(err, TACIT_IO, "PostgreSQL: %s failed", doing);
}

/* ---- waiting ---- */

/* Waits for the socket, and asks from time to time whether to go on. */
static tacit_status await(const postgres *p, short events, const tacit_run *run, tacit_error *err)
{
    enum { PATIENCE = 50 }; /* milliseconds */
    struct pollfd what = {.fd = p->pq.PQsocket(p->session), .events = events};
    int ready = 0;
    while (ready == 0) {
        tacit_status status = tacit__progress(run, "database", 0, 0, err);
        if (status != TACIT_OK)
            return status;
        ready = poll(&what, 1, PATIENCE);
    }
    return TACIT_OK;
}

/* Tells the server that nobody waits for the answer. */
static void cancel(const postgres *p)
{
    char why[256];
    PGcancel *handle = p->pq.PQgetCancel(p->session);
    if (handle)
        p->pq.PQcancel(handle, why, sizeof why);
    p->pq.PQfreeCancel(handle);
}

static void ignore_notice(void *context, const char *message)
{
    (void)context, (void)message;
}

/* ---- connecting ---- */

static void close_postgres(void *connection)
{
    postgres *p = connection;
    if (p->session)
        p->pq.PQfinish(p->session);
    tacit__strbuf_clear(&p->rows);
    if (p->pq.library)
        dlclose(p->pq.library);
    tacit__free(p);
}

/* What libpq says of a connection that failed has no data in it, only how it was tried. */
static tacit_status connect_failed(const postgres *p, tacit_error *err)
{
    char first[300];
    const char *message = p->session ? p->pq.PQerrorMessage(p->session) : "";
    size_t len = strcspn(message, "\n");
    len = len < sizeof first ? len : sizeof first - 1;
    memcpy(first, message, len);
    first[len] = '\0';
    return tacit__error(err, TACIT_IO, "PostgreSQL: no connection: %s", first);
}

static tacit_status finish_connecting(postgres *p, const tacit_run *run, tacit_error *err)
{
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && next != PGRES_POLLING_OK) {
        if (next == PGRES_POLLING_FAILED)
            return connect_failed(p, err);
        status = await(p, next == PGRES_POLLING_READING ? POLLIN : POLLOUT, run, err);
        if (status == TACIT_OK)
            next = p->pq.PQconnectPoll(p->session);
    }
    return status;
}

static tacit_status connect_postgres(void **connection, const char *server, const tacit_run *run,
                                     tacit_error *err)
{
    postgres *p = tacit__alloc_zeroed(1, sizeof *p);
    if (!p)
        return tacit__nomem(err);
    tacit_status status = load_library(&p->pq, err);
    if (status == TACIT_OK) {
        p->session = p->pq.PQconnectStart(server);
        if (!p->session || p->pq.PQstatus(p->session) == CONNECTION_BAD)
            status = connect_failed(p, err);
    }
    if (status == TACIT_OK) {
        p->pq.PQsetNoticeProcessor(p->session, ignore_notice, NULL);
        status = finish_connecting(p, run, err);
    }
    if (status == TACIT_OK)
        *connection = p;
    else
        close_postgres(p);
    return status;
}

/* ---- asking ---- */

enum { MAX_CELLS = 4096 };

static tacit_status hand_on(const postgres *p, const PGresult *result, tacit_strview *cells,
                            tacit_engine_row_fn row, void *context, tacit_error *err)
{
    int count = p->pq.PQnfields(result), rows = p->pq.PQntuples(result);
    tacit_status status = TACIT_OK;
    if (count > MAX_CELLS)
        return tacit__error(err, TACIT_LIMIT, "%d columns; at most %d are read", count,
                            (int)MAX_CELLS);
    for (int r = 0; r < rows && row && status == TACIT_OK; r++) {
        for (int i = 0; i < count; i++) {
            cells[i] = (tacit_strview){p->pq.PQgetvalue(result, r, i),
                                       (size_t)p->pq.PQgetlength(result, r, i)};
            if (p->pq.PQgetisnull(result, r, i))
                cells[i] = (tacit_strview){NULL, 0};
        }
        status = row(context, cells, count, err);
    }
    return status;
}

/* The next result, once it is there; NULL: there are no more. */
static tacit_status next_result(PGresult **out, const postgres *p, const tacit_run *run,
                                tacit_error *err)
{
    tacit_status status = TACIT_OK;
    while (p->pq.PQisBusy(p->session) && status == TACIT_OK) {
        status = await(p, POLLIN, run, err);
        if (status == TACIT_OK && !p->pq.PQconsumeInput(p->session))
            status = lost(p, "waiting for an answer", err);
    }
    *out = status == TACIT_OK ? p->pq.PQgetResult(p->session) : NULL;
    return status;
}

/* Answers that nobody wants. A COPY that was begun has to be ended, and of a connection that is
 * lost libpq says forever that it copies. */
static void drain(const postgres *p)
{
    for (PGresult *result; (result = p->pq.PQgetResult(p->session));) {
        bool copying = p->pq.PQresultStatus(result) == PGRES_COPY_IN;
        p->pq.PQclear(result);
        if (p->pq.PQstatus(p->session) == CONNECTION_BAD ||
            (copying && p->pq.PQputCopyEnd(p->session, "stopped") != 1))
            break;
    }
}

static tacit_status take_results(postgres *p, tacit_engine_row_fn row, void *context,
                                 const tacit_run *run, tacit_error *err)
{
    tacit_strview *cells = tacit__alloc_array(MAX_CELLS, sizeof *cells);
    tacit_status status = cells ? TACIT_OK : tacit__nomem(err);
    bool copying = false;
    while (status == TACIT_OK && !copying) {
        PGresult *result = NULL;
        status = next_result(&result, p, run, err);
        if (!result)
            break;
        ExecStatusType what = p->pq.PQresultStatus(result);
        copying = what == PGRES_COPY_IN; /* rows are waited for */
        if (what == PGRES_SINGLE_TUPLE || what == PGRES_TUPLES_OK)
            status = hand_on(p, result, cells, row, context, err);
        else if (what != PGRES_COMMAND_OK && !copying)
            status = refused(p, result, err);
        p->pq.PQclear(result);
    }
    tacit__free(cells);
    return status;
}

static tacit_status query_postgres(void *connection, const char *sql, tacit_engine_row_fn row,
                                   void *context, const tacit_run *run, tacit_error *err)
{
    postgres *p = connection;
    if (!p->pq.PQsendQuery(p->session, sql))
        return lost(p, "a statement was sent", err);
    if (row)
        p->pq.PQsetSingleRowMode(p->session);
    tacit_status status = take_results(p, row, context, run, err);
    if (status != TACIT_OK) {
        cancel(p);
        drain(p);
    }
    return status;
}

/* ---- loading ---- */

enum { SEND = 1 << 16 };

static tacit_status load_begin(void *connection, tacit_place_name table, const char *quoted,
                               const tacit_run *run, tacit_error *err)
{
    postgres *p = connection;
    (void)table;
    tacit__strbuf sql = {0};
    tacit__strbuf_format(&sql, "COPY %s FROM STDIN", quoted);
    tacit_status status =
        sql.failed ? tacit__nomem(err) : query_postgres(p, sql.bytes, NULL, NULL, run, err);
    p->loading = status == TACIT_OK;
    tacit__strbuf_clear(&sql);
    return status;
}

static tacit_status send_rows(postgres *p, tacit_error *err)
{
    if (p->rows.failed)
        return tacit__nomem(err);
    if (p->rows.len && p->pq.PQputCopyData(p->session, p->rows.bytes, (int)p->rows.len) != 1)
        return lost(p, "rows were loaded", err);
    p->rows.len = 0;
    return TACIT_OK;
}

static tacit_status load_row(void *connection, const tacit_strview *cells, int32_t count,
                             tacit_error *err)
{
    postgres *p = connection;
    tacit__tsv_add_row(&p->rows, cells, count);
    return p->rows.len >= SEND || p->rows.failed ? send_rows(p, err) : TACIT_OK;
}

static tacit_status load_end(void *connection, const tacit_run *run, tacit_error *err)
{
    postgres *p = connection;
    if (!p->loading)
        return TACIT_OK;
    tacit_status status = send_rows(p, err);
    p->loading = false;
    if (p->pq.PQputCopyEnd(p->session, status == TACIT_OK ? NULL : "stopped") != 1)
        return status == TACIT_OK ? lost(p, "rows were loaded", err) : status;
    tacit_status end = take_results(p, NULL, NULL, run, err);
    return status == TACIT_OK ? end : status;
}

const tacit_driver tacit__driver_postgres = {
    .name = "PostgreSQL",
    .schemes = "postgresql:// postgres://",
    .dialect = {.row_key = "ctid",
                .differ = "IS DISTINCT FROM",
                .cell = "",
                .cell_end = "",
                .draw = "ROW_NUMBER() OVER (ORDER BY y.class, y.chance)",
                .text_type = "text COLLATE \"C\"",
                .create_own = "CREATE TABLE",
                .number_type = "bigint",
                .windows = true,
                .unique = " PRIMARY KEY",
                .present = " NOT NULL",
                .storage = "",
                .analyze = "ANALYZE %p",
                .hash = "SUM(CAST(hashtextextended(CAST(ROW(",
                .hash_end = ") AS text), 0) AS numeric))"},
    .quote = '"',
    .in_text = "CAST(",
    .as_text = " AS text) COLLATE \"C\"",
    .own = "pg_temp",
    .random = "random()",
    .connect = connect_postgres,
    .close = close_postgres,
    .query = query_postgres,
    .load_begin = load_begin,
    .load_row = load_row,
    .load_end = load_end,
    .columns_of = "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute "
                  "WHERE attrelid = to_regclass(%q) AND attnum > 0 AND NOT attisdropped "
                  "ORDER BY attnum",
    .shards = &tacit__postgres_shards,
    .same_table = "SELECT CASE WHEN to_regclass(%q) = to_regclass(%q) THEN 1 ELSE 0 END",
    .begin = "BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL datestyle = 'ISO, YMD'; "
             "SET LOCAL intervalstyle = 'iso_8601'; SET LOCAL timezone = 'UTC'; "
             "SET LOCAL client_encoding = 'UTF8'; SET LOCAL standard_conforming_strings = on; "
             "SET LOCAL synchronous_commit = on",
    .commit = "COMMIT",
    .drop = "DROP TABLE IF EXISTS %p",
    .rename = "ALTER TABLE %p RENAME TO %b",
};
