/*
 * test_lexicon.c - folding, and what the lexicons say of known words, phrases, short forms
 * and zip codes; and that any bytes at all can be asked for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/lexicon/fold.h"
#include "text/lexicon/lexicon.h"

static void folds(void **state)
{
    (void)state;
    static const char *cases[][2] = {
        {"Smith", "smith"},
        {"JOSÉ", "jose"},
        {"Jose\xCC\x81", "jose"}, /* the accent by itself */
        {"Nguyễn", "nguyen"},
        {"Łódź", "lodz"},
        {"Strauß", "strauss"},
        {"Æsop Œuvre Þór", "aesop oeuvre thor"},
        {"O’Brien", "o'brien"},
        {"Smith–Jones", "smith-jones"},
        {"  New\r\n\t York\xC2\xA0", "new york"},
        {"Ωμέγα", "ωμέγα"},
        {"ИВАНОВ Ђорђе", "иванов ђорђе"},
        {"3×4", "3×4"},
        {"山田", "山田"},
        {"a\xFF\xC3(", "a\xFF\xC3("}, /* no UTF-8: as it is */
        {" \t", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit__folded folded;
        bool any = tacit__text_fold(&folded, tacit_strview_of(cases[i][0]));
        assert_int_equal(any, cases[i][1][0] != '\0');
        assert_int_equal(folded.len, strlen(cases[i][1]));
        assert_memory_equal(folded.bytes, cases[i][1], folded.len);
    }
}

/* Short words of ASCII are folded eight bytes at a time; spaces around them lead past that. */
static void folds_alike(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int round = 0; round < 200000; round++) {
        char text[2 + 20 + 20];
        size_t len = round % 20;
        memset(text, ' ', sizeof text);
        for (size_t i = 0; i < len; i++) {
            seed = seed * 1664525 + 1013904223;
            text[2 + i] = (char)(seed >> 30 ? seed >> 24 & 0x7F : seed >> 24);
        }
        tacit__folded fast = {0}, slow = {0};
        bool any = tacit__text_fold(&fast, (tacit_strview){.bytes = text + 2, .len = len});
        assert_int_equal(any, tacit__text_fold(&slow, (tacit_strview){text, sizeof text}));
        assert_int_equal(fast.len, slow.len);
        assert_memory_equal(fast.bytes, slow.bytes, fast.len);
    }
}

static bool in(const char *text, tacit__lexicon_list list)
{
    tacit__lexicon_entry entry;
    return tacit__lexicon_find(&entry, tacit_strview_of(text)) && tacit__lexicon_in(&entry, list);
}

/* Every list has what it should. The people and places are those of Figure 107. */
static void lists(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        tacit__lexicon_list list;
    } cases[] = {
        {"Virginia", TACIT__LIST_FIRST},
        {"VIRGINIA", TACIT__LIST_FEMALE},
        {"Patrick", TACIT__LIST_MALE},
        {"Dot", TACIT__LIST_NICK},
        {"Townsend", TACIT__LIST_SURNAME},
        {"Hayes", TACIT__LIST_SURNAME},
        {"Boston", TACIT__LIST_CITY},
        {"são paulo", TACIT__LIST_CITY},
        {"Virginia", TACIT__LIST_STATE},
        {"MA", TACIT__LIST_STATE_CODE},
        {"England", TACIT__LIST_COUNTRY},
        {"Vietnamese", TACIT__LIST_NATIONALITY},
        {"Ave", TACIT__LIST_STREET},
        {"Mississippi", TACIT__LIST_PLACE},
        {"diabetes", TACIT__LIST_DISEASE},
        {"diabetes mellitus", TACIT__LIST_DISEASE},
        {"insulin", TACIT__LIST_DRUG},
        {"Human Insulin", TACIT__LIST_DRUG},
        {"femur", TACIT__LIST_BODY},
        {"biopsy", TACIT__LIST_MEDICAL},
        {"plumber", TACIT__LIST_OCCUPATION},
        {"schedule", TACIT__LIST_WORD},
        {"gaining", TACIT__LIST_VERB},
        {"February", TACIT__LIST_PROPER},
        {"Hodgkins", TACIT__LIST_EPONYM},
        {"Hodgkin's", TACIT__LIST_EPONYM},
        {"Foley", TACIT__LIST_EPONYM},
        {"Parkinson's", TACIT__LIST_EPONYM},
        {"Dr", TACIT__LIST_TITLE},
        {"M.D.", TACIT__LIST_TITLE},
        {"daughter", TACIT__LIST_KIN},
        {"Corp", TACIT__LIST_ORGANIZATION},
        {"Hospital", TACIT__LIST_HOSPITAL},
        {"medical center", TACIT__LIST_HOSPITAL},
        {"Harvard University", TACIT__LIST_UNIVERSITY},
        {"june", TACIT__LIST_MONTH},
        {"Wednesday", TACIT__LIST_WEEKDAY},
        {"Makita", TACIT__LIST_BRAND},
        {"new", TACIT__LIST_OPENS},
    };
    bool seen[TACIT__LISTS] = {false};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!in(cases[i].text, cases[i].list))
            fail_msg("%s is not in list %d", cases[i].text, (int)cases[i].list);
        seen[cases[i].list] = true;
    }
    for (int list = 0; list < TACIT__LISTS; list++)
        assert_true(seen[list]);
    assert_false(in("insulin", TACIT__LIST_FIRST));
    assert_false(in("the", TACIT__LIST_SURNAME));
    assert_false(in("Townsendish", TACIT__LIST_SURNAME));
}

/* Weights order words as people would. */
static void weights(void **state)
{
    (void)state;
    tacit__lexicon_entry common, rare;
    assert_true(tacit__lexicon_find(&common, tacit_strview_of("james")));
    assert_true(tacit__lexicon_find(&rare, tacit_strview_of("elspeth")));
    assert_true(common.first > rare.first && rare.first > 0);
    assert_true(tacit__lexicon_find(&common, tacit_strview_of("smith")));
    assert_true(tacit__lexicon_find(&rare, tacit_strview_of("aarhus")));
    assert_true(common.surname == 7 && rare.surname == 1);
    assert_true(tacit__lexicon_find(&common, tacit_strview_of("after")));
    assert_true(tacit__lexicon_find(&rare, tacit_strview_of("abeyance")));
    assert_true(common.word == 7 && rare.word < 5 && rare.word > 0);
    assert_true(tacit__lexicon_find(&common, tacit_strview_of("New York")));
    assert_true(tacit__lexicon_find(&rare, tacit_strview_of("Akutan")));
    assert_true(common.city > rare.city && rare.city > 0);
    assert_false(tacit__lexicon_find(&rare, tacit_strview_of("qqzxv")));
    assert_int_equal(rare.lists, 0);
}

static void phrases(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t len;
    } cases[] = {
        {"New York, NY", 8},
        {"new\n  york", 10},
        {"diabetes mellitus diagnosed in June", 17},
        {"Medical Center.", 14},
        {"University of Chicago is a phrase", 21},
        {"New", 0},
        {"New ", 0},
        {"the patient", 0},
        {"", 0},
        {"   ", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit__lexicon_entry entry;
        size_t len = tacit__lexicon_phrase(&entry, tacit_strview_of(cases[i].text));
        assert_int_equal(len, cases[i].len);
        assert_int_equal(entry.lists != 0, len != 0);
    }
}

/* The end of what is read is no end of a word. */
static void phrases_in_long_text(void **state)
{
    (void)state;
    char text[400];
    tacit__lexicon_entry entry;
    memset(text, ' ', sizeof text);
    memcpy(text, "new", 3);
    memcpy(text + TACIT__FOLD_READ - 4, "yorkers", 7);
    assert_int_equal(
        tacit__lexicon_phrase(&entry, (tacit_strview){.bytes = text, .len = sizeof text}), 0);
    memcpy(text + TACIT__FOLD_READ, "   ", 3);
    assert_int_equal(
        tacit__lexicon_phrase(&entry, (tacit_strview){.bytes = text, .len = sizeof text}),
        TACIT__FOLD_READ);
}

/* Whether two short forms stand for one name. */
static bool share(const char *a, const char *b)
{
    tacit_strview ones[8], others[8];
    size_t count = tacit__lexicon_formal(ones, 8, tacit_strview_of(a));
    size_t other_count = tacit__lexicon_formal(others, 8, tacit_strview_of(b));
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < other_count; j++)
            if (tacit_strview_equal(ones[i], others[j]))
                return true;
    return false;
}

static void short_forms(void **state)
{
    (void)state;
    tacit_strview names[8];
    size_t count = tacit__lexicon_formal(names, 8, tacit_strview_of("GINNY"));
    bool virginia = false;
    for (size_t i = 0; i < count; i++)
        virginia = virginia || tacit_strview_equal(names[i], tacit_strview_of("virginia"));
    assert_true(virginia);
    assert_int_equal(tacit__lexicon_formal(names, 1, tacit_strview_of("Alex")), 1);
    assert_int_equal(tacit__lexicon_formal(names, 0, tacit_strview_of("Alex")), 0);
    assert_int_equal(tacit__lexicon_formal(names, 8, tacit_strview_of("aa")), 0);
    assert_int_equal(tacit__lexicon_formal(names, 8, tacit_strview_of("zzz")), 0);
    assert_true(share("Bill", "Will") && share("Peggy", "Meg") && share("Ginny", "ginny"));
    assert_false(share("Ginny", "Bob") || share("", "") || share("Bob", "Bill"));
}

static void zip_codes(void **state)
{
    (void)state;
    char code[3];
    assert_true(tacit__lexicon_zip(code, tacit_strview_of("02138")));
    assert_string_equal(code, "MA");
    assert_true(tacit__lexicon_zip(code, tacit_strview_of("90210")));
    assert_string_equal(code, "CA");
    assert_true(tacit__lexicon_zip(NULL, tacit_strview_of("99553")));
    static const char *wrong[] = {"00000", "2138", "021380", "0213a", "", "02138-1234"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(tacit__lexicon_zip(code, tacit_strview_of(wrong[i])));
    assert_false(tacit__lexicon_zip(NULL, (tacit_strview){.bytes = "0\0\0\0\0", .len = 5}));
}

/* NUL, bytes that are no UTF-8, cut characters and words of any length. */
static void hostile(void **state)
{
    (void)state;
    enum { LONG = 1 << 20 };
    tacit__lexicon_entry entry;
    char *text = malloc(LONG);
    assert_non_null(text);
    static const char fills[] = {'a', ' ', '\0', '\xFF', '\xC3', '\xE2', '\xF0', '.', '\''};
    for (size_t fill = 0; fill < sizeof fills; fill++) {
        memset(text, fills[fill], LONG);
        for (size_t len = 0; len < 600; len++) {
            tacit__folded folded;
            tacit__text_fold(&folded, (tacit_strview){.bytes = text, .len = len});
            assert_true(folded.len <= TACIT__FOLDED_MAX);
            tacit__lexicon_find(&entry, (tacit_strview){.bytes = text, .len = len});
            assert_int_equal(
                tacit__lexicon_phrase(&entry, (tacit_strview){.bytes = text, .len = len}), 0);
        }
        assert_false(tacit__lexicon_find(&entry, (tacit_strview){.bytes = text, .len = LONG}));
    }
    free(text);
    assert_false(tacit__lexicon_find(&entry, (tacit_strview){.bytes = NULL, .len = 0}));
    assert_false(tacit__lexicon_find(&entry, (tacit_strview){.bytes = "smi\0th", .len = 6}));
    assert_false(tacit__lexicon_find(&entry, (tacit_strview){.bytes = "smith\0", .len = 6}));
    assert_false(tacit__lexicon_find(&entry, tacit_strview_of("smith\xC3")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds),       cmocka_unit_test(folds_alike),
        cmocka_unit_test(lists),       cmocka_unit_test(weights),
        cmocka_unit_test(phrases),     cmocka_unit_test(phrases_in_long_text),
        cmocka_unit_test(short_forms), cmocka_unit_test(zip_codes),
        cmocka_unit_test(hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
