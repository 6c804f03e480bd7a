/*
 * price.c - what a node costs, and what a stretch of the lattice costs at
 * least, for each metric.
 *
 * A bound is about all nodes between a lowest one, `low`, and a highest one,
 * `ceiling`, which has been counted. Going up, (1) no cell gets cheaper, and (2) no
 * row becomes an outlier that was none. By (1) every node between costs what `low`
 * costs without suppression, at least; by (2) it suppresses the ceiling's outliers,
 * at least. Both hold for every metric here:
 *
 *   prec, weighted,   Sums over cells. The mean cost of an attribute on a level follows
 *   granularity,      from its own value counts, so low needs no counting. The
 *   entropy           ceiling's outliers cost the top instead: each adds at least what
 *                     it adds at the ceiling itself, and at least the distance from the
 *                     dearest value of low's level to the top.
 *   loss              The same for each attribute, put together by a product that
 *                     never falls in any of them.
 *   height            The sum of levels. Suppression costs nothing.
 *   discernibility    Joining classes never makes the sum of squares smaller: low's, if
 *                     it has been counted, or what one attribute's value counts leave
 *                     possible. Each of the ceiling's outliers costs all rows instead of
 *                     its class, which was no larger than at the ceiling. Only rows drawn
 *                     from a class of more than half of all rows make the sum smaller;
 *                     such a class alone costs a quarter of all that there can be.
 *   average           A class that is released holds a class of low that k keeps, or k
 *                     people of low's outliers; so low's count limits their number. Of
 *                     suppressed rows at most `limit` are left out.
 *
 * Costs are rounded to 2^-40, so that ties are ties whichever way they were added
 * up; discernibility is whole anyway.
 */
#include <math.h>

#include "base/alloc.h"
#include "records/mingen/mingen.h"

static bool is_cells(const tacit__prices *p)
{
    return (TACIT__CELL_METRICS >> p->metric & 1) != 0;
}

/* Means, dearest values and squares of one attribute, level by level, from how many
 * rows have each ground value. */
static void price_level(tacit__prices *p, const tacit__ladders *ladders, int32_t a, int level,
                        const int64_t *rows)
{
    double mean = 0, most = 0, squares = 0;
    for (uint32_t i = 0; i < ladders->values[a][level]; i++) {
        if (rows[i] == 0)
            continue;
        double cost = is_cells(p) ? p->costs.of[a][level][i] : level;
        mean += (double)rows[i] * cost;
        most = cost > most ? cost : most;
        squares += (double)rows[i] * (double)rows[i];
    }
    p->mean[a][level] = mean / p->rows;
    p->most[a][level] = most;
    p->squares[a][level] = squares;
}

static tacit_status price_attribute(tacit__prices *p, const tacit__mingen *g, int32_t a,
                                    const uint32_t *ground, tacit_error *err)
{
    int height = g->ladders.heights[a];
    for (int level = 0; level <= height; level++) {
        int64_t *rows = NULL;
        tacit_status status = tacit__rows_on(&rows, g, a, level, ground, err);
        if (status != TACIT_OK)
            return status;
        price_level(p, &g->ladders, a, level, rows);
        tacit__free(rows);
    }
    p->top[a] = is_cells(p) ? p->costs.of[a][height][0] : 0;
    return TACIT_OK;
}

tacit_status tacit__prices_init(tacit__prices *prices, const tacit__mingen *g,
                                uint32_t *const *ground, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    prices->metric = g->options->metric;
    prices->attributes = g->frame->attribute_count;
    prices->rows = (double)g->rows;
    prices->k = (double)g->options->k;
    prices->limit = (double)g->limit;
    prices->freed = g->limit == 0 ? 0 : g->plain ? prices->k - 1 : prices->limit;
    prices->dropped = g->options->drop_suppressed;
    prices->single = tacit__frame_is_single(g->frame);
    if (is_cells(prices))
        status = tacit__costs_init(&prices->costs, g->frame, prices->metric, g->run, err);
    for (int32_t a = 0; status == TACIT_OK && a < prices->attributes; a++)
        status = price_attribute(prices, g, a, ground[a], err);
    return status;
}

void tacit__prices_clear(tacit__prices *prices)
{
    tacit__costs_clear(&prices->costs);
}

/* An attribute's mean cost as a term of a sum, and the sum as a cost. */
static double term_of(const tacit__prices *p, double mean)
{
    return p->metric == TACIT_METRIC_LOSS ? log1p(mean * p->attributes) : mean;
}

static double together(const tacit__prices *p, double terms)
{
    return p->metric == TACIT_METRIC_LOSS ? expm1(terms / p->attributes) : terms - p->costs.offset;
}

static double rounded(const tacit__prices *p, double cost)
{
    if (p->metric == TACIT_METRIC_DISCERNIBILITY)
        return cost;
    return ldexp(nearbyint(ldexp(cost, 40)), -40);
}

/* A bound a hair lower: the sums of bound and cost are not added up alike. */
static double safely(const tacit__prices *p, double bound)
{
    if (p->metric == TACIT_METRIC_DISCERNIBILITY)
        return bound * (1 - 0x1p-40);
    return rounded(p, bound - 0x1p-44);
}

static double average_cost(const tacit__prices *p, double released, double classes)
{
    return classes > 0 ? released / classes / p->k : 0;
}

double tacit__node_cost(const tacit__prices *p, const uint8_t *levels,
                        const tacit__outcome *outcome)
{
    double suppressed = (double)outcome->suppressed, terms = 0;
    if (p->metric == TACIT_METRIC_DISCERNIBILITY)
        return outcome->squares + suppressed * p->rows;
    if (p->metric == TACIT_METRIC_AVERAGE)
        return rounded(p, average_cost(p, p->dropped ? p->rows - suppressed : p->rows,
                                       (double)outcome->distinct));
    for (int32_t a = 0; a < p->attributes; a++)
        terms += term_of(p, p->mean[a][levels[a]] + outcome->cells[a]);
    return rounded(p, together(p, terms));
}

static double squares_at_least(const tacit__prices *p, const tacit__ladders *ladders,
                               const uint8_t *low)
{
    double combinations = tacit__combinations(ladders, low), best = 0;
    for (int32_t a = 0; a < p->attributes; a++) {
        double squares = p->squares[a][low[a]] * ladders->values[a][low[a]] / combinations;
        best = squares > best ? squares : best;
    }
    return best;
}

/* The most classes that a release of low or a node above can have. */
static double classes_at_most(const tacit__prices *p, const tacit__ladders *ladders,
                              const uint8_t *low, const tacit__mingen_node *node)
{
    double classes = node ? (double)node->classes : tacit__combinations(ladders, low);
    if (classes > p->rows)
        classes = p->rows;
    if (!p->single)
        return classes;
    double kept =
        node ? (double)node->kept + floor((double)node->outliers / p->k) : floor(p->rows / p->k);
    kept += p->dropped ? 0 : 1; /* the suppressed rows */
    return kept < classes ? kept : classes;
}

bool tacit__bound_needs_low(const tacit__prices *p)
{
    return p->metric == TACIT_METRIC_DISCERNIBILITY || p->metric == TACIT_METRIC_AVERAGE;
}

double tacit__bound_known(const tacit__prices *p, const tacit__ladders *ladders, const uint8_t *low,
                          const tacit__mingen_node *node)
{
    if (p->metric == TACIT_METRIC_DISCERNIBILITY)
        return node ? node->squares : squares_at_least(p, ladders, low);
    if (p->metric != TACIT_METRIC_AVERAGE)
        return 0;
    return average_cost(p, p->dropped ? p->rows - p->limit : p->rows,
                        classes_at_most(p, ladders, low, node));
}

double tacit__bound_term(const tacit__prices *p, const tacit__mingen_node *ceiling,
                         int32_t attribute, int level)
{
    double share = p->metric == TACIT_METRIC_HEIGHT ? 0 : (double)ceiling->outliers / p->rows;
    double added = share * (p->top[attribute] - p->most[attribute][level]);
    if (ceiling->lost[attribute] > added)
        added = ceiling->lost[attribute];
    return term_of(p, p->mean[attribute][level] + added);
}

static double squares_bound(const tacit__prices *p, double known, const tacit__mingen_node *ceiling)
{
    double suppressed = (double)ceiling->outliers * (p->rows - (double)ceiling->widest);
    double half = fmax(0, p->rows / 2 - p->freed);
    double bound = safely(p, known) + suppressed;
    return p->freed > 0 ? fmin(bound, half * half) : bound;
}

double tacit__bound(const tacit__prices *p, double terms, double known,
                    const tacit__mingen_node *ceiling)
{
    if (p->metric == TACIT_METRIC_DISCERNIBILITY)
        return squares_bound(p, known, ceiling);
    return safely(p, p->metric == TACIT_METRIC_AVERAGE ? known : together(p, terms));
}
