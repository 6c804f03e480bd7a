/*
 * test_decimal_write.c - numbers as text: the fewest of 15, 16 and 17 digits that read back the
 * same, as printf and strtod say it, for numbers of few digits, of all bits, and at the borders.
 */
#include "starve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"

static uint64_t state = 88172645463325252U;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static void is_right(double number)
{
    char expected[64], written[TACIT__DECIMAL_SIZE];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(expected, sizeof expected, "%.*g", digits, number);
        if (strtod(expected, NULL) == number)
            break;
    }
    size_t len = tacit__decimal_write(written, number);
    assert_int_equal(len, strlen(written));
    if (strcmp(written, expected) != 0 && !(number == 0 && strcmp(written, "0") == 0))
        fail_msg("%s, not %s", written, expected);
}

static void few_digits(void **unused)
{
    (void)unused;
    for (int i = 0; i < 200000; i++) {
        double digits = (double)(draw() % (UINT64_C(1) << draw() % 52));
        double number = digits / pow(10, (double)(draw() % 23));
        is_right(draw() % 2 ? number : -number);
    }
}

static void all_bits(void **unused)
{
    (void)unused;
    for (int i = 0; i < 50000; i++) {
        uint64_t bits = draw();
        double number;
        memcpy(&number, &bits, sizeof number);
        if (isfinite(number))
            is_right(number);
        is_right((double)(draw() >> 11) / 9007199254740992.0);
        is_right(ldexp((double)(draw() >> 11), (int)(draw() % 80) - 66));
    }
}

static void borders(void **unused)
{
    (void)unused;
    static const double numbers[] = {0,      -0.0,   0.1,       0.3,          1e-4,     1e-5,
                                     0.0001, 0.5,    1e15,      1e16,         -1e15,    0.99999,
                                     1e22,   5e-324, 1.5,       123456789.25, 2.5e-5,   1e-300,
                                     100.01, 1e14,   1e14 + .5, 1 / 3.0,      2 / 3e-4, 9.995};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        is_right(numbers[i]);
        is_right(nextafter(numbers[i], INFINITY));
        is_right(nextafter(numbers[i], -INFINITY));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_digits),
        cmocka_unit_test(all_bits),
        cmocka_unit_test(borders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
