/*
 * test_engine_feed.c - rows cut from a file, whatever its length and however much is read at once:
 * put together they are the file, each ends where a row does, and lines and rows are counted.
 * What is no text is refused. And what --known says of people.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/text/feed.h"
#include "engine/text/known.h"

static char path[] = "/tmp/tacit-feed-XXXXXX";
static engine_session session = {.limit = 1e9};

static int make_path(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 || close(fd) != 0;
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

static void write_file(const char *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    fclose(file);
}

/* Takes all rows; returns how many takes that were. */
static int take_all(const char *bytes, size_t len, engine_cut cut, size_t want, int64_t lines,
                    int64_t rows)
{
    engine_feed feed = {0};
    engine_text part = {0}, all = {0};
    int count = 0;
    write_file(bytes, len);
    assert_int_equal(engine_feed_open(&feed, path, NULL), TACIT_OK);
    do {
        assert_int_equal(engine_feed_rows(&part, &feed, cut, want, 1 << 20, &session, NULL),
                         TACIT_OK);
        assert_true(part.len > 0 || feed.ended);
        if (!feed.ended)
            assert_int_equal(part.bytes[part.len - 1], '\n');
        engine_text_put(&all, part.bytes, part.len);
        count++;
    } while (!feed.ended || feed.rest.len > 0);
    assert_int_equal(all.len, len);
    if (len > 0)
        assert_memory_equal(all.bytes, bytes, len);
    assert_int_equal(feed.line, lines + 1);
    assert_int_equal(feed.row, rows + 1);
    engine_feed_close(&feed);
    engine_text_clear(&part);
    engine_text_clear(&all);
    return count;
}

static void test_rows(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        engine_cut cut;
        int64_t lines, rows;
    } CASES[] = {
        {"", ENGINE_CUT_LINES, 0, 0},
        {"\n", ENGINE_CUT_LINES, 1, 1},
        {"a\nbb\n\nccc", ENGINE_CUT_LINES, 4, 4},
        {"a line that is longer than what is wanted\nb\n", ENGINE_CUT_LINES, 2, 2},
        {"", ENGINE_CUT_CSV, 0, 0},
        {"a,b\r\n1,\"x\ny\"\n3,\"\"\"\n\"\"\"\n4,5", ENGINE_CUT_CSV, 6, 4},
        {"\"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\"\n", ENGINE_CUT_CSV, 15, 1},
        {"\"never closed\n\n", ENGINE_CUT_CSV, 3, 1},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        for (size_t want = 1; want < 64; want = want * 2 + 1)
            take_all(CASES[i].bytes, strlen(CASES[i].bytes), CASES[i].cut, want, CASES[i].lines,
                     CASES[i].rows);
    assert_true(take_all("a\nb\nc\nd\n", 8, ENGINE_CUT_LINES, 2, 4, 4) >= 4);
}

static void test_too_long(void **state)
{
    (void)state;
    enum { LONG = 1 << 21 };
    engine_feed feed = {0};
    engine_text part = {0};
    tacit_error err = {0};
    char *bytes = malloc(LONG);
    memset(bytes, 'x', LONG);
    memcpy(bytes, "a\nb\n", 4);
    write_file(bytes, LONG);
    assert_int_equal(engine_feed_open(&feed, path, NULL), TACIT_OK);
    assert_int_equal(engine_feed_rows(&part, &feed, ENGINE_CUT_LINES, 4, 1 << 20, &session, &err),
                     TACIT_OK);
    assert_int_equal(part.len, 4);
    assert_int_equal(engine_feed_rows(&part, &feed, ENGINE_CUT_LINES, 4, 1 << 20, &session, &err),
                     TACIT_LIMIT);
    assert_int_equal(err.line, 3);
    engine_feed_close(&feed);
    engine_text_clear(&part);
    free(bytes);
}

static tacit_status look(const char *bytes, size_t len)
{
    engine_feed feed = {0};
    engine_text text = {0};
    write_file(bytes, len);
    assert_int_equal(engine_feed_open(&feed, path, NULL), TACIT_OK);
    tacit_status status = engine_feed_fill(&text, 1 << 20, &feed, &session, NULL);
    engine_feed_close(&feed);
    engine_text_clear(&text);
    return status;
}

/* Of a literal, NUL bytes and all. */
#define look_at(literal) look(literal, sizeof(literal) - 1)

static void test_what_is_text(void **state)
{
    (void)state;
    assert_int_equal(look_at(""), TACIT_OK);
    assert_int_equal(look_at("na\xC3\xAFve text\r\n\f"), TACIT_OK);
    assert_int_equal(look_at("one stray \0 byte and one \xFF in a longer line of text"), TACIT_OK);
    assert_int_equal(look_at("d\xE9j\xE0 vu in Latin-1, of which there is not too much"), TACIT_OK);
    assert_int_equal(look_at("\xFF\xFEh\0i\0"), TACIT_PARSE);
    assert_int_equal(look_at("\xFE\xFF\0h\0i"), TACIT_PARSE);
    assert_int_equal(look_at("h\0i\0 \0t\0"), TACIT_PARSE);
    assert_int_equal(look("\x7F"
                          "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0",
                          16),
                     TACIT_PARSE);
    assert_int_equal(look_at("\xC0\xEB\xE5\xEA\xF1\xE5\xE9"), TACIT_PARSE); /* in CP1251 */
}

static void test_missing_file(void **state)
{
    (void)state;
    engine_feed feed = {0};
    tacit_error err = {0};
    assert_int_equal(engine_feed_open(&feed, "/nowhere/at/all", &err), TACIT_IO);
    assert_non_null(strstr(err.message, "No such file"));
    assert_int_equal(engine_feed_open(&feed, "/tmp", NULL), TACIT_OK);
    engine_text text = {0};
    assert_int_equal(engine_feed_fill(&text, 10, &feed, &session, NULL), TACIT_IO);
    engine_feed_close(&feed);
    engine_text_clear(&text);
}

/* ---- --known ---- */

static tacit_status read_known(engine_known *known, const char *csv, const char *columns)
{
    write_file(csv, strlen(csv));
    session.error = (tacit_error){0};
    return engine_known_read(known, path, columns, &session);
}

static void assert_known(const engine_known *known, size_t i, tacit_text_kind kind,
                         const char *value)
{
    assert_true(i < known->count);
    assert_int_equal(known->kinds[i], kind);
    assert_true(tacit_strview_equal(known->values[i], tacit_strview_of(value)));
}

static void test_known(void **state)
{
    (void)state;
    engine_known known = {0};
    assert_int_equal(read_known(&known,
                                "First Name,LAST_NAME,middle,e-mail,MRN\n"
                                "Virginia,Weston,P.,v@x.org,17\nMary,,,v@x.org,\n,,,,\n",
                                NULL),
                     TACIT_OK);
    assert_int_equal(known.count, 4);
    assert_known(&known, 0, TACIT_TEXT_FULL_NAME, "Virginia P. Weston");
    assert_known(&known, 1, TACIT_TEXT_FULL_NAME, "Mary");
    assert_known(&known, 2, TACIT_TEXT_EMAIL, "v@x.org");
    assert_known(&known, 3, TACIT_TEXT_REFERENCE, "17");
    engine_known_clear(&known);
    assert_int_equal(read_known(&known, "a;b;last\n1;2;Long\n", "a=phone,b=skip"), TACIT_OK);
    assert_int_equal(known.count, 2);
    assert_known(&known, 0, TACIT_TEXT_PHONE, "1");
    assert_known(&known, 1, TACIT_TEXT_LAST_NAME, "Long");
    engine_known_clear(&known);
}

static void test_known_refused(void **state)
{
    (void)state;
    static const struct {
        const char *csv, *columns, *says;
    } CASES[] = {
        {"name,weight\nx,1\n", NULL, "what does column \"weight\" hold?"},
        {"name,weight\nx,1\n", "weight", "NAME=KIND"},
        {"name,weight\nx,1\n", "weight=heavy", "no kind \"heavy\""},
        {"name,weight\nx,1\n", "weight=measurement", "no kind \"measurement\""},
        {"name,weight\nx,1\n", "height=phone", "has no \"height\""},
        {"name\nx,1\n", NULL, "field"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        engine_known known = {0};
        assert_int_not_equal(read_known(&known, CASES[i].csv, CASES[i].columns), TACIT_OK);
        if (!strstr(session.error.message, CASES[i].says))
            fail_msg("\"%s\" does not say \"%s\"", session.error.message, CASES[i].says);
        engine_known_clear(&known);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),         cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_what_is_text), cmocka_unit_test(test_missing_file),
        cmocka_unit_test(test_known),        cmocka_unit_test(test_known_refused),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
