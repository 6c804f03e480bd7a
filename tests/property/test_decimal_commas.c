/*
 * test_decimal_commas.c - numbers with commas against the same numbers with points: intervals of a
 * column are the same but for the way they are written. Whether a column is read with commas, by
 * the methods, by the judge and by definition (regular expressions) on random texts.
 */
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "audit/rows/rows.h"
#include "base/random.h"
#include "hierarchy/written.h"
#include "hierarchy_support.h"
#include "random_cases.h"

enum { MOST = 8, LONGEST = 24 };

static void init_random(tacit__random *random, uint64_t seed)
{
    tacit_run run;
    tacit_run_init(&run);
    tacit_run_seed_number(&run, seed);
    tacit__random_init(random, &run, "cma ", 0);
}

static bool matches(const char *text, const char *pattern)
{
    regex_t expression;
    assert_int_equal(regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB), 0);
    bool found = regexec(&expression, text, 0, NULL, 0) == 0;
    regfree(&expression);
    return found;
}

#define EXPONENT "([eE][+-]?[0-9]+)?$"

/* By definition: ',' where a value can only be a number with a comma before decimals, and none
 * can only be one without. */
static char point_by_definition(char texts[][LONGEST], size_t count)
{
    bool comma = false, point = false;
    for (size_t i = 0; i < count; i++) {
        const char *text = texts[i];
        bool thousand = matches(text, "^[+-]?[1-9][0-9]{0,2},[0-9]{3}$");
        comma |= matches(text, "^[+-]?([0-9.]*,[0-9]+|[0-9.]*[0-9][0-9.]*,)" EXPONENT) && !thousand;
        point |= matches(text, "^[+-]?([0-9]*[.][0-9]+|[0-9]+[.])" EXPONENT) ||
                 matches(text, "^[+-]?[0-9]*,[0-9]*[.][0-9]+" EXPONENT) ||
                 matches(text, "^[+-]?[0-9]*,[0-9]*[0-9][.]" EXPONENT) ||
                 matches(text, "^[+-]?[0-9]+,[0-9]*[.]" EXPONENT);
    }
    return comma && !point ? ',' : '.';
}

/* Texts of one comma and one point at most: what more of them mean is no number for anybody. Nor is
 * what exceeds a double, to the judge. */
static void make_text(char *text, tacit__random *random)
{
    static const char others[] = "0129259e-+";
    uint32_t len = 1 + tacit__random_below(random, 8), commas = 0, points = 0;
    for (uint32_t i = 0; i < len; i++) {
        uint32_t kind = tacit__random_below(random, 12);
        text[i] = kind < 2 && !commas++    ? ','
                  : kind == 2 && !points++ ? '.'
                  : kind < 11              ? (char)('0' + tacit__random_below(random, 10))
                                           : others[tacit__random_below(random, sizeof others - 1)];
    }
    text[len] = '\0';
    if (matches(text, "[eE][+-]?[0-9]{3}"))
        strcpy(text, "1");
}

static void test_signs(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(4000); ++*seed) {
        tacit__random random;
        char texts[MOST][LONGEST];
        const char *values[MOST];
        init_random(&random, *seed);
        size_t count = 1 + tacit__random_below(&random, 3);
        tacit__number_signs signs = {0};
        for (size_t i = 0; i < count; i++) {
            make_text(texts[i], &random);
            values[i] = texts[i];
            tacit__number_signs_add(&signs, (uint32_t)i, tacit_strview_of(texts[i]));
        }
        values_table table = values_table_new(values, count);
        char due = point_by_definition(texts, count);
        if (tacit__number_signs_point(&signs) != due ||
            tacit__rows_point(table.table, VALUES_COLUMN) != due)
            fail_msg("%s (and %zu more): %c by the methods, %c by the judge, %c by definition",
                     texts[0], count - 1, tacit__number_signs_point(&signs),
                     tacit__rows_point(table.table, VALUES_COLUMN), due);
        values_table_free(&table);
    }
    *seed = 0;
}

/* [20.5, 21) as [20,5; 21). */
static void with_commas(char *out, tacit_strview label)
{
    for (size_t i = 0; i < label.len; i++)
        out[i] = label.bytes[i] == ',' ? ';' : label.bytes[i] == '.' ? ',' : label.bytes[i];
    out[label.len] = '\0';
}

static void assert_same_levels(const tacit_hierarchy *points, const tacit_hierarchy *commas,
                               uint32_t distinct)
{
    assert_int_equal(tacit_hierarchy_height(points), tacit_hierarchy_height(commas));
    for (int level = 1; level <= tacit_hierarchy_height(points); level++) {
        assert_int_equal(tacit_hierarchy_count(points, level),
                         tacit_hierarchy_count(commas, level));
        assert_memory_equal(tacit_hierarchy_map(points, level), tacit_hierarchy_map(commas, level),
                            (distinct + 1) * sizeof(uint32_t));
        for (uint32_t i = 0; i < tacit_hierarchy_count(points, level); i++) {
            char due[128];
            with_commas(due, tacit_hierarchy_label(points, level, i));
            assert_true(tacit_strview_equal(tacit_hierarchy_label(commas, level, i),
                                            tacit_strview_of(due)));
        }
    }
}

static void test_intervals(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(2000); ++*seed) {
        tacit__random random;
        char texts[2][MOST][LONGEST];
        const char *values[2][MOST];
        tacit_hierarchy *made[2] = {NULL, NULL};
        values_table tables[2];
        init_random(&random, *seed);
        size_t count = 1 + tacit__random_below(&random, MOST - 1);
        for (size_t i = 0; i <= count; i++) {
            /* the last one tells */
            int decimals = i == count ? 2 : (int)tacit__random_below(&random, 4);
            double number = ((double)tacit__random_below(&random, 40000) - 20000) / 1000;
            snprintf(texts[0][i], LONGEST, "%.*f", decimals, number);
            with_commas(texts[1][i], tacit_strview_of(texts[0][i]));
            values[0][i] = texts[0][i];
            values[1][i] = texts[1][i];
        }
        tacit_hierarchy_spec spec = {.kind = TACIT_HIERARCHY_INTERVAL,
                                     .widths = {0.5, 5, 20},
                                     .width_count = 3,
                                     .origin = 0.25};
        for (int i = 0; i < 2; i++) {
            tacit_error err = {0};
            tables[i] = values_table_new(values[i], count + 1);
            if (tacit_hierarchy_new(&made[i], &spec, tables[i].table, VALUES_COLUMN, &err))
                fail_msg("%s", err.message);
        }
        assert_same_levels(made[0], made[1], tacit_table_distinct(tables[0].table, VALUES_COLUMN));
        for (int i = 0; i < 2; i++) {
            tacit_hierarchy_free(made[i]);
            values_table_free(&tables[i]);
        }
    }
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        random_test(test_signs, &seed),
        random_test(test_intervals, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
