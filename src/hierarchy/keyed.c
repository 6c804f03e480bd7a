/*
 * keyed.c - levels of rules that compute.
 *
 * On each level the keys of the values below are raised and numbered as they
 * are met; each distinct key is written out once. The keys of a level overwrite
 * those below it in place, since a number never runs ahead of the walk. Level 1
 * costs a look-up a distinct value of the column, higher levels one for each
 * value of the level below.
 */
#include "hierarchy/keyed.h"

#include "base/error.h"
#include "base/map.h"

static uint32_t find_key(const tacit__map *map, const int64_t *keys, int64_t key, uint64_t hash)
{
    size_t probe = 0;
    uint32_t number;
    while ((number = tacit__map_next(map, hash, &probe)) != TACIT__NONE)
        if (keys[number] == key)
            break;
    return number;
}

/* Numbers keys[0..below) and keeps the distinct ones in keys[0..rise->count). */
static bool number_keys(tacit__rise *rise, tacit_hierarchy *hierarchy,
                        const tacit__hierarchy_keyed *rule, int64_t *keys, tacit__map *map)
{
    int level = hierarchy->level_count;
    uint32_t below = hierarchy->levels[level - 1].count;
    for (uint32_t i = 0; i < below; i++) {
        int64_t key = level > 1 ? rule->above(rule->context, level, keys[i]) : keys[i];
        uint64_t hash = tacit__mix((uint64_t)key);
        uint32_t number = find_key(map, keys, key, hash);
        if (number == TACIT__NONE) {
            char text[TACIT__LABEL_SIZE];
            size_t len = rule->label(text, rule->context, level, key);
            tacit_strview label = tacit__arena_copy(&hierarchy->arena, (tacit_strview){text, len});
            number = rise->count;
            if (!label.bytes || !tacit__map_add(map, hash) || !tacit__rise_label(rise, label))
                return false;
            keys[number] = key;
        }
        rise->up[i] = number;
    }
    return true;
}

tacit_status tacit__keyed_grow(tacit_hierarchy *hierarchy, const tacit__hierarchy_keyed *rule,
                               int64_t *keys, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int i = 0; status == TACIT_OK && i < rule->levels; i++) {
        tacit__rise rise = {0};
        tacit__map map = {0};
        status = tacit__rise_begin(&rise, hierarchy, err);
        if (status == TACIT_OK && !number_keys(&rise, hierarchy, rule, keys, &map))
            status = tacit__nomem(err);
        if (status == TACIT_OK)
            status = tacit__hierarchy_raise(hierarchy, &rise, err);
        tacit__map_clear(&map);
        tacit__rise_clear(&rise);
    }
    return status;
}
