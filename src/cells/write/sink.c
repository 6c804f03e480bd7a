/*
 * sink.c - text written to a file in large steps, so that a table of a million cells costs
 * no memory of its length.
 */
#include "cells/write/sink.h"

#include "base/decimal.h"
#include "base/error.h"
#include "base/file.h"
#include "table/csv_row.h"

enum { STEP = 1 << 20, SHORT = 256 };

void tacit__sink_char(tacit__sink *sink, char c)
{
    tacit__strbuf_add(&sink->text, &c, 1);
}

void tacit__sink_number(tacit__sink *sink, double number)
{
    char text[TACIT__DECIMAL_SIZE];
    tacit__strbuf_add(&sink->text, text, tacit__decimal_write(text, number));
}

/* Long texts go a byte at a time; there are few. */
void tacit__sink_cell(tacit__sink *sink, tacit_strview text, char delimiter)
{
    char quoted[2 * SHORT + 2];
    if (text.len <= SHORT) {
        tacit__strbuf_add(&sink->text, quoted, tacit__csv_quote(text, delimiter, quoted));
        return;
    }
    tacit__sink_char(sink, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] == '"')
            tacit__sink_char(sink, '"');
        tacit__sink_char(sink, text.bytes[i]);
    }
    tacit__sink_char(sink, '"');
}

static void flush(tacit__sink *sink)
{
    if (sink->status == TACIT_OK && sink->text.failed)
        sink->status = tacit__nomem(sink->err);
    if (sink->status == TACIT_OK && sink->text.len)
        sink->status = tacit__write_at(sink->fd, sink->name, sink->text.bytes, sink->text.len,
                                       sink->offset, sink->err);
    sink->offset += (int64_t)sink->text.len;
    sink->text.len = 0;
}

void tacit__sink_line(tacit__sink *sink)
{
    tacit__sink_char(sink, '\n');
    if (sink->text.len >= STEP)
        flush(sink);
}

tacit_status tacit__sink_close(tacit__sink *sink)
{
    flush(sink);
    tacit__strbuf_clear(&sink->text);
    return sink->status;
}
