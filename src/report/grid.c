/*
 * grid.c - lines up columns. Widths count characters of UTF-8, not bytes.
 */
#include <tacit/experimental/page.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { LONGEST = 256 };

static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

void tacit_grid_init(tacit_grid *grid, const char *const *header, int columns)
{
    *grid = (tacit_grid){.header = header, .columns = columns};
}

void tacit_grid_clear(tacit_grid *grid)
{
    for (int i = 0; i < grid->count; i++)
        tacit__free(grid->cells[i]);
    tacit__free(grid->cells);
    *grid = (tacit_grid){0};
}

void tacit_grid_add_view(tacit_grid *grid, tacit_strview text)
{
    char shown[LONGEST];
    tacit_printable(shown, sizeof shown, text.bytes, text.len);
    if (grid->count == grid->capacity) {
        int capacity = grid->capacity ? 2 * grid->capacity : 64;
        char **cells = tacit__resize_array(grid->cells, (size_t)capacity, sizeof *cells);
        if (!cells) {
            grid->failed = true;
            return;
        }
        grid->cells = cells;
        grid->capacity = capacity;
    }
    grid->cells[grid->count] = tacit__copy_bytes(shown, strlen(shown));
    grid->failed |= !grid->cells[grid->count++];
}

void tacit_grid_add(tacit_grid *grid, const char *format, ...)
{
    char text[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tacit_grid_add_view(grid, tacit_strview_of(text));
}

static const char *cell_at(const tacit_grid *grid, int row, int column)
{
    return grid->cells[row * grid->columns + column];
}

/* Digits, in groups or with a sign, a point or a percent sign; no dates. */
static bool is_number(const char *text)
{
    text += *text == '-';
    return strspn(text, "0123456789. %") == strlen(text);
}

static int column_width(const tacit_grid *grid, int column, bool *numbers)
{
    int width = width_of(grid->header[column]);
    *numbers = grid->count > 0;
    for (int row = 0; row < grid->count / grid->columns; row++) {
        const char *cell = cell_at(grid, row, column);
        int here = width_of(cell);
        width = here > width ? here : width;
        *numbers &= is_number(cell);
    }
    return width;
}

static void print_cell(FILE *out, const char *text, int width, bool right, bool last)
{
    int gap = width - width_of(text);
    fprintf(out, "  %*s%s%*s", right ? gap : 0, "", text, right || last ? 0 : gap, "");
}

void tacit_grid_print(const tacit_grid *grid, FILE *out)
{
    int widths[64];
    bool numbers[64];
    if (grid->failed) {
        fputs("  (no memory to show this table)\n", out);
        return;
    }
    for (int i = 0; i < grid->columns; i++)
        widths[i] = column_width(grid, i, &numbers[i]);
    for (int i = 0; i < grid->columns; i++)
        print_cell(out, grid->header[i], widths[i], numbers[i], i + 1 == grid->columns);
    fputc('\n', out);
    for (int row = 0; row < grid->count / grid->columns; row++) {
        for (int i = 0; i < grid->columns; i++)
            print_cell(out, cell_at(grid, row, i), widths[i], numbers[i], i + 1 == grid->columns);
        fputc('\n', out);
    }
}

void tacit_grid_show(const tacit_grid *grid, tacit_page *page, const char *caption)
{
    if (grid->failed) {
        tacit_page_fail(page);
        return;
    }
    tacit_page_table(page, caption, grid->header, grid->columns, (const char *const *)grid->cells,
                     grid->count / grid->columns);
}
