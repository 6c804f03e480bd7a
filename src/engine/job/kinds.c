/*
 * kinds.c - the table of kinds.
 */
#include "engine/job/kinds.h"

#include <string.h>

const engine_kind *const engine_kinds[] = {
    &engine_profile, &engine_hierarchy, &engine_risk,           &engine_anonymize,  &engine_compare,
    &engine_protect, &engine_audit,     &engine_ledger_listing, &engine_scrub_kind, NULL,
};

const engine_kind *engine_kind_find(const char *name)
{
    for (size_t i = 0; engine_kinds[i]; i++)
        if (strcmp(engine_kinds[i]->name, name) == 0)
            return engine_kinds[i];
    return NULL;
}
