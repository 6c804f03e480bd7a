/*
 * grid.h - a small table of texts, for the terminal and for a page.
 */
#ifndef TACIT_CLI_GRID_H
#define TACIT_CLI_GRID_H

#include <stdio.h>

#include <tacit.h>

typedef struct cli_grid {
    const char *const *header; /* borrowed, a text a column */
    int columns;
    char **cells; /* row by row */
    int count;
    int room;
    bool failed; /* out of memory: the table is not whole */
} cli_grid;

void cli_grid_init(cli_grid *grid, const char *const *header, int columns);
void cli_grid_clear(cli_grid *grid);

/* Appends the next cell. Control characters are shown as "?". */
void cli_grid_add(cli_grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_grid_add_view(cli_grid *grid, tacit_strview text);

/* Prints with two blanks in front of each line and between columns; columns of
 * numbers are aligned right. */
void cli_grid_print(const cli_grid *grid, FILE *out);
void cli_grid_show(const cli_grid *grid, tacit_page *page, const char *caption);

/* Text for a terminal: what would move, paint or mislead it becomes "?", cut to size. */
const char *cli_printable(char *buffer, size_t size, tacit_strview text);

/* The name of a file in the same way. */
typedef struct cli_printed {
    char text[800];
} cli_printed;
cli_printed cli_show(const char *name);

#endif
