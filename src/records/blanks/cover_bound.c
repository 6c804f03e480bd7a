/*
 * cover_bound.c - a cost below which no blanks are enough: rows in need that can
 * hardly share a blank pay separately.
 *
 * Every row of a class in need, of c rows, has blanks or agrees with k - c donors whose
 * boxes it is in. Relaxed, a donor gives 1 to each row in need of its box but those of its
 * class, and k - c to itself. So amounts y, one for each row in need, make sum (k - c) y a
 * bound where for no box
 *
 *     sum of y over its rows in need + the largest (k - 2 c) y of them, if above 0
 *
 * is above the least cost of its blanks: a solution of the dual of the covering program.
 * In boxes of n < k rows that holds where no y is above cost / (n + k - 2), which every
 * class in need has noted (its share); in the others amounts are raised class by class,
 * those in the emptiest boxes first, as far as they go. Lower limits for y let more rows
 * have one: a few are tried. Only where every set of columns within the limit is there.
 * A look at every class in need for each set, a few times.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "records/blanks/cover.h"

/* Limits for y: so many, each this part of the one before. */
enum { TRIALS = 6 };
static const double STEP = 0.65;

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

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

/* What a box has left of the cost of its blanks, and the largest (k - 2 c) y in it. */
typedef struct purse {
    double left;
    double extra;
} purse;

/* The bound with amounts of at most `most`. */
static double pack(const tacit__covering *cover, const turn *turns, purse *purses, double most)
{
    double k = (double)cover->tableau->k, bound = 0;
    for (uint32_t b = 0; b < cover->boxes; b++)
        purses[b] = (purse){.left = cover->least[cover->set_of[b]]};
    purses[TACIT__WEAK_BOX].left = HUGE_VAL;
    for (uint32_t i = 0; i < cover->needs; i++) {
        uint32_t need = turns[i].need;
        const uint32_t *box = cover->box_of + (size_t)need * cover->sets;
        double rows = (double)rows_of(cover, need), own = k > 2 * rows ? k - 2 * rows : 0;
        double amount = lesser(most, cover->share[need]);
        for (uint32_t s = 0; s < cover->sets; s++) {
            const purse *p = &purses[box[s]];
            amount = lesser(amount, lesser((p->left - p->extra) / rows, p->left / (rows + own)));
        }
        if (amount <= 0)
            continue;
        for (uint32_t s = 0; s < cover->sets; s++) {
            purse *p = &purses[box[s]];
            p->left -= amount * rows;
            p->extra = p->extra > own * amount ? p->extra : own * amount;
        }
        bound += amount * rows * (k - rows);
    }
    return bound;
}

tacit_status tacit__covering_bound(double *out, const tacit__covering *cover, tacit_error *err)
{
    double *crowd = tacit__alloc_array(cover->boxes, sizeof *crowd), best = 0;
    purse *purses = tacit__alloc_array(cover->boxes, sizeof *purses);
    turn *turns = tacit__alloc_array(cover->needs, sizeof *turns);
    tacit_status status = crowd && purses && turns ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        count_crowds(crowd, cover);
        order_turns(turns, crowd, cover);
        double most = cover->least_cell / (double)(cover->tableau->k - 1);
        for (int i = 0; cover->needs > 0 && i < TRIALS; i++, most *= STEP)
            best = fmax(best, pack(cover, turns, purses, most));
        *out = best;
    }
    tacit__free(crowd);
    tacit__free(purses);
    tacit__free(turns);
    return status;
}
