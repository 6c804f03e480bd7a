/*
 * masked_verdict.h - the judge's verdict on a masked table: a refusal, sentences and an account.
 * Names of columns and figures, never values.
 */
#ifndef TACIT_ENGINE_MASKING_MASKED_VERDICT_H
#define TACIT_ENGINE_MASKING_MASKED_VERDICT_H

#include <tacit/experimental.h>

/* TACIT_OK where the verdict holds; else TACIT_INFEASIBLE, with what was found first. */
tacit_status engine_masked_refuse(tacit_error *err, const tacit_masked_verdict *verdict,
                                  const tacit_masked_case *masked);

/* What a claim says, and what was measured: "sums of income are as they were in each region". Cut
 * to size, returns buffer. */
const char *engine_masked_sentence(char *buffer, size_t size, const tacit_masked_verdict *verdict,
                                   const tacit_masked_case *masked, size_t claim);

/* A sentence for each claim, in their order, to a function. */
typedef void (*engine_sentence_fn)(void *payload, const char *sentence, bool holds);
void engine_masked_sentences(const tacit_masked_verdict *verdict, const tacit_masked_case *masked,
                             engine_sentence_fn each, void *payload);

/* Into the account: "claims", a list of what each step says it has kept and what was measured; and
 * "masked_judge", an object with cells that were compared and changed, and findings. Steps, rows
 * and claims count from 1. */
void engine_masked_account(tacit_account *account, const tacit_masked_verdict *verdict,
                           const tacit_masked_case *masked);

#endif
