/*
 * shown.h - what is gathered of documents while they are scrubbed, for the page and the
 * report of `tacit scrub`.
 */
#ifndef TACIT_ENGINE_TEXT_SHOWN_H
#define TACIT_ENGINE_TEXT_SHOWN_H

#include "engine/text/scrub.h"

enum {
    ENGINE_SHOWN_DOCUMENTS = 50, /* the first of the batch */
    ENGINE_SHOWN_BYTES = 16384,  /* of each */
    ENGINE_SHOWN_NAMES = 65536, /* documents that can be called by their id; others have a number */
    ENGINE_LIKELIHOODS = 11     /* 0 to 9, 10 to 19, ... percent, and 100 */
};

/* A stretch of a document, kept or replaced; places in the document's bytes. */
typedef struct engine_shown_part {
    uint32_t text, text_len;     /* as it is now */
    uint32_t before, before_len; /* as it was */
    uint8_t kind, likelihood;    /* kind TACIT_TEXT_NONE: kept */
} engine_shown_part;

typedef struct engine_shown {
    uint64_t number;
    engine_text bytes;
    engine_shown_part *parts;
    size_t count, room;
    uint64_t spans;    /* all, shown or not */
    uint64_t left_out; /* bytes of the scrubbed text that are not shown */
} engine_shown;

typedef struct engine_shown_name {
    uint64_t number;
    size_t start, len; /* in names */
} engine_shown_name;

struct engine_scrub_gathering {
    tacit_rare *rare;
    engine_shown *shown; /* by number once all is merged */
    size_t shown_count, shown_room;
    engine_text names;
    engine_shown_name *ids;
    size_t id_count, id_room;
    uint64_t likelihoods[ENGINE_LIKELIHOODS];
};

/* What a document is called: its id, or its number from 1. Cut to size, returns buffer. */
const char *engine_shown_name_of(char *buffer, size_t size, const engine_scrub_gathering *gathering,
                                 uint64_t number);

/* What a strategy makes of a span, in a word or two. */
const char *engine_scrub_became(tacit_text_strategy strategy);

/* Drawings of the page; the subject is an engine_scrub_story. */
void engine_scrub_draw_kinds(tacit_page *page, const void *subject);
void engine_scrub_draw_likelihoods(tacit_page *page, const void *subject);
void engine_scrub_draw_documents(tacit_page *page, const void *subject);

#endif
