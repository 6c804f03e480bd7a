/*
 * table_page.c - a table on a page, its cells in grids: by their status or by another look.
 *
 * The dimension with most codes goes down and the next across, so that tables are tall rather
 * than wide; every combination of the other dimensions' codes is a grid of its own, the most
 * general first. Pages of more than some ten thousand cells are slow to open: grids are drawn
 * while there is room, a first one that is too large with its most general codes, and what is
 * left out is said. Linked tables follow one another in full.
 *
 * The page goes where the release goes. It may tell of a suppressed cell its status and what
 * anybody works out from the release, and nothing else: no value, level, required interval or
 * number of contributors, and no sums of them either, which would be further equations for the
 * adversary.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "engine/job/print.h"
#include "engine/tables/tables.h"

enum {
    MAX_CELLS = 40000, /* drawn */
    MAX_ACROSS = 200,  /* columns, where a grid is too large */
    MAX_GRIDS = 200,
    MAX_LISTED = 1000, /* cells without dimensions */
    NAME_BYTES = 96,
    TEXT_BYTES = 1024
};

/* The codes of one side of a grid. */
typedef struct axis {
    int32_t dimension; /* of the table; -1: none, a single heading */
    int count;
    int32_t *codes;
    tacit_grid_heading *headings;
    char (*names)[NAME_BYTES];
} axis;

typedef struct drawing {
    tacit_page *page;
    const tacit_cells *cells;
    const char *status;
    engine_table_intervals intervals;
    const engine_table_look *look;
    const char *words; /* above the table */
    int64_t drawn;     /* cells; what linked tables share counts in each */
    int grids;
    /* the table in hand */
    const tacit_cells_table *table;
    axis down, across;
    int32_t codes[TACIT_MAX_DIMENSIONS]; /* of the grid in hand; those of its sides are not used */
    char others[TEXT_BYTES];             /* the names of the grid's other codes */
    /* the cell in hand */
    char text[64];
    char hover[2 * TEXT_BYTES];
} drawing;

static const tacit_dimension *dimension_at(const drawing *d, int32_t i)
{
    return &d->cells->dimensions[d->table->dimensions[i]];
}

/* ---- codes ---- */

/* In the first hierarchy that has the code. */
static int32_t depth_of(const tacit_dimension *dimension, int32_t code)
{
    for (int32_t t = 0; t < dimension->tree_count; t++)
        if (dimension->trees[t].level[code] >= 0)
            return dimension->trees[t].level[code];
    return 0;
}

static int32_t deepest(const tacit_dimension *dimension)
{
    int32_t most = 0;
    for (int32_t t = 0; t < dimension->tree_count; t++)
        if (dimension->trees[t].levels > most)
            most = dimension->trees[t].levels;
    return most - 1;
}

static int32_t codes_at(const tacit_dimension *dimension, int32_t depth)
{
    int32_t count = 0;
    for (int32_t code = 0; code < dimension->code_count; code++)
        count += depth_of(dimension, code) == depth;
    return count;
}

/* At most so many codes, the most general first, in their order. */
static int pick_codes(int32_t *codes, const tacit_dimension *dimension, int32_t most)
{
    int32_t whole = 0; /* depths that fit in */
    int count = 0;
    for (int32_t more; whole <= deepest(dimension); whole++, most -= more)
        if ((more = codes_at(dimension, whole)) > most)
            break;
    for (int32_t code = 0; code < dimension->code_count; code++) {
        int32_t depth = depth_of(dimension, code);
        if (depth < whole || (depth == whole && most-- > 0))
            codes[count++] = code;
    }
    return count;
}

/* ---- sides ---- */

static void axis_clear(axis *a)
{
    tacit__free(a->codes);
    tacit__free(a->headings);
    tacit__free(a->names);
    *a = (axis){0};
}

static bool axis_make_capacity(axis *a, size_t count)
{
    a->codes = tacit__alloc_zeroed(count, sizeof *a->codes);
    a->headings = tacit__alloc_zeroed(count, sizeof *a->headings);
    a->names = tacit__alloc_zeroed(count, sizeof *a->names);
    return a->codes && a->headings && a->names;
}

/* A code of several names has all of them: "Greater London / London". */
static void add_label(char name[NAME_BYTES], tacit_strview label)
{
    size_t used = strlen(name);
    if (used > 0 && used + 8 < NAME_BYTES)
        used += (size_t)snprintf(name + used, NAME_BYTES - used, " / ");
    if (used + 1 < NAME_BYTES)
        engine_printable(name + used, NAME_BYTES - used, label);
}

/* Labels stand in the order of codes, but for those of further hierarchies: a table of where
 * each code went finds all of them in one pass. */
static bool name_codes(axis *a, const tacit_dimension *dimension)
{
    int32_t *at = tacit__alloc((size_t)dimension->code_count * sizeof *at);
    if (!at)
        return false;
    for (int32_t code = 0; code < dimension->code_count; code++)
        at[code] = -1;
    for (int i = 0; i < a->count; i++)
        at[a->codes[i]] = i;
    for (int32_t i = 0; i < dimension->label_count; i++)
        if (at[dimension->code_of[i]] >= 0)
            add_label(a->names[at[dimension->code_of[i]]], dimension->labels[i]);
    tacit__free(at);
    return true;
}

/* One side of a table's grids; dimension -1: there is none, only the value. */
static bool axis_init(axis *a, const drawing *d, int32_t dimension, int32_t most)
{
    const tacit_dimension *own = dimension < 0 ? NULL : dimension_at(d, dimension);
    *a = (axis){.dimension = dimension, .count = 1};
    if (!axis_make_capacity(a, own ? (size_t)own->code_count : 1))
        return false;
    if (own) {
        a->count = pick_codes(a->codes, own, most);
        if (!name_codes(a, own))
            return false;
    } else
        snprintf(a->names[0], NAME_BYTES, d->cells->counts ? "number" : "value");
    for (int i = 0; i < a->count; i++)
        a->headings[i] =
            (tacit_grid_heading){a->names[i], own ? (int)depth_of(own, a->codes[i]) : 0};
    return true;
}

/* The dimension with most codes but one; -1: there is none. */
static int32_t largest_dimension(const drawing *d, int32_t but)
{
    int32_t best = -1;
    for (int32_t i = 0; i < d->table->dimension_count; i++)
        if (i != but &&
            (best < 0 || dimension_at(d, i)->code_count > dimension_at(d, best)->code_count))
            best = i;
    return best;
}

/* ---- cells ---- */

static int32_t cell_at(const drawing *d, int row, int column)
{
    int64_t place = 0;
    for (int32_t i = 0; i < d->table->dimension_count; i++) {
        int32_t code = i == d->down.dimension     ? d->down.codes[row]
                       : i == d->across.dimension ? d->across.codes[column]
                                                  : d->codes[i];
        place += code * d->table->strides[i];
    }
    return d->table->cells ? d->table->cells[place] : (int32_t)place;
}

/* What the pointer shows: the codes, and what there is to say. */
static void write_hover(drawing *d, int32_t cell, int row, int column)
{
    char words[256];
    bool one = d->across.dimension < 0;
    d->look->say(words, sizeof words, d->look->subject, cell);
    snprintf(d->hover, sizeof d->hover, "%s%s%s%s%s%s", d->down.names[row], one ? "" : ", ",
             one ? "" : d->across.names[column], d->others, *words ? " \xE2\x80\x93 " : "", words);
}

static tacit_grid_cell draw_cell(void *subject, int row, int column)
{
    drawing *d = subject;
    const engine_table_look *look = d->look;
    int32_t cell = cell_at(d, row, column);
    const char *text = look->text ? look->text(look->subject, cell) : NULL;
    write_hover(d, cell, row, column);
    if (!text)
        text = engine_table_value(d->text, sizeof d->text, &d->intervals, d->cells->value[cell]);
    return (tacit_grid_cell){look->kind(look->subject, cell), *text ? text : NULL, d->hover};
}

/* ---- grids ---- */

/* "region by sex; age: old", and the corner: "region ↓ sex →", arrows staying with their
 * names. */
static void name_grid(const drawing *d, char *title, char *corner)
{
    char down[NAME_BYTES], across[NAME_BYTES] = "";
    engine_printable(down, sizeof down, dimension_at(d, d->down.dimension)->name);
    snprintf(corner, TEXT_BYTES, "%s", down);
    if (d->across.dimension >= 0) {
        engine_printable(across, sizeof across, dimension_at(d, d->across.dimension)->name);
        snprintf(corner, TEXT_BYTES, "%s\xC2\xA0\xE2\x86\x93 %s\xC2\xA0\xE2\x86\x92", down, across);
    }
    char number[32] = "";
    if (d->cells->table_count > 1)
        snprintf(number, sizeof number, "Table %d: ", (int)(d->table - d->cells->tables) + 1);
    snprintf(title, TEXT_BYTES + 4 * NAME_BYTES, "%s%s%s%s%s", number, down, *across ? " by " : "",
             across, d->others);
}

static void name_others(drawing *d)
{
    size_t used = 0;
    d->others[0] = '\0';
    for (int32_t i = 0; i < d->table->dimension_count; i++) {
        char name[NAME_BYTES], code[NAME_BYTES];
        if (i == d->down.dimension || i == d->across.dimension || used >= sizeof d->others)
            continue;
        const tacit_dimension *dimension = dimension_at(d, i);
        int len = snprintf(d->others + used, sizeof d->others - used, "; %s: %s",
                           engine_printable(name, sizeof name, dimension->name),
                           engine_printable(code, sizeof code, dimension->codes[d->codes[i]]));
        used += len < 0 ? 0 : (size_t)len;
    }
}

static void draw_grid(drawing *d)
{
    char title[TEXT_BYTES + 4 * NAME_BYTES], corner[TEXT_BYTES];
    name_others(d);
    name_grid(d, title, corner);
    tacit_page_cells(d->page, &(tacit_cell_grid){.title = title,
                                                 .row_name = corner,
                                                 .rows = d->down.headings,
                                                 .row_count = d->down.count,
                                                 .columns = d->across.headings,
                                                 .column_count = d->across.count,
                                                 .cell = draw_cell,
                                                 .subject = d,
                                                 .legend = d->grids == 0 && d->look->text});
    d->grids++;
    d->drawn += (int64_t)d->down.count * d->across.count;
}

static bool has_capacity(const drawing *d)
{
    return d->grids < MAX_GRIDS && d->drawn + (int64_t)d->down.count * d->across.count <= MAX_CELLS;
}

/* How far the codes of the grid in hand are from the totals. */
static int32_t depth_of_grid(const drawing *d)
{
    int32_t depth = 0;
    for (int32_t i = 0; i < d->table->dimension_count; i++)
        if (i != d->down.dimension && i != d->across.dimension)
            depth += depth_of(dimension_at(d, i), d->codes[i]);
    return depth;
}

/* The next codes of the dimensions that are on no side; false after the last. */
static bool next_grid(drawing *d)
{
    for (int32_t i = d->table->dimension_count - 1; i >= 0; i--) {
        if (i == d->down.dimension || i == d->across.dimension)
            continue;
        if (++d->codes[i] < dimension_at(d, i)->code_count)
            return true;
        d->codes[i] = 0;
    }
    return false;
}

static void draw_grids(drawing *d)
{
    int32_t most = 0;
    for (int32_t i = 0; i < d->table->dimension_count; i++)
        if (i != d->down.dimension && i != d->across.dimension)
            most += deepest(dimension_at(d, i));
    memset(d->codes, 0, sizeof d->codes);
    for (int32_t depth = 0; depth <= most; depth++)
        do {
            if (depth_of_grid(d) != depth)
                continue;
            if (!has_capacity(d))
                return;
            draw_grid(d);
        } while (next_grid(d));
}

/* Sides in full where a grid of them fits in, else as much as does. */
static bool make_sides(drawing *d)
{
    int32_t down = largest_dimension(d, -1), across = largest_dimension(d, down);
    int64_t room = MAX_CELLS - d->drawn, rows = dimension_at(d, down)->code_count;
    int64_t columns = across < 0 ? 1 : dimension_at(d, across)->code_count;
    if (rows * columns > room) {
        columns = columns < MAX_ACROSS ? columns : MAX_ACROSS;
        rows = room / columns < rows ? room / columns : rows;
    }
    return axis_init(&d->down, d, down, (int32_t)rows) &&
           axis_init(&d->across, d, across, (int32_t)columns);
}

static void draw_table(drawing *d, const tacit_cells_table *table)
{
    d->table = table;
    if (!make_sides(d))
        tacit_page_fail(d->page);
    else if (d->down.count > 0)
        draw_grids(d);
    axis_clear(&d->down);
    axis_clear(&d->across);
}

/* ---- the page ---- */

static void tell_left_out(const drawing *d, int64_t all, const char *what)
{
    char text[TEXT_BYTES];
    if (d->drawn >= all)
        return;
    snprintf(text, sizeof text, "%s of %s %s are left out here; the release has all of them.",
             engine_count(all - d->drawn).text, engine_count(all).text, what);
    tacit_page_paragraph(d->page, text);
}

static void draw_tables(drawing *d)
{
    int64_t all = 0;
    tacit_page_heading(d->page, d->cells->table_count > 1 ? "The tables" : "The table");
    tacit_page_paragraph(d->page, d->words);
    for (int32_t t = 0; t < d->cells->table_count; t++) {
        draw_table(d, &d->cells->tables[t]);
        all += d->cells->tables[t].place_count;
    }
    tell_left_out(d, all, "cells");
}

/* Adds a text to a table in the making; false when out of memory. */
static bool add_text(const char **cells, tacit__arena *arena, const char *text)
{
    *cells = tacit__arena_copy(arena, tacit_strview_of(text)).bytes;
    return *cells;
}

/* Cells without dimensions: fills in two texts for each that is listed, and counts them all; false
 * when out of memory. */
static bool fill_list(const char **cells, tacit__arena *arena, drawing *d, int64_t *all)
{
    for (int32_t cell = 0; cell < d->cells->count; cell++) {
        char number[16], text[256];
        tacit_grid_kind kind = d->look->kind(d->look->subject, cell);
        bool listed = kind == TACIT_GRID_PRIMARY || kind == TACIT_GRID_SECONDARY;
        if (!listed || (*all)++ >= MAX_LISTED)
            continue;
        d->drawn++;
        snprintf(number, sizeof number, "%d", (int)cell);
        if (!add_text(cells++, arena, number) ||
            !add_text(cells++, arena, d->look->say(text, sizeof text, d->look->subject, cell)))
            return false;
    }
    return true;
}

static void list_cells(drawing *d)
{
    static const char *const HEADER[] = {"cell", "what there is to say"};
    const char *cells[2 * MAX_LISTED];
    tacit__arena arena = {0};
    int64_t all = 0;
    bool whole = fill_list(cells, &arena, d, &all);
    tacit_page_heading(d->page, d->look->text ? "Suppressed cells" : "Cells");
    tacit_page_paragraph(d->page, d->words);
    if (!whole)
        tacit_page_fail(d->page);
    else if (d->drawn > 0)
        tacit_page_table(d->page, "By their index in the file", HEADER, 2, cells, (int)d->drawn);
    tell_left_out(d, all, d->look->text ? "suppressed cells" : "cells");
    tacit__arena_clear(&arena);
}

static void draw_all(drawing *d)
{
    if (d->cells->table_count > 0)
        draw_tables(d);
    else
        list_cells(d);
}

void engine_table_page_look(tacit_page *page, const tacit_cells *cells, const char *words,
                            const engine_table_look *look)
{
    drawing d = {.page = page, .cells = cells, .look = look, .words = words};
    d.intervals.decimals = engine_table_decimals(cells, cells->status);
    draw_all(&d);
}

/* ---- by status ---- */

static tacit_grid_kind status_kind(const void *subject, int32_t cell)
{
    const drawing *d = subject;
    char status = d->status[cell];
    return status == TACIT_CELL_PRIMARY     ? TACIT_GRID_PRIMARY
           : status == TACIT_CELL_SECONDARY ? TACIT_GRID_SECONDARY
           : d->cells->value[cell] == 0     ? TACIT_GRID_ZERO
           : status == TACIT_CELL_FIXED     ? TACIT_GRID_FIXED
                                            : TACIT_GRID_PUBLISHED;
}

static const char *status_words(char *buffer, size_t size, const void *subject, int32_t cell)
{
    const drawing *d = subject;
    char status = d->status[cell], interval[200];
    if (engine_is_suppressed(status))
        snprintf(buffer, size, "%s: %s",
                 status == TACIT_CELL_PRIMARY ? "primary (confidential)"
                                              : "secondary (protects others)",
                 engine_table_interval(interval, sizeof interval, &d->intervals, cell));
    else
        snprintf(buffer, size, "%s", status == TACIT_CELL_FIXED ? "must be published" : "");
    return buffer;
}

static const char *status_text(const void *subject, int32_t cell)
{
    return engine_is_suppressed(((const drawing *)subject)->status[cell]) ? "" : NULL;
}

void engine_table_page(tacit_page *page, const tacit_cells *cells, const char *status,
                       const tacit_cells_audit *audit)
{
    char words[TEXT_BYTES];
    drawing d = {.page = page,
                 .cells = cells,
                 .status = status ? status : cells->status,
                 .look = &(engine_table_look){.kind = status_kind,
                                              .say = status_words,
                                              .text = status_text,
                                              .subject = &d},
                 .words = words};
    engine_table_intervals_init(&d.intervals, cells, d.status, audit);
    snprintf(words, sizeof words,
             "What anybody can tell about a suppressed cell is computed from what is published and "
             "from sums that must add up%s. %s",
             d.intervals.not_negative ? ", no value being below 0" : "",
             cells->table_count > 0 ? "It is shown where the pointer rests on the cell, and where "
                                      "the cell is clicked or tabbed to."
                                    : "");
    draw_all(&d);
    engine_table_intervals_clear(&d.intervals);
}
