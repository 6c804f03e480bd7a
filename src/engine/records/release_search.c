/*
 * release_search.c - what a search knows of its answer: how far it can be from
 * the best, as numbers for the report and in words.
 *
 * Searches bound the cost that they make small; where more of a metric is
 * better, people are shown the bound on the metric itself.
 */
#include <math.h>
#include <stdio.h>

#include "engine/records/release.h"

static double cost_of(const engine_release *release)
{
    return tacit_metrics_cost(&release->metrics, release->wanted.metric);
}

double engine_search_bound(const engine_release *release)
{
    const tacit_search *search = &release->solution->search;
    return search->nodes > 0 ? search->lower_bound : NAN;
}

double engine_search_gap(const engine_release *release)
{
    double cost = cost_of(release), bound = engine_search_bound(release);
    if (release->solution->search.proven || cost <= bound)
        return 0;
    return (cost - bound) / cost;
}

/* Nodes of a lattice are looked at once; other candidates may come back. */
static void add_candidates(char *text, size_t size, const tacit_search *search, bool once)
{
    char checked[32], nodes[32];
    tacit_number_text(checked, sizeof checked, (double)search->nodes_checked, 0);
    tacit_number_text(nodes, sizeof nodes, search->nodes, 0);
    if (once)
        snprintf(text, size, "; %s of %s candidates looked at", checked, nodes);
    else
        snprintf(text, size, "; %s looks at candidates, of which there are %s", checked, nodes);
}

const char *engine_search_sentence(char *text, size_t size, const engine_release *release)
{
    const tacit_search *search = &release->solution->search;
    const char *name = tacit_metric_name(release->wanted.metric);
    double value = tacit_metrics_value(&release->metrics, release->wanted.metric);
    double gap = engine_search_gap(release);
    int used = snprintf(text, size, "%s %.6g", name, value);
    if (search->proven)
        used += snprintf(text + used, size - (size_t)used, ", the best there is");
    else if (!isnan(gap))
        used += snprintf(text + used, size - (size_t)used,
                         ", at best %.6g (at most %.1f%% of what is lost could be saved)",
                         tacit_metric_of_cost(release->wanted.metric, engine_search_bound(release)),
                         100 * gap);
    add_candidates(text + used, size - (size_t)used, search, !release->solution->boxes);
    return text;
}
