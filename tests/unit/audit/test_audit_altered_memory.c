/*
 * test_audit_altered_memory.c - every allocation of the judge of altered tables failed in turn.
 * Those inside CLP are not reached.
 */
#include "tables.h"

#include <tacit/experimental/audit_altered.h>

#include "starve.h"

typedef struct attempt_at {
    const tacit_cells *cells;
    const double *published;
    tacit_altered_known known;
} attempt_at;

static tacit_status attempt(void *context, tacit_error *err)
{
    const attempt_at *at = context;
    tacit_altered_audit *audit = STARVE_UNTOUCHED;
    tacit_status status =
        tacit_audit_altered(&audit, at->cells, at->published, &at->known, NULL, err);
    if (status != TACIT_OK) {
        assert_ptr_equal(audit, STARVE_UNTOUCHED);
    } else {
        assert_int_equal(audit->broken, 0);
        assert_true(audit->programs > 0);
        tacit_altered_audit_free(audit);
    }
    return status;
}

static void test_altered(void **state)
{
    (void)state;
    tacit_cells *cells = cells_of("r,c,freq,status,lpl,upl\na,x,3,u,2,2\na,y,7,u,1,1\n"
                                  "b,x,8,s,0,0\nb,y,12,s,0,0\n",
                                  &spec_of("r c")->spec, tacit_cells_from_table);
    double published[9];
    for (int32_t i = 0; i < cells->count; i++)
        published[i] = cells->value[i];
    published[cell_named(cells, "a|x")] = 5;
    published[cell_named(cells, "a|y")] = 6;
    attempt_at at = {cells, published, {.reach = 3}};
    starve(attempt, &at);
    at.known.beyond = true;
    starve(attempt, &at);
    tacit_cells_free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_altered)};
    return cmocka_run_group_tests(tests, NULL, tables_end);
}
