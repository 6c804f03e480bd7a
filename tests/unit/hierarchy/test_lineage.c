/*
 * test_lineage.c - which values hold which: trees of the labels of each kind of hierarchy, over
 * several files, and every error with its place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "hierarchy_support.h"
#include "lineage_support.h"

/* The tree as `label(child child)`, missing as `?`. */
static void write_tree(char *out, size_t size, const tacit_lineage *lineage, uint32_t node)
{
    tacit_strview label = tacit_lineage_label(lineage, node);
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%.*s", label.len ? (int)label.len : 1,
             label.len ? label.bytes : "?");
    uint32_t end = tacit_lineage_ends(lineage)[node];
    for (uint32_t child = node + 1; child < end; child = tacit_lineage_ends(lineage)[child]) {
        assert_int_equal(tacit_lineage_parents(lineage)[child], node);
        used = strlen(out);
        snprintf(out + used, size - used, child == node + 1 ? "(" : " ");
        write_tree(out, size, lineage, child);
    }
    used = strlen(out);
    snprintf(out + used, size - used, end > node + 1 ? ")" : "");
}

typedef struct tree_case {
    const char *rule;   /* as a flag writes it; or a file's bytes, if it has a line break */
    const char *labels; /* with | between; an empty one is missing */
    const char *expected;
} tree_case;

static void test_trees(void **state)
{
    static const tree_case CASES[] = {
        {"none", "a|b||a|*", "*(a b ?)"},
        {"none", "", "*(?)"},
        {"mask:right", "02138|0213*|021**|02141|02139|*****|0214*",
         "*(021**(0213*(02138 02139) 0214*(02141)))"},
        {"mask:right", "0213|0213*|02138-1234|02138*****|02138",
         "*(0213*(0213 02138*****(02138 02138-1234)))"},
        {"mask:left", "*38|02138|02139|**8", "*(**8(*38(02138)) 02139)"},
        {"interval:0/5,10", "3|0-4|0-9|7|12|4", "*(0-9(0-4(3 4) 7) 12)"},
        {"interval:0/5,10", "-5 to -1|-3|-10 to -1", "*(-10 to -1(-5 to -1(-3)))"},
        {"interval:0/0.5,1", "[20.5, 21)|20.75|20.5|[20, 21)|20.750|21",
         "*([20, 21)([20.5, 21)(20.5 20.75 20.750)) 21)"},
        {"interval:0/5", "5|5.0|5-9", "*(5-9(5))"},
        {"interval:0/0.5,1", "[20,5; 21)|20,75|20,5|[20; 21)|20,750|21",
         "*([20; 21)([20,5; 21)(20,5 20,75 20,750)) 21)"},
        {"interval:0/0.5,1/comma", "1,234|[1; 2)", "*([1; 2)(1,234))"},
        {"interval:0/0.5,1", "[1; 2)|[1, 2)|1.25", "*([1; 2)(1.25))"},
        {"date", "1965-09-20|9/20/65|1965-09|1965|1965-1969|1960-1969|1971|20 Sep 1966",
         "*(1960-1969(1965-1969(1965(1965-09(1965-09-20)) 20 Sep 1966)) 1971)"},
        {"date", "5/10/65|1965-10|20/9/65|1965-09", "*(1965-09(20/9/65) 1965-10(5/10/65))"},
        {"date:month-first", "5/10/65|1965-05|1965-10", "*(1965-05(5/10/65) 1965-10)"},
        {"date:day-first", "5/10/65|1965-05|1965-10", "*(1965-05 1965-10(5/10/65))"},
        {"date:2,12",
         "1965|1965-09 to 1965-10|1965-09-20T05:06:07Z|1965-09-20T05|1965-10|1965-09-20|"
         "1965-09-20T05:06:07.5",
         "*(1965(1965-09 to 1965-10(1965-09-20(1965-09-20T05(1965-09-20T05:06:07Z("
         "1965-09-20T05:06:07.5))) 1965-10)))"},
        {"standard:icd10", "E11.9|E11|E10-E14|E14|B99|*", "*(E10-E14(E11(E11.9) E14) B99)"},
        {"standard:nuts", "DE212|DE2|FR|European Union|DE|",
         "*(European Union(DE(DE2(DE212)) FR) ?)"},
        {"standard:us-states", "CA|Pacific|California|TX", "*(Pacific(CA California) TX)"},
        {"black;person\nwhite;person\n", "person|black||white|*", "*(person(black white) ?)"},
        {"a;x;r\nb;x;r\nc;y;r\n;y;r\n", "a|y|c||r", "*(r(a y(c ?)))"},
        {"a;only;r\nb;two;r\nc;two;r\n", "a|only|b", "*(only(a) b)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        lineage_case made = {0};
        tacit_error err = {0};
        assert_int_equal(lineage_case_init(&made, CASES[i].rule, CASES[i].labels, false, &err),
                         TACIT_OK);
        char tree[512] = "";
        write_tree(tree, sizeof tree, made.lineage, 0);
        assert_string_equal(tree, CASES[i].expected);
        assert_int_equal(tacit_lineage_ends(made.lineage)[0], tacit_lineage_count(made.lineage));
        lineage_case_clear(&made);
    }
}

/* A list that tells nothing of the order of its dates is read as the others are. */
static void test_order_of_dates(void **state)
{
    (void)state;
    const tacit_hierarchy_spec spec = {.kind = TACIT_HIERARCHY_DATE};
    const tacit_strview release[] = {tacit_strview_of("5/10/65")};
    const tacit_strview data[] = {tacit_strview_of("20/9/65"), tacit_strview_of("1965-10")};
    const tacit_strview other[] = {tacit_strview_of("9/20/65")};
    const tacit_lineage_source sources[] = {
        {.labels = release, .label_count = 1, .name = "release"},
        {.labels = data, .label_count = 2, .name = "data"},
        {.labels = other, .label_count = 1, .name = "other"},
    };
    tacit_lineage *lineage = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_lineage_new(&lineage, &spec, sources, 2, &err), TACIT_OK);
    char tree[64] = "";
    write_tree(tree, sizeof tree, lineage, 0);
    assert_string_equal(tree, "*(20/9/65 1965-10(5/10/65))");
    tacit_lineage_free(lineage);
    lineage = NULL;
    /* by itself, and where the others disagree, nobody knows */
    assert_int_equal(tacit_lineage_new(&lineage, &spec, sources, 1, &err), TACIT_INVALID);
    assert_int_equal(tacit_lineage_new(&lineage, &spec, sources, 3, &err), TACIT_INVALID);
    assert_non_null(strstr(err.message, "value 1 in column \"release\" can be read"));
    assert_null(lineage);
}

typedef struct error_case {
    const char *rule, *labels, *message;
} error_case;

static void test_errors(void **state)
{
    static const error_case CASES[] = {
        {"interval:0/5", "1,234|2,345|7",
         "value 1 in column \"list\" has a comma before decimals or before thousands, and no other "
         "number shows which: declare decimals in the policy, hierarchy: {interval: {decimal: "
         "comma, "
         "widths: ...}}, or write thousands without commas"},
        {"interval:0/5", "1.5|2,5",
         "value 2 in column \"list\" has a comma before decimals, and another number has none: "
         "write "
         "all of them in one way"},
        {"interval:0/5", "3|abc",
         "value 2 in column \"list\" is neither a number nor an interval such as 20-24 or [20.5, "
         "21)"},
        {"interval:0/5", "5-9|7-12",
         "value 2 in column \"list\" and value 1 of list overlap and neither holds the other; were "
         "the "
         "files made with different hierarchies?"},
        {"interval:0/5", "9-5",
         "value 1 in column \"list\" is neither a number nor an interval such as 20-24 or [20.5, "
         "21)"},
        {"date", "1965-1969|1967-1971",
         "value 2 in column \"list\" and value 1 of list overlap and neither holds the other; "
         "were the files made with different hierarchies?"},
        {"date", "9/20/65|20/9/65",
         "value 2 in column \"list\" can only have the day first, and another date the month: "
         "write all of them in one order, or as 1965-09-20"},
        {"date", "never",
         "value 1 in column \"list\" is neither a date nor a generalized one such as 1965-09, "
         "1965 or 1965-1969"},
        {"a;x;r\nb;x;r\n", "c",
         "value 1 in column \"list\" is on no level of the hierarchy; add it there, or use the "
         "hierarchy that the file was made with"},
        {"a;b;r\nb;x;r\n", "b",
         "value 1 in column \"list\" stands for two values of the hierarchy, on different levels; "
         "name one of them otherwise"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        lineage_case made = {0};
        tacit_error err = {0};
        bool asked = strstr(CASES[i].message, "declare");
        assert_int_equal(lineage_case_init(&made, CASES[i].rule, CASES[i].labels, false, &err),
                         asked ? TACIT_INVALID : TACIT_PARSE);
        assert_string_equal(err.message, CASES[i].message);
        assert_null(made.lineage);
        lineage_case_clear(&made);
    }
}

/* A register may hold values from anywhere; each is itself, and nothing but "*" holds it. */
static void test_open(void **state)
{
    (void)state;
    lineage_case made = {0};
    tacit_error err = {0};
    assert_int_equal(lineage_case_init(&made, "a;x;r\nb;x;r\n", "z|a|x|z|y", true, &err), TACIT_OK);
    char tree[64] = "";
    write_tree(tree, sizeof tree, made.lineage, 0);
    assert_string_equal(tree, "*(x(a) z y)");
    assert_int_equal(tacit_lineage_nodes(made.lineage, 0)[0],
                     tacit_lineage_nodes(made.lineage, 0)[3]);
    lineage_case_clear(&made);
}

/* An error in a table says where. */
static void test_place(void **state)
{
    (void)state;
    static const char *const VALUES[] = {"7", "", "12", "soon"};
    values_table values = values_table_new(VALUES, 4);
    tacit_hierarchy_spec spec = {.kind = TACIT_HIERARCHY_INTERVAL, .widths = {5}, .width_count = 1};
    const tacit_lineage_source source = {.table = values.table, .column = VALUES_COLUMN};
    tacit_lineage *lineage = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_lineage_new(&lineage, &spec, &source, 1, &err), TACIT_PARSE);
    assert_string_equal(err.file, "data.csv");
    assert_int_equal(err.line, 5);
    assert_null(strstr(err.message, "soon"));
    values_table_free(&values);
}

/* Values that overlap are told by where they stand. */
static void test_places_of_both(void **state)
{
    (void)state;
    static const char *const VALUES[] = {"10", "1965-1969", "1967-1971"};
    values_table values = values_table_new(VALUES, 3);
    tacit_hierarchy_spec spec = {.kind = TACIT_HIERARCHY_INTERVAL, .widths = {5}, .width_count = 1};
    const tacit_lineage_source source = {.table = values.table, .column = VALUES_COLUMN};
    tacit_lineage *lineage = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_lineage_new(&lineage, &spec, &source, 1, &err), TACIT_PARSE);
    assert_int_equal(err.line, 4);
    assert_non_null(strstr(err.message, "and the value in line 3 of data.csv overlap"));
    assert_null(strstr(err.message, "19"));
    values_table_free(&values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),  cmocka_unit_test(test_order_of_dates),
        cmocka_unit_test(test_errors), cmocka_unit_test(test_open),
        cmocka_unit_test(test_place),  cmocka_unit_test(test_places_of_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
