/*
 * noise.h - additive noise in the making: what noise.c and noise_kept.c share.
 */
#ifndef TACIT_TECHNIQUES_NUMERIC_NOISE_H
#define TACIT_TECHNIQUES_NUMERIC_NOISE_H

#include <stdatomic.h>

#include "techniques/numeric/moments.h"
#include "techniques/numeric/normal.h"
#include "techniques/runner/technique.h"

typedef enum tacit__noise_range {
    TACIT__NOISE_FREE,
    TACIT__NOISE_SIGN,
    TACIT__NOISE_KEEP
} tacit__noise_range;

/* Noise is drawn row by row, a standard number for each column, and stretched. */
typedef struct tacit__noise {
    tacit__sheet *sheet;
    const tacit__runner_call *call;
    const tacit__runner_value *names;
    size_t count;
    const double **numbers; /* of each column, as they are */
    double *spreads;        /* standard deviations of the noise; with a root not used */
    double *root;           /* of the covariance of the noise; NULL: columns are independent */
    double *lows, *highs;   /* of each column */
    double size;
    bool laplace;
    tacit__normal normal;
    tacit__noise_range range;
    int64_t incomplete; /* rows with some numbers of the columns, not all */
    atomic_int_fast64_t changed;
} tacit__noise;

/* Fills out, rows x columns, with noise for rows of one stretch after another. */
enum { TACIT__NOISE_ROWS = 64 };
void tacit__noise_draw(double *out, int64_t rows, const tacit__noise *noise, tacit__random *random);

tacit__sheet_column *tacit__noise_column(const tacit__noise *noise, size_t i);

/* Adds noise such that means and covariances stay, and claims it. root is that of the columns'
 * covariance, not yet that of the noise. */
tacit_status tacit__noise_keep_moments(tacit__noise *noise, const tacit__moments *before,
                                       tacit_error *err);

#endif
