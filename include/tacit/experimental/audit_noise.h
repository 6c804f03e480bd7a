/*
 * audit_noise.h - what code can check of counts with noise: that the right thing was counted, that
 * nobody counts more often than is said, that sums add up, and that the noise looks like what it is
 * said to be.
 *
 * It counts the records once more, by a way of its own, and shares the reader and the codes of the
 * dimensions with the method.
 *
 * What it does not say: that the release is differentially private. That is a property of how noise
 * is drawn, of all releases that could have been, and no check of a single one shows it. A test of
 * the noise finds what is grossly wrong: none, too little, the wrong scale.
 */
#ifndef TACIT_AUDIT_NOISE_H
#define TACIT_AUDIT_NOISE_H

#include <tacit/experimental/cells.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the method says it has done. Borrowed. */
typedef struct tacit_noise_claim {
    const tacit_table *records; /* every column coded */
    const char *person;         /* column that says whose a record is; NULL: each is another's */
    int32_t most;               /* cells that a person is counted in */
    int64_t epsilon;            /* in millionths */
} tacit_noise_claim;

typedef struct tacit_noise_audit {
    int32_t ground;     /* cells that noise was added to */
    int64_t people;     /* that were counted */
    int64_t left_out;   /* records that were not, as people are counted in so many cells only */
    int32_t miscounted; /* ground cells whose count is another */
    int32_t broken;     /* values that are no whole numbers, and relations that do not hold */
    double distance;    /* the largest between the distribution of the noise and the stated one */
    double chance;      /* that it is so large, at most, if the noise is what it is said to be */
    double largest;     /* of the noise on the ground, without sign */
    double mean;
} tacit_noise_audit;

/* Noise that is less likely than this refuses a release. That the release depends on it adds as
 * much times exp(epsilon) to the promise, as a delta. */
#define TACIT_NOISE_CHANCE 1e-15

/* published: a cell each. Only where nothing is miscounted or broken is the noise looked at. */
tacit_status tacit_audit_noise(tacit_noise_audit *out, const tacit_cells *cells,
                               const double *published, const tacit_noise_claim *claim,
                               const tacit_run *run, tacit_error *err);

/* Whether nothing was found. */
bool tacit_noise_holds(const tacit_noise_audit *audit);

#ifdef __cplusplus
}
#endif
#endif
