/*
 * written_flat.c - the second check of a release of a sparse table: what was written, read back and
 * compared with the file that the table came from and with what was to be added to it.
 *
 * The release has the source's rows in their order, then the added cells. Numbers of names are
 * given by first appearance in both, so they are the same numbers, and texts need comparing only
 * once each: a row is right if its two numbers are those of the source and below the first that
 * stands for another text. The first row that is another cell ends the comparison, for what follows
 * would be wrong as well.
 *
 * Neither the reader of such files nor their writer is used. Linear in cells, times the logarithm
 * of those that were added; 8 bytes a distinct value, a bit an added cell.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tacit/experimental/audit_total.h>

#include "audit/tables/tables.h"
#include "base/alloc.h"
#include "base/bitset.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/parallel.h"

enum { ROW = 0, COLUMN, STATUS, VALUE, FLAT_COLUMNS, FLAT_ROWS_A_STEP = 1 << 16 };

/* One of the two files. */
typedef struct side {
    const tacit_table *table;
    int32_t columns[FLAT_COLUMNS]; /* -1: none */
    double *values; /* a text of the value's column each, and missing: NAN, no number */
    char *letters;  /* a text of the status column each, and missing; 0: no letter */
} side;

typedef struct flat_checking {
    const tacit_total_plan *plan;
    side source, file;
    uint32_t same[2]; /* names of rows and of columns that are the same in both files, from 0 on */
    tacit_cells_written *found;
    uint64_t *met; /* bit a cell of the plan: it is among the listed */
} flat_checking;

static void flat_clear(flat_checking *c)
{
    tacit__free(c->source.values);
    tacit__free(c->source.letters);
    tacit__free(c->file.values);
    tacit__free(c->file.letters);
    tacit__free(c->met);
}

/* ---- columns ---- */

static tacit_status find_source(side *s, const tacit_flat_spec *spec, tacit_error *err)
{
    const char *const names[] = {spec->row, spec->column, "status", spec->value};
    for (int i = 0; i < FLAT_COLUMNS; i++) {
        int32_t column = names[i] ? tacit_table_find(s->table, tacit_strview_of(names[i])) : -1;
        s->columns[i] = column >= 0 && tacit_table_is_coded(s->table, column) ? column : -1;
        if (s->columns[i] < 0 && names[i] && i != STATUS)
            return tacit__error_at(err, TACIT_INVALID, tacit_table_file(s->table), 0, 0,
                                   "there is no column \"%s\" that was read as codes",
                                   tacit__show(tacit_strview_of(names[i])).text);
    }
    return TACIT_OK;
}

static tacit_status read_texts(side *s, char missing, tacit_error *err)
{
    int32_t value = s->columns[VALUE], letter = s->columns[STATUS];
    uint32_t values = value < 0 ? 0 : tacit_table_distinct(s->table, value);
    uint32_t letters = letter < 0 ? 0 : tacit_table_distinct(s->table, letter);
    s->values = tacit__alloc_array((size_t)values + 1, sizeof *s->values);
    s->letters = tacit__alloc_array((size_t)letters + 1, sizeof *s->letters);
    if (!s->values || !s->letters)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < values; i++)
        s->values[i] = tacit__decimal_read(tacit_table_value(s->table, value, i));
    s->values[values] = NAN;
    for (uint32_t i = 0; i < letters; i++) {
        tacit_strview text = tacit_table_value(s->table, letter, i);
        s->letters[i] = text.len == 1 ? text.bytes[0] : '\0';
    }
    s->letters[letters] = missing;
    return TACIT_OK;
}

static uint32_t code_at(const side *s, int column, int64_t row)
{
    return tacit_codes_at(tacit_table_codes(s->table, s->columns[column]), row);
}

/* Without a status column everything is primary. */
static char letter_at(const side *s, int64_t row)
{
    return s->columns[STATUS] < 0 ? (char)TACIT_CELL_PRIMARY : s->letters[code_at(s, STATUS, row)];
}

static void compare_names(flat_checking *c, int axis)
{
    const side *a = &c->source, *b = &c->file;
    uint32_t most = tacit_table_distinct(a->table, a->columns[axis]), code = 0;
    if (tacit_table_distinct(b->table, b->columns[axis]) < most)
        most = tacit_table_distinct(b->table, b->columns[axis]);
    while (code < most && tacit_strview_equal(tacit_table_value(a->table, a->columns[axis], code),
                                              tacit_table_value(b->table, b->columns[axis], code)))
        code++;
    c->same[axis] = code;
}

/* ---- cells ---- */

/* at: the row of the file; -1: none. Finding its line takes a pass over the file, so only what is
 * listed has one. */
static void note_flat(flat_checking *c, int64_t at, uint32_t row, uint32_t column, const char *what)
{
    const side *s = &c->source;
    bool listed = at >= 0 && c->found->listed < TACIT_WRITTEN_LISTED;
    int64_t line = listed ? tacit_table_line(c->file.table, at) : 0;
    char text[TACIT_WRITTEN_BYTES];
    snprintf(text, sizeof text, "%s, %s: %s",
             tacit__show(tacit_table_value(s->table, s->columns[ROW], row)).text,
             tacit__show(tacit_table_value(s->table, s->columns[COLUMN], column)).text, what);
    tacit__written_note(c->found, line, text);
}

/* The place in the plan, which is by row and column; -1: none. */
static int32_t place_in_plan(const tacit_total_plan *plan, int32_t row, int32_t column)
{
    int32_t low = 0, high = plan->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        bool before =
            plan->row[middle] < row || (plan->row[middle] == row && plan->column[middle] < column);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low < plan->count && plan->row[low] == row && plan->column[low] == column ? low : -1;
}

/* Whether a row of the file is the cell that should stand there; else it is said, as what is
 * missing where the file has ended. */
static bool is_there(flat_checking *c, int64_t at, uint32_t row, uint32_t column)
{
    bool ended = at >= tacit_table_rows(c->file.table);
    bool there = !ended && row < c->same[ROW] && column < c->same[COLUMN] &&
                 code_at(&c->file, ROW, at) == row && code_at(&c->file, COLUMN, at) == column;
    if (!there)
        note_flat(c, ended ? -1 : at, row, column,
                  ended ? "it is missing, and so is all that follows"
                        : "it should stand here; what follows was not compared");
    return there;
}

/* A row that is the right cell: its letter, and its value, NAN where it must be empty. */
static void check_flat_row(flat_checking *c, int64_t at, uint32_t row, uint32_t column, char letter,
                           double value)
{
    const side *f = &c->file;
    uint32_t text = f->columns[VALUE] < 0 ? 0 : code_at(f, VALUE, at);
    bool empty = f->columns[VALUE] < 0 || text == tacit_table_distinct(f->table, f->columns[VALUE]);
    const char *wrong = NULL;
    if (letter_at(f, at) != letter)
        note_flat(c, at, row, column, "its status is not the pattern's");
    if (tacit__suppressed(letter))
        wrong = empty ? NULL : "it is suppressed and has a value";
    else if (f->columns[VALUE] >= 0 && f->values[text] != value)
        wrong = empty ? "it is published and has no value" : "its value is not the table's";
    if (wrong)
        note_flat(c, at, row, column, wrong);
    if (at < tacit_table_rows(c->source.table))
        tacit__written_letter(c->found, (int32_t)at, letter_at(f, at), empty);
}

static bool check_listed(flat_checking *c, int64_t at)
{
    const side *s = &c->source;
    uint32_t row = code_at(s, ROW, at), column = code_at(s, COLUMN, at);
    char letter = letter_at(s, at);
    int32_t added = place_in_plan(c->plan, (int32_t)row, (int32_t)column);
    if (!is_there(c, at, row, column))
        return false;
    if (added >= 0) {
        if (letter != TACIT_CELL_FREE)
            note_flat(c, -1, row, column,
                      "its status does not follow from the table's: only s may become x");
        tacit__bit_set(c->met, added);
        letter = TACIT_CELL_SECONDARY;
    }
    check_flat_row(c, at, row, column, letter,
                   s->columns[VALUE] < 0 ? NAN : s->values[code_at(s, VALUE, at)]);
    return true;
}

/* What the plan adds to the list, and the end of the file. */
static void check_added(flat_checking *c)
{
    int64_t at = tacit_table_rows(c->source.table);
    for (int32_t k = 0; k < c->plan->count; k++) {
        uint32_t row = (uint32_t)c->plan->row[k], column = (uint32_t)c->plan->column[k];
        if (tacit__bit_get(c->met, k))
            continue;
        if (!is_there(c, at, row, column))
            return;
        check_flat_row(c, at++, row, column, TACIT_CELL_SECONDARY, NAN);
    }
    if (at < tacit_table_rows(c->file.table))
        tacit__written_note(c->found, tacit_table_line(c->file.table, at),
                            "nothing should stand here, nor on what follows");
}

static tacit_status check_flat(flat_checking *c, const tacit_run *run, tacit_error *err)
{
    int64_t rows = tacit_table_rows(c->source.table);
    bool there = true;
    tacit_status status = read_texts(&c->source, TACIT_CELL_FREE, err);
    if (status == TACIT_OK)
        status = read_texts(&c->file, '\0', err);
    if (status != TACIT_OK)
        return status;
    compare_names(c, ROW);
    compare_names(c, COLUMN);
    for (int64_t at = 0; status == TACIT_OK && there && at < rows; at++) {
        there = check_listed(c, at);
        if (at % FLAT_ROWS_A_STEP == 0)
            status = tacit__progress(run, "checking what was written", at, rows, err);
    }
    if (status == TACIT_OK && there)
        check_added(c);
    return status;
}

/* ---- */

/* What the check cannot do without: codes, and a plan whose cells have names. */
static tacit_status start(flat_checking *c, const tacit_flat_spec *spec, tacit_error *err)
{
    const side *s = &c->source;
    tacit_status status = find_source(&c->source, spec, err);
    if (status == TACIT_OK)
        status = tacit__written_coded(c->file.table, err);
    if (status != TACIT_OK)
        return status;
    if (tacit_table_rows(s->table) > TACIT_MAX_FLAT_CELLS ||
        tacit_table_has_missing(s->table, s->columns[ROW]) ||
        tacit_table_has_missing(s->table, s->columns[COLUMN]))
        return tacit__error_at(err, TACIT_INVALID, tacit_table_file(s->table), 0, 0,
                               "this is no file of cells");
    for (int32_t k = 0; k < c->plan->count; k++)
        if ((uint32_t)c->plan->row[k] >= tacit_table_distinct(s->table, s->columns[ROW]) ||
            (uint32_t)c->plan->column[k] >= tacit_table_distinct(s->table, s->columns[COLUMN]))
            return tacit__error(err, TACIT_INVALID,
                                "what was to be added was not found for this table");
    c->met = tacit__alloc_zeroed(tacit__bitset_words(c->plan->count), sizeof *c->met);
    return c->met ? TACIT_OK : tacit__nomem(err);
}

tacit_status tacit_audit_flat_written(tacit_cells_written **out, const tacit_table *table,
                                      const tacit_total_plan *plan, const tacit_flat_spec *spec,
                                      const tacit_table *written, const tacit_run *run,
                                      tacit_error *err)
{
    static const tacit_total_plan NOTHING = {0};
    flat_checking c = {.plan = plan ? plan : &NOTHING, .source = {table}, .file = {written}};
    const tacit_strview names[] = {tacit_strview_of(spec->row), tacit_strview_of(spec->column),
                                   tacit_strview_of("status"),
                                   tacit_strview_of(spec->value ? spec->value : "")};
    tacit_status status = start(&c, spec, err);
    int32_t count = (int32_t)tacit_table_rows(table);
    if (status == TACIT_OK)
        status = tacit__written_new(&c.found, count, err);
    if (status != TACIT_OK) {
        flat_clear(&c);
        return status;
    }
    c.file.columns[VALUE] = -1;
    if (tacit__written_columns(c.file.columns, c.found, written, names, spec->value ? 4 : 3))
        status = check_flat(&c, run, err);
    tacit__written_absent(c.found, count);
    flat_clear(&c);
    return tacit__written_give(out, c.found, status);
}
