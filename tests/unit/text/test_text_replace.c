/*
 * test_text_replace.c - what stands for values of each kind under each strategy: Figure 108's
 * forms, the written forms of Figures 110 and 113, and bytes that are nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "disguise.h"
#include "text/detect/dates.h"
#include "text/replace/disguise.h"

typedef struct expected {
    tacit_text_kind kind;
    const char *text, *result;
} expected;

static void check(const expected *cases, size_t count, tacit_text_strategy strategy)
{
    disguised d;
    disguised_init(&d, strategy, TACIT_TEXT_DOCUMENT, 1);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(disguised_text(&d, cases[i].kind, cases[i].text), cases[i].result);
    disguised_clear(&d);
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void suppressed_tagged_kept(void **state)
{
    (void)state;
    static const expected gone[] = {{TACIT_TEXT_DATE, "3/1/91", ""},
                                    {TACIT_TEXT_MEDICAL, "insulin", "insulin"}};
    static const expected tags[] = {{TACIT_TEXT_DATE, "3/1/91", "[DATE]"},
                                    {TACIT_TEXT_FULL_NAME, "Frank Graves", "[NAME]"},
                                    {TACIT_TEXT_HEALTH_PLAN, "", "[HEALTH_PLAN]"},
                                    {TACIT_TEXT_EPONYM, "Hodgkin", "Hodgkin"}};
    static const expected kept[] = {{TACIT_TEXT_DATE, "3/1/91", "3/1/91"},
                                    {TACIT_TEXT_FULL_NAME, "Frank Graves", "Frank Graves"}};
    check(gone, COUNT(gone), TACIT_TEXT_SUPPRESS);
    check(tags, COUNT(tags), TACIT_TEXT_TAG);
    check(kept, COUNT(kept), TACIT_TEXT_KEEP);
}

static void lumped(void **state)
{
    (void)state;
    static const expected cases[] = {
        {TACIT_TEXT_DATE, "Wednesday, February 2, 1994", "February, 1994"}, /* Figure 108 */
        {TACIT_TEXT_DATE, "05/26/86", "05/86"},
        {TACIT_TEXT_DATE, "June of 1993", "June of 1993"},
        {TACIT_TEXT_ZIP, "02151", "02100"},
        {TACIT_TEXT_DATE, "March 1, 1991", "March, 1991"}, /* Figure 110 */
        {TACIT_TEXT_DATE, "3/1/91", "3/91"},
        {TACIT_TEXT_DATE, "first of March", "March"},
        {TACIT_TEXT_DATE, "1-MAR-91", "MAR-91"},
        {TACIT_TEXT_DATE, "03-01-91", "03-91"},
        {TACIT_TEXT_DATE, "March 1st", "March"},
        {TACIT_TEXT_DATE, "1990-06-16", "1990-06"},
        {TACIT_TEXT_DATE, "1993-01-04 14:56:41", "1993-01"},
        {TACIT_TEXT_DATE, "19900616", "199006"},
        {TACIT_TEXT_DATE, "20.04.2020", "04.2020"},
        {TACIT_TEXT_DATE, "03 October 1997", "October 1997"},
        {TACIT_TEXT_DATE, "11/13", "November"},
        {TACIT_TEXT_DATE, "2015", "2015"},
        {TACIT_TEXT_DATE, "2 de febrero de 1994", "febrero de 1994"},
        {TACIT_TEXT_DATE, "Saturday", "[DATE]"},
        {TACIT_TEXT_DATE, "Christmas", "[DATE]"},
        {TACIT_TEXT_AGE, "7", "under 10"},
        {TACIT_TEXT_AGE, "42", "40s"},
        {TACIT_TEXT_AGE, "forty-two", "40s"},
        {TACIT_TEXT_AGE, "89", "80s"},
        {TACIT_TEXT_AGE, "90", "90+"},
        {TACIT_TEXT_AGE, "104", "90+"},
        {TACIT_TEXT_ZIP, "02151-1234", "02100"},
        {TACIT_TEXT_ZIP, "82190", "00000"}, /* few people */
        {TACIT_TEXT_ZIP, "SW1A 1AA", "[ZIP]"},
        {TACIT_TEXT_FULL_NAME, "Frank Graves", "[NAME]"}};
    check(cases, COUNT(cases), TACIT_TEXT_LUMP);
}

/* A document whose dates move by 200 days: every form moves with them. */
static void shifted(void **state)
{
    (void)state;
    static const expected cases[] = {
        {TACIT_TEXT_DATE, "Wednesday, February 2, 1994", "Sunday, August 21, 1994"},
        {TACIT_TEXT_DATE, "WED, FEB 2, 1994", "SUN, AUG 21, 1994"},
        {TACIT_TEXT_DATE, "05/26/86", "12/12/86"},
        {TACIT_TEXT_DATE, "June of 1993", "January of 1994"},
        {TACIT_TEXT_DATE, "March 1, 1991", "September 17, 1991"},
        {TACIT_TEXT_DATE, "3/1/91", "9/17/91"},
        {TACIT_TEXT_DATE, "first of March", "seventeenth of September"},
        {TACIT_TEXT_DATE, "1-MAR-91", "17-SEP-91"},
        {TACIT_TEXT_DATE, "03-01-91", "09-17-91"},
        {TACIT_TEXT_DATE, "March 1st", "September 17th"},
        {TACIT_TEXT_DATE, "MARCH 15TH", "OCTOBER 1ST"},
        {TACIT_TEXT_DATE, "1990-06-16", "1991-01-02"},
        {TACIT_TEXT_DATE, "1990-06-16T04:51:40Z", "1991-01-02T04:51:40Z"},
        {TACIT_TEXT_DATE, "19900616", "19910102"},
        {TACIT_TEXT_DATE, "16.06.1990", "02.01.1991"},
        {TACIT_TEXT_DATE, "16/06/1990", "02/01/1991"},
        {TACIT_TEXT_DATE, "27-Oct-1991", "14-May-1992"},
        {TACIT_TEXT_DATE, "15. M\xC3\xA4rz 1990", "1. Oktober 1990"},
        {TACIT_TEXT_DATE, "2 de febrero de 1994", "21 de agosto de 1994"},
        {TACIT_TEXT_DATE, "3. Mai 2023", "19. November 2023"},
        {TACIT_TEXT_DATE, "5. August 2023", "21. Februar 2024"},
        {TACIT_TEXT_DATE, "Montag, den 3. April 2023", "Freitag, den 20. Oktober 2023"},
        {TACIT_TEXT_DATE, "Mai 2023", "Dezember 2023"},
        {TACIT_TEXT_DATE, "mai 2023",
         "d\xC3\xA9"
         "cembre 2023"},
        {TACIT_TEXT_DATE, "August 2023", "March 2024"},
        {TACIT_TEXT_DATE, "lundi 3 mai 2021", "vendredi 19 novembre 2021"},
        {TACIT_TEXT_DATE, "10/26", "05/14"},
        {TACIT_TEXT_DATE, "March 1994", "October 1994"},
        {TACIT_TEXT_DATE, "05/86", "12/86"},
        {TACIT_TEXT_DATE, "1990-06", "1991-01"},
        {TACIT_TEXT_DATE, "in December", "in July"},
        {TACIT_TEXT_DATE, "2015", "2016"},
        {TACIT_TEXT_DATE, "'91", "'92"},
        {TACIT_TEXT_DATE, "spring of 1994", "spring of 1995"},
        {TACIT_TEXT_DATE, "Saturday", "Wednesday"},
        {TACIT_TEXT_DATE, "2/30/1991", "[DATE]"},
        {TACIT_TEXT_DATE, "May 3-5, 1994", "[DATE]"},
        {TACIT_TEXT_DATE, "Easter", "[DATE]"},
        {TACIT_TEXT_DATE, "13/13/13", "[DATE]"},
        {TACIT_TEXT_DATE, "9999-12-01", "[DATE]"}};
    disguised d;
    disguised_init(&d, TACIT_TEXT_SHIFT, TACIT_TEXT_DOCUMENT, 1);
    d.disguise->has_days = true;
    d.disguise->days = 200;
    d.disguise->months = 7;
    d.disguise->years = 1;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(disguised_text(&d, cases[i].kind, cases[i].text), cases[i].result);
    disguised_clear(&d);
}

/* The form survives. * in what is expected stands for letters, # for a digit. */
static bool has_form(const char *text, const char *form)
{
    for (; *form; form++) {
        if (*form == '*') {
            if (!((*text | 0x20) >= 'a' && (*text | 0x20) <= 'z'))
                return false;
            while ((*text | 0x20) >= 'a' && (*text | 0x20) <= 'z')
                text++;
        } else if (*form == '#') {
            if (*text < '0' || *text > '9')
                return false;
            text++;
        } else if (*text++ != *form) {
            return false;
        }
    }
    return *text == '\0';
}

static void made_up(void **state)
{
    (void)state;
    static const expected cases[] = {
        {TACIT_TEXT_FULL_NAME, "Marjorie Long", "* *"}, /* Figure 107 */
        {TACIT_TEXT_FULL_NAME, "Marjorie Long, M.D.", "* *, M.D."},
        {TACIT_TEXT_HOSPITAL, "St. John's Hospital", "St. *'s Hospital"},
        {TACIT_TEXT_STREET, "Huntington 18", "* ##"},
        {TACIT_TEXT_CITY, "Boston", "*"},
        {TACIT_TEXT_STATE, "MA", "*"},
        {TACIT_TEXT_ZIP, "02151", "#####"},
        {TACIT_TEXT_REFERENCE, "32-841-09787", "##-###-#####"},
        {TACIT_TEXT_ORGANIZATION, "Marina Corp", "* Corp"},
        {TACIT_TEXT_ORGANIZATION, "St. Bartholomew's", "St. *'s"},
        {TACIT_TEXT_ORGANIZATION, "Saint Laurent", "Saint *"},
        {TACIT_TEXT_PHONE, "473-1214", "555-01##"},
        {TACIT_TEXT_REFERENCE, "34764", "#####"},
        {TACIT_TEXT_FULL_NAME, "F. R. Graves, MD", "*. *. *, MD"}, /* Figure 110 */
        {TACIT_TEXT_FULL_NAME, "Dr. Graves", "Dr. *"},
        {TACIT_TEXT_FULL_NAME, "\"Red\" Graves", "\"*\" *"},
        {TACIT_TEXT_PHONE, "(304) 255-1423", "(###) 555-01##"},
        {TACIT_TEXT_PHONE, "304/ 255-1423", "###/ 555-01##"},
        {TACIT_TEXT_PHONE, "255-1000 ext 1423", "555-01## ext ####"},
        {TACIT_TEXT_PHONE, "phone: 255-1423", "phone: 555-01##"},
        {TACIT_TEXT_PHONE, "extension 1423", "extension ####"},
        {TACIT_TEXT_PHONE, "916.972.1680x22008", "###.555.01##x#####"},
        {TACIT_TEXT_PHONE, "001-920-866-4851", "001-###-555-01##"},
        {TACIT_TEXT_PHONE, "+1 646 890 2640", "+1 ### 555 01##"},
        {TACIT_TEXT_PHONE, "051-363-821", "###-###-###"},
        {TACIT_TEXT_FULL_NAME, "Vincent van Gogh Jr.", "* van * Jr."},
        {TACIT_TEXT_FULL_NAME, "PAIN, DOROTHY", "*, *"},
        {TACIT_TEXT_FULL_NAME, "JUAN DE LA CRUZ", "* DE LA *"},
        {TACIT_TEXT_LAST_NAME, "O'Neill-Long's", "O'*-*'s"},
        {TACIT_TEXT_LAST_NAME, "McCarthy", "Mc*"},
        {TACIT_TEXT_SOCIAL_SECURITY, "529-37-7614", "9##-##-####"},
        {TACIT_TEXT_SOCIAL_SECURITY, "XXX-XX-7614", "XXX-XX-####"},
        {TACIT_TEXT_ACCOUNT, "XYZ84471024", "*########"},
        {TACIT_TEXT_ACCOUNT, "MRN 84471024", "MRN ########"},
        {TACIT_TEXT_CARD, "4485 3604 7389 3059", "9999 #### #### ####"},
        {TACIT_TEXT_BANK, "GB13PLUO53932440748460", "*##*##############"},
        {TACIT_TEXT_EMAIL, "john.smith42@gmail.com", "*.*##@example.*"},
        {TACIT_TEXT_URL, "https://www.LimitBuy.nl/who?id=3", "https://www.*.example/"},
        {TACIT_TEXT_URL, "limitbuy.nl", "*.example"},
        {TACIT_TEXT_USER, "@jsmith_42", "@*_##"},
        {TACIT_TEXT_COORDINATES, "42.3601, -71.0589", "00.0000, -00.0000"},
        {TACIT_TEXT_STREET, "7465 Steven Drive Apt. 034", "#### * Drive Apt. ###"},
        {TACIT_TEXT_STREET, "12 Park Street", "## * Street"},
        {TACIT_TEXT_HOSPITAL, "Brookfield Regional Medical Center", "* Regional Medical Center"},
        {TACIT_TEXT_ORGANIZATION, "Walters, West and Ward", "*, * and *"},
        {TACIT_TEXT_LOCATION, "Lake Eric, TX, Bolivia", "Lake *, *, *"},
        {TACIT_TEXT_TITLE, "Mrs.", "Mrs."},
        {TACIT_TEXT_TITLE, "Railroad switch operator", "[TITLE]"},
        {TACIT_TEXT_AGE, "43", "4#"},
        {TACIT_TEXT_AGE, "7 and 6/12", "# and 6/12"},
        {TACIT_TEXT_AGE, "62.3", "6#.#"},
        {TACIT_TEXT_AGE, "2 1/2", "# 1/2"},
        {TACIT_TEXT_AGE, "Forty-two", "Forty-*"},
        {TACIT_TEXT_AGE, "101", "9#"},
        {TACIT_TEXT_AGE, "one hundred and two", "[AGE]"},
        {TACIT_TEXT_AGE, "thirty-fourth", "[AGE]"},
        {TACIT_TEXT_AGE, "80th", "8#*"},
        {TACIT_TEXT_INITIALS, "R.N.", "*.*."},
        {TACIT_TEXT_MAILING_LABEL, "Marjorie Long", "[MAILING_LABEL]"},
        {TACIT_TEXT_HOSPITAL, "Medical Center", "[HOSPITAL]"}};
    disguised d;
    disguised_init(&d, TACIT_TEXT_MAKE_UP, TACIT_TEXT_DOCUMENT, 1);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *result = disguised_text(&d, cases[i].kind, cases[i].text);
        if (!has_form(result, cases[i].result))
            fail_msg("%s became %s, not %s", cases[i].text, result, cases[i].result);
    }
    disguised_clear(&d);
}

/* One person in all the forms of a name. */
static void one_person(void **state)
{
    (void)state;
    disguised d;
    char full[64], first[32], last[32], wanted[80];
    disguised_init(&d, TACIT_TEXT_MAKE_UP, TACIT_TEXT_DOCUMENT, 1);
    strcpy(full, disguised_text(&d, TACIT_TEXT_FULL_NAME, "Robert Nguyen"));
    assert_int_equal(sscanf(full, "%31s %31s", first, last), 2);
    assert_string_equal(disguised_text(&d, TACIT_TEXT_FIRST_NAME, "Robert"), first);
    snprintf(wanted, sizeof wanted, "%s, %s", last, first);
    assert_string_equal(disguised_text(&d, TACIT_TEXT_FULL_NAME, "Nguyen, Robert"), wanted);
    snprintf(wanted, sizeof wanted, "%c. %s", first[0], last);
    assert_string_equal(disguised_text(&d, TACIT_TEXT_FULL_NAME, "R. Nguyen"), wanted);
    snprintf(wanted, sizeof wanted, "%c%c", first[0], last[0]);
    assert_string_equal(disguised_text(&d, TACIT_TEXT_INITIALS, "RN"), wanted);
    snprintf(wanted, sizeof wanted, "%c%c", first[0] | 0x20, last[0] | 0x20);
    assert_string_equal(disguised_text(&d, TACIT_TEXT_INITIALS, "rn"), wanted);
    const char *capitals = disguised_text(&d, TACIT_TEXT_LAST_NAME, "NGUYEN");
    for (size_t i = 0; capitals[i]; i++)
        assert_int_equal(capitals[i] | 0x20, last[i] | 0x20);
    disguised_clear(&d);
}

/* What could be somebody's name or initial does not stay for being a particle or degree. */
static void nothing_left(void **state)
{
    (void)state;
    static const expected cases[] = {{TACIT_TEXT_FULL_NAME, "John E Smith", " E "},
                                     {TACIT_TEXT_FULL_NAME, "Minh Le Tran", "Le"},
                                     {TACIT_TEXT_FULL_NAME, "Smith, R.N.", "R.N."},
                                     {TACIT_TEXT_FULL_NAME, "Van Morrison", "Van"},
                                     {TACIT_TEXT_ORGANIZATION, "West and Young", "West"},
                                     {TACIT_TEXT_STREET, "12 Hill Road", "Hill"},
                                     {TACIT_TEXT_ACCOUNT, "X1234567", "X"},
                                     {TACIT_TEXT_URL, "http://firm.nl/smith", "smith"},
                                     {TACIT_TEXT_EMAIL, "a@smith.com", "smith"},
                                     {TACIT_TEXT_AGE, "7y 11m", "11m"},
                                     {TACIT_TEXT_AGE, "35-44", "44"},
                                     {TACIT_TEXT_AGE, "62.3", ".3"},
                                     {TACIT_TEXT_FULL_NAME, "Sm\xFFith", "\xFF"}};
    disguised d;
    disguised_init(&d, TACIT_TEXT_MAKE_UP, TACIT_TEXT_DOCUMENT, 1);
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_null(strstr(disguised_text(&d, cases[i].kind, cases[i].text), cases[i].result));
    disguised_clear(&d);
}

/* A number is the same in whatever form it is written and of whatever kind it is said to be. */
static void one_number(void **state)
{
    (void)state;
    disguised d;
    char first[32];
    disguised_init(&d, TACIT_TEXT_MAKE_UP, TACIT_TEXT_DOCUMENT, 1);
    strcpy(first, disguised_text(&d, TACIT_TEXT_PHONE, "304-255-1423"));
    const char *second = disguised_text(&d, TACIT_TEXT_FAX, "(304) 255-1423");
    assert_memory_equal(second + 1, first, 3);
    assert_string_equal(second + 6, first + 4);
    strcpy(first, disguised_text(&d, TACIT_TEXT_STATE, "Massachusetts"));
    assert_string_not_equal(disguised_text(&d, TACIT_TEXT_STATE, "MA"), "MA");
    assert_string_equal(disguised_text(&d, TACIT_TEXT_STATE, "Massachusetts"), first);
    disguised_clear(&d);
}

/* Phones of seven digits have a hundred replacements; all different while there are some. */
static void few_numbers(void **state)
{
    (void)state;
    disguised d;
    bool seen[100] = {0};
    disguised_init(&d, TACIT_TEXT_MAKE_UP, TACIT_TEXT_DOCUMENT, 1);
    for (int i = 0; i < 40; i++) {
        char phone[16];
        snprintf(phone, sizeof phone, "473-%04d", i);
        const char *other = disguised_text(&d, TACIT_TEXT_PHONE, phone);
        int number = atoi(other + 6);
        assert_false(seen[number]);
        seen[number] = true;
    }
    disguised_clear(&d);
}

static const char *const hostile[] = {"",
                                      " ",
                                      "\xFF\xFE",
                                      "\xC3",
                                      "''''",
                                      "....",
                                      "----",
                                      "'s",
                                      "O'",
                                      "Mc",
                                      "M.D.",
                                      "/",
                                      "@",
                                      "@@",
                                      "://",
                                      "1:",
                                      ":::",
                                      "1.2.3",
                                      "T1:",
                                      "st",
                                      "1st",
                                      "twenty-",
                                      "0",
                                      "00/00/00",
                                      "'",
                                      "\xE2\x80\x99",
                                      "x",
                                      "ext",
                                      "1,2,3,4,5,6,7,8,9",
                                      "www."};

/* Any bytes of any length for any kind and strategy, NUL bytes too. */
static void any_bytes(void **state)
{
    (void)state;
    enum { LONG = TACIT_SCRUB_PIECE };
    static const char fills[] = {'a', 'A', '0', ' ', '\'', '-', '.', ',', '\0', '\xFF', '@', ':'};
    char *text = malloc(LONG);
    assert_non_null(text);
    for (int strategy = 0; strategy < TACIT_TEXT_STRATEGIES; strategy++) {
        disguised d;
        disguised_init(&d, strategy, TACIT_TEXT_DOCUMENT, 1);
        for (int kind = 0; kind < TACIT_TEXT_KINDS; kind++) {
            disguised_bytes(&d, kind, NULL, 0);
            for (size_t i = 0; i < COUNT(hostile); i++)
                disguised_text(&d, kind, hostile[i]);
            for (size_t i = 0; i < sizeof fills; i++) {
                memset(text, fills[i], LONG);
                disguised_bytes(&d, kind, text, LONG);
                disguised_bytes(&d, kind, text, 1);
            }
            for (size_t i = 0; i < LONG; i++)
                text[i] = "Ab 1, c'D-"[i % 10];
            disguised_bytes(&d, kind, text, LONG);
        }
        disguised_clear(&d);
    }
    free(text);
}

/* Days and their numbers, over four hundred years and a bit. */
static void calendar(void **state)
{
    (void)state;
    int number = tacit__date_number(1899, 12, 31), year, month, day;
    for (int y = 1900; y < 2310; y++)
        for (int m = 1; m <= 12; m++)
            for (int d = 1; d <= tacit__month_length(y, m); d++) {
                assert_int_equal(tacit__date_number(y, m, d), ++number);
                tacit__date_of_number(&year, &month, &day, number);
                assert_true(year == y && month == m && day == d);
            }
    assert_int_equal(tacit__date_number(2026, 1, 1) - tacit__date_number(1970, 1, 1), 20454);
    assert_int_equal(tacit__month_length(2000, 2), 29);
    assert_int_equal(tacit__month_length(1900, 2), 28);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(suppressed_tagged_kept),
                                       cmocka_unit_test(lumped),
                                       cmocka_unit_test(shifted),
                                       cmocka_unit_test(made_up),
                                       cmocka_unit_test(one_person),
                                       cmocka_unit_test(one_number),
                                       cmocka_unit_test(nothing_left),
                                       cmocka_unit_test(few_numbers),
                                       cmocka_unit_test(any_bytes),
                                       cmocka_unit_test(calendar)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
