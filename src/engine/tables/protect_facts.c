/*
 * protect_facts.c - what `tacit protect` has to say of a table.
 *
 * Terminal and JSON are the data holder's: what they say of sums of suppressed values would be one
 * more equation for an adversary. The page of a table with suppressed cells may be shown with the
 * release, so it says nothing of them that does not follow from it: counts, but neither values nor
 * costs. What is said of total protection and of changed values is in files of their own.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/tables/protect.h"
#include "engine/tables/tables.h"

/* Sum of the values of cells with a status, without sign. */
static double value_of(const engine_protection *p, tacit_cell_status status)
{
    double sum = 0;
    for (int32_t i = 0; i < p->cells->count; i++)
        if (p->pattern.status[i] == (char)status)
            sum += fabs(p->cells->value[i]);
    return sum;
}

/* The share of the cost that another pattern could save at most; NAN: nothing is known. */
static double gap_of(const engine_protection *p)
{
    const tacit_pattern *pattern = &p->pattern;
    double cost = p->method->total ? pattern->added_cost : pattern->cost;
    if (pattern->proven || cost <= pattern->lower_bound)
        return 0;
    return (cost - pattern->lower_bound) / cost;
}

/* What is known of the cost, in words; cut to size, returns buffer. */
static const char *print_cost(char *buffer, size_t size, const engine_protection *p)
{
    const tacit_pattern *pattern = &p->pattern;
    char cost[32], bound[32];
    tacit_number_text(cost, sizeof cost, pattern->cost, 0);
    tacit_number_text(bound, sizeof bound, pattern->lower_bound, 0);
    if (pattern->proven)
        snprintf(buffer, size, "cost %s, the least there is", cost);
    else if (pattern->lower_bound > 0)
        snprintf(buffer, size, "cost %s; no pattern costs less than %s (gap %.1f %%)", cost, bound,
                 100 * gap_of(p));
    else
        snprintf(buffer, size, "cost %s", cost);
    return buffer;
}

/* ---- suppressed cells, for the data holder ---- */

static void add_intervals(tacit_report *report, const engine_protection *p)
{
    char shown[32];
    if (!p->intervals)
        return;
    double loss = tacit_intervals_loss(&p->pattern.intervals, p->cells);
    tacit_number_text(shown, sizeof shown, loss, 0);
    tacit_report_line(report, "intervals",
                      p->chosen ? "of loss %s as published" : "of loss %s, as anybody can tell",
                      shown);
    tacit_report_text(report, "intervals.kind", p->chosen ? "chosen" : "public");
    tacit_report_real(report, "intervals.loss", loss);
    if (p->chosen)
        tacit_report_real(report, "intervals.wider", p->wanted.wider);
}

static void add_pattern(tacit_report *report, const engine_protection *p)
{
    char value[32], cost[160];
    tacit_report_line(report, "secondary", "%s, of value %s; %s",
                      engine_count(p->pattern.secondary).text,
                      tacit_number_text(value, sizeof value, value_of(p, TACIT_CELL_SECONDARY), 0),
                      print_cost(cost, sizeof cost, p));
    if (p->pattern.repaired > 0)
        tacit_report_line(report, "repaired", "%s that the method alone did not protect",
                          engine_count(p->pattern.repaired).text);
    add_intervals(report, p);
    tacit_report_line(
        report, "audit",
        TACIT_MARK_GOOD
        "every suppressed cell is hidden, and primary cells by their levels%s%s" TACIT_MARK_PLAIN,
        p->singletons ? ", also from contributors" : "", p->sums ? ", and so are their sums" : "");
}

static void add_costs(tacit_report *report, const engine_protection *p)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_pattern, proven, "proven", NULL, 0),
        TACIT_FIELD(tacit_pattern, stopped, "stopped", NULL, 0),
        TACIT_FIELD(tacit_pattern, subtables, "subtables", NULL, 0),
        TACIT_FIELD(tacit_pattern, rounds, "rounds", NULL, 0),
        TACIT_FIELD(tacit_pattern, repaired, "repaired", NULL, 0),
    };
    tacit_report_integer(report, "secondary", p->pattern.secondary);
    tacit_report_real(report, "primary_value", value_of(p, TACIT_CELL_PRIMARY));
    tacit_report_real(report, "secondary_value", value_of(p, TACIT_CELL_SECONDARY));
    tacit_report_real(report, "cost", p->pattern.cost);
    tacit_report_real(report, "lower_bound", p->pattern.lower_bound);
    tacit_report_real(report, "gap", gap_of(p));
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), &p->pattern);
}

static void add_audit(tacit_report *report, const engine_protection *p)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_cells_audit, disclosed, "disclosed", NULL, 0),
        TACIT_FIELD(tacit_cells_audit, underprotected, "underprotected", NULL, 0),
    };
    static const tacit_field WORK[] = {
        TACIT_FIELD(tacit_cells_audit, blocks, "blocks", NULL, 0),
        TACIT_FIELD(tacit_cells_audit, programs, "programs", NULL, 0),
    };
    tacit_report_enter(report, "audit");
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), p->audit);
    if (p->singletons)
        tacit_report_integer(report, "singletons", p->audit->singleton_count);
    if (p->sums)
        tacit_report_integer(report, "sums", p->audit->sum_count);
    tacit_report_fields(report, WORK, TACIT_COUNT_OF(WORK), p->audit);
    tacit_report_leave(report);
}

/* ---- the page ---- */

static void draw_protected(tacit_page *page, const void *subject)
{
    const engine_protection *p = subject;
    engine_table_page(page, p->cells, p->pattern.status, p->audit);
}

static void add_public(tacit_report *report, const engine_protection *p)
{
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_PAGE);
    tacit_report_verdict(
        report, true, "The audit", "%s",
        p->method->total
            ? "nothing is known exactly about primary cells, not even a sum."
            : "every suppressed cell is hidden, and primary cells by their levels, over the whole "
              "table.");
    tacit_report_tile(report, "cells", "%s", engine_count(p->cells->count).text);
    tacit_report_tile(report, "primary", "%s", engine_count(p->tally[TACIT_CELL_PRIMARY]).text);
    tacit_report_tile(report, "secondary", "%s", engine_count(p->pattern.secondary).text);
    tacit_report_show(report, everywhere);
}

/* ---- all of it ---- */

static void add_suppressed(tacit_report *report, const engine_protection *p)
{
    bool total = p->method->total;
    add_public(report, p);
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_JSON | TACIT_SHOW_TEXT);
    add_costs(report, p);
    if (!total)
        add_pattern(report, p);
    add_audit(report, p);
    if (total)
        engine_total_facts(report, p);
    tacit_report_show(report, total ? TACIT_SHOW_JSON : everywhere);
    engine_table_levels_facts(report, &p->levels);
    tacit_report_show(report, everywhere);
    tacit_report_drawing(report, total ? engine_total_draw : draw_protected, p);
}

static void add_protect_head(tacit_report *report, const engine_protection *p)
{
    const char *target = p->targets[ENGINE_PROTECT_RELEASE], *method = engine_protect_method(p);
    int32_t primary = p->tally[TACIT_CELL_PRIMARY];
    tacit_report_text(report, "tacit", tacit_version());
    tacit_report_text(report, "command", "protect");
    tacit_report_text(report, "method", method);
    tacit_report_title(report, "%s: %s cells, by %s",
                       strcmp(target, "-") ? target : "standard output",
                       engine_count(p->cells->count).text, method);
    tacit_report_paragraph(report, "Made by tacit %s with the method %s.", tacit_version(), method);
    tacit_report_integer(report, "cells", p->cells->count);
    tacit_report_integer(report, "relations", p->cells->relations.count);
    tacit_report_integer(report, "primary", primary);
    unsigned everywhere = tacit_report_narrow(report, TACIT_SHOW_TEXT);
    if (p->method || primary > 0)
        tacit_report_line(report, "primary", "%s", engine_count(primary).text);
    tacit_report_show(report, everywhere);
}

static void add_seconds(tacit_report *report, const engine_protection *p)
{
    tacit_field field = {.type = TACIT_FIELD_DOUBLE, .decimals = 3};
    tacit_report_section(report, "Time");
    tacit_report_enter(report, "seconds");
    for (int i = 0; i < ENGINE_PROTECT_STEPS; i++) {
        field.name = field.label = engine_protect_step(p, i);
        tacit_report_fields(report, &field, 1, &p->seconds[i]);
    }
    field.name = field.label = "total";
    tacit_report_fields(report, &field, 1, &p->total_time);
    tacit_report_leave(report);
    tacit_report_show(report, TACIT_SHOW_TEXT);
    tacit_report_line(report, "time", "%.2f s", p->total_time);
}

static void fill_protect(tacit_report *report, const void *subject)
{
    const engine_protection *p = subject;
    add_protect_head(report, p);
    if (p->method)
        add_suppressed(report, p);
    else if (engine_is_noise(p))
        engine_noise_facts(report, p);
    else
        engine_alter_facts(report, p);
    add_seconds(report, p);
}

const engine_reports engine_protect_reports = {.title = "Protection of a table",
                                               .fill = fill_protect};
