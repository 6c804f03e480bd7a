/*
 * audit_altered.h - what an adversary can deduce from a statistical table whose values were
 * changed: rounded, or adjusted.
 *
 * He has the published values, knows the relations that the true ones keep, the bounds of every
 * cell, and as much of the method as is said below. Linear programs over all cells say how low
 * and how high each true value can be. Shares no code with the methods.
 */
#ifndef TACIT_AUDIT_ALTERED_H
#define TACIT_AUDIT_ALTERED_H

#include <tacit/audit_cells.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is known of how values were changed. */
typedef struct tacit_altered_known {
    double base;     /* published values are multiples of it; 0: they need not be */
    double reach;    /* no true value is further than this from the published one; INFINITY: that
                        is not known */
    bool within;     /* nor as far: less than reach */
    bool additive;   /* published values keep the relations */
    bool zero_stays; /* a published zero was one, or less than reach from it */
    bool beyond;     /* which cells are primary is known, and that each of them is published at
                        least its upper level above its value, or its lower level below it */
} tacit_altered_known;

typedef struct tacit_altered_audit {
    int32_t cell_count;
    tacit_cell_finding *cells; /* every cell that is primary or changed, ascending: what its true
                                  value can be */
    int32_t disclosed;         /* how many of them are known exactly */
    int32_t underprotected;    /* primary cells that are known closer than their levels */
    int32_t one_sided;         /* beyond: primary cells of which it is known which way they moved */
    int32_t broken;            /* published values that are not what `known` says of them */
    int32_t first_broken;      /* the first of these; -1: none, or it is a relation */
    int64_t programs;          /* linear programs solved */
    int32_t unknown; /* cells of which a program could not be solved: they count as disclosed */
} tacit_altered_audit;

/* published: a value a cell. Fails closed. */
tacit_status tacit_audit_altered(tacit_altered_audit **out, const tacit_cells *cells,
                                 const double *published, const tacit_altered_known *known,
                                 const tacit_run *run, tacit_error *err);
void tacit_altered_audit_free(tacit_altered_audit *audit);

#ifdef __cplusplus
}
#endif
#endif
