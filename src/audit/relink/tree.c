/*
 * tree.c - the people as points in a tree, and searches for those that a record costs least.
 *
 * A node has the box of its points and is halved at the median along the axis on which the box
 * costs most from end to end. Since no cost falls as a gap grows, the gaps to the near and the far
 * side of a box bound what each of its points costs, column by column; sums of rounded numbers
 * keep that order, so searches are exact: they give what looking at every point would. A node
 * whose bounds agree is counted as a whole, which is how questions that say little stay cheap.
 * Columns that are names need no other tree: what a label stands for is a stretch.
 *
 * Cost: O(n log n) to build; 8 bytes a value for the points and an eighth of that for
 * boxes. A search looks at O(log n) nodes where values are close to somebody's, and at more
 * and more of them the more columns are far from everybody's.
 */
#include <math.h>
#include <string.h>

#include "audit/relink/relink.h"
#include "base/alloc.h"
#include "base/error.h"

enum { LEAF = 16 };

/* ---- costs ---- */

/* None of them is NAN, of which fmax takes care at the price of a call. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double gap_cost(const tacit__relink_cost *cost, double gap)
{
    if (cost->scale > 0)
        return gap * cost->scale * (gap * cost->scale);
    return gap <= cost->near ? 0 : gap <= cost->far ? cost->half : cost->full;
}

static inline double place_cost(const tacit__relink_cost *cost, const tacit__relink_stretch *said,
                                double place)
{
    if (said->kind == TACIT__READ_ANY)
        return 0;
    if (said->kind == TACIT__READ_FOREIGN)
        return cost->foreign;
    if (said->kind == TACIT__READ_MISSING)
        return isnan(place) ? 0 : cost->said_missing;
    if (isnan(place))
        return cost->known_missing;
    return gap_cost(cost, place < said->low    ? said->low - place
                          : place > said->high ? place - said->high
                                               : 0);
}

/* Stops where the sum is above a bound. */
static inline double point_cost(const tacit__relink_search *s, const double *point, double bound)
{
    double sum = 0;
    for (int32_t i = 0; i < s->tree->columns && sum <= bound; i++)
        sum += place_cost(&s->costs[i], &s->query[i], point[i]);
    return sum;
}

typedef struct bounds {
    double low, high;
} bounds;

/* Of the points of a box that have a place. */
static inline bounds stretch_bounds(const tacit__relink_cost *cost,
                                    const tacit__relink_stretch *said, const double *box)
{
    double near = larger(larger(box[0] - said->high, said->low - box[1]), 0);
    double far = larger(larger(said->low - box[0], box[1] - said->high), 0);
    return (bounds){gap_cost(cost, near), gap_cost(cost, far)};
}

static inline bounds column_bounds(const tacit__relink_cost *cost,
                                   const tacit__relink_stretch *said, const double *box,
                                   bool missing, bool known)
{
    bounds b = {0, 0};
    double other = 0; /* what a missing value costs */
    if (said->kind == TACIT__READ_STRETCH && known && !missing)
        return stretch_bounds(cost, said, box);
    if (said->kind == TACIT__READ_ANY)
        return b;
    if (said->kind == TACIT__READ_FOREIGN)
        return (bounds){cost->foreign, cost->foreign};
    if (said->kind == TACIT__READ_MISSING) {
        b.low = b.high = cost->said_missing;
    } else {
        other = cost->known_missing;
        if (known)
            b = stretch_bounds(cost, said, box);
    }
    if (!known)
        return (bounds){other, other};
    return missing ? (bounds){smaller(b.low, other), larger(b.high, other)} : b;
}

/* Stops where the lower one is above a limit. */
static bounds node_bounds(tacit__relink_search *s, uint32_t node, double limit)
{
    const tacit__relink_tree *tree = s->tree;
    const tacit__relink_node *n = &tree->nodes[node];
    const double *box = tree->boxes + (size_t)node * (size_t)tree->columns * 2;
    bounds sum = {0, 0};
    s->steps++;
    for (int32_t i = 0; i < tree->columns && sum.low <= limit; i++) {
        bounds b = column_bounds(&s->costs[i], &s->query[i], box + 2 * (size_t)i,
                                 n->missing >> i & 1, n->known >> i & 1);
        sum.low += b.low;
        sum.high += b.high;
    }
    return sum;
}

/* ---- building ---- */

typedef struct builder {
    tacit__relink_tree *tree;
    const tacit__relink_cost *costs;
    double *raw; /* points by class */
    uint32_t used;
} builder;

static double raw_place(const builder *b, uint32_t class, int32_t axis)
{
    double place = b->raw[(size_t) class * (size_t)b->tree->columns + (size_t)axis];
    return isnan(place) ? INFINITY : place;
}

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

/* Puts the class of a rank where sorting along an axis would, smaller ones before it. */
static void select_rank(const builder *b, int64_t from, int64_t to, int64_t rank, int32_t axis)
{
    uint32_t *classes = b->tree->classes;
    int64_t low = from, high = to - 1;
    while (low < high) {
        double pivot = raw_place(b, classes[low + (high - low) / 2], axis);
        int64_t i = low, j = high;
        while (i <= j) {
            while (raw_place(b, classes[i], axis) < pivot)
                i++;
            while (raw_place(b, classes[j], axis) > pivot)
                j--;
            if (i <= j)
                swap(&classes[i++], &classes[j--]);
        }
        if (rank <= j)
            high = j;
        else if (rank >= i)
            low = i;
        else
            return;
    }
}

/* Fills in a node's box and counts. */
static void measure_node(const builder *b, uint32_t node, const uint32_t *people,
                         const uint32_t *subjects)
{
    tacit__relink_tree *tree = b->tree;
    tacit__relink_node *n = &tree->nodes[node];
    double *box = tree->boxes + (size_t)node * (size_t)tree->columns * 2;
    for (int32_t i = 0; i < tree->columns; i++) {
        box[2 * i] = INFINITY;
        box[2 * i + 1] = -INFINITY;
    }
    for (uint32_t at = n->from; at < n->to; at++) {
        uint32_t class = tree->classes[at];
        n->people += people[class];
        n->subjects += subjects[class];
        for (int32_t i = 0; i < tree->columns; i++) {
            double place = b->raw[(size_t) class * (size_t)tree->columns + (size_t)i];
            if (isnan(place)) {
                n->missing |= UINT32_C(1) << i;
                continue;
            }
            n->known |= UINT32_C(1) << i;
            box[2 * i] = smaller(box[2 * i], place);
            box[2 * i + 1] = larger(box[2 * i + 1], place);
        }
    }
}

/* The axis along which a box costs most; one where only some are known counts as full. */
static int32_t widest(const builder *b, uint32_t node)
{
    const tacit__relink_tree *tree = b->tree;
    const tacit__relink_node *n = &tree->nodes[node];
    const double *box = tree->boxes + (size_t)node * (size_t)tree->columns * 2;
    double most = -1;
    int32_t axis = 0;
    for (int32_t i = 0; i < tree->columns; i++) {
        if (!(n->known >> i & 1))
            continue;
        double cost = gap_cost(&b->costs[i], box[2 * i + 1] - box[2 * i]);
        if (n->missing >> i & 1)
            cost = larger(cost, b->costs[i].known_missing);
        if (cost > most) {
            most = cost;
            axis = i;
        }
    }
    return axis;
}

static uint32_t build(builder *b, int64_t from, int64_t to, const uint32_t *people,
                      const uint32_t *subjects)
{
    uint32_t node = b->used++;
    b->tree->nodes[node] = (tacit__relink_node){.from = (uint32_t)from, .to = (uint32_t)to};
    measure_node(b, node, people, subjects);
    if (to - from > LEAF) {
        int64_t middle = from + (to - from) / 2;
        select_rank(b, from, to, middle, widest(b, node));
        build(b, from, middle, people, subjects);
        b->tree->nodes[node].right = build(b, middle, to, people, subjects);
    }
    return node;
}

static int64_t count_nodes(int64_t points)
{
    return points <= LEAF ? 1 : 1 + count_nodes(points / 2) + count_nodes(points - points / 2);
}

/* Points, and what belongs to them, in the order of the tree. */
static void gather_points(const builder *b, const uint32_t *people, const uint32_t *subjects)
{
    tacit__relink_tree *tree = b->tree;
    size_t columns = (size_t)tree->columns;
    for (int64_t at = 0; at < tree->count; at++) {
        uint32_t class = tree->classes[at];
        memcpy(tree->points + (size_t)at * columns, b->raw + class * columns,
               columns * sizeof *tree->points);
        tree->people[at] = people[class];
        tree->subjects[at] = subjects[class];
        tree->point_of[class] = (uint32_t)at;
    }
}

static tacit_status make_room(builder *b, tacit_error *err)
{
    tacit__relink_tree *tree = b->tree;
    size_t count = (size_t)tree->count, columns = (size_t)tree->columns;
    size_t nodes = (size_t)count_nodes(tree->count);
    b->raw = tacit__alloc_array(count, columns * sizeof *b->raw);
    tree->points = tacit__alloc_array(count, columns * sizeof *tree->points);
    tree->classes = tacit__alloc_array(count, sizeof *tree->classes);
    tree->point_of = tacit__alloc_array(count, sizeof *tree->point_of);
    tree->people = tacit__alloc_array(count, sizeof *tree->people);
    tree->subjects = tacit__alloc_array(count, sizeof *tree->subjects);
    tree->nodes = tacit__alloc_array(nodes, sizeof *tree->nodes);
    tree->boxes = tacit__alloc_array(nodes, 2 * columns * sizeof *tree->boxes);
    if (!b->raw || !tree->points || !tree->classes || !tree->point_of || !tree->people ||
        !tree->subjects || !tree->nodes || !tree->boxes)
        return tacit__nomem(err);
    return TACIT_OK;
}

tacit_status tacit__relink_tree_init(tacit__relink_tree *tree, const tacit__relink_view *view,
                                     const tacit__relink_cost *costs, tacit_error *err)
{
    const tacit__relink_scene *scene = view->scene;
    builder b = {.tree = tree, .costs = costs};
    *tree = (tacit__relink_tree){.columns = scene->columns, .count = scene->people.count};
    uint32_t *people = tacit__alloc_array((size_t)tree->count, sizeof *people);
    tacit_status status = people ? make_room(&b, err) : tacit__nomem(err);
    if (status == TACIT_OK) {
        for (int64_t class = 0; class < tree->count; class ++) {
            tree->classes[class] = (uint32_t) class;
            people[class] = (uint32_t)scene->people.sizes[class];
            tacit__relink_point(b.raw + class * tree->columns, view, scene->people.first[class]);
        }
        build(&b, 0, tree->count, people, scene->subjects);
        gather_points(&b, people, scene->subjects);
    }
    tacit__free(people);
    tacit__free(b.raw);
    return status;
}

void tacit__relink_tree_clear(tacit__relink_tree *tree)
{
    tacit__free(tree->points);
    tacit__free(tree->classes);
    tacit__free(tree->point_of);
    tacit__free(tree->people);
    tacit__free(tree->subjects);
    tacit__free(tree->nodes);
    tacit__free(tree->boxes);
}

/* ---- searching ---- */

static const double *point_at(const tacit__relink_tree *tree, uint32_t at)
{
    return tree->points + (size_t)at * (size_t)tree->columns;
}

static void look_nearer(tacit__relink_search *s, uint32_t node, bounds b)
{
    const tacit__relink_node *n = &s->tree->nodes[node];
    if (b.low >= s->least)
        return;
    if (b.low == b.high) {
        s->least = b.low;
        return;
    }
    if (n->right == 0) {
        s->steps += n->to - n->from;
        for (uint32_t at = n->from; at < n->to; at++)
            s->least = smaller(s->least, point_cost(s, point_at(s->tree, at), s->least));
        return;
    }
    bounds left = node_bounds(s, node + 1, s->least), right = node_bounds(s, n->right, s->least);
    bool first = left.low <= right.low;
    look_nearer(s, first ? node + 1 : n->right, first ? left : right);
    look_nearer(s, first ? n->right : node + 1, first ? right : left);
}

void tacit__relink_nearest(tacit__relink_search *search)
{
    search->least = INFINITY;
    if (search->tree->count > 0)
        look_nearer(search, 0, node_bounds(search, 0, INFINITY));
}

static void count_leaf(tacit__relink_search *s, const tacit__relink_node *n)
{
    s->steps += n->to - n->from;
    for (uint32_t at = n->from; at < n->to; at++) {
        double cost = point_cost(s, point_at(s->tree, at), s->reach);
        if (cost <= s->limit) {
            s->people += s->tree->people[at];
            s->subjects += s->tree->subjects[at];
        } else if (cost <= s->reach) {
            s->others = true;
        }
    }
}

static void count_under(tacit__relink_search *s, uint32_t node)
{
    const tacit__relink_node *n = &s->tree->nodes[node];
    double limit = s->others ? s->limit : s->reach;
    bounds b = node_bounds(s, node, limit);
    if (b.low > limit)
        return;
    if (b.high <= s->limit) {
        s->people += n->people;
        s->subjects += n->subjects;
    } else if (b.low > s->limit && b.high <= s->reach) {
        s->others = true;
    } else if (n->right == 0) {
        count_leaf(s, n);
    } else {
        count_under(s, node + 1);
        count_under(s, n->right);
    }
}

void tacit__relink_count(tacit__relink_search *search)
{
    search->people = search->subjects = 0;
    search->others = false;
    if (search->tree->count > 0)
        count_under(search, 0);
}

double tacit__relink_cost_of(const tacit__relink_search *search, uint32_t class)
{
    return point_cost(search, point_at(search->tree, search->tree->point_of[class]), INFINITY);
}
