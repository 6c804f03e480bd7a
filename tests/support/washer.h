/*
 * washer.h - a scrubber and a reader for a group of tests.
 */
#ifndef TACIT_TESTS_WASHER_H
#define TACIT_TESTS_WASHER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <tacit/experimental/text.h>

/* A reader with the defaults, for the tests of a group one after the other. */
typedef struct washer {
    tacit_scrubber *scrubber;
    tacit_scrub_reader *reader;
    tacit_scrubbed scrubbed;
    const char *text;
} washer;

static inline int washer_open(void **state)
{
    static washer one;
    tacit_scrub_options options;
    tacit_scrub_options_init(&options);
    options.accept_unread = true; /* any bytes */
    assert_int_equal(tacit_scrubber_new(&one.scrubber, &options, NULL), TACIT_OK);
    assert_int_equal(tacit_scrub_reader_new(&one.reader, one.scrubber, NULL), TACIT_OK);
    *state = &one;
    return 0;
}

static inline int washer_close(void **state)
{
    washer *one = *state;
    tacit_scrub_reader_free(one->reader);
    tacit_scrubber_free(one->scrubber);
    return 0;
}

#endif
