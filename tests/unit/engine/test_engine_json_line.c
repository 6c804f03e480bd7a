/*
 * test_engine_json_line.c - lines of JSON as they are written: what is accepted is what jansson
 * accepts, and replacing parts of a string gives, once both are read, what replacing parts of
 * its text gives; every other byte stays.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/text/json_line.h"
#include "engine/text/wrapping.h"
#include "random_cases.h"

static uint64_t draw(uint64_t *random, uint64_t below)
{
    *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (*random >> 33) % below;
}

static void test_fields(void **state)
{
    (void)state;
    static const struct {
        const char *line, *text, *id;
    } CASES[] = {
        {"{\"id\":7,\"text\":\"a\"}\n", "\"a\"", "7"},
        {" {\"t\\u0065xt\" : \"a\\n\" , \"x\":{\"text\":1} }\r\n", "\"a\\n\"", NULL},
        {"{\"id\":{\"a\":[1,{}]},\"text\":null}", "null", "{\"a\":[1,{}]}"},
        {"{\"ids\":1,\"tex\":2}", NULL, NULL},
        {"{}", NULL, NULL},
        {"{\"text\":-1.5e+7,\"id\":\"\"}", "-1.5e+7", "\"\""},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        engine_json_field fields[] = {{"text", {0}}, {"id", {0}}};
        assert_int_equal(engine_json_line(fields, 2, tacit_strview_of(CASES[i].line), NULL),
                         TACIT_OK);
        const char *expected[] = {CASES[i].text, CASES[i].id};
        for (int f = 0; f < 2; f++) {
            assert_int_equal(fields[f].value.bytes != NULL, expected[f] != NULL);
            if (expected[f])
                assert_true(tacit_strview_equal(fields[f].value, tacit_strview_of(expected[f])));
        }
    }
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int64_t column;
    } CASES[] = {
        {"", 1},
        {"  x", 3},
        {"[1]", 1},
        {"{\"a\":1", 7},
        {"{\"a\":1}}", 8},
        {"{\"a\" 1}", 6},
        {"{a:1}", 2},
        {"{\"a\":1,}", 8},
        {"{\"a\":\"b}", 6},
        {"{\"a\":\"\\q\"}", 7},
        {"{\"a\":\"\\u00g0\"}", 7},
        {"{\"a\":\"\t\"}", 7},
        {"{\"a\":01}", 7},
        {"{\"a\":1.}", 6},
        {"{\"a\":[1 2]}", 9},
        {"{\"a\":[1}}", 8},
        {"{\"text\":\"a\",\"t\\u0065xt\":\"b\"}", 25},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        engine_json_field field = {"text", {0}};
        tacit_error err = {0};
        assert_int_equal(engine_json_line(&field, 1, tacit_strview_of(CASES[i].line), &err),
                         TACIT_PARSE);
        if (err.column != CASES[i].column)
            fail_msg("%s: column %lld, not %lld", CASES[i].line, (long long)err.column,
                     (long long)CASES[i].column);
    }
}

static void test_depth(void **state)
{
    (void)state;
    enum { DEEP = 100000 };
    static char line[2 * DEEP + 16];
    for (int depth = 510; depth <= DEEP; depth = depth == 510 ? 513 : DEEP + (depth == DEEP)) {
        size_t len = (size_t)sprintf(line, "{\"a\":");
        memset(line + len, '[', (size_t)depth);
        memset(line + len + depth, ']', (size_t)depth);
        strcpy(line + len + 2 * (size_t)depth, "}");
        tacit_status status = engine_json_line(NULL, 0, tacit_strview_of(line), NULL);
        assert_int_equal(status, depth == 510 ? TACIT_OK : TACIT_PARSE);
    }
}

/* A line that is JSON more often than not. */
static size_t draw_value(char *out, uint64_t *random, int depth)
{
    static const char *const SCALARS[] = {"0",     "-1.5e3", "true",         "false",
                                          "null",  "\"\"",   "\"a\\u0041\"", "10",
                                          "\"x\"", "1E-2",   "\" \"",        "\"\\\\\""};
    size_t len = 0;
    uint64_t kind = draw(random, depth > 3 ? 1 : 3);
    if (kind == 0)
        return (size_t)sprintf(out, "%s", SCALARS[draw(random, 12)]);
    out[len++] = kind == 1 ? '{' : '[';
    for (uint64_t i = 0, count = draw(random, 4); i < count; i++) {
        len += (size_t)sprintf(out + len, "%s%s", i ? "," : "", draw(random, 4) ? "" : " ");
        if (kind == 1)
            len += (size_t)sprintf(out + len, "\"k%d\":", (int)i);
        len += draw_value(out + len, random, depth + 1);
    }
    out[len++] = kind == 1 ? '}' : ']';
    out[len] = '\0';
    return len;
}

static void test_as_jansson(void **state)
{
    uint64_t *seed = *state;
    static const char BYTES[] = "{}[]\",:0123.eE+-truefalsn\\u \t";
    static char line[1 << 16];
    for (*seed = 1; *seed <= many_cases(20000); ++*seed) {
        uint64_t random = *seed;
        size_t len = draw_value(line, &random, 0);
        for (uint64_t i = draw(&random, 3); i > 0; i--)
            line[draw(&random, len)] = BYTES[draw(&random, sizeof BYTES - 1)];
        json_t *value = json_loadb(line, len, JSON_ALLOW_NUL, NULL);
        bool expected = json_is_object(value);
        json_decref(value);
        tacit_status status = engine_json_line(NULL, 0, (tacit_strview){line, len}, NULL);
        if ((status == TACIT_OK) != expected)
            fail_msg("%.*s: jansson says %s", (int)len, line, expected ? "yes" : "no");
    }
    *seed = 0;
}

/* ---- replacing ---- */

static size_t draw_string(char *out, uint64_t *random)
{
    static const char *const PARTS[] = {"a",
                                        "bc",
                                        "\\n",
                                        "\\\"",
                                        "\\\\",
                                        "\\/",
                                        "\\u0041",
                                        "\\u00e9",
                                        "\xC3\xA9",
                                        " ",
                                        "\\u20AC",
                                        "\\ud83d\\ude00",
                                        "\xF0\x9F\x98\x80",
                                        "\\t",
                                        "plain text"};
    size_t len = 0;
    for (uint64_t i = draw(random, 12); i > 0; i--)
        len += (size_t)sprintf(out + len, "%s", PARTS[draw(random, 15)]);
    out[len] = '\0';
    return len;
}

static tacit_strview read_json(json_t **holder, const char *bytes, size_t len)
{
    char quoted[4096];
    int size = snprintf(quoted, sizeof quoted, "\"%.*s\"", (int)len, bytes);
    *holder = json_loadb(quoted, (size_t)size, JSON_DECODE_ANY, NULL);
    assert_non_null(*holder);
    return (tacit_strview){json_string_value(*holder), json_string_length(*holder)};
}

static size_t next_place(tacit_strview text, size_t at)
{
    return at < text.len ? at + engine_utf8_step(text.bytes + at, text.len - at) : at;
}

static void test_splice(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(5000); ++*seed) {
        uint64_t random = *seed;
        char raw[512], expected[2048];
        size_t raw_len = draw_string(raw, &random), expected_len = 0;
        engine_text out = {0}, buffer = {0};
        json_t *before, *after;
        tacit_strview text = read_json(&before, raw, raw_len);
        assert_true(tacit_strview_equal(
            text, engine_unwrap(&buffer, &engine_json_string, (tacit_strview){raw, raw_len})));
        engine_splice splice =
            engine_splice_of(&engine_json_string, &out, (tacit_strview){raw, raw_len});
        for (size_t at = 0; at < text.len;) {
            size_t end = next_place(text, at);
            if (draw(&random, 3)) {
                memcpy(expected + expected_len, text.bytes + at, end - at);
                expected_len += end - at;
            } else {
                end = draw(&random, 2) ? next_place(text, end) : end;
                engine_splice_put(&splice, at, end, tacit_strview_of("<\"\n\xC3\xA9>"));
                expected_len += (size_t)sprintf(expected + expected_len, "<\"\n\xC3\xA9>");
            }
            at = end;
        }
        engine_splice_end(&splice);
        tacit_strview found = read_json(&after, out.bytes, out.len);
        assert_true(tacit_strview_equal(found, (tacit_strview){expected, expected_len}));
        json_decref(before);
        json_decref(after);
        engine_text_clear(&out);
        engine_text_clear(&buffer);
    }
    *seed = 0;
}

static void test_bytes_stay(void **state)
{
    (void)state;
    const char *raw = "\\u0041 Long \\/ \\ud800 \\\" Long\\u000a";
    engine_text out = {0}, buffer = {0};
    tacit_strview text = engine_unwrap(&buffer, &engine_json_string, tacit_strview_of(raw));
    engine_splice splice = engine_splice_of(&engine_json_string, &out, tacit_strview_of(raw));
    assert_memory_equal(text.bytes, "A Long / \xED\xA0\x80 \" Long\n", text.len);
    engine_splice_put(&splice, 2, 6, tacit_strview_of("X"));
    engine_splice_put(&splice, 15, 19, tacit_strview_of(""));
    engine_splice_end(&splice);
    engine_text_put(&out, "", 1);
    assert_string_equal(out.bytes, "\\u0041 X \\/ \\ud800 \\\" \\u000a");
    engine_text_clear(&out);
    engine_text_clear(&buffer);
}

static void test_cells(void **state)
{
    (void)state;
    const char *raw = "said \"\"hi\"\" to Long";
    engine_text out = {0}, buffer = {0};
    tacit_strview text = engine_unwrap(&buffer, &engine_quoted_cell, tacit_strview_of(raw));
    engine_splice splice = engine_splice_of(&engine_quoted_cell, &out, tacit_strview_of(raw));
    assert_true(tacit_strview_equal(text, tacit_strview_of("said \"hi\" to Long")));
    engine_splice_put(&splice, 13, 17, tacit_strview_of("\"X\", Y"));
    engine_splice_end(&splice);
    engine_text_put(&out, "", 1);
    assert_string_equal(out.bytes, "said \"\"hi\"\" to \"\"X\"\", Y");
    engine_text_clear(&out);
    engine_text_clear(&buffer);
}

static void test_text(void **state)
{
    (void)state;
    engine_text text = {0};
    engine_text_json(&text, (tacit_strview){"a\"\\\n\x01\xFF\xC3\xA9\0z", 10});
    engine_text_print(&text, "%d", 7);
    engine_text_number(&text, 0);
    engine_text_number(&text, UINT64_MAX);
    engine_text_put(&text, "", 1);
    assert_string_equal(
        text.bytes, "\"a\\\"\\\\\\n\\u0001\xEF\xBF\xBD\xC3\xA9\\u0000z\"7018446744073709551615");
    assert_int_equal(engine_text_check(&text, NULL), TACIT_OK);
    assert_int_equal(engine_text_reserve(&text, SIZE_MAX - 10, NULL), TACIT_NOMEM);
    engine_text_put(&text, "more", 4);
    assert_int_equal(engine_text_check(&text, NULL), TACIT_NOMEM);
    engine_text_clear(&text);
    static const struct {
        const char *bytes;
        size_t len, step;
    } CASES[] = {{"a", 1, 1},
                 {"\xC3\xA9", 2, 2},
                 {"\xC3", 1, 0},
                 {"\xC0\x80", 2, 0},
                 {"\xE2\x82\xAC", 3, 3},
                 {"\xE0\x80\x80", 3, 0},
                 {"\xED\xA0\x80", 3, 0},
                 {"\xF0\x9F\x98\x80", 4, 4},
                 {"\xF4\x90\x80\x80", 4, 0},
                 {"\x80", 1, 0},
                 {"\xF5\x80\x80\x80", 4, 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        assert_int_equal(engine_utf8_step(CASES[i].bytes, CASES[i].len), CASES[i].step);
}

/* How many bytes stand for themselves, of texts of every length with two others anywhere. */
static void test_plain(void **state)
{
    (void)state;
    static const unsigned char others[] = {0, '\n', 0x1F, '"', '\\', 0x80, 0xFF};
    enum { LONGEST = 27 };
    for (size_t len = 0; len <= LONGEST; len++)
        for (size_t first = 0; first <= len; first++)
            for (size_t kind = 0; kind < sizeof others; kind++) {
                char *text = malloc(len + 1); /* its own, so that reading beyond is found */
                memset(text, first % 2 ? ' ' : 0x7F, len + 1);
                if (first < len)
                    text[first] = (char)others[kind];
                if (first + kind < len)
                    text[first + kind] = (char)others[(kind + 3) % sizeof others];
                text = realloc(text, len ? len : 1);
                assert_int_equal(engine_json_plain(text, len), first);
                free(text);
            }
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),   cmocka_unit_test(test_errors),
        cmocka_unit_test(test_depth),    random_test(test_as_jansson, &seed),
        random_test(test_splice, &seed), cmocka_unit_test(test_bytes_stay),
        cmocka_unit_test(test_cells),    cmocka_unit_test(test_text),
        cmocka_unit_test(test_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
