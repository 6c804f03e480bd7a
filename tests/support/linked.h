/*
 * linked.h - a release and registers from text, linked.
 */
#ifndef TACIT_TESTS_SUPPORT_LINKED_H
#define TACIT_TESTS_SUPPORT_LINKED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <tacit/experimental.h>

enum { LINKED_TABLES = 4, LINKED_COLUMNS = 8 };

typedef struct linked {
    tacit_table *release;
    tacit_table *registers[LINKED_TABLES];
    int32_t register_count;
    tacit_promise_attribute columns[LINKED_COLUMNS];
    int32_t column_count;
    int64_t most_rows;
    tacit_linkage *linkage;
    tacit_link_case c;
    tacit_link *link;
} linked;

static const tacit_hierarchy_spec LINKED_PLAIN = {.kind = TACIT_HIERARCHY_NONE};
static const tacit_hierarchy_spec LINKED_MASK = {.kind = TACIT_HIERARCHY_MASK};

static inline tacit_table *linked_table(const char *csv, const char *name)
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

/* Text must outlive the struct. */
static inline void linked_open(linked *l, const char *release, const char *people)
{
    *l = (linked){.release = linked_table(release, "release.csv"), .register_count = 1};
    l->registers[0] = linked_table(people, "people.csv");
}

static inline void linked_join(linked *l, const char *further)
{
    l->registers[l->register_count++] = linked_table(further, "further.csv");
}

static inline void linked_by(linked *l, const char *column, const tacit_hierarchy_spec *hierarchy)
{
    l->columns[l->column_count++] = (tacit_promise_attribute){column, hierarchy};
}

static inline tacit_linkage_files linked_files(const linked *l)
{
    return (tacit_linkage_files){l->release,        (const tacit_table *const *)l->registers,
                                 l->register_count, l->columns,
                                 l->column_count,   l->most_rows};
}

static inline tacit_status linked_try(linked *l, const tacit_run *run, tacit_error *err)
{
    tacit_linkage_files files = linked_files(l);
    tacit_status status = tacit_linkage_new(&l->linkage, &files, run, err);
    if (status == TACIT_OK)
        l->c = tacit_linkage_case(l->linkage);
    return status;
}

/* Links, with a truth or NULL. */
static inline void linked_run(linked *l, const uint32_t *truth, int64_t k)
{
    tacit_error err = {0};
    if (linked_try(l, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    l->c.truth = truth;
    l->c.k = k;
    l->c.names = true;
    if (tacit_link_new(&l->link, &l->c, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
}

static inline void linked_close(linked *l)
{
    tacit_link_free(l->link);
    tacit_linkage_free(l->linkage);
    tacit_table_free(l->release);
    for (int32_t t = 0; t < l->register_count; t++)
        tacit_table_free(l->registers[t]);
}

/* How many people a record maps to, from 0. */
static inline int64_t linked_people(const linked *l, int64_t record)
{
    return l->link->maps_to[l->link->class_of[record]];
}

#endif
