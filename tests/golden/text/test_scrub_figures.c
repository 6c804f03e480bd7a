/*
 * test_scrub_figures.c - Sweeney's Computational Disclosure Control, chapter 9: all that Figure
 * 108 replaced in the letter of Figure 107 is found, and what it kept stays; every written form
 * of Figures 110 and 113; the example of postings in section 9.3; Figure 115, where there is
 * nothing to replace.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "scrub.h"
#include "washer.h"

static void wash(washer *one, const char *text)
{
    size_t used;
    one->text = text;
    tacit_scrub_begin(one->reader, 0);
    assert_int_equal(
        tacit_scrub_piece(&one->scrubbed, &used, one->reader, tacit_strview_of(text), true, NULL),
        TACIT_OK);
    assert_true(scrub_replays(&one->scrubbed, text, strlen(text), 0));
}

static bool is_word(char byte)
{
    return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

/* Letters and digits of the part that lie in spans, and all of them. */
static void count(const washer *one, const char *part, size_t len, size_t *found, size_t *all)
{
    *found = *all = 0;
    for (size_t at = (size_t)(part - one->text); at < (size_t)(part - one->text) + len; at++) {
        if (!is_word(one->text[at]))
            continue;
        ++*all;
        for (size_t i = 0; i < one->scrubbed.span_count; i++)
            *found += at >= one->scrubbed.spans[i].start && at < one->scrubbed.spans[i].end;
    }
}

static void check(const washer *one, const char *part, bool replaced)
{
    const char *at = strstr(one->text, part);
    size_t found, all;
    assert_non_null(at);
    count(one, at, strlen(part), &found, &all);
    if (replaced && found != all)
        fail_msg("'%s' is not found in '%.60s'", part, one->text);
    if (!replaced && found != 0)
        fail_msg("'%s' is replaced in '%.60s'", part, one->text);
}

static const char figure_107[] =
    "Wednesday, February 2, 1994\n"
    "\n"
    "Marjorie Long, M.D.            RE: Virginia Townsend\n"
    "St. John's Hospital            CH#32-841-09787\n"
    "Huntington 18                  DOB 05/26/86\n"
    "Boston, MA 02151\n"
    "\n"
    "Dear Dr. Lang:\n"
    "\n"
    "I feel much better after seeing Virginia this time. As you know, Dot is a 7 and 6/12\n"
    "year old female in follow up for insulin dependent diabetes mellitus diagnosed in June\n"
    "of 1993 by Dr. Frank at Brigham's. She is currently on Lily Human Insulin and is\n"
    "growing and gaining weight normally. She will start competing again with the U. S.\n"
    "Junior Gymnastics team. We will contact Mrs. Hodgkins in a week at Marina Corp\n"
    "473-1214 to schedule a follow-up visit for her daughter.\n"
    "\n"
    "Patrick Hayes, M.D. 34764\n";

static void letter(void **state)
{
    static const char *const replaced[] = {
        "Wednesday, February 2, 1994",
        "Marjorie Long",
        "Virginia Townsend",
        "John",
        "32-841-09787",
        "Huntington 18",
        "05/26/86",
        "Boston",
        "02151",
        "Lang",
        "Virginia this",
        "Dot",
        "Frank",
        "Brigham",
        "Junior Gymnastics",
        "Hodgkins",
        "Marina Corp",
        "473-1214",
        "Patrick Hayes",
        "34764",
    };
    static const char *const kept[] = {
        "Dear",
        "I feel much better after seeing",
        "this time",
        "year old female in follow up",
        "insulin dependent diabetes mellitus diagnosed in",
        "Lily Human Insulin",
        "growing and gaining weight normally",
        "We will contact",
        "in a week",
        "to schedule a follow-up visit for her daughter",
    };
    wash(*state, figure_107);
    for (size_t i = 0; i < sizeof replaced / sizeof replaced[0]; i++) {
        /* "Virginia this" stands for the second Virginia. */
        const char *second = strcmp(replaced[i], "Virginia this") == 0 ? "Virginia" : NULL;
        if (!second) {
            check(*state, replaced[i], true);
            continue;
        }
        size_t found, all;
        count(*state, strstr(figure_107, replaced[i]), strlen(second), &found, &all);
        assert_int_equal(found, all);
    }
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        check(*state, kept[i], false);
}

/* Figures 110 and 113: a form, and the part of it that is personal. */
static void written_forms(void **state)
{
    static const struct {
        const char *text, *part;
    } forms[] = {
        {"Frank Graves", "Frank Graves"},
        {"F. R. Graves, MD", "F. R. Graves"},
        {"Dr. Graves", "Graves"},
        {"Frank Red Graves", "Frank Red Graves"},
        {"\"Red\" Graves", "Red\" Graves"},
        {"frank red graves", "frank red graves"},
        {"255-1423", "255-1423"},
        {"(304) 255-1423", "(304) 255-1423"},
        {"304/ 255-1423", "304/ 255-1423"},
        {"phone: 255-1423", "255-1423"},
        {"255-1000 ext 1423", "1423"},
        {"255-1000 ext 1423", "255-1000"},
        {"extension 1423", "1423"},
        {"March 1, 1991", "March 1, 1991"},
        {"3/1/91", "3/1/91"},
        {"first of March", "first of March"},
        {"1-MAR-91", "1-MAR-91"},
        {"03-01-91", "03-01-91"},
        {"March 1st", "March 1st"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        wash(*state, forms[i].text);
        check(*state, forms[i].part, true);
    }
}

static void postings(void **state)
{
    wash(*state,
         "Virginia P. Weston came to the clinic.\n\n"
         "After seeing Virginia this time, I feel much better. Ginny and Mrs. Weston agree.");
    check(*state, "Virginia P. Weston", true);
    check(*state, "Ginny", true);
    check(*state, "I feel much better", false);
    size_t found, all;
    count(*state, strstr(((washer *)*state)->text, "Virginia this"), 8, &found, &all);
    assert_int_equal(found, all);
    count(*state, strstr(((washer *)*state)->text, "Weston agree"), 6, &found, &all);
    assert_int_equal(found, all);
}

/* "... nothing in this text required scrubbing", but for the ages that it names. */
static void the_girl(void **state)
{
    wash(*state,
         "At the age of two she was sexually assaulted. At the age of three she set fire to "
         "her home. At the age of four her parents divorced. At the age of five she was "
         "placed in foster care after stabbing her nursery school teacher with scissors.");
    check(*state, "she was sexually assaulted", false);
    check(*state, "she set fire to her home", false);
    check(*state, "her parents divorced", false);
    check(*state, "placed in foster care after stabbing her nursery school teacher with scissors",
          false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letter),
        cmocka_unit_test(written_forms),
        cmocka_unit_test(postings),
        cmocka_unit_test(the_girl),
    };
    return cmocka_run_group_tests(tests, washer_open, washer_close);
}
