/*
 * truth.c - the file of --truth: who stands behind which row of the release, for owners who can
 * know. A CSV with a column `row` (rows of the release count from 1) and one further column that
 * the first register has, too, and whose values tell its people apart. Rows may be left out.
 *
 * Messages name lines and rows, never people.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/attacks/registers.h"

#define SEVERAL (TACIT_LINK_NOBODY - 1) /* a value that several people have */

static tacit_status fails(tacit_error *err, const char *file, int64_t line, const char *message)
{
    return tacit__error_at(err, TACIT_INVALID, file, line, 0, "%s", message);
}

tacit_status engine_truth_column(int32_t *by, const tacit_table *people, engine_session *session)
{
    const char *file = engine_value(session->settings, "truth");
    tacit_error *err = &session->error;
    tacit_csv_options options;
    tacit_table *header = NULL;
    engine_csv_options(&options, session);
    options.header_only = true;
    *by = -1;
    if (!file)
        return TACIT_OK;
    tacit_status status = tacit_table_read(&header, file, &options, &session->run, err);
    int32_t shared = 0;
    for (int32_t i = 0; status == TACIT_OK && i < tacit_table_columns(people); i++) {
        tacit_strview name = tacit_table_name(people, i);
        if (!tacit_strview_equal(name, tacit_strview_of("row")) &&
            tacit_table_find(header, name) >= 0) {
            *by = i;
            shared++;
        }
    }
    if (status == TACIT_OK && tacit_table_find(header, tacit_strview_of("row")) < 0)
        status = fails(err, file, 0, "no column \"row\": the row of the release, counting from 1");
    else if (status == TACIT_OK && shared != 1)
        status = fails(err, file, 0,
                       shared ? "more than one column in common with the register: keep the one "
                                "that tells people apart"
                              : "no column in common with the register to name people by");
    tacit_table_free(header);
    return status;
}

/* Both files, and what is made of them. */
typedef struct truth_reader {
    const char *file;
    tacit_table *table;
    int32_t row, name; /* columns */
    const tacit_table *people;
    int32_t by;
    tacit_lineage *names;
    uint32_t *person_of; /* a name each */
    int64_t records;
    uint32_t *truth;
    tacit_error *err;
} truth_reader;

/* A lineage without a hierarchy puts both columns' names in one list: who has each of them. */
static tacit_status find_people(truth_reader *t)
{
    static const tacit_hierarchy_spec NAMES = {.kind = TACIT_HIERARCHY_NONE};
    const tacit_lineage_source sources[] = {{.table = t->table, .column = t->name},
                                            {.table = t->people, .column = t->by}};
    tacit_status status = tacit_lineage_new(&t->names, &NAMES, sources, 2, t->err);
    if (status != TACIT_OK)
        return status;
    size_t size = tacit_lineage_count(t->names) * sizeof *t->person_of;
    t->person_of = tacit__alloc(size);
    if (!t->person_of)
        return tacit__error(t->err, TACIT_NOMEM, "out of memory");
    memset(t->person_of, 0xff, size);
    const uint32_t *nodes = tacit_lineage_nodes(t->names, 1);
    tacit_codes_view codes = tacit_table_codes(t->people, t->by);
    for (int64_t person = 0; person < tacit_table_rows(t->people); person++) {
        uint32_t *who = &t->person_of[nodes[tacit_codes_at(codes, person)]];
        *who = *who == TACIT_LINK_NOBODY ? (uint32_t)person : SEVERAL;
    }
    return TACIT_OK;
}

/* The record that a line is about, from 0. */
static tacit_status read_record(int64_t *record, const truth_reader *t, int64_t at)
{
    uint32_t code = tacit_codes_at(tacit_table_codes(t->table, t->row), at);
    char digits[24] = "", message[96];
    char *end = digits;
    if (code < tacit_table_distinct(t->table, t->row)) {
        tacit_strview text = tacit_table_value(t->table, t->row, code);
        snprintf(digits, sizeof digits, "%.*s", (int)text.len, text.bytes);
    }
    long long number = strtoll(digits, &end, 10);
    if (digits[0] < '0' || digits[0] > '9' || *end)
        return fails(t->err, t->file, tacit_table_line(t->table, at),
                     "\"row\" is not the number of a row of the release");
    snprintf(message, sizeof message, "row %lld is out of range: the release has %lld rows", number,
             (long long)t->records);
    if (number < 1 || number > t->records)
        return fails(t->err, t->file, tacit_table_line(t->table, at), message);
    *record = number - 1;
    snprintf(message, sizeof message, "row %lld is listed twice", number);
    return t->truth[*record] == TACIT_LINK_NOBODY
               ? TACIT_OK
               : fails(t->err, t->file, tacit_table_line(t->table, at), message);
}

static tacit_status read_rows(truth_reader *t)
{
    const uint32_t *nodes = tacit_lineage_nodes(t->names, 0);
    tacit_codes_view codes = tacit_table_codes(t->table, t->name);
    int64_t lacking = 0, first = 0, record = 0, rows = tacit_table_rows(t->table);
    char message[128];
    for (int64_t at = 0; at < rows; at++) {
        uint32_t code = tacit_codes_at(codes, at), who = t->person_of[nodes[code]];
        tacit_status status = read_record(&record, t, at);
        if (status != TACIT_OK)
            return status;
        if (code == tacit_table_distinct(t->table, t->name))
            return fails(t->err, t->file, tacit_table_line(t->table, at), "nobody is named");
        if (who == SEVERAL)
            return fails(t->err, t->file, tacit_table_line(t->table, at),
                         "several people of the register have this name: name people by a column "
                         "that tells them apart");
        if (who == TACIT_LINK_NOBODY && lacking++ == 0)
            first = at;
        t->truth[record] = who;
    }
    if (lacking == 0)
        return TACIT_OK;
    snprintf(message, sizeof message, "%lld of %lld people named here are not in the register",
             (long long)lacking, (long long)rows);
    return fails(t->err, t->file, tacit_table_line(t->table, first), message);
}

tacit_status engine_truth_read(uint32_t **truth, int32_t by, const tacit_table *people,
                               int64_t records, engine_session *session)
{
    truth_reader t = {.file = engine_value(session->settings, "truth"),
                      .people = people,
                      .by = by,
                      .records = records,
                      .err = &session->error};
    if (!t.file)
        return TACIT_OK;
    tacit_csv_options options;
    engine_csv_options(&options, session);
    tacit_status status = tacit_table_read(&t.table, t.file, &options, &session->run, t.err);
    size_t size = ((size_t)records + 1) * sizeof *t.truth;
    t.truth = tacit__alloc(size);
    if (!t.truth && status == TACIT_OK)
        status = tacit__error(t.err, TACIT_NOMEM, "out of memory");
    if (status == TACIT_OK) {
        memset(t.truth, 0xff, size);
        t.row = tacit_table_find(t.table, tacit_strview_of("row"));
        t.name = tacit_table_find(t.table, tacit_table_name(people, by));
        status = find_people(&t);
    }
    if (status == TACIT_OK)
        status = read_rows(&t);
    tacit_lineage_free(t.names);
    tacit_table_free(t.table);
    tacit__free(t.person_of);
    if (status == TACIT_OK)
        *truth = t.truth;
    else
        tacit__free(t.truth);
    return status;
}
