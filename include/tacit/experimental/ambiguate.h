/*
 * ambiguate.h - ambiguation: as few suppressed cells as possible, so that k people fit
 * every row that is left and everybody fits k rows.
 *
 * After Vinterbo and Ohno-Machado, Table Ambiguation By Minimal Cell Suppression (2001). A
 * person, a row of the original, fits a released row that shows none but his values; a
 * suppressed cell, a blank, shows none. Both directions are promised: the values of k people
 * fit each row, and each person's values fit k rows.
 *
 * The paper's own condition is weaker and offered as `as_published`: alpha of a row, the number of
 * released rows, itself among them, that agree with it in every column, blanks with anything, is
 * to be k. Somebody who knows a person's values may then find that they fit a single row. A
 * stricter reading is offered, too, in which a blank agrees with blanks only: k-anonymity by
 * suppression alone.
 *
 * The method "ambiguate" takes what is asked of it from options.ambiguate; without
 * one it covers rows greedily, without limits.
 */
#ifndef TACIT_AMBIGUATE_H
#define TACIT_AMBIGUATE_H

#include <tacit/experimental/records.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How blanks are looked for. */
typedef enum tacit_ambiguate_way {
    TACIT_AMBIGUATE_COVER = 0, /* the blanks that help the most rows for their cost, again and
                                  again, and then better ones: for tables of any size */
    TACIT_AMBIGUATE_A,         /* 2.3.1: the first rows as a whole */
    TACIT_AMBIGUATE_B,         /* 2.3.2: the cell that occurs most often in the formula */
    TACIT_AMBIGUATE_C,       /* 2.4: Ohrn's, row by row: a greedy hitting set of prime implicants */
    TACIT_AMBIGUATE_D,       /* 2.4: the same, every row of a pass by itself */
    TACIT_AMBIGUATE_SHORT,   /* 4: C with the shortest conjunct instead */
    TACIT_AMBIGUATE_SHORT_D, /* 4: D with the shortest conjunct instead */
    TACIT_AMBIGUATE_EXACT,   /* the least cost there is, proven, or how far it may be */
    TACIT_AMBIGUATE_WAYS
} tacit_ambiguate_way;

/* The way's name, such as "short-d"; the way of a name, or TACIT_AMBIGUATE_WAYS if there is none.
 */
const char *tacit_ambiguate_way_name(tacit_ambiguate_way way);
tacit_ambiguate_way tacit_ambiguate_way_find(const char *name);

/* In which order C, D and their short versions take the rows. */
typedef enum tacit_ambiguate_order {
    TACIT_ORDER_FILE = 0, /* as they stand in the table */
    TACIT_ORDER_REVERSE,
    TACIT_ORDER_HARDEST, /* those first that differ from every other row in the most columns */
    TACIT_ORDER_EASIEST,
    TACIT_ORDER_RANDOM, /* by the run's seed */
    TACIT_ORDERS
} tacit_ambiguate_order;

/* What a blank costs: in a column, or for one value of it. Later entries count. */
typedef struct tacit_blank_cost {
    int32_t attribute;
    uint32_t code; /* as the table codes the column; UINT32_MAX: every value */
    double cost;   /* above 0 */
} tacit_blank_cost;

/* A functional dependency of which nobody is to have a proof: two released rows must
 * differ in `right` while they agree, blanks with anything, in the attributes of `left`. */
typedef struct tacit_hidden {
    uint64_t left; /* attributes, a bit each */
    int32_t right; /* a coded column of the table */
} tacit_hidden;

/* What was found. Costs are sums over blanks. */
typedef struct tacit_ambiguity {
    int64_t cells;        /* blanks */
    int64_t rows;         /* that have any */
    double cost;          /* of them */
    double bound;         /* no blanks that keep what is asked cost less; NAN: nothing is known */
    bool proven;          /* and these cost no more */
    bool stopped;         /* the search was; these are the best so far */
    int64_t nodes;        /* of the search; 0: none */
    int64_t removed;      /* blanks that were found and could be left out again */
    int64_t redundant;    /* blanks added against the attack on minimal suppression */
    int64_t hiding;       /* blanks added to hide dependencies */
    int32_t closest;      /* fewest columns in which two rows differ that do: the paper's
                             lower bound for 2-ambiguity; 0: all rows are the same; -1: too
                             many to tell */
    int64_t unsafe_rows;  /* rows with alpha below k before */
    double mean_before;   /* mean of alpha before ... */
    double mean_after;    /* and after */
    int64_t alpha_before; /* the smallest alpha before */
    int64_t alpha_after;
    int64_t people_after; /* the fewest people who fit a row ... */
    int64_t rows_after;   /* and rows that anybody fits; both 0 where that is not promised */
} tacit_ambiguity;

typedef struct tacit_ambiguate {
    tacit_ambiguate_way way;
    tacit_ambiguate_order order;
    bool strict;         /* a blank agrees with blanks only */
    bool mean;           /* C, D and short: the mean of alpha is to be k, not the smallest */
    bool as_published;   /* only the paper's condition, with any way; of its own heuristics, blanks
                            that could be left out again are not. They need it */
    bool redundant;      /* the attack on minimal suppression is to reveal none: as_published adds
                            blanks until that is so; otherwise the judge refuses what fails */
    int32_t most_row;    /* blanks that a row may have; 0: no limit */
    int64_t most_column; /* blanks that a column may have; 0: no limit */
    const tacit_blank_cost *costs; /* a cell that none names costs its attribute's weight, or 1 */
    int64_t cost_count;
    const tacit_hidden *hidden;
    int32_t hidden_count;
    tacit_ambiguity *report; /* NULL, or where what was found goes */
} tacit_ambiguate;

#ifdef __cplusplus
}
#endif
#endif
