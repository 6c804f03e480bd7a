/*
 * signed.c - "Slept well. KO", "seen again at six - M.A.T": two or three capitals that no list
 * knows, at the end of a line and behind the end of a sentence, a dash or a wide gap, are who wrote
 * it; so are "LV/EMC" in a line of its own, and small letters that are hardly a word there, or
 * behind "by", a colon or a slash: "typed by ekm", "Ate well.  rhw". No name in the text need have
 * these letters.
 *
 * Cost: a few tests for each line and column.
 */
#include "base/bitset.h"
#include "text/detect/detect.h"
#include "text/read/forms.h"

enum {
    CAPITALS = 64, /* capitals at the end of a line, */
    PAIR = 80,     /* two in a line of their own, */
    SMALL = 60,    /* and letters that are not capitals */
    RARE = 5       /* the weight of a word of two letters from which on it is one */
};

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

/* Behind the end of a sentence or a dash. */
static bool is_last_said(const tacit__word *word)
{
    enum { ENDS = TACIT__GAP_STOP | TACIT__GAP_END | TACIT__GAP_HYPHEN };
    return word->before & TACIT__GAP_SPACE && word->before & ENDS;
}

/* Behind the end of a sentence, a dash or as much blank as between columns; nothing of a line that
 * is in capitals all over. */
static bool is_set_apart(const tacit__document *document, size_t word)
{
    const tacit__word *here = &document->words[word];
    if (word == 0 || tacit__starts_line(here) || document->casing != TACIT__CASING_USUAL ||
        here[-1].shape == TACIT__SHAPE_CAPITALS)
        return false;
    return here->flags & TACIT__WORD_COLUMN || is_last_said(here);
}

/* Capitals that are no abbreviation or word of a list; letters with stops are none. */
static bool may_be_initials(const tacit__word *word)
{
    return word->shape == TACIT__SHAPE_INITIAL ||
           (word->shape == TACIT__SHAPE_CAPITALS && word->entry.lists == 0);
}

static void propose_signature(tacit__proposals *proposals, const tacit__document *document,
                              size_t first, size_t last, int likelihood, const char *rule)
{
    const tacit__proposal proposal = {.kind = TACIT_TEXT_INITIALS,
                                      .likelihood = (uint8_t)likelihood,
                                      .alone = TACIT__ALONE_ODD,
                                      .detector = "signed",
                                      .rule = rule};
    tacit__propose_words(proposals, document, first, last, proposal);
}

static void propose_capitals(tacit__proposals *proposals, const tacit__document *document,
                             size_t last)
{
    char letters[4];
    size_t first = first_initial(document, last);
    if (!may_be_initials(&document->words[last]) || !is_set_apart(document, first) ||
        tacit__initials_at(letters, document, first) != last + 1 - first)
        return;
    propose_signature(proposals, document, first, last, CAPITALS, "initials that end a line");
}

/* Two or three letters of one sort. */
static bool is_short(const tacit__word *word, tacit__word_shape shape)
{
    uint32_t letters = word->end - word->start;
    return word->shape == shape && letters >= 2 && letters <= 3;
}

/* Small ones that are no word, nor what notes write for one; of two letters, hardly a word. */
static bool is_small(const tacit__word *word)
{
    const uint32_t names = TACIT__LISTED(FIRST) | TACIT__LISTED(FEMALE) | TACIT__LISTED(MALE) |
                           TACIT__LISTED(NICK) | TACIT__LISTED(SURNAME) | TACIT__LISTED(CITY) |
                           TACIT__LISTED(OPENS);
    bool two = word->end - word->start == 2;
    uint32_t others = word->entry.lists & ~(two ? names | TACIT__LISTED(WORD) : names);
    return is_short(word, TACIT__SHAPE_LOWER) && others == 0 && word->entry.word < RARE;
}

/* The first word of a column that is not the first of its line. */
static bool starts_column(const tacit__word *word)
{
    return word->flags & TACIT__WORD_COLUMN && !tacit__starts_line(word);
}

/* "LV/EMC", "pbr:ac": all that a line or its last column has, and not "and/or". */
static bool is_pair(const tacit__word *first, const tacit__word *last)
{
    bool known = first->entry.lists != 0 && last->entry.lists != 0;
    if (first + 1 != last || (last->before != TACIT__GAP_SLASH && last->before != TACIT__GAP_COLON))
        return false;
    return (is_short(first, TACIT__SHAPE_CAPITALS) && is_short(last, TACIT__SHAPE_CAPITALS)) ||
           (is_short(first, TACIT__SHAPE_LOWER) && is_short(last, TACIT__SHAPE_LOWER) && !known);
}

/* Behind "by", what says the same, a colon or a slash with a blank. */
static bool is_by(const tacit__document *document, const tacit__word *word)
{
    static const tacit__listed_word by[] = {"by",     "typed",  "checked", "verified",
                                            "runner", "scribe", "vetted",  "signed",
                                            "tech",   "nurse",  ""};
    unsigned gap = word->before;
    return (gap & TACIT__GAP_SPACE && gap & (TACIT__GAP_COLON | TACIT__GAP_SLASH)) ||
           (gap == TACIT__GAP_SPACE && tacit__word_is_among(document, &word[-1], by));
}

/* Whether small letters that end a line or column are who wrote it: behind "by" and such, or set
 * apart. */
static bool is_signing(const tacit__document *document, size_t first, size_t last, bool apart)
{
    const tacit__word *word = &document->words[last];
    return is_small(word) && document->casing == TACIT__CASING_USUAL &&
           (apart || (last > first && is_by(document, word)));
}

/* The words of a line, or of its last column, from first to last. */
static void propose_line(tacit__proposals *proposals, const tacit__document *document, size_t first,
                         size_t last)
{
    const tacit__word *words = document->words;
    if (is_pair(&words[first], &words[last]) && document->casing != TACIT__CASING_CAPITALS)
        propose_signature(proposals, document, first, last, PAIR,
                          "initials in a line of their own");
    else if (is_signing(document, first, last,
                        starts_column(&words[last]) || is_last_said(&words[last])))
        propose_signature(proposals, document, last, last, SMALL, "letters that sign");
    else
        propose_capitals(proposals, document, last);
}

/* The words of a column that others follow: "by ekm", "Bloods: jb", or two small letters alone. */
static void propose_column(tacit__proposals *proposals, const tacit__document *document,
                           size_t first, size_t last)
{
    const tacit__word *word = &document->words[last];
    bool alone = first == last && word->flags & TACIT__WORD_COLUMN && word->end - word->start == 2;
    if (!is_signing(document, first, last, alone))
        return;
    propose_signature(proposals, document, last, last, SMALL, "letters that sign");
}

tacit_status tacit__signed_propose(tacit__proposals *proposals, const tacit__document *document,
                                   tacit_error *err)
{
    int64_t count = (int64_t)document->count, next;
    for (int64_t line = 0; line < count; line = next) {
        next = tacit__bit_next(document->lines, line + 1, count);
        bool ends = tacit__ends_line(document, (size_t)next - 1);
        (ends ? propose_line : propose_column)(proposals, document, (size_t)line, (size_t)next - 1);
    }
    return tacit__proposals_status(proposals, err);
}
