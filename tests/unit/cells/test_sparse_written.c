/*
 * test_sparse_written.c - the release of a sparse table: what is written, what is refused, and the
 * second check, which finds every way of tampering with it.
 */
#include "written.h"

#include "sparse.h"

static const char SOURCE[] = "r,c,v,status,lower,upper,weight\n"
                             "x,a,5,u,0,9,2\n\"y;1\",a,2.50,s,,,1\nx,b,1e3,s,,,1\n"
                             "\"y;1\",b,7,z,,,1\nz,c,,x,,,1\nz,a,0,,,,1\n";
static const char RELEASE_TEXT[] = "r;c;v;status\n"
                                   "x;a;;u\n\"y;1\";a;;x\nx;b;1000;s\n\"y;1\";b;7;z\nz;c;;x\n"
                                   "z;a;0;s\nx;c;;x\nz;b;;x\n";

/* One cell of the plan is listed, two are not. */
static int32_t added_rows[] = {0, 1, 2}, added_columns[] = {2, 0, 1};
static const tacit_total_plan PLAN = {.count = 3, .row = added_rows, .column = added_columns};

static void test_written(void **state)
{
    (void)state;
    tacit_table *table = csv_of(SOURCE);
    tacit_flat_table *flat = sparse_list(table, &SPARSE);
    char *text = sparse_text(table, flat, &PLAN, &SPARSE, 0);
    assert_string_equal(text, RELEASE_TEXT);
    tacit_cells_written *found = sparse_checked(table, &PLAN, &SPARSE, text);
    assert_true(found->holds);
    assert_memory_equal(found->status, "uxszxs", 6);
    tacit_cells_written_free(found);
    free(text);
    text = sparse_text(table, flat, NULL, &SPARSE, ',');
    assert_string_equal(text, "r,c,v,status\nx,a,,u\ny;1,a,2.5,s\nx,b,1000,s\ny;1,b,7,z\nz,c,,x\n"
                              "z,a,0,s\n");
    found = sparse_checked(table, NULL, &SPARSE, text);
    assert_true(found->holds);
    tacit_cells_written_free(found);
    free(text);
    tacit_flat_table_free(flat);
    tacit_table_free(table);
}

static void test_without_values(void **state)
{
    (void)state;
    static const tacit_flat_spec SPEC = {.row = "r", .column = "c"};
    tacit_table *table = csv_of("r,c,v\nx,a,5\ny,b,\n");
    tacit_flat_table *flat = sparse_list(table, &SPEC);
    char *text = sparse_text(table, flat, NULL, &SPEC, 0);
    assert_string_equal(text, "r;c;status\nx;a;u\ny;b;u\n");
    tacit_cells_written *found = sparse_checked(table, NULL, &SPEC, text);
    assert_true(found->holds);
    assert_memory_equal(found->status, "uu", 2);
    tacit_cells_written_free(found);
    free(text);
    tacit_flat_table_free(flat);
    tacit_table_free(table);
}

/* ---- tampering ---- */

typedef struct tampering {
    const char *old, *new;
    int problems;
    int64_t line;
    const char *message; /* of the first problem */
} tampering;

static void test_tampering(void **state)
{
    (void)state;
    static const tampering LIST[] = {
        {"x;a;;u", "x;a;5;u", 1, 2, "x, a: it is suppressed and has a value"},
        {"x;a;;u", "x;a;x;u", 1, 2, "x, a: it is suppressed and has a value"},
        {"x;a;;u", "x;a;;x", 1, 2, "x, a: its status is not the pattern's"},
        {"x;a;;u", "x;a;;", 1, 2, "x, a: its status is not the pattern's"},
        {"x;a;;u", "x;a;;uu", 1, 2, "x, a: its status is not the pattern's"},
        {"a;;x", "a;2.5;s", 2, 3, "y;1, a: its status is not the pattern's"},
        {"a;;x", "a;2.5;x", 1, 3, "y;1, a: it is suppressed and has a value"},
        {"1000;s", "1000.0001;s", 1, 4, "x, b: its value is not the table's"},
        {"1000;s", "many;s", 1, 4, "x, b: its value is not the table's"},
        {"1000;s", ";s", 1, 4, "x, b: it is published and has no value"},
        {"1000;s", "1000;z", 1, 4, "x, b: its status is not the pattern's"},
        {"z;c;;x", "z;c;3;x", 1, 6, "z, c: it is suppressed and has a value"},
        {"z;b;;x", "z;b;3;x", 1, 9, "z, b: it is suppressed and has a value"},
        {"z;b;;x", "z;b;;u", 1, 9, "z, b: its status is not the pattern's"},
        {"z;b;;x\n", "", 1, 0, "z, b: it is missing, and so is all that follows"},
        {"x;c;;x\n", "", 1, 8, "x, c: it should stand here; what follows was not compared"},
        {"x;b;1000;s\n", "", 1, 4, "x, b: it should stand here; what follows was not compared"},
        {"x;c;;x\nz;b;;x\n", "z;b;;x\nx;c;;x\n", 1, 8,
         "x, c: it should stand here; what follows was not compared"},
        {"z;b;;x\n", "z;b;;x\nz;b;;x\n", 1, 10, "nothing should stand here, nor on what follows"},
        {"z;b;;x\n", "z;b;;x\nq;b;;x\n", 1, 10, "nothing should stand here, nor on what follows"},
        {"z;b;;x\n", "z;d;;x\n", 1, 9, "z, b: it should stand here; what follows was not compared"},
        {"x;a;;u", "w;a;;u", 1, 2, "x, a: it should stand here; what follows was not compared"},
        {"x;a;;u", ";a;;u", 1, 2, "x, a: it should stand here; what follows was not compared"},
        {"z;c;;x", "z;;;x", 1, 6, "z, c: it should stand here; what follows was not compared"},
        {"r;c;v;status", "r;c;w;status", 2, 1, "column \"v\" is missing"},
        {"r;c;v;status", "r;d;v;status", 2, 1, "column \"c\" is missing"},
        {"r;c;v;status", "r;c;v;upper", 2, 1, "column \"status\" is missing"},
    };
    tacit_table *table = csv_of(SOURCE);
    for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++) {
        const tampering *t = &LIST[i];
        char *changed = with_instead(RELEASE_TEXT, t->old, t->new);
        tacit_cells_written *found = sparse_checked(table, &PLAN, &SPARSE, changed);
        assert_false(found->holds);
        assert_string_equal(found->problems[0].message, t->message);
        assert_int_equal(found->problems[0].line, t->line);
        assert_int_equal(found->problem_count, t->problems);
        tacit_cells_written_free(found);
        free(changed);
    }
    tacit_table_free(table);
}

/* A listed cell that was to be added, left as it was and added at the end. */
static void test_twice(void **state)
{
    (void)state;
    tacit_table *table = csv_of(SOURCE);
    char *once = with_instead(RELEASE_TEXT, "\"y;1\";a;;x", "\"y;1\";a;2.5;s");
    char *twice = with_instead(once, "z;b;;x\n", "\"y;1\";a;;x\nz;b;;x\n");
    tacit_cells_written *found = sparse_checked(table, &PLAN, &SPARSE, twice);
    assert_false(found->holds);
    assert_int_equal(found->problem_count, 3);
    assert_int_equal(found->status[1], 's');
    tacit_cells_written_free(found);
    free(once);
    free(twice);
    tacit_table_free(table);
}

/* ---- plans and files that do not belong together ---- */

typedef struct foreign_case {
    int32_t row, column;
    tacit_status written, checked; /* OK: the check finds it */
} foreign_case;

static void test_foreign(void **state)
{
    (void)state;
    static const foreign_case CASES[] = {
        {0, 0, TACIT_INVALID, TACIT_OK}, /* primary already */
        {1, 1, TACIT_INVALID, TACIT_OK}, /* must be published */
        {3, 0, TACIT_INVALID, TACIT_INVALID},  {0, 3, TACIT_INVALID, TACIT_INVALID},
        {-1, 0, TACIT_INVALID, TACIT_INVALID},
    };
    tacit_table *table = csv_of(SOURCE), *other = csv_of("r,c,v\nx,a,1\n");
    tacit_table *release = csv_of(RELEASE_TEXT);
    tacit_flat_table *flat = sparse_list(table, &SPARSE);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int32_t row = CASES[i].row, column = CASES[i].column;
        tacit_total_plan plan = {.count = 1, .row = &row, .column = &column};
        tacit_cells_written *found = NULL;
        assert_int_equal(tacit_flat_write(-1, "f", table, flat, &plan, &SPARSE, 0, NULL),
                         CASES[i].written);
        assert_int_equal(
            tacit_audit_flat_written(&found, table, &plan, &SPARSE, release, NULL, NULL),
            CASES[i].checked);
        assert_true(!found || !found->holds);
        tacit_cells_written_free(found);
    }
    assert_int_equal(tacit_flat_write(-1, "f", other, flat, NULL, &SPARSE, 0, NULL), TACIT_INVALID);
    assert_int_equal(tacit_flat_write(-1, "f", table, flat, NULL, &SPARSE, 0, NULL), TACIT_IO);
    tacit_flat_table_free(flat);
    tacit_table_free(release);
    tacit_table_free(other);
    tacit_table_free(table);
}

static void test_names(void **state)
{
    (void)state;
    static const tacit_flat_spec NAMED = {.row = "status", .column = "c"};
    static const tacit_flat_spec ABSENT = {.row = "r", .column = "d"};
    tacit_table *table = csv_of("status,c\nx,a\n"), *source = csv_of(SOURCE);
    tacit_flat_table *flat = sparse_list(table, &NAMED);
    tacit_cells_written *found = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_flat_write(-1, "f", table, flat, NULL, &NAMED, 0, &err), TACIT_INVALID);
    assert_string_equal(err.message,
                        "a column is named \"status\", as another of what is written; rename it");
    assert_int_equal(tacit_audit_flat_written(&found, source, NULL, &ABSENT, source, NULL, NULL),
                     TACIT_INVALID);
    assert_null(found);
    tacit_flat_table_free(flat);
    tacit_table_free(source);
    tacit_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written),   cmocka_unit_test(test_without_values),
        cmocka_unit_test(test_tampering), cmocka_unit_test(test_twice),
        cmocka_unit_test(test_foreign),   cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
