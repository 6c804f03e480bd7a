/*
 * audit_altered.h - what an adversary can deduce from a statistical table whose values were
 * changed: rounded, or adjusted.
 *
 * He has the published values, knows the relations that the true ones keep, the bounds of every
 * cell, and as much of the method as is said below. Linear programs over all cells say how low
 * and how high each true value can be. Shares the reader and the LP
 * solver with the methods, and none of their steps.
 *
 * What is claimed, and what not:
 *   - an end of an interval was reached by a table that keeps relations, bounds and all that is
 *     known, to the accuracy that audit_cells.h states. He can rule out no more by that
 *     knowledge alone. A cell counts as known exactly where its interval is no wider than a
 *     thousandth (of 2^-20 of the largest bound about it, where that is above 2^20);
 *   - that true values are whole numbers is used for how far a published value can be from the
 *     true one, and no further: tables with decimals count as tables he must reckon with;
 *   - in tables up to TACIT_ALTERED_EXACT cells ends are the furthest such tables (with `beyond`,
 *     those of primary cells). In larger ones they are as far as was shown until levels were
 *     met and cells were seen to move, and can be further; and a cell that is not primary of which
 *     programs over a few thousand cells about it do not show that it moves is unknown;
 *   - with `beyond` a table must have every primary cell on one of its two sides. Looking through
 *     all combinations of sides is cut off after a number of programs: then a side counts as
 *     impossible though a combination nobody looked at may allow it, never the other way round;
 *   - not used: that the method made changes small or likely. Who believes that the published
 *     table is the nearest one can rule out more than what is said here.
 */
#ifndef TACIT_AUDIT_ALTERED_H
#define TACIT_AUDIT_ALTERED_H

#include <tacit/experimental/audit_cells.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TACIT_ALTERED_EXACT = 2000 };

/* What is known of how values were changed. Where all values are whole numbers, published ones
 * as well, `reach` is taken down to the next difference that is possible: at most b - 1 for within
 * a base b. */
typedef struct tacit_altered_known {
    double base;      /* published values are multiples of it; 0: they need not be */
    double reach;     /* no true value is further than this from the published one; INFINITY: that
                         is not known */
    bool within;      /* nor as far: less than reach */
    bool additive;    /* published values keep the relations */
    bool zero_stays;  /* zeros were published as such: what is published as another number was no
                         zero; with an infinite reach, a published zero was one as well */
    bool fixed_stays; /* cells that must be published (`z`) were not changed, and it is known which
                         these are */
    bool beyond; /* which cells are primary is known, and their levels; and that each of them is
                    published at least its upper level above its value, or its lower level below
                    it. A level of 0 is taken for that of the other side, and both are raised
                    alike until together they are the sliding one */
} tacit_altered_known;

typedef struct tacit_altered_audit {
    int32_t cell_count;
    tacit_cell_finding *cells; /* every cell that is primary or changed, ascending: what its true
                                  value can be */
    int32_t disclosed;         /* how many of them are known exactly */
    int32_t underprotected;    /* primary cells that are known closer than their levels */
    int32_t one_sided;         /* beyond: primary cells of which it is known which way they moved */
    int32_t broken;            /* published values that are not what `known` says of them, and
                                  relations; where there are any nothing else was looked at */
    int32_t first_broken;      /* the first such cell; -1: none, or it is a relation */
    int64_t programs;          /* linear programs solved */
    int32_t unknown; /* cells of which a program could not be solved, or was not asked in a large
                        table: they count as disclosed */
} tacit_altered_audit;

/* published: a value a cell. Fails closed. TACIT_INVALID where a true value is not known, or not
 * within its bounds. */
tacit_status tacit_audit_altered(tacit_altered_audit **out, const tacit_cells *cells,
                                 const double *published, const tacit_altered_known *known,
                                 const tacit_run *run, tacit_error *err);
void tacit_altered_audit_free(tacit_altered_audit *audit);

#ifdef __cplusplus
}
#endif
#endif
