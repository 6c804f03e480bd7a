/*
 * test_hierarchy_rules.c - the rules (none, mask, interval, date): what values
 * become on each level, what is refused, and how a rule is written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hierarchy/written.h"
#include "hierarchy_support.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { MAX = 64 };

/* Cuts a list at each '|'. */
static size_t cut(const char **out, char *text)
{
    size_t count = 0;
    for (char *at = text; at; count++) {
        char *next = strchr(at, '|');
        if (next)
            *next++ = '\0';
        out[count] = at;
        at = next;
    }
    return count;
}

static tacit_status bind(tacit_hierarchy **out, values_table *values, const char *rule,
                         bool no_suppression, const char *list, tacit_error *err)
{
    char copy[1024];
    const char *words[MAX];
    snprintf(copy, sizeof copy, "%s", list);
    *values = values_table_new(words, cut(words, copy));
    tacit_hierarchy_spec spec = {.no_suppression = no_suppression};
    tacit_status status = tacit_hierarchy_spec_parse(&spec, rule, NULL, err);
    if (status == TACIT_OK)
        status = tacit_hierarchy_new(out, &spec, values->table, VALUES_COLUMN, err);
    tacit_hierarchy_spec_clear(&spec);
    return status;
}

/* levels: from level 1 to the top, the labels of the values in order. */
static void assert_levels(const char *rule, bool no_suppression, const char *list,
                          const char *const *levels, int height)
{
    tacit_hierarchy *h = NULL;
    values_table values;
    tacit_error err = {.show_values = true};
    assert_int_equal(bind(&h, &values, rule, no_suppression, list, &err), TACIT_OK);
    assert_int_equal(tacit_hierarchy_height(h), height);
    assert_null(hierarchy_problem(h, values.table, VALUES_COLUMN));
    uint32_t distinct = tacit_table_distinct(values.table, VALUES_COLUMN);
    assert_int_equal(tacit_hierarchy_leaves(h), distinct);
    for (int level = 1; level <= height; level++) {
        char copy[1024], text[64];
        const char *words[MAX];
        snprintf(copy, sizeof copy, "%s", levels[level - 1]);
        assert_int_equal(cut(words, copy), distinct);
        for (uint32_t c = 0; c < distinct; c++)
            assert_string_equal(label_of(h, level, c, text, sizeof text), words[c]);
        /* missing keeps to itself below the top */
        uint32_t number = tacit_hierarchy_map(h, level)[distinct];
        assert_int_equal(number, level == height ? 0 : tacit_hierarchy_count(h, level));
    }
    tacit_hierarchy_free(h);
    values_table_free(&values);
}

#define ASSERT_LEVELS(rule, list, ...)                                  \
    do {                                                                \
        const char *levels_[] = {__VA_ARGS__};                          \
        assert_levels(rule, false, list, levels_, (int)COUNT(levels_)); \
    } while (0)

#define ASSERT_BARE_LEVELS(rule, list, ...)                            \
    do {                                                               \
        const char *levels_[] = {__VA_ARGS__};                         \
        assert_levels(rule, true, list, levels_, (int)COUNT(levels_)); \
    } while (0)

static void assert_refused(const char *rule, bool no_suppression, const char *list,
                           tacit_status status, const char *message)
{
    tacit_hierarchy *h = NULL;
    values_table values;
    tacit_error err = {.show_values = true};
    char text[1024];
    assert_int_equal(bind(&h, &values, rule, no_suppression, list, &err), status);
    assert_string_equal(tacit_error_format(&err, text, sizeof text), message);
    assert_null(h);
    values_table_free(&values);
}

static void none(void **state)
{
    (void)state;
    ASSERT_LEVELS("none", "a", "*");
    ASSERT_LEVELS("none", "a|a", "*");
    ASSERT_LEVELS("none", "a|b|", "*|*");
    assert_refused(
        "none", true, "a|b", TACIT_INVALID,
        "data.csv: column \"V\" has no level above its values and may not be suppressed; "
        "give it a hierarchy or allow suppression");
}

static void no_values(void **state)
{
    (void)state;
    const char *rules[] = {"none", "mask:right", "interval:0/5,10", "date"};
    const int heights[] = {1, 1, 3, 5};
    for (size_t i = 0; i < COUNT(rules); i++)
        for (int bare = 0; bare < (i ? 2 : 1); bare++) {
            tacit_hierarchy *h = NULL;
            values_table values;
            assert_int_equal(bind(&h, &values, rules[i], bare, "", NULL), TACIT_OK);
            int height = tacit_hierarchy_height(h);
            assert_int_equal(height, heights[i] - (bare && i > 1));
            assert_null(hierarchy_problem(h, values.table, VALUES_COLUMN));
            char text[8];
            assert_string_equal(label_of(h, height, 0, text, sizeof text), "*");
            tacit_hierarchy_free(h);
            values_table_free(&values);
        }
}

static void mask(void **state)
{
    (void)state;
    ASSERT_LEVELS("mask:right", "02138|02139|02141", "0213*|0213*|0214*", "021**|021**|021**",
                  "02***|02***|02***", "0****|0****|0****", "*|*|*");
    ASSERT_LEVELS("mask", "7", "*");
    ASSERT_LEVELS("mask:left", "02138|12138", "*2138|*2138", "**138|**138", "***38|***38",
                  "****8|****8", "*|*");
    /* its highest level is `*` already, whether suppression is allowed or not */
    ASSERT_BARE_LEVELS("mask:right", "12|34", "1*|3*", "*|*");
    /* shorter values stay themselves until the mask reaches them */
    ASSERT_LEVELS("mask:right", "1234|12|13|1", "123*|12|13|1", "12**|12**|13**|1",
                  "1***|1***|1***|1***", "*|*|*|*");
    ASSERT_LEVELS("mask:left", "105|5|45", "*05|5|*45", "**5|**5|**5", "*|*|*");
    /* characters, not bytes */
    ASSERT_LEVELS("mask:right", "\xC3\xA4\xC3\xB6|\xC3\xA4\xE2\x82\xAC", "\xC3\xA4*|\xC3\xA4*",
                  "*|*");
    ASSERT_LEVELS("mask:left", "a\xF0\x9F\x98\x80|b\xF0\x9F\x98\x80",
                  "*\xF0\x9F\x98\x80|*\xF0\x9F\x98\x80", "*|*");
    /* values that hold stars already */
    ASSERT_LEVELS("mask:right", "021**|02138|*", "021**|0213*|*", "021**|021**|*", "02***|02***|*",
                  "0****|0****|*****", "*|*|*");
}

static void mask_refused(void **state)
{
    (void)state;
    char list[256] = "short|";
    memset(list + 6, 'x', TACIT_MAX_LEVELS);
    assert_refused(
        "mask:right", false, list, TACIT_LIMIT,
        "data.csv:3: \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\" in column \"V\" has "
        "64 characters, and a mask at most 63; use a hierarchy file or no hierarchy");
    list[6 + TACIT_MAX_LEVELS - 1] = '\0';
    tacit_hierarchy *h = NULL;
    values_table values;
    assert_int_equal(bind(&h, &values, "mask:right", false, list, NULL), TACIT_OK);
    assert_int_equal(tacit_hierarchy_height(h), TACIT_MAX_LEVELS - 1);
    tacit_hierarchy_free(h);
    values_table_free(&values);
}

static void interval_whole(void **state)
{
    (void)state;
    ASSERT_LEVELS("interval:0/5,10,20", "20|24|25|39|0", "20-24|20-24|25-29|35-39|0-4",
                  "20-29|20-29|20-29|30-39|0-9", "20-39|20-39|20-39|20-39|0-19", "*|*|*|*|*");
    ASSERT_LEVELS("interval:2/5", "2|6|7|1", "2-6|2-6|7-11|-3 to 1", "*|*|*|*");
    ASSERT_LEVELS("interval:0/5,10", "-1|-5|-6|0", "-5 to -1|-5 to -1|-10 to -6|0-4",
                  "-10 to -1|-10 to -1|-10 to -1|0-9", "*|*|*|*");
    ASSERT_LEVELS("interval:0/1,10", "7|8", "7|8", "0-9|0-9", "*|*");
    /* one number written in several ways */
    ASSERT_LEVELS("interval:0/500", "1e3|1000|1000.0| +1000 |10E+2|100000e-2",
                  "1000-1499|1000-1499|1000-1499|1000-1499|1000-1499|1000-1499", "*|*|*|*|*|*");
    ASSERT_BARE_LEVELS("interval:0/5,10", "3|9", "0-4|5-9", "0-9|0-9");
}

static void interval_decimal(void **state)
{
    (void)state;
    ASSERT_LEVELS("interval:0/0.5,1", "20.5|20.99|21|-0.1",
                  "[20.5, 21)|[20.5, 21)|[21, 21.5)|[-0.5, 0)",
                  "[20, 21)|[20, 21)|[21, 22)|[-1, 0)", "*|*|*|*");
    /* decimals in the data alone make decimal labels too */
    ASSERT_LEVELS("interval:0/5", "3|3.5|-.001|4.99999999999999999999",
                  "[0, 5)|[0, 5)|[-5, 0)|[0, 5)", "*|*|*|*");
    /* edges that doubles miss: 0.3 / 0.1 is less than 3, 0.7 / 0.1 too */
    ASSERT_LEVELS("interval:0/0.1", "0.3|0.29|0.7|0.6",
                  "[0.3, 0.4)|[0.2, 0.3)|[0.7, 0.8)|[0.6, 0.7)", "*|*|*|*");
    ASSERT_LEVELS("interval:0.25/0.25", "0.25|0.5|0.4999", "[0.25, 0.5)|[0.5, 0.75)|[0.25, 0.5)",
                  "*|*|*");
}

/* The whole column tells whether a comma is before decimals, or the rule. */
static void interval_commas(void **state)
{
    (void)state;
    ASSERT_LEVELS("interval:0/0.5,1", "20,5|20,99|21|-0,1",
                  "[20,5; 21)|[20,5; 21)|[21; 21,5)|[-0,5; 0)",
                  "[20; 21)|[20; 21)|[21; 22)|[-1; 0)", "*|*|*|*");
    ASSERT_LEVELS("interval:0/1", "1,234|12,5", "[1; 2)|[12; 13)", "*|*");
    ASSERT_LEVELS("interval:0/1", "1,234|0,125", "[1; 2)|[0; 1)", "*|*");
    ASSERT_LEVELS("interval:0/1/comma", "1,234|2", "[1; 2)|[2; 3)", "*|*");
    ASSERT_LEVELS("interval:0/5/comma", "3,0|7", "0-4|5-9", "*|*");
    ASSERT_LEVELS("interval:0/1/point", "1.234|2", "[1, 2)|[2, 3)", "*|*");
    assert_refused("interval:0/5", false, "7|1,234|-2,345", TACIT_INVALID,
                   "data.csv:3: \"1,234\" in column \"V\" has a comma before decimals or before "
                   "thousands, and no number of the column shows which: declare decimals in the "
                   "policy, hierarchy: {interval: {decimal: comma, widths: ...}}, or with "
                   "--hierarchy NAME=interval:0/WIDTHS/comma, or write thousands without commas");
    assert_refused("interval:0/5", false, "1,5|2.5", TACIT_PARSE,
                   "data.csv:3: \"2.5\" in column \"V\" has no comma before decimals, and a number "
                   "before it one: write all of them in one way");
    assert_refused("interval:0/5", false, "1,5|1,234,567", TACIT_PARSE,
                   "data.csv:3: \"1,234,567\" in column \"V\" has no comma before decimals, and a "
                   "number before it one: write all of them in one way");
    assert_refused("interval:0/5", false, "1.5|1,234", TACIT_PARSE,
                   "data.csv:3: \"1,234\" in column \"V\" is not a number; intervals need numbers "
                   "such as 20, -3.5 or 1e3, or an empty field where there is none");
    assert_refused("interval:0/5/comma", false, "1,5|2.5", TACIT_PARSE,
                   "data.csv:3: \"2.5\" in column \"V\" is not a number; intervals need numbers "
                   "such as 20, -3.5 or 1e3, or an empty field where there is none");
}

static void interval_refused(void **state)
{
    (void)state;
    const char *bad[] = {"x",   "1;5",   "nan", "inf", "0x10", "1e",
                         "--1", "1.2.3", ".",   "-",   "1 2",  "e5"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        char list[64], message[512];
        snprintf(list, sizeof list, "17|%s", bad[i]);
        snprintf(message, sizeof message,
                 "data.csv:3: \"%s\" in column \"V\" is not a number; intervals need numbers such "
                 "as 20, -3.5 or 1e3, or an empty field where there is none",
                 bad[i]);
        assert_refused("interval:0/5", false, list, TACIT_PARSE, message);
    }
    /* also where only the end of the interval is beyond what can be read back */
    const char *large[] = {"1e300", "1000000000000000001", "99999999999999999999", "-1e99999999999",
                           "1000000000000000000"};
    for (size_t i = 0; i < COUNT(large); i++) {
        char message[512];
        snprintf(message, sizeof message,
                 "data.csv:2: \"%s\" in column \"V\" is too large a number for intervals",
                 large[i]);
        assert_refused("interval:0/5", false, large[i], TACIT_PARSE, message);
    }
    assert_refused("interval:0/5,10", true, "3|9|12", TACIT_INVALID,
                   "data.csv: column \"V\" has several roots: its highest level holds 2 values; "
                   "allow suppression or give it a level that "
                   "holds one");
    ASSERT_LEVELS("interval:0/5", "1e-99999|0e99999|999999999999999999",
                  "[0, 5)|[0, 5)|[999999999999999995, 1000000000000000000)", "*|*|*");
}

static void date(void **state)
{
    (void)state;
    /* every written form of one day is a value of its own, and meets on level 1 */
    ASSERT_LEVELS("date",
                  "1965-09-20|19650920|9/20/1965|09/20/65|20.09.1965|20.9.65|20 Sep 1965|Sep 20, "
                  "1965|September 20, 1965|20-SEP-65|sept. 20 1965|1965/9/20| 1965-9-20 ",
                  "1965-09|1965-09|1965-09|1965-09|1965-09|1965-09|1965-09|1965-09|1965-09|1965-09|"
                  "1965-09|1965-09|1965-09",
                  "1965|1965|1965|1965|1965|1965|1965|1965|1965|1965|1965|1965|1965",
                  "1965-1969|1965-1969|1965-1969|1965-1969|1965-1969|1965-1969|1965-1969|1965-1969|"
                  "1965-1969|1965-1969|1965-1969|1965-1969|1965-1969",
                  "1960-1969|1960-1969|1960-1969|1960-1969|1960-1969|1960-1969|1960-1969|1960-1969|"
                  "1960-1969|1960-1969|1960-1969|1960-1969|1960-1969",
                  "*|*|*|*|*|*|*|*|*|*|*|*|*");
    /* less precise dates join where their precision allows */
    ASSERT_LEVELS("date", "1965-09-20|9/1965|1965-09|09.1965|Sep 1965|1965",
                  "1965-09|1965-09|1965-09|1965-09|1965-09|1965", "1965|1965|1965|1965|1965|1965",
                  "1965-1969|1965-1969|1965-1969|1965-1969|1965-1969|1965-1969",
                  "1960-1969|1960-1969|1960-1969|1960-1969|1960-1969|1960-1969", "*|*|*|*|*|*");
    /* edges of levels, and years of two digits around the pivot */
    ASSERT_LEVELS("date", "1964-12-31|1970-01-01|1/1/30|1/1/29|2/29/2000",
                  "1964-12|1970-01|1930-01|2029-01|2000-02", "1964|1970|1930|2029|2000",
                  "1960-1964|1970-1974|1930-1934|2025-2029|2000-2004",
                  "1960-1969|1970-1979|1930-1939|2020-2029|2000-2009", "*|*|*|*|*");
    ASSERT_BARE_LEVELS("date", "1964-12-31|1965-01-01", "1964-12|1965-01", "1964|1965",
                       "1960-1964|1965-1969", "1960-1969|1960-1969");
}

/* Sweeney, Figure 38: windows of 2, 4, 6, 12 and 24 months; 6 is no multiple of 4. */
static void date_windows(void **state)
{
    (void)state;
    ASSERT_BARE_LEVELS("date:2,4,12,24", "1964-12-31|9/20/1965|1965-08|1965|1965-01-02",
                       "1964-11 to 1964-12|1965-09 to 1965-10|1965-07 to 1965-08|1965|1965-01 to "
                       "1965-02",
                       "1964-09 to 1964-12|1965-09 to 1965-12|1965-05 to 1965-08|1965|1965-01 to "
                       "1965-04",
                       "1964|1965|1965|1965|1965",
                       "1964-1965|1964-1965|1964-1965|1964-1965|1964-1965");
    ASSERT_BARE_LEVELS("date:day-first/6,12,24", "05/10/1954|6/1/1955",
                       "1954-07 to 1954-12|1955-01 to 1955-06", "1954|1955", "1954-1955|1954-1955");
    /* the usual levels, declared */
    ASSERT_BARE_LEVELS("date:1,12,60,120", "1964-12-31|1965-01-01|1965", "1964-12|1965-01|1965",
                       "1964|1965|1965", "1960-1964|1965-1969|1965-1969",
                       "1960-1969|1960-1969|1960-1969");
    /* a window may end beyond the years that can be written */
    ASSERT_LEVELS("date:36", "9999", "9999-10001", "*");
    assert_refused("date:4,12", true, "1964|1965", TACIT_INVALID,
                   "data.csv: column \"V\" has several roots: its highest level holds 2 values; "
                   "allow suppression or give it a level that "
                   "holds one");
}

static void date_times(void **state)
{
    (void)state;
    /* from above the most precise value on, whatever the zone */
    ASSERT_LEVELS("date:12",
                  "2021-03-04T05:06:07Z|2021-03-04 05:06:59+02:00|2021-03-04T05:59|20210304T050607|"
                  "3/4/2021 5:06 PM|4.3.2021 12:00:00am|2021-03-04T05|2021-03-04|2021-03|2021|"
                  "3/20/2021",
                  "2021-03-04T05:06|2021-03-04T05:06|2021-03-04T05:59|2021-03-04T05:06|"
                  "2021-03-04T17:06|2021-03-04T00:00|2021-03-04T05|2021-03-04|2021-03|2021|"
                  "2021-03-20",
                  "2021-03-04T05|2021-03-04T05|2021-03-04T05|2021-03-04T05|2021-03-04T17|"
                  "2021-03-04T00|2021-03-04T05|2021-03-04|2021-03|2021|2021-03-20",
                  "2021-03-04|2021-03-04|2021-03-04|2021-03-04|2021-03-04|2021-03-04|2021-03-04|"
                  "2021-03-04|2021-03|2021|2021-03-20",
                  "2021|2021|2021|2021|2021|2021|2021|2021|2021|2021|2021",
                  "*|*|*|*|*|*|*|*|*|*|*");
    ASSERT_LEVELS("date:12", "2021-03-04 05:06:07.125-0500|2021-03-04T05:06:07,9 UTC",
                  "2021-03-04T05:06:07|2021-03-04T05:06:07", "2021-03-04T05:06|2021-03-04T05:06",
                  "2021-03-04T05|2021-03-04T05", "2021-03-04|2021-03-04", "2021|2021", "*|*");
    ASSERT_LEVELS("date:12", "2021-03-04 23:30|2021-03-05T00:30+02", "2021-03-04T23|2021-03-05T00",
                  "2021-03-04|2021-03-05", "2021|2021", "*|*");
    const char *none[] = {"2021-03-04 24:00", "2021-03-04 05:60", "2021-03-04 05:06:60",
                          "2021-03-04 13:00 PM", "2021-03-04 0:30 am"};
    for (size_t i = 0; i < COUNT(none); i++) {
        char message[256];
        snprintf(message, sizeof message,
                 "data.csv:2: \"%s\" in column \"V\" names a time of day that there is not; hours "
                 "are 0 to 23, or 1 to 12 with AM or PM, minutes and seconds 0 to 59",
                 none[i]);
        assert_refused("date", false, none[i], TACIT_PARSE, message);
    }
}

static void date_months(void **state)
{
    (void)state;
    const char *names[] = {"jan",  "Febr", "MAR",  "april", "May",      "jun",
                           "July", "aug",  "Sept", "OCT",   "november", "Dec"};
    for (int i = 0; i < 12; i++) {
        char text[32];
        tacit__hierarchy_date parsed;
        snprintf(text, sizeof text, "3 %s 2001", names[i]);
        assert_int_equal(tacit__date_parse(&parsed, tacit_strview_of(text), TACIT_DATES_TELL),
                         TACIT__DATE_OK);
        assert_int_equal(parsed.month, i + 1);
        assert_int_equal(parsed.day, 3);
        assert_int_equal(parsed.year, 2001);
    }
}

/* What comes first with slashes: declared, or told by the whole column, whichever value tells. */
static void date_orders(void **state)
{
    (void)state;
    ASSERT_BARE_LEVELS("date", "05/10/1954|20/9/1954|1.2.1954", "1954-10|1954-09|1954-02",
                       "1954|1954|1954", "1950-1954|1950-1954|1950-1954",
                       "1950-1959|1950-1959|1950-1959");
    ASSERT_BARE_LEVELS("date", "05/10/1954|9/20/54|1.2.1954", "1954-05|1954-09|1954-02",
                       "1954|1954|1954", "1950-1954|1950-1954|1950-1954",
                       "1950-1959|1950-1959|1950-1959");
    ASSERT_BARE_LEVELS("date:day-first", "05/10/1954", "1954-10", "1954", "1950-1954", "1950-1959");
    ASSERT_BARE_LEVELS("date:month-first", "05/10/1954", "1954-05", "1954", "1950-1954",
                       "1950-1959");
    /* the same either way */
    ASSERT_BARE_LEVELS("date", "5/5/1954|12/12/54", "1954-05|1954-12", "1954|1954",
                       "1950-1954|1950-1954", "1950-1959|1950-1959");
    /* the calendar tells too: there is no 30 February */
    ASSERT_BARE_LEVELS("date", "2/1/1954|30/1/1954", "1954-01|1954-01", "1954|1954",
                       "1950-1954|1950-1954", "1950-1959|1950-1959");
    assert_refused(
        "date", false, "1954|5/5/1954|05/10/1954", TACIT_INVALID,
        "data.csv:4: \"05/10/1954\" in column \"V\" can be read with the day or the month first, "
        "and no date of the column shows which: declare it in the policy, hierarchy: {date: "
        "{order: day-first}} or month-first, or with --hierarchy NAME=date:day-first");
    assert_refused("date", false, "9/20/1954|5/10/1954|20/9/1954", TACIT_PARSE,
                   "data.csv:4: \"20/9/1954\" in column \"V\" can only have the day first, and a "
                   "date before it the month: write all of them in one order, or as 1965-09-20");
    assert_refused(
        "date:day-first", false, "9/20/1954", TACIT_PARSE,
        "data.csv:2: \"9/20/1954\" in column \"V\" has the day and the month the "
        "other way round: declare the other order where there are slashes (with dots the "
        "day comes first), or write it as 1965-09-20");
}

static void date_refused(void **state)
{
    (void)state;
    const char *bad[] = {"x",
                         "1965-",
                         "65-09-20",
                         "9/65",
                         "1965-09-20-1",
                         "9-20-1965",
                         "196509",
                         "123",
                         "20/Sep/1965",
                         "Se 20, 1965",
                         "0000-01-01",
                         "1/2/3",
                         "//",
                         "September",
                         "20 Sep",
                         "1965-09-20T",
                         "1965-09-20T10:0",
                         "1965-09-20 10:00:00.",
                         "1965-09-20 10:00 x",
                         "1965-09-20 10:00+25:00",
                         "1965-09-20 10:00+1",
                         "1965-09 10:00",
                         "1965T10",
                         "10:00",
                         "1965-09-20T10:0000",
                         "Sepember 1965",
                         "1.2.1965."};
    for (size_t i = 0; i < COUNT(bad); i++) {
        char list[64], message[512];
        snprintf(list, sizeof list, "1965|%s", bad[i]);
        snprintf(message, sizeof message,
                 "data.csv:3: \"%s\" in column \"V\" is not a date of a known form; write it as "
                 "1965-09-20, 9/20/1965, 20.9.1965, 20 Sep 1965, 1965-09 or 1965, a time as in "
                 "1965-09-20 05:06:07, or leave the field empty where there is none",
                 bad[i]);
        assert_refused("date", false, list, TACIT_PARSE, message);
    }
    assert_refused("date", false, "2/31/1965", TACIT_PARSE,
                   "data.csv:2: \"2/31/1965\" in column \"V\" is not in the calendar: its month "
                   "has fewer days");
    assert_refused("date", false, "1900-02-29", TACIT_PARSE,
                   "data.csv:2: \"1900-02-29\" in column \"V\" is not in the calendar: its month "
                   "has fewer days");
    assert_refused(
        "date:month-first", false, "20/9/1965", TACIT_PARSE,
        "data.csv:2: \"20/9/1965\" in column \"V\" has the day and the month the "
        "other way round: declare the other order where there are slashes (with dots the "
        "day comes first), or write it as 1965-09-20");
    assert_refused("date", false, "13/1965", TACIT_PARSE,
                   "data.csv:2: \"13/1965\" in column \"V\" names a month that there is not; "
                   "months are 1 to 12");
    assert_refused("date", false, "19651320", TACIT_PARSE,
                   "data.csv:2: \"19651320\" in column \"V\" names a month that there is not; "
                   "months are 1 to 12");
    assert_refused("date", false, "1965-00-10", TACIT_PARSE,
                   "data.csv:2: \"1965-00-10\" in column \"V\" names a month that there is not; "
                   "months are 1 to 12");
    assert_refused("date", true, "1964-12-31|1970-01-01|1981", TACIT_INVALID,
                   "data.csv: column \"V\" has several roots: its highest level holds 3 values; "
                   "allow suppression or give it a "
                   "level that holds one");
}

static void spec_parsed(void **state)
{
    (void)state;
    tacit_hierarchy_spec spec = {.no_suppression = true};
    assert_int_equal(tacit_hierarchy_spec_parse(&spec, "interval:-2.5/0.1,0.5,10", "d", NULL), 0);
    assert_int_equal(spec.kind, TACIT_HIERARCHY_INTERVAL);
    assert_true(spec.origin == -2.5 && spec.widths[0] == 0.1 && spec.widths[2] == 10);
    assert_int_equal(spec.width_count, 3);
    assert_int_equal(tacit_hierarchy_spec_parse(&spec, "mask:left", "d", NULL), 0);
    assert_int_equal(spec.kind, TACIT_HIERARCHY_MASK);
    assert_true(spec.mask_left);
    assert_int_equal(tacit_hierarchy_spec_parse(&spec, "zip.csv", "some/folder", NULL), 0);
    assert_int_equal(spec.kind, TACIT_HIERARCHY_FILE);
    assert_false(spec.mask_left);
    assert_string_equal(spec.path, "some/folder/zip.csv");
    assert_int_equal(tacit_hierarchy_spec_parse(&spec, "./date", "folder/", NULL), 0);
    assert_string_equal(spec.path, "folder/./date");
    assert_int_equal(tacit_hierarchy_spec_parse(&spec, "/zip.csv", "folder", NULL), 0);
    assert_string_equal(spec.path, "/zip.csv");
    assert_int_equal(tacit_hierarchy_spec_parse(&spec, "a:b.csv", NULL, NULL), 0);
    assert_string_equal(spec.path, "a:b.csv");
    assert_int_equal(tacit_hierarchy_spec_parse(&spec, "none", NULL, NULL), 0);
    assert_int_equal(spec.kind, TACIT_HIERARCHY_NONE);
    assert_null(spec.path);
    assert_true(spec.no_suppression); /* parsing a source does not change it */
    tacit_hierarchy_spec_clear(&spec);
    assert_false(spec.no_suppression);
}

typedef struct misspelling {
    const char *text, *message;
} misspelling;

static void spec_refused(void **state)
{
    (void)state;
    const misspelling all[] = {
        {"", "a hierarchy is a rule (mask:right, mask:left, date, interval:0/5,10,20, "
             "standard:NAME, none) or the "
             "name of a file"},
        {"-", "a hierarchy is a rule (mask:right, mask:left, date, interval:0/5,10,20, "
              "standard:NAME, none) or the "
              "name of a file"},
        {"mask:up", "a mask goes from the right or the left: mask:right or mask:left, not \"up\""},
        {"interval", "an interval is written interval:ORIGIN/WIDTH,WIDTH,..., as in "
                     "interval:0/5,10,20"},
        {"interval:5", "an interval is written interval:ORIGIN/WIDTH,WIDTH,..., as in "
                       "interval:0/5,10,20"},
        {"date:4,6",
         "date: windows must ascend, each a multiple of the one before, which 6 after 4 "
         "is not"},
        {"date:12,12", "date: windows must ascend, each a multiple of the one before, which 12 "
                       "after 12 is not"},
        {"date:5", "date: a window of 5 months is not possible; 1, 2, 3, 4 and 6 are, and whole "
                   "years up to 12000 months"},
        {"date:18", "date: a window of 18 months is not possible; 1, 2, 3, 4 and 6 are, and whole "
                    "years up to 12000 months"},
        {"date:0.5", "date: a window of 0.5 months is not possible; 1, 2, 3, 4 and 6 are, and "
                     "whole years up to 12000 months"},
        {"date:12012", "date: a window of 12012 months is not possible; 1, 2, 3, 4 and 6 are, and "
                       "whole years up to 12000 months"},
        {"date:1,x", "date: \"x\" is not a number of at most 9 decimals"},
        {"date:day-first/", "date: \"\" is not a number of at most 9 decimals"},
        {"date:x/12", "dates have the day or the month first, and windows of months: "
                      "date:day-first, date:month-first/2,6,12,24 or date:2,6,12,24, not \"x/12\""},
        {"interval:0/", "interval: \"\" is not a number of at most 9 decimals"},
        {"interval:0/5/dot",
         "decimals are written with a comma or a point: interval:0/5,10/comma or "
         "interval:0/5,10/point, not \"dot\""},
        {"interval:x/5", "interval: \"x\" is not a number of at most 9 decimals"},
        {"interval:0/5,", "interval: \"\" is not a number of at most 9 decimals"},
        {"interval:0/0.00000000001",
         "interval: \"0.00000000001\" is not a number of at most 9 decimals"},
        {"interval:0/5,7",
         "interval: widths must ascend, each a multiple of the one before, which 7 after 5 is not"},
        {"interval:0/10,5", "interval: widths must ascend, each a multiple of the one before, "
                            "which 5 after 10 is not"},
        {"interval:0/5,5",
         "interval: widths must ascend, each a multiple of the one before, which 5 after 5 is not"},
        {"interval:0/0", "interval: the width 0 must be positive"},
        {"interval:0/-5", "interval: the width -5 must be positive"},
        {"interval:0/1e17,1e18,2e18", "interval: \"2e18\" is not a number of at most 9 decimals"},
        {"interval:0.001/1e17", "interval: 1e+17 is too large for its decimals"},
        {"interval:0/1,2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,16384,32768,65536,131072,"
         "262144,524288,1048576,2097152,4194304,8388608,16777216,33554432,67108864,134217728,"
         "268435456,536870912,1073741824,2147483648,4294967296",
         "interval: more than 32 widths"}};
    for (size_t i = 0; i < COUNT(all); i++) {
        tacit_hierarchy_spec spec = {.kind = TACIT_HIERARCHY_DATE};
        tacit_error err = {0};
        assert_int_equal(tacit_hierarchy_spec_parse(&spec, all[i].text, NULL, &err), TACIT_INVALID);
        assert_string_equal(err.message, all[i].message);
        assert_int_equal(spec.kind, TACIT_HIERARCHY_DATE);
    }
}

/* A specification that a program filled in itself is checked when it is bound. */
static void spec_filled_in(void **state)
{
    (void)state;
    values_table values = values_table_new((const char *[]){"1"}, 1);
    const double wrong[] = {0, -1, 0.0 / 0.0, 1e300, 1.0 / 3};
    for (size_t i = 0; i <= COUNT(wrong); i++) {
        tacit_hierarchy_spec spec = {.kind = TACIT_HIERARCHY_INTERVAL};
        spec.width_count = i < COUNT(wrong);
        spec.widths[0] = i < COUNT(wrong) ? wrong[i] : 1;
        tacit_hierarchy *h = NULL;
        assert_int_equal(tacit_hierarchy_new(&h, &spec, values.table, VALUES_COLUMN, NULL),
                         TACIT_INVALID);
        assert_null(h);
    }
    values_table_free(&values);
}

/* Missing is not known to lie in 0-99, so that only "*" holds both; unless nothing is released, or
 * the values' own top is "*". */
static void test_missing_without_suppression(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *top;
        bool compared_only;
        int height;
    } CASES[] = {{"interval:0/10,100", "*", false, 3},
                 {"interval:0/10,100", "0-99", true, 2},
                 {"mask:right", "*", false, 2}};
    for (size_t i = 0; i < COUNT(CASES); i++) {
        tacit_hierarchy_spec spec = {.no_suppression = true};
        tacit_hierarchy *h = NULL;
        char text[64];
        values_table values = values_table_new((const char *[]){"13", "", "29"}, 3);
        assert_int_equal(tacit_hierarchy_spec_parse(&spec, CASES[i].rule, NULL, NULL), TACIT_OK);
        spec.compared_only = CASES[i].compared_only;
        assert_int_equal(tacit_hierarchy_new(&h, &spec, values.table, VALUES_COLUMN, NULL),
                         TACIT_OK);
        int top = tacit_hierarchy_height(h);
        assert_int_equal(top, CASES[i].height);
        assert_string_equal(label_of(h, top, 0, text, sizeof text), CASES[i].top);
        assert_int_equal(tacit_hierarchy_map(h, top)[2], 0);
        for (int level = 1; level < top; level++)
            assert_int_equal(tacit_hierarchy_map(h, level)[2], tacit_hierarchy_count(h, level));
        tacit_hierarchy_free(h);
        values_table_free(&values);
        tacit_hierarchy_spec_clear(&spec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none),
        cmocka_unit_test(no_values),
        cmocka_unit_test(mask),
        cmocka_unit_test(mask_refused),
        cmocka_unit_test(interval_whole),
        cmocka_unit_test(interval_decimal),
        cmocka_unit_test(interval_commas),
        cmocka_unit_test(interval_refused),
        cmocka_unit_test(date),
        cmocka_unit_test(date_windows),
        cmocka_unit_test(date_times),
        cmocka_unit_test(date_months),
        cmocka_unit_test(date_orders),
        cmocka_unit_test(date_refused),
        cmocka_unit_test(spec_parsed),
        cmocka_unit_test(spec_refused),
        cmocka_unit_test(spec_filled_in),
        cmocka_unit_test(test_missing_without_suppression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
