/*
 * moments.h - means and covariances of columns of numbers, and roots of covariances.
 */
#ifndef TACIT_TECHNIQUES_NUMERIC_MOMENTS_H
#define TACIT_TECHNIQUES_NUMERIC_MOMENTS_H

#include "techniques/sheet/sheet.h"

/* Columns that are looked at together, at most. */
enum { TACIT__MOST_TOGETHER = 256 };

/* Of the rows in which every column has a number; matrices are row after row. */
typedef struct tacit__moments {
    size_t count; /* of columns */
    int64_t rows; /* complete ones */
    double *means, *lows, *highs;
    double *covariance; /* divided by rows - 1; exactly 0 for columns of one value */
} tacit__moments;

/* numbers has the sheet's rows for each column, NAN where there is none. */
tacit_status tacit__moments_init(tacit__moments *moments, const tacit__sheet *sheet,
                                 const double *const *numbers, size_t count, tacit_error *err);
void tacit__moments_clear(tacit__moments *moments);

double tacit__moments_spread(const tacit__moments *moments, size_t column); /* standard deviation */

/* The lower triangle L with L L' = covariance (Cholesky). A column that the ones before it
 * determine gets 0 on the diagonal; `like`, where not NULL, is a root that says which do. */
void tacit__moments_root(double *root, const tacit__moments *moments, const double *like);

/* The matrix that takes vectors with the covariance of one root to those with the other's:
 * to * from^-1, where columns that the others determine follow those. scratch has room for count
 * numbers. */
void tacit__roots_between(double *matrix, const double *to, const double *from, size_t count,
                          double *scratch);

#endif
