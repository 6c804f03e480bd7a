/*
 * scrub_known.h - --known: what the data holder knows of people already, to be found in the text.
 */
#ifndef TACIT_CLI_SCRUB_KNOWN_H
#define TACIT_CLI_SCRUB_KNOWN_H

#include "session.h"
#include <tacit.h>

#include "text.h"

/* All zero holds nothing. */
typedef struct cli_known {
    cli_text bytes;
    size_t *starts; /* of each value in bytes; one more at the end */
    tacit_text_kind *kinds;
    tacit_strview *values; /* once everything is read */
    size_t count, capacity;
} cli_known;

/* Reads a CSV with a header. columns is what --known-columns says, "NAME=KIND,..."; NULL: the
 * columns' names say what they hold. */
tacit_status cli_known_read(cli_known *known, const char *path, const char *columns,
                            cli_session *session);
/* One by one; the end makes views of them, once the bytes stay where they are. */
tacit_status cli_known_add(cli_known *known, tacit_strview value, tacit_text_kind kind,
                           tacit_error *err);
tacit_status cli_known_end(cli_known *known, tacit_error *err);

/* What a column of this name holds; TACIT_TEXT_NONE where the name does not say it. */
tacit_text_kind cli_known_kind(tacit_strview name);
void cli_known_clear(cli_known *known);

#endif
