/*
 * terminal.c - progress on one line of a terminal, redrawn at most ten times a
 * second and only after the work has taken long enough to be wondered about.
 * Nothing is drawn where standard error is a file or a pipe.
 */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double PATIENCE = 0.3; /* seconds before the first line */
static const double PAUSE = 0.1;    /* between two */

double cli_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool dumb(void)
{
    const char *term = getenv("TERM");
    return !term || !*term || strcmp(term, "dumb") == 0;
}

void cli_terminal_init(cli_terminal *terminal, bool quiet)
{
    double now = cli_now();
    *terminal = (cli_terminal){.live = !quiet && !dumb() && isatty(STDERR_FILENO),
                               .start = now,
                               .last = now + PATIENCE - PAUSE};
}

void cli_terminal_progress(cli_terminal *terminal, const char *phase, int64_t done, int64_t total)
{
    if (!terminal->live)
        return;
    double now = cli_now();
    if (now - terminal->last < PAUSE)
        return;
    terminal->last = now;
    terminal->drawn = true;
    char share[16] = "";
    if (total > 0 && done >= 0 && done <= total)
        snprintf(share, sizeof share, "%3.0f %%", 100.0 * (double)done / (double)total);
    fprintf(stderr, "\r\033[K%-20.20s %6s %7.1f s", phase, share, now - terminal->start);
    fflush(stderr);
}

void cli_terminal_erase(cli_terminal *terminal)
{
    if (!terminal->drawn)
        return;
    terminal->drawn = false;
    fputs("\r\033[K", stderr);
    fflush(stderr);
}

static const char *colour(FILE *stream, const char *code)
{
    const char *refused = getenv("NO_COLOR");
    if ((refused && *refused) || dumb() || !isatty(fileno(stream)))
        return "";
    return code;
}

const char *cli_good(FILE *stream)
{
    return colour(stream, "\033[1;32m");
}

const char *cli_bad(FILE *stream)
{
    return colour(stream, "\033[1;31m");
}

const char *cli_bold(FILE *stream)
{
    return colour(stream, "\033[1m");
}

const char *cli_plain(FILE *stream)
{
    return colour(stream, "\033[0m");
}
