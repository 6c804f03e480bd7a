/*
 * margins.c - two-way margins before and after: the cell whose share has
 * changed most, and the pair of attributes whose table has, in total variation.
 *
 * Every pair of attributes that a recipient can read is counted over their
 * categories, original and release in one table. Cost: a pass over the rows of
 * both tables for every pair; pairs are done side by side, and of pairs that
 * have changed alike the first is told.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "loss/loss.h"

typedef struct change {
    double cell;
    double variation;
} change;

typedef struct pairs {
    const tacit__loss_frame *frame;
    int32_t columns[TACIT_LOSS_PAIRED];
    int size;
    change *changes; /* a pair each, by the larger one, then the smaller */
} pairs;

static change compare(const tacit__loss_tally *tally, const double *totals)
{
    change found = {0, 0};
    for (size_t i = 0; i < tally->capacity; i++) {
        double apart = fabs(tally->amounts[i][0] / totals[0] - tally->amounts[i][1] / totals[1]);
        found.cell = fmax(found.cell, apart);
        found.variation += apart / 2;
    }
    found.variation = fmin(found.variation, 1);
    return found;
}

static bool count_side(tacit__loss_tally *tally, const tacit__loss_frame *frame, int which,
                       const tacit__loss_column *a, const tacit__loss_column *b)
{
    bool kept = true;
    for (int64_t row = 0; row < frame->rows[which] && kept; row++)
        kept =
            tacit__tally_add(tally,
                             (uint64_t)tacit__loss_category(&a->sides[which], row) * b->categories +
                                 tacit__loss_category(&b->sides[which], row),
                             which, tacit__loss_weight(frame, which, row));
    return kept;
}

static void pair_at(int64_t task, int *larger, int *smaller)
{
    *larger = 1;
    for (; task >= *larger; (*larger)++)
        task -= *larger;
    *smaller = (int)task;
}

static tacit_status compare_pair(void *context, int64_t task, int worker, tacit_error *err)
{
    pairs *p = context;
    int i, j;
    tacit__loss_tally tally;
    (void)worker;
    pair_at(task, &i, &j);
    const tacit__loss_column *a = &p->frame->columns[p->columns[j]];
    const tacit__loss_column *b = &p->frame->columns[p->columns[i]];
    if (!tacit__tally_init(&tally, (uint64_t)a->categories * b->categories))
        return tacit__nomem(err);
    bool kept = count_side(&tally, p->frame, TACIT__ORIGINAL, a, b) &&
                count_side(&tally, p->frame, TACIT__RELEASE, a, b);
    p->changes[task] = compare(&tally, p->frame->totals);
    tacit__tally_clear(&tally);
    return kept ? TACIT_OK : tacit__nomem(err);
}

static void take_if_larger(tacit_loss_pair *worst, const pairs *p, int64_t task, double value)
{
    int i, j;
    if (worst->first >= 0 && value <= worst->change)
        return;
    pair_at(task, &i, &j);
    *worst = (tacit_loss_pair){p->columns[j], p->columns[i], value};
}

tacit_status tacit__loss_margins(tacit__loss_frame *frame, tacit_error *err)
{
    pairs p = {.frame = frame};
    tacit_loss *out = frame->out;
    for (int32_t i = 0; i < frame->count && p.size < TACIT_LOSS_PAIRED; i++)
        if (tacit__loss_readable(&frame->columns[i]))
            p.columns[p.size++] = i;
    int64_t count = (int64_t)p.size * (p.size - 1) / 2;
    if (count < 1 || frame->totals[0] <= 0 || frame->totals[1] <= 0)
        return TACIT_OK;
    p.changes = tacit__alloc_array((size_t)count, sizeof *p.changes);
    if (!p.changes)
        return tacit__nomem(err);
    tacit_status status =
        tacit__parallel(frame->run, "comparing margins", count, compare_pair, &p, err);
    for (int64_t task = 0; task < count && status == TACIT_OK; task++) {
        take_if_larger(&out->cell, &p, task, p.changes[task].cell);
        take_if_larger(&out->variation, &p, task, p.changes[task].variation);
    }
    out->pairs = status == TACIT_OK ? count : 0;
    tacit__free(p.changes);
    return status;
}
