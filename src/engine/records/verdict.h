/*
 * verdict.h - the judge's verdict in words, and in an account.
 */
#ifndef TACIT_ENGINE_RECORDS_VERDICT_H
#define TACIT_ENGINE_RECORDS_VERDICT_H

#include <stdio.h>

#include "engine/records/promise.h"

/* People in the smallest class of any quasi-identifier; 0 where there is none. */
int64_t engine_verdict_smallest(const tacit_verdict *verdict);

/* One sentence; cut to size, returns buffer. */
const char *engine_verdict_sentence(char *buffer, size_t size, const tacit_verdict *verdict,
                                    const tacit_promise *promise);

/* What kind of thing a finding is: "k", "value", "rows". */
const char *engine_finding_name(tacit_finding_kind kind);

/* Into the account's object "judge". */
void engine_verdict_account(tacit_account *account, const tacit_verdict *verdict);

/* Tables of what is promised beyond k, and of ambiguity, where anything is. */
void engine_verdict_models(tacit_page *page, const tacit_verdict *verdict);

#endif
