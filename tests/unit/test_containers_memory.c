/*
 * test_containers_memory.c - what every room holds things in, against the plainest way to do
 * the same, and with every allocation failed in turn: classes of characters.
 */
#include <ctype.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "starve.h"

static void characters_are_what_the_c_locale_says(void **state)
{
    (void)state;
    setlocale(LC_ALL, "C");
    for (int c = 0; c < 256; c++) {
        assert_int_equal(tacit__is_digit(c), isdigit(c) != 0);
        assert_int_equal(tacit__is_upper(c), isupper(c) != 0);
        assert_int_equal(tacit__is_lower(c), islower(c) != 0);
        assert_int_equal(tacit__is_letter(c), isalpha(c) != 0);
        assert_int_equal(tacit__is_alphanumeric(c), isalnum(c) != 0);
        assert_int_equal(tacit__is_blank(c), isblank(c) != 0);
        assert_int_equal(tacit__is_space(c), isspace(c) != 0);
        assert_int_equal((unsigned char)tacit__to_lower((char)c), tolower(c));
        assert_int_equal(tacit__is_alphanumeric((signed char)c), isalnum(c) != 0);
        assert_int_equal(tacit__is_space((signed char)c), isspace(c) != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_are_what_the_c_locale_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
