/*
 * What a document has made known is found again, and what only looks like it is not.
 */
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "text/detect/postings.h"
#include "text_found.h"

typedef struct posted_case {
    const char *names;    /* a piece in which ... */
    const char *posted;   /* ... these were found, */
    const char *text;     /* and the piece after it */
    const char *expected; /* finds again */
} posted_case;

static const posted_case cases[] = {
    /* the paper's own: section 9.3 */
    {"Virginia P. Weston came.", "name:Virginia P. Weston",
     "After seeing Virginia this time, I feel much better.", "first_name:Virginia"},
    {"Virginia P. Weston came.", "name:Virginia P. Weston",
     "Today Ginny and Mrs. Weston were here with Weston's dog.",
     "nickname:Ginny|last_name:Weston|last_name:Weston"},
    {"WESTON, VIRGINIA P. was here today in the room", "name:WESTON, VIRGINIA P.",
     "Today Virginia came. Weston's hand is better.", "first_name:Virginia|last_name:Weston"},
    /* Figure 107: Lang is Long, and nobody can know who Dot is */
    {"Marjorie Long, M.D.", "name:Marjorie Long", "Dear Dr. Lang: As you know, Dot is well.",
     "last_name:Lang"},
    {"Marjorie Long, M.D.", "name:Marjorie Long",
     "It was a long day. Long walks help. She had a long talk with Dr. Long.", "last_name:Long"},
    {"Mr. Pain is here.", "last_name:Pain",
     "He has pain. Pain is worse at night. Mr. Pain denies fever.", "last_name:Pain"},
    {"Dr. White saw him", "last_name:White", "The white count was 7. White count rose.", ""},
    {"Will May and Hope Will came.", "name:Will May|name:Hope Will",
     "She will come in May. I hope it may help. Will call on May 5. May need more. Hope this "
     "helps.",
     ""},
    {"John Parkinson, M.D.", "name:John Parkinson",
     "He has Parkinson's disease. Dr. Parkinson saw him.", "last_name:Parkinson"},
    /* nicknames in both directions, and two of one name */
    {"We saw Ginny Weston.", "name:Ginny Weston", "Then Virginia left.", "first_name:Virginia"},
    {"We saw Robert Graves.", "name:Robert Graves", "Then Bob left with Bill.", "nickname:Bob"},
    /* initials: at the end of a letter whatever they also mean, elsewhere not */
    {"Robert A. Nguyen, M.D.", "name:Robert A. Nguyen", "the RN saw him.\nRN/jk 27-Oct-1991\n",
     "initials:RN"},
    {"Virginia P. Weston came.", "name:Virginia P. Weston",
     "It was VPW who called, then V.P.W. left, not VPX.", "initials:VPW|initials:V.P.W"},
    {"Mary T. Smith came.", "name:Mary T. Smith", "She has MS and takes MTX, MRI was done.", ""},
    /* misspelt: after a title; elsewhere only a word of no list */
    {"Virginia Weston came.", "name:Virginia Weston",
     "Mrs. Wetson is here, Ms. Westonn too, and Westtn.",
     "last_name:Wetson|last_name:Westonn|last_name:Westtn"},
    {"John Smith came.", "name:John Smith", "He saw the Smitty shop and Smithy.", ""},
    {"Jane Long came.", "name:Jane Long", "He took the lung out. Lung fields were clear.", ""},
    /* places and organizations by their own word */
    {"She went to Brigham Hospital and Marina Corp then.",
     "hospital:Brigham Hospital|organization:Marina Corp",
     "Seen at Brigham's by the hospital staff of Marina.", "hospital:Brigham|organization:Marina"},
    {"He lives at 18 Huntington Avenue now.", "street:18 Huntington Avenue",
     "It was on Huntington Ave that he fell; Huntington said so.", "street:Huntington Ave"},
    /* numbers, whatever parts the digits */
    {"CH#32-841-09787 and 473-1214", "reference:32-841-09787|phone:473-1214",
     "Case 3284109787, phone 473 1214 or 473.1214, not 473-1215.",
     "reference:3284109787|phone:473 1214|phone:473.1214"},
    /* lower case and capitals */
    {"frank red graves came here to see us today", "name:frank red graves",
     "then graves left the room to see his wife and frank cried", ""},
    {"VIRGINIA WESTON WAS SEEN HERE", "name:VIRGINIA WESTON",
     "THE PATIENT WESTON DENIES CHEST PAIN TODAY", "last_name:WESTON"},
    {"Pt katherine came. dr white saw her.", "first_name:katherine|last_name:white",
     "Then katherine left. The white count was seen by dr white in Boston.",
     "first_name:katherine|last_name:white"},
    {"Virginia Weston came.", "name:Virginia Weston", "Then weston left the house.",
     "last_name:weston"},
};

static bool check(const posted_case *one)
{
    tacit__document names = {0}, text = {0};
    tacit__proposals marks = {0}, found = {0};
    tacit__postings *postings = NULL;
    char line[FOUND_LINE];
    assert_int_equal(tacit__postings_new(&postings, NULL), TACIT_OK);
    assert_int_equal(tacit__document_read(&names, found_view(one->names), NULL), TACIT_OK);
    assert_int_equal(tacit__document_read(&text, found_view(one->text), NULL), TACIT_OK);
    found_parse(&marks, &names, one->posted, 95);
    tacit__postings_post(postings, &marks, &names);
    assert_int_equal(tacit__postings_propose(&found, postings, &text, NULL), TACIT_OK);
    found_line(line, &found, &text, TACIT_SCRUB_THRESHOLD);
    bool same = strcmp(line, one->expected) == 0;
    if (!same)
        print_error("in \"%s\"\nfound    %s\nexpected %s\n", one->text, line, one->expected);
    tacit__postings_begin(postings);
    found.count = 0;
    assert_int_equal(tacit__postings_propose(&found, postings, &text, NULL), TACIT_OK);
    assert_int_equal(found.count, 0);
    tacit__postings_free(postings);
    tacit__proposals_clear(&marks);
    tacit__proposals_clear(&found);
    tacit__document_clear(&names);
    tacit__document_clear(&text);
    return same;
}

static void test_cases(void **state)
{
    (void)state;
    size_t good = 0, count = sizeof cases / sizeof cases[0];
    for (size_t i = 0; i < count; i++)
        good += check(&cases[i]);
    assert_int_equal(good, count);
}

/* A name in the middle makes those before and after it known, and is not proposed again. */
static void test_one_piece(void **state)
{
    (void)state;
    tacit__document text = {0};
    tacit__proposals all = {0};
    tacit__postings *postings = NULL;
    char line[FOUND_LINE];
    assert_int_equal(tacit__postings_new(&postings, NULL), TACIT_OK);
    assert_int_equal(
        tacit__document_read(
            &text, found_view("Then Weston left. We saw Virginia P. Weston. Then Ginny left."),
            NULL),
        TACIT_OK);
    found_parse(&all, &text, "name:Virginia P. Weston", 95);
    tacit__postings_post(postings, &all, &text);
    all.count = 0;
    assert_int_equal(tacit__postings_propose(&all, postings, &text, NULL), TACIT_OK);
    found_line(line, &all, &text, TACIT_SCRUB_THRESHOLD);
    assert_string_equal(line, "last_name:Weston|nickname:Ginny");
    tacit__postings_free(postings);
    tacit__proposals_clear(&all);
    tacit__document_clear(&text);
}

/* What is not likely, or did not win, is not posted. */
static void test_not_posted(void **state)
{
    static const struct {
        int likelihood, fate;
        size_t found;
    } tries[] = {{95, TACIT_TEXT_WON, 1},
                 {60, TACIT_TEXT_WON, 0},
                 {95, TACIT_TEXT_OVERRULED, 0},
                 {95, TACIT_TEXT_COUNTERED, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        tacit__document names = {0}, text = {0};
        tacit__proposals all = {0};
        tacit__postings *postings = NULL;
        assert_int_equal(tacit__postings_new(&postings, NULL), TACIT_OK);
        tacit__document_read(&names, found_view("We saw Virginia Weston."), NULL);
        tacit__document_read(&text, found_view("Then Weston left."), NULL);
        found_parse(&all, &names, "name:Virginia Weston", tries[i].likelihood);
        all.items[0].fate = (uint8_t)tries[i].fate;
        tacit__postings_post(postings, &all, &names);
        all.count = 0;
        assert_int_equal(tacit__postings_propose(&all, postings, &text, NULL), TACIT_OK);
        assert_int_equal(all.count, tries[i].found);
        tacit__postings_free(postings);
        tacit__proposals_clear(&all);
        tacit__document_clear(&names);
        tacit__document_clear(&text);
    }
}

/* Twenty thousand names are more than are kept: those that are likelier stay. */
static void test_bounded(void **state)
{
    enum { NAMES = 20000, LIKELY = 200 };
    char name[32];
    size_t kept = 0;
    tacit__document text = {0};
    tacit__proposals all = {0};
    tacit__postings *postings = NULL;
    (void)state;
    assert_int_equal(tacit__postings_new(&postings, NULL), TACIT_OK);
    for (int pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < NAMES; i++) {
            all.count = 0;
            snprintf(name, sizeof name, "Qx%c%c%c%czu", 'a' + i % 26, 'a' + i / 26 % 26,
                     'a' + i / 676 % 26, 'a' + i / 17576);
            assert_int_equal(tacit__document_read(&text, found_view(name), NULL), TACIT_OK);
            if (pass == 0) {
                found_parse(&all, &text, "last_name:Q", i < LIKELY ? 99 : 80);
                all.items[0].end = (uint32_t)strlen(name);
                tacit__postings_post(postings, &all, &text);
            } else {
                tacit__proposal other = {.kind = TACIT_TEXT_NONE};
                tacit__proposals none = {.items = &other, .count = 0};
                tacit__postings_post(postings, &none, &text);
                tacit__postings_propose(&all, postings, &text, NULL);
                bool found = all.count > 0 && strcmp(all.items[0].rule, "posted last name") == 0;
                if (i < LIKELY)
                    assert_true(found);
                kept += found;
            }
        }
    assert_in_range(kept, 4000, 4096);
    tacit__postings_free(postings);
    tacit__proposals_clear(&all);
    tacit__document_clear(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases), cmocka_unit_test(test_one_piece),
        cmocka_unit_test(test_not_posted), cmocka_unit_test(test_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
