/*
 * suppress.h - random tables for the tests of methods that suppress cells, and a look at their
 * patterns subtable by subtable. Include it after tables.h.
 */
#ifndef TACIT_TESTS_SUPPORT_SUPPRESS_H
#define TACIT_TESTS_SUPPORT_SUPPRESS_H

#include "cells/subtables/subtables.h"
#include "slow_judge.h"

/* How random tables look. */
typedef struct table_shape {
    int dimensions;    /* at most 3 */
    bool hierarchical; /* some dimensions have two levels of parts */
    int largest;       /* of ground values */
    int primaries;     /* percent of ground cells */
    int zeros;         /* the same */
} table_shape;

/* The leaves of each kind of dimension. */
static const char *const AXIS_LEAVES[] = {"a b", "a b c", "a b c d", "a b c d e"};
static const char *const AXIS_TREES[] = {"T\n@a\n@b\n", "T\n@a\n@b\n@c\n",
                                         "T\n@A\n@@a\n@@b\n@B\n@@c\n@@d\n",
                                         "T\n@A\n@@a\n@@b\n@B\n@@c\n@@d\n@@e\n"};

/* A row for every combination of leaves. */
static inline void write_leaves(char *text, const int *kinds, int dimensions,
                                const table_shape *shape)
{
    int at = 0, total = 1, sizes[3] = {1, 1, 1};
    for (int d = 0; d < dimensions; d++) {
        at += sprintf(text + at, "d%d,", d);
        sizes[d] = 2 + kinds[d];
        total *= sizes[d];
    }
    at += sprintf(text + at, "freq,status\n");
    for (int k = 0; k < total; k++) {
        for (int d = 0, rest = k; d < dimensions; rest /= sizes[d++])
            at += sprintf(text + at, "%c,", AXIS_LEAVES[kinds[d]][2 * (rest % sizes[d])]);
        int value = random_below(100) < shape->zeros ? 0 : 1 + random_below(shape->largest);
        bool primary = value > 0 && random_below(100) < shape->primaries;
        at += sprintf(text + at, "%d,%s\n", value, primary ? "u" : "s");
    }
}

static inline tacit_cells *random_cells(const table_shape *shape)
{
    static char text[8192], spec[512];
    int kinds[3], at = 0;
    tables_end(NULL);
    for (int d = 0; d < shape->dimensions; d++) {
        char name[8] = {(char)('0' + d), '\0'};
        kinds[d] = random_below(shape->hierarchical ? 4 : 2);
        at += sprintf(spec + at, "d%d=%s ", d, file_of(name, AXIS_TREES[kinds[d]]));
    }
    write_leaves(text, kinds, shape->dimensions, shape);
    return cells_of(text, &spec_of(spec)->spec, tacit_cells_from_table);
}

static inline bool view_has(const tacit__subtables_view *view, int32_t cell)
{
    for (int32_t i = 0; i < view->count; i++)
        if (view->cells[i] == cell)
            return true;
    return false;
}

/* The relations among the cells of a view, in place of all. */
static inline tacit_relations relations_within(const tacit_cells *cells,
                                               const tacit__subtables_view *view)
{
    const tacit_relations *all = &cells->relations;
    tacit_relations some = {0};
    some.starts = calloc(all->count + 1, sizeof *some.starts);
    some.items = calloc(all->starts[all->count] + 1, sizeof *some.items);
    some.coefs = calloc(all->starts[all->count] + 1, sizeof *some.coefs);
    some.rhs = calloc(all->count + 1, sizeof *some.rhs);
    for (int32_t r = 0; r < all->count; r++) {
        bool within = true;
        int64_t at = some.starts[some.count];
        for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++) {
            within &= view_has(view, all->items[j]);
            some.items[at] = all->items[j];
            some.coefs[at++] = all->coefs[j];
        }
        if (within)
            some.starts[++some.count] = at;
    }
    return some;
}

static inline void relations_end(tacit_relations *relations)
{
    free(relations->starts);
    free(relations->items);
    free(relations->coefs);
    free(relations->rhs);
}

/* Cells of one subtable that its own relations expose. */
static inline int exposed_within(const tacit_cells *cells, const char *status,
                                 const tacit__subtables_view *view)
{
    tacit_cells part = *cells;
    slow_judge judge;
    int exposed = 0;
    part.relations = relations_within(cells, view);
    slow_start(&judge, &part, status);
    for (int32_t i = 0; i < view->count; i++)
        if (judge.column[view->cells[i]] >= 0)
            exposed += !slow_hidden(&judge, &part, status, view->cells[i]);
    slow_end(&judge);
    relations_end(&part.relations);
    return exposed;
}

/* Over all subtables. */
static inline int exposed_in_subtables(const tacit_cells *cells, const char *status)
{
    tacit__subtables *subtables = NULL;
    tacit__subtables_view view = {0};
    int exposed = 0;
    assert_int_equal(tacit__subtables_new(&subtables, cells, NULL), TACIT_OK);
    view.cells = malloc(subtables->most * sizeof *view.cells);
    for (int32_t s = 0; s < subtables->count; s++) {
        tacit__view_fill(&view, subtables, s);
        exposed += exposed_within(cells, status, &view);
    }
    free(view.cells);
    tacit__subtables_free(subtables);
    return exposed;
}

/* Only cells that may be suppressed are, besides those that were. */
static inline void check_letters(const tacit_cells *cells, const tacit_pattern *pattern)
{
    int32_t secondary = 0;
    double cost = 0;
    for (int32_t i = 0; i < cells->count; i++) {
        bool new = pattern->status[i] != cells->status[i];
        assert_true(!new || (cells->status[i] == 's' && pattern->status[i] == 'x'));
        secondary += pattern->status[i] == 'x';
        cost += pattern->status[i] == 'x' ? cells->cost[i] : 0;
    }
    assert_int_equal(secondary, pattern->secondary);
    assert_true(fabs(cost - pattern->cost) <= 1e-9 * (1 + cost));
}

/* A method that must succeed. */
static inline tacit_pattern solved(const tacit_cells *cells, const char *method,
                                   const tacit_suppress_options *options, int threads)
{
    tacit_pattern pattern = {0};
    tacit_error err = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = threads;
    if (tacit_suppress_method_find(method)->solve(&pattern, cells, cells->status, options, &run,
                                                  &err) != TACIT_OK)
        fail_msg("%s", err.message);
    check_letters(cells, &pattern);
    return pattern;
}

/* The same in full, with the slow judge. */
static inline tacit_status suppressed_fully(tacit_pattern *out, const tacit_cells *cells,
                                            const char *method, tacit_error *err)
{
    tacit_suppress_options options = {0};
    tacit_run run;
    tacit_run_init(&run);
    run.threads = 1;
    return tacit_suppress(out, cells, tacit_suppress_method_find(method), &options, slow_judge_all,
                          NULL, &run, err);
}

/* Whether some primary cell is exposed even if all that may be suppressed is. */
static inline bool hopeless(const tacit_cells *cells)
{
    char *status = malloc(cells->count);
    slow_judge judge;
    bool exposed = false;
    for (int32_t i = 0; i < cells->count; i++)
        status[i] = cells->status[i] == 's' ? 'x' : cells->status[i];
    slow_start(&judge, cells, status);
    for (int32_t i = 0; i < cells->count; i++)
        if (status[i] == 'u')
            exposed |= !slow_hidden(&judge, cells, status, i);
    slow_end(&judge);
    free(status);
    return exposed;
}

/* Over the whole table: safe, or it cannot be done. Whether anything was suppressed for it. */
static inline bool check_whole(const tacit_cells *cells, const char *method)
{
    tacit_pattern pattern = {0};
    tacit_error err = {0};
    int32_t exposed[1024], count = -1;
    tacit_status status = suppressed_fully(&pattern, cells, method, &err);
    if (status != TACIT_OK) {
        assert_int_equal(status, TACIT_INFEASIBLE);
        assert_true(hopeless(cells));
        return false;
    }
    bool any = pattern.secondary > 0;
    check_letters(cells, &pattern);
    slow_judge_all(exposed, &count, cells, pattern.status, NULL, NULL, NULL);
    assert_int_equal(count, 0);
    tacit_pattern_clear(&pattern);
    return any;
}

#endif
