/*
 * test_engine_table_memory.c - every allocation of the counts by level failed in turn.
 */
#include "tables.h"

#include "engine/tables/tables.h"
#include "starve.h"

static tacit_status count_levels(void *context, tacit_error *err)
{
    engine_table_levels levels;
    tacit_status status = engine_table_levels_init(&levels, context, NULL, err);
    assert_int_equal(levels.list != NULL, status == TACIT_OK);
    engine_table_levels_clear(&levels);
    return status;
}

static void test_levels(void **state)
{
    (void)state;
    tacit_cells *cells =
        cells_of("a,b,freq\np,q,1\nr,s,2\n", &spec_of("a b")->spec, tacit_cells_from_table);
    starve(count_levels, cells);
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
