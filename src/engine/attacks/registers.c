/*
 * registers.c - reads registers: a look at their headers says which columns they share with the
 * release and with each other; those are coded, the others are only known by their bytes.
 *
 * The columns to link by are the attributes of the promise that some register has.
 *
 * The file of --truth says who stands behind which row of the release, for owners who can know: a
 * CSV with a column `row` (rows of the release count from 1) and one further column that the first
 * register has, too, and whose values tell its people apart. Rows may be left out. Messages name
 * lines and rows, never people.
 */
#include "engine/attacks/registers.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/job/files.h"

static tacit_status add_register(engine_registers *registers, const char *file, tacit_error *err)
{
    if (registers->count == ENGINE_MAX_REGISTERS)
        return tacit__error(err, TACIT_INVALID, "--population: at most %d registers can be joined",
                            ENGINE_MAX_REGISTERS);
    if (registers->count > 0 && strcmp(file, "-") == 0)
        return tacit__error(err, TACIT_INVALID,
                            "--population: \"-\" cannot be joined; give a file");
    registers->files[registers->count++] = file;
    return TACIT_OK;
}

/* The files in their order: what the policy names, or the first of the command line in its place,
 * then the others of the command line. */
static tacit_status list_registers(engine_registers *registers, const tacit_policy *policy,
                                   const engine_session *session, tacit_error *err)
{
    const engine_settings *settings = session->settings;
    tacit_status status = TACIT_OK;
    bool first = true;
    if (policy->population)
        status = add_register(registers, policy->population, err);
    for (size_t i = 0; i < settings->given_count && status == TACIT_OK; i++) {
        if (strcmp(settings->given[i].setting->name, "population") != 0)
            continue;
        if (!first)
            status = add_register(registers, settings->given[i].value, err);
        first = false;
    }
    return status;
}

/* No register is written over. */
static tacit_status check_files(const tacit_policy *policy, engine_session *session)
{
    engine_registers registers = {0};
    engine_file files[1 + ENGINE_WRITTEN];
    tacit_status status = list_registers(&registers, policy, session, &session->error);
    engine_files_written(files + 1, session->settings);
    for (int32_t i = 0; i < registers.count && status == TACIT_OK; i++) {
        files[0] = (engine_file){registers.files[i], "--population", false};
        status = engine_files_check(files, 1 + ENGINE_WRITTEN, &session->error);
    }
    return status;
}

tacit_status engine_registers_check(const tacit_policy *policy, engine_session *session)
{
    static const char *const OPTIONS[] = {"truth", "linked", "uniqueness", "probable"};
    for (size_t i = 0; i < sizeof OPTIONS / sizeof OPTIONS[0] && !policy->population; i++)
        if (engine_has(session->settings, OPTIONS[i]))
            return tacit__error(&session->error, TACIT_INVALID, "--%s needs --population",
                                OPTIONS[i]);
    return check_files(policy, session);
}

/* ---- the truth ---- */

#define SEVERAL (TACIT_LINK_NOBODY - 1) /* a value that several people have */

static tacit_status fail_at(tacit_error *err, const char *file, int64_t line, const char *message)
{
    return tacit__error_at(err, TACIT_INVALID, file, line, 0, "%s", message);
}

/* The column of the first register by which --truth names people, or -1 without it. */
static tacit_status truth_column(int32_t *by, const tacit_table *people, engine_session *session)
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
        status =
            fail_at(err, file, 0, "no column \"row\": the row of the release, counting from 1");
    else if (status == TACIT_OK && shared != 1)
        status = fail_at(err, file, 0,
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
        return tacit__nomem(t->err);
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
        return fail_at(t->err, t->file, tacit_table_line(t->table, at),
                       "\"row\" is not the number of a row of the release");
    snprintf(message, sizeof message, "row %lld is out of range: the release has %lld rows", number,
             (long long)t->records);
    if (number < 1 || number > t->records)
        return fail_at(t->err, t->file, tacit_table_line(t->table, at), message);
    *record = number - 1;
    snprintf(message, sizeof message, "row %lld is listed twice", number);
    return t->truth[*record] == TACIT_LINK_NOBODY
               ? TACIT_OK
               : fail_at(t->err, t->file, tacit_table_line(t->table, at), message);
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
            return fail_at(t->err, t->file, tacit_table_line(t->table, at), "no person is named");
        if (who == SEVERAL)
            return fail_at(t->err, t->file, tacit_table_line(t->table, at),
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
    return fail_at(t->err, t->file, tacit_table_line(t->table, first), message);
}

/* Who stands behind each record, to be freed; the column is coded. Nothing without --truth. */
static tacit_status read_truth(uint32_t **truth, int32_t by, const tacit_table *people,
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
        status = tacit__nomem(t.err);
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

/* ---- reading ---- */

static tacit_status read_header(tacit_table **out, const char *file, const engine_session *session,
                                tacit_error *err)
{
    tacit_csv_options options;
    engine_csv_options(&options, session);
    options.header_only = true;
    if (strcmp(file, "-") == 0)
        return tacit__error(
            err, TACIT_INVALID,
            "linking looks at its files before it reads them: give a file, not \"-\"");
    return tacit_table_read(out, file, &options, &session->run, err);
}

static bool has(const tacit_table *table, const char *name)
{
    return tacit_table_find(table, tacit_strview_of(name)) >= 0;
}

/* The name of a column, with its end; NULL when out of memory. */
static char *copy_name(const tacit_table *table, int32_t column)
{
    tacit_strview name = tacit_table_name(table, column);
    return tacit__copy_bytes(name.bytes, name.len);
}

/* Whether a column links or joins. */
static bool is_needed(const engine_registers *r, tacit_table *const *headers, int32_t table,
                      const char *name, const engine_promise *promise)
{
    bool needed = false;
    for (int32_t i = 0; i < promise->promise.attribute_count && !needed; i++)
        needed = strcmp(promise->attributes[i].name, name) == 0;
    for (int32_t t = 0; t < r->count && !needed; t++)
        needed = t != table && has(headers[t], name);
    return needed;
}

/* The columns to code, into names, which has room for all of them; returns how many, or -1 when
 * out of memory. `by` names people, or is -1. */
static int32_t list_needed(char **names, const engine_registers *r, tacit_table *const *headers,
                           int32_t table, int32_t by, const engine_promise *promise)
{
    int32_t count = 0;
    for (int32_t i = 0; i < tacit_table_columns(headers[table]); i++) {
        char *name = names[count] = copy_name(headers[table], i);
        if (!name)
            return -1;
        if ((table == 0 && i == by) || is_needed(r, headers, table, name, promise)) {
            count++;
            continue;
        }
        tacit__free(name);
        names[count] = NULL;
    }
    return count;
}

static tacit_status read_table(engine_registers *r, tacit_table *const *headers, int32_t table,
                               int32_t by, const engine_case *c, tacit_error *err)
{
    int32_t columns = tacit_table_columns(headers[table]);
    char **names = tacit__alloc_zeroed((size_t)columns, sizeof *names);
    int32_t count = names ? list_needed(names, r, headers, table, by, c->promise) : -1;
    tacit_csv_options options;
    engine_csv_options(&options, c->session);
    options.let_go = true;
    options.coded = (const char *const *)names;
    options.coded_count = (size_t)count;
    options.code_none = count == 0;
    tacit_status status = count < 0 ? tacit__nomem(err)
                                    : tacit_table_read(&r->tables[table], r->files[table], &options,
                                                       &c->session->run, err);
    for (int32_t i = 0; names && i < columns; i++)
        tacit__free(names[i]);
    tacit__free(names);
    return status;
}

static tacit_status read_tables(engine_registers *r, int32_t *by, const engine_case *c,
                                tacit_error *err)
{
    tacit_table *headers[ENGINE_MAX_REGISTERS] = {NULL};
    tacit_status status = TACIT_OK;
    for (int32_t t = 0; t < r->count && status == TACIT_OK; t++)
        status = read_header(&headers[t], r->files[t], c->session, err);
    if (status == TACIT_OK)
        status = truth_column(by, headers[0], c->session);
    for (int32_t t = 0; t < r->count && status == TACIT_OK; t++)
        status = read_table(r, headers, t, *by, c, err);
    for (int32_t t = 0; t < r->count; t++)
        tacit_table_free(headers[t]);
    return status;
}

tacit_status engine_registers_read(engine_registers *registers, const engine_case *c,
                                   tacit_error *err)
{
    engine_registers *r = registers;
    int32_t by = -1;
    tacit_status status = list_registers(r, c->policy, c->session, err);
    if (status == TACIT_OK)
        status = read_tables(r, &by, c, err);
    const tacit_linkage_files files = {.release = c->release,
                                       .registers = (const tacit_table *const *)r->tables,
                                       .register_count = r->count,
                                       .columns = c->promise->attributes,
                                       .column_count = c->promise->promise.attribute_count};
    if (status == TACIT_OK)
        status = tacit_linkage_new(&r->linkage, &files, &c->session->run, err);
    if (status == TACIT_OK && !c->as_it_is)
        status = read_truth(&r->truth, by, r->tables[0], tacit_table_rows(c->release), c->session);
    if (status != TACIT_OK)
        return status;
    r->c = tacit_linkage_case(r->linkage);
    for (int32_t i = 0; i < r->c.column_count; i++)
        r->names[i] = c->promise->attributes[tacit_linkage_columns(r->linkage)[i]].name;
    r->c.truth = r->truth;
    r->c.k = c->promise->promise.k < 2 ? 2 : c->promise->promise.k;
    return TACIT_OK;
}

void engine_registers_clear(engine_registers *registers)
{
    tacit_linkage_free(registers->linkage);
    for (int32_t t = 0; t < registers->count; t++)
        tacit_table_free(registers->tables[t]);
    tacit__free(registers->truth);
    *registers = (engine_registers){0};
}

/* ---- a quasi-identifier ---- */

static bool names_quasi(const tacit_policy *policy)
{
    for (int32_t i = 0; i < policy->column_count; i++)
        if (policy->columns[i].role == TACIT_ROLE_QUASI)
            return true;
    return false;
}

/* What has a role keeps it. */
static tacit_status make_quasi(tacit_policy *policy, tacit_strview name, tacit_error *err)
{
    const tacit_policy_column *named = tacit_policy_find(policy, name);
    return named && named->role != TACIT_ROLE_NONE ? TACIT_OK
                                                   : engine_policy_quasi(policy, name, err);
}

tacit_status engine_registers_quasi(tacit_policy *policy, const char *release,
                                    engine_session *session)
{
    engine_registers r = {0};
    tacit_table *header = NULL;
    tacit_error *err = &session->error;
    if (names_quasi(policy) || !policy->population)
        return TACIT_OK;
    tacit_status status = list_registers(&r, policy, session, err);
    if (status == TACIT_OK)
        status = read_header(&header, release, session, err);
    for (int32_t t = 0; t < r.count && status == TACIT_OK; t++)
        status = read_header(&r.tables[t], r.files[t], session, err);
    for (int32_t i = 0; status == TACIT_OK && i < tacit_table_columns(header); i++) {
        bool known = false;
        for (int32_t t = 0; t < r.count && !known; t++)
            known = tacit_table_find(r.tables[t], tacit_table_name(header, i)) >= 0;
        if (known)
            status = make_quasi(policy, tacit_table_name(header, i), err);
    }
    if (status == TACIT_OK && !names_quasi(policy))
        status = tacit__error(err, TACIT_INVALID,
                              "%s: shares no column with %s: linking needs one of the same name in "
                              "both",
                              r.files[0], release);
    if (status == TACIT_OK && policy->k == 0 && !policy->has_anonymity)
        policy->k = 1;
    tacit_table_free(header);
    engine_registers_clear(&r);
    return status;
}
