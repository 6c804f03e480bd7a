/*
 * advice.h - the one change to a policy that would keep most more detail.
 */
#ifndef TACIT_ENGINE_RECORDS_ADVICE_H
#define TACIT_ENGINE_RECORDS_ADVICE_H

#include <tacit/experimental/facts.h>

struct engine_release;

/* Zero-initialized is none. */
typedef struct engine_advice {
    const char *change; /* "method", "loss", "hierarchy"; NULL: none */
    const char *column; /* that needs a hierarchy */
    double value;       /* Prec with the change, on the rows that were looked at */
    double now;         /* of the release; with a hierarchy, of these rows without it */
    int64_t rows;       /* that were looked at */
} engine_advice;

/* Looks for it, once the release has been measured. */
tacit_status engine_advice_find(struct engine_release *release);

/* Nothing where there is none. */
void engine_advice_facts(tacit_report *report, const struct engine_release *release);

#endif
