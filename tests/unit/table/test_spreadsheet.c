/*
 * test_spreadsheet.c - cells that a spreadsheet may run: which ones get an apostrophe as a file is
 * read, that nothing else changes, that labels of hierarchies get theirs, and that the judge, by a
 * rule of its own, finds every one that has none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <tacit/experimental/audit.h>
#include <tacit/experimental/lineage.h>

#include "base/formula.h"
#include "base/random.h"
#include "random_cases.h"

static const char *const FORMULAS[] = {"=1+1",
                                       "=",
                                       "+",
                                       "-",
                                       "@SUM(A1)",
                                       "-2+3",
                                       "+cmd|' /C calc'!A0",
                                       "-1e",
                                       "-1e+",
                                       "+1e5x",
                                       "--1",
                                       "-.",
                                       "+,",
                                       "-1 ",
                                       "- 1",
                                       "-5%",
                                       "-inf",
                                       "\tx",
                                       "\r=1",
                                       "\n=1",
                                       "\xEF\xBC\x9D"
                                       "1",
                                       "\xEF\xBC\x8B"
                                       "1",
                                       "\xEF\xBC\x8D"
                                       "1",
                                       "\xEF\xBC\xA0x",
                                       "+49 170 1",
                                       "-10 to -1"};
static const char *const HARMLESS[] = {"",
                                       "1",
                                       "-3.5",
                                       "+7",
                                       "1e-3",
                                       "-1e-3",
                                       "+1E+10",
                                       "-1,000.50",
                                       "-.5",
                                       "-5.",
                                       "x=1",
                                       " =1",
                                       "'=1",
                                       "\"=1",
                                       "1-2",
                                       "\xEF\xBC\x9E"
                                       "1",
                                       "\xEF\xBC",
                                       "\xC3\xA9",
                                       "*",
                                       "a@b"};

enum {
    FORMULA_COUNT = sizeof FORMULAS / sizeof *FORMULAS,
    HARMLESS_COUNT = sizeof HARMLESS / sizeof *HARMLESS
};

static void test_rule(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORMULA_COUNT; i++)
        if (!tacit__is_formula(tacit_strview_of(FORMULAS[i])))
            fail_msg("formula %zu", i);
    for (size_t i = 0; i < HARMLESS_COUNT; i++)
        if (tacit__is_formula(tacit_strview_of(HARMLESS[i])))
            fail_msg("harmless %zu", i);
    assert_true(
        tacit_strview_equal(tacit__unguarded(tacit_strview_of("'=1")), tacit_strview_of("=1")));
    assert_true(
        tacit_strview_equal(tacit__unguarded(tacit_strview_of("'-1")), tacit_strview_of("'-1")));
    assert_int_equal(tacit__unguarded((tacit_strview){NULL, 0}).len, 0);
}

static tacit_table *read_as(const char *csv, tacit_guard guard)
{
    tacit_table *table = NULL;
    tacit_error err = {0};
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.guard = guard;
    options.delimiter = ',';
    if (tacit_table_read_memory(&table, tacit_strview_of(csv), "f", &options, NULL, &err))
        fail_msg("%s", err.message);
    return table;
}

static tacit_strview value_at(const tacit_table *table, int64_t row, int32_t column)
{
    uint32_t code = tacit_codes_at(tacit_table_codes(table, column), row);
    return code < tacit_table_distinct(table, column) ? tacit_table_value(table, column, code)
                                                      : (tacit_strview){"", 0};
}

static void assert_value(const tacit_table *table, int64_t row, int32_t column, const char *text)
{
    assert_true(tacit_strview_equal(value_at(table, row, column), tacit_strview_of(text)));
}

static bool is_b(tacit_strview name, const void *context)
{
    return tacit_strview_equal(name, tacit_strview_of(context));
}

/* Quotes, line ends and the header stay; a column may be left as it is; the delimiter is the one
 * of the file before it was guarded. */
static void test_reading(void **state)
{
    (void)state;
    static const char csv[] =
        "\xEF\xBB\xBF=a;b;c\r\n=1;=1;\"=1;\"\"x\"\"\"\r\n-1;-;-\r\n+x;-2;\"-2\"";
    tacit_table *table = NULL;
    tacit_error err = {0};
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.guard = TACIT_GUARD_CELLS;
    options.unguarded = is_b;
    options.unguarded_context = "b";
    if (tacit_table_read_memory(&table, tacit_strview_of(csv), "f", &options, NULL, &err))
        fail_msg("%s", err.message);
    assert_int_equal(tacit_table_guard(table), TACIT_GUARD_CELLS);
    assert_true(tacit_strview_equal(tacit_table_name(table, 0), tacit_strview_of("=a")));
    static const char *const cells[3][3] = {
        {"'=1", "=1", "'=1;\"x\""}, {"-1", "-", "'-"}, {"'+x", "-2", "-2"}};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            assert_value(table, row, column, cells[row][column]);
    tacit_table_free(table);
}

/* Values of a guarded table are known to a hierarchy file that has them as they were, its labels
 * are guarded, and a lineage knows both. */
static void test_labels(void **state)
{
    (void)state;
    const tacit_hierarchy_spec spec = {
        .kind = TACIT_HIERARCHY_INTERVAL, .origin = -10, .widths = {10}, .width_count = 1};
    tacit_table *data = read_as("n\n-3\n4\n", TACIT_GUARD_CELLS);
    tacit_table *release = read_as("n\n'-10 to -1\n0-9\n", TACIT_GUARD_DONE);
    tacit_hierarchy *hierarchy = NULL;
    tacit_lineage *lineage = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_hierarchy_new(&hierarchy, &spec, data, 0, &err), TACIT_OK);
    assert_true(tacit_strview_equal(tacit_hierarchy_label(hierarchy, 1, 0),
                                    tacit_strview_of("'-10 to -1")));
    assert_true(
        tacit_strview_equal(tacit_hierarchy_label(hierarchy, 1, 1), tacit_strview_of("0-9")));
    const tacit_lineage_source sources[] = {{.table = data}, {.table = release}};
    if (tacit_lineage_new(&lineage, &spec, sources, 2, &err))
        fail_msg("%s", err.message);
    tacit_lineage_free(lineage);
    tacit_hierarchy_free(hierarchy);
    tacit_table_free(release);
    tacit_table_free(data);
}

/* ---- the judge ---- */

static const tacit_hierarchy_spec NONE = {.kind = TACIT_HIERARCHY_NONE};

/* Cells in column x that the judge says may be run; -1: he was not asked for the file as it is. */
static int64_t judged(const char *csv, tacit_guard guard)
{
    const tacit_promise_attribute attribute = {"q", &NONE};
    const tacit_promise promise = {
        .k = 1, .attributes = &attribute, .attribute_count = 1, .spreadsheet_safe = true};
    tacit_table *table = read_as(csv, guard);
    const tacit_evidence evidence = {.release = table};
    tacit_verdict *verdict = NULL;
    tacit_error err = {0};
    int64_t count = 0;
    if (tacit_audit_release(&verdict, &promise, &evidence, NULL, &err) != TACIT_OK)
        count = -1;
    for (int32_t i = 0; verdict && i < verdict->finding_count; i++)
        if (verdict->findings[i].kind == TACIT_FINDING_FORMULA)
            count += verdict->findings[i].count;
    assert_true(!verdict || verdict->holds == (count == 0));
    tacit_verdict_free(verdict);
    tacit_table_free(table);
    return count;
}

static void write_cell(char *csv, size_t size, const char *text)
{
    size_t at = (size_t)snprintf(csv, size, "q,x\na,\"");
    for (; *text; text++) {
        csv[at++] = *text;
        if (*text == '"')
            csv[at++] = '"';
    }
    snprintf(csv + at, size - at, "\"\n");
}

static void test_judge(void **state)
{
    (void)state;
    char csv[256];
    for (size_t i = 0; i < FORMULA_COUNT; i++) {
        write_cell(csv, sizeof csv, FORMULAS[i]);
        assert_int_equal(judged(csv, TACIT_GUARD_DONE), 1);
        assert_int_equal(judged(csv, TACIT_GUARD_CELLS), -1);
    }
    for (size_t i = 0; i < HARMLESS_COUNT; i++) {
        if ((unsigned char)HARMLESS[i][0] == 0xEF && strlen(HARMLESS[i]) == 2)
            continue; /* no text */
        write_cell(csv, sizeof csv, HARMLESS[i]);
        assert_int_equal(judged(csv, TACIT_GUARD_DONE), 0);
    }
    assert_int_equal(judged("q,=x\na,b\n", TACIT_GUARD_DONE), 1);
    assert_int_equal(judged("q,x\n=1,-1\n", TACIT_GUARD_DONE), 1);
}

/* Random cells: what is read differs by an apostrophe or not at all, is harmless to the judge, and
 * reading it again changes nothing. */
static void test_random(void **state)
{
    static const char *const parts[] = {"=",  "+",  "-", "@", "1", "2.5",          "e", ",", "\"",
                                        "\t", "\n", "x", " ", "'", "\xEF\xBC\x9D", "\r"};
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(3000); ++*seed) {
        tacit__random random;
        tacit_run run;
        tacit_run_init(&run);
        tacit_run_seed_number(&run, *seed);
        tacit__random_init(&random, &run, "cell", 0);
        char text[64] = "", csv[256];
        for (uint32_t n = tacit__random_below(&random, 6); n > 0; n--)
            strcat(text, parts[tacit__random_below(&random, sizeof parts / sizeof *parts)]);
        write_cell(csv, sizeof csv, text);
        tacit_table *table = read_as(csv, TACIT_GUARD_CELLS);
        tacit_strview value = value_at(table, 0, 1);
        bool guarded = judged(csv, TACIT_GUARD_DONE) > 0;
        assert_true(!guarded || value.bytes[0] == '\'');
        assert_true(tacit_strview_equal((tacit_strview){value.bytes + guarded, value.len - guarded},
                                        tacit_strview_of(text)));
        char again[256], copy[64] = "";
        memcpy(copy, value.bytes, value.len);
        write_cell(again, sizeof again, copy);
        assert_int_equal(judged(again, TACIT_GUARD_DONE), 0);
        tacit_table_free(table);
    }
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule),     cmocka_unit_test(test_reading),
        cmocka_unit_test(test_labels),   cmocka_unit_test(test_judge),
        random_test(test_random, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
