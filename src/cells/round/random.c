/*
 * random.c - random rounding: every cell to one of the two multiples next to it, up with the
 * probability that keeps its value on average.
 *
 * A value a share p of a base above a multiple goes up with probability p and down with 1 - p;
 * multiples stay. Its expectation is the value, to 2^-53 of a base. Every cell is drawn for itself,
 * as the field does it, so sums need not add up; a cell that several tables share is one cell and
 * is drawn once.
 *
 * The random numbers come from the run's seed in streams of a fixed number of cells, so they do not
 * depend on threads. Who knows the seed knows which values went up: a release needs one that nobody
 * can guess. Linear.
 */
#include "base/random.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cells/alter/alter.h"
#include "cells/round/multiples.h"

enum { CELLS_A_STREAM = 1 << 16 };

typedef struct drawing {
    const tacit__multiples *multiples;
    const tacit_run *run;
    double *number;
} drawing;

/* From 0 to less than 1, in steps of 2^-53. */
static double uniform(tacit__random *random)
{
    uint64_t high = tacit__random_word(random) >> 5, low = tacit__random_word(random) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}

/* Every cell takes its number, also one that stays: what a value is must not move the others'. */
static tacit_status draw_stream(void *context, int64_t task, int worker, tacit_error *err)
{
    const drawing *d = context;
    const tacit__multiples *m = d->multiples;
    int64_t first = task * CELLS_A_STREAM, end = first + CELLS_A_STREAM;
    tacit__random random;
    (void)worker, (void)err;
    tacit__random_init(&random, d->run, "rnd", (uint32_t)task);
    for (int64_t i = first; i < end && i < m->cells->count; i++)
        d->number[i] = m->low[i] + (uniform(&random) < m->part[i] ? 1 : 0);
    return TACIT_OK;
}

static tacit_status draw(double *number, const tacit__multiples *multiples, const tacit_run *run,
                         tacit_error *err)
{
    drawing d = {.multiples = multiples, .run = run, .number = number};
    int64_t streams = ((int64_t)multiples->cells->count + CELLS_A_STREAM - 1) / CELLS_A_STREAM;
    return tacit__parallel(run, "rounding", streams, draw_stream, &d, err);
}

tacit_status tacit__round_random(tacit_altered *out, const tacit_cells *cells,
                                 const tacit_alter_options *options, const tacit_run *run,
                                 tacit_error *err)
{
    tacit__multiples multiples = {0};
    tacit_altered altered;
    tacit_status status = tacit__multiples_init(&multiples, cells, options->base, err);
    if (status != TACIT_OK)
        return status;
    double *number = tacit__alloc_array((size_t)cells->count, sizeof *number);
    status = number ? draw(number, &multiples, run, err) : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__multiples_finish(&altered, &multiples, number, options, err);
    if (status == TACIT_OK) {
        altered.reach = options->base;
        altered.within = true;
        *out = altered;
    }
    tacit__free(number);
    tacit__multiples_clear(&multiples);
    return status;
}
