/*
 * names.c - known people in a text. Two words that are one person's within three words,
 * in either order, are a name: given name and surname, or an initial, nickname or misspelling
 * of one of them. A single word that is somebody's name is one as far as what stands around
 * it allows (text/read/forms.h), and less where so many people are known that nearly every word is
 * somebody's.
 *
 * Cost: six look-ups of a few nanoseconds for a word that is a known surname; a misspelling is
 * looked for only where a name is likely: after a title, beside a known given name, or when
 * the word is in no list.
 */
#include "text/known/find.h"
#include "text/lexicon/fold.h"
#include "text/read/forms.h"

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
    MOST_FREQUENT = 7, /* weight of words */
    COMMON_NAME = 6    /* weight of names that are hardly anything else */
};

static const char full_rule[] = "known name";

static const tacit__word *word_at(const tacit__known_reader *reader, size_t at)
{
    return &reader->document->words[at];
}

static bool is_pair(const tacit__known_reader *reader, uint64_t given, uint64_t surname)
{
    return tacit__boolean_has(tacit__boolean_view_of(&reader->known->pairs),
                              tacit__known_pair(given, surname));
}

static bool is_crowd(const tacit__known_reader *reader)
{
    return reader->known->people > CROWD;
}

static bool fold_at(tacit__folded *folded, const tacit__known_reader *reader, size_t at)
{
    return tacit__text_fold(folded, tacit__word_text(reader->document, word_at(reader, at)));
}

/* ---- full names ---- */

/* "P." of "Virginia P. Weston", or another name. */
static bool is_within_name(const tacit__known_reader *reader, size_t at)
{
    const tacit__document *document = reader->document;
    const tacit__word *word = word_at(reader, at);
    return word->shape == TACIT__SHAPE_INITIAL || tacit__is_particle(document, at) ||
           (document->casing == TACIT__CASING_USUAL && tacit__is_name_shaped(document, at)) ||
           tacit__known_what(&reader->known->words, word->key) & TACIT__AS_NAME;
}

/* Whether words from low to high can be one name: no sentence ends between them, and those in
 * the middle are parts of a name. */
static bool is_joined(const tacit__known_reader *reader, size_t low, size_t high)
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
static bool is_ordered(const tacit__known_reader *reader, size_t given, size_t surname)
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

static bool is_plain_word(const tacit__known_reader *reader, size_t at)
{
    return word_at(reader, at)->entry.word > 0;
}

/* Capitals say nothing here, and one or both of the words are words of the language: among
 * thousands of people there is always one called so. */
static int caseless_trust(const tacit__known_reader *reader, size_t given, size_t surname,
                          int plain)
{
    bool frequent = word_at(reader, given)->entry.word == MOST_FREQUENT ||
                    word_at(reader, surname)->entry.word == MOST_FREQUENT;
    if (is_crowd(reader) && (plain == 2 || frequent))
        return 40;
    return plain == 2 ? 60 : 92;
}

/* How far two words that are one person's names are to be taken for them: "may will" is not,
 * nor is "I May". */
static int full_trust(const tacit__known_reader *reader, size_t given, size_t surname)
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
static int given_likelihood(const tacit__known_reader *reader, size_t at, uint64_t surname)
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
static int misspelt_likelihood(const tacit__known_reader *reader, size_t at, uint64_t surname)
{
    tacit__folded folded;
    uint64_t near[TACIT__KNOWN_NEAR];
    const tacit__word *word = word_at(reader, at);
    if (word->shape == TACIT__SHAPE_INITIAL || !tacit__is_name_shaped(reader->document, at) ||
        tacit__known_what(&reader->known->words, word->key) & TACIT__AS_FIRST ||
        !fold_at(&folded, reader, at))
        return 0;
    size_t count = tacit__known_near_find(
        near, &reader->known->near, (tacit_strview){.bytes = folded.bytes, .len = folded.len});
    for (size_t i = 0; i < count; i++)
        if (is_pair(reader, near[i], surname))
            return BY_MISSPELLING;
    return 0;
}

typedef int (*given_test)(const tacit__known_reader *reader, size_t at, uint64_t surname);

typedef struct known_full {
    size_t given;
    int likelihood;
} known_full;

/* The likeliest given name to the surname; of equal ones the first, so that a middle name is
 * within. */
static known_full find_given(const tacit__known_reader *reader, size_t surname, uint64_t key,
                             size_t reach, given_test test)
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

static bool is_initial_of(const tacit__known_reader *reader, size_t at, unsigned gaps)
{
    const tacit__word *word = word_at(reader, at);
    return word->shape == TACIT__SHAPE_INITIAL && !(word->before & ~gaps);
}

/* With the initials beside it, and the rest of a surname with a hyphen. */
static tacit_status propose_full(tacit__known_reader *reader, size_t surname,
                                 const known_full *full, const char *rule)
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
    return tacit__known_add(reader, low, high + 1, TACIT_TEXT_FULL_NAME, full->likelihood, rule);
}

/* ---- single names ---- */

/* Whether the lists have the word rather as something else than a name. */
static bool is_other(const tacit__lexicon_entry *entry)
{
    static const uint32_t regions = TACIT__LIST_BIT(TACIT__LIST_STATE) |
                                    TACIT__LIST_BIT(TACIT__LIST_COUNTRY) |
                                    TACIT__LIST_BIT(TACIT__LIST_NATIONALITY);
    static const uint32_t others =
        TACIT__LIST_BIT(TACIT__LIST_ORGANIZATION) | TACIT__LIST_BIT(TACIT__LIST_HOSPITAL) |
        TACIT__LIST_BIT(TACIT__LIST_UNIVERSITY) | TACIT__LIST_BIT(TACIT__LIST_EPONYM) |
        TACIT__LIST_BIT(TACIT__LIST_TITLE) | TACIT__LIST_BIT(TACIT__LIST_STREET) |
        TACIT__LIST_BIT(TACIT__LIST_OCCUPATION);
    int name = entry->first > entry->surname ? entry->first : entry->surname;
    bool city = tacit__lexicon_in(entry, TACIT__LIST_PLACE) && entry->city >= name;
    return entry->lists & regions || city || (entry->word > 0 && entry->word >= name) ||
           (entry->lists & others && name < COMMON_NAME);
}

/* Where thousands of people are known, nearly every word is somebody's name: one that is
 * something else, too, or in lower case, is left to other evidence. */
static int crowd_percent(const tacit__known_reader *reader, size_t at)
{
    if (!is_crowd(reader) || tacit__is_addressed(reader->document, at))
        return 100;
    if (!tacit__is_name_shaped(reader->document, at))
        return 40;
    return is_other(&word_at(reader, at)->entry) ? 55 : 100;
}

static int lone_likelihood(const tacit__known_reader *reader, size_t at, int base)
{
    int trust = tacit__name_trust(reader->document, at);
    return trust ? base * trust / 100 * crowd_percent(reader, at) / 100 : 0;
}

static tacit_status propose_lone(tacit__known_reader *reader, size_t at, unsigned what)
{
    const tacit__lexicon_entry *entry = &word_at(reader, at)->entry;
    bool last =
        what & TACIT__AS_LAST && (!(what & TACIT__AS_FIRST) || entry->surname >= entry->first ||
                                  tacit__is_addressed(reader->document, at));
    bool middle = !(what & (TACIT__AS_FIRST | TACIT__AS_LAST));
    int likelihood = lone_likelihood(reader, at, middle ? LONE_MIDDLE : LONE);
    return tacit__known_add(reader, at, at + 1, last ? TACIT_TEXT_LAST_NAME : TACIT_TEXT_FIRST_NAME,
                            likelihood, last ? "known last name" : "known first name");
}

static tacit_status find_nickname(tacit__known_reader *reader, size_t at)
{
    tacit_strview formal[TACIT__KNOWN_FORMAL];
    size_t count = tacit__lexicon_formal(formal, TACIT__KNOWN_FORMAL,
                                         tacit__word_text(reader->document, word_at(reader, at)));
    for (size_t i = 0; i < count; i++)
        if (tacit__known_what(&reader->known->words, tacit__word_key(formal[i])) & TACIT__AS_FIRST)
            return tacit__known_add(reader, at, at + 1, TACIT_TEXT_NICK_NAME,
                                    lone_likelihood(reader, at, LONE_NICKNAME),
                                    "nickname of a known name");
    return TACIT_OK;
}

/* ---- misspelt surnames ---- */

static bool is_beside_given(const tacit__known_reader *reader, size_t at)
{
    const tacit__word *before = at > 0 ? word_at(reader, at - 1) : NULL;
    const tacit__word *after = at + 1 < reader->document->count ? word_at(reader, at + 1) : NULL;
    if (before && (before->shape == TACIT__SHAPE_INITIAL ||
                   tacit__known_what(&reader->known->words, before->key) & TACIT__AS_FIRST))
        return true;
    return after && after->before & TACIT__GAP_COMMA &&
           tacit__known_what(&reader->known->words, after->key) & TACIT__AS_FIRST;
}

static tacit_status find_misspelt(tacit__known_reader *reader, size_t at)
{
    tacit__folded folded;
    uint64_t near[TACIT__KNOWN_NEAR];
    bool addressed = tacit__is_addressed(reader->document, at);
    bool unlisted = word_at(reader, at)->entry.lists == 0 && !is_crowd(reader) &&
                    reader->document->casing == TACIT__CASING_USUAL;
    bool surname = false;
    if ((!addressed && !unlisted && !is_beside_given(reader, at)) || !fold_at(&folded, reader, at))
        return TACIT_OK;
    size_t count = tacit__known_near_find(
        near, &reader->known->near, (tacit_strview){.bytes = folded.bytes, .len = folded.len});
    for (size_t i = 0; i < count; i++) {
        if (!(tacit__known_what(&reader->known->words, near[i]) & TACIT__AS_LAST))
            continue;
        surname = true;
        known_full full = find_given(reader, at, near[i], REACH, given_likelihood);
        full.likelihood = full.likelihood > BY_MISSPELLING ? BY_MISSPELLING : full.likelihood;
        if (full.likelihood > 0)
            return propose_full(reader, at, &full, "known name, misspelt");
    }
    int likelihood = !surname                                     ? 0
                     : addressed                                  ? ADDRESSED
                     : unlisted && folded.len >= UNLISTED_LETTERS ? UNLISTED
                                                                  : 0;
    return tacit__known_add(reader, at, at + 1, TACIT_TEXT_LAST_NAME, likelihood,
                            "known last name, misspelt");
}

/* "the Westons". */
static tacit_status find_plural(tacit__known_reader *reader, size_t at)
{
    static const char *const rules[TACIT__PLURALS] = {tacit__plural_s, tacit__plural_es};
    uint64_t keys[TACIT__PLURALS];
    size_t count =
        tacit__has_article(reader->document, at) ? tacit__plural_of(keys, reader->document, at) : 0;
    for (size_t i = 0; i < count; i++)
        if (tacit__known_what(&reader->known->words, keys[i]) & TACIT__AS_LAST)
            return tacit__known_add(reader, at, at + 1, TACIT_TEXT_LAST_NAME, EXACT, rules[i]);
    return TACIT_OK;
}

tacit_status tacit__known_find_name(tacit__known_reader *reader, size_t at, unsigned what)
{
    const tacit__word *word = word_at(reader, at);
    if (what & (TACIT__AS_LAST | TACIT__AS_MIDDLE) && reader->known->pairs.blocks > 0) {
        known_full full = find_given(reader, at, word->key, REACH, given_likelihood);
        if (full.likelihood > 0)
            return propose_full(reader, at, &full, full_rule);
        full = find_given(reader, at, word->key, 1, misspelt_likelihood);
        if (full.likelihood > 0)
            return propose_full(reader, at, &full, "known name, misspelt");
    }
    if (at < reader->named)
        return TACIT_OK;
    if (what & TACIT__AS_NAME)
        return propose_lone(reader, at, what);
    if (!tacit__is_name_shaped(reader->document, at))
        return TACIT_OK;
    size_t before = reader->proposals->count;
    tacit_status status = find_plural(reader, at);
    if (status != TACIT_OK || reader->proposals->count > before)
        return status;
    if (tacit__lexicon_in(&word->entry, TACIT__LIST_NICK)) {
        status = find_nickname(reader, at);
        if (status != TACIT_OK || reader->proposals->count > before)
            return status;
    }
    return reader->known->near.buckets > 0 ? find_misspelt(reader, at) : TACIT_OK;
}
