/*
 * parallel.h - loops over independent tasks on all cores.
 *
 * Tasks are cut by the data, never by the number of threads, and write to
 * places of their own, so results do not depend on threads. When several tasks
 * fail, the one with the lowest index is reported.
 */
#ifndef TACIT_SRC_BASE_PARALLEL_H
#define TACIT_SRC_BASE_PARALLEL_H

#include <tacit/base.h>

enum { TACIT__MAX_THREADS = 256 };

/* worker is below tacit__threads(run) and owned by one thread for the loop. */
typedef tacit_status (*tacit__task_fn)(void *context, int64_t task, int worker, tacit_error *err);

/* Number of workers that a loop of this run uses at most. run may be NULL. */
int tacit__threads(const tacit_run *run);

/* Runs tasks 0 to count-1. phase names the work for progress; NULL is silent.
 * Progress and cancellation are asked after each task. */
tacit_status tacit__parallel(const tacit_run *run, const char *phase, int64_t count,
                             tacit__task_fn task, void *context, tacit_error *err);

/* A task that waits for another machine rather than computes; its run asks for itself. */
typedef tacit_status (*tacit__waiting_fn)(void *context, int64_t task, const tacit_run *run,
                                          tacit_error *err);

/* Runs all tasks at once, up to TACIT__MAX_THREADS, whatever the threads of the run. When one
 * fails, the others are told to stop the next time they ask; the first to fail is reported. */
tacit_status tacit__waiting(const tacit_run *run, int64_t count, tacit__waiting_fn task,
                            void *context, tacit_error *err);

/* Asks once whether to go on; for loops that are not parallel. */
tacit_status tacit__progress(const tacit_run *run, const char *phase, int64_t done, int64_t total,
                             tacit_error *err);

#endif
