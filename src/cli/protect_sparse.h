/*
 * protect_sparse.h - `tacit protect --sparse`.
 */
#ifndef TACIT_CLI_PROTECT_SPARSE_H
#define TACIT_CLI_PROTECT_SPARSE_H

#include "options.h"

/* The command; its exit status. */
int cli_protect_sparse(const cli_arguments *arguments);

#endif
