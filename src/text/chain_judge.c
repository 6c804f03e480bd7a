/*
 * chain_judge.c - how likely each label of each word is: forward and backward along the
 * chain (Lafferty, McCallum and Pereira 2001, conditional random fields). Words that are
 * plainly OTHER part the chain, so it is gone through in stretches of a few words.
 *
 * Cost: the evidence, a sum of rows, four exponentials and 2 x 25 products a word that is
 * not plain; memory in proportion to the words of a piece. Sums are taken in the order of the
 * words and exponentials are this file's own: opinions are the same everywhere.
 */
#include "text/chain_judge.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "text/chain_evidence.h"

/* 2^whole by the exponent's bits, 2^part by a polynomial; the relative error is below 1e-5. */
float tacit__chain_exp(float x)
{
    float scaled = x * 1.44269504F;
    if (scaled < -115)
        return 0;
    int32_t whole = (int32_t)(scaled + 128.5F) - 128; /* to nearest */
    float part = (scaled - (float)whole) * 0.693147181F;
    float power =
        1 + part * (1 + part * (0.5F + part * (0.166666667F +
                                               part * (0.0416666667F + part * 0.00833333333F))));
    uint32_t bits = (uint32_t)(whole + 127) << 23;
    float factor;
    memcpy(&factor, &bits, sizeof factor);
    return power * factor;
}

float tacit__step_weigh(tacit__step *step, tacit__weights sum)
{
    float most = 0;
    for (int i = 0; i < TACIT__NAMED; i++)
        most = sum[i] > most ? sum[i] : most;
    step->factor[TACIT__LABEL_OTHER] = tacit__chain_exp(-most);
    for (int i = 0; i < TACIT__NAMED; i++)
        step->factor[1 + i] = tacit__chain_exp(sum[i] - most);
    return most;
}

/* Makes them sum to 1; the sum that they had. */
static float normalize(float values[TACIT__LABELS])
{
    float sum = 0;
    for (int i = 0; i < TACIT__LABELS; i++)
        sum += values[i];
    float factor = 1 / sum;
    for (int i = 0; i < TACIT__LABELS; i++)
        values[i] *= factor;
    return sum;
}

static float go_forward(tacit__step *step, const float before[TACIT__LABELS],
                        const tacit__turn *turn)
{
    float sums[TACIT__LABELS] = {0};
    for (int from = 0; from < TACIT__LABELS; from++)
        for (int to = 0; to < TACIT__LABELS; to++)
            sums[to] += before[from] * turn->from[from][to];
    for (int to = 0; to < TACIT__LABELS; to++)
        step->forward[to] = sums[to] * step->factor[to];
    return normalize(step->forward);
}

static void go_backward(tacit__step *step, const tacit__step *after, const tacit__turn *turn)
{
    for (int from = 0; from < TACIT__LABELS; from++) {
        float sum = 0;
        for (int to = 0; to < TACIT__LABELS; to++)
            sum += turn->from[from][to] * after->factor[to] * after->backward[to];
        step->backward[from] = sum;
    }
    normalize(step->backward);
}

static void take_share(tacit__step *step)
{
    for (int i = 0; i < TACIT__LABELS; i++)
        step->share[i] = step->forward[i] * step->backward[i];
    normalize(step->share);
}

static const float before_first[TACIT__LABELS] = {[TACIT__LABEL_OTHER] = 1};

static void pass_forward(tacit__step *steps, size_t count, const tacit__turn *turn, double *sum)
{
    const float *before = before_first;
    for (size_t i = 0; i < count; i++) {
        float scale = go_forward(&steps[i], before, &turn[steps[i].gap]);
        before = steps[i].forward;
        if (sum)
            *sum += log((double)scale);
    }
}

void tacit__steps_pass(tacit__step *steps, size_t count, const tacit__turn turn[TACIT__BREAKS],
                       double *sum)
{
    if (sum)
        *sum = 0;
    pass_forward(steps, count, turn, sum);
    for (size_t i = count; i-- > 0;) {
        if (i + 1 < count)
            go_backward(&steps[i], &steps[i + 1], &turn[steps[i + 1].gap]);
        else
            for (int label = 0; label < TACIT__LABELS; label++)
                steps[i].backward[label] = 1.0F / TACIT__LABELS;
        take_share(&steps[i]);
    }
}

void tacit__steps_pair(float share[TACIT__LABELS][TACIT__LABELS], const tacit__step *before,
                       const tacit__step *step, const tacit__turn *turn)
{
    const float *from_before = before ? before->forward : before_first;
    float sum = 0;
    for (int from = 0; from < TACIT__LABELS; from++)
        for (int to = 0; to < TACIT__LABELS; to++) {
            share[from][to] =
                from_before[from] * turn->from[from][to] * step->factor[to] * step->backward[to];
            sum += share[from][to];
        }
    for (int from = 0; from < TACIT__LABELS; from++)
        for (int to = 0; to < TACIT__LABELS; to++)
            share[from][to] /= sum;
}

void tacit__chain_scratch_clear(tacit__chain_scratch *scratch)
{
    tacit__free(scratch->memory);
    *scratch = (tacit__chain_scratch){0};
}

/* Memory for the view of a document and the steps of its longest stretch. */
static tacit_status make_room(tacit__chain_scratch *scratch, size_t words, tacit_error *err)
{
    size_t needed = tacit__chain_view_size(words) + words * sizeof(tacit__step);
    if (scratch->memory && needed <= scratch->size)
        return TACIT_OK;
    tacit__chain_scratch_clear(scratch);
    if (!tacit__reserve(&scratch->memory, &scratch->size, needed, 1))
        return tacit__nomem(err);
    return TACIT_OK;
}

static void weigh(tacit__step *step, const tacit__chain_view *view, size_t i)
{
    uint32_t rows[TACIT__EVIDENCE];
    size_t count = tacit__chain_evidence(rows, view, i);
    tacit__weights sum = {0};
    for (size_t r = 0; r < count; r++)
        sum += view->model->rows[rows[r]];
    step->gap = view->traits[i].gap;
    tacit__step_weigh(step, sum);
}

static tacit__opinion opinion_of(const tacit__step *step)
{
    tacit__opinion opinion;
    for (int label = 0; label < TACIT__LABELS; label++)
        opinion.of[label] = (uint8_t)(step->share[label] * 100 + 0.5F);
    return opinion;
}

/* The words from first on that are not plain; where they end. */
static size_t judge_stretch(tacit__opinion *opinions, const tacit__chain_view *view, size_t first,
                            tacit__step *steps)
{
    size_t count = 0;
    while (first + count < view->document->count && !view->traits[first + count].plain) {
        weigh(&steps[count], view, first + count);
        count++;
    }
    tacit__steps_pass(steps, count, view->model->turn, NULL);
    for (size_t i = 0; i < count; i++)
        opinions[first + i] = opinion_of(&steps[i]);
    return first + count;
}

tacit_status tacit__chain_judge(tacit__opinion *opinions, const tacit__chain *model,
                                const tacit__document *document, tacit__chain_scratch *scratch,
                                tacit_error *err)
{
    tacit__chain_view view;
    tacit_status status = make_room(scratch, document->count, err);
    if (status != TACIT_OK)
        return status;
    tacit__chain_view_init(&view, model, document, scratch->memory);
    tacit__step *steps =
        (void *)((char *)scratch->memory + tacit__chain_view_size(document->count));
    for (size_t i = 0; i < document->count;) {
        if (!view.traits[i].plain)
            i = judge_stretch(opinions, &view, i, steps);
        else
            opinions[i++] = (tacit__opinion){.of = {[TACIT__LABEL_OTHER] = 100}};
    }
    return TACIT_OK;
}
