/*
 * test_suppress_demands.c - primary cells hidden from contributors who know what they gave, and
 * sums of them, on tables that can be checked by hand.
 */
#include "tables.h"

#include "suppress.h"

#include "knowers.h"

/* Letters of the leaves and the total of a table of one dimension, by their names. */
static void check_letters_of(const tacit_cells *cells, const char *status, const char *names,
                             const char *expected)
{
    for (size_t i = 0; names[i]; i++) {
        const char name[] = {names[i], '\0'};
        char letter = status[cell_named(cells, names[i] == 'T' ? "Total" : name)];
        if (letter != expected[i])
            fail_msg("%c is %c instead of %c", names[i], letter, expected[i]);
    }
}

/* What is asked, and the letters that are cheapest. */
typedef struct example {
    const char *csv;
    bool singletons, sums;
    const char *names, *letters;
} example;

static tacit_cells *table_of(const char *csv)
{
    tacit_cells_spec *spec = &spec_of("r")->spec;
    spec->value = "v";
    return cells_of(csv, spec, tacit_cells_from_table);
}

static void check_example(const example *e)
{
    const tacit_suppress_options options = {.singletons = e->singletons, .sums = e->sums};
    tacit_cells *cells = table_of(e->csv);
    for (const char *const *m = HIDING_METHODS; *m; m++) {
        tacit_pattern pattern = {0};
        tacit_error err = {0};
        if (suppressed_from_insiders(&pattern, cells, *m, &options, &err) != TACIT_OK)
            fail_msg("%s: %s", *m, err.message);
        if (strcmp(*m, "optimal") == 0)
            check_letters_of(cells, pattern.status, e->names, e->letters);
        check_letters(cells, &pattern);
        assert_true(keeps_all(cells, pattern.status, &options));
        tacit_pattern_clear(&pattern);
    }
    tacit_cells_free(cells);
}

/* Two cells of one contributor each hide each other from everybody, and not from each other. */
static void test_two_singletons(void **state)
{
    (void)state;
    static const char CSV[] = "r,v,freq,status,lpl,upl,max1,max2\na,5,1,u,1,1,5,0\n"
                              "b,6,1,u,1,1,6,0\nc,9,4,s,0,0,4,2\nd,30,5,s,0,0,9,8\n";
    check_example(&(example){CSV, false, false, "abcdT", "uusss"});
    check_example(&(example){CSV, true, false, "abcdT", "uuxss"});
}

/* One of two contributors knows that his cell is not below what he gave: not much of it moves. */
static void test_one_of_two(void **state)
{
    (void)state;
    static const char CSV[] = "r,v,freq,status,lpl,upl,max1,max2\na,9,3,u,3,3,5,3\n"
                              "b,7,2,s,0,0,6,1\nc,12,9,s,0,0,4,2\nd,30,9,s,0,0,9,8\n";
    check_example(&(example){CSV, false, false, "abcdT", "uxsss"});
    check_example(&(example){CSV, true, false, "abcdT", "usxss"});
}

/* The owner of two of three primary cells knows the third. */
static void test_owner(void **state)
{
    (void)state;
    static const char OWNED[] = "r,v,freq,status,lpl,upl,max1,max2,owner1,owner2\n"
                                "a,5,1,u,1,1,5,0,1,\nb,6,1,u,1,1,6,0,1,\nc,7,1,u,1,1,7,0,2,\n"
                                "d,40,9,s,0,0,4,2,3,4\n";
    static const char STRANGERS[] = "r,v,freq,status,lpl,upl,max1,max2\n"
                                    "a,5,1,u,1,1,5,0\nb,6,1,u,1,1,6,0\nc,7,1,u,1,1,7,0\n"
                                    "d,40,9,s,0,0,4,2\n";
    check_example(&(example){STRANGERS, true, false, "abcdT", "uuuss"});
    check_example(&(example){OWNED, false, false, "abcdT", "uuuss"});
    check_example(&(example){OWNED, true, false, "abcdT", "uuuxs"});
}

/* What two primary cells come to together is known: of four contributors, which is no more than
 * the rule lets be known, or of two. */
static void test_sum(void **state)
{
    (void)state;
    static const char CSV[] = "r,v,freq,status,lpl,upl,max1,max2\na,50,2,u,4,4,46,4\n"
                              "b,40,2,u,4,4,36,4\nc,60,9,s,0,0,20,9\nd,70,9,s,0,0,9,8\n";
    check_example(&(example){CSV, false, false, "abcdT", "uusss"});
    check_example(&(example){CSV, false, true, "abcdT", "uusss"});
    static const char CLOSE[] = "r,v,freq,status,lpl,upl,max1,max2\na,50,1,u,4,4,50,0\n"
                                "b,40,1,u,4,4,40,0\nc,60,9,s,0,0,20,9\nd,70,9,s,0,0,9,8\n";
    check_example(&(example){CLOSE, false, true, "abcdT", "uuxss"});
}

/* All others must be published: the cell is named. */
static void test_impossible(void **state)
{
    (void)state;
    static const char *const CSV = "r,v,freq,status,lpl,upl,max1,max2\na,5,1,u,1,1,5,0\n"
                                   "b,6,1,u,1,1,6,0\nc,9,4,z,0,0,4,2\nTotal,20,6,z,0,0,6,5\n";
    static const char *const REASONS[] = {"a contributor can work it out",
                                          "its sum with the other primary cells"};
    tacit_cells *cells = table_of(CSV);
    for (const char *const *m = HIDING_METHODS; *m; m++)
        for (int sums = 0; sums < 2; sums++) {
            tacit_suppress_options options = {.singletons = !sums, .sums = sums};
            tacit_pattern pattern = {.secondary = -7};
            tacit_error err = {0};
            assert_int_equal(suppressed_from_insiders(&pattern, cells, *m, &options, &err),
                             TACIT_INFEASIBLE);
            assert_int_equal(pattern.secondary, -7);
            assert_non_null(strstr(err.message, REASONS[sums]));
        }
    tacit_cells_free(cells);
}

/* Nothing is known of contributors. */
static void test_no_freq(void **state)
{
    (void)state;
    const tacit_suppress_options options = {.singletons = true};
    tacit_cells *cells = jj_of("0\n3\n0 5 5 s 0 9 0 0 0\n1 2 2 u 0 9 1 1 0\n"
                               "2 3 3 s 0 9 0 0 0\n1\n0 3 : 0 (-1) 1 (1) 2 (1)\n");
    tacit_pattern pattern;
    tacit_error err = {0};
    assert_int_equal(suppressed_from_insiders(&pattern, cells, "hitas", &options, &err),
                     TACIT_INVALID);
    assert_non_null(strstr(err.message, "freq"));
    tacit_cells_free(cells);
}

/* Two tables of one file: an owner is one in both. */
static void test_linked(void **state)
{
    (void)state;
    static const char RECORDS[] =
        "r,s,a,v,h\nA,m,y,10,p\nA,f,o,20,q\nB,m,y,30,p\nB,f,o,5,q\nB,m,o,8,x\nB,f,y,9,z\n"
        "C,m,y,7,k\nC,f,o,6,l\nC,m,o,5,i\nC,f,y,8,j\n";
    const tacit_suppress_options options = {.singletons = true, .sums = true};
    tacit_cells *parts[2], *linked = NULL;
    tacit_rules_options primary;
    tacit_rule rule;
    for (int i = 0; i < 2; i++) {
        tacit_cells_spec *spec = &spec_of(i ? "r a" : "r s")->spec;
        spec->value = "v";
        spec->holding = "h";
        parts[i] = cells_of(RECORDS, spec, tacit_cells_from_records);
    }
    assert_int_equal(tacit_cells_link(&linked, (const tacit_cells *const *)parts, 2, 0, NULL),
                     TACIT_OK);
    assert_non_null(linked->top_owner);
    tacit_rules_options_init(&primary);
    assert_int_equal(tacit_rule_parse(&rule, "freq:1", NULL), TACIT_OK);
    assert_int_equal(tacit_cells_apply_rules(linked, &rule, 1, &primary, NULL), TACIT_OK);
    for (const char *const *m = HIDING_METHODS; *m; m++) {
        tacit_pattern pattern = {0};
        assert_int_equal(suppressed_from_insiders(&pattern, linked, *m, &options, NULL), TACIT_OK);
        assert_true(keeps_all(linked, pattern.status, &options));
        tacit_pattern_clear(&pattern);
    }
    tacit_cells_free(parts[0]);
    tacit_cells_free(parts[1]);
    tacit_cells_free(linked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_singletons), cmocka_unit_test(test_one_of_two),
        cmocka_unit_test(test_owner),          cmocka_unit_test(test_sum),
        cmocka_unit_test(test_impossible),     cmocka_unit_test(test_no_freq),
        cmocka_unit_test(test_linked),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
