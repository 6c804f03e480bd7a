/*
 * clickhouse.c - ClickHouse over its HTTP interface, by libcurl, which is loaded when a place of
 * ClickHouse is first named.
 *
 * There are no transactions, and rows have no key: the data are copied once with a number for each
 * row (tacit_engine_hold), tables of the run stand beside the target and say whose they are, and
 * the release takes the place of its target by one RENAME. The server keeps back each answer until
 * it is whole (wait_end_of_query), so that what comes is not cut short by a failure. Statements
 * join one table at a time, as old servers want it. What the server says went wrong can hold values
 * of the data: only its number is shown, in words, and its own words where values may be shown.
 *
 * The user is that of the place, or CLICKHOUSE_USER; the password is CLICKHOUSE_PASSWORD. With
 * secure=1 in the place all goes over TLS. Nothing is sent through proxies or to where a server
 * refers to.
 */
#define CURL_DISABLE_TYPECHECK /* its functions are members here, not macros */
#include <curl/curl.h>
#include <dlfcn.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/parallel.h"
#include "engines/engines.h"
#include "engines/tsv.h"

#define CURL_FUNCTIONS(each)                                                                   \
    each(curl_global_init) each(curl_easy_init) each(curl_easy_setopt) each(curl_easy_perform) \
        each(curl_easy_getinfo) each(curl_easy_cleanup) each(curl_easy_strerror)               \
            each(curl_slist_append) each(curl_slist_free_all)

#define CURL_MEMBER(name) __typeof__(name) *name;
typedef struct libcurl {
    CURL_FUNCTIONS(CURL_MEMBER)
} libcurl;
#undef CURL_MEMBER

typedef struct clickhouse {
    libcurl curl;
    CURL *session;
    struct curl_slist *headers;
    char *url; /* with the settings */
    char run[33];
    int64_t statements;
    tacit__strbuf rows; /* of a load: the statement, and the rows that were not sent yet */
    size_t insert;      /* the length of the statement */
    bool loading;
    const tacit_run *run_of_load;
} clickhouse;

/* Stays loaded: what it is linked with cannot be unloaded. */
static tacit_status load_curl(libcurl *curl, tacit_error *err)
{
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library)
        return tacit__error(err, TACIT_INVALID,
                            "ClickHouse needs the library libcurl.so.4, which is not installed; on "
                            "Debian it is in the package libcurl4");
    bool whole = true;
#define CURL_FIND(name)                                                \
    curl->name = (__typeof__(name) *)(uintptr_t)dlsym(library, #name); \
    whole = whole && curl->name;
    CURL_FUNCTIONS(CURL_FIND)
#undef CURL_FIND
    dlclose(library);
    if (!whole || curl->curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return tacit__error(err, TACIT_INVALID, "libcurl.so.4 cannot be used");
    return TACIT_OK;
}

/* ---- what went wrong ---- */

static const struct {
    int code;
    tacit_status status;
    const char *words;
} FAILURES[] = {
    {60, TACIT_INVALID, "there is no such table"},
    {81, TACIT_INVALID, "there is no such database"},
    {57, TACIT_INVALID, "there is such a table already"},
    {164, TACIT_INVALID, "this user has not the right to do that (read only)"},
    {291, TACIT_INVALID, "this user has not the right to that database"},
    {497, TACIT_INVALID, "this user has not the right to do that"},
    {192, TACIT_INVALID, "the server does not let this user in"},
    {193, TACIT_INVALID, "the server does not let this user in"},
    {194, TACIT_INVALID, "the server does not let this user in"},
    {195, TACIT_INVALID, "the server does not let this user in"},
    {516, TACIT_INVALID, "the server does not let this user in"},
    {243, TACIT_IO, "the server's disk is full"},
    {241, TACIT_LIMIT, "the server has run out of memory for the statement"},
    {202, TACIT_LIMIT, "the server runs too many statements"},
    {159, TACIT_LIMIT, "the statement took longer than the server allows"},
    {394, TACIT_CANCELLED, "the statement was cancelled"},
    {236, TACIT_IO, "the server is shutting down"},
    {209, TACIT_IO, "a server could not be reached"},
    {210, TACIT_IO, "a server could not be reached"},
    {279, TACIT_IO, "no server of a shard could be reached"},
};

static tacit_status clickhouse_refused(const char *body, tacit_error *err)
{
    const char *said = strstr(body, "Code: ");
    int code = said ? (int)strtol(said + 6, NULL, 10) : 0;
    tacit_status status = TACIT_IO;
    const char *words = "the statement failed";
    for (size_t i = 0; i < sizeof FAILURES / sizeof *FAILURES; i++)
        if (FAILURES[i].code == code) {
            status = FAILURES[i].status;
            words = FAILURES[i].words;
        }
    bool shown = err && err->show_values;
    return tacit__error(err, status, "ClickHouse: %s (%d)%s%.400s", words, code, shown ? ": " : "",
                        shown ? body : "");
}

/* ---- asking ---- */

/* A statement on its way, and what becomes of its answer. */
typedef struct sending {
    clickhouse *c;
    tacit__tsv tsv;
    char refusal[1024]; /* what the server says in place of an answer */
    size_t refusal_len;
    tacit_engine_row_fn row;
    void *context;
    const tacit_run *run;
    tacit_error *err;
    tacit_status status;
} sending;

static void keep_refusal(sending *x, const char *bytes, size_t len)
{
    size_t space = sizeof x->refusal - 1 - x->refusal_len;
    len = len < space ? len : space;
    memcpy(x->refusal + x->refusal_len, bytes, len);
    x->refusal_len += len;
}

static size_t take_answer(char *bytes, size_t one, size_t len, void *payload)
{
    sending *x = payload;
    long code = 0;
    x->c->curl.curl_easy_getinfo(x->c->session, CURLINFO_RESPONSE_CODE, &code);
    if (code != 200)
        keep_refusal(x, bytes, one * len);
    else if (x->row && x->status == TACIT_OK)
        x->status = tacit__tsv_read(&x->tsv, bytes, one * len, x->row, x->context, x->err);
    return x->status == TACIT_OK ? one * len : 0;
}

/* libcurl asks every now and then; anything but 0 stops it. */
static int ask_to_go_on(void *payload, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    sending *x = payload;
    (void)a, (void)b, (void)c, (void)d;
    if (x->status == TACIT_OK)
        x->status = tacit__progress(x->run, "database", 0, 0, x->err);
    return x->status != TACIT_OK;
}

static tacit_status not_reached(const clickhouse *c, CURLcode code, tacit_error *err)
{
    const char *what = code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST ||
                               code == CURLE_SSL_CONNECT_ERROR ||
                               code == CURLE_PEER_FAILED_VERIFICATION
                           ? "no connection"
                           : "the connection was lost";
    return tacit__error(err, TACIT_IO, "ClickHouse: %s: %s", what,
                        c->curl.curl_easy_strerror(code));
}

static tacit_status judge_answer(sending *x, CURLcode code)
{
    clickhouse *c = x->c;
    long http = 0;
    c->curl.curl_easy_getinfo(c->session, CURLINFO_RESPONSE_CODE, &http);
    if (x->status != TACIT_OK)
        return x->status;
    if (code != CURLE_OK)
        return not_reached(c, code, x->err);
    if (http != 200)
        return clickhouse_refused(x->refusal, x->err);
    if (!tacit__tsv_ended(&x->tsv))
        return tacit__error(x->err, TACIT_IO, "ClickHouse: an answer was cut short");
    return TACIT_OK;
}

static CURLcode send_text(clickhouse *c, sending *x, const char *text, size_t len)
{
    tacit__strbuf url = {0};
    tacit__strbuf_format(&url, "%s&query_id=tacit-%s-%lld", c->url, c->run,
                         (long long)++c->statements);
    if (url.failed)
        return CURLE_OUT_OF_MEMORY;
    c->curl.curl_easy_setopt(c->session, CURLOPT_URL, url.bytes);
    c->curl.curl_easy_setopt(c->session, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)len);
    c->curl.curl_easy_setopt(c->session, CURLOPT_POSTFIELDS, text);
    c->curl.curl_easy_setopt(c->session, CURLOPT_WRITEDATA, x);
    c->curl.curl_easy_setopt(c->session, CURLOPT_XFERINFODATA, x);
    CURLcode code = c->curl.curl_easy_perform(c->session);
    tacit__strbuf_clear(&url);
    return code;
}

/* Tells the server that nobody waits for the last statement's answer. */
static void stop_statement(clickhouse *c)
{
    char sql[128];
    sending x = {.c = c};
    int len = snprintf(sql, sizeof sql, "KILL QUERY WHERE query_id = 'tacit-%s-%lld' ASYNC", c->run,
                       (long long)c->statements);
    c->curl.curl_easy_setopt(c->session, CURLOPT_TIMEOUT, 5L);
    send_text(c, &x, sql, (size_t)len);
    c->curl.curl_easy_setopt(c->session, CURLOPT_TIMEOUT, 0L);
}

static tacit_status ask(clickhouse *c, const char *text, size_t len, tacit_engine_row_fn row,
                        void *context, const tacit_run *run, tacit_error *err)
{
    sending x = {.c = c, .row = row, .context = context, .run = run, .err = err};
    tacit_status status = judge_answer(&x, send_text(c, &x, text, len));
    if (x.status != TACIT_OK)
        stop_statement(c);
    tacit__tsv_clear(&x.tsv);
    return status;
}

static tacit_status query_clickhouse(void *connection, const char *sql, tacit_engine_row_fn row,
                                     void *context, const tacit_run *run, tacit_error *err)
{
    return ask(connection, sql, strlen(sql), row, context, run, err);
}

/* ---- connecting ---- */

static void close_clickhouse(void *connection)
{
    clickhouse *c = connection;
    if (c->session)
        c->curl.curl_easy_cleanup(c->session);
    if (c->headers)
        c->curl.curl_slist_free_all(c->headers);
    tacit__strbuf_clear(&c->rows);
    tacit__free(c->url);
    tacit__free(c);
}

/* Joins see nulls, answers are whole, counts are exact, and what does not fit into memory goes to
 * the server's disk. */
static const char SETTINGS[] =
    "wait_end_of_query=1&default_format=TabSeparated&join_use_nulls=1"
    "&count_distinct_implementation=uniqExact&max_query_size=16777216"
    "&max_bytes_before_external_group_by=2000000000&max_bytes_before_external_sort=2000000000"
    "&max_execution_time=0&allow_experimental_low_cardinality_type=1"
    "&group_by_overflow_mode=throw&join_overflow_mode=throw&read_overflow_mode=throw"
    "&result_overflow_mode=throw&distinct_overflow_mode=throw&extremes=0";

/* A place taken apart: clickhouse://[user@]host[:port]/[database][?secure=1]. */
typedef struct address {
    const char *user, *host, *port, *database;
    int user_len, host_len, port_len, database_len;
    bool secure;
} address;

static bool only(const char *text, int len, const char *besides)
{
    for (int i = 0; i < len; i++)
        if (!tacit__is_alphanumeric(text[i]) && (!text[i] || !strchr(besides, text[i])))
            return false;
    return true;
}

static bool read_address(address *out, const char *server)
{
    const char *at = strstr(server, "://") + 3;
    const char *path = at + strcspn(at, "/?"), *options = path + strcspn(path, "?");
    const char *user = memchr(at, '@', (size_t)(path - at));
    const char *host = user ? user + 1 : at;
    const char *port = path;
    while (port > host && tacit__is_digit(port[-1]))
        port--;
    bool has_port = port > host && port < path && port[-1] == ':';
    *out = (address){.user = at,
                     .user_len = user ? (int)(user - at) : 0,
                     .host = host,
                     .host_len = (int)((has_port ? port - 1 : path) - host),
                     .port = port,
                     .port_len = has_port ? (int)(path - port) : 0,
                     .database = path + (*path == '/'),
                     .secure = strcmp(options, "?secure=1") == 0};
    out->database_len = (int)(options - out->database);
    return out->host_len > 0 && only(host, out->host_len, ".-_:[]") && out->port_len < 6 &&
           only(out->database, out->database_len, "._-%") &&
           only(out->user, out->user_len, "._-") && (!*options || out->secure);
}

static tacit_status make_url(clickhouse *c, const address *a, tacit_error *err)
{
    tacit__strbuf url = {0};
    tacit__strbuf_format(&url, "http%s://%.*s:%.*s/?%s", a->secure ? "s" : "", a->host_len, a->host,
                         a->port_len ? a->port_len : 4,
                         a->port_len ? a->port : (a->secure ? "8443" : "8123"), SETTINGS);
    if (a->database_len)
        tacit__strbuf_format(&url, "&database=%.*s", a->database_len, a->database);
    c->url = url.bytes;
    return url.failed ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status set_options(clickhouse *c, const address *a, tacit_error *err)
{
    __typeof__(curl_easy_setopt) *set = c->curl.curl_easy_setopt;
    const char *password = getenv("CLICKHOUSE_PASSWORD"), *user = getenv("CLICKHOUSE_USER");
    char named[128] = "";
    snprintf(named, sizeof named, "%.*s", a->user_len, a->user);
    c->headers = c->curl.curl_slist_append(NULL, "Expect:");
    bool fine = c->headers && set(c->session, CURLOPT_HTTPHEADER, c->headers) == CURLE_OK &&
                set(c->session, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
                set(c->session, CURLOPT_PROXY, "") == CURLE_OK &&
                set(c->session, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
                set(c->session, CURLOPT_CONNECTTIMEOUT, 15L) == CURLE_OK &&
                set(c->session, CURLOPT_TCP_KEEPALIVE, 1L) == CURLE_OK &&
                set(c->session, CURLOPT_NOPROGRESS, 0L) == CURLE_OK &&
                set(c->session, CURLOPT_XFERINFOFUNCTION, ask_to_go_on) == CURLE_OK &&
                set(c->session, CURLOPT_WRITEFUNCTION, take_answer) == CURLE_OK;
    if (fine && (a->user_len || user || password))
        fine = set(c->session, CURLOPT_USERNAME,
                   a->user_len ? named
                   : user      ? user
                               : "default") == CURLE_OK &&
               set(c->session, CURLOPT_PASSWORD, password ? password : "") == CURLE_OK &&
               set(c->session, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC) == CURLE_OK;
    return fine ? TACIT_OK : tacit__nomem(err);
}

static tacit_status connect_clickhouse(void **connection, const char *server, const tacit_run *run,
                                       tacit_error *err)
{
    address a;
    unsigned char number[16];
    if (!read_address(&a, server))
        return tacit__error(err, TACIT_INVALID,
                            "a table in ClickHouse is named "
                            "clickhouse://[user@]host[:port]/database?table=NAME, with &secure=1 "
                            "for TLS");
    clickhouse *c = tacit__alloc_zeroed(1, sizeof *c);
    if (!c)
        return tacit__nomem(err);
    tacit_status status = load_curl(&c->curl, err);
    if (status == TACIT_OK && (!(c->session = c->curl.curl_easy_init()) || sodium_init() < 0))
        status = tacit__nomem(err);
    if (status == TACIT_OK) {
        randombytes_buf(number, sizeof number);
        sodium_bin2hex(c->run, sizeof c->run, number, sizeof number);
        status = make_url(c, &a, err);
    }
    if (status == TACIT_OK)
        status = set_options(c, &a, err);
    if (status == TACIT_OK)
        status = query_clickhouse(c, "SELECT 1", NULL, NULL, run, err);
    if (status == TACIT_OK)
        *connection = c;
    else
        close_clickhouse(c);
    return status;
}

/* ---- loading ---- */

enum { SEND_ROWS = 1 << 22 };

static tacit_status begin_rows(void *connection, tacit_place_name table, const char *quoted,
                               const tacit_run *run, tacit_error *err)
{
    clickhouse *c = connection;
    (void)table;
    c->rows.len = 0;
    tacit__strbuf_format(&c->rows, "INSERT INTO %s FORMAT TabSeparated\n", quoted);
    c->insert = c->rows.len;
    c->loading = true;
    c->run_of_load = run;
    return c->rows.failed ? tacit__nomem(err) : TACIT_OK;
}

static tacit_status insert_rows(clickhouse *c, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (c->rows.failed)
        return tacit__nomem(err);
    if (c->rows.len > c->insert)
        status = ask(c, c->rows.bytes, c->rows.len, NULL, NULL, c->run_of_load, err);
    c->rows.len = c->insert;
    return status;
}

static tacit_status add_row(void *connection, const tacit_strview *cells, int32_t count,
                            tacit_error *err)
{
    clickhouse *c = connection;
    tacit__tsv_add_row(&c->rows, cells, count);
    tacit_status status =
        c->rows.len >= SEND_ROWS || c->rows.failed ? insert_rows(c, err) : TACIT_OK;
    c->loading = status == TACIT_OK;
    return status;
}

static tacit_status end_rows(void *connection, const tacit_run *run, tacit_error *err)
{
    clickhouse *c = connection;
    (void)run;
    tacit_status status = c->loading ? insert_rows(c, err) : TACIT_OK;
    c->loading = false;
    return status;
}

const tacit_driver tacit__driver_clickhouse = {
    .name = "ClickHouse",
    .schemes = "clickhouse://",
    .dialect = {.row_key = "\"tacit key\"",
                .differ = "<>",
                .cell = "ifNull(concat('v', ",
                .cell_end = "), 'n')",
                .draw = "rowNumberInAllBlocks() + 1",
                .create_own = "CREATE TABLE",
                .text_type = "Nullable(String)",
                .number_type = "Nullable(Int64)",
                .unique = "",
                .present = "",
                .storage = " ENGINE = MergeTree ORDER BY tuple()",
                .hash = "SUM(sipHash64(",
                .hash_end = "))"},
    .quote = '"',
    .in_text = "CAST(",
    .as_text = " AS Nullable(String))",
    .escapes_backslash = true,
    .number = "rowNumberInAllBlocks()",
    .random = "sipHash64(%v, toString(rand64()), toString(generateUUIDv4()))",
    .connect = connect_clickhouse,
    .close = close_clickhouse,
    .query = query_clickhouse,
    .load_begin = begin_rows,
    .load_row = add_row,
    .load_end = end_rows,
    .columns_of = "DESCRIBE TABLE %p",
    .rename = "RENAME TABLE %p TO %p",
    .drop = "DROP TABLE IF EXISTS %p",
    .exists = "EXISTS TABLE %p",
    .exchange = "RENAME TABLE %p TO %p, %p TO %p",
    .leftovers = "SELECT name FROM system.tables WHERE name LIKE %v AND database = "
                 "if(%v = '', currentDatabase(), %v)",
};
