/*
 * test_tables_link.c - linked tables: what is one cell, what is kept of it, and what is
 * refused.
 */
#include "tables.h"

static tacit_cells *table_of(const char *csv, const char *dimensions)
{
    return cells_of(csv, &spec_of(dimensions)->spec, tacit_cells_from_table);
}

static tacit_cells *linked(tacit_cells *a, tacit_cells *b)
{
    const tacit_cells *parts[] = {a, b};
    tacit_cells *cells = NULL;
    tacit_error err = {0};
    if (tacit_cells_link(&cells, parts, 2, 0, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return cells;
}

static void check_sums(const tacit_cells *cells)
{
    const tacit_relations *all = &cells->relations;
    for (int32_t r = 0; r < all->count; r++) {
        double sum = 0;
        for (int64_t j = all->starts[r]; j < all->starts[r + 1]; j++)
            sum += all->coefs[j] * cells->value[all->items[j]];
        assert_true(sum == 0);
    }
}

/* Region by sex and region by age: three cells of region alone are shared. */
static void test_margin(void **state)
{
    (void)state;
    tacit_cells *a = table_of("region,sex,freq\nn,f,1\nn,m,2\ns,f,3\ns,m,4\n", "region sex");
    tacit_cells *b =
        table_of("age,region,freq\nold,n,2\nnew,n,1\nold,s,5\nnew,s,2\n", "age region");
    a->status[cell_named(a, "n|Total")] = 'u';
    a->status[cell_named(a, "s|Total")] = 'x';
    b->status[cell_named(b, "Total|s")] = 'z';
    b->upl[cell_named(b, "Total|n")] = 2;
    b->upper[cell_named(b, "Total|n")] = 5;
    b->assumed = false;
    tacit_cells *cells = linked(a, b);
    assert_int_equal(cells->count, 9 + 9 - 3);
    assert_int_equal(cells->dimension_count, 3);
    assert_int_equal(cells->table_count, 2);
    /* 6 of each table, of which the sum over regions of both totals is the same */
    assert_int_equal(cells->relations.count, 11);
    int32_t shared = cells->tables[0].cells[cell_named(a, "n|Total")];
    assert_int_equal(shared, cells->tables[1].cells[cell_named(b, "Total|n")]);
    assert_int_equal(cells->status[shared], 'u');
    assert_true(cells->upl[shared] == 2 && cells->upper[shared] == 5);
    assert_true(cells->freq[shared] == 3 && cells->counts);
    check_sums(cells);
    char name[64];
    assert_string_equal(tacit_cells_describe(cells, shared, name, sizeof name), "n, Total");
    int32_t codes[3], own = cells->tables[1].cells[cell_named(b, "old|s")];
    tacit_cells_codes(codes, cells, own);
    assert_true(codes[0] == 2 && codes[1] == -1 && codes[2] == 1);
    char *text = written(write_release, cells);
    assert_string_equal(text, "region;sex;age;freq;status\n"
                              "Total;Total;Total;10;s\nTotal;f;Total;4;s\nTotal;m;Total;6;s\n"
                              "n;Total;Total;;u\nn;f;Total;1;s\nn;m;Total;2;s\n"
                              "s;Total;Total;7;z\ns;f;Total;3;s\ns;m;Total;4;s\n"
                              "Total;Total;old;7;s\nn;Total;old;2;s\ns;Total;old;5;s\n"
                              "Total;Total;new;3;s\nn;Total;new;1;s\ns;Total;new;2;s\n");
    free(text);
    tacit_cells_free(a);
    tacit_cells_free(b);
    tacit_cells_free(cells);
}

/* Dimensions of one name with other codes: provinces in one, parts of the country in both. */
static void test_depths(void **state)
{
    (void)state;
    char deep[256], flat[256];
    snprintf(deep, sizeof deep, "region=%s",
             file_of("1.hrc", "T\n@n\n@@n1\n@@n2\n@s\n@@s1\n@@s2\n"));
    snprintf(flat, sizeof flat, "region=%s sex", file_of("2.hrc", "T\n@n\n@s\n"));
    tacit_cells *a = table_of("region,freq\nn1,1\nn2,2\ns1,3\ns2,4\n", deep);
    tacit_cells *b = table_of("region,sex,freq\nn,f,1\nn,m,2\ns,f,5\ns,m,2\n", flat);
    tacit_cells *cells = linked(a, b);
    assert_int_equal(cells->count, 7 + 9 - 3);
    assert_int_equal(cells->relations.count, 3 + 6 - 1);
    check_sums(cells);
    char *text = written(write_release, cells);
    assert_int_equal(strncmp(text, "region;sex;freq;status\nT;Total;10;s\nn;Total;3;s\n", 46), 0);
    free(text);
    tacit_cells_free(a);
    tacit_cells_free(b);
    tacit_cells_free(cells);
}

/* One table is itself; a table twice is the table once. */
static void test_same(void **state)
{
    (void)state;
    tacit_cells *a = table_of("region,sex,freq\nn,f,1\nn,m,2\ns,f,3\ns,m,4\n", "region sex");
    const tacit_cells *parts[] = {a, a};
    for (int32_t count = 1; count <= 2; count++) {
        tacit_cells *cells = NULL;
        assert_int_equal(tacit_cells_link(&cells, parts, count, 0, NULL), TACIT_OK);
        assert_same_cells(a, cells);
        assert_int_equal(cells->dimension_count, 2);
        tacit_cells_free(cells);
    }
    tacit_cells_free(a);
}

static void test_refused(void **state)
{
    (void)state;
    tacit_cells *a = table_of("region,sex,freq\nn,f,1\ns,m,2\n", "region sex");
    tacit_cells *b = table_of("region,age,freq\nn,old,2\ns,new,1\n", "region age");
    tacit_cells *jj = jj_of("0\n1\n0 5 5 s 0 9 0 0 0\n0\n");
    const tacit_cells *parts[] = {a, b}, *with_jj[] = {a, jj};
    tacit_cells *cells = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_cells_link(&cells, parts, 2, 0, &err), TACIT_PARSE);
    assert_string_equal(err.message,
                        "n, Total: another of the linked tables gives the cell another value");
    assert_int_equal(tacit_cells_link(&cells, parts, 2, 1, NULL), TACIT_OK);
    tacit_cells_free(cells);
    cells = NULL;
    assert_int_equal(tacit_cells_link(&cells, with_jj, 2, 0, NULL), TACIT_INVALID);
    assert_int_equal(tacit_cells_link(&cells, parts, 0, 0, NULL), TACIT_INVALID);
    assert_null(cells);
    tacit_cells_free(a);
    tacit_cells_free(b);
    tacit_cells_free(jj);
}

/* Bounds that nobody gave: the room that one table made for a level is not taken by the other. */
static void test_assumed_bounds(void **state)
{
    (void)state;
    tacit_cells *a = table_of("r,c,freq,status,upl\nTotal,Total,45,u,50\nA,y,15,s,\nA,z,8,s,\n"
                              "B,y,15,s,\nB,z,7,s,\n",
                              "r c");
    tacit_cells *b = table_of("r,k,freq\nA,1,15\nA,2,8\nB,1,15\nB,2,7\n", "r k");
    a->upper[0] = 95;
    tacit_cells *cells = linked(a, b);
    assert_true(cells->assumed && cells->upper[0] == 95);
    assert_int_equal(tacit_cells_check(cells, NULL), TACIT_OK);
    tacit_cells_free(cells);
    tacit_cells_free(a);
    tacit_cells_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_margin),         cmocka_unit_test_teardown(test_depths, tables_end),
        cmocka_unit_test(test_same),           cmocka_unit_test(test_refused),
        cmocka_unit_test(test_assumed_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
