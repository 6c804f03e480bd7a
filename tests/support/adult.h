/*
 * adult.h - the adult data with its nine hierarchies, where it is at hand.
 */
#ifndef TACIT_TESTS_SUPPORT_ADULT_H
#define TACIT_TESTS_SUPPORT_ADULT_H

#include "records.h"

#define ADULT_DATA TACIT_SOURCE_DIR "/../shared/data/adult/"

/* Opens it with every column an attribute, in the file's order; says so and skips
 * where it is absent. */
static inline void adult_open(fixture *f)
{
    tacit_csv_options options;
    tacit_error err = {0};
    if (access(ADULT_DATA "adult.csv", R_OK) != 0) {
        print_message("%s is not at hand\n", ADULT_DATA "adult.csv");
        skip();
    }
    tacit_csv_options_init(&options);
    *f = (fixture){0};
    if (tacit_table_read(&f->table, ADULT_DATA "adult.csv", &options, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    f->frame = (tacit_frame){.table = f->table, .attributes = f->attributes, .person = -1};
    for (int32_t c = 0; c < tacit_table_columns(f->table); c++) {
        char path[512], column[64];
        tacit_strview name = tacit_table_name(f->table, c);
        snprintf(column, sizeof column, "%.*s", (int)name.len, name.bytes);
        snprintf(path, sizeof path, ADULT_DATA "adult_hierarchy_%s.csv", column);
        fixture_add(f, column, &(tacit_hierarchy_spec){.kind = TACIT_HIERARCHY_FILE, .path = path});
    }
}

#endif
