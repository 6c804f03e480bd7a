/*
 * long_read.c - tables from a long CSV, a row a cell.
 *
 * Rows may give every cell, or only those that others cannot be computed from, or anything
 * between. Ground cells that no row gives are zeros; everything else is summed up and compared
 * with what was given. A given subtotal stays as it was written.
 *
 * A code with a single part stands for one cell under two names; a file that lists both has
 * two rows for the cell, which must agree. The same names twice are an error.
 *
 * A release leaves values of suppressed cells out (open). They are read as NAN and completed
 * (alter/complete.c), so bounds are set before them. A value that is left out under one name and
 * stands under another is told: its bounds then say so.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "cells/cells/inside.h"
#include "cells/read/columns.h"
#include "cells/read/dimension.h"
#include "cells/rules/contributors.h"
#include "cells/suppress/methods.h"

/* Columns of numbers that stand for themselves in tacit_cells. */
enum { COST = 0, LOWER, UPPER, LPL, UPL, SPL, GIVEN_COLUMNS };
static const char *const given_names[GIVEN_COLUMNS] = {"weight", "lower", "upper",
                                                       "lpl",    "upl",   "spl"};

typedef struct long_reading {
    const tacit_table *table;
    const tacit_cells_spec *spec;
    tacit_cells *cells;
    tacit__bound bound;
    bool plain; /* every row takes one line */
    bool open;  /* some values are left out */
    bool *told; /* a cell each: left out in one row and given in another; open only */
    tacit__numbers value, freq, cost, request;
    tacit__numbers given[GIVEN_COLUMNS];
    tacit__numbers low, high; /* of releases: intervals */
    tacit__numbers max[TACIT_MAX_TOP];
    tacit__numbers owner[TACIT_MAX_TOP];
    int32_t status;  /* column; -1: none */
    char *statuses;  /* by value of the column */
    uint32_t *rows;  /* a cell each: the row that gives it, from 1; 0: none */
    tacit__off *off; /* what does not add up */
    size_t off_capacity;
    int64_t off_count;
} long_reading;

static void long_clear(long_reading *r)
{
    tacit__bound_clear(&r->bound);
    tacit__numbers_clear(&r->value);
    tacit__numbers_clear(&r->freq);
    tacit__numbers_clear(&r->cost);
    tacit__numbers_clear(&r->request);
    for (int i = 0; i < GIVEN_COLUMNS; i++)
        tacit__numbers_clear(&r->given[i]);
    tacit__numbers_clear(&r->low);
    tacit__numbers_clear(&r->high);
    for (int i = 0; i < TACIT_MAX_TOP; i++) {
        tacit__numbers_clear(&r->max[i]);
        tacit__numbers_clear(&r->owner[i]);
    }
    tacit__free(r->statuses);
    tacit__free(r->told);
    tacit__free(r->rows);
    tacit__free(r->off);
}

static bool is_dimension(const long_reading *r, const char *name)
{
    for (int32_t i = 0; i < r->spec->dimension_count; i++)
        if (!strcmp(r->spec->dimensions[i].column, name))
            return true;
    return false;
}

/* The name where the table has such a column that stands for itself, else NULL. */
static const char *present(const long_reading *r, const char *name)
{
    int32_t column = tacit_table_find(r->table, tacit_strview_of(name));
    bool taken =
        column < 0 || is_dimension(r, name) || (r->spec->value && !strcmp(r->spec->value, name));
    return taken ? NULL : name;
}

static tacit_status read_max(long_reading *r, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int i = 0; status == TACIT_OK && i < TACIT_MAX_TOP; i++) {
        char name[8];
        snprintf(name, sizeof name, "max%d", i + 1);
        if (!present(r, name))
            break;
        status = tacit__numbers_init(&r->max[i], r->table, name, TACIT__NUMBER_ANY, true, err);
        r->cells->top_count = i + 1;
    }
    return status;
}

/* Whose the largest contributions are, by numbers: of all of them, or of none. */
static tacit_status read_owners(long_reading *r, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int i = 0; status == TACIT_OK && i < r->cells->top_count; i++) {
        char name[16];
        snprintf(name, sizeof name, "owner%d", i + 1);
        if (!present(r, name))
            break;
        status = tacit__numbers_init(&r->owner[i], r->table, name, TACIT__NUMBER_WHOLE, true, err);
    }
    return status;
}

static bool has_owners(const long_reading *r)
{
    return r->cells->top_count > 0 && r->owner[r->cells->top_count - 1].by_code;
}

static tacit_status read_statuses(long_reading *r, tacit_error *err)
{
    r->status = -1;
    if (!present(r, "status"))
        return TACIT_OK;
    tacit_status status = tacit__column_find(&r->status, r->table, "status", err);
    return status == TACIT_OK ? tacit__letters_new(&r->statuses, r->table, r->status, err) : status;
}

static const char *freq_name(const tacit_cells_spec *spec)
{
    return spec->freq ? spec->freq : "freq";
}

static tacit_status read_values(long_reading *r, tacit_error *err)
{
    const char *name = r->spec->value ? r->spec->value : freq_name(r->spec);
    tacit__number_kind kind = r->spec->negative ? TACIT__NUMBER_ANY : TACIT__NUMBER_SIZE_ONLY;
    return r->spec->release
               ? tacit__numbers_init_open(&r->value, &r->open, r->table, name, kind, err)
               : tacit__numbers_init(&r->value, r->table, name, kind, false, err);
}

/* What is known of contributors, and costs. */
static tacit_status read_contributors(long_reading *r, tacit_error *err)
{
    const tacit_cells_spec *spec = r->spec;
    const char *freq = r->spec->freq ? r->spec->freq : present(r, "freq");
    tacit_status status =
        tacit__numbers_init(&r->freq, r->table, freq, TACIT__NUMBER_WHOLE, false, err);
    if (status == TACIT_OK)
        status = tacit__numbers_init(&r->cost, r->table, spec->cost, TACIT__NUMBER_ANY, false, err);
    if (status == TACIT_OK)
        status =
            tacit__numbers_init(&r->request, r->table, spec->request, TACIT__NUMBER_ANY, true, err);
    if (status == TACIT_OK)
        status = read_max(r, err);
    return status == TACIT_OK ? read_owners(r, err) : status;
}

/* What a release says of suppressed cells in place of their values. */
static tacit_status read_intervals(long_reading *r, tacit_error *err)
{
    if (!r->spec->release)
        return TACIT_OK;
    tacit_status status =
        tacit__numbers_init(&r->low, r->table, present(r, "low"), TACIT__NUMBER_ANY, true, err);
    if (status == TACIT_OK)
        status = tacit__numbers_init(&r->high, r->table, present(r, "high"), TACIT__NUMBER_ANY,
                                     true, err);
    return status;
}

static tacit_status read_long_columns(long_reading *r, tacit_error *err)
{
    tacit_status status = read_values(r, err);
    if (status == TACIT_OK && !r->open)
        status = read_contributors(r, err);
    for (int i = 0; status == TACIT_OK && i < GIVEN_COLUMNS; i++)
        status = tacit__numbers_init(
            &r->given[i], r->table, present(r, given_names[i]),
            i == LOWER || i == UPPER ? TACIT__NUMBER_ANY : TACIT__NUMBER_SIZE_ONLY, true, err);
    if (status == TACIT_OK)
        status = read_intervals(r, err);
    if (status == TACIT_OK)
        status = read_statuses(r, err);
    return status;
}

static tacit_status allocate_cells(long_reading *r, tacit_error *err)
{
    tacit_cells *cells = r->cells;
    size_t count = (size_t)cells->count;
    tacit_status status = TACIT_OK;
    bool measure = r->cost.by_code, asked = r->request.by_code;
    r->rows = tacit__alloc_zeroed(count, sizeof *r->rows);
    cells->line = tacit__alloc_zeroed(count, sizeof *cells->line);
    if (measure)
        cells->measure = tacit__alloc_zeroed(count, sizeof *cells->measure);
    if (asked)
        cells->asked = tacit__alloc_zeroed(count, sizeof *cells->asked);
    if (r->open) {
        cells->unknown = tacit__alloc_zeroed(count, sizeof *cells->unknown);
        r->told = tacit__alloc_zeroed(count, sizeof *r->told);
    }
    if (!r->rows || !cells->line || (measure && !cells->measure) || (asked && !cells->asked) ||
        (r->open && (!cells->unknown || !r->told)))
        return tacit__nomem(err);
    if (r->freq.by_code)
        status = tacit__cells_allocate_freq(cells, err);
    if (status == TACIT_OK && cells->top_count)
        status = tacit__cells_allocate_top(cells, cells->top_count, has_owners(r), err);
    return status;
}

/* Where a row stands. A row takes a line unless it has line breaks in quotes, and looking for
 * those again and again takes long. */
static int64_t line_of(const long_reading *r, int64_t row)
{
    return r->plain ? row + 1 + tacit_table_has_header(r->table) : tacit_table_line(r->table, row);
}

static bool same_names(const long_reading *r, int64_t a, int64_t b)
{
    for (int32_t d = 0; d < r->cells->dimension_count; d++)
        if (tacit_codes_at(r->bound.views[d], a) != tacit_codes_at(r->bound.views[d], b))
            return false;
    return true;
}

static bool add_off(long_reading *r, double by, int64_t row)
{
    if (!TACIT__PUSH(r->off, r->off_capacity, r->off_count, tacit__off_of(by, line_of(r, row))))
        return false;
    return true;
}

/* The letter of a row: where there are none, a value that is left out is suppressed. */
static char letter_of(const long_reading *r, int64_t row)
{
    if (r->status >= 0)
        return r->statuses[tacit_codes_at(tacit_table_codes(r->table, r->status), row)];
    return isnan(tacit__numbers_at(&r->value, row)) ? TACIT_CELL_SECONDARY : TACIT_CELL_FREE;
}

static tacit_status check_gap(const long_reading *r, int64_t row, tacit_error *err)
{
    if (!isnan(tacit__numbers_at(&r->value, row)) || tacit__suppressed(letter_of(r, row)))
        return TACIT_OK;
    return tacit__error_at(err, TACIT_PARSE, tacit_table_file(r->table), line_of(r, row), 0,
                           "the value is left out, but the status says that it is published; "
                           "write a number, or status u or x");
}

/* A cell of which one row gives the value and another, under another name, leaves it out. */
static void tell(long_reading *r, int32_t cell, int64_t row)
{
    double again = tacit__numbers_at(&r->value, row);
    if (isnan(again))
        r->cells->status[cell] = letter_of(r, row);
    else
        r->cells->value[cell] = again;
    r->cells->unknown[cell] = false;
    r->told[cell] = true;
}

/* A cell that another row gave already. */
static tacit_status meet_again(long_reading *r, int32_t cell, int64_t row, tacit_error *err)
{
    int64_t first = (int64_t)r->rows[cell] - 1;
    if (same_names(r, first, row))
        return tacit__error_at(err, TACIT_PARSE, tacit_table_file(r->table), line_of(r, row), 0,
                               "the cell stands in the table twice, first on line %lld",
                               (long long)line_of(r, first));
    double value = r->cells->value[cell], again = tacit__numbers_at(&r->value, row);
    if (isnan(value) != isnan(again))
        tell(r, cell, row);
    else if (!isnan(value) && !tacit__within(again - value, fabs(value), r->spec->tolerance) &&
             !add_off(r, again - value, row))
        return tacit__nomem(err);
    return TACIT_OK;
}

static tacit_status read_top(long_reading *r, int32_t cell, int64_t row, tacit_error *err)
{
    tacit_cells *cells = r->cells;
    double *top = cells->top + (int64_t)cell * cells->top_count, before = INFINITY;
    for (int32_t i = 0; i < cells->top_count; i++) {
        double size = tacit__numbers_at(&r->max[i], row);
        top[i] = isnan(size) ? 0 : fabs(size);
        if (top[i] > before)
            return tacit__error_at(err, TACIT_PARSE, tacit_table_file(r->table), line_of(r, row), 0,
                                   "max%d is larger than max%d; write the largest first", i + 1, i);
        before = top[i];
        double owner = cells->top_owner ? tacit__numbers_at(&r->owner[i], row) : NAN;
        if (owner < INT32_MAX)
            cells->top_owner[(int64_t)cell * cells->top_count + i] = (int32_t)owner;
    }
    return TACIT_OK;
}

static tacit_status read_row(long_reading *r, int64_t row, tacit_error *err)
{
    tacit_cells *cells = r->cells;
    int32_t cell = tacit__bound_cell(&r->bound, row);
    tacit_status status = check_gap(r, row, err);
    if (status != TACIT_OK)
        return status;
    if (r->rows[cell])
        return meet_again(r, cell, row, err);
    r->rows[cell] = (uint32_t)row + 1;
    cells->value[cell] = tacit__numbers_at(&r->value, row);
    cells->status[cell] = letter_of(r, row);
    if (r->open)
        cells->unknown[cell] = isnan(cells->value[cell]);
    if (cells->freq)
        cells->freq[cell] = (int64_t)tacit__numbers_at(&r->freq, row);
    if (cells->measure)
        cells->measure[cell] = tacit__numbers_at(&r->cost, row);
    if (cells->asked)
        cells->asked[cell] = tacit__numbers_at(&r->request, row) > 0;
    return cells->top_count ? read_top(r, cell, row, err) : TACIT_OK;
}

/* Sums ground cells to all others; what rows gave is compared, or, without compare, just
 * kept. */
static tacit_status fill_sums(long_reading *r, double *values, bool compare, tacit_error *err)
{
    tacit_cells *cells = r->cells;
    tacit_status status = TACIT_OK;
    double *sums = tacit__alloc_array((size_t)cells->count, sizeof *sums);
    double *sizes = tacit__alloc_array((size_t)cells->count, sizeof *sizes);
    if (!sums || !sizes) {
        status = tacit__nomem(err);
        goto cleanup;
    }
    for (int32_t i = 0; i < cells->count; i++) {
        sums[i] = values[i];
        sizes[i] = fabs(values[i]);
    }
    tacit__sum_up(sums, cells);
    tacit__sum_up(sizes, cells);
    tacit__round_to(sums, (size_t)cells->count, tacit__decimals_of(values, (size_t)cells->count));
    for (int32_t i = 0; status == TACIT_OK && i < cells->count; i++) {
        double by = values[i] - sums[i];
        if (!r->rows[i])
            values[i] = sums[i];
        else if (compare && !tacit__within(by, sizes[i], r->spec->tolerance) &&
                 !add_off(r, by, (int64_t)r->rows[i] - 1))
            status = tacit__nomem(err);
    }

cleanup:
    tacit__free(sums);
    tacit__free(sizes);
    return status;
}

static tacit_status fill_freq(long_reading *r, tacit_error *err)
{
    tacit_cells *cells = r->cells;
    double *numbers = tacit__alloc_array((size_t)cells->count, sizeof *numbers);
    if (!numbers)
        return tacit__nomem(err);
    for (int32_t i = 0; i < cells->count; i++)
        numbers[i] = (double)cells->freq[i];
    tacit_status status = fill_sums(r, numbers, false, err);
    for (int32_t i = 0; i < cells->count; i++)
        cells->freq[i] = (int64_t)numbers[i];
    tacit__free(numbers);
    return status;
}

static void merge_missing(void *context, int32_t cell, const int32_t *parts, int32_t count)
{
    long_reading *r = context;
    if (!r->rows[cell])
        tacit__top_merge(r->cells, cell, parts, count);
}

static tacit_status check_off(long_reading *r, tacit_error *err)
{
    return r->off_count ? tacit__off_error(r->off, r->off_count, r->cells->file,
                                           "subtotals do not add up", err)
                        : TACIT_OK;
}

static tacit_status fill_cells(long_reading *r, tacit_error *err)
{
    tacit_cells *cells = r->cells;
    tacit_status status = fill_sums(r, cells->value, true, err);
    if (status == TACIT_OK)
        status = check_off(r, err);
    if (status == TACIT_OK && cells->measure)
        status = fill_sums(r, cells->measure, false, err);
    if (status == TACIT_OK && cells->freq)
        status = fill_freq(r, err);
    if (status == TACIT_OK && cells->top_count)
        status = tacit__merge_up(cells, merge_missing, r, err);
    return status;
}

/* What is given replaces what was set by default. */
static void set_given(long_reading *r)
{
    tacit_cells *cells = r->cells;
    double *const to[GIVEN_COLUMNS] = {cells->cost, cells->lower, cells->upper,
                                       cells->lpl,  cells->upl,   cells->spl};
    cells->assumed = !r->given[LOWER].by_code && !r->given[UPPER].by_code;
    for (int k = 0; k < GIVEN_COLUMNS; k++)
        for (int32_t i = 0; r->given[k].by_code && i < cells->count; i++) {
            double number =
                r->rows[i] ? tacit__numbers_at(&r->given[k], (int64_t)r->rows[i] - 1) : NAN;
            if (!isnan(number))
                to[k][i] = number;
        }
}

/* Intervals that are published narrow what is known of suppressed cells. */
static void narrow(long_reading *r)
{
    tacit_cells *cells = r->cells;
    for (int32_t i = 0; i < cells->count; i++) {
        if (!r->rows[i] || !tacit__suppressed(cells->status[i]))
            continue;
        int64_t row = (int64_t)r->rows[i] - 1;
        double low = r->low.by_code ? tacit__numbers_at(&r->low, row) : NAN;
        double high = r->high.by_code ? tacit__numbers_at(&r->high, row) : NAN;
        cells->lower[i] = fmax(cells->lower[i], low);
        cells->upper[i] = fmin(cells->upper[i], high);
    }
}

static bool has_level(const long_reading *r, int32_t cell)
{
    for (int k = LPL; r->rows[cell] && k < GIVEN_COLUMNS; k++)
        if (r->given[k].by_code &&
            !isnan(tacit__numbers_at(&r->given[k], (int64_t)r->rows[cell] - 1)))
            return true;
    return false;
}

/* Levels of primary cells without any come from the margin, where we alone know their values. */
static void set_levels(long_reading *r)
{
    tacit_cells *cells = r->cells;
    for (int32_t i = 0; i < cells->count; i++)
        if (cells->status[i] == TACIT_CELL_PRIMARY &&
            !(r->open && (cells->unknown[i] || r->told[i])) && !has_level(r, i))
            tacit__margin_apply(cells, i, &r->spec->margin);
}

/* Subtotals that no row gives wait for their parts. */
static void open_totals(long_reading *r)
{
    const tacit_relations *all = &r->cells->relations;
    for (int32_t k = 0; k < all->count; k++) {
        int32_t total = all->items[all->starts[k]];
        if (!r->rows[total])
            r->cells->value[total] = NAN;
    }
}

/* A release: what outsiders know of values is that they are not negative, or nothing. */
static tacit_status fill_open(long_reading *r, const tacit_run *run, tacit_error *err)
{
    tacit_cells *cells = r->cells;
    tacit_status status = check_off(r, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < cells->count; i++) {
        cells->lower[i] = cells->negative ? -INFINITY : 0;
        cells->upper[i] = INFINITY;
    }
    set_given(r);
    narrow(r);
    for (int32_t i = 0; i < cells->count; i++) {
        if (r->told[i])
            cells->lower[i] = cells->upper[i] = cells->value[i];
        if (cells->lower[i] > cells->upper[i])
            return tacit__cell_error(cells, i, TACIT_INVALID, err,
                                     "its lower bound is above its upper one; correct them");
    }
    open_totals(r);
    status = tacit__cells_complete(cells, r->spec->tolerance, NULL, run, err);
    return status == TACIT_OK ? tacit__cells_finish(cells, err) : status;
}

static tacit_status fill_closed(long_reading *r, tacit_error *err)
{
    tacit_status status = fill_cells(r, err);
    if (status == TACIT_OK)
        status = tacit__cells_finish(r->cells, err);
    if (status != TACIT_OK)
        return status;
    tacit_cells_set_bounds(r->cells, 0);
    status = tacit_cells_set_costs(r->cells, TACIT_COST_VALUE, 1, err);
    set_given(r);
    narrow(r);
    return status;
}

static tacit_status read_long_cells(long_reading *r, const tacit_run *run, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    int64_t rows = tacit_table_rows(r->table), before = tacit_table_has_header(r->table);
    r->plain = rows == 0 || tacit_table_line(r->table, rows - 1) == rows + before;
    for (int64_t row = 0; status == TACIT_OK && row < rows; row++)
        status = read_row(r, row, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t i = 0; i < r->cells->count; i++)
        r->cells->line[i] = r->rows[i] ? (int32_t)line_of(r, (int64_t)r->rows[i] - 1) : 0;
    r->cells->counts =
        !r->spec->value || (r->spec->freq && strcmp(r->spec->freq, r->spec->value) == 0);
    r->cells->negative = r->spec->negative;
    status = r->open ? fill_open(r, run, err) : fill_closed(r, err);
    if (status == TACIT_OK)
        set_levels(r);
    return status;
}

static tacit_status read_long(long_reading *r, const tacit_run *run, tacit_error *err)
{
    tacit_status status = tacit__bound_init(&r->bound, r->cells, r->table, r->spec, false, err);
    if (status == TACIT_OK)
        status = read_long_columns(r, err);
    if (status == TACIT_OK)
        status = allocate_cells(r, err);
    if (status == TACIT_OK)
        status = tacit__cells_lower(r->cells, err);
    if (status == TACIT_OK)
        status = read_long_cells(r, run, err);
    return status;
}

tacit_status tacit_cells_from_table(tacit_cells **out, const tacit_table *table,
                                    const tacit_cells_spec *spec, const tacit_run *run,
                                    tacit_error *err)
{
    tacit_cells *cells;
    tacit_status status = tacit__cells_new(&cells, tacit_table_file(table), err);
    if (status != TACIT_OK)
        return status;
    long_reading r = {.table = table, .spec = spec, .cells = cells};
    status = read_long(&r, run, err);
    long_clear(&r);
    return tacit__cells_give(out, cells, status);
}
