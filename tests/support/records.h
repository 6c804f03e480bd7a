/*
 * records.h - tables and frames for the tests of the records room.
 */
#ifndef TACIT_TESTS_SUPPORT_RECORDS_H
#define TACIT_TESTS_SUPPORT_RECORDS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/experimental/records.h>
#include <unistd.h>

/* A table with hierarchies for some of its columns, and the frame of these. */
typedef struct fixture {
    char *text;
    tacit_table *table;
    tacit_hierarchy *hierarchies[TACIT_MAX_ATTRIBUTES];
    tacit_attribute attributes[TACIT_MAX_ATTRIBUTES];
    tacit_frame frame;
    bool no_suppression; /* of the hierarchies that are added from now on */
} fixture;

static inline void fixture_open(fixture *f, const char *text)
{
    tacit_error err = {0};
    tacit_csv_options options;
    tacit_run run;
    *f = (fixture){0};
    tacit_run_init(&run);
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    f->text = strdup(text);
    tacit_status status =
        tacit_table_read_memory(&f->table, tacit_strview_of(f->text), "test", &options, &run, &err);
    if (status != TACIT_OK)
        fail_msg("%s", err.message);
    f->frame = (tacit_frame){.table = f->table, .attributes = f->attributes, .person = -1};
}

static inline void fixture_add(fixture *f, const char *column, const tacit_hierarchy_spec *spec)
{
    tacit_error err = {0};
    int32_t at = f->frame.attribute_count++,
            index = tacit_table_find(f->table, tacit_strview_of(column));
    assert_true(index >= 0);
    if (tacit_hierarchy_new(&f->hierarchies[at], spec, f->table, index, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    f->attributes[at] =
        (tacit_attribute){.column = index, .hierarchy = f->hierarchies[at], .link = 1};
}

/* A column that can be masked from the right, or only suppressed. */
static inline void fixture_mask(fixture *f, const char *column)
{
    fixture_add(f, column, &(tacit_hierarchy_spec){.kind = TACIT_HIERARCHY_MASK});
}

static inline void fixture_none(fixture *f, const char *column)
{
    fixture_add(f, column, &(tacit_hierarchy_spec){.kind = TACIT_HIERARCHY_NONE});
}

/* A column with a hierarchy file of the given text. */
static inline void fixture_file(fixture *f, const char *column, const char *text)
{
    char path[] = "/tmp/tacit-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    fixture_add(f, column,
                &(tacit_hierarchy_spec){.kind = TACIT_HIERARCHY_FILE,
                                        .path = path,
                                        .no_suppression = f->no_suppression});
    unlink(path);
}

static inline void fixture_close(fixture *f)
{
    for (int32_t i = 0; i < f->frame.attribute_count; i++)
        tacit_hierarchy_free(f->hierarchies[i]);
    tacit_table_free(f->table);
    free(f->text);
}

/* Attribute's number of a row on a level, straight from the definition. */
static inline uint32_t value_on(const fixture *f, int64_t row, int32_t attribute, int level)
{
    tacit_codes_view codes = tacit_table_codes(f->table, f->attributes[attribute].column);
    return tacit_hierarchy_map(f->hierarchies[attribute], level)[tacit_codes_at(codes, row)];
}

/* columns has a bit for each of the first 64 attributes; those behind them all count. */
static inline bool same_on(const fixture *f, int64_t a, int64_t b, uint64_t columns,
                           const int *levels)
{
    for (int32_t i = 0; i < f->frame.attribute_count; i++)
        if ((i >= 64 || columns >> i & 1) &&
            value_on(f, a, i, levels[i]) != value_on(f, b, i, levels[i]))
            return false;
    return true;
}

static inline uint32_t person_of(const fixture *f, int64_t row)
{
    return f->frame.person < 0 ? (uint32_t)row
                               : tacit_codes_at(tacit_table_codes(f->table, f->frame.person), row);
}

/* Small reproducible numbers; not for anything that matters. */
static inline uint32_t next_number(uint64_t *state, uint32_t bound)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % bound);
}

#endif
