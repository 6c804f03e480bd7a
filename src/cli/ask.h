/*
 * ask.h - mu-argus as the command line wants it: which variant, and with --ask
 * the person in front of it.
 */
#ifndef TACIT_CLI_ASK_H
#define TACIT_CLI_ASK_H

#include "session.h"

typedef struct cli_ask {
    tacit_argus argus; /* for the options of the method */
    cli_session *session;
    int round; /* that was asked last */
} cli_ask;

/* Fills in what policy and command line say; the ask must stay where it is. --ask
 * needs the method mu-argus, and standard input for the answers: the data cannot
 * be "-". */
tacit_status cli_ask_init(cli_ask *ask, cli_session *session, const tacit_policy *policy,
                          const tacit_method *method, const char *data);

#endif
