/*
 * test_text_disguise.c - what holds for every replacement, on random values, keys and documents:
 * it is another value, the same one for the same value as far as the scope says, no word of
 * the document and nobody else's; dates keep their distances, numbers their checks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <stdlib.h>

#include "base/hash.h"
#include "disguise.h"
#include "random_cases.h"
#include "text/detect/dates.h"

enum { LONGEST = 96 };

static uint32_t drawn(uint64_t *random, uint32_t bound)
{
    *random += UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)((tacit__mix(*random) >> 32) * bound >> 32);
}

/* A form with * for a capital and small letters, # for digits. */
static void draw_value(char *text, const char *form, uint64_t *random)
{
    for (; *form; form++) {
        if (*form == '*') {
            *text++ = (char)('A' + drawn(random, 26));
            for (uint32_t left = 2 + drawn(random, 8); left > 0; left--)
                *text++ = (char)('a' + drawn(random, 26));
        } else {
            *text++ = *form == '#' ? (char)('0' + drawn(random, 10)) : *form;
        }
    }
    *text = '\0';
}

static const struct {
    tacit_text_kind kind;
    const char *form;
} values[] = {{TACIT_TEXT_FULL_NAME, "* *"},
              {TACIT_TEXT_FULL_NAME, "*, *"},
              {TACIT_TEXT_FULL_NAME, "*-* *"},
              {TACIT_TEXT_LAST_NAME, "*"},
              {TACIT_TEXT_CITY, "*"},
              {TACIT_TEXT_ORGANIZATION, "* *"},
              {TACIT_TEXT_STREET, "### *"},
              {TACIT_TEXT_EMAIL, "*.*@*.com"},
              {TACIT_TEXT_URL, "http://*.com/*"},
              {TACIT_TEXT_USER, "@*"},
              {TACIT_TEXT_ZIP, "#####"},
              {TACIT_TEXT_PHONE, "(###) ###-####"},
              {TACIT_TEXT_PHONE, "###-####"},
              {TACIT_TEXT_SOCIAL_SECURITY, "###-##-####"},
              {TACIT_TEXT_REFERENCE, "##-####-#"},
              {TACIT_TEXT_CARD, "#### #### #### ####"},
              {TACIT_TEXT_BANK, "GB##*##########"},
              {TACIT_TEXT_IP, "1#.1#.1#.1#"},
              {TACIT_TEXT_AGE, "#"},
              {TACIT_TEXT_AGE, "1##"},
              {TACIT_TEXT_STATE, "*"},
              {TACIT_TEXT_COUNTRY, "*"},
              {TACIT_TEXT_DATE, "1#/1#/19##"},
              {TACIT_TEXT_DATE, "19##"},
              {TACIT_TEXT_INITIALS, "*"},
              {TACIT_TEXT_DATE, "June 19##"}};

enum { VALUES = sizeof values / sizeof values[0] };

/* Whether the text has a word of three letters or more of the other. */
static bool shares_word(const char *text, const char *other)
{
    char copy[LONGEST], *rest = NULL;
    strcpy(copy, other);
    static const char between[] = " ,.-@:/_#0123456789()";
    for (char *word = strtok_r(copy, between, &rest); word; word = strtok_r(NULL, between, &rest)) {
        bool kept =
            strcmp(word, "com") == 0 || strcmp(word, "http") == 0 || strcmp(word, "June") == 0;
        const char *found = strlen(word) >= 3 && !kept ? strcasestr(text, word) : NULL;
        if (found && (found == text || !isalpha(found[-1])) && !isalpha(found[strlen(word)]))
            return true;
    }
    return false;
}

/* Another value, the same each time, from another disguise too, with nothing of the old one. */
static void others(void **state)
{
    uint64_t *seed = *state;
    disguised d, again;
    disguised_init(&d, TACIT_TEXT_MAKE_UP, TACIT_TEXT_DOCUMENT, 1);
    disguised_init(&again, TACIT_TEXT_MAKE_UP, TACIT_TEXT_DOCUMENT, 1);
    for (*seed = 1; *seed <= many_cases(20000); ++*seed) {
        uint64_t random = *seed;
        size_t i = drawn(&random, VALUES);
        char text[LONGEST], first[LONGEST];
        draw_value(text, values[i].form, &random);
        disguised_begin(&d, *seed / 16);
        disguised_begin(&again, *seed / 16);
        snprintf(first, sizeof first, "%s", disguised_text(&d, values[i].kind, text));
        assert_string_not_equal(first, text);
        assert_false(shares_word(first, text));
        assert_string_equal(disguised_text(&d, values[i].kind, text), first);
        assert_string_equal(disguised_text(&again, values[i].kind, text), first);
    }
    disguised_clear(&d);
    disguised_clear(&again);
    *seed = 0;
}

/* The replacements of some values in a document, joined. */
static uint64_t document_hash(disguised *d, uint64_t number, uint64_t of_values)
{
    uint64_t random = of_values, hash = 0;
    disguised_begin(d, number);
    for (int i = 0; i < 8; i++) {
        char text[LONGEST];
        size_t value = drawn(&random, VALUES);
        draw_value(text, values[value].form, &random);
        const char *result = disguised_text(d, values[value].kind, text);
        hash = tacit__mix(hash ^ tacit__hash_bytes(result, strlen(result)));
    }
    return hash;
}

/* In a batch documents may come in any order and by any reader; by itself each is different;
 * so it is with another key. */
static void scopes(void **state)
{
    uint64_t *seed = *state;
    disguised alone, batch, reader, other;
    disguised_init(&alone, TACIT_TEXT_MAKE_UP, TACIT_TEXT_DOCUMENT, 1);
    disguised_init(&batch, TACIT_TEXT_MAKE_UP, TACIT_TEXT_BATCH, 1);
    disguised_init(&reader, TACIT_TEXT_MAKE_UP, TACIT_TEXT_FOREVER, 1);
    disguised_init(&other, TACIT_TEXT_MAKE_UP, TACIT_TEXT_BATCH, 2);
    for (*seed = 1; *seed <= many_cases(1000); ++*seed) {
        uint64_t hash = document_hash(&batch, *seed, *seed);
        document_hash(&reader, *seed, *seed + 1);
        assert_true(document_hash(&reader, 1000 - *seed, *seed) == hash);
        assert_true(document_hash(&batch, 0, *seed) == hash);
        assert_true(document_hash(&other, *seed, *seed) != hash);
        assert_true(document_hash(&alone, *seed, *seed) == document_hash(&alone, *seed, *seed));
        assert_true(document_hash(&alone, *seed, *seed) != document_hash(&alone, *seed + 1, *seed));
    }
    disguised_clear(&alone);
    disguised_clear(&batch);
    disguised_clear(&reader);
    disguised_clear(&other);
    *seed = 0;
}

/* In a document every name has a replacement of its own. */
static void nobody_else(void **state)
{
    enum { NAMES = 3000 };
    uint64_t *seed = *state, random = 1;
    disguised d;
    char(*given)[LONGEST] = calloc(NAMES, sizeof *given);
    assert_non_null(given);
    disguised_init(&d, TACIT_TEXT_MAKE_UP, TACIT_TEXT_DOCUMENT, 1);
    for (*seed = 1; *seed <= NAMES; ++*seed) {
        char text[LONGEST];
        draw_value(text, "*", &random);
        strcpy(given[*seed - 1], disguised_text(&d, TACIT_TEXT_LAST_NAME, text));
    }
    qsort(given, NAMES, sizeof *given, (int (*)(const void *, const void *))strcmp);
    int same = 0;
    for (size_t i = 1; i < NAMES; i++)
        same += strcmp(given[i - 1], given[i]) == 0;
    assert_true(same < 10); /* some of the names are drawn twice themselves */
    free(given);
    disguised_clear(&d);
    *seed = 0;
}

/* A document that has the words which would have been made up gets others. */
static void not_in_document(void **state)
{
    uint64_t *seed = *state;
    disguised d;
    tacit__document document = {0};
    disguised_init(&d, TACIT_TEXT_MAKE_UP, TACIT_TEXT_DOCUMENT, 1);
    for (*seed = 1; *seed <= many_cases(500); ++*seed) {
        uint64_t random = *seed;
        char text[LONGEST], first[LONGEST];
        draw_value(text, "*", &random);
        disguised_begin(&d, *seed);
        strcpy(first, disguised_text(&d, TACIT_TEXT_LAST_NAME, text));
        disguised_begin(&d, *seed);
        assert_int_equal(tacit__document_read(&document, tacit_strview_of(first), NULL), TACIT_OK);
        assert_int_equal(tacit__disguise_avoid(d.disguise, &document, NULL), TACIT_OK);
        assert_string_not_equal(disguised_text(&d, TACIT_TEXT_LAST_NAME, text), first);
    }
    tacit__document_clear(&document);
    disguised_clear(&d);
    *seed = 0;
}

static void write_date(char *text, size_t size, uint32_t form, int year, int month, int day)
{
    int weekday = (tacit__date_number(year, month, day) + 2) % 7; /* 1 March 0 was a Wednesday */
    const char *name = tacit__month_name(0, month), *brief = tacit__month_name(1, month);
    switch (form) {
    case 0: snprintf(text, size, "%02d/%02d/%04d", month, day, year); break;
    case 1: snprintf(text, size, "%d/%d/%02d", month, day, year % 100); break;
    case 2: snprintf(text, size, "%04d-%02d-%02d", year, month, day); break;
    case 3: snprintf(text, size, "%02d.%02d.%04d", day, month, year); break;
    case 4: snprintf(text, size, "%s %d, %d", name, day, year); break;
    case 5: snprintf(text, size, "%d-%s-%02d", day, brief, year % 100); break;
    case 6:
        snprintf(text, size, "%s, %s %d, %d", tacit__weekday_name(0, weekday), name, day, year);
        break;
    case 7: snprintf(text, size, "%04d%02d%02d", year, month, day); break;
    case 8: snprintf(text, size, "%s of %s, %d", tacit__day_name(day), name, year); break;
    default: snprintf(text, size, "%s %d%s '%02d", name, day, day == 1 ? "st" : "th", year % 100);
    }
}

enum { FORMS = 10 };

/* The number of a day of which every form is shifted; its weekday is the right one. */
static int shifted_number(disguised *d, uint32_t form, int number)
{
    tacit__detect_date date;
    char text[LONGEST];
    int year, month, day;
    tacit__date_of_number(&year, &month, &day, number);
    write_date(text, sizeof text, form, year, month, day);
    const char *result = disguised_text(d, TACIT_TEXT_DATE, text);
    if (!tacit__date_read(&date, tacit__parts_of(tacit_strview_of(result))))
        fail_msg("%s became %s", text, result);
    int other = tacit__date_number(date.of[TACIT__DATE_YEAR], date.of[TACIT__DATE_MONTH],
                                   date.of[TACIT__DATE_DAY]);
    if (date.of[TACIT__DATE_WEEKDAY] >= 0)
        assert_int_equal(date.of[TACIT__DATE_WEEKDAY], (other + 2) % 7);
    return other;
}

static void distances(void **state)
{
    uint64_t *seed = *state;
    disguised d;
    disguised_init(&d, TACIT_TEXT_SHIFT, TACIT_TEXT_DOCUMENT, 1);
    int first = tacit__date_number(1931, 1, 1), days = tacit__date_number(2028, 1, 1) - first;
    for (*seed = 1; *seed <= many_cases(20000); ++*seed) {
        uint64_t random = *seed;
        int one = first + (int)drawn(&random, (uint32_t)days);
        int two = first + (int)drawn(&random, (uint32_t)days);
        disguised_begin(&d, *seed);
        int one_later = shifted_number(&d, drawn(&random, FORMS), one);
        int two_later = shifted_number(&d, drawn(&random, FORMS), two);
        assert_int_equal(one_later - two_later, one - two);
        assert_true(abs(one_later - one) >= 183 && abs(one_later - one) <= 349);
    }
    disguised_clear(&d);
    *seed = 0;
}

static int luhn_sum(const char *text)
{
    int sum = 0, place = 0;
    for (size_t i = strlen(text); i > 0; i--) {
        if (!isdigit((unsigned char)text[i - 1]))
            continue;
        int digit = (text[i - 1] - '0') << (place++ & 1);
        sum += digit > 9 ? digit - 9 : digit;
    }
    return sum;
}

/* The remainder as ISO 13616 has it, with the first four signs moved to the end. */
static int iban_rest(const char *text)
{
    size_t len = strlen(text);
    int rest = 0;
    for (size_t i = 0; i < len; i++) {
        char sign = text[(i + 4) % len];
        if (isdigit((unsigned char)sign))
            rest = (rest * 10 + sign - '0') % 97;
        else
            rest = (rest * 100 + (sign | 0x20) - 'a' + 10) % 97;
    }
    return rest;
}

static void checks(void **state)
{
    uint64_t *seed = *state;
    static const char *const forms[] = {"#### #### #### ####", "###############",
                                        "####-######-#####", "############", "###################"};
    disguised d;
    disguised_init(&d, TACIT_TEXT_MAKE_UP, TACIT_TEXT_DOCUMENT, 1);
    for (*seed = 1; *seed <= many_cases(5000); ++*seed) {
        uint64_t random = *seed;
        char text[LONGEST];
        draw_value(text, forms[drawn(&random, 5)], &random);
        disguised_begin(&d, *seed);
        const char *card = disguised_text(&d, TACIT_TEXT_CARD, text);
        assert_int_equal(strlen(card), strlen(text));
        assert_int_equal(luhn_sum(card) % 10, 0);
        draw_value(text, "DE##################", &random);
        const char *iban = disguised_text(&d, TACIT_TEXT_BANK, text);
        assert_memory_equal(iban, "DE", 2);
        assert_int_equal(iban_rest(iban), 1);
    }
    disguised_clear(&d);
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        random_test(others, &seed),      random_test(scopes, &seed),
        random_test(nobody_else, &seed), random_test(not_in_document, &seed),
        random_test(distances, &seed),   random_test(checks, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
