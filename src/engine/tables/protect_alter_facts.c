/*
 * protect_alter_facts.c - what is said of a table whose values were changed: how many cells changed
 * by how much, what can still be worked out, and the table with its true values where the pointer
 * rests.
 *
 * Whoever gets the release may be told the method and its base, which the judge takes for known;
 * the rest, the page with it, is the data holder's.
 */
#include <math.h>
#include <stdio.h>

#include "engine/tables/protect.h"
#include "engine/tables/tables.h"

enum { CLASSES_A_SIDE = 5, CLASSES = 2 * CLASSES_A_SIDE + 1, CLASS_BYTES = 48 };

static double change_of(const engine_protection *p, int32_t cell)
{
    return p->altering.altered.value[cell] - p->cells->value[cell];
}

static double largest_change(const engine_protection *p)
{
    double largest = 0;
    for (int32_t i = 0; i < p->cells->count; i++)
        largest = fmax(largest, fabs(change_of(p, i)));
    return largest;
}

/* Over the cells that were changed. */
static double mean_change(const engine_protection *p)
{
    double sum = 0;
    for (int32_t i = 0; i < p->cells->count; i++)
        sum += fabs(change_of(p, i));
    return p->altering.altered.changed > 0 ? sum / p->altering.altered.changed : 0;
}

/* The share of the distance that another table could save at most; NAN: nothing is known. */
static double distance_gap(const tacit_altered *altered)
{
    if (altered->proven || altered->distance <= altered->lower_bound)
        return 0;
    return (altered->distance - altered->lower_bound) / altered->distance;
}

/* ---- drawings ---- */

/* The class of a change: those below 0 first, by fifths of the largest. */
static int change_class(double change, double largest)
{
    if (fabs(change) <= TACIT_CELLS_EQUAL * fmax(1, largest))
        return CLASSES_A_SIDE;
    int fifth = (int)ceil(fabs(change) / largest * CLASSES_A_SIDE - TACIT_CELLS_EQUAL);
    fifth = fifth < 1 ? 1 : fifth > CLASSES_A_SIDE ? CLASSES_A_SIDE : fifth;
    return CLASSES_A_SIDE + (change < 0 ? -fifth : fifth);
}

static void draw_changes(tacit_page *page, const void *subject)
{
    const engine_protection *p = subject;
    double largest = largest_change(p), counts[CLASSES] = {0};
    char texts[CLASSES][CLASS_BYTES];
    const char *names[CLASSES];
    if (largest == 0)
        return;
    for (int32_t i = 0; i < p->cells->count; i++)
        counts[change_class(change_of(p, i), largest)]++;
    for (int i = 0; i < CLASSES; i++) {
        double end = largest * (i - CLASSES_A_SIDE) / CLASSES_A_SIDE;
        snprintf(texts[i], CLASS_BYTES, i == CLASSES_A_SIDE ? "none" : "to %+.4g", end);
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

static tacit_grid_kind altered_kind(const void *subject, int32_t cell)
{
    const engine_protection *p = subject;
    if (p->cells->status[cell] == TACIT_CELL_PRIMARY)
        return TACIT_GRID_PRIMARY;
    if (fabs(change_of(p, cell)) > TACIT_CELLS_EQUAL * fmax(1, fabs(p->cells->value[cell])))
        return TACIT_GRID_SECONDARY;
    return p->altering.altered.value[cell] == 0 ? TACIT_GRID_ZERO : TACIT_GRID_PUBLISHED;
}

static const char *print_altered(char *buffer, size_t size, const void *subject, int32_t cell)
{
    const engine_protection *p = subject;
    snprintf(buffer, size, "%.15g was %.15g (%+.6g)", p->altering.altered.value[cell],
             p->cells->value[cell], change_of(p, cell));
    return buffer;
}

static void draw_altered(tacit_page *page, const void *subject)
{
    const engine_protection *p = subject;
    const engine_table_look look = {.kind = altered_kind, .say = print_altered, .subject = p};
    engine_table_page_look(
        page, p->released,
        "Cells that were changed are hatched, primary ones solid. What a value was "
        "is shown where the pointer rests on the cell, and where the cell is clicked "
        "or tabbed to.",
        &look);
}

/* ---- facts ---- */

static void add_page(tacit_report *report, const engine_protection *p)
{
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_PAGE);
    tacit_report_paragraph(report, "This page is for the data holder: it has the true values.");
    if (p->altering.method->rounds)
        tacit_report_paragraph(report, "Every value is published as a multiple of %.15g.",
                               p->altering.wanted.base);
    tacit_report_verdict(report, true, "The audit", "%s",
                         p->tally[TACIT_CELL_PRIMARY] > 0
                             ? "primary cells are hidden by their levels."
                             : "the published values are as the method says.");
    tacit_report_tile(report, "cells", "%s", engine_count(p->cells->count).text);
    tacit_report_tile(report, "changed", "%s", engine_count(p->altering.altered.changed).text);
    char largest[32];
    tacit_report_tile(report, "largest change", "%s",
                      tacit_number_text(largest, sizeof largest, largest_change(p), 1));
    tacit_report_tile(report, "sums that do not add up", "%s",
                      engine_count(p->altering.altered.broken).text);
    tacit_report_show(report, everywhere);
}

static void add_rounding(tacit_report *report, const engine_protection *p)
{
    const tacit_altered *altered = &p->altering.altered;
    double base = p->altering.wanted.base;
    tacit_report_line(report, "base", "%g; %s at the nearest multiple", base,
                      engine_count(p->cells->count - altered->far).text);
    if (altered->reach > base)
        tacit_report_line(
            report, "further",
            "no table was found in which every cell is next to its value: some are up to %g away",
            altered->reach);
}

static void add_changes(tacit_report *report, const engine_protection *p)
{
    const tacit_altered *altered = &p->altering.altered;
    char largest[32], mean[32];
    tacit_report_line(report, "changed", "%s, by %s at most and %s on average",
                      engine_many(altered->changed, "cell").text,
                      tacit_number_text(largest, sizeof largest, largest_change(p), 1),
                      tacit_number_text(mean, sizeof mean, mean_change(p), 1));
    if (p->altering.released.decimals && !p->cells->decimals)
        tacit_report_line(report, "fractions",
                          "no table in whole numbers was found within the limits");
    if (altered->broken > 0)
        tacit_report_line(report, "sums", "%s of %s do not add up any more",
                          engine_count(altered->broken).text,
                          engine_count(p->cells->relations.count).text);
    else
        tacit_report_line(report, "sums", "all add up");
    if (p->altering.barred > 0)
        tacit_report_line(report, "closed",
                          "%s that primary cells could have moved in, because sums would have "
                          "revealed them",
                          engine_many(p->altering.barred, "direction").text);
}

static void add_distance(tacit_report *report, const tacit_altered *altered)
{
    char distance[32], bound[32];
    tacit_number_text(distance, sizeof distance, altered->distance, 1);
    tacit_number_text(bound, sizeof bound, altered->lower_bound, 1);
    if (altered->proven)
        tacit_report_line(report, "distance", "%s, the least there is", distance);
    else if (altered->lower_bound > 0)
        tacit_report_line(report, "distance", "%s; no such table is nearer than %s (gap %.1f %%)",
                          distance, bound, 100 * distance_gap(altered));
    else
        tacit_report_line(report, "distance", "%s", distance);
}

static void add_audit_lines(tacit_report *report, const engine_protection *p)
{
    const tacit_altered_audit *audit = p->altering.audit;
    if (audit->one_sided > 0)
        tacit_report_line(report, "one-sided", "anybody can tell which way %s moved",
                          engine_many(audit->one_sided, "primary cell").text);
    if (p->tally[TACIT_CELL_PRIMARY] > 0)
        tacit_report_line(report, "audit",
                          TACIT_MARK_GOOD
                          "primary cells are hidden by their levels" TACIT_MARK_PLAIN);
    if (audit->disclosed > 0)
        tacit_report_line(report, "known", "%s%s not primary can be worked out all the same",
                          audit->unknown > 0 ? "at most " : "",
                          engine_many(audit->disclosed, "cell that is|cells that are").text);
    else
        tacit_report_line(report, "known", "no value that was changed can be worked out");
}

static void add_values(tacit_report *report, const engine_protection *p)
{
    static const tacit_field DISTANCE[] = {
        TACIT_FIELD(tacit_altered, reach, "reach", NULL, 0),
        TACIT_FIELD(tacit_altered, distance, "distance", NULL, 0),
        TACIT_FIELD(tacit_altered, lower_bound, "lower_bound", NULL, 0),
    };
    const engine_altering *a = &p->altering;
    if (a->method->rounds)
        tacit_report_real(report, "base", a->wanted.base);
    tacit_report_integer(report, "changed", a->altered.changed);
    tacit_report_integer(report, "broken", a->altered.broken);
    if (a->method->rounds)
        tacit_report_integer(report, "far", a->altered.far);
    tacit_report_real(report, "largest_change", largest_change(p));
    tacit_report_real(report, "mean_change", mean_change(p));
    tacit_report_fields(report, DISTANCE, TACIT_COUNT_OF(DISTANCE), &a->altered);
    tacit_report_real(report, "gap", distance_gap(&a->altered));
    tacit_report_bool(report, "proven", a->altered.proven);
    tacit_report_bool(report, "stopped", a->altered.stopped);
    if (!a->method->rounds)
        tacit_report_integer(report, "closed_ways", a->barred);
}

static void add_audit_values(tacit_report *report, const tacit_altered_audit *audit)
{
    static const tacit_field AUDIT[] = {
        TACIT_FIELD(tacit_altered_audit, cell_count, "cells", NULL, 0),
        TACIT_FIELD(tacit_altered_audit, disclosed, "disclosed", NULL, 0),
        TACIT_FIELD(tacit_altered_audit, underprotected, "underprotected", NULL, 0),
        TACIT_FIELD(tacit_altered_audit, one_sided, "one_sided", NULL, 0),
        TACIT_FIELD(tacit_altered_audit, broken, "broken", NULL, 0),
        TACIT_FIELD(tacit_altered_audit, programs, "programs", NULL, 0),
        TACIT_FIELD(tacit_altered_audit, unknown, "unknown", NULL, 0),
    };
    tacit_report_object(report, "audit", AUDIT, TACIT_COUNT_OF(AUDIT), audit);
}

void engine_alter_drawings(tacit_report *report, const engine_protection *p)
{
    tacit_report_drawing(report, draw_changes, p);
    tacit_report_drawing(report, draw_altered, p);
}

void engine_alter_facts(tacit_report *report, const engine_protection *p)
{
    const engine_altering *a = &p->altering;
    add_page(report, p);
    if (a->method->rounds)
        add_rounding(report, p);
    add_changes(report, p);
    add_distance(report, &a->altered);
    add_audit_lines(report, p);
    add_values(report, p);
    add_audit_values(report, a->audit);
    engine_alter_drawings(report, p);
}
