/*
 * asking.h - asking the caller whether to go on from within the tasks of a
 * parallel loop, where tasks take long. The loop itself asks only between them.
 */
#ifndef TACIT_SRC_BASE_ASKING_H
#define TACIT_SRC_BASE_ASKING_H

#include <pthread.h>
#include <tacit/base.h>

typedef struct tacit__asking {
    const tacit_run *run; /* the caller's; may be NULL */
    pthread_mutex_t lock;
    bool cancelled;      /* under the lock: who has once said no is not asked again */
    int64_t done, total; /* under the lock: tasks, as the loop last said */
} tacit__asking;

void tacit__asking_init(tacit__asking *asking, const tacit_run *run);
void tacit__asking_clear(tacit__asking *asking);

/* The run to give to a loop whose tasks ask. */
tacit_run tacit__asking_run(tacit__asking *asking);

/* The run to give to work inside a task, whose own numbers are not passed on. */
tacit_run tacit__asking_quiet(tacit__asking *asking);

/* Whether to go on; from any thread. */
bool tacit__ask(tacit__asking *asking, const char *phase);

#endif
