/*
 * protect_alter_account.c - the account of a table whose values were changed: a few lines on the
 * terminal and the JSON of --report. Whoever gets the release may be told the method and its base,
 * which the judge takes for known; the rest is the data holder's.
 */
#include <math.h>
#include <stdio.h>

#include "engine/records/verdict.h"
#include "engine/tables/protect.h"

double engine_alter_largest(const engine_protection *p)
{
    double largest = 0;
    for (int32_t i = 0; i < p->cells->count; i++)
        largest = fmax(largest, fabs(p->altering.altered.value[i] - p->cells->value[i]));
    return largest;
}

/* Over the cells that were changed. */
static double mean_change(const engine_protection *p)
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

static void tell_distance(FILE *out, const tacit_altered *altered)
{
    char distance[32], bound[32];
    tacit_number_text(distance, sizeof distance, altered->distance, 1);
    tacit_number_text(bound, sizeof bound, altered->lower_bound, 1);
    if (altered->proven)
        engine_line(out, "distance", "%s, the least there is", distance);
    else if (altered->lower_bound > 0)
        engine_line(out, "distance", "%s; no such table is nearer than %s (gap %.1f %%)", distance,
                    bound, 100 * gap_of(altered));
    else
        engine_line(out, "distance", "%s", distance);
}

static void tell_sums(FILE *out, const engine_protection *p)
{
    const tacit_altered *altered = &p->altering.altered;
    if (altered->broken > 0)
        engine_line(out, "sums", "%s of %s do not add up any more",
                    engine_count(altered->broken).text,
                    engine_count(p->cells->relations.count).text);
    else
        engine_line(out, "sums", "all add up");
}

static void tell_rounding(FILE *out, const engine_protection *p)
{
    const tacit_altered *altered = &p->altering.altered;
    engine_line(out, "base", "%g; %s at the nearest multiple", p->altering.wanted.base,
                engine_count(p->cells->count - altered->far).text);
    if (altered->reach > p->altering.wanted.base)
        engine_line(
            out, "further",
            "no table was found in which every cell is next to its value: some are up to %g "
            "away, which is told",
            altered->reach);
}

static void tell_audit(FILE *out, const engine_protection *p)
{
    const tacit_altered_audit *audit = p->altering.audit;
    if (audit->one_sided > 0)
        engine_line(out, "one-sided", "of %s primary cells it can be told which way they moved",
                    engine_count(audit->one_sided).text);
    if (p->tally[TACIT_CELL_PRIMARY] > 0)
        engine_line(out, "audit", "%sprimary cells are hidden by their levels%s", ENGINE_GOOD,
                    ENGINE_PLAIN);
    if (audit->disclosed > 0)
        engine_line(out, "known", "%s%s cells that are not primary can be worked out all the same",
                    audit->unknown > 0 ? "at most " : "", engine_count(audit->disclosed).text);
    else
        engine_line(out, "known", "no value that was changed can be worked out");
}

void engine_alter_tell(FILE *out, const engine_protection *p)
{
    const tacit_altered *altered = &p->altering.altered;
    char largest[32], mean[32];
    if (p->altering.method->rounds)
        tell_rounding(out, p);
    engine_line(out, "changed", "%s cells, by %s at most and %s on average",
                engine_count(altered->changed).text,
                tacit_number_text(largest, sizeof largest, engine_alter_largest(p), 1),
                tacit_number_text(mean, sizeof mean, mean_change(p), 1));
    if (p->altering.released.decimals && !p->cells->decimals)
        engine_line(out, "fractions", "no table in whole numbers was found within the limits");
    tell_sums(out, p);
    if (p->altering.barred > 0)
        engine_line(out, "closed",
                    "%s ways that primary cells could have gone: sums would have told them",
                    engine_count(p->altering.barred).text);
    tell_distance(out, altered);
    tell_audit(out, p);
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

void engine_alter_account(tacit_account *account, const engine_protection *p)
{
    const engine_altering *a = &p->altering;
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
    tacit_account_real(account, "largest_change", engine_alter_largest(p));
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
