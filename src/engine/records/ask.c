/*
 * ask.c - hands the questions of mu-argus on to the caller. The time that an answer takes is not
 * the job's.
 */
#include "engine/records/ask.h"

#include <string.h>

#include "base/error.h"

static tacit_status ask(int32_t *answer, const tacit_argus_round *round, void *payload,
                        tacit_error *err)
{
    engine_session *session = ((engine_ask *)payload)->session;
    double before = engine_now();
    tacit_status status = session->ask(answer, round, session->ask_payload, err);
    session->start += engine_now() - before;
    return status;
}

tacit_status engine_ask_init(engine_ask *a, engine_session *session, const tacit_policy *policy,
                             const tacit_method *method, const char *data)
{
    *a = (engine_ask){.session = session};
    if (policy->as_published)
        a->argus.variant = TACIT_ARGUS_PUBLISHED;
    else if (policy->as_described)
        a->argus.variant = TACIT_ARGUS_DESCRIBED;
    if (!engine_has(session->settings, "ask"))
        return TACIT_OK;
    if (strcmp(method->name, "mu-argus") != 0)
        return tacit__error(&session->error, TACIT_INVALID,
                            "--ask is for the method mu-argus; %s has nothing to ask",
                            method->name);
    if (strcmp(data, "-") == 0)
        return tacit__error(&session->error, TACIT_INVALID,
                            "--ask reads answers from standard input, which cannot be the data as "
                            "well; give the data as a file");
    if (!session->ask)
        return tacit__error(&session->error, TACIT_INVALID,
                            "--ask needs somebody who answers: see tacit_job_on_question()");
    a->argus.ask = ask;
    a->argus.payload = a;
    return TACIT_OK;
}
