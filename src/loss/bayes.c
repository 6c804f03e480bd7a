/*
 * bayes.c - a naive Bayes classifier, which takes a record for the class whose records have most
 * often had its categories, each attribute by itself:
 *
 *     the largest of  n_y / n  times, over the attributes,  (n_cy + 1) / (n_y + C)
 *
 * n_cy of the n_y records of class y that were learned from have the category c, one of C that were
 * met. A category that was not met says nothing and is passed over; of equally likely classes the
 * first is taken.
 *
 * Attributes are learned one after the other, so that the counts of only one are held. Cost: two
 * passes over the records learned from for each attribute, and one over those held out for each
 * attribute and class.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "loss/prediction.h"

typedef struct bayes {
    const tacit__prediction *p;
    uint32_t classes;
    double *weights; /* of what was learned from, by class */
    double *scores;  /* logarithms, by record held out and class */
} bayes;

/* What was met of an attribute. */
typedef struct met {
    uint32_t *places; /* by category, from 1; 0: not met */
    uint32_t count;
    double *weights; /* by place and class */
} met;

static void weigh_classes(bayes *b)
{
    const tacit__prediction *p = b->p;
    double all = 0;
    for (int64_t i = 0; i < p->train_count; i++) {
        double weight = tacit__loss_weight(p->frame, p->which, p->train[i]);
        b->weights[tacit__loss_category(&p->target->sides[p->which], p->train[i])] += weight;
        all += weight;
    }
    for (int64_t i = 0; i < p->test_count; i++)
        for (uint32_t y = 0; y < b->classes; y++)
            b->scores[i * b->classes + y] =
                b->weights[y] > 0 ? log(b->weights[y] / all) : -INFINITY;
}

static tacit_status meet(met *m, const bayes *b, const tacit__loss_column *column, tacit_error *err)
{
    const tacit__prediction *p = b->p;
    const tacit__loss_side *side = &column->sides[p->which];
    m->places = tacit__alloc_zeroed(column->categories, sizeof *m->places);
    if (!m->places)
        return tacit__nomem(err);
    for (int64_t i = 0; i < p->train_count; i++) {
        uint32_t *place = &m->places[tacit__loss_category(side, p->train[i])];
        if (!*place)
            *place = ++m->count;
    }
    m->weights = tacit__alloc_zeroed((size_t)m->count * b->classes, sizeof *m->weights);
    if (!m->weights)
        return tacit__nomem(err);
    for (int64_t i = 0; i < p->train_count; i++) {
        uint32_t y = tacit__loss_category(&p->target->sides[p->which], p->train[i]);
        size_t place = m->places[tacit__loss_category(side, p->train[i])] - 1;
        m->weights[place * b->classes + y] += tacit__loss_weight(p->frame, p->which, p->train[i]);
    }
    return TACIT_OK;
}

static void add_scores(bayes *b, const met *m, int32_t attribute)
{
    for (int64_t i = 0; i < b->p->test_count; i++) {
        size_t place = m->places[tacit__prediction_category(b->p, attribute, b->p->test[i])];
        double *scores = b->scores + i * b->classes;
        for (uint32_t y = 0; place && y < b->classes; y++)
            scores[y] +=
                log((m->weights[(place - 1) * b->classes + y] + 1) / (b->weights[y] + m->count));
    }
}

static tacit_status learn(bayes *b, int32_t attribute, tacit_error *err)
{
    met m = {0};
    tacit_status status = meet(&m, b, &b->p->frame->columns[attribute], err);
    if (status == TACIT_OK)
        add_scores(b, &m, attribute);
    tacit__free(m.places);
    tacit__free(m.weights);
    return status;
}

static double share_right(const bayes *b)
{
    const tacit__prediction *p = b->p;
    int64_t right = 0;
    for (int64_t i = 0; i < p->test_count; i++) {
        const double *scores = b->scores + i * b->classes;
        uint32_t best = 0;
        for (uint32_t y = 1; y < b->classes; y++)
            if (scores[y] > scores[best])
                best = y;
        right += best == tacit__loss_category(&p->target->sides[TACIT__ORIGINAL], p->test[i]);
    }
    return (double)right / (double)p->test_count;
}

tacit_status tacit__bayes(double *accuracy, const tacit__prediction *p, tacit_error *err)
{
    bayes b = {.p = p, .classes = p->target->domain};
    tacit_status status = TACIT_OK;
    b.weights = tacit__alloc_zeroed(b.classes, sizeof *b.weights);
    b.scores = tacit__alloc_array((size_t)p->test_count * b.classes, sizeof *b.scores);
    if (!b.weights || !b.scores)
        status = tacit__nomem(err);
    else
        weigh_classes(&b);
    for (int32_t i = 0; i < p->frame->count && status == TACIT_OK; i++)
        if (tacit__prediction_uses(p, i))
            status = learn(&b, i, err);
    if (status == TACIT_OK)
        *accuracy = share_right(&b);
    tacit__free(b.weights);
    tacit__free(b.scores);
    return status;
}
