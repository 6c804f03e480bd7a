/*
 * csv_guard.h - cells that a spreadsheet may run, made harmless as a file is read.
 */
#ifndef TACIT_SRC_TABLE_CSV_GUARD_H
#define TACIT_SRC_TABLE_CSV_GUARD_H

#include "table/table.h"

/* Puts an apostrophe before every formula below the header, but in columns that options leave as
 * they are. The input is another one then, in memory. *delimiter is the one that it was cut by. */
tacit_status tacit__csv_guard(tacit__input *input, char *delimiter, const char *name,
                              const tacit_csv_options *options, size_t max_field, tacit_error *err);

#endif
