/*
 * test_partial_memory.c - every allocation of partial suppression, of its judge and of what anybody
 * can tell, failed in turn.
 */
#include "tables.h"

#include <tacit/experimental/audit_cells.h>

#include "random_cases.h"
#include "starve.h"
#include "suppress.h"

static tacit_status solve(void *context, tacit_error *err)
{
    tacit_pattern pattern = {.secondary = -7};
    const tacit_suppress_options options = {.wider = 50};
    const tacit_run run = starve_run(1);
    tacit_status status = tacit_suppress(&pattern, context, tacit_suppress_method_find("partial"),
                                         &options, tacit_audit_cells_judge, NULL, &run, err);
    if (status == TACIT_OK)
        tacit_pattern_clear(&pattern);
    else
        assert_int_equal(pattern.secondary, -7);
    return status;
}

static tacit_status tell(void *context, tacit_error *err)
{
    tacit_intervals intervals = {0};
    const tacit_run run = starve_run(1);
    tacit_status status = tacit_audit_public(&intervals, context, NULL, &run, err);
    assert_true(status == TACIT_OK || !intervals.low);
    tacit_intervals_clear(&intervals);
    return status;
}

static void test_memory(void **state)
{
    (void)state;
    random_start(5);
    const table_shape shape = {2, false, 9, 25, 0};
    tacit_cells *cells = random_cells(&shape);
    starve(solve, cells);
    starve(tell, cells);
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
