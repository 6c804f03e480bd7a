/*
 * model.c - what is asked of intervals: spots, rooms, and a side for every need.
 *
 * Intervals hide a side if a table within them moves its cell by the amount. Such a table is
 * kept, so that most sides need no program when intervals change elsewhere; and the lightest
 * intervals around all of them hide everything.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/partial/partial.h"

/* No cell moves further than so many units, or is to spread over less; and what fits but for
 * rounding. */
#define MOST         1e5
#define LEAST_SPREAD 1e-4
#define FITS         1e-9

tacit_status tacit__reach_init(tacit__partial_reach *reach, int32_t spots, tacit_error *err)
{
    *reach =
        (tacit__partial_reach){.up = tacit__alloc_zeroed((size_t)spots, sizeof *reach->up),
                               .down = tacit__alloc_zeroed((size_t)spots, sizeof *reach->down)};
    return reach->up && reach->down ? TACIT_OK : tacit__nomem(err);
}

void tacit__reach_clear(tacit__partial_reach *reach)
{
    tacit__free(reach->up);
    tacit__free(reach->down);
    *reach = (tacit__partial_reach){0};
}

double tacit__reach_cost(const tacit__partial_reach *reach, const tacit__partial *partial)
{
    double cost = 0;
    for (int32_t i = 0; i < partial->spots; i++)
        cost += partial->weight[i] * (reach->up[i] + reach->down[i]);
    return cost;
}

bool tacit__side_shown(const tacit__side *side, const tacit__partial_reach *reach)
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

bool tacit__partial_cover(tacit__partial_reach *reach, const tacit__partial *partial)
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
        p->room.up[p->spots] = fmin(patch->up[i] / p->unit, MOST);
        p->room.down[p->spots] = fmin(patch->down[i] / p->unit, MOST);
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
    tacit_status status = tacit__reach_init(&p->room, p->patch->count, err);
    return status == TACIT_OK ? tacit__reach_init(&p->least, p->patch->count, err) : status;
}

tacit_status tacit__partial_init(tacit__partial *partial, const tacit__patch *patch,
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

void tacit__partial_clear(tacit__partial *partial)
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
    tacit__reach_clear(&partial->room);
    tacit__reach_clear(&partial->least);
    *partial = (tacit__partial){0};
}
