/*
 * written.h - what is found in a file that was written, for the files that look.
 */
#ifndef TACIT_AUDIT_TABLES_WRITTEN_H
#define TACIT_AUDIT_TABLES_WRITTEN_H

#include <tacit/experimental/audit_cells.h>

/* No problems yet; letters of all cells are 0. */
tacit_status tacit__written_new(tacit_cells_written **out, int32_t count, tacit_error *err);

/* Adds a problem of the file as a whole, or of a cell; line 0: of no line. */
void tacit__written_note(tacit_cells_written *written, int64_t line, const char *what);
void tacit__written_note_cell(tacit_cells_written *written, int64_t line, const tacit_cells *cells,
                              int32_t cell, const char *what);

/* Notes letters of a pattern that do not follow from the cells' own. */
void tacit__written_check_pattern(tacit_cells_written *written, const tacit_cells *cells,
                                  const char *status);

/* An error where a file was not read as codes. */
tacit_status tacit__written_coded(const tacit_table *file, tacit_error *err);

/* Whether a file has the columns that it should have and no others, and where. */
bool tacit__written_columns(int32_t *columns, tacit_cells_written *written, const tacit_table *file,
                            const tacit_strview *names, int32_t wanted);

/* Keeps what a row says of a cell, whatever it should say; and at the end that cells without a row
 * are not published. */
void tacit__written_letter(tacit_cells_written *written, int32_t cell, char letter, bool empty);
void tacit__written_absent(tacit_cells_written *written, int32_t count);

/* The last step: gives the findings away, or frees them where anything failed. */
tacit_status tacit__written_give(tacit_cells_written **out, tacit_cells_written *written,
                                 tacit_status status);

#endif
