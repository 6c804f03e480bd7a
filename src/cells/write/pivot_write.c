/*
 * pivot_write.c - a table for readers: one dimension across, a row for every combination of
 * the others.
 *
 * Like the long CSV it goes by the names of codes: a code with two names has a row, or a
 * column, for each. Unlike there every table is written in full, shared cells too, because a
 * table with holes says less. The file is for the public: of a suppressed cell it has the
 * mark, or its interval, and status letters, counts and levels of no cell at all.
 *
 * Nothing is kept but the line in hand; linear in the names' combinations.
 */
#include <tacit/experimental/cells.h>

#include <math.h>

#include "base/error.h"
#include "cells/cells/inside.h"
#include "cells/write/sink.h"

typedef struct pivoting {
    tacit__sink sink;
    const tacit_cells *cells;
    const char *status;
    tacit_strview mark;
    const tacit_intervals *intervals;
    char delimiter;
    /* the table in hand */
    const tacit_cells_table *table;
    int32_t across; /* of the table's dimensions */
} pivoting;

static const tacit_dimension *dimension_at(const pivoting *p, int32_t i)
{
    return &p->cells->dimensions[p->table->dimensions[i]];
}

/* Linked tables each have the dimension of that name across, or their last. */
static void begin_table(pivoting *p, const tacit_cells_table *table, int32_t across)
{
    p->table = table;
    p->across = table->dimension_count - 1;
    for (int32_t i = 0; across >= 0 && i < table->dimension_count; i++)
        if (tacit_strview_equal(dimension_at(p, i)->name, p->cells->dimensions[across].name))
            p->across = i;
}

/* Delimiters stand between; the first cell of a line has none in front. */
static void write_cell(pivoting *p, bool *first, tacit_strview text)
{
    if (!*first)
        tacit__sink_char(&p->sink, p->delimiter);
    *first = false;
    tacit__sink_cell(&p->sink, text, p->delimiter);
}

static void write_header(pivoting *p)
{
    const tacit_dimension *across = dimension_at(p, p->across);
    bool first = true;
    for (int32_t i = 0; i < p->table->dimension_count; i++)
        if (i != p->across)
            write_cell(p, &first, dimension_at(p, i)->name);
    for (int32_t label = 0; label < across->label_count; label++)
        write_cell(p, &first, across->labels[label]);
    tacit__sink_line(&p->sink);
}

/* low..high, without an end that is open; the mark where both are. */
static void write_interval(pivoting *p, bool *first, int32_t cell)
{
    double low = p->intervals->low[cell], high = p->intervals->high[cell];
    if (!isfinite(low) && !isfinite(high)) {
        write_cell(p, first, p->mark);
        return;
    }
    write_cell(p, first, tacit_strview_of(""));
    if (isfinite(low))
        tacit__sink_number(&p->sink, low);
    tacit__sink_char(&p->sink, '.');
    tacit__sink_char(&p->sink, '.');
    if (isfinite(high))
        tacit__sink_number(&p->sink, high);
}

static void write_value(pivoting *p, bool *first, int64_t place)
{
    int32_t cell = p->table->cells ? p->table->cells[place] : (int32_t)place;
    char status = p->status[cell];
    if (status == TACIT_CELL_PRIMARY || status == TACIT_CELL_SECONDARY) {
        if (p->intervals)
            write_interval(p, first, cell);
        else
            write_cell(p, first, p->mark);
        return;
    }
    if (!*first)
        tacit__sink_char(&p->sink, p->delimiter);
    *first = false;
    tacit__sink_number(&p->sink, p->cells->value[cell]);
}

/* The row of some names, one a dimension of the table; that of the dimension across is not
 * looked at. */
static void write_row(pivoting *p, const int32_t *names)
{
    const tacit_dimension *across = dimension_at(p, p->across);
    int64_t place = 0;
    bool first = true;
    for (int32_t i = 0; i < p->table->dimension_count; i++) {
        const tacit_dimension *dimension = dimension_at(p, i);
        if (i == p->across)
            continue;
        write_cell(p, &first, dimension->labels[names[i]]);
        place += dimension->code_of[names[i]] * p->table->strides[i];
    }
    for (int32_t label = 0; label < across->label_count; label++)
        write_value(p, &first, place + across->code_of[label] * p->table->strides[p->across]);
    tacit__sink_line(&p->sink);
}

/* The next combination of names but those across; false after the last. */
static bool next_row(const pivoting *p, int32_t *names)
{
    for (int32_t i = p->table->dimension_count - 1; i >= 0; i--) {
        if (i == p->across)
            continue;
        if (++names[i] < dimension_at(p, i)->label_count)
            return true;
        names[i] = 0;
    }
    return false;
}

static void write_table(pivoting *p)
{
    int32_t names[TACIT_MAX_DIMENSIONS] = {0};
    write_header(p);
    do
        write_row(p, names);
    while (next_row(p, names) && p->sink.status == TACIT_OK);
}

void tacit_pivot_options_init(tacit_pivot_options *options)
{
    *options = (tacit_pivot_options){.across = -1};
}

tacit_status tacit_cells_write_pivot(int fd, const char *name, const tacit_cells *cells,
                                     const char *status, const tacit_pivot_options *options,
                                     tacit_error *err)
{
    if (!cells->dimension_count)
        return tacit__error(err, TACIT_INVALID,
                            "cells of a .jj file have no dimensions to pivot; write them as .jj");
    if (options->across < -1 || options->across >= cells->dimension_count)
        return tacit__error(err, TACIT_INVALID,
                            "dimension %d cannot go across: the table has %d, counted from 0",
                            options->across, cells->dimension_count);
    tacit_status known = tacit__cells_known(cells, err);
    if (known != TACIT_OK)
        return known;
    pivoting p = {.sink = {.fd = fd, .name = name, .err = err},
                  .cells = cells,
                  .status = status ? status : cells->status,
                  .mark = tacit_strview_of(options->mark ? options->mark : "x"),
                  .intervals = options->intervals,
                  .delimiter = options->delimiter ? options->delimiter : ';'};
    for (int32_t t = 0; t < cells->table_count && p.sink.status == TACIT_OK; t++) {
        if (t > 0)
            tacit__sink_line(&p.sink);
        begin_table(&p, &cells->tables[t], options->across);
        write_table(&p);
    }
    return tacit__sink_close(&p.sink);
}
