/*
 * population.h - the register of people who could be in the data, for the judge
 * and for methods.
 */
#ifndef TACIT_CLI_POPULATION_H
#define TACIT_CLI_POPULATION_H

#include "promise.h"
#include "session.h"

/* Zero-initialized is none. */
typedef struct cli_population {
    tacit_table *people;                           /* NULL: the policy names no register */
    int32_t columns[TACIT_MAX_QUASI];              /* of the register, an attribute each */
    tacit_hierarchy *hierarchies[TACIT_MAX_QUASI]; /* bound to them by cli_population_bind */
} cli_population;

/* Reads the register that the policy names, if something is promised about it: all the judge
 * needs. Linking reads its own (registers.h). */
tacit_status cli_population_read(cli_population *population, const tacit_policy *policy,
                                 const cli_promise *promise, cli_session *session);

/* Binds the attributes' hierarchies to it: what tacit_population_new takes. */
tacit_status cli_population_bind(cli_population *population, const cli_promise *promise,
                                 cli_session *session);
void cli_population_clear(cli_population *population);

#endif
