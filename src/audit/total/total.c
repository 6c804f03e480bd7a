/*
 * total.c - the total protection test and invariant cells (Kao, Total Protection).
 *
 * Theorem 2.1: a cell is invariant unless it lies in a cycle that can be traversed and uses no edge
 * twice. Strong components, undirected edges counting both ways, tell all but one case: an
 * undirected edge that is the only one between two halves of its component goes there and back
 * over itself. (Where there is another edge between the halves, one direction of the edge is
 * closed to a cycle without it.) So: between strong components, or a bridge of one.
 *
 * Theorem 3.2: Q is totally protected iff its cells lie in strong components and each
 * of these stays connected, directions aside, without Q. The number of independent sums over Q that
 * are known is the cells of Q between components, and for each component one less than
 * the parts it falls into.
 *
 * Linear: two searches for strong components where cells are directed, one for parts without Q, one
 * for a depth-first forest that counts cuts (net.c). Memory: 8 bytes a suppressed cell
 * (12 where published ones are listed too, or the list is not in order), 32 a row and column.
 */
#include "audit/total/total.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

static inline int32_t net_cell(const tacit__net *net, int32_t edge)
{
    return net->cell ? net->cell[edge] : edge;
}

/* The sums that an adversary knows, as cuts (Theorem 2.2).
 *
 * For a set S of rows and columns, the sums of its rows less those of its columns are the cells
 * that leave S by a row less those that leave it by a column; cells inside cancel. Where S and the
 * rest of a strong component are connected, the cut is minimal: no smaller set of its cells has a
 * known sum. A depth-first tree gives one such cut for each of its edges, and all known sums are
 * combinations of these (net.c). For sums over Q alone the parts that are connected without Q are
 * contracted first: then every cut is made of Q.
 *
 * There may be millions; the shortest are listed. Choosing them takes a few passes over the
 * vertices, each of them a pass over its side of the cut, which is given up after MOST_PASSES over
 * the whole graph. */

enum { MAX_PASSES = 16 };

typedef struct sum_listing {
    tacit_total_audit *audit;
    const tacit__total *total;
    size_t term_capacity;
    tacit_known_sum *sums; /* of the kind in hand */
    int32_t count;
    /* the cuts in hand */
    const tacit__cuts *cuts;
    const int32_t *place;    /* a vertex each: its number in the forest, or that of its part */
    tacit__net_groups sides; /* vertices by place */
    int64_t steps;
} sum_listing;

/* ---- one sum ---- */

static tacit_status add_term(sum_listing *l, int32_t row, int32_t column, int32_t sign,
                             tacit_error *err)
{
    const tacit__net *g = l->total->net;
    tacit_total_audit *a = l->audit;
    int32_t edge = tacit__net_edge(g, row, column); /* a cell when the sum is closed */
    if (!tacit__reserve((void **)&a->terms, &l->term_capacity, (size_t)a->term_count + 1,
                        sizeof *a->terms))
        return tacit__nomem(err);
    a->terms[a->term_count++] = (tacit_known_term){edge, sign};
    return TACIT_OK;
}

/* The cells of one vertex that lead out of the side [first, last). */
static tacit_status add_leaving(sum_listing *l, int32_t vertex, int32_t first, int32_t last,
                                tacit_error *err)
{
    const tacit__net *g = l->total->net;
    tacit__net_filter inside = tacit__inside(l->total);
    tacit_status status = TACIT_OK;
    bool row = vertex < g->rows;
    for (int32_t e = g->starts[vertex]; e < g->starts[vertex + 1] && status == TACIT_OK; e++) {
        int32_t there = tacit__net_near(g->near[e]);
        if (!tacit__net_counts(&inside, vertex, g->near[e]) ||
            (l->place[there] >= first && l->place[there] < last))
            continue;
        status = add_term(l, row ? vertex : there, row ? there : vertex, row ? 1 : -1, err);
    }
    l->steps += g->starts[vertex + 1] - g->starts[vertex];
    return status;
}

static double value_of(const sum_listing *l, const tacit_known_sum *sum)
{
    const double *value = l->total->table->value;
    double total = 0;
    for (int32_t i = sum->first; i < sum->first + sum->count && value; i++)
        total += l->audit->terms[i].sign * value[l->audit->terms[i].cell];
    return value ? total : NAN;
}

static int by_edge(const void *left, const void *right)
{
    const tacit_known_term *a = left, *b = right;
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

/* Terms by row and column, the first of them positive. */
static void close_sum(sum_listing *l, tacit_known_sum *sum)
{
    tacit_known_term *terms = l->audit->terms + sum->first;
    sum->count = l->audit->term_count - sum->first;
    qsort(terms, (size_t)sum->count, sizeof *terms, by_edge);
    int32_t turn = terms[0].sign;
    for (int32_t k = 0; k < sum->count; k++) {
        terms[k].cell = net_cell(l->total->net, terms[k].cell);
        terms[k].sign *= turn;
    }
    sum->value = value_of(l, sum);
    l->sums[l->count++] = *sum;
}

/* The cut below place i. */
static tacit_status add_cut(sum_listing *l, int32_t i, tacit_error *err)
{
    int32_t last = l->cuts->last[i];
    const int32_t *members = l->sides.members;
    tacit_known_sum sum = {.first = l->audit->term_count};
    tacit_status status = TACIT_OK;
    sum.component = l->total->strong[members[l->sides.starts[i]]];
    for (int32_t k = l->sides.starts[i]; k < l->sides.starts[last] && status == TACIT_OK; k++) {
        *(members[k] < l->total->net->rows ? &sum.rows : &sum.columns) += 1;
        status = add_leaving(l, members[k], i, last, err);
    }
    if (status == TACIT_OK)
        close_sum(l, &sum);
    return status;
}

/* ---- the shortest ---- */

static int32_t count_up_to(const tacit__cuts *c, int32_t size)
{
    int32_t many = 0;
    for (int32_t i = 0; i < c->count; i++)
        many += c->parent[i] >= 0 && c->size[i] <= size;
    return many;
}

/* The size such that fewer than `most` cuts are below it, and no more follow if it is taken in. */
static int32_t longest_wanted(const tacit__cuts *c, int32_t most, int32_t edges)
{
    int32_t low = 0, high = edges; /* fewer than most up to low */
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (count_up_to(c, middle) < most)
            low = middle;
        else
            high = middle;
    }
    return high;
}

typedef struct choice {
    int32_t size, place;
} choice;

static int shortest_first(const void *left, const void *right)
{
    const choice *a = left, *b = right;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static int32_t choose(choice *choices, const tacit__cuts *c, int32_t most, int32_t edges)
{
    int32_t longest = longest_wanted(c, most, edges), count = 0;
    int32_t left = most - count_up_to(c, longest - 1); /* of the longest */
    for (int32_t i = 0; i < c->count && count < most; i++) {
        if (c->parent[i] < 0 || c->size[i] > longest || (c->size[i] == longest && left-- <= 0))
            continue;
        choices[count++] = (choice){c->size[i], i};
    }
    qsort(choices, (size_t)count, sizeof *choices, shortest_first);
    return count;
}

static tacit_status add_cuts(sum_listing *l, int32_t most, tacit_error *err)
{
    int32_t edges = l->total->net->edges;
    choice *choices = tacit__alloc_array((size_t)most, sizeof *choices);
    if (!choices)
        return tacit__nomem(err);
    tacit_status status = TACIT_OK;
    int32_t count = most > 0 ? choose(choices, l->cuts, most, edges) : 0;
    for (int32_t k = 0; k < count && status == TACIT_OK; k++)
        if (l->steps <= (int64_t)MAX_PASSES * edges)
            status = add_cut(l, choices[k].place, err);
    tacit__free(choices);
    return status;
}

/* ---- both kinds ---- */

/* Cuts of a forest over the vertices themselves or, with part, over parts. */
static tacit_status list_cuts(sum_listing *l, const tacit__cuts *cuts, const int32_t *part,
                              int32_t most, tacit_error *err)
{
    int32_t vertices = l->total->net->vertices;
    int32_t *place = tacit__alloc_array((size_t)vertices, sizeof *place);
    if (!place)
        return tacit__nomem(err);
    for (int32_t v = 0; v < vertices; v++)
        place[v] = cuts->number[part ? part[v] : v];
    l->cuts = cuts;
    l->place = place;
    l->steps = 0;
    tacit_status status = tacit__net_groups_init(&l->sides, place, vertices, cuts->count, err);
    if (status == TACIT_OK)
        status = add_cuts(l, most, err);
    tacit__net_groups_clear(&l->sides);
    tacit__free(place);
    return status;
}

/* Cells of Q between strong components: each is a sum of its own. */
static tacit_status list_cells(sum_listing *l, int32_t most, tacit_error *err)
{
    const tacit__net *g = l->total->net;
    tacit_status status = TACIT_OK;
    for (int32_t row = 0; row < g->rows; row++)
        for (int32_t e = g->starts[row]; e < g->starts[row + 1]; e++) {
            int32_t column = tacit__net_near(g->near[e]);
            if (l->count >= most || status != TACIT_OK)
                return status;
            if (!(g->near[e] & TACIT__NET_SECRET) ||
                l->total->strong[row] == l->total->strong[column])
                continue;
            tacit_known_sum sum = {.first = l->audit->term_count, .component = -1};
            status = add_term(l, row, column, 1, err);
            if (status == TACIT_OK)
                close_sum(l, &sum);
        }
    return status;
}

static tacit_status list_leaks(sum_listing *l, int32_t most, tacit_error *err)
{
    const tacit__total *t = l->total;
    tacit__net_filter inside = tacit__inside(t);
    tacit__net *parts = NULL;
    tacit__cuts *cuts = NULL;
    tacit_status status = list_cells(l, most, err);
    if (status == TACIT_OK)
        status = tacit__net_contract(&parts, t->net, &inside, t->loose, t->loose_count, err);
    if (status == TACIT_OK)
        status = tacit__cuts_new(&cuts, parts, &(tacit__net_filter){0}, err);
    if (status == TACIT_OK)
        status = list_cuts(l, cuts, t->loose, most - l->count, err);
    tacit__cuts_free(cuts);
    tacit__net_free(parts);
    return status;
}

/* Lists sums that are known, up to so many of each kind. */
static tacit_status list_sums(tacit_total_audit *audit, const tacit__total *total, int32_t most,
                              tacit_error *err)
{
    sum_listing l = {.audit = audit, .total = total};
    int32_t leaks = audit->leaks < most ? audit->leaks : most;
    int32_t sums = audit->known < most ? audit->known : most;
    audit->leak = tacit__alloc_array((size_t)leaks, sizeof *audit->leak);
    audit->sum = tacit__alloc_array((size_t)sums, sizeof *audit->sum);
    if (!audit->leak || !audit->sum)
        return tacit__nomem(err);
    l.sums = audit->leak;
    tacit_status status = list_leaks(&l, leaks, err);
    audit->leak_count = l.count;
    l.sums = audit->sum;
    l.count = 0;
    if (status == TACIT_OK)
        status = list_cuts(&l, total->cuts, NULL, sums, err);
    audit->sum_count = l.count;
    return status;
}

static int ascending(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return a < b ? -1 : a > b;
}

/* Suppressed cells between strong components: how many and, with cells, which. */
static int32_t visit_crossing(int32_t *cells, const tacit__total *total, uint32_t wanted)
{
    const tacit__net *g = total->net;
    int32_t count = 0;
    if (g->directed == 0)
        return 0; /* strong components are connected ones */
    for (int32_t row = 0; row < g->rows; row++)
        for (int32_t e = g->starts[row]; e < g->starts[row + 1]; e++) {
            if ((g->near[e] & wanted) != wanted ||
                total->strong[row] == total->strong[tacit__net_near(g->near[e])])
                continue;
            if (cells)
                cells[count] = net_cell(g, e);
            count++;
        }
    return count;
}

/* The only edges of their cuts. */
static int32_t visit_bridges(int32_t *cells, const tacit__total *total)
{
    const tacit__net *g = total->net;
    const tacit__cuts *c = total->cuts;
    int32_t count = 0;
    for (int32_t i = 0; i < c->count; i++) {
        if (c->parent[i] < 0 || c->size[i] != 1)
            continue;
        int32_t a = c->vertex[i], b = c->vertex[c->parent[i]];
        if (cells)
            cells[count] = net_cell(g, tacit__net_edge(g, a < b ? a : b, a < b ? b : a));
        count++;
    }
    return count;
}

tacit_status tacit__known_cells(int32_t **cells, int32_t *count, const tacit__total *total,
                                tacit_error *err)
{
    int32_t crossing = visit_crossing(NULL, total, 0);
    int32_t bridges = visit_bridges(NULL, total);
    int32_t *list = tacit__alloc_array((size_t)crossing + (size_t)bridges, sizeof *list);
    if (!list)
        return tacit__nomem(err);
    if (crossing)
        visit_crossing(list, total, 0);
    visit_bridges(list + crossing, total);
    *count = crossing + bridges;
    qsort(list, (size_t)*count, sizeof *list, ascending);
    *cells = list;
    return TACIT_OK;
}

/* Parts of two vertices at least. size has room for every part. */
static int32_t count_parts(const int32_t *part, int32_t vertices, int32_t parts, int32_t *size)
{
    int32_t many = 0;
    for (int32_t p = 0; p < parts; p++)
        size[p] = 0;
    for (int32_t v = 0; v < vertices; v++)
        many += ++size[part[v]] == 2;
    return many;
}

/* Strong components, and what is left of them without Q; connected ones on the way. */
static tacit_status find_parts(tacit_total_audit *audit, tacit__total *total, tacit_error *err)
{
    const tacit__net *g = total->net;
    size_t n = (size_t)g->vertices;
    tacit__net_numbers count;
    total->strong = tacit__alloc_array(n, sizeof *total->strong);
    total->loose = tacit__alloc_array(n, sizeof *total->loose);
    int32_t *size = tacit__alloc_array(n, sizeof *size);
    tacit_status status = total->strong && total->loose && size ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__net_strong(total->strong, &count, total->loose, g, err);
    if (status == TACIT_OK) {
        tacit__net_filter kept = {.mask = TACIT__NET_SECRET, .within = total->strong};
        total->strong_count = count.strong;
        audit->strong = count_parts(total->strong, g->vertices, count.strong, size);
        audit->components = count_parts(total->loose, g->vertices, count.connected, size);
        status = tacit__net_parts(total->loose, &total->loose_count, g, &kept, err);
    }
    tacit__free(size);
    return status;
}

static tacit_status find_invariant(tacit_total_audit *audit, tacit__total *total, tacit_error *err)
{
    tacit__net_filter inside = tacit__inside(total);
    tacit_status status = tacit__cuts_new(&total->cuts, total->net, &inside, err);
    if (status == TACIT_OK)
        status = tacit__known_cells(&audit->invariant, &audit->invariant_count, total, err);
    return status;
}

/* The numbers of independent sums, and the verdict. */
static void count_sums(tacit_total_audit *audit, const tacit__total *total)
{
    const tacit__net *g = total->net;
    audit->suppressed = g->edges;
    audit->secret = g->secret;
    audit->known = g->vertices - total->strong_count + visit_crossing(NULL, total, 0);
    audit->leaks =
        total->loose_count - total->strong_count + visit_crossing(NULL, total, TACIT__NET_SECRET);
    audit->total = audit->leaks == 0;
}

static tacit_status judge(tacit_total_audit *audit, tacit__total *total,
                          const tacit_total_audit_options *options, const tacit_run *run,
                          tacit_error *err)
{
    tacit_status status = find_parts(audit, total, err);
    if (status == TACIT_OK)
        status = tacit__progress(run, "total protection: components", 1, 3, err);
    if (status != TACIT_OK)
        return status;
    count_sums(audit, total);
    if (!options->no_invariant || options->sums > 0)
        status = find_invariant(audit, total, err);
    if (status == TACIT_OK)
        status = tacit__progress(run, "total protection: cells", 2, 3, err);
    if (status == TACIT_OK && options->sums > 0)
        status = list_sums(audit, total, options->sums, err);
    return status;
}

tacit_status tacit_audit_total(tacit_total_audit **out, const tacit_flat_view *table,
                               const tacit_total_audit_options *options, const tacit_run *run,
                               tacit_error *err)
{
    static const tacit_total_audit_options defaults = {0};
    tacit__total total = {.table = table};
    tacit_total_audit *audit = tacit__alloc_zeroed(1, sizeof *audit);
    tacit_status status = audit ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__net_new(&total.net, table, err);
    if (status == TACIT_OK)
        status = tacit__progress(run, "total protection: graph", 0, 3, err);
    if (status == TACIT_OK)
        status = judge(audit, &total, options ? options : &defaults, run, err);
    tacit__net_free(total.net);
    tacit__free(total.strong);
    tacit__free(total.loose);
    tacit__cuts_free(total.cuts);
    if (status == TACIT_OK)
        *out = audit;
    else
        tacit_total_audit_free(audit);
    return status;
}

void tacit_total_audit_free(tacit_total_audit *audit)
{
    if (!audit)
        return;
    tacit__free(audit->invariant);
    tacit__free(audit->leak);
    tacit__free(audit->sum);
    tacit__free(audit->terms);
    tacit__free(audit);
}
