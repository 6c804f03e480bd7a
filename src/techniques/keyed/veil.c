/*
 * veil.c - values replaced by texts that are made of them under a key, for encryption and
 * pseudonyms.
 *
 * Texts are made by all cores, a chunk of values each and some chunks at a time, and then taken
 * into the sheet in order. Where equal values get equal texts, each distinct one is made once.
 */
#include "techniques/keyed/veil.h"

#include <math.h>
#include <sodium.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/keyfile.h"
#include "base/parallel.h"

enum { CHUNKS = 64, KEY_PURPOSE = 250 };

/* Texts of a chunk of values, one after the other. */
typedef struct chunk {
    char *bytes;
    size_t *ends;
} chunk;

typedef struct veiling {
    tacit__sheet *sheet;
    const tacit__runner_call *call;
    tacit__sheet_column *column;
    tacit_strview name; /* of the column, as the policy has it */
    const tacit__veil *veil;
    size_t place;
    size_t longest;
    const int64_t *rows; /* a row of each value; NULL: values are rows */
    int64_t count;       /* of values */
    int64_t first;       /* chunk of those in hand */
    chunk chunks[CHUNKS];
    tacit__mark *marks; /* of each value; NULL: put into the rows */
    int64_t changed;
} veiling;

/* ---- making texts ---- */

static bool make_text(chunk *c, size_t *len, size_t *room, tacit_strview value, const veiling *v,
                      tacit__random *random)
{
    size_t needed = v->veil->length(value.len, v->veil->context);
    /* scratch follows the text, and is written over by the next */
    if (!tacit__reserve((void **)&c->bytes, room, *len + 2 * needed + 1, 1))
        return false;
    char *at = c->bytes + *len;
    v->veil->write(at, (unsigned char *)at + needed + 1, value, v->name, random, v->veil->context);
    *len += needed;
    return true;
}

static tacit_status make_chunk(void *context, int64_t task, int worker, tacit_error *err)
{
    veiling *v = context;
    chunk *c = &v->chunks[task];
    int64_t from = (v->first + task) * TACIT__STRETCH, to = from + TACIT__STRETCH;
    int64_t chunks = (v->count + TACIT__STRETCH - 1) / TACIT__STRETCH;
    size_t len = 0, room = 0;
    tacit__random random;
    (void)worker;
    to = to < v->count ? to : v->count;
    tacit__call_random(&random, v->call, 0,
                       (uint32_t)((int64_t)v->place * chunks + v->first + task));
    char *buffer = tacit__alloc(v->longest);
    c->ends = tacit__alloc_array((size_t)(to - from), sizeof *c->ends);
    bool whole = buffer && c->ends;
    for (int64_t i = from; whole && i < to; i++) {
        int64_t row = v->rows ? v->rows[i] : i;
        tacit_strview value = tacit__cell_text(v->sheet, v->column, row, buffer, v->longest);
        if (value.len > 0 || v->veil->empty)
            whole = make_text(c, &len, &room, value, v, &random);
        if (whole)
            c->ends[i - from] = len;
    }
    tacit__free(buffer);
    return whole ? TACIT_OK : tacit__nomem(err);
}

/* ---- taking them ---- */

static tacit_status take_chunk(veiling *v, int64_t task, tacit_error *err)
{
    const chunk *c = &v->chunks[task];
    int64_t from = (v->first + task) * TACIT__STRETCH, to = from + TACIT__STRETCH;
    tacit_status status = TACIT_OK;
    to = to < v->count ? to : v->count;
    for (int64_t i = from; status == TACIT_OK && i < to; i++) {
        size_t start = i > from ? c->ends[i - from - 1] : 0, end = c->ends[i - from];
        tacit__mark mark = 0;
        if (end > start)
            status = tacit__sheet_text(&mark, v->sheet, v->column,
                                       (tacit_strview){c->bytes + start, end - start}, err);
        if (status == TACIT_OK && v->marks) {
            v->marks[i] = mark;
        } else if (status == TACIT_OK && end > start) {
            tacit__cell_put(v->column, i, (tacit__cell){mark, NAN});
            v->changed++;
        }
    }
    return status;
}

static void drop_chunks(veiling *v)
{
    for (int i = 0; i < CHUNKS; i++) {
        tacit__free(v->chunks[i].bytes);
        tacit__free(v->chunks[i].ends);
        v->chunks[i] = (chunk){0};
    }
}

static tacit_status veil_all(veiling *v, tacit_error *err)
{
    int64_t chunks = (v->count + TACIT__STRETCH - 1) / TACIT__STRETCH;
    tacit_status status = TACIT_OK;
    v->longest = tacit__sheet_longest(v->sheet, v->column);
    for (v->first = 0; status == TACIT_OK && v->first < chunks; v->first += CHUNKS) {
        int64_t left = chunks - v->first, now = left < CHUNKS ? left : CHUNKS;
        status = tacit__parallel(v->sheet->run, "veiling values", now, make_chunk, v, err);
        for (int64_t i = 0; status == TACIT_OK && i < now; i++)
            status = take_chunk(v, i, err);
        drop_chunks(v);
    }
    return status;
}

/* ---- one text a value ---- */

/* Rows that stand for the values: their first ones, and one that is empty where that counts. */
static void list_values(int64_t *rows, veiling *v, const tacit__categories *categories)
{
    v->count = categories->count;
    for (int64_t i = 0; i < v->count; i++)
        rows[i] = categories->firsts[i];
    for (int64_t row = 0; v->veil->empty && row < v->sheet->rows; row++)
        if (categories->codes[row] == categories->count) {
            rows[v->count++] = row;
            break;
        }
    v->rows = rows;
}

static tacit_status veil_values(veiling *v, const tacit__categories *categories, tacit_error *err)
{
    size_t room = (size_t)categories->count + 1;
    int64_t *rows = tacit__alloc_array(room, sizeof *rows);
    v->marks = tacit__alloc_zeroed(room, sizeof *v->marks);
    tacit_status status = rows && v->marks ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        list_values(rows, v, categories);
        status = veil_all(v, err);
    }
    for (int64_t row = 0; status == TACIT_OK && row < v->sheet->rows; row++) {
        tacit__mark mark = v->marks[categories->codes[row]];
        if (!mark)
            continue;
        tacit__cell_put(v->column, row, (tacit__cell){mark, NAN});
        v->changed++;
    }
    tacit__free(rows);
    tacit__free(v->marks);
    return status;
}

static tacit_status veil_column(tacit__sheet *sheet, const tacit__runner_call *call,
                                const tacit__runner_value *columns, size_t place,
                                const tacit__veil *veil, tacit_error *err)
{
    veiling v = {.sheet = sheet,
                 .call = call,
                 .column = &sheet->columns[columns->columns[place]],
                 .name = tacit_strview_of(columns->texts[place]),
                 .veil = veil,
                 .place = place,
                 .count = sheet->rows};
    tacit_status status = TACIT_OK;
    if (veil->each) {
        status = veil_all(&v, err);
    } else {
        tacit__categories categories;
        status = tacit__categories_init(&categories, sheet, columns->columns[place], err);
        if (status == TACIT_OK) {
            status = veil_values(&v, &categories, err);
            tacit__categories_clear(&categories);
        }
    }
    return status == TACIT_OK ? tacit__note(call, "cells_changed", (double)v.changed, err) : status;
}

/* ---- keys and claims ---- */

tacit_status tacit__veil_key(unsigned char **key, const tacit__runner_call *call,
                             const tacit__runner_value *setting, tacit_error *err)
{
    tacit__random random;
    uint32_t words[TACIT__KEY_BYTES / sizeof(uint32_t)];
    unsigned char *held = NULL;
    bool made = false;
    tacit_status status = tacit__key_new(&held, err);
    if (status == TACIT_OK && setting->given) {
        status = tacit__key_read(held, &made, setting->texts[0], err);
    } else if (status == TACIT_OK) {
        tacit__call_random(&random, call, KEY_PURPOSE, 0);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            words[i] = tacit__random_word(&random);
        memcpy(held, words, sizeof words);
        sodium_memzero(words, sizeof words);
        sodium_memzero(&random, sizeof random);
    }
    if (status == TACIT_OK)
        *key = held;
    else
        tacit__key_free(held);
    return status;
}

/* Claims a null map of the columns, unless a row has nothing in any of them. */
static tacit_status claim_null_map(const tacit__sheet *sheet, const tacit__runner_call *call,
                                   const tacit__runner_value *columns, tacit_error *err)
{
    for (int64_t row = 0; row < sheet->rows; row++) {
        bool empty = true;
        for (size_t i = 0; empty && i < columns->text_count; i++)
            empty = tacit__cell_is_empty(&sheet->columns[columns->columns[i]], row);
        if (empty)
            return TACIT_OK;
    }
    return tacit__claim(call, (tacit_kept){.kind = TACIT_KEPT_NULL_MAP}, columns, NULL, err);
}

tacit_status tacit__veil_columns(tacit__sheet *sheet, const tacit__runner_call *call,
                                 const tacit__runner_value *columns, const tacit__veil *veil,
                                 tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; status == TACIT_OK && i < columns->text_count; i++)
        status = veil_column(sheet, call, columns, i, veil, err);
    return status == TACIT_OK ? claim_null_map(sheet, call, columns, err) : status;
}
