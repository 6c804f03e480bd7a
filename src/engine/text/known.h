/*
 * known.h - --known: what the data holder knows of people already, to be found in the text.
 */
#ifndef TACIT_ENGINE_TEXT_KNOWN_H
#define TACIT_ENGINE_TEXT_KNOWN_H

#include "engine/job/session.h"
#include <tacit/experimental.h>

#include "engine/job/text.h"

/* All zero holds nothing. */
typedef struct engine_known {
    engine_text bytes;
    size_t *starts; /* of each value in bytes; one more at the end */
    tacit_text_kind *kinds;
    tacit_strview *values; /* once everything is read */
    size_t count, capacity, kind_capacity;
} engine_known;

/* Reads a CSV with a header. columns is what --known-columns says, "NAME=KIND,..."; NULL: the
 * columns' names say what they hold. */
tacit_status engine_known_read(engine_known *known, const char *path, const char *columns,
                               engine_session *session);
/* One by one; the end makes views of them, once the bytes stay where they are. */
tacit_status engine_known_add(engine_known *known, tacit_strview value, tacit_text_kind kind,
                              tacit_error *err);
tacit_status engine_known_end(engine_known *known, tacit_error *err);

/* What a column of this name holds; TACIT_TEXT_NONE where the name does not say it. */
tacit_text_kind engine_known_kind(tacit_strview name);
void engine_known_clear(engine_known *known);

#endif
