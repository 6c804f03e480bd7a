/*
 * server.c - requests in, replies out, and who may ask at all.
 *
 * The server listens on 127.0.0.1 and nowhere else. A page of another site can send requests here,
 * so a request must name this address as its host (a name that was bound to 127.0.0.1 is another
 * site's), must not come from another origin, and, but for the page itself, which says nothing of
 * the data, must have the cookie. The cookie is given for the token, which stands behind the # of
 * the address and so reaches no log and no other site. Every answer forbids the browser to keep it,
 * to frame it and to load anything from elsewhere.
 *
 * A thread serves a connection; there are at most 256, each closed after a minute of silence, with
 * bodies of at most 4 MiB.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "workbench/parts.h"

static const char PAGE_POLICY[] = "default-src 'self'; object-src 'none'; base-uri 'none'; "
                                  "form-action 'none'; frame-ancestors 'none'";

/* ---- replies ---- */

static void add_headers(struct MHD_Response *response, const char *type, const char *policy)
{
    const char *const HEADERS[][2] = {
        {MHD_HTTP_HEADER_CONTENT_TYPE, type},
        {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"},
        {MHD_HTTP_HEADER_X_CONTENT_TYPE_OPTIONS, "nosniff"},
        {"Content-Security-Policy", policy ? policy : PAGE_POLICY},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
    };
    for (size_t i = 0; i < sizeof HEADERS / sizeof *HEADERS; i++)
        MHD_add_response_header(response, HEADERS[i][0], HEADERS[i][1]);
}

workbench_answer workbench_queue(workbench_request *request, unsigned status, const char *type,
                                 const char *policy, struct MHD_Response *response)
{
    if (!response)
        return MHD_NO;
    add_headers(response, type, policy);
    workbench_answer answer = MHD_queue_response(request->connection, status, response);
    MHD_destroy_response(response);
    return answer;
}

workbench_answer workbench_reply(workbench_request *request, unsigned status, json_t *json)
{
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    if (!text)
        return MHD_NO;
    return workbench_queue(
        request, status, "application/json", NULL,
        MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE));
}

workbench_answer workbench_refuse(workbench_request *request, unsigned status, const char *format,
                                  ...)
{
    char message[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return workbench_reply(request, status, json_pack("{s:s+}", "error", message, ""));
}

workbench_answer workbench_fail(workbench_request *request, tacit_status status,
                                const tacit_error *err)
{
    char message[1100];
    tacit_error_format(err, message, sizeof message);
    return workbench_refuse(request, status == TACIT_NOMEM ? 503 : 422, "%s", message);
}

const char *workbench_text(const workbench_request *request, const char *name)
{
    return json_string_value(json_object_get(request->json, name));
}

int64_t workbench_number(const workbench_request *request, const char *name, int64_t otherwise)
{
    const json_t *number = json_object_get(request->json, name);
    return json_is_integer(number) ? json_integer_value(number) : otherwise;
}

/* ---- who may ask ---- */

static const char *header(const workbench_request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

static bool is_own_host(const workbench *bench, const char *host)
{
    char own[2][32];
    snprintf(own[0], sizeof own[0], "127.0.0.1:%d", bench->port);
    snprintf(own[1], sizeof own[1], "localhost:%d", bench->port);
    return host && (strcmp(host, own[0]) == 0 || strcmp(host, own[1]) == 0);
}

/* What a browser says of where a request comes from; a program that is no browser says nothing. */
static bool is_own_origin(const workbench_request *request)
{
    const char *origin = header(request, "Origin"), *site = header(request, "Sec-Fetch-Site");
    if (origin && (strncmp(origin, "http://", 7) != 0 || !is_own_host(request->bench, origin + 7)))
        return false;
    return !site || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0;
}

static bool is_same_secret(const char *given, const char *secret)
{
    size_t len = strlen(secret);
    return given && strlen(given) == len && sodium_memcmp(given, secret, len) == 0;
}

static const char *cookie_name(const workbench *bench, char *buffer, size_t size)
{
    snprintf(buffer, size, "tacit-%d", bench->port);
    return buffer;
}

static bool is_known(const workbench_request *request)
{
    char name[32];
    const char *cookie = MHD_lookup_connection_value(
        request->connection, MHD_COOKIE_KIND, cookie_name(request->bench, name, sizeof name));
    return is_same_secret(cookie, request->bench->cookie);
}

/* The cookie, for whoever has the token. */
static workbench_answer open_session(workbench_request *request)
{
    char cookie[160], name[32];
    if (!is_same_secret(workbench_text(request, "token"), request->bench->token))
        return workbench_refuse(request, 403,
                                "this address has been replaced by a new one: open "
                                "the one that the command printed last");
    snprintf(cookie, sizeof cookie, "%s=%s; HttpOnly; SameSite=Strict; Path=/",
             cookie_name(request->bench, name, sizeof name), request->bench->cookie);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(2, (void *)"{}", MHD_RESPMEM_PERSISTENT);
    if (response)
        MHD_add_response_header(response, MHD_HTTP_HEADER_SET_COOKIE, cookie);
    return workbench_queue(request, 200, "application/json", NULL, response);
}

/* ---- requests ---- */

static bool fits(const workbench_route *route, const char *method, const char *path)
{
    size_t len = strlen(route->path);
    bool takes_rest = route->path[len - 1] == '/';
    return strcmp(route->method, method) == 0 &&
           (takes_rest ? strncmp(route->path, path, len) == 0 : strcmp(route->path, path) == 0);
}

static workbench_answer dispatch(workbench_request *request, const char *method, const char *path)
{
    bool asks_api = strncmp(path, "/api/", 5) == 0;
    if (!is_own_host(request->bench, header(request, "Host")) || !is_own_origin(request))
        return workbench_refuse(request, 403, "this workbench answers its own page only");
    if (!asks_api)
        return strcmp(method, "GET") == 0 ? workbench_asset(request, path)
                                          : workbench_refuse(request, 405, "only GET");
    if (strcmp(method, "POST") == 0) {
        const char *type = header(request, MHD_HTTP_HEADER_CONTENT_TYPE);
        if (!type || strcmp(type, "application/json") != 0)
            return workbench_refuse(request, 415, "the body has to be application/json");
        if (request->too_long)
            return workbench_refuse(request, 413, "the body is longer than 4 MiB");
        request->json = json_loadb(request->body ? request->body : "", request->len, 0, NULL);
        if (!json_is_object(request->json))
            return workbench_refuse(request, 400, "the body is no JSON object");
        if (strcmp(path, "/api/session") == 0)
            return open_session(request);
    }
    if (!is_known(request))
        return workbench_refuse(request, 401, "open the address that the command printed");
    for (const workbench_route *route = workbench_routes; route->method; route++) {
        if (!fits(route, method, path))
            continue;
        request->rest = path + strlen(route->path);
        return route->answer(request);
    }
    return workbench_refuse(request, 404, "there is nothing here");
}

static void add_body(workbench_request *request, const char *bytes, size_t len)
{
    if (request->too_long || request->len + len > WORKBENCH_MAX_BODY) {
        request->too_long = true;
        return;
    }
    if (request->len + len > request->capacity) {
        size_t capacity = 2 * (request->len + len);
        char *body = realloc(request->body, capacity);
        if (!body) {
            request->too_long = true;
            return;
        }
        request->body = body;
        request->capacity = capacity;
    }
    memcpy(request->body + request->len, bytes, len);
    request->len += len;
}

/* Called once when a request begins, then with each part of its body, then at its end. */
static enum MHD_Result take_request(void *context, struct MHD_Connection *connection,
                                    const char *path, const char *method, const char *version,
                                    const char *bytes, size_t *len, void **state)
{
    workbench_request *request = *state;
    (void)version;
    if (!request) {
        request = calloc(1, sizeof *request);
        if (!request)
            return MHD_NO;
        request->bench = context;
        request->connection = connection;
        *state = request;
        return MHD_YES;
    }
    if (*len) {
        add_body(request, bytes, *len);
        *len = 0;
        return MHD_YES;
    }
    return dispatch(request, method, path);
}

static void end_request(void *context, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode code)
{
    workbench_request *request = *state;
    (void)context;
    (void)connection;
    (void)code;
    if (!request)
        return;
    if (request->body)
        sodium_memzero(request->body, request->capacity);
    free(request->body);
    json_decref(request->json);
    free(request);
    *state = NULL;
}

/* ---- starting and stopping ---- */

static tacit_status start_failed(tacit_error *err, tacit_status status, const char *message)
{
    if (err && err->status == TACIT_OK) {
        err->status = status;
        snprintf(err->message, sizeof err->message, "%s", message);
    }
    return status;
}

static bool draw_secret(char out[65])
{
    unsigned char bytes[32];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return false;
    sodium_bin2hex(out, 65, bytes, sizeof bytes);
    return true;
}

static tacit_status listen_on(workbench *bench, int port, tacit_error *err)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bench->daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL,
        (uint16_t)port, NULL, NULL, take_request, bench, MHD_OPTION_SOCK_ADDR,
        (struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)WORKBENCH_MAX_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, 60U,
        MHD_OPTION_NOTIFY_COMPLETED, end_request, NULL, MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        bench->daemon ? MHD_get_daemon_info(bench->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (!info)
        return start_failed(
            err, TACIT_IO,
            "cannot listen on 127.0.0.1: the port is taken; name another with --port");
    bench->port = info->port;
    snprintf(bench->url, sizeof bench->url, "http://127.0.0.1:%d/#%s", bench->port, bench->token);
    return TACIT_OK;
}

tacit_status workbench_start(workbench **out, const char *place, int port, tacit_error *err)
{
    workbench *bench = calloc(1, sizeof *bench);
    if (!bench)
        return start_failed(err, TACIT_NOMEM, "out of memory");
    tacit_status status = workbench_project_open(&bench->project, place, err);
    if (status == TACIT_OK && (!draw_secret(bench->token) || !draw_secret(bench->cookie)))
        status = start_failed(err, TACIT_IO, "the operating system gives no random numbers");
    if (status == TACIT_OK && !(bench->tables = workbench_tables_new()))
        status = start_failed(err, TACIT_NOMEM, "out of memory");
    if (status == TACIT_OK)
        status = workbench_jobs_start(&bench->jobs, err);
    if (status == TACIT_OK)
        status = listen_on(bench, port, err);
    if (status != TACIT_OK) {
        workbench_stop(bench);
        return status;
    }
    *out = bench;
    return TACIT_OK;
}

const char *workbench_url(const workbench *bench)
{
    return bench->url;
}

const char *workbench_folder(const workbench *bench)
{
    return workbench_project_folder(bench->project);
}

void workbench_stop(workbench *bench)
{
    if (!bench)
        return;
    workbench_jobs_stop(bench->jobs); /* first: connections wait for their events */
    if (bench->daemon)
        MHD_stop_daemon(bench->daemon);
    workbench_jobs_free(bench->jobs);
    workbench_tables_free(bench->tables);
    workbench_project_free(bench->project);
    sodium_memzero(bench, sizeof *bench);
    free(bench);
}
