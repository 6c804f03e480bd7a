/*
 * test_scrub_bytes.c - whatever the bytes, what is outside of spans is left as it is, spans
 * replayed on the input give the output, and nothing takes for ever: random mixtures of names,
 * numbers, signs and broken UTF-8; hostile repetition; a line longer than any piece.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "random_cases.h"
#include "scrub.h"
#include "washer.h"

static const char *const fragments[] = {"Dr. ",
                                        "Virginia ",
                                        "Townsend",
                                        ", ",
                                        "\n",
                                        "\n\n",
                                        "RE: ",
                                        "Dear ",
                                        "O'Neill's ",
                                        "02151 ",
                                        "Boston, MA ",
                                        "473-1214 ",
                                        "(304) 255-1423 ",
                                        "3/1/91 ",
                                        "March 1, 1991 ",
                                        "7 year old ",
                                        "MRN: 275-86-12 ",
                                        "x@y.org ",
                                        "http://a.b/c ",
                                        "Foley catheter ",
                                        "20 mg ",
                                        "the patient ",
                                        "\xC3\xA9",
                                        "\xFF",
                                        "\xE2\x80\x99",
                                        "\t",
                                        "   ",
                                        "A",
                                        ".",
                                        "-",
                                        "'",
                                        "\"",
                                        "4111111111111111 ",
                                        "St. John's Hospital ",
                                        "12 Oak Street ",
                                        "WILLIAMS, ",
                                        "DOROTHY ",
                                        "rn/jk ",
                                        "RN/jk\n"};

static size_t mix(char *text, size_t room)
{
    size_t len = 0;
    for (int parts = rand() % 60; parts > 0; parts--) {
        const char *one = fragments[rand() % (sizeof fragments / sizeof fragments[0])];
        size_t more = strlen(one);
        if (len + more + 1 > room)
            break;
        memcpy(text + len, one, more);
        len += more;
        if (rand() % 30 == 0)
            text[len++] = (char)(rand() % 256);
    }
    return len;
}

static void mixtures(void **state)
{
    washer *one = *state;
    char text[4096];
    srand(11);
    for (uint64_t run = 0; run < many_cases(3000); run++) {
        tacit_scrubbed scrubbed;
        size_t used, len = mix(text, sizeof text);
        tacit_scrub_begin(one->reader, run);
        assert_int_equal(tacit_scrub_piece(&scrubbed, &used, one->reader,
                                           (tacit_strview){.bytes = text, .len = len}, true, NULL),
                         TACIT_OK);
        assert_int_equal(used, len);
        assert_true(scrub_replays(&scrubbed, text, len, 0));
    }
}

/* The same document again gives the same bytes. */
static void again(void **state)
{
    washer *one = *state;
    char text[4096], first[16384];
    srand(12);
    for (int run = 0; run < 200; run++) {
        tacit_scrubbed scrubbed;
        size_t used, len = mix(text, sizeof text), kept = 0;
        for (int round = 0; round < 2; round++) {
            tacit_scrub_begin(one->reader, 5);
            assert_int_equal(tacit_scrub_piece(&scrubbed, &used, one->reader,
                                               (tacit_strview){.bytes = text, .len = len}, true,
                                               NULL),
                             TACIT_OK);
            assert_true(scrubbed.text.len <= sizeof first);
            if (round == 0)
                memcpy(first, scrubbed.text.bytes, kept = scrubbed.text.len);
        }
        assert_int_equal(kept, scrubbed.text.len);
        assert_memory_equal(first, scrubbed.text.bytes, kept);
    }
}

static void scrub_repeated(washer *one, const char *fragment, char *text, size_t bytes)
{
    size_t len = strlen(fragment), used;
    tacit_scrubbed scrubbed;
    for (size_t i = 0; i < bytes; i++)
        text[i] = fragment[i % len];
    tacit_scrub_begin(one->reader, 0);
    assert_int_equal(tacit_scrub_piece(&scrubbed, &used, one->reader,
                                       (tacit_strview){.bytes = text, .len = bytes}, true, NULL),
                     TACIT_OK);
    assert_int_equal(used, bytes);
    assert_true(scrub_replays(&scrubbed, text, used, 0));
}

/* Whole pieces of what detectors could stumble over: were one of them quadratic, this would
 * not end. How long each takes is what `make bench-scrub` measures. */
static void hostile(void **state)
{
    static const char *const fragments_of_evil[] = {"a",
                                                    "A",
                                                    "1",
                                                    "1-",
                                                    "1/",
                                                    "A.",
                                                    "\n",
                                                    " ",
                                                    "'",
                                                    "Ann ",
                                                    "Ann, ",
                                                    "Dr. ",
                                                    "new ",
                                                    "new,",
                                                    "@",
                                                    "a@",
                                                    "((((",
                                                    "\xFF",
                                                    "1 ",
                                                    "RE: Ann\n",
                                                    "MA 02151\n",
                                                    "Long-",
                                                    "Virginia Townsend ",
                                                    "255-1423 ext ",
                                                    "http://",
                                                    "1.1.",
                                                    "4111 ",
                                                    "St. ",
                                                    "A/b ",
                                                    "XX00 "};
    static char text[TACIT_SCRUB_PIECE];
    for (size_t i = 0; i < sizeof fragments_of_evil / sizeof fragments_of_evil[0]; i++)
        scrub_repeated(*state, fragments_of_evil[i], text, sizeof text);
}

/* A line of 8 MB, or of a gigabyte in the long tests, through a buffer of one piece. */
static void long_line(void **state)
{
    washer *one = *state;
    static char buffer[TACIT_SCRUB_PIECE];
    uint64_t length = many_cases(1) > 1 ? UINT64_C(1) << 30 : UINT64_C(1) << 23, fed = 0, base = 0;
    size_t held = 0, used;
    tacit_scrub_begin(one->reader, 0);
    while (base < length) {
        tacit_scrubbed scrubbed;
        static const char phrase[] = "Virginia Townsend came on 3/1/91 and ";
        for (; held < sizeof buffer && fed < length; fed++)
            buffer[held++] = phrase[fed % (sizeof phrase - 1)];
        assert_int_equal(tacit_scrub_piece(&scrubbed, &used, one->reader,
                                           (tacit_strview){.bytes = buffer, .len = held},
                                           fed == length, NULL),
                         TACIT_OK);
        assert_true(used > 0 && used <= held && scrub_replays(&scrubbed, buffer, used, base));
        memmove(buffer, buffer + used, held - used);
        held -= used;
        base += used;
    }
    assert_int_equal(held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixtures),
        cmocka_unit_test(again),
        cmocka_unit_test(hostile),
        cmocka_unit_test(long_line),
    };
    return cmocka_run_group_tests(tests, washer_open, washer_close);
}
