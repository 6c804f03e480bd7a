/*
 * ambiguate.h - what the files of ambiguation share: the rows, folded, and a plan of blanks for
 * them.
 *
 * Rows that are the same in every attribute are one class. A plan says of some rows of some classes
 * which of their cells are blank; those it does not name keep all. A way of ambiguation reads a
 * tableau and fills a plan, and that is all they have to do with each other; what all plans go
 * through (the fewest blanks of them, hiding, redundancy) is done with a state (state.h).
 */
#ifndef TACIT_RECORDS_AMBIGUATE_AMBIGUATE_H
#define TACIT_RECORDS_AMBIGUATE_AMBIGUATE_H

#include <tacit/experimental/ambiguate.h>

/* The rows. Classes are numbered in the order of their first rows. */
typedef struct tacit__tableau {
    int32_t columns; /* at most 64: bits of a mask */
    int64_t classes;
    int64_t rows;
    uint32_t *codes;  /* class by class, a column each; only whether two are equal matters */
    uint32_t *domain; /* a column each: codes are below it */
    int64_t *counts;  /* rows of each class */
    double *costs;    /* class by class, a column each: of a blank; all above 0 */
    bool unit;        /* they are all 1 */
    int64_t k;
    bool both;           /* k is promised both ways: blanks/boxes.h */
    int32_t most_row;    /* blanks; columns where there is no limit */
    int64_t most_column; /* blanks; rows where there is no limit */
    uint32_t *index;     /* class -> its index in the frame's classes */
} tacit__tableau;

static inline const uint32_t *tacit__tableau_codes(const tacit__tableau *t, int64_t class_index)
{
    return t->codes + class_index * t->columns;
}

/* The columns in which two classes differ: m_ij of the paper. */
static inline uint64_t tacit__tableau_differ(const tacit__tableau *t, int64_t i, int64_t j)
{
    const uint32_t *x = tacit__tableau_codes(t, i), *y = tacit__tableau_codes(t, j);
    uint64_t differ = 0;
    for (int32_t c = 0; c < t->columns; c++)
        differ |= (uint64_t)(x[c] != y[c]) << c;
    return differ;
}

/* What the blanks of a mask cost in a row of a class. */
static inline double tacit__tableau_cost(const tacit__tableau *t, int64_t class_index,
                                         uint64_t mask)
{
    double cost = 0;
    for (; mask; mask &= mask - 1)
        cost += t->costs[class_index * t->columns + __builtin_ctzll(mask)];
    return cost;
}

/* Some rows of a class that are released with the same blanks. */
typedef struct tacit__blank {
    uint32_t class_index;
    int64_t rows;   /* at least 1; together at most the rows of the class */
    uint64_t mask;  /* a bit a column: blank */
    uint64_t fixed; /* of those, not to be filled again: they hide a dependency */
} tacit__blank;

/* Zero-initialized is empty. */
typedef struct tacit__blanking {
    tacit__blank *blanks; /* owned */
    int64_t count;
    size_t room;
    double bound; /* no plan that keeps what is asked costs less; 0: nothing is known */
    bool proven;  /* and this one costs no more */
    bool stopped;
    int64_t nodes;
} tacit__blanking;

tacit_status tacit__blanking_add(tacit__blanking *plan, tacit__blank blank, tacit_error *err);
void tacit__blanking_clear(tacit__blanking *plan);

/* Ascending by class and mask; blanks with the same of both (and the same that is fixed)
 * become one, and those that blank nothing go. */
void tacit__blanking_tidy(tacit__blanking *plan);

/* Hands on what a way has found, or clears it and says why it failed. */
tacit_status tacit__blanking_give(tacit__blanking *plan, tacit__blanking *found,
                                  tacit_status status, const tacit_error *why, tacit_error *err);

/* No plan within the limits does what is asked, which may be proven or not. */
tacit_status tacit__blanking_none(bool proven, const char *asked, tacit_error *err);

/* What the blanks of a plan cost. */
double tacit__blanking_cost(const tacit__blanking *plan, const tacit__tableau *tableau);

tacit_status tacit__tableau_init(tacit__tableau *tableau, const tacit_frame *frame,
                                 const tacit_classes *classes, const tacit_records_options *options,
                                 const tacit_run *run, tacit_error *err);
void tacit__tableau_clear(tacit__tableau *tableau);

/* The frame's classes as the tableau numbers them, which the caller frees; NULL: no memory. */
uint32_t *tacit__tableau_places(const tacit__tableau *tableau);

/* The columns of a set, those of the most values first; returns how many they are. */
int32_t tacit__tableau_rank(int32_t *ranked, const tacit__tableau *tableau, uint64_t columns);

/* What every way asks first: TACIT_INFEASIBLE where there are fewer rows than k, but some. */
tacit_status tacit__tableau_check(const tacit__tableau *tableau, tacit_error *err);

/* Ways of ambiguation. The plan is empty before. Those that search give the best they
 * have, with `stopped` set, where the run's progress says stop. TACIT_INFEASIBLE where
 * they find nothing within the limits. */
typedef tacit_status tacit__ambiguate_fn(tacit__blanking *plan, const tacit__tableau *tableau,
                                         const tacit_ambiguate *how, const tacit_run *run,
                                         tacit_error *err);

tacit__ambiguate_fn tacit__ambiguate_cover;   /* blanks/cover.c */
tacit__ambiguate_fn tacit__ambiguate_whole;   /* formula.c: A */
tacit__ambiguate_fn tacit__ambiguate_often;   /* formula.c: B */
tacit__ambiguate_fn tacit__ambiguate_rowwise; /* rowwise.c: C, D, short, short-d */
tacit__ambiguate_fn tacit__ambiguate_exact;   /* blanks/exact.c */

/* blanks/strict.c: the stricter reading. With EXACT the least cost, proven where it can
 * be; otherwise a good plan for tables of any size. */
tacit_status tacit__ambiguate_strict(tacit__blanking *plan, const tacit__tableau *tableau,
                                     const tacit_frame *frame, const tacit_records_options *options,
                                     const tacit_run *run, tacit_error *err);

/* ---- all sets of so many columns, one after the other ---- */

/* How many there are. */
static inline double tacit__count_sets(int32_t columns, int32_t size)
{
    double sets = 1;
    for (int32_t i = 0; i < size; i++)
        sets = sets * (columns - i) / (i + 1);
    return sets;
}

static inline uint64_t tacit__first_set(int32_t size)
{
    return size == 64 ? ~UINT64_C(0) : (UINT64_C(1) << size) - 1;
}

/* The next of the same size; 0 behind the last. */
static inline uint64_t tacit__next_set(uint64_t set, int32_t columns)
{
    uint64_t lowest = set & -set, ripple = set + lowest;
    if (ripple < set) /* over the 64th */
        return 0;
    set = ripple | ((set ^ ripple) >> 2) / lowest;
    return columns < 64 && set >> columns ? 0 : set;
}

#endif
