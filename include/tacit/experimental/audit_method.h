/*
 * audit_method.h - what an adversary gains who knows the method that made a release.
 *
 * The release alone leaves, for every cell that was generalized or suppressed, the values under
 * what it shows, each row by itself. Who knows the method knows that it would have released
 * something finer of some of these originals, and rules them out (Vinterbo and Ohno-Machado 2001,
 * section 4; Wong and others, Minimality Attack, 2007; Cohen, downcoding, 2022; Chhillar and
 * others, Combinatorial Refinement Attacks, arXiv 2509.03350). The gain is
 *
 *     log2 (originals that the release leaves / originals that are left)        in bits
 *
 * one measure for all methods. An original is a ground value for every released cell; rows are
 * told apart.
 */
#ifndef TACIT_AUDIT_METHOD_H
#define TACIT_AUDIT_METHOD_H

#include <tacit/experimental/audit.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a release is known to be, by the way it was made. */
typedef enum tacit_knowledge {
    TACIT_KNOWS_NOTHING = 0, /* its form does not depend on what is hidden */
    TACIT_KNOWS_TIGHT,       /* every class is released as the smallest box around its rows: in no
                                column that is generalized do all of them share a finer value */
    TACIT_KNOWS_BEST,        /* that, and no division of rows into boxes of k costs less. Of this is
                                used: a class of 2k rows or more has no k that share a finer value,
                                and no row of a class of more than k lies in the box of another
                                class that costs less */
    TACIT_KNOWS_NEEDED       /* ambiguity: no single blank could have been left out */
} tacit_knowledge;

/* What a cell costs, where knowing the best needs it. */
typedef enum tacit_known_cost {
    TACIT_KNOWN_COST_NONE = 0, /* not known: best is no more than tight */
    TACIT_KNOWN_COST_LEVEL,    /* level over height: Prec */
    TACIT_KNOWN_COST_LEAVES    /* hidden share of the leaves: granularity */
} tacit_known_cost;

typedef struct tacit_known_method {
    tacit_knowledge knows;
    tacit_known_cost cost;
    const int *floors; /* an attribute each: the level that values were on before; NULL: the ground.
                          Needs the original, without which it is not looked at */
} tacit_known_method;

typedef struct tacit_known {
    tacit_knowledge knows; /* as asked for, or less where what it needs is not at hand */
    int64_t rows;
    int64_t classes; /* 0 of ambiguity */
    int64_t cells;
    int64_t hidden;     /* cells that can have several values, by the release alone */
    double bits_hidden; /* log2 of the originals that the release leaves */
    double bits_gained; /* what knowing the method takes of these; at least, where not exact */
    bool exact;         /* of what is known all was used */
    int64_t narrowed;   /* cells with fewer values left, and more than one */
    int64_t certain;    /* with one value left */
    int64_t settled;    /* columns of classes: it is certain how many rows have which finer value,
                           though not which rows */
    int64_t impossible; /* classes that the method cannot have made: nothing follows from them */
    double bits_worst;  /* the most that is gained on a row, on average over its class */
    tacit_revealed_cell *certain_cells; /* all of them, by row and attribute */
    int64_t certain_count;
} tacit_known;

/* The gain on a release. The values that a column can have are the original's where it is at
 * hand (evidence->original); otherwise the released ones, and under every released value that
 * has finer ones another that nobody has seen. Classes are rows with the same values in all
 * attributes. TACIT_KNOWS_BEST without an original, or of more than 8192 classes, whose pairs
 * would be too many, is taken for tight. */
tacit_status tacit_audit_method(tacit_known **out, const tacit_promise *promise,
                                const tacit_evidence *evidence, const tacit_known_method *method,
                                const tacit_run *run, tacit_error *err);
void tacit_known_free(tacit_known *known);

#ifdef __cplusplus
}
#endif
#endif
