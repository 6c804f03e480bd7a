/*
 * proposals.h - what detectors hand to the arbiter: spans of a piece with a kind and a
 * likelihood, in any order, overlapping as they like.
 */
#ifndef TACIT_TEXT_SCRUB_PROPOSALS_H
#define TACIT_TEXT_SCRUB_PROPOSALS_H

#include <tacit/experimental/text.h>

#include "text/read/document.h"

/* What is as likely is beyond doubt; and a guess, where nothing else speaks for it. A form that is
 * less likely than probable is a guess. */
enum { TACIT__SURE = 90, TACIT__CERTAIN = 99, TACIT__PROBABLE = 75 };

/* What a guess must reach in a long text in which nothing else is personal: what stands like a
 * name, little more than usual; a lone word, which may be called after somebody, more; names in odd
 * letters, places and organizations, which machines, methods and abbreviations look like, much;
 * forms that often are nothing, more than they have. */
typedef enum tacit__alone {
    TACIT__ALONE_TITLED = 55,     /* "Nurse Okafor" */
    TACIT__ALONE_KNOWN_NAME = 58, /* "Rose Okafor" */
    TACIT__ALONE_FIRST = 64,      /* "Rose" */
    TACIT__ALONE_NAME = 68,       /* "Olumide Okafor" */
    TACIT__ALONE_WORD = 80,       /* "Okafor" */
    TACIT__ALONE_FORM = 75,
    TACIT__ALONE_UNSHAPED = 80, /* "rose okafor", where nothing has capitals */
    TACIT__ALONE_PLACE = 96,
    TACIT__ALONE_ODD = 97 /* "NK" */
} tacit__alone;

typedef struct tacit__proposal {
    uint32_t start, end; /* bytes of the piece */
    uint8_t kind;        /* tacit_text_kind */
    uint8_t within;      /* the entity whose constituent it is, or its own kind: precedence */
    uint8_t likelihood;  /* 0 to 100 */
    uint8_t fate;        /* tacit_text_fate, the arbiter's */
    uint8_t alone;       /* of a guess, by the chain or by a form that often is nothing: how */
                         /* likely it must be where nothing else is personal; else 0 */
    const char *detector;
    const char *rule; /* or NULL; both outlive the piece */
} tacit__proposal;

typedef struct tacit__proposals {
    tacit__proposal *items;
    size_t count, capacity;
    int least;   /* what is less likely cannot win, and is left out */
    bool titles; /* are asked for */
    bool all;    /* what is left out is noted, with its fate, for who asks why; nobody decides by */
                 /* it, so that asking changes nothing */
    bool failed; /* memory ran out in a detector */
    tacit__proposal *noted;
    size_t noted_count, noted_capacity;
} tacit__proposals;

/* Notes one that is left out, where that is asked for. */
tacit_status tacit__proposals_note(tacit__proposals *proposals, const tacit__proposal *proposal,
                                   tacit_text_fate fate, tacit_error *err);

/* Adds one where there is no more room. */
tacit_status tacit__proposals_grow(tacit__proposals *proposals, const tacit__proposal *proposal,
                                   tacit_error *err);

static inline tacit_status tacit__proposals_add(tacit__proposals *proposals,
                                                const tacit__proposal *proposal, tacit_error *err)
{
    if (proposal->likelihood < proposals->least)
        return tacit__proposals_note(proposals, proposal, TACIT_TEXT_BELOW, err);
    if (proposals->count == proposals->capacity)
        return tacit__proposals_grow(proposals, proposal, err);
    proposals->items[proposals->count++] = *proposal;
    return TACIT_OK;
}

/* The same for detectors, which go on: that memory ran out is remembered. */
static inline void tacit__propose(tacit__proposals *proposals, const tacit__proposal *proposal)
{
    proposals->failed |= tacit__proposals_add(proposals, proposal, NULL) != TACIT_OK;
}

/* Notes what a likelier whole overrules. */
static inline void tacit__propose_overruled(tacit__proposals *proposals,
                                            const tacit__proposal *proposal)
{
    proposals->failed |=
        tacit__proposals_note(proposals, proposal, TACIT_TEXT_OVERRULED, NULL) != TACIT_OK;
}

/* Proposes the words of a document from first to last, both included, as what is given; its
 * places are filled in, and its precedence where it is part of nothing else. */
static inline void tacit__propose_words(tacit__proposals *proposals,
                                        const tacit__document *document, size_t first, size_t last,
                                        tacit__proposal what)
{
    what.start = document->words[first].start;
    what.end = document->words[last].end;
    if (what.within == TACIT_TEXT_NONE)
        what.within = what.kind;
    tacit__propose(proposals, &what);
}

/* Whether memory ran out since the last call: what a detector ends with. */
tacit_status tacit__proposals_status(tacit__proposals *proposals, tacit_error *err);

void tacit__proposals_clear(tacit__proposals *proposals);

#endif
