/*
 * proposals.c - a growing array of proposals, reused from piece to piece.
 */
#include "text/scrub/proposals.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

tacit_status tacit__proposals_grow(tacit__proposals *proposals, const tacit__proposal *proposal,
                                   tacit_error *err)
{
    return TACIT__PUSH(proposals->items, proposals->capacity, proposals->count, *proposal)
               ? TACIT_OK
               : tacit__nomem(err);
}

tacit_status tacit__proposals_note(tacit__proposals *proposals, const tacit__proposal *proposal,
                                   tacit_text_fate fate, tacit_error *err)
{
    if (!proposals->all)
        return TACIT_OK;
    if (!TACIT__RESERVE_ONE(proposals->noted, proposals->noted_capacity, proposals->noted_count))
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
