/*
 * test_values.c - values as text in one form and back, with the C library's calendar as the judge.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "formats/values.h"

static void says(tacit__value_text text, const char *wanted)
{
    assert_int_equal(text.len, strlen(wanted));
    assert_memory_equal(text.bytes, wanted, text.len);
}

static void writes(void **state)
{
    (void)state;
    says(tacit__integer_text(INT64_MIN), "-9223372036854775808");
    says(tacit__real_text(0.1), "0.1");
    says(tacit__real_text(-12), "-12");
    says(tacit__real_text(9007199254740993.0), "9007199254740992");
    says(tacit__date_text(0), "1970-01-01");
    says(tacit__date_text(-719162), "0001-01-01");
    says(tacit__date_text(2932896), "9999-12-31");
    assert_int_equal(tacit__date_text(2932897).len, 0);
    assert_int_equal(tacit__date_text(INT64_MIN).len, 0);
    says(tacit__time_text(INT64_C(86399999999999)), "23:59:59.999999999");
    says(tacit__moment_text(-1, 500000000, true), "1969-12-31T23:59:59.5Z");
    says(tacit__decimal_text(-5, 2), "-0.05");
    says(tacit__decimal_text(12345, 2), "123.45");
    says(tacit__decimal_text(INT64_MIN, 18), "-9.223372036854775808");
}

/* Every day of the years 1 to 9999 is what the C library says it is, and reads back. */
static void dates(void **state)
{
    (void)state;
    for (int64_t day = -719162; day <= 2932896; day += 13) {
        time_t seconds = (time_t)(day * 86400);
        struct tm parts;
        char wanted[32];
        int64_t again = 0;
        gmtime_r(&seconds, &parts);
        snprintf(wanted, sizeof wanted, "%04d-%02d-%02d", parts.tm_year + 1900, parts.tm_mon + 1,
                 parts.tm_mday);
        says(tacit__date_text(day), wanted);
        assert_true(tacit__date_of(&again, tacit_strview_of(wanted)));
        assert_int_equal(again, day);
    }
}

static bool is(tacit__type type, const char *cell)
{
    return tacit__is_value(type, 2, tacit_strview_of(cell));
}

static void one_form(void **state)
{
    (void)state;
    static const struct {
        tacit__type type;
        const char *yes[5], *no[9];
    } cases[] = {
        {TACIT__TYPE_INTEGER,
         {"0", "-7", "9223372036854775807", "-9223372036854775808"},
         {"", "-", "007", "+7", "-0", "7.0", "1e3", "9223372036854775808", " 7"}},
        {TACIT__TYPE_REAL,
         {"0", "0.5", "-1.25", "1e+300", "3"},
         {"", ".5", "0.50", "1,5", "nan", "inf", "0x10", "1e999", "--1"}},
        {TACIT__TYPE_DECIMAL,
         {"0.00", "-0.05", "123.45"},
         {"", "0", "0.5", "0.500", ".50", "-0.00", "00.50", "1e2", "1.2.3"}},
        {TACIT__TYPE_BOOLEAN, {"true", "false"}, {"", "True", "1", "truer"}},
        {TACIT__TYPE_DATE,
         {"1965-09-20", "0001-01-01", "2000-02-29"},
         {"", "1965-9-20", "1965-02-29", "1900-02-29", "0000-01-01", "1965-13-01", "1965/09/20",
          "1960-1969", "19650920"}},
        {TACIT__TYPE_TIME,
         {"00:00:00", "23:59:59.5", "05:06:07.000000001"},
         {"", "24:00:00", "5:06:07", "05:06", "05:06:07.50", "05:06:60", "05:06:07."}},
        {TACIT__TYPE_MOMENT,
         {"1965-09-20T05:06:07", "1965-09-20T05:06:07.25Z"},
         {"", "1965-09-20", "1965-09-20 05:06:07", "1965-09-20T05:06:07+01:00", "Z"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t j = 0; j < 5 && cases[i].yes[j]; j++)
            if (!is(cases[i].type, cases[i].yes[j]))
                fail_msg("type %d: %s is a value", (int)cases[i].type, cases[i].yes[j]);
        for (size_t j = 0; j < 9 && cases[i].no[j]; j++)
            if (is(cases[i].type, cases[i].no[j]))
                fail_msg("type %d: %s is no value", (int)cases[i].type, cases[i].no[j]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes),
        cmocka_unit_test(dates),
        cmocka_unit_test(one_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
