/*
 * logistic.h - logistic regression on rows with few terms each.
 */
#ifndef TACIT_SRC_LOSS_LOGISTIC_H
#define TACIT_SRC_LOSS_LOGISTIC_H

#include <tacit/base.h>

enum { TACIT__FIT_TERMS = 256 };

/* A row: its terms that are not 0, the constant not among them. */
typedef struct tacit__fit_row {
    bool released; /* what is to be told */
    double weight;
    int count;
    int32_t terms[TACIT__FIT_TERMS]; /* from 1: the constant is term 0 */
    double values[TACIT__FIT_TERMS];
} tacit__fit_row;

typedef struct tacit__fit_rows {
    /* Sets count 0 to begin with; called from several threads. */
    void (*row)(tacit__fit_row *out, const void *subject, int64_t row);
    const void *subject;
    int64_t count;
    int terms; /* the constant included, up to TACIT__FIT_TERMS */
} tacit__fit_rows;

/* Fits the probability of being released, and gives the mean of (p - c)^2, c the share that is
 * released; both kinds of rows are there. */
tacit_status tacit__fit_pmse(double *pmse, const tacit__fit_rows *rows, const tacit_run *run,
                             tacit_error *err);

#endif
