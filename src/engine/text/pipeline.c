/*
 * pipeline.c - threads that take a job, do it, wait for their turn and hand the result on.
 *
 * A worker holds one job, so memory is that of as many jobs as there are threads, however
 * long the stream. Nobody who has the lowest job ever waits, so nothing can come to a
 * standstill. Failures are noted when it is a job's turn: the first one noted is the first in
 * the order of jobs, whatever the number of threads, and after it nothing is handed on.
 */
#include "engine/text/pipeline.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/error.h"

enum { MAX_WORKERS = 256 };

struct engine_pipeline {
    const engine_stages *stages;
    void *context;
    const tacit_run *run;
    pthread_mutex_t taking; /* guards what follows */
    uint64_t next;
    bool ended;
    pthread_mutex_t turning; /* guards what follows, and the progress callback */
    pthread_cond_t turned;
    uint64_t turn;
    int64_t done;
    tacit_status status;
    tacit_error error;
    atomic_bool stopped; /* there was a failure: no further jobs */
};

int engine_pipeline_workers(const tacit_run *run)
{
    int threads = run->threads;
    if (threads <= 0) {
        cpu_set_t set;
        threads = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    }
    return threads > MAX_WORKERS ? MAX_WORKERS : threads;
}

tacit_status engine_pipeline_progress(engine_worker *worker, int64_t done, tacit_error *err)
{
    engine_pipeline *line = worker->line;
    const tacit_run *run = line->run;
    pthread_mutex_lock(&line->turning);
    line->done += done;
    bool go_on = !run->progress ||
                 run->progress(line->stages->phase, line->done, line->stages->total, run->payload);
    pthread_mutex_unlock(&line->turning);
    return go_on ? TACIT_OK : tacit__error(err, TACIT_CANCELLED, "stopped on request");
}

void engine_pipeline_turn(engine_worker *worker)
{
    engine_pipeline *line = worker->line;
    if (worker->has_turn)
        return;
    pthread_mutex_lock(&line->turning);
    while (line->turn != worker->job)
        pthread_cond_wait(&line->turned, &line->turning);
    pthread_mutex_unlock(&line->turning);
    worker->has_turn = true;
}

bool engine_pipeline_failed(const engine_worker *worker)
{
    return worker->line->status != TACIT_OK;
}

/* Takes the turn, hands the job on unless something failed, and passes the turn. */
static void hand_on(engine_worker *worker, tacit_status status, tacit_error *error)
{
    engine_pipeline *line = worker->line;
    engine_pipeline_turn(worker);
    if (status == TACIT_OK && line->status == TACIT_OK && line->stages->give)
        status = line->stages->give(line->context, worker, error);
    pthread_mutex_lock(&line->turning);
    if (status != TACIT_OK && line->status == TACIT_OK) {
        line->status = status;
        line->error = *error;
        atomic_store(&line->stopped, true);
    }
    line->turn++;
    pthread_cond_broadcast(&line->turned);
    pthread_mutex_unlock(&line->turning);
}

/* Whether there is a job; one that could not be taken is a job that fails. */
static bool take_job(engine_worker *worker, tacit_status *status, tacit_error *error)
{
    engine_pipeline *line = worker->line;
    bool more = false;
    pthread_mutex_lock(&line->taking);
    if (!line->ended && !atomic_load(&line->stopped)) {
        *status = line->stages->take(&more, line->context, worker, error);
        more |= *status != TACIT_OK;
        line->ended = !more || *status != TACIT_OK;
        worker->job = line->next;
        worker->has_turn = false;
        line->next += more;
    }
    pthread_mutex_unlock(&line->taking);
    return more;
}

static void *work_on_jobs(void *argument)
{
    engine_worker *worker = argument;
    engine_pipeline *line = worker->line;
    for (;;) {
        tacit_error error = {0};
        tacit_status status = TACIT_OK;
        if (!take_job(worker, &status, &error))
            return NULL;
        if (status == TACIT_OK)
            status = line->stages->work(line->context, worker, &error);
        hand_on(worker, status, &error);
    }
}

static void run_workers(engine_pipeline *line, int count)
{
    engine_worker workers[MAX_WORKERS];
    pthread_t threads[MAX_WORKERS];
    int started = 0;
    for (int i = 1; i < count; i++) {
        workers[i] = (engine_worker){.line = line, .index = i};
        if (pthread_create(&threads[started], NULL, work_on_jobs, &workers[i]) == 0)
            started++;
    }
    workers[0] = (engine_worker){.line = line};
    work_on_jobs(&workers[0]);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

tacit_status engine_pipeline_run(const engine_stages *stages, void *context, const tacit_run *run,
                                 int workers, tacit_error *err)
{
    engine_pipeline line = {.stages = stages, .context = context, .run = run};
    pthread_mutex_init(&line.taking, NULL);
    pthread_mutex_init(&line.turning, NULL);
    pthread_cond_init(&line.turned, NULL);
    run_workers(&line, workers > MAX_WORKERS ? MAX_WORKERS : workers < 1 ? 1 : workers);
    pthread_cond_destroy(&line.turned);
    pthread_mutex_destroy(&line.turning);
    pthread_mutex_destroy(&line.taking);
    if (line.status != TACIT_OK && err && err->status == TACIT_OK)
        *err = line.error;
    return line.status;
}
