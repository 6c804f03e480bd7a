/*
 * audit_copies.h - how much a release repeats of its original, whoever its rows are of: the tests
 * of disclosure for data that was drawn from a model (docs/methods/attack-copies.md).
 *
 * Re-linking (audit_relink.h) asks whether a released row can be told to be a certain person's. Of
 * rows that were made up nobody knows that, and it may still be that they are copies. So here it
 * does not matter which row came from which:
 *   - replicated uniques: released rows equal to a row that is the only one of its kind in the
 *     original, in the columns that the adversary knows (keys), and in all columns;
 *   - attribution: the adversary knows somebody's keys, looks at the released rows with the same,
 *     and takes one of their values of another column for his. Beside it stands what the other
 *     rows of the original would have told him, without this person;
 *   - nearness: whether released rows are nearer to a row of the original than rows of the original
 *     are to each other. A row of the original is to the others what a row drawn anew would be.
 *
 * Cells are compared by what they say: a label such as 20-29 is no value of the original, and
 * equals nothing. Missing is a value of its own.
 */
#ifndef TACIT_AUDIT_COPIES_H
#define TACIT_AUDIT_COPIES_H

#include <tacit/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All of it is borrowed. */
typedef struct tacit_copies_case {
    const tacit_table *original, *release;
    const char *const *keys; /* columns that both tables have, coded in both */
    size_t key_count;
    const char *const *others; /* columns that the adversary wants to know; none of the keys */
    size_t other_count;
} tacit_copies_case;

typedef struct tacit_copies_options {
    int64_t
        max_records;   /* rows of either table whose nearest are looked for: of more a sample is */
    int64_t max_steps; /* cells that this compares: of larger tables a smaller sample is taken */
    uint64_t seed;     /* of samples */
} tacit_copies_options;

/* 2000 records, 400 million steps, seed 1. */
void tacit_copies_options_init(tacit_copies_options *options);

/* Rows equal in some columns. */
typedef struct tacit_copies_uniques {
    int64_t unique;     /* rows of the original like no other */
    int64_t replicated; /* released rows equal to one of these */
    int64_t equal;      /* released rows equal to any row of the original */
} tacit_copies_uniques;

/* What the keys tell of another column. Rows are those of the original. */
typedef struct tacit_copies_other {
    char *name;      /* owned by the result */
    int64_t reached; /* rows whose keys are in the release */
    int64_t certain; /* of these, where all released rows with them have one value, the right one */
    int64_t misled;  /* and where it is not the right one */
    double right;    /* of those reached, how often a released row with their keys is right, on
                        average; 0 where none is reached */
    int64_t others_reached; /* rows that share their keys with another one */
    int64_t others_certain; /* of these, where all the others have one value, the right one */
    double others_right;    /* how often another row of the original with their keys is right */
    double guess;           /* how often any released row is right */
} tacit_copies_other;

/* Distances to the nearest row of the original, summed over columns: the share of rows between two
 * numbers, 0 or 1 for anything else. */
typedef struct tacit_copies_near {
    int64_t released, original; /* rows that were looked at; 0 where there are too few */
    double closer;      /* how often a released row is nearer than one of the original is to the
                           others, ties counted half: 0.5 for rows drawn anew, 1 for copies */
    double distance[2]; /* median, of released rows and of those of the original */
    double ratio[2];    /* median ratio of the nearest distance to the second nearest */
} tacit_copies_near;

typedef struct tacit_copies {
    int64_t rows, released;
    tacit_copies_uniques keys, all; /* all: keys and others */
    tacit_copies_other *others;     /* as the case's are */
    size_t other_count;
    tacit_copies_near near;
} tacit_copies;

/* TACIT_INVALID where a column is not there or not coded, or where there are no keys. The result
 * depends neither on threads nor on run's seed. */
tacit_status tacit_copies_measure(tacit_copies **out, const tacit_copies_case *c,
                                  const tacit_copies_options *options, const tacit_run *run,
                                  tacit_error *err);
void tacit_copies_free(tacit_copies *copies);

#ifdef __cplusplus
}
#endif
#endif
