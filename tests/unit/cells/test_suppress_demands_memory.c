/*
 * test_suppress_demands_memory.c - every allocation failed in turn while primary cells are hidden
 * from contributors and sums are hidden too.
 */
#include "tables.h"

#include "starve.h"
#include "suppress.h"

#include "knowers.h"

typedef struct work {
    const tacit_cells *cells;
    const char *method;
} work;

static tacit_status solve(void *context, tacit_error *err)
{
    const work *w = context;
    const tacit_suppress_options options = {.singletons = true, .sums = true};
    tacit_pattern pattern = {.secondary = -7};
    tacit_status status = suppressed_from_insiders(&pattern, w->cells, w->method, &options, err);
    if (status == TACIT_OK) {
        assert_true(pattern.secondary > 0);
        tacit_pattern_clear(&pattern);
    } else {
        assert_int_equal(pattern.secondary, -7);
    }
    return status;
}

/* Every demand of the example fails at first: one of a contributor, and a sum. */
static void test_methods(void **state)
{
    (void)state;
    tacit_cells_spec *spec = &spec_of("r")->spec;
    spec->value = "v";
    tacit_cells *cells = cells_of("r,v,freq,status,lpl,upl,max1,max2\na,5,1,u,1,1,5,0\n"
                                  "b,6,1,u,1,1,6,0\nc,9,4,s,0,0,4,2\nd,30,5,s,0,0,9,8\n",
                                  spec, tacit_cells_from_table);
    starve(solve, &(work){cells, "hitas"});
    starve(solve, &(work){cells, "optimal"});
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_methods)};
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
