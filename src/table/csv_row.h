/*
 * csv_row.h - the raw cells of the row that starts at an offset, and cells made anew.
 */
#ifndef TACIT_SRC_TABLE_CSV_ROW_H
#define TACIT_SRC_TABLE_CSV_ROW_H

#include "table/table.h"

/* The first `columns` cells of the row of bytes [start, next). They lie in the row, whatever has
 * become of a mapped file since it was read. */
void tacit__row_at(const tacit_table *table, size_t start, size_t next, tacit_strview *cells,
                   int32_t columns);

/* Lets go of the pages behind rows [from, to) of a table that is read from end to
 * end. */
void tacit__let_go_rows(const tacit_table *table, int64_t from, int64_t to);

/* Writes the text as a cell, quoted where it must be, and returns its length: at
 * most twice the text's and two. */
size_t tacit__csv_quote(tacit_strview text, char delimiter, char *out);

/* What goes before the text that a file begins with: nothing, or a byte order mark where a reader
 * would take the first cell's beginning for one. */
tacit_strview tacit__csv_mark_before(tacit_strview text);

#endif
