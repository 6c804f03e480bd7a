/*
 * estimators.c - how many people are unique in a population of which a sample is known, by
 * Pitman's, Zayatz's and the slide negative binomial model. See Dankar, El Emam, Neisa and Roffey,
 * Estimating the re-identification risk of clinical data sets, 2012.
 *
 * Pitman's model (Hoshino, Applying Pitman's sampling formula to microdata disclosure risk
 * assessment, 2001) has two parameters, theta and alpha. With u classes among n rows, c_j of them
 * of j rows, the likelihood is largest where
 *
 *   sum_{i<u} 1 / (theta + i alpha)  =  sum_{i<n} 1 / (theta + i)
 *   sum_{i<u} i / (theta + i alpha)  =  sum_j c_j sum_{i<j} 1 / (i - alpha)
 *
 * and Gamma(theta + 1) / Gamma(theta + alpha) N^alpha people of N are unique. For every alpha the
 * first equation is solved for theta by bisection, and then the second for alpha; sums of
 * reciprocals take a constant time (Euler and Maclaurin), so neither the rows nor the classes are
 * gone through.
 *
 * Zayatz takes the sizes of the sample's classes for those of the population's: the chance that a
 * class alone in the sample is alone in the population follows by Bayes' rule, a sample being drawn
 * without putting anybody back.
 *
 * The slide negative binomial model takes a class for one person and a negative binomial number of
 * others, P(1 + j) = C(a + j - 1, j) b^a (1 - b)^j. With K classes in the population, of which a
 * share p is sampled, and z = 1 - p, y = (1 - b) / (1 - (1 - b) z), the classes of one and of two
 * rows are expected to be
 *
 *   c1 = K p (1 - p y)^a (1 + a z y)
 *   c2 = K p^2 / 2 (1 - p y)^a a y (2 + (1 + a) z y)
 *
 * Their ratio is a quadratic equation in a for every y, so one equation in y is left, between 0 and
 * 1 / p. K is Shlosser's estimator as modified by Haas and Stokes, Estimating the number of classes
 * in a finite population, 1998.
 */
#include "uniques/uniques.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

static int ascending(const void *left, const void *right)
{
    uint32_t a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return a < b ? -1 : a > b;
}

/* Puts sorted sizes together that are equal. */
static void tell_apart(tacit__class_sizes *sizes, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t size = sizes->sizes[i];
        if (size == 0)
            continue;
        if (!sizes->count || sizes->sizes[sizes->count - 1] != size) {
            sizes->sizes[sizes->count] = size;
            sizes->counts[sizes->count++] = 0;
        }
        sizes->counts[sizes->count - 1]++;
        sizes->classes++;
        sizes->rows += size;
        sizes->alone += size == 1;
        sizes->pairs += size == 2;
    }
}

tacit_status tacit__class_sizes_init(tacit__class_sizes *out, const uint32_t *sizes, int64_t count,
                                     tacit_error *err)
{
    tacit__class_sizes made = {0};
    made.sizes = tacit__alloc_array((size_t)count, sizeof *made.sizes);
    made.counts = tacit__alloc_array((size_t)count, sizeof *made.counts);
    if (!made.sizes || !made.counts) {
        tacit__class_sizes_clear(&made);
        return tacit__nomem(err);
    }
    if (count > 0)
        memcpy(made.sizes, sizes, (size_t)count * sizeof *made.sizes);
    qsort(made.sizes, (size_t)count, sizeof *made.sizes, ascending);
    tell_apart(&made, count);
    *out = made;
    return TACIT_OK;
}

void tacit__class_sizes_clear(tacit__class_sizes *sizes)
{
    tacit__free(sizes->sizes);
    tacit__free(sizes->counts);
    *sizes = (tacit__class_sizes){0};
}

enum { DIRECT = 16, LIKELY_HALVINGS = 120 };

/* The sum of 1 / (x + i a) for i from 1 to count. */
static double reciprocals(double x, double a, double count)
{
    double sum = 0;
    for (int i = 1; i <= DIRECT && i <= count; i++)
        sum += 1 / (x + i * a);
    if (count <= DIRECT)
        return sum;
    double first = x + (DIRECT + 1) * a, last = x + count * a;
    double f = 1 / first, l = 1 / last, n = count - DIRECT - 1;
    /* the integral, half the ends, and two corrections by odd derivatives */
    sum += (a * n / first > 1e-8 ? log1p(a * n / first) / a : n / first) + (f + l) / 2;
    sum += a * (f * f - l * l) / 12;
    sum -= a * a * a * (f * f * f * f - l * l * l * l) / 120;
    return sum;
}

/* theta for an alpha: the root, above -alpha, of a difference that falls. */
static double solve_theta(const tacit__class_sizes *sample, double alpha)
{
    double low = -60, high = 60;
    for (int i = 0; i < LIKELY_HALVINGS; i++) {
        double middle = (low + high) / 2, theta = exp(middle) - alpha;
        double difference = reciprocals(theta, alpha, sample->classes - 1) -
                            reciprocals(theta, 1, sample->rows - 1);
        *(difference > 0 ? &low : &high) = middle;
    }
    return exp((low + high) / 2) - alpha;
}

/* What the likelihood gains by a larger alpha. */
static double gain(const tacit__class_sizes *sample, double alpha)
{
    double theta = solve_theta(sample, alpha), u = sample->classes, sum;
    if (alpha * u > 1e-6 * fabs(theta))
        sum = (u - 1 - theta * reciprocals(theta, alpha, u - 1)) / alpha;
    else
        sum = u * (u - 1) / 2 / theta;
    for (size_t i = 0; i < sample->count; i++)
        sum -= sample->counts[i] * reciprocals(-alpha, 1, sample->sizes[i] - 1.0);
    return sum;
}

double tacit__pitman(const tacit__class_sizes *sample, double population)
{
    if (sample->classes < 2 || sample->classes >= sample->rows)
        return NAN;
    double low = 1e-9, high = 1 - 1e-9;
    if (gain(sample, low) <= 0) /* no alpha above 0: the limit of the formula */
        return fmin(solve_theta(sample, low), population);
    for (int i = 0; i < LIKELY_HALVINGS; i++) {
        double middle = (low + high) / 2;
        *(gain(sample, middle) > 0 ? &low : &high) = middle;
    }
    double alpha = (low + high) / 2, theta = solve_theta(sample, alpha);
    double unique = exp(lgamma(theta + 1) - lgamma(theta + alpha) + alpha * log(population));
    return unique >= 0 && unique <= population ? unique : NAN;
}

/* Chance that of `marked` people among `population` just one is in a sample of
 * `drawn`. */
static double chance_of_one(double population, double marked, double drawn)
{
    double chance = marked * drawn / population;
    for (double i = 1; i < marked && chance > 0; i++)
        chance *= fmax(0, (population - drawn - i + 1) / (population - i));
    return chance;
}

double tacit__zayatz(const tacit__class_sizes *sample, double population)
{
    double all = 0;
    for (size_t i = 0; i < sample->count; i++)
        all += sample->counts[i] * chance_of_one(population, sample->sizes[i], sample->rows);
    double alone = sample->alone * chance_of_one(population, 1, sample->rows);
    return all > 0 ? sample->alone * (alone / all) * (population / sample->rows) : 0;
}

/* Classes in the population. */
static double shlosser(const tacit__class_sizes *sample, double p)
{
    double once = 0, seen = 0, unseen = 0, single = 0;
    for (size_t i = 0; i < sample->count; i++) {
        double size = sample->sizes[i], count = sample->counts[i];
        once += count * size * p * p * pow(1 - p * p, size - 1);
        seen += count * (pow(1 - p * p, size) - pow(1 - p, size));
        unseen += count * pow(1 - p, size);
        single += count * size * p * pow(1 - p, size - 1);
    }
    if (!(seen > 0 && single > 0))
        return sample->classes;
    return sample->classes + sample->alone * (once / seen) * (unseen / single) * (unseen / single);
}

/* The model for one y: a, and how many more classes of one row it expects than
 * there are. */
typedef struct slide {
    double p, z;
    double classes; /* in the population */
    double alone;
    double ratio; /* 2 c2 / (p c1) */
} slide;

static double solve_a(const slide *s, double y)
{
    double square = y * y * s->z, linear = 2 * y + square - s->ratio * s->z * y;
    double root = sqrt(linear * linear + 4 * square * s->ratio);
    /* the root that does not lose digits by subtraction */
    return linear > 0 ? 2 * s->ratio / (linear + root) : (root - linear) / (2 * square);
}

static double excess(const slide *s, double y)
{
    double a = solve_a(s, y);
    return s->classes * s->p * exp(a * log1p(-s->p * y)) * (1 + a * s->z * y) - s->alone;
}

enum { STEPS = 400, HALVINGS = 200 };

/* y at a step: even in log (y p / (1 - y p)). */
static double y_at(const slide *s, double step)
{
    double odds = exp((step / STEPS - 0.5) * 40);
    return odds / (1 + odds) / s->p;
}

double tacit__snb(const tacit__class_sizes *sample, double population)
{
    slide s = {.p = sample->rows / population, .alone = sample->alone};
    s.z = 1 - s.p;
    if (s.z <= 0)
        return sample->alone;
    s.classes = shlosser(sample, s.p);
    s.ratio = 2 * sample->pairs / (s.p * sample->alone);
    double step = 0;
    while (step < STEPS && !(excess(&s, y_at(&s, step)) >= 0 && excess(&s, y_at(&s, step + 1)) < 0))
        step++;
    if (step == STEPS || sample->pairs <= 0)
        return NAN;
    double low = y_at(&s, step), high = y_at(&s, step + 1);
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        *(excess(&s, middle) >= 0 ? &low : &high) = middle;
    }
    double unique = s.classes * pow((1 - s.p * low) / (1 + low * s.z), solve_a(&s, low));
    return unique >= 0 && unique <= population ? unique : NAN;
}

bool tacit__few_sampled(const tacit__class_sizes *sizes, double population)
{
    return sizes->rows <= 0.1 * population * (1 + 1e-9); /* a tenth is few, however it rounds */
}

tacit_uniqueness_model tacit__dankar(bool few, double pitman, double zayatz, double snb)
{
    if (few && !isnan(pitman))
        return TACIT_UNIQUENESS_PITMAN;
    return !few && snb <= zayatz ? TACIT_UNIQUENESS_SNB : TACIT_UNIQUENESS_ZAYATZ;
}

/* Unique people by a model; the rule asks no model that it does not need. */
static double unique_by(const tacit__class_sizes *sizes, tacit_uniqueness_model model,
                        double population)
{
    double pitman = NAN, snb = NAN, zayatz = NAN;
    bool dankar = model == TACIT_UNIQUENESS_DANKAR, few = tacit__few_sampled(sizes, population);
    if (model == TACIT_UNIQUENESS_PITMAN || (dankar && few))
        pitman = tacit__pitman(sizes, population);
    if (model == TACIT_UNIQUENESS_SNB || (dankar && !few))
        snb = tacit__snb(sizes, population);
    if (model == TACIT_UNIQUENESS_ZAYATZ || dankar)
        zayatz = tacit__zayatz(sizes, population);
    switch (dankar ? tacit__dankar(few, pitman, zayatz, snb) : model) {
    case TACIT_UNIQUENESS_PITMAN: return pitman;
    case TACIT_UNIQUENESS_ZAYATZ: return zayatz;
    case TACIT_UNIQUENESS_SNB: return snb;
    default: return NAN;
    }
}

tacit_status tacit_uniqueness_of(double *share, const uint32_t *sizes, int64_t count,
                                 tacit_uniqueness_model model, double fraction, tacit_error *err)
{
    tacit__class_sizes sample;
    tacit_status status = tacit__class_sizes_init(&sample, sizes, count, err);
    if (status != TACIT_OK)
        return status;
    double population = sample.rows / fraction;
    if (sample.alone <= 0)
        *share = 0;
    else if (population <= sample.rows) /* everybody is in the sample */
        *share = sample.alone / sample.rows;
    else
        *share = unique_by(&sample, model, population) / population;
    tacit__class_sizes_clear(&sample);
    return TACIT_OK;
}
