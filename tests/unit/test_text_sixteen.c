/*
 * test_text_sixteen.c - sixteen bytes at once are what they are one by one: with this machine's
 * instructions, and by the loop for machines that have none such.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <string.h>

#include "text/sixteen.h"

/* The same header once more, as other machines see it. */
#undef TACIT_SRC_TEXT_SIXTEEN_H
#undef __SSE2__
#define tacit__sixteen       portable_sixteen
#define tacit__lower         portable_lower
#define tacit__bytes16       portable_bytes16
#define tacit__sixteen_load  portable_load
#define tacit__sixteen_read  portable_read
#define tacit__sixteen_first portable_first
#include "text/sixteen.h"
#undef tacit__sixteen
#undef tacit__lower
#undef tacit__bytes16
#undef tacit__sixteen_load
#undef tacit__sixteen_read
#undef tacit__sixteen_first

static void check(const char bytes[16])
{
    unsigned letters = 0, capitals = 0, digits = 0;
    char lower[16];
    for (unsigned i = 0; i < 16; i++) {
        bool ascii = (unsigned char)bytes[i] < 0x80;
        letters |= (unsigned)(ascii && isalpha(bytes[i])) << i;
        capitals |= (unsigned)(ascii && isupper(bytes[i])) << i;
        digits |= (unsigned)(ascii && isdigit(bytes[i])) << i;
        lower[i] = (char)(ascii ? tolower(bytes[i]) : bytes[i]);
    }
    tacit__bytes16 one = tacit__sixteen_load(bytes);
    portable_bytes16 other = portable_load(bytes);
    tacit__sixteen a = tacit__sixteen_read(&one);
    portable_sixteen b = portable_read(&other);
    assert_true(a.letters == letters && a.capitals == capitals && a.digits == digits);
    assert_true(b.letters == letters && b.capitals == capitals && b.digits == digits);
    for (size_t count = 0; count <= 16; count++) {
        char expected[16] = {0};
        memcpy(expected, lower, count);
        tacit__lower first = tacit__sixteen_first(one, count);
        portable_lower same = portable_first(other, count);
        assert_memory_equal(&first, expected, 16);
        assert_memory_equal(&same, expected, 16);
    }
}

/* Every byte at every place, among others. */
static void bytes(void **state)
{
    (void)state;
    static const char around[] = "aZ09 .\xC3\xA9[`{@/:Az";
    for (int byte = 0; byte < 256; byte++)
        for (int place = 0; place < 16; place++) {
            char text[16];
            memcpy(text, around, sizeof text);
            text[place] = (char)byte;
            check(text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
