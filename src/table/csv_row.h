/*
 * csv_row.h - the raw cells of the row that starts at an offset, and cells made anew.
 */
#ifndef TACIT_SRC_TABLE_CSV_ROW_H
#define TACIT_SRC_TABLE_CSV_ROW_H

#include "table/table.h"

void tacit__row_at(const tacit_table *table, size_t start, tacit_strview *cells);

/* Writes the text as a cell, quoted where it must be, and returns its length: at
 * most twice the text's and two. */
size_t tacit__csv_quote(tacit_strview text, char delimiter, char *out);

#endif
