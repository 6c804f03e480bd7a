/*
 * test_engine_masked_verdict.c - the verdict on a masked table in words: a refusal, sentences,
 * account.
 */
#include "masked_case.h"

#include "engine/masking/masking.h"

static const char BEFORE[] = "a,b,g\n1,2,p\n2,3,p\n3,1,q\n";

static void says(const char *masked, const char *claim, const char *sentence)
{
    masked_case m;
    char text[512];
    masked_case_init(&m, BEFORE, masked, "a,b,g", "");
    masked_claim(&m, claim);
    tacit_masked_verdict *v = masked_judge(&m, 1);
    assert_string_equal(engine_masked_sentence(text, sizeof text, v, &m.c, 0), sentence);
    tacit_masked_verdict_free(v);
    masked_case_clear(&m);
}

static void test_sentences(void **state)
{
    (void)state;
    says(BEFORE, "values columns=a,b", "values of a and b are those that were there, as often");
    says(BEFORE, "unit columns=a,b within=g",
         "combinations of a and b are those that were there, as often in each g");
    says(BEFORE, "sum columns=a", "the sum of a is as it was");
    says(BEFORE, "sum columns=a,b within=g", "sums of a and b are as they were in each g");
    says("a,b,g\n1,2,p\n2,3,p\n4,1,q\n", "sum columns=a amount=1.5",
         "the sum of a is within 1.5 of what it was (1 measured)");
    says(BEFORE, "moments columns=a,b amount=0.01",
         "means and covariances of a and b are within 0.01 standard deviations of what they were "
         "(0 measured)");
    says(BEFORE, "shares columns=a amount=0.1",
         "every value's share of rows in a is within 0.1 of what it was (0 measured)");
    says(BEFORE, "near columns=a amount=2",
         "no number of a is further than 2 from what it was (0 measured)");
    says(BEFORE, "groups columns=g within=a,b amount=1",
         "every value of g that is there is there at least 1 times in each combination of a and b "
         "(1 measured)");
    says("a,b,g\n7,2,p\n8,3,p\n9,1,q\n", "null_map columns=a,b",
         "no row has a combination of a and b that the original has");
    says("a,b,g\n2,3,p\n3,1,p\n1,2,q\n", "wrong_map columns=a,b",
         "no row has the combination of a and b that it had, and every one is another row's");
    says(BEFORE, "range columns=a low=0 high=3", "every number of a is from 0 to 3");
    says(BEFORE, "range columns=a low=-inf high=3", "every number of a is at most 3");
    says(BEFORE, "range columns=a low=1 high=inf", "every number of a is at least 1");
    says(BEFORE, "sum columns=a,b,g,a,b,g", "sums of a, b, g, a and 2 more are as they were");
    says(BEFORE, "null_map columns=a",
         "it does not hold that no row has a value of a that the original has");
    says(BEFORE, "sum columns=z", "it could not be checked that the sum of z is as it was");
    says(BEFORE, "77 columns=a", "it could not be checked that something unknown is kept");
}

static void refuses(const char *masked, const char *claim, const char *message)
{
    masked_case m;
    tacit_error err = {0};
    masked_case_init(&m, BEFORE, masked, "a", "");
    if (claim)
        masked_claim(&m, claim);
    tacit_masked_verdict *v = masked_judge(&m, 1);
    tacit_status status = engine_masked_refuse(&err, v, &m.c);
    assert_int_equal(status, message ? TACIT_INFEASIBLE : TACIT_OK);
    assert_int_equal(err.status, status);
    assert_string_equal(err.message, message ? message : "");
    tacit_masked_verdict_free(v);
    masked_case_clear(&m);
}

#define REFUSED "the judge refuses the masked table, and nothing is written: "

static void test_refusal(void **state)
{
    (void)state;
    refuses(BEFORE, "sum columns=a", NULL);
    refuses("a,b,g\n1,2,p\n2,3,p\n5,1,q\n", "sum columns=a within=g amount=1",
            REFUSED "step 1 claims that the sum of a is within 1 of what it was in each g; "
                    "column a: a sum differs by more than is claimed (2 measured, 1 allowed)");
    refuses("a,b,g\n1,2,p\n2,3,p\n3,9,q\n", NULL,
            REFUSED "column b: cells differ that no step may have changed (1); the first is "
                    "row 3");
    refuses("a,b,g\n1,2,p\n2,3,p\n3,9,q\n", "near columns=a,b",
            REFUSED "column b: cells differ that no step may have changed (1); the first is "
                    "row 3; and 1 more finding");
    refuses("a,b,g\n1,2,p\n2,3,p\nx,1,q\n", "near columns=a",
            REFUSED "step 1 claims that no number of a is further than 0 from what it was; "
                    "column a: a cell is further from what it was than is claimed; the first is "
                    "row 3");
    refuses(BEFORE, "sum columns=z",
            REFUSED "step 1 claims that the sum of z is as it was; column z: the masked "
                    "table does not have the column");
    refuses("a,b,g,h\n1,2,p,0\n2,3,p,0\n3,1,q,0\n", NULL,
            REFUSED "column h: no step has written the column");
}

typedef tacit_status (*renderer)(char **out, const tacit_report *report, tacit_error *err);

static char *rendered(renderer render, const tacit_masked_verdict *verdict,
                      const tacit_masked_case *masked)
{
    tacit_report *report = NULL;
    char *text = NULL;
    assert_int_equal(tacit_report_new(&report, "t", NULL), TACIT_OK);
    engine_masked_facts(report, verdict, masked);
    assert_int_equal(render(&text, report, NULL), TACIT_OK);
    tacit_report_free(report);
    return text;
}

static void test_account(void **state)
{
    (void)state;
    masked_case m;
    masked_case_init(&m, BEFORE, "a,b,g\n2,2,p\n1,3,p\n3,1,q\n", "a", "");
    masked_claim(&m, "values columns=a within=g");
    masked_claim(&m, "near columns=a amount=0.5");
    tacit_masked_verdict *v = masked_judge(&m, 1);
    char *text = rendered(tacit_report_json, v, &m.c);
    static const char *const PARTS[] = {
        "\"kept\": \"values\"", "\"columns\": [\n        \"a\"\n      ]",
        "\"step\": 2",          "\"measured\": 1.0",
        "\"holds\": false",     "\"cells_compared\": 9",
        "\"cells_changed\": 2", "\"kind\": \"claim\"",
        "\"claim\": 2"};
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        if (!strstr(text, PARTS[i]))
            fail_msg("%s is not in %s", PARTS[i], text);
    tacit_text_free(text);
    tacit_masked_verdict_free(v);
    masked_case_clear(&m);
}

static void test_each(void **state)
{
    (void)state;
    masked_case m;
    masked_case_init(&m, BEFORE, "a,b,g\n5,2,p\n2,3,p\n3,1,q\n", "a", "");
    masked_claim(&m, "sum columns=a");
    masked_claim(&m, "sum columns=b");
    tacit_masked_verdict *v = masked_judge(&m, 1);
    char *text = rendered(tacit_report_print, v, &m.c);
    assert_string_equal(text, "  kept        it does not hold that the sum of a is as it was\n"
                              "  kept        the sum of b is as it was\n");
    tacit_text_free(text);
    tacit_masked_verdict_free(v);
    masked_case_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_refusal),
        cmocka_unit_test(test_account),
        cmocka_unit_test(test_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
