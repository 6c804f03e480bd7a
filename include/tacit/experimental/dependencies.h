/*
 * dependencies.h - functional dependencies: which columns say what is in another, in the
 * original and for whoever has only the release.
 *
 * X -> a holds in a table where no two rows that are the same in all columns of X differ in a.
 * Whoever can prove it of a release may fill in a for everybody whose X he knows. Vinterbo and
 * Ohno-Machado, Table Ambiguation By Minimal Cell Suppression (2001), 2.2.
 *
 *   tacit_dependencies_find      all minimal ones of a table
 *   tacit_dependencies_released  which of them a release still lets anybody prove
 *
 * Columns are named by their place in the list that was given, sets of them by bits: bit i is
 * the i-th column of that list. Missing is a value like any other.
 */
#ifndef TACIT_DEPENDENCIES_H
#define TACIT_DEPENDENCIES_H

#include <tacit/table.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TACIT_DEPENDENCY_COLUMNS = 64 }; /* at most */

typedef struct tacit_dependency {
    uint64_t left;
    int32_t right; /* not in left */
} tacit_dependency;

/* What was found. A search that was stopped, or that found too many, has every dependency with
 * up to `complete` columns on its left and lists no other. */
typedef struct tacit_dependencies {
    tacit_dependency *list; /* ascending by right, then the size of left, then its bits */
    int64_t count;
    int32_t complete; /* the number of columns where nothing is left out */
    tacit_status end; /* TACIT_OK: all that was asked for; TACIT_LIMIT: more than
                         TACIT_MOST_DEPENDENCIES were in hand; TACIT_CANCELLED: the progress
                         callback asked to stop */
    int64_t rows;     /* distinct rows in the columns */
    int64_t tested;   /* sets of columns by which the rows were grouped */
    int64_t unlike;   /* different sets of columns in which pairs of rows were seen to differ */
} tacit_dependencies;

enum { TACIT_MAX_DEPENDENCIES = 1 << 22 };

/* All X -> a that hold in these coded columns of the table and hold for no smaller X, with X
 * of at most most_left columns (0: any number). X is empty where column a has one value only.
 * TACIT_CANCELLED comes back only where there is nothing to give. */
tacit_status tacit_dependencies_find(tacit_dependencies **out, const tacit_table *table,
                                     const int32_t *columns, int32_t count, int32_t most_left,
                                     const tacit_run *run, tacit_error *err);
void tacit_dependencies_free(tacit_dependencies *dependencies);

/* What becomes of a dependency in a release. */
typedef struct tacit_dependency_fate {
    bool provable; /* it holds whatever the blanks stand for: no two rows agree in left, blanks
                      with anything, while they differ in right or one is blank there */
    bool family;   /* Theorem 4 says that it cannot be proven: its left lies in the
                      quasi-identifier and its right in `unlike` below */
} tacit_dependency_fate;

typedef struct tacit_released_dependencies {
    tacit_dependency_fate *fates; /* a dependency each */
    int64_t count;
    int64_t provable; /* that survive */
    int64_t family;   /* that Theorem 4 hides; the others that are not provable are hidden too */
    uint64_t unlike;  /* S of Theorem 4: columns in which two released rows differ for certain
                         that agree in the whole quasi-identifier */
} tacit_released_dependencies;

/* Of a list of dependencies, those that the release still lets anybody prove. columns[i] is
 * the release's coded column of bit i, or -1 where it is not released; quasi has the bits of the
 * quasi-identifier. Blanks are cells that read as tacit_hierarchy_suppressed(). */
tacit_status tacit_dependencies_released(tacit_released_dependencies **out,
                                         const tacit_dependency *list, int64_t count,
                                         const tacit_table *release, const int32_t *columns,
                                         int32_t column_count, uint64_t quasi, const tacit_run *run,
                                         tacit_error *err);
void tacit_released_dependencies_free(tacit_released_dependencies *released);

#ifdef __cplusplus
}
#endif
#endif
