/*
 * streams.c - Arrow streams behind paths. A stream that was taken is written as CSV into memory
 * when the job is run, so that it can be cancelled and uses all threads. One that is given is
 * filled by the sink of the release (sink.h), before anything appears, or from the CSV that the
 * job wrote.
 */
#include <stdio.h>

#include "base/error.h"
#include "engine/job/session.h"

/* The stream behind a path; NULL: there is none. */
static engine_stream *stream_of(const engine_streams *streams, const char *path)
{
    int number = 0, end = 0;
    if (sscanf(path, "/dev/fd/%9d%n", &number, &end) != 1 || path[end])
        return NULL;
    for (int i = 0; i < streams->count; i++)
        if (streams->items[i].fd == number)
            return (engine_stream *)(uintptr_t)&streams->items[i];
    return NULL;
}

tacit_status engine_streams_read(engine_session *session)
{
    engine_streams *streams = &session->streams;
    tacit_status status = TACIT_OK;
    for (int i = 0; i < streams->count && status == TACIT_OK; i++) {
        engine_stream *stream = &streams->items[i];
        if (!stream->taken.release)
            continue;
        if (engine_has(session->settings, "delimiter") ||
            engine_has(session->settings, "no-header"))
            return tacit__error(&session->error, TACIT_INVALID,
                                "delimiter and no-header say how files of CSV are read, and go "
                                "with no stream");
        status = tacit_arrow_read(stream->fd, &stream->schema, &stream->taken, &session->run,
                                  &session->error);
        stream->taken.release = NULL;
    }
    return status;
}

const tacit_schema *engine_streams_schema(const engine_streams *streams, const char *path)
{
    const engine_stream *stream = stream_of(streams, path);
    return stream ? stream->schema : NULL;
}

engine_stream *engine_streams_given(engine_streams *streams, const char *path)
{
    engine_stream *stream = stream_of(streams, path);
    return stream && stream->given ? stream : NULL;
}

static tacit_status fill(engine_stream *stream, engine_session *session)
{
    tacit_csv_options options;
    tacit_table *table = NULL;
    engine_csv_options(&options, session);
    options.guard = TACIT_GUARD_NONE;
    options.missing = NULL;
    options.code_none = true;
    tacit_status status = tacit_table_read_fd(&table, stream->fd, "the output", &options,
                                              &session->run, &session->error);
    if (status == TACIT_OK)
        status = tacit_arrow_write(stream->given, NULL, table, &session->run, &session->error);
    tacit_table_free(table);
    stream->given = NULL;
    return status;
}

tacit_status engine_streams_fill(engine_session *session)
{
    engine_streams *streams = &session->streams;
    tacit_status status = TACIT_OK;
    for (int i = 0; i < streams->count && status == TACIT_OK; i++)
        if (streams->items[i].given)
            status = fill(&streams->items[i], session);
    return status;
}

void engine_streams_clear(engine_streams *streams)
{
    for (int i = 0; i < streams->count; i++) {
        engine_stream *stream = &streams->items[i];
        if (stream->taken.release)
            stream->taken.release(&stream->taken);
        tacit_schema_free(stream->schema);
    }
    streams->count = 0;
}
