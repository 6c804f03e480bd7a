/*
 * scrub.c - the way of a piece through the room: words, proposals of all detectors, the
 * arbiter's verdicts, postings and a second round where they add any, replacement.
 *
 *   templates  what has a form: numbers, dates, addresses in the net   (Figure 113)
 *   words      names, places, organizations: the chain and its runs    (Figure 111)
 *   blocks     entities made of others raise one another
 *   special    what must not be taken for a name
 *   days       days of a month that dates beside them tell; weekdays beside dates
 *   hours      times that entries begin with
 *   signed     initials that an entry ends with
 *   alphabets  names in letters that the text is not written in
 *   known      what the data holder knows already
 *   postings   what the document has made known                        (section 9.3)
 *
 * Short documents can be read ahead: each of these steps for some of them before the next step, up
 * to replacement. The code of all steps is more than the processor's nearest cache holds; letters
 * of 600 bytes missed it 1.5 times a byte one by one, and 0.2 times together (callgrind, 32 KB).
 *
 * Memory belongs to the reader and is used again from piece to piece, so it does not
 * depend on how long a document is. Cost: linear in the text.
 */
#include "text/scrub/scrub.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "text/detect/detect.h"
#include "text/detect/postings.h"
#include "text/known/known.h"
#include "text/learn/learned.h"
#include "text/lexicon/recall.h"
#include "text/read/document.h"
#include "text/read/forms.h"
#include "text/read/parts.h"
#include "text/read/unread.h"
#include "text/replace/replace.h"
#include "text/scrub/arbiter.h"

struct tacit_scrubber {
    tacit_scrub_options options;
    bool titles; /* are of use */
    int calm;    /* percent: how far doubt counts */
    tacit__templates *templates;
    tacit__chain *chain;
    tacit__known *known;
};

/* A piece as it was read: its words, what detectors propose, and the arbiter's verdicts. */
typedef struct reading {
    tacit__document document;
    tacit__proposals proposals;
    tacit__arbiter arbiter;
} reading;

/* Documents that are read ahead: so many, of so many bytes in all. */
enum { AHEAD = 128, AHEAD_BYTES = 1 << 16 };

struct tacit_scrub_reader {
    const tacit_scrubber *scrubber;
    tacit__matcher *matcher;
    tacit__chain_scratch scratch;
    tacit__opinion *opinions;
    size_t opinion_capacity;
    reading own;           /* of a piece that was not read ahead */
    reading *ahead;        /* AHEAD of them, or NULL */
    size_t next, readings; /* the next of those there are */
    const reading *at;     /* of the piece at hand */
    tacit__postings *postings;
    int doubt; /* of the document, as far as it was read */
    tacit__disguise *disguise;
    tacit__strbuf text;
    tacit_text_span *spans;
    size_t span_count, span_capacity;
    struct tacit_text_replaced *replaced;
    size_t replaced_capacity;
    tacit_text_proposal *told;
    size_t told_capacity;
    uint64_t offset; /* of the piece in its document */
};

void tacit_scrub_options_init(tacit_scrub_options *options)
{
    *options = (tacit_scrub_options){.threshold = TACIT_SCRUB_LEARNED, .special = true};
    options->strategy[TACIT_TEXT_DATE] = TACIT_TEXT_SHIFT;
    options->strategy[TACIT_TEXT_TITLE] = TACIT_TEXT_KEEP;
}

/* Who asks for more than usual gets guesses too, in any text: the lower a threshold, the less doubt
 * counts. One that was learned asks for nothing. */
static int calm_at(int threshold)
{
    enum { EAGER = 50, STEP = 100 / (TACIT_SCRUB_THRESHOLD - EAGER) };
    if (threshold == TACIT_SCRUB_LEARNED || threshold >= TACIT_SCRUB_THRESHOLD)
        return 100;
    return threshold <= EAGER ? 0 : STEP * (threshold - EAGER);
}

/* Templates and words as they were learned, and the threshold unless the caller has one. */
static tacit_status equip(tacit_scrubber *scrubber, const tacit__learned *learned, bool all,
                          tacit_error *err)
{
    tacit_scrub_options *options = &scrubber->options;
    scrubber->calm = calm_at(options->threshold);
    if (options->threshold == TACIT_SCRUB_LEARNED)
        options->threshold = learned->threshold;
    if (options->threshold == TACIT_SCRUB_LEARNED)
        options->threshold = TACIT_SCRUB_THRESHOLD;
    scrubber->titles = options->explain || options->strategy[TACIT_TEXT_TITLE] != TACIT_TEXT_KEEP;
    tacit_status status = tacit__templates_read(&scrubber->templates, options->templates, err);
    if (status == TACIT_OK)
        status = tacit__learned_apply(scrubber->templates, learned, err);
    if (status == TACIT_OK)
        status = tacit__templates_link(scrubber->templates, all ? 0 : options->threshold, err);
    if (status == TACIT_OK)
        status = tacit__learned_chain(&scrubber->chain, learned, err);
    if (status == TACIT_OK)
        status = tacit__known_new(&scrubber->known, options, err);
    return status;
}

static tacit_status make_scrubber(tacit_scrubber **out, const tacit_scrub_options *options,
                                  bool all, tacit_error *err)
{
    tacit__learned learned;
    if (options->threshold < TACIT_SCRUB_LEARNED || options->threshold > 100)
        return tacit__error(err, TACIT_INVALID, "the threshold is %d; it must be from 0 to 100",
                            options->threshold);
    tacit_scrubber *scrubber = tacit__alloc_zeroed(1, sizeof *scrubber);
    if (!scrubber)
        return tacit__nomem(err);
    scrubber->options = *options;
    tacit_status status = tacit__learned_read(&learned, options->weights, err);
    if (status == TACIT_OK)
        status = equip(scrubber, &learned, all, err);
    tacit__learned_clear(&learned);
    if (status != TACIT_OK) {
        tacit_scrubber_free(scrubber);
        return status;
    }
    *out = scrubber;
    return TACIT_OK;
}

/* All that is proposed counts only where somebody is told of it. */
tacit_status tacit_scrubber_new(tacit_scrubber **out, const tacit_scrub_options *options,
                                tacit_error *err)
{
    return make_scrubber(out, options, options->explain, err);
}

tacit_status tacit__scrubber_new_adjustable(tacit_scrubber **out,
                                            const tacit_scrub_options *options, tacit_error *err)
{
    return make_scrubber(out, options, true, err);
}

int tacit_scrubber_threshold(const tacit_scrubber *scrubber)
{
    return scrubber->options.threshold;
}

tacit__templates *tacit__scrubber_templates(tacit_scrubber *scrubber)
{
    return scrubber->templates;
}

void tacit__scrubber_adjust(tacit_scrubber *scrubber, int threshold)
{
    scrubber->options.threshold = threshold;
}

void tacit__scrubber_rethink(tacit_scrubber *scrubber, tacit__chain *chain)
{
    tacit__chain_free(scrubber->chain);
    scrubber->chain = chain;
}

void tacit_scrubber_free(tacit_scrubber *scrubber)
{
    if (!scrubber)
        return;
    tacit__templates_free(scrubber->templates);
    tacit__chain_free(scrubber->chain);
    tacit__known_free(scrubber->known);
    sodium_memzero(scrubber, sizeof *scrubber); /* the data holder's key */
    tacit__free(scrubber);
}

tacit_status tacit_scrub_reader_new(tacit_scrub_reader **out, const tacit_scrubber *scrubber,
                                    tacit_error *err)
{
    tacit_scrub_reader *reader = tacit__alloc_zeroed(1, sizeof *reader);
    if (!reader)
        return tacit__nomem(err);
    reader->scrubber = scrubber;
    tacit_status status = tacit__matcher_new(&reader->matcher, scrubber->templates, err);
    if (status == TACIT_OK)
        status = tacit__postings_new(&reader->postings, err);
    if (status == TACIT_OK)
        status = tacit__disguise_new(&reader->disguise, err);
    if (status != TACIT_OK) {
        tacit_scrub_reader_free(reader);
        return status;
    }
    tacit_scrub_begin(reader, 0);
    *out = reader;
    return TACIT_OK;
}

static void reading_clear(reading *of)
{
    tacit__document_clear(&of->document);
    tacit__proposals_clear(&of->proposals);
    tacit__arbiter_clear(&of->arbiter);
}

void tacit_scrub_reader_free(tacit_scrub_reader *reader)
{
    if (!reader)
        return;
    tacit__matcher_free(reader->matcher);
    tacit__chain_scratch_clear(&reader->scratch);
    for (size_t i = 0; reader->ahead && i < AHEAD; i++) {
        reader->ahead[i].document.habits = NULL; /* own's */
        reading_clear(&reader->ahead[i]);
    }
    tacit__free(reader->ahead);
    reading_clear(&reader->own);
    tacit__postings_free(reader->postings);
    tacit__disguise_free(reader->disguise);
    tacit__strbuf_clear(&reader->text);
    tacit__free(reader->opinions);
    tacit__free(reader->spans);
    tacit__free(reader->replaced);
    tacit__free(reader->told);
    tacit__free(reader);
}

static void begin(tacit_scrub_reader *reader)
{
    reader->offset = 0;
    reader->doubt = 100;
    tacit__postings_begin(reader->postings);
}

void tacit_scrub_begin(tacit_scrub_reader *reader, uint64_t number)
{
    begin(reader);
    tacit__disguise_begin(reader->disguise, &reader->scrubber->options, number);
}

void tacit_scrub_begin_beside(tacit_scrub_reader *reader, uint64_t number)
{
    begin(reader);
    tacit__disguise_begin_beside(reader->disguise, &reader->scrubber->options, number);
}

void tacit_scrub_subject(tacit_scrub_reader *reader, tacit_strview subject)
{
    tacit__disguise_subject(reader->disguise, subject);
}

/* Detectors that go by what the chain thinks of words. */
typedef tacit_status by_opinions(tacit__proposals *proposals, const tacit__document *document,
                                 const tacit__opinion *opinions, tacit_error *err);

static by_opinions *const of_words[] = {
    tacit__runs_propose,    tacit__called_propose,  tacit__told_propose,
    tacit__plurals_propose, tacit__special_propose, tacit__blocks_propose,
};

/* And those that go by what templates found, or by where words stand. */
typedef tacit_status by_proposals(tacit__proposals *proposals, const tacit__document *document,
                                  tacit_error *err);

static by_proposals *const of_forms[] = {
    tacit__aged_propose,   tacit__days_propose,      tacit__hours_propose,
    tacit__signed_propose, tacit__alphabets_propose, tacit__weekdays_propose,
};

/* What the chain thinks of each word, and what follows from it. */
static tacit_status judge_words(reading *of, tacit_scrub_reader *reader, tacit_error *err)
{
    const tacit__document *document = &of->document;
    tacit__proposals *proposals = &of->proposals;
    if (!TACIT__RESERVE_ONE(reader->opinions, reader->opinion_capacity, document->count))
        return tacit__nomem(err);
    tacit_status status = tacit__chain_judge(reader->opinions, reader->scrubber->chain, document,
                                             &reader->scratch, err);
    for (size_t i = 0; i < sizeof of_words / sizeof of_words[0] && status == TACIT_OK; i++)
        status = of_words[i](proposals, document, reader->opinions, err);
    for (size_t i = 0; i < sizeof of_forms / sizeof of_forms[0] && status == TACIT_OK; i++)
        status = of_forms[i](proposals, document, err);
    if (status == TACIT_OK)
        status = tacit__known_propose(proposals, reader->scrubber->known, document, err);
    return status;
}

static tacit_status match_templates(reading *of, tacit_scrub_reader *reader, tacit_error *err)
{
    of->proposals.count = of->proposals.noted_count = 0;
    of->proposals.least = reader->scrubber->options.threshold;
    of->proposals.titles = reader->scrubber->titles;
    of->proposals.all = reader->scrubber->options.explain;
    return tacit__templates_propose_in(&of->proposals, reader->matcher, &of->document, err);
}

/* What a piece has shown holds for those behind it. */
static void settle_doubt(tacit_scrub_reader *reader, const reading *of)
{
    int doubt = tacit__doubt(&of->proposals, of->document.count);
    if (doubt < reader->doubt)
        reader->doubt = doubt;
}

/* What was found is posted; if that makes other words names, it is decided again. */
static tacit_status decide_on(reading *of, tacit_scrub_reader *reader, tacit_error *err)
{
    const tacit_scrub_options *options = &reader->scrubber->options;
    settle_doubt(reader, of);
    const tacit__scrub_hearing hearing = {.threshold = options->threshold,
                                          .special = options->special,
                                          .doubt = reader->doubt * reader->scrubber->calm / 100};
    tacit_strview text = of->document.text;
    size_t before = of->proposals.count;
    tacit_status status = tacit__arbitrate(&of->arbiter, &of->proposals, text, hearing, err);
    if (status != TACIT_OK)
        return status;
    tacit__postings_post(reader->postings, &of->proposals, &of->document);
    status = tacit__postings_propose(&of->proposals, reader->postings, &of->document, err);
    if (status == TACIT_OK && of->proposals.count > before)
        status = tacit__arbitrate_again(&of->arbiter, &of->proposals, before, text, hearing, err);
    return status;
}

/* All detectors and the arbiter. */
static tacit_status read_piece(reading *of, tacit_scrub_reader *reader, tacit_strview text,
                               tacit_error *err)
{
    tacit_status status = tacit__document_read(&of->document, text, err);
    if (status == TACIT_OK)
        status = match_templates(of, reader, err);
    if (status == TACIT_OK)
        status = judge_words(of, reader, err);
    return status == TACIT_OK ? decide_on(of, reader, err) : status;
}

static tacit_status reserve_reader(tacit_scrub_reader *reader, tacit_error *err)
{
    size_t needed = reader->at->arbiter.count + 1;
    if (!TACIT__RESERVE(reader->spans, reader->span_capacity, needed) ||
        !TACIT__RESERVE(reader->replaced, reader->replaced_capacity, needed))
        return tacit__nomem(err);
    return TACIT_OK;
}

/* The proposal that a verdict is for. */
static const tacit__proposal *winner_of(const reading *of, const tacit__scrub_verdict *verdict)
{
    return &of->proposals.items[verdict->by];
}

static bool is_replaced(const tacit_scrub_reader *reader, const tacit__scrub_verdict *verdict)
{
    tacit_text_kind kind = (tacit_text_kind)winner_of(reader->at, verdict)->kind;
    return kind < TACIT_TEXT_KEPT && reader->scrubber->options.strategy[kind] != TACIT_TEXT_KEEP;
}

static tacit_strview verdict_text(const reading *of, const tacit__scrub_verdict *verdict)
{
    return (tacit_strview){.bytes = of->document.text.bytes + verdict->start,
                           .len = verdict->end - verdict->start};
}

/* Asks for what the replacement of a verdict further on will need. */
static void expect(const tacit_scrub_reader *reader, size_t number)
{
    const reading *of = reader->at;
    if (number >= of->arbiter.count)
        return;
    const tacit__scrub_verdict *verdict = &of->arbiter.verdicts[number];
    tacit__replace_expect(reader->disguise, (tacit_text_kind)winner_of(of, verdict)->kind,
                          verdict_text(of, verdict));
}

/* The letters that a name's plural ends with: "the Westons". */
static size_t plural_end(const tacit__proposal *winner)
{
    return winner->rule == tacit__plural_es ? 2 : winner->rule == tacit__plural_s ? 1 : 0;
}

/* Puts the plural of what stands for the name: it ends as that one does. */
static tacit_status replace_plural(tacit_scrub_reader *reader, tacit_strview text, size_t end,
                                   tacit_error *err)
{
    tacit__strbuf *out = &reader->text;
    bool capitals = text.bytes[text.len - 1] == 'S';
    tacit_strview name = {.bytes = text.bytes, .len = text.len - end};
    tacit_status status = tacit__replace(out, reader->disguise, &reader->scrubber->options,
                                         TACIT_TEXT_LAST_NAME, name, err);
    if (status != TACIT_OK || out->len == 0)
        return status;
    bool hisses = memchr("sxzSXZ", out->bytes[out->len - 1], 6) != NULL;
    tacit__strbuf_text(out, capitals ? hisses ? "ES" : "S" : hisses ? "es" : "s");
    return TACIT_OK;
}

/* first is the first word that begins with the verdict's text or behind it. */
static tacit_status replace_one(tacit_scrub_reader *reader, const tacit__scrub_verdict *verdict,
                                size_t first, tacit_error *err)
{
    const tacit__proposal *winner = winner_of(reader->at, verdict);
    tacit_text_kind kind = (tacit_text_kind)winner->kind;
    size_t start = reader->text.len, end = plural_end(winner);
    bool guess = winner->alone > 0 && winner->likelihood < TACIT__SURE;
    tacit_strview text = verdict_text(reader->at, verdict);
    const tacit_scrub_options *options = &reader->scrubber->options;
    tacit_status status;
    if (end > 0 && options->strategy[kind] == TACIT_TEXT_MAKE_UP && text.len > end)
        status = replace_plural(reader, text, end, err);
    else
        status = (guess ? tacit__replace_guess
                        : tacit__replace_words)(&reader->text, reader->disguise, options, kind,
                                                text, &reader->at->document, first, err);
    reader->replaced[reader->span_count] =
        (struct tacit_text_replaced){.start = start, .end = reader->text.len};
    reader->spans[reader->span_count++] =
        (tacit_text_span){.start = reader->offset + verdict->start,
                          .end = reader->offset + verdict->end,
                          .kind = kind,
                          .likelihood = winner->likelihood};
    return status;
}

static bool is_date(const reading *of, const tacit__scrub_verdict *verdict)
{
    return winner_of(of, verdict)->kind == TACIT_TEXT_DATE;
}

/* The first day with a year, for those before it that have none. */
static void foresee_year(tacit_scrub_reader *reader)
{
    const reading *of = reader->at;
    bool found = tacit__disguise_has_year(reader->disguise);
    for (size_t i = 0; i < of->arbiter.count && !found; i++) {
        const tacit__scrub_verdict *verdict = &of->arbiter.verdicts[i];
        if (is_date(of, verdict))
            found = tacit__disguise_foresee(reader->disguise, verdict_text(of, verdict));
    }
}

/* A date right behind this one has the year of both: "May 3 to May 5, 2021". */
static void foresee_next(tacit_scrub_reader *reader, size_t number)
{
    enum { RIGHT_BEHIND = 12 }; /* bytes: " through " and a bracket */
    const reading *of = reader->at;
    const tacit__scrub_verdict *verdict = &of->arbiter.verdicts[number], *next = verdict + 1;
    if (number + 1 < of->arbiter.count && is_date(of, verdict) && is_date(of, next) &&
        next->start - verdict->end <= RIGHT_BEHIND)
        tacit__disguise_foresee(reader->disguise, verdict_text(of, next));
}

/* Verdicts from one that is asked for to the one at hand. */
enum { SOON = 6 };

/* The text with every span replaced, and all else as it was. */
static tacit_status rewrite(tacit_scrub_reader *reader, tacit_error *err)
{
    const tacit__document *document = &reader->at->document;
    const tacit__arbiter *arbiter = &reader->at->arbiter;
    tacit_strview text = document->text;
    size_t at = 0;
    reader->text.len = 0;
    reader->span_count = 0;
    tacit_status status = reserve_reader(reader, err);
    if (status == TACIT_OK)
        status = tacit__disguise_avoid(reader->disguise, document, err);
    foresee_year(reader);
    for (size_t i = 0; i < arbiter->count && status == TACIT_OK; i++) {
        const tacit__scrub_verdict *verdict = &arbiter->verdicts[i];
        expect(reader, i + SOON);
        if (!is_replaced(reader, verdict))
            continue;
        foresee_next(reader, i);
        tacit__put(&reader->text,
                   (tacit_strview){.bytes = text.bytes + at, .len = verdict->start - at});
        status = replace_one(reader, verdict, tacit__document_at(document, verdict->start), err);
        at = verdict->end;
    }
    tacit__strbuf_add(&reader->text, text.bytes + at, text.len - at);
    return status == TACIT_OK && reader->text.failed ? tacit__nomem(err) : status;
}

static int span_order(const void *a, const void *b)
{
    const tacit_text_proposal *one = a, *other = b;
    if (one->start != other->start)
        return one->start < other->start ? -1 : 1;
    if (one->end != other->end)
        return one->end < other->end ? -1 : 1;
    return (int)one->kind - (int)other->kind;
}

/* Those that had a say, and those that were left out. */
static size_t told_count(const tacit__proposals *proposals)
{
    return proposals->count + proposals->noted_count;
}

static tacit_status tell(tacit_scrub_reader *reader, tacit_error *err)
{
    const tacit__proposals *proposals = &reader->at->proposals;
    size_t count = told_count(proposals);
    if (!TACIT__RESERVE_ONE(reader->told, reader->told_capacity, count))
        return tacit__nomem(err);
    for (size_t i = 0; i < count; i++) {
        const tacit__proposal *from =
            i < proposals->count ? &proposals->items[i] : &proposals->noted[i - proposals->count];
        reader->told[i] = (tacit_text_proposal){.start = reader->offset + from->start,
                                                .end = reader->offset + from->end,
                                                .kind = (tacit_text_kind)from->kind,
                                                .within = (tacit_text_kind)from->within,
                                                .likelihood = from->likelihood,
                                                .fate = (tacit_text_fate)from->fate,
                                                .detector = from->detector,
                                                .rule = from->rule};
    }
    qsort(reader->told, count, sizeof *reader->told, span_order);
    return TACIT_OK;
}

static void hand_out(tacit_scrubbed *out, const tacit_scrub_reader *reader)
{
    bool explain = reader->scrubber->options.explain;
    *out = (tacit_scrubbed){
        .text = {.bytes = reader->text.bytes, .len = reader->text.len},
        .spans = reader->spans,
        .span_count = reader->span_count,
        .replaced = reader->replaced,
        .proposals = explain ? reader->told : NULL,
        .proposal_count = explain ? told_count(&reader->at->proposals) : 0,
        .format = reader->at->document.format,
        .words = &reader->at->document,
    };
}

/* Refuses what is not read as it is meant, unless that is accepted. */
static tacit_status check_read(tacit__unread *unread, const tacit_scrub_reader *reader,
                               tacit_error *err)
{
    tacit__unread_find(unread, &reader->at->document, reader->offset == 0);
    if (unread->reasons == 0 || reader->scrubber->options.accept_unread)
        return TACIT_OK;
    tacit_text_unread reason = (tacit_text_unread)__builtin_ctz(unread->reasons);
    return tacit__error(
        err, TACIT_PARSE,
        "%s (at byte %llu of the text): personal information in it would not be found",
        tacit_text_unread_why(reason),
        (unsigned long long)(reader->offset + unread->at[reason] + 1));
}

/* How many of the texts are read ahead: those of one piece that there is room for. */
static size_t count_ahead(const tacit_strview *texts, size_t count)
{
    size_t bytes = 0, i = 0;
    for (; i < count && i < AHEAD && texts[i].len <= AHEAD_BYTES - bytes; i++)
        bytes += texts[i].len;
    return i;
}

static tacit_status prepare_ahead(tacit_scrub_reader *reader, tacit_error *err)
{
    if (!reader->ahead)
        reader->ahead = tacit__alloc_zeroed(AHEAD, sizeof *reader->ahead);
    if (!reader->own.document.habits)
        reader->own.document.habits = tacit__habits_new();
    if (!reader->ahead || !reader->own.document.habits)
        return tacit__nomem(err);
    for (size_t i = 0; i < AHEAD; i++)
        reader->ahead[i].document.habits = reader->own.document.habits;
    return TACIT_OK;
}

tacit_status tacit_scrub_ahead(size_t *taken, tacit_scrub_reader *reader,
                               const tacit_strview *texts, size_t count, tacit_error *err)
{
    reading *ahead;
    reader->next = reader->readings = 0;
    count = count_ahead(texts, count);
    tacit_status status = prepare_ahead(reader, err);
    ahead = reader->ahead;
    for (size_t i = 0; i < count && status == TACIT_OK; i++)
        status = tacit__document_read(&ahead[i].document, texts[i], err);
    for (size_t i = 0; i < count && status == TACIT_OK; i++)
        status = match_templates(&ahead[i], reader, err);
    for (size_t i = 0; i < count && status == TACIT_OK; i++)
        status = judge_words(&ahead[i], reader, err);
    for (size_t i = 0; i < count && status == TACIT_OK; i++) {
        reader->doubt = 100;
        tacit__postings_begin(reader->postings);
        status = decide_on(&ahead[i], reader, err);
    }
    if (status == TACIT_OK)
        *taken = reader->readings = count;
    return status;
}

/* The reading of a document that was read ahead, or NULL. Whoever scrubs another than the next
 * one, but for empty ones, does not go by what was read ahead. */
static const reading *find_ahead(tacit_scrub_reader *reader, tacit_strview text)
{
    while (reader->next < reader->readings && reader->ahead[reader->next].document.text.len == 0 &&
           text.len > 0)
        reader->next++;
    if (reader->next >= reader->readings)
        return NULL;
    const reading *of = &reader->ahead[reader->next++];
    if (reader->offset == 0 && of->document.text.bytes == text.bytes &&
        of->document.text.len == text.len)
        return of;
    reader->readings = 0;
    return NULL;
}

tacit_status tacit_scrub_piece(tacit_scrubbed *out, size_t *consumed, tacit_scrub_reader *reader,
                               tacit_strview text, bool last, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    tacit__unread unread;
    size_t len = tacit__piece_end(text, TACIT_SCRUB_PIECE, last);
    tacit_strview piece = {.bytes = text.bytes, .len = len};
    reader->at = find_ahead(reader, piece);
    if (!reader->at) {
        reader->at = &reader->own;
        status = read_piece(&reader->own, reader, piece, err);
    }
    if (status == TACIT_OK)
        status = check_read(&unread, reader, err);
    if (status == TACIT_OK && unread.reasons >> TACIT_UNREAD_LANGUAGE & 1)
        tacit__disguise_language(reader->disguise, &reader->at->document);
    if (status == TACIT_OK)
        status = rewrite(reader, err);
    if (status == TACIT_OK && reader->scrubber->options.explain)
        status = tell(reader, err);
    if (status != TACIT_OK)
        return status;
    reader->offset += len;
    *consumed = len;
    hand_out(out, reader);
    out->unread = unread.reasons;
    return TACIT_OK;
}
