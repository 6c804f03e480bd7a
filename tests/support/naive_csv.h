/*
 * naive_csv.h - CSV written and read a character at a time, for tests that must
 * not rely on the library's reader and writer, and small random numbers.
 */
#ifndef TACIT_TESTS_SUPPORT_NAIVE_CSV_H
#define TACIT_TESTS_SUPPORT_NAIVE_CSV_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAIVE_TEXT = 48, NAIVE_COLUMNS = 12, NAIVE_ROWS = 48 };

/* Cells without their quotes; row 0 is the header. */
typedef struct naive_table {
    int rows, columns;
    char cell[NAIVE_ROWS][NAIVE_COLUMNS][NAIVE_TEXT];
} naive_table;

/* Text that grows. */
typedef struct naive_text {
    char *bytes;
    size_t len, room;
} naive_text;

static inline void naive_put(naive_text *to, char byte)
{
    if (to->len == to->room)
        to->bytes = realloc(to->bytes, to->room = 2 * to->room + 256);
    assert(to->bytes);
    to->bytes[to->len++] = byte;
}

static inline void naive_puts(naive_text *to, const char *text)
{
    while (*text)
        naive_put(to, *text++);
}

/* A cell, in quotes where it needs them or where they are wanted. */
static inline void naive_put_cell(naive_text *to, const char *cell, bool quotes)
{
    if (!quotes && !strpbrk(cell, ",;\t|\"\r\n")) {
        naive_puts(to, cell);
        return;
    }
    naive_put(to, '"');
    for (; *cell; cell++) {
        if (*cell == '"')
            naive_put(to, '"');
        naive_put(to, *cell);
    }
    naive_put(to, '"');
}

/* Reads what is known to be well-formed; false where it is not, after all. */
static inline bool naive_read(naive_table *to, const char *bytes, size_t len, char delimiter)
{
    int row = 0, column = 0;
    size_t used = 0;
    bool quoted = false;
    memset(to, 0, sizeof *to);
    for (size_t i = 0; i < len; i++) {
        char c = bytes[i];
        bool ends = !quoted && (c == delimiter || c == '\n');
        if (quoted && c == '"' && i + 1 < len && bytes[i + 1] == '"')
            i++;
        else if (c == '"') {
            quoted = !quoted;
            continue;
        }
        if (!ends && !quoted && c == '\r')
            continue;
        if (!ends) {
            if (row == NAIVE_ROWS || column == NAIVE_COLUMNS || used + 1 == NAIVE_TEXT)
                return false;
            to->cell[row][column][used++] = c;
            continue;
        }
        used = 0;
        column++;
        if (c == delimiter)
            continue;
        if (row > 0 && column != to->columns)
            return false;
        to->columns = column;
        column = 0;
        row++;
    }
    to->rows = row;
    return !quoted && column == 0 && used == 0;
}

static inline uint32_t draw(uint64_t *random, uint32_t below)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return (uint32_t)(*random >> 33) % below;
}

#endif
