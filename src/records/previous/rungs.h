/*
 * rungs.h - what the values of an attribute are called on each level, in the codes of an
 * earlier release.
 */
#ifndef TACIT_RECORDS_PREVIOUS_RUNGS_H
#define TACIT_RECORDS_PREVIOUS_RUNGS_H

#include <tacit/hierarchy.h>

#include "base/map.h"
#include "hierarchy/names.h"

/* One shown attribute: the release's code of each value of each level. */
typedef struct tacit__rungs {
    int32_t attribute;
    const tacit_hierarchy *hierarchy;
    tacit_codes_view here, there;
    uint32_t *codes; /* level by level, missing as the last of each; TACIT__NONE: not there */
    size_t offsets[TACIT_MAX_LEVELS];
    tacit__numbering children; /* (node of the trie, code) -> node */
} tacit__rungs;

/* Fills in hierarchy, there, codes and offsets for a column of the release; false when out of
 * memory. Cleared in any case. */
bool tacit__rungs_init(tacit__rungs *l, const tacit_hierarchy *hierarchy,
                       const tacit_table *release, int32_t column);
void tacit__rungs_clear(tacit__rungs *l);

/* The release's code of what a value becomes on a level. */
static inline uint32_t tacit__rungs_code(const tacit__rungs *l, int level, uint32_t code)
{
    return l->codes[l->offsets[level] + tacit_hierarchy_map(l->hierarchy, level)[code]];
}

/* The level of a label that a value has: where it stands on several, the lowest on which it means
 * as much as on the highest. */
uint8_t tacit__rungs_level(const tacit__rungs *l, uint32_t code, uint32_t label);

/* Numbers the values of a column by their codes; false when out of memory. */
bool tacit__values_index(tacit__names *names, const tacit_table *table, int32_t column);

#endif
