/*
 * cart.c - growing a tree (Breiman, Friedman, Olshen and Stone 1984): from all rows down, each node
 * is split by the column and the bins that leave the least squared differences from the mean, or
 * for classes the least Gini impurity, with at least so many rows on either side.
 *
 * Bins without an order are put into that of the target's mean, or of the share of the node's most
 * frequent class, and are then cut like ordered ones: the best of all ways to part them where the
 * target is a number or one of two classes (Fisher 1958; Breiman et al., theorem 4.5).
 *
 * A node's rows are sorted by bin by counting, and moved from the right side to the left one by
 * one. So a level of the tree costs rows times columns, and there are at most MAX_DEPTH levels.
 * Growing needs 4 bytes a row beside the tree's own.
 */
#include "techniques/synthetic/cart.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

enum { MAX_DEPTH = 48 };

/* A split of less than this part of what is there to gain is one of rounding. */
static const double LEAST_GAIN = 1e-9;

typedef struct growing {
    const tacit__cart_case *c;
    tacit__cart *tree;
    uint32_t *spare; /* a row each */
    uint32_t starts[TACIT__CART_BINS + 1];
    uint32_t totals[TACIT__CART_BINS]; /* of the node's rows in each class */
    uint32_t lefts[TACIT__CART_BINS];
    double total; /* of the node's scores */
} growing;

/* The best split of a node so far: the larger the worth, the more alike the sides. */
typedef struct split {
    double worth;
    uint64_t left;
    int32_t column;
} split;

/* ---- what a node is like ---- */

/* Takes the node's totals; what it is worth unsplit. */
static double take_node(growing *g, const uint32_t *rows, uint32_t count)
{
    const tacit__cart_column *target = &g->c->target;
    double squares = 0;
    g->total = 0;
    memset(g->totals, 0, sizeof g->totals);
    for (uint32_t i = 0; i < count; i++) {
        if (target->ordered)
            g->total += target->scores[rows[i]];
        else
            g->totals[target->bins[rows[i]]]++;
    }
    for (int b = 0; b < TACIT__CART_BINS; b++)
        squares += (double)g->totals[b] * g->totals[b];
    return target->ordered ? g->total * g->total / count : squares / count;
}

/* Whether its rows are alike already. */
static bool is_pure(const growing *g, const uint32_t *rows, uint32_t count)
{
    const tacit__cart_column *target = &g->c->target;
    for (uint32_t i = 1; i < count; i++)
        if (target->ordered ? target->scores[rows[i]] != target->scores[rows[0]]
                            : target->bins[rows[i]] != target->bins[rows[0]])
            return false;
    return true;
}

/* ---- bins in an order ---- */

static void sort_bins(uint8_t *order, int count, const double *keys)
{
    for (int i = 1; i < count; i++) {
        uint8_t bin = order[i];
        int at = i;
        for (; at > 0 && keys[order[at - 1]] > keys[bin]; at--)
            order[at] = order[at - 1];
        order[at] = bin;
    }
}

static int most_frequent(const growing *g)
{
    int best = 0;
    for (int b = 1; b < TACIT__CART_BINS; b++)
        best = g->totals[b] > g->totals[best] ? b : best;
    return best;
}

/* The bins that the node has, in the order in which they are cut. */
static int order_bins(uint8_t *order, const growing *g, const tacit__cart_column *column,
                      const uint32_t *rows, uint32_t count)
{
    const tacit__cart_column *target = &g->c->target;
    uint32_t sizes[TACIT__CART_BINS] = {0};
    double keys[TACIT__CART_BINS] = {0};
    int class = target->ordered ? 0 : most_frequent(g), present = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t bin = column->bins[rows[i]];
        sizes[bin]++;
        keys[bin] += target->ordered ? target->scores[rows[i]] : target->bins[rows[i]] == class;
    }
    for (int b = 0; b < TACIT__CART_BINS; b++)
        if (sizes[b]) {
            keys[b] /= sizes[b];
            order[present++] = (uint8_t)b;
        }
    if (!column->ordered)
        sort_bins(order, present, keys);
    return present;
}

/* The node's rows by bin in that order, into spare; starts has where each bin's are. */
static void sort_rows(growing *g, const uint8_t *order, int present,
                      const tacit__cart_column *column, const uint32_t *rows, uint32_t count)
{
    uint32_t next[TACIT__CART_BINS] = {0};
    for (uint32_t i = 0; i < count; i++)
        next[column->bins[rows[i]]]++;
    uint32_t at = 0;
    for (int i = 0; i < present; i++) {
        uint32_t size = next[order[i]];
        g->starts[i] = next[order[i]] = at;
        at += size;
    }
    g->starts[present] = at;
    for (uint32_t i = 0; i < count; i++)
        g->spare[next[column->bins[rows[i]]]++] = rows[i];
}

/* ---- splits ---- */

/* Sums over the two sides as rows move from the right to the left. */
typedef struct sides {
    double left, right; /* sums of scores, or of squared counts of classes */
} sides;

static void move(growing *g, sides *s, uint32_t row)
{
    const tacit__cart_column *target = &g->c->target;
    if (target->ordered) {
        s->left += target->scores[row];
        return;
    }
    uint8_t class = target->bins[row];
    uint32_t right = g->totals[class] - g->lefts[class];
    s->left += 2.0 * g->lefts[class] + 1;
    s->right -= 2.0 * right - 1;
    g->lefts[class]++;
}

static double worth_of(const growing *g, const sides *s, uint32_t left, uint32_t right)
{
    double rest = g->total - s->left;
    return g->c->target.ordered ? s->left * s->left / left + rest * rest / right
                                : s->left / left + s->right / right;
}

static void try_column(growing *g, split *best, int32_t index, const uint32_t *rows, uint32_t count)
{
    const tacit__cart_column *column = &g->c->columns[index];
    uint8_t order[TACIT__CART_BINS];
    int present = order_bins(order, g, column, rows, count);
    if (present < 2)
        return;
    sort_rows(g, order, present, column, rows, count);
    memset(g->lefts, 0, sizeof g->lefts);
    sides s = {0};
    for (int b = 0; b < TACIT__CART_BINS; b++)
        s.right += (double)g->totals[b] * g->totals[b];
    uint64_t left = 0;
    for (int i = 0; i + 1 < present; i++) {
        uint32_t end = g->starts[i + 1];
        for (uint32_t at = g->starts[i]; at < end; at++)
            move(g, &s, g->spare[at]);
        left |= UINT64_C(1) << order[i];
        if (end < g->c->least || count - end < g->c->least)
            continue;
        double worth = worth_of(g, &s, end, count - end);
        if (worth > best->worth)
            *best = (split){worth, left, index};
    }
}

/* Bins that the node does not have go with those of the larger side. */
static uint64_t with_absent(const growing *g, const split *best, const uint32_t *rows,
                            uint32_t count)
{
    const uint8_t *bins = g->c->columns[best->column].bins;
    uint64_t present = 0;
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        present |= UINT64_C(1) << bins[rows[i]];
        left += (uint32_t)(best->left >> bins[rows[i]] & 1);
    }
    return left * 2 > count ? best->left | ~present : best->left;
}

/* Keeps the order of rows on each side; how many are on the left. */
static uint32_t part(growing *g, const tacit__cart_node *node)
{
    const uint8_t *bins = g->c->columns[node->column].bins;
    uint32_t *rows = g->tree->rows + node->from, left = 0, right = 0;
    for (uint32_t i = 0; i < node->count; i++) {
        if (node->left >> bins[rows[i]] & 1)
            rows[left++] = rows[i];
        else
            g->spare[right++] = rows[i];
    }
    memcpy(rows + left, g->spare, right * sizeof *rows);
    return left;
}

/* ---- growing ---- */

/* The best split of a node, or none. */
static bool find_split(growing *g, split *best, const tacit__cart_node *node)
{
    const uint32_t *rows = g->tree->rows + node->from;
    if (node->count / 2 < g->c->least || is_pure(g, rows, node->count))
        return false;
    double unsplit = take_node(g, rows, node->count);
    *best = (split){unsplit + LEAST_GAIN * node->count, 0, -1};
    for (int32_t i = 0; i < g->c->column_count; i++)
        try_column(g, best, i, rows, node->count);
    if (best->column >= 0)
        best->left = with_absent(g, best, rows, node->count);
    return best->column >= 0;
}

static bool add_node(tacit__cart *tree, uint32_t from, uint32_t count)
{
    return TACIT__PUSH(tree->nodes, tree->capacity, tree->node_count,
                       (tacit__cart_node){.column = -1, .from = from, .count = count});
}

/* Nodes wait in the order of a stack, so that depth is bounded by its size. */
typedef struct waiting {
    uint32_t node;
    int depth;
} waiting;

static bool grow(growing *g)
{
    waiting stack[MAX_DEPTH + 2];
    int height = 0;
    stack[height++] = (waiting){0, 0};
    while (height > 0) {
        waiting at = stack[--height];
        tacit__cart_node *node = &g->tree->nodes[at.node];
        split best;
        if (at.depth == MAX_DEPTH || !find_split(g, &best, node)) {
            g->tree->leaves++;
            continue;
        }
        node->column = best.column;
        node->left = best.left;
        node->child = (uint32_t)g->tree->node_count;
        uint32_t from = node->from, count = node->count, left = part(g, node);
        stack[height++] = (waiting){node->child, at.depth + 1};
        stack[height++] = (waiting){node->child + 1, at.depth + 1};
        if (!add_node(g->tree, from, left) || !add_node(g->tree, from + left, count - left))
            return false;
    }
    return true;
}

tacit_status tacit__cart_grow(tacit__cart *tree, const tacit__cart_case *from, tacit_error *err)
{
    growing g = {.c = from, .tree = tree};
    *tree = (tacit__cart){0};
    tree->rows = tacit__alloc_array(from->count, sizeof *tree->rows);
    g.spare = tacit__alloc_array(from->count, sizeof *g.spare);
    bool whole = tree->rows && g.spare && add_node(tree, 0, from->count);
    if (whole && from->count > 0) {
        memcpy(tree->rows, from->rows, from->count * sizeof *tree->rows);
        whole = grow(&g);
    }
    tacit__free(g.spare);
    if (whole)
        return TACIT_OK;
    tacit__cart_clear(tree);
    return tacit__nomem(err);
}

void tacit__cart_clear(tacit__cart *tree)
{
    tacit__free(tree->rows);
    tacit__free(tree->nodes);
    *tree = (tacit__cart){0};
}

const tacit__cart_node *tacit__cart_leaf(const tacit__cart *tree, const uint8_t *bins)
{
    const tacit__cart_node *node = tree->nodes;
    while (node->column >= 0)
        node = &tree->nodes[node->child + !(node->left >> bins[node->column] & 1)];
    return node;
}
