/*
 * signed.c - "Slept well. KO", "seen again at six - M.A.T": two or three capitals that no list
 * knows, at the end of a line and behind the end of a sentence, a dash or a wide gap, are who wrote
 * it. No name in the text need have these letters.
 *
 * Cost: a few tests for each line.
 */
#include "text/signed.h"

#include "base/bitset.h"
#include "text/forms.h"

enum { LIKELY = 64 };

/* The first word of the initials that end with a word: "M" of "M.A.T". */
static size_t first_initial(const tacit__document *document, size_t last)
{
    const tacit__word *words = document->words;
    size_t first = last;
    while (first > 0 && words[first].shape == TACIT__SHAPE_INITIAL &&
           words[first - 1].shape == TACIT__SHAPE_INITIAL && words[first].before == TACIT__GAP_STOP)
        first--;
    return first;
}

/* Behind the end of a sentence, a dash or as much blank as between columns; nothing of a line that
 * is in capitals all over. */
static bool is_set_apart(const tacit__document *document, size_t word)
{
    const tacit__word *here = &document->words[word];
    unsigned gap = here->before;
    if (word == 0 || tacit__starts_line(here) || document->casing != TACIT__CASING_USUAL ||
        here[-1].shape == TACIT__SHAPE_CAPITALS)
        return false;
    return here->flags & TACIT__WORD_COLUMN ||
           (gap & TACIT__GAP_SPACE && gap & (TACIT__GAP_STOP | TACIT__GAP_END | TACIT__GAP_HYPHEN));
}

/* Capitals that are no abbreviation or word of a list; letters with stops are none. */
static bool may_be_initials(const tacit__word *word)
{
    return word->shape == TACIT__SHAPE_INITIAL ||
           (word->shape == TACIT__SHAPE_CAPITALS && word->entry.lists == 0);
}

static tacit_status propose_signed(tacit__proposals *proposals, const tacit__document *document,
                                   size_t last, tacit_error *err)
{
    char letters[4];
    if (!may_be_initials(&document->words[last]) || !tacit__ends_line(document, last))
        return TACIT_OK;
    size_t first = first_initial(document, last);
    const tacit__proposal proposal = {.kind = TACIT_TEXT_INITIALS,
                                      .likelihood = LIKELY,
                                      .guess = true,
                                      .detector = "signed",
                                      .rule = "initials that end a line"};
    if (!is_set_apart(document, first) ||
        tacit__initials_at(letters, document, first) != last + 1 - first)
        return TACIT_OK;
    return tacit__propose_words(proposals, document, first, last, proposal, err);
}

tacit_status tacit__signed_propose(tacit__proposals *proposals, const tacit__document *document,
                                   tacit_error *err)
{
    int64_t count = (int64_t)document->count, line = 1;
    tacit_status status = TACIT_OK;
    for (; line <= count && status == TACIT_OK; line++) {
        line = tacit__bit_next(document->lines, line, count);
        status = propose_signed(proposals, document, (size_t)line - 1, err);
    }
    return status;
}
