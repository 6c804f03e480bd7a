/*
 * test_engine_scrub_page.c - the page and the report of `tacit scrub`: what they hold of the
 * letter of Figure 107 and of the girl of Figure 115, that words which were replaced are not on
 * a page unless asked for, that all is bounded, and that it does not matter which thread had
 * which document.
 */
#include <stdlib.h>

#include "pages.h"
#include "scrub_case.h"

#define HOSTILE "<b onclick=\"x\">& \xFF \x01"

static scrub_case documents[4];

static engine_scrub_gathering *new_gathering(void)
{
    engine_scrub_gathering *gathering = NULL;
    assert_int_equal(engine_scrub_gathering_new(&gathering, NULL), TACIT_OK);
    return gathering;
}

static void gather(engine_scrub_gathering *gathering, const engine_scrub_piece *piece)
{
    assert_int_equal(engine_scrub_gather(gathering, piece, NULL), TACIT_OK);
}

/* Four documents, the first so many of them gathered in this order. */
static engine_scrub_story story_of(const int *order, int count, tacit_scrub_options *options)
{
    static const char *const IDS[] = {"\"letters/1.txt\"", "17", "\"girl\"", "\"<i>\""};
    engine_scrub_story story = {.gathering = new_gathering(), .options = options, .target = "-"};
    scrub_case_of(&documents[0], 0, IDS[0], scrub_case_letter);
    scrub_case_of(&documents[1], 1, IDS[1], "Nothing at all. Her teacher sees asthma.");
    scrub_case_of(&documents[2], 2, IDS[2], scrub_case_girl);
    scrub_case_of(&documents[3], 3, IDS[3],
                  HOSTILE " {last_name 77 O'Neill<u> Kar\"nen>} {ssn 90 1}");
    memset(options, 0, sizeof *options);
    options->threshold = 55;
    options->strategy[TACIT_TEXT_DATE] = TACIT_TEXT_LUMP;
    for (int i = 0; i < count; i++) {
        scrub_case_count(&story.totals, &documents[order[i]]);
        gather(story.gathering, &documents[order[i]].piece);
    }
    return story;
}

static char *page_of(const engine_scrub_story *story)
{
    char *html = NULL;
    assert_int_equal(engine_report_html(&html, &engine_scrub_reports, story, NULL, NULL), TACIT_OK);
    assert_sound(html);
    return html;
}

static char *report_of(const engine_scrub_story *story)
{
    char *json = NULL;
    assert_int_equal(engine_report_json(&json, &engine_scrub_reports, story, NULL, NULL), TACIT_OK);
    return json;
}

static const int in_order[] = {0, 1, 2, 3}, backwards[] = {3, 2, 1, 0};

static void test_page(void **state)
{
    (void)state;
    tacit_scrub_options options;
    engine_scrub_story story = story_of(in_order, 4, &options);
    char *html = page_of(&story);
    assert_has(html, "<dt>touched</dt><dd>2</dd>");
    assert_has(html, "What was found, by kind");
    assert_has(html, "<figcaption>letters/1.txt</figcaption>");
    assert_has(html, "<figcaption>17</figcaption>");
    assert_has(html, "<figcaption>&lt;i&gt;</figcaption>");
    assert_has(html, "<line class=\"marker\" x1=\"50.000%\""); /* 0.55, of eleven groups */
    assert_has(html, "Dear Dr. <mark class=\"mark1\" title=\"last_name, likelihood 0.86: made up\">"
                     "<ins>Jandel</ins><small>last_name 0.86</small></mark>:");
    assert_has(html,
               "<mark class=\"mark4\" title=\"date, likelihood 0.98: lumped\"><ins>05/86</ins>");
    assert_has(html, "<ins class=\"nothing\"></ins>");
    assert_has(html, "De-identified, not anonymous");
    assert_has(html, "<th scope=\"row\">foster care</th><td>event</td>");
    assert_has(html, "Lily Human Insulin");
    assert_int_equal(count_of(html, "<figure class=\"letter\">"), 4);
    tacit_text_free(html);
    engine_scrub_gathering_free(story.gathering);
}

/* What stood there is on the page only where it was asked for; then the page says so. */
static void test_words(void **state)
{
    (void)state;
    static const char *const words[] = {"Marjorie", "Townsend", "Hodgkins",   "473-1214",
                                        "02151",    "34764",    "Gymnastics", "O&#39;Neill"};
    tacit_scrub_options options;
    engine_scrub_story story = story_of(in_order, 4, &options);
    char *html = page_of(&story);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        assert_null(strstr(html, words[i]));
    assert_null(strstr(html, "<del>"));
    assert_null(strstr(html, "class=\"see-old\""));
    tacit_text_free(html);
    story.words = true;
    html = page_of(&story);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        assert_has(html, words[i]);
    assert_has(html, "<del>O&#39;Neill&lt;u&gt;</del><ins>Kar&quot;nen&gt;</ins>");
    assert_has(html, "This page holds the words that were replaced.");
    assert_has(html, "class=\"see-old\"");
    tacit_text_free(html);
    engine_scrub_gathering_free(story.gathering);
}

/* Nothing to replace, and her events are listed. */
static void test_girl(void **state)
{
    (void)state;
    static const int only[] = {2};
    static const char *const events[] = {"sexually assaulted", "set fire", "parents divorced",
                                         "foster care", "age of five"};
    tacit_scrub_options options;
    engine_scrub_story story = story_of(only, 1, &options);
    char *html = page_of(&story), *json = report_of(&story);
    assert_null(strstr(html, "What was found"));
    assert_has(html, "<dt>replaced</dt><dd>0</dd>");
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        assert_has(html, events[i]);
        assert_has(json, events[i]);
    }
    assert_has(json, "\"anonymous\": false");
    tacit_text_free(html);
    tacit_text_free(json);
    engine_scrub_gathering_free(story.gathering);
}

static void test_nothing(void **state)
{
    (void)state;
    tacit_scrub_options options;
    engine_scrub_story story = story_of(NULL, 0, &options);
    char *html = page_of(&story), *json = report_of(&story);
    assert_has(html, "<dt>documents</dt><dd>0</dd>");
    tacit_text_free(html);
    tacit_text_free(json);
    engine_scrub_gathering_free(story.gathering);
    story.gathering = NULL;
    html = page_of(&story);
    json = report_of(&story);
    tacit_text_free(html);
    tacit_text_free(json);
}

/* ---- many documents, long documents ---- */

static void test_order(void **state)
{
    (void)state;
    tacit_scrub_options options;
    engine_scrub_story one = story_of(in_order, 4, &options);
    engine_scrub_story other = story_of(backwards, 2, &options);
    engine_scrub_story rest = story_of(backwards + 2, 2, &options);
    other.totals = one.totals;
    one.words = other.words = true;
    assert_int_equal(engine_scrub_gathering_merge(other.gathering, rest.gathering, NULL), TACIT_OK);
    char *html = page_of(&one), *json = report_of(&one);
    char *same_html = page_of(&other), *same_json = report_of(&other);
    assert_string_equal(html, same_html);
    assert_string_equal(json, same_json);
    tacit_text_free(html);
    tacit_text_free(json);
    tacit_text_free(same_html);
    tacit_text_free(same_json);
    engine_scrub_gathering_free(one.gathering);
    engine_scrub_gathering_free(other.gathering);
    engine_scrub_gathering_free(rest.gathering);
}

static void test_many(void **state)
{
    (void)state;
    tacit_scrub_options options;
    engine_scrub_story story = story_of(NULL, 0, &options);
    for (uint64_t i = 0; i < 70; i++) {
        char id[16];
        snprintf(id, sizeof id, "\"file%d\"", (int)i);
        scrub_case_of(&documents[0], i, id, "Seen by {last_name 90 Lang Jandel}.");
        scrub_case_count(&story.totals, &documents[0]);
        gather(story.gathering, &documents[0].piece);
    }
    char *html = page_of(&story);
    assert_has(html, "The first 50 documents; 20 more are not shown.");
    assert_has(html, "file49");
    assert_null(strstr(html, "file50"));
    tacit_text_free(html);
    engine_scrub_gathering_free(story.gathering);
}

/* In pieces, and cut between characters. */
static void test_long(void **state)
{
    (void)state;
    tacit_scrub_options options;
    engine_scrub_story story = story_of(NULL, 0, &options);
    char *text = malloc(20000);
    size_t len = 1;
    text[0] = 'x';
    for (; len < 19000; len += 2)
        memcpy(text + len, "\xC3\xA9", 3);
    const engine_scrub_piece *piece = scrub_case_of(&documents[0], 0, "1", text);
    for (int i = 0; i < 3; i++) {
        documents[0].piece.first = i == 0;
        gather(story.gathering, piece);
    }
    story.totals.documents = 1;
    char *html = page_of(&story);
    assert_has(html, "bytes that are not shown");
    assert_null(strstr(html, "\xEF\xBF\xBD"));
    assert_true(strlen(html) < 50000);
    assert_int_equal(story.gathering->shown[0].left_out + story.gathering->shown[0].bytes.len,
                     3 * len);
    free(text);
    tacit_text_free(html);
    engine_scrub_gathering_free(story.gathering);
}

/* A span of a later piece: spans count from the document's start, replacements do not. */
static void test_pieces(void **state)
{
    (void)state;
    tacit_scrub_options options;
    engine_scrub_story story = story_of(NULL, 0, &options);
    scrub_case_of(&documents[0], 0, "1", "One {zip 99 02139 x}. ");
    gather(story.gathering, &documents[0].piece);
    uint64_t offset = documents[0].before_len;
    scrub_case_of(&documents[1], 0, "1", "Two {zip 99 02140 y}.");
    documents[1].piece.first = false;
    documents[1].piece.offset = offset;
    documents[1].spans[0].start += offset;
    documents[1].spans[0].end += offset;
    gather(story.gathering, &documents[1].piece);
    story.totals.documents = 1;
    story.words = true;
    char *html = page_of(&story);
    assert_has(html, "<del>02139</del><ins>x</ins>");
    assert_has(html, ". Two <mark");
    assert_has(html, "<del>02140</del><ins>y</ins>");
    tacit_text_free(html);
    engine_scrub_gathering_free(story.gathering);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page),   cmocka_unit_test(test_words),   cmocka_unit_test(test_girl),
        cmocka_unit_test(test_order),  cmocka_unit_test(test_many),    cmocka_unit_test(test_long),
        cmocka_unit_test(test_pieces), cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
