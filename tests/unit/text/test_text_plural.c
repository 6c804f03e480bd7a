/*
 * test_text_plural.c - "the Westons", where there is a Weston, found or known: replaced by the
 * plural of what stands for Weston, before and after it; where there is none, found by itself.
 * And weeks of a year.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "washer.h"

/* What stands for the span at the word, terminated. */
static void replacement(char *out, size_t size, const washer *one, const char *word)
{
    const char *at = strstr(one->text, word);
    assert_non_null(at);
    uint64_t start = (uint64_t)(at - one->text);
    for (size_t i = 0; i < one->scrubbed.span_count; i++) {
        const struct tacit_text_replaced *put = &one->scrubbed.replaced[i];
        if (one->scrubbed.spans[i].start > start || one->scrubbed.spans[i].end <= start)
            continue;
        snprintf(out, size, "%.*s", (int)(put->end - put->start),
                 one->scrubbed.text.bytes + put->start);
        return;
    }
    fail_msg("%s is not found in: %s", word, one->text);
}

static void scrub(washer *one, const char *text, uint64_t number)
{
    size_t consumed;
    one->text = text;
    tacit_scrub_begin(one->reader, number);
    assert_int_equal(tacit_scrub_piece(&one->scrubbed, &consumed, one->reader,
                                       tacit_strview_of(text), true, NULL),
                     TACIT_OK);
}

static void check(washer *one, const char *text, const char *name, const char *plural)
{
    for (uint64_t number = 0; number < 40; number++) {
        char is[80], several[80], expected[96];
        scrub(one, text, number);
        replacement(is, sizeof is, one, name);
        replacement(several, sizeof several, one, plural);
        const char *last = strrchr(is, ' ') ? strrchr(is, ' ') + 1 : is;
        bool hisses = strchr("sxz", last[strlen(last) - 1]) != NULL;
        snprintf(expected, sizeof expected, "%s%s", last, hisses ? "es" : "s");
        assert_string_equal(several, expected);
    }
}

static void posted(void **state)
{
    check(*state, "I saw Mrs. Virginia Weston today. We met the Westons at home.", "Weston today",
          "Westons at");
    check(*state, "We met the Westons at home, and then I saw Mrs. Virginia Weston alone.",
          "Weston alone", "Westons at");
    check(*state, "Dr. Emeka Okonkwo wrote. The Okonkwos' house is near.", "Okonkwo wrote",
          "Okonkwos'");
    check(*state, "Mr. Peter Jones called. Later the Joneses came.", "Jones called", "Joneses");
}

static void known(void **state)
{
    static const tacit_strview names[] = {{"Quill", 5}};
    static const tacit_text_kind kinds[] = {TACIT_TEXT_LAST_NAME};
    washer one = {0};
    tacit_scrub_options options;
    (void)state;
    tacit_scrub_options_init(&options);
    options.known = names;
    options.known_kinds = kinds;
    options.known_count = 1;
    assert_int_equal(tacit_scrubber_new(&one.scrubber, &options, NULL), TACIT_OK);
    assert_int_equal(tacit_scrub_reader_new(&one.reader, one.scrubber, NULL), TACIT_OK);
    check(&one, "I asked the Quills about it, and Mr. Quill agreed.", "Quill agreed", "Quills");
    washer_close((void *[]){&one});
}

static bool is_found(const washer *one, const char *word)
{
    uint64_t start = (uint64_t)(strstr(one->text, word) - one->text);
    for (size_t i = 0; i < one->scrubbed.span_count; i++)
        if (one->scrubbed.spans[i].start <= start && one->scrubbed.spans[i].end > start)
            return true;
    return false;
}

/* Families whose name is nowhere else; and what is no family. */
static void families(void **state)
{
    static const char *const names[][2] = {
        {"We met the Westons at home.", "Westons"},
        {"We met the Westons and the Okonkwos there.", "Okonkwos"},
        {"We met at the Smiths' house.", "Smiths"},
        {"Later the Joneses came.", "Joneses"},
        {"The Johnsons are well.", "Johnsons"},
        {"Today the Kings visited.", "Kings"},
        {"Lunch was with the Greens today.", "Greens"},
        {"We fed the Browns' dog.", "Browns"},
        {"Both Garcias were there.", "Garcias"},
        {"The note is from the Ramirezes.", "Ramirezes"},
    };
    static const char *const others[][2] = {
        {"He eats the greens every day.", "greens"},
        {"We saw the Germans there.", "Germans"},
        {"It is the Williams test.", "Williams"},
        {"It was the Bells palsy.", "Bells"},
        {"It was won by the Allies in the end.", "Allies"},
        {"See the Liberties he took.", "Liberties"},
        {"We asked the Nurses to come.", "Nurses"},
        {"See the Results below.", "Results"},
    };
    washer *one = *state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        scrub(one, names[i][0], i);
        if (!is_found(one, names[i][1]))
            fail_msg("not found: %s", names[i][0]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        scrub(one, others[i][0], i);
        if (is_found(one, others[i][1]))
            fail_msg("found: %s", others[i][0]);
    }
}

/* Weeks and quarters of a year are dates; weeks of a pregnancy or a treatment are none. */
static void weeks(void **state)
{
    static const char *const dates[][2] = {
        {"Seen in week 12 of 2021 again.", "week 12 of 2021"},
        {"Seen in week 12/2021 again.", "week 12/2021"},
        {"Seen wk 7, 2021 again.", "wk 7"},
        {"In the 12th week of 2021 she came.", "12th week"},
        {"In 2021-W12 she came.", "2021-W12"},
        {"In Q3/2021 she came.", "Q3/2021"},
    };
    static const char *const others[][2] = {{"At week 12 of pregnancy all was well.", "week 12"},
                                            {"In week 24 of 40 all was well.", "week 24"}};
    washer *one = *state;
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        scrub(one, dates[i][0], i);
        if (!is_found(one, dates[i][1]))
            fail_msg("not found: %s", dates[i][0]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        scrub(one, others[i][0], i);
        if (is_found(one, others[i][1]))
            fail_msg("found: %s", others[i][0]);
    }
}

/* Words that are no plural of anybody's name, and names that end so. */
static void others(void **state)
{
    washer *one = *state;
    char is[80], again[80];
    scrub(one, "Mr. Peter Wood called. He walks in the woods every day.", 1);
    assert_non_null(strstr(one->scrubbed.text.bytes, "in the woods every"));
    scrub(one, "Mr. Peter Williams called. Later Mr. Williams came.", 1);
    replacement(is, sizeof is, one, "Williams called");
    replacement(again, sizeof again, one, "Williams came");
    assert_string_equal(strrchr(is, ' ') + 1, again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posted), cmocka_unit_test(known),  cmocka_unit_test(families),
        cmocka_unit_test(weeks),  cmocka_unit_test(others),
    };
    return cmocka_run_group_tests(tests, washer_open, washer_close);
}
