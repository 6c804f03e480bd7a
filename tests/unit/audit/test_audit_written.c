/*
 * test_audit_written.c - the second check of a release: what was written passes, and every
 * way of tampering with it is found and named, without a value.
 */
#include "written.h"

/* ---- a table with several names ---- */

static const char FOLDED[] = "d;e;value;status\n"
                             "T;E;129.75;s\nT;x;9.5;s\nT;Z;120.25;s\nT;z;120.25;s\n"
                             "A;E;64.5;s\nA;x;;x\nA;Z;60;s\nA;z;60;s\n"
                             "a;E;;x\na;x;;u\na;Z;20;s\na;z;20;s\n"
                             "b;E;43;s\nb;x;3;z\nb;Z;40;s\nb;z;40;s\n"
                             "c;E;65.25;s\nc;x;5;s\nc;Z;;x\nc;z;;x\n"
                             "c1;E;65.25;s\nc1;x;5;s\nc1;Z;;x\nc1;z;;x\n";

/* The table's pattern; to be freed. */
static char *folded_pattern(const tacit_cells *cells)
{
    static const char *const SECONDARY[] = {"A|x", "a|E", "c|z"};
    char *status = malloc((size_t)cells->count);
    memcpy(status, cells->status, (size_t)cells->count);
    for (int i = 0; i < 3; i++)
        status[cell_named(cells, SECONDARY[i])] = 'x';
    return status;
}

typedef struct tampering {
    const char *old, *new;
    int problems;
    int64_t line;
    const char *message; /* of the first problem */
} tampering;

static void check_tamperings(const tacit_cells *cells, const char *status, const char *text,
                             const tampering *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const tampering *t = &list[i];
        char *changed = with_instead(text, t->old, t->new);
        tacit_cells_written *found = checked(cells, status, changed);
        assert_false(found->holds);
        assert_string_equal(found->problems[0].message, t->message);
        assert_int_equal(found->problems[0].line, t->line);
        assert_int_equal(found->problem_count, t->problems);
        tacit_cells_written_free(found);
        free(changed);
    }
}

static void test_folded(void **state)
{
    (void)state;
    static const tampering LIST[] = {
        {"b;z;40", "b;y;40", 2, 17, "no cell of the table has these codes"},
        {"b;z;40", ";z;40", 2, 17, "no cell of the table has these codes"},
        {"b;z;40;s\n", "", 1, 0, "b, Z: it is missing under one of its names"},
        {"b;Z;40;s\nb;z;40;s\n", "", 2, 0, "b, Z: it is missing under one of its names"},
        {"b;z;40;s\n", "b;z;40;s\nb;z;40;s\n", 1, 18, "b, Z: it stands in the file twice"},
        {"b;z;40;s\n", "b;Z;40;s\n", 2, 17, "b, Z: it stands in the file twice"},
        {"b;z;40", "b;z;40.00001", 1, 17, "b, Z: its value is not the table's"},
        {"b;z;40", "b;z;", 1, 17, "b, Z: it is published and has no value"},
        {"b;z;40", "b;z;forty", 1, 17, "b, Z: its value is not the table's"},
        {"b;z;40", "b;z;nan", 1, 17, "b, Z: its value is not the table's"},
        {"a;x;;u", "a;x;1.5;u", 1, 11, "a, x: it is suppressed and has a value"},
        {"c1;z;;x", "c1;z;0;x", 1, 25, "c, Z: it is suppressed and has a value"},
        {"c1;z;;x", "c1;z; ;x", 1, 25, "c, Z: it is suppressed and has a value"},
        {"a;x;;u", "a;x;;x", 1, 11, "a, x: its status is not the pattern's"},
        {"A;x;;x", "A;x;;u", 1, 7, "A, x: its status is not the pattern's"},
        {"A;x;;x", "A;x;;", 1, 7, "A, x: its status is not the pattern's"},
        {"A;x;;x", "A;x;4.5;s", 2, 7, "A, x: its status is not the pattern's"},
        {"b;x;3;z", "b;x;3;s", 1, 15, "b, x: its status is not the pattern's"},
        {"b;x;3;z", "b;x;3;zz", 1, 15, "b, x: its status is not the pattern's"},
        {"d;e;value;status", "d;e;freq;status", 2, 1, "column \"value\" is missing"},
        {"d;e;value;status", "d;e;value;letter", 2, 1, "column \"status\" is missing"},
        {"d;e;value;status", "d;f;value;status", 2, 1, "column \"e\" is missing"},
    };
    tacit_cells *cells = folded_table();
    char *status = folded_pattern(cells), *text = release_of(cells, status);
    assert_string_equal(text, FOLDED);
    tacit_cells_written *found = checked(cells, status, text);
    assert_true(found->holds && found->problem_count == 0 && found->listed == 0);
    assert_memory_equal(found->status, status, cells->count);
    tacit_cells_written_free(found);
    check_tamperings(cells, status, text, LIST, sizeof LIST / sizeof *LIST);
    free(text);
    free(status);
    tacit_cells_free(cells);
}

/* A column more or less changes every line. */
static void test_columns(void **state)
{
    (void)state;
    tacit_cells *cells =
        cells_of("d,freq\np,3\nq,4\n", &spec_of("d")->spec, tacit_cells_from_table);
    static const struct {
        const char *text;
        int problems;
        const char *message;
    } LIST[] = {
        {"d;freq;status\nTotal;7;s\np;3;s\nq;4;s\n", 0, ""},
        {"status;freq;d\ns;7;Total\ns;3;p\ns;4;q\n", 0, ""},
        {"d;freq;status;upl\nTotal;7;s;1\np;3;s;1\nq;4;s;1\n", 1, "column 4 should not be there"},
        {"d;freq\nTotal;7\np;3\nq;4\n", 1, "column \"status\" is missing"},
        {"d;status\nTotal;s\np;s\nq;s\n", 1, "column \"freq\" is missing"},
        {"freq;status\n7;s\n3;s\n4;s\n", 1, "column \"d\" is missing"},
        {"d;freq;status\n", 3, "Total: it is missing under one of its names"},
    };
    for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++) {
        tacit_cells_written *found = checked(cells, NULL, LIST[i].text);
        assert_int_equal(found->problem_count, LIST[i].problems);
        assert_int_equal(found->holds, LIST[i].problems == 0);
        assert_string_equal(found->problems[0].message, LIST[i].message);
        tacit_cells_written_free(found);
    }
    tacit_cells_free(cells);
}

/* What could not be read back is not written. */
static void test_names_twice(void **state)
{
    (void)state;
    tacit_cells *cells =
        cells_of("status,freq\np,3\nq,4\n", &spec_of("status")->spec, tacit_cells_from_table);
    tacit_error err = {0};
    assert_int_equal(tacit_cells_write_csv(-1, "out.csv", cells, NULL, &RELEASE, &err),
                     TACIT_INVALID);
    assert_string_equal(err.message,
                        "a dimension is named \"status\", as another column of what is "
                        "written; rename it");
    tacit_cells_free(cells);
}

static void test_linked(void **state)
{
    (void)state;
    static const tampering LIST[] = {
        {"n;Total;old;2", "n;f;old;2", 2, 12, "no cell of the table has these codes"},
        {"n;Total;Total;3;s\n", "", 1, 0, "n, Total: it is missing under one of its names"},
        {"n;Total;old;2;s\n", "", 1, 0, "n, old: it is missing under one of its names"},
        {"n;Total;old;2;s\n", "n;Total;old;2;s\nn;Total;Total;3;s\n", 1, 13,
         "n, Total: it stands in the file twice"},
        {"s;Total;new;2", "s;Total;new;3", 1, 16, "s, new: its value is not the table's"},
    };
    tacit_cells *cells = linked_table();
    char *status = malloc((size_t)cells->count);
    memcpy(status, cells->status, (size_t)cells->count);
    status[cells->tables[1].cells[0]] = 'x';
    char *text = release_of(cells, status);
    tacit_cells_written *found = checked(cells, status, text);
    assert_true(found->holds);
    assert_memory_equal(found->status, status, cells->count);
    tacit_cells_written_free(found);
    check_tamperings(cells, status, text, LIST, sizeof LIST / sizeof *LIST);
    free(text);
    free(status);
    tacit_cells_free(cells);
}

static void test_indexed(void **state)
{
    (void)state;
    static const tampering LIST[] = {
        {"2;2.5", "4;2.5", 2, 4, "no cell of the table has these codes"},
        {"2;2.5", "-1;2.5", 2, 4, "no cell of the table has these codes"},
        {"2;2.5", "1.5;2.5", 2, 4, "no cell of the table has these codes"},
        {"2;2.5", "03;2.5", 3, 4, "cell 3: its status is not the pattern's"},
        {"1;;u", "1;1;u", 1, 3, "cell 1: it is suppressed and has a value"},
        {"0;6;s", "0;5;s", 1, 2, "cell 0: its value is not the table's"},
        {"cell;", "index;", 2, 1, "column \"cell\" is missing"},
    };
    tacit_cells *cells = indexed_table();
    char *text = release_of(cells, NULL);
    assert_string_equal(text, "cell;value;status\n0;6;s\n1;;u\n2;2.5;s\n3;2.5;z\n");
    check_tamperings(cells, NULL, text, LIST, sizeof LIST / sizeof *LIST);
    free(text);
    text = written(write_as_csv, cells);
    assert_int_equal(
        strncmp(text, "cell;value;status;lower;upper;lpl;upl;spl;weight\n0;6;s;0;", 57), 0);
    free(text);
    tacit_cells_free(cells);
}

/* Letters of a pattern that the cells' own do not allow, though the file keeps the pattern. */
static void test_pattern(void **state)
{
    (void)state;
    static const char OWN[] = "sssuuuxxxzzz", GIVEN[] = "uzqsxzsuzsux";
    for (size_t i = 0; i < sizeof OWN - 1; i++) {
        tacit_cells *cells = indexed_table();
        char status[] = "suss";
        status[2] = GIVEN[i];
        cells->status[2] = OWN[i];
        cells->status[3] = 's';
        char *text = release_of(cells, status);
        tacit_cells_written *found = checked(cells, status, text);
        assert_int_equal(found->problem_count, 1);
        assert_string_equal(found->problems[0].message,
                            "cell 2: its status does not follow from the table's: only s may "
                            "become x");
        tacit_cells_written_free(found);
        free(text);
        tacit_cells_free(cells);
    }
}

/* What the file says goes to the audit, whatever it should have said. */
static void test_letters(void **state)
{
    (void)state;
    static const struct {
        const char *text, *letters;
    } LIST[] = {
        {"cell;value;status\n0;6;s\n1;1;u\n2;;s\n3;2.5;z\n", "ssxz"},
        {"cell;value;status\n0;6;x\n1;;u\n2;;u\n", "suux"},
        {"cell;value;status\n1;;u\n1;1;u\n0;6;s\n0;;x\n2;2.5;?\n3;;?\n", "sssx"},
        {"cell;value;letter\n0;6;s\n", "xxxx"},
    };
    tacit_cells *cells = indexed_table();
    for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++) {
        tacit_cells_written *found = checked(cells, NULL, LIST[i].text);
        assert_memory_equal(found->status, LIST[i].letters, 4);
        assert_false(found->holds);
        tacit_cells_written_free(found);
    }
    tacit_cells_free(cells);
}

/* More problems than are listed are counted. */
static void test_many(void **state)
{
    (void)state;
    tacit_cells *cells = folded_table();
    char *status = folded_pattern(cells);
    tacit_cells_written *found = checked(cells, status, "d;e;value;status\n");
    assert_int_equal(found->problem_count, 24);
    assert_int_equal(found->listed, TACIT_WRITTEN_LISTED);
    tacit_cells_written_free(found);
    free(status);
    tacit_cells_free(cells);
}

static void test_misuse(void **state)
{
    (void)state;
    tacit_cells *cells = indexed_table();
    tacit_table *table = csv_of("cell;value;status\n");
    tacit_cells_written *found = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_audit_cells_written(&found, cells, NULL, table,
                                               &(tacit_cells_csv_options){0}, NULL, &err),
                     TACIT_INVALID);
    assert_string_equal(err.message, "only what is written for the public is checked");
    tacit_table_free(table);
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.code_none = true;
    assert_int_equal(tacit_table_read_memory(&table, tacit_strview_of("cell;value;status\n0;1;s\n"),
                                             "t.csv", &options, NULL, NULL),
                     TACIT_OK);
    err = (tacit_error){0};
    assert_int_equal(tacit_audit_cells_written(&found, cells, NULL, table, &RELEASE, NULL, &err),
                     TACIT_INVALID);
    assert_string_equal(err.message, "column 1 was not read as codes");
    assert_null(found);
    tacit_table_free(table);
    tacit_cells_free(cells);
}

/* ---- .jj ---- */

static void test_jj(void **state)
{
    (void)state;
    static const char STATUS[] = "suxz";
    static const tampering LIST[] = {
        {"2 2.5 1 x 0", "2 2.5 1 x 0", 0, 0, ""},
        {"2 2.5 1 x 0", "2 2.5000000001 1 x 0", 1, 5, "cell 2: its value is not the table's"},
        {"2 2.5 1 x 0", "2 2.5 2 x 0", 1, 5, "cell 2: its cost is not the table's"},
        {"2 2.5 1 x 0", "2 2.5 1 s 0", 1, 5, "cell 2: its status is not the pattern's"},
        {"2 2.5 1 x 0", "2 2.5 1 x 1", 1, 5, "cell 2: its lower bound is not the table's"},
        {"0 6 1 s 0 9 0", "0 6 1 s 0 8 0", 1, 3, "cell 0: its upper bound is not the table's"},
        {"u 0 9 1 1 0", "u 0 9 2 1 0", 1, 4, "cell 1: its lower level is not the table's"},
        {"u 0 9 1 1 0", "u 0 9 1 2 0", 1, 4, "cell 1: its upper level is not the table's"},
        {"u 0 9 1 1 0", "u 0 9 1 1 1", 1, 4, "cell 1: its sliding level is not the table's"},
        {"0 4 :", "0.0000000001 4 :", 1, 0, "relation 1 is not the table's"},
        {"3 (1)\n", "3 (0.9999999999)\n", 1, 0, "relation 1 is not the table's"},
        {"\n1\n0 4 : 0 (-1)", "\n0\n", 1, 0, "the number of relations is not the table's"},
        {"1\n0 4", "2\n6 1 : 0 (1)\n0 4", 1, 0, "the number of relations is not the table's"},
    };
    tacit_cells *cells = indexed_table();
    char *text = written(write_pattern_jj, &(to_write){cells, STATUS});
    for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++) {
        char *changed = with_instead(text, LIST[i].old, LIST[i].new);
        char *end = strstr(changed, "\n0\n 1 (1)"); /* the relation taken away whole */
        if (end)
            end[3] = '\0';
        tacit_cells *other = jj_of(changed);
        tacit_cells_written *found = NULL;
        assert_int_equal(tacit_audit_cells_same(&found, cells, STATUS, other, NULL), TACIT_OK);
        assert_int_equal(found->problem_count, LIST[i].problems);
        assert_int_equal(found->holds, LIST[i].problems == 0);
        assert_string_equal(found->problems[0].message, LIST[i].message);
        assert_int_equal(found->problems[0].line, LIST[i].line);
        assert_memory_equal(found->status, other->status, 4);
        tacit_cells_written_free(found);
        tacit_cells_free(other);
        free(changed);
    }
    free(text);
    tacit_cells *less = jj_of("0\n1\n0 6 1 s 0 9 0 0 0\n0\n");
    tacit_cells_written *found = NULL;
    assert_int_equal(tacit_audit_cells_same(&found, cells, STATUS, less, NULL), TACIT_OK);
    assert_string_equal(found->problems[0].message, "the number of cells is not the table's");
    tacit_cells_written_free(found);
    tacit_cells_free(less);
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_folded, tables_end),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_names_twice),
        cmocka_unit_test(test_linked),
        cmocka_unit_test(test_indexed),
        cmocka_unit_test(test_pattern),
        cmocka_unit_test(test_letters),
        cmocka_unit_test_teardown(test_many, tables_end),
        cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_jj),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
