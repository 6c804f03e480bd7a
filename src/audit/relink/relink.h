/*
 * relink.h - what the files of re-linking share (audit_relink.h).
 *
 * Every column is an axis: each value of the original has a place on it, each released label is a
 * stretch of it or says nothing. Numbers are their own places; names are ordered so that what a
 * mask or a label of a hierarchy stands for is one stretch. What a record costs a person is then
 * a sum over columns of a function of the gap between a stretch and a place that never falls, and
 * all attacks are searches for the least cost in one kind of tree.
 */
#ifndef TACIT_AUDIT_RELINK_RELINK_H
#define TACIT_AUDIT_RELINK_RELINK_H

#include <tacit/experimental/audit_relink.h>

#include "audit/rows/rows.h"

/* ---- reading (read.c) ---- */

typedef enum tacit__reading {
    TACIT__READ_STRETCH = 0,
    TACIT__READ_MISSING,
    TACIT__READ_ANY,    /* "*" */
    TACIT__READ_FOREIGN /* no value of the original, and not to be read as several */
} tacit__reading;

/* What a released label says. */
typedef struct tacit__relink_stretch {
    double low, high; /* both held */
    tacit__reading kind;
} tacit__relink_stretch;

typedef struct tacit__relink_axis {
    bool numeric;
    bool unsure; /* the hierarchy could not be used: what foreign labels mean is not known */
    int32_t original, release; /* the columns */
    double *places;            /* by code of the original, missing too; NAN: not known */
    uint32_t place_count;
    uint32_t *ranks; /* by code of the original: equal where places are, ascending, missing last */
    uint32_t rank_count;
    tacit__relink_stretch *labels; /* by code of the release, missing too */
    uint32_t *label_keys;          /* equal where labels say nothing for the same reason */
    uint32_t label_count;
    double mean, deviation; /* of numbers */
    double apart;           /* the share of pairs of people whose places differ */
} tacit__relink_axis;

/* How many rows of a table have each code of a column, missing last. The caller frees it. */
tacit_status tacit__relink_frequencies(double **out, const tacit_table *table, int32_t column,
                                       tacit_error *err);

/* ---- both files (read.c) ---- */

typedef struct tacit__relink_scene {
    const tacit_relink_case *c;
    const tacit_relink_options *options;
    const tacit_run *run;
    int32_t columns;
    tacit__relink_axis axes[TACIT_MAX_RELINK_COLUMNS];
    tacit__partition people;  /* rows of the original that agree on every axis */
    tacit__partition records; /* rows of the release that say the same */
    uint32_t *subjects;       /* a class of people each: those behind released records */
    uint32_t *order;          /* rows of the release in the order in which they are attacked */
    int64_t attacked;         /* at most so many of them */
} tacit__relink_scene;

/* Cleared in any case. */
tacit_status tacit__relink_scene_init(tacit__relink_scene *scene, tacit_error *err);
void tacit__relink_scene_clear(tacit__relink_scene *scene);

/* The row of the original behind a released one, or TACIT_RELINK_MADE_UP. */
static inline uint32_t tacit__relink_origin(const tacit__relink_scene *scene, int64_t row)
{
    return scene->c->origin ? scene->c->origin[row] : (uint32_t)row;
}

/* ---- a way of seeing it (view.c) ---- */

/* What columns of a view cost. A cost never falls as the gap grows. */
typedef struct tacit__relink_cost {
    double scale;     /* the square of a gap times this; 0: by steps */
    double near, far; /* steps: gaps up to near cost nothing, up to far `half`, others `full` */
    double half, full;
    double known_missing; /* the person's value, not the released one */
    double said_missing;  /* the other way round; where both are, it costs nothing */
    double foreign;
} tacit__relink_cost;

/* Places and stretches as an attack wants them. Borrows from the scene what it does not change. */
typedef struct tacit__relink_view {
    const tacit__relink_scene *scene;
    double *places[TACIT_MAX_RELINK_COLUMNS];                /* by code; NULL: the axis' own */
    tacit__relink_stretch *labels[TACIT_MAX_RELINK_COLUMNS]; /* by code; NULL: the axis' own */
    double *whitening; /* of the numeric columns: row by row, what makes them uncorrelated */
    int32_t numeric[TACIT_MAX_RELINK_COLUMNS];
    int32_t numeric_count;
} tacit__relink_view;

tacit_status tacit__relink_view_init(tacit__relink_view *view, const tacit__relink_scene *scene,
                                     tacit_relink_kind kind, tacit_error *err);
void tacit__relink_view_clear(tacit__relink_view *view);

/* A place and a stretch a column, of a row of the original and of the release. */
void tacit__relink_point(double *out, const tacit__relink_view *view, int64_t row);
void tacit__relink_query(tacit__relink_stretch *out, const tacit__relink_view *view, int64_t row);

/* Costs of a distance, and of compatibility: 0 where a record maps to a person. */
void tacit__relink_distances(tacit__relink_cost *costs, const tacit__relink_view *view,
                             tacit_relink_kind kind);
void tacit__relink_compatible(tacit__relink_cost *costs, const tacit__relink_scene *scene);

/* ---- the tree of people (tree.c) ---- */

typedef struct tacit__relink_node {
    uint32_t from, to; /* points */
    uint32_t right;    /* the second child; the first is the next node; 0: a leaf */
    uint32_t missing;  /* a bit a column: some point has no place, */
    uint32_t known;    /* and some has one */
    int64_t people, subjects;
} tacit__relink_node;

typedef struct tacit__relink_tree {
    int32_t columns;
    int64_t count;
    double *points;              /* in the order of the tree, a place a column */
    uint32_t *classes;           /* a point each */
    uint32_t *point_of;          /* a class each */
    uint32_t *people, *subjects; /* a point each */
    tacit__relink_node *nodes;
    double *boxes; /* a node each: the least and the largest place, column by column */
} tacit__relink_tree;

tacit_status tacit__relink_tree_init(tacit__relink_tree *tree, const tacit__relink_view *view,
                                     const tacit__relink_cost *costs, tacit_error *err);
void tacit__relink_tree_clear(tacit__relink_tree *tree);

/* A search: what is looked for and how it is weighed, then what was found. */
typedef struct tacit__relink_search {
    const tacit__relink_tree *tree;
    const tacit__relink_cost *costs;
    const tacit__relink_stretch *query; /* a column each */
    double limit;                       /* counts up to this cost are wanted */
    double reach;                       /* and whether anything else is up to this one */
    double least;                       /* the least cost of all */
    int64_t people, subjects;           /* up to limit */
    bool others;                        /* beyond limit, up to reach */
    int64_t steps;                      /* nodes and points that were looked at */
} tacit__relink_search;

/* The least cost of any person; INFINITY without people. */
void tacit__relink_nearest(tacit__relink_search *search);

/* Counts up to limit. */
void tacit__relink_count(tacit__relink_search *search);

/* What a class of people costs. */
double tacit__relink_cost_of(const tacit__relink_search *search, uint32_t class);

/* ---- questions (attack.c) ---- */

typedef struct tacit__relink_answer {
    double least;              /* the least cost of all people */
    uint32_t people, subjects; /* who cost that, but for rounding */
    bool others;               /* somebody else costs at most `reach` times as much */
    bool asked;
} tacit__relink_answer;

/* Records that say the same are asked about once. */
typedef struct tacit__relink_asker {
    const tacit__relink_view *view;
    const tacit__relink_tree *tree;
    const tacit__relink_cost *costs;
    double reach;                  /* 1 or more */
    bool compatible;               /* people who cost nothing are wanted, whoever costs least */
    const uint32_t *rows;          /* of the release, as they are asked about; NULL: in order */
    int64_t total;                 /* rows to be asked about, for who watches */
    tacit__relink_answer *answers; /* by the scene's records */
    int64_t steps;                 /* so far */
} tacit__relink_asker;

/* ---- the attacks ---- */

/* How a link is declared. */
typedef struct tacit__relink_rule {
    const double *weights; /* a column each: what agreement weighs; NULL: by reach alone */
    double threshold;      /* of the sum of weights */
} tacit__relink_rule;

/* Attacks records in the scene's order (attack.c). */
tacit_status tacit__relink_attack(tacit_relink_attack *out, tacit__relink_asker *asker,
                                  const tacit__relink_rule *rule, tacit_error *err);

/* Levels of agreement of a record and a person; TACIT_RELINK_LEVELS: nothing can be said. */
typedef struct tacit__relink_weights {
    double m[TACIT_MAX_RELINK_COLUMNS][TACIT_RELINK_LEVELS];
    double u[TACIT_MAX_RELINK_COLUMNS][TACIT_RELINK_LEVELS];
    double weight[TACIT_MAX_RELINK_COLUMNS][TACIT_RELINK_LEVELS]; /* in bits, never rising */
} tacit__relink_weights;

/* A pattern of agreement, two bits a column, and how many people have it with a record. */
typedef struct tacit__relink_pattern {
    uint64_t levels;
    int64_t people;
} tacit__relink_pattern;

/* Some records compared with everybody. */
typedef struct tacit__relink_evidence {
    int32_t columns;
    bool numeric[TACIT_MAX_RELINK_COLUMNS];
    int64_t records, stride;
    tacit__relink_pattern *patterns; /* `stride` for each record, of which some are there: those */
    int32_t *counts;                 /* that most likely hold its person */
    double pairs[TACIT_MAX_RELINK_COLUMNS][TACIT_RELINK_LEVELS]; /* by level, of all compared */
} tacit__relink_evidence;

tacit_status tacit__relink_evidence_init(tacit__relink_evidence *evidence,
                                         const tacit__relink_view *view,
                                         const tacit__relink_tree *tree, tacit_error *err);
void tacit__relink_evidence_clear(tacit__relink_evidence *evidence);

/* Probabilities by EM, and what levels weigh. */
void tacit__relink_em(tacit__relink_weights *out, const tacit__relink_evidence *evidence);

/* How near two numbers are to be: the costs of a view by steps. */
void tacit__relink_steps(tacit__relink_cost *costs, const tacit__relink_scene *scene);

/* The counts of all records by linking; not *done where stretches overlap. */
tacit_status tacit__relink_map_nested(tacit_relink_maps *maps, bool *done,
                                      const tacit__relink_scene *scene, tacit_error *err);
tacit_status tacit__relink_map(tacit_relink_maps *out, const tacit__relink_view *view,
                               const tacit__relink_tree *tree, tacit_error *err);

#endif
