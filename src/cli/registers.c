/*
 * registers.c - reads registers: a look at their headers says which columns they share with the
 * release and with each other; those are coded, the others are only known by their bytes.
 *
 * The columns to link by are the attributes of the promise that some register has. Each gets a
 * lineage of the released values and the register's, which may have values that the hierarchy does
 * not know: it holds people from anywhere.
 */
#define _GNU_SOURCE
#include "registers.h"

#include <stdlib.h>
#include <string.h>

#include "files.h"

static tacit_status add_file(cli_registers *registers, const char *file, tacit_error *err)
{
    if (registers->count == CLI_MAX_REGISTERS)
        return cli_error(err, TACIT_INVALID, "--population: at most %d registers can be joined",
                         CLI_MAX_REGISTERS);
    if (registers->count > 0 && strcmp(file, "-") == 0)
        return cli_error(err, TACIT_INVALID, "--population: \"-\" cannot be joined; give a file");
    registers->files[registers->count++] = file;
    return TACIT_OK;
}

/* No register is written over. */
static tacit_status check_files(const cli_registers *registers, const cli_session *session,
                                tacit_error *err)
{
    static const char *const WRITTEN[] = {"report", "html", "linked", "output"};
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < registers->count; i++)
        for (size_t w = 0; w < sizeof WRITTEN / sizeof WRITTEN[0] && status == TACIT_OK; w++) {
            const cli_file pair[] = {{registers->files[i], "--population", false},
                                     {cli_value(session->arguments, WRITTEN[w]), WRITTEN[w], true}};
            status = cli_files_check(pair, 2, err);
        }
    return status;
}

tacit_status cli_registers_list(cli_registers *registers, const tacit_policy *policy,
                                const cli_session *session, tacit_error *err)
{
    const cli_arguments *arguments = session->arguments;
    tacit_status status = TACIT_OK;
    bool first = true;
    if (policy->population)
        status = add_file(registers, policy->population, err);
    for (size_t i = 0; i < arguments->given_count && status == TACIT_OK; i++) {
        if (strcmp(arguments->given[i].option->name, "population") != 0)
            continue;
        if (!first)
            status = add_file(registers, arguments->given[i].value, err);
        first = false;
    }
    return status == TACIT_OK ? check_files(registers, session, err) : status;
}

/* ---- reading ---- */

static tacit_status read_header(tacit_table **out, const char *file, const cli_session *session,
                                tacit_error *err)
{
    tacit_csv_options options;
    cli_csv_options(&options, session);
    options.header_only = true;
    if (strcmp(file, "-") == 0)
        return cli_error(err, TACIT_INVALID,
                         "a register is looked at before it is read: give a file, not \"-\"");
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
    return strndup(name.bytes, name.len);
}

/* Whether a column links, joins or identifies. */
static bool is_needed(const cli_registers *r, tacit_table *const *headers, int32_t table,
                      const char *name, bool identifies)
{
    bool needed = identifies;
    for (int32_t i = 0; i < r->c.column_count && !needed; i++)
        needed = strcmp(r->names[i], name) == 0;
    for (int32_t t = 0; t < r->count && !needed; t++)
        needed = t != table && has(headers[t], name);
    return needed;
}

static tacit_status read_table(cli_registers *r, tacit_table *const *headers, int32_t table,
                               int32_t by, const cli_case *c, tacit_error *err)
{
    int32_t columns = tacit_table_columns(headers[table]);
    char **names = calloc((size_t)columns, sizeof *names);
    tacit_csv_options options;
    cli_csv_options(&options, c->session);
    options.let_go = true;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < columns && names && status == TACIT_OK; i++) {
        char *name = copy_name(headers[table], i);
        if (!name)
            status = TACIT_NOMEM;
        else if (is_needed(r, headers, table, name, table == 0 && i == by))
            names[options.coded_count++] = name;
        else
            free(name);
    }
    options.coded = (const char *const *)names;
    options.code_none = options.coded_count == 0;
    if (!names || status != TACIT_OK)
        status = cli_error(err, TACIT_NOMEM, "out of memory");
    else
        status =
            tacit_table_read(&r->tables[table], r->files[table], &options, &c->session->run, err);
    for (size_t i = 0; names && i < options.coded_count; i++)
        free(names[i]);
    free(names);
    return status;
}

/* The attributes that some register has, in the order of the promise. */
static tacit_status find_shared(cli_registers *r, tacit_table *const *headers, const cli_case *c,
                                tacit_error *err)
{
    int32_t count = c->promise->promise.attribute_count;
    for (int32_t i = 0; i < count; i++) {
        const char *name = c->promise->attributes[i].name;
        bool known = false;
        for (int32_t t = 0; t < r->count && !known; t++)
            known = has(headers[t], name);
        if (known && has(c->release, name))
            r->names[r->c.column_count++] = name;
    }
    if (r->c.column_count > 0)
        return TACIT_OK;
    return cli_error(
        err, TACIT_INVALID,
        "%s: shares no quasi-identifying column with the release: linking needs one of "
        "the same name in both",
        r->files[0]);
}

static tacit_status read_tables(cli_registers *r, int32_t *by, const cli_case *c, tacit_error *err)
{
    tacit_table *headers[CLI_MAX_REGISTERS] = {NULL};
    tacit_status status = TACIT_OK;
    for (int32_t t = 0; t < r->count && status == TACIT_OK; t++)
        status = read_header(&headers[t], r->files[t], c->session, err);
    if (status == TACIT_OK)
        status = find_shared(r, headers, c, err);
    if (status == TACIT_OK)
        status = cli_truth_column(by, headers[0], c->session);
    for (int32_t t = 0; t < r->count && status == TACIT_OK; t++)
        status = read_table(r, headers, t, *by, c, err);
    for (int32_t t = 0; t < r->count; t++)
        tacit_table_free(headers[t]);
    return status;
}

/* ---- columns ---- */

static const tacit_hierarchy_spec *hierarchy_of(const cli_case *c, const char *name)
{
    for (int32_t i = 0; i < c->promise->promise.attribute_count; i++)
        if (strcmp(c->promise->attributes[i].name, name) == 0)
            return c->promise->attributes[i].hierarchy;
    return NULL;
}

static uint32_t codes_of(const tacit_table *table, int32_t column)
{
    return tacit_table_distinct(table, column) + (tacit_table_has_missing(table, column) ? 1 : 0);
}

/* The nodes of the register's codes, and "*" for what is not known. */
static tacit_status set_known(cli_registers *r, int32_t at, const tacit_register_column *known,
                              tacit_error *err)
{
    const tacit_table *table = r->tables[known->table];
    const uint32_t *nodes = tacit_lineage_nodes(r->lineages[at], 1);
    uint32_t codes = known->unknown + 1;
    r->known_nodes[at] = malloc(codes * sizeof **r->known_nodes);
    if (!r->known_nodes[at])
        return cli_error(err, TACIT_NOMEM, "out of memory");
    memcpy(r->known_nodes[at], nodes, known->unknown * sizeof *nodes);
    r->known_nodes[at][known->unknown] = 0;
    tacit_link_column *column = &r->columns[at];
    column->known = known->codes;
    column->known_nodes = r->known_nodes[at];
    column->known_codes = known->table == 0 ? codes_of(table, known->column) : codes;
    return TACIT_OK;
}

static tacit_status set_column(cli_registers *r, int32_t at, const cli_case *c, tacit_error *err)
{
    const tacit_register_column *known = &tacit_registers_columns(r->joined)[at];
    int32_t released = tacit_table_find(c->release, tacit_strview_of(r->names[at]));
    const tacit_lineage_source sources[] = {
        {.table = c->release, .column = released},
        {.table = r->tables[known->table], .column = known->column, .open = true},
    };
    tacit_status status =
        tacit_lineage_new(&r->lineages[at], hierarchy_of(c, r->names[at]), sources, 2, err);
    if (status != TACIT_OK)
        return status;
    r->columns[at] = (tacit_link_column){
        .nodes = tacit_lineage_count(r->lineages[at]),
        .ends = tacit_lineage_ends(r->lineages[at]),
        .parents = tacit_lineage_parents(r->lineages[at]),
        .released = tacit_table_codes(c->release, released),
        .released_nodes = tacit_lineage_nodes(r->lineages[at], 0),
        .released_codes = codes_of(c->release, released),
    };
    return set_known(r, at, known, err);
}

tacit_status cli_registers_read(cli_registers *registers, const cli_case *c, tacit_error *err)
{
    cli_registers *r = registers;
    int32_t by = -1;
    tacit_status status = cli_registers_list(r, c->policy, c->session, err);
    if (status == TACIT_OK)
        status = read_tables(r, &by, c, err);
    if (status == TACIT_OK)
        status = tacit_registers_join(&r->joined, (const tacit_table *const *)r->tables, r->count,
                                      r->names, r->c.column_count, 0, &c->session->run, err);
    for (int32_t i = 0; i < r->c.column_count && status == TACIT_OK; i++)
        status = set_column(r, i, c, err);
    if (status == TACIT_OK && !c->as_it_is)
        status =
            cli_truth_read(&r->truth, by, r->tables[0], tacit_table_rows(c->release), c->session);
    if (status != TACIT_OK)
        return status;
    r->c.columns = r->columns;
    r->c.records = tacit_table_rows(c->release);
    r->c.rows = tacit_registers_rows(r->joined);
    r->c.person = tacit_registers_person(r->joined);
    r->c.people = tacit_table_rows(r->tables[0]);
    r->c.truth = r->truth;
    r->c.k = c->promise->promise.k < 2 ? 2 : c->promise->promise.k;
    return TACIT_OK;
}

void cli_registers_clear(cli_registers *registers)
{
    tacit_registers_free(registers->joined);
    for (int32_t i = 0; i < registers->c.column_count; i++) {
        tacit_lineage_free(registers->lineages[i]);
        free(registers->known_nodes[i]);
    }
    for (int32_t t = 0; t < registers->count; t++)
        tacit_table_free(registers->tables[t]);
    free(registers->truth);
    *registers = (cli_registers){0};
}

/* ---- a quasi-identifier ---- */

static bool names_quasi(const tacit_policy *policy)
{
    for (int32_t i = 0; i < policy->column_count; i++)
        if (policy->columns[i].role == TACIT_ROLE_QUASI)
            return true;
    return false;
}

static tacit_status make_quasi(tacit_policy *policy, const tacit_table *release, int32_t column,
                               tacit_error *err)
{
    tacit_strview name = tacit_table_name(release, column);
    const tacit_policy_column *named = tacit_policy_find(policy, name);
    char *role = NULL;
    if (named && named->role != TACIT_ROLE_NONE)
        return TACIT_OK;
    if (asprintf(&role, "%.*s=quasi", (int)name.len, name.bytes) < 0)
        return cli_error(err, TACIT_NOMEM, "out of memory");
    tacit_status status = tacit_policy_set(policy, "role", role, err);
    free(role);
    return status;
}

tacit_status cli_registers_quasi(tacit_policy *policy, const char *release, cli_session *session)
{
    cli_registers r = {0};
    tacit_table *header = NULL;
    tacit_error *err = &session->error;
    if (names_quasi(policy) || !policy->population)
        return TACIT_OK;
    tacit_status status = cli_registers_list(&r, policy, session, err);
    if (status == TACIT_OK)
        status = read_header(&header, release, session, err);
    for (int32_t t = 0; t < r.count && status == TACIT_OK; t++)
        status = read_header(&r.tables[t], r.files[t], session, err);
    for (int32_t i = 0; status == TACIT_OK && i < tacit_table_columns(header); i++) {
        bool known = false;
        for (int32_t t = 0; t < r.count && !known; t++)
            known = tacit_table_find(r.tables[t], tacit_table_name(header, i)) >= 0;
        if (known)
            status = make_quasi(policy, header, i, err);
    }
    if (status == TACIT_OK && !names_quasi(policy))
        status = cli_error(err, TACIT_INVALID,
                           "%s: shares no column with %s: linking needs one of the same name in "
                           "both",
                           r.files[0], release);
    if (status == TACIT_OK && policy->k == 0 && !policy->has_anonymity)
        policy->k = 1;
    tacit_table_free(header);
    cli_registers_clear(&r);
    return status;
}
