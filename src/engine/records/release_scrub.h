/*
 * release_scrub.h - columns of text in a release of records (replace: scrub).
 */
#ifndef TACIT_ENGINE_RECORDS_RELEASE_SCRUB_H
#define TACIT_ENGINE_RECORDS_RELEASE_SCRUB_H

#include "engine/text/known.h"

/* A column that was scrubbed: what its cells say now. */
typedef struct engine_scrubbed_column {
    const char *name;
    tacit_strview *cells; /* a row each; bytes NULL: as it was */
    uint64_t texts;       /* cells that are not empty */
    uint64_t changed;
    uint64_t unread; /* texts that are not read as they are meant, and were accepted */
} engine_scrubbed_column;

/* All zero is nothing. */
typedef struct engine_scrubbed_text {
    tacit_scrubber *scrubber;
    engine_known known; /* the identifiers of the data */
    engine_scrubbed_column *columns;
    int32_t count;
    uint32_t *rows; /* 0, 1, 2, ...: a row's cell is its own */
    int64_t row_count;
} engine_scrubbed_text;

struct engine_release;

/* Scrubs a column, whose source is set, for the layout. */
tacit_status engine_release_scrub(tacit_csv_column *column, struct engine_release *release);
void engine_scrubbed_text_clear(engine_scrubbed_text *text);

/* What is said of it; only where there is text. */
void engine_scrubbed_text_facts(tacit_report *report, const engine_scrubbed_text *text);

#endif
