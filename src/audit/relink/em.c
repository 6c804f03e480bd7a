/*
 * em.c - how likely agreement is of a record and its person, and of any two (Fellegi and
 * Sunter 1969), from patterns of agreement alone (by EM, as Jaro 1989 does).
 *
 * Columns agree, nearly do or do not with probabilities m where record and person belong together
 * and u where they do not, independently of each other. What a level weighs is log2(m / u). Every
 * record has one person, so the posterior of a pair is 2 to its weight over the sum of that of all
 * pairs of the record. (Taking all pairs for one mixture of two parts, as is done where matches
 * may be missing, finds groups of correlated columns instead of matches when people are many.)
 * The expectation step spreads each record over its patterns, the maximization step takes shares
 * of what was spread as m, of what all pairs have besides as u, until nothing moves. It starts
 * from u as all pairs show it and an m that mostly agrees. A quarter of a pair is added to each
 * count, so that nothing is impossible because it was not seen.
 *
 * Weights are kept from rising as agreement falls, and a column of which agreement would speak
 * against a match says nothing: no adversary would believe it.
 *
 * Cost: patterns times columns, for each of at most 100 steps.
 */
#include <math.h>
#include <string.h>

#include "audit/relink/relink.h"

enum { LEVELS = TACIT_RELINK_LEVELS, MOST_STEPS = 100 };

static const double ADDED = 0.25, LEAST = 1e-6, STILL = 1e-4;

typedef double shares[TACIT_MAX_RELINK_COLUMNS][LEVELS];

/* Counts as shares; names have no level in the middle. Returns the largest change. */
static double set_shares(shares to, const tacit__relink_evidence *e, shares counts)
{
    double change = 0;
    for (int32_t i = 0; i < e->columns; i++) {
        double sum = 0;
        for (int level = 0; level < LEVELS; level++) {
            counts[i][level] += level == 1 && !e->numeric[i] ? 0 : ADDED;
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

static void weigh(tacit__relink_weights *w, const tacit__relink_evidence *e)
{
    for (int32_t i = 0; i < e->columns; i++) {
        double *weight = w->weight[i];
        for (int level = 0; level < LEVELS; level++)
            weight[level] = log2(w->m[i][level] / w->u[i][level]);
        if (!e->numeric[i])
            weight[1] = weight[2];
        for (int level = 0; level < LEVELS; level++)
            if (weight[0] <= 0)
                weight[level] = 0;
            else if (level > 0)
                weight[level] = fmin(weight[level], weight[level - 1]);
    }
}

void tacit__relink_guess(tacit__relink_weights *out, const tacit__relink_evidence *e)
{
    static const double NUMBERS[LEVELS] = {0.8, 0.15, 0.05}, NAMES[LEVELS] = {0.9, LEAST, 0.1};
    shares counts;
    memset(out, 0, sizeof *out);
    memcpy(counts, e->pairs, sizeof counts);
    set_shares(out->u, e, counts);
    for (int32_t i = 0; i < e->columns; i++)
        memcpy(out->m[i], e->numeric[i] ? NUMBERS : NAMES, sizeof out->m[i]);
    weigh(out, e);
}

static double weight_of(const tacit__relink_weights *w, const tacit__relink_evidence *e,
                        uint64_t levels)
{
    double sum = 0;
    for (int32_t i = 0; i < e->columns; i++) {
        int level = tacit__relink_level(levels, i);
        sum += level < LEVELS ? w->weight[i][level] : 0;
    }
    return sum;
}

/* Spreads a record over its patterns. Weights are taken from the largest, so that powers of two
 * stay within range. */
static void spread(shares to, const tacit__relink_weights *w, const tacit__relink_evidence *e,
                   int64_t record)
{
    const tacit__relink_pattern *patterns = e->patterns + record * e->stride;
    double mass[TACIT__RELINK_KEPT], most = -INFINITY, sum = 0;
    for (int32_t i = 0; i < e->counts[record]; i++)
        most = fmax(most, mass[i] = weight_of(w, e, patterns[i].levels));
    for (int32_t i = 0; i < e->counts[record]; i++)
        sum += mass[i] = exp2(mass[i] - most) * (double)patterns[i].people;
    for (int32_t i = 0; i < e->counts[record]; i++)
        for (int32_t column = 0; column < e->columns; column++) {
            int level = tacit__relink_level(patterns[i].levels, column);
            if (level < LEVELS)
                to[column][level] += mass[i] / sum;
        }
}

static double step(tacit__relink_weights *w, const tacit__relink_evidence *e)
{
    shares matches = {{0}}, others;
    for (int64_t record = 0; record < e->records; record++)
        spread(matches, w, e, record);
    for (int32_t i = 0; i < e->columns; i++)
        for (int level = 0; level < LEVELS; level++)
            others[i][level] = fmax(e->pairs[i][level] - matches[i][level], 0);
    double change = fmax(set_shares(w->m, e, matches), set_shares(w->u, e, others));
    weigh(w, e);
    return change;
}

void tacit__relink_em(tacit__relink_weights *out, const tacit__relink_evidence *evidence)
{
    tacit__relink_guess(out, evidence);
    for (int i = 0; i < MOST_STEPS; i++)
        if (step(out, evidence) < STILL)
            break;
}
