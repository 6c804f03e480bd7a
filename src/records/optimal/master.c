/*
 * master.c - the linear program over clusters.
 *
 *     minimize the cost of the clusters used,  everybody in exactly one,
 *     of each triple at most one cluster with two of the three.
 *
 * How much of a cluster is used may be a fraction. The first columns stand for people in no
 * cluster, so that there is a solution whatever clusters there are; they cost more than a place in
 * a cluster is likely to, but not so much that the solver's numbers suffer. Triples (subset-row
 * inequalities; Jepsen, Petersen, Spoorendonk and Pisinger 2008) forbid what fractions like most:
 * three clusters used by half, each with two of the same three people.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "records/optimal/optimal.h"

enum { CUTS_A_ROUND = 60, CUTS_A_MEMBER = 4, MAX_TRIPLES = 4000 };

static const double BROKEN = 0.03; /* what a triple must exceed 1 by */

static double unserved_cost(const tacit__problem *problem)
{
    double worst = 0;
    for (int64_t b = 0; b < problem->closed.count; b++)
        worst = fmax(worst, problem->closed.costs[b]);
    return 2 * (double)problem->local->k * worst + 1;
}

/* A row for each member, and a column for those of its people who are in no cluster. */
static tacit_status add_member(tacit__master *m, int32_t member, double cost, tacit_error *err)
{
    const int32_t starts[2] = {0, 1};
    const double people = m->problem->local->people[member], none = 0, one = 1, most = INFINITY;
    tacit__solver_lines row = {.count = 1, .lower = &people, .upper = &people};
    tacit__solver_lines column = {.count = 1,
                                  .lower = &none,
                                  .upper = &most,
                                  .costs = &cost,
                                  .starts = starts,
                                  .items = &member,
                                  .values = &one};
    tacit_status status = tacit__solver_add_rows(m->solver, &row, err);
    return status == TACIT_OK ? tacit__solver_add_columns(m->solver, &column, err) : status;
}

static tacit_status add_members(tacit__master *m, tacit_error *err)
{
    double cost = unserved_cost(m->problem);
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; status == TACIT_OK && i < m->prices.members; i++)
        status = add_member(m, i, cost, err);
    return status;
}

tacit_status tacit__master_init(tacit__master *m, const tacit__problem *problem, tacit_error *err)
{
    *m = (tacit__master){.problem = problem};
    tacit_status status = tacit__duals_init(&m->prices, problem->group.count, err);
    if (status == TACIT_OK)
        status = tacit__solver_new(&m->solver, NULL, err);
    if (status == TACIT_OK)
        status = add_members(m, err);
    if (status != TACIT_OK)
        tacit__master_clear(m);
    return status;
}

void tacit__master_clear(tacit__master *m)
{
    tacit__solver_free(m->solver);
    tacit__clusters_clear(&m->clusters);
    tacit__duals_clear(&m->prices);
    tacit__free(m->values);
    tacit__free(m->items);
    tacit__free(m->item_values);
    *m = (tacit__master){0};
}

/* ---- columns ---- */

static bool has_two(const tacit__clusters *clusters, int64_t cluster, const tacit__triple *triple)
{
    int met = 0;
    for (int i = 0; i < 3; i++)
        met += tacit__cluster_people(clusters, cluster, triple->member[i]) > 0;
    return met >= 2;
}

/* Rows of a cluster: its members', and those of the triples of which it has two. */
static int32_t fill_column(tacit__master *m, const tacit__clusters *from, int64_t cluster)
{
    int32_t count = 0, members = m->prices.members;
    for (int64_t i = from->starts[cluster]; i < from->starts[cluster + 1]; i++) {
        m->items[count] = (int32_t)from->shares[i].class_index;
        m->item_values[count++] = from->shares[i].people;
    }
    for (int32_t t = 0; t < m->prices.triple_count; t++)
        if (has_two(from, cluster, &m->prices.triples[t])) {
            m->items[count] = members + t;
            m->item_values[count++] = 1;
        }
    return count;
}

static tacit_status add_column(tacit__master *m, const tacit__clusters *from, int64_t cluster,
                               tacit_error *err)
{
    int32_t starts[2] = {0, fill_column(m, from, cluster)};
    double none = 0, most = INFINITY;
    int64_t first = from->starts[cluster];
    tacit__solver_lines line = {.count = 1,
                                .lower = &none,
                                .upper = &most,
                                .costs = &from->costs[cluster],
                                .starts = starts,
                                .items = m->items,
                                .values = m->item_values};
    tacit_status status = tacit__solver_add_columns(m->solver, &line, err);
    if (status != TACIT_OK)
        return status;
    return tacit__clusters_add(&m->clusters, from->shares + first,
                               from->starts[cluster + 1] - first, from->costs[cluster], err);
}

tacit_status tacit__master_add(tacit__master *m, const tacit__clusters *from, int64_t first,
                               int64_t count, tacit_error *err)
{
    size_t rows = (size_t)tacit__solver_rows(m->solver);
    if (!TACIT__RESERVE(m->items, m->item_capacity, rows) ||
        !TACIT__RESERVE(m->item_values, m->item_value_capacity, rows))
        return tacit__nomem(err);
    tacit_status status = TACIT_OK;
    for (int64_t c = first; status == TACIT_OK && c < first + count; c++)
        status = add_column(m, from, c, err);
    return status;
}

void tacit__master_hold(tacit__master *m, int64_t cluster, double least, double most)
{
    tacit__solver_set_column(m->solver, m->prices.members + (int32_t)cluster, least, most);
}

/* Columns that a triple's row has: clusters with two of the three. */
static int32_t fill_row(int32_t *items, double *values, const tacit__master *m,
                        const tacit__triple *triple)
{
    int32_t count = 0;
    for (int64_t c = 0; c < m->clusters.count; c++)
        if (has_two(&m->clusters, c, triple)) {
            items[count] = m->prices.members + (int32_t)c;
            values[count++] = 1;
        }
    return count;
}

tacit_status tacit__master_add_triples(tacit__master *m, const tacit__triple *triples,
                                       int32_t count, tacit_error *err)
{
    size_t columns = (size_t)m->clusters.count + 1;
    int32_t *items = tacit__alloc_array(columns, sizeof *items);
    double *values = tacit__alloc_array(columns, sizeof *values);
    tacit_status status = items && values ? TACIT_OK : tacit__nomem(err);
    for (int32_t t = 0; status == TACIT_OK && t < count; t++) {
        int32_t starts[2] = {0, fill_row(items, values, m, &triples[t])};
        double least = -INFINITY, most = 1;
        tacit__solver_lines row = {.count = 1,
                                   .lower = &least,
                                   .upper = &most,
                                   .starts = starts,
                                   .items = items,
                                   .values = values};
        status = tacit__solver_add_rows(m->solver, &row, err);
        if (status == TACIT_OK)
            status = tacit__duals_add(&m->prices, &triples[t], 1, err);
    }
    tacit__free(items);
    tacit__free(values);
    return status;
}

/* ---- solving ---- */

/* Keeps what the solver says, which it may forget. */
static tacit_status take_answer(tacit__master *m, const tacit__solver_answer *answer,
                                tacit_error *err)
{
    int32_t members = m->prices.members;
    if (!TACIT__RESERVE_ONE(m->values, m->value_capacity, m->clusters.count))
        return tacit__nomem(err);
    m->unserved = 0;
    for (int32_t i = 0; i < members; i++) {
        m->prices.of[i] = answer->duals[i];
        m->unserved += answer->values[i];
    }
    for (int32_t t = 0; t < m->prices.triple_count; t++) {
        double dual = answer->duals[members + t];
        m->prices.fines[t] = dual < 0 ? -dual : 0;
    }
    memcpy(m->values, answer->values + members, (size_t)m->clusters.count * sizeof *m->values);
    tacit__duals_list(&m->prices);
    m->cost = answer->cost;
    m->bound = answer->bound;
    return TACIT_OK;
}

tacit_status tacit__master_solve(bool *solved, tacit__master *m, tacit_error *err)
{
    tacit__solver_answer answer;
    tacit__solver_options options = {.phase = "linear program"};
    tacit_status status =
        tacit__solver_solve(&answer, m->solver, &options, m->problem->local->run, err);
    if (status != TACIT_OK)
        return status;
    m->iterations += answer.iterations;
    *solved = answer.result == TACIT__SOLVER_OPTIMAL || answer.result == TACIT__SOLVER_INFEASIBLE;
    m->bound = m->cost = INFINITY; /* unless it has a solution */
    return answer.result == TACIT__SOLVER_OPTIMAL ? take_answer(m, &answer, err) : TACIT_OK;
}

/* ---- cuts ---- */

/* A triple that is broken, and by how much. */
typedef struct broken {
    double value;
    tacit__triple triple;
} broken;

typedef struct cutter {
    const tacit__master *master;
    float *together; /* member by member: how much of the clusters has both */
    int64_t *using;  /* clusters used by a fraction */
    int64_t using_count;
    broken *found;
    size_t found_capacity;
    int32_t found_count;
} cutter;

static void note_together(cutter *c)
{
    const tacit__clusters *clusters = &c->master->clusters;
    size_t members = (size_t)c->master->prices.members;
    for (int64_t u = 0; u < c->using_count; u++) {
        int64_t from = clusters->starts[c->using[u]], to = clusters->starts[c->using[u] + 1];
        float value = (float)c->master->values[c->using[u]];
        for (int64_t i = from; i < to; i++)
            for (int64_t j = from; j < to; j++)
                c->together[clusters->shares[i].class_index * members +
                            clusters->shares[j].class_index] += value;
    }
}

/* How much of the clusters used has all three. */
static double all_three(const cutter *c, uint16_t i, uint16_t j, uint16_t l)
{
    const tacit__clusters *clusters = &c->master->clusters;
    double sum = 0;
    for (int64_t u = 0; u < c->using_count; u++)
        if (tacit__cluster_people(clusters, c->using[u], i) > 0 &&
            tacit__cluster_people(clusters, c->using[u], j) > 0 &&
            tacit__cluster_people(clusters, c->using[u], l) > 0)
            sum += c->master->values[c->using[u]];
    return sum;
}

static tacit_status look_at_triple(cutter *c, uint16_t i, uint16_t j, uint16_t l, tacit_error *err)
{
    size_t members = (size_t)c->master->prices.members;
    double sum = (double)c->together[i * members + j] + (double)c->together[i * members + l] +
                 (double)c->together[j * members + l];
    if (sum <= 1 + BROKEN)
        return TACIT_OK;
    sum -= 2 * all_three(c, i, j, l);
    if (sum <= 1 + BROKEN)
        return TACIT_OK;
    return TACIT__PUSH(c->found, c->found_capacity, c->found_count, (broken){sum, {{i, j, l}}})
               ? TACIT_OK
               : tacit__nomem(err);
}

/* Who is together with a member somewhere, in ascending order. */
static int32_t list_near(uint16_t *near, const cutter *c, int32_t member)
{
    int32_t members = c->master->prices.members, count = 0;
    const float *row = c->together + (size_t)member * (size_t)members;
    for (int32_t i = 0; i < members; i++)
        if (row[i] > 0 && i != member && tacit__is_single(c->master->problem, (uint32_t)i))
            near[count++] = (uint16_t)i;
    return count;
}

/* Triples of a member and two that are together with it; where these are together as well,
 * only the first of the three is asked. */
static tacit_status look_around(cutter *c, int32_t member, const uint16_t *near, int32_t count,
                                tacit_error *err)
{
    size_t members = (size_t)c->master->prices.members;
    tacit_status status = TACIT_OK;
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = i + 1; status == TACIT_OK && j < count; j++)
            if (near[i] > member || c->together[near[i] * members + near[j]] <= 0)
                status = look_at_triple(c, (uint16_t)member, near[i], near[j], err);
    return status;
}

/* Of a broken triple two pairs at least are together somewhere. */
static tacit_status look_at_all(cutter *c, tacit_error *err)
{
    int32_t members = c->master->prices.members;
    uint16_t *near = tacit__alloc_array((size_t)members, sizeof *near);
    tacit_status status = near ? TACIT_OK : tacit__nomem(err);
    for (int32_t i = 0; status == TACIT_OK && i < members; i++)
        if (tacit__is_single(c->master->problem, (uint32_t)i))
            status = look_around(c, i, near, list_near(near, c, i), err);
    tacit__free(near);
    return status;
}

static int by_breach(const void *a, const void *b)
{
    const broken *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return memcmp(&x->triple, &y->triple, sizeof x->triple);
}

/* The worst broken triples, no member in too many of them. */
static tacit_status take_worst(int32_t *added, cutter *c, tacit__master *m, tacit_error *err)
{
    tacit__triple worst[CUTS_A_ROUND];
    uint8_t *uses = tacit__alloc_zeroed((size_t)m->prices.members, 1);
    int32_t count = 0;
    if (!uses)
        return tacit__nomem(err);
    if (c->found_count > 0)
        qsort(c->found, (size_t)c->found_count, sizeof *c->found, by_breach);
    for (int32_t i = 0; i < c->found_count && count < CUTS_A_ROUND; i++) {
        const uint16_t *member = c->found[i].triple.member;
        bool free = true;
        for (int j = 0; j < 3; j++)
            free &= uses[member[j]] < CUTS_A_MEMBER;
        for (int j = 0; free && j < 3; j++)
            uses[member[j]]++;
        if (free)
            worst[count++] = c->found[i].triple;
    }
    tacit__free(uses);
    *added = count;
    return tacit__master_add_triples(m, worst, count, err);
}

static tacit_status find_fractions(cutter *c, const tacit__master *m, tacit_error *err)
{
    size_t members = (size_t)m->prices.members;
    c->together = tacit__alloc_zeroed(members * members, sizeof *c->together);
    c->using = tacit__alloc_array((size_t)m->clusters.count + 1, sizeof *c->using);
    if (!c->together || !c->using)
        return tacit__nomem(err);
    for (int64_t i = 0; i < m->clusters.count; i++)
        if (m->values[i] > TACIT__CLUSTER_FRACTION && m->values[i] < 1 - TACIT__CLUSTER_FRACTION)
            c->using[c->using_count++] = i;
    note_together(c);
    return TACIT_OK;
}

tacit_status tacit__master_cut(int32_t *added, tacit__master *m, tacit_error *err)
{
    cutter c = {.master = m};
    *added = 0;
    if (m->prices.triple_count + CUTS_A_ROUND > MAX_TRIPLES)
        return TACIT_OK;
    tacit_status status = find_fractions(&c, m, err);
    if (status == TACIT_OK)
        status = look_at_all(&c, err);
    if (status == TACIT_OK)
        status = take_worst(added, &c, m, err);
    tacit__free(c.together);
    tacit__free(c.using);
    tacit__free(c.found);
    return status;
}
