/*
 * controlled.c - controlled rounding: every cell to one of the multiples next to it such that
 * all relations hold, at the least sum of weight times distance. Multiples stay where they are.
 *
 * In two dimensions there always is such a table (Cox 1987), in three there need not be (Causey,
 * Cox and Ernst 1985). Where it is proven that there is none, cells may go a base further, and
 * another, until there is one; zeros stay, and the reach says how far cells may have gone.
 *
 *   1. Ground cells are decided one by one (flips.c), which gives a table that adds up.
 *   2. The whole table is one integer program (program.c) that starts from it, with a limit
 * on its work. It is left out where it could not end: more than MOST_COLUMNS cells to decide in
 *      more than two dimensions.
 *   3. Where that did not end, the table is made better one subtable after the other
 *      (blocks.c). Some cells may be further than the next multiples then, and the reach says
 *      so. The bound is the distance to the nearest multiples, or the program's.
 *
 * 1 and 3 are for tables in which every cell is a sum of ground cells: all but those linked in
 * other ways. Of those, and of others in .jj, the program must find a table by itself.
 *
 * B. D. Causey, L. H. Cox and L. R. Ernst, Applications of transportation theory to statistical
 * problems, JASA 80, 1985; L. H. Cox, JASA 82, 1987.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/alter/alter.h"
#include "cells/round/round.h"

enum { MAX_COLUMNS = 16000, MAX_STEPS = 64 };

/* Simplex iterations times columns of the whole program; more in two dimensions, where it ends. */
#define WHOLE_WORK INT64_C(1000000000)
#define FLAT_WORK  INT64_C(20000000000)

typedef struct controlled {
    const tacit_cells *cells;
    const tacit_alter_options *options;
    const tacit_run *run;
    tacit__multiples multiples;
    tacit__nest *nest;
    double *weight;
    double *number;
    tacit__round_task task;
    double bound;
    bool started; /* number keeps all relations */
    bool proven;
    bool stopped;
} controlled;

/* ---- what there is ---- */

static int32_t columns(const controlled *c)
{
    int32_t count = 0;
    for (int32_t i = 0; i < c->cells->count; i++)
        count += c->multiples.part[i] > 0;
    return count;
}

static bool flat(const controlled *c)
{
    return c->cells->table_count == 1 && c->cells->tables[0].dimension_count <= 2;
}

/* The least steps that the numbers keep. */
static int32_t steps_of(const controlled *c)
{
    tacit__round_task strict = c->task;
    double most = 0;
    strict.steps = 1;
    strict.fall = false;
    for (int32_t i = 0; i < c->cells->count; i++)
        most = fmax(most, tacit__round_beyond(&strict, i, c->number[i]));
    return 1 + (int32_t)fmin(most, INT32_MAX - 1);
}

/* No table of multiples is nearer, whatever it keeps. */
static double nearest_distance(const controlled *c)
{
    double sum = 0;
    for (int32_t i = 0; i < c->cells->count; i++)
        sum += c->weight[i] * fmin(c->multiples.part[i], 1 - c->multiples.part[i]);
    return sum;
}

/* ---- what cannot be ---- */

static double common_divisor(double a, double b)
{
    while (b > 0) {
        double rest = fmod(a, b);
        a = b;
        b = rest;
    }
    return a;
}

/* Whether whole coefficients can add up to what stands on the right, in numbers of multiples. */
static bool can_hold(const controlled *c, int32_t r)
{
    const tacit_relations *relations = &c->cells->relations;
    double rhs = relations->rhs[r] * c->multiples.base.scale, divisor = 0;
    for (int64_t j = relations->starts[r]; j < relations->starts[r + 1]; j++) {
        if (relations->coefs[j] != floor(relations->coefs[j]))
            return true;
        divisor = common_divisor(fabs(relations->coefs[j]), divisor);
    }
    return rhs == 0 || fmod(rhs, c->multiples.base.whole * divisor) == 0;
}

static tacit_status check_relations(const controlled *c, tacit_error *err)
{
    for (int32_t r = 0; r < c->cells->relations.count; r++)
        if (!can_hold(c, r))
            return tacit__error(err, TACIT_INFEASIBLE,
                                "relation %d: no multiples of the base add up to its right-hand "
                                "side",
                                r + 1);
    return TACIT_OK;
}

/* ---- the parts ---- */

static tacit_status prepare(controlled *c, tacit_error *err)
{
    size_t count = (size_t)c->cells->count;
    tacit_status status = tacit__multiples_init(&c->multiples, c->cells, c->options->base, err);
    if (status != TACIT_OK)
        return status;
    c->weight = tacit__alloc_array(count, sizeof *c->weight);
    c->number = tacit__alloc_array(count, sizeof *c->number);
    if (!c->weight || !c->number)
        return tacit__nomem(err);
    tacit__alter_weights(c->weight, c->cells, c->options->weight);
    for (int32_t i = 0; i < c->cells->count; i++)
        c->weight[i] *= c->options->base;
    c->task = (tacit__round_task){
        .multiples = &c->multiples, .weight = c->weight, .steps = 1, .fall = true};
    return tacit__nest_new(&c->nest, c->cells, c->run, err);
}

static tacit_status start(controlled *c, tacit_error *err)
{
    if (!c->nest)
        return TACIT_OK;
    c->task.nest = c->nest;
    tacit_status status =
        tacit__round_flips(c->number, &c->stopped, &c->task, c->nest, c->run, err);
    c->started = status == TACIT_OK;
    return status;
}

/* Asks for less, where what was asked for is proven not to be there; false: nothing is left. */
static bool relax(controlled *c)
{
    if (c->task.fall)
        c->task.fall = false;
    else
        c->task.steps++;
    return c->task.steps <= MAX_STEPS;
}

/* Whether the table to start from is as asked. */
static bool begins(const controlled *c)
{
    for (int32_t i = 0; c->started && i < c->cells->count; i++)
        if (tacit__round_beyond(&c->task, i, c->number[i]) > 0)
            return false;
    return c->started;
}

/* The whole table at once, further and further until there is one. */
static tacit_status solve_whole(tacit__round_result *result, controlled *c, tacit_error *err)
{
    int64_t work = flat(c) ? FLAT_WORK : WHOLE_WORK;
    tacit_status status = TACIT_OK;
    double bound = NAN;
    do
        status = tacit__round_program(result, c->number, &bound, &work, &c->task, NULL, begins(c),
                                      c->run, err);
    while (status == TACIT_OK && *result == TACIT__ROUND_NONE && relax(c));
    if (status == TACIT_OK && bound > c->bound)
        c->bound = bound;
    c->proven = status == TACIT_OK && *result == TACIT__ROUND_PROVEN;
    c->started |= status == TACIT_OK && *result <= TACIT__ROUND_FOUND;
    return status;
}

static tacit_status nothing_found(tacit__round_result result, tacit_error *err)
{
    if (result == TACIT__ROUND_NONE)
        return tacit__error(err, TACIT_INFEASIBLE,
                            "no table of multiples of the base keeps all relations, however far "
                            "from the values");
    return tacit__error(err, TACIT_LIMIT,
                        "no table of multiples of the base that adds up was found; a larger base, "
                        "or fewer tables linked, make it easier");
}

/* What was found of the whole is a place to start from too. */
static tacit_status solve_pieces(controlled *c, tacit_error *err)
{
    tacit__round_task strict = c->task;
    strict.steps = 1;
    strict.fall = true;
    tacit_status status = tacit__round_blocks(c->number, &c->stopped, &strict, c->run, err);
    if (steps_of(c) > 1)
        c->bound = nearest_distance(c);
    return status;
}

/* Stopping leaves what there is. */
static tacit_status solve(controlled *c, tacit_error *err)
{
    tacit__round_result result = TACIT__ROUND_UNKNOWN;
    tacit_error own = {0};
    tacit_status status = start(c, err);
    c->bound = nearest_distance(c);
    if (status != TACIT_OK || c->stopped)
        return status;
    if (!c->nest || flat(c) || columns(c) <= MAX_COLUMNS)
        status = solve_whole(&result, c, &own);
    if (status == TACIT_CANCELLED && c->started) {
        c->stopped = true;
        return TACIT_OK;
    }
    if (status != TACIT_OK)
        return tacit__error(err, status, "%s", own.message);
    if (!c->started)
        return nothing_found(result, err);
    return c->proven || !c->nest ? TACIT_OK : solve_pieces(c, err);
}

static tacit_status finish(tacit_altered *out, const controlled *c, tacit_error *err)
{
    tacit_altered altered;
    tacit_status status =
        tacit__multiples_finish(&altered, &c->multiples, c->number, c->options, err);
    if (status != TACIT_OK)
        return status;
    altered.proven = c->proven || altered.distance <= c->bound;
    altered.lower_bound = altered.proven ? altered.distance : c->bound;
    altered.stopped = c->stopped;
    altered.reach = steps_of(c) * c->options->base;
    altered.within = true;
    *out = altered;
    return TACIT_OK;
}

tacit_status tacit__round_controlled(tacit_altered *out, const tacit_cells *cells,
                                     const tacit_alter_options *options, const tacit_run *run,
                                     tacit_error *err)
{
    controlled c = {.cells = cells, .options = options, .run = run};
    tacit_status status = prepare(&c, err);
    if (status == TACIT_OK)
        status = check_relations(&c, err);
    if (status == TACIT_OK)
        status = solve(&c, err);
    if (status == TACIT_OK)
        status = finish(out, &c, err);
    tacit__nest_free(c.nest);
    tacit__multiples_clear(&c.multiples);
    tacit__free(c.weight);
    tacit__free(c.number);
    return status;
}
