/*
 * made.c - hierarchy files made of what is known: of a bound hierarchy, and of a file that lacks
 * values.
 *
 * Every field is quoted. Rows are in the order of the values' bytes, so that a file tells nothing
 * of the data but its values: neither their order nor their numbers. What was made is read again
 * and compared before anybody gets it, because the reader tells forms apart by content: a value
 * with a line that begins with @ could look like another form. A sort of the values, and a pass
 * over them a level.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sort.h"
#include "base/strbuf.h"
#include "hierarchy/gaps.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/tree.h"

static void add_field(tacit__strbuf *out, tacit_strview text)
{
    tacit__strbuf_text(out, "\"");
    for (size_t i = 0; i < text.len; i++)
        tacit__strbuf_add(out, text.bytes[i] == '"' ? "\"\"" : &text.bytes[i],
                          text.bytes[i] == '"' ? 2 : 1);
    tacit__strbuf_text(out, "\"");
}

typedef struct coded_value {
    tacit_strview value;
    uint32_t code;
} coded_value;

static int by_value(const void *a, const void *b)
{
    tacit_strview x = ((const coded_value *)a)->value, y = ((const coded_value *)b)->value;
    int order = memcmp(x.bytes, y.bytes, x.len < y.len ? x.len : y.len);
    return order ? order : TACIT__ORDER(x.len, y.len);
}

/* The column's values in the order of their bytes; NULL when memory ran out. */
static coded_value *sort_values(const tacit_table *table, int32_t column)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    coded_value *values = tacit__alloc_array((size_t)distinct + 1, sizeof *values);
    for (uint32_t code = 0; values && code < distinct; code++)
        values[code] = (coded_value){tacit_table_value(table, column, code), code};
    if (values)
        qsort(values, distinct, sizeof *values, by_value);
    return values;
}

/* ---- of a hierarchy ---- */

/* Fields of a row. Between values and nothing there is a level to write groups on. */
static int field_count(const tacit_hierarchy *h)
{
    int height = tacit_hierarchy_height(h);
    return height == 1 ? 3 : height + 1;
}

static tacit_strview field_at(const tacit_hierarchy *h, uint32_t code, int field)
{
    int height = tacit_hierarchy_height(h);
    int level = height > 1 ? field : field / 2;
    if (level == 0)
        return code < h->distinct ? tacit__ground(h, code) : (tacit_strview){"", 0};
    return tacit_hierarchy_label(h, level, tacit_hierarchy_map(h, level)[code]);
}

static void add_made_row(tacit__strbuf *out, const tacit_hierarchy *h, uint32_t code)
{
    for (int i = 0; i < field_count(h); i++) {
        tacit__strbuf_text(out, i ? ";" : "");
        add_field(out, field_at(h, code, i));
    }
    tacit__strbuf_text(out, "\n");
}

/* Whether missing has a value on every level above the ground. */
static bool is_missing_told(const tacit_hierarchy *h)
{
    for (int level = 1; level <= tacit_hierarchy_height(h); level++)
        if (tacit_hierarchy_map(h, level)[h->distinct] >= tacit_hierarchy_count(h, level))
            return false;
    return tacit_hierarchy_height(h) > 1;
}

static bool says_the_same(const tacit_hierarchy *again, const tacit_hierarchy *h, bool missing)
{
    int fields = field_count(h);
    if (tacit_hierarchy_height(again) != fields - 1)
        return false;
    for (uint32_t code = 0; code < h->distinct + missing; code++)
        for (int i = 1; i < fields; i++)
            if (!tacit_strview_equal(
                    tacit_hierarchy_label(again, i, tacit_hierarchy_map(again, i)[code]),
                    field_at(h, code, i)))
                return false;
    return true;
}

static tacit_status check_again(const tacit__strbuf *text, const tacit_hierarchy *h, bool missing,
                                tacit_error *err)
{
    const tacit_hierarchy_spec spec = {0};
    tacit_hierarchy *again = NULL;
    if (text->failed)
        return tacit__nomem(err);
    tacit_status status =
        tacit__hierarchy_from_bytes(&again, (tacit_strview){text->bytes, text->len},
                                    "the hierarchy", &spec, h->table, h->column, err);
    if (status == TACIT_OK && !says_the_same(again, h, missing))
        status = tacit__error(err, TACIT_PARSE,
                              "the column has values that a hierarchy file cannot hold: a line in "
                              "them begins with @");
    tacit_hierarchy_free(again);
    return status;
}

/* Hands the text out, or clears it. */
static tacit_status give_text(char **csv, tacit__strbuf *text, tacit_status status)
{
    if (status == TACIT_OK)
        *csv = text->bytes;
    else
        tacit__strbuf_clear(text);
    return status;
}

tacit_status tacit_hierarchy_text(char **csv, const tacit_hierarchy *hierarchy, tacit_error *err)
{
    tacit__strbuf out = {0};
    bool missing = is_missing_told(hierarchy);
    if (!hierarchy->distinct)
        return tacit__error(err, TACIT_INVALID, "the column has no value to make a hierarchy of");
    coded_value *values = sort_values(hierarchy->table, hierarchy->column);
    if (!values)
        return tacit__nomem(err);
    for (uint32_t i = 0; i < hierarchy->distinct; i++)
        add_made_row(&out, hierarchy, values[i].code);
    if (missing)
        add_made_row(&out, hierarchy, hierarchy->distinct);
    tacit__free(values);
    return give_text(csv, &out, check_again(&out, hierarchy, missing, err));
}

/* ---- of a file ---- */

/* A value stays itself up to the level that knows it, or to the root. */
static void add_own_row(tacit__strbuf *out, const tacit__tree *tree, tacit_strview value,
                        char delimiter)
{
    uint32_t node = TACIT__NONE;
    int top = tree->level_count - 1;
    add_field(out, value);
    for (int level = 1; level <= top; level++) {
        const tacit__names *names = &tree->levels[level].names;
        if (node != TACIT__NONE)
            node = tree->levels[level - 1].branches[node].parent;
        else
            node = level == top ? 0 : tacit__names_find(names, value);
        tacit__strbuf_add(out, &delimiter, 1);
        add_field(out, node == TACIT__NONE ? value : names->labels[node]);
    }
    tacit__strbuf_text(out, "\n");
}

static tacit_status add_lacking(tacit__strbuf *out, const tacit__tree_file *file,
                                tacit__tree_form form, const tacit_table *table, int32_t column,
                                tacit_error *err)
{
    if (form != TACIT__FORM_ANCESTORS)
        return tacit__error(err, TACIT_INVALID,
                            "only a file with a row a value, its ancestors behind it, can be "
                            "completed; add the values to this one by hand");
    coded_value *values = sort_values(table, column);
    if (!values)
        return tacit__nomem(err);
    tacit__strbuf_add(out, file->rows.start, (size_t)(file->rows.end - file->rows.start));
    tacit__strbuf_text(out, "\n");
    for (uint32_t i = 0; i < tacit_table_distinct(table, column); i++)
        if (tacit__names_find(&file->tree.levels[0].names, values[i].value) == TACIT__NONE)
            add_own_row(out, &file->tree, values[i].value, file->rows.delimiter);
    tacit__free(values);
    return TACIT_OK;
}

/* Whether the file with its new rows is taken for the column. */
static tacit_status check_completed(const tacit__strbuf *text, const char *name,
                                    const tacit_table *table, int32_t column, tacit_error *err)
{
    const tacit_hierarchy_spec spec = {0};
    tacit_hierarchy *again = NULL;
    if (text->failed)
        return tacit__nomem(err);
    tacit_status status = tacit__hierarchy_from_bytes(
        &again, (tacit_strview){text->bytes, text->len}, name, &spec, table, column, err);
    tacit_hierarchy_free(again);
    return status;
}

tacit_status tacit__complete_bytes(char **csv, tacit_strview bytes, const char *name,
                                   const tacit_table *table, int32_t column, tacit_error *err)
{
    tacit__strbuf out = {0};
    tacit__tree_file file = {.tree = {.file = name}};
    tacit__tree_form form = TACIT__FORM_ANCESTORS;
    tacit_status status = tacit__rows_init(&file.rows, bytes, name, err);
    if (status == TACIT_OK)
        status = tacit__tree_form_of(&form, &file.rows, err);
    if (status == TACIT_OK)
        status = tacit__tree_read(&file.tree, &file.rows, err);
    if (status == TACIT_OK)
        status = add_lacking(&out, &file, form, table, column, err);
    if (status == TACIT_OK)
        status = check_completed(&out, name, table, column, err);
    tacit__tree_close(&file);
    return give_text(csv, &out, status);
}

tacit_status tacit_hierarchy_complete(char **csv, const char *path, const tacit_table *table,
                                      int32_t column, tacit_error *err)
{
    tacit__input input = {0};
    tacit_status status = tacit__input_open(&input, path, TACIT__MAX_HIERARCHY_BYTES, NULL, err);
    if (status == TACIT_OK)
        status = tacit__complete_bytes(csv, (tacit_strview){input.bytes, input.len}, path, table,
                                       column, err);
    tacit__input_close(&input);
    return status;
}
