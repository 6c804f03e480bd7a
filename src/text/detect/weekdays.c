/*
 * weekdays.c - a weekday before or behind a date belongs to it: "Thursday, 03/04/2021",
 * "March 4, 2021 (Thu)". One that stayed while its date moved would say how far it
 * moved, up to whole weeks; one that was lumped by itself would leave its comma.
 *
 * Cost: a few tests for each date.
 */
#include "text/detect/detect.h"

#include <string.h>

#include "text/detect/dates.h"
#include "text/lexicon/fold.h"
#include "text/read/forms.h"

enum { MOST = 99 /* likelihood */, SHORT = 4 /* letters of "Thur" */ };

/* Short ones are words too, in small letters: "sat", "wed". */
static bool is_weekday(const tacit__document *document, size_t at)
{
    const tacit__word *word = &document->words[at];
    tacit__folded folded;
    unsigned names;
    if (tacit__has_digits(word) || word->flags & TACIT__WORD_GENITIVE ||
        (word->end - word->start <= SHORT && word->shape == TACIT__SHAPE_LOWER) ||
        !tacit__text_fold(&folded, tacit__word_text(document, word)))
        return false;
    return tacit__weekday_named(&names,
                                (tacit_strview){.bytes = folded.bytes, .len = folded.len}) >= 0;
}

/* Blanks, a comma, a bracket, the stop of "Thu.", and "the"; no more. */
static bool is_near(const tacit__document *document, size_t at)
{
    enum { NEAR = TACIT__GAP_SPACE | TACIT__GAP_COMMA | TACIT__GAP_BRACKET | TACIT__GAP_STOP };
    const tacit__word *word = &document->words[at];
    return !(word->before & ~(unsigned)NEAR) &&
           (!(word->before & TACIT__GAP_STOP) || word[-1].end - word[-1].start <= SHORT);
}

static bool is_before(size_t *weekday, const tacit__document *document, size_t date)
{
    static const tacit__listed_word articles[] = {"the", "den", "le", "el", "dem", ""};
    size_t at = date;
    if (at == 0 || at >= document->count || !is_near(document, at))
        return false;
    at--;
    if (at > 0 && tacit__word_is_among(document, &document->words[at], articles) &&
        is_near(document, at))
        at--;
    *weekday = at;
    return is_weekday(document, at);
}

/* Unless it is the weekday of the next date. */
static bool is_behind(const tacit__document *document, size_t at)
{
    enum { PARTED = TACIT__GAP_STOP | TACIT__GAP_BRACKET };
    if (at == 0 || at >= document->count || document->words[at].before & TACIT__GAP_STOP ||
        !is_near(document, at) || !is_weekday(document, at))
        return false;
    const tacit__word *next = &document->words[at + 1];
    return at + 1 == document->count || next->before & PARTED ||
           !(tacit__has_digits(next) || tacit__lexicon_in(&next->entry, TACIT__LIST_MONTH));
}

/* With the bracket around it. */
static uint32_t end_behind(const tacit__document *document, const tacit__word *weekday)
{
    bool closed = weekday->before & TACIT__GAP_BRACKET &&
                  memchr(")]", tacit__word_behind(document, weekday), 2);
    return weekday->end + closed;
}

tacit_status tacit__weekdays_propose(tacit__proposals *proposals, const tacit__document *document,
                                     tacit_error *err)
{
    tacit_status status = TACIT_OK;
    size_t count = proposals->count;
    for (size_t i = 0; i < count && status == TACIT_OK; i++) {
        tacit__proposal date = proposals->items[i];
        size_t weekday;
        if (date.kind != TACIT_TEXT_DATE)
            continue;
        size_t first = tacit__document_at(document, date.start);
        size_t behind = tacit__document_at(document, date.end);
        if (is_before(&weekday, document, first))
            date.start = document->words[weekday].start;
        else if (is_behind(document, behind))
            date.end = end_behind(document, &document->words[behind]);
        else
            continue;
        date.likelihood = date.likelihood < MOST ? (uint8_t)(date.likelihood + 1) : MOST;
        date.rule = "a date and its weekday";
        date.detector = "days";
        status = tacit__proposals_add(proposals, &date, err);
    }
    return status;
}
