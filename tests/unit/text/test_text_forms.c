/*
 * How names, initials, numbers and dates are read, and how far a word is taken for a name.
 */
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "text/known/index.h"
#include "text/read/forms.h"
#include "text_found.h"

static tacit__document read_text(const char *text)
{
    tacit__document document = {0};
    assert_int_equal(tacit__document_read(&document, found_view(text), NULL), TACIT_OK);
    return document;
}

static void test_names(void **state)
{
    static const struct {
        const char *text, *roles; /* of its words: first, middle, last, or none */
    } cases[] = {{"Virginia P. Weston", "fml"},
                 {"WESTON, VIRGINIA P.", "lfm"},
                 {"Mrs. Weston", "-l"},
                 {"Virginia", "f"},
                 {"Frank Red Graves", "fml"},
                 {"\"Red\" Graves", "fl"},
                 {"F. R. Graves, MD", "fml-"},
                 {"Donald van der Voet", "f--l"},
                 {"Ann O'Neill-Long", "fll"},
                 {"De La Cruz, Maria", "--lf"},
                 {"Tran Van Le", "f-l"},
                 {"John Smith, Jr., 3rd", "fl--"},
                 {"Dr.", "-"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit__document document = read_text(cases[i].text);
        tacit__name name;
        char roles[16] = "---------------";
        tacit__name_read(&name, &document, 0, document.count);
        for (size_t k = 0; k < name.count; k++)
            roles[name.parts[k].word] = name.parts[k].role == TACIT__AS_FIRST    ? 'f'
                                        : name.parts[k].role == TACIT__AS_MIDDLE ? 'm'
                                                                                 : 'l';
        roles[document.count] = '\0';
        assert_string_equal(roles, cases[i].roles);
        tacit__document_clear(&document);
    }
}

/* The first word of the text that is spelt so, as far as it is trusted to be a name. */
static void test_trust(void **state)
{
    static const struct {
        const char *text, *word;
        int least, most;
    } cases[] = {{"He saw Weston today.", "Weston", 100, 100},
                 {"He saw Mr. Pain today.", "Pain", 100, 100},
                 {"He had pain today.", "pain", 0, 0},
                 {"Dear Doctor, we saw her.", "Doctor", 0, 0},
                 {"We saw Dr. King there.", "King", 100, 100},
                 {"Pain is worse today.", "Pain", 0, 30},
                 {"The Long family left.", "Long", 70, 100},
                 {"Long walks help.", "Long", 0, 30},
                 {"Grace was here today.", "Grace", 55, 70},
                 {"He has Parkinson's disease.", "Parkinson", 0, 0},
                 {"A Foley catheter was used.", "Foley", 0, 0},
                 {"Seen in May again.", "May", 0, 0},
                 {"On May 5 he left.", "May", 0, 0},
                 {"Then weston left the house.", "weston", 60, 80},
                 {"then weston left the house again", "weston", 90, 100},
                 {"then long left the house again", "long", 0, 30},
                 {"The 7 Weston 7 files.", "7", 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit__document document = read_text(cases[i].text);
        const char *at = strstr(cases[i].text, cases[i].word);
        size_t word = tacit__document_at(&document, (uint32_t)(at - cases[i].text));
        int trust = tacit__name_trust(&document, word);
        if (trust < cases[i].least || trust > cases[i].most)
            fail_msg("%s in \"%s\": %d", cases[i].word, cases[i].text, trust);
        tacit__document_clear(&document);
    }
}

static void test_initials(void **state)
{
    static const struct {
        const char *text, *letters;
        size_t words;
        int least, most;
    } cases[] = {{"VPW", "vpw", 1, 90, 100},
                 {"RN/jk 27-Oct-1991", "rn", 1, 90, 100},
                 {"V.P.W. came", "vpw", 3, 85, 90},
                 {"V.P. Weston", "vp", 2, 0, 0},
                 {"MS was found", "ms", 1, 0, 0},
                 {"VPW came here", "vpw", 1, 85, 90},
                 {"VQ came here", "vq", 1, 75, 80},
                 {"SC was found", "sc", 1, 60, 70}, /* a state */
                 {"NO came here", "no", 1, 0, 0},   /* a word */
                 {"Vpw", "", 0, 0, 0},
                 {"VPWX", "", 0, 0, 0},
                 {"V Weston", "", 0, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit__document document = read_text(cases[i].text);
        char letters[4];
        size_t words = tacit__initials_at(letters, &document, 0);
        assert_int_equal(words, cases[i].words);
        if (words > 0) {
            assert_string_equal(letters, cases[i].letters);
            assert_in_range(tacit__initials_trust(&document, 0, words, letters), cases[i].least,
                            cases[i].most);
        }
        tacit__document_clear(&document);
    }
}

static void test_numbers(void **state)
{
    static const struct {
        const char *one, *other;
        bool same;
    } cases[] = {{"(304) 255-1423", "3042551423", true},
                 {"304/ 255-1423", "304.255.1423", true},
                 {"A574351", "a574351", true},
                 {"32-841-09787", "32 841 09787", true},
                 {"473-1214", "473-1215", false},
                 {"12, 34", "1234", false},
                 {"12\n34", "1234", false},
                 {"12-AB-34", "12ab34", true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit__document one = read_text(cases[i].one), other = read_text(cases[i].other);
        tacit__number of_one = {0}, of_other = {0};
        for (size_t end = 0; tacit__number_next(&of_one, &end, &one, 0);)
            assert_true(end <= one.count);
        for (size_t end = 0; tacit__number_next(&of_other, &end, &other, 0);)
            assert_true(end <= other.count);
        assert_int_equal(tacit__number_key(&of_one) == tacit__number_key(&of_other), cases[i].same);
        tacit__document_clear(&one);
        tacit__document_clear(&other);
    }
}

static void test_dates(void **state)
{
    static const char *const same[] = {"1986-05-26", "05/26/86",      "5/26/1986",
                                       "26.5.1986",  "May 26, 1986",  "26 May 1986",
                                       "26-MAY-86",  "May 26th 1986", "1986/05/26"};
    static const char *const none[] = {"05/26",    "13/26/86", "May 1986",  "32 May 1986", "1-2-3",
                                       "86-5-26-", "May 26",   "May 26, 1", "5/26-86",     ""};
    tacit__known_day first = 0, days[TACIT__KNOWN_READINGS];
    size_t readings;
    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        tacit__document document = read_text(same[i]);
        assert_int_equal(tacit__known_date_at(days, &readings, &document, 0), 3);
        assert_int_equal(readings, 1);
        first = i == 0 ? days[0] : first;
        assert_int_equal(days[0], first);
        tacit__document_clear(&document);
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        tacit__document document = read_text(none[i]);
        if (tacit__known_date_at(days, &readings, &document, 0) != 0)
            fail_msg("a date in \"%s\"", none[i]);
        tacit__document_clear(&document);
    }
    tacit__document both = read_text("03/04/86");
    assert_int_equal(tacit__known_date_at(days, &readings, &both, 0), 3);
    assert_int_equal(readings, 2);
    tacit__document_clear(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names), cmocka_unit_test(test_trust), cmocka_unit_test(test_initials),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_dates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
