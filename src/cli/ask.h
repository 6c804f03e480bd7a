/*
 * ask.h - the person in front of mu-argus: shows what stands out and asks which column to
 * generalize.
 */
#ifndef TACIT_CLI_ASK_H
#define TACIT_CLI_ASK_H

#include <tacit/experimental/argus.h>

#include "terminal.h"

typedef struct cli_ask {
    cli_terminal *terminal;
    int round; /* that was asked last */
} cli_ask;

/* A tacit_argus_ask_fn; the payload is a cli_ask. */
tacit_status cli_ask_person(int32_t *answer, const tacit_argus_round *round, void *payload,
                            tacit_error *err);

#endif
