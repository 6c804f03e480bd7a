/*
 * test_tables_jj.c - .jj files: what is read, what is written, and what is refused at which
 * place.
 */
#include "tables.h"

#define CELLS "3\n0 6 6 s 0 9 0 0 0\n1 4 4 u 0 9 1 2 0.5\n2 2 1.5 z -1 9 0 0 0\n"

static void test_read(void **state)
{
    (void)state;
    tacit_cells *cells = jj_of("0\n" CELLS "1\n0 3 : 0 (-1) 1 (1) 2 (1)\n");
    assert_int_equal(cells->count, 3);
    assert_true(cells->value[0] == 6 && cells->cost[2] == 1.5 && cells->lower[2] == -1);
    assert_true(cells->lpl[1] == 1 && cells->upl[1] == 2 && cells->spl[1] == 0.5);
    assert_memory_equal(cells->status, "suz", 3);
    assert_int_equal(cells->relations.count, 1);
    assert_int_equal(cells->relations.starts[1], 3);
    assert_true(cells->relations.coefs[0] == -1 && cells->relations.items[2] == 2);
    assert_int_equal(cells->line[1], 4);
    assert_true(cells->negative && !cells->freq && !cells->dimension_count);
    char buffer[32];
    assert_string_equal(tacit_cells_describe(cells, 2, buffer, sizeof buffer), "cell 2");
    tacit_cells_free(cells);
}

/* Blanks, blank lines, CRLF, any order of cells, no relations, coefficients and a right-hand
 * side of any kind. */
static void test_spellings(void **state)
{
    (void)state;
    tacit_cells *plain = jj_of("0\n" CELLS "1\n0 3 : 0 (-1) 1 (1) 2 (1)\n");
    static const char *const SAME[] = {
        " 0 \r\n\r\n3\r\n0\t6 6 s 0 9 0 0 0 \r\n1 4 4 u 0 9 1 2 .5\r\n2 2 15e-1 z -1 9 0 0 "
        "0\r\n1\r\n"
        "0 3: 0(-1) 1(+1) 2 ( 1 )\r\n\r\n",
        "0\n3\n2 2 1.5 z -1 9 0 0 0\n1 4 4 u 0 9 1 2 0.5\n0 6 6 s 0 9 0 0 0\n1\n"
        "0 3 : 0 (-1) 1 (1) 2 (1)"};
    for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) {
        tacit_cells *cells = jj_of(SAME[i]);
        assert_same_cells(plain, cells);
        tacit_cells_free(cells);
    }
    tacit_cells_free(plain);
    tacit_cells_free(jj_of("0\n" CELLS "0\n"));
    tacit_cells *cells = jj_of("0\n" CELLS "1\n-3 2 : 1 (0.25) 2 (-2)\n");
    char *text = written(write_as_jj, cells);
    assert_string_equal(text, "0\n" CELLS "1\n-3 2 : 1 (0.25) 2 (-2)\n");
    free(text);
    tacit_cells_free(cells);
}

static void test_status_written(void **state)
{
    (void)state;
    tacit_cells *cells = jj_of("0\n" CELLS "0\n");
    FILE *file = tmpfile();
    char text[64] = "";
    assert_int_equal(tacit_cells_write_jj(fileno(file), "x", cells, "xus", NULL), TACIT_OK);
    assert_int_equal(fread(text, 1, 23, file), 23);
    assert_string_equal(text, "0\n3\n0 6 6 x 0 9 0 0 0\n1");
    fclose(file);
    tacit_error err = {0};
    assert_int_equal(tacit_cells_write_jj(-1, "x", cells, NULL, &err), TACIT_IO);
    tacit_cells_free(cells);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"", "t.jj:1:1: the file is empty"},
        {"\n \n", "t.jj:3:1: the file is empty"},
        {"1\n", "t.jj:1:1: a .jj file starts with a line 0"},
        {"PNG", "t.jj:1:1: a .jj file starts with a line 0"},
        {"0 1\n", "t.jj:1:3: there is more on the line than there should be"},
        {"0\n", "t.jj:2:1: the number of cells is missing"},
        {"0\nx\n", "t.jj:2:1: the number of cells is missing"},
        {"0\n-1\n", "t.jj:2:1: the number of cells is missing"},
        {"0\n1.5\n", "t.jj:2:1: the number of cells is missing"},
        {"0\n0\n0\n", "t.jj:2: 0 cells; there may be from 1 to 67108864"},
        {"0\n60000000\n0 1 1 s 0 1 0 0 0\n",
         "t.jj:2:1: announces more than the file has room for; correct the number"},
        {"0\n2\n0 1 1 s 0 1 0 0 0\n1\n1 1 : 0 (1)          \n",
         "t.jj:4:2: a number is missing or is none"},
        {"0\n1\n0 1 1 s 0 1 0 0 0\n1 1 1 s 0 1 0 0 0\n0\n",
         "t.jj:4:3: there is more on the line than there should be"},
        {"0\n1\n1 1 1 s 0 1 0 0 0\n", "t.jj:3:1: the index of a cell is out of range"},
        {"0\n1\n-1 1 1 s 0 1 0 0 0\n", "t.jj:3:1: the index of a cell is out of range"},
        {"0\n2\n0 1 1 s 0 1 0 0 0\n0 1 1 s 0 1 0 0 0\n",
         "t.jj:4:1: the cell was described before; every index stands once"},
        {"0\n1\n0 1 1 q 0 1 0 0 0\n", "t.jj:3:7: the status must be s, u, x or z"},
        {"0\n1\n0 1 1 s 0 1 0 0\n.....", "t.jj:3:16: a number is missing or is none"},
        {"0\n1\n0 1 1 s 0 1 0 0 0 0\n",
         "t.jj:3:19: there is more on the line than there should be"},
        {"0\n1\n0 1 1 s 0 inf 0 0 0\n", "t.jj:3:11: a number is missing or is none"},
        {"0\n1\n0 1 -1 s 0 1 0 0 0\n",
         "t.jj:3:5: costs and protection levels must not be negative"},
        {"0\n1\n0 1 1 s 0 1 0 -2 0\n",
         "t.jj:3:15: costs and protection levels must not be negative"},
        {"0\n" CELLS, "t.jj:6:1: the number of relations is missing"},
        {"0\n" CELLS "2\n0 3 : 0 (-1) 1 (1) 2 (1)\n",
         "t.jj:8:1: the file ends before its last relation"},
        {"0\n" CELLS "1\n0 3 : 0 (-1) 1 (1) 2 (1)\n0 1 : 0 (1)\n",
         "t.jj:8:1: the file goes on after its last relation"},
        {"0\n" CELLS "1\n0 4 : 0 (-1) 1 (1) 2 (1)\n",
         "t.jj:7:3: the number of the relation's cells is out of range"},
        {"0\n" CELLS "1\n0 3 : 0 (-1) 1 (1)     \n",
         "t.jj:7:24: the index of a cell is out of range, or the relation has too few"},
        {"0\n" CELLS "1\n0 2 : 0 (-1) 1 (1) 2 (1)\n",
         "t.jj:7:20: there is more on the line than there should be"},
        {"0\n" CELLS "1\n0 3 : 0 (-1) 1 (1) 3 (1)\n",
         "t.jj:7:20: the index of a cell is out of range, or the relation has too few"},
        {"0\n" CELLS "1\n0 3 : 0 (-1) 1 (1) 1 (1)\n",
         "t.jj:7:20: the relation names the cell twice"},
        {"0\n" CELLS "1\n0 3 : 0 -1 1 1 2 1      \n",
         "t.jj:7:9: the coefficient must stand in parentheses"},
        {"0\n" CELLS "1\n0 3 : 0 (-1 1 (1) 2 (1)\n",
         "t.jj:7:13: the coefficient must stand in parentheses"},
        {"0\n" CELLS "1\n0 3 : 0 (a) 1 (1) 2 (1)\n", "t.jj:7:10: the coefficient is not a number"},
        {"0\n" CELLS "1\n0 3 : 0 (0) 1 (1) 2 (1)\n",
         "t.jj:7:7: the coefficient is 0; leave the cell out"},
        {"0\n" CELLS "1\n0 3 0 (-1) 1 (1) 2 (1)\n",
         "t.jj:7:5: a : must stand before the relation's cells"},
        {"0\n" CELLS "1\n0 0 :                \n",
         "t.jj:7:3: the relation has no cells; leave it out"},
        {"0\n" CELLS "1\nx 3 : 0 (-1) 1 (1) 2 (1)\n",
         "t.jj:7:1: the right-hand side is not a number"},
        {"0\n" CELLS "2\n0 2 : 1 (-1) 2 (1)\n0 2 : 0 (-1) 1 (1)\n",
         "t.jj:7: relations do not hold (2), worst first: line 7 by 2, line 8 by 2; correct them "
         "or "
         "allow a tolerance"},
        {"0\n" CELLS "2\n0 3 : 0 (-1) 1 (1) 2 (1)\n1 2 : 0 (-1) 2 (1)\n",
         "t.jj:8: relations do not hold (1), worst first: line 8 by 5; correct them or allow a "
         "tolerance"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tacit_cells *cells = NULL;
        tacit_error err = {0};
        char text[1200];
        tacit_status status =
            tacit_cells_parse_jj(&cells, tacit_strview_of(CASES[i].text), "t.jj", 0, NULL, &err);
        assert_int_not_equal(status, TACIT_OK);
        assert_int_equal(status, err.status);
        assert_null(cells);
        assert_string_equal(tacit_error_format(&err, text, sizeof text), CASES[i].message);
    }
}

static void test_tolerance(void **state)
{
    (void)state;
    tacit_strview text = tacit_strview_of("0\n" CELLS "1\n0.5 3 : 0 (-1) 1 (1) 2 (1)\n");
    tacit_cells *cells = NULL;
    assert_int_equal(tacit_cells_parse_jj(&cells, text, "t", 0.4, NULL, NULL), TACIT_PARSE);
    assert_int_equal(tacit_cells_parse_jj(&cells, text, "t", 0.5, NULL, NULL), TACIT_OK);
    assert_true(cells->residual == 0.5);
    tacit_cells_free(cells);
}

/* Relations by cell. */
static void test_uses(void **state)
{
    (void)state;
    tacit_cells *cells = jj_of("0\n" CELLS "2\n0 3 : 0 (-1) 1 (1) 2 (1)\n2 1 : 2 (1)\n");
    tacit_cell_uses *uses = NULL;
    assert_int_equal(tacit_cell_uses_new(&uses, cells, NULL), TACIT_OK);
    static const int64_t STARTS[] = {0, 1, 2, 4};
    static const int32_t RELATIONS[] = {0, 0, 0, 1};
    assert_memory_equal(uses->starts, STARTS, sizeof STARTS);
    assert_memory_equal(uses->relations, RELATIONS, sizeof RELATIONS);
    tacit_cell_uses_free(uses);
    tacit_cells_free(cells);
}

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total, (void)payload;
    return false;
}

static void test_cancel(void **state)
{
    (void)state;
    tacit_run run;
    tacit_cells *cells = NULL;
    tacit_run_init(&run);
    run.progress = stop;
    assert_int_equal(
        tacit_cells_parse_jj(&cells, tacit_strview_of("0\n" CELLS "0\n"), "t", 0, &run, NULL),
        TACIT_CANCELLED);
    assert_int_equal(tacit_cells_read_jj(&cells, "/nowhere/t.jj", 0, NULL, NULL), TACIT_IO);
    assert_null(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),           cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_status_written), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_tolerance),      cmocka_unit_test(test_uses),
        cmocka_unit_test(test_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
