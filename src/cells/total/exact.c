/*
 * exact.c - total protection at least cost by integer programs, for tables in which cells
 * are directed, must be published or have costs (Kao, Total Protection, section 4: NP-complete).
 *
 * Suppressing more never undoes protection. So if a set of offers P leaves Q unprotected, each
 * answer has an offer outside P. The fewer those are the more that says: P is grown until every
 * further offer would protect Q, and the rest is a cut, of which at least one offer must be
 * taken. A cut is most often what leaves a set of vertices, or enters it (strong connectivity), or
 * joins two parts that only Q joins. The program has the cuts found so far and no others: its
 * answer either protects Q, and is the best there is, or breaks cuts that are then added. Several
 * at a time, no two of which share an offer: after each its offers are taken for granted and the
 * next is looked for, until Q is protected; what comes out, pruned, is an answer too.
 *
 * First the program without integers, as long as its answers break cuts, then with them. Its
 * bound is one on the problem at any time. Cuts of one offer at least would leave it at half of
 * what a tree needs, so partitions come first. All rows and columns of a home, a component of the
 * suppressed graph, are connected without Q in the end, whatever the directions. So if rows and
 * columns are put into classes, such that suppressed cells outside Q stay within them, and c
 * classes have a row or column of one home, then the offers between classes that are taken are
 * c - 1 at least. With two classes that is a cut; with more it is what a program of cuts alone
 * misses by half: a ring of halves keeps all cuts. The classes tried are those that the offers of
 * some value and more connect.
 */
#include "cells/total/total.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "graph/graph.h"
#include "solver/solver.h"

/* Classes by suppressed cells outside Q, and offers of at least so much. */
static int32_t make_classes(tacit__parting *p, const tacit__model *m, const double *values,
                            double least)
{
    tacit__sets_init(p->class_of, m->graph->vertices);
    for (int32_t k = 0; k < p->free_count; k++)
        tacit__sets_join(p->class_of, m->row[p->free_edges[k]],
                         tacit__near(m->graph->near[p->free_edges[k]]));
    for (int32_t i = 0; i < m->offers; i++)
        if (values[i] >= least)
            tacit__sets_join(p->class_of, m->row[m->offer[i]],
                             tacit__near(m->graph->near[m->offer[i]]));
    return tacit__sets_number(p->class_of, m->graph->vertices);
}

/* The most classes that one home has a part of. */
static int32_t max_classes(tacit__parting *p, int32_t classes)
{
    int32_t most = 0;
    for (int32_t c = 0; c < classes; c++)
        p->seen[c] = -1;
    for (int32_t h = 0; h < p->home_count; h++) {
        int32_t many = 0;
        for (int32_t k = p->homes.starts[h]; k < p->homes.starts[h + 1]; k++) {
            int32_t class = p->class_of[p->homes.members[k]];
            many += p->seen[class] != h;
            p->seen[class] = h;
        }
        most = many > most ? many : most;
    }
    return most;
}

/* The classes that offers of a value of at least so much connect: items gets the places of the
 * offers between them, of which as many must be taken as is returned. */
static int32_t parting_cut(tacit__parting *p, int32_t *items, int32_t *count, const tacit__model *m,
                           const double *values, double least)
{
    int32_t needed = max_classes(p, make_classes(p, m, values, least)) - 1;
    *count = 0;
    for (int32_t i = 0; i < m->offers; i++)
        if (p->class_of[m->row[m->offer[i]]] !=
            p->class_of[tacit__near(m->graph->near[m->offer[i]])])
            items[(*count)++] = i;
    return needed;
}

/* Publishes all offers. */
static tacit_status parting_init(tacit__parting *p, tacit__model *m, tacit_error *err)
{
    const tacit__graph *g = m->graph;
    size_t n = (size_t)g->vertices;
    *p = (tacit__parting){0};
    p->class_of = tacit__alloc_array(n, sizeof *p->class_of);
    p->seen = tacit__alloc_array(n, sizeof *p->seen);
    p->free_edges = tacit__alloc_array((size_t)g->edges, sizeof *p->free_edges);
    if (!p->class_of || !p->seen || !p->free_edges)
        return tacit__nomem(err);
    tacit__model_set_all(m, false);
    tacit__graph_parts(p->class_of, &p->home_count, g, &TACIT__ALL_HIDDEN);
    for (int32_t e = 0; e < g->edges; e++)
        if (tacit__counts(&TACIT__NOT_SECRET, m->row[e], g->near[e]))
            p->free_edges[p->free_count++] = e;
    return tacit__groups_init(&p->homes, p->class_of, g->vertices, p->home_count, err);
}

/* Publishes all offers. */
static void parting_clear(tacit__parting *p)
{
    tacit__free(p->class_of);
    tacit__free(p->seen);
    tacit__free(p->free_edges);
    tacit__groups_clear(&p->homes);
}

/* A value is 0 below this, and a cut is broken that is this far from 1. */
#define ZERO 1e-6

/* Values from which on offers are taken for granted when an answer without integers is looked
 * at. */
enum { THRESHOLDS = 8 };
static const double thresholds[THRESHOLDS] = {2, 0.99, 0.7, 0.5, 0.34, 0.25, 0.1, ZERO};

typedef struct program {
    tacit__model *model;
    tacit__parting partition;
    tacit__best *best;
    tacit__solver *solver;
    double *values; /* of the last answer, an offer each */
    double *start;  /* the best answer as values */
    bool *granted;  /* offers that are taken, for the cut in hand */
    int32_t *left;  /* edges: scratch for growing */
    int32_t *place; /* an edge each: its place among the offers */
    int32_t *items;
    double *ones;
    bool whole; /* costs are whole numbers */
} program;

static tacit_status add_columns(program *p, tacit_error *err)
{
    const tacit__model *m = p->model;
    tacit__line_list columns = {0};
    for (int32_t i = 0; i < m->offers; i++) {
        p->place[m->offer[i]] = i;
        tacit__lines_end_column(&columns, 0, 1, m->cost[m->offer[i]], true);
    }
    tacit_status status = tacit__solver_take_columns(p->solver, &columns, err);
    tacit__lines_clear(&columns);
    return status;
}

/* ---- cuts ---- */

static void set_granted(program *p)
{
    for (int32_t i = 0; i < p->model->offers; i++)
        tacit__model_set(p->model, p->model->offer[i], p->granted[i]);
}

/* Of the first so many items `least` must be taken; unless the answer does. */
static tacit_status add_row(program *p, int32_t count, double least, bool *broken, tacit_error *err)
{
    double sum = 0, most = INFINITY;
    int32_t starts[2] = {0, count};
    for (int32_t k = 0; k < count; k++)
        sum += p->values[p->items[k]];
    if (sum > least - ZERO)
        return TACIT_OK;
    *broken = true;
    tacit__solver_lines lines = {.count = 1,
                                 .lower = &least,
                                 .upper = &most,
                                 .starts = starts,
                                 .items = p->items,
                                 .values = p->ones};
    return tacit__solver_add_rows(p->solver, &lines, err);
}

static tacit_status cut_partitions(program *p, bool *broken, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t t = 0; t < THRESHOLDS && status == TACIT_OK; t++) {
        int32_t count, needed = parting_cut(&p->partition, p->items, &count, p->model, p->values,
                                            thresholds[t]);
        status = add_row(p, count, needed, broken, err);
    }
    return status;
}

/* What growing left over is a cut; its offers are granted. */
static tacit_status add_cut(program *p, int32_t count, bool *broken, tacit_error *err)
{
    for (int32_t k = 0; k < count; k++) {
        p->items[k] = p->place[p->left[k]];
        p->granted[p->items[k]] = true;
    }
    return add_row(p, count, 1, broken, err);
}

/* The offers that are not granted, first those that do not lead out of the part of the failing
 * cell's row; how many these are. Growing by them all at once most often succeeds. */
static int32_t list_left(program *p, int32_t *count)
{
    const tacit__model *m = p->model;
    int32_t part = m->loose[m->row[m->failed]], inner = 0;
    *count = 0;
    for (int leading = 0; leading < 2; leading++)
        for (int32_t i = 0; i < m->offers; i++) {
            int32_t edge = m->offer[i], column = tacit__near(m->graph->near[edge]);
            bool leads = (m->loose[m->row[edge]] == part) != (m->loose[column] == part);
            if (p->granted[i] || leads != leading)
                continue;
            p->left[(*count)++] = edge;
            inner += !leading;
        }
    return inner;
}

/* Cuts that the offers granted do not keep, until they protect Q; then an answer out of them. */
static tacit_status find_cuts(program *p, bool *broken, const tacit_run *run, tacit_error *err)
{
    tacit__model *m = p->model;
    bool kept = false;
    set_granted(p);
    tacit_status status = tacit__model_test(&kept, m, err);
    while (status == TACIT_OK && !kept) {
        int32_t count, inner = list_left(p, &count);
        status = tacit__model_squeeze(m, p->left, &count, inner, true, false, err);
        if (status == TACIT_OK)
            status = add_cut(p, count, broken, err);
        set_granted(p);
        if (status == TACIT_OK)
            status = tacit__model_test(&kept, m, err);
        if (status == TACIT_OK)
            status = tacit__progress(run, "total protection: cuts", m->tests, 0, err);
    }
    if (status == TACIT_OK)
        status = tacit__model_prune(m, 1, err);
    if (status == TACIT_OK)
        tacit__best_offer(p->best, m);
    return status;
}

/* Grants the offers above a value. */
static tacit_status cut_above(program *p, double least, bool *broken, const tacit_run *run,
                              tacit_error *err)
{
    for (int32_t i = 0; i < p->model->offers; i++)
        p->granted[i] = p->values[i] > least;
    return find_cuts(p, broken, run, err);
}

/* ---- solving ---- */

/* Whether the bound leaves nothing to find, but for what the solver's costs may be off by. */
static bool is_proven(program *p)
{
    tacit__best *best = p->best;
    double noise = 2 * TACIT__SOLVER_COST * fmax(1, best->cost);
    if (p->whole)
        best->bound = ceil(best->bound - noise);
    if (best->cost - best->bound <= noise)
        best->bound = best->cost;
    return best->bound >= best->cost;
}

static tacit_status solve(program *p, bool relaxed, bool *solved, const tacit_run *run,
                          tacit_error *err)
{
    tacit__solver_answer answer;
    tacit__solver_options options = {.relaxed = relaxed, .phase = "total protection: program"};
    for (int32_t i = 0; i < p->model->offers; i++)
        p->start[i] = p->best->taken[i];
    options.start = relaxed ? NULL : p->start;
    tacit_status status = tacit__solver_solve(&answer, p->solver, &options, run, err);
    if (status != TACIT_OK)
        return status;
    *solved = answer.result == TACIT__SOLVER_OPTIMAL;
    p->best->bound = fmax(p->best->bound, answer.bound);
    for (int32_t i = 0; i < p->model->offers && *solved; i++)
        p->values[i] = answer.values[i];
    return TACIT_OK;
}

/* Rounds of programs and cuts; relaxed ends where no cut is found, the other when all is proven. */
static tacit_status search(program *p, bool relaxed, const tacit_run *run, tacit_error *err)
{
    bool solved = true, broken = true;
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && solved && broken && !is_proven(p)) {
        status = solve(p, relaxed, &solved, run, err);
        broken = false;
        if (status == TACIT_OK && solved && !is_proven(p))
            status = cut_partitions(p, &broken, err);
        if (status == TACIT_OK && solved && !broken && !is_proven(p))
            status = cut_above(p, relaxed ? ZERO : 0.5, &broken, run, err);
        for (size_t t = 1; t < THRESHOLDS && relaxed && solved && !broken; t++)
            if (status == TACIT_OK)
                status = cut_above(p, thresholds[t], &broken, run, err);
    }
    return status;
}

static tacit_status run_program(program *p, const tacit_run *run, tacit_error *err)
{
    size_t n = (size_t)p->model->offers;
    p->values = tacit__alloc_zeroed(n, sizeof *p->values);
    p->start = tacit__alloc_array(n, sizeof *p->start);
    p->granted = tacit__alloc_array(n, sizeof *p->granted);
    p->left = tacit__alloc_array(n, sizeof *p->left);
    p->items = tacit__alloc_array(n, sizeof *p->items);
    p->ones = tacit__alloc_array(n, sizeof *p->ones);
    p->place = tacit__alloc_array((size_t)p->model->graph->edges, sizeof *p->place);
    if (!p->values || !p->start || !p->granted || !p->left || !p->items || !p->ones || !p->place)
        return tacit__nomem(err);
    for (size_t i = 0; i < n; i++)
        p->ones[i] = 1;
    tacit_status status = parting_init(&p->partition, p->model, err);
    if (status == TACIT_OK)
        status = tacit__solver_new(&p->solver, NULL, err);
    if (status == TACIT_OK)
        status = add_columns(p, err);
    if (status == TACIT_OK)
        status = search(p, true, run, err);
    if (status == TACIT_OK)
        status = search(p, false, run, err);
    return status;
}

tacit_status tacit__model_exact(tacit__best *best, tacit__model *model, bool whole,
                                const tacit_run *run, tacit_error *err)
{
    program p = {.model = model, .best = best, .whole = whole};
    tacit_status status = run_program(&p, run, err);
    is_proven(&p); /* the bound, rounded */
    tacit__solver_free(p.solver);
    parting_clear(&p.partition);
    tacit__free(p.values);
    tacit__free(p.start);
    tacit__free(p.granted);
    tacit__free(p.left);
    tacit__free(p.items);
    tacit__free(p.ones);
    tacit__free(p.place);
    return status;
}
