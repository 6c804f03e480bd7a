/*
 * csv_code.c - from indexed fields to codes and digests.
 *
 * A stretch is coded one column after the other, so that one dictionary at a
 * time is in the cache. Codes are provisional, numbers of the worker's own
 * dictionary; in the end the workers' dictionaries are merged in order of first
 * appearance and the codes rewritten, as narrow as they fit.
 *
 * Nothing is allocated for a field: values are views of the mapped file, but
 * for those with doubled quotes. Touching fresh memory costs as much as coding,
 * so provisional codes are as wide as the first stretch lets expect the final
 * ones to be, and become those in place; a stretch whose worker has met more
 * values than that keeps the column in 32 bits of its own.
 */
#include "table/csv.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "table/dictionary.h"

enum { FEW_VALUES = 100 }; /* in the first stretch: then 256 may do for the whole file */

/* What one worker needs. Arenas end up in the table: values live there. */
typedef struct worker {
    tacit__dictionary *dictionaries; /* a coded column each */
    uint32_t **maps;                 /* a coded column each: number -> code */
    bool *missing;                   /* a coded column each: met a missing value */
    uint32_t *numbers;               /* one column of a stretch, before it is stored */
    size_t capacity;
    tacit__arena arena;
} worker;

struct tacit__coding {
    tacit_table *table;
    int32_t *coded; /* columns */
    int32_t coded_count;
    int *widths;        /* a coded column each: bytes of a provisional code */
    void **provisional; /* a coded column each */
    worker *workers;
    int worker_count;
};

static bool init_worker(worker *w, int32_t coded_count)
{
    w->dictionaries = tacit__alloc_zeroed((size_t)coded_count, sizeof *w->dictionaries);
    w->maps = tacit__alloc_zeroed((size_t)coded_count, sizeof *w->maps);
    w->missing = tacit__alloc_zeroed((size_t)coded_count, sizeof *w->missing);
    for (int32_t i = 0; w->dictionaries && i < coded_count; i++)
        if (!tacit__dictionary_init(&w->dictionaries[i]))
            return false;
    return w->dictionaries && w->maps && w->missing;
}

static void clear_worker(worker *w, int32_t coded_count)
{
    for (int32_t i = 0; i < coded_count; i++) {
        if (w->dictionaries)
            tacit__dictionary_clear(&w->dictionaries[i]);
        if (w->maps)
            tacit__free(w->maps[i]);
    }
    tacit__free(w->dictionaries);
    tacit__free(w->maps);
    tacit__free(w->missing);
    tacit__free(w->numbers);
    tacit__arena_clear(&w->arena);
}

static bool init(tacit__coding *c, tacit_table *table, int workers)
{
    size_t columns = (size_t)table->column_count;
    c->table = table;
    c->worker_count = workers;
    c->coded = tacit__alloc_array(columns, sizeof *c->coded);
    c->widths = tacit__alloc_array(columns, sizeof *c->widths);
    c->provisional = tacit__alloc_zeroed(columns, sizeof *c->provisional);
    c->workers = tacit__alloc_zeroed((size_t)workers, sizeof *c->workers);
    if (!c->coded || !c->widths || !c->provisional || !c->workers)
        return false;
    for (int32_t i = 0; i < table->column_count; i++)
        if (table->columns[i].coded) {
            c->widths[c->coded_count] = 2;
            c->coded[c->coded_count++] = i;
        }
    for (int i = 0; i < workers; i++)
        if (!init_worker(&c->workers[i], c->coded_count))
            return false;
    return true;
}

tacit_status tacit__coding_new(tacit__coding **out, tacit_table *table, int workers,
                               tacit_error *err)
{
    tacit__coding *c = tacit__alloc_zeroed(1, sizeof *c);
    if (!c || !init(c, table, workers)) {
        tacit__coding_free(c);
        return tacit__nomem(err);
    }
    *out = c;
    return TACIT_OK;
}

void tacit__coding_free(tacit__coding *coding)
{
    if (!coding)
        return;
    for (int i = 0; coding->workers && i < coding->worker_count; i++)
        clear_worker(&coding->workers[i], coding->coded_count);
    for (int32_t i = 0; coding->provisional && i < coding->coded_count; i++)
        tacit__free(coding->provisional[i]);
    tacit__free(coding->workers);
    tacit__free(coding->provisional);
    tacit__free(coding->widths);
    tacit__free(coding->coded);
    tacit__free(coding);
}

/* A quoted value: a view between its quotes, or a copy if quotes inside are doubled. */
static bool unquote(worker *w, tacit__table_value *value)
{
    tacit_strview inner = {value->bytes + 1, value->len - 2};
    value->bytes = inner.bytes;
    value->len = (uint32_t)inner.len;
    if (inner.len == 0 || !memchr(inner.bytes, '"', inner.len))
        return true;
    char *copy = tacit__arena_alloc(&w->arena, inner.len);
    if (!copy)
        return false;
    tacit_strview cell = {inner.bytes - 1, inner.len + 2};
    value->len = (uint32_t)tacit_csv_unquote(cell, copy, inner.len);
    value->bytes = copy;
    return true;
}

static uint32_t difficult_field(worker *w, tacit__dictionary *d, tacit__table_value value)
{
    if (value.len >= 2 && value.bytes[0] == '"' && !unquote(w, &value))
        return UINT32_MAX;
    return tacit__dictionary_find(d, value);
}

/* Masks that keep the first n bytes of sixteen, as two words. */
static const struct {
    uint64_t low, high;
} KEEP[17] = {
    {0, 0},
    {0xFF, 0},
    {0xFFFF, 0},
    {0xFFFFFF, 0},
    {0xFFFFFFFF, 0},
    {0xFFFFFFFFFF, 0},
    {0xFFFFFFFFFFFF, 0},
    {0xFFFFFFFFFFFFFF, 0},
    {UINT64_MAX, 0},
    {UINT64_MAX, 0xFF},
    {UINT64_MAX, 0xFFFF},
    {UINT64_MAX, 0xFFFFFF},
    {UINT64_MAX, 0xFFFFFFFF},
    {UINT64_MAX, 0xFFFFFFFFFF},
    {UINT64_MAX, 0xFFFFFFFFFFFF},
    {UINT64_MAX, 0xFFFFFFFFFFFFFF},
    {UINT64_MAX, UINT64_MAX},
};

/* A text of at most 16 bytes as two words, filled up with zeros. Sixteen bytes
 * can be read up to last_safe. */
typedef struct short_text {
    uint64_t low, high;
} short_text;

static inline short_text load_short(const char *p, uint32_t len, const char *last_safe)
{
    char padded[16];
    short_text text;
    if (p > last_safe)
        p = memcpy(padded, p, len);
    memcpy(&text, p, sizeof text);
    text.low &= KEEP[len].low;
    text.high &= KEEP[len].high;
    return text;
}

/* The number of a field that is known and short, or UINT32_MAX. */
static inline uint32_t easy_field(const tacit__dictionary *d, const char *p, uint32_t len,
                                  const char *last_safe)
{
    if (len > 16)
        return UINT32_MAX;
    short_text text = load_short(p, len, last_safe);
    return tacit__dictionary_short(d->short_entries, d->short_shift, text.low, text.high);
}

/* One column of a stretch: where its fields lie, and what may be in their way. */
typedef struct field_walk {
    const char *base;
    const char *last_safe;
    const uint32_t *ends;
    bool trim;   /* a carriage return may end the last field */
    bool quotes; /* fields may be quoted */
} field_walk;

static field_walk walk_column(const tacit_table *t, const tacit__csv_index *index, int32_t column)
{
    return (field_walk){.base = t->bytes + (index->base + 1), /* the index may count from -1 */
                        .last_safe = t->len >= 16 ? t->bytes + t->len - 16 : NULL,
                        .ends = index->ends + column,
                        .trim = index->returns && column == t->column_count - 1,
                        .quotes = t->quoted};
}

static inline uint32_t field_len(const field_walk *f, const char *p, bool trim)
{
    uint32_t len = f->ends[1] - f->ends[0] - 1;
    return trim && len && p[len - 1] == '\r' ? len - 1 : len;
}

/* Compiled once with plain a constant true, for columns without quotes and
 * carriage returns: nearly all. */
__attribute__((always_inline)) static inline bool
code_rows(const tacit_table *t, field_walk f, int64_t rows, worker *w, int32_t which, bool plain)
{
    uint32_t *out = w->numbers;
    tacit__dictionary *d = &w->dictionaries[which];
    const size_t columns = (size_t)t->column_count;
    bool missing = false;
    for (int64_t row = 0; row < rows; row++, f.ends += columns) {
        const char *p = f.base + f.ends[0];
        uint32_t len = field_len(&f, p, !plain && f.trim);
        bool quoted = !plain && f.quotes && len && *p == '"'; /* an empty field may end the file */
        uint32_t number = quoted ? UINT32_MAX : easy_field(d, p, len, f.last_safe);
        if (number == UINT32_MAX) {
            uint64_t offset = (uint64_t)(p - t->bytes);
            number = difficult_field(
                w, d, (tacit__table_value){.bytes = p, .offset = offset, .len = len});
            if (number == UINT32_MAX)
                return false;
        }
        missing |= number == 0;
        out[row] = number;
    }
    w->missing[which] |= missing;
    return true;
}

/* The numbers of one column of a stretch, into w->numbers. */
TACIT__HOT
static bool code_column(const tacit__coding *c, const tacit__table_stretch *s,
                        const tacit__csv_index *index, worker *w, int32_t which)
{
    field_walk f = walk_column(c->table, index, c->coded[which]);
    if (f.trim || f.quotes)
        return code_rows(c->table, f, s->rows, w, which, false);
    return code_rows(c->table, f, s->rows, w, which, true);
}

/* Takes a column's raw cells of a stretch into its rows' digests. */
TACIT__HOT
static void digest_column(tacit_table *t, const tacit__table_stretch *s,
                          const tacit__csv_index *index, int32_t column)
{
    field_walk f = walk_column(t, index, column);
    uint64_t *digests = t->digests + s->first_row;
    for (int64_t row = 0; row < s->rows; row++, f.ends += t->column_count) {
        const char *p = f.base + f.ends[0];
        uint32_t len = field_len(&f, p, f.trim);
        short_text text = len <= 16 ? load_short(p, len, f.last_safe)
                                    : (short_text){tacit__hash_bytes(p, len), 0};
        digests[row] = tacit__mix(tacit__mix(digests[row] ^ text.low) + text.high + len);
    }
}

static bool make_numbers(worker *w, int64_t rows)
{
    return TACIT__RESERVE(w->numbers, w->capacity, rows);
}

tacit_status tacit__coding_learn(tacit__coding *coding, const tacit__table_stretch *stretch,
                                 const tacit__csv_index *index, tacit_error *err)
{
    worker *w = &coding->workers[0];
    if (!make_numbers(w, stretch->rows))
        return tacit__nomem(err);
    for (int32_t i = 0; i < coding->coded_count; i++) {
        if (!code_column(coding, stretch, index, w, i))
            return tacit__nomem(err);
        coding->widths[i] = w->dictionaries[i].count <= FEW_VALUES ? 1 : 2;
    }
    return TACIT_OK;
}

tacit_status tacit__coding_begin(tacit__coding *coding, tacit_error *err)
{
    for (int32_t i = 0; i < coding->coded_count; i++) {
        coding->provisional[i] =
            tacit__alloc_array((size_t)coding->table->rows, (size_t)coding->widths[i]);
        if (!coding->provisional[i])
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

static inline void put_code(void *out, int width, int64_t at, uint32_t code)
{
    if (width == 1)
        ((uint8_t *)out)[at] = (uint8_t)code;
    else if (width == 2)
        ((uint16_t *)out)[at] = (uint16_t)code;
    else
        ((uint32_t *)out)[at] = code;
}

/* Puts w->numbers where the whole column's are collected. */
static bool store_column(const tacit__coding *c, tacit__table_stretch *s, const worker *w,
                         int32_t which)
{
    int width = c->widths[which];
    char *out = (char *)c->provisional[which] + s->first_row * width;
    if (w->dictionaries[which].count <= 1u << (8 * width)) {
        for (int64_t row = 0; width == 1 && row < s->rows; row++)
            put_code(out, 1, row, w->numbers[row]);
        for (int64_t row = 0; width == 2 && row < s->rows; row++)
            put_code(out, 2, row, w->numbers[row]);
        return true;
    }
    if (!s->wide)
        s->wide = tacit__alloc_zeroed((size_t)c->coded_count, sizeof *s->wide);
    if (!s->wide || !(s->wide[which] = tacit__alloc_array((size_t)s->rows, sizeof(uint32_t))))
        return false;
    if (s->rows)
        memcpy(s->wide[which], w->numbers, (size_t)s->rows * sizeof(uint32_t));
    return true;
}

tacit_status tacit__coding_stretch(tacit__coding *coding, tacit__table_stretch *stretch,
                                   const tacit__csv_index *index, int worker_index,
                                   tacit_error *err)
{
    tacit_table *t = coding->table;
    worker *w = &coding->workers[worker_index];
    stretch->worker = worker_index;
    if (!make_numbers(w, stretch->rows))
        return tacit__nomem(err);
    for (int32_t i = 0; i < coding->coded_count; i++)
        if (!code_column(coding, stretch, index, w, i) || !store_column(coding, stretch, w, i))
            return tacit__nomem(err);
    if (!t->digests)
        return TACIT_OK;
    memset(t->digests + stretch->first_row, 0, (size_t)stretch->rows * sizeof *t->digests);
    for (int32_t i = 0; i < t->column_count; i++)
        if (t->columns[i].digested)
            digest_column(t, stretch, index, i);
    return TACIT_OK;
}

static int width_for(uint32_t distinct)
{
    return distinct < 256 ? 1 : distinct < 65536 ? 2 : 4;
}

/* Merges what the workers found for one column. */
static tacit_status merge_task(void *context, int64_t task, int which, tacit_error *err)
{
    (void)which;
    tacit__coding *c = context;
    tacit__column *column = &c->table->columns[c->coded[task]];
    tacit__dictionary *dictionaries[TACIT__MAX_THREADS];
    uint32_t *maps[TACIT__MAX_THREADS];
    for (int i = 0; i < c->worker_count; i++) {
        worker *w = &c->workers[i];
        dictionaries[i] = &w->dictionaries[task];
        tacit__dictionary_seal(dictionaries[i]);
        column->has_missing |= w->missing[task];
        maps[i] = w->maps[task] = tacit__alloc_array(dictionaries[i]->count, sizeof(uint32_t));
        if (!maps[i])
            return tacit__nomem(err);
    }
    tacit_status status = tacit__dictionaries_merge(&column->values, &column->distinct,
                                                    dictionaries, maps, c->worker_count, err);
    if (status != TACIT_OK)
        return status;
    column->width = width_for(column->distinct);
    if (column->width == c->widths[task])
        column->codes = c->provisional[task]; /* rewritten in place */
    else
        column->codes = tacit__alloc_array((size_t)c->table->rows, (size_t)column->width);
    return column->codes ? TACIT_OK : tacit__nomem(err);
}

/* Turns numbers into codes, out[i] = map[in[i]]. Inlined with constant widths, so
 * that each pair compiles to a tight loop. */
__attribute__((always_inline)) static inline void
settle(void *out, int width, const void *in, int in_width, const uint32_t *map, int64_t count)
{
    tacit_codes_view numbers = {in, in_width};
    for (int64_t i = 0; i < count; i++)
        put_code(out, width, i, map[tacit_codes_at(numbers, i)]);
}

static void settle_column(void *out, int width, const void *in, int in_width, const uint32_t *map,
                          int64_t count)
{
    if (width == 1 && in_width == 1)
        settle(out, 1, in, 1, map, count);
    else if (width == 2 && in_width == 2)
        settle(out, 2, in, 2, map, count);
    else
        settle(out, width, in, in_width, map, count);
}

typedef struct settling {
    const tacit__coding *coding;
    const tacit__table_stretch *stretches;
} settling;

static tacit_status settle_task(void *context, int64_t task, int which, tacit_error *err)
{
    (void)which, (void)err;
    const settling *job = context;
    const tacit__coding *c = job->coding;
    const tacit__table_stretch *s = &job->stretches[task];
    for (int32_t i = 0; i < c->coded_count; i++) {
        const tacit__column *column = &c->table->columns[c->coded[i]];
        const uint32_t *wide = s->wide ? s->wide[i] : NULL;
        const char *narrow = (const char *)c->provisional[i] + s->first_row * c->widths[i];
        settle_column((char *)column->codes + s->first_row * column->width, column->width,
                      wide ? (const void *)wide : narrow, wide ? 4 : c->widths[i],
                      c->workers[s->worker].maps[i], s->rows);
    }
    return TACIT_OK;
}

static bool keep_arenas(tacit__coding *c)
{
    tacit_table *t = c->table;
    t->arenas = tacit__alloc_array((size_t)c->worker_count, sizeof *t->arenas);
    if (!t->arenas)
        return false;
    t->arena_count = c->worker_count;
    for (int i = 0; i < c->worker_count; i++) {
        t->arenas[i] = c->workers[i].arena;
        c->workers[i].arena = (tacit__arena){0};
    }
    return true;
}

/* The table owns its codes; what became no codes is freed with the coding. */
static void hand_over(tacit__coding *c)
{
    for (int32_t i = 0; i < c->coded_count; i++)
        if (c->table->columns[c->coded[i]].codes == c->provisional[i])
            c->provisional[i] = NULL;
}

void tacit__coding_forget(const tacit__coding *coding, tacit__table_stretch *stretch)
{
    for (int32_t i = 0; stretch->wide && i < coding->coded_count; i++)
        tacit__free(stretch->wide[i]);
    tacit__free(stretch->wide);
    stretch->wide = NULL;
}

tacit_status tacit__coding_finish(tacit__coding *coding, tacit__table_stretch *stretches,
                                  int64_t count, const tacit_run *run, tacit_error *err)
{
    settling job = {coding, stretches};
    tacit_status status = tacit__parallel(run, NULL, coding->coded_count, merge_task, coding, err);
    if (status == TACIT_OK)
        status = tacit__parallel(run, NULL, count, settle_task, &job, err);
    if (status == TACIT_OK && !keep_arenas(coding))
        status = tacit__nomem(err);
    hand_over(coding);
    return status;
}
