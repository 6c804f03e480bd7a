/*
 * csv_read.c - from CSV to codes, on all cores.
 *
 * The file is cut into stretches of fixed size. A first pass counts quotes and
 * line ends in each, after which it is known where quoting stands at every
 * stretch's start and which number its first row has. A second pass indexes the
 * fields of a stretch and codes its columns one after the other, so that one
 * dictionary at a time is in the cache; codes are provisional, numbers of the
 * worker's own dictionary. Then the workers' dictionaries are merged in order
 * of first appearance and the codes rewritten, as narrow as they fit.
 *
 * Nothing is allocated for a field: values are views of the mapped file, but
 * for those with doubled quotes. Touching fresh memory costs as much as coding,
 * so provisional codes take 16 bits, and become the final ones in place where
 * those take 16 bits too; a stretch whose worker has met more values keeps that
 * column in 32 bits of its own. Memory at the peak: the mapped file, 8 bytes a
 * row, and about 3 bytes a row and coded column.
 */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "table/csv_check.h"
#include "table/csv_dialect.h"
#include "table/csv_index.h"
#include "table/csv_read.h"
#include "table/dictionary.h"
#include "table/table.h"

/* What one worker needs. Arenas end up in the table: values live there. */
typedef struct worker {
    tacit__csv_index index;
    tacit__dictionary *dictionaries; /* a coded column each */
    uint32_t **maps;                 /* a coded column each: number -> code */
    uint32_t *numbers;               /* one column of a stretch, before it is stored */
    size_t number_capacity;
    tacit__arena arena;
} worker;

typedef struct reader {
    tacit_table *table;
    const tacit_csv_options *options;
    size_t max_field;
    size_t stretch; /* bytes */
    tacit__stretch *stretches;
    int64_t stretch_count;
    int32_t *coded; /* columns */
    int32_t coded_count;
    uint16_t **provisional; /* a coded column each */
    worker *workers;
    int worker_count;
} reader;

static tacit_status choose_columns(reader *r, tacit_error *err)
{
    const tacit_csv_options *o = r->options;
    tacit_table *t = r->table;
    for (size_t i = 0; i < o->coded_count; i++) {
        int32_t column = tacit_table_find(t, tacit_strview_of(o->coded[i]));
        if (column < 0)
            return tacit__error_at(err, TACIT_INVALID, t->file, 0, 0, "there is no column \"%s\"",
                                   tacit__show(tacit_strview_of(o->coded[i])).text);
        t->columns[column].coded = true;
    }
    r->coded = tacit__alloc_array((size_t)t->column_count, sizeof *r->coded);
    if (!r->coded)
        return tacit__nomem(err);
    for (int32_t i = 0; i < t->column_count; i++) {
        t->columns[i].coded |= !o->coded && !o->code_none;
        if (t->columns[i].coded)
            r->coded[r->coded_count++] = i;
    }
    return TACIT_OK;
}

static void choose_digested(reader *r)
{
    const tacit_csv_options *o = r->options;
    tacit_table *t = r->table;
    for (int32_t i = 0; o->digest && i < t->column_count; i++)
        t->columns[i].digested = true;
    for (size_t i = 0; i < o->undigested_count; i++) {
        int32_t column = tacit_table_find(t, tacit_strview_of(o->undigested[i]));
        if (column >= 0)
            t->columns[column].digested = false;
    }
}

static tacit_status count_task(void *context, int64_t task, int w, tacit_error *err)
{
    (void)w;
    (void)err;
    reader *r = context;
    tacit__stretch_count(&r->stretches[task], r->table);
    return TACIT_OK;
}

static tacit_status cut_stretches(reader *r, const tacit_run *run, tacit_error *err)
{
    const tacit_table *t = r->table;
    r->stretch_count = (int64_t)((t->len - t->data_start + r->stretch - 1) / r->stretch);
    r->stretches = tacit__alloc_zeroed((size_t)r->stretch_count, sizeof *r->stretches);
    if (!r->stretches)
        return tacit__nomem(err);
    for (int64_t i = 0; i < r->stretch_count; i++) {
        tacit__stretch *s = &r->stretches[i];
        s->begin = t->data_start + (size_t)i * r->stretch;
        s->end = s->begin + r->stretch < t->len ? s->begin + r->stretch : t->len;
    }
    return tacit__parallel(run, NULL, r->stretch_count, count_task, r, err);
}

/* Numbers the rows and finds out whether quoting comes out even. */
static tacit_status number_rows(reader *r, tacit_error *err)
{
    tacit_table *t = r->table;
    bool quoted = false;
    int64_t row = 0;
    for (int64_t i = 0; i < r->stretch_count; i++) {
        tacit__stretch *s = &r->stretches[i];
        s->starts_quoted = quoted;
        s->first_row = row;
        s->rows = s->line_ends[quoted] + (i == 0);
        if (i + 1 == r->stretch_count && t->bytes[t->len - 1] == '\n' && !(quoted ^ s->odd))
            s->rows--; /* the last line end starts no row */
        t->quoted |= s->quotes;
        row += s->rows;
        quoted ^= s->odd;
    }
    if (row > TACIT_MAX_ROWS)
        return tacit__error_at(err, TACIT_LIMIT, t->file, 0, 0, "%lld rows; at most %lld are read",
                               (long long)row, (long long)TACIT_MAX_ROWS);
    t->rows = row;
    return TACIT_OK;
}

static bool init_worker(worker *w, int32_t coded_count)
{
    w->dictionaries = tacit__alloc_zeroed((size_t)coded_count, sizeof *w->dictionaries);
    w->maps = tacit__alloc_zeroed((size_t)coded_count, sizeof *w->maps);
    for (int32_t i = 0; w->dictionaries && i < coded_count; i++)
        if (!tacit__dictionary_init(&w->dictionaries[i]))
            return false;
    return w->dictionaries && w->maps;
}

static tacit_status allocate(reader *r, const tacit_run *run, tacit_error *err)
{
    tacit_table *t = r->table;
    size_t coded = (size_t)r->coded_count;
    r->worker_count = tacit__threads(run);
    r->workers = tacit__alloc_zeroed((size_t)r->worker_count, sizeof *r->workers);
    r->provisional = tacit__alloc_zeroed(coded, sizeof *r->provisional);
    t->row_start = tacit__alloc_array((size_t)t->rows + 1, sizeof *t->row_start);
    if (r->options->digest)
        t->digests = tacit__alloc_zeroed((size_t)t->rows, sizeof *t->digests);
    bool enough =
        r->workers && r->provisional && t->row_start && (t->digests || !r->options->digest);
    for (int i = 0; enough && i < r->worker_count; i++)
        enough = init_worker(&r->workers[i], r->coded_count);
    for (size_t i = 0; enough && i < coded; i++) {
        r->provisional[i] = tacit__alloc_array((size_t)t->rows, sizeof **r->provisional);
        enough = r->provisional[i] != NULL;
    }
    if (!enough)
        return tacit__nomem(err);
    t->row_start[t->rows] = t->len;
    return TACIT_OK;
}

/* Whether a row of more than max_field bytes has a field as long as that. */
static bool has_long_field(const reader *r, const tacit__csv_index *index, size_t first)
{
    const char *bytes = r->table->bytes;
    for (size_t i = first; i < first + (size_t)r->table->column_count; i++) {
        size_t len = index->ends[i + 1] - index->ends[i] - 1;
        if (len <= r->max_field)
            continue;
        size_t end = index->base + index->ends[i + 1];
        bool line_end = len == r->max_field + 1 && bytes[end - 1] == '\r';
        if (!line_end)
            return true;
    }
    return false;
}

/* Whether the index is that of well-formed rows. */
static bool well_formed(const reader *r, const tacit__stretch *s, const tacit__csv_index *index)
{
    const tacit_table *t = r->table;
    size_t columns = (size_t)t->column_count;
    if (index->broken || index->count != (size_t)s->rows * columns + 1)
        return false;
    if (index->line_ends != s->rows + (s->begin != t->data_start))
        return false;
    for (size_t first = 0; first + 1 < index->count; first += columns) {
        size_t end = index->base + index->ends[first + columns];
        if (end < t->len && t->bytes[end] != '\n')
            return false;
        if (index->ends[first + columns] - index->ends[first] > r->max_field &&
            has_long_field(r, index, first))
            return false;
    }
    if (!index->high || s->rows == 0)
        return true;
    size_t from = index->base + index->ends[0] + 1;
    size_t len = index->base + index->ends[index->count - 1] - from;
    return tacit__utf8_valid(t->bytes + from, len) == len;
}

/* Says what is wrong with a stretch that is not well formed. */
static tacit_status explain(const reader *r, const tacit__stretch *s, const tacit__csv_index *index,
                            tacit_error *err)
{
    const tacit_table *t = r->table;
    size_t from = index->count ? index->base + index->ends[0] + 1 : s->begin;
    tacit_status status = tacit__csv_check(t, from, s->end + 1, t->column_count, r->max_field, err);
    if (status != TACIT_OK)
        return status;
    return tacit__error_at(err, TACIT_LIMIT, t->file, 0, 0,
                           "a row of more than 2 GiB near byte %zu", from);
}

/* A quoted value: a view between its quotes, or a copy if quotes inside are doubled. */
static bool unquote(worker *w, tacit__value *value)
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

static uint32_t difficult_field(worker *w, tacit__dictionary *d, tacit__value value)
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

static const char *last_safe_of(const tacit_table *t)
{
    return t->len >= 16 ? t->bytes + t->len - 16 : NULL;
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
                        .last_safe = last_safe_of(t),
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
__attribute__((always_inline)) static inline bool code_rows(const tacit_table *t, field_walk f,
                                                            int64_t rows, worker *w,
                                                            tacit__dictionary *d, bool plain)
{
    uint32_t *out = w->numbers;
    const size_t columns = (size_t)t->column_count;
    for (int64_t row = 0; row < rows; row++, f.ends += columns) {
        const char *p = f.base + f.ends[0];
        uint32_t len = field_len(&f, p, !plain && f.trim);
        bool quoted = !plain && f.quotes && len && *p == '"'; /* an empty field may end the file */
        uint32_t number = quoted ? UINT32_MAX : easy_field(d, p, len, f.last_safe);
        if (number == UINT32_MAX) {
            uint64_t offset = (uint64_t)(p - t->bytes);
            number =
                difficult_field(w, d, (tacit__value){.bytes = p, .offset = offset, .len = len});
            if (number == UINT32_MAX)
                return false;
        }
        out[row] = number;
    }
    return true;
}

/* The numbers of one column of a stretch, into w->numbers. */
TACIT__HOT
static bool code_column(const reader *r, const tacit__stretch *s, worker *w, int32_t which)
{
    tacit__dictionary *d = &w->dictionaries[which];
    field_walk f = walk_column(r->table, &w->index, r->coded[which]);
    if (f.trim || f.quotes)
        return code_rows(r->table, f, s->rows, w, d, false);
    return code_rows(r->table, f, s->rows, w, d, true);
}

/* Takes a column's raw cells of a stretch into its rows' digests. */
TACIT__HOT
static void digest_column(const reader *r, const tacit__stretch *s, const worker *w, int32_t column)
{
    const tacit_table *t = r->table;
    field_walk f = walk_column(t, &w->index, column);
    uint64_t *digests = t->digests + s->first_row;
    for (int64_t row = 0; row < s->rows; row++, f.ends += t->column_count) {
        const char *p = f.base + f.ends[0];
        uint32_t len = field_len(&f, p, f.trim);
        short_text text = len <= 16 ? load_short(p, len, f.last_safe)
                                    : (short_text){tacit__hash_bytes(p, len), 0};
        digests[row] = tacit__mix(tacit__mix(digests[row] ^ text.low) + text.high + len);
    }
}

/* Puts w->numbers where the whole column's are collected. */
static bool store_column(const reader *r, tacit__stretch *s, const worker *w, int32_t which)
{
    if (w->dictionaries[which].count <= UINT16_MAX) {
        uint16_t *out = r->provisional[which] + s->first_row;
        for (int64_t row = 0; row < s->rows; row++)
            out[row] = (uint16_t)w->numbers[row];
        return true;
    }
    if (!s->wide)
        s->wide = tacit__alloc_zeroed((size_t)r->coded_count, sizeof *s->wide);
    if (!s->wide || !(s->wide[which] = tacit__alloc_array((size_t)s->rows, sizeof(uint32_t))))
        return false;
    memcpy(s->wide[which], w->numbers, (size_t)s->rows * sizeof(uint32_t));
    return true;
}

static tacit_status read_task(void *context, int64_t task, int which, tacit_error *err)
{
    reader *r = context;
    tacit_table *t = r->table;
    worker *w = &r->workers[which];
    tacit__stretch *s = &r->stretches[task];
    s->worker = which;
    if (!tacit__csv_index_build(&w->index, s, t))
        return tacit__nomem(err);
    if (w->index.count == 0 && s->rows == 0 && !w->index.broken)
        return TACIT_OK;
    if (!well_formed(r, s, &w->index))
        return explain(r, s, &w->index, err);
    for (int64_t row = 0; row < s->rows; row++)
        t->row_start[s->first_row + row] = w->index.base + w->index.ends[row * t->column_count] + 1;
    if (!tacit__reserve((void **)&w->numbers, &w->number_capacity, (size_t)s->rows,
                        sizeof *w->numbers))
        return tacit__nomem(err);
    for (int32_t i = 0; i < r->coded_count; i++)
        if (!code_column(r, s, w, i) || !store_column(r, s, w, i))
            return tacit__nomem(err);
    for (int32_t i = 0; t->digests && i < t->column_count; i++)
        if (t->columns[i].digested)
            digest_column(r, s, w, i);
    if (r->options->let_go)
        tacit__input_release(&t->input, s->begin, s->end);
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
    reader *r = context;
    tacit__column *column = &r->table->columns[r->coded[task]];
    tacit__dictionary *dictionaries[TACIT__MAX_THREADS];
    uint32_t *maps[TACIT__MAX_THREADS];
    for (int i = 0; i < r->worker_count; i++) {
        worker *w = &r->workers[i];
        dictionaries[i] = &w->dictionaries[task];
        maps[i] = w->maps[task] = tacit__alloc_array(dictionaries[i]->count, sizeof(uint32_t));
        if (!maps[i])
            return tacit__nomem(err);
    }
    tacit_status status = tacit__dictionaries_merge(&column->values, &column->distinct,
                                                    dictionaries, maps, r->worker_count, err);
    if (status != TACIT_OK)
        return status;
    column->width = width_for(column->distinct);
    if (column->width == 2)
        column->codes = r->provisional[task]; /* rewritten in place; see settle_task */
    else
        column->codes = tacit__alloc_array((size_t)r->table->rows, (size_t)column->width);
    return column->codes ? TACIT_OK : tacit__nomem(err);
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

/* Turns a stretch's numbers into codes: out[i] = map[in[i]], in being 16 or 32
 * bits wide. The loops are apart so that each compiles to a tight one. */
static void settle(void *out, int width, const uint16_t *in, const uint32_t *wide,
                   const uint32_t *map, int64_t count)
{
    if (wide)
        for (int64_t i = 0; i < count; i++)
            put_code(out, width, i, map[wide[i]]);
    else if (width == 1)
        for (int64_t i = 0; i < count; i++)
            put_code(out, 1, i, map[in[i]]);
    else if (width == 2)
        for (int64_t i = 0; i < count; i++)
            put_code(out, 2, i, map[in[i]]);
    else
        for (int64_t i = 0; i < count; i++)
            put_code(out, 4, i, map[in[i]]);
}

static tacit_status settle_task(void *context, int64_t task, int which, tacit_error *err)
{
    (void)which;
    (void)err;
    reader *r = context;
    const tacit__stretch *s = &r->stretches[task];
    for (int32_t i = 0; i < r->coded_count; i++) {
        tacit__column *column = &r->table->columns[r->coded[i]];
        char *out = (char *)column->codes + s->first_row * column->width;
        settle(out, column->width, r->provisional[i] + s->first_row, s->wide ? s->wide[i] : NULL,
               r->workers[s->worker].maps[i], s->rows);
    }
    return TACIT_OK;
}

static bool any_missing(const tacit__column *column, int64_t rows)
{
    tacit_codes_view codes = {column->codes, column->width};
    if (column->width == 1)
        return column->distinct < 256 && rows &&
               memchr(column->codes, (int)column->distinct, (size_t)rows);
    for (int64_t i = 0; i < rows; i++)
        if (tacit_codes_at(codes, i) == column->distinct)
            return true;
    return false;
}

static tacit_status missing_task(void *context, int64_t task, int which, tacit_error *err)
{
    (void)which;
    (void)err;
    reader *r = context;
    tacit__column *column = &r->table->columns[r->coded[task]];
    column->has_missing = any_missing(column, r->table->rows);
    return TACIT_OK;
}

static bool keep_arenas(reader *r)
{
    tacit_table *t = r->table;
    t->arenas = tacit__alloc_array((size_t)r->worker_count, sizeof *t->arenas);
    if (!t->arenas)
        return false;
    t->arena_count = r->worker_count;
    for (int i = 0; i < r->worker_count; i++) {
        t->arenas[i] = r->workers[i].arena;
        r->workers[i].arena = (tacit__arena){0};
    }
    return true;
}

static void clear_reader(reader *r)
{
    for (int i = 0; r->workers && i < r->worker_count; i++) {
        worker *w = &r->workers[i];
        for (int32_t c = 0; c < r->coded_count; c++) {
            if (w->dictionaries)
                tacit__dictionary_clear(&w->dictionaries[c]);
            if (w->maps)
                tacit__free(w->maps[c]);
        }
        tacit__free(w->dictionaries);
        tacit__free(w->maps);
        tacit__free(w->index.ends);
        tacit__free(w->numbers);
        tacit__arena_clear(&w->arena);
    }
    for (int32_t i = 0; r->provisional && i < r->coded_count; i++)
        if (r->table->columns[r->coded[i]].codes != r->provisional[i])
            tacit__free(r->provisional[i]);
    for (int64_t i = 0; r->stretches && i < r->stretch_count; i++) {
        for (int32_t c = 0; r->stretches[i].wide && c < r->coded_count; c++)
            tacit__free(r->stretches[i].wide[c]);
        tacit__free(r->stretches[i].wide);
    }
    tacit__free(r->provisional);
    tacit__free(r->workers);
    tacit__free(r->coded);
    tacit__free(r->stretches);
}

static tacit_status read_rows(reader *r, const tacit_run *run, tacit_error *err)
{
    tacit_status status = choose_columns(r, err);
    choose_digested(r);
    if (status == TACIT_OK)
        status = cut_stretches(r, run, err);
    if (status == TACIT_OK)
        status = number_rows(r, err);
    if (status == TACIT_OK)
        status = allocate(r, run, err);
    if (status == TACIT_OK)
        status = tacit__parallel(run, "reading", r->stretch_count, read_task, r, err);
    if (status == TACIT_OK)
        status = tacit__parallel(run, NULL, r->coded_count, merge_task, r, err);
    if (status == TACIT_OK)
        status = tacit__parallel(run, NULL, r->stretch_count, settle_task, r, err);
    if (status == TACIT_OK)
        status = tacit__parallel(run, NULL, r->coded_count, missing_task, r, err);
    if (status == TACIT_OK && !keep_arenas(r))
        status = tacit__nomem(err);
    return status;
}

/* The table takes the input over, even when this fails. */
static tacit_status read_input(tacit_table **out, tacit__input input, const char *name,
                               const tacit_csv_options *options, size_t stretch,
                               const tacit_run *run, tacit_error *err)
{
    tacit_csv_options defaults;
    tacit_csv_options_init(&defaults);
    reader r = {.options = options ? options : &defaults, .stretch = stretch};
    r.max_field = r.options->max_field ? r.options->max_field : defaults.max_field;
    tacit_status status = TACIT_OK;
    r.table = tacit__alloc_zeroed(1, sizeof *r.table);
    if (!r.table) {
        tacit__input_close(&input);
        return tacit__nomem(err);
    }
    *r.table = (tacit_table){.input = input, .bytes = input.bytes, .len = input.len};
    if (!(r.table->file = tacit__copy_bytes(name, strlen(name))))
        status = tacit__nomem(err);
    else if (r.options->delimiter && strchr("\"\r\n", r.options->delimiter))
        status = tacit__error(err, TACIT_INVALID, "quotes and line ends cannot be delimiters");
    if (status == TACIT_OK)
        status = tacit__csv_dialect(r.table, r.options, r.max_field, err);
    if (status == TACIT_OK && !r.options->header_only)
        status = read_rows(&r, run, err);
    clear_reader(&r);
    if (status == TACIT_OK)
        *out = r.table;
    else
        tacit_table_free(r.table);
    return status;
}

tacit_status tacit__table_read_stretches(tacit_table **out, tacit_strview bytes, const char *name,
                                         const tacit_csv_options *options, size_t stretch,
                                         const tacit_run *run, tacit_error *err)
{
    return read_input(out, (tacit__input){.bytes = bytes.bytes, .len = bytes.len}, name, options,
                      stretch, run, err);
}

tacit_status tacit_table_read_memory(tacit_table **out, tacit_strview bytes, const char *name,
                                     const tacit_csv_options *options, const tacit_run *run,
                                     tacit_error *err)
{
    return tacit__table_read_stretches(out, bytes, name, options, TACIT__STRETCH, run, err);
}

tacit_status tacit_table_read_fd(tacit_table **out, int fd, const char *name,
                                 const tacit_csv_options *options, const tacit_run *run,
                                 tacit_error *err)
{
    tacit__input input = {0};
    tacit_status status = tacit__input_open_fd(&input, fd, name, 0, err);
    return status == TACIT_OK ? read_input(out, input, name, options, TACIT__STRETCH, run, err)
                              : status;
}

tacit_status tacit_table_read(tacit_table **out, const char *path, const tacit_csv_options *options,
                              const tacit_run *run, tacit_error *err)
{
    tacit__input input = {0};
    tacit_status status = tacit__input_open(&input, path, 0, err);
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    return status == TACIT_OK ? read_input(out, input, name, options, TACIT__STRETCH, run, err)
                              : status;
}
