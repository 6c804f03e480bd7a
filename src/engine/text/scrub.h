/*
 * scrub.h - `tacit scrub` at work: what of a document its parts see, and what is counted.
 *
 * Documents are scrubbed by several threads at once, each with a reader, a gathering and
 * texts of its own. Whatever tells of them is added piece by piece in that thread: lines of
 * --spans and --explain go into texts that are written in the order of the documents,
 * everything else into the thread's gathering; gatherings are merged at the end, and the
 * result must not depend on who had which document.
 */
#ifndef TACIT_ENGINE_TEXT_SCRUB_H
#define TACIT_ENGINE_TEXT_SCRUB_H

#include "engine/job/files.h"
#include "engine/job/text.h"

/* What is told of a piece besides the places and kinds; all zero is the least. */
typedef enum engine_scrub_how {
    ENGINE_SCRUB_WORDS = 1 << 0, /* the words themselves: personal data */
    ENGINE_SCRUB_PEOPLE = 1 << 1 /* lines for people, not JSON */
} engine_scrub_how;

/* A piece of a document after it was scrubbed; everything is borrowed for the call. Short
 * documents are one piece; long ones are several, in their order, in the same thread. */
typedef struct engine_scrub_piece {
    tacit_strview id;     /* of the document, as JSON: "\"letters/1.txt\"" or "17" */
    tacit_strview column; /* of a CSV, whose id is the row's number from 1; else empty */
    uint64_t number;      /* of the document in the batch, from 0: by order, whoever scrubs it */
    bool first, last;     /* of the document's pieces */
    uint64_t offset;      /* of this piece, in bytes from the start of the document */
    tacit_strview text;
    unsigned how;                        /* engine_scrub_how, for --explain */
    const tacit_text_strategy *strategy; /* of kinds */
    const tacit_scrubbed *scrubbed; /* its spans and proposals count from the document's start */
} engine_scrub_piece;

/* Plain counts; sums of what threads have counted. */
typedef struct engine_scrub_totals {
    uint64_t files;
    uint64_t documents, touched; /* touched: with a span that was replaced */
    uint64_t by_format[TACIT_TEXT_FORMATS];
    uint64_t bytes, bytes_out; /* of the texts, before and after */
    uint64_t spans;
    uint64_t by_kind[TACIT_TEXT_KINDS];
    uint64_t unread[TACIT_UNREAD_REASONS]; /* documents that were accepted all the same */
} engine_scrub_totals;

/* Kinds that were found, the most frequent first; room for TACIT_TEXT_KINDS. Returns how many. */
int engine_scrub_kinds(tacit_text_kind *kinds, const engine_scrub_totals *totals);

/* ---- what --html and --report show of the documents themselves (gather.c) ---- */

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
    size_t count, capacity;
    uint64_t spans;    /* all, shown or not */
    uint64_t left_out; /* bytes of the scrubbed text that are not shown */
} engine_shown;

typedef struct engine_shown_name {
    uint64_t number;
    size_t start, len; /* in names */
} engine_shown_name;

typedef struct engine_scrub_gathering {
    tacit_rare *rare;
    engine_shown *shown; /* by number once all is merged */
    size_t shown_count, shown_capacity;
    engine_text names;
    engine_shown_name *ids;
    size_t id_count, id_capacity;
    uint64_t likelihoods[ENGINE_LIKELIHOODS];
} engine_scrub_gathering;

/* What a document is called: its id, or its number from 1. Cut to size, returns buffer. */
const char *engine_shown_name_of(char *buffer, size_t size, const engine_scrub_gathering *gathering,
                                 uint64_t number);

/* The first documents with their spans, and facts that are rare within the batch. Bounded in
 * memory. */
tacit_status engine_scrub_gathering_new(engine_scrub_gathering **out, tacit_error *err);
void engine_scrub_gathering_free(engine_scrub_gathering *gathering);
tacit_status engine_scrub_gather(engine_scrub_gathering *gathering, const engine_scrub_piece *piece,
                                 tacit_error *err);
/* Moves all that is in from into into. */
tacit_status engine_scrub_gathering_merge(engine_scrub_gathering *into,
                                          engine_scrub_gathering *from, tacit_error *err);

/* What the reports tell of; filled by scrub.c at the end. */
typedef struct engine_scrub_story {
    const char *target;                 /* where the text goes; "-": standard output */
    const char *shift_by;               /* NULL: not given */
    const tacit_scrub_options *options; /* threshold, strategies, scope */
    engine_scrub_totals totals;
    engine_scrub_gathering *gathering; /* NULL: neither --html nor --report was asked for */
    double seconds;
    bool words; /* --words: the page shows what stood there; it is personal data then */
} engine_scrub_story;

/* Adds what to do to the library's sentence on a text that is not read as it is meant. */
void engine_scrub_refused(tacit_error *err);

/* --explain: every proposal of the piece, why it won or lost (explain.c). */
void engine_scrub_explain(engine_text *out, const engine_scrub_piece *piece);

/* The facts; the subject is an engine_scrub_story. */
extern const engine_reports engine_scrub_reports;

/* What a strategy makes of a span, in a word or two. */
const char *engine_scrub_became(tacit_text_strategy strategy);

/* Drawings of the page; the subject is an engine_scrub_story. */
void engine_scrub_draw_kinds(tacit_page *page, const void *subject);
void engine_scrub_draw_likelihoods(tacit_page *page, const void *subject);
void engine_scrub_draw_documents(tacit_page *page, const void *subject);

#endif
