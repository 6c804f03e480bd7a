/*
 * csv_check.h - CSV one byte at a time: the definition of what is accepted, and
 * the exact place and reason where something is not.
 */
#ifndef TACIT_SRC_TABLE_CSV_CHECK_H
#define TACIT_SRC_TABLE_CSV_CHECK_H

#include "table/table.h"

/* Walks the rows that start in [from, to), from being the start of a row, and
 * reports the first mistake. columns is the number of fields a row must have. */
tacit_status tacit__csv_check(const tacit_table *table, size_t from, size_t to, int32_t columns,
                              size_t max_field, tacit_error *err);

/* Cuts the row that starts at `at` of the first len bytes into raw cells, at most `most` of them,
 * and returns the start of the next row. *found is the number of cells there are,
 * which may exceed most. The row must have passed the check. */
size_t tacit__csv_cut(const tacit_table *table, size_t at, size_t len, tacit_strview *cells,
                      int32_t most, int32_t *found);

#endif
