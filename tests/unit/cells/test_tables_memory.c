/*
 * test_tables_memory.c - every allocation of reading, linking, rules and writing of tables
 * failed in turn.
 */
#include "tables.h"

#include "starve.h"

typedef struct work {
    const tacit_table *table;
    const tacit_cells_spec *spec;
    tables_reader reader;
    tacit_strview text;
    const tacit_cells *parts[2];
    FILE *file;
} work;

static tacit_status settle(tacit_status status, tacit_cells *cells)
{
    if (status != TACIT_OK)
        assert_ptr_equal(cells, STARVE_UNTOUCHED);
    else
        tacit_cells_free(cells);
    return status;
}

static tacit_status read_table(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_cells *cells = STARVE_UNTOUCHED;
    tacit_status status = w->reader(&cells, w->table, w->spec, NULL, err);
    return settle(status, cells);
}

static tacit_status read_jj(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_cells *cells = STARVE_UNTOUCHED;
    tacit_status status = tacit_cells_parse_jj(&cells, w->text, "t.jj", 0, NULL, err);
    return settle(status, cells);
}

static tacit_status link_tables(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_cells *cells = STARVE_UNTOUCHED;
    tacit_status status = tacit_cells_link(&cells, w->parts, 2, 0, err);
    return settle(status, cells);
}

static tacit_status ask_kind(void *context, tacit_error *err)
{
    const work *w = context;
    bool is_table;
    return tacit_cells_is_table(&is_table, w->table, w->spec, err);
}

static tacit_status apply(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_margin margin = {.margin = 10};
    return tacit_cells_parse_apriori((tacit_cells *)w->parts[0], w->text, "a", &margin, err);
}

static tacit_status turn_round(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_cell_uses *uses = STARVE_UNTOUCHED;
    tacit_status status = tacit_cell_uses_new(&uses, w->parts[0], err);
    if (status != TACIT_OK)
        assert_ptr_equal(uses, STARVE_UNTOUCHED);
    else
        tacit_cell_uses_free(uses);
    return status;
}

static tacit_status write_jj(void *context, tacit_error *err)
{
    const work *w = context;
    return write_as_jj(fileno(w->file), w->parts[0], err);
}

static tacit_status write_csv(void *context, tacit_error *err)
{
    const work *w = context;
    return write_as_csv(fileno(w->file), w->parts[0], err);
}

static tacit_status write_pivot(void *context, tacit_error *err)
{
    const work *w = context;
    return tacit_cells_write_pivot(fileno(w->file), "out.csv", w->parts[0], NULL,
                                   &(tacit_pivot_options){0}, err);
}

static const char *hierarchies(void)
{
    static char text[512];
    const char *first = file_of("1.hrc", "T\n@A\n@@a\n@@b\n@B\n@@c\n@@@c1\n@@d\n");
    const char *second = file_of("2.hrc", "T\n@X\n@@a\n@@c\n@Y\n@@b\n@@d\n");
    snprintf(text, sizeof text, "d=%s,%s e", first, second);
    return text;
}

static void test_csv(void **state)
{
    (void)state;
    tacit_table *table = csv_of("d,e,freq,status,lpl,max1,cost,r\na,x,1,u,1,1,2,1\n"
                                "b,y,2,s,,1,2,0\nc,x,3,z,,2,2,0\nc1,x,3,z,,2,2,0\n");
    tacit_cells_spec *spec = &spec_of(hierarchies())->spec;
    spec->cost = "cost";
    spec->request = "r";
    work w = {.table = table, .spec = spec, .reader = tacit_cells_from_table};
    starve(read_table, &w);
    tacit_table_free(table);
}

/* One value follows from a relation, others from a program, a subtotal is not listed. */
static void test_open(void **state)
{
    (void)state;
    tacit_table *table = csv_of("d,e,v,status\na,x,1,s\nb,x,,u\nc,x,3,s\nd,x,,x\na,y,2,s\n"
                                "b,y,,x\nc,y,,u\nd,y,,x\nA,x,9,s\nT,x,20,s\nT,y,,u\n");
    tacit_cells_spec *spec = &spec_of(hierarchies())->spec;
    spec->value = "v";
    spec->release = true;
    work w = {.table = table, .spec = spec, .reader = tacit_cells_from_table};
    starve(read_table, &w);
    tacit_table_free(table);
}

static void test_records(void **state)
{
    (void)state;
    tacit_table *table = csv_of("d,e,v,w,h,s,r\na,x,5,2,p,1,1\nb,y,-6,1,p,2,0\nc1,x,7,1,q,3,1\n"
                                "d,x,8,1,,4,0\n");
    tacit_cells_spec *spec = &spec_of(hierarchies())->spec;
    *spec = (tacit_cells_spec){.dimensions = spec->dimensions,
                               .dimension_count = spec->dimension_count,
                               .value = "v",
                               .weight = "w",
                               .holding = "h",
                               .shadow = "s",
                               .cost = "s",
                               .request = "r",
                               .top = 3,
                               .negative = true};
    work w = {.table = table, .spec = spec, .reader = tacit_cells_from_records};
    starve(read_table, &w);
    starve(ask_kind, &w);
    tacit_table_free(table);
}

static void test_jj(void **state)
{
    (void)state;
    starve(read_jj, &(work){.text = tacit_strview_of("0\n2\n0 4 1 s 0 9 0 0 0\n1 4 1 u 0 9 1 1 0\n"
                                                     "1\n0 2 : 0 (-1) 1 (1)\n")});
}

static void test_others(void **state)
{
    (void)state;
    tacit_cells *a = cells_of("d,e,freq\na,x,1\nb,y,2\nc,x,3\n", &spec_of(hierarchies())->spec,
                              tacit_cells_from_table);
    tacit_cells *b =
        cells_of("e,k,freq\nx,1,4\ny,2,2\n", &spec_of("e k")->spec, tacit_cells_from_table);
    work w = {.parts = {a, b}, .text = tacit_strview_of("\"a\",x,u\nc,\"y\",c,4\n")};
    w.file = tmpfile();
    starve(link_tables, &w);
    starve(apply, &w);
    starve(turn_round, &w);
    starve(write_jj, &w);
    starve(write_csv, &w);
    starve(write_pivot, &w);
    fclose(w.file);
    tacit_cells_free(a);
    tacit_cells_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_csv, tables_end),
        cmocka_unit_test_teardown(test_open, tables_end),
        cmocka_unit_test_teardown(test_records, tables_end),
        cmocka_unit_test(test_jj),
        cmocka_unit_test_teardown(test_others, tables_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
