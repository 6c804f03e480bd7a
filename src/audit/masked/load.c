/*
 * load.c - cells as claims need them: digests of what they say, and numbers.
 *
 * A number is kept as it is written, digits and how many of them are after the point, since sums
 * that are claimed to be the same must be so to the last digit, and doubles would not tell. What
 * has more than 18 digits is kept as a double.
 *
 * Cost: a pass over each table on all cores; 8 bytes a cell for digests, 9 for numbers.
 */
#include <math.h>
#include <string.h>

#include "audit/judge/judge.h"
#include "audit/masked/masked.h"
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

enum { MOST_DIGITS = 18, LONGEST = TACIT__SCALE_MOST };

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
        if ((unsigned)(*at - '0') > 9 || significant > MOST_DIGITS)
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
        if (tacit__is_digit(text.bytes[i]) && exponent <= TACIT__SCALE_MOST * 10)
            exponent = exponent * 10 + (text.bytes[i] - '0');
    *scale += below ? exponent : -exponent;
    return *scale >= -TACIT__SCALE_MOST && *scale <= TACIT__SCALE_MOST;
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
