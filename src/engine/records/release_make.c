/*
 * release_make.c - a release from its policy to a judged file: what can be refused before the data
 * is read, then the steps of the table below in order, each timed.
 *
 * The release is written to a file that nobody sees yet and read back from there by the judge, who
 * gets the promise from the policy. `anonymize` makes that file appear, `compare` does not.
 *
 * What is needed no longer is freed between the steps: the classes before the release is read back,
 * because then two tables are in memory.
 */
#include <stdio.h>
#include <string.h>
#include <tacit/experimental/uniques.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/attacks/registers.h"
#include "engine/explore/explore.h"
#include "engine/job/files.h"
#include "engine/job/statement.h"
#include "engine/masking/measured.h"
#include "engine/records/release.h"
#include "engine/records/wanted.h"

/* Values that nobody can read generalize to nothing: such columns can only be suppressed. */
static void forget_hierarchies(engine_release *release)
{
    for (int32_t i = 0; i < release->policy->column_count; i++) {
        tacit_policy_column *column = &release->policy->columns[i];
        bool none = column->hierarchy.no_suppression;
        if (!engine_masking_is_opaque(&release->masking, column->name))
            continue;
        tacit_hierarchy_spec_clear(&column->hierarchy);
        column->hierarchy.no_suppression = none;
    }
}

/* Reads the policy, once no file of the command line is another, and then sees to
 * the files that the policy names. */
static tacit_status read_policy(engine_release *release)
{
    const engine_settings *settings = release->session->settings;
    tacit_error *err = &release->session->error;
    enum { READ = 2, FILES = READ + ENGINE_WRITTEN };
    engine_file files[FILES] = {{release->data, "DATA.csv", false},
                                {engine_value(settings, "policy"), "--policy", false}};
    const size_t count = FILES;
    engine_files_written(files + READ, settings);
    files[READ].path = release->target; /* standard output, where no file is given */
    tacit_status status = engine_files_check(files, count, err);
    if (status == TACIT_OK)
        status = engine_summaries_check(release->session, files, count, err);
    if (status == TACIT_OK && !release->policy)
        status = engine_policy(&release->policy, release->session);
    if (status == TACIT_OK)
        status = engine_session_guard(release->session, release->policy);
    if (status == TACIT_OK)
        status = engine_policy_files_check(release->policy, files, count, err);
    if (status == TACIT_OK)
        status = engine_registers_check(release->policy, release->session);
    if (status == TACIT_OK)
        status = engine_masking_open(&release->masking, release->policy, err);
    if (status == TACIT_OK)
        forget_hierarchies(release);
    return status;
}

/* Without a key file there are no pseudonyms; the message comes from who makes them. */
static tacit_status check_key(engine_release *release)
{
    const tacit_policy *policy = release->policy;
    bool wanted = false;
    for (int32_t i = 0; i < policy->column_count; i++)
        wanted |= engine_fate(&policy->columns[i]) == TACIT_REPLACE_PSEUDONYM;
    if (!wanted || policy->key_file)
        return TACIT_OK;
    return tacit_pseudonyms_new(&release->pseudonyms, NULL, NULL, &release->session->error);
}

/* What only one method does is not asked of another; and only methods that are kept
 * because they were published may break a promise. */
static tacit_status check_method(engine_release *release)
{
    const tacit_policy *policy = release->policy;
    tacit_error *err = &release->session->error;
    bool argus = strcmp(release->method->name, "mu-argus") == 0;
    bool ambiguates = release->method->features & TACIT_METHOD_AMBIGUATES;
    bool historic = policy->as_published || policy->as_described;
    release->unsafe = engine_has(release->session->settings, "unsafe");
    if ((policy->as_described && !argus) || (policy->as_published && !argus && !ambiguates))
        return tacit__error(err, TACIT_INVALID,
                            "as-published applies to the methods mu-argus and ambiguate, "
                            "as-described to mu-argus, neither to %s",
                            release->method->name);
    if (release->unsafe && engine_has(release->session->settings, "statement"))
        return tacit__error(err, TACIT_INVALID,
                            "--statement says what holds of a release, and with --unsafe nothing "
                            "does; leave one of them out");
    if (release->masking.masking && release->unsafe)
        return tacit__error(err, TACIT_INVALID, "--unsafe and techniques do not go together");
    if (policy->all_minimal && strcmp(release->method->name, "mingen") != 0)
        return tacit__error(err, TACIT_INVALID,
                            "all-minimal applies to the method mingen, not to %s",
                            release->method->name);
    if (policy->strict && ambiguates)
        return tacit__error(
            err, TACIT_INVALID,
            "strict is about what classes say, and %s makes none: use another method, "
            "or leave strict out",
            release->method->name);
    if (release->dependencies.file && !ambiguates)
        return tacit__error(err, TACIT_INVALID,
                            "--dependencies is for the method ambiguate, not %s",
                            release->method->name);
    if (release->unsafe && !(historic && argus))
        return tacit__error(err, TACIT_INVALID,
                            "--unsafe is for mu-argus with --as-published or --as-described; "
                            "everything else keeps its promise");
    return TACIT_OK;
}

tacit_status engine_release_prepare(engine_release *release)
{
    const engine_settings *settings = release->session->settings;
    release->data = settings->inputs[0];
    release->dependencies.file = engine_value(settings, "dependencies");
    release->has_sizes = engine_has(settings, "report") || engine_has(settings, "html");
    release->measured.wanted |= engine_has(settings, "evaluate") || engine_has(settings, "target");
    release->masking.secrets = engine_has(settings, "secrets");
    tacit_status status = engine_statement_check(settings, &release->session->error);
    if (status == TACIT_OK)
        status = engine_explore_open(release);
    if (status == TACIT_OK)
        status = read_policy(release);
    if (status == TACIT_OK && !release->explore)
        status = engine_method_of(&release->method, release->policy, &release->session->error);
    if (status == TACIT_OK)
        status = engine_wanted_init(&release->wanted, release->policy, &release->session->error);
    if (status == TACIT_OK && !release->explore)
        status = engine_ledger_open(release->ledger, release->policy, release->data,
                                    TACIT_LEDGER_WRITE, release->session);
    if (status == TACIT_OK)
        status = engine_previous_open(release);
    if (status == TACIT_OK && release->explore)
        return engine_explore_plan(release);
    if (status == TACIT_OK)
        status = check_method(release);
    if (status == TACIT_OK)
        status = engine_trails_check(release);
    if (status == TACIT_OK)
        status = engine_ask_init(&release->ask, release->session, release->policy, release->method,
                                 release->data);
    release->wanted.argus = &release->ask.argus;
    if (status == TACIT_OK)
        status = engine_blanks_init(&release->blanks, release->policy, release->method,
                                    release->session, &release->session->error);
    release->wanted.ambiguate = &release->blanks.how;
    if (status == TACIT_OK)
        status = check_key(release);
    return status;
}

const char *engine_release_method(const engine_release *release)
{
    return tacit_policy_generalizes(release->policy) ? release->method->name
                                                     : release->policy->method;
}

/* From the models of a policy to those of a frame: names of columns become columns of the table,
 * and trees are bound to them. */
static int32_t count_models(const tacit_policy *policy)
{
    int32_t count = policy->population_model_count;
    for (int32_t i = 0; i < policy->column_count; i++)
        count += policy->columns[i].model_count;
    return count;
}

static tacit_status add_models_of(engine_models *models, const tacit_policy_column *column,
                                  const tacit_table *table, tacit_error *err)
{
    int32_t source = tacit_table_find(table, tacit_strview_of(column->name));
    for (int32_t i = 0; i < column->model_count; i++) {
        tacit_hierarchy **hierarchy = &models->hierarchies[models->count];
        tacit_status status = TACIT_OK;
        if (column->models[i].kind == TACIT_MODEL_CLOSENESS_TREE)
            status = tacit_hierarchy_new(hierarchy, &column->hierarchy, table, source, err);
        if (status != TACIT_OK)
            return status;
        models->list[models->count++] = (tacit_model){.bound = column->models[i],
                                                      .column = source,
                                                      .hierarchy = *hierarchy,
                                                      .spread = tacit_policy_spread(column)};
    }
    return TACIT_OK;
}

/* Refuses what is no weight. */
static tacit_status check_weights(const tacit_table *table, int32_t column, tacit_error *err)
{
    double *weights = NULL;
    tacit_status status = tacit_weights_new(&weights, table, column, err);
    tacit_weights_free(weights);
    return status;
}

static tacit_status bind_models(engine_models *models, const tacit_policy *policy,
                                const tacit_table *table, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; status == TACIT_OK && i < policy->column_count; i++)
        status = add_models_of(models, &policy->columns[i], table, err);
    for (int32_t i = 0; status == TACIT_OK && i < policy->population_model_count; i++) {
        tacit_model model = {.bound = tacit_policy_population_model(policy, i), .column = -1};
        if (model.bound.kind == TACIT_MODEL_MAP_ESTIMATED) {
            model.column = tacit_table_find(table, tacit_strview_of(policy->sampling_weight));
            status = check_weights(table, model.column, err);
        }
        models->list[models->count++] = model;
    }
    return status;
}

static void clear_models(engine_models *models)
{
    for (int32_t i = 0; models->hierarchies && i < models->count; i++)
        tacit_hierarchy_free(models->hierarchies[i]);
    tacit__free(models->list);
    tacit__free(models->hierarchies);
    *models = (engine_models){0};
}

static tacit_status init_models(engine_models *models, const tacit_policy *policy,
                                const tacit_table *table, tacit_error *err)
{
    size_t count = (size_t)count_models(policy);
    *models = (engine_models){0};
    if (count == 0)
        return TACIT_OK;
    models->list = tacit__alloc_zeroed(count, sizeof *models->list);
    models->hierarchies = tacit__alloc_zeroed(count, sizeof(tacit_hierarchy *));
    tacit_status status = models->list && models->hierarchies
                              ? bind_models(models, policy, table, err)
                              : tacit__nomem(err);
    if (status != TACIT_OK)
        clear_models(models);
    return status;
}

/* Says which column a hierarchy did not fit, where its message does not. */
static void name_column(tacit_error *err, const char *name)
{
    char message[sizeof err->message];
    if (err->status == TACIT_NOMEM || strstr(err->message, name))
        return;
    snprintf(message, sizeof message, "column %.64s: %.600s", name, err->message);
    memcpy(err->message, message, sizeof message);
}

static tacit_status bind_attribute(engine_release *release, int32_t index)
{
    const tacit_policy_column *column = &release->policy->columns[release->promise.columns[index]];
    int32_t source = tacit_table_find(release->table, tacit_strview_of(column->name));
    tacit_error *err = &release->session->error;
    tacit_status status = tacit_hierarchy_new(&release->hierarchies[index], &column->hierarchy,
                                              release->table, source, err);
    if (status != TACIT_OK) {
        name_column(err, column->name);
        return status;
    }
    int height = tacit_hierarchy_height(release->hierarchies[index]);
    if (column->least_level > height)
        return tacit__error(
            err, TACIT_INVALID,
            "generalize of column \"%.64s\": level %d is above %d, the highest level "
            "of its hierarchy",
            column->name, column->least_level, height);
    release->attributes[index] = (tacit_attribute){
        .column = source,
        .hierarchy = release->hierarchies[index],
        .weight = column->has_weight ? column->weight : 0,
        .link = column->has_link ? column->link : 1,
        .least_level = column->least_level,
        .rating = column->rating,
    };
    return TACIT_OK;
}

/* The register, for methods and for the judge. */
static tacit_status bind_population(engine_release *release)
{
    engine_population *population = &release->population;
    engine_session *session = release->session;
    tacit_status status =
        engine_population_read(population, release->policy, &release->promise, session);
    if (status == TACIT_OK)
        status = engine_population_bind(population, &release->promise, session);
    if (status != TACIT_OK || !population->people)
        return status;
    return tacit_population_new(
        &release->frame.population, &release->frame, population->people, population->columns,
        (const tacit_hierarchy *const *)population->hierarchies, &session->run, &session->error);
}

tacit_status engine_release_bind(engine_release *release)
{
    const tacit_promise *promise = &release->promise.promise;
    for (int32_t i = 0; i < promise->attribute_count; i++) {
        tacit_status status = bind_attribute(release, i);
        if (status != TACIT_OK)
            return status;
    }
    tacit_status status =
        init_models(&release->models, release->policy, release->table, &release->session->error);
    const tacit_policy *policy = release->policy;
    const char *counted = policy->household ? policy->household : policy->person;
    release->frame = (tacit_frame){
        .table = release->table,
        .attributes = release->attributes,
        .attribute_count = promise->attribute_count,
        .sets = promise->sets,
        .set_count = promise->set_count,
        .person = counted ? tacit_table_find(release->table, tacit_strview_of(counted)) : -1,
        .households = policy->household != NULL,
        .models = release->models.list,
        .model_count = release->models.count,
        .risks = policy->risks,
    };
    if (status == TACIT_OK)
        status = engine_households_check(release);
    if (status == TACIT_OK)
        status = bind_population(release);
    if (status == TACIT_OK && !release->explore)
        status = engine_blanks_bind(&release->blanks, release->policy, &release->promise,
                                    release->table, release->session);
    return status;
}

/* A search that was stopped, by the clock or by the user, leaves its best. The
 * rest of the work is not what they wanted to stop. */
static void go_on(engine_release *release)
{
    const char *why = engine_session_forgive(release->session);
    engine_warn(release->session,
                "the search was stopped %s; this is the best release it had found", why);
}

void engine_release_limits(engine_release *release)
{
    release->wanted.max_suppressed =
        engine_max_suppressed(release->policy, release->wanted.k, tacit_table_rows(release->table));
    release->wanted.until_stopped =
        !release->previous && engine_has(release->session->settings, "time");
}

tacit_status engine_release_search(engine_release *release)
{
    engine_release_limits(release);
    return engine_release_solve(release);
}

tacit_status engine_release_solve(engine_release *release)
{
    engine_session *session = release->session;
    tacit_status status = release->method->solve(&release->solution, &release->frame,
                                                 &release->wanted, &session->run, &session->error);
    if (status == TACIT_OK && release->solution->search.stopped && !release->previous)
        go_on(release); /* there, one search is not the whole of what was to be stopped */
    return status;
}

static tacit_status mask(engine_release *release)
{
    return engine_masking_run(&release->masking, release->data, release->session);
}

static tacit_status search(engine_release *release)
{
    if (engine_keeps_trails(release->policy))
        return engine_trails_search(release);
    return release->previous ? engine_previous_search(release) : engine_release_search(release);
}

static tacit_status apply(engine_release *release)
{
    const tacit_apply_options options = {
        .keep_order = release->policy->keep_order,
        .drop_suppressed = release->policy->drop_suppressed,
    };
    tacit_error *err = &release->session->error;
    tacit_status status = TACIT_OK;
    if (!release->application) /* what withstands earlier releases was applied to be compared */
        status = tacit_solution_apply(&release->application, release->solution, &release->frame,
                                      &options, &release->session->run, err);
    if (status == TACIT_OK && release->application->row_count == 0)
        status =
            tacit__error(err, TACIT_INFEASIBLE,
                         "every row would be left out, and a release without rows is none: lower "
                         "k, or allow more to be generalized; nothing is written");
    return status == TACIT_OK ? engine_items_protect(release) : status;
}

static tacit_status write_release(engine_release *release)
{
    engine_session *session = release->session;
    tacit_status status = engine_release_layout(release);
    if (status == TACIT_OK)
        status = engine_sink_open(&release->sink, release->target, session);
    if (status == TACIT_OK)
        status =
            tacit_table_write(tacit_output_fd(release->sink.csv), release->target, NULL,
                              release->table, &release->layout, &session->run, &session->error);
    if (status == TACIT_OK)
        tacit_output_flush_early(release->sink.csv);
    return status;
}

static tacit_status commit_release(engine_release *release)
{
    tacit_status status = engine_session_check(release->session);
    if (status == TACIT_OK)
        status = engine_release_commit(release);
    return status;
}

/* What fails on data that changed under it failed for that reason. */
static tacit_status explain_failure(const engine_release *release, tacit_status status)
{
    engine_session *session = release->session;
    tacit_error changed = {0};
    if (status == TACIT_CANCELLED || !release->table ||
        tacit_table_check_unchanged(release->table, &session->run, &changed) != TACIT_IO)
        return status;
    session->error = changed;
    return TACIT_IO;
}

enum { AFTER_SEARCH = 4 }; /* the step that follows it */

const char *const engine_release_steps[ENGINE_RELEASE_STEPS] = {
    "mask",    "read",  "hierarchies", "search",  "apply",
    "metrics", "write", "judge",       "measure", "commit",
};

/* A release is written once more where the judge refuses one that has another to take its place. */
static tacit_status run_steps(engine_release *release, int first, int end)
{
    static tacit_status (*const STEPS[ENGINE_RELEASE_STEPS])(engine_release *) = {
        mask,
        engine_release_read,
        engine_release_bind,
        search,
        apply,
        engine_release_measure,
        write_release,
        engine_release_judge,
        engine_measured_run,
        commit_release,
    };
    for (int i = first; i < end; i++) {
        double start = engine_now();
        tacit_status status = STEPS[i](engine_previous_made(release));
        release->seconds[i] += engine_now() - start;
        if (STEPS[i] == engine_release_judge && engine_previous_fall_back(release, status))
            i = AFTER_SEARCH - 1;
        else if (status != TACIT_OK)
            return explain_failure(engine_previous_made(release), status);
    }
    engine_release *made = engine_previous_made(release);
    memmove(made->seconds, release->seconds, sizeof made->seconds);
    made->total = engine_now() - release->session->start;
    return TACIT_OK;
}

tacit_status engine_release_make(engine_release *release, int count)
{
    return run_steps(release, 0, count);
}

tacit_status engine_release_appear(engine_release *release)
{
    return run_steps(release, ENGINE_UNSEEN_STEPS, ENGINE_RELEASE_STEPS);
}

void engine_release_clear(engine_release *release)
{
    engine_previous_clear(release);
    tacit__free(release->explore);
    engine_found_clear(&release->found);
    engine_found_clear(&release->unprotected);
    engine_measured_clear(&release->measured);
    engine_masking_clear(&release->masking);
    tacit_verdict_free(release->verdict);
    engine_sink_clear(&release->sink);
    tacit__free(release->columns);
    tacit__free(release->level_rows);
    tacit_pseudonyms_free(release->pseudonyms);
    engine_scrubbed_text_clear(&release->scrubbed);
    engine_row_pseudonyms_clear(&release->row_pseudonyms);
    tacit_itemset_release_free(release->itemsets);
    tacit_application_free(release->application);
    tacit_solution_free(release->solution);
    for (int i = 0; i < TACIT_MAX_QUASI; i++)
        tacit_hierarchy_free(release->hierarchies[i]);
    clear_models(&release->models);
    engine_blanks_clear(&release->blanks);
    engine_dependencies_clear(&release->dependencies);
    engine_ledger_clear(release->ledger);
    engine_earlier_clear(&release->earlier);
    tacit_population_free(release->frame.population);
    engine_population_clear(&release->population);
    tacit_table_free(release->table);
    engine_promise_clear(&release->promise);
    tacit_policy_free(release->policy);
}
