/*
 * pseudonyms.c - identifiers that were to be replaced, not only renamed.
 *
 * No pseudonym may be a value that the identifier has anywhere in the original.
 * And pseudonyms are consistent: one for each value, another for each other.
 * That is so exactly if there are as many different values as different
 * pseudonyms as different pairs of both; where rows do not correspond, pairs
 * are unknown and only the first two numbers are compared. Pseudonyms per row are told from the
 * release alone: there are as many as rows.
 *
 * Values are compared by 64-bit hashes, sorted. Hashes that meet by chance can
 * only add a finding, never hide one; with 10 million values the chance is one
 * in a hundred thousand. Cost: a reading of both columns, 48 bytes a row.
 */
#include "audit/judge/judge.h"
#include "audit/rows/sort.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"

typedef struct hashing {
    const tacit_table *table;
    int32_t column;
    uint64_t *out;
    tacit_strview *cells; /* a row's worth for each worker */
    tacit__cell_buffer *buffers;
} hashing;

/* Hash of a row's cell; false when memory ran out. */
static bool hash_cell(uint64_t *out, const hashing *h, int64_t row, int worker)
{
    tacit_strview *cells = h->cells + (int64_t)worker * tacit_table_columns(h->table);
    tacit_table_row(h->table, row, cells);
    tacit_strview text = tacit__cell_says(cells[h->column], &h->buffers[worker]);
    *out = tacit__hash_bytes(text.bytes, text.len);
    return text.bytes != NULL;
}

static tacit_status hash_block(void *context, int64_t block, int worker, tacit_error *err)
{
    const hashing *h = context;
    int64_t end = tacit__block_end(block, tacit_table_rows(h->table));
    for (int64_t i = block * TACIT__BLOCK; i < end; i++)
        if (!hash_cell(&h->out[i], h, i, worker))
            return tacit__nomem(err);
    return TACIT_OK;
}

static tacit_status hashing_init(hashing *h, const tacit_table *table, int32_t column, int workers,
                                 tacit_error *err)
{
    size_t cells;
    *h = (hashing){.table = table, .column = column};
    if (tacit__multiply((size_t)workers, (size_t)tacit_table_columns(table), &cells))
        h->cells = tacit__alloc_array(cells, sizeof *h->cells);
    h->buffers = tacit__alloc_zeroed((size_t)workers, sizeof *h->buffers);
    return h->cells && h->buffers ? TACIT_OK : tacit__nomem(err);
}

static void hashing_clear(hashing *h, int workers)
{
    for (int i = 0; h->buffers && i < workers; i++)
        tacit__free(h->buffers[i].bytes);
    tacit__free(h->buffers);
    tacit__free(h->cells);
}

/* A table's column as hashes, in the order of its rows. */
static tacit_status hash_column(tacit__sorter *out, const tacit__judge *judge,
                                const tacit_table *table, int32_t column, tacit_error *err)
{
    hashing h;
    int workers = tacit__threads(judge->run);
    int64_t rows = tacit_table_rows(table);
    tacit_status status = hashing_init(&h, table, column, workers, err);
    if (status == TACIT_OK)
        status = tacit__sorter_init(out, rows, 64, false, err);
    h.out = out->keys;
    if (status == TACIT_OK)
        status = tacit__parallel(judge->run, "judging pseudonyms", tacit__blocks(rows), hash_block,
                                 &h, err);
    hashing_clear(&h, workers);
    return status;
}

/* The numbers of different values, pseudonyms and pairs among released rows. */
typedef struct differing {
    int64_t values;
    int64_t pseudonyms;
    int64_t pairs;
} differing;

/* Values of the released rows, or those paired with their pseudonyms. */
static tacit_status count_behind(int64_t *out, const tacit__judge *judge,
                                 const tacit__sorter *values, const tacit__sorter *pseudonyms,
                                 tacit_error *err)
{
    tacit__sorter sorter = {0};
    tacit_status status =
        tacit__sorter_init(&sorter, tacit_table_rows(judge->release), 64, false, err);
    for (int64_t i = 0; status == TACIT_OK && i < sorter.count; i++) {
        sorter.keys[i] = values->keys[tacit__behind(judge, i)];
        if (pseudonyms)
            sorter.keys[i] = tacit__mix(tacit__mix(sorter.keys[i]) + pseudonyms->keys[i]);
    }
    if (status == TACIT_OK)
        status = tacit__sorter_sort(&sorter, judge->run, err);
    *out = tacit__sorter_distinct(&sorter);
    tacit__sorter_clear(&sorter);
    return status;
}

/* Rows whose pseudonym is among the original's values; both sorted. */
static int64_t count_left(const tacit__sorter *pseudonyms, const tacit__sorter *values)
{
    uint64_t missing = tacit__hash_bytes("", 0);
    int64_t left = 0, at = 0;
    for (int64_t i = 0; i < pseudonyms->count; i++) {
        uint64_t key = pseudonyms->keys[i];
        while (at < values->count && values->keys[at] < key)
            at++;
        left += key != missing && at < values->count && values->keys[at] == key;
    }
    return left;
}

/* The first row of the release whose pseudonym is among sorted values. */
static tacit_status first_left(int64_t *out, const tacit__judge *judge, int32_t column,
                               const tacit__sorter *values, tacit_error *err)
{
    tacit__sorter hashes = {0};
    tacit_status status = hash_column(&hashes, judge, judge->release, column, err);
    uint64_t missing = tacit__hash_bytes("", 0);
    for (int64_t i = 0; status == TACIT_OK && i < hashes.count; i++) {
        int64_t at = tacit__sorter_place(values, hashes.keys[i]);
        if (hashes.keys[i] != missing && at < values->count && values->keys[at] == hashes.keys[i]) {
            *out = i;
            break;
        }
    }
    tacit__sorter_clear(&hashes);
    return status;
}

static void report_differing(tacit__judge *judge, int32_t column, differing d)
{
    tacit__shown name = tacit__show(judge->columns[column].name);
    if (judge->corresponds && (d.pairs != d.values || d.pairs != d.pseudonyms))
        tacit__find(judge, TACIT_FINDING_CHANGED, 0, d.pairs,
                    "pseudonyms in column \"%s\" are not one to one: %lld values and %lld "
                    "pseudonyms make %lld pairs",
                    name.text, (long long)d.values, (long long)d.pseudonyms, (long long)d.pairs);
    bool all = judge->verdict->unreleased_rows == 0;
    if (!judge->corresponds && (d.pseudonyms > d.values || (all && d.pseudonyms < d.values)))
        tacit__find(judge, TACIT_FINDING_CHANGED, 0, d.pseudonyms,
                    "column \"%s\" has %lld different pseudonyms for %lld different values",
                    name.text, (long long)d.pseudonyms, (long long)d.values);
}

/* values and pseudonyms are hashed, and are sorted here. */
static tacit_status judge_hashes(tacit__judge *judge, int32_t column, tacit__sorter *values,
                                 tacit__sorter *pseudonyms, tacit_error *err)
{
    differing d = {0};
    tacit_status status = TACIT_OK;
    if (judge->corresponds)
        status = count_behind(&d.pairs, judge, values, pseudonyms, err);
    if (status == TACIT_OK && judge->corresponds)
        status = count_behind(&d.values, judge, values, NULL, err);
    if (status == TACIT_OK)
        status = tacit__sorter_sort(values, judge->run, err);
    if (status == TACIT_OK)
        status = tacit__sorter_sort(pseudonyms, judge->run, err);
    if (status != TACIT_OK)
        return status;
    d.pseudonyms = tacit__sorter_distinct(pseudonyms);
    if (!judge->corresponds)
        d.values = tacit__sorter_distinct(values);
    if (!judge->columns[column].per_row)
        report_differing(judge, column, d);
    int64_t left = count_left(pseudonyms, values), first = 0;
    if (!left)
        return TACIT_OK;
    status = first_left(&first, judge, column, values, err);
    if (status == TACIT_OK)
        tacit__find(judge, TACIT_FINDING_IDENTIFIER, first + 1, left,
                    "column \"%s\" was to be replaced, but has values of the original in %lld "
                    "rows; the first is row %lld (line %lld)",
                    tacit__show(judge->columns[column].name).text, (long long)left,
                    (long long)(first + 1), (long long)tacit_table_line(judge->release, first));
    return status;
}

tacit_status tacit__judge_row_pseudonyms(tacit__judge *judge, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < tacit_table_columns(judge->release) && status == TACIT_OK; i++) {
        tacit__sorter pseudonyms = {0};
        if (!judge->columns[i].per_row)
            continue;
        status = hash_column(&pseudonyms, judge, judge->release, i, err);
        if (status == TACIT_OK)
            status = tacit__sorter_sort(&pseudonyms, judge->run, err);
        int64_t repeated = pseudonyms.count - tacit__sorter_distinct(&pseudonyms);
        tacit__sorter_clear(&pseudonyms);
        if (status == TACIT_OK && repeated > 0)
            tacit__find(judge, TACIT_FINDING_CHANGED, 0, repeated,
                        "column \"%s\" was to have another pseudonym in every row, but %lld rows "
                        "have one that was there before",
                        tacit__show(judge->columns[i].name).text, (long long)repeated);
    }
    return status;
}

tacit_status tacit__judge_pseudonyms(tacit__judge *judge, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < tacit_table_columns(judge->release) && status == TACIT_OK; i++) {
        const tacit__release_column *column = &judge->columns[i];
        if (column->role != TACIT__PSEUDONYM)
            continue;
        tacit__sorter values = {0}, pseudonyms = {0};
        status = hash_column(&values, judge, judge->original, column->source, err);
        if (status == TACIT_OK)
            status = hash_column(&pseudonyms, judge, judge->release, i, err);
        if (status == TACIT_OK)
            status = judge_hashes(judge, i, &values, &pseudonyms, err);
        tacit__sorter_clear(&values);
        tacit__sorter_clear(&pseudonyms);
    }
    return status;
}
