/*
 * previous.h - what the files of the attack with an earlier release share: the kinds of rows of
 * both releases, the pairs of kinds that can be the same records, the worlds in which as many as
 * possible are, and how many candidates a box has.
 */
#ifndef TACIT_AUDIT_PREVIOUS_PREVIOUS_H
#define TACIT_AUDIT_PREVIOUS_PREVIOUS_H

#include <tacit/experimental/audit_previous.h>

/* Nodes in as few bytes as their tree needs. Zero-initialized is empty. */
typedef struct tacit__previous_nodes {
    void *data;
    int width;
} tacit__previous_nodes;

/* Room for nodes below `most`; false: out of memory. */
bool tacit__nodes_init(tacit__previous_nodes *nodes, size_t count, uint32_t most);

static inline uint32_t tacit__node_at(tacit__previous_nodes nodes, size_t at)
{
    return tacit_codes_at((tacit_codes_view){nodes.data, nodes.width}, (int64_t)at);
}

static inline void tacit__node_put(tacit__previous_nodes nodes, size_t at, uint32_t node)
{
    if (nodes.width == 1)
        ((uint8_t *)nodes.data)[at] = (uint8_t)node;
    else if (nodes.width == 2)
        ((uint16_t *)nodes.data)[at] = (uint16_t)node;
    else
        ((uint32_t *)nodes.data)[at] = node;
}

/* A column of the kinds. In a flat one two values can be the same only if they are equal. */
typedef struct tacit__kind_column {
    int32_t source; /* column of the releases; -1: several flat ones as one */
    bool flat;
    const uint32_t *ends;        /* borrowed; NULL: a flat one without a tree, or several as one */
    uint32_t *parents;           /* the same */
    tacit__previous_nodes nodes; /* a kind each */
    uint32_t most;               /* nodes are below it */
} tacit__kind_column;

/* Rows of both releases with the same values, sorted by the nodes of the columns, the first
 * column's first. Zero-initialized is empty. */
typedef struct tacit__row_kinds {
    uint32_t count;
    int32_t column_count;
    tacit__kind_column *columns;
    uint32_t *now, *before; /* rows of each release, a kind each */
    uint32_t *olds;         /* kinds before each one that have rows of the earlier release */
    uint32_t *kind_of;      /* rows of the release, then of the earlier one */
} tacit__row_kinds;

/* The node above each in a tree, the first one's itself. */
void tacit__fill_parents(uint32_t *parents, const uint32_t *ends, uint32_t count);

/* Two releases whose rows agree where those of others do, in no finer values than tell so (lift.c).
 * Zero-initialized is empty; cleared in any case, with those others. */
typedef struct tacit__lifted {
    tacit_two_releases two;
    tacit_joint_column *columns;
} tacit__lifted;

tacit_status tacit__lift(tacit__lifted *out, const tacit_two_releases *two, const tacit_run *run,
                         tacit_error *err);
void tacit__lifted_clear(tacit__lifted *lifted, const tacit_two_releases *two);

tacit_status tacit__row_kinds_init(tacit__row_kinds *kinds, const tacit_two_releases *two,
                                   const tacit_run *run, tacit_error *err);
void tacit__row_kinds_clear(tacit__row_kinds *kinds);

/* Whether rows of both kinds can be the same records, by the columns from one on. */
bool tacit__row_kinds_agree(const tacit__row_kinds *kinds, uint32_t a, uint32_t b, int32_t from);

/* Kinds that a walk looks for: those with rows, and how many of them come before each kind, and
 * before the end. */
typedef struct tacit__sought_kinds {
    const uint32_t *rows, *before;
} tacit__sought_kinds;

static inline tacit__sought_kinds tacit__sought_olds(const tacit__row_kinds *kinds)
{
    return (tacit__sought_kinds){kinds->before, kinds->olds};
}

/* Where a walk over partners stands. Zero-initialized is new; used for the kinds of one table, and
 * what is sought does not change. Kinds are sorted, so those that follow each other mostly have the
 * same value of the first column, and where it leads is kept: those are the longest searches. */
typedef struct tacit__partner_walk {
    struct tacit__kind_stretch *stretches;
    size_t count, room;
    struct tacit__kind_stretch *roots;
    size_t root_count, root_room;
    uint32_t root;  /* the value that they are of */
    bool has_roots; /* there was one */
} tacit__partner_walk;

void tacit__partner_walk_clear(tacit__partner_walk *walk);

/* Calls `found` with each kind that is sought and whose rows can be the same records as those of a
 * kind, in no order that matters, until it says no. False: out of memory. */
bool tacit__each_partner(tacit__partner_walk *walk, const tacit__row_kinds *kinds,
                         tacit__sought_kinds sought, uint32_t kind,
                         bool (*found)(void *context, uint32_t partner), void *context);

/* For each kind with rows of the release, the kinds it can be the same as. */
typedef struct tacit__row_pairs {
    int64_t count;
    uint32_t *starts;  /* a kind each, and one more: numbers of its pairs */
    uint32_t **blocks; /* partners, by blocks of kinds */
    int64_t block_count;
} tacit__row_pairs;

enum { TACIT__PAIR_BLOCK = 1 << 11 };

/* *too_many: there are more than `most`, and none are kept. */
tacit_status tacit__row_pairs_init(tacit__row_pairs *pairs, bool *too_many,
                                   const tacit__row_kinds *kinds, int64_t most,
                                   const tacit_run *run, tacit_error *err);
void tacit__row_pairs_clear(tacit__row_pairs *pairs);

static inline const uint32_t *tacit__partners(const tacit__row_pairs *pairs, uint32_t kind)
{
    uint32_t first = kind & ~(uint32_t)(TACIT__PAIR_BLOCK - 1);
    return pairs->blocks[kind / TACIT__PAIR_BLOCK] + (pairs->starts[kind] - pairs->starts[first]);
}

static inline uint32_t tacit__partner_count(const tacit__row_pairs *pairs, uint32_t kind)
{
    return pairs->starts[kind + 1] - pairs->starts[kind];
}

/* Which pairs lie in some largest matching, and which kinds may have rows in none. */
typedef struct tacit__row_worlds {
    uint64_t *possible; /* bit a pair */
    uint64_t *fresh;    /* bit a kind */
    int64_t same_rows;
} tacit__row_worlds;

tacit_status tacit__row_worlds_init(tacit__row_worlds *worlds, const tacit__row_kinds *kinds,
                                    const tacit__row_pairs *pairs, const tacit_run *run,
                                    tacit_error *err);
void tacit__row_worlds_clear(tacit__row_worlds *worlds);

/* Boxes of kinds: with worlds, those of possible pairs and their own where fresh; otherwise
 * one each, its nodes. */
typedef struct tacit__row_boxes {
    uint32_t count;       /* kinds */
    const uint32_t *rows; /* of the release, a kind each */
    const tacit__kind_column *columns;
    const tacit__row_pairs *pairs; /* NULL: one box a kind */
    const tacit__row_worlds *worlds;
} tacit__row_boxes;

/* How few rows stand behind the boxes of each kind: rows that have the same box, and its
 * candidates. A kind each, counted up to k, the fewest of any of its boxes. */
typedef struct tacit__row_counts {
    uint32_t *sharing;
    uint32_t *candidates;
    bool *sure;         /* all its boxes have fewer than k */
    bool by_candidates; /* candidates, not rows that share the box, are what has to be k */
} tacit__row_counts;

tacit_status tacit__row_counts_init(tacit__row_counts *counts, uint32_t kinds,
                                    const tacit_two_releases *two, tacit_error *err);
void tacit__row_counts_clear(tacit__row_counts *counts);

/* Lowers the counts to those of the boxes on some columns. */
tacit_status tacit__count_boxes(tacit__row_counts *counts, const tacit__row_boxes *boxes,
                                const int32_t *columns, int32_t column_count, uint32_t k,
                                const tacit_run *run, tacit_error *err);

/* The same for every quasi-identifier: the columns of the boxes are the kinds'. */
tacit_status tacit__count_all_sets(tacit__row_counts *counts, const tacit__row_boxes *boxes,
                                   const tacit__row_kinds *kinds, const tacit_two_releases *two,
                                   const tacit_run *run, tacit_error *err);

/* Checks what both attacks are given. */
tacit_status tacit__two_releases_check(const tacit_two_releases *two, tacit_error *err);

#endif
