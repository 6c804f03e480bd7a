/*
 * least.c - how many rows a group needs at least to keep a model, whatever their values are.
 *
 * Three rows cannot have five values, and the shares of few rows are steps that lie far from those
 * of the table. Groups below that number break the model, and so does whatever lies below them in
 * the lattice, since groups only lose rows on the way down: it acts as k does, and a search may
 * rely on it where the model itself promises nothing of the kind.
 *
 *   distinct, entropy, recursive   n rows have at most n values, whose entropy is at most log n.
 *   alpha       the largest share is at least 1/n.
 *   closeness   the shares that n rows and the table have in common sum to at most 1 - t. They sum
 *               to the most where each value has the whole number of rows next to n times its
 * share, rounded up for the largest fractions: min(c/n, q) grows by 1/n up to there, then by the
 * fraction, then not at all. In a tree that holds on each level, and the distance is their mean.
 *   likeness, disclosure   values have room for n rows under their largest shares; disclosure also
 *               asks for a row of each value.
 *   range       takes two rows.
 *
 * Bounds are taken a hair too low rather than too high: a number too small rules out less.
 *
 * Cost: closeness and likeness try one number after the other, linear in the values for each, up to
 * a limit. The largest fractions are found by counting them in bins, and what is cut through the
 * middle of a bin counts as its upper end.
 */
#include <math.h>

#include "base/error.h"
#include "records/models/keep.h"

enum { BINS = 256, MOST_STEPS = 1 << 25 /* values looked at in all */ };

static const double SAFELY = 1e-7;

/* The least whole number that is no less than a bound, but for rounding. */
static int64_t at_least(double bound)
{
    double rows = ceil(bound * (1 - SAFELY));
    return rows > 1 && rows < 0x1p53 ? (int64_t)rows : 1;
}

/* The most that the shares of n rows and those of the table have in common. */
static double common(const double *shares, size_t count, int64_t n)
{
    double sums[BINS] = {0}, whole = 0, sum = 0;
    int64_t in_bin[BINS] = {0};
    for (size_t i = 0; i < count; i++) {
        double rows = (double)n * shares[i], down = floor(rows), fraction = rows - down;
        int bin = (int)(fraction * BINS);
        whole += down;
        sums[bin] += fraction;
        in_bin[bin]++;
    }
    double left = (double)n - whole;
    sum = whole;
    for (int bin = BINS - 1; bin >= 0 && left > 0; bin--) {
        double taken = fmin(left, (double)in_bin[bin]);
        sum += taken < (double)in_bin[bin] ? fmin(sums[bin], taken * (bin + 1) / BINS) : sums[bin];
        left -= taken;
    }
    return sum / (double)n;
}

static bool too_far(const tacit__models_shares *shares, const tacit_model_bound *bound, int64_t n)
{
    double sum = 0;
    for (int level = 0; level < shares->levels; level++)
        sum += 1 - common(shares->of[level], shares->counts[level], n);
    return sum / shares->levels > bound->bound + TACIT_MODEL_TOLERANCE + SAFELY;
}

/* Whether no n rows have so little of each value. */
static bool too_many(const tacit__models_shares *shares, const tacit_model_bound *bound, int64_t n)
{
    double room = 0;
    for (size_t i = 0; i < shares->counts[0]; i++) {
        double of = shares->of[0][i];
        if (of > 0)
            room += floor((double)n * of *
                              (1 + tacit__allowed_gain(bound, of) + TACIT_MODEL_TOLERANCE) +
                          SAFELY);
    }
    return room < (double)n;
}

static int64_t try_rows(const tacit__models_shares *shares, const tacit_model_bound *bound,
                        bool (*breaks)(const tacit__models_shares *, const tacit_model_bound *,
                                       int64_t))
{
    size_t steps = BINS;
    int64_t n = 1;
    for (int level = 0; level < shares->levels; level++)
        steps += shares->counts[level];
    while (n < (int64_t)(MOST_STEPS / steps) && breaks(shares, bound, n))
        n++;
    return n;
}

/* Every value of the table, none with too large a share. */
static int64_t least_disclosed(const tacit__models_shares *shares, double delta)
{
    double rarest = 1;
    for (size_t i = 0; i < shares->counts[0]; i++)
        if (shares->of[0][i] > 0)
            rarest = fmin(rarest, shares->of[0][i]);
    int64_t rows = at_least(1 / (rarest * exp2(delta)));
    return rows > shares->values ? rows : shares->values;
}

int64_t tacit__least_rows(const tacit_model_bound *bound, const tacit__models_shares *shares)
{
    switch (bound->kind) {
    case TACIT_MODEL_DISTINCT:
    case TACIT_MODEL_ENTROPY:
    case TACIT_MODEL_RECURSIVE: return at_least(bound->bound);
    case TACIT_MODEL_ALPHA: return at_least(1 / (bound->bound + TACIT_MODEL_TOLERANCE));
    case TACIT_MODEL_CLOSENESS:
    case TACIT_MODEL_CLOSENESS_TREE: return try_rows(shares, bound, too_far);
    case TACIT_MODEL_LIKENESS:
    case TACIT_MODEL_LIKENESS_ENHANCED: return try_rows(shares, bound, too_many);
    case TACIT_MODEL_DISCLOSURE: return least_disclosed(shares, bound->bound);
    case TACIT_MODEL_RANGE: return bound->bound > 0 ? 2 : 1;
    default:
        return 1; /* closeness by order is near with few rows; a population is no sum of them */
    }
}
