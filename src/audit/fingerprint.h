/*
 * fingerprint.h - what a row carries along, in 64 bits.
 *
 * In a shuffled release the original's rows lie anywhere in its file. Reading
 * each again would wait for memory at every row and keep two files in memory, so
 * the original is read once from end to end and remembered by fingerprints; a
 * row of the release is compared with its fingerprint, and only where the two
 * differ are the cells themselves.
 */
#ifndef TACIT_SRC_AUDIT_FINGERPRINT_H
#define TACIT_SRC_AUDIT_FINGERPRINT_H

#include <tacit/table.h>

/* Columns that stand side by side in both files, so that they are hashed in one
 * piece, delimiters included. */
typedef struct tacit__run_of_columns {
    int32_t here, there; /* the first, in the release and in the original */
    int32_t count;
} tacit__run_of_columns;

/* The fingerprint of a row's raw cells, of the release (here) or the original.
 * Cells that say the same but are quoted otherwise have different ones. */
uint64_t tacit__fingerprint(const tacit_strview *cells, const tacit__run_of_columns *runs,
                            int32_t count, bool here);

/* Lets go of the pages behind rows [from, to) of a table that is read from end to
 * end. */
void tacit__let_go_rows(const tacit_table *table, int64_t from, int64_t to);

#endif
