/*
 * bytes.c - what no step may have changed: the header, which rows there are, and the bytes
 * of every cell in columns that were not touched.
 *
 * Columns are compared under their names, wherever they stand, so that one that was moved is one
 * finding and not one for every cell. A row is compared with the one it is said to have come from;
 * one that came from none has empty cells where no step has put anything, or, where steps may have
 * filled them, what the column says in some row of the original.
 *
 * Cost: a pass over both tables, on all cores; a bit for each row of the original, and two tallies
 * for each column and core. Where rows were made up and filled, a pass and two sorts for each
 * column that was not touched.
 */
#include <math.h>
#include <string.h>

#include "audit/masked/masked.h"
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/bitset.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

/* Cells as claims need them: digests of what they say, and numbers.
 *
 * A number is kept as it is written, digits and how many of them are after the point, since sums
 * that are claimed to be the same must be so to the last digit, and doubles would not tell. What
 * has more than 18 digits is kept as a double.
 *
 * Cost: a pass over each table on all cores; 8 bytes a cell for digests, 9 for numbers. */

enum { MAX_DIGITS = 18, LONGEST = TACIT__SCALE_MAX };

double tacit__masked_power(int power)
{
    static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int count = sizeof POWERS / sizeof *POWERS;
    return power < count ? POWERS[power] : pow(10, power);
}

/* ---- numbers as they are written ---- */

/* A number without an exponent, which nearly all are: sign, digits and at most one point. False for
 * anything else, and where it has too many digits. */
static bool take_plain(int64_t *digits, int *scale, tacit_strview text)
{
    const char *at = text.bytes, *end = at + text.len, *point = NULL;
    int64_t taken = 0;
    int significant = 0;
    at += at < end && (*at == '-' || *at == '+');
    if (text.len > LONGEST || end - at == (at < end && *at == '.'))
        return false;
    for (; at < end; at++) {
        if (*at == '.' && !point) {
            point = at;
            continue;
        }
        significant += taken > 0 || *at != '0';
        if ((unsigned)(*at - '0') > 9 || significant > MAX_DIGITS)
            return false;
        taken = taken * 10 + (*at - '0');
    }
    *digits = text.bytes[0] == '-' ? -taken : taken;
    *scale = point ? (int)(end - point) - 1 : 0;
    return true;
}

/* Any number, which the text is known to be; false where it has too many digits. */
static bool take_any(int64_t *digits, int *scale, tacit_strview text)
{
    size_t mantissa = 0;
    while (mantissa < text.len && (text.bytes[mantissa] | 32) != 'e')
        mantissa++;
    if (!take_plain(digits, scale, (tacit_strview){text.bytes, mantissa}))
        return false;
    int exponent = 0;
    bool below = mantissa + 1 < text.len && text.bytes[mantissa + 1] == '-';
    for (size_t i = mantissa + 1; i < text.len; i++)
        if (tacit__is_digit(text.bytes[i]) && exponent <= TACIT__SCALE_MAX * 10)
            exponent = exponent * 10 + (text.bytes[i] - '0');
    *scale += below ? exponent : -exponent;
    return *scale >= -TACIT__SCALE_MAX && *scale <= TACIT__SCALE_MAX;
}

static void put_number(tacit__heard_column *column, int table, int64_t row, tacit_strview text)
{
    int64_t *digits = &column->digits[table][row];
    int8_t *kind = &column->scales[table][row];
    int scale = 0;
    *digits = 0;
    if (text.len == 0) {
        *kind = TACIT__EMPTY;
        return;
    }
    if (take_plain(digits, &scale, text)) {
        *kind = (int8_t)scale;
        return;
    }
    double number = tacit__decimal_read(text);
    if (isnan(number)) {
        uint64_t digest = tacit__hash_bytes(text.bytes, text.len);
        memcpy(digits, &digest, sizeof digest);
        *kind = TACIT__TEXT;
    } else if (take_any(digits, &scale, text)) {
        *kind = (int8_t)scale;
    } else {
        memcpy(digits, &number, sizeof number);
        *kind = TACIT__ROUGH;
    }
}

double tacit__masked_number(const tacit__heard_column *column, int table, int64_t row)
{
    int64_t digits = column->digits[table][row];
    int scale = column->scales[table][row];
    double number;
    if (scale == TACIT__ROUGH) {
        memcpy(&number, &digits, sizeof number);
        return number;
    }
    return scale < 0 ? (double)digits * tacit__masked_power(-scale)
                     : (double)digits / tacit__masked_power(scale);
}

/* ---- the pass ---- */

/* What a worker needs. */
typedef struct desk {
    tacit_strview *cells;
    tacit__cell_buffer buffer;
} desk;

typedef struct loading {
    const tacit__masked_judge *judge;
    tacit__heard_column *columns;
    size_t count;
    int table;
    desk *desks;
} loading;

/* 0 is what empty cells have. */
static uint64_t token_of(tacit_strview text)
{
    uint64_t digest = text.len ? tacit__hash_bytes(text.bytes, text.len) : 0;
    return digest || !text.len ? digest : 1;
}

static tacit_status load_row(const loading *l, int64_t row, desk *d, tacit_error *err)
{
    tacit_table_row(l->judge->tables[l->table], row, d->cells);
    for (size_t i = 0; i < l->count; i++) {
        tacit__heard_column *column = &l->columns[i];
        if (column->place[l->table] < 0)
            continue;
        tacit_strview text = tacit__cell_says(d->cells[column->place[l->table]], &d->buffer);
        if (!text.bytes)
            return tacit__nomem(err);
        if (column->wants_tokens)
            column->tokens[l->table][row] = token_of(text);
        if (column->wants_numbers)
            put_number(column, l->table, row, text);
    }
    return TACIT_OK;
}

static tacit_status load_block(void *context, int64_t block, int worker, tacit_error *err)
{
    const loading *l = context;
    int64_t end = tacit__block_end(block, l->judge->rows[l->table]);
    tacit_status status = TACIT_OK;
    for (int64_t row = block * TACIT__BLOCK; status == TACIT_OK && row < end; row++)
        status = load_row(l, row, &l->desks[worker], err);
    return status;
}

static bool make_room(tacit__heard_column *column, int table, int64_t rows)
{
    size_t count = (size_t)rows;
    if (column->place[table] < 0)
        return true;
    if (column->wants_tokens)
        column->tokens[table] = tacit__alloc_array(count, sizeof *column->tokens[table]);
    if (column->wants_numbers) {
        column->digits[table] = tacit__alloc_array(count, sizeof *column->digits[table]);
        column->scales[table] = tacit__alloc_array(count, sizeof *column->scales[table]);
    }
    return (!column->wants_tokens || column->tokens[table]) &&
           (!column->wants_numbers || (column->digits[table] && column->scales[table]));
}

static tacit_status load_table(loading *l, int workers, tacit_error *err)
{
    int64_t rows = l->judge->rows[l->table];
    size_t columns = (size_t)tacit_table_columns(l->judge->tables[l->table]);
    tacit_status status = TACIT_OK;
    l->desks = tacit__alloc_zeroed((size_t)workers, sizeof *l->desks);
    if (!l->desks)
        return tacit__nomem(err);
    for (int i = 0; status == TACIT_OK && i < workers; i++) {
        l->desks[i].cells = tacit__alloc_array(columns, sizeof *l->desks[i].cells);
        status = l->desks[i].cells ? TACIT_OK : tacit__nomem(err);
    }
    for (size_t i = 0; status == TACIT_OK && i < l->count; i++)
        status = make_room(&l->columns[i], l->table, rows) ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__parallel(l->judge->run, "judging", tacit__blocks(rows), load_block, l, err);
    for (int i = 0; i < workers; i++) {
        tacit__free(l->desks[i].cells);
        tacit__free(l->desks[i].buffer.bytes);
    }
    tacit__free(l->desks);
    return status;
}

tacit_status tacit__masked_load(tacit__masked_judge *judge, tacit__heard_column *columns,
                                size_t count, tacit_error *err)
{
    loading l = {.judge = judge, .columns = columns, .count = count};
    tacit_status status = TACIT_OK;
    for (; status == TACIT_OK && l.table < TACIT__BOTH; l.table++)
        status = load_table(&l, tacit__threads(judge->run), err);
    return status;
}

void tacit__masked_unload(tacit__heard_column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int table = 0; table < TACIT__BOTH; table++) {
            tacit__free(columns[i].tokens[table]);
            tacit__free(columns[i].digits[table]);
            tacit__free(columns[i].scales[table]);
        }
}

static bool is_among(const char *const *names, size_t count, tacit_strview name)
{
    for (size_t i = 0; i < count; i++)
        if (tacit_strview_equal(tacit_strview_of(names[i]), name))
            return true;
    return false;
}

/* ---- the header ---- */

static void find_column(tacit__masked_judge *judge, tacit_strview name, const char *what)
{
    tacit__masked_find(
        judge, (tacit_masked_finding){.kind = TACIT_MASKED_HEADER, .claim = SIZE_MAX, .what = what},
        name);
}

static void check_place(tacit__masked_judge *judge, tacit_strview name, int32_t place)
{
    const tacit_table *masked = judge->tables[TACIT__MASKED];
    if (place < tacit_table_columns(masked) &&
        tacit_strview_equal(tacit_table_name(masked, place), name))
        return;
    find_column(judge, name,
                tacit_table_find(masked, name) < 0 ? "the column is missing"
                                                   : "the column is not in its place");
}

void tacit__masked_header(tacit__masked_judge *judge)
{
    const tacit_masked_case *c = judge->c;
    int32_t columns = tacit_table_columns(c->original);
    for (int32_t i = 0; i < columns; i++)
        check_place(judge, tacit_table_name(c->original, i), i);
    for (size_t i = 0; i < c->written_count; i++)
        check_place(judge, tacit_strview_of(c->written[i]), columns + (int32_t)i);
    for (int32_t i = 0; i < tacit_table_columns(c->masked); i++) {
        tacit_strview name = tacit_table_name(c->masked, i);
        if (tacit_table_find(c->original, name) < 0 &&
            !is_among(c->written, c->written_count, name))
            find_column(judge, name, "no step has written the column");
    }
}

/* ---- rows ---- */

/* What is wrong with rows: how many, and the first of the masked table. */
static void find_tally(tacit__masked_judge *judge, tacit_masked_finding_kind kind,
                       tacit_strview column, tacit__judge_tally tally, const char *what)
{
    if (tally.count > 0)
        tacit__masked_find(judge,
                           (tacit_masked_finding){.kind = kind,
                                                  .claim = SIZE_MAX,
                                                  .row = tally.first + 1,
                                                  .measured = (double)tally.count,
                                                  .what = what},
                           column);
}

tacit_status tacit__masked_rows(tacit__masked_judge *judge, tacit_error *err)
{
    tacit__judge_tally nowhere = {0}, made_up = {0}, again = {0};
    int64_t known = judge->rows[TACIT__ORIGINAL];
    uint64_t *seen = tacit__alloc_zeroed(tacit__bitset_words(known), sizeof *seen);
    if (!seen)
        return tacit__nomem(err);
    for (int64_t row = 0; row < judge->rows[TACIT__MASKED]; row++) {
        int64_t origin = tacit__masked_origin(judge, row);
        if (origin < 0)
            tacit__tally_add(judge->c->origin[row] == UINT32_MAX ? &made_up : &nowhere, row);
        else if (tacit__bit_get(seen, origin))
            tacit__tally_add(&again, row);
        else
            tacit__bit_set(seen, origin);
    }
    find_tally(judge, TACIT_MASKED_ROWS, (tacit_strview){0}, nowhere,
               "rows are said to come from rows that the original does not have");
    if (!judge->c->rows_changed) {
        find_tally(judge, TACIT_MASKED_ROWS, (tacit_strview){0}, made_up,
                   "rows were made up, which no step may do");
        find_tally(judge, TACIT_MASKED_ROWS, (tacit_strview){0}, again,
                   "rows are there again, which no step may do");
        tacit__judge_tally lost = {known - tacit__bitset_count(seen, known), -1};
        find_tally(judge, TACIT_MASKED_ROWS, (tacit_strview){0}, lost,
                   "rows of the original are not there, which no step may do");
    }
    tacit__free(seen);
    return TACIT_OK;
}

/* ---- bytes ---- */

typedef struct comparing {
    tacit__masked_judge *judge;
    int32_t columns;      /* of the original */
    int32_t *place;       /* of each in the masked table, or -1 */
    bool *touched;        /* each */
    tacit_strview *cells; /* of a row of the original and of one that is masked; a worker each */
    size_t cell_count;    /* of a worker */
    tacit__judge_tally
        *changed; /* a worker and column each: other bytes than the row it came from */
    tacit__judge_tally *filled; /* the same: in rows that were made up */
} comparing;

static bool is_empty(tacit_strview raw)
{
    return raw.len == 0 || (raw.len == 2 && raw.bytes[0] == '"' && raw.bytes[1] == '"');
}

static void compare_row(const comparing *c, int64_t row, int worker)
{
    const tacit__masked_judge *judge = c->judge;
    tacit_strview *known = c->cells + (size_t)worker * c->cell_count, *now = known + c->columns;
    int64_t origin = tacit__masked_origin(judge, row);
    tacit__judge_tally *changed = c->changed + (size_t)worker * (size_t)c->columns;
    tacit__judge_tally *filled = c->filled + (size_t)worker * (size_t)c->columns;
    tacit_table_row(judge->tables[TACIT__MASKED], row, now);
    if (origin >= 0)
        tacit_table_row(judge->tables[TACIT__ORIGINAL], origin, known);
    for (int32_t i = 0; i < c->columns; i++) {
        if (c->place[i] < 0)
            continue;
        tacit_strview cell = now[c->place[i]];
        if (origin >= 0 && !tacit_strview_equal(cell, known[i]))
            tacit__tally_add(&changed[i], row);
        else if (origin < 0 && !c->touched[i] && !is_empty(cell))
            tacit__tally_add(&filled[i], row);
    }
}

static tacit_status compare_block(void *context, int64_t block, int worker, tacit_error *err)
{
    const comparing *c = context;
    int64_t rows = c->judge->rows[TACIT__MASKED];
    (void)err;
    for (int64_t row = block * TACIT__BLOCK; row < tacit__block_end(block, rows); row++)
        compare_row(c, row, worker);
    return TACIT_OK;
}

static tacit_status comparing_init(comparing *c, tacit__masked_judge *judge, int workers,
                                   tacit_error *err)
{
    const tacit_table *original = judge->tables[TACIT__ORIGINAL];
    const tacit_table *masked = judge->tables[TACIT__MASKED];
    size_t columns = (size_t)tacit_table_columns(original);
    *c = (comparing){.judge = judge, .columns = (int32_t)columns};
    c->cell_count = columns + (size_t)tacit_table_columns(masked);
    c->place = tacit__alloc_array(columns, sizeof *c->place);
    c->touched = tacit__alloc_array(columns, sizeof *c->touched);
    c->cells = tacit__alloc_array((size_t)workers, c->cell_count * sizeof *c->cells);
    c->changed = tacit__tallies_new(workers, c->columns);
    c->filled = tacit__tallies_new(workers, c->columns);
    if (!c->place || !c->touched || !c->cells || !c->changed || !c->filled)
        return tacit__nomem(err);
    for (int32_t i = 0; i < c->columns; i++) {
        tacit_strview name = tacit_table_name(original, i);
        c->place[i] = tacit_table_find(masked, name);
        c->touched[i] = is_among(judge->c->touched, judge->c->touched_count, name);
    }
    return TACIT_OK;
}

static void comparing_clear(comparing *c)
{
    tacit__free(c->place);
    tacit__free(c->touched);
    tacit__free(c->cells);
    tacit__free(c->changed);
    tacit__free(c->filled);
}

/* A column of rows that were made up and filled: nothing in it is invented. */
static tacit_status check_filled(tacit__masked_judge *judge, int32_t original, int32_t masked,
                                 tacit_error *err)
{
    tacit__heard_column column = {.place = {original, masked}, .wants_tokens = true};
    const tacit__heard_column *columns[] = {&column};
    tacit__judge_tally tally = {0};
    tacit_status status = tacit__masked_load(judge, &column, 1, err);
    if (status == TACIT_OK)
        status = tacit__masked_invented(
            &tally, &(tacit__masked_hearing){.judge = judge, .columns = columns, .count = 1}, err);
    if (status == TACIT_OK)
        find_tally(judge, TACIT_MASKED_BYTES,
                   tacit_table_name(judge->tables[TACIT__ORIGINAL], original), tally,
                   "rows that were made up say what no row of the original says there");
    tacit__masked_unload(&column, 1);
    return status;
}

/* What the columns add up to; compared rows are those that came from somewhere. */
static tacit_status sum_up(const comparing *c, int workers, int64_t compared, tacit_error *err)
{
    tacit__masked_judge *judge = c->judge;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; status == TACIT_OK && i < c->columns; i++) {
        tacit_strview name = tacit_table_name(judge->tables[TACIT__ORIGINAL], i);
        tacit__judge_tally changed = tacit__tally_sum(c->changed, workers, c->columns, i);
        tacit__judge_tally filled = tacit__tally_sum(c->filled, workers, c->columns, i);
        judge->verdict->cells_compared += c->place[i] < 0 ? 0 : compared;
        judge->verdict->cells_changed += changed.count;
        if (!c->touched[i])
            find_tally(judge, TACIT_MASKED_BYTES, name, changed,
                       "cells differ that no step may have changed");
        if (filled.count > 0 && judge->c->filled)
            status = check_filled(judge, i, c->place[i], err);
        else
            find_tally(judge, TACIT_MASKED_BYTES, name, filled,
                       "rows that were made up have cells that no step may have filled");
    }
    return status;
}

/* The same for each column that was touched, by its name. */
static tacit_status sum_up_touched(const comparing *c, int workers, int64_t compared,
                                   tacit_error *err)
{
    tacit__masked_judge *judge = c->judge;
    tacit_masked_verdict *verdict = judge->verdict;
    size_t count = judge->c->touched_count;
    verdict->columns = tacit__arena_alloc(judge->arena, count * sizeof *verdict->columns);
    for (size_t i = 0; verdict->columns && i < count; i++) {
        tacit_strview name = tacit_strview_of(judge->c->touched[i]);
        tacit_masked_column *column = &verdict->columns[i];
        int32_t place = tacit_table_find(judge->tables[TACIT__ORIGINAL], name);
        *column = (tacit_masked_column){.name = tacit__arena_copy(judge->arena, name).bytes};
        if (!column->name)
            return tacit__nomem(err);
        if (place < 0 || c->place[place] < 0)
            continue;
        column->compared = compared;
        column->changed = tacit__tally_sum(c->changed, workers, c->columns, place).count;
    }
    verdict->column_count = count;
    return verdict->columns ? TACIT_OK : tacit__nomem(err);
}

tacit_status tacit__masked_bytes(tacit__masked_judge *judge, tacit_error *err)
{
    comparing c;
    int workers = tacit__threads(judge->run);
    int64_t rows = judge->rows[TACIT__MASKED], compared = 0;
    tacit_status status = comparing_init(&c, judge, workers, err);
    if (status == TACIT_OK)
        status =
            tacit__parallel(judge->run, "judging", tacit__blocks(rows), compare_block, &c, err);
    if (status == TACIT_OK) {
        for (int64_t row = 0; row < rows; row++)
            compared += tacit__masked_origin(judge, row) >= 0;
        status = sum_up(&c, workers, compared, err);
    }
    if (status == TACIT_OK)
        status = sum_up_touched(&c, workers, compared, err);
    comparing_clear(&c);
    return status;
}
