/*
 * test_text_learned.c - what a training session leaves behind, written and read again, and what
 * is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "text/learn/learned.h"

static void reads(void **state)
{
    (void)state;
    tacit__learned learned;
    static const char source[] = "tacit-learned 1\r\n"
                                 "# a comment\n"
                                 "\n"
                                 "threshold 45\n"
                                 "template date 72 {may, june} dd\n"
                                 "weights\n"
                                 "word:x person 1.00\n";
    assert_int_equal(tacit__learned_read(&learned, tacit_strview_of(source), NULL), TACIT_OK);
    assert_int_equal(learned.threshold, 45);
    assert_int_equal(learned.count, 1);
    assert_int_equal(learned.templates[0].kind, TACIT_TEXT_DATE);
    assert_int_equal(learned.templates[0].likelihood, 72);
    assert_int_equal(learned.templates[0].line, 5);
    assert_true(tacit_strview_equal(learned.templates[0].text, tacit_strview_of("{may, june} dd")));
    assert_int_equal(learned.weights_line, 6);
    assert_true(tacit_strview_equal(learned.weights, tacit_strview_of("word:x person 1.00\n")));
    tacit__learned_clear(&learned);
}

static void nothing_learned(void **state)
{
    (void)state;
    tacit__learned learned;
    assert_int_equal(tacit__learned_read(&learned, (tacit_strview){0}, NULL), TACIT_OK);
    assert_int_equal(learned.threshold, TACIT_SCRUB_LEARNED);
    assert_int_equal(learned.count, 0);
    assert_int_equal(learned.weights.len, 0);
    tacit__learned_clear(&learned);
}

static void round_trip(void **state)
{
    (void)state;
    static const char source[] = "tacit-learned 1\n"
                                 "threshold 0\n"
                                 "# kind, likelihood and template, of those whose likelihood is "
                                 "not the shipped one\n"
                                 "template date 100 d d\n"
                                 "template phone 0 \n"
                                 "weights\n"
                                 "anything\n";
    tacit__learned learned;
    tacit__strbuf text = {0};
    assert_int_equal(tacit__learned_read(&learned, tacit_strview_of(source), NULL), TACIT_OK);
    tacit__learned_write(&text, &learned);
    assert_string_equal(text.bytes, source);
    tacit__strbuf_clear(&text);
    tacit__learned_clear(&learned);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        int64_t line;
        const char *why;
    } cases[] = {
        {"word:x person 1\n", 1, "this is not \"tacit-learned 1\""},
        {"tacit-learned 2\n", 1, "learn again"},
        {"tacit-learned 1\nthreshold\n", 2, "number from 0 to 100"},
        {"tacit-learned 1\nthreshold 101\n", 2, "number from 0 to 100"},
        {"tacit-learned 1\nthreshold -1\n", 2, "number from 0 to 100"},
        {"tacit-learned 1\nthreshold 0050\n", 2, "number from 0 to 100"},
        {"tacit-learned 1\nthreshold 5\n\nthreshold 5\n", 4, "second threshold"},
        {"tacit-learned 1\ntemplate nothing 5 dd\n", 2, "\"nothing\" is not a kind"},
        {"tacit-learned 1\ntemplate date many dd\n", 2, "\"many\" is not a likelihood"},
        {"tacit-learned 1\ntemplate date\n", 2, "is not a likelihood"},
        {"tacit-learned 1\nweights and more\n", 2, "is none of threshold"},
        {"tacit-learned 1\n\nwhat is this\n", 3, "\"what\" is none of threshold"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit__learned learned;
        tacit_error err = {0};
        assert_int_equal(tacit__learned_read(&learned, tacit_strview_of(cases[i].source), &err),
                         TACIT_PARSE);
        assert_int_equal(err.line, cases[i].line);
        if (!strstr(err.message, cases[i].why))
            fail_msg("case %zu: \"%s\"", i, err.message);
        tacit__learned_clear(&learned);
    }
}

/* What can be read but is not there: the scrubber refuses it, with the line of the file. */
static void does_not_fit(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        int64_t line;
        const char *why;
    } cases[] = {
        {"tacit-learned 1\n\ntemplate date 50 no_such_template_is_there\n", 3, "learn again"},
        {"tacit-learned 1\nthreshold 50\nweights\n# x\nnonsense:x person 1\n", 5, "nonsense"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit_scrub_options options;
        tacit_scrubber *scrubber = NULL;
        tacit_error err = {0};
        tacit_scrub_options_init(&options);
        options.weights = tacit_strview_of(cases[i].source);
        assert_int_equal(tacit_scrubber_new(&scrubber, &options, &err), TACIT_PARSE);
        assert_null(scrubber);
        assert_int_equal(err.line, cases[i].line);
        if (!strstr(err.message, cases[i].why))
            fail_msg("case %zu: \"%s\"", i, err.message);
    }
}

static void threshold_of(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        int given, expected;
    } cases[] = {
        {"", TACIT_SCRUB_LEARNED, TACIT_SCRUB_THRESHOLD},
        {"tacit-learned 1\n", TACIT_SCRUB_LEARNED, TACIT_SCRUB_THRESHOLD},
        {"tacit-learned 1\nthreshold 37\n", TACIT_SCRUB_LEARNED, 37},
        {"tacit-learned 1\nthreshold 37\n", 64, 64},
        {"", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tacit_scrub_options options;
        tacit_scrubber *scrubber = NULL;
        tacit_scrub_options_init(&options);
        options.weights = tacit_strview_of(cases[i].source);
        options.threshold = cases[i].given;
        assert_int_equal(tacit_scrubber_new(&scrubber, &options, NULL), TACIT_OK);
        assert_int_equal(tacit_scrubber_threshold(scrubber), cases[i].expected);
        tacit_scrubber_free(scrubber);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads),        cmocka_unit_test(nothing_learned),
        cmocka_unit_test(round_trip),   cmocka_unit_test(refused),
        cmocka_unit_test(does_not_fit), cmocka_unit_test(threshold_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
