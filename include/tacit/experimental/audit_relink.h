/*
 * audit_relink.h - how many records of a release can be told from its original: by distance, by
 * probability, and how closely numbers can be guessed (docs/methods/attack-relink.md).
 *
 * The adversary of the worst case has the original's columns for everybody, and the release without
 * knowing whose row is whose. For every released record he takes the person nearest to it. The data
 * holder knows the truth and counts how often that is right; where t people are equally near it
 * counts 1/t, for the adversary has to guess among them.
 *
 * Attacks that are tried:
 *   - distance between standardized values;
 *   - Mahalanobis distance of numbers, which undoes noise that follows their correlations;
 *   - distance between ranks, which skewed columns and swapping within ranks do not mislead;
 *   - probability (Fellegi and Sunter): agreement in each column is weighed by how likely it is
 *     of a record and its person, and of any two; both are estimated (EM) without the truth.
 *
 * How released labels are read: a value of the original is that value; `a-b`, `a to b` and
 * `[a, b)` among numbers, and masks such as 021**, are all that lies in them; with a hierarchy, a
 * label is what lies under it. "*" and missing say nothing. Any other label (a ciphertext)
 * says nothing either, but is no value that anybody has, which is what null-map asks about.
 */
#ifndef TACIT_AUDIT_RELINK_H
#define TACIT_AUDIT_RELINK_H

#include <tacit/experimental/audit_link.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TACIT_MAX_RELINK_COLUMNS = 32, TACIT_MAX_RELINK_WINDOWS = 8, TACIT_RELINK_LEVELS = 3 };

#define TACIT_RELINK_MADE_UP UINT32_MAX

/* All of it is borrowed. */
typedef struct tacit_relink_case {
    const tacit_table *original, *release;
    const uint32_t *origin;     /* for each row of the release the original's row: the truth, which
                                   the adversary does not have; TACIT_RELINK_MADE_UP: none.
                                   NULL: same rows in the same order */
    const char *const *columns; /* what the adversary knows of people: columns that both tables
                                   have, coded in both; 1 to TACIT_MAX_RELINK_COLUMNS */
    size_t column_count;
    const tacit_hierarchy_spec *const *hierarchies; /* NULL, or a column each, which may be NULL:
                                                       what labels of a release mean */
    const bool *categories; /* NULL, or a column each: numbers in it are only names. So they are
                               where one starts with a needless 0 (02138), and where the
                               hierarchy is one of masks, of dates or from a file */
} tacit_relink_case;

typedef struct tacit_relink_options {
    int64_t k;           /* of k-map; 1 or more */
    int64_t max_records; /* released records that are attacked; of more, a random sample is */
    int64_t max_steps;   /* records and groups of them that one attack looks at: it
                             ends with a smaller sample where that is not enough */
    int64_t max_pairs;   /* of records and people that probabilities are estimated from */
    double margin;       /* the nearest is a link with confidence where no other person is within
                            1 / margin times its distance; above 0, below 1 */
    double certainty;    /* of a link declared by probability: its posterior; 0.5 to below 1 */
    double near, far;    /* numbers agree, or nearly, within so many standard deviations */
    double windows[TACIT_MAX_RELINK_WINDOWS]; /* of interval disclosure: percentages */
    int32_t window_count;
    uint64_t seed; /* of samples */
} tacit_relink_options;

/* k 2; 20 000 records, 100 million steps, 20 million pairs; margin 0.5, certainty 0.9; numbers
 * agree within 0.05 and nearly within 0.25; windows of 1, 5 and 10 %; seed 1. */
void tacit_relink_options_init(tacit_relink_options *options);

typedef enum tacit_relink_kind {
    TACIT_RELINK_STANDARD = 0,
    TACIT_RELINK_MAHALANOBIS, /* tried where two columns or more are numbers that vary */
    TACIT_RELINK_RANKS,       /* tried where a column is numbers */
    TACIT_RELINK_PROBABILITY,
    TACIT_RELINK_KINDS
} tacit_relink_kind;

/* What an attack came to. Shares are of the attacked records. */
typedef struct tacit_relink_attack {
    bool tried;
    int64_t attacked;
    double right;     /* records re-linked, ties counted as 1/t */
    double share;     /* right / attacked; 0 where nothing was attacked */
    double low, high; /* Wilson's interval at 95 % */
    int64_t alone;    /* records with one person nearest */
    int64_t declared; /* and with confidence: by the margin, or above the certainty */
    int64_t declared_right;
} tacit_relink_attack;

/* A column as the adversary sees it. Levels of agreement are: agrees, nearly (numbers only), not.
 */
typedef struct tacit_relink_column {
    char *name; /* owned by the result */
    bool numeric;
    double m[TACIT_RELINK_LEVELS]; /* of a record and its person, estimated */
    double u[TACIT_RELINK_LEVELS]; /* of any two */
    /* Interval disclosure, for numbers: the share of records whose original value lies within the
     * window around the released one. */
    double within_deviations[TACIT_MAX_RELINK_WINDOWS]; /* percentages of the standard deviation */
    double within_ranks[TACIT_MAX_RELINK_WINDOWS];      /* percentages of all ranks, either way */
    double by_chance[TACIT_MAX_RELINK_WINDOWS]; /* the first, were two records taken by chance */
} tacit_relink_column;

/* The protection models of Sweeney, 4.3, read as in audit_link.h, with the original's rows as the
 * people and those behind released records as subjects. Here missing is a value of its own. */
typedef struct tacit_relink_maps {
    tacit_link_verdict null_map, wrong_map, k_map;
    int64_t k;          /* that was asked for */
    int64_t records;    /* that were looked at: all, or enough for the verdicts */
    int64_t smallest;   /* the fewest people that a record maps to; 0 without records */
    int64_t to_nobody;  /* records that map to no person */
    int64_t to_subject; /* to some subject */
    int64_t to_one;     /* to exactly one */
    int64_t to_wrong;   /* and that is not its own; of records that were not made up */
    int64_t to_own;     /* records that map to their own subject, alone or among others */
    int64_t unreadable; /* with a label that is no value of the original, nor stands for any */
} tacit_relink_maps;

typedef struct tacit_relink {
    int64_t records, people, made_up;
    bool sampled;       /* an attack looked at fewer records than there are */
    double guess;       /* the share that is right by guessing: 1 / people */
    double unprotected; /* the share that is right where nothing was done to the values */
    tacit_relink_attack attacks[TACIT_RELINK_KINDS];
    tacit_relink_kind best; /* the attack with the largest share */
    int32_t column_count;
    tacit_relink_column columns[TACIT_MAX_RELINK_COLUMNS];
    int32_t numeric_count;
    int32_t window_count;
    double windows[TACIT_MAX_RELINK_WINDOWS];
    double joint_deviations[TACIT_MAX_RELINK_WINDOWS]; /* in all numeric columns of a record */
    double joint_ranks[TACIT_MAX_RELINK_WINDOWS];
    tacit_relink_maps maps;
} tacit_relink;

/* TACIT_INVALID where a column is not there or not coded, where rows and truth do not fit, and for
 * options out of range; TACIT_LIMIT for too many columns. The result depends neither on threads
 * nor on run's seed. */
tacit_status tacit_relink_measure(tacit_relink **out, const tacit_relink_case *c,
                                  const tacit_relink_options *options, const tacit_run *run,
                                  tacit_error *err);
void tacit_relink_free(tacit_relink *relink);

/* "standardized distance", "Mahalanobis distance", "distance of ranks", "probability". */
const char *tacit_relink_kind_name(tacit_relink_kind kind);

#ifdef __cplusplus
}
#endif
#endif
