/*
 * nearness.h - which values of a sensitive column are the same to who learns them.
 */
#ifndef TACIT_RECORDS_MODELS_NEARNESS_H
#define TACIT_RECORDS_MODELS_NEARNESS_H

#include <tacit/records.h>

enum { TACIT__GRIDS = 2 };

/* Whether nearness plays a part in a model: it is about how often values occur, and its column
 * has numbers. */
bool tacit__model_is_near(const tacit_model *model, const tacit_table *table);

/* For every code of the column, missing the last, the number of its stretch on one of the grids;
 * `count` is how many there are. The caller frees the map. */
tacit_status tacit__nearness_map(uint32_t **map, uint32_t *count, const tacit_table *table,
                                 const tacit_model *model, int grid, tacit_error *err);

#endif
