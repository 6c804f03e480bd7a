/*
 * job_routes.c - what the page asks of jobs: which kinds there are and what each can be told, a new
 * job, what one has found, its release.
 *
 * The page sends a kind, inputs and settings by name; every path among them stays below the folder
 * of the workbench. The library checks the rest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workbench/jobs.h"

enum { HEARTBEAT = 10 };

static const char *const STATES[] = {"waits", "runs",    "ready",  "commits",
                                     "done",  "refused", "failed", "cancelled"};

/* A page of the library has its looks inside it, no script, and loads nothing. */
static const char REPORT_POLICY[] =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'; sandbox";

/* ---- kinds ---- */

static json_t *describe_setting(const tacit_setting *setting)
{
    static const char *const TYPES[] = {"switch", "text",    "file", "folder",
                                        "number", "seconds", "real", "character"};
    return json_pack("{s:s, s:s, s:s*, s:s, s:b, s:b}", "name", tacit_setting_name(setting), "type",
                     TYPES[tacit_setting_type_of(setting)], "argument",
                     tacit_setting_argument(setting), "help", tacit_setting_help(setting), "policy",
                     tacit_setting_is_policy(setting), "common", tacit_setting_is_common(setting));
}

static json_t *list_choices(const char *kind)
{
    json_t *groups = json_object();
    const char *group, *name;
    for (size_t g = 0; (group = tacit_job_group(kind, g)); g++) {
        json_t *choices = json_array();
        char summary[256];
        for (size_t i = 0; (name = tacit_job_choice(kind, g, i, summary, sizeof summary)); i++)
            json_array_append_new(choices, json_pack("[s, s]", name, summary));
        json_object_set_new(groups, group, choices);
    }
    return groups;
}

static json_t *describe_kind(const char *kind)
{
    tacit_job *job = NULL;
    size_t needed = 0, taken = 0;
    const char *input = tacit_job_input_name(kind, &needed, &taken);
    if (tacit_job_new(&job, kind, NULL) != TACIT_OK)
        return NULL;
    json_t *settings = json_array();
    const tacit_setting *setting;
    for (size_t i = 0; (setting = tacit_job_setting(job, i)); i++)
        json_array_append_new(settings, describe_setting(setting));
    tacit_job_free(job);
    return json_pack("{s:s, s:s*, s:I, s:o, s:o}", "kind", kind, "input", input, "needed",
                     (json_int_t)needed, "settings", settings, "choices", list_choices(kind));
}

workbench_answer workbench_get_kinds(workbench_request *request)
{
    json_t *kinds = json_array();
    const char *kind;
    for (size_t i = 0; (kind = tacit_job_kind(i)); i++)
        json_array_append_new(kinds, describe_kind(kind));
    return workbench_reply(request, 200,
                           json_pack("{s:o, s:s}", "kinds", kinds, "version", tacit_version()));
}

/* ---- a new job ---- */

static const char OUTSIDE[] = "a path leads out of the folder that the workbench was started with";

static tacit_status setting_failed(tacit_error *err, const char *message)
{
    err->status = TACIT_INVALID;
    snprintf(err->message, sizeof err->message, "%s", message);
    return TACIT_INVALID;
}

static tacit_setting_type type_of(const tacit_job *job, const char *name)
{
    const tacit_setting *setting;
    for (size_t i = 0; (setting = tacit_job_setting(job, i)); i++)
        if (strcmp(tacit_setting_name(setting), name) == 0)
            return tacit_setting_type_of(setting);
    return TACIT_SETTING_TEXT;
}

static tacit_status set_one(workbench_request *request, tacit_job *job, const char *name,
                            const json_t *value, tacit_error *err)
{
    const workbench_project *project = request->bench->project;
    const char *text = json_string_value(value);
    if (json_is_true(value))
        return tacit_job_set(job, name, NULL, err);
    if (!text)
        return setting_failed(err, "a setting has to be a text, a list of texts, or true");
    tacit_setting_type type = type_of(job, name);
    bool is_path = type == TACIT_SETTING_FILE || type == TACIT_SETTING_FOLDER;
    if (is_path && strcmp(text, "-") == 0)
        return setting_failed(err, "name a file: the workbench has no standard streams");
    if (!workbench_is_database(text) &&
        (!workbench_may_use_all(project, text) || (is_path && !workbench_may_use(project, text))))
        return setting_failed(err, OUTSIDE);
    return tacit_job_set(job, name, text, err);
}

static tacit_status set_all(workbench_request *request, tacit_job *job, tacit_error *err)
{
    const char *name;
    json_t *value, *item;
    size_t i;
    tacit_status status = TACIT_OK;
    json_object_foreach(json_object_get(request->json, "settings"), name, value)
    {
        if (!json_is_array(value) && status == TACIT_OK)
            status = set_one(request, job, name, value, err);
        json_array_foreach(value, i, item) if (status == TACIT_OK) status =
            set_one(request, job, name, item, err);
    }
    return status;
}

static tacit_status add_inputs(workbench_request *request, tacit_job *job, tacit_error *err)
{
    const char *text = workbench_text(request, "text");
    size_t i;
    json_t *item;
    tacit_status status = text ? tacit_job_input_bytes(job, text, strlen(text), err) : TACIT_OK;
    json_array_foreach(json_object_get(request->json, "inputs"), i, item)
    {
        const char *path = json_string_value(item);
        if (status != TACIT_OK)
            break;
        if (!path || strcmp(path, "-") == 0 ||
            (!workbench_is_database(path) &&
             !workbench_may_use_all(request->bench->project, path)) ||
            (!workbench_is_database(path) && !strchr(path, '#') &&
             !workbench_may_use(request->bench->project, path)))
            status = setting_failed(err, OUTSIDE);
        else
            status = tacit_job_input_file(job, path, err);
    }
    return status;
}

static workbench_job *new_job(const char *kind)
{
    workbench_job *job = calloc(1, sizeof *job);
    if (!job)
        return NULL;
    pthread_mutex_init(&job->lock, NULL);
    job->kind = strdup(kind);
    job->messages = json_array();
    if (job->kind && job->messages)
        return job;
    workbench_job_free(job);
    return NULL;
}

workbench_answer workbench_add_job(workbench_request *request)
{
    const char *kind = workbench_text(request, "kind");
    tacit_error err = {0};
    workbench_job *job = new_job(kind ? kind : "");
    tacit_status status = job ? tacit_job_new(&job->job, kind ? kind : "", &err) : TACIT_NOMEM;
    if (status == TACIT_OK) /* what a job makes may go there */
        status = workbench_project_make(request->bench->project, &err);
    if (status == TACIT_OK)
        status = set_all(request, job->job, &err);
    if (status == TACIT_OK)
        status = add_inputs(request, job->job, &err);
    if (status == TACIT_OK)
        job->wants_commit = json_is_true(json_object_get(request->json, "commit"));
    if (status == TACIT_OK && workbench_jobs_add(request->bench->jobs, job))
        return workbench_reply(request, 201, json_pack("{s:i}", "number", job->number));
    workbench_job_free(job);
    if (status == TACIT_OK)
        return workbench_refuse(request, 429, "%d jobs are kept already: forget one",
                                WORKBENCH_MAX_JOBS);
    return workbench_fail(request, status, &err);
}

/* ---- a job's state ---- */

/* Called with the list's lock. */
static json_t *describe_job(const workbench_job *job)
{
    return json_pack("{s:i, s:s, s:s, s:s, s:I, s:I, s:O, s:s, s:b, s:b, s:f}", "number",
                     job->number, "kind", job->kind, "state", STATES[job->state], "phase",
                     job->phase, "done", (json_int_t)job->done, "total", (json_int_t)job->total,
                     "messages", job->messages, "error", job->error, "discloses", job->discloses,
                     "commits", job->wants_commit, "seconds", job->seconds);
}

workbench_answer workbench_list_jobs(workbench_request *request)
{
    workbench_jobs *jobs = request->bench->jobs;
    json_t *list = json_array();
    pthread_mutex_lock(&jobs->lock);
    for (size_t i = 0; i < jobs->count; i++)
        if (!jobs->list[i]->forgotten)
            json_array_append_new(list, describe_job(jobs->list[i]));
    pthread_mutex_unlock(&jobs->lock);
    return workbench_reply(request, 200, json_pack("{s:o}", "jobs", list));
}

/* Those who follow a job: what of an event is still to be sent. */
typedef struct follower {
    workbench_job *job;
    uint64_t seen;
    bool last;
    char *text;
    size_t len, sent;
} follower;

static void make_event(follower *f, json_t *json)
{
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    free(f->text);
    f->len = f->sent = 0;
    size_t size = text ? strlen(text) + 16 : 0;
    f->text = text ? malloc(size) : NULL;
    if (f->text)
        f->len = (size_t)snprintf(f->text, size, "data: %s\n\n", text);
    free(text);
}

/* Waits for something new; a comment now and then shows that both ends are there. */
static void next_event(follower *f)
{
    workbench_jobs *jobs = f->job->all;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += HEARTBEAT;
    pthread_mutex_lock(&jobs->lock);
    int late = 0;
    while (f->seen == f->job->version && !jobs->stopping && !late)
        late = pthread_cond_timedwait(&jobs->changed, &jobs->lock, &until);
    bool is_new = f->seen != f->job->version;
    json_t *json = is_new ? describe_job(f->job) : NULL;
    f->seen = f->job->version;
    f->last = jobs->stopping || workbench_job_is_over(f->job) ||
              (f->job->state == JOB_READY && !f->job->wants_commit);
    pthread_mutex_unlock(&jobs->lock);
    make_event(f, is_new ? json : json_object());
}

static ssize_t send_events(void *context, uint64_t at, char *buffer, size_t size)
{
    follower *f = context;
    (void)at;
    if (f->sent == f->len) {
        if (f->last)
            return MHD_CONTENT_READER_END_OF_STREAM;
        next_event(f);
        if (!f->text)
            return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    size_t len = f->len - f->sent < size ? f->len - f->sent : size;
    memcpy(buffer, f->text + f->sent, len);
    f->sent += len;
    return (ssize_t)len;
}

static void end_events(void *context)
{
    follower *f = context;
    workbench_job_let_go(f->job);
    free(f->text);
    free(f);
}

/* Takes the job. */
static workbench_answer follow(workbench_request *request, workbench_job *job)
{
    follower *f = calloc(1, sizeof *f);
    if (!f) {
        workbench_job_let_go(job);
        return MHD_NO;
    }
    f->job = job;
    return workbench_queue(
        request, 200, "text/event-stream", NULL,
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16 << 10, send_events, f, end_events));
}

/* ---- what a job has found ---- */

static tacit_status job_text(tacit_job *job, char **text, tacit_error *err)
{
    return tacit_job_text(job, false, text, err);
}

static workbench_answer send_text(workbench_request *request, workbench_job *job, const char *type,
                                  const char *policy,
                                  tacit_status (*make)(tacit_job *, char **, tacit_error *))
{
    tacit_error err = {0};
    char *text = NULL;
    pthread_mutex_lock(&job->all->lock);
    bool has = job->state == JOB_READY || job->state == JOB_DONE || job->state == JOB_REFUSED;
    pthread_mutex_unlock(&job->all->lock);
    if (!has)
        return workbench_refuse(request, 409, "the job has found nothing yet");
    pthread_mutex_lock(&job->lock);
    tacit_status status = make(job->job, &text, &err);
    pthread_mutex_unlock(&job->lock);
    if (status != TACIT_OK)
        return workbench_fail(request, status, &err);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_COPY);
    tacit_text_free(text);
    return workbench_queue(request, 200, type, policy, response);
}

workbench_answer workbench_get_job(workbench_request *request)
{
    const char *what;
    workbench_job *job = workbench_job_hold(request->bench->jobs, request->rest, &what);
    if (!job)
        return workbench_refuse(request, 404, "there is no such job");
    if (strcmp(what, "events") == 0)
        return follow(request, job);
    workbench_answer answer;
    if (strcmp(what, "report") == 0)
        answer = send_text(request, job, "application/json", NULL, tacit_job_report);
    else if (strcmp(what, "page") == 0)
        answer = send_text(request, job, "text/html; charset=utf-8", REPORT_POLICY, tacit_job_page);
    else if (strcmp(what, "text") == 0)
        answer = send_text(request, job, "text/plain; charset=utf-8", NULL, job_text);
    else
        answer = workbench_refuse(request, 404, "there is nothing here");
    workbench_job_let_go(job);
    return answer;
}

workbench_answer workbench_change_job(workbench_request *request)
{
    workbench_jobs *jobs = request->bench->jobs;
    const char *what;
    workbench_job *job = workbench_job_hold(jobs, request->rest, &what);
    if (!job)
        return workbench_refuse(request, 404, "there is no such job");
    bool known = true;
    pthread_mutex_lock(&jobs->lock);
    if (strcmp(what, "cancel") == 0) {
        job->cancelled = true;
        if (job->state == JOB_WAITS)
            job->state = JOB_CANCELLED;
    } else if (strcmp(what, "forget") == 0) {
        job->cancelled = job->forgotten = true;
    } else if (strcmp(what, "commit") == 0) {
        job->wants_commit = known = job->state == JOB_READY;
    } else {
        known = false;
    }
    workbench_job_changed(job);
    json_t *json = describe_job(job);
    pthread_mutex_unlock(&jobs->lock);
    workbench_job_let_go(job);
    if (known)
        return workbench_reply(request, 200, json);
    json_decref(json);
    return workbench_refuse(request, 409, "the job is not in a state for that");
}
