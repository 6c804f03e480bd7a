/*
 * places.c - cities, states, countries, zip codes and streets (entities 6 to 9 and 15 of Figure
 * 111), and locations, entity 5: two places of different sorts in a row, "Springfield, Illinois".
 * A location is proposed as its constituents, which have its precedence.
 */
#include "text/chain/runs.h"

static tacit_text_kind place_kind(const tacit__word *word)
{
    if (word->shape == TACIT__SHAPE_DIGITS || word->shape == TACIT__SHAPE_BOTH)
        return TACIT_TEXT_ZIP;
    if (tacit__lexicon_in(&word->entry, TACIT__LIST_STATE) ||
        (tacit__lexicon_in(&word->entry, TACIT__LIST_STATE_CODE) &&
         word->shape != TACIT__SHAPE_LOWER))
        return TACIT_TEXT_STATE;
    if (tacit__lexicon_in(&word->entry, TACIT__LIST_COUNTRY))
        return TACIT_TEXT_COUNTRY;
    return TACIT_TEXT_CITY;
}

/* The words from the first on that are one place: "Lake Angela" "New Jersey" "02139". */
static size_t place_end(const tacit__run_of_words *run, size_t first, tacit_text_kind kind)
{
    const tacit__word *words = run->document->words;
    while (first < run->last &&
           (words[first + 1].flags & TACIT__WORD_GOES_ON || place_kind(&words[first + 1]) == kind))
        first++;
    return first;
}

/* Whether a word and the next one are of one location. */
static bool is_location(const tacit__run_of_words *run, size_t word)
{
    const tacit__word *words = run->document->words;
    if (word + 1 >= run->document->count ||
        words[word + 1].before & ~(unsigned)(TACIT__GAP_SPACE | TACIT__GAP_COMMA) ||
        tacit__run_label(&run->opinions[word]) != TACIT__LABEL_PLACE ||
        tacit__run_label(&run->opinions[word + 1]) != TACIT__LABEL_PLACE)
        return false;
    tacit_text_kind kind = place_kind(&words[word]), next = place_kind(&words[word + 1]);
    return kind != next && kind != TACIT_TEXT_ZIP && next != TACIT_TEXT_ZIP;
}

/* Of what the words from first to last, one place of the kind, are a constituent. */
static tacit_text_kind whole_of(const tacit__run_of_words *run, size_t first, size_t last,
                                tacit_text_kind kind)
{
    bool location = is_location(run, last) || (first > 0 && is_location(run, first - 1));
    return location ? TACIT_TEXT_LOCATION : kind;
}

/* Each place by itself. */
tacit_status tacit__propose_place(tacit__proposals *proposals, const tacit__run_of_words *run,
                                  tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (size_t first = run->first; first <= run->last && status == TACIT_OK;) {
        tacit_text_kind kind = place_kind(&run->document->words[first]);
        size_t last = place_end(run, first, kind);
        tacit_text_kind whole = whole_of(run, first, last, kind);
        status = tacit__run_propose_within(proposals, run, first, last, kind, whole,
                                           tacit__run_mean(run, first, last),
                                           whole == kind ? "a place" : "place of a location", err);
        first = last + 1;
    }
    return status;
}

tacit_status tacit__propose_street(tacit__proposals *proposals, const tacit__run_of_words *run,
                                   tacit_error *err)
{
    return tacit__run_propose(proposals, run, run->first, run->last, TACIT_TEXT_STREET,
                              tacit__run_mean(run, run->first, run->last), "a street", err);
}
