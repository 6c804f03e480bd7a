/*
 * loss.h - what a release has lost of its original, in the same measures for
 * every technique and every method: information in bits, distances of numbers,
 * moments and ranks, margins of pairs of attributes, how well a logistic
 * regression tells released records from original ones, and how well models from
 * either table predict an attribute.
 *
 * The measures are taken from the two tables and from which row was made from
 * which, never from how the release was made. docs/methods/loss.md has their
 * formulas and what each says. They are made from the original: a report that
 * holds them is for whoever holds the data.
 */
#ifndef TACIT_LOSS_H
#define TACIT_LOSS_H

#include <tacit/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The row of the original that a made-up row has. */
#define TACIT_LOSS_MADE_UP UINT32_MAX

typedef struct tacit_loss_case {
    const tacit_table *original;
    const tacit_table *release;
    const uint32_t *origin;      /* for each row of the release the row of the original, or
                                    TACIT_LOSS_MADE_UP; NULL: the same rows in the same order */
    const double *weights;       /* NULL, or a weight for each row of the release (a sample's) */
    const double *stands_for[2]; /* NULL, or for each row of the original, and of the release, how
                                    many people of a population it stands for (sampling weights):
                                    estimates are compared */
} tacit_loss_case;

typedef struct tacit_loss_options {
    const char *const *columns; /* coded columns of the original; where the release lacks one it is
                                   dropped, else it is coded there, too. None: all columns that are
                                   coded in both */
    size_t column_count;
    const char *const *opaque; /* of them, those whose released values mean nothing to a recipient:
                                  encrypted, pseudonyms */
    size_t opaque_count;
    const char *const *nominal; /* of them, those whose values are names even where they look like
                                   numbers: codes of places */
    size_t nominal_count;
    uint32_t bins;      /* that numbers are cut into at most, 2 to 256 */
    int64_t few;        /* fewer records of the original than these are not shown by themselves */
    int64_t fit_rows;   /* of both tables, that models are fitted to at most */
    const char *target; /* NULL, or the column that is predicted from the others */
    uint64_t seed;      /* decides which records a prediction holds out */
} tacit_loss_options;

/* All columns, 32 bins, 5 records, 200 000 rows, no target, seed 0. */
void tacit_loss_options_init(tacit_loss_options *options);

/* A bar of a chart of before and after: shares of the records. */
typedef struct tacit_loss_bar {
    char *name; /* a range of numbers, a value or a label, or several */
    double before;
    double after;
} tacit_loss_bar;

enum { TACIT_LOSS_BARS = 24 };

/* Estimates of the population by sampling weights. NAN: not numeric, not released, or no weights.
 */
typedef struct tacit_loss_estimate {
    double total_before, total_after; /* over rows that are numbers */
    double mean_before, mean_after;
    double total_change, mean_change; /* relative to before */
    double frequency_change; /* largest change of a category's share of the population, 0 to 1 */
    double variation;        /* half the sum of these changes, 0 to 1 */
} tacit_loss_estimate;

/* An attribute. What does not apply, or cannot be had, is NAN. */
typedef struct tacit_loss_attribute {
    char *name;
    bool numeric; /* every value of the original is a number, and it is not nominal */
    bool dropped; /* the release has no such column */
    bool opaque;

    /* Information, in bits a record. Numbers are cut into bins, others are their values. */
    uint32_t categories;     /* bins, or values, of the original; missing is not among them */
    bool read_as_claims;     /* too many values to be counted pair by pair: see docs */
    double entropy_original; /* H(X) */
    double entropy_release;  /* H(Y) */
    double information;      /* I(X; Y), times the share of the records that was released */
    double lost;             /* 1 - information / entropy_original, 0 to 1 */
    double margin_change;    /* total variation between the distributions, 0 to 1 */

    /* Numbers. */
    int64_t compared;          /* records whose number was released as a number */
    int64_t no_numbers;        /* records whose number was released as something else */
    double il1s;               /* mean of |x - y| / (sqrt 2 sd) */
    double mean_change;        /* (mean' - mean) / |mean| */
    double mean_shift;         /* (mean' - mean) / sd */
    double variance_change;    /* variance' / variance - 1 */
    double rank_change;        /* mean |rank - rank'| over the number of records compared */
    double correlation_change; /* mean |r - r'| with the other numbers */

    tacit_loss_estimate estimate;

    tacit_loss_bar *bars; /* before and after */
    int bar_count;        /* 0: nothing that may be shown */
} tacit_loss_attribute;

/* The two-way margin that has changed most, by one measure. */
typedef struct tacit_loss_pair {
    int32_t first, second; /* attributes; -1: there is no pair */
    double change;         /* 0 to 1; NAN: there is no pair */
} tacit_loss_pair;

/* A two-way margin. What the attributes tell of each other is in shares of the bits of the one that
 * has fewer in the original; NAN: it has none, or one has too many values to be counted so. */
typedef struct tacit_loss_two_way {
    int32_t first, second; /* attributes */
    double cell;           /* largest change of a cell's share */
    double variation;      /* total variation, 0 to 1 */
    double told_before;    /* 0 to 1 */
    double told_after;
} tacit_loss_two_way;

enum { TACIT_LOSS_CLASSES = 64 };

/* How well a model of the target by the other attributes does on records that were held out:
 * before, learned from the original; after, from the release. Of classes the share that is right,
 * of numbers R^2. NAN: there was nothing to learn from, or nobody to be tried on. */
typedef struct tacit_loss_prediction {
    int32_t target; /* the attribute; -1: none was named */
    bool classes;   /* else numbers */
    int64_t trained_original;
    int64_t trained_release; /* rows that have a value of the target, not a label */
    int64_t tested;
    double before;
    double after;
    double baseline;     /* of always the most frequent class, or the mean */
    double kept;         /* (after - baseline) / (before - baseline); NAN: before is no better */
    double error_before; /* root mean square, in the target's unit; NAN of classes */
    double error_after;
    double error_baseline;
} tacit_loss_prediction;

typedef struct tacit_loss {
    int64_t rows;     /* of the original */
    int64_t released; /* rows of the release that have an origin */
    int64_t made_up;  /* those that have none */
    double intact;    /* share of the original's records released with every attribute in its
                         category; a record that is released twice counts twice */

    int32_t attribute_count;
    tacit_loss_attribute *attributes;

    /* Information: sums over the attributes, in bits. */
    double entropy_original;
    double entropy_release;
    double information;
    double lost;           /* 1 - information / entropy_original, 0 to 1 */
    double joint_original; /* entropy of whole rows, in bits */
    double joint_release;

    /* Numbers: means over cells, attributes, or pairs of them. NAN: there are none. */
    int32_t numeric_count;    /* attributes that are numbers */
    int64_t compared;         /* cells */
    double il1s;              /* over cells */
    double mean_shift;        /* of absolute values, over attributes */
    double variance_change;   /* the same */
    double rank_change;       /* over attributes */
    double covariance_change; /* of |cov' - cov| / (sd sd), over pairs */
    double correlation_change;
    int32_t correlated; /* attributes in the correlations */
    double eigen_first; /* |e' - e| / e of the first eigenvalue of the correlations */
    double eigen_all;   /* sum of the same over all of them */

    /* Estimates by sampling weights: means of absolute changes over numeric attributes, and the
     * largest change of a frequency. NAN: there are none. */
    bool weighted;
    double population_before, population_after; /* people that the rows stand for */
    double weighted_mean_change, weighted_total_change;
    double frequency_change;

    /* Two-way margins. */
    int64_t pairs;               /* that were compared */
    tacit_loss_two_way *two_way; /* each of them: by the second attribute, then the first */
    tacit_loss_pair cell;        /* with the largest change of a cell's share */
    tacit_loss_pair variation;   /* with the largest total variation */

    /* The discriminator. */
    int64_t fit_rows;     /* rows of both tables it was fitted to */
    bool fit_sampled;     /* there were more */
    int32_t fit_terms;    /* coefficients, the constant among them */
    double pmse;          /* mean (p - c)^2 */
    double pmse_share;    /* pmse / (c (1 - c)): 0 nothing can be told, 1 everything */
    double pmse_expected; /* of a release that is drawn from where the original comes from */
    double pmse_ratio;    /* pmse / pmse_expected */

    tacit_loss_prediction prediction;
} tacit_loss;

/* Most numeric attributes whose correlations are compared, and most attributes whose two-way
 * margins are: the first ones. */
enum { TACIT_LOSS_CORRELATED = 64, TACIT_LOSS_PAIRED = 32 };

/* TACIT_INVALID for a column that is not there or not coded, a target of more than
 * TACIT_LOSS_CLASSES values that are no numbers, an origin that is no row, tables of
 * different length without an origin, weights that are none, and sampling weights of one table
 * alone. */
tacit_status tacit_loss_measure(tacit_loss **out, const tacit_loss_case *c,
                                const tacit_loss_options *options, const tacit_run *run,
                                tacit_error *err);
void tacit_loss_free(tacit_loss *loss);

#ifdef __cplusplus
}
#endif
#endif
