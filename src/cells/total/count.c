/*
 * count.c - the fewest suppressions that protect a set totally, where no cell that could be
 * used is on its bound (Kao, Total Protection, section 5: Problem 5, steps M1 to M6).
 *
 * Q is protected iff the ends of each of its cells are connected by suppressed cells outside
 * Q. So: components of the suppressed graph, the homes (M1); trees of what is connected without
 * Q, which is free (M2); trees of one home joined by published cells between its rows and
 * columns, each of which any answer needs in one form or another (M3, graph/fill.c); and what is
 * left, contracted (M4 to M6), is Problem 7: trees that are connected by as few cells between homes
 * as can be.
 *
 * Directions of cells in Q do not matter: what connects their ends can be traversed both ways.
 * Linear in cells, rows and columns, but for disjoint sets.
 *
 * Problem 7. A home is a component of the suppressed graph; its trees are what hangs together
 * already. Between two trees of one home every cell belongs to Q, or they would have been joined;
 * between two homes every cell is published. A tree is a row (A), a column (B), or has both (M). So
 * two trees can be joined by a cell unless they are of one home, both rows, or both columns. Homes
 * of several trees must be connected: they are good where a tree is M, bad where none is. A home of
 * one tree need not, and may help.
 *
 * An answer is a forest; each of its trees is made of whole homes, a group, and costs one cell
 * less than it has trees. With d trees to connect the answer costs d, plus the helpers, less the
 * groups. Any group can take any further home in at one cell a tree, for it has a tree with
 * a row and one with a column to join others to. So it is a matter of as many groups without
 * helpers as can be, or of one group with as few helpers as will do. Without helpers a group is
 * good + good, good + bad, or three bad ones; two bad ones fall apart into the rows of each with
 * the columns of the other. Every good home with a bad one first, then good ones among
 * themselves, or bad ones by threes: g + (b - g) / 3 groups for g <= b, else (g + b) / 2. With
 * helpers there are five cases (docs/methods/total.md has them all):
 *
 *   one good home, or one or two bad ones, and a helper M          one helper
 *   one good home without A and a helper A; without B, B           one helper
 *   two bad homes and any helper                                   one helper
 *   one good home, or one bad one, with a helper A and a helper B  two helpers
 *   all else                                                       no solution
 *
 * The paper overlooks that three bad homes connect each other, and that rows and columns help bad
 * ones: as_published does what it says.
 */
#include "cells/total/total.h"

#include <assert.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

typedef struct seven {
    const tacit__forest *forest;
    tacit__places *added;
    int32_t *good, *bad; /* homes */
    int32_t good_count, bad_count;
    int32_t helper[3]; /* a home that is one tree: A, B, M; -1: none */
    int32_t *group;    /* homes of the group in hand */
    int32_t size;
} seven;

enum { A, B, M };

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

static int kind_of(const tacit__forest *f, int32_t tree)
{
    return f->row[tree] < 0 ? B : f->column[tree] < 0 ? A : M;
}

static int32_t tree_count(const tacit__forest *f, int32_t home)
{
    return f->of_home.starts[home + 1] - f->of_home.starts[home];
}

/* The first tree of a home that has a row (A), a column (B), or both; -1: none. */
static int32_t tree_with(const tacit__forest *f, int32_t home, int what)
{
    for (int32_t k = f->of_home.starts[home]; k < f->of_home.starts[home + 1]; k++) {
        int32_t tree = f->of_home.members[k];
        int kind = kind_of(f, tree);
        if (kind == M || kind == what)
            return tree;
    }
    return -1;
}

static bool home_has(const tacit__forest *f, int32_t home, int kind)
{
    for (int32_t k = f->of_home.starts[home]; k < f->of_home.starts[home + 1]; k++)
        if (kind_of(f, f->of_home.members[k]) == kind)
            return true;
    return false;
}

static tacit_status join(seven *s, int32_t row_tree, int32_t column_tree, tacit_error *err)
{
    const tacit__forest *f = s->forest;
    assert(f->row[row_tree] >= 0 && f->column[column_tree] >= 0);
    return tacit__places_add(s->added, f->row[row_tree], f->column[column_tree] - f->graph->rows,
                             err);
}

/* ---- a group becomes one tree ---- */

/* The first tree with a row or a column in a home of the group other than two; -1: none. */
static int32_t elsewhere(const seven *s, int what, int32_t not_this, int32_t nor_this)
{
    for (int32_t i = 0; i < s->size; i++) {
        int32_t tree = s->group[i] == not_this || s->group[i] == nor_this
                           ? -1
                           : tree_with(s->forest, s->group[i], what);
        if (tree >= 0)
            return tree;
    }
    return -1;
}

/* Every tree of a home with a column to a tree with a row, or the other way round; but one. */
static tacit_status join_home(seven *s, int32_t home, int what, int32_t to, int32_t but,
                              tacit_error *err)
{
    const tacit__forest *f = s->forest;
    tacit_status status = TACIT_OK;
    for (int32_t k = f->of_home.starts[home]; k < f->of_home.starts[home + 1] && status == TACIT_OK;
         k++) {
        int32_t tree = f->of_home.members[k];
        int kind = kind_of(f, tree);
        if (tree != but && (kind == what || kind == M))
            status = what == B ? join(s, to, tree, err) : join(s, tree, to, err);
    }
    return status;
}

/* With a tree M: all trees of other homes to it, those of its own to a row or a column elsewhere.
 */
static tacit_status connect_by(seven *s, int32_t hub_home, int32_t hub, tacit_error *err)
{
    const tacit__forest *f = s->forest;
    int32_t row = elsewhere(s, A, hub_home, -1), column = elsewhere(s, B, hub_home, -1);
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < s->size; i++)
        for (int32_t k = f->of_home.starts[s->group[i]];
             k < f->of_home.starts[s->group[i] + 1] && status == TACIT_OK; k++) {
            int32_t tree = f->of_home.members[k];
            if (tree == hub)
                continue;
            if (s->group[i] != hub_home)
                status = kind_of(f, tree) == A ? join(s, tree, hub, err) : join(s, hub, tree, err);
            else if (kind_of(f, tree) == B || column < 0)
                status = join(s, row, tree, err);
            else
                status = join(s, tree, column, err);
        }
    return status;
}

/* Rows and columns only. All columns but those of the first home to a row of it; all rows but those
 * of a second home to a column of that; these two by way of a third home. */
static tacit_status connect_lines(seven *s, tacit_error *err)
{
    const tacit__forest *f = s->forest;
    int32_t first = s->group[0], row = tree_with(f, first, A), second = -1;
    for (int32_t i = s->size - 1; i > 0; i--)
        if (tree_with(f, s->group[i], B) >= 0)
            second = s->group[i];
    int32_t column = tree_with(f, second, B), third = elsewhere(s, A, first, second);
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < s->size && status == TACIT_OK; i++) {
        if (s->group[i] != first)
            status = join_home(s, s->group[i], B, row, -1, err);
        if (s->group[i] != second && status == TACIT_OK)
            status = join_home(s, s->group[i], A, column, row, err);
    }
    if (status != TACIT_OK)
        return status;
    if (third <
        0) { /* a column: the rows of the second hang on it, the columns of the first on these */
        status = join_home(s, second, A, elsewhere(s, B, first, second), -1, err);
        return status == TACIT_OK ? join_home(s, first, B, tree_with(f, second, A), -1, err)
                                  : status;
    }
    status = join_home(s, first, B, third, -1, err);
    return status == TACIT_OK ? join_home(s, second, A, tree_with(f, first, B), -1, err) : status;
}

static tacit_status connect_group(seven *s, tacit_error *err)
{
    const tacit__forest *f = s->forest;
    for (int32_t i = 0; i < s->size; i++)
        for (int32_t k = f->of_home.starts[s->group[i]]; k < f->of_home.starts[s->group[i] + 1];
             k++)
            if (kind_of(f, f->of_home.members[k]) == M)
                return connect_by(s, s->group[i], f->of_home.members[k], err);
    return connect_lines(s, err);
}

/* ---- which groups ---- */

static void sort_homes(seven *s)
{
    const tacit__forest *f = s->forest;
    for (int32_t home = 0; home < f->homes; home++) {
        if (tree_count(f, home) == 1) {
            int kind = kind_of(f, f->of_home.members[f->of_home.starts[home]]);
            if (s->helper[kind] < 0)
                s->helper[kind] = home;
        } else if (home_has(f, home, M)) {
            s->good[s->good_count++] = home;
        } else {
            s->bad[s->bad_count++] = home;
        }
    }
}

/* Helpers for what is left alone, into the group; false: none will do. */
static bool find_helpers(seven *s, bool as_published)
{
    const int32_t *helper = s->helper;
    bool good = s->good_count == 1;
    int32_t alone = good ? s->good[0] : s->bad[0];
    int32_t one = -1;
    if (helper[M] >= 0)
        one = helper[M];
    else if (good && helper[A] >= 0 && !home_has(s->forest, alone, A))
        one = helper[A];
    else if (good && helper[B] >= 0 && !home_has(s->forest, alone, B))
        one = helper[B];
    else if (s->bad_count == 2 && !as_published)
        one = helper[A] >= 0 ? helper[A] : helper[B];
    if (one >= 0) {
        s->group[s->size++] = one;
        return true;
    }
    if (helper[A] < 0 || helper[B] < 0 || (as_published && !good))
        return false;
    s->group[s->size++] = helper[A];
    s->group[s->size++] = helper[B];
    return true;
}

static tacit_status no_solution(const seven *s, tacit_error *err)
{
    const tacit__forest *f = s->forest;
    int32_t home = s->good_count ? s->good[0] : s->bad[0];
    int32_t tree = f->of_home.members[f->of_home.starts[home]];
    char name[256];
    for (int32_t k = f->of_home.starts[home] + 1; k < f->of_home.starts[home + 1]; k++)
        if (kind_of(f, tree) == M)
            tree = f->of_home.members[k]; /* a line says more */
    return tacit__error(err, TACIT_INFEASIBLE,
                        "no suppression protects all cells: those between %s and the rest of its "
                        "component must all be protected, so their sum stays known",
                        tacit__name_part(name, f->graph, f->row[tree], f->column[tree]));
}

/* All that must be connected, in one group with helpers. */
static tacit_status connect_with_help(seven *s, bool as_published, tacit_error *err)
{
    s->size = 0;
    for (int32_t i = 0; i < s->good_count; i++)
        s->group[s->size++] = s->good[i];
    for (int32_t i = 0; i < s->bad_count; i++)
        s->group[s->size++] = s->bad[i];
    if (!find_helpers(s, as_published))
        return no_solution(s, err);
    return connect_group(s, err);
}

/* Groups without helpers: pairs of both kinds, then two good homes or three bad ones; what is left
 * over goes to the first group. */
static tacit_status connect_groups(seven *s, int32_t groups, tacit_error *err)
{
    int32_t good = s->good_count, bad = s->bad_count;
    int32_t pairs = good < bad ? good : bad, others = groups - pairs;
    int32_t over_good = good > bad ? good - pairs - 2 * others : 0;
    int32_t over_bad = good > bad ? 0 : bad - pairs - 3 * others;
    tacit_status status = TACIT_OK;
    for (int32_t made = 0; made < groups && status == TACIT_OK; made++) {
        bool pair = made < pairs;
        int32_t goods = pair ? 1 : s->good_count > s->bad_count ? 2 : 0;
        int32_t bads = pair ? 1 : goods ? 0 : 3;
        s->size = 0;
        for (goods += made ? 0 : over_good; goods > 0; goods--)
            s->group[s->size++] = s->good[--good];
        for (bads += made ? 0 : over_bad; bads > 0; bads--)
            s->group[s->size++] = s->bad[--bad];
        status = connect_group(s, err);
    }
    assert(status != TACIT_OK || (good == 0 && bad == 0));
    return status;
}

static int32_t count_groups(const seven *s, bool as_published)
{
    int32_t good = s->good_count, bad = s->bad_count;
    if (good > bad)
        return (good + bad) / 2;
    return as_published ? good : good + (bad - good) / 3;
}

/* Problem 7: cells between homes that connect the trees of each. */
static tacit_status solve_seven(tacit_total_plan *plan, tacit__places *added,
                                const tacit__forest *forest, bool as_published, tacit_error *err)
{
    seven s = {.forest = forest, .added = added, .helper = {-1, -1, -1}};
    size_t homes = (size_t)forest->homes;
    s.good = tacit__alloc_array(homes, sizeof *s.good);
    s.bad = tacit__alloc_array(homes, sizeof *s.bad);
    s.group = tacit__alloc_array(homes + 2, sizeof *s.group);
    tacit_status status = s.good && s.bad && s.group ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        sort_homes(&s);
        plan->good = s.good_count;
        plan->bad = s.bad_count;
        int32_t groups = count_groups(&s, as_published);
        plan->lower_bound = groups - count_groups(&s, false); /* of the cells that are added */
        if (groups > 0)
            status = connect_groups(&s, groups, err);
        else if (s.good_count + s.bad_count > 0)
            status = connect_with_help(&s, as_published, err);
    }
    tacit__free(s.good);
    tacit__free(s.bad);
    tacit__free(s.group);
    return status;
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
        status = solve_seven(plan, added, &forest, as_published, err);
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
