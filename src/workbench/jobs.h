/*
 * jobs.h - a job of the workbench and the list of them, for the threads that work on jobs (jobs.c)
 * and the requests that ask about them (job_routes.c).
 */
#ifndef TACIT_WORKBENCH_JOBS_H
#define TACIT_WORKBENCH_JOBS_H

#include <time.h>

#include <tacit/job.h>

#include "workbench/parts.h"

enum { WORKBENCH_WORKERS = 2, WORKBENCH_MAX_MESSAGES = 200 };

typedef enum workbench_job_state {
    JOB_WAITS = 0,
    JOB_RUNS,
    JOB_READY, /* run and judged; nothing has appeared */
    JOB_COMMITS,
    JOB_DONE,
    JOB_REFUSED, /* no release keeps the promise */
    JOB_FAILED,
    JOB_CANCELLED
} workbench_job_state;

typedef struct workbench_job {
    int number;
    char *kind;
    tacit_job *job;
    pthread_mutex_t lock; /* of the library's work on it */
    workbench_jobs *all;
    /* With the lock of the list: */
    workbench_job_state state;
    bool wants_commit, cancelled, forgotten;
    int users;        /* threads that hold it */
    uint64_t version; /* grows with every change */
    char phase[64];
    int64_t done, total;
    json_t *messages;
    char error[1200];
    bool discloses;
    struct timespec began;
    double seconds;
} workbench_job;

struct workbench_jobs {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t workers[WORKBENCH_WORKERS];
    int worker_count;
    bool stopping;
    int last_number;
    workbench_job *list[WORKBENCH_MAX_JOBS];
    size_t count;
};

/* Adds a job that waits to be run; the list takes it. False: the list is full. */
bool workbench_jobs_add(workbench_jobs *jobs, workbench_job *job);
void workbench_job_free(workbench_job *job);

/* Holds a job by the number that a path begins with until it is let go; *what is what follows the
 * number. NULL: there is none. */
workbench_job *workbench_job_hold(workbench_jobs *jobs, const char *path, const char **what);
void workbench_job_let_go(workbench_job *job);

/* Tells those who follow it. Called with the list's lock. */
void workbench_job_changed(workbench_job *job);
bool workbench_job_is_over(const workbench_job *job);

#endif
