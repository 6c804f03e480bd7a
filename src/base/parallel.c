/*
 * parallel.c - workers that take the next task from a shared counter.
 *
 * Tasks are taken in order, so when task i fails every task before it has been
 * started and will finish: the lowest failing index is always found. Threads
 * live for one loop; starting one costs microseconds, a task milliseconds. A
 * thread that cannot be started is done without.
 */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "base/error.h"

typedef struct loop {
    const tacit_run *run;
    const char *phase;
    int64_t count;
    tacit__task_fn task;
    void *context;
    atomic_int_fast64_t next;
    atomic_bool stopped;
    pthread_mutex_t lock; /* guards what follows, and the progress callback */
    int64_t done;
    int64_t failed_task;
    tacit_status status;
    tacit_error error;
} loop;

typedef struct worker {
    loop *loop;
    int index;
    pthread_t thread;
} worker;

int tacit__threads(const tacit_run *run)
{
    int threads = run ? run->threads : 1;
    if (threads <= 0) {
        cpu_set_t set;
        threads = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    }
    return threads > TACIT__MAX_THREADS ? TACIT__MAX_THREADS : threads;
}

tacit_status tacit__progress(const tacit_run *run, const char *phase, int64_t done, int64_t total,
                             tacit_error *err)
{
    if (!phase || !run || !run->progress || run->progress(phase, done, total, run->payload))
        return TACIT_OK;
    return tacit__error(err, TACIT_CANCELLED, "stopped on request");
}

static void record(loop *l, int64_t task, tacit_status status, const tacit_error *error)
{
    if (l->status == TACIT_OK || task < l->failed_task) {
        l->status = status;
        l->failed_task = task;
        l->error = *error;
    }
    atomic_store(&l->stopped, true);
}

static void finish_task(loop *l, int64_t task, tacit_status status, tacit_error *error)
{
    pthread_mutex_lock(&l->lock);
    l->done++;
    if (status != TACIT_OK)
        record(l, task, status, error);
    else if (!atomic_load(&l->stopped)) {
        status = tacit__progress(l->run, l->phase, l->done, l->count, error);
        if (status != TACIT_OK)
            record(l, l->count, status, error);
    }
    pthread_mutex_unlock(&l->lock);
}

static void *work(void *argument)
{
    worker *w = argument;
    loop *l = w->loop;
    while (!atomic_load_explicit(&l->stopped, memory_order_relaxed)) {
        int64_t task = atomic_fetch_add(&l->next, 1);
        if (task >= l->count)
            break;
        tacit_error error = {0};
        tacit_status status = l->task(l->context, task, w->index, &error);
        finish_task(l, task, status, &error);
    }
    return NULL;
}

static void run_workers(loop *l, int threads)
{
    worker workers[TACIT__MAX_THREADS];
    int started = 0;
    for (int i = 1; i < threads; i++) {
        workers[started] = (worker){.loop = l, .index = i};
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0)
            started++;
    }
    work(&(worker){.loop = l, .index = 0});
    for (int i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
}

tacit_status tacit__parallel(const tacit_run *run, const char *phase, int64_t count,
                             tacit__task_fn task, void *context, tacit_error *err)
{
    loop l = {.run = run, .phase = phase, .count = count, .task = task, .context = context};
    int threads = tacit__threads(run);
    if (count < threads)
        threads = count < 1 ? 1 : (int)count;
    pthread_mutex_init(&l.lock, NULL);
    run_workers(&l, threads);
    pthread_mutex_destroy(&l.lock);
    if (l.status != TACIT_OK && err && err->status == TACIT_OK)
        *err = l.error;
    return l.status;
}

/* ---- tasks that wait ---- */

typedef struct waiting {
    const tacit_run *run;
    tacit__waiting_fn task;
    void *context;
    bool show_values;
    pthread_mutex_t lock; /* guards what follows, and the progress callback */
    tacit_status status;
    tacit_error error;
} waiting;

static bool go_on(const char *phase, int64_t done, int64_t total, void *payload)
{
    waiting *w = payload;
    pthread_mutex_lock(&w->lock);
    bool on =
        w->status == TACIT_OK && tacit__progress(w->run, phase, done, total, NULL) == TACIT_OK;
    pthread_mutex_unlock(&w->lock);
    return on;
}

static tacit_status wait_for(void *context, int64_t task, int which, tacit_error *err)
{
    waiting *w = context;
    tacit_run run = *w->run;
    (void)which;
    run.progress = go_on;
    run.payload = w;
    err->show_values = w->show_values;
    tacit_status status = w->task(w->context, task, &run, err);
    pthread_mutex_lock(&w->lock);
    if (status != TACIT_OK && w->status == TACIT_OK) {
        w->status = status;
        w->error = *err;
    }
    pthread_mutex_unlock(&w->lock);
    return status;
}

tacit_status tacit__waiting(const tacit_run *run, int64_t count, tacit__waiting_fn task,
                            void *context, tacit_error *err)
{
    tacit_run own, many;
    tacit_run_init(&own);
    many = run ? *run : own;
    waiting w = {.run = run ? run : &own,
                 .task = task,
                 .context = context,
                 .show_values = err && err->show_values};
    many.threads = TACIT__MAX_THREADS;
    pthread_mutex_init(&w.lock, NULL);
    tacit__parallel(&many, NULL, count, wait_for, &w, NULL);
    pthread_mutex_destroy(&w.lock);
    if (w.status != TACIT_OK && err && err->status == TACIT_OK)
        *err = w.error;
    return w.status;
}
