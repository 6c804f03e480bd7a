/*
 * names.h - from the data's numbers of values to a register's.
 */
#ifndef TACIT_RECORDS_POPULATION_NAMES_H
#define TACIT_RECORDS_POPULATION_NAMES_H

#include <tacit/records.h>

/* Where the register has nobody of a value. */
#define TACIT__NOBODY UINT32_MAX

/* By attribute, level and the data's number, missing behind the last: the
 * register's number. Zero-initialized is empty. */
typedef struct tacit__name_map {
    uint32_t *numbers[TACIT_MAX_ATTRIBUTES][TACIT_MAX_LEVELS];
    uint32_t *memory; /* that these lie in */
} tacit__name_map;

/* Both frames have the same attributes, each bound to a table of its own. */
tacit_status tacit__name_map_init(tacit__name_map *map, const tacit_frame *data,
                                  const tacit_frame *people, tacit_error *err);
void tacit__name_map_clear(tacit__name_map *map);

#endif
