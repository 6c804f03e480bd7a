/*
 * known.c - makes the tables of known values (text/known/index.h), once; then they are only read. A
 * value is cut into words as text is (text/read/document.h), so that both meet; what its words are
 * depends on its kind.
 *
 * A full name gives its parts; a first, middle and last name that follow one another are one
 * person's, as the columns of a file of patients are. Given names bring the names that they
 * are short for. Everything that is not a name is a phrase of words, a number, of which only
 * letters and digits count, or a date.
 *
 * Cost: two passes, since the Boolean look-up of pairs must know their number; a few
 * microseconds and some tens of bytes a value. Words take 10 bytes a slot at one half to two thirds
 * full; near some 5 bytes for each letter of a name that differs from all others, and the name. A
 * misspelling is looked for in as many buckets as the word has letters and one, of which no more
 * than BUCKET_MAX names are compared, so no set of names makes a look-up slow.
 */
#include "text/known/known.h"

#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/vector.h"
#include "text/known/index.h"
#include "text/lexicon/fold.h"
#include "text/lexicon/recall.h"
#include "text/read/forms.h"

/* ---- tables ---- */

enum { FIRST_SLOTS = 64, BUCKET_MAX = 16 };

/* ---- words ---- */

static void known_words_clear(tacit__known_words *words)
{
    tacit__free(words->keys);
    tacit__free(words->what);
    *words = (tacit__known_words){0};
}

/* Where the key is, or the free slot for it. */
static size_t slot_of(const tacit__known_words *words, uint64_t key)
{
    size_t at = key & (words->slots - 1);
    while (words->keys[at] && words->keys[at] != key)
        at = (at + 1) & (words->slots - 1);
    return at;
}

static tacit_status grow(tacit__known_words *words, tacit_error *err)
{
    tacit__known_words wider = {.count = words->count,
                                .slots = words->slots ? 2 * words->slots : FIRST_SLOTS};
    wider.keys = tacit__alloc_zeroed(wider.slots, sizeof *wider.keys);
    wider.what = tacit__alloc_zeroed(wider.slots, sizeof *wider.what);
    if (!wider.keys || !wider.what) {
        known_words_clear(&wider);
        return tacit__nomem(err);
    }
    for (size_t i = 0; i < words->slots; i++) {
        if (!words->keys[i])
            continue;
        size_t at = slot_of(&wider, words->keys[i]);
        wider.keys[at] = words->keys[i];
        wider.what[at] = words->what[i];
    }
    known_words_clear(words);
    *words = wider;
    return TACIT_OK;
}

static tacit_status known_words_add(tacit__known_words *words, uint64_t key, unsigned what,
                                    tacit_error *err)
{
    if (key == 0)
        return TACIT_OK;
    if (3 * (words->count + 1) > 2 * words->slots) {
        tacit_status status = grow(words, err);
        if (status != TACIT_OK)
            return status;
    }
    size_t at = slot_of(words, key);
    words->count += words->keys[at] == 0;
    words->keys[at] = key;
    if (what >> TACIT__KNOWN_KIND) /* the last kind counts */
        words->what[at] &= (1 << TACIT__KNOWN_KIND) - 1;
    words->what[at] |= (uint16_t)what;
    return TACIT_OK;
}

/* ---- near ---- */

static tacit_strview near_name(const tacit__known_near *near, size_t number)
{
    const char *at = near->text + near->names[number];
    return (tacit_strview){.bytes = at + 1, .len = (size_t)*at};
}

tacit_status tacit__known_near_add(tacit__known_near *near, tacit_strview folded, tacit_error *err)
{
    if (folded.len < TACIT__EDIT_SHORTEST || folded.len > TACIT__EDIT_LONGEST ||
        near->text_len > UINT32_MAX - TACIT__EDIT_LONGEST - 1)
        return TACIT_OK;
    if (!tacit__reserve((void **)&near->text, &near->text_capacity, near->text_len + folded.len + 1,
                        1) ||
        !TACIT__RESERVE_ONE(near->names, near->capacity, near->count))
        return tacit__nomem(err);
    near->names[near->count++] = (uint32_t)near->text_len;
    near->text[near->text_len++] = (char)folded.len;
    memcpy(near->text + near->text_len, folded.bytes, folded.len);
    near->text_len += folded.len;
    return TACIT_OK;
}

/* Counts the names of each bucket, one place on, or with items puts them in. */
static void fill(tacit__known_near *near, uint32_t *places)
{
    uint64_t keys[TACIT__EDIT_KEYS];
    for (size_t i = 0; i < near->count; i++) {
        size_t count = tacit__edit_keys(keys, near_name(near, i));
        for (size_t k = 0; k < count; k++) {
            size_t bucket = keys[k] & (near->buckets - 1);
            if (places)
                near->items[places[bucket]++] = (uint32_t)i;
            else
                near->starts[bucket + 1]++;
        }
    }
}

tacit_status tacit__known_near_build(tacit__known_near *near, tacit_error *err)
{
    size_t total = near->text_len, buckets = 1;
    if (near->count == 0)
        return TACIT_OK;
    while (buckets < total / 2)
        buckets *= 2;
    near->starts = tacit__alloc_zeroed(buckets + 1, sizeof *near->starts);
    near->items = tacit__alloc_array(total, sizeof *near->items);
    uint32_t *places = tacit__alloc_array(buckets, sizeof *places);
    if (!near->starts || !near->items || !places) {
        tacit__free(places);
        return tacit__nomem(err);
    }
    near->buckets = buckets;
    fill(near, NULL);
    for (size_t i = 0; i < buckets; i++)
        near->starts[i + 1] += near->starts[i];
    memcpy(places, near->starts, buckets * sizeof *places);
    fill(near, places);
    tacit__free(places);
    return TACIT_OK;
}

void tacit__known_near_clear(tacit__known_near *near)
{
    tacit__free(near->text);
    tacit__free(near->names);
    tacit__free(near->starts);
    tacit__free(near->items);
    *near = (tacit__known_near){0};
}

static size_t add_key(uint64_t *keys, size_t count, tacit_strview name)
{
    uint64_t key = tacit__folded_key(name.bytes, name.len);
    for (size_t i = 0; i < count; i++)
        if (keys[i] == key)
            return count;
    keys[count] = key;
    return count + 1;
}

size_t tacit__known_near_find(uint64_t found[TACIT__KNOWN_NEAR], const tacit__known_near *near,
                              tacit_strview folded)
{
    uint64_t keys[TACIT__EDIT_KEYS];
    size_t count = 0, ways = near->buckets ? tacit__edit_keys(keys, folded) : 0;
    for (size_t k = 0; k < ways; k++) {
        size_t bucket = keys[k] & (near->buckets - 1);
        uint32_t from = near->starts[bucket], to = near->starts[bucket + 1];
        to = to - from > BUCKET_MAX ? from + BUCKET_MAX : to;
        for (uint32_t i = from; i < to && count < TACIT__KNOWN_NEAR; i++) {
            tacit_strview name = near_name(near, near->items[i]);
            if (tacit__one_edit(name, folded))
                count = add_key(found, count, name);
        }
    }
    return count;
}

/* ---- initials ---- */

/* "vw" and "vpw" as numbers; the middle of two letters is the 27th. */
static size_t initials_number(const char *letters)
{
    size_t len = strlen(letters);
    if (len < 2 || len > 3)
        return TACIT__KNOWN_INITIALS;
    unsigned first = (unsigned)(unsigned char)letters[0] - 'a';
    unsigned middle = len == 3 ? (unsigned)(unsigned char)letters[1] - 'a' : 26;
    unsigned last = (unsigned)(unsigned char)letters[len - 1] - 'a';
    if (first > 25 || last > 25 || middle > (len == 3 ? 25u : 26u))
        return TACIT__KNOWN_INITIALS;
    return (middle * 26 + first) * 26 + last;
}

/* Two or three letters in lower case; others are passed over and not found. */
static void known_initials_add(tacit__known_initials *initials, const char *letters)
{
    size_t number = initials_number(letters);
    if (number >= TACIT__KNOWN_INITIALS || tacit__known_initials_has(initials, letters))
        return;
    initials->bits[number / 64] |= UINT64_C(1) << (number % 64);
    initials->threes += strlen(letters) == 3;
}

bool tacit__known_initials_has(const tacit__known_initials *initials, const char *letters)
{
    size_t number = initials_number(letters);
    return number < TACIT__KNOWN_INITIALS && initials->bits[number / 64] >> (number % 64) & 1;
}

/* ---- making them ---- */

enum { MAX_GIVEN = 4 + TACIT__KNOWN_FORMAL, MAX_LAST = 4, PHONE_DIGITS = 10, LOCAL_DIGITS = 7 };

/* One person, while his names come in. */
typedef struct known_person {
    uint64_t given[MAX_GIVEN], last[MAX_LAST], middle;
    size_t givens, lasts;
    char first_letter, middle_letter, last_letter;
} known_person;

typedef struct known_maker {
    tacit__known *known;
    tacit__document document; /* the value as words */
    known_person person;
    bool counting; /* the first pass: pairs are counted, the rest is made */
    size_t pairs;
    tacit_error *err;
} known_maker;

/* ---- people ---- */

static void add_pair(known_maker *maker, uint64_t given, uint64_t surname)
{
    if (maker->counting)
        maker->pairs++;
    else
        tacit__boolean_add(&maker->known->pairs, tacit__known_pair(given, surname));
}

static uint64_t letter_key(char letter)
{
    return tacit__word_key((tacit_strview){.bytes = &letter, .len = 1});
}

static void end_person(known_maker *maker)
{
    known_person *person = &maker->person;
    for (size_t i = 0; i < person->lasts; i++) {
        for (size_t k = 0; k < person->givens; k++)
            add_pair(maker, person->given[k], person->last[i]);
        if (person->middle)
            add_pair(maker, person->middle, person->last[i]);
        if (person->first_letter)
            add_pair(maker, letter_key(person->first_letter), person->last[i]);
    }
    for (size_t k = 0; k < person->givens && person->middle; k++)
        add_pair(maker, person->given[k], person->middle);
    if (person->first_letter && person->last_letter) {
        char two[] = {person->first_letter, person->last_letter, 0};
        char three[] = {person->first_letter, person->middle_letter, person->last_letter, 0};
        known_initials_add(&maker->known->initials, two);
        if (person->middle_letter)
            known_initials_add(&maker->known->initials, three);
        maker->known->letters = true;
    }
    maker->known->people += person->lasts + person->givens > 0 && maker->counting;
    *person = (known_person){0};
}

/* A single name: found by itself, and when it is misspelt. */
static tacit_status add_name(known_maker *maker, tacit_strview text, tacit__use role)
{
    tacit__folded folded;
    tacit_status status = TACIT_OK;
    if (!maker->counting || !tacit__text_fold(&folded, text))
        return TACIT_OK;
    uint64_t key = tacit__folded_key(folded.bytes, folded.len);
    bool there = tacit__known_what(&maker->known->words, key) & TACIT__AS_NAME;
    if (!there)
        status =
            tacit__known_near_add(&maker->known->near, tacit__folded_view(&folded), maker->err);
    if (status == TACIT_OK)
        status = known_words_add(&maker->known->words, key, role, maker->err);
    maker->known->names = true;
    return status;
}

/* A given name is also those that it is short for. */
static void add_given(known_person *person, const tacit__word *word, tacit_strview text)
{
    tacit_strview formal[TACIT__KNOWN_FORMAL];
    size_t count = 0;
    if (tacit__lexicon_in(&word->entry, TACIT__LIST_NICK))
        count = tacit__lexicon_formal(formal, TACIT__KNOWN_FORMAL, text);
    if (person->givens < MAX_GIVEN)
        person->given[person->givens++] = word->key;
    for (size_t i = 0; i < count && person->givens < MAX_GIVEN; i++)
        person->given[person->givens++] = tacit__word_key(formal[i]);
}

static tacit_status add_part(known_maker *maker, size_t at, tacit__use role)
{
    const tacit__word *word = &maker->document.words[at];
    known_person *person = &maker->person;
    tacit_strview text = tacit__word_text(&maker->document, word);
    char letter = (char)(text.bytes[0] | 0x20);
    bool whole = word->end - word->start > 1;
    if (role == TACIT__AS_FIRST) {
        person->first_letter = person->first_letter ? person->first_letter : letter;
        if (whole)
            add_given(person, word, text);
    } else if (role == TACIT__AS_MIDDLE) {
        person->middle_letter = person->middle_letter ? person->middle_letter : letter;
        if (whole && !person->middle)
            person->middle = word->key;
    } else {
        person->last_letter = person->last_letter ? person->last_letter : letter;
        if (whole && person->lasts < MAX_LAST)
            person->last[person->lasts++] = word->key;
    }
    return whole ? add_name(maker, text, role) : TACIT_OK;
}

/* A name of a kind that begins the next person: the one at hand has such a name already. */
static bool begins_person(const known_person *person, tacit__use role)
{
    return role == TACIT__AS_FIRST    ? person->first_letter != 0
           : role == TACIT__AS_MIDDLE ? person->middle_letter != 0
                                      : person->last_letter != 0;
}

static tacit_status add_single(known_maker *maker, tacit__use role)
{
    tacit_status status = TACIT_OK;
    tacit__name name;
    if (begins_person(&maker->person, role))
        end_person(maker);
    tacit__name_read(&name, &maker->document, 0, maker->document.count);
    for (size_t i = 0; status == TACIT_OK && i < name.count; i++)
        status = add_part(maker, name.parts[i].word, role);
    return status;
}

static tacit_status add_full_name(known_maker *maker)
{
    tacit_status status = TACIT_OK;
    tacit__name name;
    end_person(maker);
    tacit__name_read(&name, &maker->document, 0, maker->document.count);
    for (size_t i = 0; status == TACIT_OK && i < name.count; i++)
        status = add_part(maker, name.parts[i].word, name.parts[i].role);
    end_person(maker);
    return status;
}

/* ---- all else ---- */

static tacit_status add_kind(known_maker *maker, uint64_t key, tacit_text_kind kind)
{
    if (!maker->counting)
        return TACIT_OK;
    return known_words_add(&maker->known->words, key, (unsigned)kind << TACIT__KNOWN_KIND,
                           maker->err);
}

static tacit_status add_phrase(known_maker *maker, size_t from, tacit_text_kind kind)
{
    const tacit__document *document = &maker->document;
    uint64_t phrase = 0;
    if (from >= document->count || !maker->counting)
        return TACIT_OK;
    for (size_t i = from; i < document->count && i < from + TACIT__KNOWN_PHRASE_WORDS; i++)
        phrase = tacit__known_phrase_add(phrase, &document->words[i]);
    maker->known->phrases = true;
    tacit_status status = add_kind(maker, phrase ^ TACIT__KNOWN_PHRASE, kind);
    if (status == TACIT_OK)
        status = known_words_add(&maker->known->words, document->words[from].key,
                                 TACIT__KNOWN_OPENS, maker->err);
    return status;
}

/* "18 Huntington Avenue" is "Huntington Ave", too. */
static tacit_status add_street(known_maker *maker)
{
    const tacit__document *document = &maker->document;
    tacit_status status = add_phrase(maker, 0, TACIT_TEXT_STREET);
    if (status == TACIT_OK && document->count > 2 && tacit__has_digits(&document->words[0]) &&
        !tacit__has_digits(&document->words[1]))
        status = add_phrase(maker, 1, TACIT_TEXT_STREET);
    return status;
}

static tacit_status add_digits(known_maker *maker, const char *digits, size_t len,
                               tacit_text_kind kind)
{
    tacit__number number = {0};
    tacit__number_add(&number, (tacit_strview){.bytes = digits, .len = len});
    maker->known->numbers = true;
    return add_kind(maker, tacit__number_key(&number) ^ TACIT__KNOWN_NUMBER, kind);
}

/* From the first word with a digit to the last, without what parts them; 0 where they are too
 * many or too few. */
static size_t digits_of(char digits[TACIT__FOLDED_MAX], const tacit__document *document)
{
    size_t from = 0, to = document->count, len = 0, count = 0;
    if (!tacit__number_trim(&from, &to, document))
        return 0;
    for (size_t i = from; i < to; i++) {
        tacit_strview text = tacit__word_text(document, &document->words[i]);
        if (len + text.len > TACIT__FOLDED_MAX)
            return 0;
        memcpy(digits + len, text.bytes, text.len);
        len += text.len;
    }
    for (size_t i = 0; i < len; i++)
        count += tacit__is_digit(digits[i]);
    return count >= TACIT__NUMBER_DIGITS ? len : 0;
}

/* A phone number is found with the country's 1 before it or not, and without its area code. */
static tacit_status add_phone(known_maker *maker, char *digits, size_t len, tacit_text_kind kind)
{
    char with_country[PHONE_DIGITS + 1] = "1";
    if (len == PHONE_DIGITS + 1 && digits[0] == '1') {
        digits++;
        len--;
    }
    tacit_status status = add_digits(maker, digits, len, kind);
    if (status != TACIT_OK || len != PHONE_DIGITS)
        return status;
    memcpy(with_country + 1, digits, PHONE_DIGITS);
    status = add_digits(maker, with_country, PHONE_DIGITS + 1, kind);
    if (status == TACIT_OK)
        status = add_digits(maker, digits + PHONE_DIGITS - LOCAL_DIGITS, LOCAL_DIGITS, kind);
    return status;
}

static tacit_status add_number(known_maker *maker, tacit_text_kind kind)
{
    char digits[TACIT__FOLDED_MAX];
    size_t len = digits_of(digits, &maker->document);
    if (len == 0)
        return add_phrase(maker, 0, kind);
    if (kind == TACIT_TEXT_PHONE || kind == TACIT_TEXT_FAX)
        return add_phone(maker, digits, len, kind);
    return add_digits(maker, digits, len, kind);
}

static tacit_status add_date(known_maker *maker)
{
    tacit__known_day days[TACIT__KNOWN_READINGS];
    size_t readings;
    tacit_status status = TACIT_OK;
    if (maker->document.count == 0)
        return TACIT_OK;
    if (tacit__known_date_at(days, &readings, &maker->document, 0) == 0)
        return add_number(maker, TACIT_TEXT_DATE);
    for (size_t i = 0; status == TACIT_OK && i < readings; i++)
        status = add_kind(maker, tacit__mix(days[i]) ^ TACIT__KNOWN_DATE, TACIT_TEXT_DATE);
    maker->known->dates = true;
    return status;
}

static void add_initials(known_maker *maker)
{
    char letters[4];
    if (maker->document.count > 0 && tacit__initials_at(letters, &maker->document, 0) > 0) {
        known_initials_add(&maker->known->initials, letters);
        maker->known->letters = true;
    }
}

/* ---- values ---- */

/* What a value without a kind is: words are a name, digits a date or a number, both a street. */
static tacit_text_kind guess(const tacit__document *document)
{
    tacit__known_day days[TACIT__KNOWN_READINGS];
    size_t readings, words = 0, digits = 0;
    for (size_t i = 0; i < document->count; i++) {
        digits += tacit__has_digits(&document->words[i]);
        words += document->words[i].end - document->words[i].start > 3 &&
                 !tacit__has_digits(&document->words[i]);
    }
    if (digits == 0)
        return TACIT_TEXT_FULL_NAME;
    if (tacit__known_date_at(days, &readings, document, 0) == document->count)
        return TACIT_TEXT_DATE;
    return words > 0 ? TACIT_TEXT_STREET : TACIT_TEXT_REFERENCE;
}

static tacit_status add_by_kind(known_maker *maker, tacit_text_kind kind)
{
    switch (kind) {
    case TACIT_TEXT_FULL_NAME: return add_full_name(maker);
    case TACIT_TEXT_FIRST_NAME:
    case TACIT_TEXT_NICK_NAME: return add_single(maker, TACIT__AS_FIRST);
    case TACIT_TEXT_MIDDLE_NAME: return add_single(maker, TACIT__AS_MIDDLE);
    case TACIT_TEXT_LAST_NAME: return add_single(maker, TACIT__AS_LAST);
    case TACIT_TEXT_STREET: return add_street(maker);
    case TACIT_TEXT_DATE: return add_date(maker);
    case TACIT_TEXT_INITIALS: add_initials(maker); return TACIT_OK;
    case TACIT_TEXT_ZIP: return add_number(maker, kind);
    case TACIT_TEXT_TITLE:
    case TACIT_TEXT_AGE: return TACIT_OK; /* says nothing where it stands alone */
    default: break;
    }
    if (tacit__is_number_kind(kind))
        return add_number(maker, kind);
    return kind < TACIT_TEXT_KEPT ? add_phrase(maker, 0, kind) : TACIT_OK;
}

static bool is_one_name(tacit_text_kind kind)
{
    return kind == TACIT_TEXT_FIRST_NAME || kind == TACIT_TEXT_NICK_NAME ||
           kind == TACIT_TEXT_MIDDLE_NAME || kind == TACIT_TEXT_LAST_NAME;
}

static tacit_status add_value(known_maker *maker, tacit_strview value, tacit_text_kind kind)
{
    if (value.len > TACIT__FOLD_READ)
        value.len = TACIT__FOLD_READ;
    tacit_status status = tacit__document_read(&maker->document, value, maker->err);
    if (status != TACIT_OK || maker->document.count == 0)
        return status;
    if (kind == TACIT_TEXT_NONE)
        kind = guess(&maker->document);
    if (!is_one_name(kind))
        end_person(maker);
    return add_by_kind(maker, kind);
}

static tacit_status add_all(known_maker *maker, const tacit_scrub_options *options)
{
    tacit_status status = TACIT_OK;
    for (size_t i = 0; status == TACIT_OK && i < options->known_count; i++)
        status = add_value(maker, options->known[i],
                           options->known_kinds ? options->known_kinds[i] : TACIT_TEXT_NONE);
    end_person(maker);
    return status;
}

tacit_status tacit__known_new(tacit__known **out, const tacit_scrub_options *options,
                              tacit_error *err)
{
    known_maker maker = {.counting = true, .err = err};
    maker.known = tacit__alloc_zeroed(1, sizeof *maker.known);
    if (!maker.known)
        return tacit__nomem(err);
    tacit_status status = add_all(&maker, options);
    if (status == TACIT_OK)
        status = tacit__known_near_build(&maker.known->near, err);
    if (status == TACIT_OK && maker.pairs > 0)
        status = tacit__boolean_init(&maker.known->pairs, maker.pairs, err);
    maker.counting = false;
    if (status == TACIT_OK && maker.pairs > 0)
        status = add_all(&maker, options);
    tacit__document_clear(&maker.document);
    if (status != TACIT_OK) {
        tacit__known_free(maker.known);
        return status;
    }
    *out = maker.known;
    return TACIT_OK;
}

void tacit__known_free(tacit__known *known)
{
    if (!known)
        return;
    known_words_clear(&known->words);
    tacit__known_near_clear(&known->near);
    tacit__boolean_clear(&known->pairs);
    tacit__free(known);
}
