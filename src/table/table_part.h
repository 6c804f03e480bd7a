/*
 * table_part.h - some rows of a table as a table of their own, and columns with other values.
 */
#ifndef TACIT_SRC_TABLE_TABLE_PART_H
#define TACIT_SRC_TABLE_TABLE_PART_H

#include <tacit/table.h>

/* The rows of `from` that are listed, with the same columns and the same codes. Only codes
 * and values can be asked of it: it has no text. `from` must outlive it. */
tacit_status tacit__table_part(tacit_table **out, const tacit_table *from, const uint32_t *rows,
                               int64_t count, tacit_error *err);

/* Gives a column of such a table, which nobody reads yet, other codes and values, which it takes;
 * the values' text is borrowed. `distinct` is the code of missing. */
void tacit__table_recode(tacit_table *table, int32_t column, uint32_t *codes, tacit_strview *values,
                         uint32_t distinct);

#endif
