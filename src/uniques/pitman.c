/*
 * pitman.c - population uniques by Pitman's model (Hoshino, Applying Pitman's
 * sampling formula to microdata disclosure risk assessment, 2001).
 *
 * The model has two parameters, theta and alpha. With u classes among n rows, c_j
 * of them of j rows, the likelihood is largest where
 *
 *   sum_{i<u} 1 / (theta + i alpha)  =  sum_{i<n} 1 / (theta + i)
 *   sum_{i<u} i / (theta + i alpha)  =  sum_j c_j sum_{i<j} 1 / (i - alpha)
 *
 * and Gamma(theta + 1) / Gamma(theta + alpha) N^alpha people of N are unique. For
 * every alpha the first equation is solved for theta by bisection, and then the
 * second for alpha; sums of reciprocals take a constant time (Euler and
 * Maclaurin), so neither the rows nor the classes are gone through.
 */
#include "uniques/estimators.h"

#include <math.h>

enum { DIRECT = 16, HALVINGS = 120 };

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
    for (int i = 0; i < HALVINGS; i++) {
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
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        *(gain(sample, middle) > 0 ? &low : &high) = middle;
    }
    double alpha = (low + high) / 2, theta = solve_theta(sample, alpha);
    double unique = exp(lgamma(theta + 1) - lgamma(theta + alpha) + alpha * log(population));
    return unique >= 0 && unique <= population ? unique : NAN;
}
