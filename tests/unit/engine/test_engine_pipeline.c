/*
 * test_engine_pipeline.c - jobs come out in their order whatever the number of threads; of several
 * failures the first in the order of jobs is told, and nothing after it is handed on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "engine/text/pipeline.h"
#include "options.h"

enum { JOBS = 400, WORKERS = 9 };

typedef struct trial {
    uint64_t next, jobs;
    uint64_t held[WORKERS]; /* each worker's job */
    uint64_t given[JOBS];
    size_t given_count;
    uint64_t fail_take, fail_work, fail_give; /* a job, or JOBS for none */
    uint64_t early; /* jobs divisible by it take their turn within work; 0: none */
    int64_t asked, stop_after;
    atomic_int inside; /* stages that only one worker may be in */
} trial;

static tacit_status take(bool *more, void *context, engine_worker *worker, tacit_error *err)
{
    trial *t = context;
    *more = t->next < t->jobs;
    if (t->next == t->fail_take)
        return tacit__error(err, TACIT_IO, "take %d", (int)t->next);
    if (*more)
        t->held[worker->index] = t->next++;
    return TACIT_OK;
}

static void rest(uint64_t job)
{
    struct timespec pause = {.tv_nsec = (long)(job * 2654435761U % 50000)};
    nanosleep(&pause, NULL);
}

static tacit_status work(void *context, engine_worker *worker, tacit_error *err)
{
    trial *t = context;
    uint64_t job = t->held[worker->index];
    assert_int_equal(job, worker->job);
    rest(job);
    if (t->early && job % t->early == 0) {
        engine_pipeline_turn(worker);
        engine_pipeline_turn(worker);
        assert_int_equal(atomic_fetch_add(&t->inside, 1), 0);
        rest(job + 1);
        atomic_fetch_sub(&t->inside, 1);
    }
    if (job >= t->fail_work && job % 3 == t->fail_work % 3)
        return tacit__error(err, TACIT_PARSE, "work %d", (int)job);
    return engine_pipeline_progress(worker, 1, err);
}

static tacit_status give(void *context, engine_worker *worker, tacit_error *err)
{
    trial *t = context;
    assert_int_equal(atomic_fetch_add(&t->inside, 1), 0);
    t->given[t->given_count++] = t->held[worker->index];
    atomic_fetch_sub(&t->inside, 1);
    return t->held[worker->index] == t->fail_give ? tacit__error(err, TACIT_IO, "give") : TACIT_OK;
}

static bool progress(const char *phase, int64_t done, int64_t total, void *payload)
{
    trial *t = payload;
    assert_string_equal(phase, "trying");
    assert_int_equal(total, JOBS);
    assert_true(done > t->asked);
    t->asked = done;
    return done < t->stop_after;
}

static tacit_status run(trial *t, int workers, tacit_error *err)
{
    const engine_stages stages = {take, work, give, "trying", JOBS};
    const tacit_run how = {.threads = workers, .progress = progress, .payload = t};
    return engine_pipeline_run(&stages, t, &how, workers, err);
}

static trial fresh(uint64_t jobs)
{
    return (trial){.jobs = jobs,
                   .fail_take = UINT64_MAX,
                   .fail_work = JOBS,
                   .fail_give = JOBS,
                   .stop_after = INT64_MAX};
}

static void assert_order(const trial *t, size_t count)
{
    assert_int_equal(t->given_count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(t->given[i], i);
}

static void test_order(void **state)
{
    (void)state;
    for (int workers = 1; workers <= WORKERS; workers += 4)
        for (uint64_t jobs = 0; jobs <= JOBS; jobs += jobs < 4 ? 1 : JOBS - 4)
            for (uint64_t early = 0; early < 3; early++) {
                trial t = fresh(jobs);
                t.early = early;
                assert_int_equal(run(&t, workers, NULL), TACIT_OK);
                assert_order(&t, jobs);
                assert_int_equal(t.asked, jobs);
            }
}

static void test_failures(void **state)
{
    (void)state;
    for (int workers = 1; workers <= WORKERS; workers += 2) {
        tacit_error err = {0};
        trial t = fresh(JOBS);
        t.fail_work = 101;
        t.early = 7;
        assert_int_equal(run(&t, workers, &err), TACIT_PARSE);
        assert_string_equal(err.message, "work 101");
        assert_order(&t, 101);

        t = fresh(JOBS);
        err = (tacit_error){0};
        t.fail_take = 33;
        assert_int_equal(run(&t, workers, &err), TACIT_IO);
        assert_string_equal(err.message, "take 33");
        assert_order(&t, 33);

        t = fresh(JOBS);
        t.fail_give = 50;
        assert_int_equal(run(&t, workers, NULL), TACIT_IO);
        assert_order(&t, 51);
    }
}

static void test_cancelled(void **state)
{
    (void)state;
    for (int workers = 1; workers <= WORKERS; workers += 4) {
        trial t = fresh(JOBS);
        t.stop_after = 20;
        assert_int_equal(run(&t, workers, NULL), TACIT_CANCELLED);
        assert_true(t.given_count < 20 + (size_t)workers);
        assert_order(&t, t.given_count);
    }
}

static void test_workers(void **state)
{
    (void)state;
    assert_int_equal(engine_pipeline_workers(&(tacit_run){.threads = 3}), 3);
    assert_int_equal(engine_pipeline_workers(&(tacit_run){.threads = 1024}), 256);
    assert_true(engine_pipeline_workers(&(tacit_run){.threads = 0}) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
