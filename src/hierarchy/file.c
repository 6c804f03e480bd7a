/*
 * file.c - hierarchy files: which form a file has, and the plain one.
 *
 * Three forms are told apart by content:
 *   - ancestors: a row a ground value, then its ancestors in order, all rows
 *     equally long and ending in one common value (`02138;0213*;021**;*`);
 *   - .hrc, see hrc.c: a first row of nothing but @ and a code, or lines
 *     without a delimiter of which some start with @;
 *   - a list of code and parent, see list.c, recognized there.
 * A row of the ancestors form that starts with an empty value says what missing
 * generalizes to. Identical rows are one.
 */
#include "base/file.h"
#include <assert.h>

#include "base/error.h"
#include "hierarchy/bind.h"

static tacit_status check_row(const tacit__rows *rows, int columns, tacit_error *err)
{
    tacit__shown value = tacit__show(rows->fields[0]);
    if (rows->count != columns)
        return tacit__error_at(
            err, TACIT_PARSE, rows->file, rows->line, 0,
            "the row of \"%s\" has %d fields where the first row has %d; repeat a "
            "value on the levels it does not have",
            value.text, rows->count, columns);
    for (int i = 1; i < columns; i++)
        if (!rows->fields[i].len)
            return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                                   "the row of \"%s\" has no value on level %d; write one in "
                                   "field %d",
                                   value.text, i, i + 1);
    return TACIT_OK;
}

static tacit_status read_ancestors(tacit__tree *tree, tacit__rows *rows, tacit_error *err)
{
    tacit_status status;
    while ((status = tacit__rows_next(rows, err)) == TACIT_OK && rows->count) {
        if (!tree->level_count)
            tree->level_count = rows->count;
        status = check_row(rows, tree->level_count, err);
        if (status == TACIT_OK)
            status = tacit__tree_add(tree, rows->fields, rows->line, err);
        if (status != TACIT_OK)
            break;
    }
    return status;
}

tacit_status tacit__tree_read(tacit__tree *tree, tacit__rows *rows, tacit_error *err)
{
    tacit_status status = tacit__rows_next(rows, err);
    bool list = false;
    if (status != TACIT_OK)
        return status;
    int columns = rows->count;
    bool hrc = tacit__hrc_recognize(rows);
    if (!hrc && columns == 1)
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "one field only; write a value and its ancestors with ; or , "
                               "between them");
    tacit__rows_rewind(rows);
    if (columns == 2 && !hrc)
        status = tacit__list_recognize(&list, rows, err);
    if (status != TACIT_OK)
        return status;
    tacit__rows_rewind(rows);
    return hrc    ? tacit__hrc_read(tree, rows, err)
           : list ? tacit__list_read(tree, rows, err)
                  : read_ancestors(tree, rows, err);
}

static tacit_status grow_file(tacit_hierarchy *hierarchy, const tacit_hierarchy_spec *spec,
                              tacit_error *err)
{
    assert(spec->path);
    tacit__input input = {0};
    tacit_status status =
        tacit__input_open(&input, spec->path, TACIT__MAX_HIERARCHY_BYTES, NULL, err);
    if (status == TACIT_OK)
        status =
            tacit__file_grow(hierarchy, (tacit_strview){input.bytes, input.len}, spec->path, err);
    tacit__input_close(&input);
    return status;
}

const tacit__source tacit__source_file = {TACIT_HIERARCHY_FILE, grow_file};

tacit_status tacit__file_grow(tacit_hierarchy *hierarchy, tacit_strview bytes, const char *name,
                              tacit_error *err)
{
    tacit__tree tree = {.file = name};
    tacit__rows rows = {0};
    tacit_status status = tacit__rows_init(&rows, bytes, name, err);
    if (status == TACIT_OK)
        status = tacit__tree_read(&tree, &rows, err);
    if (status == TACIT_OK)
        status = tacit__tree_bind(hierarchy, &tree, err);
    tacit__tree_clear(&tree);
    tacit__rows_clear(&rows);
    return status;
}
