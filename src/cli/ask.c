/*
 * ask.c - shows what a job asks on standard error, and reads a line of standard input.
 */
#include "ask.h"

#include <stdio.h>
#include <stdlib.h>

#include "interrupt.h"
#include "terminal.h"

tacit_status cli_ask_person(char *answer, size_t size, const char *question, void *payload)
{
    char *line = NULL;
    size_t capacity = 0;
    cli_terminal_erase(payload);
    fputs(question, stderr);
    fflush(stderr);
    bool ended = getline(&line, &capacity, stdin) < 0;
    snprintf(answer, size, "%s", ended ? "" : line);
    free(line);
    if (ended)
        fputc('\n', stderr);
    return ended && cli_interrupted() ? TACIT_CANCELLED : TACIT_OK;
}
