/*
 * jobs.c - jobs of the library (tacit/job.h) in threads of their own.
 *
 * Two workers take jobs in their order: one may be long while another answers. A job that was run
 * waits, with its report, until its release is committed or it is forgotten; nothing has appeared
 * by then. What a job says is told to whoever follows it as server-sent events. The library works
 * on a job for one thread at a time, so each job has a lock beside the one of the list.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workbench/jobs.h"

/* ---- the list ---- */

bool workbench_job_is_over(const workbench_job *job)
{
    return job->state >= JOB_DONE;
}

void workbench_job_free(workbench_job *job)
{
    if (!job)
        return;
    tacit_job_free(job->job);
    pthread_mutex_destroy(&job->lock);
    json_decref(job->messages);
    free(job->kind);
    free(job);
}

/* Takes jobs that nobody wants or holds out of the list. Called with the lock. */
static void sweep(workbench_jobs *jobs)
{
    size_t kept = 0;
    for (size_t i = 0; i < jobs->count; i++) {
        workbench_job *job = jobs->list[i];
        if (job->forgotten && job->users == 0)
            workbench_job_free(job);
        else
            jobs->list[kept++] = job;
    }
    jobs->count = kept;
}

/* Room for one more: the oldest job that is over goes. Called with the lock. */
static bool make_room(workbench_jobs *jobs)
{
    for (size_t i = 0; i < jobs->count && jobs->count == WORKBENCH_MAX_JOBS; i++)
        if (workbench_job_is_over(jobs->list[i]) && jobs->list[i]->users == 0) {
            jobs->list[i]->forgotten = true;
            sweep(jobs);
        }
    return jobs->count < WORKBENCH_MAX_JOBS;
}

/* Holds a job by the number that a path begins with; *what is what follows it. */
workbench_job *workbench_job_hold(workbench_jobs *jobs, const char *path, const char **what)
{
    char *end = NULL;
    long number = strtol(path, &end, 10);
    workbench_job *found = NULL;
    *what = *end == '/' ? end + 1 : end;
    pthread_mutex_lock(&jobs->lock);
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->list[i]->number == number && !jobs->list[i]->forgotten)
            found = jobs->list[i];
    if (found)
        found->users++;
    pthread_mutex_unlock(&jobs->lock);
    return found;
}

void workbench_job_let_go(workbench_job *job)
{
    workbench_jobs *jobs = job->all;
    pthread_mutex_lock(&jobs->lock);
    job->users--;
    sweep(jobs);
    pthread_mutex_unlock(&jobs->lock);
}

/* Called with the lock. */
void workbench_job_changed(workbench_job *job)
{
    job->version++;
    pthread_cond_broadcast(&job->all->changed);
}

bool workbench_jobs_add(workbench_jobs *jobs, workbench_job *job)
{
    pthread_mutex_lock(&jobs->lock);
    bool fits = make_room(jobs);
    if (fits) {
        job->all = jobs;
        job->number = ++jobs->last_number;
        jobs->list[jobs->count++] = job;
        workbench_job_changed(job);
    }
    pthread_mutex_unlock(&jobs->lock);
    return fits;
}

/* ---- work ---- */

static bool on_progress(const char *phase, int64_t done, int64_t total, void *payload)
{
    workbench_job *job = payload;
    pthread_mutex_lock(&job->all->lock);
    snprintf(job->phase, sizeof job->phase, "%s", phase ? phase : "");
    job->done = done;
    job->total = total;
    workbench_job_changed(job);
    bool goes_on = !job->cancelled && !job->all->stopping;
    pthread_mutex_unlock(&job->all->lock);
    return goes_on;
}

static void on_message(tacit_message_kind kind, const char *text, void *payload)
{
    workbench_job *job = payload;
    if (kind == TACIT_MESSAGE_REPORT)
        return; /* the page has the report itself */
    pthread_mutex_lock(&job->all->lock);
    if (json_array_size(job->messages) < WORKBENCH_MAX_MESSAGES)
        json_array_append_new(job->messages,
                              json_pack("{s:s, s:s}", "kind",
                                        kind == TACIT_MESSAGE_WARNING ? "warning" : "note", "text",
                                        text));
    workbench_job_changed(job);
    pthread_mutex_unlock(&job->all->lock);
}

static double seconds_since(struct timespec began)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - began.tv_sec) + (double)(now.tv_nsec - began.tv_nsec) / 1e9;
}

static workbench_job_state state_after(tacit_status status, bool committed)
{
    switch (status) {
    case TACIT_OK: return committed ? JOB_DONE : JOB_READY;
    case TACIT_INFEASIBLE: return JOB_REFUSED;
    case TACIT_CANCELLED: return JOB_CANCELLED;
    case TACIT_NOMEM:
    case TACIT_INVALID:
    case TACIT_PARSE:
    case TACIT_IO:
    case TACIT_LIMIT: break;
    }
    return JOB_FAILED;
}

static void work_on(workbench_job *job, bool commit)
{
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.progress = on_progress;
    run.payload = job;
    pthread_mutex_lock(&job->lock);
    tacit_job_on_message(job->job, on_message, job);
    tacit_status status =
        commit ? tacit_job_commit(job->job, &err) : tacit_job_run(job->job, &run, &err);
    bool discloses = status == TACIT_OK && tacit_job_discloses(job->job);
    pthread_mutex_unlock(&job->lock);
    pthread_mutex_lock(&job->all->lock);
    job->state = state_after(status, commit);
    job->discloses = discloses;
    job->seconds = seconds_since(job->began);
    if (status != TACIT_OK)
        tacit_error_format(&err, job->error, sizeof job->error);
    workbench_job_changed(job);
    pthread_mutex_unlock(&job->all->lock);
}

/* The first job that waits, for its run or its commit. Called with the lock. */
static workbench_job *next_job(workbench_jobs *jobs, bool *commit)
{
    for (size_t i = 0; i < jobs->count; i++) {
        workbench_job *job = jobs->list[i];
        *commit = job->state == JOB_READY && job->wants_commit;
        if (!job->forgotten && (*commit || job->state == JOB_WAITS))
            return job;
    }
    return NULL;
}

static void *work(void *context)
{
    workbench_jobs *jobs = context;
    pthread_mutex_lock(&jobs->lock);
    while (!jobs->stopping) {
        bool commit = false;
        workbench_job *job = next_job(jobs, &commit);
        if (!job) {
            pthread_cond_wait(&jobs->changed, &jobs->lock);
            continue;
        }
        job->state = commit ? JOB_COMMITS : JOB_RUNS;
        job->wants_commit = job->wants_commit && !commit;
        clock_gettime(CLOCK_MONOTONIC, &job->began);
        workbench_job_changed(job);
        job->users++;
        pthread_mutex_unlock(&jobs->lock);
        work_on(job, commit);
        workbench_job_let_go(job);
        pthread_mutex_lock(&jobs->lock);
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

tacit_status workbench_jobs_start(workbench_jobs **out, tacit_error *err)
{
    workbench_jobs *jobs = calloc(1, sizeof *jobs);
    (void)err;
    if (!jobs)
        return TACIT_NOMEM;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&jobs->lock, NULL);
    pthread_cond_init(&jobs->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    while (jobs->worker_count < WORKBENCH_WORKERS &&
           pthread_create(&jobs->workers[jobs->worker_count], NULL, work, jobs) == 0)
        jobs->worker_count++;
    *out = jobs;
    return jobs->worker_count ? TACIT_OK : TACIT_NOMEM;
}

void workbench_jobs_stop(workbench_jobs *jobs)
{
    if (!jobs)
        return;
    pthread_mutex_lock(&jobs->lock);
    jobs->stopping = true;
    pthread_cond_broadcast(&jobs->changed);
    pthread_mutex_unlock(&jobs->lock);
    for (int i = 0; i < jobs->worker_count; i++)
        pthread_join(jobs->workers[i], NULL);
}

void workbench_jobs_free(workbench_jobs *jobs)
{
    if (!jobs)
        return;
    for (size_t i = 0; i < jobs->count; i++)
        workbench_job_free(jobs->list[i]);
    pthread_cond_destroy(&jobs->changed);
    pthread_mutex_destroy(&jobs->lock);
    free(jobs);
}
