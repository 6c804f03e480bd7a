/*
 * sink.c - where a release goes. It is always written and judged as CSV. Where another format is
 * asked for, the judged CSV stays a file without a name, and what appears is made of it and read
 * back (formats.h). The target is opened before either is written, so that a folder that cannot be
 * written to is known before the judge works.
 */
#include "engine/job/sink.h"

#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "engine/job/files.h"

static const tacit_format *format_for(const char *target, const engine_session *session)
{
    const char *base = engine_base_name(target);
    if (strcmp(target, "-") == 0 || strncmp(target, "/dev/", 5) == 0)
        return NULL;
    if (strchr(base, '.'))
        return tacit_format_of_name(target);
    return session->source ? tacit_schema_format(session->source) : NULL;
}

/* Whether it is a file's name in a format that holds several tables, # and a name of one. */
static bool names_part(const char *target)
{
    char name[PATH_MAX];
    const char *mark = strchr(engine_base_name(target), '#');
    size_t len = mark ? (size_t)(mark - target) : sizeof name;
    if (len >= sizeof name)
        return false;
    memcpy(name, target, len);
    name[len] = '\0';
    return tacit_format_of_name(name);
}

tacit_status engine_sink_open(engine_sink *sink, const char *target, engine_session *session)
{
    tacit_error *err = &session->error;
    sink->target = target;
    sink->format = format_for(target, session);
    sink->stream = engine_streams_given(&session->streams, target);
    sink->place = engine_places_target(&session->places, target);
    if (!sink->format && !sink->stream && names_part(target))
        return tacit__error_at(err, TACIT_INVALID, target, 0, 0,
                               "a release is one table: leave out # and what follows it");
    if (sink->format && !tacit_format_is_written(sink->format))
        return tacit__error_at(err, TACIT_INVALID, target, 0, 0,
                               "the format %s is read, not written: give the release another name, "
                               "such as one that ends in .csv",
                               tacit_format_name(sink->format));
    tacit_status status = TACIT_OK;
    if (sink->format)
        status = tacit_output_new(&sink->appears, target, err);
    if (status == TACIT_OK)
        status = tacit_output_new(&sink->csv, engine_sink_converts(sink) ? "-" : target, err);
    return status;
}

bool engine_sink_converts(const engine_sink *sink)
{
    return sink->format || sink->stream || sink->place;
}

tacit_status engine_sink_fill(engine_sink *sink, const tacit_table *release,
                              engine_session *session)
{
    if (sink->place)
        return engine_place_load(sink->place, release, session);
    if (sink->stream)
        return tacit_arrow_write(&sink->columns, session->source, release, &session->run,
                                 &session->error);
    return tacit_format_write(tacit_output_fd(sink->appears), sink->target, sink->format,
                              session->source, release, &session->run, &session->error);
}

int engine_sink_fd(const engine_sink *sink)
{
    return tacit_output_fd(sink->appears ? sink->appears : sink->csv);
}

tacit_status engine_sink_commit(engine_sink *sink, tacit_error *err)
{
    if (sink->place)
        return engine_place_publish(sink->place, err);
    if (sink->stream) {
        *sink->stream->given = sink->columns;
        sink->stream->given = NULL;
        sink->columns.release = NULL;
        return TACIT_OK;
    }
    return tacit_output_commit(sink->appears ? sink->appears : sink->csv, err);
}

void engine_sink_clear(engine_sink *sink)
{
    tacit_output_free(sink->appears);
    tacit_output_free(sink->csv);
    if (sink->columns.release)
        sink->columns.release(&sink->columns);
    *sink = (engine_sink){0};
}
