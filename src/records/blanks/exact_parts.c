/*
 * exact_parts.c - the integer program, part by part.
 *
 * What the reduced costs of the linear program show to be in nothing better than the best
 * solution is left out: cells, and helpers (those not in the program were priced for that).
 * Units that are then connected by help, or as rows of one class, are a part, and parts
 * are solved one by one, unless a limit on columns ties them together.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "records/blanks/exact.h"

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
    size_t start_room;
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
    tacit__solver_options options = {.nodes = e->node_limit,
                                     .iterations = (e->work_limit - e->work) / rows + 1,
                                     .phase = "ambiguate"};
    if (e->work >= e->work_limit) { /* nothing is known of this part */
        take_part(p, h, NULL);
        return TACIT_OK;
    }
    if (!TACIT__RESERVE(p->start, p->start_room, (size_t)tacit__solver_columns(h->solver) + 1))
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
    tacit_status status = tacit__masks_fit(&p->found, e, err);
    if (status == TACIT_OK)
        tacit__masks_reset(&p->found, e);
    return status;
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

tacit_status tacit__exact_parts(double *bound, tacit__exact *e, const tacit__root *root,
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
        status = tacit__exact_offer(e, &p.found, err);
    }
    if (status == TACIT_OK)
        *bound = sum;
    parts_clear(&p);
    return status;
}
