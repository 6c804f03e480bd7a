/*
 * test_uniques_counts.c - uniqueness from published counts: against every way in which few people
 * can have few values, against a published figure, and on a country of made-up postcodes whose
 * people are drawn one by one.
 */
#include "uniques_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NEAR = 1e-9;

/* ---- every assignment ---- */

/* People who share their value with at most k - 1 others, on average over all assignments. */
static double by_enumeration(int people, int values, int k)
{
    double sum = 0, all = pow(values, people);
    for (int number = 0; number < (int)all; number++) {
        int count[8] = {0};
        for (int i = 0, rest = number; i < people; i++, rest /= values)
            count[rest % values]++;
        for (int v = 0; v < values; v++)
            sum += count[v] <= k ? count[v] : 0;
    }
    return sum / all;
}

static void test_every_assignment(void **state)
{
    (void)state;
    for (int people = 1; people <= 6; people++)
        for (int values = 1; values <= 5; values++)
            for (int k = 1; k <= 7; k++)
                assert_float_equal(tacit_counted_alone(people, values, k),
                                   by_enumeration(people, values, k), NEAR);
}

/* ---- published, and large ---- */

/* J. D. Cook, Simulating identification by zip code, sex and birthdate (2018): ten simulations of
 * 9 330 people with 365 * 78 * 2 values left 84.3 to 85.7 % unique. */
static void test_published(void **state)
{
    (void)state;
    double share = tacit_counted_alone(9330, 365.0 * 78 * 2, 1) / 9330;
    assert_true(share > 0.843 && share < 0.857);
}

static void test_large(void **state)
{
    (void)state;
    assert_float_equal(tacit_counted_alone(1e6, 1e6, 1) / 1e6, exp(-1), 1e-5);
    assert_float_equal(tacit_counted_alone(1e6, 10, 1), 0, NEAR);
    assert_float_equal(tacit_counted_alone(1e6, 10, 90000), 0, NEAR);
    assert_float_equal(tacit_counted_alone(1e5, 10, 11000) / 1e5, 1, 1e-6);
    assert_float_equal(tacit_counted_alone(1e6, 1, 1), 0, 0);
    assert_float_equal(tacit_counted_alone(1, 1, 1), 1, 0);
    assert_float_equal(tacit_counted_alone(3, 1, 3), 3, 0);
}

/* ---- tables ---- */

static tacit_status count_text(tacit_counted *out, const char *csv, tacit_counted_case c,
                               tacit_error *err)
{
    tacit_run run;
    tacit_csv_options options;
    tacit_table *table = NULL;
    tacit_run_init(&run);
    tacit_csv_options_init(&options);
    tacit_status status =
        tacit_table_read_memory(&table, tacit_strview_of(csv), "counts", &options, &run, err);
    if (status == TACIT_OK)
        status = tacit_counted_of(out, table, &c, err);
    tacit_table_free(table);
    return status;
}

static void test_tables(void **state)
{
    (void)state;
    const tacit_counted_case c = {.people = 1, .values = 2, .times = 2, .k = 2};
    tacit_counted found = {0};
    tacit_error err = {0};
    assert_int_equal(
        count_text(&found, "g,n,y\na,6,3\nb,7,3\nc,,3\nd,5,\ne,0,1\nf,1,0.5\n", c, &err), TACIT_OK);
    assert_int_equal(found.groups, 3);
    assert_int_equal(found.unknown, 2);
    assert_float_equal(found.people, 14, 0);
    assert_int_equal(found.likely_groups, 2);
    assert_float_equal(found.likely, 7, 0);
    assert_float_equal(found.unique, 6 * pow(5.0 / 6, 5) + 7 * pow(5.0 / 6, 6) + 1, NEAR);
    assert_float_equal(found.below,
                       6 * (pow(5.0 / 6, 5) + 5.0 / 6 * pow(5.0 / 6, 4)) +
                           7 * (pow(5.0 / 6, 6) + pow(5.0 / 6, 5)) + 1,
                       NEAR);
}

static void test_bad(void **state)
{
    (void)state;
    static const char *const BAD[] = {"g,n\na,1\nb,x\n", "g,n\na,1\nb,-1\n", "g,n\na,1\nb,1.5\n",
                                      "g,n\na,1\nb,1e300\n"};
    const tacit_counted_case c = {.people = 1, .values = -1, .times = 1, .k = 1};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        tacit_counted found = {.groups = -7};
        tacit_error err = {0};
        assert_int_equal(count_text(&found, BAD[i], c, &err), TACIT_PARSE);
        assert_int_equal(err.line, 3);
        assert_int_equal(found.groups, -7);
        assert_null(strstr(err.message, "1.5"));
    }
}

/* ---- a country ---- */

enum { POSTCODES = 60, AGES = 8 };

/* Everybody draws a birthday and a sex; who is alone is counted. */
static double draw_unique(const int *sizes, const int *years, uint64_t *random)
{
    double unique = 0;
    for (int i = 0; i < POSTCODES * AGES; i++) {
        int values = years[i % AGES] * 730;
        unsigned char *count = calloc((size_t)values, 1);
        for (int person = 0; person < sizes[i]; person++) {
            unsigned char *c = &count[next_below(random, (uint32_t)values)];
            *c += *c < 2;
        }
        for (int v = 0; v < values; v++)
            unique += count[v] == 1;
        free(count);
    }
    return unique;
}

static void test_country(void **state)
{
    (void)state;
    static const int YEARS[AGES] = {12, 7, 6, 10, 10, 10, 10, 35};
    static const double SHARES[AGES] = {.175, .098, .093, .173, .151, .101, .085, .124};
    int sizes[POSTCODES * AGES];
    double people = 0, likely = 0;
    uint64_t random = 1;
    char *csv = malloc(POSTCODES * AGES * 32 + 32), *at = csv;
    at += sprintf(at, "postcode,years,people\n");
    for (int i = 0; i < POSTCODES * AGES; i++) {
        double u = (i / AGES + 0.5) / POSTCODES, all = 5000 * pow(u / (1 - u), 0.57);
        sizes[i] = (int)(all * SHARES[i % AGES] + 0.5);
        people += sizes[i];
        likely += sizes[i] <= YEARS[i % AGES] * 730 ? sizes[i] : 0;
        at += sprintf(at, "%d,%d,%d\n", i / AGES, YEARS[i % AGES], sizes[i]);
    }
    tacit_counted found = {0};
    const tacit_counted_case c = {.people = 2, .values = 1, .times = 730, .k = 1};
    assert_int_equal(count_text(&found, csv, c, NULL), TACIT_OK);
    assert_float_equal(found.people, people, 0);
    assert_float_equal(found.likely, likely, 0);
    double drawn = draw_unique(sizes, YEARS, &random);
    assert_true(fabs(drawn - found.unique) < 5 * sqrt(people)); /* beyond five deviations */
    assert_true(found.unique < found.likely);
    free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_assignment),
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_country),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
