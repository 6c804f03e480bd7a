/*
 * model.c - a whole table in which cells are suppressed and published again; see
 * model.h.
 *
 * Costs 60 bytes a cell of the table. A test takes a pass over all cells, suppressed or not: such
 * tables are small, or nobody waits for an integer program.
 */
#include "cells/total/model.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/total/total.h"

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

tacit_status tacit__model_init(tacit__model *model, const tacit_flat_view *table, tacit_error *err)
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
        tacit__model_clear(model);
    return status;
}

void tacit__model_clear(tacit__model *model)
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

double tacit__model_cost(const tacit__model *model)
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
    double cost = tacit__model_cost(model);
    if (!(cost < best->cost))
        return;
    best->cost = cost;
    for (int32_t i = 0; i < model->offers; i++)
        best->taken[i] = tacit__model_hidden(model, model->offer[i]);
}
