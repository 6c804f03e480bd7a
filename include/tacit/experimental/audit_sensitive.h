/*
 * audit_sensitive.h - what a release says of sensitive values to somebody who knows who is in
 * which class, though not in which row.
 *
 * A class is a group of released rows that share every value of the quasi-identifier; who knows
 * that a person is in it knows that the person's sensitive value is one of the class's. Three
 * attacks on that, per sensitive column:
 *
 *   homogeneity   a class with one value says it of all its people, whatever k is, and one whose
 *                 numbers lie within the column's spread says it nearly;
 *   background    every fact "not this value" that the adversary knows of the person takes a value
 *                 away: after as many as the class has other values the rest is certain. Facts are
 *                 spent on the most frequent others, so that the confidence after j of them is the
 *                 best that j can buy;
 *   skewness      a class may say nothing for certain and still change what is likely: a value
 *                 with a share of 1 % in all rows and of half in a class.
 *
 * A missing value is a value like any other; "*" is none, and a class that has some makes nothing
 * certain. Values are named by their codes and not shown.
 */
#ifndef TACIT_AUDIT_SENSITIVE_H
#define TACIT_AUDIT_SENSITIVE_H

#include <tacit/experimental/audit.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TACIT_SENSITIVE_FACTS = 8 };

/* A sensitive column over all classes of a quasi-identifier. */
typedef struct tacit_sensitive_verdict {
    int32_t column; /* of the release */
    int64_t classes;
    int64_t values; /* different ones in all rows, missing among them if it occurs */

    int64_t homogeneous_classes;
    int64_t homogeneous_rows;
    int64_t homogeneous_first; /* the first of those rows, from 0; -1: none */

    /* Classes of several values that are all numbers and lie within the column's spread. */
    int64_t narrow_classes;
    int64_t narrow_rows;
    double reach; /* the spread, in the column's unit; 0: it has no numbers, or none was given */

    /* [j]: the adversary knows j facts "not this value" of the person. */
    int64_t certain_rows[TACIT_SENSITIVE_FACTS + 1]; /* rows whose value j facts can make certain */
    double worst_confidence[TACIT_SENSITIVE_FACTS + 1]; /* in any value, of any class */
    int64_t facts_needed; /* the fewest that make some row's value certain; 0: none is needed; -1:
                             none do */

    /* The largest gain: the share of a value in a class over its share in all rows. */
    double prior;       /* of that value, in all rows */
    double posterior;   /* in the class */
    int64_t skewed_row; /* a row of that class, from 0; -1: there are no rows */
    double gain;        /* posterior / prior */
    double
        distance; /* the largest half sum of differences of shares between a class and all rows */
    int64_t doubled_rows; /* in classes that make some value at least twice as likely, and more
                             likely than not */
} tacit_sensitive_verdict;

/* One verdict for each of the columns, which are coded, over the classes of these attributes
 * (columns of the release, coded). `spreads` has an entry a column, or is NULL where only equal
 * numbers are one value. `groups` may have the classes already, or is NULL. The caller frees the
 * array with tacit_sensitive_free. */
tacit_status tacit_audit_sensitive(tacit_sensitive_verdict **out, const tacit_table *release,
                                   const int32_t *attributes, int32_t attribute_count,
                                   const int32_t *columns, const tacit_spread *spreads,
                                   int32_t column_count, tacit_audit_groups *groups,
                                   const tacit_run *run, tacit_error *err);
void tacit_sensitive_free(tacit_sensitive_verdict *verdicts);

#ifdef __cplusplus
}
#endif
#endif
