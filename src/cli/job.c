/*
 * job.c - runs the job that a command line describes.
 *
 * Data goes to standard output or -o. What the job has to say goes to standard error, unless that
 * is what was asked for and no file goes to standard output. One callback draws progress and
 * notices signals.
 */
#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "interrupt.h"
#include "terminal.h"

typedef struct job_screen {
    const cli_arguments *arguments;
    cli_terminal terminal;
    FILE *report;
    bool quiet;
    int signal; /* that asked to stop; 0: none */
} job_screen;

static bool progress(const char *phase, int64_t done, int64_t total, void *payload)
{
    job_screen *screen = payload;
    cli_terminal_progress(&screen->terminal, phase, done, total);
    int number = cli_interrupt_take();
    if (number)
        screen->signal = number;
    return !number;
}

static void print_report(const job_screen *screen, const char *text)
{
    char *shown = NULL;
    bool colours = *cli_good(screen->report) != '\0';
    if (tacit_report_colours(&shown, text, colours, NULL) == TACIT_OK)
        fputs(shown, screen->report);
    fflush(screen->report);
    tacit_text_free(shown);
}

static void message(tacit_message_kind kind, const char *text, void *payload)
{
    job_screen *screen = payload;
    if (screen->quiet)
        return;
    cli_terminal_erase(&screen->terminal);
    if (kind == TACIT_MESSAGE_REPORT)
        print_report(screen, text);
    else if (kind == TACIT_MESSAGE_WARNING)
        fprintf(stderr, "tacit %s: warning: %s\n", screen->arguments->command->name, text);
    else
        fprintf(stderr, "%s\n", text);
}

/* Standard error, unless the report is what was asked for and no file takes its place. */
static FILE *stream_of(const cli_arguments *arguments)
{
    bool taken = !arguments->command->answers && !cli_has(arguments, "explore");
    for (size_t i = 0; i < arguments->given_count; i++) {
        const cli_given *given = &arguments->given[i];
        taken |= given->option->type == TACIT_SETTING_FILE && given->value &&
                 strcmp(given->value, "-") == 0;
    }
    return taken ? stderr : stdout;
}

int cli_exit_of(tacit_status status)
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

static void say_stopped(const job_screen *screen, const char *name)
{
    unsigned long long written = tacit_job_written(screen->arguments->job);
    const char *limit = cli_value(screen->arguments, "time");
    char left[64] = "nothing was written";
    if (written > 0)
        snprintf(left, sizeof left, "%llu %s written before", written,
                 written == 1 ? "file was" : "files were");
    if (screen->signal || !limit)
        fprintf(stderr, "tacit %s: interrupted; %s\n", name, left);
    else
        fprintf(stderr, "tacit %s: stopped after %g seconds (--time); %s\n", name,
                strtod(limit, NULL), left);
}

static int end(job_screen *screen, tacit_status status, const tacit_error *err)
{
    const char *name = screen->arguments->command->name;
    char text[1100];
    cli_terminal_erase(&screen->terminal);
    if (status == TACIT_CANCELLED) {
        if (!screen->signal) /* it came while an answer was waited for */
            screen->signal = cli_interrupt_take();
        say_stopped(screen, name);
        cli_interrupt_give_back(screen->signal);
    } else if (status != TACIT_OK) {
        fprintf(stderr, "tacit %s: %s\n", name, tacit_error_format(err, text, sizeof text));
    }
    return cli_exit_of(status);
}

int cli_job_run(const cli_arguments *arguments)
{
    job_screen screen = {.arguments = arguments,
                         .report = stream_of(arguments),
                         .quiet = cli_has(arguments, "quiet")};
    tacit_run run;
    tacit_error err = {0};
    tacit_run_init(&run);
    run.progress = progress;
    run.payload = &screen;
    cli_terminal_init(&screen.terminal, screen.quiet);
    cli_interrupt_catch();
    tacit_job_on_message(arguments->job, message, &screen);
    tacit_job_on_question(arguments->job, cli_ask_person, &screen.terminal);
    tacit_status status = tacit_job_run(arguments->job, &run, &err);
    if (status == TACIT_OK)
        status = tacit_job_commit(arguments->job, &err);
    int result = end(&screen, status, &err);
    return result == CLI_DONE && tacit_job_discloses(arguments->job) ? CLI_DISCLOSURE : result;
}
