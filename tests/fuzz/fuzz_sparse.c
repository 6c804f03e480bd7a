/*
 * fuzz_sparse.c - any bytes as a file of cells. The first byte says whether there is a column of
 * values, whether they may be negative, and what cells are that the file leaves out. A list that is
 * accepted is accepted by the audit too, and its release passes the second check; whatever is
 * refused says why.
 */
#include "../support/fuzz_require.h"

#include <sys/mman.h>
#include <tacit/experimental/audit_total.h>
#include <tacit/experimental/total.h>
#include <unistd.h>

static void check_release(const tacit_table *table, const tacit_flat_table *flat,
                          const tacit_flat_spec *spec, const tacit_run *run)
{
    int32_t row = 0, column = flat->view.columns - 1;
    tacit_total_plan plan = {.count = 1, .row = &row, .column = &column};
    tacit_csv_options options;
    tacit_table *again = NULL;
    tacit_cells_written *found = NULL;
    tacit_error err = {0};
    tacit_csv_options_init(&options);
    options.delimiter = ';';
    int fd = memfd_create("release", 0);
    tacit_status status = tacit_flat_write(fd, "f.csv", table, flat, &plan, spec, 0, &err);
    require(status == TACIT_OK || status == TACIT_INVALID, "could not be written");
    require_reason(status, &err);
    if (status == TACIT_OK) {
        require(tacit_table_read_fd(&again, fd, "f.csv", &options, run, &err) == TACIT_OK,
                "cannot be read back");
        require(tacit_audit_flat_written(&found, table, &plan, spec, again, run, &err) == TACIT_OK,
                "cannot be checked");
        require(found->holds, "a release that does not hold");
    }
    tacit_cells_written_free(found);
    tacit_table_free(again);
    close(fd);
}

static void check_list(const tacit_flat_view *view, const tacit_run *run)
{
    tacit_total_audit_options options = {.sums = 3};
    tacit_total_audit *audit = NULL;
    tacit_error err = {0};
    for (int32_t i = 0; i < view->count; i++)
        require(view->row[i] >= 0 && view->row[i] < view->rows && view->column[i] >= 0 &&
                    view->column[i] < view->columns,
                "outside the table");
    require(tacit_audit_total(&audit, view, &options, run, &err) == TACIT_OK,
            "a list that the audit refuses");
    tacit_total_audit_free(audit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tacit_csv_options options;
    tacit_table *table = NULL;
    tacit_flat_table *flat = NULL;
    tacit_error err = {0};
    tacit_run run;
    if (size < 1)
        return 0;
    tacit_flat_spec spec = {.row = "r",
                            .column = "c",
                            .value = data[0] & 1 ? "v" : NULL,
                            .negative = data[0] & 2,
                            .rest = (data[0] >> 2) % 3};
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    run.threads = 1;
    if (tacit_table_read_memory(&table, (tacit_strview){(const char *)data + 1, size - 1}, "f.csv",
                                &options, &run, NULL) != TACIT_OK)
        return 0;
    require_reason(tacit_flat_from_table(&flat, table, &spec, &run, &err), &err);
    if (flat) {
        check_list(&flat->view, &run);
        if (flat->view.count)
            check_release(table, flat, &spec, &run);
    }
    tacit_flat_table_free(flat);
    tacit_table_free(table);
    return 0;
}
