/*
 * names.c - numbers for distinct texts, in a map (base/map.h). Expected cost of a look-up: one hash
 * of the text and about one comparison.
 */
#include "hierarchy/names.h"

#include "base/alloc.h"
#include "base/vector.h"

static uint32_t find_name(const tacit__names *names, tacit_strview label, uint64_t hash)
{
    size_t probe = 0;
    uint32_t number;
    while ((number = tacit__map_next(&names->map, hash, &probe)) != TACIT__NONE)
        if (tacit_strview_equal(names->labels[number], label))
            break;
    return number;
}

uint32_t tacit__names_find(const tacit__names *names, tacit_strview label)
{
    return find_name(names, label, tacit__hash_bytes(label.bytes, label.len));
}

uint32_t tacit__names_add(tacit__names *names, tacit_strview label, bool *added)
{
    uint64_t hash = tacit__hash_bytes(label.bytes, label.len);
    uint32_t number = find_name(names, label, hash);
    *added = number == TACIT__NONE;
    if (!*added)
        return number;
    number = names->count;
    if (!TACIT__RESERVE_ONE(names->labels, names->capacity, number) ||
        !tacit__map_add(&names->map, hash))
        return TACIT__NONE;
    names->labels[number] = label;
    names->count++;
    return number;
}

void tacit__names_clear(tacit__names *names)
{
    tacit__free(names->labels);
    tacit__map_clear(&names->map);
    *names = (tacit__names){0};
}
