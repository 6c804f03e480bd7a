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
#include "audit/total/total.h"

#include "base/alloc.h"
#include "base/error.h"

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
        status = tacit__separate(found->line_list, &found->line_count, g, l->total.strong,
                                 found->of_rows, k, run, err);
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
