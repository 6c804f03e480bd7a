/*
 * cmd_workbench.c - `tacit workbench`: serves the page until Ctrl-C, and opens it.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "interrupt.h"
#include "job.h"
#include "workbench/workbench.h"

extern char **environ;

static const cli_option OPTIONS[] = {
    {"port", 0, TACIT_SETTING_NUMBER, "N", "the port on 127.0.0.1; any that is free unless given",
     false},
    {"no-open", 0, TACIT_SETTING_SWITCH, NULL, "only print the address, open no browser", false},
    {NULL, 0, TACIT_SETTING_SWITCH, NULL, NULL, false},
};

/* In the browser that the user has chosen. The address is printed as well, so nothing is said where
 * that fails. */
static void open_browser(const char *url)
{
    const char *const words[] = {"xdg-open", url, NULL};
    posix_spawn_file_actions_t silent;
    pid_t child;
    posix_spawn_file_actions_init(&silent);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        posix_spawn_file_actions_addopen(&silent, fd, "/dev/null", O_RDWR, 0);
    posix_spawnp(&child, words[0], &silent, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&silent);
}

static int wait_for_signal(void)
{
    const struct timespec pause = {.tv_nsec = 100000000};
    int number;
    while (!(number = cli_interrupt_take()))
        nanosleep(&pause, NULL);
    return number;
}

/* 0 where none is given, -1 where it is none. */
static int port_of(const char *text)
{
    char *end = NULL;
    long port = text ? strtol(text, &end, 10) : 0;
    return !text || (end != text && !*end && port > 0 && port <= 65535) ? (int)port : -1;
}

static int run(const cli_arguments *arguments)
{
    workbench *bench = NULL;
    tacit_error err = {0};
    char text[1100];
    const char *place = arguments->operand_count ? arguments->operands[0] : NULL;
    int port = port_of(cli_value(arguments, "port"));
    if (port < 0) {
        fputs("tacit workbench: --port is a number from 1 to 65535\n", stderr);
        return CLI_MISUSE;
    }
    cli_interrupt_catch();
    tacit_status status = workbench_start(&bench, place, port, &err);
    if (status != TACIT_OK) {
        fprintf(stderr, "tacit workbench: %s\n", tacit_error_format(&err, text, sizeof text));
        return cli_exit_of(status);
    }
    fprintf(stderr, "%s\nproject %s; only who has this address can see it; Ctrl-C ends it\n",
            workbench_url(bench), workbench_folder(bench));
    if (!cli_has(arguments, "no-open"))
        open_browser(workbench_url(bench));
    wait_for_signal();
    workbench_stop(bench);
    return CLI_DONE;
}

const cli_command cli_workbench = {
    .name = "workbench",
    .summary = "a page to look at data, risk and releases, here alone",
    .usage = "[PROJECT | DATA] [--port N] [--no-open]",
    .about =
        "Serves a page on 127.0.0.1 and opens it in the browser: columns and their roles, the "
        "policy, risk, releases with their reports, tables and text. Every step is kept in the "
        "project's folder as text and can be undone, and the page shows the command that does "
        "the same. Without PROJECT or DATA the project is workbench.tacit in this folder. "
        "Nothing is sent anywhere; files are read and written below this folder alone, or below "
        "that of PROJECT or DATA. Ctrl-C ends it.",
    .operand = "PROJECT or DATA",
    .operands_needed = 0,
    .operands_taken = 1,
    .options = OPTIONS,
    .example = "tacit workbench patients.csv",
    .run = run,
};
