/*
 * models.h - what a policy promises beyond k, bound to the data for a method.
 */
#ifndef TACIT_ENGINE_RECORDS_MODELS_H
#define TACIT_ENGINE_RECORDS_MODELS_H

#include <tacit/experimental.h>

/* Zero-initialized is none. */
typedef struct engine_models {
    tacit_model *list;
    tacit_hierarchy **hierarchies; /* a model each; NULL where it needs none */
    int32_t count;
} engine_models;

/* The policy must have been checked against the table. */
tacit_status engine_models_init(engine_models *models, const tacit_policy *policy,
                                const tacit_table *table, tacit_error *err);
void engine_models_clear(engine_models *models);

#endif
