/*
 * feed.h - reading a file or a pipe bit by bit, in a way that a signal can end.
 */
#ifndef TACIT_CLI_FEED_H
#define TACIT_CLI_FEED_H

#include "session.h"
#include "text.h"

typedef struct cli_feed {
    int fd; /* 0 where it is not open, or standard input */
    bool open;
    bool waits; /* as a pipe does, for who knows how long */
    bool ended;
    bool begun;        /* something was read */
    const char *name;  /* for messages */
    cli_text rest;     /* read already, for the next job */
    int64_t line, row; /* of the file, from 1, where the rest begins */
} cli_feed;

/* path "-" is standard input. */
tacit_status cli_feed_open(cli_feed *feed, const char *path, tacit_error *err);
void cli_feed_close(cli_feed *feed);

/* Appends to text until it holds want bytes or the file ends. The first bytes are looked at:
 * what is no text is refused. */
tacit_status cli_feed_fill(cli_text *text, size_t want, cli_feed *feed, cli_session *session,
                           tacit_error *err);

/* Where rows end. */
typedef enum cli_cut { CLI_CUT_LINES, CLI_CUT_CSV } cli_cut;

/* Takes rows that are whole: about want bytes of them, and at least one row or what the file
 * ends with. TACIT_LIMIT where a row is longer than longest. */
tacit_status cli_feed_rows(cli_text *text, cli_feed *feed, cli_cut cut, size_t want, size_t longest,
                           cli_session *session, tacit_error *err);

#endif
