/*
 * csv_index.h - where the fields of a stretch of CSV end.
 */
#ifndef TACIT_SRC_TABLE_CSV_INDEX_H
#define TACIT_SRC_TABLE_CSV_INDEX_H

#include "table/table.h"

/* A stretch of the file. A row belongs to the stretch that holds the line end
 * before it; row 0 belongs to the first. */
typedef struct tacit__table_stretch {
    size_t begin, end;
    bool quotes;          /* a quote stands in it */
    bool odd;             /* an odd number of them */
    int64_t line_ends[2]; /* outside quotes, if it starts outside, inside quotes */
    bool starts_quoted;
    int64_t first_row;
    int64_t rows;
    int worker;      /* whose dictionaries its codes refer to */
    uint32_t **wide; /* NULL, or for each coded column NULL or codes beyond 16 bits */
} tacit__table_stretch;

/* Counts quotes and line ends: what must be known of every stretch before rows
 * can be numbered. */
void tacit__stretch_count(tacit__table_stretch *stretch, const tacit_table *table);

/* The index of a stretch: ends[0] is the line end before its first row, then
 * follow the ends of all fields of its rows, each counted from `base`. */
typedef struct tacit__csv_index {
    uint32_t *ends;
    size_t capacity;
    size_t count;
    size_t base;  /* offset in the file that ends count from */
    bool high;    /* bytes beyond ASCII stand in it */
    bool returns; /* carriage returns stand in it */
    bool broken;  /* a rule of quoting, line ends or text is broken */
    int64_t line_ends;
} tacit__csv_index;

/* Fills the index; false when memory runs out. Rows of more than 2 GiB break. */
bool tacit__csv_index_build(tacit__csv_index *index, const tacit__table_stretch *stretch,
                            const tacit_table *table);

#endif
