/*
 * test_engine_scrub_explain.c - what --explain says of proposals, for machines and for people, with
 * and without the words; what beat what; and that it stays linear on hostile proposals.
 */
#include <stdlib.h>

#include "scrub_case.h"

static const char text[] = "Seen by Virginia Lang at Parkinson clinic in 1994.";

static const tacit_text_proposal proposals[] = {
    {8, 21, TACIT_TEXT_FULL_NAME, TACIT_TEXT_FULL_NAME, 93, TACIT_TEXT_WON, "chain", "person"},
    {8, 16, TACIT_TEXT_STATE, TACIT_TEXT_STATE, 61, TACIT_TEXT_OVERRULED, "chain", "place"},
    {17, 21, TACIT_TEXT_LAST_NAME, TACIT_TEXT_LAST_NAME, 95, TACIT_TEXT_OVERRULED, "postings",
     NULL},
    {25, 34, TACIT_TEXT_LAST_NAME, TACIT_TEXT_LAST_NAME, 70, TACIT_TEXT_COUNTERED, "chain",
     "person"},
    {25, 34, TACIT_TEXT_EPONYM, TACIT_TEXT_EPONYM, 90, TACIT_TEXT_WON, "medical", "\"d\""},
    {45, 49, TACIT_TEXT_ZIP, TACIT_TEXT_ZIP, 12, TACIT_TEXT_BELOW, "templates", "dddd"},
    {45, 49, TACIT_TEXT_DATE, TACIT_TEXT_ADDRESS_BLOCK, 80, TACIT_TEXT_WON, "templates", "dddd"},
};

static const tacit_text_strategy strategies[TACIT_TEXT_KINDS];

static engine_scrub_piece piece_of(tacit_scrubbed *scrubbed, unsigned how)
{
    *scrubbed = (tacit_scrubbed){.proposals = proposals,
                                 .proposal_count = sizeof proposals / sizeof proposals[0]};
    return (engine_scrub_piece){.id = tacit_strview_of("\"a b\""),
                                .first = true,
                                .last = true,
                                .text = tacit_strview_of(text),
                                .how = how,
                                .strategy = strategies,
                                .scrubbed = scrubbed};
}

static char *explained(const engine_scrub_piece *piece)
{
    engine_text out = {0};
    engine_scrub_explain(&out, piece);
    assert_int_equal(engine_text_check(&out, NULL), TACIT_OK);
    engine_text_put(&out, "", 1);
    return out.bytes;
}

static void test_people(void **state)
{
    (void)state;
    tacit_scrubbed scrubbed;
    engine_scrub_piece piece = piece_of(&scrubbed, ENGINE_SCRUB_PEOPLE);
    char *lines = explained(&piece);
    assert_string_equal(
        lines, "\"a b\", letter\n"
               "         8-21  name          0.93  chain: person                "
               "WON\n"
               "         8-16  state         0.61  chain: place                 "
               "lost: overruled by name 0.93 of chain at 8-21, which has more constituents\n"
               "        17-21  last_name     0.95  postings                     "
               "lost: overruled by name 0.93 of chain at 8-21, which has more constituents\n"
               "        25-34  last_name     0.70  chain: person                "
               "lost: countered by eponym 0.90 of medical at 25-34, which is not personal\n"
               "        25-34  eponym        0.90  medical: \"d\"                 "
               "WON, left unchanged: not personal\n"
               "        45-49  zip           0.12  templates: dddd              "
               "lost: less likely than the threshold\n"
               "        45-49  date          0.80  templates: dddd              "
               "WON, as part of address_block\n");
    free(lines);
}

static void test_json(void **state)
{
    (void)state;
    tacit_scrubbed scrubbed;
    engine_scrub_piece piece = piece_of(&scrubbed, 0);
    scrubbed.proposal_count = 1;
    char *lines = explained(&piece);
    assert_string_equal(
        lines, "{\"id\":\"a b\",\"start\":8,\"end\":21,\"kind\":\"name\",\"within\":"
               "\"name\",\"likelihood\":0.93,\"detector\":\"chain\",\"rule\":\"person\","
               "\"fate\":\"won\",\"why\":\"likely enough, and nothing stronger is there\"}\n");
    free(lines);
    piece.how = ENGINE_SCRUB_WORDS;
    piece.column = tacit_strview_of("note");
    scrubbed.proposals += 4;
    lines = explained(&piece);
    assert_string_equal(lines,
                        "{\"id\":\"a b\",\"column\":\"note\",\"start\":25,\"end\":34,\"kind\":"
                        "\"eponym\",\"within\":\"eponym\",\"likelihood\":0.90,\"detector\":"
                        "\"medical\",\"rule\":\"\\\"d\\\"\",\"fate\":\"won\",\"why\":\"left "
                        "unchanged: not personal\",\"words\":\"Parkinson\"}\n");
    free(lines);
}

/* No word of the text, unless asked for. */
static void test_words(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 4; how++) {
        tacit_scrubbed scrubbed;
        engine_scrub_piece piece = piece_of(&scrubbed, how);
        char *lines = explained(&piece);
        assert_int_equal(strstr(lines, "Virginia") != NULL, (how & ENGINE_SCRUB_WORDS) != 0);
        free(lines);
    }
}

/* What won and stays, since its kind is kept. */
static void test_kept(void **state)
{
    (void)state;
    static const tacit_text_strategy kept[TACIT_TEXT_KINDS] = {[TACIT_TEXT_FULL_NAME] =
                                                                   TACIT_TEXT_KEEP};
    tacit_scrubbed scrubbed;
    engine_scrub_piece piece = piece_of(&scrubbed, ENGINE_SCRUB_PEOPLE);
    piece.strategy = kept;
    scrubbed.proposal_count = 2;
    char *lines = explained(&piece);
    assert_non_null(strstr(lines, "WON, left unchanged: its kind is kept\n"));
    assert_non_null(strstr(lines, "lost: overruled by name"));
    free(lines);
}

/* A later piece of a document: places count from its start, its name is not told again. */
static void test_later_piece(void **state)
{
    (void)state;
    tacit_scrubbed scrubbed;
    engine_scrub_piece piece = piece_of(&scrubbed, ENGINE_SCRUB_PEOPLE | ENGINE_SCRUB_WORDS);
    piece.first = false;
    piece.offset = 8;
    piece.text = tacit_strview_of(text + 8);
    scrubbed.proposal_count = 1;
    char *lines = explained(&piece);
    assert_null(strstr(lines, "a b"));
    assert_non_null(strstr(lines, "  \"Virginia Lang\"\n"));
    free(lines);
}

/* A hundred thousand proposals that all overlap, each of which lost to the last. */
static void test_hostile(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    tacit_text_proposal *many = calloc(MANY, sizeof *many);
    for (size_t i = 0; i < MANY; i++)
        many[i] = (tacit_text_proposal){.start = i / 1000,
                                        .end = 49,
                                        .kind = TACIT_TEXT_DATE,
                                        .within = TACIT_TEXT_DATE,
                                        .fate = TACIT_TEXT_OVERRULED,
                                        .detector = "chain"};
    many[MANY - 1].fate = TACIT_TEXT_WON;
    tacit_scrubbed scrubbed = {.proposals = many, .proposal_count = MANY};
    engine_scrub_piece piece = {.id = tacit_strview_of("1"),
                                .text = tacit_strview_of(text),
                                .strategy = strategies,
                                .scrubbed = &scrubbed};
    char *lines = explained(&piece);
    assert_non_null(strstr(lines, "overruled by what else was found there"));
    free(lines);
    free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_people),  cmocka_unit_test(test_json),
        cmocka_unit_test(test_words),   cmocka_unit_test(test_later_piece),
        cmocka_unit_test(test_hostile), cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
