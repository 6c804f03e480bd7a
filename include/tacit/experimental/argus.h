/*
 * argus.h - mu-argus with somebody to ask.
 *
 * mu-argus (chapter 7 of Sweeney, Computational Disclosure Control) generalizes
 * each attribute until every value of it has k people, then looks for
 * combinations of values that fewer have: outliers. The data holder may generalize
 * further attributes, looking at the outliers after each; what remains of them is
 * suppressed cell by cell. A program that wants to ask, or to see the outliers,
 * points options.argus to a tacit_argus.
 */
#ifndef TACIT_ARGUS_H
#define TACIT_ARGUS_H

#include <tacit/experimental/records.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tacit_argus_variant {
    TACIT_ARGUS_REPAIRED = 0, /* every combination is tested, the fewest cells are suppressed, and
                                 suppressed cells keep k like any others */
    TACIT_ARGUS_DESCRIBED,    /* the algorithm of Figure 50: some pairs and triples are tested; what
                                 it releases need not keep k */
    TACIT_ARGUS_PUBLISHED     /* the program of Figure 76, which suppresses even less */
} tacit_argus_variant;

/* A combination of a class's values that fewer than k people have. */
typedef struct tacit_argus_outlier {
    uint32_t class_index;
    int64_t rows;        /* of the class */
    uint64_t attributes; /* the combination, a bit each */
    int64_t people;      /* who have it */
} tacit_argus_outlier;

/* What a release would be worth. */
typedef struct tacit_argus_effect {
    double precision;         /* Prec */
    int64_t suppressed_cells; /* one by one; attributes at their highest level do not count */
} tacit_argus_effect;

/* An attribute that can go one level higher, and what that would lead to. */
typedef struct tacit_argus_choice {
    int32_t attribute;
    int level;
    tacit_argus_effect effect;
} tacit_argus_choice;

/* What the data holder is shown. Everything is borrowed for the time of the call. */
typedef struct tacit_argus_round {
    const tacit_frame *frame;
    const tacit_classes *classes;        /* on the levels reached */
    const tacit_argus_outlier *outliers; /* by class, then fewest attributes first; none of an
                                            outlier's parts is one itself in the repaired variant */
    int64_t outlier_count;
    tacit_argus_effect effect; /* of generalizing no further */
    const tacit_argus_choice *choices;
    int32_t choice_count;
    int32_t taken; /* choices made before this round; the last can be undone */
} tacit_argus_round;

/* Answers that are no attribute. */
enum { TACIT_ARGUS_DONE = -1, TACIT_ARGUS_UNDO = -2 };

/* Puts the attribute to generalize by one level, one of the choices, or an answer
 * above into *answer. Any other status than TACIT_OK ends the work with it. */
typedef tacit_status (*tacit_argus_ask_fn)(int32_t *answer, const tacit_argus_round *round,
                                           void *payload, tacit_error *err);

/* What was found when nothing more was to be generalized. Zero-initialized is
 * empty; the caller clears it. */
typedef struct tacit_argus_report {
    tacit_argus_outlier *outliers; /* in classes of the solution, ordered as in a round */
    int64_t outlier_count;
    int64_t suppressed_cells;
    int64_t least_cells; /* repaired: no suppression on these levels takes fewer, for this is the
                            sum of the smallest sets of cells that cover each record's outliers;
                            otherwise 0 */
} tacit_argus_report;

void tacit_argus_report_clear(tacit_argus_report *report);

typedef struct tacit_argus {
    tacit_argus_variant variant;
    tacit_argus_ask_fn ask; /* NULL: nobody is asked */
    void *payload;
    tacit_argus_report *report; /* NULL, or where the outliers go; empty before */
} tacit_argus;

#ifdef __cplusplus
}
#endif
#endif
