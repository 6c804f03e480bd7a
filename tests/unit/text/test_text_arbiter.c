/*
 * test_text_arbiter.c - one decision for each character: by precedence, then likelihood, with
 * what is left to the weaker ones; the same as a brute-force decision on random proposals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "random_cases.h"
#include "text/scrub/arbiter.h"

static void add(tacit__proposals *proposals, uint32_t start, uint32_t end, tacit_text_kind kind,
                tacit_text_kind within, int likelihood)
{
    const tacit__proposal proposal = {.start = start,
                                      .end = end,
                                      .kind = kind,
                                      .within = within,
                                      .likelihood = likelihood,
                                      .detector = "test"};
    assert_int_equal(tacit__proposals_add(proposals, &proposal, NULL), TACIT_OK);
}

static void decide(tacit__arbiter *arbiter, tacit__proposals *proposals, const char *text,
                   bool special)
{
    assert_int_equal(tacit__arbitrate(arbiter, proposals, tacit_strview_of(text),
                                      (tacit__scrub_hearing){.threshold = 50, .special = special},
                                      NULL),
                     TACIT_OK);
}

static void clear(tacit__arbiter *arbiter, tacit__proposals *proposals)
{
    tacit__arbiter_clear(arbiter);
    tacit__proposals_clear(proposals);
}

/* Figure 111: five levels. */
static void levels(void **state)
{
    (void)state;
    assert_true(tacit__precedence(TACIT_TEXT_IDENTIFICATION_BLOCK) >
                tacit__precedence(TACIT_TEXT_MAILING_LABEL));
    assert_true(tacit__precedence(TACIT_TEXT_MAILING_LABEL) >
                tacit__precedence(TACIT_TEXT_ADDRESS_BLOCK));
    assert_true(tacit__precedence(TACIT_TEXT_FULL_NAME) > tacit__precedence(TACIT_TEXT_LOCATION));
    assert_true(tacit__precedence(TACIT_TEXT_LOCATION) > tacit__precedence(TACIT_TEXT_CITY));
    assert_int_equal(tacit__precedence(TACIT_TEXT_CITY), tacit__precedence(TACIT_TEXT_DATE));
}

static void precedence_beats_likelihood(void **state)
{
    (void)state;
    tacit__arbiter arbiter = {0};
    tacit__proposals proposals = {0};
    add(&proposals, 0, 4, TACIT_TEXT_DATE, TACIT_TEXT_DATE, 99);
    add(&proposals, 0, 9, TACIT_TEXT_FULL_NAME, TACIT_TEXT_FULL_NAME, 60);
    add(&proposals, 5, 9, TACIT_TEXT_CITY, TACIT_TEXT_CITY, 40);
    decide(&arbiter, &proposals, "June Long", true);
    assert_int_equal(arbiter.count, 1);
    assert_int_equal(proposals.items[arbiter.verdicts[0].by].kind, TACIT_TEXT_FULL_NAME);
    assert_int_equal(proposals.items[0].fate, TACIT_TEXT_OVERRULED);
    assert_int_equal(proposals.items[1].fate, TACIT_TEXT_WON);
    assert_int_equal(proposals.items[2].fate, TACIT_TEXT_BELOW);
    clear(&arbiter, &proposals);
}

/* The weaker one keeps the words that are left, without what parts them. */
static void the_rest(void **state)
{
    (void)state;
    tacit__arbiter arbiter = {0};
    tacit__proposals proposals = {0};
    add(&proposals, 0, 17, TACIT_TEXT_STREET, TACIT_TEXT_STREET, 60);
    add(&proposals, 3, 8, TACIT_TEXT_DATE, TACIT_TEXT_DATE, 90);
    decide(&arbiter, &proposals, "12 March Way, 4-b", true);
    assert_int_equal(arbiter.count, 3);
    assert_int_equal(arbiter.verdicts[0].end, 2);
    assert_int_equal(proposals.items[arbiter.verdicts[1].by].kind, TACIT_TEXT_DATE);
    assert_int_equal(arbiter.verdicts[2].start, 9);
    assert_int_equal(arbiter.verdicts[2].end, 17);
    clear(&arbiter, &proposals);
}

static void counter_evidence(void **state)
{
    (void)state;
    for (int special = 0; special < 2; special++) {
        tacit__arbiter arbiter = {0};
        tacit__proposals proposals = {0};
        add(&proposals, 0, 5, TACIT_TEXT_LAST_NAME, TACIT_TEXT_LAST_NAME, 80);
        add(&proposals, 0, 5, TACIT_TEXT_EPONYM, TACIT_TEXT_EPONYM, 95);
        decide(&arbiter, &proposals, "Foley catheter", special);
        assert_int_equal(arbiter.count, 1);
        assert_int_equal(proposals.items[arbiter.verdicts[0].by].kind,
                         special ? TACIT_TEXT_EPONYM : TACIT_TEXT_LAST_NAME);
        assert_int_equal(proposals.items[0].fate, special ? TACIT_TEXT_COUNTERED : TACIT_TEXT_WON);
        clear(&arbiter, &proposals);
    }
}

/* The more a text is doubted, the more a guess must show; what has a form need not. */
static void guesses(void **state)
{
    (void)state;
    for (int doubt = 0; doubt <= 100; doubt += 50) {
        bool heard = doubt < 100;
        tacit__arbiter arbiter = {0};
        tacit__proposals proposals = {0};
        add(&proposals, 0, 8, TACIT_TEXT_CITY, TACIT_TEXT_CITY, 80);
        add(&proposals, 0, 8, TACIT_TEXT_MEDICAL, TACIT_TEXT_MEDICAL, 95);
        add(&proposals, 9, 13, TACIT_TEXT_DATE, TACIT_TEXT_DATE, 60);
        proposals.items[0].alone = TACIT__ALONE_PLACE;
        assert_int_equal(tacit__arbitrate(&arbiter, &proposals, tacit_strview_of("Kerberos 1994"),
                                          (tacit__scrub_hearing){50, false, doubt}, NULL),
                         TACIT_OK);
        assert_int_equal(arbiter.count, 1 + heard);
        assert_int_equal(proposals.items[0].fate, heard ? TACIT_TEXT_WON : TACIT_TEXT_UNSURE);
        assert_int_equal(proposals.items[1].fate, TACIT_TEXT_BELOW);
        assert_int_equal(proposals.items[2].fate, TACIT_TEXT_WON);
        clear(&arbiter, &proposals);
    }
}

/* Titles are kept, most often, and keep nothing else with them. */
static void titles_give_way(void **state)
{
    (void)state;
    tacit__arbiter arbiter = {0};
    tacit__proposals proposals = {0};
    add(&proposals, 7, 14, TACIT_TEXT_TITLE, TACIT_TEXT_TITLE, 99);
    add(&proposals, 0, 9, TACIT_TEXT_STREET, TACIT_TEXT_STREET, 60);
    decide(&arbiter, &proposals, "12 Oak Dr Esq.", true);
    assert_int_equal(arbiter.count, 2);
    assert_int_equal(arbiter.verdicts[0].end, 9);
    assert_int_equal(proposals.items[arbiter.verdicts[1].by].kind, TACIT_TEXT_TITLE);
    assert_int_equal(arbiter.verdicts[1].start, 10);
    assert_int_equal(arbiter.verdicts[1].end, 13);
    clear(&arbiter, &proposals);
}

/* Who should have the byte, by asking all. */
static const tacit__proposal *strongest_at(const tacit__proposals *proposals, uint32_t at)
{
    const tacit__proposal *best = NULL;
    for (size_t i = 0; i < proposals->count; i++) {
        const tacit__proposal *one = &proposals->items[i];
        if (at < one->start || at >= one->end || one->likelihood < 50)
            continue;
        int by_level = best ? tacit__precedence(one->within) - tacit__precedence(best->within) : 1;
        int by_likelihood = best ? one->likelihood - best->likelihood : 1;
        int by_length = best ? (int)(one->end - one->start) - (int)(best->end - best->start) : 1;
        if (by_level > 0 ||
            (by_level == 0 && (by_likelihood > 0 || (by_likelihood == 0 && by_length > 0))))
            best = one;
    }
    return best;
}

/* Up to so many proposals anywhere in text of 60 letters. */
static void add_some(tacit__proposals *proposals, int most)
{
    static const tacit_text_kind kinds[] = {TACIT_TEXT_DATE,        TACIT_TEXT_FULL_NAME,
                                            TACIT_TEXT_LOCATION,    TACIT_TEXT_MAILING_LABEL,
                                            TACIT_TEXT_MEASUREMENT, TACIT_TEXT_TITLE};
    for (int count = rand() % most; count > 0; count--) {
        uint32_t start = rand() % 60, len = 1 + rand() % (60 - start);
        tacit_text_kind kind = kinds[rand() % 6];
        add(proposals, start, start + (len > 9 && rand() % 4 ? 9 : len), kind, kind,
            40 + rand() % 60);
    }
}

/* Every byte is whose it should be. */
static void assert_strongest(const tacit__arbiter *arbiter, const tacit__proposals *proposals)
{
    size_t verdict = 0;
    for (uint32_t at = 0; at < 60; at++) {
        while (verdict < arbiter->count && arbiter->verdicts[verdict].end <= at)
            verdict++;
        bool has = verdict < arbiter->count && arbiter->verdicts[verdict].start <= at;
        const tacit__proposal *by = has ? &proposals->items[arbiter->verdicts[verdict].by] : NULL;
        assert_ptr_equal(by, strongest_at(proposals, at));
    }
}

/* Text that is all letters, so that nothing is trimmed. */
static const char LETTERS[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";

static void as_brute_force(void **state)
{
    (void)state;
    srand(7);
    for (int64_t run = many_cases(2000); run > 0; run--) {
        tacit__arbiter arbiter = {0};
        tacit__proposals proposals = {0};
        add_some(&proposals, 40);
        decide(&arbiter, &proposals, LETTERS, true);
        assert_strongest(&arbiter, &proposals);
        clear(&arbiter, &proposals);
    }
}

/* What is proposed later is decided on as if it had been there at first: verdicts and fates. */
static void once_more(void **state)
{
    (void)state;
    static const char text[] = "John A. Long, 12 March Way; Dr. Long's 3/10/94 -- Boston, MA";
    srand(8);
    for (int64_t run = many_cases(4000); run > 0; run--) {
        tacit__arbiter arbiter = {0}, at_once = {0};
        tacit__proposals proposals = {0}, all = {0};
        add_some(&proposals, run % 2 ? 40 : 8);
        decide(&arbiter, &proposals, text, true);
        size_t before = proposals.count;
        add_some(&proposals, run % 3 ? 4 : 30);
        assert_int_equal(
            tacit__arbitrate_again(&arbiter, &proposals, before, tacit_strview_of(text),
                                   (tacit__scrub_hearing){.threshold = 50, .special = true}, NULL),
            TACIT_OK);
        for (size_t i = 0; i < proposals.count; i++)
            assert_int_equal(tacit__proposals_add(&all, &proposals.items[i], NULL), TACIT_OK);
        decide(&at_once, &all, text, true);
        assert_int_equal(arbiter.count, at_once.count);
        for (size_t i = 0; i < arbiter.count; i++) {
            assert_int_equal(arbiter.verdicts[i].start, at_once.verdicts[i].start);
            assert_int_equal(arbiter.verdicts[i].end, at_once.verdicts[i].end);
            assert_int_equal(arbiter.verdicts[i].by, at_once.verdicts[i].by);
        }
        for (size_t i = 0; i < all.count; i++)
            assert_int_equal(proposals.items[i].fate, all.items[i].fate);
        clear(&arbiter, &proposals);
        clear(&at_once, &all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels),          cmocka_unit_test(precedence_beats_likelihood),
        cmocka_unit_test(the_rest),        cmocka_unit_test(counter_evidence),
        cmocka_unit_test(titles_give_way), cmocka_unit_test(guesses),
        cmocka_unit_test(as_brute_force),  cmocka_unit_test(once_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
