/*
 * ksimilar.h - the inside of k-similar: the clique of distance vectors, the
 * minimals, and the clusters made from them. Chapter 8 of Sweeney,
 * Computational Disclosure Control; see ksimilar.c.
 *
 * Tuples are the rows of the table, numbered as they stand from 0.
 */
#ifndef TACIT_RECORDS_KSIMILAR_KSIMILAR_H
#define TACIT_RECORDS_KSIMILAR_KSIMILAR_H

#include <tacit/experimental/records.h>

/* Beyond these the method refuses: rows, minimals of one table, and steps in all,
 * a step being a tuple added to a set that is looked at. */
enum {
    TACIT__KSIMILAR_TUPLES = 1024,
    TACIT__KSIMILAR_MINIMALS = 1 << 18,
    TACIT__KSIMILAR_STEPS = 1 << 28
};

/* Distance vectors of every two classes; tuples of a class are at the least
 * distance there is. */
typedef struct tacit__clique {
    int64_t k;
    int32_t attributes;
    int32_t tuples;
    int64_t classes;
    uint32_t *class_of;                    /* a tuple each */
    uint8_t *vectors;                      /* classes x classes x attributes */
    uint8_t least[TACIT_MAX_ATTRIBUTES];   /* no vector is below it */
    int64_t weights[TACIT_MAX_ATTRIBUTES]; /* of a level; see tacit__clique_distance */
    int64_t unit;                          /* the distance 1 */
    int64_t steps;                         /* that are left */
    const tacit_run *run;
} tacit__clique;

/* CliqueConstruct (Figure 90), from classes on the ground. */
tacit_status tacit__clique_init(tacit__clique *clique, const tacit_frame *frame,
                                const tacit_classes *classes, const tacit_records_options *options,
                                const tacit_run *run, tacit_error *err);
void tacit__clique_clear(tacit__clique *clique);

/* The vector between two tuples (Figure 91). */
static inline const uint8_t *tacit__clique_vector(const tacit__clique *clique, uint32_t a,
                                                  uint32_t b)
{
    int64_t pair = clique->class_of[a] * clique->classes + clique->class_of[b];
    return clique->vectors + pair * clique->attributes;
}

/* dist() of 8.2.1: the sum of levels over heights, in units, so that equal sums
 * are equal numbers. */
int64_t tacit__clique_distance(const tacit__clique *clique, const uint8_t *vector);

/* The maximal distance vector of tuples: the levels on which they are one. */
void tacit__clique_span(uint8_t *vector, const tacit__clique *clique, const uint32_t *tuples,
                        int64_t count);

/* Takes steps; TACIT_LIMIT when there are none left. */
tacit_status tacit__clique_step(tacit__clique *clique, int64_t steps, tacit_error *err);

/* Sets of k tuples, each ascending. Zero-initialized but for k is empty. */
typedef struct tacit__minimals {
    int64_t k;
    int64_t count;
    size_t capacity;   /* members that there is room for */
    uint32_t *members; /* set by set */
} tacit__minimals;

/* GenerateMinimums (Figure 98): for each of the tuples, which ascend, every set of
 * k of them that holds it and is closest; in the order of the tuples, each once. */
tacit_status tacit__minimals_init(tacit__minimals *minimals, tacit__clique *clique,
                                  const uint32_t *tuples, int32_t count, tacit_error *err);
void tacit__minimals_clear(tacit__minimals *minimals);

/* FindComplements (Figure 99): the sets, by their index, without which every other
 * tuple still has a minimal, and that share no tuple with one before. Their number
 * and, into `chosen` with room for all sets, which they are. */
tacit_status tacit__complements(int64_t *found, int64_t *chosen, const tacit__minimals *minimals,
                                tacit__clique *clique, tacit_error *err);

/* kSimilarRun (Figure 92) on the whole table: a cluster for each tuple, and the
 * number of clusters. */
tacit_status tacit__ksimilar_clusters(int32_t *clusters, int32_t *cluster_of, tacit__clique *clique,
                                      tacit_error *err);

#endif
