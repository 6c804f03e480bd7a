/*
 * prediction.c - how well one attribute, the target, can be predicted from the others: by a model
 * that is learned from the original, and by one that is learned from the release. Classes by naive
 * Bayes (bayes.c), numbers by least squares (squares.c); a number that has at most two values is a
 * class.
 *
 * A third of the original's records are held out: no model is shown them, nor what was released of
 * them. Both models are tried on these records and judged by what the original says of them, which
 * is how models from synthetic data are judged (train on synthetic, test on real), and what a
 * recipient meets who uses the model on people that are new.
 *
 * A held-out value has to be put in the terms of the release, as a recipient would who knows how
 * values are generalized. It stays as it is if most records with this value were released with a
 * value; else it is read as the label that they have most often. Which that is, is counted over
 * everything released. A value none of whose records was released is read as the nearest number is,
 * or stays.
 *
 * A target that the release has as a label only ("30-39", "*") is not learned from. Of long tables
 * a part is taken, the same each time for a seed. Cost: a few passes over the rows for each
 * attribute.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "loss/prediction.h"

enum { HELD_OUT = 1, TAKEN };

/* Less than this better than a guess is chance, and nothing that could be kept. */
static const double worth_keeping = 0.01;

/* From 0 to 1, for a purpose. */
static double drawn(uint64_t seed, uint64_t purpose, int64_t row)
{
    uint64_t mixed = tacit__mix(tacit__mix(tacit__mix(seed) + purpose) + (uint64_t)row);
    return (double)(mixed >> 11) * 0x1p-53;
}

bool tacit__held_out(uint64_t seed, int64_t row)
{
    return drawn(seed, HELD_OUT, row) * 3 < 1;
}

bool tacit__is_taken(uint64_t seed, int64_t row, double share)
{
    return drawn(seed, TAKEN, row) < share;
}

/* ---- rows ---- */

/* A prediction in the making, for both tables. */
typedef struct predicting {
    tacit__loss_frame *frame;
    const tacit__loss_column *target;
    double share; /* of the rows, that are taken */
    int64_t *test;
    int64_t test_count;
    int64_t trained[2];
    double results[2]; /* accuracy or error */
} predicting;

static bool has_target(const predicting *p, int which, int64_t row)
{
    const tacit__loss_side *side = &p->target->sides[which];
    return tacit__loss_category(side, row) < p->target->domain;
}

/* The record that a row is of; made-up ones come after all others. */
static int64_t record_of(const tacit__loss_frame *frame, int which, int64_t row)
{
    uint32_t origin = which == TACIT__RELEASE ? tacit__loss_origin(frame, row) : (uint32_t)row;
    return which == TACIT__ORIGINAL       ? row
           : origin == TACIT_LOSS_MADE_UP ? frame->rows[0] + row
                                          : (int64_t)origin;
}

/* The rows that have the target: held out, or to be learned from. */
static tacit_status list_rows(int64_t **out, int64_t *count, const predicting *p, int which,
                              bool held_out, tacit_error *err)
{
    const tacit__loss_frame *frame = p->frame;
    uint64_t seed = frame->options->seed;
    int64_t *rows = tacit__alloc_array((size_t)frame->rows[which] + 1, sizeof *rows), used = 0;
    if (!rows)
        return tacit__nomem(err);
    for (int64_t row = 0; row < frame->rows[which]; row++) {
        int64_t record = record_of(frame, which, row);
        bool held = record < frame->rows[0] && tacit__held_out(seed, record);
        if (held == held_out && has_target(p, which, row) &&
            tacit__is_taken(seed, record, p->share))
            rows[used++] = row;
    }
    *out = rows;
    *count = used;
    return TACIT_OK;
}

/* ---- values of the original in the terms of the release ---- */

/* How the values of an attribute are released. */
typedef struct reading {
    const tacit__loss_column *column;
    uint32_t *read;    /* what comes out: a category, by code */
    uint32_t *claims;  /* rows that were released with a value of the original */
    uint32_t *claimed; /* the category of the first of these */
    double *most;      /* rows that have the label in read */
    uint32_t label_count;
    tacit__loss_tally labels; /* by code and label, missing as the first */
} reading;

static bool count_released(reading *r, const tacit__loss_frame *frame)
{
    const tacit__loss_side *sides = r->column->sides;
    bool kept = true;
    for (int64_t row = 0; row < frame->rows[TACIT__RELEASE] && kept; row++) {
        uint32_t origin = tacit__loss_origin(frame, row);
        if (origin == TACIT_LOSS_MADE_UP)
            continue;
        uint32_t code = tacit_codes_at(sides[0].codes, origin);
        uint32_t category = tacit__loss_category(&sides[1], row), domain = r->column->domain;
        if (category < domain || (category == domain && code == sides[0].missing)) {
            if (r->claims[code]++ == 0)
                r->claimed[code] = category;
        } else {
            kept = tacit__tally_add(&r->labels,
                                    (uint64_t)code * r->label_count + (category - domain), 0, 1);
        }
    }
    return kept;
}

static void find_most_frequent(reading *r)
{
    for (size_t i = 0; i < r->labels.capacity; i++) {
        double amount = r->labels.amounts[i][0];
        if (!(amount > 0))
            continue;
        uint64_t key = tacit__tally_key(&r->labels, i);
        size_t code = (size_t)(key / r->label_count);
        uint32_t label = r->column->domain + (uint32_t)(key % r->label_count);
        if (amount > r->most[code] || (amount >= r->most[code] && label < r->read[code])) {
            r->most[code] = amount;
            r->read[code] = label;
        }
    }
}

static bool was_released(const reading *r, uint32_t code)
{
    return r->claims[code] > 0 || r->most[code] > 0;
}

/* A value that is nowhere in the release has become another where it was claimed to be. */
static void settle(reading *r, const double *released)
{
    const tacit__loss_side *original = &r->column->sides[TACIT__ORIGINAL];
    for (uint32_t code = 0; code <= original->missing; code++) {
        uint32_t own = original->categories[code];
        if (!was_released(r, code))
            r->read[code] = own;
        else if (r->claims[code] >= r->most[code])
            r->read[code] = released[own] > 0 ? own : r->claimed[code];
    }
}

/* Numbers none of whose records was released are read as the nearest that was. */
static void settle_numbers(const reading *r)
{
    const tacit__loss_side *original = &r->column->sides[TACIT__ORIGINAL];
    int64_t before = -1, after = 0, count = original->number_count;
    for (int64_t i = 0; i < count; i++) {
        uint32_t code = original->order[i];
        if (was_released(r, code)) {
            before = i;
            continue;
        }
        for (after = after > i ? after : i; after < count; after++)
            if (was_released(r, original->order[after]))
                break;
        double here = original->numbers[code];
        double down = before < 0 ? INFINITY : here - original->numbers[original->order[before]];
        double up = after == count ? INFINITY : original->numbers[original->order[after]] - here;
        uint32_t near = original->order[down <= up ? (before < 0 ? i : before) : after];
        if (r->read[near] >= r->column->domain)
            r->read[code] = r->read[near];
    }
}

static tacit_status read_released(reading *r, const tacit__loss_frame *frame, tacit_error *err)
{
    const tacit__loss_side *release = &r->column->sides[TACIT__RELEASE];
    double *released = tacit__alloc_zeroed(r->column->categories, sizeof *released);
    if (!released || !count_released(r, frame)) {
        tacit__free(released);
        return tacit__nomem(err);
    }
    for (uint32_t code = 0; code <= release->missing; code++)
        released[release->categories[code]] += release->amounts[code];
    find_most_frequent(r);
    settle(r, released);
    if (r->column->out->numeric)
        settle_numbers(r);
    tacit__free(released);
    return TACIT_OK;
}

static tacit_status read_column(uint32_t **out, const tacit__loss_frame *frame,
                                const tacit__loss_column *column, tacit_error *err)
{
    size_t codes = (size_t)column->sides[TACIT__ORIGINAL].missing + 1;
    reading r = {.column = column, .label_count = column->categories - column->domain};
    r.read = tacit__alloc_zeroed(codes, sizeof *r.read);
    r.claims = tacit__alloc_zeroed(codes, sizeof *r.claims);
    r.claimed = tacit__alloc_zeroed(codes, sizeof *r.claimed);
    r.most = tacit__alloc_zeroed(codes, sizeof *r.most);
    bool there = r.read && r.claims && r.claimed && r.most &&
                 tacit__tally_init(&r.labels, (uint64_t)codes * r.label_count);
    tacit_status status = there ? read_released(&r, frame, err) : tacit__nomem(err);
    tacit__tally_clear(&r.labels);
    tacit__free(r.claims);
    tacit__free(r.claimed);
    tacit__free(r.most);
    if (status == TACIT_OK)
        *out = r.read;
    else
        tacit__free(r.read);
    return status;
}

/* ---- models ---- */

static bool is_class(const tacit__loss_column *target)
{
    const tacit__loss_side *original = &target->sides[TACIT__ORIGINAL];
    uint32_t last = original->number_count - 1, i = 0;
    if (!target->out->numeric)
        return true;
    while (original->numbers[original->order[i]] < original->numbers[original->order[last]] &&
           original->numbers[original->order[i]] <= original->numbers[original->order[0]])
        i++;
    return original->numbers[original->order[i]] >= original->numbers[original->order[last]];
}

static tacit_status try_model(predicting *p, tacit__prediction *model, tacit_error *err)
{
    const tacit__loss_frame *frame = p->frame;
    tacit_status status = TACIT_OK;
    model->read = tacit__alloc_zeroed((size_t)frame->count, sizeof *model->read);
    if (!model->read)
        return tacit__nomem(err);
    for (int32_t i = 0; i < frame->count && status == TACIT_OK; i++)
        if (model->which == TACIT__RELEASE && tacit__prediction_uses(model, i))
            status = read_column(&model->read[i], frame, &frame->columns[i], err);
    if (status == TACIT_OK)
        status = is_class(p->target) ? tacit__bayes(&p->results[model->which], model, err)
                                     : tacit__least_squares(&p->results[model->which], model, err);
    for (int32_t i = 0; i < frame->count; i++)
        tacit__free(model->read[i]);
    tacit__free(model->read);
    return status;
}

static tacit_status predict_from(void *context, int64_t task, int worker, tacit_error *err)
{
    predicting *p = context;
    tacit__prediction model = {.frame = p->frame,
                               .target = p->target,
                               .which = (int)task,
                               .test = p->test,
                               .test_count = p->test_count};
    (void)worker;
    if (task == TACIT__RELEASE && !tacit__loss_readable(p->target))
        return TACIT_OK;
    tacit_status status = list_rows(&model.train, &model.train_count, p, model.which, false, err);
    p->trained[task] = model.train_count;
    if (status == TACIT_OK && model.train_count > 0 && p->test_count > 0)
        status = try_model(p, &model, err);
    tacit__free(model.train);
    return status;
}

/* ---- against a guess ---- */

/* Always the class that is most frequent where the original is learned from. */
static double guess_class(const predicting *p, const int64_t *train, int64_t count)
{
    const tacit__loss_side *original = &p->target->sides[TACIT__ORIGINAL];
    int64_t counts[TACIT_LOSS_CLASSES] = {0}, right = 0;
    uint32_t best = 0;
    for (int64_t i = 0; i < count; i++)
        counts[tacit__loss_category(original, train[i])]++;
    for (uint32_t y = 1; y < p->target->domain; y++)
        if (counts[y] > counts[best])
            best = y;
    for (int64_t i = 0; i < p->test_count; i++)
        right += tacit__loss_category(original, p->test[i]) == best;
    return (double)right / (double)p->test_count;
}

/* The error of always the mean. */
static double guess_number(const predicting *p, const int64_t *train, int64_t count)
{
    const tacit__loss_side *original = &p->target->sides[TACIT__ORIGINAL];
    double mean = 0, sum = 0;
    for (int64_t i = 0; i < count; i++)
        mean += tacit__loss_number(original, train[i]) / (double)count;
    for (int64_t i = 0; i < p->test_count; i++) {
        double apart = tacit__loss_number(original, p->test[i]) - mean;
        sum += apart * apart;
    }
    return sqrt(sum / (double)p->test_count);
}

static double explained(double error, double guess)
{
    return guess > 0 ? 1 - error / guess * (error / guess) : NAN;
}

static tacit_status compare_models(const predicting *p, tacit_loss_prediction *out,
                                   tacit_error *err)
{
    int64_t *train = NULL, count = 0;
    tacit_status status = list_rows(&train, &count, p, TACIT__ORIGINAL, false, err);
    if (status != TACIT_OK)
        return status;
    if (count > 0 && p->test_count > 0 && out->classes) {
        out->before = p->results[0];
        out->after = p->results[1];
        out->baseline = guess_class(p, train, count);
    } else if (count > 0 && p->test_count > 0) {
        out->error_before = p->results[0];
        out->error_after = p->results[1];
        out->error_baseline = guess_number(p, train, count);
        out->before = explained(out->error_before, out->error_baseline);
        out->after = explained(out->error_after, out->error_baseline);
        out->baseline = 0;
    }
    if (out->before - out->baseline >= worth_keeping)
        out->kept = (out->after - out->baseline) / (out->before - out->baseline);
    tacit__free(train);
    return TACIT_OK;
}

/* ---- the target ---- */

static tacit_status find_target(predicting *p, tacit_error *err)
{
    const tacit__loss_frame *frame = p->frame;
    const char *name = frame->options->target;
    for (int32_t i = 0; i < frame->count; i++)
        if (strcmp(frame->columns[i].out->name, name) == 0) {
            p->target = &frame->columns[i];
            frame->out->prediction.target = i;
        }
    if (!p->target)
        return tacit__error(err, TACIT_INVALID, "the target '%s' is no column that is measured",
                            tacit__show(tacit_strview_of(name)).text);
    if (is_class(p->target) && p->target->domain > TACIT_LOSS_CLASSES)
        return tacit__error(err, TACIT_INVALID,
                            "the target '%s' has too many different values: classes are predicted "
                            "up to %d of them, and numbers",
                            tacit__show(tacit_strview_of(name)).text, (int)TACIT_LOSS_CLASSES);
    return TACIT_OK;
}

tacit_status tacit__loss_prediction(tacit__loss_frame *frame, tacit_error *err)
{
    predicting p = {.frame = frame, .results = {NAN, NAN}};
    tacit_loss_prediction *out = &frame->out->prediction;
    if (!frame->options->target)
        return TACIT_OK;
    tacit_status status = find_target(&p, err);
    if (status != TACIT_OK)
        return status;
    p.share = (double)frame->options->fit_rows / 2 / fmax((double)frame->rows[0], 1);
    out->classes = is_class(p.target);
    status = list_rows(&p.test, &p.test_count, &p, TACIT__ORIGINAL, true, err);
    if (status == TACIT_OK)
        status = tacit__parallel(frame->run, "trying predictions", 2, predict_from, &p, err);
    if (status == TACIT_OK)
        status = compare_models(&p, out, err);
    out->tested = p.test_count;
    out->trained_original = p.trained[0];
    out->trained_release = p.trained[1];
    tacit__free(p.test);
    return status;
}
