/*
 * test_text_rare.c - facts that are left and rare: the girl of Figure 115, counts against
 * plain counting, the same report however documents are dealt to collectors and in whatever
 * order these are merged, bounded or not, whether the words are at hand or read again, and what is
 * no fact: small words and what was replaced.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/rare/rare.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint64_t test_random(uint64_t *seed)
{
    return tacit__mix(++*seed);
}

static tacit_rare *new_rare(size_t facts)
{
    tacit_rare *rare = NULL;
    assert_int_equal(tacit_rare_new(&rare, facts, NULL), TACIT_OK);
    return rare;
}

static void add(tacit_rare *rare, uint64_t document, const char *text)
{
    tacit_scrubbed piece = {.text = tacit_strview_of(text)};
    assert_int_equal(tacit_rare_add(rare, document, &piece, NULL), TACIT_OK);
}

static tacit_rare_report *list(const tacit_rare *rare, uint64_t below, size_t most)
{
    tacit_rare_report *report = NULL;
    tacit_rare_options options = {.below = below, .facts = most, .documents = most};
    assert_int_equal(tacit_rare_list(&report, rare, &options, NULL), TACIT_OK);
    return report;
}

static const tacit_rare_fact *fact_of(const tacit_rare_report *report, const char *words)
{
    for (size_t i = 0; i < report->fact_count; i++)
        if (strcmp(report->facts[i].words, words) == 0)
            return &report->facts[i];
    return NULL;
}

static const char girl[] =
    "At the age of two she was sexually assaulted. At the age of three she set fire to her home. "
    "At the age of four her parents divorced. At the age of five she was placed in foster care "
    "after stabbing her nursery school teacher with scissors.";

/* ---- Figure 115 ---- */

static void test_girl(void **state)
{
    (void)state;
    static const char *const events[] = {"sexually assaulted",   "set fire",   "parents divorced",
                                         "foster care",          "age of two", "nursery school",
                                         "teacher with scissors"};
    tacit_rare *rare = new_rare(0);
    add(rare, 0, girl);
    tacit_rare_report *report = list(rare, 2, 50);
    for (size_t i = 0; i < COUNT(events); i++)
        if (!fact_of(report, events[i]))
            fail_msg("not listed: %s", events[i]);
    assert_int_equal(fact_of(report, "set fire")->kind, TACIT_RARE_EVENT);
    assert_int_equal(report->documents, 1);
    assert_int_equal(report->several, 1);
    assert_true(report->complete);
    assert_true(report->facts[0].bits == 0);
    tacit_rare_report_free(report);
    tacit_rare_free(rare);
}

/* Among two hundred that tell of ordinary things she stands out. */
static void test_girl_in_batch(void **state)
{
    (void)state;
    tacit_rare *rare = new_rare(0);
    for (uint64_t i = 0; i < 200; i++)
        add(rare, i,
            i == 77 ? girl : "Her parents report asthma. She was placed on a diet by the teacher.");
    tacit_rare_report *report = list(rare, 2, 50);
    assert_int_equal(report->alone, 1);
    assert_int_equal(report->max_count, 1);
    assert_int_equal(report->most[0].document, 77);
    const tacit_rare_fact *fact = fact_of(report, "foster care");
    assert_non_null(fact);
    assert_int_equal(fact->document, 77);
    assert_true(fact->bits > 7.6 && fact->bits < 7.7);
    assert_null(fact_of(report, "asthma"));
    tacit_rare_report_free(report);
    tacit_rare_free(rare);
}

/* ---- what is a fact ---- */

static void test_facts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *facts; /* all of them, in the order they appear */
    } cases[] = {
        {"", ""},
        {"the and of a", ""},
        {"Scissors!", "scissors"},
        {"scissors; scissors", "scissors"},
        {"scissors, zygote", "scissors|zygote"},
        {"scissors zygote", "scissors|zygote|scissors zygote"},
        {"scissors\n and the  Zygote", "scissors|zygote|scissors and the zygote"},
        {"scissors and of the zygote", "scissors|zygote"},
        {"scissors 12 zygote", "scissors|zygote"},
        {"set home", "set home"},
        {"age of two weeks", "age of two"},
        {"two scissors", "scissors"},
        {"x12 \xFF\xFE ab", ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char found[256] = "";
        tacit_rare *rare = new_rare(0);
        add(rare, 0, cases[i].text);
        for (size_t j = 0; j < rare->store.count; j++) {
            strcat(found, j ? "|" : "");
            strcat(found, rare->store.entries[j].text);
        }
        assert_string_equal(found, cases[i].facts);
        tacit_rare_free(rare);
    }
}

static void test_holes(void **state)
{
    (void)state;
    const char *text = "zygote scissors orphanage nursery waffle";
    const struct tacit_text_replaced holes[] = {{7, 15}, {26, 26}};
    tacit_scrubbed piece = {
        .text = tacit_strview_of(text), .span_count = COUNT(holes), .replaced = holes};
    tacit_rare *rare = new_rare(0);
    assert_int_equal(tacit_rare_add(rare, 0, &piece, NULL), TACIT_OK);
    assert_int_equal(rare->store.count, 5);
    tacit_rare_report *report = list(rare, 2, 10);
    assert_null(fact_of(report, "scissors"));
    assert_non_null(fact_of(report, "zygote"));
    assert_non_null(fact_of(report, "orphanage"));
    assert_non_null(fact_of(report, "nursery waffle"));
    tacit_rare_report_free(report);
    tacit_rare_free(rare);
}

/* A document of many pieces, and pieces longer than are read at once. */
static void test_pieces(void **state)
{
    (void)state;
    size_t len = 3 * (size_t)TACIT_SCRUB_PIECE;
    char *long_text = malloc(len + 1);
    for (size_t i = 0; i < len; i++)
        long_text[i] = "zygote. "[i % 8];
    long_text[len] = '\0';
    tacit_rare *rare = new_rare(0);
    add(rare, 0, long_text);
    add(rare, 0, "zygote");
    memset(long_text, 'x', len);
    add(rare, 5, long_text);
    tacit_rare_report *report = list(rare, 2, 10);
    assert_int_equal(report->documents, 2);
    assert_int_equal(report->distinct, 1);
    assert_int_equal(fact_of(report, "zygote")->holders, 1);
    tacit_rare_report_free(report);
    tacit_rare_free(rare);
    free(long_text);
}

/* ---- against plain counting ---- */

enum { DOCUMENTS = 60, WORDS = 24, TEXT = 512 };

static const char *const vocabulary[WORDS] = {
    "scissors",    "zygote",     "pancake",  "nursery",     "waffle",    "ambassador",
    "diabetes",    "gymnastics", "daughter", "firefighter", "murdered",  "stabbing",
    "divorced",    "parents",    "trombone", "volcano",     "asthma",    "carpenter",
    "grandmother", "lottery",    "umbrella", "scaffold",    "xylophone", "yodel"};

typedef struct batch {
    char texts[DOCUMENTS][TEXT];
    int words[WORDS];        /* documents that hold it */
    int pairs[WORDS][WORDS]; /* in this order, next to each other */
} batch;

static void write_batch(batch *b, uint64_t *seed)
{
    memset(b, 0, sizeof *b);
    for (int d = 0; d < DOCUMENTS; d++) {
        bool words[WORDS] = {0}, pairs[WORDS][WORDS] = {{0}};
        char *at = b->texts[d];
        int last = -1;
        for (int i = 0; i < 12; i++) {
            int word = (int)(test_random(seed) % WORDS * (test_random(seed) % WORDS) / WORDS);
            bool apart = test_random(seed) % 2;
            at += sprintf(at, "%s%s", apart ? ". " : " ", vocabulary[word]);
            words[word] = true;
            if (!apart && last >= 0)
                pairs[last][word] = true;
            last = word;
        }
        for (int i = 0; i < WORDS; i++) {
            b->words[i] += words[i];
            for (int j = 0; j < WORDS; j++)
                b->pairs[i][j] += pairs[i][j];
        }
    }
}

static int expected_of(const batch *b, const char *text)
{
    char words[2][TEXT] = {"", ""};
    int at[2] = {-1, -1};
    sscanf(text, "%s %s", words[0], words[1]);
    for (int i = 0; i < WORDS; i++)
        for (int k = 0; k < 2; k++)
            if (strcmp(vocabulary[i], words[k]) == 0)
                at[k] = i;
    return at[1] < 0 ? b->words[at[0]] : b->pairs[at[0]][at[1]];
}

static size_t facts_of(const batch *b)
{
    size_t count = 0;
    for (int i = 0; i < WORDS; i++) {
        count += b->words[i] > 0;
        for (int j = 0; j < WORDS; j++)
            count += b->pairs[i][j] > 0;
    }
    return count;
}

static void assert_same(const tacit_rare_report *a, const tacit_rare_report *b)
{
    assert_int_equal(a->documents, b->documents);
    assert_int_equal(a->distinct, b->distinct);
    assert_int_equal(a->rare, b->rare);
    assert_int_equal(a->alone, b->alone);
    assert_int_equal(a->several, b->several);
    assert_int_equal(a->complete, b->complete);
    assert_int_equal(a->fact_count, b->fact_count);
    assert_int_equal(a->max_count, b->max_count);
    for (size_t i = 0; i < a->fact_count; i++) {
        assert_string_equal(a->facts[i].words, b->facts[i].words);
        assert_int_equal(a->facts[i].document, b->facts[i].document);
        assert_int_equal(a->facts[i].holders, b->facts[i].holders);
        assert_true(a->facts[i].score == b->facts[i].score);
    }
    assert_memory_equal(a->most, b->most, a->max_count * sizeof *a->most);
}

/* Documents dealt to so many collectors, these merged in a random order. */
static tacit_rare *dealt(const batch *b, size_t keep, int collectors, uint64_t *seed)
{
    tacit_rare *rare[8];
    for (int i = 0; i < collectors; i++)
        rare[i] = new_rare(keep);
    for (int d = 0; d < DOCUMENTS; d++)
        add(rare[test_random(seed) % (uint64_t)collectors], (uint64_t)d, b->texts[d]);
    for (int left = collectors; left > 1; left--) {
        int from = (int)(test_random(seed) % (uint64_t)left);
        tacit_rare *chosen = rare[from];
        rare[from] = rare[left - 1];
        rare[left - 1] = chosen;
        assert_int_equal(tacit_rare_merge(rare[0] == chosen ? rare[1] : rare[0], chosen, NULL),
                         TACIT_OK);
        tacit_rare_free(chosen);
    }
    return rare[0];
}

static void check_counts(const tacit_rare *rare, const batch *b)
{
    for (size_t i = 0; i < rare->store.count; i++) {
        const tacit__rare_entry *entry = &rare->store.entries[i];
        if (entry->rank >= rare->store.cut)
            assert_int_equal(entry->holders, expected_of(b, entry->text));
    }
}

static void test_counts(void **state)
{
    (void)state;
    static batch b;
    uint64_t seed = 8;
    for (int round = 0; round < 40; round++) {
        write_batch(&b, &seed);
        size_t all = facts_of(&b), keep = round % 2 ? 0 : 1 + test_random(&seed) % all;
        tacit_rare *one = dealt(&b, keep, 1, &seed);
        check_counts(one, &b);
        tacit_rare_report *expected = list(one, 3, 40);
        assert_int_equal(expected->distinct, keep && keep < all ? keep : all);
        assert_int_equal(expected->complete, !keep || keep >= all);
        for (int collectors = 2; collectors <= 8; collectors += 3) {
            tacit_rare *many = dealt(&b, keep, collectors, &seed);
            tacit_rare_report *report = list(many, 3, 40);
            check_counts(many, &b);
            assert_same(expected, report);
            tacit_rare_report_free(report);
            tacit_rare_free(many);
        }
        tacit_rare_report_free(expected);
        tacit_rare_free(one);
    }
}

/* A document's number decides which writing of a fact is shown, not who was first. */
static void test_first_document(void **state)
{
    (void)state;
    tacit_rare *one = new_rare(0), *other = new_rare(0);
    add(one, 9, "scissors and the zygote");
    add(one, 4, "scissors with a zygote");
    add(other, 2, "scissors zygote");
    tacit_rare_report *report = list(one, 9, 9);
    assert_non_null(fact_of(report, "scissors with a zygote"));
    tacit_rare_report_free(report);
    assert_int_equal(tacit_rare_merge(one, other, NULL), TACIT_OK);
    report = list(one, 9, 9);
    assert_int_equal(fact_of(report, "scissors zygote")->holders, 3);
    assert_int_equal(fact_of(report, "scissors zygote")->document, 2);
    tacit_rare_report_free(report);
    tacit_rare_free(one);
    tacit_rare_free(other);
}

/* ---- the words that were read for scrubbing ---- */

static const char *const paragraphs[] = {
    "Dear Dr. Marjorie Long,\n\nthank you for seeing Mr. Frank Graves of Boston, MA 02139. ",
    "He was a carpenter, and his grandmother won the lottery. Call (304) 255-1423. ",
    "The ambassador had asthma; on March 1, 1991 he sold his trombone to Virginia. ",
    "A volcano, an earthquake and a xylophone followed. ",
};

/* Scrubs the text piece by piece, and collects each with its words and without. */
static void collect_both(tacit_rare *with, tacit_rare *without, tacit_scrub_reader *reader,
                         uint64_t number, tacit_strview text)
{
    tacit_scrub_begin(reader, number);
    while (text.len > 0) {
        tacit_scrubbed piece;
        size_t consumed = 0;
        assert_int_equal(tacit_scrub_piece(&piece, &consumed, reader, text, true, NULL), TACIT_OK);
        assert_non_null(piece.words);
        assert_int_equal(tacit_rare_add(with, number, &piece, NULL), TACIT_OK);
        piece.words = NULL;
        assert_int_equal(tacit_rare_add(without, number, &piece, NULL), TACIT_OK);
        text = (tacit_strview){text.bytes + consumed, text.len - consumed};
    }
}

static void test_words_at_hand(void **state)
{
    (void)state;
    enum { LONG = 2 * TACIT_SCRUB_PIECE };
    tacit_scrub_options options;
    tacit_scrubber *scrubber = NULL;
    tacit_scrub_reader *reader = NULL;
    tacit_rare *with = new_rare(0), *without = new_rare(0);
    char *text = malloc(LONG + 256);
    uint64_t seed = 3;
    tacit_scrub_options_init(&options);
    assert_int_equal(tacit_scrubber_new(&scrubber, &options, NULL), TACIT_OK);
    assert_int_equal(tacit_scrub_reader_new(&reader, scrubber, NULL), TACIT_OK);
    for (uint64_t number = 0; number < 8; number++) {
        size_t len = 0, most = number == 5 ? LONG : 300;
        while (len < most)
            len += (size_t)sprintf(text + len, "%s",
                                   paragraphs[test_random(&seed) % COUNT(paragraphs)]);
        collect_both(with, without, reader, number, (tacit_strview){text, len});
    }
    tacit_rare_report *one = list(with, 9, 100), *other = list(without, 9, 100);
    assert_int_equal(one->documents, 8);
    assert_true(one->distinct > 10 && one->fact_count > 3);
    assert_same(one, other);
    tacit_rare_report_free(one);
    tacit_rare_report_free(other);
    tacit_rare_free(with);
    tacit_rare_free(without);
    tacit_scrub_reader_free(reader);
    tacit_scrubber_free(scrubber);
    free(text);
}

/* Whatever the bytes, and wherever holes are. */
static void test_any_bytes(void **state)
{
    (void)state;
    uint64_t seed = 99;
    tacit_rare *rare = new_rare(300);
    for (uint64_t number = 0; number < 2000; number++) {
        char bytes[200];
        struct tacit_text_replaced holes[4];
        uint64_t at = 0;
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] =
                test_random(&seed) % 3 ? "abcde fgh'-.\xC3\xA9"[i % 14] : (char)test_random(&seed);
        for (size_t i = 0; i < COUNT(holes); i++) {
            holes[i].start = at + test_random(&seed) % 30;
            holes[i].end = at = holes[i].start + test_random(&seed) % 20;
        }
        tacit_scrubbed piece = {
            .text = {bytes, sizeof bytes}, .span_count = COUNT(holes), .replaced = holes};
        assert_int_equal(tacit_rare_add(rare, number, &piece, NULL), TACIT_OK);
    }
    tacit_rare_report *report = list(rare, 2, 100);
    assert_int_equal(report->distinct, 300);
    assert_false(report->complete);
    tacit_rare_report_free(report);
    tacit_rare_free(rare);
}

static void test_nothing(void **state)
{
    (void)state;
    tacit_rare *rare = new_rare(0);
    tacit_rare_report *report = list(rare, 2, 10);
    assert_int_equal(report->documents, 0);
    assert_int_equal(report->fact_count, 0);
    tacit_rare_report_free(report);
    tacit_rare_free(rare);
    tacit_rare_free(NULL);
    tacit_rare_report_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_girl),          cmocka_unit_test(test_girl_in_batch),
        cmocka_unit_test(test_facts),         cmocka_unit_test(test_holes),
        cmocka_unit_test(test_pieces),        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_nothing),       cmocka_unit_test(test_first_document),
        cmocka_unit_test(test_words_at_hand), cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
