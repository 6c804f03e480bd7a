/*
 * columns.c - columns coded for synthesis.
 *
 * A column is numeric if it has numbers and nothing else, none of them padded with zeros. It has a
 * bin for empty cells and up to 63 for numbers, with about equally many rows, cut half way between
 * two numbers; any other column a bin for each of its 63 most frequent values, and one for the
 * rest. Linear but for a sort of the distinct numbers.
 */
#include "techniques/synthetic/columns.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort.h"

/* Numbers have the bins behind that of empty cells; values the most frequent first. */
enum { MOST = TACIT__CART_BINS - 1 };

/* A code with what it is sorted by. */
typedef struct sorted_code {
    double key;
    uint32_t code;
} sorted_code;

static int by_key(const void *a, const void *b)
{
    const sorted_code *x = a, *y = b;
    int order = TACIT__ORDER(x->key, y->key);
    return order ? order : TACIT__ORDER(x->code, y->code);
}

/* ---- numbers or not ---- */

/* 02138 is a code. */
static bool is_padded(tacit_strview text)
{
    size_t at = text.len > 0 && text.bytes[0] == '-';
    return text.len > at + 1 && text.bytes[at] == '0' && text.bytes[at + 1] >= '0' &&
           text.bytes[at + 1] <= '9';
}

static tacit_status find_sort(tacit__synth_column *c, tacit__sheet *sheet, tacit_error *err)
{
    const tacit__sheet_column *column = &sheet->columns[c->index];
    size_t size = tacit__sheet_longest(sheet, column);
    char *buffer = tacit__alloc(size);
    if (!buffer)
        return tacit__nomem(err);
    c->numeric = c->values.count > 0;
    for (uint32_t code = 0; c->numeric && code < c->values.count; code++)
        c->numeric =
            isfinite(c->values.cells[code].number) &&
            !is_padded(tacit__cell_text(sheet, column, c->values.firsts[code], buffer, size));
    tacit__free(buffer);
    return TACIT_OK;
}

/* ---- categories ---- */

static void bin_categories(tacit__synth_column *c, sorted_code *codes)
{
    uint32_t count = c->values.count + 1; /* empty is a value */
    for (uint32_t code = 0; code < count; code++)
        codes[code] = (sorted_code){-(double)c->values.sizes[code], code};
    qsort(codes, count, sizeof *codes, by_key);
    for (uint32_t i = 0; i < count; i++)
        c->bins_of[codes[i].code] = (uint8_t)(i < MOST ? i : MOST);
}

static tacit_status list_rows(tacit__synth_column *c, int64_t rows, tacit_error *err)
{
    c->order = tacit__alloc_array((size_t)rows, sizeof *c->order);
    if (!c->order)
        return tacit__nomem(err);
    for (int64_t row = 0; row < rows; row++)
        c->order[row] = (uint32_t)row;
    return TACIT_OK;
}

/* ---- numbers ---- */

/* Distinct numbers: spellings of one are the same. */
static void list_numbers(tacit__synth_column *c, const sorted_code *codes)
{
    uint32_t few = 0, below = 0;
    for (uint32_t i = 0; i < c->values.count; i++) {
        if (i == 0 || codes[i].key != codes[i - 1].key) {
            c->few[c->count] = few;
            c->below[c->count] = below;
            c->codes[c->count] = codes[i].code;
            c->numbers[c->count++] = codes[i].key;
        } else {
            c->codes[c->count - 1] = c->values.count;
        }
        if (tacit__synth_is_common(c, codes[i].code))
            c->common[c->common_count++] = codes[i].code;
        else
            few += (uint32_t)c->values.sizes[codes[i].code];
        below += (uint32_t)c->values.sizes[codes[i].code];
    }
    c->few[c->count] = few;
    c->below[c->count] = below;
}

/* Rows in the order of the codes, those without a number first. */
static void order_rows(tacit__synth_column *c, const sorted_code *codes, int64_t *next,
                       int64_t rows)
{
    int64_t at = c->empty;
    for (uint32_t i = 0; i < c->values.count; i++) {
        next[codes[i].code] = at;
        at += c->values.sizes[codes[i].code];
    }
    next[c->values.count] = 0;
    for (int64_t row = 0; row < rows; row++)
        c->order[next[c->values.codes[row]]++] = (uint32_t)row;
}

static void score_rows(tacit__synth_column *c, int64_t rows)
{
    for (int64_t at = 0, end; at < rows; at = end) {
        bool empty = at < c->empty;
        double number = empty ? NAN : tacit__synth_number(c, c->order[at]);
        for (end = at + 1; end < rows; end++)
            if (empty ? end >= c->empty : tacit__synth_number(c, c->order[end]) != number)
                break;
        for (int64_t i = at; i < end; i++)
            c->scores[c->order[i]] = (double)(at + end) / 2 / (double)rows;
    }
}

/* Cuts where a bin has its part of the rows. */
static void cut_numbers(tacit__synth_column *c, int64_t rows)
{
    double each = (double)(rows - c->empty) / MOST, taken = 0;
    int64_t at = c->empty;
    for (uint32_t i = 0; i + 1 < c->count && c->edge_count < MOST - 1; i++) {
        for (; at < rows && tacit__synth_number(c, c->order[at]) <= c->numbers[i]; at++)
            taken++;
        if (c->count <= MOST || taken >= each) {
            c->edges[c->edge_count++] = c->numbers[i] + (c->numbers[i + 1] - c->numbers[i]) / 2;
            taken = 0;
        }
    }
    for (uint32_t code = 0; code < c->values.count; code++)
        c->bins_of[code] = tacit__synth_bin(c, c->values.cells[code].number);
    c->bins_of[c->values.count] = 0;
}

static tacit_status take_numbers(tacit__synth_column *c, sorted_code *codes, int64_t rows,
                                 tacit_error *err)
{
    size_t count = c->values.count;
    int64_t *next = tacit__alloc_array(count + 1, sizeof *next);
    c->numbers = tacit__alloc_array(count, sizeof *c->numbers);
    c->codes = tacit__alloc_array(count, sizeof *c->codes);
    c->few = tacit__alloc_array(count + 1, sizeof *c->few);
    c->below = tacit__alloc_array(count + 1, sizeof *c->below);
    c->common = tacit__alloc_array(count, sizeof *c->common);
    c->scores = tacit__alloc_array((size_t)rows, sizeof *c->scores);
    bool whole = next && c->numbers && c->codes && c->few && c->below && c->common && c->scores;
    if (whole) {
        for (uint32_t code = 0; code < count; code++)
            codes[code] = (sorted_code){c->values.cells[code].number, code};
        qsort(codes, count, sizeof *codes, by_key);
        c->empty = c->values.sizes[count];
        list_numbers(c, codes);
        c->discrete = c->few[c->count] <= (rows - c->empty) / 2;
        order_rows(c, codes, next, rows);
        score_rows(c, rows);
        cut_numbers(c, rows);
    }
    tacit__free(next);
    return whole ? TACIT_OK : tacit__nomem(err);
}

uint32_t tacit__synth_place(const tacit__synth_column *column, double number)
{
    uint32_t low = 0, high = column->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (column->numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t tacit__synth_few(const tacit__synth_column *column, double low, double high)
{
    return (int64_t)column->few[tacit__synth_place(column, high) + 1] -
           column->few[tacit__synth_place(column, low)];
}

int64_t tacit__synth_below(const tacit__synth_column *column, double number)
{
    return column->below[tacit__synth_place(column, number)];
}

uint8_t tacit__synth_bin(const tacit__synth_column *column, double number)
{
    int low = 0, high = column->edge_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (column->edges[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint8_t)(low + 1);
}

/* ---- a column ---- */

static tacit_status code_column(tacit__synth_column *c, int64_t rows, tacit_error *err)
{
    size_t count = (size_t)c->values.count + 1;
    sorted_code *codes = tacit__alloc_array(count, sizeof *codes);
    c->bins = tacit__alloc_array((size_t)rows, sizeof *c->bins);
    c->bins_of = tacit__alloc_array(count, sizeof *c->bins_of);
    tacit_status status = codes && c->bins && c->bins_of ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = list_rows(c, rows, err);
    if (status == TACIT_OK && c->numeric)
        status = take_numbers(c, codes, rows, err);
    else if (status == TACIT_OK)
        bin_categories(c, codes);
    for (int64_t row = 0; status == TACIT_OK && row < rows; row++)
        c->bins[row] = c->bins_of[c->values.codes[row]];
    tacit__free(codes);
    return status;
}

tacit_status tacit__synth_column_init(tacit__synth_column *column, tacit__sheet *sheet,
                                      int32_t index, int64_t k, tacit_error *err)
{
    *column = (tacit__synth_column){.index = index, .k = k};
    tacit_status status = tacit__sheet_numbers(sheet, index, true, err);
    if (status == TACIT_OK)
        status = tacit__categories_init(&column->values, sheet, index, err);
    if (status == TACIT_OK)
        status = find_sort(column, sheet, err);
    if (status == TACIT_OK)
        status = code_column(column, sheet->rows, err);
    return status;
}

void tacit__synth_column_clear(tacit__synth_column *column)
{
    tacit__categories_clear(&column->values);
    tacit__free(column->bins);
    tacit__free(column->bins_of);
    tacit__free(column->order);
    tacit__free(column->numbers);
    tacit__free(column->codes);
    tacit__free(column->few);
    tacit__free(column->below);
    tacit__free(column->common);
    tacit__free(column->scores);
    *column = (tacit__synth_column){0};
}
