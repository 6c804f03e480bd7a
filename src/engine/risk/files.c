/*
 * files.c - the tables of `tacit risk`, as CSV: a row for each record, prime
 * implicant, set of columns, value or combination.
 *
 * All of them are written before the first one appears. Sets of columns are
 * written by their names, with + between; there are few different ones, so their
 * texts are kept. Linear in what is written.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "engine/risk/risk.h"

enum { SLOTS = 1 << 10, BATCH = 1 << 14 /* rows between two looks at whether to go on */ };

/* A table in the making. */
typedef struct table_writer {
    const engine_risks *risk;
    engine_csv *csv;
    uint64_t sets[SLOTS]; /* whose text is kept; 0: none */
    char *texts[SLOTS];
    int64_t rows;
    tacit_status status;
} table_writer;

/* The names of a set's columns. NULL when out of memory. */
static char *join_names(const engine_risks *risk, uint64_t set)
{
    tacit__strbuf text = {0};
    tacit__strbuf_text(&text, "");
    for (uint64_t left = set; left; left &= left - 1) {
        tacit_strview name = engine_risk_column(risk, __builtin_ctzll(left));
        tacit__strbuf_text(&text, left != set ? "+" : "");
        tacit__strbuf_add(&text, name.bytes, name.len);
    }
    if (text.failed)
        tacit__strbuf_clear(&text);
    return text.bytes;
}

static void put_set(table_writer *w, uint64_t set)
{
    size_t slot = set * UINT64_C(0x9E3779B97F4A7C15) >> 54;
    if (!w->texts[slot] || w->sets[slot] != set) {
        tacit__free(w->texts[slot]);
        w->texts[slot] = join_names(w->risk, set);
        w->sets[slot] = set;
    }
    if (!w->texts[slot])
        w->status = tacit__nomem(&w->risk->session->error);
    engine_csv_text(w->csv, tacit_strview_of(w->texts[slot] ? w->texts[slot] : ""));
}

/* Ends a row; false where there is no use in another. */
static bool end_row(table_writer *w)
{
    engine_csv_row(w->csv);
    if (++w->rows % BATCH == 0 && w->status == TACIT_OK)
        w->status = engine_csv_check(w->csv, &w->risk->session->error);
    if (w->rows % BATCH == 0 && w->status == TACIT_OK)
        w->status = engine_session_check(w->risk->session);
    return w->status == TACIT_OK;
}

/* ---- records ---- */

static bool put_record(table_writer *w, int64_t row)
{
    const engine_risks *risk = w->risk;
    int64_t combination = tacit_distinct_of(risk->distinct, row);
    tacit_unique_sets_view view = tacit_uniques_of(risk->uniques, row);
    tacit_unique_measures measures = tacit_uniques_measure(risk->uniques, row);
    engine_csv_integer(w->csv, row + 1);
    engine_csv_real(w->csv, risk->sampled->individual[combination]);
    if (view.count > 0) {
        put_set(w, view.sets[0].columns);
        engine_csv_integer(w->csv, measures.fewest);
    } else {
        engine_csv_text(w->csv, tacit_strview_of(""));
        engine_csv_text(w->csv, tacit_strview_of(""));
    }
    engine_csv_integer(w->csv, measures.sets);
    if (view.count > 0)
        engine_csv_integer(w->csv, measures.group);
    else
        engine_csv_text(w->csv, tacit_strview_of(""));
    engine_csv_real(w->csv, risk->suda->scores[combination]);
    engine_csv_real(w->csv, risk->suda->dis[combination]);
    for (int i = 0; i < ENGINE_RISK_ASIDES; i++)
        if (risk->linked[i])
            engine_csv_real(w->csv, risk->linked[i]->risk[row]);
    return end_row(w);
}

/* Those at risk in the order of a measure, then the others as in the data. */
static void put_ranked(table_writer *w)
{
    const engine_risks *risk = w->risk;
    const tacit_uniques_summary *found = risk->summary;
    uint32_t *rows = tacit__alloc((size_t)found->at_risk * sizeof *rows + 1);
    if (rows)
        w->status = tacit_uniques_rank(rows, risk->uniques, (tacit_unique_rank)risk->rank,
                                       &risk->session->error);
    else
        w->status = tacit__nomem(&risk->session->error);
    bool go_on = w->status == TACIT_OK;
    for (int64_t i = 0; go_on && i < found->at_risk; i++)
        go_on = put_record(w, rows[i]);
    for (int64_t row = 0; go_on && row < found->rows; row++)
        if (tacit_uniques_of(risk->uniques, row).count == 0)
            go_on = put_record(w, row);
    tacit__free(rows);
}

static void put_records(table_writer *w)
{
    if (w->risk->rank >= 0) {
        put_ranked(w);
        return;
    }
    for (int64_t row = 0; row < w->risk->summary->rows; row++)
        if (!put_record(w, row))
            return;
}

/* ---- sets ---- */

static void put_sets(table_writer *w)
{
    for (int64_t row = 0; row < w->risk->summary->rows; row++) {
        tacit_unique_sets_view view = tacit_uniques_of(w->risk->uniques, row);
        for (int64_t i = 0; i < view.count; i++) {
            engine_csv_integer(w->csv, row + 1);
            put_set(w, view.sets[i].columns);
            if (!end_row(w))
                return;
        }
    }
}

/* Rows with blanks between, as one cell. */
static void put_rows(table_writer *w, const uint32_t *rows, int64_t count)
{
    tacit__strbuf text = {0};
    for (int64_t i = 0; i < count; i++)
        tacit__strbuf_format(&text, "%s%lld", i ? " " : "", (long long)rows[i] + 1);
    if (text.failed)
        w->status = tacit__nomem(&w->risk->session->error);
    else
        engine_csv_text(w->csv, (tacit_strview){text.bytes, text.len});
    tacit__strbuf_clear(&text);
}

static void put_groups(table_writer *w)
{
    const tacit_clusters *clusters = w->risk->clusters;
    for (int64_t i = 0; i < clusters->count; i++) {
        int64_t start = clusters->starts[i], count = clusters->starts[i + 1] - start;
        put_set(w, clusters->columns[i]);
        engine_csv_integer(w->csv, __builtin_popcountll(clusters->columns[i]));
        engine_csv_integer(w->csv, count);
        put_rows(w, clusters->rows + start, count);
        if (!end_row(w))
            return;
    }
}

static void put_uniqueness(table_writer *w)
{
    const tacit_combinations *all = w->risk->combinations;
    for (int64_t i = 0; all && i < all->count; i++) {
        const tacit_combination *set = &all->sets[i];
        put_set(w, set->columns);
        engine_csv_integer(w->csv, __builtin_popcountll(set->columns));
        engine_csv_integer(w->csv, set->within);
        engine_csv_real(w->csv, engine_percent(set->within, all->rows) / 100);
        if (!end_row(w))
            return;
    }
}

/* ---- values ---- */

static bool put_value(table_writer *w, int32_t column, uint32_t code)
{
    const engine_risks *risk = w->risk;
    const tacit_contributions *all = risk->contributions;
    const tacit_contribution *c = &all->values[column][code];
    int32_t source = risk->columns[column];
    bool missing = code == tacit_table_distinct(risk->table, source);
    if (c->sets == 0)
        return true;
    engine_csv_text(w->csv, engine_risk_column(risk, column));
    engine_csv_text(w->csv,
                    missing ? (tacit_strview){0} : tacit_table_value(risk->table, source, code));
    engine_csv_integer(w->csv, c->rows);
    engine_csv_integer(w->csv, c->only);
    engine_csv_integer(w->csv, c->sets);
    engine_csv_real(w->csv, c->score);
    engine_csv_real(w->csv, all->total > 0 ? c->score / all->total : 0);
    return end_row(w);
}

/* A code, and its score to go by. */
typedef struct scored {
    double score;
    uint32_t code;
} scored;

static int by_score(const void *left, const void *right)
{
    const scored *a = left, *b = right;
    if (a->score > b->score || a->score < b->score)
        return a->score > b->score ? -1 : 1;
    return a->code < b->code ? -1 : a->code > b->code;
}

/* A column's values, the most contributing first. */
static void put_column(table_writer *w, int32_t column)
{
    uint32_t count = tacit_table_distinct(w->risk->table, w->risk->columns[column]) + 1;
    scored *order = tacit__alloc(count * sizeof *order);
    if (!order)
        w->status = tacit__nomem(&w->risk->session->error);
    for (uint32_t i = 0; order && i < count; i++)
        order[i] = (scored){w->risk->contributions->values[column][i].score, i};
    if (order)
        qsort(order, count, sizeof *order, by_score);
    for (uint32_t i = 0; order && i < count; i++)
        if (!put_value(w, column, order[i].code))
            break;
    tacit__free(order);
}

static void put_values(table_writer *w)
{
    for (int32_t i = 0; i < w->risk->column_count && w->status == TACIT_OK; i++)
        put_column(w, i);
}

/* ---- all of them ---- */

static const char *const RECORDS[] = {"record", "risk",  "smallest_set", "size", "prime_implicants",
                                      "group",  "score", "dis",          NULL};
static const char *const SETS[] = {"record", "columns", NULL};
static const char *const GROUPS[] = {"columns", "size", "records", "rows", NULL};
static const char *const VALUES[] = {"column",           "value", "records",        "only",
                                     "prime_implicants", "score", "share_of_score", NULL};
static const char *const UNIQUENESS[] = {"columns", "size", "records", "share", NULL};

static const struct {
    const char *option;
    const char *const *header;
    void (*fill)(table_writer *w);
} TABLES[ENGINE_RISK_FILES] = {
    {"records", RECORDS, put_records},
    {"sets", SETS, put_sets},
    {"groups", GROUPS, put_groups},
    {"values", VALUES, put_values},
    {"uniqueness", UNIQUENESS, put_uniqueness},
};

const char *engine_risk_file(int index)
{
    return TABLES[index].option;
}

tacit_status engine_risk_open(engine_risks *risk)
{
    tacit_status status = TACIT_OK;
    for (int i = 0; i < ENGINE_RISK_FILES && status == TACIT_OK; i++) {
        const char *path = engine_value(risk->session->settings, TABLES[i].option);
        if (path)
            status = engine_csv_new_private(&risk->tables[i], path, &risk->session->error);
    }
    return status;
}

/* Records have a column more for each level at which rows go together. */
static void put_header(table_writer *w, int index)
{
    static const char *const LINKED[ENGINE_RISK_ASIDES] = {
        [ENGINE_RISK_PERSON] = "person_risk", [ENGINE_RISK_HOUSEHOLD] = "household_risk"};
    for (const char *const *name = TABLES[index].header; *name; name++)
        engine_csv_text(w->csv, tacit_strview_of(*name));
    for (int i = 0; TABLES[index].fill == put_records && i < ENGINE_RISK_ASIDES; i++)
        if (w->risk->linked[i])
            engine_csv_text(w->csv, tacit_strview_of(LINKED[i]));
    engine_csv_row(w->csv);
}

static tacit_status write_table(const engine_risks *risk, int index)
{
    if (!risk->tables[index])
        return TACIT_OK;
    table_writer *w = tacit__alloc_zeroed(1, sizeof *w);
    if (!w)
        return tacit__nomem(&risk->session->error);
    w->risk = risk;
    w->csv = risk->tables[index];
    put_header(w, index);
    TABLES[index].fill(w);
    for (int i = 0; i < SLOTS; i++)
        tacit__free(w->texts[i]);
    tacit_status status = w->status;
    tacit__free(w);
    return status;
}

tacit_status engine_risk_tables(const engine_risks *risk)
{
    tacit_status status = TACIT_OK;
    for (int i = 0; i < ENGINE_RISK_FILES && status == TACIT_OK; i++)
        status = write_table(risk, i);
    for (int i = 0; i < ENGINE_RISK_FILES && status == TACIT_OK; i++)
        if (risk->tables[i])
            status = engine_csv_end(risk->tables[i], risk->session);
    return status;
}
