/*
 * csv_code.h - from indexed fields to codes and digests.
 */
#ifndef TACIT_SRC_TABLE_CSV_CODE_H
#define TACIT_SRC_TABLE_CSV_CODE_H

#include "table/csv_index.h"

/* The coding of a table's columns that are marked as coded or digested. Workers
 * code stretches side by side; each has dictionaries of its own. */
typedef struct tacit__coding tacit__coding;

tacit_status tacit__coding_new(tacit__coding **out, tacit_table *table, int workers,
                               tacit_error *err);
void tacit__coding_free(tacit__coding *coding);

/* Learns from one stretch how wide codes will probably be. */
tacit_status tacit__coding_learn(tacit__coding *coding, const tacit__table_stretch *stretch,
                                 const tacit__csv_index *index, tacit_error *err);

/* Makes room for the codes of all rows. */
tacit_status tacit__coding_begin(tacit__coding *coding, tacit_error *err);

/* Codes a stretch that is well formed. */
tacit_status tacit__coding_stretch(tacit__coding *coding, tacit__table_stretch *stretch,
                                   const tacit__csv_index *index, int worker, tacit_error *err);

/* Frees what a stretch keeps for the coding. */
void tacit__coding_forget(const tacit__coding *coding, tacit__table_stretch *stretch);

/* Merges the dictionaries and hands codes and values over to the table. */
tacit_status tacit__coding_finish(tacit__coding *coding, tacit__table_stretch *stretches,
                                  int64_t count, const tacit_run *run, tacit_error *err);

#endif
