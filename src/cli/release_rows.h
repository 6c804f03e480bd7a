/*
 * release_rows.h - pseudonyms per row (replace: row-pseudonym): another in every row, so that
 * rows of one person are not linked by it.
 */
#ifndef TACIT_CLI_RELEASE_ROWS_H
#define TACIT_CLI_RELEASE_ROWS_H

#include <tacit.h>

/* A column of them: a label for each row of the table. */
typedef struct cli_row_labels {
    char *texts;
    tacit_strview *labels;
} cli_row_labels;

/* All zero is nothing. */
typedef struct cli_row_pseudonyms {
    tacit_pseudonyms *key; /* of this release alone */
    uint32_t *rows;        /* 0, 1, 2, ...: a row's label is its own */
    cli_row_labels *columns;
    int32_t count;
} cli_row_pseudonyms;

struct cli_release;

/* Fills in a column of the layout, whose source is set. */
tacit_status cli_release_rows(tacit_csv_column *column, struct cli_release *release);
void cli_row_pseudonyms_clear(cli_row_pseudonyms *made);

#endif
