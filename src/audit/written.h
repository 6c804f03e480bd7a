/*
 * written.h - what is found in a file that was written, for the files that look.
 */
#ifndef TACIT_SRC_AUDIT_WRITTEN_H
#define TACIT_SRC_AUDIT_WRITTEN_H

#include <tacit/audit_cells.h>

/* No problems yet; letters of all cells are 0. */
tacit_status tacit__written_new(tacit_cells_written **out, const tacit_cells *cells,
                                tacit_error *err);

/* Adds a problem of the file as a whole, or of a cell; line 0: of no line. */
void tacit__written_note(tacit_cells_written *written, int64_t line, const char *what);
void tacit__written_note_cell(tacit_cells_written *written, int64_t line, const tacit_cells *cells,
                              int32_t cell, const char *what);

/* Notes letters of a pattern that do not follow from the cells' own. */
void tacit__written_check_pattern(tacit_cells_written *written, const tacit_cells *cells,
                                  const char *status);

/* The last step: gives the findings away, or frees them where anything failed. */
tacit_status tacit__written_give(tacit_cells_written **out, tacit_cells_written *written,
                                 tacit_status status);

#endif
