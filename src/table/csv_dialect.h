/*
 * csv_dialect.h - how a file is written: byte order mark, delimiter, line ends,
 * and the names of its columns.
 */
#ifndef TACIT_SRC_TABLE_CSV_DIALECT_H
#define TACIT_SRC_TABLE_CSV_DIALECT_H

#include "table/table.h"

/* Fills in delimiter, header_start, data_start, crlf and the columns' names of
 * a table that has its bytes. */
tacit_status tacit__csv_dialect(tacit_table *table, const tacit_csv_options *options,
                                size_t max_field, tacit_error *err);

#endif
