/*
 * long_write.c - a table as a long CSV, a row a cell, in the form that read/long_read.c reads.
 *
 * Rows follow the names of codes, not the codes: a code with two names (a total with a single
 * part) has a row for each, as its readers expect. A cell that several tables share stands
 * in the first of them only; dimensions that its table does not have are at their total.
 * Cells without dimensions are known by their index, column `cell`.
 *
 * A release holds the value where it is published, and no counts, levels or contributors:
 * they would tell of suppressed cells what the value does not. Intervals, where there are any, are
 * published beside it.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "cells/cells/inside.h"
#include "cells/write/sink.h"

typedef struct writing {
    tacit__sink sink;
    const tacit_cells *cells;
    const char *status;
    bool release;
    bool freq; /* a column of its own */
    const tacit_intervals *intervals;
    const double *published;
    char delimiter;
    int32_t columns[TACIT_MAX_DIMENSIONS]; /* a dimension each, of those with the same name the
                                              first */
    int32_t column_count;
} writing;

/* Linked tables may have several dimensions of one name, which is one column. */
static void find_columns(writing *w)
{
    for (int32_t d = 0; d < w->cells->dimension_count; d++) {
        int32_t i = 0;
        while (i < w->column_count && !tacit_strview_equal(w->cells->dimensions[w->columns[i]].name,
                                                           w->cells->dimensions[d].name))
            i++;
        if (i == w->column_count)
            w->columns[w->column_count++] = d;
    }
}

static void write_text(writing *w, const char *text)
{
    tacit__sink_char(&w->sink, w->delimiter);
    tacit__sink_cell(&w->sink, tacit_strview_of(text), w->delimiter);
}

static void write_header(writing *w, const char *value)
{
    static const char *const rest[] = {"lower", "upper", "lpl", "upl", "spl", "weight"};
    if (!w->column_count)
        tacit__sink_cell(&w->sink, tacit_strview_of("cell"), w->delimiter);
    for (int32_t i = 0; i < w->column_count; i++) {
        if (i)
            tacit__sink_char(&w->sink, w->delimiter);
        tacit__sink_cell(&w->sink, w->cells->dimensions[w->columns[i]].name, w->delimiter);
    }
    write_text(w, value);
    if (w->published)
        write_text(w, "published");
    if (w->freq)
        write_text(w, "freq");
    write_text(w, "status");
    if (w->intervals) {
        write_text(w, "low");
        write_text(w, "high");
    }
    for (size_t i = 0; !w->release && i < sizeof rest / sizeof *rest; i++)
        write_text(w, rest[i]);
    for (int32_t i = 0; !w->release && i < w->cells->top_count; i++) {
        char name[16];
        snprintf(name, sizeof name, "max%d", i + 1);
        write_text(w, name);
    }
    for (int32_t i = 0; !w->release && w->cells->top_owner && i < w->cells->top_count; i++) {
        char name[16];
        snprintf(name, sizeof name, "owner%d", i + 1);
        write_text(w, name);
    }
    tacit__sink_line(&w->sink);
}

static void write_number(writing *w, double number)
{
    tacit__sink_char(&w->sink, w->delimiter);
    tacit__sink_number(&w->sink, number);
}

/* An end of an interval; empty where nothing is said. */
static void write_end(writing *w, double end)
{
    if (isfinite(end))
        write_number(w, end);
    else
        tacit__sink_char(&w->sink, w->delimiter);
}

/* Empty where there is none. */
static void write_owner(writing *w, int32_t owner)
{
    if (owner >= 0)
        write_number(w, owner);
    else
        tacit__sink_char(&w->sink, w->delimiter);
}

/* What follows the codes. */
static void write_cell(writing *w, int32_t cell)
{
    const tacit_cells *cells = w->cells;
    char status = w->status[cell];
    if (w->release && (status == TACIT_CELL_PRIMARY || status == TACIT_CELL_SECONDARY))
        tacit__sink_char(&w->sink, w->delimiter);
    else
        write_number(w, cells->value[cell]);
    if (w->published)
        write_number(w, w->published[cell]);
    if (w->freq)
        write_number(w, (double)cells->freq[cell]);
    tacit__sink_char(&w->sink, w->delimiter);
    tacit__sink_char(&w->sink, status);
    if (w->intervals) {
        write_end(w, w->intervals->low[cell]);
        write_end(w, w->intervals->high[cell]);
    }
    if (!w->release) {
        const double rest[] = {cells->lower[cell], cells->upper[cell], cells->lpl[cell],
                               cells->upl[cell],   cells->spl[cell],   cells->cost[cell]};
        for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
            write_number(w, rest[i]);
        const int64_t first = (int64_t)cell * cells->top_count;
        for (int32_t i = 0; i < cells->top_count; i++)
            write_number(w, cells->top[first + i]);
        for (int32_t i = 0; cells->top_owner && i < cells->top_count; i++)
            write_owner(w, cells->top_owner[first + i]);
    }
    tacit__sink_line(&w->sink);
}

/* The name of a column's code: the table's, or the total where it has no such dimension. */
static tacit_strview name_in(const writing *w, int32_t column, const tacit_cells_table *table,
                             const int32_t *names)
{
    const tacit_dimension *dimension = &w->cells->dimensions[w->columns[column]];
    for (int32_t i = 0; i < table->dimension_count; i++) {
        const tacit_dimension *own = &w->cells->dimensions[table->dimensions[i]];
        if (tacit_strview_equal(own->name, dimension->name))
            return own->labels[names[i]];
    }
    return dimension->codes[dimension->trees[0].root];
}

static void write_names(writing *w, const tacit_cells_table *table, const int32_t *names)
{
    for (int32_t i = 0; i < w->column_count; i++) {
        if (i)
            tacit__sink_char(&w->sink, w->delimiter);
        tacit__sink_cell(&w->sink, name_in(w, i, table, names), w->delimiter);
    }
}

static int64_t place_of(const writing *w, const tacit_cells_table *table, const int32_t *names)
{
    int64_t place = 0;
    for (int32_t i = 0; i < table->dimension_count; i++) {
        const tacit_dimension *dimension = &w->cells->dimensions[table->dimensions[i]];
        place += dimension->code_of[names[i]] * table->strides[i];
    }
    return place;
}

static void write_table(writing *w, int32_t t)
{
    const tacit_cells_table *table = &w->cells->tables[t];
    const int32_t *table_of = w->cells->inside->table_of;
    int32_t names[TACIT_MAX_DIMENSIONS] = {0}, i;
    do {
        int64_t place = place_of(w, table, names);
        int32_t cell = table->cells ? table->cells[place] : (int32_t)place;
        if (!table_of || table_of[cell] == t) {
            write_names(w, table, names);
            write_cell(w, cell);
        }
        for (i = table->dimension_count - 1; i >= 0; i--) {
            if (++names[i] < w->cells->dimensions[table->dimensions[i]].label_count)
                break;
            names[i] = 0;
        }
    } while (i >= 0 && w->sink.status == TACIT_OK);
}

static void write_indexes(writing *w)
{
    for (int32_t i = 0; i < w->cells->count && w->sink.status == TACIT_OK; i++) {
        tacit__sink_number(&w->sink, i);
        write_cell(w, i);
    }
}

/* Whether the numbers of contributors say more than the values. */
static bool freq_differs(const tacit_cells *cells)
{
    for (int32_t i = 0; cells->freq && i < cells->count; i++)
        if (!cells->counts || (double)cells->freq[i] != cells->value[i])
            return true;
    return false;
}

/* Two columns of one name could not be read back. */
static tacit_status check_names(const writing *w, const char *value, tacit_error *err)
{
    const char *const own[] = {value, "status", w->published ? "published" : NULL,
                               w->intervals ? "low" : NULL, w->intervals ? "high" : NULL};
    for (int32_t i = 0; i < w->column_count; i++)
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            if (own[k] && tacit_strview_equal(w->cells->dimensions[w->columns[i]].name,
                                              tacit_strview_of(own[k])))
                return tacit__error(err, TACIT_INVALID,
                                    "a dimension is named \"%s\", as another column of what is "
                                    "written; rename it",
                                    own[k]);
    return TACIT_OK;
}

tacit_status tacit_cells_write_csv(int fd, const char *name, const tacit_cells *cells,
                                   const char *status, const tacit_cells_csv_options *options,
                                   tacit_error *err)
{
    bool differs = freq_differs(cells);
    const char *value = options->value              ? options->value
                        : cells->counts && !differs ? "freq"
                                                    : "value";
    writing w = {.sink = {.fd = fd, .name = name, .err = err},
                 .cells = cells,
                 .status = status ? status : cells->status,
                 .release = options->release,
                 .freq = differs && !options->release,
                 .intervals = options->intervals,
                 .published = options->release ? NULL : options->published,
                 .delimiter = options->delimiter ? options->delimiter : ';'};
    find_columns(&w);
    tacit_status allowed = tacit__cells_known(cells, err);
    if (allowed == TACIT_OK)
        allowed = check_names(&w, value, err);
    if (allowed != TACIT_OK)
        return allowed;
    write_header(&w, value);
    if (!cells->dimension_count)
        write_indexes(&w);
    for (int32_t t = 0; t < cells->table_count; t++)
        write_table(&w, t);
    return tacit__sink_close(&w.sink);
}
