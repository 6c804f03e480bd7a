/*
 * repair.c - what a method left exposed over the whole table, protected; see repair.h.
 *
 * A secondary cell that the adversary knows anyway hides nothing from him: it is published again.
 * Primary cells are protected by flows (flow.c), those that need most first: the cells of a flow
 * move in one table that he cannot rule out, so a repair exposes none of them, and one round does
 * unless the judge finds something new.
 *
 * Each flow is a linear program over all cells that may be suppressed; what one shows of other
 * cells saves theirs.
 */
#include "cells/suppress/repair.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/cells/inside.h"
#include "cells/suppress/flow.h"

/* An exposed cell and the most that it needs. */
typedef struct exposure {
    int32_t cell;
    double need;
} exposure;

struct tacit__repair {
    const tacit_cells *cells;
    const tacit_run *run;
    char *status;
    double largest;
    exposure *order; /* cells to be protected */
    int32_t order_count;
    bool *chosen; /* a cell each: suppressed, or to be */
    tacit__patch all;
    tacit__flow *flow;
};

tacit_status tacit__repair_hopeless(const tacit_cells *cells, int32_t cell, tacit_error *err)
{
    return tacit__cell_error(
        cells, cell, TACIT_INFEASIBLE, err,
        "it cannot be protected, even if every cell that may be is suppressed; "
        "let more cells be suppressed, or ask for less");
}

tacit_status tacit__repair_new(tacit__repair **out, const tacit_cells *cells, char *status,
                               const tacit_run *run, tacit_error *err)
{
    size_t count = (size_t)cells->count;
    tacit__repair *r = tacit__alloc_zeroed(1, sizeof *r);
    if (!r)
        return tacit__nomem(err);
    *r = (tacit__repair){
        .cells = cells, .run = run, .status = status, .largest = tacit__largest_value(cells)};
    r->order = tacit__alloc_array(count, sizeof *r->order);
    r->chosen = tacit__alloc_array(count, sizeof *r->chosen);
    tacit_status result = r->order && r->chosen ? TACIT_OK : tacit__nomem(err);
    if (result == TACIT_OK)
        result = tacit__patch_of_all(&r->all, cells, status, r->largest, err);
    if (result == TACIT_OK)
        result = tacit__flow_new(&r->flow, &r->all, err);
    if (result == TACIT_OK)
        *out = r;
    else
        tacit__repair_free(r);
    return result;
}

void tacit__repair_free(tacit__repair *repair)
{
    if (!repair)
        return;
    tacit__free(repair->order);
    tacit__free(repair->chosen);
    tacit__flow_free(repair->flow);
    tacit__patch_clear(&repair->all);
    tacit__free(repair);
}

/* ---- what to do ---- */

static int most_first(const void *left, const void *right)
{
    const exposure *a = left, *b = right;
    if (a->need != b->need)
        return a->need > b->need ? -1 : 1;
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

/* Publishes exposed cells again that a method had suppressed, and puts the others in order.
 * Returns how many were published. */
static int32_t sort_out(tacit__repair *r, const int32_t *exposed, int32_t count)
{
    int32_t published = 0;
    r->order_count = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t cell = exposed[i];
        if (r->cells->status[cell] == TACIT_CELL_FREE) {
            r->status[cell] = TACIT_CELL_FREE;
            published++;
            continue;
        }
        tacit__need need = tacit__need_of(r->cells, r->status, cell, r->largest);
        r->all.need[cell] = need;
        r->order[r->order_count++] = (exposure){cell, fmax(need.spread, fmax(need.up, need.down))};
    }
    qsort(r->order, (size_t)r->order_count, sizeof *r->order, most_first);
    return published;
}

/* Takes over the cells that flows chose; returns their number. */
static int32_t take_chosen(tacit__repair *r)
{
    int32_t count = 0;
    for (int32_t i = 0; i < r->cells->count; i++)
        if (r->chosen[i] && r->status[i] == TACIT_CELL_FREE) {
            r->status[i] = TACIT_CELL_SECONDARY;
            count++;
        }
    return count;
}

static tacit_status protect(tacit__repair *r, int32_t cell, tacit_error *err)
{
    tacit__flow_answer answer = {0};
    tacit_status status =
        tacit__flow_protect(&answer, r->flow, cell, r->chosen, r->cells->cost, r->run, err);
    if (status == TACIT_OK && !answer.found)
        status = tacit__repair_hopeless(r->cells, cell, err);
    return status;
}

/* A round that changes nothing would be followed by the same. */
tacit_status tacit__repair_round(tacit__repair *repair, const int32_t *exposed, int32_t count,
                                 tacit_error *err)
{
    tacit__repair *r = repair;
    int32_t published = sort_out(r, exposed, count);
    tacit_status status = TACIT_OK;
    tacit__flow_forget(r->flow, NULL);
    for (int32_t i = 0; i < r->cells->count; i++)
        r->chosen[i] = tacit__suppressed(r->status[i]);
    for (int32_t i = 0; i < r->order_count && status == TACIT_OK; i++)
        status = protect(r, r->order[i].cell, err);
    if (status == TACIT_OK && take_chosen(r) + published == 0)
        status = tacit__repair_hopeless(r->cells, exposed[0], err);
    return status;
}
