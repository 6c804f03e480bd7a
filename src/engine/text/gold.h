/*
 * gold.h - documents that people have marked, from JSON lines.
 */
#ifndef TACIT_ENGINE_TEXT_GOLD_H
#define TACIT_ENGINE_TEXT_GOLD_H

#include <tacit/experimental/text_learn.h>

#include "engine/job/text.h"

/* All zero is empty. */
typedef struct engine_gold {
    char *file; /* what texts and labels are views of, where they have no escapes */
    tacit_text_marked *documents;
    engine_text *texts; /* of each document: its text without escapes */
    size_t count, capacity, text_capacity;
} engine_gold;

/* Lines are {"text": ..., "spans": [{"start", "end", "label"}]}, with the text in the field;
 * other fields are passed over. Offsets count characters, or bytes. */
tacit_status engine_gold_read(engine_gold *gold, const char *path, const char *field, bool bytes,
                              tacit_error *err);
void engine_gold_clear(engine_gold *gold);

#endif
