/*
 * scrub_learn.h - what `tacit scrub --learn` tells of a training session.
 */
#ifndef TACIT_CLI_SCRUB_LEARN_H
#define TACIT_CLI_SCRUB_LEARN_H

#include "session.h"

typedef struct cli_learning {
    const char *gold;   /* path */
    const char *target; /* NULL: nothing is written */
    double precision;   /* the goal */
    const tacit_learned *learned;
    double seconds;
} cli_learning;

/* For the terminal. */
void cli_learning_tell(const cli_learning *learning);

/* For --report and --html; the subject is a cli_learning. */
void cli_learning_account(tacit_account *account, const void *subject);
void cli_learning_page(tacit_page *page, const void *subject);

#endif
