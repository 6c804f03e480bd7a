/*
 * days.c - "3/4" by itself is a day of a month as notes write it, a share, a score ("7/10"), how
 * sharp somebody sees ("6/9") or a length of time ("3/7": three days). It is a day where a line
 * starts with it, or where the piece has another that is sure and it is likely none of these.
 *
 * Cost: a bit for each word, noted 64 at once, and a few tests for each pair of numbers.
 */
#include "text/detect/detect.h"

#include <string.h>

#include "base/bitset.h"

enum {
    SURE_DATE = 75,     /* likelihood of the other date, */
    FIRST_ON_LINE = 70, /* and of a day that a line starts with, */
    IN_COMPANY = 67,    /* or that is beside a date that is sure */
    DAYS = 31,
    MONTHS = 12
};

/* Whether the numbers before and behind the slash may be day and month, in either order. */
static bool may_be_day(unsigned before, unsigned behind)
{
    return before > 0 && behind > 0 && before <= DAYS && behind <= DAYS && before != behind &&
           (before <= MONTHS || behind <= MONTHS);
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

static tacit_status propose_day(tacit__proposals *proposals, const tacit__document *document,
                                size_t word, bool company, tacit_error *err)
{
    const tacit__word *here = &document->words[word];
    unsigned before = tacit__word_number(document, here, 2);
    unsigned behind = tacit__word_number(document, &here[1], 2);
    bool first = tacit__starts_line(here);
    if (!may_be_day(before, behind) || !stands_alone(document, here) ||
        (!first && (!company || is_usual_otherwise(before, behind))))
        return TACIT_OK;
    const tacit__proposal proposal = {.kind = TACIT_TEXT_DATE,
                                      .likelihood = first ? FIRST_ON_LINE : IN_COMPANY,
                                      .alone = TACIT__ALONE_FORM,
                                      .detector = "days",
                                      .rule = first ? "a line starts with it" : "among dates"};
    return tacit__propose_words(proposals, document, word, word + 1, proposal, err);
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
    tacit_status status = TACIT_OK;
    for (size_t from = 0; from + 1 < document->count && status == TACIT_OK; from += 64)
        for (uint64_t left = slashes_at(document, from); left != 0 && status == TACIT_OK;
             left &= left - 1)
            status = propose_day(proposals, document, from + (size_t)__builtin_ctzll(left), company,
                                 err);
    return status;
}
