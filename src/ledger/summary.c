/*
 * summary.c - the distinct rows of a release with their counts, over hashed labels.
 *
 * The labels of a column are listed in the order of their hashes and the rows in the order of
 * their indices, so that a summary says nothing of the order of the rows, and releases of the same
 * rows have the same summary. Rows are sorted column by column from the last to the first, each
 * time by counting and without disturbing the order so far: the cost is rows times columns, the
 * memory two numbers of four bytes a row and what the summary itself takes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "ledger/ledger.h"

enum { ASK_EVERY_CODES = 1 << 16 };

/* A column of the release: its codes, and the index that each of them has in the summary. */
typedef struct ranked {
    tacit_codes_view codes;
    uint32_t *index; /* a code each, missing as the last: 0 */
    uint32_t count;  /* of labels */
} ranked;

typedef struct work {
    const tacit_table *release;
    ranked *columns;
    int32_t column_count;
    uint32_t *order, *spare; /* rows */
    tacit__summary *summary;
    size_t capacity; /* of the summary's bytes */
} work;

/* ---- labels ---- */

typedef struct hashed {
    unsigned char hash[TACIT__LABEL_HASH];
    uint32_t code;
} hashed;

static int by_label_hash(const void *a, const void *b)
{
    return memcmp(((const hashed *)a)->hash, ((const hashed *)b)->hash, TACIT__LABEL_HASH);
}

static void list_labels(unsigned char *labels, ranked *column, hashed *list)
{
    qsort(list, column->count, sizeof *list, by_label_hash);
    for (uint32_t i = 0; i < column->count; i++) {
        memcpy(labels + (size_t)i * TACIT__LABEL_HASH, list[i].hash, TACIT__LABEL_HASH);
        column->index[list[i].code] = i + 1;
    }
    column->index[column->count] = 0;
}

static tacit_status hash_labels(hashed *list, const work *w, int32_t c, const unsigned char *key,
                                const tacit_run *run, tacit_error *err)
{
    tacit__label_hasher hasher;
    tacit__label_hasher_init(&hasher, key, tacit_table_name(w->release, c));
    tacit_status status = TACIT_OK;
    for (uint32_t code = 0; code < w->columns[c].count && status == TACIT_OK; code++) {
        tacit__label_hash(list[code].hash, &hasher, tacit_table_value(w->release, c, code));
        list[code].code = code;
        if (code % ASK_EVERY_CODES == 0)
            status = tacit__progress(run, "remembering labels", c, w->column_count, err);
    }
    sodium_memzero(&hasher, sizeof hasher);
    return status;
}

static tacit_status rank_column(work *w, int32_t c, const unsigned char *key, const tacit_run *run,
                                tacit_error *err)
{
    ranked *column = &w->columns[c];
    column->codes = tacit_table_codes(w->release, c);
    column->count = tacit_table_distinct(w->release, c);
    column->index = tacit__alloc_array((size_t)column->count + 1, sizeof *column->index);
    unsigned char *labels = tacit__alloc_array(column->count, TACIT__LABEL_HASH);
    hashed *list = tacit__alloc_array(column->count, sizeof *list);
    w->summary->labels[c] = labels;
    w->summary->label_counts[c] = column->count;
    tacit_status status = TACIT_OK;
    if (!column->index || !labels || !list)
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = hash_labels(list, w, c, key, run, err);
    if (status == TACIT_OK)
        list_labels(labels, column, list);
    tacit__free(list);
    return status;
}

/* ---- rows ---- */

static uint32_t index_at(const ranked *column, uint32_t row)
{
    return column->index[tacit_codes_at(column->codes, row)];
}

/* Sorts the rows by one column and keeps the order of rows that agree in it. */
static tacit_status sort_by(work *w, const ranked *column, tacit_error *err)
{
    int64_t rows = tacit_table_rows(w->release);
    uint32_t *starts = tacit__alloc_zeroed((size_t)column->count + 2, sizeof *starts);
    if (!starts)
        return tacit__nomem(err);
    for (int64_t i = 0; i < rows; i++)
        starts[index_at(column, w->order[i]) + 1]++;
    for (uint32_t i = 0; i < column->count + 1; i++)
        starts[i + 1] += starts[i];
    for (int64_t i = 0; i < rows; i++)
        w->spare[starts[index_at(column, w->order[i])]++] = w->order[i];
    uint32_t *sorted = w->spare;
    w->spare = w->order;
    w->order = sorted;
    tacit__free(starts);
    return TACIT_OK;
}

static tacit_status sort_rows(work *w, const tacit_run *run, tacit_error *err)
{
    int64_t rows = tacit_table_rows(w->release);
    w->order = tacit__alloc_array((size_t)rows, sizeof *w->order);
    w->spare = tacit__alloc_array((size_t)rows, sizeof *w->spare);
    if (!w->order || !w->spare)
        return tacit__nomem(err);
    for (int64_t i = 0; i < rows; i++)
        w->order[i] = (uint32_t)i;
    tacit_status status = TACIT_OK;
    for (int32_t c = w->column_count; c-- > 0 && status == TACIT_OK;) {
        status = sort_by(w, &w->columns[c], err);
        if (status == TACIT_OK)
            status =
                tacit__progress(run, "remembering rows", w->column_count - c, w->column_count, err);
    }
    return status;
}

static bool same_row(const work *w, uint32_t a, uint32_t b)
{
    for (int32_t c = 0; c < w->column_count; c++)
        if (tacit_codes_at(w->columns[c].codes, a) != tacit_codes_at(w->columns[c].codes, b))
            return false;
    return true;
}

/* ---- varints ---- */

enum { MAX_VARINT = 10 };

static size_t put_number(unsigned char *at, uint64_t number)
{
    size_t len = 0;
    for (; number >= 0x80; number >>= 7)
        at[len++] = (unsigned char)(number | 0x80);
    at[len++] = (unsigned char)number;
    return len;
}

static bool get_number(uint64_t *out, const tacit__summary *summary, size_t *at)
{
    uint64_t number = 0;
    for (int shift = 0; shift < 63 && *at < summary->len; shift += 7) {
        unsigned char byte = summary->bytes[(*at)++];
        number |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            *out = number;
            return true;
        }
    }
    return false;
}

static tacit_status put_class(work *w, uint32_t row, int64_t count, tacit_error *err)
{
    tacit__summary *summary = w->summary;
    size_t most = ((size_t)w->column_count + 1) * MAX_VARINT;
    if (!tacit__reserve((void **)&summary->bytes, &w->capacity, summary->len + most, 1))
        return tacit__nomem(err);
    for (int32_t c = 0; c < w->column_count; c++)
        summary->len += put_number(summary->bytes + summary->len, index_at(&w->columns[c], row));
    summary->len += put_number(summary->bytes + summary->len, (uint64_t)count);
    summary->classes++;
    return TACIT_OK;
}

static tacit_status put_classes(work *w, const tacit_run *run, tacit_error *err)
{
    int64_t rows = tacit_table_rows(w->release), from = 0;
    tacit_status status = TACIT_OK;
    for (int64_t i = 1; i <= rows && status == TACIT_OK; i++) {
        if (i == rows || !same_row(w, w->order[from], w->order[i])) {
            status = put_class(w, w->order[from], i - from, err);
            from = i;
        }
        if (status == TACIT_OK && i % ASK_EVERY_CODES == 0)
            status = tacit__progress(run, "remembering rows", i, rows, err);
    }
    w->summary->rows = rows;
    return status;
}

static void clear_work(work *w)
{
    for (int32_t c = 0; w->columns && c < w->column_count; c++)
        tacit__free(w->columns[c].index);
    tacit__free(w->columns);
    tacit__free(w->order);
    tacit__free(w->spare);
}

tacit_status tacit__summary_of(tacit__summary *out, const tacit_table *release,
                               const unsigned char *key, const tacit_run *run, tacit_error *err)
{
    work w = {.release = release, .column_count = tacit_table_columns(release), .summary = out};
    size_t columns = (size_t)w.column_count;
    tacit_status status = TACIT_OK;
    out->column_count = w.column_count;
    w.columns = tacit__alloc_zeroed(columns, sizeof *w.columns);
    out->labels = tacit__alloc_zeroed(columns, sizeof *out->labels);
    out->label_counts = tacit__alloc_zeroed(columns, sizeof *out->label_counts);
    if (!w.columns || !out->labels || !out->label_counts)
        status = tacit__nomem(err);
    for (int32_t c = 0; c < w.column_count && status == TACIT_OK; c++)
        status = rank_column(&w, c, key, run, err);
    if (status == TACIT_OK)
        status = sort_rows(&w, run, err);
    if (status == TACIT_OK)
        status = put_classes(&w, run, err);
    clear_work(&w);
    return status;
}

void tacit__summary_clear(tacit__summary *summary)
{
    for (int32_t c = 0; summary->labels && c < summary->column_count; c++)
        tacit__free(summary->labels[c]);
    tacit__free(summary->labels);
    tacit__free(summary->label_counts);
    tacit__free(summary->bytes);
    *summary = (tacit__summary){0};
}

bool tacit__class_next(tacit__class_reader *reader, uint32_t *indices, int64_t *rows, bool *broken)
{
    const tacit__summary *summary = reader->summary;
    uint64_t number = 0;
    if (reader->at == summary->len)
        return false;
    for (int32_t c = 0; c < summary->column_count; c++) {
        *broken |= !get_number(&number, summary, &reader->at) || number > summary->label_counts[c];
        if (*broken)
            return false;
        indices[c] = (uint32_t)number;
    }
    *broken |= !get_number(&number, summary, &reader->at) || number == 0 ||
               number > (uint64_t)TACIT_MAX_ROWS;
    *rows = (int64_t)number;
    return !*broken;
}

bool tacit__summary_holds(const tacit__summary *summary, uint32_t *indices)
{
    tacit__class_reader reader = {summary, 0};
    int64_t classes = 0, rows = 0, count = 0;
    bool broken = false;
    while (tacit__class_next(&reader, indices, &count, &broken) && rows <= TACIT_MAX_ROWS) {
        classes++;
        rows += count;
    }
    return !broken && classes == summary->classes && rows == summary->rows;
}
