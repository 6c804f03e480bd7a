/*
 * behind.c - what stands behind a name: how old somebody is, "Mr Bevan (81)", what he is called,
 * "Dwayne Bevan ("Spud")", and the letters that stand for him, "Dwayne Bevan (DB)". None is told by
 * its form alone.
 */
#include <string.h>

#include "text/chain/runs.h"
#include "text/read/forms.h"
#include "text/read/numerals.h"

enum {
    OLDEST = 120,
    AGE_BEHIND = 85,     /* likelihood of "(81)" behind a sure name */
    NICK_BEHIND = 85,    /* of "("Spud")", */
    INITIALS_BEHIND = 95 /* and of "(DB)" */
};

/* "Ann (7 months)", "Ann, 34 f, came": the last word of an age, of its number or what is counted.
 */
static const tacit__word *age_ends(const tacit__document *document, size_t number)
{
    static const tacit__listed_word units[] = {
        "months", "mos", "mo", "weeks", "wks", "days", "years", "yrs", "yr", "yo", "m", "f", ""};
    const tacit__word *here = &document->words[number];
    if (number + 1 < document->count && here[1].before == TACIT__GAP_SPACE &&
        tacit__word_is_among(document, &here[1], units))
        here++;
    return here;
}

/* "Bevan, Ann 81 - chest pain": a dash with blanks around it, or two slashes, as lists of people
 * have them. */
static bool is_parted(const tacit__document *document, const tacit__word *last)
{
    static const char *const signs[] = {" - ", " \xE2\x80\x93 ", " \xE2\x80\x94 ", " // "};
    tacit_strview text = document->text;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        size_t len = strlen(signs[i]);
        if (text.len - last->end >= len && memcmp(text.bytes + last->end, signs[i], len) == 0)
            return true;
    }
    return false;
}

/* "| Ann Bevan | 81 |": a cell of a table. */
static bool is_cell(const tacit__document *document, const tacit__word *word)
{
    tacit_strview text = document->text;
    size_t before = word->start, behind = word->end;
    while (before > 0 && text.bytes[before - 1] == ' ')
        before--;
    while (behind < text.len && text.bytes[behind] == ' ')
        behind++;
    return before > 0 && behind < text.len && text.bytes[before - 1] == '|' &&
           text.bytes[behind] == '|';
}

/* "Ann Bevan 81, home", "Ann Bevan   81   chest": two digits before a comma, or in a column. */
static bool is_listed(const tacit__document *document, const tacit__word *word)
{
    bool last = word + 1 == document->words + document->count;
    bool column = word->flags & TACIT__WORD_COLUMN && !last && word[1].flags & TACIT__WORD_COLUMN;
    return word->end - word->start == 2 && (column || tacit__word_behind(document, word) == ',');
}

/* A bracket, a comma or such, or a full stop that is none of a number. */
static bool is_closed(const tacit__document *document, const tacit__word *last)
{
    char end = tacit__word_behind(document, last);
    bool goes_on = last + 1 < document->words + document->count &&
                   last[1].before == TACIT__GAP_STOP && last[1].shape == TACIT__SHAPE_DIGITS;
    return end == ')' || end == ',' || end == ';' || end == '\n' || (end == '.' && !goes_on);
}

/* "(81)", "(81, a widow", "(81 - alone)". */
static bool is_bracketed(const tacit__document *document, const tacit__word *last)
{
    char end = tacit__word_behind(document, last);
    return end == ')' || end == ',' || end == ';' || end == '!' || is_parted(document, last);
}

/* "Mr Bevan (81)", "Mr Bevan, 81, was", "(Ann Bevan, 81)": a number with nothing else between
 * brackets, commas or dashes behind a name is how old somebody is. */
static bool is_enclosed(const tacit__document *document, size_t first, size_t number)
{
    const tacit__word *here = &document->words[first], *last = age_ends(document, number);
    switch (here->before) {
    case TACIT__GAP_SPACE | TACIT__GAP_BRACKET: return is_bracketed(document, last);
    case TACIT__GAP_SPACE | TACIT__GAP_COMMA:
        return is_closed(document, last) || is_parted(document, last);
    case TACIT__GAP_SPACE: return is_parted(document, last) || is_listed(document, here);
    case TACIT__GAP_SPACE | TACIT__GAP_SLASH: return is_parted(document, last);
    default: return is_cell(document, here);
    }
}

/* Behind what is said of somebody: "Thea is". */
static bool is_told(const tacit__document *document, size_t word)
{
    static const tacit__listed_word verbs[] = {"is", "was", "turned", "turns", ""};
    const tacit__word *here = &document->words[word];
    return word < document->count && here->before == TACIT__GAP_SPACE &&
           here[-1].before == TACIT__GAP_SPACE && tacit__word_is_among(document, &here[-1], verbs);
}

/* "Thea is 12.", "Marigold was 32 and". */
static bool is_said(const tacit__document *document, size_t number)
{
    static const tacit__listed_word joints[] = {"and", "now", "when", "but", "on", "as", ""};
    const tacit__word *last = &document->words[number];
    return is_closed(document, last) ||
           (number + 1 < document->count && last[1].before == TACIT__GAP_SPACE &&
            tacit__word_is_among(document, &last[1], joints));
}

static int numeral_at(const tacit__document *document, size_t word)
{
    return word < document->count
               ? tacit__numeral_of(tacit__word_text(document, &document->words[word]))
               : -1;
}

/* Which word a number in words ends with that begins with one, "forty-six"; 0 where none does. */
static size_t number_ends(const tacit__document *document, size_t word)
{
    int number = numeral_at(document, word),
        unit = number < 20 ? -1 : numeral_at(document, word + 1);
    bool joined = unit > 0 && unit < 10 && document->words[word + 1].before == TACIT__GAP_HYPHEN;
    return number > 0 ? word + joined : 0;
}

/* Which word a number ends with that somebody may be old, in figures or in words; 0 where the word
 * begins none. */
static size_t age_at(const tacit__document *document, size_t word)
{
    if (word >= document->count)
        return 0;
    const tacit__word *here = &document->words[word];
    if (here->shape == TACIT__SHAPE_LOWER)
        return here->entry.word >= TACIT__EVERYBODYS ? number_ends(document, word) : 0;
    unsigned age = tacit__word_number(document, here, 3);
    return age > 0 && age <= OLDEST && document->text.bytes[here->start] != '0' ? word : 0;
}

static tacit_status propose_age(tacit__proposals *proposals, const tacit__run_of_words *run,
                                tacit_error *err)
{
    const tacit__document *document = run->document;
    int likelihood = tacit__run_mean(run, run->first, run->last) * AGE_BEHIND / 100;
    size_t next = run->last + 1, number = age_at(document, next);
    if (number > 0 && is_enclosed(document, next, number))
        return tacit__run_propose(proposals, run, next, number, TACIT_TEXT_AGE, likelihood,
                                  "a number by itself behind a name", err);
    number = is_told(document, ++next) ? age_at(document, next) : 0;
    if (number > 0 && is_said(document, number))
        return tacit__run_propose(proposals, run, next, number, TACIT_TEXT_AGE, likelihood,
                                  "what somebody is, a number", err);
    return TACIT_OK;
}

/* "Dwayne Bevan ("Spud")": what somebody is called. */
static tacit_status propose_nick(tacit__proposals *proposals, const tacit__run_of_words *run,
                                 tacit_error *err)
{
    enum { ENCLOSED = TACIT__GAP_SPACE | TACIT__GAP_BRACKET | TACIT__GAP_QUOTE };
    const tacit__document *document = run->document;
    size_t next = run->last + 1;
    if (next >= document->count || document->words[next].before != ENCLOSED ||
        document->words[next].shape != TACIT__SHAPE_CAPITAL ||
        tacit__word_behind(document, &document->words[next]) == ' ')
        return TACIT_OK;
    int likelihood = tacit__run_mean(run, run->first, run->last) * NICK_BEHIND / 100;
    return tacit__run_propose(proposals, run, next, next, TACIT_TEXT_NICK_NAME, likelihood,
                              "in quotes and brackets behind a name", err);
}

static char letter_of(const tacit__document *document, size_t word)
{
    return (char)(document->text.bytes[document->words[word].start] | 0x20);
}

/* "Dwayne Bevan (DB)": the letters that stand for somebody. */
static tacit_status propose_initials(tacit__proposals *proposals, const tacit__run_of_words *run,
                                     tacit_error *err)
{
    enum { ENCLOSED = TACIT__GAP_SPACE | TACIT__GAP_BRACKET };
    const tacit__document *document = run->document;
    size_t next = run->last + 1;
    char letters[4];
    if (run->first == run->last || next >= document->count ||
        document->words[next].before != ENCLOSED ||
        tacit__initials_at(letters, document, next) != 1 ||
        letters[0] != letter_of(document, run->first) ||
        letters[strlen(letters) - 1] != letter_of(document, run->last) ||
        tacit__word_behind(document, &document->words[next]) != ')')
        return TACIT_OK;
    int likelihood = tacit__run_mean(run, run->first, run->last) * INITIALS_BEHIND / 100;
    return tacit__run_propose(proposals, run, next, next, TACIT_TEXT_INITIALS, likelihood,
                              "letters of the name before them", err);
}

tacit_status tacit__propose_behind(tacit__proposals *proposals, const tacit__run_of_words *run,
                                   tacit_error *err)
{
    tacit_status status = propose_age(proposals, run, err);
    if (status == TACIT_OK)
        status = propose_initials(proposals, run, err);
    return status == TACIT_OK ? propose_nick(proposals, run, err) : status;
}
