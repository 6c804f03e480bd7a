/*
 * Known values and postings when memory runs out.
 */
#define _DEFAULT_SOURCE
#include "starve.h"
#include "text/detect/postings.h"
#include "text/known/known.h"
#include "text_found.h"

static const char sample[] =
    "Virginia P. Weston, born May 26, 1986, of 18 Huntington Ave, phone (304) 255-1423. Then "
    "Ginny, Mrs. Westen and VPW came to Marina Corp.";

static tacit_status make_and_find(void *context, tacit_error *err)
{
    tacit_strview values[] = {found_view("Virginia P. Weston"), found_view("304-255-1423"),
                              found_view("1986-05-26"), found_view("18 Huntington Avenue"),
                              found_view("Marina Corp")};
    tacit_text_kind kinds[] = {TACIT_TEXT_FULL_NAME, TACIT_TEXT_PHONE, TACIT_TEXT_DATE,
                               TACIT_TEXT_STREET, TACIT_TEXT_ORGANIZATION};
    tacit_scrub_options options = {.known = values, .known_kinds = kinds, .known_count = 5};
    tacit__known *known = STARVE_UNTOUCHED;
    tacit__proposals found = {0};
    const tacit__document *document = context;
    tacit_status status = tacit__known_new(&known, &options, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(known, STARVE_UNTOUCHED);
        return status;
    }
    status = tacit__known_propose(&found, known, document, err);
    if (status == TACIT_OK)
        assert_true(found.count >= 7);
    tacit__proposals_clear(&found);
    tacit__known_free(known);
    return status;
}

static tacit_status post_and_find(void *context, tacit_error *err)
{
    const tacit__document *document = context;
    tacit__proposal name = {.end = 18, .kind = TACIT_TEXT_FULL_NAME, .likelihood = 95};
    tacit__proposals marks = {.items = &name, .count = 1}, found = {0};
    tacit__postings *postings = STARVE_UNTOUCHED;
    tacit_status status = tacit__postings_new(&postings, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(postings, STARVE_UNTOUCHED);
        return status;
    }
    tacit__postings_post(postings, &marks, document);
    status = tacit__postings_propose(&found, postings, document, err);
    if (status == TACIT_OK)
        assert_int_equal(found.count, 3);
    tacit__proposals_clear(&found);
    tacit__postings_free(postings);
    return status;
}

static void test_starved(void **state)
{
    tacit__document document = {0};
    (void)state;
    assert_int_equal(tacit__document_read(&document, found_view(sample), NULL), TACIT_OK);
    starve(make_and_find, &document);
    starve(post_and_find, &document);
    tacit__document_clear(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_starved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
