/*
 * sparse.h - sparse tables for the tests: read, written and checked.
 *
 * Include tables.h first.
 */
#ifndef TACIT_TESTS_SUPPORT_SPARSE_H
#define TACIT_TESTS_SUPPORT_SPARSE_H

#include <tacit/experimental/audit_total.h>
#include <tacit/experimental/total.h>

static const tacit_flat_spec SPARSE = {.row = "r", .column = "c", .value = "v"};

static inline tacit_flat_table *sparse_list(const tacit_table *table, const tacit_flat_spec *spec)
{
    tacit_flat_table *flat = NULL;
    tacit_error err = {0};
    if (tacit_flat_from_table(&flat, table, spec, NULL, &err) != TACIT_OK)
        fail_msg("line %d: %s", (int)err.line, err.message);
    return flat;
}

typedef struct sparse_release {
    const tacit_table *table;
    const tacit_flat_table *flat;
    const tacit_total_plan *plan;
    const tacit_flat_spec *spec;
    char delimiter;
} sparse_release;

static inline tacit_status sparse_write(int fd, const void *context, tacit_error *err)
{
    const sparse_release *r = context;
    return tacit_flat_write(fd, "out.csv", r->table, r->flat, r->plan, r->spec, r->delimiter, err);
}

/* The release as text, to be freed. */
static inline char *sparse_text(const tacit_table *table, const tacit_flat_table *flat,
                                const tacit_total_plan *plan, const tacit_flat_spec *spec,
                                char delimiter)
{
    return written(sparse_write, &(sparse_release){table, flat, plan, spec, delimiter});
}

/* What the check says of a text. */
static inline tacit_cells_written *sparse_checked(const tacit_table *table,
                                                  const tacit_total_plan *plan,
                                                  const tacit_flat_spec *spec, const char *text)
{
    tacit_table *read = csv_of(text);
    tacit_cells_written *found = NULL;
    tacit_error err = {0};
    if (tacit_audit_flat_written(&found, table, plan, spec, read, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    tacit_table_free(read);
    return found;
}

#endif
