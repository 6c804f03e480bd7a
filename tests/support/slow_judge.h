/*
 * slow_judge.h - the adversary, written down plainly: two linear programs for every suppressed
 * cell, over all of them, each from scratch. For tests of the methods, with no line of theirs.
 */
#ifndef TACIT_TESTS_SUPPORT_SLOW_JUDGE_H
#define TACIT_TESTS_SUPPORT_SLOW_JUDGE_H

#include <math.h>
#include <stdlib.h>
#include <tacit/experimental/suppress.h>

#include "solver/solver.h"

/* Deviations of the suppressed cells, a column each. */
typedef struct slow_judge {
    tacit__solver *solver;
    int32_t *column; /* of a cell; -1: published */
    int32_t count;
} slow_judge;

static inline bool slow_suppressed(char status)
{
    return status == 'u' || status == 'x';
}

static inline void slow_columns(slow_judge *judge, const tacit_cells *cells, const char *status)
{
    double *lower = malloc((cells->count + 1) * sizeof *lower);
    double *upper = malloc((cells->count + 1) * sizeof *upper);
    judge->column = malloc((cells->count + 1) * sizeof *judge->column);
    for (int32_t i = 0; i < cells->count; i++) {
        judge->column[i] = slow_suppressed(status[i]) ? judge->count : -1;
        if (judge->column[i] < 0)
            continue;
        lower[judge->count] = cells->lower[i] - cells->value[i];
        upper[judge->count++] = cells->upper[i] - cells->value[i];
    }
    tacit__solver_lines lines = {.count = judge->count, .lower = lower, .upper = upper};
    if (judge->count)
        tacit__solver_add_columns(judge->solver, &lines, NULL);
    free(lower);
    free(upper);
}

static inline void slow_rows(slow_judge *judge, const tacit_cells *cells)
{
    const tacit_relations *relations = &cells->relations;
    for (int32_t r = 0; r < relations->count; r++) {
        int32_t starts[2] = {0, 0},
                width = (int32_t)(relations->starts[r + 1] - relations->starts[r]);
        int32_t *items = malloc((width + 1) * sizeof *items);
        double *coefs = malloc((width + 1) * sizeof *coefs), zero = 0;
        for (int64_t j = relations->starts[r]; j < relations->starts[r + 1]; j++)
            if (judge->column[relations->items[j]] >= 0) {
                items[starts[1]] = judge->column[relations->items[j]];
                coefs[starts[1]++] = relations->coefs[j];
            }
        tacit__solver_lines lines = {1, &zero, &zero, NULL, NULL, starts, items, coefs};
        if (starts[1])
            tacit__solver_add_rows(judge->solver, &lines, NULL);
        free(items);
        free(coefs);
    }
}

static inline void slow_start(slow_judge *judge, const tacit_cells *cells, const char *status)
{
    *judge = (slow_judge){0};
    if (tacit__solver_new(&judge->solver, NULL, NULL) != TACIT_OK)
        abort();
    slow_columns(judge, cells, status);
    slow_rows(judge, cells);
}

static inline void slow_end(slow_judge *judge)
{
    tacit__solver_free(judge->solver);
    free(judge->column);
}

/* How far a cell can be from its value, in the direction of sign. */
static inline double slow_reach(slow_judge *judge, int32_t cell, double sign)
{
    tacit__solver_options options = {0};
    tacit__solver_answer answer;
    tacit__solver_set_cost(judge->solver, judge->column[cell], -sign);
    tacit_status status = tacit__solver_solve(&answer, judge->solver, &options, NULL, NULL);
    if (status != TACIT_OK || answer.result != TACIT__SOLVER_OPTIMAL)
        abort();
    double reach = sign * answer.values[judge->column[cell]];
    tacit__solver_set_cost(judge->solver, judge->column[cell], 0);
    return reach;
}

/* Whether a suppressed cell is hidden as far as it must be. */
static inline bool slow_hidden(slow_judge *judge, const tacit_cells *cells, const char *status,
                               int32_t cell)
{
    double up = slow_reach(judge, cell, 1), down = slow_reach(judge, cell, -1);
    double slack = 1e-6 * (1 + fabs(cells->value[cell]) * 1e-3);
    bool hidden = up + down > slack;
    if (status[cell] == 'u')
        hidden &= up >= cells->upl[cell] - slack && down >= cells->lpl[cell] - slack &&
                  up + down >= cells->spl[cell] - slack;
    return hidden;
}

/* A tacit_suppress_judge; payload, if any, is an int that counts its calls. */
static inline tacit_status slow_judge_all(int32_t *exposed, int32_t *count,
                                          const tacit_cells *cells, const char *status,
                                          const tacit_run *run, void *payload, tacit_error *err)
{
    slow_judge judge;
    (void)run;
    (void)err;
    *count = 0;
    slow_start(&judge, cells, status);
    for (int32_t i = 0; i < cells->count; i++)
        if (judge.column[i] >= 0 && !slow_hidden(&judge, cells, status, i))
            exposed[(*count)++] = i;
    slow_end(&judge);
    if (payload)
        ++*(int *)payload;
    return TACIT_OK;
}

#endif
