/*
 * tsv.h - rows as lines with tabs between cells, as PostgreSQL's COPY and ClickHouse's
 * TabSeparated have them: \N for null, and a backslash before what would end a cell.
 */
#ifndef TACIT_SRC_ENGINES_TSV_H
#define TACIT_SRC_ENGINES_TSV_H

#include <tacit/experimental/engines.h>

#include "base/strbuf.h"

/* Rows that are read as they come, in pieces of any length. Zero-initialized is before the first.
 */
typedef struct tacit__tsv {
    tacit__strbuf row; /* the cells so far, one behind the other */
    size_t *ends;
    size_t count, capacity, view_capacity;
    tacit_strview *views;
    bool escaped; /* behind a backslash */
    bool null;    /* the cell so far is \N */
} tacit__tsv;

/* Hands on each row that is whole. */
tacit_status tacit__tsv_read(tacit__tsv *tsv, const char *bytes, size_t len,
                             tacit_engine_row_fn row, void *context, tacit_error *err);

/* Whether the last row is whole. */
bool tacit__tsv_ended(const tacit__tsv *tsv);
void tacit__tsv_clear(tacit__tsv *tsv);

void tacit__tsv_add_row(tacit__strbuf *text, const tacit_strview *cells, int32_t count);

#endif
