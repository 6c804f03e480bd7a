/*
 * csv.h - a CSV file that a command writes cell by cell, and that appears whole
 * or not at all.
 */
#ifndef TACIT_ENGINE_JOB_CSV_H
#define TACIT_ENGINE_JOB_CSV_H

#include "engine/job/session.h"

#include "base/strbuf.h"

typedef struct engine_csv engine_csv;

/* path "-" is standard output. */
tacit_status engine_csv_new(engine_csv **out, const char *path, tacit_error *err);
/* The same where only its owner is to read it. */
tacit_status engine_csv_new_private(engine_csv **out, const char *path, tacit_error *err);
void engine_csv_free(engine_csv *csv);

/* The next cell of the row. A failure to write is kept, and what follows it is
 * not written. */
void engine_csv_text(engine_csv *csv, tacit_strview text); /* in quotes where it needs them */
void engine_csv_integer(engine_csv *csv, int64_t value);
void engine_csv_real(engine_csv *csv, double value); /* 12 digits; empty where it is not finite */
void engine_csv_row(engine_csv *csv);                /* ends the row */

/* Cells of the header, ending in NULL, and its end. */
void engine_csv_header(engine_csv *csv, const char *const *names);

/* A cell by itself, at the end of a text: in quotes where it needs them, and where it is empty,
 * lest a line be. */
void engine_csv_cell(tacit__strbuf *text, tacit_strview cell);

/* The first failure, if there was one. */
tacit_status engine_csv_check(engine_csv *csv, tacit_error *err);

/* Adds the file to those that appear with the job (files.h), if all of it could be written. */
tacit_status engine_csv_end(engine_csv *csv, engine_session *session);

#endif
