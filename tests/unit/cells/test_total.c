/*
 * test_total.c - total protection at its edges: wrong lists, tables that are empty or all
 * suppressed, cells that are not listed, the table of a tacit_cells, and stopping.
 */
#include "tables.h"

#include "flat.h"

/* ---- wrong lists ---- */

typedef struct wrong_case {
    const char *name;
    int rows, columns, count;
    int32_t row[3], column[3];
    const char *status; /* NULL: none given */
    double value[3], lower[3], upper[3], cost[3];
    bool secret[3];
    tacit_status expected;
    const char *says;
} wrong_case;

static const wrong_case wrong_cases[] = {
    {"negative size", -1, 2, 0, .expected = TACIT_INVALID, .says = "negative"},
    {"too many lines", INT32_MAX, 2, 0, .expected = TACIT_LIMIT, .says = "lines"},
    {"row too far",
     2,
     2,
     1,
     {2},
     {0},
     "u",
     {1},
     {0},
     {2},
     {1},
     {1},
     TACIT_INVALID,
     "cell 1 of the list (row 3, column 1): it is outside the table"},
    {"column below 0", 2, 2, 1, {0}, {-1}, "u", {1}, {0}, {2}, {1}, {1}, TACIT_INVALID, "outside"},
    {"twice",
     2,
     2,
     3,
     {0, 1, 0},
     {1, 1, 1},
     "uxs",
     {1, 1, 2},
     {0},
     {2, 2, 2},
     {1, 1, 1},
     {1},
     TACIT_INVALID,
     "(row 1, column 2): it is given twice"},
    {"status",
     2,
     2,
     1,
     {0},
     {0},
     "q",
     {1},
     {0},
     {2},
     {1},
     {0},
     TACIT_INVALID,
     "none of s, u, x and z"},
    {"below",
     2,
     2,
     1,
     {0},
     {0},
     "u",
     {-1},
     {0},
     {2},
     {1},
     {1},
     TACIT_INVALID,
     "outside its bounds"},
    {"above", 2, 2, 1, {0}, {0}, "u", {3}, {0}, {2}, {1}, {1}, TACIT_INVALID, "outside its bounds"},
    {"bounds",
     2,
     2,
     1,
     {0},
     {0},
     "u",
     {2},
     {2},
     {2},
     {1},
     {1},
     TACIT_INVALID,
     "upper bound is not above the lower"},
    {"infinite",
     2,
     2,
     1,
     {0},
     {0},
     "u",
     {INFINITY},
     {0},
     {2},
     {1},
     {1},
     TACIT_INVALID,
     "no number"},
    {"bound no number", 2, 2, 1, {0}, {0}, "u", {1}, {NAN}, {2}, {1}, {1}, TACIT_INVALID, "bound"},
    {"cost", 2, 2, 1, {0}, {0}, "s", {1}, {0}, {2}, {-1}, {0}, TACIT_INVALID, "cost"},
    {"published Q",
     2,
     2,
     1,
     {0},
     {0},
     "s",
     {1},
     {0},
     {2},
     {1},
     {1},
     TACIT_INVALID,
     "is not suppressed"},
};

static void test_wrong_lists(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong_cases / sizeof *wrong_cases; i++) {
        const wrong_case *w = &wrong_cases[i];
        tacit_flat_view view = {.rows = w->rows,
                                .columns = w->columns,
                                .count = w->count,
                                .row = w->row,
                                .column = w->column,
                                .status = w->status,
                                .value = w->value,
                                .lower = w->lower,
                                .upper = w->upper,
                                .cost = w->cost,
                                .secret = w->secret};
        tacit_total_audit *audit = NULL;
        tacit_total_plan plan = {.count = -7};
        tacit_total_levels levels = {.k = -7};
        tacit_error err[3] = {0};
        assert_int_equal(tacit_audit_total(&audit, &view, NULL, NULL, &err[0]), w->expected);
        assert_int_equal(tacit_total_protect(&plan, &view, NULL, NULL, &err[1]), w->expected);
        assert_int_equal(tacit_audit_levels(&levels, &view, 1, NULL, &err[2]), w->expected);
        assert_true(!audit && plan.count == -7 && levels.k == -7);
        for (int k = 0; k < 3; k++)
            if (!strstr(err[k].message, w->says))
                fail_msg("%s: %s", w->name, err[k].message);
    }
    tacit_flat_view empty = {0};
    tacit_total_levels levels;
    assert_int_equal(tacit_audit_levels(&levels, &empty, 0, NULL, NULL), TACIT_INVALID);
}

/* ---- small tables ---- */

static void test_empty(void **state)
{
    (void)state;
    static const int sizes[][2] = {{0, 0}, {3, 0}, {0, 3}, {3, 3}};
    for (int i = 0; i < 4; i++) {
        tacit_flat_view view = {.rows = sizes[i][0], .columns = sizes[i][1]};
        tacit_total_audit *audit = NULL;
        tacit_total_plan plan;
        tacit_total_levels levels;
        tacit_total_audit_options options = {.sums = 3};
        assert_int_equal(tacit_audit_total(&audit, &view, &options, NULL, NULL), TACIT_OK);
        assert_true(audit->total && !audit->leaks && !audit->known && !audit->components);
        assert_int_equal(tacit_total_protect(&plan, &view, NULL, NULL, NULL), TACIT_OK);
        assert_true(plan.count == 0 && plan.optimal && plan.way == TACIT_TOTAL_NOTHING);
        assert_int_equal(tacit_audit_levels(&levels, &view, 2, NULL, NULL), TACIT_OK);
        assert_true(levels.cells && levels.lines && levels.several && levels.table);
        tacit_total_audit_free(audit);
        tacit_total_plan_clear(&plan);
        tacit_total_levels_clear(&levels);
    }
}

/* Everything suppressed, nothing to add: sums are known, no cell is. */
static void test_all_suppressed(void **state)
{
    (void)state;
    flat f = flat_of(3, 4);
    memset(f.status, 'u', 12);
    memset(f.secret, 1, 12);
    tacit_flat_view view = flat_view(&f);
    tacit_total_audit *audit = NULL;
    tacit_total_plan plan;
    tacit_error err = {0};
    assert_int_equal(tacit_audit_total(&audit, &view, NULL, NULL, NULL), TACIT_OK);
    assert_true(audit->invariant_count == 0 && audit->leaks == 6 && !audit->total);
    assert_int_equal(tacit_total_protect(&plan, &view, NULL, NULL, &err), TACIT_INFEASIBLE);
    tacit_total_audit_free(audit);
}

/* A path of so many cells, all known; closed to a ring, none is. Nothing recurses. */
static void test_long_path(void **state)
{
    (void)state;
    enum { LINES = 100000 };
    int32_t *row = malloc(2 * LINES * sizeof *row), *column = malloc(2 * LINES * sizeof *column);
    for (int i = 0; i < 2 * LINES; i++) {
        row[i] = i / 2;
        column[i] = (i + 1) / 2 % LINES;
    }
    for (int ring = 0; ring < 2; ring++) {
        tacit_flat_view view = {.rows = LINES,
                                .columns = LINES,
                                .count = 2 * LINES - 1 + ring,
                                .row = row,
                                .column = column};
        tacit_total_audit *audit = NULL;
        tacit_total_plan plan;
        tacit_total_levels levels;
        assert_int_equal(tacit_audit_total(&audit, &view, NULL, NULL, NULL), TACIT_OK);
        assert_int_equal(audit->invariant_count, ring ? 0 : view.count);
        assert_int_equal(audit->leaks, 2 * LINES - 1);
        assert_int_equal(tacit_audit_levels(&levels, &view, 1, NULL, NULL), TACIT_OK);
        assert_true(levels.cells == ring && levels.lines == ring && !levels.table);
        assert_int_equal(tacit_total_protect(&plan, &view, NULL, NULL, NULL), TACIT_OK);
        assert_int_equal(plan.count, 2 * LINES - 1);
        tacit_total_audit_free(audit);
        tacit_total_levels_clear(&levels);
        tacit_total_plan_clear(&plan);
    }
    free(row);
    free(column);
}

/* Cells that the list leaves out are what `rest` says, as if they were listed. */
static void test_rest(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_start(seed);
        flat f = flat_of(3, 3);
        tacit_flat_rest rest = (tacit_flat_rest)random_below(3);
        int32_t row[9], column[9];
        char status[9];
        int count = 0;
        for (int i = 0; i < 9; i++) {
            bool hidden = random_below(2);
            f.status[i] = hidden ? 'u' : rest == TACIT_REST_FIXED ? 'z' : 's';
            f.secret[i] = hidden;
            if (!hidden && rest == TACIT_REST_LOWER)
                f.lower[i] = f.value[i];
            if (hidden) {
                row[count] = i / 3;
                column[count] = i % 3;
                status[count++] = 'u';
            }
        }
        tacit_flat_view all = flat_view(&f);
        tacit_flat_view some = {.rows = 3,
                                .columns = 3,
                                .count = count,
                                .row = row,
                                .column = column,
                                .status = status,
                                .rest = rest};
        tacit_total_plan a = {0}, b = {0};
        tacit_status expected = tacit_total_protect(&a, &all, NULL, NULL, NULL);
        assert_int_equal(tacit_total_protect(&b, &some, NULL, NULL, NULL), expected);
        assert_int_equal(a.count, b.count);
        for (int k = 0; k < a.count; k++)
            assert_true(a.row[k] == b.row[k] && a.column[k] == b.column[k]);
        tacit_total_plan_clear(&a);
        tacit_total_plan_clear(&b);
    }
}

/* ---- cells ---- */

static tacit_cells *some_cells(void)
{
    table_spec *spec = spec_of("r c");
    spec->spec.value = "v";
    return cells_of("r,c,v,status,weight\nx,a,1,u,5\nx,b,2,s,6\ny,a,3,s,7\ny,b,4,x,8\n"
                    "z,a,0,z,1\nz,b,9,s,1\n",
                    &spec->spec, tacit_cells_from_table);
}

static void test_from_cells(void **state)
{
    (void)state;
    tacit_cells *cells = some_cells();
    tacit_flat_table *table = NULL;
    assert_int_equal(tacit_flat_from_cells(&table, cells, NULL, true, NULL), TACIT_OK);
    static const double values[6] = {1, 2, 3, 4, 0, 9}, costs[6] = {5, 6, 7, 8, 1, 1};
    assert_true(table->view.rows == 3 && table->view.columns == 2 && table->view.count == 6);
    assert_memory_equal(table->view.status, "ussxzs", 6);
    for (int k = 0; k < 6; k++) {
        assert_true(table->view.value[k] == values[k] && table->view.cost[k] == costs[k]);
        assert_true(cells->value[table->cells[k]] == values[k]);
        assert_true(table->view.row[k] == k / 2 && table->view.column[k] == k % 2);
    }
    assert_true(
        tacit_strview_equal(cells->dimensions[0].codes[table->row_code[2]], tacit_strview_of("z")));
    tacit_flat_table_free(table);
    assert_int_equal(tacit_flat_from_cells(&table, cells, NULL, false, NULL), TACIT_OK);
    assert_null(table->view.cost);
    tacit_flat_table_free(table);
    tacit_cells_free(cells);
}

static void test_not_flat(void **state)
{
    (void)state;
    tacit_flat_table *table = NULL;
    tacit_error err = {0};
    tacit_cells *cells = some_cells();
    cells->status[0] = 'u'; /* the grand total */
    assert_int_equal(tacit_flat_from_cells(&table, cells, NULL, false, &err), TACIT_INVALID);
    assert_non_null(strstr(err.message, "margins are published"));
    tacit_cells_free(cells);
    table_spec *spec = spec_of("r");
    spec->spec.value = "v";
    cells = cells_of("r,v\nx,1\ny,2\n", &spec->spec, tacit_cells_from_table);
    err = (tacit_error){0};
    assert_int_equal(tacit_flat_from_cells(&table, cells, NULL, false, &err), TACIT_INVALID);
    assert_non_null(strstr(err.message, "two dimensions"));
    tacit_cells_free(cells);
    spec = spec_of("r c");
    spec->files[0][0] = file_of("r.hrc", "T\n@A\n@@x\n@@y\n@z\n");
    spec->dimensions[0].hierarchy_count = 1;
    spec->spec.value = "v";
    cells = cells_of("r,c,v\nx,a,1\ny,a,2\nz,b,1\n", &spec->spec, tacit_cells_from_table);
    err = (tacit_error){0};
    assert_int_equal(tacit_flat_from_cells(&table, cells, NULL, false, &err), TACIT_INVALID);
    assert_non_null(strstr(err.message, "hierarchy"));
    assert_null(table);
    tacit_cells_free(cells);
}

/* ---- stopping ---- */

typedef struct patience {
    int left;
} patience;

static bool lose_patience(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase, (void)done, (void)total;
    patience *p = payload;
    return p->left-- > 0;
}

static flat mixed_table(void)
{
    flat f = flat_of(7, 7);
    random_start(5);
    for (int i = 0; i < flat_cells(&f); i++) {
        if (random_below(3) == 0)
            *(random_below(2) ? &f.lower[i] : &f.upper[i]) = f.value[i];
        f.status[i] = random_below(4) ? 's' : 'u';
        f.secret[i] = f.status[i] == 'u';
    }
    return f;
}

/* Stopped before there is an answer: cancelled. Later: the best so far, with its bound. */
static void test_stopping(void **state)
{
    (void)state;
    flat f = mixed_table();
    tacit_flat_view view = flat_view(&f);
    tacit_total_plan best = {0};
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(tacit_total_protect(&best, &view, NULL, &run, NULL), TACIT_OK);
    assert_true(best.optimal && best.way == TACIT_TOTAL_SEARCH);
    int stopped = 0, cancelled = 0;
    for (int calls = 0;; calls++) {
        patience p = {calls};
        tacit_total_plan plan = {.count = -7};
        tacit_error err = {0};
        run.progress = lose_patience;
        run.payload = &p;
        tacit_status status = tacit_total_protect(&plan, &view, NULL, &run, &err);
        if (status == TACIT_CANCELLED) {
            assert_true(plan.count == -7 && stopped == 0);
            cancelled++;
            continue;
        }
        assert_int_equal(status, TACIT_OK);
        assert_int_equal(err.status, TACIT_OK);
        assert_true(plan.cost >= best.cost && plan.lower_bound <= best.cost);
        stopped += plan.stopped;
        bool done = !plan.stopped;
        tacit_total_plan_clear(&plan);
        if (done)
            break;
    }
    assert_true(stopped > 3 && cancelled > 1);
    tacit_total_plan_clear(&best);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_lists),    cmocka_unit_test(test_empty),
        cmocka_unit_test(test_all_suppressed), cmocka_unit_test(test_long_path),
        cmocka_unit_test(test_rest),           cmocka_unit_test(test_from_cells),
        cmocka_unit_test(test_not_flat),       cmocka_unit_test(test_stopping),
    };
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
