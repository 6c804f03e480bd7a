/*
 * protect_alter_account.c - the account of a table whose values were changed: a few lines on the
 * terminal and the JSON of --report. Whoever gets the release may be told the method and its base,
 * which the judge takes for known; the rest is the data holder's.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

#include "protect.h"
#include "verdict.h"

double cli_alter_largest(const cli_protection *p)
{
    double largest = 0;
    for (int32_t i = 0; i < p->cells->count; i++)
        largest = fmax(largest, fabs(p->altering.altered.value[i] - p->cells->value[i]));
    return largest;
}

/* Over the cells that were changed. */
static double mean_change(const cli_protection *p)
{
    double sum = 0;
    for (int32_t i = 0; i < p->cells->count; i++)
        sum += fabs(p->altering.altered.value[i] - p->cells->value[i]);
    return p->altering.altered.changed > 0 ? sum / p->altering.altered.changed : 0;
}

/* The share of the distance that another table could save at most; NAN: nothing is known. */
static double gap_of(const tacit_altered *altered)
{
    if (altered->proven || altered->distance <= altered->lower_bound)
        return 0;
    return (altered->distance - altered->lower_bound) / altered->distance;
}

/* ---- the terminal ---- */

static void tell_distance(const tacit_altered *altered)
{
    char distance[32], bound[32];
    tacit_number_text(distance, sizeof distance, altered->distance, 1);
    tacit_number_text(bound, sizeof bound, altered->lower_bound, 1);
    if (altered->proven)
        cli_line("distance", "%s, the least there is", distance);
    else if (altered->lower_bound > 0)
        cli_line("distance", "%s; no such table is nearer than %s (gap %.1f %%)", distance, bound,
                 100 * gap_of(altered));
    else
        cli_line("distance", "%s", distance);
}

static void tell_sums(const cli_protection *p)
{
    const tacit_altered *altered = &p->altering.altered;
    if (altered->broken > 0)
        cli_line("sums", "%s of %s do not add up any more", cli_count(altered->broken).text,
                 cli_count(p->cells->relations.count).text);
    else
        cli_line("sums", "all add up");
}

static void tell_rounding(const cli_protection *p)
{
    const tacit_altered *altered = &p->altering.altered;
    cli_line("base", "%g; %s at the nearest multiple", p->altering.wanted.base,
             cli_count(p->cells->count - altered->far).text);
    if (altered->reach > p->altering.wanted.base)
        cli_line("further",
                 "no table was found in which every cell is next to its value: some are up to %g "
                 "away, which is told",
                 altered->reach);
}

static void tell_audit(const cli_protection *p)
{
    const tacit_altered_audit *audit = p->altering.audit;
    if (audit->one_sided > 0)
        cli_line("one-sided", "of %s primary cells it can be told which way they moved",
                 cli_count(audit->one_sided).text);
    if (p->tally[TACIT_CELL_PRIMARY] > 0)
        cli_line("audit", "%sprimary cells are hidden by their levels%s", cli_good(stderr),
                 cli_plain(stderr));
    if (audit->disclosed > 0)
        cli_line("known", "%s%s cells that are not primary can be worked out all the same",
                 audit->unknown > 0 ? "at most " : "", cli_count(audit->disclosed).text);
    else
        cli_line("known", "no value that was changed can be worked out");
}

void cli_alter_tell(const cli_protection *p)
{
    const tacit_altered *altered = &p->altering.altered;
    char largest[32], mean[32];
    if (p->altering.method->rounds)
        tell_rounding(p);
    cli_line("changed", "%s cells, by %s at most and %s on average",
             cli_count(altered->changed).text,
             tacit_number_text(largest, sizeof largest, cli_alter_largest(p), 1),
             tacit_number_text(mean, sizeof mean, mean_change(p), 1));
    if (p->altering.released.decimals && !p->cells->decimals)
        cli_line("fractions", "no table in whole numbers was found within the limits");
    tell_sums(p);
    if (p->altering.barred > 0)
        cli_line("closed", "%s ways that primary cells could have gone: sums would have told them",
                 cli_count(p->altering.barred).text);
    tell_distance(altered);
    tell_audit(p);
}

/* ---- JSON ---- */

static void add_audit(tacit_account *account, const tacit_altered_audit *audit)
{
    tacit_account_integer(account, "audit.cells", audit->cell_count);
    tacit_account_integer(account, "audit.disclosed", audit->disclosed);
    tacit_account_integer(account, "audit.underprotected", audit->underprotected);
    tacit_account_integer(account, "audit.one_sided", audit->one_sided);
    tacit_account_integer(account, "audit.broken", audit->broken);
    tacit_account_integer(account, "audit.programs", audit->programs);
    tacit_account_integer(account, "audit.unknown", audit->unknown);
}

void cli_alter_account(tacit_account *account, const cli_protection *p)
{
    const cli_altering *a = &p->altering;
    const tacit_altered *altered = &a->altered;
    tacit_account_text(account, "method", tacit_strview_of(a->method->name));
    tacit_account_integer(account, "cells", p->cells->count);
    tacit_account_integer(account, "relations", p->cells->relations.count);
    tacit_account_integer(account, "primary", p->tally[TACIT_CELL_PRIMARY]);
    if (a->method->rounds)
        tacit_account_real(account, "base", a->wanted.base);
    tacit_account_integer(account, "changed", altered->changed);
    tacit_account_integer(account, "broken", altered->broken);
    if (a->method->rounds)
        tacit_account_integer(account, "far", altered->far);
    tacit_account_real(account, "largest_change", cli_alter_largest(p));
    tacit_account_real(account, "mean_change", mean_change(p));
    tacit_account_real(account, "reach", altered->reach);
    tacit_account_real(account, "distance", altered->distance);
    tacit_account_real(account, "lower_bound", altered->lower_bound);
    tacit_account_real(account, "gap", gap_of(altered));
    tacit_account_bool(account, "proven", altered->proven);
    tacit_account_bool(account, "stopped", altered->stopped);
    if (!a->method->rounds)
        tacit_account_integer(account, "closed_ways", a->barred);
    add_audit(account, a->audit);
}
