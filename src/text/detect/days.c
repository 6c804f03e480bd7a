/*
 * days.c - days, weekdays and times that their form alone does not tell.
 *
 *   days       "3/4" by itself is a day of a month as notes write it, a share, a score ("7/10"),
 *              how sharp somebody sees ("6/9") or a length of time ("3/7": three days). It is a day
 *              where a line starts with it, or where the piece has another that is sure and it is
 *              likely none of these.
 *   weekdays   before or behind a date belong to it: "Thursday, 03/04/2021", "March 4, 2021 (Thu)".
 *              One that stayed while its date moved would say how far it moved, up to whole weeks;
 *              one that was lumped by itself would leave its comma.
 *   times      notes of a ward or an ambulance begin each entry with the time, in four digits:
 *              "1815 asleep". Where at least three lines of a piece begin so, and not all of them
 *              could be years, they are times, and kept.
 *
 * Cost: a bit for each word, noted 64 at once, and a few tests for each pair of numbers, each date
 * and each word that a line starts with.
 */
#include <string.h>

#include "base/bitset.h"
#include "text/detect/dates.h"
#include "text/detect/detect.h"
#include "text/lexicon/fold.h"
#include "text/read/forms.h"

enum {
    SURE_DATE = 75,     /* likelihood of the other date, */
    FIRST_ON_LINE = 70, /* and of a day that a line starts with, */
    IN_COMPANY = 67,    /* or that is beside a date that is sure */
    MONTH_DAYS = 31,
    YEAR_MONTHS = 12
};

/* Whether the numbers before and behind the slash may be day and month, in either order. */
static bool may_be_day(unsigned before, unsigned behind)
{
    return before > 0 && behind > 0 && before <= MONTH_DAYS && behind <= MONTH_DAYS &&
           before != behind && (before <= YEAR_MONTHS || behind <= YEAR_MONTHS);
}

/* Out of two to six, eight or ten; so many days, or months; "6/9" and "20/30". */
static bool is_usual_otherwise(unsigned before, unsigned behind)
{
    bool out_of = before < behind && (behind <= 6 || behind == 8 || behind == 10);
    bool span = behind == 12 || (behind == 7 && before <= 14);
    return out_of || span || before == 6 || before == 20;
}

/* Nothing but blanks, a bracket or a comma before them, and no sign of a number behind. */
static bool stands_alone(const tacit__document *document, const tacit__word *word)
{
    enum { APART = TACIT__GAP_SPACE | TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH };
    char end = tacit__word_behind(document, &word[1]);
    return word->before & APART &&
           !(word->before & (TACIT__GAP_SLASH | TACIT__GAP_HYPHEN | TACIT__GAP_OTHER)) &&
           !memchr("/%+-", end, 4);
}

static void propose_day(tacit__proposals *proposals, const tacit__document *document, size_t word,
                        bool company)
{
    const tacit__word *here = &document->words[word];
    unsigned before = tacit__word_number(document, here, 2);
    unsigned behind = tacit__word_number(document, &here[1], 2);
    bool first = tacit__starts_line(here);
    if (!may_be_day(before, behind) || !stands_alone(document, here) ||
        (!first && (!company || is_usual_otherwise(before, behind))))
        return;
    const tacit__proposal proposal = {.kind = TACIT_TEXT_DATE,
                                      .likelihood = first ? FIRST_ON_LINE : IN_COMPANY,
                                      .alone = TACIT__ALONE_FORM,
                                      .detector = "days",
                                      .rule = first ? "a line starts with it" : "among dates"};
    tacit__propose_words(proposals, document, word, word + 1, proposal);
}

/* Which of at most 64 words have nothing but a slash before the next one, a bit each. */
static uint64_t slashes_at(const tacit__document *document, size_t from)
{
    const tacit__word *next = document->words + from + 1;
    size_t count = tacit__bitset_share(from, document->count - 1);
    uint64_t slashes = 0;
    for (size_t i = 0; i < count; i++)
        slashes |= (uint64_t)(next[i].before == TACIT__GAP_SLASH) << i;
    return slashes;
}

/* Whether a date with a slash in it is sure. */
static bool has_company(const tacit__proposals *proposals, tacit_strview text)
{
    for (size_t i = 0; i < proposals->count; i++) {
        const tacit__proposal *proposal = &proposals->items[i];
        if (proposal->kind == TACIT_TEXT_DATE && proposal->likelihood >= SURE_DATE &&
            memchr(text.bytes + proposal->start, '/', proposal->end - proposal->start))
            return true;
    }
    return false;
}

tacit_status tacit__days_propose(tacit__proposals *proposals, const tacit__document *document,
                                 tacit_error *err)
{
    bool company = has_company(proposals, document->text);
    for (size_t from = 0; from + 1 < document->count; from += 64)
        for (uint64_t left = slashes_at(document, from); left != 0; left &= left - 1)
            propose_day(proposals, document, from + (size_t)__builtin_ctzll(left), company);
    return tacit__proposals_status(proposals, err);
}

/* ---- weekdays ---- */

enum { MAX_LIKELIHOOD = 99, SHORT = 4 /* letters of "Thur" */ };

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
    return tacit__weekday_named(&names, tacit__folded_view(&folded)) >= 0;
}

/* Blanks, a comma, a bracket, the stop of "Thu.", and "the"; no more. */
static bool is_near(const tacit__document *document, size_t at)
{
    enum { NEAR = TACIT__GAP_SPACE | TACIT__GAP_COMMA | TACIT__GAP_BRACKET | TACIT__GAP_STOP };
    const tacit__word *word = &document->words[at];
    return !(word->before & ~(unsigned)NEAR) &&
           (!(word->before & TACIT__GAP_STOP) || word[-1].end - word[-1].start <= SHORT);
}

static bool has_weekday_before(size_t *weekday, const tacit__document *document, size_t date)
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
static bool has_weekday_behind(const tacit__document *document, size_t at)
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
static uint32_t weekday_end(const tacit__document *document, const tacit__word *weekday)
{
    bool closed = weekday->before & TACIT__GAP_BRACKET &&
                  memchr(")]", tacit__word_behind(document, weekday), 2);
    return weekday->end + closed;
}

tacit_status tacit__weekdays_propose(tacit__proposals *proposals, const tacit__document *document,
                                     tacit_error *err)
{
    size_t count = proposals->count;
    for (size_t i = 0; i < count; i++) {
        tacit__proposal date = proposals->items[i];
        size_t weekday;
        if (date.kind != TACIT_TEXT_DATE)
            continue;
        size_t first = tacit__document_at(document, date.start);
        size_t behind = tacit__document_at(document, date.end);
        if (has_weekday_before(&weekday, document, first))
            date.start = document->words[weekday].start;
        else if (has_weekday_behind(document, behind))
            date.end = weekday_end(document, &document->words[behind]);
        else
            continue;
        date.likelihood =
            date.likelihood < MAX_LIKELIHOOD ? (uint8_t)(date.likelihood + 1) : MAX_LIKELIHOOD;
        date.rule = "a date and its weekday";
        date.detector = "days";
        tacit__propose(proposals, &date);
    }
    return tacit__proposals_status(proposals, err);
}

/* ---- times ---- */

enum { TIMED_ENTRIES = 3, LIKELY_TIME = 78, FIRST_YEAR = 1900, LAST_YEAR = 2059 };

/* Whether nothing but blanks is before the word in its line. */
static bool is_first_on_line(const tacit__document *document, const tacit__word *word)
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
    return time && number > 0 && is_first_on_line(document, here) ? number : 0;
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
    return hours >= TIMED_ENTRIES && hours > years;
}

tacit_status tacit__hours_propose(tacit__proposals *proposals, const tacit__document *document,
                                  tacit_error *err)
{
    const tacit__proposal proposal = {.kind = TACIT_TEXT_TIME,
                                      .likelihood = LIKELY_TIME,
                                      .detector = "hours",
                                      .rule = "entries begin with times"};
    int64_t count = (int64_t)document->count;
    if (!is_timed(document))
        return TACIT_OK;
    for (int64_t i = -1; (i = tacit__bit_next(document->lines, i + 1, count)) < count;)
        if (hour_at(document, (size_t)i) > 0)
            tacit__propose_words(proposals, document, (size_t)i, (size_t)i, proposal);
    return tacit__proposals_status(proposals, err);
}
