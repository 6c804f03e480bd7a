/*
 * suppress.c - a method, then the judge, then repair until the judge is content.
 *
 * Subtable methods see less than an adversary, who has all relations at once. What the
 * judge finds is repaired over the whole table (repair.c), and the judge is asked again. The same
 * for what those find out who know more, where that is asked for (keeper.c), whatever the
 * method: one that sees to it itself leaves nothing to be found. Where a method has rivals to its
 * pattern they are seen to likewise, and the cheapest is taken. Where a method gives intervals the
 * judge is shown cells that are known to be within them, and what little numbers of programs were
 * off by is made up for.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "cells/suppress/keeper.h"
#include "cells/suppress/knowers.h"
#include "cells/suppress/repair.h"

/* Rounds after which a judge and a repair that do not agree are left to it. */
enum { MOST_REPAIRS = 20, MOST_LOOSENED = 3 };

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
    tacit__repair *repair = NULL;
    tacit_status status = TACIT_OK;
    for (int32_t round = 0, count = 0; status == TACIT_OK; round++) {
        status = a->judge(a->exposed, &count, a->cells, pattern->status, a->run, a->payload, err);
        if (status != TACIT_OK || count == 0)
            break;
        pattern->repaired += count;
        pattern->proven = false;
        if (round == MOST_REPAIRS)
            status = tacit__repair_hopeless(a->cells, a->exposed[0], err);
        else if (!repair)
            status = tacit__repair_new(&repair, a->cells, pattern->status, a->run, err);
        if (status == TACIT_OK)
            status = tacit__repair_round(repair, a->exposed, count, err);
    }
    tacit__repair_free(repair);
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
    for (int round = 0; round < MOST_REPAIRS; round++) {
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
        if (round == MOST_LOOSENED)
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
        status = tacit__knowers_check(cells, err);
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
