/*
 * population.h - the register of people who could be in the data, for the judge
 * and for methods.
 */
#ifndef TACIT_ENGINE_RECORDS_POPULATION_H
#define TACIT_ENGINE_RECORDS_POPULATION_H

#include "engine/job/session.h"
#include "engine/records/promise.h"

/* Zero-initialized is none. */
typedef struct engine_population {
    tacit_table *people;                           /* NULL: the policy names no register */
    int32_t columns[TACIT_MAX_QUASI];              /* of the register, an attribute each */
    tacit_hierarchy *hierarchies[TACIT_MAX_QUASI]; /* bound to them by engine_population_bind */
} engine_population;

/* Reads the register that the policy names, if something is promised about it: all the judge
 * needs. Linking reads its own (engine/attacks/registers.h). */
tacit_status engine_population_read(engine_population *population, const tacit_policy *policy,
                                    const engine_promise *promise, engine_session *session);

/* Binds the attributes' hierarchies to it: what tacit_population_new takes. */
tacit_status engine_population_bind(engine_population *population, const engine_promise *promise,
                                    engine_session *session);
void engine_population_clear(engine_population *population);

#endif
