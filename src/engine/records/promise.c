/*
 * promise.c - policy to promise. Shared by `anonymize`, whose judge gets it
 * before the release may appear, and `audit`, which judges any release.
 */
#include "engine/records/promise.h"
#include "base/alloc.h"
#include "base/bitset.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/attacks/attack.h"

bool engine_keeps_trails(const tacit_policy *policy)
{
    return policy->trail || policy->household;
}

tacit_replace engine_fate(const tacit_policy_column *column)
{
    if (!column || (column->role != TACIT_ROLE_IDENTIFIER && !column->has_replace))
        return TACIT_REPLACE_KEEP;
    return column->replace;
}

/* ---- columns that link rows ---- */

/* What a technique has made unreadable says nothing but which rows are alike, and where nobody
 * calls it sensitive, whose they are. */
static void list_opaque(engine_needs *list, const tacit_technique_step *step,
                        const tacit_policy *policy)
{
    const tacit_technique *technique = tacit_technique_find(step->technique);
    if (!technique || !(technique->features & TACIT_TECHNIQUE_OPAQUE))
        return;
    for (size_t i = 0; i < step->setting_count; i++) {
        const tacit_technique_setting *setting = &step->settings[i];
        for (size_t j = 0; strcmp(setting->name, "columns") == 0 && j < setting->value_count; j++) {
            const tacit_policy_column *column =
                tacit_policy_find(policy, tacit_strview_of(setting->values[j]));
            if (!column || column->role == TACIT_ROLE_NONE ||
                column->role == TACIT_ROLE_INSENSITIVE)
                engine_needs_add(list, setting->values[j]);
        }
    }
}

/* Identifiers that leave as they are or as pseudonyms. The person column, which may leave under any
 * role, the judge knows by itself. */
static tacit_status list_linking(engine_needs *list, const tacit_policy *policy, tacit_error *err)
{
    tacit_technique_step *steps = NULL;
    size_t count = 0;
    tacit_status status = tacit_policy_steps(&steps, &count, policy, err);
    for (size_t i = 0; status == TACIT_OK && i < count; i++)
        list_opaque(list, &steps[i], policy);
    tacit_policy_steps_free(steps);
    for (int32_t i = 0; i < policy->column_count; i++) {
        const tacit_policy_column *column = &policy->columns[i];
        tacit_replace fate = engine_fate(column);
        if (column->role == TACIT_ROLE_IDENTIFIER &&
            (fate == TACIT_REPLACE_KEEP || fate == TACIT_REPLACE_PSEUDONYM))
            engine_needs_add(list, column->name);
    }
    if (status == TACIT_OK && list->out_of_memory)
        status = tacit__nomem(err);
    return status;
}

static tacit_status add_linking(engine_promise *promise, const tacit_policy *policy,
                                tacit_error *err)
{
    engine_needs list = {0};
    tacit_status status = list_linking(&list, policy, err);
    promise->linking = list.names;
    promise->promise.linking = list.names;
    promise->promise.linking_count = (int32_t)list.count;
    return status;
}

/* ---- the rest ---- */

static void add_attributes(engine_promise *promise, const tacit_policy *policy)
{
    int32_t count = 0;
    for (int32_t i = 0; i < policy->column_count; i++) {
        const tacit_policy_column *column = &policy->columns[i];
        if (column->role != TACIT_ROLE_QUASI)
            continue;
        assert(count < TACIT_MAX_QUASI);
        promise->columns[count] = i;
        promise->missing[count] =
            tacit_policy_missing_codes(policy, tacit_strview_of(column->name));
        promise->attributes[count++] = (tacit_promise_attribute){column->name, &column->hierarchy};
    }
    promise->promise.attributes = promise->attributes;
    promise->promise.attribute_count = count;
    promise->promise.missing = promise->missing;
}

int32_t engine_attribute_of(const engine_promise *promise, const tacit_policy *policy,
                            const tacit_policy_column *column)
{
    int32_t low = 0, high = promise->promise.attribute_count; /* in the policy's order */
    ptrdiff_t wanted = column ? column - policy->columns : -1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (promise->columns[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < promise->promise.attribute_count && promise->columns[low] == wanted;
    return found ? low : -1;
}

static void set_bits(uint64_t *bits, const engine_promise *promise, const tacit_policy *policy,
                     const tacit_quasi_set *set)
{
    for (int32_t i = 0; i < set->count; i++) {
        int32_t attribute = engine_attribute_of(promise, policy, &policy->columns[set->columns[i]]);
        assert(attribute >= 0);
        tacit__bit_set(bits, attribute);
    }
}

/* The attributes that are the household's; no bits where none is. */
static tacit_status add_of_household(engine_promise *promise, const tacit_policy *policy,
                                     tacit_error *err)
{
    int32_t count = promise->promise.attribute_count;
    for (int32_t a = 0; a < count; a++) {
        if (!policy->columns[promise->columns[a]].of_household)
            continue;
        if (!promise->of_household)
            promise->of_household =
                tacit__alloc_zeroed(tacit__bitset_words(count), sizeof *promise->of_household);
        if (!promise->of_household)
            return tacit__nomem(err);
        tacit__bit_set(promise->of_household, a);
    }
    promise->promise.of_household = promise->of_household;
    return TACIT_OK;
}

static tacit_status add_sets(engine_promise *promise, const tacit_policy *policy, tacit_error *err)
{
    if (policy->set_count == 0)
        return TACIT_OK;
    size_t words = tacit__bitset_words(promise->promise.attribute_count);
    promise->sets = tacit__alloc_zeroed((size_t)policy->set_count * words, sizeof *promise->sets);
    if (!promise->sets)
        return tacit__nomem(err);
    for (int32_t i = 0; i < policy->set_count; i++)
        set_bits(promise->sets + (size_t)i * words, promise, policy, &policy->sets[i]);
    promise->promise.sets = promise->sets;
    promise->promise.set_count = policy->set_count;
    return TACIT_OK;
}

static tacit_status add_identifiers(engine_promise *promise, const tacit_policy *policy,
                                    tacit_error *err)
{
    promise->identifiers =
        tacit__alloc_zeroed((size_t)policy->column_count + 1, sizeof *promise->identifiers);
    promise->scrubbed =
        tacit__alloc_zeroed((size_t)policy->column_count + 1, sizeof *promise->scrubbed);
    if (!promise->identifiers || !promise->scrubbed)
        return tacit__nomem(err);
    promise->promise.scrubbed = promise->scrubbed;
    int32_t count = 0;
    for (int32_t i = 0; i < policy->column_count; i++) {
        const tacit_policy_column *column = &policy->columns[i];
        tacit_replace fate = engine_fate(column);
        if (fate == TACIT_REPLACE_SCRUB)
            promise->scrubbed[promise->promise.scrubbed_count++] = column->name;
        else if (fate != TACIT_REPLACE_KEEP && column->role != TACIT_ROLE_QUASI)
            promise->identifiers[count++] = (tacit_promise_identifier){
                column->name, fate != TACIT_REPLACE_DROP, fate == TACIT_REPLACE_ROW_PSEUDONYM};
    }
    promise->promise.identifiers = promise->identifiers;
    promise->promise.identifier_count = count;
    return TACIT_OK;
}

/* Models of the columns in the policy's order, then those of the population. */
static tacit_status add_models(engine_promise *promise, const tacit_policy *policy,
                               tacit_error *err)
{
    size_t most = (size_t)policy->population_model_count;
    for (int32_t i = 0; i < policy->column_count; i++)
        most += (size_t)policy->columns[i].model_count;
    promise->models = tacit__alloc_zeroed(most + 1, sizeof *promise->models);
    if (!promise->models)
        return tacit__nomem(err);
    int32_t count = 0;
    for (int32_t i = 0; i < policy->column_count; i++) {
        const tacit_policy_column *column = &policy->columns[i];
        for (int32_t j = 0; j < column->model_count; j++) {
            bool tree = column->models[j].kind == TACIT_MODEL_CLOSENESS_TREE;
            promise->models[count++] = (tacit_promise_model){column->models[j], column->name,
                                                             tree ? &column->hierarchy : NULL,
                                                             tacit_policy_spread(column)};
        }
    }
    for (int32_t i = 0; i < policy->population_model_count; i++) {
        tacit_model_bound bound = tacit_policy_population_model(policy, i);
        bool estimated = bound.kind == TACIT_MODEL_MAP_ESTIMATED;
        promise->models[count++] = (tacit_promise_model){
            .bound = bound, .column = estimated ? policy->sampling_weight : NULL};
    }
    promise->promise.models = promise->models;
    promise->promise.model_count = count;
    return TACIT_OK;
}

static tacit_status add_items(engine_promise *promise, const tacit_policy *policy, tacit_error *err)
{
    if (!policy->km)
        return TACIT_OK;
    promise->items = tacit__alloc_zeroed((size_t)policy->column_count + 1, sizeof *promise->items);
    if (!promise->items)
        return tacit__nomem(err);
    for (int32_t i = 0; i < policy->column_count; i++)
        if (policy->columns[i].items)
            promise->items[promise->promise.items_count++] = (tacit_promise_items){
                policy->columns[i].name, policy->columns[i].items, &policy->columns[i].hierarchy};
    promise->promise.items = promise->items;
    promise->promise.km = (int)policy->km;
    return TACIT_OK;
}

static tacit_status add_hidden(engine_promise *promise, const tacit_policy *policy,
                               tacit_error *err)
{
    int32_t count = policy->blanks.hide_count, names = 0;
    for (int32_t i = 0; i < count; i++)
        names += policy->blanks.hide[i].left.count;
    promise->hidden = tacit__alloc_zeroed((size_t)count + 1, sizeof *promise->hidden);
    promise->hidden_names = tacit__alloc_zeroed((size_t)names + 1, sizeof *promise->hidden_names);
    if (!promise->hidden || !promise->hidden_names)
        return tacit__nomem(err);
    names = 0;
    for (int32_t i = 0; i < count; i++) {
        const tacit_policy_dependency *asked = &policy->blanks.hide[i];
        promise->hidden[i] = (tacit_promise_dependency){
            promise->hidden_names + names, asked->left.count, policy->columns[asked->right].name};
        for (int32_t j = 0; j < asked->left.count; j++)
            promise->hidden_names[names++] = policy->columns[asked->left.columns[j]].name;
    }
    promise->promise.hidden = promise->hidden;
    promise->promise.hidden_count = count;
    return TACIT_OK;
}

/* What ambiguation promises instead of classes of k, and beside it. */
static tacit_status add_ambiguity(engine_promise *promise, const tacit_policy *policy,
                                  tacit_error *err)
{
    const tacit_method *method = policy->method ? tacit_method_find(policy->method) : NULL;
    const tacit_policy_blanks *asked = &policy->blanks;
    if (!method || !(method->features & TACIT_METHOD_AMBIGUATES))
        return TACIT_OK;
    promise->promise.ambiguous = !asked->strict;
    promise->promise.both_ways = !asked->strict && !policy->as_published;
    promise->promise.mean_alpha = asked->mean;
    promise->promise.resists_minimality = asked->redundant || policy->resist;
    promise->promise.max_row_blanks =
        asked->max_row <= TACIT_MAX_QUASI ? (int32_t)asked->max_row : TACIT_MAX_QUASI;
    promise->promise.most_column_blanks = asked->max_column;
    return add_hidden(promise, policy, err);
}

tacit_status engine_promise_init(engine_promise *promise, const tacit_policy *policy, int64_t k,
                                 tacit_error *err)
{
    memset(promise, 0, sizeof *promise);
    promise->promise.k = k;
    promise->promise.person = policy->person;
    promise->promise.household = policy->household;
    promise->promise.risks = policy->risks;
    promise->promise.rows_are_people = policy->rows_are_people;
    promise->promise.suppressed_dropped = policy->drop_suppressed;
    promise->promise.spreadsheet_safe = policy->spreadsheet_safe;
    add_attributes(promise, policy);
    tacit_status status = add_sets(promise, policy, err);
    if (status == TACIT_OK)
        status = add_of_household(promise, policy, err);
    if (status == TACIT_OK)
        status = add_identifiers(promise, policy, err);
    if (status == TACIT_OK)
        status = add_linking(promise, policy, err);
    if (status == TACIT_OK)
        status = add_models(promise, policy, err);
    if (status == TACIT_OK)
        status = add_items(promise, policy, err);
    if (status == TACIT_OK)
        status = add_ambiguity(promise, policy, err);
    if (status != TACIT_OK)
        engine_promise_clear(promise);
    return status;
}

void engine_promise_clear(engine_promise *promise)
{
    tacit__free(promise->sets);
    tacit__free(promise->of_household);
    tacit__free(promise->identifiers);
    tacit__free(promise->scrubbed);
    tacit__free(promise->linking);
    tacit__free(promise->models);
    tacit__free(promise->items);
    tacit__free(promise->hidden);
    tacit__free(promise->hidden_names);
    memset(promise, 0, sizeof *promise);
}

tacit_status engine_released_names(const char ***names, size_t *count, const tacit_policy *policy,
                                   tacit_error *err)
{
    const char **coded = NULL;
    engine_needs list = {0};
    size_t all = 0;
    tacit_status status = tacit_policy_coded(&coded, &all, policy, err);
    for (size_t i = 0; status == TACIT_OK && i < all; i++) {
        const tacit_policy_column *column = tacit_policy_find(policy, tacit_strview_of(coded[i]));
        bool quasi = column && column->role == TACIT_ROLE_QUASI;
        tacit_replace fate = engine_fate(column);
        if (quasi || (fate != TACIT_REPLACE_DROP && fate != TACIT_REPLACE_ROW_PSEUDONYM))
            engine_needs_add(&list, coded[i]);
    }
    tacit_policy_names_free(coded);
    if (status == TACIT_OK)
        status = list_linking(&list, policy, err);
    if (status != TACIT_OK) {
        tacit__free(list.names);
        return status;
    }
    *names = list.names;
    *count = list.count;
    return TACIT_OK;
}

tacit_status engine_changed_names(const char ***names, size_t *count, const tacit_policy *policy,
                                  tacit_error *err)
{
    const char **changed = tacit__alloc(((size_t)policy->column_count + 1) * sizeof *changed);
    if (!changed)
        return tacit__nomem(err);
    *count = 0;
    for (int32_t i = 0; i < policy->column_count; i++) {
        const tacit_policy_column *column = &policy->columns[i];
        bool replaced =
            column->role != TACIT_ROLE_QUASI && engine_fate(column) != TACIT_REPLACE_KEEP;
        if (replaced || column->role == TACIT_ROLE_QUASI || column->items)
            changed[(*count)++] = column->name;
    }
    *names = changed;
    return TACIT_OK;
}

/* The next name by place that is not a dropped identifier's. */
static void next_name(char *name, size_t size, int *place, const tacit_policy *policy)
{
    const tacit_policy_column *column;
    do {
        snprintf(name, size, "V%d", ++*place);
        column = tacit_policy_find(policy, tacit_strview_of(name));
    } while (column && column->role == TACIT_ROLE_IDENTIFIER &&
             engine_fate(column) == TACIT_REPLACE_DROP);
}

bool engine_names_by_place(engine_names *names, int32_t count, const tacit_policy *policy)
{
    enum { LONGEST = 16 };
    names->texts = tacit__alloc((size_t)count * LONGEST);
    names->views = tacit__alloc((size_t)count * sizeof *names->views);
    if (!names->texts || !names->views)
        return false;
    int place = 0;
    for (int32_t i = 0; i < count; i++) {
        char *name = names->texts + (size_t)i * LONGEST;
        next_name(name, LONGEST, &place, policy);
        names->views[i] = tacit_strview_of(name);
    }
    return true;
}

void engine_names_clear(engine_names *names)
{
    tacit__free(names->texts);
    tacit__free(names->views);
}

/* ---- the population ---- */

/* A CSV file with every quasi-identifying column under its name in the data, whatever else it has.
 * Only those are coded. */
tacit_status engine_population_read(engine_population *population, const tacit_policy *policy,
                                    const engine_promise *promise, engine_session *session)
{
    if (!policy->population || policy->population_model_count == 0)
        return TACIT_OK;
    const char *names[TACIT_MAX_QUASI];
    int32_t count = promise->promise.attribute_count;
    for (int32_t i = 0; i < count; i++)
        names[i] = promise->attributes[i].name;
    tacit_csv_options options;
    engine_csv_options(&options, session);
    options.coded = names;
    options.coded_count = (size_t)count;
    options.let_go = true;
    tacit_status status = tacit_table_read(&population->people, policy->population, &options,
                                           &session->run, &session->error);
    if (status == TACIT_INVALID)
        engine_append(session->error.message, sizeof session->error.message,
                      "; a population needs every quasi-identifying column");
    for (int32_t i = 0; i < count && status == TACIT_OK; i++)
        population->columns[i] = tacit_table_find(population->people, tacit_strview_of(names[i]));
    return status;
}

tacit_status engine_population_bind(engine_population *population, const engine_promise *promise,
                                    engine_session *session)
{
    tacit_status status = TACIT_OK;
    int32_t count = population->people ? promise->promise.attribute_count : 0;
    for (int32_t i = 0; i < count && status == TACIT_OK; i++)
        status = tacit_hierarchy_new(&population->hierarchies[i], promise->attributes[i].hierarchy,
                                     population->people, population->columns[i], &session->error);
    return status;
}

void engine_population_clear(engine_population *population)
{
    for (int32_t i = 0; i < TACIT_MAX_QUASI; i++)
        tacit_hierarchy_free(population->hierarchies[i]);
    tacit_table_free(population->people);
    *population = (engine_population){0};
}
