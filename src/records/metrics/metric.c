/*
 * metric.c - the metrics by name, and which way each of them is better.
 */
#include <string.h>

#include <tacit/experimental/records.h>

static const struct {
    const char *name;
    const char *summary;
} METRICS[TACIT_METRICS] = {
    [TACIT_METRIC_PREC] = {"prec", "Prec: one minus the mean of level over height"},
    [TACIT_METRIC_WEIGHTED] = {"weighted", "the same with the columns' weights"},
    [TACIT_METRIC_GRANULARITY] = {"granularity",
                                  "one minus the mean share of a hierarchy's leaves that a cell "
                                  "hides"},
    [TACIT_METRIC_LOSS] = {"loss", "geometric mean over columns of that share"},
    [TACIT_METRIC_DISCERNIBILITY] = {"discernibility", "sum of squared class sizes"},
    [TACIT_METRIC_AVERAGE] = {"average", "average class size over k"},
    [TACIT_METRIC_ENTROPY] = {"entropy", "non-uniform entropy: share of the information lost"},
    [TACIT_METRIC_HEIGHT] = {"height", "sum of levels"},
};

const char *tacit_metric_name(tacit_metric metric)
{
    return METRICS[metric].name;
}

const char *tacit_metric_summary(tacit_metric metric)
{
    return METRICS[metric].summary;
}

tacit_metric tacit_metric_find(const char *name)
{
    tacit_metric metric = 0;
    while (metric < TACIT_METRICS && strcmp(METRICS[metric].name, name) != 0)
        metric++;
    return metric;
}

double tacit_metrics_value(const tacit_metrics *metrics, tacit_metric metric)
{
    const double values[TACIT_METRICS] = {
        [TACIT_METRIC_PREC] = metrics->precision,
        [TACIT_METRIC_WEIGHTED] = metrics->precision_weighted,
        [TACIT_METRIC_GRANULARITY] = metrics->granularity,
        [TACIT_METRIC_LOSS] = metrics->loss,
        [TACIT_METRIC_DISCERNIBILITY] = metrics->discernibility,
        [TACIT_METRIC_AVERAGE] = metrics->average_class_ratio,
        [TACIT_METRIC_ENTROPY] = metrics->entropy,
        [TACIT_METRIC_HEIGHT] = metrics->height,
    };
    return values[metric];
}

double tacit_metric_of_cost(tacit_metric metric, double cost)
{
    bool more_is_better = metric <= TACIT_METRIC_GRANULARITY;
    return more_is_better ? 1 - cost : cost;
}

double tacit_metrics_cost(const tacit_metrics *metrics, tacit_metric metric)
{
    return tacit_metric_of_cost(metric, tacit_metrics_value(metrics, metric)); /* its own inverse */
}
