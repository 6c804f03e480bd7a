/*
 * population.h - the register counted on given levels, for whoever asks about
 * many boxes of the same levels.
 */
#ifndef TACIT_RECORDS_POPULATION_POPULATION_H
#define TACIT_RECORDS_POPULATION_POPULATION_H

#include <tacit/experimental/records.h>

/* The register's people on the levels of one node. */
typedef struct tacit__population_people tacit__population_people;

/* Counts them, or finds them counted. Nobody else is let in until the population
 * is closed again, which it need not be after a failure. */
tacit_status tacit__population_open(const tacit__population_people **out,
                                    tacit_population *population, const uint8_t *levels,
                                    const tacit_run *run, tacit_error *err);
void tacit__population_close(tacit_population *population);

/* How many of them have these values, numbered as the data's hierarchies number
 * them on those levels. */
int64_t tacit__people_under(const tacit__population_people *people, const uint32_t *numbers);

/* Rows of the whole register. */
int64_t tacit__population_rows(const tacit_population *population);

#endif
