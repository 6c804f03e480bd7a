/*
 * find.c - known values in a text: one look-up a word says whether it is a name or opens
 * a phrase; words with digits are read on as numbers and dates, whatever parts them.
 *
 * Dates have three words: numbers parted by the same sign, or a month with its name.
 *
 * Two words that are one person's within three words, in either order, are a name: given name and
 * surname, or an initial, nickname or misspelling of one of them. A single word that is somebody's
 * name is one as far as what stands around it allows (text/read/forms.h), and less where so many
 * people are known that nearly every word is somebody's.
 *
 * Cost: linear in the words, whatever is known; nothing where nothing is. Six look-ups of a few
 * nanoseconds for a word that is a known surname; a misspelling is looked for only where a name is
 * likely: after a title, beside a known given name, or when the word is in no list.
 */
#include <string.h>

#include "base/ascii.h"
#include "text/known/index.h"
#include "text/lexicon/fold.h"
#include "text/read/forms.h"

/* ---- dates ---- */

typedef struct date_part {
    unsigned value, digits;
} date_part;

/* "26", "1986", "1st": up to four digits, then nothing or two letters. */
static bool read_part(date_part *part, const tacit__document *document, size_t at)
{
    tacit_strview text = tacit__word_text(document, &document->words[at]);
    *part = (date_part){0};
    while (part->digits < text.len && part->digits < 5 && tacit__is_digit(text.bytes[part->digits]))
        part->value = part->value * 10 + (unsigned)(text.bytes[part->digits++] - '0');
    return part->digits > 0 && part->digits <= 4 &&
           (text.len == part->digits || (part->digits <= 2 && text.len == part->digits + 2));
}

/* 1 to 12 for the name of a month or its first three letters, else 0. */
static unsigned month_of(const tacit__document *document, size_t at)
{
    static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    const tacit__word *word = &document->words[at];
    const char *bytes = document->text.bytes + word->start;
    if (!tacit__lexicon_in(&word->entry, TACIT__LIST_MONTH) || word->end - word->start < 3)
        return 0;
    char start[3] = {(char)(bytes[0] | 0x20), (char)(bytes[1] | 0x20), (char)(bytes[2] | 0x20)};
    for (unsigned month = 0; month < 12; month++)
        if (memcmp(names + 3 * month, start, 3) == 0)
            return month + 1;
    return 0;
}

static void add_reading(tacit__known_day *days, size_t *readings, const date_part *year,
                        unsigned month, unsigned day)
{
    if ((year->digits != 2 && year->digits != 4) || month < 1 || month > 12 || day < 1 || day > 31)
        return;
    tacit__known_day meant = (year->value % 100 * 16 + month) * 32 + day;
    if (*readings == 0 || days[0] != meant)
        days[(*readings)++] = meant;
}

/* Numbers: the year first, or last, after month and day in either order. */
static void read_numbers(tacit__known_day *days, size_t *readings, const tacit__document *document,
                         size_t at)
{
    const tacit__word *words = document->words + at;
    date_part part[3];
    bool joined = words[1].before == words[2].before &&
                  (words[1].before == TACIT__GAP_SLASH || words[1].before == TACIT__GAP_HYPHEN ||
                   words[1].before == TACIT__GAP_STOP);
    for (size_t i = 0; i < 3; i++)
        if (!joined || words[i].shape != TACIT__SHAPE_DIGITS ||
            !read_part(&part[i], document, at + i))
            return;
    if (part[0].digits == 4) {
        add_reading(days, readings, &part[0], part[1].value, part[2].value);
        return;
    }
    add_reading(days, readings, &part[2], part[0].value, part[1].value);
    add_reading(days, readings, &part[2], part[1].value, part[0].value);
}

/* "May 26, 1986", "26 May 1986", "26-MAY-86". */
static void read_named(tacit__known_day *days, size_t *readings, const tacit__document *document,
                       size_t at)
{
    enum {
        NEAR = TACIT__GAP_SPACE | TACIT__GAP_COMMA | TACIT__GAP_STOP | TACIT__GAP_HYPHEN |
               TACIT__GAP_SLASH
    };
    const tacit__word *words = document->words + at;
    date_part day, year;
    unsigned first = month_of(document, at), second = month_of(document, at + 1);
    if ((words[1].before | words[2].before) & ~NEAR || (!first && !second))
        return;
    if (read_part(&day, document, first ? at + 1 : at) && read_part(&year, document, at + 2) &&
        words[2].shape == TACIT__SHAPE_DIGITS)
        add_reading(days, readings, &year, first ? first : second, day.value);
}

size_t tacit__known_date_at(tacit__known_day days[TACIT__KNOWN_READINGS], size_t *readings,
                            const tacit__document *document, size_t at)
{
    *readings = 0;
    if (at + 3 > document->count)
        return 0;
    read_numbers(days, readings, document, at);
    if (*readings == 0)
        read_named(days, readings, document, at);
    return *readings > 0 ? 3 : 0;
}

/* ---- proposals ---- */

typedef struct known_reader {
    tacit__proposals *proposals;
    const tacit__known *known;
    const tacit__document *document;
    size_t named; /* words before this one are part of a name that was found */
} known_reader;

/* Words from `from` up to but not including `to`; a likelihood of 0 proposes nothing. */
static void propose_known(known_reader *reader, size_t from, size_t to, tacit_text_kind kind,
                          int likelihood, const char *rule)
{
    const tacit__proposal proposal = {.kind = (uint8_t)kind,
                                      .likelihood = (uint8_t)likelihood,
                                      .detector = "known",
                                      .rule = rule};
    if (likelihood <= 0)
        return;
    tacit__propose_words(reader->proposals, reader->document, from, to - 1, proposal);
}

/* ---- names ---- */

enum {
    REACH = 3,    /* words from surname to given name */
    CROWD = 5000, /* people; with more, a lone name says little */
    EXACT = 99,   /* likelihoods of full names */
    BY_NICKNAME = 98,
    BY_INITIAL = 97,
    BY_MISSPELLING = 97,
    LONE = 85,
    LONE_MIDDLE = 70,
    LONE_NICKNAME = 75,
    ADDRESSED = 80, /* "Dear Dr. Lang" */
    UNLISTED = 62,  /* "Westno", without a title */
    UNLISTED_LETTERS = 5,
    MAX_FREQUENT = 7, /* weight of words */
    COMMON_NAME = 6   /* weight of names that are hardly anything else */
};

static const char full_rule[] = "known name";

static const tacit__word *word_at(const known_reader *reader, size_t at)
{
    return &reader->document->words[at];
}

static bool is_pair(const known_reader *reader, uint64_t given, uint64_t surname)
{
    return tacit__boolean_has(tacit__boolean_view_of(&reader->known->pairs),
                              tacit__known_pair(given, surname));
}

static bool is_crowd(const known_reader *reader)
{
    return reader->known->people > CROWD;
}

static bool fold_at(tacit__folded *folded, const known_reader *reader, size_t at)
{
    return tacit__text_fold(folded, tacit__word_text(reader->document, word_at(reader, at)));
}

/* ---- full names ---- */

/* "P." of "Virginia P. Weston", or another name. */
static bool is_within_name(const known_reader *reader, size_t at)
{
    const tacit__document *document = reader->document;
    const tacit__word *word = word_at(reader, at);
    return word->shape == TACIT__SHAPE_INITIAL || tacit__is_particle(document, at) ||
           (document->casing == TACIT__CASING_USUAL && tacit__is_name_shaped(document, at)) ||
           tacit__known_what(&reader->known->words, word->key) & TACIT__AS_NAME;
}

/* Whether words from low to high can be one name: no sentence ends between them, and those in
 * the middle are parts of a name. */
static bool is_joined(const known_reader *reader, size_t low, size_t high)
{
    enum {
        PARTS = TACIT__GAP_PARAGRAPH | TACIT__GAP_END | TACIT__GAP_COLON | TACIT__GAP_SLASH |
                TACIT__GAP_OTHER
    };
    for (size_t i = low + 1; i <= high; i++) {
        const tacit__word *word = word_at(reader, i);
        if (word->before & PARTS || word->flags & TACIT__WORD_SENTENCE || tacit__has_digits(word))
            return false;
        if (i < high && !is_within_name(reader, i))
            return false;
    }
    return true;
}

/* A comma stands only before a given name that comes after the surname; without one that
 * order is rare, and an initial does not follow. */
static bool is_ordered(const known_reader *reader, size_t given, size_t surname)
{
    size_t low = given < surname ? given : surname, high = given < surname ? surname : given;
    unsigned commas = 0;
    for (size_t i = low + 1; i <= high; i++)
        commas += (word_at(reader, i)->before & TACIT__GAP_COMMA) != 0;
    if (given < surname)
        return commas == 0;
    if (commas == 0)
        return given == surname + 1 && word_at(reader, given)->shape != TACIT__SHAPE_INITIAL &&
               !(word_at(reader, given)->before & TACIT__GAP_LINE);
    return commas == 1 && word_at(reader, surname + 1)->before & TACIT__GAP_COMMA;
}

static bool is_plain_word(const known_reader *reader, size_t at)
{
    return word_at(reader, at)->entry.word > 0;
}

/* Capitals say nothing here, and one or both of the words are words of the language: among
 * thousands of people there is always one called so. */
static int caseless_trust(const known_reader *reader, size_t given, size_t surname, int plain)
{
    bool frequent = word_at(reader, given)->entry.word == MAX_FREQUENT ||
                    word_at(reader, surname)->entry.word == MAX_FREQUENT;
    if (is_crowd(reader) && (plain == 2 || frequent))
        return 40;
    return plain == 2 ? 60 : 92;
}

/* How far two words that are one person's names are to be taken for them: "may will" is not,
 * nor is "I May". */
static int full_trust(const known_reader *reader, size_t given, size_t surname)
{
    const tacit__document *document = reader->document;
    bool initial = word_at(reader, given)->shape == TACIT__SHAPE_INITIAL;
    int plain = is_plain_word(reader, surname) + (!initial && is_plain_word(reader, given));
    bool shaped = tacit__is_name_shaped(document, surname) &&
                  (initial || tacit__is_name_shaped(document, given));
    if (initial && !shaped)
        return 0;
    if (initial && plain && given + 1 < document->count &&
        !(word_at(reader, given + 1)->before & TACIT__GAP_STOP))
        return 0;
    bool capitals = word_at(reader, surname)->shape == TACIT__SHAPE_CAPITALS;
    if (document->casing != TACIT__CASING_USUAL || (capitals && plain == 2))
        return plain == 0 ? 100 : caseless_trust(reader, given, surname, plain);
    if (!shaped)
        return plain > 0 ? 0 : 95;
    return 100;
}

/* The likelihood that the word is a given name of the person with the surname, 0 if not. */
static int given_likelihood(const known_reader *reader, size_t at, uint64_t surname)
{
    const tacit__word *word = word_at(reader, at);
    tacit_strview formal[TACIT__KNOWN_FORMAL];
    if (is_pair(reader, word->key, surname))
        return word->shape == TACIT__SHAPE_INITIAL ? BY_INITIAL : EXACT;
    if (!tacit__lexicon_in(&word->entry, TACIT__LIST_NICK))
        return 0;
    size_t count = tacit__lexicon_formal(formal, TACIT__KNOWN_FORMAL,
                                         tacit__word_text(reader->document, word));
    for (size_t i = 0; i < count; i++)
        if (is_pair(reader, tacit__word_key(formal[i]), surname))
            return BY_NICKNAME;
    return 0;
}

/* The same for a given name that is misspelt. */
static int misspelt_likelihood(const known_reader *reader, size_t at, uint64_t surname)
{
    tacit__folded folded;
    uint64_t near[TACIT__KNOWN_NEAR];
    const tacit__word *word = word_at(reader, at);
    if (word->shape == TACIT__SHAPE_INITIAL || !tacit__is_name_shaped(reader->document, at) ||
        tacit__known_what(&reader->known->words, word->key) & TACIT__AS_FIRST ||
        !fold_at(&folded, reader, at))
        return 0;
    size_t count = tacit__known_near_find(near, &reader->known->near, tacit__folded_view(&folded));
    for (size_t i = 0; i < count; i++)
        if (is_pair(reader, near[i], surname))
            return BY_MISSPELLING;
    return 0;
}

typedef int (*given_test)(const known_reader *reader, size_t at, uint64_t surname);

typedef struct known_full {
    size_t given;
    int likelihood;
} known_full;

/* The likeliest given name to the surname; of equal ones the first, so that a middle name is
 * within. */
static known_full find_given(const known_reader *reader, size_t surname, uint64_t key, size_t reach,
                             given_test test)
{
    known_full full = {0};
    for (size_t side = 0; side < 2; side++)
        for (size_t step = 1; step <= reach; step++) {
            size_t at = side == 0 ? surname - step : surname + step;
            if (side == 0 ? step > surname : at >= reader->document->count)
                break;
            if (!is_joined(reader, side ? surname : at, side ? at : surname))
                break;
            int likelihood = is_ordered(reader, at, surname) ? test(reader, at, key) : 0;
            likelihood = likelihood * (likelihood ? full_trust(reader, at, surname) : 0) / 100;
            if (likelihood > full.likelihood || (side == 0 && likelihood == full.likelihood))
                full = (known_full){.given = at, .likelihood = likelihood};
        }
    return full;
}

static bool is_initial_of(const known_reader *reader, size_t at, unsigned gaps)
{
    const tacit__word *word = word_at(reader, at);
    return word->shape == TACIT__SHAPE_INITIAL && !(word->before & ~gaps);
}

/* With the initials beside it, and the rest of a surname with a hyphen. */
static void propose_full(known_reader *reader, size_t surname, const known_full *full,
                         const char *rule)
{
    const tacit__document *document = reader->document;
    bool after = full->given > surname;
    size_t low = after ? surname : full->given, high = after ? full->given : surname;
    while (high + 1 < document->count && high < low + TACIT__NAME_WORDS &&
           (after ? is_initial_of(reader, high + 1, TACIT__GAP_SPACE | TACIT__GAP_STOP)
                  : word_at(reader, high + 1)->before == TACIT__GAP_HYPHEN &&
                        tacit__is_name_shaped(document, high + 1)))
        high++;
    while (!after && low > 0 && word_at(reader, low)->before & TACIT__GAP_STOP &&
           word_at(reader, low - 1)->shape == TACIT__SHAPE_INITIAL &&
           !(word_at(reader, low)->before & ~(TACIT__GAP_STOP | TACIT__GAP_SPACE)) &&
           high < low + TACIT__NAME_WORDS)
        low--;
    reader->named = high + 1;
    propose_known(reader, low, high + 1, TACIT_TEXT_FULL_NAME, full->likelihood, rule);
}

/* ---- single names ---- */

/* Whether the lists have the word rather as something else than a name. */
static bool is_other(const tacit__lexicon_entry *entry)
{
    static const uint32_t regions =
        TACIT__LISTED(STATE) | TACIT__LISTED(COUNTRY) | TACIT__LISTED(NATIONALITY);
    static const uint32_t others = TACIT__LISTED(ORGANIZATION) | TACIT__LISTED(HOSPITAL) |
                                   TACIT__LISTED(UNIVERSITY) | TACIT__LISTED(EPONYM) |
                                   TACIT__LISTED(TITLE) | TACIT__LISTED(STREET) |
                                   TACIT__LISTED(OCCUPATION);
    int name = entry->first > entry->surname ? entry->first : entry->surname;
    bool city = tacit__lexicon_in(entry, TACIT__LIST_PLACE) && entry->city >= name;
    return entry->lists & regions || city || (entry->word > 0 && entry->word >= name) ||
           (entry->lists & others && name < COMMON_NAME);
}

/* Where thousands of people are known, nearly every word is somebody's name: one that is
 * something else, too, or in lower case, is left to other evidence. */
static int crowd_percent(const known_reader *reader, size_t at)
{
    if (!is_crowd(reader) || tacit__is_addressed(reader->document, at))
        return 100;
    if (!tacit__is_name_shaped(reader->document, at))
        return 40;
    return is_other(&word_at(reader, at)->entry) ? 55 : 100;
}

static int lone_likelihood(const known_reader *reader, size_t at, int base)
{
    int trust = tacit__name_trust(reader->document, at);
    return trust ? base * trust / 100 * crowd_percent(reader, at) / 100 : 0;
}

static void propose_lone(known_reader *reader, size_t at, unsigned what)
{
    const tacit__lexicon_entry *entry = &word_at(reader, at)->entry;
    bool last =
        what & TACIT__AS_LAST && (!(what & TACIT__AS_FIRST) || entry->surname >= entry->first ||
                                  tacit__is_addressed(reader->document, at));
    bool middle = !(what & (TACIT__AS_FIRST | TACIT__AS_LAST));
    int likelihood = lone_likelihood(reader, at, middle ? LONE_MIDDLE : LONE);
    propose_known(reader, at, at + 1, last ? TACIT_TEXT_LAST_NAME : TACIT_TEXT_FIRST_NAME,
                  likelihood, last ? "known last name" : "known first name");
}

static void find_nickname(known_reader *reader, size_t at)
{
    tacit_strview formal[TACIT__KNOWN_FORMAL];
    size_t count = tacit__lexicon_formal(formal, TACIT__KNOWN_FORMAL,
                                         tacit__word_text(reader->document, word_at(reader, at)));
    for (size_t i = 0; i < count; i++)
        if (tacit__known_what(&reader->known->words, tacit__word_key(formal[i])) &
            TACIT__AS_FIRST) {
            propose_known(reader, at, at + 1, TACIT_TEXT_NICK_NAME,
                          lone_likelihood(reader, at, LONE_NICKNAME), "nickname of a known name");
            break;
        }
}

/* ---- misspelt surnames ---- */

static bool is_beside_given(const known_reader *reader, size_t at)
{
    const tacit__word *before = at > 0 ? word_at(reader, at - 1) : NULL;
    const tacit__word *after = at + 1 < reader->document->count ? word_at(reader, at + 1) : NULL;
    if (before && (before->shape == TACIT__SHAPE_INITIAL ||
                   tacit__known_what(&reader->known->words, before->key) & TACIT__AS_FIRST))
        return true;
    return after && after->before & TACIT__GAP_COMMA &&
           tacit__known_what(&reader->known->words, after->key) & TACIT__AS_FIRST;
}

static void find_misspelt(known_reader *reader, size_t at)
{
    tacit__folded folded;
    uint64_t near[TACIT__KNOWN_NEAR];
    bool addressed = tacit__is_addressed(reader->document, at);
    bool unlisted = word_at(reader, at)->entry.lists == 0 && !is_crowd(reader) &&
                    reader->document->casing == TACIT__CASING_USUAL;
    bool surname = false;
    if ((!addressed && !unlisted && !is_beside_given(reader, at)) || !fold_at(&folded, reader, at))
        return;
    size_t count = tacit__known_near_find(near, &reader->known->near, tacit__folded_view(&folded));
    for (size_t i = 0; i < count; i++) {
        if (!(tacit__known_what(&reader->known->words, near[i]) & TACIT__AS_LAST))
            continue;
        surname = true;
        known_full full = find_given(reader, at, near[i], REACH, given_likelihood);
        full.likelihood = full.likelihood > BY_MISSPELLING ? BY_MISSPELLING : full.likelihood;
        if (full.likelihood > 0) {
            propose_full(reader, at, &full, "known name, misspelt");
            return;
        }
    }
    int likelihood = !surname                                     ? 0
                     : addressed                                  ? ADDRESSED
                     : unlisted && folded.len >= UNLISTED_LETTERS ? UNLISTED
                                                                  : 0;
    propose_known(reader, at, at + 1, TACIT_TEXT_LAST_NAME, likelihood,
                  "known last name, misspelt");
}

/* "the Westons". */
static void find_plural(known_reader *reader, size_t at)
{
    static const char *const rules[TACIT__PLURALS] = {tacit__plural_s, tacit__plural_es};
    uint64_t keys[TACIT__PLURALS];
    size_t count =
        tacit__has_article(reader->document, at) ? tacit__plural_of(keys, reader->document, at) : 0;
    for (size_t i = 0; i < count; i++)
        if (tacit__known_what(&reader->known->words, keys[i]) & TACIT__AS_LAST) {
            propose_known(reader, at, at + 1, TACIT_TEXT_LAST_NAME, EXACT, rules[i]);
            break;
        }
}

/* The name with the surname at the word; false where no given name is near. */
static bool find_full_name(known_reader *reader, size_t at)
{
    uint64_t key = word_at(reader, at)->key;
    const char *rule = full_rule;
    known_full full = find_given(reader, at, key, REACH, given_likelihood);
    if (full.likelihood <= 0) {
        full = find_given(reader, at, key, 1, misspelt_likelihood);
        rule = "known name, misspelt";
    }
    if (full.likelihood > 0)
        propose_full(reader, at, &full, rule);
    return full.likelihood > 0;
}

/* A name at the word; what is what the tables say of the word itself. */
static void find_name(known_reader *reader, size_t at, unsigned what)
{
    const tacit__proposals *proposals = reader->proposals;
    bool surname = what & (TACIT__AS_LAST | TACIT__AS_MIDDLE) && reader->known->pairs.blocks > 0;
    if ((surname && find_full_name(reader, at)) || at < reader->named)
        return;
    if (what & TACIT__AS_NAME) {
        propose_lone(reader, at, what);
        return;
    }
    if (!tacit__is_name_shaped(reader->document, at))
        return;
    size_t before = proposals->count;
    find_plural(reader, at);
    if (proposals->count == before &&
        tacit__lexicon_in(&word_at(reader, at)->entry, TACIT__LIST_NICK))
        find_nickname(reader, at);
    if (proposals->count == before && reader->known->near.buckets > 0)
        find_misspelt(reader, at);
}

/* ---- phrases, numbers, dates, initials ---- */

enum { PHRASE = 97, LONE_WORD = 85, DATE = 97, INITIALS = 85 };

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
static void find_phrase(known_reader *reader, size_t at)
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
        return;
    propose_known(reader, at, end, kind, phrase_likelihood(document, at, end), "known words");
}

/* Few digits are many things. */
static int number_likelihood(unsigned digits)
{
    static const int likelihood[] = {0, 0, 0, 0, 55, 75, 90, 90};
    return digits < sizeof likelihood / sizeof likelihood[0] ? likelihood[digits] : 98;
}

static void find_number(known_reader *reader, size_t at)
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
        return;
    propose_known(reader, at, longest, kind, number_likelihood(digits), "known number");
}

static void find_date(known_reader *reader, size_t at)
{
    tacit__known_day days[TACIT__KNOWN_READINGS];
    size_t readings, words = tacit__known_date_at(days, &readings, reader->document, at);
    for (size_t i = 0; i < readings; i++)
        if (tacit__known_what(&reader->known->words, tacit__mix(days[i]) ^ TACIT__KNOWN_DATE)) {
            propose_known(reader, at, at + words, TACIT_TEXT_DATE, DATE, "known date");
            break;
        }
}

/* The more of all initials are somebody's, the less they say, but where they close a letter. */
static void find_initials(known_reader *reader, size_t at)
{
    char letters[4];
    const tacit__known_initials *initials = &reader->known->initials;
    size_t words = tacit__initials_at(letters, reader->document, at);
    if (words == 0 || !tacit__known_initials_has(initials, letters))
        return;
    int trust = tacit__initials_trust(reader->document, at, words, letters);
    int others = 100 - (int)(initials->threes * 100 / (26 * 26 * 26));
    propose_known(reader, at, at + words, TACIT_TEXT_INITIALS,
                  INITIALS * (trust < 95 ? trust * others / 100 : trust) / 100,
                  "initials of a known name");
}

static void find_with_digits(known_reader *reader, size_t at)
{
    const tacit__known *known = reader->known;
    const tacit__word *word = &reader->document->words[at];
    if (known->numbers)
        find_number(reader, at);
    if (known->dates)
        find_date(reader, at);
    if (known->phrases && tacit__known_what(&known->words, word->key) & TACIT__KNOWN_OPENS)
        find_phrase(reader, at);
}

static void find_at(known_reader *reader, size_t at)
{
    const tacit__known *known = reader->known;
    const tacit__word *word = &reader->document->words[at];
    if (tacit__has_digits(word)) {
        find_with_digits(reader, at);
        return;
    }
    unsigned what = tacit__known_what(&known->words, word->key);
    if (what & TACIT__KNOWN_OPENS)
        find_phrase(reader, at);
    if (known->dates && tacit__lexicon_in(&word->entry, TACIT__LIST_MONTH))
        find_date(reader, at);
    if (known->letters &&
        (word->shape == TACIT__SHAPE_INITIAL || word->shape == TACIT__SHAPE_CAPITALS))
        find_initials(reader, at);
    if (known->names && word->shape != TACIT__SHAPE_INITIAL)
        find_name(reader, at, what);
}

/* Plain words open phrases, "ginny@weston.org", and are nothing else. */
static inline void find_in_plain(known_reader *reader, size_t at)
{
    const tacit__known *known = reader->known;
    if (known->phrases &&
        tacit__known_what(&known->words, reader->document->words[at].key) & TACIT__KNOWN_OPENS)
        find_phrase(reader, at);
}

tacit_status tacit__known_propose(tacit__proposals *proposals, const tacit__known *known,
                                  const tacit__document *document, tacit_error *err)
{
    known_reader reader = {.proposals = proposals, .known = known, .document = document};
    if (known->words.count == 0 && !known->letters)
        return TACIT_OK;
    for (size_t i = 0; i < document->count; i++)
        if (tacit__is_plain(document, i))
            find_in_plain(&reader, i);
        else
            find_at(&reader, i);
    return tacit__proposals_status(proposals, err);
}
