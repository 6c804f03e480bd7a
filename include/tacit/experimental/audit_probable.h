/*
 * audit_probable.h - linking a release to a register by probability, as adversaries do whose files
 * have errors: names misspelled, dates shifted, people who are not there.
 *
 * I. P. Fellegi and A. B. Sunter, A theory for record linkage, JASA 64, 1969. A record and a person
 * are the same, nearly the same or different in each column, or nothing is known of it. m are the
 * probabilities of these levels where the two belong together, u where they do not. A record's
 * person is in the register with probability pi, and then anybody of N with the same. So with
 * L = product of m / u
 *
 *     P(person j | record) = pi/N L_j / (1 - pi + pi/N sum L)
 *
 * u of the same is the share of the register that the released value can be: a rare value says
 * more than a common one, and a general one little. m and pi are estimated by EM (Jaro 1989),
 * without knowing who is who. Only people are compared who can be the record in one of its most
 * telling columns (blocks). At last everybody is linked at most once: the assignment of the largest
 * likelihood.
 */
#ifndef TACIT_AUDIT_PROBABLE_H
#define TACIT_AUDIT_PROBABLE_H

#include <tacit/experimental/audit_link.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TACIT_MAX_PROBABLE_COLUMNS = 32, TACIT_PROBABLE_CANDIDATES = 32 };

typedef enum tacit_probable_level {
    TACIT_PROBABLE_SAME = 0, /* the released value and the person's can be one */
    TACIT_PROBABLE_NEAR,     /* a misspelling, a date shifted or with two parts right, a number
                                that is close */
    TACIT_PROBABLE_APART,
    TACIT_PROBABLE_LEVELS
} tacit_probable_level;

/* All of it is borrowed. Every row of the register is a person. */
typedef struct tacit_probable_case {
    const tacit_link_case *link;         /* columns with their lineages, truth */
    const tacit_table *release, *people; /* their texts */
    const int32_t *released, *known;     /* a column of the link each: which it is of these */
    const bool *names;                   /* NULL, or a column each: its numbers are only names */
} tacit_probable_case;

typedef struct tacit_probable_options {
    int32_t passes;      /* blocks of a record: its most telling columns, so many; 0: everybody is
                            compared with everybody */
    int64_t max_records; /* that are attacked; of more, some spread over the release */
    int64_t max_pairs;   /* compared: where that is not enough, fewer records are attacked */
    double certainty;    /* of a link that is declared: its probability; 0.5 to below 1 */
    double likeness;     /* of texts that are nearly the same (Jaro and Winkler); above 0 to 1 */
    int32_t days;        /* by which dates may be shifted */
    double near;         /* numbers are nearly the same within so many standard deviations */
} tacit_probable_options;

/* 3 passes; 100 000 records, 20 million pairs; certainty 0.9; likeness 0.85, 31 days, 0.25. */
void tacit_probable_options_init(tacit_probable_options *options);

/* A record that was attacked. */
typedef struct tacit_probable_link {
    uint32_t record;
    uint32_t person;   /* likeliest, of several the first; TACIT_LINK_NOBODY: none was compared */
    double posterior;  /* its probability */
    uint32_t assigned; /* where everybody is linked once; TACIT_LINK_NOBODY: to nobody, also where
                          no person has a probability of 1 / TACIT_PROBABLE_CANDIDATES */
    double assigned_posterior;
} tacit_probable_link;

typedef struct tacit_probable {
    int64_t records; /* attacked */
    int64_t all;     /* records there are */
    int64_t people, pairs;
    tacit_probable_link *links; /* by record */
    double present;             /* pi */
    int32_t columns;
    double m[TACIT_MAX_PROBABLE_COLUMNS][TACIT_PROBABLE_LEVELS];
    double near[TACIT_MAX_PROBABLE_COLUMNS]; /* share of nearly the same among pairs of which
                                                not the same is said, belonging together or not */
    int32_t rounds;                          /* of EM */
    int64_t declared;                        /* assigned, with at least the certainty */
    int64_t assigned;
    double expected; /* correct ones among the assigned */
    bool has_truth;
    int64_t known;          /* attacked, and their person is known */
    int64_t right_declared; /* of those known */
    int64_t known_declared;
    int64_t right_assigned;
    int64_t known_assigned;
} tacit_probable;

/* TACIT_LIMIT where there are too many columns; TACIT_INVALID where people have several rows. */
tacit_status tacit_probable_new(tacit_probable **out, const tacit_probable_case *c,
                                const tacit_probable_options *options, const tacit_run *run,
                                tacit_error *err);
void tacit_probable_free(tacit_probable *probable);

/* How much alike two texts are, 0 to 1, capital and small letters being the same: Jaro's measure
 * with Winkler's bonus for a common beginning. Only the first TACIT_LIKENESS_BYTES count. */
enum { TACIT_LIKENESS_BYTES = 64 };
double tacit_likeness(tacit_strview a, tacit_strview b);

/* ---- one to one ---- */

/* What linking a row with a column gains. */
typedef struct tacit_assignment_edge {
    uint32_t column;
    double gain;
} tacit_assignment_edge;

/* The assignment of rows to columns, each at most once, that gains most; rows that gain nothing are
 * left alone. Row i has the edges from starts[i] to starts[i + 1]; columns are below `columns`.
 * match has room for the rows: a column, or TACIT_LINK_NOBODY. */
tacit_status tacit_assignment_best(uint32_t *match, const size_t *starts,
                                   const tacit_assignment_edge *edges, uint32_t rows,
                                   uint32_t columns, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
