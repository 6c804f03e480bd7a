/*
 * multiples.h - values as multiples of a base, which all methods that round share.
 */
#ifndef TACIT_CELLS_ROUND_MULTIPLES_H
#define TACIT_CELLS_ROUND_MULTIPLES_H

#include <tacit/experimental/alter.h>

/* A base with a few decimals, as a fraction: 0.1 is 1 / 10. Its multiples are computed from that,
 * so that the third of them is 0.3, and not what three times the computer's 0.1 is. */
typedef struct tacit__base {
    double whole;
    double scale;
} tacit__base;

/* Every cell between two multiples. */
typedef struct tacit__multiples {
    const tacit_cells *cells;
    tacit__base base;
    double *low;  /* a cell each: the number of the multiple below it, or at it; a whole number */
    double *part; /* of a base that the value is above that: from 0 to less than 1 */
} tacit__multiples;

/* TACIT_INVALID where the base is none, or a value too large for it, which is named. */
tacit_status tacit__multiples_init(tacit__multiples *multiples, const tacit_cells *cells,
                                   double base, tacit_error *err);
void tacit__multiples_clear(tacit__multiples *multiples);

/* How much a base is, and so many of it. */
double tacit__base_size(const tacit__base *base);
double tacit__base_times(const tacit__base *base, double number);

/* What is known of cells published at multiples, by their numbers: everything but what the method
 * knows of the distance (lower_bound, proven, stopped), and its reach. */
tacit_status tacit__multiples_finish(tacit_altered *out, const tacit__multiples *multiples,
                                     const double *number, const tacit_alter_options *options,
                                     tacit_error *err);

#endif
