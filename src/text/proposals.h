/*
 * proposals.h - what detectors hand to the arbiter: spans of a piece with a kind and a
 * likelihood, in any order, overlapping as they like.
 */
#ifndef TACIT_SRC_TEXT_PROPOSALS_H
#define TACIT_SRC_TEXT_PROPOSALS_H

#include <tacit/text.h>

#include "text/document.h"

/* What is as likely is beyond doubt; and a guess, where nothing else speaks for it. */
enum { TACIT__SURE = 90, TACIT__CERTAIN = 99 };

typedef struct tacit__proposal {
    uint32_t start, end; /* bytes of the piece */
    uint8_t kind;        /* tacit_text_kind */
    uint8_t within;      /* the entity whose constituent it is, or its own kind: precedence */
    uint8_t likelihood;  /* 0 to 100 */
    uint8_t fate;        /* tacit_text_fate, the arbiter's */
    bool guess;          /* the chain takes words for it that are not known, or a form that often */
                         /* is nothing does */
    const char *detector;
    const char *rule; /* or NULL; both outlive the piece */
} tacit__proposal;

typedef struct tacit__proposals {
    tacit__proposal *items;
    size_t count, capacity;
    int least; /* what cannot win is left out: all that is less likely, and parts of a whole that */
               /* is sure and not; 0 leaves nothing out */
    bool titles; /* are asked for */
} tacit__proposals;

/* Adds one where there is no more room. */
tacit_status tacit__proposals_grow(tacit__proposals *proposals, const tacit__proposal *proposal,
                                   tacit_error *err);

static inline tacit_status tacit__proposals_add(tacit__proposals *proposals,
                                                const tacit__proposal *proposal, tacit_error *err)
{
    if (proposal->likelihood < proposals->least)
        return TACIT_OK;
    if (proposals->count == proposals->capacity)
        return tacit__proposals_grow(proposals, proposal, err);
    proposals->items[proposals->count++] = *proposal;
    return TACIT_OK;
}

/* Proposes the words of a document from first to last, both included, as what is given; its
 * places are filled in, and its precedence where it is part of nothing else. */
static inline tacit_status tacit__propose_words(tacit__proposals *proposals,
                                                const tacit__document *document, size_t first,
                                                size_t last, tacit__proposal what, tacit_error *err)
{
    what.start = document->words[first].start;
    what.end = document->words[last].end;
    if (what.within == TACIT_TEXT_NONE)
        what.within = what.kind;
    return tacit__proposals_add(proposals, &what, err);
}

void tacit__proposals_clear(tacit__proposals *proposals);

#endif
