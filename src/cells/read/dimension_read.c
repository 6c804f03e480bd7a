/*
 * dimension_read.c - the dimensions of a table from columns and hierarchy files, values of
 * columns found among their codes, and the paper's standardized codes.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cells/cells/inside.h"
#include "cells/read/columns.h"
#include "cells/read/dimension.h"
#include <tacit/experimental/hierarchy.h>

static tacit_status read_dimension(tacit_cells *cells, int32_t index, const tacit_table *table,
                                   int32_t column, const tacit_dimension_spec *spec,
                                   tacit_error *err)
{
    tacit__draft draft = {0};
    tacit__arena *arena = &cells->inside->arena;
    tacit_strview name = tacit__arena_copy(arena, tacit_strview_of(spec->column));
    tacit_status status = name.bytes ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__draft_column(&draft, table, column, spec, arena, err);
    if (status == TACIT_OK)
        status = tacit__dimension_init(&cells->dimensions[index], &draft, name, err);
    if (status == TACIT_OK)
        cells->dimension_count = index + 1;
    tacit__draft_clear(&draft);
    return status;
}

static tacit_status allocate_dimensions(tacit_cells *cells, int32_t count, tacit_error *err)
{
    cells->dimensions = tacit__alloc_zeroed((size_t)count, sizeof *cells->dimensions);
    return cells->dimensions ? TACIT_OK : tacit__nomem(err);
}

static tacit_status check_spec(const tacit_cells_spec *spec, tacit_error *err)
{
    if (spec->dimension_count < 1 || spec->dimension_count > TACIT_MAX_DIMENSIONS)
        return tacit__error(err, TACIT_INVALID, "%d dimensions; a table has from 1 to %d",
                            spec->dimension_count, TACIT_MAX_DIMENSIONS);
    for (int32_t i = 0; i < spec->dimension_count; i++)
        for (int32_t j = 0; j < i; j++)
            if (!strcmp(spec->dimensions[i].column, spec->dimensions[j].column))
                return tacit__error(err, TACIT_INVALID, "dimension \"%s\" is named twice",
                                    tacit__show(tacit_strview_of(spec->dimensions[i].column)).text);
    return TACIT_OK;
}

bool tacit__dimension_names(tacit__names *names, const tacit_dimension *dimension)
{
    for (int32_t i = 0; i < dimension->label_count; i++) {
        bool added;
        if (tacit__names_add(names, dimension->labels[i], &added) == TACIT__NONE)
            return false;
    }
    return true;
}

static tacit_status bind_values(int32_t *codes, const tacit_dimension *dimension,
                                const tacit__names *names, const tacit_table *table, int32_t column,
                                bool ground, tacit_error *err)
{
    uint32_t distinct = tacit_table_distinct(table, column);
    tacit__shown name = tacit__show(dimension->name);
    for (uint32_t i = 0; i < distinct; i++) {
        tacit_strview value = tacit_table_value(table, column, i);
        uint32_t label = tacit__names_find(names, value);
        if (label == TACIT__NONE)
            return tacit__column_error(table, column, i, TACIT_PARSE, err,
                                       "%s is not in the hierarchy of dimension \"%s\"; "
                                       "add it there",
                                       tacit__show_value(err, value).text, name.text);
        codes[i] = dimension->code_of[label];
        if (ground && dimension->inner[label])
            return tacit__column_error(table, column, i, TACIT_PARSE, err,
                                       "%s of dimension \"%s\" is a total; a record needs "
                                       "a code without parts",
                                       tacit__show_value(err, value).text, name.text);
    }
    if (tacit_table_has_missing(table, column))
        return tacit__column_error(table, column, distinct, TACIT_PARSE, err,
                                   "dimension \"%s\" has no code here; write one", name.text);
    return TACIT_OK;
}

static tacit_status bind(int32_t **out, const tacit_dimension *dimension, const tacit_table *table,
                         int32_t column, bool ground, tacit_error *err)
{
    tacit__names names = {0};
    int32_t *codes =
        tacit__alloc_array((size_t)tacit_table_distinct(table, column) + 1, sizeof *codes);
    tacit_status status = TACIT_OK;
    if (!codes || !tacit__dimension_names(&names, dimension))
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        status = bind_values(codes, dimension, &names, table, column, ground, err);
    tacit__names_clear(&names);
    if (status == TACIT_OK)
        *out = codes;
    else
        tacit__free(codes);
    return status;
}

void tacit__bound_clear(tacit__bound *bound)
{
    for (int32_t d = 0; d < TACIT_MAX_DIMENSIONS; d++)
        tacit__free(bound->codes[d]);
    *bound = (tacit__bound){0};
}

tacit_status tacit__bound_init(tacit__bound *bound, tacit_cells *cells, const tacit_table *table,
                               const tacit_cells_spec *spec, bool ground, tacit_error *err)
{
    tacit_status status = check_spec(spec, err);
    if (status != TACIT_OK)
        return status;
    bound->cells = cells;
    status = allocate_dimensions(cells, spec->dimension_count, err);
    for (int32_t i = 0; status == TACIT_OK && i < spec->dimension_count; i++) {
        int32_t column;
        status = tacit__column_find(&column, table, spec->dimensions[i].column, err);
        if (status == TACIT_OK)
            status = read_dimension(cells, i, table, column, &spec->dimensions[i], err);
        if (status == TACIT_OK)
            status = bind(&bound->codes[i], &cells->dimensions[i], table, column, ground, err);
        if (status == TACIT_OK)
            bound->views[i] = tacit_table_codes(table, column);
    }
    return status == TACIT_OK ? tacit__cells_lay_out(cells, err) : status;
}

/* Whether a column names a code that has parts. */
static tacit_status has_total(bool *out, const tacit_dimension *dimension, const tacit_table *table,
                              int32_t column, tacit_error *err)
{
    tacit__names names = {0};
    tacit_status status = tacit__dimension_names(&names, dimension) ? TACIT_OK : tacit__nomem(err);
    for (uint32_t i = 0; status == TACIT_OK && i < tacit_table_distinct(table, column); i++) {
        uint32_t label = tacit__names_find(&names, tacit_table_value(table, column, i));
        *out |= label != TACIT__NONE && dimension->inner[label];
    }
    tacit__names_clear(&names);
    return status;
}

tacit_status tacit_cells_is_table(bool *out, const tacit_table *table, const tacit_cells_spec *spec,
                                  tacit_error *err)
{
    bool found = spec->freq || tacit_table_find(table, tacit_strview_of("freq")) >= 0 ||
                 tacit_table_find(table, tacit_strview_of("status")) >= 0 ||
                 tacit_table_find(table, tacit_strview_of("max1")) >= 0;
    tacit_status status = check_spec(spec, err);
    tacit_cells *cells = NULL;
    if (status == TACIT_OK && !found)
        status = tacit__cells_new(&cells, NULL, err);
    if (status == TACIT_OK && !found)
        status = allocate_dimensions(cells, spec->dimension_count, err);
    for (int32_t i = 0; status == TACIT_OK && !found && i < spec->dimension_count; i++) {
        int32_t column;
        status = tacit__column_find(&column, table, spec->dimensions[i].column, err);
        if (status == TACIT_OK)
            status = read_dimension(cells, i, table, column, &spec->dimensions[i], err);
        if (status == TACIT_OK)
            status = has_total(&found, &cells->dimensions[i], table, column, err);
    }
    tacit_cells_free(cells);
    if (status == TACIT_OK)
        *out = found;
    return status;
}

static int digits_of(int32_t number)
{
    int digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* Which of its parent's parts a code is, from 1; the root: 0. */
static int32_t ordinal(const tacit_code_tree *tree, int32_t code)
{
    int32_t parent = tree->parent[code];
    if (parent < 0)
        return 0;
    int32_t at = tree->child_starts[parent];
    while (tree->children[at] != code)
        at++;
    return at - tree->child_starts[parent] + 1;
}

size_t tacit_dimension_standard(char *buffer, size_t size, const tacit_dimension *dimension,
                                int32_t code)
{
    const tacit_code_tree *tree = &dimension->trees[0];
    int widths[TACIT_MAX_LEVELS] = {1};
    int32_t numbers[TACIT_MAX_LEVELS] = {0};
    assert(tree->level[code] >= 0);
    for (int32_t c = 0; c < dimension->code_count; c++) {
        int32_t parts = tree->child_starts[c + 1] - tree->child_starts[c];
        if (parts && digits_of(parts) > widths[tree->level[c] + 1])
            widths[tree->level[c] + 1] = digits_of(parts);
    }
    for (int32_t c = code; c >= 0; c = tree->parent[c])
        numbers[tree->level[c]] = ordinal(tree, c);
    size_t len = 0;
    for (int32_t level = 0; level < tree->levels; level++) {
        char text[16];
        int wrote = snprintf(text, sizeof text, "%0*d", widths[level], numbers[level]);
        for (int i = 0; i < wrote; i++, len++)
            if (len + 1 < size)
                buffer[len] = text[i];
    }
    if (size)
        buffer[len < size ? len : size - 1] = '\0';
    return len;
}
