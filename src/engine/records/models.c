/*
 * models.c - from the models of a policy to those of a frame: names of columns
 * become columns of the table, and trees are bound to them.
 */
#include "engine/records/models.h"
#include "base/alloc.h"

#include <stdlib.h>

#include "base/error.h"

static int32_t count_models(const tacit_policy *policy)
{
    int32_t count = policy->population_model_count;
    for (int32_t i = 0; i < policy->column_count; i++)
        count += policy->columns[i].model_count;
    return count;
}

static tacit_status add_column(engine_models *models, const tacit_policy_column *column,
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

static tacit_status add_all(engine_models *models, const tacit_policy *policy,
                            const tacit_table *table, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; status == TACIT_OK && i < policy->column_count; i++)
        status = add_column(models, &policy->columns[i], table, err);
    for (int32_t i = 0; status == TACIT_OK && i < policy->population_model_count; i++)
        models->list[models->count++] =
            (tacit_model){.bound = policy->population_models[i], .column = -1};
    return status;
}

tacit_status engine_models_init(engine_models *models, const tacit_policy *policy,
                                const tacit_table *table, tacit_error *err)
{
    size_t count = (size_t)count_models(policy);
    *models = (engine_models){0};
    if (count == 0)
        return TACIT_OK;
    models->list = tacit__alloc_zeroed(count, sizeof *models->list);
    models->hierarchies = tacit__alloc_zeroed(count, sizeof(tacit_hierarchy *));
    tacit_status status = models->list && models->hierarchies ? add_all(models, policy, table, err)
                                                              : tacit__nomem(err);
    if (status != TACIT_OK)
        engine_models_clear(models);
    return status;
}

void engine_models_clear(engine_models *models)
{
    for (int32_t i = 0; models->hierarchies && i < models->count; i++)
        tacit_hierarchy_free(models->hierarchies[i]);
    tacit__free(models->list);
    tacit__free(models->hierarchies);
    *models = (engine_models){0};
}
