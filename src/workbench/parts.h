/*
 * parts.h - what the files of the workbench know of each other.
 *
 *   server.c   requests in, replies out; who may ask at all
 *   routes.c   the table of what can be asked for
 *   assets.c   the page: the files of web/
 *   project.c  a folder with a policy, settings and every step to them; which paths may be used
 *   policy.c   a policy as JSON
 *   data.c     tables that are looked at: columns, windows of rows
 *   jobs.c     jobs of the library in threads of their own; job_routes.c: what the page asks of
 * them
 */
#ifndef TACIT_WORKBENCH_PARTS_H
#define TACIT_WORKBENCH_PARTS_H

#include <jansson.h>
#include <microhttpd.h>
#include <pthread.h>

#include "workbench/workbench.h"

enum {
    WORKBENCH_MAX_BODY = 4 << 20, /* bytes of a request */
    WORKBENCH_MAX_CONNECTIONS = 256,
    WORKBENCH_MAX_JOBS = 16,    /* kept, with what they found */
    WORKBENCH_MAX_TABLES = 4,   /* kept open */
    WORKBENCH_MAX_WINDOW = 500, /* rows of an answer */
    WORKBENCH_MAX_PATH = 4096,
};

typedef struct workbench_project workbench_project;
typedef struct workbench_tables workbench_tables;
typedef struct workbench_jobs workbench_jobs;

struct workbench {
    struct MHD_Daemon *daemon;
    int port;
    char token[65];  /* of the address */
    char cookie[65]; /* what the page has in its place */
    char url[160];
    workbench_project *project;
    workbench_tables *tables;
    workbench_jobs *jobs;
};

/* ---- a request ---- */

typedef struct workbench_request {
    workbench *bench;
    struct MHD_Connection *connection;
    const char *rest; /* of the path, behind that of the route */
    char *body;
    size_t len, capacity;
    bool too_long;
    json_t *json; /* of the body; NULL: there was none */
} workbench_request;

typedef enum MHD_Result workbench_answer;

/* An answer takes the JSON. */
workbench_answer workbench_reply(workbench_request *request, unsigned status, json_t *json);
workbench_answer workbench_refuse(workbench_request *request, unsigned status, const char *format,
                                  ...) __attribute__((format(printf, 3, 4)));
workbench_answer workbench_fail(workbench_request *request, tacit_status status,
                                const tacit_error *err);
/* Queues a response of any type with what every answer says besides, and lets go of it. */
workbench_answer workbench_queue(workbench_request *request, unsigned status, const char *type,
                                 const char *policy, struct MHD_Response *response);

/* A text of the request's JSON; NULL: there is none of that name. */
const char *workbench_text(const workbench_request *request, const char *name);
int64_t workbench_number(const workbench_request *request, const char *name, int64_t otherwise);

/* ---- what is asked for ---- */

typedef struct workbench_route {
    const char *method, *path; /* a path that ends in / takes a rest */
    workbench_answer (*answer)(workbench_request *request);
} workbench_route;

/* Ends in a line without a method. */
extern const workbench_route workbench_routes[];

workbench_answer workbench_asset(workbench_request *request, const char *path);

/* ---- the project ---- */

tacit_status workbench_project_open(workbench_project **out, const char *place, tacit_error *err);
void workbench_project_free(workbench_project *project);
const char *workbench_project_folder(const workbench_project *project);
/* Makes its folder, if it is not there. */
tacit_status workbench_project_make(const workbench_project *project, tacit_error *err);
/* Whether a path, from the project's base folder where it is relative, stays below the folders that
 * the workbench was started with, whatever links there are. */
bool workbench_may_use(const workbench_project *project, const char *path);
/* The same of every path in a text such as "branch=codes/branches.csv,2". */
bool workbench_may_use_all(const workbench_project *project, const char *text);
/* Whether it names a table of a database server, and so no file. */
bool workbench_is_database(const char *path);

workbench_answer workbench_get_project(workbench_request *request);
workbench_answer workbench_add_step(workbench_request *request);
workbench_answer workbench_go_to_step(workbench_request *request);
workbench_answer workbench_list_files(workbench_request *request);

/* A policy, or any YAML of bounded depth, as JSON whose scalars are texts. */
tacit_status workbench_policy_json(json_t **out, const char *yaml, tacit_error *err);

/* ---- data ---- */

workbench_tables *workbench_tables_new(void);
void workbench_tables_free(workbench_tables *tables);
workbench_answer workbench_get_columns(workbench_request *request);
workbench_answer workbench_get_rows(workbench_request *request);

/* ---- jobs ---- */

tacit_status workbench_jobs_start(workbench_jobs **out, tacit_error *err);
void workbench_jobs_stop(workbench_jobs *jobs); /* ends its threads, and what waits for them */
void workbench_jobs_free(workbench_jobs *jobs);
workbench_answer workbench_get_kinds(workbench_request *request);
workbench_answer workbench_add_job(workbench_request *request);
workbench_answer workbench_list_jobs(workbench_request *request);
/* /api/jobs/N/WHAT: events, report, page, text. */
workbench_answer workbench_get_job(workbench_request *request);
/* /api/jobs/N/WHAT: cancel, commit, forget. */
workbench_answer workbench_change_job(workbench_request *request);

#endif
