/*
 * cuboid.c - the best cuboid around a cell of a subtable; see hypercube.h.
 *
 * The corners of a cuboid are the cell and all places that differ from it, on some of the axes,
 * by one other code for each axis. If all are suppressed they can move together: by the same
 * amount everywhere, a corner against the corner next to it where both are parts of the same
 * total, with it where one of them is the total. So the cell can go up by the least that a
 * corner can move in its direction, and down likewise (Repsilber 2002; Giessing and Repsilber
 * 2002).
 *
 * The search goes axis by axis. Each choice doubles the corners; price only grows and
 * room only shrinks, so what is dearer than the best or hides too little is left at once.
 * With n codes on each of d axes at most n^d cuboids of 2^d corners are looked at.
 */
#include "cells/subtables/hypercube.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

tacit_status tacit__cuboids_init(tacit__cuboids *cuboids, const tacit__subtables *subtables,
                                 tacit_error *err)
{
    size_t most = (size_t)subtables->most, corners = (size_t)1 << subtables->most_axes;
    *cuboids = (tacit__cuboids){0};
    cuboids->view.cells = tacit__alloc_array(most, sizeof *cuboids->view.cells);
    cuboids->corners = tacit__alloc_array(most, sizeof *cuboids->corners);
    cuboids->places = tacit__alloc_array(corners, sizeof *cuboids->places);
    cuboids->signs = tacit__alloc_array(corners, sizeof *cuboids->signs);
    cuboids->best = tacit__alloc_array(corners, sizeof *cuboids->best);
    cuboids->spare = tacit__alloc_array(corners, sizeof *cuboids->spare);
    if (!cuboids->view.cells || !cuboids->corners || !cuboids->places || !cuboids->signs ||
        !cuboids->best || !cuboids->spare)
        return tacit__nomem(err);
    return TACIT_OK;
}

void tacit__cuboids_clear(tacit__cuboids *cuboids)
{
    tacit__free(cuboids->view.cells);
    tacit__free(cuboids->corners);
    tacit__free(cuboids->places);
    tacit__free(cuboids->signs);
    tacit__free(cuboids->best);
    tacit__free(cuboids->spare);
}

/* What the corners so far come to. */
typedef struct sum {
    double price;
    int32_t fresh;
    double up; /* of the cell that the cuboid is for */
    double down;
} sum;

static sum add_corner(sum s, const tacit__corner *corner, int sign)
{
    s.price += corner->price;
    s.fresh += corner->fresh;
    s.up = fmin(s.up, sign > 0 ? corner->up : corner->down);
    s.down = fmin(s.down, sign > 0 ? corner->down : corner->up);
    return s;
}

/* Whether it hides enough and may still be the best. */
static bool worth(const tacit__cuboids *c, const sum *s, const tacit__need *need)
{
    return s->up >= need->up && s->down >= need->down && s->up + s->down >= need->spread &&
           (s->price < c->best_price ||
            (s->price == c->best_price && s->price < INFINITY && s->fresh < c->best_fresh));
}

static void keep(tacit__cuboids *c, const sum *s)
{
    c->best_price = s->price;
    c->best_fresh = s->fresh;
    c->best_count = 1 << c->view.axes;
    memcpy(c->best, c->places, (size_t)c->best_count * sizeof *c->best);
}

/* Doubles the corners by moving them to another code of an axis. False: no longer worth it. */
static bool move_corners(tacit__cuboids *c, sum *s, int32_t axis, int32_t step, int sign,
                         const tacit__need *need)
{
    int32_t count = 1 << axis;
    for (int32_t i = 0; i < count; i++) {
        int32_t place = c->places[i] + step;
        c->looks++;
        if (c->corners[place].barred || (c->avoid_alone && c->corners[place].alone))
            return false;
        c->places[count + i] = place;
        c->signs[count + i] = (int8_t)(sign * c->signs[i]);
        *s = add_corner(*s, &c->corners[place], c->signs[count + i]);
        if (!worth(c, s, need))
            return false;
    }
    return true;
}

static void choose(tacit__cuboids *c, int32_t axis, const sum *so_far, const tacit__need *need)
{
    if (axis == c->view.axes) {
        keep(c, so_far);
        return;
    }
    int32_t stride = c->view.strides[axis], size = c->view.sizes[axis];
    int32_t own = c->places[0] / stride % size;
    for (int32_t other = 0; other < size && c->best_fresh > 0; other++) {
        sum s = *so_far;
        int sign = own == 0 || other == 0 ? 1 : -1;
        if (other != own && move_corners(c, &s, axis, (other - own) * stride, sign, need))
            choose(c, axis + 1, &s, need);
    }
}

bool tacit__cuboid_find(tacit__cuboids *cuboids, int32_t place, const tacit__need *need)
{
    cuboids->best_price = INFINITY;
    cuboids->best_fresh = INT32_MAX;
    cuboids->places[0] = place;
    cuboids->signs[0] = 1;
    sum s = add_corner((sum){.up = INFINITY, .down = INFINITY}, &cuboids->corners[place], 1);
    if (worth(cuboids, &s, need))
        choose(cuboids, 0, &s, need);
    return cuboids->best_price < INFINITY;
}
