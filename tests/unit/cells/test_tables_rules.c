/*
 * test_tables_rules.c - primary rules on cells worked out by hand, how they are written, zero and
 * empty cells, a-priori files, costs and bounds.
 */
#include "tables.h"

#include "base/decimal.h"

/* Cells with total, contributors and the three largest of them. */
static const char CELLS[] = "a,v,freq,max1,max2,max3\n"
                            "even,100,10,10,10,10\n"
                            "big,100,5,80,10,5\n"
                            "pair,100,2,60,40,\n"
                            "one,50,1,50,,\n"
                            "edge,100,4,50,25,15\n"
                            "zero,0,3,0,0,0\n"
                            "none,0,0,,,\n";

static tacit_cells *sample(void)
{
    tacit_cells_spec *spec = &spec_of("a")->spec;
    spec->value = "v";
    return cells_of(CELLS, spec, tacit_cells_from_table);
}

static tacit_rule rule_of(const char *text)
{
    tacit_rule rule;
    tacit_error err = {0};
    if (tacit_rule_parse(&rule, text, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return rule;
}

typedef struct expected {
    const char *rule;
    const char *status; /* of even, big, pair, one, edge */
    double level[5];
} expected;

static void test_levels(void **state)
{
    (void)state;
    static const expected CASES[] = {
        {"freq:2", "ssuus", {0, 0, 10, 5, 0}},
        {"freq:1", "sssus", {0, 0, 0, 5, 0}},
        /* x1 > 75 percent */
        {"nk:1,75", "susus", {0, 100 / 75.0 * 80 - 100, 0, 100 / 75.0 * 50 - 50, 0}},
        /* the limit itself is safe: 75 of 100 */
        {"nk:2,75", "suuus", {0, 20, 100 / 75.0 * 100 - 100, 100 / 75.0 * 50 - 50, 0}},
        {"nk:3,90",
         "suuus",
         {0, 100 / 90.0 * 95 - 100, 100 / 90.0 * 100 - 100, 100 / 90.0 * 50 - 50, 0}},
        /* what is left beyond the two largest: 80, 10, 0, 0, 25 */
        {"p:10", "ssuus", {0, 0, 6, 5, 0}},
        {"p:20", "suuus", {0, 6, 12, 10, 0}},
        {"p:50", "suuus", {0, 30, 30, 25, 0}},
        {"pq:20,40", "suuus", {0, 30, 30, 25, 0}},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tacit_cells *cells = sample();
        tacit_rules_options options;
        tacit_rule rule = rule_of(CASES[i].rule);
        tacit_rules_options_init(&options);
        assert_int_equal(tacit_cells_apply_rules(cells, &rule, 1, &options, NULL), TACIT_OK);
        for (int c = 0; c < 5; c++) {
            if (cells->status[c + 1] != CASES[i].status[c])
                fail_msg("%s: cell %d is %c", CASES[i].rule, c, cells->status[c + 1]);
            assert_true(fabs(cells->lpl[c + 1] - CASES[i].level[c]) < 1e-9);
            assert_true(fabs(cells->upl[c + 1] - CASES[i].level[c]) < 1e-9);
        }
        assert_memory_equal(cells->status + 6, "zz", 2);
        tacit_cells_free(cells);
    }
}

/* A two-dimensional table of firms and the p % rule with p = 15: in coal, 60 and 35 leave 2 of
 * 97; in its total 65 and 60 leave 57. Total|west has 65, 60 and 20. */
static void test_table_by_p(void **state)
{
    (void)state;
    tacit_cells_spec *spec = &spec_of("sector region")->spec;
    spec->value = "turnover";
    tacit_cells *cells = cells_of("sector,region,turnover\n"
                                  "coal,west,60\ncoal,west,35\ncoal,west,2\n"
                                  "coal,east,30\ncoal,east,28\ncoal,east,27\n"
                                  "milk,west,65\nmilk,west,20\nmilk,west,18\nmilk,west,15\n"
                                  "milk,east,12\n",
                                  spec, tacit_cells_from_records);
    tacit_rules_options options;
    tacit_rule rule = rule_of("p:15");
    tacit_rules_options_init(&options);
    assert_int_equal(tacit_cells_apply_rules(cells, &rule, 1, &options, NULL), TACIT_OK);
    for (int32_t i = 0; i < cells->count; i++) {
        bool primary = i == cell_named(cells, "coal|west") || i == cell_named(cells, "milk|east");
        assert_int_equal(cells->status[i], primary ? 'u' : 's');
    }
    assert_true(fabs(cells->upl[cell_named(cells, "coal|west")] - (9 - 2)) < 1e-12);
    assert_true(fabs(cells->upl[cell_named(cells, "milk|east")] - 1.8) < 1e-12);
    tacit_cells_free(cells);
}

static void test_sides(void **state)
{
    (void)state;
    static const struct {
        tacit_level_side side;
        double lpl, upl, spl;
    } CASES[] = {{TACIT_LEVEL_BOTH, 12, 12, 0},
                 {TACIT_LEVEL_UPPER, 0, 12, 0},
                 {TACIT_LEVEL_LOWER, 12, 0, 0},
                 {TACIT_LEVEL_SLIDING, 0, 0, 24}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tacit_cells *cells = sample();
        tacit_rules_options options;
        tacit_rule rule = rule_of("p:20");
        int32_t pair = cell_named(cells, "pair");
        tacit_rules_options_init(&options);
        options.side = CASES[i].side;
        assert_int_equal(tacit_cells_apply_rules(cells, &rule, 1, &options, NULL), TACIT_OK);
        assert_true(cells->lpl[pair] == CASES[i].lpl && cells->upl[pair] == CASES[i].upl &&
                    cells->spl[pair] == CASES[i].spl);
        tacit_cells_free(cells);
    }
}

/* Levels that the rule derives end at the bounds. */
static void test_levels_within_bounds(void **state)
{
    (void)state;
    tacit_cells *cells = sample();
    tacit_rules_options options;
    tacit_rule rule = rule_of("p:50");
    int32_t pair = cell_named(cells, "pair");
    tacit_rules_options_init(&options);
    tacit_cells_set_bounds(cells, 10);
    assert_true(cells->lower[pair] == 90 && cells->upper[pair] == 110);
    assert_int_equal(tacit_cells_apply_rules(cells, &rule, 1, &options, NULL), TACIT_OK);
    assert_true(cells->lpl[pair] == 10 && cells->upl[pair] == 10);
    assert_int_equal(tacit_cells_check(cells, NULL), TACIT_OK);
    tacit_cells_free(cells);
}

/* A total that is primary itself: the bound that was taken from it gives way, zero does not. */
static void test_assumed_bounds(void **state)
{
    (void)state;
    tacit_cells_spec *spec = &spec_of("a")->spec;
    spec->value = "v";
    tacit_cells *cells = cells_of("a,v\nx,90\nx,6\ny,4\n", spec, tacit_cells_from_records);
    tacit_rules_options options;
    tacit_rule rule = rule_of("p:90");
    tacit_rules_options_init(&options);
    assert_true(cells->assumed && cells->upper[0] == 200);
    assert_int_equal(tacit_cells_apply_rules(cells, &rule, 1, &options, NULL), TACIT_OK);
    assert_memory_equal(cells->status, "uuu", 3);
    assert_true(cells->upl[0] == 77 && cells->lpl[0] == 77 && cells->upper[0] == 200);
    assert_true(cells->upl[2] == 3.6 && cells->upper[2] == 100 && cells->lower[2] == 0);
    assert_int_equal(tacit_cells_check(cells, NULL), TACIT_OK);
    tacit_cells_free(cells);
}

/* 4.3 - 3 - 1 is 0.3 and a tenth of 3: on the limit, whatever doubles make of it. */
static void test_decimals(void **state)
{
    (void)state;
    tacit_cells_spec *spec = &spec_of("a")->spec;
    spec->value = "v";
    tacit_cells *cells =
        cells_of("a,v,max1,max2\nx,4.3,3,1\ny,4.29,3,1\n", spec, tacit_cells_from_table);
    tacit_rules_options options;
    tacit_rule rule = rule_of("p:10");
    tacit_rules_options_init(&options);
    assert_true(0.1 * 3 - (4.3 - 3 - 1) > 0);
    assert_int_equal(tacit_cells_apply_rules(cells, &rule, 1, &options, NULL), TACIT_OK);
    assert_memory_equal(cells->status, "ssu", 3);
    tacit_cells_free(cells);
}

static void test_zeros(void **state)
{
    (void)state;
    static const char LETTERS[] = "szu";
    for (int zero = 0; zero < 3; zero++)
        for (int empty = 0; empty < 3; empty++) {
            tacit_cells *cells = sample();
            tacit_rules_options options;
            tacit_rules_options_init(&options);
            options.zero = (tacit_cell_status)LETTERS[zero];
            options.empty = (tacit_cell_status)LETTERS[empty];
            options.margin.least = 3;
            assert_int_equal(tacit_cells_apply_rules(cells, NULL, 0, &options, NULL), TACIT_OK);
            assert_int_equal(cells->status[cell_named(cells, "zero")], LETTERS[zero]);
            assert_int_equal(cells->status[cell_named(cells, "none")], LETTERS[empty]);
            assert_true(cells->upl[cell_named(cells, "zero")] == (zero == 2 ? 3 : 0));
            assert_true(cells->lpl[cell_named(cells, "zero")] == 0);
            tacit_cells_free(cells);
        }
}

/* What was decided stays. */
static void test_given_stays(void **state)
{
    (void)state;
    tacit_cells *cells = cells_of("a,freq,status,lpl,upl\nx,2,z,,\ny,1,u,1,3\nw,2,,,\n",
                                  &spec_of("a")->spec, tacit_cells_from_table);
    tacit_rules_options options;
    tacit_rule rule = rule_of("freq:3");
    tacit_rules_options_init(&options);
    assert_int_equal(tacit_cells_apply_rules(cells, &rule, 1, &options, NULL), TACIT_OK);
    assert_memory_equal(cells->status, "szuu", 4);
    assert_true(cells->upl[2] == 3 && cells->upl[3] == 1 && cells->lpl[3] == 1);
    tacit_cells_free(cells);
}

static void test_parse(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        tacit_rule rule;
    } GOOD[] = {{"freq:3", {TACIT_RULE_FREQ, 3, 0, 0}},
                {"nk:2,85", {TACIT_RULE_DOMINANCE, 2, 85, 0}},
                {"p:10.5", {TACIT_RULE_P, 0, 10.5, 0}},
                {"pq:10,50", {TACIT_RULE_PQ, 0, 10, 50}},
                {"request:0", {TACIT_RULE_REQUEST, 0, 0, 0}}};
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
        tacit_rule rule = rule_of(GOOD[i].text);
        assert_true(rule.kind == GOOD[i].rule.kind && rule.n == GOOD[i].rule.n &&
                    rule.p == GOOD[i].rule.p && rule.q == GOOD[i].rule.q);
    }
    static const char *const BAD[] = {"",        "freq",     "freq:",    "freq:0",   "freq:1.5",
                                      "freq:3,", "freq:3,4", "nk:2",     "nk:17,80", "nk:2,100",
                                      "p:0",     "p:101",    "pq:50,10", "pq:1,101", "request:100",
                                      "p:x",     "f:1",      "freq 3",   "nk:,5",    "freq:-1"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        tacit_rule rule = {.n = 77};
        tacit_error err = {0};
        assert_int_equal(tacit_rule_parse(&rule, BAD[i], &err), TACIT_INVALID);
        assert_int_equal(rule.n, 77);
        assert_true(err.message[0] != '\0');
    }
    tacit_error err = {0};
    tacit_rule rule;
    tacit_rule_parse(&rule, "nk:2", &err);
    assert_string_equal(err.message,
                        "\"nk:2\" is not written as nk:n,k, n contributors from 1 to 16 "
                        "and k percent below 100");
}

static void refuse_rule(const char *csv, const char *text, bool negative, const char *message)
{
    tacit_cells_spec *spec = &spec_of("a")->spec;
    spec->value = "v";
    spec->negative = negative;
    tacit_cells *cells = cells_of(csv, spec, tacit_cells_from_table);
    tacit_rules_options options;
    tacit_rule rule = rule_of(text);
    tacit_error err = {0};
    char buffer[1200];
    tacit_rules_options_init(&options);
    assert_int_equal(tacit_cells_apply_rules(cells, &rule, 1, &options, &err), TACIT_INVALID);
    assert_string_equal(tacit_error_format(&err, buffer, sizeof buffer), message);
    tacit_cells_free(cells);
}

static void test_not_known(void **state)
{
    (void)state;
    refuse_rule("a,v\nx,1\ny,2\n", "freq:3", false,
                "t.csv: the frequency rule needs the number of contributors: a column freq, or "
                "--freq COLUMN, the column of values itself where they are counts");
    refuse_rule("a,v,max1\nx,1,1\ny,2,1\n", "p:10", false,
                "t.csv: the rule needs the 2 largest contributors of every cell, columns max1 to "
                "max2; 1 are known");
    refuse_rule("a,v,max1\nx,1,1\ny,2,1\n", "request:10", false,
                "t.csv: the request rule needs a column that says who requests protection");
    refuse_rule("a,v,max1,max2\nx,5,4,1\ny,-2,2,\n", "p:10", true,
                "t.csv:3: y: the rule compares contributions with the total and needs values that "
                "are not negative; make the table from records");
}

static void test_request(void **state)
{
    (void)state;
    tacit_cells_spec *spec = &spec_of("a")->spec;
    spec->value = "v";
    spec->request = "r";
    tacit_cells *cells = cells_of("a,v,r\nx,60,1\nx,40,0\ny,60,0\ny,40,1\nw,30,1\nw,30,1\nw,30,1\n",
                                  spec, tacit_cells_from_records);
    tacit_rules_options options;
    tacit_rule rule = rule_of("request:50");
    tacit_rules_options_init(&options);
    assert_int_equal(tacit_cells_apply_rules(cells, &rule, 1, &options, NULL), TACIT_OK);
    assert_memory_equal(cells->status, "suss", 4);
    assert_true(cells->upl[1] == 10);
    tacit_cells_free(cells);
}

static tacit_cells *two_by_two(void)
{
    return cells_of("a,b,freq\nx,p,1\nx,q,2\ny,p,3\ny,q,9\n", &spec_of("a b")->spec,
                    tacit_cells_from_table);
}

static void test_apriori(void **state)
{
    (void)state;
    tacit_cells *cells = two_by_two();
    tacit_margin margin = {.margin = 50, .least = NAN};
    const char *text = "x,p,u\n x , q , z\nx,Total,P\ny,p,W,2.5\ny,q,PL,3,4\ny,q,U\nTotal,Total,s\n"
                       "y,Total,pl,1,1,2\nTotal,p,m\nTotal,q,ML\n";
    assert_int_equal(tacit_cells_parse_apriori(cells, tacit_strview_of(text), "a", &margin, NULL),
                     TACIT_OK);
    int32_t xp = cell_named(cells, "x|p"), yq = cell_named(cells, "y|q");
    assert_int_equal(cells->status[xp], 'u');
    assert_true(cells->lpl[xp] == 1 && cells->upl[xp] == 1);
    assert_int_equal(cells->status[cell_named(cells, "x|q")], 'z');
    assert_int_equal(cells->status[cell_named(cells, "x|Total")], 'z');
    assert_true(cells->cost[cell_named(cells, "y|p")] == 2.5);
    assert_int_equal(cells->status[yq], 'u');
    assert_true(cells->lpl[yq] == 3 && cells->upl[yq] == 4);
    assert_true(cells->spl[cell_named(cells, "y|Total")] == 2);
    assert_int_equal(cells->status[cell_named(cells, "Total|p")], 'x');
    assert_int_equal(cells->status[cell_named(cells, "Total|q")], 'x');
    tacit_cells_free(cells);
    cells = two_by_two();
    const char *path = file_of("a.hst", "y;p;u\n");
    assert_int_equal(tacit_cells_apply_apriori(cells, path, &margin, NULL), TACIT_OK);
    assert_true(cells->upl[cell_named(cells, "y|p")] == 1.5);
    assert_int_equal(tacit_cells_apply_apriori(cells, "/nowhere", &margin, NULL), TACIT_IO);
    tacit_cells_free(cells);
    cells = jj_of("0\n1\n0 5 5 s 0 9 0 0 0\n0\n");
    assert_int_equal(
        tacit_cells_parse_apriori(cells, tacit_strview_of("0,u\n"), "a", &margin, NULL), TACIT_OK);
    assert_int_equal(cells->status[0], 'u');
    assert_true(cells->upl[0] == 2.5);
    tacit_cells_free(cells);
}

/* A wrong line, and nothing of the file is applied. */
static void test_bad_apriori(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"", "a:1: the file is empty or no text; write a line a cell"},
        {"x,p,u\nx,k,u\n", "a:2: a value is no code of dimension \"b\""},
        {"x,p,u\nx,p\n", "a:2: a line has the cell's codes, a delimiter, and u, s, p, m, c or pl"},
        {"x,p,u\nx,p,q\n",
         "a:2: the decision about a cell is u, s, p, m, c,COST or pl,LOWER,UPPER"},
        {"x,p,u\nx,p,u,1\n",
         "a:2: the decision about a cell is u, s, p, m, c,COST or pl,LOWER,UPPER"},
        {"x,p,u\nx,p,c\n", "a:2: a cost is written c,COST and levels pl,LOWER,UPPER"},
        {"x,p,u\nx,p,c,-1\n", "a:2: costs and levels are numbers that are not negative"},
        {"x,p,u\nx,p,pl,1\n", "a:2: a cost is written c,COST and levels pl,LOWER,UPPER"},
        {"x,p,u\nx,p,pl,1,b\n", "a:2: costs and levels are numbers that are not negative"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tacit_cells *cells = two_by_two();
        tacit_margin margin = {0};
        tacit_error err = {0};
        char buffer[1200];
        assert_int_equal(
            tacit_cells_parse_apriori(cells, tacit_strview_of(CASES[i].text), "a", &margin, &err),
            TACIT_PARSE);
        assert_string_equal(tacit_error_format(&err, buffer, sizeof buffer), CASES[i].message);
        assert_memory_equal(cells->status, "sssssssss", 9);
        tacit_cells_free(cells);
    }
}

static void test_costs(void **state)
{
    (void)state;
    tacit_cells *cells = sample();
    int32_t big = cell_named(cells, "big");
    static const struct {
        tacit_cost_kind kind;
        double lambda, cost;
    } CASES[] = {{TACIT_COST_VALUE, 1, 100},
                 {TACIT_COST_VALUE, 0.5, 10},
                 {TACIT_COST_COUNT, 1, 1},
                 {TACIT_COST_COUNT, 0.5, 1},
                 {TACIT_COST_FREQ, 1, 5},
                 {TACIT_COST_FREQ, 2, 25},
                 {TACIT_COST_VALUE, 0, 4.61512051684126}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_int_equal(tacit_cells_set_costs(cells, CASES[i].kind, CASES[i].lambda, NULL),
                         TACIT_OK);
        assert_true(fabs(cells->cost[big] - CASES[i].cost) < 1e-12);
    }
    assert_int_equal(tacit_cells_set_costs(cells, TACIT_COST_COLUMN, 1, NULL), TACIT_INVALID);
    assert_int_equal(tacit_cells_set_costs(cells, TACIT_COST_VALUE, -1, NULL), TACIT_INVALID);
    assert_int_equal(tacit_cells_set_costs(cells, TACIT_COST_VALUE, NAN, NULL), TACIT_INVALID);
    assert_int_equal(tacit_cells_set_costs(cells, TACIT_COST_VALUE, 1e6, NULL), TACIT_INVALID);
    tacit_cells_free(cells);
    cells = jj_of("0\n1\n0 5 5 s 0 9 0 0 0\n0\n");
    assert_int_equal(tacit_cells_set_costs(cells, TACIT_COST_FREQ, 1, NULL), TACIT_INVALID);
    tacit_cells_free(cells);
}

/* Numbers read and written, hard ones among them. */
static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double number;
    } READ[] = {{"0", 0},
                {"-0.5", -0.5},
                {"1e3", 1000},
                {".25", 0.25},
                {"5.", 5},
                {"+7", 7},
                {"0.1", 0.1},
                {"123456789012345", 123456789012345},
                {"12345678901234567890", 12345678901234567890.0},
                {"2.2250738585072014e-308", 2.2250738585072014e-308},
                {"00000000000000000000001.5", 1.5},
                {"9007199254740993", 9007199254740992}};
    for (size_t i = 0; i < sizeof READ / sizeof *READ; i++)
        assert_true(tacit__decimal_read(tacit_strview_of(READ[i].text)) == READ[i].number);
    static const char *const NONE[] = {"",    "-",   ".",   "e5",    "1e",    "1e+", "1 ",   " 1",
                                       "1,5", "inf", "nan", "0x1p3", "1e400", "--1", "1.2.3"};
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
        assert_true(isnan(tacit__decimal_read(tacit_strview_of(NONE[i]))));
    random_start(5);
    for (int i = 0; i < 20000; i++) {
        char text[TACIT__DECIMAL_SIZE];
        double number = (random_below(2000001) - 1000000) * pow(10, random_below(40) - 20) / 3;
        if (i % 3 == 0)
            number = random_below(1000000) / 100.0;
        size_t len = tacit__decimal_write(text, number);
        assert_int_equal(len, strlen(text));
        assert_true(tacit__decimal_read((tacit_strview){text, len}) == number);
        assert_true(strtod(text, NULL) == number);
        if (i % 3 == 0)
            assert_true(len <= 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),         cmocka_unit_test(test_table_by_p),
        cmocka_unit_test(test_sides),          cmocka_unit_test(test_levels_within_bounds),
        cmocka_unit_test(test_assumed_bounds), cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_zeros),          cmocka_unit_test(test_given_stays),
        cmocka_unit_test(test_parse),          cmocka_unit_test(test_not_known),
        cmocka_unit_test(test_request),        cmocka_unit_test_teardown(test_apriori, tables_end),
        cmocka_unit_test(test_bad_apriori),    cmocka_unit_test(test_costs),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
