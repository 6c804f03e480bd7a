/*
 * ask.h - mu-argus as the policy wants it: which variant, and with "ask" whoever the caller asks.
 */
#ifndef TACIT_ENGINE_RECORDS_ASK_H
#define TACIT_ENGINE_RECORDS_ASK_H

#include "engine/job/session.h"

typedef struct engine_ask {
    tacit_argus argus; /* for the options of the method */
    engine_session *session;
    int round; /* that was asked last */
} engine_ask;

/* Fills in what policy and settings say; the ask must stay where it is. "ask" needs the method
 * mu-argus and somebody who answers; answers from standard input leave none for the data. */
tacit_status engine_ask_init(engine_ask *ask, engine_session *session, const tacit_policy *policy,
                             const tacit_method *method, const char *data);

#endif
