/*
 * csv.h - a CSV file that a command writes cell by cell, and that appears whole
 * or not at all.
 */
#ifndef TACIT_CLI_CSV_H
#define TACIT_CLI_CSV_H

#include <tacit.h>

typedef struct cli_csv cli_csv;

/* path "-" is standard output. */
tacit_status cli_csv_new(cli_csv **out, const char *path, tacit_error *err);
/* The same where only its owner is to read it. */
tacit_status cli_csv_new_private(cli_csv **out, const char *path, tacit_error *err);
void cli_csv_free(cli_csv *csv);

/* The next cell of the row. A failure to write is kept, and what follows it is
 * not written. */
void cli_csv_text(cli_csv *csv, tacit_strview text); /* in quotes where it needs them */
void cli_csv_integer(cli_csv *csv, int64_t value);
void cli_csv_real(cli_csv *csv, double value); /* 12 digits; empty where it is not finite */
void cli_csv_row(cli_csv *csv);                /* ends the row */

/* Cells of the header, ending in NULL, and its end. */
void cli_csv_header(cli_csv *csv, const char *const *names);

/* The first failure, if there was one. */
tacit_status cli_csv_check(cli_csv *csv, tacit_error *err);

/* Makes the file appear, if all of it could be written. */
tacit_status cli_csv_commit(cli_csv *csv, tacit_error *err);

#endif
