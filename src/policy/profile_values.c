/*
 * profile_values.c - values that name somebody by their form, whatever the column is called: a
 * person's name, a street address, an account number.
 *
 * A name is a title and what follows it, "Surname, Given", "Given Surname" or "G. Surname". Forms
 * alone are not enough: "United States", "Some College" and "Portland, Oregon" have them too. So
 * the given name must be in the list of first names, the surname in the list of surnames or in none
 * at all, neither more of an everyday word than a name, and the whole no place (text/lexicon). Half
 * of a column's values have to be such names, so names that are in no list do not hide the others.
 * A street address is a number and a word for a street, in the order of the language. An account
 * number is one by its check digits (ISO 13616: the number, with its first four characters last and
 * letters as 10 to 35, is 1 modulo 97). Linear in the value.
 */
#include <string.h>

#include "base/ascii.h"
#include "policy/profile_parts.h"
#include "text/lexicon/lexicon.h"

enum { MOST_WORDS = 6, LONGEST_NAME = 60 };

/* A word of a name. */
typedef struct name_word {
    tacit_strview text; /* without the comma behind it */
    bool capital;
    bool initial; /* one letter */
    bool dot;     /* behind it, as in "J." */
    bool comma;   /* behind it */
} name_word;

typedef struct name_words {
    name_word words[MOST_WORDS];
    size_t count;
    size_t commas;
    bool small; /* no word has a capital: all count as if they had */
} name_words;

static bool is_word_byte(char c)
{
    return tacit__is_letter(c) || (c & 0x80) || c == '-' || c == '\'';
}

/* The word that a token is; false: it is none. */
static bool read_word(name_word *word, tacit_strview token)
{
    word->comma = token.bytes[token.len - 1] == ',';
    token.len -= word->comma;
    word->dot = token.len > 0 && token.bytes[token.len - 1] == '.';
    size_t letters = token.len - word->dot;
    for (size_t i = 0; i < letters; i++)
        if (!is_word_byte(token.bytes[i]))
            return false;
    word->text = (tacit_strview){token.bytes, letters};
    word->capital = letters > 0 && (tacit__is_upper(token.bytes[0]) || (token.bytes[0] & 0x80));
    word->initial = letters == 1;
    return letters > 0;
}

/* Words with blanks between; false: something else stands there, or too many of them. */
static bool read_words(name_words *out, tacit_strview value)
{
    size_t at = 0;
    *out = (name_words){.small = true};
    while (at < value.len) {
        size_t from = at;
        while (at < value.len && value.bytes[at] != ' ')
            at++;
        tacit_strview token = {value.bytes + from, at - from};
        at++;
        if (!token.len)
            continue;
        if (out->count == MOST_WORDS || !read_word(&out->words[out->count], token))
            return false;
        out->commas += out->words[out->count].comma;
        out->small &= !out->words[out->count++].capital;
    }
    for (size_t i = 0; i < out->count && out->small; i++)
        out->words[i].capital = true;
    return out->count > 0;
}

/* Whether a word, folded, is in " a b c ". */
static bool is_among(tacit_strview word, const char *words)
{
    char folded[40];
    if (word.len > 24)
        return false;
    tacit__profile_fold(folded, sizeof folded, word);
    return strstr(words, folded) != NULL;
}

static bool is_title(const name_word *word)
{
    return is_among(word->text, " dr mr mrs ms miss mx prof professor doctor herr frau mme mlle "
                                "monsieur madame sr sra srta senor senora dhr mevr mevrouw ");
}

/* "van", "de la": between the parts of a name, without a capital. */
static bool is_particle(const name_word *word)
{
    return is_among(word->text, " van von der den de del la le di da do dos du bin ibn al el y e ");
}

static bool are_names(const name_words *w, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (!w->words[i].capital && !is_particle(&w->words[i]))
            return false;
    return true;
}

/* What the lists know of a word, of "Jean-Luc" by its first part. */
static bool look_up(tacit__lexicon_entry *entry, const name_word *word)
{
    const char *hyphen = memchr(word->text.bytes, '-', word->text.len);
    size_t len = hyphen ? (size_t)(hyphen - word->text.bytes) : word->text.len;
    return tacit__lexicon_find(entry, (tacit_strview){word->text.bytes, len});
}

/* From these weights on a name is one although everybody uses the word as well: "Mark", "Smith".
 * "Marina", "Summer" and "Bay" are none here. */
enum { SURE_FIRST = 6, SURE_SURNAME = 5 };

static bool is_given(const name_word *word)
{
    tacit__lexicon_entry entry;
    return word->text.len > 1 && look_up(&entry, word) &&
           tacit__lexicon_in(&entry, TACIT__LIST_FIRST) &&
           !tacit__lexicon_in(&entry, TACIT__LIST_NATIONALITY) &&
           (entry.word < TACIT__EVERYBODYS || entry.first >= SURE_FIRST);
}

static bool is_place(const name_word *word)
{
    tacit__lexicon_entry entry;
    return tacit__lexicon_find(&entry, word->text) &&
           (entry.lists & (TACIT__LISTED(STATE) | TACIT__LISTED(COUNTRY))) != 0;
}

/* A surname, or with a capital a word that no list has. */
static bool is_surname(const name_word *word, bool unknown_too)
{
    tacit__lexicon_entry entry;
    if (word->text.len < 2)
        return false;
    if (!look_up(&entry, word))
        return unknown_too && word->text.len > 2;
    return (entry.lists & (TACIT__LISTED(SURNAME) | TACIT__LISTED(FIRST))) != 0 &&
           (entry.word < TACIT__EVERYBODYS || entry.surname >= SURE_SURNAME);
}

/* "Santa Ana", "Virginia Beach", "Johns Hopkins University". */
static bool is_known_phrase(tacit_strview value)
{
    tacit__lexicon_entry entry;
    return tacit__lexicon_phrase(&entry, value) == value.len &&
           !tacit__lexicon_in(&entry, TACIT__LIST_FIRST);
}

/* "Smith, Mary", "de la Cruz, Ana Maria", "Smith, J." */
static bool is_name_turned(const name_words *w)
{
    size_t last = 0;
    while (!w->words[last].comma)
        last++;
    if (last + 1 >= w->count || !are_names(w, 0, w->count))
        return false;
    const name_word *given = &w->words[last + 1];
    return given->initial ? is_surname(&w->words[last], false)
                          : is_given(given) && !is_place(given);
}

/* "Mary Smith", "John F. van der Berg", "J. Smith", and "Smith Mary" */
static bool is_name_straight(const name_words *w, tacit_strview value)
{
    const name_word *first = &w->words[0], *last = &w->words[w->count - 1];
    if (w->count < 2 || w->count > 5 || !are_names(w, 0, w->count) || is_known_phrase(value))
        return false;
    if ((first->initial && first->dot) || is_given(first))
        return is_surname(last, !w->small && !first->initial);
    return w->count == 2 && is_surname(first, false) && is_given(last) && !is_place(last);
}

/* "Dr. Lee"; "MR Angiography" is none. */
static bool is_name_titled(const name_words *w)
{
    return w->count > 1 && is_title(&w->words[0]) && !w->words[0].comma && w->words[0].capital &&
           are_names(w, 1, w->count) && is_surname(&w->words[w->count - 1], !w->small);
}

bool tacit__profile_person(tacit_strview value)
{
    name_words w;
    if (value.len > LONGEST_NAME || !read_words(&w, value))
        return false;
    while (w.count > 1 && is_among(w.words[w.count - 1].text, " jr ii iii iv md phd esq rn "))
        w.commas -= w.words[--w.count - 1].comma;
    if (is_name_titled(&w))
        return true;
    return w.commas == 0 ? is_name_straight(&w, value) : w.commas == 1 && is_name_turned(&w);
}

/* ---- street addresses ---- */

enum { ADDRESS_WORDS = 12 };

/* Folded words, which begin at a letter or digit and end before a blank. */
typedef struct address {
    char folded[128];
    tacit_strview words[ADDRESS_WORDS];
    size_t count;
} address;

static bool is_digits(tacit_strview word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!tacit__is_digit(word.bytes[i]))
            return false;
    return word.len > 0;
}

static bool is_house_number(tacit_strview word)
{
    return is_digits(word) && word.len <= 5 && word.bytes[0] != '0';
}

static bool read_address(address *a, tacit_strview value)
{
    a->count = 0;
    if (value.len > 90)
        return false;
    tacit__profile_fold(a->folded, sizeof a->folded, value);
    for (const char *at = a->folded + 1; *at; at++) {
        if (a->count == ADDRESS_WORDS)
            return false;
        size_t len = strcspn(at, " ");
        a->words[a->count++] = (tacit_strview){at, len};
        at += len;
    }
    return a->count >= 2;
}

static bool ends_in(tacit_strview word, const char *end)
{
    size_t len = strlen(end);
    return word.len > len + 2 && memcmp(word.bytes + word.len - len, end, len) == 0;
}

/* "Hauptstrasse", "Kerkstraat": with the word for a street at the end. */
static bool is_compound_street(tacit_strview word)
{
    static const char *const ends[] = {"strasse", "str",  "gasse", "allee",  "weg",  "platz",
                                       "straat",  "laan", "plein", "gracht", "gatan"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (ends_in(word, ends[i]))
            return true;
    return false;
}

/* What is counted before a word for a street and makes no address of it: "4 Wheel Drive". */
static bool is_counted(tacit_strview word)
{
    return is_among(word, " wheel wheels lane lanes way door doors speed car cars track ");
}

/* "12 Main Street": the number, a name, and the word; "221 b baker st". */
static bool is_numbered_street(const address *a)
{
    if (!is_house_number(a->words[0]) || is_counted(a->words[1]))
        return false;
    for (size_t i = 2; i < a->count; i++) {
        tacit__lexicon_entry entry;
        if (!is_digits(a->words[i]) && tacit__lexicon_find(&entry, a->words[i]) &&
            tacit__lexicon_in(&entry, TACIT__LIST_STREET))
            return true;
    }
    return false;
}

/* "12 rue de la Paix", "Calle Mayor 12", "Via Roma 3": the word, then a name, and a number. */
static bool is_named_street(const address *a)
{
    size_t first = is_house_number(a->words[0]) ? 1 : 0;
    while (first > 0 && first + 1 < a->count && is_among(a->words[first], " a b c bis ter "))
        first++;
    return a->count >= 3 && (first > 0 || is_house_number(a->words[a->count - 1])) &&
           is_among(a->words[first], " rue avenue boulevard chemin quai calle avenida paseo plaza "
                                     "carrer rua via viale piazza corso ");
}

static bool is_post_box(const address *a)
{
    return (strncmp(a->folded, " p o box ", 9) == 0 || strncmp(a->folded, " po box ", 8) == 0 ||
            strncmp(a->folded, " postfach ", 10) == 0) &&
           is_digits(a->words[a->count - 1]);
}

bool tacit__profile_street(tacit_strview value)
{
    address a;
    if (!read_address(&a, value))
        return false;
    if (is_numbered_street(&a) || is_named_street(&a) || is_post_box(&a))
        return true;
    for (size_t i = 0; i + 1 < a.count; i++)
        if (is_compound_street(a.words[i]) && is_house_number(a.words[i + 1]))
            return true;
    /* "Lange Strasse 5" */
    return a.count >= 3 && is_among(a.words[a.count - 2], " strasse str gasse allee weg ") &&
           is_house_number(a.words[a.count - 1]);
}

/* ---- account numbers ---- */

enum { IBAN_LEAST = 15, IBAN_MOST = 34 };

bool tacit__profile_iban(tacit_strview value)
{
    char plain[IBAN_MOST];
    size_t len = 0;
    unsigned rest = 0;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.bytes[i];
        if (c == ' ')
            continue;
        if (len == sizeof plain || (!tacit__is_digit(c) && !tacit__is_letter(c)))
            return false;
        plain[len++] = tacit__is_lower(c) ? (char)(c - 32) : c;
    }
    if (len < IBAN_LEAST || !tacit__is_upper(plain[0]) || !tacit__is_upper(plain[1]) ||
        !tacit__is_digit(plain[2]) || !tacit__is_digit(plain[3]))
        return false;
    for (size_t i = 0; i < len; i++) {
        char c = plain[(i + 4) % len];
        rest = tacit__is_digit(c) ? (rest * 10 + (unsigned)(c - '0')) % 97
                                  : (rest * 100 + (unsigned)(c - 'A' + 10)) % 97;
    }
    return rest == 1;
}
