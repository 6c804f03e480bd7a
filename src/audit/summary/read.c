/*
 * read.c - files of frequencies, in the two forms of audit_summary.h.
 *
 * The CSV reader has coded the columns already, so a count is read once for each way it is
 * written.
 */
#include <stdio.h>
#include <string.h>

#include "audit/summary/summary.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

enum { MOST_DIGITS = 15 }; /* of a count: what sums and programs take without rounding */

/* ---- the form ---- */

typedef struct form {
    int32_t attribute, value, count; /* columns; attribute -1: of combinations */
} form;

static tacit_status read_form(form *out, const tacit_table *file, tacit_error *err)
{
    form f = {tacit_table_find(file, tacit_strview_of("attribute")),
              tacit_table_find(file, tacit_strview_of("value")),
              tacit_table_find(file, tacit_strview_of("count"))};
    int32_t columns = tacit_table_columns(file);
    if (f.count < 0 || columns < 2)
        return tacit__error_at(err, TACIT_PARSE, tacit_table_file(file), 1, 0,
                               "frequencies are columns attribute,value,count, or columns of "
                               "the release and count");
    if (columns != 3 || f.attribute < 0 || f.value < 0)
        f.attribute = f.value = -1;
    if (columns - 1 > TACIT_SUMMARY_COLUMNS)
        return tacit__error_at(err, TACIT_PARSE, tacit_table_file(file), 1, 0,
                               "frequencies of more than %d columns are not read",
                               TACIT_SUMMARY_COLUMNS);
    *out = f;
    return TACIT_OK;
}

/* ---- counts ---- */

/* A count, or -1. */
static int64_t count_of(tacit_strview text)
{
    int64_t count = 0;
    if (text.len == 0 || text.len > MOST_DIGITS)
        return -1;
    for (size_t i = 0; i < text.len; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9')
            return -1;
        count = 10 * count + (text.bytes[i] - '0');
    }
    return count;
}

/* The count of every row. */
static tacit_status read_counts(int64_t *counts, const tacit_table *file, int32_t column,
                                tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(file, column);
    tacit_codes_view codes = tacit_table_codes(file, column);
    int64_t *of = tacit__alloc_array((size_t)distinct + 1, sizeof *of);
    tacit_status status = of ? TACIT_OK : tacit__nomem(err);
    for (uint32_t code = 0; code <= distinct && of; code++)
        of[code] = code < distinct ? count_of(tacit_table_value(file, column, code)) : -1;
    for (int64_t row = 0; row < tacit_table_rows(file) && status == TACIT_OK; row++) {
        counts[row] = of[tacit_codes_at(codes, row)];
        if (counts[row] < 0)
            status = tacit__error_at(
                err, TACIT_PARSE, tacit_table_file(file), tacit_table_line(file, row), column + 1,
                "a count is a whole number from 0, of at most %d digits", MOST_DIGITS);
    }
    tacit__free(of);
    return status;
}

/* ---- tables ---- */

/* A table with room for so many columns and entries. */
static tacit_status add_table(tacit__frequency_table **out, tacit__frequency_tables *tables,
                              const tacit_table *file, int32_t columns, int64_t entries,
                              tacit_error *err)
{
    if (tables->count == TACIT_SUMMARY_TABLES)
        return tacit__error_at(err, TACIT_PARSE, tacit_table_file(file), 0, 0,
                               "more than %d tables of frequencies are not read",
                               TACIT_SUMMARY_TABLES);
    if (!TACIT__RESERVE_ONE(tables->list, tables->room, tables->count))
        return tacit__nomem(err);
    tacit__frequency_table *t = &tables->list[tables->count++];
    *t = (tacit__frequency_table){.file = file, .column_count = columns};
    t->columns = tacit__alloc_array((size_t)columns, sizeof *t->columns);
    t->places = tacit__alloc_array((size_t)columns, sizeof *t->places);
    t->rows = tacit__alloc_array((size_t)entries, sizeof *t->rows);
    t->counts = tacit__alloc_array((size_t)entries, sizeof *t->counts);
    *out = t;
    return t->columns && t->places && t->rows && t->counts ? TACIT_OK : tacit__nomem(err);
}

static tacit_status name_table(tacit__frequency_table *t, const char *attribute, tacit_error *err)
{
    char name[512];
    const char *file = tacit_table_file(t->file);
    if (attribute)
        snprintf(name, sizeof name, "%s in %s", attribute, file);
    else
        snprintf(name, sizeof name, "%s", file);
    t->name = tacit__copy_bytes(name, strlen(name));
    return t->name ? TACIT_OK : tacit__nomem(err);
}

/* One table of all rows and columns but the counts. */
static tacit_status read_combinations(tacit__frequency_tables *tables, const tacit_table *file,
                                      const form *f, const int64_t *counts, tacit_error *err)
{
    tacit__frequency_table *t;
    int32_t columns = tacit_table_columns(file), at = 0;
    int64_t rows = tacit_table_rows(file);
    tacit_status status = add_table(&t, tables, file, columns - 1, rows, err);
    if (status != TACIT_OK)
        return status;
    for (int32_t c = 0; c < columns; c++) {
        if (c == f->count)
            continue;
        t->columns[at] = tacit_table_name(file, c);
        t->places[at++] = c;
    }
    for (int64_t row = 0; row < rows; row++) {
        t->rows[row] = row;
        t->counts[row] = counts[row];
    }
    t->entry_count = rows;
    return name_table(t, NULL, err);
}

tacit_strview tacit__cell_value(const tacit_table *file, int32_t column, int64_t row)
{
    uint32_t code = tacit_codes_at(tacit_table_codes(file, column), row);
    if (code == tacit_table_distinct(file, column))
        return (tacit_strview){"", 0};
    return tacit_table_value(file, column, code);
}

/* The rows of one attribute. */
static tacit_status read_attribute(tacit__frequency_tables *tables, const tacit_table *file,
                                   const form *f, const int64_t *counts, uint32_t attribute,
                                   tacit_error *err)
{
    tacit__frequency_table *t;
    tacit_codes_view codes = tacit_table_codes(file, f->attribute);
    int64_t entries = 0;
    for (int64_t row = 0; row < tacit_table_rows(file); row++)
        entries += tacit_codes_at(codes, row) == attribute;
    tacit_status status = add_table(&t, tables, file, 1, entries, err);
    if (status != TACIT_OK)
        return status;
    t->labels = tacit__alloc_array((size_t)entries, sizeof *t->labels);
    if (!t->labels)
        return tacit__nomem(err);
    t->columns[0] = tacit_table_value(file, f->attribute, attribute);
    t->places[0] = f->value;
    for (int64_t row = 0; row < tacit_table_rows(file); row++) {
        if (tacit_codes_at(codes, row) != attribute)
            continue;
        t->labels[t->entry_count] = tacit__cell_value(file, f->value, row);
        t->counts[t->entry_count] = counts[row];
        t->rows[t->entry_count++] = row;
    }
    return name_table(t, tacit__show(t->columns[0]).text, err);
}

static tacit_status read_attributes(tacit__frequency_tables *tables, const tacit_table *file,
                                    const form *f, const int64_t *counts, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    if (tacit_table_has_missing(file, f->attribute))
        return tacit__error_at(err, TACIT_PARSE, tacit_table_file(file), 0, 0,
                               "a row names no attribute");
    for (uint32_t a = 0; a < tacit_table_distinct(file, f->attribute) && status == TACIT_OK; a++)
        status = read_attribute(tables, file, f, counts, a, err);
    return status;
}

tacit_status tacit__frequencies_read(tacit__frequency_tables *tables, const tacit_table *file,
                                     tacit_error *err)
{
    form f;
    tacit_status status = read_form(&f, file, err);
    if (status != TACIT_OK)
        return status;
    int64_t *counts = tacit__alloc_array((size_t)tacit_table_rows(file), sizeof *counts);
    status = counts ? read_counts(counts, file, f.count, err) : tacit__nomem(err);
    if (status == TACIT_OK && f.attribute >= 0)
        status = read_attributes(tables, file, &f, counts, err);
    else if (status == TACIT_OK)
        status = read_combinations(tables, file, &f, counts, err);
    tacit__free(counts);
    return status;
}

void tacit__frequencies_clear(tacit__frequency_tables *tables)
{
    for (size_t i = 0; i < tables->count; i++) {
        tacit__free(tables->list[i].name);
        tacit__free(tables->list[i].columns);
        tacit__free(tables->list[i].places);
        tacit__free(tables->list[i].rows);
        tacit__free(tables->list[i].counts);
        tacit__free(tables->list[i].labels);
    }
    tacit__free(tables->list);
    *tables = (tacit__frequency_tables){0};
}

tacit_status tacit_summary_names(tacit_strview *names, int32_t *count, const tacit_table *file,
                                 tacit_error *err)
{
    form f;
    int32_t at = 0;
    tacit_status status = read_form(&f, file, err);
    if (status != TACIT_OK)
        return status;
    if (f.attribute >= 0 && tacit_table_distinct(file, f.attribute) > TACIT_SUMMARY_COLUMNS)
        return tacit__error_at(err, TACIT_PARSE, tacit_table_file(file), 0, 0,
                               "frequencies of more than %d columns are not read",
                               TACIT_SUMMARY_COLUMNS);
    if (f.attribute >= 0)
        for (uint32_t a = 0; a < tacit_table_distinct(file, f.attribute); a++)
            names[at++] = tacit_table_value(file, f.attribute, a);
    for (int32_t c = 0; c < tacit_table_columns(file) && f.attribute < 0; c++)
        if (c != f.count)
            names[at++] = tacit_table_name(file, c);
    *count = at;
    return TACIT_OK;
}
