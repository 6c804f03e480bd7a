/*
 * exact_root.c - the linear program of all units (exact_program.c), with helpers generated as they
 * are of use.
 *
 * It starts with the classes that could help, which are few: of those that differ from a unit in
 * more than another does none is worth having; and with the pairs that the best solution makes use
 * of. Helpers that it does not have are priced.
 *
 * A pair i, j that is not in the program would bring columns x and own and a row for each cell they
 * differ in. With duals t[c] for these rows, the program's duals prove what they did if
 *     the dual of i's need  <=  sum of t[c],                      as x wants it,
 *     t[c]  <=  the dual of the row of own at i's cell c,         as own wants it, and
 *     t[c] over all i  <=  the reduced cost of b[j,c].
 * So the reduced costs of a helper's cells are handed out among the units that it could help. Where
 * they do not suffice the pair comes into the program; the sum of what is lacking, taken off the
 * needs' duals, gives a bound all the same.
 *
 * A pair for which there is so much left that the program's cost would rise beyond that of the best
 * solution (`margin`) is in nothing better, and need not be looked at in the search for integers.
 *
 * Rows of a class that is not in need, all alike, are priced once, as the next unit of it: one
 * without blanks in the program prices as the one before it did. How many could be of use: each
 * must be needed by a unit that would else be short, and where rows have no limit and all cells
 * cost 1 by two of them, since one could have the blanks itself. With k = 2 there are none then:
 * let h be such a row with blanks q, and i one of those that need it. Given q, i agrees with h's
 * whole class; and others that need h differ from i only where they or i have a blank, or q: they
 * agree with i instead.
 *
 * Pairs that differ in few columns come first: with them in the program the others are often no
 * longer of use.
 *
 * Costs a pass over pairs of units in need and units or classes, times columns.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/blanks/exact.h"

/* ---- pricing ---- */

enum { MAX_LINKS = 30000, MAX_ALL_UNITS = 20000 };

static const double NOTHING = 1e-7;

typedef struct pricing {
    tacit__root *root;
    tacit__exact *exact;
    double margin;
    int32_t units;          /* that there were when it began */
    double *given;          /* a unit and a column each: duals of the rows of own */
    double *taken;          /* of those, by the helper in hand */
    double slack[64];       /* of the helper's cells: what is left of their reduced costs */
    double *short_of;       /* a unit each: the most that was lacking */
    uint64_t *differ;       /* a unit each: from the helper in hand; 0: nothing to be priced */
    int32_t *starts;        /* of each helper's links in `linked` */
    int32_t *linked;        /* units, by helper */
    int64_t lacking, added; /* pairs, and those of them that came into the program */
} pricing;

/* Half of what is left of the cost of a unit's cell goes to the dual of its row, where the program
 * had no use for it. */
static void add_given(pricing *p)
{
    tacit__root *r = p->root;
    int32_t columns = p->exact->tableau->columns;
    for (int32_t u = 0; r->solved && u < r->units; u++)
        for (int32_t c = 0; p->exact->units[u].need && c < columns; c++) {
            double *dual = &r->duals[r->help.row[u] + 1 + c];
            double *reduced = tacit__root_reduced(r, u) + c;
            *dual += *reduced / (2 * p->exact->units[u].need);
            *reduced /= 2;
            p->given[(int64_t)u * columns + c] = *dual;
        }
}

static void sort_links(pricing *p)
{
    const tacit__exact *e = p->exact;
    for (int32_t l = 0; l < e->link_count; l++)
        if (e->links[l].helper >= 0)
            p->starts[e->links[l].helper + 1]++;
    for (int32_t u = 0; u < p->units; u++)
        p->starts[u + 1] += p->starts[u];
    for (int32_t l = 0; l < e->link_count; l++)
        if (e->links[l].helper >= 0)
            p->linked[p->starts[e->links[l].helper]++] = e->links[l].unit;
    for (int32_t u = p->units; u > 0; u--)
        p->starts[u] = p->starts[u - 1];
    p->starts[0] = 0;
}

static tacit_status pricing_init(pricing *p, tacit__root *root, double margin, tacit_error *err)
{
    tacit__exact *e = root->exact;
    size_t units = (size_t)e->unit_count, cells = units * (size_t)e->tableau->columns;
    *p = (pricing){.root = root, .exact = e, .margin = margin, .units = e->unit_count};
    p->given = tacit__alloc_zeroed(cells, sizeof *p->given);
    p->taken = tacit__alloc_zeroed(cells, sizeof *p->taken);
    p->short_of = tacit__alloc_zeroed(units, sizeof *p->short_of);
    p->differ = tacit__alloc_zeroed(units, sizeof *p->differ);
    p->starts = tacit__alloc_zeroed(units + 2, sizeof *p->starts);
    p->linked = tacit__alloc_array((size_t)e->link_count + 1, sizeof *p->linked);
    if (!p->given || !p->taken || !p->short_of || !p->differ || !p->starts || !p->linked)
        return tacit__nomem(err);
    add_given(p);
    sort_links(p);
    return TACIT_OK;
}

static void pricing_clear(pricing *p)
{
    tacit__free(p->given);
    tacit__free(p->taken);
    tacit__free(p->short_of);
    tacit__free(p->differ);
    tacit__free(p->starts);
    tacit__free(p->linked);
}

/* ---- a helper ---- */

/* Units that a row of a class could help, but for those that `helper` is linked with already;
 * those in reach are returned. */
static int64_t find_units(pricing *p, uint32_t class_index, int32_t helper)
{
    const tacit__exact *e = p->exact;
    int64_t found = 0;
    for (int32_t u = 0; u < p->units; u++) {
        const tacit__unit *unit = &e->units[u];
        p->differ[u] = 0;
        if (!unit->need || unit->class_index == class_index)
            continue;
        uint64_t differ = tacit__tableau_differ(e->tableau, unit->class_index, class_index);
        if (tacit__exact_may(e, u, class_index, differ))
            p->differ[u] = differ;
    }
    for (int32_t i = helper < 0 ? 0 : p->starts[helper]; helper >= 0 && i < p->starts[helper + 1];
         i++)
        p->differ[p->linked[i]] = 0;
    for (int32_t u = 0; u < p->units; u++)
        found += p->differ[u] != 0;
    return found;
}

/* Gives a pair a dual for what it rests on beyond a helper's blanks, which takes nothing from the
 * helper; what it still wants is returned. */
static double give_beyond(pricing *p, int32_t unit, double want)
{
    int64_t first = (int64_t)unit * p->exact->tableau->columns;
    int beyond = __builtin_popcountll(p->differ[unit]) - p->exact->tableau->most_row;
    if (beyond <= 0)
        return want;
    double dual = want / beyond;
    for (uint64_t left = p->differ[unit]; left; left &= left - 1) {
        int64_t cell = first + __builtin_ctzll(left);
        dual = fmin(dual, fmax(p->given[cell] - p->taken[cell], 0));
    }
    for (uint64_t left = p->differ[unit]; left && isfinite(dual); left &= left - 1)
        p->taken[first + __builtin_ctzll(left)] += dual;
    return want - beyond * dual;
}

/* Hands out what there is to a pair, up to `want`; what is lacking is returned. */
static double hand_out(pricing *p, int32_t unit, double want)
{
    int64_t first = (int64_t)unit * p->exact->tableau->columns;
    want = give_beyond(p, unit, want);
    for (uint64_t left = p->differ[unit]; left && want > 0; left &= left - 1) {
        int c = __builtin_ctzll(left);
        double some = fmin(fmin(p->given[first + c] - p->taken[first + c], p->slack[c]), want);
        if (some <= 0)
            continue;
        p->slack[c] -= some;
        p->taken[first + c] += some;
        want -= some;
    }
    return want > NOTHING ? want : 0;
}

/* Gives every pair what its need's dual asks for; those that are `lacking` stay marked. */
static int64_t hand_out_needs(pricing *p, bool *lacking)
{
    int64_t count = 0;
    for (int32_t u = 0; u < p->units; u++) {
        lacking[u] = false;
        if (!p->differ[u])
            continue;
        memset(p->taken + (int64_t)u * p->exact->tableau->columns, 0,
               (size_t)p->exact->tableau->columns * sizeof *p->taken);
        double dual = p->root->solved ? p->root->duals[p->root->help.row[u]] : INFINITY;
        double missing = hand_out(p, u, dual);
        lacking[u] = missing > 0;
        count += lacking[u];
        p->short_of[u] = fmax(p->short_of[u], missing);
    }
    return count;
}

/* Marks those pairs as well that have no margin. */
static void hand_out_margin(pricing *p, bool *lacking)
{
    int32_t columns = p->exact->tableau->columns;
    double slack[64], taken[64];
    for (int32_t u = 0; u < p->units; u++) {
        double *own = p->taken + (int64_t)u * columns;
        if (!p->differ[u] || lacking[u])
            continue;
        memcpy(slack, p->slack, sizeof slack);
        memcpy(taken, own, (size_t)columns * sizeof *taken);
        if (hand_out(p, u, p->margin + NOTHING) > 0) {
            lacking[u] = true;
            memcpy(p->slack, slack, sizeof slack);
            memcpy(own, taken, (size_t)columns * sizeof *taken);
        }
    }
}

static tacit_status link_lacking(pricing *p, int32_t helper, const bool *lacking, tacit_error *err)
{
    tacit__exact *e = p->exact;
    for (int32_t u = 0; u < p->units; u++) {
        if (!p->differ[u] || !lacking[u])
            continue;
        p->lacking++;
        if (p->margin == 0 && __builtin_popcountll(p->differ[u]) > p->root->reach)
            continue;
        p->added++;
        tacit__exact_add_link(e, u, helper, p->differ[u]);
    }
    if (e->failed)
        return tacit__nomem(err);
    return e->link_count <= MAX_LINKS
               ? TACIT_OK
               : tacit__error(err, TACIT_LIMIT, "too many pairs of rows could agree");
}

static tacit_status price_unit(pricing *p, int32_t helper, bool *lacking, tacit_error *err)
{
    const tacit__exact *e = p->exact;
    size_t bytes = (size_t)e->tableau->columns * sizeof *p->slack;
    double *reduced = p->root->solved ? tacit__root_reduced(p->root, helper) : NULL;
    if (find_units(p, e->units[helper].class_index, helper) == 0)
        return TACIT_OK;
    memset(p->slack, 0, sizeof p->slack);
    if (reduced)
        memcpy(p->slack, reduced, bytes);
    hand_out_needs(p, lacking);
    if (p->margin > 0 && reduced) /* what was handed out is no reason to leave a cell out */
        memcpy(reduced, p->slack, bytes);
    if (p->margin > 0)
        hand_out_margin(p, lacking);
    return link_lacking(p, helper, lacking, err);
}

/* ---- rows of classes that are not in need ---- */

/* Whether a row that is not in need must help two others to be of use. */
static bool helps_two(const tacit__tableau *t)
{
    return t->unit && t->most_row >= t->columns;
}

/* Whether the last unit of a class has no blank in the program, or is not even in it. */
static bool idle(const pricing *p, int32_t unit)
{
    if (unit < 0 || !p->root->solved)
        return false;
    for (int32_t c = 0; c < p->exact->tableau->columns; c++)
        if (tacit__root_value(p->root, unit, c) > NOTHING)
            return false;
    return true;
}

/* Marks what the last unit of a class, which is idle, could help within the margin: the next one
 * is priced as it is. */
static void mark_as_last(pricing *p, int32_t last, bool *lacking)
{
    const tacit__exact *e = p->exact;
    for (int32_t u = 0; u < p->units; u++)
        lacking[u] = false;
    for (int32_t l = 0; l < e->link_count; l++) {
        const tacit__link *link = &e->links[l];
        if (link->helper == last)
            lacking[link->unit] = tacit__root_link_reduced(p->root, l) <= p->margin;
    }
}

/* How many more units of a class there could be of use for those that are marked. */
static int64_t count_more(const pricing *p, uint32_t class_index, const bool *lacking)
{
    const tacit__exact *e = p->exact;
    const tacit__tableau *t = e->tableau;
    int64_t needs = 0, most = t->counts[class_index];
    double cheapest = INFINITY;
    for (int32_t u = 0; u < p->units; u++)
        needs += p->differ[u] && lacking[u] ? e->units[u].need : 0;
    for (int32_t c = 0; c < t->columns; c++)
        cheapest = fmin(cheapest, t->costs[(int64_t)class_index * t->columns + c]);
    needs /= helps_two(t) ? 2 : 1;
    if (tacit__exact_cutoff(e) / cheapest < (double)most)
        most = (int64_t)(tacit__exact_cutoff(e) / cheapest);
    most = needs < most ? needs : most;
    return most > e->uses[class_index] ? most - e->uses[class_index] : 0;
}

/* Whether one of the pairs that are marked is in reach; counts them where none is. */
static bool in_reach(pricing *p, const bool *lacking)
{
    int64_t count = 0;
    for (int32_t u = 0; u < p->units; u++) {
        count += p->differ[u] && lacking[u];
        if (p->differ[u] && lacking[u] && __builtin_popcountll(p->differ[u]) <= p->root->reach)
            return true;
    }
    p->lacking += count;
    return false;
}

/* As many as there are, so that rounds do not become many. */
static int64_t next_few(const pricing *p, uint32_t class_index)
{
    int64_t uses = p->exact->uses[class_index];
    int64_t left = p->exact->tableau->counts[class_index] - uses;
    return uses < 1 ? 1 : uses < left ? uses : left;
}

/* Prices the next row of a class: a few for the linear program, and as many as could be of use for
 * the search. */
static int64_t price_next(pricing *p, uint32_t class_index, bool *lacking)
{
    const tacit__exact *e = p->exact;
    const tacit__tableau *t = e->tableau;
    bool as_last = idle(p, e->last[class_index]);
    if (p->margin == 0 && as_last)
        return 0;
    memcpy(p->slack, t->costs + (int64_t)class_index * t->columns,
           (size_t)t->columns * sizeof *p->slack);
    if (as_last)
        mark_as_last(p, e->last[class_index], lacking);
    else if (hand_out_needs(p, lacking) > 0 && p->margin == 0)
        return in_reach(p, lacking) ? next_few(p, class_index) : 0;
    if (p->margin == 0)
        return 0;
    if (!as_last)
        hand_out_margin(p, lacking);
    return count_more(p, class_index, lacking);
}

static tacit_status price_class(pricing *p, uint32_t class_index, bool *lacking, tacit_error *err)
{
    tacit__exact *e = p->exact;
    const tacit__tableau *t = e->tableau;
    if (e->uses[class_index] >= t->counts[class_index] || (helps_two(t) && t->k == 2) ||
        find_units(p, class_index, -1) == 0)
        return TACIT_OK;
    int64_t more = price_next(p, class_index, lacking);
    tacit_status status = TACIT_OK;
    for (int64_t n = 0; status == TACIT_OK && n < more; n++) {
        tacit__exact_add_unit(e, class_index);
        status = link_lacking(p, e->last[class_index], lacking, err);
        if (status == TACIT_OK && e->unit_count > MAX_ALL_UNITS)
            return tacit__error(err, TACIT_LIMIT, "too many rows could help others");
    }
    return status;
}

tacit_status tacit__root_price(int64_t *added, double *short_of, tacit__root *root, double margin,
                               tacit_error *err)
{
    pricing p;
    tacit__exact *e = root->exact;
    const tacit__tableau *t = e->tableau;
    tacit_status status = pricing_init(&p, root, margin, err);
    bool *lacking = tacit__alloc_zeroed((size_t)p.units + 1, sizeof *lacking);
    if (status == TACIT_OK && !lacking)
        status = tacit__nomem(err);
    for (int32_t u = 0; status == TACIT_OK && u < p.units; u++) {
        status = tacit__progress(e->run, "ambiguate", u, p.units, err);
        if (status == TACIT_OK)
            status = price_unit(&p, u, lacking, err);
    }
    for (int64_t i = 0; status == TACIT_OK && i < t->classes; i++) {
        status = tacit__progress(e->run, "ambiguate", i, t->classes, err);
        if (status == TACIT_OK && t->counts[i] >= t->k)
            status = price_class(&p, (uint32_t)i, lacking, err);
    }
    *added = p.added;
    root->reach += p.added == 0 && p.lacking > 0;
    root->priced = p.lacking == 0;
    *short_of = 0;
    for (int32_t u = 0; status == TACIT_OK && u < p.units; u++)
        *short_of += p.short_of[u] * e->units[u].need;
    tacit__free(lacking);
    pricing_clear(&p);
    return status;
}

/* ---- first helpers ---- */

/* Keeps the smallest sets of columns in which a unit differs from a class that can help. */
static void link_class(tacit__exact *e, int32_t unit, uint64_t differ)
{
    for (int32_t l = e->units[unit].first_link; l >= 0; l = e->links[l].next) {
        if (!(e->links[l].differ & ~differ))
            return;
        if (!(differ & ~e->links[l].differ)) {
            e->links[l].differ = differ; /* those that it makes superfluous do no harm */
            return;
        }
    }
    tacit__exact_add_link(e, unit, -1, differ);
}

static void link_classes(tacit__exact *e, int32_t unit)
{
    const tacit__tableau *t = e->tableau;
    double cutoff = tacit__exact_cutoff(e);
    uint32_t own = e->units[unit].class_index;
    for (int64_t i = 0; i < t->classes; i++) {
        uint64_t differ = t->counts[i] >= t->k ? tacit__tableau_differ(t, own, i) : 0;
        if (differ && __builtin_popcountll(differ) <= t->most_row &&
            tacit__tableau_cost(t, own, differ) <= cutoff)
            link_class(e, unit, differ);
    }
}

/* Helpers that the best solution has, so that the program has one as well. */
static void link_best(tacit__exact *e, int32_t unit)
{
    const tacit__masks *m = &e->best;
    for (int32_t u = 0; u < e->unit_count; u++) {
        uint64_t differ = tacit__exact_differ(e, unit, u);
        bool class_helps = !e->units[u].need && !(differ & ~m->mask[unit]);
        if (differ && !class_helps && !(differ & ~(m->mask[unit] | m->mask[u])))
            tacit__exact_add_link(e, unit, u, differ);
    }
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
        if (status != TACIT_OK || !e->units[u].need)
            continue;
        link_classes(e, u);
        if (e->found)
            link_best(e, u);
    }
    if (e->failed)
        status = tacit__nomem(err);
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
    if (!TACIT__RESERVE_ONE(r->values, r->value_capacity, columns) ||
        !TACIT__RESERVE_ONE(r->reduced, r->reduced_capacity, columns) ||
        !TACIT__RESERVE_ONE(r->duals, r->dual_capacity, rows))
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
    tacit__solver_options options = {.iterations = (TACIT__EXACT_WORK - e->work) / (rows + 1) + 1,
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
    while (status == TACIT_OK && !done && e->work < TACIT__EXACT_WORK &&
           e->bound <= tacit__exact_cutoff(e))
        status = round_of(&done, r, err);
    return status;
}
