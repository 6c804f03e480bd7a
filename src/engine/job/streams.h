/*
 * streams.h - Arrow streams that a job takes and gives. Each stands behind a path under /dev/fd,
 * so that no kind of job needs to know of it.
 */
#ifndef TACIT_ENGINE_JOB_STREAMS_H
#define TACIT_ENGINE_JOB_STREAMS_H

#include <tacit/experimental.h>

enum { ENGINE_MAX_STREAMS = 16 };

typedef struct engine_stream {
    int fd;
    struct ArrowArrayStream taken;  /* until it is read; release is NULL without one */
    struct ArrowArrayStream *given; /* the caller's; NULL: it is an input, or was filled */
    tacit_schema *schema;           /* of what was read */
} engine_stream;

/* Zero-initialized is empty. */
typedef struct engine_streams {
    engine_stream items[ENGINE_MAX_STREAMS];
    int count;
} engine_streams;

struct engine_session;

/* Writes what was taken behind its path. */
tacit_status engine_streams_read(struct engine_session *session);

/* What the file of that name was made from; NULL: it is no stream. */
const tacit_schema *engine_streams_schema(const engine_streams *streams, const char *path);

/* The stream that is to be filled instead of the file of that name; NULL: there is none. */
engine_stream *engine_streams_given(engine_streams *streams, const char *path);

/* Fills those that no sink has filled, from the files behind them. */
tacit_status engine_streams_fill(struct engine_session *session);

void engine_streams_clear(engine_streams *streams);

#endif
