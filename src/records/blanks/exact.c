/*
 * exact.c - the least blanks that make a table k-ambiguous, with a proof.
 *
 * A minimal satisfying assignment of F_M, for k = 2 (Vinterbo and Ohno-Machado 2001, 2.1),
 * and of what takes its place for larger k: every row agrees with k. As an integer program:
 *   1. covering (cover.c) gives a first solution and a bound; where it finds none within
 *      limits, rows are helped one by one where it is cheapest;
 *   2. the linear program over cells and over who helps whom (exact_program.c),
 *      with rows and columns for a pair only once it may be of use (exact_root.c);
 *      its cost is a bound, and rounded it is another solution;
 *   3. what its reduced costs leave for anything better falls into parts, and each is solved in
 *      integers.
 * No bound rests on a solver's word: solver.h. How long it goes on is counted in the work of
 * linear programs and in nodes; then, or stopped, the best found and its bound are given.
 *
 * How far proofs go, on five columns, with seconds of one core: without limits whole rows are soon
 * the best there is; for k = 2 covering's bound says so at once, on testdata (4580 rows) too; k = 3
 * on random tables of 25 rows 4 s, on 30 rows of adult 7 s; 60 rows stay at 10 blanks with a bound
 * of 9, random ones of 15 rows with k = 4 at 15 with a bound of 13. With at most two blanks in a
 * row 10 rows take less than 3 s and 15 about 5, for k = 2 and mostly for 3; of 20 rows the bound
 * is one or two blanks below what is found. On all of testdata, seven columns, covering's bound is
 * the better one (67 of 73 blanks for k = 2, 88 of 122 for k = 3).
 *
 * First solutions, and from fractions: units in need are taken one after the other; each gets the
 * helper that is the cheapest for every row it agrees with, again and again until it agrees with k.
 * What the two differ in becomes blank where that costs less and limits leave room. With the prices
 * of cells that a linear program has all but blanked made low, the same rounds its solution. Blanks
 * that turn out not to be needed are filled again. A unit costs a pass over classes and units for
 * each helper.
 *
 * Integers: what the reduced costs of the linear program show to be in nothing better than the best
 * solution is left out: cells, and helpers (those not in the program were priced for that). Units
 * that are then connected by help, or as rows of one class, are a part, and parts are solved one by
 * one, unless a limit on columns ties them together.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "records/blanks/exact.h"

enum { EXACT_NODES = 5000 }; /* of a part's search */

/* ---- first solutions ---- */

/* A helper and what is to become blank for it. */
typedef struct helper_offer {
    uint32_t class_index;
    int32_t helper;       /* a unit; -1: the class, for which only the unit's cells are blanked */
    bool fresh;           /* the helper is a row of the class that is no unit yet */
    uint64_t own, theirs; /* cells of the unit in need, and of the helper */
    double price;         /* a row that is agreed with */
} helper_offer;

typedef struct greedy {
    tacit__exact *exact;
    tacit__masks masks;
    const double *prices;
    int32_t priced; /* units that have prices */
} greedy;

static double cell_price(const greedy *g, int32_t unit, uint32_t class_index, int c)
{
    const tacit__tableau *t = g->exact->tableau;
    if (g->prices && unit >= 0 && unit < g->priced)
        return g->prices[(int64_t)unit * t->columns + c];
    return t->costs[(int64_t)class_index * t->columns + c];
}

/* Divides what is to become blank between a unit and a helper; false where limits forbid. */
static bool divide(helper_offer *o, const greedy *g, int32_t unit, uint64_t left,
                   uint64_t their_mask)
{
    const tacit__tableau *t = g->exact->tableau;
    int own_capacity = t->most_row - __builtin_popcountll(g->masks.mask[unit]);
    int room = o->helper >= 0 || o->fresh ? t->most_row - __builtin_popcountll(their_mask) : 0;
    for (; left; left &= left - 1) {
        int c = __builtin_ctzll(left);
        double own =
            own_capacity > 0 ? cell_price(g, unit, g->exact->units[unit].class_index, c) : INFINITY;
        double theirs = room > 0 ? cell_price(g, o->helper, o->class_index, c) : INFINITY;
        if (fmin(own, theirs) == INFINITY || g->masks.column[c] >= t->most_column)
            return false;
        o->price += fmin(own, theirs);
        if (own <= theirs) {
            o->own |= 1ull << c;
            own_capacity--;
        } else {
            o->theirs |= 1ull << c;
            room--;
        }
    }
    return true;
}

static void consider(helper_offer *best, const greedy *g, int32_t unit, helper_offer o,
                     uint64_t left, int64_t rows)
{
    uint64_t mask = o.helper >= 0 ? g->masks.mask[o.helper] : 0;
    left &= ~mask;
    if (!left || !divide(&o, g, unit, left, mask))
        return;
    o.price /= (double)rows;
    if (o.price < best->price)
        *best = o;
}

/* The best helper of a unit; price INFINITY: there is none. */
static helper_offer find_helper(const greedy *g, int32_t unit)
{
    const tacit__exact *e = g->exact;
    const tacit__tableau *t = e->tableau;
    helper_offer best = {.price = INFINITY};
    int64_t missing = t->k - g->masks.alpha[unit];
    for (int64_t i = 0; i < t->classes; i++) {
        uint64_t left =
            tacit__tableau_differ(t, e->units[unit].class_index, i) & ~g->masks.mask[unit];
        helper_offer o = {.class_index = (uint32_t)i, .helper = -1};
        if (!left)
            continue;
        consider(&best, g, unit, o, left, t->counts[i] < missing ? t->counts[i] : missing);
        for (o.helper = e->last[i]; o.helper >= 0; o.helper = e->units[o.helper].before)
            consider(&best, g, unit, o, left, 1);
        o.fresh = e->uses[i] < t->counts[i];
        if (o.fresh && t->most_row < t->columns)
            consider(&best, g, unit, o, left, 1);
    }
    return best;
}

static void use_helper(greedy *g, int32_t unit, helper_offer o)
{
    tacit__exact *e = g->exact;
    if (o.fresh && o.theirs) {
        tacit__exact_add_unit(e, o.class_index);
        tacit__masks_fit(&g->masks, e);
        if (e->failed)
            return;
        o.helper = e->last[o.class_index];
    }
    tacit__masks_set(&g->masks, e, unit, g->masks.mask[unit] | o.own);
    if (o.helper >= 0)
        tacit__masks_set(&g->masks, e, o.helper, g->masks.mask[o.helper] | o.theirs);
}

/* Helps every unit in need. *done is false where limits leave no way. */
static tacit_status help_units(bool *done, greedy *g, tacit_error *err)
{
    tacit__exact *e = g->exact;
    tacit_status status = TACIT_OK;
    *done = true;
    for (int32_t u = 0; status == TACIT_OK && *done && u < e->unit_count; u++) {
        status = tacit__progress(e->run, "ambiguate", u, e->unit_count, err);
        while (status == TACIT_OK && !e->failed && *done && e->units[u].need &&
               g->masks.alpha[u] < e->tableau->k) {
            helper_offer o = find_helper(g, u);
            *done = o.price < INFINITY;
            if (*done)
                use_helper(g, u, o);
        }
    }
    return e->failed ? tacit__nomem(err) : status;
}

/* Blanks one helper after the other, where it is cheapest; cells cost what `prices` says
 * (a unit's after the other's; NULL: what they do). Offers what it finds. */
static tacit_status help_greedily(tacit__exact *e, const double *prices, tacit_error *err)
{
    greedy g = {.exact = e, .prices = prices, .priced = e->unit_count};
    bool done = false;
    tacit_status status = TACIT_OK;
    tacit__masks_fit(&g.masks, e);
    if (!e->failed) {
        tacit__masks_reset(&g.masks, e);
        status = help_units(&done, &g, err);
    }
    if (status == TACIT_OK && done) {
        tacit__masks_minimize(&g.masks, e);
        tacit__exact_offer(e, &g.masks);
    }
    tacit__masks_clear(&g.masks);
    return e->failed ? tacit__nomem(err) : status;
}

/* ---- plans ---- */

/* Blanks rows of a class that have none, which become units where they are not. */
static void take_blank(tacit__masks *m, tacit__exact *e, const tacit__blank *blank, int64_t *left)
{
    for (int64_t n = 0; n < blank->rows; n++) {
        if (left[blank->class_index] == 0) {
            tacit__exact_add_unit(e, blank->class_index);
            left[blank->class_index] = 1;
        }
        tacit__masks_fit(m, e);
        if (e->failed)
            return;
        int32_t unit = e->last[blank->class_index];
        for (int64_t skip = --left[blank->class_index]; skip > 0; skip--)
            unit = e->units[unit].before;
        tacit__masks_set(m, e, unit, blank->mask);
    }
}

static tacit_status take_plan(tacit__exact *e, const tacit__blanking *plan, tacit_error *err)
{
    size_t classes = (size_t)e->tableau->classes;
    tacit__masks m = {0};
    int64_t *left = tacit__alloc_array(classes, sizeof *left); /* units without blanks */
    e->failed |= !left;
    for (size_t i = 0; left && i < classes; i++)
        left[i] = e->uses[i];
    tacit__masks_fit(&m, e);
    if (!e->failed)
        tacit__masks_reset(&m, e);
    for (int64_t b = 0; !e->failed && b < plan->count; b++)
        take_blank(&m, e, &plan->blanks[b], left);
    if (!e->failed)
        tacit__exact_offer(e, &m);
    tacit__masks_clear(&m);
    tacit__free(left);
    return e->failed ? tacit__nomem(err) : TACIT_OK;
}

/* ---- integers, part by part ---- */

typedef struct parts {
    tacit__exact *exact;
    const tacit__root *root;
    double margin;      /* above the linear program: in nothing better */
    int32_t *part_of;   /* a unit each: the first unit of its part */
    uint64_t *cells;    /* a unit each: those that can be blank */
    bool *in_use;       /* a link each: it can be of use */
    int32_t *units;     /* of the part in hand, */
    uint64_t *of_units; /* and their cells */
    int32_t *links;     /* the same */
    int32_t unit_count, link_count;
    double *start;
    size_t start_capacity;
    tacit__masks found; /* of all parts so far */
} parts;

/* ---- which units are connected ---- */

static int32_t stands_for(int32_t *part_of, int32_t unit)
{
    while (part_of[unit] != unit)
        unit = part_of[unit] = part_of[part_of[unit]];
    return unit;
}

static void connect(parts *p, int32_t a, int32_t b)
{
    a = stands_for(p->part_of, a);
    b = stands_for(p->part_of, b);
    p->part_of[a > b ? a : b] = a > b ? b : a;
}

static void find_cells(parts *p)
{
    for (int32_t u = 0; u < p->exact->unit_count; u++) {
        const double *reduced = tacit__root_reduced(p->root, u);
        p->cells[u] = 0;
        for (int32_t c = 0; c < p->exact->tableau->columns; c++)
            p->cells[u] |= (uint64_t)(!reduced || reduced[c] <= p->margin) << c;
    }
}

/* Whether a helper can be of use: every cell that they differ in can be blank in one of them. */
static bool is_of_use(const parts *p, int32_t l)
{
    const tacit__link *link = &p->exact->links[l];
    uint64_t cells = p->cells[link->unit] | (link->helper < 0 ? 0 : p->cells[link->helper]);
    return !(link->differ & ~cells) && tacit__root_link_reduced(p->root, l) <= p->margin;
}

static void find_parts(parts *p)
{
    const tacit__exact *e = p->exact;
    bool tied = e->tableau->most_column < e->tableau->rows;
    for (int32_t u = 0; u < e->unit_count; u++)
        p->part_of[u] = u;
    for (int32_t u = 0; u < e->unit_count; u++) {
        if (tied && u > 0)
            connect(p, 0, u);
        if (e->units[u].before >= 0)
            connect(p, u, e->units[u].before);
    }
    for (int32_t l = 0; l < e->link_count; l++) {
        p->in_use[l] = is_of_use(p, l);
        if (e->links[l].helper >= 0 && p->in_use[l])
            connect(p, e->links[l].unit, e->links[l].helper);
    }
    for (int32_t u = 0; u < e->unit_count; u++)
        p->part_of[u] = stands_for(p->part_of, u);
}

static void gather(parts *p, int32_t part)
{
    const tacit__exact *e = p->exact;
    p->unit_count = p->link_count = 0;
    for (int32_t u = part; u < e->unit_count; u++) {
        if (p->part_of[u] != part)
            continue;
        p->of_units[p->unit_count] = p->cells[u];
        p->units[p->unit_count++] = u;
        for (int32_t l = e->units[u].first_link; l >= 0; l = e->links[l].next)
            if (p->in_use[l])
                p->links[p->link_count++] = l;
    }
}

/* ---- solving a part ---- */

/* What the best solution takes of a link, as long as something is missing. */
static double taken(const tacit__exact *e, const tacit__link *link, double missing)
{
    uint64_t mask = e->best.mask[link->unit];
    if (link->helper < 0)
        return link->differ & ~mask ? 0 : missing;
    return link->differ & ~(mask | e->best.mask[link->helper]) || missing < 1 ? 0 : 1;
}

/* Sets the columns of a link; those of own follow its own, in the order of cells. */
static void start_link(parts *p, const tacit__help *h, int32_t l, double some)
{
    const tacit__link *link = &p->exact->links[l];
    int32_t column = h->link[l];
    p->start[column++] = some;
    for (uint64_t left = link->helper < 0 ? 0 : link->differ; left; left &= left - 1)
        if (p->cells[link->unit] & left & -left)
            p->start[column++] = p->exact->best.mask[link->unit] & left & -left ? some : 0;
}

/* The best solution as one of the part, where it is one, which the solver looks at. */
static void start_with(parts *p, const tacit__help *h)
{
    const tacit__exact *e = p->exact;
    int32_t columns = e->tableau->columns;
    size_t all = (size_t)tacit__solver_columns(h->solver);
    memset(p->start, 0, all * sizeof *p->start);
    for (int32_t i = 0; i < p->unit_count; i++) {
        int32_t u = p->units[i];
        for (int32_t c = 0; c < columns; c++)
            if (p->cells[u] >> c & 1)
                p->start[h->cell[(int64_t)u * columns + c]] = (double)(e->best.mask[u] >> c & 1);
    }
    double missing = 0;
    for (int32_t i = 0; i < p->link_count; i++) {
        const tacit__link *link = &e->links[p->links[i]];
        if (i == 0 || link->unit != e->links[p->links[i - 1]].unit)
            missing = e->units[link->unit].need;
        double some = taken(e, link, missing);
        start_link(p, h, p->links[i], some);
        missing -= some;
    }
}

/* The blanks that a solution has; without one, those of the best so far. */
static void take_part(parts *p, const tacit__help *h, const double *values)
{
    const tacit__exact *e = p->exact;
    int32_t columns = e->tableau->columns;
    for (int32_t i = 0; i < p->unit_count; i++) {
        int32_t u = p->units[i];
        uint64_t mask = values || !e->found ? 0 : e->best.mask[u];
        for (int32_t c = 0; values && c < columns; c++)
            if (p->cells[u] >> c & 1 && values[h->cell[(int64_t)u * columns + c]] > 0.5)
                mask |= 1ull << c;
        tacit__masks_set(&p->found, e, u, mask);
    }
}

static tacit_status search_part(double *bound, parts *p, const tacit__help *h, tacit_error *err)
{
    tacit__exact *e = p->exact;
    tacit__solver_answer answer;
    int64_t rows = tacit__solver_rows(h->solver) + 1;
    tacit__solver_options options = {.nodes = EXACT_NODES,
                                     .iterations = (TACIT__EXACT_WORK - e->work) / rows + 1,
                                     .phase = "ambiguate"};
    if (e->work >= TACIT__EXACT_WORK) { /* nothing is known of this part */
        take_part(p, h, NULL);
        return TACIT_OK;
    }
    if (!TACIT__RESERVE(p->start, p->start_capacity, (size_t)tacit__solver_columns(h->solver) + 1))
        return tacit__nomem(err);
    if (e->found) {
        start_with(p, h);
        options.start = p->start;
    }
    tacit_status status = tacit__solver_solve(&answer, h->solver, &options, e->run, err);
    if (status != TACIT_OK)
        return status;
    e->nodes += answer.nodes;
    e->work += answer.iterations * rows;
    *bound += tacit__exact_lift(e, fmax(answer.bound, 0));
    take_part(p, h, answer.values);
    return TACIT_OK;
}

static tacit_status solve_part(double *bound, parts *p, int32_t part, tacit_error *err)
{
    tacit__help h;
    tacit_status status = tacit__help_init(&h, p->exact, err);
    if (status != TACIT_OK)
        return status;
    gather(p, part);
    status = tacit__help_add_units(&h, p->unit_count, p->units, p->of_units, err);
    if (status == TACIT_OK)
        status = tacit__help_add_links(&h, p->link_count, p->links, err);
    if (status == TACIT_OK)
        status = search_part(bound, p, &h, err);
    tacit__help_clear(&h);
    return status;
}

/* ---- all of it ---- */

/* Rows of a class with more blanks come first, as the program wants them. */
static void order_best(tacit__exact *e)
{
    for (int32_t u = 0; u < e->unit_count; u++)
        for (int32_t v = u, w; (w = e->units[v].before) >= 0; v = w) {
            uint64_t mask = e->best.mask[v];
            int64_t alpha = e->best.alpha[v];
            if (__builtin_popcountll(mask) <= __builtin_popcountll(e->best.mask[w]))
                break;
            e->best.mask[v] = e->best.mask[w];
            e->best.alpha[v] = e->best.alpha[w];
            e->best.mask[w] = mask;
            e->best.alpha[w] = alpha;
        }
}

static tacit_status parts_init(parts *p, tacit__exact *e, const tacit__root *root, tacit_error *err)
{
    size_t units = (size_t)e->unit_count, links = (size_t)e->link_count + 1;
    *p = (parts){.exact = e, .root = root, .margin = tacit__exact_cutoff(e) - root->cost};
    p->part_of = tacit__alloc_array(units, sizeof *p->part_of);
    p->cells = tacit__alloc_array(units, sizeof *p->cells);
    p->in_use = tacit__alloc_array(links, sizeof *p->in_use);
    p->units = tacit__alloc_array(units, sizeof *p->units);
    p->of_units = tacit__alloc_array(units, sizeof *p->of_units);
    p->links = tacit__alloc_array(links, sizeof *p->links);
    if (!p->part_of || !p->cells || !p->in_use || !p->units || !p->of_units || !p->links)
        return tacit__nomem(err);
    tacit__masks_fit(&p->found, e);
    if (e->failed)
        return tacit__nomem(err);
    tacit__masks_reset(&p->found, e);
    return TACIT_OK;
}

static void parts_clear(parts *p)
{
    tacit__free(p->part_of);
    tacit__free(p->cells);
    tacit__free(p->in_use);
    tacit__free(p->units);
    tacit__free(p->of_units);
    tacit__free(p->links);
    tacit__free(p->start);
    tacit__masks_clear(&p->found);
}

/* The best there is, part by part. *bound: anything better than the best costs no less. */
static tacit_status solve_parts(double *bound, tacit__exact *e, const tacit__root *root,
                                tacit_error *err)
{
    parts p;
    double sum = 0;
    tacit_status status = parts_init(&p, e, root, err);
    if (status == TACIT_OK && e->found)
        order_best(e);
    if (status == TACIT_OK) {
        find_cells(&p);
        find_parts(&p);
    }
    for (int32_t u = 0; status == TACIT_OK && sum < INFINITY && u < e->unit_count; u++)
        if (p.part_of[u] == u)
            status = solve_part(&sum, &p, u, err);
    if (status == TACIT_OK && sum < INFINITY) {
        tacit__masks_minimize(&p.found, e);
        tacit__exact_offer(e, &p.found);
        status = e->failed ? tacit__nomem(err) : TACIT_OK;
    }
    if (status == TACIT_OK)
        *bound = sum;
    parts_clear(&p);
    return status;
}

/* ---- all of it ---- */

/* Whether nothing is better than the best, or there is nothing at all. */
static bool settled(const tacit__exact *e)
{
    return e->bound > tacit__exact_cutoff(e) || e->bound == INFINITY;
}

/* Rounds the program's solution: cells that it has all but blanked are cheap. */
static tacit_status round_root(tacit__exact *e, const tacit__root *root, tacit_error *err)
{
    const tacit__tableau *t = e->tableau;
    double *prices = tacit__alloc_array((size_t)e->unit_count, (size_t)t->columns * sizeof *prices);
    if (!prices)
        return tacit__nomem(err);
    for (int32_t u = 0; u < e->unit_count; u++)
        for (int32_t c = 0; c < t->columns; c++) {
            double blank = tacit__root_value(root, u, c);
            prices[(int64_t)u * t->columns + c] =
                tacit__exact_cost(e, u, c) * fmax(1 - blank, 1e-3);
        }
    tacit_status status = help_greedily(e, prices, err);
    tacit__free(prices);
    return status;
}

/* Everything that could be in anything better, and the search for it. */
static tacit_status search_integers(tacit__exact *e, tacit__root *root, tacit_error *err)
{
    int64_t added = 0;
    double short_of = 0, bound = 0, margin = tacit__exact_cutoff(e) - root->cost;
    tacit_status status = tacit__root_price(&added, &short_of, root, fmax(margin, 1e-6), err);
    if (status == TACIT_OK)
        status = solve_parts(&bound, e, root, err);
    if (status == TACIT_OK && bound > e->bound)
        e->bound = bound;
    return status;
}

static tacit_status prove(tacit__exact *e, tacit_error *err)
{
    tacit__root root;
    tacit_status status = tacit__root_init(&root, e, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__root_solve(&root, err);
    if (status == TACIT_OK && root.empty)
        e->bound = INFINITY;
    if (status == TACIT_OK && root.solved && !settled(e))
        status = round_root(e, &root, err);
    if (status == TACIT_OK && root.solved && !settled(e))
        status = search_integers(e, &root, err);
    tacit__root_clear(&root);
    return status;
}

/* ---- what was found ---- */

static tacit_status write_plan(tacit__blanking *plan, const tacit__exact *e, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t u = 0; status == TACIT_OK && u < e->unit_count; u++)
        if (e->best.mask[u])
            status = tacit__blanking_add(plan,
                                         (tacit__blank){.class_index = e->units[u].class_index,
                                                        .rows = 1,
                                                        .mask = e->best.mask[u]},
                                         err);
    tacit__blanking_tidy(plan);
    plan->proven = settled(e);
    plan->bound = plan->proven ? e->best.cost : fmin(fmax(e->bound, 0), e->best.cost);
    plan->nodes = e->nodes;
    return status;
}

/* Makes the best of a plan, which may be empty where covering found none. */
static tacit_status search_from(tacit__exact *e, const tacit__blanking *start, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (start->count > 0)
        status = take_plan(e, start, err);
    if (status == TACIT_OK && !e->found)
        status = help_greedily(e, NULL, err);
    e->bound = tacit__exact_lift(e, start->bound);
    return status == TACIT_OK && !settled(e) ? prove(e, err) : status;
}

/* The search, and what it has found put in the place of the plan it started with. */
static tacit_status improve_plan(tacit__blanking *plan, const tacit__tableau *tableau,
                                 const tacit_run *run, tacit_error *err)
{
    tacit__exact e;
    tacit__blanking found = {0};
    tacit_status status = tacit__exact_init(&e, tableau, run, err);
    if (status != TACIT_OK)
        return status;
    status = search_from(&e, plan, err);
    found.stopped = status == TACIT_CANCELLED;
    if (e.found && (status == TACIT_CANCELLED || status == TACIT_LIMIT))
        status = TACIT_OK;
    if (status == TACIT_OK && !e.found)
        status = tacit__blanking_none(settled(&e), "make every row agree with k rows", err);
    if (status == TACIT_OK)
        status = write_plan(&found, &e, err);
    if (status == TACIT_OK) {
        tacit__blanking_clear(plan);
        *plan = found;
    } else {
        tacit__blanking_clear(&found);
    }
    tacit__exact_clear(&e);
    return status;
}

tacit_status tacit__ambiguate_exact(tacit__blanking *plan, const tacit__tableau *tableau,
                                    const tacit_ambiguate *how, const tacit_run *run,
                                    tacit_error *err)
{
    tacit__blanking best = {0};
    tacit_error stop = {0};
    tacit_status status = tacit__tableau_check(tableau, err);
    if (status != TACIT_OK)
        return status;
    status = tacit__ambiguate_cover(&best, tableau, how, run, &stop);
    bool covered = status == TACIT_OK;
    if ((covered && !best.stopped && !best.proven) || status == TACIT_INFEASIBLE)
        status = improve_plan(&best, tableau, run, &stop);
    if (covered && (status == TACIT_LIMIT || status == TACIT_CANCELLED)) {
        best.stopped = status == TACIT_CANCELLED;
        status = TACIT_OK;
    }
    return tacit__blanking_give(plan, &best, status, &stop, err);
}
