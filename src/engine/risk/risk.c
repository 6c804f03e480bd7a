/*
 * risk.c - `tacit risk`: which records stand out, through which columns, and
 * how badly.
 *
 * The records are read and put together by their values; the risk of a sample
 * follows from these classes alone. Then every prime implicant is searched for
 * (k-unique records, KIMAS 2003), and what follows from them is measured. The
 * search is the one part that may take long: --time, --memory and a signal end
 * it, and what it has found by then is told and written, with exit status 4. The
 * report is what was asked for, so it goes to standard output.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/job/files.h"
#include "engine/job/kinds.h"
#include "engine/risk/risk.h"

static const engine_setting SETTINGS[] = {
    ENGINE_SETTING("k", NUMBER, "K",
                   "a record that shares a combination with at most K - 1 others is at risk; 1 (no "
                   "others) unless given"),
    ENGINE_SETTING("max-size", NUMBER, "M",
                   "look for sets of at most M columns; of any size unless given"),
    ENGINE_SETTING("missing", TEXT, "own|any",
                   "a missing value is a value of its own (the default), or matches every value"),
    ENGINE_SETTING("fraction", SECONDS, "F",
                   "share of the population that the data hold; all of it unless given, but 0.01 "
                   "for DIS, as in sdcMicro"),
    ENGINE_SETTING("model", TEXT, "main|pairs",
                   "estimate the population uniques by a log-linear model of the columns, or of "
                   "all pairs of them; needs --fraction or --sampling-weight"),
    ENGINE_SETTING("threshold", SECONDS, "R",
                   "count the records whose risk is above R; 0.2 unless given"),
    ENGINE_SETTING(
        "combinations", NUMBER, "M",
        "count the records that each set of up to M columns singles out; 3 unless given"),
    ENGINE_SETTING(
        "memory", TEXT, "BYTES",
        "memory for the search, such as 500M or 4G; 2G unless given (exit status 4 beyond it)"),
    ENGINE_SETTING("records", FILE, "OUT.csv",
                   "write a row for each record: its risk and its scores"),
    ENGINE_SETTING(
        "rank", TEXT, "fewest|sets|group",
        "order of --records: fewest columns first, most prime implicants, or smallest group"),
    ENGINE_SETTING("sets", FILE, "OUT.csv", "write a row for each prime implicant of each record"),
    ENGINE_SETTING(
        "groups", FILE, "OUT.csv",
        "write a row for each set of columns with the records that it is a prime implicant of"),
    ENGINE_SETTING("values", FILE, "OUT.csv",
                   "write what each value contributes; this file holds values of the data"),
    ENGINE_SETTING("uniqueness", FILE, "OUT.csv",
                   "write how many records each set of columns singles out (see --combinations)"),
    ENGINE_SETTING("counts", TEXT, "NAME",
                   "DATA.csv has published counts, not records: a row is a group, and this column "
                   "has its people; estimates how many of them are unique"),
    ENGINE_SETTING("finer", TEXT, "NAME",
                   "with --counts: column that says how many values can be told apart in a group, "
                   "such as the years of its ages; 1 unless given"),
    ENGINE_SETTING("times", REAL, "N",
                   "with --counts: times so many values, such as 730 for the days of a year and "
                   "two sexes; 1 unless given"),
    ENGINE_SETTING(NULL, SWITCH, NULL, NULL),
};

/* Roles, and whose the rows are, are all that a policy has to say here. */
static const char *const POLICY_KEYS[] = {
    "quasi",     "identifier",      "sensitive",     "insensitive", "role", "person",
    "household", "sampling-weight", "missing-codes", "encoding",    NULL};

const char *const engine_risk_steps[ENGINE_RISK_STEPS] = {"read", "search", "measure"};

/* The columns to code: those of role quasi and those aside, or all. */
static tacit_status name_coded(const char ***names, tacit_csv_options *options, engine_risks *risk)
{
    const tacit_policy *policy = risk->policy;
    bool unknown = !risk->settled && (risk->policy->person || risk->policy->household ||
                                      risk->policy->sampling_weight);
    if (risk->all_columns || unknown) /* of a pipe nobody knows yet whether it has them */
        return TACIT_OK;
    *names = tacit__alloc(((size_t)policy->column_count + ENGINE_RISK_ASIDES) * sizeof **names);
    if (!*names)
        return tacit__nomem(&risk->session->error);
    for (int32_t i = 0; i < policy->column_count; i++)
        if (policy->columns[i].role == TACIT_ROLE_QUASI)
            (*names)[options->coded_count++] = policy->columns[i].name;
    for (int i = 0; i < ENGINE_RISK_ASIDES; i++)
        if (risk->aside_names[i])
            (*names)[options->coded_count++] = risk->aside_names[i];
    options->coded = *names;
    options->code_none = options->coded_count == 0;
    return TACIT_OK;
}

/* Settles the columns by the header alone, before a long file is read. What can be
 * read only once, as a pipe, is settled afterwards. */
static tacit_status look_ahead(engine_risks *risk, const tacit_csv_options *options)
{
    engine_session *session = risk->session;
    tacit_csv_options quick = *options;
    tacit_table *header = NULL;
    if (!engine_is_reread(risk->data))
        return TACIT_OK;
    quick.header_only = true;
    tacit_status status = engine_places_read(&header, risk->data, &quick, session);
    if (status == TACIT_OK)
        status = engine_risk_settle(risk, header);
    tacit_table_free(header);
    return status;
}

static tacit_status read_weights(engine_risks *risk)
{
    tacit_error *err = &risk->session->error;
    int32_t column = risk->asides[ENGINE_RISK_WEIGHTS];
    if (column < 0)
        return TACIT_OK;
    tacit_status status = tacit_weights_new(&risk->weights, risk->table, column, err);
    risk->sample.weights = risk->weights;
    return status;
}

static tacit_status read_data(engine_risks *risk)
{
    engine_session *session = risk->session;
    tacit_csv_options options;
    engine_csv_options(&options, session);
    options.pass_stray_end = true; /* nothing is released that it could spoil */
    const char **names = NULL;
    tacit_status status = look_ahead(risk, &options);
    if (status == TACIT_OK)
        status = name_coded(&names, &options, risk);
    if (status == TACIT_OK)
        status = engine_places_read(&risk->table, risk->data, &options, session);
    tacit__free((void *)names);
    if (status == TACIT_OK)
        engine_session_source(session, risk->table);
    if (status == TACIT_OK)
        status = engine_risk_settle(risk, risk->table);
    if (status == TACIT_OK)
        status = engine_risk_leave_out(risk);
    if (status == TACIT_OK)
        status = read_weights(risk);
    if (status == TACIT_OK && tacit_table_stray_end(risk->table))
        engine_warn(session,
                    "the last line of %s ends in a superfluous delimiter, which was ignored",
                    risk->data);
    if (status == TACIT_OK && risk->policy->person && risk->asides[ENGINE_RISK_PERSON] < 0)
        engine_warn(session, "rows are counted, not people: a person with several rows stands out "
                             "more than shown here");
    else if (status == TACIT_OK && risk->policy->person)
        engine_warn(session,
                    "prime implicants and SUDA scores count rows, not people: a person with "
                    "several rows stands out more than they show; the risks do count people");
    return status;
}

static void explain_limit(tacit_error *err)
{
    engine_append(err->message, sizeof err->message, "; --memory allows more");
}

/* Risk by the classes, and of what goes together. */
static tacit_status weigh(engine_risks *risk)
{
    tacit_error *err = &risk->session->error;
    int32_t person = risk->asides[ENGINE_RISK_PERSON];
    tacit_status status = TACIT_OK;
    if (person >= 0)
        status = tacit_repeats_new(&risk->repeats, risk->distinct, person, err);
    risk->sample.repeats = risk->repeats;
    if (status == TACIT_OK)
        status =
            tacit_risk_new(&risk->sampled, risk->distinct, &risk->sample, &risk->session->run, err);
    for (int i = ENGINE_RISK_PERSON; i <= ENGINE_RISK_HOUSEHOLD && status == TACIT_OK; i++)
        if (risk->asides[i] >= 0)
            status = tacit_linked_risk_new(&risk->linked[i], risk->sampled, risk->distinct,
                                           risk->repeats, risk->asides[i], err);
    if (status == TACIT_OK && risk->model >= 0)
        status = tacit_loglinear_risk_of(&risk->modelled, risk->sampled, risk->distinct,
                                         (tacit_loglinear)risk->model, &risk->session->run, err);
    return status;
}

/* Classes, the risk that follows from them, and prime implicants. */
static tacit_status search(engine_risks *risk)
{
    engine_session *session = risk->session;
    tacit_error *err = &session->error;
    tacit_status status = tacit_distinct_new(&risk->distinct, risk->table, risk->columns,
                                             risk->column_count, risk->missing, &session->run, err);
    if (status == TACIT_OK)
        status = weigh(risk);
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
        risk->stopped = engine_session_forgive(session);
    return TACIT_OK;
}

/* Where weights say how large the population is, DIS goes by them. */
static void choose_fraction(engine_risks *risk)
{
    if (!risk->weights || engine_has(risk->session->settings, "fraction"))
        return;
    risk->fraction = (double)risk->sampled->rows / risk->sampled->population;
    risk->fraction_from = "by --sampling-weight";
}

/* Prime implicants are worth telling even if there is no time for the table of
 * combinations. */
static tacit_status combine(engine_risks *risk)
{
    engine_session *session = risk->session;
    tacit_status status = tacit_combinations_of(&risk->combinations, risk->uniques, risk->combined,
                                                &session->run, &session->error);
    if (status != TACIT_CANCELLED)
        return status;
    engine_session_clear_error(session);
    risk->stopped = engine_session_forgive(session);
    return TACIT_OK;
}

/* ---- what is shown first ----
 *
 * Rankings are shown down to the tenth, so each is one pass that keeps ten, and costs nothing
 * beside the search; --records has the whole order (tacit_uniques_rank). */

static void offer(engine_first *first, int64_t key, uint32_t item)
{
    int at = first->count;
    if (at == ENGINE_FIRST && key >= first->keys[at - 1])
        return;
    at = at == ENGINE_FIRST ? at - 1 : first->count++;
    for (; at > 0 && key < first->keys[at - 1]; at--) {
        first->keys[at] = first->keys[at - 1];
        first->items[at] = first->items[at - 1];
    }
    first->keys[at] = key;
    first->items[at] = item;
}

static void rank_rows(engine_risks *risk)
{
    const tacit_risk *sampled = risk->sampled;
    for (int64_t row = 0; row < risk->summary->rows; row++) {
        double chance = sampled->individual[tacit_distinct_of(risk->distinct, row)];
        bool counts = !risk->repeats || !risk->repeats[row];
        risk->above += counts && chance > risk->sample.threshold;
        tacit_unique_measures measures = tacit_uniques_measure(risk->uniques, row);
        if (measures.sets == 0)
            continue;
        offer(&risk->rows[TACIT_RANK_FEWEST], measures.fewest, (uint32_t)row);
        offer(&risk->rows[TACIT_RANK_SETS], -measures.sets, (uint32_t)row);
        offer(&risk->rows[TACIT_RANK_GROUP], measures.group, (uint32_t)row);
    }
}

static void rank_sets(engine_risks *risk)
{
    const tacit_clusters *clusters = risk->clusters;
    const tacit_combinations *all = risk->combinations;
    for (int64_t i = 0; i < clusters->count; i++)
        offer(&risk->largest, clusters->starts[i] - clusters->starts[i + 1], (uint32_t)i);
    for (int64_t i = 0; all && i < all->count; i++)
        offer(&risk->best[__builtin_popcountll(all->sets[i].columns) - 1], -all->sets[i].within,
              (uint32_t)i);
}

static void rank_columns(engine_risks *risk)
{
    const tacit_contributions *c = risk->contributions;
    for (int32_t i = 0; i < risk->column_count; i++) {
        int32_t at = i;
        risk->shares[i] = c->total > 0 ? c->columns[i].score / c->total : 0;
        for (; at > 0 && risk->shares[i] > risk->shares[risk->order[at - 1]]; at--)
            risk->order[at] = risk->order[at - 1];
        risk->order[at] = i;
    }
}

static void rank(engine_risks *risk)
{
    rank_rows(risk);
    rank_sets(risk);
    rank_columns(risk);
}

static tacit_status measure(engine_risks *risk)
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
        rank(risk);
    return status;
}

/* The end of a search that was stopped: what there is has been told. */
static tacit_status say_stopped(engine_risks *risk)
{
    char text[256];
    if (!risk->stopped)
        return TACIT_OK;
    return tacit__error(&risk->session->error, TACIT_LIMIT, "%s",
                        engine_risk_stopped(text, sizeof text, risk));
}

static tacit_status run(void *state)
{
    static tacit_status (*const STEPS[ENGINE_RISK_STEPS])(engine_risks *) = {read_data, search,
                                                                             measure};
    engine_risks *risk = state;
    tacit_status status = engine_risk_plan(risk);
    if (status == TACIT_OK)
        status = engine_risk_open(risk);
    for (int i = 0; i < ENGINE_RISK_STEPS && status == TACIT_OK; i++) {
        double start = engine_now();
        status = STEPS[i](risk);
        risk->seconds[i] = engine_now() - start;
    }
    if (status != TACIT_OK)
        return status;
    return tacit_table_check_unchanged(risk->table, &risk->session->run, &risk->session->error);
}

static tacit_status commit(void *state)
{
    engine_risks *risk = state;
    tacit_status status = engine_report_print(risk->session, &engine_risk_reports, risk);
    engine_session_flush(risk->session);
    if (status == TACIT_OK)
        status = engine_risk_tables(risk);
    if (status == TACIT_OK)
        status = engine_report(risk->session, &engine_risk_reports, risk);
    return status == TACIT_OK ? say_stopped(risk) : status;
}

static void clear(void *state)
{
    engine_risks *risk = state;
    for (int i = 0; i < ENGINE_RISK_FILES; i++)
        engine_csv_free(risk->tables[i]);
    tacit_combinations_free(risk->combinations);
    tacit_clusters_free(risk->clusters);
    tacit_contributions_free(risk->contributions);
    tacit_suda_free(risk->suda);
    tacit_uniques_free(risk->uniques);
    for (int i = 0; i < ENGINE_RISK_ASIDES; i++)
        tacit_linked_risk_free(risk->linked[i]);
    tacit_risk_free(risk->sampled);
    tacit_repeats_free(risk->repeats);
    tacit_distinct_free(risk->distinct);
    tacit_weights_free(risk->weights);
    tacit_table_free(risk->table);
    tacit_policy_free(risk->policy);
}

static const engine_kind *variant(const engine_settings *settings)
{
    return engine_has(settings, "counts") ? &engine_risk_counts : NULL;
}

const engine_kind engine_risk = {
    .name = "risk",
    .input = "DATA.csv",
    .inputs_needed = 1,
    .inputs_taken = 1,
    .settings = SETTINGS,
    .takes_policy = true,
    .policy_keys = POLICY_KEYS,
    .takes_data = true,
    .takes_places = true,
    .variant = variant,
    .size = sizeof(engine_risks),
    .run = run,
    .commit = commit,
    .report = &engine_risk_reports,
    .clear = clear,
};
