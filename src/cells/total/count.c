/*
 * count.c - the fewest suppressions that protect a set totally, where no cell that could be
 * used is on its bound (Kao, Total Protection, section 5: Problem 5, steps M1 to M6).
 *
 * Q is protected iff the ends of each of its cells are connected by suppressed cells outside
 * Q. So: components of the suppressed graph, the homes (M1); trees of what is connected without
 * Q, which is free (M2); trees of one home joined by published cells between its rows and
 * columns, each of which any answer needs in one form or another (M3, fill.c); and what is
 * left, contracted (M4 to M6), is Problem 7 (seven.c).
 *
 * Directions of cells in Q do not matter: what connects their ends can be traversed both ways.
 * Linear in cells, rows and columns, but for disjoint sets.
 */
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cells/total/total.h"

const char *tacit__name_part(char buffer[256], const tacit__graph *graph, int32_t row,
                             int32_t column)
{
    char first[96] = "", second[96] = "";
    if (row >= 0)
        tacit__name_line(first, graph, row);
    if (column >= 0)
        tacit__name_line(second, graph, column);
    bool both = row >= 0 && column >= 0;
    snprintf(buffer, 256, "%s%s%s%s", both ? "the part of " : "", first, both ? " and " : "",
             second);
    return buffer;
}

static void forest_clear(tacit__forest *f)
{
    tacit__free(f->row);
    tacit__free(f->column);
    tacit__groups_clear(&f->of_home);
}

/* The trees' first rows and columns, and their homes. */
static tacit_status forest_init(tacit__forest *f, const tacit__graph *g, const int32_t *tree,
                                const int32_t *home, tacit_error *err)
{
    size_t trees = (size_t)f->trees;
    int32_t *home_of = tacit__alloc_array(trees, sizeof *home_of);
    f->row = tacit__alloc_array(trees, sizeof *f->row);
    f->column = tacit__alloc_array(trees, sizeof *f->column);
    tacit_status status = home_of && f->row && f->column ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        for (int32_t t = 0; t < f->trees; t++)
            f->row[t] = f->column[t] = -1;
        for (int32_t v = g->vertices - 1; v >= 0; v--) {
            *(v < g->rows ? &f->row[tree[v]] : &f->column[tree[v]]) = v;
            home_of[tree[v]] = home[v];
        }
        status = tacit__groups_init(&f->of_home, home_of, f->trees, f->homes, err);
    }
    tacit__free(home_of);
    return status;
}

tacit_status tacit__total_count(tacit_total_plan *plan, tacit__places *added,
                                const tacit__graph *graph, bool as_published, const tacit_run *run,
                                tacit_error *err)
{
    size_t n = (size_t)graph->vertices;
    tacit__forest forest = {.graph = graph};
    int32_t *home = tacit__alloc_array(n, sizeof *home);
    int32_t *tree = tacit__alloc_array(n, sizeof *tree);
    tacit_status status = home && tree ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        tacit__graph_parts(home, &forest.homes, graph, &TACIT__ALL_HIDDEN);
        tacit__graph_parts(tree, &forest.trees, graph, &TACIT__NOT_SECRET);
        status = tacit__progress(run, "total protection: trees", 1, 3, err);
    }
    if (status == TACIT_OK)
        status = tacit__graph_fill(added, tree, &forest.trees, graph, home, forest.homes, err);
    if (status == TACIT_OK)
        status = tacit__progress(run, "total protection: homes", 2, 3, err);
    if (status == TACIT_OK)
        status = forest_init(&forest, graph, tree, home, err);
    if (status == TACIT_OK)
        status = tacit__total_seven(plan, added, &forest, as_published, err);
    forest_clear(&forest);
    tacit__free(home);
    tacit__free(tree);
    return status;
}

/* The suppressed cells alone, without values. */
tacit_status tacit__total_easy(tacit__places *added, const tacit_flat_view *table,
                               const tacit_run *run, tacit_error *err)
{
    size_t n = (size_t)table->count;
    int32_t *row = tacit__alloc_array(n, sizeof *row), count = 0;
    int32_t *column = tacit__alloc_array(n, sizeof *column);
    bool *secret = tacit__alloc_array(n, sizeof *secret);
    tacit__graph *graph = NULL;
    tacit_total_plan plan = {0};
    tacit_status status = row && column && secret ? TACIT_OK : tacit__nomem(err);
    for (int32_t k = 0; k < table->count && status == TACIT_OK; k++) {
        char letter = table->status ? table->status[k] : 'u';
        if (letter != 'u' && letter != 'x')
            continue;
        row[count] = table->row[k];
        column[count] = table->column[k];
        secret[count++] = table->secret ? table->secret[k] : letter == 'u';
    }
    tacit_flat_view easy = {.rows = table->rows,
                            .columns = table->columns,
                            .count = count,
                            .row = row,
                            .column = column,
                            .secret = secret,
                            .name = table->name,
                            .named = table->named};
    if (status == TACIT_OK)
        status = tacit__graph_new(&graph, &easy, err);
    if (status == TACIT_OK)
        status = tacit__total_count(&plan, added, graph, false, run, err);
    tacit__graph_free(graph);
    tacit__free(row);
    tacit__free(column);
    tacit__free(secret);
    return status;
}
