/*
 * knowing_rows.c - what knowing that a release is the best there is says of single rows.
 *
 * A row of a class of more than k rows could be released with another class instead, if it lies in
 * that one's box, and its own would still be k. Where the other box costs less, so would the
 * release. So no row of the class lies in a cheaper box: of the ground values in its own box B,
 * those in the union of its intersections with cheaper boxes are ruled out, for each of its n rows.
 * This is the attack of Chhillar and others on records that a greedy method grouped late, which did
 * not fit any group before; here it needs no order, but a proof that the release is the best.
 *
 * The union is counted on a grid. Ground values of a column that lie in the same of the
 * intersections, and under the same child of B's value, are one; columns that no intersection cuts
 * are left out. Let w be the share of the points of B, by ground values, that are left. Rows are
 * free of each other but for tightness, which is put in by inclusion and exclusion: with W(t) the
 * share that is left where t names a child for some of the columns and nothing for the others, the
 * share of fillings that are left is the sum over t of (-1)^(children named) W(t)^n. Classes of 2k
 * rows or more, and grids that are too large, get a bound instead: w^n, or the limits column by
 * column, whichever says more; where even the points are too many, w is what the largest
 * intersection leaves.
 *
 * A ground value is ruled out for the cells of a column where no point with it is left. (That
 * tightness together with these might rule out more is not looked at.)
 *
 * Cost: all pairs of classes, of which there are at most 8192, times columns; a grid has at most
 * MOST_POINTS points, and each is looked up in, and added to, at most MOST_STEPS / points
 * intersections and sums.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/method/knowing.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "base/vector.h"

/* What is gained on a class. */
typedef struct known_gain {
    double *spread; /* a column each: by its values alone */
    double bits;    /* of the class; at least, where not exact */
    bool exact;
    bool impossible;
} known_gain;

/* What a class's rows cannot be because they would have been in a cheaper box
 * (knowing_rows.c). Zero-initialized is empty; used again and again. */
typedef struct known_rows {
    const tacit__known_boxes *boxes;
    double *costs;     /* of a row, a class each */
    uint32_t *regions; /* region by region, a node for each column */
    int64_t count;
    size_t region_capacity;
    uint32_t *owner; /* a ground value of a column each, see knowing_rows.c */
    uint32_t *cuts;
    double *weights;
    double *terms;
    size_t owner_capacity, cut_capacity, weight_capacity, term_capacity;
} known_rows;

/* Ground values under a node. */
static inline uint32_t known_leaves(const tacit__known_tree *tree, uint32_t node)
{
    return tree->before[tree->ends[node]] - tree->before[node];
}

static inline bool known_holds(const tacit__known_tree *tree, uint32_t a, uint32_t b)
{
    return a <= b && b < tree->ends[a];
}

enum { MAX_POINTS = 1 << 14, MAX_TERMS = 1 << 16, MAX_STEPS = 1 << 22, MAX_NAMED = 22 };

/* Costs that differ by less may be the same. */
static const double SAME_COST = 1e-6;

static tacit_status rows_init(known_rows *rows, const tacit__known_boxes *boxes, tacit_error *err)
{
    rows->boxes = boxes;
    rows->costs = tacit__alloc_array((size_t)boxes->classes, sizeof *rows->costs);
    if (!rows->costs)
        return tacit__nomem(err);
    for (int64_t i = 0; i < boxes->classes; i++) {
        rows->costs[i] = 0;
        for (int32_t a = 0; a < boxes->columns; a++)
            rows->costs[i] += boxes->trees[a].costs[boxes->nodes[i * boxes->columns + a]];
    }
    return TACIT_OK;
}

static void rows_clear(known_rows *rows)
{
    tacit__free(rows->costs);
    tacit__free(rows->regions);
    tacit__free(rows->owner);
    tacit__free(rows->cuts);
    tacit__free(rows->weights);
    tacit__free(rows->terms);
    *rows = (known_rows){0};
}

/* ---- intersections ---- */

/* The intersection of two boxes; false where they have none. */
static bool intersect(uint32_t *region, const tacit__known_boxes *b, int64_t one, int64_t other)
{
    for (int32_t a = 0; a < b->columns; a++) {
        uint32_t x = b->nodes[one * b->columns + a], y = b->nodes[other * b->columns + a];
        uint32_t coarse = x < y ? x : y, fine = x < y ? y : x;
        if (!known_holds(&b->trees[a], coarse, fine))
            return false;
        region[a] = fine;
    }
    return true;
}

static tacit_status list_regions(known_rows *r, int64_t class_index, tacit_error *err)
{
    const tacit__known_boxes *b = r->boxes;
    size_t columns = (size_t)b->columns;
    r->count = 0;
    for (int64_t i = 0; i < b->classes; i++) {
        if (!(r->costs[i] < r->costs[class_index] - SAME_COST))
            continue;
        if (!TACIT__RESERVE(r->regions, r->region_capacity, ((size_t)r->count + 1) * columns))
            return tacit__nomem(err);
        r->count += intersect(r->regions + (size_t)r->count * columns, b, class_index, i);
    }
    return TACIT_OK;
}

/* The share of a box that its largest intersection takes. */
static double largest_region(const known_rows *r, int64_t class_index)
{
    const tacit__known_boxes *b = r->boxes;
    double largest = 0;
    for (int64_t i = 0; i < r->count; i++) {
        double share = 1;
        for (int32_t a = 0; a < b->columns; a++)
            share *= (double)known_leaves(&b->trees[a], r->regions[i * b->columns + a]) /
                     known_leaves(&b->trees[a], b->nodes[class_index * b->columns + a]);
        largest = fmax(largest, share);
    }
    return largest;
}

/* ---- the grid ---- */

/* A column of the grid: its atoms, ground values that are all alike. */
typedef struct side {
    int32_t column;
    int64_t atoms;
    size_t from;      /* of its atoms */
    int64_t children; /* of the released value; 0: fewer than two */
    double all;       /* ground values */
} side;

typedef struct atom {
    uint32_t node;   /* a ground value of it */
    uint32_t values; /* how many it has */
    uint32_t child;  /* of the released value, counting from 1 */
} atom;

typedef struct grid {
    known_rows *r;
    int64_t class_index;
    side *sides;
    int32_t count;
    size_t side_capacity;
    atom *atoms; /* of all sides */
    size_t atom_count, atom_capacity;
    int64_t points, terms;
} grid;

static bool is_cut(const known_rows *r, int32_t column, uint32_t node)
{
    for (int64_t i = 0; i < r->count; i++)
        if (r->regions[i * r->boxes->columns + column] != node)
            return true;
    return false;
}

/* The values by which a column is cut, ascending: a value before what is under it. */
static tacit_status list_cuts(size_t *count, known_rows *r, int32_t column, uint32_t node,
                              tacit_error *err)
{
    const tacit__known_tree *tree = &r->boxes->trees[column];
    size_t at = 0;
    for (uint32_t child = node + 1; child < tree->ends[node]; child = tree->ends[child]) {
        if (!TACIT__RESERVE_ONE(r->cuts, r->cut_capacity, at))
            return tacit__nomem(err);
        r->cuts[at++] = child;
    }
    if (!TACIT__RESERVE(r->cuts, r->cut_capacity, at + (size_t)r->count))
        return tacit__nomem(err);
    for (int64_t i = 0; i < r->count; i++)
        if (r->regions[i * r->boxes->columns + column] != node)
            r->cuts[at++] = r->regions[i * r->boxes->columns + column];
    qsort(r->cuts, at, sizeof *r->cuts, tacit__by_uint32);
    *count = at;
    return TACIT_OK;
}

/* Ground values under the released one, each with the deepest cut that holds it. */
static tacit_status own_values(known_rows *r, int32_t column, uint32_t node, size_t cuts,
                               tacit_error *err)
{
    const tacit__known_tree *tree = &r->boxes->trees[column];
    uint32_t first = tree->before[node], values = known_leaves(tree, node);
    if (!TACIT__RESERVE(r->owner, r->owner_capacity, values))
        return tacit__nomem(err);
    for (size_t i = 0; i < cuts; i++)
        for (uint32_t v = tree->before[r->cuts[i]]; v < tree->before[tree->ends[r->cuts[i]]]; v++)
            r->owner[v - first] = r->cuts[i];
    return TACIT_OK;
}

/* Adds the values of a cut that no deeper cut has as an atom. */
static tacit_status add_atom(grid *g, side *s, uint32_t cut, uint32_t node, uint32_t child,
                             tacit_error *err)
{
    const tacit__known_tree *tree = &g->r->boxes->trees[s->column];
    uint32_t first = tree->before[node];
    atom made = {.child = child};
    for (uint32_t v = cut; v < tree->ends[cut]; v++) {
        if (tree->ends[v] != v + 1 || g->r->owner[tree->before[v] - first] != cut)
            continue;
        made.node = v;
        made.values++;
    }
    if (made.values == 0)
        return TACIT_OK;
    if (!TACIT__PUSH(g->atoms, g->atom_capacity, g->atom_count, made))
        return tacit__nomem(err);
    s->atoms++;
    return TACIT_OK;
}

static tacit_status add_side(grid *g, int32_t column, tacit_error *err)
{
    known_rows *r = g->r;
    const tacit__known_tree *tree = &r->boxes->trees[column];
    uint32_t node = r->boxes->nodes[g->class_index * r->boxes->columns + column], last = node;
    size_t cuts = 0;
    if (!TACIT__RESERVE_ONE(g->sides, g->side_capacity, g->count))
        return tacit__nomem(err);
    side *s = &g->sides[g->count];
    *s = (side){.column = column, .from = g->atom_count, .all = known_leaves(tree, node)};
    tacit_status status = list_cuts(&cuts, r, column, node, err);
    if (status == TACIT_OK)
        status = own_values(r, column, node, cuts, err);
    uint32_t end = node + 1; /* of the child in hand */
    for (size_t i = 0; i < cuts && status == TACIT_OK; i++) {
        if (r->cuts[i] == last)
            continue;
        last = r->cuts[i];
        if (last >= end) {
            s->children++;
            end = tree->ends[last];
        }
        status = add_atom(g, s, last, node, (uint32_t)s->children, err);
    }
    if (s->children == 1) { /* what says the same as the released value tells nothing */
        s->children = 0;
        for (size_t i = s->from; i < g->atom_count; i++)
            g->atoms[i].child = 0;
    }
    g->count += status == TACIT_OK;
    return status;
}

/* Lays the grid out; *fits is false where it is too large. */
static tacit_status grid_init(bool *fits, grid *g, tacit_error *err)
{
    const tacit__known_boxes *b = g->r->boxes;
    tacit_status status = TACIT_OK;
    g->points = g->terms = 1;
    *fits = true;
    for (int32_t a = 0; a < b->columns && status == TACIT_OK && *fits; a++) {
        if (!is_cut(g->r, a, b->nodes[g->class_index * b->columns + a]))
            continue;
        status = add_side(g, a, err);
        if (status != TACIT_OK)
            break;
        g->points *= g->sides[g->count - 1].atoms;
        g->terms =
            g->terms > MAX_TERMS ? g->terms : g->terms * (g->sides[g->count - 1].children + 1);
        *fits = g->points <= MAX_POINTS && g->points <= MAX_STEPS / g->r->count;
    }
    return status;
}

static const atom *atom_at(const grid *g, int32_t side_index, int64_t *point)
{
    const side *s = &g->sides[side_index];
    const atom *at = &g->atoms[s->from + (size_t)(*point % s->atoms)];
    *point /= s->atoms;
    return at;
}

/* Whether a point lies in an intersection. */
static bool lies_in(const grid *g, int64_t point, int64_t region)
{
    const tacit__known_boxes *b = g->r->boxes;
    for (int32_t i = 0; i < g->count; i++) {
        const atom *at = atom_at(g, i, &point);
        int32_t column = g->sides[i].column;
        if (!known_holds(&b->trees[column], g->r->regions[region * b->columns + column], at->node))
            return false;
    }
    return true;
}

/* The share of the box that each point is, 0 where it is ruled out. Returns what is left. */
static double weigh_points(const grid *g)
{
    double left = 0;
    for (int64_t p = 0; p < g->points; p++) {
        int64_t point = p;
        double weight = 1;
        for (int32_t i = 0; i < g->count; i++)
            weight *= atom_at(g, i, &point)->values / g->sides[i].all;
        for (int64_t region = 0; region < g->r->count && weight > 0; region++)
            if (lies_in(g, p, region))
                weight = 0;
        g->r->weights[p] = weight;
        left += weight;
    }
    return left;
}

/* Whether a point with an atom of a side is left; points with it are `stride` apart. */
static bool atom_left(const grid *g, const side *s, int64_t stride, int64_t index)
{
    for (int64_t p = 0; p < g->points; p++)
        if (p / stride % s->atoms == index && g->r->weights[p] > 0)
            return true;
    return false;
}

/* What is left in every column, and so for every cell of it. Where that is all under one child,
 * the box is not the smallest, and the class cannot be. */
static void narrow(known_gain *gain, uint8_t *found, const grid *g)
{
    int64_t stride = 1;
    for (int32_t i = 0; i < g->count; stride *= g->sides[i++].atoms) {
        const side *s = &g->sides[i];
        uint32_t values = 0, child = 0;
        bool spread = s->children == 0;
        for (int64_t at = 0; at < s->atoms; at++) {
            const atom *here = &g->atoms[s->from + (size_t)at];
            if (!atom_left(g, s, stride, at))
                continue;
            spread |= values > 0 && here->child != child;
            values += here->values;
            child = here->child;
        }
        gain->impossible |= values == 0 || !spread;
        if (values < s->all)
            found[s->column] |= values == 1 ? TACIT__KNOWN_CERTAIN : TACIT__KNOWN_NARROWED;
    }
}

/* Adds a point to the sums of all terms that have it. */
static void add_to_terms(const grid *g, int64_t p)
{
    double weight = g->r->weights[p];
    for (uint64_t named = 0; named < UINT64_C(1) << g->count && weight > 0; named++) {
        int64_t point = p, term = 0, stride = 1;
        bool can = true; /* be named, all of them */
        for (int32_t i = 0; i < g->count; i++) {
            const atom *at = atom_at(g, i, &point);
            can &= !(named >> i & 1) || at->child > 0;
            term += named >> i & 1 ? stride * at->child : 0;
            stride *= g->sides[i].children + 1;
        }
        g->r->terms[term] += can ? weight : 0;
    }
}

/* Inclusion and exclusion: the share of the n-fold choices of points that are left, of all whose
 * points are, in which no side has all rows under one child. */
static double spread_share(const grid *g, int64_t rows, double left)
{
    double sum = 0;
    memset(g->r->terms, 0, (size_t)g->terms * sizeof *g->r->terms);
    for (int64_t p = 0; p < g->points; p++)
        add_to_terms(g, p);
    for (int64_t t = 0; t < g->terms; t++) {
        int64_t term = t;
        int named = 0;
        for (int32_t i = 0; i < g->count; i++) {
            named += term % (g->sides[i].children + 1) > 0;
            term /= g->sides[i].children + 1;
        }
        double ways = pow(g->r->terms[t] / left, (double)rows);
        sum += named & 1 ? -ways : ways;
    }
    return sum;
}

/* Columns that are cut, by themselves. */
static double cut_spread(const known_gain *gain, const grid *g)
{
    double bits = 0;
    for (int32_t i = 0; i < g->count; i++)
        bits += gain->spread[g->sides[i].column];
    return bits;
}

static tacit_status weigh_grid(known_gain *gain, uint8_t *found, grid *g, tacit_error *err)
{
    known_rows *r = g->r;
    int64_t rows = r->boxes->sizes[g->class_index];
    bool sums = rows < 2 * r->boxes->k && g->terms <= MAX_TERMS && g->count <= MAX_NAMED &&
                g->points <= MAX_STEPS >> g->count;
    if (!TACIT__RESERVE(r->weights, r->weight_capacity, g->points) ||
        (sums && !TACIT__RESERVE(r->terms, r->term_capacity, g->terms)))
        return tacit__nomem(err);
    double left = weigh_points(g), alone = cut_spread(gain, g), share = 0;
    gain->impossible |= left <= 0;
    narrow(gain, found, g);
    if (gain->impossible)
        return TACIT_OK;
    double bits = -(double)rows * log2(left);
    if (sums)
        share = spread_share(g, rows, left);
    gain->exact &= share > 1e-9;
    if (share > 1e-9)
        gain->bits += bits - log2(share) - alone;
    else if (bits > alone)
        gain->bits += bits - alone;
    return TACIT_OK;
}

/* Takes cheaper boxes into account: raises what is gained and says what is narrowed. */
static tacit_status rows_weigh(known_gain *gain, uint8_t *found, known_rows *rows,
                               int64_t class_index, tacit_error *err)
{
    grid g = {.r = rows, .class_index = class_index};
    bool fits = true;
    tacit_status status = list_regions(rows, class_index, err);
    if (status != TACIT_OK || rows->count == 0)
        return status;
    status = grid_init(&fits, &g, err);
    if (status == TACIT_OK && fits) {
        status = weigh_grid(gain, found, &g, err);
    } else if (status == TACIT_OK) {
        double taken = largest_region(rows, class_index);
        double bits = -(double)rows->boxes->sizes[class_index] * log1p(-taken) / log(2);
        gain->exact = false;
        gain->bits = taken < 1 ? fmax(gain->bits, bits) : gain->bits;
    }
    tacit__free(g.atoms);
    tacit__free(g.sides);
    return status;
}

/* What follows for classes from knowing that their boxes are tight, or the best there are.
 *
 * Tight: of the n rows of a class, in no column do all lie under one child of the value that is
 * released. So no child has more than n - 1 of them. Best: where n is 2k or more, k rows that
 * share a child could leave the class for a finer box, and the others would still be k; so no
 * child has more than k - 1. Both are limits on how many rows have a child, column by column, and
 * columns do not touch each other: of all ways to fill a column of a class, the share that is left
 * is the probability that n draws, each child as likely as it has ground values, give none more
 * than the limit. For n - 1 that is 1 - sum of p^n; otherwise children are drawn one after the
 * other, each from what the others left, and the probability of every number of rows that are
 * still to come is carried along.
 *
 * No single row is narrowed by this: any of them may be the one that differs. How many rows have
 * which child may become certain, as where two rows have two children: then it is one each.
 *
 * What better boxes say of single rows is in knowing_rows.c.
 *
 * Cost: children of the released values, of every class and column; where limits are below n - 1,
 * times n and k, up to MOST_DRAWS; beyond, the limit of n - 1 is used, which is weaker. */

enum { ASK_EVERY = 64 /* classes */ };
static const double MAX_DRAWS = 1e6;

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
    double all = known_leaves(tree, node), sum = 0;
    for (uint32_t child = node + 1; child < tree->ends[node]; child = tree->ends[child])
        sum += pow(known_leaves(tree, child) / all, (double)rows);
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
    double rest = known_leaves(tree, node);
    if (status == TACIT_OK)
        before[rows] = 1;
    for (uint32_t child = node + 1; status == TACIT_OK && child < tree->ends[node];
         child = tree->ends[child]) {
        double leaves = known_leaves(tree, child), *swap = before;
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
static tacit_status weigh_column(known_gain *gain, uint8_t *found, const tacit__known_boxes *b,
                                 int64_t class_index, int32_t column, tacit_error *err)
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
    if (most < rows - 1 && (double)children * (double)rows * (double)most > MAX_DRAWS) {
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

static tacit_status weigh_class(known_gain *gain, uint8_t *found, known_rows *rows,
                                const tacit__known_boxes *b, int64_t class_index, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    *gain = (known_gain){.exact = true, .spread = gain->spread};
    for (int32_t a = 0; a < b->columns && status == TACIT_OK && b->told; a++) {
        status = weigh_column(gain, &found[a], b, class_index, a, err);
        gain->bits += gain->spread[a];
    }
    if (status == TACIT_OK && b->best && b->sizes[class_index] > b->k && !gain->impossible)
        status = rows_weigh(gain, found, rows, class_index, err);
    return status;
}

/* Adds a class to the sums. */
static void add_class(tacit_known *known, const known_gain *gain, uint8_t *found,
                      const tacit__known_boxes *b, int64_t class_index)
{
    int64_t rows = b->sizes[class_index];
    known->impossible += gain->impossible;
    known->exact &= gain->exact;
    for (int32_t a = 0; a < b->columns; a++) {
        uint32_t leaves = known_leaves(&b->trees[a], b->nodes[class_index * b->columns + a]);
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
    known_rows rows = {0};
    tacit_status status = TACIT_OK;
    known->exact = true;
    double *spread = tacit__alloc_zeroed((size_t)boxes->columns, sizeof *spread);
    if (!spread)
        status = tacit__nomem(err);
    if (status == TACIT_OK && boxes->best)
        status = rows_init(&rows, boxes, err);
    for (int64_t i = 0; i < boxes->classes && status == TACIT_OK; i++) {
        known_gain gain = {.spread = spread};
        uint8_t *here = found + i * boxes->columns;
        if (i % ASK_EVERY == 0)
            status = tacit__progress(boxes->run, "judging", i, boxes->classes, err);
        if (status == TACIT_OK)
            status = weigh_class(&gain, here, &rows, boxes, i, err);
        if (status == TACIT_OK)
            add_class(known, &gain, here, boxes, i);
    }
    rows_clear(&rows);
    tacit__free(spread);
    return status;
}
