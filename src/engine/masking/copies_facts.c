/*
 * copies_facts.c - how much a release with values that were drawn repeats of its original: rows
 * that only one person has, what can be told of somebody whose keys are known, and how near its
 * rows are to real ones, each beside what the original tells of itself. Shares and counts only.
 */
#include "engine/masking/measured.h"

#include <stdio.h>

static double share_of(int64_t part, int64_t all)
{
    return all ? 100 * (double)part / (double)all : 0;
}

static void say_uniques(tacit_report *report, const tacit_copies *found)
{
    tacit_report_line(report, "copies",
                      "%s of %s rows are like a single row of the data in the quasi-identifiers "
                      "(%.1f%%), %s in all columns; %s rows of the data are like no other in the "
                      "first, %s in the second",
                      engine_count(found->keys.replicated).text, engine_count(found->released).text,
                      share_of(found->keys.replicated, found->released),
                      engine_count(found->all.replicated).text,
                      engine_count(found->keys.unique).text, engine_count(found->all.unique).text);
}

/* The column of which most is told. */
static const tacit_copies_other *worst_of(const tacit_copies *found)
{
    const tacit_copies_other *worst = NULL;
    for (size_t i = 0; i < found->other_count; i++)
        if (!worst || found->others[i].certain > worst->certain)
            worst = &found->others[i];
    return worst;
}

static void say_attribution(tacit_report *report, const tacit_copies *found)
{
    const tacit_copies_other *worst = worst_of(found);
    char name[64];
    if (!worst)
        return;
    tacit_report_line(report, "attributed",
                      "\"%s\" is told for certain, and rightly, of %.1f%% of all people by the "
                      "released rows with their quasi-identifiers, and wrongly of %.1f%%; by other "
                      "people's rows of the data it would be of %.1f%%",
                      engine_printable(name, sizeof name, tacit_strview_of(worst->name)),
                      share_of(worst->certain, found->rows), share_of(worst->misled, found->rows),
                      share_of(worst->others_certain, found->rows));
    tacit_report_line(report, "",
                      "a released row with somebody's quasi-identifiers is right about it in "
                      "%.1f%%, another person's row of the data in %.1f%%, any released row in "
                      "%.1f%%",
                      100 * worst->right, 100 * worst->others_right, 100 * worst->guess);
}

static void say_nearness(tacit_report *report, const tacit_copies *found)
{
    const tacit_copies_near *near = &found->near;
    if (near->released == 0)
        return;
    tacit_report_line(report, "nearness",
                      "in %.1f%% of pairs a released row is nearer to the data than a row of the "
                      "data is to the others: 50%% for rows drawn anew, more for copies (%s and "
                      "%s rows looked at)",
                      100 * near->closer, engine_count(near->released).text,
                      engine_count(near->original).text);
}

static void add_others(tacit_report *report, const tacit_copies *found)
{
    static const tacit_report_column COLUMNS[] = {
        {.key = "column", .heading = "column"},
        {.key = "reached", .heading = "people reached"},
        {.key = "certain", .heading = "certain and right"},
        {.key = "misled", .heading = "certain and wrong"},
        {.key = "right", .heading = "% right", .scale = 100, .decimals = 1},
        {.key = "others_reached"},
        {.key = "others_certain", .heading = "certain by others' data"},
        {.key = "others_right", .heading = "% right by it", .scale = 100, .decimals = 1},
        {.key = "guess", .heading = "% by any row", .scale = 100, .decimals = 1},
    };
    if (found->other_count == 0)
        return;
    tacit_report_begin(
        report, TACIT_TABLE("attribution", "What the quasi-identifiers tell", false, COLUMNS));
    for (size_t i = 0; i < found->other_count; i++) {
        const tacit_copies_other *other = &found->others[i];
        tacit_report_cell(report, "%s", other->name);
        tacit_report_cell_integer(report, other->reached);
        tacit_report_cell_integer(report, other->certain);
        tacit_report_cell_integer(report, other->misled);
        tacit_report_cell_real(report, other->right);
        tacit_report_cell_integer(report, other->others_reached);
        tacit_report_cell_integer(report, other->others_certain);
        tacit_report_cell_real(report, other->others_right);
        tacit_report_cell_real(report, other->guess);
    }
}

void engine_copies_facts(tacit_report *report, const tacit_copies *found)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_copies, rows, "rows", NULL, 0),
        TACIT_FIELD(tacit_copies, released, "released", NULL, 0),
        TACIT_FIELD(tacit_copies, keys.unique, "quasi.unique", NULL, 0),
        TACIT_FIELD(tacit_copies, keys.replicated, "quasi.replicated", NULL, 0),
        TACIT_FIELD(tacit_copies, keys.equal, "quasi.equal", NULL, 0),
        TACIT_FIELD(tacit_copies, all.unique, "all.unique", NULL, 0),
        TACIT_FIELD(tacit_copies, all.replicated, "all.replicated", NULL, 0),
        TACIT_FIELD(tacit_copies, all.equal, "all.equal", NULL, 0),
        TACIT_FIELD(tacit_copies, near.released, "nearness.released", NULL, 0),
        TACIT_FIELD(tacit_copies, near.original, "nearness.original", NULL, 0),
        TACIT_FIELD(tacit_copies, near.closer, "nearness.closer", NULL, 0),
        TACIT_FIELD(tacit_copies, near.distance[0], "nearness.distance", NULL, 0),
        TACIT_FIELD(tacit_copies, near.distance[1], "nearness.distance_of_data", NULL, 0),
        TACIT_FIELD(tacit_copies, near.ratio[0], "nearness.ratio", NULL, 0),
        TACIT_FIELD(tacit_copies, near.ratio[1], "nearness.ratio_of_data", NULL, 0),
    };
    tacit_report_enter(report, "copies");
    tacit_report_section(report, "Copies");
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), found);
    say_uniques(report, found);
    say_attribution(report, found);
    say_nearness(report, found);
    add_others(report, found);
    tacit_report_leave(report);
}
