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

/* What became of some documents. */
enum { SOME = 20, LONG = 40000 };

typedef struct batch {
    tacit_strview texts[SOME];
    char *out[SOME];
    size_t len[SOME], spans[SOME];
} batch;

/* Documents of all lengths, empty and longer than what is read ahead among them. */
static void mix_batch(batch *some)
{
    for (size_t i = 0; i < SOME; i++) {
        char *text = malloc(LONG);
        size_t len = mix(text, 4096);
        for (size_t at = len; i % 8 == 5 && len > 0 && at < LONG; at++, len++)
            text[at] = text[at - 64 * (at >= 64)];
        some->texts[i] = (tacit_strview){.bytes = text, .len = i % 7 == 3 ? 0 : len};
        some->out[i] = malloc(4 * LONG);
    }
}

static void free_batch(batch *some)
{
    for (size_t i = 0; i < SOME; i++) {
        free((char *)some->texts[i].bytes);
        free(some->out[i]);
    }
}

/* Scrubs the document and keeps what it became, or compares with that. */
static void scrub_of_batch(washer *one, batch *some, size_t i, bool compare)
{
    tacit_scrubbed scrubbed;
    size_t used;
    tacit_scrub_begin(one->reader, i);
    assert_int_equal(tacit_scrub_piece(&scrubbed, &used, one->reader, some->texts[i], true, NULL),
                     TACIT_OK);
    assert_int_equal(used, some->texts[i].len);
    assert_true(scrub_replays(&scrubbed, some->texts[i].bytes, used, 0));
    if (compare) {
        assert_int_equal(scrubbed.text.len, some->len[i]);
        assert_int_equal(scrubbed.span_count, some->spans[i]);
        assert_true(used == 0 || !memcmp(scrubbed.text.bytes, some->out[i], some->len[i]));
        return;
    }
    some->len[i] = scrubbed.text.len;
    some->spans[i] = scrubbed.span_count;
    assert_true(scrubbed.text.len <= 4 * LONG);
    if (scrubbed.text.len > 0)
        memcpy(some->out[i], scrubbed.text.bytes, scrubbed.text.len);
}

/* Reading documents ahead changes nothing, whichever of them are scrubbed then. */
static void ahead(void **state)
{
    washer *one = *state;
    srand(13);
    for (uint64_t run = 0; run < many_cases(30); run++) {
        batch some;
        mix_batch(&some);
        for (size_t i = 0; i < SOME; i++)
            scrub_of_batch(one, &some, i, false);
        for (size_t i = 0, taken = 0, from = 0; i < SOME; i++) {
            if (i >= from + taken) {
                from = i;
                assert_int_equal(
                    tacit_scrub_ahead(&taken, one->reader, some.texts + i, SOME - i, NULL),
                    TACIT_OK);
                assert_true(taken <= SOME - i);
            }
            if (run % 3 == 0 || some.texts[i].len > 0) /* nobody needs to scrub nothing */
                scrub_of_batch(one, &some, i, true);
            if (run % 3 == 2 && rand() % 4 == 0)
                scrub_of_batch(one, &some, (size_t)rand() % SOME, true);
        }
        free_batch(&some);
    }
}

/* What is elsewhere when its turn comes is not what was read. */
static void ahead_of_others(void **state)
{
    washer *one = *state;
    char text[2][64] = {"Dear Virginia Townsend,", "no one is here at all.."};
    tacit_strview texts[2] = {tacit_strview_of(text[0]), tacit_strview_of(text[1])};
    tacit_scrubbed scrubbed;
    size_t taken, used;
    assert_int_equal(tacit_scrub_ahead(&taken, one->reader, texts, 2, NULL), TACIT_OK);
    assert_int_equal(taken, 2);
    char other[] = "Dear Philippa Ostrander,";
    tacit_scrub_begin(one->reader, 0);
    tacit_scrub_piece(&scrubbed, &used, one->reader, tacit_strview_of(other), true, NULL);
    strcpy(text[1], text[0]);
    tacit_scrub_begin(one->reader, 1);
    tacit_scrub_piece(&scrubbed, &used, one->reader, tacit_strview_of(text[1]), true, NULL);
    assert_true(scrubbed.span_count > 0);
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

/* What cannot win is proposed only where somebody is told of it; what is found is the same. */
static void told_or_not(void **state)
{
    (void)state;
    char text[4096];
    srand(14);
    for (int threshold = 0; threshold <= 100; threshold += 20) {
        washer pair[2] = {0};
        for (int told = 0; told < 2; told++) {
            tacit_scrub_options options;
            tacit_scrub_options_init(&options);
            options.accept_unread = true;
            options.threshold = threshold;
            options.explain = told;
            assert_int_equal(tacit_scrubber_new(&pair[told].scrubber, &options, NULL), TACIT_OK);
            assert_int_equal(tacit_scrub_reader_new(&pair[told].reader, pair[told].scrubber, NULL),
                             TACIT_OK);
        }
        for (uint64_t run = 0; run < many_cases(150); run++) {
            tacit_scrubbed *one = &pair[0].scrubbed, *other = &pair[1].scrubbed;
            size_t used, len = mix(text, sizeof text);
            for (int told = 0; told < 2; told++) {
                tacit_scrub_begin(pair[told].reader, run);
                assert_int_equal(tacit_scrub_piece(&pair[told].scrubbed, &used, pair[told].reader,
                                                   (tacit_strview){.bytes = text, .len = len}, true,
                                                   NULL),
                                 TACIT_OK);
            }
            assert_int_equal(one->span_count, other->span_count);
            assert_memory_equal(one->spans, other->spans, one->span_count * sizeof *one->spans);
            assert_int_equal(one->text.len, other->text.len);
            assert_memory_equal(one->text.bytes, other->text.bytes, one->text.len);
        }
        for (int told = 0; told < 2; told++) {
            void *at = &pair[told];
            washer_close(&at);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixtures),        cmocka_unit_test(again),   cmocka_unit_test(ahead),
        cmocka_unit_test(ahead_of_others), cmocka_unit_test(hostile), cmocka_unit_test(long_line),
        cmocka_unit_test(told_or_not),
    };
    return cmocka_run_group_tests(tests, washer_open, washer_close);
}
