/*
 * test_total_memory.c - every allocation of total protection, of its audit and of its levels,
 * failed in turn.
 */
#include "tables.h"

#include "flat.h"
#include "starve.h"

/* kind 0: Problem 5; 1: a tree; 2: a search. Listed against the order of rows. */
static flat some_flat(int kind)
{
    flat f = flat_of(4, 5);
    random_start(11);
    for (int i = 0; i < flat_cells(&f); i++) {
        int at = flat_cells(&f) - 1 - i;
        bool hidden = kind == 1 ? i % 6 == 0 || i < 5 : random_below(100) < 30;
        f.row[at] = i / f.columns;
        f.column[at] = i % f.columns;
        f.status[at] = hidden ? (i % 5 == 2 ? 'x' : 'u') : 's';
        f.secret[at] = f.status[at] == 'u' && (kind != 1 || (i != 3 && i != 4));
        f.cost[at] = kind == 1 ? 1 + i % 3 : 1;
        f.lower[at] = kind == 2 && random_below(4) == 0 ? f.value[at] : 0;
    }
    return f;
}

static tacit_status audit(void *context, tacit_error *err)
{
    tacit_flat_view view = flat_view(context);
    tacit_total_audit_options options = {.sums = 4};
    tacit_total_audit *found = STARVE_UNTOUCHED;
    tacit_run run = starve_run(1);
    tacit_status status = tacit_audit_total(&found, &view, &options, &run, err);
    if (status == TACIT_OK)
        tacit_total_audit_free(found);
    else
        assert_ptr_equal(found, STARVE_UNTOUCHED);
    return status;
}

static tacit_status look_at_levels(void *context, tacit_error *err)
{
    tacit_flat_view view = flat_view(context);
    tacit_total_levels found = {.k = -7};
    tacit_run run = starve_run(1);
    tacit_status status = tacit_audit_levels(&found, &view, 2, &run, err);
    if (status == TACIT_OK)
        tacit_total_levels_clear(&found);
    else
        assert_int_equal(found.k, -7);
    return status;
}

static tacit_status protect_view(void *context, tacit_error *err)
{
    const tacit_flat_view *view = context;
    tacit_total_plan plan = {.count = -7};
    tacit_run run = starve_run(1);
    tacit_status status = tacit_total_protect(&plan, view, NULL, &run, err);
    if (status == TACIT_OK)
        tacit_total_plan_clear(&plan);
    else
        assert_int_equal(plan.count, -7);
    return status;
}

static tacit_status protect(void *context, tacit_error *err)
{
    tacit_flat_view view = flat_view(context);
    return protect_view(&view, err);
}

static tacit_status flatten(void *context, tacit_error *err)
{
    tacit_flat_table *table = STARVE_UNTOUCHED;
    tacit_status status = tacit_flat_from_cells(&table, context, NULL, true, err);
    if (status == TACIT_OK)
        tacit_flat_table_free(table);
    else
        assert_ptr_equal(table, STARVE_UNTOUCHED);
    return status;
}

static void test_audit(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        flat f = some_flat(kind);
        starve(audit, &f);
    }
}

static void test_levels(void **state)
{
    (void)state;
    flat f = flat_of(3, 4);
    for (int i = 0; i < flat_cells(&f); i++)
        f.secret[i] = (f.status[i] = i == 5 ? 's' : 'u') == 'u';
    starve(look_at_levels, &f);
}

static void test_protect(void **state)
{
    (void)state;
    static const tacit_total_way ways[] = {TACIT_TOTAL_COUNT, TACIT_TOTAL_TREE, TACIT_TOTAL_SEARCH};
    for (int kind = 0; kind < 3; kind++) {
        flat f = some_flat(kind);
        tacit_flat_view view = flat_view(&f);
        tacit_total_plan plan = {0};
        assert_int_equal(tacit_total_protect(&plan, &view, NULL, NULL, NULL), TACIT_OK);
        assert_int_equal(plan.way, ways[kind]);
        tacit_total_plan_clear(&plan);
        starve(protect, &f);
    }
}

/* Too large for a search: the easy answer will not do, a careful one does. */
static void test_large(void **state)
{
    (void)state;
    flat f = some_flat(0);
    tacit_total_plan plan = {0};
    f.rows = f.columns = 2000;
    for (int i = 0; i < 20; i++) {
        f.status[i] = i < 3 ? "uxx"[i] : 's';
        f.secret[i] = i == 0;
        f.row[i] = i < 3 ? i == 2 : 2 + i;
        f.column[i] = i < 3 ? i == 1 : 2 + i;
        f.lower[i] = i == 1 ? f.value[i] : 0;
        f.upper[i] = i == 2 ? f.value[i] : 2;
    }
    tacit_flat_view view = flat_view(&f);
    view.count = 20;
    assert_int_equal(tacit_total_protect(&plan, &view, NULL, NULL, NULL), TACIT_OK);
    assert_true(plan.way == TACIT_TOTAL_SEARCH && plan.count == 5 && !plan.optimal);
    tacit_total_plan_clear(&plan);
    starve(protect_view, &view);
}

static void test_flatten(void **state)
{
    (void)state;
    table_spec *spec = spec_of("r c");
    spec->spec.value = "v";
    tacit_cells *cells = cells_of("r,c,v,status\nx,a,1,u\nx,b,2,s\ny,a,3,s\ny,b,4,u\n", &spec->spec,
                                  tacit_cells_from_table);
    starve(flatten, cells);
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_audit),   cmocka_unit_test(test_levels),
        cmocka_unit_test(test_protect), cmocka_unit_test(test_large),
        cmocka_unit_test(test_flatten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
