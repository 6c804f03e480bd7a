/*
 * sparse.h - a file that lists cells of a two-dimensional table, however large that is.
 */
#ifndef TACIT_ENGINE_TABLES_SPARSE_H
#define TACIT_ENGINE_TABLES_SPARSE_H

#include "engine/job/session.h"

typedef struct engine_sparse {
    tacit_flat_spec spec;
    char row[256], column[256]; /* names of the two dimensions */
    tacit_table *table;         /* for names */
    tacit_flat_table *flat;
} engine_sparse;

/* Reads the options (--dim twice, --value, --negative, --rest) and the file. The sparse table must
 * stay where it is. */
tacit_status engine_sparse_read(engine_sparse *sparse, const char *file, engine_session *session);
/* The size of the table and how many of its cells are listed: `table`. */
void engine_sparse_facts(tacit_report *report, const engine_sparse *sparse);
void engine_sparse_clear(engine_sparse *sparse);

#endif
