/*
 * wanted.c - from a policy to the options of a method. Names of methods,
 * metrics and preferences are the library's, so it is asked for them.
 */
#include "engine/records/wanted.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "engine/job/print.h"

static const char DEFAULT_METHOD[] = "mingen";

static const char *const PREFERENCES[] = {
    [TACIT_PREFER_LEVELS] = "levels",
    [TACIT_PREFER_DISTINCT] = "distinct",
    [TACIT_PREFER_ORDER] = "order",
};

/* Names with commas between them. */
typedef struct names {
    char text[256];
} names;

bool engine_has_models(const tacit_policy *policy)
{
    bool any = policy->population_model_count > 0 || tacit_risk_bounds_any(&policy->risks);
    for (int32_t i = 0; i < policy->column_count; i++)
        any |= policy->columns[i].model_count > 0;
    return any;
}

static tacit_status unknown_method(const char *name, tacit_error *err)
{
    names known = {""};
    for (const tacit_method *const *each = tacit_methods(); *each; each++)
        engine_append_name(known.text, sizeof known.text, (*each)->name);
    return tacit__error(err, TACIT_INVALID,
                        "unknown method \"%.40s\"; there is %s, and every technique", name,
                        known.text);
}

/* The methods that have a feature. */
static names able_to(unsigned feature)
{
    names able = {""};
    for (const tacit_method *const *each = tacit_methods(); *each; each++)
        if ((*each)->features & feature)
            engine_append_name(able.text, sizeof able.text, (*each)->name);
    return able;
}

static tacit_status cannot_resist(const tacit_method *method, tacit_error *err)
{
    return tacit__error(
        err, TACIT_INVALID,
        "the method %s cannot withstand an adversary who knows it (minimality: resist); %s can",
        method->name, able_to(TACIT_METHOD_RESISTS).text);
}

static tacit_status cannot_bound(tacit_error *err)
{
    return tacit__error(err, TACIT_INVALID,
                        "minimality: resist cannot be promised with average-risk or "
                        "population-uniqueness, which depend on all rows: take a larger k in "
                        "their place (1 / average-risk keeps that)");
}

static tacit_status lacks_models(const tacit_method *method, tacit_error *err)
{
    return tacit__error(err, TACIT_INVALID,
                        "the method %s keeps k and nothing beyond it; what the policy promises of "
                        "sensitive values, of a population or of the release as a whole needs %s",
                        method->name, able_to(TACIT_METHOD_MODELS).text);
}

static tacit_status find_metric(tacit_metric *out, const char *name, tacit_error *err)
{
    names known = {""};
    tacit_metric metric = name ? tacit_metric_find(name) : TACIT_METRIC_PREC;
    for (tacit_metric m = 0; m < tacit_metric_count(); m++)
        engine_append_name(known.text, sizeof known.text, tacit_metric_name(m));
    if (metric == tacit_metric_count())
        return tacit__error(err, TACIT_INVALID, "unknown metric \"%.40s\"; there is %s", name,
                            known.text);
    *out = metric;
    return TACIT_OK;
}

/* A method that goes by no metric is measured by any. */
static tacit_status check_metric(const tacit_method *method, const char *name, tacit_error *err)
{
    tacit_metric metric;
    names known = {""};
    tacit_status status = find_metric(&metric, name, err);
    if (status != TACIT_OK || !method->metrics || (method->metrics & 1u << metric))
        return status;
    for (tacit_metric m = 0; m < tacit_metric_count(); m++)
        if (method->metrics & 1u << m)
            engine_append_name(known.text, sizeof known.text, tacit_metric_name(m));
    return tacit__error(err, TACIT_INVALID, "the method %s cannot optimize %s; it can optimize %s",
                        method->name, tacit_metric_name(metric), known.text);
}

tacit_status engine_method_of(const tacit_method **out, const tacit_policy *policy,
                              tacit_error *err)
{
    const char *name = !tacit_policy_generalizes(policy) ? "none"
                       : policy->method                  ? policy->method
                                                         : DEFAULT_METHOD;
    const tacit_method *method = tacit_method_find(name);
    if (!method)
        return unknown_method(name, err);
    if (engine_has_models(policy) && !(method->features & TACIT_METHOD_MODELS))
        return lacks_models(method, err);
    if (policy->resist && !(method->features & TACIT_METHOD_RESISTS))
        return cannot_resist(method, err);
    if (policy->resist && tacit_risk_bounds_any(&policy->risks))
        return cannot_bound(err);
    tacit_status status = check_metric(method, policy->metric, err);
    if (status == TACIT_OK)
        *out = method;
    return status;
}

static tacit_status find_preference(tacit_preference *out, const char *name, tacit_error *err)
{
    for (size_t i = 0; i < sizeof PREFERENCES / sizeof PREFERENCES[0]; i++)
        if (strcmp(name, PREFERENCES[i]) == 0) {
            *out = (tacit_preference)i;
            return TACIT_OK;
        }
    return tacit__error(err, TACIT_INVALID, "prefer is levels, distinct or order, not \"%.40s\"",
                        name);
}

tacit_status engine_wanted_init(tacit_records_options *wanted, const tacit_policy *policy,
                                tacit_error *err)
{
    *wanted = (tacit_records_options){
        .complement_largest = policy->complement_largest,
        .drop_suppressed = policy->drop_suppressed,
        .all_minimal = policy->all_minimal,
        .resist_minimality = policy->resist,
    };
    tacit_status status = find_metric(&wanted->metric, policy->metric, err);
    if (status == TACIT_OK && policy->prefer)
        status = find_preference(&wanted->prefer, policy->prefer, err);
    return status;
}

int64_t engine_share_of(double share, int64_t rows)
{
    return (int64_t)floor(share * (double)rows + 1e-9);
}

int64_t engine_max_suppressed(const tacit_policy *policy, int64_t k, int64_t rows)
{
    return policy->has_loss ? engine_share_of(policy->loss, rows) : k;
}
