/*
 * rungs.c - the labels of an attribute's values on each level, looked up once among those
 * of an earlier release: a walk down its combinations then compares numbers only. Cost: a look for
 * each value of each level, 4 bytes for it.
 */
#include "records/previous/rungs.h"

#include "base/alloc.h"

bool tacit__values_index(tacit__names *names, const tacit_table *table, int32_t column)
{
    bool added;
    for (uint32_t code = 0; code < tacit_table_distinct(table, column); code++)
        if (tacit__names_add(names, tacit_table_value(table, column, code), &added) == TACIT__NONE)
            return false;
    return true;
}

static bool fill(tacit__rungs *l, const tacit__names *names, uint32_t missing)
{
    const tacit_hierarchy *hierarchy = l->hierarchy;
    size_t all = 0;
    for (int level = 0; level <= tacit_hierarchy_height(hierarchy); level++) {
        l->offsets[level] = all;
        all += (size_t)tacit_hierarchy_count(hierarchy, level) + 1;
    }
    l->codes = tacit__alloc_array(all, sizeof *l->codes);
    if (!l->codes)
        return false;
    for (int level = 0; level <= tacit_hierarchy_height(hierarchy); level++) {
        uint32_t count = tacit_hierarchy_count(hierarchy, level);
        uint32_t *codes = l->codes + l->offsets[level];
        for (uint32_t i = 0; i < count; i++)
            codes[i] = tacit__names_find(names, tacit_hierarchy_label(hierarchy, level, i));
        codes[count] = missing;
    }
    return true;
}

bool tacit__rungs_init(tacit__rungs *l, const tacit_hierarchy *hierarchy,
                       const tacit_table *release, int32_t column)
{
    tacit__names names = {0};
    l->hierarchy = hierarchy;
    l->there = tacit_table_codes(release, column);
    bool whole = tacit__values_index(&names, release, column) &&
                 fill(l, &names, tacit_table_distinct(release, column));
    tacit__names_clear(&names);
    return whole;
}

void tacit__rungs_clear(tacit__rungs *l)
{
    tacit__free(l->codes);
    tacit__numbering_clear(&l->children);
}

static uint32_t leaves_on(const tacit__rungs *l, int level, uint32_t code)
{
    uint32_t number = tacit_hierarchy_map(l->hierarchy, level)[code];
    return number < tacit_hierarchy_count(l->hierarchy, level)
               ? tacit_hierarchy_leaves_under(l->hierarchy, level, number)
               : 1;
}

uint8_t tacit__rungs_level(const tacit__rungs *l, uint32_t code, uint32_t label)
{
    int level = tacit_hierarchy_height(l->hierarchy);
    while (tacit__rungs_code(l, level, code) != label)
        level--;
    for (int lower = level - 1; lower >= 0; lower--)
        if (tacit__rungs_code(l, lower, code) == label &&
            leaves_on(l, lower, code) == leaves_on(l, level, code))
            level = lower;
    return (uint8_t)level;
}
