/*
 * techniques.c - the table of techniques (Figure 17). A technique is a file of its name and a line
 * here.
 */
#include <string.h>

#include "techniques/runner/technique.h"

/* A line each. */
/* clang-format off */
static const tacit_technique *const TECHNIQUES[] = {
    &tacit__encrypt,
    &tacit__pseudonym_technique,
    &tacit__swap,
    &tacit__rank_swap,
    &tacit__record_swap,
    &tacit__substitute,
    &tacit__outliers,
    &tacit__microaggregate,
    &tacit__perturb,
    &tacit__pram_technique,
    &tacit__round,
    &tacit__top_code,
    &tacit__bottom_code,
    &tacit__noise_technique,
    &tacit__sample,
    &tacit__add,
    &tacit__scramble,
    NULL,
};
/* clang-format on */

const tacit_technique *const *tacit_techniques(void)
{
    return TECHNIQUES;
}

const tacit_technique *tacit_technique_find(const char *name)
{
    for (const tacit_technique *const *each = TECHNIQUES; *each; each++)
        if (strcmp((*each)->name, name) == 0)
            return *each;
    return NULL;
}
