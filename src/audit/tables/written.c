/*
 * written.c - findings of the second check, and the check of a .jj file.
 *
 * What a command wrote is read back and compared with what it should be, by code that shares
 * nothing with the writer: a mistake there costs a release, not a respondent. Messages
 * name cells by their codes and places by their line; values stay out of them. Linear.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "audit/tables/tables.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/parallel.h"
#include "hierarchy/names.h"

tacit_status tacit__written_new(tacit_cells_written **out, int32_t count, tacit_error *err)
{
    tacit_cells_written *written = tacit__alloc_zeroed(1, sizeof *written);
    if (written)
        written->status = tacit__alloc_zeroed((size_t)count, sizeof *written->status);
    if (!written || !written->status) {
        tacit_cells_written_free(written);
        return tacit__nomem(err);
    }
    *out = written;
    return TACIT_OK;
}

void tacit_cells_written_free(tacit_cells_written *written)
{
    if (!written)
        return;
    tacit__free(written->status);
    tacit_intervals_clear(&written->intervals);
    tacit__free(written);
}

tacit_status tacit__written_give(tacit_cells_written **out, tacit_cells_written *written,
                                 tacit_status status)
{
    if (status != TACIT_OK) {
        tacit_cells_written_free(written);
        return status;
    }
    written->holds = written->problem_count == 0;
    *out = written;
    return TACIT_OK;
}

void tacit__written_note(tacit_cells_written *written, int64_t line, const char *what)
{
    if (written->problem_count++ >= TACIT_WRITTEN_LISTED)
        return;
    tacit_written_problem *problem = &written->problems[written->listed++];
    problem->line = line;
    snprintf(problem->message, sizeof problem->message, "%s", what);
}

void tacit__written_note_cell(tacit_cells_written *written, int64_t line, const tacit_cells *cells,
                              int32_t cell, const char *what)
{
    char name[TACIT_WRITTEN_BYTES / 2], text[TACIT_WRITTEN_BYTES];
    tacit_cells_describe(cells, cell, name, sizeof name);
    snprintf(text, sizeof text, "%s: %s", name, what);
    tacit__written_note(written, line, text);
}

/* Notes letters of a pattern that do not follow from the cells' own. */
static void check_pattern(tacit_cells_written *written, const tacit_cells *cells,
                          const char *status)
{
    for (int32_t i = 0; i < cells->count; i++) {
        bool suppressed_now =
            cells->status[i] == TACIT_CELL_FREE && status[i] == TACIT_CELL_SECONDARY;
        if (status[i] != cells->status[i] && !suppressed_now)
            tacit__written_note_cell(written, 0, cells, i,
                                     "its status does not follow from the table's: only s may "
                                     "become x");
    }
}

/* ---- columns and letters of a CSV ---- */

tacit_status tacit__written_coded(const tacit_table *file, tacit_error *err)
{
    for (int32_t i = 0; i < tacit_table_columns(file); i++)
        if (!tacit_table_is_coded(file, i))
            return tacit__error_at(err, TACIT_INVALID, tacit_table_file(file), 0, 0,
                                   "column %d was not read as codes", i + 1);
    return TACIT_OK;
}

bool tacit__written_columns(int32_t *columns, tacit_cells_written *written, const tacit_table *file,
                            const tacit_strview *names, int32_t wanted)
{
    int64_t before = written->problem_count;
    char text[128];
    for (int32_t i = 0; i < wanted; i++) {
        columns[i] = tacit_table_find(file, names[i]);
        snprintf(text, sizeof text, "column \"%s\" is missing", tacit__show(names[i]).text);
        if (columns[i] < 0)
            tacit__written_note(written, 1, text);
    }
    for (int32_t column = 0; column < tacit_table_columns(file); column++) {
        int32_t i = 0;
        while (i < wanted && columns[i] != column)
            i++;
        snprintf(text, sizeof text, "column %d should not be there", column + 1);
        if (i == wanted)
            tacit__written_note(written, 1, text);
    }
    return written->problem_count == before;
}

void tacit__written_letter(tacit_cells_written *written, int32_t cell, char letter, bool empty)
{
    char *kept = &written->status[cell];
    if (!empty)
        *kept = letter == TACIT_CELL_FIXED ? letter : TACIT_CELL_FREE;
    else if (!*kept)
        *kept = letter == TACIT_CELL_PRIMARY ? letter : TACIT_CELL_SECONDARY;
}

void tacit__written_absent(tacit_cells_written *written, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (!written->status[i])
            written->status[i] = TACIT_CELL_SECONDARY;
}

/* ---- .jj ---- */

static int64_t line_of(const tacit_cells *cells, int32_t cell)
{
    return cells->line ? cells->line[cell] : 0;
}

static void compare_numbers(tacit_cells_written *written, const tacit_cells *cells,
                            const tacit_cells *other)
{
    const struct {
        const double *own, *read;
        const char *what;
    } columns[] = {{cells->value, other->value, "its value is not the table's"},
                   {cells->cost, other->cost, "its cost is not the table's"},
                   {cells->lower, other->lower, "its lower bound is not the table's"},
                   {cells->upper, other->upper, "its upper bound is not the table's"},
                   {cells->lpl, other->lpl, "its lower level is not the table's"},
                   {cells->upl, other->upl, "its upper level is not the table's"},
                   {cells->spl, other->spl, "its sliding level is not the table's"}};
    for (int32_t i = 0; i < cells->count; i++)
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
            if (columns[k].own[i] != columns[k].read[i])
                tacit__written_note_cell(written, line_of(other, i), cells, i, columns[k].what);
}

static void compare_letters(tacit_cells_written *written, const tacit_cells *cells,
                            const char *status, const tacit_cells *other)
{
    for (int32_t i = 0; i < cells->count; i++) {
        written->status[i] = other->status[i];
        if (other->status[i] != status[i])
            tacit__written_note_cell(written, line_of(other, i), cells, i,
                                     "its status is not the pattern's");
    }
}

static bool same_relation(const tacit_relations *a, const tacit_relations *b, int32_t r)
{
    int64_t count = a->starts[r + 1] - a->starts[r];
    if (a->rhs[r] != b->rhs[r] || b->starts[r + 1] - b->starts[r] != count)
        return false;
    for (int64_t j = 0; j < count; j++)
        if (a->items[a->starts[r] + j] != b->items[b->starts[r] + j] ||
            a->coefs[a->starts[r] + j] != b->coefs[b->starts[r] + j])
            return false;
    return true;
}

static void compare_relations(tacit_cells_written *written, const tacit_relations *a,
                              const tacit_relations *b)
{
    if (a->count != b->count)
        tacit__written_note(written, 0, "the number of relations is not the table's");
    for (int32_t r = 0; a->count == b->count && r < a->count; r++) {
        char text[64];
        snprintf(text, sizeof text, "relation %d is not the table's", r + 1);
        if (!same_relation(a, b, r))
            tacit__written_note(written, 0, text);
    }
}

tacit_status tacit_audit_cells_same(tacit_cells_written **out, const tacit_cells *cells,
                                    const char *status, const tacit_cells *written,
                                    tacit_error *err)
{
    tacit_cells_written *found = NULL;
    tacit_status result = tacit__written_new(&found, cells->count, err);
    if (result != TACIT_OK)
        return result;
    if (!status)
        status = cells->status;
    check_pattern(found, cells, status);
    if (written->count != cells->count) {
        tacit__written_note(found, 0, "the number of cells is not the table's");
    } else {
        compare_numbers(found, cells, written);
        compare_letters(found, cells, status, written);
        compare_relations(found, &cells->relations, &written->relations);
    }
    return tacit__written_give(out, found, TACIT_OK);
}

/* The second check of a release: a long CSV read back, compared with the cells that it should show
 * and the pattern that it should keep.
 *
 * A table of the cells is a sheet here: every combination of the names of its codes must be a row,
 * once. Columns of the file are looked up by name, texts of a column are translated to numbers of
 * names once each, and a row is then a place among a sheet's combinations, where a bit says
 * whether it was there before. A cell that several sheets share stands in the first of them only.
 * Dimensions that a sheet does not have are at their total, an axis with one name; cells without
 * dimensions are a sheet with one axis whose names are their indexes.
 *
 * Linear in rows, cells and texts; a bit a combination and four bytes a text. */

enum { COLUMNS = TACIT_MAX_DIMENSIONS + 4, ROWS_A_STEP = 1 << 16 };

/* A column of codes as a sheet reads it. */
typedef struct axis {
    tacit_codes_view codes;
    int32_t *names;         /* a text of the file each, and missing: the name it is; -1: none */
    int32_t count;          /* names */
    const int32_t *code_of; /* a name each; NULL: the same number */
    int64_t stride;         /* among the sheet's combinations of names */
    int64_t place_stride;   /* among its places, which are combinations of codes */
} axis;

typedef struct sheet {
    axis axes[TACIT_MAX_DIMENSIONS];
    const int32_t *cells; /* a place each; NULL: the same number */
    int64_t combinations;
    uint64_t *seen; /* bit a combination */
} sheet;

typedef struct checking {
    const tacit_cells *cells;
    const char *status;
    const tacit_table *file;
    tacit_cells_written *found;
    const tacit_intervals *intervals; /* that should stand in it, or NULL */
    tacit_strview names[COLUMNS]; /* of the columns that should be there: codes, value, status, and
                                     with intervals low and high */
    int32_t columns[COLUMNS];     /* where they are in the file */
    int32_t axis_count;
    sheet *sheets;
    int32_t sheet_count;
    int32_t *first;  /* a cell each: the first sheet that has it; NULL: there is one */
    double *values;  /* a text of the value's column each; NAN: not a number */
    char *letters;   /* a text of the status column each; 0: not a letter */
    double *ends[2]; /* a text of the columns low and high each; NAN: not a number */
} checking;

static void clear(checking *c)
{
    for (int32_t s = 0; c->sheets && s < c->sheet_count; s++) {
        for (int32_t i = 0; i < c->axis_count; i++)
            tacit__free(c->sheets[s].axes[i].names);
        tacit__free(c->sheets[s].seen);
    }
    tacit__free(c->sheets);
    tacit__free(c->first);
    tacit__free(c->values);
    tacit__free(c->letters);
    tacit__free(c->ends[0]);
    tacit__free(c->ends[1]);
}

/* ---- columns ---- */

/* Dimensions of one name, which linked tables may have, are one column. */
static void name_axes(checking *c)
{
    for (int32_t d = 0; d < c->cells->dimension_count; d++) {
        int32_t i = 0;
        while (i < c->axis_count && !tacit_strview_equal(c->names[i], c->cells->dimensions[d].name))
            i++;
        if (i == c->axis_count)
            c->names[c->axis_count++] = c->cells->dimensions[d].name;
    }
    if (!c->axis_count)
        c->names[c->axis_count++] = tacit_strview_of("cell");
}

static const char *value_name(const checking *c, const tacit_cells_csv_options *options)
{
    const tacit_cells *cells = c->cells;
    bool counts = cells->counts;
    for (int32_t i = 0; counts && cells->freq && i < cells->count; i++)
        counts = (double)cells->freq[i] == cells->value[i];
    return options->value ? options->value : counts ? "freq" : "value";
}

/* The numbers that the texts of a column are. */
static tacit_status read_numbers(double **out, const checking *c, int32_t column, tacit_error *err)
{
    uint32_t texts = tacit_table_distinct(c->file, column);
    double *numbers = tacit__alloc_array((size_t)texts + 1, sizeof *numbers);
    if (!numbers)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < texts; i++)
        numbers[i] = tacit__decimal_read(tacit_table_value(c->file, column, i));
    numbers[texts] = NAN;
    *out = numbers;
    return TACIT_OK;
}

static tacit_status read_values(checking *c, tacit_error *err)
{
    int32_t value = c->columns[c->axis_count], letter = c->columns[c->axis_count + 1];
    uint32_t letters = tacit_table_distinct(c->file, letter);
    tacit_status status = read_numbers(&c->values, c, value, err);
    for (int k = 0; k < 2 && c->intervals && status == TACIT_OK; k++)
        status = read_numbers(&c->ends[k], c, c->columns[c->axis_count + 2 + k], err);
    if (status != TACIT_OK)
        return status;
    c->letters = tacit__alloc_zeroed((size_t)letters + 1, sizeof *c->letters);
    if (!c->letters)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < letters; i++) {
        tacit_strview text = tacit_table_value(c->file, letter, i);
        c->letters[i] = text.len == 1 ? text.bytes[0] : '\0';
    }
    return TACIT_OK;
}

/* ---- sheets ---- */

static tacit_status open_axis(axis *a, const checking *c, int32_t column, tacit_error *err)
{
    size_t texts = (size_t)tacit_table_distinct(c->file, column) + 1;
    a->codes = tacit_table_codes(c->file, column);
    a->names = tacit__alloc_array(texts, sizeof *a->names);
    if (!a->names)
        return tacit__nomem(err);
    for (size_t i = 0; i < texts; i++)
        a->names[i] = -1;
    return TACIT_OK;
}

/* Which of some names each text of a column is. */
static tacit_status match_names(axis *a, const checking *c, int32_t column,
                                const tacit_strview *labels, int32_t count, tacit_error *err)
{
    tacit__names names = {0};
    a->count = count;
    for (int32_t i = 0; i < count; i++) {
        bool added;
        if (tacit__names_add(&names, labels[i], &added) == TACIT__NONE) {
            tacit__names_clear(&names);
            return tacit__nomem(err);
        }
    }
    for (uint32_t i = 0; i < tacit_table_distinct(c->file, column); i++) {
        uint32_t name = tacit__names_find(&names, tacit_table_value(c->file, column, i));
        a->names[i] = name == TACIT__NONE ? -1 : (int32_t)name;
    }
    tacit__names_clear(&names);
    return TACIT_OK;
}

static void match_indexes(axis *a, const checking *c, int32_t column)
{
    a->count = c->cells->count;
    a->place_stride = 1;
    for (uint32_t i = 0; i < tacit_table_distinct(c->file, column); i++) {
        double index = tacit__decimal_read(tacit_table_value(c->file, column, i));
        if (index >= 0 && index < c->cells->count && index == floor(index))
            a->names[i] = (int32_t)index;
    }
}

/* The dimension of a table that a column is, as its number there; -1: none. */
static int32_t dimension_in(const checking *c, const tacit_cells_table *table, tacit_strview name)
{
    for (int32_t i = 0; i < table->dimension_count; i++)
        if (tacit_strview_equal(c->cells->dimensions[table->dimensions[i]].name, name))
            return i;
    return -1;
}

/* The first dimension of all tables that has the name. */
static const tacit_dimension *dimension_named(const checking *c, tacit_strview name)
{
    const tacit_dimension *dimension = c->cells->dimensions;
    while (!tacit_strview_equal(dimension->name, name))
        dimension++;
    return dimension;
}

static tacit_status fill_axis(axis *a, const checking *c, int32_t s, int32_t i, tacit_error *err)
{
    int32_t column = c->columns[i];
    tacit_status status = open_axis(a, c, column, err);
    if (status != TACIT_OK)
        return status;
    if (!c->cells->dimension_count) {
        match_indexes(a, c, column);
        return TACIT_OK;
    }
    const tacit_cells_table *table = &c->cells->tables[s];
    int32_t d = dimension_in(c, table, c->names[i]);
    if (d < 0) {
        const tacit_dimension *absent = dimension_named(c, c->names[i]);
        return match_names(a, c, column, &absent->codes[absent->trees[0].root], 1, err);
    }
    const tacit_dimension *dimension = &c->cells->dimensions[table->dimensions[d]];
    a->code_of = dimension->code_of;
    a->place_stride = table->strides[d];
    return match_names(a, c, column, dimension->labels, dimension->label_count, err);
}

static tacit_status fill_sheet(checking *c, int32_t s, tacit_error *err)
{
    sheet *to = &c->sheets[s];
    tacit_status status = TACIT_OK;
    to->combinations = 1;
    to->cells = c->cells->dimension_count ? c->cells->tables[s].cells : NULL;
    for (int32_t i = c->axis_count - 1; status == TACIT_OK && i >= 0; i--) {
        status = fill_axis(&to->axes[i], c, s, i, err);
        to->axes[i].stride = to->combinations;
        if (status == TACIT_OK && to->combinations > TACIT_MAX_ROWS / to->axes[i].count)
            status = tacit__error(err, TACIT_LIMIT, "the table has too many names to be checked");
        to->combinations *= to->axes[i].count;
    }
    if (status != TACIT_OK)
        return status;
    to->seen = tacit__alloc_zeroed(tacit__bitset_words(to->combinations), sizeof *to->seen);
    return to->seen ? TACIT_OK : tacit__nomem(err);
}

static tacit_status fill_sheets(checking *c, tacit_error *err)
{
    int32_t count = c->cells->dimension_count ? c->cells->table_count : 1;
    tacit_status status = TACIT_OK;
    c->sheets = tacit__alloc_zeroed((size_t)count, sizeof *c->sheets);
    if (!c->sheets)
        return tacit__nomem(err);
    c->sheet_count = count;
    for (int32_t s = 0; status == TACIT_OK && s < count; s++)
        status = fill_sheet(c, s, err);
    if (status != TACIT_OK || count == 1)
        return status;
    c->first = tacit__alloc_array((size_t)c->cells->count, sizeof *c->first);
    if (!c->first)
        return tacit__nomem(err);
    for (int32_t s = count - 1; s >= 0; s--)
        for (int32_t place = 0; place < c->cells->tables[s].place_count; place++)
            c->first[c->sheets[s].cells ? c->sheets[s].cells[place] : place] = s;
    return TACIT_OK;
}

/* ---- rows ---- */

/* The sheet's cell at a place that is to be written there; -1: none. */
static int32_t cell_of(const checking *c, int32_t s, int64_t place)
{
    const int32_t *cells = c->sheets[s].cells;
    int32_t cell = cells ? cells[place] : (int32_t)place;
    return !c->first || c->first[cell] == s ? cell : -1;
}

/* The cell that a row stands for in a sheet, and the combination of its names; -1: none. */
static int32_t find_cell(int64_t *combination, const checking *c, int32_t s, int64_t row)
{
    int64_t place = 0;
    *combination = 0;
    for (int32_t i = 0; i < c->axis_count; i++) {
        const axis *a = &c->sheets[s].axes[i];
        int32_t name = a->names[tacit_codes_at(a->codes, row)];
        if (name < 0)
            return -1;
        *combination += name * a->stride;
        place += (a->code_of ? a->code_of[name] : name) * a->place_stride;
    }
    return cell_of(c, s, place);
}

static void note(checking *c, int64_t row, int32_t cell, const char *what)
{
    bool listed = c->found->listed < TACIT_WRITTEN_LISTED;
    int64_t line = listed ? tacit_table_line(c->file, row) : 0;
    if (cell < 0)
        tacit__written_note(c->found, line, what);
    else
        tacit__written_note_cell(c->found, line, c->cells, cell, what);
}

/* What a row says of one end: open where nothing stands there. */
static double end_at(checking *c, int64_t row, int32_t cell, int k)
{
    int32_t column = c->columns[c->axis_count + 2 + k];
    uint32_t text = tacit_codes_at(tacit_table_codes(c->file, column), row);
    double end = c->ends[k][text];
    if (text == tacit_table_distinct(c->file, column))
        return k ? INFINITY : -INFINITY;
    if (isnan(end))
        note(c, row, cell, "an end of its interval is no number");
    return end;
}

/* Keeps the narrower of what several rows say. */
static void check_interval(checking *c, int64_t row, int32_t cell)
{
    tacit_intervals *kept = &c->found->intervals;
    double low = end_at(c, row, cell, 0), high = end_at(c, row, cell, 1);
    double value = c->cells->value[cell];
    if (!tacit__suppressed(c->status[cell])) {
        if (isfinite(low) || isfinite(high))
            note(c, row, cell, "it is published and has an interval");
        return;
    }
    if (low > value || high < value)
        note(c, row, cell, "its interval does not hold its value");
    else if (low != c->intervals->low[cell] || high != c->intervals->high[cell])
        note(c, row, cell, "its interval is not the one to be published");
    kept->low[cell] = fmax(kept->low[cell], low);
    kept->high[cell] = fmin(kept->high[cell], high);
}

static void check_cell(checking *c, int64_t row, int32_t cell)
{
    int32_t value = c->columns[c->axis_count], letter = c->columns[c->axis_count + 1];
    uint32_t text = tacit_codes_at(tacit_table_codes(c->file, value), row);
    char given = c->letters[tacit_codes_at(tacit_table_codes(c->file, letter), row)];
    bool empty = text == tacit_table_distinct(c->file, value);
    tacit__written_letter(c->found, cell, given, empty);
    if (given != c->status[cell])
        note(c, row, cell, "its status is not the pattern's");
    if (tacit__suppressed(c->status[cell])) {
        if (!empty)
            note(c, row, cell, "it is suppressed and has a value");
    } else if (c->values[text] != c->cells->value[cell])
        note(c, row, cell,
             empty ? "it is published and has no value" : "its value is not the table's");
    if (c->intervals)
        check_interval(c, row, cell);
}

static void check_row(checking *c, int64_t row)
{
    int64_t combination = 0;
    int32_t cell = -1, s = 0;
    for (; s < c->sheet_count; s++) {
        cell = find_cell(&combination, c, s, row);
        if (cell >= 0)
            break;
    }
    if (cell < 0) {
        note(c, row, -1, "no cell of the table has these codes");
        return;
    }
    if (tacit__bit_get(c->sheets[s].seen, combination))
        note(c, row, cell, "it stands in the file twice");
    tacit__bit_set(c->sheets[s].seen, combination);
    check_cell(c, row, cell);
}

/* Combinations of names that no row has. */
static void check_missing(checking *c, int32_t s)
{
    const sheet *in = &c->sheets[s];
    for (int64_t k = 0; k < in->combinations; k++) {
        int64_t rest = k, place = 0;
        if (tacit__bit_get(in->seen, k))
            continue;
        for (int32_t i = 0; i < c->axis_count; i++) {
            const axis *a = &in->axes[i];
            int64_t name = rest / a->stride;
            place += (a->code_of ? a->code_of[name] : name) * a->place_stride;
            rest %= a->stride;
        }
        int32_t cell = cell_of(c, s, place);
        if (cell >= 0)
            tacit__written_note_cell(c->found, 0, c->cells, cell,
                                     "it is missing under one of its names");
    }
}

static tacit_status check(checking *c, const tacit_run *run, tacit_error *err)
{
    int64_t rows = tacit_table_rows(c->file);
    tacit_status status = read_values(c, err);
    if (status == TACIT_OK)
        status = fill_sheets(c, err);
    for (int64_t row = 0; status == TACIT_OK && row < rows; row++) {
        check_row(c, row);
        if (row % ROWS_A_STEP == 0)
            status = tacit__progress(run, "checking what was written", row, rows, err);
    }
    for (int32_t s = 0; status == TACIT_OK && s < c->sheet_count; s++)
        check_missing(c, s);
    return status;
}

tacit_status tacit_audit_cells_written(tacit_cells_written **out, const tacit_cells *cells,
                                       const char *status, const tacit_table *written,
                                       const tacit_cells_csv_options *options, const tacit_run *run,
                                       tacit_error *err)
{
    checking c = {.cells = cells,
                  .status = status ? status : cells->status,
                  .file = written,
                  .intervals = options->intervals};
    tacit_cells_written *found = NULL;
    if (!options->release)
        return tacit__error(err, TACIT_INVALID, "only what is written for the public is checked");
    tacit_status result = tacit__written_coded(written, err);
    if (result == TACIT_OK)
        result = tacit__written_new(&found, cells->count, err);
    if (result == TACIT_OK && c.intervals)
        result = tacit_intervals_init(&found->intervals, cells, err);
    if (result != TACIT_OK) {
        tacit_cells_written_free(found);
        return result;
    }
    c.found = found;
    name_axes(&c);
    c.names[c.axis_count] = tacit_strview_of(value_name(&c, options));
    c.names[c.axis_count + 1] = tacit_strview_of("status");
    c.names[c.axis_count + 2] = tacit_strview_of("low");
    c.names[c.axis_count + 3] = tacit_strview_of("high");
    check_pattern(found, cells, c.status);
    if (tacit__written_columns(c.columns, found, written, c.names,
                               c.axis_count + (c.intervals ? 4 : 2)))
        result = check(&c, run, err);
    tacit__written_absent(found, cells->count);
    clear(&c);
    return tacit__written_give(out, found, result);
}
