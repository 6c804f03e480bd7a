/*
 * loss.h - what a release has lost of its original, in the same measures for
 * every technique and every method: information in bits, distances of numbers,
 * moments and ranks, margins of pairs of attributes, and how well a logistic
 * regression tells released records from original ones.
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
    const uint32_t *origin; /* for each row of the release the row of the original, or
                               TACIT_LOSS_MADE_UP; NULL: the same rows in the same order */
    const double *weights;  /* NULL, or a weight for each row of the release (a sample's) */
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
    uint32_t bins;    /* that numbers are cut into at most, 2 to 256 */
    int64_t few;      /* fewer records of the original than these are not shown by themselves */
    int64_t fit_rows; /* of both tables, that the discriminator is fitted to at most */
} tacit_loss_options;

/* All columns, 32 bins, 5 records, 200 000 rows. */
void tacit_loss_options_init(tacit_loss_options *options);

/* A bar of a chart of before and after: shares of the records. */
typedef struct tacit_loss_bar {
    char *name; /* a range of numbers, a value or a label, or several */
    double before;
    double after;
} tacit_loss_bar;

enum { TACIT_LOSS_BARS = 24 };

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

    tacit_loss_bar *bars; /* before and after */
    int bar_count;        /* 0: nothing that may be shown */
} tacit_loss_attribute;

/* The two-way margin that has changed most, by one measure. */
typedef struct tacit_loss_pair {
    int32_t first, second; /* attributes; -1: there is no pair */
    double change;         /* 0 to 1; NAN: there is no pair */
} tacit_loss_pair;

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

    /* Two-way margins. */
    int64_t pairs;             /* that were compared */
    tacit_loss_pair cell;      /* with the largest change of a cell's share */
    tacit_loss_pair variation; /* with the largest total variation */

    /* The discriminator. */
    int64_t fit_rows;     /* rows of both tables it was fitted to */
    bool fit_sampled;     /* there were more */
    int32_t fit_terms;    /* coefficients, the constant among them */
    double pmse;          /* mean (p - c)^2 */
    double pmse_share;    /* pmse / (c (1 - c)): 0 nothing can be told, 1 everything */
    double pmse_expected; /* of a release that is drawn from where the original comes from */
    double pmse_ratio;    /* pmse / pmse_expected */
} tacit_loss;

/* Most numeric attributes whose correlations are compared, and most attributes whose two-way
 * margins are: the first ones. */
enum { TACIT_LOSS_CORRELATED = 64, TACIT_LOSS_PAIRED = 32 };

/* TACIT_INVALID for a column that is not there or not coded, an origin that is no row, tables of
 * different length without an origin, and weights that are none. */
tacit_status tacit_loss_measure(tacit_loss **out, const tacit_loss_case *c,
                                const tacit_loss_options *options, const tacit_run *run,
                                tacit_error *err);
void tacit_loss_free(tacit_loss *loss);

#ifdef __cplusplus
}
#endif
#endif
