/*
 * test_csv_read.c - the CSV reader: what it accepts, what it refuses and with
 * which words, and that speed changes nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "csv_yardstick.h"
#include "random_cases.h"

static tacit_table *read_text(const char *text)
{
    tacit_table *table = NULL;
    tacit_error err = {0};
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    if (tacit_table_read_memory(&table, tacit_strview_of(text), "f", &options, NULL, &err))
        fail_msg("%s", err.message);
    return table;
}

static void assert_value(const tacit_table *table, int64_t row, int32_t column, const char *text)
{
    uint32_t code = tacit_codes_at(tacit_table_codes(table, column), row);
    if (!text) {
        assert_int_equal(code, tacit_table_distinct(table, column));
        return;
    }
    tacit_strview value = tacit_table_value(table, column, code);
    assert_int_equal(value.len, strlen(text));
    assert_memory_equal(value.bytes, text, value.len);
}

static void test_single(void **state)
{
    (void)state;
    tacit_table *table = read_text("a");
    assert_int_equal(tacit_table_rows(table), 0);
    assert_int_equal(tacit_table_columns(table), 1);
    tacit_table_free(table);
    table = read_text("a\n1");
    assert_int_equal(tacit_table_rows(table), 1);
    assert_value(table, 0, 0, "1");
    tacit_table_free(table);
}

static void test_identical(void **state)
{
    (void)state;
    tacit_table *table = read_text("a,b\nx,x\nx,x\nx,x\n");
    assert_int_equal(tacit_table_rows(table), 3);
    assert_int_equal(tacit_table_distinct(table, 0), 1);
    assert_false(tacit_table_has_missing(table, 1));
    tacit_table_free(table);
}

static void test_quoting(void **state)
{
    (void)state;
    tacit_table *table =
        read_text("a,\"b \"\"c\"\"\"\n\"1,\n2\",\"say \"\"hi\"\"\"\n\"\",x\nq,\"x\"\n");
    assert_int_equal(tacit_table_rows(table), 3);
    assert_true(tacit_strview_equal(tacit_table_name(table, 1), tacit_strview_of("b \"c\"")));
    assert_value(table, 0, 0, "1,\n2");
    assert_value(table, 0, 1, "say \"hi\"");
    assert_value(table, 1, 0, NULL);
    assert_value(table, 1, 1, "x");
    assert_value(table, 2, 1, "x");
    assert_int_equal(tacit_table_distinct(table, 1), 2); /* "x" and x are one value */
    assert_int_equal(tacit_table_line(table, 1), 4);
    tacit_table_free(table);
}

static void test_line_ends_and_mark(void **state)
{
    (void)state;
    tacit_table *table = read_text("\xEF\xBB\xBF"
                                   "a;b\r\n1;\r\n;2\r\n");
    assert_int_equal(tacit_table_delimiter(table), ';');
    assert_true(tacit_strview_equal(tacit_table_name(table, 0), tacit_strview_of("a")));
    assert_value(table, 0, 0, "1");
    assert_value(table, 0, 1, NULL);
    assert_value(table, 1, 1, "2");
    tacit_table_free(table);
}

static void test_first_appearance(void **state)
{
    (void)state;
    tacit_table *table = read_text("a\nz\ny\nz\nx\ny\n");
    assert_value(table, 0, 0, "z");
    const uint8_t *codes = tacit_table_codes(table, 0).data;
    const uint8_t expected[] = {0, 1, 0, 2, 1};
    assert_memory_equal(codes, expected, sizeof expected);
    tacit_table_free(table);
}

static void test_delimiters(void **state)
{
    (void)state;
    const struct {
        const char *text;
        char delimiter;
    } cases[] = {{"a,b\n1,2\n", ','},       {"a;b\n1,5;2,5\n", ';'}, {"a\tb\nx,y\tz\n", '\t'},
                 {"a|b|c\n1|2,3|4\n", '|'}, {"alone\n1\n", ','},     {"\"a;b\",c\n1,2\n", ','},
                 {"a;b,c\n1;2,3\n", ','}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tacit_table *table = read_text(cases[i].text);
        assert_int_equal(tacit_table_delimiter(table), cases[i].delimiter);
        tacit_table_free(table);
    }
}

static void test_options(void **state)
{
    (void)state;
    const char *names[] = {"b"};
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.coded = names;
    options.coded_count = 1;
    tacit_table *table = NULL;
    tacit_error err = {0};
    tacit_strview text = tacit_strview_of("a,b\n1,2\n");
    assert_int_equal(tacit_table_read_memory(&table, text, "f", &options, NULL, &err), TACIT_OK);
    assert_false(tacit_table_is_coded(table, 0));
    assert_true(tacit_table_is_coded(table, 1));
    tacit_table_free(table);
    names[0] = "c";
    table = NULL;
    assert_int_equal(tacit_table_read_memory(&table, text, "f", &options, NULL, &err),
                     TACIT_INVALID);
    assert_non_null(strstr(err.message, "\"c\""));
    assert_null(table);
    tacit_csv_options_init(&options);
    options.no_header = true;
    assert_int_equal(tacit_table_read_memory(&table, text, "f", &options, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit_table_rows(table), 2);
    assert_int_equal(tacit_table_find(table, tacit_strview_of("V2")), 1);
    tacit_table_free(table);
}

/* Rows agree in the digested columns exactly if their digests do. */
static void test_digests(void **state)
{
    (void)state;
    const char *left_out[] = {"id", "nowhere"};
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.code_none = options.digest = true;
    options.undigested = left_out;
    options.undigested_count = 2;
    tacit_table *a = NULL, *b = NULL;
    const char *text = "id,x,y\r\n1,long enough for a hash,b\r\n2,long enough for a hash,b\r\n"
                       "3,long enough for a hasH,b\r\n4,,b\r\n5,b,\r\n6,q,b";
    assert_int_equal(tacit_table_read_memory(&a, tacit_strview_of(text), "a", &options, NULL, NULL),
                     TACIT_OK);
    const uint64_t *digests = tacit_table_digests(a);
    assert_false(tacit_table_is_digested(a, 0));
    assert_true(tacit_table_is_digested(a, 2));
    assert_true(digests[0] == digests[1]);
    for (int i = 1; i < 6; i++)
        for (int j = i + 1; j < 6; j++)
            assert_true(digests[i] != digests[j]);
    /* the same cells in another file, other line ends, and further from its end */
    text = "x,y,id\nq,b,1\n,b,2\nlong enough for a hash,b,3\n";
    assert_int_equal(tacit_table_read_memory(&b, tacit_strview_of(text), "b", &options, NULL, NULL),
                     TACIT_OK);
    assert_true(tacit_table_digests(b)[0] == digests[5]);
    assert_true(tacit_table_digests(b)[1] == digests[3]);
    assert_true(tacit_table_digests(b)[2] == digests[0]);
    tacit_table_free(a);
    tacit_table_free(b);
}

typedef struct bad {
    const char *text;
    size_t len; /* 0: strlen */
    int64_t line, column;
    const char *words;
} bad;

static void test_refused(void **state)
{
    (void)state;
    static const bad cases[] = {
        {"", 0, 0, 0, "empty"},
        {"a,b\n1,2,3\n", 0, 2, 5, "more than 2 fields"},
        {"a,b\n1,2,\n3,4\n", 0, 2, 5, "a superfluous delimiter at the end"},
        {"a,b\n1,2,\r\n", 0, 2, 5, "a superfluous delimiter at the end"},
        {"a,b\n1,2,,\n", 0, 2, 5, "more than 2 fields"},
        {"a,b\n1,2\n3\n", 0, 3, 2, "only 1 field;"},
        {"a,b\n1,2\n\n3,4\n", 0, 3, 1, "empty line"},
        {"a,b\n1,x\"y\n", 0, 2, 4, "quote inside"},
        {"a,b\n1,\"x\"y\n", 0, 2, 6, "after a closing quote"},
        {"a,b\n1,\"x\n", 0, 2, 3, "never closed"},
        {"a,b\n1\r,2\n", 0, 2, 2, "carriage return"},
        {"a,b\n1,2\r", 0, 2, 4, "carriage return"},
        {"a,b\n1,\0\n", 9, 2, 3, "NUL"},
        {"a,b\n1,\xC3(\n", 0, 2, 3, "UTF-8"},
        {"a,b\n\xED\xA0\x80,2\n", 0, 2, 1, "UTF-8"},
        {"\xFF\xFE"
         "a",
         0, 1, 1, "UTF-16"},
        {"a,b,a\n1,2,3\n", 0, 1, 0, "columns 1 and 3"},
        {"a,b\n1,0123456789012345678901234567890123\n", 0, 2, 3, "34 bytes"},
    };
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.max_field = 32;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t len = cases[i].len ? cases[i].len : strlen(cases[i].text);
        tacit_table *table = NULL;
        tacit_error err = {0};
        tacit_status status = tacit_table_read_memory(&table, (tacit_strview){cases[i].text, len},
                                                      "data.csv", &options, NULL, &err);
        assert_int_equal(status, TACIT_PARSE);
        assert_null(table);
        assert_string_equal(err.file, "data.csv");
        if (!strstr(err.message, cases[i].words))
            fail_msg("case %zu says: %s", i, err.message);
        assert_int_equal(err.line, cases[i].line);
        assert_int_equal(err.column, cases[i].column);
    }
}

/* A delimiter too many at the end of the last line, for who asks for it. */
static void test_stray_end(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t rows; /* 0: refused all the same */
        bool stray;
    } cases[] = {
        {"a,b\n1,2\n3,4,\n", 2, true},
        {"a,b\n1,2\n3,4,", 2, true},
        {"a,b\r\n1,2\r\n3,,\r\n", 2, true},
        {"a,b\n1,2\n3,4\n", 2, false},
        {"a,b\n1,2\n3,\n", 2, false},
        {"a,b\n1,2,\n3,4,\n", 0, false},
        {"a,b\n1,2\n3,4,,\n", 0, false},
        {"a,b\n1,2\n3,\"4\",\n", 0, false},
        {"a,b\n1,2\n3,4,5\n", 0, false},
        {"a,b\n1,\"2\n3,4,\n", 0, false},
        {"a,b,\n", 0, false},
    };
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    options.pass_stray_end = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tacit_table *table = NULL;
        tacit_status status = tacit_table_read_memory(&table, tacit_strview_of(cases[i].text), "f",
                                                      &options, NULL, NULL);
        bool header_alone = strchr(cases[i].text, '\n')[1] == '\0';
        assert_int_equal(status, cases[i].rows || header_alone ? TACIT_OK : TACIT_PARSE);
        if (status != TACIT_OK)
            continue;
        assert_int_equal(tacit_table_rows(table), cases[i].rows);
        assert_int_equal(tacit_table_stray_end(table), cases[i].stray);
        if (cases[i].stray) {
            assert_value(table, 1, 0, "3");
            assert_value(table, 1, 1, i == 2 ? NULL : "4");
        }
        tacit_table_free(table);
    }
}

static void test_no_file(void **state)
{
    (void)state;
    tacit_table *table = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_table_read(&table, "/nonexistent/x.csv", NULL, NULL, &err), TACIT_IO);
    assert_string_equal(err.file, "/nonexistent/x.csv");
    assert_non_null(strstr(err.message, "No such file"));
    err = (tacit_error){0};
    assert_int_equal(tacit_table_read(&table, "/", NULL, NULL, &err), TACIT_IO);
}

/* Small texts over an alphabet of trouble, in stretches of every small size. */
static void test_against_yardstick(void **state)
{
    (void)state;
    static const char *const alphabet[] = {"a",  "bc", ",",        ",",    "\n",
                                           "\n", "\"", "\"",       "\"\"", "\r\n",
                                           "\r", ";",  "\xC3\xA9", "\xC3", "defghijklmnopqrs"};
    const size_t letters = sizeof alphabet / sizeof *alphabet;
    srand(7);
    for (uint64_t round = 0; round < many_cases(60000); round++) {
        char text[256] = "";
        int length = rand() % 24;
        size_t easy = round % 3 == 0 ? 6 : letters;
        if (round % 2)
            strcpy(text, "x,y\n");
        for (int i = 0; i < length; i++)
            strcat(text, alphabet[(size_t)rand() % easy]);
        tacit_csv_options options;
        tacit_csv_options_init(&options);
        options.delimiter = ',';
        options.no_header = rand() % 4 == 0;
        options.max_field = rand() % 3 ? 1000 : 18;
        yardstick(tacit_strview_of(text), &options, (size_t)(1 + rand() % 70), 1 + rand() % 3);
    }
}

/* Well-formed files large enough for whole blocks, with and without quotes. */
static void test_longer_files(void **state)
{
    (void)state;
    srand(11);
    for (int round = 0; round < 300; round++) {
        tacit_csv_options options;
        tacit_csv_options_init(&options);
        char *text = malloc(20000);
        size_t len = (size_t)sprintf(text, "p,q,r\n");
        int rows = rand() % 200;
        bool quotes = round % 2;
        for (int i = 0; i < rows; i++) {
            len += (size_t)sprintf(text + len, "%d,", rand() % 50);
            if (quotes && rand() % 3 == 0)
                len += (size_t)sprintf(text + len, "\"a,%d\n\"\"\",", rand() % 9);
            else
                len += (size_t)sprintf(text + len, "%.*s,", rand() % 20, "abcdefghijklmnopqrstuvw");
            len += (size_t)sprintf(text + len, "%d%s", rand() % 7, round % 5 ? "\n" : "\r\n");
        }
        yardstick((tacit_strview){text, len}, &options, (size_t)(1 + rand() % 700), 1 + rand() % 4);
        free(text);
    }
}

/* More than 65 535 values in one column: codes take 32 bits. */
static void test_many_values(void **state)
{
    (void)state;
    const int rows = 150000;
    char *text = malloc((size_t)rows * 16 + 16);
    size_t len = (size_t)sprintf(text, "id,c\n");
    for (int i = 0; i < rows; i++)
        len += (size_t)sprintf(text + len, "%d,%d\n", i % 100000, i % 300);
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    for (int threads = 1; threads <= 3; threads++) {
        tacit_run run;
        tacit_run_init(&run);
        run.threads = threads;
        tacit_table *table = NULL;
        assert_int_equal(tacit__table_read_stretches(&table, (tacit_strview){text, len}, "f",
                                                     &options, 5000, &run, NULL),
                         TACIT_OK);
        assert_int_equal(tacit_table_distinct(table, 0), 100000);
        assert_int_equal(tacit_table_codes(table, 0).width, 4);
        assert_int_equal(tacit_table_codes(table, 1).width, 2);
        for (int i = 0; i < rows; i++) {
            assert_int_equal(tacit_codes_at(tacit_table_codes(table, 0), i), i % 100000);
            assert_int_equal(tacit_codes_at(tacit_table_codes(table, 1), i), i % 300);
        }
        tacit_table_free(table);
    }
    free(text);
}

/* Offsets beyond 4 GiB are put together from their lower halves. */
static void test_starts_beyond_4_gib(void **state)
{
    (void)state;
    uint32_t low[] = {10, 0xFFFFFFF0, 5, 9, 3};
    int64_t turns[] = {2, 4};
    tacit_table table = {.rows = 5, .len = (size_t)9 << 30, .starts = {low, turns, 2}};
    const size_t gib4 = (size_t)1 << 32;
    const size_t expected[] = {10, 0xFFFFFFF0, gib4 + 5, gib4 + 9, 2 * gib4 + 3, (size_t)9 << 30};
    for (int64_t row = 0; row <= 5; row++)
        assert_true(tacit__row_start(&table, row) == expected[row]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single),
        cmocka_unit_test(test_identical),
        cmocka_unit_test(test_quoting),
        cmocka_unit_test(test_line_ends_and_mark),
        cmocka_unit_test(test_first_appearance),
        cmocka_unit_test(test_delimiters),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_digests),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_stray_end),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_against_yardstick),
        cmocka_unit_test(test_longer_files),
        cmocka_unit_test(test_many_values),
        cmocka_unit_test(test_starts_beyond_4_gib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
