/*
 * risks.c - what a release keeps as a whole: the average risk of its classes, and the share of
 * people who seem to be unique in the population.
 *
 * For each quasi-identifier the released rows are put into classes (rows/rows.c), and the people of
 * each are counted, first without the suppressed rows, then with them. The average is the larger of
 * the two. Everybody who was suppressed, or left out, as far as the original tells, counts as a
 * class of his own where uniqueness is estimated: nobody knows what else he was. An estimate that
 * no model gives is a finding, like one above its bound.
 *
 * The three models are computed here from their definitions (Dankar, El Emam, Neisa and Roffey
 * 2012), not as the methods compute them:
 *
 *   Pitman    the likelihood's two equations, whose sums are differences of the digamma function.
 *             For every alpha theta is found by bisection of the logarithm, and alpha by
 *             bisection of that of its odds.
 *   Zayatz    hypergeometric probabilities, from Bayes' rule term by term.
 *   SNB       with y the share of a class's places that are taken, the ratio of classes of two
 *             rows and of one gives a by bisection; every change of sign over a grid of y is a
 *             solution, and the one with the most unique people counts.
 *
 * Cost: for each quasi-identifier a sort of the rows, and one of class and person where people are
 * counted; the models take time by the number of different sizes.
 */
#include "audit/models/risks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/models/models.h"
#include "base/alloc.h"
#include "base/error.h"

/* ---- the models ---- */

/* How many classes there are of each size. */
typedef struct spectrum {
    double *classes; /* by size, from 1 */
    int64_t largest;
    double people, all; /* in classes; classes */
} spectrum;

static double logistic(double odds)
{
    return 1 / (1 + exp(-odds));
}

/* digamma(y + count) - digamma(y), for y > 0. */
static double digamma_gap(double y, double count)
{
    double gap = 0;
    for (; y < 20 && count >= 1; y++, count--)
        gap += 1 / y;
    if (count <= 0)
        return gap;
    double from = 1 / y, to = 1 / (y + count);
    gap += log1p(count / y) - (to - from) / 2 - (to * to - from * from) / 12;
    return gap + (pow(to, 4) - pow(from, 4)) / 120 - (pow(to, 6) - pow(from, 6)) / 252;
}

/* Of a theta: the sum of 1 / (theta + i alpha) over the classes but the first, less the same of
 * 1 / (theta + i) over the people. */
static double theta_excess(const spectrum *s, double theta, double alpha)
{
    double classes = digamma_gap(theta / alpha + 1, s->all - 1) / alpha;
    return classes - digamma_gap(theta + 1, s->people - 1);
}

static double find_theta(const spectrum *s, double alpha)
{
    double low = -80, high = 80;
    for (int i = 0; i < 200 && high - low > 1e-14; i++) {
        double middle = low + (high - low) / 2;
        if (theta_excess(s, exp(middle) - alpha, alpha) > 0)
            low = middle;
        else
            high = middle;
    }
    return exp(low + (high - low) / 2) - alpha;
}

/* What the likelihood gains by a larger alpha, theta being the best for it. */
static double alpha_gain(const spectrum *s, double alpha)
{
    double theta = find_theta(s, alpha), others = s->all - 1;
    double gain = (others - theta * digamma_gap(theta / alpha + 1, others) / alpha) / alpha;
    for (int64_t size = 2; size <= s->largest; size++)
        if (s->classes[size] > 0)
            gain -= s->classes[size] * digamma_gap(1 - alpha, (double)size - 1);
    return gain;
}

/* Between two alphas, in even steps of the logarithm of the odds. */
static double find_alpha(const spectrum *s, double low, double high)
{
    double from = log(low / (1 - low)), to = log(high / (1 - high));
    for (int i = 0; i < 100 && to - from > 1e-14; i++) {
        double middle = from + (to - from) / 2;
        *(alpha_gain(s, logistic(middle)) > 0 ? &from : &to) = middle;
    }
    return logistic(from + (to - from) / 2);
}

static double pitman(const spectrum *s, double population)
{
    const double least = 1e-7;
    if (s->all < 2 || s->all >= s->people)
        return NAN;
    if (alpha_gain(s, least) <= 0)
        return fmin(find_theta(s, least), population);
    double alpha = find_alpha(s, least, 1 - 1e-9), theta = find_theta(s, alpha);
    double unique = exp(lgamma(theta + 1) - lgamma(theta + alpha)) * pow(population, alpha);
    return unique <= population ? unique : NAN;
}

/* Chance that a sample of s->people people has one of a class of `size`. */
static double chance_of_one(const spectrum *s, double population, double size)
{
    double left = population - s->people, chance = size * s->people / population;
    for (double others = 0; others < size - 1; others++) {
        if (left - others <= 0 || chance < 1e-300)
            return 0;
        chance *= (left - others) / (population - 1 - others);
    }
    return chance;
}

static double zayatz(const spectrum *s, double population)
{
    double seen_once = 0;
    for (int64_t size = 1; size <= s->largest; size++)
        if (s->classes[size] > 0)
            seen_once += s->classes[size] * chance_of_one(s, population, (double)size);
    double unique_given_one = s->classes[1] * chance_of_one(s, population, 1) / seen_once;
    return seen_once > 0 ? s->classes[1] * unique_given_one * population / s->people : 0;
}

/* Classes in the population: Shlosser's estimator, modified by Haas and Stokes. */
static double population_classes(const spectrum *s, double p)
{
    double q = 1 - p, q2 = 1 - p * p, a = 0, b = 0, c = 0, d = 0;
    for (int64_t size = 1; size <= s->largest; size++) {
        double i = (double)size, f = s->classes[size];
        if (f <= 0)
            continue;
        a += i * p * p * pow(q2, i - 1) * f;
        b += pow(q, i) * (pow(1 + p, i) - 1) * f;
        c += pow(q, i) * f;
        d += i * p * pow(q, i - 1) * f;
    }
    return b > 0 && d > 0 ? s->all + s->classes[1] * (a / b) * (c / d) * (c / d) : s->all;
}

/* a, for which two rows are as much rarer than one as they are. */
static double find_a(double ratio, double z, double y)
{
    double low = 0, high = 1;
    while (high * y * (2 + (1 + high) * z * y) < ratio * (1 + high * z * y) && high < 1e300)
        high *= 2;
    for (int i = 0; i < 200; i++) {
        double a = low + (high - low) / 2;
        *(a * y * (2 + (1 + a) * z * y) < ratio * (1 + a * z * y) ? &low : &high) = a;
    }
    return low + (high - low) / 2;
}

typedef struct slide {
    double p, z, classes, alone, ratio;
} slide;

static double alone_excess(const slide *s, double taken)
{
    double y = taken / s->p, a = find_a(s->ratio, s->z, y);
    return s->classes * s->p * pow(1 - taken, a) * (1 + a * s->z * y) - s->alone;
}

static double unique_at(const slide *s, double taken)
{
    double y = taken / s->p;
    return s->classes * pow((1 - taken) / (1 + y * s->z), find_a(s->ratio, s->z, y));
}

static double solve_slide(const slide *s, double low, double high)
{
    for (int i = 0; i < 100; i++) {
        double middle = low + (high - low) / 2;
        *(alone_excess(s, middle) >= 0 ? &low : &high) = middle;
    }
    return unique_at(s, low);
}

static double snb(const spectrum *s, double population)
{
    enum { GRID = 800 };
    double p = s->people / population, pairs = s->largest > 1 ? s->classes[2] : 0, most = NAN;
    if (pairs <= 0)
        return NAN;
    slide at = {.p = p,
                .z = 1 - p,
                .classes = population_classes(s, p),
                .alone = s->classes[1],
                .ratio = 2 * pairs / (p * s->classes[1])};
    for (int i = 0; i < GRID; i++) {
        double low = logistic(-20 + 40.0 * i / GRID), high = logistic(-20 + 40.0 * (i + 1) / GRID);
        if (alone_excess(&at, low) >= 0 && alone_excess(&at, high) < 0)
            most = fmax(most, solve_slide(&at, low, high)); /* fmax passes a NaN over */
    }
    return most >= 0 && most <= population ? most : NAN;
}

/* By the rule of Dankar and others: up to a tenth of the population Pitman, if it fits; beyond it
 * SNB, if that is not more than Zayatz. */
static double by_rule(tacit_uniqueness_model *chosen, const spectrum *s, double population)
{
    bool few = s->people <= 0.1 * population * (1 + 1e-9);
    double other = few ? pitman(s, population) : snb(s, population), z = zayatz(s, population);
    *chosen = few ? TACIT_UNIQUENESS_PITMAN : TACIT_UNIQUENESS_SNB;
    if (few ? !isnan(other) : other <= z)
        return other;
    *chosen = TACIT_UNIQUENESS_ZAYATZ;
    return z;
}

static tacit_status count_sizes(spectrum *s, const uint32_t *sizes, int64_t count, tacit_error *err)
{
    *s = (spectrum){.largest = 1};
    for (int64_t i = 0; i < count; i++)
        s->largest = sizes[i] > s->largest ? sizes[i] : s->largest;
    s->classes = tacit__alloc_zeroed((size_t)s->largest + 1, sizeof *s->classes);
    if (!s->classes)
        return tacit__nomem(err);
    for (int64_t i = 0; i < count; i++) {
        s->classes[sizes[i]] += sizes[i] > 0;
        s->all += sizes[i] > 0;
        s->people += sizes[i];
    }
    return TACIT_OK;
}

tacit_status tacit__risks_unique(double *share, tacit_uniqueness_model *by, const uint32_t *sizes,
                                 int64_t count, const tacit_risk_bounds *bounds, tacit_error *err)
{
    spectrum s;
    tacit_status status = count_sizes(&s, sizes, count, err);
    if (status != TACIT_OK)
        return status;
    double population = s.people / bounds->fraction;
    *by = TACIT_UNIQUENESS_NONE;
    if (s.classes[1] <= 0 || population <= s.people) {
        *share = s.people > 0 ? s.classes[1] / s.people : 0;
    } else {
        *by = bounds->model;
        *share = bounds->model == TACIT_UNIQUENESS_PITMAN   ? pitman(&s, population)
                 : bounds->model == TACIT_UNIQUENESS_ZAYATZ ? zayatz(&s, population)
                 : bounds->model == TACIT_UNIQUENESS_SNB    ? snb(&s, population)
                                                            : by_rule(by, &s, population);
        *share /= population;
    }
    tacit__free(s.classes);
    return TACIT_OK;
}

/* ---- the classes ---- */

/* People of each class of some rows: all, or those that are not suppressed. */
static tacit_status count_people(uint32_t *sizes, const tacit__judge *judge,
                                 const tacit__partition *classes, bool suppressed, tacit_error *err)
{
    int64_t rows = tacit_table_rows(judge->release), count = 0;
    tacit__sorter sorter = {0};
    int bits = judge->by_person ? tacit__bits_for(judge->people_max) : 0;
    memset(sizes, 0, (size_t)classes->count * sizeof *sizes);
    tacit_status status =
        tacit__sorter_init(&sorter, judge->by_person ? rows : 0,
                           bits + tacit__bits_for((uint64_t)classes->count), false, err);
    if (status != TACIT_OK)
        return status;
    for (int64_t row = 0; row < rows; row++) {
        uint64_t class = classes->class_of[row];
        if (!suppressed && tacit__bit_get(judge->suppressed, row))
            continue;
        if (judge->by_person)
            tacit__sorter_put(&sorter, count++, class << bits | tacit_codes_at(judge->people, row));
        else
            sizes[class]++;
    }
    sorter.count = count;
    status = tacit__sorter_sort(&sorter, judge->run, err);
    for (int64_t i = 0; status == TACIT_OK && i < count; i++)
        if (i == 0 || tacit__sorter_key(&sorter, i) != tacit__sorter_key(&sorter, i - 1))
            sizes[tacit__sorter_key(&sorter, i) >> bits]++;
    tacit__sorter_clear(&sorter);
    return status;
}

static double average_of(const uint32_t *sizes, int64_t count)
{
    double classes = 0, people = 0;
    for (int64_t i = 0; i < count; i++) {
        classes += sizes[i] > 0;
        people += sizes[i];
    }
    return people > 0 ? classes / people : 0;
}

static void report_average(tacit__judge *judge, const uint64_t *set, double average)
{
    char names[160];
    double most = judge->promise->risks.average;
    tacit__name_set(names, sizeof names, judge, set);
    if (!(average <= most + TACIT_MODEL_TOLERANCE))
        tacit__find(judge, TACIT_FINDING_MODEL, 0, tacit_table_rows(judge->release),
                    "the average risk on %s is %.6g, more than %.6g: there are too many classes "
                    "for so few %s",
                    names, average, most, tacit__counted(judge, judge->by_person));
}

static void report_unique(tacit__judge *judge, const uint64_t *set, double share)
{
    char names[160];
    const tacit_risk_bounds *bounds = &judge->promise->risks;
    tacit__name_set(names, sizeof names, judge, set);
    if (isnan(share))
        tacit__find(judge, TACIT_FINDING_MODEL, 0, tacit_table_rows(judge->release),
                    "how many of the population are unique on %s cannot be estimated: the model "
                    "%s does not fit",
                    names, tacit_uniqueness_name(bounds->model));
    else if (share > bounds->unique * (1 + TACIT_RISK_TOLERANCE) + TACIT_MODEL_TOLERANCE)
        tacit__find(judge, TACIT_FINDING_MODEL, 0, tacit_table_rows(judge->release),
                    "%.6g of the population seem to be unique on %s, more than %.6g", share, names,
                    bounds->unique);
}

/* Of the rows that are not suppressed; those that are, or were left out, stand alone. */
static tacit_status judge_unique(tacit__judge *judge, const uint64_t *set, uint32_t *sizes,
                                 int64_t count, tacit_error *err)
{
    tacit_risk_verdict *verdict = &judge->verdict->risks;
    tacit_uniqueness_model by = TACIT_UNIQUENESS_NONE;
    double share = 0;
    bool alone = false;
    for (int64_t i = 0; i < count; i++)
        alone |= sizes[i] == 1;
    int64_t gone = judge->suppressed_people + judge->unreleased_people;
    for (int64_t i = 0; i < gone; i++)
        sizes[count + i] = 1;
    tacit_status status = TACIT_OK;
    if (alone)
        status = tacit__risks_unique(&share, &by, sizes, count + gone, &judge->promise->risks, err);
    if (status != TACIT_OK)
        return status;
    report_unique(judge, set, share);
    if (!(share <= verdict->unique)) {
        verdict->unique = share;
        verdict->model = by;
    }
    return TACIT_OK;
}

static tacit_status judge_sizes(tacit__judge *judge, const uint64_t *set,
                                const tacit__partition *classes, uint32_t *sizes, tacit_error *err)
{
    tacit_risk_verdict *verdict = &judge->verdict->risks;
    tacit_status status = count_people(sizes, judge, classes, true, err);
    double average = average_of(sizes, classes->count);
    if (status == TACIT_OK)
        status = count_people(sizes, judge, classes, false, err);
    if (status != TACIT_OK)
        return status;
    average = fmax(average, average_of(sizes, classes->count));
    verdict->average = fmax(verdict->average, average);
    if (judge->promise->risks.average > 0)
        report_average(judge, set, average);
    if (judge->promise->risks.model == TACIT_UNIQUENESS_NONE)
        return TACIT_OK;
    return judge_unique(judge, set, sizes, classes->count, err);
}

static tacit_status judge_risks_of(tacit__judge *judge, const uint64_t *set, tacit_error *err)
{
    int32_t columns[TACIT__MAX_PROMISED], count = 0;
    tacit__partition classes = {0};
    int64_t gone = judge->suppressed_people + judge->unreleased_people;
    for (int32_t a = 0; a < judge->promise->attribute_count; a++)
        if (tacit__set_has(set, a))
            columns[count++] = judge->attribute[a];
    tacit_status status =
        tacit__partition_init(&classes, judge->release, columns, count, judge->run, err);
    if (status != TACIT_OK)
        return status;
    uint32_t *sizes = tacit__alloc_array((size_t)(classes.count + gone), sizeof *sizes);
    status = sizes ? judge_sizes(judge, set, &classes, sizes, err) : tacit__nomem(err);
    tacit__free(sizes);
    tacit__partition_clear(&classes);
    return status;
}

tacit_status tacit__judge_risks(tacit__judge *judge, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (!tacit_risk_bounds_any(&judge->promise->risks))
        return TACIT_OK;
    judge->verdict->risks.checked = true;
    for (int32_t i = 0; i < judge->verdict->set_count && status == TACIT_OK; i++)
        status = judge_risks_of(judge, tacit__set_of(judge, i), err);
    return status;
}
