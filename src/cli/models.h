/*
 * models.h - what a policy promises beyond k, bound to the data for a method.
 */
#ifndef TACIT_CLI_MODELS_H
#define TACIT_CLI_MODELS_H

#include <tacit.h>

/* Zero-initialized is none. */
typedef struct cli_models {
    tacit_model *list;
    tacit_hierarchy **hierarchies; /* a model each; NULL where it needs none */
    int32_t count;
} cli_models;

/* The policy must have been checked against the table. */
tacit_status cli_models_init(cli_models *models, const tacit_policy *policy,
                             const tacit_table *table, tacit_error *err);
void cli_models_clear(cli_models *models);

#endif
