/*
 * classes.c - reads a file of values and their classes: a table of two columns, sorted once for
 * looking values up.
 */
#include "techniques/categories/classes.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "techniques/numeric/ranks.h"

static int compare_classed(const void *a, const void *b)
{
    return tacit__compare_texts(((const tacit__classed *)a)->value,
                                ((const tacit__classed *)b)->value);
}

/* Sorts the list and drops what is said twice. */
static tacit_status sort_list(tacit__value_classes *classes, tacit_error *err)
{
    uint32_t left = 0;
    qsort(classes->list, classes->count, sizeof *classes->list, compare_classed);
    for (uint32_t i = 0; i < classes->count; i++) {
        const tacit__classed *each = &classes->list[i];
        if (left == 0 || compare_classed(&classes->list[left - 1], each) != 0) {
            classes->list[left++] = *each;
        } else if (classes->list[left - 1].class != each->class) {
            tacit__shown shown = tacit__show(each->value);
            return tacit__error(err, TACIT_INVALID, "%s: the value \"%s\" is in two classes",
                                tacit_table_file(classes->table), shown.text);
        }
    }
    classes->count = left;
    return TACIT_OK;
}

static tacit_status fill_list(tacit__value_classes *classes, tacit_error *err)
{
    const tacit_table *table = classes->table;
    int64_t rows = tacit_table_rows(table);
    if (tacit_table_columns(table) != 2)
        return tacit__error_at(err, TACIT_PARSE, tacit_table_file(table), 1, 0,
                               "classes are a value and its class in each line, not %d cells",
                               (int)tacit_table_columns(table));
    classes->list = tacit__alloc_array((size_t)rows, sizeof *classes->list);
    if (!classes->list)
        return tacit__nomem(err);
    classes->class_count = tacit_table_distinct(table, 1);
    for (int64_t row = 0; row < rows; row++) {
        uint32_t value = tacit_codes_at(tacit_table_codes(table, 0), row);
        uint32_t class = tacit_codes_at(tacit_table_codes(table, 1), row);
        if (value == tacit_table_distinct(table, 0) || class == classes->class_count)
            return tacit__error_at(err, TACIT_PARSE, tacit_table_file(table),
                                   tacit_table_line(table, row), 0,
                                   "classes are a value and its class in each line");
        classes->list[classes->count++] =
            (tacit__classed){tacit_table_value(table, 0, value), class};
    }
    return sort_list(classes, err);
}

tacit_status tacit__value_classes_read(tacit__value_classes *classes,
                                       const tacit__runner_call *call,
                                       const tacit__runner_value *file, tacit_error *err)
{
    tacit_csv_options options;
    *classes = (tacit__value_classes){0};
    tacit_csv_options_init(&options);
    options.no_header = true;
    tacit_status status =
        tacit_table_read(&classes->table, file->texts[0], &options, call->run, err);
    if (status == TACIT_OK)
        status = fill_list(classes, err);
    if (status != TACIT_OK)
        tacit__value_classes_clear(classes);
    return status;
}

void tacit__value_classes_clear(tacit__value_classes *classes)
{
    tacit_table_free(classes->table);
    tacit__free(classes->list);
    *classes = (tacit__value_classes){0};
}

uint32_t tacit__value_classes_find(const tacit__value_classes *classes, tacit_strview value)
{
    tacit__classed wanted = {value, 0};
    const tacit__classed *found = classes->count ? bsearch(&wanted, classes->list, classes->count,
                                                           sizeof wanted, compare_classed)
                                                 : NULL;
    return found ? (uint32_t)(found - classes->list) : UINT32_MAX;
}
