/*
 * sparse.h - a file that lists cells of a two-dimensional table, however large that is.
 */
#ifndef TACIT_CLI_SPARSE_H
#define TACIT_CLI_SPARSE_H

#include "session.h"

typedef struct cli_sparse {
    tacit_flat_spec spec;
    char row[256], column[256]; /* names of the two dimensions */
    tacit_table *table;         /* for names */
    tacit_flat_table *flat;
} cli_sparse;

/* Reads the options (--dim twice, --value, --negative, --rest) and the file. The sparse table must
 * stay where it is. */
tacit_status cli_sparse_read(cli_sparse *sparse, const char *file, cli_session *session);
void cli_sparse_clear(cli_sparse *sparse);

/* `tacit audit --sparse`; its exit status. */
int cli_audit_sparse(const cli_arguments *arguments);

#endif
