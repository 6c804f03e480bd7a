/*
 * session.h - one command at work: how it runs, what went wrong, how it talks.
 */
#ifndef TACIT_CLI_SESSION_H
#define TACIT_CLI_SESSION_H

#include <tacit.h>

#include "options.h"
#include "terminal.h"

typedef struct cli_session {
    const cli_arguments *arguments;
    tacit_run run; /* its progress callback is the session's */
    tacit_error error;
    cli_terminal terminal;
    double start;
    double limit; /* seconds; infinite where --time is not given */
    bool quiet;
    const tacit_policy *guarding; /* NULL, or the policy that guards cells against spreadsheets */
    uint64_t written;             /* files that are there already should the work end early */
} cli_session;

/* Reads the common options. The session must stay where it is. */
tacit_status cli_session_init(cli_session *session, const cli_arguments *arguments);

/* TACIT_CANCELLED if a signal or the time limit asks to stop. */
tacit_status cli_session_check(cli_session *session);

/* Forgets what went wrong, where the work goes on without it. */
void cli_session_clear_error(cli_session *session);

/* Lets the work go on after a signal or the time limit ended a part of it, and
 * says which of the two. A second signal ends the command. */
const char *cli_session_forgive(cli_session *session);

/* Says what went wrong, if something did, and gives the exit status for it. */
int cli_session_end(cli_session *session, tacit_status status);

/* A line on standard error, unless quiet. */
void cli_say(cli_session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_warn(cli_session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* How the common options say that CSV files are to be read. */
void cli_csv_options(tacit_csv_options *options, const cli_session *session);

/* The same for a release, whose cells are judged as they are. */
void cli_release_csv_options(tacit_csv_options *options, const cli_session *session);

/* From here on files are read as the policy says, with or without a guard against spreadsheets. */
tacit_status cli_session_guard(cli_session *session, const tacit_policy *policy);

/* The policy of --policy and of the flags after it, in their order. */
tacit_status cli_policy(tacit_policy **out, cli_session *session);

/* Makes a column a quasi-identifier, whatever its name is. */
tacit_status cli_policy_quasi(tacit_policy *policy, tacit_strview name, tacit_error *err);

#endif
