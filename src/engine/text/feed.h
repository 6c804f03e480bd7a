/*
 * feed.h - reading a file or a pipe bit by bit, in a way that a signal can end.
 */
#ifndef TACIT_ENGINE_TEXT_FEED_H
#define TACIT_ENGINE_TEXT_FEED_H

#include "engine/job/session.h"
#include "engine/job/text.h"

typedef struct engine_feed {
    int fd; /* 0 where it is not open, or standard input */
    bool open;
    bool waits; /* as a pipe does, for who knows how long */
    bool ended;
    bool begun;        /* something was read */
    const char *name;  /* for messages */
    engine_text rest;  /* read already, for the next job */
    int64_t line, row; /* of the file, from 1, where the rest begins */
} engine_feed;

/* path "-" is standard input. */
tacit_status engine_feed_open(engine_feed *feed, const char *path, tacit_error *err);
void engine_feed_close(engine_feed *feed);

/* Appends to text until it holds want bytes or the file ends. The first bytes are looked at:
 * what is no text is refused. */
tacit_status engine_feed_fill(engine_text *text, size_t want, engine_feed *feed,
                              engine_session *session, tacit_error *err);

/* Where rows end. */
typedef enum engine_cut { ENGINE_CUT_LINES, ENGINE_CUT_CSV } engine_cut;

/* Takes rows that are whole: about want bytes of them, and at least one row or what the file
 * ends with. TACIT_LIMIT where a row is longer than longest. */
tacit_status engine_feed_rows(engine_text *text, engine_feed *feed, engine_cut cut, size_t want,
                              size_t longest, engine_session *session, tacit_error *err);

#endif
