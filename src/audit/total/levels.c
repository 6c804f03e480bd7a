/*
 * levels.c - the four levels of protection below and beside the total one (Kao, Data security
 * equals graph connectivity, as Total Protection sums it up).
 *
 * All known sums are made of numbers p, one a row and column: cell (r, c) counts p(r) - p(c) times.
 * Such a sum leaves out all cells but those of some rows R iff p is constant on each part that
 * the component falls into without R. If there is one part only, p is nothing but a number for
 * each row of R, and the sum follows from the sums of these rows. So nothing else is known about
 * R iff the component stays connected without it: two-vertex connectivity for single rows and
 * columns, and for k of them connectivity when any k rows, or any k columns, are removed. For all
 * sets of rows but all of them that means that every row has every column: the component is
 * complete. And no cell is known iff components are strong and have no bridge (two-edge
 * connectivity).
 */
#include <string.h>

#include "audit/total/total.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

/* Few rows, or few columns, that are all that connects two parts of a component.
 *
 * Menger: two columns are connected by more than k ways that share no row, or k rows part them.
 * Columns are never removed here, so the first column of a component is on some side of any cut,
 * and it is enough to look for ways from it to each of the others: k + 1 searches at most for
 * each, over ways found before that may be rerouted. With rows and columns the other way round
 * likewise. Columns with more than k rows in common need no search.
 *
 * Costs k times the cells for every column, at worst. */

/* A way goes from hub to hub through gates, each of which it uses up. A search meets a gate at
 * its entrance (node v) or its exit (node v + vertices). */
typedef struct flow {
    const tacit__net *net;
    int32_t *from, *to; /* a gate each: the hubs before and after it on a way; -1: free */
    int32_t *parent;    /* a node each: where the search came from; -1: not met */
    int32_t *queue;
    int32_t first, count;
} flow;

static void flow_meet(flow *f, int32_t node, int32_t parent)
{
    if (f->parent[node] < 0) {
        f->parent[node] = parent;
        f->queue[f->count++] = node;
    }
}

static void leave_hub(flow *f, int32_t hub)
{
    const tacit__net *g = f->net;
    for (int32_t e = g->starts[hub]; e < g->starts[hub + 1]; e++) {
        int32_t gate = tacit__net_near(g->near[e]);
        flow_meet(f, gate, hub);
        if (f->to[gate] == hub)
            flow_meet(f, gate + g->vertices, hub); /* back along a way */
    }
}

static void leave_entrance(flow *f, int32_t gate)
{
    if (f->from[gate] < 0)
        flow_meet(f, gate + f->net->vertices, gate);
    else
        flow_meet(f, f->from[gate], gate);
}

static void leave_exit(flow *f, int32_t gate)
{
    const tacit__net *g = f->net;
    if (f->from[gate] >= 0)
        flow_meet(f, gate, gate + g->vertices);
    for (int32_t e = g->starts[gate]; e < g->starts[gate + 1]; e++)
        flow_meet(f, tacit__net_near(g->near[e]), gate + g->vertices);
}

static bool is_gate(const flow *f, int32_t vertex, bool rows)
{
    return (vertex < f->net->rows) == rows;
}

/* Whether there is one more way. */
static bool search(flow *f, int32_t start, int32_t end, bool rows)
{
    int32_t n = f->net->vertices;
    memset(f->parent, -1, 2 * (size_t)n * sizeof *f->parent);
    f->first = f->count = 0;
    flow_meet(f, start, start);
    while (f->first < f->count && f->parent[end] < 0) {
        int32_t node = f->queue[f->first++];
        if (node >= n)
            leave_exit(f, node - n);
        else if (is_gate(f, node, rows))
            leave_entrance(f, node);
        else
            leave_hub(f, node);
    }
    return f->parent[end] >= 0;
}

/* Takes the way found, from its end: gates get the hubs that it comes from and goes to. */
static void take(flow *f, int32_t start, int32_t end, bool rows)
{
    int32_t n = f->net->vertices;
    for (int32_t node = end; node != start;) {
        int32_t before = f->parent[node];
        if (before >= n && node < n && !is_gate(f, node, rows))
            f->to[before - n] = node;
        else if (before >= n) /* in at the exit, out at the entrance: given up */
            f->to[node] = f->from[node] = -1;
        else if (node < n && is_gate(f, node, rows))
            f->from[node] = before;
        node = before;
    }
}

/* Whether two hubs have more than k gates in common; marked is scratch. */
static bool close_together(flow *f, int32_t a, int32_t b, int32_t k)
{
    const tacit__net *g = f->net;
    int32_t common = 0;
    for (int32_t i = g->starts[a], j = g->starts[b];
         i < g->starts[a + 1] && j < g->starts[b + 1];) {
        int32_t u = tacit__net_near(g->near[i]), v = tacit__net_near(g->near[j]);
        common += u == v;
        i += u <= v;
        j += v <= u;
    }
    return common > k;
}

/* The gates that part two hubs, if k are enough. */
static void part(int32_t *cut, int32_t *count, flow *f, int32_t a, int32_t b, bool rows, int32_t k)
{
    const tacit__net *g = f->net;
    int32_t ways = 0;
    if (close_together(f, a, b, k))
        return;
    for (int32_t v = 0; v < g->vertices; v++)
        f->from[v] = f->to[v] = -1;
    while (ways <= k && search(f, a, b, rows)) {
        take(f, a, b, rows);
        ways++;
    }
    for (int32_t v = 0; v < g->vertices && ways <= k; v++)
        if (is_gate(f, v, rows) && f->parent[v] >= 0 && f->parent[v + g->vertices] < 0)
            cut[(*count)++] = v;
}

/* Finds k rows at most, or columns, whose removal leaves two vertices of the other side apart that
 * were in one component. cut has room for k; *count is 0 where there are none. */
static tacit_status separate(int32_t *cut, int32_t *count, const tacit__net *net,
                             const int32_t *component, bool rows, int32_t k, const tacit_run *run,
                             tacit_error *err)
{
    size_t n = (size_t)net->vertices;
    flow f = {.net = net};
    int32_t *hub = tacit__alloc_array(n, sizeof *hub); /* the first of each component */
    f.from = tacit__alloc_array(n, sizeof *f.from);
    f.to = tacit__alloc_array(n, sizeof *f.to);
    f.parent = tacit__alloc_array(2 * n, sizeof *f.parent);
    f.queue = tacit__alloc_array(2 * n, sizeof *f.queue);
    tacit_status status = TACIT_OK;
    if (!hub || !f.from || !f.to || !f.parent || !f.queue)
        status = tacit__nomem(err);
    *count = 0;
    for (int32_t v = 0; v < net->vertices && status == TACIT_OK; v++)
        hub[v] = -1;
    for (int32_t v = 0; v < net->vertices && status == TACIT_OK && *count == 0; v++) {
        if (is_gate(&f, v, rows))
            continue;
        if (hub[component[v]] < 0)
            hub[component[v]] = v;
        else
            part(cut, count, &f, hub[component[v]], v, rows, k);
        status = tacit__progress(run, "levels: ways", v, net->vertices, err);
    }
    tacit__free(hub);
    tacit__free(f.from);
    tacit__free(f.to);
    tacit__free(f.parent);
    tacit__free(f.queue);
    return status;
}

typedef struct inquiry {
    tacit__total total;
    tacit_total_levels found;
} inquiry;

/* ---- single cells ---- */

static tacit_status find_cell(inquiry *l, tacit_error *err)
{
    int32_t *known = NULL, count = 0;
    tacit_status status = tacit__known_cells(&known, &count, &l->total, err);
    l->found.cells = count == 0;
    l->found.cell = count ? known[0] : -1;
    tacit__free(known);
    return status;
}

/* ---- single rows and columns ---- */

/* The earliest vertex that the subtree of each is next to, by the forest's numbers. */
static void find_lowest(int32_t *low, const tacit__total *t)
{
    const tacit__net *g = t->net;
    const tacit__cuts *c = t->cuts;
    for (int32_t i = c->count - 1; i >= 0; i--) {
        int32_t v = c->vertex[i];
        for (int32_t e = g->starts[v]; e < g->starts[v + 1]; e++) {
            int32_t there = c->number[tacit__net_near(g->near[e])];
            if (there < low[i])
                low[i] = there;
        }
        if (c->parent[i] >= 0 && low[i] < low[c->parent[i]])
            low[c->parent[i]] = low[i];
    }
}

/* A vertex parts its component if some subtree below it reaches no further up; a root if it has
 * two subtrees. Components are strong by now. */
static tacit_status find_line(inquiry *l, tacit_error *err)
{
    const tacit__cuts *c = l->total.cuts;
    int32_t *low = tacit__alloc_array((size_t)c->count, sizeof *low), found = -1;
    if (!low)
        return tacit__nomem(err);
    for (int32_t i = 0; i < c->count; i++)
        low[i] = i;
    find_lowest(low, &l->total);
    for (int32_t i = 0; i < c->count && found < 0; i++) {
        int32_t above = c->parent[i];
        bool second = above >= 0 && c->parent[above] < 0 && i > above + 1;
        if (above >= 0 && low[i] >= above && (c->parent[above] >= 0 || second))
            found = c->vertex[above];
    }
    tacit__free(low);
    l->found.lines = found < 0;
    if (found >= 0 && found < l->total.net->rows)
        l->found.row = found;
    else if (found >= 0)
        l->found.column = found - l->total.net->rows;
    return TACIT_OK;
}

/* ---- several ---- */

static tacit_status find_several(inquiry *l, const tacit_run *run, tacit_error *err)
{
    tacit_total_levels *found = &l->found;
    const tacit__net *g = l->total.net;
    tacit_status status = TACIT_OK;
    int32_t k = found->k < g->vertices ? found->k : g->vertices;
    found->line_list = tacit__alloc_array((size_t)k, sizeof *found->line_list);
    if (!found->line_list)
        return tacit__nomem(err);
    if (!found->lines) {
        found->line_count = 1;
        found->of_rows = found->row >= 0;
        found->line_list[0] = found->of_rows ? found->row : found->column;
        return TACIT_OK;
    }
    for (int side = 0; side < 2 && k > 1 && status == TACIT_OK && !found->line_count; side++) {
        found->of_rows = side == 0;
        status = separate(found->line_list, &found->line_count, g, l->total.strong, found->of_rows,
                          k, run, err);
    }
    for (int32_t i = 0; i < found->line_count && !found->of_rows; i++)
        found->line_list[i] -= g->rows;
    found->several = found->line_count == 0;
    return status;
}

/* ---- the whole table ---- */

/* The first column of the row's component that it is not next to; -1: none. marked: a vertex
 * each, the last row that was next to it. */
static int32_t missing_column(const tacit__net *g, const int32_t *columns, int32_t count,
                              int32_t row, int32_t *marked)
{
    for (int32_t e = g->starts[row]; e < g->starts[row + 1]; e++)
        marked[tacit__net_near(g->near[e])] = row;
    for (int32_t k = 0; k < count; k++)
        if (marked[columns[k]] != row)
            return columns[k];
    return -1;
}

/* A row that has all columns has as many as the component; so the search ends with the cells. */
static tacit_status find_open(inquiry *l, tacit_error *err)
{
    const tacit__net *g = l->total.net;
    tacit__net_groups groups = {0};
    int32_t *marked = tacit__alloc_array((size_t)g->vertices, sizeof *marked);
    tacit_status status = marked ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__net_groups_init(&groups, l->total.strong, g->vertices,
                                        l->total.strong_count, err);
    for (int32_t v = 0; v < g->vertices && status == TACIT_OK; v++)
        marked[v] = -1;
    for (int32_t p = 0; p < l->total.strong_count && status == TACIT_OK; p++) {
        int32_t first = groups.starts[p], last = groups.starts[p + 1], middle = first;
        while (middle < last && groups.members[middle] < g->rows)
            middle++;
        for (int32_t k = first; k < middle && l->found.open_row < 0; k++) {
            int32_t row = groups.members[k];
            int32_t column = missing_column(g, groups.members + middle, last - middle, row, marked);
            if (column >= 0) {
                l->found.open_row = row;
                l->found.open_column = column - g->rows;
            }
        }
    }
    l->found.table = l->found.open_row < 0;
    tacit__net_groups_clear(&groups);
    tacit__free(marked);
    return status;
}

/* ---- */

static tacit_status look(inquiry *l, const tacit_run *run, tacit_error *err)
{
    tacit__total *t = &l->total;
    tacit_status status = tacit__net_new(&t->net, t->table, err);
    if (status != TACIT_OK)
        return status;
    t->strong = tacit__alloc_array((size_t)t->net->vertices, sizeof *t->strong);
    if (!t->strong)
        return tacit__nomem(err);
    tacit__net_numbers count;
    status = tacit__net_strong(t->strong, &count, NULL, t->net, err);
    if (status != TACIT_OK)
        return status;
    t->strong_count = count.strong;
    tacit__net_filter inside = tacit__inside(t);
    status = tacit__cuts_new(&t->cuts, t->net, &inside, err);
    if (status != TACIT_OK)
        return status;
    status = find_cell(l, err);
    if (status == TACIT_OK && l->found.cells)
        status = find_line(l, err);
    if (status == TACIT_OK && l->found.cells)
        status = find_several(l, run, err);
    if (status == TACIT_OK && l->found.cells)
        status = find_open(l, err);
    return status;
}

tacit_status tacit_audit_levels(tacit_total_levels *out, const tacit_flat_view *table, int32_t k,
                                const tacit_run *run, tacit_error *err)
{
    inquiry l = {.total = {.table = table},
                 .found = {.k = k, .row = -1, .column = -1, .open_row = -1, .open_column = -1}};
    if (k < 1)
        return tacit__error(err, TACIT_INVALID, "k counts rows and columns, from 1");
    tacit_status status = look(&l, run, err);
    tacit__net_free(l.total.net);
    tacit__free(l.total.strong);
    tacit__cuts_free(l.total.cuts);
    if (status == TACIT_OK)
        *out = l.found;
    else
        tacit_total_levels_clear(&l.found);
    return status;
}

void tacit_total_levels_clear(tacit_total_levels *levels)
{
    tacit__free(levels->line_list);
    *levels = (tacit_total_levels){0};
}
