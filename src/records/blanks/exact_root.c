/*
 * exact_root.c - the linear program of all units (exact_program.c), with
 * helpers generated as they are of use (exact_price.c).
 *
 * It starts with the classes that could help, which are few: of those that differ from a
 * unit in more than another does none is worth having; and with the pairs that the best
 * solution makes use of.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/blanks/exact.h"

/* ---- first helpers ---- */

/* Keeps the smallest sets of columns in which a unit differs from a class that can help. */
static tacit_status link_class(tacit__exact *e, int32_t unit, uint64_t differ, tacit_error *err)
{
    for (int32_t l = e->units[unit].first_link; l >= 0; l = e->links[l].next) {
        if (!(e->links[l].differ & ~differ))
            return TACIT_OK;
        if (!(differ & ~e->links[l].differ)) {
            e->links[l].differ = differ; /* those that it makes superfluous do no harm */
            return TACIT_OK;
        }
    }
    return tacit__exact_add_link(e, unit, -1, differ, err);
}

static tacit_status link_classes(tacit__exact *e, int32_t unit, tacit_error *err)
{
    const tacit__tableau *t = e->tableau;
    double cutoff = tacit__exact_cutoff(e);
    uint32_t own = e->units[unit].class_index;
    tacit_status status = TACIT_OK;
    for (int64_t i = 0; status == TACIT_OK && i < t->classes; i++) {
        uint64_t differ = t->counts[i] >= t->k ? tacit__tableau_differ(t, own, i) : 0;
        if (differ && __builtin_popcountll(differ) <= t->most_row &&
            tacit__tableau_cost(t, own, differ) <= cutoff)
            status = link_class(e, unit, differ, err);
    }
    return status;
}

/* Helpers that the best solution has, so that the program has one as well. */
static tacit_status link_best(tacit__exact *e, int32_t unit, tacit_error *err)
{
    const tacit__masks *m = &e->best;
    tacit_status status = TACIT_OK;
    for (int32_t u = 0; status == TACIT_OK && u < e->unit_count; u++) {
        uint64_t differ = tacit__exact_differ(e, unit, u);
        bool class_helps = !e->units[u].need && !(differ & ~m->mask[unit]);
        if (differ && !class_helps && !(differ & ~(m->mask[unit] | m->mask[u])))
            status = tacit__exact_add_link(e, unit, u, differ, err);
    }
    return status;
}

/* ---- building ---- */

/* Numbers from, from + 1 ... to - 1; the caller frees them. */
static int32_t *numbers(int32_t from, int32_t to)
{
    int32_t *list = tacit__alloc_array((size_t)(to - from) + 1, sizeof *list);
    for (int32_t i = from; list && i < to; i++)
        list[i - from] = i;
    return list;
}

/* Puts units and links into the program that are not in it yet. */
static tacit_status grow_program(tacit__root *r, tacit_error *err)
{
    const tacit__exact *e = r->exact;
    int32_t *units = numbers(r->units, e->unit_count), *links = numbers(r->links, e->link_count);
    tacit_status status = units && links ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__help_add_units(&r->help, e->unit_count - r->units, units, NULL, err);
    if (status == TACIT_OK)
        status = tacit__help_add_links(&r->help, e->link_count - r->links, links, err);
    r->units = e->unit_count;
    r->links = e->link_count;
    tacit__free(units);
    tacit__free(links);
    return status;
}

tacit_status tacit__root_init(tacit__root *r, tacit__exact *e, tacit_error *err)
{
    *r = (tacit__root){.exact = e, .reach = 1};
    tacit_status status = tacit__help_init(&r->help, e, err);
    for (int32_t u = 0; status == TACIT_OK && u < e->unit_count; u++) {
        status = tacit__progress(e->run, "ambiguate", u, e->unit_count, err);
        if (status == TACIT_OK && e->units[u].need)
            status = link_classes(e, u, err);
        if (status == TACIT_OK && e->units[u].need && e->found)
            status = link_best(e, u, err);
    }
    if (status == TACIT_OK)
        status = grow_program(r, err);
    if (status != TACIT_OK)
        tacit__root_clear(r);
    return status;
}

void tacit__root_clear(tacit__root *r)
{
    tacit__help_clear(&r->help);
    tacit__free(r->values);
    tacit__free(r->reduced);
    tacit__free(r->duals);
    *r = (tacit__root){0};
}

/* ---- solving ---- */

static tacit_status take_answer(tacit__root *r, const tacit__solver_answer *answer,
                                tacit_error *err)
{
    size_t columns = (size_t)tacit__solver_columns(r->help.solver);
    size_t rows = (size_t)tacit__solver_rows(r->help.solver);
    if (!TACIT__RESERVE_ONE(r->values, r->value_room, columns) ||
        !TACIT__RESERVE_ONE(r->reduced, r->reduced_room, columns) ||
        !TACIT__RESERVE_ONE(r->duals, r->dual_room, rows))
        return tacit__nomem(err);
    memcpy(r->values, answer->values, columns * sizeof *r->values);
    for (size_t i = 0; i < columns; i++)
        r->reduced[i] = fmax(answer->reduced[i], 0);
    for (size_t i = 0; i < rows; i++)
        r->duals[i] = fmax(answer->duals[i], 0);
    r->cost = answer->bound;
    return TACIT_OK;
}

static tacit_status solve_root(tacit__root *r, tacit_error *err)
{
    tacit__exact *e = r->exact;
    tacit__solver_answer answer;
    int64_t rows = tacit__solver_rows(r->help.solver);
    tacit__solver_options options = {.iterations = (e->work_limit - e->work) / (rows + 1) + 1,
                                     .relaxed = true,
                                     .phase = "ambiguate"};
    tacit_status status = tacit__solver_solve(&answer, r->help.solver, &options, e->run, err);
    r->solved = false;
    if (status != TACIT_OK)
        return status;
    e->work += answer.iterations * (rows + 1);
    r->empty = answer.result == TACIT__SOLVER_INFEASIBLE;
    r->solved = answer.result == TACIT__SOLVER_OPTIMAL;
    return r->solved ? take_answer(r, &answer, err) : TACIT_OK;
}

/* ---- all of it ---- */

/* What the program says of the best there can be. */
static void raise(tacit__exact *e, double bound)
{
    bound = tacit__exact_lift(e, bound);
    if (bound > e->bound)
        e->bound = bound;
}

/* A round: what is in the program, then more helpers. *done where nothing more comes of it. */
static tacit_status round_of(bool *done, tacit__root *r, tacit_error *err)
{
    int64_t added = 0;
    double short_of = 0;
    tacit_status status = solve_root(r, err);
    *done = true;
    if (status != TACIT_OK || (!r->solved && !r->empty))
        return status;
    r->priced = false;
    while (status == TACIT_OK && added == 0 && !r->priced) {
        status = tacit__root_price(&added, &short_of, r, r->empty ? INFINITY : 0, err);
        if (status == TACIT_OK && r->solved)
            raise(r->exact, r->cost - short_of);
    }
    if (status == TACIT_OK)
        status = grow_program(r, err);
    if (added > 0)
        r->solved = r->empty = *done = false;
    return status;
}

tacit_status tacit__root_solve(tacit__root *r, tacit_error *err)
{
    tacit__exact *e = r->exact;
    tacit_status status = TACIT_OK;
    bool done = false;
    if (!e->found) { /* everything may be of use */
        int64_t added = 0;
        double short_of = 0;
        status = tacit__root_price(&added, &short_of, r, INFINITY, err);
        if (status == TACIT_OK)
            status = grow_program(r, err);
    }
    while (status == TACIT_OK && !done && e->work < e->work_limit &&
           e->bound <= tacit__exact_cutoff(e))
        status = round_of(&done, r, err);
    return status;
}
