/*
 * scrub_gold.h - documents that people have marked, from JSON lines.
 */
#ifndef TACIT_CLI_SCRUB_GOLD_H
#define TACIT_CLI_SCRUB_GOLD_H

#include <tacit/text_learn.h>

#include "text.h"

/* All zero is empty. */
typedef struct cli_gold {
    char *file; /* what texts and labels are views of, where they have no escapes */
    tacit_text_marked *documents;
    cli_text *texts; /* of each document: its text without escapes */
    tacit_text_mark **marks;
    size_t count, capacity;
} cli_gold;

/* Lines are {"text": ..., "spans": [{"start", "end", "label"}]}, with the text in the field;
 * other fields are passed over. Offsets count characters, or bytes. */
tacit_status cli_gold_read(cli_gold *gold, const char *path, const char *field, bool bytes,
                           tacit_error *err);
void cli_gold_clear(cli_gold *gold);

#endif
