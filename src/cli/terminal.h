/*
 * terminal.h - the line that shows how far long work has come, and colours.
 */
#ifndef TACIT_CLI_TERMINAL_H
#define TACIT_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A progress line on standard error. */
typedef struct cli_terminal {
    bool live;    /* standard error is a terminal and may be drawn on */
    bool drawn;   /* a line is there and must go before anything else is said */
    double start; /* when the work began */
    double last;  /* when the line was last drawn */
} cli_terminal;

void cli_terminal_init(cli_terminal *terminal, bool quiet);

/* Shows phase, percent and time so far; seldom enough to cost nothing. */
void cli_terminal_progress(cli_terminal *terminal, const char *phase, int64_t done, int64_t total);

/* Takes the line away. */
void cli_terminal_erase(cli_terminal *terminal);

/* Seconds of a clock that only goes forward. */
double cli_now(void);

/* What switches a colour on and off again on a stream: empty where the stream
 * is no terminal or NO_COLOR is set. */
const char *cli_good(FILE *stream);
const char *cli_bad(FILE *stream);
const char *cli_bold(FILE *stream);
const char *cli_plain(FILE *stream);

#endif
