/*
 * masked_grid.h - small tables as grids of cells, before and after techniques; random ones too.
 *
 * Cells are compared as the bytes that stand in the file; none of them has a delimiter in quotes.
 */
#ifndef TACIT_TESTS_MASKED_GRID_H
#define TACIT_TESTS_MASKED_GRID_H

#include "masking.h"

enum { GRID_ROWS = 400, GRID_COLUMNS = 8 };

typedef struct grid {
    char *text;
    int rows, columns;
    const char *names[GRID_COLUMNS];
    const char *cells[GRID_ROWS][GRID_COLUMNS];
} grid;

static inline int grid_cut(char *line, const char **cells)
{
    int count = 0;
    for (char *at = line;; at++) {
        assert_in_range(count, 0, GRID_COLUMNS - 1);
        cells[count++] = at;
        at += strcspn(at, ",");
        if (!*at)
            return count;
        *at = '\0';
    }
}

/* Takes the text. */
static inline grid *grid_of(char *text)
{
    grid *g = calloc(1, sizeof *g);
    g->text = text;
    char *next = strchr(text, '\n');
    *next++ = '\0';
    g->columns = grid_cut(text, g->names);
    while (*next) {
        char *line = next;
        next = strchr(line, '\n');
        *next++ = '\0';
        assert_in_range(g->rows, 0, GRID_ROWS - 1);
        assert_int_equal(grid_cut(line, g->cells[g->rows++]), g->columns);
    }
    return g;
}

static inline void grid_free(grid *g)
{
    free(g->text);
    free(g);
}

static inline int grid_column(const grid *g, const char *name)
{
    for (int i = 0; i < g->columns; i++)
        if (strcmp(g->names[i], name) == 0)
            return i;
    fail_msg("no column %s", name);
    return -1;
}

/* A row's cells in some columns (letters a, b, ...), one after the other. */
static inline void grid_key(char *key, const grid *g, int row, const char *letters)
{
    char *at = key;
    for (; *letters; letters++)
        at += sprintf(at, "%s|", g->cells[row][*letters - 'a']);
    *at = '\0';
}

static inline int grid_compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* All rows' keys in order, to be freed. */
typedef char grid_text[128];

static inline grid_text *grid_keys(const grid *g, const char *letters)
{
    grid_text *keys = calloc((size_t)g->rows + 1, sizeof *keys);
    for (int row = 0; row < g->rows; row++)
        grid_key(keys[row], g, row, letters);
    qsort(keys, (size_t)g->rows, sizeof *keys, grid_compare);
    return keys;
}

/* Both have the same combinations of the columns, as often. */
static inline void grid_same(const grid *a, const grid *b, const char *letters)
{
    assert_int_equal(a->rows, b->rows);
    grid_text *of_a = grid_keys(a, letters), *of_b = grid_keys(b, letters);
    for (int row = 0; row < a->rows; row++)
        assert_string_equal(of_a[row], of_b[row]);
    free(of_a);
    free(of_b);
}

/* Rows with the same key as this one. */
static inline int grid_count(const grid *g, int row, const char *letters)
{
    grid_text key, other;
    int count = 0;
    grid_key(key, g, row, letters);
    for (int i = 0; i < g->rows; i++) {
        grid_key(other, g, i, letters);
        count += strcmp(key, other) == 0;
    }
    return count;
}

static inline uint32_t grid_draw(uint64_t *state, uint32_t bound)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % bound);
}

/* Rows of an id and columns b, c, ... of few values, some of them empty: "b3", or a number where
 * the column's letter is among `numbers`. */
static inline char *grid_random(uint64_t *state, int rows, int columns, int values,
                                const char *numbers)
{
    char *text = calloc((size_t)rows * (size_t)columns * 16 + 64, 1), *at = text;
    for (int i = 0; i < columns; i++)
        at += sprintf(at, "%s%c", i ? "," : "", 'a' + i);
    at += sprintf(at, "\n");
    for (int row = 0; row < rows; row++) {
        at += sprintf(at, "r%d", row);
        for (int i = 1; i < columns; i++) {
            uint32_t value = grid_draw(state, (uint32_t)values + 1);
            bool number = strchr(numbers, 'a' + i);
            if (value == (uint32_t)values)
                at += sprintf(at, ",");
            else if (number)
                at += sprintf(at, ",%d.%d", (int)value - values / 3, (int)value % 3);
            else
                at += sprintf(at, ",%c%u", 'a' + i, value);
        }
        at += sprintf(at, "\n");
    }
    return text;
}

/* What steps make of a text, as a grid. */
static inline grid *grid_run(const char *csv, const char *lines, uint64_t seed, int threads)
{
    return grid_of(masking_run(csv, lines, seed, threads));
}

#endif
