/*
 * test_sparse_memory.c - every allocation of reading, writing and checking sparse tables, failed
 * in turn.
 */
#include "tables.h"

#include <fcntl.h>

#include "sparse.h"
#include "starve.h"

static const char SOURCE[] = "r,c,v,status,lower,upper,weight\nx,a,5,u,1,9,2\ny,a,2,s,,,1\n"
                             "x,b,,x,,,1\nz,b,4,z,,,1\n";

static tacit_status list(void *context, tacit_error *err)
{
    tacit_flat_table *flat = STARVE_UNTOUCHED;
    tacit_run run = starve_run(1);
    tacit_status status = tacit_flat_from_table(&flat, context, &SPARSE, &run, err);
    if (status == TACIT_OK)
        tacit_flat_table_free(flat);
    else
        assert_ptr_equal(flat, STARVE_UNTOUCHED);
    return status;
}

typedef struct release {
    int fd;
    tacit_table *table, *written;
    tacit_flat_table *flat;
    const tacit_total_plan *plan;
} release;

static tacit_status write_it(void *context, tacit_error *err)
{
    const release *r = context;
    return tacit_flat_write(r->fd, "out.csv", r->table, r->flat, r->plan, &SPARSE, 0, err);
}

static tacit_status check_it(void *context, tacit_error *err)
{
    const release *r = context;
    tacit_cells_written *found = STARVE_UNTOUCHED;
    tacit_run run = starve_run(1);
    tacit_status status =
        tacit_audit_flat_written(&found, r->table, r->plan, &SPARSE, r->written, &run, err);
    if (status == TACIT_OK)
        tacit_cells_written_free(found);
    else
        assert_ptr_equal(found, STARVE_UNTOUCHED);
    return status;
}

/* By row, which needs no sort, and not. */
static void test_list(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {SOURCE, "r,c,v\nx,a,1\nx,b,2\ny,b,2\n", "r,c,v\n"};
    for (int i = 0; i < 3; i++) {
        tacit_table *table = csv_of(TEXTS[i]);
        starve(list, table);
        tacit_table_free(table);
    }
}

static void test_release(void **state)
{
    (void)state;
    int32_t row[] = {1, 2}, column[] = {0, 0};
    tacit_total_plan plan = {.count = 2, .row = row, .column = column};
    release r = {.fd = open("/dev/null", O_WRONLY), .table = csv_of(SOURCE), .plan = &plan};
    r.flat = sparse_list(r.table, &SPARSE);
    char *text = sparse_text(r.table, r.flat, &plan, &SPARSE, 0);
    r.written = csv_of(text);
    starve(write_it, &r);
    starve(check_it, &r);
    tacit_table_free(r.written);
    free(text);
    tacit_flat_table_free(r.flat);
    tacit_table_free(r.table);
    close(r.fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
