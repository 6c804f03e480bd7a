/*
 * test_grids.c - subtables of tables without dimensions: those that the dimensions would have
 * given, and something sensible where there never were any.
 */
#include "tables.h"

#include "random_cases.h"
#include "suppress.h"
#include "twins.h"

/* The cells of a subtable, ascending. */
typedef struct subset {
    int32_t count;
    int32_t *cells;
} subset;

static int by_number(const void *left, const void *right)
{
    return *(const int32_t *)left - *(const int32_t *)right;
}

static int by_cells(const void *left, const void *right)
{
    const subset *a = left, *b = right;
    for (int32_t i = 0; i < a->count && i < b->count; i++)
        if (a->cells[i] != b->cells[i])
            return a->cells[i] - b->cells[i];
    return a->count - b->count;
}

/* All subtables as sets of cells, in an order that does not depend on how they were found. */
static subset *subsets_of(int32_t *count, const tacit_cells *cells)
{
    tacit__subtables *subtables = NULL;
    tacit__subtables_view view = {0};
    assert_int_equal(tacit__subtables_new(&subtables, cells, NULL), TACIT_OK);
    view.cells = malloc((subtables->most + 1) * sizeof *view.cells);
    subset *list = calloc(subtables->count + 1, sizeof *list);
    for (int32_t s = 0; s < subtables->count; s++) {
        tacit__view_fill(&view, subtables, s);
        list[s].cells = malloc((view.count + 1) * sizeof *list[s].cells);
        for (int32_t i = 0; i < view.count; i++)
            if (view.cells[i] >= 0)
                list[s].cells[list[s].count++] = view.cells[i];
        qsort(list[s].cells, list[s].count, sizeof *list[s].cells, by_number);
    }
    *count = subtables->count;
    qsort(list, *count, sizeof *list, by_cells);
    free(view.cells);
    tacit__subtables_free(subtables);
    return list;
}

static void subsets_end(subset *list, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        free(list[i].cells);
    free(list);
}

/* Subtables from dimensions and from relations are the same. */
static void check_twin(const tacit_cells *cells)
{
    tacit_cells twin = without_dimensions(cells);
    int32_t expected_count, count;
    subset *expected = subsets_of(&expected_count, cells), *found = subsets_of(&count, &twin);
    assert_int_equal(count, expected_count);
    for (int32_t i = 0; i < count; i++)
        assert_int_equal(by_cells(&found[i], &expected[i]), 0);
    subsets_end(expected, expected_count);
    subsets_end(found, count);
}

static void test_twins(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_start(seed);
        table_shape shape = {1 + random_below(3), random_below(2), 9, 20, random_below(40)};
        tacit_cells *cells = random_cells(&shape);
        check_twin(cells);
        tacit_cells_free(cells);
    }
}

/* Regions by two trees, and by sex. */
static tacit_cells *two_trees(const char *second, const char *leaves)
{
    char spec[512];
    const char *first = file_of("1.hrc", "T\n@A\n@@a\n@@b\n@B\n@@c\n@@d\n@@e\n");
    snprintf(spec, sizeof spec, "r=%s,%s s", first, file_of("2.hrc", second));
    return cells_of(leaves, &spec_of(spec)->spec, tacit_cells_from_table);
}

/* Relations that are in no subtable, of which there should be none. */
static int relations_left_out(const tacit_cells *cells)
{
    tacit__grids *grids = NULL;
    int left = 0;
    assert_int_equal(tacit__grids_new(&grids, cells, NULL), TACIT_OK);
    for (int32_t r = 0; r < cells->relations.count; r++) {
        bool found = false;
        for (int64_t i = 0; i < grids->relations_used; i++)
            found |= grids->relations[i] == r;
        left += !found;
    }
    tacit__grids_free(grids);
    return left;
}

/* Trees of which one cuts what the other leaves together: some relations of the dimension cross
 * others, and where one is parallel to nothing it is still there. */
static void test_two_trees(void **state)
{
    (void)state;
    static const char *const second[] = {"T\n@X\n@@a\n@@c\n@Y\n@@b\n@@d\n@@e\n",
                                         "T\n@X\n@@a\n@@b\n@@c\n@Y\n@@d\n@@e\n",
                                         "T\n@a\n@Y\n@@b\n@@c\n@@d\n@@e\n"};
    for (int i = 0; i < 3; i++) {
        tacit_cells *cells = two_trees(second[i], "r,s,freq\na,m,2\na,f,7\nb,m,6\nb,f,9\n"
                                                  "c,m,8\nc,f,5\nd,m,9\nd,f,3\ne,m,1\ne,f,4\n");
        tacit_cells twin = without_dimensions(cells);
        tacit__subtables *subtables = NULL;
        assert_int_equal(relations_left_out(&twin), 0);
        assert_int_equal(tacit__subtables_new(&subtables, &twin, NULL), TACIT_OK);
        assert_true(subtables->most_axes >= 2);
        tacit__subtables_free(subtables);
        tacit_cells_free(cells);
    }
}

/* Two tables that share the regions are two subtables, though shared relations are there once. */
static void test_linked(void **state)
{
    (void)state;
    tacit_cells *parts[2], *linked = NULL;
    parts[0] = cells_of("r,s,freq\nA,m,18\nA,f,2\nB,m,14\nB,f,19\n", &spec_of("r s")->spec,
                        tacit_cells_from_table);
    parts[1] = cells_of("r,a,freq\nA,y,17\nA,o,3\nB,y,20\nB,o,13\n", &spec_of("r a")->spec,
                        tacit_cells_from_table);
    assert_int_equal(tacit_cells_link(&linked, (const tacit_cells *const *)parts, 2, 0, NULL),
                     TACIT_OK);
    check_twin(linked);
    tacit_cells_free(parts[0]);
    tacit_cells_free(parts[1]);
    tacit_cells_free(linked);
}

/* What a .jj gives: subtables, places of the largest, and axes of the widest. */
typedef struct expected {
    const char *text;
    int subtables;
    int most;
    int axes;
} expected;

#define CELL(i) #i " 1 1 s 0 9 0 0 0\n"

static const expected EXPECTED[] = {
    {"0\n2\n" CELL(0) CELL(1) "0\n", 0, 0, 0},                               /* no relation */
    {"0\n2\n" CELL(0) CELL(1) "1\n0 2 : 0 (-1) 1 (1)\n", 1, 2, 1},           /* an equality */
    {"0\n2\n" CELL(0) CELL(1) "2\n0 2 : 0 (-1) 1 (1)\n0 2 : 1 (1) 0 (-1)\n", /* twice */
     1, 2, 1},
    {"0\n1\n" CELL(0) "1\n1 1 : 0 (1)\n", 1, 0, 1}, /* a value: no cuboids */
    {"0\n3\n" CELL(0) CELL(1) CELL(2) "1\n0 3 : 0 (-1) 1 (2) 2 (-1)\n", 1, 0, 1}, /* no sum */
    {"0\n4\n" CELL(0) CELL(1) CELL(2) CELL(3)                                     /* no total */
     "1\n0 4 : 0 (-1) 1 (-1) 2 (1) 3 (1)\n",
     1, 0, 1},
    {"0\n4\n" CELL(0) CELL(1) CELL(2) CELL(3) /* in a circle */
     "2\n0 4 : 0 (-1) 1 (1) 2 (1) 3 (-1)\n0 2 : 0 (-1) 3 (1)\n",
     2, 2, 1},
};

static void test_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof EXPECTED / sizeof *EXPECTED; i++) {
        tacit_cells *cells = NULL;
        tacit_error err = {0};
        tacit__subtables *subtables = NULL;
        if (tacit_cells_parse_jj(&cells, tacit_strview_of(EXPECTED[i].text), "t.jj", 9, NULL,
                                 &err) != TACIT_OK)
            fail_msg("case %zu: %s", i, err.message);
        assert_int_equal(tacit__subtables_new(&subtables, cells, NULL), TACIT_OK);
        assert_int_equal(subtables->count, EXPECTED[i].subtables);
        assert_int_equal(subtables->most, EXPECTED[i].most);
        assert_int_equal(subtables->most_axes, EXPECTED[i].axes);
        tacit__subtables_free(subtables);
        tacit_cells_free(cells);
    }
}

/* A cell in more relations than are looked at: its neighbours' subtables have it. */
static void test_hub(void **state)
{
    (void)state;
    static char text[65536];
    enum { SPOKES = 100 };
    tacit__subtables *subtables = NULL;
    int at = sprintf(text, "0\n%d\n0 9 9 s 0 99 0 0 0\n", 2 * SPOKES + 1);
    for (int i = 1; i <= 2 * SPOKES; i++)
        at += sprintf(text + at, "%d %d %d s 0 99 0 0 0\n", i, i % 2 ? 4 : 5, i);
    at += sprintf(text + at, "%d\n", SPOKES);
    for (int i = 0; i < SPOKES; i++)
        at += sprintf(text + at, "0 3 : 0 (-1) %d (1) %d (1)\n", 2 * i + 1, 2 * i + 2);
    tacit_cells *cells = jj_of(text);
    assert_int_equal(tacit__subtables_new(&subtables, cells, NULL), TACIT_OK);
    assert_int_equal(subtables->count, SPOKES);
    for (int32_t s = 0; s < subtables->count; s++)
        assert_int_equal(subtables->grids->list[s].cell_count, 3);
    tacit__subtables_free(subtables);
    tacit_cells_free(cells);
}

/* Methods on the twin of a table: the same as on the table. */
static void test_methods(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        random_start(seed);
        table_shape shape = {2, true, 9, 20, 0};
        tacit_suppress_options options = {0};
        tacit_cells *cells = random_cells(&shape), twin = without_dimensions(cells);
        for (const tacit_suppress_method *m = tacit_suppress_methods(); m->name && !m->total; m++) {
            tacit_pattern one = solved(cells, m->name, &options, 1);
            tacit_pattern other = solved(&twin, m->name, &options, 2);
            assert_int_equal(one.subtables, other.subtables);
            assert_int_equal(one.unprotected < 0, other.unprotected < 0);
            tacit_pattern_clear(&one);
            tacit_pattern_clear(&other);
        }
        tacit_cells_free(cells);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twins),  cmocka_unit_test(test_two_trees),
        cmocka_unit_test(test_linked), cmocka_unit_test(test_others),
        cmocka_unit_test(test_hub),    cmocka_unit_test(test_methods),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
