/*
 * jj_write.c - cells and relations in the form that read/jj_read.c reads.
 */
#include "cells/cells/inside.h"
#include "cells/write/sink.h"

static void write_cell(tacit__sink *sink, const tacit_cells *cells, int32_t i, char status)
{
    const double before[] = {i, cells->value[i], cells->cost[i]};
    const double after[] = {cells->lower[i], cells->upper[i], cells->lpl[i], cells->upl[i],
                            cells->spl[i]};
    for (size_t k = 0; k < sizeof before / sizeof *before; k++) {
        tacit__sink_number(sink, before[k]);
        tacit__sink_char(sink, ' ');
    }
    tacit__sink_char(sink, status);
    for (size_t k = 0; k < sizeof after / sizeof *after; k++) {
        tacit__sink_char(sink, ' ');
        tacit__sink_number(sink, after[k]);
    }
    tacit__sink_line(sink);
}

static void write_relation(tacit__sink *sink, const tacit_relations *relations, int32_t r)
{
    tacit__sink_number(sink, relations->rhs[r]);
    tacit__sink_char(sink, ' ');
    tacit__sink_number(sink, (double)(relations->starts[r + 1] - relations->starts[r]));
    tacit__strbuf_text(&sink->text, " :");
    for (int64_t j = relations->starts[r]; j < relations->starts[r + 1]; j++) {
        tacit__sink_char(sink, ' ');
        tacit__sink_number(sink, relations->items[j]);
        tacit__strbuf_text(&sink->text, " (");
        tacit__sink_number(sink, relations->coefs[j]);
        tacit__sink_char(sink, ')');
    }
    tacit__sink_line(sink);
}

tacit_status tacit_cells_write_jj(int fd, const char *name, const tacit_cells *cells,
                                  const char *status, tacit_error *err)
{
    tacit__sink sink = {.fd = fd, .name = name, .err = err};
    tacit_status known = tacit__cells_known(cells, err);
    if (known != TACIT_OK)
        return known;
    if (!status)
        status = cells->status;
    tacit__sink_char(&sink, '0');
    tacit__sink_line(&sink);
    tacit__sink_number(&sink, cells->count);
    tacit__sink_line(&sink);
    for (int32_t i = 0; sink.status == TACIT_OK && i < cells->count; i++)
        write_cell(&sink, cells, i, status[i]);
    tacit__sink_number(&sink, cells->relations.count);
    tacit__sink_line(&sink);
    for (int32_t r = 0; sink.status == TACIT_OK && r < cells->relations.count; r++)
        write_relation(&sink, &cells->relations, r);
    return tacit__sink_close(&sink);
}
