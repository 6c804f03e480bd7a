/*
 * population.c - reads the register: a CSV file with every quasi-identifying
 * column under its name in the data, whatever else it has. Only those are coded.
 */
#include "engine/records/population.h"

#include <stdio.h>
#include <string.h>

/* Says what a register has to have, where a column was not found in it. */
static void explain(tacit_error *err)
{
    size_t used = strlen(err->message);
    snprintf(err->message + used, sizeof err->message - used,
             "; a population needs every quasi-identifying column");
}

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
        explain(&session->error);
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
