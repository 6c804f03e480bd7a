/*
 * suppress.c - a method, then the judge, then repair until the judge is content.
 *
 * Subtable methods see less than an adversary, who has all relations at once. What the
 * judge finds is protected over the whole table by flows (flow.c): the cells of a flow move
 * in one table that he cannot rule out, so a repair exposes none of them, and one round does
 * unless the judge finds something new. Each repair is a linear program over all
 * cells that may be suppressed.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "cells/flow.h"
#include "cells/inside.h"

/* Rounds after which a judge and a repair that do not agree are left to it. */
enum { MOST_REPAIRS = 20 };

typedef struct repair {
    const tacit_cells *cells;
    const tacit_run *run;
    char *status;
    int32_t *exposed;
    int32_t exposed_count;
    tacit__patch patch;
    tacit__flow *flow;
    bool *chosen;
} repair;

static tacit_status hopeless(const repair *r, int32_t cell, tacit_error *err)
{
    return tacit__cell_error(
        r->cells, cell, TACIT_INFEASIBLE, err,
        "it cannot be protected, even if every cell that may be is suppressed; "
        "let more cells be suppressed, or ask for less");
}

/* Takes over the cells that a flow chose. */
static bool take_chosen(repair *r)
{
    bool any = false;
    for (int32_t i = 0; i < r->cells->count; i++)
        if (r->chosen[i] && r->status[i] == TACIT_CELL_FREE) {
            r->status[i] = TACIT_CELL_SECONDARY;
            any = true;
        }
    return any;
}

static tacit_status begin(repair *r, tacit_error *err)
{
    tacit_status status =
        tacit__patch_of_all(&r->patch, r->cells, r->status, tacit__largest_value(r->cells), err);
    if (status == TACIT_OK)
        status = tacit__flow_new(&r->flow, &r->patch, err);
    if (status == TACIT_OK) {
        r->chosen = tacit__alloc_zeroed((size_t)r->cells->count, sizeof *r->chosen);
        status = r->chosen ? TACIT_OK : tacit__nomem(err);
    }
    return status;
}

/* Protects what the judge found. */
static tacit_status protect_exposed(repair *r, tacit_error *err)
{
    tacit_status status = r->flow ? TACIT_OK : begin(r, err);
    double largest = tacit__largest_value(r->cells);
    for (int32_t i = 0; i < r->cells->count && status == TACIT_OK; i++)
        r->chosen[i] = tacit__suppressed(r->status[i]);
    for (int32_t i = 0; i < r->exposed_count && status == TACIT_OK; i++) {
        tacit__flow_answer answer = {0};
        int32_t cell = r->exposed[i];
        r->patch.need[cell] = tacit__need_of(r->cells, r->status, cell, largest);
        status =
            tacit__flow_protect(&answer, r->flow, cell, r->chosen, r->cells->cost, r->run, err);
        if (status == TACIT_OK && !answer.found)
            status = hopeless(r, cell, err);
    }
    if (status == TACIT_OK && !take_chosen(r))
        status = hopeless(r, r->exposed[0], err);
    return status;
}

static tacit_status repair_all(repair *r, tacit_pattern *pattern, tacit_suppress_judge judge,
                               void *payload, tacit_error *err)
{
    r->exposed = tacit__alloc_array((size_t)r->cells->count, sizeof *r->exposed);
    if (!r->exposed)
        return tacit__nomem(err);
    for (int32_t round = 0;; round++) {
        tacit_status status =
            judge(r->exposed, &r->exposed_count, r->cells, r->status, r->run, payload, err);
        if (status != TACIT_OK || r->exposed_count == 0)
            return status;
        if (round == MOST_REPAIRS)
            return hopeless(r, r->exposed[0], err);
        pattern->repaired += r->exposed_count;
        pattern->proven = false;
        status = protect_exposed(r, err);
        if (status != TACIT_OK)
            return status;
    }
}

tacit_status tacit_suppress(tacit_pattern *out, const tacit_cells *cells,
                            const tacit_suppress_method *method,
                            const tacit_suppress_options *options, tacit_suppress_judge judge,
                            void *payload, const tacit_run *run, tacit_error *err)
{
    tacit_pattern pattern = {0};
    tacit_status status = tacit_cells_check(cells, err);
    if (status == TACIT_OK)
        status = method->solve(&pattern, cells, cells->status, options, run, err);
    if (status != TACIT_OK)
        return status;
    repair r = {.cells = cells, .run = run, .status = pattern.status};
    if (!method->total)
        status = repair_all(&r, &pattern, judge, payload, err);
    tacit__flow_free(r.flow);
    tacit__patch_clear(&r.patch);
    tacit__free(r.exposed);
    tacit__free(r.chosen);
    if (status != TACIT_OK) {
        tacit_pattern_clear(&pattern);
        return status;
    }
    pattern.unprotected = -1;
    tacit__pattern_finish(&pattern, cells);
    *out = pattern;
    return TACIT_OK;
}
