/*
 * companions.c - "Iris and June", "Tariq or April can cover": a word of the language that is a
 * first name too is one where it is joined to a name. By itself the chain takes June for the month
 * that it mostly is.
 */
#include "text/chain/runs.h"
#include "text/read/forms.h"

enum {
    SURE_NAME = 85, /* what the other name must be */
    COMPANION = 85  /* likelihood beside a name beyond doubt */
};

/* Whether a word with a capital is a first name that something else may be meant by: no month of
 * "June 5". */
static bool may_be_companion(const tacit__run_of_words *run, size_t word)
{
    const tacit__document *document = run->document;
    const tacit__word *here = &document->words[word];
    return here->shape == TACIT__SHAPE_CAPITAL && here->entry.first >= TACIT__KNOWN_FIRST &&
           !(here->flags & TACIT__WORD_PHRASE) &&
           (word + 1 >= document->count || !tacit__has_digits(here + 1));
}

static bool joins(const tacit__document *document, size_t word)
{
    static const tacit__listed_word joints[] = {"and", "or", ""};
    return document->words[word].before == TACIT__GAP_SPACE &&
           document->words[word + 1].before == TACIT__GAP_SPACE &&
           tacit__word_is_among(document, &document->words[word], joints);
}

static tacit_status propose_at(tacit__proposals *proposals, const tacit__run_of_words *run,
                               size_t word, int likelihood, tacit_error *err)
{
    if (!may_be_companion(run, word))
        return TACIT_OK;
    return tacit__run_propose(proposals, run, word, word, TACIT_TEXT_FIRST_NAME,
                              likelihood * COMPANION / 100, "joined to a name", err);
}

tacit_status tacit__propose_companions(tacit__proposals *proposals, const tacit__run_of_words *run,
                                       tacit_error *err)
{
    const tacit__document *document = run->document;
    int likelihood = tacit__run_mean(run, run->first, run->last);
    tacit_status status = TACIT_OK;
    if (likelihood < SURE_NAME)
        return TACIT_OK;
    if (run->last + 2 < document->count && joins(document, run->last + 1))
        status = propose_at(proposals, run, run->last + 2, likelihood, err);
    if (status == TACIT_OK && run->first >= 2 && joins(document, run->first - 1))
        status = propose_at(proposals, run, run->first - 2, likelihood, err);
    return status;
}
