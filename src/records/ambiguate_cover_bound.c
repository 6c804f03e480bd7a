/*
 * ambiguate_cover_bound.c - a cost below which no blanks are enough: rows in need that can
 * hardly share a blank pay separately.
 *
 * Every row of a class in need, of c rows, has blanks or agrees with k - c donors whose
 * boxes it is in. Relaxed, a donor gives 1 to each row in need of its box and k - c to
 * itself. So amounts y, one for each row in need, make sum (k - c) y a bound where for no box and
 * no row of it
 *
 *     sum of y over the rows in need of the box + (k - 2) times the largest y
 *
 * is above the least cost of its blanks: a solution of the dual of the covering program. With
 * y at most Y = least cell / (2 k - 3) this holds in boxes of fewer than k rows by itself;
 * in the others amounts are raised row by row, those in the emptiest boxes first, as far as
 * they go. A few Y are tried. Only where every set of columns within the limit is there.
 * A look at every class in need for each set, a few times.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/ambiguate_cover.h"

enum { TRIALS = 6 };

typedef struct turn {
    double crowd; /* rows in need of its most crowded box, for the cost */
    uint32_t need;
} turn;

static int by_crowd(const void *a, const void *b)
{
    const turn *x = a, *y = b;
    if (x->crowd != y->crowd)
        return x->crowd < y->crowd ? -1 : 1;
    return x->need < y->need ? -1 : x->need > y->need;
}

static int64_t rows_of(const tacit__covering *cover, uint32_t need)
{
    return cover->tableau->counts[cover->class_of[need]];
}

/* Rows in need of every box. */
static void count_crowds(double *crowd, const tacit__covering *cover)
{
    for (uint32_t b = 0; b < cover->boxes; b++) {
        crowd[b] = 0;
        for (uint32_t m = cover->start[b]; m < cover->start[b + 1]; m++)
            crowd[b] += (double)rows_of(cover, cover->members[m]);
    }
}

static void order_turns(turn *turns, const double *crowd, const tacit__covering *cover)
{
    for (uint32_t i = 0; i < cover->needs; i++) {
        turns[i] = (turn){.need = i};
        for (uint32_t s = 0; s < cover->sets; s++) {
            double in = crowd[tacit__covering_box(cover, i, s)] / cover->least[s];
            turns[i].crowd = in > turns[i].crowd ? in : turns[i].crowd;
        }
    }
    qsort(turns, cover->needs, sizeof *turns, by_crowd);
}

/* The bound with amounts of at most `most`; `left` is what boxes have left. */
static double pack(const tacit__covering *cover, const turn *turns, double *left, double most)
{
    int64_t k = cover->tableau->k;
    double bound = 0;
    for (uint32_t b = 0; b < cover->boxes; b++)
        left[b] = cover->least[cover->set_of[b]] - (double)(k - 2) * most;
    left[TACIT__WEAK_BOX] = 1e300;
    for (uint32_t i = 0; i < cover->needs; i++) {
        const uint32_t *box = cover->box_of + (size_t)turns[i].need * cover->sets;
        double rows = (double)rows_of(cover, turns[i].need), amount = most * rows;
        for (uint32_t s = 0; s < cover->sets; s++)
            amount = left[box[s]] < amount ? left[box[s]] : amount;
        for (uint32_t s = 0; amount > 0 && s < cover->sets; s++)
            left[box[s]] -= amount;
        bound += amount > 0 ? amount * ((double)k - rows) : 0;
    }
    return bound;
}

tacit_status tacit__covering_bound(double *out, const tacit__covering *cover, tacit_error *err)
{
    double *left = tacit__alloc_array(cover->boxes, sizeof *left), best = 0;
    turn *turns = tacit__alloc_array(cover->needs, sizeof *turns);
    tacit_status status = left && turns ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        count_crowds(left, cover);
        order_turns(turns, left, cover);
        double most = cover->least_cell / (double)(2 * cover->tableau->k - 3);
        for (int i = 0; i < TRIALS; i++, most /= 2) {
            double bound = pack(cover, turns, left, most);
            best = bound > best ? bound : best;
        }
        *out = best;
    }
    tacit__free(left);
    tacit__free(turns);
    return status;
}
