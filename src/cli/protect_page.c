/*
 * protect_page.c - the page for people of a protected table.
 *
 * It may be shown with the release: it says nothing of a suppressed cell that does not follow
 * from the release and the bounds that everybody knows.
 */
#include <stdio.h>

#include "grid.h"
#include "protect.h"
#include "verdict.h"

static void add_tiles(tacit_page *page, const cli_protection *p)
{
    static const char *const NAMES[] = {"cells", "primary", "secondary", "value of the secondary"};
    cli_counted cells = cli_count(p->cells->count),
                primary = cli_count(p->tally[TACIT_CELL_PRIMARY]),
                secondary = cli_count(p->pattern.secondary);
    char value[32];
    tacit_number_text(value, sizeof value, cli_protect_value(p, TACIT_CELL_SECONDARY), 0);
    const char *const values[] = {cells.text, primary.text, secondary.text, value};
    tacit_page_tiles(page, NAMES, values, 4);
}

static void add_seconds(tacit_page *page, const cli_protection *p)
{
    static const char *const HEADER[] = {"step", "seconds"};
    cli_grid grid;
    cli_grid_init(&grid, HEADER, 2);
    for (int i = 0; i < CLI_PROTECT_STEPS; i++) {
        cli_grid_add(&grid, "%s", cli_protect_steps[i]);
        cli_grid_add(&grid, "%.3f", p->seconds[i]);
    }
    cli_grid_add(&grid, "total");
    cli_grid_add(&grid, "%.3f", p->total);
    cli_grid_show(&grid, page, "Time");
    cli_grid_clear(&grid);
}

void cli_protect_page(tacit_page *page, const void *subject)
{
    const cli_protection *p = subject;
    char text[256], cost[160];
    snprintf(text, sizeof text, "Made by tacit %s with the method %s.", tacit_version(),
             p->method->name);
    tacit_page_paragraph(page, text);
    tacit_page_banner(page, true,
                      "The audit: every suppressed cell is hidden, and primary cells by their "
                      "levels, over the whole table.");
    add_tiles(page, p);
    snprintf(text, sizeof text, "Suppression: %s.", cli_protect_sentence(cost, sizeof cost, p));
    tacit_page_paragraph(page, text);
    add_seconds(page, p);
}
