/*
 * model.h - what a model's parameters may be. Nothing here decides whether a
 * class keeps a model: methods and judge do that, each in its own way.
 */
#ifndef TACIT_SRC_BASE_MODEL_H
#define TACIT_SRC_BASE_MODEL_H

#include <tacit/experimental/model.h>

/* Whether the model speaks of the population, not of a sensitive column. */
bool tacit__model_of_population(tacit_model_kind kind);

/* What is wrong with a model's parameters, or NULL where nothing is. */
const char *tacit__model_problem(const tacit_model_bound *model);

/* What is wrong with what is promised of a release as a whole, or NULL. */
const char *tacit__risk_problem(const tacit_risk_bounds *bounds);

#endif
