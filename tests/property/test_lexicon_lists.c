/*
 * test_lexicon_lists.c - the library against the list that it was made of: every word is
 * found, with exactly its lists and weights; others are found as seldom as was computed.
 */
#include "lexicon_list.h"

#include <ctype.h>
#include <math.h>

#include "random_cases.h"
#include "text/lexicon/fold.h"
#include "text/lexicon/lookup.h"
#include "text/read/document.h"

/* No false negative, ever, in any case of letters. */
static void every_word(void **state)
{
    (void)state;
    listed_words list = listed_read();
    assert_int_equal(list.count, tacit__lexicon_size());
    for (size_t i = 0; i < list.count; i++) {
        char *text = list.words[i].text;
        tacit__lexicon_entry entry;
        for (int capital = 0; capital < 2; capital++) {
            if (!tacit__lexicon_find(&entry, tacit_strview_of(text)) ||
                memcmp(&entry, &list.words[i].entry, sizeof entry) != 0)
                fail_msg("word %zu of the list is not found as it is there", i);
            if (text[0] >= 'a' && text[0] <= 'z')
                text[0] = (char)(text[0] - 'a' + 'A');
        }
    }
    free(list.words);
}

/* Phrases are found by their first word. */
static void every_phrase(void **state)
{
    (void)state;
    listed_words list = listed_read();
    for (size_t i = 0; i < list.count; i++) {
        const char *text = list.words[i].text;
        tacit__lexicon_entry entry;
        bool only_opens = list.words[i].entry.lists == UINT32_C(1) << TACIT__LIST_OPENS;
        if (strchr(text, ' ') && !only_opens)
            assert_int_equal(tacit__lexicon_phrase(&entry, tacit_strview_of(text)), strlen(text));
    }
    free(list.words);
}

/* Letters, with spaces between them: documents part what has other signs, and look no number up. */
static bool is_of_words(const char *text)
{
    while (*text && (*text == ' ' || isalpha((unsigned char)*text)))
        text++;
    return *text == '\0';
}

/* Documents find the same phrases by the keys of their words: none is missing from the bits that
 * say which pairs there are. */
static void every_phrase_of_documents(void **state)
{
    (void)state;
    listed_words list = listed_read();
    tacit__document document = {0};
    size_t asked = 0;
    for (size_t i = 0; i < list.count; i++) {
        const char *text = list.words[i].text;
        bool only_opens = list.words[i].entry.lists == UINT32_C(1) << TACIT__LIST_OPENS;
        if (!strchr(text, ' ') || only_opens || !is_of_words(text))
            continue;
        assert_int_equal(tacit__document_read(&document, tacit_strview_of(text), NULL), TACIT_OK);
        for (size_t word = 0; word < document.count; word++)
            if (!(document.words[word].flags & TACIT__WORD_PHRASE))
                fail_msg("phrase %zu of the list is not found in a document", i);
        asked++;
    }
    assert_true(asked > 1000);
    tacit__document_clear(&document);
    free(list.words);
}

/* Is the number of hits what chance gives, within five standard deviations? */
static void check_hits(int64_t hits, int64_t asked, double rate)
{
    double expected = (double)asked * rate;
    if (fabs((double)hits - expected) > 5 * sqrt(expected) + 3)
        fail_msg("%lld hits where %.1f were computed", (long long)hits, expected);
}

/* A digit, a letter and any eight bytes are in no list. */
static tacit__hash128 foreign_word(int64_t number)
{
    char text[2 + sizeof number] = "7x";
    memcpy(text + 2, &number, sizeof number);
    return tacit__hash_bytes128(text, sizeof text);
}

static void false_positives(void **state)
{
    (void)state;
    int64_t asked = (int64_t)many_cases(4000000), hits = 0;
    for (int64_t i = 0; i < asked; i++) {
        tacit__lexicon_entry entry;
        hits += tacit__lexicon_find_hash(&entry, foreign_word(i));
    }
    check_hits(hits, asked, tacit__lexicon_rate());
    assert_true(tacit__lexicon_rate() < 2e-6);
    print_message("lexicon: computed %.3g, measured %.3g\n", tacit__lexicon_rate(),
                  (double)hits / (double)asked);
}

/* Look-ups of any size: everything that was added is there, and what was not hardly ever. */
static void own_lookups(void **state)
{
    (void)state;
    static const int64_t sizes[] = {0, 1, 2, 100, 5000, 200000};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        tacit__boolean lookup = {0};
        int64_t asked = (int64_t)many_cases(300000), hits = 0;
        assert_int_equal(tacit__boolean_init(&lookup, (size_t)sizes[s], NULL), TACIT_OK);
        for (int64_t i = 0; i < sizes[s]; i++)
            tacit__boolean_add(&lookup, foreign_word(i));
        tacit__boolean_view view = tacit__boolean_view_of(&lookup);
        for (int64_t i = 0; i < sizes[s]; i++)
            assert_true(tacit__boolean_has(view, foreign_word(i)));
        for (int64_t i = sizes[s]; i < sizes[s] + asked; i++)
            hits += tacit__boolean_has(view, foreign_word(i));
        check_hits(hits, asked, tacit__boolean_rate(view));
        assert_true(tacit__boolean_rate(view) < 5e-5);
        tacit__boolean_clear(&lookup);
    }
}

/* Ten times the words in the same bits: the rate that is told must say so. */
static void crowded(void **state)
{
    (void)state;
    tacit__boolean lookup = {0};
    int64_t hits = 0, asked = 100000;
    assert_int_equal(tacit__boolean_init(&lookup, 1000, NULL), TACIT_OK);
    for (int64_t i = 0; i < 10000; i++)
        tacit__boolean_add(&lookup, foreign_word(i));
    tacit__boolean_view view = tacit__boolean_view_of(&lookup);
    for (int64_t i = 10000; i < 10000 + asked; i++)
        hits += tacit__boolean_has(view, foreign_word(i));
    assert_true(tacit__boolean_rate(view) > 0.1);
    check_hits(hits, asked, tacit__boolean_rate(view));
    tacit__boolean_clear(&lookup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word),
        cmocka_unit_test(every_phrase),
        cmocka_unit_test(every_phrase_of_documents),
        cmocka_unit_test(false_positives),
        cmocka_unit_test(own_lookups),
        cmocka_unit_test(crowded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
