/*
 * csv_plan.h - how each row of a release is put together: which parts of the
 * input row are copied, and which labels, blanks or rewritten cells stand
 * between them.
 */
#ifndef TACIT_SRC_TABLE_CSV_PLAN_H
#define TACIT_SRC_TABLE_CSV_PLAN_H

#include "table/table.h"

enum { TACIT__SMALL = 16 };

/* A label as it is written. bytes NULL leaves the cell; otherwise 16 bytes may
 * be read from it whatever its length. */
typedef struct tacit__piece {
    const char *bytes;
    size_t len;
    tacit_strview source; /* the label itself: equal ones share their bytes mostly */
} tacit__piece;

/* The distinct labels of a column. */
typedef struct tacit__table_labels {
    tacit__piece *pieces; /* NULL: the cells stay */
    size_t capacity;
    uint32_t count;
    uint32_t *number; /* of the label, for each code */
    int shift;        /* of the label's number in a record */
    uint64_t mask;
} tacit__table_labels;

typedef enum tacit__segment_kind {
    TACIT__SEGMENT_RAW, /* neighbouring columns that stay as they are */
    TACIT__SEGMENT_LABEL,
    TACIT__SEGMENT_BLANK,
    TACIT__SEGMENT_REWRITE
} tacit__segment_kind;

typedef struct tacit__segment {
    tacit__segment_kind kind;
    int32_t first, last; /* columns of the table */
    const tacit_csv_column *column;
    const tacit__table_labels *labels;
} tacit__segment;

typedef struct tacit__segments {
    tacit__segment *list;
    int32_t count;
    int32_t needed; /* columns of the input row that must be found: a raw segment that runs to
                       the row's end needs only those before it */
} tacit__segments;

typedef struct tacit__plan {
    tacit__segments kept;        /* of rows that are released */
    tacit__segments suppressed;  /* of rows that are suppressed */
    tacit__table_labels *labels; /* a column of the layout each */
    int32_t label_count;
    tacit__piece blank;
    size_t made_bytes; /* the longest a row's labels and rewritten cells can be together */
    uint64_t *records; /* NULL, or for each row where it starts (above label_bits) and its labels,
                          and one more for the end of the last */
    int label_bits;
    tacit__arena arena;
} tacit__plan;

/* A release whose rows are out of order gets records, so that a row's start and
 * labels are one access to memory. The plan borrows from the layout. */
tacit_status tacit__plan_init(tacit__plan *plan, const tacit_table *table,
                              const tacit_csv_layout *layout, const tacit_run *run,
                              tacit_error *err);
void tacit__plan_clear(tacit__plan *plan);

#endif
