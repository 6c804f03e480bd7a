/*
 * find.c - known values in a text: one look-up a word says whether it is a name or opens
 * a phrase; words with digits are read on as numbers and dates, whatever parts them. Names are
 * the work of names.c.
 *
 * Cost: linear in the words, whatever is known; nothing where nothing is.
 */
#include "text/known/find.h"

#include "text/known/dates.h"
#include "text/read/forms.h"

enum { PHRASE = 97, LONE_WORD = 85, DATE = 97, INITIALS = 85 };

tacit_status tacit__known_add(tacit__known_reader *reader, size_t from, size_t to,
                              tacit_text_kind kind, int likelihood, const char *rule)
{
    const tacit__proposal proposal = {.kind = (uint8_t)kind,
                                      .likelihood = (uint8_t)likelihood,
                                      .detector = "known",
                                      .rule = rule};
    if (likelihood <= 0)
        return TACIT_OK;
    return tacit__propose_words(reader->proposals, reader->document, from, to - 1, proposal,
                                reader->err);
}

/* A phrase of words of the language is one only where it is written as a name. */
static int phrase_likelihood(const tacit__document *document, size_t from, size_t to)
{
    bool told = false;
    if (to == from + 1 && !tacit__has_digits(&document->words[from]))
        return LONE_WORD * tacit__name_trust(document, from) / 100;
    for (size_t i = from; i < to; i++) {
        const tacit__word *word = &document->words[i];
        told |= tacit__has_digits(word) || word->entry.word == 0 ||
                (document->casing == TACIT__CASING_USUAL && tacit__is_name_shaped(document, i));
    }
    return told ? PHRASE : 45;
}

/* The longest phrase that begins at the word. */
static tacit_status find_phrase(tacit__known_reader *reader, size_t at)
{
    enum { PARTS = TACIT__GAP_PARAGRAPH | TACIT__GAP_END };
    const tacit__document *document = reader->document;
    uint64_t phrase = 0;
    unsigned kind = 0;
    size_t end = at;
    for (size_t i = at; i < document->count && i < at + TACIT__KNOWN_PHRASE_WORDS; i++) {
        if (i > at && document->words[i].before & PARTS)
            break;
        phrase = tacit__known_phrase_add(phrase, &document->words[i]);
        unsigned what = tacit__known_what(&reader->known->words, phrase ^ TACIT__KNOWN_PHRASE);
        if (what >> TACIT__KNOWN_KIND) {
            kind = what >> TACIT__KNOWN_KIND;
            end = i + 1;
        }
    }
    if (end == at)
        return TACIT_OK;
    return tacit__known_add(reader, at, end, kind, phrase_likelihood(document, at, end),
                            "known words");
}

/* Few digits are many things. */
static int number_likelihood(unsigned digits)
{
    static const int likelihood[] = {0, 0, 0, 0, 55, 75, 90, 90};
    return digits < sizeof likelihood / sizeof likelihood[0] ? likelihood[digits] : 98;
}

static tacit_status find_number(tacit__known_reader *reader, size_t at)
{
    tacit__number number = {0};
    unsigned kind = 0, digits = 0;
    size_t end = at, longest = at;
    while (tacit__number_next(&number, &end, reader->document, at)) {
        if (!tacit__has_digits(&reader->document->words[end - 1]))
            continue;
        unsigned what = tacit__known_what(&reader->known->words,
                                          tacit__number_key(&number) ^ TACIT__KNOWN_NUMBER);
        if (what >> TACIT__KNOWN_KIND) {
            kind = what >> TACIT__KNOWN_KIND;
            digits = number.digits;
            longest = end;
        }
    }
    if (longest == at)
        return TACIT_OK;
    return tacit__known_add(reader, at, longest, kind, number_likelihood(digits), "known number");
}

static tacit_status find_date(tacit__known_reader *reader, size_t at)
{
    tacit__known_day days[TACIT__KNOWN_READINGS];
    size_t readings, words = tacit__known_date_at(days, &readings, reader->document, at);
    for (size_t i = 0; i < readings; i++)
        if (tacit__known_what(&reader->known->words, tacit__mix(days[i]) ^ TACIT__KNOWN_DATE))
            return tacit__known_add(reader, at, at + words, TACIT_TEXT_DATE, DATE, "known date");
    return TACIT_OK;
}

/* The more of all initials are somebody's, the less they say, but where they close a letter. */
static tacit_status find_initials(tacit__known_reader *reader, size_t at)
{
    char letters[4];
    const tacit__known_initials *initials = &reader->known->initials;
    size_t words = tacit__initials_at(letters, reader->document, at);
    if (words == 0 || !tacit__known_initials_has(initials, letters))
        return TACIT_OK;
    int trust = tacit__initials_trust(reader->document, at, words, letters);
    int others = 100 - (int)(initials->threes * 100 / (26 * 26 * 26));
    return tacit__known_add(reader, at, at + words, TACIT_TEXT_INITIALS,
                            INITIALS * (trust < 95 ? trust * others / 100 : trust) / 100,
                            "initials of a known name");
}

static tacit_status find_with_digits(tacit__known_reader *reader, size_t at)
{
    const tacit__known *known = reader->known;
    const tacit__word *word = &reader->document->words[at];
    tacit_status status = TACIT_OK;
    if (known->numbers)
        status = find_number(reader, at);
    if (status == TACIT_OK && known->dates)
        status = find_date(reader, at);
    if (status == TACIT_OK && known->phrases &&
        tacit__known_what(&known->words, word->key) & TACIT__KNOWN_OPENS)
        status = find_phrase(reader, at);
    return status;
}

static tacit_status find_at(tacit__known_reader *reader, size_t at)
{
    const tacit__known *known = reader->known;
    const tacit__word *word = &reader->document->words[at];
    tacit_status status = TACIT_OK;
    if (tacit__has_digits(word))
        return find_with_digits(reader, at);
    unsigned what = tacit__known_what(&known->words, word->key);
    if (what & TACIT__KNOWN_OPENS)
        status = find_phrase(reader, at);
    if (status == TACIT_OK && known->dates && tacit__lexicon_in(&word->entry, TACIT__LIST_MONTH))
        status = find_date(reader, at);
    if (status == TACIT_OK && known->letters &&
        (word->shape == TACIT__SHAPE_INITIAL || word->shape == TACIT__SHAPE_CAPITALS))
        status = find_initials(reader, at);
    if (status == TACIT_OK && known->names && word->shape != TACIT__SHAPE_INITIAL)
        status = tacit__known_find_name(reader, at, what);
    return status;
}

/* Plain words open phrases, "ginny@weston.org", and are nothing else. */
static inline tacit_status find_in_plain(tacit__known_reader *reader, size_t at)
{
    const tacit__known *known = reader->known;
    if (!known->phrases ||
        !(tacit__known_what(&known->words, reader->document->words[at].key) & TACIT__KNOWN_OPENS))
        return TACIT_OK;
    return find_phrase(reader, at);
}

tacit_status tacit__known_propose(tacit__proposals *proposals, const tacit__known *known,
                                  const tacit__document *document, tacit_error *err)
{
    tacit__known_reader reader = {
        .proposals = proposals, .known = known, .document = document, .err = err};
    tacit_status status = TACIT_OK;
    if (known->words.count == 0 && !known->letters)
        return TACIT_OK;
    for (size_t i = 0; status == TACIT_OK && i < document->count; i++)
        status = tacit__is_plain(document, i) ? find_in_plain(&reader, i) : find_at(&reader, i);
    return status;
}
