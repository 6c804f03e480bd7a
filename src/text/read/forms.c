/*
 * forms.c - reading written names, and the evidence for and against a word being meant as a
 * name (chapter 9: lists of common facts, verbs and medical terms that reduce false positives).
 *
 * Cost: a few look-ups per word asked about; nothing is allocated.
 */
#include "text/read/forms.h"

#include <string.h>

#include "base/hash.h"
#include "text/lexicon/fold.h"

/* Lists as bits. */
enum {
    NAME_LISTS = TACIT__LISTED(FIRST) | TACIT__LISTED(FEMALE) | TACIT__LISTED(MALE) |
                 TACIT__LISTED(NICK) | TACIT__LISTED(SURNAME) | TACIT__LISTED(PROPER) |
                 TACIT__LISTED(OPENS) | TACIT__LISTED(CITY) | TACIT__LISTED(PLACE),
    CALENDAR_LISTS = TACIT__LISTED(MONTH) | TACIT__LISTED(WEEKDAY),
    NEW_CLAUSE = TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH | TACIT__GAP_COLON | TACIT__GAP_END
};

/* ---- written names ---- */

static const tacit__listed_word suffixes[] = {"jr", "sr", "ii",  "iii", "iv",   "md",  "phd",
                                              "dr", "mr", "mrs", "ms",  "miss", "and", ""};
static const tacit__listed_word particles[] = {
    "de", "del", "della", "der", "den", "di",  "da",  "dos", "das", "du", "la",
    "le", "van", "von",   "zu",  "ter", "ten", "bin", "ibn", "al",  "el", ""};

static bool is_longer(const tacit__word *word, size_t len)
{
    return word->end - word->start > len;
}

bool tacit__is_particle(const tacit__document *document, size_t at)
{
    const tacit__word *word = &document->words[at];
    return !is_longer(word, 5) && tacit__word_is_among(document, word, particles);
}

/* Titles, what stands behind a name, and, but at its end, what stands before a surname. */
static bool says_nothing(const tacit__document *document, size_t at, size_t to)
{
    const tacit__word *word = &document->words[at];
    return (!is_longer(word, 4) && tacit__word_is_among(document, word, suffixes)) ||
           (at + 1 < to && tacit__is_particle(document, at));
}

static bool is_quoted(const tacit__document *document, size_t at, size_t to)
{
    return document->words[at].before & TACIT__GAP_QUOTE && at + 1 < to &&
           document->words[at + 1].before & TACIT__GAP_QUOTE;
}

static void add_part(tacit__name *name, size_t word, tacit__use role)
{
    if (name->count < TACIT__NAME_WORDS)
        name->parts[name->count++] = (struct tacit__name_part){.word = word, .role = (uint8_t)role};
}

/* The words that count, in order, all as middle names yet; *comma is where the first word
 * behind a comma is among them, or the number of them. */
static void collect(tacit__name *name, size_t *comma, const tacit__document *document, size_t from,
                    size_t to)
{
    size_t commas = 0;
    name->count = 0;
    *comma = TACIT__NAME_WORDS;
    for (size_t i = from; i < to && name->count < TACIT__NAME_WORDS; i++) {
        const tacit__word *word = &document->words[i];
        commas += i > from && word->before & TACIT__GAP_COMMA;
        if (commas > 1)
            break;
        if (tacit__has_digits(word) || says_nothing(document, i, to))
            continue;
        if (commas == 1 && *comma == TACIT__NAME_WORDS)
            *comma = name->count;
        add_part(name, i, is_quoted(document, i, to) ? TACIT__AS_FIRST : TACIT__AS_MIDDLE);
    }
    if (*comma > name->count)
        *comma = name->count;
}

static tacit__use lone_role(const tacit__document *document, size_t at)
{
    const tacit__lexicon_entry *entry = &document->words[at].entry;
    bool first = entry->first > entry->surname || tacit__lexicon_in(entry, TACIT__LIST_NICK);
    return first && !tacit__is_addressed(document, at) ? TACIT__AS_FIRST : TACIT__AS_LAST;
}

void tacit__name_read(tacit__name *name, const tacit__document *document, size_t from, size_t to)
{
    size_t comma;
    collect(name, &comma, document, from, to);
    if (name->count == 0)
        return;
    if (name->count == 1) {
        name->parts[0].role = (uint8_t)lone_role(document, name->parts[0].word);
        return;
    }
    size_t last = comma > 0 && comma < name->count ? 0 : name->count - 1;
    size_t last_end = last == 0 ? comma : name->count;
    while (last > 1 && document->words[name->parts[last].word].before == TACIT__GAP_HYPHEN)
        last--;
    for (size_t i = last; i < last_end; i++)
        name->parts[i].role = TACIT__AS_LAST;
    name->parts[last == 0 ? last_end : 0].role = TACIT__AS_FIRST;
}

/* ---- is it meant as a name? ---- */

static const tacit__listed_word titles[] = {
    "mr",       "mrs",  "ms",  "miss",     "mx",  "dr",    "doctor", "prof",
    "professo", "dear", "rev", "reverend", "sir", "madam", "nurse",  ""};

bool tacit__is_addressed(const tacit__document *document, size_t at)
{
    if (at == 0 ||
        document->words[at].before & (TACIT__GAP_PARAGRAPH | TACIT__GAP_COMMA | TACIT__GAP_COLON))
        return false;
    const tacit__word *before = &document->words[at - 1];
    if (!tacit__lexicon_in(&before->entry, TACIT__LIST_TITLE) && before->end - before->start != 4)
        return false; /* nor is it "dear" */
    return tacit__word_is_among(document, before, titles);
}

const char tacit__plural_s[] = "plural of a name", tacit__plural_es[] = "plural of a name in -es";

size_t tacit__plural_of(uint64_t keys[TACIT__PLURALS], const tacit__document *document, size_t at)
{
    enum { LEAST = 4 }; /* letters */
    tacit_strview text = tacit__word_text(document, &document->words[at]);
    size_t count = 0;
    if (text.len < LEAST || (text.bytes[text.len - 1] | 0x20) != 's' ||
        !tacit__is_name_shaped(document, at))
        return 0;
    text.len--;
    keys[count++] = tacit__word_key(text);
    if (text.len >= LEAST && (text.bytes[text.len - 1] | 0x20) == 'e') {
        text.len--;
        keys[count++] = tacit__word_key(text);
    }
    return count;
}

bool tacit__has_article(const tacit__document *document, size_t at)
{
    static const tacit__listed_word articles[] = {"the", ""};
    return at > 0 && document->words[at].before == TACIT__GAP_SPACE &&
           tacit__word_is_among(document, &document->words[at - 1], articles);
}

bool tacit__is_name_shaped(const tacit__document *document, size_t at)
{
    const tacit__word *word = &document->words[at];
    switch (word->shape) {
    case TACIT__SHAPE_CAPITAL:
    case TACIT__SHAPE_CAPITALS:
    case TACIT__SHAPE_MIXED: return true;
    case TACIT__SHAPE_LOWER: return document->casing == TACIT__CASING_LOWER;
    default: return false;
    }
}

static const tacit__listed_word stands_for[] = {
    "disease",  "syndrome", "disorder", "sign",     "score", "scale",  "test",  "criteria",
    "catheter", "lymphoma", "palsy",    "phenomen", "triad", "reflex", "tumor", "chorea",
    "esophagu", "fracture", "maneuver", "classifi", "stage", "ataxia", "coma",  ""};

/* "Parkinson's disease", "Foley catheter": a name that stands for what comes after it. */
static bool is_eponym(const tacit__document *document, size_t at)
{
    const tacit__word *word = &document->words[at];
    bool listed = tacit__lexicon_in(&word->entry, TACIT__LIST_EPONYM);
    if (word->flags & TACIT__WORD_PHRASE && word->entry.lists & TACIT__LISTED_CARE)
        return true;
    if (!listed && !(word->flags & TACIT__WORD_GENITIVE))
        return false;
    for (size_t i = at + 1; i < document->count && i <= at + 2; i++) {
        const tacit__word *next = &document->words[i];
        if (next->before &
            ~(TACIT__GAP_SPACE | TACIT__GAP_LINE | TACIT__GAP_HYPHEN | TACIT__GAP_QUOTE))
            return false;
        if (tacit__word_is_among(document, next, stands_for))
            return true;
        if (listed && i == at + 1 && next->entry.lists & TACIT__LISTED_CARE &&
            next->shape == TACIT__SHAPE_LOWER && next->end - next->start > 3)
            return true;
    }
    return false;
}

static const tacit__listed_word before_months[] = {
    "in",   "on",  "of",   "since",   "until", "last", "next", "by", "early",
    "late", "mid", "this", "through", "from",  "to",   "and",  ""};

/* "in May", "May 26", "5 April". */
static bool is_calendar(const tacit__document *document, size_t at)
{
    const tacit__word *word = &document->words[at];
    if (!(word->entry.lists & CALENDAR_LISTS))
        return false;
    if (at + 1 < document->count && tacit__has_digits(&document->words[at + 1]))
        return true;
    return at > 0 && (tacit__has_digits(&document->words[at - 1]) ||
                      tacit__word_is_among(document, &document->words[at - 1], before_months));
}

/* "Ginny" is a rare word, too, and nobody means that. */
static bool is_rather_name(const tacit__lexicon_entry *entry)
{
    return entry->word <= 2 && (entry->first > 3 || entry->surname > 3) &&
           !(entry->lists & (TACIT__LISTED_CARE | CALENDAR_LISTS));
}

static bool is_english(const tacit__lexicon_entry *entry)
{
    return entry->word > 0 || entry->lists & (TACIT__LISTED_CARE | CALENDAR_LISTS) ||
           tacit__lexicon_in(entry, TACIT__LIST_VERB) || tacit__lexicon_in(entry, TACIT__LIST_KIN);
}

static const tacit__listed_word acting[] = {"says",     "said",   "denies", "denied", "reports",
                                            "reported", "states", "stated", "asked",  "wants",
                                            "wanted",   "lives",  "called", "works",  "saw",
                                            "told",     "feels",  "felt",   "came",   ""};
static const tacit__listed_word being[] = {"is", "was", "has", "had", ""};

/* People say, report and deny; and "Grace was" has no article. */
static bool acts(const tacit__document *document, size_t at)
{
    const tacit__word *word = &document->words[at];
    if (word->flags & TACIT__WORD_GENITIVE && (word->entry.first || word->entry.surname))
        return true; /* unlike "Here's" */
    if (at + 1 >= document->count)
        return false;
    return tacit__word_is_among(document, word + 1, acting) ||
           (!(word->entry.lists & TACIT__LISTED_CARE) &&
            tacit__word_is_among(document, word + 1, being));
}

/* A line, a sentence, also one after "7.", or what follows a colon. */
static bool opens_clause(const tacit__document *document, size_t at)
{
    const tacit__word *word = &document->words[at];
    return word->flags & TACIT__WORD_SENTENCE || word->before & NEW_CLAUSE ||
           (word->before & TACIT__GAP_STOP && at > 0 && tacit__has_digits(word - 1));
}

/* A word of the language that is somebody's name too. */
static int english_trust(const tacit__document *document, size_t at)
{
    const tacit__word *word = &document->words[at];
    if (document->casing != TACIT__CASING_USUAL)
        return 20;
    if (word->entry.lists & TACIT__LISTED_CARE && word->flags & TACIT__WORD_PHRASE)
        return 0;
    if (word->shape == TACIT__SHAPE_CAPITALS)
        return 30;
    if (word->entry.lists & CALENDAR_LISTS)
        return 45;
    if (opens_clause(document, at))
        return acts(document, at) ? 65 : 25;
    return 90;
}

int tacit__name_trust(const tacit__document *document, size_t at)
{
    const tacit__word *word = &document->words[at];
    const tacit__lexicon_entry *entry = &word->entry;
    if (tacit__has_digits(word) || word->shape == TACIT__SHAPE_INITIAL)
        return 0;
    if (tacit__word_is_among(document, word, titles))
        return 0; /* "Dear Doctor" */
    if (tacit__is_addressed(document, at) && word->end - word->start > 1)
        return 100;
    if (is_eponym(document, at))
        return 0;
    if (!tacit__is_name_shaped(document, at))
        return !is_english(entry) && !(entry->lists & ~(uint32_t)NAME_LISTS) &&
                       word->end - word->start >= 4
                   ? 70
                   : 0;
    if (is_calendar(document, at))
        return 0;
    if (word->end - word->start < 3)
        return 40;
    return is_english(entry) && !is_rather_name(entry) ? english_trust(document, at) : 100;
}

/* ---- initials ---- */

static bool is_capitals_of(const tacit__word *word, size_t least, size_t most)
{
    size_t len = word->end - word->start;
    return word->shape == TACIT__SHAPE_CAPITALS && !(word->flags & TACIT__WORD_FOREIGN) &&
           len >= least && len <= most;
}

size_t tacit__initials_at(char letters[4], const tacit__document *document, size_t at)
{
    const tacit__word *word = &document->words[at];
    const char *bytes = document->text.bytes;
    size_t count = 0;
    memset(letters, 0, 4);
    if (is_capitals_of(word, 2, 3)) {
        for (size_t i = word->start; i < word->end; i++)
            letters[count++] = (char)(bytes[i] | 0x20);
        return strchr(letters, '\'') ? 0 : 1;
    }
    for (; at + count < document->count && count < 3; count++, word++) {
        if (word->shape != TACIT__SHAPE_INITIAL || word->flags & TACIT__WORD_FOREIGN ||
            (count > 0 && word->before != TACIT__GAP_STOP))
            break;
        letters[count] = (char)(bytes[word->start] | 0x20);
    }
    return count >= 2 ? count : 0;
}

static bool begins_line(const tacit__document *document, size_t at)
{
    return at >= document->count || tacit__starts_line(&document->words[at]);
}

bool tacit__is_typist(const tacit__document *document, size_t at)
{
    if (at >= document->count)
        return false;
    const tacit__word *typist = &document->words[at];
    return typist->before & (TACIT__GAP_SLASH | TACIT__GAP_COLON) &&
           !(typist->before & TACIT__GAP_SPACE) && typist->end - typist->start <= 3 &&
           !tacit__has_digits(typist);
}

/* "RN/jk", or alone on their line. */
static bool is_sign_off(const tacit__document *document, size_t at, size_t words)
{
    size_t next = at + words;
    if (!begins_line(document, at))
        return false;
    if (begins_line(document, next))
        return true;
    return tacit__is_typist(document, next);
}

/* Whether the letters are a word that everybody uses, or one of those that notes are full of. */
static bool is_usual_otherwise(const tacit__lexicon_entry *entry)
{
    const uint32_t usual = TACIT__LISTED_CARE | (uint32_t)CALENDAR_LISTS | TACIT__LISTED(TITLE);
    return entry->word > 0 || entry->lists & usual;
}

int tacit__initials_trust(const tacit__document *document, size_t at, size_t words,
                          const char *letters)
{
    tacit__lexicon_entry entry;
    size_t len = strlen(letters), next = at + words;
    if (is_sign_off(document, at, words))
        return 95;
    bool listed = tacit__lexicon_find(&entry, (tacit_strview){.bytes = letters, .len = len});
    bool before = at > 0 && document->words[at - 1].shape == TACIT__SHAPE_INITIAL &&
                  document->words[at].before == TACIT__GAP_STOP;
    bool after = words > 1 && next < document->count && tacit__is_name_shaped(document, next) &&
                 !(document->words[next].before & ~(TACIT__GAP_STOP | TACIT__GAP_SPACE));
    if (before || after || document->casing == TACIT__CASING_CAPITALS ||
        (listed && is_usual_otherwise(&entry)))
        return 0;
    return listed ? 70 : len == 3 ? 90 : 80;
}

/* ---- numbers ---- */

void tacit__number_add(tacit__number *number, tacit_strview text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        unsigned capital = (unsigned)(byte - 'A') < 26u;
        number->hash = (number->hash + (byte | capital << 5)) * UINT64_C(0x9E3779B97F4A7C15);
        if ((unsigned)(byte - '0') < 10u)
            number->digits++;
        else
            number->letters++;
    }
}

static bool goes_on(const tacit__word *word)
{
    enum {
        TIGHT = TACIT__GAP_HYPHEN | TACIT__GAP_SLASH | TACIT__GAP_STOP | TACIT__GAP_BRACKET |
                TACIT__GAP_AT
    };
    if (tacit__has_digits(word))
        return !(word->before & ~(TIGHT | TACIT__GAP_SPACE));
    return !(word->before & ~TIGHT) && word->end - word->start <= 4;
}

bool tacit__number_next(tacit__number *number, size_t *end, const tacit__document *document,
                        size_t at)
{
    const tacit__word *word = &document->words[*end];
    if (*end >= document->count || *end >= at + TACIT__NUMBER_WORDS ||
        (*end > at && !goes_on(word)))
        return false;
    tacit__number_add(number, tacit__word_text(document, word));
    ++*end;
    return true;
}

bool tacit__number_trim(size_t *from, size_t *to, const tacit__document *document)
{
    while (*from < *to && !tacit__has_digits(&document->words[*from]))
        ++*from;
    while (*to > *from && !tacit__has_digits(&document->words[*to - 1]))
        --*to;
    return *from < *to && *to - *from <= TACIT__NUMBER_WORDS;
}

bool tacit__is_number_kind(tacit_text_kind kind)
{
    switch (kind) {
    case TACIT_TEXT_PHONE:
    case TACIT_TEXT_FAX:
    case TACIT_TEXT_SOCIAL_SECURITY:
    case TACIT_TEXT_REFERENCE:
    case TACIT_TEXT_ACCOUNT:
    case TACIT_TEXT_LICENCE:
    case TACIT_TEXT_DEVICE:
    case TACIT_TEXT_HEALTH_PLAN:
    case TACIT_TEXT_BANK:
    case TACIT_TEXT_CARD:
    case TACIT_TEXT_VEHICLE: return true;
    default: return false;
    }
}

/* ---- misspellings ----
 *
 * Comparing by the first and the last letter that differ, and keys of the words
 * that one deletion leaves. A key is a sum over the letters, each times a power that its place
 * gives, so that the key of a word without one letter is computed from sums of its two parts:
 * all keys take one pass each way. */

/* Bytes that are equal from the start, or from the end. */
static size_t alike(tacit_strview a, tacit_strview b, bool from_end)
{
    size_t most = a.len < b.len ? a.len : b.len, count = 0;
    while (count < most && (from_end ? a.bytes[a.len - 1 - count] == b.bytes[b.len - 1 - count]
                                     : a.bytes[count] == b.bytes[count]))
        count++;
    return count;
}

bool tacit__one_edit(tacit_strview a, tacit_strview b)
{
    if (a.len > b.len + 1 || b.len > a.len + 1)
        return false;
    size_t head = alike(a, b, false), tail = alike(a, b, true);
    if (a.len != b.len)
        return head + tail >= (a.len < b.len ? a.len : b.len);
    if (head == a.len)
        return false;
    if (head + tail + 1 == a.len)
        return true;
    return head + tail + 2 == a.len && a.bytes[head] == b.bytes[head + 1] &&
           a.bytes[head + 1] == b.bytes[head];
}

size_t tacit__edit_keys(uint64_t keys[TACIT__EDIT_KEYS], tacit_strview word)
{
    static const uint64_t base = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t before = 0, power = 1;
    uint64_t after[TACIT__EDIT_LONGEST + 1]; /* of the letters from here on, one place earlier */
    uint64_t powers[TACIT__EDIT_LONGEST + 1];
    if (word.len < TACIT__EDIT_SHORTEST - 1 || word.len > TACIT__EDIT_LONGEST)
        return 0;
    for (size_t i = 0; i <= word.len; i++, power *= base)
        powers[i] = power;
    after[word.len] = 0;
    for (size_t i = word.len; i-- > 1;)
        after[i] = after[i + 1] + (unsigned char)word.bytes[i] * powers[i - 1];
    for (size_t i = 0; i < word.len; i++) {
        keys[i] = tacit__mix(before + after[i + 1]);
        before += (unsigned char)word.bytes[i] * powers[i];
    }
    keys[word.len] = tacit__mix(before);
    return word.len + 1;
}
