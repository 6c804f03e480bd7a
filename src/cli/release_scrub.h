/*
 * release_scrub.h - columns of text in a release of records (replace: scrub).
 */
#ifndef TACIT_CLI_RELEASE_SCRUB_H
#define TACIT_CLI_RELEASE_SCRUB_H

#include "scrub_known.h"

/* A column that was scrubbed: what its cells say now. */
typedef struct cli_scrubbed_column {
    const char *name;
    tacit_strview *cells; /* a row each; bytes NULL: as it was */
    uint64_t texts;       /* cells that are not empty */
    uint64_t changed;
    uint64_t unread; /* texts that are not read as they are meant, and were accepted */
} cli_scrubbed_column;

/* All zero is nothing. */
typedef struct cli_scrubbed_text {
    tacit_scrubber *scrubber;
    cli_known known; /* the identifiers of the data */
    cli_scrubbed_column *columns;
    int32_t count;
    uint32_t *rows; /* 0, 1, 2, ...: a row's cell is its own */
    int64_t row_count;
} cli_scrubbed_text;

struct cli_release;

/* Scrubs a column, whose source is set, for the layout. */
tacit_status cli_release_scrub(tacit_csv_column *column, struct cli_release *release);
void cli_scrubbed_text_clear(cli_scrubbed_text *text);

/* What is said of it, on the terminal, in the account and on the page; only where there is text. */
void cli_scrubbed_text_tell(const cli_scrubbed_text *text);
void cli_scrubbed_text_account(tacit_account *account, const cli_scrubbed_text *text);
void cli_scrubbed_text_page(tacit_page *page, const cli_scrubbed_text *text);

#endif
