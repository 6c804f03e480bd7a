/*
 * model.c - names and ranges of the models: what every room that reads, keeps or
 * judges a model has to agree on.
 */
#include <math.h>
#include <stdio.h>

#include "base/model.h"

static const char *const NAMES[TACIT_MODELS] = {
    [TACIT_MODEL_DISTINCT] = "distinct",
    [TACIT_MODEL_ENTROPY] = "entropy",
    [TACIT_MODEL_RECURSIVE] = "recursive",
    [TACIT_MODEL_ALPHA] = "alpha",
    [TACIT_MODEL_CLOSENESS] = "closeness",
    [TACIT_MODEL_CLOSENESS_TREE] = "closeness-tree",
    [TACIT_MODEL_CLOSENESS_ORDER] = "closeness-order",
    [TACIT_MODEL_LIKENESS] = "likeness",
    [TACIT_MODEL_LIKENESS_ENHANCED] = "likeness-enhanced",
    [TACIT_MODEL_DISCLOSURE] = "disclosure",
    [TACIT_MODEL_RANGE] = "range",
    [TACIT_MODEL_PRESENCE] = "presence",
    [TACIT_MODEL_MAP] = "k-map",
    [TACIT_MODEL_MAP_ESTIMATED] = "k-map-estimated",
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

static bool is_positive(double value)
{
    return value > 0 && isfinite(value);
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
        if (!is_positive(second))
            return "expected a c above 0";
        return is_whole(bound, 2) ? NULL : "expected a whole number l of 2 or more";
    case TACIT_MODEL_ALPHA:
        return bound > 0 && bound <= 1 ? NULL : "expected a share above 0 and at most 1";
    case TACIT_MODEL_CLOSENESS:
    case TACIT_MODEL_CLOSENESS_TREE:
    case TACIT_MODEL_CLOSENESS_ORDER:
        return is_share(bound) ? NULL : "expected a distance from 0 to 1";
    case TACIT_MODEL_LIKENESS:
    case TACIT_MODEL_LIKENESS_ENHANCED:
    case TACIT_MODEL_DISCLOSURE: return is_positive(bound) ? NULL : "expected a number above 0";
    case TACIT_MODEL_RANGE: return is_positive(bound) ? NULL : "expected a distance above 0";
    case TACIT_MODEL_PRESENCE:
        return is_share(bound) && is_share(second) && second <= bound && bound > 0
                   ? NULL
                   : "expected shares from 0 to 1, the first not above the second";
    case TACIT_MODEL_MAP:
    case TACIT_MODEL_MAP_ESTIMATED:
        return is_whole(bound, 1) ? NULL : "expected a whole number of people, 1 or more";
    }
    return "there is no such model";
}

const char *tacit_uniqueness_name(tacit_uniqueness_model model)
{
    static const char *const names[TACIT_UNIQUENESS_MODELS] = {"none", "pitman", "zayatz", "snb",
                                                               "dankar"};
    return (unsigned)model < TACIT_UNIQUENESS_MODELS ? names[model] : "unknown";
}

const char *tacit__risk_problem(const tacit_risk_bounds *bounds)
{
    if (!is_share(bounds->average))
        return "expected an average risk above 0 and at most 1";
    if ((unsigned)bounds->model >= TACIT_UNIQUENESS_MODELS)
        return "there is no such model of uniqueness";
    if (bounds->model == TACIT_UNIQUENESS_NONE)
        return NULL;
    if (!is_share(bounds->unique))
        return "expected a share of unique people from 0 to 1";
    return bounds->fraction > 0 && bounds->fraction <= 1
               ? NULL
               : "expected a sampling fraction above 0 and at most 1";
}
