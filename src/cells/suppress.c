/*
 * suppress.c - a method, then the judge, then repair until the judge is content.
 *
 * Subtable methods see less than an adversary, who has all relations at once. What the
 * judge finds is repaired over the whole table. A secondary cell that the adversary knows anyway
 * hides nothing from him: it is published again. Primary cells are protected by flows (flow.c),
 * those that need most first: the cells of a flow move in one table that he cannot rule out,
 * so a repair exposes none of them, and one round does unless the judge finds something
 * new. Each flow is a linear program over all cells that may be suppressed; what one shows of
 * other cells saves theirs.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/flow.h"
#include "cells/inside.h"

/* Rounds after which a judge and a repair that do not agree are left to it. */
enum { MOST_REPAIRS = 20 };

/* An exposed cell and the most that it needs. */
typedef struct exposure {
    int32_t cell;
    double need;
} exposure;

typedef struct repair {
    const tacit_cells *cells;
    const tacit_run *run;
    char *status;
    int32_t *exposed;
    int32_t exposed_count;
    exposure *order; /* those to be protected */
    int32_t order_count;
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

/* Takes over the cells that flows chose; returns their number. */
static int32_t take_chosen(repair *r)
{
    int32_t count = 0;
    for (int32_t i = 0; i < r->cells->count; i++)
        if (r->chosen[i] && r->status[i] == TACIT_CELL_FREE) {
            r->status[i] = TACIT_CELL_SECONDARY;
            count++;
        }
    return count;
}

static int most_first(const void *left, const void *right)
{
    const exposure *a = left, *b = right;
    if (a->need != b->need)
        return a->need > b->need ? -1 : 1;
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

/* Publishes exposed cells again that a method had suppressed, and puts the others in order.
 * Returns how many were published. */
static int32_t sort_out(repair *r)
{
    double largest = tacit__largest_value(r->cells);
    int32_t published = 0;
    r->order_count = 0;
    for (int32_t i = 0; i < r->exposed_count; i++) {
        int32_t cell = r->exposed[i];
        if (r->cells->status[cell] == TACIT_CELL_FREE) {
            r->status[cell] = TACIT_CELL_FREE;
            published++;
            continue;
        }
        tacit__need need = tacit__need_of(r->cells, r->status, cell, largest);
        r->patch.need[cell] = need;
        r->order[r->order_count++] = (exposure){cell, fmax(need.spread, fmax(need.up, need.down))};
    }
    qsort(r->order, (size_t)r->order_count, sizeof *r->order, most_first);
    return published;
}

static tacit_status begin(repair *r, tacit_error *err)
{
    tacit_status status =
        tacit__patch_of_all(&r->patch, r->cells, r->status, tacit__largest_value(r->cells), err);
    if (status == TACIT_OK)
        status = tacit__flow_new(&r->flow, &r->patch, err);
    if (status == TACIT_OK) {
        size_t count = (size_t)r->cells->count;
        r->chosen = tacit__alloc_zeroed(count, sizeof *r->chosen);
        r->order = tacit__alloc_array(count, sizeof *r->order);
        status = r->chosen && r->order ? TACIT_OK : tacit__nomem(err);
    }
    return status;
}

/* Repairs what the judge found; a round that changes nothing would be followed by the same. */
static tacit_status repair_exposed(repair *r, tacit_error *err)
{
    tacit_status status = r->flow ? TACIT_OK : begin(r, err);
    if (status != TACIT_OK)
        return status;
    int32_t published = sort_out(r);
    tacit__flow_forget(r->flow, NULL);
    for (int32_t i = 0; i < r->cells->count; i++)
        r->chosen[i] = tacit__suppressed(r->status[i]);
    for (int32_t i = 0; i < r->order_count && status == TACIT_OK; i++) {
        tacit__flow_answer answer = {0};
        int32_t cell = r->order[i].cell;
        status =
            tacit__flow_protect(&answer, r->flow, cell, r->chosen, r->cells->cost, r->run, err);
        if (status == TACIT_OK && !answer.found)
            status = hopeless(r, cell, err);
    }
    if (status == TACIT_OK && take_chosen(r) + published == 0)
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
        status = repair_exposed(r, err);
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
    tacit__free(r.order);
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
