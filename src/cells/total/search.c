/*
 * search.c - total protection where cells are directed, must be published, or have costs.
 *
 * Without directions and costs, and with every published cell free, the problem is easy
 * (count.c). What that needs is a bound on what this needs: so many cells at least,
 * which cost no less than the cheapest so many. And its answer is where the first attempt starts,
 * repaired and pruned; others start from nothing and, on small tables, from everything. The best
 * goes to the integer programs (exact.c), which prove it or improve on it.
 *
 * Repair: for a cell of Q that fails the test, between row u and column v, the cheapest way from u
 * to v is suppressed over cells outside Q that connect both ends both ways: undirected, or inside
 * one strong component already. Then u and v are in one strong component and connected in it
 * without Q, and will stay so, whatever else is suppressed. Where there is no such way, cheapest
 * ways in the cells' own directions from u to v and back are suppressed: they make one component of
 * all they touch, in which the first kind of way may be found next. Where that changes nothing, all
 * offers are suppressed. Ways by Dijkstra's algorithm in the square of the lines; as many as there
 * are parts to join.
 *
 * Costs 60 bytes a cell of the table. A test takes a pass over all cells, suppressed or not: such
 * tables are small, or nobody waits for an integer program.
 */
#include "cells/total/total.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

/* ---- all cells of the table ---- */

typedef struct dense {
    int32_t *row, *column;
    char *status;
    double *value, *lower, *upper, *cost;
    bool *secret;
} dense;

static void dense_clear(dense *d)
{
    void *const blocks[] = {d->row,   d->column, d->status, d->value,
                            d->lower, d->upper,  d->cost,   d->secret};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        tacit__free(blocks[i]);
}

static bool dense_alloc(dense *d, size_t cells)
{
    d->row = tacit__alloc_array(cells, sizeof *d->row);
    d->column = tacit__alloc_array(cells, sizeof *d->column);
    d->status = tacit__alloc_array(cells, sizeof *d->status);
    d->value = tacit__alloc_array(cells, sizeof *d->value);
    d->lower = tacit__alloc_zeroed(cells, sizeof *d->lower);
    d->upper = tacit__alloc_array(cells, sizeof *d->upper);
    d->cost = tacit__alloc_array(cells, sizeof *d->cost);
    d->secret = tacit__alloc_zeroed(cells, sizeof *d->secret);
    return d->row && d->column && d->status && d->value && d->lower && d->upper && d->cost &&
           d->secret;
}

/* Cells that are not listed, then those that are. Without values: 1, between 0 and 2. */
static void dense_fill(dense *d, const tacit_flat_view *t)
{
    for (int32_t i = 0; i < t->rows * t->columns; i++) {
        d->row[i] = i / t->columns;
        d->column[i] = i % t->columns;
        d->status[i] = t->rest == TACIT_REST_FIXED ? 'z' : 's';
        d->value[i] = t->rest == TACIT_REST_LOWER ? 0 : 1;
        d->upper[i] = 2;
        d->cost[i] = 1;
    }
    for (int32_t k = 0; k < t->count; k++) {
        int32_t i = t->row[k] * t->columns + t->column[k];
        d->status[i] = t->status ? t->status[k] : 'u';
        d->secret[i] = t->secret ? t->secret[k] : d->status[i] == 'u';
        d->cost[i] = t->cost ? t->cost[k] : 1;
        d->value[i] = t->value ? t->value[k] : 1;
        d->lower[i] = t->value && t->lower ? t->lower[k] : 0;
        d->upper[i] = t->value && t->upper ? t->upper[k] : t->value ? INFINITY : 2;
    }
}

/* ---- the model ---- */

static void find_twins(tacit__model *m)
{
    const tacit__graph *g = m->graph;
    int32_t *filled = m->loose; /* not needed before a test */
    for (int32_t v = 0; v < g->vertices; v++)
        filled[v] = g->starts[v];
    for (int32_t row = 0; row < g->rows; row++)
        for (int32_t e = g->starts[row]; e < g->starts[row + 1]; e++) {
            int32_t other = filled[tacit__near(g->near[e])]++;
            m->twin[e] = other;
            m->twin[other] = e;
            m->row[e] = row;
        }
}

static void list_offers(tacit__model *m, const dense *d)
{
    tacit__graph *g = m->graph;
    for (int32_t e = 0; e < g->edges; e++) {
        m->cost[e] = d->cost[tacit__graph_cell(g, e)];
        if (!tacit__model_hidden(m, e))
            m->offer[m->offers++] = e;
        if ((g->near[e] & TACIT__BOTH) != TACIT__BOTH)
            g->directed = g->edges; /* published ones may be suppressed */
    }
}

static tacit_status fill_model(tacit__model *m, const dense *d, tacit_error *err)
{
    size_t edges = (size_t)m->graph->edges, vertices = (size_t)m->graph->vertices;
    m->twin = tacit__alloc_array(2 * edges, sizeof *m->twin);
    m->row = tacit__alloc_array(edges, sizeof *m->row);
    m->offer = tacit__alloc_array(edges, sizeof *m->offer);
    m->cost = tacit__alloc_array(edges, sizeof *m->cost);
    m->strong = tacit__alloc_array(vertices, sizeof *m->strong);
    m->loose = tacit__alloc_array(vertices, sizeof *m->loose);
    if (!m->twin || !m->row || !m->offer || !m->cost || !m->strong || !m->loose)
        return tacit__nomem(err);
    find_twins(m);
    list_offers(m, d);
    return TACIT_OK;
}

static void model_clear(tacit__model *model)
{
    tacit__graph_free(model->graph);
    tacit__free(model->twin);
    tacit__free(model->row);
    tacit__free(model->offer);
    tacit__free(model->cost);
    tacit__free(model->strong);
    tacit__free(model->loose);
    *model = (tacit__model){0};
}

static tacit_status model_init(tacit__model *model, const tacit_flat_view *table, tacit_error *err)
{
    size_t cells = (size_t)table->rows * (size_t)table->columns;
    dense d = {0};
    *model = (tacit__model){.failed = -1};
    tacit_status status = dense_alloc(&d, cells) ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        dense_fill(&d, table);
        tacit_flat_view all = {.rows = table->rows,
                               .columns = table->columns,
                               .count = (int32_t)cells,
                               .row = d.row,
                               .column = d.column,
                               .status = d.status,
                               .value = d.value,
                               .lower = d.lower,
                               .upper = d.upper,
                               .cost = d.cost,
                               .secret = d.secret,
                               .rest = TACIT_REST_FIXED, /* so that only those are left out */
                               .name = table->name,
                               .named = table->named};
        status = tacit__graph_new(&model->graph, &all, err);
    }
    if (status == TACIT_OK)
        status = fill_model(model, &d, err);
    dense_clear(&d);
    if (status != TACIT_OK)
        model_clear(model);
    return status;
}

void tacit__model_set(tacit__model *model, int32_t edge, bool hidden)
{
    uint32_t *near = model->graph->near;
    if (hidden != tacit__model_hidden(model, edge)) {
        near[edge] ^= TACIT__HIDDEN;
        near[model->twin[edge]] ^= TACIT__HIDDEN;
    }
}

void tacit__model_set_all(tacit__model *model, bool hidden)
{
    for (int32_t i = 0; i < model->offers; i++)
        tacit__model_set(model, model->offer[i], hidden);
}

/* What is suppressed by now of the offers. */
static double model_cost(const tacit__model *model)
{
    double cost = 0;
    for (int32_t i = 0; i < model->offers; i++)
        cost += tacit__model_hidden(model, model->offer[i]) ? model->cost[model->offer[i]] : 0;
    return cost;
}

tacit_status tacit__model_test(bool *kept, tacit__model *model, tacit_error *err)
{
    tacit_status status =
        tacit__total_test(&model->failed, model->strong, model->loose, model->graph, err);
    model->tests++;
    *kept = status == TACIT_OK && model->failed < 0;
    return status;
}

/* Changes a block if the test allows it. */
static tacit_status change(bool *changed, tacit__model *model, const int32_t *edges, int32_t count,
                           bool hidden, bool want, tacit_error *err)
{
    bool kept = !want;
    for (int32_t k = 0; k < count; k++)
        tacit__model_set(model, edges[k], hidden);
    tacit_status status = tacit__model_test(&kept, model, err);
    *changed = kept == want;
    for (int32_t k = 0; k < count && !*changed; k++)
        tacit__model_set(model, edges[k], !hidden);
    return status;
}

tacit_status tacit__model_squeeze(tacit__model *model, int32_t *edges, int32_t *count,
                                  int32_t block, bool hidden, bool want, tacit_error *err)
{
    int32_t left = 0, first = 0;
    tacit_status status = TACIT_OK;
    while (first < *count && status == TACIT_OK) {
        bool changed = false;
        block = block < 1 ? 1 : block < *count - first ? block : *count - first;
        status = change(&changed, model, edges + first, block, hidden, want, err);
        if (!changed && block == 1)
            edges[left++] = edges[first++];
        else if (changed)
            first += block;
        block = changed ? 2 * block : block / 2;
    }
    *count = left;
    return status;
}

void tacit__best_offer(tacit__best *best, const tacit__model *model)
{
    double cost = model_cost(model);
    if (!(cost < best->cost))
        return;
    best->cost = cost;
    for (int32_t i = 0; i < model->offers; i++)
        best->taken[i] = tacit__model_hidden(model, model->offer[i]);
}

typedef struct way_search {
    tacit__model *model;
    double *distance; /* a vertex each */
    int32_t *from;    /* the entry of near that it was reached by; -1: none */
    bool *done;
    bool blind; /* both ways at once, instead of the cells' directions */
} way_search;

/* Whether an edge can be gone along, and what that costs. */
static double price(const way_search *w, int32_t vertex, int32_t entry)
{
    const tacit__model *m = w->model;
    uint32_t word = m->graph->near[entry];
    int32_t edge = entry < m->twin[entry] ? entry : m->twin[entry];
    bool open = word & TACIT__OUT;
    if (w->blind)
        open = !(word & TACIT__SECRET) && ((word & TACIT__BOTH) == TACIT__BOTH ||
                                           m->strong[vertex] == m->strong[tacit__near(word)]);
    return !open ? INFINITY : word & TACIT__HIDDEN ? 0 : m->cost[edge];
}

static int32_t nearest(const way_search *w)
{
    int32_t best = -1;
    for (int32_t v = 0; v < w->model->graph->vertices; v++)
        if (!w->done[v] && w->distance[v] < INFINITY &&
            (best < 0 || w->distance[v] < w->distance[best]))
            best = v;
    return best;
}

static void spread(way_search *w, int32_t start, int32_t end)
{
    const tacit__graph *g = w->model->graph;
    for (int32_t v = 0; v < g->vertices; v++) {
        w->distance[v] = v == start ? 0 : INFINITY;
        w->from[v] = -1;
        w->done[v] = false;
    }
    for (int32_t v = start; v >= 0 && v != end; v = nearest(w)) {
        w->done[v] = true;
        for (int32_t e = g->starts[v]; e < g->starts[v + 1]; e++) {
            int32_t there = tacit__near(g->near[e]);
            double distance = w->distance[v] + price(w, v, e);
            if (distance < w->distance[there]) {
                w->distance[there] = distance;
                w->from[there] = e;
            }
        }
    }
}

/* Suppresses the cheapest way; how many cells of it were published. */
static int32_t take_way(way_search *w, int32_t start, int32_t end)
{
    tacit__model *m = w->model;
    int32_t taken = 0;
    spread(w, start, end);
    for (int32_t v = end; v != start && w->from[v] >= 0;) {
        int32_t entry = w->from[v], twin = m->twin[entry], edge = entry < twin ? entry : twin;
        taken += !tacit__model_hidden(m, edge);
        tacit__model_set(m, edge, true);
        v = tacit__near(m->graph->near[twin]);
    }
    return taken;
}

static tacit_status repair(bool *kept, way_search *w, const tacit_run *run, tacit_error *err)
{
    tacit__model *m = w->model;
    tacit_status status = tacit__model_test(kept, m, err);
    for (int64_t round = 0; status == TACIT_OK && !*kept; round++) {
        int32_t row = m->row[m->failed], column = tacit__near(m->graph->near[m->failed]);
        w->blind = true;
        int32_t taken = take_way(w, row, column);
        w->blind = false;
        if (taken == 0)
            taken = take_way(w, row, column) + take_way(w, column, row);
        if (taken == 0) {
            tacit__model_set_all(m, true);
            return tacit__model_test(kept, m, err);
        }
        status = tacit__progress(run, "total protection: repair", round, 0, err);
        if (status == TACIT_OK)
            status = tacit__model_test(kept, m, err);
    }
    return status;
}

/* Suppresses what repairs Q, the cheapest way for one failing cell after the other; all offers
 * where that finds none. kept false: not even that is enough. */
static tacit_status repair_model(bool *kept, tacit__model *model, const tacit_run *run,
                                 tacit_error *err)
{
    size_t n = (size_t)model->graph->vertices;
    way_search w = {.model = model};
    w.distance = tacit__alloc_array(n, sizeof *w.distance);
    w.from = tacit__alloc_array(n, sizeof *w.from);
    w.done = tacit__alloc_array(n, sizeof *w.done);
    tacit_status status = TACIT_NOMEM;
    if (w.distance && w.from && w.done)
        status = repair(kept, &w, run, err);
    else
        tacit__nomem(err);
    tacit__free(w.distance);
    tacit__free(w.from);
    tacit__free(w.done);
    return status;
}

/* An edge and what it costs, for sorting. */
typedef struct priced {
    double cost;
    int32_t edge;
} priced;

static int dearest_first(const void *left, const void *right)
{
    const priced *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost > b->cost ? -1 : 1;
    return a->edge < b->edge ? 1 : -1;
}

tacit_status tacit__model_prune(tacit__model *model, int32_t block, tacit_error *err)
{
    size_t n = (size_t)model->offers;
    priced *list = tacit__alloc_array(n, sizeof *list);
    int32_t *edges = tacit__alloc_array(n, sizeof *edges);
    tacit_status status = list && edges ? TACIT_OK : tacit__nomem(err);
    int32_t count = 0;
    for (int32_t i = 0; i < model->offers && status == TACIT_OK; i++)
        if (tacit__model_hidden(model, model->offer[i]))
            list[count++] = (priced){model->cost[model->offer[i]], model->offer[i]};
    if (status == TACIT_OK) {
        qsort(list, (size_t)count, sizeof *list, dearest_first);
        for (int32_t k = 0; k < count; k++)
            edges[k] = list[k].edge;
        status = tacit__model_squeeze(model, edges, &count, block, false, true, err);
    }
    tacit__free(list);
    tacit__free(edges);
    return status;
}

/* Offers up to which everything is pruned, and up to which there is a program. */
enum { MAX_PRUNED = 2000, MAX_PROGRAM = 10000 };

typedef struct quest {
    tacit__model model;
    tacit__places easy; /* the answer to the easy problem */
    tacit__best best;
    const tacit_run *run;
} quest;

/* ---- the bound ---- */

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* What so many offers cost at least, and whether costs are whole numbers. */
static tacit_status find_bound(quest *q, bool *whole, tacit_error *err)
{
    const tacit__model *m = &q->model;
    double *costs = tacit__alloc_array((size_t)m->offers, sizeof *costs);
    if (!costs)
        return tacit__nomem(err);
    *whole = true;
    for (int32_t i = 0; i < m->offers; i++) {
        costs[i] = m->cost[m->offer[i]];
        *whole &= costs[i] == floor(costs[i]) && costs[i] < 1e9;
    }
    qsort(costs, (size_t)m->offers, sizeof *costs, ascending);
    q->best.bound = 0;
    for (int32_t i = 0; i < m->offers && i < q->easy.count; i++)
        q->best.bound += costs[i];
    tacit__free(costs);
    return TACIT_OK;
}

/* ---- attempts ---- */

static tacit_status nothing_protects(const tacit__model *m, tacit_error *err)
{
    int32_t row = m->row[m->failed], column = tacit__near(m->graph->near[m->failed]);
    bool known = m->strong[row] != m->strong[column];
    char first[96], second[96];
    return tacit__error(err, TACIT_INFEASIBLE,
                        "nothing can be suppressed that protects all cells: %s %s and %s "
                        "stays known even if all cells are suppressed that may be",
                        known ? "the cell of" : "a sum of protected cells with that of",
                        tacit__name_line(first, m->graph, row),
                        tacit__name_line(second, m->graph, column));
}

/* From the easy answer, or from nothing. */
static tacit_status attempt(quest *q, bool from_easy, tacit_error *err)
{
    tacit__model *m = &q->model;
    bool kept = false;
    tacit__model_set_all(m, false);
    for (int32_t k = 0; from_easy && k < q->easy.count; k++) {
        int32_t edge =
            tacit__graph_edge(m->graph, q->easy.row[k], m->graph->rows + q->easy.column[k]);
        if (edge >= 0)
            tacit__model_set(m, edge, true);
    }
    tacit_status status = repair_model(&kept, m, q->run, err);
    if (status == TACIT_OK)
        status = tacit__model_prune(m, 1, err);
    if (status == TACIT_OK)
        tacit__best_offer(&q->best, m);
    return status;
}

static tacit_status attempt_all(quest *q, tacit_error *err)
{
    tacit__model_set_all(&q->model, true);
    tacit_status status = tacit__model_prune(&q->model, q->model.offers / 2, err);
    if (status == TACIT_OK)
        tacit__best_offer(&q->best, &q->model);
    return status;
}

static tacit_status improve(quest *q, bool quick, bool whole, tacit_error *err)
{
    tacit_status status = attempt(q, true, err);
    if (status == TACIT_OK)
        status = attempt(q, false, err);
    if (status == TACIT_OK && q->model.offers <= MAX_PRUNED)
        status = attempt_all(q, err);
    if (status == TACIT_OK && !quick && q->model.offers <= MAX_PROGRAM)
        status = tacit__model_exact(&q->best, &q->model, whole, q->run, err);
    return status;
}

/* The first answer is everything, if that protects Q. */
static tacit_status start(quest *q, bool *whole, tacit_error *err)
{
    tacit__model *m = &q->model;
    bool kept = false;
    q->best.cost = INFINITY;
    q->best.taken = tacit__alloc_array((size_t)m->offers, sizeof *q->best.taken);
    if (!q->best.taken)
        return tacit__nomem(err);
    tacit__model_set_all(m, true);
    tacit_status status = tacit__model_test(&kept, m, err);
    if (status == TACIT_OK && !kept)
        return nothing_protects(m, err);
    tacit__best_offer(&q->best, m);
    return status == TACIT_OK ? find_bound(q, whole, err) : status;
}

static tacit_status conclude(tacit_total_plan *plan, tacit__places *added, const quest *q,
                             tacit_error *err)
{
    const tacit__model *m = &q->model;
    tacit_status status = TACIT_OK;
    plan->cost = q->best.cost;
    plan->lower_bound = fmin(q->best.bound, q->best.cost);
    plan->optimal = plan->cost - plan->lower_bound <= 1e-9 * fmax(1, plan->cost);
    for (int32_t i = 0; i < m->offers && status == TACIT_OK; i++)
        if (q->best.taken[i])
            status =
                tacit__places_add(added, m->row[m->offer[i]],
                                  tacit__near(m->graph->near[m->offer[i]]) - m->graph->rows, err);
    return status;
}

tacit_status tacit__total_search(tacit_total_plan *plan, tacit__places *added,
                                 const tacit_flat_view *table, const tacit_total_options *options,
                                 const tacit_run *run, tacit_error *err)
{
    quest q = {.run = run};
    bool whole = false;
    tacit_error stop = {0};
    tacit_status status = tacit__total_easy(&q.easy, table, run, err);
    if (status == TACIT_OK)
        status = model_init(&q.model, table, err);
    if (status == TACIT_OK)
        status = start(&q, &whole, err);
    if (status == TACIT_OK) {
        status = improve(&q, options->quick, whole, &stop);
        plan->stopped = status == TACIT_CANCELLED;
        if (plan->stopped)
            status = TACIT_OK;
        else if (status != TACIT_OK && err)
            *err = stop;
    }
    if (status == TACIT_OK)
        status = conclude(plan, added, &q, err);
    model_clear(&q.model);
    tacit__places_clear(&q.easy);
    tacit__free(q.best.taken);
    return status;
}
