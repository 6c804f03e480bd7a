/*
 * learn.c - a training session (section 9.3). The collection is cut into three parts:
 *
 *   held out   a quarter, which is measured before and after and never learned from
 *   trial      a quarter of the rest
 *   lessons    what is left
 *
 * From the lessons come likelihoods of templates and weights of words. The trial, which these
 * have not seen, says which threshold serves the goal best, and whether the weights of words
 * are better than those of before. Then likelihoods and weights are learned from lessons and
 * trial together. Settings are compared by tacit_learn_better throughout; where two do
 * equally well the one that is closer to what was before is taken.
 *
 * Cost: two lessons of the words, and scrubbing the trial 26 times.
 */
#include "text/learn/learn.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "text/learn/learned.h"
#include "text/scrub/scrub.h"

enum { LOWEST = 20, HIGHEST = 80, STEP = 5, CHOICES = (HIGHEST - LOWEST) / STEP + 2 };

void tacit_learn_options_init(tacit_learn_options *options)
{
    *options = (tacit_learn_options){.precision = 0.9, .prior = 10};
    tacit_scrub_options_init(&options->scrub);
}

/* What a session works on. */
typedef struct training {
    const tacit_learn_options *options;
    const tacit_run *run;
    tacit__collection collection;
    tacit__learned present;      /* settings at the start */
    tacit_scrubber *scrubber;    /* with the settings at hand */
    tacit__templates *templates; /* of the scrubber */
    tacit__chain *chain;         /* of the start */
    tacit__sightings *sightings;
    int *shipped, *first, *likelihoods; /* of each template */
    tacit__sighted *sighted;
    tacit__strbuf weights, text; /* the settings at hand */
    tacit__learn_measured before, after;
    tacit_learned *result;
} training;

/* ---- before ---- */

static tacit_status note_likelihoods(training *t, tacit_error *err)
{
    size_t count = tacit__templates_count(t->templates);
    t->shipped = tacit__alloc_array(count + 1, sizeof *t->shipped);
    t->first = tacit__alloc_array(count + 1, sizeof *t->first);
    t->likelihoods = tacit__alloc_array(count + 1, sizeof *t->likelihoods);
    t->sighted = tacit__alloc_array(count + 1, sizeof *t->sighted);
    if (!t->shipped || !t->first || !t->likelihoods || !t->sighted)
        return tacit__nomem(err);
    for (size_t i = 0; i < count; i++)
        t->shipped[i] = tacit__templates_likelihood(t->templates, i);
    return TACIT_OK;
}

/* A scrubber with shipped settings, which then get the present ones. */
static tacit_status make_scrubber(training *t, tacit_error *err)
{
    tacit_scrub_options scrub = t->options->scrub;
    scrub.accept_unread = true; /* nothing is given away */
    scrub.explain = false;
    scrub.weights = (tacit_strview){0};
    for (int kind = 0; kind < TACIT_TEXT_KINDS; kind++)
        if (kind != TACIT_TEXT_TITLE) /* they count where the data holder replaces them */
            scrub.strategy[kind] = TACIT_TEXT_SUPPRESS;
    tacit_status status = tacit__scrubber_new_adjustable(&t->scrubber, &scrub, err);
    if (status != TACIT_OK)
        return status;
    t->templates = tacit__scrubber_templates(t->scrubber);
    t->result->threshold_before =
        scrub.threshold == TACIT_SCRUB_LEARNED && t->present.threshold != TACIT_SCRUB_LEARNED
            ? t->present.threshold
            : tacit_scrubber_threshold(t->scrubber);
    t->result->threshold = t->result->threshold_before;
    return note_likelihoods(t, err);
}

/* Gives the scrubber all that was learned. */
static tacit_status set_up(training *t, const tacit__learned *learned, tacit_error *err)
{
    tacit__chain *chain = NULL;
    for (size_t i = 0; i < tacit__templates_count(t->templates); i++)
        tacit__templates_adjust(t->templates, i, t->shipped[i]);
    tacit_status status = tacit__learned_apply(t->templates, learned, err);
    if (status == TACIT_OK)
        status = tacit__learned_chain(&chain, learned, err);
    if (status != TACIT_OK)
        return status;
    tacit__scrubber_rethink(t->scrubber, chain);
    tacit__scrubber_adjust(t->scrubber, t->result->threshold);
    return TACIT_OK;
}

static tacit_status prepare(training *t, const tacit_text_marked *documents, size_t count,
                            tacit_error *err)
{
    t->result = tacit__alloc_zeroed(1, sizeof *t->result);
    if (!t->result)
        return tacit__nomem(err);
    tacit_status status = tacit__collection_init(&t->collection, documents, count, err);
    if (status == TACIT_OK)
        status = tacit__learned_read(&t->present, t->options->scrub.weights, err);
    if (status == TACIT_OK)
        status = make_scrubber(t, err);
    if (status == TACIT_OK)
        status = set_up(t, &t->present, err);
    for (size_t i = 0; status == TACIT_OK && i < tacit__templates_count(t->templates); i++)
        t->first[i] = tacit__templates_likelihood(t->templates, i);
    return status == TACIT_OK ? tacit__learned_chain(&t->chain, &t->present, err) : status;
}

static tacit_status measure(tacit__learn_measured *out, training *t, tacit__learn_part part,
                            tacit_error *err)
{
    return tacit__collection_measure(out, &t->collection, part, t->scrubber, t->run, err);
}

/* ---- settings ---- */

static tacit_status add_likelihoods(tacit__learned *learned, const training *t, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < tacit__templates_count(t->templates) && status == TACIT_OK; i++) {
        if (t->likelihoods[i] == t->shipped[i])
            continue;
        tacit__learned_template template = {
            .kind = tacit__templates_kind(t->templates, i),
            .likelihood = t->likelihoods[i],
            .text = tacit_strview_of(tacit__templates_text(t->templates, i))};
        status = tacit__learned_add(learned, &template, err);
    }
    return status;
}

/* The text of the settings at hand, with the weights that were learned or those of before. */
static tacit_status write_settings(training *t, bool words, tacit_error *err)
{
    tacit__learned learned = {.threshold = t->result->threshold, .weights = t->present.weights};
    if (words)
        learned.weights = (tacit_strview){t->weights.bytes, t->weights.len};
    tacit_status status = add_likelihoods(&learned, t, err);
    t->text.len = 0;
    if (status == TACIT_OK)
        tacit__learned_write(&t->text, &learned);
    tacit__learned_clear(&learned);
    return status == TACIT_OK && t->text.failed ? tacit__nomem(err) : status;
}

/* The scrubber has just these settings: they are read from the text. */
static tacit_status use_settings(training *t, bool words, tacit_error *err)
{
    tacit__learned learned = {0};
    tacit_status status = write_settings(t, words, err);
    if (status == TACIT_OK)
        status = tacit__learned_read(&learned, (tacit_strview){t->text.bytes, t->text.len}, err);
    if (status == TACIT_OK)
        status = set_up(t, &learned, err);
    tacit__learned_clear(&learned);
    return status;
}

static tacit_status learn_from(training *t, unsigned parts, bool words, tacit_error *err)
{
    tacit__sightings_learn(t->likelihoods, t->sighted, t->first, t->sightings, parts,
                           t->options->prior);
    t->weights.len = 0;
    return words ? tacit__words_learn(&t->weights, &t->collection, parts, t->chain, t->run, err)
                 : TACIT_OK;
}

/* ---- the trial ---- */

/* Thresholds to try, those close to the present one first; only that where the caller has set
 * it. */
static size_t list_thresholds(int *thresholds, const training *t)
{
    int present = t->result->threshold_before;
    size_t count = 0;
    thresholds[count++] = present;
    if (t->options->scrub.threshold != TACIT_SCRUB_LEARNED)
        return count;
    for (int threshold = LOWEST; threshold <= HIGHEST; threshold += STEP) {
        size_t at = count++;
        for (; at > 1 && abs(thresholds[at - 1] - present) > abs(threshold - present); at--)
            thresholds[at] = thresholds[at - 1];
        thresholds[at] = threshold;
    }
    return count;
}

typedef struct trial_best {
    bool any, words;
    int threshold;
    tacit_learn_score score;
} trial_best;

static tacit_status try_settings(trial_best *best, training *t, bool words, tacit_error *err)
{
    int thresholds[CHOICES];
    size_t count = list_thresholds(thresholds, t);
    tacit_status status = use_settings(t, words, err);
    for (size_t i = 0; i < count && status == TACIT_OK; i++) {
        tacit__learn_measured trial;
        tacit__scrubber_adjust(t->scrubber, thresholds[i]);
        status = measure(&trial, t, TACIT__PART_TRIAL, err);
        if (status == TACIT_OK &&
            (!best->any || tacit_learn_better(&trial.score, &best->score, t->options->precision)))
            *best = (trial_best){true, words, thresholds[i], trial.score};
    }
    return status;
}

static tacit_status choose(training *t, tacit_error *err)
{
    trial_best best = {0};
    tacit_status status = learn_from(t, TACIT__PART_LESSONS, true, err);
    if (status == TACIT_OK)
        status = try_settings(&best, t, false, err);
    if (status == TACIT_OK)
        status = try_settings(&best, t, true, err);
    if (status == TACIT_OK) {
        t->result->threshold = best.threshold;
        t->result->words = best.words;
    }
    return status;
}

/* ---- after ---- */

static tacit_status tell_templates(tacit_learned *result, const training *t, tacit_error *err)
{
    size_t count = tacit__templates_count(t->templates);
    result->templates = tacit__alloc_zeroed(count + 1, sizeof *result->templates);
    if (!result->templates)
        return tacit__nomem(err);
    for (size_t i = 0; i < count; i++) {
        const char *text = tacit__templates_text(t->templates, i);
        tacit_learn_template *template = &result->templates[result->template_count++];
        *template = (tacit_learn_template){.kind = tacit__templates_kind(t->templates, i),
                                           .text = tacit__copy_bytes(text, strlen(text)),
                                           .before = t->first[i],
                                           .after = t->likelihoods[i],
                                           .matches = t->sighted[i].matches,
                                           .decided = t->sighted[i].decided,
                                           .right = t->sighted[i].right};
        if (!template->text)
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

static tacit_status tell_labels(tacit_learned *result, const training *t, tacit_error *err)
{
    const tacit__collection *collection = &t->collection;
    result->labels = tacit__alloc_zeroed(collection->label_count, sizeof *result->labels);
    if (!result->labels)
        return tacit__nomem(err);
    for (size_t i = 0; i < collection->label_count; i++) {
        tacit_strview name = collection->labels[i].name;
        tacit_learn_label *label = &result->labels[result->label_count++];
        *label = (tacit_learn_label){.label = tacit__copy_bytes(name.bytes, name.len),
                                     .marks = collection->labels[i].marks,
                                     .personal = t->before.personal[i],
                                     .before = t->before.both[i],
                                     .after = t->after.both[i]};
        if (!label->label)
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

static tacit_status tell(training *t, tacit_error *err)
{
    tacit_learned *result = t->result;
    result->before = t->before.score;
    result->after = t->after.score;
    result->worse = tacit_learn_better(&result->before, &result->after, t->options->precision);
    result->learning = tacit__collection_count(&t->collection, TACIT__PARTS_LEARNING);
    result->held_out = tacit__collection_count(&t->collection, TACIT__PART_HELD_OUT);
    tacit__collection_casing(&result->casing, &t->collection);
    result->text = tacit__copy_bytes(t->text.bytes, t->text.len);
    result->len = t->text.len;
    if (!result->text)
        return tacit__nomem(err);
    tacit_status status = tell_templates(result, t, err);
    return status == TACIT_OK ? tell_labels(result, t, err) : status;
}

/* ---- from beginning to end ---- */

static void clear(training *t)
{
    tacit__collection_clear(&t->collection);
    tacit__learned_clear(&t->present);
    tacit_scrubber_free(t->scrubber);
    tacit__chain_free(t->chain);
    tacit__sightings_free(t->sightings);
    tacit__free(t->shipped);
    tacit__free(t->first);
    tacit__free(t->likelihoods);
    tacit__free(t->sighted);
    tacit__strbuf_clear(&t->weights);
    tacit__strbuf_clear(&t->text);
    tacit_learned_free(t->result);
}

static tacit_status check_options(const tacit_learn_options *options, tacit_error *err)
{
    if (!(options->precision >= 0 && options->precision <= 1))
        return tacit__error(err, TACIT_INVALID, "the precision is %g; it must be from 0 to 1",
                            options->precision);
    if (!(options->prior >= 0 && options->prior <= 1e9))
        return tacit__error(err, TACIT_INVALID,
                            "the prior is worth %g matches; it must be 0 or more", options->prior);
    return TACIT_OK;
}

tacit_status tacit_scrub_learn(tacit_learned **out, const tacit_text_marked *documents,
                               size_t count, const tacit_learn_options *options,
                               const tacit_run *run, tacit_error *err)
{
    training t = {.options = options, .run = run};
    tacit_status status = check_options(options, err);
    if (status == TACIT_OK)
        status = prepare(&t, documents, count, err);
    if (status == TACIT_OK)
        status = measure(&t.before, &t, TACIT__PART_HELD_OUT, err);
    if (status == TACIT_OK)
        status = tacit__sightings_new(&t.sightings, &t.collection, t.templates, run, err);
    if (status == TACIT_OK)
        status = choose(&t, err);
    if (status == TACIT_OK)
        status = learn_from(&t, TACIT__PARTS_LEARNING, t.result->words, err);
    if (status == TACIT_OK)
        status = use_settings(&t, t.result->words, err);
    if (status == TACIT_OK)
        status = measure(&t.after, &t, TACIT__PART_HELD_OUT, err);
    if (status == TACIT_OK)
        status = tell(&t, err);
    if (status == TACIT_OK) {
        *out = t.result;
        t.result = NULL;
    }
    clear(&t);
    return status;
}

void tacit_learned_free(tacit_learned *learned)
{
    if (!learned)
        return;
    for (size_t i = 0; i < learned->label_count; i++)
        tacit__free(learned->labels[i].label);
    for (size_t i = 0; i < learned->template_count; i++)
        tacit__free(learned->templates[i].text);
    tacit__free(learned->labels);
    tacit__free(learned->templates);
    tacit__free(learned->text);
    tacit__free(learned);
}
