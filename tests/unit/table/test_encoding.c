/*
 * test_encoding.c - text that is not UTF-8: what each byte means by the C library's iconv, what is
 * found in bytes and what is refused, and tables that are read from them, with places in messages
 * as in the file.
 */
#include <iconv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "encoding_case.h"
#include "random_cases.h"

/* The same text as UTF-8, by another's hand; its length, or -1 where the bytes mean nothing. */
static int by_iconv(char *out, size_t size, const char *from, tacit_strview bytes)
{
    iconv_t way = iconv_open("UTF-8", from);
    if (way == (iconv_t)-1)
        skip(); /* this C library does not know the encoding */
    char *in = (char *)bytes.bytes, *at = out;
    size_t left = bytes.len, room = size;
    bool done = iconv(way, &in, &left, &at, &room) != (size_t)-1 && left == 0;
    iconv_close(way);
    return done ? (int)(at - out) : -1;
}

static void assert_same(tacit_encoding encoding, const char *name, tacit_strview bytes)
{
    char due[1024];
    tacit__strbuf text = {0};
    int len = by_iconv(due, sizeof due, name, bytes);
    tacit_status status = tacit__encoding_decode(&text, bytes, encoding, "f", NULL);
    assert_int_equal(status, len < 0 ? TACIT_PARSE : TACIT_OK);
    if (len >= 0) {
        assert_int_equal(text.len, len);
        assert_memory_equal(text.bytes ? text.bytes : "", due, (size_t)len);
    }
    tacit__strbuf_clear(&text);
}

/* Every byte. ISO 8859-15 has control characters too, which no table of people does. */
static void test_bytes(void **state)
{
    (void)state;
    for (int byte = 0; byte < 256; byte++) {
        char text[] = {'a', (char)byte, 'b'};
        tacit_strview bytes = {text, sizeof text};
        assert_same(TACIT_ENCODING_WINDOWS_1252, "WINDOWS-1252", bytes);
        if (byte < 0x80 || byte >= 0xA0)
            assert_same(TACIT_ENCODING_ISO_8859_15, "ISO-8859-15", bytes);
    }
}

static void test_wide(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(3000); ++*seed) {
        tacit__random random;
        tacit_run run;
        tacit_run_init(&run);
        tacit_run_seed_number(&run, *seed);
        tacit__random_init(&random, &run, "wide", 0);
        bool big = tacit__random_below(&random, 2);
        char text[64] = {big ? '\xFE' : '\xFF', big ? '\xFF' : '\xFE'};
        size_t len = 2;
        for (uint32_t n = tacit__random_below(&random, 12); n > 0; n--) {
            static const uint32_t firsts[] = {0x0000, 0x0080, 0x0800, 0xD800, 0xDC00, 0xE000};
            uint32_t unit =
                firsts[tacit__random_below(&random, 6)] + tacit__random_below(&random, 0x80);
            text[len + big] = (char)(unit & 0xFF);
            text[len + !big] = (char)(unit >> 8);
            len += 2;
        }
        if (len > 2 && !tacit__random_below(&random, 8))
            len--;
        tacit_strview bytes = {text, len};
        assert_same(TACIT_ENCODING_UTF16, "UTF-16", bytes);
    }
    *seed = 0;
}

static void test_found(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        tacit_encoding asked, found;
    } cases[] = {
        {"plain", TACIT_ENCODING_DETECT, TACIT_ENCODING_UTF8},
        {"plain", TACIT_ENCODING_WINDOWS_1252, TACIT_ENCODING_UTF8},
        {"M\xC3\xBCller", TACIT_ENCODING_DETECT, TACIT_ENCODING_UTF8},
        {"M\xC3\xBCller", TACIT_ENCODING_WINDOWS_1252, TACIT_ENCODING_UTF8},
        {"M\xFCller", TACIT_ENCODING_DETECT, TACIT_ENCODING_WINDOWS_1252},
        {"M\xFCller", TACIT_ENCODING_UTF8, TACIT_ENCODING_UTF8},
        {"M\xFCller", TACIT_ENCODING_ISO_8859_15, TACIT_ENCODING_ISO_8859_15},
        {"M\xFCller, M\xC3\xBCller", TACIT_ENCODING_DETECT, TACIT_ENCODING_UTF8},
        {"M\xFCller, M\xC3\xBCller", TACIT_ENCODING_WINDOWS_1252, TACIT_ENCODING_WINDOWS_1252},
        {"\x81\xFC", TACIT_ENCODING_DETECT, TACIT_ENCODING_UTF8},
        {"\xEF\xBB\xBFM\xFCller", TACIT_ENCODING_WINDOWS_1252, TACIT_ENCODING_UTF8},
        {"\xFF\xFE", TACIT_ENCODING_DETECT, TACIT_ENCODING_UTF16},
        {"\xFE\xFF", TACIT_ENCODING_ISO_8859_15, TACIT_ENCODING_UTF16},
        {"\xFE\xFF", TACIT_ENCODING_UTF8, TACIT_ENCODING_UTF8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (tacit__encoding_of(tacit_strview_of(cases[i].bytes), cases[i].asked) != cases[i].found)
            fail_msg("case %zu", i);
    assert_int_equal(tacit_encoding_named("iso-8859-1"), TACIT_ENCODING_WINDOWS_1252);
    assert_int_equal(tacit_encoding_named("detect"), TACIT_ENCODING_DETECT);
    assert_string_equal(tacit_encoding_name(TACIT_ENCODING_WINDOWS_1252), "windows-1252");
}

/* Places count the file's bytes, of which each is a character, and characters of UTF-16. */
static void test_places(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t len; /* 0: up to its end */
        tacit_encoding asked;
        int64_t line, column;
        const char *words;
    } cases[] = {
        {"\xFC,b\n1,2\n\xE4\xF6\xFC,2,3\n", 0, TACIT_ENCODING_DETECT, 3, 7, "more than 2 fields"},
        {"\xFC,b\n\xE4\xF6,\x80x\"y\n", 0, TACIT_ENCODING_DETECT, 2, 6, "a quote inside"},
        {"a,b\n\xFC,\xFC\xFC\xFC\x81\n", 0, TACIT_ENCODING_WINDOWS_1252, 2, 6, "no character"},
        {"a,b\n\xFC,\x80\x80\x80\n", 0, TACIT_ENCODING_DETECT, 2, 3, "9 bytes in UTF-8"},
        {"a,b\n\xC3\xBC,\xFC\n", 0, TACIT_ENCODING_DETECT, 2, 4, "nor is all of the file"},
        {"\xFF\xFE\xFC\0\n\0\xFC\0\0\xD8\n\0", 12, TACIT_ENCODING_DETECT, 2, 2, "half of a"},
        {"\xFE\xFF\0\xFC\0\n\0\xFC\0", 9, TACIT_ENCODING_DETECT, 2, 2, "at the end"},
    };
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.max_field = 8;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tacit_table *table = NULL;
        tacit_error err = {0};
        tacit_strview bytes = {cases[i].bytes,
                               cases[i].len ? cases[i].len : strlen(cases[i].bytes)};
        options.encoding = cases[i].asked;
        assert_int_equal(tacit_table_read_memory(&table, bytes, "f", &options, NULL, &err),
                         TACIT_PARSE);
        if (!strstr(err.message, cases[i].words) || err.line != cases[i].line ||
            err.column != cases[i].column)
            fail_msg("case %zu: %d:%d: %s", i, (int)err.line, (int)err.column, err.message);
    }
}

static tacit_missing_codes blank_codes(tacit_strview name, const void *context)
{
    static char *codes[] = {"k\xC3\xBCrzlich"};
    (void)name, (void)context;
    return (tacit_missing_codes){codes, 1};
}

/* Codes of missing values are compared with the text, not with the file's bytes. */
static void test_missing_codes(void **state)
{
    (void)state;
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.encoding = TACIT_ENCODING_DETECT;
    options.missing = blank_codes;
    tacit_strview bytes = tacit_strview_of("\xFC\nk\xFCrzlich\nx\n");
    assert_int_equal(tacit_table_read_memory(&table, bytes, "f", &options, NULL, NULL), TACIT_OK);
    assert_true(tacit_strview_equal(tacit_table_name(table, 0), tacit_strview_of("\xC3\xBC")));
    assert_true(tacit_table_has_missing(table, 0));
    assert_int_equal(tacit_table_distinct(table, 0), 1);
    tacit_table_free(table);
}

static void test_random(void **state)
{
    static const char *const parts[] = {"\xFC", "\xC3\xBC", "\x80", "\x81", "\"", ",",       ",",
                                        "\n",   "\n",       "\r\n", "x",    "=1", "\xFF\xFE"};
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(5000); ++*seed) {
        tacit__random random;
        tacit_run run;
        tacit_run_init(&run);
        tacit_run_seed_number(&run, *seed);
        tacit__random_init(&random, &run, "file", 0);
        char text[128] = "";
        for (uint32_t n = tacit__random_below(&random, 16); n > 0; n--)
            strcat(text, parts[tacit__random_below(&random, sizeof parts / sizeof *parts)]);
        tacit_csv_options options;
        tacit_csv_options_init(&options);
        options.no_header = tacit__random_below(&random, 2);
        options.guard = tacit__random_below(&random, 2) ? TACIT_GUARD_CELLS : TACIT_GUARD_NONE;
        options.encoding = (tacit_encoding)tacit__random_below(&random, 4);
        if (!encoding_case_holds(tacit_strview_of(text), &options))
            fail_msg("%s", text);
    }
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),         random_test(test_wide, &seed),
        cmocka_unit_test(test_found),         cmocka_unit_test(test_places),
        cmocka_unit_test(test_missing_codes), random_test(test_random, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
