/*
 * blanks.h - what the policy asks of ambiguation, in the method's words, and what was
 * found: the part of `tacit anonymize` that is about suppressed cells alone.
 */
#ifndef TACIT_CLI_BLANKS_H
#define TACIT_CLI_BLANKS_H

#include "promise.h"
#include "session.h"

typedef struct cli_blanks {
    tacit_ambiguate how; /* points into the rest */
    tacit_ambiguity found;
    tacit_blank_cost *costs;
    tacit_hidden *hidden;
} cli_blanks;

/* Refuses keys that are about ambiguation where `what` is something else. */
tacit_status cli_blanks_refuse(const tacit_policy *policy, const char *what,
                               const cli_session *session, tacit_error *err);

/* Refuses them where the policy's method is another, so that no promise is passed over. */
tacit_status cli_blanks_check(const tacit_policy *policy, const cli_session *session,
                              tacit_error *err);

/* Fills in what does not depend on the data; refuses keys that are about ambiguation
 * where the method is another. blanks must stay where it is. */
tacit_status cli_blanks_init(cli_blanks *blanks, const tacit_policy *policy,
                             const tacit_method *method, const cli_session *session,
                             tacit_error *err);

/* The rest, once the data have been read: costs of values, and columns of dependencies. */
tacit_status cli_blanks_bind(cli_blanks *blanks, const tacit_policy *policy,
                             const cli_promise *promise, const tacit_table *table,
                             cli_session *session);
void cli_blanks_clear(cli_blanks *blanks);

#endif
