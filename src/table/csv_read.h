/*
 * csv_read.h - reading with a given size of stretch: tests make it tiny, so that
 * every boundary case happens in a few bytes.
 */
#ifndef TACIT_SRC_TABLE_CSV_READ_H
#define TACIT_SRC_TABLE_CSV_READ_H

#include <tacit/table.h>

/* A stretch and its index stay in the second-level cache. */
enum { TACIT__STRETCH = 1 << 18 };

tacit_status tacit__table_read_stretches(tacit_table **out, tacit_strview bytes, const char *name,
                                         const tacit_csv_options *options, size_t stretch,
                                         const tacit_run *run, tacit_error *err);

#endif
