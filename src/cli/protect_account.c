/*
 * protect_account.c - the account of a protected table: a few lines on the terminal and the JSON
 * of --report. Both are the data holder's: what they say of sums of suppressed values would be
 * one more equation for an adversary.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "files.h"
#include "protect.h"
#include "verdict.h"

double cli_protect_value(const cli_protection *p, tacit_cell_status status)
{
    double sum = 0;
    for (int32_t i = 0; i < p->cells->count; i++)
        if (p->pattern.status[i] == (char)status)
            sum += fabs(p->cells->value[i]);
    return sum;
}

double cli_protect_gap(const cli_protection *p)
{
    const tacit_pattern *pattern = &p->pattern;
    double cost = p->method->total ? pattern->added_cost : pattern->cost;
    if (pattern->proven || cost <= pattern->lower_bound)
        return 0;
    return (cost - pattern->lower_bound) / cost;
}

const char *cli_protect_sentence(char *buffer, size_t size, const cli_protection *p)
{
    const tacit_pattern *pattern = &p->pattern;
    char cost[32], bound[32];
    tacit_number_text(cost, sizeof cost, pattern->cost, 0);
    tacit_number_text(bound, sizeof bound, pattern->lower_bound, 0);
    if (pattern->proven)
        snprintf(buffer, size, "cost %s, the least there is", cost);
    else if (pattern->lower_bound > 0)
        snprintf(buffer, size, "cost %s; no pattern costs less than %s (gap %.1f %%)", cost, bound,
                 100 * cli_protect_gap(p));
    else
        snprintf(buffer, size, "cost %s", cost);
    return buffer;
}

/* ---- the terminal ---- */

static void tell_pattern(const cli_protection *p)
{
    char value[32], sentence[160];
    cli_line("secondary", "%s, of value %s; %s", cli_count(p->pattern.secondary).text,
             tacit_number_text(value, sizeof value, cli_protect_value(p, TACIT_CELL_SECONDARY), 0),
             cli_protect_sentence(sentence, sizeof sentence, p));
    if (p->pattern.repaired > 0)
        cli_line("repaired", "%s that the method alone did not protect",
                 cli_count(p->pattern.repaired).text);
    cli_intervals_tell(p);
    cli_line("audit", "%severy suppressed cell is hidden, and primary cells by their levels%s%s%s",
             cli_good(stderr), p->singletons ? ", also from contributors" : "",
             p->sums ? ", and so are their sums" : "", cli_plain(stderr));
}

/* Levels are no part of that promise, so what becomes of them is said. */
static void tell_total(const cli_protection *p)
{
    char sentence[160];
    cli_line("before", "%s cells were known exactly, and %s independent sums of primary cells",
             cli_count(p->total.before->invariant_count).text,
             cli_count(p->total.before->leaks).text);
    cli_line("secondary", "%s; %s", cli_count(p->pattern.secondary).text,
             cli_total_sentence(sentence, sizeof sentence, p));
    cli_line("audit", "%snothing is known exactly about primary cells, not even a sum%s",
             cli_good(stderr), cli_plain(stderr));
    if (p->audit->underprotected > 0)
        cli_line("intervals",
                 "of %s primary cells are narrower than their levels, which total "
                 "protection does not promise; hitas does",
                 cli_count(p->audit->underprotected).text);
}

void cli_protect_tell(const cli_protection *p)
{
    cli_session *session = p->session;
    const char *target = p->targets[CLI_PROTECT_RELEASE];
    if (session->quiet)
        return;
    cli_say(session, "%s: %s cells, by %s\n", strcmp(target, "-") ? target : "standard output",
            cli_count(p->cells->count).text, cli_protect_method(p));
    if (p->method || p->tally[TACIT_CELL_PRIMARY] > 0)
        cli_line("primary", "%s", cli_count(p->tally[TACIT_CELL_PRIMARY]).text);
    if (!p->method)
        cli_alter_tell(p);
    else if (p->method->total)
        tell_total(p);
    else
        tell_pattern(p);
    cli_line("time", "%.2f s", p->total_time);
    if (cli_is_jj(target))
        cli_warn(session, "%s has %s too: it is for you, not for release", target,
                 p->method ? "the suppressed values" : "costs and bounds of the true values");
}
/* ---- JSON ---- */

static void add_pattern(tacit_account *account, const cli_protection *p)
{
    const tacit_pattern *pattern = &p->pattern;
    tacit_account_text(account, "method", tacit_strview_of(p->method->name));
    tacit_account_integer(account, "cells", p->cells->count);
    tacit_account_integer(account, "relations", p->cells->relations.count);
    tacit_account_integer(account, "primary", p->tally[TACIT_CELL_PRIMARY]);
    tacit_account_integer(account, "secondary", pattern->secondary);
    tacit_account_real(account, "primary_value", cli_protect_value(p, TACIT_CELL_PRIMARY));
    tacit_account_real(account, "secondary_value", cli_protect_value(p, TACIT_CELL_SECONDARY));
    tacit_account_real(account, "cost", pattern->cost);
    tacit_account_real(account, "lower_bound", pattern->lower_bound);
    tacit_account_real(account, "gap", cli_protect_gap(p));
    tacit_account_bool(account, "proven", pattern->proven);
    tacit_account_bool(account, "stopped", pattern->stopped);
    tacit_account_integer(account, "subtables", pattern->subtables);
    tacit_account_integer(account, "rounds", pattern->rounds);
    tacit_account_integer(account, "repaired", pattern->repaired);
}

static void add_audit(tacit_account *account, const cli_protection *p)
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

static void add_suppressed(tacit_account *account, const cli_protection *p)
{
    add_pattern(account, p);
    cli_intervals_account(account, p);
    add_audit(account, p);
    if (p->method->total)
        cli_total_account(account, p);
    cli_table_levels_account(account, &p->levels);
}

static void fill_account(tacit_account *account, const void *subject)
{
    const cli_protection *p = subject;
    char path[32];
    tacit_account_text(account, "tacit", tacit_strview_of(tacit_version()));
    tacit_account_text(account, "command", tacit_strview_of("protect"));
    if (p->method)
        add_suppressed(account, p);
    else
        cli_alter_account(account, p);
    for (int i = 0; i < CLI_PROTECT_STEPS; i++) {
        snprintf(path, sizeof path, "seconds.%s", cli_protect_step(p, i));
        tacit_account_real(account, path, p->seconds[i]);
    }
    tacit_account_real(account, "seconds.total", p->total_time);
}

tacit_status cli_protect_report(cli_protection *p)
{
    static const cli_reports REPORTS = {"Protection of a table", fill_account, cli_protect_page};
    tacit_status status = TACIT_OK;
    if (p->method)
        status = cli_table_levels_init(&p->levels, p->cells, p->pattern.status, &p->session->error);
    return status == TACIT_OK ? cli_report(p->session, &REPORTS, p) : status;
}
