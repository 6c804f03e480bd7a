/*
 * written.h - releases of tables for the tests of the second check: written, tampered with as
 * text, read back and checked.
 */
#ifndef TACIT_TESTS_SUPPORT_WRITTEN_H
#define TACIT_TESTS_SUPPORT_WRITTEN_H

#include "tables.h"

#include <tacit/experimental/audit_cells.h>

static const tacit_cells_csv_options RELEASE = {.release = true};

typedef struct to_write {
    const tacit_cells *cells;
    const char *status;
} to_write;

static inline tacit_status write_pattern(int fd, const void *context, tacit_error *err)
{
    const to_write *w = context;
    return tacit_cells_write_csv(fd, "out.csv", w->cells, w->status, &RELEASE, err);
}

static inline tacit_status write_pattern_jj(int fd, const void *context, tacit_error *err)
{
    const to_write *w = context;
    return tacit_cells_write_jj(fd, "out.jj", w->cells, w->status, err);
}

/* The release as text, to be freed. */
static inline char *release_of(const tacit_cells *cells, const char *status)
{
    return written(write_pattern, &(to_write){cells, status});
}

/* What the check says of a text. */
static inline tacit_cells_written *checked(const tacit_cells *cells, const char *status,
                                           const char *text)
{
    tacit_table *table = csv_of(text);
    tacit_cells_written *found = NULL;
    tacit_error err = {0};
    if (tacit_audit_cells_written(&found, cells, status, table, &RELEASE, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    tacit_table_free(table);
    return found;
}

/* The text with the first occurrence of something replaced, to be freed. */
static inline char *with_instead(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    assert_non_null(at);
    char *out = malloc(strlen(text) + strlen(new) + 1);
    sprintf(out, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return out;
}

/* A table in which codes have several names: c is c1, and Z of e is z. */
static inline tacit_cells *folded_table(void)
{
    char dimensions[512];
    const char *d = file_of("d.hrc", "T\n@A\n@@a\n@@b\n@c\n@@c1\n");
    const char *e = file_of("e.hrc", "E\n@x\n@Z\n@@z\n");
    snprintf(dimensions, sizeof dimensions, "d=%s e=%s", d, e);
    tacit_cells_spec *spec = &spec_of(dimensions)->spec;
    spec->value = "v";
    return cells_of("d,e,v,status\na,x,1.5,u\na,z,20,\nb,x,3,z\nb,z,40,\nc,x,5,\nc1,z,60.25,\n",
                    spec, tacit_cells_from_table);
}

/* Two tables that share what they say of regions. */
static inline tacit_cells *linked_table(void)
{
    tacit_cells *parts[] = {cells_of("region,sex,freq\nn,f,1\nn,m,2\ns,f,3\ns,m,4\n",
                                     &spec_of("region sex")->spec, tacit_cells_from_table),
                            cells_of("age,region,freq\nold,n,2\nold,s,5\nnew,n,1\nnew,s,2\n",
                                     &spec_of("age region")->spec, tacit_cells_from_table)};
    tacit_cells *cells = NULL;
    parts[0]->status[cell_named(parts[0], "n|f")] = 'u';
    assert_int_equal(tacit_cells_link(&cells, (const tacit_cells *const *)parts, 2, 0, NULL),
                     TACIT_OK);
    tacit_cells_free(parts[0]);
    tacit_cells_free(parts[1]);
    return cells;
}

/* Cells without dimensions. */
static inline tacit_cells *indexed_table(void)
{
    return jj_of("0\n4\n0 6 1 s 0 9 0 0 0\n1 1 1 u 0 9 1 1 0\n2 2.5 1 s 0 9 0 0 0\n"
                 "3 2.5 1 z 0 9 0 0 0\n1\n0 4 : 0 (-1) 1 (1) 2 (1) 3 (1)\n");
}

#endif
