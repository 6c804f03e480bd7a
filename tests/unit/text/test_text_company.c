/*
 * test_text_company.c - what other proposals and its place tell of a span: days of a month among
 * dates, times that entries begin with, initials at the end of a line, first names before an
 * age, names in other letters. What templates would have found is given by hand, with its
 * likelihood.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "text/detect/detect.h"

typedef tacit_status propose_fn(tacit__proposals *proposals, const tacit__document *document,
                                tacit_error *err);

/* A text, the part of it that is found already, and what is proposed beside that. */
typedef struct company_case {
    const char *text, *found, *expected;
    uint8_t likelihood; /* of what is found */
} company_case;

static void add_found(tacit__proposals *proposals, const company_case *one, tacit_text_kind kind)
{
    if (!one->found)
        return;
    uint32_t start = (uint32_t)(strstr(one->text, one->found) - one->text);
    const tacit__proposal found = {.start = start,
                                   .end = start + (uint32_t)strlen(one->found),
                                   .kind = (uint8_t)kind,
                                   .within = (uint8_t)kind,
                                   .likelihood = one->likelihood};
    assert_int_equal(tacit__proposals_add(proposals, &found, NULL), TACIT_OK);
}

static void check_one(const company_case *one, tacit_text_kind kind, propose_fn *propose)
{
    tacit__document document = {0};
    tacit__proposals proposals = {0};
    char got[512] = "";
    assert_int_equal(tacit__document_read(&document, tacit_strview_of(one->text), NULL), TACIT_OK);
    add_found(&proposals, one, kind);
    size_t before = proposals.count;
    assert_int_equal(propose(&proposals, &document, NULL), TACIT_OK);
    for (size_t i = before; i < proposals.count; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%.*s", i > before ? "|" : "",
                 (int)(proposals.items[i].end - proposals.items[i].start),
                 one->text + proposals.items[i].start);
    if (strcmp(got, one->expected) != 0)
        print_error("\"%s\": ", one->text);
    assert_string_equal(got, one->expected);
    tacit__document_clear(&document);
    tacit__proposals_clear(&proposals);
}

static void check_all(const company_case *cases, size_t count, tacit_text_kind kind,
                      propose_fn *propose)
{
    for (size_t i = 0; i < count; i++)
        check_one(&cases[i], kind, propose);
}

static void days(void **state)
{
    (void)state;
    static const company_case cases[] = {
        {"Seen.\n2/10 am. Washed\n3/10 pm. Ate", NULL, "2/10|3/10", 0},
        {"due 17/7, seen 5/20 and given 3/9", "17/7", "17/7|5/20|3/9", 78},
        {"due 17/7, seen 5/20 and given 3/9", "17/7", "", 60}, /* nothing is sure */
        {"due 17/7, seen 5/20 and given 3/9", "due", "", 90},  /* no slash in it */
        {"on 2/11/94: pain 7/10, power 4/5, for 3/7, sees 6/9", "2/11/94", "", 94},
        {"on 2/11/94: 5/5, 13/13, 0/4, 32/5, 20/40, 100/5, 3/4/5", "2/11/94", "", 94},
        {"on 2/11/94: 15%/3, 9/3% and 9/3-4, a/3", "2/11/94", "", 94},
        {"on 2/11/94 (9/3) and 9/4", "2/11/94", "9/3|9/4", 94},
        {"9/3", NULL, "9/3", 0},
        {"", NULL, "", 0},
        {"7", NULL, "", 0},
    };
    check_all(cases, sizeof cases / sizeof cases[0], TACIT_TEXT_DATE, tacit__days_propose);
}

static void hours(void **state)
{
    (void)state;
    static const company_case cases[] = {
        {"Night\n1815 ate\n1915 slept\n  2030. woke", NULL, "1815|1915|2030", 0},
        {"1815 ate (all)\n1915 slept;\n2030 woke,\n2100 up", NULL, "1815|1915|2030|2100", 0},
        {"1815 ate\n1915 slept", NULL, "", 0},            /* two entries */
        {"1915 born\n1939 wed\n2001 died", NULL, "", 0},  /* all may be years */
        {"1815 ate\n1875 slept\n2130 woke", NULL, "", 0}, /* no time */
        {"1815 ate\n915 slept\n2130 woke", NULL, "", 0},  /* three digits */
        {"at 1815 ate\n1915 slept\n2030 woke", NULL, "", 0},
        {"", NULL, "", 0},
    };
    check_all(cases, sizeof cases / sizeof cases[0], TACIT_TEXT_DATE, tacit__hours_propose);
}

static void signed_entries(void **state)
{
    (void)state;
    static const company_case cases[] = {
        {"Slept well. KZ\nAte well. M.A.T\nup at six - KZ", NULL, "KZ|M.A.T|KZ", 0},
        {"Slept well.     KZ", NULL, "KZ", 0},
        {"Slept well KZ\nand", NULL, "", 0},   /* behind a word */
        {"Slept well. KZ said", NULL, "", 0},  /* not at the end */
        {"KZ\nand", NULL, "", 0},              /* a line of its own */
        {"Looked in. MRI\nand", NULL, "", 0},  /* a list has it */
        {"Looked in. KZXQ\nand", NULL, "", 0}, /* too long */
        {"ALL OF IT IS SO. KZ\nAND THIS TOO", NULL, "", 0},
        {"Slept well. K", NULL, "", 0},
        {"Yours,\nAnn\nLV/EMC\npbr:kc", NULL, "LV/EMC|pbr:kc", 0}, /* lines of their own */
        {"Yours,\nLV/EMC too\nLV EMC\nLVXY/EMC\nLV/emc\nand/or", NULL, "", 0},
        {"typed by ekm\nTech: mlv\nSr Naidoo / fk", NULL, "ekm|mlv|fk", 0},
        {"seen by him\nby ekmx\nekm\nfor ekm", NULL, "", 0}, /* a word, too long, by nobody */
        {"Ate well. rhw\nWashed, dried.     kf\nup again - kf", NULL, "rhw|kf|kf", 0},
        {"Bloods: kfx     Meds: jb     Scan\nsaline     jb     Ann", NULL, "kfx|jb|jb", 0},
        {"Slept. yes\ngiven.     prn\nKept.    nil     Bed", NULL, "", 0}, /* words, a list's */
        {"", NULL, "", 0},
    };
    check_all(cases, sizeof cases / sizeof cases[0], TACIT_TEXT_DATE, tacit__signed_propose);
}

static void alphabets(void **state)
{
    (void)state;
    static const company_case cases[] = {
        {"Patient: CHEUNG Ka-Ming (\xE5\xBC\xB5\xE5\xAE\xB6\xE6\x98\x8E) came with pain and left "
         "again",
         NULL, "\xE5\xBC\xB5\xE5\xAE\xB6\xE6\x98\x8E", 0},
        {"seen by \xD0\x98\xD0\xB2\xD0\xB0\xD0\xBD \xD0\x9F\xD1\x83\xD0\xBF at the clinic in the "
         "town on the hill where the road ends and the wood begins",
         NULL, "\xD0\x98\xD0\xB2\xD0\xB0\xD0\xBD \xD0\x9F\xD1\x83\xD0\xBF", 0},
        {"\xD0\x98\xD0\xB2\xD0\xB0\xD0\xBD \xD0\x9F\xD1\x83\xD0\xBF came", NULL, "",
         0}, /* of such a language */
        {"a \xCE\xB2-blocker, a \xD7\x92, for Zo\xC3\xAB and the others who came to the clinic",
         NULL, "", 0},
        {"", NULL, "", 0},
    };
    check_all(cases, sizeof cases / sizeof cases[0], TACIT_TEXT_FULL_NAME,
              tacit__alphabets_propose);
}

static void aged(void **state)
{
    (void)state;
    static const company_case cases[] = {
        {"As you know, Dot is a 7 year old girl", "7", "Dot", 96},
        {"Hope was a 45-year-old nurse", "45", "Hope", 96},
        {"Hope was a 45-year-old nurse", "45", "", 80},
        {"She is a 7 year old girl", "7", "", 96},
        {"the dot is a 7 year old girl", "7", "", 96},
        {"Dot, is a 7 year old girl", "7", "", 96},
        {"Dot has a 7 year old girl", "7", "", 96},
        {"a 7 year old", "7", "", 96},
        {"7", "7", "", 96},
    };
    check_all(cases, sizeof cases / sizeof cases[0], TACIT_TEXT_AGE, tacit__aged_propose);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days), cmocka_unit_test(hours),     cmocka_unit_test(signed_entries),
        cmocka_unit_test(aged), cmocka_unit_test(alphabets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
