/*
 * wanted.h - what the policy asks of a method, in the methods' own words.
 */
#ifndef TACIT_ENGINE_RECORDS_WANTED_H
#define TACIT_ENGINE_RECORDS_WANTED_H

#include <tacit/experimental.h>

/* The method of the policy, or the default, once it is known to do what the
 * policy wants: its metric, and models beyond k. */
tacit_status engine_method_of(const tacit_method **out, const tacit_policy *policy,
                              tacit_error *err);

/* Fills in what does not depend on the data. */
tacit_status engine_wanted_init(tacit_records_options *wanted, const tacit_policy *policy,
                                tacit_error *err);

/* Whole rows in a share of them. */
int64_t engine_share_of(double share, int64_t rows);

/* Rows that the policy lets a method suppress. */
int64_t engine_max_suppressed(const tacit_policy *policy, int64_t k, int64_t rows);

/* Whether the policy promises anything beyond k. */
bool engine_has_models(const tacit_policy *policy);

#endif
