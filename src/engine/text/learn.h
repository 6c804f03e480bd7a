/*
 * learn.h - what `tacit scrub --learn` tells of a training session.
 */
#ifndef TACIT_ENGINE_TEXT_LEARN_H
#define TACIT_ENGINE_TEXT_LEARN_H

#include "engine/job/session.h"

typedef struct engine_learning {
    const char *gold;   /* path */
    const char *target; /* NULL: nothing is written */
    double precision;   /* the goal */
    const tacit_learned *learned;
    double seconds;
} engine_learning;

/* For the terminal. */
void engine_learning_tell(FILE *out, const engine_learning *learning);

/* For --report and --html; the subject is a engine_learning. */
void engine_learning_account(tacit_account *account, const void *subject);
void engine_learning_page(tacit_page *page, const void *subject);

#endif
