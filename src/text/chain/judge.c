/*
 * judge.c - how likely each label of each word is: forward and backward along the
 * chain (Lafferty, McCallum and Pereira 2001, conditional random fields). Words that are
 * plainly OTHER part the chain, so it is gone through in stretches of a few words.
 *
 * Cost: the evidence, a sum of rows, four exponentials and 2 x 25 products a word that is
 * not plain; memory in proportion to the words of a piece. Sums are taken in the order of the
 * words and exponentials are this file's own: opinions are the same everywhere.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "text/chain/model.h"

typedef int32_t whole_numbers __attribute__((vector_size(TACIT__NAMED * sizeof(int32_t))));

static tacit__weights all_of(float value)
{
    return (tacit__weights){value, value, value, value};
}

static float sum_of(tacit__weights values)
{
    tacit__weights pairs = values + (tacit__weights){values[2], values[3], values[0], values[1]};
    return pairs[0] + pairs[1];
}

/* 1.5 * 2^23: a float has no places for halves beside it, so that what it is added to gets
 * rounded, and is there as a whole number in the last bits. */
#define LEAVES_WHOLE 12582912.0F

/* e^x of x from -80 to 80, what is less counting as -80: 2^whole by the exponent's bits,
 * 2^part by a polynomial; the relative error is below 1e-5. */
static inline tacit__weights fast_exp(tacit__weights x)
{
    whole_numbers low = x < all_of(-80);
    tacit__weights scaled = x * 1.44269504F;
    scaled =
        (tacit__weights)(((whole_numbers)scaled & ~low) | ((whole_numbers)all_of(-115.4F) & low));
    tacit__weights shifted = scaled + LEAVES_WHOLE;
    tacit__weights part = (scaled - (shifted - LEAVES_WHOLE)) * 0.693147181F;
    tacit__weights power =
        1 + part * (1 + part * (0.5F + part * (0.166666667F +
                                               part * (0.0416666667F + part * 0.00833333333F))));
    return power * (tacit__weights)(((whole_numbers)shifted + 127) << 23);
}

/* Up to e^60 times a turn's e^20 numbers do not run over, and OTHER's factor is 1. */
enum { MAX_SUM = 60 };

/* The greatest, where any is beyond the limit, or 0. */
static float excess_of(tacit__weights sum)
{
    float most = MAX_SUM;
    for (int i = 0; i < TACIT__NAMED; i++)
        most = sum[i] > most ? sum[i] : most;
    return most > MAX_SUM ? most : 0;
}

static bool any_of(whole_numbers truths)
{
    typedef int64_t halves __attribute__((vector_size(sizeof(whole_numbers))));
    halves both = (halves)truths;
    return (both[0] | both[1]) != 0;
}

/* Where a weight is beyond the limit: the greatest is taken off all, OTHER's too. */
static __attribute__((noinline)) float weigh_down(tacit__chain_step *step, tacit__weights sum)
{
    float excess = excess_of(sum);
    step->factor.named = fast_exp(sum - excess);
    step->factor.other = fast_exp(all_of(-excess))[0];
    return excess;
}

static inline float weigh(tacit__chain_step *step, tacit__weights sum)
{
    if (any_of(sum > all_of(MAX_SUM)))
        return weigh_down(step, sum);
    step->factor.named = fast_exp(sum);
    step->factor.other = 1;
    return 0;
}

float tacit__step_weigh(tacit__chain_step *step, tacit__weights sum)
{
    return weigh(step, sum);
}

/* Makes them sum to 1; the sum that they had. */
static float normalize(tacit__chain_shares *shares)
{
    float sum = sum_of(shares->named) + shares->other, factor = 1 / sum;
    shares->named *= factor;
    shares->other *= factor;
    return sum;
}

/* Before a stretch is OTHER. */
static float start_forward(tacit__chain_step *step, const tacit__turn *turn)
{
    step->forward.named = turn->to[TACIT__LABEL_OTHER] * step->factor.named;
    step->forward.other = step->factor.other;
    return normalize(&step->forward);
}

static float go_forward(tacit__chain_step *step, const tacit__chain_shares *before,
                        const tacit__turn *turn)
{
    tacit__weights sum = before->other * turn->to[TACIT__LABEL_OTHER];
    for (int label = 0; label < TACIT__NAMED; label++)
        sum += before->named[label] * turn->to[1 + label];
    step->forward.named = sum * step->factor.named;
    step->forward.other = step->factor.other; /* times 1, whatever was before */
    return normalize(&step->forward);
}

static void go_backward(tacit__chain_step *step, const tacit__chain_step *after,
                        const tacit__turn *turn)
{
    tacit__weights named = after->factor.named * after->backward.named;
    float other = after->factor.other * after->backward.other;
    tacit__weights sum = all_of(other);
    for (int label = 0; label < TACIT__NAMED; label++)
        sum += named[label] * turn->from[label];
    step->backward.named = sum;
    step->backward.other = other + sum_of(named * turn->to[TACIT__LABEL_OTHER]);
    normalize(&step->backward);
}

static const tacit__chain_shares before_first = {.other = 1};

static void pass_forward(tacit__chain_step *steps, size_t count, const tacit__turn *turn,
                         double *sum)
{
    for (size_t i = 0; i < count; i++) {
        const tacit__turn *gap = &turn[steps[i].gap];
        float scale = i == 0 ? start_forward(&steps[i], gap)
                             : go_forward(&steps[i], &steps[i - 1].forward, gap);
        if (sum)
            *sum += log((double)scale);
    }
}

static void pass_backward(tacit__chain_step *steps, size_t count, const tacit__turn *turn)
{
    tacit__chain_step *last = &steps[count - 1];
    last->backward = (tacit__chain_shares){.named = all_of(0.2F), .other = 0.2F};
    last->share = last->forward;
    for (tacit__chain_step *step = last; step-- > steps;) {
        go_backward(step, step + 1, &turn[step[1].gap]);
        step->share.named = step->forward.named * step->backward.named;
        step->share.other = step->forward.other * step->backward.other;
        normalize(&step->share);
    }
}

void tacit__steps_pass(tacit__chain_step *steps, size_t count,
                       const tacit__turn turn[TACIT__BREAKS], double *sum)
{
    if (sum)
        *sum = 0;
    if (count == 0)
        return;
    pass_forward(steps, count, turn, sum);
    pass_backward(steps, count, turn);
}

void tacit__steps_pair(tacit__chain_shares after[TACIT__LABELS], const tacit__chain_step *before,
                       const tacit__chain_step *step, const tacit__turn *turn)
{
    const tacit__chain_shares *forward = before ? &before->forward : &before_first;
    tacit__weights named = step->factor.named * step->backward.named;
    float other = step->factor.other * step->backward.other, sum = 0;
    for (int from = 0; from < TACIT__LABELS; from++) {
        float share = tacit__share_of(forward, from);
        after[from].named = share * turn->to[from] * named;
        after[from].other = share * other;
        sum += sum_of(after[from].named) + after[from].other;
    }
    for (int from = 0; from < TACIT__LABELS; from++) {
        after[from].named /= sum;
        after[from].other /= sum;
    }
}

void tacit__chain_scratch_clear(tacit__chain_scratch *scratch)
{
    tacit__free(scratch->memory);
    *scratch = (tacit__chain_scratch){0};
}

/* Longer stretches, which only text without capitals or without anything else has, are cut. */
enum { LONGEST_STRETCH = 1024 };

/* What a thread's memory begins with; the view of a document comes after it. */
typedef struct workroom {
    tacit__chain_memory memory;
    tacit__chain_step steps[LONGEST_STRETCH];
} workroom;

/* Memory for a document of so many words; what is remembered is kept unless it has to grow
 * or the weights are others. */
static tacit_status make_room(workroom **out, tacit__chain_scratch *scratch, size_t words,
                              const tacit__chain *model, tacit_error *err)
{
    size_t needed = sizeof(workroom) + tacit__chain_view_size(words);
    bool new = !scratch->memory || needed > scratch->size;
    if (new) {
        tacit__chain_scratch_clear(scratch);
        if (!tacit__reserve(&scratch->memory, &scratch->size, needed, 1))
            return tacit__nomem(err);
    }
    workroom *room = scratch->memory;
    if (new || room->memory.mark != model->mark)
        memset(&room->memory, 0, sizeof room->memory);
    room->memory.mark = model->mark;
    *out = room;
    return TACIT_OK;
}

static tacit__opinion opinion_of(const tacit__chain_step *step)
{
    whole_numbers named = __builtin_convertvector(step->share.named * 100 + 0.5F, whole_numbers);
    return (tacit__opinion){.of = {(uint8_t)(step->share.other * 100 + 0.5F), (uint8_t)named[0],
                                   (uint8_t)named[1], (uint8_t)named[2], (uint8_t)named[3]}};
}

/* Words that are not plain, from first to before end. */
static void judge_stretch(tacit__opinion *opinions, const tacit__chain_view *view, size_t first,
                          size_t end, tacit__chain_step *steps)
{
    size_t count = end - first;
    for (size_t i = 0; i < count; i++) {
        steps[i].gap = view->traits[first + i].gap;
        weigh(&steps[i], tacit__chain_sum(view, first + i));
    }
    tacit__steps_pass(steps, count, view->model->turn, NULL);
    for (size_t i = 0; i < count; i++)
        opinions[first + i] = opinion_of(&steps[i]);
}

/* All stretches; what is between them is OTHER. */
static void judge_stretches(tacit__opinion *opinions, const tacit__chain_view *view,
                            tacit__chain_step *steps)
{
    int64_t count = (int64_t)view->document->count, end;
    for (int64_t i = 0; i < count; i++)
        opinions[i] = (tacit__opinion){.of = {[TACIT__LABEL_OTHER] = 100}};
    for (int64_t first = 0; (first = tacit__bit_next(view->open, first, count)) < count;
         first = end) {
        end = tacit__bit_next_clear(view->open, first, count);
        if (end - first > LONGEST_STRETCH)
            end = first + LONGEST_STRETCH;
        judge_stretch(opinions, view, (size_t)first, (size_t)end, steps);
    }
}

tacit_status tacit__chain_judge(tacit__opinion *opinions, const tacit__chain *model,
                                const tacit__document *document, tacit__chain_scratch *scratch,
                                tacit_error *err)
{
    tacit__chain_view view;
    workroom *room = NULL;
    tacit_status status = make_room(&room, scratch, document->count, model, err);
    if (status != TACIT_OK)
        return status;
    if (model->mark != 0 && document->habits)
        tacit__habits_of_weights(document->habits, model->mark);
    tacit__chain_view_init(&view, model, document, room + 1,
                           model->mark != 0 ? &room->memory : NULL);
    judge_stretches(opinions, &view, room->steps);
    return TACIT_OK;
}
