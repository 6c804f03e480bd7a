/*
 * test_text_doubt.c - what a guess must show: it rises and falls gradually with the length of a
 * text and what else is in it, without a word or a likelihood at which guesses are dropped; and
 * names are found by what is told of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/scrub/arbiter.h"
#include "washer.h"

static int doubt_of(int likelihood, int alone, tacit_text_kind kind, size_t words)
{
    tacit__proposal one = {.kind = (uint8_t)kind,
                           .within = (uint8_t)kind,
                           .likelihood = (uint8_t)likelihood,
                           .alone = (uint8_t)alone};
    const tacit__proposals proposals = {.items = &one, .count = 1};
    return tacit__doubt(&proposals, words);
}

static const int guesses[] = {
    TACIT__ALONE_TITLED, TACIT__ALONE_KNOWN_NAME, TACIT__ALONE_FIRST,
    TACIT__ALONE_NAME,   TACIT__ALONE_WORD,       TACIT__ALONE_FORM,
    TACIT__ALONE_PLACE,  TACIT__ALONE_ODD,        TACIT__ALONE_UNSHAPED,
};
enum { GUESSES = sizeof guesses / sizeof guesses[0] };

static int bar(int alone, int threshold, int doubt)
{
    const tacit__proposal one = {.alone = (uint8_t)alone};
    return tacit__bar(&one, threshold, doubt);
}

/* Nothing is doubted of few words, nor where something is sure; kept kinds and titles tell nothing.
 */
static void ends(void **state)
{
    (void)state;
    assert_int_equal(doubt_of(0, 0, TACIT_TEXT_DATE, 20), 0);
    assert_int_equal(doubt_of(0, 0, TACIT_TEXT_DATE, 500), 100);
    assert_int_equal(doubt_of(TACIT__SURE, 0, TACIT_TEXT_DATE, 500), 0);
    assert_int_equal(doubt_of(TACIT__CERTAIN, TACIT__ALONE_NAME, TACIT_TEXT_FULL_NAME, 500), 0);
    assert_int_equal(doubt_of(100, 0, TACIT_TEXT_MEASUREMENT, 500), 100);
    assert_int_equal(doubt_of(100, 0, TACIT_TEXT_TITLE, 500), 100);
    assert_int_equal(bar(0, 55, 100), 55); /* no guess */
    assert_int_equal(bar(TACIT__ALONE_NAME, 55, 0), 55);
    assert_int_equal(bar(TACIT__ALONE_NAME, 55, 100), TACIT__ALONE_NAME);
    assert_int_equal(bar(TACIT__ALONE_NAME, 90, 100), 90);
}

/* A word more, or a hundredth of likelihood, never makes much of a difference. */
static void gradual(void **state)
{
    (void)state;
    for (size_t words = 0; words < 400; words++) {
        int step =
            doubt_of(0, 0, TACIT_TEXT_DATE, words + 1) - doubt_of(0, 0, TACIT_TEXT_DATE, words);
        assert_in_range(step, 0, 3);
    }
    for (int likelihood = 0; likelihood < 100; likelihood++) {
        int step = doubt_of(likelihood, TACIT__ALONE_NAME, TACIT_TEXT_FULL_NAME, 500) -
                   doubt_of(likelihood + 1, TACIT__ALONE_NAME, TACIT_TEXT_FULL_NAME, 500);
        assert_in_range(step, 0, 10);
        step = doubt_of(likelihood, 0, TACIT_TEXT_DATE, 500) -
               doubt_of(likelihood + 1, 0, TACIT_TEXT_DATE, 500);
        assert_in_range(step, 0, 10);
    }
}

/* Whoever doubts more, or asks for surer things, hears no more; and no guess is beyond hearing but
 * what is far below what it takes. */
static void monotone(void **state)
{
    (void)state;
    for (int i = 0; i < GUESSES; i++)
        for (int threshold = 0; threshold < 100; threshold++)
            for (int doubt = 0; doubt <= 100; doubt++) {
                int here = bar(guesses[i], threshold, doubt);
                assert_true(here >= threshold);
                assert_true(here <= threshold || here <= guesses[i]);
                assert_true(here <= bar(guesses[i], threshold + 1, doubt));
                assert_true(doubt == 100 || here <= bar(guesses[i], threshold, doubt + 1));
            }
}

/* A long text without anybody, and a sentence in its middle. */
static const char before[] =
    "Wash the filter in warm water every week and let it dry on a towel. Do not use it while it is "
    "wet. The lamp on the left is green when the pump runs and red when the tank is empty. Fill "
    "the "
    "tank up to the line and close the lid until it clicks. ";
static const char behind[] = " If the pump is loud, look for air in the hose and open the valve "
                             "for a short while. A new hose "
                             "is in the box. The pump stops by itself after an hour so that it "
                             "does not become too warm, and "
                             "starts again when the button is pressed.\n";

static bool is_found(washer *one, const char *sentence, const char *name)
{
    char text[2048];
    size_t consumed, start = strlen(before);
    snprintf(text, sizeof text, "%s%s%s", before, sentence, behind);
    const char *at = strstr(sentence, name);
    assert_non_null(at);
    start += (size_t)(at - sentence);
    tacit_scrub_begin(one->reader, 0);
    assert_int_equal(tacit_scrub_piece(&one->scrubbed, &consumed, one->reader,
                                       tacit_strview_of(text), true, NULL),
                     TACIT_OK);
    for (size_t i = 0; i < one->scrubbed.span_count; i++)
        if (one->scrubbed.spans[i].start <= start &&
            start + strlen(name) <= one->scrubbed.spans[i].end)
            return true;
    return false;
}

/* One name in a text in which nothing else is personal. */
static void planted(void **state)
{
    static const char *const names[][2] = {
        {"Dr Okonkwo reviewed the plan.", "Okonkwo"},
        {"Seen by Tom Grant this morning.", "Tom Grant"},
        {"Spoke with Mrs Whitfield about it.", "Whitfield"},
        {"Her husband Mehmet was with her.", "Mehmet"},
        {"Handed over to Okafor.", "Okafor"},
        {"Reviewed by Rao today.", "Rao"},
        {"Contact Maria with questions.", "Maria"},
        {"Hernandez to chase the result.", "Hernandez"},
        {"Told Anjali about it.", "Anjali"},
        {"Nurse Abernathy was present.", "Abernathy"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!is_found(*state, names[i][0], names[i][1]))
            fail_msg("not found: %s", names[i][0]);
}

/* Each of the most frequent surnames, many of which are words, in each place of a person. */
static void frequent(void **state)
{
    static const char *const names[] = {
        "Smith", "Johnson", "Williams", "Brown", "Jones",  "Miller", "Davis",  "Wilson", "Taylor",
        "White", "Clark",   "Young",    "King",  "Wright", "Hill",   "Green",  "Nelson", "Baker",
        "Hall",  "Carter",  "Turner",   "Evans", "Cook",   "Cooper", "Bell",   "Murphy", "Gray",
        "Price", "Long",    "Rice",     "Pope",  "Bush",   "Fisher", "Mason",  "Hunt",   "Black",
        "Stone", "Rose",    "Grant",    "West",  "Knight", "Hunter", "Fox",    "Woods",  "Cole",
        "Kim",   "Garcia",  "Rivera",   "Patel", "Okafor", "Walker", "Parker", "Lewis",  "Lee",
    };
    static const char *const places[] = {"Discussed with %s at the bedside.",
                                         "Please forward the summary to %s before noon.",
                                         "The wound was inspected by %s (wound care).",
                                         "As per %s, continue as it is.",
                                         "Consent was obtained from %s.",
                                         "Follow up with %s in two weeks."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t j = 0; j < sizeof places / sizeof *places; j++) {
            char sentence[128];
            const char *at = strstr(places[j], "%s");
            snprintf(sentence, sizeof sentence, "%.*s%s%s", (int)(at - places[j]), places[j],
                     names[i], at + 2);
            if (!is_found(*state, sentence, names[i]))
                fail_msg("not found: %s", sentence);
        }
}

/* What is done by, to or with somebody is done with things, too. */
static void things(void **state)
{
    static const char *const sentences[][2] = {
        {"You told us about it.", "You"},
        {"He said that it works.", "He"},
        {"Reviewed by Cardiology today.", "Cardiology"},
        {"Call Down the list.", "Call"},
        {"It was replaced by Kaplan-Meier plots.", "Kaplan"},
        {"Seen with Doppler.", "Doppler"},
        {"It was diagnosed as a Smith fracture.", "Smith"},
        {"Treated with Smith splints.", "Smith"},
        {"Positive with Murphy's sign.", "Murphy"},
        {"There were sections with Harris' stain.", "Harris"},
        {"Bile from Wilson disease was tested.", "Wilson"},
        {"It was compared with White patients.", "White"},
        {"It was stained with Wright stain.", "Wright"},
        {"It was drained by Foley overnight.", "Foley"},
        {"It was changed to Long acting insulin.", "Long"},
        {"It was covered with Green drapes.", "Green"},
    };
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++)
        if (is_found(*state, sentences[i][0], sentences[i][1]))
            fail_msg("found: %s", sentences[i][0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends),    cmocka_unit_test(gradual),  cmocka_unit_test(monotone),
        cmocka_unit_test(planted), cmocka_unit_test(frequent), cmocka_unit_test(things),
    };
    return cmocka_run_group_tests(tests, washer_open, washer_close);
}
