/*
 * release_rows.h - pseudonyms per row (replace: row-pseudonym): another in every row, so that
 * rows of one person are not linked by it.
 */
#ifndef TACIT_ENGINE_RECORDS_RELEASE_ROWS_H
#define TACIT_ENGINE_RECORDS_RELEASE_ROWS_H

#include <tacit/experimental.h>

/* A column of them: a label for each row of the table. */
typedef struct engine_row_labels {
    char *texts;
    tacit_strview *labels;
} engine_row_labels;

/* All zero is nothing. */
typedef struct engine_row_pseudonyms {
    tacit_pseudonyms *key; /* of this release alone */
    uint32_t *rows;        /* 0, 1, 2, ...: a row's label is its own */
    engine_row_labels *columns;
    int32_t count;
} engine_row_pseudonyms;

struct engine_release;

/* Fills in a column of the layout, whose source is set. */
tacit_status engine_release_rows(tacit_csv_column *column, struct engine_release *release);
void engine_row_pseudonyms_clear(engine_row_pseudonyms *made);

#endif
