/*
 * estimators.h - how many people are unique in a population of which only a
 * sample is known.
 */
#ifndef TACIT_SRC_UNIQUES_ESTIMATORS_H
#define TACIT_SRC_UNIQUES_ESTIMATORS_H

#include <tacit/experimental/uniques.h>

/* Classes of the sample by size, ascending. */
typedef struct tacit__class_sizes {
    uint32_t *sizes;
    double *counts;
    size_t count;
    double classes; /* all of them */
    double rows;
    double alone, pairs; /* classes of one row, and of two */
} tacit__class_sizes;

/* People who are unique among `population`, or NAN where the model does not fit. */
double tacit__pitman(const tacit__class_sizes *sample, double population);
double tacit__zayatz(const tacit__class_sizes *sample, double population);
double tacit__snb(const tacit__class_sizes *sample, double population);

#endif
