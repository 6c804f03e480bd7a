/*
 * blanks.h - what the policy asks of ambiguation, in the method's words, and what was
 * found: the part of `tacit anonymize` that is about suppressed cells alone.
 */
#ifndef TACIT_ENGINE_RECORDS_BLANKS_H
#define TACIT_ENGINE_RECORDS_BLANKS_H

#include "engine/job/session.h"
#include "engine/records/promise.h"

typedef struct engine_blanks {
    tacit_ambiguate how; /* points into the rest */
    tacit_ambiguity found;
    tacit_blank_cost *costs;
    tacit_hidden *hidden;
} engine_blanks;

/* Refuses keys that are about ambiguation where `what` is something else. */
tacit_status engine_blanks_refuse(const tacit_policy *policy, const char *what,
                                  const engine_session *session, tacit_error *err);

/* Refuses them where the policy's method is another, so that no promise is passed over. */
tacit_status engine_blanks_check(const tacit_policy *policy, const engine_session *session,
                                 tacit_error *err);

/* Fills in what does not depend on the data; refuses keys that are about ambiguation
 * where the method is another. blanks must stay where it is. */
tacit_status engine_blanks_init(engine_blanks *blanks, const tacit_policy *policy,
                                const tacit_method *method, const engine_session *session,
                                tacit_error *err);

/* The rest, once the data have been read: costs of values, and columns of dependencies. */
tacit_status engine_blanks_bind(engine_blanks *blanks, const tacit_policy *policy,
                                const engine_promise *promise, const tacit_table *table,
                                engine_session *session);
void engine_blanks_clear(engine_blanks *blanks);

#endif
