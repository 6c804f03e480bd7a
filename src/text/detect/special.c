/*
 * special.c - "Parkinson's disease", "Foley catheter", "Tylenol", "Denies fever": counter-evidence
 * by lists. An eponym needs a medical word after it, or Dr. Parkinson would be one. A medical
 * term or a verb must not be in a list of names with any weight.
 *
 * Cost: a few tests a word.
 */
#include "base/bitset.h"
#include "text/detect/detect.h"

enum { DOUBT = 15, LIKELY_EPONYM = 95, LIKELY_MEDICAL = 80, LIKELY_VERB = 70, COMMON_VERB = 5 };

static bool is_name(const tacit__lexicon_entry *entry)
{
    return entry->first > 1 || entry->surname > 1 ||
           entry->lists & (TACIT__LISTED(NICK) | TACIT__LISTED(CITY));
}

/* The next word, where nothing but blanks or a hyphen lies between. */
static const tacit__word *follower(const tacit__document *document, size_t word)
{
    if (word + 1 >= document->count)
        return NULL;
    const tacit__word *next = &document->words[word + 1];
    unsigned gap = next->before & ~(unsigned)(TACIT__GAP_LINE | TACIT__GAP_HYPHEN);
    return gap == TACIT__GAP_SPACE || gap == 0 || gap == (TACIT__GAP_SPACE | TACIT__GAP_QUOTE)
               ? next
               : NULL;
}

/* "Graves' disease", "Glasgow coma scale": an eponym, then what it gave its name to. */
static bool is_eponym(const tacit__document *document, size_t word)
{
    const tacit__word *here = &document->words[word], *next = follower(document, word);
    return here->entry.lists & TACIT__LISTED(EPONYM) && next &&
           next->shape != TACIT__SHAPE_DIGITS && next->entry.lists & TACIT__LISTED_CARE;
}

static tacit_text_kind special_kind(const tacit__document *document, size_t word, int *likelihood)
{
    const tacit__word *here = &document->words[word];
    if (is_eponym(document, word)) {
        *likelihood = LIKELY_EPONYM;
        return TACIT_TEXT_EPONYM;
    }
    if (is_name(&here->entry))
        return TACIT_TEXT_NONE;
    *likelihood = LIKELY_MEDICAL;
    if (here->entry.lists & TACIT__LISTED_CARE)
        return TACIT_TEXT_MEDICAL;
    *likelihood = LIKELY_VERB;
    return here->entry.lists & TACIT__LISTED(VERB) && here->entry.word >= COMMON_VERB
               ? TACIT_TEXT_VERB
               : TACIT_TEXT_NONE;
}

/* Which of at most 64 words are worth asking, a bit each. */
static uint64_t worth_asking(const tacit__document *document, const tacit__opinion *opinions,
                             size_t from)
{
    const uint32_t doubted = TACIT__LISTED(EPONYM) | TACIT__LISTED_CARE | TACIT__LISTED(VERB);
    size_t count = tacit__bitset_share(from, document->count);
    uint64_t worth = 0;
    for (size_t i = 0; i < count; i++) {
        bool doubt = 100 - opinions[from + i].of[TACIT__LABEL_OTHER] >= DOUBT;
        uint32_t lists = doubt ? doubted : TACIT__LISTED(EPONYM);
        worth |= (uint64_t)((document->words[from + i].entry.lists & lists) != 0) << i;
    }
    return worth;
}

static void propose_special(tacit__proposals *proposals, const tacit__document *document,
                            size_t word)
{
    int likelihood = 0;
    tacit_text_kind kind = special_kind(document, word, &likelihood);
    if (kind == TACIT_TEXT_NONE)
        return;
    const tacit__proposal proposal = {.kind = (uint8_t)kind,
                                      .likelihood = (uint8_t)likelihood,
                                      .detector = "special",
                                      .rule = tacit_text_kind_name(kind)};
    tacit__propose_words(proposals, document, word, word, proposal);
}

tacit_status tacit__special_propose(tacit__proposals *proposals, const tacit__document *document,
                                    const tacit__opinion *opinions, tacit_error *err)
{
    for (size_t from = 0; from < document->count; from += 64) {
        uint64_t left = worth_asking(document, opinions, from);
        for (; left != 0; left &= left - 1)
            propose_special(proposals, document, from + (size_t)__builtin_ctzll(left));
    }
    return tacit__proposals_status(proposals, err);
}
