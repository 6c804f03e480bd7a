/*
 * test_sparse.c - sparse tables from files of cells: what is read, what is assumed where
 * nothing is given, and every way in which a file can be wrong.
 */
#include "tables.h"

#include "sparse.h"

static const tacit_flat_spec BARE = {.row = "r", .column = "c"};
static const tacit_flat_spec SIGNED = {.row = "r", .column = "c", .value = "v", .negative = true};

static tacit_flat_table *flat_from(const char *text, const tacit_flat_spec *spec)
{
    tacit_table *table = csv_of(text);
    tacit_flat_table *flat = sparse_list(table, spec);
    tacit_table_free(table);
    return flat;
}

/* ---- what is read ---- */

static void test_all_columns(void **state)
{
    (void)state;
    static const char TEXT[] = "weight,c,status,v,r,upper,lower\n"
                               "2,a,u,5,x,9,1\n,b,s,0,x,,\n0,a,,-3.5,y,,-4\n1.5,c,x,,x,8,\n"
                               "1,c,z,2,z,3,2\n";
    static const int32_t ROW[] = {0, 0, 1, 0, 2}, COLUMN[] = {0, 1, 0, 2, 2};
    static const double VALUE[] = {5, 0, -3.5, NAN, 2}, COST[] = {2, 1, 0, 1.5, 1};
    static const double LOWER[] = {1, -INFINITY, -4, -INFINITY, 2};
    static const double UPPER[] = {9, INFINITY, INFINITY, 8, 3};
    tacit_flat_spec spec = SIGNED;
    spec.rest = TACIT_REST_FIXED;
    tacit_flat_table *flat = flat_from(TEXT, &spec);
    const tacit_flat_view *view = &flat->view;
    assert_int_equal(view->rows, 3);
    assert_int_equal(view->columns, 3);
    assert_int_equal(view->count, 5);
    assert_int_equal(view->rest, TACIT_REST_FIXED);
    assert_memory_equal(view->row, ROW, sizeof ROW);
    assert_memory_equal(view->column, COLUMN, sizeof COLUMN);
    assert_memory_equal(view->status, "ussxz", 5);
    for (int i = 0; i < 5; i++) {
        assert_true(view->value[i] == VALUE[i] || (isnan(VALUE[i]) && isnan(view->value[i])));
        assert_true(view->cost[i] == COST[i]);
        assert_true(view->lower[i] == LOWER[i]);
        assert_true(view->upper[i] == UPPER[i]);
    }
    assert_null(view->secret);
    assert_null(flat->cells);
    assert_null(flat->row_code);
    tacit_flat_table_free(flat);
}

typedef struct default_case {
    const char *text;
    const tacit_flat_spec *spec;
    bool status, value, lower, upper, cost; /* which arrays there are */
} default_case;

/* What every cell would have anyway takes no memory. */
static void test_defaults(void **state)
{
    (void)state;
    static const default_case CASES[] = {
        {"r,c\nx,a\ny,b\n", &BARE, 0, 0, 0, 0, 0},
        {"r,c\n", &BARE, 0, 0, 0, 0, 0},
        {"r,c,v\nx,a,1\ny,b,\n", &SPARSE, 0, 1, 0, 0, 0},
        {"r,c,v\nx,a,\ny,b,\n", &SPARSE, 0, 0, 0, 0, 0},
        {"r,c,v\nx,a,1\n", &SIGNED, 0, 1, 1, 0, 0},
        {"r,c,v\nx,a,\n", &SIGNED, 0, 0, 0, 0, 0},
        {"r,c,status\nx,a,u\n", &BARE, 0, 0, 0, 0, 0},
        {"r,c,status\nx,a,u\nx,b,\n", &BARE, 1, 0, 0, 0, 0},
        {"r,c,status\nx,a,x\n", &BARE, 1, 0, 0, 0, 0},
        {"r,c,v,lower,upper,weight\nx,a,1,0,,1\nx,b,1,,,\n", &SPARSE, 0, 1, 0, 0, 0},
        {"r,c,v,lower,upper,weight\nx,a,1,0.5,4,3\nx,b,1,,,\n", &SPARSE, 0, 1, 1, 1, 1},
        {"r,c,lower,upper\nx,a,1,4\n", &BARE, 0, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const default_case *c = &CASES[i];
        tacit_flat_table *flat = flat_from(c->text, c->spec);
        tacit_total_audit *audit = NULL;
        assert_int_equal(flat->view.status != NULL, c->status);
        assert_int_equal(flat->view.value != NULL, c->value);
        assert_int_equal(flat->view.lower != NULL, c->lower);
        assert_int_equal(flat->view.upper != NULL, c->upper);
        assert_int_equal(flat->view.cost != NULL, c->cost);
        assert_int_equal(tacit_audit_total(&audit, &flat->view, NULL, NULL, NULL), TACIT_OK);
        tacit_total_audit_free(audit);
        tacit_flat_table_free(flat);
    }
}

/* Columns that were not coded are as if there were none; a column may be named like another's
 * usual name. */
static void test_choice(void **state)
{
    (void)state;
    static const char *const CODED[] = {"status", "lower"};
    static const tacit_flat_spec NAMES = {.row = "status", .column = "lower"};
    tacit_csv_options options;
    tacit_run run;
    tacit_table *table = NULL;
    tacit_flat_table *flat = NULL;
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    options.coded = CODED;
    options.coded_count = 2;
    assert_int_equal(
        tacit_table_read_memory(&table, tacit_strview_of("status,lower,upper\nq,7,-1\nu,8,-2\n"),
                                "t.csv", &options, &run, NULL),
        TACIT_OK);
    assert_int_equal(tacit_flat_from_table(&flat, table, &NAMES, &run, NULL), TACIT_OK);
    assert_int_equal(flat->view.count, 2);
    assert_null(flat->view.status);
    assert_null(flat->view.lower);
    tacit_flat_table_free(flat);
    tacit_table_free(table);
}

/* A value that is not given moves both ways, also where it could be on its bound; the sum of
 * cells that are known is not known where one of them is not. */
static void test_unknown_values(void **state)
{
    (void)state;
    static const char TEXT[] = "r,c,v,upper\nx,a,,3\nx,b,2,3\ny,a,2,3\ny,b,%s,3\n";
    static const struct {
        const char *value;
        int invariant;
    } cases[] = {{"", 0}, {"1", 0}, {"0", 0}};
    for (int i = 0; i < 3; i++) {
        char text[128];
        tacit_total_audit_options options = {.sums = 4};
        tacit_total_audit *audit = NULL;
        snprintf(text, sizeof text, TEXT, cases[i].value);
        tacit_flat_table *flat = flat_from(text, &SPARSE);
        assert_int_equal(tacit_audit_total(&audit, &flat->view, &options, NULL, NULL), TACIT_OK);
        assert_int_equal(audit->invariant_count, cases[i].invariant);
        assert_false(audit->total);
        for (int32_t k = 0; k < audit->leak_count; k++) {
            bool open = false;
            for (int32_t t = 0; t < audit->leak[k].count; t++)
                open |= isnan(flat->view.value[audit->terms[audit->leak[k].first + t].cell]);
            assert_int_equal(open, isnan(audit->leak[k].value));
        }
        tacit_total_audit_free(audit);
        tacit_flat_table_free(flat);
    }
}

/* ---- what is wrong ---- */

typedef struct wrong_case {
    const char *text;
    const tacit_flat_spec *spec;
    tacit_status status;
    int line, column;
    const char *message;
} wrong_case;

static void test_wrong(void **state)
{
    (void)state;
    static const tacit_flat_spec NO_ROW = {.column = "c"};
    static const tacit_flat_spec SAME = {.row = "r", .column = "r"};
    static const tacit_flat_spec VALUE_TOO = {.row = "r", .column = "c", .value = "c"};
    static const char TWICE[] = "the cell stands on line 2 already; leave one of the two out";
    static const char OUTSIDE[] = "the value is outside its bounds; correct it, or them";
    static const char CROSSED[] = "the upper bound is not above the lower one; correct one of them";
    static const char NO_LINE[] = "\"c\" is missing; every cell needs a row and a column";
    static const char OPEN[] = "a published cell has no value; write it, or a status of u or x";
    static const wrong_case CASES[] = {
        {"r,c\nx,a\n", &NO_ROW, TACIT_INVALID, 0, 0,
         "a file of cells needs a column for rows and one for columns; name both"},
        {"r,c\nx,a\n", &SAME, TACIT_INVALID, 0, 0,
         "rows, columns and values must be three columns of the file"},
        {"r,c\nx,a\n", &VALUE_TOO, TACIT_INVALID, 0, 0,
         "rows, columns and values must be three columns of the file"},
        {"r,d\nx,a\n", &BARE, TACIT_INVALID, 0, 0, "there is no column \"c\"; there are r, d"},
        {"r,c\nx,a\n", &SPARSE, TACIT_INVALID, 0, 0, "there is no column \"v\"; there are r, c"},
        {"r,c\nx,a\nx,\n", &BARE, TACIT_PARSE, 3, 2, NO_LINE},
        {"c,r\na,x\na,\n", &BARE, TACIT_PARSE, 3, 2,
         "\"r\" is missing; every cell needs a row and a column"},
        {"r,c\nx,a\nx,b\nx,a\n", &BARE, TACIT_PARSE, 4, 1, TWICE},
        {"r,c\nx,a\ny,a\ny,b\nx,b\nx,a\n", &BARE, TACIT_PARSE, 6, 1, TWICE},
        {"c,r\na,x\nb,y\na,x\nb,y\na,x\n", &BARE, TACIT_PARSE, 4, 2, TWICE},
        {"r,c,status\nx,a,u\nx,b,q\n", &BARE, TACIT_PARSE, 3, 3,
         "status: a value is no status; write s, u, x or z"},
        {"r,c,status\nx,a,u\nx,b,ux\n", &BARE, TACIT_PARSE, 3, 3,
         "status: a value is no status; write s, u, x or z"},
        {"r,c,v\nx,a,1\nx,b,one\n", &SPARSE, TACIT_PARSE, 3, 3,
         "\"v\" is not a number; write digits with a point, a sign and an exponent"},
        {"r,c,v\nx,a,1\nx,b,-1\n", &SPARSE, TACIT_PARSE, 3, 3, "\"v\" must not be negative"},
        {"r,c,v,weight\nx,a,1,2\nx,b,1,-1\n", &SPARSE, TACIT_PARSE, 3, 4,
         "\"weight\" must not be negative"},
        {"r,c,v,lower\nx,a,1,2\n", &SPARSE, TACIT_PARSE, 2, 3, OUTSIDE},
        {"r,c,upper,v\nx,a,,7\nx,b,2,3\n", &SPARSE, TACIT_PARSE, 3, 4, OUTSIDE},
        {"r,c,v,lower\nx,a,-5,-4\n", &SIGNED, TACIT_PARSE, 2, 3, OUTSIDE},
        {"r,c,v,lower,upper\nx,a,1,3,3\n", &SPARSE, TACIT_PARSE, 2, 5, CROSSED},
        {"r,c,v,lower,upper\nx,a,1,,\nx,b,1,3,2\n", &SPARSE, TACIT_PARSE, 3, 5, CROSSED},
        {"r,c,upper,status\nx,a,1,u\nx,b,0,z\n", &BARE, TACIT_PARSE, 3, 3, CROSSED},
        {"r,c,v,upper\nx,a,,0\n", &SPARSE, TACIT_PARSE, 2, 4, CROSSED},
        {"r,c,v,lower,upper\nx,a,1,1,1.0000000001\n", &SPARSE, TACIT_PARSE, 2, 5,
         "the bounds are no further apart than rounding"},
        {"r,c,v,lower\nx,a,1,b\n", &SPARSE, TACIT_PARSE, 2, 4,
         "\"lower\" is not a number; write digits with a point, a sign and an exponent"},
        {"r,c,v,status\nx,a,,u\nx,b,,s\n", &SPARSE, TACIT_PARSE, 3, 3, OPEN},
        {"r,c,v,status\nx,a,,x\nx,b,,z\n", &SPARSE, TACIT_PARSE, 3, 3, OPEN},
        {"r,c,v,status\nx,a,,x\nx,b,,\n", &SPARSE, TACIT_PARSE, 3, 3, OPEN},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const wrong_case *c = &CASES[i];
        tacit_table *table = csv_of(c->text);
        tacit_flat_table *flat = NULL;
        tacit_error err = {0};
        assert_int_equal(tacit_flat_from_table(&flat, table, c->spec, NULL, &err), c->status);
        assert_string_equal(err.message, c->message);
        assert_int_equal(err.line, c->line);
        assert_int_equal(err.column, c->column);
        assert_string_equal(err.file, c->status == TACIT_PARSE ? "t.csv" : err.file);
        assert_null(flat);
        tacit_table_free(table);
    }
}

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total, (void)payload;
    return false;
}

static void test_stopped(void **state)
{
    (void)state;
    tacit_table *table = csv_of("r,c\nx,a\n");
    tacit_flat_table *flat = NULL;
    tacit_run run;
    tacit_run_init(&run);
    run.progress = stop;
    assert_int_equal(tacit_flat_from_table(&flat, table, &BARE, &run, NULL), TACIT_CANCELLED);
    assert_null(flat);
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_columns), cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_choice),      cmocka_unit_test(test_unknown_values),
        cmocka_unit_test(test_wrong),       cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
