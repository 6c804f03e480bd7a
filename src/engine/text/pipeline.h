/*
 * pipeline.h - jobs without number, done by all processors and handed on in their order.
 */
#ifndef TACIT_ENGINE_TEXT_PIPELINE_H
#define TACIT_ENGINE_TEXT_PIPELINE_H

#include <tacit/base.h>

typedef struct engine_pipeline engine_pipeline;

/* One thread of the pipeline, with one job at a time. */
typedef struct engine_worker {
    engine_pipeline *line;
    int index;     /* below the number of workers; for memory of its own */
    uint64_t job;  /* from 0 */
    bool has_turn; /* every job before this one has been handed on */
} engine_worker;

/* What is done with a job. A failure ends the pipeline; jobs before the one that failed are
 * still handed on, and the first in their order is the one that is told. */
typedef struct engine_stages {
    /* Gets the next job; *more false: there is none. One worker at a time, in order. */
    tacit_status (*take)(bool *more, void *context, engine_worker *worker, tacit_error *err);
    /* All workers at once. */
    tacit_status (*work)(void *context, engine_worker *worker, tacit_error *err);
    /* Hands the result on: one worker at a time, in the order of the jobs. */
    tacit_status (*give)(void *context, engine_worker *worker, tacit_error *err);
    const char *phase; /* for progress */
    int64_t total;     /* of what engine_pipeline_progress counts; 0: unknown */
} engine_stages;

/* How many workers there are at most. */
int engine_pipeline_workers(const tacit_run *run);

tacit_status engine_pipeline_run(const engine_stages *stages, void *context, const tacit_run *run,
                                 int workers, tacit_error *err);

/* Within work: counts what is done and asks whether to go on. */
tacit_status engine_pipeline_progress(engine_worker *worker, int64_t done, tacit_error *err);

/* Within work: waits until every job before this one has been handed on, so that a part of
 * the result can be handed on before the job is done. */
void engine_pipeline_turn(engine_worker *worker);

/* Whether a job before this one failed, once it is this one's turn. */
bool engine_pipeline_failed(const engine_worker *worker);

#endif
