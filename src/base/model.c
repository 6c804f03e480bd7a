/*
 * model.c - names and ranges of the models: what every room that reads, keeps or
 * judges a model has to agree on.
 */
#include <math.h>
#include <stdio.h>

#include "base/model.h"

static const char *const NAMES[TACIT_MODELS] = {
    [TACIT_MODEL_DISTINCT] = "distinct",   [TACIT_MODEL_ENTROPY] = "entropy",
    [TACIT_MODEL_RECURSIVE] = "recursive", [TACIT_MODEL_ALPHA] = "alpha",
    [TACIT_MODEL_CLOSENESS] = "closeness", [TACIT_MODEL_CLOSENESS_TREE] = "closeness-tree",
    [TACIT_MODEL_PRESENCE] = "presence",   [TACIT_MODEL_MAP] = "k-map",
};

static bool is_kind(tacit_model_kind kind)
{
    return (unsigned)kind < TACIT_MODELS;
}

const char *tacit_model_name(tacit_model_kind kind)
{
    return is_kind(kind) ? NAMES[kind] : "unknown";
}

const char *tacit_model_text(char *buffer, size_t size, const tacit_model_bound *model)
{
    bool pair = model->kind == TACIT_MODEL_RECURSIVE ||
                (model->kind == TACIT_MODEL_PRESENCE && model->second > 0);
    const char *name = tacit_model_name(model->kind);
    if (pair)
        snprintf(buffer, size, "%s %.10g/%.10g", name, model->second, model->bound);
    else
        snprintf(buffer, size, "%s %.10g", name, model->bound);
    return buffer;
}

bool tacit__model_of_population(tacit_model_kind kind)
{
    return kind == TACIT_MODEL_PRESENCE || kind == TACIT_MODEL_MAP;
}

static bool is_whole(double value, double least)
{
    enum { DIGITS = 18 }; /* what a policy can write */
    return value >= least && value < pow(10, DIGITS) && floor(value) == value;
}

static bool is_share(double value)
{
    return value >= 0 && value <= 1;
}

/* Comparisons are such that a NaN fails them. */
const char *tacit__model_problem(const tacit_model_bound *model)
{
    double bound = model->bound, second = model->second;
    switch (model->kind) {
    case TACIT_MODEL_DISTINCT:
        return is_whole(bound, 1) ? NULL : "expected a whole number of values, 1 or more";
    case TACIT_MODEL_ENTROPY:
        return bound >= 1 && isfinite(bound) ? NULL : "expected a number of 1 or more";
    case TACIT_MODEL_RECURSIVE:
        if (!(second > 0 && isfinite(second)))
            return "expected a c above 0";
        return is_whole(bound, 2) ? NULL : "expected a whole number l of 2 or more";
    case TACIT_MODEL_ALPHA:
        return bound > 0 && bound <= 1 ? NULL : "expected a share above 0 and at most 1";
    case TACIT_MODEL_CLOSENESS:
    case TACIT_MODEL_CLOSENESS_TREE:
        return is_share(bound) ? NULL : "expected a distance from 0 to 1";
    case TACIT_MODEL_PRESENCE:
        return is_share(bound) && is_share(second) && second <= bound && bound > 0
                   ? NULL
                   : "expected shares from 0 to 1, the first not above the second";
    case TACIT_MODEL_MAP:
        return is_whole(bound, 1) ? NULL : "expected a whole number of people, 1 or more";
    }
    return "there is no such model";
}
