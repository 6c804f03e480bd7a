/*
 * relink_em.c - how likely agreement is of a record and its person, and of any two (Fellegi and
 * Sunter 1969), from patterns of agreement alone (Jaro 1989).
 *
 * Pairs are a mixture of matches, with probabilities m of the levels of each column, and of others,
 * with u, independent of each other within both. The share of matches is known: one in as many as
 * there are people. So the expectation step weighs every pattern by the posterior of its
 * being a match, the maximization step takes shares of weighted counts, until nothing moves. It
 * starts from u as all pairs show it, and from an m that mostly agrees, so that matches do not end
 * up as the other part. A quarter of a pair is added to each count, so that nothing is impossible
 * because it was not seen.
 *
 * What a level weighs is log2(m / u). Weights are kept from rising as agreement falls, and a column
 * of which agreement would speak against a match says nothing: no adversary would believe it.
 *
 * Cost: patterns times columns, for each of at most 200 steps.
 */
#include <math.h>

#include "audit/relink.h"

enum { LEVELS = TACIT_RELINK_LEVELS, MOST_STEPS = 200 };

static const double ADDED = 0.25, LEAST = 1e-6, STILL = 1e-7;

typedef double shares[TACIT_MAX_RELINK_COLUMNS][LEVELS];

typedef struct mixture {
    const tacit__relink_pattern *patterns;
    int64_t count;
    int32_t columns;
    const bool *numeric;
    double prior; /* of a match */
    shares m, u;
} mixture;

static int level_at(uint64_t levels, int32_t column)
{
    return (int)(levels >> (2 * column) & 3);
}

/* The posterior of a match. */
static double posterior(const mixture *x, uint64_t levels)
{
    double match = x->prior, other = 1 - x->prior;
    for (int32_t i = 0; i < x->columns; i++) {
        int level = level_at(levels, i);
        if (level == LEVELS)
            continue;
        match *= x->m[i][level];
        other *= x->u[i][level];
    }
    return match / (match + other);
}

static void add_pattern(shares to, const mixture *x, uint64_t levels, double pairs)
{
    for (int32_t i = 0; i < x->columns; i++)
        if (level_at(levels, i) < LEVELS)
            to[i][level_at(levels, i)] += pairs;
}

/* Counts become shares; names have no level in the middle. Returns the largest change. */
static double set_shares(shares to, const mixture *x, shares counts)
{
    double change = 0;
    for (int32_t i = 0; i < x->columns; i++) {
        double sum = 0;
        for (int level = 0; level < LEVELS; level++) {
            counts[i][level] += level == 1 && !x->numeric[i] ? 0 : ADDED;
            sum += counts[i][level];
        }
        for (int level = 0; level < LEVELS; level++) {
            double share = fmax(counts[i][level] / sum, LEAST);
            change = fmax(change, fabs(share - to[i][level]));
            to[i][level] = share;
        }
    }
    return change;
}

static void start(mixture *x)
{
    static const double NUMBERS[LEVELS] = {0.8, 0.15, 0.05}, NAMES[LEVELS] = {0.9, 0, 0.1};
    shares counts = {{0}};
    for (int64_t i = 0; i < x->count; i++)
        add_pattern(counts, x, x->patterns[i].levels, (double)x->patterns[i].pairs);
    set_shares(x->u, x, counts);
    for (int32_t i = 0; i < x->columns; i++)
        for (int level = 0; level < LEVELS; level++)
            x->m[i][level] = fmax(x->numeric[i] ? NUMBERS[level] : NAMES[level], LEAST);
}

static double step(mixture *x)
{
    shares matches = {{0}}, others = {{0}};
    for (int64_t i = 0; i < x->count; i++) {
        double share = posterior(x, x->patterns[i].levels), pairs = (double)x->patterns[i].pairs;
        add_pattern(matches, x, x->patterns[i].levels, share * pairs);
        add_pattern(others, x, x->patterns[i].levels, (1 - share) * pairs);
    }
    return fmax(set_shares(x->m, x, matches), set_shares(x->u, x, others));
}

static void weigh(tacit__relink_weights *out, const mixture *x)
{
    for (int32_t i = 0; i < x->columns; i++) {
        double *weight = out->weight[i];
        for (int level = 0; level < LEVELS; level++) {
            out->m[i][level] = x->m[i][level];
            out->u[i][level] = x->u[i][level];
            weight[level] = log2(x->m[i][level] / x->u[i][level]);
        }
        if (!x->numeric[i])
            weight[1] = weight[2];
        for (int level = 0; level < LEVELS; level++) {
            if (weight[0] <= 0)
                weight[level] = 0;
            else if (level > 0)
                weight[level] = fmin(weight[level], weight[level - 1]);
        }
    }
}

void tacit__relink_em(tacit__relink_weights *out, const tacit__relink_pattern *patterns,
                      int64_t count, int32_t columns, const bool *numeric, double people)
{
    mixture x = {.patterns = patterns,
                 .count = count,
                 .columns = columns,
                 .numeric = numeric,
                 .prior = people > 2 ? 1 / people : 0.5};
    start(&x);
    for (int i = 0; i < MOST_STEPS; i++)
        if (step(&x) < STILL)
            break;
    weigh(out, &x);
}
