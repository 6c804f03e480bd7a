/*
 * release_search.c - what a search knows of its answer: how far it can be from
 * the best, as numbers for the report and in words.
 *
 * Searches bound the cost that they make small; where more of a metric is
 * better, people are shown the bound on the metric itself.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

#include "release.h"

static double cost_of(const cli_release *release)
{
    return tacit_metrics_cost(&release->metrics, release->wanted.metric);
}

double cli_search_bound(const cli_release *release)
{
    const tacit_search *search = &release->solution->search;
    return search->nodes > 0 ? search->lower_bound : NAN;
}

double cli_search_gap(const cli_release *release)
{
    double cost = cost_of(release), bound = cli_search_bound(release);
    if (release->solution->search.proven || cost <= bound)
        return 0;
    return (cost - bound) / cost;
}

/* The bound as a value of the metric. */
static double best_possible(const cli_release *release)
{
    double bound = cli_search_bound(release);
    double value = tacit_metrics_value(&release->metrics, release->wanted.metric);
    return value == cost_of(release) ? bound : 1 - bound;
}

const char *cli_search_sentence(char *text, size_t size, const cli_release *release)
{
    const tacit_search *search = &release->solution->search;
    const char *name = tacit_metric_name(release->wanted.metric);
    double value = tacit_metrics_value(&release->metrics, release->wanted.metric);
    double gap = cli_search_gap(release);
    char checked[32], nodes[32];
    int used = snprintf(text, size, "%s %.6g", name, value);
    if (search->proven)
        used += snprintf(text + used, size - (size_t)used, ", the best there is");
    else if (!isnan(gap))
        used += snprintf(text + used, size - (size_t)used,
                         ", at best %.6g (at most %.1f%% of what is lost could be saved)",
                         best_possible(release), 100 * gap);
    snprintf(text + used, size - (size_t)used, "; %s of %s candidates looked at",
             tacit_number_text(checked, sizeof checked, (double)search->nodes_checked, 0),
             tacit_number_text(nodes, sizeof nodes, search->nodes, 0));
    return text;
}
