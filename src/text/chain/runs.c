/*
 * runs.c - cuts the words of a document into runs by what the chain says of them. A run has
 * one label, and nothing between its words that parts such things: a street goes over a comma,
 * a name does not, but for "Long, Marjorie". In delimited text a run ends with its field.
 *
 * Cost: a step a word.
 */
#include "text/chain/runs.h"

#include "base/ascii.h"
#include "base/bitset.h"
#include "text/read/forms.h"

typedef tacit_status (*propose_fn)(tacit__proposals *proposals, const tacit__run_of_words *run,
                                   tacit_error *err);

static const struct {
    propose_fn propose;
    unsigned parts; /* gaps that end a run */
} families[TACIT__LABELS] = {
    [TACIT__LABEL_PERSON] = {tacit__propose_name, TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH |
                                                      TACIT__GAP_END | TACIT__GAP_COLON |
                                                      TACIT__GAP_SLASH | TACIT__GAP_BRACKET |
                                                      TACIT__GAP_AT | TACIT__GAP_OTHER},
    [TACIT__LABEL_PLACE] = {tacit__propose_place,
                            TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH | TACIT__GAP_END |
                                TACIT__GAP_COLON | TACIT__GAP_COMMA | TACIT__GAP_SLASH |
                                TACIT__GAP_BRACKET | TACIT__GAP_QUOTE | TACIT__GAP_OTHER},
    [TACIT__LABEL_STREET] = {tacit__propose_street, TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH |
                                                        TACIT__GAP_END | TACIT__GAP_COLON |
                                                        TACIT__GAP_QUOTE | TACIT__GAP_BRACKET},
    [TACIT__LABEL_ORGANIZATION] = {tacit__propose_organization,
                                   TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH | TACIT__GAP_END |
                                       TACIT__GAP_COLON | TACIT__GAP_BRACKET | TACIT__GAP_QUOTE},
};

tacit__label tacit__run_label(const tacit__opinion *opinion)
{
    int best = TACIT__LABEL_PERSON;
    if (100 - opinion->of[TACIT__LABEL_OTHER] < TACIT__RUN_FLOOR)
        return TACIT__LABEL_OTHER;
    for (int label = best + 1; label < TACIT__LABELS; label++)
        if (opinion->of[label] > opinion->of[best])
            best = label;
    return (tacit__label)best;
}

/* "Long. He": a stop ends a run unless what is before it is an initial or an abbreviation;
 * streets are full of those ("Oak St. Apt. 3"). */
static bool is_parted(const tacit__document *document, size_t word, tacit__label label)
{
    enum { DELIMITERS = TACIT__GAP_COLON | TACIT__GAP_OTHER }; /* a semicolon, a bar */
    const tacit__word *here = &document->words[word];
    if (document->format == TACIT_TEXT_DELIMITED && here->before & DELIMITERS)
        return true;
    return here->flags & TACIT__WORD_COLUMN || here->before & families[label].parts ||
           (here->flags & TACIT__WORD_SENTENCE && label != TACIT__LABEL_STREET);
}

/* Words that only hyphens make a part of it do not count. */
int tacit__run_mean(const tacit__run_of_words *run, size_t first, size_t last)
{
    int sum = 0, count = 0;
    for (size_t i = first; i <= last; i++) {
        bool bridge = i > first && run->document->words[i].before == TACIT__GAP_HYPHEN &&
                      tacit__run_word(run, i) < TACIT__RUN_FLOOR;
        sum += bridge ? 0 : tacit__run_word(run, i);
        count += !bridge;
    }
    return sum / count;
}

size_t tacit__run_end(const tacit__run_of_words *run)
{
    static const tacit__listed_word apart[] = {"based", "born",  "bound", "funded",  "led",
                                               "like",  "owned", "run",   "related", "style",
                                               "type",  "wide",  "and",   "or",      ""};
    const tacit__document *document = run->document;
    const tacit__word *next = &document->words[run->last + 1];
    bool joined = run->last + 1 < document->count && next->before == TACIT__GAP_HYPHEN &&
                  next->shape == TACIT__SHAPE_LOWER && !tacit__word_is_among(document, next, apart);
    return run->last + joined;
}

tacit_status tacit__run_propose_within(tacit__proposals *proposals, const tacit__run_of_words *run,
                                       size_t first, size_t last, tacit_text_kind kind,
                                       tacit_text_kind within, int likelihood, const char *rule,
                                       tacit_error *err)
{
    const tacit__proposal proposal = {.kind = (uint8_t)kind,
                                      .within = (uint8_t)within,
                                      .likelihood = (uint8_t)likelihood,
                                      .alone = run->alone,
                                      .detector = "words",
                                      .rule = rule};
    return tacit__propose_words(proposals, run->document, first, last, proposal, err);
}

tacit_status tacit__run_propose(tacit__proposals *proposals, const tacit__run_of_words *run,
                                size_t first, size_t last, tacit_text_kind kind, int likelihood,
                                const char *rule, tacit_error *err)
{
    return tacit__run_propose_within(proposals, run, first, last, kind, kind, likelihood, rule,
                                     err);
}

/* Which of at most 64 words are a part of something, a bit each. */
static uint64_t parts_among(const tacit__opinion *opinions, size_t from, size_t count)
{
    size_t some = tacit__bitset_share(from, count);
    uint64_t parts = 0;
    for (size_t i = 0; i < some; i++) {
        bool is = 100 - opinions[from + i].of[TACIT__LABEL_OTHER] >= TACIT__RUN_FLOOR;
        parts |= (uint64_t)is << i;
    }
    return parts;
}

/* "Hay-on-Wye": hyphens join a word to what is a part of the run on both its sides. */
static bool is_bridge(const tacit__run_of_words *run, size_t word)
{
    const tacit__word *here = &run->document->words[word];
    return word + 1 < run->document->count && here->before == TACIT__GAP_HYPHEN &&
           here[1].before == TACIT__GAP_HYPHEN &&
           tacit__run_label(&run->opinions[word + 1]) == run->label;
}

/* "NK", "tRNA", "lacI": letters that are written as no name is, unless all are in capitals. */
static bool is_odd(const tacit__document *document, const tacit__word *word)
{
    const char *letters = document->text.bytes + word->start;
    if (document->casing == TACIT__CASING_CAPITALS)
        return false;
    if (word->shape == TACIT__SHAPE_MIXED) /* "McCarthy", "O'Neill" */
        return !tacit__is_upper(letters[0]) || tacit__is_upper(letters[1]);
    return word->shape != TACIT__SHAPE_CAPITAL && word->shape != TACIT__SHAPE_INITIAL &&
           (word->shape != TACIT__SHAPE_LOWER || document->casing != TACIT__CASING_LOWER);
}

/* How the words of a name are written, at worst. */
static bool has_odd(const tacit__run_of_words *run)
{
    for (size_t i = run->first; i <= run->last; i++)
        if (is_odd(run->document, &run->document->words[i]) &&
            !(run->first < run->last && tacit__is_particle(run->document, i)))
            return true;
    return run->first == run->last &&
           run->document->words[run->first].shape == TACIT__SHAPE_INITIAL;
}

static bool is_titled(const tacit__run_of_words *run)
{
    const unsigned apart = TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH | TACIT__GAP_COMMA;
    const tacit__word *word = &run->document->words[run->first];
    return run->first > 0 && !(word->before & apart) &&
           tacit__lexicon_in(&word[-1].entry, TACIT__LIST_TITLE);
}

/* What a name must reach where nothing else is personal: by what stands before it, how it is
 * written, and whether lists have its words. */
static tacit__alone name_alone(const tacit__run_of_words *run)
{
    const tacit__lexicon_entry *first = &run->document->words[run->first].entry;
    const tacit__lexicon_entry *last = &run->document->words[run->last].entry;
    bool known = first->first >= TACIT__KNOWN_FIRST || last->first >= TACIT__KNOWN_FIRST;
    if (is_titled(run))
        return TACIT__ALONE_TITLED;
    if (has_odd(run))
        return TACIT__ALONE_ODD;
    if (run->document->casing != TACIT__CASING_USUAL &&
        run->document->words[run->first].shape != TACIT__SHAPE_CAPITAL)
        return TACIT__ALONE_UNSHAPED;
    if (run->first < run->last)
        return known ? TACIT__ALONE_KNOWN_NAME : TACIT__ALONE_NAME;
    return known ? TACIT__ALONE_FIRST : TACIT__ALONE_WORD;
}

static tacit__alone alone_of(const tacit__run_of_words *run)
{
    return run->label == TACIT__LABEL_PERSON ? name_alone(run) : TACIT__ALONE_PLACE;
}

/* The run that begins with a word, from which *end on none of its words is. */
static tacit_status propose_run(tacit__proposals *proposals, const tacit__document *document,
                                const tacit__opinion *opinions, size_t first, size_t *end,
                                tacit_error *err)
{
    tacit__run_of_words run = {.document = document,
                               .opinions = opinions,
                               .first = first,
                               .label = tacit__run_label(&opinions[first])};
    size_t i = first + 1;
    while (i < document->count && !is_parted(document, i, run.label) &&
           (tacit__run_label(&opinions[i]) == run.label || is_bridge(&run, i)))
        i++;
    run.last = i - 1;
    run.alone = (uint8_t)alone_of(&run);
    *end = i;
    return families[run.label].propose(proposals, &run, err);
}

tacit_status tacit__runs_propose(tacit__proposals *proposals, const tacit__document *document,
                                 const tacit__opinion *opinions, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    size_t end = 0;
    for (size_t from = 0; from < document->count; from += 64) {
        uint64_t left = parts_among(opinions, from, document->count);
        for (; left != 0 && status == TACIT_OK; left &= left - 1) {
            size_t first = from + (size_t)__builtin_ctzll(left);
            if (first >= end)
                status = propose_run(proposals, document, opinions, first, &end, err);
        }
    }
    return status;
}
