/*
 * asking.c - one question at a time; see asking.h.
 */
#include "base/asking.h"

void tacit__asking_init(tacit__asking *asking, const tacit_run *run)
{
    *asking = (tacit__asking){.run = run};
    pthread_mutex_init(&asking->lock, NULL);
}

void tacit__asking_clear(tacit__asking *asking)
{
    pthread_mutex_destroy(&asking->lock);
}

/* The lock is held. */
static bool pass_on(tacit__asking *asking, const char *phase)
{
    const tacit_run *run = asking->run;
    if (!asking->cancelled && run && run->progress)
        asking->cancelled = !run->progress(phase, asking->done, asking->total, run->payload);
    return !asking->cancelled;
}

static bool hear_loop(const char *phase, int64_t done, int64_t total, void *payload)
{
    tacit__asking *asking = payload;
    pthread_mutex_lock(&asking->lock);
    asking->done = done;
    asking->total = total;
    bool go_on = pass_on(asking, phase);
    pthread_mutex_unlock(&asking->lock);
    return go_on;
}

tacit_run tacit__asking_run(tacit__asking *asking)
{
    tacit_run run = asking->run ? *asking->run : (tacit_run){.threads = 1};
    run.progress = hear_loop;
    run.payload = asking;
    return run;
}

bool tacit__ask(tacit__asking *asking, const char *phase)
{
    pthread_mutex_lock(&asking->lock);
    bool go_on = pass_on(asking, phase);
    pthread_mutex_unlock(&asking->lock);
    return go_on;
}

static bool hear_task(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)done;
    (void)total;
    return tacit__ask(payload, phase);
}

tacit_run tacit__asking_quiet(tacit__asking *asking)
{
    tacit_run run = {.threads = 1, .progress = hear_task, .payload = asking};
    return run;
}
