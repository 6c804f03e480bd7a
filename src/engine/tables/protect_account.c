/*
 * protect_account.c - the account of a protected table: a few lines on the terminal and the JSON
 * of --report. Both are the data holder's: what they say of sums of suppressed values would be
 * one more equation for an adversary.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/job/files.h"
#include "engine/records/verdict.h"
#include "engine/tables/protect.h"

double engine_protect_value(const engine_protection *p, tacit_cell_status status)
{
    double sum = 0;
    for (int32_t i = 0; i < p->cells->count; i++)
        if (p->pattern.status[i] == (char)status)
            sum += fabs(p->cells->value[i]);
    return sum;
}

double engine_protect_gap(const engine_protection *p)
{
    const tacit_pattern *pattern = &p->pattern;
    double cost = p->method->total ? pattern->added_cost : pattern->cost;
    if (pattern->proven || cost <= pattern->lower_bound)
        return 0;
    return (cost - pattern->lower_bound) / cost;
}

const char *engine_protect_sentence(char *buffer, size_t size, const engine_protection *p)
{
    const tacit_pattern *pattern = &p->pattern;
    char cost[32], bound[32];
    tacit_number_text(cost, sizeof cost, pattern->cost, 0);
    tacit_number_text(bound, sizeof bound, pattern->lower_bound, 0);
    if (pattern->proven)
        snprintf(buffer, size, "cost %s, the least there is", cost);
    else if (pattern->lower_bound > 0)
        snprintf(buffer, size, "cost %s; no pattern costs less than %s (gap %.1f %%)", cost, bound,
                 100 * engine_protect_gap(p));
    else
        snprintf(buffer, size, "cost %s", cost);
    return buffer;
}

/* ---- the terminal ---- */

static void tell_pattern(FILE *out, const engine_protection *p)
{
    char value[32], sentence[160];
    engine_line(
        out, "secondary", "%s, of value %s; %s", engine_count(p->pattern.secondary).text,
        tacit_number_text(value, sizeof value, engine_protect_value(p, TACIT_CELL_SECONDARY), 0),
        engine_protect_sentence(sentence, sizeof sentence, p));
    if (p->pattern.repaired > 0)
        engine_line(out, "repaired", "%s that the method alone did not protect",
                    engine_count(p->pattern.repaired).text);
    engine_intervals_tell(out, p);
    engine_line(out, "audit",
                "%severy suppressed cell is hidden, and primary cells by their levels%s%s%s",
                ENGINE_GOOD, p->singletons ? ", also from contributors" : "",
                p->sums ? ", and so are their sums" : "", ENGINE_PLAIN);
}

/* Levels are no part of that promise, so what becomes of them is said. */
static void tell_total(FILE *out, const engine_protection *p)
{
    char sentence[160];
    engine_line(out, "before",
                "%s cells were known exactly, and %s independent sums of primary cells",
                engine_count(p->total.before->invariant_count).text,
                engine_count(p->total.before->leaks).text);
    engine_line(out, "secondary", "%s; %s", engine_count(p->pattern.secondary).text,
                engine_total_sentence(sentence, sizeof sentence, p));
    engine_line(out, "audit", "%snothing is known exactly about primary cells, not even a sum%s",
                ENGINE_GOOD, ENGINE_PLAIN);
    if (p->audit->underprotected > 0)
        engine_line(out, "intervals",
                    "of %s primary cells are narrower than their levels, which total "
                    "protection does not promise; hitas does",
                    engine_count(p->audit->underprotected).text);
}

void engine_protect_tell(FILE *out, const engine_protection *p)
{
    const char *target = p->targets[ENGINE_PROTECT_RELEASE];
    engine_print_title(out, "%s: %s cells, by %s", strcmp(target, "-") ? target : "standard output",
                       engine_count(p->cells->count).text, engine_protect_method(p));
    if (p->method || p->tally[TACIT_CELL_PRIMARY] > 0)
        engine_line(out, "primary", "%s", engine_count(p->tally[TACIT_CELL_PRIMARY]).text);
    if (!p->method)
        engine_alter_tell(out, p);
    else if (p->method->total)
        tell_total(out, p);
    else
        tell_pattern(out, p);
    engine_line(out, "time", "%.2f s", p->total_time);
    if (engine_is_jj(target))
        engine_warn(p->session, "%s has %s too: it is for you, not for release", target,
                    p->method ? "the suppressed values" : "costs and bounds of the true values");
}
/* ---- JSON ---- */

static void add_pattern(tacit_account *account, const engine_protection *p)
{
    const tacit_pattern *pattern = &p->pattern;
    tacit_account_text(account, "method", tacit_strview_of(p->method->name));
    tacit_account_integer(account, "cells", p->cells->count);
    tacit_account_integer(account, "relations", p->cells->relations.count);
    tacit_account_integer(account, "primary", p->tally[TACIT_CELL_PRIMARY]);
    tacit_account_integer(account, "secondary", pattern->secondary);
    tacit_account_real(account, "primary_value", engine_protect_value(p, TACIT_CELL_PRIMARY));
    tacit_account_real(account, "secondary_value", engine_protect_value(p, TACIT_CELL_SECONDARY));
    tacit_account_real(account, "cost", pattern->cost);
    tacit_account_real(account, "lower_bound", pattern->lower_bound);
    tacit_account_real(account, "gap", engine_protect_gap(p));
    tacit_account_bool(account, "proven", pattern->proven);
    tacit_account_bool(account, "stopped", pattern->stopped);
    tacit_account_integer(account, "subtables", pattern->subtables);
    tacit_account_integer(account, "rounds", pattern->rounds);
    tacit_account_integer(account, "repaired", pattern->repaired);
}

static void add_audit(tacit_account *account, const engine_protection *p)
{
    const tacit_cells_audit *audit = p->audit;
    tacit_account_integer(account, "audit.disclosed", audit->disclosed);
    tacit_account_integer(account, "audit.underprotected", audit->underprotected);
    if (p->singletons)
        tacit_account_integer(account, "audit.singletons", audit->singleton_count);
    if (p->sums)
        tacit_account_integer(account, "audit.sums", audit->sum_count);
    tacit_account_integer(account, "audit.blocks", audit->blocks);
    tacit_account_integer(account, "audit.programs", audit->programs);
}

static void add_suppressed(tacit_account *account, const engine_protection *p)
{
    add_pattern(account, p);
    engine_intervals_account(account, p);
    add_audit(account, p);
    if (p->method->total)
        engine_total_account(account, p);
    engine_table_levels_account(account, &p->levels);
}

static void fill_account(tacit_account *account, const void *subject)
{
    const engine_protection *p = subject;
    char path[32];
    tacit_account_text(account, "tacit", tacit_strview_of(tacit_version()));
    tacit_account_text(account, "command", tacit_strview_of("protect"));
    if (p->method)
        add_suppressed(account, p);
    else
        engine_alter_account(account, p);
    for (int i = 0; i < ENGINE_PROTECT_STEPS; i++) {
        snprintf(path, sizeof path, "seconds.%s", engine_protect_step(p, i));
        tacit_account_real(account, path, p->seconds[i]);
    }
    tacit_account_real(account, "seconds.total", p->total_time);
}

const engine_reports engine_protect_reports = {"Protection of a table", fill_account,
                                               engine_protect_page, NULL};

tacit_status engine_protect_report(engine_protection *p)
{
    tacit_status status = TACIT_OK;
    if (p->method)
        status =
            engine_table_levels_init(&p->levels, p->cells, p->pattern.status, &p->session->error);
    return status == TACIT_OK ? engine_report(p->session, &engine_protect_reports, p) : status;
}
