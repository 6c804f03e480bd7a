/*
 * test_text_sixteen.c - sixteen or sixty-four bytes at once are what they are one by one: with this
 * machine's instructions, and by the loop for machines that have none such.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <string.h>

#include "text/read/sixteen.h"

/* The same header once more, as other machines see it. */
#undef TACIT_TEXT_READ_SIXTEEN_H
#undef __SSE2__
#define tacit__sixteen        portable_sixteen
#define tacit__sixtyfour      portable_sixtyfour
#define tacit__lower          portable_lower
#define tacit__sixteen_read   portable_read
#define tacit__sixteen_lower  portable_lower_of
#define tacit__sixtyfour_read portable_read_all
#include "text/read/sixteen.h"
#undef tacit__sixteen
#undef tacit__sixtyfour
#undef tacit__lower
#undef tacit__sixteen_read
#undef tacit__sixteen_lower
#undef tacit__sixtyfour_read

static void check_signs(const char bytes[64])
{
    portable_sixtyfour expected = {0};
    for (unsigned i = 0; i < 64; i++) {
        bool ascii = (unsigned char)bytes[i] < 0x80;
        expected.letters |= (uint64_t)(ascii && isalpha(bytes[i])) << i;
        expected.capitals |= (uint64_t)(ascii && isupper(bytes[i])) << i;
        expected.digits |= (uint64_t)(ascii && isdigit(bytes[i])) << i;
        expected.spaces |= (uint64_t)(bytes[i] == ' ') << i;
        expected.tabs |= (uint64_t)(bytes[i] == '\t') << i;
        expected.odd |= (uint64_t)(!ascii || bytes[i] == '\'') << i;
    }
    tacit__sixtyfour one = tacit__sixtyfour_read(bytes);
    portable_sixtyfour other = portable_read_all(bytes);
    assert_memory_equal(&one, &expected, sizeof one);
    assert_memory_equal(&other, &expected, sizeof other);
}

/* Every byte at every place, among others. */
static void bytes(void **state)
{
    (void)state;
    static const char around[] = "aZ09 .\xC3\xA9[`{@/:Az'\t";
    for (int byte = 0; byte < 256; byte++)
        for (int place = 0; place < 64; place++) {
            char text[64];
            for (size_t i = 0; i < sizeof text; i++)
                text[i] = around[i % (sizeof around - 1)];
            text[place] = (char)byte;
            check_signs(text);
        }
}

/* Letters and digits in lower case, as many as are asked for, whatever is behind them. */
static void lower_case(void **state)
{
    (void)state;
    static const char text[] = "aBzAZ09m5QxKy7Zp\xFF";
    for (size_t count = 0; count <= 16; count++) {
        char expected[16] = {0};
        for (size_t i = 0; i < count; i++)
            expected[i] = (char)tolower(text[i]);
        tacit__lower one = tacit__sixteen_lower(text, count);
        portable_lower other = portable_lower_of(text, count);
        assert_memory_equal(&one, expected, sizeof expected);
        assert_memory_equal(&other, expected, sizeof expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes), cmocka_unit_test(lower_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
