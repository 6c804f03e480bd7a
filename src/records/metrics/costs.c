/*
 * costs.c - tables of what each value costs; see costs.h.
 *
 * Prec (5.4 of Sweeney, Computational Disclosure Control) charges level over
 * height. Granularity charges the share of a hierarchy's leaves that a value
 * hides. Non-uniform entropy charges log2 (rows under the value / rows with the
 * ground value) over the most it could be: the first part depends on the value
 * released, the second is the same for every release and goes into the offset.
 *
 * One counting a column for entropy, otherwise linear in the hierarchies.
 */
#include "records/metrics/costs.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/classes/classes.h"

static int height_of(const tacit_frame *frame, int32_t attribute)
{
    return tacit_hierarchy_height(frame->attributes[attribute].hierarchy);
}

double tacit__hidden_leaves(const tacit_hierarchy *hierarchy, int level, uint32_t number)
{
    double all = tacit_hierarchy_leaves(hierarchy);
    if (level == 0 || number >= tacit_hierarchy_count(hierarchy, level) || all <= 1)
        return 0;
    return (tacit_hierarchy_leaves_under(hierarchy, level, number) - 1) / (all - 1);
}

/* One that is not given is that of Equation 3, where an average column has
 * weight 1; so a column given weight 2 counts as much as two such columns. */
void tacit__weights(double *weights, const tacit_frame *frame)
{
    double heights = 0, sum = 0;
    int32_t count = frame->attribute_count;
    for (int32_t a = 0; a < count; a++)
        heights += height_of(frame, a);
    for (int32_t a = 0; a < count; a++) {
        double given = frame->attributes[a].weight;
        weights[a] = given > 0 ? given : height_of(frame, a) * count / heights;
        sum += weights[a];
    }
    for (int32_t a = 0; a < count; a++)
        weights[a] *= count / sum;
}

static tacit_status copy_ground(uint32_t **out, const uint32_t *ground, uint64_t codes,
                                tacit_error *err)
{
    *out = tacit__alloc_array(codes, sizeof **out);
    if (!*out)
        return tacit__nomem(err);
    memcpy(*out, ground, codes * sizeof **out);
    return TACIT_OK;
}

tacit_status tacit__ground_counts(uint32_t **out, const tacit_frame *frame, int32_t attribute,
                                  const tacit_run *run, tacit_error *err)
{
    int32_t column = frame->attributes[attribute].column;
    uint64_t codes = (uint64_t)tacit_table_distinct(frame->table, column) + 1;
    tacit__feed_column only = {
        .codes = tacit_table_codes(frame->table, column), .entries = codes, .domain = codes};
    tacit__feed feed = {.count = tacit_table_rows(frame->table),
                        .repeats = frame->repeats,
                        .columns = 1,
                        .column = &only};
    tacit__grouping values = {0};
    uint32_t *counts = NULL;
    if (frame->elsewhere)
        return copy_ground(out, frame->elsewhere->ground[attribute], codes, err);
    tacit_status status = tacit__counted_ground(&counts, frame, attribute, err);
    if (status != TACIT_OK || counts) {
        *out = counts;
        return status;
    }
    status = tacit__grouping_init(&values, &feed, false, run, err);
    if (status != TACIT_OK)
        return status;
    counts = tacit__alloc_zeroed(codes, sizeof *counts);
    for (int64_t i = 0; counts && i < values.count; i++)
        counts[values.keys[i]] = values.rows[i];
    tacit__grouping_clear(&values);
    if (!counts)
        return tacit__nomem(err);
    status = tacit__counted_keep_ground(frame, attribute, counts, err);
    if (status != TACIT_OK) {
        tacit__free(counts);
        return status;
    }
    *out = counts;
    return TACIT_OK;
}

static tacit_status allocate(tacit__costs *costs, const tacit_frame *frame, tacit_error *err)
{
    size_t total = 0, at = 0;
    for (int32_t a = 0; a < frame->attribute_count; a++)
        for (int level = 0; level <= height_of(frame, a); level++)
            total += tacit__distinct_on(frame, a, level);
    size_t attributes = (size_t)frame->attribute_count;
    costs->memory = tacit__alloc_zeroed(total + attributes, sizeof *costs->memory);
    costs->of = tacit__alloc_zeroed(attributes, sizeof *costs->of);
    if (!costs->memory || !costs->of) {
        tacit__costs_clear(costs);
        return tacit__nomem(err);
    }
    costs->suppressed = costs->memory + total;
    for (int32_t a = 0; a < frame->attribute_count; a++)
        for (int level = 0; level <= height_of(frame, a); level++) {
            costs->of[a][level] = costs->memory + at;
            at += tacit__distinct_on(frame, a, level);
        }
    return TACIT_OK;
}

static void fill_levels(tacit__costs *costs, const tacit_frame *frame, bool weighted)
{
    double weights[TACIT_MAX_ATTRIBUTES];
    tacit__weights(weights, frame);
    for (int32_t a = 0; a < frame->attribute_count; a++) {
        double weight = (weighted ? weights[a] : 1) / frame->attribute_count;
        for (int level = 0; level <= height_of(frame, a); level++)
            for (uint32_t i = 0; i < tacit__distinct_on(frame, a, level); i++)
                costs->of[a][level][i] = weight * level / height_of(frame, a);
    }
}

static void fill_leaves(tacit__costs *costs, const tacit_frame *frame)
{
    for (int32_t a = 0; a < frame->attribute_count; a++)
        for (int level = 0; level <= height_of(frame, a); level++)
            for (uint32_t i = 0; i < tacit__distinct_on(frame, a, level); i++)
                costs->of[a][level][i] =
                    tacit__hidden_leaves(frame->attributes[a].hierarchy, level, i) /
                    frame->attribute_count;
}

static void fill_listed(tacit__costs *costs, const tacit_frame *frame,
                        const tacit__cell_metric *metric)
{
    for (int32_t a = 0; a < frame->attribute_count; a++)
        for (int level = 0; level <= height_of(frame, a); level++)
            for (uint32_t i = 0; i < tacit__distinct_on(frame, a, level); i++)
                costs->of[a][level][i] =
                    metric->cost(&frame->attributes[a], level, i) / frame->attribute_count;
}

/* What the top of the hierarchy costs, or all that a cell can. */
static void fill_suppressed(tacit__costs *costs, const tacit_frame *frame, bool listed)
{
    for (int32_t a = 0; a < frame->attribute_count; a++)
        costs->suppressed[a] =
            listed ? 1.0 / frame->attribute_count : costs->of[a][height_of(frame, a)][0];
}

/* Puts the rows under each value of an attribute into its costs; returns the
 * most bits that the attribute can lose, over all rows. */
static double fill_rows(tacit__costs *costs, const tacit_frame *frame, int32_t attribute,
                        const uint32_t *counts)
{
    uint32_t codes = tacit_table_distinct(frame->table, frame->attributes[attribute].column) + 1;
    double rows = (double)tacit__frame_rows(frame), bits = 0;
    for (int level = 0; level <= height_of(frame, attribute); level++) {
        const uint32_t *map = tacit_hierarchy_map(frame->attributes[attribute].hierarchy, level);
        for (uint32_t code = 0; code < codes; code++)
            if (counts[code])
                costs->of[attribute][level][map[code]] += counts[code];
    }
    for (uint32_t code = 0; code < codes; code++)
        if (counts[code])
            bits += counts[code] * log2(rows / counts[code]);
    return bits;
}

/* From rows under each value to bits over the most that all cells can lose. */
static void rows_to_bits(tacit__costs *costs, const tacit_frame *frame, double bits)
{
    double rows = (double)tacit__frame_rows(frame);
    double scale = bits > 0 ? rows / bits : 0;
    for (int32_t a = 0; a < frame->attribute_count; a++)
        for (int level = 0; level <= height_of(frame, a); level++)
            for (uint32_t i = 0; i < tacit__distinct_on(frame, a, level); i++) {
                double *cost = &costs->of[a][level][i];
                *cost = *cost > 0 ? scale * log2(*cost) : 0;
            }
    /* the mean of the ground values' own log2, scaled the same way */
    costs->offset = scale * (frame->attribute_count * log2(rows > 0 ? rows : 1) - bits / rows);
}

static tacit_status fill_entropy(tacit__costs *costs, const tacit_frame *frame,
                                 const tacit_run *run, tacit_error *err)
{
    double bits = 0;
    for (int32_t a = 0; a < frame->attribute_count; a++) {
        uint32_t *counts = NULL;
        tacit_status status = tacit__ground_counts(&counts, frame, a, run, err);
        if (status != TACIT_OK)
            return status;
        bits += fill_rows(costs, frame, a, counts);
        tacit__free(counts);
    }
    rows_to_bits(costs, frame, bits);
    return TACIT_OK;
}

tacit_status tacit__costs_init(tacit__costs *costs, const tacit_frame *frame, tacit_metric metric,
                               const tacit_run *run, tacit_error *err)
{
    if (!(TACIT__CELL_METRICS & 1u << metric))
        return tacit__error(err, TACIT_INVALID,
                            "%s is not a sum over cells, which this method needs; choose prec, "
                            "weighted, granularity, loss or entropy",
                            tacit_metric_name(metric));
    const tacit__cell_metric *listed = tacit__cell_metric_of(metric);
    *costs = (tacit__costs){0};
    tacit_status status = allocate(costs, frame, err);
    if (status != TACIT_OK)
        return status;
    if (listed)
        fill_listed(costs, frame, listed);
    else if (metric == TACIT_METRIC_ENTROPY)
        status = fill_entropy(costs, frame, run, err);
    else if (metric == TACIT_METRIC_GRANULARITY || metric == TACIT_METRIC_LOSS)
        fill_leaves(costs, frame);
    else
        fill_levels(costs, frame, metric == TACIT_METRIC_WEIGHTED);
    if (status == TACIT_OK)
        fill_suppressed(costs, frame, listed);
    else
        tacit__costs_clear(costs);
    return status;
}

void tacit__costs_clear(tacit__costs *costs)
{
    tacit__free(costs->memory);
    tacit__free(costs->of);
    *costs = (tacit__costs){0};
}

/* Attributes' losses lie between 0 and 1 and sum to at least m times the bound.
 * The product of 1 + loss is concave along every exchange between two of them,
 * so it is smallest where all but one are 0 or 1. */
double tacit__costs_loss_bound(double granularity_cost, int32_t attributes)
{
    double sum = granularity_cost * attributes, whole = floor(sum);
    if (sum <= 0)
        return 0;
    return pow(exp2(whole) * (1 + sum - whole), 1.0 / attributes) - 1;
}
