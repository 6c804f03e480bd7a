/*
 * hierarchy.c - binding a specification to a column, and reading what came out.
 *
 * A hierarchy here is Sweeney's domain generalization hierarchy (Computational
 * Disclosure Control, 5.2) over the values that one column holds: a chain of
 * functions from the ground to a single value. Building goes level by level, a
 * map a level composed from the map below, so it costs one pass over the
 * column's distinct values a level, never over its rows, and four bytes for a
 * value and level.
 *
 * Suppression is the level `*` on top. It is left out where the highest level
 * is `*` already, or where the specification forbids it; then the highest
 * level must hold a single value by itself. Missing is not known to lie under
 * that value, and to release it so would be a false statement: where the column
 * has missing values that its hierarchy says nothing of, `*` is put on top all
 * the same, the one label that is true of both.
 */
#include "hierarchy/hierarchy.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/formula.h"
#include "base/vector.h"

static const tacit__source *const sources[] = {&tacit__source_none, &tacit__source_file,
                                               &tacit__source_mask, &tacit__source_interval,
                                               &tacit__source_date, &tacit__source_standard};

static const tacit__source *source_of(tacit_hierarchy_kind kind)
{
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (sources[i]->kind == kind)
            return sources[i];
    return NULL;
}

/* Level 0: every value is its own, missing stays missing. */
tacit_status tacit__hierarchy_start(tacit_hierarchy **out, const tacit_table *table, int32_t column,
                                    tacit_error *err)
{
    assert(tacit_table_is_coded(table, column));
    tacit_hierarchy *hierarchy = tacit__alloc_zeroed(1, sizeof *hierarchy);
    if (!hierarchy)
        return tacit__nomem(err);
    hierarchy->table = table;
    hierarchy->column = column;
    hierarchy->distinct = tacit_table_distinct(table, column);
    hierarchy->leaves = hierarchy->distinct;
    size_t entries = (size_t)hierarchy->distinct + 1;
    uint32_t *map = tacit__alloc_array(entries, sizeof *map);
    if (!map) {
        tacit_hierarchy_free(hierarchy);
        return tacit__nomem(err);
    }
    for (size_t i = 0; i < entries; i++)
        map[i] = (uint32_t)i;
    hierarchy->levels[0] = (tacit__level){.count = hierarchy->distinct, .map = map};
    hierarchy->level_count = 1;
    *out = hierarchy;
    return TACIT_OK;
}

static bool is_suppressed(tacit_strview label)
{
    return tacit_strview_equal(label, tacit_hierarchy_suppressed());
}

static tacit_status add_suppressed(tacit_hierarchy *hierarchy, tacit_error *err)
{
    tacit__rise rise = {0};
    tacit_status status = tacit__rise_begin(&rise, hierarchy, err);
    if (status != TACIT_OK)
        goto cleanup;
    rise.under = tacit__alloc(sizeof *rise.under);
    if (!rise.under || !tacit__rise_label(&rise, tacit_hierarchy_suppressed())) {
        status = tacit__nomem(err);
        goto cleanup;
    }
    rise.under[0] = hierarchy->leaves;
    memset(rise.up, 0, hierarchy->levels[hierarchy->level_count - 1].count * sizeof *rise.up);
    status = tacit__hierarchy_raise(hierarchy, &rise, err);

cleanup:
    tacit__rise_clear(&rise);
    return status;
}

/* The highest level of a column without values still holds one value. */
static tacit_status give_top(tacit__level *top, tacit_error *err)
{
    tacit_strview *labels = tacit__alloc(sizeof *labels);
    uint32_t *under = tacit__alloc_zeroed(1, sizeof *under);
    if (!labels || !under) {
        tacit__free(labels);
        tacit__free(under);
        return tacit__nomem(err);
    }
    labels[0] = tacit_hierarchy_suppressed();
    tacit__free(top->labels);
    tacit__free(top->under);
    top->labels = labels;
    top->under = under;
    top->count = 1;
    return TACIT_OK;
}

/* Forbidding suppression is only possible where the values meet without it. */
static tacit_status check_top(const tacit_hierarchy *hierarchy, tacit_error *err)
{
    const tacit__level *top = &hierarchy->levels[hierarchy->level_count - 1];
    tacit__shown name = tacit__show(tacit_table_name(hierarchy->table, hierarchy->column));
    const char *file = tacit_table_file(hierarchy->table);
    if (hierarchy->level_count == 1)
        return tacit__error_at(err, TACIT_INVALID, file, 0, 0,
                               "column \"%s\" has no level above its values and may not be "
                               "suppressed; give it a hierarchy or allow suppression",
                               name.text);
    if (top->count <= 1)
        return TACIT_OK;
    return tacit__error_at(err, TACIT_INVALID, file, 0, 0,
                           "column \"%s\" has several roots: its highest level holds %u values; "
                           "allow suppression or give it a level "
                           "that holds one",
                           name.text, top->count);
}

/* Whether missing would have to be called what it is not known to be at the top. */
static bool leaves_missing(const tacit_hierarchy *hierarchy, const tacit_hierarchy_spec *spec)
{
    const tacit__level *top = &hierarchy->levels[hierarchy->level_count - 1];
    return !spec->compared_only && tacit_table_has_missing(hierarchy->table, hierarchy->column) &&
           top->count == 1 && top->map[hierarchy->distinct] == top->count &&
           !is_suppressed(top->labels[0]);
}

/* Ends the hierarchy in a single value, which missing becomes too. */
static tacit_status crown(tacit_hierarchy *hierarchy, const tacit_hierarchy_spec *spec,
                          tacit_error *err)
{
    tacit__level *top = &hierarchy->levels[hierarchy->level_count - 1];
    bool crowned = hierarchy->level_count > 1 && top->count == 1 && is_suppressed(top->labels[0]);
    tacit_status status = TACIT_OK;
    if (spec->no_suppression)
        status = check_top(hierarchy, err);
    if (status == TACIT_OK && (spec->no_suppression ? leaves_missing(hierarchy, spec) : !crowned))
        status = add_suppressed(hierarchy, err);
    if (status != TACIT_OK)
        return status;
    top = &hierarchy->levels[hierarchy->level_count - 1];
    if (top->count == 0 && (status = give_top(top, err)) != TACIT_OK)
        return status;
    top->map[hierarchy->distinct] = 0;
    return TACIT_OK;
}

tacit_status tacit__hierarchy_finish(tacit_hierarchy **out, tacit_hierarchy *hierarchy,
                                     tacit_status status, const tacit_hierarchy_spec *spec,
                                     tacit_error *err)
{
    if (status == TACIT_OK)
        status = crown(hierarchy, spec, err);
    if (status == TACIT_OK)
        *out = hierarchy;
    else
        tacit_hierarchy_free(hierarchy);
    return status;
}

static tacit_status grow_none(tacit_hierarchy *hierarchy, const tacit_hierarchy_spec *spec,
                              tacit_error *err)
{
    (void)hierarchy, (void)spec, (void)err;
    return TACIT_OK;
}

/* No hierarchy: only the suppressed level goes above the values. */
const tacit__source tacit__source_none = {TACIT_HIERARCHY_NONE, grow_none};

static int64_t first_row(const tacit_hierarchy *hierarchy, uint32_t code)
{
    tacit_codes_view codes = tacit_table_codes(hierarchy->table, hierarchy->column);
    int64_t rows = tacit_table_rows(hierarchy->table);
    for (int64_t row = 0; row < rows; row++)
        if (tacit_codes_at(codes, row) == code)
            return row;
    return -1;
}

static const tacit__level *level_at(const tacit_hierarchy *hierarchy, int level)
{
    assert(level >= 0 && level < hierarchy->level_count);
    return &hierarchy->levels[level];
}

/* How many ground values lie under each value above. */
static uint32_t *sum_under(const tacit__level *below, const tacit__rise *rise)
{
    uint32_t *under = tacit__alloc_zeroed(rise->count, sizeof *under);
    for (uint32_t i = 0; under && i < below->count; i++)
        under[rise->up[i]] += below->under ? below->under[i] : 1;
    return under;
}

tacit_status tacit__value_error(const tacit_hierarchy *hierarchy, uint32_t code,
                                tacit_status status, tacit_error *err, const char *reason, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, reason);
    vsnprintf(text, sizeof text, reason, arguments);
    va_end(arguments);
    int64_t row = first_row(hierarchy, code);
    tacit__shown value = tacit__show_value(err, tacit__ground(hierarchy, code));
    tacit__shown name = tacit__show(tacit_table_name(hierarchy->table, hierarchy->column));
    return tacit__error_at(err, status, tacit_table_file(hierarchy->table),
                           row < 0 ? 0 : tacit_table_line(hierarchy->table, row), 0,
                           "%s in column \"%s\" %s", value.text, name.text, text);
}

tacit_status tacit__rise_begin(tacit__rise *rise, const tacit_hierarchy *hierarchy,
                               tacit_error *err)
{
    if (hierarchy->level_count == TACIT_MAX_LEVELS)
        return tacit__error_at(
            err, TACIT_LIMIT, tacit_table_file(hierarchy->table), 0, 0,
            "the hierarchy of column \"%s\" has more than %d levels",
            tacit__show(tacit_table_name(hierarchy->table, hierarchy->column)).text,
            TACIT_MAX_LEVELS);
    uint32_t below = hierarchy->levels[hierarchy->level_count - 1].count;
    *rise = (tacit__rise){.missing = TACIT__NONE};
    rise->up = tacit__alloc_array(below, sizeof *rise->up);
    return rise->up ? TACIT_OK : tacit__nomem(err);
}

bool tacit__rise_label(tacit__rise *rise, tacit_strview label)
{
    return TACIT__PUSH(rise->labels, rise->capacity, rise->count, label);
}

void tacit__rise_clear(tacit__rise *rise)
{
    tacit__free(rise->up);
    tacit__free(rise->labels);
    tacit__free(rise->under);
    *rise = (tacit__rise){0};
}

/* Labels of a guarded table are guarded like its cells. */
static tacit_status guard_labels(tacit_hierarchy *hierarchy, tacit__rise *rise, tacit_error *err)
{
    for (uint32_t i = 0; tacit_table_guard(hierarchy->table) && i < rise->count; i++) {
        tacit_strview label = rise->labels[i];
        if (!tacit__is_formula(label))
            continue;
        char *text = tacit__arena_alloc(&hierarchy->arena, label.len + 1);
        if (!text)
            return tacit__nomem(err);
        text[0] = TACIT__GUARD;
        memcpy(text + 1, label.bytes, label.len);
        rise->labels[i] = (tacit_strview){text, label.len + 1};
    }
    return TACIT_OK;
}

tacit_status tacit__hierarchy_raise(tacit_hierarchy *hierarchy, tacit__rise *rise, tacit_error *err)
{
    assert(hierarchy->level_count < TACIT_MAX_LEVELS);
    const tacit__level *below = &hierarchy->levels[hierarchy->level_count - 1];
    uint32_t distinct = hierarchy->distinct;
    tacit_status status = guard_labels(hierarchy, rise, err);
    if (status != TACIT_OK)
        return status;
    uint32_t *map = tacit__alloc_array((size_t)distinct + 1, sizeof *map);
    if (!rise->under)
        rise->under = sum_under(below, rise);
    if (!map || !rise->under) {
        tacit__free(map);
        return tacit__nomem(err);
    }
    for (uint32_t code = 0; code < distinct; code++)
        map[code] = rise->up[below->map[code]];
    map[distinct] = rise->missing == TACIT__NONE ? rise->count : rise->missing;
    hierarchy->levels[hierarchy->level_count++] = (tacit__level){
        .count = rise->count, .map = map, .labels = rise->labels, .under = rise->under};
    rise->labels = NULL;
    rise->under = NULL;
    return TACIT_OK;
}

tacit_status tacit__hierarchy_from_bytes(tacit_hierarchy **out, tacit_strview bytes,
                                         const char *name, const tacit_hierarchy_spec *spec,
                                         const tacit_table *table, int32_t column, tacit_error *err)
{
    tacit_hierarchy *hierarchy;
    tacit_status status = tacit__hierarchy_start(&hierarchy, table, column, err);
    if (status != TACIT_OK)
        return status;
    return tacit__hierarchy_finish(out, hierarchy, tacit__file_grow(hierarchy, bytes, name, err),
                                   spec, err);
}

tacit_status tacit_hierarchy_new(tacit_hierarchy **out, const tacit_hierarchy_spec *spec,
                                 const tacit_table *table, int32_t column, tacit_error *err)
{
    const tacit__source *source = source_of(spec->kind);
    assert(source);
    tacit_hierarchy *hierarchy;
    tacit_status status = tacit__hierarchy_start(&hierarchy, table, column, err);
    if (status != TACIT_OK)
        return status;
    return tacit__hierarchy_finish(out, hierarchy, source->grow(hierarchy, spec, err), spec, err);
}

void tacit_hierarchy_free(tacit_hierarchy *hierarchy)
{
    if (!hierarchy)
        return;
    for (int i = 0; i < hierarchy->level_count; i++) {
        tacit__free(hierarchy->levels[i].map);
        tacit__free(hierarchy->levels[i].labels);
        tacit__free(hierarchy->levels[i].under);
    }
    tacit__arena_clear(&hierarchy->arena);
    tacit__free(hierarchy);
}

tacit_strview tacit_hierarchy_suppressed(void)
{
    return (tacit_strview){"*", 1};
}

int tacit_hierarchy_height(const tacit_hierarchy *hierarchy)
{
    return hierarchy->level_count - 1;
}

uint32_t tacit_hierarchy_count(const tacit_hierarchy *hierarchy, int level)
{
    return level_at(hierarchy, level)->count;
}

const uint32_t *tacit_hierarchy_map(const tacit_hierarchy *hierarchy, int level)
{
    return level_at(hierarchy, level)->map;
}

tacit_strview tacit_hierarchy_label(const tacit_hierarchy *hierarchy, int level, uint32_t number)
{
    const tacit__level *at = level_at(hierarchy, level);
    assert(number < at->count);
    return at->labels ? at->labels[number] : tacit__ground(hierarchy, number);
}

uint32_t tacit_hierarchy_leaves(const tacit_hierarchy *hierarchy)
{
    return hierarchy->leaves;
}

uint32_t tacit_hierarchy_leaves_under(const tacit_hierarchy *hierarchy, int level, uint32_t number)
{
    const tacit__level *at = level_at(hierarchy, level);
    assert(number < at->count);
    return at->under ? at->under[number] : 1;
}
