/*
 * dims.h - the dimensions of a statistical table, as command lines name them.
 */
#ifndef TACIT_CLI_DIMS_H
#define TACIT_CLI_DIMS_H

#include <tacit.h>

#include "options.h"

enum { CLI_DIM_NAME = 256 };

typedef struct cli_dims {
    tacit_dimension_spec list[TACIT_MAX_DIMENSIONS];
    int32_t count;
    char names[TACIT_MAX_DIMENSIONS][CLI_DIM_NAME];
    const char *files[TACIT_MAX_DIMENSIONS][TACIT_MAX_TREES];
} cli_dims;

/* Reads every --dim COLUMN[=FILE], a further file for the same column being a further tree of
 * it, and --total. Points into itself and the arguments. */
tacit_status cli_dims_init(cli_dims *dims, const cli_arguments *arguments, tacit_error *err);

/* Number of the dimension that a text of some length names; -1: none. */
int32_t cli_dims_find(const cli_dims *dims, const char *name, size_t len);

/* Whether a file is a .jj, by its name. */
bool cli_is_jj(const char *path);

#endif
