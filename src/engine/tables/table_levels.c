/*
 * table_levels.c - counts and values suppressed by level of the hierarchy.
 *
 * Every cell is on one level of each dimension, so the levels of a dimension add up to its
 * table. Places are walked once for each dimension of each table; which cells a dimension
 * has seen already, where tables share them, is a mark a cell.
 */
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/job/print.h"
#include "engine/tables/tables.h"

enum { LEVEL_BYTES = 96 };

typedef struct counting {
    const tacit_cells *cells;
    const char *status;
    int32_t *seen; /* a cell each: one more than the dimension that it was last counted in */
} counting;

static void count_cell(engine_table_level *level, double value, char status)
{
    level->cells++;
    if (status == TACIT_CELL_PRIMARY) {
        level->primary++;
        level->value_primary += fabs(value);
    } else if (status == TACIT_CELL_SECONDARY) {
        level->secondary++;
        level->value_secondary += fabs(value);
    }
}

/* The cells of a table by the levels of its dimension i. */
static void count_table(engine_table_level *levels, const counting *c,
                        const tacit_cells_table *table, int32_t i)
{
    int32_t number = table->dimensions[i];
    const tacit_dimension *dimension = &c->cells->dimensions[number];
    for (int32_t place = 0; place < table->place_count; place++) {
        int32_t cell = table->cells ? table->cells[place] : place;
        int64_t code = place / table->strides[i] % dimension->code_count;
        int32_t level = dimension->trees[0].level[code];
        if (level < 0 || c->seen[cell] == number + 1)
            continue;
        c->seen[cell] = number + 1;
        count_cell(&levels[level], c->cells->value[cell], c->status[cell]);
    }
}

static void count_dimension(engine_table_level *levels, const counting *c, int32_t number)
{
    for (int32_t t = 0; t < c->cells->table_count; t++) {
        const tacit_cells_table *table = &c->cells->tables[t];
        for (int32_t i = 0; i < table->dimension_count; i++)
            if (table->dimensions[i] == number)
                count_table(levels, c, table, i);
    }
}

static void count_all(engine_table_levels *levels, const counting *c)
{
    for (int32_t d = 0; d < c->cells->dimension_count; d++) {
        const tacit_dimension *dimension = &c->cells->dimensions[d];
        engine_table_level *own = levels->list + levels->count;
        for (int32_t level = 0; level < dimension->trees[0].levels; level++)
            own[level] = (engine_table_level){.dimension = dimension->name, .level = level};
        count_dimension(own, c, d);
        levels->count += dimension->trees[0].levels;
    }
}

tacit_status engine_table_levels_init(engine_table_levels *levels, const tacit_cells *cells,
                                      const char *status, tacit_error *err)
{
    counting c = {.cells = cells, .status = status ? status : cells->status};
    size_t capacity = 1;
    for (int32_t d = 0; d < cells->dimension_count; d++)
        capacity += (size_t)cells->dimensions[d].trees[0].levels;
    *levels = (engine_table_levels){.list = tacit__alloc_zeroed(capacity, sizeof *levels->list)};
    c.seen = tacit__alloc_zeroed((size_t)cells->count + 1, sizeof *c.seen);
    if (levels->list && c.seen)
        count_all(levels, &c);
    bool made = levels->list && c.seen;
    tacit__free(c.seen);
    if (made)
        return TACIT_OK;
    engine_table_levels_clear(levels);
    return tacit__nomem(err);
}

void engine_table_levels_clear(engine_table_levels *levels)
{
    tacit__free(levels->list);
    *levels = (engine_table_levels){0};
}

/* ---- facts ---- */

static const char *name_of(char *buffer, size_t size, const engine_table_level *level)
{
    char dimension[LEVEL_BYTES];
    engine_printable(dimension, sizeof dimension, level->dimension);
    if (level->level == 0)
        snprintf(buffer, size, "%s, total", dimension);
    else
        snprintf(buffer, size, "%s, level %d", dimension, level->level);
    return buffer;
}

/* Where there are more levels than a chart can have, the table has to do. */
static void draw_levels(tacit_page *page, const void *subject)
{
    const engine_table_levels *levels = subject;
    char texts[TACIT_MAX_BARS][LEVEL_BYTES + 32];
    const char *names[TACIT_MAX_BARS];
    double primary[TACIT_MAX_BARS], secondary[TACIT_MAX_BARS];
    if (levels->count > TACIT_MAX_BARS)
        return;
    for (int i = 0; i < levels->count; i++) {
        names[i] = name_of(texts[i], sizeof texts[i], &levels->list[i]);
        primary[i] = (double)levels->list[i].primary;
        secondary[i] = (double)levels->list[i].secondary;
    }
    tacit_page_bars(page, &(tacit_bars){.title = "Suppressed cells by level",
                                        .x_label = "dimension and level",
                                        .y_label = "cells",
                                        .names = names,
                                        .first = primary,
                                        .second = secondary,
                                        .first_name = "primary",
                                        .second_name = "secondary",
                                        .count = levels->count,
                                        .root_scale = true,
                                        .marker = -1});
}

void engine_table_levels_facts(tacit_report *report, const engine_table_levels *levels)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "dimension"},
        {.key = "level"},
        {.heading = "dimension, level"},
        {.key = "cells", .heading = "cells"},
        {.key = "primary", .heading = "primary"},
        {.key = "secondary", .heading = "secondary"},
        {.key = "value_primary"},
        {.key = "value_secondary"},
        {.heading = "suppressed", .format = "%.1f %%", .scale = 100},
    };
    char name[LEVEL_BYTES + 32];
    unsigned everywhere =
        tacit_report_narrow(report, levels->count ? TACIT_SHOW_ALL : TACIT_SHOW_JSON);
    tacit_report_section(report, "Where cells are suppressed");
    tacit_report_drawing(report, draw_levels, levels);
    tacit_report_begin(
        report,
        &(tacit_report_table){.name = "levels", .title = "Cells by level", TACIT_COLUMNS(COLUMNS)});
    for (int i = 0; i < levels->count; i++) {
        const engine_table_level *level = &levels->list[i];
        tacit_report_cell_view(report, level->dimension);
        tacit_report_cell_integer(report, level->level);
        tacit_report_cell(report, "%s", name_of(name, sizeof name, level));
        tacit_report_cell_integer(report, level->cells);
        tacit_report_cell_integer(report, level->primary);
        tacit_report_cell_integer(report, level->secondary);
        tacit_report_cell_real(report, level->value_primary);
        tacit_report_cell_real(report, level->value_secondary);
        tacit_report_cell_real(report,
                               (double)(level->primary + level->secondary) / (double)level->cells);
    }
    tacit_report_show(report, everywhere);
}
