/*
 * names.c - the values of a register matched with the data's.
 *
 * Each table numbers values in the order in which it meets them, so a value is
 * known by its name on its level: the names of the register's level are put into
 * an index, and the data's are looked up. What is missing matches what is
 * missing, and the highest values match whatever their names.
 *
 * The same value must generalize alike in both, or counts would mean nothing.
 * Hierarchies of different height are refused (a mask's is the length of the
 * longest value, and a longer value does not lie under a shorter mask), and so
 * are values that part ways (intervals are named otherwise where one of the
 * numbers has decimals). One look-up for each value and level.
 */
#include "records/population/names.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/error.h"
#include "hierarchy/names.h"

_Static_assert(TACIT__NONE == TACIT__NOBODY, "a name that is not found is nobody's");

/* An attribute in the data and in the register. */
typedef struct match {
    const tacit_table *data, *people;
    const tacit_attribute *from, *to;
} match;

static tacit_status refuse(const match *m, tacit_error *err, const char *why)
{
    tacit__shown name = tacit__show(tacit_table_name(m->people, m->to->column));
    return tacit__error_at(err, TACIT_INVALID, tacit_table_file(m->people), 0, 0,
                           "column \"%s\" of the population %s", name.text, why);
}

static tacit_status check(const match *m, tacit_error *err)
{
    if (m->to->column < 0 || m->to->column >= tacit_table_columns(m->people) ||
        !tacit_table_is_coded(m->people, m->to->column))
        return tacit__error_at(err, TACIT_INVALID, tacit_table_file(m->people), 0, 0,
                               "the population lacks a column of the quasi-identifier");
    if (tacit_hierarchy_height(m->from->hierarchy) != tacit_hierarchy_height(m->to->hierarchy))
        return refuse(
            m, err,
            "has another number of levels than in the data; a mask has as many as the "
            "longest value has characters, and missing values add one where suppression is "
            "none: use a hierarchy file with a row for them for both");
    return TACIT_OK;
}

/* Numbers of the register's values on a level, by name. */
static bool index_names(tacit__names *names, const match *m, int level)
{
    uint32_t count = tacit_hierarchy_count(m->to->hierarchy, level);
    bool added;
    for (uint32_t i = 0; i < count; i++)
        if (tacit__names_add(names, tacit_hierarchy_label(m->to->hierarchy, level, i), &added) ==
            TACIT__NONE)
            return false;
    assert(names->count == count); /* names are distinct on a level */
    return true;
}

/* The register's number of missing where it stays missing, or TACIT__NOBODY. */
static uint32_t missing_number(const match *m, int level)
{
    uint32_t number = tacit_hierarchy_map(m->to->hierarchy,
                                          level)[tacit_table_distinct(m->people, m->to->column)];
    bool stays = tacit_table_has_missing(m->people, m->to->column) &&
                 number == tacit_hierarchy_count(m->to->hierarchy, level);
    return stays ? number : TACIT__NOBODY;
}

static tacit_status match_level(uint32_t *numbers, const match *m, int level, tacit_error *err)
{
    tacit__names names = {0};
    uint32_t count = tacit_hierarchy_count(m->from->hierarchy, level);
    numbers[count] = missing_number(m, level);
    if (level == tacit_hierarchy_height(m->from->hierarchy)) {
        numbers[0] = 0; /* everybody, whatever the name */
        return TACIT_OK;
    }
    bool indexed = index_names(&names, m, level);
    for (uint32_t i = 0; indexed && i < count; i++)
        numbers[i] = tacit__names_find(&names, tacit_hierarchy_label(m->from->hierarchy, level, i));
    tacit__names_clear(&names);
    return indexed ? TACIT_OK : tacit__nomem(err);
}

/* A value that both have must have one name on every level. */
static tacit_status check_names(uint32_t *const *numbers, const match *m, tacit_error *err)
{
    uint32_t codes = tacit_table_distinct(m->data, m->from->column);
    codes += tacit_table_has_missing(m->data, m->from->column);
    for (int level = 1; level < tacit_hierarchy_height(m->from->hierarchy); level++) {
        const uint32_t *from = tacit_hierarchy_map(m->from->hierarchy, level);
        const uint32_t *to = tacit_hierarchy_map(m->to->hierarchy, level);
        for (uint32_t code = 0; code < codes; code++) {
            uint32_t other = numbers[0][code];
            if (other != TACIT__NOBODY && numbers[level][from[code]] != to[other])
                return refuse(m, err,
                              "generalizes a value otherwise than the data does; use the same "
                              "hierarchy for both, and for intervals write numbers in both with "
                              "decimals or in both without");
        }
    }
    return TACIT_OK;
}

static tacit_status allocate(tacit__name_map *map, const tacit_frame *data, tacit_error *err)
{
    size_t total = 0, at = 0;
    for (int32_t a = 0; a < data->attribute_count; a++)
        for (int level = 0; level <= tacit_hierarchy_height(data->attributes[a].hierarchy); level++)
            total += (size_t)tacit_hierarchy_count(data->attributes[a].hierarchy, level) + 1;
    map->memory = tacit__alloc_array(total, sizeof *map->memory);
    if (!map->memory)
        return tacit__nomem(err);
    for (int32_t a = 0; a < data->attribute_count; a++) {
        const tacit_hierarchy *hierarchy = data->attributes[a].hierarchy;
        for (int level = 0; level <= tacit_hierarchy_height(hierarchy); level++) {
            map->numbers[a][level] = map->memory + at;
            at += (size_t)tacit_hierarchy_count(hierarchy, level) + 1;
        }
    }
    return TACIT_OK;
}

static tacit_status match_attribute(uint32_t *const *numbers, const match *m, tacit_error *err)
{
    tacit_status status = check(m, err);
    for (int level = 0; status == TACIT_OK && level <= tacit_hierarchy_height(m->from->hierarchy);
         level++)
        status = match_level(numbers[level], m, level, err);
    return status == TACIT_OK ? check_names(numbers, m, err) : status;
}

tacit_status tacit__name_map_init(tacit__name_map *map, const tacit_frame *data,
                                  const tacit_frame *people, tacit_error *err)
{
    assert(data->attribute_count == people->attribute_count);
    tacit_status status = allocate(map, data, err);
    for (int32_t a = 0; status == TACIT_OK && a < data->attribute_count; a++) {
        match m = {data->table, people->table, &data->attributes[a], &people->attributes[a]};
        status = match_attribute(map->numbers[a], &m, err);
    }
    if (status != TACIT_OK)
        tacit__name_map_clear(map);
    return status;
}

void tacit__name_map_clear(tacit__name_map *map)
{
    tacit__free(map->memory);
    *map = (tacit__name_map){0};
}
