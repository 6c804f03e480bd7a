/*
 * sink.h - where a release goes, in the format that its name asks for.
 */
#ifndef TACIT_ENGINE_JOB_SINK_H
#define TACIT_ENGINE_JOB_SINK_H

#include "engine/job/session.h"

/* Zero-initialized is not open. */
typedef struct engine_sink {
    tacit_output *csv;               /* what is judged */
    tacit_output *appears;           /* what appears in its place; NULL: that is the CSV */
    const tacit_format *format;      /* of what appears; NULL: CSV */
    engine_stream *stream;           /* that is given instead of a file; NULL: none */
    engine_place *place;             /* the table that it goes into instead; NULL: none */
    struct ArrowArrayStream columns; /* what it is to be */
    const char *target;
} engine_sink;

/* Opens what a release is written to, as CSV. The format is that of the target's name; of a name
 * without an ending, that of the data. Standard output and descriptors get CSV. */
tacit_status engine_sink_open(engine_sink *sink, const char *target, engine_session *session);

/* Whether what appears is made of the judged CSV, by the following. */
bool engine_sink_converts(const engine_sink *sink);

/* Once it was judged: makes the file or the stream that is to appear, of the release as it was read
 * back. */
tacit_status engine_sink_fill(engine_sink *sink, const tacit_table *release,
                              engine_session *session);

/* The file that is to appear, or has. */
int engine_sink_fd(const engine_sink *sink);

tacit_status engine_sink_commit(engine_sink *sink, tacit_error *err);
void engine_sink_clear(engine_sink *sink);

#endif
