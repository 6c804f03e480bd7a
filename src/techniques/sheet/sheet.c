/*
 * sheet.c - rows, columns and single cells of a sheet: made of a table, loaded on demand,
 * rearranged; numbers read and written, texts made up, what a cell says.
 *
 * Loading is one pass over the file's rows for all columns that are asked for, a stretch a task:
 * eight bytes a cell. Rearranging rows gathers the marks and numbers of the columns that are
 * loaded; those that are loaded later follow `origin`.
 *
 * Numbers are written with as many decimals as the column's numbers have, so that a changed value
 * does not stand out by its digits; a number that comes out as what stands there leaves the cell
 * alone, byte for byte.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "table/csv_row.h"
#include "techniques/runner/technique.h"
#include "techniques/sheet/sheet.h"

tacit__cell tacit__cell_get(const tacit__sheet_column *column, int64_t row)
{
    return (tacit__cell){column->marks[row], column->numbers ? column->numbers[row] : NAN};
}

void tacit__cell_put(tacit__sheet_column *column, int64_t row, tacit__cell cell)
{
    column->marks[row] = cell.mark;
    if (column->numbers)
        column->numbers[row] = cell.number;
}

void tacit__cell_swap(tacit__sheet_column *column, int64_t a, int64_t b)
{
    tacit__cell kept = tacit__cell_get(column, a);
    tacit__cell_put(column, a, tacit__cell_get(column, b));
    tacit__cell_put(column, b, kept);
}

bool tacit__cell_is_empty(const tacit__sheet_column *column, int64_t row)
{
    return column->marks[row] == 0;
}

double tacit__sheet_round(const tacit__sheet_column *column, double number)
{
    return tacit__fixed_round(number, column->decimals);
}

void tacit__sheet_decimals(tacit__sheet_column *column, int decimals)
{
    column->decimals = decimals < TACIT__MAX_DECIMALS ? decimals : TACIT__MAX_DECIMALS;
}

bool tacit__cell_put_number(tacit__sheet_column *column, int64_t row, double number)
{
    double rounded = tacit__sheet_round(column, number);
    if (rounded == column->numbers[row])
        return false;
    column->numbers[row] = rounded;
    column->marks[row] = tacit__mark_of(TACIT__MARK_NUMBER, 0);
    return true;
}

tacit_status tacit__sheet_text(tacit__mark *mark, tacit__sheet *sheet, tacit__sheet_column *column,
                               tacit_strview text, tacit_error *err)
{
    tacit_strview copy = tacit__arena_copy(&sheet->arena, text);
    if (!copy.bytes ||
        !TACIT__RESERVE_ONE(column->texts, column->text_capacity, column->text_count))
        return tacit__nomem(err);
    column->texts[column->text_count] = copy;
    *mark = tacit__mark_of(TACIT__MARK_TEXT, column->text_count++);
    return TACIT_OK;
}

tacit_strview tacit__cell_text(const tacit__sheet *sheet, const tacit__sheet_column *column,
                               int64_t row, char *buffer, size_t size)
{
    tacit__mark mark = column->marks[row];
    int kind = tacit__mark_kind(mark);
    if (kind == TACIT__MARK_TEXT)
        return column->texts[tacit__mark_text(mark)];
    if (kind == TACIT__MARK_NUMBER)
        return (tacit_strview){buffer,
                               tacit__fixed_write(buffer, column->numbers[row], column->decimals)};
    tacit_strview raw = tacit__mark_bytes(sheet->table, mark);
    if (raw.len < 2 || raw.bytes[0] != '"')
        return raw;
    size_t len = tacit_csv_unquote(raw, buffer, size);
    return (tacit_strview){buffer, len < size ? len : size};
}

size_t tacit__sheet_longest(const tacit__sheet *sheet, const tacit__sheet_column *column)
{
    size_t longest = TACIT__FIXED_SIZE;
    for (int64_t row = 0; row < sheet->rows; row++) {
        tacit__mark mark = column->marks[row];
        if (tacit__mark_kind(mark) != TACIT__MARK_RAW)
            continue;
        size_t len = tacit__mark_bytes(sheet->table, mark).len;
        longest = len > longest ? len : longest;
    }
    return longest;
}

/* ---- numbers ---- */

typedef struct reading {
    tacit__sheet *sheet;
    tacit__sheet_column *column;
    bool keep_others;
    int *decimals; /* of each stretch */
} reading;

static tacit_status refuse(const reading *r, int64_t row, tacit_error *err)
{
    const tacit_table *table = r->sheet->table;
    uint32_t origin = r->sheet->origin[row];
    int64_t line = origin == TACIT__NO_ORIGIN ? 0 : tacit_table_line(table, origin);
    return tacit__error_at(err, TACIT_PARSE, tacit_table_file(table), line, 0,
                           "column %.64s has a value that is not a number; mend it, leave it "
                           "empty, or leave such values unchanged with `others: keep`",
                           r->column->name);
}

static tacit_status read_stretch(void *context, int64_t from, int64_t to, int64_t stretch,
                                 int worker, tacit_error *err)
{
    reading *r = context;
    tacit__sheet_column *column = r->column;
    (void)worker;
    for (int64_t row = from; row < to; row++) {
        char buffer[512];
        tacit_strview text = tacit__cell_text(r->sheet, column, row, buffer, sizeof buffer);
        column->numbers[row] = text.len ? tacit__decimal_read(text) : NAN;
        if (text.len && isnan(column->numbers[row]) && !r->keep_others)
            return refuse(r, row, err);
        int decimals = isnan(column->numbers[row]) ? 0 : tacit__fixed_decimals(text);
        r->decimals[stretch] = decimals > r->decimals[stretch] ? decimals : r->decimals[stretch];
    }
    return TACIT_OK;
}

tacit_status tacit__sheet_numbers(tacit__sheet *sheet, int32_t index, bool keep_others,
                                  tacit_error *err)
{
    tacit__sheet_column *column = &sheet->columns[index];
    tacit_status status = tacit__sheet_load(sheet, &index, 1, err);
    if (status != TACIT_OK || column->numbers)
        return status;
    int64_t stretches = (sheet->rows + TACIT__STRETCH - 1) / TACIT__STRETCH;
    reading r = {sheet, column, keep_others, NULL};
    r.decimals = tacit__alloc_zeroed((size_t)stretches, sizeof *r.decimals);
    column->numbers = tacit__alloc_array((size_t)sheet->rows, sizeof *column->numbers);
    if (!r.decimals || !column->numbers)
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__stretches(sheet, "reading numbers", read_stretch, &r, err);
    for (int64_t i = 0; status == TACIT_OK && i < stretches; i++)
        if (r.decimals[i] > column->decimals)
            column->decimals = r.decimals[i];
    if (status != TACIT_OK) {
        tacit__free(column->numbers);
        column->numbers = NULL;
    }
    tacit__free(r.decimals);
    return status;
}

static tacit_status name_columns(tacit__sheet *sheet, tacit_error *err)
{
    for (int32_t i = 0; i < sheet->column_count; i++) {
        tacit_strview name = tacit_table_name(sheet->table, i);
        sheet->columns[i].source = i;
        sheet->columns[i].name = tacit__copy_bytes(name.bytes, name.len);
        if (!sheet->columns[i].name)
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

tacit_status tacit__sheet_init(tacit__sheet *sheet, const tacit_table *table, const tacit_run *run,
                               tacit_error *err)
{
    int64_t rows = tacit_table_rows(table);
    *sheet = (tacit__sheet){.table = table, .run = run, .rows = rows};
    if (table->len >> TACIT__PLACE_BITS)
        return tacit__error(err, TACIT_LIMIT, "%s: techniques work on files of at most 256 GiB",
                            tacit_table_file(table));
    sheet->origin = tacit__alloc_array((size_t)rows, sizeof *sheet->origin);
    sheet->columns =
        tacit__alloc_zeroed((size_t)tacit_table_columns(table) + 1, sizeof *sheet->columns);
    tacit_status status = TACIT_OK;
    if (!sheet->origin || !sheet->columns) {
        status = tacit__nomem(err);
    } else {
        sheet->column_count = tacit_table_columns(table);
        status = name_columns(sheet, err);
    }
    if (status != TACIT_OK) {
        tacit__sheet_clear(sheet);
        return status;
    }
    for (int64_t row = 0; row < rows; row++)
        sheet->origin[row] = (uint32_t)row;
    return TACIT_OK;
}

void tacit__sheet_clear(tacit__sheet *sheet)
{
    for (int32_t i = 0; i < sheet->column_count; i++) {
        tacit__sheet_column *column = &sheet->columns[i];
        tacit__free(column->name);
        tacit__free(column->marks);
        tacit__free(column->numbers);
        tacit__free(column->texts);
    }
    tacit__free(sheet->columns);
    tacit__free(sheet->origin);
    tacit__arena_clear(&sheet->arena);
    *sheet = (tacit__sheet){0};
}

int32_t tacit__sheet_find(const tacit__sheet *sheet, const char *name)
{
    for (int32_t i = 0; i < sheet->column_count; i++)
        if (strcmp(sheet->columns[i].name, name) == 0)
            return i;
    return -1;
}

/* ---- loading ---- */

typedef struct loading {
    tacit__sheet *sheet;
    const int32_t *columns; /* those that lack marks */
    size_t count;
    int32_t width;        /* cells of a row up to the last of them */
    tacit_strview *cells; /* width for each worker */
} loading;

static tacit_status load_stretch(void *context, int64_t task, int worker, tacit_error *err)
{
    loading *l = context;
    const tacit__sheet *sheet = l->sheet;
    const tacit_table *table = sheet->table;
    int64_t from = task * TACIT__STRETCH, to = from + TACIT__STRETCH;
    tacit_strview *cells = l->cells + (size_t)worker * (size_t)l->width;
    (void)err;
    for (int64_t row = from; row < to && row < sheet->rows; row++) {
        bool real = sheet->origin[row] != TACIT__NO_ORIGIN;
        if (real)
            tacit__row_at(table, tacit__row_start(table, sheet->origin[row]),
                          tacit__row_start(table, sheet->origin[row] + 1), cells, l->width);
        for (size_t i = 0; i < l->count; i++) {
            tacit__sheet_column *column = &sheet->columns[l->columns[i]];
            tacit_strview cell = real ? cells[column->source] : (tacit_strview){table->bytes, 0};
            column->marks[row] = tacit__mark_raw((size_t)(cell.bytes - table->bytes), cell.len);
        }
    }
    return TACIT_OK;
}

static tacit_status load(tacit__sheet *sheet, const int32_t *columns, size_t count, int32_t width,
                         tacit_error *err)
{
    loading l = {sheet, columns, count, width, NULL};
    /* cells of a row are cut to its end where that is asked for, so there is room for all */
    l.cells =
        tacit__alloc_array((size_t)tacit__threads(sheet->run) * (size_t)width, sizeof *l.cells);
    if (!l.cells)
        return tacit__nomem(err);
    tacit_status status =
        tacit__parallel(sheet->run, "loading columns",
                        (sheet->rows + TACIT__STRETCH - 1) / TACIT__STRETCH, load_stretch, &l, err);
    tacit__free(l.cells);
    return status;
}

tacit_status tacit__sheet_load(tacit__sheet *sheet, const int32_t *columns, size_t count,
                               tacit_error *err)
{
    int32_t *wanted = tacit__alloc_array(count, sizeof *wanted), width = 0;
    size_t left = 0;
    tacit_status status = wanted ? TACIT_OK : tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < count; i++) {
        tacit__sheet_column *column = &sheet->columns[columns[i]];
        if (column->marks)
            continue;
        column->marks = tacit__alloc_array((size_t)sheet->rows, sizeof *column->marks);
        if (!column->marks)
            status = tacit__nomem(err);
        width = column->source >= width ? column->source + 1 : width;
        wanted[left++] = columns[i];
    }
    if (status == TACIT_OK && left > 0)
        status = load(sheet, wanted, left, width, err);
    for (size_t i = 0; status != TACIT_OK && i < left; i++) {
        tacit__free(sheet->columns[wanted[i]].marks);
        sheet->columns[wanted[i]].marks = NULL;
    }
    tacit__free(wanted);
    return status;
}

/* ---- new columns and rows ---- */

tacit_status tacit__sheet_add_column(int32_t *column, tacit__sheet *sheet, const char *name,
                                     tacit_error *err)
{
    size_t count = (size_t)sheet->column_count;
    tacit__sheet_column *grown =
        tacit__resize_array(sheet->columns, count + 1, sizeof *sheet->columns);
    if (!grown)
        return tacit__nomem(err);
    sheet->columns = grown;
    tacit__sheet_column added = {.source = -1, .name = tacit__copy_text(name)};
    added.marks = tacit__alloc_zeroed((size_t)sheet->rows, sizeof *added.marks);
    if (!added.name || !added.marks) {
        tacit__free(added.name);
        tacit__free(added.marks);
        return tacit__nomem(err);
    }
    sheet->columns[count] = added;
    *column = sheet->column_count++;
    return TACIT_OK;
}

static tacit_status gather(void **block, size_t size, const void *empty, const uint32_t *from,
                           int64_t count, tacit_error *err)
{
    char *taken = tacit__alloc_array((size_t)count, size);
    if (!taken)
        return tacit__nomem(err);
    const char *old = *block;
    for (int64_t i = 0; i < count; i++)
        memcpy(taken + (size_t)i * size,
               from[i] == TACIT__NO_ORIGIN ? empty : (const void *)(old + (size_t)from[i] * size),
               size);
    tacit__free(*block);
    *block = taken;
    return TACIT_OK;
}

/* A failure leaves columns of different lengths: the sheet is good for being cleared only. */
tacit_status tacit__sheet_take_rows(tacit__sheet *sheet, const uint32_t *from, int64_t count,
                                    tacit_error *err)
{
    static const uint32_t nowhere = TACIT__NO_ORIGIN;
    static const tacit__mark nothing = 0;
    static const double missing = NAN;
    assert(count <= TACIT_MAX_ROWS);
    tacit_status status =
        gather((void **)&sheet->origin, sizeof *sheet->origin, &nowhere, from, count, err);
    for (int32_t i = 0; status == TACIT_OK && i < sheet->column_count; i++) {
        tacit__sheet_column *column = &sheet->columns[i];
        if (column->marks)
            status =
                gather((void **)&column->marks, sizeof *column->marks, &nothing, from, count, err);
        if (status == TACIT_OK && column->numbers)
            status = gather((void **)&column->numbers, sizeof *column->numbers, &missing, from,
                            count, err);
    }
    sheet->rows = count;
    return status;
}
