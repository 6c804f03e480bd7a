/*
 * write.c - the release of a sparse table, in the form that sparse.c reads: the listed
 * cells in their order, then those that a plan adds to the list.
 *
 * A plan is by row, so that an entry a row says where its cells start, and within a row it is
 * searched by column. Linear but for that; 4 bytes a row and a bit an added cell.
 *
 * No bounds, costs or levels: they would tell of suppressed cells what the value does not.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "cells/read/columns.h"
#include "cells/total/total.h"
#include "cells/write/sink.h"

typedef struct writing {
    tacit__sink sink;
    const tacit_table *table;
    const tacit_flat_view *view;
    const tacit_total_plan *plan;
    int32_t row, column; /* of the table */
    bool values;         /* a column of their own */
    char delimiter;
    int32_t *starts;  /* a row each, and the end: its first cell in the plan */
    uint64_t *listed; /* bit a cell of the plan: it is among the listed */
} writing;

/* ---- the plan ---- */

static tacit_status foreign(tacit_error *err)
{
    return tacit__error(err, TACIT_INVALID, "what is to be added was not found for this table");
}

static tacit_status index_plan(writing *w, tacit_error *err)
{
    const tacit_total_plan *plan = w->plan;
    w->starts = tacit__alloc_zeroed((size_t)w->view->rows + 1, sizeof *w->starts);
    w->listed = tacit__alloc_zeroed(tacit__bitset_words(plan->count), sizeof *w->listed);
    if (!w->starts || !w->listed)
        return tacit__nomem(err);
    for (int32_t k = 0; k < plan->count; k++) {
        bool inside = plan->row[k] >= 0 && plan->row[k] < w->view->rows && plan->column[k] >= 0 &&
                      plan->column[k] < w->view->columns;
        bool after = k == 0 || plan->row[k - 1] < plan->row[k] ||
                     (plan->row[k - 1] == plan->row[k] && plan->column[k - 1] < plan->column[k]);
        if (!inside || !after)
            return foreign(err);
        w->starts[plan->row[k] + 1]++;
    }
    for (int32_t row = 0; row < w->view->rows; row++)
        w->starts[row + 1] += w->starts[row];
    return TACIT_OK;
}

/* The place of a cell in the plan; -1: it is not in it. */
static int32_t find_added(const writing *w, int32_t row, int32_t column)
{
    int32_t low = w->starts[row], high = w->starts[row + 1];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (w->plan->column[middle] == column)
            return middle;
        if (w->plan->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

static char letter_of(const writing *w, int32_t cell)
{
    return w->view->status ? w->view->status[cell] : (char)TACIT_CELL_PRIMARY;
}

/* Which cells of the plan are listed: they must be free. */
static tacit_status match_plan(writing *w, tacit_error *err)
{
    tacit_status status = index_plan(w, err);
    for (int32_t i = 0; status == TACIT_OK && w->plan->count && i < w->view->count; i++) {
        int32_t added = find_added(w, w->view->row[i], w->view->column[i]);
        if (added < 0)
            continue;
        if (letter_of(w, i) != TACIT_CELL_FREE)
            return foreign(err);
        tacit__bit_set(w->listed, added);
    }
    return status;
}

/* ---- writing ---- */

static void write_name(writing *w, tacit_strview name)
{
    tacit__sink_cell(&w->sink, name, w->delimiter);
    tacit__sink_char(&w->sink, w->delimiter);
}

static void write_header(writing *w, const tacit_flat_spec *spec)
{
    write_name(w, tacit_strview_of(spec->row));
    write_name(w, tacit_strview_of(spec->column));
    if (w->values)
        write_name(w, tacit_strview_of(spec->value));
    tacit__sink_cell(&w->sink, tacit_strview_of("status"), w->delimiter);
    tacit__sink_line(&w->sink);
}

/* value NAN: none is shown. */
static void write_cell(writing *w, int32_t row, int32_t column, double value, char letter)
{
    write_name(w, tacit_table_value(w->table, w->row, (uint32_t)row));
    write_name(w, tacit_table_value(w->table, w->column, (uint32_t)column));
    if (w->values) {
        if (!isnan(value))
            tacit__sink_number(&w->sink, value);
        tacit__sink_char(&w->sink, w->delimiter);
    }
    tacit__sink_char(&w->sink, letter);
    tacit__sink_line(&w->sink);
}

static void write_listed(writing *w)
{
    const tacit_flat_view *view = w->view;
    for (int32_t i = 0; i < view->count && w->sink.status == TACIT_OK; i++) {
        char letter = letter_of(w, i);
        if (letter == TACIT_CELL_FREE && w->plan->count &&
            find_added(w, view->row[i], view->column[i]) >= 0)
            letter = TACIT_CELL_SECONDARY;
        bool hidden = letter == TACIT_CELL_PRIMARY || letter == TACIT_CELL_SECONDARY;
        write_cell(w, view->row[i], view->column[i], hidden || !view->value ? NAN : view->value[i],
                   letter);
    }
}

static void write_added(writing *w)
{
    const tacit_total_plan *plan = w->plan;
    for (int32_t k = 0; k < plan->count && w->sink.status == TACIT_OK; k++)
        if (!tacit__bit_get(w->listed, k))
            write_cell(w, plan->row[k], plan->column[k], NAN, TACIT_CELL_SECONDARY);
}

/* ---- */

/* The table that the list was read from, and names that can be told from another. */
static tacit_status check(writing *w, const tacit_flat_spec *spec, tacit_error *err)
{
    tacit_status status = tacit__column_find(&w->row, w->table, spec->row, err);
    if (status == TACIT_OK)
        status = tacit__column_find(&w->column, w->table, spec->column, err);
    if (status != TACIT_OK)
        return status;
    if (tacit_table_rows(w->table) != w->view->count ||
        tacit_table_distinct(w->table, w->row) != (uint32_t)w->view->rows ||
        tacit_table_distinct(w->table, w->column) != (uint32_t)w->view->columns)
        return tacit__error(err, TACIT_INVALID, "the list of cells was not read from this file");
    if (!strcmp(spec->row, "status") || !strcmp(spec->column, "status") ||
        (spec->value && !strcmp(spec->value, "status")))
        return tacit__error(err, TACIT_INVALID,
                            "a column is named \"status\", as another of what is written; rename "
                            "it");
    return TACIT_OK;
}

tacit_status tacit_flat_write(int fd, const char *name, const tacit_table *table,
                              const tacit_flat_table *flat, const tacit_total_plan *plan,
                              const tacit_flat_spec *spec, char delimiter, tacit_error *err)
{
    static const tacit_total_plan NOTHING = {0};
    writing w = {.sink = {.fd = fd, .name = name, .err = err},
                 .table = table,
                 .view = &flat->view,
                 .plan = plan ? plan : &NOTHING,
                 .values = spec->value != NULL,
                 .delimiter = delimiter ? delimiter : ';'};
    tacit_status status = check(&w, spec, err);
    if (status == TACIT_OK)
        status = match_plan(&w, err);
    if (status == TACIT_OK) {
        write_header(&w, spec);
        write_listed(&w);
        write_added(&w);
        status = tacit__sink_close(&w.sink);
    }
    tacit__free(w.starts);
    tacit__free(w.listed);
    return status;
}
