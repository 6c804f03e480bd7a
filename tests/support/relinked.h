/*
 * relinked.h - a release and its original from text, re-linked.
 */
#ifndef TACIT_TESTS_SUPPORT_RELINKED_H
#define TACIT_TESTS_SUPPORT_RELINKED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <tacit/experimental.h>

typedef struct relinked {
    tacit_table *original, *release;
    tacit_relink_case c;
    tacit_relink_options options;
    tacit_relink *found;
} relinked;

static inline tacit_table *relinked_table(const char *csv, const char *name)
{
    tacit_csv_options options;
    tacit_error err = {0};
    tacit_table *table = NULL;
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    if (tacit_table_read_memory(&table, tacit_strview_of(csv), name, &options, NULL, &err) !=
        TACIT_OK)
        fail_msg("%s", err.message);
    return table;
}

/* Texts and columns must outlive the struct. */
static inline void relinked_open(relinked *r, const char *original, const char *release,
                                 const char *const *columns, size_t count)
{
    *r = (relinked){.original = relinked_table(original, "original.csv"),
                    .release = relinked_table(release, "release.csv")};
    r->c = (tacit_relink_case){
        .original = r->original, .release = r->release, .columns = columns, .column_count = count};
    tacit_relink_options_init(&r->options);
}

/* Measures, again if need be. */
static inline const tacit_relink *relinked_run(relinked *r, const tacit_run *run)
{
    tacit_error err = {0};
    tacit_relink_free(r->found);
    r->found = NULL;
    if (tacit_relink_measure(&r->found, &r->c, &r->options, run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return r->found;
}

static inline void relinked_close(relinked *r)
{
    tacit_relink_free(r->found);
    tacit_table_free(r->original);
    tacit_table_free(r->release);
}

#endif
