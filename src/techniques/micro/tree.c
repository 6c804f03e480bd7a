/*
 * tree.c - a k-d tree that points can be taken out of: which are nearest, which is furthest.
 *
 * Points are halved at the median of the widest side of their box until few are left, and copied
 * in that order, so that a leaf's are side by side. Every node has the box of the points that are
 * still in it, drawn tighter as they go: a node is passed over where its box is too far, or for
 * the furthest point too near. Ties go to the point with the lower number, as in a plain scan; a
 * node also has its lowest, so that many equal points are not all looked at.
 *
 * Building takes n log n, taking out a point the depth times the width, a search in few columns
 * about the depth; in many columns it comes near to a scan, and never takes much longer.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "techniques/micro/micro.h"

enum { LEAF = 32, NONE = -1 };

typedef struct node {
    int32_t parent;
    int32_t child[2]; /* NONE: a leaf */
    uint32_t start;   /* of a leaf's points */
    uint32_t count;   /* of points that are still there */
    uint32_t first;   /* the lowest of them: it decides between equals; UINT32_MAX: none */
} node;

struct tacit__micro_tree {
    const tacit__points *points;
    node *nodes;
    double *boxes; /* of each node the least, then the most, of each column */
    int32_t node_count;
    uint32_t *order; /* points leaf by leaf; those taken out follow the ones that are there */
    uint32_t *place; /* of each point in order */
    int32_t *leaf;   /* and its leaf */
    double *at;      /* points as they stand in order */
};

static double *box_of(const tacit__micro_tree *tree, int32_t index)
{
    return tree->boxes + (size_t)index * 2 * tree->points->width;
}

/* ---- building ---- */

/* The box around some points, and the lowest of them. */
static uint32_t box_points(double *box, const tacit__points *points, const uint32_t *order,
                           uint32_t count)
{
    uint32_t width = points->width, first = UINT32_MAX;
    for (uint32_t i = 0; i < width; i++) {
        box[i] = INFINITY;
        box[width + i] = -INFINITY;
    }
    for (uint32_t n = 0; n < count; n++) {
        const double *point = tacit__point(points, order[n]);
        first = order[n] < first ? order[n] : first;
        for (uint32_t i = 0; i < width; i++) {
            box[i] = point[i] < box[i] ? point[i] : box[i];
            box[width + i] = point[i] > box[width + i] ? point[i] : box[width + i];
        }
    }
    return first;
}

static bool is_before(const tacit__points *points, uint32_t axis, uint32_t a, uint32_t b)
{
    double of_a = tacit__point(points, a)[axis], of_b = tacit__point(points, b)[axis];
    return of_a < of_b || (of_a == of_b && a < b);
}

static void exchange(uint32_t *order, int64_t a, int64_t b)
{
    uint32_t kept = order[a];
    order[a] = order[b];
    order[b] = kept;
}

/* Puts the points that come first along an axis before `middle` (Hoare's selection). */
static void halve(uint32_t *order, int64_t count, int64_t middle, const tacit__points *points,
                  uint32_t axis)
{
    int64_t low = 0, high = count - 1;
    while (low < high) {
        uint32_t pivot = order[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (is_before(points, axis, order[i], pivot))
                i++;
            while (is_before(points, axis, pivot, order[j]))
                j--;
            if (i <= j)
                exchange(order, i++, j--);
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

static uint32_t widest(const double *box, uint32_t width)
{
    uint32_t axis = 0;
    for (uint32_t i = 1; i < width; i++)
        if (box[width + i] - box[i] > box[width + axis] - box[axis])
            axis = i;
    return axis;
}

/* Depth is that of halving: 32 at most. */
static int32_t build(tacit__micro_tree *tree, uint32_t start, uint32_t count, int32_t parent)
{
    int32_t index = tree->node_count++;
    node *n = &tree->nodes[index];
    uint32_t first = box_points(box_of(tree, index), tree->points, tree->order + start, count);
    *n = (node){parent, {NONE, NONE}, start, count, first};
    if (count <= LEAF) {
        for (uint32_t i = start; i < start + count; i++) {
            tree->place[tree->order[i]] = i;
            tree->leaf[tree->order[i]] = index;
        }
        return index;
    }
    uint32_t half = count / 2;
    halve(tree->order + start, count, half, tree->points,
          widest(box_of(tree, index), tree->points->width));
    n->child[0] = build(tree, start, half, index);
    n->child[1] = build(tree, start + half, count - half, index);
    return index;
}

tacit_status tacit__micro_tree_new(tacit__micro_tree **out, const tacit__points *points,
                                   tacit_error *err)
{
    tacit__micro_tree *tree = tacit__alloc_zeroed(1, sizeof *tree);
    if (!tree)
        return tacit__nomem(err);
    size_t count = points->count, width = points->width;
    size_t nodes = 2 * (count / (LEAF / 2) + 1); /* a leaf has at least half of LEAF */
    tree->points = points;
    tree->nodes = tacit__alloc_array(nodes, sizeof *tree->nodes);
    tree->boxes = tacit__alloc_array(nodes * 2, width * sizeof *tree->boxes);
    tree->order = tacit__alloc_array(count, sizeof *tree->order);
    tree->place = tacit__alloc_array(count, sizeof *tree->place);
    tree->leaf = tacit__alloc_array(count, sizeof *tree->leaf);
    tree->at = tacit__alloc_array(count, width * sizeof *tree->at);
    if (!tree->nodes || !tree->boxes || !tree->order || !tree->place || !tree->leaf || !tree->at) {
        tacit__micro_tree_free(tree);
        return tacit__nomem(err);
    }
    for (uint32_t i = 0; i < points->count; i++)
        tree->order[i] = i;
    build(tree, 0, points->count, NONE);
    for (size_t i = 0; i < count; i++)
        memcpy(tree->at + i * width, tacit__point(points, tree->order[i]), width * sizeof(double));
    *out = tree;
    return TACIT_OK;
}

void tacit__micro_tree_free(tacit__micro_tree *tree)
{
    if (!tree)
        return;
    tacit__free(tree->nodes);
    tacit__free(tree->boxes);
    tacit__free(tree->order);
    tacit__free(tree->place);
    tacit__free(tree->leaf);
    tacit__free(tree->at);
    tacit__free(tree);
}

/* ---- taking out ---- */

/* The box around those of the children and the lowest of both; true where something changed. */
static bool box_children(const tacit__micro_tree *tree, int32_t index)
{
    uint32_t width = tree->points->width;
    node *n = &tree->nodes[index];
    double *box = box_of(tree, index);
    const double *a = box_of(tree, n->child[0]), *b = box_of(tree, n->child[1]);
    uint32_t firsts[2] = {tree->nodes[n->child[0]].first, tree->nodes[n->child[1]].first};
    uint32_t first = firsts[0] < firsts[1] ? firsts[0] : firsts[1];
    bool changed = n->first != first;
    n->first = first;
    for (uint32_t i = 0; i < width; i++) {
        double least = a[i] < b[i] ? a[i] : b[i];
        double most = a[width + i] > b[width + i] ? a[width + i] : b[width + i];
        changed |= box[i] != least || box[width + i] != most;
        box[i] = least;
        box[width + i] = most;
    }
    return changed;
}

void tacit__micro_tree_remove(tacit__micro_tree *tree, uint32_t point)
{
    size_t width = tree->points->width;
    int32_t index = tree->leaf[point];
    node *leaf = &tree->nodes[index];
    uint32_t hole = tree->place[point], last = leaf->start + leaf->count - 1;
    memcpy(tree->at + hole * width, tree->at + last * width, width * sizeof(double));
    exchange(tree->order, hole, last);
    tree->place[tree->order[hole]] = hole;
    tree->place[point] = last;
    leaf->count--;
    leaf->first =
        box_points(box_of(tree, index), tree->points, tree->order + leaf->start, leaf->count);
    bool changed = true;
    for (index = leaf->parent; index != NONE; index = tree->nodes[index].parent) {
        tree->nodes[index].count--;
        changed = changed && box_children(tree, index);
    }
}

/* ---- the nearest ---- */

typedef struct search {
    const tacit__micro_tree *tree;
    const double *from;
    tacit__micro_near *found; /* nearest first */
    uint32_t count, wanted;
} search;

static double box_distance(const double *box, const double *from, uint32_t width)
{
    double sum = 0;
    for (uint32_t i = 0; i < width; i++) {
        double below = box[i] - from[i], above = from[i] - box[width + i];
        double off = below > above ? below : above;
        off = off > 0 ? off : 0;
        sum += off * off;
    }
    return sum;
}

static bool is_nearer(tacit__micro_near a, tacit__micro_near b)
{
    return a.distance < b.distance || (a.distance == b.distance && a.point < b.point);
}

static void offer(search *s, tacit__micro_near near)
{
    tacit__micro_near *found = s->found;
    if (s->count < s->wanted)
        s->count++;
    else if (!is_nearer(near, found[s->count - 1]))
        return;
    uint32_t at = s->count - 1;
    for (; at > 0 && is_nearer(near, found[at - 1]); at--)
        found[at] = found[at - 1];
    found[at] = near;
}

static void search_node(search *s, int32_t index)
{
    const tacit__micro_tree *tree = s->tree;
    const node *n = &tree->nodes[index];
    uint32_t width = tree->points->width;
    if (n->child[0] == NONE) {
        for (uint32_t i = n->start; i < n->start + n->count; i++)
            offer(s,
                  (tacit__micro_near){tacit__distance(tree->at + (size_t)i * width, s->from, width),
                                      tree->order[i]});
        return;
    }
    double off[2];
    for (int i = 0; i < 2; i++)
        off[i] = tree->nodes[n->child[i]].count
                     ? box_distance(box_of(tree, n->child[i]), s->from, width)
                     : INFINITY;
    int first = off[1] < off[0];
    for (int i = 0; i < 2; i++) {
        int side = i ? !first : first;
        const node *child = &tree->nodes[n->child[side]];
        if (child->count &&
            (s->count < s->wanted ||
             is_nearer((tacit__micro_near){off[side], child->first}, s->found[s->count - 1])))
            search_node(s, n->child[side]);
    }
}

uint32_t tacit__micro_tree_nearest(const tacit__micro_tree *tree, const double *from,
                                   uint32_t wanted, tacit__micro_near *found)
{
    search s = {tree, from, found, 0, wanted};
    if (wanted > 0)
        search_node(&s, 0);
    return s.count;
}

/* ---- the furthest ---- */

typedef struct outlook {
    const tacit__micro_tree *tree;
    const double *from;
    double distance; /* of the furthest so far; below 0: none */
    uint32_t point;
} outlook;

static double box_reach(const double *box, const double *from, uint32_t width)
{
    double sum = 0;
    for (uint32_t i = 0; i < width; i++) {
        double below = from[i] - box[i], above = box[width + i] - from[i];
        double off = below > above ? below : above;
        sum += off * off;
    }
    return sum;
}

static bool is_further(const outlook *o, double distance, uint32_t point)
{
    return distance > o->distance || (distance == o->distance && point < o->point);
}

static void look_node(outlook *o, int32_t index)
{
    const tacit__micro_tree *tree = o->tree;
    const node *n = &tree->nodes[index];
    uint32_t width = tree->points->width;
    if (n->child[0] == NONE) {
        for (uint32_t i = n->start; i < n->start + n->count; i++) {
            double distance = tacit__distance(tree->at + (size_t)i * width, o->from, width);
            if (is_further(o, distance, tree->order[i])) {
                o->distance = distance;
                o->point = tree->order[i];
            }
        }
        return;
    }
    double reach[2];
    for (int i = 0; i < 2; i++)
        reach[i] = tree->nodes[n->child[i]].count
                       ? box_reach(box_of(tree, n->child[i]), o->from, width)
                       : -2; /* further than nothing is -1 */
    int first = reach[1] > reach[0];
    for (int i = 0; i < 2; i++) {
        int side = i ? !first : first;
        if (is_further(o, reach[side], tree->nodes[n->child[side]].first))
            look_node(o, n->child[side]);
    }
}

uint32_t tacit__micro_tree_furthest(const tacit__micro_tree *tree, const double *from)
{
    outlook o = {tree, from, -1, UINT32_MAX};
    look_node(&o, 0);
    return o.point;
}

bool tacit__micro_tree_is_one_place(const tacit__micro_tree *tree)
{
    uint32_t width = tree->points->width;
    const double *box = box_of(tree, 0);
    for (uint32_t i = 0; i < width; i++)
        if (box[i] < box[width + i])
            return false;
    return true;
}
