/*
 * csv.h - the parts of reading CSV: how a file is written, where its fields end, what is accepted,
 * and codes of what is.
 */
#ifndef TACIT_TABLE_CSV_H
#define TACIT_TABLE_CSV_H

#include <tacit/table.h>

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

/* Fills in delimiter, header_start, data_start, crlf and the columns' names of
 * a table that has its bytes. */
tacit_status tacit__csv_dialect(tacit_table *table, const tacit_csv_options *options,
                                size_t max_field, tacit_error *err);

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

/* A stretch and its index stay in the second-level cache. */
enum { TACIT__STRETCH = 1 << 18 };

tacit_status tacit__table_read_stretches(tacit_table **out, tacit_strview bytes, const char *name,
                                         const tacit_csv_options *options, size_t stretch,
                                         const tacit_run *run, tacit_error *err);

#endif
