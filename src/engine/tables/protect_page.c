/*
 * protect_page.c - the page for people of a protected table.
 *
 * It may be shown with the release: it says nothing of a suppressed cell that does not follow
 * from the release.
 */
#include <stdio.h>

#include "engine/records/verdict.h"
#include "engine/tables/protect.h"
#include "engine/tables/table_page.h"

/* Counts alone: a sum of suppressed values, and a cost that is one, would be a further equation
 * for the adversary. */
static void add_tiles(tacit_page *page, const engine_protection *p)
{
    static const char *const NAMES[] = {"cells", "primary", "secondary"};
    engine_counted cells = engine_count(p->cells->count),
                   primary = engine_count(p->tally[TACIT_CELL_PRIMARY]),
                   secondary = engine_count(p->pattern.secondary);
    const char *const values[] = {cells.text, primary.text, secondary.text};
    tacit_page_tiles(page, NAMES, values, 3);
}

static void add_seconds(tacit_page *page, const engine_protection *p)
{
    static const char *const HEADER[] = {"step", "seconds"};
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 2);
    for (int i = 0; i < ENGINE_PROTECT_STEPS; i++) {
        tacit_grid_add(&grid, "%s", engine_protect_step(p, i));
        tacit_grid_add(&grid, "%.3f", p->seconds[i]);
    }
    tacit_grid_add(&grid, "total");
    tacit_grid_add(&grid, "%.3f", p->total_time);
    tacit_grid_show(&grid, page, "Time");
    tacit_grid_clear(&grid);
}

static void show_suppressed(tacit_page *page, const engine_protection *p)
{
    tacit_page_banner(
        page, true,
        p->method->total
            ? "The audit: nothing is known exactly about primary cells, not even a sum."
            : "The audit: every suppressed cell is hidden, and primary cells by their levels, over "
              "the whole table.");
    add_tiles(page, p);
    if (p->method->total)
        engine_total_page(page, p);
    else
        engine_table_page(page, p->cells, p->pattern.status, p->audit);
}

void engine_protect_page(tacit_page *page, const void *subject)
{
    const engine_protection *p = subject;
    char text[256];
    snprintf(text, sizeof text, "Made by tacit %s with the method %s.", tacit_version(),
             engine_protect_method(p));
    tacit_page_paragraph(page, text);
    if (p->method)
        show_suppressed(page, p);
    else
        engine_alter_page(page, p);
    add_seconds(page, p);
}
