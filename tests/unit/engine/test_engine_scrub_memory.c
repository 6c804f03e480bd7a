/*
 * test_engine_scrub_memory.c - every allocation of gathering, merging and explaining what
 * `tacit scrub` tells failed in turn.
 */
#include "starve.h"

#include "scrub_case.h"

static scrub_case letter, girl;

static tacit_status gather(engine_scrub_gathering **out, const scrub_case *document,
                           tacit_error *err)
{
    tacit_status status = engine_scrub_gathering_new(out, err);
    return status == TACIT_OK ? engine_scrub_gather(*out, &document->piece, err) : status;
}

static tacit_status gather_both(void *context, tacit_error *err)
{
    (void)context;
    engine_scrub_gathering *one = NULL, *other = NULL;
    tacit_status status = gather(&one, &letter, err);
    if (status == TACIT_OK)
        status = gather(&other, &girl, err);
    if (status == TACIT_OK)
        status = engine_scrub_gathering_merge(one, other, err);
    engine_scrub_gathering_free(one);
    engine_scrub_gathering_free(other);
    return status;
}

static tacit_status explain(void *context, tacit_error *err)
{
    (void)context;
    engine_text out = {0};
    engine_scrub_explain(&out, &letter.piece);
    tacit_status status = engine_text_check(&out, err);
    engine_text_clear(&out);
    return status;
}

static void gathering(void **state)
{
    (void)state;
    starve(gather_both, NULL);
}

static void explaining(void **state)
{
    (void)state;
    static tacit_text_proposal proposal = {.start = 0,
                                           .end = 4,
                                           .kind = TACIT_TEXT_DATE,
                                           .within = TACIT_TEXT_DATE,
                                           .detector = "templates"};
    letter.scrubbed.proposals = &proposal;
    letter.scrubbed.proposal_count = 1;
    starve(explain, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gathering), cmocka_unit_test(explaining)};
    scrub_case_of(&letter, 0, "\"a\"", scrub_case_letter);
    scrub_case_of(&girl, 1, "\"b\"", scrub_case_girl);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
