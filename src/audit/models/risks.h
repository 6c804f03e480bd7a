/*
 * risks.h - the share of unique people, as the judge estimates it.
 */
#ifndef TACIT_AUDIT_MODELS_RISKS_H
#define TACIT_AUDIT_MODELS_RISKS_H

#include "audit/judge/judge.h"

/* Share of a population that is unique in it, from the sizes of a sample's classes; NAN where the
 * model does not fit. `by` is the model it comes from, NONE where nothing had to be estimated. */
tacit_status tacit__risks_unique(double *share, tacit_uniqueness_model *by, const uint32_t *sizes,
                                 int64_t count, const tacit_risk_bounds *bounds, tacit_error *err);

#endif
