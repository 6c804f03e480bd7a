/*
 * test_near_forms.c - methods and judge read amounts and dates of a column alike, each with code
 * of its own: random columns of written amounts, dates, and pieces of both put together.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <tacit/table.h>

#include "audit/models/models.h"
#include "base/random.h"
#include "base/strbuf.h"
#include "records/models/amounts.h"

static const char *const PIECES[] = {
    "$",   "EUR", "-", "+",  ".", ",",     "'",    " ",  "\xC2\xA0", "\xE2\x80\xAF", "0", "1", "12",
    "123", "000", "7", "kg", "J", "2020-", "-02-", "28", "1e3",      "Mar",          "/", "%"};

static int below(tacit__random *rng, int bound)
{
    return (int)tacit__random_below(rng, (uint32_t)bound);
}

static void add_value(tacit__strbuf *csv, tacit__random *rng, int sort)
{
    int day = 1 + below(rng, 28), month = 1 + below(rng, 12), year = 1990 + below(rng, 40);
    if (sort == 0)
        tacit__strbuf_format(csv, "%s%d,%03d.%02d%s", below(rng, 4) ? "$" : "", 1 + below(rng, 999),
                             below(rng, 1000), day, below(rng, 5) ? "" : " kg");
    else if (sort == 1)
        tacit__strbuf_format(csv, "%d.%03d,%d EUR", 1 + below(rng, 999), below(rng, 1000), day);
    else if (sort == 2)
        tacit__strbuf_format(csv, "%d-%02d-%02d", year, month, day);
    else if (sort == 3)
        tacit__strbuf_format(csv, "%d/%d/%d", day, month, year);
    else
        for (int i = below(rng, 6); i >= 0; i--)
            tacit__strbuf_text(csv, PIECES[below(rng, sizeof PIECES / sizeof *PIECES)]);
}

/* How many numbers the column has; days are compared by how far they are apart. */
static int compare(const tacit_table *table)
{
    tacit__amounts method = tacit__amounts_of(table, 0);
    tacit__near_form judge = tacit__near_form_of(table, 0);
    double apart = NAN;
    int numbers = 0;
    assert_int_equal(method.dates, judge.days);
    for (uint32_t code = 0; code < tacit_table_distinct(table, 0); code++) {
        tacit_strview text = tacit_table_value(table, 0, code);
        double a = tacit__amount_read(&method, text), b = tacit__near_read(&judge, text);
        if (isnan(a) && isnan(b))
            continue;
        if (isnan(apart))
            apart = method.dates ? a - b : 0;
        if (!(fabs(a - b - apart) <= 1e-9 * (1 + fabs(a))))
            fail_msg("\"%.*s\" is %.12g and %.12g", (int)text.len, text.bytes, a, b);
        numbers++;
    }
    return numbers;
}

static void test_read_alike(void **state)
{
    (void)state;
    tacit__random rng;
    int numbers = 0;
    const tacit_run run = {.seed = {26}};
    tacit__random_init(&rng, &run, "near forms", 0);
    for (int round = 0; round < 4000; round++) {
        tacit__strbuf csv = {0};
        tacit_csv_options options;
        tacit_error err = {0};
        tacit_table *table = NULL;
        int sort = round % 6;
        tacit__strbuf_text(&csv, "d\n");
        for (int row = 0; row < 6; row++) {
            tacit__strbuf_text(&csv, "\"");
            add_value(&csv, &rng, sort == 5 ? below(&rng, 5) : sort);
            tacit__strbuf_text(&csv, "\"\n");
        }
        tacit_csv_options_init(&options);
        options.delimiter = ';';
        if (tacit_table_read_memory(&table, (tacit_strview){csv.bytes, csv.len}, "d.csv", &options,
                                    NULL, &err))
            fail_msg("%s", err.message);
        numbers += compare(table);
        tacit_table_free(table);
        tacit__strbuf_clear(&csv);
    }
    assert_in_range(numbers, 10000, 24000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
