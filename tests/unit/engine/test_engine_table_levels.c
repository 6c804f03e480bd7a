/*
 * test_engine_table_levels.c - counts and values suppressed by level: exact numbers of a small
 * table, linked tables, every cell of random ones, and what is shown of them.
 */
#include "tables.h"

#include "engine/job/files.h"
#include "engine/tables/tables.h"
#include "pages.h"
#include "random_cases.h"

static void fill(tacit_report *report, const void *subject)
{
    engine_table_levels_facts(report, subject);
}

static const engine_reports REPORTS = {.title = "t", .fill = fill};

static const engine_table_level *level_named(const engine_table_levels *levels,
                                             const char *dimension, int32_t level)
{
    for (int i = 0; i < levels->count; i++)
        if (tacit_strview_equal(levels->list[i].dimension, tacit_strview_of(dimension)) &&
            levels->list[i].level == level)
            return &levels->list[i];
    fail_msg("no level %d of %s", level, dimension);
    return NULL;
}

static void assert_level(const engine_table_levels *levels, const char *dimension, int32_t number,
                         const double expected[5])
{
    const engine_table_level *level = level_named(levels, dimension, number);
    assert_int_equal(level->cells, (int64_t)expected[0]);
    assert_int_equal(level->primary, (int64_t)expected[1]);
    assert_int_equal(level->secondary, (int64_t)expected[2]);
    assert_true(level->value_primary == expected[3]);
    assert_true(level->value_secondary == expected[4]);
}

static tacit_cells *small_table(void)
{
    char dimensions[256];
    snprintf(dimensions, sizeof dimensions, "region=%s sex",
             file_of("r.hrc", "T\n@n\n@@n1\n@@n2\n@s\n@@s1\n@@s2\n"));
    tacit_cells_spec *spec = &spec_of(dimensions)->spec;
    spec->negative = true;
    spec->value = "v";
    tacit_cells *cells =
        cells_of("region,sex,v\nn1,f,-1\nn1,m,2\nn2,f,3\nn2,m,4\ns1,f,5\ns1,m,6\ns2,f,7\ns2,m,8\n",
                 spec, tacit_cells_from_table);
    cells->status[cell_named(cells, "n1|f")] = 'u';
    cells->status[cell_named(cells, "n1|m")] = 'x';
    cells->status[cell_named(cells, "n2|f")] = 'x';
    cells->status[cell_named(cells, "n|f")] = 'u';
    cells->status[cell_named(cells, "s|m")] = 'z';
    return cells;
}

static void test_small(void **state)
{
    (void)state;
    tacit_cells *cells = small_table();
    engine_table_levels levels;
    assert_int_equal(engine_table_levels_init(&levels, cells, NULL, NULL), TACIT_OK);
    assert_int_equal(levels.count, 5);
    assert_level(&levels, "region", 0, (double[]){3, 0, 0, 0, 0});
    assert_level(&levels, "region", 1, (double[]){6, 1, 0, 2, 0});
    assert_level(&levels, "region", 2, (double[]){12, 1, 2, 1, 5});
    assert_level(&levels, "sex", 0, (double[]){7, 0, 0, 0, 0});
    assert_level(&levels, "sex", 1, (double[]){14, 2, 2, 3, 5});
    engine_table_levels_clear(&levels);
    tacit_cells_free(cells);
}

/* The letters given go before the cells' own. */
static void test_status(void **state)
{
    (void)state;
    tacit_cells *cells = small_table();
    char status[64];
    engine_table_levels levels;
    memset(status, 'x', sizeof status);
    assert_int_equal(engine_table_levels_init(&levels, cells, status, NULL), TACIT_OK);
    assert_level(&levels, "region", 0, (double[]){3, 0, 3, 0, 34 + 14 + 20});
    engine_table_levels_clear(&levels);
    tacit_cells_free(cells);
}

/* Three cells of region alone are in both tables. */
static void test_linked(void **state)
{
    (void)state;
    tacit_cells *a = cells_of("region,sex,freq,status\nn,f,1,u\nn,m,2,x\ns,f,3,x\ns,m,4,x\n",
                              &spec_of("region sex")->spec, tacit_cells_from_table);
    tacit_cells *b = cells_of("region,age,freq\nn,old,3\ns,old,5\ns,new,2\n",
                              &spec_of("region age")->spec, tacit_cells_from_table);
    const tacit_cells *parts[] = {a, b};
    tacit_cells *cells = NULL;
    assert_int_equal(tacit_cells_link(&cells, parts, 2, 0, NULL), TACIT_OK);
    cells->status[cells->tables[1].cells[cell_named(b, "n|Total")]] = 'u';
    engine_table_levels levels;
    assert_int_equal(engine_table_levels_init(&levels, cells, NULL, NULL), TACIT_OK);
    assert_level(&levels, "region", 0, (double[]){5, 0, 0, 0, 0});
    assert_level(&levels, "region", 1, (double[]){10, 2, 3, 1 + 3, 9});
    assert_level(&levels, "sex", 0, (double[]){3, 1, 0, 3, 0});
    assert_level(&levels, "sex", 1, (double[]){6, 1, 3, 1, 9});
    assert_level(&levels, "age", 0, (double[]){3, 1, 0, 3, 0});
    assert_level(&levels, "age", 1, (double[]){6, 0, 0, 0, 0});
    engine_table_levels_clear(&levels);
    tacit_cells_free(a);
    tacit_cells_free(b);
    tacit_cells_free(cells);
}

static void test_none(void **state)
{
    (void)state;
    tacit_cells *cells = jj_of("0\n1\n0 5 5 s 0 9 0 0 0\n0\n");
    engine_table_levels levels;
    assert_int_equal(engine_table_levels_init(&levels, cells, NULL, NULL), TACIT_OK);
    assert_int_equal(levels.count, 0);
    char *html = NULL;
    assert_int_equal(engine_report_html(&html, &REPORTS, &levels, NULL, NULL), TACIT_OK);
    assert_null(strstr(html, "<table"));
    tacit_text_free(html);
    engine_table_levels_clear(&levels);
    tacit_cells_free(cells);
}

/* The account has the sums; the page does not: they would tell of suppressed cells. */
static void test_shown(void **state)
{
    (void)state;
    tacit_cells *cells = small_table();
    cells->value[cell_named(cells, "n1|f")] = -1234567;
    engine_table_levels levels;
    char *json = NULL, *html = NULL;
    assert_int_equal(engine_table_levels_init(&levels, cells, NULL, NULL), TACIT_OK);
    assert_int_equal(engine_report_json(&json, &REPORTS, &levels, NULL, NULL), TACIT_OK);
    assert_int_equal(engine_report_html(&html, &REPORTS, &levels, NULL, NULL), TACIT_OK);
    assert_has(json, "    {\n      \"dimension\": \"region\",\n      \"level\": 2,\n"
                     "      \"cells\": 12,\n      \"primary\": 1,\n      \"secondary\": 2,\n"
                     "      \"value_primary\": 1234567.0,\n      \"value_secondary\": 5.0\n    }");
    assert_sound(html);
    assert_has(html, "<th scope=\"row\">region, level 2</th><td class=\"number\">12</td>"
                     "<td class=\"number\">1</td><td class=\"number\">2</td>"
                     "<td class=\"number\">25.0 %</td></tr>");
    assert_has(html, "<title>sex, level 1: 2 secondary</title>");
    assert_null(strstr(html, "234"));
    tacit_text_free(html);
    tacit_text_free(json);
    engine_table_levels_clear(&levels);
    tacit_cells_free(cells);
}

/* ---- against the codes of every cell ---- */

static tacit_cells *random_table(void)
{
    char spec[512], csv[4096], *at = csv;
    const char *first = file_of("1.hrc", "T\n@a\n@@a1\n@@a2\n@@@a3\n@@@a4\n@b\n@c\n@@c1\n");
    const char *again = file_of("2.hrc", "T\n@x\n@@a1\n@@b\n@y\n@@a3\n@@a4\n@@c\n");
    static const char *const leaves[] = {"a1", "a3", "a4", "b", "c1"};
    snprintf(spec, sizeof spec, random_below(2) ? "d=%s,%s e" : "d=%s e", first, again);
    at += sprintf(at, "d,e,v\n");
    for (int i = 0; i < 30; i++)
        at +=
            sprintf(at, "%s,e%d,%d\n", leaves[random_below(5)], random_below(4), random_below(100));
    tacit_cells_spec *made = &spec_of(spec)->spec;
    made->value = "v";
    tacit_cells *cells = cells_of(csv, made, tacit_cells_from_records);
    for (int32_t c = 0; c < cells->count; c++)
        cells->status[c] = "sszux"[random_below(5)];
    return cells;
}

static void check_levels(const tacit_cells *cells, const engine_table_levels *levels)
{
    for (int i = 0; i < levels->count; i++) {
        const engine_table_level *level = &levels->list[i];
        double found[5] = {0};
        for (int32_t cell = 0; cell < cells->count; cell++) {
            int32_t codes[2], d = level->dimension.bytes[0] == 'd' ? 0 : 1;
            tacit_cells_codes(codes, cells, cell);
            if (cells->dimensions[d].trees[0].level[codes[d]] != level->level)
                continue;
            bool primary = cells->status[cell] == 'u', secondary = cells->status[cell] == 'x';
            found[0]++;
            found[1] += primary;
            found[2] += secondary;
            found[3] += primary ? cells->value[cell] : 0;
            found[4] += secondary ? cells->value[cell] : 0;
        }
        char name[2] = {level->dimension.bytes[0]};
        assert_level(levels, name, level->level, found);
    }
}

static void test_random(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(100); ++*seed) {
        engine_table_levels levels;
        random_start(*seed);
        tacit_cells *cells = random_table();
        assert_int_equal(engine_table_levels_init(&levels, cells, NULL, NULL), TACIT_OK);
        assert_int_equal(levels.count, 4 + 2);
        check_levels(cells, &levels);
        engine_table_levels_clear(&levels);
        tacit_cells_free(cells);
        tables_end(NULL);
    }
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_small, tables_end),
        cmocka_unit_test_teardown(test_status, tables_end),
        cmocka_unit_test(test_linked),
        cmocka_unit_test(test_none),
        cmocka_unit_test_teardown(test_shown, tables_end),
        random_test(test_random, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
