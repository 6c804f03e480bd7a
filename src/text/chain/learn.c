/*
 * learn.c - weights from marked text: the likelihood of the labels is raised, stretch
 * by stretch, by steps along its gradient that get smaller for weights that have moved often
 * (AdaGrad, Duchi, Hazan and Singer 2011), in the form that averages gradients and takes a
 * fixed toll of each weight (dual averaging with L1 and L2): what little evidence speaks for stays
 * at the first weights, so that files stay small and small collections do not undo the shipped
 * weights.
 *
 * One thread, an order that the seed decides, sums in that order: the same lessons give the
 * same weights. Memory is four bytes a row and word that is not plain, about 200 a word.
 */
#include "text/chain/learn.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/vector.h"
#include "text/chain/model.h"
#include "text/lexicon/fold.h"

/* ---- tallies ---- */

enum { TALLIED_MAX = 24 }; /* bytes of a word */

void tacit__chain_tally_clear(tacit__chain_tally *tally)
{
    tacit__free(tally->words);
    tacit__numbering_clear(&tally->keys);
    tacit__arena_clear(&tally->names);
    *tally = (tacit__chain_tally){0};
}

/* Whether weights may know the word by itself. */
static bool is_counted(const tacit__word *word)
{
    static const uint32_t names =
        TACIT__LISTED(FIRST) | TACIT__LISTED(FEMALE) | TACIT__LISTED(MALE) | TACIT__LISTED(NICK) |
        TACIT__LISTED(SURNAME) | TACIT__LISTED(CITY) | TACIT__LISTED(PROPER) | TACIT__LISTED(OPENS);
    return word->key != 0 && word->shape != TACIT__SHAPE_DIGITS &&
           word->shape != TACIT__SHAPE_BOTH && word->end - word->start <= TALLIED_MAX &&
           !(word->flags & TACIT__WORD_FOREIGN) &&
           (word->entry.lists == 0 || (word->entry.lists & ~names) != 0);
}

/* The number of a word that is not counted yet. */
static tacit_status add_new(uint32_t *number, tacit__chain_tally *tally, const tacit__word *word,
                            tacit_strview text, tacit_error *err)
{
    tacit__folded folded;
    tacit__text_fold(&folded, text);
    tacit_strview name = tacit__arena_copy(&tally->names, tacit__folded_view(&folded));
    if (!name.bytes || !TACIT__RESERVE_ONE(tally->words, tally->capacity, tally->keys.count))
        return tacit__nomem(err);
    *number = tacit__numbering_add(&tally->keys, word->key);
    if (*number == TACIT__NONE)
        return tacit__nomem(err);
    tally->words[*number] = (tacit__chain_tallied){.name = name};
    return TACIT_OK;
}

static tacit_status count_word(tacit__chain_tally *tally, const tacit__word *word,
                               tacit_strview text, tacit_error *err)
{
    uint32_t number = tacit__numbering_find(&tally->keys, word->key);
    if (number == TACIT__NONE) {
        tacit_status status = add_new(&number, tally, word, text, err);
        if (status != TACIT_OK)
            return status;
    }
    tacit__chain_tallied *found = &tally->words[number];
    found->documents += found->last != tally->documents;
    found->last = tally->documents;
    return TACIT_OK;
}

static void count_ending(tacit__chain_tally *tally, const tacit__word *word, tacit_strview text)
{
    if (word->shape == TACIT__SHAPE_LOWER || text.len <= TACIT__ENDING)
        return;
    int number = tacit__ending_of(text);
    if (number >= 0)
        tally->endings[number]++;
}

tacit_status tacit__chain_tally_add(tacit__chain_tally *tally, const tacit__document *document,
                                    tacit_error *err)
{
    tacit_status status = TACIT_OK;
    tally->documents++;
    for (size_t i = 0; i < document->count && status == TACIT_OK; i++) {
        const tacit__word *word = &document->words[i];
        tacit_strview text = tacit__word_text(document, word);
        count_ending(tally, word, text);
        if (is_counted(word))
            status = count_word(tally, word, text, err);
    }
    return status;
}

tacit_status tacit__chain_tally_settle(tacit__chain *model, const tacit__chain_tally *tally,
                                       uint32_t word_often, uint32_t ending_often, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    uint32_t row;
    for (size_t i = 0; i < tally->keys.count && status == TACIT_OK; i++)
        if (tally->words[i].documents >= word_often)
            status = tacit__chain_know_word(&row, model, tally->words[i].name, err);
    for (int i = 0; i < TACIT__ENDINGS && status == TACIT_OK; i++)
        if (tally->endings[i] >= ending_often)
            status = tacit__chain_know_ending(&row, model, i, err);
    return status;
}

/* ---- the teacher ---- */

/* A word to learn from; its rows lie in the teacher's. */
typedef struct taught {
    size_t rows;
    uint8_t count, label, gap;
} taught;

/* What is known of a row's weights beside themselves. */
typedef struct progress_of {
    tacit__weights first, slope, squares;
} progress_of;

struct tacit__teacher {
    tacit__chain_options options;
    tacit__chain *model; /* its weights are those of the last stretch that had them */
    uint32_t sorts;      /* rows of sorts; words and endings come after them */
    tacit__chain_tally tally;
    tacit__chain_scratch scratch;
    uint32_t *rows;
    size_t row_count, row_capacity;
    taught *words;
    size_t word_count, word_capacity;
    size_t *stretches; /* the first word of each */
    size_t stretch_count, stretch_capacity;
    size_t missed;
    progress_of *progress; /* of each row of the model */
    tacit__chain_step *steps;
    size_t longest;  /* stretch */
    uint64_t chance; /* state of the random numbers */
    double time;     /* stretches learned from, in all rounds */
};

void tacit__chain_options_init(tacit__chain_options *options)
{
    *options = (tacit__chain_options){.rounds = 8,
                                      .step = 0.2,
                                      .toll = 1.5,
                                      .shrink = 0.1,
                                      .forget = 0.2,
                                      .word_often = 12,
                                      .ending_often = 30,
                                      .seed = 1};
}

void tacit__teacher_free(tacit__teacher *teacher)
{
    if (!teacher)
        return;
    tacit__chain_free(teacher->model);
    tacit__chain_tally_clear(&teacher->tally);
    tacit__chain_scratch_clear(&teacher->scratch);
    tacit__free(teacher->rows);
    tacit__free(teacher->words);
    tacit__free(teacher->stretches);
    tacit__free(teacher->progress);
    tacit__free(teacher->steps);
    tacit__free(teacher);
}

/* A chain with the same weights. */
static tacit_status copy_chain(tacit__chain **out, const tacit__chain *model, tacit_error *err)
{
    tacit__strbuf text = {0};
    tacit__strbuf_text(&text, "#\n");
    tacit__chain_write(&text, model);
    tacit_status status =
        text.failed
            ? tacit__nomem(err)
            : tacit__chain_new(out, (tacit_strview){.bytes = text.bytes, .len = text.len}, err);
    tacit__strbuf_clear(&text);
    return status;
}

tacit_status tacit__teacher_new(tacit__teacher **out, const tacit__chain *first,
                                const tacit__chain_options *options, tacit_error *err)
{
    tacit__teacher *teacher = tacit__alloc_zeroed(1, sizeof *teacher);
    if (!teacher)
        return tacit__nomem(err);
    teacher->options = *options;
    teacher->chance = options->seed;
    tacit_status status =
        first ? copy_chain(&teacher->model, first, err) : tacit__chain_empty(&teacher->model, err);
    if (status != TACIT_OK) {
        tacit__teacher_free(teacher);
        return status;
    }
    for (tacit__sort sort = 0; sort < TACIT__SORTS; sort++)
        teacher->sorts += tacit__sort_rows(sort);
    *out = teacher;
    return TACIT_OK;
}

tacit_status tacit__teacher_count(tacit__teacher *teacher, const tacit__document *document,
                                  tacit_error *err)
{
    return tacit__chain_tally_add(&teacher->tally, document, err);
}

tacit_status tacit__teacher_settle(tacit__teacher *teacher, tacit_error *err)
{
    return tacit__chain_tally_settle(teacher->model, &teacher->tally, teacher->options.word_often,
                                     teacher->options.ending_often, err);
}

static tacit_status add_stretch(tacit__teacher *teacher, tacit_error *err)
{
    return TACIT__PUSH(teacher->stretches, teacher->stretch_capacity, teacher->stretch_count,
                       teacher->word_count)
               ? TACIT_OK
               : tacit__nomem(err);
}

static tacit_status add_taught(tacit__teacher *teacher, const tacit__chain_view *view, size_t i,
                               uint8_t label, tacit_error *err)
{
    if (!TACIT__RESERVE_ONE(teacher->words, teacher->word_capacity, teacher->word_count) ||
        !TACIT__RESERVE(teacher->rows, teacher->row_capacity, teacher->row_count + TACIT__EVIDENCE))
        return tacit__nomem(err);
    uint32_t *rows = teacher->rows + teacher->row_count;
    size_t count = tacit__chain_itself(rows, view, i);
    count += tacit__chain_around(rows + count, view, i);
    teacher->words[teacher->word_count++] = (taught){.rows = teacher->row_count,
                                                     .count = (uint8_t)count,
                                                     .label = label,
                                                     .gap = view->traits[i].gap};
    teacher->row_count += count;
    return TACIT_OK;
}

static tacit_status add_view(tacit__teacher *teacher, const tacit__chain_view *view,
                             const uint8_t *labels, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    bool within = false;
    for (size_t i = 0; i < view->document->count && status == TACIT_OK; i++) {
        bool plain = !tacit__bit_get(view->open, (int64_t)i);
        teacher->missed += plain && labels[i] != TACIT__LABEL_OTHER;
        if (!plain && !within)
            status = add_stretch(teacher, err);
        if (!plain && status == TACIT_OK)
            status = add_taught(teacher, view, i, labels[i], err);
        within = !plain;
    }
    return status;
}

tacit_status tacit__teacher_add(tacit__teacher *teacher, const tacit__document *document,
                                const uint8_t *labels, tacit_error *err)
{
    tacit__chain_view view;
    size_t needed = tacit__chain_view_size(document->count);
    if (!tacit__reserve(&teacher->scratch.memory, &teacher->scratch.size, needed, 1))
        return tacit__nomem(err);
    tacit__chain_view_init(&view, teacher->model, document, teacher->scratch.memory, NULL);
    return add_view(teacher, &view, labels, err);
}

static uint64_t draw(tacit__teacher *teacher)
{
    teacher->chance += UINT64_C(0x9E3779B97F4A7C15);
    return tacit__mix(teacher->chance);
}

/* The row's weights as the gradients up to now make them. */
static tacit__weights weights_now(const tacit__teacher *teacher, uint32_t row)
{
    const tacit__chain_options *options = &teacher->options;
    const progress_of *of = &teacher->progress[row];
    double rounds = teacher->time / (double)teacher->stretch_count;
    double toll = options->toll * rounds, pull = options->shrink * rounds;
    tacit__weights weights = of->first;
    for (int i = 0; i < TACIT__NAMED; i++) {
        double left = fabs((double)of->slope[i]) - toll;
        if (left <= 0)
            continue;
        double moved =
            options->step * left / (1e-3 + sqrt((double)of->squares[i]) + options->step * pull);
        weights[i] += (float)(of->slope[i] > 0 ? moved : -moved);
    }
    return weights;
}

static void move(tacit__teacher *teacher, uint32_t row, tacit__weights slope)
{
    teacher->progress[row].slope += slope;
    teacher->progress[row].squares += slope * slope;
}

static uint32_t turn_row(const tacit__teacher *teacher, unsigned gap, unsigned from)
{
    return teacher->model->base[TACIT__SORT_AFTER] + gap * TACIT__LABELS + from;
}

static void refresh_turn(tacit__teacher *teacher, tacit__break gap)
{
    for (unsigned from = 0; from < TACIT__LABELS; from++) {
        uint32_t row = turn_row(teacher, gap, from);
        teacher->model->rows[row] = weights_now(teacher, row);
    }
    tacit__chain_set_turn(teacher->model, gap);
}

/* Whether the row is left out this time; it is told by taking its number away. */
static bool forgets(tacit__teacher *teacher, uint32_t row)
{
    return row >= teacher->sorts &&
           (double)(draw(teacher) >> 40) < teacher->options.forget * (1 << 24);
}

/* Sums up the evidence, with what is left out moved behind *kept. */
static float weigh_taught(tacit__teacher *teacher, const taught *word, uint8_t *kept,
                          tacit__chain_step *step)
{
    uint32_t *rows = teacher->rows + word->rows;
    tacit__weights sum = {0};
    *kept = word->count;
    for (uint8_t i = 0; i < *kept;) {
        uint32_t row = rows[i];
        if (forgets(teacher, row)) {
            rows[i] = rows[--*kept];
            rows[*kept] = row;
            continue;
        }
        teacher->model->rows[row] = weights_now(teacher, row);
        sum += teacher->model->rows[row];
        i++;
    }
    step->gap = word->gap;
    return tacit__step_weigh(step, sum);
}

/* How the likelihood of the label rises with each weight of a row that speaks once. */
static tacit__weights slope_of(bool here, unsigned label, tacit__weights share)
{
    tacit__weights slope = -share;
    if (here && label != TACIT__LABEL_OTHER)
        slope[label - 1] += 1;
    return slope;
}

static void learn_turn(tacit__teacher *teacher, size_t i, const taught *words)
{
    tacit__chain_shares pair[TACIT__LABELS];
    const tacit__chain_step *step = &teacher->steps[i];
    unsigned before = i > 0 ? words[i - 1].label : TACIT__LABEL_OTHER;
    tacit__steps_pair(pair, i > 0 ? step - 1 : NULL, step, &teacher->model->turn[step->gap]);
    for (unsigned from = 0; from < TACIT__LABELS; from++)
        move(teacher, turn_row(teacher, step->gap, from),
             slope_of(from == before, words[i].label, pair[from].named));
}

static void learn_word(tacit__teacher *teacher, const taught *word, const tacit__chain_step *step,
                       uint8_t kept)
{
    tacit__weights slope = slope_of(true, word->label, step->share.named);
    for (uint8_t i = 0; i < kept; i++)
        move(teacher, teacher->rows[word->rows + i], slope);
}

/* The labels' score by the weights that the steps were made with, as a logarithm. */
static double score_of(const tacit__teacher *teacher, const taught *words, size_t count)
{
    double score = 0;
    unsigned before = TACIT__LABEL_OTHER;
    for (size_t i = 0; i < count; i++) {
        const tacit__chain_step *step = &teacher->steps[i];
        if (words[i].label != TACIT__LABEL_OTHER)
            score += log((double)teacher->model->turn[step->gap].to[before][words[i].label - 1]);
        score += log((double)tacit__share_of(&step->factor, words[i].label) + 1e-30);
        before = words[i].label;
    }
    return score;
}

/* Learns from a stretch; minus the logarithm of its labels' likelihood. */
static double learn_stretch(tacit__teacher *teacher, size_t number, uint8_t *kept)
{
    const taught *words = teacher->words + teacher->stretches[number];
    size_t count = teacher->stretches[number + 1] - teacher->stretches[number];
    double all;
    for (size_t i = 0; i < count; i++) {
        refresh_turn(teacher, (tacit__break)words[i].gap);
        weigh_taught(teacher, &words[i], &kept[i], &teacher->steps[i]);
    }
    tacit__steps_pass(teacher->steps, count, teacher->model->turn, &all);
    double loss = all - score_of(teacher, words, count);
    teacher->time++;
    for (size_t i = 0; i < count; i++) {
        learn_word(teacher, &words[i], &teacher->steps[i], kept[i]);
        learn_turn(teacher, i, words);
    }
    return loss;
}

static void shuffle(tacit__teacher *teacher, size_t *order)
{
    for (size_t i = 0; i < teacher->stretch_count; i++)
        order[i] = i;
    for (size_t i = teacher->stretch_count; i > 1; i--) {
        size_t other = (size_t)(draw(teacher) % i), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
}

/* All rounds, with memory for the order and for how many rows of each word are kept. */
static void learn_rounds(tacit__lessons *lessons, tacit__teacher *teacher, size_t *order,
                         uint8_t *kept)
{
    for (int round = 0; round < teacher->options.rounds; round++) {
        double loss = 0;
        shuffle(teacher, order);
        for (size_t i = 0; i < teacher->stretch_count; i++)
            loss += learn_stretch(teacher, order[i], kept);
        lessons->ended = teacher->word_count > 0 ? loss / (double)teacher->word_count : 0;
        if (round == 0)
            lessons->started = lessons->ended;
    }
    for (size_t row = 0; row < teacher->model->row_count && teacher->stretch_count > 0; row++)
        teacher->model->rows[row] = weights_now(teacher, (uint32_t)row);
}

/* The end of the last stretch, the longest one's length, and memory for learning. */
static tacit_status prepare(tacit__teacher *teacher, tacit_error *err)
{
    tacit_status status = add_stretch(teacher, err);
    if (status != TACIT_OK)
        return status;
    teacher->stretch_count--;
    for (size_t i = 0; i < teacher->stretch_count; i++) {
        size_t length = teacher->stretches[i + 1] - teacher->stretches[i];
        teacher->longest = length > teacher->longest ? length : teacher->longest;
    }
    tacit__free(teacher->progress);
    tacit__free(teacher->steps);
    teacher->progress = tacit__alloc_zeroed(teacher->model->row_count, sizeof *teacher->progress);
    teacher->steps = tacit__alloc_array(teacher->longest, sizeof *teacher->steps);
    if (!teacher->progress || !teacher->steps)
        return tacit__nomem(err);
    for (size_t row = 0; row < teacher->model->row_count; row++)
        teacher->progress[row].first = teacher->model->rows[row];
    teacher->time = 0;
    return TACIT_OK;
}

tacit_status tacit__teacher_learn(tacit__lessons *lessons, tacit__teacher *teacher,
                                  tacit_error *err)
{
    tacit_status status = prepare(teacher, err);
    if (status != TACIT_OK)
        return status;
    size_t *order = tacit__alloc_array(teacher->stretch_count, sizeof *order);
    uint8_t *kept = tacit__alloc_array(teacher->longest, sizeof *kept);
    if (!order || !kept)
        status = tacit__nomem(err);
    else {
        *lessons = (tacit__lessons){.words = teacher->word_count, .missed = teacher->missed};
        learn_rounds(lessons, teacher, order, kept);
    }
    tacit__free(order);
    tacit__free(kept);
    return status;
}

tacit_status tacit__teacher_write(tacit__strbuf *out, const tacit__teacher *teacher,
                                  tacit_error *err)
{
    tacit__chain_write(out, teacher->model);
    return out->failed ? tacit__nomem(err) : TACIT_OK;
}
