/*
 * dims.h - the dimensions of a statistical table, as command lines name them.
 */
#ifndef TACIT_ENGINE_TABLES_DIMS_H
#define TACIT_ENGINE_TABLES_DIMS_H

#include <tacit/experimental.h>

#include "engine/job/settings.h"

enum { ENGINE_DIM_NAME = 256 };

typedef struct engine_dims {
    tacit_dimension_spec list[TACIT_MAX_DIMENSIONS];
    int32_t count;
    char names[TACIT_MAX_DIMENSIONS][ENGINE_DIM_NAME];
    const char *files[TACIT_MAX_DIMENSIONS][TACIT_MAX_TREES];
} engine_dims;

/* Reads every --dim COLUMN[=FILE], a further file for the same column being a further tree of
 * it, and --total. Points into itself and the settings. */
tacit_status engine_dims_init(engine_dims *dims, const engine_settings *settings, tacit_error *err);

/* Number of the dimension that a text of some length names; -1: none. */
int32_t engine_dims_find(const engine_dims *dims, const char *name, size_t len);

/* Whether a file is a .jj, by its name. */
bool engine_is_jj(const char *path);

#endif
