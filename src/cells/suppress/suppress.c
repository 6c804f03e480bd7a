/*
 * suppress.c - the table of methods that suppress cells, what all of them share, and what is done
 * for all: a method, then the judge, then repair until the judge is content.
 *
 * Subtable methods see less than an adversary, who has all relations at once. What the judge finds
 * is repaired over the whole table, and the judge is asked again. A secondary cell that the
 * adversary knows anyway hides nothing from him: it is published again. Primary cells are protected
 * by flows (flow.c), those that need most first: the cells of a flow move in one table that he
 * cannot rule out, so a repair exposes none of them, and one round does unless the judge finds
 * something new. Each flow is a linear program over all cells that may be suppressed; what one
 * shows of other cells saves theirs.
 *
 * The same for what those find out who know more, where that is asked for (keeper.c), whatever the
 * method: one that sees to it itself leaves nothing to be found. Where a method has rivals to its
 * pattern they are seen to likewise, and the cheapest is taken. Where a method gives intervals the
 * judge is shown cells that are known to be within them, and what little numbers of programs were
 * off by is made up for.
 */
#include "cells/suppress/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/cells/inside.h"
#include "cells/suppress/flow.h"
#include "cells/suppress/keeper.h"

/* Below the first of these a spread is what rounding leaves. */
#define SPREAD_SHARE 1e-6
#define SPREAD_MAX   1e-3

static const tacit_suppress_method METHODS[] = {
    {"auto", "the best of several starts, made better over the whole table (the default)", false,
     tacit__suppress_auto},
    {"hypercube", "the cheapest cuboid around every suppressed cell: quick, suppresses more", false,
     tacit__hypercube_solve},
    {"hitas", "every subtable at the least cost, from the top of the hierarchies down", false,
     tacit__hitas_solve},
    {"optimal", "the whole table at the least cost, with proof", false, tacit__suppress_optimal},
    {"total",
     "two dimensions: nothing is known about primary cells, not even a sum (not intervals)", true,
     tacit__total_solve},
    {"partial", "the whole table with intervals in place of blanks, as narrow as levels allow",
     false, tacit__partial_solve},
    {NULL, NULL, false, NULL},
};

const tacit_suppress_method *tacit_suppress_methods(void)
{
    return METHODS;
}

const tacit_suppress_method *tacit_suppress_method_find(const char *name)
{
    for (const tacit_suppress_method *method = METHODS; method->name; method++)
        if (strcmp(method->name, name) == 0)
            return method;
    return NULL;
}

double tacit__largest_value(const tacit_cells *cells)
{
    double largest = 0;
    for (int32_t i = 0; i < cells->count; i++)
        largest = fmax(largest, fabs(cells->value[i]));
    return largest;
}

double tacit__least_spread(const tacit_cells *cells, int32_t cell, double largest)
{
    double least = fmin(SPREAD_MAX, SPREAD_SHARE * largest);
    return fmax(SPREAD_SHARE * fabs(cells->value[cell]), least);
}

tacit__need tacit__need_of(const tacit_cells *cells, const char *status, int32_t cell,
                           double largest)
{
    tacit__need need = {.spread = tacit__least_spread(cells, cell, largest)};
    if (status[cell] == TACIT_CELL_PRIMARY) {
        need.up = cells->upl[cell];
        need.down = cells->lpl[cell];
        need.spread = fmax(need.spread, cells->spl[cell]);
    }
    return need;
}

int tacit__dearest_first(const void *left, const void *right)
{
    const tacit__cell_price *a = left, *b = right;
    if (a->cost != b->cost)
        return a->cost > b->cost ? -1 : 1;
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

tacit_status tacit__pattern_init(tacit_pattern *out, const tacit_cells *cells, const char *status,
                                 tacit_error *err)
{
    *out = (tacit_pattern){.lower_bound = NAN, .unprotected = -1};
    out->status = tacit__copy_bytes(status, (size_t)cells->count);
    return out->status ? TACIT_OK : tacit__nomem(err);
}

double tacit__cost_given(const tacit_cells *cells, const char *status)
{
    double cost = 0;
    for (int32_t i = 0; i < cells->count; i++)
        cost += status[i] == TACIT_CELL_SECONDARY ? cells->cost[i] : 0;
    return cost;
}

void tacit__pattern_finish(tacit_pattern *pattern, const tacit_cells *cells)
{
    pattern->secondary = 0;
    pattern->cost = tacit__cost_given(cells, pattern->status);
    for (int32_t i = 0; i < cells->count; i++)
        pattern->secondary += pattern->status[i] == TACIT_CELL_SECONDARY;
}

void tacit_pattern_clear(tacit_pattern *pattern)
{
    tacit__free(pattern->status);
    tacit__free(pattern->rivals);
    pattern->status = pattern->rivals = NULL;
    pattern->rival_count = 0;
    tacit_intervals_clear(&pattern->intervals);
}

/* An exposed cell and the most that it needs. */

typedef struct repair_work {
    const tacit_cells *cells;
    const tacit_run *run;
    char *status;
    double largest;
    tacit__cell_price *order; /* cells to be protected */
    int32_t order_count;
    bool *chosen; /* a cell each: suppressed, or to be */
    tacit__patch all;
    tacit__flow *flow;
} repair_work;

tacit_status tacit__repair_hopeless(const tacit_cells *cells, int32_t cell, tacit_error *err)
{
    return tacit__cell_error(cells, cell, TACIT_INFEASIBLE, err,
                             "it cannot be protected, even if all cells that may be suppressed "
                             "are; allow more cells to be suppressed, or require less protection");
}

/* For several rounds. status: the letters, which are changed. Borrows all three. */
static void repair_free(repair_work *repair)
{
    if (!repair)
        return;
    tacit__free(repair->order);
    tacit__free(repair->chosen);
    tacit__flow_free(repair->flow);
    tacit__patch_clear(&repair->all);
    tacit__free(repair);
}

/* For several rounds. status: the letters, which are changed. Borrows all three. */
static tacit_status repair_new(repair_work **out, const tacit_cells *cells, char *status,
                               const tacit_run *run, tacit_error *err)
{
    size_t count = (size_t)cells->count;
    repair_work *r = tacit__alloc_zeroed(1, sizeof *r);
    if (!r)
        return tacit__nomem(err);
    *r = (repair_work){
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
        repair_free(r);
    return result;
}

/* ---- what to do ---- */

/* Publishes exposed cells again that a method had suppressed, and puts the others in order.
 * Returns how many were published. */
static int32_t sort_out(repair_work *r, const int32_t *exposed, int32_t count)
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
        r->order[r->order_count++] =
            (tacit__cell_price){fmax(need.spread, fmax(need.up, need.down)), cell};
    }
    qsort(r->order, (size_t)r->order_count, sizeof *r->order, tacit__dearest_first);
    return published;
}

/* Takes over the cells that flows chose; returns their number. */
static int32_t take_chosen(repair_work *r)
{
    int32_t count = 0;
    for (int32_t i = 0; i < r->cells->count; i++)
        if (r->chosen[i] && r->status[i] == TACIT_CELL_FREE) {
            r->status[i] = TACIT_CELL_SECONDARY;
            count++;
        }
    return count;
}

static tacit_status protect(repair_work *r, int32_t cell, tacit_error *err)
{
    tacit__flow_answer answer = {0};
    tacit_status status =
        tacit__flow_protect(&answer, r->flow, cell, r->chosen, r->cells->cost, r->run, err);
    if (status == TACIT_OK && !answer.found)
        status = tacit__repair_hopeless(r->cells, cell, err);
    return status;
}

/* A round that changes nothing would be followed by the same. */
static tacit_status repair_round(repair_work *repair, const int32_t *exposed, int32_t count,
                                 tacit_error *err)
{
    repair_work *r = repair;
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

/* Rounds after which a judge and a repair that do not agree are left to it. */
enum { MAX_REPAIRS = 20, MAX_LOOSENED = 3 };

/* What the judge is asked with. */
typedef struct asking {
    const tacit_cells *cells;
    tacit_suppress_judge judge;
    void *payload;
    const tacit_run *run;
    int32_t *exposed;
} asking;

static tacit_status repair_all(tacit_pattern *pattern, const asking *a, tacit_error *err)
{
    repair_work *repair = NULL;
    tacit_status status = TACIT_OK;
    for (int32_t round = 0, count = 0; status == TACIT_OK; round++) {
        status = a->judge(a->exposed, &count, a->cells, pattern->status, a->run, a->payload, err);
        if (status != TACIT_OK || count == 0)
            break;
        pattern->repaired += count;
        pattern->proven = false;
        if (round == MAX_REPAIRS)
            status = tacit__repair_hopeless(a->cells, a->exposed[0], err);
        else if (!repair)
            status = repair_new(&repair, a->cells, pattern->status, a->run, err);
        if (status == TACIT_OK)
            status = repair_round(repair, a->exposed, count, err);
    }
    repair_free(repair);
    return status;
}

/* Whoever has stopped a search is not asked again. */
static tacit_run calm_run(const asking *a)
{
    tacit_run calm = *a->run;
    calm.progress = NULL;
    return calm;
}

/* Publishes exposed cells that the method had suppressed, as repairs do; false: one is primary. */
static bool publish(tacit_pattern *pattern, const asking *a, int32_t count)
{
    bool all = true;
    for (int32_t i = 0; i < count; i++) {
        all &= a->cells->status[a->exposed[i]] == TACIT_CELL_FREE;
        if (a->cells->status[a->exposed[i]] == TACIT_CELL_FREE)
            pattern->status[a->exposed[i]] = TACIT_CELL_FREE;
    }
    pattern->repaired += count;
    return all;
}

/* A search that was stopped has no time for flows: its best is given if the judge, who is not
 * stopped again, finds all that is primary hidden in it, and nothing otherwise. */
static tacit_status judge_stopped(tacit_pattern *pattern, const asking *a, tacit_error *err)
{
    tacit_run calm = calm_run(a);
    for (int round = 0; round < MAX_REPAIRS; round++) {
        int32_t count = 0;
        tacit_status status =
            a->judge(a->exposed, &count, a->cells, pattern->status, &calm, a->payload, err);
        if (status != TACIT_OK || count == 0)
            return status;
        if (!publish(pattern, a, count))
            break;
    }
    return tacit__error(err, TACIT_CANCELLED, "stopped before a safe pattern was found");
}

/* Intervals are optimal, so what is exposed by more than noise cannot be hidden. After a search
 * that was stopped the judge is not stopped again. */
static tacit_status loosen_all(tacit_pattern *pattern, const asking *a, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    tacit_run run = *a->run;
    if (pattern->stopped)
        run.progress = NULL;
    for (int32_t round = 0, count = 0; status == TACIT_OK; round++) {
        tacit_narrowed known;
        status = tacit_narrowed_init(&known, a->cells, &pattern->intervals, err);
        if (status != TACIT_OK)
            return status;
        status = a->judge(a->exposed, &count, &known.cells, pattern->status, &run, a->payload, err);
        tacit_narrowed_clear(&known);
        if (status != TACIT_OK || count == 0)
            break;
        pattern->repaired += count;
        if (round == MAX_LOOSENED)
            status = tacit__repair_hopeless(a->cells, a->exposed[0], err);
        else
            tacit__intervals_loosen(&pattern->intervals, a->cells, pattern->status);
    }
    return status;
}

static tacit_status repair_or_judge(tacit_pattern *pattern, const asking *a, tacit_error *err)
{
    return pattern->stopped ? judge_stopped(pattern, a, err) : repair_all(pattern, a, err);
}

static tacit_status repair_demands(bool *changed, tacit_pattern *pattern, const asking *a,
                                   const tacit_suppress_options *options, tacit_error *err)
{
    if (!pattern->stopped)
        return tacit__keeper_repair(changed, pattern, a->cells, options, a->run, err);
    tacit_run calm = calm_run(a);
    return tacit__keeper_repair(changed, pattern, a->cells, options, &calm, err);
}

/* The judge is asked again after a repair for those who know more, and they after his. */
static tacit_status repair_more(tacit_pattern *pattern, const asking *a,
                                const tacit_suppress_options *options, tacit_error *err)
{
    bool changed = true;
    int32_t before = -1;
    tacit_status status = repair_or_judge(pattern, a, err);
    while (status == TACIT_OK && changed && pattern->repaired != before) {
        before = pattern->repaired;
        status = repair_demands(&changed, pattern, a, options, err);
        if (status != TACIT_OK || !changed)
            break;
        pattern->proven = false;
        status = repair_or_judge(pattern, a, err);
    }
    return status;
}

/* ---- rivals ---- */

/* One of them, made safe; taken over if it is cheaper. One that cannot be is passed over, and a run
 * that is stopped leaves what there is. */
static tacit_status try_rival(tacit_pattern *pattern, const char *letters, const asking *a,
                              const tacit_suppress_options *options, tacit_error *err)
{
    tacit_pattern rival = {0};
    tacit_status status = tacit__pattern_init(&rival, a->cells, letters, err);
    if (status == TACIT_OK)
        status = repair_more(&rival, a, options, err);
    if (status == TACIT_OK) {
        tacit__pattern_finish(&rival, a->cells);
        if (rival.cost < pattern->cost) {
            char *dearer = pattern->status;
            pattern->status = rival.status;
            rival.status = dearer;
            pattern->cost = rival.cost;
            pattern->repaired = rival.repaired;
        }
    }
    tacit_pattern_clear(&rival);
    pattern->stopped |= status == TACIT_CANCELLED;
    if (status != TACIT_CANCELLED && status != TACIT_INFEASIBLE)
        return status;
    if (err)
        *err = (tacit_error){0};
    return TACIT_OK;
}

static tacit_status try_rivals(tacit_pattern *pattern, const asking *a,
                               const tacit_suppress_options *options, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    tacit__pattern_finish(pattern, a->cells);
    for (int32_t k = 0; k < pattern->rival_count && !pattern->stopped && status == TACIT_OK; k++)
        status = try_rival(pattern, pattern->rivals + (size_t)k * (size_t)a->cells->count, a,
                           options, err);
    tacit__free(pattern->rivals);
    pattern->rivals = NULL;
    pattern->rival_count = 0;
    return status;
}

tacit_status tacit_suppress(tacit_pattern *out, const tacit_cells *cells,
                            const tacit_suppress_method *method,
                            const tacit_suppress_options *options, tacit_suppress_judge judge,
                            void *payload, const tacit_run *run, tacit_error *err)
{
    tacit_pattern pattern = {0};
    asking a = {.cells = cells, .judge = judge, .payload = payload, .run = run};
    tacit_status status = tacit_cells_check(cells, err);
    if (status == TACIT_OK && options->singletons)
        status = tacit__insiders_check(cells, err);
    if (status == TACIT_OK)
        status = method->solve(&pattern, cells, cells->status, options, run, err);
    if (status != TACIT_OK)
        return status;
    if (!method->total) {
        a.exposed = tacit__alloc_array((size_t)cells->count, sizeof *a.exposed);
        status = !a.exposed              ? tacit__nomem(err)
                 : pattern.intervals.low ? loosen_all(&pattern, &a, err)
                                         : repair_more(&pattern, &a, options, err);
        if (status == TACIT_OK && pattern.rival_count > 0)
            status = try_rivals(&pattern, &a, options, err);
    }
    tacit__free(a.exposed);
    if (status != TACIT_OK) {
        tacit_pattern_clear(&pattern);
        return status;
    }
    pattern.unprotected = -1;
    if (!pattern.intervals.low)
        tacit__pattern_finish(&pattern, cells);
    *out = pattern;
    return TACIT_OK;
}
