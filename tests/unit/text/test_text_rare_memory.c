/*
 * test_text_rare_memory.c - every allocation of the collectors of rare facts failed in turn.
 */
#include "starve.h"

#include <stdio.h>

#include <tacit/experimental/text_rare.h>

/* Enough different words that a collector grows and drops some. */
static tacit_status fill(tacit_rare *rare, uint64_t document, tacit_error *err)
{
    char text[8192];
    size_t len = 0;
    for (unsigned i = 0; i < 450; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "scissor%c%c%c. ", 'a' + i / 26 % 26,
                                'a' + i % 26, 'a' + (char)document);
    tacit_scrubbed piece = {.text = {text, len}};
    return tacit_rare_add(rare, document, &piece, err);
}

static tacit_status collect(void *context, tacit_error *err)
{
    (void)context;
    tacit_rare *rare = NULL, *other = NULL;
    tacit_rare_report *report = STARVE_UNTOUCHED;
    tacit_rare_options options = {.below = 2, .facts = 3, .documents = 3};
    tacit_status status = tacit_rare_new(&rare, 200, err);
    if (status == TACIT_OK)
        status = tacit_rare_new(&other, 200, err);
    for (uint64_t i = 0; i < 4 && status == TACIT_OK; i++)
        status = fill(i < 2 ? rare : other, i, err);
    if (status == TACIT_OK)
        status = tacit_rare_merge(rare, other, err);
    if (status == TACIT_OK)
        status = tacit_rare_list(&report, rare, &options, err);
    if (status == TACIT_OK)
        tacit_rare_report_free(report);
    else
        assert_ptr_equal(report, STARVE_UNTOUCHED);
    tacit_rare_free(rare);
    tacit_rare_free(other);
    return status;
}

static void collecting(void **state)
{
    (void)state;
    starve(collect, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(collecting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
