/*
 * knowing_boxes.c - what follows for classes from knowing that their boxes are tight, or the
 * best there are.
 *
 * Tight: of the n rows of a class, in no column do all lie under one child of the value that is
 * released. So no child has more than n - 1 of them. Best: where n is 2k or more, k rows that
 * share a child could leave the class for a finer box, and the others would still be k; so no child
 * has more than k - 1. Both are limits on how many rows have a child, column by column, and columns
 * do not touch each other: of all ways to fill a column of a class, the share that is left
 * is the probability that n draws, each child as likely as it has ground values, give
 * none more than the limit. For n - 1 that is 1 - sum of p^n; otherwise children are
 * drawn one after the other, each from what the others left, and the probability of every
 * number of rows that are still to come is carried along.
 *
 * No single row is narrowed by this: any of them may be the one that differs. How many rows have
 * which child may become certain, as where two rows have two children: then it is one each.
 *
 * What better boxes say of single rows is in knowing_rows.c.
 *
 * Cost: children of the released values, of every class and column; where limits are below
 * n - 1, times n and k, up to MOST_DRAWS; beyond, the limit of n - 1 is used, which is weaker.
 */
#include <math.h>

#include "audit/method/knowing.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

enum { ASK_EVERY = 64 /* classes */ };
static const double MOST_DRAWS = 1e6;

tacit_status tacit__known_tree_init(tacit__known_tree *tree, uint32_t count, tacit_error *err)
{
    tacit__known_tree made = {.count = count};
    made.ends = tacit__alloc_array(count, sizeof *made.ends);
    made.before = tacit__alloc_array((size_t)count + 1, sizeof *made.before);
    made.costs = tacit__alloc_array(count, sizeof *made.costs);
    if (!made.ends || !made.before || !made.costs) {
        tacit__known_tree_clear(&made);
        return tacit__nomem(err);
    }
    for (uint32_t node = 0; node < count; node++)
        made.costs[node] = NAN;
    *tree = made;
    return TACIT_OK;
}

void tacit__known_tree_close(tacit__known_tree *tree)
{
    tree->before[0] = 0;
    for (uint32_t node = 0; node < tree->count; node++)
        tree->before[node + 1] = tree->before[node] + (tree->ends[node] == node + 1);
}

void tacit__known_tree_clear(tacit__known_tree *tree)
{
    tacit__free(tree->ends);
    tacit__free(tree->before);
    tacit__free(tree->costs);
    *tree = (tacit__known_tree){0};
}

static int64_t children_of(const tacit__known_tree *tree, uint32_t node)
{
    int64_t count = 0;
    for (uint32_t child = node + 1; child < tree->ends[node]; child = tree->ends[child])
        count++;
    return count;
}

/* ---- one column of a class ---- */

/* The share of the ways to fill a column in which not all rows share a child. */
static double not_all(const tacit__known_tree *tree, uint32_t node, int64_t rows)
{
    double all = tacit__known_leaves(tree, node), sum = 0;
    for (uint32_t child = node + 1; child < tree->ends[node]; child = tree->ends[child])
        sum += pow(tacit__known_leaves(tree, child) / all, (double)rows);
    return 1 - sum;
}

/* Draws a child: of `left` rows, how many have it where each does with probability p. What is
 * beyond the limit is dropped. */
static void draw_child(double *after, const double *before, int64_t rows, int64_t most, double p)
{
    for (int64_t left = 0; left <= rows; left++)
        after[left] = 0;
    for (int64_t left = 0; left <= rows; left++) {
        for (int64_t m = 0; m <= most && m <= left && before[left] > 0; m++) {
            double ways =
                lgamma((double)left + 1) - lgamma((double)m + 1) - lgamma((double)(left - m) + 1);
            double odds = ways + (m ? (double)m * log(p) : 0);
            if (left > m)
                odds += (double)(left - m) * log1p(-p);
            after[left - m] += before[left] * exp(odds);
        }
    }
}

/* The share of the ways in which no child has more than `most` rows. */
static tacit_status none_above(double *share, const tacit__known_tree *tree, uint32_t node,
                               int64_t rows, int64_t most, tacit_error *err)
{
    double *before = tacit__alloc_zeroed((size_t)rows + 1, sizeof *before);
    double *after = tacit__alloc_zeroed((size_t)rows + 1, sizeof *after);
    tacit_status status = before && after ? TACIT_OK : tacit__nomem(err);
    double rest = tacit__known_leaves(tree, node);
    if (status == TACIT_OK)
        before[rows] = 1;
    for (uint32_t child = node + 1; status == TACIT_OK && child < tree->ends[node];
         child = tree->ends[child]) {
        double leaves = tacit__known_leaves(tree, child), *swap = before;
        draw_child(after, before, rows, most, leaves / rest);
        before = after;
        after = swap;
        rest -= leaves;
    }
    if (status == TACIT_OK)
        *share = before[0];
    tacit__free(before);
    tacit__free(after);
    return status;
}

/* What a column of a class gives away by itself. */
static tacit_status weigh_column(tacit__known_gain *gain, uint8_t *found,
                                 const tacit__known_boxes *b, int64_t class_index, int32_t column,
                                 tacit_error *err)
{
    const tacit__known_tree *tree = &b->trees[column];
    uint32_t node = b->nodes[class_index * b->columns + column];
    int64_t rows = b->sizes[class_index], children = children_of(tree, node);
    int64_t most = b->best && rows >= 2 * b->k ? b->k - 1 : rows - 1;
    double share = 1;
    tacit_status status = TACIT_OK;
    gain->spread[column] = 0;
    if (children < 2) /* ground, or a value whose only finer one says the same: nothing is known */
        return TACIT_OK;
    if (most == 0 || children < (rows + most - 1) / most) {
        gain->impossible = true;
        return TACIT_OK;
    }
    if (most < rows - 1 && (double)children * (double)rows * (double)most > MOST_DRAWS) {
        gain->exact = false;
        most = rows - 1;
    }
    if (most == rows - 1)
        share = not_all(tree, node, rows);
    else
        status = none_above(&share, tree, node, rows, most, err);
    if (children * most == rows)
        *found |= TACIT__KNOWN_SETTLED;
    gain->spread[column] = share > 0 ? -log2(share) : 0;
    return status;
}

/* ---- classes ---- */

static tacit_status weigh_class(tacit__known_gain *gain, uint8_t *found, tacit__known_rows *rows,
                                const tacit__known_boxes *b, int64_t class_index, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    *gain = (tacit__known_gain){.exact = true};
    for (int32_t a = 0; a < b->columns && status == TACIT_OK && b->told; a++) {
        status = weigh_column(gain, &found[a], b, class_index, a, err);
        gain->bits += gain->spread[a];
    }
    if (status == TACIT_OK && b->best && b->sizes[class_index] > b->k && !gain->impossible)
        status = tacit__known_rows_weigh(gain, found, rows, class_index, err);
    return status;
}

/* Adds a class to the sums. */
static void add_class(tacit_known *known, const tacit__known_gain *gain, uint8_t *found,
                      const tacit__known_boxes *b, int64_t class_index)
{
    int64_t rows = b->sizes[class_index];
    known->impossible += gain->impossible;
    known->exact &= gain->exact;
    for (int32_t a = 0; a < b->columns; a++) {
        uint32_t leaves = tacit__known_leaves(&b->trees[a], b->nodes[class_index * b->columns + a]);
        known->hidden += leaves > 1 ? rows : 0;
        known->bits_hidden += leaves > 1 ? (double)rows * log2(leaves) : 0;
        if (gain->impossible)
            found[a] = 0;
        known->narrowed += found[a] & TACIT__KNOWN_NARROWED ? rows : 0;
        known->certain += found[a] & TACIT__KNOWN_CERTAIN ? rows : 0;
        known->settled += found[a] & TACIT__KNOWN_SETTLED ? 1 : 0;
    }
    if (gain->impossible)
        return;
    known->bits_gained += gain->bits;
    known->bits_worst = fmax(known->bits_worst, gain->bits / (double)rows);
}

tacit_status tacit__known_sum(tacit_known *known, uint8_t *found, const tacit__known_boxes *boxes,
                              tacit_error *err)
{
    tacit__known_rows rows = {0};
    tacit_status status = TACIT_OK;
    known->exact = true;
    if (boxes->best)
        status = tacit__known_rows_init(&rows, boxes, err);
    for (int64_t i = 0; i < boxes->classes && status == TACIT_OK; i++) {
        tacit__known_gain gain;
        uint8_t *here = found + i * boxes->columns;
        if (i % ASK_EVERY == 0)
            status = tacit__progress(boxes->run, "judging", i, boxes->classes, err);
        if (status == TACIT_OK)
            status = weigh_class(&gain, here, &rows, boxes, i, err);
        if (status == TACIT_OK)
            add_class(known, &gain, here, boxes, i);
    }
    tacit__known_rows_clear(&rows);
    return status;
}
