/*
 * test_text_cut_random.c - words are cut by sixteen bytes at once, and looked up by what is
 * remembered; here byte by byte and by the lists, on text of chance. Both find the same words,
 * gaps, shapes and lists, from whatever was read before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "random_cases.h"
#include "text/lexicon/recall.h"
#include "text/read/document.h"
#include "text/read/signs.h"

enum { LONGEST = 400 };

static unsigned sign_at(tacit_strview text, size_t at, size_t *len)
{
    tacit_strview rest = {text.bytes + at, text.len - at};
    *len = 1;
    if (at >= text.len)
        return 0;
    if ((unsigned char)text.bytes[at] < 0x80)
        return tacit__sign_ascii((unsigned char)text.bytes[at]);
    return tacit__sign_foreign(rest, len);
}

static size_t apostrophe_at(tacit_strview text, size_t at)
{
    if (at < text.len && text.bytes[at] == '\'')
        return 1;
    return at + 2 < text.len && memcmp(text.bytes + at, "\xE2\x80\x99", 3) == 0 ? 3 : 0;
}

/* Where the word goes on behind an apostrophe; *genitive where it ends with 's instead. */
static size_t behind_apostrophe(tacit_strview text, size_t at, bool letters, bool *genitive)
{
    size_t len, mark = letters ? apostrophe_at(text, at) : 0;
    if (mark == 0 || !(sign_at(text, at + mark, &len) & TACIT__SIGN_LETTER))
        return 0;
    *genitive = (text.bytes[at + mark] | 0x20) == 's' &&
                !(sign_at(text, at + mark + 1, &len) & TACIT__SIGN_WORD);
    return at + mark;
}

static unsigned shape_of(unsigned first, unsigned later)
{
    unsigned all = first | later;
    if (!(all & TACIT__SIGN_LETTER))
        return TACIT__SHAPE_DIGITS;
    if (all & TACIT__SIGN_DIGIT)
        return TACIT__SHAPE_BOTH;
    if (first == TACIT__SIGN_LOWER)
        return later & TACIT__SIGN_UPPER ? TACIT__SHAPE_MIXED : TACIT__SHAPE_LOWER;
    if (later == 0)
        return TACIT__SHAPE_INITIAL;
    if (!(later & TACIT__SIGN_UPPER))
        return TACIT__SHAPE_CAPITAL;
    return later & TACIT__SIGN_LOWER ? TACIT__SHAPE_MIXED : TACIT__SHAPE_CAPITALS;
}

/* The word at an offset; where reading goes on. */
static size_t expect_word(tacit__word *word, tacit_strview text, size_t at)
{
    unsigned first = 0, later = 0, sign;
    size_t len;
    bool genitive = false;
    word->start = (uint32_t)at;
    for (;;) {
        while ((sign = sign_at(text, at, &len)) & TACIT__SIGN_WORD) {
            bool beyond = (unsigned char)text.bytes[at] >= 0x80 && (first != 0 || len > 1);
            word->flags |= beyond ? TACIT__WORD_FOREIGN : 0;
            later |= first == 0 ? 0 : sign;
            first = first == 0 ? sign : first;
            at += len;
        }
        word->end = (uint32_t)at;
        size_t next = behind_apostrophe(text, at, (first | later) & TACIT__SIGN_LETTER, &genitive);
        if (next == 0 || genitive)
            at = next == 0 ? at : next + 1;
        if (next == 0 || genitive)
            break;
        at = next;
    }
    word->flags |= genitive ? TACIT__WORD_GENITIVE : 0;
    word->shape = (uint8_t)shape_of(first, later);
    return at;
}

/* The gap at an offset; where it ends. */
static size_t expect_gap(tacit__word *word, tacit_strview text, size_t at)
{
    unsigned gap = 0, sign, lines = 0, spaces = 0;
    size_t len;
    bool column = false;
    for (; at < text.len && !((sign = sign_at(text, at, &len)) & TACIT__SIGN_WORD); at += len) {
        gap |= sign;
        lines = sign == TACIT__GAP_LINE ? lines + 1 : sign == TACIT__GAP_SPACE ? lines : 0;
        spaces = sign == TACIT__GAP_SPACE ? spaces + 1 : 0;
        column = column || text.bytes[at] == '\t' || spaces == 3;
        gap |= lines > 1 ? TACIT__GAP_PARAGRAPH : 0;
    }
    word->before = (uint16_t)gap;
    word->flags = column ? TACIT__WORD_COLUMN : 0;
    return at;
}

static void compare(const tacit__word *found, const tacit__word *expected, tacit_strview text)
{
    enum { CUT = TACIT__WORD_COLUMN | TACIT__WORD_GENITIVE | TACIT__WORD_FOREIGN };
    tacit_strview bytes = {text.bytes + found->start, found->end - found->start};
    tacit__lexicon_entry entry = {0};
    assert_int_equal(found->start, expected->start);
    assert_int_equal(found->end, expected->end);
    assert_int_equal(found->before, expected->before);
    assert_int_equal(found->shape, expected->shape);
    assert_int_equal(found->flags & CUT, expected->flags & CUT);
    assert_true(found->key == tacit__word_key(bytes));
    if (found->shape != TACIT__SHAPE_DIGITS)
        tacit__lexicon_find(&entry, bytes);
    assert_memory_equal(&found->entry, &entry, sizeof entry);
}

static void check(tacit_strview text, tacit__habits *habits)
{
    tacit__word words[LONGEST / 2 + 2 + TACIT__CUT_AHEAD];
    size_t shapes[TACIT__SHAPES] = {0}, at = 0, number = 0, counted = 0;
    assert_true(tacit__cut_capacity(text.len) <= sizeof words / sizeof *words);
    size_t count = tacit__cut(words, text, habits, shapes);
    for (;; number++) {
        tacit__word expected = {0};
        at = expect_gap(&expected, text, at);
        expected.before |= number == 0 ? TACIT__GAP_PARAGRAPH : 0;
        if (at == text.len)
            break;
        at = expect_word(&expected, text, at);
        assert_true(number < count);
        compare(&words[number], &expected, text);
    }
    assert_int_equal(number, count);
    for (size_t i = 0; i < TACIT__SHAPES; i++)
        counted += shapes[i];
    assert_int_equal(counted, count);
}

static size_t draw(uint64_t *random, size_t bound)
{
    *random += UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(tacit__mix(*random) % bound);
}

/* Of parts, some of which are seldom beside each other in text that people write. */
static size_t random_text(char text[LONGEST], uint64_t *random)
{
    static const char *const parts[] = {"a",
                                        "Boston",
                                        "MA",
                                        "I",
                                        "02115",
                                        "the",
                                        "O",
                                        "'",
                                        "'s",
                                        " ",
                                        "\xE2\x80\x99",
                                        "\xE2\x80\x99s",
                                        " ",
                                        " ",
                                        "  ",
                                        "   ",
                                        "\t",
                                        "\n",
                                        "\n\n",
                                        ", ",
                                        ". ",
                                        ".",
                                        "-",
                                        "/",
                                        ":",
                                        "@",
                                        "\xC3\xA9",
                                        "\xE9",
                                        "\xC3\x89ric",
                                        "Jos\xC3\xA9",
                                        "_",
                                        "\xC2\xA0",
                                        "\x7f",
                                        "McCarthy",
                                        "abcdefghijklmno",
                                        "abcdefghijklmnop",
                                        "of",
                                        "A574351",
                                        "and",
                                        "Zoe",
                                        "\xE2\x80\x93",
                                        "abcdefghijklmnopq"};
    size_t len = 0, most = draw(random, LONGEST);
    for (;;) {
        const char *part = parts[draw(random, sizeof parts / sizeof parts[0])];
        if (len + strlen(part) > most)
            return len;
        memcpy(text + len, part, strlen(part));
        len += strlen(part);
    }
}

static void cut(void **state)
{
    uint64_t *seed = *state;
    tacit__habits *habits = tacit__habits_new();
    assert_non_null(habits);
    for (uint64_t i = 1; i <= many_cases(4000); i++) {
        char text[LONGEST];
        uint64_t random = *seed = i;
        size_t len = random_text(text, &random);
        char *copy = malloc(len + 1); /* so that reading beyond the end is noticed */
        memcpy(copy, text, len);
        check((tacit_strview){copy, len}, habits);
        free(copy);
    }
    tacit__free(habits);
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(cut, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
