/*
 * protect_alter_page.c - a table whose values were changed, on a page: how many cells changed by
 * how much, and the table with its true values where the pointer rests.
 *
 * The page is the data holder's: it has the true values.
 */
#include <math.h>
#include <stdio.h>

#include "engine/records/verdict.h"
#include "engine/tables/protect.h"
#include "engine/tables/table_page.h"

enum { CLASSES_A_SIDE = 5, CLASSES = 2 * CLASSES_A_SIDE + 1, NAME_BYTES = 48 };

static double change_of(const engine_protection *p, int32_t cell)
{
    return p->altering.altered.value[cell] - p->cells->value[cell];
}

static void add_tiles(tacit_page *page, const engine_protection *p)
{
    static const char *const NAMES[] = {"cells", "changed", "largest change",
                                        "sums that do not add up"};
    char largest[32];
    engine_counted cells = engine_count(p->cells->count),
                   changed = engine_count(p->altering.altered.changed),
                   broken = engine_count(p->altering.altered.broken);
    const char *const values[] = {
        cells.text, changed.text,
        tacit_number_text(largest, sizeof largest, engine_alter_largest(p), 1), broken.text};
    tacit_page_tiles(page, NAMES, values, 4);
}

/* The class of a change: those below 0 first, by fifths of the largest. */
static int class_of(double change, double largest)
{
    if (fabs(change) <= TACIT_CELLS_EQUAL * fmax(1, largest))
        return CLASSES_A_SIDE;
    int fifth = (int)ceil(fabs(change) / largest * CLASSES_A_SIDE - TACIT_CELLS_EQUAL);
    fifth = fifth < 1 ? 1 : fifth > CLASSES_A_SIDE ? CLASSES_A_SIDE : fifth;
    return CLASSES_A_SIDE + (change < 0 ? -fifth : fifth);
}

static void add_bars(tacit_page *page, const engine_protection *p)
{
    double largest = engine_alter_largest(p), counts[CLASSES] = {0};
    char texts[CLASSES][NAME_BYTES];
    const char *names[CLASSES];
    if (largest == 0)
        return;
    for (int32_t i = 0; i < p->cells->count; i++)
        counts[class_of(change_of(p, i), largest)]++;
    for (int i = 0; i < CLASSES; i++) {
        double end = largest * (i - CLASSES_A_SIDE) / CLASSES_A_SIDE;
        snprintf(texts[i], NAME_BYTES, i == CLASSES_A_SIDE ? "none" : "to %+.4g", end);
        names[i] = texts[i];
    }
    tacit_page_bars(page, &(tacit_bars){.title = "Cells by what they were changed by",
                                        .x_label = "change",
                                        .y_label = "cells",
                                        .names = names,
                                        .first = counts,
                                        .first_name = "cells",
                                        .count = CLASSES,
                                        .root_scale = true,
                                        .marker = -1});
}

/* ---- the table ---- */

static tacit_grid_kind kind_of(const void *subject, int32_t cell)
{
    const engine_protection *p = subject;
    if (p->cells->status[cell] == TACIT_CELL_PRIMARY)
        return TACIT_GRID_PRIMARY;
    if (fabs(change_of(p, cell)) > TACIT_CELLS_EQUAL * fmax(1, fabs(p->cells->value[cell])))
        return TACIT_GRID_SECONDARY;
    return p->altering.altered.value[cell] == 0 ? TACIT_GRID_ZERO : TACIT_GRID_PUBLISHED;
}

static const char *say(char *buffer, size_t size, const void *subject, int32_t cell)
{
    const engine_protection *p = subject;
    snprintf(buffer, size, "%.15g was %.15g (%+.6g)", p->altering.altered.value[cell],
             p->cells->value[cell], change_of(p, cell));
    return buffer;
}

void engine_alter_page(tacit_page *page, const engine_protection *p)
{
    const engine_table_look look = {.kind = kind_of, .say = say, .subject = p};
    char text[256];
    tacit_page_paragraph(page, "This page is for the data holder: it has the true values.");
    if (p->altering.method->rounds) {
        snprintf(text, sizeof text, "Every value is published as a multiple of %.15g.",
                 p->altering.wanted.base);
        tacit_page_paragraph(page, text);
    }
    tacit_page_banner(page, true,
                      p->tally[TACIT_CELL_PRIMARY] > 0
                          ? "The audit: primary cells are hidden by their levels."
                          : "The audit: the published values are as the method says.");
    add_tiles(page, p);
    add_bars(page, p);
    engine_table_page_look(
        page, p->released,
        "Cells that were changed are hatched, primary ones solid. What a value was "
        "is shown where the pointer rests on the cell, and where the cell is clicked "
        "or tabbed to.",
        &look);
}
