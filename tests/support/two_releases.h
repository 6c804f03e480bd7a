/*
 * two_releases.h - small random releases of one source, as columns of nodes of random trees.
 * Include behind cmocka.h.
 */
#ifndef TACIT_TESTS_SUPPORT_TWO_RELEASES_H
#define TACIT_TESTS_SUPPORT_TWO_RELEASES_H

#include <stdint.h>
#include <string.h>
#include <tacit/experimental/audit_previous.h>
#include <tacit/experimental/lineage.h>

enum { FEW_ROWS = 6, MAX_ROWS = 30, MAX_COLUMNS = 4, MAX_NODES = 8 };

typedef struct two_case {
    uint64_t state;
    uint32_t ends[MAX_COLUMNS][MAX_NODES];
    uint32_t parents[MAX_COLUMNS][MAX_NODES];
    uint32_t now[MAX_COLUMNS][MAX_ROWS], before[MAX_COLUMNS][MAX_ROWS];
    uint8_t narrow[MAX_COLUMNS][MAX_ROWS]; /* the first column of the release by codes */
    uint32_t of_code[MAX_NODES];
    uint64_t sets[2];
    bool equal_only[MAX_COLUMNS]; /* columns without a tree */
    tacit_joint_column columns[MAX_COLUMNS];
    tacit_two_releases two;
} two_case;

static inline uint32_t draw(two_case *c, uint32_t bound)
{
    c->state = c->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((c->state >> 33) % bound);
}

/* Each node hangs under one on the path to the node before it. */
static inline void draw_tree(two_case *c, int32_t column)
{
    uint32_t count = 1 + draw(c, MAX_NODES), *ends = c->ends[column], *up = c->parents[column];
    bool flat = draw(c, 3) == 0;
    up[0] = 0;
    for (uint32_t i = 1; i < count; i++) {
        up[i] = flat ? 0 : i - 1;
        while (up[i] && draw(c, 2))
            up[i] = up[up[i]];
    }
    for (uint32_t i = 0; i < count; i++)
        ends[i] = i + 1;
    for (uint32_t i = count; i-- > 1;)
        if (ends[i] > ends[up[i]])
            ends[up[i]] = ends[i];
    c->columns[column] = (tacit_joint_column){.ends = ends, .node_count = count};
}

static inline uint32_t generalized(two_case *c, int32_t column, uint32_t node)
{
    while (node && draw(c, 3) == 0)
        node = c->parents[column][node];
    return node;
}

/* Rows of a source, each generalized twice; some are left out, and orders differ. */
static inline void draw_rows(two_case *c, uint32_t most, bool in_order)
{
    int32_t columns = c->two.column_count;
    uint32_t source = 1 + draw(c, most);
    int64_t *now = &c->two.now_rows, *before = &c->two.before_rows;
    for (uint32_t row = 0; row < source; row++) {
        uint32_t ground[MAX_COLUMNS];
        bool in_now = draw(c, most) > 0, in_before = draw(c, most) > 0;
        for (int32_t i = 0; i < columns; i++) {
            ground[i] = draw(c, c->columns[i].node_count);
            c->now[i][*now] = generalized(c, i, ground[i]);
            c->before[i][*before] = generalized(c, i, ground[i]);
        }
        *now += in_now;
        *before += in_before;
    }
    for (int64_t row = *before; !in_order && row-- > 1;) { /* the earlier one in another order */
        int64_t other = draw(c, (uint32_t)row + 1);
        for (int32_t i = 0; i < columns; i++) {
            uint32_t node = c->before[i][row];
            c->before[i][row] = c->before[i][other];
            c->before[i][other] = node;
        }
    }
}

/* Codes of one byte in some order, to see that nodes are looked up. */
static inline void code_first_column(two_case *c)
{
    uint32_t count = c->columns[0].node_count;
    for (uint32_t i = 0; i < count; i++)
        c->of_code[i] = count - 1 - i;
    for (int64_t row = 0; row < c->two.now_rows; row++)
        c->narrow[0][row] = (uint8_t)(count - 1 - c->now[0][row]);
    c->columns[0].now = (tacit_node_column){{c->narrow[0], 1}, c->of_code};
}

static inline void draw_case_of(two_case *c, uint64_t seed, uint32_t most, bool in_order)
{
    memset(c, 0, sizeof *c);
    c->state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    c->two.columns = c->columns;
    c->two.column_count = 1 + (int32_t)draw(c, MAX_COLUMNS);
    c->two.quasi_count = 1 + (int32_t)draw(c, (uint32_t)c->two.column_count);
    c->two.k = 1 + draw(c, 4);
    c->two.by_candidates = draw(c, 2);
    for (int32_t i = 0; i < c->two.column_count; i++)
        draw_tree(c, i);
    draw_rows(c, most, in_order);
    for (int32_t i = 0; i < c->two.column_count; i++) {
        c->columns[i].now = (tacit_node_column){{c->now[i], 4}, NULL};
        c->columns[i].before = (tacit_node_column){{c->before[i], 4}, NULL};
        if (draw(c, 8) == 0) { /* not in the earlier release */
            c->columns[i].before = (tacit_node_column){0};
            memset(c->before[i], 0, sizeof c->before[i]);
        }
        c->equal_only[i] = i >= c->two.quasi_count && draw(c, 3) == 0;
        if (c->equal_only[i])
            c->columns[i].ends = NULL;
    }
    code_first_column(c);
    uint64_t all = (UINT64_C(1) << c->two.quasi_count) - 1;
    if (draw(c, 4) == 0) {
        c->two.sets = c->sets;
        c->two.set_count = 2;
        c->sets[0] = 1 + draw(c, (uint32_t)all);
        c->sets[1] = 1 + draw(c, (uint32_t)all);
    }
}

static inline void draw_case(two_case *c, uint64_t seed)
{
    draw_case_of(c, seed, FEW_ROWS, false);
}

static inline bool agree(const two_case *c, int64_t now, int64_t before)
{
    for (int32_t i = 0; i < c->two.column_count; i++) {
        uint32_t a = c->now[i][now], b = c->before[i][before];
        bool there = c->columns[i].before.codes.width > 0;
        if (c->equal_only[i] ? there && a != b : !tacit_lineage_agree(c->ends[i], a, b))
            return false;
    }
    return true;
}

static inline bool same_rows(uint32_t (*a)[MAX_ROWS], int64_t i, uint32_t (*b)[MAX_ROWS], int64_t j,
                             int32_t columns)
{
    for (int32_t c = 0; c < columns; c++)
        if (a[c][i] != b[c][j])
            return false;
    return true;
}

static inline uint32_t finer(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

#endif
