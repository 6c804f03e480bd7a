/*
 * test_base.c - what every room stands on: sizes, memory that dies together,
 * text that grows, errors in words, and UTF-8 by Unicode's table 3-7.
 */
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/bitset.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/utf8.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void sizes_are_multiplied_with_a_check(void **state)
{
    (void)state;
    size_t product = 0;
    assert_true(tacit__multiply(0, SIZE_MAX, &product));
    assert_true(product == 0);
    assert_true(tacit__multiply(SIZE_MAX, 1, &product));
    assert_true(product == SIZE_MAX);
    assert_true(tacit__multiply(SIZE_MAX / 2, 2, &product));
    assert_true(product == SIZE_MAX - 1);
    assert_false(tacit__multiply(SIZE_MAX / 2 + 1, 2, &product));
    assert_false(tacit__multiply(SIZE_MAX, SIZE_MAX, &product));
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    assert_null(tacit__alloc_array(SIZE_MAX / 2 + 1, 2));
    assert_null(tacit__alloc_zeroed(SIZE_MAX / 4 + 1, 4));
    assert_null(tacit__resize_array(NULL, SIZE_MAX / 8 + 1, 8));
    assert_null(tacit__alloc(SIZE_MAX)); /* rounding up to huge pages overflows */
    assert_null(tacit__copy_bytes("", SIZE_MAX));
}

static void blocks_of_no_size(void **state)
{
    (void)state;
    void *blocks[] = {tacit__alloc(0), tacit__alloc_array(0, 8), tacit__alloc_zeroed(8, 0),
                      tacit__resize_array(NULL, 0, 8), tacit__copy_bytes(NULL, 0)};
    for (size_t i = 0; i < COUNT(blocks); i++) {
        assert_non_null(blocks[i]);
        tacit__free(blocks[i]);
    }
    tacit__free(NULL);
}

static void large_blocks_are_whole_and_zeroed(void **state)
{
    (void)state;
    enum { SIZE = (5 << 20) + 1 };
    char *block = tacit__alloc(SIZE);
    assert_non_null(block);
    memset(block, 'x', SIZE);
    block = tacit__resize_array(block, SIZE + 1, 1);
    assert_non_null(block);
    assert_int_equal(block[SIZE - 1], 'x');
    tacit__free(block);
    block = tacit__alloc_zeroed(SIZE, 1);
    assert_non_null(block);
    for (size_t i = 0; i < SIZE; i++)
        if (block[i])
            fail_msg("byte %zu is not zero", i);
    tacit__free(block);
}

static void reserving_grows_by_half(void **state)
{
    (void)state;
    uint32_t *list = NULL;
    size_t room = 0;
    assert_true(tacit__reserve((void **)&list, &room, 0, sizeof *list));
    assert_null(list); /* nothing was needed */
    assert_true(tacit__reserve((void **)&list, &room, 1, sizeof *list));
    assert_int_equal(room, 8);
    list[7] = 77;
    assert_true(tacit__reserve((void **)&list, &room, 9, sizeof *list));
    assert_int_equal(room, 12);
    assert_int_equal(list[7], 77);
    assert_true(tacit__reserve((void **)&list, &room, 100, sizeof *list));
    assert_int_equal(room, 100);
    uint32_t *before = list;
    assert_false(tacit__reserve((void **)&list, &room, SIZE_MAX / 4 + 1, sizeof *list));
    assert_ptr_equal(list, before); /* still there, still as large */
    assert_int_equal(room, 100);
    assert_int_equal(list[7], 77);
    tacit__free(list);
}

static void copies_are_terminated(void **state)
{
    (void)state;
    char *copy = tacit__copy_bytes("abcdef", 3);
    assert_string_equal(copy, "abc");
    tacit__free(copy);
}

static void arena_keeps_blocks_in_place(void **state)
{
    (void)state;
    enum { PIECES = 3000 };
    tacit__arena arena = {0};
    unsigned char *pieces[PIECES];
    for (size_t i = 0; i < PIECES; i++) {
        pieces[i] = tacit__arena_alloc(&arena, i % 97);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
        memset(pieces[i], (int)(i & 0xFF), i % 97);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t b = 0; b < i % 97; b++)
            if (pieces[i][b] != (i & 0xFF))
                fail_msg("piece %zu was overwritten", i);
    tacit__arena_clear(&arena);
}

static void arena_of_nothing(void **state)
{
    (void)state;
    tacit__arena arena = {0};
    tacit__arena_clear(&arena); /* empty */
    void *first = tacit__arena_alloc(&arena, 0), *second = tacit__arena_alloc(&arena, 0);
    assert_non_null(first); /* NULL would say that memory ran out */
    assert_ptr_not_equal(first, second);
    assert_null(tacit__arena_alloc(&arena, SIZE_MAX));
    assert_null(tacit__arena_alloc(&arena, SIZE_MAX - 64));
    assert_non_null(tacit__arena_alloc(&arena, 1)); /* and goes on */
    tacit__arena_clear(&arena);
    assert_null(arena.blocks);
    assert_int_equal(arena.capacity, 0);
}

static void arena_takes_large_demands(void **state)
{
    (void)state;
    tacit__arena arena = {0};
    char *small = tacit__arena_alloc(&arena, 10);
    memcpy(small, "ten bytes", 10);
    char *large = tacit__arena_alloc(&arena, 3 << 20);
    assert_non_null(large);
    memset(large, 'x', 3 << 20);
    assert_string_equal(small, "ten bytes");
    tacit_strview text = tacit__arena_copy(&arena, (tacit_strview){"value,more", 5});
    assert_int_equal(text.len, 5);
    assert_string_equal(text.bytes, "value");
    tacit_strview empty = tacit__arena_copy(&arena, (tacit_strview){NULL, 0});
    assert_string_equal(empty.bytes, "");
    assert_null(tacit__arena_copy(&arena, (tacit_strview){"", SIZE_MAX}).bytes);
    tacit__arena_clear(&arena);
}

static void text_grows(void **state)
{
    (void)state;
    tacit__strbuf text = {0};
    tacit__strbuf_clear(&text); /* empty */
    tacit__strbuf_add(&text, NULL, 0);
    assert_string_equal(text.bytes, "");
    tacit__strbuf_text(&text, "a");
    tacit__strbuf_add(&text, "bcd", 2);
    tacit__strbuf_format(&text, "%s", "");
    tacit__strbuf_format(&text, "-%d-%s", 42, "x");
    assert_string_equal(text.bytes, "abc-42-x");
    assert_int_equal(text.len, 8);
    for (int i = 0; i < 1000; i++)
        tacit__strbuf_format(&text, "%03d", i);
    assert_int_equal(text.len, 3008);
    assert_memory_equal(text.bytes + 3005, "999", 4);
    assert_false(text.failed);
    tacit__strbuf_clear(&text);
    assert_null(text.bytes);
}

static void text_remembers_failure(void **state)
{
    (void)state;
    tacit__strbuf text = {0};
    tacit__strbuf_text(&text, "kept");
    tacit__strbuf_add(&text, "", SIZE_MAX - 2); /* the length overflows: nothing is read */
    assert_true(text.failed);
    tacit__strbuf_text(&text, "more");
    tacit__strbuf_format(&text, "%d", 1);
    assert_string_equal(text.bytes, "kept");
    tacit__strbuf_clear(&text);
    assert_false(text.failed);
}

static void errors_in_words(void **state)
{
    (void)state;
    const struct {
        tacit_error error;
        const char *text;
    } cases[] = {
        {{.status = TACIT_PARSE, .file = "f.csv", .line = 3, .column = 7, .message = "a NUL byte"},
         "f.csv:3:7: a NUL byte"},
        {{.status = TACIT_PARSE, .file = "f.csv", .line = 3, .message = "m"}, "f.csv:3: m"},
        {{.status = TACIT_IO, .file = "f.csv", .message = "m"}, "f.csv: m"},
        {{.status = TACIT_IO, .file = "f.csv", .column = 4, .message = "m"}, "f.csv: m"},
        {{.status = TACIT_PARSE, .line = 3, .column = 7, .message = "m"}, "3:7: m"},
        {{.status = TACIT_PARSE, .line = 3, .message = "m"}, "3: m"},
        {{.status = TACIT_INVALID, .message = "m"}, "m"},
        {{.status = TACIT_NOMEM}, "out of memory"},
        {{.status = TACIT_LIMIT, .file = "f", .line = INT64_MAX, .column = INT64_MAX},
         "f:9223372036854775807:9223372036854775807: limit"},
    };
    char buffer[128];
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_ptr_equal(tacit_error_format(&cases[i].error, buffer, sizeof buffer), buffer);
        assert_string_equal(buffer, cases[i].text);
    }
}

static void errors_are_cut_to_size(void **state)
{
    (void)state;
    tacit_error err = {.status = TACIT_IO, .file = "f.csv", .message = "m"};
    char buffer[6] = "xxxxx";
    tacit_error_format(&err, buffer, 0);
    assert_string_equal(buffer, "xxxxx");
    tacit_error_format(&err, buffer, 1);
    assert_string_equal(buffer, "");
    tacit_error_format(&err, buffer, sizeof buffer);
    assert_string_equal(buffer, "f.csv");
    char name[400];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    tacit_error longest = {0};
    tacit__error_at(&longest, TACIT_PARSE, name, 1, 1, "%s%s%s", name, name, name);
    assert_int_equal(strlen(longest.file), sizeof longest.file - 1);
    assert_int_equal(strlen(longest.message), sizeof longest.message - 1);
}

static void the_deepest_error_is_kept(void **state)
{
    (void)state;
    tacit_error err = {0};
    assert_int_equal(tacit__error_at(&err, TACIT_PARSE, "f", 2, 3, "value %d", 5), TACIT_PARSE);
    assert_int_equal(tacit__error(&err, TACIT_INVALID, "later"), TACIT_INVALID);
    assert_int_equal(tacit__nomem(&err), TACIT_NOMEM);
    assert_int_equal(err.status, TACIT_PARSE);
    assert_string_equal(err.message, "value 5");
    assert_string_equal(err.file, "f");
    assert_int_equal(tacit__error(NULL, TACIT_LIMIT, "nobody listens"), TACIT_LIMIT);
    tacit_error io = {0};
    assert_int_equal(tacit__io(&io, "f.csv", "cannot open", 2), TACIT_IO); /* ENOENT */
    assert_string_equal(io.message, "cannot open: No such file or directory");
}

static void a_message_is_one_line(void **state)
{
    (void)state;
    tacit_error err = {0};
    tacit__error(&err, TACIT_INVALID, "no column \"%s\"", "a\nb\x1b[2J\xff");
    assert_string_equal(err.message, "no column \"a?b?[2J?\"");
}

static void every_status_has_a_name(void **state)
{
    (void)state;
    const char *names[] = {"ok",           "out of memory", "invalid", "parse",
                           "input/output", "infeasible",    "limit",   "cancelled"};
    for (size_t i = 0; i < COUNT(names); i++)
        assert_string_equal(tacit_status_name((tacit_status)i), names[i]);
    assert_string_equal(tacit_status_name((tacit_status)COUNT(names)), "unknown");
}

static void values_are_shown(void **state)
{
    (void)state;
#define THIRTY_SEVEN "1234567890123456789012345678901234567"
    const struct {
        const char *value, *shown;
    } cases[] = {
        {"", ""},
        {"plain", "plain"},
        {"a\tb\nc\x7F\x1B[0m", "a?b?c??[0m"},
        {THIRTY_SEVEN "890", THIRTY_SEVEN "890"}, /* 40 bytes are shown */
        {THIRTY_SEVEN "8901", THIRTY_SEVEN "890..."},
        {THIRTY_SEVEN "\xE2\x82\xAC", THIRTY_SEVEN "\xE2\x82\xAC"}, /* ends with the 40th */
        {THIRTY_SEVEN "\xE2\x82\xACx", THIRTY_SEVEN "\xE2\x82\xAC..."},
        {THIRTY_SEVEN "8\xE2\x82\xAC", THIRTY_SEVEN "8..."}, /* would be cut after two bytes */
        {THIRTY_SEVEN "89\xE2\x82\xAC", THIRTY_SEVEN "89..."},
        {THIRTY_SEVEN "89\xC3\xA4", THIRTY_SEVEN "89..."},
        {THIRTY_SEVEN "\xF0\x9F\x98\x80", THIRTY_SEVEN "..."},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(tacit__show(tacit_strview_of(cases[i].value)).text, cases[i].shown);
    assert_string_equal(tacit__show((tacit_strview){NULL, 0}).text, "");
    char stray[60];
    memset(stray, 0x80, sizeof stray); /* not UTF-8: nothing but continuations */
    assert_string_equal(tacit__show((tacit_strview){stray, sizeof stray}).text,
                        "????????????????????????????????????????...");
}

static void views_compare(void **state)
{
    (void)state;
    assert_true(tacit_strview_equal(tacit_strview_of(NULL), tacit_strview_of("")));
    assert_true(tacit_strview_equal((tacit_strview){"abc", 2}, tacit_strview_of("ab")));
    assert_false(tacit_strview_equal(tacit_strview_of("ab"), tacit_strview_of("ac")));
    assert_false(tacit_strview_equal(tacit_strview_of("ab"), tacit_strview_of("a")));
}

static void bits_are_counted(void **state)
{
    (void)state;
    uint64_t set[3] = {0};
    const int64_t bits[] = {0, 63, 64, 127, 128};
    assert_int_equal(tacit__bitset_words(0), 0);
    assert_int_equal(tacit__bitset_words(64), 1);
    assert_int_equal(tacit__bitset_words(129), 3);
    for (size_t i = 0; i < COUNT(bits); i++) {
        assert_false(tacit__bit_get(set, bits[i]));
        tacit__bit_set(set, bits[i]);
        assert_true(tacit__bit_get(set, bits[i]));
        assert_int_equal(tacit__bitset_count(set, 129), i + 1);
    }
    assert_false(tacit__bit_get(set, 1));
}

static void bits_are_looked_for(void **state)
{
    (void)state;
    uint64_t set[3] = {0};
    for (int64_t count = 1; count <= 129; count += 32)
        for (int64_t only = 0; only < count; only++) {
            memset(set, 0, sizeof set);
            tacit__bit_set(set, only);
            for (int64_t from = 0; from <= count; from++) {
                assert_int_equal(tacit__bit_next(set, from, count), from <= only ? only : count);
                assert_int_equal(tacit__bit_next_clear(set, from, count),
                                 from == only ? from + 1 : from);
            }
            for (size_t i = 0; i < COUNT(set); i++)
                set[i] = ~set[i];
            for (int64_t from = 0; from <= count; from++)
                assert_int_equal(tacit__bit_next_clear(set, from, count),
                                 from <= only ? only : count);
        }
}

static void bits_of_a_word(void **state)
{
    (void)state;
    uint64_t bits = 0;
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(tacit__bits_set(bits), i);
        assert_int_equal(tacit__bits_set(~bits), 64 - i);
        bits |= UINT64_C(1) << i * 37 % 64;
    }
}

/* Table 3-7 of the Unicode Standard, row by row: lowest and highest of each byte. */
static const struct {
    unsigned char low[4], high[4];
    size_t len;
} table_3_7[] = {
    {{0x00}, {0x7F}, 1},
    {{0xC2, 0x80}, {0xDF, 0xBF}, 2},
    {{0xE0, 0xA0, 0x80}, {0xE0, 0xBF, 0xBF}, 3},
    {{0xE1, 0x80, 0x80}, {0xEC, 0xBF, 0xBF}, 3},
    {{0xED, 0x80, 0x80}, {0xED, 0x9F, 0xBF}, 3},
    {{0xEE, 0x80, 0x80}, {0xEF, 0xBF, 0xBF}, 3},
    {{0xF0, 0x90, 0x80, 0x80}, {0xF0, 0xBF, 0xBF, 0xBF}, 4},
    {{0xF1, 0x80, 0x80, 0x80}, {0xF3, 0xBF, 0xBF, 0xBF}, 4},
    {{0xF4, 0x80, 0x80, 0x80}, {0xF4, 0x8F, 0xBF, 0xBF}, 4},
};

static size_t length_by_table(const unsigned char *bytes, size_t left)
{
    for (size_t r = 0; r < COUNT(table_3_7); r++) {
        size_t i = 0;
        while (i < table_3_7[r].len && i < left && bytes[i] >= table_3_7[r].low[i] &&
               bytes[i] <= table_3_7[r].high[i])
            i++;
        if (i == table_3_7[r].len)
            return i;
    }
    return 0;
}

/* All first and second bytes, with a third and fourth around their bounds. */
static void utf8_by_the_table(void **state)
{
    (void)state;
    const unsigned char edges[] = {0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xFF};
    for (unsigned first = 0; first < 256; first++)
        for (unsigned second = 0; second < 256; second++)
            for (size_t e = 0; e < COUNT(edges) * COUNT(edges); e++) {
                unsigned char bytes[] = {(unsigned char)first, (unsigned char)second,
                                         edges[e % COUNT(edges)], edges[e / COUNT(edges)]};
                for (size_t left = 1; left <= 4; left++)
                    if (tacit__utf8_character((char *)bytes, left) != length_by_table(bytes, left))
                        fail_msg("%02x %02x %02x %02x of %zu", first, second, bytes[2], bytes[3],
                                 left);
            }
}

/* A bad byte is found wherever it stands among blocks of eight. */
static void utf8_up_to_where(void **state)
{
    (void)state;
    assert_int_equal(tacit__utf8_valid(NULL, 0), 0);
    char text[40];
    for (size_t at = 0; at < sizeof text; at++) {
        memset(text, 'a', sizeof text);
        assert_int_equal(tacit__utf8_valid(text, at), at);
        text[at] = (char)0xC0;
        assert_int_equal(tacit__utf8_valid(text, sizeof text), at);
        text[at] = (char)0xC3; /* begins a character that the end cuts */
        assert_int_equal(tacit__utf8_valid(text, at + 1), at);
        if (at + 1 == sizeof text)
            break;
        text[at + 1] = (char)0xA4;
        assert_int_equal(tacit__utf8_valid(text, sizeof text), sizeof text);
        assert_int_equal(tacit__utf8_valid(text, at + 2), at + 2);
    }
}

static void utf8_code_points(void **state)
{
    (void)state;
    const struct {
        const char *bytes;
        size_t len, taken;
        uint32_t point;
        bool valid;
    } cases[] = {
        {"A", 1, 1, 'A', true},
        {"", 1, 1, 0, true},
        {"\x7F", 1, 1, 0x7F, true},
        {"\xC2\x80", 2, 2, 0x80, true},
        {"\xDF\xBF", 2, 2, 0x7FF, true},
        {"\xE0\xA0\x80", 3, 3, 0x800, true},
        {"\xED\x9F\xBF", 3, 3, 0xD7FF, true},
        {"\xEE\x80\x80", 3, 3, 0xE000, true},
        {"\xEF\xBF\xBD", 3, 3, 0xFFFD, true}, /* U+FFFD itself is well-formed */
        {"\xEF\xBF\xBF", 3, 3, 0xFFFF, true},
        {"\xF0\x90\x80\x80", 4, 4, 0x10000, true},
        {"\xF4\x8F\xBF\xBF", 4, 4, 0x10FFFF, true},
        {"\xF4\x90\x80\x80", 4, 1, 0xFFFD, false}, /* beyond U+10FFFF */
        {"\xED\xA0\x80", 3, 1, 0xFFFD, false},     /* a surrogate */
        {"\xC0\x80", 2, 1, 0xFFFD, false},         /* overlong */
        {"\xE2\x82", 2, 1, 0xFFFD, false},         /* cut */
        {"\x80", 1, 1, 0xFFFD, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint32_t point = 1;
        bool valid = !cases[i].valid;
        tacit_strview rest = {cases[i].bytes, cases[i].len};
        assert_int_equal(tacit__utf8_next(&point, &valid, rest), cases[i].taken);
        assert_int_equal(point, cases[i].point);
        assert_int_equal(valid, cases[i].valid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_multiplied_with_a_check),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(blocks_of_no_size),
        cmocka_unit_test(large_blocks_are_whole_and_zeroed),
        cmocka_unit_test(reserving_grows_by_half),
        cmocka_unit_test(copies_are_terminated),
        cmocka_unit_test(arena_keeps_blocks_in_place),
        cmocka_unit_test(arena_of_nothing),
        cmocka_unit_test(arena_takes_large_demands),
        cmocka_unit_test(text_grows),
        cmocka_unit_test(text_remembers_failure),
        cmocka_unit_test(errors_in_words),
        cmocka_unit_test(errors_are_cut_to_size),
        cmocka_unit_test(the_deepest_error_is_kept),
        cmocka_unit_test(a_message_is_one_line),
        cmocka_unit_test(every_status_has_a_name),
        cmocka_unit_test(values_are_shown),
        cmocka_unit_test(views_compare),
        cmocka_unit_test(bits_are_counted),
        cmocka_unit_test(bits_are_looked_for),
        cmocka_unit_test(bits_of_a_word),
        cmocka_unit_test(utf8_by_the_table),
        cmocka_unit_test(utf8_up_to_where),
        cmocka_unit_test(utf8_code_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
