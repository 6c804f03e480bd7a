/*
 * margins.c - two-way margins before and after: how far each pair of attributes has changed, the
 * cell and the pair that have most, and how much the attributes of a pair tell of each other.
 *
 * Every pair of attributes that a recipient can read is counted over their categories, original and
 * release in one table. What they tell of each other is mutual information, corrected as in
 * information.c for what counting overstates, over the bits that the original has of the attribute
 * with fewer: for both tables the same, so that what was lost can be seen. Of attributes with too
 * many values for that (names, dates) each would seem to tell everything; they are left out.
 *
 * Cost: a pass over the rows of both tables for every pair; pairs are done side by side, and of
 * pairs that have changed alike the first is told.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "loss/loss.h"

typedef struct pairs {
    const tacit__loss_frame *frame;
    int32_t columns[TACIT_LOSS_PAIRED];
    int size;
    tacit_loss_two_way *found; /* a pair each, by the larger one, then the smaller */
} pairs;

static void compare(tacit_loss_two_way *found, const tacit__loss_tally *tally, const double *totals)
{
    found->cell = found->variation = 0;
    for (size_t i = 0; i < tally->capacity; i++) {
        double apart = fabs(tally->amounts[i][0] / totals[0] - tally->amounts[i][1] / totals[1]);
        found->cell = fmax(found->cell, apart);
        found->variation += apart / 2;
    }
    found->variation = fmin(found->variation, 1);
}

/* Amounts of the categories of an attribute, and how many there are. */
static double add_margin(double *amounts, const tacit__loss_column *column, int which)
{
    const tacit__loss_side *side = &column->sides[which];
    double met = 0;
    for (uint32_t code = 0; code <= side->missing; code++)
        amounts[side->categories[code]] += side->amounts[code];
    for (uint32_t i = 0; i < column->categories; i++)
        met += amounts[i] > 0;
    return met;
}

/* Bits that the attributes of one table tell of each other; margins is for both, and 0. */
static double bits_told(const pairs *p, const tacit__loss_tally *tally, int which,
                        const tacit__loss_column *a, const tacit__loss_column *b, double *margins)
{
    double *of_a = margins, *of_b = margins + a->categories, total = p->frame->totals[which];
    double single = add_margin(of_a, a, which) + add_margin(of_b, b, which), cells = 0, bits = 0;
    for (size_t i = 0; i < tally->capacity; i++) {
        double amount = tally->amounts[i][which];
        if (!(amount > 0))
            continue;
        uint64_t key = tacit__tally_key(tally, i);
        bits += amount / total *
                log2(amount / of_a[key / b->categories] * (total / of_b[key % b->categories]));
        cells++;
    }
    return bits - fmax(cells - single + 1, 0) / (2 * (double)p->frame->rows[which] * log(2));
}

static tacit_status find_told(tacit_loss_two_way *found, const pairs *p,
                              const tacit__loss_tally *tally, const tacit__loss_column *a,
                              const tacit__loss_column *b, tacit_error *err)
{
    double fewer = fmin(a->out->entropy_original, b->out->entropy_original);
    double *told[] = {&found->told_before, &found->told_after};
    found->told_before = found->told_after = NAN;
    if (a->out->read_as_claims || b->out->read_as_claims || !(fewer > 0))
        return TACIT_OK;
    for (int which = 0; which < 2; which++) {
        size_t size = (size_t)a->categories + b->categories;
        double *margins = tacit__alloc_zeroed(size, sizeof *margins);
        if (!margins)
            return tacit__nomem(err);
        *told[which] = fmin(fmax(bits_told(p, tally, which, a, b, margins) / fewer, 0), 1);
        tacit__free(margins);
    }
    return TACIT_OK;
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
    tacit_loss_two_way *found = &p->found[task];
    *found = (tacit_loss_two_way){.first = p->columns[j], .second = p->columns[i]};
    if (!tacit__tally_init(&tally, (uint64_t)a->categories * b->categories))
        return tacit__nomem(err);
    bool kept = count_side(&tally, p->frame, TACIT__ORIGINAL, a, b) &&
                count_side(&tally, p->frame, TACIT__RELEASE, a, b);
    tacit_status status = kept ? find_told(found, p, &tally, a, b, err) : tacit__nomem(err);
    compare(found, &tally, p->frame->totals);
    tacit__tally_clear(&tally);
    return status;
}

static void take_if_larger(tacit_loss_pair *worst, const tacit_loss_two_way *found, double value)
{
    if (worst->first < 0 || value > worst->change)
        *worst = (tacit_loss_pair){found->first, found->second, value};
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
    p.found = out->two_way = tacit__alloc_array((size_t)count, sizeof *out->two_way);
    if (!p.found)
        return tacit__nomem(err);
    tacit_status status =
        tacit__parallel(frame->run, "comparing margins", count, compare_pair, &p, err);
    for (int64_t task = 0; task < count && status == TACIT_OK; task++) {
        take_if_larger(&out->cell, &p.found[task], p.found[task].cell);
        take_if_larger(&out->variation, &p.found[task], p.found[task].variation);
    }
    out->pairs = status == TACIT_OK ? count : 0;
    return status;
}
