/*
 * session.c - what every command does at its start, now and then, and at its
 * end. One callback draws progress, notices a signal and minds the time.
 */
#define _GNU_SOURCE
#include "session.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "interrupt.h"
#include "promise.h"

enum { MOST_THREADS = 1024 };

static bool out_of_time(const cli_session *session)
{
    return cli_now() - session->start > session->limit;
}

static bool progress(const char *phase, int64_t done, int64_t total, void *payload)
{
    cli_session *session = payload;
    cli_terminal_progress(&session->terminal, phase, done, total);
    return !cli_interrupted() && !out_of_time(session);
}

static tacit_status seed(cli_session *session)
{
    if (!cli_has(session->arguments, "seed"))
        return tacit_run_seed_random(&session->run, &session->error);
    tacit_run_seed_number(&session->run, cli_number(session->arguments, "seed", 0));
    return TACIT_OK;
}

tacit_status cli_session_init(cli_session *session, const cli_arguments *arguments)
{
    memset(session, 0, sizeof *session);
    session->arguments = arguments;
    session->quiet = cli_has(arguments, "quiet");
    session->error.show_values = cli_has(arguments, "show");
    session->start = cli_now();
    session->limit = cli_seconds(arguments, "time", INFINITY);
    cli_terminal_init(&session->terminal, session->quiet);
    cli_interrupt_catch();
    tacit_run_init(&session->run);
    session->run.progress = progress;
    session->run.payload = session;
    uint64_t threads = cli_number(arguments, "threads", 0);
    if (threads > MOST_THREADS)
        return cli_error(&session->error, TACIT_INVALID, "--threads takes at most %d",
                         MOST_THREADS);
    session->run.threads = (int)threads;
    return seed(session);
}

tacit_status cli_session_check(cli_session *session)
{
    return cli_interrupted() || out_of_time(session) ? TACIT_CANCELLED : TACIT_OK;
}

void cli_session_clear_error(cli_session *session)
{
    session->error = (tacit_error){.show_values = session->error.show_values};
}

const char *cli_session_forgive(cli_session *session)
{
    bool signalled = cli_interrupted();
    cli_interrupt_forget();
    session->limit = INFINITY;
    return signalled ? "by a signal" : "by --time";
}

static int exit_of(tacit_status status)
{
    switch (status) {
    case TACIT_OK: return CLI_DONE;
    case TACIT_INVALID: return CLI_MISUSE;
    case TACIT_INFEASIBLE: return CLI_BROKEN;
    case TACIT_LIMIT:
    case TACIT_CANCELLED: return CLI_LIMIT;
    case TACIT_NOMEM:
    case TACIT_PARSE:
    case TACIT_IO: break;
    }
    return CLI_FAILED;
}

int cli_session_end(cli_session *session, tacit_status status)
{
    cli_terminal_erase(&session->terminal);
    const char *name = session->arguments->command->name;
    char text[1100], left[64] = "nothing was written";
    if (session->written > 0)
        snprintf(left, sizeof left, "%llu %s written before", (unsigned long long)session->written,
                 session->written == 1 ? "file was" : "files were");
    if (status == TACIT_CANCELLED && cli_interrupted())
        fprintf(stderr, "tacit %s: interrupted; %s\n", name, left);
    else if (status == TACIT_CANCELLED)
        fprintf(stderr, "tacit %s: stopped after %g seconds (--time); %s\n", name, session->limit,
                left);
    else if (status != TACIT_OK) {
        session->error.status = status;
        fprintf(stderr, "tacit %s: %s\n", name,
                tacit_error_format(&session->error, text, sizeof text));
    }
    return exit_of(status);
}

/* A line on standard error, of which names of files and columns are a part. */
static void say(cli_session *session, const char *command, const char *what, const char *format,
                va_list arguments)
{
    char line[2048], shown[2048];
    vsnprintf(line, sizeof line, format, arguments);
    size_t len = strlen(line);
    bool spaced = len > 0 && line[len - 1] == '\n'; /* an empty line follows */
    cli_terminal_erase(&session->terminal);
    fprintf(stderr, "%s%s%s%s\n%s", *command ? "tacit " : "", command, what,
            cli_printable(shown, sizeof shown, (tacit_strview){line, len - spaced}),
            spaced ? "\n" : "");
}

void cli_say(cli_session *session, const char *format, ...)
{
    if (session->quiet)
        return;
    va_list arguments;
    va_start(arguments, format);
    say(session, "", "", format, arguments);
    va_end(arguments);
}

void cli_warn(cli_session *session, const char *format, ...)
{
    if (session->quiet)
        return;
    va_list arguments;
    va_start(arguments, format);
    say(session, session->arguments->command->name, ": warning: ", format, arguments);
    va_end(arguments);
}

/* Identifiers that leave or become pseudonyms stay what they are: the judge looks for them in other
 * cells, and a person's pseudonym is the same with a guard and without. */
static bool is_replaced(tacit_strview name, const void *context)
{
    tacit_replace fate = cli_fate(tacit_policy_find(context, name));
    return fate == TACIT_REPLACE_DROP || fate == TACIT_REPLACE_PSEUDONYM;
}

void cli_csv_options(tacit_csv_options *options, const cli_session *session)
{
    tacit_csv_options_init(options);
    options->delimiter = cli_character(session->arguments, "delimiter", 0);
    options->no_header = cli_has(session->arguments, "no-header");
    options->guard = session->guarding ? TACIT_GUARD_CELLS : TACIT_GUARD_NONE;
    options->unguarded = is_replaced;
    options->unguarded_context = session->guarding;
}

void cli_release_csv_options(tacit_csv_options *options, const cli_session *session)
{
    cli_csv_options(options, session);
    if (options->guard == TACIT_GUARD_CELLS)
        options->guard = TACIT_GUARD_DONE;
}

tacit_status cli_session_guard(cli_session *session, const tacit_policy *policy)
{
    session->guarding = policy->spreadsheet_safe ? policy : NULL;
    if (session->guarding && policy->ledger)
        return cli_error(&session->error, TACIT_INVALID,
                         "a ledger remembers cells as they are, so that guarded ones cannot be "
                         "found in it: leave ledger or spreadsheet-safe out");
    return TACIT_OK;
}

/* The first --population is the policy's; what follows are registers joined to it (registers.c). */
static bool is_further_register(const cli_arguments *arguments, size_t at)
{
    if (strcmp(arguments->given[at].option->name, "population") != 0)
        return false;
    for (size_t i = 0; i < at; i++)
        if (arguments->given[i].option == arguments->given[at].option)
            return true;
    return false;
}

tacit_status cli_policy(tacit_policy **out, cli_session *session)
{
    const cli_arguments *arguments = session->arguments;
    const char *file = cli_value(arguments, "policy");
    tacit_policy *policy = NULL;
    tacit_status status = file ? tacit_policy_read(&policy, file, &session->error)
                               : tacit_policy_new(&policy, &session->error);
    for (size_t i = 0; status == TACIT_OK && i < arguments->given_count; i++) {
        const cli_given *given = &arguments->given[i];
        if (given->option->is_policy && !is_further_register(arguments, i))
            status = tacit_policy_set(policy, given->option->name,
                                      given->value ? given->value : "true", &session->error);
    }
    if (status == TACIT_PARSE) /* what the policy says is the user's word, like a flag */
        status = session->error.status = TACIT_INVALID;
    if (status != TACIT_OK) {
        tacit_policy_free(policy);
        return status;
    }
    tacit_policy_leave_unlinked(policy);
    *out = policy;
    return TACIT_OK;
}

tacit_status cli_policy_quasi(tacit_policy *policy, tacit_strview name, tacit_error *err)
{
    char *text = malloc(2 * name.len + sizeof "\"\"=quasi"), *at = text;
    if (!text)
        return cli_error(err, TACIT_NOMEM, "out of memory");
    *at++ = '"';
    for (size_t i = 0; i < name.len; i++) {
        if (name.bytes[i] == '"')
            *at++ = '"';
        *at++ = name.bytes[i];
    }
    strcpy(at, "\"=quasi");
    tacit_status status = tacit_policy_set(policy, "role", text, err);
    free(text);
    return status;
}
