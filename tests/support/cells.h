/*
 * cells.h - releases of cell-level methods, looked at row by row.
 */
#ifndef TACIT_TESTS_SUPPORT_CELLS_H
#define TACIT_TESTS_SUPPORT_CELLS_H

#include "figures.h"

/* A method that must succeed, rows in their order. */
static inline void solve_cells(outcome *o, const fixture *f, const char *method,
                               const tacit_records_options *options)
{
    tacit_error err = {0};
    tacit_apply_options apply = {.keep_order = true};
    if (solve_by(o, f, method, options, &apply, 1, 2, &err) != TACIT_OK)
        fail_msg("%s", err.message);
}

/* A method that may fail; nothing is left of what it made. */
static inline tacit_status try_cells(const fixture *f, const char *method,
                                     const tacit_records_options *options, tacit_error *err)
{
    outcome o;
    tacit_apply_options apply = {.keep_order = true};
    *err = (tacit_error){0};
    tacit_status status = solve_by(&o, f, method, options, &apply, 1, 1, err);
    outcome_clear(&o);
    return status;
}

/* What a cell is released as. */
static inline tacit_strview released_cell(const outcome *o, const fixture *f, int64_t row,
                                          int32_t attribute)
{
    uint32_t number = tacit_codes_at(o->application->codes[attribute], row);
    tacit_strview label = o->application->labels[attribute][number];
    if (label.bytes)
        return label;
    int32_t column = f->attributes[attribute].column;
    uint32_t code = tacit_codes_at(tacit_table_codes(f->table, column), row);
    if (code == tacit_table_distinct(f->table, column))
        return (tacit_strview){"", 0}; /* missing */
    return tacit_table_value(f->table, column, code);
}

/* The quasi-identifier of every row, a text each with commas between. */
static inline void check_released(const outcome *o, const fixture *f, const char *const *rows)
{
    for (int64_t row = 0; row < tacit_table_rows(f->table); row++) {
        char text[256] = "";
        for (int32_t a = 0; a < f->frame.attribute_count; a++) {
            tacit_strview cell = released_cell(o, f, row, a);
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%.*s", a ? "," : "", (int)cell.len,
                     cell.bytes);
        }
        assert_string_equal(text, rows[row]);
    }
}

static inline bool same_released(const outcome *o, const fixture *f, int64_t x, int64_t y)
{
    for (int32_t a = 0; a < f->frame.attribute_count; a++)
        if (!tacit_strview_equal(released_cell(o, f, x, a), released_cell(o, f, y, a)))
            return false;
    return true;
}

/* The fewest people who share a released row, by comparing every two rows. */
static inline int64_t fewest_people(const outcome *o, const fixture *f)
{
    int64_t rows = tacit_table_rows(f->table), fewest = INT64_MAX;
    for (int64_t x = 0; x < rows; x++) {
        int64_t people = 0;
        for (int64_t y = 0; y < rows; y++) {
            bool counts = same_released(o, f, x, y);
            for (int64_t z = 0; z < y && counts; z++)
                counts = person_of(f, z) != person_of(f, y) || !same_released(o, f, x, z);
            people += counts;
        }
        fewest = people < fewest ? people : fewest;
    }
    return fewest;
}

/* Every cell lies on a level of its hierarchy that is no lower than the floor. */
static inline void check_generalizes(const outcome *o, const fixture *f)
{
    for (int64_t row = 0; row < tacit_table_rows(f->table); row++)
        for (int32_t a = 0; a < f->frame.attribute_count; a++) {
            tacit_strview cell = released_cell(o, f, row, a);
            bool found = false;
            for (int level = f->attributes[a].least_level;
                 level <= tacit_hierarchy_height(f->hierarchies[a]) && !found; level++) {
                uint32_t number = value_on(f, row, a, level);
                found = number < tacit_hierarchy_count(f->hierarchies[a], level)
                            ? tacit_strview_equal(
                                  cell, tacit_hierarchy_label(f->hierarchies[a], level, number))
                            : cell.len == 0;
            }
            assert_true(found);
        }
}

/* Two outcomes are the same release. */
static inline void check_same(const outcome *a, const outcome *b, const fixture *f)
{
    assert_int_equal(a->solution->boxes->count, b->solution->boxes->count);
    assert_int_equal(a->solution->boxes->part_count, b->solution->boxes->part_count);
    for (int64_t row = 0; row < tacit_table_rows(f->table); row++)
        for (int32_t i = 0; i < f->frame.attribute_count; i++)
            assert_true(
                tacit_strview_equal(released_cell(a, f, row, i), released_cell(b, f, row, i)));
}

#endif
