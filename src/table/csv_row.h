/*
 * csv_row.h - the raw cells of the row that starts at an offset.
 */
#ifndef TACIT_SRC_TABLE_CSV_ROW_H
#define TACIT_SRC_TABLE_CSV_ROW_H

#include "table/table.h"

void tacit__row_at(const tacit_table *table, size_t start, tacit_strview *cells);

#endif
