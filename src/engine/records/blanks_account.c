/*
 * blanks_account.c - what ambiguation did, for people and for programs: how many cells of
 * which columns it suppressed, how far that may be from the fewest, and how many rows
 * each row agrees with before and after.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/records/release.h"
#include "engine/records/verdict.h"

enum { NUMBER = 32 };

bool engine_release_ambiguates(const engine_release *release)
{
    return release->method->features & TACIT_METHOD_AMBIGUATES;
}

static const char *way_name(const engine_release *release)
{
    return tacit_ambiguate_way_name(release->blanks.how.way);
}

/* Suppressed cells of an attribute: rows on its highest level. */
static int64_t blanks_of(const engine_release *release, int32_t attribute)
{
    int height = tacit_hierarchy_height(release->hierarchies[attribute]);
    return release->level_rows[attribute * TACIT_MAX_LEVELS + height];
}

static double share_of_rows(const engine_release *release, int64_t count)
{
    return release->metrics.rows > 0 ? 100 * (double)count / (double)release->metrics.rows : 0;
}

/* How much of the cost could be saved at most; not a number where nothing is known. */
static double gap_of(const tacit_ambiguity *found)
{
    if (found->proven || found->cost <= 0)
        return 0;
    return (found->cost - found->bound) / found->cost;
}

static const char *plural(int64_t count, const char *one, const char *more)
{
    return count == 1 ? one : more;
}

/* "157 cells (0.5%) of 103 rows, the fewest there are". */
static const char *cells_sentence(char *text, size_t size, const engine_release *release)
{
    const tacit_ambiguity *found = &release->blanks.found;
    double all = (double)release->metrics.rows * release->frame.attribute_count;
    bool plain = found->cost == (double)found->cells;
    char price[64] = "";
    if (!plain)
        snprintf(price, sizeof price, " that cost %.6g", found->cost);
    size_t used = (size_t)snprintf(
        text, size, "%s %s (%.2g%%) of %s %s%s", engine_count(found->cells).text,
        plural(found->cells, "cell", "cells"), all > 0 ? 100 * (double)found->cells / all : 0,
        engine_count(found->rows).text, plural(found->rows, "row", "rows"), price);
    if (used >= size)
        return text;
    if (found->proven)
        snprintf(text + used, size - used, ", the %s there are", plain ? "fewest" : "cheapest");
    else if (isfinite(found->bound))
        snprintf(text + used, size - used, "; %s than %.6g, so at most %.1f%% could be saved",
                 plain ? "no fewer" : "none cost less", found->bound, 100 * gap_of(found));
    return text;
}

static const char *agreement_sentence(char *text, size_t size, const engine_release *release)
{
    const tacit_ambiguity *found = &release->blanks.found;
    if (!release->blanks.how.as_published) {
        snprintf(text, size,
                 "%lld people or more fit each row, and everybody fits %lld rows or more; before, "
                 "%s %s in a class of fewer than %lld",
                 (long long)found->people_after, (long long)found->rows_after,
                 engine_count(found->unsafe_rows).text,
                 plural(found->unsafe_rows, "row was", "rows were"), (long long)release->wanted.k);
        return text;
    }
    snprintf(text, size,
             "each row agrees with %lld rows or more, itself among them, %.1f on average; before, "
             "%s rows agreed with fewer than %lld",
             (long long)found->alpha_after, found->mean_after,
             engine_count(found->unsafe_rows).text, (long long)release->wanted.k);
    return text;
}

/* What was added to the cells that k needs, or left out of those that were found. */
static void tell_changes(FILE *out, const tacit_ambiguity *found)
{
    if (found->removed > 0)
        engine_line(out, "left out", "%s %s found and not needed",
                    engine_count(found->removed).text,
                    plural(found->removed, "cell that was", "cells that were"));
    if (found->hiding > 0)
        engine_line(out, "hidden", "%s %s added to hide dependencies",
                    engine_count(found->hiding).text,
                    plural(found->hiding, "cell was", "cells were"));
    if (found->redundant > 0)
        engine_line(out, "redundant", "%s %s added against who knows the method",
                    engine_count(found->redundant).text,
                    plural(found->redundant, "cell was", "cells were"));
}

/* The cheapest way is often a few rows without any value, which say nothing to anybody. */
static void tell_empty_rows(FILE *out, const engine_release *release)
{
    int64_t rows = release->verdict->suppressed_rows;
    if (rows > 0 && !release->blanks.how.strict && !release->blanks.how.most_row)
        engine_line(
            out, "empty rows",
            "%s %s no value left, and the others agree with %s; --max-row N bounds what a row "
            "may lose",
            engine_count(rows).text, plural(rows, "row has", "rows have"),
            plural(rows, "it", "them"));
}

void engine_blanks_tell(FILE *out, const engine_release *release)
{
    static const char *const HEADER[] = {"attribute", "suppressed", "share"};
    char text[256];
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 3);
    for (int32_t i = 0; i < release->frame.attribute_count; i++) {
        int64_t blanks = blanks_of(release, i);
        tacit_grid_add(&grid, "%s", release->promise.attributes[i].name);
        tacit_grid_add(&grid, "%lld", (long long)blanks);
        tacit_grid_add(&grid, "%.1f%%", share_of_rows(release, blanks));
    }
    tacit_grid_print(&grid, out);
    tacit_grid_clear(&grid);
    fputc('\n', out);
    engine_line(out, "suppressed", "%s", cells_sentence(text, sizeof text, release));
    tell_changes(out, &release->blanks.found);
    if (!release->blanks.how.strict && release->wanted.k > 1)
        engine_line(out, "agreement", "%s", agreement_sentence(text, sizeof text, release));
    tell_empty_rows(out, release);
}

void engine_blanks_account(tacit_account *account, const engine_release *release)
{
    const tacit_ambiguity *found = &release->blanks.found;
    const tacit_ambiguate *how = &release->blanks.how;
    tacit_account_text(account, "ambiguate.heuristic", tacit_strview_of(way_name(release)));
    tacit_account_text(account, "ambiguate.blanks",
                       tacit_strview_of(how->strict ? "blanks" : "anything"));
    tacit_account_bool(account, "ambiguate.both_ways", !how->strict && !how->as_published);
    tacit_account_integer(account, "ambiguate.cells", found->cells);
    tacit_account_integer(account, "ambiguate.rows", found->rows);
    tacit_account_real(account, "ambiguate.cost", found->cost);
    tacit_account_real(account, "ambiguate.lower_bound", found->bound);
    tacit_account_real(account, "ambiguate.gap", gap_of(found));
    tacit_account_bool(account, "ambiguate.proven", found->proven);
    tacit_account_bool(account, "ambiguate.stopped", found->stopped);
    tacit_account_integer(account, "ambiguate.nodes", found->nodes);
    tacit_account_integer(account, "ambiguate.removed", found->removed);
    tacit_account_integer(account, "ambiguate.redundant", found->redundant);
    tacit_account_integer(account, "ambiguate.hiding", found->hiding);
    if (found->closest >= 0)
        tacit_account_integer(account, "ambiguate.closest_rows", found->closest);
    tacit_account_integer(account, "ambiguate.rows_below_before", found->unsafe_rows);
    tacit_account_integer(account, "ambiguate.alpha.before.least", found->alpha_before);
    tacit_account_real(account, "ambiguate.alpha.before.mean", found->mean_before);
    if (!how->strict) {
        tacit_account_integer(account, "ambiguate.alpha.after.least", found->alpha_after);
        tacit_account_real(account, "ambiguate.alpha.after.mean", found->mean_after);
    }
    if (!how->strict && !how->as_published) {
        tacit_account_integer(account, "ambiguate.people_after", found->people_after);
        tacit_account_integer(account, "ambiguate.rows_after", found->rows_after);
    }
    for (int32_t i = 0; i < release->frame.attribute_count; i++)
        tacit_account_integer_in(account, "ambiguate.columns",
                                 tacit_strview_of(release->promise.attributes[i].name),
                                 blanks_of(release, i));
}

static void add_bars(tacit_page *page, const engine_release *release)
{
    const char *names[TACIT_MAX_BARS];
    double blanks[TACIT_MAX_BARS];
    int32_t count = release->frame.attribute_count;
    if (count > TACIT_MAX_BARS)
        return;
    for (int32_t i = 0; i < count; i++) {
        names[i] = release->promise.attributes[i].name;
        blanks[i] = (double)blanks_of(release, i);
    }
    const tacit_bars bars = {
        .title = "Suppressed cells by column",
        .x_label = "column",
        .y_label = "cells",
        .names = names,
        .first = blanks,
        .first_name = "suppressed",
        .count = count,
        .marker = -1,
    };
    tacit_page_bars(page, &bars);
}

static void add_row(tacit_grid *grid, const char *name, double value, int decimals)
{
    char text[NUMBER];
    tacit_grid_add(grid, "%s", name);
    tacit_grid_add(grid, "%s", tacit_number_text(text, sizeof text, value, decimals));
}

void engine_blanks_page(tacit_page *page, const engine_release *release)
{
    static const char *const HEADER[] = {"measure", "value"};
    const tacit_ambiguity *found = &release->blanks.found;
    char sentence[256], text[320];
    tacit_grid grid;
    snprintf(text, sizeof text, "Suppressed by the heuristic %s: %s.", way_name(release),
             cells_sentence(sentence, sizeof sentence, release));
    tacit_page_paragraph(page, text);
    add_bars(page, release);
    tacit_grid_init(&grid, HEADER, 2);
    add_row(&grid, "cells suppressed", (double)found->cells, 0);
    add_row(&grid, "rows with suppressed cells", (double)found->rows, 0);
    add_row(&grid, "cost", found->cost, found->cost == (double)found->cells ? 0 : 2);
    add_row(&grid, "no suppression costs less than", found->bound, 1);
    add_row(&grid, "cells found and not needed", (double)found->removed, 0);
    add_row(&grid, "cells added to hide dependencies", (double)found->hiding, 0);
    add_row(&grid, "cells added against who knows the method", (double)found->redundant, 0);
    add_row(&grid, "rows that agreed with fewer than k before", (double)found->unsafe_rows, 0);
    add_row(&grid, "rows that a row agreed with on average, before", found->mean_before, 1);
    if (!release->blanks.how.strict)
        add_row(&grid, "and after", found->mean_after, 1);
    tacit_grid_show(&grid, page, "What was suppressed");
    tacit_grid_clear(&grid);
}
