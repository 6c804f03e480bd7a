/*
 * test_adjust_memory.c - every allocation of controlled adjustment failed in turn. Those inside CLP
 * are not reached.
 */
#include "tables.h"

#include <tacit/experimental/alter.h>

#include "starve.h"

typedef struct attempt_at {
    const tacit_cells *cells;
    tacit_alter_options options;
} attempt_at;

static tacit_status attempt(void *context, tacit_error *err)
{
    const attempt_at *at = context;
    tacit_altered altered = {.value = STARVE_UNTOUCHED};
    tacit_status status = tacit_alter(&altered, at->cells, tacit_alter_method_find("adjust"),
                                      &at->options, NULL, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(altered.value, STARVE_UNTOUCHED);
    } else {
        assert_true(altered.proven);
        tacit_altered_clear(&altered);
    }
    return status;
}

static void test_adjust(void **state)
{
    (void)state;
    tacit_cells *cells = cells_of("r,c,freq,status,lpl,upl\na,x,9,u,2,2\na,y,7,u,3,1\n"
                                  "b,x,8,s,0,0\nb,y,12,u,1,1\n",
                                  &spec_of("r c")->spec, tacit_cells_from_table);
    attempt_at at = {.cells = cells};
    tacit_alter_options_init(&at.options);
    starve(attempt, &at);
    at.options.distance = TACIT_DISTANCE_TWO;
    starve(attempt, &at);
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_adjust)};
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
