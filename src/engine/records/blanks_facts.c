/*
 * blanks_facts.c - what ambiguation did: how many cells of which columns it suppressed, how far
 * that may be from the fewest, and how many rows each row agrees with before and after.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/records/release.h"

bool engine_release_ambiguates(const engine_release *release)
{
    return release->method->features & TACIT_METHOD_AMBIGUATES;
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

/* What was added to the cells that k needs, or left out of those that were found; the page has the
 * numbers. */
static void print_changes(tacit_report *report, const tacit_ambiguity *found)
{
    unsigned before = tacit_report_show(report, TACIT_SHOW_TEXT);
    if (found->removed > 0)
        tacit_report_line(report, "left out", "%s %s found and not needed",
                          engine_count(found->removed).text,
                          plural(found->removed, "cell that was", "cells that were"));
    if (found->hiding > 0)
        tacit_report_line(report, "hidden", "%s %s added to hide dependencies",
                          engine_count(found->hiding).text,
                          plural(found->hiding, "cell was", "cells were"));
    if (found->redundant > 0)
        tacit_report_line(report, "redundant", "%s %s added against who knows the method",
                          engine_count(found->redundant).text,
                          plural(found->redundant, "cell was", "cells were"));
    tacit_report_show(report, before);
}

/* The cheapest way is often a few rows without any value, which say nothing to anybody. */
static void say_empty_rows(tacit_report *report, const engine_release *release)
{
    int64_t rows = release->verdict->suppressed_rows;
    if (rows > 0 && !release->blanks.how.strict && !release->blanks.how.most_row)
        tacit_report_line(
            report, "empty rows",
            "%s %s no value left, and the others agree with %s; --max-row N bounds what a row "
            "may lose",
            engine_count(rows).text, plural(rows, "row has", "rows have"),
            plural(rows, "it", "them"));
}

static void draw_blanks(tacit_page *page, const void *subject)
{
    const engine_release *release = subject;
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

/* In a table on the terminal, in a chart on the page. */
static void add_columns(tacit_report *report, const engine_release *release)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "attribute"},
        {.heading = "suppressed", .format = "%.0f"},
        {.heading = "share", .format = "%.1f%%"},
    };
    tacit_report_begin(report, TACIT_TABLE(NULL, NULL, true, COLUMNS));
    for (int32_t i = 0; i < release->frame.attribute_count; i++) {
        int64_t blanks = blanks_of(release, i);
        tacit_report_cell(report, "%s", release->promise.attributes[i].name);
        tacit_report_cell_integer(report, blanks);
        tacit_report_cell_real(report, share_of_rows(release, blanks));
    }
    tacit_report_gap(report);
    tacit_report_drawing(report, draw_blanks, release);
    for (int32_t i = 0; i < release->frame.attribute_count; i++)
        tacit_report_integer_in(report, "columns",
                                tacit_strview_of(release->promise.attributes[i].name),
                                blanks_of(release, i));
}

static void add_numbers(tacit_report *report, const engine_release *release)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_ambiguity, cells, "cells", "cells suppressed", 0),
        TACIT_FIELD(tacit_ambiguity, rows, "rows", "rows with suppressed cells", 0),
        TACIT_FIELD(tacit_ambiguity, cost, "cost", "cost", 2),
        TACIT_FIELD(tacit_ambiguity, bound, "lower_bound", "no suppression costs less than", 1),
        TACIT_FIELD(tacit_ambiguity, proven, "proven", NULL, 0),
        TACIT_FIELD(tacit_ambiguity, stopped, "stopped", NULL, 0),
        TACIT_FIELD(tacit_ambiguity, nodes, "nodes", NULL, 0),
        TACIT_FIELD(tacit_ambiguity, removed, "removed", "cells found and not needed", 0),
        TACIT_FIELD(tacit_ambiguity, redundant, "redundant",
                    "cells added against who knows the method", 0),
        TACIT_FIELD(tacit_ambiguity, hiding, "hiding", "cells added to hide dependencies", 0),
        TACIT_FIELD(tacit_ambiguity, unsafe_rows, "rows_below_before",
                    "rows that agreed with fewer than k before", 0),
        TACIT_FIELD(tacit_ambiguity, alpha_before, "alpha.before.least", NULL, 0),
        TACIT_FIELD(tacit_ambiguity, mean_before, "alpha.before.mean",
                    "rows that a row agreed with on average, before", 1),
    };
    static const tacit_field AFTER[] = {
        TACIT_FIELD(tacit_ambiguity, alpha_after, "alpha.after.least", NULL, 0),
        TACIT_FIELD(tacit_ambiguity, mean_after, "alpha.after.mean", "and after", 1),
    };
    const tacit_ambiguity *found = &release->blanks.found;
    const tacit_ambiguate *how = &release->blanks.how;
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), found);
    tacit_report_real(report, "gap", gap_of(found));
    if (found->closest >= 0)
        tacit_report_integer(report, "closest_rows", found->closest);
    if (!how->strict)
        tacit_report_fields(report, AFTER, TACIT_COUNT_OF(AFTER), found);
    if (!how->strict && !how->as_published) {
        tacit_report_integer(report, "people_after", found->people_after);
        tacit_report_integer(report, "rows_after", found->rows_after);
    }
}

void engine_blanks_facts(tacit_report *report, const engine_release *release)
{
    const tacit_ambiguate *how = &release->blanks.how;
    const char *heuristic = tacit_ambiguate_way_name(how->way);
    char text[256];
    tacit_report_enter(report, "ambiguate");
    tacit_report_text(report, "heuristic", heuristic);
    tacit_report_text(report, "blanks", how->strict ? "blanks" : "anything");
    tacit_report_bool(report, "both_ways", !how->strict && !how->as_published);
    tacit_report_paragraph(report, "Suppressed by the heuristic %s.", heuristic);
    add_columns(report, release);
    tacit_report_line(report, "suppressed", "%s", cells_sentence(text, sizeof text, release));
    print_changes(report, &release->blanks.found);
    if (!how->strict && release->wanted.k > 1)
        tacit_report_line(report, "agreement", "%s",
                          agreement_sentence(text, sizeof text, release));
    say_empty_rows(report, release);
    add_numbers(report, release);
    tacit_report_leave(report);
}
