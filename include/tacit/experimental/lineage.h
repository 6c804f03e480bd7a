/*
 * lineage.h - released values of any level, and which lies under which.
 *
 * A hierarchy (hierarchy.h) starts from ground values. An adversary has releases, in
 * which one column may hold values of several levels, and other files beside them. A
 * lineage takes the values of any number of such columns and puts them in one tree:
 * each lies directly under the narrowest of the others that holds it, all of them under
 * "*". Nodes are numbered from the top down, a node before what is under it, so that
 *
 *     a holds b          a <= b < end(a)
 *     a and b can be one value      either holds the other, and the finer is the larger number
 *
 * and a value is a stretch of whole numbers.
 *
 * What holds what: in a hierarchy file, as the file says; masks hold what they can be a mask of;
 * intervals and dates hold what lies in them (dates and numbers are the same however they
 * are written); without a hierarchy "*" holds everything and everything else only itself.
 * Missing is a value of its own, under "*" alone unless a hierarchy file has a row for it.
 */
#ifndef TACIT_LINEAGE_H
#define TACIT_LINEAGE_H

#include <tacit/experimental/hierarchy.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_lineage tacit_lineage;

/* A coded column, or a list of labels. Borrowed, for as long as the lineage. */
typedef struct tacit_lineage_source {
    const tacit_table *table; /* NULL: labels */
    int32_t column;
    const tacit_strview *labels;
    uint32_t label_count;
    const char *name; /* of the labels, for messages; tables have a file and a column name */
    bool open;        /* a value that the hierarchy does not know is taken as one under "*" alone:
                         a register may hold people from anywhere */
} tacit_lineage_source;

/* A value that the hierarchy does not know on any level, and two values that overlap without
 * one holding the other, are TACIT_PARSE, with their place: messages do not show values, which may
 * be a person's. Dates with slashes in which neither the specification nor any source tells what
 * comes first are TACIT_INVALID. */
tacit_status tacit_lineage_new(tacit_lineage **out, const tacit_hierarchy_spec *spec,
                               const tacit_lineage_source *sources, int32_t source_count,
                               tacit_error *err);
void tacit_lineage_free(tacit_lineage *lineage);

/* Number of nodes; node 0 is "*". */
uint32_t tacit_lineage_count(const tacit_lineage *lineage);

/* For every code of a source (of a column: missing as the last entry), its node. */
const uint32_t *tacit_lineage_nodes(const tacit_lineage *lineage, int32_t source);

/* A node each: one past the last node under it; its parent (0 of 0); its label. */
const uint32_t *tacit_lineage_ends(const tacit_lineage *lineage);
const uint32_t *tacit_lineage_parents(const tacit_lineage *lineage);
tacit_strview tacit_lineage_label(const tacit_lineage *lineage, uint32_t node);

/* Whether a holds b. */
static inline bool tacit_lineage_holds(const uint32_t *ends, uint32_t a, uint32_t b)
{
    return a <= b && b < ends[a];
}

/* Whether a and b can be one value: then the finer of them is the larger. */
static inline bool tacit_lineage_agree(const uint32_t *ends, uint32_t a, uint32_t b)
{
    return tacit_lineage_holds(ends, a, b) || tacit_lineage_holds(ends, b, a);
}

#ifdef __cplusplus
}
#endif
#endif
