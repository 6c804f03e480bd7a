/*
 * proposals.c - a growing array of proposals, reused from piece to piece.
 */
#include "text/scrub/proposals.h"

#include "base/alloc.h"
#include "base/error.h"

tacit_status tacit__proposals_grow(tacit__proposals *proposals, const tacit__proposal *proposal,
                                   tacit_error *err)
{
    if (!tacit__reserve((void **)&proposals->items, &proposals->capacity, proposals->count + 1,
                        sizeof *proposals->items))
        return tacit__nomem(err);
    proposals->items[proposals->count++] = *proposal;
    return TACIT_OK;
}

tacit_status tacit__proposals_note(tacit__proposals *proposals, const tacit__proposal *proposal,
                                   tacit_text_fate fate, tacit_error *err)
{
    if (!proposals->all)
        return TACIT_OK;
    if (!tacit__reserve((void **)&proposals->noted, &proposals->noted_capacity,
                        proposals->noted_count + 1, sizeof *proposals->noted))
        return tacit__nomem(err);
    proposals->noted[proposals->noted_count] = *proposal;
    proposals->noted[proposals->noted_count++].fate = (uint8_t)fate;
    return TACIT_OK;
}

void tacit__proposals_clear(tacit__proposals *proposals)
{
    tacit__free(proposals->noted);
    tacit__free(proposals->items);
    *proposals = (tacit__proposals){0};
}
