/*
 * kinds.c - the table of kinds.
 */
#include "engine/job/kinds.h"

#include <string.h>

#define ADDRESS(kind) &engine_##kind,
const engine_kind *const engine_kinds[] = {ENGINE_KINDS(ADDRESS) NULL};
#undef ADDRESS

const engine_kind *engine_kind_find(const char *name)
{
    for (size_t i = 0; engine_kinds[i]; i++)
        if (strcmp(engine_kinds[i]->name, name) == 0)
            return engine_kinds[i];
    return NULL;
}
