/*
 * test_growth.c - files that say much more than they hold: one text that every cell names, columns
 * that are computed, a code that stands in every row, what is compressed. The text that readers
 * make of them stays within its bound, whatever it is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "formats_case.h"

static const char *const growing[] = {"one-text.dta", "one-text.xlsx", "computed.sqlite",
                                      "one-code.px",  "csv.gz",        "csv.zst"};

static void stays_within(const char *name, uint64_t most)
{
    char path[512];
    tacit__input file = {0};
    tacit_error err = {0};
    tacit_schema *schema = NULL;
    const tacit_format *format = tacit_format_of_name(name);
    tacit__format_text text = {.most = most};
    snprintf(path, sizeof path, CORPUS "%s", name);
    assert_int_equal(tacit__input_open(&file, path, 1 << 20, NULL, &err), TACIT_OK);
    assert_int_equal(tacit__schema_new(&schema, format, &err), TACIT_OK);
    const tacit__format_input input = {.bytes = {file.bytes, file.len}, .name = name, .path = path};
    assert_int_not_equal(format->read(&text, schema, &input, &err), TACIT_OK);
    assert_true(text.csv.len <= most);
    tacit__strbuf_clear(&text.csv);
    tacit_schema_free(schema);
    tacit__input_close(&file);
}

static void is_bounded(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(growing); i++)
        for (uint64_t most = 1; most < 20000; most *= 7)
            if (i < 4 || most < 10)
                stays_within(growing[i], most);
}

static void is_read_otherwise(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(growing); i++) {
        char path[512];
        snprintf(path, sizeof path, CORPUS "%s", growing[i]);
        tacit_table_free(read_file(path));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_bounded),
        cmocka_unit_test(is_read_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
