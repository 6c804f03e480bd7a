/*
 * test_audit_written_memory.c - every allocation of the second check failed in turn.
 */
#include "written.h"

#include "starve.h"

typedef struct work {
    const tacit_cells *cells;
    const tacit_table *table;
} work;

static tacit_status settle(tacit_status status, tacit_cells_written *found)
{
    if (status != TACIT_OK)
        assert_ptr_equal(found, STARVE_UNTOUCHED);
    else {
        assert_true(found->holds);
        tacit_cells_written_free(found);
    }
    return status;
}

static tacit_status check_csv(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_cells_written *found = STARVE_UNTOUCHED;
    tacit_status status =
        tacit_audit_cells_written(&found, w->cells, NULL, w->table, &RELEASE, NULL, err);
    return settle(status, found);
}

static tacit_status check_jj(void *context, tacit_error *err)
{
    const work *w = context;
    tacit_cells_written *found = STARVE_UNTOUCHED;
    tacit_status status = tacit_audit_cells_same(&found, w->cells, NULL, w->cells, err);
    return settle(status, found);
}

static void test_check(void **state)
{
    (void)state;
    tacit_cells *const LIST[] = {folded_table(), linked_table(), indexed_table()};
    for (size_t i = 0; i < sizeof LIST / sizeof *LIST; i++) {
        char *text = release_of(LIST[i], NULL);
        tacit_table *table = csv_of(text);
        work w = {.cells = LIST[i], .table = table};
        starve(check_csv, &w);
        starve(check_jj, &w);
        tacit_table_free(table);
        free(text);
        tacit_cells_free(LIST[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(test_check, tables_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
