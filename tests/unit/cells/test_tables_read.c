/*
 * test_tables_read.c - long CSV and records: what is taken from them, what is computed, and
 * what is refused at which place.
 */
#include "tables.h"

static tacit_cells *read_csv(const char *csv, const tacit_cells_spec *spec)
{
    return cells_of(csv, spec, tacit_cells_from_table);
}

static tacit_cells_spec *with_value(const char *dimensions)
{
    tacit_cells_spec *spec = &spec_of(dimensions)->spec;
    spec->value = "v";
    return spec;
}

static void test_complete_and_minimal(void **state)
{
    (void)state;
    tacit_cells *minimal = read_csv("a,b,freq\nx,p,1\nx,q,2\ny,p,3\n", &spec_of("a b")->spec);
    tacit_cells *complete = read_csv("b,a,freq\nTotal,Total,6\np,Total,4\nq,Total,2\nTotal,x,3\n"
                                     "p,x,1\nq,x,2\nTotal,y,3\np,y,3\nq,y,0\n",
                                     &spec_of("a b")->spec);
    assert_same_cells(minimal, complete);
    assert_int_equal(minimal->count, 9);
    assert_int_equal(minimal->relations.count, 6);
    assert_true(minimal->counts && !minimal->decimals);
    assert_true(minimal->upper[4] == 6 && minimal->lower[4] == 0 && minimal->cost[4] == 1);
    assert_int_equal(minimal->line[cell_named(minimal, "y|p")], 4);
    assert_int_equal(minimal->line[cell_named(minimal, "y|q")], 0);
    tacit_cells_free(minimal);
    tacit_cells_free(complete);
}

static void test_columns(void **state)
{
    (void)state;
    tacit_cells_spec *spec = with_value("a");
    spec->cost = "area";
    spec->request = "asked";
    tacit_cells *cells =
        read_csv("a,v,freq,status,lower,upper,lpl,upl,spl,weight,max1,max2,area,asked\n"
                 "x,10.5,3,u,1,20,2,3,4,7,6,4,0.5,1\n"
                 "y,2,1,z,,,,,,,2,,1.5,\n"
                 "w,4,2,u,,,,,,,3,1,2,0\n"
                 "k,1,1,x,,,,,,,1,,2,0\n",
                 spec);
    int32_t x = cell_named(cells, "x"), y = cell_named(cells, "y"), w = cell_named(cells, "w"),
            total = cell_named(cells, "Total");
    assert_true(cells->lower[x] == 1 && cells->upper[x] == 20 && cells->cost[x] == 7);
    assert_true(cells->lpl[x] == 2 && cells->upl[x] == 3 && cells->spl[x] == 4);
    assert_int_equal(cells->status[x], 'u');
    assert_int_equal(cells->status[y], 'z');
    assert_int_equal(cells->status[cell_named(cells, "k")], 'x');
    assert_true(cells->upper[y] == 17.5 && cells->cost[y] == 2);
    /* levels that are not given: the margin, 10 percent and no least for values */
    assert_true(fabs(cells->lpl[w] - 0.4) < 1e-12 && fabs(cells->upl[w] - 0.4) < 1e-12);
    assert_true(cells->value[total] == 17.5 && cells->freq[total] == 7 && cells->decimals);
    assert_true(cells->top[2 * total] == 6 && cells->top[2 * total + 1] == 4);
    assert_true(cells->measure[total] == 6);
    assert_true(cells->asked[x] && !cells->asked[y] && !cells->asked[total]);
    tacit_cells_free(cells);
}

static void test_sums(void **state)
{
    (void)state;
    tacit_cells_spec *spec = with_value("a");
    refused(
        "a,v\nTotal,10\nx,3\ny,4\n", spec, tacit_cells_from_table,
        "t.csv:2: subtotals do not add up (1), worst first: line 2 by 3; correct them or allow a "
        "tolerance");
    spec = with_value("a b");
    refused(
        "a,b,v\nTotal,Total,100\nx,p,1\nTotal,p,3.25\nx,Total,1\ny,q,0\n", spec,
        tacit_cells_from_table,
        "t.csv:2: subtotals do not add up (2), worst first: line 2 by 99, line 4 by 2.25; correct "
        "them or allow a tolerance");
    spec->tolerance = 99;
    tacit_cells *cells =
        read_csv("a,b,v\nTotal,Total,100\nx,p,1\nTotal,p,3.25\nx,Total,1\ny,q,0\n", spec);
    assert_true(value_named(cells, "Total|p") == 3.25);
    assert_true(cells->residual > 96 && cells->residual < 100);
    tacit_cells_free(cells);
}

/* Decimals that only seem not to add, and a difference just above what rounding explains. */
static void test_decimals(void **state)
{
    (void)state;
    tacit_cells_spec *spec = with_value("a");
    tacit_cells *cells = read_csv("a,v\nTotal,0.6\nx,0.1\ny,0.2\nz,0.3\n", spec);
    assert_true(cells->value[0] == 0.6 && 0.1 + 0.2 + 0.3 != 0.6);
    assert_true(cells->residual < 1e-15);
    tacit_cells_free(cells);
    cells = read_csv("a,v\nTotal,30000000000.03\nx,10000000000.01\ny,20000000000.02\n", spec);
    tacit_cells_free(cells);
    /* 1e-9 of 3 is 3e-9 */
    tacit_cells_free(read_csv("a,v\nTotal,3.0000000029\nx,1\ny,2\n", spec));
    refused("a,v\nTotal,3.0000000031\nx,1\ny,2\n", spec, tacit_cells_from_table,
            "t.csv:2: subtotals do not add up (1), worst first: line 2 by 3.1e-09; correct them or "
            "allow a tolerance");
    spec->tolerance = 0.05;
    tacit_cells_free(read_csv("a,v\nTotal,1.1\nx,0.35\ny,0.7\n", spec));
}

/* Sums have no more decimals than what was added, unless those are beyond what is sure. */
static void test_decimals_of_sums(void **state)
{
    (void)state;
    tacit_cells_spec *spec = with_value("a");
    tacit_cells *cells = read_csv("a,v\nx,0.1\ny,0.2\n", spec);
    assert_true(cells->value[0] == 0.3 && 0.1 + 0.2 != 0.3);
    tacit_cells_free(cells);
    cells = read_csv("a,v\nx,0.1000000000001\ny,0.2\n", spec);
    assert_true(cells->value[0] == 0.1000000000001 + 0.2);
    tacit_cells_free(cells);
    spec->weight = "w";
    cells = cells_of("a,v,w\nx,0.1,1.5\nx,0.2,1.1\ny,0.7,0.1\n", spec, tacit_cells_from_records);
    assert_true(cells->value[0] == 0.44 && cells->value[1] == 0.37 && cells->value[2] == 0.07);
    tacit_cells_free(cells);
}

/* A code with one part: both names are given and must agree; the same name twice must not. */
static void test_twice(void **state)
{
    (void)state;
    char dimensions[256];
    snprintf(dimensions, sizeof dimensions, "a=%s", file_of("a.hrc", "T\n@A\n@@a1\n@b\n"));
    tacit_cells *cells = read_csv("a,freq\nA,2\na1,2\nb,1\n", &spec_of(dimensions)->spec);
    assert_int_equal(cells->count, 3);
    tacit_cells_free(cells);
    refused(
        "a,freq\nA,2\na1,3\nb,1\n", &spec_of(dimensions)->spec, tacit_cells_from_table,
        "t.csv:3: subtotals do not add up (1), worst first: line 3 by 1; correct them or allow a "
        "tolerance");
    refused("a,freq\nA,2\nb,1\nA,2\n", &spec_of(dimensions)->spec, tacit_cells_from_table,
            "t.csv:4: the cell stands in the table twice, first on line 2");
}

static void test_bad_cells(void **state)
{
    (void)state;
    static const struct {
        const char *csv, *message;
    } CASES[] = {
        {"a,v\nx,1\ny,two\n", "t.csv:3:2: \"v\" is not a number; write digits with a point, a sign "
                              "and an exponent"},
        {"a,v\nx,1\ny,\n", "t.csv:3:2: \"v\" is missing; write a number"},
        {"a,v\nx,1\ny,-2\n", "t.csv:3:2: \"v\" must not be negative"},
        {"a,v\nx,1\ny,nan\n", "t.csv:3:2: \"v\" is not a number; write digits with a point, a sign "
                              "and an exponent"},
        {"a,v\nx,1\ny,0x10\n", "t.csv:3:2: \"v\" is not a number; write digits with a point, a "
                               "sign and an exponent"},
        {"a,v\nx,1\ny,1e999\n", "t.csv:3:2: \"v\" is not a number; write digits with a point, a "
                                "sign and an exponent"},
        {"a,v,freq\nx,1,1.5\n", "t.csv:2:3: \"freq\" must be a whole number"},
        {"a,v,freq\nx,1,\n", "t.csv:2:3: \"freq\" is missing; write a number"},
        {"a,v,status\nx,1,q\n", "t.csv:2:3: status: a value is no status; write s, u, x or z"},
        {"a,v,lpl\nx,1,-1\n", "t.csv:2:3: \"lpl\" must not be negative"},
        {"a,v,max1,max2\nx,9,4,5\n", "t.csv:2: max2 is larger than max1; write the largest first"},
        {"a,w\nx,1\n", "t.csv: there is no column \"v\"; there are a, w"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        refused(CASES[i].csv, with_value("a"), tacit_cells_from_table, CASES[i].message);
    refused("a,v\nx,1\n", &spec_of("a")->spec, tacit_cells_from_table,
            "t.csv: there is no column \"freq\"; there are a, v");
    refused("a,v\nx,1e308\ny,1e308\n", with_value("a"), tacit_cells_from_table,
            "t.csv: Total: its sum is too large");
    refused("a,v\nx,1e308\ny,1e308\n", with_value("a"), tacit_cells_from_records,
            "t.csv: Total: its sum is too large");
}

static void test_levels_and_bounds(void **state)
{
    (void)state;
    tacit_error err = {0};
    char text[1200];
    tacit_cells *cells = read_csv("a,v,status,lower,lpl\nx,5,u,4,2\ny,1,s,,\n", with_value("a"));
    assert_int_equal(tacit_cells_check(cells, &err), TACIT_INFEASIBLE);
    assert_string_equal(tacit_error_format(&err, text, sizeof text),
                        "t.csv:2: x: its protection levels reach beyond its bounds, so nothing can "
                        "protect it; lower the levels or widen the bounds");
    tacit_cells_free(cells);
    err = (tacit_error){0};
    cells = read_csv("a,v,upper\nx,5,4\ny,1,9\n", with_value("a"));
    assert_int_equal(tacit_cells_check(cells, &err), TACIT_INVALID);
    assert_string_equal(tacit_error_format(&err, text, sizeof text),
                        "t.csv:2: x: its value lies outside its bounds; correct lower or upper");
    tacit_cells_free(cells);
    /* a sliding level wider than the bounds; decimals on the edge are inside */
    cells =
        read_csv("a,v,status,lower,upper,lpl,upl,spl\nx,0.3,u,0.1,0.6,0.2,0.3,0.5\ny,1,s,,,,,\n",
                 with_value("a"));
    assert_int_equal(tacit_cells_check(cells, NULL), TACIT_OK);
    cells->spl[cell_named(cells, "x")] = 0.6;
    assert_int_equal(tacit_cells_check(cells, NULL), TACIT_INFEASIBLE);
    tacit_cells_free(cells);
}

static const char RECORDS[] = "firm,sector,region,turnover,w,asked,staff\n"
                              "f1,food,n,100,1,1,3\n"
                              "f2,food,n,50,2,0,1\n"
                              "f1,food,s,20,1,1,2\n"
                              "f3,steel,s,70,1.5,0,9\n"
                              "f4,food,n,50,1,0,4\n";

static tacit_cells_spec *records_spec(void)
{
    tacit_cells_spec *spec = &spec_of("sector region")->spec;
    spec->value = "turnover";
    spec->top = 3;
    return spec;
}

static void check_top(const tacit_cells *cells, const char *names, double a, double b, double c)
{
    const double *top = cells->top + 3 * cell_named(cells, names);
    assert_true(top[0] == a && top[1] == b && top[2] == c);
}

static void test_records(void **state)
{
    (void)state;
    tacit_cells *cells = cells_of(RECORDS, records_spec(), tacit_cells_from_records);
    assert_int_equal(cells->count, 9);
    assert_true(value_named(cells, "food|n") == 200 && value_named(cells, "Total|Total") == 290);
    assert_true(value_named(cells, "steel|n") == 0);
    assert_int_equal(cells->freq[cell_named(cells, "food|Total")], 4);
    assert_int_equal(cells->freq[cell_named(cells, "steel|n")], 0);
    check_top(cells, "food|Total", 100, 50, 50);
    check_top(cells, "steel|Total", 70, 0, 0);
    /* owners are records: the second and the fifth have the two contributions of 50 */
    const int32_t *owners = cells->top_owner + 3 * cell_named(cells, "food|n");
    assert_true(owners[0] == 0 && owners[1] == 1 && owners[2] == 4);
    tacit_cells_free(cells);
}

static void test_holdings(void **state)
{
    (void)state;
    tacit_cells_spec *spec = records_spec();
    spec->holding = "firm";
    tacit_cells *cells = cells_of(RECORDS, spec, tacit_cells_from_records);
    assert_int_equal(cells->freq[cell_named(cells, "food|Total")], 3);
    assert_int_equal(cells->freq[cell_named(cells, "food|s")], 1);
    check_top(cells, "food|Total", 120, 50, 50);
    check_top(cells, "Total|s", 70, 20, 0);
    /* one owner in both of his cells */
    assert_int_equal(cells->top_owner[3 * cell_named(cells, "food|s")],
                     cells->top_owner[3 * cell_named(cells, "food|n")]);
    tacit_cells_free(cells);
}

static void test_weights(void **state)
{
    (void)state;
    tacit_cells_spec *spec = records_spec();
    spec->weight = "w";
    tacit_cells *cells = cells_of(RECORDS, spec, tacit_cells_from_records);
    assert_true(value_named(cells, "food|n") == 250 && value_named(cells, "steel|s") == 105);
    assert_int_equal(cells->freq[cell_named(cells, "food|n")], 3);
    check_top(cells, "food|n", 100, 50, 50); /* the second stands for two */
    check_top(cells, "steel|s", 70, 35, 0);  /* one and a half of 70 */
    check_top(cells, "Total|s", 70, 45, 10); /* half a unit of 70, half of 20; the rest of 20 */
    tacit_cells_free(cells);
}

static void test_shadow_and_more(void **state)
{
    (void)state;
    tacit_cells_spec *spec = records_spec();
    spec->shadow = "staff";
    spec->cost = "staff";
    spec->request = "asked";
    tacit_cells *cells = cells_of(RECORDS, spec, tacit_cells_from_records);
    assert_true(value_named(cells, "food|n") == 200 && cells->shadow);
    assert_true(cells->gross[cell_named(cells, "food|n")] == 8);
    assert_true(cells->measure[cell_named(cells, "Total|Total")] == 19);
    check_top(cells, "food|n", 4, 3, 1);
    assert_false(cells->asked[cell_named(cells, "food|n")]);
    assert_true(cells->asked[cell_named(cells, "food|s")]);
    tacit_cells_free(cells);
    spec = &spec_of("sector")->spec;
    cells = cells_of(RECORDS, spec, tacit_cells_from_records);
    assert_true(cells->counts && value_named(cells, "food") == 4);
    tacit_cells_free(cells);
}

static void test_negative(void **state)
{
    (void)state;
    tacit_cells_spec *spec = with_value("a");
    refused("a,v\nx,5\nx,-3\n", spec, tacit_cells_from_records,
            "t.csv:3:2: \"v\" must not be negative");
    spec->negative = true;
    tacit_cells *cells = cells_of("a,v\nx,5\nx,-8\ny,2\n", spec, tacit_cells_from_records);
    int32_t x = cell_named(cells, "x");
    assert_true(cells->value[x] == -3 && cells->gross[x] == 13 && cells->cost[x] == 3);
    assert_true(cells->top[2 * x] == 8 && cells->top[2 * x + 1] == 5);
    assert_true(cells->lower[x] == -15 && cells->upper[x] == 15);
    tacit_cells_free(cells);
}

static void test_bad_records(void **state)
{
    (void)state;
    char dimensions[256];
    snprintf(dimensions, sizeof dimensions, "a=%s", file_of("a.hrc", "T\n@A\n@@a1\n@@a2\n@b\n"));
    refused("a\na1\nA\n", &spec_of(dimensions)->spec, tacit_cells_from_records,
            "t.csv:3:1: a value of dimension \"a\" is a total; a record needs a code without "
            "parts");
    refused("a\na1\nTotal\n", &spec_of("a")->spec, tacit_cells_from_records,
            "t.csv:3:1: a value of dimension \"a\" is a total; a record needs a code without "
            "parts");
    tacit_cells_spec *spec = &spec_of("a")->spec;
    spec->weight = "w";
    refused("a,w\nx,1\nx,0\n", spec, tacit_cells_from_records, "t.csv:3:2: \"w\" must be above 0");
    spec->weight = NULL;
    spec->top = 17;
    refused("a,w\nx,1\n", spec, tacit_cells_from_records, "17 contributors to keep; at most 16");
}

static void test_kind(void **state)
{
    (void)state;
    static const struct {
        const char *csv;
        bool table;
    } CASES[] = {{"a,v\nx,1\ny,2\n", false},
                 {"a,v\nx,1\nTotal,2\n", true},
                 {"a,freq\nx,1\n", true},
                 {"a,v,status\nx,1,s\n", true}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        bool is = !CASES[i].table;
        tacit_table *table = csv_of(CASES[i].csv);
        assert_int_equal(tacit_cells_is_table(&is, table, with_value("a"), NULL), TACIT_OK);
        assert_int_equal(is, CASES[i].table);
        tacit_table_free(table);
    }
}

/* Rows with line breaks in quotes: lines are still the file's. */
static void test_long_rows(void **state)
{
    (void)state;
    tacit_cells *cells = read_csv("a,v\n\"x\ny\",1\nz,2\n", with_value("a"));
    assert_int_equal(cells->line[cell_named(cells, "z")], 4);
    char *text = written(write_release, cells);
    assert_string_equal(text, "a;value;status\nTotal;3;s\n\"x\ny\";1;s\nz;2;s\n");
    free(text);
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complete_and_minimal),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_decimals_of_sums),
        cmocka_unit_test_teardown(test_twice, tables_end),
        cmocka_unit_test(test_bad_cells),
        cmocka_unit_test(test_levels_and_bounds),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_holdings),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_shadow_and_more),
        cmocka_unit_test(test_negative),
        cmocka_unit_test_teardown(test_bad_records, tables_end),
        cmocka_unit_test(test_kind),
        cmocka_unit_test(test_long_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
