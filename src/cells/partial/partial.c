/*
 * partial.c - intervals in place of blanks (Fischetti and Salazar, "Partial cell suppression: a new
 * methodology for statistical disclosure control", Statistics and Computing 13, 2003).
 *
 * Every cell that may be suppressed gets an interval around its value, most of them of no width:
 * those are published. Somebody who knows the relations and all intervals must be left with
 * tables in which primary cells move by their levels. That is a linear program, whose intervals
 * are found between two bounds: a master (master.c) has the lightest intervals for the
 * inequalities so far, which bounds the optimum from below; a program for each side of each
 * primary cell (price.c) says whether those hide it, and if not adds an inequality and a
 * table that would. The intervals around all such tables hide everything and bound the optimum
 * from above. Such a table is kept with its side, so that most sides need no program when
 * intervals change elsewhere. Sides are asked about half way between the two (in-out), and about
 * what the master has where nothing is found there. It ends where both are the same to GAP, or
 * after MOST_STEPS, and the wider ones are given.
 *
 * An interval that is as narrow as can be tells more than it says. With equal levels on both sides
 * the value is in the middle; the end that no table needs is the value. So an interval is published
 * wider, by a share of its width that is the same for all, and around a place by chance: its ends
 * then leave a stretch of that width for the value, of which no part is likelier than another.
 * An end at a bound is left open, unless that is 0 and everybody knows that no value is negative:
 * bounds often come from values.
 *
 * Cost: a round has a program over all spots for each side that no known table shows. Memory: three
 * columns a spot and the rows of the master, which may name all spots.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"
#include "cells/partial/partial.h"
#include "cells/suppress/methods.h"

/* No cell moves further than so many units, or is to spread over less; and what fits but for
 * rounding. */
#define MAX          1e5
#define LEAST_SPREAD 1e-4
#define FITS         1e-9

static tacit_status reach_init(tacit__partial_reach *reach, int32_t spots, tacit_error *err)
{
    *reach =
        (tacit__partial_reach){.up = tacit__alloc_zeroed((size_t)spots, sizeof *reach->up),
                               .down = tacit__alloc_zeroed((size_t)spots, sizeof *reach->down)};
    return reach->up && reach->down ? TACIT_OK : tacit__nomem(err);
}

static void reach_clear(tacit__partial_reach *reach)
{
    tacit__free(reach->up);
    tacit__free(reach->down);
    *reach = (tacit__partial_reach){0};
}

static double reach_cost(const tacit__partial_reach *reach, const tacit__partial *partial)
{
    double cost = 0;
    for (int32_t i = 0; i < partial->spots; i++)
        cost += partial->weight[i] * (reach->up[i] + reach->down[i]);
    return cost;
}

/* Whether the last table that showed a side still does within the intervals. */
static bool side_shown(const tacit__side *side, const tacit__partial_reach *reach)
{
    if (side->amount <= 0)
        return true;
    bool fits = side->shown >= side->amount * (1 - FITS);
    for (int32_t j = 0; j < side->count && fits; j++) {
        int32_t i = side->spots[j];
        double room = side->moves[j] > 0 ? reach->up[i] : reach->down[i];
        fits = i == side->spot || fabs(side->moves[j]) <= room * (1 + FITS) + FITS;
    }
    return fits;
}

/* Makes intervals reach as far as all tables shown do; false: some side has none. */
static bool cover_tables(tacit__partial_reach *reach, const tacit__partial *partial)
{
    for (int32_t i = 0; i < partial->spots; i++) {
        reach->up[i] = partial->least.up[i];
        reach->down[i] = partial->least.down[i];
    }
    for (int32_t k = 0; k < partial->side_count; k++) {
        const tacit__side *side = &partial->sides[k];
        if (side->amount <= 0)
            continue;
        if (side->shown < side->amount * (1 - FITS))
            return false;
        for (int32_t j = 0; j < side->count; j++) {
            double *end = side->moves[j] > 0 ? reach->up : reach->down;
            end[side->spots[j]] = fmax(end[side->spots[j]], fabs(side->moves[j]));
        }
    }
    return true;
}

/* ---- the model ---- */

/* What a cell needs, in units. One that is only not to be known exactly could do with next to
 * nothing, which programs do not tell from nothing. */
static tacit__need need_of(const tacit__partial *p, int32_t spot)
{
    const tacit__need *need = &p->patch->need[p->cell_of[spot]];
    double most = p->room.up[spot] + p->room.down[spot];
    return (tacit__need){.up = need->up / p->unit,
                         .down = need->down / p->unit,
                         .spread = fmax(need->spread / p->unit, fmin(LEAST_SPREAD, most))};
}

static double largest_need(const tacit__patch *patch)
{
    double most = 0;
    for (int32_t i = 0; i < patch->count; i++)
        if (patch->suppressed[i])
            most = fmax(most,
                        fmax(patch->need[i].spread, fmax(patch->need[i].up, patch->need[i].down)));
    return most > 0 ? most : 1;
}

static void take_spots(tacit__partial *p, const double *weights)
{
    const tacit__patch *patch = p->patch;
    for (int32_t i = 0; i < patch->count; i++) {
        bool may = patch->up[i] + patch->down[i] > 0;
        p->spot_of[i] = may ? p->spots : -1;
        if (!may)
            continue;
        p->cell_of[p->spots] = i;
        p->room.up[p->spots] = fmin(patch->up[i] / p->unit, MAX);
        p->room.down[p->spots] = fmin(patch->down[i] / p->unit, MAX);
        p->weight[p->spots++] = weights[i];
        p->heaviest = fmax(p->heaviest, weights[i]);
    }
    for (int32_t s = 0; s < p->spots; s++)
        p->weight[s] /= p->heaviest;
}

/* The sides of a cell; a spread is split by the master, which begins with the least. */
static void add_sides(tacit__partial *p, int32_t spot)
{
    const tacit__need need = need_of(p, spot);
    double up = need.up, down = need.down;
    bool split = need.spread > (up + down) * (1 + FITS);
    for (int sign = 1; sign >= -1; sign -= 2) {
        double amount = sign > 0 ? up : down;
        if (amount > 0 || split)
            p->sides[p->side_count++] = (tacit__side){.spot = spot,
                                                      .sign = sign,
                                                      .amount = amount,
                                                      .split = split ? p->split_count : -1,
                                                      .spread = need.spread};
    }
    p->split_count += split;
    p->least.up[spot] = up;
    p->least.down[spot] = down;
}

static tacit_status allocate(tacit__partial *p, tacit_error *err)
{
    size_t count = (size_t)p->patch->count;
    int32_t needy = 0;
    for (int32_t i = 0; i < p->patch->count; i++)
        needy += p->patch->suppressed[i];
    p->cell_of = tacit__alloc_array(count, sizeof *p->cell_of);
    p->spot_of = tacit__alloc_array(count, sizeof *p->spot_of);
    p->weight = tacit__alloc_array(count, sizeof *p->weight);
    p->sides = tacit__alloc_zeroed(2 * (size_t)needy, sizeof *p->sides);
    if (!p->cell_of || !p->spot_of || !p->weight || !p->sides)
        return tacit__nomem(err);
    tacit_status status = reach_init(&p->room, p->patch->count, err);
    return status == TACIT_OK ? reach_init(&p->least, p->patch->count, err) : status;
}

/* weights: a cell of the patch each. */
static tacit_status model_init(tacit__partial *partial, const tacit__patch *patch,
                               const double *weights, tacit_error *err)
{
    *partial = (tacit__partial){.patch = patch, .unit = largest_need(patch)};
    tacit_status status = allocate(partial, err);
    if (status != TACIT_OK)
        return status;
    take_spots(partial, weights);
    for (int32_t s = 0; s < partial->spots; s++)
        if (patch->suppressed[partial->cell_of[s]])
            add_sides(partial, s);
    return TACIT_OK;
}

/* weights: a cell of the patch each. */
static void model_clear(tacit__partial *partial)
{
    for (int32_t k = 0; k < partial->side_count; k++) {
        tacit__free(partial->sides[k].spots);
        tacit__free(partial->sides[k].moves);
        tacit__free(partial->sides[k].basis);
    }
    tacit__free(partial->sides);
    tacit__free(partial->cell_of);
    tacit__free(partial->spot_of);
    tacit__free(partial->weight);
    reach_clear(&partial->room);
    reach_clear(&partial->least);
    *partial = (tacit__partial){0};
}

/* As a share of the cost, between the bounds: that will do. */
#define GAP 1e-6

/* A width that is none, as a share of the unit; and of a room that is used up. */
#define NARROW 1e-6

/* How near to the master sides are asked about, at first; and what is left of that where the
 * inequalities found there had to be given up. */
#define OUTWARD       0.5
#define OUTWARD_AGAIN 0.7

/* Rounds without any progress after which numbers are to blame; and steps of the simplex method in
 * all programs after which it is left at that: some ten seconds where the table is small. */
enum { MAX_IDLE = 30, MAX_STEPS = 600000 };

typedef struct search {
    const tacit_cells *cells;
    const tacit_run *run;
    tacit__partial model;
    tacit__widths *master;
    tacit__pricer *pricer;
    tacit__partial_reach now;   /* of the master, or between it and the best */
    tacit__partial_reach cover; /* of all tables */
    tacit__partial_reach best;
    double *amounts;    /* a side each: of the best */
    bool inside;        /* sides are asked about between the master and the best, */
    double outward;     /* so near to the master */
    double bound, cost; /* of the best; INFINITY: there is none */
    int64_t iterations, most;
    int32_t rounds, idle;
    int32_t lacking; /* a spot that cannot be hidden far enough, as it seems; -1: none */
    bool stopped;
} search;

static void clear(search *s)
{
    tacit__widths_free(s->master);
    tacit__pricer_free(s->pricer);
    reach_clear(&s->now);
    reach_clear(&s->cover);
    reach_clear(&s->best);
    tacit__free(s->amounts);
    model_clear(&s->model);
}

static tacit_status set_up(search *s, const tacit__patch *patch, tacit_error *err)
{
    double *weights = tacit__alloc_array((size_t)patch->count, sizeof *weights);
    if (!weights)
        return tacit__nomem(err);
    tacit_intervals_weights(weights, s->cells);
    tacit_status status = model_init(&s->model, patch, weights, err);
    tacit__free(weights);
    if (status == TACIT_OK)
        status = tacit__widths_new(&s->master, &s->model, err);
    if (status == TACIT_OK)
        status = tacit__pricer_new(&s->pricer, &s->model, err);
    tacit__partial_reach *const all[] = {&s->now, &s->cover, &s->best};
    for (int i = 0; i < 3 && status == TACIT_OK; i++)
        status = reach_init(all[i], s->model.spots, err);
    s->amounts = tacit__alloc_zeroed((size_t)s->model.side_count, sizeof *s->amounts);
    return status == TACIT_OK && !s->amounts ? tacit__nomem(err) : status;
}

/* ---- rounds ---- */

static double between(double out, double in, double share)
{
    return share * out + (1 - share) * in;
}

/* Cuts found between what the master has and intervals that do hide everything are about what
 * matters near the optimum; those found at what the master has alone are about anything (in-out).
 */
static void step_inwards(search *s)
{
    for (int32_t i = 0; i < s->model.spots; i++) {
        s->now.up[i] = between(s->now.up[i], s->best.up[i], s->outward);
        s->now.down[i] = between(s->now.down[i], s->best.down[i], s->outward);
    }
    for (int32_t k = 0; k < s->model.side_count; k++) {
        tacit__side *side = &s->model.sides[k];
        side->amount = between(side->amount, s->amounts[k], s->outward);
    }
}

/* Asks about every side that no table shows any more. */
static tacit_status price_sides(int32_t *cuts, search *s, tacit_error *err)
{
    tacit_status status = tacit__pricer_take(s->pricer, &s->now, err);
    tacit__priced priced;
    *cuts = 0;
    for (int32_t k = 0; k < s->model.side_count && status == TACIT_OK; k++) {
        tacit__side *side = &s->model.sides[k];
        if (side_shown(side, &s->now))
            continue;
        status = tacit__pricer_ask(&priced, &s->iterations, s->pricer, side, s->run, err);
        if (status != TACIT_OK || priced.extra <= 0)
            continue;
        if (priced.lack > 0)
            s->lacking = side->spot;
        status = tacit__widths_cut(s->master, side, &priced, err);
        ++*cuts;
    }
    return status;
}

/* The intervals around all tables, where they are better. */
static void take_cover(search *s)
{
    if (!cover_tables(&s->cover, &s->model))
        return;
    double cost = reach_cost(&s->cover, &s->model);
    if (cost >= s->cost)
        return;
    tacit__partial_reach before = s->best;
    s->best = s->cover;
    s->cover = before;
    s->cost = cost;
    s->idle = 0;
    for (int32_t k = 0; k < s->model.side_count; k++)
        s->amounts[k] = s->model.sides[k].amount;
}

static tacit_status hopeless(const search *s, tacit_error *err)
{
    int32_t spot = s->lacking >= 0 ? s->lacking : s->model.sides[0].spot;
    return tacit__repair_hopeless(s->cells, s->model.patch->cells[s->model.cell_of[spot]], err);
}

static bool closed(const search *s)
{
    return s->cost < INFINITY && s->cost - s->bound <= GAP * s->cost;
}

static tacit_status look(bool *done, search *s, tacit_error *err)
{
    tacit__widths_found found;
    int32_t cuts = 0;
    tacit_status status =
        tacit__widths_solve(&found, &s->iterations, s->master, &s->now, &s->model, s->run, err);
    if (status != TACIT_OK)
        return status;
    if (found.infeasible)
        return hopeless(s, err);
    s->idle = found.bound > s->bound + GAP / 10 * fabs(s->bound) ? 0 : s->idle + 1;
    if (found.solved)
        s->bound = fmax(s->bound, found.bound);
    bool inside = s->cost < INFINITY && s->inside;
    s->outward = found.dropped ? OUTWARD_AGAIN * s->outward : OUTWARD;
    if (inside)
        step_inwards(s);
    status = found.solved ? price_sides(&cuts, s, err) : TACIT_OK;
    if (status != TACIT_OK)
        return status;
    take_cover(s);
    s->rounds++;
    s->inside = cuts > 0;
    *done = !found.solved || (cuts == 0 && !inside) || closed(s) || s->idle > MAX_IDLE ||
            s->iterations > s->most;
    return TACIT_OK;
}

/* Programs begin with the spots that hypercube suppresses, which is quick and hides most. */
static tacit_status let_in(search *s, const char *status, tacit_error *err)
{
    const tacit_suppress_options options = {0};
    tacit_pattern start = {0};
    tacit_status done = tacit__hypercube_solve(&start, s->cells, status, &options, s->run, err);
    if (done != TACIT_OK)
        return done;
    for (int32_t i = 0; i < s->model.spots; i++)
        s->now.up[i] = tacit__suppressed(start.status[s->model.cell_of[i]]);
    tacit_pattern_clear(&start);
    return tacit__pricer_take(s->pricer, &s->now, err);
}

/* Where some side has no table yet it is asked about with all the room there is, in which moving
 * costs nothing: then it has one, or there is none. */
static tacit_status open_all(search *s, tacit_error *err)
{
    int32_t cuts;
    for (int32_t i = 0; i < s->model.spots; i++) {
        s->now.up[i] = s->model.room.up[i];
        s->now.down[i] = s->model.room.down[i];
    }
    s->lacking = -1;
    tacit_status status = price_sides(&cuts, s, err);
    take_cover(s);
    return status;
}

static tacit_status look_on(search *s, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    s->idle = 0;
    for (bool done = false; !done && status == TACIT_OK;)
        status = look(&done, s, err);
    return status;
}

static tacit_status run_rounds(search *s, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (s->model.side_count == 0)
        s->cost = s->bound = 0;
    else
        status = look_on(s, err);
    if (status == TACIT_OK && s->cost == INFINITY)
        status = open_all(s, err);
    if (status == TACIT_OK && s->cost == INFINITY && s->lacking < 0)
        status = look_on(s, err);
    s->stopped = status == TACIT_CANCELLED && s->cost < INFINITY;
    if (s->stopped)
        return TACIT_OK;
    if (status == TACIT_OK && s->cost == INFINITY)
        return s->lacking >= 0 ? hopeless(s, err)
                               : tacit__error(err, TACIT_LIMIT,
                                              "no intervals were found: programs could not be "
                                              "solved; another method may do");
    return status;
}

/* ---- what is published ---- */

/* Uniform from 0 to 1. */
static double chance(tacit__random *random)
{
    double high = tacit__random_word(random), low = tacit__random_word(random);
    return (high + low / 4294967296.0) / 4294967296.0;
}

static void publish_spot(tacit_pattern *to, const search *s, int32_t spot, double wider,
                         tacit__random *random)
{
    const tacit__partial *m = &s->model;
    int32_t cell = m->patch->cells[m->cell_of[spot]];
    double up = s->best.up[spot], down = s->best.down[spot], value = s->cells->value[cell];
    double place = chance(random), more = wider / 100 * (up + down);
    bool hidden = up + down > NARROW;
    if (!hidden && !tacit__suppressed(to->status[cell]))
        return;
    if (!tacit__suppressed(to->status[cell]))
        to->status[cell] = TACIT_CELL_SECONDARY;
    bool ceiling = up >= m->room.up[spot] * (1 - NARROW),
         bottom = down >= m->room.down[spot] * (1 - NARROW);
    to->intervals.low[cell] = bottom ? -INFINITY : value - (down + place * more) * m->unit;
    to->intervals.high[cell] = ceiling ? INFINITY : value + (up + (1 - place) * more) * m->unit;
}

static tacit_status publish(tacit_pattern *out, const search *s, const char *status, double wider,
                            tacit_error *err)
{
    tacit_pattern pattern;
    tacit_run unseeded;
    tacit__random random;
    tacit_status done = tacit__pattern_init(&pattern, s->cells, status, err);
    if (done == TACIT_OK)
        done = tacit_intervals_init(&pattern.intervals, s->cells, err);
    if (done != TACIT_OK) {
        tacit_pattern_clear(&pattern);
        return done;
    }
    tacit_run_init(&unseeded);
    tacit__random_init(&random, s->run ? s->run : &unseeded, "wide", 0);
    for (int32_t spot = 0; spot < s->model.spots; spot++)
        publish_spot(&pattern, s, spot, wider, &random);
    tacit_intervals_round(&pattern.intervals, s->cells, pattern.status);
    tacit__intervals_clip(&pattern.intervals, s->cells);
    tacit__pattern_finish(&pattern, s->cells);
    double scale = s->model.unit * s->model.heaviest;
    pattern.cost = s->cost * scale;
    pattern.lower_bound = fmin(s->bound, s->cost) * scale;
    pattern.proven = closed(s);
    pattern.stopped = s->stopped;
    pattern.rounds = s->rounds;
    *out = pattern;
    return TACIT_OK;
}

tacit_status tacit__partial_solve(tacit_pattern *out, const tacit_cells *cells, const char *status,
                                  const tacit_suppress_options *options, const tacit_run *run,
                                  tacit_error *err)
{
    tacit__patch patch = {0};
    search s = {.cells = cells,
                .run = run,
                .cost = INFINITY,
                .outward = OUTWARD,
                .most = tacit__work_within(MAX_STEPS, tacit__work_times(options)),
                .lacking = -1};
    tacit_status done =
        tacit__patch_of_all(&patch, cells, status, tacit__largest_value(cells), err);
    if (done == TACIT_OK)
        done = set_up(&s, &patch, err);
    if (done == TACIT_OK)
        done = let_in(&s, status, err);
    if (done == TACIT_OK)
        done = run_rounds(&s, err);
    if (done == TACIT_OK)
        done = publish(out, &s, status, options->wider, err);
    clear(&s);
    tacit__patch_clear(&patch);
    return done;
}
