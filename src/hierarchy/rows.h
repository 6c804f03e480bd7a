/*
 * rows.h - a hierarchy file as rows of fields.
 */
#ifndef TACIT_SRC_HIERARCHY_ROWS_H
#define TACIT_SRC_HIERARCHY_ROWS_H

#include <tacit/experimental/hierarchy.h>

#include "base/arena.h"

typedef struct tacit__rows {
    const char *file;
    const char *start, *end; /* without a byte order mark and blank lines at the end */
    const char *at;
    char delimiter; /* 0: a line is one field */
    int64_t line;   /* of the row that was read */
    int64_t next_line;
    tacit_strview fields[TACIT_MAX_LEVELS]; /* borrowed from the bytes and the arena */
    int count;                              /* of fields; 0 after the last row */
    tacit__arena arena;                     /* fields that had doubled quotes */
} tacit__rows;

/* Checks the bytes (length, UTF-8, no NUL, some row) and finds the delimiter in
 * the first row: a semicolon, else a tab, else a comma, outside quotes. */
tacit_status tacit__rows_init(tacit__rows *rows, tacit_strview bytes, const char *file,
                              tacit_error *err);
void tacit__rows_clear(tacit__rows *rows);

/* Back to the first row. Fields read so far stay valid. */
void tacit__rows_rewind(tacit__rows *rows);
tacit_status tacit__rows_next(tacit__rows *rows, tacit_error *err);

/* Whether a line starts with that character. */
bool tacit__rows_line_starts(const tacit__rows *rows, char first);

#endif
