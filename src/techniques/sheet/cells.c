/*
 * cells.c - single cells of a sheet: numbers read and written, texts made up, what a cell says.
 *
 * Numbers are written with as many decimals as the column's numbers have, so that a changed value
 * does not stand out by its digits; a number that comes out as what stands there leaves the cell
 * alone, byte for byte.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "techniques/runner/technique.h"
#include "techniques/sheet/fixed.h"
#include "techniques/sheet/marks.h"

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

bool tacit__cell_is_raw(tacit__mark mark)
{
    return tacit__mark_kind(mark) == TACIT__MARK_RAW;
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
    column->decimals = decimals < TACIT__MOST_DECIMALS ? decimals : TACIT__MOST_DECIMALS;
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
    if (!copy.bytes || !TACIT__RESERVE_ONE(column->texts, column->text_room, column->text_count))
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
        if (!tacit__cell_is_raw(mark))
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
                           "empty, or leave such values as they are with `others: keep`",
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
