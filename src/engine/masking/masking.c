/*
 * masking.c - steps of a policy applied and judged, before the rest of a release is made.
 */
#include "engine/masking/masking.h"
#include "base/alloc.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* ---- steps ---- */

static const tacit_technique_option *option_in(const tacit_technique_option *options,
                                               const char *name)
{
    for (; options->name; options++)
        if (strcmp(options->name, name) == 0)
            return options;
    return NULL;
}

const tacit_technique_option *engine_technique_option(const tacit_technique *technique,
                                                      const char *name)
{
    const tacit_technique_option *own = option_in(technique->options, name);
    return own ? own : option_in(tacit_technique_common(), name);
}

/* The quasi-identifying columns, as the policy names them. */
static tacit_status quasi_names(engine_masking *masking, size_t *count, const tacit_policy *policy,
                                tacit_error *err)
{
    masking->names = tacit__alloc_zeroed((size_t)policy->column_count + 1, sizeof *masking->names);
    if (!masking->names)
        return tacit__nomem(err);
    *count = 0;
    for (int32_t i = 0; i < policy->column_count; i++)
        if (policy->columns[i].role == TACIT_ROLE_QUASI)
            masking->names[(*count)++] = policy->columns[i].name;
    return TACIT_OK;
}

/* A method that is a technique: the last step, on the quasi-identifier as a unit, with the
 * policy's k. */
static tacit_status add_method(engine_masking *masking, const tacit_policy *policy,
                               tacit_error *err)
{
    const tacit_technique *technique = policy->method ? tacit_technique_find(policy->method) : NULL;
    tacit_technique_setting *settings = masking->settings;
    size_t count = 0, names = 0;
    if (!technique)
        return TACIT_OK;
    tacit_status status = quasi_names(masking, &names, policy, err);
    if (status != TACIT_OK)
        return status;
    if (engine_technique_option(technique, "columns"))
        settings[count++] = (tacit_technique_setting){"columns", masking->names, names, 0};
    snprintf(masking->k, sizeof masking->k, "%lld", (long long)policy->k);
    masking->values[0] = masking->k;
    if (engine_technique_option(technique, "k") && policy->k > 0)
        settings[count++] = (tacit_technique_setting){"k", &masking->values[0], 1, 0};
    masking->values[1] = "true";
    if (engine_technique_option(technique, "unit"))
        settings[count++] = (tacit_technique_setting){"unit", &masking->values[1], 1, 0};
    masking->steps[masking->step_count++] = (tacit_technique_step){
        technique->name, settings,          count,
        policy->file,    policy->directory, tacit_policy_line(policy, "method")};
    return TACIT_OK;
}

/* Room for one more than the policy has. */
static tacit_status list_steps(engine_masking *masking, const tacit_policy *policy,
                               tacit_error *err)
{
    tacit_technique_step *steps = NULL;
    size_t count = 0;
    tacit_status status = tacit_policy_steps(&steps, &count, policy, err);
    if (status != TACIT_OK)
        return status;
    masking->steps = tacit__alloc_zeroed(count + 2, sizeof *masking->steps);
    if (masking->steps && count)
        memcpy(masking->steps, steps, count * sizeof *steps);
    masking->step_count = count;
    tacit_policy_steps_free(steps);
    return masking->steps ? TACIT_OK : tacit__nomem(err);
}

/* Rows that share a value are people who share it only if everybody has a row of their own. */
static tacit_status check_made_up(engine_masking *masking, const tacit_policy *policy,
                                  tacit_error *err)
{
    for (size_t i = 0; i < masking->step_count; i++) {
        const tacit_technique *technique = tacit_masking_technique(masking->masking, i);
        if (!(technique->features & TACIT_TECHNIQUE_MAKES_UP))
            continue;
        masking->made_up = technique;
        if (policy->person || policy->household)
            return tacit__error_at(err, TACIT_INVALID, masking->steps[i].file,
                                   masking->steps[i].line, 0,
                                   "%s counts rows, and several of them may be one %s's: leave "
                                   "`%s` out, and give it data with a row for each",
                                   technique->name, policy->person ? "person" : "household",
                                   policy->person ? "person" : "household");
    }
    return TACIT_OK;
}

static tacit_status list_touched(engine_masking *masking, tacit_error *err)
{
    size_t most = 1;
    for (size_t i = 0; i < masking->step_count; i++) {
        const char *const *names;
        most += tacit_masking_columns(masking->masking, i, &names);
    }
    masking->touched = tacit__alloc_zeroed(most, sizeof *masking->touched);
    if (!masking->touched)
        return tacit__nomem(err);
    for (size_t i = 0; i < masking->step_count; i++) {
        const char *const *names;
        size_t count = tacit_masking_columns(masking->masking, i, &names);
        for (size_t j = 0; j < count; j++)
            masking->touched[masking->c.touched_count++] = names[j];
    }
    return TACIT_OK;
}

/* Columns that steps say they add. */
static tacit_status list_written(engine_masking *masking, tacit_error *err)
{
    masking->written = tacit__alloc_zeroed(masking->step_count + 1, sizeof *masking->written);
    if (!masking->written)
        return tacit__nomem(err);
    for (size_t i = 0; i < masking->step_count; i++)
        for (size_t j = 0; j < masking->steps[i].setting_count; j++)
            if (strcmp(masking->steps[i].settings[j].name, "write") == 0)
                masking->written[masking->c.written_count++] =
                    masking->steps[i].settings[j].values[0];
    return TACIT_OK;
}

/* Where the population is estimated, every row must stand for those whom the data says that it
 * does. */
static tacit_status check_weights(const engine_masking *masking, const tacit_policy *policy,
                                  tacit_error *err)
{
    for (size_t i = 0; i < masking->step_count && tacit_policy_estimates(policy); i++) {
        const char *const *names;
        size_t count = tacit_masking_columns(masking->masking, i, &names);
        const tacit_technique *technique = tacit_masking_technique(masking->masking, i);
        bool touched = technique->features & TACIT_TECHNIQUE_OF_TUPLES;
        for (size_t j = 0; j < count; j++)
            touched |= strcmp(names[j], policy->sampling_weight) == 0;
        if (touched)
            return tacit__error(err, TACIT_INVALID,
                                "k-map goes by sampling-weight, and the technique %s changes the "
                                "weights, or which rows there are: leave one of them out",
                                technique->name);
    }
    return TACIT_OK;
}

/* What a masked table cannot be compared with. */
static tacit_status check_policy(const tacit_policy *policy, tacit_error *err)
{
    if (policy->previous_count > 0 || policy->ledger)
        return tacit__error(err, TACIT_INVALID,
                            "techniques change values, so that a release made with them cannot be "
                            "joined with earlier ones to see what follows: leave %s out",
                            policy->ledger ? "ledger" : "previous");
    return TACIT_OK;
}

tacit_status engine_masking_open(engine_masking *masking, const tacit_policy *policy,
                                 tacit_error *err)
{
    tacit_status status = list_steps(masking, policy, err);
    if (status == TACIT_OK)
        status = add_method(masking, policy, err);
    if (status != TACIT_OK || masking->step_count == 0)
        return status;
    status = check_policy(policy, err);
    if (status == TACIT_OK)
        status = tacit_masking_new(&masking->masking, masking->steps, masking->step_count, err);
    if (status == TACIT_OK)
        status = check_made_up(masking, policy, err);
    if (status == TACIT_OK)
        status = check_weights(masking, policy, err);
    if (status == TACIT_OK)
        status = list_touched(masking, err);
    if (status == TACIT_OK)
        status = list_written(masking, err);
    return status;
}

void engine_masking_clear(engine_masking *masking)
{
    tacit_masked_verdict_free(masking->verdict);
    tacit_output_free(masking->file);
    tacit_masked_free(masking->masked);
    tacit_masking_free(masking->masking);
    tacit__free(masking->written);
    tacit__free(masking->labels);
    tacit__free(masking->places);
    tacit__free(masking->touched);
    tacit__free(masking->names);
    tacit__free(masking->steps);
    memset(masking, 0, sizeof *masking);
}

bool engine_masking_is_opaque(const engine_masking *masking, const char *column)
{
    for (size_t i = 0; masking->masking && i < masking->step_count; i++) {
        const char *const *names;
        size_t count = tacit_masking_columns(masking->masking, i, &names);
        unsigned features = tacit_masking_technique(masking->masking, i)->features;
        for (size_t j = 0; j < count; j++)
            if (features & TACIT_TECHNIQUE_OPAQUE && strcmp(names[j], column) == 0)
                return true;
    }
    return false;
}

/* ---- at work ---- */

static tacit_status write_masked(engine_masking *masking, engine_session *session)
{
    tacit_status status = tacit_output_new(&masking->file, "-", &session->error);
    if (status == TACIT_OK)
        status = tacit_masked_write(tacit_output_fd(masking->file), "the masked data", NULL,
                                    masking->masked, &session->run, &session->error);
    return status;
}

static tacit_status judge_tables(engine_masking *masking, const tacit_table *data,
                                 const tacit_table *masked, engine_session *session)
{
    tacit_masked_case *c = &masking->c;
    c->original = data;
    c->masked = masked;
    c->origin = tacit_masked_origin(masking->masked);
    c->touched = masking->touched;
    c->written = masking->written;
    c->kept_count = tacit_masked_kept(masking->masked, &c->kept);
    for (size_t i = 0; i < masking->step_count; i++)
        c->rows_changed |=
            tacit_masking_technique(masking->masking, i)->features & TACIT_TECHNIQUE_OF_TUPLES;
    c->filled = c->rows_changed; /* added rows have values in all columns */
    tacit_status status = tacit_audit_masked(&masking->verdict, c, &session->run, &session->error);
    if (status == TACIT_OK)
        status = engine_masked_refuse(&session->error, masking->verdict, c);
    c->original = c->masked = NULL;
    return status;
}

static void code_nothing(tacit_csv_options *options, const engine_session *session)
{
    engine_csv_options(options, session);
    options->code_none = true;
    options->guard = TACIT_GUARD_NONE; /* what becomes of the data is guarded, once it is read */
}

/* Without a header, columns are named by their places, and those that steps add as these say. */
static tacit_status label_columns(engine_masking *masking, int32_t columns, tacit_error *err)
{
    enum { LONGEST = 16 };
    size_t count = (size_t)columns, added = masking->c.written_count;
    masking->labels = tacit__alloc_zeroed(count + added + 1, sizeof *masking->labels);
    masking->places = tacit__alloc_zeroed(count + 1, LONGEST);
    if (!masking->labels || !masking->places)
        return tacit__nomem(err);
    for (size_t i = 0; i < count; i++) {
        char *place = masking->places + i * LONGEST;
        snprintf(place, LONGEST, "V%d", (int)i + 1);
        masking->labels[i] = tacit_strview_of(place);
    }
    for (size_t i = 0; i < added; i++)
        masking->labels[count + i] = tacit_strview_of(masking->written[i]);
    masking->label_count = count + added;
    return TACIT_OK;
}

tacit_status engine_masking_read(tacit_table **out, const engine_masking *masking, const char *name,
                                 const tacit_csv_options *options, engine_session *session)
{
    tacit_csv_options named = *options;
    named.missing = NULL; /* the data was read so before it was masked */
    named.encoding = TACIT_ENCODING_UTF8;
    named.convert = NULL; /* it is CSV, however it begins */
    if (options->no_header) {
        named.names = masking->labels;
        named.name_count = masking->label_count;
    }
    return tacit_table_read_fd(out, tacit_output_fd(masking->file), name, &named, &session->run,
                               &session->error);
}

static tacit_status judge(engine_masking *masking, const tacit_table *data, engine_session *session)
{
    tacit_table *masked = NULL;
    tacit_csv_options options;
    code_nothing(&options, session);
    options.delimiter = tacit_table_delimiter(data);
    tacit_status status = label_columns(masking, tacit_table_columns(data), &session->error);
    if (status == TACIT_OK)
        status = engine_masking_read(&masked, masking, "the masked data", &options, session);
    if (status == TACIT_OK)
        status = judge_tables(masking, data, masked, session);
    tacit_table_free(masked);
    return status;
}

tacit_status engine_masking_run(engine_masking *masking, const char *data, engine_session *session)
{
    tacit_table *table = NULL;
    tacit_csv_options options;
    if (!masking->masking)
        return TACIT_OK;
    code_nothing(&options, session);
    tacit_status status = tacit_table_read(&table, data, &options, &session->run, &session->error);
    if (status == TACIT_OK)
        engine_session_source(session, table);
    if (status == TACIT_OK)
        status = tacit_masking_apply(&masking->masked, masking->masking, table, &session->run,
                                     &session->error);
    if (status == TACIT_OK)
        status = write_masked(masking, session);
    if (status == TACIT_OK)
        status = judge(masking, table, session);
    if (status == TACIT_OK)
        status = tacit_table_check_unchanged(table, &session->run, &session->error);
    if (status == TACIT_OK)
        tacit_masked_let_go(masking->masked);
    tacit_table_free(table);
    return status;
}
