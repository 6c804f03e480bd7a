/*
 * advice.c - which one change would keep most more detail, from a quick look at a sample of the
 * rows.
 *
 * Three are tried: the method local, where another was used and local keeps every promise that the
 * policy asks for; a loss of 5 %, where less may be suppressed; and groups by frequency for the
 * column without a hierarchy of which most is hidden. Less protection (a lower k, fewer
 * quasi-identifiers) is no advice. Each is searched on at most SAMPLE rows, at equal steps: local
 * by its first division alone, other methods only where their lattice is small, so that the look is
 * short whatever the table is, and the same each time. Fewer rows make smaller groups, so a release
 * of all rows can be expected to keep more than is said; nothing is promised, and the sample's size
 * is said with it. What a change brings is compared with the release itself, and for a hierarchy
 * with the sample without it.
 */
#include "engine/records/advice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/records/release.h"
#include "engine/records/wanted.h"

enum { SAMPLE = 10000, MOST_NODES = 5000, LEAST_GROUPED = 3, MOST_VALUES = 1000000 };

static const double LEAST_GAIN = 0.02, LOSS = 0.05;

/* The look in progress. */
typedef struct look {
    const engine_release *release;
    tacit_frame frame; /* of the sample */
    tacit_table *sample;
    const tacit_method *local;
    engine_advice *best;
} look;

/* Releases that a single search does not decide, and those that are no classes, are left alone. */
static bool is_plain(const engine_release *release)
{
    const tacit_policy *policy = release->policy;
    bool argus = policy->as_published || policy->as_described;
    return !release->unseen && !release->previous && !release->asked && !argus &&
           !engine_keeps_trails(policy) && !policy->resist && !release->wanted.most_general &&
           tacit_policy_generalizes(policy) && !engine_release_ambiguates(release) &&
           !release->frame.population && !release->frame.repeats && release->metrics.rows > 0;
}

/* Copies of values must stay few beside the table. */
static bool is_small(const engine_release *release)
{
    for (int32_t i = 0; i < tacit_table_columns(release->table); i++)
        if (tacit_table_is_coded(release->table, i) &&
            tacit_table_distinct(release->table, i) > MOST_VALUES)
            return false;
    return true;
}

/* Prec of what a method makes of the sample; not a number where it makes nothing. */
static tacit_status try_method(double *prec, const look *l, const tacit_frame *frame,
                               const tacit_method *method, double loss)
{
    const engine_release *release = l->release;
    tacit_error why = {0};
    tacit_solution *solution = NULL;
    tacit_metrics metrics;
    tacit_records_options wanted = release->wanted;
    tacit_run run = release->session->run;
    int64_t rows = tacit_table_rows(frame->table);
    wanted.quick = true;
    wanted.until_stopped = wanted.all_minimal = false;
    wanted.max_suppressed = loss >= 0 ? engine_share_of(loss, rows) : wanted.k;
    run.progress = NULL;
    *prec = NAN;
    tacit_status status = method->solve(&solution, frame, &wanted, &run, &why);
    if (status == TACIT_OK)
        status = tacit_metrics_of(&metrics, solution, NULL, frame, &wanted, &run, &why);
    if (status == TACIT_OK)
        *prec = metrics.precision;
    tacit_solution_free(solution);
    return status == TACIT_NOMEM ? tacit__nomem(&release->session->error) : TACIT_OK;
}

static void offer(look *l, engine_advice advice)
{
    double gain = advice.value - advice.now;
    if (gain >= LEAST_GAIN && (!l->best->change || gain > l->best->value - l->best->now))
        *l->best = advice;
}

static tacit_status try_local(look *l)
{
    const engine_release *release = l->release;
    engine_advice advice = {.change = "method", .now = release->metrics.precision};
    bool able = l->local->metrics & 1u << release->wanted.metric;
    if ((release->method->features & TACIT_METHOD_CELLS) || !able)
        return TACIT_OK;
    tacit_status status = try_method(&advice.value, l, &l->frame, l->local, 0);
    if (status == TACIT_OK && !isnan(advice.value))
        offer(l, advice);
    return status;
}

/* Whether another method than local is soon done with the sample. */
static bool is_quick(const look *l)
{
    int heights[TACIT_MAX_QUASI];
    if (l->release->method == l->local)
        return true;
    for (int32_t i = 0; i < l->frame.attribute_count; i++)
        heights[i] = tacit_hierarchy_height(l->frame.attributes[i].hierarchy);
    return !(l->release->method->features & TACIT_METHOD_CELLS) &&
           tacit_lattice_size(heights, l->frame.attribute_count) <= MOST_NODES;
}

static double loss_of(const engine_release *release)
{
    return release->policy->has_loss ? release->policy->loss : -1;
}

static tacit_status try_loss(look *l)
{
    const engine_release *release = l->release;
    engine_advice advice = {.change = "loss", .now = release->metrics.precision};
    if ((release->method->features & TACIT_METHOD_CELLS) || loss_of(release) >= LOSS ||
        !is_quick(l))
        return TACIT_OK;
    tacit_status status = try_method(&advice.value, l, &l->frame, release->method, LOSS);
    if (status == TACIT_OK && !isnan(advice.value))
        offer(l, advice);
    return status;
}

/* The attribute that can only be kept or suppressed, of which most rows are suppressed; -1. */
static int32_t flattest(const engine_release *release)
{
    int64_t most = 0;
    int32_t found = -1;
    for (int32_t i = 0; i < release->frame.attribute_count; i++) {
        const tacit_hierarchy *hierarchy = release->hierarchies[i];
        int height = tacit_hierarchy_height(hierarchy);
        int64_t hidden = release->level_rows[(size_t)i * TACIT_MAX_LEVELS + (size_t)height];
        if (height > 1 || tacit_hierarchy_count(hierarchy, 0) < LEAST_GROUPED || hidden <= most)
            continue;
        most = hidden;
        found = i;
    }
    return found;
}

/* The same frame where an attribute has groups by frequency: a twentieth, a tenth and a quarter of
 * the rows. */
static tacit_status try_groups(look *l, int32_t index, const tacit_hierarchy *groups,
                               tacit_attribute *attributes)
{
    const engine_release *release = l->release;
    engine_advice advice = {.change = "hierarchy",
                            .column = release->promise.attributes[index].name};
    tacit_frame frame = l->frame;
    double loss = loss_of(release);
    memcpy(attributes, l->frame.attributes, (size_t)frame.attribute_count * sizeof *attributes);
    attributes[index].hierarchy = groups;
    frame.attributes = attributes;
    tacit_status status = try_method(&advice.now, l, &l->frame, release->method, loss);
    if (status == TACIT_OK)
        status = try_method(&advice.value, l, &frame, release->method, loss);
    if (status == TACIT_OK && !isnan(advice.now) && !isnan(advice.value))
        offer(l, advice);
    return status;
}

static tacit_status try_hierarchy(look *l)
{
    const engine_release *release = l->release;
    int32_t index = flattest(release);
    if (index < 0 || !is_quick(l))
        return TACIT_OK;
    tacit_error why = {0};
    tacit_hierarchy *groups = NULL;
    char how[96];
    long long rows = (long long)release->metrics.rows;
    snprintf(how, sizeof how, "frequency:%lld,%lld,%lld", rows / 20 + 2, rows / 10 + 3,
             rows / 4 + 4);
    tacit_attribute *attributes =
        tacit__alloc_array((size_t)release->frame.attribute_count, sizeof *attributes);
    if (!attributes)
        return tacit__nomem(&release->session->error);
    tacit_status status = tacit_hierarchy_group(&groups, how, release->table,
                                                release->attributes[index].column, &why);
    if (status == TACIT_OK && tacit_hierarchy_height(groups) > 1)
        status = try_groups(l, index, groups, attributes);
    else if (status != TACIT_NOMEM)
        status = TACIT_OK;
    tacit_hierarchy_free(groups);
    tacit__free(attributes);
    return status == TACIT_NOMEM ? tacit__nomem(&release->session->error) : status;
}

tacit_status engine_advice_find(engine_release *release)
{
    engine_advice best = {0};
    look l = {.release = release, .frame = release->frame, .best = &best};
    l.local = tacit_method_find("local");
    release->advice = best;
    if (!is_plain(release) || !is_small(release))
        return TACIT_OK;
    tacit_status status =
        tacit_frame_sample(&l.sample, &release->frame, SAMPLE, &release->session->error);
    if (status != TACIT_OK)
        return status;
    l.frame.table = l.sample;
    l.frame.counted = NULL;
    status = try_local(&l);
    if (status == TACIT_OK)
        status = try_loss(&l);
    if (status == TACIT_OK)
        status = try_hierarchy(&l);
    best.rows = tacit_table_rows(l.sample);
    release->advice = best;
    tacit_table_free(l.sample);
    return status;
}

/* ---- what is said of it ---- */

/* "a sample of 10 000 rows", "all rows". */
static const char *looked_at(char *text, size_t size, const engine_release *release)
{
    if (release->advice.rows < release->metrics.rows)
        snprintf(text, size, "on a sample of %s rows, quickly searched",
                 engine_count(release->advice.rows).text);
    else
        snprintf(text, size, "quickly searched");
    return text;
}

void engine_advice_facts(tacit_report *report, const engine_release *release)
{
    const engine_advice *advice = &release->advice;
    char where[96];
    if (!advice->change)
        return;
    looked_at(where, sizeof where, release);
    if (strcmp(advice->change, "method") == 0)
        tacit_report_line(report, "advice",
                          "method: local would keep more: Prec %.2f (%s) instead of %.2f; a column "
                          "then holds values of several levels",
                          advice->value, where, advice->now);
    else if (strcmp(advice->change, "loss") == 0)
        tacit_report_line(report, "advice",
                          "loss: 0.05, with so many rows suppressed at most, would keep more: Prec "
                          "%.2f (%s) instead of %.2f",
                          advice->value, where, advice->now);
    else
        tacit_report_line(report, "advice",
                          "a hierarchy for %s, which has none, would keep more: Prec %.2f instead "
                          "of %.2f with groups by frequency (%s); tacit hierarchy makes it",
                          advice->column, advice->value, advice->now, where);
    tacit_report_enter(report, "advice");
    tacit_report_text(report, "change", advice->change);
    if (advice->column)
        tacit_report_text(report, "column", advice->column);
    tacit_report_real(report, "prec", advice->value);
    tacit_report_real(report, "instead_of", advice->now);
    tacit_report_integer(report, "rows", advice->rows);
    tacit_report_leave(report);
}
