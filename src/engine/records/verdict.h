/*
 * verdict.h - the judge's verdict in words, and as facts.
 */
#ifndef TACIT_ENGINE_RECORDS_VERDICT_H
#define TACIT_ENGINE_RECORDS_VERDICT_H

#include <tacit/experimental/facts.h>

#include "engine/records/promise.h"

/* People in the smallest class of any quasi-identifier; 0 where there is none. */
int64_t engine_verdict_smallest(const tacit_verdict *verdict);

/* One sentence; cut to size, returns buffer. */
const char *engine_verdict_sentence(char *buffer, size_t size, const tacit_verdict *verdict,
                                    const tacit_promise *promise);

/* What kind of thing a finding is: "k", "value", "rows". */
const char *engine_finding_name(tacit_finding_kind kind);

/* The verdict under a label, and what the judge has counted: the object "judge". */
void engine_verdict_say(tacit_report *report, const char *label, const tacit_verdict *verdict,
                        const tacit_promise *promise);
void engine_verdict_facts(tacit_report *report, const tacit_verdict *verdict,
                          const tacit_promise *promise);

#endif
