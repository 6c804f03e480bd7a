/*
 * mingen.h - the parts of the search for the best node of a lattice.
 */
#ifndef TACIT_RECORDS_MINGEN_MINGEN_H
#define TACIT_RECORDS_MINGEN_MINGEN_H

#include "records/apply/cut.h"
#include "records/metrics/costs.h"
#include "records/mingen/list.h"
#include "records/models/models.h"

/* What a metric makes of a node, and what it can make of nodes nobody has counted. */
typedef struct tacit__prices {
    tacit_metric metric;
    int32_t attributes;
    double rows;
    double k;
    double limit; /* rows that may be suppressed */
    double freed; /* rows that may be drawn from a class which stays */
    bool dropped; /* suppressed rows are left out */
    bool single;  /* one quasi-identifier: every class that is released has k people */
    tacit__costs costs;
    /* an attribute on a level: */
    double mean[TACIT_MAX_ATTRIBUTES][TACIT_MAX_LEVELS];    /* cost over all rows */
    double most[TACIT_MAX_ATTRIBUTES][TACIT_MAX_LEVELS];    /* of its dearest value */
    double squares[TACIT_MAX_ATTRIBUTES][TACIT_MAX_LEVELS]; /* of rows with each value, summed */
    double top[TACIT_MAX_ATTRIBUTES];                       /* cost of a suppressed cell */
} tacit__prices;

/* A node whose classes were counted. */
typedef struct tacit__mingen_node {
    const uint8_t *levels;
    bool feasible;
    int64_t outliers; /* rows that k, and models that act like it, cut off; never more on a node
                         above */
    int64_t widest;   /* rows of the largest class of them */
    int64_t classes;
    int64_t kept;       /* of the classes, those that are none of them */
    double squares;     /* of class sizes, summed */
    int64_t suppressed; /* rows, complementary ones among them */
    int64_t distinct;   /* tuples in the release */
    double cost;        /* where it is feasible; at most, if it depends on who is drawn */
    double least;       /* and at least */
    double *lost;       /* an attribute each: what suppressing the outliers adds to its mean cost */
    struct tacit__mingen_node *next; /* of all that are kept */
    bool needed;                     /* a mark for forgetting the others */
} tacit__mingen_node;

/* What is promised beyond k. */
typedef struct tacit__beyond {
    tacit__models *models; /* NULL: nothing */
    tacit_classes *base;   /* on the levels of the lowest node */
    bool like_k;           /* joining a class that keeps them with any other keeps them */
} tacit__beyond;

/* What is searched. */
typedef struct tacit__mingen {
    const tacit_frame *frame;
    const tacit_records_options *options;
    const tacit_run *run;
    int64_t rows;
    int64_t limit; /* rows that may be suppressed */
    double nodes;  /* of the lattice */
    bool plain;    /* one quasi-identifier, every row a person, nothing beyond k */
    bool wide;     /* keys of the lowest node have several words */
    uint8_t low[TACIT_MAX_ATTRIBUTES];  /* what lies below is infeasible */
    uint8_t high[TACIT_MAX_ATTRIBUTES]; /* the top */
    tacit__ladders ladders;
    tacit__prices prices;
    tacit__beyond beyond;
} tacit__mingen;

/* Prepares a search. frame, options and run must outlive it, and have been checked. */
tacit_status tacit__mingen_new(tacit__mingen **out, const tacit_frame *frame,
                               const tacit_records_options *options, const tacit_run *run,
                               tacit_error *err);
void tacit__mingen_free(tacit__mingen *g);

/* Rows with each value of an attribute on a level, from those of its ground values. The
 * caller frees them. */
tacit_status tacit__rows_on(int64_t **out, const tacit__mingen *g, int32_t attribute, int level,
                            const uint32_t *ground, tacit_error *err);

/* Whether every node below this one is infeasible too. */
static inline bool tacit__node_rules_out(const tacit__mingen_node *node, const tacit__mingen *g)
{
    return node->outliers > g->limit || (g->limit == 0 && !node->feasible);
}

tacit_status tacit__prices_init(tacit__prices *prices, const tacit__mingen *g,
                                uint32_t *const *ground, tacit_error *err);
void tacit__prices_clear(tacit__prices *prices);

/* What a node costs of which the outcome of suppression is known: cells is what the
 * suppressed rows add to each attribute's mean. */
typedef struct tacit__outcome {
    int64_t suppressed;
    int64_t distinct;
    double squares; /* of classes that are released */
    const double *cells;
} tacit__outcome;

double tacit__node_cost(const tacit__prices *prices, const uint8_t *levels,
                        const tacit__outcome *outcome);

/* Whether bounds need counts of low nodes. */
bool tacit__bound_needs_low(const tacit__prices *prices);

/* The part of a bound that needs a count of the lowest node (NULL: not counted),
 * for metrics that are not sums over cells. Never falls upward. */
double tacit__bound_known(const tacit__prices *prices, const tacit__ladders *ladders,
                          const uint8_t *low, const tacit__mingen_node *node);

/* No node between low and ceiling costs less than the bound of the sum of their
 * attributes' terms. */
double tacit__bound_term(const tacit__prices *prices, const tacit__mingen_node *ceiling,
                         int32_t attribute, int level);
double tacit__bound(const tacit__prices *prices, double terms, double known,
                    const tacit__mingen_node *ceiling);

/* Fills in what is to be known of a node from its entries, which are those of the
 * node's levels. room: for classes, where entries are pairs. */
tacit_status tacit__node_look(tacit__mingen_node *node, const tacit__mingen *g,
                              const tacit__list *entries, tacit__desk *room, const tacit_run *run,
                              tacit_error *err);

/* Prepares the models of the frame, if it has any. */
tacit_status tacit__beyond_init(tacit__beyond *beyond, const tacit__mingen *g, tacit_error *err);
void tacit__beyond_clear(tacit__beyond *beyond);

/* Takes out the classes that break a model. One caller at a time. */
tacit_status tacit__beyond_cut(tacit__cut *cut, const tacit__mingen *g, const tacit_run *run,
                               tacit_error *err);

/* Takes out more, so that the rows gone keep k and the models; *kept says whether
 * they do. */
tacit_status tacit__beyond_complement(bool *kept, tacit__cut *cut, const tacit__mingen *g,
                                      const tacit_run *run, tacit_error *err);

#endif
