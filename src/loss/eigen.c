/*
 * eigen.c - eigenvalues of small symmetric matrices by Jacobi's rotations.
 *
 * Each rotation makes one pair of entries beside the diagonal zero; sweeps over
 * all pairs go on until nothing is left there. It converges for every symmetric
 * matrix, quadratically in the end, which takes six to ten sweeps of size^3
 * steps; matrices of this room have at most 64 rows.
 */
#include "loss/eigen.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_SWEEPS = 60 };

/* Rotates rows and columns p and q so that their entry vanishes. */
static void rotate(double *a, int size, int p, int q)
{
    double off = a[p * size + q];
    if (off == 0) /* exactly: there is nothing to rotate, and nothing to divide by */
        return;
    double theta = (a[q * size + q] - a[p * size + p]) / (2 * off);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < size; k++) {
        double x = a[k * size + p], y = a[k * size + q];
        a[k * size + p] = c * x - s * y;
        a[k * size + q] = s * x + c * y;
    }
    for (int k = 0; k < size; k++) {
        double x = a[p * size + k], y = a[q * size + k];
        a[p * size + k] = c * x - s * y;
        a[q * size + k] = s * x + c * y;
    }
}

static bool is_diagonal(const double *a, int size)
{
    double beside = 0, all = 0;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            all += a[i * size + j] * a[i * size + j];
            beside += i != j ? a[i * size + j] * a[i * size + j] : 0;
        }
    return beside <= 1e-30 * all;
}

void tacit__eigenvalues(double *values, double *matrix, int size)
{
    for (int sweep = 0; sweep < MOST_SWEEPS && !is_diagonal(matrix, size); sweep++)
        for (int p = 0; p < size; p++)
            for (int q = p + 1; q < size; q++)
                rotate(matrix, size, p, q);
    for (int i = 0; i < size; i++) {
        double value = matrix[i * size + i];
        int at = i;
        for (; at > 0 && values[at - 1] < value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}
