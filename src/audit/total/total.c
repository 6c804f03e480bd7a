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
 * for a depth-first forest that counts cuts (reach.c, cuts.c). Memory: 8 bytes a suppressed cell
 * (12 where published ones are listed too, or the list is not in order), 32 a row and column.
 */
#include "audit/total/total.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

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
                cells[count] = tacit__net_cell(g, e);
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
            cells[count] = tacit__net_cell(g, tacit__net_edge(g, a < b ? a : b, a < b ? b : a));
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
        status = tacit__list_sums(audit, total, options->sums, err);
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
