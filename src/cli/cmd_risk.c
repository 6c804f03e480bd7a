/*
 * cmd_risk.c - `tacit risk`: which records stand out, through which columns, and
 * how badly.
 *
 * The records are read and put together by their values; the risk of a sample
 * follows from these classes alone. Then every prime implicant is searched for
 * (k-unique records, KIMAS 2003), and what follows from them is measured. The
 * search is the one part that may take long: --time, --memory and a signal end
 * it, and what it has found by then is told and written, with exit status 4. The
 * account is what was asked for, so it goes to standard output.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "files.h"
#include "risk.h"

static const cli_option OPTIONS[] = {
    {"k", 0, CLI_NUMBER, "K",
     "who shares a combination with at most K - 1 others is at risk; 1, nobody else, unless given",
     false},
    {"max-size", 0, CLI_NUMBER, "M",
     "look for sets of at most M columns; of any number unless given", false},
    {"missing", 0, CLI_TEXT, "own|any",
     "a missing value is a value of its own (the default), or matches every value", false},
    {"fraction", 0, CLI_SECONDS, "F",
     "share of the population that the data hold; all of it unless given, but 0.01 for DIS, as "
     "sdcMicro has it",
     false},
    {"weights", 0, CLI_TEXT, "NAME",
     "column that says how many people of the population a record stands for", false},
    {"threshold", 0, CLI_SECONDS, "R", "count the records whose risk is above R; 0.2 unless given",
     false},
    {"combinations", 0, CLI_NUMBER, "M",
     "count whom each set of up to M columns singles out; 3 unless given", false},
    {"memory", 0, CLI_TEXT, "BYTES",
     "what the search may take, such as 500M or 4G; 2G unless given (exit status 4)", false},
    {"records", 0, CLI_FILE, "OUT.csv", "write a row for each record: its risk and its scores",
     false},
    {"rank", 0, CLI_TEXT, "fewest|sets|group",
     "order of --records: fewest columns first, most prime implicants, or smallest group", false},
    {"sets", 0, CLI_FILE, "OUT.csv", "write a row for each prime implicant of each record", false},
    {"groups", 0, CLI_FILE, "OUT.csv",
     "write a row for each set of columns with the records that it is a prime implicant of", false},
    {"values", 0, CLI_FILE, "OUT.csv",
     "write what each value contributes; this file holds values of the data", false},
    {"uniqueness", 0, CLI_FILE, "OUT.csv",
     "write how many records each set of columns singles out (see --combinations)", false},
    {NULL, 0, CLI_SWITCH, NULL, NULL, false},
};

/* Roles are all that a policy has to say here. */
static const char *const POLICY_KEYS[] = {"quasi",       "identifier", "sensitive",
                                          "insensitive", "role",       NULL};

const char *const cli_risk_steps[CLI_RISK_STEPS] = {"read", "search", "measure"};

/* The columns to code: those of role quasi and the weights, or all. */
static tacit_status name_coded(const char ***names, tacit_csv_options *options, cli_risks *risk)
{
    const tacit_policy *policy = risk->policy;
    if (risk->all_columns)
        return TACIT_OK;
    *names = malloc(((size_t)policy->column_count + 1) * sizeof **names);
    if (!*names)
        return cli_error(&risk->session->error, TACIT_NOMEM, "out of memory");
    for (int32_t i = 0; i < policy->column_count; i++)
        if (policy->columns[i].role == TACIT_ROLE_QUASI)
            (*names)[options->coded_count++] = policy->columns[i].name;
    if (risk->weights_name)
        (*names)[options->coded_count++] = risk->weights_name;
    options->coded = *names;
    options->code_none = options->coded_count == 0;
    return TACIT_OK;
}

/* Settles the columns by the header alone, before a long file is read. What can be
 * read only once, as a pipe, is settled afterwards. */
static tacit_status look_ahead(cli_risks *risk, const tacit_csv_options *options)
{
    cli_session *session = risk->session;
    tacit_csv_options quick = *options;
    tacit_table *header = NULL;
    if (!cli_is_file(risk->data))
        return TACIT_OK;
    quick.header_only = true;
    quick.coded = NULL;
    quick.coded_count = 0;
    tacit_status status =
        tacit_table_read(&header, risk->data, &quick, &session->run, &session->error);
    if (status == TACIT_OK)
        status = cli_risk_settle(risk, header);
    tacit_table_free(header);
    return status;
}

static tacit_status read_weights(cli_risks *risk)
{
    tacit_error *err = &risk->session->error;
    if (risk->weights_column < 0)
        return TACIT_OK;
    tacit_status status = tacit_weights_new(&risk->weights, risk->table, risk->weights_column, err);
    risk->sample.weights = risk->weights;
    return status;
}

static tacit_status read_data(cli_risks *risk)
{
    cli_session *session = risk->session;
    tacit_csv_options options;
    cli_csv_options(&options, session);
    options.pass_stray_end = true; /* nothing is released that it could spoil */
    const char **names = NULL;
    tacit_status status = name_coded(&names, &options, risk);
    if (status == TACIT_OK)
        status = look_ahead(risk, &options);
    if (status == TACIT_OK)
        status =
            tacit_table_read(&risk->table, risk->data, &options, &session->run, &session->error);
    free((void *)names);
    if (status == TACIT_OK)
        status = cli_risk_settle(risk, risk->table);
    if (status == TACIT_OK)
        status = cli_risk_leave_out(risk);
    if (status == TACIT_OK)
        status = read_weights(risk);
    if (status == TACIT_OK && tacit_table_stray_end(risk->table))
        cli_warn(session, "the last line of %s ends in a delimiter too many, which was passed over",
                 risk->data);
    if (status == TACIT_OK && risk->policy->person)
        cli_warn(session, "rows are counted, not people: who has several rows stands out more "
                          "than is said here");
    return status;
}

static void explain_limit(tacit_error *err)
{
    size_t used = strlen(err->message);
    snprintf(err->message + used, sizeof err->message - used, "; --memory allows more");
}

/* Classes, the risk that follows from them, and prime implicants. */
static tacit_status search(cli_risks *risk)
{
    cli_session *session = risk->session;
    tacit_error *err = &session->error;
    tacit_status status = tacit_distinct_new(&risk->distinct, risk->table, risk->columns,
                                             risk->column_count, risk->missing, &session->run, err);
    if (status == TACIT_OK)
        status = tacit_risk_new(&risk->sampled, risk->distinct, &risk->sample, &session->run, err);
    if (status == TACIT_OK)
        status =
            tacit_uniques_new(&risk->uniques, risk->distinct, &risk->wanted, &session->run, err);
    if (status == TACIT_LIMIT)
        explain_limit(err);
    if (status != TACIT_OK)
        return status;
    risk->summary = tacit_uniques_summarize(risk->uniques);
    if (risk->summary->end == TACIT_LIMIT)
        risk->stopped = "by the limit on memory (--memory)";
    else if (risk->summary->end != TACIT_OK)
        risk->stopped = cli_session_forgive(session);
    return TACIT_OK;
}

/* Where weights say how large the population is, DIS goes by them. */
static void choose_fraction(cli_risks *risk)
{
    if (!risk->weights || cli_has(risk->session->arguments, "fraction"))
        return;
    risk->fraction = (double)risk->sampled->rows / risk->sampled->population;
    risk->fraction_from = "by --weights";
}

/* Prime implicants are worth telling even if there is no time for the table of
 * combinations. */
static tacit_status combine(cli_risks *risk)
{
    cli_session *session = risk->session;
    tacit_status status = tacit_combinations_of(&risk->combinations, risk->uniques, risk->combined,
                                                &session->run, &session->error);
    if (status != TACIT_CANCELLED)
        return status;
    cli_session_clear_error(session);
    risk->stopped = cli_session_forgive(session);
    return TACIT_OK;
}

static tacit_status measure(cli_risks *risk)
{
    tacit_error *err = &risk->session->error;
    choose_fraction(risk);
    tacit_status status =
        tacit_suda_new(&risk->suda, risk->uniques, TACIT_SUDA_ELLIOT, risk->fraction, err);
    if (status == TACIT_OK)
        status = tacit_contributions_new(&risk->contributions, risk->uniques, err);
    if (status == TACIT_OK)
        status = tacit_clusters_new(&risk->clusters, risk->uniques, err);
    if (status == TACIT_OK && risk->combined > 0)
        status = combine(risk);
    risk->session->limit = INFINITY; /* from here on nothing takes long */
    if (status == TACIT_OK)
        cli_risk_rank(risk);
    return status;
}

/* The end of a search that was stopped: what there is has been told. */
static tacit_status say_stopped(cli_risks *risk)
{
    char text[256];
    if (!risk->stopped)
        return TACIT_OK;
    return cli_error(&risk->session->error, TACIT_LIMIT, "%s",
                     cli_risk_stopped(text, sizeof text, risk));
}

static tacit_status work(cli_risks *risk)
{
    static tacit_status (*const STEPS[CLI_RISK_STEPS])(cli_risks *) = {read_data, search, measure};
    tacit_status status = cli_risk_plan(risk);
    if (status == TACIT_OK)
        status = cli_risk_open(risk);
    for (int i = 0; i < CLI_RISK_STEPS && status == TACIT_OK; i++) {
        double start = cli_now();
        status = STEPS[i](risk);
        risk->seconds[i] = cli_now() - start;
    }
    if (status == TACIT_OK)
        status =
            tacit_table_check_unchanged(risk->table, &risk->session->run, &risk->session->error);
    if (status != TACIT_OK)
        return status;
    cli_risk_tell(risk);
    status = cli_risk_tables(risk);
    if (status == TACIT_OK)
        status = cli_risk_report(risk);
    return status == TACIT_OK ? say_stopped(risk) : status;
}

static void clear(cli_risks *risk)
{
    for (int i = 0; i < CLI_RISK_FILES; i++)
        cli_csv_free(risk->tables[i]);
    tacit_combinations_free(risk->combinations);
    tacit_clusters_free(risk->clusters);
    tacit_contributions_free(risk->contributions);
    tacit_suda_free(risk->suda);
    tacit_uniques_free(risk->uniques);
    tacit_risk_free(risk->sampled);
    tacit_distinct_free(risk->distinct);
    tacit_weights_free(risk->weights);
    tacit_table_free(risk->table);
    tacit_policy_free(risk->policy);
    free(risk);
}

static int run(const cli_arguments *arguments)
{
    cli_session session;
    cli_risks *risk = calloc(1, sizeof *risk);
    tacit_status status = cli_session_init(&session, arguments);
    if (!risk)
        status = cli_error(&session.error, TACIT_NOMEM, "out of memory");
    if (status == TACIT_OK) {
        risk->session = &session;
        status = work(risk);
    }
    int result = cli_session_end(&session, status);
    if (risk)
        clear(risk);
    return result;
}

const cli_command cli_risk = {
    .name = "risk",
    .summary = "which records stand out, through which columns, and how badly",
    .usage = "DATA.csv --quasi NAME,... [--k K] [options]",
    .about =
        "Finds the records of DATA.csv (- is standard input) that share the values of some columns "
        "with nobody, or with few others: every smallest set of columns that singles a record out "
        "(its prime implicants, or minimal sample uniques), which columns are to blame, SUDA and "
        "DIS scores, and the risk of re-identification where the records are a sample of a "
        "population. Records are named by their row, from 1, and no value is shown but in the file "
        "of --values. Columns are those of --quasi and those that the policy calls quasi; where "
        "neither is given, all but those that seem to name people. The exit status is 4 where a "
        "limit has ended the search, and "
        "what was found by then is shown and written.",
    .operand = "DATA.csv",
    .operands_needed = 1,
    .operands_taken = 1,
    .options = OPTIONS,
    .takes_policy = true,
    .policy_keys = POLICY_KEYS,
    .takes_data = true,
    .example = "tacit risk patients.csv --policy patients.yaml --html risk.html\n"
               "tacit risk patients.csv --quasi birth,sex,postcode --records risk.csv",
    .run = run,
};
