/*
 * test_scrub_explain.c - asking why changes nothing: with and without explanations the same bytes
 * come out and the same spans are found, whatever the text, the threshold and the strategies, read
 * ahead or one by one; and every span that was found is among the proposals that won.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental/text.h>

#include "random_cases.h"

static const char *const fragments[] = {
    "Dr. ",
    "Virginia ",
    "Townsend",
    ", ",
    ".\n",
    "\n\n",
    "RE: ",
    "Dear ",
    "O'Neill's ",
    "02151 ",
    "Boston, MA ",
    "473-1214 ",
    "3/1/91 ",
    "3/4 ",
    "on 9/12 ",
    "March ",
    "7 year old ",
    "7 y ",
    "MRN: 275-86-12 ",
    "BM-HC-5520981 ",
    "x@y.org ",
    "Foley catheter ",
    "20 mg ",
    "the patient ",
    "Oxbury ",
    "by Okafor. ",
    "Rose Okafor ",
    "tom grant ",
    "WILLIAMS, ",
    "DOROTHY ",
    "NK ",
    "tRNA ",
    "rn/jk ",
    "RN/jk\n",
    "St. John's Hospital ",
    "12 Oak Street ",
    "in 1994 ",
    "Easter ",
    "Nurse ",
    "Dot is a ",
    "1915 seen\n",
    "and the ",
    "was seen ",
    "with pain ",
    "in the ward ",
    "after that ",
    "it is not known whether this helps ",
    "Mr Bevan (81) ",
    "Iris and June ",
    "M.D. ",
    "4.12.0 ",
    "120/80 ",
    "AB 12 ",
    "(Will) ",
    "Jan. ",
    "Weds ",
    "\t",
    "user_name ",
    "12345 ",
    "Ca 2.4 ",
};

static size_t mix(char *text, size_t room)
{
    size_t len = 0;
    for (int parts = 1 + rand() % 120; parts > 0; parts--) {
        const char *one = fragments[rand() % (int)(sizeof fragments / sizeof fragments[0])];
        if (rand() % 2)
            one = "of the text which has plain words ";
        if (len + strlen(one) + 1 > room)
            break;
        memcpy(text + len, one, strlen(one));
        len += strlen(one);
    }
    return len;
}

typedef struct way {
    tacit_scrubber *scrubber;
    tacit_scrub_reader *reader;
} way;

static void open_way(way *out, const tacit_scrub_options *options, bool explain)
{
    tacit_scrub_options own = *options;
    own.explain = explain;
    assert_int_equal(tacit_scrubber_new(&out->scrubber, &own, NULL), TACIT_OK);
    assert_int_equal(tacit_scrub_reader_new(&out->reader, out->scrubber, NULL), TACIT_OK);
}

static void close_way(way *of)
{
    tacit_scrub_reader_free(of->reader);
    tacit_scrubber_free(of->scrubber);
}

static void scrub(tacit_scrubbed *out, const way *by, tacit_strview text, uint64_t number,
                  bool ahead)
{
    size_t consumed, taken;
    if (ahead)
        assert_int_equal(tacit_scrub_ahead(&taken, by->reader, &text, 1, NULL), TACIT_OK);
    tacit_scrub_begin(by->reader, number);
    assert_int_equal(tacit_scrub_piece(out, &consumed, by->reader, text, true, NULL), TACIT_OK);
    assert_int_equal(consumed, text.len);
}

static bool has_won(const tacit_scrubbed *told, const tacit_text_span *span)
{
    for (size_t i = 0; i < told->proposal_count; i++)
        if (told->proposals[i].fate == TACIT_TEXT_WON && told->proposals[i].kind == span->kind &&
            told->proposals[i].start <= span->start && told->proposals[i].end >= span->end)
            return true;
    return false;
}

static void compare(const tacit_scrubbed *plain, const tacit_scrubbed *told)
{
    assert_int_equal(plain->text.len, told->text.len);
    assert_memory_equal(plain->text.bytes, told->text.bytes, plain->text.len);
    assert_int_equal(plain->span_count, told->span_count);
    for (size_t i = 0; i < plain->span_count; i++) {
        assert_int_equal(plain->spans[i].start, told->spans[i].start);
        assert_int_equal(plain->spans[i].end, told->spans[i].end);
        assert_int_equal(plain->spans[i].kind, told->spans[i].kind);
        assert_int_equal(plain->spans[i].likelihood, told->spans[i].likelihood);
        assert_true(has_won(told, &told->spans[i]));
    }
}

static void try_options(const tacit_scrub_options *options, uint64_t cases)
{
    way plain, told;
    char text[8192];
    open_way(&plain, options, false);
    open_way(&told, options, true);
    for (uint64_t i = 0; i < cases; i++) {
        tacit_scrubbed one, other;
        tacit_strview view = {.bytes = text, .len = mix(text, sizeof text)};
        scrub(&one, &plain, view, i, i % 2);
        scrub(&other, &told, view, i, i % 3 == 0);
        compare(&one, &other);
    }
    close_way(&plain);
    close_way(&told);
}

static void asking_changes_nothing(void **state)
{
    static const int thresholds[] = {TACIT_SCRUB_LEARNED, 0, 20, 45, 52, 55, 62, 70, 80, 92, 100};
    (void)state;
    srand(7);
    for (size_t i = 0; i < sizeof thresholds / sizeof thresholds[0]; i++) {
        tacit_scrub_options options;
        tacit_scrub_options_init(&options);
        options.threshold = thresholds[i];
        options.special = i % 4 != 3;
        options.strategy[TACIT_TEXT_TITLE] = i % 3 ? TACIT_TEXT_KEEP : TACIT_TEXT_TAG;
        try_options(&options, many_cases(100));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(asking_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
