/*
 * called.c - "Bluebonnet Endocrine Clinic", "The Old Tannery Surgery": words with capitals up to
 * one that says what they name, of which at least one is no word that everybody uses. The chain
 * knows such names by their words and what is around them; this finds them in headings, in tables
 * and where their words are odd.
 *
 * Cost: a test a word, a few more where one says what something is.
 */
#include "text/detect/detect.h"

#include "text/read/forms.h"

enum {
    MOST_WORDS = 5, /* before the one that says it */
    LIKELY_CARE = 80,
    LIKELY_ORGANIZATION = 70
};

/* "Surgery" is where British doctors work, and an operation elsewhere. */
static bool is_surgery(const tacit__document *document, const tacit__word *word)
{
    static const tacit__listed_word surgery[] = {"surgery", ""};
    return tacit__word_is_among(document, word, surgery);
}

static tacit_text_kind kind_of(const tacit__document *document, const tacit__word *word)
{
    if (tacit__lexicon_in(&word->entry, TACIT__LIST_HOSPITAL) || is_surgery(document, word))
        return TACIT_TEXT_HOSPITAL;
    return tacit__lexicon_in(&word->entry, TACIT__LIST_ORGANIZATION) ? TACIT_TEXT_ORGANIZATION
                                                                     : TACIT_TEXT_NONE;
}

/* Whether the word by itself may be what something is called. */
static bool is_distinctive(const tacit__word *word)
{
    const uint32_t other =
        TACIT__LIST_BIT(TACIT__LIST_DISEASE) | TACIT__LIST_BIT(TACIT__LIST_DRUG) |
        TACIT__LIST_BIT(TACIT__LIST_BODY) | TACIT__LIST_BIT(TACIT__LIST_MEDICAL) |
        TACIT__LIST_BIT(TACIT__LIST_OCCUPATION) | TACIT__LIST_BIT(TACIT__LIST_TITLE) |
        TACIT__LIST_BIT(TACIT__LIST_HOSPITAL) | TACIT__LIST_BIT(TACIT__LIST_ORGANIZATION) |
        TACIT__LIST_BIT(TACIT__LIST_MONTH) | TACIT__LIST_BIT(TACIT__LIST_WEEKDAY) |
        TACIT__LIST_BIT(TACIT__LIST_STATE) | TACIT__LIST_BIT(TACIT__LIST_COUNTRY) |
        TACIT__LIST_BIT(TACIT__LIST_NATIONALITY);
    return word->entry.word < TACIT__EVERYBODYS && !(word->entry.lists & other) &&
           word->end - word->start > 3;
}

/* A word with a capital, or one that goes on between two. */
static bool is_within(const tacit__document *document, const tacit__word *word)
{
    static const tacit__listed_word links[] = {"and", ""};
    return word->shape == TACIT__SHAPE_CAPITAL || word->shape == TACIT__SHAPE_MIXED ||
           tacit__word_is_among(document, word, links);
}

/* Whether nothing but a blank, or "&", is before the word. */
static bool is_close(const tacit__word *word)
{
    return !(word->flags & (TACIT__WORD_COLUMN | TACIT__WORD_SENTENCE)) &&
           (word->before == TACIT__GAP_SPACE ||
            word->before == (TACIT__GAP_SPACE | TACIT__GAP_OTHER));
}

/* The first word of what ends with one, or that word where it is called nothing. */
static size_t first_of(const tacit__document *document, size_t last)
{
    const tacit__word *words = document->words;
    size_t first = last, found = last;
    bool distinctive = false;
    while (first > 0 && last - first < MOST_WORDS && is_close(&words[first]) &&
           is_within(document, &words[first - 1])) {
        first--;
        distinctive = distinctive || is_distinctive(&words[first]);
        if (distinctive && words[first].shape != TACIT__SHAPE_LOWER)
            found = first;
    }
    return found;
}

static tacit_status propose_called(tacit__proposals *proposals, const tacit__document *document,
                                   size_t last, tacit_error *err)
{
    tacit_text_kind kind = kind_of(document, &document->words[last]);
    size_t first = kind == TACIT_TEXT_NONE ? last : first_of(document, last);
    if (first == last)
        return TACIT_OK;
    bool care = kind == TACIT_TEXT_HOSPITAL;
    const tacit__proposal proposal = {
        .kind = (uint8_t)kind,
        .likelihood = care ? LIKELY_CARE : LIKELY_ORGANIZATION,
        .alone = TACIT__ALONE_PLACE,
        .detector = "words",
        .rule = care ? "called a place of care" : "called an organization",
    };
    return tacit__propose_words(proposals, document, first, last, proposal, err);
}

/* Whether the word may say what something is that the chain doubts; of medical ones "Surgery" does.
 * Few words do, which is soon guessed. */
static bool may_say(const tacit__word *word, const tacit__opinion *opinion)
{
    const uint32_t lists = TACIT__LIST_BIT(TACIT__LIST_HOSPITAL) |
                           TACIT__LIST_BIT(TACIT__LIST_ORGANIZATION) |
                           TACIT__LIST_BIT(TACIT__LIST_MEDICAL);
    return word->entry.lists & lists && word->shape == TACIT__SHAPE_CAPITAL &&
           100 - opinion->of[TACIT__LABEL_OTHER] < LIKELY_CARE;
}

tacit_status tacit__called_propose(tacit__proposals *proposals, const tacit__document *document,
                                   const tacit__opinion *opinions, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i < document->count && status == TACIT_OK; i++)
        if (may_say(&document->words[i], &opinions[i]))
            status = propose_called(proposals, document, i, err);
    return status;
}
