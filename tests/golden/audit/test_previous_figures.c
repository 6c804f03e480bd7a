/*
 * test_previous_figures.c - 5.5 of Sweeney, Computational Disclosure Control: GT1 with GT3 of
 * Figure 35 is Figure 36, in which two tuples are unique; the temporal attack of 5.5.3 and its
 * repair; and Figure 27 in the same order and in another (5.5.1).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental/audit_previous.h>
#include <tacit/experimental/lineage.h>
#include <unistd.h>

#include "figure_35.h"

#define HEADER FIGURE_35_HEADER

static const char GT1[] = FIGURE_35_GT1;

#define GT3_ROWS                                                                         \
    "black,1965,male,02141,short of breath\nblack,1965,male,02141,chest pain\n"          \
    "black,1965,female,02138,painful eye\nblack,1965,female,02138,wheezing\n"            \
    "black,1964,female,02138,obesity\nblack,1964,female,02138,chest pain\n"              \
    "white,1960-69,male,02138,short of breath\nwhite,1960-69,human,02139,hypertension\n" \
    "white,1960-69,human,02139,obesity\nwhite,1960-69,human,02139,fever\n"               \
    "white,1960-69,male,02138,vomiting\nwhite,1960-69,male,02138,back pain\n"
#define NEW_ROWS "black,1965,male,02139,headache\nblack,1965,male,02139,rash\n"

static const char GT3[] = HEADER GT3_ROWS, GT_T1[] = HEADER GT3_ROWS NEW_ROWS;

/* Figure 36, and 5.5.3's new tuples behind it. */
static const char *const LT[][4] = {
    {"black", "1965", "male", "02141"},   {"black", "1965", "male", "02141"},
    {"black", "1965", "female", "02138"}, {"black", "1965", "female", "02138"},
    {"black", "1964", "female", "02138"}, {"black", "1964", "female", "02138"},
    {"white", "1964", "male", "02138"},   {"white", "1965", "female", "02139"},
    {"white", "1964", "male", "02139"},   {"white", "1964", "male", "02139"},
    {"white", "1967", "male", "02138"},   {"white", "1967", "male", "02138"},
    {"black", "1965", "male", "02139"},   {"black", "1965", "male", "02139"},
};

static const char *const TREES[] = {
    "black;person\nwhite;person\n",
    "1964;1960-64;1960-69\n1965;1965-69;1960-69\n1967;1965-69;1960-69\n",
    "male;human\nfemale;human\n",
    "02138;0213*;021**\n02139;0213*;021**\n02141;0214*;021**\n02142;0214*;021**\n",
    NULL,
};

/* Two releases in common trees; the first `quasi` columns have a hierarchy. */
typedef struct pair {
    tacit_table *tables[2];
    tacit_lineage *lineages[5];
    tacit_joint_column columns[5];
    tacit_two_releases two;
} pair;

static tacit_table *read_text(const char *text)
{
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    tacit_table *table = NULL;
    assert_int_equal(
        tacit_table_read_memory(&table, tacit_strview_of(text), "text", &options, NULL, NULL),
        TACIT_OK);
    return table;
}

static tacit_lineage *lineage_of(const char *tree, tacit_table *const *tables, int32_t column)
{
    char path[] = "/tmp/tacit-test-XXXXXX";
    const tacit_lineage_source sources[] = {{.table = tables[0], .column = column},
                                            {.table = tables[1], .column = column}};
    tacit_hierarchy_spec spec = {0};
    tacit_lineage *lineage = NULL;
    tacit_error err = {0};
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    if (tree) {
        assert_int_equal(write(fd, tree, strlen(tree)), strlen(tree));
        spec.kind = TACIT_HIERARCHY_FILE;
        spec.path = path;
    }
    if (tacit_lineage_new(&lineage, &spec, sources, 2, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    close(fd);
    unlink(path);
    return lineage;
}

static void open_pair(pair *p, const char *now, const char *before, const char *const *trees,
                      int32_t quasi)
{
    *p = (pair){.tables = {read_text(now), read_text(before)}};
    int32_t count = tacit_table_columns(p->tables[0]);
    for (int32_t i = 0; i < count; i++) {
        tacit_lineage *lineage = p->lineages[i] = lineage_of(trees[i], p->tables, i);
        p->columns[i] = (tacit_joint_column){
            tacit_lineage_ends(lineage),
            tacit_lineage_count(lineage),
            {tacit_table_codes(p->tables[0], i), tacit_lineage_nodes(lineage, 0)},
            {tacit_table_codes(p->tables[1], i), tacit_lineage_nodes(lineage, 1)}};
    }
    p->two = (tacit_two_releases){.columns = p->columns,
                                  .column_count = count,
                                  .quasi_count = quasi,
                                  .now_rows = tacit_table_rows(p->tables[0]),
                                  .before_rows = tacit_table_rows(p->tables[1]),
                                  .k = 2};
}

static void close_pair(pair *p)
{
    for (int i = 0; i < 5; i++)
        tacit_lineage_free(p->lineages[i]);
    tacit_table_free(p->tables[0]);
    tacit_table_free(p->tables[1]);
}

static tacit_joined *join(const pair *p)
{
    tacit_joined *joined = NULL;
    tacit_error err = {0};
    if (tacit_join_releases(&joined, &p->two, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return joined;
}

/* Whatever of the two is the later one: the values of Figure 36, and two rows alone. */
static void check_figure_36(const char *now, const char *before, int64_t rows)
{
    pair p;
    open_pair(&p, now, before, TREES, 4);
    tacit_joined *joined = join(&p);
    assert_true(joined->by_worlds);
    assert_int_equal(joined->same_rows, 12);
    assert_int_equal(joined->certain_rows, 12);
    assert_int_equal(joined->exposed_rows, 2);
    assert_int_equal(joined->sure_rows, 2);
    assert_int_equal(joined->traced_rows, 2);
    assert_int_equal(joined->fewest_sharing, 1);
    for (int64_t row = 0; row < rows; row++) {
        uint32_t kind = joined->kind_of[row];
        for (int32_t i = 0; i < 4; i++) {
            uint32_t node = tacit_codes_at(joined->columns[i], row);
            assert_true(tacit_strview_equal(tacit_lineage_label(p.lineages[i], node),
                                            tacit_strview_of(LT[row][i])));
        }
        bool unique = row == 6 || row == 7; /* white 1964 male 02138, white 1965 female 02139 */
        assert_int_equal(joined->sharing[kind] < 2, unique);
        assert_int_equal(joined->alike[kind], unique ? 1 : 2);
        assert_int_equal(joined->sure[kind], unique);
    }
    tacit_joined_free(joined);
    close_pair(&p);
}

static void test_figure_36(void **state)
{
    (void)state;
    check_figure_36(GT3, GT1, 12);
    check_figure_36(GT1, GT3, 12);
}

static void test_temporal(void **state)
{
    (void)state;
    check_figure_36(GT_T1, GT1, 14);
}

static void test_repaired(void **state)
{
    (void)state;
    char repaired[sizeof GT1 + sizeof NEW_ROWS] = "";
    strcat(strcat(repaired, GT1), NEW_ROWS);
    pair p;
    open_pair(&p, repaired, GT1, TREES, 4);
    tacit_joined *joined = join(&p);
    assert_int_equal(joined->same_rows, 12);
    assert_int_equal(joined->fresh_rows, 2);
    assert_int_equal(joined->finer_rows, 0);
    assert_int_equal(joined->exposed_rows, 0);
    assert_int_equal(joined->traced_rows, 0);
    assert_int_equal(joined->smallest_class, 2);
    tacit_joined_free(joined);
    close_pair(&p);
}

static const char *const TREES_27[] = {
    "Asian;Person\nBlack;Person\nWhite;Person\n",
    "02138;0213*;021**\n02139;0213*;021**\n02141;0214*;021**\n02142;0214*;021**\n",
};

static void test_figure_27(void **state)
{
    (void)state;
    static const char *const ETHNICITIES[] = {"Asian", "Black", "White"};
    static const char *const ZIPS[] = {"02138", "02139", "02141", "02142"};
    static const int SHUFFLED[] = {7, 2, 11, 4, 0, 9, 5, 10, 1, 6, 3, 8};
    char first[400] = "Eth,ZIP\n", same[400] = "Eth,ZIP\n", other[400] = "Eth,ZIP\n", row[32];
    for (int i = 0; i < 12; i++) {
        snprintf(row, sizeof row, "%s,%.4s*\n", ETHNICITIES[i / 4], ZIPS[i % 4]);
        strcat(first, row);
        snprintf(row, sizeof row, "Person,%s\n", ZIPS[i % 4]);
        strcat(same, row);
        snprintf(row, sizeof row, "Person,%s\n", ZIPS[SHUFFLED[i] % 4]);
        strcat(other, row);
    }
    pair p;
    tacit_order_verdict v;
    open_pair(&p, same, first, TREES_27, 2);
    assert_int_equal(tacit_audit_order(&v, &p.two, NULL, NULL), TACIT_OK);
    assert_true(v.tested && v.follows);
    assert_int_equal(v.agreeing, 12);
    assert_true(v.expected > 5.99 && v.expected < 6.01);
    assert_int_equal(v.exposed_rows, 12);
    assert_int_equal(v.fewest, 1);
    tacit_joined *joined = join(&p); /* without the order both can be released */
    assert_int_equal(joined->exposed_rows, 0);
    tacit_joined_free(joined);
    close_pair(&p);
    open_pair(&p, other, first, TREES_27, 2);
    assert_int_equal(tacit_audit_order(&v, &p.two, NULL, NULL), TACIT_OK);
    assert_true(v.tested && !v.follows);
    assert_int_equal(v.exposed_rows, 0);
    close_pair(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_36),
        cmocka_unit_test(test_temporal),
        cmocka_unit_test(test_repaired),
        cmocka_unit_test(test_figure_27),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
