/*
 * hours.c - notes of a ward or an ambulance begin each entry with the time, in four digits: "1815
 * asleep". Where at least three lines of a piece begin so, and not all of them could be years,
 * they are times, and kept.
 *
 * Cost: a few tests for each word that a line starts with.
 */
#include "text/detect/detect.h"

#include "base/bitset.h"

enum { ENTRIES = 3, LIKELIHOOD = 78, FIRST_YEAR = 1900, LAST_YEAR = 2059 };

/* Whether nothing but blanks is before the word in its line. */
static bool is_first(const tacit__document *document, const tacit__word *word)
{
    const char *bytes = document->text.bytes;
    uint32_t at = word->start;
    while (at > 0 && bytes[at - 1] == ' ')
        at--;
    return at == 0 || bytes[at - 1] == '\n';
}

/* Four digits that are a time of day, or 0; midnight is none. */
static unsigned hour_at(const tacit__document *document, size_t word)
{
    const tacit__word *here = &document->words[word];
    unsigned number = tacit__word_number(document, here, 4);
    bool time = here->end - here->start == 4 && number / 100 < 24 && number % 100 < 60;
    return time && number > 0 && is_first(document, here) ? number : 0;
}

/* Whether entries begin with times. */
static bool is_timed(const tacit__document *document)
{
    int64_t count = (int64_t)document->count;
    size_t hours = 0, years = 0;
    for (int64_t i = -1; (i = tacit__bit_next(document->lines, i + 1, count)) < count;) {
        unsigned hour = hour_at(document, (size_t)i);
        hours += hour > 0;
        years += hour >= FIRST_YEAR && hour <= LAST_YEAR;
    }
    return hours >= ENTRIES && hours > years;
}

tacit_status tacit__hours_propose(tacit__proposals *proposals, const tacit__document *document,
                                  tacit_error *err)
{
    const tacit__proposal proposal = {.kind = TACIT_TEXT_TIME,
                                      .likelihood = LIKELIHOOD,
                                      .detector = "hours",
                                      .rule = "entries begin with times"};
    int64_t count = (int64_t)document->count;
    tacit_status status = TACIT_OK;
    if (!is_timed(document))
        return TACIT_OK;
    for (int64_t i = -1;
         status == TACIT_OK && (i = tacit__bit_next(document->lines, i + 1, count)) < count;)
        if (hour_at(document, (size_t)i) > 0)
            status = tacit__propose_words(proposals, document, (size_t)i, (size_t)i, proposal, err);
    return status;
}
