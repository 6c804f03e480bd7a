/*
 * Known names, addresses and numbers are found however they are written, and words that only
 * happen to be somebody's name are not.
 */
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "text/known/known.h"
#include "text_found.h"

enum { MAX_VALUES = 16 };

typedef struct known_case {
    const char *known; /* "kind:value|kind:value" */
    const char *text;
    const char *expected;
} known_case;

static const known_case cases[] = {
    /* one name in its written forms */
    {"name:Virginia P. Weston", "We saw Virginia P. Weston and Virginia Weston today.",
     "name:Virginia P. Weston|name:Virginia Weston"},
    {"name:Virginia P. Weston", "PATIENT: WESTON, VIRGINIA P.\nand then some more words here",
     "name:WESTON, VIRGINIA P"},
    {"name:WESTON, VIRGINIA P.", "She is Virginia Weston. She is V. P. Weston. She is V. Weston.",
     "name:Virginia Weston|name:V. P. Weston|name:V. Weston"},
    {"name:Virginia P. Weston", "Then Ginny Weston came, and Ginny left with Mrs. Weston.",
     "name:Ginny Weston|nickname:Ginny|last_name:Weston"},
    {"name:Ginny Weston", "Then Virginia Weston came.", "name:Virginia Weston"},
    {"name:Virginia P. Weston",
     "Virgina Weston came. Then Virginia Wetson and Mrs. Westen were here.",
     "name:Virgina Weston|name:Virginia Wetson|last_name:Westen"},
    {"name:Virginia P. Weston", "It was VPW who called.\nVW/jk\n", "initials:VPW|initials:VW"},
    {"name:Marjorie Long", "Dear Dr. Lang: As you know, Dot is well.", "last_name:Lang"},
    {"first_name:Frank|last_name:Graves|first_name:Mary|last_name:Stone",
     "Frank Graves met Mary Stone. Frank Stone is nobody we know.",
     "name:Frank Graves|name:Mary Stone|last_name:Stone"},
    {"last_name:O'Neill-Long|first_name:Ann", "Then Ann O'Neill-Long left with O'Neill.",
     "name:Ann O'Neill-Long|last_name:O'Neill"},
    {"name:José Núñez", "Then JOSE NUNEZ came to see us, and José Nuñez.",
     "name:JOSE NUNEZ|name:José Nuñez"},
    {"name:Frank Red Graves", "frank red graves came here to see us about his hand",
     "name:frank red graves"},
    /* not names here */
    {"name:Will May|name:Hope White|name:John Pain",
     "She will come in May. White count was 7. I may hope. Pain is worse. I May will it.", ""},
    {"name:Will May", "Then Will May came.", "name:Will May"},
    {"name:James Parkinson", "He has Parkinson's disease. Dr. Parkinson knows.",
     "last_name:Parkinson"},
    {"name:Mary S. Smith", "She has MS.", ""},
    {"name:Here Stone", "Here's my number.", ""},
    {"name:John Graves", "She has Graves' disease, says Mr. Graves.", "last_name:Graves"},
    {"name:Virginia Weston", "Virginia lives there. Weston is next. Virginia.\n\nWeston came.",
     "first_name:Virginia|last_name:Weston|first_name:Virginia|last_name:Weston"},
    /* numbers by their digits */
    {"reference:32-841-09787|ssn:123-45-6789",
     "MRN 3284109787 or 32 841 09787, SSN 123456789; not 32-841-09788.",
     "reference:3284109787|reference:32 841 09787|ssn:123456789"},
    {"phone:(304) 255-1423", "Call 304/ 255-1423, 1-304-255-1423, 255-1423 or 3042551423.",
     "phone:304/ 255-1423|phone:1-304-255-1423|phone:255-1423|"
     "phone:3042551423"},
    {"reference:A574351", "Account a574351 and A-574351.", "reference:a574351"},
    /* dates in other forms */
    {"date:1986-05-26", "Born 05/26/86, May 26, 1986, 26-MAY-86, 26.5.1986, not 05/27/86.",
     "date:05/26/86|date:May 26, 1986|date:26-MAY-86|date:26.5.1986"},
    {"date:March 1st, 1991", "On 3/1/91.", "date:3/1/91"},
    /* streets, cities, organizations */
    {"street:18 Huntington Avenue", "She lives at 18 Huntington Ave. near Huntington Avenue.",
     "street:18 Huntington Ave|street:Huntington Avenue"},
    {"city:Charlesmouth|organization:Marina Corp",
     "He came from Charlesmouth and works for Marina Corp, not for a marina.",
     "city:Charlesmouth|organization:Marina Corp"},
    {"email:ginny@weston.org", "Mail ginny@weston.org now.", "email:ginny@weston.org"},
};

static size_t parse_known(tacit_strview *values, tacit_text_kind *kinds, char *copy)
{
    size_t count = 0;
    for (char *rest = copy; rest && *rest;) {
        char *one = strsep(&rest, "|"), *text = strchr(one, ':') + 1;
        kinds[count] =
            tacit_text_kind_of((tacit_strview){.bytes = one, .len = (size_t)(text - one - 1)});
        assert_true(kinds[count] != TACIT_TEXT_NONE);
        values[count++] = found_view(text);
    }
    return count;
}

static tacit__known *make_known(const char *line)
{
    tacit_strview values[MAX_VALUES];
    tacit_text_kind kinds[MAX_VALUES];
    char copy[FOUND_LINE];
    tacit__known *known = NULL;
    snprintf(copy, sizeof copy, "%s", line);
    tacit_scrub_options options = {.known = values, .known_kinds = kinds};
    options.known_count = parse_known(values, kinds, copy);
    assert_int_equal(tacit__known_new(&known, &options, NULL), TACIT_OK);
    return known;
}

static bool check(const known_case *one)
{
    tacit__document text = {0};
    tacit__proposals found = {0};
    char line[FOUND_LINE];
    tacit__known *known = make_known(one->known);
    assert_int_equal(tacit__document_read(&text, found_view(one->text), NULL), TACIT_OK);
    assert_int_equal(tacit__known_propose(&found, known, &text, NULL), TACIT_OK);
    found_line(line, &found, &text, TACIT_SCRUB_THRESHOLD);
    bool same = strcmp(line, one->expected) == 0;
    if (!same)
        print_error("in \"%s\"\nfound    %s\nexpected %s\n", one->text, line, one->expected);
    tacit__known_free(known);
    tacit__proposals_clear(&found);
    tacit__document_clear(&text);
    return same;
}

static void test_cases(void **state)
{
    (void)state;
    size_t good = 0, count = sizeof cases / sizeof cases[0];
    for (size_t i = 0; i < count; i++)
        good += check(&cases[i]);
    assert_int_equal(good, count);
}

/* Likelihoods that others build on. */
static void test_likelihoods(void **state)
{
    static const struct {
        const char *text, *part;
        int least, most;
    } tries[] = {{"We saw Virginia P. Weston.", "Virginia P. Weston", 99, 99},
                 {"We saw WESTON, VIRGINIA P.", "WESTON, VIRGINIA P", 99, 99},
                 {"We saw Ginny Weston.", "Ginny Weston", 97, 98},
                 {"We saw V. Weston.", "V. Weston", 97, 97},
                 {"We saw Virginia Wetson.", "Virginia Wetson", 97, 97},
                 {"Then Weston came.", "Weston", 85, 85},
                 {"Then weston came to the house.", "weston", 50, 70},
                 {"It was VPW.", "VPW", 70, 85}};
    (void)state;
    tacit__known *known = make_known("name:Virginia P. Weston");
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        tacit__document text = {0};
        tacit__proposals found = {0};
        tacit__document_read(&text, found_view(tries[i].text), NULL);
        assert_int_equal(tacit__known_propose(&found, known, &text, NULL), TACIT_OK);
        assert_in_range(found_likelihood(&found, &text, tries[i].part), tries[i].least,
                        tries[i].most);
        tacit__proposals_clear(&found);
        tacit__document_clear(&text);
    }
    tacit__known_free(known);
}

/* With thousands of people, single words that are also something else are left to others. */
static void test_crowd(void **state)
{
    enum { CROWD = 6000 };
    static const struct {
        const char *text, *expected;
    } tries[] = {
        {"Then Weston left for Virginia with Will and White.", "last_name:Weston"},
        {"Then weston left the house.", ""},
        {"Then Virginia Weston came, and Mrs. White.", "name:Virginia Weston|last_name:White"},
        {"He is Canadian, saw Smith and works in Boston.", "last_name:Smith"},
        {"She saw Westn and Mrs. Westn.", "last_name:Westn"},
        {"Virginia Westn came.", "name:Virginia Westn"}};
    static char names[CROWD][32];
    static tacit_strview values[CROWD];
    tacit__known *known = NULL;
    (void)state;
    for (unsigned i = 0; i < CROWD; i++) {
        static const char *const common[] = {"Virginia Weston", "Will White", "Hope Canadian",
                                             "Ann Smith", "John Boston"};
        snprintf(names[i], sizeof names[i], "Q%cx%c Zx%cx%cx%c", 'a' + i % 26, 'a' + i / 26 % 26,
                 'a' + i % 26, 'a' + i / 26 % 26, 'a' + i / 676);
        values[i] = found_view(i < 5 ? common[i] : names[i]);
    }
    tacit_scrub_options options = {.known = values, .known_count = CROWD};
    assert_int_equal(tacit__known_new(&known, &options, NULL), TACIT_OK);
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        tacit__document text = {0};
        tacit__proposals found = {0};
        char line[FOUND_LINE];
        tacit__document_read(&text, found_view(tries[i].text), NULL);
        assert_int_equal(tacit__known_propose(&found, known, &text, NULL), TACIT_OK);
        found_line(line, &found, &text, TACIT_SCRUB_THRESHOLD);
        assert_string_equal(line, tries[i].expected);
        tacit__proposals_clear(&found);
        tacit__document_clear(&text);
    }
    tacit__known_free(known);
}

/* Values that say nothing, are broken, or are too long do no harm. */
static void test_odd_values(void **state)
{
    static char longest[5000];
    memset(longest, 'a', sizeof longest - 1);
    const char *texts[] = {"",         " ",
                           ",",        "...",
                           "7",        "'",
                           "\xFF\xFE", "a",
                           "Mr.",      "de",
                           longest,    "1234567890123456789012345678901234567890",
                           "//",       "1/2/3/4/5/6/7/8/9/0"};
    enum { COUNT = sizeof texts / sizeof texts[0] };
    tacit_strview values[COUNT * TACIT_TEXT_KINDS];
    tacit_text_kind kinds[COUNT * TACIT_TEXT_KINDS];
    size_t count = 0;
    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        for (int kind = 0; kind < TACIT_TEXT_KINDS; kind++) {
            kinds[count] = (tacit_text_kind)kind;
            values[count++] = found_view(texts[i]);
        }
    tacit_scrub_options options = {.known = values, .known_kinds = kinds, .known_count = count};
    for (int with_kinds = 0; with_kinds < 2; with_kinds++) {
        tacit__document text = {0};
        tacit__proposals found = {0};
        tacit__known *known = NULL;
        options.known_kinds = with_kinds ? kinds : NULL;
        assert_int_equal(tacit__known_new(&known, &options, NULL), TACIT_OK);
        for (size_t i = 0; i < COUNT; i++) {
            assert_int_equal(tacit__document_read(&text, values[i * TACIT_TEXT_KINDS], NULL),
                             TACIT_OK);
            assert_int_equal(tacit__known_propose(&found, known, &text, NULL), TACIT_OK);
        }
        tacit__known_free(known);
        tacit__proposals_clear(&found);
        tacit__document_clear(&text);
    }
    tacit__known_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases), cmocka_unit_test(test_likelihoods),
        cmocka_unit_test(test_crowd), cmocka_unit_test(test_odd_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
