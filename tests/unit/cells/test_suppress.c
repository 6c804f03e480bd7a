/*
 * test_suppress.c - methods that suppress cells, and the repair around them, on tables that
 * can be checked by hand.
 */
#include "tables.h"

#include "cells/suppress/methods.h"
#include "suppress.h"

/* Regions by sex, shaped like the problem in sdcTable's tests: 15 cells, one of them primary, of
 * which the fifth, sixth, eleventh and twelfth end suppressed. The counts may differ. */
static const char REGIONS[] = "r,s,freq,status\nA,m,18,s\nA,f,2,u\nB,m,14,s\nB,f,19,s\n"
                              "C,m,12,s\nC,f,10,s\nD,m,11,s\nD,f,14,s\n";

static tacit_cells *regions(void)
{
    return cells_of(REGIONS, &spec_of("r s")->spec, tacit_cells_from_table);
}

static void check_suppressed(const tacit_cells *cells, const char *status, const char *const *names,
                             int count)
{
    int32_t tally[128];
    tacit_cells_tally(tally, cells, status);
    assert_int_equal(tally['u'] + tally['x'], count);
    for (int i = 0; i < count; i++)
        assert_true(slow_suppressed(status[cell_named(cells, names[i])]));
}

static void test_sdctable(void **state)
{
    (void)state;
    const char *const expected[] = {"A|m", "A|f", "C|m", "C|f"};
    for (const tacit_suppress_method *m = tacit_suppress_methods(); m->name && !m->total; m++) {
        tacit_cells *cells = regions();
        tacit_pattern pattern = {0};
        tacit_error err = {0};
        if (suppressed_fully(&pattern, cells, m->name, &err) != TACIT_OK)
            fail_msg("%s", err.message);
        check_suppressed(cells, pattern.status, expected, 4);
        assert_int_equal(pattern.secondary, 3);
        assert_true(pattern.cost == 40);
        assert_int_equal(pattern.subtables, 1);
        assert_int_equal(pattern.repaired, 0);
        tacit_pattern_clear(&pattern);
        tacit_cells_free(cells);
    }
}

static void test_methods(void **state)
{
    (void)state;
    for (const tacit_suppress_method *m = tacit_suppress_methods(); m->name; m++) {
        assert_ptr_equal(tacit_suppress_method_find(m->name), m);
        assert_non_null(m->summary);
    }
    assert_null(tacit_suppress_method_find("nothing"));
}

static tacit_status never(int32_t *exposed, int32_t *count, const tacit_cells *cells,
                          const char *status, const tacit_run *run, void *payload, tacit_error *err)
{
    (void)exposed, (void)count, (void)cells, (void)status, (void)run, (void)payload, (void)err;
    fail_msg("the judge of intervals was asked");
    return TACIT_OK;
}

/* Total protection of one cell takes a rectangle, of any three cells; by costs, the cheapest. What
 * it promises is not about intervals. */
static void test_total(void **state)
{
    (void)state;
    const char *const cheapest[] = {"A|m", "A|f", "C|m", "C|f"};
    tacit_cells *cells = regions();
    for (int costs = 0; costs < 2; costs++) {
        tacit_pattern pattern = {0};
        tacit_suppress_options options = {.total_costs = costs};
        assert_int_equal(tacit_suppress(&pattern, cells, tacit_suppress_method_find("total"),
                                        &options, never, NULL, NULL, NULL),
                         TACIT_OK);
        assert_int_equal(pattern.added, 3);
        assert_int_equal(pattern.secondary, 3);
        assert_true(pattern.proven && pattern.lower_bound == (costs ? 40 : 3));
        assert_true(pattern.added_cost == pattern.lower_bound);
        if (costs)
            check_suppressed(cells, pattern.status, cheapest, 4);
        tacit_pattern_clear(&pattern);
    }
    tacit_cells_free(cells);
}

/* A table without primary cells, and one of a single cell. */
static void test_nothing_to_do(void **state)
{
    (void)state;
    const char *const tables[] = {"r,s,freq\nA,m,1\nB,f,2\n", "r,s,freq\nA,m,3\n"};
    for (int i = 0; i < 2; i++)
        for (const tacit_suppress_method *m = tacit_suppress_methods(); m->name && !m->total; m++) {
            tacit_cells *cells = cells_of(tables[i], &spec_of("r s")->spec, tacit_cells_from_table);
            tacit_pattern pattern = {0};
            assert_int_equal(suppressed_fully(&pattern, cells, m->name, NULL), TACIT_OK);
            assert_int_equal(pattern.secondary, 0);
            assert_memory_equal(pattern.status, cells->status, cells->count);
            tacit_pattern_clear(&pattern);
            tacit_cells_free(cells);
        }
}

/* Every method on a table that is none of a single tree: safe in all subtables and as a whole. */
static void check_safe(tacit_cells *cells)
{
    for (const tacit_suppress_method *m = tacit_suppress_methods(); m->name && !m->total; m++) {
        tacit_suppress_options options = {0};
        tacit_pattern pattern = solved(cells, m->name, &options, 2), whole = {0};
        assert_true(pattern.secondary > 0);
        assert_int_equal(pattern.unprotected, -1);
        assert_int_equal(exposed_in_subtables(cells, pattern.status), 0);
        assert_int_equal(suppressed_fully(&whole, cells, m->name, NULL), TACIT_OK);
        tacit_pattern_clear(&pattern);
        tacit_pattern_clear(&whole);
    }
    tacit_cells_free(cells);
}

/* A dimension with two trees: by province, and by coast and inland. */
static void test_two_trees(void **state)
{
    (void)state;
    char spec[512];
    const char *first = file_of("1.hrc", "T\n@A\n@@a\n@@b\n@B\n@@c\n@@d\n");
    const char *second = file_of("2.hrc", "T\n@X\n@@a\n@@c\n@Y\n@@b\n@@d\n");
    snprintf(spec, sizeof spec, "r=%s,%s s", first, second);
    check_safe(cells_of("r,s,freq,status\na,m,2,u\na,f,7,s\nb,m,6,s\nb,f,9,s\nc,m,8,s\n"
                        "c,f,5,s\nd,m,9,s\nd,f,3,u\n",
                        &spec_of(spec)->spec, tacit_cells_from_table));
}

/* Region by sex and region by age, which share the regions. */
static void test_linked(void **state)
{
    (void)state;
    tacit_cells *parts[2], *linked = NULL;
    parts[0] = regions();
    parts[1] = cells_of("r,a,freq,status\nA,y,17,s\nA,o,3,u\nB,y,20,s\nB,o,13,s\nC,y,11,s\n"
                        "C,o,11,s\nD,y,5,s\nD,o,20,s\n",
                        &spec_of("r a")->spec, tacit_cells_from_table);
    assert_int_equal(tacit_cells_link(&linked, (const tacit_cells *const *)parts, 2, 0, NULL),
                     TACIT_OK);
    tacit_cells_free(parts[0]);
    tacit_cells_free(parts[1]);
    check_safe(linked);
}

/* Everything else must be published: the cell is named. */
static void test_hopeless(void **state)
{
    (void)state;
    for (const tacit_suppress_method *m = tacit_suppress_methods(); m->name && !m->total; m++) {
        tacit_cells *cells = regions();
        tacit_pattern pattern = {.secondary = -7};
        tacit_error err = {0};
        for (int32_t i = 0; i < cells->count; i++)
            if (cells->status[i] == 's')
                cells->status[i] = 'z';
        assert_int_equal(suppressed_fully(&pattern, cells, m->name, &err), TACIT_INFEASIBLE);
        assert_int_equal(pattern.secondary, -7);
        assert_non_null(strstr(err.message, "A"));
        assert_non_null(strstr(err.message, "cannot be protected"));
        tacit_cells_free(cells);
    }
}

/* Levels beyond the bounds are found before any work. */
static void test_beyond_bounds(void **state)
{
    (void)state;
    tacit_cells *cells = regions();
    tacit_pattern pattern;
    tacit_error err = {0};
    cells->lpl[cell_named(cells, "A|f")] = 3;
    assert_int_equal(suppressed_fully(&pattern, cells, "hypercube", &err), TACIT_INFEASIBLE);
    tacit_cells_free(cells);
}

/* A relation alone is a subtable: the other part is the cheaper one to hide behind. */
static void test_one_relation(void **state)
{
    (void)state;
    for (const tacit_suppress_method *m = tacit_suppress_methods(); m->name && !m->total; m++) {
        tacit_cells *cells = jj_of("0\n3\n0 5 5 s 0 9 0 0 0\n1 2 2 u 0 9 1 1 0\n"
                                   "2 3 3 s 0 9 0 0 0\n1\n0 3 : 0 (-1) 1 (1) 2 (1)\n");
        tacit_pattern pattern = {0};
        assert_int_equal(suppressed_fully(&pattern, cells, m->name, NULL), TACIT_OK);
        assert_string_equal(pattern.status, "sux");
        assert_int_equal(pattern.subtables, 1);
        if (strcmp(m->name, "hitas") == 0)
            assert_true(pattern.proven && pattern.cost == 3 && pattern.lower_bound == 3);
        tacit_pattern_clear(&pattern);
        tacit_cells_free(cells);
    }
}

/* C is cheapest by value; by number all rows are the same and the first counts; with B|m and C|f
 * dear the choice falls on D. */
static void test_cuboid_prices(void **state)
{
    (void)state;
    tacit_cells *cells = regions();
    tacit_suppress_options options = {.cuboid = TACIT_CUBOID_COST};
    cells->cost[cell_named(cells, "B|m")] = cells->cost[cell_named(cells, "C|f")] = 100;
    tacit_pattern pattern = solved(cells, "hypercube", &options, 1);
    check_suppressed(cells, pattern.status, (const char *const[]){"A|m", "A|f", "D|m", "D|f"}, 4);
    tacit_pattern_clear(&pattern);
    options.cuboid = TACIT_CUBOID_VALUE;
    pattern = solved(cells, "hypercube", &options, 1);
    check_suppressed(cells, pattern.status, (const char *const[]){"A|m", "A|f", "C|m", "C|f"}, 4);
    tacit_pattern_clear(&pattern);
    options.cuboid = TACIT_CUBOID_COUNT;
    pattern = solved(cells, "hypercube", &options, 1);
    assert_int_equal(pattern.secondary, 3);
    tacit_pattern_clear(&pattern);
    tacit_cells_free(cells);
}

/* A level that only large corners hide: at 600 percent of 2 corners must give way by 12. */
static void test_cuboid_level(void **state)
{
    (void)state;
    tacit_cells *cells = regions();
    tacit_suppress_options options = {.cuboid_level = 600};
    tacit_pattern pattern = solved(cells, "hypercube", &options, 1);
    assert_false(slow_suppressed(pattern.status[cell_named(cells, "C|f")]));
    slow_judge judge;
    slow_start(&judge, cells, pattern.status);
    assert_true(slow_reach(&judge, cell_named(cells, "A|f"), 1) >= 12 - 1e-6);
    slow_end(&judge);
    tacit_pattern_clear(&pattern);
    tacit_cells_free(cells);
}

/* The cheapest corner has one contributor: another is taken instead, or a second cuboid. */
static void test_singletons(void **state)
{
    (void)state;
    const char text[] = "r,s,freq,status\nA,m,18,s\nA,f,1,u\nB,m,14,s\nB,f,19,s\n"
                        "C,m,12,s\nC,f,1,s\nD,m,11,s\nD,f,14,s\n";
    tacit_cells *cells = cells_of(text, &spec_of("r s")->spec, tacit_cells_from_table);
    tacit_suppress_options options = {0};
    tacit_pattern pattern = solved(cells, "hypercube", &options, 1);
    check_suppressed(cells, pattern.status, (const char *const[]){"A|m", "A|f", "D|m", "D|f"}, 4);
    tacit_pattern_clear(&pattern);
    options.second_cuboid = true; /* A|m cannot be in both, so one goes by the totals of A */
    pattern = solved(cells, "hypercube", &options, 1);
    assert_true(pattern.secondary >= 6);
    assert_true(slow_suppressed(pattern.status[cell_named(cells, "C|f")]));
    tacit_pattern_clear(&pattern);
    tacit_cells_free(cells);
}

/* Zeros that may be suppressed are corners only where that was asked for. */
static void test_zeros(void **state)
{
    (void)state;
    const char text[] = "r,s,freq,status\nA,m,18,s\nA,f,2,u\nB,m,0,s\nB,f,19,s\n"
                        "C,m,12,s\nC,f,10,s\n";
    tacit_cells *cells = cells_of(text, &spec_of("r s")->spec, tacit_cells_from_table);
    int32_t zero = cell_named(cells, "B|m"), primary = cell_named(cells, "A|f");
    tacit_suppress_options options = {0};
    cells->lpl[primary] = 0; /* upwards A|f goes with B|m, downwards against it */
    tacit_pattern pattern = solved(cells, "hypercube", &options, 1);
    assert_int_equal(pattern.status[zero], 's');
    tacit_pattern_clear(&pattern);
    options.zeros = true;
    pattern = solved(cells, "hypercube", &options, 1);
    assert_int_equal(pattern.status[zero], 'x');
    assert_int_equal(exposed_in_subtables(cells, pattern.status), 0);
    tacit_pattern_clear(&pattern);
    tacit_cells_free(cells);
}

/* A judge who finds a primary cell exposed that is hidden well, once. */
static tacit_status finds_too_much(int32_t *exposed, int32_t *count, const tacit_cells *cells,
                                   const char *status, const tacit_run *run, void *payload,
                                   tacit_error *err)
{
    (void)status, (void)run, (void)err;
    exposed[0] = cell_named(cells, "A|f");
    *count = (*(int *)payload)++ == 0;
    return TACIT_OK;
}

/* A judge is believed even where the repair sees nothing left to do. */
static void test_judge_is_believed(void **state)
{
    (void)state;
    tacit_cells *cells = regions();
    tacit_pattern pattern = {0};
    tacit_suppress_options options = {0};
    tacit_run run;
    tacit_error err = {0};
    int calls = 0;
    tacit_run_init(&run);
    tacit_status status = tacit_suppress(&pattern, cells, tacit_suppress_method_find("hypercube"),
                                         &options, finds_too_much, &calls, &run, &err);
    assert_int_equal(status, TACIT_INFEASIBLE);
    assert_int_equal(calls, 1);
    tacit_cells_free(cells);
}

/* A judge who finds a secondary cell exposed, once: it is published again. */
static tacit_status finds_secondary(int32_t *exposed, int32_t *count, const tacit_cells *cells,
                                    const char *status, const tacit_run *run, void *payload,
                                    tacit_error *err)
{
    (void)run, (void)err;
    exposed[0] = cell_named(cells, "C|m");
    *count = (*(int *)payload)++ == 0;
    assert_int_equal(status[exposed[0]], *count ? 'x' : 's');
    return TACIT_OK;
}

static void test_known_is_published(void **state)
{
    (void)state;
    tacit_cells *cells = regions();
    tacit_pattern pattern = {0};
    tacit_suppress_options options = {0};
    tacit_run run;
    int calls = 0;
    tacit_run_init(&run);
    assert_int_equal(tacit_suppress(&pattern, cells, tacit_suppress_method_find("hypercube"),
                                    &options, finds_secondary, &calls, &run, NULL),
                     TACIT_OK);
    assert_int_equal(calls, 2);
    assert_int_equal(pattern.repaired, 1);
    assert_int_equal(pattern.secondary, 2);
    tacit_pattern_clear(&pattern);
    tacit_cells_free(cells);
}

static tacit_status do_nothing(tacit_pattern *out, const tacit_cells *cells, const char *status,
                               const tacit_suppress_options *options, const tacit_run *run,
                               tacit_error *err)
{
    (void)options, (void)run, (void)err;
    *out = (tacit_pattern){.unprotected = -1};
    out->status = malloc(cells->count);
    memcpy(out->status, status, cells->count);
    return TACIT_OK;
}

/* A method that does nothing leaves everything to the repair, which is enough. */
static void test_repair_alone(void **state)
{
    (void)state;
    const tacit_suppress_method nothing = {.name = "nothing", .summary = "", .solve = do_nothing};
    tacit_cells *cells = regions();
    tacit_pattern pattern = {0};
    tacit_suppress_options options = {0};
    tacit_run run;
    int calls = 0;
    tacit_run_init(&run);
    assert_int_equal(
        tacit_suppress(&pattern, cells, &nothing, &options, slow_judge_all, &calls, &run, NULL),
        TACIT_OK);
    assert_int_equal(calls, 2);
    assert_int_equal(pattern.repaired, 1);
    check_suppressed(cells, pattern.status, (const char *const[]){"A|m", "A|f", "C|m", "C|f"}, 4);
    tacit_pattern_clear(&pattern);
    tacit_cells_free(cells);
}

/* Letters to begin with, or with everything suppressed that may be. */
static void letters_of(char *out, const tacit_cells *cells, const char *status, bool all)
{
    for (int32_t i = 0; i < cells->count; i++)
        out[i] = all && status[i] == 's' ? 'x' : status[i];
}

static tacit_status give_rival(tacit_pattern *out, const tacit_cells *cells, const char *status,
                               bool all)
{
    *out = (tacit_pattern){.unprotected = -1, .lower_bound = NAN, .rival_count = 1};
    out->status = malloc(cells->count);
    out->rivals = malloc(cells->count);
    letters_of(out->status, cells, status, all);
    letters_of(out->rivals, cells, status, !all);
    return TACIT_OK;
}

static tacit_status with_cheaper(tacit_pattern *out, const tacit_cells *cells, const char *status,
                                 const tacit_suppress_options *options, const tacit_run *run,
                                 tacit_error *err)
{
    (void)options, (void)run, (void)err;
    return give_rival(out, cells, status, true);
}

static tacit_status with_dearer(tacit_pattern *out, const tacit_cells *cells, const char *status,
                                const tacit_suppress_options *options, const tacit_run *run,
                                tacit_error *err)
{
    (void)options, (void)run, (void)err;
    return give_rival(out, cells, status, false);
}

/* Of a pattern and its rival, both made safe, the cheaper one is given, whichever that is. */
static void test_rivals(void **state)
{
    (void)state;
    const tacit_suppress_method methods[] = {
        {.name = "dear", .summary = "", .solve = with_cheaper},
        {.name = "cheap", .summary = "", .solve = with_dearer}};
    for (int m = 0; m < 2; m++) {
        tacit_cells *cells = regions();
        tacit_pattern pattern = {0};
        tacit_suppress_options options = {0};
        tacit_run run;
        tacit_run_init(&run);
        assert_int_equal(tacit_suppress(&pattern, cells, &methods[m], &options, slow_judge_all,
                                        NULL, &run, NULL),
                         TACIT_OK);
        check_suppressed(cells, pattern.status, (const char *const[]){"A|m", "A|f", "C|m", "C|f"},
                         4);
        assert_true(pattern.cost == 18 + 12 + 10 && pattern.secondary == 3);
        assert_true(!pattern.rivals && pattern.rival_count == 0);
        tacit_pattern_clear(&pattern);
        tacit_cells_free(cells);
    }
}

/* Hitas gives up as soon as its cells cost more than they may. */
static void test_hitas_limit(void **state)
{
    (void)state;
    for (int most = 39; most <= 40; most++) {
        tacit_cells *cells = regions();
        tacit_pattern pattern = {0};
        const tacit__hitas_limits limits = {.work = INT64_MAX, .cost = most, .times = 1};
        bool done;
        assert_int_equal(
            tacit__hitas_within(&pattern, &done, cells, cells->status, &limits, NULL, NULL),
            TACIT_OK);
        assert_int_equal(done, most == 40);
        tacit_pattern_clear(&pattern);
        tacit_cells_free(cells);
    }
}

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total;
    return ++*(int *)payload < 2;
}

static void test_cancel(void **state)
{
    (void)state;
    for (const tacit_suppress_method *m = tacit_suppress_methods(); m->name && !m->total; m++) {
        random_start(5);
        table_shape shape = {3, true, 9, 20, 0};
        tacit_cells *cells = random_cells(&shape);
        tacit_pattern pattern = {.secondary = -7};
        tacit_suppress_options options = {0};
        tacit_run run;
        int calls = 0;
        tacit_run_init(&run);
        run.progress = stop;
        run.payload = &calls;
        assert_int_equal(m->solve(&pattern, cells, cells->status, &options, &run, NULL),
                         TACIT_CANCELLED);
        assert_int_equal(pattern.secondary, -7);
        tacit_cells_free(cells);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sdctable),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_nothing_to_do),
        cmocka_unit_test(test_two_trees),
        cmocka_unit_test(test_linked),
        cmocka_unit_test(test_hopeless),
        cmocka_unit_test(test_beyond_bounds),
        cmocka_unit_test(test_one_relation),
        cmocka_unit_test(test_cuboid_prices),
        cmocka_unit_test(test_cuboid_level),
        cmocka_unit_test(test_singletons),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_judge_is_believed),
        cmocka_unit_test(test_rivals),
        cmocka_unit_test(test_hitas_limit),
        cmocka_unit_test(test_known_is_published),
        cmocka_unit_test(test_repair_alone),
        cmocka_unit_test(test_total),
        cmocka_unit_test(test_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
