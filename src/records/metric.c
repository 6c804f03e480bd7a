/*
 * metric.c - the metrics by name, and which way each of them is better.
 */
#include <string.h>

#include <tacit/records.h>

static const char *const NAMES[TACIT_METRICS] = {
    [TACIT_METRIC_PREC] = "prec",
    [TACIT_METRIC_WEIGHTED] = "weighted",
    [TACIT_METRIC_GRANULARITY] = "granularity",
    [TACIT_METRIC_LOSS] = "loss",
    [TACIT_METRIC_DISCERNIBILITY] = "discernibility",
    [TACIT_METRIC_AVERAGE] = "average",
    [TACIT_METRIC_ENTROPY] = "entropy",
    [TACIT_METRIC_HEIGHT] = "height",
};

const char *tacit_metric_name(tacit_metric metric)
{
    return NAMES[metric];
}

tacit_metric tacit_metric_find(const char *name)
{
    tacit_metric metric = 0;
    while (metric < TACIT_METRICS && strcmp(NAMES[metric], name) != 0)
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

double tacit_metrics_cost(const tacit_metrics *metrics, tacit_metric metric)
{
    double value = tacit_metrics_value(metrics, metric);
    return metric <= TACIT_METRIC_GRANULARITY ? 1 - value : value;
}
