/*
 * suppression.c - the share of cells that are released as "*": what is generalized to any value
 * below that counts as kept. A cell of a suppressed row is one of them, whether the row is released
 * or left out.
 */
#include "records/metrics/costs.h"

static double suppression_cost(const tacit_attribute *attribute, int level, uint32_t number)
{
    return tacit__is_star(attribute->hierarchy, level, number) ? 1 : 0;
}

const tacit__cell_metric tacit__cell_metric_suppression = {
    .name = "suppression",
    .summary = "share of cells that are released as \"*\"",
    .cost = suppression_cost,
};
