/*
 * test_hierarchy_figures.c - the hierarchies of Sweeney's Figures 26 to 34, and
 * all distance vectors of Figure 105, which follow from them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "figure_105.h"
#include "hierarchy_support.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char zip_file[] = "02138;0213*;021**\n02139;0213*;021**\n"
                               "02141;0214*;021**\n02142;0214*;021**\n";
static const char race_file[] = "black;person\nwhite;person\n";
static const char gender_file[] = "male;human\nfemale;human\n";

/* A column bound to a file's text, or to the date rule where it is NULL. */
typedef struct bound {
    values_table values;
    tacit_hierarchy *hierarchy;
} bound;

static bound bind(const char *const *values, size_t count, const char *file, bool suppression)
{
    bound made = {values_table_new(values, count), NULL};
    tacit_hierarchy_spec spec = {.kind = TACIT_HIERARCHY_DATE, .no_suppression = !suppression};
    tacit_error err = {0};
    tacit_status status =
        file ? tacit__hierarchy_from_bytes(&made.hierarchy, tacit_strview_of(file), "h.csv", &spec,
                                           made.values.table, VALUES_COLUMN, &err)
             : tacit_hierarchy_new(&made.hierarchy, &spec, made.values.table, VALUES_COLUMN, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, TACIT_OK);
    assert_null(hierarchy_problem(made.hierarchy, made.values.table, VALUES_COLUMN));
    return made;
}

static void unbind(bound *made)
{
    tacit_hierarchy_free(made->hierarchy);
    values_table_free(&made->values);
}

static void assert_map(const tacit_hierarchy *h, int level, const uint32_t *expected, size_t count)
{
    assert_memory_equal(tacit_hierarchy_map(h, level), expected, count * sizeof *expected);
}

static void figure_27_zip(void **state)
{
    (void)state;
    const char *values[] = {"02138", "02139", "02141", "02142"};
    bound zip = bind(values, COUNT(values), zip_file, true);
    assert_int_equal(tacit_hierarchy_height(zip.hierarchy), 3);
    const uint32_t counts[] = {4, 2, 1, 1};
    for (int level = 0; level < 4; level++)
        assert_int_equal(tacit_hierarchy_count(zip.hierarchy, level), counts[level]);
    /* the last entry of each is missing, which no row of the file names */
    assert_map(zip.hierarchy, 1, (uint32_t[]){0, 0, 1, 1, 2}, 5);
    assert_map(zip.hierarchy, 2, (uint32_t[]){0, 0, 0, 0, 1}, 5);
    assert_map(zip.hierarchy, 3, (uint32_t[]){0, 0, 0, 0, 0}, 5);
    char text[16];
    assert_string_equal(label_of(zip.hierarchy, 1, 2, text, sizeof text), "0214*");
    assert_string_equal(label_of(zip.hierarchy, 2, 2, text, sizeof text), "021**");
    assert_string_equal(label_of(zip.hierarchy, 3, 2, text, sizeof text), "*");
    assert_int_equal(tacit_hierarchy_leaves_under(zip.hierarchy, 1, 0), 2);
    assert_int_equal(tacit_hierarchy_leaves_under(zip.hierarchy, 3, 0), 4);
    unbind(&zip);
}

static void figure_27_ethnicity(void **state)
{
    (void)state;
    const char *values[] = {"Asian", "Black", "White"};
    bound eth = bind(values, COUNT(values), "Asian;Person\nBlack;Person\nWhite;Person\n", true);
    assert_int_equal(tacit_hierarchy_height(eth.hierarchy), 2);
    assert_map(eth.hierarchy, 1, (uint32_t[]){0, 0, 0, 1}, 4);
    char text[16];
    assert_string_equal(label_of(eth.hierarchy, 1, 1, text, sizeof text), "Person");
    assert_string_equal(label_of(eth.hierarchy, 2, 1, text, sizeof text), "*");
    unbind(&eth);
}

enum { TUPLES = FIGURE_105_TUPLES, ATTRIBUTES = 4 };

/* Figure 34 with the birth dates of Figure 44. */
static const char *const tuples[ATTRIBUTES][TUPLES] = {
    {"black", "black", "black", "black", "black", "black", "white", "white", "white", "white",
     "white", "white"},
    {"9/20/65", "2/14/65", "10/23/65", "8/24/65", "11/7/64", "12/1/64", "10/23/64", "3/15/65",
     "8/13/64", "5/5/64", "2/13/67", "3/21/67"},
    {"male", "male", "female", "female", "female", "female", "male", "female", "male", "male",
     "male", "male"},
    {"02141", "02141", "02138", "02138", "02138", "02138", "02138", "02139", "02139", "02139",
     "02138", "02138"}};

static bound bind_attribute(int attribute, bool suppression)
{
    const char *files[ATTRIBUTES] = {race_file, NULL, gender_file, zip_file};
    return bind(tuples[attribute], TUPLES, files[attribute], suppression);
}

static void figures_32_and_33_heights(void **state)
{
    (void)state;
    const int without[ATTRIBUTES] = {1, 4, 1, 2}, with[ATTRIBUTES] = {2, 5, 2, 3};
    for (int i = 0; i < ATTRIBUTES; i++) {
        bound figure_32 = bind_attribute(i, false), figure_33 = bind_attribute(i, true);
        assert_int_equal(tacit_hierarchy_height(figure_32.hierarchy), without[i]);
        assert_int_equal(tacit_hierarchy_height(figure_33.hierarchy), with[i]);
        unbind(&figure_32);
        unbind(&figure_33);
    }
}

/* The lowest level on which two rows have the same value. */
static int distance(const bound *attribute, int64_t a, int64_t b)
{
    tacit_codes_view codes = tacit_table_codes(attribute->values.table, VALUES_COLUMN);
    int level = 0;
    while (tacit_hierarchy_map(attribute->hierarchy, level)[tacit_codes_at(codes, a)] !=
           tacit_hierarchy_map(attribute->hierarchy, level)[tacit_codes_at(codes, b)])
        level++;
    return level;
}

static void figure_105_distances(void **state)
{
    (void)state;
    for (int i = 0; i < ATTRIBUTES; i++) {
        bound attribute = bind_attribute(i, false);
        for (int a = 0; a < TUPLES; a++)
            for (int b = 0; b < TUPLES; b++)
                assert_int_equal(distance(&attribute, a, b), figure_105[a][b][i] - '0');
        unbind(&attribute);
    }
}

static void figure_34_birth_dates(void **state)
{
    (void)state;
    bound birth = bind_attribute(1, true);
    const char *first[] = {"9/20/65", "1965-09", "1965", "1965-1969", "1960-1969", "*"};
    const char *last[] = {"3/21/67", "1967-03", "1967", "1965-1969", "1960-1969", "*"};
    const uint32_t counts[] = {12, 12, 3, 2, 1, 1};
    char text[16];
    for (int level = 0; level <= 5; level++) {
        assert_string_equal(label_of(birth.hierarchy, level, 0, text, sizeof text), first[level]);
        assert_string_equal(label_of(birth.hierarchy, level, 11, text, sizeof text), last[level]);
        assert_int_equal(tacit_hierarchy_count(birth.hierarchy, level), counts[level]);
    }
    assert_map(birth.hierarchy, 2, (uint32_t[]){0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 2, 2, 3}, 13);
    assert_map(birth.hierarchy, 3, (uint32_t[]){0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 0, 0, 2}, 13);
    unbind(&birth);
}

/* Figure 34 itself prints months: they start on the level they say. */
static void figure_34_months(void **state)
{
    (void)state;
    const char *values[] = {"9/1965", "2/1965", "11/1964"};
    bound birth = bind(values, COUNT(values), NULL, true);
    assert_int_equal(tacit_hierarchy_height(birth.hierarchy), 5);
    char text[16];
    assert_string_equal(label_of(birth.hierarchy, 0, 0, text, sizeof text), "9/1965");
    assert_string_equal(label_of(birth.hierarchy, 1, 0, text, sizeof text), "1965-09");
    assert_map(birth.hierarchy, 2, (uint32_t[]){0, 0, 1, 2}, 4);
    unbind(&birth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_27_zip),
        cmocka_unit_test(figure_27_ethnicity),
        cmocka_unit_test(figures_32_and_33_heights),
        cmocka_unit_test(figure_105_distances),
        cmocka_unit_test(figure_34_birth_dates),
        cmocka_unit_test(figure_34_months),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
