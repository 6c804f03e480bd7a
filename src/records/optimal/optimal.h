/*
 * optimal.h - the inside of the method `optimal`; optimal.c says how the parts work together.
 *
 * Members are classes, numbered as they are; rows of a member are people. Costs are those of
 * tacit__costs without the offset, a row's or summed over rows.
 */
#ifndef TACIT_RECORDS_OPTIMAL_OPTIMAL_H
#define TACIT_RECORDS_OPTIMAL_OPTIMAL_H

#include "records/local/improve.h"
#include "solver/solver.h"

/* What a cluster must be worth to be opened. */
#define TACIT__CLUSTER_WORTH 1e-8

/* How far from an integer the use of a cluster is a fraction. */
#define TACIT__CLUSTER_FRACTION 1e-6

/* Boxes with k people or more; of those with the same members the smallest. */
typedef struct tacit__closed {
    int64_t count;
    int64_t *starts;   /* of each box's members, and the end */
    uint16_t *members; /* in any order */
    double *costs;     /* of a row */
    size_t start_capacity, member_capacity, cost_capacity;
} tacit__closed;

/* TACIT_LIMIT where they are too many to be listed. */
tacit_status tacit__closed_init(tacit__closed *closed, int64_t *boxes,
                                const tacit__local_group *group, tacit_error *err);
void tacit__closed_clear(tacit__closed *closed);

/* People who leave together: k or more, some of each of a few members, ascending.
 * Zero-initialized is empty. */
typedef struct tacit__clusters {
    int64_t count;
    int64_t *starts;      /* of each cluster's shares, and the end */
    tacit__share *shares; /* class_index is the member */
    double *costs;        /* of all rows of a cluster */
    size_t start_capacity, share_capacity, cost_capacity;
} tacit__clusters;

tacit_status tacit__clusters_add(tacit__clusters *clusters, const tacit__share *shares,
                                 int64_t count, double cost, tacit_error *err);
void tacit__clusters_clear(tacit__clusters *clusters);

/* Clusters in descending order of something, then in their own. */
typedef struct tacit__ranked_cluster {
    double value;
    int64_t cluster;
} tacit__ranked_cluster;

void tacit__rank_clusters(tacit__ranked_cluster *order, int64_t count);

int64_t tacit__shares_people(const tacit__share *shares, int64_t count);

/* People of a member in a cluster. */
uint32_t tacit__cluster_people(const tacit__clusters *clusters, int64_t cluster, uint16_t member);

/* Three members of one person each. However people are put into clusters, at most one
 * of these has two of the three. */
typedef struct tacit__triple {
    uint16_t member[3];
} tacit__triple;

/* What people pay, and what it costs a cluster to have two of a triple. */
typedef struct tacit__duals {
    int32_t members;
    double *of; /* a member each, for each of its people */
    int32_t triple_count;
    tacit__triple *triples;
    double *fines;  /* a triple each, 0 or more */
    int32_t *first; /* member by member, where its triples begin, and the end */
    int32_t *list;  /* triples that have a fine, by member */
    uint8_t *met;   /* a triple each: members met; zeros between uses */
    size_t triple_capacity, fine_capacity, list_capacity, met_capacity;
} tacit__duals;

/* Prices of 0 and no triples; more triples, without fines. */
tacit_status tacit__duals_init(tacit__duals *prices, int32_t members, tacit_error *err);
tacit_status tacit__duals_add(tacit__duals *prices, const tacit__triple *triples, int32_t count,
                              tacit_error *err);
void tacit__duals_clear(tacit__duals *prices);

/* Lists triples by members, once fines are known. */
void tacit__duals_list(tacit__duals *prices);

/* A member joins a cluster that is being put together: what it is fined for that. And
 * leaves it again. */
double tacit__duals_meet(tacit__duals *prices, uint16_t member);
void tacit__duals_part(tacit__duals *prices, uint16_t member);

/* What a cluster pays less its fines and its cost: above 0 it is worth opening. Where that is
 * 0 or less without fines, they are left out. */
double tacit__cluster_worth(const tacit__clusters *clusters, int64_t cluster, tacit__duals *prices);

/* Everything that does not change while the search goes on. */
typedef struct tacit__problem {
    const tacit__local *local;
    tacit__local_group group; /* of all classes */
    tacit__closed closed;
    double step; /* costs of layouts are multiples of it; 0: of nothing */
} tacit__problem;

/* Whether a member is one person: then a cluster has it or does not. */
static inline bool tacit__is_single(const tacit__problem *problem, uint32_t member)
{
    return problem->local->people[member] == 1;
}

/* Clusters with what each of them is worth at given prices (price.c). Zero-initialized is empty. */
typedef struct tacit__priced {
    tacit__clusters clusters;
    double *worth; /* a cluster each */
    size_t worth_capacity;
} tacit__priced;

void tacit__priced_clear(tacit__priced *priced);

/* Of each box its best cluster. */
typedef struct tacit__pricing {
    tacit__priced found;
    double most; /* no cluster at all is worth more */
    double sum;  /* what the best clusters of all boxes are worth together, or more */
} tacit__pricing;

tacit_status tacit__price_boxes(tacit__pricing *out, tacit__problem *problem, tacit__duals *prices,
                                tacit_error *err);

/* Every cluster of fewer than 2k people that is worth more than -*gap at given prices, in
 * descending order of worth; *gap becomes less where these would be too many. TACIT_LIMIT where
 * they cannot be listed. */
tacit_status tacit__price_pool(tacit__priced *out, double *gap, tacit__problem *problem,
                               tacit__duals *prices, tacit_error *err);

/* The linear program over clusters (master.c). */
typedef struct tacit__master {
    const tacit__problem *problem;
    tacit__solver *solver;
    tacit__clusters clusters; /* a column each, behind those that stand for nobody's cluster */
    tacit__duals prices;      /* of the last solution */
    double *values;           /* the same: how much of each cluster */
    int32_t *items;           /* rows of the column that is being added, */
    double *item_values;      /* and what it has in them */
    size_t value_capacity, item_capacity, item_value_capacity;
    double unserved; /* people in no cluster */
    double cost;
    double bound;  /* proven, for the clusters that are in it */
    double proven; /* the same for all clusters, where they have been priced */
    int64_t iterations;
} tacit__master;

tacit_status tacit__master_init(tacit__master *master, const tacit__problem *problem,
                                tacit_error *err);
void tacit__master_clear(tacit__master *master);

tacit_status tacit__master_add(tacit__master *master, const tacit__clusters *from, int64_t first,
                               int64_t count, tacit_error *err);
tacit_status tacit__master_add_triples(tacit__master *master, const tacit__triple *triples,
                                       int32_t count, tacit_error *err);

/* How much of a cluster may be used. */
void tacit__master_hold(tacit__master *master, int64_t cluster, double least, double most);

/* Solves it as it is. *solved is false where the solver cannot. A program without solution, which
 * only the limits of clusters can make, costs INFINITY. */
tacit_status tacit__master_solve(bool *solved, tacit__master *master, tacit_error *err);

/* Adds triples that the last solution breaks; *added is how many. */
tacit_status tacit__master_cut(int32_t *added, tacit__master *master, tacit_error *err);

/* What is known so far. */
typedef struct tacit__quest {
    tacit__problem *problem;
    tacit__local_found *found;  /* the best layout, and the bound on all */
    double cost;                /* of that layout */
    int64_t nodes;              /* looked at */
    tacit__improving improving; /* of layouts, as local does it */
    int64_t work;               /* what linear programs took: rows times iterations */
    int64_t limit;
} tacit__quest;

/* A layout that costs less must cost less than this. */
double tacit__quest_cutoff(const tacit__quest *quest);

/* No layout costs less than this. */
void tacit__quest_raise(tacit__quest *quest, double bound);

/* tacit__master_solve, with its work counted. */
tacit_status tacit__quest_solve(bool *solved, tacit__quest *quest, tacit__master *master,
                                tacit_error *err);

/* Makes a layout of the master's solution and keeps it if it is better; `rounds` of local's
 * search follow. */
tacit_status tacit__quest_round(tacit__quest *quest, const tacit__master *master, int64_t rounds,
                                tacit_error *err);

/* Makes the best of a layout, which may be any, and of its bound, which may be unknown (optimal.c).
 * Stopped, it returns TACIT_CANCELLED, and what was found until then is there. */
tacit_status tacit__optimal_search(tacit__local_found *found, const tacit__local *local,
                                   bool until_stopped, tacit_error *err);

/* Branches over the clusters that a better layout can have, which the root's prices
 * tell (branch.c). */
tacit_status tacit__quest_branch(tacit__quest *quest, tacit__master *root, tacit_error *err);

#endif
