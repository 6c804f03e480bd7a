/*
 * write.h - text written to a file in large steps, for all that writes tables.
 */
#ifndef TACIT_CELLS_WRITE_WRITE_H
#define TACIT_CELLS_WRITE_WRITE_H

#include "base/strbuf.h"

/* A failure is remembered and ends the writing; it is said at the close. */
typedef struct tacit__sink {
    int fd;
    const char *name;
    int64_t offset;
    tacit__strbuf text;
    tacit_status status;
    tacit_error *err;
} tacit__sink;

void tacit__sink_char(tacit__sink *sink, char c);
void tacit__sink_number(tacit__sink *sink, double number);
/* As a cell of a CSV, quoted where it must be. */
void tacit__sink_cell(tacit__sink *sink, tacit_strview text, char delimiter);
/* Ends a line, and lets go of the text where there is enough of it. */
void tacit__sink_line(tacit__sink *sink);
tacit_status tacit__sink_close(tacit__sink *sink);

#endif
