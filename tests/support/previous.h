/*
 * previous.h - earlier releases for the tests of those that withstand them.
 */
#ifndef TACIT_TESTS_SUPPORT_PREVIOUS_H
#define TACIT_TESTS_SUPPORT_PREVIOUS_H

#include "records.h"

#include <tacit/experimental/previous.h>

/* An earlier release, and its columns for a fixture's attributes by name. */
typedef struct earlier {
    char *text;
    tacit_table *table;
    int32_t columns[TACIT_MAX_ATTRIBUTES];
    tacit_previous_shown shown;
} earlier;

static inline void earlier_open(earlier *e, const fixture *f, const char *text)
{
    tacit_error err = {0};
    tacit_csv_options options;
    tacit_run run;
    *e = (earlier){.text = strdup(text)};
    tacit_run_init(&run);
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    assert_int_equal(tacit_table_read_memory(&e->table, tacit_strview_of(e->text), "old.csv",
                                             &options, &run, &err),
                     TACIT_OK);
    for (int32_t a = 0; a < f->frame.attribute_count; a++)
        e->columns[a] =
            tacit_table_find(e->table, tacit_table_name(f->table, f->attributes[a].column));
    e->shown = (tacit_previous_shown){.table = e->table, .columns = e->columns};
}

static inline void earlier_close(earlier *e)
{
    tacit_table_free(e->table);
    free(e->text);
}

#endif
