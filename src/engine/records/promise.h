/*
 * promise.h - what a policy promises of a release, as the judge takes it. Made
 * from the policy alone, never from what a method did.
 */
#ifndef TACIT_ENGINE_RECORDS_PROMISE_H
#define TACIT_ENGINE_RECORDS_PROMISE_H

#include "engine/job/session.h"

/* Attributes are the quasi-identifying columns in the policy's order. */
typedef struct engine_promise {
    tacit_promise promise; /* points into the rest of the struct and the policy */
    tacit_promise_attribute attributes[TACIT_MAX_QUASI];
    tacit_missing_codes missing[TACIT_MAX_QUASI];
    int32_t columns[TACIT_MAX_QUASI]; /* of the policy, an attribute each */
    uint64_t *sets;                   /* a bit an attribute */
    uint64_t *of_household;           /* the same; NULL: none */
    tacit_promise_identifier *identifiers;
    const char **scrubbed;
    const char **linking;
    tacit_promise_model *models;
    tacit_promise_items *items;
    tacit_promise_dependency *hidden;
    const char **hidden_names; /* of all left sides, one after the other */
} engine_promise;

/* The policy must have been checked, and outlive the promise, which must stay
 * where it is. */
tacit_status engine_promise_init(engine_promise *promise, const tacit_policy *policy, int64_t k,
                                 tacit_error *err);
void engine_promise_clear(engine_promise *promise);

/* The columns to code in a release under the policy: those of the data, but a
 * person column that is dropped or differs in every row, and those that link rows. Borrowed names;
 * free the array with free. */
tacit_status engine_released_names(const char ***names, size_t *count, const tacit_policy *policy,
                                   tacit_error *err);

/* Whether rows are suppressed until k people, or households, share those of each. */
bool engine_keeps_trails(const tacit_policy *policy);

/* What becomes of a column outside the quasi-identifier. column may be NULL. */
tacit_replace engine_fate(const tacit_policy_column *column);

/* The attribute made from a column of the policy, or -1. */
int32_t engine_attribute_of(const engine_promise *promise, const tacit_policy *policy,
                            const tacit_policy_column *column);

/* The columns that are not carried along as they are: what a table need not
 * digest for the judge. Names and array as of tacit_policy_coded. */
tacit_status engine_changed_names(const char ***names, size_t *count, const tacit_policy *policy,
                                  tacit_error *err);

/* Names for the columns of a release without a header: those of the original by
 * their place, without the identifiers that were dropped. Zero-initialized is
 * empty. */
typedef struct engine_names {
    tacit_strview *views;
    char *texts;
} engine_names;

bool engine_names_by_place(engine_names *names, int32_t count, const tacit_policy *policy);
void engine_names_clear(engine_names *names);

/* The register of people who could be in the data, for the judge and for methods.
 * Zero-initialized is none. */
typedef struct engine_population {
    tacit_table *people;                           /* NULL: the policy names no register */
    int32_t columns[TACIT_MAX_QUASI];              /* of the register, an attribute each */
    tacit_hierarchy *hierarchies[TACIT_MAX_QUASI]; /* bound to them by engine_population_bind */
} engine_population;

/* Reads the register that the policy names, if something is promised about it: all the judge
 * needs. Linking reads its own (engine/attacks/registers.h). */
tacit_status engine_population_read(engine_population *population, const tacit_policy *policy,
                                    const engine_promise *promise, engine_session *session);

/* Binds the attributes' hierarchies to it: what tacit_population_new takes. */
tacit_status engine_population_bind(engine_population *population, const engine_promise *promise,
                                    engine_session *session);
void engine_population_clear(engine_population *population);

#endif
