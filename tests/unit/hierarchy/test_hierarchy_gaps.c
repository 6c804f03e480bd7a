/*
 * test_hierarchy_gaps.c - every gap of a hierarchy file with its place, files that are completed
 * and made, and every allocation failed in turn.
 */
#include "starve.h"

#include "hierarchy/gaps.h"
#include "hierarchy_support.h"

/* Letters of the kinds in their order: form, length, empty, two parents, roots, lacking, above,
 * unused. */
static const char KINDS[] = "FLETRNAU";

typedef struct gap_case {
    const char *file;
    const char *expected; /* kind, line and value of each */
} gap_case;

static const char *const VALUES[] = {"a", "b", "b", "", "x"};

static void test_every_gap(void **state)
{
    static const gap_case CASES[] = {
        {"a;x;*\nb;y;*\nx;x;*\n", ""},
        {"a;x;*\n", "N0b A0x "},
        {"a;x;*\nc;x;*\n;x;*\n", "N0b A0x U2c "},
        {"a;x;*\nb;*\nx;x;x;*\n", "L2b L3x "},
        {"a;x;*\nb;;*\nx;x;*\n", "E2b "},
        {"a;x;*\na;y;*\nb;x;r\nx;x;r\n", "T2a T3x T4x R3r "},
        {"a;x;y;*\nb;x;z;*\nc;x;w;*\n", "T2x T3x A0x U3c "},
        {"a;\"x\n", "F1 "},
        {"a\nb\n", "F1 "},
        {"", "F1 "},
        {"a;\xff;*\n", "F1 "},
        {"@;x\n@@;a\n@@;c\n", "N0b A0x U3c "},
        {"@;x\n@@@;a\n", "F2 "},
        {"code,parent\na,g\na,h\n", "F3 "},
    };
    (void)state;
    values_table table = values_table_new(VALUES, 5);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tacit_hierarchy_gaps *gaps = NULL;
        tacit_error err = {0};
        char found[256] = "";
        assert_int_equal(tacit__gaps_of_bytes(&gaps, tacit_strview_of(CASES[i].file), "h.csv",
                                              table.table, VALUES_COLUMN, &err),
                         TACIT_OK);
        for (int kind = 0; kind < TACIT_GAP_KINDS; kind++) {
            int64_t count = 0;
            for (uint32_t g = 0; g < gaps->count; g++) {
                const tacit_hierarchy_gap *gap = &gaps->items[g];
                if ((int)gap->kind != kind)
                    continue;
                size_t used = strlen(found);
                snprintf(found + used, sizeof found - used, "%c%d%.*s ", KINDS[kind],
                         (int)gap->line, (int)gap->value.len, gap->value.bytes);
                assert_true(strlen(gap->about) > 0);
                count++;
            }
            assert_int_equal(count, gaps->of_kind[kind]);
        }
        assert_string_equal(found, CASES[i].expected);
        tacit_hierarchy_gaps_free(gaps);
    }
    values_table_free(&table);
}

static void test_rows_of_the_data(void **state)
{
    (void)state;
    values_table table = values_table_new(VALUES, 5);
    tacit_hierarchy_gaps *gaps = NULL;
    assert_int_equal(tacit__gaps_of_bytes(&gaps, tacit_strview_of("a;x;*\n"), "h.csv", table.table,
                                          VALUES_COLUMN, NULL),
                     TACIT_OK);
    assert_int_equal(gaps->items[0].rows, 2);
    assert_int_equal(gaps->items[1].rows, 1);
    tacit_hierarchy_gaps_free(gaps);
    values_table_free(&table);
}

static void check_completed(const char *file, const char *expected)
{
    values_table table = values_table_new(VALUES, 5);
    tacit_error err = {0};
    char *csv = NULL;
    tacit_status status = tacit__complete_bytes(&csv, tacit_strview_of(file), "h.csv", table.table,
                                                VALUES_COLUMN, &err);
    assert_string_equal(status == TACIT_OK ? csv : err.message, expected);
    tacit_text_free(csv);
    values_table_free(&table);
}

static void test_completed(void **state)
{
    (void)state;
    check_completed("a;g;*", "a;g;*\n\"b\";\"b\";\"*\"\n\"x\";\"x\";\"*\"\n");
    check_completed("a,x,y,*\n", "a,x,y,*\n\"b\",\"b\",\"b\",\"*\"\n\"x\",\"x\",\"y\",\"*\"\n");
    check_completed("a;*\nb;*\nx;*\n\n", "a;*\nb;*\nx;*\n");
    check_completed("@;x\n@@;a\n",
                    "only a file with a row a value, its ancestors behind it, can be completed; "
                    "add the values to this one by hand");
    check_completed("a;x;*\na;y;*\n", "a value on level 0 has two parents, one here and one on "
                                      "line 1; keep one of them");
}

static void check_made(const char *rule, const char *expected)
{
    static const char *const AWKWARD[] = {"1;\"2\"", "@3\n", "", "*"};
    values_table table = values_table_new(AWKWARD, 4);
    tacit_hierarchy_spec spec = {0};
    tacit_hierarchy *h = NULL;
    tacit_error err = {0};
    char *csv = NULL;
    assert_int_equal(tacit_hierarchy_spec_parse(&spec, rule, NULL, &err), TACIT_OK);
    assert_int_equal(tacit_hierarchy_new(&h, &spec, table.table, VALUES_COLUMN, &err), TACIT_OK);
    assert_int_equal(tacit_hierarchy_text(&csv, h, &err), TACIT_OK);
    assert_string_equal(csv, expected);
    tacit_text_free(csv);
    tacit_hierarchy_free(h);
    values_table_free(&table);
}

static void test_made(void **state)
{
    (void)state;
    check_made("none", "\"*\";\"*\";\"*\"\n\"1;\"\"2\"\"\";\"1;\"\"2\"\"\";\"*\"\n"
                       "\"@3\n\";\"@3\n\";\"*\"\n");
}

/* A line within a value that looks like one of an .hrc file: refused, or read as what it is. */
static void test_lines_of_other_forms(void **state)
{
    (void)state;
    static const char *const LINES[] = {"a\n@b", "c"};
    values_table table = values_table_new(LINES, 2);
    tacit_hierarchy_spec spec = {0};
    tacit_hierarchy *h = NULL, *again = NULL;
    char *csv = NULL;
    assert_int_equal(tacit_hierarchy_new(&h, &spec, table.table, VALUES_COLUMN, NULL), TACIT_OK);
    if (tacit_hierarchy_text(&csv, h, NULL) == TACIT_OK) {
        assert_int_equal(tacit__hierarchy_from_bytes(&again, tacit_strview_of(csv), "h.csv", &spec,
                                                     table.table, VALUES_COLUMN, NULL),
                         TACIT_OK);
        assert_int_equal(tacit_hierarchy_count(again, 1), 2);
    }
    tacit_text_free(csv);
    tacit_hierarchy_free(again);
    tacit_hierarchy_free(h);
    values_table_free(&table);
}

static void test_nothing_to_make(void **state)
{
    (void)state;
    static const char *const NOTHING[] = {""};
    values_table table = values_table_new(NOTHING, 1);
    tacit_hierarchy_spec spec = {0};
    tacit_hierarchy *h = NULL;
    tacit_error err = {0};
    char *csv = NULL;
    assert_int_equal(tacit_hierarchy_new(&h, &spec, table.table, VALUES_COLUMN, &err), TACIT_OK);
    assert_int_equal(tacit_hierarchy_text(&csv, h, &err), TACIT_INVALID);
    assert_null(csv);
    tacit_hierarchy_free(h);
    values_table_free(&table);
}

static tacit_status attempt_check(void *context, tacit_error *err)
{
    const values_table *table = context;
    static const char *const FILES[] = {"a;x;*\na;y;*\nc;;*\nd;*\n", "@;x\n@@;a\n"};
    tacit_status status = TACIT_OK;
    for (int i = 0; i < 2 && status == TACIT_OK; i++) {
        tacit_hierarchy_gaps *gaps = STARVE_UNTOUCHED;
        status = tacit__gaps_of_bytes(&gaps, tacit_strview_of(FILES[i]), "h.csv", table->table,
                                      VALUES_COLUMN, err);
        if (status == TACIT_OK)
            tacit_hierarchy_gaps_free(gaps);
        else
            assert_ptr_equal(gaps, STARVE_UNTOUCHED);
    }
    return status;
}

static tacit_status attempt_complete(void *context, tacit_error *err)
{
    const values_table *table = context;
    char *csv = STARVE_UNTOUCHED;
    tacit_status status = tacit__complete_bytes(&csv, tacit_strview_of("a;x;*\n"), "h.csv",
                                                table->table, VALUES_COLUMN, err);
    if (status == TACIT_OK)
        tacit_text_free(csv);
    else
        assert_ptr_equal(csv, STARVE_UNTOUCHED);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    values_table table = values_table_new(VALUES, 5);
    assert_true(starve(attempt_check, &table) > 10);
    assert_true(starve(attempt_complete, &table) > 5);
    values_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_gap),
        cmocka_unit_test(test_rows_of_the_data),
        cmocka_unit_test(test_completed),
        cmocka_unit_test(test_made),
        cmocka_unit_test(test_lines_of_other_forms),
        cmocka_unit_test(test_nothing_to_make),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
