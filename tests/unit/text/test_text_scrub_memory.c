/*
 * test_text_scrub_memory.c - every allocation of a reader failed in turn: one that scrubs documents
 * as they come, and one that reads them ahead.
 */
#include "starve.h"

#include <tacit/experimental/text.h>

static tacit_scrubber *scrubber;

static const char *const letters[] = {
    "Dear Dr. Townsend:\n\nThank you for sending me Virginia Weston, a 34-year-old teacher from "
    "Boston, MA 02151, on March 1, 1991. Ginny can be reached at (617) 555-1214.\n",
    "Mr. Hayes of 12 Oak Street was seen at St. John's Hospital on 3/4/91; his MRN is 275-86-12."};

static tacit_status scrub_letters(tacit_scrub_reader *reader, bool ahead, tacit_error *err)
{
    tacit_strview texts[2] = {tacit_strview_of(letters[0]), tacit_strview_of(letters[1])};
    tacit_status status = TACIT_OK;
    size_t taken, used;
    if (ahead)
        status = tacit_scrub_ahead(&taken, reader, texts, 2, err);
    for (uint64_t i = 0; i < 2 && status == TACIT_OK; i++) {
        tacit_scrubbed scrubbed;
        tacit_scrub_begin(reader, i);
        status = tacit_scrub_piece(&scrubbed, &used, reader, texts[i], true, err);
        assert_true(status != TACIT_OK || scrubbed.span_count > 3);
    }
    return status;
}

static tacit_status scrub_with(bool ahead, tacit_error *err)
{
    tacit_scrub_reader *reader = NULL;
    tacit_status status = tacit_scrub_reader_new(&reader, scrubber, err);
    if (status == TACIT_OK)
        status = scrub_letters(reader, ahead, err);
    tacit_scrub_reader_free(reader);
    return status;
}

static tacit_status as_they_come(void *context, tacit_error *err)
{
    (void)context;
    return scrub_with(false, err);
}

static tacit_status ahead(void *context, tacit_error *err)
{
    (void)context;
    return scrub_with(true, err);
}

static void readers(void **state)
{
    (void)state;
    tacit_scrub_options options;
    tacit_scrub_options_init(&options);
    assert_int_equal(tacit_scrubber_new(&scrubber, &options, NULL), TACIT_OK);
    assert_true(starve(as_they_come, NULL) > 10);
    assert_true(starve(ahead, NULL) > 10);
    tacit_scrubber_free(scrubber);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(readers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
