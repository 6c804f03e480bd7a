/*
 * test_tables_dimensions.c - dimensions from hierarchy files: numbering, folding, several
 * trees, the paper's standardized codes, and files that are no hierarchy.
 */
#include "tables.h"

/* Names of codes in their order, with a blank between. */
static const char *codes_of(const tacit_dimension *dimension)
{
    static char text[512];
    text[0] = '\0';
    for (int32_t c = 0; c < dimension->code_count; c++) {
        strncat(text, dimension->codes[c].bytes, dimension->codes[c].len);
        strcat(text, c + 1 < dimension->code_count ? " " : "");
    }
    return text;
}

static tacit_cells *table_of(const char *hierarchy, const char *csv)
{
    char dimensions[256];
    snprintf(dimensions, sizeof dimensions, "d=%s", file_of("d.hrc", hierarchy));
    return cells_of(csv, &spec_of(dimensions)->spec, tacit_cells_from_table);
}

static void test_order(void **state)
{
    (void)state;
    tacit_cells *cells = table_of("T\n@A\n@@a1\n@@a2\n@B\n@C\n@@c1\n@@@c11\n@@@c12\n@@c2\n",
                                  "d,freq\na1,5\nc12,2\n");
    const tacit_dimension *d = &cells->dimensions[0];
    assert_string_equal(codes_of(d), "T A a1 a2 B C c1 c11 c12 c2");
    assert_int_equal(d->trees[0].levels, 4);
    assert_int_equal(d->trees[0].root, 0);
    assert_int_equal(d->trees[0].parent[8], 6);
    assert_int_equal(d->trees[0].level[8], 3);
    assert_int_equal(cells->relations.count, 4);
    assert_true(cells->value[0] == 7 && cells->value[5] == 2);
    assert_int_equal(d->definition[4], -1);
    assert_int_equal(d->definition[5], 0);
    tacit_cells_free(cells);
}

/* Figure 1 and listing 2 of the paper. */
static void test_standard(void **state)
{
    (void)state;
    char hierarchy[512] = "Total\n@Main Region A\n", buffer[16];
    for (int i = 1; i <= 10; i++)
        sprintf(hierarchy + strlen(hierarchy), "@@sub-Region A%d\n", i);
    strcat(hierarchy, "@Main Region B\n@@sub-Region B1\n@@sub-Region B2\n");
    tacit_cells *cells = table_of(hierarchy, "d,freq\nsub-Region A1,1\n");
    static const struct {
        const char *name, *standard;
    } KNOWN[] = {{"Total", "0000"},          {"Main Region A", "0100"}, {"sub-Region A1", "0101"},
                 {"sub-Region A10", "0110"}, {"Main Region B", "0200"}, {"sub-Region B2", "0202"}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        int32_t code = cell_named(cells, KNOWN[i].name);
        size_t len = tacit_dimension_standard(buffer, sizeof buffer, &cells->dimensions[0], code);
        assert_int_equal(len, 4);
        assert_string_equal(buffer, KNOWN[i].standard);
    }
    assert_int_equal(tacit_dimension_standard(buffer, 3, &cells->dimensions[0], 0), 4);
    assert_string_equal(buffer, "00");
    tacit_cells_free(cells);
    cells = cells_of("d,freq\nm,1\nf,2\n", &spec_of("d")->spec, tacit_cells_from_table);
    tacit_dimension_standard(buffer, sizeof buffer, &cells->dimensions[0], 2);
    assert_string_equal(buffer, "02");
    tacit_cells_free(cells);
}

static void test_folding(void **state)
{
    (void)state;
    tacit_cells *cells =
        table_of("T\n@A\n@@A1\n@@@a\n@@@b\n@B\n@@B1\n@@@B2\n", "d,freq\na,1\nB2,4\n");
    const tacit_dimension *d = &cells->dimensions[0];
    assert_string_equal(codes_of(d), "T A a b B");
    assert_int_equal(d->label_count, 8);
    assert_int_equal(cells->relations.count, 2);
    assert_int_equal(cell_named(cells, "A"), cell_named(cells, "A1"));
    assert_int_equal(cell_named(cells, "B"), cell_named(cells, "B2"));
    assert_true(value_named(cells, "B1") == 4 && value_named(cells, "T") == 5);
    /* every name has its row in what is written */
    char *text = written(write_release, cells);
    assert_string_equal(text, "d;freq;status\nT;5;s\nA;1;s\nA1;1;s\na;1;s\nb;0;s\nB;4;s\nB1;4;s\n"
                              "B2;4;s\n");
    free(text);
    tacit_cells_free(cells);
    /* a total with one part is that part */
    cells = cells_of("d,freq\nx,3\n", &spec_of("d")->spec, tacit_cells_from_table);
    assert_int_equal(cells->count, 1);
    assert_int_equal(cells->relations.count, 0);
    tacit_cells_free(cells);
}

/* The forms of files that hierarchy.h has, and leaves of different depth. */
static void test_forms(void **state)
{
    (void)state;
    static const char *const FORMS[] = {"@;T\n@@;A\n@@@;a1\n@@@;a2\n@@;B\n", "A\n@a1\n@a2\nB\n",
                                        "a1;A;T\na2;A;T\nB;B;T\n",
                                        "code,parent\nT,\nA,T\na1,A\na2,A\nB,T\n"};
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        tacit_cells *cells = table_of(FORMS[i], "d,freq\na1,5\na2,1\nB,2\n");
        assert_string_equal(codes_of(&cells->dimensions[0]),
                            i == 1 ? "Total A a1 a2 B" : "T A a1 a2 B");
        assert_true(cells->value[0] == 8 && cells->value[1] == 6);
        assert_int_equal(cells->relations.count, 2);
        tacit_cells_free(cells);
    }
}

static const char *two_trees(const char *first, const char *second)
{
    static char text[512];
    const char *a = file_of("1.hrc", first), *b = file_of("2.hrc", second);
    snprintf(text, sizeof text, "d=%s,%s e", a, b);
    return text;
}

/* Regions by north and south, and by coast and inland: b has two parents. */
static void test_trees(void **state)
{
    (void)state;
    const char *spec = two_trees("T\n@north\n@@a\n@@b\n@south\n@@c\n@@d\n",
                                 "T\n@coast\n@@b\n@@c\n@inland\n@@a\n@@d\n");
    tacit_cells *cells = cells_of("d,e,freq\na,x,1\nb,x,2\nc,x,4\nd,x,8\na,y,16\n",
                                  &spec_of(spec)->spec, tacit_cells_from_table);
    assert_string_equal(codes_of(&cells->dimensions[0]), "T north a b south c d coast inland");
    assert_true(value_named(cells, "coast|x") == 6 && value_named(cells, "inland|x") == 9);
    assert_true(value_named(cells, "inland|Total") == 25 && value_named(cells, "T|Total") == 31);
    /* six relations of d for each of three codes of e, one of e for each of nine of d */
    assert_int_equal(cells->relations.count, 6 * 3 + 9);
    tacit_cells_free(cells);
    /* a tree over some codes only, and one that says the same again */
    spec = two_trees("T\n@a\n@b\n@c\n", "islands\n@a\n@c\n");
    cells =
        cells_of("d,e,freq\na,x,1\nb,x,2\nc,x,4\n", &spec_of(spec)->spec, tacit_cells_from_table);
    assert_true(value_named(cells, "islands|x") == 5);
    assert_int_equal(cells->relations.count, 2 * 1 + 0);
    tacit_cells_free(cells);
    spec = two_trees("T\n@a\n@b\n", "T\n@b\n@a\n");
    cells =
        cells_of("d,e,freq\na,x,1\nb,x,2\na,y,1\n", &spec_of(spec)->spec, tacit_cells_from_table);
    assert_int_equal(cells->relations.count, 3 + 3);
    tacit_cells_free(cells);
}

static void refused_trees(const char *first, const char *second, const char *message)
{
    char wanted[512];
    const char *spec = two_trees(first, second);
    snprintf(wanted, sizeof wanted, "%s/%s", tables_files.folder, message);
    refused("d,e,freq\na,x,1\n", &spec_of(spec)->spec, tacit_cells_from_table, wanted);
}

static void test_trees_that_disagree(void **state)
{
    (void)state;
    /* other parts */
    refused_trees(
        "T\n@a\n@b\n", "T\n@a\n@c\n",
        "2.hrc: the hierarchies of dimension \"d\" do not agree on what a value is made of; "
        "its parts must come down to the same codes in each");
    /* parts that overlap, and each part of the other */
    refused_trees(
        "T\n@A\n@@a\n@@b\n@c\n", "B\n@T\n@A\n@x\n",
        "2.hrc: the hierarchies of dimension \"d\" do not agree on what a value is made of; "
        "its parts must come down to the same codes in each");
    refused_trees(
        "X\n@Y\n@a\n", "Y\n@X\n@b\n",
        "1.hrc: the hierarchies of dimension \"d\" do not agree on what a value is made of; "
        "its parts must come down to the same codes in each");
    /* folded in one, a part among others in the other */
    refused_trees(
        "T\n@Z\n@@a\n@b\n", "Z\n@a\n@b\n@c\n",
        "2.hrc: the hierarchies of dimension \"d\" do not agree on what a value is made of; "
        "its parts must come down to the same codes in each");
}

static void refused_file(const char *hierarchy, const char *csv, const char *message)
{
    char dimensions[256], wanted[512];
    const char *path = file_of("d.hrc", hierarchy);
    snprintf(dimensions, sizeof dimensions, "d=%s", path);
    if (message[0] == 't')
        snprintf(wanted, sizeof wanted, "%s", message);
    else
        snprintf(wanted, sizeof wanted, "%s:%s", path, message);
    refused(csv, &spec_of(dimensions)->spec, tacit_cells_from_table, wanted);
}

static void test_bad_files(void **state)
{
    (void)state;
    refused_file("T\n@a\n@B\n@@a\n", "d,freq\na,1\n",
                 "4: a value on level 0 has two parents, one here and one on line 2; keep one of "
                 "them");
    refused_file("T\n@a\n@B\n@@B\n@@c\n", "d,freq\na,1\n",
                 "4: a value stands twice in the hierarchy; a code has one parent");
    refused_file("code,parent\na,b\nb,c\nc,a\n", "d,freq\na,1\n",
                 "2: a cycle: a value is its own ancestor; give it or an ancestor of it another "
                 "parent");
    refused_file("T\n@@a\n", "d,freq\na,1\n",
                 "2: a value is more than one @ deeper than the line before it; its parent is "
                 "missing");
    refused_file("T\n@a\n@b\n", "d,freq\na,1\nz,2\n",
                 "t.csv:3:1: a value is not in the hierarchy of dimension \"d\"; add it there");
    refused_file("T\n@a\n@b\n", "d,freq\na,1\n,2\n",
                 "t.csv:3:1: dimension \"d\" has no code here; write one");
    refused("d,freq\na,1\n", &spec_of("d=/nowhere/d.hrc")->spec, tacit_cells_from_table,
            "/nowhere/d.hrc: cannot open: No such file or directory");
    refused("d,freq\na,1\n", &spec_of("e")->spec, tacit_cells_from_table,
            "t.csv: there is no column \"e\"; there are d, freq");
    refused("d,freq\na,1\n", &spec_of("d d")->spec, tacit_cells_from_table,
            "dimension \"d\" is named twice");
    refused("d,freq\na,1\n", &spec_of("")->spec, tacit_cells_from_table,
            "0 dimensions; a table has from 1 to 16");
}

/* More cells than there may be: refused before memory is asked for. */
static void test_too_many(void **state)
{
    (void)state;
    char *text = malloc(1 << 20), *at = text + sprintf(text, "a,b,c,d,freq\n");
    for (int i = 0; i < 200; i++)
        at += sprintf(at, "%d,%d,%d,%d,1\n", i, i, i, i);
    refused(text, &spec_of("a b c d")->spec, tacit_cells_from_table,
            "the table has more than 67108864 cells; leave out a dimension, or codes");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_order, tables_end),
        cmocka_unit_test_teardown(test_standard, tables_end),
        cmocka_unit_test_teardown(test_folding, tables_end),
        cmocka_unit_test_teardown(test_forms, tables_end),
        cmocka_unit_test_teardown(test_trees, tables_end),
        cmocka_unit_test_teardown(test_trees_that_disagree, tables_end),
        cmocka_unit_test_teardown(test_bad_files, tables_end),
        cmocka_unit_test(test_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
