/*
 * plan.c - what `tacit risk` is asked for: options and policy first, and once
 * the header is known the columns. All of it is refused here or not at all, so
 * that nobody waits for a long search to learn of a misspelt name.
 *
 * Columns are those of role quasi, in the order of the file; where nobody gives a
 * role, all but those that the profile takes for identifiers. The k of a policy is
 * what a release has to keep, and not used: here k says how many records may share
 * a combination for it to count as a risk, itself included.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/job/files.h"
#include "engine/risk/risk.h"

static const char *const RANKS[ENGINE_RANKS] = {
    [TACIT_RANK_FEWEST] = "fewest", [TACIT_RANK_SETS] = "sets", [TACIT_RANK_GROUP] = "group"};

static const char *const ASIDES[ENGINE_RISK_ASIDES] = {[ENGINE_RISK_WEIGHTS] = "sampling-weight",
                                                       [ENGINE_RISK_PERSON] = "person",
                                                       [ENGINE_RISK_HOUSEHOLD] = "household"};

static const char *const MODELS[] = {
    [TACIT_LOGLINEAR_MAIN] = "main", [TACIT_LOGLINEAR_PAIRS] = "pairs"};

const char *engine_risk_model(const engine_risks *risk)
{
    return MODELS[risk->model];
}

const char *engine_risk_aside_option(int aside)
{
    return ASIDES[aside];
}

/* The sampling fraction that sdcMicro's suda2 assumes. */
static const double USUAL_FRACTION = 0.01;

/* A natural number within bounds. */
static tacit_status read_bounded(int64_t *out, const engine_settings *settings, const char *option,
                                 uint64_t min, uint64_t max, tacit_error *err)
{
    uint64_t value = engine_number(settings, option, min);
    if (!engine_has(settings, option))
        return TACIT_OK;
    if (value < min || value > max)
        return tacit__error(
            err, TACIT_INVALID, "--%s takes a number from %llu to %llu, not \"%.40s\"", option,
            (unsigned long long)min, (unsigned long long)max, engine_value(settings, option));
    *out = (int64_t)value;
    return TACIT_OK;
}

/* A number above 0 and at most 1. */
static tacit_status read_share(double *out, const engine_settings *settings, const char *option,
                               tacit_error *err)
{
    double value = engine_seconds(settings, option, *out);
    if (engine_has(settings, option) && value > 1)
        return tacit__error(err, TACIT_INVALID,
                            "--%s takes a number above 0 and at most 1, not \"%.40s\"", option,
                            engine_value(settings, option));
    *out = value;
    return TACIT_OK;
}

/* Bytes, with K, M, G or T for powers of 1024. */
static tacit_status read_memory(size_t *out, const engine_settings *settings, tacit_error *err)
{
    static const char UNITS[] = "KMGT";
    const char *value = engine_value(settings, "memory");
    char *end;
    if (!value)
        return TACIT_OK;
    double bytes = strtod(value, &end);
    const char *unit = *end ? strchr(UNITS, *end) : NULL;
    if (unit) {
        bytes = ldexp(bytes, 10 * (int)(unit - UNITS + 1));
        end++;
    }
    if (end == value || *end || !(bytes >= 1) || bytes > 1e15)
        return tacit__error(err, TACIT_INVALID,
                            "--memory takes a number of bytes, such as 500M or 4G, not \"%.40s\"",
                            value);
    *out = (size_t)bytes;
    return TACIT_OK;
}

static tacit_status read_search(engine_risks *risk, const engine_settings *settings,
                                tacit_error *err)
{
    int64_t max_size = 0, combined = 3;
    int missing = -1;
    static const char *const MISSING[] = {"own", "any"};
    tacit_uniques_options_init(&risk->wanted);
    tacit_status status = read_bounded(&risk->wanted.k, settings, "k", 1, TACIT_MAX_ROWS, err);
    if (status == TACIT_OK)
        status = read_bounded(&max_size, settings, "max-size", 1, TACIT_UNIQUES_COLUMNS, err);
    if (status == TACIT_OK)
        status = read_bounded(&combined, settings, "combinations", 0, TACIT_UNIQUES_COLUMNS, err);
    if (status == TACIT_OK)
        status = read_memory(&risk->wanted.memory, settings, err);
    if (status == TACIT_OK)
        status = engine_choice(&missing, settings, "missing", MISSING, 2, err);
    if (status == TACIT_OK)
        status = engine_choice(&risk->rank, settings, "rank", RANKS, ENGINE_RANKS, err);
    risk->wanted.max_size = (int32_t)max_size;
    risk->combined = (int32_t)combined;
    risk->missing = missing == 1 ? TACIT_MISSING_ANY : TACIT_MISSING_VALUE;
    return status;
}

static tacit_status read_sample(engine_risks *risk, const engine_settings *settings,
                                tacit_error *err)
{
    tacit_sample_init(&risk->sample);
    tacit_status status = read_share(&risk->sample.fraction, settings, "fraction", err);
    if (status == TACIT_OK)
        status = read_share(&risk->sample.threshold, settings, "threshold", err);
    for (int i = 0; i < ENGINE_RISK_ASIDES; i++) {
        risk->aside_names[i] = NULL;
        risk->asides[i] = -1;
    }
    risk->fraction = USUAL_FRACTION;
    risk->fraction_from = "what sdcMicro assumes; --fraction says otherwise";
    if (engine_has(settings, "fraction")) {
        risk->fraction = risk->sample.fraction;
        risk->fraction_from = "--fraction";
    }
    return status;
}

/* What population uniques are estimated by. */
static tacit_status read_model(engine_risks *risk, const engine_settings *settings,
                               tacit_error *err)
{
    tacit_status status = engine_choice(&risk->model, settings, "model", MODELS, 2, err);
    if (status != TACIT_OK || risk->model < 0)
        return status;
    if (!engine_has(settings, "fraction") && !risk->policy->sampling_weight)
        return tacit__error(
            err, TACIT_INVALID,
            "--model needs --fraction or --sampling-weight: if everybody is in the data, "
            "nothing is to be estimated");
    if (risk->missing == TACIT_MISSING_ANY)
        return tacit__error(err, TACIT_INVALID,
                            "--model and --missing any do not go together: a model has a missing "
                            "value as a value of its own");
    return TACIT_OK;
}

static tacit_status check_pairs(const engine_settings *settings, tacit_error *err)
{
    if (tacit_is_place(settings->inputs[0]) &&
        (engine_has(settings, "records") || engine_has(settings, "sets")))
        return tacit__error(err, TACIT_INVALID,
                            "--records and --sets name rows, which stay in the database: let them "
                            "leave with --fetch-rows");
    if (engine_has(settings, "rank") && !engine_has(settings, "records"))
        return tacit__error(err, TACIT_INVALID, "--rank needs --records");
    if (engine_has(settings, "uniqueness") && engine_number(settings, "combinations", 3) == 0)
        return tacit__error(err, TACIT_INVALID,
                            "--uniqueness has nothing to list with "
                            "--combinations 0");
    return TACIT_OK;
}

/* Reads the policy, once no file of the command line is another. */
static tacit_status read_policy(engine_risks *risk, const engine_settings *settings,
                                tacit_error *err)
{
    engine_file files[ENGINE_RISK_FILES + 4] = {
        {risk->data, "DATA.csv", false},
        {engine_value(settings, "policy"), "--policy", false},
        {engine_value(settings, "report"), "--report", true},
        {engine_value(settings, "html"), "--html", true},
    };
    char called[ENGINE_RISK_FILES][32];
    size_t count = 4;
    for (int i = 0; i < ENGINE_RISK_FILES; i++) {
        strcat(strcpy(called[i], "--"), engine_risk_file(i));
        files[count++] =
            (engine_file){engine_value(settings, engine_risk_file(i)), called[i], true};
    }
    tacit_status status = engine_files_check(files, count, err);
    if (status == TACIT_OK)
        status = engine_policy(&risk->policy, risk->session);
    if (status == TACIT_OK)
        status = engine_session_guard(risk->session, risk->policy);
    if (status == TACIT_OK)
        status = engine_policy_files_check(risk->policy, files, count, err);
    if (status != TACIT_OK)
        return status;
    risk->aside_names[ENGINE_RISK_WEIGHTS] = risk->policy->sampling_weight;
    risk->aside_names[ENGINE_RISK_PERSON] = risk->policy->person;
    risk->aside_names[ENGINE_RISK_HOUSEHOLD] = risk->policy->household;
    if (risk->policy->person && risk->missing == TACIT_MISSING_ANY)
        return tacit__error(err, TACIT_INVALID,
                            "--missing any and a person column do not go together: people are "
                            "counted by their values, and a missing one would be every value");
    if (risk->policy->k == 0 && !risk->policy->has_anonymity)
        risk->policy->k = 1; /* a policy needs none here, but one to be checked */
    risk->all_columns = risk->policy->column_count == 0 && !engine_has(settings, "policy");
    return TACIT_OK;
}

tacit_status engine_risk_plan(engine_risks *risk)
{
    const engine_settings *settings = risk->session->settings;
    tacit_error *err = &risk->session->error;
    risk->data = settings->inputs[0];
    tacit_status status = read_search(risk, settings, err);
    if (status == TACIT_OK)
        status = read_sample(risk, settings, err);
    if (status == TACIT_OK)
        status = check_pairs(settings, err);
    if (status == TACIT_OK)
        status = read_policy(risk, settings, err);
    if (status == TACIT_OK)
        status = read_model(risk, settings, err);
    return status;
}

/* ---- columns ---- */

static tacit_status find_asides(engine_risks *risk, const tacit_table *table, tacit_error *err)
{
    for (int i = 0; i < ENGINE_RISK_ASIDES; i++) {
        if (!risk->aside_names[i])
            continue;
        risk->asides[i] = tacit_table_find(table, tacit_strview_of(risk->aside_names[i]));
        if (risk->asides[i] < 0 && !engine_has(risk->session->settings, ASIDES[i]))
            risk->aside_names[i] = NULL; /* a policy's, and gone from a release */
        else if (risk->asides[i] < 0)
            return tacit__error(err, TACIT_INVALID, "column \"%.64s\" of --%s is not in %s",
                                risk->aside_names[i], ASIDES[i], tacit_table_file(table));
    }
    return TACIT_OK;
}

/* What a column is named for beside its values, or -1. */
static int aside_of(const engine_risks *risk, int32_t column)
{
    for (int i = 0; i < ENGINE_RISK_ASIDES; i++)
        if (risk->asides[i] == column)
            return i;
    return -1;
}

static bool is_wanted(const engine_risks *risk, const tacit_table *table, int32_t column)
{
    if (risk->all_columns)
        return aside_of(risk, column) < 0;
    const tacit_policy_column *named =
        tacit_policy_find(risk->policy, tacit_table_name(table, column));
    return named && named->role == TACIT_ROLE_QUASI;
}

static tacit_status refuse_aside(const engine_risks *risk, int aside, tacit_error *err)
{
    static const char *const HOLDS[ENGINE_RISK_ASIDES] = {
        [ENGINE_RISK_WEIGHTS] = "has the weights",
        [ENGINE_RISK_PERSON] = "says whose the rows are",
        [ENGINE_RISK_HOUSEHOLD] = "says which rows are of one household"};
    return tacit__error(err, TACIT_INVALID,
                        "column \"%.64s\" %s and cannot be a quasi-identifier as well",
                        risk->aside_names[aside], HOLDS[aside]);
}

static tacit_status take_columns(engine_risks *risk, const tacit_table *table, tacit_error *err)
{
    risk->column_count = 0;
    for (int32_t i = 0; i < tacit_table_columns(table); i++) {
        if (!is_wanted(risk, table, i))
            continue;
        if (aside_of(risk, i) >= 0)
            return refuse_aside(risk, aside_of(risk, i), err);
        if (risk->column_count == TACIT_UNIQUES_COLUMNS)
            return tacit__error(
                err, TACIT_INVALID,
                "%s has %d columns, and 64 is the most: name those that others could "
                "know with --quasi NAME,...",
                tacit_table_file(table), (int)tacit_table_columns(table));
        risk->columns[risk->column_count++] = i;
    }
    _Static_assert(TACIT_UNIQUES_COLUMNS == 64, "the message above says 64");
    if (risk->column_count == 0)
        return tacit__error(
            err, TACIT_INVALID,
            "%s has no column to look at but those of --sampling-weight, --person and "
            "--household",
            tacit_table_file(table));
    return TACIT_OK;
}

/* Refuses a table of combinations that nobody could list. */
static tacit_status check_combinations(const engine_risks *risk, tacit_error *err)
{
    double sets = 0, ways = 1;
    for (int size = 1; size <= risk->combined && size <= risk->column_count; size++) {
        ways = ways * (risk->column_count - size + 1) / size;
        sets += ways;
    }
    if (sets <= TACIT_MAX_COMBINATIONS)
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID,
                        "there are %.0f sets of up to %d of %d columns; give a smaller "
                        "--combinations, so that there are at most %d",
                        sets, (int)risk->combined, (int)risk->column_count, TACIT_MAX_COMBINATIONS);
}

tacit_status engine_risk_settle(engine_risks *risk, const tacit_table *table)
{
    tacit_error *err = &risk->session->error;
    tacit_status status = TACIT_OK;
    if (risk->settled)
        return TACIT_OK;
    if (!risk->all_columns)
        status = tacit_policy_check_release(risk->policy, table, err);
    if (status == TACIT_OK)
        status = find_asides(risk, table, err);
    if (status == TACIT_OK)
        status = take_columns(risk, table, err);
    if (status == TACIT_OK)
        status = check_combinations(risk, err);
    risk->settled = status == TACIT_OK;
    return status;
}

static void note_left_out(engine_risks *risk, int32_t column)
{
    char name[64];
    engine_printable(name, sizeof name, tacit_table_name(risk->table, column));
    engine_append_name(risk->left_out, sizeof risk->left_out, name);
}

/* Whoever has an identifier needs no combination, so it would only hide what the
 * other columns do. */
tacit_status engine_risk_leave_out(engine_risks *risk)
{
    engine_session *session = risk->session;
    tacit_profile *profile = NULL;
    int32_t kept = 0;
    if (!risk->all_columns)
        return TACIT_OK;
    tacit_status status = tacit_profile_new(&profile, risk->table, &session->run, &session->error);
    for (int32_t i = 0; status == TACIT_OK && i < risk->column_count; i++) {
        int32_t column = risk->columns[i];
        if (profile->columns[column].role == TACIT_ROLE_IDENTIFIER)
            note_left_out(risk, column);
        else
            risk->columns[kept++] = column;
    }
    tacit_profile_free(profile);
    if (status != TACIT_OK)
        return status;
    risk->column_count = kept;
    if (kept == 0)
        return tacit__error(
            &session->error, TACIT_INVALID,
            "every column of %s seems to name people; --quasi NAME,... says which to "
            "look at",
            risk->data);
    return TACIT_OK;
}
