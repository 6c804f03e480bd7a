/*
 * test_text_document.c - words, what lies between them, what sort of document it is, and where
 * a long one is cut.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include <tacit/experimental/text.h>

#include "text/read/document.h"

static tacit__document read_text(const char *bytes, size_t len)
{
    tacit__document document = {0};
    assert_int_equal(
        tacit__document_read(&document, (tacit_strview){.bytes = bytes, .len = len}, NULL),
        TACIT_OK);
    return document;
}

static void words(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words; /* parted by bars */
    } cases[] = {
        {"Mrs. O'Neill-Long's 2 cats", "Mrs|O'Neill|Long|2|cats"},
        {"rec'd A574351 at 0730", "rec'd|A574351|at|0730"},
        {"the Hodgkins' home", "the|Hodgkins|home"},
        {"Zo\xC3\xAB \xE2\x80\x9CZo\xE2\x80\x9D O\xE2\x80\x99"
         "Brien\xE2\x80\x99s",
         "Zo\xC3\xAB|Zo|O\xE2\x80\x99"
         "Brien"},
        {"Jos\xE9 and Mu\xF1oz", "Jos\xE9|and|Mu\xF1oz"}, /* Latin-1 */
        {"", ""},
        {" ,.\n", ""},
        {"a\0b", "a"},
        {"x'", "x"},
        {"3's", "3|s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit__document document = read_text(cases[i].text, strlen(cases[i].text));
        char got[256] = "";
        for (size_t j = 0; j < document.count; j++) {
            tacit_strview word = tacit__word_text(&document, &document.words[j]);
            strcat(got, j > 0 ? "|" : "");
            strncat(got, word.bytes, word.len);
        }
        assert_string_equal(got, cases[i].words);
        tacit__document_clear(&document);
    }
}

static void shapes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        tacit__word_shape shape;
    } cases[] = {
        {"long", TACIT__SHAPE_LOWER},
        {"Long", TACIT__SHAPE_CAPITAL},
        {"LONG", TACIT__SHAPE_CAPITALS},
        {"McCarthy", TACIT__SHAPE_MIXED},
        {"iPhone", TACIT__SHAPE_MIXED},
        {"L", TACIT__SHAPE_INITIAL},
        {"02139", TACIT__SHAPE_DIGITS},
        {"A574351", TACIT__SHAPE_BOTH},
        {"30yo", TACIT__SHAPE_BOTH},
        {"\xC3\x96sten", TACIT__SHAPE_CAPITAL},
        {"\xC3\x96STER", TACIT__SHAPE_CAPITALS},
        {"\xC5\xBDi\xC5\xBE"
         "ek",
         TACIT__SHAPE_CAPITAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit__document document = read_text(cases[i].text, strlen(cases[i].text));
        assert_int_equal(document.count, 1);
        assert_int_equal(document.words[0].shape, cases[i].shape);
        tacit__document_clear(&document);
    }
}

static void gaps_and_sentences(void **state)
{
    (void)state;
    const char *text = "Dr. J. Long saw (her).  She: \"Yes\"\n\nNo!  One/two";
    static const unsigned gaps[] = {
        TACIT__GAP_PARAGRAPH,
        TACIT__GAP_STOP | TACIT__GAP_SPACE,
        TACIT__GAP_STOP | TACIT__GAP_SPACE,
        TACIT__GAP_SPACE,
        TACIT__GAP_SPACE | TACIT__GAP_BRACKET,
        TACIT__GAP_BRACKET | TACIT__GAP_STOP | TACIT__GAP_SPACE,
        TACIT__GAP_COLON | TACIT__GAP_SPACE | TACIT__GAP_QUOTE,
        TACIT__GAP_QUOTE | TACIT__GAP_LINE | TACIT__GAP_PARAGRAPH,
        TACIT__GAP_END | TACIT__GAP_SPACE,
        TACIT__GAP_SLASH,
    };
    static const bool starts[] = {true, false, false, false, false, true, false, true, true, false};
    tacit__document document = read_text(text, strlen(text));
    assert_int_equal(document.count, sizeof gaps / sizeof gaps[0]);
    for (size_t i = 0; i < document.count; i++) {
        assert_int_equal(document.words[i].before, gaps[i]);
        assert_int_equal((document.words[i].flags & TACIT__WORD_SENTENCE) != 0, starts[i]);
    }
    tacit__document_clear(&document);
}

/* Dots that lead from a question of a form to its answer, but no ellipsis. */
static void leaders(void **state)
{
    (void)state;
    const char *text = "Name ........ Ann\nwell... No";
    tacit__document document = read_text(text, strlen(text));
    assert_int_equal(document.count, 4);
    assert_int_equal(document.words[1].before, TACIT__GAP_COLON | TACIT__GAP_SPACE);
    assert_false(document.words[1].flags & TACIT__WORD_SENTENCE);
    assert_int_equal(document.words[3].before, TACIT__GAP_STOP | TACIT__GAP_SPACE);
    tacit__document_clear(&document);
}

static void phrases_and_keys(void **state)
{
    (void)state;
    const char *text = "in New Jersey, NEW jersey; Virginia's";
    tacit__document document = read_text(text, strlen(text));
    const tacit__word *words = document.words;
    assert_int_equal(document.count, 6);
    assert_true(words[1].flags & TACIT__WORD_PHRASE && !(words[1].flags & TACIT__WORD_GOES_ON));
    assert_true(words[2].flags & TACIT__WORD_GOES_ON);
    assert_true(tacit__lexicon_in(&words[1].entry, TACIT__LIST_STATE));
    assert_true(tacit__lexicon_in(&words[2].entry, TACIT__LIST_STATE));
    assert_true(words[1].key == words[3].key && words[2].key == words[4].key);
    assert_true(words[5].flags & TACIT__WORD_GENITIVE);
    assert_true(words[5].key == tacit__word_key(tacit_strview_of("virginia")));
    assert_int_equal(tacit__document_at(&document, 0), 0);
    assert_int_equal(tacit__document_at(&document, words[2].start), 2);
    assert_int_equal(tacit__document_at(&document, words[2].start + 1), 3);
    assert_int_equal(tacit__document_at(&document, 1000), 6);
    tacit__document_clear(&document);
}

/* In text that is longer than a block of the index, and at its ends. */
static void words_at_offsets(void **state)
{
    (void)state;
    char text[400];
    for (size_t len = 0; len < sizeof text; len += 57) {
        for (size_t i = 0; i < len; i++)
            text[i] = "Mrs. O'Neill-Long's 2 cats, and so on:\n\n"[i * 7 % 40];
        tacit__document document = read_text(text, len);
        for (uint32_t at = 0; at < len + 70; at++) {
            size_t word = 0;
            while (word < document.count && document.words[word].start < at)
                word++;
            assert_int_equal(tacit__document_at(&document, at), word);
        }
        tacit__document_clear(&document);
    }
}

static void sorts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        tacit__casing casing;
        tacit_text_format format;
    } cases[] = {
        {"Dear Dr. Lang:\n\nI saw her.\n\nSincerely,\nJ. Hayes", TACIT__CASING_USUAL,
         TACIT_TEXT_LETTER},
        {"Pt seen in clinic. Chest clear.", TACIT__CASING_USUAL, TACIT_TEXT_NOTE},
        {"pt seen in clinic", TACIT__CASING_LOWER, TACIT_TEXT_NOTE},
        {"PT SEEN IN CLINIC", TACIT__CASING_CAPITALS, TACIT_TEXT_NOTE},
        {"a,b,c\n1,2,3\n4,5,6\n7,8,9\n", TACIT__CASING_LOWER, TACIT_TEXT_DELIMITED},
        {"a, b\nc d\ne", TACIT__CASING_LOWER, TACIT_TEXT_NOTE},
        {"", TACIT__CASING_USUAL, TACIT_TEXT_NOTE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit__document document = read_text(cases[i].text, strlen(cases[i].text));
        assert_int_equal(document.casing, cases[i].casing);
        assert_int_equal(document.format, cases[i].format);
        tacit__document_clear(&document);
    }
}

/* Words lie in the text, in order, whatever the bytes are. */
static void any_bytes(void **state)
{
    (void)state;
    enum { LONG = 1 << 18 };
    static const char *const fills[] = {"a",    "\xFF", "\xC3",         "'",    "a'", "a's ",
                                        "new ", "new,", "\xE2\x80\x99", "\n\n", "A.", "st. "};
    char *text = malloc(LONG);
    assert_non_null(text);
    for (size_t fill = 0; fill < sizeof fills / sizeof fills[0]; fill++) {
        size_t len = strlen(fills[fill]);
        for (size_t i = 0; i < LONG; i++)
            text[i] = fills[fill][i % len];
        text[LONG / 2] = '\0';
        tacit__document document = read_text(text, LONG);
        for (size_t i = 0; i < document.count; i++) {
            assert_true(document.words[i].start < document.words[i].end);
            assert_true(document.words[i].end <= LONG);
            assert_true(i == 0 || document.words[i].start >= document.words[i - 1].end);
        }
        tacit__document_clear(&document);
    }
    free(text);
}

static void pieces(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t limit;
        bool last;
        size_t end;
    } cases[] = {
        {"short", 100, true, 5},
        {"short", 100, false, 5},
        {"one two\nthree\n\nfour five", 20, false, 15},
        {"one two\nthree four five", 20, false, 19},
        {"onetwo\nthree four", 14, false, 13},
        {"onetwothree\nfourfive", 14, false, 12},
        {"onetwothreefourfive", 14, false, 14},
        {"onetwothreefo\xC3\xBCrfive", 14, false, 13},
        {"onetwothreef\xE2\x80\x99rfive", 14, false, 12},
        {"", 14, true, 0},
        {"ab", 1, true, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(
            tacit__piece_end(tacit_strview_of(cases[i].text), cases[i].limit, cases[i].last),
            cases[i].end);
}

/* A NUL byte in what is asked for ends nothing. */
static void kinds_by_name(void **state)
{
    (void)state;
    static const struct {
        tacit_strview name;
        tacit_text_kind kind;
    } cases[] = {
        {{"date", 4}, TACIT_TEXT_DATE},       {{"DATE", 4}, TACIT_TEXT_DATE},
        {{"dates", 5}, TACIT_TEXT_NONE},      {{"dat", 3}, TACIT_TEXT_NONE},
        {{"date\0\0\0", 7}, TACIT_TEXT_NONE}, {{"ip\0", 3}, TACIT_TEXT_NONE},
        {{"none", 4}, TACIT_TEXT_NONE},       {{"", 0}, TACIT_TEXT_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(tacit_text_kind_of(cases[i].name), cases[i].kind);
    for (int kind = TACIT_TEXT_NONE + 1; kind < TACIT_TEXT_KINDS; kind++)
        assert_int_equal(
            tacit_text_kind_of(tacit_strview_of(tacit_text_kind_name((tacit_text_kind)kind))),
            kind);
}

/* What was read before changes nothing: a genitive is no other word, but another phrase. */
static void memory_of_words(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "Parkinson disease, Parkinson's disease",
        "Parkinson's disease, Parkinson disease",
        "New York City, New York state, New York's city",
        "of New York, New Jersey. St. Louis, MO",
        "next of kin, next of the kin; shortness of breath, shortness of",
        "Mount Carmel's home"};
    tacit__document kept = {0};
    for (size_t i = 0; i < 36; i++) {
        const char *text = texts[i < 18 ? i % 6 : (36 - i) % 6];
        tacit__document fresh = read_text(text, strlen(text));
        assert_int_equal(tacit__document_read(&kept, fresh.text, NULL), TACIT_OK);
        assert_int_equal(kept.count, fresh.count);
        for (size_t j = 0; j < fresh.count; j++) {
            assert_int_equal(kept.words[j].flags, fresh.words[j].flags);
            assert_memory_equal(&kept.words[j].entry, &fresh.words[j].entry,
                                sizeof fresh.words[j].entry);
        }
        tacit__document_clear(&fresh);
    }
    tacit__document_clear(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words),
                                       cmocka_unit_test(shapes),
                                       cmocka_unit_test(words_at_offsets),
                                       cmocka_unit_test(sorts),
                                       cmocka_unit_test(gaps_and_sentences),
                                       cmocka_unit_test(leaders),
                                       cmocka_unit_test(any_bytes),
                                       cmocka_unit_test(phrases_and_keys),
                                       cmocka_unit_test(pieces),
                                       cmocka_unit_test(kinds_by_name),
                                       cmocka_unit_test(memory_of_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
