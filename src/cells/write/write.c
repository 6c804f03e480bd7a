/*
 * write.c - tables written: as .jj, as a long CSV and as the tables that people read.
 *
 * The long CSV, a row a cell, is in the form that read/long_read.c reads. Rows follow the names of
 * codes, not the codes: a code with two names (a total with a single part) has a row for each, as
 * its readers expect. A cell that several tables share stands in the first of them only; dimensions
 * that its table does not have are at their total. Cells without dimensions are known by their
 * index, column `cell`. A release holds the value where it is published, and no counts, levels or
 * contributors: they would tell of suppressed cells what the value does not. Intervals, where there
 * are any, are published beside it.
 *
 * The SBS form of tau-Argus is for an office that a table is transmitted to: all values, and why
 * each is not published.
 *
 * A table for readers has one dimension across and a row for every combination of the others. It
 * goes by the names of codes, too, but every table is written in full, shared cells too, because a
 * table with holes says less. The file is for the public: of a suppressed cell it has the mark, or
 * its interval, and status letters, counts and levels of no cell at all.
 *
 * Text goes out in large steps, so that a table of a million cells costs no memory of its length.
 * Linear in the names' combinations.
 */
#include "cells/write/write.h"

#include <math.h>
#include <stdio.h>

#include <tacit/experimental/cells.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/file.h"
#include "cells/cells/inside.h"
#include "cells/rules/rules.h"
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

static void write_jj_cell(tacit__sink *sink, const tacit_cells *cells, int32_t i, char status)
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

static void write_jj_relation(tacit__sink *sink, const tacit_relations *relations, int32_t r)
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
        write_jj_cell(&sink, cells, i, status[i]);
    tacit__sink_number(&sink, cells->relations.count);
    tacit__sink_line(&sink);
    for (int32_t r = 0; sink.status == TACIT_OK && r < cells->relations.count; r++)
        write_jj_relation(&sink, &cells->relations, r);
    return tacit__sink_close(&sink);
}

typedef struct writing writing;

struct writing {
    tacit__sink sink;
    const tacit_cells *cells;
    const char *status;
    void (*put)(writing *w, int32_t cell); /* what follows the codes, and the end of the line */
    bool filled;                           /* cells without contributors are left out */
    const tacit_rule *rules;
    int32_t rule_count;
    bool release;
    bool freq; /* a column of its own */
    const tacit_intervals *intervals;
    const double *published;
    char delimiter;
    int32_t columns[TACIT_MAX_DIMENSIONS]; /* a dimension each, of those with the same name the
                                              first */
    int32_t column_count;
};

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
        if ((!table_of || table_of[cell] == t) && !(w->filled && w->cells->freq[cell] == 0)) {
            write_names(w, table, names);
            w->put(w, cell);
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
                 .put = write_cell,
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

/* Why a cell is not published, in a letter; V where it is. The first of these reasons counts. */
static char reason_of(const writing *w, int32_t cell)
{
    static const struct {
        tacit_rule_kind kind;
        char letter;
    } REASONS[] = {{TACIT_RULE_FREQ, 'A'},
                   {TACIT_RULE_P, 'F'},
                   {TACIT_RULE_PQ, 'F'},
                   {TACIT_RULE_DOMINANCE, 'C'}};
    if (w->status[cell] != TACIT_CELL_PRIMARY)
        return w->status[cell] == TACIT_CELL_SECONDARY ? 'D' : 'V';
    for (size_t k = 0; k < sizeof REASONS / sizeof *REASONS; k++)
        for (int32_t i = 0; i < w->rule_count; i++)
            if (w->rules[i].kind == REASONS[k].kind &&
                tacit__rule_finds(w->cells, cell, &w->rules[i]))
                return w->rules[i].kind == TACIT_RULE_DOMINANCE && w->rules[i].n == 1
                           ? 'B'
                           : REASONS[k].letter;
    return 'B';
}

static void write_percent(writing *w, double percent)
{
    tacit__sink_char(&w->sink, w->delimiter);
    tacit__strbuf_format(&w->sink.text, "%.1f", percent);
}

/* Value, contributors, the letter, and what the largest of them have. */
static void write_transmitted(writing *w, int32_t cell)
{
    char letter = reason_of(w, cell);
    write_number(w, w->cells->value[cell]);
    write_number(w, (double)w->cells->freq[cell]);
    tacit__sink_char(&w->sink, w->delimiter);
    tacit__sink_char(&w->sink, letter);
    double first = tacit__largest_percent(w->cells, cell, 1);
    double both = tacit__largest_percent(w->cells, cell, 2);
    if (letter == 'B' || letter == 'F')
        write_percent(w, first);
    if (letter == 'C')
        write_percent(w, both);
    if (letter == 'F')
        write_percent(w, both - first);
    tacit__sink_line(&w->sink);
}

tacit_status tacit_cells_write_sbs(int fd, const char *name, const tacit_cells *cells,
                                   const char *status, const tacit_rule *rules, int32_t rule_count,
                                   tacit_error *err)
{
    writing w = {.sink = {.fd = fd, .name = name, .err = err},
                 .cells = cells,
                 .status = status ? status : cells->status,
                 .put = write_transmitted,
                 .filled = true,
                 .rules = rules,
                 .rule_count = rule_count,
                 .delimiter = ','};
    tacit_status allowed = tacit__cells_known(cells, err);
    if (allowed != TACIT_OK)
        return allowed;
    if (!cells->freq || !cells->dimension_count)
        return tacit__error(err, TACIT_INVALID,
                            "%.200s: the SBS form has codes and numbers of contributors, which "
                            "these cells have not",
                            name);
    find_columns(&w);
    for (int32_t t = 0; t < cells->table_count; t++)
        write_table(&w, t);
    return tacit__sink_close(&w.sink);
}

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
static void write_pivot_cell(pivoting *p, bool *first, tacit_strview text)
{
    if (!*first)
        tacit__sink_char(&p->sink, p->delimiter);
    *first = false;
    tacit__sink_cell(&p->sink, text, p->delimiter);
}

static void write_pivot_header(pivoting *p)
{
    const tacit_dimension *across = dimension_at(p, p->across);
    bool first = true;
    for (int32_t i = 0; i < p->table->dimension_count; i++)
        if (i != p->across)
            write_pivot_cell(p, &first, dimension_at(p, i)->name);
    for (int32_t label = 0; label < across->label_count; label++)
        write_pivot_cell(p, &first, across->labels[label]);
    tacit__sink_line(&p->sink);
}

/* low..high, without an end that is open; the mark where both are. */
static void write_interval(pivoting *p, bool *first, int32_t cell)
{
    double low = p->intervals->low[cell], high = p->intervals->high[cell];
    if (!isfinite(low) && !isfinite(high)) {
        write_pivot_cell(p, first, p->mark);
        return;
    }
    write_pivot_cell(p, first, tacit_strview_of(""));
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
            write_pivot_cell(p, first, p->mark);
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
        write_pivot_cell(p, &first, dimension->labels[names[i]]);
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

static void write_pivot(pivoting *p)
{
    int32_t names[TACIT_MAX_DIMENSIONS] = {0};
    write_pivot_header(p);
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
        write_pivot(&p);
    }
    return tacit__sink_close(&p.sink);
}
